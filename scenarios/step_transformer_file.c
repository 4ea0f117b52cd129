/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The keys of `step: {transformer: {...}}`. */
#include "step_transformer_file.h"

#include "ws/transformer.h"

#define ROW(type, field) .name = #field, .offset = offsetof(type, field)
#define SELF(type)                                                                                 \
    {                                                                                              \
        .kind = WS_PARAMETER_SELF, .offset = offsetof(type, self)                                  \
    }

static const ws_parameter transformer_model_rows[] = {
    SELF(ws_file_transformer_model),
    {ROW(ws_file_transformer_model, layers), .kind = WS_PARAMETER_INTEGER, .required = true,
     .min = "1", .max = "10000", .help = "blocks of attention and MLP"},
    {ROW(ws_file_transformer_model, hidden), .kind = WS_PARAMETER_INTEGER, .required = true,
     .min = "1", .max = "1000000", .help = "channels between them"},
    {ROW(ws_file_transformer_model, heads), .kind = WS_PARAMETER_INTEGER, .required = true,
     .min = "1", .max = "10000", .help = "of queries"},
    {ROW(ws_file_transformer_model, kv_heads), .kind = WS_PARAMETER_INTEGER, .default_text = "0",
     .min = "0", .max = "10000", .help = "of keys and values; 0: as many as `heads`"},
    {ROW(ws_file_transformer_model, head_size), .kind = WS_PARAMETER_INTEGER, .default_text = "0",
     .min = "0", .max = "10000", .help = "channels of a head; 0: hidden / heads"},
    {ROW(ws_file_transformer_model, ffn), .kind = WS_PARAMETER_INTEGER, .default_text = "0",
     .min = "0", .max = "10000000",
     .help = "width of the MLP; 0: 4 hidden, gated 8/3 hidden in multiples of 256"},
    {ROW(ws_file_transformer_model, gated), .kind = WS_PARAMETER_BOOL, .default_text = "false",
     .help = "three matrices in the MLP (SwiGLU) instead of two"},
    {ROW(ws_file_transformer_model, vocabulary), .kind = WS_PARAMETER_INTEGER, .required = true,
     .min = "1", .max = "10000000", .help = "words of the embedding"},
    {ROW(ws_file_transformer_model, sequence), .kind = WS_PARAMETER_INTEGER, .required = true,
     .min = "1", .max = "100000000", .help = "tokens of a sample"},
    {ROW(ws_file_transformer_model, experts), .kind = WS_PARAMETER_INTEGER, .default_text = "0",
     .min = "0", .max = "100000", .help = "of a layer; 0: none"},
    {ROW(ws_file_transformer_model, experts_used), .kind = WS_PARAMETER_INTEGER,
     .default_text = "1", .min = "1", .max = "100000", .help = "by each token"},
    {ROW(ws_file_transformer_model, expert_ffn), .kind = WS_PARAMETER_INTEGER, .default_text = "0",
     .min = "0", .max = "10000000", .help = "width of an expert; 0: `ffn`"},
    {ROW(ws_file_transformer_model, shared_ffn), .kind = WS_PARAMETER_INTEGER, .default_text = "0",
     .min = "0", .max = "10000000", .help = "width of the expert that all tokens use; 0: none"},
    {ROW(ws_file_transformer_model, experts_every), .kind = WS_PARAMETER_INTEGER,
     .default_text = "1", .min = "1", .max = "10000", .help = "one layer in so many has experts"},
    {ROW(ws_file_transformer_model, dense_first), .kind = WS_PARAMETER_INTEGER, .default_text = "0",
     .min = "0", .max = "10000", .help = "so many layers at the beginning have none"},
    {ROW(ws_file_transformer_model, biases), .kind = WS_PARAMETER_BOOL, .default_text = "false",
     .help = "on every product, and LayerNorm instead of RMSNorm (GPT-2)"},
    {ROW(ws_file_transformer_model, learned_positions), .kind = WS_PARAMETER_BOOL,
     .default_text = "false", .help = "an embedding of positions"},
    {ROW(ws_file_transformer_model, untied), .kind = WS_PARAMETER_BOOL, .default_text = "false",
     .help = "the output has a matrix of its own"},
    {ROW(ws_file_transformer_model, dropout), .kind = WS_PARAMETER_BOOL, .default_text = "false",
     .help = "masks are kept for the backward"},
    {ROW(ws_file_transformer_model, bidirectional), .kind = WS_PARAMETER_BOOL,
     .default_text = "false", .help = "no causal mask (BERT)"},
    {ROW(ws_file_transformer_model, plain_attention), .kind = WS_PARAMETER_BOOL,
     .default_text = "false", .help = "scores are written to memory; else FlashAttention"},
};
static const ws_parameter_table transformer_model_table = {
    .noun = "model",
    .rows = transformer_model_rows,
    .count = WS_COUNT_OF(transformer_model_rows),
    .bytes = sizeof(ws_file_transformer_model)};

static const ws_parameter transformer_parallel_rows[] = {
    SELF(ws_file_transformer_parallel),
    {ROW(ws_file_transformer_parallel, tensor), .kind = WS_PARAMETER_INTEGER, .default_text = "1",
     .min = "1", .max = "100000", .help = "GPUs that divide each product"},
    {ROW(ws_file_transformer_parallel, pipeline), .kind = WS_PARAMETER_INTEGER, .default_text = "1",
     .min = "1", .max = "100000", .help = "stages of layers"},
    {ROW(ws_file_transformer_parallel, interleave), .kind = WS_PARAMETER_INTEGER,
     .default_text = "1", .min = "1", .max = "100000", .help = "pieces of the model on each stage"},
    {ROW(ws_file_transformer_parallel, context), .kind = WS_PARAMETER_INTEGER, .default_text = "1",
     .min = "1", .max = "100000", .help = "GPUs that divide each sequence"},
    {ROW(ws_file_transformer_parallel, expert), .kind = WS_PARAMETER_INTEGER, .default_text = "1",
     .min = "1", .max = "100000",
     .help = "GPUs, of several replicas, that the experts are spread over"},
    {ROW(ws_file_transformer_parallel, sequence), .kind = WS_PARAMETER_BOOL, .default_text = "true",
     .help = "tensor ranks divide what lies between the products as well"},
    {ROW(ws_file_transformer_parallel, sharding), .kind = WS_PARAMETER_CHOICE,
     .choices = ws_sharding_names, .choice_noun = "a way to share states out",
     .default_text = "ddp",
     .help = "what replicas share out: nothing, states of the optimizer, gradients too, parameters "
             "too (FSDP)"},
    {ROW(ws_file_transformer_parallel, shard), .kind = WS_PARAMETER_INTEGER, .default_text = "0",
     .min = "0", .max = "1000000",
     .help = "replicas that share them, while the others hold copies (HSDP); 0: all"},
};
static const ws_parameter_table transformer_parallel_table = {
    .noun = "parallel",
    .rows = transformer_parallel_rows,
    .count = WS_COUNT_OF(transformer_parallel_rows),
    .bytes = sizeof(ws_file_transformer_parallel)};

static const ws_parameter transformer_software_rows[] = {
    SELF(ws_file_transformer_software),
    {ROW(ws_file_transformer_software, products), .kind = WS_PARAMETER_FRACTION,
     .default_text = "60%", .help = "of the peak that matrix products reach"},
    {ROW(ws_file_transformer_software, attention), .kind = WS_PARAMETER_PERCENT,
     .default_text = "70%", .help = "of that rate in the core of attention"},
    {ROW(ws_file_transformer_software, memory), .kind = WS_PARAMETER_FRACTION,
     .default_text = "80%", .help = "of the memory's rate that all else reaches"},
    {ROW(ws_file_transformer_software, launch), .kind = WS_PARAMETER_DURATION, .default_text = "0s",
     .help = "least time of a layer, forward, when its kernels are launched one by one"},
    {ROW(ws_file_transformer_software, overlap_gradients), .kind = WS_PARAMETER_BOOL,
     .default_text = "true", .help = "reduced beside the backward, gathered beside the forward"},
    {ROW(ws_file_transformer_software, overlap_tensor), .kind = WS_PARAMETER_FRACTION,
     .default_text = "0%", .help = "of tensor-parallel collectives that hides"},
    {ROW(ws_file_transformer_software, overlap_pipeline), .kind = WS_PARAMETER_FRACTION,
     .default_text = "0%", .help = "of sends between stages that hides"},
    {ROW(ws_file_transformer_software, overlap_expert), .kind = WS_PARAMETER_FRACTION,
     .default_text = "0%", .help = "of the exchange of tokens that hides"},
    {ROW(ws_file_transformer_software, interference), .kind = WS_PARAMETER_FRACTION,
     .default_text = "0%", .max = "90%",
     .help = "kappa: compute slows by 1 / (1 - kappa) beside a collective"},
    {ROW(ws_file_transformer_software, bucket), .kind = WS_PARAMETER_BYTES, .default_text = "25MiB",
     .min = "1KiB", .help = "of gradients that are reduced together"},
    {ROW(ws_file_transformer_software, gathers_per_layer), .kind = WS_PARAMETER_INTEGER,
     .default_text = "1", .min = "1", .max = "1000",
     .help = "pieces in which zero-3 gathers a layer"},
    {ROW(ws_file_transformer_software, optimizer_traffic), .kind = WS_PARAMETER_INTEGER,
     .default_text = "30", .min = "0", .max = "1000",
     .help = "bytes that the optimizer reads and writes for a parameter; 30: Adam"},
};
static const ws_parameter_table transformer_software_table = {
    .noun = "software",
    .rows = transformer_software_rows,
    .count = WS_COUNT_OF(transformer_software_rows),
    .bytes = sizeof(ws_file_transformer_software)};

/* fp16 is as fast and as wide as bf16. */
static const char *const transformer_precisions[] = {"fp32", "tf32", "bf16", "fp8",
                                                     "fp4",  "fp16", NULL};
static const char *const transformer_batches[] = {"samples", "tokens", NULL};

ws_precision ws_file_transformer_precision(int32_t choice)
{
    return choice < WS_PRECISIONS ? (ws_precision)choice : WS_BF16;
}

static const ws_parameter transformer_rows[] = {
    SELF(ws_file_transformer),
    {ROW(ws_file_transformer, model), .kind = WS_PARAMETER_MAP, .table = &transformer_model_table,
     .required = true, .help = "the network"},
    {ROW(ws_file_transformer, parallel), .kind = WS_PARAMETER_MAP,
     .table = &transformer_parallel_table,
     .help = "how a replica of tensor x pipeline x context GPUs divides it"},
    {ROW(ws_file_transformer, gpu), .kind = WS_PARAMETER_TEXT, .required = true,
     .help = "whose peak rates and memory count: H100, A100-SXM4-40GB"},
    {ROW(ws_file_transformer, precision), .kind = WS_PARAMETER_CHOICE,
     .choices = transformer_precisions, .choice_noun = "a precision", .default_text = "bf16",
     .help = "of the matrix products"},
    {ROW(ws_file_transformer, recompute), .kind = WS_PARAMETER_CHOICE,
     .choices = ws_recompute_names, .choice_noun = "a kind of recomputation",
     .default_text = "none",
     .help = "in the backward: nothing, the core of attention, every other product, whole layers"},
    {ROW(ws_file_transformer, batch), .kind = WS_PARAMETER_CHOICE, .choices = transformer_batches,
     .choice_noun = "a unit of batches", .default_text = "samples",
     .help = "what a stage's `global_batch` counts: samples (sequences) or tokens"},
    {ROW(ws_file_transformer, micro_batch), .kind = WS_PARAMETER_COUNT, .default_text = "0",
     .max = "1M",
     .help = "samples of a replica at a time; 0: the fastest divisor of its share that fits the "
             "memory"},
    {ROW(ws_file_transformer, software), .kind = WS_PARAMETER_MAP,
     .table = &transformer_software_table, .help = "what the code makes of the machine"},
    {ROW(ws_file_transformer, reserve), .kind = WS_PARAMETER_BYTES, .default_text = "2GiB",
     .help = "of memory for context, communicators and fragments"},
    {ROW(ws_file_transformer, gradient_bytes), .kind = WS_PARAMETER_INTEGER, .default_text = "0",
     .min = "0", .max = "8", .help = "of a parameter in the reduction; 0: as the parameter"},
    {ROW(ws_file_transformer, optimizer_bytes), .kind = WS_PARAMETER_INTEGER, .default_text = "0",
     .min = "0", .max = "64", .help = "of states of a parameter; 0: 12, or 8 with fp32 and tf32"},
    {ROW(ws_file_transformer, input), .kind = WS_PARAMETER_WORK_RATE, .default_text = "0/s",
     .help = "samples that one replica's loader makes; 0: it never waits"},
    {ROW(ws_file_transformer, jitter), .kind = WS_PARAMETER_FRACTION, .default_text = "0%",
     .help = "standard deviation of a GPU's compute time; the slowest sets the pace"},
    {ROW(ws_file_transformer, hiccup), .kind = WS_PARAMETER_DURATION, .default_text = "0s",
     .help = "mean of an exponential delay of each GPU in each step"},
};
const ws_parameter_table ws_file_transformer_table = {.noun = "transformer",
                                                      .rows = transformer_rows,
                                                      .count = WS_COUNT_OF(transformer_rows),
                                                      .bytes = sizeof(ws_file_transformer)};
