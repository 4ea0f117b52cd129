/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where gangs go and from where they are taken, each step worked by hand. Holdings are written
 * "node:gpus". */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include <signal.h>

#include "fleet_world.h"

#define JOBS 4

static void placement_open(fleet_world *world, int32_t gpus_per_node, int32_t nodes, bool spread)
{
    world->pools[0] = world_pool("first", gpus_per_node, nodes, nodes);
    world->options.job_owner_count = JOBS;
    world->options.spread = spread;
    world_open(world, 1);
}

static bool holds(const fleet_world *world, size_t job, const char *expected)
{
    char text[512];

    return strcmp(world_held(world, job, text, sizeof text), expected) == 0;
}

/* Four nodes of 8 GPUs of which 3, 2, 4 and 8 are free; job 0 holds the rest. */
static void placement_open_used(fleet_world *world)
{
    placement_open(world, 8, 4, false);
    cr_assert(world_grant(world, 0, 1, 5)); /* node 0 */
    cr_assert(world_grant(world, 0, 1, 6)); /* does not fit beside them: node 1 */
    cr_assert(world_grant(world, 0, 1, 4)); /* node 2 */
    cr_assert(holds(world, 0, "0:5 1:6 2:4 "));
}

static int32_t fit(const fleet_world *world, int32_t replicas, int32_t gpus_per_replica)
{
    return ws_fleet_fit(world->fleet, &(ws_gang){.replicas = replicas,
                                                 .gpus_per_replica = gpus_per_replica,
                                                 .pools = UINT64_MAX});
}

Test(placement, packs_where_the_fewest_free_gpus_suffice)
{
    fleet_world world = {0};

    placement_open_used(&world);
    cr_expect(world_grant(&world, 1, 1, 2));
    cr_expect(holds(&world, 1, "1:2 "));
    cr_expect(world_grant(&world, 2, 1, 3));
    cr_expect(holds(&world, 2, "0:3 "));
    cr_expect(world_grant(&world, 3, 1, 3)); /* of node 2's 4: one is left */
    cr_expect(world_grant(&world, 3, 1, 1));
    cr_expect(holds(&world, 3, "2:4 "));
    cr_expect(ws_fleet_is_balanced(world.fleet));
    world_close(&world);
}

Test(placement, packs_a_gang_over_what_is_left)
{
    /* Replicas of 2: one each in 2 and 3 free GPUs, two in 4, the fifth on the free node. */
    fleet_world world = {0};

    placement_open_used(&world);
    cr_expect(eq(i32, fit(&world, 100, 2), 1 + 1 + 2 + 4));
    cr_expect(eq(i32, fit(&world, 7, 2), 7));
    cr_expect(eq(i32, fit(&world, 100, 3), 1 + 0 + 1 + 2));
    cr_expect(world_grant(&world, 1, 5, 2));
    cr_expect(holds(&world, 1, "1:2 0:2 2:4 3:2 "));
    world_close(&world);
}

Test(placement, takes_the_lowest_slot_of_equals)
{
    fleet_world world = {0};

    placement_open(&world, 4, 3, false);
    cr_expect(world_grant(&world, 0, 1, 3));
    cr_expect(world_grant(&world, 1, 1, 3));
    cr_expect(world_grant(&world, 2, 1, 3));
    cr_expect(world_grant(&world, 3, 1, 1)); /* each has one left */
    cr_expect(holds(&world, 0, "0:3 "));
    cr_expect(holds(&world, 1, "1:3 "));
    cr_expect(holds(&world, 2, "2:3 "));
    cr_expect(holds(&world, 3, "0:1 "));
    world_close(&world);
}

Test(placement, spreads_over_the_emptiest_nodes)
{
    fleet_world world = {0};

    placement_open(&world, 4, 3, true);
    cr_expect(world_grant(&world, 0, 4, 1));
    cr_expect(holds(&world, 0, "0:2 1:1 2:1 "));
    cr_expect(world_grant(&world, 1, 3, 1)); /* 2, 3, 3 are free */
    cr_expect(holds(&world, 1, "1:1 2:1 0:1 "));
    cr_expect(ws_fleet_is_balanced(world.fleet));
    world_close(&world);
}

Test(placement, gives_a_large_replica_whole_nodes)
{
    fleet_world world = {0};

    placement_open(&world, 8, 6, false);
    cr_assert(world_grant(&world, 0, 1, 1)); /* node 0 is not wholly free */
    cr_expect(eq(i32, fit(&world, 9, 16), 2));
    cr_expect(world_grant(&world, 1, 2, 16));
    cr_expect(holds(&world, 1, "1:8 2:8 3:8 4:8 "));
    cr_expect(not(world_grant(&world, 2, 1, 16)));
    cr_expect(world_grant(&world, 2, 1, 8));
    cr_expect(holds(&world, 2, "5:8 "));
    world_close(&world);
}

Test(placement, refuses_what_no_number_of_nodes_makes)
{
    fleet_world world = {0};

    placement_open(&world, 8, 6, false);
    cr_expect(eq(i32, fit(&world, 1, 12), 0));
    cr_expect(not(world_grant(&world, 0, 1, 12)));
    world_close(&world);
}

Test(placement, a_refusal_changes_nothing)
{
    fleet_world world = {0};

    placement_open_used(&world);
    ws_pool_counts before = ws_fleet_pool_counts(world.fleet, 0);
    cr_expect(not(world_grant(&world, 1, 9, 2))); /* 8 fit */
    cr_expect(not(world_grant(&world, 0, 2, 8)));
    ws_pool_counts after = ws_fleet_pool_counts(world.fleet, 0);
    cr_expect(eq(i64, after.gpus_free, before.gpus_free));
    cr_expect(eq(i64, after.gpus_held, 15));
    cr_expect(eq(i64, ws_fleet_held(world.fleet, world_job(&world, 1)), 0));
    cr_expect(eq(i64, ws_ledger_gpus(ws_fleet_ledger(world.fleet), world_job(&world, 1)), 0));
    cr_expect(holds(&world, 0, "0:5 1:6 2:4 "));
    cr_expect(holds(&world, 1, ""));
    cr_expect(ws_fleet_is_balanced(world.fleet));
    world_close(&world);
}

/* Pools of 1 x 8, 4 x 4 and 2 x 8 GPUs: nodes 0, 1 to 4, 5 and 6. */
static void placement_open_three(fleet_world *world)
{
    world->pools[0] = world_pool("first", 8, 1, 1);
    world->pools[1] = world_pool("small", 4, 4, 4);
    world->pools[2] = world_pool("third", 8, 2, 2);
    world->options.job_owner_count = JOBS;
    world_open(world, 3);
}

static bool grant_in(fleet_world *world, size_t job, int32_t replicas, int32_t gpus, uint64_t pools)
{
    return ws_fleet_grant(
        world->fleet, world_job(world, job),
        &(ws_gang){.replicas = replicas, .gpus_per_replica = gpus, .pools = pools});
}

Test(placement, fills_one_accepted_pool_before_the_next)
{
    fleet_world world = {0};

    placement_open_three(&world);
    cr_expect(grant_in(&world, 0, 3, 3, 0x7)); /* two on node 0, the third on node 1 */
    cr_expect(holds(&world, 0, "0:6 1:3 "));
    cr_expect(eq(u64, ws_fleet_pools_of(world.fleet, world_job(&world, 0)), 0x3));
    cr_expect(
        grant_in(&world, 1, 1, 1, 0x4)); /* the third pool alone, though others have less free */
    cr_expect(holds(&world, 1, "5:1 "));
    cr_expect(eq(u64, ws_fleet_pools_of(world.fleet, world_job(&world, 1)), 0x4));
    cr_expect(not(grant_in(&world, 2, 1, 1, 0)));
    cr_expect(not(grant_in(&world, 2, 1, 1, 0xfffffffffffffff8)));
    world_close(&world);
}

Test(placement, a_replica_lies_within_one_pool)
{
    fleet_world world = {0};

    placement_open_three(&world);
    /* 16 GPUs: nodes 1 to 4, or 5 and 6, never node 0 with another pool's. */
    cr_expect(not(grant_in(&world, 0, 1, 16, 0x1)));
    cr_expect(grant_in(&world, 0, 2, 16, 0x7));
    cr_expect(holds(&world, 0, "1:4 2:4 3:4 4:4 5:8 6:8 "));
    cr_expect(not(grant_in(&world, 1, 1, 16, 0x7)));
    /* 8 GPUs: a part of node 0 here, two nodes there. */
    ws_fleet_take_all(world.fleet, world_job(&world, 0));
    cr_expect(grant_in(&world, 1, 5, 8, 0x7));
    cr_expect(holds(&world, 1, "0:8 1:4 2:4 3:4 4:4 5:8 6:8 "));
    cr_expect(ws_fleet_is_balanced(world.fleet));
    world_close(&world);
}

Test(placement, joins_grants_on_one_node)
{
    fleet_world world = {0};

    placement_open(&world, 8, 2, false);
    cr_expect(world_grant(&world, 0, 1, 2));
    cr_expect(world_grant(&world, 1, 1, 2));
    cr_expect(world_grant(&world, 0, 2, 2));
    cr_expect(holds(&world, 0, "0:6 "));
    cr_expect(eq(i32, ws_fleet_nodes_of(world.fleet, world_job(&world, 0)), 1));
    cr_expect(eq(i64, ws_fleet_held(world.fleet, world_job(&world, 0)), 6));
    world_close(&world);
}

Test(placement, lists_more_nodes_than_the_caller_has_room_for)
{
    fleet_world world = {0};
    ws_node_id nodes[2] = {{.index = -7}, {.index = -7}};
    int32_t gpus[2] = {0};

    placement_open(&world, 2, 3, false);
    cr_expect(world_grant(&world, 0, 3, 2));
    cr_expect(eq(sz, ws_fleet_list_nodes(world.fleet, world_job(&world, 0), nodes, gpus, 1), 3));
    cr_expect(eq(i32, nodes[0].index, 0));
    cr_expect(eq(i32, nodes[1].index, -7));
    world_close(&world);
}

Test(placement, takes_back_the_least_held_nodes_first_from_the_highest_slot)
{
    fleet_world world = {0};

    placement_open_used(&world);
    cr_assert(world_grant(&world, 1, 5, 2)); /* 1:2 0:2 2:4 3:2 */
    ws_fleet_take(world.fleet, world_job(&world, 1), 2, 1);
    cr_expect(holds(&world, 1, "1:2 0:2 2:4 "));
    ws_fleet_take(world.fleet, world_job(&world, 1), 2, 3);
    cr_expect(holds(&world, 1, "2:2 "));
    ws_fleet_take(world.fleet, world_job(&world, 1), 2, 0);
    cr_expect(holds(&world, 1, "2:2 "));
    ws_fleet_take_all(world.fleet, world_job(&world, 1));
    cr_expect(holds(&world, 1, ""));
    cr_expect(eq(i32, ws_fleet_nodes_of(world.fleet, world_job(&world, 1)), 0));
    cr_expect(eq(u64, ws_fleet_pools_of(world.fleet, world_job(&world, 1)), 0));
    cr_expect(ws_fleet_is_balanced(world.fleet));
    world_close(&world);
}

Test(placement, takes_back_from_draining_nodes_before_all_others)
{
    fleet_world world = {0};

    placement_open(&world, 8, 3, false);
    cr_assert(world_grant(&world, 0, 1, 2));
    cr_assert(world_grant(&world, 1, 3, 6)); /* 0:6 1:6 2:6 */
    cr_assert(world_grant(&world, 2, 1, 2)); /* 1:2 */
    (void)ws_fleet_want(world.fleet, 0, 2);  /* node 2 is used least: it drains */
    cr_expect(eq(i64, ws_fleet_held_draining(world.fleet, world_job(&world, 1)), 6));
    ws_fleet_take(world.fleet, world_job(&world, 1), 6, 1);
    cr_expect(holds(&world, 1, "0:6 1:6 "));
    cr_expect(eq(i64, ws_fleet_held_draining(world.fleet, world_job(&world, 1)), 0));
    cr_expect(ws_fleet_node_state(world.fleet, (ws_node_id){.index = 2}) == WS_NODE_ABSENT);
    cr_expect(eq(str, world.news, "0 draining 2; 0 released 2; "));
    world_close(&world);
}

Test(placement, takes_back_whole_replicas_of_several_nodes)
{
    fleet_world world = {0};

    /* Replicas of 16 GPUs: four nodes of 4, or two of 8; job 0 has one of each. */
    placement_open_three(&world);
    cr_assert(grant_in(&world, 0, 2, 16, 0x7));
    ws_fleet_take(world.fleet, world_job(&world, 0), 16, 1); /* the smaller nodes are held least */
    cr_expect(holds(&world, 0, "5:8 6:8 "));
    cr_assert(grant_in(&world, 0, 1, 16, 0x2));
    (void)ws_fleet_want(world.fleet, 2,
                        1); /* node 6 drains, so its replica goes first, node 5 with it */
    ws_fleet_take(world.fleet, world_job(&world, 0), 16, 1);
    cr_expect(holds(&world, 0, "1:4 2:4 3:4 4:4 "));
    cr_expect(ws_fleet_is_balanced(world.fleet));
    world_close(&world);
}

Test(placement, takes_no_part_of_a_node_for_a_replica_of_whole_ones)
{
    fleet_world world = {0};

    placement_open(&world, 8, 3, false);
    cr_assert(world_grant(&world, 0, 1, 2));
    cr_assert(world_grant(&world, 0, 1, 16));
    cr_assert(holds(&world, 0, "0:2 1:8 2:8 "));
    ws_fleet_take(world.fleet, world_job(&world, 0), 16, 1);
    cr_expect(holds(&world, 0, "0:2 "));
    world_close(&world);
}

Test(placement, leaves_the_rest_of_a_broken_replica_where_it_is)
{
    /* A replica of two nodes; the first fails at 1000, the other, ready since 128, at 1128. */
    fleet_world world = {0};

    world.pools[0] = world_pool("fragile", 8, 1, 2);
    world_let_fail(&world.pools[0], 1000, 10000, true);
    world.options.job_owner_count = 1;
    world_open(&world, 1);
    (void)ws_fleet_want(world.fleet, 0, 2);
    world_run_to_s(&world, 200);
    cr_assert(world_grant(&world, 0, 1, 16));
    world_run_to_s(&world, 999);
    cr_expect(holds(&world, 0, "0:8 1:8 "));
    world_run_to_s(&world, 1000);
    cr_expect(holds(&world, 0, "1:8 "));
    cr_expect(eq(i64, ws_fleet_held(world.fleet, world_job(&world, 0)), 8));
    ws_fleet_take_all(world.fleet, world_job(&world, 0));
    cr_expect(holds(&world, 0, ""));
    cr_expect(ws_fleet_is_balanced(world.fleet));
    world_close(&world);
}

Test(placement, uses_no_node_that_drains_or_is_not_ready)
{
    fleet_world world = {0};

    world.pools[0] = world_pool("growing", 8, 2, 4);
    world.options.job_owner_count = JOBS;
    world_open(&world, 1);
    cr_assert(world_grant(&world, 0, 2, 5));
    (void)ws_fleet_want(world.fleet, 0, 1); /* node 1 drains, with 3 GPUs free */
    cr_expect(eq(i32, fit(&world, 10, 3), 1));
    cr_expect(world_grant(&world, 1, 1, 3));
    cr_expect(holds(&world, 1, "0:3 "));
    (void)ws_fleet_want(world.fleet, 0, 3); /* it stays; node 2 is asked for */
    cr_expect(eq(i32, fit(&world, 10, 3), 1));
    world_run_to_s(&world, 127);
    cr_expect(eq(i32, fit(&world, 10, 3), 1));
    world_run_to_s(&world, 128);
    cr_expect(eq(i32, fit(&world, 10, 3), 1 + 2));
    world_close(&world);
}

/* 3 GPUs on each of two nodes of 4. When the second drains, what would come of the holder's is 3.
 */
Test(placement, tells_what_others_could_have_of_a_holder)
{
    fleet_world world = {0};

    placement_open(&world, 4, 2, false);
    cr_assert(world_grant(&world, 0, 2, 3));
    cr_expect(eq(i64, ws_fleet_held_staying(world.fleet, world_job(&world, 0), 1), 6));
    cr_expect(eq(i64, ws_fleet_held_staying(world.fleet, world_job(&world, 0), 2), 0));
    cr_expect(eq(i64, ws_fleet_held_staying(world.fleet, world_job(&world, 1), 1), 0));
    cr_expect(eq(i32, ws_fleet_want(world.fleet, 0, 1), 1));
    cr_expect(eq(i64, ws_fleet_held_staying(world.fleet, world_job(&world, 0), UINT64_MAX), 3));
    world_close(&world);
}

Test(placement, one_gang_of_every_gpu_of_the_largest_fleet)
{
    fleet_world world = {0};

    placement_open(&world, 8, 2048, false);
    cr_expect(world_grant(&world, 0, 16384, 1));
    cr_expect(not(world_grant(&world, 1, 1, 1)));
    cr_expect(eq(i32, ws_fleet_nodes_of(world.fleet, world_job(&world, 0)), 2048));
    ws_fleet_take(world.fleet, world_job(&world, 0), 1, 8192);
    cr_expect(eq(i32, ws_fleet_nodes_of(world.fleet, world_job(&world, 0)), 1024));
    cr_expect(eq(i64, ws_fleet_pool_counts(world.fleet, 0).gpus_free, 8192));
    cr_expect(world_grant(&world, 1, 64, 128)); /* 16 nodes each */
    cr_expect(eq(i64, ws_fleet_held(world.fleet, world_job(&world, 1)), 8192));
    cr_expect(ws_fleet_is_balanced(world.fleet));
    world_close(&world);
}

Test(placement, taking_more_than_there_is_is_a_bug, .signal = SIGABRT)
{
    fleet_world world = {0};

    placement_open(&world, 8, 2, false);
    cr_assert(world_grant(&world, 0, 2, 2));
    ws_fleet_take(world.fleet, world_job(&world, 0), 2, 3);
}

Test(placement, granting_to_a_pool_s_own_owner_is_a_bug, .signal = SIGABRT)
{
    fleet_world world = {0};

    placement_open(&world, 8, 2, false);
    cr_expect(not(ws_fleet_grant(world.fleet, 1,
                                 &(ws_gang){.replicas = 1, .gpus_per_replica = 1, .pools = 1})));
}
