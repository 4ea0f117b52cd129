/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * NCCL's predictor. Its latencies are those of its table; its bandwidths begin with the links of
 * the network, as its search would find them. It differs from src/graph/tuning.cc in three places:
 * - rings and trees on two nodes have the rate of the NICs there too, not that within the nodes;
 * - NVLS moves bytes (1 + 1/n) over each link, which measured busbw on 5 to 8 GPUs follow within 8
 *   %, in place of a share of the channels;
 * - the correction of trees is interpolated between its sizes, so that the time never falls.
 */
#include <math.h>

#include "collective_links.h"
#include "ws/assert.h"
#include "ws/nccl.h"

#define US 1e-6
#define GB 1e9

/** A call, and what follows from it. */
typedef struct {
    const ws_network *network;
    const ws_nccl *nccl;
    const ws_nccl_constants *constants;
    ws_collective_operation operation;
    const ws_group *group;
    ws_nccl_algorithm algorithm;
    ws_nccl_protocol protocol;
    int32_t span; /* 0, 1, 2: one node, two, more */
} nccl_call;

/** Ranks of a node, as NCCL counts them. */
static int32_t nccl_local(const nccl_call *call)
{
    return call->group->ranks / call->group->nodes;
}

/* ---- latency ---- */

/** A step between nodes. What the network's hop is longer than NCCL's own one (that of a tree with
 * LL, InfiniBand's) is the plug-in's; with Simple it is waited for twice. */
static double nccl_between_us(const nccl_call *call)
{
    const ws_nccl_constants *constants = call->constants;
    double own_us = constants->hop_us[WS_NCCL_NET][WS_NCCL_TREE][WS_NCCL_LL];
    double plugin_us = fmax(call->network->inter_node.latency_s / US - own_us, 0);
    ws_nccl_algorithm algorithm = call->algorithm;

    if (algorithm == WS_NCCL_RING && nccl_local(call) == 1) {
        algorithm = WS_NCCL_TREE;
    }
    return constants->hop_us[WS_NCCL_NET][algorithm][call->protocol] +
           plugin_us * (call->protocol == WS_NCCL_SIMPLE ? 2 : 1);
}

static double nccl_within_us(const nccl_call *call)
{
    return call->constants->hop_us[call->nccl->joint][call->algorithm][call->protocol];
}

static double nccl_ring_us(const nccl_call *call)
{
    int rounds = call->operation == WS_ALL_REDUCE ? 2 : 1;
    double overhead =
        call->nccl->amd_processor ? call->constants->overhead_amd_us : call->constants->overhead_us;
    double within_us = nccl_within_us(call);

    if (call->operation == WS_BROADCAST) {
        return call->group->nodes > 1 ? nccl_between_us(call) : within_us;
    }
    if (call->group->nodes > 1) {
        within_us = fmax(within_us, call->protocol == WS_NCCL_SIMPLE ? 3 * overhead : overhead);
    }
    return rounds * ((call->group->ranks - call->group->nodes) * within_us +
                     (call->group->nodes - 1) * nccl_between_us(call));
}

static double nccl_latency_us(const nccl_call *call)
{
    const ws_group *group = call->group;
    double within_us = nccl_within_us(call);
    double between_us = group->nodes > 1 ? nccl_between_us(call) : 0;
    double base_us = call->constants->base_us[call->algorithm][call->protocol];
    int32_t others = nccl_local(call) - 1;
    int32_t levels = ws_links_log2_floor(group->nodes);

    switch (call->algorithm) {
    case WS_NCCL_TREE:
        return base_us + 2 * (others * within_us + levels * between_us);
    case WS_NCCL_RING:
        return base_us + nccl_ring_us(call);
    case WS_NCCL_COLLNET_DIRECT:
        return base_us + 2 * ((others > 1 ? 1 : others) * within_us + 0.4 * others) + between_us;
    case WS_NCCL_COLLNET_CHAIN:
        return base_us + 2 * others * within_us + between_us;
    case WS_NCCL_NVLS:
        return base_us + within_us + between_us;
    case WS_NCCL_NVLS_TREE:
        return base_us + within_us + 2 * levels * between_us;
    case WS_NCCL_PAT:
        return base_us + levels * between_us / 3.5 + 2.8 * group->ranks;
    case WS_NCCL_ALGORITHMS:
        break;
    }
    WS_ASSERT(false && "an algorithm");
    return 0;
}

/* ---- bandwidth ---- */

/** All channels together, within a node and from node to node, GB/s. */
static double nccl_within_gb(const nccl_call *call)
{
    return call->network->intra_node.bytes_per_s / GB;
}

static double nccl_chain_gb(const nccl_call *call)
{
    return ws_links_chain_bytes_per_s(call->network, call->group) / GB;
}

static double nccl_cap(const nccl_call *call, const ws_nccl_caps caps)
{
    return caps[call->nccl->generation][call->span];
}

/** LL's cap: of the GPU on one node, of the processor on several. */
static double nccl_ll_cap(const nccl_call *call)
{
    int row = call->nccl->amd_processor ? 1 : 0;

    return call->span == 0 ? nccl_cap(call, call->constants->ll_max)
                           : call->constants->ll_max[row][call->span];
}

static double nccl_ring_gb(const nccl_call *call)
{
    double channels = call->constants->channels[call->nccl->generation];
    double gb = nccl_chain_gb(call);

    if (call->protocol == WS_NCCL_LL) {
        return fmin(0.5 * gb, nccl_ll_cap(call));
    }
    if (call->protocol == WS_NCCL_LL128) {
        return fmin(0.92 * gb, channels * nccl_cap(call, call->constants->ring_ll128));
    }
    return gb;
}

static double nccl_tree_gb(const nccl_call *call)
{
    double channels = call->constants->channels[call->nccl->generation];
    double gb = fmin(0.92 * nccl_chain_gb(call), channels * nccl_cap(call, call->constants->tree));

    if (call->protocol == WS_NCCL_LL) {
        return fmin(gb / 3.8, nccl_ll_cap(call));
    }
    if (call->protocol == WS_NCCL_LL128) {
        return fmin(gb * (call->span == 0 ? 7.0 / 9 : 120.0 / 128),
                    channels * nccl_cap(call, call->constants->tree_ll128));
    }
    return gb;
}

/** In terms of bus bandwidth: bytes (1 + 1/g) on each link of g GPUs for 2 (n-1)/n of a ring. */
static double nccl_nvls_gb(const nccl_call *call)
{
    double g = nccl_local(call);
    double within_gb = nccl_within_gb(call) * 2 * (g - 1) / (g + 1) *
                       call->constants->nvls_efficiency[call->nccl->generation];

    if (call->group->nodes == 1) {
        return within_gb;
    }
    double between_gb = ws_links_chain_out_bytes_per_s(call->network, call->group) / GB;
    double channels = call->constants->channels[call->nccl->generation];
    if (call->algorithm == WS_NCCL_NVLS_TREE) {
        between_gb *= call->group->nodes == 2 ? 2 : 1;
        within_gb = fmin(within_gb, channels * nccl_cap(call, call->constants->nvls_tree));
    }
    return fmin(within_gb, between_gb);
}

/** Reduced in the switches, fed from every GPU of a node. */
static double nccl_collnet_gb(const nccl_call *call)
{
    double within_gb = nccl_within_gb(call);
    double between_gb = ws_links_chain_out_bytes_per_s(call->network, call->group) / GB;
    double gb = fmin(within_gb, 2 * between_gb); /* each byte up and down once, as algbw = gb / 2 */
    bool is_hopper = call->nccl->generation == WS_GENERATION_HOPPER;

    return call->algorithm == WS_NCCL_COLLNET_DIRECT && is_hopper ? 0.85 * gb : gb;
}

/** What NCCL calls algbw: bytes of the call over its time, GB/s. */
static double nccl_algorithm_gb(const nccl_call *call)
{
    double n = call->group->ranks;
    double rounds = call->operation == WS_ALL_REDUCE ? 2 * (n - 1) / n : (n - 1) / n;

    switch (call->algorithm) {
    case WS_NCCL_TREE:
        return nccl_tree_gb(call) / 2;
    case WS_NCCL_RING:
        return call->operation == WS_BROADCAST ? nccl_ring_gb(call) : nccl_ring_gb(call) / rounds;
    case WS_NCCL_COLLNET_DIRECT:
    case WS_NCCL_COLLNET_CHAIN:
        return nccl_collnet_gb(call) / 2;
    case WS_NCCL_NVLS:
    case WS_NCCL_NVLS_TREE:
        return nccl_nvls_gb(call) / rounds;
    case WS_NCCL_PAT:
        return 0.75 * nccl_chain_gb(call) / rounds;
    case WS_NCCL_ALGORITHMS:
        break;
    }
    WS_ASSERT(false && "an algorithm");
    return 0;
}

/** Trees fall short of the model at medium sizes. Beyond the table they do not. */
static double nccl_correction_at(const nccl_call *call, int index)
{
    return index < WS_NCCL_CORRECTIONS ? call->constants->tree_correction[call->protocol][index]
                                       : 1;
}

/** Entry i is of 64 B x 2^i; in between linear in the size, so that the time never falls. */
static double nccl_correction(const nccl_call *call, double bytes)
{
    int index = 0;
    double octave = bytes / 64;

    if (call->algorithm != WS_NCCL_TREE || octave < 1) {
        return 1;
    }
    while (index < WS_NCCL_CORRECTIONS && octave >= 2) {
        octave /= 2;
        index++;
    }
    double low = nccl_correction_at(call, index);
    return low + (nccl_correction_at(call, index + 1) - low) * fmin(octave - 1, 1);
}

/** The plateau of rings on several nodes. */
static double nccl_plateau(const nccl_call *call, double bytes)
{
    double channels = call->constants->channels[call->nccl->generation];

    if (call->algorithm != WS_NCCL_RING || call->protocol != WS_NCCL_SIMPLE ||
        call->group->nodes == 1 || call->operation != WS_ALL_REDUCE ||
        bytes / (channels * call->group->ranks) < 64) {
        return 1;
    }
    return call->nccl->generation < WS_GENERATION_AMPERE ? 1.9 : 1.4;
}

/* ---- what exists ---- */

static bool nccl_has_nvls(const nccl_call *call)
{
    return call->nccl->joint == WS_NCCL_NVLINK && nccl_local(call) > 1 &&
           call->constants->nvls_efficiency[call->nccl->generation] > 0;
}

static bool nccl_has_algorithm(const nccl_call *call)
{
    bool several = call->group->nodes > 1;
    bool reduces_all = call->operation == WS_ALL_REDUCE;

    switch (call->algorithm) {
    case WS_NCCL_TREE:
        return reduces_all;
    case WS_NCCL_RING:
        return true;
    case WS_NCCL_COLLNET_DIRECT:
    case WS_NCCL_COLLNET_CHAIN:
        return reduces_all && several && call->nccl->collnet;
    case WS_NCCL_NVLS:
        return reduces_all && nccl_has_nvls(call) && (!several || call->nccl->collnet);
    case WS_NCCL_NVLS_TREE:
        return reduces_all && nccl_has_nvls(call) && several;
    case WS_NCCL_PAT:
        return (call->operation == WS_REDUCE_SCATTER || call->operation == WS_ALL_GATHER) &&
               nccl_local(call) == 1;
    case WS_NCCL_ALGORITHMS:
        break;
    }
    return false;
}

/** LL and LL128 are of rings and trees; LL128 needs NVLink, or Hopper. */
static bool nccl_has_protocol(const nccl_call *call)
{
    bool is_plain = call->algorithm == WS_NCCL_TREE || call->algorithm == WS_NCCL_RING;

    if (call->protocol == WS_NCCL_SIMPLE) {
        return true;
    }
    return is_plain && (call->protocol == WS_NCCL_LL || call->nccl->joint == WS_NCCL_NVLINK ||
                        call->nccl->generation >= WS_GENERATION_HOPPER);
}

double ws_nccl_s(const ws_network *network, ws_collective_operation operation, double bytes,
                 const ws_group *group, ws_nccl_algorithm algorithm, ws_nccl_protocol protocol)
{
    const ws_nccl *nccl = network->collective_parameters;
    nccl_call call = {.network = network,
                      .nccl = nccl,
                      .operation = operation,
                      .group = group,
                      .algorithm = algorithm,
                      .protocol = protocol,
                      .span = group->nodes < 3 ? group->nodes - 1 : 2};

    WS_ASSERT(nccl != NULL);
    WS_ASSERT(nccl->generation < WS_NCCL_GENERATIONS);
    WS_ASSERT(group->ranks >= 2);
    call.constants = nccl->constants;
    if (!nccl_has_algorithm(&call) || !nccl_has_protocol(&call)) {
        return -1;
    }
    double latency_us = nccl_latency_us(&call) * nccl_plateau(&call, bytes);
    double gb = nccl_algorithm_gb(&call) * nccl_correction(&call, bytes);
    return latency_us * US + bytes / (gb * GB);
}

/* ---- the type ---- */

static double nccl_best_s(const ws_network *network, ws_collective_operation operation,
                          double bytes, const ws_group *group)
{
    double best_s = -1;

    for (int i = 0; i < WS_NCCL_ALGORITHMS * WS_NCCL_PROTOCOLS; i++) {
        double time_s =
            ws_nccl_s(network, operation, bytes, group, (ws_nccl_algorithm)(i / WS_NCCL_PROTOCOLS),
                      (ws_nccl_protocol)(i % WS_NCCL_PROTOCOLS));

        if (time_s >= 0 && (best_s < 0 || time_s < best_s)) {
            best_s = time_s;
        }
    }
    WS_ASSERT(best_s >= 0);
    return best_s;
}

static double nccl_all_reduce(const ws_network *network, double bytes, const ws_group *group)
{
    return nccl_best_s(network, WS_ALL_REDUCE, bytes, group);
}

static double nccl_reduce_scatter(const ws_network *network, double bytes, const ws_group *group)
{
    return nccl_best_s(network, WS_REDUCE_SCATTER, bytes, group);
}

static double nccl_all_gather(const ws_network *network, double bytes, const ws_group *group)
{
    return nccl_best_s(network, WS_ALL_GATHER, bytes, group);
}

static double nccl_broadcast(const ws_network *network, double bytes, const ws_group *group)
{
    return nccl_best_s(network, WS_BROADCAST, bytes, group);
}

const ws_collective_type ws_collective_nccl = {
    .name = "nccl",
    .summary = "NCCL's own prediction: the best of its algorithms and protocols",
    .seconds = {[WS_ALL_REDUCE] = nccl_all_reduce,
                [WS_REDUCE_SCATTER] = nccl_reduce_scatter,
                [WS_ALL_GATHER] = nccl_all_gather,
                [WS_BROADCAST] = nccl_broadcast},
};
