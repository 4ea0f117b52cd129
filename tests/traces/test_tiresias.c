/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "trace_case.h"

/*
 * awk -F, 'NR > 1 { n++; g += $2; w += $2 * $6 } END { print n, g, w }' 60_job.csv
 * prints: 60 170 26624. The file has CRLF.
 */
Test(tiresias, sixty_jobs_agree_with_awk)
{
    trace_case c;

    trace_case_begin(&c, "tiresias-60");
    if (!trace_case_load_shared(&c, NULL, "data/tiresias/60_job.csv")) {
        cr_skip_test();
    }
    cr_assert(c.is_loaded);
    cr_assert(eq(sz, c.trace.count, 60));
    cr_assert(eq(i64, trace_case_gpus(&c), 170));
    cr_assert(eq(i64, trace_case_gpu_s(&c), 26624));
    cr_assert(ws_text_is(c.trace.jobs[1].kind, "vgg11"));
    cr_assert(eq(sz, c.diag.count, 0));
    trace_case_end(&c);
}

/* The older file: the same job twice, started 3 s after its submission at 11; no line end. */
Test(tiresias, the_older_file_states_starts)
{
    trace_case c;

    trace_case_begin(&c, "tiresias-tf");
    trace_case_load(&c, NULL,
                    "job_id,num_gpu,submit_time,start_time,duration,model_size,aggr_interval,model_"
                    "name,model_scale\n10,12,11,14,20,400,0,vgg19,1\n10,12,11,14,20,400,0,vgg19,1");
    cr_assert(c.is_loaded);
    cr_assert(eq(sz, c.trace.count, 2));
    cr_assert(eq(i64, trace_case_found(&c, WS_TRACE_DUPLICATE_ID), 1));
    cr_assert_str_eq(trace_case_message(&c, 6124), "1 of 2 rows repeats an id of an earlier row");
    cr_assert(eq(int, trace_case_line(&c, 6124), 3));
    cr_assert(eq(i64, c.trace.jobs[0].queue_ns, 3 * WS_NS_PER_S));
    cr_assert(eq(i64, c.trace.jobs[0].duration_ns, 20 * WS_NS_PER_S));
    cr_assert(eq(i64, c.trace.origin_ns, 11 * WS_NS_PER_S));
    cr_assert(eq(sz, c.diag.count, 1));
    trace_case_end(&c);
}
