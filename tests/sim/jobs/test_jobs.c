/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The jobs' state machine with the test as control: every course is worked out by hand. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "sim/jobs/jobs_world.h"

TestSuite(jobs);

static void checkpoint(jobs_world *world, int64_t every_s, int64_t write_s, bool before_resize)
{
    world->kind.has_checkpoint = true;
    world->kind.checkpoint = (ws_checkpoint_spec){.every = jobs_world_duration(every_s),
                                                  .write = jobs_world_duration(write_s),
                                                  .before_resize = before_resize};
}

static void start(jobs_world *world, int32_t replicas)
{
    cr_assert(ws_jobs_start(world->jobs, 0, replicas));
}

/* Submitted at 10, a start of 3 + 4 + 2, then 100 of work at 2 a second. */
Test(jobs, come_start_step_and_end)
{
    jobs_world world;

    jobs_world_init(&world, 0, 2, 100);
    world.job.submit.ns = 10 * WS_NS_PER_S;
    world.kind.start.container = jobs_world_s(3);
    world.kind.start.init = jobs_world_s(4);
    world.kind.start.load = jobs_world_s(2);
    jobs_world_open(&world);
    jobs_world_run_to(&world, 10);
    cr_expect(ws_jobs_state(world.jobs, 0) == WS_JOB_WAITING);
    start(&world, 2);
    jobs_world_run_to(&world, 29);
    cr_expect(eq(dbl, ws_jobs_stage_done(world.jobs, 0), 20));
    cr_expect(eq(dbl, ws_jobs_rate(world.jobs, 0), 2));
    cr_expect(eq(dbl, ws_jobs_busy_s(world.jobs, 0), 10));
    jobs_world_run_to(&world, 100);
    cr_expect(eq(str, world.news, "10 submitted; 19 started; 69 done; "));
    cr_expect(eq(dbl, jobs_world_account(&world, WS_ACCOUNT_COLD_START), 18));
    cr_expect(eq(dbl, jobs_world_account(&world, WS_ACCOUNT_USEFUL), 100));
    cr_expect(eq(i64, ws_jobs_history(world.jobs, 0).held.ns, 59 * WS_NS_PER_S));
    jobs_world_close(&world);
}

/* What is done comes before what is lost: the work of 100 s ends as its node fails at 100. */
Test(jobs, an_end_comes_before_a_failure_and_a_write)
{
    jobs_world world;

    jobs_world_init(&world, 1, 0, 100);
    jobs_world_let_fail(&world, 100, 0);
    checkpoint(&world, 100, 5, false);
    jobs_world_open(&world);
    jobs_world_run_to(&world, 0);
    start(&world, 1);
    jobs_world_run_to(&world, 150);
    cr_expect(eq(str, world.news, "0 submitted; 0 started; 100 done; 100 node lost; "));
    cr_expect(eq(i64, ws_jobs_history(world.jobs, 0).failures, 0));
    cr_expect(eq(i64, ws_jobs_history(world.jobs, 0).checkpoints, 0));
    jobs_world_close(&world);
}

/* The write that ends the first stage runs from 10 to 15; the failure at 12 falls back to nothing.
 */
Test(jobs, a_stage_is_behind_when_its_write_is_durable)
{
    jobs_world world;

    jobs_world_init(&world, 1, 0, 10);
    world.job.stage_count = 2;
    jobs_world_let_fail(&world, 12, 3);
    checkpoint(&world, 100, 5, false);
    jobs_world_open(&world);
    jobs_world_run_to(&world, 0);
    start(&world, 1);
    jobs_world_run_to(&world, 11);
    cr_expect(eq(sz, ws_jobs_stage(world.jobs, 0), 1));
    jobs_world_run_to(&world, 15);
    cr_expect(eq(str, world.news,
                 "0 submitted; 0 started; 10 stage done; 12 node lost; 15 needs GPUs; "));
    cr_expect(eq(sz, ws_jobs_stage(world.jobs, 0), 0));
    ws_job_history history = ws_jobs_history(world.jobs, 0);
    cr_expect(eq(dbl, history.work_lost, 10));
    cr_expect(eq(dbl, history.work_done, 0));
    cr_expect(eq(i64, history.lost.ns, 10 * WS_NS_PER_S));
    /* 10 s of steps and 2 of the write are lost; its node was gone while nobody noticed. */
    cr_expect(eq(dbl, jobs_world_account(&world, WS_ACCOUNT_LOST), 12));
    cr_expect(eq(dbl, jobs_world_account(&world, WS_ACCOUNT_RECOVERY), 0));
    jobs_world_close(&world);
}

/* Failures while nobody has noticed the first are counted, and nothing else. Two weak nodes fail at
 * 20, the sure one is held until 25. */
Test(jobs, a_failure_in_the_detection_of_another_changes_nothing)
{
    jobs_world world;

    jobs_world_init(&world, 2, 1, 100);
    jobs_world_let_fail(&world, 20, 5);
    jobs_world_open(&world);
    jobs_world_run_to(&world, 0);
    start(&world, 3);
    jobs_world_run_to(&world, 30);
    cr_expect(
        eq(str, world.news, "0 submitted; 0 started; 20 node lost; 20 node lost; 25 needs GPUs; "));
    cr_expect(eq(i64, ws_jobs_history(world.jobs, 0).failures, 2));
    cr_expect(eq(dbl, jobs_world_account(&world, WS_ACCOUNT_LOST), 60));
    cr_expect(eq(dbl, jobs_world_account(&world, WS_ACCOUNT_RECOVERY), 5));
    jobs_world_close(&world);
}

/* A hang is seen by the collective's time-out: with probability 1 after 30 s, not after 5. */
Test(jobs, a_hang_takes_the_time_out)
{
    jobs_world world;

    jobs_world_init(&world, 1, 0, 100);
    jobs_world_let_fail(&world, 20, 5);
    world.pools[0].failures.hang_detection = jobs_world_duration(30);
    world.pools[0].failures.hang_probability = 1;
    jobs_world_open(&world);
    jobs_world_run_to(&world, 0);
    start(&world, 1);
    jobs_world_run_to(&world, 55);
    cr_expect(
        eq(str, world.news, "0 submitted; 0 started; 20 node lost; 40 node lost; 50 needs GPUs; "));
    jobs_world_close(&world);
}

/* ---- planned changes ---- */

/* Writes at 10..14. A resize to 4 at 12 waits: nothing is lost although no write of its own was
 * asked for; on at 14 with 4, 20 done by then. The two newcomers hold their GPUs from 12 on. */
Test(jobs, a_resize_in_a_write_waits_for_it)
{
    jobs_world world;

    jobs_world_init(&world, 0, 4, 100);
    checkpoint(&world, 10, 4, false);
    jobs_world_open(&world);
    jobs_world_run_to(&world, 0);
    start(&world, 2);
    jobs_world_run_to(&world, 12);
    cr_assert(ws_jobs_resize(world.jobs, 0, 4));
    cr_expect(not(ws_jobs_resize(world.jobs, 0, 3))); /* one is under way */
    cr_expect(eq(i32, ws_jobs_replicas(world.jobs, 0), 4));
    jobs_world_run_to(&world, 15);
    cr_expect(eq(str, world.news, "0 submitted; 0 started; 14 saved; 14 started; "));
    cr_expect(eq(dbl, ws_jobs_stage_done(world.jobs, 0), 24));
    cr_expect(eq(dbl, jobs_world_account(&world, WS_ACCOUNT_CHECKPOINT), 8));
    cr_expect(eq(dbl, jobs_world_account(&world, WS_ACCOUNT_COLD_START), 4));
    cr_expect(eq(dbl, jobs_world_account(&world, WS_ACCOUNT_LOST), 0));
    jobs_world_close(&world);
}

static void free_when_saved(void *context, size_t job)
{
    jobs_world *world = context;
    int64_t free = ws_fleet_pool_counts(world->fleet, 1).gpus_free;

    (void)job;
    jobs_world_note(world, free == 3 ? "saved, 3 free" : "saved, others free");
}

/* A smaller world gives its GPUs back when the write is durable, and then the news comes. */
Test(jobs, the_news_of_a_shrink_comes_when_gpus_are_free)
{
    jobs_world world;

    jobs_world_init(&world, 0, 4, 1000);
    checkpoint(&world, 100, 4, true);
    world.kind.start.init = jobs_world_s(5);
    jobs_world_open(&world);
    ws_jobs_listen(world.jobs, &(ws_jobs_listener){.context = &world,
                                                   .saved = free_when_saved,
                                                   .started = jobs_world_started});
    jobs_world_run_to(&world, 0);
    start(&world, 4);
    jobs_world_run_to(&world, 10);
    cr_assert(ws_jobs_resize(world.jobs, 0, 1));
    cr_expect(eq(i32, ws_jobs_replicas(world.jobs, 0), 4));
    cr_expect(eq(i32, ws_jobs_replicas_next(world.jobs, 0), 1));
    jobs_world_run_to(&world, 20);
    cr_expect(eq(str, world.news, "5 started; 14 saved, 3 free; 19 started; "));
    jobs_world_close(&world);
}

/* A resize of a world that starts after a failure is still recovery: 1 GPU from 100 to 104, two
 * from 104 to 114. Only the first start of 10 was a cold one. */
Test(jobs, a_resize_in_a_recovery_is_recovery)
{
    jobs_world world;

    jobs_world_init(&world, 1, 1, 1000);
    jobs_world_let_fail(&world, 100, 0);
    world.kind.start.init = jobs_world_s(10);
    world.restart_with_one = true;
    jobs_world_open(&world);
    jobs_world_run_to(&world, 0);
    start(&world, 1);
    jobs_world_run_to(&world, 104);
    cr_expect(ws_jobs_state(world.jobs, 0) == WS_JOB_STARTING);
    cr_assert(ws_jobs_resize(world.jobs, 0, 2));
    jobs_world_run_to(&world, 120);
    cr_expect(eq(str, world.news,
                 "0 submitted; 10 started; 100 node lost; 100 needs GPUs; 114 started; "));
    cr_expect(eq(dbl, jobs_world_account(&world, WS_ACCOUNT_RECOVERY), 24));
    cr_expect(eq(dbl, jobs_world_account(&world, WS_ACCOUNT_COLD_START), 10));
    cr_expect(eq(dbl, jobs_world_account(&world, WS_ACCOUNT_RESIZE), 0));
    jobs_world_close(&world);
}

/* 2 step at 10, grow to 4 at 20, to 3 at 25, on at 35: the first two are stopped for 15 s, the
 * others have not stepped yet: 2 for 5 s, one for 10, after a cold start of 2 x 10. */
Test(jobs, newcomers_are_cold_until_they_step)
{
    jobs_world world;

    jobs_world_init(&world, 0, 4, 1000);
    world.kind.start.init = jobs_world_s(10);
    jobs_world_open(&world);
    jobs_world_run_to(&world, 0);
    start(&world, 2);
    jobs_world_run_to(&world, 20);
    cr_assert(ws_jobs_resize(world.jobs, 0, 4));
    jobs_world_run_to(&world, 25);
    cr_assert(ws_jobs_resize(world.jobs, 0, 3));
    jobs_world_run_to(&world, 40);
    cr_expect(eq(dbl, jobs_world_account(&world, WS_ACCOUNT_RESIZE), 30));
    cr_expect(eq(dbl, jobs_world_account(&world, WS_ACCOUNT_COLD_START), 20 + 10 + 10));
    cr_expect(eq(i64, ws_jobs_history(world.jobs, 0).resizes, 1)); /* of a running world */
    cr_expect(eq(i64, ws_jobs_history(world.jobs, 0).restarts, 2));
    jobs_world_close(&world);
}

/* A job that has not stepped has no survivors: all of it is a cold start. */
Test(jobs, a_resize_before_the_first_step_is_a_cold_start)
{
    jobs_world world;

    jobs_world_init(&world, 0, 4, 1000);
    world.kind.start.init = jobs_world_s(10);
    jobs_world_open(&world);
    jobs_world_run_to(&world, 0);
    start(&world, 2);
    jobs_world_run_to(&world, 6);
    cr_assert(ws_jobs_resize(world.jobs, 0, 4));
    jobs_world_run_to(&world, 20);
    cr_expect(eq(dbl, jobs_world_account(&world, WS_ACCOUNT_COLD_START), 2 * 6 + 4 * 10));
    cr_expect(eq(dbl, jobs_world_account(&world, WS_ACCOUNT_RESIZE), 0));
    jobs_world_close(&world);
}

/* What does not fit, or is not allowed, changes nothing, not even what is observed. */
Test(jobs, a_refused_resize_does_nothing)
{
    jobs_world world;

    jobs_world_init(&world, 0, 4, 1000);
    jobs_world_open(&world);
    cr_expect(not(ws_jobs_resize(world.jobs, 0, 2))); /* not there yet */
    jobs_world_run_to(&world, 0);
    cr_expect(not(ws_jobs_resize(world.jobs, 0, 2))); /* waits */
    cr_expect(not(ws_jobs_start(world.jobs, 0, 5)));
    start(&world, 2);
    jobs_world_run_to(&world, 7);
    int32_t changes = world.changes;
    cr_expect(not(ws_jobs_resize(world.jobs, 0, 5)));
    cr_expect(not(ws_jobs_resize(world.jobs, 0, 2)));
    cr_expect(eq(i32, world.changes, changes));
    cr_expect(eq(i64, ws_fleet_pool_counts(world.fleet, 1).gpus_free, 2));
    world.kind.elasticity = &ws_elasticity_rigid;
    cr_expect(not(ws_jobs_resize(world.jobs, 0, 3)));
    cr_expect(eq(i32, world.changes, changes));
    jobs_world_close(&world);
}

/* ---- gangs ---- */

/* Straggle of a start of 4 replicas with uniform containers that ends by `how`. */
typedef enum { GANG_STEPS, GANG_LOSES_A_NODE, GANG_IS_RESIZED } gang_end;

static double gang_straggle(gang_end how)
{
    jobs_world world;

    jobs_world_init(&world, how == GANG_LOSES_A_NODE ? 1 : 0, 8, 1000);
    jobs_world_let_fail(&world, 100, 0);
    world.kind.start.container = (ws_distribution){.family = WS_DISTRIBUTION_UNIFORM, .b = 10};
    world.kind.start.init = jobs_world_s(how == GANG_STEPS ? 20 : 1000);
    jobs_world_open(&world);
    jobs_world_run_to(&world, 0);
    start(&world, 4);
    jobs_world_run_to(&world, 99);
    if (how == GANG_IS_RESIZED) {
        cr_assert(ws_jobs_resize(world.jobs, 0, 5));
        cr_assert(ws_jobs_resize(world.jobs, 0, 4)); /* at once: that start has waited for nobody */
    }
    jobs_world_run_to(&world, 100);
    double straggle = jobs_world_account(&world, WS_ACCOUNT_STRAGGLE);
    double cold = jobs_world_account(&world, WS_ACCOUNT_COLD_START);
    if (how == GANG_LOSES_A_NODE) {
        cr_expect(ieee_ulp_eq(dbl, straggle + cold, 400, 4));
    }
    jobs_world_close(&world);
    return straggle;
}

/* The four draws are the same; how long the early ones waited does not depend on what came later.
 */
Test(jobs, waiting_for_a_gang_is_booked_however_the_start_ends)
{
    double straggle = gang_straggle(GANG_STEPS);

    cr_expect(gt(dbl, straggle, 0));
    cr_expect(lt(dbl, straggle, 4 * 10));
    cr_expect(eq(dbl, gang_straggle(GANG_LOSES_A_NODE), straggle));
    cr_expect(eq(dbl, gang_straggle(GANG_IS_RESIZED), straggle));
}
