/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What others may know of the fleet and its nodes. */
#include "fleet_private.h"

static const ws_node *fleet_node(const ws_fleet *fleet, ws_node_id node)
{
    WS_ASSERT(node.index >= 0);
    WS_ASSERT(node.index < fleet->node_count);
    return &fleet->nodes[node.index];
}

ws_ledger *ws_fleet_ledger(ws_fleet *fleet)
{
    WS_ASSERT(fleet != NULL);
    return fleet->ledger;
}

size_t ws_fleet_first_job_owner(const ws_fleet *fleet)
{
    WS_ASSERT(fleet != NULL);
    return 2 * fleet->options.pool_count;
}

ws_node_state ws_fleet_node_state(const ws_fleet *fleet, ws_node_id node)
{
    return fleet_node(fleet, node)->state;
}

bool ws_fleet_node_is_draining(const ws_fleet *fleet, ws_node_id node)
{
    return fleet_node(fleet, node)->is_draining;
}

bool ws_fleet_node_is_closed(const ws_fleet *fleet, ws_node_id node)
{
    return fleet_node(fleet, node)->absences > 0;
}

ws_node_loss ws_fleet_node_loss(const ws_fleet *fleet, ws_node_id node)
{
    return fleet_node(fleet, node)->loss;
}

ws_time ws_fleet_node_since(const ws_fleet *fleet, ws_node_id node)
{
    return fleet_node(fleet, node)->since;
}

size_t ws_fleet_node_pool(const ws_fleet *fleet, ws_node_id node)
{
    return (size_t)fleet_node(fleet, node)->pool;
}

int32_t ws_fleet_node_slot(const ws_fleet *fleet, ws_node_id node)
{
    return node.index - fleet->pools[fleet_node(fleet, node)->pool].node_first;
}

const ws_pool_spec *ws_fleet_pool(const ws_fleet *fleet, size_t pool)
{
    WS_ASSERT(pool < fleet->options.pool_count);
    return fleet->pools[pool].spec;
}

ws_price ws_fleet_node_price(const ws_fleet *fleet, size_t pool)
{
    WS_ASSERT(pool < fleet->options.pool_count);
    return fleet->pools[pool].price;
}

size_t ws_fleet_pool_count(const ws_fleet *fleet)
{
    WS_ASSERT(fleet != NULL);
    return fleet->options.pool_count;
}

ws_pool_counts ws_fleet_pool_counts(const ws_fleet *fleet, size_t pool)
{
    WS_ASSERT(pool < fleet->options.pool_count);
    return fleet->pools[pool].counts;
}

ws_fleet_counts ws_fleet_totals(const ws_fleet *fleet)
{
    WS_ASSERT(fleet->totals.request_failures <= fleet->totals.requests);
    return fleet->totals;
}

double ws_fleet_observed_start_s(const ws_fleet *fleet, size_t pool)
{
    WS_ASSERT(pool < fleet->options.pool_count);

    const ws_pool *seen = &fleet->pools[pool];
    if (seen->starts == 0) {
        return 0;
    }
    return (double)seen->start_ns / 1e9 / (double)seen->starts;
}
