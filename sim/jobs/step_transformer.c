/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ws/step_transformer.h"

#include <math.h>

#include "transformer_cost.h"

ws_transformer_software ws_transformer_software_default(void)
{
    return (ws_transformer_software){
        .products = 0.65,
        .attention = 0.7,
        .memory = 0.8,
        .launch_s = 0,
        .overlaps_gradients = true,
        .pipeline_overlap = 0,
        .bucket_bytes = 25.0 * 1024 * 1024,
        .gathers_per_layer = 1,
        .optimizer_traffic = 30,
    };
}

ws_transformer_gpu ws_transformer_gpu_of(const ws_gpu_model *model)
{
    ws_transformer_gpu gpu = {.memory_bytes = model->memory_bytes,
                              .memory_bytes_per_s = model->memory_bytes_per_s};

    for (int precision = 0; precision < WS_PRECISIONS; precision++) {
        gpu.flops_per_s[precision] = model->flops_per_s[precision];
    }
    return gpu;
}

int64_t ws_transformer_share(double global_batch, int32_t replicas)
{
    WS_ASSERT(global_batch > 0);
    WS_ASSERT(replicas >= 1);
    return (int64_t)fmax(ceil(global_batch / replicas - 1e-9), 1);
}

/* ---- a step with a given micro-batch ---- */

static double step_optimizer_s(const ws_transformer *transformer, const ws_world *world)
{
    const ws_transformer_layout *layout = &transformer->layout;
    double sharers = 1;
    double parameters = ws_transformer_dense_parameters_of_gpu(&transformer->shape, layout);
    double experts = ws_transformer_expert_parameters_of_gpu(&transformer->shape, layout);

    if (layout->sharding != WS_SHARD_NOTHING) {
        int32_t shard =
            layout->shard > 0 && layout->shard < world->replicas ? layout->shard : world->replicas;
        sharers = (double)shard * layout->context;
    }
    parameters = parameters / sharers + experts / fmax(sharers / layout->expert, 1);
    return parameters * transformer->software.optimizer_traffic /
           (transformer->gpu.memory_bytes_per_s * transformer->software.memory);
}

/* While a collective runs beside it, compute slows by 1/(1 - kappa). */
static double step_interference_s(const ws_transformer *transformer, double hidden_s)
{
    double kappa = transformer->software.interference;

    return hidden_s * kappa / (1 - kappa);
}

static double step_straggle_s(const ws_transformer *transformer, const ws_world *world,
                              double compute_s)
{
    int64_t gpus = (int64_t)world->replicas * world->gpus_per_replica;

    return transformer->jitter * compute_s * ws_straggler_normal((double)gpus) +
           (transformer->hiccup_s > 0 ? transformer->hiccup_s * ws_straggler_exponential(gpus) : 0);
}

static void step_count_flops(const ws_transformer *transformer, ws_step_breakdown *step)
{
    const ws_transformer_shape *shape = &transformer->shape;
    ws_transformer_flops flops = ws_transformer_forward_flops(shape);
    double layer = flops.products + flops.attention;
    double again = 0;

    if (transformer->layout.recompute == WS_RECOMPUTE_FULL) {
        again = layer;
    } else if (transformer->layout.recompute == WS_RECOMPUTE_SELECTIVE) {
        again = flops.attention;
    } else if (transformer->layout.recompute == WS_RECOMPUTE_ALTERNATE) {
        again = 0.5 * flops.products;
    }
    step->model_flops = transformer->global_batch * 3 * (shape->layers * layer + flops.logits);
    step->hardware_flops = step->model_flops + transformer->global_batch * shape->layers * again;
}

static void step_add_schedule(const ws_transformer *transformer, const ws_transformer_compute *one,
                              const ws_transformer_waits *waits, ws_step_breakdown *step)
{
    double m = (double)step->batch.micro_batches;
    double p = transformer->layout.pipeline;
    double v = transformer->layout.interleave;
    double one_s =
        one->forward_s + one->backward_s + waits->tensor_s + waits->context_s + waits->expert_s;

    step->compute_s = m * (one->forward_s + one->backward_s);
    step->tensor_s = m * waits->tensor_s;
    step->context_s = m * waits->context_s;
    step->expert_s = m * waits->expert_s;
    step->bubble_s = (p - 1) / v * one_s;
    /* While a pipeline fills and drains there is nothing to hide a send behind. */
    step->pipeline_s =
        2 * (m * v * (1 - transformer->software.pipeline_overlap) + p - 1) * waits->send_s;
}

/* All of a collective of which only a part is exposed. */
static double step_whole_s(double exposed_s, double overlap)
{
    return overlap < 1 ? exposed_s / (1 - overlap) : exposed_s;
}

/* Time on the links between nodes. What context parallelism hides behind attention is not known
 * here, and left out. */
static double step_wire_s(const ws_transformer *transformer, const ws_transformer_groups *groups,
                          const ws_step_breakdown *step)
{
    const ws_transformer_software *software = &transformer->software;
    double wire_s = 0;

    wire_s += groups->tensor.nodes > 1 ? step_whole_s(step->tensor_s, software->tensor_overlap) : 0;
    wire_s += groups->context.nodes > 1 ? step->context_s : 0;
    wire_s += groups->expert.nodes > 1 ? step_whole_s(step->expert_s, software->expert_overlap) : 0;
    wire_s +=
        groups->pipeline.nodes > 1 ? step_whole_s(step->pipeline_s, software->pipeline_overlap) : 0;
    if (groups->data.nodes > 1 || groups->copies.nodes > 1 || groups->of_expert.nodes > 1) {
        wire_s += step->data_s + step->data_hidden_s;
    }
    return wire_s;
}

static ws_step_breakdown step_with(const ws_transformer *transformer, const ws_world *world,
                                   int32_t micro_batch)
{
    int64_t share = ws_transformer_share(transformer->global_batch, world->replicas);
    ws_transformer_groups groups = ws_transformer_place(&transformer->layout, world);
    ws_transformer_compute one = ws_transformer_compute_of(transformer, world->speed, micro_batch);
    ws_transformer_waits waits = ws_transformer_waits_of(transformer, &groups, &one, micro_batch);
    ws_step_breakdown step = {
        .batch = {.replicas = world->replicas,
                  .micro_batch = micro_batch,
                  .micro_batches = (share + micro_batch - 1) / micro_batch},
    };
    ws_transformer_reduction reduction =
        ws_transformer_reduction_of(transformer, &groups, &one, step.batch.micro_batches);

    step_add_schedule(transformer, &one, &waits, &step);
    step.data_s = reduction.exposed_s + step_interference_s(transformer, reduction.hidden_s);
    step.data_hidden_s = reduction.hidden_s;
    step.wire_s = step_wire_s(transformer, &groups, &step);
    step.optimizer_s = step_optimizer_s(transformer, world);
    step.straggle_s = step_straggle_s(transformer, world, step.compute_s);
    step.step_s = step.compute_s + step.tensor_s + step.context_s + step.expert_s + step.bubble_s +
                  step.pipeline_s + step.data_s + step.optimizer_s + step.straggle_s;
    if (transformer->input_per_s > 0) {
        double input_s = transformer->global_batch / world->replicas / transformer->input_per_s;
        step.input_s = fmax(input_s - step.step_s, 0);
        step.step_s += step.input_s;
    }
    step.memory = ws_transformer_memory_of(&transformer->shape, &transformer->layout, &step.batch,
                                           transformer->reserve_bytes);
    step.fits = ws_transformer_memory_total(&step.memory) <= transformer->gpu.memory_bytes;
    return step;
}

/* ---- the micro-batch ---- */

/* Larger ones need more memory; of those that fit, the fastest, and of equals the smallest. */
static ws_step_breakdown step_search(const ws_transformer *transformer, const ws_world *world)
{
    int64_t share = ws_transformer_share(transformer->global_batch, world->replicas);
    ws_step_breakdown best = step_with(transformer, world, 1);

    for (int64_t size = 2; best.fits && size <= share && size <= INT32_MAX; size++) {
        if (share % size != 0) {
            continue;
        }
        ws_step_breakdown step = step_with(transformer, world, (int32_t)size);
        if (!step.fits) {
            break;
        }
        if (step.step_s < best.step_s) {
            best = step;
        }
    }
    return best;
}

ws_step_breakdown ws_transformer_break_down(const ws_transformer *transformer,
                                            const ws_world *world)
{
    WS_ASSERT(transformer->global_batch >= 1);
    WS_ASSERT(transformer->software.products > 0);
    WS_ASSERT(transformer->software.memory > 0);

    ws_step_breakdown step = transformer->micro_batch > 0
                                 ? step_with(transformer, world, transformer->micro_batch)
                                 : step_search(transformer, world);
    step_count_flops(transformer, &step);
    return step;
}

/* ---- the type ---- */

static ws_pace transformer_pace(const void *parameters, const ws_world *world)
{
    const ws_transformer *transformer = parameters;
    ws_step_breakdown step = ws_transformer_break_down(transformer, world);
    double exposed_s =
        step.tensor_s + step.context_s + step.expert_s + step.pipeline_s + step.data_s;

    /* ws_step_pace() multiplies by the speed, which is in the compute already. */
    return (ws_pace){.work_per_s = transformer->work / step.step_s / world->speed,
                     .communication = exposed_s / step.step_s,
                     .input_stall = step.input_s / step.step_s,
                     .straggle = (step.straggle_s + step.bubble_s) / step.step_s,
                     .wire = fmin(step.wire_s / step.step_s, 1)};
}

static void transformer_explain(const void *parameters, const ws_world *world,
                                ws_explanation *explanation)
{
    const ws_transformer *transformer = parameters;
    ws_step_breakdown step = ws_transformer_break_down(transformer, world);

    ws_explanation_set(explanation, WS_TERM_COMPUTE, step.compute_s);
    ws_explanation_set(explanation, WS_TERM_OPTIMIZER, step.optimizer_s);
    ws_explanation_set(explanation, WS_TERM_TENSOR, step.tensor_s);
    ws_explanation_set(explanation, WS_TERM_CONTEXT, step.context_s);
    ws_explanation_set(explanation, WS_TERM_EXPERT, step.expert_s);
    ws_explanation_set(explanation, WS_TERM_PIPELINE, step.pipeline_s);
    ws_explanation_set(explanation, WS_TERM_DATA, step.data_s);
    ws_explanation_set(explanation, WS_TERM_BUBBLE, step.bubble_s);
    ws_explanation_set(explanation, WS_TERM_STRAGGLE, step.straggle_s);
    ws_explanation_set(explanation, WS_TERM_INPUT, step.input_s);
    explanation->period_s = step.step_s;
    explanation->is_step = true;
    explanation->samples = transformer->global_batch;
    explanation->micro_batch = step.batch.micro_batch;
    explanation->micro_batches = (double)step.batch.micro_batches;
    explanation->memory_bytes = ws_transformer_memory_total(&step.memory);
    explanation->memory_limit_bytes = transformer->gpu.memory_bytes;
}

static size_t transformer_buckets(const void *parameters, const ws_world *world, ws_bucket *buckets,
                                  size_t capacity)
{
    return ws_transformer_buckets(parameters, world, buckets, capacity);
}

static void transformer_valid_range(const void *parameters, int32_t *low, int32_t *high)
{
    (void)parameters;
    *low = 0;
    *high = 0;
}

const ws_step_type ws_step_transformer = {
    .name = "transformer",
    .summary = "a transformer's shape and layout, over the GPU's peak, its memory and the links",
    .pace = transformer_pace,
    .valid_range = transformer_valid_range,
    .coverage = ws_transformer_coverage,
    .explain = transformer_explain,
    .buckets = transformer_buckets,
};
