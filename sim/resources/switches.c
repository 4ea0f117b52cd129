/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where nodes are in the tree of switches. Leaves are numbered through all pools, each of which
 * begins at a new one. How many different ones a holder is below is counted by marks: one for each
 * leaf and pod, which hold the number of the count that saw them last.
 */
#include "fleet_private.h"

static int32_t switches_leaves_of_pod(const ws_fabric *fabric)
{
    WS_ASSERT(fabric->leaf.nodes > 0);
    WS_ASSERT(fabric->pod.nodes % fabric->leaf.nodes == 0);
    return fabric->pod.nodes / fabric->leaf.nodes;
}

bool ws_switches_init(ws_fleet *fleet, ws_arena *arena)
{
    const ws_fabric *fabric = fleet->options.fabric;
    int32_t leaves = 0;

    if (fabric == NULL || fabric->leaf.nodes == 0) {
        return true;
    }
    for (size_t i = 0; i < fleet->options.pool_count; i++) {
        fleet->pools[i].leaf_first = leaves;
        leaves += ws_tier_switches(&fabric->leaf, fleet->options.pools[i].nodes_max);
    }
    fleet->leaf_marks = ws_arena_alloc(arena, uint64_t, (size_t)leaves);
    fleet->pod_marks = ws_arena_alloc(arena, uint64_t, (size_t)leaves);
    return fleet->leaf_marks != NULL && fleet->pod_marks != NULL;
}

const ws_fabric *ws_fleet_fabric(const ws_fleet *fleet)
{
    WS_ASSERT(fleet != NULL);
    return fleet->options.fabric;
}

int32_t ws_fleet_node_leaf(const ws_fleet *fleet, ws_node_id node)
{
    const ws_fabric *fabric = fleet->options.fabric;
    const ws_pool *pool = ws_fleet_pool_of(fleet, node.index);

    if (fabric == NULL || fabric->leaf.nodes == 0) {
        return 0;
    }
    return pool->leaf_first + (node.index - pool->node_first) / fabric->leaf.nodes;
}

/* Marks one of an array; 1 when this count has not seen it yet. */
static int32_t switches_mark(uint64_t *marks, int32_t index, uint64_t count)
{
    bool is_new = marks[index] != count;

    marks[index] = count;
    return is_new ? 1 : 0;
}

ws_span_of_nodes ws_fleet_span(ws_fleet *fleet, size_t holder)
{
    const ws_fabric *fabric = fleet->options.fabric;
    const ws_holder *owner = ws_fleet_holder(fleet, holder);
    ws_span_of_nodes span = {.nodes = owner->node_count, .leaves = 1, .pods = 1};

    if (fabric == NULL || fabric->leaf.nodes == 0 || owner->node_count == 0) {
        return span;
    }
    fleet->switch_counts++;
    span.leaves = 0;
    span.pods = 0;
    for (int32_t grant = owner->grant_first; grant != WS_NONE;
         grant = fleet->grants[grant].holder_next) {
        int32_t leaf = ws_fleet_node_leaf(fleet, (ws_node_id){fleet->grants[grant].node});
        int32_t pod = fabric->pod.nodes > 0 ? leaf / switches_leaves_of_pod(fabric) : 0;

        span.leaves += switches_mark(fleet->leaf_marks, leaf, fleet->switch_counts);
        span.pods += switches_mark(fleet->pod_marks, pod, fleet->switch_counts);
    }
    WS_ASSERT(span.pods <= span.leaves);
    WS_ASSERT(span.leaves <= span.nodes);
    return span;
}
