/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * What the GPUs of a cluster are connected by: links within and out of a node, the tree of switches
 * above the nodes, and which algorithm moves collectives over them.
 *
 * All rates are of one direction; links are full duplex.
 */
#ifndef WS_TOPOLOGY_H
#define WS_TOPOLOGY_H

#include <stdbool.h>
#include <stdint.h>

/** One hop: start-up time and rate. */
typedef struct {
    double latency_s;   /* >= 0 */
    double bytes_per_s; /* > 0 */
} ws_link;

/** A tier of switches: `nodes` of them lie below one switch, whose ways up carry 1/oversubscription
 * of what its nodes can send. */
typedef struct {
    int32_t nodes;           /* below one switch; 0: one bears all, the tier does not count */
    double oversubscription; /* >= 1, bandwidth down over bandwidth up; used when nodes > 0 */
} ws_tier;

/**
 * The switches above the nodes of a pool, in order of their slots. A pool begins at a new leaf.
 * With `rails`, a "leaf" stands for that many switches side by side, each of which has one NIC of
 * each of its nodes; traffic stays on its rail (NCCL's PXN), so that only the number of ways up
 * that a flow can choose from is different.
 */
typedef struct {
    ws_tier leaf;
    ws_tier pod;        /* its nodes are a multiple of the leaf's */
    int32_t rails;      /* 0 and 1: all NICs of a node are on one leaf switch */
    int32_t ecmp_flows; /* between two NICs, each hashed to one way up; 0: traffic splits ideally */
} ws_fabric;

/** Switches that `nodes` of a pool are below, side by side from its first on. */
static inline int32_t ws_tier_switches(const ws_tier *tier, int32_t nodes)
{
    return tier->nodes == 0 || nodes == 0 ? 1 : (nodes - 1) / tier->nodes + 1;
}

/** An algorithm of ws/collective.h. */
typedef struct ws_collective_type ws_collective_type;

/** Whether the collectives of jobs that cross the same links slow each other down. */
typedef enum {
    WS_NETWORK_SHARING_NONE,    /* each job is alone */
    WS_NETWORK_SHARING_COLLIDE, /* as if all communicated always */
    WS_NETWORK_SHARING_DUTY     /* each as much of the time as it does */
} ws_network_sharing;

typedef struct {
    ws_link intra_node; /* between two GPUs of a node */
    ws_link inter_node; /* out of a node */
    bool inter_per_gpu; /* inter_node is of each GPU's own NIC; else of each of the node's NICs */
    int32_t nics;       /* of a node, when they are not the GPUs' own; 0: one */
    ws_fabric fabric;   /* all 0: every node reaches every other at full rate */
    ws_network_sharing sharing;
    double reduce_s_per_byte; /* gamma: adding one byte to another; 0: hidden by the transfer */

    const ws_collective_type *collectives; /* NULL: rings */
    const void *collective_parameters;     /* of that type, see its file; outlives the network */
} ws_network;

#endif
