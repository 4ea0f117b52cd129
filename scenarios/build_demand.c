/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recorded series as a job whose work arrives over time. */
#include <math.h>

#include "build.h"
#include "demand_course.h"

/** Shares of the time from which on a warning says so. */
#define DEMAND_HOLES_MANY 0.05
#define DEMAND_SATURATED_MUCH 0.01

#define HOLD_CHOICE 1

/** What one demand is made of. */
typedef struct {
    ws_build *context;
    const ws_file_demand *file;
    ws_build_picked series;
    ws_demand_recording recording;
    ws_demand_course course;
} demand_source;

/* ---- what the values mean ---- */

static bool demand_scale(demand_source *source)
{
    const ws_file_demand *file = source->file;
    const ws_trace_series *first = source->series.items[0];
    ws_text shown = ws_build_shown(first->name);

    if (file->full > 0 && file->per_replica > 0) {
        return ws_build_error(source->context, 2302, ws_build_at(file->self, "full"),
                              WS_TEXT("`full` is of a utilisation, `per_replica` of a rate"),
                              "both are given", WS_TEXT("keep one"));
    }
    if (file->per_replica > 0) {
        return true;
    }
    source->recording.full = file->full > 0 ? file->full : first->metric->full;
    if (source->recording.full > 0) {
        return true;
    }
    return ws_build_error(
        source->context, 2102, ws_build_at(file->self, "file"),
        first->name.length > 0
            ? ws_build_text(source->context, "nothing says what the values of `%.*s` mean",
                            WS_TEXT_ARGS(shown))
            : WS_TEXT("nothing says what the values of these series mean: they bear no name"),
        "a utilisation, or a rate?",
        WS_TEXT("add `full: 100` (or 1), the value of a GPU that is busy all the time; or "
                "`per_replica`, what one replica does of it, if they are samples a second"));
}

/** The recorded sizes. */
static bool demand_sizes(demand_source *source)
{
    const ws_file_recorded_replicas *file = source->file->recorded_replicas;
    ws_build_picked sizes = {.count = 0};

    if (file == NULL) {
        return true;
    }
    if ((file->count > 0) == (file->series.file.length > 0)) {
        return ws_build_error(source->context, 2302, file->self->at,
                              WS_TEXT("`recorded_replicas` is a number, or the `file` of a series"),
                              file->count > 0 ? "both" : "neither", WS_TEXT(""));
    }
    source->recording.replicas = file->count;
    if (file->count > 0) {
        return true;
    }
    if (!ws_build_pick_series(source->context, &file->series, &sizes)) {
        return false;
    }
    source->recording.sizes = sizes.items[0];
    return sizes.count == 1 ||
           ws_build_error(source->context, 4340, ws_build_at(file->self, "file"),
                          ws_build_text(source->context,
                                        "%zu series are picked, and one says how many replicas "
                                        "there were",
                                        sizes.count),
                          "too many", WS_TEXT("add `metric` or `select`"));
}

/** What the workers do in the unit of the demand. */
static bool demand_step(demand_source *source, ws_stage_spec *stage)
{
    const ws_file_demand *file = source->file;
    ws_build_speedup speedup = {.kind = WS_BUILD_SPEEDUP_NONE};

    *stage = (ws_stage_spec){.name = WS_TEXT("demand"),
                             .unit = file->per_replica > 0 ? WS_WORK_SAMPLES : WS_WORK_NONE,
                             .work_per_step_work = file->per_replica,
                             .replicas_min = 1,
                             .replicas_max = WS_REPLICAS_MAX};
    return ws_build_read_speedup(source->context, file->job.speedup, &speedup) &&
           ws_build_apply_speedup(source->context, &speedup, 1, &stage->step);
}

/* ---- the window ---- */

static int64_t demand_clock_ns(ws_timestamp point)
{
    return point.unix_s * WS_NS_PER_S;
}

static bool demand_window(demand_source *source)
{
    const ws_file_demand *file = source->file;
    ws_demand_recording *recording = &source->recording;
    int64_t first_ns = 0;
    int64_t end_ns = 0;

    if (!ws_demand_recording_span(source->series.items, source->series.count, &first_ns, &end_ns)) {
        return ws_build_error(source->context, 4341, ws_build_at(file->self, "file"),
                              WS_TEXT("the samples have no times"), "when was that?",
                              WS_TEXT("ask Prometheus for a range: /api/v1/query_range"));
    }
    recording->from_ns = file->from.given ? demand_clock_ns(file->from) : first_ns;
    recording->to_ns = end_ns;
    if (file->to.given && demand_clock_ns(file->to) < end_ns) {
        recording->to_ns = demand_clock_ns(file->to);
    }
    return recording->from_ns < recording->to_ns ||
           ws_build_error(source->context, 4201,
                          ws_build_at(file->self, file->to.given ? "to" : "from"),
                          WS_TEXT("no demand was recorded in this window: nothing would arrive"),
                          "not within the recording", WS_TEXT("look at `from` and `to`"));
}

/* ---- what is said of it ---- */

static double demand_share(const demand_source *source, int64_t ns)
{
    return 100 * (double)ns / (double)source->course.total_ns;
}

static ws_text demand_span(const demand_source *source, int64_t ns)
{
    char text[WS_QUANTITY_TEXT_BYTES];

    (void)ws_duration_print_human((ws_duration){.ns = ns}, text);
    return ws_build_text(source->context, "%s", text);
}

static void demand_warn(const demand_source *source, int code, ws_text message, const char *label,
                        ws_text note)
{
    ws_build_warn(source->context, &(ws_diagnostic){.code = code,
                                                    .message = message,
                                                    .at = ws_build_at(source->file->self, "file"),
                                                    .label = ws_text_of(label),
                                                    .notes = {note}});
}

static void demand_tell_holes(const demand_source *source)
{
    const ws_demand_course *course = &source->course;
    ws_build *context = source->context;
    const ws_file_demand *file = source->file;
    ws_text name = file->series.file;

    if (course->patched_ns > 0) {
        ws_build_assume(
            context, ws_build_text(context,
                                   "demand %.*s: for %.3g %% of the time some of the series "
                                   "have holes, and are taken to be at the mean of the others",
                                   WS_TEXT_ARGS(name), demand_share(source, course->patched_ns)));
    }
    if (course->hole_ns == 0) {
        return;
    }
    ws_text holes = ws_build_text(context, "%lld hole%s of %.*s in all, %.3g %% of the time",
                                  (long long)course->hole_count, course->hole_count == 1 ? "" : "s",
                                  WS_TEXT_ARGS(demand_span(source, course->hole_ns)),
                                  demand_share(source, course->hole_ns));
    const char *taken = file->holes == HOLD_CHOICE
                            ? "demand is taken to go on as it was"
                            : "nothing arrives there, monitoring shows nothing, and the time does "
                              "not count";
    ws_build_assume(context, ws_build_text(context, "demand %.*s: %.*s: %s", WS_TEXT_ARGS(name),
                                           WS_TEXT_ARGS(holes), taken));
    if (demand_share(source, course->hole_ns) >= 100 * DEMAND_HOLES_MANY) {
        demand_warn(source, 4342,
                    ws_build_text(context, "the recording has %.*s", WS_TEXT_ARGS(holes)),
                    "holes, not zeros", ws_text_of(taken));
    }
}

static void demand_tell_saturation(const demand_source *source)
{
    const ws_demand_course *course = &source->course;
    ws_build *context = source->context;
    double share = demand_share(source, course->saturated_ns);

    if (!course->is_saturation_known) {
        ws_build_assume(context,
                        ws_build_text(context,
                                      "demand %.*s: without `recorded_replicas` nobody knows when "
                                      "more was wanted than was done",
                                      WS_TEXT_ARGS(source->file->series.file)));
    }
    if (course->saturated_ns == 0) {
        return;
    }
    ws_build_assume(context,
                    ws_build_text(context,
                                  "demand %.*s: for %.3g %% of the time the recorded workers were "
                                  "busy all the time, and at least so much was wanted",
                                  WS_TEXT_ARGS(source->file->series.file), share));
    if (share >= 100 * DEMAND_SATURATED_MUCH) {
        demand_warn(source, 4343,
                    ws_build_text(context,
                                  "for %.3g %% of the time the recorded workers were busy all the "
                                  "time",
                                  share),
                    "demand was at least this",
                    WS_TEXT("a utilisation cannot say what more was wanted; a rate of arrivals, "
                            "measured before the workers, can"));
    }
}

static void demand_tell(const demand_source *source)
{
    const ws_demand_course *course = &source->course;
    ws_build *context = source->context;
    double known_s = ws_duration_s((ws_duration){.ns = course->total_ns - course->hole_ns});
    double mean = known_s > 0 ? course->demand.total / known_s : 0;

    ws_build_assume(
        context,
        ws_build_text(
            context, "demand %.*s: %zu series over %.*s, %.4g %s on average, %.4g at most",
            WS_TEXT_ARGS(source->file->series.file), source->series.count,
            WS_TEXT_ARGS(demand_span(source, course->total_ns)), mean,
            source->recording.full > 0 ? "busy replicas" : "samples a second", course->peak));
    demand_tell_holes(source);
    demand_tell_saturation(source);
}

/* ---- the whole ---- */

static bool demand_course(demand_source *source, const ws_stage_spec *stage)
{
    ws_build *context = source->context;
    ws_demand_recording *recording = &source->recording;

    recording->series = source->series.items;
    recording->count = source->series.count;
    recording->stage = stage;
    if (!ws_demand_course_of(&source->course, recording, context->arena)) {
        return ws_build_error(context, 9020, ws_build_at(source->file->self, "file"),
                              WS_TEXT("the series have more samples than can be replayed"),
                              "too many",
                              WS_TEXT("cut them with `from` and `to`, or ask for a "
                                      "longer step"));
    }
    return source->course.demand.total > 0 ||
           ws_build_error(context, 4344, ws_build_at(source->file->self, "file"),
                          WS_TEXT("no work arrives at any time"), "all of it is 0 or unknown",
                          WS_TEXT("look at `metric`, `from` and `to`"));
}

bool ws_build_demand(ws_build *context, const ws_file_demand *file, ws_job_template *template)
{
    WS_ASSERT(template != NULL);

    demand_source source = {.context = context,
                            .file = file,
                            .recording = {.gpus_per_replica = template->kind.gpus_per_replica,
                                          .holds = file->holes == HOLD_CHOICE}};
    ws_stage_template *stage = ws_build_new(context, ws_stage_template, 1);
    ws_demand *demand = ws_build_new(context, ws_demand, 1);

    if (stage == NULL || demand == NULL || !demand_step(&source, &stage->spec) ||
        !ws_build_pick_series(context, &file->series, &source.series) || !demand_scale(&source) ||
        !demand_sizes(&source) || !demand_window(&source) ||
        !demand_course(&source, &stage->spec)) {
        return false;
    }
    *demand = source.course.demand;
    stage->spec.demand = demand;
    stage->spec.work = demand->total;
    template->stages = stage;
    template->stage_count = 1;
    demand_tell(&source);
    return true;
}
