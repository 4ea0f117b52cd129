/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The clock and the loop: what may be scheduled when, how a run ends, and what the check hook sees.
 */
#include "ws/kernel.h"

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

TestSuite(kernel);

enum { WORLD_ROOM = 16 };

#define NO_LIMIT UINT64_MAX

/* A kernel and a diary: which argument ran when. */
typedef struct {
    ws_arena arena;
    ws_kernel *kernel;
    uint64_t ran[WORLD_ROOM];
    int64_t at_ns[WORLD_ROOM];
    size_t ran_count;
    uint64_t checks;
    uint64_t check_fails_at; /* event count; 0: never */
    ws_event_handle own;
} world;

static void world_init(world *w)
{
    *w = (world){.ran_count = 0};
    ws_arena_init(&w->arena, &ws_allocator_default, SIZE_MAX);
    w->kernel = ws_kernel_new(&w->arena, WORLD_ROOM);
    cr_assert(w->kernel != NULL);
}

static void world_write(void *context, uint64_t argument)
{
    world *w = context;

    cr_assert(lt(sz, w->ran_count, WORLD_ROOM));
    w->ran[w->ran_count] = argument;
    w->at_ns[w->ran_count] = ws_kernel_now(w->kernel).ns;
    w->ran_count += 1;
}

static ws_event_handle world_at(world *w, int64_t when_ns, ws_event_action *action,
                                uint64_t argument)
{
    ws_event event = {.action = action, .context = w, .argument = argument, .phase = WS_PHASE_ENDS};

    return ws_kernel_at(w->kernel, (ws_time){.ns = when_ns}, &event);
}

static ws_kernel_outcome world_run(world *w, int64_t horizon_ns)
{
    return ws_kernel_run(w->kernel, (ws_time){.ns = horizon_ns}, NO_LIMIT);
}

Test(kernel, starts_at_zero_with_nothing_to_do)
{
    world w;

    world_init(&w);
    cr_expect(eq(i64, ws_kernel_now(w.kernel).ns, 0));
    cr_expect(eq(u64, ws_kernel_event_count(w.kernel), 0));
    cr_expect(eq(sz, ws_kernel_pending_count(w.kernel), 0));
    cr_expect(eq(int, (int)world_run(&w, 100), WS_KERNEL_EMPTY));
    cr_expect(eq(i64, ws_kernel_now(w.kernel).ns, 0), "the clock stands at the last event");
    ws_arena_reset(&w.arena);
}

Test(kernel, runs_in_order_and_moves_the_clock)
{
    world w;

    world_init(&w);
    (void)world_at(&w, 20, world_write, 2);
    (void)world_at(&w, 10, world_write, 1);
    (void)world_at(&w, 0, world_write, 0);
    cr_expect(eq(int, (int)world_run(&w, INT64_MAX), WS_KERNEL_EMPTY));
    cr_assert(eq(sz, w.ran_count, 3));
    for (size_t i = 0; i < 3; i++) {
        cr_expect(eq(u64, w.ran[i], i));
        cr_expect(eq(i64, w.at_ns[i], 10 * (int64_t)i));
    }
    cr_expect(eq(i64, ws_kernel_now(w.kernel).ns, 20));
    cr_expect(eq(u64, ws_kernel_event_count(w.kernel), 3));
    ws_arena_reset(&w.arena);
}

Test(kernel, an_event_at_the_horizon_runs_and_one_behind_it_waits)
{
    world w;

    world_init(&w);
    (void)world_at(&w, 50, world_write, 1);
    (void)world_at(&w, 51, world_write, 2);
    cr_expect(eq(int, (int)world_run(&w, 50), WS_KERNEL_HORIZON));
    cr_expect(eq(sz, w.ran_count, 1));
    cr_expect(eq(i64, ws_kernel_now(w.kernel).ns, 50));

    /* The same horizon again changes nothing; a later one goes on, and the clock goes up to it. */
    cr_expect(eq(int, (int)world_run(&w, 50), WS_KERNEL_HORIZON));
    cr_expect(eq(sz, w.ran_count, 1));
    (void)world_at(&w, 200, world_write, 3);
    cr_expect(eq(int, (int)world_run(&w, 90), WS_KERNEL_HORIZON));
    cr_expect(eq(sz, w.ran_count, 2));
    cr_expect(eq(i64, ws_kernel_now(w.kernel).ns, 90));
    ws_arena_reset(&w.arena);
}

static void world_write_again(void *context, uint64_t argument)
{
    world *w = context;
    ws_event event = {.action = world_write_again,
                      .context = w,
                      .argument = argument + 1,
                      .phase = WS_PHASE_ENDS};

    world_write(w, argument);
    (void)ws_kernel_after(w->kernel, (ws_duration){.ns = 10}, &event);
}

Test(kernel, delays_count_from_the_running_event)
{
    world w;

    world_init(&w);
    (void)world_at(&w, 5, world_write_again, 0);
    cr_expect(eq(int, (int)world_run(&w, 34), WS_KERNEL_HORIZON));
    cr_assert(eq(sz, w.ran_count, 3)); /* at 5, 15 and 25 */
    cr_expect(eq(i64, w.at_ns[2], 25));
    ws_arena_reset(&w.arena);
}

Test(kernel, stops_at_the_most_events_over_its_life)
{
    world w;

    world_init(&w);
    (void)world_at(&w, 10, world_write_again, 0);
    cr_expect(eq(int, (int)ws_kernel_run(w.kernel, WS_TIME_NEVER, 3), WS_KERNEL_LIMIT));
    cr_expect(eq(sz, w.ran_count, 3));
    cr_expect(eq(i64, ws_kernel_now(w.kernel).ns, 30));
    cr_expect(eq(int, (int)ws_kernel_run(w.kernel, WS_TIME_NEVER, 3), WS_KERNEL_LIMIT));
    cr_expect(eq(sz, w.ran_count, 3), "the bound counts over the life of the kernel");
    cr_expect(eq(int, (int)ws_kernel_run(w.kernel, WS_TIME_NEVER, 4), WS_KERNEL_LIMIT));
    cr_expect(eq(sz, w.ran_count, 4));

    /* Nothing more is due before the horizon: the limit did not cut anything off. */
    ws_time before_next = {.ns = 45};
    cr_expect(eq(int, (int)ws_kernel_run(w.kernel, before_next, 4), WS_KERNEL_HORIZON));
    ws_arena_reset(&w.arena);
}

static void world_stop(void *context, uint64_t argument)
{
    world *w = context;

    world_write(w, argument);
    ws_kernel_stop(w->kernel);
}

Test(kernel, stops_after_the_running_event)
{
    world w;

    world_init(&w);
    (void)world_at(&w, 1, world_stop, 1);
    (void)world_at(&w, 1, world_write, 2);
    cr_expect(eq(int, (int)world_run(&w, 100), WS_KERNEL_STOPPED));
    cr_expect(eq(sz, w.ran_count, 1));
    cr_expect(eq(i64, ws_kernel_now(w.kernel).ns, 1), "not the horizon");
    cr_expect(eq(int, (int)world_run(&w, 100), WS_KERNEL_EMPTY), "and may go on");
    cr_expect(eq(sz, w.ran_count, 2));

    ws_kernel_stop(w.kernel); /* outside of a run: no effect */
    (void)world_at(&w, 2, world_write, 3);
    cr_expect(eq(int, (int)world_run(&w, 100), WS_KERNEL_EMPTY));
    cr_expect(eq(sz, w.ran_count, 3));
    ws_arena_reset(&w.arena);
}

static bool world_check(void *context)
{
    world *w = context;

    w->checks += 1;
    return ws_kernel_event_count(w->kernel) != w->check_fails_at;
}

Test(kernel, checks_after_every_event)
{
    world w;

    world_init(&w);
    ws_kernel_set_check(w.kernel, world_check, &w);
    (void)world_at(&w, 1, world_write_again, 0);
    cr_expect(eq(int, (int)world_run(&w, 41), WS_KERNEL_HORIZON));
    cr_expect(eq(u64, w.checks, 5)); /* at 1, 11, 21, 31, 41 */

    w.check_fails_at = 7;
    cr_expect(eq(int, (int)world_run(&w, 1000), WS_KERNEL_STOPPED));
    cr_expect(eq(u64, w.checks, 7));
    cr_expect(eq(sz, w.ran_count, 7));

    ws_kernel_set_check(w.kernel, NULL, NULL);
    cr_expect(eq(int, (int)world_run(&w, 71), WS_KERNEL_HORIZON));
    cr_expect(eq(u64, w.checks, 7), "none is called any more");
    ws_arena_reset(&w.arena);
}

Test(kernel, never_schedules_nothing)
{
    world w;

    world_init(&w);
    ws_event_handle never = world_at(&w, INT64_MAX, world_write, 0);
    cr_expect(eq(u32, never.index, 0));
    cr_expect(eq(u32, never.generation, 0));
    cr_expect(not(ws_kernel_is_pending(w.kernel, never)));

    /* A delay beyond the clock is never as well, not an overflow. */
    ws_event event = {.action = world_write, .context = &w, .phase = WS_PHASE_ENDS};
    (void)world_at(&w, 1, world_write, 1);
    (void)world_run(&w, 1);
    never = ws_kernel_after(w.kernel, (ws_duration){.ns = INT64_MAX}, &event);
    cr_expect(eq(u32, never.index, 0));
    cr_expect(eq(sz, ws_kernel_pending_count(w.kernel), 0));
    ws_arena_reset(&w.arena);
}

Test(kernel, moves_and_cancels)
{
    world w;

    world_init(&w);
    ws_event_handle early = world_at(&w, 10, world_write, 1);
    ws_event_handle late = world_at(&w, 20, world_write, 2);
    ws_event_handle gone = world_at(&w, 15, world_write, 3);
    ws_event_handle parked = world_at(&w, 16, world_write, 4);

    cr_expect(ws_kernel_cancel(w.kernel, gone));
    cr_expect(not(ws_kernel_cancel(w.kernel, gone)));
    cr_expect(not(ws_kernel_move(w.kernel, gone, (ws_time){.ns = 12})));
    cr_expect(ws_kernel_move(w.kernel, parked, WS_TIME_NEVER));
    cr_expect(not(ws_kernel_is_pending(w.kernel, parked)), "moved to never is cancelled");
    cr_expect(ws_kernel_move(w.kernel, early, (ws_time){.ns = 30}));
    cr_expect(ws_kernel_is_pending(w.kernel, early));
    cr_expect(eq(i64, ws_kernel_when(w.kernel, early).ns, 30));
    cr_expect(eq(i64, ws_kernel_when(w.kernel, gone).ns, INT64_MAX));
    cr_expect(eq(sz, ws_kernel_pending_count(w.kernel), 2));
    (void)world_run(&w, INT64_MAX);
    cr_assert(eq(sz, w.ran_count, 2));
    cr_expect(eq(u64, w.ran[0], 2));
    cr_expect(eq(u64, w.ran[1], 1));
    cr_expect(not(ws_kernel_is_pending(w.kernel, late)));
    ws_arena_reset(&w.arena);
}

static void world_look_at_itself(void *context, uint64_t argument)
{
    world *w = context;

    world_write(w, argument);
    cr_expect(not(ws_kernel_is_pending(w->kernel, w->own)));
    cr_expect(not(ws_kernel_cancel(w->kernel, w->own)));
    (void)world_at(w, ws_kernel_now(w->kernel).ns, world_write, argument + 1);
}

Test(kernel, the_running_event_is_no_longer_pending_and_may_schedule_now)
{
    world w;

    world_init(&w);
    w.own = world_at(&w, 10, world_look_at_itself, 0);
    cr_expect(eq(int, (int)world_run(&w, 10), WS_KERNEL_EMPTY));
    cr_assert(eq(sz, w.ran_count, 2));
    cr_expect(eq(i64, w.at_ns[1], 10));
    ws_arena_reset(&w.arena);
}

Test(kernel, scheduling_in_the_past_is_a_bug, .signal = SIGABRT)
{
    world w;

    world_init(&w);
    (void)world_at(&w, 10, world_write, 0);
    (void)world_run(&w, 10);
    (void)world_at(&w, 9, world_write, 0);
}

Test(kernel, moving_into_the_past_is_a_bug, .signal = SIGABRT)
{
    world w;

    world_init(&w);
    (void)world_at(&w, 10, world_write, 0);
    ws_event_handle later = world_at(&w, 20, world_write, 0);
    (void)world_run(&w, 10);
    (void)ws_kernel_move(w.kernel, later, (ws_time){.ns = 9});
}

Test(kernel, a_negative_delay_is_a_bug, .signal = SIGABRT)
{
    world w;
    ws_event event = {.action = world_write, .context = &w, .phase = WS_PHASE_ENDS};

    world_init(&w);
    (void)ws_kernel_after(w.kernel, (ws_duration){.ns = -1}, &event);
}

Test(kernel, reports_an_exhausted_arena)
{
    ws_arena arena;

    ws_arena_init(&arena, &ws_allocator_default, 20000);
    cr_expect(ws_kernel_new(&arena, 1000) == NULL);
    ws_arena_reset(&arena);
    ws_arena_init(&arena, &ws_allocator_default, 0);
    cr_expect(ws_kernel_new(&arena, 1) == NULL);
    ws_arena_reset(&arena);
}
