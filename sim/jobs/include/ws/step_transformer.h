/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Step time of a transformer from its shape, its layout, the GPU and the links.
 *
 *   step = (m + (p - 1)/v) (forward + backward + tensor collectives) + exposed pipeline sends
 *          + exposed context and expert collectives + exposed data-parallel collectives
 *          + optimizer + input + stragglers
 *
 * m micro-batches, p stages of v chunks. Sources: D. Narayanan et al., SC21 (schedule, bubble);
 * M. Shoeybi et al. (2019) and V. Korthikanti et al. (2023) (tensor collectives: four all-reduces
 * of a layer's activations, six when it is computed again; as many pairs of all-gather and
 * reduce-scatter with sequence parallelism); H. Liu et al., Ring Attention (2023) (context); S.
 * Rajbhandari et al., ZeRO (SC20) (data: 2 Psi, or 3 Psi when parameters are sharded); S. Williams
 * et al., Roofline (2009) (what is not a matrix product moves at the memory's rate).
 *
 * Ranks are placed tensor first, then context, then data, then pipeline, as Megatron-LM does.
 */
#ifndef WS_STEP_TRANSFORMER_H
#define WS_STEP_TRANSFORMER_H

#include "ws/collective.h"
#include "ws/overlap.h"
#include "ws/step.h"
#include "ws/transformer.h"

/** One GPU. Rates are peaks of the data sheet, without sparsity. */
typedef struct {
    double flops_per_s[WS_PRECISIONS]; /* 0: it has no such unit */
    double memory_bytes;
    double memory_bytes_per_s;
} ws_transformer_gpu;

ws_transformer_gpu ws_transformer_gpu_of(const ws_gpu_model *model);

/** What software and machine make of it. */
typedef struct {
    double products;  /* share of the peak that matrix products reach, 0 < x <= 1 */
    double attention; /* the core of attention, relative to them, at 2 bytes; > 0 */
    double memory;    /* share of the memory's rate that the rest reaches */
    double launch_s;  /* least time of a layer's forward, as its kernels are launched one by one */

    bool overlaps_gradients; /* reduced while the backward runs, gathered while the forward does */
    double tensor_overlap;   /* 0..1 of each kind that hides behind compute */
    double pipeline_overlap;
    double expert_overlap;
    double interference; /* kappa, 0 <= k < 1: compute slows by 1/(1 - k) beside a collective */
    double bucket_bytes; /* of gradients, > 0 */
    int32_t gathers_per_layer; /* pieces in which a sharded layer is gathered, >= 1 */
    double optimizer_traffic;  /* bytes read and written for a parameter by the optimizer */
} ws_transformer_software;

typedef struct {
    ws_transformer_shape shape;   /* completed */
    ws_transformer_layout layout; /* that fits it */
    ws_transformer_gpu gpu;
    ws_transformer_software software;
    const ws_network *network; /* outlives the parameters */
    double reserve_bytes;      /* of memory, that no tensor gets */
    double global_batch;       /* samples, >= 1 */
    int32_t micro_batch;       /* samples; 0: the fastest divisor of a replica's share that fits */
    double input_per_s;        /* samples that one replica's loader makes; 0: never waits */
    double jitter;             /* standard deviation of a GPU's compute time, relative to it */
    double hiccup_s;           /* mean of an exponential delay of each GPU in each step */
    double work;               /* of a step, in the unit of the job's work; > 0 */
} ws_transformer;

/** Where a step goes, in seconds; the parts sum to step_s. */
typedef struct {
    double compute_s;
    double tensor_s;
    double context_s;
    double expert_s;
    double pipeline_s; /* sends */
    double bubble_s;
    double data_s; /* exposed part */
    double optimizer_s;
    double input_s;
    double straggle_s;
    double step_s;

    double data_hidden_s;  /* of data-parallel collectives, behind compute */
    double wire_s;         /* of collectives between nodes, exposed or hidden */
    double hardware_flops; /* of all GPUs, recomputation counted */
    double model_flops;    /* of all GPUs, without it */
    ws_transformer_batch batch;
    ws_transformer_memory memory;
    bool fits; /* the memory */
} ws_step_breakdown;

/** Defaults of everything in it, as modern software behaves. */
ws_transformer_software ws_transformer_software_default(void);

/** Bytes that one GPU puts into or takes out of collectives in one step, one direction. */
typedef struct {
    double tensor;
    double context;
    double expert;
    double pipeline;
    double data;
} ws_transformer_traffic;

/** Breakdown of a step of a world. The micro-batch is the stated one, or the one that is found;
 * when none fits, that of one sample, with `fits` false. */
ws_step_breakdown ws_transformer_break_down(const ws_transformer *transformer,
                                            const ws_world *world);

/** What goes over the links in that step. Volumes are those of rings: 2(n-1)/n of an all-reduce. */
ws_transformer_traffic ws_transformer_traffic_of(const ws_transformer *transformer,
                                                 const ws_world *world);

/**
 * The sequence in which a GPU's gradients are reduced in the backward of the last micro-batch:
 * buckets of `bucket_bytes`, in the order of the backward, the last one as large as what is left.
 *
 * @return  the number of buckets, of which at most `capacity` are written
 */
size_t ws_transformer_buckets(const ws_transformer *transformer, const ws_world *world,
                              ws_bucket *buckets, size_t capacity);

/** Samples of a step that the fullest replica works on. */
int64_t ws_transformer_share(double global_batch, int32_t replicas);

extern const ws_step_type ws_step_transformer; /* parameters: ws_transformer */

#endif
