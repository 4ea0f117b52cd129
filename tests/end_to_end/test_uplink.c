/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Two jobs of three nodes on one way up, worked by hand.
 *
 * Leaves of two nodes: `short` is on nodes 0 to 2, `long` on 3 to 5; both cross the way up of the
 * middle leaf. An oversubscription of 2 lets it carry 2/2 of what a node sends.
 *
 *   compute          1 sample of 1 s                                                   1 s
 *   communication    300 GB / 8 = 37.5 GB a group, ring of 3: 2 x 2/3 x 37.5 / 50      1 s
 *   alone            3 samples in 2 s
 *   collide          half of the way up: 1 + 2                                         3 s
 *   duty             the others' share d of the time: d^2 + d - 1 = 0, d = 0.618034,
 *                    1 + 1 x (1 + d)                                            2.618034 s
 *
 * `short` has 200 steps, `long` 300: the last 100 alone.
 */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "support/support.h"
#include "ws/load.h"
#include "ws/run.h"

#define DUTY_STEP_S 2.6180339887498949

typedef struct {
    ws_arena arena;
    ws_arena scratch;
    ws_run_result result;
} uplink;

static void uplink_run(uplink *run, size_t arm)
{
    char path[4200];
    ws_loaded loaded;
    ws_diag diag;

    ws_arena_init(&run->arena, &ws_allocator_default, (size_t)1 << 28);
    ws_arena_init(&run->scratch, &ws_allocator_default, (size_t)1 << 28);
    (void)snprintf(path, sizeof path, "%s/tests/end_to_end/uplink.yaml", ws_test_source_folder());
    ws_diag_init(&diag, &run->arena);
    cr_assert(ws_scenario_load(&loaded, &(ws_load_options){.path = path}, &run->arena, &diag));
    cr_assert(ws_run(&run->result, &loaded.arms[arm],
                     &(ws_run_options){.with_jobs = true, .with_events = true, .check = true},
                     &run->arena, &run->scratch, &diag));
    cr_assert(eq(sz, run->result.job_count, 2));
}

static void uplink_close(uplink *run)
{
    ws_arena_reset(&run->scratch);
    ws_arena_reset(&run->arena);
}

static void expect_close(double is, double should)
{
    cr_expect(epsilon_eq(dbl, is, should, 1e-6), "%.9f, not %.9f", is, should);
}

static size_t events_of(const uplink *run, ws_text reason)
{
    size_t count = 0;

    for (const ws_event_block *block = run->result.events.first; block != NULL;
         block = block->next) {
        for (size_t i = 0; i < block->count; i++) {
            count += block->records[i].kind == WS_EVENT_JOB_SLOWED &&
                     ws_text_equals(block->records[i].reason, reason);
        }
    }
    return count;
}

static double account_gpu_s(const ws_job_record *job, ws_account account)
{
    return (double)job->accounts.account[account].gpu_ns / 1e9;
}

/* Arms are in the order of the file. */
static void expect_arm(size_t arm, double step_s)
{
    static uplink run;

    uplink_run(&run, arm);
    const ws_job_record *jobs = run.result.jobs;
    expect_close(jobs[0].end_s, 200 * step_s);
    expect_close(jobs[1].end_s, 200 * step_s + 100 * 2);
    /* 24 GPUs that wait for the network for all but 1 s of each step. */
    expect_close(account_gpu_s(&jobs[0], WS_ACCOUNT_COMMUNICATION), 24 * 200 * (step_s - 1));
    expect_close(account_gpu_s(&jobs[0], WS_ACCOUNT_USEFUL), 24.0 * 200);
    expect_close(account_gpu_s(&jobs[1], WS_ACCOUNT_USEFUL), 24.0 * 300);
    expect_close(jobs[0].pace_alone_ratio, step_s / 2);
    expect_close(jobs[1].pace_alone_ratio, step_s / 2);
    expect_close(run.result.run.pace_alone_ratio, step_s / 2);
    cr_expect(eq(i64, run.result.run.pace_unsettled, 0));
    uplink_close(&run);
}

Test(uplink, each_slows_the_other_as_much_of_the_time_as_it_communicates)
{
    expect_arm(0, DUTY_STEP_S);
}

Test(uplink, both_as_if_they_always_did)
{
    expect_arm(1, 3);
}

Test(uplink, not_at_all)
{
    expect_arm(2, 2);
}

/* Whatever counts, the run says how far the two differ, of whom, and when first. */
Test(uplink, how_far_the_two_differ)
{
    static uplink run;

    for (size_t arm = 0; arm < 2; arm++) {
        uplink_run(&run, arm);
        for (size_t job = 0; job < 2; job++) {
            expect_close(run.result.jobs[job].pace_duty_ratio, DUTY_STEP_S / 2);
            expect_close(run.result.jobs[job].pace_collide_ratio, 1.5);
        }
        expect_close(run.result.run.pace_duty_ratio, DUTY_STEP_S / 2);
        expect_close(run.result.run.pace_collide_ratio, 1.5);
        cr_expect(ws_text_is(run.result.run.pace_differ_job, "short"));
        cr_expect(eq(dbl, run.result.run.pace_differ_at_s, 0));
        uplink_close(&run);
    }
}

Test(uplink, events)
{
    static uplink run;

    uplink_run(&run, 0);
    cr_expect(eq(sz,
                 events_of(&run, WS_TEXT("steps take 1.309 times as long as alone: others cross "
                                         "the same links")),
                 2));
    cr_expect(eq(sz, events_of(&run, WS_TEXT("steps take as long as alone")), 1));
    uplink_close(&run);
}
