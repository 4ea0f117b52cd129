/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `trace info` of recorded outages. */
#include <math.h>

#include "diagnostics_json.h"
#include "trace_request.h"
#include "trace_text.h"

#define OUTAGE_CLASSES_SHOWN 12

typedef struct {
    ws_trace_outages outages;
    ws_trace_outage_summary summary;
    ws_trace_outage_report report;
} outage_info;

/* ---- for machines ---- */

static void outage_json_found(ws_writer *json, const ws_trace_outage_report *report)
{
    ws_json_begin_list(json, "found");
    for (size_t i = 0; i < WS_OUTAGE_FINDING_COUNT; i++) {
        ws_trace_json_finding(json, ws_trace_outage_finding_at((ws_trace_outage_finding)i),
                              &report->found[i], "events");
    }
    ws_json_end_list(json);
}

static void outage_json_classes(ws_writer *json, const ws_trace_outages *outages)
{
    ws_json_begin_list(json, "classes");
    for (size_t i = 0; i < outages->class_count; i++) {
        ws_json_begin_object(json, NULL);
        ws_json_text(json, "name", outages->classes[i].name);
        ws_json_i64(json, "faults", outages->classes[i].faults);
        ws_json_end_object(json);
    }
    ws_json_end_list(json);
}

static void outage_json_numbers(ws_writer *json, const ws_trace_outages *outages,
                                const ws_trace_outage_summary *summary)
{
    ws_json_f64(json, "begin_s", (double)outages->begin_ns / 1e9);
    ws_json_f64(json, "end_s", (double)outages->end_ns / 1e9);
    ws_json_i64(json, "nodes", (int64_t)outages->node_count);
    if (outages->starts_empty) {
        ws_json_i64(json, "additions", outages->additions);
        ws_json_i64(json, "preemptions", outages->faults);
    } else {
        ws_json_i64(json, "faults", outages->faults);
    }
    ws_json_i64(json, "outages", (int64_t)outages->count);
    ws_json_i64(json, "open", summary->open);
    ws_json_i64(json, "no_length", summary->no_length);
    ws_json_f64(json, "mtbf_s", summary->mtbf_s);
    ws_json_f64(json, "mttr_s", summary->mttr_s);
    ws_json_f64(json, "availability", summary->availability);
    ws_json_f64(json, "nodes_mean", summary->nodes_mean);
    ws_json_i64(json, "nodes_min", summary->nodes_min);
    ws_json_i64(json, "nodes_max", summary->nodes_max);
    ws_trace_json_spread(json, "down_s", &summary->down);
}

static void outage_write_json(const ws_trace_request *request, const outage_info *task,
                              ws_writer *json)
{
    ws_json_begin_object(json, NULL);
    ws_json_text(json, "schema", WS_TEXT("worldsize.trace-outage-info/v1"));
    ws_json_text(json, "file", request->file.shown);
    ws_json_text(json, "format", ws_text_of(request->format.outages->name));
    ws_json_text(json, "kind",
                 task->outages.starts_empty ? WS_TEXT("availability") : WS_TEXT("faults"));
    ws_json_i64(json, "events_read", task->report.events_read);
    ws_json_i64(json, "events", task->report.events_kept);
    outage_json_found(json, &task->report);
    outage_json_numbers(json, &task->outages, &task->summary);
    outage_json_classes(json, &task->outages);
    ws_json_begin_list(json, "diagnostics");
    ws_diagnostics_write_json(json, &request->diag);
    ws_json_end_list(json);
    ws_json_end_object(json);
}

/* ---- for people ---- */

static ws_text outage_span(const ws_trace_text *text, double seconds)
{
    return isnan(seconds) ? WS_TEXT("-") : ws_text_of(ws_trace_text_span(text, seconds));
}

static void outage_write_faults(const ws_trace_text *text, const outage_info *task)
{
    const ws_trace_outages *outages = &task->outages;
    const ws_trace_outage_summary *summary = &task->summary;

    ws_trace_text_line(text, "faults",
                       ws_arena_format(text->arena, "%s on %s nodes, %s outages",
                                       ws_trace_text_count(text, outages->faults),
                                       ws_trace_text_count(text, (int64_t)outages->node_count),
                                       ws_trace_text_count(text, (int64_t)outages->count)));
    ws_trace_text_line(text, "MTBF",
                       ws_arena_format(text->arena, "%.*s of a node that the trace names",
                                       WS_TEXT_ARGS(outage_span(text, summary->mtbf_s))));
    ws_trace_text_line(text, "MTTR",
                       ws_arena_format(text->arena,
                                       "%.*s, %.*s in the median, more than %.*s in a tenth",
                                       WS_TEXT_ARGS(outage_span(text, summary->mttr_s)),
                                       WS_TEXT_ARGS(outage_span(text, summary->down.p50)),
                                       WS_TEXT_ARGS(outage_span(text, summary->down.p90))));
    if (!isnan(summary->availability)) {
        ws_trace_text_line(text, "availability",
                           ws_arena_format(text->arena, "%s of the time of these nodes",
                                           ws_trace_text_percent(text, summary->availability)));
    }
}

static void outage_write_changes(const ws_trace_text *text, const outage_info *task)
{
    const ws_trace_outages *outages = &task->outages;

    ws_trace_text_line(text, "preemptions",
                       ws_arena_format(text->arena, "%s, and %s nodes added",
                                       ws_trace_text_count(text, outages->faults),
                                       ws_trace_text_count(text, outages->additions)));
    ws_trace_text_line(text, "a node stays",
                       ws_arena_format(text->arena, "%.*s between preemptions",
                                       WS_TEXT_ARGS(outage_span(text, task->summary.mtbf_s))));
}

static void outage_write_nodes(const ws_trace_text *text, const outage_info *task)
{
    const ws_trace_outage_summary *summary = &task->summary;

    if (isnan(summary->nodes_mean)) {
        return;
    }
    ws_trace_text_line(text, "nodes",
                       ws_arena_format(text->arena, "%s on average, %s to %s",
                                       ws_trace_text_number(text, summary->nodes_mean),
                                       ws_trace_text_count(text, summary->nodes_min),
                                       ws_trace_text_count(text, summary->nodes_max)));
}

static void outage_write_classes(const ws_trace_text *text, const ws_trace_outages *outages)
{
    static const ws_table_column columns[] = {{.heading = "CLASS"},
                                              {.heading = "FAULTS", .to_the_right = true}};
    ws_table_cell cells[OUTAGE_CLASSES_SHOWN * 2] = {{.tone = WS_TONE_PLAIN}};
    size_t shown =
        outages->class_count < OUTAGE_CLASSES_SHOWN ? outages->class_count : OUTAGE_CLASSES_SHOWN;
    const ws_table table = {
        .columns = columns, .column_count = 2, .kept = 2, .cells = cells, .row_count = shown};

    for (size_t i = 0; i < shown; i++) {
        cells[2 * i].text = outages->classes[i].name;
        cells[2 * i + 1].text = ws_text_of(ws_trace_text_count(text, outages->classes[i].faults));
    }
    if (shown > 0) {
        ws_trace_text_write_table(text, &table);
    }
    if (outages->class_count > shown) {
        ws_write_format(text->out, "and %s more\n",
                        ws_trace_text_count(text, (int64_t)(outages->class_count - shown)));
    }
}

static void outage_write_text(const ws_trace_request *request, const outage_info *task,
                              ws_writer *out)
{
    const ws_trace_outages *outages = &task->outages;
    const ws_trace_answer answer = {.file = request->file.shown,
                                    .terminal = request->invocation->terminal};
    const ws_trace_text text = {.answer = &answer, .out = out, .arena = request->invocation->arena};

    ws_write_format(out, "%.*s   %s: %s\n\n", WS_TEXT_ARGS(request->file.shown),
                    request->format.outages->name, request->format.outages->summary);
    ws_trace_text_line(&text, "events",
                       ws_arena_format(text.arena, "%s of %s",
                                       ws_trace_text_count(&text, task->report.events_kept),
                                       ws_trace_text_count(&text, task->report.events_read)));
    for (size_t i = 0; i < WS_OUTAGE_FINDING_COUNT; i++) {
        ws_trace_text_write_finding(&text, ws_trace_outage_finding_at((ws_trace_outage_finding)i),
                                    &task->report.found[i]);
    }
    ws_trace_text_line(&text, "recording",
                       outage_span(&text, (double)(outages->end_ns - outages->begin_ns) / 1e9));
    if (outages->starts_empty) {
        outage_write_changes(&text, task);
    } else {
        outage_write_faults(&text, task);
    }
    outage_write_nodes(&text, task);
    outage_write_classes(&text, outages);
}

static void outage_write(const ws_trace_request *request, const void *context, ws_writer *out)
{
    if (request->invocation->settings->json) {
        outage_write_json(request, context, out);
    } else {
        outage_write_text(request, context, out);
    }
}

int ws_trace_outage_info(ws_trace_request *request)
{
    outage_info task = {.outages = {.count = 0}};
    const ws_trace_outage_options options = {.type = request->format.outages,
                                             .strict = request->invocation->settings->strict};

    if (!ws_trace_outages_load(&task.outages, &request->file, &options, &task.report,
                               &request->arena, &request->diag)) {
        return ws_trace_request_refuse(request);
    }
    if (!ws_trace_outages_summarise(&task.summary, &task.outages, &request->arena)) {
        (void)ws_diag_error(&request->diag, 9020, ws_span_none,
                            "`%.*s` holds more events than memory allows",
                            WS_TEXT_ARGS(request->file.shown));
        return ws_trace_request_refuse(request);
    }
    return ws_trace_request_answer(request, &task, outage_write);
}
