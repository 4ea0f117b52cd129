/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "trace_case.h"

#define S WS_NS_PER_S

/* Five jobs on a clock whose origin is 1000 s. The window of the tests is [100 s, 200 s). */
static const ws_trace_attempt runs_of_b[] = {
    {.start_ns = 60 * S, .end_ns = 90 * S, .gpus = 2, .outcome = WS_TRACE_OUTCOME_FAILED},
    {.start_ns = 95 * S, .end_ns = 130 * S, .gpus = 2, .outcome = WS_TRACE_OUTCOME_FAILED},
    {.start_ns = 140 * S, .end_ns = 150 * S, .gpus = 2, .outcome = WS_TRACE_OUTCOME_COMPLETED},
};
static const ws_trace_attempt runs_of_d[] = {
    {.start_ns = 180 * S, .end_ns = 400 * S, .gpus = 4, .outcome = WS_TRACE_OUTCOME_COMPLETED},
};

static void window_trace(trace_case *c, ws_trace_job jobs[6])
{
    trace_case_begin(c, "window");
    /* a ended at 100 s sharp; b has 30 s + 10 s left; c0 arrives at the window's start; d runs on
     * to 400 s; e arrives at the end */
    jobs[0] = (ws_trace_job){.id = WS_TEXT("a"),
                             .arrival_ns = 0,
                             .duration_ns = 100 * S,
                             .queue_ns = WS_TRACE_UNKNOWN_NS,
                             .gpus = 1};
    jobs[1] = (ws_trace_job){.id = WS_TEXT("b"),
                             .arrival_ns = 50 * S,
                             .duration_ns = 75 * S,
                             .queue_ns = 10 * S,
                             .gpus = 2,
                             .attempt_count = 3,
                             .attempts = runs_of_b};
    jobs[2] = (ws_trace_job){.id = WS_TEXT("x"),
                             .arrival_ns = 99 * S,
                             .duration_ns = 2 * S,
                             .queue_ns = WS_TRACE_UNKNOWN_NS,
                             .gpus = 1};
    jobs[3] = (ws_trace_job){.id = WS_TEXT("c"),
                             .arrival_ns = 100 * S,
                             .duration_ns = 100 * S,
                             .queue_ns = WS_TRACE_UNKNOWN_NS,
                             .gpus = 1};
    jobs[4] = (ws_trace_job){.id = WS_TEXT("d"),
                             .arrival_ns = 170 * S,
                             .duration_ns = 220 * S,
                             .queue_ns = 10 * S,
                             .gpus = 4,
                             .attempt_count = 1,
                             .attempts = runs_of_d};
    jobs[5] = (ws_trace_job){.id = WS_TEXT("e"),
                             .arrival_ns = 200 * S,
                             .duration_ns = S,
                             .queue_ns = WS_TRACE_UNKNOWN_NS,
                             .gpus = 1};
    for (int i = 0; i < 6; i++) {
        cr_assert(ws_trace_job_is_valid(&jobs[i]));
    }
    c->trace = (ws_trace){.origin_ns = 1000 * S, .jobs = jobs, .count = 6};
    c->report.rows_read = 6;
    c->report.jobs_kept = 6;
}

static int64_t found(const trace_case *c, ws_trace_finding finding)
{
    return c->report.found[finding].count;
}

Test(window, keeps_what_arrives_inside)
{
    const ws_trace_window window = {.from_ns = 100 * S, .to_ns = 200 * S};
    ws_trace_job jobs[6];
    trace_case c;
    ws_trace cut;

    window_trace(&c, jobs);
    cr_assert(ws_trace_cut(&cut, &c.trace, &window, &c.report, &c.arena, &c.diag));
    cr_assert(eq(sz, cut.count, 2));
    cr_assert(ws_text_is(cut.jobs[0].id, "c"));
    cr_assert(ws_text_is(cut.jobs[1].id, "d"));
    cr_assert(eq(i64, cut.origin_ns, 1100 * S));
    cr_assert(eq(i64, cut.jobs[0].arrival_ns, 0));
    cr_assert(eq(i64, cut.jobs[1].arrival_ns, 70 * S));
    /* d runs past the end and keeps all of its work; its attempt moves with the origin */
    cr_assert(eq(i64, cut.jobs[1].duration_ns, 220 * S));
    cr_assert(eq(i64, cut.jobs[1].attempts[0].start_ns, 80 * S));
    cr_assert(eq(i64, cut.jobs[1].attempts[0].end_ns, 300 * S));
    cr_assert(eq(i64, runs_of_d[0].start_ns, 180 * S));
    cr_assert(ws_trace_job_is_valid(&cut.jobs[1]));
    cr_assert(eq(i64, found(&c, WS_TRACE_BEFORE_WINDOW), 1));
    cr_assert(eq(i64, found(&c, WS_TRACE_RUNNING_AT_START), 2));
    cr_assert(eq(i64, found(&c, WS_TRACE_AFTER_WINDOW), 1));
    cr_assert(eq(i64, found(&c, WS_TRACE_RUNS_PAST_WINDOW), 1));
    cr_assert(eq(i64, c.report.jobs_kept, 2));
    trace_case_end(&c);
}

Test(window, remainders_arrive_at_its_start)
{
    const ws_trace_window window = {.from_ns = 100 * S, .to_ns = 200 * S, .keep_remainders = true};
    ws_trace_job jobs[6];
    trace_case c;
    ws_trace cut;

    window_trace(&c, jobs);
    cr_assert(ws_trace_cut(&cut, &c.trace, &window, &c.report, &c.arena, &c.diag));
    cr_assert(eq(sz, cut.count, 4));
    /* b: 130 - 100 of the second run, all 10 s of the third; x: 99 + 2 - 100 */
    cr_assert(ws_text_is(cut.jobs[0].id, "b"));
    cr_assert(eq(i64, cut.jobs[0].arrival_ns, 0));
    cr_assert(eq(i64, cut.jobs[0].duration_ns, 40 * S));
    cr_assert(eq(i64, cut.jobs[0].queue_ns, WS_TRACE_UNKNOWN_NS));
    cr_assert(eq(i32, cut.jobs[0].attempt_count, 0));
    cr_assert(eq(i32, cut.jobs[0].gpus, 2));
    cr_assert(ws_text_is(cut.jobs[1].id, "x"));
    cr_assert(eq(i64, cut.jobs[1].duration_ns, S));
    cr_assert(ws_text_is(cut.jobs[2].id, "c"));
    for (size_t i = 0; i < cut.count; i++) {
        cr_assert(ws_trace_job_is_valid(&cut.jobs[i]));
    }
    cr_assert(eq(i64, found(&c, WS_TRACE_REMAINDER), 2));
    cr_assert(eq(i64, found(&c, WS_TRACE_RUNNING_AT_START), 0));
    cr_assert(eq(i64, c.report.jobs_kept, 4));
    trace_case_end(&c);
}

Test(window, may_hold_nothing_or_all)
{
    ws_trace_window window = {.from_ns = 1000 * S, .to_ns = INT64_MAX};
    ws_trace_job jobs[6];
    trace_case c;
    ws_trace cut;

    window_trace(&c, jobs);
    cr_assert(ws_trace_cut(&cut, &c.trace, &window, &c.report, &c.arena, &c.diag));
    cr_assert(eq(sz, cut.count, 0));
    cr_assert(eq(i64, found(&c, WS_TRACE_BEFORE_WINDOW), 6));

    window = (ws_trace_window){.from_ns = INT64_MIN, .to_ns = INT64_MAX};
    cr_assert(ws_trace_cut(&cut, &c.trace, &window, &c.report, &c.arena, &c.diag));
    cr_assert(eq(sz, cut.count, 6));
    /* a start before 50 years before the origin is moved there: 18,250 days */
    cr_assert(eq(i64, cut.jobs[0].arrival_ns, 18250 * WS_NS_PER_D));
    cr_assert(eq(i64, cut.origin_ns, 1000 * S - 18250 * WS_NS_PER_D));

    window = (ws_trace_window){.from_ns = 0, .to_ns = 1};
    cr_assert(ws_trace_cut(&cut, &c.trace, &window, &c.report, &c.arena, &c.diag));
    cr_assert(eq(sz, cut.count, 1));
    trace_case_end(&c);
}

Test(window, an_exhausted_arena_leaves_the_trace)
{
    const ws_trace_window window = {.from_ns = 100 * S, .to_ns = 200 * S};
    ws_trace_job jobs[6];
    ws_arena small;
    trace_case c;
    ws_trace cut = {.count = 7};

    window_trace(&c, jobs);
    ws_arena_init(&small, &ws_allocator_default, 64);
    cr_assert(not(ws_trace_cut(&cut, &c.trace, &window, &c.report, &small, &c.diag)));
    cr_assert(eq(sz, cut.count, 7));
    cr_assert(eq(i64, c.report.jobs_kept, 6));
    cr_assert(trace_case_find(&c, 9020) != NULL);
    ws_arena_reset(&small);
    trace_case_end(&c);
}
