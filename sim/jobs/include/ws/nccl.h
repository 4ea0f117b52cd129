/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * NCCL's own predictor: the constants of a version, and what it makes of a group.
 *
 * NCCL chooses the pair of algorithm and protocol with the smallest predicted time, latency +
 * bytes / bandwidth. Source of formulas and constants: NCCL src/graph/tuning.cc.
 */
#ifndef WS_NCCL_H
#define WS_NCCL_H

#include "ws/collective.h"
#include "ws/machine.h"

typedef enum {
    WS_NCCL_TREE,
    WS_NCCL_RING,
    WS_NCCL_COLLNET_DIRECT,
    WS_NCCL_COLLNET_CHAIN,
    WS_NCCL_NVLS,
    WS_NCCL_NVLS_TREE,
    WS_NCCL_PAT,
    WS_NCCL_ALGORITHMS
} ws_nccl_algorithm;

typedef enum { WS_NCCL_LL, WS_NCCL_LL128, WS_NCCL_SIMPLE, WS_NCCL_PROTOCOLS } ws_nccl_protocol;

typedef enum { WS_NCCL_NVLINK, WS_NCCL_PCIE, WS_NCCL_NET, WS_NCCL_LINKS } ws_nccl_link;

#define WS_NCCL_GENERATIONS 4 /* Volta, Ampere, Hopper, Blackwell */
#define WS_NCCL_SPANS 3       /* one node, two, more */
#define WS_NCCL_CORRECTIONS 24

/** Caps by generation and span, GB/s. */
typedef double ws_nccl_caps[WS_NCCL_GENERATIONS][WS_NCCL_SPANS];

/** Constants of one version; latencies in us, rates in GB/s. */
typedef struct {
    const char *version; /* the first that has them: "2.30" */
    double base_us[WS_NCCL_ALGORITHMS][WS_NCCL_PROTOCOLS];
    double hop_us[WS_NCCL_LINKS][WS_NCCL_ALGORITHMS][WS_NCCL_PROTOCOLS];
    double overhead_us;      /* of a step between nodes; 3 times that for Simple */
    double overhead_amd_us;  /* with processors of AMD */
    ws_nccl_caps ll_max;     /* of LL, by GPU; on several nodes the first two rows, by processor */
    ws_nccl_caps ring_ll128; /* per channel, as the next ones */
    ws_nccl_caps tree_ll128;
    ws_nccl_caps tree;
    ws_nccl_caps nvls_tree;
    double nvls_efficiency[WS_NCCL_GENERATIONS]; /* 0: none */
    int32_t channels[WS_NCCL_GENERATIONS];
    double tree_correction[WS_NCCL_PROTOCOLS][WS_NCCL_CORRECTIONS]; /* of sizes 64 B x 2^i */
} ws_nccl_constants;

/** Parameters of ws_collective_nccl. */
typedef struct {
    const ws_nccl_constants *constants;
    ws_gpu_generation generation; /* not WS_GENERATION_OTHER */
    ws_nccl_link joint;           /* of the GPUs of a node: NVLINK or PCIE */
    bool amd_processor;
    bool collnet; /* SHARP is there and switched on */
} ws_nccl;

/** The constants of a version as users write it, or NULL. */
const ws_nccl_constants *ws_nccl_constants_find(ws_text version);

/** All versions, the newest first; NULL from their number on. */
const ws_nccl_constants *ws_nccl_constants_at(size_t index);

/**
 * The time that NCCL predicts for an algorithm and protocol, s; negative: they do not exist here.
 * The network's collectives are ws_collective_nccl; the group has at least two ranks. Operations:
 * all-reduce, reduce-scatter, all-gather, broadcast.
 */
double ws_nccl_s(const ws_network *network, ws_collective_operation operation, double bytes,
                 const ws_group *group, ws_nccl_algorithm algorithm, ws_nccl_protocol protocol);

#endif
