/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * What the formulas of collectives share: rates of a group's links under a pattern of traffic, and
 * the time of a pipelined message.
 *
 * n ranks lie on k nodes, n/k on each. Two patterns cross the switches above the nodes. Chains
 * (rings, trees) leave a leaf from one of its nodes, exchanges (all-to-all, halving) from all of
 * them at once. A way up that is asked for more than it carries slows both.
 */
#ifndef WS_COLLECTIVE_LINKS_H
#define WS_COLLECTIVE_LINKS_H

#include "ws/collective.h"

/** Rate of a ring or a tree: that of its slowest hop, bytes/s; also of one rank on each node, whose
 * GPU cannot send faster than its own link. */
double ws_links_chain_bytes_per_s(const ws_network *network, const ws_group *group);

/** That of the hops from node to node alone. The group is on several nodes. */
double ws_links_chain_out_bytes_per_s(const ws_network *network, const ws_group *group);

/**
 * How much longer than at the nodes' own rate traffic takes that leaves a tier, >= 1. `senders`
 * nodes of one leaf (or pod) send all that they can to others at once; 0: none does.
 *
 * The ways up carry nodes/oversubscription of what a node can send. With ecmp_flows, f flows are
 * hashed on u ways of a NIC's rate each, and the fullest has f/u + sqrt(2 (f/u) ln u) of them,
 * which holds the others back. Source: M. Raab, A. Steger, "Balls into Bins", RANDOM 1998.
 */
double ws_links_slow_down(const ws_network *network, const ws_group *group, const ws_tier *tier,
                          double senders);

/** Rate of one of the rings between nodes of a hierarchical collective, of which each rank of a
 * node drives one: its share of the way out. The group is on several nodes. */
double ws_links_shard_bytes_per_s(const ws_network *network, const ws_group *group);

/** Rate of a chain of single ranks, one on each node: of one NIC each, or its share of one. */
double ws_links_one_rank_bytes_per_s(const ws_network *network, const ws_group *group);

/**
 * Rate of one rank that gives an equal part to each rank of the other nodes while all others do so
 * too: its share of the way out, or of what a full leaf or pod can send. Of the traffic of a node,
 * (k - x)/(k - 1) leaves a leaf with x of the k nodes: the full bisection, which sees the
 * oversubscription. The group is on several nodes.
 */
double ws_links_exchange_bytes_per_s(const ws_network *network, const ws_group *group);

/** The integer part of the base-2 logarithm, value >= 1. */
static inline int32_t ws_links_log2_floor(int32_t value)
{
    int32_t log = 0;

    while (value >= 2) {
        value /= 2;
        log++;
    }
    return log;
}

/** The same, rounded up: the levels of a binary tree. */
static inline int32_t ws_links_log2_ceil(int32_t value)
{
    int32_t log = ws_links_log2_floor(value);

    return (INT32_C(1) << log) < value ? log + 1 : log;
}

/** Start-up time of the slowest hop that the group uses. */
double ws_links_latency_s(const ws_network *network, const ws_group *group);

/**
 * Time of a message over `hops` links in a row, cut into pieces of the best size c:
 * (hops - 1 + bytes/c) (latency + c/B), whose least value is (hops-1) a + bytes/B + 2 sqrt((hops-1)
 * a bytes/B), or one piece where that is larger than the message. Source: P. Sanders, J. Speck, J.
 * L. Träff, Parallel Computing 35 (2009).
 */
double ws_links_pipelined_s(double hops, const ws_link *link, double bytes);

#endif
