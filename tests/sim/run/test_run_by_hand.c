/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whole runs whose course is worked out by hand; where a number has a source it is named. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "worlds/small_world.h"

#define S(seconds) ((ws_duration){.ns = (seconds)*WS_NS_PER_S})

static double account_gpu_s(const ws_run_record *run, ws_account account)
{
    return (double)run->accounts.account[account].gpu_ns / 1e9;
}

static void fail_every(small_world *world, double seconds, double repair_s)
{
    world->pool.failures = (ws_node_failures){
        .present = true,
        .time_to_failure = ws_distribution_constant(seconds),
        .repair = ws_distribution_constant(repair_s),
        .billed_in_repair = true,
    };
}

/* Work 120, a write every 30 of work, restart 5, failure at 95: back to 90, on again at 100, done
 * at 130. Source: the deterministic traces of the checkpoint theory (130 and 162). */
Test(run_by_hand, failure_without_write_cost)
{
    small_world world;
    ws_arena keep;

    small_world_init(&world, 1, 120);
    fail_every(&world, 95, 0);
    world.job.kind.has_checkpoint = true;
    world.job.kind.checkpoint = (ws_checkpoint_spec){.every = S(30), .read = S(5)};
    ws_run_result result = small_world_run(&world, &keep);

    cr_assert(eq(sz, result.job_count, 1));
    cr_expect(eq(dbl, result.jobs[0].end_s, 130));
    cr_expect(eq(i64, result.jobs[0].failures, 1));
    cr_expect(eq(i64, result.jobs[0].restarts, 1));
    cr_expect(ieee_ulp_eq(dbl, result.jobs[0].work_lost, 5, 64));
    /* 120 s of work that counts, 5 lost, 5 of recovery. */
    cr_expect(eq(dbl, account_gpu_s(&result.run, WS_ACCOUNT_USEFUL), 120));
    cr_expect(eq(dbl, account_gpu_s(&result.run, WS_ACCOUNT_LOST), 5));
    cr_expect(eq(dbl, account_gpu_s(&result.run, WS_ACCOUNT_RECOVERY), 5));
    cr_expect(eq(dbl, account_gpu_s(&result.run, WS_ACCOUNT_IDLE), 870));
    ws_arena_reset(&keep);
}

/* The same with writes of 2: 30-32, 62-64, 94-; the failure at 95 is inside the third write: back
 * to 60, on at 100, a write at 130-132, done at 162. */
Test(run_by_hand, failure_inside_a_write)
{
    small_world world;
    ws_arena keep;

    small_world_init(&world, 1, 120);
    fail_every(&world, 95, 0);
    world.job.kind.has_checkpoint = true;
    world.job.kind.checkpoint = (ws_checkpoint_spec){.every = S(30), .write = S(2), .read = S(5)};
    ws_run_result result = small_world_run(&world, &keep);

    cr_expect(eq(dbl, result.jobs[0].end_s, 162));
    cr_expect(eq(i64, result.jobs[0].checkpoints, 3));
    cr_expect(eq(dbl, account_gpu_s(&result.run, WS_ACCOUNT_USEFUL), 120));
    cr_expect(eq(dbl, account_gpu_s(&result.run, WS_ACCOUNT_CHECKPOINT), 6)); /* 30, 62, 130 */
    cr_expect(eq(dbl, account_gpu_s(&result.run, WS_ACCOUNT_LOST), 31));      /* 64..95 */
    cr_expect(eq(dbl, account_gpu_s(&result.run, WS_ACCOUNT_RECOVERY), 5));
    ws_arena_reset(&keep);
}

/* Work 100 on 4 workers, 4 more at 10, a pause of 2: 40 done by 10, on at 12 with 8, the other 60
 * take 7.5: done at 19.5. Source: the elastic break-even example of the same tests. */
Test(run_by_hand, planned_growth)
{
    small_world world;
    ws_arena keep;
    small_order order = {.at = {.ns = 10 * WS_NS_PER_S}, .replicas = 8};

    small_world_init(&world, 8, 100);
    world.job.replicas_initial = 4;
    world.job.kind.has_checkpoint = true;
    world.job.kind.checkpoint =
        (ws_checkpoint_spec){.every = S(1000), .read = S(2), .before_resize = true};
    small_world_order(&world, &order, false);
    ws_run_result result = small_world_run(&world, &keep);

    cr_expect(eq(dbl, result.jobs[0].end_s, 19.5));
    cr_expect(eq(i64, result.jobs[0].resizes, 1));
    cr_expect(eq(i64, result.run.scale_ups, 1));
    /* 4 x 10 and 8 x 7.5 useful; in the pause of 2, 4 survivors resize and 4 newcomers start. */
    cr_expect(eq(dbl, account_gpu_s(&result.run, WS_ACCOUNT_USEFUL), 100));
    cr_expect(eq(dbl, account_gpu_s(&result.run, WS_ACCOUNT_RESIZE), 8));
    cr_expect(eq(dbl, account_gpu_s(&result.run, WS_ACCOUNT_COLD_START), 8));
    cr_expect(eq(dbl, account_gpu_s(&result.run, WS_ACCOUNT_LOST), 0));
    cr_expect(eq(dbl, result.jobs[0].effective_training_ratio, 17.5 / 19.5));
    ws_arena_reset(&keep);
}

/* Without a write before it, and none so far, the growth throws away all 40: on at 10 (nothing to
 * read), 100 / 8 = 12.5. */
Test(run_by_hand, growth_from_the_last_checkpoint)
{
    small_world world;
    ws_arena keep;
    small_order order = {.at = {.ns = 10 * WS_NS_PER_S}, .replicas = 8};

    small_world_init(&world, 8, 100);
    world.job.replicas_initial = 4;
    small_world_order(&world, &order, false);
    ws_run_result result = small_world_run(&world, &keep);

    cr_expect(eq(dbl, result.jobs[0].end_s, 22.5));
    cr_expect(eq(dbl, account_gpu_s(&result.run, WS_ACCOUNT_LOST), 40));
    cr_expect(eq(dbl, account_gpu_s(&result.run, WS_ACCOUNT_USEFUL), 100));
    cr_expect(eq(dbl, result.jobs[0].work_lost, 40));
    ws_arena_reset(&keep);
}

/* A fixed fleet of 64 GPUs for a week at $2.99 is 64 x 168 x 2.99 = $32148.48, to the nano-dollar,
 * failures or not. */
Test(run_by_hand, fixed_fleet_cost_is_exact)
{
    small_world world;
    ws_arena keep;

    small_world_init(&world, 8, 3600 * 24 * 3);
    world.pool.gpus_per_node = 8;
    world.pool.node_price.nano_per_h = INT64_C(8) * 2990000000;
    world.pool.billing_increment = S(1);
    world.pool.billing_minimum = S(60);
    world.scenario.horizon.ns = INT64_C(168) * WS_NS_PER_H;
    world.options.check = false;
    fail_every(&world, 40000, 1800);
    ws_run_result result = small_world_run(&world, &keep);

    cr_expect(result.run.cost.nano == (ws_i128)INT64_C(32148480000000));
    cr_expect(result.run.paid.gpu_ns == (ws_i128)64 * 168 * WS_NS_PER_H);
    cr_expect(result.run.failures > 50);
    ws_arena_reset(&keep);
}

/* A pool grows from 1 to 2 nodes at 100: request 10 (not paid), boot 20, pull 5, join 1. The
 * waiting job of 2 starts at 136. */
Test(run_by_hand, node_cold_start)
{
    small_world world;
    ws_arena keep;
    small_order order = {.at = {.ns = 100 * WS_NS_PER_S}, .replicas = 2};

    small_world_init(&world, 2, 10);
    world.pool.nodes_initial = 1;
    world.pool.start.request = ws_distribution_constant(10);
    world.pool.start.boot = ws_distribution_constant(20);
    world.pool.start.image_pull = ws_distribution_constant(5);
    world.pool.start.join = ws_distribution_constant(1);
    world.job.replicas_initial = 2;
    world.job.replicas_min = 2;
    world.job.kind.elasticity = &ws_elasticity_rigid;
    small_world_order(&world, &order, true);
    ws_run_result result = small_world_run(&world, &keep);

    cr_expect(eq(dbl, result.jobs[0].first_start_s, 136));
    cr_expect(eq(dbl, result.jobs[0].end_s, 141));
    cr_expect(eq(dbl, account_gpu_s(&result.run, WS_ACCOUNT_COLD_START), 26));
    cr_expect(eq(dbl, account_gpu_s(&result.run, WS_ACCOUNT_USEFUL), 10));
    /* 1000 s of the first node and 890 s of the second, paid at $3.6/h = $0.001/s. */
    cr_expect(result.run.cost.nano == (ws_i128)INT64_C(1890000000));
    cr_expect(eq(dbl, (double)result.run.unbilled.gpu_ns / 1e9, 10));
    ws_arena_reset(&keep);
}

/* A warm-up of 50 s leaves 50 s of useful time and its cost out. */
Test(run_by_hand, warm_up_is_left_out)
{
    small_world world;
    ws_arena keep;

    small_world_init(&world, 1, 100);
    world.scenario.warmup = S(50);
    ws_run_result result = small_world_run(&world, &keep);

    cr_expect(eq(dbl, account_gpu_s(&result.run, WS_ACCOUNT_USEFUL), 50));
    cr_expect(result.run.cost.nano == (ws_i128)950000000);
    cr_expect(result.run.warmup_cost.nano == (ws_i128)50000000);
    ws_arena_reset(&keep);
}

/* 250 s of work, writes of 10 s every 100 s: durable at 110 and 220, done at 270. A checkpoint
 * costs $0.001 a second: the newest from 110 on, 160 s; the two newest 110 s once and 50 s twice.
 */
Test(run_by_hand, the_storage_of_checkpoints)
{
    static const int64_t nano[] = {160000000, 210000000, 210000000};

    for (int32_t keep = 1; keep <= 3; keep++) {
        small_world world;
        ws_arena keep_arena;

        small_world_init(&world, 1, 250);
        world.job.kind.has_checkpoint = true;
        world.job.kind.checkpoint =
            (ws_checkpoint_spec){.every = S(100),
                                 .write = S(10),
                                 .keep = keep,
                                 .keep_price = {.nano_per_h = INT64_C(3600000000)}};
        ws_run_result result = small_world_run(&world, &keep_arena);

        cr_expect(eq(dbl, result.jobs[0].end_s, 270));
        cr_expect(result.jobs[0].storage_cost.nano == (ws_i128)nano[keep - 1]);
        cr_expect(result.run.storage_cost.nano == (ws_i128)nano[keep - 1]);
        cr_expect(result.run.compute_cost.nano == (ws_i128)1000000000);
        cr_expect(result.run.cost.nano == (ws_i128)(INT64_C(1000000000) + nano[keep - 1]));
        ws_arena_reset(&keep_arena);
    }
}

/* A storage at $0.002 a second for 1000 s, of which the first 100 s are warm-up. */
Test(run_by_hand, a_storage_that_is_paid_for_by_its_size)
{
    small_world world;
    ws_arena keep;

    small_world_init(&world, 1, 250);
    world.scenario.warmup = S(100);
    world.scenario.storage_price.nano_per_h = INT64_C(7200000000);
    ws_run_result result = small_world_run(&world, &keep);

    cr_expect(result.run.storage_cost.nano == (ws_i128)1800000000);
    cr_expect(result.run.cost.nano == (ws_i128)INT64_C(2700000000));
    cr_expect(result.run.warmup_cost.nano == (ws_i128)(100000000 + 200000000));
    cr_expect(result.jobs[0].storage_cost.nano == 0);
    ws_arena_reset(&keep);
}
