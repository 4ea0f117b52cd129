/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether the collectives of a step lie within what the network's type was measured for. */
#include <math.h>

#include "transformer_cost.h"

/* Collectives of one step, and the worst that was found so far. */
typedef struct {
    const ws_transformer *transformer;
    ws_transformer_groups groups;
    int32_t micro_batch;
    ws_coverage worst;
} coverage;

static void coverage_add(coverage *of, ws_collective_operation operation, double bytes,
                         const ws_group *group)
{
    ws_coverage here = ws_collective_coverage(of->transformer->network, operation, bytes, group);

    of->worst = here > of->worst ? here : of->worst;
}

static void coverage_add_tensor(coverage *of)
{
    double bytes = ws_transformer_message_bytes(of->transformer, of->micro_batch);

    if (!of->transformer->layout.sequence_parallel) {
        coverage_add(of, WS_ALL_REDUCE, bytes, &of->groups.tensor);
        return;
    }
    coverage_add(of, WS_ALL_GATHER, bytes, &of->groups.tensor);
    coverage_add(of, WS_REDUCE_SCATTER, bytes, &of->groups.tensor);
}

static void coverage_add_exchanges(coverage *of)
{
    const ws_transformer *transformer = of->transformer;

    if (transformer->layout.context > 1) {
        coverage_add(of, WS_SEND_RECV, ws_transformer_block_bytes(transformer, of->micro_batch),
                     &of->groups.context);
    }
    if (transformer->layout.pipeline > 1) {
        coverage_add(of, WS_SEND_RECV,
                     ws_transformer_message_bytes(transformer, of->micro_batch) /
                         transformer->layout.tensor,
                     &of->groups.pipeline);
    }
    if (ws_transformer_expert_share(&transformer->shape) > 0) {
        coverage_add(of, WS_ALL_TO_ALL, ws_transformer_token_bytes(transformer, of->micro_batch),
                     &of->groups.expert);
    }
}

/* @param parameters  of a GPU, of one kind */
static void coverage_add_data(coverage *of, double parameters, const ws_group *group)
{
    const ws_transformer *transformer = of->transformer;
    const ws_transformer_layout *layout = &transformer->layout;
    double reduced = parameters * ws_transformer_gradient_bytes(layout);
    double gathered = parameters * ws_precision_bytes(layout->precision);
    double pieces = fmax(ceil(reduced / transformer->software.bucket_bytes), 1);

    if (!(parameters > 0)) {
        return;
    }
    if (layout->sharding == WS_SHARD_NOTHING) {
        coverage_add(of, WS_ALL_REDUCE, reduced / pieces, group);
        return;
    }
    if (layout->sharding == WS_SHARD_PARAMETERS) {
        pieces = (double)ws_transformer_stage_layers(&transformer->shape, layout) *
                 transformer->software.gathers_per_layer;
    }
    coverage_add(of, WS_REDUCE_SCATTER, reduced / pieces, group);
    coverage_add(of, WS_ALL_GATHER, gathered / pieces, group);
}

static void coverage_add_copies(coverage *of, double parameters)
{
    const ws_transformer_layout *layout = &of->transformer->layout;

    if (layout->sharding == WS_SHARD_PARAMETERS) {
        coverage_add(of, WS_ALL_REDUCE,
                     parameters * ws_transformer_gradient_bytes(layout) / of->groups.data.ranks,
                     &of->groups.copies);
    }
}

ws_coverage ws_transformer_coverage(const void *parameters, const ws_world *world)
{
    WS_ASSERT(world->replicas >= 1);

    const ws_transformer *transformer = parameters;
    const ws_transformer_shape *shape = &transformer->shape;
    const ws_transformer_layout *layout = &transformer->layout;
    double dense = ws_transformer_dense_parameters_of_gpu(shape, layout);
    coverage of = {
        .transformer = transformer,
        .groups = ws_transformer_place(layout, world),
        .micro_batch = ws_transformer_break_down(transformer, world).batch.micro_batch,
        .worst = WS_COVERED,
    };

    coverage_add_tensor(&of);
    coverage_add_exchanges(&of);
    coverage_add_data(&of, dense, &of.groups.data);
    coverage_add_data(&of, ws_transformer_expert_parameters_of_gpu(shape, layout),
                      &of.groups.of_expert);
    coverage_add_copies(&of, dense);
    return of.worst;
}
