/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The pending events of one kernel, in the order in which they run: (when, phase, sequence).
 *
 * An indexed 4-ary heap. The heap holds small entries with the whole key, so that a comparison
 * looks nowhere else; what an event does lies apart in a slot that does not move while it is
 * pending; and a dense array tells for each slot where its entry is, so that move and cancel find
 * it at once. Four children rather than two halve the depth, and they lie side by side.
 *
 * Invariants: no entry is before its parent; positions[heap[i].slot] == i for every i < count; a
 * slot is either in the heap or in the list of free slots; no two pending events have the same key.
 * push, move, remove and pop are O(log count), everything else O(1). Nothing allocates after init.
 */
#ifndef WS_KERNEL_EVENT_QUEUE_H
#define WS_KERNEL_EVENT_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ws/arena.h"
#include "ws/kernel.h"
#include "ws/time.h"

typedef struct {
    uint64_t when_ns;
    uint64_t order; /* phase in the highest byte, sequence below */
    uint32_t slot;
} ws_event_entry;

typedef struct {
    ws_event_action *action;
    void *context;
    uint64_t argument;
    uint32_t generation; /* of the handle while pending; raised when the event leaves */
} ws_event_slot;

typedef struct {
    ws_event_entry *heap;
    ws_event_slot *slots;
    uint32_t
        *positions; /* of a pending slot: its place in the heap; of a free one: the next free + 1 */
    uint32_t first_free; /* slot + 1; 0: none that was used before */
    uint32_t slots_used; /* slots from here on were never used */
    size_t count;
    size_t capacity;
    uint64_t sequence; /* of the next event */
} ws_event_queue;

/** @param capacity  1..2^31; false, and `queue` untouched, when the arena is exhausted */
WS_NODISCARD bool ws_event_queue_init(ws_event_queue *queue, ws_arena *arena, size_t capacity);

/** Adds an event at `when` >= 0, before WS_TIME_NEVER. There must be room. */
ws_event_handle ws_event_queue_push(ws_event_queue *queue, ws_time when, const ws_event *event);

/** Gives a pending event another time and the next sequence; false, and nothing done, when stale.
 */
bool ws_event_queue_move(ws_event_queue *queue, ws_event_handle handle, ws_time when);

/** Takes a pending event out; false, and nothing done, when stale. */
bool ws_event_queue_remove(ws_event_queue *queue, ws_event_handle handle);

/** Takes the first event out of a queue that is not empty. @param event  what it does; may not be
 * NULL */
ws_time ws_event_queue_pop(ws_event_queue *queue, ws_event *event);

/** Time of a pending event; WS_TIME_NEVER when stale. */
ws_time ws_event_queue_when(const ws_event_queue *queue, ws_event_handle handle);

/** True when every invariant above holds; O(count). For tests and checked builds. */
bool ws_event_queue_is_sound(const ws_event_queue *queue);

/** True while the event is pending. The zero handle never is. */
static inline bool ws_event_queue_has(const ws_event_queue *queue, ws_event_handle handle)
{
    return handle.index != 0 && handle.index <= queue->slots_used &&
           queue->slots[handle.index - 1].generation == handle.generation;
}

/** Time of the first event; WS_TIME_NEVER when the queue is empty. */
static inline ws_time ws_event_queue_first(const ws_event_queue *queue)
{
    return queue->count == 0 ? WS_TIME_NEVER : (ws_time){.ns = (int64_t)queue->heap[0].when_ns};
}

#endif
