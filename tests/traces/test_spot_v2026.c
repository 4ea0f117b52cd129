/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "trace_case.h"

#define HEADER                                                                                     \
    "job_name,organization,gpu_model,cpu_request,gpu_request,worker_num,submit_time,duration,"     \
    "job_type\n"

/*
 * awk -F, 'NR > 1 { n++; g += $5 * $6; w += $5 * $6 * $8 } END { print n, g, w }'
 * job_info_df.readme_rows.csv prints: 4 112 26060850
 */
Test(spot_v2026, readme_rows_agree_with_awk)
{
    trace_case c;

    trace_case_begin(&c, "spot-readme");
    if (!trace_case_load_shared(&c, NULL, "data/alibaba_v2026_spot/job_info_df.readme_rows.csv")) {
        cr_skip_test();
    }
    cr_assert(c.is_loaded);
    cr_assert(eq(sz, c.trace.count, 4));
    cr_assert(eq(i64, trace_case_gpus(&c), 112));
    cr_assert(eq(i64, trace_case_gpu_s(&c), 26060850));
    const ws_trace_job *job = trace_case_job(&c, "437261");
    cr_assert(eq(i32, job->gpus, 94));
    cr_assert(eq(i64, job->arrival_ns, 9589663 * WS_NS_PER_S));
    cr_assert(ws_text_is(job->kind, "Spot"));
    cr_assert(ws_text_is(job->gpu_type, "A100-SXM4-80GB"));
    cr_assert(ws_text_is(job->queue, "57"));
    cr_assert(eq(sz, c.diag.count, 0));
    trace_case_end(&c);
}

Test(spot_v2026, workers_times_gpus)
{
    trace_case c;

    trace_case_begin(&c, "spot-rows");
    trace_case_load(&c, NULL,
                    HEADER "a,1,A10,1,8,4,10,100,HP\n"
                           "b,1,A10,1,0.5,4,10,100,HP\n"
                           "c,1,A10,1,0,4,10,100,HP\n"
                           "d,1,A10,1,1,0,10,100,HP\n"
                           "e,1,A10,1,1,x,10,100,HP\n"
                           "f,1,A10,1,nan,1,10,100,HP\n"
                           "g,1,A10,1,1,1,10,0,HP\n"
                           "h,1,A10,1,1,1,10,-1,HP\n");
    cr_assert(c.is_loaded);
    cr_assert(eq(sz, c.trace.count, 2));
    cr_assert(eq(i32, trace_case_job(&c, "a")->gpus, 32));
    cr_assert(eq(i32, trace_case_job(&c, "b")->gpus, 2)); /* 4 x 0.5 are two whole ones */
    cr_assert(eq(i64, trace_case_found(&c, WS_TRACE_NO_GPU), 2));
    cr_assert(eq(i64, trace_case_found(&c, WS_TRACE_BAD_GPUS), 2));
    cr_assert(eq(i64, trace_case_found(&c, WS_TRACE_NO_RUN), 1));
    cr_assert(eq(i64, trace_case_found(&c, WS_TRACE_ENDS_BEFORE_START), 1));
    trace_case_end(&c);
}
