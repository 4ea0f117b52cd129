/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "transformer_cost.h"

#include <math.h>

/* The backward of FlashAttention makes the scores again: five products instead of the forward's
 * two. Source: T. Dao, FlashAttention-2 (2023). */
#define COST_FUSED_BACKWARD 2.5

/* ---- compute ---- */

/* Passes over the logits in a softmax in 4 bytes that is not fused: cast, maximum, sum, result. */
#define COST_LOGIT_BYTES 16

/* Weights that a GPU reads for one layer, those of all its experts. */
static double cost_weight_bytes(const ws_transformer *transformer)
{
    const ws_transformer_layout *layout = &transformer->layout;
    const ws_transformer_shape *shape = &transformer->shape;

    return ws_transformer_layer_parameters(shape) / layout->tensor / layout->expert *
           ws_precision_bytes(layout->precision);
}

/* Products of the chosen precision; those of attention and of the output stay at 2 bytes. */
static double cost_rate(const ws_transformer *transformer, bool is_core)
{
    ws_precision precision = transformer->layout.precision;

    if (is_core && (precision == WS_FP8 || precision == WS_FP4)) {
        precision = WS_BF16;
    }
    return transformer->gpu.flops_per_s[precision] * transformer->software.products;
}

typedef struct {
    double products_s;
    double attention_s;
    double traffic_s;
    double logits_s; /* of the output, forward */
} cost_layer;

static cost_layer cost_forward(const ws_transformer *transformer, int32_t micro_batch)
{
    const ws_transformer_software *software = &transformer->software;
    const ws_transformer_layout *layout = &transformer->layout;
    ws_transformer_flops flops = ws_transformer_forward_flops(&transformer->shape);
    double memory = transformer->gpu.memory_bytes_per_s * software->memory;
    double part = micro_batch / (double)layout->tensor / layout->context;
    double tokens = transformer->shape.sequence;
    double logits_bytes = COST_LOGIT_BYTES * tokens * transformer->shape.vocabulary;
    double traffic = micro_batch * ws_transformer_traffic_bytes(&transformer->shape, layout);

    return (cost_layer){
        .products_s = part * flops.products / cost_rate(transformer, false),
        .attention_s = part * flops.attention / cost_rate(transformer, true) / software->attention,
        .traffic_s = (traffic + cost_weight_bytes(transformer)) / memory,
        .logits_s = part * (flops.logits / cost_rate(transformer, true) + logits_bytes / memory),
    };
}

static double cost_recomputed(const ws_transformer_layout *layout, const cost_layer *layer)
{
    if (layout->recompute == WS_RECOMPUTE_FULL) {
        return layer->products_s + layer->attention_s + layer->traffic_s;
    }
    if (layout->recompute == WS_RECOMPUTE_ALTERNATE) {
        return 0.5 * layer->products_s + layer->traffic_s;
    }
    return layout->recompute == WS_RECOMPUTE_SELECTIVE ? layer->attention_s : 0;
}

ws_transformer_compute ws_transformer_compute_of(const ws_transformer *transformer, double speed,
                                                 int32_t micro_batch)
{
    WS_ASSERT(micro_batch >= 1);

    const ws_transformer_layout *layout = &transformer->layout;
    const ws_transformer_shape *shape = &transformer->shape;
    cost_layer layer = cost_forward(transformer, micro_batch);
    double launch_s = transformer->software.launch_s;
    double core = shape->plain_attention ? 2 : COST_FUSED_BACKWARD;
    double backward_s = 2 * layer.products_s + core * layer.attention_s + 2 * layer.traffic_s +
                        cost_recomputed(layout, &layer);
    double passes = layout->recompute == WS_RECOMPUTE_FULL ? 3 : 2;
    double full = ws_transformer_stage_layers(shape, layout);
    double last = fmax(shape->layers - (layout->pipeline - 1) * full, 0);
    ws_transformer_compute compute = {.attention_s = layer.attention_s / speed};

    compute.layer_forward_s =
        fmax(layer.products_s + layer.attention_s + layer.traffic_s, launch_s) / speed;
    compute.layer_backward_s = fmax(backward_s, passes * launch_s) / speed;
    /* The last stage has what is left of the layers, and the output. */
    compute.forward_s = fmax(full * compute.layer_forward_s,
                             last * compute.layer_forward_s + layer.logits_s / speed);
    compute.backward_s = fmax(full * compute.layer_backward_s,
                              last * compute.layer_backward_s + 2 * layer.logits_s / speed);
    return compute;
}

/* ---- collectives of a micro-batch ---- */

double ws_transformer_message_bytes(const ws_transformer *transformer, int32_t micro_batch)
{
    WS_ASSERT(micro_batch >= 1);

    const ws_transformer_shape *shape = &transformer->shape;

    return ws_precision_bytes(transformer->layout.precision) * micro_batch * shape->sequence /
           transformer->layout.context * (double)shape->hidden;
}

double ws_transformer_tensor_collectives(const ws_transformer_layout *layout)
{
    WS_ASSERT(layout->tensor >= 1);
    return layout->recompute == WS_RECOMPUTE_FULL ? 6 : 4;
}

double ws_transformer_expert_share(const ws_transformer_shape *shape)
{
    WS_ASSERT(shape->layers >= 1);

    int32_t layers = shape->experts == 0 || shape->dense_first >= shape->layers
                         ? 0
                         : (shape->layers - shape->dense_first) / shape->experts_every;

    return (double)layers / shape->layers;
}

double ws_transformer_token_bytes(const ws_transformer *transformer, int32_t micro_batch)
{
    WS_ASSERT(micro_batch >= 1);

    double split = transformer->layout.sequence_parallel ? transformer->layout.tensor : 1;

    return ws_transformer_message_bytes(transformer, micro_batch) *
           transformer->shape.experts_used / split;
}

double ws_transformer_block_bytes(const ws_transformer *transformer, int32_t micro_batch)
{
    WS_ASSERT(micro_batch >= 1);

    const ws_transformer_shape *shape = &transformer->shape;
    double width = 2.0 * shape->kv_heads * shape->head_size / shape->hidden;

    return ws_transformer_message_bytes(transformer, micro_batch) * width /
           transformer->layout.tensor;
}

static double cost_tensor_s(const ws_transformer *transformer, const ws_group *group, double bytes)
{
    const ws_network *network = transformer->network;
    double once_s = 0;

    if (transformer->layout.sequence_parallel) {
        once_s = ws_collective_s(network, WS_ALL_GATHER, bytes, group) +
                 ws_collective_s(network, WS_REDUCE_SCATTER, bytes, group);
    } else {
        once_s = ws_collective_s(network, WS_ALL_REDUCE, bytes, group);
    }
    return ws_transformer_tensor_collectives(&transformer->layout) * once_s *
           (1 - transformer->software.tensor_overlap);
}

/* Each of c - 1 hops passes a block on while the one before is worked on; the backward passes the
 * gradients of keys and values along. */
static double cost_context_s(const ws_transformer *transformer, const ws_group *group,
                             double attention_s, int32_t micro_batch)
{
    const ws_transformer_layout *layout = &transformer->layout;
    double block_s = attention_s / layout->context;
    double hop_s = ws_collective_s(transformer->network, WS_SEND_RECV,
                                   ws_transformer_block_bytes(transformer, micro_batch), group);
    double forward_s = fmax(hop_s - block_s, 0);
    double backward_s = fmax(2 * hop_s - COST_FUSED_BACKWARD * block_s, 0);
    double passes = layout->recompute == WS_RECOMPUTE_NONE ? 1 : 2;

    return (layout->context - 1) * (passes * forward_s + backward_s);
}

ws_transformer_waits ws_transformer_waits_of(const ws_transformer *transformer,
                                             const ws_transformer_groups *groups,
                                             const ws_transformer_compute *compute,
                                             int32_t micro_batch)
{
    WS_ASSERT(micro_batch >= 1);

    const ws_transformer_layout *layout = &transformer->layout;
    double layers = ws_transformer_stage_layers(&transformer->shape, layout);
    double message = ws_transformer_message_bytes(transformer, micro_batch);
    double exchanges = layout->recompute == WS_RECOMPUTE_FULL ? 6 : 4;
    double exchange_s =
        ws_collective_s(transformer->network, WS_ALL_TO_ALL,
                        ws_transformer_token_bytes(transformer, micro_batch), &groups->expert);

    return (ws_transformer_waits){
        .tensor_s = layers * cost_tensor_s(transformer, &groups->tensor, message),
        .context_s = layers * cost_context_s(transformer, &groups->context, compute->attention_s,
                                             micro_batch),
        .expert_s = layers * ws_transformer_expert_share(&transformer->shape) * exchanges *
                    exchange_s * (1 - transformer->software.expert_overlap),
        .send_s = ws_collective_s(transformer->network, WS_SEND_RECV, message / layout->tensor,
                                  &groups->pipeline),
    };
}
