/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The queue against its contract: the order (when, phase, sequence), handles that go stale,
 * capacity, and long random histories side by side with the plainest model there is, a list that is
 * searched from end to end.
 */
#include "event_queue.h"

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "support/support.h"

#include "ws/random.h"

TestSuite(event_queue);

enum { QUEUE_ROOM = 64, MODEL_ROOM = 300 };

static void queue_nothing(void *context, uint64_t argument)
{
    (void)context;
    (void)argument;
}

static ws_event queue_event(ws_phase phase, uint64_t argument)
{
    return (ws_event){.action = queue_nothing, .argument = argument, .phase = phase};
}

static ws_event_handle queue_push(ws_event_queue *queue, int64_t when_ns, ws_phase phase,
                                  uint64_t argument)
{
    ws_event event = queue_event(phase, argument);

    return ws_event_queue_push(queue, (ws_time){.ns = when_ns}, &event);
}

static uint64_t queue_pop(ws_event_queue *queue)
{
    ws_event event;

    (void)ws_event_queue_pop(queue, &event);
    return event.argument;
}

static void queue_make(ws_event_queue *queue, ws_arena *arena, size_t capacity)
{
    ws_arena_init(arena, &ws_allocator_default, SIZE_MAX);
    cr_assert(ws_event_queue_init(queue, arena, capacity));
}

Test(event_queue, is_empty_at_first)
{
    ws_arena arena;
    ws_event_queue queue;

    queue_make(&queue, &arena, 1);
    cr_expect(eq(sz, queue.count, 0));
    cr_expect(eq(i64, ws_event_queue_first(&queue).ns, INT64_MAX));
    cr_expect(not(ws_event_queue_has(&queue, (ws_event_handle){0, 0})));
    cr_expect(not(ws_event_queue_has(&queue, (ws_event_handle){1, 0})), "slot 0 was never used");
    cr_expect(ws_event_queue_is_sound(&queue));
    ws_arena_reset(&arena);
}

Test(event_queue, orders_by_time)
{
    ws_arena arena;
    ws_event_queue queue;

    queue_make(&queue, &arena, QUEUE_ROOM);
    (void)queue_push(&queue, 30, WS_PHASE_ENDS, 3);
    (void)queue_push(&queue, 0, WS_PHASE_RECORD, 0);
    (void)queue_push(&queue, INT64_MAX - 1, WS_PHASE_ENDS, 4);
    (void)queue_push(&queue, 20, WS_PHASE_DECIDE, 2);
    (void)queue_push(&queue, 10, WS_PHASE_RECORD, 1);
    for (uint64_t expected = 0; expected < 5; expected++) {
        cr_expect(eq(u64, queue_pop(&queue), expected));
    }
    ws_arena_reset(&arena);
}

Test(event_queue, orders_equal_times_by_phase_then_by_sequence)
{
    ws_arena arena;
    ws_event_queue queue;

    /* Two of each phase, the phases in falling order: each phase's first must run before its
     * second. */
    queue_make(&queue, &arena, QUEUE_ROOM);
    for (int32_t phase = WS_PHASE_RECORD; phase >= WS_PHASE_ENDS; phase--) {
        (void)queue_push(&queue, 7, (ws_phase)phase, 2 * (uint64_t)phase);
        (void)queue_push(&queue, 7, (ws_phase)phase, 2 * (uint64_t)phase + 1);
    }
    for (uint64_t expected = 0; expected <= 2 * WS_PHASE_RECORD + 1; expected++) {
        cr_expect(eq(u64, queue_pop(&queue), expected));
    }
    ws_arena_reset(&arena);
}

Test(event_queue, phases_keep_their_documented_order)
{
    /* ws/kernel.h: what is done, lost, new; then heard; settled; seen; decided; applied; recorded.
     */
    cr_expect(lt(int, WS_PHASE_ENDS, WS_PHASE_LOSSES));
    cr_expect(lt(int, WS_PHASE_LOSSES, WS_PHASE_ARRIVALS));
    cr_expect(lt(int, WS_PHASE_ARRIVALS, WS_PHASE_NEWS));
    cr_expect(lt(int, WS_PHASE_NEWS, WS_PHASE_SETTLE));
    cr_expect(lt(int, WS_PHASE_SETTLE, WS_PHASE_OBSERVE));
    cr_expect(lt(int, WS_PHASE_OBSERVE, WS_PHASE_DECIDE));
    cr_expect(lt(int, WS_PHASE_DECIDE, WS_PHASE_APPLY));
    cr_expect(lt(int, WS_PHASE_APPLY, WS_PHASE_RECORD));
}

Test(event_queue, hands_back_what_was_scheduled)
{
    ws_arena arena;
    ws_event_queue queue;
    ws_event popped;
    int32_t owner = 0;
    ws_event event = {.action = queue_nothing,
                      .context = &owner,
                      .argument = UINT64_MAX,
                      .phase = WS_PHASE_OBSERVE};

    queue_make(&queue, &arena, 1);
    (void)ws_event_queue_push(&queue, (ws_time){.ns = 5}, &event);
    cr_expect(eq(i64, ws_event_queue_pop(&queue, &popped).ns, 5));
    cr_expect(popped.action == queue_nothing);
    cr_expect(eq(ptr, popped.context, &owner));
    cr_expect(eq(u64, popped.argument, UINT64_MAX));
    cr_expect(eq(int, (int)popped.phase, WS_PHASE_OBSERVE));
    ws_arena_reset(&arena);
}

Test(event_queue, a_moved_event_keeps_its_phase_and_comes_last_among_equals)
{
    ws_arena arena;
    ws_event_queue queue;

    queue_make(&queue, &arena, QUEUE_ROOM);
    ws_event_handle moved = queue_push(&queue, 5, WS_PHASE_LOSSES, 2);
    (void)queue_push(&queue, 9, WS_PHASE_LOSSES, 1);
    (void)queue_push(&queue, 9, WS_PHASE_ARRIVALS, 3);
    (void)queue_push(&queue, 9, WS_PHASE_ENDS, 0);
    cr_expect(ws_event_queue_move(&queue, moved, (ws_time){.ns = 9}));
    cr_expect(ws_event_queue_has(&queue, moved), "the handle stays good");
    cr_expect(eq(i64, ws_event_queue_when(&queue, moved).ns, 9));
    for (uint64_t expected = 0; expected < 4; expected++) {
        cr_expect(eq(u64, queue_pop(&queue), expected));
    }
    ws_arena_reset(&arena);
}

Test(event_queue, moving_to_the_same_time_counts_as_scheduling_anew)
{
    ws_arena arena;
    ws_event_queue queue;

    queue_make(&queue, &arena, QUEUE_ROOM);
    ws_event_handle first = queue_push(&queue, 5, WS_PHASE_ENDS, 1);
    (void)queue_push(&queue, 5, WS_PHASE_ENDS, 0);
    cr_expect(ws_event_queue_move(&queue, first, (ws_time){.ns = 5}));
    cr_expect(eq(u64, queue_pop(&queue), 0));
    cr_expect(eq(u64, queue_pop(&queue), 1));
    ws_arena_reset(&arena);
}

Test(event_queue, handles_go_stale)
{
    ws_arena arena;
    ws_event_queue queue;

    queue_make(&queue, &arena, 2);
    ws_event_handle popped = queue_push(&queue, 1, WS_PHASE_ENDS, 0);
    ws_event_handle removed = queue_push(&queue, 2, WS_PHASE_ENDS, 0);
    (void)queue_pop(&queue);
    cr_expect(ws_event_queue_remove(&queue, removed));
    cr_expect(not(ws_event_queue_remove(&queue, removed)), "twice");

    /* The slots are used again; the old handles must not reach the new events. */
    ws_event_handle second = queue_push(&queue, 3, WS_PHASE_ENDS, 0);
    ws_event_handle third = queue_push(&queue, 4, WS_PHASE_ENDS, 0);
    ws_event_handle stale[] = {popped, removed, {0, 0}, {3, 0}, {UINT32_MAX, 0}};
    for (size_t i = 0; i < WS_COUNT_OF(stale); i++) {
        cr_expect(not(ws_event_queue_has(&queue, stale[i])));
        cr_expect(not(ws_event_queue_move(&queue, stale[i], (ws_time){.ns = 9})));
        cr_expect(not(ws_event_queue_remove(&queue, stale[i])));
        cr_expect(eq(i64, ws_event_queue_when(&queue, stale[i]).ns, INT64_MAX));
    }
    cr_expect(eq(i64, ws_event_queue_when(&queue, second).ns, 3));
    cr_expect(eq(i64, ws_event_queue_when(&queue, third).ns, 4));
    cr_expect(ws_event_queue_is_sound(&queue));
    ws_arena_reset(&arena);
}

Test(event_queue, holds_exactly_its_capacity)
{
    ws_arena arena;
    ws_event_queue queue;

    queue_make(&queue, &arena, 3);
    for (int32_t round = 0; round < 4; round++) {
        for (uint64_t i = 0; i < 3; i++) {
            (void)queue_push(&queue, 10 - (int64_t)i, WS_PHASE_ENDS, i);
        }
        cr_expect(eq(sz, queue.count, 3));
        cr_expect(ws_event_queue_is_sound(&queue));
        for (uint64_t i = 3; i > 0; i--) {
            cr_expect(eq(u64, queue_pop(&queue), i - 1));
        }
    }
    ws_arena_reset(&arena);
}

Test(event_queue, one_event_too_many_is_a_bug, .signal = SIGABRT)
{
    ws_arena arena;
    ws_event_queue queue;

    queue_make(&queue, &arena, 1);
    (void)queue_push(&queue, 1, WS_PHASE_ENDS, 0);
    (void)queue_push(&queue, 1, WS_PHASE_ENDS, 0);
}

Test(event_queue, popping_nothing_is_a_bug, .signal = SIGABRT)
{
    ws_arena arena;
    ws_event_queue queue;

    queue_make(&queue, &arena, 1);
    (void)queue_pop(&queue);
}

Test(event_queue, reports_an_exhausted_arena)
{
    ws_arena arena;
    ws_event_queue queue = {.capacity = 42};

    /* A thousand entries of 24 bytes alone go beyond the bound. */
    ws_arena_init(&arena, &ws_allocator_default, 20000);
    cr_expect(not(ws_event_queue_init(&queue, &arena, 1000)));
    cr_expect(eq(sz, queue.capacity, 42), "untouched");
    ws_arena_reset(&arena);
}

/* The model: pending events in the order in which they were scheduled or last moved. */
typedef struct {
    int64_t when_ns;
    ws_phase phase;
    uint64_t id;
    ws_event_handle handle;
} model_event;

typedef struct {
    model_event events[MODEL_ROOM];
    size_t count;
    ws_event_handle last_stale;
    uint64_t next_id;
    ws_stream stream;
} model_list;

static uint64_t model_draw(model_list *model, uint64_t below)
{
    return gsl_rng_uniform_int(&model->stream.rng, below);
}

static void model_take(model_list *model, size_t at)
{
    for (size_t i = at + 1; i < model->count; i++) {
        model->events[i - 1] = model->events[i];
    }
    model->count -= 1;
}

/* Strictly earlier only, so that of equals the one that stands first in the list wins. */
static size_t model_first(const model_list *model)
{
    size_t first = 0;

    for (size_t i = 1; i < model->count; i++) {
        const model_event *a = &model->events[i];
        const model_event *b = &model->events[first];

        if (a->when_ns < b->when_ns || (a->when_ns == b->when_ns && a->phase < b->phase)) {
            first = i;
        }
    }
    return first;
}

static void model_push(model_list *model, ws_event_queue *queue, int64_t when_ns)
{
    ws_phase phase = (ws_phase)model_draw(model, WS_PHASE_RECORD + 1);
    uint64_t id = model->next_id;

    model->next_id += 1;
    model->events[model->count] =
        (model_event){when_ns, phase, id, queue_push(queue, when_ns, phase, id)};
    model->count += 1;
}

static void model_move(model_list *model, ws_event_queue *queue, int64_t when_ns)
{
    size_t at = model_draw(model, model->count);
    model_event moved = model->events[at];

    cr_assert(ws_event_queue_move(queue, moved.handle, (ws_time){.ns = when_ns}));
    model_take(model, at);
    moved.when_ns = when_ns;
    model->events[model->count] = moved;
    model->count += 1;
}

static void model_remove(model_list *model, ws_event_queue *queue)
{
    size_t at = model_draw(model, model->count);

    model->last_stale = model->events[at].handle;
    cr_assert(ws_event_queue_remove(queue, model->last_stale));
    model_take(model, at);
}

static void model_pop(model_list *model, ws_event_queue *queue)
{
    size_t at = model_first(model);
    const model_event *expected = &model->events[at];
    ws_event popped;
    ws_time when = ws_event_queue_pop(queue, &popped);

    cr_assert(eq(i64, when.ns, expected->when_ns));
    cr_assert(eq(u64, popped.argument, expected->id));
    cr_assert(eq(int, (int)popped.phase, (int)expected->phase));
    model->last_stale = expected->handle;
    model_take(model, at);
}

static void model_do_one(model_list *model, ws_event_queue *queue, uint64_t times)
{
    uint64_t choice = model_draw(model, 100);
    int64_t when_ns = (int64_t)model_draw(model, times);

    if (model->count == 0 || (choice < 40 && model->count < MODEL_ROOM)) {
        model_push(model, queue, when_ns);
    } else if (choice < 60) {
        model_move(model, queue, when_ns);
    } else if (choice < 70) {
        model_remove(model, queue);
    } else {
        model_pop(model, queue);
    }
}

static void model_compare(const model_list *model, const ws_event_queue *queue)
{
    cr_assert(ws_event_queue_is_sound(queue));
    cr_assert(eq(sz, queue->count, model->count));
    cr_assert(not(ws_event_queue_has(queue, model->last_stale)));
    for (size_t i = 0; i < model->count; i++) {
        const model_event *event = &model->events[i];

        cr_assert(eq(i64, ws_event_queue_when(queue, event->handle).ns, event->when_ns));
    }
}

/* A history of random operations; `times` different instants, few of them for many ties. */
static void model_run(uint64_t seed, uint64_t times, int64_t operations)
{
    ws_arena arena;
    ws_event_queue queue;
    model_list model = {.count = 0};

    queue_make(&queue, &arena, MODEL_ROOM);
    ws_stream_open(&model.stream, (ws_stream_key){.seed = seed, .purpose = WS_PURPOSE_TEST});
    for (int64_t i = 0; i < operations; i++) {
        model_do_one(&model, &queue, times);
        if (i % 8 == 0) {
            model_compare(&model, &queue);
        }
    }
    while (model.count > 0) {
        model_pop(&model, &queue);
    }
    cr_assert(eq(sz, queue.count, 0));
    ws_arena_reset(&arena);
}

Test(event_queue, random_histories_agree_with_a_searched_list)
{
    int64_t operations = ws_test_scaled(20000, 2000);

    for (uint64_t seed = 1; seed <= 4; seed++) {
        model_run(seed, 3, operations);         /* nearly everything is tied */
        model_run(seed, 100, operations);       /* some ties */
        model_run(seed, INT64_MAX, operations); /* none */
    }
}

Test(event_queue, soundness_is_not_always_true)
{
    ws_arena arena;
    ws_event_queue queue;

    queue_make(&queue, &arena, QUEUE_ROOM);
    for (int64_t i = 0; i < 20; i++) {
        (void)queue_push(&queue, i, WS_PHASE_ENDS, 0);
    }
    cr_expect(ws_event_queue_is_sound(&queue));
    queue.heap[7].when_ns = 0; /* before its parent, which runs at 1 */
    cr_expect(not(ws_event_queue_is_sound(&queue)));
    queue.heap[7].when_ns = 7;
    queue.positions[3] += 1;
    cr_expect(not(ws_event_queue_is_sound(&queue)));
    ws_arena_reset(&arena);
}
