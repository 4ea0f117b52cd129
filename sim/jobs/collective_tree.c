/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Double binary trees: each rank is an inner node of one tree and a leaf of the other, and each
 * tree moves half of the bytes, so that the full bandwidth is used at a logarithmic latency. The
 * first levels join the ranks of a node, the others the nodes.
 *
 * Source: P. Sanders, J. Speck, J. L. Träff, "Two-tree algorithms for full bandwidth broadcast,
 * reduction and scan", Parallel Computing 35 (2009): L levels take L a + bytes/B + 2 sqrt(L a
 * bytes/B) one way with pieces of the best size.
 */
#include <math.h>

#include "collective_links.h"

static double tree_one_way_s(const ws_network *network, double bytes, const ws_group *group)
{
    double inside = ws_links_log2_ceil(group->ranks_per_node);
    double between = ws_links_log2_ceil(group->nodes);
    double levels_s =
        inside * network->intra_node.latency_s + between * network->inter_node.latency_s;
    double transfer_s = bytes / ws_links_chain_bytes_per_s(network, group);
    double pace_s = (inside + between) * ws_links_latency_s(network, group);

    return levels_s + transfer_s + 2 * sqrt(pace_s * transfer_s);
}

static double tree_all_reduce(const ws_network *network, double bytes, const ws_group *group)
{
    return 2 * tree_one_way_s(network, bytes, group) + bytes * network->reduce_s_per_byte;
}

const ws_collective_type ws_collective_tree = {
    .name = "tree",
    .summary = "double binary trees: full bandwidth, latency with the logarithm of the ranks",
    .seconds = {[WS_ALL_REDUCE] = tree_all_reduce, [WS_BROADCAST] = tree_one_way_s},
};
