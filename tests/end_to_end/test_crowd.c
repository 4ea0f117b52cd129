/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sixty-four jobs that do everything at once, worked by hand.
 *
 *   request and boot                 5 + 95 s                                 100.000000
 *   pull      64 x 14 GiB / 3.125 GB/s  = 962,072,674,304 / 3.125e9 s         307.863256
 *   container                        8 s                                        8.000000
 *   load      64 x 94 GiB / 60 GB/s     = 6,459,630,813,184 / 60e9 s, 20 ms   107.680514
 *   work                             30 min                                  1800.000000
 *   write     64 x 94 GiB / 40 GB/s, 20 ms                                    161.510770
 *   work                             the other 20 min                        1200.000000
 *
 * One job alone would load at its node's 25 GB/s, 100,931,731,456 / 25e9 = 4.037269 s, and write at
 * the storage's 40 GB/s, 2.523293 s. Where the storage is not shared, each loads at its 60 GB/s.
 */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "support/support.h"
#include "ws/load.h"
#include "ws/run.h"

#define PULLED_S 407.863255777
#define LOADED_S (PULLED_S + 8 + 107.680513553)
#define ENDED_S (LOADED_S + 3000 + 161.510770330)

typedef struct {
    ws_arena arena;
    ws_arena scratch;
    ws_run_result result;
} crowd;

static void crowd_run(crowd *run, size_t arm)
{
    char path[4200];
    ws_loaded loaded;
    ws_diag diag;

    ws_arena_init(&run->arena, &ws_allocator_default, (size_t)1 << 30);
    ws_arena_init(&run->scratch, &ws_allocator_default, (size_t)1 << 30);
    (void)snprintf(path, sizeof path, "%s/tests/end_to_end/crowd.yaml", ws_test_source_folder());
    ws_diag_init(&diag, &run->arena);
    cr_assert(ws_scenario_load(&loaded, &(ws_load_options){.path = path}, &run->arena, &diag));
    cr_assert(ws_run(&run->result, &loaded.arms[arm],
                     &(ws_run_options){.with_jobs = true, .with_events = true, .check = true},
                     &run->arena, &run->scratch, &diag));
    cr_assert(eq(sz, run->result.job_count, 64));
}

static void crowd_close(crowd *run)
{
    ws_arena_reset(&run->scratch);
    ws_arena_reset(&run->arena);
}

static void expect_s(double is, double should)
{
    cr_expect(epsilon_eq(dbl, is, should, 1e-6), "%.9f s, not %.9f", is, should);
}

static size_t events_of(const crowd *run, ws_event_kind kind, ws_text reason)
{
    size_t count = 0;

    for (const ws_event_block *block = run->result.events.first; block != NULL;
         block = block->next) {
        for (size_t i = 0; i < block->count; i++) {
            count +=
                block->records[i].kind == kind && ws_text_equals(block->records[i].reason, reason);
        }
    }
    return count;
}

Test(crowd, pulls_loads_and_writes_share_what_they_go_over)
{
    static crowd run;

    crowd_run(&run, 0);
    for (size_t i = 0; i < run.result.job_count; i++) {
        const ws_job_record *job = &run.result.jobs[i];

        expect_s(job->first_start_s, PULLED_S);
        expect_s(job->end_s, ENDED_S);
        expect_s(job->transfer_s, 107.660513553 + 161.490770330);
        expect_s(job->transfer_alone_s, 4.037269258 + 2.523293286);
        cr_expect(eq(i64, job->checkpoints, 1));
    }
    cr_expect(eq(
        sz,
        events_of(&run, WS_EVENT_JOB_SLOWED, WS_TEXT("loading took 107.7 s, alone it takes 4.0 s")),
        64));
    cr_expect(eq(sz,
                 events_of(&run, WS_EVENT_JOB_SLOWED,
                           WS_TEXT("writing a checkpoint took 161.5 s, alone it takes 2.5 s")),
                 64));
    crowd_close(&run);
}

/* 1.682196 and 2.523293 s, and 20 ms each. */
Test(crowd, a_storage_that_is_not_shared_is_there_for_each)
{
    static crowd run;

    crowd_run(&run, 1);
    for (size_t i = 0; i < run.result.job_count; i++) {
        const ws_job_record *job = &run.result.jobs[i];

        expect_s(job->end_s, PULLED_S + 8 + 1.702195524 + 3000 + 2.543293286);
        expect_s(job->transfer_s, 0);
    }
    cr_expect(eq(sz, events_of(&run, WS_EVENT_JOB_SLOWED, WS_TEXT("")), 0));
    crowd_close(&run);
}
