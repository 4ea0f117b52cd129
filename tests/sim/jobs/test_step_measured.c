/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A profile small enough to do in the head; measured ones are looked up in tests/end_to_end. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "ws/step_measured.h"

TestSuite(step_measured);

/* In no order. One GPU takes 1 s for 10 samples and 3 s for 30: 0.1 s a sample. */
static const ws_measurement rows[] = {
    {4, 8, 10, 3},    {1, 1, 30, 3},     {1, 2, 10, 1.25}, {1, 1, 10, 1},
    {1, 4, 10, 1.75}, {1, 4, 30, 3.5},   {2, 4, 10, 2},    {2, 4, 30, 4},
    {2, 8, 10, 2.5},  {1, 2, 30, 2.875}, {4, 8, 10, 4},    {2, 4, 10, 2.5},
};

static const ws_measured_profile *profile_of(ws_arena *arena)
{
    ws_arena_init(arena, &ws_allocator_default, 1 << 20);
    const ws_measured_profile *profile = ws_measured_profile_of(rows, WS_COUNT_OF(rows), arena);
    cr_assert_not_null(profile);
    return profile;
}

Test(step_measured, a_profile_is_sorted_and_averaged)
{
    ws_arena arena;
    const ws_measured_profile *profile = profile_of(&arena);

    cr_expect(eq(sz, profile->count, 10)); /* (2, 4, 10) and (4, 8, 10) were measured twice */
    cr_expect(eq(sz, profile->single_count, 2));
    cr_expect(eq(i32, profile->gpus_max, 8));
    for (size_t i = 1; i < profile->count; i++) {
        const ws_measurement *a = &profile->rows[i - 1];
        const ws_measurement *b = &profile->rows[i];
        cr_expect(a->nodes < b->nodes || (a->nodes == b->nodes && a->gpus <= b->gpus));
    }
    ws_arena_reset(&arena);
}

Test(step_measured, one_gpu_must_have_been_measured)
{
    cr_expect(ws_measured_has_single(rows, WS_COUNT_OF(rows)));
    cr_expect(not(ws_measured_has_single(rows, 1)));
    cr_expect(not(ws_measured_has_single(NULL, 0)));
}

Test(step_measured, steps_are_exact_where_measured_and_linear_between)
{
    static const struct {
        int32_t nodes;
        int32_t gpus;
        double local;
        double step_s;
    } cases[] = {
        {1, 1, 10, 1},
        {1, 2, 30, 2.875},
        {1, 4, 30, 3.5},
        {2, 4, 10, 2.25}, /* the mean of 2 and 2.5 */
        {4, 8, 10, 3.5},  /* of 3 and 4 */
        {1, 1, 15, 1.5},
        {1, 4, 20, 2.625},   /* half-way between 1.75 and 3.5 */
        {1, 3, 10, 1.5},     /* half-way between 1.25 and 1.75 */
        {1, 3, 20, 2.34375}, /* half-way between (1.25 + 2.875) / 2 and 2.625 */
        {2, 6, 10, 2.375},   /* half-way between 2.25 and 2.5 */
        {3, 8, 10, 3},       /* half-way between 2.5 on 2 nodes and 3.5 on 4 */
        {3, 4, 10, 2.875},   /* half-way between 2.25 and the fewest GPUs on 4 nodes, 3.5 */
        /* outside */
        {1, 1, 5, 1},     /* fewer samples than measured */
        {1, 9, 10, 1.75}, /* more GPUs */
        {9, 99, 10, 3.5}, /* more nodes */
        {2, 2, 10, 2.25}, /* fewer GPUs on two nodes */
        {2, 8, 20, 3.5},  /* 2.5 and what ten samples more take on one GPU, 1 s */
        {2, 8, 90, 4.5},  /* one GPU's time stays at 3 s above 30 samples */
    };
    ws_arena arena;
    const ws_measured_profile *profile = profile_of(&arena);

    for (size_t i = 0; i < WS_COUNT_OF(cases); i++) {
        cr_expect(
            epsilon_eq(dbl,
                       ws_measured_step_s(profile, cases[i].nodes, cases[i].gpus, cases[i].local),
                       cases[i].step_s, 1e-15),
            "case %zu", i);
    }
    ws_arena_reset(&arena);
}

static ws_pace pace_of(const ws_measured_profile *profile, double batch, int32_t nodes,
                       int32_t replicas)
{
    ws_measured measured = {.profile = profile, .global_batch = batch};
    ws_step step = {&ws_step_measured, &measured};
    ws_world world = {.replicas = replicas,
                      .gpus_per_replica = 1,
                      .nodes = nodes,
                      .leaves = 1,
                      .pods = 1,
                      .fabric_share = 1,
                      .speed = 1};

    return ws_step_pace(&step, &world);
}

/* 40 samples on 4 GPUs of a node: 10 each, 1.75 s, of which 1 s is compute. */
Test(step_measured, what_exceeds_one_gpu_is_communication)
{
    ws_arena arena;
    const ws_measured_profile *profile = profile_of(&arena);

    ws_pace pace = pace_of(profile, 40, 1, 4);
    cr_expect(epsilon_eq(dbl, pace.work_per_s, 40 / 1.75, 1e-12));
    cr_expect(epsilon_eq(dbl, pace.communication, 0.75 / 1.75, 1e-15));
    cr_expect(eq(dbl, pace.input_stall, 0));
    cr_expect(eq(dbl, pace.straggle, 0));

    /* one GPU communicates with nobody */
    pace = pace_of(profile, 30, 1, 1);
    cr_expect(epsilon_eq(dbl, pace.work_per_s, 10, 1e-12));
    cr_expect(eq(dbl, pace.communication, 0));

    /* 60 samples on 2 GPUs: 30 each were measured at 2.875 s, less than 3 s on one GPU */
    pace = pace_of(profile, 60, 1, 2);
    cr_expect(epsilon_eq(dbl, pace.work_per_s, 60 / 2.875, 1e-12));
    cr_expect(eq(dbl, pace.communication, 0));
    ws_arena_reset(&arena);
}

/*
 * Above 30 samples gradients are accumulated. 240 samples on 4 GPUs are 60 each: two micro-batches
 * of 30, one of 3 s without communication and a step of 3.5 s. 160 are 40 each: two of 20, 2 s and
 * 2.625 s. 90 on one GPU: three of 30.
 */
Test(step_measured, gradients_are_accumulated)
{
    ws_arena arena;
    const ws_measured_profile *profile = profile_of(&arena);

    ws_pace pace = pace_of(profile, 240, 1, 4);
    cr_expect(epsilon_eq(dbl, pace.work_per_s, 240 / 6.5, 1e-12));
    cr_expect(epsilon_eq(dbl, pace.communication, 0.5 / 6.5, 1e-15));
    pace = pace_of(profile, 160, 1, 4);
    cr_expect(epsilon_eq(dbl, pace.work_per_s, 160 / 4.625, 1e-12));
    cr_expect(epsilon_eq(dbl, pace.communication, 0.625 / 4.625, 1e-15));
    pace = pace_of(profile, 90, 1, 1);
    cr_expect(epsilon_eq(dbl, pace.work_per_s, 10, 1e-12));
    /* 30 each is no accumulation */
    pace = pace_of(profile, 120, 1, 4);
    cr_expect(epsilon_eq(dbl, pace.work_per_s, 120 / 3.5, 1e-12));
    ws_arena_reset(&arena);
}

/* The batch of 40 leaves 4 GPUs the smallest measured batch, 10; of 800, 8 GPUs are the most. */
Test(step_measured, the_range_ends_where_a_measurement_does)
{
    ws_arena arena;
    ws_measured measured = {.profile = profile_of(&arena), .global_batch = 40};
    int32_t low = 0;
    int32_t high = 0;

    ws_step_measured.valid_range(&measured, &low, &high);
    cr_expect(eq(i32, low, 1));
    cr_expect(eq(i32, high, 4));
    measured.global_batch = 800;
    ws_step_measured.valid_range(&measured, &low, &high);
    cr_expect(eq(i32, high, 8));
    measured.global_batch = 5;
    ws_step_measured.valid_range(&measured, &low, &high);
    cr_expect(eq(i32, high, 1));
    ws_arena_reset(&arena);
}
