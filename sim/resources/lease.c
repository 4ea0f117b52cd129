/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Billing. A lease runs from the moment that a provider says yes until the node is released (or, if
 * repairs are not paid, until it fails). It is priced once, when it ends: price x billed time,
 * where billed time is the elapsed time rounded up to the increment, or the minimum. The price may
 * change meanwhile: a pool keeps what a node costs since time 0, so that a lease is a difference.
 * What is billed beyond the elapsed time goes to the pool's idle owner then.
 *
 * Of open leases only their number and the sum of their beginnings are kept, so that the billed
 * time is O(1): GPUs x (leases x now - sum of beginnings).
 */
#include "fleet_private.h"

/* max(minimum, elapsed rounded up to the increment). */
static ws_duration lease_billed_span(const ws_pool_spec *spec, ws_duration elapsed)
{
    int64_t increment_ns = spec->billing_increment.ns;
    int64_t increments = elapsed.ns / increment_ns + (elapsed.ns % increment_ns != 0);
    int64_t billed_ns = 0;

    WS_ASSERT(increment_ns > 0);
    WS_ASSERT(elapsed.ns >= 0);
    bool overflows = __builtin_mul_overflow(increments, increment_ns, &billed_ns);
    WS_ASSERT(!overflows);
    if (billed_ns < spec->billing_minimum.ns) {
        billed_ns = spec->billing_minimum.ns;
    }
    return (ws_duration){.ns = billed_ns};
}

/* --- prices --- */

/* What a node costs from time 0 until `when`, which is now or later. Steps that are due and have
 * not come count: what comes first at one instant makes no difference. */
static ws_cost_integral lease_cost_until(const ws_pool *pool, ws_time when)
{
    ws_cost_integral cost = pool->price_cost;
    ws_time since = pool->price_since;
    ws_price price = pool->price;

    for (size_t i = pool->price_next; i < pool->spec->price_step_count; i++) {
        const ws_price_step *step = &pool->spec->price_steps[i];

        if (step->at.ns >= when.ns) {
            break;
        }
        cost =
            ws_cost_integral_add(cost, ws_cost_integral_of(price, ws_time_since(step->at, since)));
        since = step->at;
        price = step->node_price;
    }
    return ws_cost_integral_add(cost, ws_cost_integral_of(price, ws_time_since(when, since)));
}

/* What a lease costs until `when`. */
static ws_cost_integral lease_cost(const ws_pool *pool, const ws_node *leased, ws_time when)
{
    ws_cost_integral cost = lease_cost_until(pool, when);

    WS_ASSERT(cost.nano_ns_per_h >= leased->lease_begin_cost.nano_ns_per_h);
    cost.nano_ns_per_h -= leased->lease_begin_cost.nano_ns_per_h;
    return cost;
}

/* The price of a pool changes: what holders and the pool's own owners hold is worth something else
 * from now on. */
static void lease_reprice(ws_fleet *fleet, int32_t pool_index, ws_price price)
{
    ws_pool *pool = &fleet->pools[pool_index];
    ws_time now = ws_kernel_now(fleet->kernel);
    ws_price idle = {.nano_per_h = 0}; /* more than before */
    ws_price starting = {.nano_per_h = 0};

    for (int32_t i = pool->node_first; i < pool->node_first + pool->spec->nodes_max; i++) {
        ws_node *node = &fleet->nodes[i];

        if (!node->has_lease) {
            continue;
        }
        ws_price held = ws_grant_reprice(fleet, i, price);
        int64_t more = price.nano_per_h - held.nano_per_h -
                       (pool->price.nano_per_h - node->held_price.nano_per_h);
        ws_price *owner = node->state == WS_NODE_STARTING ? &starting : &idle;

        owner->nano_per_h += more;
        node->held_price = held;
    }
    pool->price_cost = lease_cost_until(pool, now);
    pool->price_since = now;
    pool->price = price;
    ws_ledger_hold(fleet->ledger, ws_fleet_idle_owner(pool_index), 0, idle, now);
    ws_ledger_hold(fleet->ledger, ws_fleet_starting_owner(pool_index), 0, starting, now);
}

static void lease_on_price(void *context, uint64_t argument);

/* At an instant the price changes first or last: a span of no length costs nothing. */
static void lease_await_price(ws_fleet *fleet, int32_t pool_index)
{
    const ws_pool *pool = &fleet->pools[pool_index];

    if (pool->price_next < pool->spec->price_step_count) {
        (void)ws_kernel_at(fleet->kernel, pool->spec->price_steps[pool->price_next].at,
                           &(ws_event){.action = lease_on_price,
                                       .context = fleet,
                                       .argument = (uint64_t)pool_index,
                                       .phase = WS_PHASE_ENDS});
    }
}

static void lease_on_price(void *context, uint64_t argument)
{
    ws_fleet *fleet = context;
    ws_pool *pool = &fleet->pools[argument];

    WS_ASSERT(pool->price_next < pool->spec->price_step_count);
    lease_reprice(fleet, (int32_t)argument, pool->spec->price_steps[pool->price_next].node_price);
    pool->price_next++;
    lease_await_price(fleet, (int32_t)argument);
}

void ws_lease_begin_prices(ws_fleet *fleet, int32_t pool_index)
{
    WS_ASSERT(fleet->pools[pool_index].price_next == 0);
    lease_await_price(fleet, pool_index);
}

/* --- leases --- */

void ws_lease_begin(ws_fleet *fleet, int32_t node)
{
    ws_node *leased = &fleet->nodes[node];

    WS_ASSERT(!leased->has_lease);
    leased->has_lease = true;
    leased->lease_begin = ws_kernel_now(fleet->kernel);
    leased->lease_begin_cost = lease_cost_until(ws_fleet_pool_of(fleet, node), leased->lease_begin);
}

void ws_lease_end(ws_fleet *fleet, int32_t node)
{
    ws_node *leased = &fleet->nodes[node];
    ws_pool *pool = ws_fleet_pool_of(fleet, node);
    const ws_pool_spec *spec = pool->spec;

    WS_ASSERT(leased->has_lease);
    WS_ASSERT(leased->gpus_free == spec->gpus_per_node);

    ws_time now = ws_kernel_now(fleet->kernel);
    ws_duration elapsed = ws_time_since(now, leased->lease_begin);
    ws_duration billed = lease_billed_span(spec, elapsed);
    ws_duration beyond = {.ns = billed.ns - elapsed.ns};
    WS_ASSERT(beyond.ns >= 0);
    ws_cost_integral cost = lease_cost(pool, leased, ws_time_add(leased->lease_begin, billed));

    leased->has_lease = false;
    pool->cost = ws_money_add(pool->cost, ws_money_of_cost(cost));
    pool->elapsed_cost = ws_cost_integral_add(pool->elapsed_cost, lease_cost(pool, leased, now));
    pool->billed = ws_gpu_time_add(pool->billed, ws_gpu_time_of(spec->gpus_per_node, billed));
    ws_ledger_add(fleet->ledger, ws_fleet_idle_owner(leased->pool), WS_ACCOUNT_IDLE,
                  ws_gpu_time_of(spec->gpus_per_node, beyond));
}

void ws_lease_end_wait(ws_fleet *fleet, int32_t node)
{
    const ws_node *waiting = &fleet->nodes[node];
    ws_pool *pool = ws_fleet_pool_of(fleet, node);

    if (ws_node_is_waiting(waiting)) {
        ws_duration waited = ws_time_since(ws_kernel_now(fleet->kernel), waiting->since);
        pool->unbilled =
            ws_gpu_time_add(pool->unbilled, ws_gpu_time_of(pool->spec->gpus_per_node, waited));
    }
}

/* GPU-time of `count` spans that are open and began at times of the given sum. */
static ws_gpu_time lease_open_time(const ws_fleet *fleet, const ws_pool *pool, int64_t count,
                                   ws_i128 begin_ns)
{
    ws_i128 span_ns = (ws_i128)count * ws_kernel_now(fleet->kernel).ns - begin_ns;

    WS_ASSERT(count >= 0);
    WS_ASSERT(span_ns >= 0);
    return (ws_gpu_time){.gpu_ns = span_ns * pool->spec->gpus_per_node};
}

ws_gpu_time ws_lease_billed(const ws_fleet *fleet, const ws_pool *pool)
{
    WS_ASSERT(pool != NULL);
    return ws_gpu_time_add(pool->billed,
                           lease_open_time(fleet, pool, pool->leases, pool->lease_begin_ns));
}

ws_gpu_time ws_fleet_billed(const ws_fleet *fleet)
{
    WS_ASSERT(fleet != NULL);

    ws_gpu_time sum = {.gpu_ns = 0};

    for (size_t i = 0; i < fleet->options.pool_count; i++) {
        sum = ws_gpu_time_add(sum, ws_lease_billed(fleet, &fleet->pools[i]));
    }
    return sum;
}

ws_gpu_time ws_fleet_unbilled(const ws_fleet *fleet)
{
    WS_ASSERT(fleet != NULL);

    ws_gpu_time sum = {.gpu_ns = 0};

    for (size_t i = 0; i < fleet->options.pool_count; i++) {
        const ws_pool *pool = &fleet->pools[i];

        sum = ws_gpu_time_add(sum, pool->unbilled);
        sum = ws_gpu_time_add(sum, lease_open_time(fleet, pool, pool->waits, pool->wait_begin_ns));
    }
    return sum;
}

/* Each open lease is rounded by itself, as it will be when it ends: so a cost never falls. Nodes
 * that began together are priced once. */
ws_money ws_fleet_cost(const ws_fleet *fleet, size_t pool)
{
    WS_ASSERT(pool < fleet->options.pool_count);

    const ws_pool *of = &fleet->pools[pool];
    ws_time now = ws_kernel_now(fleet->kernel);
    ws_time priced = WS_TIME_NEVER;
    ws_money each = {.nano = 0};
    ws_money sum = of->cost;

    for (int32_t i = of->node_first; i < of->node_first + of->spec->nodes_max; i++) {
        const ws_node *node = &fleet->nodes[i];

        if (!node->has_lease) {
            continue;
        }
        if (node->lease_begin.ns != priced.ns) {
            priced = node->lease_begin;
            each = ws_money_of_cost(lease_cost(of, node, now));
        }
        sum = ws_money_add(sum, each);
    }
    return sum;
}
