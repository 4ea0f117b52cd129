/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "../../traces/dated.h"

#include "trace_case.h"

#define HELIOS                                                                                     \
    "job_id,user,vc,gpu_num,cpu_num,node_num,state,submit_time,start_time,end_time,duration,"      \
    "queue\n"

Test(dated, states_of_slurm)
{
    static const struct {
        const char *state;
        ws_trace_outcome outcome;
    } cases[] = {{"COMPLETED", WS_TRACE_OUTCOME_COMPLETED},
                 {"completed", WS_TRACE_OUTCOME_COMPLETED},
                 {"CANCELLED by 1002", WS_TRACE_OUTCOME_CANCELLED},
                 {"CANCELLED+", WS_TRACE_OUTCOME_CANCELLED},
                 {"OUT_OF_ME+", WS_TRACE_OUTCOME_FAILED},
                 {"TIMEOUT", WS_TRACE_OUTCOME_TIMEOUT},
                 {"DEADLINE", WS_TRACE_OUTCOME_TIMEOUT},
                 {"NODE_FAIL", WS_TRACE_OUTCOME_NODE_FAIL},
                 {"BOOT_FAIL", WS_TRACE_OUTCOME_NODE_FAIL},
                 {"PREEMPTED", WS_TRACE_OUTCOME_PREEMPTED},
                 {"REQUEUED", WS_TRACE_OUTCOME_PREEMPTED},
                 {"SUSPENDED", WS_TRACE_OUTCOME_RUNNING},
                 {"PENDING", WS_TRACE_OUTCOME_PENDING}};
    static const char *const bad[] = {"", "+", "COMPLETE", "COMPLETEDX", "Pass", " by 1002"};
    ws_trace_outcome outcome = WS_TRACE_OUTCOME_UNKNOWN;

    for (size_t i = 0; i < WS_COUNT_OF(cases); i++) {
        cr_assert(ws_dated_outcome(ws_text_of(cases[i].state), &outcome), "%s", cases[i].state);
        cr_assert(eq(int, outcome, cases[i].outcome), "%s", cases[i].state);
    }
    for (size_t i = 0; i < WS_COUNT_OF(bad); i++) {
        cr_assert(not(ws_dated_outcome(ws_text_of(bad[i]), &outcome)), "%s", bad[i]);
    }
}

/* Rows of Helios: a wall clock without a zone. 1591725608000 / 31556952 s a year + 1970 = 52409.9.
 */
Test(dated, what_dates_and_run_times_say_together)
{
    trace_case c;

    trace_case_begin(&c, "dated");
    trace_case_load(
        &c, NULL,
        HELIOS
        "1,u,v,2,1,1,COMPLETED,2020-06-09 18:00:00,2020-06-09 18:01:00,2020-06-09 18:02:00,60,60\n"
        "2,u,v,2,1,1,RUNNING,2020-06-09 18:00:01,2020-06-09 18:01:00,,90,60\n"
        "3,u,v,2,1,1,FAILED,2020-06-09 18:00:02,2020-06-09 18:01:00,2020-06-09 18:02:00,45,60\n"
        "4,u,v,2,1,1,FAILED,2020-06-09 18:00:03,2020-06-09 18:01:00,2020-06-09 17:02:00,60,60\n"
        "5,u,v,2,1,1,FAILED,2020-06-09 18:00:04,2020-06-09 18:01:00,2020-06-09 17:02:00,61,60\n"
        "6,u,v,2,1,1,CANCELLED,2020-06-09 18:00:05,,2020-06-09 17:02:00,0,0\n"
        "7,u,v,2,1,1,RUNNING,2020-06-09 18:00:06,2020-06-09 18:01:00,Unknown,,60\n"
        "8,u,v,2,1,1,LOST,2020-06-09 18:00:07,2020-06-09 18:01:00,2020-06-09 18:02:00,60,60\n"
        "9,u,v,2,1,1,FAILED,1591725608000,2020-06-09 18:01:00,2020-06-09 18:02:00,60,60\n");
    cr_assert(not(c.is_loaded)); /* the last row's milliseconds */
    cr_assert_str_eq(trace_case_message(&c, 6103),
                     "`submit_time` looks like milliseconds (as seconds, year 52409)");
    cr_assert(eq(i64, c.report.jobs_kept, 4));
    cr_assert(eq(i64, trace_case_found(&c, WS_TRACE_DURATION_DIFFERS), 1));
    cr_assert(eq(int, trace_case_line(&c, 6140), 4));
    cr_assert(ws_text_is(trace_case_find(&c, 6140)->label, "the dates are 60 s apart"));
    cr_assert(eq(i64, trace_case_found(&c, WS_TRACE_CLOCK_CHANGED), 1));
    cr_assert_str_eq(trace_case_message(&c, 6146),
                     "1 of 9 rows has dates that are an hour off its run time: the clock was "
                     "changed, the run time is used");
    cr_assert(eq(i64, trace_case_found(&c, WS_TRACE_ENDS_BEFORE_START), 1));
    cr_assert(eq(i64, trace_case_found(&c, WS_TRACE_NO_RUN), 1));
    cr_assert(eq(i64, trace_case_found(&c, WS_TRACE_NO_KNOWN_RUN), 1));
    cr_assert(eq(i64, trace_case_found(&c, WS_TRACE_BAD_OUTCOME), 1));
    trace_case_end(&c);
}
