/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tally.h"

#include <gsl/gsl_heapsort.h>

#include "ws/assert.h"

void ws_trace_tally_init(ws_trace_tally *tally, ws_arena *arena)
{
    WS_ASSERT(tally != NULL);

    *tally = (ws_trace_tally){.capacity = 0};
    ws_trace_names_init(&tally->keys, arena);
}

/* An entry for the last name. */
static bool tally_append(ws_trace_tally *tally)
{
    const ws_trace_names *keys = &tally->keys;
    size_t last = keys->count - 1;
    ws_trace_tally_entry *grown = ws_arena_grow(keys->arena, tally->entries, last, keys->count,
                                                &tally->capacity, sizeof *grown);

    if (grown == NULL) {
        return false;
    }
    tally->entries = grown;
    tally->entries[last] = (ws_trace_tally_entry){.key = keys->items[last]};
    return true;
}

bool ws_trace_tally_add(ws_trace_tally *tally, ws_text key, ws_gpu_time work)
{
    size_t before = tally->keys.count;
    size_t index = 0;

    if (!ws_trace_names_index(&tally->keys, key, &index) ||
        (tally->keys.count > before && !tally_append(tally))) {
        return false;
    }
    ws_trace_tally_entry *entry = &tally->entries[index];

    entry->jobs++;
    entry->work = ws_gpu_time_add(entry->work, work);
    return true;
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
    if (tally->keys.count > 1) {
        gsl_heapsort(tally->entries, tally->keys.count, sizeof *tally->entries, tally_compare);
    }
}
