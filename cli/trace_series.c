/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `trace info` of recorded series. */
#include <math.h>

#include "diagnostics_json.h"
#include "present.h"
#include "trace_request.h"
#include "trace_text.h"

typedef struct {
    ws_trace_series_set set;
    ws_trace_series_summary summary;
    ws_trace_series_report report;
} series_info;

/* Unix time as people read it. */
static void series_date(int64_t at_ns, char out[WS_TRACE_DATE_BYTES])
{
    const ws_trace clock = {.clock = WS_TRACE_CLOCK_UTC, .zone = WS_TEXT("UTC")};

    (void)ws_trace_print_date(&clock, at_ns, out);
}

/* ---- for machines ---- */

static void series_json_ns(ws_writer *json, const char *key, int64_t ns, bool is_known)
{
    ws_json_f64(json, key, is_known ? (double)ns / 1e9 : (double)NAN);
}

static void series_json_metric(ws_writer *json, const ws_trace_metric_summary *metric)
{
    ws_json_begin_object(json, NULL);
    ws_json_text(json, "name", metric->name);
    ws_json_text(json, "unit", ws_text_of(metric->metric->unit));
    ws_json_f64(json, "full", metric->metric->full > 0 ? metric->metric->full : (double)NAN);
    ws_json_i64(json, "series", metric->series);
    ws_json_i64(json, "blanks", metric->blanks);
    series_json_ns(json, "step_s", metric->step_ns, metric->step_ns > 0);
    ws_json_i64(json, "holes", metric->holes);
    series_json_ns(json, "holes_s", metric->hole_ns, true);
    ws_json_f64(json, "min", metric->min);
    ws_trace_json_spread(json, "values", &metric->values);
    ws_json_end_object(json);
}

static void series_json_one(ws_writer *json, const ws_trace_series *series)
{
    bool is_timed = series->count > series->untimed;
    int64_t first_ns = is_timed ? series->samples[series->untimed].at_ns : 0;
    int64_t last_ns = is_timed ? series->samples[series->count - 1].at_ns : 0;

    ws_json_begin_object(json, NULL);
    ws_json_text(json, "name", series->name);
    ws_json_text(json, "labels", series->labels);
    ws_json_i64(json, "samples", (int64_t)series->count);
    ws_json_i64(json, "blanks", series->blanks);
    series_json_ns(json, "first_s", first_ns, is_timed);
    series_json_ns(json, "last_s", last_ns, is_timed);
    series_json_ns(json, "step_s", series->step_ns, series->step_ns > 0);
    ws_json_i64(json, "holes", series->holes);
    series_json_ns(json, "holes_s", series->hole_ns, true);
    ws_json_end_object(json);
}

static void series_json_found(ws_writer *json, const ws_trace_series_report *report)
{
    ws_json_begin_list(json, "found");
    for (size_t i = 0; i < WS_SERIES_FINDING_COUNT; i++) {
        ws_trace_json_finding(json, ws_trace_series_finding_at((ws_trace_series_finding)i),
                              &report->found[i], "samples");
    }
    ws_json_end_list(json);
}

static void series_write_json(const ws_trace_request *request, const series_info *task,
                              ws_writer *json)
{
    const ws_trace_series_summary *summary = &task->summary;

    ws_json_begin_object(json, NULL);
    ws_json_text(json, "schema", WS_TEXT("worldsize.trace-series-info/v1"));
    ws_json_text(json, "file", request->file.shown);
    ws_json_text(json, "format", ws_text_of(request->format.series->name));
    ws_json_i64(json, "samples_read", task->report.samples_read);
    ws_json_i64(json, "samples", summary->samples);
    ws_json_i64(json, "blanks", summary->blanks);
    series_json_found(json, &task->report);
    series_json_ns(json, "first_s", summary->first_ns, summary->timed > 0);
    series_json_ns(json, "last_s", summary->last_ns, summary->timed > 0);
    ws_json_i64(json, "holes", summary->holes);
    series_json_ns(json, "holes_s", summary->hole_ns, true);
    ws_json_f64(json, "hole_steps", WS_TRACE_HOLE_STEPS);
    ws_json_begin_list(json, "metrics");
    for (size_t i = 0; i < summary->metric_count; i++) {
        series_json_metric(json, &summary->metrics[i]);
    }
    ws_json_end_list(json);
    ws_json_begin_list(json, "series");
    for (size_t i = 0; i < task->set.count; i++) {
        series_json_one(json, &task->set.items[i]);
    }
    ws_json_end_list(json);
    ws_json_begin_list(json, "diagnostics");
    ws_diagnostics_write_json(json, &request->diag);
    ws_json_end_list(json);
    ws_json_end_object(json);
}

/* ---- for people ---- */

enum {
    SERIES_METRIC,
    SERIES_UNIT,
    SERIES_COUNT,
    SERIES_STEP,
    SERIES_HOLES,
    SERIES_P50,
    SERIES_P99,
    SERIES_MAX,
    SERIES_MEAN,
    SERIES_COLUMNS
};

static const ws_table_column series_columns[SERIES_COLUMNS] = {
    [SERIES_METRIC] = {.heading = "METRIC"},
    [SERIES_UNIT] = {.heading = "UNIT"},
    [SERIES_COUNT] = {.heading = "SERIES", .to_the_right = true},
    [SERIES_STEP] = {.heading = "STEP", .to_the_right = true},
    [SERIES_HOLES] = {.heading = "HOLES", .to_the_right = true},
    [SERIES_P50] = {.heading = "P50", .to_the_right = true},
    [SERIES_P99] = {.heading = "P99", .to_the_right = true},
    [SERIES_MAX] = {.heading = "MAX", .to_the_right = true},
    [SERIES_MEAN] = {.heading = "MEAN", .to_the_right = true},
};

static ws_text series_number(const ws_trace_text *text, double value)
{
    return isnan(value) ? WS_TEXT("-") : ws_text_of(ws_trace_text_number(text, value));
}

static void series_cells(const ws_trace_text *text, const ws_trace_metric_summary *metric,
                         ws_table_cell *cells)
{
    bool is_known = metric->metric->unit[0] != '\0';

    cells[SERIES_METRIC].text = metric->name.length > 0 ? metric->name : WS_TEXT("(no name)");
    cells[SERIES_UNIT].text = is_known ? ws_text_of(metric->metric->unit) : WS_TEXT("unknown");
    cells[SERIES_COUNT].text = ws_text_of(ws_trace_text_count(text, metric->series));
    cells[SERIES_STEP].text =
        metric->step_ns > 0 ? ws_text_of(ws_trace_text_span(text, (double)metric->step_ns / 1e9))
                            : WS_TEXT("-");
    cells[SERIES_HOLES].text = ws_text_of(ws_trace_text_count(text, metric->holes));
    cells[SERIES_P50].text = series_number(text, metric->values.p50);
    cells[SERIES_P99].text = series_number(text, metric->values.p99);
    cells[SERIES_MAX].text = series_number(text, metric->values.max);
    cells[SERIES_MEAN].text = series_number(text, metric->values.mean);
}

static void series_write_metrics(const ws_trace_text *text, const ws_trace_series_summary *summary)
{
    size_t rows = summary->metric_count;
    ws_table_cell *cells = ws_arena_alloc(text->arena, ws_table_cell, (rows + 1) * SERIES_COLUMNS);
    const ws_table table = {.columns = series_columns,
                            .column_count = SERIES_COLUMNS,
                            .kept = SERIES_COLUMNS,
                            .cells = cells,
                            .row_count = rows};

    if (rows == 0 || cells == NULL) {
        return;
    }
    for (size_t i = 0; i < rows; i++) {
        series_cells(text, &summary->metrics[i], &cells[i * SERIES_COLUMNS]);
    }
    ws_trace_text_write_table(text, &table);
}

static void series_write_window(const ws_trace_text *text, const ws_trace_series_summary *summary)
{
    char date[WS_TRACE_DATE_BYTES];

    if (summary->timed == 0) {
        ws_trace_text_line(text, "window", WS_TEXT("no times are recorded"));
        return;
    }
    series_date(summary->first_ns, date);
    ws_trace_text_line(
        text, "window",
        ws_arena_format(
            text->arena, "%s, for %s", date,
            ws_trace_text_span(text, (double)(summary->last_ns - summary->first_ns) / 1e9)));
    ws_trace_text_line(text, "holes",
                       ws_arena_format(text->arena,
                                       "%s (gaps of more than %s steps), samples missing for %s",
                                       ws_trace_text_count(text, summary->holes),
                                       ws_trace_text_number(text, WS_TRACE_HOLE_STEPS),
                                       ws_trace_text_span(text, (double)summary->hole_ns / 1e9)));
}

static void series_write_text(const ws_trace_request *request, const series_info *task,
                              ws_writer *out)
{
    const ws_trace_series_summary *summary = &task->summary;
    const ws_trace_answer answer = {.file = request->file.shown,
                                    .terminal = request->invocation->terminal};
    const ws_trace_text text = {.answer = &answer, .out = out, .arena = request->invocation->arena};

    ws_write_format(out, "%.*s   %s: %s\n\n", WS_TEXT_ARGS(request->file.shown),
                    request->format.series->name, request->format.series->summary);
    ws_trace_text_line(&text, "samples",
                       ws_arena_format(text.arena, "%s of %s",
                                       ws_trace_text_count(&text, task->report.samples_kept),
                                       ws_trace_text_count(&text, task->report.samples_read)));
    for (size_t i = 0; i < WS_SERIES_FINDING_COUNT; i++) {
        ws_trace_text_write_finding(&text, ws_trace_series_finding_at((ws_trace_series_finding)i),
                                    &task->report.found[i]);
    }
    ws_trace_text_line(&text, "series",
                       ws_arena_format(text.arena, "%s of %s metric%s",
                                       ws_trace_text_count(&text, (int64_t)task->set.count),
                                       ws_trace_text_count(&text, (int64_t)summary->metric_count),
                                       summary->metric_count == 1 ? "" : "s"));
    series_write_window(&text, summary);
    series_write_metrics(&text, summary);
}

static void series_write(const ws_trace_request *request, const void *context, ws_writer *out)
{
    if (request->invocation->settings->json) {
        series_write_json(request, context, out);
    } else {
        series_write_text(request, context, out);
    }
}

int ws_trace_series_info(ws_trace_request *request)
{
    series_info task = {.set = {.count = 0}};
    const ws_trace_series_options options = {.type = request->format.series,
                                             .strict = request->invocation->settings->strict};

    if (!ws_trace_series_load(&task.set, &request->file, &options, &task.report, &request->arena,
                              &request->diag)) {
        return ws_trace_request_refuse(request);
    }
    if (!ws_trace_series_summarise(&task.summary, &task.set, &request->arena)) {
        (void)ws_diag_error(&request->diag, 9020, ws_span_none,
                            "`%.*s` holds more samples than memory allows",
                            WS_TEXT_ARGS(request->file.shown));
        return ws_trace_request_refuse(request);
    }
    return ws_trace_request_answer(request, &task, series_write);
}
