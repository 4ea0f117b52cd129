/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>

#include "trace_case.h"

#define MACHINE(gpus) "{\"ip\":\"m1\",\"gpus\":[" gpus "]}"
#define ATTEMPT(start, end, machines)                                                              \
    "{\"start_time\":\"" start "\",\"end_time\":\"" end "\",\"detail\":[" machines "]}"
#define JOB(id, status, submitted, attempts)                                                       \
    "{\"status\":\"" status "\",\"vc\":\"v\",\"jobid\":\"" id "\",\"attempts\":[" attempts         \
    "],\"submitted_time\":\"" submitted "\",\"user\":\"u\"}"
#define G1 MACHINE("\"gpu0\"")

static int64_t found(const trace_case *c, ws_trace_finding finding)
{
    return c->report.found[finding].count;
}

/*
 * The three published records. Of 14199: submitted 01:11:39, attempts 01:12:09 to 01:13:23 (74 s)
 * and 10-07 01:13:30 to 10-09 06:53:12 (2 d 5 h 39 min 42 s = 193,182 s), eight GPUs: queued 30 s,
 * 193,256 s of work. Of 16565: attempts 1 and 3 have no end, attempt 4 has no start; what is left
 * is 03:11:14 to 03:11:57, 43 s, and the first start, 03:07:23, 187 s after the submission. 15647
 * has no attempt.
 */
Test(philly_json, the_published_records)
{
    char path[4096];
    trace_case c;

    if (ws_test_shared("data/philly/cluster_job_log.real3.json", path, sizeof path) == NULL) {
        cr_skip_test();
    }
    trace_case_begin(&c, "philly-real3");
    trace_case_load_path(&c, NULL, path);
    cr_assert(c.is_loaded);
    cr_assert(eq(i64, c.report.rows_read, 3));
    cr_assert(eq(sz, c.trace.count, 2));
    cr_assert(eq(i64, found(&c, WS_TRACE_NO_RUN), 1));
    cr_assert(eq(i64, found(&c, WS_TRACE_RUN_UNKNOWN), 1));
    cr_assert(eq(int, trace_case_line(&c, 6123), 106)); /* grep -n '^    {' */
    cr_assert(eq(int, trace_case_column(&c, 6123), 5));

    const ws_trace_job *first = &c.trace.jobs[0];
    cr_assert(ws_text_is(first->id, "application_1506638472019_14199"));
    cr_assert(ws_text_is(first->user, "ce2f4c"));
    cr_assert(ws_text_is(first->queue, "ee9e8c"));
    cr_assert(eq(i64, first->arrival_ns, 0));
    cr_assert(eq(i64, first->queue_ns, 30 * WS_NS_PER_S));
    cr_assert(eq(i64, first->duration_ns, 193256 * WS_NS_PER_S));
    cr_assert(eq(i32, first->gpus, 8));
    cr_assert(eq(i32, first->nodes, 1));
    cr_assert(eq(i32, first->attempt_count, 2));
    cr_assert(eq(int, first->attempts[0].outcome, WS_TRACE_OUTCOME_FAILED));
    cr_assert(eq(int, first->attempts[1].outcome, WS_TRACE_OUTCOME_COMPLETED));
    cr_assert(eq(int, first->outcome, WS_TRACE_OUTCOME_COMPLETED));

    const ws_trace_job *second = &c.trace.jobs[1];
    cr_assert(eq(i64, second->duration_ns, 43 * WS_NS_PER_S));
    cr_assert(eq(i64, second->queue_ns, 187 * WS_NS_PER_S));
    cr_assert(eq(i32, second->attempt_count, 3));
    cr_assert(eq(i64, second->attempts[0].end_ns, WS_TRACE_UNKNOWN_NS));
    cr_assert(eq(i32, second->gpus, 1));
    char date[WS_TRACE_DATE_BYTES];
    (void)ws_trace_print_date(&c.trace, 0, date);
    cr_assert_str_eq(date, "2017-10-07T01:11:39");
    trace_case_end(&c);
}

/*
 * python3 -c "import json,datetime as d; j=json.load(open('cluster_job_log.reconstructed400.json'))
 * t=d.datetime.fromisoformat; a=[x['attempts'][0] for x in j]
 * print(len(j), sum(len(m['gpus']) for x in a for m in x['detail']),
 *   sum((t(x['end_time'])-t(x['start_time'])).total_seconds()*sum(len(m['gpus']) for m in
 *   x['detail']) for x in a))"
 * prints: 400 429 5511113.0
 */
Test(philly_json, reconstructed400_agrees_with_python)
{
    char path[4096];
    trace_case c;
    int64_t gpus = 0;
    ws_gpu_time work = {.gpu_ns = 0};

    if (ws_test_shared("data/philly/cluster_job_log.reconstructed400.json", path, sizeof path) ==
        NULL) {
        cr_skip_test();
    }
    trace_case_begin(&c, "philly-400");
    trace_case_load_path(&c, NULL, path);
    cr_assert(c.is_loaded);
    cr_assert(eq(sz, c.trace.count, 400));
    for (size_t i = 0; i < c.trace.count; i++) {
        gpus += c.trace.jobs[i].gpus;
        work = ws_gpu_time_add(work, ws_trace_job_work(&c.trace.jobs[i]));
    }
    cr_assert(eq(i64, gpus, 429));
    cr_assert(eq(i64, (int64_t)(work.gpu_ns / WS_NS_PER_S), 5511113));
    cr_assert(eq(sz, c.diag.count, 0));
    trace_case_end(&c);
}

Test(philly_json, attempts_in_any_order_unknown_keys_and_nulls)
{
    trace_case c;

    trace_case_begin(&c, "philly-any");
    trace_case_load(
        &c, NULL,
        "\xEF\xBB\xBF[{\"jobid\":\"a\",\"extra\":{\"deep\":[1,{\"x\":null}]},\"submitted_time\":"
        "\"2017-10-09 07:00:00\",\"user\":null,\"attempts\":["
        "{\"end_time\":null,\"start_time\":\"2017-10-09 09:00:00\",\"detail\":[" G1 "]},"
        "{\"start_time\":\"2017-10-09 08:00:00\",\"end_time\":\"2017-10-09 08:00:10\","
        "\"detail\":[" MACHINE("\"gpu0\",\"gpu1\"") "," G1 "]}]}]");
    cr_assert(c.is_loaded);
    cr_assert(eq(sz, c.trace.count, 1));
    const ws_trace_job *job = &c.trace.jobs[0];
    cr_assert(eq(i32, job->gpus, 1)); /* of the first attempt in the file */
    cr_assert(eq(i32, job->attempt_count, 2));
    cr_assert(eq(i32, job->attempts[0].gpus, 3));
    cr_assert(eq(i64, job->queue_ns, WS_NS_PER_H));
    cr_assert(eq(i64, job->duration_ns, 10 * WS_NS_PER_S));
    cr_assert(eq(i64, job->attempts[1].end_ns, WS_TRACE_UNKNOWN_NS));
    cr_assert(eq(int, job->outcome, WS_TRACE_OUTCOME_UNKNOWN));
    /* 3 GPUs x 10 s */
    cr_assert(eq(i64, (int64_t)(ws_trace_job_work(job).gpu_ns / WS_NS_PER_S), 30));
    trace_case_end(&c);
}

/*
 * 2017-11-05 02:00 PDT was 01:00 PST. Job a runs 00:30 to 03:00: three and a half hours. Job b was
 * submitted at 01:50 (PDT: the first passing) and ran 01:10 (so PST, 20 min later) to 01:20. Job c
 * has its arrival as written. Job d ran across no change.
 */
Test(philly_json, run_times_are_true_across_the_end_of_summer_time)
{
    trace_case c;

    trace_case_begin(&c, "philly-fold");
    trace_case_load(
        &c, NULL,
        "[" JOB(
            "a", "Pass", "2017-11-05 00:30:00",
            ATTEMPT("2017-11-05 00:30:00", "2017-11-05 03:00:00",
                    G1)) "," JOB("b", "Pass", "2017-11-05 01:50:00",
                                 ATTEMPT(
                                     "2017-11-05 01:10:00", "2017-11-05 01:20:00",
                                     G1)) "," JOB("c", "Pass", "2017-11-05 12:00:00",
                                                  ATTEMPT(
                                                      "2017-11-05 12:00:00", "2017-11-05 12:00:10",
                                                      G1)) "," JOB("d", "Pass",
                                                                   "2017-11-04 12:00:00",
                                                                   ATTEMPT("2017-11-04 12:00:00",
                                                                           "2017-11-04 12:00:10",
                                                                           G1)) "]");
    cr_assert(c.is_loaded);
    cr_assert(eq(sz, c.trace.count, 4));
    cr_assert(ws_text_is(c.trace.jobs[1].id, "a"));
    cr_assert(eq(i64, c.trace.jobs[1].duration_ns, 210 * WS_NS_PER_MIN));
    cr_assert(ws_text_is(c.trace.jobs[2].id, "b"));
    cr_assert(eq(i64, c.trace.jobs[2].queue_ns, 20 * WS_NS_PER_MIN));
    cr_assert(eq(i64, c.trace.jobs[2].duration_ns, 10 * WS_NS_PER_MIN));
    cr_assert(eq(i64, c.trace.jobs[3].arrival_ns, 24 * WS_NS_PER_H));
    cr_assert(eq(i64, found(&c, WS_TRACE_CLOCK_FOLD), 1));
    cr_assert_str_eq(trace_case_message(&c, 6141),
                     "1 of 4 rows has a time in the hour that the end of summer time repeats; its "
                     "first passing is taken");
    trace_case_end(&c);
}

Test(philly_json, bad_jobs_are_rejected_by_reason)
{
    trace_case c;

    trace_case_begin(&c, "philly-bad");
    trace_case_load(&c, "philly-json",
                    "[\n" JOB("", "Pass", "2017-10-09 07:00:00", "") ",\n" JOB(
                        "b", "Pass", "None",
                        "") ",\n" JOB("c", "Pass",
                                      "1507532400000", "") ",\n" JOB("d", "Lost",
                                                                     "2017-10-09 07:00:00",
                                                                     ATTEMPT("2017-10-09 07:00:00", "2017-10-09 07:00:10", G1)) ",\n" JOB("e",
                                                                                                                                          "Pass", "2017-10-09 07:00:00", ATTEMPT("2017-10-09 07:00:00", "2017-10-09 07:00:10", "")) ",\n" JOB("f", "Pass", "2017-10-09 07:00:00", ATTEMPT("2017-10-09 07:00:10", "2017-10-09 07:00:00", G1)) ",\n" JOB("g",
                                                                                                                                                                                                                                                                                                                                                       "Pass",
                                                                                                                                                                                                                                                                                                                                                       "2017-10-09 07:00:00",
                                                                                                                                                                                                                                                                                                                                                       ATTEMPT("yesterday", "2017-10-09 07:00:00",
                                                                                                                                                                                                                                                                                                                                                               G1)) ",\n" JOB("h",
                                                                                                                                                                                                                                                                                                                                                                              "Pass",
                                                                                                                                                                                                                                                                                                                                                                              "2017-10-09 07:00:00",
                                                                                                                                                                                                                                                                                                                                                                              ATTEMPT(
                                                                                                                                                                                                                                                                                                                                                                                  "2017-10-09 07:00:00",
                                                                                                                                                                                                                                                                                                                                                                                  "None",
                                                                                                                                                                                                                                                                                                                                                                                  G1)) ",\n" JOB("i",
                                                                                                                                                                                                                                                                                                                                                                                                 "Pass",
                                                                                                                                                                                                                                                                                                                                                                                                 "2017-10-09 07:00:00",
                                                                                                                                                                                                                                                                                                                                                                                                 ATTEMPT(
                                                                                                                                                                                                                                                                                                                                                                                                     "2017-10-09 07:00:00",
                                                                                                                                                                                                                                                                                                                                                                                                     "2017-10-09 07:00:00",
                                                                                                                                                                                                                                                                                                                                                                                                     G1)) ",\n" JOB("j", "Pass", "2017-10-09 07:00:00", ATTEMPT("2017-10-09 06:59:58", "2017-10-09 07:00:10", G1)) ",\n" JOB("k", "Pass", "2017-10-09 07:00:00",
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                             ATTEMPT("2017-10-09 07:00:00",
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                     "2017-10-09 07:00:10",
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                     G1) "," ATTEMPT("2017-10-09 07:00:05", "2017-10-09 07:00:20", G1)) "\n]\n");
    cr_assert(c.is_loaded);
    cr_assert(eq(i64, c.report.rows_read, 11));
    cr_assert(eq(sz, c.trace.count, 2));
    cr_assert(eq(i64, found(&c, WS_TRACE_BAD_ID), 1));
    cr_assert(eq(i64, found(&c, WS_TRACE_BAD_TIME), 2));
    cr_assert(eq(i64, found(&c, WS_TRACE_BAD_OUTCOME), 1));
    cr_assert(eq(i64, found(&c, WS_TRACE_NO_GPU), 1));
    cr_assert(eq(i64, found(&c, WS_TRACE_ENDS_BEFORE_START), 1));
    cr_assert(eq(i64, found(&c, WS_TRACE_BAD_ATTEMPTS), 1));
    cr_assert(eq(i64, found(&c, WS_TRACE_NO_KNOWN_RUN), 1));
    cr_assert(eq(i64, found(&c, WS_TRACE_NO_RUN), 1));
    cr_assert(eq(i64, found(&c, WS_TRACE_EARLY_START), 1));
    cr_assert(eq(i64, found(&c, WS_TRACE_RUNS_CUT), 1));
    cr_assert(eq(int, trace_case_line(&c, 6118), 5));
    cr_assert(ws_text_is(c.trace.jobs[0].id, "j"));
    cr_assert(eq(i64, c.trace.jobs[0].duration_ns, 12 * WS_NS_PER_S));
    cr_assert(eq(i64, c.trace.jobs[0].queue_ns, 0));
    /* 07:00:00 to 07:00:05, then to 07:00:20 */
    cr_assert(eq(i64, c.trace.jobs[1].duration_ns, 20 * WS_NS_PER_S));
    cr_assert(eq(i64, c.trace.jobs[1].attempts[0].end_ns - c.trace.jobs[1].attempts[0].start_ns,
                 5 * WS_NS_PER_S));
    trace_case_end(&c);
}

Test(philly_json, other_shapes_are_refused_with_their_place)
{
    static const struct {
        const char *text;
        int code;
        const char *message;
        int line;
        int column;
    } cases[] = {
        {"{\"jobid\":1}", 1607, "expected a list of jobs: `[`", 1, 1},
        {"[\n  1]", 1607, "expected a job: `{`", 2, 3},
        {"[{\"jobid\":\"a\",\n\"jobid\":\"b\"}]", 1605, "key `jobid` appears twice", 2, 1},
        {"[{\"jobid\":\"a\",", 1602, "the file ends before this `{` is closed", 1, 2},
        {"[] []", 1606, "text stands behind the value of the file", 1, 4},
        {"", 6100, "`t.csv` is empty", -1, -1},
    };

    for (size_t i = 0; i < WS_COUNT_OF(cases); i++) {
        trace_case c;

        trace_case_begin(&c, "philly-shape");
        trace_case_load(&c, "philly-json", cases[i].text);
        cr_assert(not(c.is_loaded));
        cr_assert_str_eq(trace_case_message(&c, cases[i].code), cases[i].message);
        cr_assert(eq(sz, c.diag.error_count, 1));
        if (cases[i].line > 0) {
            cr_assert(eq(int, trace_case_line(&c, cases[i].code), cases[i].line));
            cr_assert(eq(int, trace_case_column(&c, cases[i].code), cases[i].column));
        }
        trace_case_end(&c);
    }
}

/* A list on one line of 3 MiB: more than the longest line of a table. */
Test(philly_json, one_line_of_any_length)
{
    static const char job[] = JOB("a", "Pass", "2017-10-09 07:00:00",
                                  ATTEMPT("2017-10-09 07:00:00", "2017-10-09 07:00:10", G1));
    const size_t count = 3 * 1024 * 1024 / (sizeof job - 1) + 1;
    char *text = malloc(count * sizeof job + 2);
    size_t length = 0;
    trace_case c;

    cr_assert(text != NULL);
    for (size_t i = 0; i < count; i++) {
        text[length++] = i == 0 ? '[' : ',';
        memcpy(text + length, job, sizeof job - 1);
        length += sizeof job - 1;
    }
    text[length++] = ']';
    trace_case_begin(&c, "philly-line");
    trace_case_load_bytes(&c, NULL, text, length);
    cr_assert(c.is_loaded);
    cr_assert(eq(sz, c.trace.count, count));
    cr_assert(eq(i64, found(&c, WS_TRACE_DUPLICATE_ID), (int64_t)count - 1));
    trace_case_end(&c);
    free(text);
}

Test(philly_json, rejected_jobs_are_listed)
{
    trace_case c;
    ws_writer list;

    trace_case_begin(&c, "philly-rejects");
    ws_writer_init_memory(&list, &c.arena);
    ws_trace_rejects_begin(&list);
    c.options.rejects = &list;
    trace_case_load(
        &c, NULL,
        "[" JOB("b", "Pass", "None", "") ",\n" JOB(
            "=c", "Pass", "2017-10-09 07:00:00",
            "") ",\n" JOB("=d", "Lost", "2017-10-09 07:00:00",
                          ATTEMPT("2017-10-09 07:00:00", "2017-10-09 07:00:10", G1)) "]");
    cr_assert(c.is_loaded);
    cr_assert(ws_text_is(
        ws_writer_text(&list),
        "file,line,code,reason,detail,row\n"
        "t.csv,1,WS6113,bad_time,`submitted_time` is no date such as 2017-10-09 07:01:55,b\n"
        "t.csv,3,WS6118,bad_outcome,\"`status` is none of Pass, Killed, Failed\",'=d\n"));
    cr_assert(ws_writer_finish(&list, &c.diag));
    trace_case_end(&c);
}
