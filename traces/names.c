/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names in the order in which they came, and a table of slots by hash with linear probing, at most
 * half full. */
#include "names.h"

#define NAMES_SLOTS_MIN 64

void ws_trace_names_init(ws_trace_names *names, ws_arena *arena)
{
    WS_ASSERT(names != NULL);
    WS_ASSERT(arena != NULL);

    *names = (ws_trace_names){.arena = arena};
}

/* The slot of a name, or the free one where it would stand. */
static uint32_t *names_slot(const ws_trace_names *names, ws_text name)
{
    size_t at = (size_t)ws_text_hash(name) & (names->slot_count - 1);

    while (names->slots[at] != 0 && !ws_text_equals(names->items[names->slots[at] - 1], name)) {
        at = (at + 1) & (names->slot_count - 1);
    }
    return &names->slots[at];
}

/* Keeps at least half of the slots free. */
static bool names_make_slots(ws_trace_names *names)
{
    size_t count = names->slot_count == 0 ? NAMES_SLOTS_MIN : 2 * names->slot_count;

    if (2 * (names->count + 1) <= names->slot_count) {
        return true;
    }
    uint32_t *slots = ws_arena_alloc(names->arena, uint32_t, count);

    if (slots == NULL || count > UINT32_MAX) {
        return false;
    }
    names->slots = slots;
    names->slot_count = count;
    for (size_t i = 0; i < names->count; i++) {
        *names_slot(names, names->items[i]) = (uint32_t)(i + 1);
    }
    return true;
}

static bool names_make_room(ws_trace_names *names)
{
    if (names->count < names->capacity) {
        return true;
    }
    void *items = ws_arena_grow(names->arena, names->items, names->count, names->count + 1,
                                &names->capacity, sizeof *names->items);

    if (items == NULL) {
        return false;
    }
    names->items = items;
    return true;
}

bool ws_trace_names_index(ws_trace_names *names, ws_text name, size_t *index)
{
    WS_ASSERT(names != NULL);
    WS_ASSERT(index != NULL);

    if (!names_make_slots(names)) {
        return false;
    }
    uint32_t *slot = names_slot(names, name);

    if (*slot == 0) {
        ws_text kept = ws_arena_copy_text(names->arena, name);

        if (kept.start == NULL || !names_make_room(names)) {
            return false;
        }
        names->items[names->count++] = kept;
        *slot = (uint32_t)names->count;
    }
    *index = *slot - 1;
    return true;
}

size_t ws_trace_names_find(const ws_trace_names *names, ws_text name)
{
    WS_ASSERT(names->arena != NULL);

    return names->slots != NULL ? *names_slot(names, name) : 0;
}
