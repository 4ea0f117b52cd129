/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "trace_case.h"

#define SPEEDS                                                                                     \
    "{\"k80\": {\"('A', 1)\": {\"null\": 2}},\n"                                                   \
    " \"v100\": {\"('A', 1)\": {\"null\": 4.0, \"('B', 1)\": [1, 2]},\n"                           \
    "  \"('A', 2)\": {\"null\": 8}, \"('B', 1)\": {\"null\": 0.0}}}\n"

static void begin(trace_case *c, const char *speeds)
{
    char *path = NULL;
    FILE *file = NULL;

    trace_case_begin(c, "gavel");
    path = ws_arena_alloc(&c->arena, char, sizeof c->path);
    (void)snprintf(path, sizeof c->path, "%s/speeds.json", c->folder);
    file = fopen(path, "wb");
    cr_assert(file != NULL);
    cr_assert(fputs(speeds, file) >= 0);
    cr_assert(fclose(file) == 0);
    c->options.with[WS_TRACE_WITH_THROUGHPUTS] =
        (ws_file_name){.path = path, .shown = WS_TEXT("speeds.json")};
}

static void end(trace_case *c)
{
    (void)remove(c->options.with[WS_TRACE_WITH_THROUGHPUTS].path);
    trace_case_end(c);
}

/*
 * With t = json.load(open('physical_cluster_throughputs.json')), for each line x =
 * line.split('\t'), f = x[6], s = x[5] of ten fields or x[4] of seven, v = t[gpu]["('%s', %d)" %
 * (x[0], int(f))]['null'] where there is one above 0: n += 1; gpus += int(f); work +=
 * round(float(s) / v * 1e9) * int(f) and work // 10**9 at the end.
 */
static void assert_file(const char *relative, const char *gpu_type, int64_t rows, int64_t jobs,
                        int64_t gpus, int64_t gpu_s)
{
    char speeds[4096];
    trace_case c;

    trace_case_begin(&c, "gavel-file");
    if (ws_test_shared("data/gavel/physical_cluster_throughputs.json", speeds, sizeof speeds) ==
        NULL) {
        cr_skip_test();
    }
    c.options.with[WS_TRACE_WITH_THROUGHPUTS] =
        (ws_file_name){.path = speeds, .shown = WS_TEXT("speeds.json")};
    c.options.gpu_type = ws_text_of(gpu_type);
    if (!trace_case_load_shared(&c, NULL, relative)) {
        cr_skip_test();
    }
    cr_assert(c.is_loaded);
    cr_assert(eq(i64, c.report.rows_read, rows));
    cr_assert(eq(sz, c.trace.count, (size_t)jobs));
    cr_assert(eq(i64, trace_case_found(&c, WS_TRACE_NO_THROUGHPUT), rows - jobs));
    cr_assert(eq(i64, trace_case_gpus(&c), gpus));
    cr_assert(eq(i64, trace_case_gpu_s(&c), gpu_s));
    trace_case_end(&c);
}

Test(gavel, ten_fields_agree_with_python)
{
    assert_file("data/gavel/minimize_makespan.trace", "", 100, 100, 175, 1995643);
    assert_file("data/gavel/minimize_makespan.trace", "k80", 100, 97, 172, 8423535);
    assert_file("data/gavel/max_min_fairness.trace", "v100", 96, 96, 169, 1365003);
    assert_file("data/gavel/small_test.trace", "v100", 20, 20, 23, 1253);
}

Test(gavel, seven_fields_agree_with_python)
{
    assert_file("data/gavel/msr_seed0_51b7ef.trace", "v100", 18, 17, 107, 779941);
    assert_file("data/gavel/msr_seed0_ed69ec.first400.trace", "v100", 400, 400, 400, 85530968);
}

/* 100 steps at 4 a second are 25 s, at 8 a second 12.5 s; nobody measured B alone. */
Test(gavel, steps_over_speed)
{
    trace_case c;

    begin(&c, SPEEDS);
    trace_case_load(&c, NULL,
                    "A\tpython \"x\t.\t-n\t1\t100\t1\t1\t-1.0\t5\n"
                    "A\tpython\t.\t-n\t1\t100\t2\t1\t-1.0\t7.5\n"
                    "B\tpython\t.\t-n\t1\t100\t1\t1\t-1.0\t8\n"
                    "A\tpython\t.\t-n\t1\t100\t4\t1\t-1.0\t9\n"
                    "A\tpython\t.\t-n\t1\t0\t1\t1\t-1.0\t9\n"
                    "A\tpython\t.\t-n\t1\tx\t1\t1\t-1.0\t9\n"
                    "A\tpython\t.\t-n\t1\t1e-12\t1\t1\t-1.0\t9\n"
                    "A\tpython\t.\t-n\t1\t100\t1\t1\t-1.0\n");
    cr_assert(c.is_loaded);
    cr_assert(eq(sz, c.trace.count, 2));
    cr_assert(ws_text_is(c.trace.jobs[0].id, "1"));
    cr_assert(ws_text_is(c.trace.jobs[0].kind, "A"));
    cr_assert(ws_text_is(c.trace.jobs[0].gpu_type, "v100"));
    cr_assert(eq(i64, c.trace.jobs[0].duration_ns, 25 * WS_NS_PER_S));
    cr_assert(eq(i64, c.trace.jobs[1].duration_ns, INT64_C(12500000000)));
    cr_assert(eq(i64, c.trace.jobs[1].arrival_ns, INT64_C(2500000000)));
    cr_assert(eq(i64, trace_case_found(&c, WS_TRACE_NO_THROUGHPUT), 2));
    cr_assert(ws_text_is(trace_case_find(&c, 6136)->label, "on 1 of `v100`"));
    cr_assert(eq(i64, trace_case_found(&c, WS_TRACE_NO_RUN), 1));
    cr_assert(eq(i64, trace_case_found(&c, WS_TRACE_BAD_DURATION), 2));
    cr_assert(ws_text_is(trace_case_find(&c, 6110)->label, "9 fields, expected are 10"));
    end(&c);

    begin(&c, SPEEDS);
    c.options.gpu_type = WS_TEXT("k80");
    trace_case_load(&c, NULL, "A\tpython\t-n\t1\t100\t3.5\t1\n");
    cr_assert(c.is_loaded);
    cr_assert(eq(i64, c.trace.jobs[0].duration_ns, 50 * WS_NS_PER_S));
    cr_assert(eq(i64, c.trace.origin_ns, INT64_C(3500000000)));
    end(&c);
}

Test(gavel, throughputs_that_cannot_be_used)
{
    static const struct {
        const char *speeds;
        int code;
        const char *message;
    } cases[] = {
        {"{\"k80\": {\"('A', 1)\": {\"null\": 2}}, \"p100\": {}}", 6145,
         "`speeds.json` holds no speeds on `v100`: it has `k80`, `p100`"},
        {"[1]", 1607, "expected types of GPUs: `{`"},
        {"{\"v100\": 1}", 1607, "expected the jobs of a type of GPU: `{`"},
        {"{\"v100\": {\"('A', 1)\": 1}}", 1607, "expected the speeds of a job: `{`"},
        {"{\"v100\": {\"('A', 1)\": {\"null\": \"2\"}}}", 1607,
         "expected steps per second: a number, 0 or more"},
        {"{\"v100\": {\"('A', 1)\": {\"null\": -2}}}", 1607,
         "expected steps per second: a number, 0 or more"},
        {"{\"v100\": {\"('A', 1)\": {\"null\": NaN}}}", 1601, "`NaN` is no value of JSON"},
        {"{\"v100\": {\"('A', 1)\": {\"null\": 2}", 1602,
         "the file ends before this `{` is closed"},
    };

    for (size_t i = 0; i < WS_COUNT_OF(cases); i++) {
        trace_case c;

        begin(&c, cases[i].speeds);
        trace_case_load(&c, NULL, "A\tpython\t-n\t1\t100\t3.5\t1\n");
        cr_assert(not(c.is_loaded), "case %zu", i);
        cr_assert_str_eq(trace_case_message(&c, cases[i].code), cases[i].message);
        cr_assert(eq(sz, c.diag.count, 1), "case %zu", i);
        end(&c);
    }

    trace_case c;
    trace_case_begin(&c, "gavel-none");
    trace_case_load(&c, NULL, "A\tpython\t-n\t1\t100\t3.5\t1\n");
    cr_assert(not(c.is_loaded));
    cr_assert_str_eq(trace_case_message(&c, 6145),
                     "a trace of Gavel needs throughputs: it states steps, no run times");
    trace_case_end(&c);
}
