/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "trace_case.h"

#define HEADER                                                                                     \
    "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,"            \
    "deletion_time,scheduled_time\n"

/*
 * awk -F, 'NR > 1 { n++; if ($4 == 0) cpu++; else if ($11 == "") wait++; else { k++
 *     if ($10 == 12902960) live++; if ($4 * $5 % 1000) frac++
 *     up = int(($4 * $5 + 999) / 1000); g += up; w += ($10 - $11) * up } }
 *     END { print n, cpu, wait, k, live, frac, g, w }' openb_pod_list_default.first5000.csv
 * prints: 5000 731 419 3850 23 1601 4113 199855878
 */
Test(openb, first5000_agrees_with_awk)
{
    trace_case c;
    int64_t live = 0;

    trace_case_begin(&c, "openb-5000");
    c.options.ceil_gpus = true;
    if (!trace_case_load_shared(&c, NULL,
                                "data/alibaba_v2023/openb_pod_list_default.first5000.csv")) {
        cr_skip_test();
    }
    cr_assert(c.is_loaded);
    cr_assert(eq(i64, c.report.rows_read, 5000));
    cr_assert(eq(i64, trace_case_found(&c, WS_TRACE_NO_GPU), 731));
    cr_assert(eq(i64, trace_case_found(&c, WS_TRACE_NO_RUN), 419));
    cr_assert(eq(sz, c.trace.count, 3850));
    /* shares among the pods that never ran are counted too */
    cr_assert(ge(i64, trace_case_found(&c, WS_TRACE_CEILED_GPUS), 1601));
    cr_assert(eq(i64, trace_case_gpus(&c), 4113));
    cr_assert(eq(i64, trace_case_gpu_s(&c), 199855878));
    for (size_t i = 0; i < c.trace.count; i++) {
        live += c.trace.jobs[i].outcome == WS_TRACE_OUTCOME_RUNNING;
    }
    cr_assert(eq(i64, live, 23));
    cr_assert(eq(sz, c.diag.warning_count, 0));
    trace_case_end(&c);
}

/* The same awk line over the file with GPU models prints: 1000 0 90 910 5 326 964 43229292 */
Test(openb, gpuspec33_agrees_with_awk)
{
    trace_case c;

    trace_case_begin(&c, "openb-spec");
    c.options.ceil_gpus = true;
    if (!trace_case_load_shared(&c, NULL,
                                "data/alibaba_v2023/openb_pod_list_gpuspec33.spec_rows_a.csv")) {
        cr_skip_test();
    }
    cr_assert(c.is_loaded);
    cr_assert(eq(sz, c.trace.count, 910));
    cr_assert(eq(i64, trace_case_found(&c, WS_TRACE_NO_RUN), 90));
    cr_assert(eq(i64, trace_case_gpus(&c), 964));
    cr_assert(eq(i64, trace_case_gpu_s(&c), 43229292));
    cr_assert(ws_text_is(trace_case_job(&c, "openb-pod-0009")->gpu_type, "V100M16|V100M32"));
    trace_case_end(&c);
}

Test(openb, pods_become_jobs)
{
    trace_case c;

    trace_case_begin(&c, "openb-pods");
    trace_case_load(&c, NULL,
                    HEADER "p1,1,1,8,1000,,LS,Succeeded,100,250,130\n"
                           "p2,1,1,1,1000,T4,BE,Running,110,200,120\n"
                           "p3,1,1,1,1000,,BE,Running,120,12902960,130\n"
                           "p4,1,1,0,0,,BE,Running,120,200,130\n"
                           "p5,1,1,1,1000,,BE,Pending,120,200,\n"
                           "p6,1,1,2,1000,,LS,Failed,130,140,131\n"
                           "p7,1,1,2,1000,,LS,Running,130,,131\n");
    cr_assert(c.is_loaded);
    cr_assert(eq(sz, c.trace.count, 4));
    const ws_trace_job *p1 = trace_case_job(&c, "p1");
    cr_assert(eq(i64, p1->arrival_ns, 0));
    cr_assert(eq(i64, c.trace.origin_ns, 100 * WS_NS_PER_S));
    cr_assert(eq(int, c.trace.clock, WS_TRACE_CLOCK_OWN));
    cr_assert(eq(i64, p1->queue_ns, 30 * WS_NS_PER_S));
    cr_assert(eq(i64, p1->duration_ns, 120 * WS_NS_PER_S));
    cr_assert(eq(i32, p1->gpus, 8));
    cr_assert(eq(int, p1->outcome, WS_TRACE_OUTCOME_COMPLETED));
    cr_assert(ws_text_is(p1->kind, "LS"));
    cr_assert(eq(int, trace_case_job(&c, "p2")->outcome, WS_TRACE_OUTCOME_UNKNOWN));
    cr_assert(eq(int, trace_case_job(&c, "p3")->outcome, WS_TRACE_OUTCOME_RUNNING));
    cr_assert(eq(int, trace_case_job(&c, "p6")->outcome, WS_TRACE_OUTCOME_FAILED));
    cr_assert(eq(i64, trace_case_found(&c, WS_TRACE_NO_GPU), 1));
    cr_assert(eq(i64, trace_case_found(&c, WS_TRACE_NO_RUN), 1));
    cr_assert(eq(i64, trace_case_found(&c, WS_TRACE_NO_KNOWN_RUN), 1));
    trace_case_end(&c);
}

Test(openb, shares_need_rounding_up)
{
    static const char text[] = HEADER "p1,1,1,1,460,,LS,Running,100,250,130\n"
                                      "p2,1,1,1,1000,,LS,Running,100,250,130\n";
    trace_case c;

    trace_case_begin(&c, "openb-shares");
    trace_case_load(&c, NULL, text);
    cr_assert(not(c.is_loaded));
    cr_assert_str_eq(trace_case_message(&c, 6116), "1 of 2 rows asks for a share of a GPU: "
                                                   "fractional GPUs are not modelled");
    cr_assert(ws_text_is(trace_case_find(&c, 6116)->label, "0.46 GPUs"));
    trace_case_end(&c);

    trace_case_begin(&c, "openb-shares");
    c.options.ceil_gpus = true;
    trace_case_load(&c, NULL, text);
    cr_assert(c.is_loaded);
    cr_assert(eq(i32, trace_case_job(&c, "p1")->gpus, 1));
    cr_assert(eq(dbl, trace_case_job(&c, "p1")->gpus_frac, 0.46));
    trace_case_end(&c);
}

Test(openb, bad_rows_are_rejected_by_reason)
{
    trace_case c;

    trace_case_begin(&c, "openb-bad");
    trace_case_load(&c, NULL,
                    HEADER ",1,1,1,1000,,LS,Running,100,250,130\n"
                           "b,1,1,1,1000,,LS,Running,,250,130\n"
                           "c,1,1,-1,1000,,LS,Running,100,250,130\n"
                           "d,1,1,1,1001,,LS,Running,100,250,130\n"
                           "e,1,1,1,1000,,LS,Gone,100,250,130\n"
                           "f,1,1,1,1000,,LS,Running,100,120,130\n"
                           "g,1,1,1,1000,,LS,Running,100,120,x\n"
                           "h,1,1,1,1000,,LS,Running,100,130,130\n");
    cr_assert(c.is_loaded);
    cr_assert(eq(sz, c.trace.count, 0));
    cr_assert(eq(i64, trace_case_found(&c, WS_TRACE_BAD_ID), 1));
    cr_assert(eq(i64, trace_case_found(&c, WS_TRACE_BAD_TIME), 1));
    cr_assert(eq(i64, trace_case_found(&c, WS_TRACE_BAD_GPUS), 2));
    cr_assert(eq(i64, trace_case_found(&c, WS_TRACE_BAD_OUTCOME), 1));
    cr_assert(eq(i64, trace_case_found(&c, WS_TRACE_ENDS_BEFORE_START), 1));
    cr_assert(eq(i64, trace_case_found(&c, WS_TRACE_BAD_DURATION), 1));
    cr_assert(eq(i64, trace_case_found(&c, WS_TRACE_NO_RUN), 1));
    cr_assert(eq(int, trace_case_line(&c, 6118), 6));
    cr_assert(eq(int, trace_case_column(&c, 6118), 18));
    trace_case_end(&c);
}
