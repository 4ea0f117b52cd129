/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * The kernel: a clock, an event queue and the loop that joins them. It knows no job, node or
 * policy.
 *
 * The queue is an indexed 4-ary heap with handles: schedule, move and cancel are O(log n). Equal
 * times are ordered by (phase, sequence): phases are listed below with their meaning, the sequence
 * is the order of scheduling (moving an event counts as scheduling it anew). All storage is
 * reserved at init; nothing is allocated afterwards.
 *
 * Events never lie in the past. The clock stands still while one event runs. A kernel is a value on
 * one thread.
 */
#ifndef WS_KERNEL_H
#define WS_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ws/arena.h"
#include "ws/assert.h"
#include "ws/time.h"

/** The order of events at the same instant. What is done comes before what is lost, both before
 * anybody looks or decides. */
typedef enum {
    WS_PHASE_ENDS,     /* something completes: work, a stage, a write, a start, a repair */
    WS_PHASE_LOSSES,   /* something is taken away: a node fails, a notice expires */
    WS_PHASE_ARRIVALS, /* something new comes: a job is submitted, a node joins */
    WS_PHASE_NEWS,     /* the layers above hear of it */
    WS_PHASE_SETTLE,   /* consequences: rates and shares are solved again, capacity is handed out */
    WS_PHASE_OBSERVE,  /* monitoring scrapes */
    WS_PHASE_DECIDE,   /* policies are asked */
    WS_PHASE_APPLY,    /* what they asked for takes effect */
    WS_PHASE_RECORD    /* time series and snapshots are written */
} ws_phase;

/** A pending event; stale once it has run or was cancelled, and then safe to use. All zero: no
 * event. */
typedef struct {
    uint32_t index; /* slot + 1 */
    uint32_t generation;
} ws_event_handle;

/** What an event does. @param context the module that scheduled it; @param argument mostly the
 * index of an entity */
typedef void ws_event_action(void *context, uint64_t argument);

typedef struct {
    ws_event_action *action;
    void *context;
    uint64_t argument;
    ws_phase phase;
} ws_event;

typedef enum {
    WS_KERNEL_HORIZON, /* the horizon was reached; the clock stands at it */
    WS_KERNEL_EMPTY,   /* no event is left; the clock stands at the last one */
    WS_KERNEL_STOPPED, /* ws_kernel_stop() */
    WS_KERNEL_LIMIT    /* events_max was reached, and one more was due */
} ws_kernel_outcome;

/** Called after every event, in checked builds and tests: invariants. False stops the loop
 * (WS_KERNEL_STOPPED). */
typedef bool ws_kernel_check(void *context);

typedef struct ws_kernel ws_kernel;

/**
 * @param event_capacity  most events pending at once, 1..2^31; going beyond is a bug of the caller
 * @return                NULL when the arena is exhausted; ends with the arena
 */
ws_kernel *ws_kernel_new(ws_arena *arena, size_t event_capacity);

/** Time of the event that is running, or of the last one. 0 before the first. */
ws_time ws_kernel_now(const ws_kernel *kernel);

/** Events run so far. */
uint64_t ws_kernel_event_count(const ws_kernel *kernel);

/** Events pending now. */
size_t ws_kernel_pending_count(const ws_kernel *kernel);

/** Schedules an event at `when` >= now; WS_TIME_NEVER schedules nothing and gives the zero handle.
 */
ws_event_handle ws_kernel_at(ws_kernel *kernel, ws_time when, const ws_event *event);

/** Schedules an event `delay` >= 0 from now. */
ws_event_handle ws_kernel_after(ws_kernel *kernel, ws_duration delay, const ws_event *event);

/**
 * Moves a pending event to `when` >= now; it comes last among its equals there. WS_TIME_NEVER
 * cancels it. False, and nothing done, when the handle is stale.
 */
bool ws_kernel_move(ws_kernel *kernel, ws_event_handle handle, ws_time when);

/** Cancels a pending event. False, and nothing done, when the handle is stale. */
bool ws_kernel_cancel(ws_kernel *kernel, ws_event_handle handle);

/** True while the event is pending. */
bool ws_kernel_is_pending(const ws_kernel *kernel, ws_event_handle handle);

/** Time of a pending event; WS_TIME_NEVER when stale. */
ws_time ws_kernel_when(const ws_kernel *kernel, ws_event_handle handle);

/** Ends the loop after the event that is running. Outside of ws_kernel_run() it has no effect. */
void ws_kernel_stop(ws_kernel *kernel);

/** Sets what is called after every event; NULL: nothing. */
void ws_kernel_set_check(ws_kernel *kernel, ws_kernel_check *check, void *context);

/**
 * Runs all events with a time <= `horizon`, in order, then sets the clock to the horizon (unless
 * stopped or empty). May be called again with the same or a later horizon. The event that runs is
 * no longer pending: its own handle is stale.
 *
 * @param horizon     >= now; WS_TIME_NEVER runs until no event is left
 * @param events_max  most events over the life of the kernel
 */
ws_kernel_outcome ws_kernel_run(ws_kernel *kernel, ws_time horizon, uint64_t events_max);

#endif
