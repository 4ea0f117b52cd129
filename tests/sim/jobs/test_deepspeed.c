/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "ws/assert.h"
#include "ws/batch.h"
#include "ws/deepspeed.h"

TestSuite(deepspeed);

static int32_t sizes[WS_DEEPSPEED_SIZES_MAX];

typedef struct {
    int32_t micro[5];
    size_t micro_count;
    int64_t batch_max;
    int64_t min;
    int64_t max;
    int64_t batch;
    size_t count;
    int32_t legal[40];
} example;

/* DeepSpeed's documented examples and those of its own unit tests (batch 9792 with 23 sizes; 24 of
 * micro-batches 1, 2, 3, 7), and others worked out by its rule. */
static const example examples[] = {
    {{8, 12, 16, 17}, 4, 10000, 32, 1500, 9792, 23, {32,  34,  36,  48,  51,  64,  68,  72,
                                                     96,  102, 136, 144, 153, 192, 204, 272,
                                                     288, 306, 408, 576, 612, 816, 1224}},
    {{2, 4, 6}, 3, 2000, 1, 10000, 1680, 32, {1,  2,  3,   4,   5,   6,   7,   8,   10,  12, 14,
                                              15, 20, 21,  24,  28,  30,  35,  40,  42,  56, 60,
                                              70, 84, 105, 120, 140, 168, 210, 280, 420, 840}},
    {{1, 2, 3, 7}, 4, 32, 1, 1500, 24, 8, {1, 2, 3, 4, 6, 8, 12, 24}},
    {{8, 10, 12}, 3, 100, 1, 1500, 96, 7, {1, 2, 3, 4, 6, 8, 12}},
    {{1, 2, 3, 4}, 4, 4, 1, 4, 4, 3, {1, 2, 4}},
    {{100, 200}, 2, 200, 1, 2, 200, 2, {1, 2}},
    {{4, 8}, 2, 512, 1, 64, 480, 15, {1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 24, 30, 40, 60}},
    {{2, 3}, 2, 1000, 8, 64, 720, 15, {8, 9, 10, 12, 15, 16, 18, 20, 24, 30, 36, 40, 45, 48, 60}},
};

static ws_deepspeed rule_of(const example *e)
{
    return (ws_deepspeed){.batch_max = e->batch_max,
                          .micro_batches = e->micro,
                          .micro_batch_count = e->micro_count,
                          .ranks_min = e->min,
                          .ranks_max = e->max};
}

Test(deepspeed, gives_the_published_batches_and_sizes)
{
    for (size_t i = 0; i < WS_COUNT_OF(examples); i++) {
        const example *e = &examples[i];
        ws_deepspeed rule = rule_of(e);
        int64_t batch = 0;

        cr_expect(eq(sz, ws_deepspeed_sizes(&rule, &batch, sizes), e->count), "%zu", i);
        cr_expect(eq(i64, batch, e->batch), "%zu", i);
        for (size_t k = 0; k < e->count; k++) {
            cr_expect(eq(i32, sizes[k], e->legal[k]), "%zu: %zu", i, k);
        }
    }
}

/* 1024 of 1, 2, 4 up to 256 GPUs: 840 with 29 sizes, without 16, 32, 64, 128, which divide 1024. */
Test(deepspeed, drops_powers_of_two)
{
    static const int32_t micro[] = {1, 2, 4};
    ws_deepspeed rule = {.batch_max = 1024,
                         .micro_batches = micro,
                         .micro_batch_count = 3,
                         .ranks_min = 1,
                         .ranks_max = 256};
    int64_t batch = 0;
    size_t count = ws_deepspeed_sizes(&rule, &batch, sizes);

    cr_expect(eq(sz, count, 29));
    cr_expect(eq(i64, batch, 840));
    cr_expect(eq(i32, sizes[28], 210));
    for (size_t i = 0; i < count; i++) {
        bool is_power = sizes[i] == 16 || sizes[i] == 32 || sizes[i] == 64 || sizes[i] == 128;
        cr_expect(not(is_power), "%d", sizes[i]);
    }
}

/* DeepSpeed's unit test: 17 at 64 GPUs; and 3 at 4 GPUs of batch 24. */
Test(deepspeed, a_micro_batch_is_the_largest_that_divides)
{
    for (size_t i = 0; i <= 2; i += 2) {
        ws_batch batch = {.global_batch = (double)examples[i].batch,
                          .micro_batches = examples[i].micro,
                          .micro_batch_count = examples[i].micro_count};
        ws_batch_split split = ws_batch_at(&batch, i == 0 ? 64 : 4);
        cr_expect(eq(dbl, split.micro, i == 0 ? 17 : 3));
    }
}

/* DeepSpeed's unit tests of version 0.2: 16 GPUs, 8 of a node, B* 64. One GPU a rank with
 * micro-batches 4 and 8 takes 4 (batch 64); 2 or 4 GPUs a rank leave 8 or 4 ranks, which take 8. */
Test(deepspeed, version_two_takes_the_size_at_hand)
{
    static const int32_t both[] = {4, 8};
    static const int32_t rows[][2] = {{16, 4}, {8, 8}, {4, 8}};
    int64_t batch = 0;
    int32_t micro = 0;

    for (size_t i = 0; i < WS_COUNT_OF(rows); i++) {
        ws_deepspeed rule = {
            .batch_max = 64, .micro_batches = both, .micro_batch_count = 2, .ranks_min = 1};
        cr_assert(ws_deepspeed_at(&rule, rows[i][0], &batch, &micro));
        cr_expect(eq(i64, batch, 64));
        cr_expect(eq(i32, micro, rows[i][1]), "%d", rows[i][0]);
        rule.micro_batches = &both[1];
        rule.micro_batch_count = 1;
        cr_expect(eq(int, ws_deepspeed_at(&rule, rows[i][0], &batch, &micro), i > 0));
    }
}

/* 8 ranks a node, B* 640: in nodes B* is 80; of 4 and 8, candidates 4 x 12 = 48 and 8 x 6 = 48 (80
 * / 8 = 10), lcm 8 alike. Divisors of 12 and 6 nodes: 1, 2, 3, 4, 6, 12 nodes; batch 384. */
Test(deepspeed, version_two_counts_nodes)
{
    static const int32_t micro[] = {4, 8};
    static const int32_t legal[] = {8, 16, 24, 32, 48, 96};
    ws_deepspeed rule = {.batch_max = 640,
                         .micro_batches = micro,
                         .micro_batch_count = 2,
                         .ranks_min = 1,
                         .ranks_per_node = 8};
    int64_t batch = 0;

    cr_assert(eq(sz, ws_deepspeed_sizes(&rule, &batch, sizes), 6));
    cr_expect(eq(i64, batch, 384));
    for (size_t i = 0; i < 6; i++) {
        cr_expect(eq(i32, sizes[i], legal[i]));
    }
}

Test(deepspeed, nothing_may_be_legal)
{
    static const int32_t micro[] = {3};
    ws_deepspeed rule = {.batch_max = 12,
                         .micro_batches = micro,
                         .micro_batch_count = 1,
                         .ranks_min = 3,
                         .ranks_max = 3};
    int64_t batch = 7;

    cr_expect(eq(sz, ws_deepspeed_sizes(&rule, &batch, sizes), 0));
    cr_expect(eq(i64, batch, 0));
}
