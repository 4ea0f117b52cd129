/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A list of blocks, the newest first; only the newest is filled. Blocks double with the arena up to
 * a megabyte, so that a small owner stays small and a large one makes few calls. A block that the
 * bound would refuse is tried once more in the exact size before the arena counts as exhausted.
 */
#include "ws/arena.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ARENA_BLOCK_MIN ((size_t)4096)
#define ARENA_BLOCK_MAX ((size_t)1 << 20)

struct ws_arena_block {
    ws_arena_block *next;
    size_t size;   /* bytes of the whole block */
    size_t filled; /* bytes of `memory` that are given away */
    _Alignas(max_align_t) unsigned char memory[];
};

static void *arena_malloc(void *context, size_t bytes)
{
    (void)context;
    return malloc(bytes);
}

static void arena_free(void *context, void *memory, size_t bytes)
{
    (void)context;
    (void)bytes;
    free(memory);
}

const ws_allocator ws_allocator_default = {
    .context = NULL,
    .allocate = arena_malloc,
    .release = arena_free,
};

void ws_arena_init(ws_arena *arena, const ws_allocator *allocator, size_t bound_bytes)
{
    WS_ASSERT(arena != NULL);
    WS_ASSERT(allocator != NULL);

    *arena = (ws_arena){.allocator = *allocator, .bound_bytes = bound_bytes};
}

void ws_arena_reset(ws_arena *arena)
{
    WS_ASSERT(arena != NULL);

    while (arena->first != NULL) {
        ws_arena_block *block = arena->first;

        arena->first = block->next;
        arena->allocator.release(arena->allocator.context, block, block->size);
    }
    arena->used_bytes = 0;
}

/* Size of the next block for a request: the usual size, the exact one near the bound, or 0 when
 * neither fits. */
static size_t arena_block_size(const ws_arena *arena, size_t bytes)
{
    size_t left = arena->bound_bytes - arena->used_bytes;
    size_t exact = sizeof(ws_arena_block) + bytes;
    size_t usual = arena->used_bytes;

    if (exact > left) {
        return 0;
    }
    usual = usual < ARENA_BLOCK_MIN ? ARENA_BLOCK_MIN : usual;
    usual = usual > ARENA_BLOCK_MAX ? ARENA_BLOCK_MAX : usual;
    usual = usual > left ? left : usual;
    return usual > exact ? usual : exact;
}

static bool arena_add_block(ws_arena *arena, size_t bytes)
{
    ws_arena_block *block = NULL;
    size_t size = arena_block_size(arena, bytes);

    if (size == 0) {
        return false;
    }
    block = arena->allocator.allocate(arena->allocator.context, size);
    if (block == NULL) {
        return false;
    }
    block->next = arena->first;
    block->size = size;
    block->filled = 0;
    arena->first = block;
    arena->used_bytes += size;
    return true;
}

void *ws_arena_alloc_bytes(ws_arena *arena, size_t count, size_t size)
{
    size_t bytes = 0;
    void *memory = NULL;

    WS_ASSERT(arena != NULL);
    WS_ASSERT(arena->used_bytes <= arena->bound_bytes);

    if (__builtin_mul_overflow(count, size, &bytes) || bytes > PTRDIFF_MAX - ARENA_BLOCK_MIN) {
        return NULL;
    }
    /* Rounded up, so that the next object is aligned; nothing still gets a place of its own. */
    bytes = bytes == 0 ? 1 : bytes;
    bytes = (bytes + _Alignof(max_align_t) - 1) / _Alignof(max_align_t) * _Alignof(max_align_t);
    if (arena->first == NULL ||
        arena->first->size - sizeof(ws_arena_block) - arena->first->filled < bytes) {
        if (!arena_add_block(arena, bytes)) {
            return NULL;
        }
    }
    memory = arena->first->memory + arena->first->filled;
    arena->first->filled += bytes;
    memset(memory, 0, bytes);
    return memory;
}

ws_text ws_arena_copy_text(ws_arena *arena, ws_text text)
{
    char *copy = NULL;

    WS_ASSERT(text.start != NULL || text.length == 0);
    WS_ASSERT(text.length < SIZE_MAX);

    copy = ws_arena_alloc_bytes(arena, text.length + 1, 1);
    if (copy == NULL) {
        return (ws_text){.start = NULL, .length = 0};
    }
    if (text.length > 0) {
        memcpy(copy, text.start, text.length);
    }
    return (ws_text){.start = copy, .length = text.length};
}

ws_text ws_arena_format(ws_arena *arena, const char *format, ...)
{
    va_list arguments;
    char *text = NULL;
    int length = 0;

    WS_ASSERT(format != NULL);

    va_start(arguments, format);
    length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (length < 0) {
        return (ws_text){.start = NULL, .length = 0};
    }
    text = ws_arena_alloc_bytes(arena, (size_t)length + 1, 1);
    if (text == NULL) {
        return (ws_text){.start = NULL, .length = 0};
    }
    va_start(arguments, format);
    (void)vsnprintf(text, (size_t)length + 1, format, arguments);
    va_end(arguments);
    return (ws_text){.start = text, .length = (size_t)length};
}

void *ws_arena_grow(ws_arena *arena, void *old, size_t count, size_t needed, size_t *capacity,
                    size_t size)
{
    size_t larger = 0;
    void *grown = NULL;

    WS_ASSERT(capacity != NULL);
    WS_ASSERT(count <= *capacity);
    WS_ASSERT(old != NULL || count == 0);

    if (old != NULL && needed <= *capacity) {
        return old;
    }
    larger = *capacity > SIZE_MAX / 2 ? SIZE_MAX : *capacity * 2;
    larger = larger < 8 ? 8 : larger;
    larger = larger < needed ? needed : larger;
    grown = ws_arena_alloc_bytes(arena, larger, size);
    if (grown == NULL) {
        return NULL;
    }
    if (count > 0) {
        memcpy(grown, old, count * size);
    }
    *capacity = larger;
    return grown;
}
