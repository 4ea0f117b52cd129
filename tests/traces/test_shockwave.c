/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "trace_case.h"

/*
 * awk -F'\t' '{ n++; g += $7; w += $7 * $11 } END { print n, g, w }' 120_multigpu_dynamic.trace
 * prints: 120 164 711371
 */
Test(shockwave, the_published_trace_agrees_with_awk)
{
    trace_case c;

    trace_case_begin(&c, "shockwave-120");
    if (!trace_case_load_shared(&c, NULL, "data/shockwave/120_multigpu_dynamic.trace")) {
        cr_skip_test();
    }
    cr_assert(c.is_loaded);
    cr_assert(eq(sz, c.trace.count, 120));
    cr_assert(eq(i64, trace_case_gpus(&c), 164));
    cr_assert(eq(i64, trace_case_gpu_s(&c), 711371));
    cr_assert(ws_text_is(c.trace.jobs[0].kind, "LM (batch size 10)"));
    cr_assert(eq(i64, c.trace.jobs[1].arrival_ns, 55 * WS_NS_PER_S));
    cr_assert(eq(i64, c.trace.jobs[1].duration_ns, 3338 * WS_NS_PER_S));
    cr_assert(eq(sz, c.diag.count, 0));
    trace_case_end(&c);
}

Test(shockwave, bad_lines_are_rejected_by_reason)
{
    trace_case c;

    trace_case_begin(&c, "shockwave-bad");
    trace_case_load(&c, "shockwave",
                    "A\tp\t.\t-n\t1\t100\t2\tgns\t1\t-1.0\t60\t0\r\n"
                    "A\tp\t.\t-n\t1\t100\t0\tgns\t1\t-1.0\t60\t0\r\n"
                    "A\tp\t.\t-n\t1\t100\t2\tgns\t1\t-1.0\t-60\t0\r\n"
                    "A\tp\t.\t-n\t1\t100\t2\tgns\t1\t-1.0\t60\t\r\n"
                    "A\tp\t.\t-n\t1\t100\t2\tgns\t1\t-1.0\t60\r\n");
    cr_assert(c.is_loaded);
    cr_assert(eq(sz, c.trace.count, 1));
    cr_assert(eq(i64, trace_case_found(&c, WS_TRACE_NO_GPU), 1));
    cr_assert(eq(i64, trace_case_found(&c, WS_TRACE_ENDS_BEFORE_START), 1));
    cr_assert(eq(i64, trace_case_found(&c, WS_TRACE_BAD_TIME), 1));
    cr_assert(eq(i64, trace_case_found(&c, WS_TRACE_RAGGED), 1));
    trace_case_end(&c);
}
