/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What step models say of a step: by hand, and that it agrees with their pace. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>

#include "ws/collective_measured.h"
#include "ws/step_measured.h"
#include "ws/step_pollux.h"
#include "ws/step_transformer.h"

TestSuite(explanation);

/* NVLink of 100 GB/s with 1 us, a NIC of 10 GB/s with 10 us for each GPU. */
static const ws_network links = {
    .intra_node = {.latency_s = 1e-6, .bytes_per_s = 100e9},
    .inter_node = {.latency_s = 10e-6, .bytes_per_s = 10e9},
    .inter_per_gpu = true,
};

static const ws_profile profile = {.network = &links,
                                   .compute_s_per_sample = 1e-3,
                                   .bytes = 1e9,
                                   .batch = {.global_batch = 100, .micro_batch = 10},
                                   .overlap = 0.5,
                                   .buckets = 10,
                                   .stall = 0.2};
static const ws_curve_point curve_points[] = {{1, 100}, {2, 180}, {4, 300}};
static const ws_amdahl amdahl = {.parallel_fraction = 0.95, .recorded_replicas = 2};
static const ws_pollux pollux = {
    .theta = {0.1, 0.01, 0.2, 0.01, 0.05, 0.01, 1.5},
    .batch = {.global_batch = 130, .micro_batch = 16},
};
static const ws_measurement measurements[] = {
    {1, 1, 8, 1.0}, {1, 1, 16, 1.8}, {1, 4, 8, 1.1}, {2, 16, 8, 1.5}};

/* As small as a transformer may be and still have every term. */
static ws_transformer transformer_of_all(void)
{
    ws_transformer transformer = {
        .shape = {.layers = 8,
                  .hidden = 1024,
                  .heads = 8,
                  .vocabulary = 1000,
                  .sequence = 1024,
                  .experts = 4,
                  .experts_used = 2},
        .layout = {.tensor = 2,
                   .pipeline = 2,
                   .interleave = 1,
                   .context = 2,
                   .expert = 2,
                   .precision = WS_BF16},
        .gpu = {.memory_bytes = 80e9, .memory_bytes_per_s = 3e12},
        .software = ws_transformer_software_default(),
        .network = &links,
        .global_batch = 30,
        .micro_batch = 1,
        .input_per_s = 1,
        .jitter = 0.01,
        .work = 30,
    };

    transformer.shape = ws_transformer_complete(&transformer.shape);
    transformer.gpu.flops_per_s[WS_BF16] = 1e15;
    return transformer;
}

/*
 * 4 replicas of one GPU, two on a node. A replica has 25 of 100 samples, 25 ms, in three
 * equal micro-batches of at most 10. Rings leave a node by both of its NICs, at 20 GB/s: 2 x ((2 x
 * 1 us + 1 x 10 us) + 3/4 x 1 GB / 20 GB/s) = 75.024 ms; half of the last micro-batch hides 25/6 ms
 * of it. 25 + 70.857333 ms are 80 % of the step, 119.821667 ms; the other 23.964333 wait for input.
 */
Test(explanation, of_a_profile)
{
    ws_step step = {.type = &ws_step_profile, .parameters = &profile};
    ws_world world = ws_world_packed(4, 1, 2, NULL);
    ws_explanation found = ws_step_explain(&step, &world);

    cr_expect(epsilon_eq(dbl, found.seconds[WS_TERM_COMPUTE], 25e-3, 1e-12));
    cr_expect(epsilon_eq(dbl, found.seconds[WS_TERM_DATA], 75.024e-3 - 25e-3 / 6, 1e-12));
    cr_expect(epsilon_eq(dbl, found.seconds[WS_TERM_STRAGGLE], 0, 1e-12));
    cr_expect(epsilon_eq(dbl, found.seconds[WS_TERM_INPUT], (100.024e-3 - 25e-3 / 6) / 4, 1e-12));
    cr_expect(epsilon_eq(dbl, found.period_s, (100.024e-3 - 25e-3 / 6) / 0.8, 1e-12));
    cr_expect(epsilon_eq(dbl, found.micro_batch, 25.0 / 3, 1e-12));
    cr_expect(epsilon_eq(dbl, found.micro_batches, 3, 1e-12));
    cr_expect(eq(u32, found.known >> WS_TERM_TENSOR & 1, 0));
    cr_expect(not(ws_explanation_exceeds_memory(&found)));
}

/* A curve knows no step: of a second at 4 replicas 300 of 4 x 100 is compute. */
Test(explanation, of_a_curve)
{
    ws_curve curve = ws_curve_of(curve_points, 3, 1, false);
    ws_step step = {.type = &ws_step_curve, .parameters = &curve};
    ws_world world = ws_world_packed(4, 1, 8, NULL);
    ws_explanation found = ws_step_explain(&step, &world);

    cr_expect(not(found.is_step));
    cr_expect(epsilon_eq(dbl, found.seconds[WS_TERM_COMPUTE], 0.75, 1e-12));
    cr_expect(epsilon_eq(dbl, found.seconds[WS_TERM_COMMUNICATION], 0.25, 1e-12));
    cr_expect(ne(ptr, (void *)found.unsplit, NULL));
}

/* ---- what holds of every model ---- */

static double of_account(const ws_explanation *found, ws_account account)
{
    double sum = 0;

    for (int term = 0; term < WS_TERMS; term++) {
        sum += ws_terms[term].account == account ? found->seconds[term] : 0;
    }
    return sum / found->period_s;
}

static void expect_as_pace(const ws_step *step, const ws_world *world)
{
    ws_explanation found = ws_step_explain(step, world);
    ws_pace pace = ws_step_pace(step, world);
    double sum = 0;

    for (int term = 0; term < WS_TERMS; term++) {
        sum += found.seconds[term];
        cr_expect(found.seconds[term] >= -1e-12, "%s: %s", step->type->name, ws_terms[term].name);
        bool is_known = (found.known >> term & 1) != 0;
        cr_expect(is_known || !(found.seconds[term] > 0));
    }
    cr_expect(epsilon_eq(dbl, sum, found.period_s, 1e-12 * found.period_s), "%s", step->type->name);
    cr_expect(
        epsilon_eq(dbl, of_account(&found, WS_ACCOUNT_USEFUL), ws_pace_compute(&pace), 1e-12));
    cr_expect(
        epsilon_eq(dbl, of_account(&found, WS_ACCOUNT_COMMUNICATION), pace.communication, 1e-12));
    cr_expect(epsilon_eq(dbl, of_account(&found, WS_ACCOUNT_STRAGGLE), pace.straggle, 1e-12));
    cr_expect(epsilon_eq(dbl, of_account(&found, WS_ACCOUNT_INPUT_STALL), pace.input_stall, 1e-12));
    if (found.is_step) {
        cr_expect(epsilon_eq(dbl, found.samples / found.period_s, pace.work_per_s,
                             1e-9 * pace.work_per_s),
                  "%s", step->type->name);
    }
}

/* Terms sum to the step; those of an account to its share of the pace; samples over seconds are the
 * rate: at every size and speed. */
Test(explanation, agrees_with_the_pace)
{
    ws_curve curve = ws_curve_of(curve_points, 3, 1, false);
    ws_transformer transformer = transformer_of_all();
    ws_arena arena;

    ws_arena_init(&arena, &ws_allocator_default, 1 << 20);
    ws_measured measured = {.profile = ws_measured_profile_of(measurements, 4, &arena),
                            .global_batch = 100};
    const ws_step steps[] = {
        {&ws_step_profile, &profile},   {&ws_step_curve, &curve},
        {&ws_step_amdahl, &amdahl},     {&ws_step_pollux, &pollux},
        {&ws_step_measured, &measured}, {&ws_step_transformer, &transformer},
    };

    for (size_t i = 0; i < sizeof(steps) / sizeof(*steps); i++) {
        int32_t gpus = steps[i].type == &ws_step_transformer ? 8 : 1;

        for (int32_t replicas = 1; replicas <= 40; replicas++) {
            ws_world world = ws_world_packed(replicas, gpus, 4, NULL);

            expect_as_pace(&steps[i], &world);
            world.speed = 0.7;
            expect_as_pace(&steps[i], &world);
        }
    }
    ws_arena_reset(&arena);
}

/* Each kind of parallelism shows in a term of its own. */
Test(explanation, of_a_transformer_with_everything)
{
    ws_transformer transformer = transformer_of_all();
    ws_step step = {.type = &ws_step_transformer, .parameters = &transformer};
    ws_world world = ws_world_packed(4, 8, 4, NULL);
    ws_explanation found = ws_step_explain(&step, &world);

    for (int term = 0; term < WS_TERMS; term++) {
        bool has = term != WS_TERM_COMMUNICATION;

        cr_expect(eq(int, (found.seconds[term] > 0) == has, 1), "%s", ws_terms[term].name);
    }
    cr_expect(epsilon_eq(dbl, found.micro_batches, 8, 0)); /* 30 samples on 4: 8 on the fullest */
    cr_expect(eq(dbl, found.memory_limit_bytes, 80e9));
    transformer.gpu.memory_bytes = found.memory_bytes / 2;
    found = ws_step_explain(&step, &world);
    cr_expect(ws_explanation_exceeds_memory(&found));
}

/* ---- what collectives were measured for ---- */

/*
 * 8 layers of 1000 channels without tensor parallelism: 12 x 8 x 1e6 weights and some thousands
 * more are 192 MB of gradients in 8 buckets of 25 MiB, 24 MB each. Measured up to 20 MB that is
 * extrapolated, up to 5 MB it is beyond four times that, and up to 100 MB it is covered. Sharing
 * out states needs other operations than the one that was measured; one replica needs none.
 */
Test(explanation, coverage_of_a_transformer)
{
    static const struct {
        double largest;
        ws_sharding sharding;
        int32_t replicas;
        ws_coverage wanted;
    } cases[] = {
        {100e6, WS_SHARD_NOTHING, 16, WS_COVERED}, {20e6, WS_SHARD_NOTHING, 16, WS_EXTRAPOLATED},
        {5e6, WS_SHARD_NOTHING, 16, WS_BEYOND},    {100e6, WS_SHARD_OPTIMIZER, 16, WS_BEYOND},
        {5e6, WS_SHARD_NOTHING, 1, WS_COVERED},    {100e6, WS_SHARD_NOTHING, 32, WS_EXTRAPOLATED},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        const ws_collective_point points[] = {{1e3, 30e-6}, {cases[i].largest, 300e-6}};
        const ws_measured_collective one = {.operation = WS_ALL_REDUCE,
                                            .ranks = 16,
                                            .nodes = 2,
                                            .points = points,
                                            .point_count = 2};
        const ws_measured_collectives measured = {.items = &one, .count = 1};
        ws_network network = links;
        ws_transformer transformer = transformer_of_all();

        network.collectives = &ws_collective_measured;
        network.collective_parameters = &measured;
        transformer.network = &network;
        transformer.shape = ws_transformer_complete(&(ws_transformer_shape){
            .layers = 8, .hidden = 1000, .heads = 10, .vocabulary = 1, .sequence = 1000});
        transformer.layout = (ws_transformer_layout){.tensor = 1,
                                                     .pipeline = 1,
                                                     .interleave = 1,
                                                     .context = 1,
                                                     .expert = 1,
                                                     .sharding = cases[i].sharding,
                                                     .precision = WS_BF16};
        ws_world world = ws_world_packed(cases[i].replicas, 1, 8, NULL);
        cr_expect(eq(int, ws_step_transformer.coverage(&transformer, &world), cases[i].wanted),
                  "%zu", i);
    }
}
