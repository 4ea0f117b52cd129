/* SPDX-License-Identifier: GPL-3.0-or-later */
/** What writing the answer of `trace info` for people has at hand. */
#ifndef WS_CLI_TRACE_TEXT_H
#define WS_CLI_TRACE_TEXT_H

#include "table.h"
#include "trace_answer.h"

typedef struct {
    const ws_trace_answer *answer;
    const ws_trace_summary *summary;
    ws_writer *out;
    ws_arena *arena;
} ws_trace_text;

/** A word, and what it is, in lines that fit. */
void ws_trace_text_line(const ws_trace_text *task, const char *label, ws_text text);

/** How many rows became jobs, and what was found in them. */
void ws_trace_text_write_rows(const ws_trace_text *task);

/** "118,204". */
const char *ws_trace_text_count(const ws_trace_text *task, int64_t count);

/** Three significant digits; whole numbers without decimals. */
const char *ws_trace_text_number(const ws_trace_text *task, double value);

/** "97.1%". */
const char *ws_trace_text_percent(const ws_trace_text *task, double fraction);

/** "41 min", "9.2 h", "12.4 d". */
const char *ws_trace_text_span(const ws_trace_text *task, double seconds);

/** "1,204,551": GPU-hours, with as many decimals as the whole trace's amount asks for; "-" when no
 * run time is known. */
ws_text ws_trace_text_gpu_h(const ws_trace_text *task, ws_gpu_time work);

/** A word, and behind it a text that is broken where it must be. */
void ws_trace_text_line(const ws_trace_text *task, const char *label, ws_text text);

/** A line for a finding, if there is any: "  rejected     3 have no usable time". */
void ws_trace_text_write_finding(const ws_trace_text *task, const ws_trace_finding_row *row,
                                 const ws_trace_count *found);

/** A table behind a blank line. */
void ws_trace_text_write_table(const ws_trace_text *task, const ws_table *table);

/** How sizes, run times and waits are spread: a row each. */
void ws_trace_text_write_spreads(const ws_trace_text *task);

/** Jobs and GPU-hours by outcome, size, GPU type, kind and queue: a table each. */
void ws_trace_text_write_groups(const ws_trace_text *task);

#endif
