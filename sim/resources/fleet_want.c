/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From the number of nodes that a pool has, or will have, to the number that is wanted: one node
 * after the other, since each is news.
 */
#include "fleet_private.h"

void ws_fleet_set_draining(ws_fleet *fleet, int32_t node, bool is_draining)
{
    ws_node_change change = ws_roster_open_change(fleet, node);

    WS_ASSERT(fleet->nodes[node].is_draining != is_draining);
    fleet->nodes[node].is_draining = is_draining;
    ws_roster_close_change(fleet, change);
    ws_grant_note_draining(fleet, node, is_draining);
}

/* Nodes of a pool that are to stay, or to come. */
static int32_t fleet_kept(const ws_pool *pool)
{
    const ws_pool_counts *counts = &pool->counts;

    return counts->requested + counts->starting + counts->ready + counts->broken - counts->draining;
}

/* The draining node that is used most, lowest slot first; WS_NONE when none drains. */
static int32_t fleet_most_used_draining(const ws_pool *pool)
{
    int32_t gpus = pool->spec->gpus_per_node;
    int32_t used =
        ws_roster_class_first(pool, ws_class_draining(pool, 0), ws_class_draining(pool, gpus));

    return ws_roster_lowest(pool, used != WS_NONE ? used : ws_class_of_other(pool, WS_CLASS_GOING));
}

/* One step: a node stops draining, or the lowest absent slot is asked for. False: what is absent is
 * closed. */
static bool fleet_grow(ws_fleet *fleet, const ws_pool *pool)
{
    WS_ASSERT(pool->counts.wanted <= pool->spec->nodes_max);

    int32_t node = fleet_most_used_draining(pool);

    if (node == WS_NONE) {
        node = ws_roster_lowest(pool, ws_class_of_other(pool, WS_CLASS_ABSENT));
        if (node != WS_NONE) {
            ws_fleet_request(fleet, node);
        }
        return node != WS_NONE;
    }
    ws_fleet_set_draining(fleet, node, false);
    if (fleet->nodes[node].state == WS_NODE_READY) {
        ws_fleet_tell(fleet, fleet->listener.node_ready, node);
    }
    return true;
}

/* The node to give up that nobody holds: a request, else one that starts, is broken or idle; or
 * WS_NONE. */
static int32_t fleet_unheld(const ws_pool *pool)
{
    int32_t gpus = pool->spec->gpus_per_node;
    const int32_t classes[] = {ws_class_of_other(pool, WS_CLASS_REQUESTED),
                               ws_class_of_other(pool, WS_CLASS_STARTING),
                               ws_class_of_other(pool, WS_CLASS_BROKEN), ws_class_ready(gpus)};

    for (size_t i = 0; i < WS_COUNT_OF(classes); i++) {
        int32_t node = ws_roster_highest(pool, classes[i]);
        if (node != WS_NONE) {
            return node;
        }
    }
    return WS_NONE;
}

/* One step: a node that nobody holds goes, or the one that is used least begins to drain. */
static void fleet_shrink(ws_fleet *fleet, const ws_pool *pool)
{
    WS_ASSERT(pool->counts.wanted >= 0);

    int32_t node = fleet_unheld(pool);

    if (node != WS_NONE) {
        ws_fleet_release(fleet, node);
        return;
    }
    int32_t least =
        ws_roster_class_last(pool, ws_class_ready(0), ws_class_ready(pool->spec->gpus_per_node));
    WS_ASSERT(least != WS_NONE);
    node = ws_roster_highest(pool, least);
    ws_fleet_set_draining(fleet, node, true);
    ws_fleet_tell(fleet, fleet->listener.node_draining, node);
}

/* News may change what is wanted, or who holds what, between any two steps. */
void ws_fleet_reach(ws_fleet *fleet, const ws_pool *pool)
{
    bool can_grow = true;

    while (can_grow && fleet_kept(pool) < pool->counts.wanted) {
        can_grow = fleet_grow(fleet, pool);
    }
    while (fleet_kept(pool) > pool->counts.wanted) {
        fleet_shrink(fleet, pool);
    }
}

int32_t ws_fleet_want(ws_fleet *fleet, size_t pool, int32_t nodes)
{
    WS_ASSERT(pool < fleet->options.pool_count);
    WS_ASSERT(fleet->has_begun);

    const ws_pool_spec *spec = fleet->pools[pool].spec;
    int32_t clamped = nodes < spec->nodes_min ? spec->nodes_min : nodes;
    clamped = clamped > spec->nodes_max ? spec->nodes_max : clamped;
    fleet->pools[pool].counts.wanted = clamped;
    ws_fleet_reach(fleet, &fleet->pools[pool]);
    return clamped;
}
