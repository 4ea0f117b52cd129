/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Flows over time: finishes worked by hand, and random histories against a plain fluid model that
 * solves the whole network at every event. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "naive_max_min.h"
#include "ws/random.h"
#include "ws/sharing.h"

#define FLOWS_MAX 1024

typedef struct {
    ws_arena arena;
    ws_kernel *kernel;
    ws_sharing *sharing;
    ws_flow_listener listener;
    ws_flow flows[FLOWS_MAX];
    ws_time finished[FLOWS_MAX];
    double told[FLOWS_MAX]; /* rate of a standing load */
    size_t news;
} pipes;

static double pipes_now_s(const pipes *world)
{
    return ws_time_s(ws_kernel_now(world->kernel));
}

static void pipes_finished(void *context, uint64_t argument)
{
    pipes *world = context;

    cr_expect(not(ws_sharing_is_flowing(world->sharing, world->flows[argument])));
    world->finished[argument] = ws_kernel_now(world->kernel);
}

static void pipes_changed(void *context, uint64_t argument, double bytes_per_s)
{
    pipes *world = context;

    world->told[argument] = bytes_per_s;
    world->news++;
}

static bool pipes_check(void *context)
{
    const pipes *world = context;
    bool is_balanced = ws_sharing_is_balanced(world->sharing);

    cr_expect(is_balanced, "at %.9f s", pipes_now_s(world));
    return is_balanced;
}

static void pipes_open(pipes *world, const double *capacities, uint32_t links)
{
    *world = (pipes){.news = 0};
    ws_arena_init(&world->arena, &ws_allocator_default, SIZE_MAX);
    world->kernel =
        ws_kernel_new(&world->arena, 2 * FLOWS_MAX + ws_sharing_event_capacity(FLOWS_MAX));
    cr_assert(world->kernel != NULL);
    world->sharing =
        ws_sharing_new(&world->arena, world->kernel,
                       &(ws_sharing_options){.capacities = capacities,
                                             .link_count = links,
                                             .flow_capacity = FLOWS_MAX,
                                             .crossing_capacity = FLOWS_MAX * NAIVE_LINKS_MAX});
    cr_assert(world->sharing != NULL);
    world->listener =
        (ws_flow_listener){.context = world, .finished = pipes_finished, .changed = pipes_changed};
    for (size_t i = 0; i < FLOWS_MAX; i++) {
        world->finished[i] = WS_TIME_NEVER;
    }
    ws_kernel_set_check(world->kernel, pipes_check, world);
}

static void pipes_close(pipes *world)
{
    ws_arena_reset(&world->arena);
}

static void pipes_stop(void *context, uint64_t argument)
{
    (void)context;
    (void)argument;
}

/* The clock stands at `s` afterwards, whether or not something happened there. */
static void pipes_run_to(pipes *world, double s)
{
    ws_event stop = {.action = pipes_stop, .phase = WS_PHASE_RECORD};

    (void)ws_kernel_at(world->kernel, (ws_time){.ns = (int64_t)(s * 1e9)}, &stop);
    (void)ws_kernel_run(world->kernel, (ws_time){.ns = (int64_t)(s * 1e9)}, UINT64_MAX);
}

/* Bit l of `path`: crosses link l. */
static void pipes_begin(pipes *world, size_t flow, uint32_t path, double weight, double cap,
                        double bytes)
{
    uint32_t links[NAIVE_LINKS_MAX];
    uint32_t count = 0;

    for (uint32_t link = 0; link < NAIVE_LINKS_MAX; link++) {
        if (((path >> link) & 1) != 0) {
            links[count++] = link;
        }
    }
    world->flows[flow] =
        ws_sharing_begin(world->sharing, &(ws_flow_spec){.path = links,
                                                         .path_count = count,
                                                         .weight = weight,
                                                         .cap_bytes_per_s = cap,
                                                         .bytes = bytes,
                                                         .listener = &world->listener,
                                                         .argument = flow});
}

static void expect_finished(const pipes *world, size_t flow, double s)
{
    cr_expect(fabs(ws_time_s(world->finished[flow]) - s) < 2e-9 * fmax(s, 1),
              "flow %zu finished at %.9f s, not %.9f", flow, ws_time_s(world->finished[flow]), s);
}

/* Alone 100 bytes at 10/s leave 50 after 5 s; then both have 5/s: the 20 of the second are through
 * at 9 s, when 30 are left of the first, and take 3 s. */
Test(sharing, two_flows_share_while_both_are_there)
{
    static pipes world;

    pipes_open(&world, (double[]){10}, 1);
    pipes_begin(&world, 0, 1, 1, (double)INFINITY, 100);
    pipes_run_to(&world, 5);
    pipes_begin(&world, 1, 1, 1, (double)INFINITY, 20);
    pipes_run_to(&world, 6);
    cr_expect(fabs(ws_sharing_left_bytes(world.sharing, world.flows[0]) - 45) < 1e-9);
    cr_expect(fabs(ws_sharing_rate(world.sharing, world.flows[1]) - 5) < 1e-12);
    cr_expect(fabs(ws_sharing_load(world.sharing, 0) - 10) < 1e-12);
    pipes_run_to(&world, 100);
    expect_finished(&world, 1, 9);
    expect_finished(&world, 0, 12);
    cr_expect(fabs(ws_sharing_carried_bytes(world.sharing, 0) - 120) < 1e-6);
    cr_expect(ws_sharing_flow_count(world.sharing) == 0);
    pipes_close(&world);
}

/* Eight flows of 10, 20, .. 80 bytes on 8/s: while k are there each has 8/k, and the j-th finishes
 * 10 x (9 - j) / 8 s after the one before: 10, 8.75, 7.5, 6.25, 5, 3.75, 2.5, 1.25. */
Test(sharing, a_class_finishes_in_the_order_of_its_bytes)
{
    static pipes world;
    static const double ends_s[] = {10, 18.75, 26.25, 32.5, 37.5, 41.25, 43.75, 45};

    pipes_open(&world, (double[]){8}, 1);
    for (size_t i = 0; i < 8; i++) {
        pipes_begin(&world, i, 1, 1, (double)INFINITY, 10 * (double)(i + 1));
    }
    pipes_run_to(&world, 100);
    for (size_t i = 0; i < 8; i++) {
        expect_finished(&world, i, ends_s[i]);
    }
    pipes_close(&world);
}

/* 64 readers of 94 GiB from 60 GB/s, each at most 25 GB/s: 64 x 100,931,731,456 / 60e9 s. One alone
 * would take 100,931,731,456 / 25e9 s. */
Test(sharing, many_readers_are_as_slow_as_the_storage_and_one_as_its_own_cap)
{
    static pipes world;

    pipes_open(&world, (double[]){60e9}, 1);
    for (size_t i = 0; i < 64; i++) {
        pipes_begin(&world, i, 1, 1, 25e9, 94. * 1073741824);
    }
    pipes_run_to(&world, 1000);
    for (size_t i = 0; i < 64; i++) {
        expect_finished(&world, i, 107.660513553);
    }
    pipes_begin(&world, 64, 1, 1, 25e9, 94. * 1073741824);
    pipes_run_to(&world, 2000);
    expect_finished(&world, 64, 1004.037269258);
    /* One solution for the arrivals, one for all that finish in one instant, and so on: 4 in all.
     */
    cr_expect(ws_sharing_work_done(world.sharing).solutions == 4);
    pipes_close(&world);
}

/* A standing load of weight 3 beside a flow of weight 1 on 8/s has 6/s, alone its cap of 7. */
Test(sharing, standing_loads_are_told_their_rates)
{
    static pipes world;

    pipes_open(&world, (double[]){8}, 1);
    pipes_begin(&world, 0, 1, 3, 7, (double)INFINITY);
    pipes_run_to(&world, 1);
    cr_expect(fabs(world.told[0] - 7) < 1e-12);
    pipes_begin(&world, 1, 1, 1, (double)INFINITY, 20);
    pipes_run_to(&world, 2);
    cr_expect(fabs(world.told[0] - 6) < 1e-12);
    pipes_run_to(&world, 20);
    expect_finished(&world, 1, 11);
    cr_expect(fabs(world.told[0] - 7) < 1e-12);
    cr_expect(world.news == 3);
    cr_expect(ws_sharing_end(world.sharing, world.flows[0]));
    cr_expect(not(ws_sharing_end(world.sharing, world.flows[0])), "is stale");
    pipes_run_to(&world, 21);
    cr_expect(ws_sharing_load(world.sharing, 0) == 0);
    pipes_close(&world);
}

/* What happens on one link is nothing to flows that are not connected with it. */
Test(sharing, only_what_is_connected_is_solved_again)
{
    static pipes world;

    pipes_open(&world, (double[]){8, 8, 8}, 3);
    for (size_t i = 0; i < 10; i++) {
        pipes_begin(&world, i, 1, 1 + (double)i, (double)INFINITY, 1000); /* ten classes */
    }
    pipes_run_to(&world, 1);
    ws_sharing_work before = ws_sharing_work_done(world.sharing);
    pipes_begin(&world, 10, 6, 1, (double)INFINITY, 1000);
    pipes_run_to(&world, 2);
    ws_sharing_work after = ws_sharing_work_done(world.sharing);
    cr_expect(after.solutions - before.solutions == 1);
    cr_expect(after.classes_solved - before.classes_solved == 1);
    cr_expect(after.events_moved - before.events_moved == 1);
    pipes_close(&world);
}

/* A flow that is at its cap before and after keeps its event. */
Test(sharing, events_move_only_where_rates_change)
{
    static pipes world;

    pipes_open(&world, (double[]){10}, 1);
    pipes_begin(&world, 0, 1, 1, 1, 1000);
    pipes_begin(&world, 1, 1, 1, (double)INFINITY, 1000);
    pipes_run_to(&world, 1);
    ws_sharing_work before = ws_sharing_work_done(world.sharing);
    pipes_begin(&world, 2, 1, 2, (double)INFINITY, 1000);
    pipes_run_to(&world, 2);
    ws_sharing_work after = ws_sharing_work_done(world.sharing);
    cr_expect(after.classes_solved - before.classes_solved == 3);
    cr_expect(after.events_moved - before.events_moved == 2);
    pipes_close(&world);
}

Test(sharing, nothing_to_move_is_through_at_once_and_a_cap_needs_no_link)
{
    static pipes world;

    pipes_open(&world, (double[]){10}, 1);
    pipes_run_to(&world, 3);
    pipes_begin(&world, 0, 1, 1, (double)INFINITY, 0);
    pipes_begin(&world, 1, 0, 1, 5, 20);
    pipes_begin(&world, 2, 0, 1, 5, 10);
    pipes_run_to(&world, 100);
    expect_finished(&world, 0, 3);
    expect_finished(&world, 1, 7);
    expect_finished(&world, 2, 5);
    pipes_close(&world);
}

Test(sharing, one_flow_too_many_is_a_bug, .signal = SIGABRT)
{
    static pipes world;

    pipes_open(&world, (double[]){10}, 1);
    for (size_t i = 0; i <= FLOWS_MAX; i++) {
        pipes_begin(&world, i % FLOWS_MAX, 1, 1, (double)INFINITY, 1);
    }
}

/* ---- random histories ---- */

#define HISTORY_FLOWS 40

typedef struct {
    double begin_s;
    double end_s; /* ended before it is through; INFINITY: never */
    double bytes;
    double finished_s; /* of the plain model; INFINITY: ended before */
    double moved;      /* of the plain model */
} history_flow;

typedef struct {
    naive_network network; /* flows by number; there while they flow */
    history_flow flows[HISTORY_FLOWS];
} history;

static double draw_between(ws_stream *stream, double low, double high)
{
    double u = ws_stream_uniform(stream);

    return low * pow(high / low, u);
}

static size_t draw_below(ws_stream *stream, size_t sides)
{
    double u = ws_stream_uniform(stream);

    return (size_t)(u * (double)sides);
}

static void history_draw_flow(history *drawn, size_t index, ws_stream *stream)
{
    naive_flow *flow = &drawn->network.flows[index];
    history_flow *life = &drawn->flows[index];
    size_t links = 1 + draw_below(stream, 3);

    flow->weight = draw_below(stream, 2) == 0 ? 1 : draw_between(stream, 0.2, 5);
    flow->cap = draw_below(stream, 3) == 0 ? draw_between(stream, 1, 50) : (double)INFINITY;
    for (size_t k = 0; k < links; k++) {
        size_t link = draw_below(stream, drawn->network.link_count);
        flow->crosses[link] = true;
    }
    life->begin_s = floor(draw_between(stream, 1, 41)) - 1; /* several at once */
    life->bytes = draw_between(stream, 1, 500);
    life->finished_s = (double)INFINITY;
    life->end_s = (double)INFINITY;
    if (draw_below(stream, 4) == 0) {
        life->end_s = life->begin_s + draw_between(stream, 0.1, 20);
    }
}

static void history_draw(history *drawn, ws_stream *stream)
{
    *drawn = (history){.network = {.link_count = 1 + draw_below(stream, 8),
                                   .flow_count = 1 + draw_below(stream, HISTORY_FLOWS)}};
    for (size_t link = 0; link < drawn->network.link_count; link++) {
        drawn->network.capacities[link] = draw_between(stream, 1, 100);
    }
    for (size_t i = 0; i < drawn->network.flow_count; i++) {
        history_draw_flow(drawn, i, stream);
    }
}

/* When flow i next does something, seen from `now_s`. */
static double history_next_s(const history *drawn, size_t i, double now_s)
{
    const naive_flow *flow = &drawn->network.flows[i];
    const history_flow *life = &drawn->flows[i];

    if (!flow->is_there) {
        return life->moved > 0 || life->begin_s < now_s ? (double)INFINITY : life->begin_s;
    }
    return fmin(life->end_s, now_s + (life->bytes - life->moved) / flow->rate);
}

/* Lets every flow that is due at `now_s` begin, end or finish. */
static void history_turn(history *drawn, double now_s)
{
    for (size_t i = 0; i < drawn->network.flow_count; i++) {
        naive_flow *flow = &drawn->network.flows[i];
        history_flow *life = &drawn->flows[i];

        if (flow->is_there && life->bytes - life->moved <= 1e-9 * life->bytes) {
            life->finished_s = now_s;
            flow->is_there = false;
        } else if (flow->is_there && life->end_s <= now_s) {
            flow->is_there = false;
        } else if (!flow->is_there && life->moved <= 0 && life->begin_s >= now_s &&
                   life->begin_s <= now_s) {
            flow->is_there = true;
        }
    }
}

/* The whole history of the plain model. */
static void history_play(history *drawn)
{
    double now_s = 0;

    for (;;) {
        double next_s = (double)INFINITY;

        history_turn(drawn, now_s);
        naive_solve(&drawn->network);
        for (size_t i = 0; i < drawn->network.flow_count; i++) {
            const naive_flow *flow = &drawn->network.flows[i];
            bool is_later = flow->is_there || drawn->flows[i].begin_s > now_s;
            next_s = is_later ? fmin(next_s, history_next_s(drawn, i, now_s)) : next_s;
        }
        if (isinf(next_s)) {
            return;
        }
        for (size_t i = 0; i < drawn->network.flow_count; i++) {
            const naive_flow *flow = &drawn->network.flows[i];
            drawn->flows[i].moved += flow->is_there ? flow->rate * (next_s - now_s) : 0;
        }
        now_s = next_s;
    }
}

typedef struct {
    pipes world;
    history drawn;
} trial;

static void trial_begin(void *context, uint64_t index)
{
    trial *run = context;
    const naive_flow *flow = &run->drawn.network.flows[index];
    uint32_t path = 0;

    for (uint32_t link = 0; link < NAIVE_LINKS_MAX; link++) {
        path |= flow->crosses[link] ? UINT32_C(1) << link : 0;
    }
    pipes_begin(&run->world, index, path, flow->weight, flow->cap, run->drawn.flows[index].bytes);
}

static void trial_end(void *context, uint64_t index)
{
    trial *run = context;

    (void)ws_sharing_end(run->world.sharing, run->world.flows[index]);
}

static void trial_schedule(trial *run)
{
    for (size_t i = 0; i < run->drawn.network.flow_count; i++) {
        const history_flow *life = &run->drawn.flows[i];
        ws_event begin = {
            .action = trial_begin, .context = run, .argument = i, .phase = WS_PHASE_ARRIVALS};
        ws_event end = {
            .action = trial_end, .context = run, .argument = i, .phase = WS_PHASE_LOSSES};

        (void)ws_kernel_after(run->world.kernel, ws_duration_of_s(life->begin_s), &begin);
        if (isfinite(life->end_s)) {
            (void)ws_kernel_after(run->world.kernel, ws_duration_of_s(life->end_s), &end);
        }
    }
}

/* What a link carried is what the flows over it moved: whole ones all of their bytes. */
static void trial_expect_conserved(const trial *run)
{
    for (uint32_t link = 0; link < run->drawn.network.link_count; link++) {
        double moved = 0;

        for (size_t i = 0; i < run->drawn.network.flow_count; i++) {
            moved += run->drawn.network.flows[i].crosses[link] ? run->drawn.flows[i].moved : 0;
        }
        double carried = ws_sharing_carried_bytes(run->world.sharing, link);
        cr_expect(fabs(carried - moved) < 1e-6 * fmax(moved, 1), "link %u carried %.9g, not %.9g",
                  link, carried, moved);
    }
}

Test(sharing, random_histories_are_those_of_a_plain_fluid_model)
{
    static trial run;
    size_t finished = 0;
    ws_stream stream;

    ws_stream_open(&stream, (ws_stream_key){.seed = 11, .purpose = WS_PURPOSE_TEST});
    for (size_t n = 0; n < 1000; n++) {
        history_draw(&run.drawn, &stream);
        pipes_open(&run.world, run.drawn.network.capacities,
                   (uint32_t)run.drawn.network.link_count);
        trial_schedule(&run);
        (void)ws_kernel_run(run.world.kernel, WS_TIME_NEVER, UINT64_MAX);
        history_play(&run.drawn);
        for (size_t i = 0; i < run.drawn.network.flow_count; i++) {
            double expected_s = run.drawn.flows[i].finished_s;
            bool is_through = run.world.finished[i].ns != WS_TIME_NEVER.ns;

            cr_assert(is_through == (isfinite(expected_s) != 0), "network %zu, flow %zu", n, i);
            if (is_through) {
                cr_expect(fabs(ws_time_s(run.world.finished[i]) - expected_s) <
                              1e-7 * fmax(expected_s, 1),
                          "network %zu, flow %zu: %.9f, not %.9f s", n, i,
                          ws_time_s(run.world.finished[i]), expected_s);
                finished++;
            }
        }
        trial_expect_conserved(&run);
        pipes_close(&run.world);
    }
    cr_expect(finished > 10000, "only %zu", finished); /* of about 20,000, a quarter ended */
}
