/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * How long collectives take over the placement of their ranks.
 *
 * An algorithm is a constant ws_collective_type: for each operation a function from bytes and
 * placement to seconds. A network names one; an operation that it does not know runs as a ring
 * (push and pull: to parameter servers). To add one: a file in sim/jobs/ that ends in its type, and
 * a line in the list in collective.c.
 *
 * `bytes` are of the whole array, as in nccl-tests: what each rank holds before an all-reduce,
 * broadcast, all-to-all or push, what it holds after an all-gather or pull, and what it puts into a
 * reduce-scatter. So bus bandwidth is bytes/s times 2(n-1)/n for an all-reduce, (n-1)/n for
 * reduce-scatter, all-gather and all-to-all, 1 else. Source: nccl-tests doc/PERFORMANCE.md.
 */
#ifndef WS_COLLECTIVE_H
#define WS_COLLECTIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ws/text.h"
#include "ws/topology.h"

typedef enum {
    WS_ALL_REDUCE,
    WS_REDUCE_SCATTER,
    WS_ALL_GATHER,
    WS_BROADCAST,
    WS_ALL_TO_ALL,
    WS_SEND_RECV, /* one message from a rank to another; of more ranks, each to its next one */
    WS_PUSH,      /* gradients of all ranks to the parameter servers */
    WS_PULL,      /* parameters back to all ranks */
    WS_COLLECTIVE_OPERATIONS
} ws_collective_operation;

/** Ranks that communicate with each other, as placed, and like groups beside them. */
typedef struct {
    int32_t ranks;           /* >= 1 */
    int32_t nodes;           /* that they are on, 1..ranks */
    int32_t ranks_per_node;  /* most on one node, >= 1 */
    int32_t leaves;          /* that the nodes are below, 1..nodes */
    int32_t pods;            /* 1..leaves */
    int32_t groups_per_node; /* like groups that leave a node at once and share its way out, >= 1 */
    double fabric_share;     /* 0 < s <= 1: what contention leaves of the inter-node links */
} ws_group;

/** Where a call lies in what was measured. */
typedef enum {
    WS_COVERED,      /* between measurements, or by a formula */
    WS_EXTRAPOLATED, /* another number of ranks, below the sizes, or up to 4 times beyond them */
    WS_BEYOND        /* more than that: no answer to trust */
} ws_coverage;

struct ws_collective_type {
    const char *name;
    const char *summary;
    /** Seconds by operation; NULL: as a ring, or for push and pull as parameter servers. `group`
     * has at least two ranks, `bytes` >= 0. Never falls when bytes grow, unless it says so. */
    double (*seconds[WS_COLLECTIVE_OPERATIONS])(const ws_network *network, double bytes,
                                                const ws_group *group);
    /** How far the parameters cover a call; NULL: all of them. */
    ws_coverage (*coverage)(const ws_network *network, ws_collective_operation operation,
                            double bytes, const ws_group *group);
};

/* Without parameters, unless they say so. */
extern const ws_collective_type ws_collective_ring;
extern const ws_collective_type ws_collective_tree;
extern const ws_collective_type ws_collective_halving_doubling;
extern const ws_collective_type ws_collective_hierarchical;
extern const ws_collective_type ws_collective_nvls;
extern const ws_collective_type ws_collective_sharp;
extern const ws_collective_type ws_collective_nvls_sharp;
extern const ws_collective_type ws_collective_parameter_server; /* ws_servers, or NULL */
extern const ws_collective_type ws_collective_nccl;             /* ws_nccl */
extern const ws_collective_type ws_collective_measured;         /* ws_measured_collectives */
extern const ws_collective_type ws_collective_square_root;      /* ws_measured_collectives */

/** Parameter servers. A push or pull over another type's network has the default ones. */
typedef struct {
    int32_t count;     /* on nodes of their own; 0: one on each node of the group */
    bool asynchronous; /* a rank does not wait for the others */
} ws_servers;

/** Names of the operations as users write them ("all-reduce"), terminated by NULL. */
extern const char *const ws_collective_operation_names[];

/**
 * Time of one operation of one group while its like groups do the same, s; 0 for one rank.
 *
 * @param bytes  of the whole array (see above), >= 0
 */
double ws_collective_s(const ws_network *network, ws_collective_operation operation, double bytes,
                       const ws_group *group);

/** Whether a call lies within what the network's type was measured for. One rank always does. */
ws_coverage ws_collective_coverage(const ws_network *network, ws_collective_operation operation,
                                   double bytes, const ws_group *group);

/** Rate at which one group's traffic leaves a node with a share of its ranks: its part of the NICs
 * that they use, after contention, bytes/s. Only of a group on several nodes. */
double ws_group_way_out_bytes_per_s(const ws_network *network, const ws_group *group);

/** The type of a name, or NULL. */
const ws_collective_type *ws_collective_find(ws_text name);

/** All types, in the order of their list; NULL from the number of types on. */
const ws_collective_type *ws_collective_at(size_t index);

#endif
