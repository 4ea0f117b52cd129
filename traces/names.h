/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Names, each kept once, with its number in the order in which they come. */
#ifndef WS_TRACES_NAMES_H
#define WS_TRACES_NAMES_H

#include <stdint.h>

#include "ws/arena.h"

typedef struct {
    ws_arena *arena;
    ws_text *items; /* by number */
    size_t count;
    size_t capacity;
    uint32_t *slots; /* by hash: a number and 1; 0: free */
    size_t slot_count;
} ws_trace_names;

/** No name yet; all memory comes from `arena`. */
void ws_trace_names_init(ws_trace_names *names, ws_arena *arena);

/** The number of a name, a new one if it was not there. False when memory is exhausted. Expected
 * O(1). */
WS_NODISCARD bool ws_trace_names_index(ws_trace_names *names, ws_text name, size_t *index);

/** The number of a name, counted from 1; 0: it has not come. Expected O(1). */
size_t ws_trace_names_find(const ws_trace_names *names, ws_text name);

#endif
