/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "diagnostics_json.h"
#include "trace_answer.h"

#include <math.h>

const char *ws_trace_clock_name(ws_trace_clock clock)
{
    switch (clock) {
    case WS_TRACE_CLOCK_WALL:
        return "wall";
    case WS_TRACE_CLOCK_UTC:
        return "utc";
    case WS_TRACE_CLOCK_OWN:
        break;
    }
    return "own";
}

static const char *trace_json_finding_kind(ws_trace_finding_kind kind)
{
    switch (kind) {
    case WS_TRACE_LEFT_OUT:
        return "left_out";
    case WS_TRACE_REJECTED:
        return "rejected";
    case WS_TRACE_CUT:
        return "cut";
    case WS_TRACE_NOTED:
        break;
    }
    return "noted";
}

void ws_trace_json_finding(ws_writer *json, const ws_trace_finding_row *row,
                           const ws_trace_count *found, const char *unit)
{
    if (found->count == 0) {
        return;
    }
    ws_json_begin_object(json, NULL);
    ws_json_text(json, "name", ws_text_of(row->name));
    ws_json_text(json, "kind", ws_text_of(trace_json_finding_kind(row->kind)));
    ws_json_i64(json, unit, found->count);
    ws_json_text(json, "text", ws_text_of(found->count == 1 ? row->text_one : row->text));
    if (found->lines[0] > 0) {
        ws_json_i64(json, "first_line", found->lines[0]);
    } else {
        ws_json_null(json, "first_line");
    }
    ws_json_end_object(json);
}

void ws_trace_findings_write_json(const ws_trace_report *report, ws_writer *json)
{
    ws_json_begin_list(json, "found");
    for (size_t i = 0; i < WS_TRACE_FINDING_COUNT; i++) {
        const ws_trace_finding_row *row = ws_trace_finding_at((ws_trace_finding)i);
        ws_trace_json_finding(json, row, &report->found[i], "rows");
    }
    ws_json_end_list(json);
}

static void trace_json_counts(ws_writer *json, const char *key, const int64_t *counts, size_t count)
{
    bool before = json->compact;

    ws_json_begin_list(json, key);
    json->compact = true; /* a list of numbers stays on its line */
    for (size_t i = 0; i < count; i++) {
        ws_json_i64(json, NULL, counts[i]);
    }
    ws_json_end_list(json);
    json->compact = before;
}

static void trace_json_arrivals(ws_writer *json, const ws_trace_answer *answer)
{
    const ws_trace_summary *summary = answer->summary;
    char date[WS_TRACE_DATE_BYTES];

    if (summary->jobs > 0) {
        ws_trace_answer_date(answer, summary->first_arrival_ns, date);
        ws_json_text(json, "first_arrival", ws_text_of(date));
    } else {
        ws_json_null(json, "first_arrival");
    }
    ws_json_f64(json, "first_arrival_s", (double)summary->first_arrival_ns / 1e9);
    ws_json_f64(json, "last_arrival_s", (double)summary->last_arrival_ns / 1e9);
    ws_json_f64(json, "end_s", (double)summary->end_ns / 1e9);
    ws_json_f64(json, "arrivals_per_h", summary->arrivals_per_h);
    ws_json_f64(json, "hour_peak_to_mean", summary->hour_peak_to_mean);
    trace_json_counts(json, "arrivals_by_hour", summary->by_hour, WS_COUNT_OF(summary->by_hour));
    if (summary->clock == WS_TRACE_CLOCK_OWN) {
        ws_json_null(json, "arrivals_by_weekday");
    } else {
        trace_json_counts(json, "arrivals_by_weekday", summary->by_weekday,
                          WS_COUNT_OF(summary->by_weekday));
    }
}

void ws_trace_json_spread(ws_writer *json, const char *key, const ws_trace_spread *spread)
{
    ws_json_begin_object(json, key);
    ws_json_i64(json, "n", spread->n);
    ws_json_f64(json, "mean", spread->mean);
    ws_json_f64(json, "p10", spread->p10);
    ws_json_f64(json, "p25", spread->p25);
    ws_json_f64(json, "p50", spread->p50);
    ws_json_f64(json, "p75", spread->p75);
    ws_json_f64(json, "p90", spread->p90);
    ws_json_f64(json, "p95", spread->p95);
    ws_json_f64(json, "p99", spread->p99);
    ws_json_f64(json, "max", spread->max);
    ws_json_end_object(json);
}

static void trace_json_group(ws_writer *json, const ws_trace_group *group, const char *name)
{
    ws_json_begin_object(json, NULL);
    if (name != NULL) {
        ws_json_text(json, "name", ws_text_of(name));
    } else if (group->gpus > 0) {
        ws_json_i64(json, "gpus", group->gpus);
    } else {
        ws_json_text(json, "name", group->name);
    }
    ws_json_i64(json, "jobs", group->jobs);
    ws_json_f64(json, "jobs_fraction", group->jobs_fraction);
    ws_json_gpu_h(json, "gpu_h", group->work);
    ws_json_f64(json, "gpu_h_fraction", group->work_fraction);
    ws_json_end_object(json);
}

static void trace_json_outcomes(ws_writer *json, const ws_trace_summary *summary)
{
    ws_json_begin_list(json, "outcomes");
    for (size_t i = 0; i < WS_TRACE_OUTCOME_COUNT; i++) {
        const char *name = ws_trace_outcome_name((ws_trace_outcome)i);
        if (summary->outcomes[i].jobs > 0) {
            trace_json_group(json, &summary->outcomes[i], name[0] != '\0' ? name : "unknown");
        }
    }
    ws_json_end_list(json);
}

static void trace_json_groups(ws_writer *json, const char *key, const ws_trace_groups *groups)
{
    ws_json_begin_object(json, key);
    ws_json_i64(json, "distinct", groups->distinct);
    ws_json_begin_list(json, "items");
    for (size_t i = 0; i < groups->count; i++) {
        trace_json_group(json, &groups->items[i], NULL);
    }
    ws_json_end_list(json);
    ws_json_end_object(json);
}

static void trace_json_steps(ws_writer *json, const ws_trace_summary *summary)
{
    bool before = json->compact;

    ws_json_begin_list(json, "steps");
    for (size_t i = 0; i < summary->step_count; i++) {
        const ws_trace_step *step = &summary->steps[i];
        ws_json_begin_object(json, NULL);
        json->compact = true;
        ws_json_f64(json, "t_s", (double)step->begin_ns / 1e9);
        ws_json_f64(json, "jobs_mean", step->jobs_mean);
        ws_json_i64(json, "jobs_max", step->jobs_max);
        ws_json_f64(json, "gpus_mean", step->gpus_mean);
        ws_json_i64(json, "gpus_max", step->gpus_max);
        ws_json_end_object(json);
        json->compact = before;
    }
    ws_json_end_list(json);
}

static void trace_json_course(ws_writer *json, const ws_trace_summary *summary)
{
    ws_json_begin_object(json, "course");
    ws_json_i64(json, "starts_known", summary->starts_known);
    ws_json_f64(json, "step_s",
                summary->step_count > 0 ? (double)summary->step_ns / 1e9 : (double)NAN);
    ws_json_f64(json, "gpus_mean", summary->gpus_mean);
    ws_json_i64(json, "gpus_peak", summary->gpus_peak);
    ws_json_f64(json, "gpus_peak_s",
                summary->step_count > 0 ? (double)summary->gpus_peak_ns / 1e9 : (double)NAN);
    ws_json_i64(json, "jobs_peak", summary->jobs_peak);
    trace_json_steps(json, summary);
    ws_json_end_object(json);
}

void ws_trace_answer_write_json(const ws_trace_answer *answer, ws_writer *json)
{
    const ws_trace_summary *summary = answer->summary;

    ws_json_begin_object(json, NULL);
    ws_json_text(json, "schema", WS_TEXT("worldsize.trace-info/v1"));
    ws_json_text(json, "file", answer->file);
    ws_json_text(json, "format", ws_text_of(answer->type->name));
    ws_json_text(json, "clock", ws_text_of(ws_trace_clock_name(summary->clock)));
    ws_json_text(json, "zone", summary->zone);
    ws_json_i64(json, "rows_read", answer->report->rows_read);
    ws_json_i64(json, "jobs", summary->jobs);
    ws_trace_findings_write_json(answer->report, json);
    trace_json_arrivals(json, answer);
    ws_trace_json_spread(json, "gpus", &summary->gpus);
    ws_json_f64(json, "power_of_two_fraction", summary->power_of_two_fraction);
    ws_trace_json_spread(json, "duration_s", &summary->duration_s);
    ws_trace_json_spread(json, "wait_s", &summary->wait_s);
    ws_json_gpu_h(json, "gpu_h", summary->work);
    ws_json_f64(json, "top_tenth_fraction", summary->top_tenth_fraction);
    trace_json_outcomes(json, summary);
    trace_json_groups(json, "sizes", &summary->sizes);
    trace_json_groups(json, "gpu_types", &summary->gpu_types);
    trace_json_groups(json, "kinds", &summary->kinds);
    trace_json_groups(json, "queues", &summary->queues);
    ws_json_i64(json, "users", summary->users);
    trace_json_course(json, summary);
    ws_json_begin_list(json, "diagnostics");
    ws_diagnostics_write_json(json, answer->diag);
    ws_json_end_list(json);
    ws_json_end_object(json);
}
