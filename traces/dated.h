/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Rows with dates of submission, start and end and a state, as Slurm's accounting and its exports
 * have them.
 */
#ifndef WS_TRACES_DATED_H
#define WS_TRACES_DATED_H

#include "table.h"

typedef struct {
    /* columns of the table */
    size_t submit;
    size_t start;
    size_t end;
    size_t state;
    size_t duration; /* stated run time, s; may be absent from the file */

    bool is_zoned;       /* an offset from UTC stands behind each date */
    bool is_from_submit; /* the stated run time counts from the submission, not from the start */
    bool has_offset;     /* a date was read: its offset is that of the first */
    int64_t offset_ns;
} ws_dated;

typedef struct {
    int64_t submit_ns;
    int64_t start_ns; /* WS_TRACE_UNKNOWN_NS: never started */
    int64_t end_ns;   /* WS_TRACE_UNKNOWN_NS: still ran, or never started */
    ws_trace_outcome outcome;
} ws_dated_run;

/**
 * Reads the current row. Where the end is not known, or the dates are exactly an hour off the
 * stated run time since a clock was changed between them, the end is the start and the stated run
 * time; any other difference of more than a second is noted.
 *
 * @return  false when the row cannot be used: the finding is counted
 */
WS_NODISCARD bool ws_dated_read(ws_dated *dated, ws_table *table, ws_dated_run *run);

/**
 * The outcome of a state of Slurm: COMPLETED, `CANCELLED by 1002`, also cut as by sacct without -P
 * (`CANCELLED+`), in any case. REQUEUED is preempted, SUSPENDED running.
 * Source: sacct(1), "JOB STATE CODES".
 *
 * @return  false for anything else; `*outcome` is untouched then
 */
WS_NODISCARD bool ws_dated_outcome(ws_text state, ws_trace_outcome *outcome);

#endif
