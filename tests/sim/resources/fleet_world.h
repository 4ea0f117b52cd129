/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A kernel, a fleet and a log of its news, for the tests of the fleet. Time goes on when the test
 * says so; between two such steps the test calls the fleet as an event at that instant would.
 */
#ifndef WS_TESTS_FLEET_WORLD_H
#define WS_TESTS_FLEET_WORLD_H

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "ws/fleet.h"

#define WORLD_POOLS 4
#define WORLD_NEWS_BYTES 4096

typedef struct {
    ws_arena arena;
    ws_kernel *kernel;
    ws_fleet *fleet;
    ws_pool_spec pools[WORLD_POOLS];
    ws_fleet_options options;
    char news[WORLD_NEWS_BYTES]; /* "138 ready 1; 200 lost 1 [2 4]; ", what does not fit is left out
                                  */
} fleet_world;

static inline int64_t world_now_s(const fleet_world *world)
{
    return ws_kernel_now(world->kernel).ns / WS_NS_PER_S;
}

static inline void world_write(fleet_world *world, const char *text)
{
    size_t length = strlen(world->news);

    (void)snprintf(world->news + length, sizeof world->news - length, "%s", text);
}

static inline void world_note(fleet_world *world, const char *what, ws_node_id node)
{
    char line[96];

    (void)snprintf(line, sizeof line, "%" PRId64 " %s %" PRId32 "; ", world_now_s(world), what,
                   node.index);
    world_write(world, line);
}

static inline void world_ready(void *context, ws_node_id node)
{
    world_note(context, "ready", node);
}

static inline void world_draining(void *context, ws_node_id node)
{
    world_note(context, "draining", node);
}

static inline void world_released(void *context, ws_node_id node)
{
    world_note(context, "released", node);
}

static inline void world_request_failed(void *context, ws_node_id node)
{
    world_note(context, "no capacity", node);
}

static inline void world_lost(void *context, ws_node_id node, const size_t *holders, size_t count)
{
    fleet_world *world = context;
    char line[32];

    world_note(world, "lost", node);
    world->news[strlen(world->news) - 2] = '\0'; /* the holders come before the semicolon */
    world_write(world, " [");
    for (size_t i = 0; i < count; i++) {
        (void)snprintf(line, sizeof line, i == 0 ? "%zu" : " %zu", holders[i]);
        world_write(world, line);
    }
    world_write(world, "]; ");
}

/* A pool at $0.01 a second for a node ($36/h), billed by the second, whose nodes take 5 s to be
 * granted and 100 + 20 + 3 s to join, and do not fail. */
static inline ws_pool_spec world_pool(const char *name, int32_t gpus, int32_t initial, int32_t max)
{
    return (ws_pool_spec){.name = ws_text_of(name),
                          .gpu_type = WS_TEXT("H100"),
                          .gpus_per_node = gpus,
                          .nodes_initial = initial,
                          .nodes_min = 0,
                          .nodes_max = max,
                          .node_price = {.nano_per_h = INT64_C(36000000000)},
                          .billing_increment = {.ns = WS_NS_PER_S},
                          .billing_minimum = {.ns = 0},
                          .start = {.request = ws_distribution_constant(5),
                                    .boot = ws_distribution_constant(100),
                                    .image_pull = ws_distribution_constant(20),
                                    .join = ws_distribution_constant(3),
                                    .retry = {.ns = 60 * WS_NS_PER_S}}};
}

/* Nodes of the pool fail after a constant time and are repaired after another one. */
static inline void world_let_fail(ws_pool_spec *pool, double failure_s, double repair_s,
                                  bool billed_in_repair)
{
    pool->failures = (ws_node_failures){.present = true,
                                        .time_to_failure = ws_distribution_constant(failure_s),
                                        .repair = ws_distribution_constant(repair_s),
                                        .billed_in_repair = billed_in_repair};
}

/* Opens a world of `count` pools, already set in world->pools, and begins. Beside them only
 * job_owner_count, spread, seed and replication of world->options count. */
static inline void world_open(fleet_world *world, size_t count)
{
    world->options.pools = world->pools;
    world->options.pool_count = count;
    world->news[0] = '\0';
    ws_arena_init(&world->arena, &ws_allocator_default, (size_t)1 << 30);
    world->kernel = ws_kernel_new(&world->arena, ws_fleet_event_capacity(world->pools, count) + 1);
    WS_ASSERT(world->kernel != NULL);
    world->fleet = ws_fleet_new(&world->arena, world->kernel, &world->options);
    WS_ASSERT(world->fleet != NULL);
    ws_fleet_listen(world->fleet,
                    &(ws_fleet_listener){.context = world,
                                         .node_ready = world_ready,
                                         .node_lost = world_lost,
                                         .node_draining = world_draining,
                                         .node_released = world_released,
                                         .node_request_failed = world_request_failed});
    ws_fleet_begin(world->fleet);
}

static inline void world_close(fleet_world *world)
{
    ws_arena_reset(&world->arena);
}

static inline void world_pass(void *context, uint64_t argument)
{
    (void)context;
    (void)argument;
}

/* Runs all events up to `when`; the clock stands there afterwards. */
static inline void world_run_to(fleet_world *world, ws_time when)
{
    (void)ws_kernel_at(world->kernel, when,
                       &(ws_event){.action = world_pass, .phase = WS_PHASE_RECORD});
    (void)ws_kernel_run(world->kernel, when, UINT64_MAX);
}

static inline void world_run_to_s(fleet_world *world, int64_t seconds)
{
    world_run_to(world, (ws_time){.ns = seconds * WS_NS_PER_S});
}

/* The ledger's owner of job number `job`. */
static inline size_t world_job(const fleet_world *world, size_t job)
{
    return ws_fleet_first_job_owner(world->fleet) + job;
}

static inline bool world_grant(fleet_world *world, size_t job, int32_t replicas,
                               int32_t gpus_per_replica)
{
    return ws_fleet_grant(world->fleet, world_job(world, job),
                          &(ws_gang){.replicas = replicas,
                                     .gpus_per_replica = gpus_per_replica,
                                     .pools = UINT64_MAX});
}

/* What a job holds, in order of granting: "0:8 3:2 " are 8 GPUs of node 0 and 2 of node 3. */
static inline const char *world_held(const fleet_world *world, size_t job, char *text,
                                     size_t text_bytes)
{
    ws_node_id nodes[64];
    int32_t gpus[64];
    size_t count =
        ws_fleet_list_nodes(world->fleet, world_job(world, job), nodes, gpus, WS_COUNT_OF(nodes));
    size_t length = 0;

    WS_ASSERT(count <= WS_COUNT_OF(nodes));
    text[0] = '\0';
    for (size_t i = 0; i < count && length < text_bytes; i++) {
        length += (size_t)snprintf(text + length, text_bytes - length, "%" PRId32 ":%" PRId32 " ",
                                   nodes[i].index, gpus[i]);
    }
    return text;
}

static inline bool world_gpu_s_is(ws_gpu_time time, int64_t gpu_s)
{
    return time.gpu_ns == (ws_i128)gpu_s * WS_NS_PER_S;
}

/* GPU-seconds of an account of an owner. */
static inline bool world_account_is(const fleet_world *world, size_t owner, ws_account account,
                                    int64_t gpu_s)
{
    ws_accounts accounts =
        ws_ledger_accounts(ws_fleet_ledger(world->fleet), owner, ws_kernel_now(world->kernel));

    return world_gpu_s_is(accounts.account[account], gpu_s);
}

/* The cost of a pool, in cents. */
static inline bool world_cost_is(const fleet_world *world, size_t pool, int64_t cents)
{
    return ws_fleet_cost(world->fleet, pool).nano == (ws_i128)cents * 10000000;
}

static inline ws_node_state state_of(const fleet_world *world, int32_t node)
{
    return ws_fleet_node_state(world->fleet, (ws_node_id){.index = node});
}

static inline ws_pool_counts counts_of(const fleet_world *world)
{
    return ws_fleet_pool_counts(world->fleet, 0);
}

#endif
