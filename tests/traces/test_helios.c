/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "trace_case.h"

/*
 * The three rows of the README: 36,848 s on one GPU, 249 s on four, 675,233 s on one; nothing
 * queued. awk -F, 'NR > 1 { w += $4 * $11 } END { print w }' prints: 713077
 */
Test(helios, readme_rows)
{
    trace_case c;
    char date[WS_TRACE_DATE_BYTES];

    trace_case_begin(&c, "helios-readme");
    if (!trace_case_load_shared(&c, NULL, "data/helios/cluster_log.readme_rows.csv")) {
        cr_skip_test();
    }
    cr_assert(c.is_loaded);
    cr_assert(eq(sz, c.trace.count, 3));
    cr_assert(eq(i64, trace_case_gpu_s(&c), 713077));
    (void)ws_trace_print_date(&c.trace, 0, date);
    cr_assert_str_eq(date, "2020-06-09T18:41:01");
    cr_assert(eq(int, c.trace.clock, WS_TRACE_CLOCK_WALL));
    cr_assert(ws_text_is(c.trace.zone, "Asia/Shanghai"));
    cr_assert(ws_text_is(c.trace.jobs[1].id, "1425512"));
    cr_assert(eq(i64, c.trace.jobs[1].arrival_ns, 26 * WS_NS_PER_S));
    cr_assert(eq(i64, c.trace.jobs[1].queue_ns, 0));
    cr_assert(eq(i32, c.trace.jobs[1].gpus, 4));
    cr_assert(eq(i32, c.trace.jobs[1].nodes, 1));
    cr_assert(eq(int, c.trace.jobs[1].outcome, WS_TRACE_OUTCOME_FAILED));
    cr_assert(eq(int, c.trace.jobs[2].outcome, WS_TRACE_OUTCOME_CANCELLED));
    cr_assert(ws_text_is(c.trace.jobs[2].user, "uzqls"));
    cr_assert(ws_text_is(c.trace.jobs[2].queue, "vcpDC"));
    cr_assert(eq(sz, c.diag.count, 0));
    trace_case_end(&c);
}

/* Half of the log has no GPU; jobs of no length are no jobs. */
Test(helios, jobs_without_gpus_are_left_out)
{
    trace_case c;

    trace_case_begin(&c, "helios-cpu");
    trace_case_load(
        &c, NULL,
        "job_id,user,vc,gpu_num,cpu_num,node_num,state,submit_time,start_time,end_time,duration,"
        "queue\n"
        "1,u,v,0,1,1,COMPLETED,2020-06-09 18:00:00,2020-06-09 18:00:00,2020-06-09 18:00:01,1,0\n"
        "2,u,v,1,1,1,COMPLETED,2020-06-09 18:00:00,2020-06-09 18:00:00,2020-06-09 18:00:00,0,0\n"
        "3,u,v,8,1,1,TIMEOUT,2020-06-09 18:00:00,2020-06-09 18:00:30,2020-06-09 18:01:00,30,30\n");
    cr_assert(c.is_loaded);
    cr_assert(eq(sz, c.trace.count, 1));
    cr_assert(eq(i64, trace_case_found(&c, WS_TRACE_NO_GPU), 1));
    cr_assert(eq(i64, trace_case_found(&c, WS_TRACE_NO_RUN), 1));
    cr_assert(eq(int, c.trace.jobs[0].outcome, WS_TRACE_OUTCOME_TIMEOUT));
    cr_assert(eq(i64, c.trace.jobs[0].queue_ns, 30 * WS_NS_PER_S));
    trace_case_end(&c);
}
