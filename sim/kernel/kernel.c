/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The clock and the loop. The event that runs has left the queue before its action is called, so
 * that the action may schedule again at once, and its own handle is already stale.
 */
#include "ws/kernel.h"

#include "event_queue.h"

struct ws_kernel {
    ws_event_queue queue;
    ws_time now;
    uint64_t event_count;
    bool is_stopping;
    ws_kernel_check *check;
    void *check_context;
};

ws_kernel *ws_kernel_new(ws_arena *arena, size_t event_capacity)
{
    WS_ASSERT(arena != NULL);

    ws_kernel *kernel = ws_arena_alloc(arena, ws_kernel, 1);

    if (kernel == NULL || !ws_event_queue_init(&kernel->queue, arena, event_capacity)) {
        return NULL;
    }
    return kernel;
}

ws_time ws_kernel_now(const ws_kernel *kernel)
{
    WS_ASSERT(kernel != NULL);

    return kernel->now;
}

uint64_t ws_kernel_event_count(const ws_kernel *kernel)
{
    WS_ASSERT(kernel != NULL);

    return kernel->event_count;
}

size_t ws_kernel_pending_count(const ws_kernel *kernel)
{
    WS_ASSERT(kernel != NULL);

    return kernel->queue.count;
}

ws_event_handle ws_kernel_at(ws_kernel *kernel, ws_time when, const ws_event *event)
{
    WS_ASSERT(when.ns >= kernel->now.ns);

    if (when.ns == WS_TIME_NEVER.ns) {
        return (ws_event_handle){.index = 0, .generation = 0};
    }
    return ws_event_queue_push(&kernel->queue, when, event);
}

ws_event_handle ws_kernel_after(ws_kernel *kernel, ws_duration delay, const ws_event *event)
{
    WS_ASSERT(delay.ns >= 0);

    return ws_kernel_at(kernel, ws_time_add(kernel->now, delay), event);
}

bool ws_kernel_move(ws_kernel *kernel, ws_event_handle handle, ws_time when)
{
    WS_ASSERT(when.ns >= kernel->now.ns);

    if (when.ns == WS_TIME_NEVER.ns) {
        return ws_event_queue_remove(&kernel->queue, handle);
    }
    return ws_event_queue_move(&kernel->queue, handle, when);
}

bool ws_kernel_cancel(ws_kernel *kernel, ws_event_handle handle)
{
    WS_ASSERT(kernel != NULL);

    return ws_event_queue_remove(&kernel->queue, handle);
}

bool ws_kernel_is_pending(const ws_kernel *kernel, ws_event_handle handle)
{
    WS_ASSERT(kernel != NULL);

    return ws_event_queue_has(&kernel->queue, handle);
}

ws_time ws_kernel_when(const ws_kernel *kernel, ws_event_handle handle)
{
    WS_ASSERT(kernel != NULL);

    return ws_event_queue_when(&kernel->queue, handle);
}

void ws_kernel_stop(ws_kernel *kernel)
{
    WS_ASSERT(kernel != NULL);

    kernel->is_stopping = true;
}

void ws_kernel_set_check(ws_kernel *kernel, ws_kernel_check *check, void *context)
{
    WS_ASSERT(kernel != NULL);

    kernel->check = check;
    kernel->check_context = context;
}

static void kernel_run_first(ws_kernel *kernel)
{
    ws_event event;
    ws_time when = ws_event_queue_pop(&kernel->queue, &event);

    WS_ASSERT(when.ns >= kernel->now.ns);
    WS_ASSERT(event.action != NULL);

    kernel->now = when;
    kernel->event_count += 1;
    event.action(event.context, event.argument);
    if (kernel->check != NULL && !kernel->check(kernel->check_context)) {
        kernel->is_stopping = true;
    }
}

ws_kernel_outcome ws_kernel_run(ws_kernel *kernel, ws_time horizon, uint64_t events_max)
{
    WS_ASSERT(horizon.ns >= kernel->now.ns);

    kernel->is_stopping = false;
    while (kernel->queue.count > 0) {
        if (ws_event_queue_first(&kernel->queue).ns > horizon.ns) {
            kernel->now = horizon;
            return WS_KERNEL_HORIZON;
        }
        if (kernel->event_count >= events_max) {
            return WS_KERNEL_LIMIT;
        }
        kernel_run_first(kernel);
        if (kernel->is_stopping) {
            return WS_KERNEL_STOPPED;
        }
    }
    return WS_KERNEL_EMPTY;
}
