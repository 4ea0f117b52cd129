/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Two levels of rings: the ranks of a node reduce-scatter, then ranks of the same number on all
 * nodes all-reduce their shards, then the node all-gathers. The phases are taken one after the
 * other; with chunks that overlap, the time is between the longest of them and this sum.
 *
 * Source: M. Cho, U. Finkler, D. Kung, H. Hunter, "BlueConnect", MLSys 2019, for the decomposition;
 * the rings are those of collective_ring.c.
 */
#include "collective_links.h"

/** One round of the rings within the nodes. */
static double hierarchical_inside_s(const ws_network *network, double bytes, const ws_group *group)
{
    double g = (double)group->ranks / group->nodes;

    return (group->ranks_per_node - 1) * network->intra_node.latency_s +
           (g - 1) / g * bytes / network->intra_node.bytes_per_s;
}

/** One round of the rings between the nodes, each of a shard. */
static double hierarchical_between_s(const ws_network *network, double bytes, const ws_group *group)
{
    double g = (double)group->ranks / group->nodes;
    double k = group->nodes;

    if (group->nodes == 1) {
        return 0;
    }
    double rate = ws_links_shard_bytes_per_s(network, group);
    return (k - 1) * network->inter_node.latency_s + (k - 1) / k * (bytes / g) / rate;
}

static double hierarchical_round_s(const ws_network *network, double bytes, const ws_group *group)
{
    return hierarchical_inside_s(network, bytes, group) +
           hierarchical_between_s(network, bytes, group);
}

static double hierarchical_reduction_s(const ws_network *network, double bytes,
                                       const ws_group *group)
{
    return (double)(group->ranks - 1) / group->ranks * bytes * network->reduce_s_per_byte;
}

static double hierarchical_all_reduce(const ws_network *network, double bytes,
                                      const ws_group *group)
{
    return 2 * hierarchical_round_s(network, bytes, group) +
           hierarchical_reduction_s(network, bytes, group);
}

static double hierarchical_reduce_scatter(const ws_network *network, double bytes,
                                          const ws_group *group)
{
    return hierarchical_round_s(network, bytes, group) +
           hierarchical_reduction_s(network, bytes, group);
}

/** A chain of one rank on each node, then chains within the nodes. */
static double hierarchical_broadcast(const ws_network *network, double bytes, const ws_group *group)
{
    double time_s = 0;

    if (group->nodes > 1) {
        ws_link link = {.latency_s = network->inter_node.latency_s,
                        .bytes_per_s = ws_links_one_rank_bytes_per_s(network, group)};
        time_s += ws_links_pipelined_s(group->nodes - 1, &link, bytes);
    }
    if (group->ranks_per_node > 1) {
        time_s += ws_links_pipelined_s(group->ranks_per_node - 1, &network->intra_node, bytes);
    }
    return time_s;
}

/** The ranks of a node exchange what goes to the same number elsewhere, then send it in one piece
 * to each node. */
static double hierarchical_all_to_all(const ws_network *network, double bytes,
                                      const ws_group *group)
{
    double k = group->nodes;
    double inside_s = hierarchical_inside_s(network, bytes, group);

    if (group->nodes == 1) {
        return inside_s;
    }
    return inside_s + (k - 1) * network->inter_node.latency_s +
           (k - 1) / k * bytes / ws_links_exchange_bytes_per_s(network, group);
}

const ws_collective_type ws_collective_hierarchical = {
    .name = "hierarchical",
    .summary = "within the nodes, between them, and within them again",
    .seconds = {[WS_ALL_REDUCE] = hierarchical_all_reduce,
                [WS_REDUCE_SCATTER] = hierarchical_reduce_scatter,
                [WS_ALL_GATHER] = hierarchical_round_s,
                [WS_BROADCAST] = hierarchical_broadcast,
                [WS_ALL_TO_ALL] = hierarchical_all_to_all},
};
