/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What stages load as: units, batches, presets, efficiency, pauses, legal sizes by a batch rule. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "scenarios/edited.h"
#include "ws/step_pollux.h"

static ws_edited edited;

static void set_up(void)
{
    ws_edited_init(&edited, "stages");
}

static void tear_down(void)
{
    ws_edited_fini(&edited);
}

TestSuite(load_stages, .init = set_up, .fini = tear_down);

/* One replica: T_grad of m samples is m s, and no synchronisation: one sample a second. */
#define MODEL "step: {pollux: {alpha_c: 0s, beta_c: 1s/sample, alpha_n: 0s, alpha_r: 0s}}"

/* A job whose keys are `replicas`, then `rest`; on ample nodes. */
static bool load(const char *replicas, const char *rest)
{
    char text[4000];

    (void)snprintf(
        text, sizeof text,
        "schema: worldsize.scenario/v1\nname: stages\nhorizon: 7d\nreplications: 2\n"
        "cluster:\n  pools:\n"
        "    - {name: pool, gpu: {type: GPU, per_node: 8}, nodes: {initial: 1, max: 200},"
        " price: {per_gpu: $1/h}}\n"
        "workload:\n  jobs:\n    - name: job\n      replicas: %s\n"
        "      elasticity: {mode: restart}\n      %s\n"
        "policies:\n  - {name: fixed, type: fixed, target: {pool: pool}, nodes: 4}\n",
        replicas, rest);
    ws_diag_init(&edited.diag, &edited.arena);
    return ws_edited_load(&edited, ws_arena_format(&edited.arena, "%s", text), NULL);
}

static const ws_job_template *load_job(const char *replicas, const char *rest)
{
    cr_assert(load(replicas, rest), "%s", ws_edited_printed(&edited));
    return &edited.loaded.arms[0].scenario->workload.templates[0];
}

static const ws_stage_spec *load_stage(const char *rest)
{
    return &load_job("1", rest)->stages[0].spec;
}

static double rate_of(const ws_stage_spec *stage, int32_t replicas, double done)
{
    ws_world world = ws_world_packed(replicas, 1, 8, NULL);

    return ws_stage_pace(stage, &world, done).work_per_s;
}

/* ---- units ---- */

/* One sample a second, of 512 tokens, 8 a step: 512 tokens/s, 1/8 step/s; curves likewise. */
Test(load_stages, rates_become_work_of_any_unit)
{
    static const struct {
        const char *rest;
        double rate;
    } rows[] = {
        {MODEL "\n      stages: [{name: s, work: 10 samples, global_batch: 8}]", 1},
        {MODEL "\n      stages: [{name: s, work: 10 tokens, global_batch: 8, sequence: 512}]", 512},
        {MODEL "\n      stages: [{name: s, work: 10 steps, global_batch: 8}]", 0.125},
        {MODEL "\n      stages: [{name: s, work: 10 steps, replica_batch: 8}]", 0.125},
        {MODEL "\n      stages: [{name: s, work: 9 steps, batch_tokens: 4096, sequence: 512}]",
         0.125},
        {MODEL "\n      stages: [{name: s, work: 10 steps, global_batch: 8, step_time: 400%}]",
         0.03125},
        {"step: {curve: {1: 1024 tokens/s}}\n      stages: [{name: s, work: 9 samples, sequence: "
         "512}]",
         2},
        {"step: {curve: {1: 1024 tokens/s}}\n      stages: [{name: s, work: 9 steps, sequence: 512,"
         " global_batch: 8}]",
         0.25},
        {"step: {curve: {1: 2 steps/s}}\n      stages: [{name: s, work: 9k tokens, sequence: 512,"
         " global_batch: 8}]",
         8192},
        {"step: {curve: {1: 2 samples/s}}\n      stages: [{name: s, work: 9 samples}]", 2},
    };

    for (size_t i = 0; i < WS_COUNT_OF(rows); i++) {
        cr_expect(epsilon_eq(dbl, rate_of(load_stage(rows[i].rest), 1, 0), rows[i].rate, 1e-12),
                  "%s", rows[i].rest);
    }
}

Test(load_stages, what_cannot_be_converted_is_refused)
{
    static const struct {
        const char *rest;
        int code;
    } rows[] = {
        {MODEL "\n      stages: [{name: s, work: 10 tokens, global_batch: 8}]", 4205},
        {MODEL "\n      stages: [{name: s, work: 10 samples}]", 2102},
        {MODEL "\n      stages: [{name: s, work: 10 samples, batch_tokens: 8}]", 2102},
        {MODEL "\n      stages: [{name: s, work: 9 samples, global_batch: 8, replica_batch: 8}]",
         2302},
        {"step: {curve: {1: 2 samples/s}}\n      stages: [{name: s, work: 9 steps}]", 4205},
        {"step: {curve: {1: 2 samples/s}}\n      stages: [{name: s, work: 9 samples, global_batch: "
         "8}]",
         4107},
        {MODEL "\n      stages: {preset: llama}", 4101},
    };

    for (size_t i = 0; i < WS_COUNT_OF(rows); i++) {
        cr_expect(not(load("1", rows[i].rest)), "%s", rows[i].rest);
        cr_expect(ws_edited_found(&edited, rows[i].code) != NULL, "%s\n%s", rows[i].rest,
                  ws_edited_printed(&edited));
    }
}

/* 8 samples of each replica: a step of 4 replicas is 32 samples, and 8 s long; of 8 fixed ones 2 s.
 */
Test(load_stages, a_replica_batch_follows_the_size)
{
    const ws_job_template *job =
        load_job("{initial: 4, min: 1, max: 8}",
                 MODEL "\n      stages: [{name: a, work: 9 steps, replica_batch: 8},"
                       " {name: b, work: 9 steps, global_batch: 8}]");

    cr_expect(epsilon_eq(dbl, rate_of(&job->stages[0].spec, 4, 0), 1.0 / 8, 1e-12));
    cr_expect(epsilon_eq(dbl, rate_of(&job->stages[1].spec, 4, 0), 1.0 / 2, 1e-12));
}

/* ---- presets ---- */

/* Steps of a stage: work over the tokens of a step. */
static double steps_of(const ws_stage_spec *stage, double sequence)
{
    double samples = stage->batch.global_batch;
    double per_step = stage->unit == WS_WORK_TOKENS ? samples * sequence : samples;

    return stage->unit == WS_WORK_STEPS ? stage->work : stage->work / per_step;
}

/* 512 x 2048 x 50,000 + 1024 x 2048 x 65,000 + 2048 x 2048 x 140,000 = 7.7595e11 tokens. */
Test(load_stages, palm_has_its_tokens)
{
    const ws_job_template *job = load_job("1", MODEL "\n      stages: {preset: palm-540b}");
    double tokens = 0;

    cr_assert(eq(sz, job->stage_count, 3));
    for (size_t i = 0; i < 3; i++) {
        const ws_stage_spec *stage = &job->stages[i].spec;
        tokens += stage->work * stage->batch.global_batch * 2048;
    }
    cr_expect(epsilon_eq(dbl, tokens, 7.7595e11, 5e6));
    cr_expect(eq(dbl, tokens, 775946240000.0));
}

/* 252M / 4M, (2.87T - 252M) / 8M, (15.6T - 2.87T) / 16M, whole steps. */
Test(load_stages, llama3_has_its_steps)
{
    const ws_job_template *job = load_job("1", MODEL "\n      stages: {preset: llama3-405b}");

    cr_assert(eq(sz, job->stage_count, 5));
    cr_expect(eq(dbl, floor(steps_of(&job->stages[0].spec, 4096) + 1e-6), 63));
    cr_expect(eq(dbl, floor(steps_of(&job->stages[1].spec, 8192) + 1e-6), 358718));
    cr_expect(eq(dbl, floor(steps_of(&job->stages[2].spec, 8192) + 1e-6), 795625));
}

/* 469B tokens of ramp, then (14.8T - 469B) / (15360 x 4096) = 227,785 whole steps. */
Test(load_stages, deepseek_has_its_steps)
{
    const ws_job_template *job = load_job("1", MODEL "\n      stages: {preset: deepseek-v3}");
    double ramp = 0;

    cr_assert(eq(sz, job->stage_count, 5));
    for (size_t i = 0; i < 4; i++) {
        ramp += job->stages[i].spec.work;
    }
    cr_expect(eq(dbl, ramp, 469e9));
    cr_expect(eq(dbl, job->stages[0].spec.batch.global_batch, 3072));
    cr_expect(eq(dbl, floor(steps_of(&job->stages[4].spec, 4096)), 227785));
}

/* 2 x 939,344 samples, 330,000 pairs, 25 rounds of 16,000 episodes, each generated in 4 times the
 * time of its update: 80 % of the rounds. A hundredth of it has the same stages. */
Test(load_stages, a_post_training_chain_alternates)
{
    const ws_job_template *job =
        load_job("1", MODEL "\n      stages: {preset: post-training, scale: 1%}");
    double generate_s = 0;
    double update_s = 0;

    cr_assert(eq(sz, job->stage_count, 52));
    cr_expect(epsilon_eq(dbl, job->stages[0].spec.work, 18786.88, 1e-9));
    cr_expect(ws_text_is(job->stages[2].spec.name, "generate-1"));
    cr_expect(ws_text_is(job->stages[51].spec.name, "update-25"));
    for (size_t i = 2; i < 52; i += 2) {
        generate_s += job->stages[i].spec.work / rate_of(&job->stages[i].spec, 1, 0);
        update_s += job->stages[i + 1].spec.work / rate_of(&job->stages[i + 1].spec, 1, 0);
    }
    cr_expect(epsilon_eq(dbl, update_s, 4000, 1e-6));
    cr_expect(epsilon_eq(dbl, generate_s / (generate_s + update_s), 0.8, 1e-9));
}

/* ---- efficiency ---- */

/* M0 4, M 8, noise scale 8: (8 + 4) / (8 + 8) = 3/4; from half of the work on 24: 28/32 = 7/8. */
Test(load_stages, efficiency_weighs_samples)
{
    const ws_stage_spec *stage =
        load_stage(MODEL "\n      stages: [{name: s, work: 100 samples, global_batch: 8, "
                         "efficiency: {noise_scale: {0%: 8, 50%: 24}, batch: 4}}]");

    cr_expect(epsilon_eq(dbl, rate_of(stage, 1, 0), 0.75, 1e-12));
    cr_expect(epsilon_eq(dbl, rate_of(stage, 1, 50), 0.875, 1e-12));
    stage = load_stage(MODEL "\n      efficiency: {noise_scale: 8, batch: 4}"
                             "\n      stages: [{name: s, work: 100 steps, global_batch: 8}]");
    /* counted in steps of 4: 3/4 sample/s are 3/16 of one */
    cr_expect(epsilon_eq(dbl, rate_of(stage, 1, 0), 0.1875, 1e-12));
}

/* A job of 100 and 300 samples: its noise scale of 8, from 50 % on 24, changes 100 samples into the
 * second stage. */
Test(load_stages, a_noise_scale_of_a_job_goes_over_its_stages)
{
    const ws_job_template *job =
        load_job("1", MODEL "\n      efficiency: {noise_scale: {0%: 8, 50%: 24}, batch: 4}"
                            "\n      stages: [{name: a, work: 100 samples, global_batch: 8},"
                            " {name: b, work: 300 samples, global_batch: 8}]");

    cr_expect(eq(sz, job->stages[0].spec.efficiency.count, 1));
    cr_assert(eq(sz, job->stages[1].spec.efficiency.count, 2));
    cr_expect(epsilon_eq(dbl, job->stages[1].spec.efficiency.points[1].from, 100, 1e-9));
    cr_expect(epsilon_eq(dbl, rate_of(&job->stages[1].spec, 1, 99), 0.75, 1e-12));
    cr_expect(epsilon_eq(dbl, rate_of(&job->stages[1].spec, 1, 101), 0.875, 1e-12));
}

/* Noise 2 until a quarter of the progress, then nothing that stands out, then 6: times M0 = 4. */
Test(load_stages, a_noise_scale_may_be_recorded)
{
    char path[1200];

    (void)snprintf(path, sizeof path, "%s/validation-4.csv", edited.folder);
    FILE *file = fopen(path, "wb");
    cr_assert(file != NULL);
    (void)fputs("progress,iteration,metric,grad_sqr,grad_var\n25,25,0,1,2\n50,50,0,0,2\n"
                "100,100,0,0.5,3\n",
                file);
    cr_assert(fclose(file) == 0);
    const ws_stage_spec *stage =
        load_stage(MODEL "\n      stages: [{name: s, work: 100 samples, global_batch: 8, "
                         "efficiency: {noise_scale: {file: validation-4.csv}, batch: 4}}]");

    cr_assert(eq(sz, stage->efficiency.count, 2));
    cr_expect(eq(dbl, stage->efficiency.points[0].noise_scale, 8));
    cr_expect(eq(dbl, stage->efficiency.points[1].from, 25));
    cr_expect(eq(dbl, stage->efficiency.points[1].noise_scale, 24));
}

/* ---- pauses ---- */

/* 1,000 steps of 8 samples of 512 tokens are 8,000 samples and 4,096,000 tokens. */
Test(load_stages, pauses_come_after_work_of_any_unit)
{
    const ws_job_template *job =
        load_job("1", MODEL "\n      evaluation: {every: 1k steps, time: 3m}"
                            "\n      checkpoint: {every_steps: 500, write: 1s, read: 1s}"
                            "\n      stages: [{name: a, work: 9k steps, global_batch: 8},"
                            " {name: b, work: 90k samples, global_batch: 8},"
                            " {name: c, work: 90M tokens, global_batch: 8, sequence: 512}]");

    cr_expect(eq(dbl, job->stages[0].spec.evaluation.every, 1000));
    cr_expect(epsilon_eq(dbl, job->stages[1].spec.evaluation.every, 8000, 1e-9));
    cr_expect(epsilon_eq(dbl, job->stages[2].spec.evaluation.every, 4096000, 1e-6));
    cr_expect(eq(i64, job->stages[0].spec.evaluation.time.ns, INT64_C(180000000000)));
    cr_expect(epsilon_eq(dbl, job->stages[1].spec.checkpoint_every, 4000, 1e-9));
    cr_expect(eq(i64, job->kind.checkpoint.every.ns, 0));
}

/* ---- sizes ---- */

/* DeepSpeed's documented example; 64 ranks take 153 samples each in 9 micro-batches of 17, so that
 * a step is 9 x 17 s long. */
Test(load_stages, deepspeed_gives_sizes_and_batch)
{
    const ws_job_template *job = load_job(
        "{initial: 64, deepspeed: {max_train_batch_size: 10000, micro_batch_sizes: [8, 12, 16, 17],"
        " min_gpus: 32, max_gpus: 1500}}",
        MODEL "\n      stages: [{name: s, work: 100 steps}]");
    const ws_stage_spec *stage = &job->stages[0].spec;

    cr_assert(eq(sz, job->legal_count, 23));
    cr_expect(eq(i32, job->legal[0], 32));
    cr_expect(eq(i32, job->legal[22], 1224));
    cr_expect(eq(dbl, stage->batch.global_batch, 9792));
    cr_expect(eq(dbl, ws_batch_at(&stage->batch, 64).micro, 17));
    cr_expect(epsilon_eq(dbl, rate_of(stage, 64, 0), 1.0 / 153, 1e-12));
    cr_expect(not(load("{initial: 128, deepspeed: {max_train_batch_size: 10000, "
                       "micro_batch_sizes: [8, 12, 16, 17], min_gpus: 32, max_gpus: 1500}}",
                       MODEL "\n      stages: [{name: s, work: 100 steps}]")));
    cr_expect(ws_edited_found(&edited, 4203) != NULL);
}
