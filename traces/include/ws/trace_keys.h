/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Sorting by a 64-bit key, stable: equal keys stay in the order in which they stand. */
#ifndef WS_TRACE_KEYS_H
#define WS_TRACE_KEYS_H

#include <stddef.h>
#include <stdint.h>

typedef struct {
    int64_t key;
    const void *item;
} ws_trace_key;

/** Sorts by merging from the bottom up, O(n log n), O(n) when sorted. `spare` has room for as many.
 */
void ws_trace_keys_sort(ws_trace_key *keys, ws_trace_key *spare, size_t count);

#endif
