/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prices that change, worked out by hand: $36/h is a cent a second. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "fleet_world.h"

#define CENT_A_SECOND INT64_C(36000000000)

/* A cent a second, from 1000 s on two, from 3000 s on nothing. */
static const ws_price_step steps[] = {
    {.at = {.ns = 1000 * WS_NS_PER_S}, .node_price = {.nano_per_h = 2 * CENT_A_SECOND}},
    {.at = {.ns = 3000 * WS_NS_PER_S}, .node_price = {.nano_per_h = 0}}};

static void open_steps(fleet_world *world, int32_t initial, int32_t max)
{
    world->pools[0] = world_pool("spot", 8, initial, max);
    world->pools[0].price_steps = steps;
    world->pools[0].price_step_count = 2;
}

/* What an owner's GPUs cost until now, in cents. */
static bool owner_costs(const fleet_world *world, size_t owner, int64_t cents)
{
    return ws_ledger_cost(ws_fleet_ledger(world->fleet), owner, ws_kernel_now(world->kernel))
               .nano_ns_per_h == (ws_i128)cents * 10000000 * WS_NS_PER_H;
}

Test(prices, a_lease_pays_the_price_of_the_moment)
{
    fleet_world world = {0};

    open_steps(&world, 1, 1);
    world_open(&world, 1);
    world_run_to_s(&world, 999);
    cr_expect(eq(i64, ws_fleet_node_price(world.fleet, 0).nano_per_h, CENT_A_SECOND));
    world_run_to_s(&world, 1000);
    cr_expect(eq(i64, ws_fleet_node_price(world.fleet, 0).nano_per_h, 2 * CENT_A_SECOND));
    cr_expect(world_cost_is(&world, 0, 1000));
    world_run_to_s(&world, 1500);
    cr_expect(world_cost_is(&world, 0, 1000 + 2 * 500));
    cr_expect(ws_fleet_is_balanced(world.fleet));
    world_run_to_s(&world, 10000);
    cr_expect(world_cost_is(&world, 0, 1000 + 2 * 2000));
    cr_expect(eq(i64, ws_pool_highest_price(&world.pools[0]).nano_per_h, 2 * CENT_A_SECOND));
    (void)ws_fleet_want(world.fleet, 0, 0);
    cr_expect(world_cost_is(&world, 0, 1000 + 2 * 2000));
    cr_expect(ws_fleet_is_balanced(world.fleet));
    world_close(&world);
}

/* Billed by the hour, 500 s are 3600 s, at the prices of those: 1000 x 1 + 2000 x 2 + 600 x 0. What
 * was there for 500 s and is billed for more is in no owner's price x time. */
Test(prices, what_is_billed_beyond_the_lease_has_the_prices_to_come)
{
    fleet_world world = {0};

    open_steps(&world, 1, 1);
    world.pools[0].billing_increment.ns = WS_NS_PER_H;
    world_open(&world, 1);
    world_run_to_s(&world, 500);
    (void)ws_fleet_want(world.fleet, 0, 0);
    cr_expect(world_cost_is(&world, 0, 5000));
    cr_expect(owner_costs(&world, 0, 500));
    cr_expect(ws_fleet_is_balanced(world.fleet));
    world_close(&world);
}

/* A lease that ends in the instant in which the price changes pays the old one. */
Test(prices, an_end_at_a_change)
{
    fleet_world world = {0};

    open_steps(&world, 1, 1);
    world_open(&world, 1);
    world_run_to_s(&world, 3000);
    (void)ws_fleet_want(world.fleet, 0, 0);
    cr_expect(world_cost_is(&world, 0, 1000 + 2 * 2000));
    cr_expect(ws_fleet_is_balanced(world.fleet));
    world_close(&world);
}

/* Node 0 is held by two from 600 s on, 2 and 4 of 8 GPUs; node 1 is asked for at 900 s, granted at
 * 905 s, and ready at 1028 s. To 1100 s: a quarter of 400 + 200 cents, half of them, and the rest;
 * 95 + 2 x 28 cents of start; 2 x 72 idle. */
Test(prices, holders_and_starts_pay_their_share)
{
    fleet_world world = {.options = {.job_owner_count = 2}};

    open_steps(&world, 1, 2);
    world_open(&world, 1);
    world_run_to_s(&world, 600);
    cr_assert(world_grant(&world, 0, 1, 2));
    cr_assert(world_grant(&world, 1, 1, 4));
    world_run_to_s(&world, 900);
    (void)ws_fleet_want(world.fleet, 0, 2);
    world_run_to_s(&world, 1100);
    cr_expect(owner_costs(&world, world_job(&world, 0), (400 + 200) / 4));
    cr_expect(owner_costs(&world, world_job(&world, 1), (400 + 200) / 2));
    cr_expect(owner_costs(&world, 1, 95 + 2 * 28));
    cr_expect(owner_costs(&world, 0, 600 + (400 + 200) / 4 + 2 * 72));
    cr_expect(ws_fleet_is_balanced(world.fleet));
    world_run_to_s(&world, 3500);
    cr_expect(owner_costs(&world, world_job(&world, 0), (400 + 2 * 2000) / 4));
    cr_expect(ws_fleet_is_balanced(world.fleet));
    world_close(&world);
}

/* 7, 8 and 7 nano an hour for 600 s each are 22 / 6 = 3.67 nano, rounded to 4; each by itself would
 * be 1. */
Test(prices, a_lease_is_rounded_once_over_all_its_prices)
{
    static const ws_price_step nano[] = {
        {.at = {.ns = 600 * WS_NS_PER_S}, .node_price = {.nano_per_h = 8}},
        {.at = {.ns = 1200 * WS_NS_PER_S}, .node_price = {.nano_per_h = 7}}};
    fleet_world world = {.options = {.job_owner_count = 1}};

    world.pools[0] = world_pool("cheap", 8, 1, 1);
    world.pools[0].node_price.nano_per_h = 7;
    world.pools[0].price_steps = nano;
    world.pools[0].price_step_count = 2;
    world_open(&world, 1);
    cr_assert(world_grant(&world, 0, 1, 3)); /* 7 x 3 / 8 is no whole number */
    world_run_to_s(&world, 1800);
    cr_expect(ws_fleet_cost(world.fleet, 0).nano == 4);
    cr_expect(ws_fleet_is_balanced(world.fleet));
    world_close(&world);
}
