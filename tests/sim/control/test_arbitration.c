/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Who may start, who may grow, who must shrink: small worlds worked out by hand. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "sim/control/control_world.h"

TestSuite(arbitration);

/* What the test asks of the fleet or of a job, as a plan would. */
static void want_nodes(control_world *world, int64_t at_s, int32_t nodes)
{
    control_world_run_to(world, at_s);
    (void)ws_fleet_want(world->fleet, 0, nodes);
}

/* ---- order ---- */

/* Of 4 GPUs the first takes 3. The rigid second of 2 waits, and blocks the third of 1, although one
 * is free; when the first ends at 10 both start. */
Test(arbitration, a_gang_that_does_not_fit_blocks_those_behind)
{
    control_world world;

    control_world_init(&world, 4);
    (void)control_world_add(&world, "a", 0, 3, 30);
    (void)control_world_add(&world, "b", 1, 2, 20);
    (void)control_world_add(&world, "c", 2, 1, 5);
    control_world_make_rigid(&world, 1);
    control_world_open(&world);
    control_world_run_to(&world, 30);
    cr_expect(
        eq(str, world.log, "0 a at 3; 10 a done; 10 b at 2; 10 c at 1; 15 c done; 20 b done; "));
    control_world_close(&world);
}

/* An elastic job starts with what there is, and takes the rest when it is free: at 10 it grows from
 * 1 to 3, and what it had done is lost (no checkpoint). */
Test(arbitration, an_elastic_job_starts_smaller_and_grows_to_all)
{
    control_world world;

    control_world_init(&world, 4);
    (void)control_world_add(&world, "a", 0, 3, 30);
    (void)control_world_add(&world, "b", 0, 3, 30);
    control_world_open(&world);
    control_world_run_to(&world, 30);
    cr_expect(eq(str, world.log, "0 a at 3; 0 b at 1; 10 a done; 10 b at 3; 20 b done; "));
    control_world_close(&world);
}

/* Growth to a part waits for `regrow`: one node comes at 20, but only at 100 the job takes it. The
 * second comes at 150 and is all that lacks: it is taken at once. */
Test(arbitration, a_part_is_taken_now_and_then)
{
    control_world world;

    control_world_init(&world, 1);
    (void)control_world_add(&world, "a", 0, 3, 1000);
    control_world_open(&world);
    want_nodes(&world, 20, 2);
    want_nodes(&world, 150, 3);
    control_world_run_to(&world, 160);
    cr_expect(eq(str, world.log, "0 a at 1; 100 a at 2; 150 a at 3; "));
    control_world_close(&world);
}

/* The same with the first write from 130 to 135: at 100 a restart would lose everything. The part
 * is taken when the write is durable, not later. */
Test(arbitration, a_part_waits_for_durable_work)
{
    control_world world;

    control_world_init(&world, 1);
    (void)control_world_add(&world, "a", 0, 3, 1000);
    control_world_checkpoint(&world, 0, 130, 5, false);
    control_world_open(&world);
    want_nodes(&world, 20, 2);
    control_world_run_to(&world, 160);
    cr_expect(eq(str, world.log, "0 a at 1; 135 a at 2; "));
    cr_expect(eq(dbl, ws_jobs_history(world.jobs, 0).work_lost, 0));
    control_world_close(&world);
}

/* ---- shrinking ---- */

static void shrink_at_10(void *state, const void *parameters, const ws_view *view, ws_plan *plan)
{
    (void)state;
    (void)parameters;
    if (ws_view_now(view).ns == 0) {
        ws_plan_call_back(plan, (ws_time){.ns = 10 * WS_NS_PER_S});
    } else {
        ws_plan_set_replicas(plan, 0, 1);
    }
}

static const ws_parameter_table no_parameters = {.noun = "test"};

static const ws_policy_type shrinker = {.name = "shrinker",
                                        .parameters = &no_parameters,
                                        .wakes = WS_WAKE_START,
                                        .decide = shrink_at_10};

/* The first holds all 4 GPUs and is to have 1 from 10 on; it writes until 14, and the rigid second
 * starts then, while the first is still starting anew until 20. */
Test(arbitration, what_a_write_sets_free_is_handed_out_at_once)
{
    control_world world;

    control_world_init(&world, 4);
    (void)control_world_add(&world, "a", 0, 4, 1000);
    (void)control_world_add(&world, "b", 5, 3, 30);
    control_world_checkpoint(&world, 0, 100, 4, true);
    control_world_make_rigid(&world, 1);
    world.kinds[0].start.init = ws_distribution_constant(6);
    control_world_control(&world, &shrinker, (ws_target){.kind = WS_TARGET_JOBS});
    control_world_open(&world);
    control_world_run_to(&world, 23);
    cr_expect(eq(str, world.log, "6 a at 4; 14 b at 3; 20 a at 1; "));
    control_world_close(&world);
}

/* A growth without checkpoint falls back from the second stage, which wants 2, into the first,
 * which allows 1: the start is cut down at once. */
Test(arbitration, who_falls_back_into_a_smaller_stage_shrinks_at_once)
{
    control_world world;
    ws_job_spec *job = NULL;

    control_world_init(&world, 1);
    job = control_world_add(&world, "a", 0, 2, 10);
    job->stage_count = 2;
    world.stages[0][0].replicas_max = 1;
    world.kinds[0].start.init = ws_distribution_constant(5);
    control_world_open(&world);
    want_nodes(&world, 20, 2); /* in its second stage since 15 */
    control_world_run_to(&world, 26);
    cr_expect(eq(sz, ws_jobs_stage(world.jobs, 0), 0));
    cr_expect(eq(str, world.log, "5 a at 1; 25 a at 1; "));
    control_world_close(&world);
}

/* ---- draining ---- */

/* 3 of 4 nodes are to stay. A job of 2..4 leaves the fourth; told to leave, it does so at once. */
Test(arbitration, jobs_leave_nodes_that_go_if_they_should)
{
    control_world world;

    control_world_init(&world, 4);
    (void)control_world_add(&world, "a", 0, 4, 1000);
    world.options.leave_draining = true;
    control_world_open(&world);
    want_nodes(&world, 10, 3);
    control_world_run_to(&world, 10);
    cr_expect(eq(str, world.log, "0 a at 4; 10 node 3 gone; 10 a at 3; "));
    control_world_close(&world);
}

Test(arbitration, otherwise_the_nodes_wait_for_the_jobs)
{
    control_world world;

    control_world_init(&world, 4);
    (void)control_world_add(&world, "a", 0, 4, 80);
    control_world_open(&world);
    want_nodes(&world, 10, 3);
    control_world_run_to(&world, 30);
    cr_expect(eq(str, world.log, "0 a at 4; 20 node 3 gone; 20 a done; "));
    control_world_close(&world);
}

/* Sizes 2 and 4: it cannot leave three nodes of four, but when one of them is to stay after all it
 * can leave the other two. */
Test(arbitration, a_node_that_stays_after_all_lets_others_go)
{
    control_world world;
    ws_job_spec *job = NULL;

    control_world_init(&world, 4);
    job = control_world_add(&world, "a", 0, 4, 1000);
    job->replicas_min = 2;
    job->replicas_step = 2;
    world.options.leave_draining = true;
    control_world_open(&world);
    want_nodes(&world, 10, 1);
    want_nodes(&world, 20, 2);
    control_world_run_to(&world, 20);
    cr_expect(eq(str, world.log, "0 a at 4; 20 node 2 gone; 20 node 3 gone; 20 a at 2; "));
    control_world_close(&world);
}

static void shrink_then_grow(void *state, const void *parameters, const ws_view *view,
                             ws_plan *plan)
{
    int64_t now_s = ws_view_now(view).ns / WS_NS_PER_S;

    (void)state;
    (void)parameters;
    if (now_s == 10 || now_s == 11) {
        ws_plan_set_replicas(plan, 0, now_s == 10 ? 2 : 6);
    }
    if (now_s < 11) {
        ws_plan_call_back(plan, (ws_time){.ns = (now_s < 10 ? 10 : 11) * WS_NS_PER_S});
    }
}

static const ws_policy_type waverer = {.name = "waverer",
                                       .parameters = &no_parameters,
                                       .wakes = WS_WAKE_START,
                                       .decide = shrink_then_grow};

/* In the write before a shrink the job is wanted larger again, GPUs are free, and a node of it is
 * to go: nothing can be done until the write is durable, and nobody goes round in circles. */
Test(arbitration, a_resize_under_way_is_left_alone)
{
    control_world world;

    control_world_init(&world, 6);
    (void)control_world_add(&world, "a", 0, 4, 10000);
    control_world_checkpoint(&world, 0, 1000, 20, true);
    world.options.leave_draining = true;
    control_world_control(&world, &waverer, (ws_target){.kind = WS_TARGET_JOBS});
    control_world_open(&world);
    want_nodes(&world, 12, 6);
    cr_expect(ws_jobs_is_resizing(world.jobs, 0));
    (void)ws_fleet_want(world.fleet, 0, 3); /* the two idle ones go, and one of the job's */
    (void)ws_fleet_want(world.fleet, 0, 5); /* it stays after all, and another comes */
    control_world_run_to(&world, 60);
    /* At 30 it has 2; then 5 are there, and 6 are wanted: a part, after 100 s. */
    cr_expect(eq(str, world.log, "0 a at 4; 12 node 5 gone; 12 node 4 gone; 30 a at 2; "));
    control_world_run_to(&world, 140);
    cr_expect(eq(i32, ws_jobs_replicas_next(world.jobs, 0), 5));
    control_world_close(&world);
}

/* ---- priority ---- */

/* The later, more urgent job of 3 takes the place of the latest of the lowest: c, then b; a stays.
 */
Test(arbitration, urgent_jobs_preempt_the_latest_of_the_lowest)
{
    control_world world;

    control_world_init(&world, 4);
    world.options.arbiter = &ws_arbiter_priority;
    (void)control_world_add(&world, "a", 0, 1, 1000);
    (void)control_world_add(&world, "b", 0, 2, 1000);
    (void)control_world_add(&world, "c", 0, 1, 1000);
    (void)control_world_add(&world, "d", 10, 3, 30);
    for (size_t job = 0; job < 4; job++) {
        control_world_make_rigid(&world, job);
    }
    world.kinds[3].priority = 5;
    control_world_open(&world);
    control_world_run_to(&world, 30);
    cr_expect(eq(str, world.log,
                 "0 a at 1; 0 b at 2; 0 c at 1; 10 d at 3; 20 d done; 20 b at 2; 20 c at 1; "));
    cr_expect(eq(i64, ws_jobs_history(world.jobs, 0).preemptions, 0));
    cr_expect(eq(i64, ws_jobs_history(world.jobs, 1).preemptions, 1));
    cr_expect(eq(i64, ws_jobs_history(world.jobs, 2).preemptions, 1));
    control_world_close(&world);
}

/* It needs 3, and only 2 can be had from lower ones: nobody is preempted in vain. */
Test(arbitration, nobody_is_preempted_in_vain)
{
    control_world world;

    control_world_init(&world, 4);
    world.options.arbiter = &ws_arbiter_priority;
    (void)control_world_add(&world, "a", 0, 2, 1000);
    (void)control_world_add(&world, "b", 0, 2, 1000);
    (void)control_world_add(&world, "c", 10, 3, 30);
    for (size_t job = 0; job < 3; job++) {
        control_world_make_rigid(&world, job);
    }
    world.kinds[0].priority = 5;
    world.kinds[2].priority = 5;
    control_world_open(&world);
    control_world_run_to(&world, 30);
    cr_expect(eq(str, world.log, "0 a at 2; 0 b at 2; "));
    control_world_close(&world);
}

/* A job over both pools counts with what it has in the pool that is asked for: 2 of its 4. */
Test(arbitration, a_job_over_two_pools_yields_what_it_has_in_one)
{
    control_world world;

    control_world_init(&world, 2);
    world.pools[1].nodes_initial = 2;
    world.options.arbiter = &ws_arbiter_priority;
    (void)control_world_add(&world, "a", 0, 4, 1000);
    (void)control_world_add(&world, "b", 10, 2, 20);
    control_world_make_rigid(&world, 0);
    control_world_make_rigid(&world, 1);
    world.kinds[1].priority = 1;
    world.kinds[1].pools = 1;
    control_world_open(&world);
    control_world_run_to(&world, 15);
    cr_expect(eq(str, world.log, "0 a at 4; 10 b at 2; "));
    cr_expect(eq(i64, ws_jobs_history(world.jobs, 0).preemptions, 1));
    control_world_close(&world);
}
