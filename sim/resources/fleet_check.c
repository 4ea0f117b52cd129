/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Whether the fleet is in order: everything that is kept is summed anew from the nodes, the leases
 * and the grants, each from one side only, and compared with what the other side says.
 */
#include "fleet_private.h"

/* What walking the nodes of one pool finds. */
typedef struct {
    ws_pool_counts counts;
    int64_t gpus_idle;     /* that the idle owner should hold */
    int64_t gpus_starting; /* that the starting owner should hold */
    int64_t grants;
    ws_gpu_time open;  /* of open leases */
    ws_gpu_time waits; /* of waits for which nothing is paid */
    ws_cost_integral open_cost;
} check_pool;

/* GPUs and price of the grants of a node. False when a grant is empty, or its holder is none. */
static bool check_grants(const ws_fleet *fleet, int32_t node, check_pool *found, int64_t *gpus)
{
    int32_t grant = fleet->nodes[node].grant_first;

    *gpus = 0;
    while (grant != WS_NONE) {
        const ws_grant *held = &fleet->grants[grant];

        if (held->gpus <= 0 || held->node != node || !ws_fleet_is_holder(fleet, held->holder)) {
            return false;
        }
        *gpus += held->gpus;
        found->grants++;
        grant = held->node_next;
    }
    return true;
}

static bool check_flags(const ws_node *node)
{
    bool pays = node->state == WS_NODE_STARTING || node->state == WS_NODE_READY;
    bool may_pay = pays || node->state == WS_NODE_BROKEN;
    bool may_drain = node->state == WS_NODE_READY || node->state == WS_NODE_BROKEN;

    return (node->has_lease || !pays) && (!node->has_lease || may_pay) &&
           (!node->is_draining || may_drain);
}

static void check_count(check_pool *found, const ws_node *node, int32_t gpus)
{
    found->counts.requested += node->state == WS_NODE_REQUESTED;
    found->counts.starting += node->state == WS_NODE_STARTING;
    found->counts.ready += node->state == WS_NODE_READY;
    found->counts.broken += node->state == WS_NODE_BROKEN;
    found->counts.draining += node->is_draining;
    if (node->state == WS_NODE_READY && !node->is_draining) {
        found->counts.gpus_free += node->gpus_free;
    }
    if (!node->has_lease) {
        return;
    }
    found->counts.gpus_paid += gpus;
    if (node->state == WS_NODE_STARTING) {
        found->gpus_starting += gpus;
    } else {
        found->gpus_idle += node->gpus_free;
    }
}

/* Price x time of a node, from the segments of the pool's price alone. */
static ws_cost_integral check_cost(const ws_pool_spec *spec, ws_time from, ws_time to)
{
    ws_cost_integral cost = {.nano_ns_per_h = 0};
    ws_price price = spec->node_price;

    for (size_t i = 0; i < spec->price_step_count && spec->price_steps[i].at.ns < to.ns; i++) {
        ws_time at = spec->price_steps[i].at;

        if (at.ns > from.ns) {
            cost = ws_cost_integral_add(cost, ws_cost_integral_of(price, ws_time_since(at, from)));
            from = at;
        }
        price = spec->price_steps[i].node_price;
    }
    return ws_cost_integral_add(cost, ws_cost_integral_of(price, ws_time_since(to, from)));
}

static void check_time(const ws_fleet *fleet, check_pool *found, const ws_node *node)
{
    const ws_pool_spec *spec = fleet->pools[node->pool].spec;
    ws_time now = ws_kernel_now(fleet->kernel);

    if (node->has_lease) {
        ws_duration elapsed = ws_time_since(now, node->lease_begin);

        found->open = ws_gpu_time_add(found->open, ws_gpu_time_of(spec->gpus_per_node, elapsed));
        found->open_cost =
            ws_cost_integral_add(found->open_cost, check_cost(spec, node->lease_begin, now));
    } else if (node->state != WS_NODE_ABSENT) {
        ws_duration waited = ws_time_since(now, node->since);

        found->waits = ws_gpu_time_add(found->waits, ws_gpu_time_of(spec->gpus_per_node, waited));
    }
}

static bool check_node(const ws_fleet *fleet, const ws_pool *pool, int32_t index, check_pool *found)
{
    const ws_node *node = &fleet->nodes[index];
    const ws_index_set *class_set = &pool->classes[ws_roster_class(pool, node)];
    int32_t gpus = pool->spec->gpus_per_node;
    int64_t held = 0;

    if (!check_grants(fleet, index, found, &held) || held + node->gpus_free != gpus ||
        (held > 0 && node->state != WS_NODE_READY) || !check_flags(node) ||
        !ws_index_set_has(class_set, (size_t)(index - pool->node_first))) {
        return false;
    }
    found->counts.gpus_held += held;
    check_count(found, node, gpus);
    check_time(fleet, found, node);
    return true;
}

static bool check_counts_agree(const ws_pool_counts *kept, const ws_pool_counts *found)
{
    return kept->requested == found->requested && kept->starting == found->starting &&
           kept->ready == found->ready && kept->broken == found->broken &&
           kept->draining == found->draining && kept->gpus_free == found->gpus_free &&
           kept->gpus_held == found->gpus_held && kept->gpus_paid == found->gpus_paid;
}

/* Each node was found in the set of its class; so when the sets have as many, they hold no other.
 */
static bool check_classes(const ws_pool *pool)
{
    int32_t classes = ws_class_of_other(pool, WS_CLASS_OTHERS);
    size_t members = 0;

    for (int32_t i = 0; i < classes; i++) {
        members += pool->classes[i].count;
        if ((pool->classes[i].count > 0) != ws_index_set_has(&pool->occupied, (size_t)i)) {
            return false;
        }
    }
    return members == (size_t)pool->spec->nodes_max;
}

static bool check_one_pool(const ws_fleet *fleet, int32_t index, check_pool *found)
{
    const ws_pool *pool = &fleet->pools[index];
    const ws_pool_counts *counts = &pool->counts;

    for (int32_t slot = 0; slot < pool->spec->nodes_max; slot++) {
        if (!check_node(fleet, pool, pool->node_first + slot, found)) {
            return false;
        }
    }
    return check_classes(pool) && check_counts_agree(counts, &found->counts) &&
           counts->wanted >= 0 && counts->wanted <= pool->spec->nodes_max &&
           ws_ledger_gpus(fleet->ledger, ws_fleet_idle_owner(index)) == found->gpus_idle &&
           ws_ledger_gpus(fleet->ledger, ws_fleet_starting_owner(index)) == found->gpus_starting;
}

/* The holder's own list against its sums; returns its number of grants, or WS_NONE when they
 * differ. */
static int64_t check_holder(const ws_fleet *fleet, size_t holder)
{
    const ws_holder *kept = ws_fleet_holder(fleet, holder);
    size_t pools = fleet->options.pool_count;
    const int32_t *kept_nodes =
        &fleet->holder_pool_nodes[(holder - ws_fleet_first_job_owner(fleet)) * pools];
    int32_t nodes[WS_POOLS_MAX] = {0};
    int64_t gpus = 0;
    int64_t draining = 0;
    int32_t count = 0;

    for (int32_t i = kept->grant_first; i != WS_NONE; i = fleet->grants[i].holder_next) {
        const ws_grant *grant = &fleet->grants[i];
        const ws_node *node = &fleet->nodes[grant->node];

        if (grant->holder != holder || ws_grant_find(fleet, holder, grant->node) != i) {
            return WS_NONE;
        }
        gpus += grant->gpus;
        draining += node->is_draining ? grant->gpus : 0;
        nodes[node->pool]++;
        count++;
    }
    for (size_t i = 0; i < pools; i++) {
        if (nodes[i] != kept_nodes[i]) {
            return WS_NONE;
        }
    }
    bool agrees = gpus == kept->gpus && draining == kept->gpus_draining &&
                  count == kept->node_count && gpus == ws_ledger_gpus(fleet->ledger, holder);
    return agrees ? count : WS_NONE;
}

static bool check_holders(const ws_fleet *fleet, int64_t grants)
{
    size_t first = ws_fleet_first_job_owner(fleet);
    int64_t of_holders = 0;

    for (size_t i = 0; i < fleet->options.job_owner_count; i++) {
        int64_t count = check_holder(fleet, first + i);
        if (count == WS_NONE) {
            return false;
        }
        of_holders += count;
    }
    return of_holders == grants;
}

/* The ledger against the leases, in GPU-time and in price x time. */
static bool check_ledger(const ws_fleet *fleet, ws_gpu_time billed, ws_cost_integral cost)
{
    ws_time now = ws_kernel_now(fleet->kernel);
    ws_accounts total = ws_ledger_total(fleet->ledger, now);
    size_t owners = ws_fleet_first_job_owner(fleet) + fleet->options.job_owner_count;
    ws_cost_integral booked = {.nano_ns_per_h = 0};

    for (size_t i = 0; i < owners; i++) {
        booked = ws_cost_integral_add(booked, ws_ledger_cost(fleet->ledger, i, now));
    }
    return ws_accounts_sum(&total).gpu_ns == billed.gpu_ns &&
           ws_fleet_billed(fleet).gpu_ns == billed.gpu_ns &&
           booked.nano_ns_per_h == cost.nano_ns_per_h;
}

bool ws_fleet_is_balanced(const ws_fleet *fleet)
{
    WS_ASSERT(fleet != NULL);

    ws_gpu_time billed = {.gpu_ns = 0};
    ws_gpu_time unbilled = {.gpu_ns = 0};
    ws_cost_integral cost = {.nano_ns_per_h = 0};
    int64_t grants = 0;

    for (size_t i = 0; i < fleet->options.pool_count; i++) {
        const ws_pool *pool = &fleet->pools[i];
        check_pool found = {.grants = 0};

        if (!check_one_pool(fleet, (int32_t)i, &found)) {
            return false;
        }
        billed = ws_gpu_time_add(ws_gpu_time_add(billed, pool->billed), found.open);
        unbilled = ws_gpu_time_add(ws_gpu_time_add(unbilled, pool->unbilled), found.waits);
        cost =
            ws_cost_integral_add(ws_cost_integral_add(cost, pool->elapsed_cost), found.open_cost);
        grants += found.grants;
    }
    return check_holders(fleet, grants) && check_ledger(fleet, billed, cost) &&
           ws_fleet_unbilled(fleet).gpu_ns == unbilled.gpu_ns;
}
