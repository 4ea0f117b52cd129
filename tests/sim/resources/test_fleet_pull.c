/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Image pulls of a stated size, worked by hand: request 5 s, boot 100 s, then 100 bytes from a
 * registry of 10 bytes/s, then 3 s to join. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "fleet_world.h"

/* The world is opened by hand: the registry needs its kernel. */
static void pull_open(fleet_world *world, bool keeps_image)
{
    ws_channel_spec specs[WS_CHANNEL_COUNT] = {[WS_CHANNEL_REGISTRY] = {.bytes_per_s = 10}};

    world->pools[0] = world_pool("pool", 8, 0, 4);
    world->pools[0].start.image_bytes = 100;
    world->pools[0].start.keeps_image = keeps_image;
    world->pools[0].start.cached.ns = 2 * WS_NS_PER_S;
    world->options.pools = world->pools;
    world->options.pool_count = 1;
    ws_arena_init(&world->arena, &ws_allocator_default, (size_t)1 << 30);
    world->kernel = ws_kernel_new(&world->arena, 64);
    world->options.channels = ws_channels_new(&world->arena, world->kernel, specs, 4);
    cr_assert(world->options.channels != NULL);
    world->fleet = ws_fleet_new(&world->arena, world->kernel, &world->options);
    cr_assert(world->fleet != NULL);
    ws_fleet_listen(world->fleet, &(ws_fleet_listener){.context = world,
                                                       .node_ready = world_ready,
                                                       .node_released = world_released});
    ws_fleet_begin(world->fleet);
}

/* Two pull at once, 5 bytes/s each: from 105 to 125 s. */
Test(fleet_pull, two_nodes_share_the_registry)
{
    fleet_world world = {0};

    pull_open(&world, false);
    (void)ws_fleet_want(world.fleet, 0, 2);
    world_run_to_s(&world, 1000);
    cr_expect(eq(str, world.news, "128 ready 0; 128 ready 1; "));
    cr_expect(ws_fleet_is_balanced(world.fleet));
    world_close(&world);
}

/* The second is asked for 10 s later: the first has pulled from 105 to 115 s when it begins. */
Test(fleet_pull, pulls_that_do_not_meet_do_not_share)
{
    fleet_world world = {0};

    pull_open(&world, false);
    (void)ws_fleet_want(world.fleet, 0, 1);
    world_run_to_s(&world, 10);
    (void)ws_fleet_want(world.fleet, 0, 2);
    world_run_to_s(&world, 1000);
    cr_expect(eq(str, world.news, "118 ready 0; 128 ready 1; "));
    world_close(&world);
}

/* Both begin at 105 s; at 115 s each has 50 bytes left, and node 1 is given up: node 0 needs 5 s
 * more, and 3 to join. */
Test(fleet_pull, a_node_that_is_given_up_leaves_the_registry_to_the_others)
{
    fleet_world world = {0};

    pull_open(&world, false);
    (void)ws_fleet_want(world.fleet, 0, 2);
    world_run_to_s(&world, 115);
    (void)ws_fleet_want(world.fleet, 0, 1);
    world_run_to_s(&world, 1000);
    cr_expect(eq(str, world.news, "115 released 1; 123 ready 0; "));
    cr_expect(eq(sz, ws_sharing_flow_count(ws_channels_sharing(world.options.channels)), 0));
    world_close(&world);
}

/* Ready at 105 + 10 + 3 s, given back at 200 s, asked for again: with its image kept it is ready
 * after 5 + 100 + 2 + 3 s. */
Test(fleet_pull, a_node_that_comes_back_may_have_kept_its_image)
{
    for (int keeps = 0; keeps < 2; keeps++) {
        fleet_world world = {0};

        pull_open(&world, keeps == 1);
        (void)ws_fleet_want(world.fleet, 0, 1);
        world_run_to_s(&world, 200);
        (void)ws_fleet_want(world.fleet, 0, 0);
        (void)ws_fleet_want(world.fleet, 0, 1);
        world_run_to_s(&world, 1000);
        cr_expect(eq(str, world.news,
                     keeps == 1 ? "118 ready 0; 200 released 0; 310 ready 0; "
                                : "118 ready 0; 200 released 0; 318 ready 0; "));
        world_close(&world);
    }
}
