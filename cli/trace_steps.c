/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `trace info` of recorded training steps. */
#include <inttypes.h>
#include <math.h>

#include "diagnostics_json.h"
#include "trace_request.h"
#include "trace_text.h"

typedef struct {
    ws_trace_steps_summary summary;
    ws_trace_steps_report report;
} steps_info;

/* A date of a log, whose zone nobody knows. */
static void steps_date(int64_t at_ns, char out[WS_TRACE_DATE_BYTES])
{
    const ws_trace clock = {.clock = WS_TRACE_CLOCK_WALL};

    (void)ws_trace_print_date(&clock, at_ns, out);
}

/* ---- for machines ---- */

static void steps_json_date(ws_writer *json, const char *key, int64_t at_ns, bool is_known)
{
    char date[WS_TRACE_DATE_BYTES];

    if (is_known) {
        steps_date(at_ns, date);
        ws_json_text(json, key, ws_text_of(date));
    } else {
        ws_json_null(json, key);
    }
}

static void steps_json_count(ws_writer *json, const char *key, int64_t count)
{
    if (count > 0) {
        ws_json_i64(json, key, count);
    } else {
        ws_json_null(json, key);
    }
}

static void steps_json_numbers(ws_writer *json, const ws_trace_steps_summary *summary)
{
    ws_json_i64(json, "first_step", summary->first_step);
    ws_json_i64(json, "last_step", summary->last_step);
    ws_json_i64(json, "step_max", summary->step_max);
    steps_json_count(json, "steps_wanted", summary->steps_wanted);
    ws_json_i64(json, "restarts", summary->restarts);
    ws_json_i64(json, "lost_steps", summary->lost_steps);
    ws_json_i64(json, "skipped_steps", summary->skipped_steps);
    ws_json_i64(json, "nan_steps", summary->nan_steps);
    steps_json_count(json, "world_size_min", summary->world_size_min);
    steps_json_count(json, "world_size_max", summary->world_size_max);
    steps_json_date(json, "first", summary->first_ns, summary->has_times);
    steps_json_date(json, "last", summary->last_ns, summary->has_times);
    ws_json_i64(json, "stated", summary->stated);
    ws_trace_json_spread(json, "step_s", &summary->step_s);
    ws_trace_json_spread(json, "samples_per_s", &summary->samples_per_s);
    ws_trace_json_spread(json, "gpu_tokens_per_s", &summary->gpu_tokens_per_s);
    ws_trace_json_spread(json, "gpu_tflops", &summary->gpu_tflops);
    ws_trace_json_spread(json, "pause_s", &summary->pause_s);
    ws_trace_json_spread(json, "evaluation_s", &summary->evaluation_s);
    ws_json_f64(json, "run_s", summary->run_s);
    ws_json_f64(json, "loss_first", summary->loss_first);
    ws_json_f64(json, "loss_last", summary->loss_last);
}

static void steps_write_json(const ws_trace_request *request, const steps_info *task,
                             ws_writer *json)
{
    ws_json_begin_object(json, NULL);
    ws_json_text(json, "schema", WS_TEXT("worldsize.trace-steps-info/v1"));
    ws_json_text(json, "file", request->file.shown);
    ws_json_text(json, "format", ws_text_of(request->format.steps->name));
    ws_json_i64(json, "reports_read", task->report.reports_read);
    ws_json_i64(json, "reports", task->report.reports_kept);
    ws_json_begin_list(json, "found");
    for (size_t i = 0; i < WS_STEPS_FINDING_COUNT; i++) {
        ws_trace_json_finding(json, ws_trace_steps_finding_at((ws_trace_steps_finding)i),
                              &task->report.found[i], "reports");
    }
    ws_json_end_list(json);
    steps_json_numbers(json, &task->summary);
    ws_json_begin_list(json, "diagnostics");
    ws_diagnostics_write_json(json, &request->diag);
    ws_json_end_list(json);
    ws_json_end_object(json);
}

/* ---- for people ---- */

static void steps_write_course(const ws_trace_text *text, const ws_trace_steps_summary *summary)
{
    ws_text wanted = summary->steps_wanted > 0
                         ? ws_arena_format(text->arena, " of %s",
                                           ws_trace_text_count(text, summary->steps_wanted))
                         : WS_TEXT("");
    char first[WS_TRACE_DATE_BYTES];

    ws_trace_text_line(
        text, "steps",
        ws_arena_format(text->arena, "%s to %s%.*s", ws_trace_text_count(text, summary->first_step),
                        ws_trace_text_count(text, summary->last_step), WS_TEXT_ARGS(wanted)));
    if (summary->has_times) {
        steps_date(summary->first_ns, first);
        ws_trace_text_line(
            text, "window",
            ws_arena_format(
                text->arena, "%s, for %s, zone not told", first,
                ws_trace_text_span(text, (double)(summary->last_ns - summary->first_ns) / 1e9)));
    }
    if (!isnan(summary->run_s)) {
        ws_trace_text_line(text, "run", ws_text_of(ws_trace_text_span(text, summary->run_s)));
    }
    if (summary->world_size_max > summary->world_size_min) {
        ws_trace_text_line(text, "world size",
                           ws_arena_format(text->arena, "%s to %s",
                                           ws_trace_text_count(text, summary->world_size_min),
                                           ws_trace_text_count(text, summary->world_size_max)));
    } else if (summary->world_size_max > 0) {
        ws_trace_text_line(text, "world size",
                           ws_text_of(ws_trace_text_count(text, summary->world_size_max)));
    }
}

/* What went to waste, and how long the steps stood still. */
static void steps_write_losses(const ws_trace_text *text, const ws_trace_steps_summary *summary)
{
    const ws_trace_spread *pause = &summary->pause_s;
    const ws_trace_spread *evaluation = &summary->evaluation_s;

    ws_trace_text_line(text, "restarts",
                       ws_arena_format(text->arena, "%s, and %s steps done again",
                                       ws_trace_text_count(text, summary->restarts),
                                       ws_trace_text_count(text, summary->lost_steps)));
    if (summary->skipped_steps + summary->nan_steps > 0) {
        ws_trace_text_line(text, "skipped",
                           ws_arena_format(text->arena, "%s steps, and %s with a NaN",
                                           ws_trace_text_count(text, summary->skipped_steps),
                                           ws_trace_text_count(text, summary->nan_steps)));
    }
    if (pause->n > 0) {
        ws_trace_text_line(text, "pauses",
                           ws_arena_format(text->arena, "%s, %s in all, the longest %s",
                                           ws_trace_text_count(text, pause->n),
                                           ws_trace_text_span(text, pause->mean * (double)pause->n),
                                           ws_trace_text_span(text, pause->max)));
    }
    if (evaluation->n > 0) {
        ws_trace_text_line(
            text, "evaluations",
            ws_arena_format(text->arena, "%s, %s in all", ws_trace_text_count(text, evaluation->n),
                            ws_trace_text_span(text, evaluation->mean * (double)evaluation->n)));
    }
    if (!isnan(summary->loss_first)) {
        ws_trace_text_line(text, "loss",
                           ws_arena_format(text->arena, "%s first, %s last",
                                           ws_trace_text_number(text, summary->loss_first),
                                           ws_trace_text_number(text, summary->loss_last)));
    }
}

enum { STEPS_SPREADS = 4, STEPS_COLUMNS = 6 };

static void steps_fill_row(const ws_trace_text *text, const char *name,
                           const ws_trace_spread *spread, ws_table_cell *cells)
{
    const double values[STEPS_COLUMNS - 1] = {spread->p10, spread->p50, spread->p90, spread->max,
                                              spread->mean};

    cells[0].text = ws_text_of(name);
    for (size_t i = 0; i + 1 < STEPS_COLUMNS; i++) {
        cells[i + 1].text = ws_text_of(ws_trace_text_number(text, values[i]));
    }
}

static void steps_write_spreads(const ws_trace_text *text, const ws_trace_steps_summary *summary)
{
    static const ws_table_column columns[STEPS_COLUMNS] = {
        {.heading = ""},
        {.heading = "P10", .to_the_right = true},
        {.heading = "MEDIAN", .to_the_right = true},
        {.heading = "P90", .to_the_right = true},
        {.heading = "MAX", .to_the_right = true},
        {.heading = "MEAN", .to_the_right = true}};
    const struct {
        const char *name;
        const ws_trace_spread *spread;
    } rows[STEPS_SPREADS] = {
        {summary->stated > 0 ? "step, s" : "step by dates, s", &summary->step_s},
        {"samples/s", &summary->samples_per_s},
        {"tokens/s/GPU", &summary->gpu_tokens_per_s},
        {"TFLOP/s/GPU", &summary->gpu_tflops}};
    ws_table_cell cells[STEPS_SPREADS * STEPS_COLUMNS] = {{.tone = WS_TONE_PLAIN}};
    ws_table table = {
        .columns = columns, .column_count = STEPS_COLUMNS, .kept = STEPS_COLUMNS, .cells = cells};

    for (size_t i = 0; i < STEPS_SPREADS; i++) {
        if (rows[i].spread->n > 0) {
            steps_fill_row(text, rows[i].name, rows[i].spread,
                           &cells[STEPS_COLUMNS * table.row_count++]);
        }
    }
    if (table.row_count > 0) {
        ws_trace_text_write_table(text, &table);
    }
}

static void steps_write_text(const ws_trace_request *request, const steps_info *task,
                             ws_writer *out)
{
    const ws_trace_answer answer = {.file = request->file.shown,
                                    .terminal = request->invocation->terminal};
    const ws_trace_text text = {.answer = &answer, .out = out, .arena = request->invocation->arena};

    ws_write_format(out, "%.*s   %s: %s\n\n", WS_TEXT_ARGS(request->file.shown),
                    request->format.steps->name, request->format.steps->summary);
    ws_trace_text_line(&text, "reports",
                       ws_arena_format(text.arena, "%s of %s",
                                       ws_trace_text_count(&text, task->report.reports_kept),
                                       ws_trace_text_count(&text, task->report.reports_read)));
    for (size_t i = 0; i < WS_STEPS_FINDING_COUNT; i++) {
        ws_trace_text_write_finding(&text, ws_trace_steps_finding_at((ws_trace_steps_finding)i),
                                    &task->report.found[i]);
    }
    if (task->report.reports_kept > 0) {
        steps_write_course(&text, &task->summary);
        steps_write_losses(&text, &task->summary);
    }
    steps_write_spreads(&text, &task->summary);
}

static void steps_write(const ws_trace_request *request, const void *context, ws_writer *out)
{
    if (request->invocation->settings->json) {
        steps_write_json(request, context, out);
    } else {
        steps_write_text(request, context, out);
    }
}

int ws_trace_steps_info(ws_trace_request *request)
{
    steps_info task = {.report = {.reports_read = 0}};
    const ws_trace_steps_options options = {.type = request->format.steps,
                                            .strict = request->invocation->settings->strict};

    if (!ws_trace_steps_summarise(&task.summary, &request->file, &options, &task.report,
                                  &request->arena, &request->diag)) {
        return ws_trace_request_refuse(request);
    }
    return ws_trace_request_answer(request, &task, steps_write);
}
