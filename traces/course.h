/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Who ran when: runs as starts and ends, swept in order of time. */
#ifndef WS_TRACES_COURSE_H
#define WS_TRACES_COURSE_H

#include "ws/trace_summary.h"

/** A start or an end of a run. */
typedef struct {
    int64_t at_ns;
    int32_t gpus;
} ws_trace_edge;

typedef struct {
    ws_trace_edge *starts; /* sorted in place */
    ws_trace_edge *ends;   /* likewise; as many */
    size_t count;
    int64_t from_ns; /* the first arrival: no start lies before it */
    int64_t end_ns;  /* no end lies behind it */
} ws_trace_runs;

/**
 * Fills in the course of a summary. What ends at a moment has made room for what starts there.
 * O(n log n + steps).
 *
 * @return  false when the arena is exhausted
 */
WS_NODISCARD bool ws_trace_course_of(ws_trace_summary *summary, const ws_trace_runs *runs,
                                     ws_arena *arena);

#endif
