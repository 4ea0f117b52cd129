/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Recursive halving and doubling: with p = 2^l ranks, l steps exchange a half, a quarter, ... of
 * the bytes with partners at growing distance. The nearest come first, so that little is left for
 * the links between nodes, and less for those between leaves; but all nodes send at once, and a
 * leaf's ways up bear all of them. Ranks beyond a power of two hand their bytes to another first.
 *
 * Source: R. Rabenseifner, ICCS 2004; R. Thakur, R. Rabenseifner, W. Gropp, IJHPCA 19 (2005):
 * 2 log2(p) a + 2 (p-1)/p bytes/B + (p-1)/p bytes gamma, and 2 a + 2 bytes/B when ranks are left
 * over.
 */
#include <math.h>

#include "collective_links.h"

/** One way over the ranks of a node. */
static double halving_inside_s(const ws_network *network, double bytes, const ws_group *group)
{
    const ws_link *link = &network->intra_node;
    int32_t steps = ws_links_log2_floor(group->ranks_per_node);
    double p = (double)(INT32_C(1) << steps);
    double time_s = steps * link->latency_s + (p - 1) / p * bytes / link->bytes_per_s;

    if ((INT32_C(1) << steps) < group->ranks_per_node) {
        time_s += link->latency_s + bytes / link->bytes_per_s;
    }
    return time_s;
}

/** The parts of the bytes that stay in a leaf, in a pod, and cross all, each at its rate. */
static double halving_transfer_s(const ws_network *network, const ws_group *group, double p)
{
    double leaf_nodes = fmin((double)group->nodes / group->leaves, p);
    double pod_nodes = fmin((double)group->nodes / group->pods, p);
    double leaf = ws_links_slow_down(network, group, &network->fabric.leaf, leaf_nodes);
    double pod = fmax(leaf, ws_links_slow_down(network, group, &network->fabric.pod, pod_nodes));

    return (1 - 1 / leaf_nodes) + (1 / leaf_nodes - 1 / pod_nodes) * leaf +
           (1 / pod_nodes - 1 / p) * pod;
}

/** One way over the nodes, of what one rank has left. */
static double halving_between_s(const ws_network *network, double bytes, const ws_group *group)
{
    int32_t steps = ws_links_log2_floor(group->nodes);
    double p = (double)(INT32_C(1) << steps);
    double on_node = (double)group->ranks / group->nodes;

    if (group->nodes == 1) {
        return 0;
    }
    double rate = fmin(network->intra_node.bytes_per_s,
                       ws_group_way_out_bytes_per_s(network, group) / on_node);
    double time_s = steps * network->inter_node.latency_s +
                    halving_transfer_s(network, group, p) * bytes / rate;
    if ((INT32_C(1) << steps) < group->nodes) {
        time_s += network->inter_node.latency_s + bytes / rate;
    }
    return time_s;
}

static double halving_one_way_s(const ws_network *network, double bytes, const ws_group *group)
{
    double inside = (double)(INT32_C(1) << ws_links_log2_floor(group->ranks_per_node));

    return halving_inside_s(network, bytes, group) +
           halving_between_s(network, bytes / inside, group);
}

static double halving_reduction_s(const ws_network *network, double bytes, const ws_group *group)
{
    return (double)(group->ranks - 1) / group->ranks * bytes * network->reduce_s_per_byte;
}

static double halving_all_reduce(const ws_network *network, double bytes, const ws_group *group)
{
    return 2 * halving_one_way_s(network, bytes, group) +
           halving_reduction_s(network, bytes, group);
}

static double halving_reduce_scatter(const ws_network *network, double bytes, const ws_group *group)
{
    return halving_one_way_s(network, bytes, group) + halving_reduction_s(network, bytes, group);
}

const ws_collective_type ws_collective_halving_doubling = {
    .name = "halving-doubling",
    .summary = "exchanges with partners at doubling distance: few steps, the full bisection",
    .seconds = {[WS_ALL_REDUCE] = halving_all_reduce,
                [WS_REDUCE_SCATTER] = halving_reduce_scatter,
                [WS_ALL_GATHER] = halving_one_way_s},
};
