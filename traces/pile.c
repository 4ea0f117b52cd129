/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "pile.h"

#include <string.h>

#include "ws/assert.h"

#define PILE_CHUNK_ITEMS 4096

struct ws_trace_pile_chunk {
    ws_trace_pile_chunk *next;
    size_t count;
    char *items;
};

void ws_trace_pile_init(ws_trace_pile *pile, size_t item_bytes, const ws_arena *like)
{
    WS_ASSERT(pile != NULL);
    WS_ASSERT(item_bytes > 0);

    *pile = (ws_trace_pile){.item_bytes = item_bytes};
    ws_arena_init(&pile->arena, &like->allocator, like->bound_bytes);
}

/* A chunk with room at the end of the pile. */
static bool pile_extend(ws_trace_pile *pile)
{
    ws_trace_pile_chunk *chunk = ws_arena_alloc(&pile->arena, ws_trace_pile_chunk, 1);

    if (chunk == NULL) {
        return false;
    }
    chunk->items = ws_arena_alloc_bytes(&pile->arena, PILE_CHUNK_ITEMS, pile->item_bytes);
    if (chunk->items == NULL) {
        return false;
    }
    if (pile->last == NULL) {
        pile->first = chunk;
    } else {
        pile->last->next = chunk;
    }
    pile->last = chunk;
    return true;
}

bool ws_trace_pile_add(ws_trace_pile *pile, const void *item)
{
    ws_trace_pile_chunk *last = pile->last;

    WS_ASSERT(item != NULL);
    if ((last == NULL || last->count == PILE_CHUNK_ITEMS) && !pile_extend(pile)) {
        return false;
    }
    last = pile->last;
    memcpy(last->items + last->count * pile->item_bytes, item, pile->item_bytes);
    last->count++;
    pile->count++;
    return true;
}

void *ws_trace_pile_gather(ws_trace_pile *pile, ws_arena *arena)
{
    WS_ASSERT(pile != NULL);
    WS_ASSERT(arena != NULL);

    char *items = ws_arena_alloc_bytes(arena, pile->count > 0 ? pile->count : 1, pile->item_bytes);
    char *to = items;

    if (items == NULL) {
        return NULL;
    }
    for (const ws_trace_pile_chunk *chunk = pile->first; chunk != NULL; chunk = chunk->next) {
        size_t bytes = chunk->count * pile->item_bytes;
        memcpy(to, chunk->items, bytes);
        to += bytes;
    }
    ws_trace_pile_fini(pile);
    return items;
}

void ws_trace_pile_fini(ws_trace_pile *pile)
{
    WS_ASSERT(pile != NULL);
    ws_arena_reset(&pile->arena);
    pile->count = 0;
    pile->first = NULL;
    pile->last = NULL;
}
