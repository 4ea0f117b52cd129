/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The life of nodes, worked by hand. Unless a test says otherwise a node is asked for in 5 s and
 * joins 123 s later. With one pool the owners are: 0 its idle GPUs, 1 its starting nodes, 2 the
 * first job.
 */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include <signal.h>

#include "fleet_world.h"

Test(fleet, begins_with_the_initial_nodes_ready)
{
    fleet_world world = {.options = {.job_owner_count = 1}};

    world.pools[0] = world_pool("first", 8, 2, 5);
    world.pools[1] = world_pool("second", 4, 1, 2);
    world_open(&world, 2);
    cr_expect(eq(sz, ws_fleet_first_job_owner(world.fleet), 4));
    cr_expect(eq(sz, ws_fleet_pool_count(world.fleet), 2));
    cr_expect(eq(i32, counts_of(&world).ready, 2));
    cr_expect(eq(i32, counts_of(&world).wanted, 2));
    cr_expect(eq(i64, counts_of(&world).gpus_free, 16));
    cr_expect(eq(i64, counts_of(&world).gpus_paid, 16));
    cr_expect(state_of(&world, 1) == WS_NODE_READY);
    cr_expect(state_of(&world, 2) == WS_NODE_ABSENT);
    cr_expect(eq(sz, ws_fleet_node_pool(world.fleet, (ws_node_id){.index = 6}), 1));
    cr_expect(eq(i32, ws_fleet_node_slot(world.fleet, (ws_node_id){.index = 6}), 1));
    cr_expect(ws_fleet_pool(world.fleet, 1) == &world.pools[1]);
    cr_expect(eq(i64, ws_ledger_gpus(ws_fleet_ledger(world.fleet), 2), 4));
    cr_expect(eq(str, world.news, ""));
    world_close(&world);
}

Test(fleet, asks_at_once_for_what_the_minimum_needs)
{
    fleet_world world = {0};

    world.pools[0] = world_pool("first", 8, 1, 4);
    world.pools[0].nodes_min = 3;
    world_open(&world, 1);
    cr_expect(eq(i32, counts_of(&world).wanted, 3));
    cr_expect(eq(i32, counts_of(&world).requested, 2));
    cr_expect(eq(i32, ws_fleet_want(world.fleet, 0, -1), 3));
    cr_expect(eq(i32, ws_fleet_want(world.fleet, 0, 99), 4));
    cr_expect(eq(i32, counts_of(&world).requested, 3));
    world_close(&world);
}

Test(fleet, starts_a_node_in_phases)
{
    fleet_world world = {0};

    world.pools[0] = world_pool("first", 8, 1, 3);
    world_open(&world, 1);
    world_run_to_s(&world, 10);
    (void)ws_fleet_want(world.fleet, 0, 3);
    cr_expect(ws_fleet_observed_start_s(world.fleet, 0) == 0);
    world_run_to_s(&world, 14);
    cr_expect(eq(i32, counts_of(&world).requested, 2));
    cr_expect(eq(i64, counts_of(&world).gpus_paid, 8));
    world_run_to_s(&world, 15);
    cr_expect(eq(i32, counts_of(&world).starting, 2));
    cr_expect(eq(i64, counts_of(&world).gpus_paid, 24));
    cr_expect(eq(i64, counts_of(&world).gpus_free, 8));
    cr_expect(eq(i64, ws_ledger_gpus(ws_fleet_ledger(world.fleet), 1), 16));
    cr_expect(
        eq(i64, ws_fleet_node_since(world.fleet, (ws_node_id){.index = 2}).ns, 15 * WS_NS_PER_S));
    world_run_to_s(&world, 137);
    cr_expect(eq(i32, counts_of(&world).starting, 2));
    world_run_to_s(&world, 138);
    cr_expect(eq(i32, counts_of(&world).ready, 3));
    cr_expect(eq(i64, counts_of(&world).gpus_free, 24));
    cr_expect(eq(str, world.news, "138 ready 1; 138 ready 2; "));
    cr_expect(ws_fleet_observed_start_s(world.fleet, 0) == 128);
    cr_expect(eq(i64, ws_fleet_totals(world.fleet).requests, 2));
    cr_expect(ws_fleet_is_balanced(world.fleet));
    world_close(&world);
}

/*
 * One node each that starts (4), is broken (0), idle (3), used by 3 (1) and by 8 GPUs (2), and two
 * requests (5, 6), at 1007 s. Nodes fail 1000 s after they became ready: node 0 at 1000, nodes 1 to
 * 3, ready at 228, at 1228.
 */
static void fleet_open_mixed(fleet_world *world)
{
    world->pools[0] = world_pool("mixed", 8, 1, 8);
    world_let_fail(&world->pools[0], 1000, 500, false);
    world->options.job_owner_count = 2;
    world_open(world, 1);
    world_run_to_s(world, 100);
    (void)ws_fleet_want(world->fleet, 0, 4);
    world_run_to_s(world, 1000);
    (void)ws_fleet_want(world->fleet, 0, 5);
    world_run_to_s(world, 1006);
    (void)ws_fleet_want(world->fleet, 0, 7);
    cr_assert(world_grant(world, 0, 1, 3));
    cr_assert(world_grant(world, 1, 1, 8));
    world_run_to_s(world, 1007);
    cr_assert(state_of(world, 0) == WS_NODE_BROKEN);
    cr_assert(state_of(world, 4) == WS_NODE_STARTING);
    cr_assert(state_of(world, 6) == WS_NODE_REQUESTED);
    world->news[0] = '\0';
}

Test(fleet, gives_up_in_the_documented_order)
{
    fleet_world world = {0};

    fleet_open_mixed(&world);
    (void)ws_fleet_want(world.fleet, 0, 6);
    cr_expect(state_of(&world, 6) == WS_NODE_ABSENT);
    cr_expect(state_of(&world, 5) == WS_NODE_REQUESTED);
    (void)ws_fleet_want(world.fleet, 0, 5);
    cr_expect(state_of(&world, 5) == WS_NODE_ABSENT);
    cr_expect(eq(str, world.news, "")); /* a request that is given up was never a node */
    (void)ws_fleet_want(world.fleet, 0, 4);
    (void)ws_fleet_want(world.fleet, 0, 3);
    (void)ws_fleet_want(world.fleet, 0, 2);
    (void)ws_fleet_want(world.fleet, 0, 1);
    (void)ws_fleet_want(world.fleet, 0, 0);
    cr_expect(eq(str, world.news,
                 "1007 released 4; 1007 released 0; 1007 released 3; "
                 "1007 draining 1; 1007 draining 2; "));
    cr_expect(eq(i32, counts_of(&world).draining, 2));
    cr_expect(eq(i64, counts_of(&world).gpus_free, 0));
    cr_expect(eq(i64, counts_of(&world).gpus_held, 11));
    cr_expect(eq(i64, ws_fleet_totals(world.fleet).released, 3));
    cr_expect(ws_fleet_is_balanced(world.fleet));
    world_close(&world);
}

Test(fleet, gives_up_the_same_in_one_step)
{
    fleet_world world = {0};

    fleet_open_mixed(&world);
    (void)ws_fleet_want(world.fleet, 0, 0);
    cr_expect(eq(str, world.news,
                 "1007 released 4; 1007 released 0; 1007 released 3; "
                 "1007 draining 1; 1007 draining 2; "));
    world_close(&world);
}

Test(fleet, stops_draining_the_most_used_before_it_asks)
{
    fleet_world world = {0};

    fleet_open_mixed(&world);
    (void)ws_fleet_want(world.fleet, 0, 0);
    world.news[0] = '\0';
    (void)ws_fleet_want(world.fleet, 0, 1);
    cr_expect(eq(str, world.news, "1007 ready 2; "));
    cr_expect(ws_fleet_node_is_draining(world.fleet, (ws_node_id){.index = 1}));
    (void)ws_fleet_want(world.fleet, 0, 3); /* node 1 stays as well, and slot 0 is asked for */
    cr_expect(eq(str, world.news, "1007 ready 2; 1007 ready 1; "));
    cr_expect(state_of(&world, 0) == WS_NODE_REQUESTED);
    cr_expect(eq(i64, ws_fleet_held_draining(world.fleet, world_job(&world, 0)), 0));
    cr_expect(eq(i64, counts_of(&world).gpus_free, 5));
    cr_expect(ws_fleet_is_balanced(world.fleet));
    world_close(&world);
}

Test(fleet, releases_a_draining_node_when_it_is_left)
{
    fleet_world world = {0};

    fleet_open_mixed(&world);
    (void)ws_fleet_want(world.fleet, 0, 1);
    world.news[0] = '\0';
    world_run_to_s(&world, 1100);
    cr_expect(state_of(&world, 1) == WS_NODE_READY);
    ws_fleet_take_all(world.fleet, world_job(&world, 0));
    cr_expect(eq(str, world.news, "1100 released 1; "));
    cr_expect(state_of(&world, 1) == WS_NODE_ABSENT);
    /* Its failure, due at 1228, does not come; node 2's does. */
    world_run_to_s(&world, 1228);
    cr_expect(eq(str, world.news, "1100 released 1; 1228 lost 2 [3]; "));
    world_close(&world);
}

Test(fleet, a_draining_node_that_fails_is_gone)
{
    fleet_world world = {0};

    fleet_open_mixed(&world);
    (void)ws_fleet_want(world.fleet, 0, 0);
    world.news[0] = '\0';
    world_run_to_s(&world, 1228);
    cr_expect(eq(str, world.news,
                 "1228 lost 1 [2]; 1228 released 1; 1228 lost 2 [3]; 1228 released 2; "));
    cr_expect(state_of(&world, 1) == WS_NODE_ABSENT);
    cr_expect(eq(i32, counts_of(&world).draining, 0));
    world_run_to_s(&world, 100000);
    cr_expect(eq(i64, ws_fleet_totals(world.fleet).failures, 3));
    cr_expect(ws_fleet_is_balanced(world.fleet));
    world_close(&world);
}

Test(fleet, fails_and_is_repaired_again_and_again)
{
    fleet_world world = {.options = {.job_owner_count = 1}};

    world.pools[0] = world_pool("fragile", 8, 1, 1);
    world_let_fail(&world.pools[0], 1000, 500, true);
    world_open(&world, 1);
    cr_assert(world_grant(&world, 0, 2, 2));
    world_run_to_s(&world, 1000);
    cr_expect(state_of(&world, 0) == WS_NODE_BROKEN);
    cr_expect(eq(i64, counts_of(&world).gpus_free, 0));
    cr_expect(eq(i64, counts_of(&world).gpus_held, 0));
    cr_expect(eq(i64, ws_fleet_held(world.fleet, 2), 0));
    cr_expect(eq(i64, ws_ledger_gpus(ws_fleet_ledger(world.fleet), 2), 0));
    cr_expect(eq(i64, ws_ledger_gpus(ws_fleet_ledger(world.fleet), 0), 8));
    cr_expect(not(world_grant(&world, 0, 1, 1)));
    world_run_to_s(&world, 4000);
    cr_expect(eq(str, world.news,
                 "1000 lost 0 [2]; 1500 ready 0; 2500 lost 0 []; 3000 ready 0; 4000 lost 0 []; "));
    cr_expect(eq(i64, ws_fleet_totals(world.fleet).failures, 3));
    /* The job held 4 GPUs for 1000 s; everything else was the pool's. */
    cr_expect(world_account_is(&world, 2, WS_ACCOUNT_IDLE, 4 * 1000));
    cr_expect(world_account_is(&world, 0, WS_ACCOUNT_IDLE, 8 * 4000 - 4 * 1000));
    cr_expect(ws_fleet_is_balanced(world.fleet));
    world_close(&world);
}

Test(fleet, a_wanted_broken_node_that_is_given_up_is_not_repaired)
{
    fleet_world world = {0};

    world.pools[0] = world_pool("fragile", 8, 1, 1);
    world_let_fail(&world.pools[0], 1000, 500, false);
    world_open(&world, 1);
    world_run_to_s(&world, 1100);
    (void)ws_fleet_want(world.fleet, 0, 0);
    world_run_to_s(&world, 5000);
    cr_expect(eq(str, world.news, "1000 lost 0 []; 1100 released 0; "));
    cr_expect(world_gpu_s_is(ws_fleet_unbilled(world.fleet), 8 * 100));
    cr_expect(world_cost_is(&world, 0, 1000));
    world_close(&world);
}

Test(fleet, names_the_holders_of_a_lost_node_in_ascending_order)
{
    fleet_world world = {.options = {.job_owner_count = 5}};

    world.pools[0] = world_pool("shared", 8, 1, 1);
    world_let_fail(&world.pools[0], 10, 10, true);
    world_open(&world, 1);
    cr_assert(world_grant(&world, 3, 1, 1));
    cr_assert(world_grant(&world, 0, 1, 1));
    cr_assert(world_grant(&world, 4, 1, 1));
    cr_assert(world_grant(&world, 1, 1, 1));
    cr_assert(world_grant(&world, 3, 1, 1));
    world_run_to_s(&world, 10);
    cr_expect(eq(str, world.news, "10 lost 0 [2 3 5 6]; "));
    world_close(&world);
}

Test(fleet, retries_a_refused_request_as_long_as_the_node_is_wanted)
{
    /* Asked at 0, refused at 5, asked again at 65, refused at 70, then at 135 and at 200. */
    fleet_world world = {0};

    world.pools[0] = world_pool("scarce", 8, 0, 1);
    world.pools[0].start.fail_probability = 1;
    world_open(&world, 1);
    (void)ws_fleet_want(world.fleet, 0, 1);
    world_run_to_s(&world, 200);
    cr_expect(eq(str, world.news,
                 "5 no capacity 0; 70 no capacity 0; 135 no capacity 0; 200 no capacity 0; "));
    cr_expect(eq(i64, ws_fleet_totals(world.fleet).requests, 4));
    cr_expect(eq(i64, ws_fleet_totals(world.fleet).request_failures, 4));
    cr_expect(world_gpu_s_is(ws_fleet_unbilled(world.fleet), 8 * 200));
    cr_expect(world_cost_is(&world, 0, 0));
    (void)ws_fleet_want(world.fleet, 0, 0);
    world_run_to_s(&world, 1000);
    cr_expect(eq(i64, ws_fleet_totals(world.fleet).requests, 4));
    cr_expect(world_gpu_s_is(ws_fleet_unbilled(world.fleet), 8 * 200));
    cr_expect(ws_fleet_is_balanced(world.fleet));
    world_close(&world);
}

Test(fleet, refuses_as_many_requests_as_the_probability_says)
{
    /* Each of 4000 nodes is asked for until it comes: at 30 % that takes 4000/0.7 = 5714 requests,
     * sd sqrt(4000 x 0.3)/0.7 = 49. */
    fleet_world world = {.options = {.seed = 1}};

    world.pools[0] = world_pool("scarce", 8, 0, 4000);
    world.pools[0].start.fail_probability = 0.3;
    world_open(&world, 1);
    (void)ws_fleet_want(world.fleet, 0, 4000);
    world_run_to_s(&world, 86400);
    ws_fleet_counts totals = ws_fleet_totals(world.fleet);
    cr_expect(eq(i32, counts_of(&world).ready, 4000));
    cr_expect(eq(i64, totals.requests, totals.request_failures + 4000));
    cr_expect(totals.requests > 5714 - 4 * 49 && totals.requests < 5714 + 4 * 49);
    /* What a node is seen to take includes its refusals: 128 s and 65 s for each of 0.4286. */
    cr_expect(ws_fleet_observed_start_s(world.fleet, 0) > 128 + 65 * 0.38);
    cr_expect(ws_fleet_observed_start_s(world.fleet, 0) < 128 + 65 * 0.48);
    world_close(&world);
}

/* What happens to the nodes of pool "watched" within a day: it grows to 6 at 100 s. */
static void fleet_watch(fleet_world *world, size_t pool, size_t pools)
{
    world->pools[pool] = world_pool("watched", 8, 2, 6);
    world->pools[pool].start.boot =
        (ws_distribution){.family = WS_DISTRIBUTION_LOGNORMAL, .a = 4.5, .b = 0.8};
    world->pools[pool].start.fail_probability = 0.2;
    world->pools[pool].failures =
        (ws_node_failures){.present = true,
                           .time_to_failure = {.family = WS_DISTRIBUTION_EXPONENTIAL, .a = 20000},
                           .repair = {.family = WS_DISTRIBUTION_EXPONENTIAL, .a = 3000}};
    world_open(world, pools);
    world_run_to_s(world, 100);
    (void)ws_fleet_want(world->fleet, pool, 6);
    world_run_to_s(world, 86400);
}

Test(fleet, draws_do_not_depend_on_what_else_there_is)
{
    fleet_world alone = {.options = {.seed = 42}};
    fleet_world beside = {.options = {.seed = 42}};
    fleet_world other_seed = {.options = {.seed = 43}};
    fleet_world other_replication = {.options = {.seed = 42, .replication = 1}};

    /* An empty pool behind the watched one leaves the numbers of its nodes alone. */
    beside.pools[1] = world_pool("other", 8, 0, 5);
    fleet_watch(&alone, 0, 1);
    fleet_watch(&beside, 0, 2);
    fleet_watch(&other_seed, 0, 1);
    fleet_watch(&other_replication, 0, 1);
    cr_expect(strlen(alone.news) > 200);
    cr_expect(eq(str, alone.news, beside.news));
    cr_expect(ne(str, alone.news, other_seed.news));
    cr_expect(ne(str, alone.news, other_replication.news));
    world_close(&alone);
    world_close(&beside);
    world_close(&other_seed);
    world_close(&other_replication);
}

Test(fleet, each_incarnation_and_slot_draws_anew)
{
    /* Three nodes, asked for twice: six starts, all different. */
    fleet_world world = {.options = {.seed = 7}};
    int64_t starts[6] = {0};

    world.pools[0] = world_pool("varied", 8, 0, 3);
    world.pools[0].start.boot =
        (ws_distribution){.family = WS_DISTRIBUTION_UNIFORM, .a = 100, .b = 1000};
    world_open(&world, 1);
    for (int32_t round = 0; round < 2; round++) {
        int64_t asked_ns = ws_kernel_now(world.kernel).ns;
        (void)ws_fleet_want(world.fleet, 0, 3);
        world_run_to_s(&world, 2000 * (round + 1));
        for (int32_t i = 0; i < 3; i++) {
            cr_assert(state_of(&world, i) == WS_NODE_READY);
            starts[3 * round + i] =
                ws_fleet_node_since(world.fleet, (ws_node_id){.index = i}).ns - asked_ns;
        }
        (void)ws_fleet_want(world.fleet, 0, 0);
    }
    for (int32_t i = 0; i < 6; i++) {
        for (int32_t j = 0; j < i; j++) {
            cr_expect(ne(i64, starts[i], starts[j]));
        }
    }
    world_close(&world);
}

Test(fleet, each_failure_and_repair_draws_anew)
{
    /* Three times up and three times away, each 100 to 1000 s: six lengths, all different. */
    fleet_world world = {.options = {.seed = 7}};
    ws_distribution varied = {.family = WS_DISTRIBUTION_UNIFORM, .a = 100, .b = 1000};
    int64_t changes_ns[7] = {0};
    int32_t count = 1;

    world.pools[0] = world_pool("fragile", 8, 1, 1);
    world.pools[0].failures =
        (ws_node_failures){.present = true, .time_to_failure = varied, .repair = varied};
    world_open(&world, 1);
    for (int64_t second = 50; count < 7; second += 50) {
        cr_assert(second < 6 * 1000 + 100);
        world_run_to_s(&world, second);
        int64_t since_ns = ws_fleet_node_since(world.fleet, (ws_node_id){.index = 0}).ns;
        if (since_ns != changes_ns[count - 1]) {
            changes_ns[count] = since_ns;
            count++;
        }
    }
    for (int32_t i = 1; i < 7; i++) {
        for (int32_t j = 1; j < i; j++) {
            cr_expect(
                ne(i64, changes_ns[i] - changes_ns[i - 1], changes_ns[j] - changes_ns[j - 1]));
        }
    }
    world_close(&world);
}

static void fleet_mark(void *context, uint64_t phase)
{
    static const char *const names[] = {[WS_PHASE_ENDS] = "ends; ",
                                        [WS_PHASE_LOSSES] = "losses; ",
                                        [WS_PHASE_ARRIVALS] = "arrivals; ",
                                        [WS_PHASE_NEWS] = "news; "};

    world_write(context, names[phase]);
}

/* Writes the names of the first phases into the news as they come at `second`. */
static void fleet_mark_phases(fleet_world *world, int64_t second)
{
    for (ws_phase phase = WS_PHASE_ENDS; phase <= WS_PHASE_NEWS; phase++) {
        (void)ws_kernel_at(world->kernel, (ws_time){.ns = second * WS_NS_PER_S},
                           &(ws_event){.action = fleet_mark,
                                       .context = world,
                                       .argument = (uint64_t)phase,
                                       .phase = phase});
    }
}

Test(fleet, repairs_before_it_loses_and_loses_before_nodes_join)
{
    /* Node 1 joins at 128; node 0 fails at 1000 and is repaired at 1500. Each phase's mark was
     * scheduled first where the fleet's own event comes in it. */
    fleet_world world = {0};

    world.pools[0] = world_pool("first", 8, 1, 2);
    world_let_fail(&world.pools[0], 1000, 500, true);
    world.options.pools = world.pools;
    world.options.pool_count = 1;
    ws_arena_init(&world.arena, &ws_allocator_default, (size_t)1 << 24);
    world.kernel = ws_kernel_new(&world.arena, 20);
    fleet_mark_phases(&world, 128);
    fleet_mark_phases(&world, 1000);
    fleet_mark_phases(&world, 1500);
    world.fleet = ws_fleet_new(&world.arena, world.kernel, &world.options);
    ws_fleet_listen(world.fleet, &(ws_fleet_listener){.context = &world,
                                                      .node_ready = world_ready,
                                                      .node_lost = world_lost});
    ws_fleet_begin(world.fleet);
    (void)ws_fleet_want(world.fleet, 0, 2);
    (void)ws_kernel_run(world.kernel, (ws_time){.ns = 1600 * WS_NS_PER_S}, UINT64_MAX);
    cr_expect(eq(str, world.news,
                 "ends; losses; arrivals; 128 ready 1; news; "
                 "ends; losses; 1000 lost 0 []; arrivals; news; 1128 lost 1 []; "
                 "ends; 1500 ready 0; losses; arrivals; news; "));
    world_close(&world);
}

Test(fleet, needs_no_listener_and_no_job)
{
    fleet_world world = {0};

    world.pools[0] = world_pool("first", 8, 1, 2);
    world_let_fail(&world.pools[0], 500, 100, false);
    world.pools[0].start.fail_probability = 0.5;
    world_open(&world, 1);
    ws_fleet_listen(world.fleet, &(ws_fleet_listener){.context = NULL});
    (void)ws_fleet_want(world.fleet, 0, 2);
    world_run_to_s(&world, 86400);
    (void)ws_fleet_want(world.fleet, 0, 0);
    cr_expect(ws_fleet_is_balanced(world.fleet));
    world_close(&world);
}

Test(fleet, a_node_that_never_fails_has_no_event)
{
    /* 1e10 s are beyond the clock: never. */
    fleet_world world = {0};

    world.pools[0] = world_pool("solid", 8, 4, 4);
    world_let_fail(&world.pools[0], 1e10, 1, false);
    world_open(&world, 1);
    cr_expect(eq(sz, ws_kernel_pending_count(world.kernel), 0));
    world_run_to(&world, (ws_time){.ns = WS_HORIZON_MAX_NS});
    cr_expect(eq(i64, ws_fleet_totals(world.fleet).failures, 0));
    world_close(&world);
}

Test(fleet, has_at_most_one_event_for_each_slot)
{
    ws_pool_spec pools[] = {world_pool("a", 8, 0, 3), world_pool("b", 8, 0, 0),
                            world_pool("c", 8, 0, 40)};

    cr_expect(eq(sz, ws_fleet_event_capacity(pools, 3), 43));
    cr_expect(eq(sz, ws_fleet_event_capacity(NULL, 0), 0));
}

/* An allocator that hands out so many blocks and no more. */
static void *fleet_allocate(void *context, size_t bytes)
{
    int32_t *left = context;

    if (*left == 0) {
        return NULL;
    }
    *left -= 1;
    return ws_allocator_default.allocate(NULL, bytes);
}

Test(fleet, an_exhausted_arena_gives_no_fleet)
{
    fleet_world world = {.options = {.job_owner_count = 50}};
    ws_arena scarce;
    int32_t blocks = 0;
    bool is_made = false;

    world.pools[0] = world_pool("first", 8, 1, 500);
    world_open(&world, 1);
    while (!is_made) {
        int32_t left = blocks;
        ws_allocator allocator = {
            .context = &left, .allocate = fleet_allocate, .release = ws_allocator_default.release};

        ws_arena_init(&scarce, &allocator, (size_t)1 << 30);
        is_made = ws_fleet_new(&scarce, world.kernel, &world.options) != NULL;
        ws_arena_reset(&scarce);
        blocks++;
    }
    cr_expect(blocks > 5, "only %d blocks were enough: nothing was tried", (int)blocks);
    world_close(&world);
}

Test(fleet, wanting_before_it_has_begun_is_a_bug, .signal = SIGABRT)
{
    fleet_world world = {0};

    world.pools[0] = world_pool("first", 8, 1, 1);
    world_open(&world, 1);
    ws_fleet *fresh = ws_fleet_new(&world.arena, world.kernel, &world.options);
    (void)ws_fleet_want(fresh, 0, 1);
}
