/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Times of the pieces of a step: one micro-batch on one GPU of the fullest stage. */
#ifndef WS_TRANSFORMER_COST_H
#define WS_TRANSFORMER_COST_H

#include "transformer_place.h"

/** Compute of a micro-batch. */
typedef struct {
    double layer_forward_s;
    double layer_backward_s; /* recomputation included */
    double attention_s;      /* the core's part of the forward */
    double forward_s;        /* of the stage, the output with it */
    double backward_s;
} ws_transformer_compute;

/** What a micro-batch waits for. */
typedef struct {
    double tensor_s;
    double context_s;
    double expert_s;
    double send_s; /* one boundary, one direction, of one chunk */
} ws_transformer_waits;

/** Data-parallel collectives of a step. */
typedef struct {
    double exposed_s;
    double hidden_s;
} ws_transformer_reduction;

ws_transformer_compute ws_transformer_compute_of(const ws_transformer *transformer, double speed,
                                                 int32_t micro_batch);

ws_transformer_waits ws_transformer_waits_of(const ws_transformer *transformer,
                                             const ws_transformer_groups *groups,
                                             const ws_transformer_compute *compute,
                                             int32_t micro_batch);

ws_transformer_reduction ws_transformer_reduction_of(const ws_transformer *transformer,
                                                     const ws_transformer_groups *groups,
                                                     const ws_transformer_compute *compute,
                                                     int64_t micro_batches);

/** Bytes of a gradient in the reduction. */
double ws_transformer_gradient_bytes(const ws_transformer_layout *layout);

/** Bytes of the activations between two layers on one context rank, of one micro-batch. */
double ws_transformer_message_bytes(const ws_transformer *transformer, int32_t micro_batch);

/** All-reduces (or pairs of all-gather and reduce-scatter) of a layer's tensor ranks. */
double ws_transformer_tensor_collectives(const ws_transformer_layout *layout);

/** Share of layers that have experts. */
double ws_transformer_expert_share(const ws_transformer_shape *shape);

/** Bytes of tokens that a rank sends to experts at once. */
double ws_transformer_token_bytes(const ws_transformer *transformer, int32_t micro_batch);

/** Bytes of keys and values that a context rank passes on at once. */
double ws_transformer_block_bytes(const ws_transformer *transformer, int32_t micro_batch);

/** How far measured collectives cover those of a step. @param parameters  ws_transformer */
ws_coverage ws_transformer_coverage(const void *parameters, const ws_world *world);

#endif
