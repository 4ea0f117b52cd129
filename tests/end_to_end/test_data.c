/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Two jobs whose steps need 10 GB/s of training data each, over a storage that reads 12 GB/s,
 * worked by hand. A node each; 100 samples/s of 100 MB; `short` has 60,000 samples, `long` 90,000.
 *
 *   two       6 GB/s each, 60 samples/s:  short 60,000 / 60                    1000 s
 *                                         long  1000 + 30,000 / 100            1300 s
 *   three     a load of 400 GB from 100 s on, a node as well: 4 GB/s each for 100 s
 *                                         short 100 + 100 + 50,000 / 60        1033.333 s
 *                                         long  1033.333 + 30,000 / 100        1333.333 s
 *   narrow    a node reads 8 GB/s at most:  short as above, long 1000 + 30,000 / 80  1375 s
 *                                         alone 600 / 0.8 and 900 / 0.8: 150 and 225 s of waiting
 *   alone     each has the 12 GB/s:       600 and 900 s
 */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "support/support.h"
#include "ws/load.h"
#include "ws/run.h"

typedef struct {
    ws_arena arena;
    ws_arena scratch;
    ws_run_result result;
} data_case;

static void data_run(data_case *run, size_t arm)
{
    char path[4200];
    ws_loaded loaded;
    ws_diag diag;

    ws_arena_init(&run->arena, &ws_allocator_default, (size_t)1 << 28);
    ws_arena_init(&run->scratch, &ws_allocator_default, (size_t)1 << 28);
    (void)snprintf(path, sizeof path, "%s/tests/end_to_end/data.yaml", ws_test_source_folder());
    ws_diag_init(&diag, &run->arena);
    cr_assert(ws_scenario_load(&loaded, &(ws_load_options){.path = path}, &run->arena, &diag));
    cr_assert(ws_run(&run->result, &loaded.arms[arm],
                     &(ws_run_options){.with_jobs = true, .with_events = true, .check = true},
                     &run->arena, &run->scratch, &diag));
    cr_assert(eq(sz, run->result.job_count, 3));
}

static void data_close(data_case *run)
{
    ws_arena_reset(&run->scratch);
    ws_arena_reset(&run->arena);
}

static void expect_close(double is, double should)
{
    cr_expect(epsilon_eq(dbl, is, should, 1e-6), "%.9f, not %.9f", is, should);
}

static double account_gpu_s(const ws_job_record *job, ws_account account)
{
    return (double)job->accounts.account[account].gpu_ns / 1e9;
}

/* Work of `work_s` at the full pace on 8 GPUs, and what it waited. */
static void expect_job(const ws_job_record *job, double work_s, double wait_s, double alone_s)
{
    expect_close(job->end_s, work_s + wait_s);
    expect_close(account_gpu_s(job, WS_ACCOUNT_USEFUL), 8 * work_s);
    expect_close(account_gpu_s(job, WS_ACCOUNT_INPUT_STALL), 8 * wait_s);
    expect_close(job->data_wait_s, wait_s);
    expect_close(job->data_wait_alone_s, alone_s);
    expect_close(job->data_bytes / 1e10, work_s);
}

static size_t slowed(const data_case *run, size_t job, const char *reason)
{
    size_t count = 0;

    for (const ws_event_block *block = run->result.events.first; block != NULL;
         block = block->next) {
        for (size_t i = 0; i < block->count; i++) {
            count += block->records[i].kind == WS_EVENT_JOB_SLOWED &&
                     ws_text_equals(block->records[i].job, run->result.jobs[job].name) &&
                     ws_text_is(block->records[i].reason, reason);
        }
    }
    return count;
}

Test(data, two_jobs_have_half_of_the_storage_each)
{
    static data_case run;

    data_run(&run, 0);
    expect_job(&run.result.jobs[0], 600, 400, 0);
    expect_job(&run.result.jobs[1], 900, 400, 0);
    for (size_t job = 0; job < 2; job++) {
        cr_expect(eq(
            sz, slowed(&run, job, "steps wait for data 40.0 % of the time: 6 of 10 GB/s are read"),
            1));
    }
    cr_expect(eq(sz, slowed(&run, 1, "steps wait for data no longer than alone"), 1));
    data_close(&run);
}

Test(data, a_load_is_a_third_reader)
{
    static data_case run;

    data_run(&run, 1);
    expect_job(&run.result.jobs[0], 600, 433.333333333, 0);
    expect_job(&run.result.jobs[1], 900, 433.333333333, 0);
    expect_close(run.result.jobs[2].transfer_s, 100);
    expect_close(run.result.jobs[2].transfer_alone_s, 400.0 / 12);
    cr_expect(eq(
        sz, slowed(&run, 0, "steps wait for data 60.0 % of the time: 4 of 10 GB/s are read"), 1));
    data_close(&run);
}

Test(data, a_node_that_reads_too_slowly_waits_alone_as_well)
{
    static data_case run;

    data_run(&run, 2);
    expect_job(&run.result.jobs[0], 600, 400, 150);
    expect_job(&run.result.jobs[1], 900, 475, 225);
    data_close(&run);
}

Test(data, a_storage_that_is_not_shared_is_there_for_each)
{
    static data_case run;

    data_run(&run, 3);
    expect_job(&run.result.jobs[0], 600, 0, 0);
    expect_job(&run.result.jobs[1], 900, 0, 0);
    cr_expect(eq(sz, slowed(&run, 0, "steps wait for data no longer than alone"), 0));
    data_close(&run);
}
