/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Data-parallel collectives: reduced in buckets, or gathered and scattered layer by layer. */
#include <math.h>

#include "transformer_cost.h"

double ws_transformer_gradient_bytes(const ws_transformer_layout *layout)
{
    WS_ASSERT(layout->tensor >= 1);
    return layout->gradient_bytes > 0 ? layout->gradient_bytes
                                      : ws_precision_bytes(layout->precision);
}

/* What one kind of parameters (of the whole model, or of experts) is reduced over. */
typedef struct {
    double parameters; /* of a GPU */
    const ws_group *group;
    double units; /* layers of the stage */
} reduction_part;

/* Exposed and all together, of `count` collectives of which each takes `each_s`, beside a pass. */
static void reduction_add_buckets(ws_transformer_reduction *sum, const ws_transformer *transformer,
                                  double count, double each_s, double pass_s)
{
    double all_s = count * each_s;
    double exposed_s = all_s;

    if (transformer->software.overlaps_gradients && all_s > 0) {
        exposed_s = fmin(ws_overlap_equal_exposed_s(count, each_s, pass_s), all_s);
    }
    sum->exposed_s += exposed_s;
    sum->hidden_s += all_s - exposed_s;
}

/* Passes of a stage that a collective of its chunks can hide behind: the last micro-batch's; when
 * interleaved those of the last group of `pipeline` micro-batches, which go through the chunks one
 * after the other. */
static double reduction_passes(const ws_transformer_layout *layout, int64_t micro_batches)
{
    return layout->interleave > 1 ? fmin(layout->pipeline, (double)micro_batches) : 1;
}

/* An all-reduce of the gradients (DDP); or their reduce-scatter, and an all-gather of the
 * parameters before the next forward (ZeRO-1 and 2). */
static void reduction_add_replicated(ws_transformer_reduction *sum,
                                     const ws_transformer *transformer, const reduction_part *part,
                                     const ws_transformer_compute *window)
{
    const ws_network *network = transformer->network;
    const ws_transformer_layout *layout = &transformer->layout;
    double bytes = part->parameters * ws_transformer_gradient_bytes(layout);
    double count = fmax(ceil(bytes / transformer->software.bucket_bytes), 1);
    double parameter_bytes = part->parameters * ws_precision_bytes(layout->precision);

    if (layout->sharding == WS_SHARD_NOTHING) {
        reduction_add_buckets(sum, transformer, count,
                              ws_collective_s(network, WS_ALL_REDUCE, bytes / count, part->group),
                              window->backward_s);
        return;
    }
    reduction_add_buckets(sum, transformer, count,
                          ws_collective_s(network, WS_REDUCE_SCATTER, bytes / count, part->group),
                          window->backward_s);
    reduction_add_buckets(
        sum, transformer, count,
        ws_collective_s(network, WS_ALL_GATHER, parameter_bytes / count, part->group),
        window->forward_s);
}

/* Each layer is gathered for the forward, again for the backward, and its gradients are scattered;
 * the next one's gathering hides behind it. Once for each micro-batch. */
static void reduction_add_sharded(ws_transformer_reduction *sum, const ws_transformer *transformer,
                                  const reduction_part *part, const ws_transformer_compute *compute)
{
    const ws_network *network = transformer->network;
    const ws_transformer_layout *layout = &transformer->layout;
    double pieces = transformer->software.gathers_per_layer;
    double of_piece = part->parameters / part->units / pieces;
    double gather_s =
        pieces * ws_collective_s(network, WS_ALL_GATHER,
                                 of_piece * ws_precision_bytes(layout->precision), part->group);
    double scatter_s =
        pieces * ws_collective_s(network, WS_REDUCE_SCATTER,
                                 of_piece * ws_transformer_gradient_bytes(layout), part->group);
    double all_s = part->units * (2 * gather_s + scatter_s);
    double exposed_s = all_s;

    if (transformer->software.overlaps_gradients && all_s > 0) {
        exposed_s =
            ws_overlap_prefetch_exposed_s(part->units, gather_s, compute->forward_s / part->units) +
            ws_overlap_prefetch_exposed_s(part->units, gather_s + scatter_s,
                                          compute->backward_s / part->units);
        exposed_s = fmin(exposed_s, all_s);
    }
    sum->exposed_s += exposed_s;
    sum->hidden_s += all_s - exposed_s;
}

/* Shards of a hybrid layout are summed with their copies. */
static double reduction_hybrid_s(const ws_transformer *transformer, const reduction_part *part,
                                 const ws_group *copies)
{
    double bytes = part->parameters * ws_transformer_gradient_bytes(&transformer->layout);

    return ws_collective_s(transformer->network, WS_ALL_REDUCE, bytes / part->group->ranks, copies);
}

ws_transformer_reduction ws_transformer_reduction_of(const ws_transformer *transformer,
                                                     const ws_transformer_groups *groups,
                                                     const ws_transformer_compute *compute,
                                                     int64_t micro_batches)
{
    WS_ASSERT(micro_batches >= 1);

    const ws_transformer_layout *layout = &transformer->layout;
    const ws_transformer_shape *shape = &transformer->shape;
    double units = ws_transformer_stage_layers(shape, layout);
    reduction_part parts[2] = {
        {ws_transformer_dense_parameters_of_gpu(shape, layout), &groups->data, units},
        {ws_transformer_expert_parameters_of_gpu(shape, layout), &groups->of_expert, units},
    };
    double passes = reduction_passes(layout, micro_batches);
    ws_transformer_compute window = {.forward_s = passes * compute->forward_s,
                                     .backward_s = passes * compute->backward_s};
    ws_transformer_reduction sum = {.exposed_s = 0};

    for (size_t i = 0; i < WS_COUNT_OF(parts); i++) {
        ws_transformer_reduction once = {.exposed_s = 0};

        if (!(parts[i].parameters > 0)) {
            continue;
        }
        if (layout->sharding != WS_SHARD_PARAMETERS) {
            reduction_add_replicated(&sum, transformer, &parts[i], &window);
            continue;
        }
        reduction_add_sharded(&once, transformer, &parts[i], compute);
        sum.exposed_s += (double)micro_batches * once.exposed_s;
        sum.hidden_s += (double)micro_batches * once.hidden_s;
        if (i == 0) {
            sum.exposed_s += reduction_hybrid_s(transformer, &parts[i], &groups->copies);
        }
    }
    return sum;
}
