/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Billing, worked by hand. A node of these pools costs $36/h, one cent a second, and has 8 GPUs,
 * unless a test says otherwise. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "fleet_world.h"

/* A world of one initial node whose leases are billed by `increment_s`, at least `minimum_s`. */
static void lease_open(fleet_world *world, int64_t increment_s, int64_t minimum_s)
{
    world->pools[0] = world_pool("leased", 8, 1, 1);
    world->pools[0].billing_increment.ns = increment_s * WS_NS_PER_S;
    world->pools[0].billing_minimum.ns = minimum_s * WS_NS_PER_S;
    world_open(world, 1);
}

/* True when a lease of `elapsed_ns` is billed as `billed_s`, in money and in GPU-time, and the
 * ledger has the rest as idle. */
static bool lease_bills(int64_t increment_s, int64_t minimum_s, int64_t elapsed_ns,
                        int64_t billed_s)
{
    fleet_world world = {0};

    lease_open(&world, increment_s, minimum_s);
    world_run_to(&world, (ws_time){.ns = elapsed_ns});
    (void)ws_fleet_want(world.fleet, 0, 0);
    bool bills = world_cost_is(&world, 0, billed_s) &&
                 world_gpu_s_is(ws_fleet_billed(world.fleet), 8 * billed_s) &&
                 world_account_is(&world, 0, WS_ACCOUNT_IDLE, 8 * billed_s) &&
                 ws_fleet_is_balanced(world.fleet);
    world_close(&world);
    return bills;
}

Test(lease, is_rounded_up_to_the_increment)
{
    cr_expect(lease_bills(60, 60, 61 * WS_NS_PER_S, 120));
    cr_expect(lease_bills(60, 60, 60 * WS_NS_PER_S, 60));
    cr_expect(lease_bills(60, 60, 60 * WS_NS_PER_S + 1, 120));
    cr_expect(lease_bills(3600, 0, 3601 * WS_NS_PER_S, 7200));
    cr_expect(lease_bills(1, 0, 61 * WS_NS_PER_S, 61));
}

Test(lease, has_a_minimum)
{
    cr_expect(lease_bills(1, 60, 2 * WS_NS_PER_S, 60));
    cr_expect(lease_bills(60, 90, 10 * WS_NS_PER_S, 90));
    cr_expect(lease_bills(60, 90, 61 * WS_NS_PER_S, 120));
    cr_expect(lease_bills(1, 60, 0, 60));
    cr_expect(lease_bills(1, 0, 0, 0));
}

Test(lease, of_a_minute_costs_what_the_table_says)
{
    /* reference/elastic/validation.md: a 60-s minimum at $6.88/h is $.114667. To the nano:
     * 114666667. */
    fleet_world world = {0};

    world.pools[0] = world_pool("leased", 8, 1, 1);
    world.pools[0].billing_minimum.ns = WS_NS_PER_MIN;
    world.pools[0].node_price.nano_per_h = INT64_C(6880000000);
    world_open(&world, 1);
    world_run_to_s(&world, 7);
    (void)ws_fleet_want(world.fleet, 0, 0);
    cr_expect(ws_fleet_cost(world.fleet, 0).nano == 114666667);
    world_close(&world);
}

Test(lease, of_a_fixed_fleet_is_exact)
{
    /* 64 GPUs for 168 h at $2.99/h are $32148.48. */
    fleet_world world = {0};

    world.pools[0] = world_pool("fixed", 8, 8, 8);
    world.pools[0].node_price.nano_per_h = INT64_C(23920000000);
    world_open(&world, 1);
    world_run_to_s(&world, 168 * 3600);
    cr_expect(world_cost_is(&world, 0, 3214848));
    cr_expect(world_gpu_s_is(ws_fleet_billed(world.fleet), 64 * 168 * 3600));
    (void)ws_fleet_want(world.fleet, 0, 0);
    cr_expect(world_cost_is(&world, 0, 3214848));
    world_close(&world);
}

Test(lease, of_a_day_at_another_price_is_exact)
{
    /* reference/elastic/validation.md: 64 x 6.88 x 24 = 10567.68. */
    fleet_world world = {0};

    world.pools[0] = world_pool("fixed", 8, 8, 8);
    world.pools[0].node_price.nano_per_h = INT64_C(55040000000);
    world_open(&world, 1);
    world_run_to_s(&world, 24 * 3600);
    cr_expect(world_cost_is(&world, 0, 1056768));
    world_close(&world);
}

Test(lease, counts_to_now_without_rounding_while_it_is_open)
{
    fleet_world world = {0};

    lease_open(&world, 3600, 7200);
    world_run_to_s(&world, 61);
    cr_expect(world_cost_is(&world, 0, 61));
    cr_expect(world_gpu_s_is(ws_fleet_billed(world.fleet), 8 * 61));
    cr_expect(world_account_is(&world, 0, WS_ACCOUNT_IDLE, 8 * 61));
    world_close(&world);
}

Test(lease, is_rounded_once_to_the_nano)
{
    /* 1 nano/h: 1799 s are 0.4997, nothing; 1800 s are half, one. Two nodes are two leases. */
    fleet_world world = {0};

    world.pools[0] = world_pool("cheap", 8, 2, 2);
    world.pools[0].node_price.nano_per_h = 1;
    world_open(&world, 1);
    world_run_to_s(&world, 1799);
    cr_expect(ws_fleet_cost(world.fleet, 0).nano == 0);
    world_run_to_s(&world, 1800);
    cr_expect(ws_fleet_cost(world.fleet, 0).nano == 2);
    (void)ws_fleet_want(world.fleet, 0, 1);
    cr_expect(ws_fleet_cost(world.fleet, 0).nano == 2);
    (void)ws_fleet_want(world.fleet, 0, 0);
    cr_expect(ws_fleet_cost(world.fleet, 0).nano == 2);
    world_close(&world);
}

Test(lease, begins_when_the_request_is_answered)
{
    fleet_world world = {0};

    lease_open(&world, 1, 60);
    (void)ws_fleet_want(world.fleet, 0, 0); /* 60 s are billed for the initial node */
    world_run_to_s(&world, 1000);
    (void)ws_fleet_want(world.fleet, 0, 1); /* answered at 1005 */
    world_run_to_s(&world, 1004);
    cr_expect(world_cost_is(&world, 0, 60));
    cr_expect(world_gpu_s_is(ws_fleet_unbilled(world.fleet), 8 * 4));
    world_run_to_s(&world, 1105);
    cr_expect(world_cost_is(&world, 0, 160));
    cr_expect(world_gpu_s_is(ws_fleet_unbilled(world.fleet), 8 * 5));
    /* Owner 1 is the pool's nodes in cold start. */
    cr_expect(world_account_is(&world, 1, WS_ACCOUNT_COLD_START, 8 * 100));
    world_run_to_s(&world, 1138);
    cr_expect(world_account_is(&world, 1, WS_ACCOUNT_COLD_START, 8 * 123));
    cr_expect(world_account_is(&world, 0, WS_ACCOUNT_IDLE, 8 * (60 + 10)));
    world_close(&world);
}

Test(lease, of_a_node_given_up_while_it_starts_pays_the_minimum)
{
    fleet_world world = {0};

    lease_open(&world, 1, 60);
    (void)ws_fleet_want(world.fleet, 0, 0);
    (void)ws_fleet_want(world.fleet, 0, 1);
    world_run_to_s(&world, 7); /* starting since 5 */
    (void)ws_fleet_want(world.fleet, 0, 0);
    cr_expect(world_cost_is(&world, 0, 120));
    cr_expect(world_account_is(&world, 1, WS_ACCOUNT_COLD_START, 8 * 2));
    cr_expect(world_account_is(&world, 0, WS_ACCOUNT_IDLE, 8 * (60 + 58)));
    cr_expect(ws_fleet_is_balanced(world.fleet));
    world_close(&world);
}

Test(lease, of_a_request_given_up_costs_nothing)
{
    fleet_world world = {0};

    lease_open(&world, 1, 60);
    world.pools[0].billing_minimum.ns = 0;
    (void)ws_fleet_want(world.fleet, 0, 0);
    (void)ws_fleet_want(world.fleet, 0, 1);
    world_run_to_s(&world, 3);
    (void)ws_fleet_want(world.fleet, 0, 0);
    world_run_to_s(&world, 1000);
    cr_expect(world_cost_is(&world, 0, 0));
    cr_expect(world_gpu_s_is(ws_fleet_billed(world.fleet), 0));
    cr_expect(world_gpu_s_is(ws_fleet_unbilled(world.fleet), 8 * 3));
    world_close(&world);
}

Test(lease, ends_with_a_failure_when_repairs_are_not_paid)
{
    /* Up 1000 s, away 500 s; by the minute 1000 s are 1020. */
    fleet_world world = {0};

    world.pools[0] = world_pool("fragile", 8, 1, 1);
    world.pools[0].billing_increment.ns = WS_NS_PER_MIN;
    world_let_fail(&world.pools[0], 1000, 500, false);
    world_open(&world, 1);
    world_run_to_s(&world, 1200);
    cr_expect(world_cost_is(&world, 0, 1020));
    cr_expect(eq(i64, ws_fleet_pool_counts(world.fleet, 0).gpus_paid, 0));
    world_run_to_s(&world, 2600); /* failed again at 2500 */
    cr_expect(world_cost_is(&world, 0, 2 * 1020));
    cr_expect(world_gpu_s_is(ws_fleet_billed(world.fleet), 8 * 2 * 1020));
    cr_expect(world_gpu_s_is(ws_fleet_unbilled(world.fleet), 8 * (500 + 100)));
    cr_expect(world_account_is(&world, 0, WS_ACCOUNT_IDLE, 8 * 2 * 1020));
    world_run_to_s(&world, 3050); /* repaired at 3000 */
    cr_expect(world_cost_is(&world, 0, 2 * 1020 + 50));
    cr_expect(world_gpu_s_is(ws_fleet_unbilled(world.fleet), 8 * 1000));
    cr_expect(ws_fleet_is_balanced(world.fleet));
    world_close(&world);
}

Test(lease, goes_on_through_repairs_that_are_paid)
{
    fleet_world world = {0};

    world.pools[0] = world_pool("fragile", 8, 1, 1);
    world.pools[0].billing_increment.ns = WS_NS_PER_MIN;
    world_let_fail(&world.pools[0], 1000, 500, true);
    world_open(&world, 1);
    world_run_to_s(&world, 2600);
    cr_expect(world_cost_is(&world, 0, 2600));
    cr_expect(world_gpu_s_is(ws_fleet_billed(world.fleet), 8 * 2600));
    cr_expect(world_gpu_s_is(ws_fleet_unbilled(world.fleet), 0));
    cr_expect(world_account_is(&world, 0, WS_ACCOUNT_IDLE, 8 * 2600));
    cr_expect(eq(i64, ws_fleet_pool_counts(world.fleet, 0).gpus_paid, 8));
    cr_expect(ws_fleet_is_balanced(world.fleet));
    world_close(&world);
}

Test(lease, shares_an_uneven_price_and_loses_nothing)
{
    /* 10 nano/h for 3 GPUs: one GPU has 3 of it, the pool's owner the other 7; two GPUs have 6. */
    fleet_world world = {.options = {.job_owner_count = 1}};

    world.pools[0] = world_pool("uneven", 3, 1, 1);
    world.pools[0].node_price.nano_per_h = 10;
    world_open(&world, 1);
    const ws_ledger *ledger = ws_fleet_ledger(world.fleet);

    cr_assert(world_grant(&world, 0, 1, 1));
    world_run_to_s(&world, 3600);
    cr_expect(ws_ledger_cost(ledger, 2, (ws_time){.ns = WS_NS_PER_H}).nano_ns_per_h ==
              3 * WS_NS_PER_H);
    cr_expect(ws_ledger_cost(ledger, 0, (ws_time){.ns = WS_NS_PER_H}).nano_ns_per_h ==
              7 * WS_NS_PER_H);
    cr_assert(world_grant(&world, 0, 1, 1));
    world_run_to_s(&world, 7200);
    cr_expect(ws_ledger_cost(ledger, 2, (ws_time){.ns = 2 * WS_NS_PER_H}).nano_ns_per_h ==
              9 * WS_NS_PER_H);
    cr_expect(ws_fleet_is_balanced(world.fleet));
    world_close(&world);
}

Test(lease, of_the_largest_fleet_for_a_century_is_exact)
{
    /* 16384 GPUs at $2.99/h for 36525 days: $42943021056, and 51703971840000 GPU-s. */
    fleet_world world = {0};

    world.pools[0] = world_pool("large", 8, 2048, 2048);
    world.pools[0].node_price.nano_per_h = INT64_C(23920000000);
    world_open(&world, 1);
    world_run_to(&world, (ws_time){.ns = WS_HORIZON_MAX_NS});
    (void)ws_fleet_want(world.fleet, 0, 0);
    cr_expect(world_cost_is(&world, 0, INT64_C(4294302105600)));
    cr_expect(world_gpu_s_is(ws_fleet_billed(world.fleet), INT64_C(51703971840000)));
    cr_expect(ws_fleet_is_balanced(world.fleet));
    world_close(&world);
}
