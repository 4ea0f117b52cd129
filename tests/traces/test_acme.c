/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "trace_case.h"

#define SEREN                                                                                      \
    "job_id,user,node_num,gpu_num,cpu_num,type,state,submit_time,start_time,end_time,duration,"    \
    "queue,gpu_time\n"
#define KALOS                                                                                      \
    "job_id,user,node_num,gpu_num,cpu_num,mem_per_pod_GB,shared_mem_per_pod,type,state,"           \
    "submit_time,start_time,end_time,fail_time,stop_time,duration,queue,gpu_time\n"

/* 00:18:22+08:00 of 1 March is 16:18:22 of 28 February, UTC. 117 s and 2,693 s on eight GPUs. */
Test(acme, seren_readme_rows)
{
    trace_case c;
    char date[WS_TRACE_DATE_BYTES];

    trace_case_begin(&c, "acme-seren");
    if (!trace_case_load_shared(&c, NULL, "data/acme/trace_seren.readme_rows.csv")) {
        cr_skip_test();
    }
    cr_assert(c.is_loaded);
    cr_assert(eq(sz, c.trace.count, 2));
    cr_assert(eq(i64, trace_case_gpu_s(&c), 8 * (117 + 2693)));
    cr_assert(eq(i64, c.trace.jobs[0].queue_ns, 32 * WS_NS_PER_S));
    (void)ws_trace_print_date(&c.trace, 0, date);
    cr_assert_str_eq(date, "2023-02-28T16:18:22Z");
    cr_assert(ws_text_is(c.trace.jobs[1].kind, "Other"));
    cr_assert(eq(sz, c.diag.count, 0));
    trace_case_end(&c);
}

/* Stated are 18 s and 82 s, from the submission; the runs were 8 s and 70 s, on 64 GPUs. */
Test(acme, kalos_readme_rows)
{
    trace_case c;

    trace_case_begin(&c, "acme-kalos");
    if (!trace_case_load_shared(&c, NULL, "data/acme/trace_kalos.readme_rows.csv")) {
        cr_skip_test();
    }
    cr_assert(c.is_loaded);
    cr_assert(eq(sz, c.trace.count, 2));
    cr_assert(eq(i64, c.trace.jobs[0].duration_ns, 8 * WS_NS_PER_S));
    cr_assert(eq(i64, c.trace.jobs[1].duration_ns, 70 * WS_NS_PER_S));
    cr_assert(eq(i64, trace_case_gpu_s(&c), 64 * 78));
    cr_assert(eq(i64, c.trace.jobs[1].queue_ns, 12 * WS_NS_PER_S));
    cr_assert(eq(int, c.trace.jobs[1].outcome, WS_TRACE_OUTCOME_CANCELLED));
    cr_assert(eq(i32, c.trace.jobs[1].nodes, 8));
    cr_assert(eq(sz, c.diag.count, 0));
    trace_case_end(&c);
}

/*
 * awk -F, 'NR > 1 { n++; g += $4; w += $17 } END { printf "%d %d %d\n", n, g, w }'
 * trace_kalos.reconstructed200.csv prints: 200 48750 882513223
 */
Test(acme, kalos_reconstructed200_agrees_with_awk)
{
    trace_case c;

    trace_case_begin(&c, "acme-200");
    if (!trace_case_load_shared(&c, NULL, "data/acme/trace_kalos.reconstructed200.csv")) {
        cr_skip_test();
    }
    cr_assert(c.is_loaded);
    cr_assert(eq(sz, c.trace.count, 200));
    cr_assert(eq(i64, trace_case_gpus(&c), 48750));
    cr_assert(eq(i64, trace_case_gpu_s(&c), 882513223));
    cr_assert(eq(i64, trace_case_found(&c, WS_TRACE_DURATION_DIFFERS), 0));
    trace_case_end(&c);
}

/* A job that still runs has no end: 90 s stated, on Kalos 10 s of them queued. */
Test(acme, run_times_of_jobs_without_an_end)
{
    trace_case c;

    trace_case_begin(&c, "acme-running");
    trace_case_load(&c, NULL,
                    SEREN "1,u,1,8,1,Eval,RUNNING,2023-03-01 00:00:00+08:00,"
                          "2023-03-01 00:00:10+08:00,,90,10,720\n");
    cr_assert(c.is_loaded);
    cr_assert(eq(i64, c.trace.jobs[0].duration_ns, 90 * WS_NS_PER_S));
    cr_assert(eq(int, c.trace.jobs[0].outcome, WS_TRACE_OUTCOME_RUNNING));
    trace_case_end(&c);

    trace_case_begin(&c, "acme-running");
    trace_case_load(&c, NULL,
                    KALOS "1,u,1,8,1,1,1,Eval,RUNNING,2023-03-01 00:00:00+00:00,"
                          "2023-03-01 00:00:10+00:00,,,,90,10.0,720\n");
    cr_assert(c.is_loaded);
    cr_assert(eq(i64, c.trace.jobs[0].duration_ns, 80 * WS_NS_PER_S));
    trace_case_end(&c);
}

Test(acme, two_offsets_in_one_file_are_converted_and_told)
{
    trace_case c;

    trace_case_begin(&c, "acme-offsets");
    trace_case_load(&c, NULL,
                    SEREN
                    "1,u,1,8,1,Eval,COMPLETED,2023-03-01 08:00:00+08:00,2023-03-01 08:00:10+08:00,"
                    "2023-03-01 08:01:10+08:00,60,10,480\n"
                    "2,u,1,8,1,Eval,COMPLETED,2023-03-01 00:00:30Z,2023-03-01T00:00:30Z,"
                    "2023-03-01 00:01:10+00:00,40,0,320\n"
                    "3,u,1,8,1,Eval,COMPLETED,2023-03-01 08:00:00,2023-03-01 08:00:10,"
                    "2023-03-01 08:01:10,60,10,480\n");
    cr_assert(c.is_loaded);
    cr_assert(eq(sz, c.trace.count, 2));
    cr_assert(eq(i64, c.trace.jobs[1].arrival_ns, 30 * WS_NS_PER_S));
    cr_assert_str_eq(trace_case_message(&c, 6143), "1 of 3 rows has another offset from UTC than "
                                                   "the first row; each is converted");
    cr_assert(eq(int, trace_case_line(&c, 6143), 3));
    cr_assert(eq(i64, trace_case_found(&c, WS_TRACE_BAD_TIME), 1));
    cr_assert(
        ws_text_is(trace_case_find(&c, 6113)->label, "no date such as 2023-03-01 00:18:22+08:00"));
    trace_case_end(&c);
}
