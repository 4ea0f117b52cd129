/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "trace_chart.h"

#include "file_out.h"
#include "output.h"
#include "present.h"
#include "ws/canvas.h"
#include "ws/chart.h"

#define CHART_PNG_SCALE 1.5
#define CHART_SIZES_MAX 25 /* by powers of two, up to 2^24 GPUs */
#define CHART_HOURS 24
#define CHART_DAYS 7

/* Everything that the chart draws from. */
typedef struct {
    const ws_trace_summary *summary;
    ws_arena *arena;
    ws_chart_panel panels[WS_CHART_PANELS_MAX];
    size_t count;
    double shares[WS_TRACE_QUANTILES];
    ws_text sizes[CHART_SIZES_MAX];
    double size_jobs[CHART_SIZES_MAX];
    double size_work[CHART_SIZES_MAX];
    ws_text outcomes[WS_TRACE_OUTCOME_COUNT];
    double outcome_jobs[WS_TRACE_OUTCOME_COUNT];
    double outcome_work[WS_TRACE_OUTCOME_COUNT];
    ws_text hours[CHART_HOURS];
    double by_hour[CHART_HOURS];
    double by_weekday[CHART_DAYS];
    double step_s[WS_TRACE_STEPS_MAX];
    double gpus_mean[WS_TRACE_STEPS_MAX];
    double gpus_max[WS_TRACE_STEPS_MAX];
} trace_chart;

static ws_chart_panel *chart_add(trace_chart *chart, ws_chart_panel panel)
{
    chart->panels[chart->count] = panel;
    return &chart->panels[chart->count++];
}

/* ---- panels ---- */

static void chart_add_times(trace_chart *chart)
{
    const ws_trace_summary *summary = chart->summary;

    for (size_t i = 0; i < WS_TRACE_QUANTILES; i++) {
        chart->shares[i] = (double)i / (WS_TRACE_QUANTILES - 1);
    }
    ws_chart_panel *panel = chart_add(
        chart, (ws_chart_panel){.kind = WS_CHART_CURVE,
                                .share = 1,
                                .heading = WS_TEXT("Run times: % of the jobs"),
                                .x_title = WS_TEXT("that last no longer than (logarithmic)")});

    panel->series[panel->series_count++] =
        (ws_chart_numbers){.name = WS_TEXT("run time"),
                           .x = summary->duration_quantiles_s,
                           .y = chart->shares,
                           .count = summary->duration_s.n > 0 ? WS_TRACE_QUANTILES : 0};
    if (summary->wait_s.n > 0 && summary->wait_s.max > 0) {
        panel->heading = WS_TEXT("Run times and waits: % of the jobs");
        panel->series[panel->series_count++] = (ws_chart_numbers){.name = WS_TEXT("wait"),
                                                                  .x = summary->wait_quantiles_s,
                                                                  .y = chart->shares,
                                                                  .count = WS_TRACE_QUANTILES};
    }
}

/* Shares of jobs and of GPU time by label; without run times of jobs alone. */
static void chart_add_shares(trace_chart *chart, ws_chart_panel panel, const double *jobs,
                             const double *work)
{
    ws_chart_panel *added = chart_add(chart, panel);

    added->is_percent = true;
    added->series[added->series_count++] =
        (ws_chart_numbers){.name = WS_TEXT("jobs"), .y = jobs, .count = panel.label_count};
    if (chart->summary->duration_s.n > 0) {
        added->series[added->series_count++] =
            (ws_chart_numbers){.name = WS_TEXT("GPU time"), .y = work, .count = panel.label_count};
    }
}

/* 0 for one GPU, 1 for two, 2 for three and four, 3 for five to eight, ... */
static size_t chart_size_group(int64_t gpus)
{
    size_t group = 0;

    while ((INT64_C(1) << group) < gpus) {
        group++;
    }
    return group;
}

static void chart_add_sizes(trace_chart *chart)
{
    const ws_trace_groups *sizes = &chart->summary->sizes;
    size_t count = 0;

    for (size_t i = 0; i < sizes->count; i++) {
        size_t group = chart_size_group(sizes->items[i].gpus);
        chart->size_jobs[group] += sizes->items[i].jobs_fraction;
        chart->size_work[group] += sizes->items[i].work_fraction;
        count = group + 1;
    }
    for (size_t i = 0; i < count; i++) {
        long long most = 1LL << i;
        chart->sizes[i] = i < 2 ? ws_arena_format(chart->arena, "%lld", most)
                                : ws_arena_format(chart->arena, "%lld-%lld", most / 2 + 1, most);
        if (count > 6 && i >= 2) {
            chart->sizes[i] = ws_arena_format(chart->arena, "%lld", most);
        }
    }
    chart_add_shares(chart,
                     (ws_chart_panel){.kind = WS_CHART_BARS,
                                      .share = 1.1,
                                      .heading = WS_TEXT("Sizes, %"),
                                      .x_title = count > 6 ? WS_TEXT("GPUs of a job, up to")
                                                           : WS_TEXT("GPUs of a job"),
                                      .labels = chart->sizes,
                                      .label_count = count},
                     chart->size_jobs, chart->size_work);
}

static void chart_add_outcomes(trace_chart *chart)
{
    size_t count = 0;

    if (chart->summary->outcomes[WS_TRACE_OUTCOME_UNKNOWN].jobs == chart->summary->jobs) {
        return;
    }
    for (size_t i = 0; i < WS_TRACE_OUTCOME_COUNT; i++) {
        const ws_trace_group *group = &chart->summary->outcomes[i];

        if (group->jobs > 0) {
            const char *name = ws_trace_outcome_name((ws_trace_outcome)i);
            chart->outcomes[count] = ws_text_of(name[0] != '\0' ? name : "not recorded");
            chart->outcome_jobs[count] = group->jobs_fraction;
            chart->outcome_work[count++] = group->work_fraction;
        }
    }
    chart_add_shares(chart,
                     (ws_chart_panel){.kind = WS_CHART_BARS,
                                      .row = 1,
                                      .share = 1.1,
                                      .heading = WS_TEXT("Outcomes, %"),
                                      .labels = chart->outcomes,
                                      .label_count = count},
                     chart->outcome_jobs, chart->outcome_work);
}

/* Arrivals: of hours, and of weekdays where there is a calendar. */
static void chart_add_arrivals(trace_chart *chart)
{
    static const ws_text days[CHART_DAYS] = {{"Mo", 2}, {"Tu", 2}, {"We", 2}, {"Th", 2},
                                             {"Fr", 2}, {"Sa", 2}, {"Su", 2}};
    const ws_trace_summary *summary = chart->summary;
    bool has_days = summary->clock != WS_TRACE_CLOCK_OWN;

    for (size_t i = 0; i < CHART_HOURS; i++) {
        chart->hours[i] = ws_arena_format(chart->arena, "%zu", i);
        chart->by_hour[i] = (double)summary->by_hour[i];
    }
    for (size_t i = 0; i < CHART_DAYS; i++) {
        chart->by_weekday[i] = (double)summary->by_weekday[i];
    }
    ws_chart_panel *panel = chart_add(
        chart, (ws_chart_panel){.kind = WS_CHART_BARS,
                                .row = 1,
                                .share = has_days ? 0.65 : 1,
                                .heading = WS_TEXT("Arrivals by hour, jobs"),
                                .x_title = has_days ? WS_TEXT("hour of the day")
                                                    : WS_TEXT("hour of the day, counted from 0 s"),
                                .labels = chart->hours,
                                .label_count = CHART_HOURS,
                                .series_count = 1});
    panel->series[0] =
        (ws_chart_numbers){.name = WS_TEXT("jobs"), .y = chart->by_hour, .count = CHART_HOURS};
    if (has_days) {
        panel = chart_add(chart, (ws_chart_panel){.kind = WS_CHART_BARS,
                                                  .row = 1,
                                                  .share = 0.4,
                                                  .heading = WS_TEXT("By weekday"),
                                                  .labels = days,
                                                  .label_count = CHART_DAYS,
                                                  .series_count = 1});
        panel->series[0] = (ws_chart_numbers){
            .name = WS_TEXT("jobs"), .y = chart->by_weekday, .count = CHART_DAYS};
    }
}

static void chart_add_course(trace_chart *chart)
{
    const ws_trace_summary *summary = chart->summary;

    if (summary->step_count == 0) {
        return;
    }
    for (size_t i = 0; i < summary->step_count; i++) {
        chart->step_s[i] = (double)summary->steps[i].begin_ns / 1e9;
        chart->gpus_mean[i] = summary->steps[i].gpus_mean;
        chart->gpus_max[i] = (double)summary->steps[i].gpus_max;
    }
    ws_chart_panel *panel = chart_add(
        chart,
        (ws_chart_panel){.kind = WS_CHART_STEPS,
                         .row = 2,
                         .share = 1,
                         .heading = WS_TEXT("GPUs that run at a time"),
                         .x_title = WS_TEXT("time since the first arrival"),
                         .end_x = (double)(summary->end_ns - summary->first_arrival_ns) / 1e9,
                         .series_count = 2});

    panel->series[0] = (ws_chart_numbers){.name = WS_TEXT("mean of a step"),
                                          .x = chart->step_s,
                                          .y = chart->gpus_mean,
                                          .count = summary->step_count};
    panel->series[1] = (ws_chart_numbers){.name = WS_TEXT("most in it"),
                                          .x = chart->step_s,
                                          .y = chart->gpus_max,
                                          .count = summary->step_count};
}

/* ---- the file ---- */

static bool chart_is(const char *path, const char *ending)
{
    return ws_text_ends_with(ws_text_of(path), ws_text_of(ending));
}

bool ws_trace_chart_is_possible(const ws_invocation *invocation, const char *command)
{
    const char *path = invocation->settings->chart;

    if (path != NULL && !chart_is(path, ".svg") && !chart_is(path, ".png")) {
        ws_output_error("worldsize %s: the file of `--chart` ends in .svg or .png\n", command);
        return false;
    }
    return true;
}

static bool chart_write(const ws_canvas *canvas, const ws_invocation *invocation, ws_arena *arena,
                        ws_diag *diag)
{
    const char *path = invocation->settings->chart;
    ws_file_out out;

    if (!ws_file_out_begin(&out, path, ws_output_shown(ws_text_of(path), arena),
                           invocation->settings->force, arena, diag)) {
        return false;
    }
    bool is_drawn = chart_is(path, ".png")
                        ? ws_canvas_write_png(canvas, CHART_PNG_SCALE, &out.writer, diag)
                        : ws_canvas_write_svg(canvas, &out.writer, diag);

    return ws_file_out_end(&out, diag) && is_drawn;
}

/* What the jobs' starts are, and how many jobs there are. */
static ws_text chart_note(const ws_trace_summary *summary, ws_arena *arena)
{
    const char *starts =
        summary->starts_known == summary->jobs
            ? ""
            : " Jobs without a recorded start are taken to run from their arrival on.";

    double gpu_h = ws_gpu_time_h(summary->work);

    return ws_arena_format(arena, "%s jobs, %s GPU-hours.%s",
                           ws_present_number((double)summary->jobs, 0, arena).start,
                           ws_present_number(gpu_h, gpu_h < 10 ? 2 : 0, arena).start, starts);
}

bool ws_trace_chart_write(const ws_trace_summary *summary, ws_text file,
                          const ws_invocation *invocation, ws_arena *arena, ws_diag *diag)
{
    trace_chart *chart = ws_arena_alloc(arena, trace_chart, 1);
    ws_canvas canvas;

    if (invocation->settings->chart == NULL) {
        return true;
    }
    if (chart == NULL) {
        return ws_diag_error(diag, 9030, ws_span_none, "out of memory while drawing");
    }
    chart->summary = summary;
    chart->arena = arena;
    if (summary->jobs > 0) {
        chart_add_times(chart);
        chart_add_sizes(chart);
        chart_add_arrivals(chart);
        chart_add_outcomes(chart);
        chart_add_course(chart);
    }
    const ws_chart_panels panels = {.panels = chart->panels, .count = chart->count};
    const ws_chart_data data = {
        .title = ws_arena_format(arena, "%.*s: what is in the trace?", WS_TEXT_ARGS(file)),
        .note = chart_note(summary, arena),
        .panels = &panels,
    };

    ws_chart_draw(ws_chart_type_find(WS_TEXT("panels")), &data, WS_TEXT("trace"), &canvas, arena);
    return chart_write(&canvas, invocation, arena, diag);
}
