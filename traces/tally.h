/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Jobs and their GPU-time by a key: a name, or the bytes of a number. */
#ifndef WS_TRACES_TALLY_H
#define WS_TRACES_TALLY_H

#include <stdint.h>

#include "ws/arena.h"
#include "ws/text.h"
#include "ws/total.h"

typedef struct {
    ws_text key;
    int64_t jobs;
    ws_gpu_time work;
} ws_trace_tally_entry;

typedef struct {
    ws_arena *arena; /* of the keys and the table */
    ws_trace_tally_entry *entries;
    size_t count;
    size_t capacity;
    uint32_t *slots; /* number of an entry from 1, by the hash of its key; 0: free */
    size_t slot_count;
} ws_trace_tally;

/** An empty tally. */
void ws_trace_tally_init(ws_trace_tally *tally, ws_arena *arena);

/** Counts a job under a key, which is copied. Expected O(1). False when memory is exhausted. */
WS_NODISCARD bool ws_trace_tally_add(ws_trace_tally *tally, ws_text key, ws_gpu_time work);

/** The number of a key's entry, from 1, in the order in which the keys came; 0: there is none. Not
 * once it is sorted. */
size_t ws_trace_tally_number(const ws_trace_tally *tally, ws_text key);

/** Sorts by GPU-time, the most first; equal ones by number of jobs, then by key. */
void ws_trace_tally_sort(ws_trace_tally *tally);

#endif
