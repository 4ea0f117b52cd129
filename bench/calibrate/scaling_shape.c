/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shapes of published models, for tables that give a name and leave numbers out. */
#include "ws/scaling.h"

typedef struct {
    const char *name; /* that a model's name begins with */
    ws_transformer_shape shape;
} scaling_shape;

#define LLAMA3(l, h, a, f)                                                                         \
    {                                                                                              \
        .layers = (l), .hidden = (h), .heads = (a), .kv_heads = 8, .ffn = (f), .gated = true,      \
        .vocabulary = 128256, .untied = true                                                       \
    }

/* GPT-3's shape: T. Brown et al. (2020), Table 2.1; sequences of 2048. */
#define GPT3                                                                                       \
    {                                                                                              \
        .layers = 96, .hidden = 12288, .heads = 96, .vocabulary = 51200, .sequence = 2048,         \
        .biases = true, .learned_positions = true, .dropout = true                                 \
    }

/* Sources: the models' own papers and configuration files (Llama 3: Dubey et al. 2024, Table 3;
 * Nemotron-4: Parmar et al. 2024; DeepSeek-V3 2024, sec. 4.2; BERT: Devlin et al. 2018; BLOOM: Le
 * Scao et al. 2022; OPT: Zhang et al. 2022; Grok-1 and Llama 4: the published weights). DeepSeek's
 * multi-head latent attention has 187 million weights a layer. Llama 1B: the shape of 1.1 billion
 * parameters with 2048 channels that 24 layers give. */
static const scaling_shape scaling_shapes[] = {
    {"Llama-3.1 405B", LLAMA3(126, 16384, 128, 53248)},
    {"Llama-3.1 70B", LLAMA3(80, 8192, 64, 28672)},
    {"Llama-3 70B", LLAMA3(80, 8192, 64, 28672)},
    {"Llama-3.1 8B", LLAMA3(32, 4096, 32, 14336)},
    {"Llama 3.1 405B", LLAMA3(126, 16384, 128, 53248)},
    {"Llama 3.1 70B", LLAMA3(80, 8192, 64, 28672)},
    {"Llama 3.1 8B", LLAMA3(32, 4096, 32, 14336)},
    {"Llama-3 8B", LLAMA3(32, 4096, 32, 14336)},
    {"Llama 1B",
     {.layers = 24,
      .hidden = 2048,
      .heads = 32,
      .kv_heads = 32,
      .ffn = 4096,
      .gated = true,
      .vocabulary = 50272}},
    {"Nemotron-4 15B",
     {.layers = 32,
      .hidden = 6144,
      .heads = 48,
      .kv_heads = 8,
      .ffn = 24576,
      .vocabulary = 256000,
      .untied = true}},
    {"Nemotron-4 340B",
     {.layers = 96,
      .hidden = 18432,
      .heads = 96,
      .kv_heads = 8,
      .ffn = 73728,
      .vocabulary = 256000,
      .untied = true}},
    {"Grok-1",
     {.layers = 64,
      .hidden = 6144,
      .heads = 48,
      .kv_heads = 8,
      .head_size = 128,
      .ffn = 32768,
      .gated = true,
      .vocabulary = 131072,
      .experts = 8,
      .experts_used = 2}},
    {"Llama-4 Maverick",
     {.layers = 48,
      .hidden = 5120,
      .heads = 40,
      .kv_heads = 8,
      .head_size = 128,
      .ffn = 16384,
      .gated = true,
      .vocabulary = 202048,
      .untied = true,
      .experts = 128,
      .experts_used = 1,
      .expert_ffn = 8192,
      .shared_ffn = 8192,
      .experts_every = 2}},
    {"DeepSeek-V3",
     {.layers = 61,
      .hidden = 7168,
      .heads = 128,
      .kv_heads = 128,
      .head_size = 128,
      .ffn = 18432,
      .gated = true,
      .vocabulary = 129280,
      .untied = true,
      .experts = 256,
      .experts_used = 8,
      .expert_ffn = 2048,
      .shared_ffn = 2048,
      .dense_first = 3,
      .attention_weights = 187e6}},
    {"BERT-large",
     {.layers = 24,
      .hidden = 1024,
      .heads = 16,
      .vocabulary = 30528,
      .biases = true,
      .learned_positions = true,
      .dropout = true,
      .bidirectional = true}},
    {"BLOOM 176B",
     {.layers = 70,
      .hidden = 14336,
      .heads = 112,
      .vocabulary = 250880,
      .sequence = 2048,
      .biases = true}},
    {"OPT 175B", GPT3},
    {"GPT 175B", GPT3},
    {"GPT",
     {.vocabulary = 51200,
      .sequence = 2048,
      .biases = true,
      .learned_positions = true,
      .dropout = true}},
};

const ws_transformer_shape *ws_scaling_shape_find(ws_text model)
{
    for (size_t i = 0; i < WS_COUNT_OF(scaling_shapes); i++) {
        if (ws_text_starts_with(model, ws_text_of(scaling_shapes[i].name))) {
            return &scaling_shapes[i].shape;
        }
    }
    return NULL;
}
