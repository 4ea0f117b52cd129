/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "trace_case.h"

#define HEADER "timestamp,duration,num_gpus,gpu_time,cluster\n"

/* 2017-10-06T00:00 and 2017-10-09T07:00 in Unix seconds, by `date -u -d ... +%s`. */
#define FROM_S 1507248000
#define TO_S 1507532400

/*
 * The expected numbers are those of
 *   awk -F, 'NR > 1 { n++; if (seen[$0]++) d++; if ($4 != $2 * $3) bad++
 *       if ($1 >= "2017-10-06 00:00:00" && $1 < "2017-10-09 07:00:00") { w++; g += $2 * $3 } }
 *       END { printf "%d %d %d %d %.7f\n", n, d, bad, w, g / 3600 }' philly_pollux.head3000.csv
 * which prints: 3000 0 0 2948 15334.2175000
 */
Test(philly_csv, head3000_agrees_with_awk)
{
    char path[4096];
    trace_case c;

    if (ws_test_shared("data/philly/philly_pollux.head3000.csv", path, sizeof path) == NULL) {
        cr_skip_test();
    }
    trace_case_begin(&c, "philly-head");
    trace_case_load_path(&c, NULL, path);
    cr_assert(c.is_loaded);
    cr_assert(eq(i64, c.report.rows_read, 3000));
    cr_assert(eq(i64, c.report.jobs_kept, 3000));
    cr_assert(eq(sz, c.trace.count, 3000));
    cr_assert(eq(i64, c.report.found[WS_TRACE_DUPLICATE_ROW].count, 0));
    cr_assert(eq(i64, c.report.found[WS_TRACE_GPU_TIME_DIFFERS].count, 0));
    cr_assert(gt(i64, c.report.found[WS_TRACE_UNSORTED].count, 0));
    cr_assert(eq(sz, c.diag.count, 0));

    /* `sort | head -1` of the file: the earliest arrival. */
    char date[WS_TRACE_DATE_BYTES];
    (void)ws_trace_print_date(&c.trace, 0, date);
    cr_assert_str_eq(date, "2017-09-07T09:57:50");
    cr_assert(eq(int, c.trace.clock, WS_TRACE_CLOCK_WALL));
    cr_assert(ws_text_is(c.trace.zone, "US/Pacific"));

    ws_trace_window window = {.from_ns = ws_trace_ns_of_clock_s(&c.trace, FROM_S),
                              .to_ns = ws_trace_ns_of_clock_s(&c.trace, TO_S)};
    ws_trace cut;
    cr_assert(ws_trace_cut(&cut, &c.trace, &window, &c.report, &c.arena, &c.diag));
    cr_assert(eq(sz, cut.count, 2948));
    cr_assert(eq(i64, c.report.jobs_kept, 2948));

    ws_gpu_time work = {.gpu_ns = 0};
    for (size_t i = 0; i < cut.count; i++) {
        work = ws_gpu_time_add(work, ws_trace_job_work(&cut.jobs[i]));
    }
    char hours[WS_TOTAL_TEXT_BYTES];
    (void)ws_gpu_time_print_h(work, hours);
    cr_assert_str_eq(hours, "15334.2175");
    trace_case_end(&c);
}

/*
 * awk -F, 'NR > 1 { n++; if (seen[$0]++) d++ } END { print n, d }' philly_pollux.quirks.csv
 * prints: 314 35
 */
Test(philly_csv, quirks_count_duplicates)
{
    char path[4096];
    trace_case c;

    if (ws_test_shared("data/philly/philly_pollux.quirks.csv", path, sizeof path) == NULL) {
        cr_skip_test();
    }
    trace_case_begin(&c, "philly-quirks");
    trace_case_load_path(&c, NULL, path);
    cr_assert(c.is_loaded);
    cr_assert(eq(i64, c.report.rows_read, 314));
    cr_assert(eq(i64, c.report.jobs_kept, 314));
    cr_assert(eq(i64, c.report.found[WS_TRACE_DUPLICATE_ROW].count, 35));
    cr_assert(eq(i64, c.report.found[WS_TRACE_DUPLICATE_ID].count, 0));
    trace_case_end(&c);
}

Test(philly_csv, rows_become_jobs)
{
    trace_case c;

    trace_case_begin(&c, "philly-rows");
    trace_case_load(&c, NULL,
                    HEADER "2017-10-09 07:01:55,66.0,1,66.0,11cb48\n"
                           "2017-10-09 07:00:00,2951.5,8,23612.0,6214e9\n");
    cr_assert(c.is_loaded);
    cr_assert(eq(sz, c.trace.count, 2));
    /* The second row is earlier; it is the origin. 07:01:55 is 115 s later. */
    cr_assert(ws_text_is(c.trace.jobs[0].id, "2"));
    cr_assert(ws_text_is(c.trace.jobs[1].id, "1"));
    cr_assert(eq(i64, c.trace.jobs[0].arrival_ns, 0));
    cr_assert(eq(i64, c.trace.jobs[1].arrival_ns, INT64_C(115000000000)));
    cr_assert(eq(i64, c.trace.jobs[0].duration_ns, INT64_C(2951500000000)));
    cr_assert(eq(i32, c.trace.jobs[0].gpus, 8));
    cr_assert(ws_text_is(c.trace.jobs[0].queue, "6214e9"));
    cr_assert(eq(i64, c.trace.jobs[0].queue_ns, WS_TRACE_UNKNOWN_NS));
    cr_assert(eq(int, c.trace.jobs[0].outcome, WS_TRACE_OUTCOME_UNKNOWN));
    cr_assert(eq(i32, c.trace.jobs[0].attempt_count, 0));
    cr_assert(eq(i64, c.report.found[WS_TRACE_UNSORTED].count, 1));
    /* 2017-10-09 is 17448 days after 1970-01-01; 07:00 is 25200 s into it. */
    cr_assert(eq(i64, c.trace.origin_ns, (INT64_C(17448) * 86400 + 25200) * 1000000000));
    trace_case_end(&c);
}

/* Equal rows are kept and counted; two copies of one row are two duplicates. */
Test(philly_csv, duplicates_are_kept_and_counted)
{
    trace_case c;

    trace_case_begin(&c, "philly-duplicates");
    trace_case_load(&c, NULL,
                    HEADER "2017-10-09 07:00:00,66.0,1,66.0,a\n"
                           "2017-10-09 07:00:00,66.0,1,66.0,a\n"
                           "2017-10-09 07:00:00,66.0,1,66.0,b\n"
                           "2017-10-09 07:00:00,66.0,1,66.0,a\n");
    cr_assert(c.is_loaded);
    cr_assert(eq(sz, c.trace.count, 4));
    cr_assert(eq(i64, c.report.found[WS_TRACE_DUPLICATE_ROW].count, 2));
    cr_assert(eq(int, trace_case_line(&c, 6121), 3));
    cr_assert(eq(sz, c.diag.warning_count, 0));
    /* equal times stay in the order of the file */
    cr_assert(ws_text_is(c.trace.jobs[2].id, "3"));
    cr_assert(ws_text_is(c.trace.jobs[2].queue, "b"));
    trace_case_end(&c);
}

Test(philly_csv, gpu_time_that_differs_is_told)
{
    trace_case c;

    trace_case_begin(&c, "philly-gpu-time");
    trace_case_load(&c, NULL,
                    HEADER "2017-10-09 07:00:00,100.0,2,200.0,a\n"
                           "2017-10-09 07:00:01,100.0,2,100.0,a\n"
                           "2017-10-09 07:00:02,100.0,2,,a\n");
    cr_assert(c.is_loaded);
    cr_assert(eq(sz, c.trace.count, 3));
    cr_assert(eq(i64, c.report.found[WS_TRACE_GPU_TIME_DIFFERS].count, 2));
    cr_assert_str_eq(trace_case_message(&c, 6108), "2 of 3 rows have a GPU-time that is not "
                                                   "duration x GPUs; the duration is used");
    cr_assert(eq(int, trace_case_line(&c, 6108), 3));
    cr_assert(eq(int, trace_case_column(&c, 6108), 29));
    trace_case_end(&c);
}

Test(philly_csv, bad_rows_are_rejected_by_reason)
{
    trace_case c;

    trace_case_begin(&c, "philly-bad");
    trace_case_load(&c, NULL,
                    HEADER "2017-10-09 07:00:00,10,1,10,good\n"
                           "2017-02-29 07:00:00,10,1,10,no such day\n"
                           "2017-10-09 24:00:00,10,1,10,no such hour\n"
                           "None,10,1,10,a\n"
                           "2017-10-09 07:00:00,nan,1,10,a\n"
                           "2017-10-09 07:00:00,inf,1,10,a\n"
                           "2017-10-09 07:00:00,None,1,10,a\n"
                           "2017-10-09 07:00:00,\"1,5\",1,10,a\n"
                           "2017-10-09 07:00:00,999999999999999999,1,10,a\n"
                           "2017-10-09 07:00:00,-5,1,10,a\n"
                           "2017-10-09 07:00:00,0,1,10,a\n"
                           "2017-10-09 07:00:00,10,0,0,a\n"
                           "2017-10-09 07:00:00,10,1000000000,10,a\n"
                           "2017-10-09 07:00:00,10,-1,10,a\n"
                           "2017-10-09 07:00:00,10,eight,10,a\n"
                           "2017-10-09 07:00:00,1,5,1,10,decimal comma\n"
                           "2017-10-09 07:00:00,1.5e3,1.0,1500,good\n");
    cr_assert(c.is_loaded);
    cr_assert(eq(i64, c.report.rows_read, 17));
    cr_assert(eq(i64, c.report.jobs_kept, 2));
    cr_assert(eq(sz, c.trace.count, 2));
    cr_assert(eq(i64, c.trace.jobs[1].duration_ns, INT64_C(1500000000000)));
    cr_assert(eq(i64, c.report.found[WS_TRACE_BAD_TIME].count, 3));
    cr_assert(eq(i64, c.report.found[WS_TRACE_BAD_DURATION].count, 5));
    cr_assert(eq(i64, c.report.found[WS_TRACE_ENDS_BEFORE_START].count, 1));
    cr_assert(eq(i64, c.report.found[WS_TRACE_NO_RUN].count, 1));
    cr_assert(eq(i64, c.report.found[WS_TRACE_NO_GPU].count, 1));
    cr_assert(eq(i64, c.report.found[WS_TRACE_BAD_GPUS].count, 3));
    cr_assert(eq(i64, c.report.found[WS_TRACE_RAGGED].count, 1));
    cr_assert(eq(i64, ws_trace_report_rejected(&c.report), 13));
    cr_assert(eq(i64, c.report.found[WS_TRACE_BAD_TIME].lines[0], 3));
    cr_assert(eq(i64, c.report.found[WS_TRACE_BAD_TIME].lines[2], 5));
    cr_assert_str_eq(trace_case_message(&c, 6104), "1 of 17 rows ends before it starts");
    cr_assert(eq(int, trace_case_line(&c, 6104), 11));
    cr_assert(eq(int, trace_case_column(&c, 6104), 21));
    cr_assert(eq(sz, c.diag.error_count, 0));
    cr_assert(eq(sz, c.diag.warning_count, 5));
    trace_case_end(&c);
}

Test(philly_csv, strict_makes_bad_rows_errors)
{
    trace_case c;

    trace_case_begin(&c, "philly-strict");
    c.options.strict = true;
    trace_case_load(&c, NULL,
                    HEADER "2017-10-09 07:00:00,10,1,10,a\n"
                           "2017-10-09 07:00:00,-5,1,10,a\n");
    cr_assert(not(c.is_loaded));
    cr_assert(eq(sz, c.diag.error_count, 1));
    cr_assert(eq(sz, c.trace.count, 0));
    trace_case_end(&c);
}

Test(philly_csv, shares_of_gpus_are_refused_unless_rounded_up)
{
    const char *text = HEADER "2017-10-09 07:00:00,10,0.5,5,a\n"
                              "2017-10-09 07:00:00,10,2.25,22.5,a\n"
                              "2017-10-09 07:00:00,10,3.0,30,a\n";
    trace_case c;

    trace_case_begin(&c, "philly-shares");
    trace_case_load(&c, NULL, text);
    cr_assert(not(c.is_loaded));
    cr_assert_str_eq(trace_case_message(&c, 6116), "2 of 3 rows ask for a share of a GPU: "
                                                   "fractional GPUs are not modelled");
    cr_assert(trace_case_find(&c, 6116)->help.length > 0);
    trace_case_end(&c);

    trace_case_begin(&c, "philly-shares");
    c.options.ceil_gpus = true;
    trace_case_load(&c, NULL, text);
    cr_assert(c.is_loaded);
    cr_assert(eq(i32, c.trace.jobs[0].gpus, 1));
    cr_assert(eq(dbl, c.trace.jobs[0].gpus_frac, 0.5));
    cr_assert(eq(i32, c.trace.jobs[1].gpus, 3));
    cr_assert(eq(i32, c.trace.jobs[2].gpus, 3));
    cr_assert(eq(dbl, c.trace.jobs[2].gpus_frac, 0));
    cr_assert(eq(i64, c.report.found[WS_TRACE_CEILED_GPUS].count, 2));
    trace_case_end(&c);
}

/* 1767225600000 ms is 2026-01-01; read as seconds it lies in the year 57971 (1767225600000 /
 * 31556952 + 1970). */
Test(philly_csv, unix_milliseconds_are_named)
{
    trace_case c;

    trace_case_begin(&c, "philly-ms");
    trace_case_load(&c, NULL, HEADER "1767225600000,10,1,10,a\n1767225600001,10,1,10,a\n");
    cr_assert(not(c.is_loaded));
    cr_assert(eq(sz, c.diag.error_count, 1));
    cr_assert_str_eq(trace_case_message(&c, 6103),
                     "`timestamp` looks like milliseconds (as seconds, year 57971)");
    cr_assert(eq(int, trace_case_line(&c, 6103), 2));
    trace_case_end(&c);
}
