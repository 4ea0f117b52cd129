/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * A set of small integers that is walked in ascending or descending order: a bit for each, and a
 * bit for each word that has one.
 *
 * Insert and remove are O(1); the next or previous member is found in O(size / 4096) at worst,
 * mostly at once.
 */
#ifndef WS_INDEX_SET_H
#define WS_INDEX_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ws/arena.h"

#define WS_INDEX_NONE SIZE_MAX

typedef struct {
    uint64_t *words;   /* bit i: i is a member */
    uint64_t *summary; /* bit w: words[w] is not zero */
    size_t size;       /* members are 0 .. size - 1 */
    size_t count;
} ws_index_set;

/** An empty set for members below `size`. False when the arena is exhausted. */
WS_NODISCARD bool ws_index_set_init(ws_index_set *set, ws_arena *arena, size_t size);

/** True when the member was not there before. */
bool ws_index_set_insert(ws_index_set *set, size_t member);

/** True when the member was there. */
bool ws_index_set_remove(ws_index_set *set, size_t member);

bool ws_index_set_has(const ws_index_set *set, size_t member);

/** The smallest member >= from, or WS_INDEX_NONE. */
size_t ws_index_set_next(const ws_index_set *set, size_t from);

/** The largest member <= from (which may lie beyond the size), or WS_INDEX_NONE. */
size_t ws_index_set_previous(const ws_index_set *set, size_t from);

#endif
