/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Collectives over the placement of a world.
 *
 * A replica's GPUs hold one copy of the model between them; each reduces its own share of the
 * gradients in a ring with its peers in the other replicas. The rings of one replica run side by
 * side and share each node's way out.
 */
#ifndef WS_COLLECTIVE_H
#define WS_COLLECTIVE_H

#include <stdbool.h>
#include <stdint.h>

/** One hop: start-up time and rate, one direction. */
typedef struct {
    double latency_s;   /* >= 0 */
    double bytes_per_s; /* > 0 */
} ws_link;

typedef struct {
    ws_link intra_node; /* between two GPUs of a node */
    ws_link inter_node; /* out of a node */
    bool inter_per_gpu; /* inter_node is of each GPU's own NIC; else of the whole node */
} ws_network;

/** Ranks of data-parallel rings, as placed. */
typedef struct {
    int32_t replicas;         /* ranks of each ring, >= 1 */
    int32_t gpus_per_replica; /* rings */
    int32_t nodes;            /* that the world is on, >= 1 */
} ws_ring;

/**
 * Rate at which one ring moves bytes: that of its slowest hop. The way out of a node is divided by
 * the rings that leave it.
 *
 * A node with g GPUs of the world has g NICs (`inter_per_gpu`) for min(gpus_per_replica, g) rings,
 * so a ring over eight GPUs of each node uses all eight NICs: bus bandwidth = min(intra, 8 NICs).
 * Source: nccl-tests doc/PERFORMANCE.md (bus bandwidth); rings and channels of NCCL 2.x.
 */
double ws_ring_bytes_per_s(const ws_network *network, const ws_ring *ring);

/**
 * Time of a ring all-reduce of a replica's gradients, s.
 *
 * n ranks on k nodes send 2(n - 1) chunks one after the other, of which 2(k - 1) go from node to
 * node: t = (2(n-1) - 2(k-1)) alpha_intra + 2(k-1) alpha_inter + 2 (n-1)/n (bytes /
 * gpus_per_replica) / B. Sources: R. Thakur, R. Rabenseifner, W. Gropp, IJHPCA 19 (2005); the
 * latency split is that of NCCL's predictor (src/graph/tuning.cc).
 *
 * @param bytes  of the whole replica, >= 0; one rank takes no time
 */
double ws_ring_allreduce_s(double bytes, const ws_network *network, const ws_ring *ring);

#endif
