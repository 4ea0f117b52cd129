/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pods and events of Kubernetes, by hand and against a few lines of Python over the same files. */
#include <math.h>

#include "trace_case.h"
#include "ws/trace_format.h"

typedef struct {
    trace_case files;
    ws_trace_pods_summary summary;
    ws_trace_pods_report report;
    ws_trace_pods_options options;
    bool is_read;
} pods_case;

static void pods_read_path(pods_case *c, const char *path)
{
    ws_file_name file = {.path = path, .shown = WS_TEXT("t.json")};

    c->is_read = ws_trace_pods_summarise(&c->summary, &file, &c->options, &c->report,
                                         &c->files.arena, &c->files.diag);
}

static void pods_read_bytes(pods_case *c, const char *bytes, size_t length)
{
    memset(c, 0, sizeof *c);
    trace_case_begin(&c->files, "pods");
    FILE *file = fopen(c->files.path, "wb");

    cr_assert(file != NULL);
    cr_assert(fwrite(bytes, 1, length, file) == length);
    cr_assert(fclose(file) == 0);
    pods_read_path(c, c->files.path);
}

static void pods_read(pods_case *c, const char *text)
{
    pods_read_bytes(c, text, strlen(text));
}

static bool pods_read_shared(pods_case *c, const char *relative)
{
    char path[4096];

    if (ws_test_shared(relative, path, sizeof path) == NULL) {
        return false;
    }
    memset(c, 0, sizeof *c);
    trace_case_begin(&c->files, "pods-shared");
    ws_file_name file = {.path = path, .shown = WS_TEXT("t.json")};
    ws_trace_format format;

    cr_assert(ws_trace_format_sniff(&format, &file, &c->files.diag));
    cr_assert(format.is_pods);
    pods_read_path(c, path);
    cr_assert(c->is_read);
    return true;
}

static int64_t pods_found(const pods_case *c, ws_trace_pods_finding finding)
{
    return c->report.found[finding].count;
}

static int64_t pods_reason(const pods_case *c, const char *name)
{
    for (size_t i = 0; i < c->summary.reason_count; i++) {
        if (ws_text_is(c->summary.reasons[i].name, name)) {
            return c->summary.reasons[i].count;
        }
    }
    return 0;
}

#define AT(time) "\"2025-03-04T09:" time "Z\""
#define META(uid, time)                                                                            \
    "\"metadata\":{\"uid\":\"" uid "\",\"name\":\"p-" uid "\",\"creationTimestamp\":" AT(time) "}"
#define CONDITION(type, status, time)                                                              \
    "{\"type\":\"" type "\",\"status\":\"" status "\",\"lastTransitionTime\":" AT(time) "}"
#define EVENT(reason, times, more)                                                                 \
    "{\"kind\":\"Event\",\"reason\":\"" reason "\"," times                                         \
    ",\"involvedObject\":{\"kind\":\"Pod\",\"uid\":\"a\"}" more "}"

/* Created at 0 s, scheduled at 10, pulled in 2 min 3.417 s, started at 140, ready at 200; its
 * second container started first. The condition that does not hold tells nothing. */
Test(pods, one_pod_by_hand)
{
    pods_case c;

    pods_read(
        &c, "\xEF\xBB\xBF{\"apiVersion\":\"v1\",\"kind\":\"List\",\"items\":[\r\n{\"kind\":"
            "\"Pod\"," META(
                "a",
                "00:00") ",\"spec\":{\"x\":[[1,{\"kind\":\"y\"}]]},\"status\":{"
                         "\"conditions\":[" CONDITION("PodScheduled", "True", "00:10") "," CONDITION("Ready", "True", "03:20") "," CONDITION("PodReadyToStartContainers", "False", "09:59") "],\"containerStatuses\":[{\"restartCount\":0,\"state\":{\"running\":{\"startedAt\":" AT(
                             "02:20") "}},\"lastState\":{}},{\"restartCount\":0,"
                                      "\"state\":{\"running\":{"
                                      "\"startedAt\":" AT("02:15") "}}}]}},\r\n" EVENT(
                                          "FailedScheduling",
                                          "\"count\":null,\"firstTimestamp\":null,"
                                          "\"eventTime\":" AT(
                                              "00:01.123456") ",\"series\":{\"count\":"
                                                              "4}",
                                          "") ",\n" EVENT("Pulling",
                                                          "\"count\":1,\"eventTime\":"
                                                          "null,"
                                                          "\"firstTimestamp\":" AT("00:12"),
                                                          "") ",\n" EVENT("Pulled",
                                                                          "\"firstTime"
                                                                          "stamp\""
                                                                          ":" AT("02:16"),
                                                                          ",\"message"
                                                                          "\":"
                                                                          "\"Successfu"
                                                                          "lly pulled "
                                                                          "image "
                                                                          "\\\"x in "
                                                                          "y\\\" in "
                                                                          "2m3.417s "
                                                                          "(2m5s "
                                                                          "including "
                                                                          "waiting)\"") ",\n" EVENT("BackOff",
                                                                                                    "\"count\":7,\"firstTimestamp\":" AT(
                                                                                                        "05:00"),
                                                                                                    "") ",\n{\"kind\":\"Node\"},{\"kind\":\"Event\",\"reason\":\"NodeNotReady\",\"involvedObject\":"
                                                                                                        "{\"kind\":\"Node\",\"name\":\"n\"}}]}");
    cr_assert(c.is_read);
    cr_assert(eq(i64, c.report.objects_read, 7));
    cr_assert(eq(i64, c.report.objects_kept, 5));
    cr_assert(eq(i64, pods_found(&c, WS_PODS_OTHER), 2));
    cr_assert(eq(i64, c.summary.pods, 1));
    cr_assert(eq(dbl, c.summary.phases[WS_POD_WAIT].p50, 10));
    cr_assert(eq(dbl, c.summary.phases[WS_POD_PULL].p50, 123.417));
    cr_assert(eq(dbl, c.summary.phases[WS_POD_START].p50, 130));
    cr_assert(eq(dbl, c.summary.phases[WS_POD_READY].p50, 60));
    cr_assert(eq(dbl, c.summary.phases[WS_POD_TOTAL].p50, 200));
    cr_assert(eq(i64, c.summary.failed_scheduling, 4));
    cr_assert(eq(sz, c.summary.reason_count, 4));
    cr_assert(ws_text_is(c.summary.reasons[0].name, "BackOff"));
    cr_assert(eq(i64, c.summary.reasons[0].count, 7));
    cr_assert(eq(sz, c.files.diag.count, 0));
    trace_case_end(&c.files);
}

/* Objects one after the other, as a watch prints them: the pod is told of three times. The API's
 * newer events, and a list of the API whose items do not name their kind. */
Test(pods, watches_and_other_versions)
{
    pods_case c;

    pods_read(
        &c,
        "{\"type\":\"ADDED\",\"object\":{\"kind\":\"Pod\",\"apiVersion\":\"v1\"," META("a", "00:00") "}}\n{\"type\":\"MODIFIED\",\"object\":{\"kind\":\"Pod\"," META("a", "00:00") ",\"status\":{\"conditions\":[" CONDITION(
            "PodScheduled", "True",
            "00:30") "]}}}\n{\"kind\":\"Pod\"," META("a",
                                                     "00:00") ",\"status\":{"
                                                              "\"reason\":\"Evicted\","
                                                              "\"containerStatuses\":[{"
                                                              "\"restartCount\":1,"
                                                              "\"lastState\":{\"terminated\":{"
                                                              "\"reason\":\"OOMKilled\","
                                                              "\"startedAt\":" AT(
                                                                  "01:00") "}},\"state\":{"
                                                                           "\"waiting\":{"
                                                                           "\"reason\":"
                                                                           "\"CrashLoopBackOff\"}}}"
                                                                           "]}}"
                                                                           "{\"kind\":\"Event\","
                                                                           "\"apiVersion\":"
                                                                           "\"events.k8s.io/"
                                                                           "v1\",\"eventTime\":"
                                                                           "null,"
                                                                           "\"deprecatedFirstTimest"
                                                                           "amp\":" AT(
                                                                               "00:40") ",\"depreca"
                                                                                        "tedCount\""
                                                                                        ":3,"
                                                                                        "\"reason\""
                                                                                        ":"
                                                                                        "\"Unhealth"
                                                                                        "y\","
                                                                                        "\"note\":"
                                                                                        "\"x\","
                                                                                        "\"regardin"
                                                                                        "g\":{"
                                                                                        "\"kind\":"
                                                                                        "\"Pod\","
                                                                                        "\"uid\":"
                                                                                        "\"a\"}}\n"
                                                                                        "{\"kind\":"
                                                                                        "\"PodList"
                                                                                        "\","
                                                                                        "\"items\":"
                                                                                        "[{" META("b", "00:05") "},{" META(
                                                                                            "b",
                                                                                            "00:05") "}]}\n{\"kind\":\"List\",\"items\":null}");
    cr_assert(c.is_read);
    cr_assert(eq(i64, c.report.objects_kept, 6));
    cr_assert(eq(i64, c.summary.pods, 2));
    cr_assert(eq(i64, c.summary.restarts, 1));
    cr_assert(eq(dbl, c.summary.phases[WS_POD_WAIT].max, 30));
    cr_assert(eq(dbl, c.summary.phases[WS_POD_START].max, 30));
    cr_assert(eq(i64, c.summary.phases[WS_POD_READY].n, 0));
    cr_assert(eq(i64, pods_reason(&c, "Unhealthy"), 3));
    cr_assert(eq(i64, pods_reason(&c, "OOMKilled"), 1));
    cr_assert(eq(i64, pods_reason(&c, "Evicted"), 1));
    cr_assert(eq(i64, pods_reason(&c, "CrashLoopBackOff"), 1));
    trace_case_end(&c.files);
}

Test(pods, objects_that_cannot_be_used)
{
    pods_case c;

    pods_read(
        &c, "{\"kind\":\"Pod\",\"metadata\":{\"name\":\"a\"}}\n"
            "{\"kind\":\"Pod\",\"metadata\":{\"creationTimestamp\":" AT(
                "00:00") "}}\n"
                         "{\"kind\":\"Event\",\"involvedObject\":{\"kind\":\"Pod\"}}\n"
                         "{\"kind\":\"Event\",\"involvedObject\":{\"kind\":\"Pod\",\"name\":\"a\"},"
                         "\"firstTimestamp\":\"yesterday\"}\n"
                         "{\"kind\":\"Pod\"," META(
                             "c", "05:00") ",\"status\":{\"conditions\":"
                                           "[" CONDITION("PodScheduled", "True",
                                                         "04:58") "],\"containerStatuses\":"
                                                                  "[{"
                                                                  "\"restartCount\":9}]}}"
                                                                  "\n");
    cr_assert(c.is_read);
    cr_assert_str_eq(trace_case_message(&c.files, 6430), "2 of 5 objects name no pod");
    cr_assert_str_eq(trace_case_message(&c.files, 6431), "2 of 5 objects have no usable time");
    cr_assert_str_eq(trace_case_message(&c.files, 6433),
                     "1 of 5 objects does not tell its first start, since it was restarted");
    cr_assert(eq(i64, pods_found(&c, WS_PODS_BACKWARDS), 1));
    cr_assert(eq(int, trace_case_line(&c.files, 6430), 2));
    cr_assert(eq(int, trace_case_line(&c.files, 6431), 1));
    cr_assert(eq(i64, c.summary.phases[WS_POD_WAIT].n, 0));
    cr_assert(eq(i64, c.summary.restarts, 9));
    c.options.strict = true;
    c.report = (ws_trace_pods_report){.objects_read = 0};
    pods_read_path(&c, c.files.path);
    cr_assert(not(c.is_read));
    trace_case_end(&c.files);
}

Test(pods, files_that_are_none)
{
    static const struct {
        const char *text;
        int code;
    } files[] = {{"", 6100},
                 {"apiVersion: v1\nkind: List\n", 6434},
                 {"- apiVersion: v1\n", 6434},
                 {"[1]", 1607},
                 {"{\"kind\":\"List\",\"items\":[1]}", 1607},
                 {"{\"kind\":\"List\",\"items\":{}}", 1607},
                 {"{\"kind\":\"List\",\"items\":[{\"kind\":\"Pod\"", 1602},
                 {"{\"kind\":\"Pod\"} x}", 1601},
                 {"{\"kind\":\"Pod\",\"kind\":\"Pod\"}", 1605},
                 {"{\"kind\":\"Pod\",\"a\":NaN}", 1601}};
    pods_case c;

    for (size_t i = 0; i < WS_COUNT_OF(files); i++) {
        pods_read(&c, files[i].text);
        cr_assert(not(c.is_read), "%s", files[i].text);
        cr_assert(trace_case_find(&c.files, files[i].code) != NULL, "%s", files[i].text);
        trace_case_end(&c.files);
    }
    pods_read_bytes(&c, "{\"kind\":\0\"Pod\"}", 15);
    cr_assert(not(c.is_read));
    cr_assert_str_eq(trace_case_message(&c.files, 1601), "a NUL byte: this is no text file");
    trace_case_end(&c.files);
    pods_read(&c, "{\"kind\":\"List\",\"items\":[]}");
    cr_assert(c.is_read);
    cr_assert_str_eq(trace_case_message(&c.files, 6435),
                     "`t.json` holds neither pods nor events of pods");
    trace_case_end(&c.files);
    pods_read(&c, "apiVersion: v1\n");
    cr_assert_str_eq(trace_case_message(&c.files, 6434), "`t.json` is YAML, not JSON");
    trace_case_end(&c.files);
}

/*
 * Python over the objects, with the conditions that hold and the first start of each container: 16
 * waits of 405 s together, 3 in the median; starts 1269, 75.5; 14 pods became ready: 701 s after
 * their start, 2027 after they were created, 126.5 in the median. 4 restarts, all OOMKilled; 2
 * Completed.
 */
Test(pods, pods_agree_with_python)
{
    pods_case c;

    if (!pods_read_shared(&c, "data/k8s/pods.gpu_pods.synthetic.json")) {
        cr_skip_test();
    }
    cr_assert(eq(i64, c.summary.pods, 16));
    cr_assert(eq(i64, c.summary.restarts, 4));
    cr_assert(eq(dbl, c.summary.phases[WS_POD_WAIT].mean, 405.0 / 16));
    cr_assert(eq(dbl, c.summary.phases[WS_POD_WAIT].p50, 3));
    cr_assert(eq(dbl, c.summary.phases[WS_POD_START].mean, 1269.0 / 16));
    cr_assert(eq(dbl, c.summary.phases[WS_POD_START].p50, 75.5));
    cr_assert(eq(i64, c.summary.phases[WS_POD_READY].n, 14));
    cr_assert(eq(dbl, c.summary.phases[WS_POD_READY].mean, 701.0 / 14));
    cr_assert(eq(dbl, c.summary.phases[WS_POD_TOTAL].mean, 2027.0 / 14));
    cr_assert(eq(dbl, c.summary.phases[WS_POD_TOTAL].p50, 126.5));
    cr_assert(eq(dbl, c.summary.phases[WS_POD_TOTAL].max, 425));
    cr_assert(eq(i64, pods_reason(&c, "OOMKilled"), 4));
    cr_assert(eq(i64, pods_reason(&c, "Completed"), 2));
    trace_case_end(&c.files);
}

/* Python: Counter(reason) of 82 events; Started - Scheduled of each pod, 75.0577 s in the median
 * and within a second of what the pods tell; nine pulls of 1205.753 s, 149.417 in the median. */
Test(pods, events_agree_with_python_and_with_pods)
{
    pods_case c;

    if (!pods_read_shared(&c, "data/k8s/events.gpu_pods.synthetic.json")) {
        cr_skip_test();
    }
    cr_assert(eq(i64, c.report.objects_kept, 82));
    cr_assert(eq(i64, c.summary.pods, 16));
    cr_assert(eq(i64, c.summary.failed_scheduling, 9));
    cr_assert(eq(i64, c.summary.cached, 7));
    cr_assert(eq(i64, c.summary.phases[WS_POD_WAIT].n, 0));
    cr_assert(epsilon_eq(dbl, c.summary.phases[WS_POD_START].p50, 75.05768060684204, 1e-6));
    cr_assert(epsilon_eq(dbl, c.summary.phases[WS_POD_START].mean, 1261.3748033046722 / 16, 1e-6));
    cr_assert(eq(i64, c.summary.phases[WS_POD_PULL].n, 9));
    cr_assert(epsilon_eq(dbl, c.summary.phases[WS_POD_PULL].mean, 1205.753 / 9, 1e-9));
    cr_assert(eq(dbl, c.summary.phases[WS_POD_PULL].p50, 149.417));
    cr_assert(eq(i64, pods_reason(&c, "Scheduled"), 16));
    cr_assert(eq(i64, pods_reason(&c, "Pulling"), 9));
    trace_case_end(&c.files);
}
