/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Values of one size that come one by one, nobody knows how many, and are needed side by side in
 * the end. They collect in chunks, so that nothing is copied while they come.
 */
#ifndef WS_TRACES_PILE_H
#define WS_TRACES_PILE_H

#include "ws/arena.h"

typedef struct ws_trace_pile_chunk ws_trace_pile_chunk;

typedef struct {
    ws_arena arena; /* of the chunks */
    size_t item_bytes;
    size_t count;
    ws_trace_pile_chunk *first;
    ws_trace_pile_chunk *last;
} ws_trace_pile;

/** An empty pile; its chunks come from the allocator of `like`, and are bounded as that is. */
void ws_trace_pile_init(ws_trace_pile *pile, size_t item_bytes, const ws_arena *like);

/** Adds a copy of an item. False when memory is exhausted. */
WS_NODISCARD bool ws_trace_pile_add(ws_trace_pile *pile, const void *item);

/** All items in the order in which they came, in `arena`; the pile is empty then. NULL when memory
 * is exhausted. */
void *ws_trace_pile_gather(ws_trace_pile *pile, ws_arena *arena);

/** Gives the chunks back. */
void ws_trace_pile_fini(ws_trace_pile *pile);

#endif
