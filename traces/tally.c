/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Entries in the order in which their keys came, and a table of slots by hash with linear probing,
 * at most half full. */
#include "tally.h"

#include <gsl/gsl_heapsort.h>

#include "ws/assert.h"

#define TALLY_SLOTS_FIRST 64

void ws_trace_tally_init(ws_trace_tally *tally, ws_arena *arena)
{
    WS_ASSERT(tally != NULL);
    WS_ASSERT(arena != NULL);

    *tally = (ws_trace_tally){.arena = arena};
}

/* The slot of a key, or the free one where it belongs. */
static size_t tally_slot(const ws_trace_tally *tally, ws_text key)
{
    size_t slot = ws_text_hash(key) % tally->slot_count;

    while (tally->slots[slot] != 0 &&
           !ws_text_equals(tally->entries[tally->slots[slot] - 1].key, key)) {
        slot = (slot + 1) % tally->slot_count;
    }
    return slot;
}

/* Twice as many slots. */
static bool tally_widen(ws_trace_tally *tally)
{
    size_t wider = tally->slot_count > 0 ? 2 * tally->slot_count : TALLY_SLOTS_FIRST;
    uint32_t *slots = ws_arena_alloc(tally->arena, uint32_t, wider);

    if (slots == NULL || wider > UINT32_MAX) {
        return false;
    }
    tally->slots = slots;
    tally->slot_count = wider;
    for (size_t i = 0; i < tally->count; i++) {
        tally->slots[tally_slot(tally, tally->entries[i].key)] = (uint32_t)(i + 1);
    }
    return true;
}

static bool tally_insert(ws_trace_tally *tally, size_t slot, ws_text key)
{
    ws_trace_tally_entry *grown = ws_arena_grow(tally->arena, tally->entries, tally->count,
                                                tally->count + 1, &tally->capacity, sizeof *grown);
    ws_text copy = ws_arena_copy_text(tally->arena, key);

    if (grown == NULL || copy.start == NULL) {
        return false;
    }
    tally->entries = grown;
    tally->entries[tally->count++] = (ws_trace_tally_entry){.key = copy};
    tally->slots[slot] = (uint32_t)tally->count;
    return true;
}

bool ws_trace_tally_add(ws_trace_tally *tally, ws_text key, ws_gpu_time work)
{
    WS_ASSERT(tally->arena != NULL);

    while (2 * (tally->count + 1) > tally->slot_count) {
        if (!tally_widen(tally)) {
            return false;
        }
    }
    size_t slot = tally_slot(tally, key);
    if (tally->slots[slot] == 0 && !tally_insert(tally, slot, key)) {
        return false;
    }
    ws_trace_tally_entry *entry = &tally->entries[tally->slots[slot] - 1];
    entry->jobs++;
    entry->work = ws_gpu_time_add(entry->work, work);
    return true;
}

size_t ws_trace_tally_number(const ws_trace_tally *tally, ws_text key)
{
    WS_ASSERT(tally->slots != NULL || tally->count == 0);

    return tally->slots != NULL ? tally->slots[tally_slot(tally, key)] : 0;
}

static int tally_compare(const void *left, const void *right)
{
    const ws_trace_tally_entry *a = left;
    const ws_trace_tally_entry *b = right;

    if (a->work.gpu_ns != b->work.gpu_ns) {
        return a->work.gpu_ns > b->work.gpu_ns ? -1 : 1;
    }
    if (a->jobs != b->jobs) {
        return a->jobs > b->jobs ? -1 : 1;
    }
    return ws_text_compare(a->key, b->key);
}

void ws_trace_tally_sort(ws_trace_tally *tally)
{
    WS_ASSERT(tally != NULL);
    if (tally->count > 1) {
        gsl_heapsort(tally->entries, tally->count, sizeof *tally->entries, tally_compare);
    }
    tally->slots = NULL; /* they name entries by their old places */
    tally->slot_count = 0;
}
