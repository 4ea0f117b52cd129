/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The quickstart's communication, explained by hand. A replica of 8 GPUs takes 17 ms a sample and
 * reduces 13.5 GB a step in 8 rings, each with 13.5 / 8 = 1.6875 GB, which share a node's 400 Gb/s
 * = 50 GB/s: 6.25 GB/s each. 60 % of the last micro-batch of 8 samples hide: 0.6 x 8 x 17 ms = 81.6
 * ms.
 *
 *   stage      batch  replicas  compute s      ring s = 2 (n-1)/n x 1.6875 / 6.25 + 2 (n-1) x 5 us
 * exposed s warm-up      512         4  128 x 17 ms    0.405  + 30 us 0.32343 main        1024 8
 * 128 x 17 ms    0.4725 + 70 us                                        0.39097 anneal      1024 8
 * as main evaluate     256         2  128 x 17 ms    0.27   + 10 us 0.18841
 */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "support/support.h"
#include "ws/load.h"
#include "ws/run.h"

typedef struct {
    double samples;
    double batch;
    double gpus;
    double exposed_s;
} stage;

static const stage stages[] = {
    {4e6, 512, 32, 0.32343},
    {120e6, 1024, 64, 0.39097},
    {16e6, 1024, 64, 0.39097},
    {1e6, 256, 16, 0.18841},
};

#define COMPUTE_S 2.176 /* of a step, in every stage: 128 samples a replica */

static ws_job_record run_pretrain(ws_arena *arena, ws_arena *scratch)
{
    static const ws_override overrides[] = {
        {.is_unset = true, .text = {"cluster.pools[*].failures", 25}, .label = {"<--unset>", 9}},
    };
    char path[4200];
    ws_loaded loaded;
    ws_run_result result;
    ws_diag diag;

    (void)snprintf(path, sizeof path, "%s/scenarios/quickstart.yaml", ws_test_source_folder());
    ws_diag_init(&diag, arena);
    cr_assert(ws_scenario_load(&loaded,
                               &(ws_load_options){.path = path,
                                                  .overrides = overrides,
                                                  .override_count = WS_COUNT_OF(overrides)},
                               arena, &diag));
    cr_assert(ws_run(&result, &loaded.arms[0], &(ws_run_options){.with_jobs = true}, arena, scratch,
                     &diag));
    for (size_t i = 0; i < result.job_count; i++) {
        if (ws_text_is(result.jobs[i].name, "pretrain")) {
            return result.jobs[i];
        }
    }
    cr_fatal("no pretrain job");
    return result.jobs[0];
}

Test(quickstart, communication_is_what_the_formula_says)
{
    ws_arena arena;
    ws_arena scratch;
    double communication_h = 0;
    double useful_h = 0;

    ws_arena_init(&arena, &ws_allocator_default, (size_t)1 << 30);
    ws_arena_init(&scratch, &ws_allocator_default, (size_t)1 << 30);
    ws_job_record job = run_pretrain(&arena, &scratch);
    for (size_t i = 0; i < WS_COUNT_OF(stages); i++) {
        double steps = stages[i].samples / stages[i].batch;
        communication_h += steps * stages[i].exposed_s * stages[i].gpus / 3600;
        useful_h += steps * COMPUTE_S * stages[i].gpus / 3600;
    }
    cr_expect(eq(i64, job.failures, 0));
    cr_expect(epsilon_eq(
        dbl, ws_gpu_time_h(job.accounts.account[WS_ACCOUNT_COMMUNICATION]) / communication_h, 1,
        1e-6));
    cr_expect(epsilon_eq(dbl, ws_gpu_time_h(job.accounts.account[WS_ACCOUNT_USEFUL]) / useful_h, 1,
                         1e-6));
    ws_arena_reset(&scratch);
    ws_arena_reset(&arena);
}
