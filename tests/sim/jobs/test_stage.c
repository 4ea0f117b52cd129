/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What happens within a stage: efficiency, evaluations, writes by work. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "jobs_world.h"

TestSuite(stage);

static jobs_world world;

static void start(int32_t replicas)
{
    jobs_world_open(&world);
    jobs_world_run_to(&world, 0);
    cr_assert(ws_jobs_start(world.jobs, 0, replicas));
}

static double ended_s(void)
{
    return ws_duration_s(ws_time_since(ws_jobs_history(world.jobs, 0).end, (ws_time){.ns = 0}));
}

static void give_batch(ws_stage_spec *stage, double global_batch, const ws_noise_point *points,
                       size_t count)
{
    stage->batch = (ws_batch){.global_batch = global_batch};
    stage->efficiency = (ws_efficiency){.base_batch = 100, .points = points, .count = count};
}

/* Two replicas get through 2 units a second. M0 100, M 300: until 10 units the noise scale is 100
 * and a unit worth 1/2, 10 s; then 300 and 2/3, 20 units in 15 s; then 900 and 5/6, 50 units in
 * 30 s. 80 units in 55 s, of 110 that it got through. */
Test(stage, a_recorded_noise_scale_is_integrated_exactly)
{
    static const ws_noise_point points[] = {{0, 100}, {10, 300}, {30, 900}};

    jobs_world_init(&world, 0, 2, 80);
    give_batch(&world.stages[0], 300, points, 3);
    start(2);
    jobs_world_run_to(&world, 10);
    cr_expect(epsilon_eq(dbl, ws_jobs_stage_done(world.jobs, 0), 10, 1e-9));
    cr_expect(epsilon_eq(dbl, ws_jobs_work(world.jobs, 0), 20, 1e-9));
    jobs_world_run_to(&world, 25);
    cr_expect(epsilon_eq(dbl, ws_jobs_stage_done(world.jobs, 0), 30, 1e-9));
    /* the rate at another size, now: 4 units a second, 5/6 each */
    cr_expect(epsilon_eq(dbl, ws_jobs_pace_at(world.jobs, 0, 0, 4).work_per_s, 10.0 / 3, 1e-12));
    jobs_world_run_to(&world, 100);
    cr_expect(epsilon_eq(dbl, ended_s(), 55, 1e-8));
    cr_expect(epsilon_eq(dbl, ws_jobs_work(world.jobs, 0), 110, 1e-7));
    /* (10 x 1/2 + 15 x 2/3 + 30 x 5/6) / 55 = 40 / 55 */
    ws_job_history history = ws_jobs_history(world.jobs, 0);
    cr_expect(epsilon_eq(dbl, history.effective_s / history.trained_s, 40.0 / 55, 1e-9));
    /* samples that are worth less are computed all the same: nothing is lost */
    cr_expect(epsilon_eq(dbl, jobs_world_account(&world, WS_ACCOUNT_USEFUL), 110, 1e-7));
    cr_expect(eq(dbl, jobs_world_account(&world, WS_ACCOUNT_LOST), 0));
    jobs_world_close(&world);
}

/* Both nodes fail at 12 s, without checkpoints: all is done anew with one replica, from the first
 * noise scale on. 10 units worth 1/2 in 20 s, then worth 2/3 in 15 s for the last 10: done at 12 +
 * 35 s.
 */
Test(stage, a_rollback_goes_back_to_an_earlier_noise_scale)
{
    static const ws_noise_point points[] = {{0, 100}, {10, 300}};

    jobs_world_init(&world, 2, 1, 20);
    jobs_world_let_fail(&world, 12, 0);
    world.pools[0].failures.repair = jobs_world_s(1000);
    world.kind.pools = 3;
    world.restart_with_one = true;
    give_batch(&world.stages[0], 300, points, 2);
    start(2);
    jobs_world_run_to(&world, 46);
    cr_expect(eq(i64, ws_jobs_history(world.jobs, 0).failures, 2), "%s", world.news);
    cr_expect(eq(int, ws_jobs_state(world.jobs, 0), WS_JOB_RUNNING));
    jobs_world_run_to(&world, 60);
    cr_expect(epsilon_eq(dbl, ended_s(), 47, 1e-8));
    jobs_world_close(&world);
}

/* 30 units at 1 a second, an evaluation of 5 s after every 10: 30 + 3 x 5 s, all of it useful. */
Test(stage, an_evaluation_holds_the_gpus_and_does_no_work)
{
    jobs_world_init(&world, 0, 1, 30);
    world.stages[0].evaluation = (ws_stage_evaluation){.every = 10, .time = {5 * WS_NS_PER_S}};
    start(1);
    jobs_world_run_to(&world, 12);
    cr_expect(eq(dbl, ws_jobs_stage_done(world.jobs, 0), 10));
    cr_expect(eq(dbl, ws_jobs_rate(world.jobs, 0), 0));
    cr_expect(epsilon_eq(dbl, ws_jobs_compute_s(world.jobs, 0), 12, 1e-9));
    jobs_world_run_to(&world, 17);
    cr_expect(epsilon_eq(dbl, ws_jobs_stage_done(world.jobs, 0), 12, 1e-9));
    jobs_world_run_to(&world, 60);
    cr_expect(epsilon_eq(dbl, ended_s(), 45, 1e-9));
    cr_expect(epsilon_eq(dbl, jobs_world_account(&world, WS_ACCOUNT_USEFUL), 45, 1e-9));
    cr_expect(epsilon_eq(dbl, ws_jobs_history(world.jobs, 0).trained_s, 30, 1e-9));
    jobs_world_close(&world);
}

/* Writes of 2 s by time, every 12 s of running: due at 12 s, in the evaluation from 10 to 15 s, so
 * the write is at 15 s. The next one is due 12 s after it has ended at 17 s, in no evaluation (20
 * units at 27 s, evaluation to 32 s): at 29 s it waits again, to 32 s. 30 units: 10 + 5 + 2 + 10 +
 * 5
 * + 2 + 10 + 5 = 49 s. */
Test(stage, a_write_waits_for_the_evaluation)
{
    jobs_world_init(&world, 0, 1, 30);
    world.stages[0].evaluation = (ws_stage_evaluation){.every = 10, .time = {5 * WS_NS_PER_S}};
    world.kind.has_checkpoint = true;
    world.kind.checkpoint =
        (ws_checkpoint_spec){.every = jobs_world_duration(12), .write = jobs_world_duration(2)};
    start(1);
    jobs_world_run_to(&world, 100);
    cr_expect_str_eq(world.news, "0 submitted; 0 started; 17 saved; 34 saved; 49 done; ");
    jobs_world_close(&world);
}

/* Writes of 1 s after every 4 units, evaluations of 3 s after every 8: 4, write to 5, 9 s: 8 units,
 * evaluation to 12, write to 13, 4 units to 17, the last write to 18, 2 units more. */
Test(stage, writes_by_work_come_after_evaluations)
{
    jobs_world_init(&world, 0, 1, 14);
    world.stages[0].evaluation = (ws_stage_evaluation){.every = 8, .time = {3 * WS_NS_PER_S}};
    world.stages[0].checkpoint_every = 4;
    world.kind.has_checkpoint = true;
    world.kind.checkpoint =
        (ws_checkpoint_spec){.every = jobs_world_duration(100000), .write = jobs_world_duration(1)};
    start(1);
    jobs_world_run_to(&world, 100);
    cr_expect_str_eq(world.news, "0 submitted; 0 started; 5 saved; 13 saved; 18 saved; 20 done; ");
    cr_expect(epsilon_eq(dbl, jobs_world_account(&world, WS_ACCOUNT_CHECKPOINT), 3, 1e-9));
    jobs_world_close(&world);
}

/* As above, and the node fails at 11 s, in the evaluation: back to the write at 4 units, at 11 s,
 * with another node. 8 units at 15 s, the evaluation anew to 18, write to 19, 23: write to 24, 26.
 */
Test(stage, an_evaluation_that_was_lost_is_done_anew)
{
    jobs_world_init(&world, 1, 1, 14);
    world.stages[0].evaluation = (ws_stage_evaluation){.every = 8, .time = {3 * WS_NS_PER_S}};
    world.stages[0].checkpoint_every = 4;
    world.kind.has_checkpoint = true;
    world.kind.checkpoint =
        (ws_checkpoint_spec){.every = jobs_world_duration(100000), .write = jobs_world_duration(1)};
    jobs_world_let_fail(&world, 11, 0);
    world.pools[0].failures.repair = jobs_world_s(1000);
    world.restart_with_one = true;
    start(1);
    jobs_world_run_to(&world, 100);
    cr_expect_str_eq(world.news, "0 submitted; 0 started; 5 saved; 11 node lost; 11 needs GPUs; "
                                 "11 started; 19 saved; 24 saved; 26 done; ");
    jobs_world_close(&world);
}

/* One replica of a model in samples: 2 samples a second. Sequences of 512 tokens: 1024 tokens a
 * second. Steps of 8 samples a replica, on 4 replicas of 2 samples a second each: 8 / 32. */
Test(stage, work_is_counted_in_the_unit_of_the_stage)
{
    static const ws_amdahl amdahl = {.parallel_fraction = 1, .recorded_replicas = 1};
    ws_world one = ws_world_packed(1, 1, 8, NULL);
    ws_world four = ws_world_packed(4, 1, 8, NULL);
    ws_stage_spec stage = {.step = {&ws_step_amdahl, &amdahl}};

    one.speed = 2;
    four.speed = 2;
    cr_expect(eq(dbl, ws_stage_pace(&stage, &one, 0).work_per_s, 2));
    stage.work_per_step_work = 512;
    cr_expect(eq(dbl, ws_stage_pace(&stage, &one, 0).work_per_s, 1024));
    stage.work_per_step_work = 1;
    stage.is_work_steps = true;
    stage.batch = (ws_batch){.replica_batch = 8};
    cr_expect(eq(dbl, ws_stage_pace(&stage, &four, 0).work_per_s, 0.25));
}
