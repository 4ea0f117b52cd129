/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "trace_case.h"

#define HEADER "JobID|User|Partition|State|Submit|Start|End|ElapsedRaw|ReqTRES|AllocTRES|NNodes\n"
#define DAY "2025-02-03T"

/*
 * Fourteen lines, one of them the header. awk -F'|' 'NR > 1 { if ($1 ~ /[.]/) steps++; else r[$1]++
 * } END { for (j in r) { jobs++; more += r[j] - 1 } print steps, jobs, more }' prints: 3 8 2 Of the
 * eight, 7002 was cancelled and 7004_[3-40%8] waits; 7050 has no GPU. 7003 ran 22,632 + 32,641 +
 * 90,000 s, the last of them still.
 */
Test(sacct, the_sample)
{
    trace_case c;

    trace_case_begin(&c, "sacct-sample");
    if (!trace_case_load_shared(&c, NULL, "data/slurm/sacct_P.synthetic.txt")) {
        cr_skip_test();
    }
    cr_assert(c.is_loaded);
    cr_assert(eq(i64, c.report.rows_read, 13));
    cr_assert(eq(i64, trace_case_found(&c, WS_TRACE_STEP), 3));
    cr_assert(eq(i64, trace_case_found(&c, WS_TRACE_MERGED_ROW), 2));
    cr_assert(eq(i64, trace_case_found(&c, WS_TRACE_NO_RUN), 2));
    cr_assert(eq(i64, trace_case_found(&c, WS_TRACE_NO_GPU), 1));
    cr_assert(eq(sz, c.trace.count, 5));
    cr_assert(eq(int, trace_case_line(&c, 6123), 6));
    cr_assert(eq(sz, c.diag.warning_count, 0));

    const ws_trace_job *big = trace_case_job(&c, "7003");
    cr_assert(eq(i32, big->gpus, 256));
    cr_assert(eq(i32, big->nodes, 32));
    cr_assert(eq(i32, big->attempt_count, 3));
    cr_assert(eq(int, big->attempts[0].outcome, WS_TRACE_OUTCOME_NODE_FAIL));
    cr_assert(eq(int, big->attempts[1].outcome, WS_TRACE_OUTCOME_PREEMPTED));
    cr_assert(eq(int, big->outcome, WS_TRACE_OUTCOME_RUNNING));
    cr_assert(eq(i64, big->queue_ns, 30 * WS_NS_PER_MIN));
    cr_assert(eq(i64, big->duration_ns, (22632 + 32641 + 90000) * WS_NS_PER_S));
    cr_assert(ws_text_is(big->gpu_type, "h100"));
    cr_assert(eq(int, trace_case_job(&c, "7004_1")->outcome, WS_TRACE_OUTCOME_FAILED));
    cr_assert(eq(int, trace_case_job(&c, "7004_2")->outcome, WS_TRACE_OUTCOME_TIMEOUT));
    cr_assert(eq(i64, trace_case_job(&c, "7004_2")->duration_ns, 3626 * WS_NS_PER_S));
    cr_assert(eq(i32, trace_case_job(&c, "7051+0")->gpus, 16));
    cr_assert(ws_text_is(trace_case_job(&c, "7001")->user, "user01"));
    cr_assert(ws_text_is(trace_case_job(&c, "7001")->queue, "gpu"));
    cr_assert(eq(i32, trace_case_job(&c, "7001")->gpus, 64));
    trace_case_end(&c);
}

/* A real record of all 107 fields: a job without GPUs that waits. */
Test(sacct, all_fields)
{
    trace_case c;

    trace_case_begin(&c, "sacct-all");
    if (!trace_case_load_shared(&c, NULL, "data/slurm/sacct_all_fields.real_one_row.txt")) {
        cr_skip_test();
    }
    cr_assert(c.is_loaded);
    cr_assert(eq(i64, c.report.rows_read, 1));
    cr_assert(eq(i64, trace_case_found(&c, WS_TRACE_NO_GPU), 1));
    cr_assert_str_eq(trace_case_message(&c, 6109), "`t.csv` holds 0 jobs");
    trace_case_end(&c);
}

/* Typed entries alone are added up; beside an untyped one they are the same GPUs. */
Test(sacct, gpus_of_resources)
{
    static const struct {
        const char *requested;
        const char *allocated;
        int32_t gpus; /* 0: no job */
        ws_trace_finding finding;
    } cases[] = {
        {"", "cpu=8,gres/gpu=4,node=1", 4, WS_TRACE_FINDING_COUNT},
        {"", "gres/gpu:h100=4,gres/gpu=4", 4, WS_TRACE_FINDING_COUNT},
        {"", "gres/gpu=4,gres/gpu:h100=4", 4, WS_TRACE_FINDING_COUNT},
        {"", "gres/gpu:a100=2,gres/gpu:h100=4", 6, WS_TRACE_FINDING_COUNT},
        {"gres/gpu=8", "", 8, WS_TRACE_FINDING_COUNT},
        {"gres/gpu=8", "cpu=1", 0, WS_TRACE_NO_GPU},
        {"", "", 0, WS_TRACE_NO_GPU},
        {"", "gres/gpumem=80", 0, WS_TRACE_NO_GPU},
        {"", "gres/gpu=", 0, WS_TRACE_BAD_GPUS},
        {"", "gres/gpu=-1", 0, WS_TRACE_BAD_GPUS},
        {"", "gres/gpu=99999999999", 0, WS_TRACE_BAD_GPUS},
    };

    for (size_t i = 0; i < WS_COUNT_OF(cases); i++) {
        char text[512];
        trace_case c;

        trace_case_begin(&c, "sacct-gpus");
        (void)snprintf(text, sizeof text,
                       HEADER "1|u|p|COMPLETED|" DAY "08:00:00|" DAY "08:00:10|" DAY
                              "08:01:10|60|%s|%s|1\n",
                       cases[i].requested, cases[i].allocated);
        trace_case_load(&c, NULL, text);
        cr_assert(c.is_loaded);
        cr_assert(eq(i64, trace_case_gpus(&c), cases[i].gpus), "case %zu", i);
        if (cases[i].gpus == 0) {
            cr_assert(eq(i64, trace_case_found(&c, cases[i].finding), 1), "case %zu", i);
        }
        trace_case_end(&c);
    }
}

/* The latest run first, as sacct may print them; the steps of a run between two. */
Test(sacct, runs_of_a_requeued_job_in_any_order)
{
    trace_case c;

    trace_case_begin(&c, "sacct-runs");
    trace_case_load(
        &c, NULL,
        HEADER "1|u|p|COMPLETED|" DAY "09:00:00|" DAY "09:00:10|" DAY "09:01:10|60||gres/gpu=2|1\n"
               "1.batch||||" DAY "09:00:00|" DAY "09:00:10|" DAY "09:01:10|60||gres/gpu=2|1\n"
               "1|u|p|PREEMPTED|" DAY "08:00:00|" DAY "08:00:30|" DAY "08:01:00|30||gres/gpu=2|1\n"
               "2|u|p|PREEMPTED|" DAY "08:00:00|" DAY "08:00:30|" DAY "08:01:00|30||gres/gpu=2|1\n"
               "2|u|p|PENDING|" DAY "08:01:00|Unknown|Unknown|0|gres/gpu=2||1\n"
               "3|u|p|CANCELLED by 7|" DAY "08:00:00|None|" DAY "08:01:00|0|gres/gpu=2||1\n");
    cr_assert(c.is_loaded);
    cr_assert(eq(sz, c.trace.count, 2));
    cr_assert(eq(i64, trace_case_found(&c, WS_TRACE_MERGED_ROW), 2));
    const ws_trace_job *job = trace_case_job(&c, "1");
    cr_assert(eq(i64, job->arrival_ns, 0));
    cr_assert(eq(i64, job->queue_ns, 30 * WS_NS_PER_S));
    cr_assert(eq(i64, job->duration_ns, 90 * WS_NS_PER_S));
    cr_assert(eq(int, job->outcome, WS_TRACE_OUTCOME_COMPLETED));
    cr_assert(eq(int, job->attempts[0].outcome, WS_TRACE_OUTCOME_PREEMPTED));
    cr_assert(eq(int, trace_case_job(&c, "2")->outcome, WS_TRACE_OUTCOME_RUNNING));
    cr_assert(eq(i64, trace_case_found(&c, WS_TRACE_NO_RUN), 1));
    cr_assert(eq(int, trace_case_line(&c, 6123), 7));
    trace_case_end(&c);
}

/* sacct -p ends each line with a separator; its columns may stand in any order. */
Test(sacct, a_separator_at_the_end)
{
    trace_case c;

    trace_case_begin(&c, "sacct-p");
    trace_case_load(&c, NULL,
                    "State|JobID|AllocTRES|Submit|Start|End|\r\n"
                    "COMPLETED|5|gres/gpu=1|" DAY "08:00:00|" DAY "08:00:10|" DAY "08:01:10|\r\n");
    cr_assert(c.is_loaded);
    cr_assert(eq(sz, c.trace.count, 1));
    cr_assert(eq(sz, c.diag.count, 0));
    trace_case_end(&c);
}

/* The hour that a changed clock adds is not run: ElapsedRaw says so. */
Test(sacct, a_changed_clock)
{
    trace_case c;

    trace_case_begin(&c, "sacct-clock");
    trace_case_load(&c, NULL,
                    HEADER "1|u|p|COMPLETED|2025-03-09T01:00:00|2025-03-09T01:30:00|"
                           "2025-03-09T03:30:00|3600||gres/gpu=1|1\n"
                           "2|u|p|COMPLETED|2025-11-02T01:00:00|2025-11-02T01:50:00|"
                           "2025-11-02T01:10:00|1200||gres/gpu=1|1\n");
    cr_assert(c.is_loaded);
    cr_assert(eq(i64, trace_case_found(&c, WS_TRACE_CLOCK_CHANGED), 2));
    cr_assert(eq(i64, trace_case_job(&c, "1")->duration_ns, WS_NS_PER_H));
    cr_assert(eq(i64, trace_case_job(&c, "2")->duration_ns, 20 * WS_NS_PER_MIN));
    trace_case_end(&c);
}

Test(sacct, other_shapes)
{
    trace_case c;

    trace_case_begin(&c, "sacct-no-header");
    trace_case_load(&c, "sacct",
                    "5|COMPLETED|gres/gpu=1|" DAY "08:00:00|" DAY "08:00:10|" DAY "08:01:10\n");
    cr_assert(not(c.is_loaded));
    cr_assert_str_eq(trace_case_message(&c, 6101),
                     "the first line names none of the columns: there is no header line, or this "
                     "is another format");
    cr_assert(eq(sz, c.diag.count, 1));
    cr_assert(ws_text_is(trace_case_find(&c, 6101)->notes[0],
                         "needed are `JobID`, `State`, `Submit`, `Start`, `End`, `AllocTRES`"));
    trace_case_end(&c);

    trace_case_begin(&c, "sacct-commas");
    trace_case_load(&c, "sacct", "JobID,State,Submit,Start,End,AllocTRES\n");
    cr_assert(not(c.is_loaded));
    cr_assert_str_eq(trace_case_message(&c, 6106),
                     "the columns are separated by commas, not by vertical bars");
    trace_case_end(&c);

    /* a name with a bar in it */
    trace_case_begin(&c, "sacct-bar");
    trace_case_load(&c, NULL,
                    "JobID|JobName|State|Submit|Start|End|AllocTRES\n1|a|b|COMPLETED|" DAY
                    "08:00:00|" DAY "08:00:10|" DAY "08:01:10|gres/gpu=1\n");
    cr_assert(c.is_loaded);
    cr_assert(ws_text_is(trace_case_find(&c, 6110)->label, "8 fields, the header has 7"));
    trace_case_end(&c);
}
