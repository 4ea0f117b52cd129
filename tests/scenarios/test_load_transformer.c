/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The step model `transformer` in scenarios: what it loads as, and what is refused. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <string.h>

#include "scenarios/edited.h"
#include "ws/step_transformer.h"

static ws_edited edited;

static void begin(void)
{
    ws_edited_init(&edited, "load-transformer");
}

static void end(void)
{
    ws_edited_fini(&edited);
}

TestSuite(load_transformer, .init = begin, .fini = end);

#define NETWORK                                                                                    \
    "network:\n  intra_node: {bandwidth: 360GB/s, latency: 3us}\n"                                 \
    "  inter_node: {bandwidth: 45GB/s, latency: 15us, per: gpu}\nmonitoring:"
#define LLAMA                                                                                      \
    "{layers: 32, hidden: 4096, heads: 32, kv_heads: 8, ffn: 14336, gated: true, "                 \
    "vocabulary: 128256, untied: true, sequence: 8192}"
#define PARALLEL "{tensor: 8, sharding: zero-1}"

/* The job `pretrain` of the quickstart, 8 GPUs a replica, at least 2 of them, with a transformer in
 * the place of its curve. */
static bool load(const char *transformer, const char *main_stage)
{
    char model[1024];
    const ws_edit edits[] = {
        {"curve: {2: 118/s, 4: 231/s, 8: 442/s, 12: 630/s, 16: 795/s}", model},
        {"{name: warm-up, work: 4M samples, replicas: {max: 4}}",
         "{name: warm-up, work: 4M samples, global_batch: 512, replicas: {max: 4}}"},
        {"{name: main, work: 150M samples}", main_stage},
        {"{name: anneal, work: 20M samples}", "{name: anneal, work: 10k steps, global_batch: 512}"},
        {"{name: evaluate, work: 1M samples, replicas: {max: 2}}",
         "{name: evaluate, work: 1M samples, global_batch: 512, replicas: {max: 2}}"},
        {"monitoring:", NETWORK},
    };
    ws_text text = ws_edited_quickstart(&edited);

    (void)snprintf(model, sizeof(model), "transformer: {%s}", transformer);
    return ws_edited_load(
        &edited, ws_edited_apply(&edited, text, edits, sizeof(edits) / sizeof(*edits)), NULL);
}

#define MAIN "{name: main, work: 150M tokens, global_batch: 512}"

static const ws_transformer *stage(size_t index)
{
    const ws_job_template *job = &edited.loaded.scenario.workload.templates[0];

    cr_assert(eq(ptr, (void *)job->stages[index].spec.step.type, (void *)&ws_step_transformer));
    return job->stages[index].spec.step.parameters;
}

Test(load_transformer, what_is_written_is_what_is_there)
{
    cr_assert(load("model: " LLAMA ", parallel: " PARALLEL ", gpu: H100, recompute: selective, "
                   "micro_batch: 4, software: {products: 55%, overlap_tensor: 20%}",
                   MAIN),
              "%s", ws_edited_printed(&edited));
    const ws_transformer *main_stage = stage(1);
    cr_expect(eq(i32, main_stage->shape.kv_heads, 8));
    cr_expect(eq(i32, main_stage->shape.head_size, 128));
    cr_expect(eq(i32, main_stage->layout.tensor, 8));
    cr_expect(main_stage->layout.sequence_parallel);
    cr_expect(eq(int, (int)main_stage->layout.sharding, WS_SHARD_OPTIMIZER));
    cr_expect(eq(int, (int)main_stage->layout.recompute, WS_RECOMPUTE_SELECTIVE));
    cr_expect(eq(i32, main_stage->micro_batch, 4));
    cr_expect(epsilon_eq(dbl, main_stage->software.products, 0.55, 1e-12));
    cr_expect(epsilon_eq(dbl, main_stage->software.tensor_overlap, 0.2, 1e-12));
    cr_expect(epsilon_eq(dbl, main_stage->reserve_bytes, 2147483648.0, 1e-3));
}

/* A step of 512 samples is 512 samples, 512 x 8192 tokens, one step. */
Test(load_transformer, work_is_in_samples_tokens_or_steps)
{
    cr_assert(load("model: " LLAMA ", parallel: " PARALLEL ", gpu: H100", MAIN), "%s",
              ws_edited_printed(&edited));
    cr_expect(eq(dbl, stage(0)->work, 512));
    cr_expect(eq(dbl, stage(1)->work, 4194304));
    cr_expect(eq(dbl, stage(2)->work, 1));
}

/* Four million tokens are 488 sequences of 8192, and 2304 tokens more. */
Test(load_transformer, batches_in_tokens_are_whole_sequences)
{
    cr_assert(load("model: " LLAMA ", parallel: " PARALLEL ", gpu: H100, batch: tokens",
                   "{name: main, work: 150M tokens, global_batch: 4M}") == false);
    /* the other stages' 512 tokens are less than a sequence */
    cr_expect(eq(sz, edited.diag.count, 3), "%s", ws_edited_printed(&edited));
    cr_expect(eq(int, edited.diag.entries[0].code, 3107));
}

static void expect_refused(const char *transformer, int code, const char *message)
{
    cr_assert(not(load(transformer, MAIN)));
    const ws_diagnostic *found = ws_edited_found(&edited, code);
    cr_assert(found != NULL, "WS%d: %s", code, ws_edited_printed(&edited));
    cr_expect(ws_text_is(found->message, message), "%s", ws_edited_printed(&edited));
}

Test(load_transformer, a_layout_must_divide_the_model)
{
    expect_refused("model: " LLAMA ", parallel: {tensor: 3}, gpu: H100", 4211,
                   "32 heads do not divide by `tensor: 3`");
}

Test(load_transformer, experts_must_be_there)
{
    expect_refused("model: {layers: 8, hidden: 1024, heads: 8, vocabulary: 1000, sequence: 1024, "
                   "experts: 4, experts_used: 5}, parallel: {tensor: 8}, gpu: H100",
                   4211, "a token uses 5 of 4 experts");
}

Test(load_transformer, a_gpu_must_be_known)
{
    expect_refused("model: " LLAMA ", parallel: " PARALLEL ", gpu: H1000", 2203,
                   "`H1000` is not a GPU whose peak rate is known");
}

Test(load_transformer, a_gpu_must_have_the_precision)
{
    expect_refused("model: " LLAMA ", parallel: " PARALLEL ", gpu: A100, precision: fp8", 4213,
                   "`A100-SXM4-80GB` has no matrix products in fp8");
}

/* Told once, not for each of the four stages. */
Test(load_transformer, a_replica_is_the_layouts)
{
    cr_assert(not(load("model: " LLAMA ", parallel: {tensor: 4}, gpu: H100", MAIN)));
    cr_expect(eq(sz, edited.diag.count, 1), "%s", ws_edited_printed(&edited));
    cr_expect(eq(int, edited.diag.entries[0].code, 4211));
    cr_expect(ws_text_is(edited.diag.entries[0].message,
                         "tensor x pipeline x context is 4 GPUs, but a replica has 8"),
              "%s", ws_edited_printed(&edited));
}

/*
 * Llama 405B on 8 GPUs: with 405.85e9 parameters a GPU has a good 50.7e9: 101.5 GB of them, as much
 * of gradients; states 12 bytes each, shared by 2 replicas: 304.4 GB. More than 80 GiB = 85.9 GB.
 */
Test(load_transformer, a_layout_must_fit_the_memory)
{
    cr_assert(not(load("model: {layers: 126, hidden: 16384, heads: 128, kv_heads: 8, ffn: 53248, "
                       "gated: true, vocabulary: 128256, untied: true, sequence: 8192}, "
                       "parallel: " PARALLEL ", gpu: H100, recompute: full, micro_batch: 1",
                       MAIN)));
    const ws_diagnostic *first = &edited.diag.entries[0];
    cr_expect(eq(int, first->code, 4212), "%s", ws_edited_printed(&edited));
    cr_expect(strstr(first->message.start, "`H100-SXM5-80GB` has 85.9 GB") != NULL, "%s",
              ws_edited_printed(&edited));
    cr_expect(strstr(first->notes[0].start,
                     "parameters 101.5 + gradients 101.5 + optimizer 304.4 + activations ") != NULL,
              "%s", ws_edited_printed(&edited));
}

Test(load_transformer, a_rate_must_be_above_zero)
{
    expect_refused("model: " LLAMA ", parallel: " PARALLEL ", gpu: H100, software: {memory: 0%}",
                   3107, "`memory` is above 0");
}
