/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The naive simulator's nodes: each rule of ws/fleet.h as a search over all of them. */
#include <string.h>

#include "naive_world.h"
#include "ws/assert.h"

#define NANO INT64_C(1000000000)

static const naive_pool_spec *fleet_spec(const naive_world *world, const naive_node *node)
{
    return &world->scenario->pools[node->pool];
}

static int32_t fleet_free(const naive_world *world, const naive_node *node)
{
    int32_t free = fleet_spec(world, node)->gpus;

    for (int32_t job = 0; job < NAIVE_JOBS; job++) {
        free -= node->held[job];
    }
    WS_ASSERT(free >= 0);
    return free;
}

static bool fleet_is_unheld(const naive_world *world, const naive_node *node)
{
    return fleet_free(world, node) == fleet_spec(world, node)->gpus;
}

static int32_t fleet_index(const naive_world *world, const naive_node *node)
{
    return (int32_t)(node - world->nodes);
}

/* --- leases --- */

static void fleet_pay(naive_world *world, const naive_node *node, int64_t seconds)
{
    world->outcome->cost += seconds * fleet_spec(world, node)->price_per_s;
}

static void fleet_end_lease(naive_world *world, naive_node *node)
{
    const naive_pool_spec *spec = fleet_spec(world, node);
    int32_t elapsed = world->now - node->lease_begin;
    int32_t billed = (elapsed + spec->increment - 1) / spec->increment * spec->increment;

    WS_ASSERT(node->leased);
    billed = billed < spec->minimum ? spec->minimum : billed;
    fleet_pay(world, node, billed);
    world->outcome->accounts.account[WS_ACCOUNT_IDLE] +=
        (int64_t)(billed - elapsed) * spec->gpus * NANO;
    node->leased = false;
}

static void fleet_begin_lease(naive_world *world, naive_node *node)
{
    node->leased = true;
    node->lease_begin = world->now;
}

/* --- the life of a node --- */

static void fleet_make_ready(naive_world *world, naive_node *node)
{
    int32_t every = fleet_spec(world, node)->fails_every;

    node->state = WS_NODE_READY;
    node->until = every > 0 ? world->now + every : NAIVE_NEVER;
    if (!node->leased) {
        fleet_begin_lease(world, node);
    }
}

static void fleet_release(naive_world *world, naive_node *node)
{
    bool was_node = node->state != WS_NODE_REQUESTED;

    node->state = WS_NODE_ABSENT;
    node->draining = false;
    node->until = NAIVE_NEVER;
    if (node->leased) {
        fleet_end_lease(world, node);
    }
    if (was_node) {
        naive_log(world, WS_NEWS_NODE_RELEASED, fleet_index(world, node), 0);
    }
}

/* Draining nodes that nobody holds go. */
static void fleet_sweep(naive_world *world)
{
    for (int32_t i = 0; i < world->node_count; i++) {
        if (world->nodes[i].draining && fleet_is_unheld(world, &world->nodes[i])) {
            fleet_release(world, &world->nodes[i]);
        }
    }
}

void naive_fleet_begin(naive_world *world)
{
    for (int32_t p = 0; p < world->scenario->pool_count; p++) {
        const naive_pool_spec *spec = &world->scenario->pools[p];

        for (int32_t slot = 0; slot < spec->max; slot++) {
            naive_node *node = &world->nodes[world->node_count++];

            *node = (naive_node){.pool = p, .slot = slot, .until = NAIVE_NEVER};
            if (slot < spec->initial) {
                fleet_make_ready(world, node);
            }
        }
        (void)naive_fleet_want(world, p, spec->initial);
    }
}

bool naive_fleet_ends(naive_world *world)
{
    for (int32_t i = 0; i < world->node_count; i++) {
        naive_node *node = &world->nodes[i];
        const naive_pool_spec *spec = fleet_spec(world, node);

        if (node->until != world->now) {
            continue;
        }
        if (node->state == WS_NODE_BROKEN) {
            fleet_make_ready(world, node);
            naive_log(world, WS_NEWS_NODE_READY, i, 0);
            return true;
        }
        if (node->state == WS_NODE_REQUESTED && node->is_retry) {
            node->is_retry = false;
            node->until = world->now + spec->request;
            return true;
        }
        if (node->state == WS_NODE_REQUESTED && spec->has_no_capacity) {
            node->is_retry = true;
            node->until = world->now + spec->retry;
            naive_log(world, WS_NEWS_NODE_REQUEST_FAILED, i, 0);
            return true;
        }
        if (node->state == WS_NODE_REQUESTED) {
            node->state = WS_NODE_STARTING;
            node->until = world->now + spec->start;
            fleet_begin_lease(world, node);
            return true;
        }
    }
    return false;
}

bool naive_fleet_losses(naive_world *world)
{
    for (int32_t i = 0; i < world->node_count; i++) {
        naive_node *node = &world->nodes[i];
        int32_t held[NAIVE_JOBS];

        if (node->state != WS_NODE_READY || node->until != world->now) {
            continue;
        }
        memcpy(held, node->held, sizeof held);
        memset(node->held, 0, sizeof node->held);
        node->state = WS_NODE_BROKEN;
        node->until = world->now + fleet_spec(world, node)->repair;
        if (!fleet_spec(world, node)->billed_in_repair) {
            fleet_end_lease(world, node);
        }
        naive_log(world, WS_NEWS_NODE_LOST, i, 0);
        for (int32_t job = 0; job < NAIVE_JOBS; job++) {
            if (held[job] > 0) {
                naive_job_lost_node(world, job);
            }
        }
        fleet_sweep(world);
        return true;
    }
    return false;
}

bool naive_fleet_arrivals(naive_world *world)
{
    for (int32_t i = 0; i < world->node_count; i++) {
        naive_node *node = &world->nodes[i];

        if (node->state == WS_NODE_STARTING && node->until == world->now) {
            fleet_make_ready(world, node);
            naive_log(world, WS_NEWS_NODE_READY, i, 0);
            return true;
        }
    }
    return false;
}

/* --- the wanted number --- */

static int32_t fleet_kept(const naive_world *world, int32_t pool)
{
    int32_t kept = 0;

    for (int32_t i = 0; i < world->node_count; i++) {
        const naive_node *node = &world->nodes[i];
        kept += node->pool == pool && node->state != WS_NODE_ABSENT && !node->draining ? 1 : 0;
    }
    return kept;
}

/* The draining node with the fewest free GPUs, lowest slot first; else the lowest absent slot. */
static void fleet_grow(naive_world *world, int32_t pool)
{
    naive_node *found = NULL;

    for (int32_t i = 0; i < world->node_count; i++) {
        naive_node *node = &world->nodes[i];
        if (node->pool == pool && node->draining &&
            (found == NULL || fleet_free(world, node) < fleet_free(world, found))) {
            found = node;
        }
    }
    if (found != NULL) {
        found->draining = false;
        if (found->state == WS_NODE_READY) {
            naive_log(world, WS_NEWS_NODE_READY, fleet_index(world, found), 0);
        }
        return;
    }
    for (int32_t i = 0; i < world->node_count && found == NULL; i++) {
        naive_node *node = &world->nodes[i];
        found = node->pool == pool && node->state == WS_NODE_ABSENT ? node : NULL;
    }
    WS_ASSERT(found != NULL);
    found->state = WS_NODE_REQUESTED;
    found->is_retry = false;
    found->until = world->now + world->scenario->pools[pool].request;
    naive_log(world, WS_NEWS_NODE_REQUESTED, fleet_index(world, found), 0);
}

/* How readily a node is given up: requests, starting, broken, idle, then the least used. */
static int32_t fleet_worth(const naive_world *world, const naive_node *node)
{
    switch (node->state) {
    case WS_NODE_REQUESTED:
        return 0;
    case WS_NODE_STARTING:
        return 1;
    case WS_NODE_BROKEN:
        return 2;
    case WS_NODE_READY:
    case WS_NODE_ABSENT:
        break;
    }
    return 3 + fleet_spec(world, node)->gpus - fleet_free(world, node);
}

static void fleet_shrink(naive_world *world, int32_t pool)
{
    naive_node *found = NULL;

    for (int32_t i = world->node_count - 1; i >= 0; i--) {
        naive_node *node = &world->nodes[i];
        if (node->pool == pool && node->state != WS_NODE_ABSENT && !node->draining &&
            (found == NULL || fleet_worth(world, node) < fleet_worth(world, found))) {
            found = node;
        }
    }
    WS_ASSERT(found != NULL);
    if (fleet_is_unheld(world, found)) {
        fleet_release(world, found);
        return;
    }
    found->draining = true;
    naive_log(world, WS_NEWS_NODE_DRAINING, fleet_index(world, found), 0);
}

int32_t naive_fleet_want(naive_world *world, int32_t pool, int32_t nodes)
{
    const naive_pool_spec *spec = &world->scenario->pools[pool];

    nodes = nodes < spec->min ? spec->min : nodes;
    nodes = nodes > spec->max ? spec->max : nodes;
    world->wanted[pool] = nodes;
    while (fleet_kept(world, pool) < nodes) {
        fleet_grow(world, pool);
    }
    while (fleet_kept(world, pool) > nodes) {
        fleet_shrink(world, pool);
    }
    return nodes;
}

/* --- placement --- */

static bool fleet_is_usable(const naive_node *node, int32_t pool)
{
    return node->pool == pool && node->state == WS_NODE_READY && !node->draining;
}

/* A replica of a part of a node: the fullest node that suffices, or the emptiest when spreading. */
static bool fleet_place_part(naive_world *world, int32_t job, int32_t pool, int32_t gpus)
{
    naive_node *found = NULL;

    for (int32_t i = 0; i < world->node_count; i++) {
        naive_node *node = &world->nodes[i];
        int32_t free = fleet_free(world, node);
        bool better = found == NULL || (world->scenario->spread ? free > fleet_free(world, found)
                                                                : free < fleet_free(world, found));
        if (fleet_is_usable(node, pool) && free >= gpus && better) {
            found = node;
        }
    }
    if (found != NULL) {
        found->held[job] += gpus;
    }
    return found != NULL;
}

/* A replica of several nodes: the lowest ones of a pool that are wholly free. */
static bool fleet_place_nodes(naive_world *world, int32_t job, int32_t pool, int32_t count)
{
    naive_node *found[NAIVE_NODES];
    int32_t got = 0;

    for (int32_t i = 0; i < world->node_count && got < count; i++) {
        naive_node *node = &world->nodes[i];
        if (fleet_is_usable(node, pool) && fleet_is_unheld(world, node)) {
            found[got++] = node;
        }
    }
    for (int32_t i = 0; i < got && got == count; i++) {
        found[i]->held[job] = world->scenario->pools[pool].gpus;
    }
    return got == count;
}

bool naive_fleet_place(naive_world *world, int32_t job)
{
    const naive_job_spec *spec = &world->scenario->jobs[job];

    for (int32_t pool = 0; pool < world->scenario->pool_count; pool++) {
        int32_t gpus = world->scenario->pools[pool].gpus;
        bool placed = false;

        if (spec->speed[pool] == 0) {
            continue;
        }
        if (spec->gpus_per_replica <= gpus) {
            placed = fleet_place_part(world, job, pool, spec->gpus_per_replica);
        } else if (spec->gpus_per_replica % gpus == 0) {
            placed = fleet_place_nodes(world, job, pool, spec->gpus_per_replica / gpus);
        }
        if (placed) {
            return true;
        }
    }
    return false;
}

/* The job's node to give up first, of a pool or (-1) of any: draining, least held, highest. */
static naive_node *fleet_first_to_leave(naive_world *world, int32_t job, int32_t pool)
{
    naive_node *found = NULL;

    for (int32_t i = world->node_count - 1; i >= 0; i--) {
        naive_node *node = &world->nodes[i];
        if (node->held[job] == 0 || (pool >= 0 && node->pool != pool)) {
            continue;
        }
        if (found == NULL || (node->draining && !found->draining) ||
            (node->draining == found->draining && node->held[job] < found->held[job])) {
            found = node;
        }
    }
    WS_ASSERT(found != NULL);
    return found;
}

void naive_fleet_take(naive_world *world, int32_t job, int32_t replicas)
{
    int32_t gpus = world->scenario->jobs[job].gpus_per_replica;

    for (int32_t i = 0; i < replicas; i++) {
        naive_node *node = fleet_first_to_leave(world, job, -1);
        int32_t left = gpus;

        while (left > 0) {
            int32_t here = node->held[job] < left ? node->held[job] : left;
            node->held[job] -= here;
            left -= here;
            node = left > 0 ? fleet_first_to_leave(world, job, node->pool) : node;
        }
    }
    fleet_sweep(world);
}

void naive_fleet_take_all(naive_world *world, int32_t job)
{
    for (int32_t i = 0; i < world->node_count; i++) {
        world->nodes[i].held[job] = 0;
    }
    fleet_sweep(world);
}

int32_t naive_fleet_held(const naive_world *world, int32_t job)
{
    int32_t held = 0;

    for (int32_t i = 0; i < world->node_count; i++) {
        held += world->nodes[i].held[job];
    }
    return held;
}

int32_t naive_fleet_free_for(const naive_world *world, int32_t job)
{
    int32_t free = 0;

    for (int32_t i = 0; i < world->node_count; i++) {
        const naive_node *node = &world->nodes[i];
        bool accepted = world->scenario->jobs[job].speed[node->pool] > 0;
        free += accepted && fleet_is_usable(node, node->pool) ? fleet_free(world, node) : 0;
    }
    return free;
}

int32_t naive_fleet_held_for(const naive_world *world, int32_t job, int32_t other)
{
    int32_t held = 0;

    for (int32_t i = 0; i < world->node_count; i++) {
        const naive_node *node = &world->nodes[i];
        bool accepted = world->scenario->jobs[job].speed[node->pool] > 0;
        held += accepted && fleet_is_usable(node, node->pool) ? node->held[other] : 0;
    }
    return held;
}

int32_t naive_fleet_held_draining(const naive_world *world, int32_t job)
{
    int32_t held = 0;

    for (int32_t i = 0; i < world->node_count; i++) {
        held += world->nodes[i].draining ? world->nodes[i].held[job] : 0;
    }
    return held;
}

int32_t naive_fleet_speed(const naive_world *world, int32_t job)
{
    int32_t slowest = NAIVE_NEVER;

    for (int32_t i = 0; i < world->node_count; i++) {
        int32_t speed = world->scenario->jobs[job].speed[world->nodes[i].pool];
        slowest = world->nodes[i].held[job] > 0 && speed < slowest ? speed : slowest;
    }
    return slowest;
}

/* --- a second --- */

static void fleet_observe(naive_gauges *gauges, const naive_world *world, const naive_node *node)
{
    int32_t gpus = fleet_spec(world, node)->gpus;

    gauges->requested += node->state == WS_NODE_REQUESTED ? 1 : 0;
    gauges->starting += node->state == WS_NODE_STARTING ? 1 : 0;
    gauges->ready += node->state == WS_NODE_READY ? 1 : 0;
    gauges->broken += node->state == WS_NODE_BROKEN ? 1 : 0;
    gauges->draining += node->draining ? 1 : 0;
    gauges->paid += node->leased ? gpus : 0;
    gauges->busy += gpus - fleet_free(world, node);
}

void naive_fleet_second(naive_world *world)
{
    naive_outcome *outcome = world->outcome;

    for (int32_t i = 0; i < world->node_count; i++) {
        const naive_node *node = &world->nodes[i];
        ws_account account =
            node->state == WS_NODE_STARTING ? WS_ACCOUNT_COLD_START : WS_ACCOUNT_IDLE;
        bool is_there = node->state == WS_NODE_REQUESTED || node->state == WS_NODE_BROKEN;

        fleet_observe(&outcome->gauges[node->pool], world, node);
        if (node->leased) {
            outcome->accounts.account[account] += fleet_free(world, node) * NANO;
        } else if (is_there) {
            outcome->unbilled += fleet_spec(world, node)->gpus;
        }
    }
    for (int32_t pool = 0; pool < world->scenario->pool_count; pool++) {
        outcome->gauges[pool].wanted += world->wanted[pool];
    }
}

void naive_fleet_end(naive_world *world)
{
    for (int32_t i = 0; i < world->node_count; i++) {
        if (world->nodes[i].leased) {
            fleet_pay(world, &world->nodes[i], world->now - world->nodes[i].lease_begin);
        }
    }
}
