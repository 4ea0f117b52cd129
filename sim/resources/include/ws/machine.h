/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * GPUs and the machines that bear them, as their makers state them: tables of plain data, each row
 * with its source.
 *
 * What a datasheet calls the rate of NVLink counts both directions; here it is one. Peak rates are
 * dense: without structured sparsity.
 */
#ifndef WS_MACHINE_H
#define WS_MACHINE_H

#include <stddef.h>
#include <stdint.h>

#include "ws/text.h"
#include "ws/topology.h"

typedef enum {
    WS_FP32, /* without tensor cores */
    WS_TF32,
    WS_BF16, /* FP16 where there is no BF16; sums in FP32 */
    WS_FP8,
    WS_FP4,
    WS_PRECISIONS
} ws_precision;

/** Names of the precisions as users write them ("bf16"), terminated by NULL. */
extern const char *const ws_precision_names[];

/** What the GPUs of a node are joined by. */
typedef enum { WS_JOINED_BY_NVLINK, WS_JOINED_BY_PCIE, WS_JOINED_BY_OTHER } ws_joint;

/** Generations that NCCL's tables know; others have none. */
typedef enum {
    WS_GENERATION_VOLTA,
    WS_GENERATION_AMPERE,
    WS_GENERATION_HOPPER,
    WS_GENERATION_BLACKWELL,
    WS_GENERATION_OTHER
} ws_gpu_generation;

typedef struct {
    const char *name;    /* as scenarios name it: "H100-SXM5-80GB" */
    const char *aliases; /* other names, separated by blanks; "" none */
    ws_gpu_generation generation;
    double memory_bytes;
    double memory_bytes_per_s;
    double flops_per_s[WS_PRECISIONS]; /* dense peak; 0: it has no such unit */
    const char *source;
} ws_gpu_model;

typedef struct {
    const char *name; /* as scenarios name it: "dgx-h100" */
    const char *gpu;  /* name of its model */
    int32_t gpus_per_node;
    ws_joint joint;
    double intra_bytes_per_s;      /* of the datasheet, out of one GPU */
    double intra_ring_bytes_per_s; /* that large rings reach: what a network is made of */
    double intra_latency_s;
    int32_t nics;                /* of a node */
    double nic_bytes_per_s;      /* of the datasheet */
    double nic_ring_bytes_per_s; /* that large messages reach */
    double nic_latency_s;        /* of one hop from node to node */
    const int32_t *slices;       /* legal sizes in GPUs, ascending, ended by 0; NULL: any */
    const char *source;          /* of the sheet figures, then of the reached ones */
} ws_machine;

/** The model of a name or an alias, or NULL. Case does not matter. */
const ws_gpu_model *ws_gpu_model_find(ws_text name);

/** All models; NULL from their number on. */
const ws_gpu_model *ws_gpu_model_at(size_t index);

/** The machine of a name, or NULL. */
const ws_machine *ws_machine_find(ws_text name);

/** All machines; NULL from their number on. */
const ws_machine *ws_machine_at(size_t index);

/** The network that nodes of a machine are on: what large messages reach, without a fabric. */
ws_network ws_machine_network(const ws_machine *machine);

#endif
