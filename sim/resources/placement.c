/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where a gang goes.
 *
 * How many replicas fit follows from the sizes of the classes of ready nodes, whatever order they
 * are used in, because all replicas of a gang are alike. So a gang is counted first and granted
 * then, and nothing is ever undone.
 */
#include "fleet_private.h"

/* A holder's grants on one node are joined. */
static void placement_give(ws_fleet *fleet, size_t holder, int32_t node, int32_t gpus)
{
    int32_t grant = ws_grant_find(fleet, holder, node);

    WS_ASSERT(gpus > 0);
    WS_ASSERT(!fleet->nodes[node].is_draining);
    if (grant == WS_NONE) {
        grant = ws_grant_link(fleet, holder, node);
    }
    ws_grant_resize(fleet, grant, gpus);
}

/* Nodes that a replica takes in a pool: 1 also when it takes a part of one, 0 when it cannot lie
 * there. */
int32_t ws_placement_nodes_per_replica(const ws_pool_spec *spec, int32_t gpus_per_replica)
{
    WS_ASSERT(gpus_per_replica >= 1);
    if (gpus_per_replica <= spec->gpus_per_node) {
        return 1;
    }
    return gpus_per_replica % spec->gpus_per_node == 0 ? gpus_per_replica / spec->gpus_per_node : 0;
}

/* Replicas that fit into a pool as it stands. */
static int64_t placement_pool_fit(const ws_pool *pool, int32_t gpus_per_replica)
{
    int32_t gpus = pool->spec->gpus_per_node;
    int32_t nodes = ws_placement_nodes_per_replica(pool->spec, gpus_per_replica);
    int64_t fit = 0;

    if (nodes == 0) {
        return 0;
    }
    if (gpus_per_replica > gpus) {
        return (int64_t)pool->classes[ws_class_ready(gpus)].count / nodes;
    }
    int32_t free =
        ws_roster_class_first(pool, ws_class_ready(gpus_per_replica), ws_class_ready(gpus));
    while (free != WS_NONE) {
        fit += (int64_t)pool->classes[free].count * (free / gpus_per_replica);
        free = ws_roster_class_first(pool, free + 1, ws_class_ready(gpus));
    }
    return fit;
}

static bool placement_accepts(const ws_gang *gang, size_t pool)
{
    WS_ASSERT(pool < WS_POOLS_MAX);
    return (gang->pools >> pool & 1) != 0;
}

int32_t ws_fleet_fit(const ws_fleet *fleet, const ws_gang *gang)
{
    int64_t fit = 0;

    WS_ASSERT(gang->replicas >= 1);
    for (size_t i = 0; i < fleet->options.pool_count && fit < gang->replicas; i++) {
        if (placement_accepts(gang, i)) {
            fit += placement_pool_fit(&fleet->pools[i], gang->gpus_per_replica);
        }
    }
    return fit < gang->replicas ? (int32_t)fit : gang->replicas;
}

/* Replicas of a part of a node: packing fills the node that it has chosen, spreading looks anew for
 * each. */
static void placement_grant_parts(ws_fleet *fleet, const ws_pool *pool, size_t holder,
                                  int32_t gpus_per_replica, int32_t replicas)
{
    int32_t first = ws_class_ready(gpus_per_replica);
    int32_t last = ws_class_ready(pool->spec->gpus_per_node);

    while (replicas > 0) {
        int32_t free = fleet->options.spread ? ws_roster_class_last(pool, first, last)
                                             : ws_roster_class_first(pool, first, last);
        WS_ASSERT(free != WS_NONE);
        int32_t here = fleet->options.spread ? 1 : free / gpus_per_replica;
        here = here < replicas ? here : replicas;
        placement_give(fleet, holder, ws_roster_lowest(pool, free), here * gpus_per_replica);
        replicas -= here;
    }
}

/* Wholly free nodes, lowest slots first. That they suffice was counted before. */
static void placement_grant_nodes(ws_fleet *fleet, const ws_pool *pool, size_t holder,
                                  int64_t nodes)
{
    int32_t gpus = pool->spec->gpus_per_node;

    for (int64_t i = 0; i < nodes; i++) {
        placement_give(fleet, holder, ws_roster_lowest(pool, ws_class_ready(gpus)), gpus);
    }
}

bool ws_fleet_grant(ws_fleet *fleet, size_t holder, const ws_gang *gang)
{
    int32_t left = gang->replicas;

    WS_ASSERT(ws_fleet_is_holder(fleet, holder));
    if (ws_fleet_fit(fleet, gang) < gang->replicas) {
        return false;
    }
    for (size_t i = 0; i < fleet->options.pool_count && left > 0; i++) {
        const ws_pool *pool = &fleet->pools[i];
        int64_t fit =
            placement_accepts(gang, i) ? placement_pool_fit(pool, gang->gpus_per_replica) : 0;
        int32_t here = fit < left ? (int32_t)fit : left;

        if (gang->gpus_per_replica <= pool->spec->gpus_per_node) {
            placement_grant_parts(fleet, pool, holder, gang->gpus_per_replica, here);
        } else {
            placement_grant_nodes(
                fleet, pool, holder,
                (int64_t)here * ws_placement_nodes_per_replica(pool->spec, gang->gpus_per_replica));
        }
        left -= here;
    }
    WS_ASSERT(left == 0);
    return true;
}
