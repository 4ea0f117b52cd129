/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Published scaling measurements against the step model: what is fitted on some of them, and how
 * well it predicts the others.
 *
 * Fitted are one efficiency for each class (GPU type, precision, code base), and for each machine
 * one factor on its links' bandwidth and one on their latency. Nothing else: what a code base does
 * (whether it overlaps, how it shards, what it recomputes) is stated in scaling_code_base.c, shapes
 * that a row leaves out in scaling_shape.c, GPUs in scaling_gpu.c.
 */
#ifndef WS_SCALING_H
#define WS_SCALING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ws/arena.h"
#include "ws/step_transformer.h"
#include "ws/text.h"

/** A row as it was published; numbers that it leaves out are 0, texts empty. */
typedef struct {
    ws_text id;
    ws_text group;
    ws_text confidence;
    ws_text machine;
    ws_text fabric; /* of the machine */
    ws_text gpu;
    ws_text model;
    ws_text precision;
    ws_text software;
    ws_text recompute;
    bool async_tensor; /* tensor collectives overlapped */
    int32_t gpus;
    int32_t gpus_per_node;
    double intra_bytes_per_s; /* one direction of a GPU */
    double inter_bytes_per_s; /* of a GPU */

    double layers, hidden, heads, kv_heads, vocabulary, sequence;
    double tensor, pipeline, data, context, expert, interleave;
    double zero; /* stage; -1: left out */
    double global_batch, micro_batch;

    double step_s, tokens_per_s, samples_per_s, flops_per_s_per_gpu, mfu;
    double local_batch; /* of profiles, see ws_scaling_pollux() */
    double sync_s;
    double nodes;
} ws_scaling_row;

/** What a code base does; see the list for who says so. */
typedef struct {
    const char *prefix; /* of the groups that it made */
    const char *name;
    ws_sharding sharding;
    ws_recompute recompute; /* where a row says nothing */
    ws_recompute selective; /* what it calls so; 0: the core of attention */
    double gradient_bytes;  /* 0: as parameters */
    double optimizer_traffic;
    double bucket_bytes;
    double launch_s;
    int32_t gathers_per_layer;
    int32_t interleave; /* where a row has none; 0: 1 */
    bool sequence_parallel;
    bool plain_attention;
    bool overlaps_gradients;
    bool overlaps_sends;   /* of a pipeline, once it is full */
    bool counts_recompute; /* in the FLOP/s that it prints */
    const char *unknown;   /* what of it the model does not know; NULL: nothing to say */
} ws_scaling_code_base;

/** NULL: a code base that is not known. */
const ws_scaling_code_base *ws_scaling_code_base_find(ws_text group);

/** Shape of a model by its name; NULL: not known. */
const ws_transformer_shape *ws_scaling_shape_find(ws_text model);

/** A GPU by what a table calls it; false: not known. */
bool ws_scaling_gpu_find(ws_text name, ws_transformer_gpu *gpu, ws_gpu_generation *generation);

/** What is fitted together. */
typedef struct {
    ws_text gpu;
    ws_gpu_generation generation;
    ws_text precision; /* as printed */
    int width;         /* of its products, bytes */
    ws_text code_base;
} ws_scaling_class;

/** A row as the model sees it. */
typedef struct {
    const ws_scaling_row *row;
    const char *left_out; /* why it cannot be predicted; NULL: it can */
    ws_scaling_class class;
    ws_transformer transformer; /* without a network */
    ws_world world;
    double measured_s; /* of a step */
    double work;       /* tokens of a step */
    bool is_recalled;  /* its confidence says that it was not read */
    size_t class_index;
    size_t machine_index;
    size_t group_index;
} ws_scaling_case;

#define WS_SCALING_ROWS_MAX 4096
#define WS_SCALING_CLASSES_MAX 64
#define WS_SCALING_MACHINES_MAX 64
#define WS_SCALING_GROUPS_MAX 512

/** A whole table. */
typedef struct {
    ws_scaling_case *cases;
    size_t count;
    ws_text groups[WS_SCALING_GROUPS_MAX];
    size_t group_count;
    ws_scaling_class classes[WS_SCALING_CLASSES_MAX];
    size_t class_count;
    ws_text machines[WS_SCALING_MACHINES_MAX];
    size_t machine_count;
} ws_scaling_table;

typedef struct {
    double efficiency[WS_SCALING_CLASSES_MAX];
    bool is_borrowed[WS_SCALING_CLASSES_MAX];  /* nothing of the class was fitted */
    double bandwidth[WS_SCALING_MACHINES_MAX]; /* factors on the stated links */
    double latency[WS_SCALING_MACHINES_MAX];   /* factors on WS_SCALING_LATENCY_S */
    double residual;                           /* root mean square of log errors */
} ws_scaling_fit;

/** Start-up of a hop within and between nodes before fitting: NCCL's constants for NVLink and for
 * InfiniBand (src/graph/tuning.cc, rings, LL128 and Simple). */
#define WS_SCALING_INTRA_LATENCY_S 3.4e-6
#define WS_SCALING_INTER_LATENCY_S 14e-6

/** Share of NVLink that collectives reach: 129 of 150 GB/s on V100, 235 of 300 on A100, 369 of 450
 * on H100 with rings (nccl-tests' published tables). */
#define WS_SCALING_INTRA_SHARE 0.8

/**
 * Sees what each row can be used for. NULL when the arena is exhausted, or a table is larger than
 * the limits above.
 */
const ws_scaling_table *ws_scaling_table_of(const ws_scaling_row *rows, size_t count,
                                            ws_arena *arena);

/**
 * Fits all cases but those of one group: robust least squares of log step times, with the prior
 * knowledge that links reach 80 % of what is stated, give or take a quarter, that latencies are
 * within a factor of two of NCCL's constants, and that efficiencies are about 0.6, give or take a
 * factor of 1.5. Errors are damped by Cauchy's loss beyond 10 %, so that a row which the model
 * cannot explain does not move the rest. A class without cases borrows from those of its
 * generation, precision and code base.
 *
 * @param left_out  index of a group; group_count: none
 * @return          false when no case can be predicted at all, or the solver fails
 */
bool ws_scaling_fit_without(const ws_scaling_table *table, size_t left_out, ws_scaling_fit *fit);

/** Step of a case under a fit. */
ws_step_breakdown ws_scaling_predict(const ws_scaling_case *item, const ws_scaling_fit *fit);

/** A prediction of a case that the fit has not seen. */
typedef struct {
    const ws_scaling_case *item;
    double predicted_s;
    ws_step_breakdown parts;
    double error;          /* predicted / measured - 1, of step times */
    double measured_ratio; /* work per second and GPU, relative to the group's first row */
    double predicted_ratio;
    double ratio_error;
    bool has_ratio;   /* it is not that first row */
    bool is_borrowed; /* its class has no other group */
} ws_scaling_prediction;

/**
 * Leaves each group out in turn and predicts it. Predictions are in the order of the cases.
 *
 * @param predictions  one for each case; those that are left out have `item` alone
 */
bool ws_scaling_back_test(const ws_scaling_table *table, ws_scaling_prediction *predictions);

/** Errors on the rows of a profile that the fit has not seen. */
typedef struct {
    size_t fitted;        /* rows */
    size_t predicted;     /* the others */
    const double *errors; /* of each of those: predicted / measured - 1 */
} ws_scaling_profile;

/**
 * Fits the model `pollux` to every second row of a group (by nodes, GPUs and local batch, with its
 * synchronisation) and predicts the others. False when it has fewer than two, or memory is
 * exhausted. `profile` ends with the arena.
 */
bool ws_scaling_pollux(const ws_scaling_row *rows, size_t count, ws_text group, ws_arena *arena,
                       ws_scaling_profile *profile);

#endif
