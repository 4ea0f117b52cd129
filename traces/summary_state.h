/* SPDX-License-Identifier: GPL-3.0-or-later */
/** What a summary collects, and what is made of it. */
#ifndef WS_TRACES_SUMMARY_STATE_H
#define WS_TRACES_SUMMARY_STATE_H

#include "course.h"
#include "pile.h"
#include "reading.h"
#include "tally.h"
#include "ws/trace_summary.h"

typedef struct {
    ws_arena *arena;         /* of the summary */
    ws_arena scratch;        /* of what is collected; ends with it */
    ws_trace_summary found;  /* so far */
    ws_trace_pile durations; /* double, s */
    ws_trace_pile works;     /* double, GPU-h */
    ws_trace_pile waits;     /* double, s */
    ws_trace_pile starts;    /* ws_trace_edge */
    ws_trace_pile ends;
    ws_i128 duration_ns; /* of all jobs */
    ws_i128 wait_ns;
    int64_t end_ns;       /* of the last run; INT64_MIN: none */
    ws_trace_tally sizes; /* by the bytes of ws_trace_job.gpus */
    ws_trace_tally users;
    ws_trace_tally queues;
    ws_trace_tally gpu_types;
    ws_trace_tally kinds;
    bool is_exhausted;
} ws_trace_summary_state;

/** Makes the summary of what was collected. False, `*summary` untouched, when memory is exhausted.
 */
WS_NODISCARD bool ws_trace_summary_derive(ws_trace_summary_state *state, ws_trace_clock clock,
                                          ws_text zone, ws_trace_summary *summary);

#endif
