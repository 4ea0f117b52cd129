/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Leaves and pods above the nodes of a holder, counted by hand. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include <string.h>

#include "fleet_world.h"

#define JOBS 4

static ws_span_of_nodes span(fleet_world *world, size_t job)
{
    return ws_fleet_span(world->fleet, ws_fleet_first_job_owner(world->fleet) + job);
}

/* Two pools of 5 and 4 nodes below leaves of 2 and pods of 4: the leaves of the first are {0 1} {2
 * 3} {4}, those of the second {0 1} {2 3}, numbered 3 and 4; the pods are leaves 0 1, 2 3 and 4. */
Test(switches, counts_the_switches_above_a_holder)
{
    static const ws_fabric fabric = {.leaf = {.nodes = 2, .oversubscription = 2},
                                     .pod = {.nodes = 4, .oversubscription = 4}};
    fleet_world world = {0};

    world.pools[0] = world_pool("first", 8, 5, 5);
    world.pools[1] = world_pool("second", 8, 4, 4);
    world.options.job_owner_count = JOBS;
    world.options.fabric = &fabric;
    world_open(&world, 2);
    cr_expect(eq(i32, span(&world, 0).leaves, 1)); /* holds nothing */
    cr_assert(world_grant(&world, 0, 3, 8));       /* nodes 0, 1, 2 of the first */
    cr_assert(world_grant(&world, 1, 3, 8));       /* 3 and 4, then 0 of the second */
    cr_assert(world_grant(&world, 2, 1, 8));       /* 1 of the second */
    cr_expect(eq(i32, span(&world, 0).nodes, 3));
    cr_expect(eq(i32, span(&world, 0).leaves, 2));
    cr_expect(eq(i32, span(&world, 0).pods, 1));
    cr_expect(eq(i32, span(&world, 1).leaves, 3)); /* 1, 2, 3 */
    cr_expect(eq(i32, span(&world, 1).pods, 2));   /* 0 and 1 */
    cr_expect(eq(i32, span(&world, 2).leaves, 1));
    cr_expect(eq(i32, ws_fleet_node_leaf(world.fleet, (ws_node_id){4}), 2));
    cr_expect(eq(i32, ws_fleet_node_leaf(world.fleet, (ws_node_id){8}), 4));
    world_close(&world);
}

/* The same nodes, taken in another order. */
Test(switches, switches_do_not_depend_on_the_order_of_grants)
{
    static const ws_fabric fabric = {.leaf = {.nodes = 2, .oversubscription = 2}};
    fleet_world world = {0};
    char text[64];

    world.pools[0] = world_pool("first", 8, 6, 6);
    world.options.job_owner_count = JOBS;
    world.options.fabric = &fabric;
    world_open(&world, 1);
    cr_assert(world_grant(&world, 1, 2, 8)); /* 0 and 1 */
    cr_assert(world_grant(&world, 0, 2, 8)); /* 2 and 3 */
    ws_fleet_take(world.fleet, ws_fleet_first_job_owner(world.fleet) + 1, 8, 2);
    cr_assert(world_grant(&world, 0, 1, 8)); /* 0, after them */
    cr_assert(strcmp(world_held(&world, 0, text, sizeof text), "2:8 3:8 0:8 ") == 0);
    cr_expect(eq(i32, span(&world, 0).leaves, 2));
    cr_expect(eq(i32, span(&world, 0).pods, 1));
    world_close(&world);
}
