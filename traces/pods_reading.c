/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is told of one pod, put together by its uid. */
#include "pods_reading.h"

#include <assert.h>

#include "found.h"
#include "ws/quantity.h"

static const ws_trace_finding_row pods_rows[] = {
    [WS_PODS_NO_NAME] = {.name = "no_name",
                         .kind = WS_TRACE_REJECTED,
                         .severity = WS_SEVERITY_WARNING,
                         .code = 6430,
                         .text = "name no pod",
                         .text_one = "names no pod"},
    [WS_PODS_BAD_TIME] = {.name = "bad_time",
                          .kind = WS_TRACE_REJECTED,
                          .severity = WS_SEVERITY_WARNING,
                          .code = 6431,
                          .text = "have no usable time",
                          .text_one = "has no usable time"},
    [WS_PODS_OTHER] = {.name = "other",
                       .kind = WS_TRACE_LEFT_OUT,
                       .text = "are neither pods nor events of pods",
                       .text_one = "is neither a pod nor an event of a pod"},
    [WS_PODS_BACKWARDS] = {.name = "backwards",
                           .kind = WS_TRACE_NOTED,
                           .severity = WS_SEVERITY_WARNING,
                           .code = 6432,
                           .text = "end a phase before it began, as clocks of machines differ; "
                                   "those phases are left out",
                           .text_one = "ends a phase before it began, as clocks of machines "
                                       "differ; that phase is left out"},
    [WS_PODS_RESTARTED] = {.name = "restarted",
                           .kind = WS_TRACE_NOTED,
                           .severity = WS_SEVERITY_NOTE,
                           .code = 6433,
                           .text = "do not tell their first start, since they were restarted",
                           .text_one = "does not tell its first start, since it was restarted"},
};

static_assert(WS_COUNT_OF(pods_rows) == WS_PODS_FINDING_COUNT, "one row for each finding");

const ws_trace_finding_row *ws_trace_pods_finding_at(ws_trace_pods_finding finding)
{
    WS_ASSERT(finding < WS_PODS_FINDING_COUNT);

    return &pods_rows[finding];
}

void ws_pods_reading_note(ws_pods_reading *reading, ws_trace_pods_finding finding, int64_t line,
                          int64_t column)
{
    ws_trace_count *count = &reading->report->found[finding];

    if (ws_trace_count_add(count, line)) {
        count->first =
            ws_trace_line_span(reading->file->shown, WS_TEXT(""), line, 0, 0, reading->diag->arena);
        count->first.column = column > INT32_MAX ? INT32_MAX : (int32_t)column;
    }
}

static ws_text pods_text(const ws_pods_text *text)
{
    return (ws_text){.start = text->bytes, .length = text->length};
}

static bool pods_exhausted(const ws_pods_reading *reading)
{
    return ws_diag_error(reading->diag, 9020, reading->file->at,
                         "`%.*s` holds more pods than memory allows",
                         WS_TEXT_ARGS(reading->file->shown));
}

/* ---- reasons ---- */

static bool pods_count_reason(ws_pods_reading *reading, const ws_pods_text *reason, int64_t count)
{
    size_t reasons_before = reading->reasons.count;
    size_t index = 0;

    if (reason->length == 0) {
        return true;
    }
    if (!ws_trace_names_index(&reading->reasons, pods_text(reason), &index)) {
        return pods_exhausted(reading);
    }
    if (index >= reading->reason_capacity) {
        void *counts = ws_arena_grow(reading->scratch, reading->reason_counts, index, index + 1,
                                     &reading->reason_capacity, sizeof *reading->reason_counts);
        if (counts == NULL) {
            return pods_exhausted(reading);
        }
        reading->reason_counts = counts;
    }
    if (index == reasons_before) {
        reading->reason_counts[index] = 0;
    }
    reading->reason_counts[index] += count;
    return true;
}

/* ---- a pod ---- */

/* By its uid, else by its name. NULL when memory is exhausted. */
static ws_pod *pods_find(ws_pods_reading *reading, const ws_pods_text *uid,
                         const ws_pods_text *space, const ws_pods_text *name, bool *is_new)
{
    size_t count = reading->names.count;
    size_t index = 0;
    ws_text key = pods_text(uid);

    if (key.length == 0) {
        key = ws_arena_format(reading->scratch, "%.*s/%.*s", WS_TEXT_ARGS(pods_text(space)),
                              WS_TEXT_ARGS(pods_text(name)));
    }
    if (key.start == NULL || count >= WS_TRACE_PODS_MAX ||
        !ws_trace_names_index(&reading->names, key, &index)) {
        return NULL;
    }
    *is_new = index == count;
    if (index >= reading->capacity) {
        void *pods = ws_arena_grow(reading->scratch, reading->pods, count, count + 1,
                                   &reading->capacity, sizeof *reading->pods);
        if (pods == NULL) {
            return NULL;
        }
        reading->pods = pods;
    }
    if (*is_new) {
        reading->pods[index] = (ws_pod){.created_ns = WS_TRACE_UNKNOWN_NS,
                                        .scheduled_ns = WS_TRACE_UNKNOWN_NS,
                                        .pulling_ns = WS_TRACE_UNKNOWN_NS,
                                        .pulled_ns = WS_TRACE_UNKNOWN_NS,
                                        .started_ns = WS_TRACE_UNKNOWN_NS,
                                        .ready_ns = WS_TRACE_UNKNOWN_NS,
                                        .pull_ns = WS_TRACE_UNKNOWN_NS};
    }
    return &reading->pods[index];
}

/* The first time that is told stays: later ones are of restarts. */
static void pods_set(int64_t *at_ns, int64_t told_ns)
{
    if (told_ns != WS_TRACE_UNKNOWN_NS && (*at_ns == WS_TRACE_UNKNOWN_NS || told_ns < *at_ns)) {
        *at_ns = told_ns;
    }
}

static void pods_merge(ws_pod *pod, const ws_pods_object *object)
{
    pods_set(&pod->created_ns, object->created_ns);
    pods_set(&pod->scheduled_ns, object->scheduled_ns);
    pods_set(&pod->ready_ns, object->ready_ns);
    pods_set(&pod->started_ns, object->started_ns);
    pod->has_lost_start = pod->has_lost_start || object->has_lost_start;
    if (object->restarts > pod->restarts) {
        pod->restarts = object->restarts > INT32_MAX ? INT32_MAX : (int32_t)object->restarts;
    }
}

/* Why the pod and its containers ended, or wait. */
static bool pods_count_ends(ws_pods_reading *reading, const ws_pods_object *object)
{
    bool is_counted = pods_count_reason(reading, &object->pod_reason, 1);

    for (size_t i = 0; i < object->end_count && is_counted; i++) {
        is_counted = pods_count_reason(reading, &object->ends[i], 1);
    }
    return is_counted;
}

static bool pods_take_pod(ws_pods_reading *reading, const ws_pods_object *object, int64_t line,
                          int64_t column)
{
    bool is_new = false;

    if (object->uid.length + object->name.length == 0) {
        ws_pods_reading_note(reading, WS_PODS_NO_NAME, line, column);
        return true;
    }
    if (object->created_ns == WS_TRACE_UNKNOWN_NS) {
        ws_pods_reading_note(reading, WS_PODS_BAD_TIME, line, column);
        return true;
    }
    ws_pod *pod = pods_find(reading, &object->uid, &object->space, &object->name, &is_new);

    if (pod == NULL) {
        return pods_exhausted(reading);
    }
    /* a watch tells of a pod again and again */
    bool is_told = pod->created_ns != WS_TRACE_UNKNOWN_NS && object->restarts <= pod->restarts;

    if (object->has_lost_start && !pod->has_lost_start) {
        ws_pods_reading_note(reading, WS_PODS_RESTARTED, line, column);
    }
    pods_merge(pod, object);
    reading->report->objects_kept++;
    return is_told || pods_count_ends(reading, object);
}

/* ---- an event ---- */

/* `2m3.417s` behind the last ` in ` of a message, as Go prints it; unknown when it is none. */
static int64_t pods_pull_ns(ws_pods_reading *reading, ws_text message)
{
    const ws_text in = WS_TEXT(" in ");
    ws_quantity span = {.integer = WS_TRACE_UNKNOWN_NS};
    ws_quantity_fault fault;
    size_t from = message.length;

    for (size_t i = 0; i < message.length; i++) {
        if (ws_text_starts_with(ws_text_slice(message, i, message.length), in)) {
            from = i + in.length;
        }
    }
    ws_text word = ws_text_slice(message, from, message.length);

    word = ws_text_slice(word, 0, ws_text_find_byte(word, ' '));
    return ws_quantity_parse(word, WS_QUANTITY_DURATION, WS_TEXT("pull"), &span, &fault,
                             reading->scratch)
               ? span.integer
               : WS_TRACE_UNKNOWN_NS;
}

static void pods_take_pulled(ws_pods_reading *reading, ws_pod *pod, const ws_pods_object *object,
                             int64_t at_ns)
{
    ws_text message = pods_text(&object->message);
    int64_t pull_ns = WS_TRACE_UNKNOWN_NS;

    if (ws_text_starts_with(message, WS_TEXT("Container image ")) &&
        ws_text_ends_with(message, WS_TEXT("already present on machine"))) {
        pod->is_cached = true;
        return;
    }
    pull_ns = pods_pull_ns(reading, message);
    pods_set(&pod->pulled_ns, at_ns);
    if (pod->pull_ns == WS_TRACE_UNKNOWN_NS) {
        pod->pull_ns = pull_ns;
    }
}

static void pods_take_reason(ws_pods_reading *reading, ws_pod *pod, const ws_pods_object *object,
                             int64_t at_ns)
{
    ws_text reason = pods_text(&object->reason);

    if (ws_text_is(reason, "Scheduled")) {
        pods_set(&pod->scheduled_ns, at_ns);
    } else if (ws_text_is(reason, "Pulling")) {
        pods_set(&pod->pulling_ns, at_ns);
    } else if (ws_text_is(reason, "Pulled")) {
        pods_take_pulled(reading, pod, object, at_ns);
    } else if (ws_text_is(reason, "Started")) {
        pods_set(&pod->started_ns, at_ns);
    }
}

/* How often it came: the count of the old API, the series of the new one, else once. */
static int64_t pods_event_count(const ws_pods_object *object)
{
    int64_t count = object->count > object->series_count ? object->count : object->series_count;

    return count > 0 ? count : 1;
}

static bool pods_take_event(ws_pods_reading *reading, const ws_pods_object *object, int64_t line,
                            int64_t column)
{
    int64_t at_ns = object->first_ns != WS_TRACE_UNKNOWN_NS   ? object->first_ns
                    : object->event_ns != WS_TRACE_UNKNOWN_NS ? object->event_ns
                                                              : object->created_ns;
    bool is_new = false;

    if (!ws_text_is(pods_text(&object->about_kind), "Pod")) {
        ws_pods_reading_note(reading, WS_PODS_OTHER, line, column);
        return true;
    }
    if (object->about_uid.length + object->about_name.length == 0) {
        ws_pods_reading_note(reading, WS_PODS_NO_NAME, line, column);
        return true;
    }
    if (at_ns == WS_TRACE_UNKNOWN_NS) {
        ws_pods_reading_note(reading, WS_PODS_BAD_TIME, line, column);
        return true;
    }
    ws_pod *pod =
        pods_find(reading, &object->about_uid, &object->about_space, &object->about_name, &is_new);

    if (pod == NULL) {
        return pods_exhausted(reading);
    }
    pods_take_reason(reading, pod, object, at_ns);
    if (ws_text_is(pods_text(&object->reason), "FailedScheduling")) {
        reading->failed_scheduling += pods_event_count(object);
    }
    reading->report->objects_kept++;
    return pods_count_reason(reading, &object->reason, pods_event_count(object));
}

bool ws_pods_reading_take(ws_pods_reading *reading, const ws_pods_object *object, int64_t line,
                          int64_t column)
{
    WS_ASSERT(reading != NULL);
    WS_ASSERT(object != NULL);

    reading->report->objects_read++;
    if (ws_text_is(pods_text(&object->kind), "Pod")) {
        return pods_take_pod(reading, object, line, column);
    }
    if (ws_text_is(pods_text(&object->kind), "Event")) {
        return pods_take_event(reading, object, line, column);
    }
    ws_pods_reading_note(reading, WS_PODS_OTHER, line, column);
    return true;
}
