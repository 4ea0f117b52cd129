/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parameters, operations and memory against published numbers. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>

#include "ws/assert.h"
#include "ws/transformer.h"

static ws_transformer_shape gpt(int32_t layers, int32_t hidden, int32_t heads)
{
    return ws_transformer_complete(&(ws_transformer_shape){.layers = layers,
                                                           .hidden = hidden,
                                                           .heads = heads,
                                                           .vocabulary = 51200,
                                                           .sequence = 2048,
                                                           .biases = true,
                                                           .learned_positions = true,
                                                           .dropout = true,
                                                           .plain_attention = true});
}

/* Narayanan et al., SC21, Table 1: billions of parameters as printed. */
typedef struct {
    double billions;
    int32_t heads;
    int32_t hidden;
    int32_t layers;
    double batch;
} gpt_row;

static const gpt_row gpt_table[] = {
    {1.7, 24, 2304, 24, 512},        {3.6, 32, 3072, 30, 512},      {7.5, 32, 4096, 36, 512},
    {18.4, 48, 6144, 40, 1024},      {39.1, 64, 8192, 48, 1536},    {76.1, 80, 10240, 60, 1792},
    {145.6, 96, 12288, 80, 2304},    {310.1, 128, 16384, 96, 2160}, {529.6, 128, 20480, 105, 2520},
    {1008.0, 160, 25600, 128, 3072},
};

Test(transformer, parameters_of_ten_published_models)
{
    for (size_t i = 0; i < WS_COUNT_OF(gpt_table); i++) {
        const gpt_row *row = &gpt_table[i];
        ws_transformer_shape shape = gpt(row->layers, row->hidden, row->heads);
        double closed = ws_transformer_gpt_parameters(&shape);

        /* As printed, to a tenth of a billion. */
        cr_expect(lt(dbl, fabs(closed / 1e9 - row->billions), 0.0501), "%g", row->billions);
        /* Counted tensor by tensor: the same, and the last LayerNorm, which the formula leaves
         * out. */
        cr_expect(
            epsilon_eq(dbl, ws_transformer_parameters(&shape) - 2.0 * row->hidden, closed, 1));
    }
}

/* Table 1, first row, by hand: 96 x 512 x 2048 x 24 x 2304^2 = 1.28245e16; times 1 + 2048/13824 +
 * 51200/(16 x 24 x 2304) = 1 + 0.148148 + 0.057870. */
Test(transformer, operations_in_closed_form)
{
    ws_transformer_shape shape = gpt(24, 2304, 24);
    double full = 96.0 * 512 * 2048 * 24 * 2304 * 2304 * 1.206018518518518;

    cr_expect(
        epsilon_eq(dbl, ws_transformer_gpt_flops(&shape, 512, WS_RECOMPUTE_FULL) / full, 1, 1e-12));
}

/* Operation by operation the ten models come to the closed form, with and without recomputation. */
Test(transformer, operations_of_ten_published_models)
{
    for (size_t i = 0; i < WS_COUNT_OF(gpt_table); i++) {
        const gpt_row *row = &gpt_table[i];
        ws_transformer_shape shape = gpt(row->layers, row->hidden, row->heads);
        ws_transformer_flops one = ws_transformer_forward_flops(&shape);
        double layers = row->layers * (one.products + one.attention);
        double full = row->batch * (4 * layers + 3 * one.logits);
        double none = row->batch * (3 * layers + 3 * one.logits);

        cr_expect(epsilon_eq(
            dbl, ws_transformer_gpt_flops(&shape, row->batch, WS_RECOMPUTE_FULL) / full, 1, 1e-12));
        cr_expect(epsilon_eq(
            dbl, ws_transformer_gpt_flops(&shape, row->batch, WS_RECOMPUTE_NONE) / none, 1, 1e-12));
    }
}

/* The same paper, Table 2: days for 300 billion tokens at the printed TFLOP/s of a GPU, which
 * count recomputation. The days are printed without decimals, the TFLOP/s too. */
Test(transformer, days_of_twelve_published_runs)
{
    static const struct {
        bool is_large;
        double gpus;
        double batch;
        double tflops;
        double days;
    } runs[] = {
        {false, 384, 1536, 144, 90}, {false, 768, 1536, 88, 74},  {false, 1536, 1536, 44, 74},
        {true, 640, 2560, 138, 169}, {true, 1120, 2240, 98, 137}, {true, 2240, 2240, 48, 140},
        {false, 384, 1536, 153, 84}, {false, 768, 1536, 149, 43}, {false, 1536, 1536, 141, 23},
        {true, 560, 2240, 171, 156}, {true, 1120, 2240, 167, 80}, {true, 2240, 2240, 159, 42},
    };

    for (size_t i = 0; i < WS_COUNT_OF(runs); i++) {
        ws_transformer_shape shape = runs[i].is_large ? gpt(105, 20480, 128) : gpt(96, 12288, 96);
        double step_s = ws_transformer_gpt_flops(&shape, runs[i].batch, WS_RECOMPUTE_FULL) /
                        (runs[i].gpus * runs[i].tflops * 1e12);
        double days = step_s * 300e9 / (runs[i].batch * 2048) / 86400;

        cr_expect(lt(dbl, fabs(days - runs[i].days), 1.0 + 0.5 / runs[i].tflops * days), "run %zu",
                  i);
    }
}

/* Llama 2 7B and Llama 3.1 8B, 70B, 405B as published: 6.738, 8.030, 70.554, 405.853 billion. */
Test(transformer, parameters_of_gated_models)
{
    static const struct {
        double billions;
        ws_transformer_shape shape;
    } models[] = {
        {6.738, {.layers = 32, .hidden = 4096, .heads = 32, .ffn = 11008, .vocabulary = 32000}},
        {8.030,
         {.layers = 32,
          .hidden = 4096,
          .heads = 32,
          .kv_heads = 8,
          .ffn = 14336,
          .vocabulary = 128256}},
        {70.554,
         {.layers = 80,
          .hidden = 8192,
          .heads = 64,
          .kv_heads = 8,
          .ffn = 28672,
          .vocabulary = 128256}},
        {405.853,
         {.layers = 126,
          .hidden = 16384,
          .heads = 128,
          .kv_heads = 8,
          .ffn = 53248,
          .vocabulary = 128256}},
    };

    for (size_t i = 0; i < WS_COUNT_OF(models); i++) {
        ws_transformer_shape shape = models[i].shape;

        shape.sequence = 8192;
        shape.gated = true;
        shape.untied = true;
        shape = ws_transformer_complete(&shape);
        cr_expect(
            lt(dbl, fabs(ws_transformer_parameters(&shape) / 1e9 - models[i].billions), 0.0006),
            "%g", models[i].billions);
    }
}

/* Mixtral 8x7B: 46.7 billion, of which a token meets 12.9 (A. Jiang et al., 2024). */
Test(transformer, parameters_of_experts)
{
    ws_transformer_shape shape =
        ws_transformer_complete(&(ws_transformer_shape){.layers = 32,
                                                        .hidden = 4096,
                                                        .heads = 32,
                                                        .kv_heads = 8,
                                                        .ffn = 14336,
                                                        .gated = true,
                                                        .vocabulary = 32000,
                                                        .untied = true,
                                                        .sequence = 4096,
                                                        .experts = 8,
                                                        .experts_used = 2});

    cr_expect(lt(dbl, fabs(ws_transformer_parameters(&shape) / 1e9 - 46.7), 0.05));
    cr_expect(lt(dbl, fabs(ws_transformer_active_parameters(&shape) / 1e9 - 12.9), 0.05));
}

/* ---- memory ---- */

/* Rajbhandari et al., ZeRO, Fig. 1: 7.5 billion parameters, Adam in mixed precision, 64 ranks:
 * 16 Psi = 120 GB; 4 Psi + 12 Psi/64 = 31.4; 2 Psi + 14 Psi/64 = 16.6; 16 Psi/64 = 1.9. The model
 * of Table 1 above has 7.468. */
Test(transformer, states_of_each_zero_stage)
{
    static const double published_gb[] = {120, 31.4, 16.6, 1.9};
    ws_transformer_shape shape = gpt(36, 4096, 32);
    ws_transformer_batch batch = {.replicas = 64, .micro_batch = 1, .micro_batches = 1};
    double psi = ws_transformer_parameters(&shape) / 7.5e9;

    for (int stage = 0; stage < WS_SHARDINGS; stage++) {
        ws_transformer_layout layout = {.tensor = 1,
                                        .pipeline = 1,
                                        .interleave = 1,
                                        .context = 1,
                                        .expert = 1,
                                        .sharding = (ws_sharding)stage,
                                        .precision = WS_BF16};
        ws_transformer_memory memory = ws_transformer_memory_of(&shape, &layout, &batch, 0);
        double gb = (memory.parameters + memory.gradients + memory.optimizer) / 1e9;

        cr_expect(lt(dbl, fabs(gb / psi - published_gb[stage]), 0.05), "stage %d: %g", stage, gb);
    }
}

static double activations(const ws_transformer_shape *shape, int32_t tensor, bool sequence,
                          ws_recompute recompute)
{
    ws_transformer_layout layout = {.tensor = tensor,
                                    .pipeline = 1,
                                    .interleave = 1,
                                    .context = 1,
                                    .expert = 1,
                                    .sequence_parallel = sequence,
                                    .recompute = recompute,
                                    .precision = WS_BF16};

    return ws_transformer_activation_bytes(shape, &layout) /
           ((double)shape->sequence * shape->hidden);
}

/* Korthikanti et al., Table 2, in units of s b h, for GPT-3 (a = 96, s = 2048, h = 12288: 5 a s/h =
 * 80): 34 + 80 = 114; t = 8: 10 + 24/8 + 80/8 = 23; 114/8 = 14.25; 10 + 3 = 13; 34/8 = 4.25; 2. */
Test(transformer, activations_of_a_layer)
{
    ws_transformer_shape shape = gpt(96, 12288, 96);

    cr_expect(epsilon_eq(dbl, activations(&shape, 1, false, WS_RECOMPUTE_NONE), 114, 1e-9));
    cr_expect(epsilon_eq(dbl, activations(&shape, 8, false, WS_RECOMPUTE_NONE), 23, 1e-9));
    cr_expect(epsilon_eq(dbl, activations(&shape, 8, true, WS_RECOMPUTE_NONE), 14.25, 1e-9));
    cr_expect(epsilon_eq(dbl, activations(&shape, 8, false, WS_RECOMPUTE_SELECTIVE), 13, 1e-9));
    cr_expect(epsilon_eq(dbl, activations(&shape, 8, true, WS_RECOMPUTE_SELECTIVE), 4.25, 1e-9));
    cr_expect(epsilon_eq(dbl, activations(&shape, 8, false, WS_RECOMPUTE_FULL), 2, 1e-9));
    cr_expect(epsilon_eq(dbl, activations(&shape, 8, false, WS_RECOMPUTE_ALTERNATE), 11.5, 1e-9));
}

/* The first of 4 stages of 8 layers with 2 each holds 4 micro-batches of a sample; with 2 chunks of
 * a layer 4 (1 + 3/8) = 5.5; with only 3 micro-batches in the step 3. */
Test(transformer, micro_batches_in_flight)
{
    ws_transformer_shape shape = gpt(8, 1024, 16);
    ws_transformer_layout layout = {.tensor = 1,
                                    .pipeline = 4,
                                    .interleave = 1,
                                    .context = 1,
                                    .expert = 1,
                                    .precision = WS_BF16};
    ws_transformer_batch batch = {.replicas = 1, .micro_batch = 1, .micro_batches = 16};
    double one = ws_transformer_activation_bytes(&shape, &layout);

    cr_expect(epsilon_eq(
        dbl, ws_transformer_memory_of(&shape, &layout, &batch, 0).activations / one, 2 * 4, 1e-9));
    layout.interleave = 2;
    cr_expect(epsilon_eq(dbl,
                         ws_transformer_memory_of(&shape, &layout, &batch, 0).activations / one,
                         2 * 5.5, 1e-9));
    batch.micro_batches = 3;
    cr_expect(epsilon_eq(
        dbl, ws_transformer_memory_of(&shape, &layout, &batch, 0).activations / one, 2 * 3, 1e-9));
}

/* Two layers of a small model, all of it by hand. h = 8, s = 4, 2 heads, ffn 32, V = 16, fp16, one
 * GPU: 2 (12 x 64 + 13 x 8) + (16 + 4) x 8 + 16 = 1920 parameters; 3840 bytes, as many of
 * gradients, 23040 of states. Activations: 5 a s/h = 5, (34 + 5) x 32 = 1248 a layer; logits
 * 4 x 4 x 16 = 256. */
Test(transformer, memory_of_a_small_model)
{
    ws_transformer_shape shape =
        ws_transformer_complete(&(ws_transformer_shape){.layers = 2,
                                                        .hidden = 8,
                                                        .heads = 2,
                                                        .vocabulary = 16,
                                                        .sequence = 4,
                                                        .biases = true,
                                                        .learned_positions = true,
                                                        .dropout = true,
                                                        .plain_attention = true});
    ws_transformer_layout layout = {.tensor = 1,
                                    .pipeline = 1,
                                    .interleave = 1,
                                    .context = 1,
                                    .expert = 1,
                                    .precision = WS_BF16};
    ws_transformer_batch batch = {.replicas = 1, .micro_batch = 1, .micro_batches = 1};
    ws_transformer_memory memory = ws_transformer_memory_of(&shape, &layout, &batch, 100);

    cr_expect(eq(dbl, memory.parameters, 3840));
    cr_expect(eq(dbl, memory.gradients, 3840));
    cr_expect(eq(dbl, memory.optimizer, 23040));
    cr_expect(eq(dbl, memory.activations, 2496));
    cr_expect(eq(dbl, memory.buffers, 256));
    cr_expect(eq(dbl, ws_transformer_memory_total(&memory), 33572));
}

/* ---- layouts ---- */

Test(transformer, layouts_that_do_not_divide_say_so)
{
    char why[96] = "";
    ws_transformer_shape shape = gpt(96, 12288, 96);
    ws_transformer_layout layout = {
        .tensor = 8, .pipeline = 12, .interleave = 2, .context = 1, .expert = 1};

    cr_expect(ws_transformer_fits_layout(&shape, &layout, why, sizeof(why)));
    layout.tensor = 5;
    cr_expect(not(ws_transformer_fits_layout(&shape, &layout, why, sizeof(why))));
    cr_expect(eq(str, why, "96 heads do not divide by `tensor: 5`"));
    layout.tensor = 8;
    layout.expert = 2;
    cr_expect(not(ws_transformer_fits_layout(&shape, &layout, why, sizeof(why))));
    layout.expert = 1;
    layout.pipeline = 96;
    cr_expect(not(ws_transformer_fits_layout(&shape, &layout, why, sizeof(why))));
}

/* 126 layers on 16 stages: 8 on the fullest; in 8 x 8 chunks: 2 each, 16 on a stage. */
Test(transformer, layers_of_the_fullest_stage)
{
    ws_transformer_shape shape = gpt(126, 16384, 128);
    ws_transformer_layout layout = {.tensor = 8, .pipeline = 16, .interleave = 1};

    cr_expect(eq(i32, ws_transformer_stage_layers(&shape, &layout), 8));
    layout.pipeline = 8;
    layout.interleave = 8;
    cr_expect(eq(i32, ws_transformer_stage_layers(&shape, &layout), 16));
}
