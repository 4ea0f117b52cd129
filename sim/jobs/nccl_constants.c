/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The constants of NCCL's predictor, by version. Source: NCCL 2.30, src/graph/tuning.cc (the tables
 * of base and hardware latencies, of caps and of corrections). The channels are those that its
 * search ends with on nodes whose GPUs are all joined: links x 2 (V100, A100), 16 of Hopper, 32 of
 * Blackwell.
 */
#include "ws/assert.h"
#include "ws/nccl.h"

static const ws_nccl_constants nccl_versions[] = {
    {.version = "2.30",
     .base_us = {[WS_NCCL_TREE] = {6.8, 14, 8.4},
                 [WS_NCCL_RING] = {6.6, 14, 8.4},
                 [WS_NCCL_PAT] = {8, 8, 8}},
     .hop_us = {[WS_NCCL_NVLINK] = {[WS_NCCL_TREE] = {0.6, 1.25, 4},
                                    [WS_NCCL_RING] = {0.6, 1.9, 3.4},
                                    [WS_NCCL_COLLNET_DIRECT] = {0, 0, 3.7},
                                    [WS_NCCL_COLLNET_CHAIN] = {0, 0, 2.8},
                                    [WS_NCCL_NVLS] = {0, 0, 25},
                                    [WS_NCCL_NVLS_TREE] = {0, 0, 25},
                                    [WS_NCCL_PAT] = {0, 0, 4}},
                [WS_NCCL_PCIE] = {[WS_NCCL_TREE] = {1, 1.9, 4},
                                  [WS_NCCL_RING] = {1, 2.5, 5.7},
                                  [WS_NCCL_COLLNET_DIRECT] = {0, 0, 3.7},
                                  [WS_NCCL_COLLNET_CHAIN] = {0, 0, 2.8},
                                  [WS_NCCL_PAT] = {0, 0, 4}},
                [WS_NCCL_NET] = {[WS_NCCL_TREE] = {5, 8.5, 14},
                                 [WS_NCCL_RING] = {2.7, 4, 14},
                                 [WS_NCCL_COLLNET_DIRECT] = {0, 0, 31},
                                 [WS_NCCL_COLLNET_CHAIN] = {0, 0, 30},
                                 [WS_NCCL_NVLS] = {0, 0, 18},
                                 [WS_NCCL_NVLS_TREE] = {0, 0, 20.9},
                                 [WS_NCCL_PAT] = {0, 0, 14}}},
     .overhead_us = 1,
     .overhead_amd_us = 2,
     .ll_max = {{39, 39, 20.4}, {87.7, 22.5, 19}, {141, 45, 35}, {282, 90, 70}},
     .ring_ll128 = {{20, 20, 20}, {20, 20, 20}, {36.7, 36.7, 36.7}, {40, 40, 40}},
     .tree_ll128 = {{20, 20, 20}, {20, 20, 20}, {36.7, 36.7, 29}, {55.6, 31.7, 20}},
     .tree = {{26.5, 18.5, 10}, {24, 23.6, 17.8}, {38.7, 41.4, 36}, {70, 42.8, 24}},
     .nvls_tree = {{0, 0, 0}, {0, 0, 0}, {0, 57.7, 45.5}, {0, 96, 80}},
     .nvls_efficiency = {0, 0, 0.85, 0.74},
     .channels = {12, 24, 16, 32},
     .tree_correction = {{1.0, 1.0, 1.0, 1.0, 0.9, 0.8, 0.7, 0.7, 0.7, 0.7, 0.6, 0.5,
                          0.4, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.0, 1.0, 1.0, 1.0},
                         {1.0, 1.0, 1.0, 1.0, 1.0, 0.9, 0.8, 0.8, 0.8, 0.7, 0.6, 0.6,
                          0.6, 0.6, 0.6, 0.6, 0.8, 0.9, 0.9, 0.9, 0.9, 1.0, 1.0, 1.0},
                         {0.9, 0.9, 0.9, 0.9, 0.9, 0.9, 0.9, 0.8, 0.7, 0.6, 0.6, 0.5,
                          0.5, 0.5, 0.5, 0.6, 0.7, 0.8, 0.7, 0.7, 0.8, 0.9, 0.9, 0.9}}},
};

const ws_nccl_constants *ws_nccl_constants_find(ws_text version)
{
    for (size_t i = 0; i < WS_COUNT_OF(nccl_versions); i++) {
        if (ws_text_is(version, nccl_versions[i].version)) {
            return &nccl_versions[i];
        }
    }
    return NULL;
}

const ws_nccl_constants *ws_nccl_constants_at(size_t index)
{
    return index < WS_COUNT_OF(nccl_versions) ? &nccl_versions[index] : NULL;
}
