/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Jobs whose work arrives while they run, one unit a second for each replica: courses by hand. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "sim/jobs/jobs_world.h"

TestSuite(jobs_demand);

static ws_demand demand;
static ws_demand_step steps[4];

static ws_time at_s(int64_t seconds)
{
    return (ws_time){.ns = seconds * WS_NS_PER_S};
}

static void give(jobs_world *world, size_t count, int64_t end_s)
{
    demand = ws_demand_of(steps, count, at_s(end_s));
    world->stages[0].demand = &demand;
    world->stages[0].work = demand.total;
    world->kind.has_demand = true;
}

static ws_demand_queue queue_of(const jobs_world *world)
{
    ws_demand_queue queue = {.arrived = 0};

    cr_assert(ws_jobs_demand_queue(world->jobs, 0, &queue));
    return queue;
}

/*
 * Two replicas, a start of 5 s. 1 a second until 10, 4 until 20, none until 60. 5 wait at the first
 * step, none from 10 on; 2 a second more wait until 20, 20 then; none from 30 on. So the workers
 * are busy from 5 to 30 and wait for work from there to the end.
 */
Test(jobs_demand, work_waits_and_workers_wait)
{
    jobs_world world;

    jobs_world_init(&world, 0, 2, 0);
    world.kind.start.container = jobs_world_s(5);
    steps[0] = (ws_demand_step){.rate = 1, .is_known = true};
    steps[1] = (ws_demand_step){.begin = at_s(10), .rate = 4, .is_known = true};
    steps[2] = (ws_demand_step){.begin = at_s(20), .is_known = true};
    give(&world, 3, 60);
    jobs_world_open(&world);
    jobs_world_run_to(&world, 0);
    cr_assert(ws_jobs_start(world.jobs, 0, 2));
    jobs_world_run_to(&world, 4);
    cr_expect(eq(dbl, queue_of(&world).waiting, 4));
    cr_expect(eq(dbl, queue_of(&world).lag_s, 4));
    cr_expect(eq(dbl, ws_jobs_rate(world.jobs, 0), 0));
    jobs_world_run_to(&world, 15);
    cr_expect(eq(dbl, queue_of(&world).waiting, 10));
    cr_expect(eq(dbl, queue_of(&world).arrived, 30));
    cr_expect(eq(dbl, queue_of(&world).served, 20));
    cr_expect(eq(dbl, queue_of(&world).lag_s, 2.5)); /* the work of 12.5 s is done */
    cr_expect(eq(dbl, ws_jobs_stage_done(world.jobs, 0), 20));
    cr_expect(eq(dbl, ws_jobs_rate(world.jobs, 0), 2));
    jobs_world_run_to(&world, 45);
    cr_expect(eq(dbl, queue_of(&world).waiting, 0));
    cr_expect(eq(dbl, ws_jobs_busy_s(world.jobs, 0), 25));
    cr_expect(eq(dbl, ws_jobs_rate(world.jobs, 0), 0));
    cr_expect(eq(dbl, queue_of(&world).capacity_s, 80));
    jobs_world_run_to(&world, 70);
    cr_expect(eq(str, world.news, "0 submitted; 5 started; 60 done; "));
    cr_expect(eq(dbl, jobs_world_account(&world, WS_ACCOUNT_COLD_START), 10));
    cr_expect(eq(dbl, jobs_world_account(&world, WS_ACCOUNT_USEFUL), 50));
    cr_expect(eq(dbl, jobs_world_account(&world, WS_ACCOUNT_INPUT_STALL), 60));
    cr_expect(eq(dbl, ws_jobs_history(world.jobs, 0).work_done, 50));
    jobs_world_close(&world);
}

/* Half a unit a second: one replica is busy half of the time, and its GPU's time is split so. */
Test(jobs_demand, a_part_of_the_time)
{
    jobs_world world;

    jobs_world_init(&world, 0, 1, 0);
    steps[0] = (ws_demand_step){.rate = 0.5, .is_known = true};
    give(&world, 1, 40);
    jobs_world_open(&world);
    jobs_world_run_to(&world, 0);
    cr_assert(ws_jobs_start(world.jobs, 0, 1));
    jobs_world_run_to(&world, 20);
    cr_expect(eq(dbl, ws_jobs_busy_s(world.jobs, 0), 10));
    cr_expect(eq(dbl, ws_jobs_work(world.jobs, 0), 10));
    cr_expect(eq(dbl, jobs_world_account(&world, WS_ACCOUNT_USEFUL), 10));
    cr_expect(eq(dbl, jobs_world_account(&world, WS_ACCOUNT_INPUT_STALL), 10));
    cr_expect(eq(dbl, queue_of(&world).lag_s, 0));
    jobs_world_close(&world);
}

/*
 * A resize stops the world for 3 s, in which work waits, and loses none: 3 wait from the first
 * start on, 6 after the second, which 2 replicas have done by 19. The one that was there is stopped
 * for the resize, the other one starts.
 */
Test(jobs_demand, a_resize_costs_time_and_no_work)
{
    jobs_world world;

    jobs_world_init(&world, 0, 2, 0);
    world.kind.start.init = jobs_world_s(3);
    steps[0] = (ws_demand_step){.rate = 1, .is_known = true};
    give(&world, 1, 100);
    jobs_world_open(&world);
    jobs_world_run_to(&world, 0);
    cr_assert(ws_jobs_start(world.jobs, 0, 1));
    jobs_world_run_to(&world, 10);
    cr_expect(eq(dbl, queue_of(&world).waiting, 3));
    cr_assert(ws_jobs_resize(world.jobs, 0, 2));
    jobs_world_run_to(&world, 13);
    cr_expect(eq(dbl, queue_of(&world).waiting, 6));
    cr_expect(eq(dbl, queue_of(&world).served, 7));
    jobs_world_run_to(&world, 18);
    cr_expect(eq(dbl, queue_of(&world).waiting, 1));
    jobs_world_run_to(&world, 20);
    cr_expect(eq(dbl, ws_jobs_rate(world.jobs, 0), 1)); /* half of what they could */
    cr_expect(eq(dbl, ws_jobs_history(world.jobs, 0).work_lost, 0));
    cr_expect(eq(dbl, jobs_world_account(&world, WS_ACCOUNT_LOST), 0));
    cr_expect(eq(dbl, jobs_world_account(&world, WS_ACCOUNT_COLD_START), 6));
    cr_expect(eq(dbl, jobs_world_account(&world, WS_ACCOUNT_RESIZE), 3));
    cr_expect(eq(dbl, jobs_world_account(&world, WS_ACCOUNT_USEFUL), 7 + 2 * 6 + 1));
    cr_expect(eq(dbl, jobs_world_account(&world, WS_ACCOUNT_INPUT_STALL), 1));
    jobs_world_close(&world);
}

/* Its node fails at 20 and is ready again at once; 4 s until that is noticed, and a start of 2 s,
 * in which work waits: 6 at 26, and 2 of the first start. The 18 that were done stay done. */
Test(jobs_demand, a_failure_loses_no_work)
{
    jobs_world world;

    jobs_world_init(&world, 1, 0, 0);
    jobs_world_let_fail(&world, 20, 4);
    world.restart_with_one = true;
    world.kind.start.init = jobs_world_s(2);
    steps[0] = (ws_demand_step){.rate = 1, .is_known = true};
    give(&world, 1, 100);
    jobs_world_open(&world);
    jobs_world_run_to(&world, 0);
    cr_assert(ws_jobs_start(world.jobs, 0, 1));
    jobs_world_run_to(&world, 26);
    cr_expect(
        eq(str, world.news, "0 submitted; 2 started; 20 node lost; 24 needs GPUs; 26 started; "));
    cr_expect(eq(dbl, queue_of(&world).waiting, 8));
    cr_expect(eq(dbl, queue_of(&world).served, 18));
    cr_expect(eq(dbl, ws_jobs_history(world.jobs, 0).work_lost, 0));
    cr_expect(eq(dbl, jobs_world_account(&world, WS_ACCOUNT_LOST), 0));
    jobs_world_close(&world);
}

/* What waits when demand ends is done before the job is: 2 a second for 10 s, one replica. */
Test(jobs_demand, the_job_ends_when_nothing_waits)
{
    jobs_world world;
    ws_demand_outcome outcome;

    jobs_world_init(&world, 0, 1, 0);
    steps[0] = (ws_demand_step){.rate = 2, .is_known = true};
    give(&world, 1, 10);
    jobs_world_open(&world);
    jobs_world_run_to(&world, 0);
    cr_assert(ws_jobs_start(world.jobs, 0, 1));
    jobs_world_run_to(&world, 50);
    cr_expect(eq(str, world.news, "0 submitted; 0 started; 20 done; "));
    cr_assert(ws_jobs_demand_outcome(world.jobs, 0, &outcome));
    cr_expect(eq(dbl, outcome.served, 20));
    cr_expect(eq(dbl, outcome.lag_max_s, 10));
    cr_expect(eq(dbl, outcome.counted_s, 20));
    jobs_world_close(&world);
}
