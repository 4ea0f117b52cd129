/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What must not turn round, and what must not change at all.
 *
 * Orderings hold for means over replications in which both sides meet the same worlds. Identities
 * hold for every number of a run, to the last bit, in random worlds (random_world.h).
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "laws/random_world.h"
#include "support/support.h"
#include "worlds/small_world.h"

TestSuite(orderings);

#define WORLDS_FULL 100
#define WORLDS_LEAST 30
#define REPLICATIONS_FULL 300
#define REPLICATIONS_LEAST 100

static int64_t worlds(void)
{
    return ws_test_scaled(WORLDS_FULL, WORLDS_LEAST);
}

static ws_run_result run_arm(const ws_arm *arm, ws_arena *keep)
{
    ws_run_options options = {.with_jobs = true, .events_max = 1000000};
    ws_run_result result;
    ws_arena scratch;
    ws_diag diag;

    ws_arena_init(&scratch, &ws_allocator_default, (size_t)1 << 28);
    ws_diag_init(&diag, keep);
    bool ran = ws_run(&result, arm, &options, keep, &scratch, &diag);
    cr_assert(ran, "%.*s", WS_TEXT_ARGS(diag.entries[0].message));
    ws_arena_reset(&scratch);
    return result;
}

/* ---- comparing records by their dictionary ---- */

static bool same_number(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

static void expect_same_record(const ws_columns *columns, const void *a, const void *b,
                               const char *except)
{
    for (size_t i = 0; i < columns->count; i++) {
        const ws_column *column = &columns->columns[i];
        double first = ws_column_value(column, a);
        double second = ws_column_value(column, b);

        if (except != NULL && strcmp(column->name, except) == 0) {
            continue;
        }
        cr_assert(same_number(first, second), "%s: %.17g and %.17g", column->name, first, second);
    }
}

static void expect_same_run(const ws_run_result *a, const ws_run_result *b)
{
    expect_same_record(&ws_run_columns, &a->run, &b->run, NULL);
    cr_assert(a->run.cost.nano == b->run.cost.nano);
    cr_assert(a->run.paid.gpu_ns == b->run.paid.gpu_ns);
    cr_assert(eq(sz, a->job_count, b->job_count));
    for (size_t i = 0; i < a->job_count; i++) {
        expect_same_record(&ws_job_columns, &a->jobs[i], &b->jobs[i], NULL);
    }
}

/* ---- identities ---- */

/* One nano-dollar for each nanosecond and unit of price, so that no lease is rounded. */
static void make_price_exact(random_world *world, int64_t factor)
{
    world->scenario.storage_price.nano_per_h = factor * WS_NS_PER_H;
    for (size_t i = 0; i < RANDOM_KINDS; i++) {
        world->templates[i].kind.checkpoint.keep_price.nano_per_h = 3 * factor * WS_NS_PER_H;
    }
    for (size_t i = 0; i < world->scenario.pool_count; i++) {
        world->pools[i].node_price.nano_per_h = (int64_t)(i + 1) * factor * WS_NS_PER_H;
        for (size_t k = 0; k < world->pools[i].price_step_count; k++) {
            world->prices[i][k].node_price.nano_per_h = (int64_t)(k + 2) * factor * WS_NS_PER_H;
        }
    }
}

Test(orderings, twice_the_price_is_twice_the_cost)
{
    for (int64_t seed = 1; seed <= worlds(); seed++) {
        random_world world;
        ws_arena keep;

        ws_arena_init(&keep, &ws_allocator_default, (size_t)1 << 28);
        random_world_draw(&world, (uint64_t)seed, &keep);
        make_price_exact(&world, 1);
        ws_run_result once = run_arm(&world.arm, &keep);
        make_price_exact(&world, 2);
        ws_run_result twice = run_arm(&world.arm, &keep);
        cr_assert(twice.run.cost.nano == 2 * once.run.cost.nano);
        cr_assert(twice.run.warmup_cost.nano == 2 * once.run.warmup_cost.nano);
        cr_assert(twice.run.paid.gpu_ns == once.run.paid.gpu_ns);
        cr_assert(eq(i64, twice.run.events, once.run.events));
        for (size_t i = 0; i < once.job_count; i++) {
            cr_assert(same_number(once.jobs[i].end_s, twice.jobs[i].end_s));
        }
        ws_arena_reset(&keep);
    }
}

/* The same arm under another name, and after another arm has run: every number is the same. */
Test(orderings, a_name_and_a_neighbour_change_nothing)
{
    for (int64_t seed = 1; seed <= worlds(); seed++) {
        random_world world;
        random_world other;
        ws_arena keep;

        ws_arena_init(&keep, &ws_allocator_default, (size_t)1 << 28);
        random_world_draw(&world, (uint64_t)seed, &keep);
        random_world_draw(&other, (uint64_t)seed + 1000000, &keep);
        ws_run_result first = run_arm(&world.arm, &keep);
        (void)run_arm(&other.arm, &keep);
        world.arm.name = WS_TEXT("another name");
        ws_run_result second = run_arm(&world.arm, &keep);
        expect_same_run(&first, &second);
        ws_arena_reset(&keep);
    }
}

/* A further pool that nobody may use and nobody buys, behind the others. */
Test(orderings, a_pool_that_nobody_uses_changes_nothing)
{
    for (int64_t seed = 1; seed <= worlds(); seed++) {
        random_world world;
        ws_pool_spec pools[RANDOM_POOLS + 1];
        ws_arena keep;

        ws_arena_init(&keep, &ws_allocator_default, (size_t)1 << 28);
        random_world_draw(&world, (uint64_t)seed, &keep);
        world.arm.controller_count = 0; /* they could buy there */
        ws_run_result without = run_arm(&world.arm, &keep);
        memcpy(pools, world.pools, sizeof world.pools);
        pools[world.scenario.pool_count] = world.pools[0];
        pools[world.scenario.pool_count].name = WS_TEXT("unused");
        pools[world.scenario.pool_count].nodes_initial = 0;
        pools[world.scenario.pool_count].nodes_min = 0;
        pools[world.scenario.pool_count].absence_count = 0;
        pools[world.scenario.pool_count].price_step_count = 0;
        world.scenario.pools = pools;
        world.scenario.pool_count++;
        double speeds[RANDOM_KINDS][RANDOM_POOLS + 1] = {{0}};
        for (size_t kind = 0; kind < RANDOM_KINDS; kind++) {
            memcpy(speeds[kind], world.speeds[kind], sizeof world.speeds[kind]);
            speeds[kind][world.scenario.pool_count - 1] = 0;
            world.templates[kind].kind.pool_speed = speeds[kind];
        }
        ws_run_result with = run_arm(&world.arm, &keep);
        expect_same_run(&without, &with);
        ws_arena_reset(&keep);
    }
}

/* Two pools, each with jobs of its own, room for all of them and a storage: nobody meets anybody
 * else's draws. Under another name the first pool has other failures; the second pool's jobs notice
 * nothing. */
Test(orderings, renaming_a_pool_moves_its_own_draws_alone)
{
    int64_t moved = 0;

    for (int64_t seed = 1; seed <= worlds(); seed++) {
        random_world world;
        ws_arena keep;

        ws_arena_init(&keep, &ws_allocator_default, (size_t)1 << 28);
        random_world_draw(&world, (uint64_t)seed, &keep);
        world.arm.controller_count = 0;
        world.scenario.pool_count = 2;
        world.scenario.workload.template_count = 2;
        world.scenario.workload.recorded_count = 0;
        random_world_part_storage(&world);
        for (size_t i = 0; i < 2; i++) {
            ws_job_template *job = &world.templates[i];
            world.pools[i] = world.pools[0];
            world.pools[i].name = i == 0 ? WS_TEXT("left") : WS_TEXT("right");
            world.pools[i].gpus_per_node = 8;
            world.pools[i].nodes_max = 8;
            world.pools[i].nodes_initial = 8;
            world.pools[i].nodes_min = 8;
            world.pools[i].failures.present = true;
            world.pools[i].failures.time_to_failure =
                (ws_distribution){.family = WS_DISTRIBUTION_EXPONENTIAL, .a = 2000};
            world.speeds[i][0] = i == 0 ? 1 : 0;
            world.speeds[i][1] = i == 1 ? 1 : 0;
            job->kind.pools = UINT64_C(1) << i;
            job->kind.gpus_per_replica = 1;
            job->arrivals.kind = WS_ARRIVALS_AT;
            job->arrivals.at.ns = (int64_t)i * WS_NS_PER_S;
        }
        ws_run_result before = run_arm(&world.arm, &keep);
        world.pools[0].name = WS_TEXT("renamed");
        ws_run_result after = run_arm(&world.arm, &keep);
        cr_assert(eq(sz, before.job_count, 2));
        expect_same_record(&ws_job_columns, &before.jobs[1], &after.jobs[1], NULL);
        moved += before.run.accounts.account[WS_ACCOUNT_IDLE].gpu_ns !=
                         after.run.accounts.account[WS_ACCOUNT_IDLE].gpu_ns
                     ? 1
                     : 0;
        ws_arena_reset(&keep);
    }
    cr_expect(moved > worlds() / 2, "%" PRId64, moved); /* its own draws did move */
}

/* Jobs are themselves wherever they stand in the list: only the times of submission count. */
Test(orderings, the_order_of_the_list_of_jobs_does_not_matter)
{
    for (int64_t seed = 1; seed <= worlds(); seed++) {
        random_world world;
        ws_arena keep;

        ws_arena_init(&keep, &ws_allocator_default, (size_t)1 << 28);
        random_world_draw(&world, (uint64_t)seed, &keep);
        for (size_t i = 0; i < RANDOM_TEMPLATES; i++) {
            world.templates[i].arrivals.kind = WS_ARRIVALS_AT;
            world.templates[i].arrivals.at.ns = (int64_t)((i * 7 + 3) % 5 + 1) * 100 * WS_NS_PER_S;
        }
        ws_run_result first = run_arm(&world.arm, &keep);
        ws_job_template last = world.templates[RANDOM_TEMPLATES - 1];
        world.templates[RANDOM_TEMPLATES - 1] = world.templates[0];
        world.templates[0] = last;
        ws_run_result second = run_arm(&world.arm, &keep);
        expect_same_run(&first, &second);
        ws_arena_reset(&keep);
    }
}

/* ---- splitting ---- */

/* A stage in two halves is the same job, where the boundary writes no checkpoint. */
Test(orderings, a_stage_in_two_halves_is_the_same_stage)
{
    small_world whole;
    small_world halves;
    ws_stage_template stages[2];
    ws_arena keep[2];

    small_world_init(&whole, 4, 1024);
    whole.pool.failures = (ws_node_failures){.present = true,
                                             .time_to_failure = ws_distribution_constant(300),
                                             .repair = ws_distribution_constant(20),
                                             .billed_in_repair = true};
    whole.job.replicas_initial = 4;
    small_world_init(&halves, 4, 512);
    halves.pool.failures = whole.pool.failures;
    halves.job.replicas_initial = 4;
    stages[0] = halves.stage;
    stages[1] = halves.stage;
    halves.job.stages = stages;
    halves.job.stage_count = 2;
    ws_run_result a = small_world_run(&whole, &keep[0]);
    ws_run_result b = small_world_run(&halves, &keep[1]);

    cr_expect(eq(dbl, a.jobs[0].end_s, 256));
    expect_same_record(&ws_job_columns, &a.jobs[0], &b.jobs[0], NULL);
    expect_same_record(&ws_run_columns, &a.run, &b.run, "events");
    ws_arena_reset(&keep[0]);
    ws_arena_reset(&keep[1]);
}

/* The timeline in steps of 64 s and of 16 s: the means of four are the mean of one. */
Test(orderings, finer_timelines_add_up_to_coarser_ones)
{
    small_world world;
    ws_arena keep[2];

    small_world_init(&world, 4, 1000);
    world.job.replicas_initial = 4;
    world.pool.failures = (ws_node_failures){.present = true,
                                             .time_to_failure = ws_distribution_constant(100),
                                             .repair = ws_distribution_constant(24)};
    world.scenario.horizon.ns = 640 * WS_NS_PER_S;
    world.options.timeline_step.ns = 64 * WS_NS_PER_S;
    ws_run_result coarse = small_world_run(&world, &keep[0]);
    world.options.timeline_step.ns = 16 * WS_NS_PER_S;
    ws_run_result fine = small_world_run(&world, &keep[1]);

    cr_assert(eq(sz, coarse.timeline_count, 10));
    cr_assert(eq(sz, fine.timeline_count, 40));
    for (size_t i = 0; i < 10; i++) {
        double ready = 0;
        double busy = 0;
        for (size_t j = 4 * i; j < 4 * i + 4; j++) {
            ready += fine.timeline[j].nodes_ready / 4;
            busy += fine.timeline[j].gpus_busy / 4;
        }
        cr_expect(epsilon_eq(dbl, coarse.timeline[i].nodes_ready, ready, 1e-12));
        cr_expect(epsilon_eq(dbl, coarse.timeline[i].gpus_busy, busy, 1e-12));
        cr_expect(eq(dbl, coarse.timeline[i].cost_usd_cum, fine.timeline[4 * i + 3].cost_usd_cum));
    }
    ws_arena_reset(&keep[0]);
    ws_arena_reset(&keep[1]);
}

static ws_distribution seconds(double value, double unit)
{
    return ws_distribution_constant(value * unit);
}

static void make_in_unit(small_world *world, double unit)
{
    small_world_init(world, 4, 4000 * unit);
    world->job.replicas_initial = 4;
    world->pool.failures = (ws_node_failures){.present = true,
                                              .time_to_failure = seconds(300, unit),
                                              .repair = seconds(24, unit),
                                              .crash_detection = ws_duration_of_s(7 * unit)};
    world->job.kind.has_checkpoint = true;
    world->job.kind.checkpoint = (ws_checkpoint_spec){.every = ws_duration_of_s(100 * unit),
                                                      .write = ws_duration_of_s(5 * unit),
                                                      .read = ws_duration_of_s(11 * unit)};
    world->job.kind.start.container = seconds(13, unit);
    world->scenario.horizon.ns = ws_duration_of_s(5000 * unit).ns;
    world->scenario.regrow = ws_duration_of_s(600 * unit);
}

/* All durations in sixteenths of a second instead of seconds: everything takes a sixteenth. */
Test(orderings, the_unit_of_time_does_not_matter)
{
    small_world seconds_world;
    small_world sixteenths_world;
    ws_arena keep[2];

    make_in_unit(&seconds_world, 1);
    make_in_unit(&sixteenths_world, 1.0 / 16);
    ws_run_result a = small_world_run(&seconds_world, &keep[0]);
    ws_run_result b = small_world_run(&sixteenths_world, &keep[1]);

    cr_expect(gt(i64, a.jobs[0].failures, 4));
    cr_expect(eq(dbl, a.jobs[0].end_s, 16 * b.jobs[0].end_s));
    cr_expect(eq(i64, a.jobs[0].checkpoints, b.jobs[0].checkpoints));
    cr_expect(a.run.cost.nano == 16 * b.run.cost.nano);
    for (size_t i = 0; i < WS_ACCOUNT_COUNT; i++) {
        cr_expect(a.run.accounts.account[i].gpu_ns == 16 * b.run.accounts.account[i].gpu_ns);
    }
    ws_arena_reset(&keep[0]);
    ws_arena_reset(&keep[1]);
}

/* ---- orderings of means ---- */

typedef struct {
    double between_failures_s;
    double repair_s;
    double start_s;
    int32_t nodes; /* for a job of 4 */
    double work_s; /* of one replica; without end, when it is more than the 200 000 s can hold */
} ordering_case;

/* Means over the replications of a job of 4 replicas that fails, from its submission to its end. */
static double mean_of(const ordering_case *what, double (*value)(const ws_run_record *run))
{
    bool ends = what->work_s < 1e6;
    int64_t replications = ws_test_scaled(REPLICATIONS_FULL, REPLICATIONS_LEAST) / (ends ? 1 : 10);
    double sum = 0;

    for (int64_t replication = 0; replication < replications; replication++) {
        small_world world;
        ws_arena keep;

        small_world_init(&world, what->nodes, what->work_s);
        world.options.check = false;
        world.options.replication = (uint64_t)replication;
        world.scenario.horizon.ns = 200000 * WS_NS_PER_S;
        world.pool.failures =
            (ws_node_failures){.present = true,
                               .time_to_failure = {.family = WS_DISTRIBUTION_EXPONENTIAL,
                                                   .a = what->between_failures_s},
                               .repair = ws_distribution_constant(what->repair_s),
                               .billed_in_repair = true};
        world.job.kind.elasticity = &ws_elasticity_rigid;
        world.job.replicas_initial = 4;
        world.job.replicas_min = 4;
        world.job.replicas_max = 4;
        world.job.kind.start.container = ws_distribution_constant(what->start_s);
        world.job.kind.has_checkpoint = true;
        world.job.kind.checkpoint = (ws_checkpoint_spec){.every = {.ns = 600 * WS_NS_PER_S},
                                                         .write = {.ns = 20 * WS_NS_PER_S}};
        ws_run_result result = small_world_run(&world, &keep);
        sum += value(&result.run) / (double)replications;
        ws_arena_reset(&keep);
    }
    return sum;
}

static double finish_of(const ws_run_record *run)
{
    cr_assert(not(isnan(run->main_finish_s)));
    return run->main_finish_s;
}

static double training_ratio_of(const ws_run_record *run)
{
    return run->effective_training_ratio;
}

static double goodput_of(const ws_run_record *run)
{
    return run->goodput_fraction;
}

/* Of a job that does not end. The same draws, each a half as long: more failures, less of what is
 * paid for is useful, and less of the time is training. */
Test(orderings, more_failures_never_raise_goodput)
{
    double goodput = 1;
    double ratio = 1;

    for (double between_s = 64000; between_s >= 2000; between_s /= 2) {
        ordering_case what = {between_s, 100, 50, 4, 1e7};
        double here = mean_of(&what, goodput_of);
        double trains = mean_of(&what, training_ratio_of);
        cr_expect(here < goodput, "%g s: %g after %g", between_s, here, goodput);
        cr_expect(trains < ratio, "%g s: %g after %g", between_s, trains, ratio);
        goodput = here;
        ratio = trains;
    }
}

Test(orderings, a_shorter_restart_never_makes_it_longer)
{
    double finish = HUGE_VAL;

    for (double start_s = 320; start_s >= 10; start_s /= 2) {
        ordering_case what = {8000, 0, start_s, 4, 20000};
        double here = mean_of(&what, finish_of);
        cr_expect(lt(dbl, here, finish));
        finish = here;
    }
}

Test(orderings, spares_never_make_it_longer)
{
    double finish = HUGE_VAL;

    for (int32_t nodes = 4; nodes <= 7; nodes++) {
        ordering_case what = {4000, 1500, 50, nodes, 20000};
        double here = mean_of(&what, finish_of);
        cr_expect(here <= finish, "%" PRId32 " nodes: %g after %g", nodes, here, finish);
        finish = here;
    }
}
