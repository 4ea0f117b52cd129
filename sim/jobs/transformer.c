/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The network itself: parameters, operations, and whether it divides. */
#include "ws/transformer.h"

#include <math.h>
#include <stdio.h>

#include "ws/assert.h"

const char *const ws_sharding_names[] = {"ddp", "zero-1", "zero-2", "zero-3", NULL};
const char *const ws_recompute_names[] = {"none", "selective", "alternate", "full", NULL};

double ws_precision_bytes(ws_precision precision)
{
    return precision == WS_FP32 || precision == WS_TF32 ? 4 : 2;
}

static int32_t transformer_default(int32_t value, int32_t otherwise)
{
    return value > 0 ? value : otherwise;
}

/* Gated MLPs have three matrices: two thirds of the width keep the count. LLaMA rounds up to 256.
 */
static int32_t transformer_default_ffn(const ws_transformer_shape *shape)
{
    int64_t gated = ((int64_t)shape->hidden * 8 / 3 + 255) / 256 * 256;

    return (int32_t)(shape->gated ? gated : (int64_t)shape->hidden * 4);
}

ws_transformer_shape ws_transformer_complete(const ws_transformer_shape *shape)
{
    ws_transformer_shape full = *shape;

    WS_ASSERT(shape->hidden >= 1);
    WS_ASSERT(shape->heads >= 1);
    full.kv_heads = transformer_default(full.kv_heads, full.heads);
    full.head_size = transformer_default(full.head_size, full.hidden / full.heads);
    full.ffn = transformer_default(full.ffn, transformer_default_ffn(shape));
    full.experts_every = transformer_default(full.experts_every, 1);
    full.expert_ffn = transformer_default(full.expert_ffn, full.ffn);
    return full;
}

static bool transformer_refuse(char *why, size_t why_bytes, int32_t count, const char *what,
                               const char *by, int32_t parts)
{
    (void)snprintf(why, why_bytes, "%d %s do not divide by `%s: %d`", count, what, by, parts);
    return false;
}

bool ws_transformer_fits_layout(const ws_transformer_shape *shape,
                                const ws_transformer_layout *layout, char *why, size_t why_bytes)
{
    WS_ASSERT(shape->layers >= 1);
    WS_ASSERT(layout->tensor >= 1);

    int64_t chunks = (int64_t)layout->pipeline * layout->interleave;

    if (shape->heads % layout->tensor != 0) {
        return transformer_refuse(why, why_bytes, shape->heads, "heads", "tensor", layout->tensor);
    }
    if (shape->ffn % layout->tensor != 0) {
        return transformer_refuse(why, why_bytes, shape->ffn, "columns of `ffn`", "tensor",
                                  layout->tensor);
    }
    if (shape->sequence % layout->context != 0) {
        return transformer_refuse(why, why_bytes, shape->sequence, "tokens", "context",
                                  layout->context);
    }
    if (layout->expert > 1 && (shape->experts == 0 || shape->experts % layout->expert != 0)) {
        return transformer_refuse(why, why_bytes, shape->experts, "experts", "expert",
                                  layout->expert);
    }
    /* The first chunk may hold the embedding alone, and the last the output. */
    if (chunks > (int64_t)shape->layers + 2) {
        (void)snprintf(why, why_bytes, "%d layers are fewer than %lld pieces of the pipeline",
                       shape->layers, (long long)chunks);
        return false;
    }
    if (layout->interleave > 1 && layout->pipeline == 1) {
        (void)snprintf(why, why_bytes, "`interleave` without a `pipeline`");
        return false;
    }
    return true;
}

/* ---- layers ---- */

static int32_t transformer_expert_layers(const ws_transformer_shape *shape)
{
    if (shape->experts == 0 || shape->dense_first >= shape->layers) {
        return 0;
    }
    return (shape->layers - shape->dense_first) / shape->experts_every;
}

static double transformer_mlp(const ws_transformer_shape *shape, double ffn)
{
    return (shape->gated ? 3.0 : 2.0) * shape->hidden * ffn;
}

/* Weights of the products of attention, without biases. */
static double transformer_attention(const ws_transformer_shape *shape)
{
    double queries = (double)shape->heads * shape->head_size;
    double keys = (double)shape->kv_heads * shape->head_size;

    if (shape->attention_weights > 0) {
        return shape->attention_weights;
    }
    return shape->hidden * (2 * queries + 2 * keys);
}

/* Norms and biases of a layer: GPT's 13 h, or two RMS norms. */
static double transformer_small(const ws_transformer_shape *shape)
{
    double h = shape->hidden;
    double queries = (double)shape->heads * shape->head_size;
    double keys = (double)shape->kv_heads * shape->head_size;

    return shape->biases ? 4 * h + queries + 2 * keys + h + shape->ffn + h : 2 * h;
}

/* What every token meets in a layer with experts, beside them. */
static double transformer_around_experts(const ws_transformer_shape *shape)
{
    return transformer_mlp(shape, shape->shared_ffn) + (double)shape->hidden * shape->experts;
}

static double transformer_embeddings(const ws_transformer_shape *shape)
{
    double rows = (double)shape->vocabulary * (shape->untied ? 2 : 1) +
                  (shape->learned_positions ? shape->sequence : 0);

    return rows * shape->hidden;
}

/* Of all layers, without experts. */
static double transformer_dense(const ws_transformer_shape *shape)
{
    double with_experts = transformer_expert_layers(shape);

    return shape->layers * (transformer_attention(shape) + transformer_small(shape)) +
           (shape->layers - with_experts) * transformer_mlp(shape, shape->ffn) +
           with_experts * transformer_around_experts(shape);
}

static double transformer_experts(const ws_transformer_shape *shape, double count)
{
    return transformer_expert_layers(shape) * count * transformer_mlp(shape, shape->expert_ffn);
}

static double transformer_final_norm(const ws_transformer_shape *shape)
{
    return (shape->biases ? 2.0 : 1.0) * shape->hidden;
}

double ws_transformer_parameters(const ws_transformer_shape *shape)
{
    WS_ASSERT(shape->layers >= 1);
    return transformer_dense(shape) + transformer_experts(shape, shape->experts) +
           transformer_embeddings(shape) + transformer_final_norm(shape);
}

double ws_transformer_active_parameters(const ws_transformer_shape *shape)
{
    WS_ASSERT(shape->layers >= 1);
    return transformer_dense(shape) + transformer_experts(shape, shape->experts_used) +
           transformer_embeddings(shape) + transformer_final_norm(shape);
}

double ws_transformer_layer_parameters(const ws_transformer_shape *shape)
{
    WS_ASSERT(shape->layers >= 1);
    return (transformer_dense(shape) + transformer_experts(shape, shape->experts)) / shape->layers;
}

int32_t ws_transformer_stage_layers(const ws_transformer_shape *shape,
                                    const ws_transformer_layout *layout)
{
    int32_t chunks = layout->pipeline * layout->interleave;

    WS_ASSERT(chunks >= 1);
    return (shape->layers + chunks - 1) / chunks * layout->interleave;
}

/* The stage's part of all layers; the fullest one has the embedding as well, and the output's when
 * there is no other stage for it. */
double ws_transformer_dense_parameters_of_gpu(const ws_transformer_shape *shape,
                                              const ws_transformer_layout *layout)
{
    WS_ASSERT(shape->layers >= 1);
    WS_ASSERT(layout->tensor >= 1);

    double part = (double)ws_transformer_stage_layers(shape, layout) / shape->layers;
    double embeddings = transformer_embeddings(shape);

    if (layout->pipeline > 1 && shape->untied) {
        embeddings /= 2;
    }
    return (transformer_dense(shape) * part + embeddings + transformer_final_norm(shape)) /
           layout->tensor;
}

double ws_transformer_expert_parameters_of_gpu(const ws_transformer_shape *shape,
                                               const ws_transformer_layout *layout)
{
    WS_ASSERT(shape->layers >= 1);
    WS_ASSERT(layout->tensor >= 1);

    double part = (double)ws_transformer_stage_layers(shape, layout) / shape->layers;

    return transformer_experts(shape, shape->experts) * part / layout->tensor / layout->expert;
}

double ws_transformer_gpt_parameters(const ws_transformer_shape *shape)
{
    WS_ASSERT(shape->layers >= 1);

    double l = shape->layers;
    double h = shape->hidden;

    return 12 * l * h * h *
           (1 + 13 / (12 * h) + ((double)shape->vocabulary + shape->sequence) / (12 * l * h));
}

/* ---- operations ---- */

ws_transformer_flops ws_transformer_forward_flops(const ws_transformer_shape *shape)
{
    WS_ASSERT(shape->layers >= 1);

    double s = shape->sequence;
    double with_experts = transformer_expert_layers(shape);
    double mlp = (shape->layers - with_experts) * transformer_mlp(shape, shape->ffn) +
                 with_experts * transformer_around_experts(shape) +
                 transformer_experts(shape, shape->experts_used);
    double weights = transformer_attention(shape) + mlp / shape->layers;
    bool halved = !shape->bidirectional && !shape->plain_attention;

    return (ws_transformer_flops){
        .products = 2 * s * weights,
        .attention = 4 * s * s * shape->heads * shape->head_size * (halved ? 0.5 : 1),
        .logits = 2 * s * (double)shape->hidden * shape->vocabulary,
    };
}

double ws_transformer_gpt_flops(const ws_transformer_shape *shape, double samples,
                                ws_recompute recompute)
{
    WS_ASSERT(shape->layers >= 1);

    double l = shape->layers;
    double h = shape->hidden;
    double s = shape->sequence;
    double passes = recompute == WS_RECOMPUTE_FULL ? 4 : 3; /* a backward is two forwards */

    return 24 * passes * samples * s * l * h * h *
           (1 + s / (6 * h) + shape->vocabulary / (4 * passes * l * h));
}
