/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a step puts on the links, and in which order gradients come. */
#include <math.h>

#include "transformer_cost.h"

/* A ring's part of an array that all ranks get: (n - 1)/n. */
static double traffic_ring(const ws_group *group)
{
    return (group->ranks - 1.0) / group->ranks;
}

static double traffic_data(const ws_transformer_layout *layout, const ws_group *group,
                           double parameters, double micro_batches)
{
    double gathered = parameters * ws_precision_bytes(layout->precision);
    double reduced = parameters * ws_transformer_gradient_bytes(layout);

    if (layout->sharding == WS_SHARD_NOTHING) {
        return 2 * traffic_ring(group) * reduced;
    }
    if (layout->sharding == WS_SHARD_PARAMETERS) {
        return micro_batches * traffic_ring(group) * (2 * gathered + reduced);
    }
    return traffic_ring(group) * (gathered + reduced);
}

/* Shards of a hybrid layout, with their copies. */
static double traffic_hybrid(const ws_transformer_layout *layout,
                             const ws_transformer_groups *groups, double parameters)
{
    if (layout->sharding != WS_SHARD_PARAMETERS) {
        return 0;
    }
    return 2 * traffic_ring(&groups->copies) * parameters / groups->data.ranks *
           ws_transformer_gradient_bytes(layout);
}

ws_transformer_traffic ws_transformer_traffic_of(const ws_transformer *transformer,
                                                 const ws_world *world)
{
    WS_ASSERT(world->replicas >= 1);

    const ws_transformer_layout *layout = &transformer->layout;
    const ws_transformer_shape *shape = &transformer->shape;
    ws_transformer_groups groups = ws_transformer_place(layout, world);
    ws_transformer_batch batch = ws_transformer_break_down(transformer, world).batch;
    double m = (double)batch.micro_batches;
    double layers = m * ws_transformer_stage_layers(shape, layout);
    double message = ws_transformer_message_bytes(transformer, batch.micro_batch);
    double blocks = layout->recompute == WS_RECOMPUTE_NONE ? 3 : 4;
    double exchanges = layout->recompute == WS_RECOMPUTE_FULL ? 6 : 4;
    double dense = ws_transformer_dense_parameters_of_gpu(shape, layout);

    return (ws_transformer_traffic){
        .tensor = layers * ws_transformer_tensor_collectives(layout) * 2 *
                  traffic_ring(&groups.tensor) * message,
        .context = layers * blocks * (layout->context - 1) *
                   ws_transformer_block_bytes(transformer, batch.micro_batch),
        .expert = layers * ws_transformer_expert_share(shape) * exchanges *
                  traffic_ring(&groups.expert) *
                  ws_transformer_token_bytes(transformer, batch.micro_batch),
        .pipeline = layout->pipeline > 1 ? m * layout->interleave * message / layout->tensor : 0,
        .data = traffic_data(layout, &groups.data, dense, m) +
                traffic_hybrid(layout, &groups, dense) +
                traffic_data(layout, &groups.of_expert,
                             ws_transformer_expert_parameters_of_gpu(shape, layout), m),
    };
}

size_t ws_transformer_buckets(const ws_transformer *transformer, const ws_world *world,
                              ws_bucket *buckets, size_t capacity)
{
    WS_ASSERT(world->replicas >= 1);

    const ws_transformer_layout *layout = &transformer->layout;
    const ws_transformer_shape *shape = &transformer->shape;
    ws_step_breakdown step = ws_transformer_break_down(transformer, world);
    ws_transformer_compute one =
        ws_transformer_compute_of(transformer, world->speed, step.batch.micro_batch);
    double parameters = ws_transformer_dense_parameters_of_gpu(shape, layout) +
                        ws_transformer_expert_parameters_of_gpu(shape, layout);
    double bytes = parameters * ws_transformer_gradient_bytes(layout);
    double each = transformer->software.bucket_bytes;
    size_t count = (size_t)fmax(ceil(bytes / each), 1);

    for (size_t i = 0; i < count && i < capacity; i++) {
        double end = fmin(((double)i + 1) * each, bytes);
        buckets[i] =
            (ws_bucket){.bytes = end - (double)i * each, .ready_s = one.backward_s * end / bytes};
    }
    return count;
}
