/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "trace_case.h"

/* job submit wait run alloc cpu mem req time mem status user group exe queue partition before think
 */
#define REST " -1 -1 "

Test(swf, lines_become_jobs)
{
    trace_case c;

    trace_case_begin(&c, "swf");
    trace_case_load(&c, NULL,
                    "; Version: 2.2\n; UnixStartTime: 86400\n;\n"
                    "    1   0  10  100  8 -1 -1 8 200 -1 1 3 4 5 6 1 -1 -1\n"
                    "\t2 5.5 -0.0 60.25 -1 -1 -1 4 200 -1 0 -1 -1 -1 -1 -1 -1 -1  \n"
                    "0 7 -1 30 16.00 -1 -1 -1 -1 -1 5 1 1 1 1 1 -1 -1\n"
                    "4 8 -1 -1 1 -1 -1 1 -1 -1 5 1 1 1 1 1 -1 -1\n"
                    "5 9 10 0 1 -1 -1 1 -1 -1 1 1 1 1 1 1 -1 -1\n"
                    "6 10 10 5 0 -1 -1 0 -1 -1 1 1 1 1 1 1 -1 -1\n"
                    "7 11 10 5 -1 -1 -1 -1 -1 -1 1 1 1 1 1 1 -1 -1\n"
                    "8 4 0 5 1 -1 -1 1 -1 -1 -1 1 1 1 1 1 -1 -1\n");
    cr_assert(c.is_loaded);
    cr_assert(eq(i64, c.report.rows_read, 8));
    cr_assert(eq(sz, c.trace.count, 4));
    cr_assert(eq(int, c.trace.clock, WS_TRACE_CLOCK_UTC));
    cr_assert(eq(i64, c.trace.origin_ns, WS_NS_PER_D));
    const ws_trace_job *one = trace_case_job(&c, "1");
    cr_assert(eq(i64, one->arrival_ns, 0));
    cr_assert(eq(i64, one->queue_ns, 10 * WS_NS_PER_S));
    cr_assert(eq(i64, one->duration_ns, 100 * WS_NS_PER_S));
    cr_assert(eq(i32, one->gpus, 8));
    cr_assert(eq(int, one->outcome, WS_TRACE_OUTCOME_COMPLETED));
    cr_assert(ws_text_is(one->user, "3"));
    cr_assert(ws_text_is(one->kind, "5"));
    cr_assert(ws_text_is(one->queue, "6"));
    const ws_trace_job *two = trace_case_job(&c, "2");
    cr_assert(eq(i64, two->duration_ns, INT64_C(60250000000)));
    cr_assert(eq(i64, two->queue_ns, 0));
    cr_assert(eq(i32, two->gpus, 4)); /* asked for */
    cr_assert(eq(int, two->outcome, WS_TRACE_OUTCOME_FAILED));
    cr_assert(eq(sz, two->user.length, 0));
    const ws_trace_job *zero = trace_case_job(&c, "0");
    cr_assert(eq(i32, zero->gpus, 16));
    cr_assert(eq(i64, zero->queue_ns, WS_TRACE_UNKNOWN_NS));
    cr_assert(eq(i32, zero->attempt_count, 0));
    cr_assert(eq(int, zero->outcome, WS_TRACE_OUTCOME_CANCELLED));
    cr_assert(eq(int, trace_case_job(&c, "8")->outcome, WS_TRACE_OUTCOME_UNKNOWN));
    cr_assert(eq(i64, trace_case_found(&c, WS_TRACE_NO_RUN), 2));
    cr_assert(eq(i64, trace_case_found(&c, WS_TRACE_NO_GPU), 1));
    cr_assert(eq(i64, trace_case_found(&c, WS_TRACE_BAD_GPUS), 1));
    cr_assert(eq(i64, trace_case_found(&c, WS_TRACE_UNSORTED), 1));
    cr_assert(eq(int, trace_case_line(&c, 6123), 7)); /* job 4, told when its line was over */
    trace_case_end(&c);
}

/*
 * Job 1, submitted at 100, summed up as 60 s: 20 s after a wait of 10 (110..130), 25 s after a wait
 * of 30 (160..185), 15 s after one of 5 (190..205). Job 2 has no line that sums it up.
 */
Test(swf, parts_between_checkpoints_are_merged)
{
    trace_case c;

    trace_case_begin(&c, "swf-parts");
    trace_case_load(&c, NULL,
                    "1 100 10 60 4 -1 -1 4 -1 -1 1 1 1 1 1 1" REST "\n"
                    "1 100 10 20 4 -1 -1 4 -1 -1 2 1 1 1 1 1" REST "\n"
                    "1 -1 30 25 4 -1 -1 4 -1 -1 2 1 1 1 1 1" REST "\n"
                    "1 -1 5 15 4 -1 -1 4 -1 -1 3 1 1 1 1 1" REST "\n"
                    "2 300 0 20 4 -1 -1 4 -1 -1 2 1 1 1 1 1" REST "\n"
                    "2 -1 10 20 4 -1 -1 4 -1 -1 4 1 1 1 1 1" REST "\n");
    cr_assert(c.is_loaded);
    cr_assert(eq(sz, c.trace.count, 2));
    cr_assert(eq(i64, trace_case_found(&c, WS_TRACE_MERGED_ROW), 4));
    const ws_trace_job *one = &c.trace.jobs[0];
    cr_assert(eq(i32, one->attempt_count, 3));
    cr_assert(eq(i64, one->duration_ns, 60 * WS_NS_PER_S));
    cr_assert(eq(i64, one->attempts[2].start_ns, 90 * WS_NS_PER_S));
    cr_assert(eq(i64, ws_trace_job_end_ns(one), 105 * WS_NS_PER_S));
    cr_assert(eq(int, one->outcome, WS_TRACE_OUTCOME_COMPLETED));
    cr_assert(eq(int, one->attempts[0].outcome, WS_TRACE_OUTCOME_PREEMPTED));
    cr_assert(eq(int, c.trace.jobs[1].outcome, WS_TRACE_OUTCOME_FAILED));
    cr_assert(eq(i64, c.trace.jobs[1].duration_ns, 40 * WS_NS_PER_S));
    trace_case_end(&c);
}

Test(swf, cores_to_gpus)
{
    static const char text[] = "1 0 0 60 32 -1 -1 32 -1 -1 1 1 1 1 1 1" REST "\n"
                               "2 1 0 60 12 -1 -1 12 -1 -1 1 1 1 1 1 1" REST "\n";
    trace_case c;

    trace_case_begin(&c, "swf-cores");
    c.options.cores_per_gpu = 8;
    trace_case_load(&c, NULL, text);
    cr_assert(not(c.is_loaded));
    cr_assert(ws_text_is(trace_case_find(&c, 6116)->label, "1.5 GPUs"));
    trace_case_end(&c);

    trace_case_begin(&c, "swf-cores");
    c.options.cores_per_gpu = 8;
    c.options.ceil_gpus = true;
    trace_case_load(&c, NULL, text);
    cr_assert(c.is_loaded);
    cr_assert(eq(i32, c.trace.jobs[0].gpus, 4));
    cr_assert(eq(i32, c.trace.jobs[1].gpus, 2));
    cr_assert(eq(dbl, c.trace.jobs[1].gpus_frac, 1.5));
    trace_case_end(&c);
}

Test(swf, bad_lines_are_rejected_by_reason)
{
    trace_case c;

    trace_case_begin(&c, "swf-bad");
    trace_case_load(&c, "swf",
                    "1 0 0 60 1 -1 -1 1 -1 -1 1 1 1 1 1 1 -1\n"
                    "-1 0 0 60 1 -1 -1 1 -1 -1 1 1 1 1 1 1 -1 -1\n"
                    "3 -1 0 60 1 -1 -1 1 -1 -1 1 1 1 1 1 1 -1 -1\n"
                    "4 0 0 60 x -1 -1 1 -1 -1 1 1 1 1 1 1 -1 -1\n"
                    "5 0 0 60 1 -1 -1 1 -1 -1 6 1 1 1 1 1 -1 -1\n"
                    "6 0 0 nan 1 -1 -1 1 -1 -1 1 1 1 1 1 1 -1 -1\n");
    cr_assert(c.is_loaded);
    cr_assert(eq(sz, c.trace.count, 0));
    cr_assert(eq(i64, trace_case_found(&c, WS_TRACE_RAGGED), 1));
    cr_assert(ws_text_is(trace_case_find(&c, 6110)->label, "17 fields, expected are 18"));
    cr_assert(eq(i64, trace_case_found(&c, WS_TRACE_BAD_ID), 1));
    cr_assert(eq(i64, trace_case_found(&c, WS_TRACE_BAD_TIME), 1));
    cr_assert(eq(i64, trace_case_found(&c, WS_TRACE_BAD_GPUS), 1));
    cr_assert(eq(i64, trace_case_found(&c, WS_TRACE_BAD_OUTCOME), 1));
    cr_assert(eq(i64, trace_case_found(&c, WS_TRACE_BAD_DURATION), 1));
    cr_assert(eq(int, trace_case_column(&c, 6118), 26));
    trace_case_end(&c);
}
