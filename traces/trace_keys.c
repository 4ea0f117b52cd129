/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A merge sort from the bottom up. qsort() may swap equal keys, which would make the order of jobs
 * that arrive together depend on the C library.
 */
#include "ws/trace_keys.h"

#include <stdbool.h>
#include <string.h>

#include "ws/assert.h"

static bool keys_are_sorted(const ws_trace_key *keys, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        if (keys[i].key < keys[i - 1].key) {
            return false;
        }
    }
    return true;
}

/* Merges from[low, middle) and from[middle, high) into to[low, high); the left one wins ties. */
static void keys_merge(const ws_trace_key *from, ws_trace_key *to, size_t low, size_t middle,
                       size_t high)
{
    size_t left = low;
    size_t right = middle;

    for (size_t i = low; i < high; i++) {
        bool take_left = left < middle && (right >= high || from[left].key <= from[right].key);

        to[i] = take_left ? from[left++] : from[right++];
    }
}

void ws_trace_keys_sort(ws_trace_key *keys, ws_trace_key *spare, size_t count)
{
    ws_trace_key *from = keys;
    ws_trace_key *to = spare;

    WS_ASSERT(count == 0 || (keys != NULL && spare != NULL));
    if (keys_are_sorted(keys, count)) {
        return;
    }
    for (size_t width = 1; width < count; width *= 2) {
        for (size_t low = 0; low < count; low += 2 * width) {
            size_t middle = low + width < count ? low + width : count;
            size_t high = low + 2 * width < count ? low + 2 * width : count;

            keys_merge(from, to, low, middle, high);
        }
        ws_trace_key *swapped = from;

        from = to;
        to = swapped;
    }
    if (from != keys) {
        memcpy(keys, from, count * sizeof *keys);
    }
}
