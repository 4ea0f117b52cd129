/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Listeners that call the fleet back while it tells its news. A node is asked for in 5 s and joins
 * 123 s later. The owners are: 0 the pool's idle GPUs, 1 its starting nodes, 2 the first job.
 */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "fleet_world.h"

/* A listener that lets the only job leave at once, and one that asks for a node more for each that
 * is lost. */
static void fleet_leave_at_once(void *context, ws_node_id node)
{
    fleet_world *world = context;

    world_draining(context, node);
    ws_fleet_take_all(world->fleet, world_job(world, 0));
}

static void fleet_replace(void *context, ws_node_id node, const size_t *holders, size_t count)
{
    fleet_world *world = context;

    world_lost(context, node, holders, count);
    (void)ws_fleet_want(world->fleet, 0, counts_of(world).wanted + 1);
}

Test(fleet_listener, may_be_called_from_its_news)
{
    fleet_world world = {.options = {.job_owner_count = 1}};

    world.pools[0] = world_pool("first", 8, 2, 4);
    world_let_fail(&world.pools[0], 1000, 5000, true);
    world_open(&world, 1);
    ws_fleet_listen(world.fleet, &(ws_fleet_listener){.context = &world,
                                                      .node_lost = fleet_replace,
                                                      .node_draining = fleet_leave_at_once,
                                                      .node_released = world_released});
    cr_assert(world_grant(&world, 0, 2, 8));
    (void)ws_fleet_want(world.fleet, 0, 1);
    cr_expect(eq(str, world.news, "0 draining 1; 0 released 1; "));
    cr_expect(eq(i64, counts_of(&world).gpus_held, 0));
    world_run_to_s(&world, 1001);
    cr_expect(eq(str, world.news, "0 draining 1; 0 released 1; 1000 lost 0 []; "));
    cr_expect(eq(i32, counts_of(&world).wanted, 2));
    cr_expect(eq(i32, counts_of(&world).requested, 1));
    cr_expect(eq(i32, counts_of(&world).broken, 1));
    cr_expect(ws_fleet_is_balanced(world.fleet));
    world_close(&world);
}

/* While both nodes are given up the first release asks for them again. */
static void fleet_change_its_mind(void *context, ws_node_id node)
{
    fleet_world *world = context;

    world_released(context, node);
    if (node.index == 1) {
        (void)ws_fleet_want(world->fleet, 0, 2);
    }
}

Test(fleet_listener, the_last_word_counts_when_news_change_what_is_wanted)
{
    fleet_world world = {0};

    world.pools[0] = world_pool("first", 8, 2, 2);
    world_open(&world, 1);
    ws_fleet_listen(world.fleet, &(ws_fleet_listener){.context = &world,
                                                      .node_released = fleet_change_its_mind});
    (void)ws_fleet_want(world.fleet, 0, 0);
    cr_expect(eq(str, world.news, "0 released 1; "));
    cr_expect(eq(i32, counts_of(&world).wanted, 2));
    cr_expect(eq(i32, counts_of(&world).ready, 1));
    cr_expect(eq(i32, counts_of(&world).requested, 1));
    cr_expect(ws_fleet_is_balanced(world.fleet));
    world_close(&world);
}

/* A lost node is wanted after all, though it was to go. */
static void fleet_want_back(void *context, ws_node_id node, const size_t *holders, size_t count)
{
    fleet_world *world = context;

    world_lost(context, node, holders, count);
    (void)ws_fleet_want(world->fleet, 0, 1);
}

Test(fleet_listener, a_draining_node_that_fails_may_be_wanted_back)
{
    fleet_world world = {.options = {.job_owner_count = 1}};

    world.pools[0] = world_pool("fragile", 8, 1, 1);
    world_let_fail(&world.pools[0], 1000, 500, true);
    world_open(&world, 1);
    ws_fleet_listen(world.fleet, &(ws_fleet_listener){.context = &world,
                                                      .node_lost = fleet_want_back,
                                                      .node_ready = world_ready,
                                                      .node_released = world_released});
    cr_assert(world_grant(&world, 0, 1, 8));
    (void)ws_fleet_want(world.fleet, 0, 0);
    world_run_to_s(&world, 1001);
    cr_expect(eq(str, world.news, "1000 lost 0 [2]; "));
    cr_expect(state_of(&world, 0) == WS_NODE_BROKEN);
    cr_expect(ws_fleet_is_balanced(world.fleet));
    world_run_to_s(&world, 1501);
    cr_expect(eq(str, world.news, "1000 lost 0 [2]; 1500 ready 0; "));
    world_close(&world);
}
