/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The back-test on made-up machines whose truth is known, and on the published tables. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/scaling_json.h"
#include "support/arena_suite.h"
#include "support/support.h"
#include "ws/assert.h"
#include "ws/scaling.h"

WS_TEST_ARENA_SUITE(scaling);

/* A row of TorchTitan on H100, 8 samples of Llama 8B for each GPU, sharded over all of them. */
static ws_scaling_row row_of(const char *group, int32_t gpus)
{
    return (ws_scaling_row){
        .id = WS_TEXT("row"),
        .group = ws_text_of(group),
        .machine = WS_TEXT("made-up"),
        .gpu = WS_TEXT("H100-80GB"),
        .model = WS_TEXT("Llama-3.1 8B"),
        .precision = WS_TEXT("bf16"),
        .gpus = gpus,
        .gpus_per_node = 8,
        .intra_bytes_per_s = 450e9,
        .inter_bytes_per_s = 50e9,
        .sequence = 8192,
        .data = gpus,
        .tensor = 1,
        .pipeline = 1,
        .zero = 3,
        .micro_batch = 1,
        .global_batch = gpus,
        .step_s = 1,
    };
}

/* Steps as the model makes them with an efficiency of 0.5, links at 80 % and NCCL's latencies. */
static void set_truth(ws_scaling_row *rows, size_t count, double efficiency)
{
    ws_scaling_fit truth = {.efficiency = {efficiency}, .bandwidth = {0.8}, .latency = {1}};

    for (size_t i = 0; i < count; i++) {
        const ws_scaling_table *table = ws_scaling_table_of(&rows[i], 1, &arena);
        cr_assert(table != NULL);
        cr_assert(table->cases[0].left_out == NULL, "%s", table->cases[0].left_out);
        rows[i].step_s = ws_scaling_predict(&table->cases[0], &truth).step_s;
    }
}

Test(scaling, what_was_put_in_comes_out)
{
    ws_scaling_row rows[] = {row_of("titan-a", 8), row_of("titan-a", 64), row_of("titan-b", 16),
                             row_of("titan-b", 128)};
    ws_scaling_prediction predictions[4];
    ws_scaling_fit fit;

    set_truth(rows, 4, 0.5);
    const ws_scaling_table *table = ws_scaling_table_of(rows, 4, &arena);
    cr_assert(table != NULL);
    cr_expect(eq(sz, table->class_count, 1));
    cr_expect(eq(sz, table->machine_count, 1));
    cr_expect(eq(sz, table->group_count, 2));
    cr_assert(ws_scaling_fit_without(table, table->group_count, &fit));
    cr_expect(epsilon_eq(dbl, fit.efficiency[0], 0.5, 0.005));
    cr_assert(ws_scaling_back_test(table, predictions));
    for (size_t i = 0; i < 4; i++) {
        cr_expect(lt(dbl, fabs(predictions[i].error), 0.01), "%zu: %g", i, predictions[i].error);
        cr_expect(not(predictions[i].is_borrowed));
        cr_expect(eq(int, predictions[i].has_ratio, i % 2 == 1));
        cr_expect(lt(dbl, fabs(predictions[i].ratio_error), 0.002));
    }
}

/* A fifth group is three times slower than the model says: it is missed, and moves the others by
 * less than 2 %. Least squares without damping would move them by 25 %: 3^(1/5) = 1.246. */
Test(scaling, a_wrong_group_does_not_move_the_others)
{
    ws_scaling_row rows[] = {row_of("titan-a", 8), row_of("titan-b", 8), row_of("titan-c", 8),
                             row_of("titan-d", 8), row_of("titan-wrong", 8)};
    ws_scaling_prediction predictions[5];

    set_truth(rows, 5, 0.5);
    rows[4].step_s *= 3;
    const ws_scaling_table *table = ws_scaling_table_of(rows, 5, &arena);
    cr_assert(table != NULL);
    cr_assert(ws_scaling_back_test(table, predictions));
    cr_expect(lt(dbl, fabs(predictions[0].error), 0.02), "%g", predictions[0].error);
    cr_expect(epsilon_eq(dbl, predictions[4].error, 1.0 / 3 - 1, 0.01));
}

/* Of FP8 nothing is left when its only group is: BF16's efficiency on the same GPU stands in. */
Test(scaling, a_class_without_rows_borrows)
{
    ws_scaling_row rows[] = {row_of("titan-a", 8), row_of("titan-b", 8)};
    ws_scaling_prediction predictions[2];
    ws_scaling_fit fit;

    rows[1].precision = WS_TEXT("fp8");
    set_truth(rows, 2, 0.5);
    const ws_scaling_table *table = ws_scaling_table_of(rows, 2, &arena);
    cr_assert(table != NULL);
    cr_expect(eq(sz, table->class_count, 2));
    cr_assert(ws_scaling_back_test(table, predictions));
    cr_expect(predictions[1].is_borrowed);
    cr_assert(ws_scaling_fit_without(table, 1, &fit));
    cr_expect(epsilon_eq(dbl, fit.efficiency[1], fit.efficiency[0], 1e-9));
}

static const char *refusal_of(ws_scaling_row row)
{
    const ws_scaling_table *table = ws_scaling_table_of(&row, 1, &arena);

    return table->cases[0].left_out;
}

Test(scaling, rows_that_lack_something_are_left_out_with_the_reason)
{
    ws_scaling_row row = row_of("titan-a", 8);

    cr_expect(eq(ptr, (void *)refusal_of(row), NULL));
    row.model = WS_TEXT("VGG-16");
    cr_expect(eq(str, (char *)refusal_of(row), "not a transformer whose shape is known"));
    row = row_of("titan-a", 8);
    row.pipeline = 8;
    row.global_batch = 0;
    cr_expect(eq(str, (char *)refusal_of(row), "the global batch is not printed"));
    row = row_of("titan-a", 8);
    row.step_s = 0;
    cr_expect(
        eq(str, (char *)refusal_of(row), "no time of a step can be told from what is printed"));
    row = row_of("elsewhere-a", 8);
    cr_expect(eq(str, (char *)refusal_of(row), "the code base is not known"));
    row = row_of("titan-a", 12);
    row.tensor = 8;
    cr_expect(
        eq(str, (char *)refusal_of(row), "GPUs are not a multiple of tensor x pipeline x context"));
    row = row_of("titan-a", 8);
    row.precision = WS_TEXT("fp8");
    row.gpu = WS_TEXT("A100");
    cr_expect(eq(str, (char *)refusal_of(row), "the GPU has no products of that precision"));
}

/* Narayanan et al., Table 2: 174.6 billion parameters, 384 GPUs at 153 TFLOP/s, recomputation
 * counted, 1536 samples: 84 days for 300 billion tokens are 84 x 86400 / (300e9 / (1536 x 2048)) =
 * 76.1 s a step. */
Test(scaling, printed_flops_become_a_step)
{
    ws_scaling_row row = {.group = WS_TEXT("megatron-x"),
                          .machine = WS_TEXT("selene"),
                          .gpu = WS_TEXT("A100"),
                          .model = WS_TEXT("GPT"),
                          .precision = WS_TEXT("fp16"),
                          .gpus = 384,
                          .gpus_per_node = 8,
                          .intra_bytes_per_s = 300e9,
                          .inter_bytes_per_s = 25e9,
                          .layers = 96,
                          .hidden = 12288,
                          .heads = 96,
                          .vocabulary = 51200,
                          .sequence = 2048,
                          .tensor = 8,
                          .pipeline = 12,
                          .data = 4,
                          .zero = 0,
                          .global_batch = 1536,
                          .micro_batch = 1,
                          .flops_per_s_per_gpu = 153e12};
    const ws_scaling_table *table = ws_scaling_table_of(&row, 1, &arena);

    cr_assert(table->cases[0].left_out == NULL);
    cr_expect(epsilon_eq(dbl, table->cases[0].measured_s, 76.1, 0.8));
}

/* ---- the published tables ---- */

static int compare(const void *left, const void *right)
{
    double a = *(const double *)left;
    double b = *(const double *)right;

    return (a > b) - (a < b);
}

typedef struct {
    double sizes[WS_SCALING_ROWS_MAX];
    size_t count;
    double sum;
} sizes;

static void add(sizes *to, double error)
{
    to->sizes[to->count++] = fabs(error);
    to->sum += fabs(error);
}

/* Groups that the fit has not seen: half of all ratios are within 5 %, step times within 15 % on
 * average. */
Test(scaling, published_tables)
{
    char path[1024];
    ws_text why = WS_TEXT("");
    size_t count = 0;
    sizes *ratios = calloc(1, sizeof(*ratios));
    sizes *steps = calloc(1, sizeof(*steps));

    if (ws_test_shared("vectors/scaling/scaling-tables.json", path, sizeof(path)) == NULL) {
        free(ratios);
        free(steps);
        cr_skip_test("the shared tables are absent");
    }
    const ws_scaling_row *rows = ws_scaling_json_read(path, &arena, &count, &why);
    cr_assert(rows != NULL, "%s", why.start);
    const ws_scaling_table *table = ws_scaling_table_of(rows, count, &arena);
    ws_scaling_prediction *predictions = ws_arena_alloc(&arena, ws_scaling_prediction, count);
    cr_assert(table != NULL);
    cr_assert(predictions != NULL);
    cr_assert(ws_scaling_back_test(table, predictions));
    for (size_t i = 0; i < count; i++) {
        if (predictions[i].item->left_out == NULL) {
            add(steps, predictions[i].error);
        }
        if (predictions[i].has_ratio) {
            add(ratios, predictions[i].ratio_error);
        }
    }
    qsort(ratios->sizes, ratios->count, sizeof(double), compare);
    cr_expect(ge(sz, ratios->count, 40));
    cr_expect(le(dbl, ratios->sizes[ratios->count / 2], 0.05));
    cr_expect(le(dbl, steps->sum / (double)steps->count, 0.15));
    free(ratios);
    free(steps);
}
