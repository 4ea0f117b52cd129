/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rings. The ranks of a node are neighbours, so that of n - 1 hops k - 1 go from node to node.
 *
 * Sources: R. Thakur, R. Rabenseifner, W. Gropp, IJHPCA 19 (2005) for the terms of all-reduce,
 * reduce-scatter, all-gather and the pairwise exchange; E. Chan et al., Concurrency and Computation
 * 19 (2007) for the pipelined chain. That the latency splits into hops within and between nodes is
 * NCCL's (src/graph/tuning.cc).
 */
#include <math.h>

#include "collective_links.h"
#include "ws/assert.h"

/** Start-up times of one round of the ring: n - 1 hops. */
static double ring_hops_s(const ws_network *network, const ws_group *group)
{
    return (double)(group->ranks - group->nodes) * network->intra_node.latency_s +
           (double)(group->nodes - 1) * network->inter_node.latency_s;
}

/** (n - 1)/n of the bytes past each link. */
static double ring_round_s(const ws_network *network, double bytes, const ws_group *group)
{
    double n = group->ranks;

    return ring_hops_s(network, group) +
           (n - 1) / n * bytes / ws_links_chain_bytes_per_s(network, group);
}

/** Adding what came to what is there: (n - 1)/n of the bytes. */
static double ring_reduction_s(const ws_network *network, double bytes, const ws_group *group)
{
    return (double)(group->ranks - 1) / group->ranks * bytes * network->reduce_s_per_byte;
}

static double ring_all_reduce(const ws_network *network, double bytes, const ws_group *group)
{
    return 2 * ring_round_s(network, bytes, group) + ring_reduction_s(network, bytes, group);
}

static double ring_reduce_scatter(const ws_network *network, double bytes, const ws_group *group)
{
    return ring_round_s(network, bytes, group) + ring_reduction_s(network, bytes, group);
}

/** A chain, pipelined: at the pace of its slowest hop. */
static double ring_broadcast(const ws_network *network, double bytes, const ws_group *group)
{
    ws_link slowest = {.latency_s = ws_links_latency_s(network, group),
                       .bytes_per_s = ws_links_chain_bytes_per_s(network, group)};
    double hops = group->ranks - 1;

    return ws_links_pipelined_s(hops, &slowest, bytes) - hops * slowest.latency_s +
           ring_hops_s(network, group);
}

/** Pairwise exchange: in n - 1 steps each rank meets each other one and gives it bytes/n; those of
 * its own node come first. */
static double ring_all_to_all(const ws_network *network, double bytes, const ws_group *group)
{
    double n = group->ranks;
    double on_node = n / group->nodes;
    double inside_s = (group->ranks_per_node - 1) * network->intra_node.latency_s +
                      (on_node - 1) / n * bytes / network->intra_node.bytes_per_s;

    if (group->nodes == 1) {
        return inside_s;
    }
    return inside_s + (n - group->ranks_per_node) * network->inter_node.latency_s +
           (n - on_node) / n * bytes / ws_links_exchange_bytes_per_s(network, group);
}

/** One NIC, or its share of one. */
static double ring_send_recv(const ws_network *network, double bytes, const ws_group *group)
{
    ws_link link = network->intra_node;

    if (group->nodes > 1) {
        link.latency_s = network->inter_node.latency_s;
        link.bytes_per_s = ws_links_one_rank_bytes_per_s(network, group);
    }
    return link.latency_s + bytes / link.bytes_per_s;
}

const ws_collective_type ws_collective_ring = {
    .name = "ring",
    .summary = "each rank sends to the next: full bandwidth, latency in proportion to the ranks",
    .seconds = {[WS_ALL_REDUCE] = ring_all_reduce,
                [WS_REDUCE_SCATTER] = ring_reduce_scatter,
                [WS_ALL_GATHER] = ring_round_s,
                [WS_BROADCAST] = ring_broadcast,
                [WS_ALL_TO_ALL] = ring_all_to_all,
                [WS_SEND_RECV] = ring_send_recv},
};
