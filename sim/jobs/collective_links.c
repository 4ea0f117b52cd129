/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "collective_links.h"

#include <math.h>

#include "ws/assert.h"

/** Ranks of the group on a node, on average. */
static double links_ranks_on_node(const ws_group *group)
{
    return (double)group->ranks / group->nodes;
}

/** NICs of a node that the group and the like groups beside it use. */
static double links_nics_used(const ws_network *network, const ws_group *group)
{
    double gpus = links_ranks_on_node(group) * group->groups_per_node;

    return network->inter_per_gpu ? gpus : fmin(fmax(network->nics, 1), gpus);
}

double ws_group_way_out_bytes_per_s(const ws_network *network, const ws_group *group)
{
    WS_ASSERT(group->nodes >= 1);
    WS_ASSERT(group->ranks >= group->nodes);
    WS_ASSERT(group->groups_per_node >= 1);
    WS_ASSERT(group->fabric_share > 0);
    WS_ASSERT(group->fabric_share <= 1);
    WS_ASSERT(network->inter_node.bytes_per_s > 0);
    return network->inter_node.bytes_per_s * group->fabric_share * links_nics_used(network, group) /
           group->groups_per_node;
}

double ws_links_slow_down(const ws_network *network, const ws_group *group, const ws_tier *tier,
                          double senders)
{
    const ws_fabric *fabric = &network->fabric;

    if (tier->nodes == 0 || !(senders > 0)) {
        return 1;
    }
    WS_ASSERT(tier->oversubscription >= 1);
    double mean = senders * tier->oversubscription / tier->nodes;
    if (fabric->ecmp_flows == 0) {
        return fmax(1, mean);
    }
    double ports = fmax(links_nics_used(network, group) / fmax(fabric->rails, 1), 1);
    double ways_up = fmax(tier->nodes * ports / tier->oversubscription, 1);
    return fmax(1, mean + sqrt(2 * mean / fabric->ecmp_flows * log(ways_up)));
}

double ws_links_chain_out_bytes_per_s(const ws_network *network, const ws_group *group)
{
    const ws_fabric *fabric = &network->fabric;
    double leaf = ws_links_slow_down(network, group, &fabric->leaf, group->leaves > 1 ? 1 : 0);
    double pod = ws_links_slow_down(network, group, &fabric->pod, group->pods > 1 ? 1 : 0);

    WS_ASSERT(group->nodes > 1);
    return ws_group_way_out_bytes_per_s(network, group) / fmax(leaf, pod);
}

double ws_links_chain_bytes_per_s(const ws_network *network, const ws_group *group)
{
    WS_ASSERT(network->intra_node.bytes_per_s > 0);
    if (group->nodes == 1) {
        return network->intra_node.bytes_per_s;
    }
    return fmin(network->intra_node.bytes_per_s, ws_links_chain_out_bytes_per_s(network, group));
}

double ws_links_shard_bytes_per_s(const ws_network *network, const ws_group *group)
{
    WS_ASSERT(group->nodes > 1);
    return fmin(network->intra_node.bytes_per_s,
                ws_links_chain_out_bytes_per_s(network, group) / links_ranks_on_node(group));
}

double ws_links_one_rank_bytes_per_s(const ws_network *network, const ws_group *group)
{
    WS_ASSERT(group->nodes >= 1);
    WS_ASSERT(group->ranks >= group->nodes);
    return fmin(ws_links_chain_bytes_per_s(network, group),
                network->inter_node.bytes_per_s * group->fabric_share);
}

double ws_links_exchange_bytes_per_s(const ws_network *network, const ws_group *group)
{
    const ws_fabric *fabric = &network->fabric;
    double k = group->nodes;
    double on_leaf = k / group->leaves;
    double on_pod = k / group->pods;
    double out =
        ws_group_way_out_bytes_per_s(network, group) / links_ranks_on_node(group); /* of one rank */

    WS_ASSERT(group->nodes > 1);
    double leaf =
        ws_links_slow_down(network, group, &fabric->leaf, on_leaf * (k - on_leaf) / (k - 1));
    double pod = ws_links_slow_down(network, group, &fabric->pod, on_pod * (k - on_pod) / (k - 1));
    return fmin(network->intra_node.bytes_per_s, out / fmax(leaf, pod));
}

double ws_links_latency_s(const ws_network *network, const ws_group *group)
{
    WS_ASSERT(group->nodes >= 1);
    WS_ASSERT(group->ranks >= group->nodes);
    if (group->nodes == 1) {
        return network->intra_node.latency_s;
    }
    return group->ranks > group->nodes
               ? fmax(network->intra_node.latency_s, network->inter_node.latency_s)
               : network->inter_node.latency_s;
}

double ws_links_pipelined_s(double hops, const ws_link *link, double bytes)
{
    double transfer_s = bytes / link->bytes_per_s;
    double fill_s = (hops - 1) * link->latency_s;

    WS_ASSERT(hops >= 1);
    if ((hops - 1) * transfer_s < link->latency_s) { /* the best piece is longer than all of it */
        return hops * (link->latency_s + transfer_s);
    }
    return fill_s + transfer_s + 2 * sqrt(fill_s * transfer_s);
}
