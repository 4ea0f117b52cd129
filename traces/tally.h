/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Jobs and their GPU-time by a key: a name, or the bytes of a number. */
#ifndef WS_TRACES_TALLY_H
#define WS_TRACES_TALLY_H

#include <stdint.h>

#include "names.h"
#include "ws/total.h"

typedef struct {
    ws_text key; /* of the names */
    int64_t jobs;
    ws_gpu_time work;
} ws_trace_tally_entry;

typedef struct {
    ws_trace_names keys;
    ws_trace_tally_entry *entries; /* keys.count of them, by the number of the key */
    size_t capacity;
} ws_trace_tally;

/** An empty tally. */
void ws_trace_tally_init(ws_trace_tally *tally, ws_arena *arena);

/** Counts a job under a key, which is copied. Expected O(1). False when memory is exhausted. */
WS_NODISCARD bool ws_trace_tally_add(ws_trace_tally *tally, ws_text key, ws_gpu_time work);

/** Sorts the entries by GPU-time, the most first; equal ones by number of jobs, then by key.
 * Nothing is added from then on. */
void ws_trace_tally_sort(ws_trace_tally *tally);

#endif
