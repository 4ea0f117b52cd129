/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From a published row to a step model, or to the reason why there is none. */
#include <math.h>

#include "scaling_case.h"

/* GPUs of one type differ: about 8 % between the slowest and the fastest of a cluster. Source: P.
 * Sinha et al., Not All GPUs Are Created Equal, SC22. */
#define CASE_JITTER 0.02

/* ---- texts ---- */

static bool case_contains(ws_text text, const char *part)
{
    ws_text wanted = ws_text_of(part);

    for (size_t at = 0; at + wanted.length <= text.length; at++) {
        if (ws_text_starts_with(ws_text_slice(text, at, text.length), wanted)) {
            return true;
        }
    }
    return false;
}

static ws_precision case_precision(const ws_scaling_row *row)
{
    if (case_contains(row->precision, "fp8")) {
        return WS_FP8;
    }
    if (case_contains(row->precision, "tf32")) {
        return WS_TF32;
    }
    if (case_contains(row->precision, "fp32")) {
        return WS_FP32;
    }
    return WS_BF16; /* or fp16, which is as fast and as wide */
}

/* A class's precision as printed, so that eager and compiled code are two; TorchTitan's plain names
 * are of compiled code. */
static ws_text case_precision_name(const ws_scaling_row *row)
{
    if (ws_text_is(row->precision, "compile-bf16")) {
        return WS_TEXT("bf16");
    }
    if (ws_text_is(row->precision, "compile-fp8")) {
        return WS_TEXT("fp8-tensorwise");
    }
    return row->precision.length > 0 ? row->precision : WS_TEXT("fp16");
}

static int case_width(ws_precision precision)
{
    return precision == WS_FP8 ? 1 : (int)ws_precision_bytes(precision);
}

/* ---- shape and layout ---- */

static void case_take(double value, int32_t *into)
{
    if (value > 0) {
        *into = (int32_t)value;
    }
}

/* What the row prints goes before what is known by the model's name. */
static ws_transformer_shape case_shape(const ws_scaling_row *row, const ws_transformer_shape *known,
                                       const ws_scaling_code_base *code)
{
    ws_transformer_shape shape = *known;

    case_take(row->layers, &shape.layers);
    case_take(row->hidden, &shape.hidden);
    case_take(row->heads, &shape.heads);
    case_take(row->kv_heads, &shape.kv_heads);
    case_take(row->vocabulary, &shape.vocabulary);
    case_take(row->sequence, &shape.sequence);
    shape.plain_attention = code->plain_attention;
    return shape;
}

static int32_t case_parts(double value)
{
    return value >= 1 ? (int32_t)value : 1;
}

static ws_recompute case_recompute(const ws_scaling_row *row, const ws_scaling_code_base *code)
{
    if (ws_text_is(row->recompute, "selective") && code->selective != WS_RECOMPUTE_NONE) {
        return code->selective;
    }
    for (int32_t i = 0; i < WS_RECOMPUTES; i++) {
        if (ws_text_is(row->recompute, ws_recompute_names[i])) {
            return (ws_recompute)i;
        }
    }
    return code->recompute;
}

static ws_transformer_layout case_layout(const ws_scaling_row *row,
                                         const ws_scaling_code_base *code)
{
    return (ws_transformer_layout){
        .tensor = case_parts(row->tensor),
        .pipeline = case_parts(row->pipeline),
        .interleave = case_parts(row->interleave > 0 ? row->interleave : code->interleave),
        .context = case_parts(row->context),
        .expert = case_parts(row->expert),
        .sequence_parallel = code->sequence_parallel && case_parts(row->tensor) > 1,
        .sharding = row->zero >= 0 && row->zero < WS_SHARDINGS ? (ws_sharding)(int)row->zero
                                                               : code->sharding,
        .recompute = case_recompute(row, code),
        .precision = case_precision(row),
        .gradient_bytes = code->gradient_bytes,
    };
}

static ws_transformer_software case_software(const ws_scaling_row *row,
                                             const ws_scaling_code_base *code)
{
    ws_transformer_software software = ws_transformer_software_default();

    software.overlaps_gradients = code->overlaps_gradients;
    software.pipeline_overlap = code->overlaps_sends ? 1 : 0;
    software.bucket_bytes = code->bucket_bytes;
    software.gathers_per_layer = code->gathers_per_layer;
    software.optimizer_traffic = code->optimizer_traffic;
    software.launch_s = code->launch_s;
    software.tensor_overlap = row->async_tensor ? 0.8 : 0;
    return software;
}

/* ---- the batch and the measurement ---- */

/* A micro-batch without accumulation and pipeline is a replica's whole share. */
static double case_global_batch(const ws_scaling_row *row, double replicas, int32_t pipeline)
{
    if (row->global_batch > 0) {
        return row->global_batch;
    }
    return pipeline == 1 && row->micro_batch > 0 ? row->micro_batch * replicas : 0;
}

/* FLOP/s count the causal half of attention where a code base counts what it computes, and all of
 * it, as the closed form does, with GPT's. */
static double case_printed_flops(const ws_scaling_case *item, const ws_scaling_code_base *code)
{
    const ws_transformer *transformer = &item->transformer;
    const ws_transformer_shape *shape = &transformer->shape;
    ws_transformer_flops flops = ws_transformer_forward_flops(shape);

    if (code->counts_recompute) {
        return ws_transformer_gpt_flops(shape, transformer->global_batch,
                                        transformer->layout.recompute);
    }
    return 3 * transformer->global_batch *
           (shape->layers * (flops.products + flops.attention) + flops.logits);
}

static double case_measured_s(const ws_scaling_case *item, const ws_scaling_code_base *code)
{
    const ws_scaling_row *row = item->row;
    double batch = item->transformer.global_batch;

    if (row->step_s > 0) {
        return row->step_s;
    }
    if (row->tokens_per_s > 0) {
        return batch * row->sequence / row->tokens_per_s;
    }
    if (row->samples_per_s > 0) {
        return batch / row->samples_per_s;
    }
    if (row->flops_per_s_per_gpu > 0) {
        return case_printed_flops(item, code) / row->flops_per_s_per_gpu / row->gpus;
    }
    return 0;
}

/* ---- a case ---- */

static const char *case_refusal(const ws_scaling_row *row, const ws_scaling_code_base *code,
                                const ws_transformer_shape *known, bool has_gpu)
{
    if (row->local_batch > 0) {
        return "a profile of a small model by placement and batch, not a transformer's layout";
    }
    if (known == NULL) {
        return "not a transformer whose shape is known";
    }
    if (code == NULL) {
        return "the code base is not known";
    }
    if (!has_gpu) {
        return "the GPU is not known";
    }
    return row->gpus < 1 || row->gpus_per_node < 1 || !(row->intra_bytes_per_s > 0) ||
                   !(row->inter_bytes_per_s > 0)
               ? "the links of the machine are not stated"
               : NULL;
}

/* All GPUs of a rack with NVLink between them are one node to the links. */
static int32_t case_domain(const ws_scaling_row *row)
{
    return case_contains(row->fabric, "NVL72") ? 64 : row->gpus_per_node;
}

/* What a row leaves out of its layout and cannot be told from the rest. */
static const char *case_gap(const ws_scaling_row *row, const ws_transformer_shape *shape)
{
    if (shape->experts > 0 && !(row->expert > 0)) {
        return "over how many GPUs experts are spread is not printed";
    }
    if (row->tensor > 0 && !(row->pipeline > 0) && !(row->data > 0)) {
        return "pipeline stages are not printed";
    }
    return NULL;
}

static const char *case_fill(ws_scaling_case *item, const ws_scaling_code_base *code)
{
    const ws_scaling_row *row = item->row;
    ws_transformer *transformer = &item->transformer;
    const ws_transformer_layout *layout = &transformer->layout;
    const ws_transformer_shape *shape = &transformer->shape;
    int64_t of_replica = (int64_t)layout->tensor * layout->pipeline * layout->context;
    char why[96];

    if (shape->layers < 1 || shape->hidden < 1 || shape->heads < 1 || shape->sequence < 1) {
        return "layers, hidden size, heads or sequence length are not printed";
    }
    transformer->shape = ws_transformer_complete(shape);
    if (case_gap(row, shape) != NULL) {
        return case_gap(row, shape);
    }
    if (!(transformer->gpu.flops_per_s[layout->precision] > 0)) {
        return "the GPU has no products of that precision";
    }
    if (row->gpus % of_replica != 0) {
        return "GPUs are not a multiple of tensor x pipeline x context";
    }
    int32_t replicas = (int32_t)(row->gpus / of_replica);
    if (!ws_transformer_fits_layout(shape, layout, why, sizeof(why))) {
        return "the printed layout does not divide the model";
    }
    transformer->global_batch = case_global_batch(row, replicas, layout->pipeline);
    if (!(transformer->global_batch > 0)) {
        return "the global batch is not printed";
    }
    item->world = ws_world_packed(replicas, (int32_t)of_replica, case_domain(row), NULL);
    item->work = transformer->global_batch * shape->sequence;
    item->measured_s = case_measured_s(item, code);
    bool is_time = item->measured_s > 1e-6 && item->measured_s < 1e7; /* a hundred days */
    return is_time ? NULL : "no time of a step can be told from what is printed";
}

void ws_scaling_case_init(ws_scaling_case *item, const ws_scaling_row *row)
{
    WS_ASSERT(row != NULL);

    const ws_scaling_code_base *code = ws_scaling_code_base_find(row->group);
    const ws_transformer_shape *known = ws_scaling_shape_find(row->model);
    ws_transformer_gpu gpu = {.memory_bytes = 0};
    ws_gpu_generation generation = WS_GENERATION_OTHER;
    bool has_gpu = ws_scaling_gpu_find(row->gpu, &gpu, &generation);

    *item = (ws_scaling_case){
        .row = row,
        .is_recalled = case_contains(row->confidence, "recalled") ||
                       case_contains(row->confidence, "RECALLED"),
        .left_out = case_refusal(row, code, known, has_gpu),
    };
    if (item->left_out != NULL) {
        return;
    }
    item->class = (ws_scaling_class){.gpu = row->gpu,
                                     .generation = generation,
                                     .precision = case_precision_name(row),
                                     .width = case_width(case_precision(row)),
                                     .code_base = ws_text_of(code->name)};
    item->transformer = (ws_transformer){.shape = case_shape(row, known, code),
                                         .layout = case_layout(row, code),
                                         .gpu = gpu,
                                         .software = case_software(row, code),
                                         .micro_batch = (int32_t)row->micro_batch,
                                         .jitter = CASE_JITTER};
    item->left_out = case_fill(item, code);
}
