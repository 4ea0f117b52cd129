/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recorded series: every format, holes, blanks, names; the shared files against lines of awk and
 * Python. */
#include <math.h>

#include "trace_case.h"
#include "ws/trace_series.h"

typedef struct {
    trace_case files; /* folder, path, arena, diagnostics */
    ws_trace_series_set set;
    ws_trace_series_report report;
    ws_trace_series_options options;
    ws_trace_series_summary summary;
    bool is_loaded;
} series_case;

static void series_load_path(series_case *c, const char *path)
{
    ws_file_name file = {.path = path, .shown = WS_TEXT("t.csv")};

    c->is_loaded = ws_trace_series_load(&c->set, &file, &c->options, &c->report, &c->files.arena,
                                        &c->files.diag);
    if (c->is_loaded) {
        cr_assert(ws_trace_series_summarise(&c->summary, &c->set, &c->files.arena));
    }
}

static void series_load(series_case *c, const char *text)
{
    FILE *file = fopen(c->files.path, "wb");

    cr_assert(file != NULL);
    cr_assert(fputs(text, file) >= 0);
    cr_assert(fclose(file) == 0);
    series_load_path(c, c->files.path);
}

static void series_begin(series_case *c, const char *name)
{
    memset(c, 0, sizeof *c);
    trace_case_begin(&c->files, name);
}

static void series_end(series_case *c)
{
    trace_case_end(&c->files);
}

static int64_t series_found(const series_case *c, ws_trace_series_finding finding)
{
    return c->report.found[finding].count;
}

/* Two GPUs of a matrix. Gaps of the first: 15, 15, 45 and 15.5 s, with the median 15.25: 45 is more
 * than 1.5 of it, a hole in which samples are missing for 45 - 15.25 s. The second has a NaN
 * between 10 and 30: gaps of 10, 20, 10 and 10 s, a hole of 20 - 10 s. */
#define MATRIX                                                                                     \
    "{\"status\":\"success\",\"data\":{\"resultType\":\"matrix\",\"result\":["                     \
    "{\"metric\":{\"gpu\":\"0\",\"__name__\":\"DCGM_FI_DEV_GPU_UTIL\",\"a\":\"x\"},"               \
    "\"values\":[[100,\"50\"],[115,\"60.5\"],[130,\"1e+01\"],[175,\"0\"],[190.5,\"100\"]]},"       \
    "{\"metric\":{\"__name__\":\"DCGM_FI_DEV_GPU_UTIL\",\"gpu\":\"1\"},"                           \
    "\"values\":[[0.000,\"1\"],[10,\"2\"],[20,\"NaN\"],[30,\"3\"],[40,\"4\"],[50,\"5\"]]}]}}"

Test(series, a_matrix_with_holes)
{
    series_case c;

    series_begin(&c, "series-matrix");
    series_load(&c, MATRIX);
    cr_assert(c.is_loaded);
    cr_assert(eq(sz, c.set.count, 2));
    cr_assert(eq(i64, c.report.samples_read, 11));
    cr_assert(eq(i64, c.report.samples_kept, 10));
    cr_assert(eq(i64, series_found(&c, WS_SERIES_BLANK), 1));
    const ws_trace_series *a = &c.set.items[0];
    cr_assert(ws_text_is(a->name, "DCGM_FI_DEV_GPU_UTIL"));
    cr_assert(ws_text_is(a->labels, "{a=\"x\",gpu=\"0\"}"));
    cr_assert_str_eq(a->metric->unit, "%");
    cr_assert(eq(dbl, a->metric->full, 100));
    cr_assert(eq(sz, a->count, 5));
    cr_assert(eq(i64, a->samples[4].at_ns, INT64_C(190500000000)));
    cr_assert(eq(dbl, a->samples[2].value, 10));
    cr_assert(eq(i64, a->step_ns, INT64_C(15250000000)));
    cr_assert(eq(i64, a->holes, 1));
    cr_assert(eq(i64, a->hole_ns, INT64_C(45000000000) - INT64_C(15250000000)));
    const ws_trace_series *b = &c.set.items[1];
    cr_assert(eq(sz, b->count, 5));
    cr_assert(eq(i64, b->blanks, 1));
    cr_assert(eq(i64, b->step_ns, 10 * WS_NS_PER_S));
    cr_assert(eq(i64, b->holes, 1));
    cr_assert(eq(i64, b->hole_ns, 10 * WS_NS_PER_S));
    series_end(&c);
}

/* A hole is no zero and no old value: after the last sample before it the value holds for a step.
 */
Test(series, a_hole_has_no_value)
{
    static const struct {
        double at_s;
        double value; /* NAN: none */
    } moments[] = {
        {-1, (double)NAN}, {0, 1},  {9.9, 1}, {10, 2},   {19.9, 2},        {20, (double)NAN},
        {25, (double)NAN}, {30, 3}, {50, 5},  {59.9, 5}, {60, (double)NAN}};
    series_case c;

    series_begin(&c, "series-at");
    series_load(&c, MATRIX);
    for (size_t i = 0; i < WS_COUNT_OF(moments); i++) {
        double value = -1;
        bool is_known =
            ws_trace_series_at(&c.set.items[1], (int64_t)(moments[i].at_s * 1e9), &value);
        cr_assert(is_known == !isnan(moments[i].value), "%g s", moments[i].at_s);
        cr_assert(eq(dbl, value, is_known ? moments[i].value : -1), "%g s", moments[i].at_s);
    }
    series_end(&c);
}

Test(series, how_long_a_gap_is_a_hole)
{
    series_case c;

    series_begin(&c, "series-steps");
    c.options.hole_steps = 2.5;
    series_load(&c, MATRIX);
    cr_assert(eq(i64, c.set.items[0].holes, 1)); /* 45 > 2.5 x 15.25 */
    cr_assert(eq(i64, c.set.items[1].holes, 0)); /* 20 < 2.5 x 10 */
    cr_assert(eq(i64, c.summary.holes, 1));
    series_end(&c);
}

/* Values 50, 60.5, 10, 0, 100, 1, 2, 3, 4, 5: sorted 0 1 2 3 4 5 10 50 60.5 100. */
Test(series, a_summary_by_hand)
{
    series_case c;

    series_begin(&c, "series-summary");
    series_load(&c, MATRIX);
    cr_assert(eq(i64, c.summary.samples, 10));
    cr_assert(eq(i64, c.summary.holes, 2));
    cr_assert(eq(i64, c.summary.first_ns, 0));
    cr_assert(eq(i64, c.summary.last_ns, INT64_C(190500000000)));
    cr_assert(eq(sz, c.summary.metric_count, 1));
    const ws_trace_metric_summary *metric = &c.summary.metrics[0];
    cr_assert(eq(i64, metric->series, 2));
    cr_assert(eq(i64, metric->blanks, 1));
    cr_assert(eq(dbl, metric->min, 0));
    cr_assert(eq(dbl, metric->values.max, 100));
    cr_assert(eq(dbl, metric->values.p50, 4.5));
    cr_assert(eq(dbl, metric->values.mean, 23.55));
    cr_assert(eq(i64, metric->step_ns, INT64_C(12625000000))); /* between 15.25 s and 10 s */
    series_end(&c);
}

/* The same samples in three text formats and in JSON. */
Test(series, text_formats_say_the_same)
{
    static const struct {
        const char *format;
        const char *text;
    } files[] = {
        {"openmetrics", "# TYPE u gauge\nu{a=\"1\",b=\"2\"} 3 1600000000.5\n"
                        "u{b=\"2\",a=\"1\"} 4 1600000010.5 # {trace=\"x\"} 1\n# EOF\n"},
        {"prometheus-text", "u{a=\"1\",b=\"2\",} 3 1600000000500\n\nu { a=\"1\", b=\"2\" }\t4 "
                            "1600000010500\n"},
        {"promtool-dump", "{__name__=\"u\", a=\"1\", b=\"2\"} 3 1600000000500\n"
                          "{__name__=\"u\", a=\"1\", b=\"2\"} 4 1600000010500\n"},
        {"prometheus-json", "{\"data\":{\"result\":[{\"metric\":{\"b\":\"2\",\"a\":\"1\","
                            "\"__name__\":\"u\"},\"values\":[[1600000000.5,\"3\"],"
                            "[1600000010.5,\"4\"]]}],\"resultType\":\"matrix\"},"
                            "\"status\":\"success\"}"},
    };

    for (size_t i = 0; i < WS_COUNT_OF(files); i++) {
        series_case c;

        series_begin(&c, "series-formats");
        cr_assert_str_eq(ws_trace_series_sniff_head(ws_text_of(files[i].text))->name,
                         files[i].format);
        series_load(&c, files[i].text);
        cr_assert(c.is_loaded, "%s", files[i].format);
        cr_assert(eq(sz, c.files.diag.count, 0), "%s", files[i].format);
        cr_assert(eq(sz, c.set.count, 1), "%s", files[i].format);
        const ws_trace_series *u = &c.set.items[0];
        cr_assert(ws_text_is(u->name, "u"));
        cr_assert(ws_text_is(u->labels, "{a=\"1\",b=\"2\"}"), "%s", files[i].format);
        cr_assert(eq(sz, u->count, 2), "%s", files[i].format);
        cr_assert(eq(i64, u->samples[0].at_ns, INT64_C(1600000000500000000)));
        cr_assert(eq(i64, u->step_ns, 10 * WS_NS_PER_S));
        cr_assert(eq(dbl, u->samples[1].value, 4));
        cr_assert_str_eq(u->metric->unit, "");
        series_end(&c);
    }
}

/* Blank values of DCGM in their three widths; as 9223372036854776000 in
 * github.com/NVIDIA/gpu-monitoring-tools, issue 152. Other exporters mean such numbers. */
Test(series, blanks_of_dcgm)
{
    series_case c;

    series_begin(&c, "series-blank");
    series_load(&c, "DCGM_FI_DEV_GPU_UTIL{gpu=\"0\"} 9223372036854776000\n"
                    "DCGM_FI_DEV_SM_CLOCK{gpu=\"0\"} 2147483634\n"
                    "dcgm_fi_dev_power_usage{gpu=\"0\"} 140737488355330\n"
                    "DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION 2147483636\n"
                    "node_memory_bytes 140737488355328\n"
                    "DCGM_FI_DEV_GPU_TEMP NaN\n");
    cr_assert(c.is_loaded);
    cr_assert(eq(i64, series_found(&c, WS_SERIES_BLANK), 4));
    cr_assert(eq(i64, c.report.samples_kept, 2));
    cr_assert(eq(i64, series_found(&c, WS_SERIES_NO_TIME), 2));
    cr_assert(eq(i64, c.summary.blanks, 4));
    cr_assert(eq(i64, c.summary.timed, 0));
    cr_assert(eq(int, trace_case_line(&c.files, 6173), 1));
    series_end(&c);
}

Test(series, what_cannot_be_used_is_counted_with_its_line)
{
    series_case c;

    series_begin(&c, "series-bad");
    series_load(&c, "u{a=\"1\"} 1 1600000000.0\n"
                    "u{a=\"1} 1 1600000001.0\n"         /* 2: a quote that is open */
                    "u{a=\"1\"} one 1600000002.0\n"     /* 3 */
                    "u{a=\"1\"} 1 yesterday\n"          /* 4 */
                    "u{a=\"1\"} +Inf 1600000003.0\n"    /* 5 */
                    "u{a=\"1\"} 2 1600000000.0\n"       /* 6: repeated */
                    "u{a=\"1\"} 3 1599999990.0\n"       /* 7: earlier */
                    "u{a=\"1\",a=\"2\"} 1 1600000001\n" /* 8: a label twice */
                    "nvidia_smi_utilization_gpu_ratio 1.5 1600000000\n" /* 9: beyond all */
                    "# EOF\n");
    cr_assert(c.is_loaded);
    cr_assert(eq(i64, c.report.samples_read, 9));
    cr_assert(eq(i64, c.report.samples_kept, 3));
    cr_assert(eq(i64, series_found(&c, WS_SERIES_BAD_LINE), 2));
    cr_assert(eq(i64, c.report.found[WS_SERIES_BAD_LINE].lines[1], 8));
    cr_assert(eq(int, trace_case_line(&c.files, 6170), 2));
    cr_assert(eq(int, trace_case_line(&c.files, 6172), 3));
    cr_assert(eq(int, trace_case_column(&c.files, 6172), 10));
    cr_assert(eq(int, trace_case_line(&c.files, 6171), 4));
    cr_assert(eq(int, trace_case_line(&c.files, 6174), 5));
    cr_assert(eq(int, trace_case_line(&c.files, 6176), 6));
    cr_assert(eq(i64, series_found(&c, WS_SERIES_UNSORTED), 1));
    cr_assert(eq(int, trace_case_line(&c.files, 6179), 9));
    cr_assert(eq(sz, c.set.items[0].count, 2));
    cr_assert(eq(dbl, c.set.items[0].samples[0].value, 3));
    cr_assert(eq(dbl, c.set.items[0].samples[1].value, 1)); /* the first of equal times */

    c.options.strict = true;
    series_load_path(&c, c.files.path);
    cr_assert(not(c.is_loaded));
    series_end(&c);
}

/* A file that is cut off; times in the other unit. */
Test(series, the_whole_file_is_doubtful)
{
    series_case c;

    series_begin(&c, "series-cut");
    series_load(&c, "u 1 1600000000.0\n");
    cr_assert(c.is_loaded);
    cr_assert_str_eq(trace_case_message(&c.files, 6183),
                     "`t.csv` does not end with `# EOF`: it may be cut off");
    series_end(&c);

    series_begin(&c, "series-unit");
    c.options.type = ws_trace_series_type_find(WS_TEXT("openmetrics"));
    series_load(&c, "u 1 1600000000000\n# EOF\n");
    cr_assert(not(c.is_loaded));
    cr_assert_str_eq(trace_case_message(&c.files, 6103),
                     "times of `t.csv` look like milliseconds, not seconds");
    series_end(&c);

    series_begin(&c, "series-none");
    series_load(&c, "{\"status\":\"success\",\"data\":{\"resultType\":\"matrix\",\"result\":[]}}");
    cr_assert(c.is_loaded);
    cr_assert_str_eq(trace_case_message(&c.files, 6184), "`t.csv` holds no sample");
    series_end(&c);
}

/* Answers of Prometheus that are no series, whatever the order of their keys. */
Test(series, answers_without_series)
{
    static const struct {
        const char *text;
        int code;
        const char *message;
    } answers[] = {
        {"{\"status\":\"error\",\"errorType\":\"timeout\",\"error\":\"query timed out\"}", 6180,
         "Prometheus could not answer the query: timeout: query timed out"},
        {"{\"error\":\"x\",\"errorType\":\"bad_data\",\"status\":\"error\"}", 6180,
         "Prometheus could not answer the query: bad_data: x"},
        {"{\"status\":\"success\",\"data\":{\"resultType\":\"scalar\",\"result\":[1,\"2\"]}}", 6181,
         "the answer is a scalar, which belongs to no series"},
        {"{\"status\":\"success\",\"data\":{\"resultType\":\"string\",\"result\":[1,\"a\"]}}", 6181,
         "the answer is a string, which belongs to no series"},
        {"{\"data\":{\"result\":[1,\"2\"],\"resultType\":\"scalar\"},\"status\":\"success\"}", 6181,
         "the answer is a single value, which belongs to no series"},
        {"{\"data\":{\"result\":[{\"values\":[[1,\"2\"]],\"metric\":{}}]}}", 1607,
         "expected `metric` before the samples"},
        {"{\"data\":{\"result\":[{\"metric\":{},\"values\":[[1]]}]}}", 1607, "expected a value"},
        {"{\"result\":1}", 6181, "`t.csv` holds no `data`"},
    };

    for (size_t i = 0; i < WS_COUNT_OF(answers); i++) {
        series_case c;

        series_begin(&c, "series-answer");
        series_load(&c, answers[i].text);
        cr_assert(not(c.is_loaded), "%zu", i);
        cr_assert(eq(sz, c.files.diag.error_count, 1), "%zu", i);
        cr_assert_str_eq(trace_case_message(&c.files, answers[i].code), answers[i].message);
        series_end(&c);
    }
}

/* Warnings are passed on; histograms have no one value; a vector is one sample each. */
Test(series, what_an_answer_holds_besides)
{
    series_case c;

    series_begin(&c, "series-besides");
    series_load(&c,
                "{\"status\":\"success\",\"warnings\":[\"2 blocks are missing\"],\"data\":{"
                "\"resultType\":\"vector\",\"result\":[{\"metric\":{\"a\":\"q\\\"\\n\"},"
                "\"value\":[7,\"0.5\"]},{\"metric\":{},\"histogram\":[7,{\"count\":\"2\"}]}]}}");
    cr_assert(c.is_loaded);
    cr_assert_str_eq(trace_case_message(&c.files, 6182), "Prometheus says: 2 blocks are missing");
    cr_assert(eq(i64, series_found(&c, WS_SERIES_HISTOGRAM), 1));
    cr_assert(eq(sz, c.set.count, 1));
    cr_assert(eq(sz, c.set.items[0].name.length, 0));
    cr_assert(ws_text_is(c.set.items[0].labels, "{a=\"q\\\"\\n\"}"));
    cr_assert(eq(i64, c.set.items[0].step_ns, 0));
    series_end(&c);
}

/* Names that Prometheus 3 writes in quotes; a series whose samples are all unusable is not there.
 */
Test(series, names_of_series)
{
    series_case c;

    series_begin(&c, "series-names");
    c.options.type = ws_trace_series_type_find(WS_TEXT("openmetrics"));
    series_load(&c,
                "bad{} one 1\n{\"my.name\",a=\"1\"} 1 2.5\n{\"x y\"=\"2\",__name__=\"n\"} 2 2.5\n"
                "# EOF\n");
    cr_assert(c.is_loaded);
    cr_assert(eq(sz, c.set.count, 2));
    cr_assert(ws_text_is(c.set.items[0].name, "my.name"));
    cr_assert(ws_text_is(c.set.items[0].labels, "{a=\"1\"}"));
    cr_assert(ws_text_is(c.set.items[1].name, "n"));
    cr_assert(ws_text_is(c.set.items[1].labels, "{x y=\"2\"}"));
    series_end(&c);
}

/* 3,000 series in turn: the table of names grows, and every sample finds its own. */
Test(series, many_series)
{
    char *text = malloc((size_t)1 << 20);
    size_t length = 0;
    series_case c;

    cr_assert(text != NULL);
    for (int sample = 0; sample < 3; sample++) {
        for (int i = 0; i < 3000; i++) {
            length += (size_t)sprintf(text + length, "m%d{n=\"%d\"} %d %d.0\n", i % 7, i,
                                      i * 10 + sample, 1000 + sample * 15);
        }
    }
    (void)strcpy(text + length, "# EOF\n");
    series_begin(&c, "series-many");
    series_load(&c, text);
    free(text);
    cr_assert(c.is_loaded);
    cr_assert(eq(sz, c.set.count, 3000));
    cr_assert(eq(sz, c.summary.metric_count, 7));
    for (size_t i = 0; i < 3000; i++) {
        cr_assert(eq(sz, c.set.items[i].count, 3));
        cr_assert(eq(dbl, c.set.items[i].samples[2].value, (double)(i * 10 + 2)));
        cr_assert(eq(i64, c.set.items[i].step_ns, 15 * WS_NS_PER_S));
    }
    for (size_t i = 0; i < 7; i++) { /* in the order of their first series */
        cr_assert(ws_text_is(c.summary.metrics[i].name, (char[]){'m', (char)('0' + i), '\0'}));
        cr_assert(eq(i64, c.summary.metrics[i].series, i < 4 ? 429 : 428));
    }
    series_end(&c);
}

/*
 * python3 -c "import json; d=json.load(open(F))['data']['result']; v=sorted(float(x[1]) for s in d
 * for x in s['values']); print(len(d), len(v), v[-1], sum(v)/len(v))" prints for the matrix:
 * 5 1200 97.93333333333334 10.528362318840584; every gap is 57 s.
 * grep -vc '^#' gpu_util.openmetrics.txt: 360; wc -l gpu_util.promtool_tsdb_dump.txt: 180; the
 * values of both are the first ones of the matrix's.
 */
Test(series, shared_files_agree_with_python)
{
    static const struct {
        const char *path;
        size_t series;
        int64_t samples;
        int64_t last_s;
    } files[] = {
        {"data/prometheus/query_range.gpu_util.matrix.json", 5, 1200, 1662872343},
        {"data/prometheus/gpu_util.openmetrics.txt", 3, 360, 1662865503},
        {"data/prometheus/gpu_util.promtool_tsdb_dump.txt", 3, 180, 1662862083},
        {"data/prometheus/query.gpu_util.vector.json", 5, 5, 1662872343},
    };

    for (size_t i = 0; i < WS_COUNT_OF(files); i++) {
        char path[4096];
        series_case c;

        if (ws_test_shared(files[i].path, path, sizeof path) == NULL) {
            cr_skip_test();
        }
        series_begin(&c, "series-shared");
        series_load_path(&c, path);
        cr_assert(c.is_loaded);
        cr_assert(eq(sz, c.files.diag.count, 0));
        cr_assert(eq(sz, c.set.count, files[i].series));
        cr_assert(eq(i64, c.summary.samples, files[i].samples));
        cr_assert(eq(i64, c.summary.last_ns, files[i].last_s * WS_NS_PER_S));
        cr_assert(eq(i64, c.summary.holes, 0));
        cr_assert(eq(i64, c.summary.metrics[0].step_ns, i < 3 ? 57 * WS_NS_PER_S : 0));
        if (i == 0) {
            cr_assert(epsilon_eq(dbl, c.summary.metrics[0].values.mean, 10.528362318840584, 1e-12));
            cr_assert(eq(dbl, c.summary.metrics[0].values.max, 97.93333333333334));
        }
        series_end(&c);
    }
}

/* Units of what exporters in the field answer. `grep -vc '^#'` prints the samples. */
Test(series, shared_scrapes_have_units)
{
    static const struct {
        const char *path;
        int64_t samples;
        const char *metric;
        const char *unit;
    } files[] = {
        {"data/dcgm/issue138_gpu-monitoring-tools_2020.prom", 8, "DCGM_FI_DEV_GPU_UTIL", "%"},
        {"data/dcgm/issue188_renamed_dcgm_snake.prom", 7, "dcgm_gpu_utilization", "%"},
        {"data/dcgm/issue272_renamed_lowercase_mig.prom", 3, "dcgm_fi_prof_gr_engine_active",
         "ratio"},
        {"data/dcgm/issue58_dcgm-exporter_2022.prom", 5, "DCGM_FI_DEV_SM_CLOCK", "MHz"},
        {"data/dcgm/issue68_dcgm-exporter_mig_idle_then_busy.prom", 4,
         "DCGM_FI_PROF_PIPE_TENSOR_ACTIVE", "ratio"},
        {"data/dcgm/nvidia_gpu_exporter_metrics_excerpt.prom", 6,
         "nvidia_smi_utilization_gpu_ratio", "ratio"},
        {"data/dcgm/pr736_mixed_models_2026.prom", 4, "DCGM_FI_DEV_FB_FREE", "MiB"},
        {"data/dcgm/pytimer_gpu_exporter_excerpt.prom", 4, "nvidia_gpu_memory_total_mb", "MB"},
    };

    for (size_t i = 0; i < WS_COUNT_OF(files); i++) {
        char path[4096];
        const ws_trace_metric_summary *found = NULL;
        series_case c;

        if (ws_test_shared(files[i].path, path, sizeof path) == NULL) {
            cr_skip_test();
        }
        series_begin(&c, "series-scrape");
        series_load_path(&c, path);
        cr_assert(c.is_loaded, "%s", files[i].path);
        cr_assert(eq(i64, c.report.samples_read, files[i].samples), "%s", files[i].path);
        cr_assert(eq(i64, c.report.samples_kept, files[i].samples), "%s", files[i].path);
        for (size_t k = 0; k < c.summary.metric_count; k++) {
            if (ws_text_is(c.summary.metrics[k].name, files[i].metric)) {
                found = &c.summary.metrics[k];
            }
        }
        cr_assert(found != NULL, "%s", files[i].path);
        cr_assert_str_eq(found->metric->unit, files[i].unit);
        series_end(&c);
    }
}

/* Changes of prices in two zones, the newest first: no gap is a hole, however long. */
Test(series, prices_of_spot_instances)
{
    series_case c;

    series_begin(&c, "series-aws");
    series_load(&c, "{\"SpotPriceHistory\":["
                    "{\"AvailabilityZone\":\"b\",\"InstanceType\":\"p3\",\"SpotPrice\":\"0.9180\","
                    "\"Timestamp\":\"2023-03-01T00:00:00+00:00\"},"
                    "{\"AvailabilityZone\":\"a\",\"InstanceType\":\"p3\",\"SpotPrice\":\"0.5\","
                    "\"Timestamp\":\"2023-02-01T01:00:00.000Z\"},"
                    "{\"Timestamp\":\"2023-02-01T00:00:00.000Z\",\"SpotPrice\":\"0.8\","
                    "\"InstanceType\":\"p3\",\"AvailabilityZone\":\"b\"},"
                    "{\"AvailabilityZone\":\"b\",\"InstanceType\":\"p3\",\"SpotPrice\":\"0.7\","
                    "\"Timestamp\":\"2023-01-31T23:50:00Z\"},"
                    "{\"AvailabilityZone\":\"b\",\"SpotPrice\":\"1\",\"Timestamp\":\"soon\"},"
                    "{\"AvailabilityZone\":\"b\",\"SpotPrice\":\"much\","
                    "\"Timestamp\":\"2023-01-31T23:50:00Z\"}],\"NextToken\":\"\"}");
    cr_assert(c.is_loaded);
    cr_assert(eq(i64, c.report.samples_read, 6));
    cr_assert(eq(i64, c.report.samples_kept, 4));
    cr_assert(eq(i64, series_found(&c, WS_SERIES_BAD_TIME), 1));
    cr_assert(eq(i64, series_found(&c, WS_SERIES_BAD_VALUE), 1));
    const ws_trace_series *b = &c.set.items[0];
    cr_assert(ws_text_is(b->name, "SpotPrice"));
    cr_assert(ws_text_is(b->labels, "{AvailabilityZone=\"b\",InstanceType=\"p3\"}"));
    cr_assert(eq(sz, b->count, 3));
    cr_assert(eq(i64, b->samples[0].at_ns, INT64_C(1675209000) * 1000000000));
    cr_assert(eq(i64, b->samples[2].at_ns, INT64_C(1677628800) * 1000000000));
    cr_assert(eq(dbl, b->samples[2].value, 0.918));
    cr_assert(eq(i64, b->holes, 0));
    series_end(&c);
}

/* A table of two columns, with dates, seconds, a row without a value, and two that are none. */
Test(series, a_plain_table)
{
    series_case c;

    series_begin(&c, "series-csv");
    series_load(&c, "timestamp,price\n1970-01-01T00:00:10Z,1\n20,2.5\n1970-01-01 00:00:30,\n40,4\n"
                    "50,5,6\nnever,7\n");
    cr_assert(c.is_loaded);
    cr_assert(eq(sz, c.set.count, 1));
    cr_assert(eq(sz, c.set.items[0].count, 3));
    cr_assert(eq(i64, c.set.items[0].samples[0].at_ns, INT64_C(10) * 1000000000));
    cr_assert(eq(dbl, c.set.items[0].samples[1].value, 2.5));
    cr_assert(eq(i64, c.set.items[0].holes, 0)); /* a gap of 20 s, 1.33 of the median of 15 */
    cr_assert(eq(i64, series_found(&c, WS_SERIES_BLANK), 1));
    cr_assert(eq(i64, series_found(&c, WS_SERIES_BAD_LINE), 1));
    cr_assert(eq(i64, series_found(&c, WS_SERIES_BAD_TIME), 1));
    series_end(&c);
}
