/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * A transformer and how it is laid out over GPUs: parameters, floating-point operations, memory.
 *
 * Sources: M. Shoeybi et al., Megatron-LM (2019); D. Narayanan et al., SC21 (parameters and FLOPs
 * in closed form, pipelines); V. Korthikanti et al., MLSys 2023 (activations, sequence parallelism,
 * recomputation); S. Rajbhandari et al., ZeRO, SC20 (sharded states); H. Touvron et al., LLaMA
 * (2023), for gated MLPs and grouped queries; N. Shazeer et al. (2017) and W. Fedus et al. (2022)
 * for experts.
 */
#ifndef WS_TRANSFORMER_H
#define WS_TRANSFORMER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ws/machine.h"

/** Which states the data-parallel ranks share out among each other (ZeRO's stages). */
typedef enum {
    WS_SHARD_NOTHING,    /* DDP */
    WS_SHARD_OPTIMIZER,  /* ZeRO-1 */
    WS_SHARD_GRADIENTS,  /* ZeRO-2 */
    WS_SHARD_PARAMETERS, /* ZeRO-3, FSDP; HSDP when `shard` is below the number of replicas */
    WS_SHARDINGS
} ws_sharding;

typedef enum {
    WS_RECOMPUTE_NONE,
    WS_RECOMPUTE_SELECTIVE, /* the core of attention again in the backward */
    WS_RECOMPUTE_ALTERNATE, /* every other matrix product and all that is cheap (TorchTitan's
                               selective recomputation by operator) */
    WS_RECOMPUTE_FULL,      /* the whole forward of a layer */
    WS_RECOMPUTES
} ws_recompute;

/** The network, of one model. ws_transformer_complete() fills what is 0. */
typedef struct {
    int32_t layers;     /* >= 1 */
    int32_t hidden;     /* >= 1 */
    int32_t heads;      /* >= 1 */
    int32_t kv_heads;   /* 0: heads */
    int32_t head_size;  /* 0: hidden / heads */
    int32_t ffn;        /* of dense layers; 0: 4 hidden, or gated 8/3 hidden in multiples of 256 */
    bool gated;         /* SwiGLU: three matrices instead of two */
    int32_t vocabulary; /* >= 1 */
    int32_t sequence;   /* tokens of a sample, >= 1 */

    int32_t experts;       /* of a layer; 0: dense */
    int32_t experts_used;  /* by a token; >= 1 with experts */
    int32_t expert_ffn;    /* 0: ffn */
    int32_t shared_ffn;    /* of the expert that every token uses; 0: none */
    int32_t experts_every; /* one layer in so many has experts; 0: 1 */
    int32_t dense_first;   /* so many layers at the beginning have none */

    bool biases;              /* as GPT-2 has: on every product, and LayerNorm's */
    bool learned_positions;   /* an embedding of positions */
    bool untied;              /* the output has a matrix of its own */
    bool dropout;             /* masks are kept for the backward */
    bool bidirectional;       /* attention without a causal mask, as in BERT */
    bool plain_attention;     /* scores are written out, in full; else FlashAttention */
    double attention_weights; /* of a layer, when they are not those of heads; 0: derived */
} ws_transformer_shape;

/** How a model is divided. A replica is tensor x pipeline x context GPUs; `expert` divides the
 * experts over GPUs of several replicas (and of a context group). */
typedef struct {
    int32_t tensor; /* all >= 1 */
    int32_t pipeline;
    int32_t interleave; /* model chunks of a pipeline stage */
    int32_t context;
    int32_t expert;
    bool sequence_parallel;
    ws_sharding sharding;
    int32_t shard; /* replicas that share states out; 0: all. Below all: hybrid (HSDP) */
    ws_recompute recompute;
    ws_precision precision; /* of the products */
    double gradient_bytes;  /* of a parameter in the reduction; 0: that of the parameter */
    double optimizer_bytes; /* of states of a parameter; 0: 12, or 8 in 4-byte precisions */
} ws_transformer_layout;

/** Where a sample batch goes: replicas, and samples of one micro-batch of one replica. */
typedef struct {
    int32_t replicas;      /* >= 1 */
    int32_t micro_batch;   /* samples, >= 1 */
    int64_t micro_batches; /* of a step, >= 1 */
} ws_transformer_batch;

/** Bytes on the fullest GPU. */
typedef struct {
    double parameters;
    double gradients;
    double optimizer;
    double activations;
    double buffers; /* gathered units of ZeRO-3, the logits, a bucket */
    double reserve; /* CUDA context, communicators, fragmentation: as stated */
} ws_transformer_memory;

/** Fills in what follows from the rest. */
ws_transformer_shape ws_transformer_complete(const ws_transformer_shape *shape);

/** True when it can be divided so: heads and groups by `tensor`, layers over the stages, experts
 * by `expert`. On false `why` is a phrase: "96 heads do not divide by tensor: 5". */
bool ws_transformer_fits_layout(const ws_transformer_shape *shape,
                                const ws_transformer_layout *layout, char *why, size_t why_bytes);

/* ---- parameters (of a completed shape, as everything below) ---- */

/** All of them, of all experts. */
double ws_transformer_parameters(const ws_transformer_shape *shape);

/** Those that a token meets: of experts only `experts_used`. */
double ws_transformer_active_parameters(const ws_transformer_shape *shape);

/** Of a GPU of the fullest pipeline stage: without experts, and of its experts. */
double ws_transformer_dense_parameters_of_gpu(const ws_transformer_shape *shape,
                                              const ws_transformer_layout *layout);
double ws_transformer_expert_parameters_of_gpu(const ws_transformer_shape *shape,
                                               const ws_transformer_layout *layout);

/** Of the layers and pieces of an average layer, for those who gather one at a time. */
double ws_transformer_layer_parameters(const ws_transformer_shape *shape);

/** GPT in closed form: 12 l h^2 (1 + 13/(12 h) + (V + s)/(12 l h)). Source: SC21, eq. (2). */
double ws_transformer_gpt_parameters(const ws_transformer_shape *shape);

/* ---- floating-point operations ---- */

/** Of the matrix products, and of the core of attention (scores and their product with the values),
 * in a forward of one sample through one layer, and of the logits. */
typedef struct {
    double products;  /* mean over layers */
    double attention; /* half of the square when causal and not plain */
    double logits;    /* of the whole model */
} ws_transformer_flops;

ws_transformer_flops ws_transformer_forward_flops(const ws_transformer_shape *shape);

/** GPT in closed form, of one iteration over `samples`: 72 B s l h^2 (1 + s/(6 h) + V/(12 l h))
 * without recomputation, 96 B s l h^2 (1 + s/(6 h) + V/(16 l h)) with all layers computed again.
 * Source: SC21, eq. (3). Whether the mask is causal does not count. */
double ws_transformer_gpt_flops(const ws_transformer_shape *shape, double samples,
                                ws_recompute recompute);

/* ---- pieces of a pipeline ---- */

/** Layers of the fullest stage: chunks of ceil(layers / (pipeline interleave)). */
int32_t ws_transformer_stage_layers(const ws_transformer_shape *shape,
                                    const ws_transformer_layout *layout);

/* ---- memory ---- */

/** Bytes of a parameter, and of an activation: 4 with fp32 and tf32, else 2, since products of
 * fewer take and give 2. */
double ws_precision_bytes(ws_precision precision);

/** Names as users write them, terminated by NULL. */
extern const char *const ws_sharding_names[];
extern const char *const ws_recompute_names[];

/**
 * Bytes of activations that one sample leaves in one layer on one GPU until its backward.
 *
 * For GPT in 2 bytes with tensor size t: s h (34 + 5 a s / h) undivided; 10 + 24/t + 5 a s/(h t);
 * all by t with sequence parallelism; without the 5 a s / h when recomputed selectively; 2 s h
 * when fully; half of it by alternate products. FlashAttention keeps the core's statistics alone,
 * which are left out. Source: Korthikanti et al., eq. (1) to (6); the terms of other MLPs and of
 * grouped queries are the same tensors counted by their own widths.
 */
double ws_transformer_activation_bytes(const ws_transformer_shape *shape,
                                       const ws_transformer_layout *layout);

/** Bytes that the kernels of one layer's forward write and read again for one sample: each tensor
 * that is kept once, and in full width what tensor-parallel products take and give. */
double ws_transformer_traffic_bytes(const ws_transformer_shape *shape,
                                    const ws_transformer_layout *layout);

/**
 * What a GPU of the first stage holds, which has the most micro-batches in flight: up to
 * `pipeline`, and (1 + (p - 1)/(p v)) of that when interleaved. Sharded states divide by the
 * replicas that share them.
 */
ws_transformer_memory ws_transformer_memory_of(const ws_transformer_shape *shape,
                                               const ws_transformer_layout *layout,
                                               const ws_transformer_batch *batch,
                                               double reserve_bytes);

double ws_transformer_memory_total(const ws_transformer_memory *memory);

#endif
