/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ws/collective.h"

#include <math.h>

#include "ws/assert.h"

double ws_ring_bytes_per_s(const ws_network *network, const ws_ring *ring)
{
    double gpus = (double)ring->replicas * ring->gpus_per_replica;
    double gpus_on_node = fmax(gpus / ring->nodes, 1);
    double rings_on_node = fmin(ring->gpus_per_replica, gpus_on_node);
    double out = network->inter_node.bytes_per_s * (network->inter_per_gpu ? gpus_on_node : 1);

    WS_ASSERT(ring->nodes >= 1);
    WS_ASSERT(ring->replicas >= 1);
    WS_ASSERT(network->intra_node.bytes_per_s > 0);
    if (ring->nodes == 1) {
        return network->intra_node.bytes_per_s;
    }
    WS_ASSERT(network->inter_node.bytes_per_s > 0);
    return fmin(network->intra_node.bytes_per_s, out / rings_on_node);
}

double ws_ring_allreduce_s(double bytes, const ws_network *network, const ws_ring *ring)
{
    int32_t n = ring->replicas;
    int32_t k =
        ring->nodes < n ? ring->nodes : n; /* a replica on several nodes: every hop leaves one */
    double share = bytes / ring->gpus_per_replica;

    WS_ASSERT(bytes >= 0);
    if (n == 1) {
        return 0;
    }
    double hops_s = (2.0 * (n - 1) - 2.0 * (k - 1)) * network->intra_node.latency_s +
                    2.0 * (k - 1) * network->inter_node.latency_s;
    return hops_s + 2.0 * (n - 1) / n * share / ws_ring_bytes_per_s(network, ring);
}
