/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Arenas: memory that lives as long as its owner and goes in one call.
 *
 * Blocks come from one ws_allocator, so that a test can fail the Nth allocation. An arena has a
 * bound; past it, or when the machine has no more, allocation returns NULL and loaders turn that
 * into a diagnosis. Memory is zeroed.
 */
#ifndef WS_ARENA_H
#define WS_ARENA_H

#include <stddef.h>

#include "ws/assert.h"
#include "ws/text.h"

typedef struct {
    void *context;
    void *(*allocate)(void *context, size_t bytes); /* NULL on failure */
    void (*release)(void *context, void *memory, size_t bytes);
} ws_allocator;

typedef struct ws_arena_block ws_arena_block;

typedef struct {
    ws_allocator allocator;
    ws_arena_block *first; /* newest block */
    size_t used_bytes;     /* of all blocks, headers included */
    size_t bound_bytes;
} ws_arena;

/** malloc and free. */
extern const ws_allocator ws_allocator_default;

/** An empty arena on the caller's storage; `bound_bytes` limits what it may take altogether. */
void ws_arena_init(ws_arena *arena, const ws_allocator *allocator, size_t bound_bytes);

/** Returns all memory. The arena may be used again. */
void ws_arena_reset(ws_arena *arena);

/** Zeroed memory for `count` objects of `size` bytes, aligned for any type; NULL when exhausted or
 * on overflow. */
void *ws_arena_alloc_bytes(ws_arena *arena, size_t count, size_t size);

#define ws_arena_alloc(arena, type, count)                                                         \
    ((type *)ws_arena_alloc_bytes((arena), (count), sizeof(type)))

/** A copy of `text` followed by a NUL byte (not counted), or a text with NULL start when exhausted.
 */
ws_text ws_arena_copy_text(ws_arena *arena, ws_text text);

/** printf into the arena. NULL start when exhausted. */
ws_text ws_arena_format(ws_arena *arena, const char *format, ...) WS_PRINTF(2, 3);

/**
 * Grows an array in an arena: returns an array of at least `needed` elements that holds the first
 * `count` of `old`. Doubles `*capacity`. NULL when exhausted (`old` stays valid).
 */
void *ws_arena_grow(ws_arena *arena, void *old, size_t count, size_t needed, size_t *capacity,
                    size_t size);

#endif
