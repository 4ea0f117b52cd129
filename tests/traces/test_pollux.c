/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "trace_case.h"

#define HEADER "name,time,application,num_replicas,batch_size\n"

/*
 * awk -F, 'NR>1{n++;g+=$4;b+=$5;if($2<p)u++;p=$2}END{print n,g,b,u+0}' workload-1.csv
 * prints: 160 1092 2467520 0
 */
Test(pollux, workload_1_agrees_with_awk)
{
    char path[4096];
    trace_case c;
    int64_t gpus = 0;
    int64_t batches = 0;

    if (ws_test_shared("data/pollux/workload-1.csv", path, sizeof path) == NULL) {
        cr_skip_test();
    }
    trace_case_begin(&c, "pollux-1");
    trace_case_load_path(&c, NULL, path);
    cr_assert(c.is_loaded);
    cr_assert(eq(sz, c.diag.count, 0));
    cr_assert(eq(sz, c.trace.count, 160));
    for (size_t i = 0; i < c.trace.count; i++) {
        gpus += c.trace.jobs[i].gpus;
        batches += c.trace.jobs[i].batch_samples;
        cr_assert(eq(i64, c.trace.jobs[i].duration_ns, WS_TRACE_UNKNOWN_NS));
    }
    cr_assert(eq(i64, gpus, 1092));
    cr_assert(eq(i64, batches, 2467520));
    cr_assert(eq(i64, c.report.found[WS_TRACE_UNSORTED].count, 0));
    /* its first row: cifar10-0,107,cifar10,6,2048; times count from the file's zero */
    cr_assert(ws_text_is(c.trace.jobs[0].id, "cifar10-0"));
    cr_assert(ws_text_is(c.trace.jobs[0].kind, "cifar10"));
    cr_assert(eq(i64, c.trace.jobs[0].arrival_ns, 107 * WS_NS_PER_S));
    cr_assert(eq(i64, c.trace.origin_ns, 0));
    cr_assert(eq(int, c.trace.clock, WS_TRACE_CLOCK_OWN));
    trace_case_end(&c);
}

Test(pollux, jobs_are_sorted_and_have_a_batch_for_a_duration)
{
    trace_case c;

    trace_case_begin(&c, "pollux-rows");
    trace_case_load(&c, NULL,
                    HEADER "b,60.5,ncf,1,32768\n"
                           "a,7,yolov3,4,64\n");
    cr_assert(c.is_loaded);
    cr_assert(eq(sz, c.trace.count, 2));
    const ws_trace_job *a = &c.trace.jobs[0];
    cr_assert(ws_text_is(a->id, "a"));
    cr_assert(ws_text_is(a->kind, "yolov3"));
    cr_assert(eq(i64, a->arrival_ns, 7 * WS_NS_PER_S));
    cr_assert(eq(i32, a->gpus, 4));
    cr_assert(eq(i32, a->batch_samples, 64));
    cr_assert(eq(i64, c.trace.jobs[1].arrival_ns, INT64_C(60500000000)));
    cr_assert(eq(i64, ws_trace_job_end_ns(a), WS_TRACE_UNKNOWN_NS));
    cr_assert(ws_trace_job_work(a).gpu_ns == 0);
    cr_assert(ws_trace_job_is_valid(a));
    cr_assert(eq(i64, c.report.found[WS_TRACE_UNSORTED].count, 1));
    trace_case_end(&c);
}

Test(pollux, bad_rows_are_rejected_by_reason)
{
    trace_case c;

    trace_case_begin(&c, "pollux-bad");
    trace_case_load(&c, NULL,
                    HEADER "good,0,a,2,64\n"
                           ",0,a,2,64\n"
                           "t1,-1,a,2,64\n"
                           "t2,nan,a,2,64\n"
                           "t3,1e300,a,2,64\n"
                           "k1,0,,2,64\n"
                           "k2,0,../../etc,2,64\n"
                           "k3,0,a/b,2,64\n"
                           "k4,0,..,2,64\n"
                           "g1,0,a,0,64\n"
                           "g2,0,a,-4,64\n"
                           "g3,0,a,99999999999,64\n"
                           "b1,0,a,2,0\n"
                           "b2,0,a,2,\n"
                           "b3,0,a,2,64.5\n"
                           "b4,0,a,2,-64\n"
                           "b5,0,a,2,1000000001\n"
                           "b6,0,a,65,64\n"
                           "r1,0,a,2\n"
                           "good,0,A-b_c.9,64,1000000000\n");
    cr_assert(c.is_loaded);
    cr_assert(eq(i64, c.report.rows_read, 20));
    cr_assert(eq(sz, c.trace.count, 2));
    cr_assert(eq(i64, c.report.found[WS_TRACE_BAD_ID].count, 1));
    cr_assert(eq(i64, c.report.found[WS_TRACE_BAD_TIME].count, 3));
    cr_assert(eq(i64, c.report.found[WS_TRACE_BAD_KIND].count, 4));
    cr_assert(eq(i64, c.report.found[WS_TRACE_NO_GPU].count, 1));
    cr_assert(eq(i64, c.report.found[WS_TRACE_BAD_GPUS].count, 2));
    cr_assert(eq(i64, c.report.found[WS_TRACE_BAD_BATCH].count, 6));
    cr_assert(eq(i64, c.report.found[WS_TRACE_RAGGED].count, 1));
    cr_assert(eq(i64, c.report.found[WS_TRACE_DUPLICATE_ID].count, 1));
    cr_assert_str_eq(trace_case_message(&c, 6127), "6 of 20 rows have no usable batch");
    cr_assert(eq(int, trace_case_line(&c, 6127), 14));
    cr_assert(eq(int, trace_case_column(&c, 6127), 10));
    cr_assert(eq(sz, c.diag.error_count, 0));
    trace_case_end(&c);
}

/* What the own format keeps of it, and that other traces get no column for it. */
Test(pollux, batches_survive_the_own_format)
{
    trace_case c;
    trace_case again;
    ws_writer writer;

    trace_case_begin(&c, "pollux-own");
    trace_case_load(&c, NULL, HEADER "b,60.5,ncf,1,32768\na,7,yolov3,4,64\n");
    ws_writer_init_memory(&writer, &c.arena);
    ws_trace_export_find(WS_TEXT("worldsize"))->write(&c.trace, &writer, &c.arena);
    cr_assert(ws_writer_finish(&writer, &c.diag));
    ws_text text = ws_writer_text(&writer);
    cr_assert(ws_text_starts_with(text, WS_TEXT("id,arrival_s,gpus,nodes,duration_s,")));
    trace_case_begin(&again, "pollux-own-again");
    trace_case_load_bytes(&again, NULL, text.start, text.length);
    cr_assert(again.is_loaded);
    cr_assert(eq(sz, again.trace.count, 2));
    for (size_t i = 0; i < 2; i++) {
        cr_assert(ws_trace_job_equals(&c.trace.jobs[i], &again.trace.jobs[i], true));
    }
    trace_case_end(&again);
    trace_case_end(&c);
}

/* A row of the own format without a duration needs a batch; one with both keeps both. */
Test(pollux, the_own_format_wants_a_duration_or_a_batch)
{
    trace_case c;

    trace_case_begin(&c, "pollux-either");
    trace_case_load(&c, NULL,
                    "id,arrival_s,gpus,duration_s,batch_samples,start_s\n"
                    "a,0,2,,64,\n"
                    "b,0,2,10,64,\n"
                    "c,0,2,,,\n"
                    "d,0,2,,64,5\n"
                    "e,0,2,10,1,\n");
    cr_assert(c.is_loaded);
    cr_assert(eq(sz, c.trace.count, 2));
    cr_assert(eq(i64, c.trace.jobs[0].duration_ns, WS_TRACE_UNKNOWN_NS));
    cr_assert(eq(i64, c.trace.jobs[1].duration_ns, 10 * WS_NS_PER_S));
    cr_assert(eq(i32, c.trace.jobs[1].batch_samples, 64));
    cr_assert(eq(i64, c.report.found[WS_TRACE_BAD_DURATION].count, 2));
    cr_assert(eq(i64, c.report.found[WS_TRACE_BAD_BATCH].count, 1));
    trace_case_end(&c);
}

/* Nobody knows whether the first job still runs at 10 s: it counts as ended, never as a remainder.
 */
Test(pollux, a_window_takes_earlier_jobs_as_ended)
{
    trace_case c;
    ws_trace_window window = {
        .from_ns = 10 * WS_NS_PER_S, .to_ns = 100 * WS_NS_PER_S, .keep_remainders = true};

    trace_case_begin(&c, "pollux-window");
    trace_case_load(&c, NULL, HEADER "a,7,yolov3,4,64\nb,60.5,ncf,1,32768\nc,100,ncf,1,32768\n");
    cr_assert(ws_trace_cut(&c.trace, &c.trace, &window, &c.report, &c.arena, &c.diag));
    cr_assert(eq(sz, c.trace.count, 1));
    cr_assert(ws_text_is(c.trace.jobs[0].id, "b"));
    cr_assert(eq(i64, c.trace.jobs[0].arrival_ns, INT64_C(50500000000)));
    cr_assert(eq(i64, c.report.found[WS_TRACE_BEFORE_WINDOW].count, 1));
    cr_assert(eq(i64, c.report.found[WS_TRACE_AFTER_WINDOW].count, 1));
    cr_assert(eq(i64, c.report.found[WS_TRACE_RUNS_PAST_WINDOW].count, 0));
    trace_case_end(&c);
}

/* Sia's files state fractions of a second; beyond a nanosecond they are rounded. */
Test(pollux, sia_has_fractions_of_seconds)
{
    static const char *const types[] = {"sia", NULL};

    for (size_t i = 0; i < WS_COUNT_OF(types); i++) {
        trace_case c;

        trace_case_begin(&c, "sia");
        trace_case_load(&c, types[i],
                        "name,time,application,num_replicas,batch_size\n"
                        "cifar10-0,107.25,cifar10,6,2048\n"
                        "bert-1,110.12345678949,bert,2,32\n");
        cr_assert(c.is_loaded);
        cr_assert(eq(sz, c.trace.count, 2));
        cr_assert(eq(i64, c.trace.jobs[0].arrival_ns, INT64_C(107250000000)));
        cr_assert(eq(i64, c.trace.jobs[1].arrival_ns, INT64_C(110123456789)));
        cr_assert(eq(i64, c.trace.jobs[1].duration_ns, WS_TRACE_UNKNOWN_NS));
        trace_case_end(&c);
    }
}
