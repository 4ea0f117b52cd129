/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How fast the engine is, as ratios to a yardstick that is measured in the same run, so that
 * figures of different machines can be laid side by side.
 *
 * Yardstick: the cheapest simulation there is. A counter of nanoseconds goes ahead by exponential
 * steps that are drawn as every model here draws them (Philox, logarithm, rounding), with no queue.
 * Each figure is operations per second over the yardstick's steps per second; at 1 the queue would
 * be free.
 *
 * - hold_N: the hold model. N events are pending, and each that runs schedules itself again one
 *   exponential step ahead. Source: D. Jones, "An empirical comparison of priority-queue and
 *   event-set implementations", CACM 29(4), 1986.
 * - move_N: N events are pending, and one after another is moved by one exponential step.
 * - cancel_N: N events are pending, and one after another is cancelled and scheduled anew.
 * - flows_N: N flows share one link, and each that is through begins again with an exponential
 *   number of bytes: a finish, an arrival, rates solved again, two events.
 * - flows_apart_N: likewise on links of ten flows each, which are nothing to one another.
 *
 * Time is the processor's, so that it does not count when others have it. Each round of a figure is
 * set against a round of the yardstick just before it, and the median of these ratios is shown.
 */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "ws/arena.h"
#include "ws/kernel.h"
#include "ws/random.h"
#include "ws/sharing.h"
#include "ws/statistics.h"

enum {
    SPEED_ROUNDS = 9,
    SPEED_STEPS = 500000, /* operations in one round */
    SPEED_PENDING_MAX = 100000,
    SPEED_LINK_FLOWS = 10 /* on one of the links that are apart */
};

/* One run of the engine: what its events need. */
typedef struct {
    ws_arena *arena;
    ws_kernel *kernel;
    ws_sharing *sharing;
    ws_flow_listener listener;
    ws_stream stream;
    ws_event_handle handles[SPEED_PENDING_MAX];
    uint32_t links[SPEED_PENDING_MAX]; /* of flows */
} speed_model;

/* Puts `pending` events, or flows, into a new model. */
typedef void speed_fill(speed_model *model, uint32_t pending);

/* Does SPEED_STEPS operations with `pending` events in the queue, or flows under way. */
typedef void speed_work(speed_model *model, uint32_t pending);

typedef struct {
    const char *name;
    speed_fill *fill;
    speed_work *work;
    uint32_t pending;
} speed_figure;

/* Medians over the rounds. */
typedef struct {
    double figure_per_s;
    double yardstick_per_s; /* beside this figure */
    double ratio;
} speed_result;

static ws_duration speed_draw_step(ws_stream *stream)
{
    double uniform = ws_stream_uniform(stream);

    return ws_duration_of_s(-log(uniform));
}

static void speed_work_yardstick(speed_model *model, uint32_t pending)
{
    ws_time clock = {.ns = 0};

    (void)pending;
    for (int32_t i = 0; i < SPEED_STEPS; i++) {
        clock = ws_time_add(clock, speed_draw_step(&model->stream));
    }
    /* Steps of a mean of one second; also keeps the loop from being left out. */
    WS_ASSERT(fabs(ws_time_s(clock) / SPEED_STEPS - 1) < 0.01);
}

static void speed_hold_again(void *context, uint64_t argument)
{
    speed_model *model = context;
    ws_event event = {
        .action = speed_hold_again, .context = model, .argument = argument, .phase = WS_PHASE_ENDS};

    (void)ws_kernel_after(model->kernel, speed_draw_step(&model->stream), &event);
}

static void speed_fill_events(speed_model *model, uint32_t pending)
{
    for (uint32_t i = 0; i < pending; i++) {
        ws_event event = {
            .action = speed_hold_again, .context = model, .argument = i, .phase = WS_PHASE_ENDS};

        model->handles[i] = ws_kernel_after(model->kernel, speed_draw_step(&model->stream), &event);
    }
}

static void speed_work_hold(speed_model *model, uint32_t pending)
{
    uint64_t target = ws_kernel_event_count(model->kernel) + SPEED_STEPS;
    ws_kernel_outcome outcome = ws_kernel_run(model->kernel, WS_TIME_NEVER, target);

    WS_ASSERT(outcome == WS_KERNEL_LIMIT);
    WS_ASSERT(ws_kernel_pending_count(model->kernel) == pending);
}

static void speed_work_move(speed_model *model, uint32_t pending)
{
    for (uint32_t i = 0; i < SPEED_STEPS; i++) {
        ws_event_handle handle = model->handles[i % pending];
        ws_duration step = speed_draw_step(&model->stream);
        bool is_moved =
            ws_kernel_move(model->kernel, handle, ws_time_add((ws_time){.ns = 0}, step));

        WS_ASSERT(is_moved);
    }
}

static void speed_work_cancel(speed_model *model, uint32_t pending)
{
    for (uint32_t i = 0; i < SPEED_STEPS; i++) {
        uint32_t chosen = i % pending;
        ws_event event = {.action = speed_hold_again,
                          .context = model,
                          .argument = chosen,
                          .phase = WS_PHASE_ENDS};
        bool is_cancelled = ws_kernel_cancel(model->kernel, model->handles[chosen]);

        WS_ASSERT(is_cancelled);
        model->handles[chosen] =
            ws_kernel_after(model->kernel, speed_draw_step(&model->stream), &event);
    }
}

static void speed_begin_flow(void *context, uint64_t argument)
{
    speed_model *model = context;
    double uniform = ws_stream_uniform(&model->stream);

    (void)ws_sharing_begin(model->sharing, &(ws_flow_spec){.path = &model->links[argument],
                                                           .path_count = 1,
                                                           .weight = 1,
                                                           .cap_bytes_per_s = (double)INFINITY,
                                                           .bytes = -log(uniform),
                                                           .listener = &model->listener,
                                                           .argument = argument});
}

/* `flows` flows, so many on each link of a byte a second for each of them. */
static void speed_fill_links(speed_model *model, uint32_t flows, uint32_t on_one_link)
{
    static const uint32_t link_max = SPEED_PENDING_MAX / SPEED_LINK_FLOWS;
    double capacities[SPEED_PENDING_MAX / SPEED_LINK_FLOWS];

    for (uint32_t i = 0; i < link_max; i++) {
        capacities[i] = on_one_link;
    }
    model->sharing = ws_sharing_new(model->arena, model->kernel,
                                    &(ws_sharing_options){.capacities = capacities,
                                                          .link_count = link_max,
                                                          .flow_capacity = SPEED_PENDING_MAX,
                                                          .crossing_capacity = SPEED_PENDING_MAX});
    WS_ASSERT(model->sharing != NULL);
    model->listener = (ws_flow_listener){.context = model, .finished = speed_begin_flow};
    for (uint32_t i = 0; i < flows; i++) {
        model->links[i] = i / on_one_link;
        speed_begin_flow(model, i);
    }
}

static void speed_fill_flows(speed_model *model, uint32_t pending)
{
    speed_fill_links(model, pending, pending);
}

static void speed_fill_apart(speed_model *model, uint32_t pending)
{
    speed_fill_links(model, pending, SPEED_LINK_FLOWS);
}

static void speed_work_flows(speed_model *model, uint32_t pending)
{
    uint64_t target = ws_kernel_event_count(model->kernel) + 2 * (uint64_t)SPEED_STEPS;
    ws_kernel_outcome outcome = ws_kernel_run(model->kernel, WS_TIME_NEVER, target);

    WS_ASSERT(outcome == WS_KERNEL_LIMIT);
    WS_ASSERT(ws_sharing_flow_count(model->sharing) == pending);
}

static const speed_figure speed_yardstick = {"yardstick", speed_fill_events, speed_work_yardstick,
                                             0};

static const speed_figure speed_figures[] = {
    {"hold_1k", speed_fill_events, speed_work_hold, 1000},
    {"hold_10k", speed_fill_events, speed_work_hold, 10000},
    {"hold_100k", speed_fill_events, speed_work_hold, 100000},
    {"move_1k", speed_fill_events, speed_work_move, 1000},
    {"move_100k", speed_fill_events, speed_work_move, 100000},
    {"cancel_1k", speed_fill_events, speed_work_cancel, 1000},
    {"cancel_100k", speed_fill_events, speed_work_cancel, 100000},
    {"flows_10", speed_fill_flows, speed_work_flows, 10},
    {"flows_1k", speed_fill_flows, speed_work_flows, 1000},
    {"flows_100k", speed_fill_flows, speed_work_flows, 100000},
    {"flows_apart_1k", speed_fill_apart, speed_work_flows, 1000},
    {"flows_apart_100k", speed_fill_apart, speed_work_flows, 100000},
};

/* Operations per second of one round, the filling of the queue not counted. */
static double speed_round_per_s(const speed_figure *figure)
{
    ws_arena arena;

    ws_arena_init(&arena, &ws_allocator_default, SIZE_MAX);
    speed_model *model = ws_arena_alloc(&arena, speed_model, 1);
    ws_kernel *kernel = ws_kernel_new(&arena, SPEED_PENDING_MAX + 1);

    WS_ASSERT(model != NULL);
    WS_ASSERT(kernel != NULL);
    model->arena = &arena;
    model->kernel = kernel;
    ws_stream_open(&model->stream, (ws_stream_key){.seed = 1, .purpose = WS_PURPOSE_TEST});
    figure->fill(model, figure->pending);
    if (figure->work == speed_work_hold || figure->work == speed_work_flows) {
        figure->work(model, figure->pending); /* the hold model's steady state */
    }
    double start_s = ws_speed_clock_s();
    figure->work(model, figure->pending);
    double spent_s = ws_speed_clock_s() - start_s;

    ws_arena_reset(&arena);
    return SPEED_STEPS / spent_s;
}

static double speed_median(double values[SPEED_ROUNDS])
{
    ws_sort_doubles(values, SPEED_ROUNDS);
    return ws_quantile_sorted(values, SPEED_ROUNDS, 0.5);
}

static speed_result speed_measure(const speed_figure *figure)
{
    double figures_per_s[SPEED_ROUNDS];
    double yardsticks_per_s[SPEED_ROUNDS];
    double ratios[SPEED_ROUNDS];

    for (int32_t round = 0; round < SPEED_ROUNDS; round++) {
        yardsticks_per_s[round] = speed_round_per_s(&speed_yardstick);
        figures_per_s[round] = speed_round_per_s(figure);
        ratios[round] = figures_per_s[round] / yardsticks_per_s[round];
    }
    return (speed_result){
        .yardstick_per_s = speed_median(yardsticks_per_s),
        .figure_per_s = speed_median(figures_per_s),
        .ratio = speed_median(ratios),
    };
}

static void speed_print_table(const speed_result results[])
{
    (void)printf("figure             ratio        per s   yardstick per s\n");
    for (size_t i = 0; i < WS_COUNT_OF(speed_figures); i++) {
        (void)printf("%-16s  %.4f  %11.0f  %16.0f\n", speed_figures[i].name, results[i].ratio,
                     results[i].figure_per_s, results[i].yardstick_per_s);
    }
}

static void speed_print_json(const speed_result results[])
{
    for (size_t i = 0; i < WS_COUNT_OF(speed_figures); i++) {
        (void)printf("%s\"%s\":%.4f", i == 0 ? "{" : ",", speed_figures[i].name, results[i].ratio);
    }
    (void)printf("}\n");
}

int main(int argument_count, char **arguments)
{
    bool is_json = argument_count == 2 && strcmp(arguments[1], "--json") == 0;
    speed_result results[WS_COUNT_OF(speed_figures)];

    if (argument_count > 1 && !is_json) {
        (void)fputs("usage: engine_speed [--json]\n", stderr);
        return 2;
    }
    for (size_t i = 0; i < WS_COUNT_OF(speed_figures); i++) {
        results[i] = speed_measure(&speed_figures[i]);
    }
    if (is_json) {
        speed_print_json(results);
    } else {
        speed_print_table(results);
    }
    return fflush(stdout) == 0 && ferror(stdout) == 0 ? 0 : 3;
}
