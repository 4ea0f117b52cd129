/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The answer of `trace info`, for people and for machines. */
#ifndef WS_CLI_TRACE_ANSWER_H
#define WS_CLI_TRACE_ANSWER_H

#include "terminal.h"
#include "ws/trace_summary.h"

typedef struct {
    ws_text file; /* as it may be shown */
    const ws_trace_type *type;
    const ws_trace_summary *summary;
    const ws_trace_report *report;
    const ws_diag *diag;
    const ws_terminal *terminal;
} ws_trace_answer;

/** A point of the trace's clock as people read it. */
void ws_trace_answer_date(const ws_trace_answer *answer, int64_t clock_ns,
                          char out[WS_TRACE_DATE_BYTES]);

/** A finding as an element of a list, if there is any; `unit` is the key of its count. */
void ws_trace_json_finding(ws_writer *json, const ws_trace_finding_row *row,
                           const ws_trace_count *found, const char *unit);

/** How values are spread, as an object. */
void ws_trace_json_spread(ws_writer *json, const char *key, const ws_trace_spread *spread);

/** Lines, bars and tables. */
void ws_trace_answer_write_text(const ws_trace_answer *answer, ws_writer *out, ws_arena *arena);

/** One document: schema worldsize.trace-info/v1, described in docs/output.md. */
void ws_trace_answer_write_json(const ws_trace_answer *answer, ws_writer *json);

/** "utc", "wall", "own". */
const char *ws_trace_clock_name(ws_trace_clock clock);

/** A list `found` of a report's findings. */
void ws_trace_findings_write_json(const ws_trace_report *report, ws_writer *json);

#endif
