/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recorded outages and availability, by hand and against a few lines of Python. */
#include <math.h>

#include "trace_case.h"
#include "ws/trace_outage.h"

typedef struct {
    trace_case files;
    ws_trace_outages outages;
    ws_trace_outage_report report;
    ws_trace_outage_options options;
    ws_trace_outage_summary summary;
    bool is_loaded;
} outage_case;

static void outage_load_path(outage_case *c, const char *path)
{
    ws_file_name file = {.path = path, .shown = WS_TEXT("t.csv")};

    c->is_loaded = ws_trace_outages_load(&c->outages, &file, &c->options, &c->report,
                                         &c->files.arena, &c->files.diag);
    if (c->is_loaded) {
        cr_assert(ws_trace_outages_summarise(&c->summary, &c->outages, &c->files.arena));
    }
}

static void outage_load(outage_case *c, const char *name, const char *text)
{
    memset(c, 0, sizeof *c);
    trace_case_begin(&c->files, name);
    FILE *file = fopen(c->files.path, "wb");

    cr_assert(file != NULL);
    cr_assert(fputs(text, file) >= 0);
    cr_assert(fclose(file) == 0);
    outage_load_path(c, c->files.path);
}

static int64_t outage_found(const outage_case *c, ws_trace_outage_finding finding)
{
    return c->report.found[finding].count;
}

#define EVENT(node, days, type)                                                                    \
    "{\"node_id\":\"" node "\",\"event_time\":" days ",\"event_type\":\"fault_" type               \
    "\",\"fault_type\":{\"Level\":\"x\",\"Class\":\"" node node "\"}}"

/*
 * a: faults in days [1, 2.5) and [2, 3): one outage of 2 days. b: no time at day 4, and from day 8
 * on, still open when the recording ends at day 10, where c fails and is mended at once. Of the 30
 * days of three nodes 2 + 0 + 2 + 0 are lost; the three outages that ended last 2, 0 and 0 days.
 */
Test(outage, faults_by_hand)
{
    outage_case c;

    outage_load(
        &c, "outage-faults",
        "[" EVENT("a", "1", "start") "," EVENT("a", "2", "start") "," EVENT("a", "2.5", "end") "," EVENT(
            "a", "3",
            "end") "," EVENT("b", "4",
                             "start") "," EVENT("b", "4",
                                                "end") "," EVENT("b", "8.0",
                                                                 "start") "," EVENT("c", "10",
                                                                                    "start") "," EVENT("c",
                                                                                                       "10",
                                                                                                       "end") "]");
    cr_assert(c.is_loaded);
    cr_assert(eq(i64, c.report.events_read, 9));
    cr_assert(eq(i64, c.report.events_kept, 9));
    cr_assert(eq(i64, c.outages.faults, 5));
    cr_assert(eq(sz, c.outages.node_count, 3));
    cr_assert(eq(sz, c.outages.count, 4));
    const ws_trace_outage *outages = c.outages.outages;
    cr_assert(eq(i64, outages[0].down_ns, WS_NS_PER_D));
    cr_assert(eq(i64, outages[0].up_ns, 3 * WS_NS_PER_D));
    cr_assert(eq(i32, outages[0].faults, 2));
    cr_assert(eq(i64, outages[1].up_ns, outages[1].down_ns));
    cr_assert(not(outages[1].is_open));
    cr_assert(outages[2].is_open);
    cr_assert(eq(sz, outages[2].node, 1));
    cr_assert(eq(i64, outages[2].up_ns, 10 * WS_NS_PER_D));
    cr_assert(eq(i64, outage_found(&c, WS_OUTAGE_OVERLAP), 1));
    cr_assert(eq(i64, outage_found(&c, WS_OUTAGE_NO_LENGTH), 2));
    cr_assert(eq(i64, outage_found(&c, WS_OUTAGE_OPEN), 1));
    /* nodes: 3, 2 from day 1, 3 from day 3, 2 from day 8 */
    cr_assert(eq(sz, c.outages.step_count, 4));
    cr_assert(eq(i64, c.outages.steps[1].at_ns, WS_NS_PER_D));
    cr_assert(eq(i64, c.outages.steps[1].nodes, 2));
    cr_assert(eq(i64, c.outages.steps[3].at_ns, 8 * WS_NS_PER_D));
    cr_assert(eq(dbl, c.summary.down_s, 4 * 86400));
    cr_assert(eq(dbl, c.summary.mtbf_s, 26 * 86400.0 / 4));
    cr_assert(eq(dbl, c.summary.mttr_s, 2 * 86400.0 / 3));
    cr_assert(epsilon_eq(dbl, c.summary.availability, 26.0 / 30, 1e-15));
    cr_assert(epsilon_eq(dbl, c.summary.nodes_mean, 2.6, 1e-15));
    cr_assert(eq(i64, c.summary.nodes_min, 2));
    cr_assert(eq(i64, c.summary.nodes_max, 3));
    cr_assert(eq(dbl, c.summary.down.p50, 0));
    cr_assert(eq(sz, c.outages.class_count, 3));
    cr_assert(ws_text_is(c.outages.classes[0].name, "aa")); /* two each: the first in the file */
    cr_assert(eq(i64, c.outages.classes[2].faults, 1));
    trace_case_end(&c.files);
}

Test(outage, events_that_cannot_be)
{
    outage_case c;

    outage_load(
        &c, "outage-bad",
        "[" EVENT("a", "1", "end") ",\n" EVENT("a", "2", "begin") ",\n" EVENT(
            "", "2",
            "start") ",\n" EVENT("a", "-1",
                                 "start") ",\n" EVENT("a", "\"x\"",
                                                      "start") ",\n" EVENT("a", "3",
                                                                           "start") ",\n" EVENT("a",
                                                                                                "2",
                                                                                                "st"
                                                                                                "ar"
                                                                                                "t") "]");
    cr_assert(c.is_loaded);
    cr_assert(eq(i64, c.report.events_read, 7));
    cr_assert(eq(i64, c.report.events_kept, 2));
    cr_assert(eq(i64, outage_found(&c, WS_OUTAGE_NO_BEGIN), 1));
    cr_assert(eq(i64, outage_found(&c, WS_OUTAGE_BAD_EVENT), 2));
    cr_assert(eq(i64, outage_found(&c, WS_OUTAGE_BAD_TIME), 2));
    cr_assert(eq(i64, outage_found(&c, WS_OUTAGE_UNSORTED), 1));
    cr_assert(eq(int, trace_case_line(&c.files, 6192), 1));
    cr_assert(eq(int, trace_case_line(&c.files, 6190), 2));
    cr_assert(eq(int, trace_case_line(&c.files, 6191), 4));
    cr_assert(eq(i64, c.outages.outages[0].down_ns, 2 * WS_NS_PER_D)); /* sorted */
    c.options.strict = true;
    c.report = (ws_trace_outage_report){.events_read = 0};
    outage_load_path(&c, c.files.path);
    cr_assert(not(c.is_loaded));
    trace_case_end(&c.files);
}

/*
 * 1 node from 2 s, 2 from 3 s, 1 from 5 s, 2 from 6 s (n1 is back), 1 from 12 s on.
 * (1*1 + 2*2 + 1*1 + 2*6) / 10 = 1.8 nodes; they were there for 18 s, over two preemptions 9 s; the
 * one outage that ended lasted 1 s.
 */
Test(outage, availability_by_hand)
{
    outage_case c;

    outage_load(&c, "outage-spot",
                "2000,add,n1\n3000,add,n2\n5000,remove,n1\n6000,add,n1\n7000,add,n2\n"
                "8000,remove,n9\n9000,stop,n1\n12000,remove,n2\n");
    cr_assert(c.is_loaded);
    cr_assert(eq(i64, c.report.events_read, 8));
    cr_assert(eq(i64, c.report.events_kept, 5));
    cr_assert(eq(i64, outage_found(&c, WS_OUTAGE_THERE_TWICE), 1));
    cr_assert(eq(int, trace_case_line(&c.files, 6193), 5));
    cr_assert(eq(int, trace_case_line(&c.files, 6192), 6));
    cr_assert(eq(int, trace_case_line(&c.files, 6190), 7));
    cr_assert(eq(i64, c.outages.additions, 3));
    cr_assert(eq(i64, c.outages.faults, 2));
    cr_assert(eq(sz, c.outages.step_count, 5));
    cr_assert(eq(i64, c.outages.steps[0].at_ns, 2 * WS_NS_PER_S));
    cr_assert(eq(i64, c.outages.begin_ns, 2 * WS_NS_PER_S));
    cr_assert(eq(dbl, c.summary.nodes_mean, 1.8));
    cr_assert(eq(dbl, c.summary.mtbf_s, 9));
    cr_assert(eq(dbl, c.summary.mttr_s, 1));
    cr_assert(isnan(c.summary.availability));
    cr_assert(eq(i64, c.summary.nodes_min, 1));
    cr_assert(eq(i64, c.summary.nodes_max, 2));
    trace_case_end(&c.files);
}

Test(outage, nothing_happened)
{
    outage_case c;

    memset(&c, 0, sizeof c);
    c.options.type = ws_trace_outage_type_find(WS_TEXT("infinitehbd"));
    trace_case_begin(&c.files, "outage-none");
    FILE *file = fopen(c.files.path, "wb");

    cr_assert(file != NULL);
    cr_assert(fputs("[]", file) >= 0);
    cr_assert(fclose(file) == 0);
    outage_load_path(&c, c.files.path);
    cr_assert(c.is_loaded);
    cr_assert_str_eq(trace_case_message(&c.files, 6197), "`t.csv` holds no event");
    cr_assert(isnan(c.summary.mtbf_s));
    cr_assert(isnan(c.summary.nodes_mean));
    trace_case_end(&c.files);
}

/*
 * Python with fractions, counting the open faults of each node: 832 events, 416 starts, 174 nodes;
 * 414 outages, 2 starts within another, 7 outages without a length; down for 179196451.2 s of 174
 * nodes over 30151854.72 s. Classes of the starts: Unknown Error 115, GPU 101.
 */
Test(outage, infinitehbd_agrees_with_python)
{
    char path[4096];
    outage_case c;

    if (ws_test_shared("data/infinitehbd/fault_trace.nodes_a.json", path, sizeof path) == NULL) {
        cr_skip_test();
    }
    memset(&c, 0, sizeof c);
    trace_case_begin(&c.files, "outage-hbd");
    outage_load_path(&c, path);
    cr_assert(c.is_loaded);
    cr_assert(eq(i64, c.report.events_read, 832));
    cr_assert(eq(i64, c.outages.faults, 416));
    cr_assert(eq(sz, c.outages.node_count, 174));
    cr_assert(eq(sz, c.outages.count, 414));
    cr_assert(eq(i64, c.summary.no_length, 7));
    cr_assert(eq(i64, c.summary.open, 0));
    cr_assert(eq(i64, outage_found(&c, WS_OUTAGE_OVERLAP), 2));
    cr_assert(epsilon_eq(dbl, c.summary.down_s, 179196451.2, 1e-6));
    cr_assert(epsilon_eq(dbl, c.summary.mtbf_s, 12239676.980869565, 1e-6));
    cr_assert(epsilon_eq(dbl, c.summary.mttr_s, 432841.6695652174, 1e-6));
    cr_assert(epsilon_eq(dbl, c.summary.availability, 0.9658440692410922, 1e-12));
    cr_assert(ws_text_is(c.outages.classes[0].name, "Unknown Error"));
    cr_assert(eq(i64, c.outages.classes[0].faults, 115));
    cr_assert(eq(i64, c.outages.classes[1].faults, 101));
    trace_case_end(&c.files);
}

/* awk -F, '{c[$2]++}END{print c["add"], c["remove"]}' prints 177 167 and 79 74; the means, extremes
 * and the time per removal are those of a loop in Python over the same lines. */
Test(outage, bamboo_agrees_with_python)
{
    static const struct {
        const char *path;
        int64_t added;
        int64_t removed;
        double mean;
        int64_t min;
        int64_t max;
        double mtbf_s;
    } files[] = {
        {"data/bamboo/p3-trace.csv", 177, 167, 24.027859237536656, 10, 32, 5887.54491017964},
        {"data/bamboo/g4dn-trace.csv", 79, 74, 12.760188087774294, 1, 24, 6600.810810810811},
    };

    for (size_t i = 0; i < WS_COUNT_OF(files); i++) {
        char path[4096];
        outage_case c;

        if (ws_test_shared(files[i].path, path, sizeof path) == NULL) {
            cr_skip_test();
        }
        memset(&c, 0, sizeof c);
        trace_case_begin(&c.files, "outage-bamboo");
        outage_load_path(&c, path);
        cr_assert(c.is_loaded);
        cr_assert(eq(sz, c.files.diag.count, 0));
        cr_assert(eq(i64, c.outages.additions, files[i].added));
        cr_assert(eq(i64, c.outages.faults, files[i].removed));
        cr_assert(epsilon_eq(dbl, c.summary.nodes_mean, files[i].mean, 1e-12));
        cr_assert(eq(i64, c.summary.nodes_min, files[i].min));
        cr_assert(eq(i64, c.summary.nodes_max, files[i].max));
        cr_assert(epsilon_eq(dbl, c.summary.mtbf_s, files[i].mtbf_s, 1e-9));
        trace_case_end(&c.files);
    }
}
