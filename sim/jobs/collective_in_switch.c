/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reduction in the switches. Within a node (NVLS: NVSwitch multicast and reduction) each GPU reads
 * its shard, reduced by the switch, and writes the result once for all: bytes (1 + 1/n) pass each
 * link, each way, instead of 2 (n-1)/n. Between nodes (SHARP, NCCL's CollNet) each byte passes a
 * NIC once up and once down, which are full duplex. What is not reduced in a switch runs in rings.
 *
 * Sources: R. Graham et al., "Scalable Hierarchical Aggregation Protocol", COMHPC 2016; B. Klenk et
 * al., "An in-network architecture for accelerating shared-memory multiprocessor collectives", ISCA
 * 2020.
 */
#include "collective_links.h"
#include "ws/assert.h"

static bool switch_is_within(const ws_network *network)
{
    return network->collectives != &ws_collective_sharp;
}

static bool switch_is_between(const ws_network *network)
{
    return network->collectives != &ws_collective_nvls;
}

/** Two hops, up and down, and what passes a link within a node; or `rounds` rounds of a ring. */
static double switch_within_s(const ws_network *network, double bytes, const ws_group *group,
                              int rounds)
{
    const ws_link *link = &network->intra_node;
    double g = (double)group->ranks / group->nodes;

    WS_ASSERT(rounds == 1 || rounds == 2);
    if (group->ranks_per_node == 1) {
        return 0;
    }
    if (!switch_is_within(network)) {
        return rounds * ((group->ranks_per_node - 1) * link->latency_s +
                         (g - 1) / g * bytes / link->bytes_per_s);
    }
    return 2 * link->latency_s + bytes * (rounds == 2 ? 1 + 1 / g : 1) / link->bytes_per_s;
}

/** Of the shard of each rank; `rounds` of a ring when the switches do not reduce. */
static double switch_between_s(const ws_network *network, double bytes, const ws_group *group,
                               int rounds)
{
    double g = (double)group->ranks / group->nodes;
    double k = group->nodes;

    if (group->nodes == 1) {
        return 0;
    }
    double rate = ws_links_shard_bytes_per_s(network, group);
    if (!switch_is_between(network)) {
        return rounds *
               ((k - 1) * network->inter_node.latency_s + (k - 1) / k * (bytes / g) / rate);
    }
    return 2 * network->inter_node.latency_s + bytes / g / rate;
}

static double switch_all_reduce(const ws_network *network, double bytes, const ws_group *group)
{
    return switch_within_s(network, bytes, group, 2) + switch_between_s(network, bytes, group, 2);
}

static double switch_one_way(const ws_network *network, double bytes, const ws_group *group)
{
    return switch_within_s(network, bytes, group, 1) + switch_between_s(network, bytes, group, 1);
}

const ws_collective_type ws_collective_nvls = {
    .name = "nvls",
    .summary = "reduced in the NVSwitches of a node, rings between nodes",
    .seconds = {[WS_ALL_REDUCE] = switch_all_reduce,
                [WS_REDUCE_SCATTER] = switch_one_way,
                [WS_ALL_GATHER] = switch_one_way},
};

const ws_collective_type ws_collective_sharp = {
    .name = "sharp",
    .summary = "rings in a node, reduced in the switches between nodes (SHARP, CollNet)",
    .seconds = {[WS_ALL_REDUCE] = switch_all_reduce, [WS_REDUCE_SCATTER] = switch_one_way},
};

const ws_collective_type ws_collective_nvls_sharp = {
    .name = "nvls-sharp",
    .summary = "reduced in the switches within and between nodes",
    .seconds = {[WS_ALL_REDUCE] = switch_all_reduce, [WS_REDUCE_SCATTER] = switch_one_way},
};
