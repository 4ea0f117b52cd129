/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Timelines and extremes of runs that are worked out by hand. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>

#include "worlds/small_world.h"

#define S(seconds) ((ws_duration){.ns = (seconds)*WS_NS_PER_S})

static void expect_range(ws_gauge_range range, int64_t low, int64_t high)
{
    cr_expect(eq(i64, range.low, low));
    cr_expect(eq(i64, range.high, high));
}

/*
 * Two nodes, one of them asked for at 25 and there at 32 (paid from 30 on). A job of 1 GPU runs
 * from 0 to 20, one of 2 GPUs comes at 10 and waits until 32, ends at 42. Steps of 10 until 60.
 */
Test(gauges, extremes_by_hand)
{
    small_world world;
    small_order order = {.at = {.ns = 25 * WS_NS_PER_S}, .replicas = 2};
    ws_job_template jobs[2];
    ws_arena keep;

    small_world_init(&world, 2, 20);
    world.pool.nodes_initial = 1;
    world.pool.start.request = ws_distribution_constant(5);
    world.pool.start.join = ws_distribution_constant(2);
    jobs[0] = world.job;
    jobs[1] = world.job;
    jobs[1].kind.name = WS_TEXT("wide");
    jobs[1].kind.main_job = false;
    jobs[1].kind.elasticity = &ws_elasticity_rigid;
    jobs[1].replicas_initial = 2;
    jobs[1].replicas_min = 2;
    jobs[1].arrivals.at.ns = 10 * WS_NS_PER_S;
    world.scenario.workload = (ws_workload){.templates = jobs, .template_count = 2};
    world.scenario.horizon.ns = 60 * WS_NS_PER_S;
    small_world_order(&world, &order, true);
    world.options.timeline_step = S(10);
    ws_run_result result = small_world_run(&world, &keep);
    const ws_extremes_record *step = result.extremes;

    cr_assert(eq(sz, result.extremes_count, 6));
    cr_expect(eq(dbl, step[4].t_s, 40));
    expect_range(step[0].gpus_paid, 1, 1);
    expect_range(step[0].gpus_busy, 1, 1);
    expect_range(step[0].gpus_waiting, 0, 0); /* what comes at 10 belongs to the next step */
    expect_range(step[1].gpus_waiting, 2, 2);
    expect_range(step[1].gpus_wanted, 3, 3);
    expect_range(step[2].gpus_busy, 0, 0);
    expect_range(step[2].gpus_wanted, 2, 2);
    expect_range(step[2].gpus_paid, 1, 1);
    expect_range(step[3].gpus_paid, 2, 2);
    expect_range(step[3].gpus_ready, 1, 2);
    expect_range(step[3].gpus_busy, 0, 2);
    expect_range(step[3].gpus_waiting, 0, 2);
    expect_range(step[3].gpus_wanted, 2, 2); /* never more and never less, though it was placed */
    expect_range(step[4].gpus_busy, 0, 2);
    expect_range(step[5].gpus_busy, 0, 0);
    expect_range(step[1].main_gpus, 1, 1);
    expect_range(step[2].main_gpus, 0, 0);
    ws_arena_reset(&keep);
}

/* A job from 6 on with stages of 25 and 10: the first is over at 31, the second at 41. Steps of 10
 * end at 10, 20 and 30 in the first, at 40 in the second, at 50 without a job. */
Test(gauges, stage_of_the_main_job)
{
    static const double expected[] = {0, 0, 0, 1, (double)NAN};
    small_world world;
    ws_stage_template stages[2];
    ws_arena keep;

    small_world_init(&world, 1, 25);
    stages[0] = world.stage;
    stages[1] = world.stage;
    stages[1].spec.work = 10;
    world.job.stages = stages;
    world.job.stage_count = 2;
    world.job.arrivals.at.ns = 6 * WS_NS_PER_S;
    world.scenario.horizon.ns = 50 * WS_NS_PER_S;
    world.options.timeline_step = S(10);
    ws_run_result result = small_world_run(&world, &keep);

    cr_assert(eq(sz, result.timeline_count, 5));
    for (size_t i = 0; i < 5; i++) {
        cr_expect(isnan(expected[i]) ? isnan(result.timeline[i].main_stage)
                                     : result.timeline[i].main_stage == expected[i],
                  "step %zu: %g", i, result.timeline[i].main_stage);
    }
    ws_arena_reset(&keep);

    world.job.arrivals.at.ns = 16 * WS_NS_PER_S;
    result = small_world_run(&world, &keep);
    cr_expect(isnan(result.timeline[0].main_stage));
    cr_expect(eq(dbl, result.timeline[1].main_stage, 0));
    ws_arena_reset(&keep);

    world.job.kind.main_job = false;
    result = small_world_run(&world, &keep);
    cr_expect(isnan(result.timeline[1].main_stage));
    ws_arena_reset(&keep);
}
