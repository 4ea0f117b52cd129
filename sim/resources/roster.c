/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Classes, counts and what the pools' own owners hold: all that follows from the states of the
 * nodes. */
#include "fleet_private.h"

bool ws_roster_init(ws_fleet *fleet, int32_t pool, int32_t node_first, ws_arena *arena)
{
    ws_pool *made = &fleet->pools[pool];
    const ws_pool_spec *spec = &fleet->options.pools[pool];
    size_t slots = (size_t)spec->nodes_max;

    *made = (ws_pool){.spec = spec,
                      .entity = ws_text_hash(spec->name),
                      .node_first = node_first,
                      .price = spec->node_price};
    size_t classes = (size_t)ws_class_of_other(made, WS_CLASS_OTHERS);
    size_t absent = (size_t)ws_class_of_other(made, WS_CLASS_ABSENT);
    made->classes = ws_arena_alloc(arena, ws_index_set, classes);
    if (made->classes == NULL || !ws_index_set_init(&made->occupied, arena, classes)) {
        return false;
    }
    for (size_t i = 0; i < classes; i++) {
        if (!ws_index_set_init(&made->classes[i], arena, slots)) {
            return false;
        }
    }
    for (size_t slot = 0; slot < slots; slot++) {
        fleet->nodes[(size_t)node_first + slot] =
            (ws_node){.pool = pool, .gpus_free = spec->gpus_per_node, .grant_first = WS_NONE};
        (void)ws_index_set_insert(&made->classes[absent], slot);
        (void)ws_index_set_insert(&made->occupied, absent);
    }
    return true;
}

int32_t ws_roster_class(const ws_pool *pool, const ws_node *node)
{
    WS_ASSERT(node->gpus_free >= 0);
    WS_ASSERT(node->gpus_free <= pool->spec->gpus_per_node);

    switch (node->state) {
    case WS_NODE_ABSENT:
        return ws_class_of_other(pool, node->absences > 0 ? WS_CLASS_CLOSED : WS_CLASS_ABSENT);
    case WS_NODE_REQUESTED:
        return ws_class_of_other(pool, WS_CLASS_REQUESTED);
    case WS_NODE_STARTING:
        return ws_class_of_other(pool, WS_CLASS_STARTING);
    case WS_NODE_BROKEN:
        return ws_class_of_other(pool, node->is_draining ? WS_CLASS_GOING : WS_CLASS_BROKEN);
    case WS_NODE_READY:
        break;
    }
    if (!node->is_draining) {
        return ws_class_ready(node->gpus_free);
    }
    bool is_held = node->gpus_free < pool->spec->gpus_per_node;

    if (node->absences > 0) {
        return ws_class_of_other(pool, is_held ? WS_CLASS_NOTICED : WS_CLASS_NOTICED_GOING);
    }
    return is_held ? ws_class_draining(pool, node->gpus_free)
                   : ws_class_of_other(pool, WS_CLASS_GOING);
}

ws_holding ws_roster_holding(const ws_fleet *fleet, const ws_node *node)
{
    int64_t price = fleet->pools[node->pool].price.nano_per_h;
    ws_holding holding = {.owner = ws_fleet_idle_owner(node->pool)};

    WS_ASSERT(node->held_price.nano_per_h <= price);

    if (!node->has_lease) {
        return holding;
    }
    if (node->state == WS_NODE_STARTING) {
        holding.owner = ws_fleet_starting_owner(node->pool);
    }
    holding.gpus = node->gpus_free;
    holding.price.nano_per_h = price - node->held_price.nano_per_h;
    return holding;
}

/* Adds (sign 1) or takes out (sign -1) what a node contributes to the counts of its pool. */
static void roster_count(ws_pool *pool, const ws_node *node, int32_t sign)
{
    ws_pool_counts *counts = &pool->counts;
    int32_t gpus = pool->spec->gpus_per_node;
    bool is_ready = node->state == WS_NODE_READY;

    WS_ASSERT(sign == 1 || sign == -1);
    counts->requested += node->state == WS_NODE_REQUESTED ? sign : 0;
    counts->starting += node->state == WS_NODE_STARTING ? sign : 0;
    counts->ready += is_ready ? sign : 0;
    counts->broken += node->state == WS_NODE_BROKEN ? sign : 0;
    counts->draining += node->is_draining ? sign : 0;
    counts->gpus_free += is_ready && !node->is_draining ? sign * node->gpus_free : 0;
    counts->gpus_held += (int64_t)sign * (gpus - node->gpus_free);
    counts->gpus_paid += node->has_lease ? sign * gpus : 0;
    if (node->has_lease) {
        pool->leases += sign;
        pool->lease_begin_ns += sign * (ws_i128)node->lease_begin.ns;
    }
    if (ws_node_is_waiting(node)) {
        pool->waits += sign;
        pool->wait_begin_ns += sign * (ws_i128)node->since.ns;
    }
}

/* Tells the ledger what a pool's own owner holds more (sign 1) or less (sign -1). */
static void roster_hold(ws_fleet *fleet, ws_holding holding, int64_t sign)
{
    if (holding.gpus != 0 || holding.price.nano_per_h != 0) {
        ws_ledger_hold(fleet->ledger, holding.owner, sign * holding.gpus,
                       (ws_price){.nano_per_h = sign * holding.price.nano_per_h},
                       ws_kernel_now(fleet->kernel));
    }
}

ws_node_change ws_roster_open_change(ws_fleet *fleet, int32_t node)
{
    const ws_node *changing = &fleet->nodes[node];
    ws_pool *pool = ws_fleet_pool_of(fleet, node);
    int32_t class_index = ws_roster_class(pool, changing);

    roster_count(pool, changing, -1);
    bool was_there =
        ws_index_set_remove(&pool->classes[class_index], (size_t)(node - pool->node_first));
    WS_ASSERT(was_there);
    if (pool->classes[class_index].count == 0) {
        (void)ws_index_set_remove(&pool->occupied, (size_t)class_index);
    }
    return (ws_node_change){.node = node, .before = ws_roster_holding(fleet, changing)};
}

void ws_roster_close_change(ws_fleet *fleet, ws_node_change change)
{
    const ws_node *changed = &fleet->nodes[change.node];
    ws_pool *pool = ws_fleet_pool_of(fleet, change.node);
    int32_t class_index = ws_roster_class(pool, changed);

    roster_count(pool, changed, 1);
    bool is_new =
        ws_index_set_insert(&pool->classes[class_index], (size_t)(change.node - pool->node_first));
    WS_ASSERT(is_new);
    (void)ws_index_set_insert(&pool->occupied, (size_t)class_index);
    roster_hold(fleet, change.before, -1);
    roster_hold(fleet, ws_roster_holding(fleet, changed), 1);
}

static int32_t roster_node(const ws_pool *pool, size_t slot)
{
    WS_ASSERT(slot == WS_INDEX_NONE || slot < (size_t)pool->spec->nodes_max);
    return slot == WS_INDEX_NONE ? WS_NONE : pool->node_first + (int32_t)slot;
}

int32_t ws_roster_lowest(const ws_pool *pool, int32_t class_index)
{
    WS_ASSERT(class_index >= 0);
    return roster_node(pool, ws_index_set_next(&pool->classes[class_index], 0));
}

int32_t ws_roster_highest(const ws_pool *pool, int32_t class_index)
{
    WS_ASSERT(class_index >= 0);
    return roster_node(pool, ws_index_set_previous(&pool->classes[class_index], SIZE_MAX));
}

int32_t ws_roster_class_first(const ws_pool *pool, int32_t first, int32_t last)
{
    size_t found = ws_index_set_next(&pool->occupied, (size_t)first);

    WS_ASSERT(first >= 0);
    return found == WS_INDEX_NONE || found > (size_t)last ? WS_NONE : (int32_t)found;
}

int32_t ws_roster_class_last(const ws_pool *pool, int32_t first, int32_t last)
{
    WS_ASSERT(first >= 0);
    if (last < first) {
        return WS_NONE;
    }
    size_t found = ws_index_set_previous(&pool->occupied, (size_t)last);
    return found == WS_INDEX_NONE || found < (size_t)first ? WS_NONE : (int32_t)found;
}
