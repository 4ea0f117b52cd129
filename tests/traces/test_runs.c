/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "../../traces/runs.h"

#include "trace_case.h"

#define UNKNOWN WS_TRACE_UNKNOWN_NS

typedef struct {
    trace_case c;
    ws_trace_reading reading;
    ws_trace_runs runs;
    ws_trace_job job;
    ws_trace_finding why;
} runs_case;

static void runs_case_begin(runs_case *t)
{
    trace_case_begin(&t->c, "runs");
    t->reading = (ws_trace_reading){.arena = &t->c.arena, .diag = &t->c.diag};
    t->job = (ws_trace_job){.id = WS_TEXT("a"), .arrival_ns = 100, .gpus = 2};
    cr_assert(ws_trace_runs_init(&t->runs, &t->reading));
}

static void runs_case_add(runs_case *t, int64_t start_ns, int64_t end_ns)
{
    const ws_trace_attempt run = {.start_ns = start_ns, .end_ns = end_ns, .gpus = 2};

    cr_assert(ws_trace_runs_add(&t->runs, &run));
}

Test(runs, in_any_order)
{
    runs_case t;
    ws_trace_finding found[3];

    runs_case_begin(&t);
    runs_case_add(&t, 300, 350);
    runs_case_add(&t, 120, 200);
    runs_case_add(&t, 200, 300);
    cr_assert(ws_trace_runs_finish(&t.runs, &t.job, &t.why));
    cr_assert(ws_trace_job_is_valid(&t.job));
    cr_assert(eq(i64, t.job.queue_ns, 20));
    cr_assert(eq(i64, t.job.duration_ns, 230));
    cr_assert(eq(i64, t.job.attempts[2].start_ns, 300));
    cr_assert(eq(sz, ws_trace_runs_findings(&t.runs, found), 0));
    trace_case_end(&t.c);
}

/* 90..150 cut to 90..120, 120..130; arrives at 90. */
Test(runs, what_overlaps_is_cut_and_what_is_early_arrives_then)
{
    runs_case t;
    ws_trace_finding found[3];

    runs_case_begin(&t);
    runs_case_add(&t, 90, 150);
    runs_case_add(&t, 120, 130);
    runs_case_add(&t, UNKNOWN, 500);
    runs_case_add(&t, 400, UNKNOWN);
    cr_assert(ws_trace_runs_finish(&t.runs, &t.job, &t.why));
    cr_assert(ws_trace_job_is_valid(&t.job));
    cr_assert(eq(i64, t.job.arrival_ns, 90));
    cr_assert(eq(i64, t.job.duration_ns, 40));
    cr_assert(eq(i32, t.job.attempt_count, 3));
    cr_assert(eq(sz, ws_trace_runs_findings(&t.runs, found), 3));
    cr_assert(eq(int, found[0], WS_TRACE_RUN_UNKNOWN));
    cr_assert(eq(int, found[1], WS_TRACE_RUNS_CUT));
    cr_assert(eq(int, found[2], WS_TRACE_EARLY_START));
    trace_case_end(&t.c);
}

Test(runs, why_there_is_no_job)
{
    runs_case t;

    runs_case_begin(&t);
    cr_assert(not(ws_trace_runs_finish(&t.runs, &t.job, &t.why)));
    cr_assert(eq(int, t.why, WS_TRACE_NO_RUN));
    runs_case_add(&t, 200, 200);
    cr_assert(not(ws_trace_runs_finish(&t.runs, &t.job, &t.why)));
    cr_assert(eq(int, t.why, WS_TRACE_NO_RUN));
    ws_trace_runs_clear(&t.runs);
    runs_case_add(&t, 200, UNKNOWN);
    cr_assert(not(ws_trace_runs_finish(&t.runs, &t.job, &t.why)));
    cr_assert(eq(int, t.why, WS_TRACE_NO_KNOWN_RUN));
    ws_trace_runs_clear(&t.runs);
    runs_case_add(&t, 200, 201 + WS_HORIZON_MAX_NS);
    cr_assert(not(ws_trace_runs_finish(&t.runs, &t.job, &t.why)));
    cr_assert(eq(int, t.why, WS_TRACE_BAD_DURATION));
    trace_case_end(&t.c);
}

Test(runs, no_more_than_there_is_room_for)
{
    runs_case t;
    const ws_trace_attempt run = {.start_ns = 1000, .end_ns = 1001, .gpus = 1};

    runs_case_begin(&t);
    for (int i = 0; i < WS_TRACE_ATTEMPTS_MAX; i++) {
        runs_case_add(&t, 100 + i, 101 + i);
    }
    cr_assert(not(ws_trace_runs_add(&t.runs, &run)));
    cr_assert(ws_trace_runs_finish(&t.runs, &t.job, &t.why));
    cr_assert(eq(i64, t.job.duration_ns, WS_TRACE_ATTEMPTS_MAX));
    trace_case_end(&t.c);
}
