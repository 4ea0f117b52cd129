/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a GPU has to hold. */
#include <math.h>

#include "ws/assert.h"
#include "ws/transformer.h"

/* Bytes of a tensor of one sample and one layer, in units of sequence x hidden x element: those
 * that tensor parallelism divides, those that only sequence parallelism does, and the core of
 * attention. A dropout mask is one byte an element, whatever the element. */
typedef struct {
    double divided;
    double whole;
    double core;
} memory_tensors;

/* Attention: its input; queries, keys, values; the product with the values. MLP: its input; what
 * each of its matrices makes. Two norms: their inputs. */
static memory_tensors memory_of_layer(const ws_transformer_shape *shape, double bytes)
{
    double h = shape->hidden;
    double queries = (double)shape->heads * shape->head_size / h;
    double keys = (double)shape->kv_heads * shape->head_size / h;
    double width = shape->ffn;

    if (shape->experts > 0) {
        width = (double)shape->experts_used * shape->expert_ffn + shape->shared_ffn;
    }
    double mask = shape->dropout ? 1 : 0;
    double scores = (double)shape->heads * shape->sequence / h;
    return (memory_tensors){
        .divided = bytes * (2 * queries + 2 * keys) + bytes * (shape->gated ? 3 : 2) * width / h,
        .whole = 4 * bytes + 2 * mask,
        .core = shape->plain_attention ? scores * (2 * bytes + mask) : 0,
    };
}

double ws_transformer_activation_bytes(const ws_transformer_shape *shape,
                                       const ws_transformer_layout *layout)
{
    WS_ASSERT(shape->layers >= 1);
    WS_ASSERT(layout->tensor >= 1);

    double bytes = ws_precision_bytes(layout->precision);
    double unit = (double)shape->sequence / layout->context * shape->hidden;
    double t = layout->tensor;
    double whole_by = layout->sequence_parallel ? t : 1;
    memory_tensors tensors = memory_of_layer(shape, bytes);

    if (layout->recompute == WS_RECOMPUTE_FULL) {
        return unit * bytes / whole_by;
    }
    double core = layout->recompute == WS_RECOMPUTE_SELECTIVE ? 0 : tensors.core;
    double kept = layout->recompute == WS_RECOMPUTE_ALTERNATE ? 0.5 : 1;
    return kept * unit * ((tensors.divided + core) / t + tensors.whole / whole_by);
}

double ws_transformer_traffic_bytes(const ws_transformer_shape *shape,
                                    const ws_transformer_layout *layout)
{
    WS_ASSERT(shape->layers >= 1);
    WS_ASSERT(layout->tensor >= 1);

    double bytes = ws_precision_bytes(layout->precision);
    double tokens = (double)shape->sequence / layout->context * shape->hidden;
    double whole_by = layout->sequence_parallel ? layout->tensor : 1;
    memory_tensors tensors = memory_of_layer(shape, bytes);
    double gathered = 4 * bytes; /* what the products of attention and of the MLP take and give */

    return 2 * tokens *
           ((tensors.divided + tensors.core) / layout->tensor + tensors.whole / whole_by +
            gathered);
}

/* Layers whose activations lie on a GPU of the first stage at once. */
static double memory_layers_in_flight(const ws_transformer_shape *shape,
                                      const ws_transformer_layout *layout,
                                      const ws_transformer_batch *batch)
{
    double p = layout->pipeline;
    double v = layout->interleave;
    double of_stage = ws_transformer_stage_layers(shape, layout);
    double at_once = v > 1 ? p * (1 + (p - 1) / (p * v)) : p;

    return of_stage * fmin(at_once, (double)batch->micro_batches);
}

/* Recomputing a layer needs all its activations for as long as its backward takes. */
static double memory_activations(const ws_transformer_shape *shape,
                                 const ws_transformer_layout *layout,
                                 const ws_transformer_batch *batch)
{
    double kept = ws_transformer_activation_bytes(shape, layout) *
                  memory_layers_in_flight(shape, layout, batch);

    if (layout->recompute != WS_RECOMPUTE_NONE) {
        ws_transformer_layout whole = *layout;
        whole.recompute = WS_RECOMPUTE_NONE;
        double left = layout->recompute == WS_RECOMPUTE_FULL
                          ? 0
                          : ws_transformer_activation_bytes(shape, layout);
        kept += ws_transformer_activation_bytes(shape, &whole) - left;
    }
    return kept * batch->micro_batch;
}

/* Two gathered layers (the one at work and the next) of a sharded model; the logits in 4 bytes
 * where the last stage is the first one too. */
static double memory_buffers(const ws_transformer_shape *shape, const ws_transformer_layout *layout,
                             const ws_transformer_batch *batch)
{
    double bytes = 0;

    if (layout->sharding == WS_SHARD_PARAMETERS && batch->replicas > 1) {
        bytes += 2 * ws_transformer_layer_parameters(shape) / layout->tensor / layout->expert *
                 ws_precision_bytes(layout->precision);
    }
    if (layout->pipeline == 1) {
        bytes += 4.0 * batch->micro_batch * shape->sequence / layout->context *
                 (double)shape->vocabulary / layout->tensor;
    }
    return bytes;
}

static void memory_add_states(ws_transformer_memory *memory, const ws_transformer_layout *layout,
                              double parameters, double shared_by)
{
    double bytes = ws_precision_bytes(layout->precision);
    double optimizer = layout->optimizer_bytes > 0 ? layout->optimizer_bytes : bytes < 4 ? 12 : 8;

    memory->parameters +=
        bytes * parameters / (layout->sharding >= WS_SHARD_PARAMETERS ? shared_by : 1);
    memory->gradients +=
        bytes * parameters / (layout->sharding >= WS_SHARD_GRADIENTS ? shared_by : 1);
    memory->optimizer +=
        optimizer * parameters / (layout->sharding >= WS_SHARD_OPTIMIZER ? shared_by : 1);
}

ws_transformer_memory ws_transformer_memory_of(const ws_transformer_shape *shape,
                                               const ws_transformer_layout *layout,
                                               const ws_transformer_batch *batch,
                                               double reserve_bytes)
{
    ws_transformer_memory memory = {.reserve = reserve_bytes};
    double sharers = (double)batch->replicas * layout->context;

    WS_ASSERT(batch->replicas >= 1);
    WS_ASSERT(batch->micro_batch >= 1);
    WS_ASSERT(batch->micro_batches >= 1);
    if (layout->shard > 0) {
        sharers = fmin(sharers, (double)layout->shard * layout->context);
    }
    memory_add_states(&memory, layout, ws_transformer_dense_parameters_of_gpu(shape, layout),
                      sharers);
    /* Experts lie on `expert` GPUs of those that hold copies of the rest: fewer copies to share. */
    memory_add_states(&memory, layout, ws_transformer_expert_parameters_of_gpu(shape, layout),
                      fmax(sharers / layout->expert, 1));
    memory.activations = memory_activations(shape, layout, batch);
    memory.buffers = memory_buffers(shape, layout, batch);
    return memory;
}

double ws_transformer_memory_total(const ws_transformer_memory *memory)
{
    return memory->parameters + memory->gradients + memory->optimizer + memory->activations +
           memory->buffers + memory->reserve;
}
