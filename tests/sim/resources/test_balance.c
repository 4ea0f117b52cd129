/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Random operations on a fleet of four unlike pools, from within its events too. After each one the
 * sums must agree (ws_fleet_is_balanced), the wanted number must be reached, time and money must
 * not have run backwards, and a gang must lie where a plain search over all nodes puts it.
 */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "fleet_world.h"
#include "support/support.h"

#define HOLDERS 6
#define NODES_MAX 64
#define PRICE_STEPS 30

typedef struct {
    fleet_world world;
    uint64_t random;
    int32_t replica_gpus[HOLDERS]; /* what one replica of a holder takes */
    uint64_t accepts[HOLDERS];
    ws_money cost;
    ws_gpu_time billed;
    bool is_quiet;    /* news are not answered */
    int64_t grants;   /* that fitted */
    int64_t refusals; /* that did not */
    ws_price_step prices[PRICE_STEPS];
} balance;

static int32_t balance_below(balance *test, int32_t bound)
{
    test->random = test->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (int32_t)((test->random >> 33) % (uint64_t)bound);
}

static size_t balance_holder(const balance *test, int32_t number)
{
    return world_job(&test->world, (size_t)number);
}

/* GPUs of each node that a holder has; returns how many nodes. */
static size_t balance_list(const balance *test, int32_t number, int32_t gpus[NODES_MAX])
{
    ws_node_id nodes[NODES_MAX];
    int32_t listed[NODES_MAX];
    size_t count = ws_fleet_list_nodes(test->world.fleet, balance_holder(test, number), nodes,
                                       listed, NODES_MAX);

    memset(gpus, 0, NODES_MAX * sizeof gpus[0]);
    for (size_t i = 0; i < count; i++) {
        gpus[nodes[i].index] += listed[i];
    }
    return count;
}

static int32_t balance_node_count(const balance *test)
{
    int32_t count = 0;

    for (size_t i = 0; i < WORLD_POOLS; i++) {
        count += test->world.pools[i].nodes_max;
    }
    return count;
}

/* Free GPUs of each node on which something may be placed: what nobody lists. */
static void balance_free(const balance *test, int32_t available[NODES_MAX])
{
    const ws_fleet *fleet = test->world.fleet;

    for (int32_t i = 0; i < balance_node_count(test); i++) {
        ws_node_id node = {.index = i};
        bool usable = ws_fleet_node_state(fleet, node) == WS_NODE_READY &&
                      !ws_fleet_node_is_draining(fleet, node);
        available[i] =
            usable ? ws_fleet_pool(fleet, ws_fleet_node_pool(fleet, node))->gpus_per_node : 0;
    }
    for (int32_t number = 0; number < HOLDERS; number++) {
        int32_t gpus[NODES_MAX];

        (void)balance_list(test, number, gpus);
        for (int32_t i = 0; i < balance_node_count(test); i++) {
            available[i] = available[i] > gpus[i] ? available[i] - gpus[i] : 0;
        }
    }
}

/* --- the plain search --- */

/* The node of a pool for one replica of a part of a node, or -1. */
static int32_t balance_choose(const balance *test, int32_t first, int32_t count, int32_t gpus,
                              const int32_t available[NODES_MAX])
{
    int32_t best = -1;

    for (int32_t i = first; i < first + count; i++) {
        if (available[i] < gpus) {
            continue;
        }
        bool is_better =
            best == -1 || (test->world.options.spread ? available[i] > available[best]
                                                      : available[i] < available[best]);
        best = is_better ? i : best;
    }
    return best;
}

/* Puts one replica of whole nodes into a pool. */
static bool balance_place_nodes(const ws_pool_spec *spec, int32_t first, int32_t gpus,
                                int32_t available[NODES_MAX], int32_t given[NODES_MAX])
{
    int32_t found[NODES_MAX];
    int32_t needed = gpus / spec->gpus_per_node;
    int32_t count = 0;

    for (int32_t i = first; i < first + spec->nodes_max && count < needed; i++) {
        if (available[i] == spec->gpus_per_node) {
            found[count] = i;
            count++;
        }
    }
    if (gpus % spec->gpus_per_node != 0 || count < needed) {
        return false;
    }
    for (int32_t i = 0; i < needed; i++) {
        available[found[i]] = 0;
        given[found[i]] += spec->gpus_per_node;
    }
    return true;
}

static bool balance_place_in(const balance *test, size_t pool, int32_t first, int32_t gpus,
                             int32_t available[NODES_MAX], int32_t given[NODES_MAX])
{
    const ws_pool_spec *spec = &test->world.pools[pool];

    if (gpus > spec->gpus_per_node) {
        return balance_place_nodes(spec, first, gpus, available, given);
    }
    int32_t node = balance_choose(test, first, spec->nodes_max, gpus, available);
    if (node < 0) {
        return false;
    }
    available[node] -= gpus;
    given[node] += gpus;
    return true;
}

/* Places replicas one after another; returns how many of `replicas` fitted. */
static int32_t balance_place(const balance *test, const ws_gang *gang, int32_t given[NODES_MAX])
{
    int32_t available[NODES_MAX];
    int32_t first = 0;
    int32_t placed = 0;

    balance_free(test, available);
    memset(given, 0, NODES_MAX * sizeof given[0]);
    for (size_t pool = 0; pool < WORLD_POOLS; pool++) {
        bool accepted = (gang->pools >> pool & 1) != 0;
        while (accepted && placed < gang->replicas &&
               balance_place_in(test, pool, first, gang->gpus_per_replica, available, given)) {
            placed++;
        }
        first += test->world.pools[pool].nodes_max;
    }
    return placed;
}

/* --- operations --- */

static void balance_grant(balance *test)
{
    int32_t number = balance_below(test, HOLDERS);
    ws_gang gang = {.replicas = 1 + balance_below(test, 6),
                    .gpus_per_replica = test->replica_gpus[number],
                    .pools = test->accepts[number]};
    int32_t before[NODES_MAX];
    int32_t after[NODES_MAX];
    int32_t expected[NODES_MAX];

    (void)balance_list(test, number, before);
    int32_t fit = balance_place(test, &gang, expected);
    cr_assert(eq(i32, ws_fleet_fit(test->world.fleet, &gang), fit));
    bool granted = ws_fleet_grant(test->world.fleet, balance_holder(test, number), &gang);
    cr_assert(granted == (fit == gang.replicas));
    (void)balance_list(test, number, after);
    for (int32_t i = 0; i < balance_node_count(test); i++) {
        cr_assert(eq(i32, after[i] - before[i], granted ? expected[i] : 0));
    }
    test->grants += granted;
    test->refusals += !granted;
}

/* Whole replicas that a holder has, pool by pool. */
static int32_t balance_replicas(const balance *test, int32_t number)
{
    int32_t gpus[NODES_MAX];
    int32_t replicas = 0;
    int32_t node = 0;

    (void)balance_list(test, number, gpus);
    for (size_t pool = 0; pool < WORLD_POOLS; pool++) {
        const ws_pool_spec *spec = &test->world.pools[pool];
        int32_t of_pool = 0;

        for (int32_t slot = 0; slot < spec->nodes_max; slot++) {
            replicas += gpus[node] / test->replica_gpus[number];
            of_pool += gpus[node];
            node++;
        }
        if (test->replica_gpus[number] > spec->gpus_per_node) {
            replicas += of_pool / test->replica_gpus[number];
        }
    }
    return replicas;
}

static void balance_take(balance *test)
{
    int32_t number = balance_below(test, HOLDERS);
    size_t holder = balance_holder(test, number);
    int32_t replicas = balance_below(test, balance_replicas(test, number) + 1);
    int64_t before = ws_fleet_held(test->world.fleet, holder);
    int64_t draining = ws_fleet_held_draining(test->world.fleet, holder);
    int64_t taken = (int64_t)replicas * test->replica_gpus[number];

    /* The release of a node that drained may be answered, by anything. */
    bool was_quiet = test->is_quiet;
    test->is_quiet = was_quiet || balance_below(test, 2) == 0;
    ws_fleet_take(test->world.fleet, holder, test->replica_gpus[number], replicas);
    if (test->is_quiet) {
        cr_assert(eq(i64, ws_fleet_held(test->world.fleet, holder), before - taken));
        cr_assert(ws_fleet_held_draining(test->world.fleet, holder) <= draining);
    }
    test->is_quiet = was_quiet;
}

static void balance_want(balance *test)
{
    size_t pool = (size_t)balance_below(test, WORLD_POOLS);
    int32_t nodes = balance_below(test, test->world.pools[pool].nodes_max + 3) - 1;

    (void)ws_fleet_want(test->world.fleet, pool, nodes);
}

static void balance_do(balance *test)
{
    int32_t what = balance_below(test, 10);

    if (what < 5) {
        balance_grant(test);
    } else if (what < 7) {
        balance_take(test);
    } else if (what < 9) {
        balance_want(test);
    } else {
        int32_t number = balance_below(test, HOLDERS);
        ws_fleet_take_all(test->world.fleet, balance_holder(test, number));
    }
}

/* News that answer with an operation, one time in four. */
static void balance_on_node(void *context, ws_node_id node)
{
    balance *test = context;

    cr_assert(node.index >= 0);
    cr_assert(ws_fleet_is_balanced(test->world.fleet));
    if (!test->is_quiet && balance_below(test, 4) == 0) {
        balance_do(test);
    }
}

static void balance_on_lost(void *context, ws_node_id node, const size_t *holders, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        cr_assert(holders[i - 1] < holders[i]);
    }
    balance_on_node(context, node);
}

/* --- what must hold --- */

static void balance_check(balance *test)
{
    const ws_fleet *fleet = test->world.fleet;
    ws_money cost = {.nano = 0};
    ws_gpu_time billed = ws_fleet_billed(fleet);

    cr_assert(ws_fleet_is_balanced(fleet));
    for (size_t i = 0; i < WORLD_POOLS; i++) {
        ws_pool_counts counts = ws_fleet_pool_counts(fleet, i);
        int32_t kept =
            counts.requested + counts.starting + counts.ready + counts.broken - counts.draining;

        cr_assert(eq(i32, kept, counts.wanted));
        cr_assert(counts.wanted >= test->world.pools[i].nodes_min);
        cr_assert(counts.gpus_held >= 0);
        cost = ws_money_add(cost, ws_fleet_cost(fleet, i));
    }
    cr_assert(cost.nano >= test->cost.nano);
    cr_assert(billed.gpu_ns >= test->billed.gpu_ns);
    test->cost = cost;
    test->billed = billed;
}

static ws_pool_spec balance_pool(const char *name, int32_t gpus, int32_t min, int32_t max)
{
    ws_pool_spec pool = world_pool(name, gpus, min, max);

    pool.nodes_min = min;
    pool.node_price.nano_per_h = INT64_C(23920000007); /* does not divide by 3, 4 or 8 */
    pool.billing_increment.ns = 7 * WS_NS_PER_S;
    pool.billing_minimum.ns = WS_NS_PER_MIN;
    pool.start.boot = (ws_distribution){.family = WS_DISTRIBUTION_EXPONENTIAL, .a = 100};
    pool.start.fail_probability = 0.2;
    pool.failures =
        (ws_node_failures){.present = true,
                           .time_to_failure = {.family = WS_DISTRIBUTION_EXPONENTIAL, .a = 3000},
                           .repair = {.family = WS_DISTRIBUTION_EXPONENTIAL, .a = 600}};
    return pool;
}

/* Prices that change every 40 min, and do not divide by the GPUs either. */
static void balance_let_price_change(balance *test, ws_pool_spec *pool)
{
    for (size_t i = 0; i < PRICE_STEPS; i++) {
        test->prices[i] = (ws_price_step){
            .at = {.ns = (int64_t)(i + 1) * 40 * WS_NS_PER_MIN},
            .node_price = {.nano_per_h = INT64_C(23920000007) * (int64_t)((i * 5) % 7)}};
    }
    pool->price_steps = test->prices;
    pool->price_step_count = PRICE_STEPS;
}

static void balance_open(balance *test, uint64_t seed)
{
    static const int32_t replica_gpus[HOLDERS] = {1, 2, 3, 8, 16, 24};
    static const uint64_t accepts[HOLDERS] = {0xf, 0xf, 0xe, 0x5, 0xf, 0x9};

    test->random = seed * 2 + 1;
    memcpy(test->replica_gpus, replica_gpus, sizeof replica_gpus);
    memcpy(test->accepts, accepts, sizeof accepts);
    test->world.pools[0] = balance_pool("paid", 8, 1, 12);
    test->world.pools[0].failures.billed_in_repair = true;
    test->world.pools[1] = balance_pool("small", 4, 0, 20);
    test->world.pools[2] = balance_pool("odd", 3, 0, 7);
    test->world.pools[3] = balance_pool("solid", 8, 2, 10);
    test->world.pools[3].failures.present = false;
    balance_let_price_change(test, &test->world.pools[1]);
    test->world.options =
        (ws_fleet_options){.job_owner_count = HOLDERS, .seed = seed, .spread = seed % 2 == 1};
    world_open(&test->world, WORLD_POOLS);
    cr_assert(balance_node_count(test) <= NODES_MAX);
    ws_fleet_listen(test->world.fleet,
                    &(ws_fleet_listener){.context = test,
                                         .node_ready = balance_on_node,
                                         .node_lost = balance_on_lost,
                                         .node_draining = balance_on_node,
                                         .node_released = balance_on_node,
                                         .node_request_failed = balance_on_node});
}

static void balance_run(uint64_t seed, int64_t steps)
{
    balance test = {.cost = {.nano = 0}};
    int64_t now_ns = 0;

    balance_open(&test, seed);
    for (int64_t i = 0; i < steps; i++) {
        if (balance_below(&test, 2) == 0) {
            now_ns += (int64_t)balance_below(&test, 60) * WS_NS_PER_S + balance_below(&test, 1000);
            world_run_to(&test.world, (ws_time){.ns = now_ns});
        } else {
            balance_do(&test);
        }
        balance_check(&test);
    }
    cr_expect(test.grants > steps / 50, "seed %d: only %d grants", (int)seed, (int)test.grants);
    cr_expect(test.refusals > steps / 50, "seed %d: only %d refusals", (int)seed,
              (int)test.refusals);
    cr_expect(ws_fleet_totals(test.world.fleet).failures > steps / 100);
    world_close(&test.world);
}

Test(balance, holds_after_every_random_step)
{
    int64_t steps = ws_test_scaled(5000, 500);

    for (uint64_t seed = 1; seed <= 6; seed++) {
        balance_run(seed, steps);
    }
}
