/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The step model `transformer`: what the tables cannot know of it. */
#include <math.h>

#include "build_step.h"
#include "step_transformer_file.h"
#include "ws/step_transformer.h"

typedef struct {
    ws_transformer transformer; /* without a batch */
    const ws_document *parallel;
    ws_text gpu;
    bool batch_in_tokens;
} transformer_model;

/* ---- from the file ---- */

static ws_transformer_shape transformer_shape(const ws_file_transformer_model *file)
{
    ws_transformer_shape shape = {
        .layers = (int32_t)file->layers,
        .hidden = (int32_t)file->hidden,
        .heads = (int32_t)file->heads,
        .kv_heads = (int32_t)file->kv_heads,
        .head_size = (int32_t)file->head_size,
        .ffn = (int32_t)file->ffn,
        .gated = file->gated,
        .vocabulary = (int32_t)file->vocabulary,
        .sequence = (int32_t)file->sequence,
        .experts = (int32_t)file->experts,
        .experts_used = (int32_t)file->experts_used,
        .expert_ffn = (int32_t)file->expert_ffn,
        .shared_ffn = (int32_t)file->shared_ffn,
        .experts_every = (int32_t)file->experts_every,
        .dense_first = (int32_t)file->dense_first,
        .biases = file->biases,
        .learned_positions = file->learned_positions,
        .untied = file->untied,
        .dropout = file->dropout,
        .bidirectional = file->bidirectional,
        .plain_attention = file->plain_attention,
    };

    return ws_transformer_complete(&shape);
}

static ws_transformer_layout transformer_layout(const ws_file_transformer *file)
{
    const ws_file_transformer_parallel *parallel = &file->parallel;

    return (ws_transformer_layout){
        .tensor = (int32_t)parallel->tensor,
        .pipeline = (int32_t)parallel->pipeline,
        .interleave = (int32_t)parallel->interleave,
        .context = (int32_t)parallel->context,
        .expert = (int32_t)parallel->expert,
        .sequence_parallel = parallel->sequence,
        .sharding = (ws_sharding)parallel->sharding,
        .shard = (int32_t)parallel->shard,
        .recompute = (ws_recompute)file->recompute,
        .precision = ws_file_transformer_precision(file->precision),
        .gradient_bytes = (double)file->gradient_bytes,
        .optimizer_bytes = (double)file->optimizer_bytes,
    };
}

static ws_transformer_software transformer_software(const ws_file_transformer_software *file)
{
    return (ws_transformer_software){
        .products = file->products,
        .attention = file->attention,
        .memory = file->memory,
        .launch_s = ws_duration_s(file->launch),
        .overlaps_gradients = file->overlap_gradients,
        .tensor_overlap = file->overlap_tensor,
        .pipeline_overlap = file->overlap_pipeline,
        .expert_overlap = file->overlap_expert,
        .interference = file->interference,
        .bucket_bytes = (double)file->bucket,
        .gathers_per_layer = (int32_t)file->gathers_per_layer,
        .optimizer_traffic = (double)file->optimizer_traffic,
    };
}

static void transformer_fill(transformer_model *model, const ws_file_transformer *file,
                             const ws_gpu_model *gpu, const ws_network *network)
{
    *model = (transformer_model){
        .transformer = {.shape = transformer_shape(&file->model),
                        .layout = transformer_layout(file),
                        .gpu = ws_transformer_gpu_of(gpu),
                        .software = transformer_software(&file->software),
                        .network = network,
                        .reserve_bytes = (double)file->reserve,
                        .micro_batch = (int32_t)file->micro_batch,
                        .input_per_s = file->input,
                        .jitter = file->jitter,
                        .hiccup_s = ws_duration_s(file->hiccup)},
        .parallel = file->parallel.self,
        .gpu = ws_text_of(gpu->name),
        .batch_in_tokens = file->batch == WS_FILE_BATCH_TOKENS,
    };
}

/* ---- what is wrong with one ---- */

static bool transformer_check_network(ws_build *context, const ws_document *value)
{
    return context->scenario->network != NULL ||
           ws_build_error(context, 4104, value->at,
                          WS_TEXT("a `transformer` needs a `network` to say what its collectives "
                                  "cost"),
                          "over which links?",
                          WS_TEXT("add `network: {intra_node: {bandwidth: 450GB/s}, inter_node: "
                                  "{bandwidth: 400Gb/s, per: gpu}}`"));
}

/* NULL with a diagnostic when it is not known. */
static const ws_gpu_model *transformer_find_gpu(ws_build *context, const ws_document *value,
                                                ws_text name)
{
    const char *names[64] = {NULL};
    const ws_gpu_model *model = ws_gpu_model_find(name);
    size_t count = 0;

    if (model != NULL) {
        return model;
    }
    while (count < WS_COUNT_OF(names) && ws_gpu_model_at(count) != NULL) {
        names[count] = ws_gpu_model_at(count)->name;
        count++;
    }
    ws_text shown = ws_build_shown(name);
    (void)ws_build_error(
        context, 2203, ws_build_at(value, "gpu"),
        ws_build_text(context, "`%.*s` is not a GPU whose peak rate is known", WS_TEXT_ARGS(shown)),
        "unknown GPU", ws_build_known(context, "GPU", names, count, name));
    return NULL;
}

static bool transformer_check_precision(ws_build *context, const ws_document *value,
                                        const ws_gpu_model *model, ws_precision precision)
{
    return model->flops_per_s[precision] > 0 ||
           ws_build_error(context, 4213, ws_build_at(value, "precision"),
                          ws_build_text(context, "`%s` has no matrix products in %s", model->name,
                                        ws_precision_names[precision]),
                          "not on this GPU", WS_TEXT("write `precision: bf16`"));
}

static bool transformer_check_layout(ws_build *context, const transformer_model *model)
{
    char why[96];

    return ws_transformer_fits_layout(&model->transformer.shape, &model->transformer.layout, why,
                                      sizeof(why)) ||
           ws_build_error(context, 4211, model->parallel->at, ws_build_text(context, "%s", why),
                          "this layout", WS_TEXT(""));
}

static bool transformer_check_rates(ws_build *context, const ws_file_transformer_software *file)
{
    const char *key = !(file->products > 0)    ? "products"
                      : !(file->attention > 0) ? "attention"
                      : !(file->memory > 0)    ? "memory"
                                               : NULL;

    return key == NULL || ws_build_error(context, 3107, ws_build_at(file->self, key),
                                         ws_build_text(context, "`%s` is above 0", key),
                                         "would never end", WS_TEXT(""));
}

static bool transformer_check_experts(ws_build *context, const ws_file_transformer_model *file)
{
    return file->experts == 0 || file->experts_used <= file->experts ||
           ws_build_error(context, 4211, ws_build_at(file->self, "experts_used"),
                          ws_build_text(context, "a token uses %lld of %lld experts",
                                        (long long)file->experts_used, (long long)file->experts),
                          "more than there are", WS_TEXT(""));
}

static bool transformer_read(ws_build *context, ws_build_model *built)
{
    const ws_document *value = built->value;
    ws_file_transformer *file = ws_build_new(context, ws_file_transformer, 1);
    transformer_model *model = ws_build_new(context, transformer_model, 1);

    if (file == NULL || model == NULL ||
        !ws_parameters_read(
            (ws_document *)value, WS_TEXT("step.transformer"),
            &(ws_parameter_binding){.table = &ws_file_transformer_table, .object = file}, 1,
            context->arena, context->diag)) {
        return false;
    }
    bool sound = transformer_check_network(context, value);
    sound = transformer_check_rates(context, &file->software) && sound;
    sound = transformer_check_experts(context, &file->model) && sound;
    const ws_gpu_model *gpu = transformer_find_gpu(context, value, file->gpu);
    if (gpu == NULL) {
        return false;
    }
    transformer_fill(model, file, gpu, context->scenario->network);
    ws_precision precision = model->transformer.layout.precision;
    sound = transformer_check_precision(context, value, gpu, precision) && sound;
    sound = transformer_check_layout(context, model) && sound;
    built->parameters = model;
    built->unit = WS_WORK_NONE; /* tokens, samples and steps alike */
    return sound;
}

/* ---- a stage's step ---- */

/* Samples of a step: whole sequences, where they are stated in tokens; the same at every size. */
static bool transformer_batch(ws_build *context, const transformer_model *model,
                              const ws_file_stage *stage, ws_stage_spec *spec)
{
    double sequence = model->transformer.shape.sequence;
    double tokens = stage->batch_tokens > 0  ? (double)stage->batch_tokens
                    : model->batch_in_tokens ? (double)stage->global_batch
                                             : 0;

    if (spec->batch.replica_batch > 0) {
        return ws_build_error(context, 4107, ws_build_at(stage->self, "replica_batch"),
                              WS_TEXT("a `transformer` has one batch at every size"),
                              "follows the size", WS_TEXT("write `global_batch`"));
    }
    if (!(tokens > 0)) {
        return true;
    }
    sequence = stage->sequence > 0 ? (double)stage->sequence : sequence;
    spec->batch.global_batch = floor(tokens / sequence);
    return spec->batch.global_batch >= 1 ||
           ws_build_error(
               context, 3107,
               ws_build_at(stage->self, stage->batch_tokens > 0 ? "batch_tokens" : "global_batch"),
               ws_build_text(context, "%.0f tokens are less than a sequence of %.0f", tokens,
                             sequence),
               "no whole sample", WS_TEXT(""));
}

static double transformer_work(const ws_transformer *transformer, int32_t unit)
{
    if (unit == WS_WORK_STEPS) {
        return 1;
    }
    return transformer->global_batch *
           (unit == WS_WORK_TOKENS ? (double)transformer->shape.sequence : 1);
}

static bool transformer_apply(ws_build *context, const ws_build_model *built,
                              const ws_file_stage *stage, ws_stage_spec *spec)
{
    const transformer_model *model = built->parameters;
    ws_transformer *transformer = ws_build_new(context, ws_transformer, 1);

    if (transformer == NULL || !ws_build_need_batch(context, built, stage, spec)) {
        return false;
    }
    *transformer = model->transformer;
    if (stage->sequence > 0) {
        transformer->shape.sequence = (int32_t)stage->sequence;
    }
    if (!transformer_batch(context, model, stage, spec)) {
        return false;
    }
    transformer->global_batch = spec->batch.global_batch;
    transformer->work = transformer_work(transformer, stage->work.unit);
    spec->step = (ws_step){.type = &ws_step_transformer, .parameters = transformer};
    return true;
}

/* ---- what only the job's sizes tell ---- */

/* A fault of the model is told at the first of the stages that use it. */
static bool transformer_is_told(const ws_build *context, int code, ws_span at)
{
    for (size_t i = 0; i < context->diag->count; i++) {
        const ws_diagnostic *entry = &context->diag->entries[i];
        if (entry->code == code && entry->at.line == at.line && entry->at.column == at.column) {
            return true;
        }
    }
    return false;
}

static bool transformer_check_replica(ws_build *context, const transformer_model *model,
                                      const ws_job_template *template)
{
    const ws_transformer_layout *layout = &model->transformer.layout;
    int64_t gpus = (int64_t)layout->tensor * layout->pipeline * layout->context;

    return gpus == template->kind.gpus_per_replica ||
           ws_build_error(
               context, 4211, model->parallel->at,
               ws_build_text(context,
                             "tensor x pipeline x context is %lld GPUs, but a replica "
                             "has %d",
                             (long long)gpus, template->kind.gpus_per_replica),
               "this layout",
               ws_build_text(context, "write `gpus: {per_replica: %lld}`", (long long)gpus));
}

/* Bytes of a kind, for the arithmetic. */
static ws_text transformer_memory_note(ws_build *context, const ws_transformer_memory *memory)
{
    return ws_build_text(context,
                         "parameters %.1f + gradients %.1f + optimizer %.1f + activations %.1f + "
                         "buffers %.1f + reserve %.1f GB",
                         memory->parameters / 1e9, memory->gradients / 1e9, memory->optimizer / 1e9,
                         memory->activations / 1e9, memory->buffers / 1e9, memory->reserve / 1e9);
}

static bool transformer_refuse_memory(ws_build *context, const transformer_model *model,
                                      const ws_file_stage *stage, const ws_step_breakdown *step)
{
    double needed = ws_transformer_memory_total(&step->memory) / 1e9;

    return ws_build_fault(
        context,
        &(ws_diagnostic){
            .code = 4212,
            .message =
                ws_build_text(context, "stage `%.*s` needs %.1f GB on each GPU, `%.*s` has %.1f GB",
                              WS_TEXT_ARGS(stage->name), needed, WS_TEXT_ARGS(model->gpu),
                              model->transformer.gpu.memory_bytes / 1e9),
            .at = model->parallel->at,
            .label = ws_build_text(context, "at %d replica%s", step->batch.replicas,
                                   step->batch.replicas == 1 ? "" : "s"),
            .help = WS_TEXT("divide the model by more GPUs (`tensor`, `pipeline`), share states "
                            "out (`sharding: zero-3`), or recompute (`recompute: full`)"),
            .notes = {transformer_memory_note(context, &step->memory),
                      ws_build_text(context, "with micro-batches of %d and %lld of them in a step",
                                    step->batch.micro_batch,
                                    (long long)step->batch.micro_batches)}});
}

/* The fewest replicas share states out the least and have the most micro-batches in flight. */
static bool transformer_check(ws_build *context, const ws_build_model *built,
                              const ws_job_template *template, const ws_file_stage *stage,
                              const ws_stage_spec *spec)
{
    const transformer_model *model = built->parameters;
    const ws_transformer *transformer = spec->step.parameters;
    int32_t least =
        template->replicas_min > spec->replicas_min ? template->replicas_min : spec->replicas_min;

    if (!transformer_check_replica(context, model, template)) {
        return false;
    }
    ws_world world = ws_world_packed(least, template->kind.gpus_per_replica,
                                     template->kind.gpus_per_replica, NULL);
    ws_step_breakdown step = ws_transformer_break_down(transformer, &world);
    if (!step.fits) {
        return !transformer_is_told(context, 4212, model->parallel->at) &&
               transformer_refuse_memory(context, model, stage, &step);
    }
    ws_build_assume(
        context, ws_build_text(context, "%.*s: matrix products reach %.0f %% of the peak of %.*s",
                               WS_TEXT_ARGS(template->kind.name),
                               100 * transformer->software.products, WS_TEXT_ARGS(model->gpu)));
    return true;
}

const ws_build_step_kind ws_build_step_transformer = {
    .type = &ws_step_transformer,
    .shape = "`{transformer: {...}}`",
    .read = transformer_read,
    .apply = transformer_apply,
    .check = transformer_check,
};
