/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recorded outages and reclaims of slots, worked out by hand. A node costs $0.01 a second, and
 * takes 5 s to be granted and 123 s to join. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "sim/resources/fleet_world.h"

static ws_time at_s(int64_t seconds)
{
    return (ws_time){.ns = seconds * WS_NS_PER_S};
}

static ws_absence outage(int32_t slot, int64_t from_s, int64_t to_s)
{
    return (ws_absence){
        .slot = slot, .closed = at_s(from_s), .lost = at_s(from_s), .back = at_s(to_s)};
}

static ws_absence reclaim(int32_t slot, int64_t notice_s, int64_t taken_s, int64_t back_s)
{
    return (ws_absence){.slot = slot,
                        .closed = at_s(notice_s),
                        .lost = at_s(taken_s),
                        .back = at_s(back_s),
                        .is_reclaim = true};
}

static void open_with(fleet_world *world, const ws_absence *absences, size_t count)
{
    world->pools[0].absences = absences;
    world->pools[0].absence_count = count;
    world_open(world, 1);
}

/* Node 0 is down from 1000 s to 3000 s. It is paid for 1000 s and, of 4000 s, for the last 1000;
 * node 1 for all: 6000 s, $60. Nothing is asked for: a broken node counts as there. */
Test(absences, an_outage_is_a_failure_with_a_known_end)
{
    const ws_absence recorded[] = {outage(0, 1000, 3000)};
    fleet_world world = {.options = {.job_owner_count = 1}};

    world.pools[0] = world_pool("recorded", 8, 2, 3);
    open_with(&world, recorded, 1);
    cr_assert(world_grant(&world, 0, 1, 4));
    world_run_to_s(&world, 2000);
    cr_expect(state_of(&world, 0) == WS_NODE_BROKEN);
    cr_expect(ws_fleet_node_loss(world.fleet, (ws_node_id){.index = 0}) == WS_LOSS_RECORDED);
    cr_expect(ws_fleet_is_balanced(world.fleet));
    world_run_to_s(&world, 4000);
    cr_expect(eq(str, world.news, "1000 lost 0 [2]; 3000 ready 0; "));
    cr_expect(eq(i64, ws_fleet_totals(world.fleet).failures, 1));
    cr_expect(eq(i64, ws_fleet_totals(world.fleet).reclaims, 0));
    cr_expect(eq(i64, ws_fleet_totals(world.fleet).requests, 0));
    cr_expect(world_cost_is(&world, 0, 6000));
    cr_expect(world_gpu_s_is(ws_fleet_unbilled(world.fleet), 8 * 2000));
    cr_expect(world_account_is(&world, 2, WS_ACCOUNT_IDLE, 4 * 1000));
    cr_expect(ws_fleet_is_balanced(world.fleet));
    world_close(&world);
}

/* A recording whose clock is coarse has outages of no length: whoever is there loses the node, and
 * it is ready at once. One that has no end lasts to the horizon. */
Test(absences, an_outage_of_no_length_and_one_without_end)
{
    const ws_absence recorded[] = {
        outage(0, 1000, 1000),
        {.slot = 1, .closed = at_s(2000), .lost = at_s(2000), .back = WS_TIME_NEVER}};
    fleet_world world = {.options = {.job_owner_count = 1}};

    world.pools[0] = world_pool("recorded", 8, 2, 2);
    open_with(&world, recorded, 2);
    cr_assert(world_grant(&world, 0, 2, 8));
    world_run_to_s(&world, 100000);
    cr_expect(eq(str, world.news, "1000 lost 0 [2]; 1000 ready 0; 2000 lost 1 [2]; "));
    cr_expect(state_of(&world, 1) == WS_NODE_BROKEN);
    cr_expect(world_gpu_s_is(ws_fleet_unbilled(world.fleet), 8 * 98000));
    cr_expect(ws_fleet_is_balanced(world.fleet));
    world_close(&world);
}

/* Slot 0 is down when the run begins: its node is there and broken, which is no failure of the run.
 * Paid in repair, it costs from the start: 2 nodes for 1000 s are $20. */
Test(absences, a_node_that_is_down_at_the_start)
{
    const ws_absence recorded[] = {outage(0, 0, 500)};
    fleet_world world = {.options = {.job_owner_count = 1}};

    world.pools[0] = world_pool("recorded", 8, 2, 2);
    world.pools[0].failures.billed_in_repair = true;
    open_with(&world, recorded, 1);
    cr_expect(state_of(&world, 0) == WS_NODE_BROKEN);
    cr_expect(eq(i32, counts_of(&world).ready, 1));
    cr_expect(not(world_grant(&world, 0, 2, 8)));
    world_run_to_s(&world, 1000);
    cr_expect(eq(str, world.news, "500 ready 0; "));
    cr_expect(eq(i64, ws_fleet_totals(world.fleet).failures, 0));
    cr_expect(world_cost_is(&world, 0, 2000));
    cr_expect(ws_fleet_is_balanced(world.fleet));
    world_close(&world);
}

/* Node 0 fails by itself at 100 s and is repaired in 50 s, when its machine has been out of order
 * since 120 s: it is ready at 300 s, and fails again 100 s later. */
Test(absences, a_repair_that_ends_within_an_outage_waits_for_its_end)
{
    const ws_absence recorded[] = {outage(0, 120, 300)};
    fleet_world world = {.options = {.job_owner_count = 1}};

    world.pools[0] = world_pool("recorded", 8, 1, 1);
    world.pools[0].failures = (ws_node_failures){.present = true,
                                                 .time_to_failure = ws_distribution_constant(100),
                                                 .repair = ws_distribution_constant(50)};
    open_with(&world, recorded, 1);
    world_run_to_s(&world, 200);
    cr_expect(state_of(&world, 0) == WS_NODE_BROKEN);
    world_run_to_s(&world, 420);
    cr_expect(eq(str, world.news, "100 lost 0 []; 300 ready 0; 400 lost 0 []; "));
    cr_expect(ws_fleet_is_balanced(world.fleet));
    world_close(&world);
}

/* Slot 0 goes down while its node starts: it is given up, and the next slot asked for instead. It
 * was paid from 5 s to 50 s, which is $0.45; slot 1 from 55 s on. */
Test(absences, a_start_that_an_outage_cuts_goes_on_elsewhere)
{
    const ws_absence recorded[] = {outage(0, 50, 1000)};
    fleet_world world = {0};

    world.pools[0] = world_pool("recorded", 8, 0, 2);
    open_with(&world, recorded, 1);
    (void)ws_fleet_want(world.fleet, 0, 1);
    world_run_to_s(&world, 255);
    cr_expect(eq(str, world.news, "50 released 0; 178 ready 1; ")); /* 50 + 5 + 123 */
    cr_expect(world_cost_is(&world, 0, 45 + 200));
    cr_expect(ws_fleet_is_balanced(world.fleet));
    world_close(&world);
}

/* All slots are down when two nodes are wanted: nothing is asked for until machines are back, at
 * 400 and 600 s; each joins 128 s later. Until then nothing is paid, and nothing is waited for. */
Test(absences, a_closed_slot_is_not_asked_for)
{
    const ws_absence recorded[] = {outage(0, 100, 400), outage(1, 100, 600)};
    fleet_world world = {0};

    world.pools[0] = world_pool("recorded", 8, 0, 2);
    open_with(&world, recorded, 2);
    world_run_to_s(&world, 200);
    (void)ws_fleet_want(world.fleet, 0, 2);
    cr_expect(eq(i32, counts_of(&world).requested, 0));
    world_run_to_s(&world, 400);
    cr_expect(eq(i32, counts_of(&world).requested, 1));
    world_run_to_s(&world, 1000);
    cr_expect(eq(str, world.news, "528 ready 0; 728 ready 1; "));
    cr_expect(eq(i32, counts_of(&world).wanted, 2));
    cr_expect(world_gpu_s_is(ws_fleet_unbilled(world.fleet), 8 * (5 + 5)));
    cr_expect(ws_fleet_is_balanced(world.fleet));
    world_close(&world);
}

/* A broken node that is given up leaves its slot closed until the recording opens it. */
Test(absences, a_broken_node_that_is_given_up)
{
    const ws_absence recorded[] = {outage(0, 100, 1000)};
    fleet_world world = {0};

    world.pools[0] = world_pool("recorded", 8, 1, 1);
    open_with(&world, recorded, 1);
    world_run_to_s(&world, 200);
    (void)ws_fleet_want(world.fleet, 0, 0);
    world_run_to_s(&world, 300);
    (void)ws_fleet_want(world.fleet, 0, 1);
    world_run_to_s(&world, 2000);
    cr_expect(eq(str, world.news, "100 lost 0 []; 200 released 0; 1128 ready 0; "));
    cr_expect(ws_fleet_is_balanced(world.fleet));
    world_close(&world);
}

/* Four nodes, all held; the supply falls to two. At the notice, 880 s, nodes 2 and 3 drain and the
 * pool asks for others, of which there are none. The holder leaves node 3 at 940 s, which is
 * released; node 2 is taken from it at 1000 s. At 2000 s slot 2 opens: a node joins 128 s later.
 * Paid until 2128 s: 2 nodes for 2128 s, one for 1000 s, one for 940 s, and 123 s of start. */
Test(absences, a_supply_that_falls_from_four_to_two)
{
    const ws_absence recorded[] = {reclaim(2, 880, 1000, 2000), reclaim(3, 880, 1000, 100000)};
    fleet_world world = {.options = {.job_owner_count = 2}};
    char held[64];

    world.pools[0] = world_pool("spot", 8, 4, 4);
    open_with(&world, recorded, 2);
    cr_assert(world_grant(&world, 0, 3, 8)); /* nodes 0 to 2 */
    cr_assert(world_grant(&world, 1, 1, 8)); /* node 3 */
    world_run_to_s(&world, 900);
    cr_expect(eq(str, world.news, "880 draining 2; 880 draining 3; "));
    cr_expect(eq(i32, counts_of(&world).ready, 4));
    cr_expect(eq(i32, counts_of(&world).draining, 2));
    cr_expect(eq(i64, ws_fleet_held_draining(world.fleet, world_job(&world, 0)), 8));
    (void)ws_fleet_want(world.fleet, 0, 4); /* they cannot stay */
    cr_expect(eq(i32, counts_of(&world).draining, 2));
    cr_expect(ws_fleet_is_balanced(world.fleet));
    world_run_to_s(&world, 940);
    ws_fleet_take_all(world.fleet, world_job(&world, 1));
    world_run_to_s(&world, 2128);
    cr_expect(eq(str, world.news,
                 "880 draining 2; 880 draining 3; 940 released 3; 1000 lost 2 [2]; "
                 "2128 ready 2; "));
    cr_expect(eq(str, (char *)world_held(&world, 0, held, sizeof held), "0:8 1:8 "));
    cr_expect(eq(i64, ws_fleet_totals(world.fleet).reclaims, 1));
    cr_expect(eq(i64, ws_fleet_totals(world.fleet).failures, 0));
    cr_expect(world_cost_is(&world, 0, 2 * 2128 + 1000 + 940 + 123));
    cr_expect(ws_fleet_is_balanced(world.fleet));
    world_close(&world);
}

/* Whatever is not in use at the notice goes then: an idle node, one that starts, a broken one. */
Test(absences, a_notice_ends_what_nobody_uses)
{
    const ws_absence recorded[] = {reclaim(0, 50, 170, 9000), reclaim(1, 50, 170, 9000),
                                   reclaim(2, 50, 170, 9000)};
    fleet_world world = {0};

    world.pools[0] = world_pool("spot", 8, 2, 3);
    world_let_fail(&world.pools[0], 40, 1000, false);
    open_with(&world, recorded, 3);
    (void)ws_fleet_want(world.fleet, 0, 3);
    world_run_to_s(&world, 45);
    cr_expect(state_of(&world, 1) == WS_NODE_BROKEN);
    cr_expect(state_of(&world, 2) == WS_NODE_STARTING);
    world_run_to_s(&world, 8000);
    cr_expect(eq(str, world.news,
                 "40 lost 0 []; 40 lost 1 []; 50 released 0; 50 released 1; 50 released 2; "));
    cr_expect(eq(i64, ws_fleet_totals(world.fleet).reclaims, 0));
    cr_expect(eq(i32, counts_of(&world).wanted, 3));
    cr_expect(ws_fleet_is_balanced(world.fleet));
    world_close(&world);
}

/* Without notice, and not there at the start: slot 1 has no machine before 300 s, and slot 0 none
 * from 500 s on. The two that are wanted are one, two from 428 s on, and one again. */
Test(absences, machines_that_come_and_go_without_notice)
{
    const ws_absence recorded[] = {reclaim(1, 0, 0, 300), reclaim(0, 500, 500, 100000)};
    fleet_world world = {0};

    world.pools[0] = world_pool("spot", 8, 2, 2);
    open_with(&world, recorded, 2);
    cr_expect(state_of(&world, 1) == WS_NODE_ABSENT);
    cr_expect(eq(i32, counts_of(&world).ready, 1));
    world_run_to_s(&world, 1000);
    cr_expect(eq(str, world.news, "428 ready 1; 500 lost 0 []; "));
    cr_expect(world_cost_is(&world, 0, 500 + (1000 - 305)));
    cr_expect(ws_fleet_is_balanced(world.fleet));
    world_close(&world);
}

/* An outage of a machine that is reclaimed in it: the slot opens when both are over. */
Test(absences, an_outage_and_a_reclaim_of_one_slot)
{
    const ws_absence recorded[] = {outage(0, 100, 800), reclaim(0, 200, 300, 500)};
    fleet_world world = {0};

    world.pools[0] = world_pool("spot", 8, 1, 1);
    open_with(&world, recorded, 2);
    world_run_to_s(&world, 700);
    cr_expect(eq(i32, counts_of(&world).requested, 0));
    world_run_to_s(&world, 2000);
    cr_expect(eq(str, world.news, "100 lost 0 []; 200 released 0; 928 ready 0; "));
    cr_expect(ws_fleet_is_balanced(world.fleet));
    world_close(&world);
}
