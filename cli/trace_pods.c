/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `trace info` of pods and events of Kubernetes. */
#include <math.h>

#include "diagnostics_json.h"
#include "trace_request.h"
#include "trace_text.h"

#define PODS_REASONS_SHOWN 12

typedef struct {
    ws_trace_pods_summary summary;
    ws_trace_pods_report report;
} pods_info;

/* ---- for machines ---- */

static void pods_json_reasons(ws_writer *json, const ws_trace_pods_summary *summary)
{
    ws_json_begin_list(json, "reasons");
    for (size_t i = 0; i < summary->reason_count; i++) {
        ws_json_begin_object(json, NULL);
        ws_json_text(json, "name", summary->reasons[i].name);
        ws_json_i64(json, "count", summary->reasons[i].count);
        ws_json_end_object(json);
    }
    ws_json_end_list(json);
}

static void pods_json_phases(ws_writer *json, const ws_trace_pods_summary *summary)
{
    ws_json_begin_object(json, "phases_s");
    for (size_t i = 0; i < WS_POD_PHASE_COUNT; i++) {
        ws_trace_json_spread(json, ws_trace_pod_phase_name((ws_trace_pod_phase)i),
                             &summary->phases[i]);
    }
    ws_json_end_object(json);
}

static void pods_write_json(const ws_trace_request *request, const pods_info *task, ws_writer *json)
{
    ws_json_begin_object(json, NULL);
    ws_json_text(json, "schema", WS_TEXT("worldsize.trace-pods-info/v1"));
    ws_json_text(json, "file", request->file.shown);
    ws_json_text(json, "format", ws_text_of(ws_trace_pods_format_name));
    ws_json_i64(json, "objects_read", task->report.objects_read);
    ws_json_i64(json, "objects", task->report.objects_kept);
    ws_json_begin_list(json, "found");
    for (size_t i = 0; i < WS_PODS_FINDING_COUNT; i++) {
        ws_trace_json_finding(json, ws_trace_pods_finding_at((ws_trace_pods_finding)i),
                              &task->report.found[i], "objects");
    }
    ws_json_end_list(json);
    ws_json_i64(json, "pods", task->summary.pods);
    ws_json_i64(json, "restarts", task->summary.restarts);
    ws_json_i64(json, "images_present", task->summary.cached);
    ws_json_i64(json, "failed_scheduling", task->summary.failed_scheduling);
    pods_json_phases(json, &task->summary);
    pods_json_reasons(json, &task->summary);
    ws_json_begin_list(json, "diagnostics");
    ws_diagnostics_write_json(json, &request->diag);
    ws_json_end_list(json);
    ws_json_end_object(json);
}

/* ---- for people ---- */

enum { PODS_COLUMNS = 7 };

static void pods_write_phases(const ws_trace_text *text, const ws_trace_pods_summary *summary)
{
    static const ws_table_column columns[PODS_COLUMNS] = {
        {.heading = "PHASE"},
        {.heading = "PODS", .to_the_right = true},
        {.heading = "P10", .to_the_right = true},
        {.heading = "MEDIAN", .to_the_right = true},
        {.heading = "P95", .to_the_right = true},
        {.heading = "MAX", .to_the_right = true},
        {.heading = "MEAN", .to_the_right = true}};
    ws_table_cell cells[WS_POD_PHASE_COUNT * PODS_COLUMNS] = {{.tone = WS_TONE_PLAIN}};
    ws_table table = {
        .columns = columns, .column_count = PODS_COLUMNS, .kept = PODS_COLUMNS, .cells = cells};

    for (size_t i = 0; i < WS_POD_PHASE_COUNT; i++) {
        const ws_trace_spread *phase = &summary->phases[i];
        const double values[] = {phase->p10, phase->p50, phase->p95, phase->max, phase->mean};
        ws_table_cell *row = &cells[PODS_COLUMNS * table.row_count];

        if (phase->n == 0) {
            continue;
        }
        row[0].text = ws_text_of(ws_trace_pod_phase_name((ws_trace_pod_phase)i));
        row[1].text = ws_text_of(ws_trace_text_count(text, phase->n));
        for (size_t k = 0; k < WS_COUNT_OF(values); k++) {
            row[2 + k].text = ws_text_of(ws_trace_text_span(text, values[k]));
        }
        table.row_count++;
    }
    if (table.row_count > 0) {
        ws_trace_text_write_table(text, &table);
    }
}

static void pods_write_reasons(const ws_trace_text *text, const ws_trace_pods_summary *summary)
{
    static const ws_table_column columns[] = {{.heading = "REASON"},
                                              {.heading = "COUNT", .to_the_right = true}};
    ws_table_cell cells[PODS_REASONS_SHOWN * 2] = {{.tone = WS_TONE_PLAIN}};
    size_t shown =
        summary->reason_count < PODS_REASONS_SHOWN ? summary->reason_count : PODS_REASONS_SHOWN;
    const ws_table table = {
        .columns = columns, .column_count = 2, .kept = 2, .cells = cells, .row_count = shown};

    for (size_t i = 0; i < shown; i++) {
        cells[2 * i].text = summary->reasons[i].name;
        cells[2 * i + 1].text = ws_text_of(ws_trace_text_count(text, summary->reasons[i].count));
    }
    if (shown > 0) {
        ws_trace_text_write_table(text, &table);
    }
    if (summary->reason_count > shown) {
        ws_write_format(text->out, "and %s more\n",
                        ws_trace_text_count(text, (int64_t)(summary->reason_count - shown)));
    }
}

static void pods_write_text(const ws_trace_request *request, const pods_info *task, ws_writer *out)
{
    const ws_trace_pods_summary *summary = &task->summary;
    const ws_trace_answer answer = {.file = request->file.shown,
                                    .terminal = request->invocation->terminal};
    const ws_trace_text text = {.answer = &answer, .out = out, .arena = request->invocation->arena};

    ws_write_format(out, "%.*s   %s: %s\n\n", WS_TEXT_ARGS(request->file.shown),
                    ws_trace_pods_format_name, ws_trace_pods_format_summary);
    ws_trace_text_line(&text, "objects",
                       ws_arena_format(text.arena, "%s of %s",
                                       ws_trace_text_count(&text, task->report.objects_kept),
                                       ws_trace_text_count(&text, task->report.objects_read)));
    for (size_t i = 0; i < WS_PODS_FINDING_COUNT; i++) {
        ws_trace_text_write_finding(&text, ws_trace_pods_finding_at((ws_trace_pods_finding)i),
                                    &task->report.found[i]);
    }
    ws_trace_text_line(&text, "pods",
                       ws_arena_format(text.arena, "%s, %s restarts of containers",
                                       ws_trace_text_count(&text, summary->pods),
                                       ws_trace_text_count(&text, summary->restarts)));
    ws_trace_text_line(&text, "images",
                       ws_arena_format(text.arena, "pulled for %s, there already for %s",
                                       ws_trace_text_count(&text, summary->phases[WS_POD_PULL].n),
                                       ws_trace_text_count(&text, summary->cached)));
    ws_trace_text_line(&text, "scheduling",
                       ws_arena_format(text.arena, "failed %s times",
                                       ws_trace_text_count(&text, summary->failed_scheduling)));
    pods_write_phases(&text, summary);
    pods_write_reasons(&text, summary);
}

static void pods_write(const ws_trace_request *request, const void *context, ws_writer *out)
{
    if (request->invocation->settings->json) {
        pods_write_json(request, context, out);
    } else {
        pods_write_text(request, context, out);
    }
}

int ws_trace_pods_info(ws_trace_request *request)
{
    pods_info task = {.report = {.objects_read = 0}};
    const ws_trace_pods_options options = {.strict = request->invocation->settings->strict};

    if (!ws_trace_pods_summarise(&task.summary, &request->file, &options, &task.report,
                                 &request->arena, &request->diag)) {
        return ws_trace_request_refuse(request);
    }
    return ws_trace_request_answer(request, &task, pods_write);
}
