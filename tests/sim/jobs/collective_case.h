/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Networks and groups that the tests of collectives share. */
#ifndef WS_TESTS_COLLECTIVE_CASE_H
#define WS_TESTS_COLLECTIVE_CASE_H

#include "ws/collective.h"

/* Round numbers: 100 GB/s and 1 us within a node; 10 GB/s and 10 us for each GPU's own NIC. */
static inline ws_network round_network(const ws_collective_type *type)
{
    return (ws_network){.intra_node = {.latency_s = 1e-6, .bytes_per_s = 100e9},
                        .inter_node = {.latency_s = 10e-6, .bytes_per_s = 10e9},
                        .inter_per_gpu = true,
                        .collectives = type};
}

/* Ranks on nodes, alone, below one leaf. */
static inline ws_group group_of(int32_t ranks, int32_t nodes)
{
    return (ws_group){.ranks = ranks,
                      .nodes = nodes,
                      .ranks_per_node = (ranks - 1) / nodes + 1,
                      .leaves = 1,
                      .pods = 1,
                      .groups_per_node = 1,
                      .fabric_share = 1};
}

static inline double all_reduce_us(const ws_network *network, double bytes, int32_t ranks,
                                   int32_t nodes)
{
    ws_group group = group_of(ranks, nodes);

    return 1e6 * ws_collective_s(network, WS_ALL_REDUCE, bytes, &group);
}

static inline double operation_us(const ws_network *network, ws_collective_operation operation,
                                  double bytes, int32_t ranks, int32_t nodes)
{
    ws_group group = group_of(ranks, nodes);

    return 1e6 * ws_collective_s(network, operation, bytes, &group);
}

/* GB/s: bytes over time, times 2 (n-1)/n. */
static inline double bus_gb(const ws_network *network, double bytes, int32_t ranks, int32_t nodes)
{
    return bytes / 1e3 / all_reduce_us(network, bytes, ranks, nodes) * 2 * (ranks - 1) / ranks;
}

#endif
