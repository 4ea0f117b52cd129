/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Grants: how many GPUs of a node a holder has, and what follows from it: the sums of the holder,
 * the free GPUs of the node, the ledger.
 *
 * The price of a node is shared among its GPUs: n of g GPUs have floor(price x n / g), the rest of
 * the price stays with the pool's idle owner. So the prices always sum to the node's.
 */
#include "fleet_private.h"

bool ws_grant_init(ws_fleet *fleet, ws_arena *arena)
{
    const ws_fleet_options *options = &fleet->options;
    WS_ASSERT(options->pool_count <= WS_POOLS_MAX);
    size_t holders = options->job_owner_count;
    size_t grants = 0;
    size_t lost = 0;

    for (size_t i = 0; i < options->pool_count; i++) {
        size_t gpus = (size_t)options->pools[i].gpus_per_node;
        size_t of_node = gpus < holders ? gpus : holders;

        grants += of_node * (size_t)options->pools[i].nodes_max;
        lost = of_node > lost ? of_node : lost;
    }
    fleet->holders = ws_arena_alloc(arena, ws_holder, holders);
    fleet->holder_pool_nodes = ws_arena_alloc(arena, int32_t, holders * options->pool_count);
    fleet->grants = ws_arena_alloc(arena, ws_grant, grants);
    fleet->lost_holders = ws_arena_alloc(arena, size_t, lost);
    fleet->candidates = ws_arena_alloc(arena, ws_take_candidate, (size_t)fleet->node_count);
    if (fleet->holders == NULL || fleet->holder_pool_nodes == NULL || fleet->grants == NULL ||
        fleet->lost_holders == NULL || fleet->candidates == NULL) {
        return false;
    }
    for (size_t i = 0; i < holders; i++) {
        fleet->holders[i].grant_first = WS_NONE;
        fleet->holders[i].grant_last = WS_NONE;
    }
    fleet->grant_capacity = (int32_t)grants;
    fleet->grant_free = WS_NONE;
    return true;
}

/* How many nodes of a pool a holder is on. */
static int32_t *grant_pool_nodes(const ws_fleet *fleet, size_t holder, int32_t pool)
{
    size_t index = holder - ws_fleet_first_job_owner(fleet);

    WS_ASSERT(index < fleet->options.job_owner_count);
    return &fleet->holder_pool_nodes[index * fleet->options.pool_count + (size_t)pool];
}

int32_t ws_grant_find(const ws_fleet *fleet, size_t holder, int32_t node)
{
    int32_t grant = fleet->nodes[node].grant_first;

    WS_ASSERT(ws_fleet_is_holder(fleet, holder));
    while (grant != WS_NONE && fleet->grants[grant].holder != holder) {
        grant = fleet->grants[grant].node_next;
    }
    return grant;
}

/* A new, empty grant: first of its node, last of its holder. */
int32_t ws_grant_link(ws_fleet *fleet, size_t holder, int32_t node)
{
    ws_node *bearer = &fleet->nodes[node];
    ws_holder *owner = ws_fleet_holder(fleet, holder);
    int32_t grant = fleet->grant_free;

    WS_DEBUG_ASSERT(ws_grant_find(fleet, holder, node) == WS_NONE);
    if (grant != WS_NONE) {
        fleet->grant_free = fleet->grants[grant].holder_next;
    } else {
        WS_ASSERT(fleet->grant_used < fleet->grant_capacity);
        grant = fleet->grant_used;
        fleet->grant_used++;
    }
    fleet->grants[grant] = (ws_grant){.holder = holder,
                                      .node = node,
                                      .node_next = bearer->grant_first,
                                      .node_previous = WS_NONE,
                                      .holder_next = WS_NONE,
                                      .holder_previous = owner->grant_last};
    if (bearer->grant_first != WS_NONE) {
        fleet->grants[bearer->grant_first].node_previous = grant;
    }
    bearer->grant_first = grant;
    if (owner->grant_last != WS_NONE) {
        fleet->grants[owner->grant_last].holder_next = grant;
    } else {
        owner->grant_first = grant;
    }
    owner->grant_last = grant;
    owner->node_count++;
    *grant_pool_nodes(fleet, holder, bearer->pool) += 1;
    return grant;
}

/* Takes an empty grant out of both its lists and gives its record back. */
static void grant_unlink(ws_fleet *fleet, int32_t grant)
{
    ws_grant *gone = &fleet->grants[grant];
    ws_node *bearer = &fleet->nodes[gone->node];
    ws_holder *owner = ws_fleet_holder(fleet, gone->holder);

    WS_ASSERT(gone->gpus == 0);
    if (gone->node_previous != WS_NONE) {
        fleet->grants[gone->node_previous].node_next = gone->node_next;
    } else {
        bearer->grant_first = gone->node_next;
    }
    if (gone->node_next != WS_NONE) {
        fleet->grants[gone->node_next].node_previous = gone->node_previous;
    }
    if (gone->holder_previous != WS_NONE) {
        fleet->grants[gone->holder_previous].holder_next = gone->holder_next;
    } else {
        owner->grant_first = gone->holder_next;
    }
    if (gone->holder_next != WS_NONE) {
        fleet->grants[gone->holder_next].holder_previous = gone->holder_previous;
    } else {
        owner->grant_last = gone->holder_previous;
    }
    owner->node_count--;
    *grant_pool_nodes(fleet, gone->holder, bearer->pool) -= 1;
    gone->holder_next = fleet->grant_free;
    fleet->grant_free = grant;
}

/* An hour of some GPUs of a node; the product may pass 64 bits. */
static int64_t grant_price(ws_price node_price, int32_t gpus_per_node, int32_t gpus)
{
    WS_ASSERT(gpus >= 0);
    WS_ASSERT(gpus <= gpus_per_node);
    return (int64_t)((ws_i128)node_price.nano_per_h * gpus / gpus_per_node);
}

/* Adds GPUs to a grant, or takes them away, and books them. A grant without any is gone. */
void ws_grant_resize(ws_fleet *fleet, int32_t grant, int32_t gpus)
{
    ws_grant *resized = &fleet->grants[grant];
    ws_node *bearer = &fleet->nodes[resized->node];
    ws_holder *owner = ws_fleet_holder(fleet, resized->holder);
    ws_price node_price = fleet->pools[bearer->pool].price;
    int32_t all = fleet->pools[bearer->pool].spec->gpus_per_node;
    int64_t price = grant_price(node_price, all, resized->gpus + gpus) -
                    grant_price(node_price, all, resized->gpus);

    WS_ASSERT(resized->gpus + gpus >= 0);
    WS_ASSERT(gpus <= bearer->gpus_free);
    WS_ASSERT(bearer->state == WS_NODE_READY);

    ws_node_change change = ws_roster_open_change(fleet, resized->node);
    bearer->gpus_free -= gpus;
    bearer->held_price.nano_per_h += price;
    ws_roster_close_change(fleet, change);
    resized->gpus += gpus;
    owner->gpus += gpus;
    owner->gpus_draining += bearer->is_draining ? gpus : 0;
    ws_ledger_hold(fleet->ledger, resized->holder, gpus, (ws_price){.nano_per_h = price},
                   ws_kernel_now(fleet->kernel));
    if (resized->gpus == 0) {
        grant_unlink(fleet, grant);
    }
}

ws_price ws_grant_reprice(ws_fleet *fleet, int32_t node, ws_price node_price)
{
    const ws_pool *pool = ws_fleet_pool_of(fleet, node);
    int32_t all = pool->spec->gpus_per_node;
    ws_price sum = {.nano_per_h = 0};

    for (int32_t i = fleet->nodes[node].grant_first; i != WS_NONE; i = fleet->grants[i].node_next) {
        const ws_grant *grant = &fleet->grants[i];
        int64_t before = grant_price(pool->price, all, grant->gpus);
        int64_t after = grant_price(node_price, all, grant->gpus);

        ws_ledger_hold(fleet->ledger, grant->holder, 0, (ws_price){.nano_per_h = after - before},
                       ws_kernel_now(fleet->kernel));
        sum.nano_per_h += after;
    }
    return sum;
}

size_t ws_grant_lose_node(ws_fleet *fleet, int32_t node)
{
    size_t count = 0;

    while (fleet->nodes[node].grant_first != WS_NONE) {
        int32_t grant = fleet->nodes[node].grant_first;
        size_t holder = fleet->grants[grant].holder;
        size_t at = count;

        WS_ASSERT(fleet->grants[grant].gpus > 0);
        while (at > 0 && fleet->lost_holders[at - 1] > holder) {
            fleet->lost_holders[at] = fleet->lost_holders[at - 1];
            at--;
        }
        fleet->lost_holders[at] = holder;
        count++;
        ws_grant_resize(fleet, grant, -fleet->grants[grant].gpus);
    }
    return count;
}

void ws_grant_note_draining(ws_fleet *fleet, int32_t node, bool is_draining)
{
    int32_t grant = fleet->nodes[node].grant_first;

    while (grant != WS_NONE) {
        const ws_grant *held = &fleet->grants[grant];

        ws_holder *owner = ws_fleet_holder(fleet, held->holder);

        owner->gpus_draining += is_draining ? held->gpus : -held->gpus;
        WS_ASSERT(owner->gpus_draining >= 0);
        WS_ASSERT(owner->gpus_draining <= owner->gpus);
        grant = held->node_next;
    }
}

/* --- what a holder has --- */

int64_t ws_fleet_held(const ws_fleet *fleet, size_t holder)
{
    return ws_fleet_holder(fleet, holder)->gpus;
}

int64_t ws_fleet_held_draining(const ws_fleet *fleet, size_t holder)
{
    return ws_fleet_holder(fleet, holder)->gpus_draining;
}

int64_t ws_fleet_held_staying(const ws_fleet *fleet, size_t holder, uint64_t pools)
{
    int32_t grant = ws_fleet_holder(fleet, holder)->grant_first;
    int64_t gpus = 0;

    while (grant != WS_NONE) {
        const ws_node *node = &fleet->nodes[fleet->grants[grant].node];
        bool counts = !node->is_draining && (pools >> node->pool & 1) != 0;

        gpus += counts ? fleet->grants[grant].gpus : 0;
        grant = fleet->grants[grant].holder_next;
    }
    return gpus;
}

int32_t ws_fleet_nodes_of(const ws_fleet *fleet, size_t holder)
{
    return ws_fleet_holder(fleet, holder)->node_count;
}

uint64_t ws_fleet_pools_of(const ws_fleet *fleet, size_t holder)
{
    uint64_t pools = 0;

    for (size_t i = 0; i < fleet->options.pool_count; i++) {
        if (*grant_pool_nodes(fleet, holder, (int32_t)i) > 0) {
            pools |= UINT64_C(1) << i;
        }
    }
    return pools;
}

size_t ws_fleet_list_nodes(const ws_fleet *fleet, size_t holder, ws_node_id *nodes, int32_t *gpus,
                           size_t capacity)
{
    int32_t grant = ws_fleet_holder(fleet, holder)->grant_first;
    size_t count = 0;

    WS_ASSERT(capacity == 0 || (nodes != NULL && gpus != NULL));
    while (grant != WS_NONE) {
        if (count < capacity) {
            nodes[count] = (ws_node_id){.index = fleet->grants[grant].node};
            gpus[count] = fleet->grants[grant].gpus;
        }
        count++;
        grant = fleet->grants[grant].holder_next;
    }
    return count;
}
