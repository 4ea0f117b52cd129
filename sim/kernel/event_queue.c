/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "event_queue.h"

#include <assert.h>

#define EVENT_QUEUE_ARITY ((size_t)4)
#define EVENT_QUEUE_CAPACITY_MAX ((size_t)1 << 31)
#define EVENT_QUEUE_PHASE_SHIFT 56 /* leaves room for 7e16 events */

static_assert(WS_PHASE_RECORD < 256, "a phase has one byte of the key");

/*
 * Written without branches: which of four children is first is as good as random, so that a jump
 * here would be mispredicted at every level.
 */
static inline bool event_queue_is_before(const ws_event_entry *a, const ws_event_entry *b)
{
    bool is_earlier = a->when_ns < b->when_ns;
    bool is_tied = a->when_ns == b->when_ns;
    bool is_ordered = a->order < b->order;

    return is_earlier | (is_tied & is_ordered);
}

static inline void event_queue_put(ws_event_queue *queue, size_t position, ws_event_entry entry)
{
    queue->heap[position] = entry;
    queue->positions[entry.slot] = (uint32_t)position;
}

/* Puts `entry` at `position` or at an ancestor's place, which moves down for it. */
static void event_queue_sift_up(ws_event_queue *queue, size_t position, ws_event_entry entry)
{
    WS_ASSERT(position < queue->count);

    while (position > 0) {
        size_t parent = (position - 1) / EVENT_QUEUE_ARITY;

        if (!event_queue_is_before(&entry, &queue->heap[parent])) {
            break;
        }
        event_queue_put(queue, position, queue->heap[parent]);
        position = parent;
    }
    event_queue_put(queue, position, entry);
}

/* The first of the children from `child` on; a full set of four takes the same path every time. */
static inline size_t event_queue_first_child(const ws_event_queue *queue, size_t child)
{
    const ws_event_entry *heap = queue->heap;
    size_t end = child + EVENT_QUEUE_ARITY;
    size_t first = child;

    if (end > queue->count) {
        for (size_t i = child + 1; i < queue->count; i++) {
            first = event_queue_is_before(&heap[i], &heap[first]) ? i : first;
        }
        return first;
    }
    size_t left = child + (size_t)event_queue_is_before(&heap[child + 1], &heap[child]);
    size_t right = child + 2 + (size_t)event_queue_is_before(&heap[child + 3], &heap[child + 2]);

    return event_queue_is_before(&heap[right], &heap[left]) ? right : left;
}

/* Puts `entry` at `position` or at a descendant's place, which moves up for it. */
static void event_queue_sift_down(ws_event_queue *queue, size_t position, ws_event_entry entry)
{
    size_t child = EVENT_QUEUE_ARITY * position + 1;

    WS_ASSERT(position < queue->count);

    while (child < queue->count) {
        size_t first = event_queue_first_child(queue, child);

        if (!event_queue_is_before(&queue->heap[first], &entry)) {
            break;
        }
        event_queue_put(queue, position, queue->heap[first]);
        position = first;
        child = EVENT_QUEUE_ARITY * position + 1;
    }
    event_queue_put(queue, position, entry);
}

/* Puts `entry` where it belongs, from a hole at `position` anywhere in the heap. */
static void event_queue_settle(ws_event_queue *queue, size_t position, ws_event_entry entry)
{
    size_t parent = position == 0 ? 0 : (position - 1) / EVENT_QUEUE_ARITY;

    if (position > 0 && event_queue_is_before(&entry, &queue->heap[parent])) {
        event_queue_sift_up(queue, position, entry);
    } else {
        event_queue_sift_down(queue, position, entry);
    }
}

/* Closes the hole at `position` with the last entry. */
static void event_queue_close(ws_event_queue *queue, size_t position)
{
    WS_ASSERT(position < queue->count);

    queue->count -= 1;
    if (position < queue->count) {
        event_queue_settle(queue, position, queue->heap[queue->count]);
    }
}

static uint32_t event_queue_take_slot(ws_event_queue *queue)
{
    uint32_t slot = queue->first_free;

    WS_ASSERT(slot <= queue->slots_used);

    if (slot == 0) {
        WS_ASSERT(queue->slots_used < queue->capacity);
        slot = queue->slots_used;
        queue->slots_used += 1;
        return slot;
    }
    slot -= 1;
    queue->first_free = queue->positions[slot];
    return slot;
}

/* Last out is first in: the slot is still in the cache when the next event wants one. */
static void event_queue_give_slot(ws_event_queue *queue, uint32_t slot)
{
    WS_ASSERT(slot < queue->slots_used);

    queue->slots[slot].generation += 1;
    queue->positions[slot] = queue->first_free;
    queue->first_free = slot + 1;
}

static uint64_t event_queue_next_order(ws_event_queue *queue, uint64_t phase)
{
    uint64_t sequence = queue->sequence;

    WS_ASSERT(sequence >> EVENT_QUEUE_PHASE_SHIFT == 0);
    queue->sequence = sequence + 1;
    return (phase << EVENT_QUEUE_PHASE_SHIFT) | sequence;
}

bool ws_event_queue_init(ws_event_queue *queue, ws_arena *arena, size_t capacity)
{
    ws_event_queue made = {.capacity = capacity};

    WS_ASSERT(queue != NULL);
    WS_ASSERT(capacity >= 1);
    WS_ASSERT(capacity <= EVENT_QUEUE_CAPACITY_MAX);

    made.heap = ws_arena_alloc(arena, ws_event_entry, capacity);
    made.slots = ws_arena_alloc(arena, ws_event_slot, capacity);
    made.positions = ws_arena_alloc(arena, uint32_t, capacity);
    if (made.heap == NULL || made.slots == NULL || made.positions == NULL) {
        return false;
    }
    *queue = made;
    return true;
}

ws_event_handle ws_event_queue_push(ws_event_queue *queue, ws_time when, const ws_event *event)
{
    WS_ASSERT(when.ns >= 0);
    WS_ASSERT(when.ns < WS_TIME_NEVER.ns);
    WS_ASSERT(event->action != NULL);
    WS_ASSERT((unsigned)event->phase <= WS_PHASE_RECORD);
    WS_ASSERT(queue->count < queue->capacity);

    uint32_t slot = event_queue_take_slot(queue);
    ws_event_slot *filled = &queue->slots[slot];
    ws_event_entry entry = {
        .when_ns = (uint64_t)when.ns,
        .order = event_queue_next_order(queue, (uint64_t)event->phase),
        .slot = slot,
    };

    filled->action = event->action;
    filled->context = event->context;
    filled->argument = event->argument;
    queue->count += 1;
    event_queue_sift_up(queue, queue->count - 1, entry);
    return (ws_event_handle){.index = slot + 1, .generation = filled->generation};
}

bool ws_event_queue_move(ws_event_queue *queue, ws_event_handle handle, ws_time when)
{
    WS_ASSERT(when.ns >= 0);
    WS_ASSERT(when.ns < WS_TIME_NEVER.ns);

    if (!ws_event_queue_has(queue, handle)) {
        return false;
    }
    size_t position = queue->positions[handle.index - 1];
    ws_event_entry entry = queue->heap[position];

    entry.when_ns = (uint64_t)when.ns;
    entry.order = event_queue_next_order(queue, entry.order >> EVENT_QUEUE_PHASE_SHIFT);
    event_queue_settle(queue, position, entry);
    return true;
}

bool ws_event_queue_remove(ws_event_queue *queue, ws_event_handle handle)
{
    if (!ws_event_queue_has(queue, handle)) {
        return false;
    }
    event_queue_close(queue, queue->positions[handle.index - 1]);
    event_queue_give_slot(queue, handle.index - 1);
    return true;
}

ws_time ws_event_queue_pop(ws_event_queue *queue, ws_event *event)
{
    WS_ASSERT(queue->count > 0);

    ws_event_entry first = queue->heap[0];
    const ws_event_slot *slot = &queue->slots[first.slot];

    *event = (ws_event){
        .action = slot->action,
        .context = slot->context,
        .argument = slot->argument,
        .phase = (ws_phase)(first.order >> EVENT_QUEUE_PHASE_SHIFT),
    };
    event_queue_close(queue, 0);
    event_queue_give_slot(queue, first.slot);
    return (ws_time){.ns = (int64_t)first.when_ns};
}

ws_time ws_event_queue_when(const ws_event_queue *queue, ws_event_handle handle)
{
    if (!ws_event_queue_has(queue, handle)) {
        return WS_TIME_NEVER;
    }
    size_t position = queue->positions[handle.index - 1];

    WS_ASSERT(position < queue->count);
    return (ws_time){.ns = (int64_t)queue->heap[position].when_ns};
}

bool ws_event_queue_is_sound(const ws_event_queue *queue)
{
    size_t free_count = 0;

    for (size_t i = 0; i < queue->count; i++) {
        const ws_event_entry *entry = &queue->heap[i];

        if (entry->slot >= queue->slots_used || queue->positions[entry->slot] != i) {
            return false;
        }
        if (i > 0 && !event_queue_is_before(&queue->heap[(i - 1) / EVENT_QUEUE_ARITY], entry)) {
            return false;
        }
    }
    /* A list that runs in a circle is longer than there are slots. */
    for (uint32_t slot = queue->first_free; slot != 0; slot = queue->positions[slot - 1]) {
        free_count += 1;
        if (slot > queue->slots_used || free_count > queue->slots_used) {
            return false;
        }
    }
    return queue->count + free_count == queue->slots_used && queue->slots_used <= queue->capacity;
}
