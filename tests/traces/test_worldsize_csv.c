/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "trace_case.h"

#define HEADER "id,arrival_s,gpus,duration_s\n"

/* Writes the trace of `from` and loads it into `to`. */
static void write_and_load(trace_case *from, trace_case *to)
{
    ws_writer writer;

    ws_writer_init_memory(&writer, &from->arena);
    ws_trace_export_find(WS_TEXT("worldsize"))->write(&from->trace, &writer, &from->arena);
    cr_assert(ws_writer_finish(&writer, &from->diag));
    ws_text text = ws_writer_text(&writer);
    trace_case_begin(to, "own-again");
    trace_case_load_bytes(to, NULL, text.start, text.length);
    cr_assert(to->is_loaded, "%s", trace_case_message(to, to->diag.entries[0].code));
}

static void assert_traces_equal(const ws_trace *a, const ws_trace *b)
{
    cr_assert(eq(sz, a->count, b->count));
    cr_assert(eq(int, a->clock, b->clock));
    cr_assert(eq(i64, a->origin_ns, b->origin_ns));
    cr_assert(ws_text_equals(a->zone, b->zone));
    for (size_t i = 0; i < a->count; i++) {
        cr_assert(ws_trace_job_equals(&a->jobs[i], &b->jobs[i], true), "job %zu", i);
    }
}

Test(worldsize_csv, the_philly_table_survives_a_round_trip)
{
    char path[4096];
    trace_case c;
    trace_case again;

    if (ws_test_shared("data/philly/philly_pollux.head3000.csv", path, sizeof path) == NULL) {
        cr_skip_test();
    }
    trace_case_begin(&c, "own-philly");
    trace_case_load_path(&c, NULL, path);
    cr_assert(c.is_loaded);
    write_and_load(&c, &again);
    cr_assert(eq(sz, again.trace.count, 3000));
    assert_traces_equal(&c.trace, &again.trace);
    cr_assert(eq(sz, again.diag.count, 0));

    /* A window keeps its own origin, although no job arrives at it. */
    ws_trace_window window = {
        .from_ns = WS_NS_PER_D + 1, .to_ns = 40 * WS_NS_PER_D, .keep_remainders = true};
    cr_assert(ws_trace_cut(&c.trace, &c.trace, &window, &c.report, &c.arena, &c.diag));
    trace_case_end(&again);
    write_and_load(&c, &again);
    assert_traces_equal(&c.trace, &again.trace);
    trace_case_end(&again);
    trace_case_end(&c);
}

Test(worldsize_csv, every_column)
{
    trace_case c;
    trace_case again;

    trace_case_begin(&c, "own-all");
    trace_case_load(
        &c, NULL,
        "id,arrival_s,gpus,nodes,duration_s,outcome,user,queue,start_s,gpu_type,kind,gpus_frac,"
        "attempts,origin_s,zone\n"
        "a,0.25,16,2,100,completed,ann,q1,10.5,H100,Pretrain,,,1700000000,UTC\n"
        "b,1,1,,40,failed,'=bob,,,,,0.5,,1700000000,UTC\n"
        "\"c,\"\"d\",2,8,1,50,node_fail,,,,,,,5..25:failed;30..60:completed:4;70..:running,"
        "1700000000,UTC\n");
    cr_assert(c.is_loaded);
    cr_assert(eq(sz, c.diag.count, 0));
    cr_assert(eq(sz, c.trace.count, 3));
    cr_assert(eq(int, c.trace.clock, WS_TRACE_CLOCK_UTC));
    cr_assert(eq(i64, c.trace.origin_ns, INT64_C(1700000000000000000)));

    const ws_trace_job *a = &c.trace.jobs[0];
    cr_assert(eq(i64, a->arrival_ns, 250000000));
    cr_assert(eq(i64, a->queue_ns, INT64_C(10250000000)));
    cr_assert(eq(i32, a->nodes, 2));
    cr_assert(eq(int, a->outcome, WS_TRACE_OUTCOME_COMPLETED));
    cr_assert(eq(i32, a->attempt_count, 1));
    cr_assert(eq(i64, a->attempts[0].end_ns, INT64_C(110500000000)));
    cr_assert(ws_text_is(a->gpu_type, "H100"));
    cr_assert(ws_text_is(a->kind, "Pretrain"));
    /* 100 s x 16 GPUs */
    cr_assert(ws_trace_job_work(a).gpu_ns == (ws_i128)1600 * WS_NS_PER_S);

    const ws_trace_job *b = &c.trace.jobs[1];
    cr_assert(ws_text_is(b->user, "=bob"));
    cr_assert(eq(dbl, b->gpus_frac, 0.5));
    cr_assert(eq(i64, b->queue_ns, WS_TRACE_UNKNOWN_NS));
    cr_assert(eq(i64, ws_trace_job_end_ns(b), 41 * WS_NS_PER_S));

    const ws_trace_job *d = &c.trace.jobs[2];
    cr_assert(ws_text_is(d->id, "c,\"d"));
    cr_assert(eq(i32, d->attempt_count, 3));
    cr_assert(eq(i64, d->queue_ns, 3 * WS_NS_PER_S));
    cr_assert(eq(i32, d->attempts[1].gpus, 4));
    cr_assert(eq(i64, d->attempts[2].end_ns, WS_TRACE_UNKNOWN_NS));
    cr_assert(eq(int, d->attempts[2].outcome, WS_TRACE_OUTCOME_RUNNING));
    /* 20 s x 8 + 30 s x 4 = 280 GPU-seconds */
    cr_assert(ws_trace_job_work(d).gpu_ns == (ws_i128)280 * WS_NS_PER_S);
    cr_assert(eq(i64, ws_trace_job_end_ns(d), 60 * WS_NS_PER_S));

    write_and_load(&c, &again);
    assert_traces_equal(&c.trace, &again.trace);
    trace_case_end(&again);
    trace_case_end(&c);
}

/* Texts that spreadsheets run are guarded in the file and come back as they were, the guard's own
 * character too. */
Test(worldsize_csv, guarded_texts_round_trip)
{
    static const char *const names[] = {"=cmd|'/c calc'!A1",
                                        "+1",
                                        "-1",
                                        "@x",
                                        "'=x",
                                        "''=x",
                                        "'x",
                                        "'",
                                        "a\"b",
                                        "a,b",
                                        "a\nb",
                                        "plain"};
    ws_trace_job jobs[WS_COUNT_OF(names)];
    trace_case c;
    trace_case again;

    trace_case_begin(&c, "own-guarded");
    for (size_t i = 0; i < WS_COUNT_OF(names); i++) {
        jobs[i] = (ws_trace_job){.id = ws_text_of(names[i]),
                                 .arrival_ns = (int64_t)i,
                                 .duration_ns = 1,
                                 .queue_ns = WS_TRACE_UNKNOWN_NS,
                                 .gpus = 1,
                                 .user = ws_text_of(names[i])};
    }
    c.trace = (ws_trace){.jobs = jobs, .count = WS_COUNT_OF(names)};
    write_and_load(&c, &again);
    assert_traces_equal(&c.trace, &again.trace);
    trace_case_end(&again);
    trace_case_end(&c);
}

Test(worldsize_csv, without_an_origin_the_earliest_arrival_is_it)
{
    trace_case c;
    trace_case again;

    trace_case_begin(&c, "own-origin");
    trace_case_load(&c, NULL, HEADER "a,120.5,1,10\nb,100,2,20\nc,100,4,30\n");
    cr_assert(c.is_loaded);
    cr_assert(eq(int, c.trace.clock, WS_TRACE_CLOCK_OWN));
    cr_assert(eq(i64, c.trace.origin_ns, 100 * WS_NS_PER_S));
    cr_assert(ws_text_is(c.trace.jobs[0].id, "b"));
    cr_assert(ws_text_is(c.trace.jobs[1].id, "c")); /* equal times in the order of the file */
    cr_assert(ws_text_is(c.trace.jobs[2].id, "a"));
    cr_assert(eq(i64, c.trace.jobs[2].arrival_ns, INT64_C(20500000000)));
    write_and_load(&c, &again);
    assert_traces_equal(&c.trace, &again.trace);
    trace_case_end(&again);
    trace_case_end(&c);
}

/* Two files of different origins, one below the other: each row counts from its own. */
Test(worldsize_csv, rows_of_different_origins_may_be_joined)
{
    trace_case c;

    trace_case_begin(&c, "own-joined");
    trace_case_load(&c, NULL,
                    "id,arrival_s,gpus,duration_s,start_s,origin_s,zone\n"
                    "late,5,1,10,7,2000,UTC\n"
                    "early,5,1,10,9,1000,UTC\n"
                    "other zone,5,1,10,9,1000,+08:00\n");
    cr_assert(c.is_loaded);
    cr_assert(eq(sz, c.trace.count, 2));
    cr_assert(eq(i64, c.trace.origin_ns, 1000 * WS_NS_PER_S));
    cr_assert(ws_text_is(c.trace.jobs[0].id, "early"));
    cr_assert(eq(i64, c.trace.jobs[0].arrival_ns, 5 * WS_NS_PER_S));
    cr_assert(eq(i64, c.trace.jobs[1].arrival_ns, 1005 * WS_NS_PER_S));
    cr_assert(eq(i64, c.trace.jobs[1].queue_ns, 2 * WS_NS_PER_S));
    cr_assert(eq(i64, c.trace.jobs[1].attempts[0].start_ns, 1007 * WS_NS_PER_S));
    cr_assert(eq(i64, c.report.found[WS_TRACE_BAD_TIME].count, 1));
    trace_case_end(&c);
}

Test(worldsize_csv, repeated_ids_are_told)
{
    trace_case c;

    trace_case_begin(&c, "own-ids");
    trace_case_load(&c, NULL, HEADER "a,0,1,10\nb,1,1,10\na,2,1,10\n");
    cr_assert(c.is_loaded);
    cr_assert(eq(sz, c.trace.count, 3));
    cr_assert_str_eq(trace_case_message(&c, 6124), "1 of 3 rows repeats an id of an earlier row");
    cr_assert(eq(int, trace_case_line(&c, 6124), 4));
    trace_case_end(&c);
}

Test(worldsize_csv, units_of_plain_numbers)
{
    const char *text = HEADER "a,1767225600000,1,10000\nb,1767225601000,1,500\n";
    trace_case c;

    trace_case_begin(&c, "own-ms");
    trace_case_load(&c, NULL, text);
    cr_assert(not(c.is_loaded));
    cr_assert(eq(int, trace_case_line(&c, 6103), 2));
    cr_assert(eq(int, trace_case_column(&c, 6103), 3));
    cr_assert(ws_text_is(trace_case_find(&c, 6103)->help, "add `time_unit: ms`"));
    trace_case_end(&c);

    trace_case_begin(&c, "own-ms");
    c.options.time_unit = WS_TRACE_UNIT_MS;
    trace_case_load(&c, NULL, text);
    cr_assert(c.is_loaded);
    cr_assert(eq(i64, c.trace.origin_ns, INT64_C(1767225600) * WS_NS_PER_S));
    cr_assert(eq(i64, c.trace.jobs[1].arrival_ns, WS_NS_PER_S));
    cr_assert(eq(i64, c.trace.jobs[1].duration_ns, WS_NS_PER_S / 2));
    trace_case_end(&c);
}

Test(worldsize_csv, bad_rows_are_rejected_by_reason)
{
    trace_case c;

    trace_case_begin(&c, "own-bad");
    trace_case_load(&c, NULL,
                    "id,arrival_s,gpus,nodes,duration_s,outcome,start_s,attempts,origin_s\n"
                    ",0,1,1,10,,,,\n"
                    "a,-1,1,1,10,,,,\n"
                    "b,,1,1,10,,,,\n"
                    "c,0,1,-1,10,,,,\n"
                    "d,0,1,1.5,10,,,,\n"
                    "e,0,1,1,10,Pass,,,\n"
                    "f,5,1,1,10,,4,,\n"
                    "g,5,1,1,10,,,5..15,\n"
                    "h,5,1,1,10,,,5..10:failed;8..13:failed,\n"
                    "i,5,1,1,10,,,4..14:failed,\n"
                    "j,5,1,1,10,,,5..14:failed,\n"
                    "k,5,1,1,10,,,5..15:failed;,\n"
                    "l,0,1,1,10,,,,99999999999\n"
                    "m,0,1,1,10,,,;,\n"
                    "n,5,1,1,10,,,5..15:failed:0,\n"
                    "\"o\"x,5,1,1,10,,,,\n");
    cr_assert(c.is_loaded);
    cr_assert(eq(i64, c.report.rows_read, 16));
    cr_assert(eq(i64, c.report.found[WS_TRACE_BAD_ID].count, 1));
    cr_assert(eq(i64, c.report.found[WS_TRACE_BAD_TIME].count, 3));
    cr_assert(eq(i64, c.report.found[WS_TRACE_BAD_NODES].count, 2));
    cr_assert(eq(i64, c.report.found[WS_TRACE_BAD_OUTCOME].count, 1));
    cr_assert(eq(i64, c.report.found[WS_TRACE_BAD_QUOTES].count, 1));
    /* f starts early; g lacks an outcome's colon, which is the unknown outcome; a `;` at the end is
     * no fault */
    cr_assert(eq(i64, c.report.found[WS_TRACE_BAD_ATTEMPTS].count, 6));
    cr_assert(eq(sz, c.trace.count, 2));
    trace_case_end(&c);
}

/* The columns' own spelling is the file's first line. */
Test(worldsize_csv, what_is_written)
{
    ws_trace_job job = {.id = WS_TEXT("j1"),
                        .arrival_ns = 1500000000,
                        .duration_ns = 60 * WS_NS_PER_S,
                        .queue_ns = WS_TRACE_UNKNOWN_NS,
                        .gpus = 8,
                        .outcome = WS_TRACE_OUTCOME_TIMEOUT};
    ws_trace trace = {.clock = WS_TRACE_CLOCK_WALL,
                      .zone = WS_TEXT("US/Pacific"),
                      .origin_ns = 1507248000 * WS_NS_PER_S,
                      .jobs = &job,
                      .count = 1};
    trace_case c;
    ws_writer writer;

    trace_case_begin(&c, "own-written");
    ws_writer_init_memory(&writer, &c.arena);
    ws_trace_export_find(WS_TEXT("worldsize"))->write(&trace, &writer, &c.arena);
    cr_assert(ws_writer_finish(&writer, &c.diag));
    cr_assert(ws_text_is(ws_writer_text(&writer),
                         "id,arrival_s,gpus,nodes,duration_s,outcome,user,queue,start_s,gpu_type,"
                         "kind,gpus_frac,attempts,origin_s,zone\n"
                         "j1,1.50,8,,60,timeout,,,,,,,,1507248000,US/Pacific\n"));
    trace_case_end(&c);
}
