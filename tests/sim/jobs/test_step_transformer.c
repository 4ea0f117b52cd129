/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Steps of a transformer against arithmetic by hand, and what holds of any layout. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>

#include "support/support.h"
#include "ws/step_transformer.h"

static const ws_network free_links = {
    .intra_node = {.latency_s = 0, .bytes_per_s = 1e30},
    .inter_node = {.latency_s = 0, .bytes_per_s = 1e30},
    .inter_per_gpu = true,
};

/* NVLink of 100 GB/s, a NIC of 10 GB/s for each GPU, no start-up. */
static const ws_network links = {
    .intra_node = {.latency_s = 0, .bytes_per_s = 100e9},
    .inter_node = {.latency_s = 0, .bytes_per_s = 10e9},
    .inter_per_gpu = true,
};

/*
 * 8 layers of 1000 channels, sequences of 1000, one word. Forward of a layer: 2 x 1000 x 12e6 =
 * 2.4e10 in products, 4 x 1000^2 x 1000 = 4e9 in attention; of the output 2e6. On a GPU of 1e13
 * FLOP/s: 2.8 ms, and 0.2 us. Memory takes no time.
 */
static ws_transformer plain(void)
{
    ws_transformer transformer = {
        .shape = {.layers = 8,
                  .hidden = 1000,
                  .heads = 10,
                  .vocabulary = 1,
                  .sequence = 1000,
                  .plain_attention = true},
        .layout = {.tensor = 1,
                   .pipeline = 1,
                   .interleave = 1,
                   .context = 1,
                   .expert = 1,
                   .precision = WS_BF16},
        .gpu = {.memory_bytes = 80e9, .memory_bytes_per_s = 1e30},
        .software = ws_transformer_software_default(),
        .network = &free_links,
        .global_batch = 8,
        .micro_batch = 1,
        .work = 8,
    };

    transformer.shape = ws_transformer_complete(&transformer.shape);
    transformer.gpu.flops_per_s[WS_BF16] = 1e13;
    transformer.software.products = 1;
    transformer.software.attention = 1;
    transformer.software.memory = 1;
    return transformer;
}

static ws_step_breakdown step_of(const ws_transformer *transformer, int32_t replicas)
{
    const ws_transformer_layout *layout = &transformer->layout;
    ws_world world =
        ws_world_packed(replicas, layout->tensor * layout->pipeline * layout->context, 8, NULL);

    return ws_transformer_break_down(transformer, &world);
}

static ws_transformer_traffic traffic_of(const ws_transformer *transformer, int32_t replicas)
{
    const ws_transformer_layout *layout = &transformer->layout;
    ws_world world =
        ws_world_packed(replicas, layout->tensor * layout->pipeline * layout->context, 8, NULL);

    return ws_transformer_traffic_of(transformer, &world);
}

/* 8 samples, one after the other: 8 x 3 x (8 x 2.8 + 0.0002) ms = 537.6048 ms. */
Test(step_transformer, compute_of_one_gpu)
{
    ws_transformer transformer = plain();
    ws_step_breakdown step = step_of(&transformer, 1);

    cr_expect(epsilon_eq(dbl, step.step_s, 0.5376048, 1e-12));
    cr_expect(epsilon_eq(dbl, step.compute_s, 0.5376048, 1e-12));
    cr_expect(epsilon_eq(dbl, step.model_flops, 0.5376048e13, 1));
    cr_expect(epsilon_eq(dbl, step.hardware_flops, 0.5376048e13, 1));
}

/* Recomputed in full: another 8 x 8 x 2.8 ms = 179.2 ms; the core of attention alone: 64 x 0.4. */
Test(step_transformer, recomputation)
{
    ws_transformer transformer = plain();

    transformer.layout.recompute = WS_RECOMPUTE_FULL;
    ws_step_breakdown step = step_of(&transformer, 1);
    cr_expect(epsilon_eq(dbl, step.step_s, 0.5376048 + 0.1792, 1e-12));
    cr_expect(epsilon_eq(dbl, step.hardware_flops, (0.5376048 + 0.1792) * 1e13, 1));
    transformer.layout.recompute = WS_RECOMPUTE_SELECTIVE;
    cr_expect(epsilon_eq(dbl, step_of(&transformer, 1).step_s, 0.5376048 + 0.0256, 1e-12));
    /* Every other product: 64 x 2.4 / 2 ms. */
    transformer.layout.recompute = WS_RECOMPUTE_ALTERNATE;
    cr_expect(epsilon_eq(dbl, step_of(&transformer, 1).step_s, 0.5376048 + 0.0768, 1e-12));
}

/* 4 stages of two layers, 8 micro-batches. The last stage has the output: 3 x (2 x 2.8 + 0.0002) =
 * 16.8006 ms a micro-batch; the bubble is 3 of them, half of that with two chunks a stage. */
Test(step_transformer, bubble_of_a_pipeline)
{
    ws_transformer transformer = plain();

    transformer.layout.pipeline = 4;
    ws_step_breakdown step = step_of(&transformer, 1);
    cr_expect(epsilon_eq(dbl, step.compute_s, 8 * 0.0168006, 1e-12));
    cr_expect(epsilon_eq(dbl, step.bubble_s, 3 * 0.0168006, 1e-12));
    cr_expect(epsilon_eq(dbl, step.bubble_s / step.compute_s, 3.0 / 8, 1e-12)); /* (p - 1)/m */
    transformer.layout.interleave = 2;
    cr_expect(epsilon_eq(dbl, step_of(&transformer, 1).bubble_s, 1.5 * 0.0168006, 1e-12));
}

/* Activations of a sample between layers: M = 1000 x 1000 x 2 bytes = 2 MB. Four ranks: 8 (3/4) M a
 * layer and micro-batch, 12 (3/4) M when all is recomputed; sequence parallelism moves as much. */
Test(step_transformer, bytes_of_tensor_parallelism)
{
    ws_transformer transformer = plain();

    transformer.shape.heads = 20; /* of 50: 4 divide them */
    transformer.shape.kv_heads = 20;
    transformer.shape.head_size = 50;
    transformer.layout.tensor = 4;
    double layers = 8 * 8; /* and micro-batches */
    cr_expect(epsilon_eq(dbl, traffic_of(&transformer, 1).tensor, layers * 12e6, 1));
    transformer.layout.sequence_parallel = true;
    cr_expect(epsilon_eq(dbl, traffic_of(&transformer, 1).tensor, layers * 12e6, 1));
    transformer.layout.recompute = WS_RECOMPUTE_FULL;
    cr_expect(epsilon_eq(dbl, traffic_of(&transformer, 1).tensor, layers * 18e6, 1));
}

/* And their time: an all-reduce of 2 MB over four ranks of a node takes 1.5 x 2 MB / 100 GB/s = 30
 * us; 4 x 64 of them 7.68 ms, three quarters less when as much is overlapped. */
Test(step_transformer, time_of_tensor_parallelism)
{
    ws_transformer transformer = plain();

    transformer.shape.heads = 20;
    transformer.shape.kv_heads = 20;
    transformer.shape.head_size = 50;
    transformer.layout.tensor = 4;
    transformer.network = &links;
    cr_expect(epsilon_eq(dbl, step_of(&transformer, 1).tensor_s, 7.68e-3, 1e-12));
    transformer.software.tensor_overlap = 0.75;
    cr_expect(epsilon_eq(dbl, step_of(&transformer, 1).tensor_s, 1.92e-3, 1e-12));
}

/* ZeRO's volumes in elements: 2 Psi (d - 1)/d replicated, sharded optimizer or gradients; 3 Psi (d
 * - 1)/d with sharded parameters, for each micro-batch. Rajbhandari et al., sec. 7. */
Test(step_transformer, bytes_of_data_parallelism)
{
    static const double volumes[] = {2, 2, 2, 3};
    ws_transformer transformer = plain();
    double psi = ws_transformer_parameters(&transformer.shape);

    for (int stage = 0; stage < WS_SHARDINGS; stage++) {
        transformer.layout.sharding = (ws_sharding)stage;
        cr_expect(
            epsilon_eq(dbl, traffic_of(&transformer, 8).data, volumes[stage] * 7 / 8 * psi * 2, 1),
            "stage %d", stage);
    }
    transformer.global_batch = 16; /* two micro-batches */
    cr_expect(epsilon_eq(dbl, traffic_of(&transformer, 8).data, 2 * 3 * 7.0 / 8 * psi * 2, 1));
}

/* HSDP: 16 replicas in groups of 8, one for each node: 3 Psi 7/8, and an all-reduce of Psi/8
 * between the two: 2 (1/2) Psi/8. */
Test(step_transformer, bytes_of_hybrid_sharding)
{
    ws_transformer transformer = plain();
    double psi = ws_transformer_parameters(&transformer.shape);

    transformer.global_batch = 16;
    transformer.layout.sharding = WS_SHARD_PARAMETERS;
    transformer.layout.shard = 8;
    cr_expect(
        epsilon_eq(dbl, traffic_of(&transformer, 16).data, (3 * 7.0 / 8 + 1.0 / 8) * psi * 2, 1));
}

/* Gradients of 96.018 million parameters in one piece after the backward, on 8 GPUs of a node:
 * 2 x 7/8 x 2 Psi / 100 GB/s. Psi = 8 x (12e6 + 2000) + 1000 + 1000 = 96018000: 3.360630 ms. In
 * buckets beside a backward of 44.8 ms only the last one shows. */
Test(step_transformer, gradients_hide_behind_the_backward)
{
    ws_transformer transformer = plain();

    transformer.network = &links;
    transformer.software.bucket_bytes = 1e12;
    transformer.software.overlaps_gradients = false;
    cr_expect(epsilon_eq(dbl, step_of(&transformer, 8).data_s, 3.36063e-3, 1e-12));
    transformer.software.overlaps_gradients = true;
    cr_expect(epsilon_eq(dbl, step_of(&transformer, 8).data_s, 3.36063e-3, 1e-12));
    transformer.software.bucket_bytes = 96018000 * 2 / 10.0;
    ws_step_breakdown step = step_of(&transformer, 8);
    cr_expect(epsilon_eq(dbl, step.data_s, 3.36063e-4, 1e-12));
    cr_expect(epsilon_eq(dbl, step.data_hidden_s, 3.36063e-3 * 0.9, 1e-12));
    /* Beside them compute slows: kappa = 0.2 costs a quarter of what is hidden. */
    transformer.software.interference = 0.2;
    cr_expect(epsilon_eq(dbl, step_of(&transformer, 8).data_s, 3.36063e-4 * (1 + 9.0 / 4), 1e-12));
}

/* The sequence of buckets: 192.036 MB in pieces of 50: four, the last of 42.036; each ready when
 * its part of the backward of 2 x (8 x 2.8 + 0.0002) ms is over. */
Test(step_transformer, sequence_of_buckets)
{
    ws_transformer transformer = plain();
    ws_world world = ws_world_packed(8, 1, 8, NULL);
    ws_bucket buckets[8];

    transformer.software.bucket_bytes = 50e6;
    cr_assert(eq(sz, ws_transformer_buckets(&transformer, &world, buckets, 8), 4));
    double backward_s = 2 * (8 * 2.8e-3 + 2e-7);
    cr_expect(epsilon_eq(dbl, buckets[0].bytes, 50e6, 1e-6));
    cr_expect(epsilon_eq(dbl, buckets[3].bytes, 42.036e6, 1e-6));
    cr_expect(epsilon_eq(dbl, buckets[1].ready_s, backward_s * 100 / 192.036, 1e-12));
    cr_expect(epsilon_eq(dbl, buckets[3].ready_s, backward_s, 1e-12));
}

/* Ring attention over 4 ranks: blocks of 250 tokens, keys and values 2 x 250 x 1000 x 2 bytes = 1
 * MB, 10 us a hop over 100 GB/s; a block's part of attention (0.4 ms / 4 / 4 = 25 us forward) hides
 * it, forward and backward. At 10 GB/s 100 us and 200 us do not hide behind 25 us and 62.5 us. */
Test(step_transformer, context_blocks_hide_behind_attention)
{
    ws_transformer transformer = plain();
    ws_network slow = links;

    transformer.layout.context = 4;
    transformer.network = &links;
    cr_expect(eq(dbl, step_of(&transformer, 1).context_s, 0));
    slow.intra_node.bytes_per_s = 10e9;
    transformer.network = &slow;
    cr_expect(
        epsilon_eq(dbl, step_of(&transformer, 1).context_s, 64 * 3 * (75e-6 + 137.5e-6), 1e-12));
}

/* Two ranks exchange tokens for experts: each holds 1000 x 1000 x 2 bytes and uses two experts: 4
 * MB, half of it crosses: 20 us at 100 GB/s, four times in each layer and micro-batch. */
Test(step_transformer, experts_exchange_tokens)
{
    ws_transformer transformer = plain();

    transformer.shape.experts = 4;
    transformer.shape.experts_used = 2;
    transformer.layout.expert = 2;
    transformer.network = &links;
    transformer.global_batch = 2;
    cr_expect(epsilon_eq(dbl, step_of(&transformer, 2).expert_s, 8 * 4 * 20e-6, 1e-12));
}

/* A loader of 10 samples/s for 8 samples: 0.8 s, 0.2623952 s more than the step takes. */
Test(step_transformer, waiting_for_input)
{
    ws_transformer transformer = plain();

    transformer.input_per_s = 10;
    ws_step_breakdown step = step_of(&transformer, 1);
    cr_expect(epsilon_eq(dbl, step.input_s, 0.8 - 0.5376048, 1e-12));
    cr_expect(epsilon_eq(dbl, step.step_s, 0.8, 1e-12));
}

/* Delays with a mean of 12 ms on each of 4 GPUs: the longest is 12 x 25/12 = 25 ms on average. */
Test(step_transformer, waiting_for_the_slowest)
{
    ws_transformer transformer = plain();

    transformer.hiccup_s = 0.012;
    cr_expect(epsilon_eq(dbl, step_of(&transformer, 4).straggle_s, 0.025, 1e-12));
}

/* Adam reads and writes 30 bytes for each of 96018000 parameters at 1 TB/s: 2.88054 ms; an eighth
 * when eight share them out. */
Test(step_transformer, optimizer_moves_memory)
{
    ws_transformer transformer = plain();

    transformer.gpu.memory_bytes_per_s = 1e12;
    cr_expect(epsilon_eq(dbl, step_of(&transformer, 8).optimizer_s, 2.88054e-3, 1e-12));
    transformer.layout.sharding = WS_SHARD_OPTIMIZER;
    cr_expect(epsilon_eq(dbl, step_of(&transformer, 8).optimizer_s, 2.88054e-3 / 8, 1e-12));
}

/* A GPU half as fast takes twice as long, communication does not; work is per second of that. */
Test(step_transformer, pace_of_a_slower_gpu)
{
    ws_transformer transformer = plain();
    ws_step step = {.type = &ws_step_transformer, .parameters = &transformer};
    ws_world world = ws_world_packed(1, 1, 8, NULL);

    world.speed = 0.5;
    cr_expect(epsilon_eq(dbl, ws_step_pace(&step, &world).work_per_s, 8 / 1.0752096, 1e-9));
    transformer.work = 8000; /* tokens */
    cr_expect(epsilon_eq(dbl, ws_step_pace(&step, &world).work_per_s, 8000 / 1.0752096, 1e-6));
}

/* Weights are read once for a micro-batch, so that larger ones are faster, until memory is full:
 * of the divisors of 8 the largest that fits. */
Test(step_transformer, micro_batch_is_found)
{
    ws_transformer transformer = plain();

    transformer.micro_batch = 0;
    transformer.gpu.memory_bytes_per_s = 1e10; /* 19 ms a layer for its weights */
    ws_step_breakdown all = step_of(&transformer, 1);
    cr_expect(eq(i32, all.batch.micro_batch, 8));
    cr_expect(eq(i64, all.batch.micro_batches, 1));
    transformer.micro_batch = 4;
    ws_step_breakdown four = step_of(&transformer, 1);
    double of_four = ws_transformer_memory_total(&four.memory);
    transformer.micro_batch = 0;
    transformer.gpu.memory_bytes = of_four;
    cr_expect(eq(i32, step_of(&transformer, 1).batch.micro_batch, 4));
    transformer.gpu.memory_bytes = 1e6;
    cr_expect(not(step_of(&transformer, 1).fits));
}

/* ---- what holds of any layout ---- */

/* Numerical Recipes' generator, for layouts alone. */
static uint32_t random_below(uint64_t *state, uint32_t bound)
{
    *state = *state * 6364136223846793005U + 1442695040888963407U;
    return (uint32_t)(*state >> 33U) % bound;
}

static int32_t random_power(uint64_t *state, uint32_t below)
{
    uint32_t exponent = random_below(state, below);

    return (int32_t)1 << exponent;
}

static ws_transformer random_transformer(uint64_t *state)
{
    ws_transformer transformer = plain();
    ws_transformer_layout *layout = &transformer.layout;

    transformer.network = &links;
    transformer.gpu.memory_bytes_per_s = 2e12;
    transformer.shape = ws_transformer_complete(
        &(ws_transformer_shape){.layers = 8 * random_power(state, 4),
                                .hidden = 512 * random_power(state, 4),
                                .heads = 16,
                                .vocabulary = 32000,
                                .sequence = 1024,
                                .gated = random_below(state, 2) == 0,
                                .plain_attention = random_below(state, 2) == 0});
    layout->tensor = random_power(state, 4);
    layout->pipeline = random_power(state, 3);
    layout->interleave = layout->pipeline > 1 ? random_power(state, 2) : 1;
    layout->context = random_power(state, 2);
    layout->sequence_parallel = random_below(state, 2) == 0;
    layout->recompute = (ws_recompute)random_below(state, WS_RECOMPUTES);
    layout->sharding = (ws_sharding)random_below(state, WS_SHARDINGS);
    transformer.software.overlaps_gradients = random_below(state, 2) == 0;
    transformer.global_batch = 64 * random_power(state, 4);
    return transformer;
}

static double parts_of(const ws_step_breakdown *step)
{
    return step->compute_s + step->tensor_s + step->context_s + step->expert_s + step->pipeline_s +
           step->bubble_s + step->data_s + step->optimizer_s + step->input_s + step->straggle_s;
}

Test(step_transformer, laws_of_random_layouts)
{
    uint64_t state = 20240901;
    int64_t rounds = ws_test_scaled(2000, 50);

    for (int64_t i = 0; i < rounds; i++) {
        ws_transformer transformer = random_transformer(&state);
        int32_t replicas = random_power(&state, 7);
        ws_step_breakdown step = step_of(&transformer, replicas);
        ws_network faster = links;

        cr_assert(ge(dbl, step.step_s, step.compute_s));
        cr_assert(epsilon_eq(dbl, parts_of(&step) / step.step_s, 1, 1e-12));
        cr_assert(ge(dbl, step.hardware_flops, step.model_flops));

        faster.inter_node.bytes_per_s *= 3;
        transformer.network = &faster;
        cr_assert(le(dbl, step_of(&transformer, replicas).step_s, step.step_s * (1 + 1e-12)));
        faster.intra_node.bytes_per_s *= 2;
        cr_assert(le(dbl, step_of(&transformer, replicas).step_s, step.step_s * (1 + 1e-12)));
    }
}

/* Of the states of any layout each stage holds no more than the one before. */
Test(step_transformer, memory_falls_with_sharding)
{
    uint64_t state = 77;
    int64_t rounds = ws_test_scaled(1000, 50);

    for (int64_t i = 0; i < rounds; i++) {
        ws_transformer transformer = random_transformer(&state);
        int32_t replicas = random_power(&state, 7);
        double before = (double)INFINITY;

        for (int stage = 0; stage < WS_SHARDINGS; stage++) {
            transformer.layout.sharding = (ws_sharding)stage;
            ws_transformer_memory memory = step_of(&transformer, replicas).memory;
            double states = memory.parameters + memory.gradients + memory.optimizer;
            cr_assert(le(dbl, states, before));
            before = states;
        }
    }
}
