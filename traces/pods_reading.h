/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Pods as they are put together, and the objects that tell of them. */
#ifndef WS_TRACES_PODS_READING_H
#define WS_TRACES_PODS_READING_H

#include "names.h"
#include "ws/trace_pods.h"

#define WS_PODS_TEXT_BYTES 256

/** A text of an object; of a longer one its beginning. */
typedef struct {
    char bytes[WS_PODS_TEXT_BYTES];
    size_t length;
} ws_pods_text;

/** A container's state, or a condition, while its fields are read. */
typedef struct {
    ws_pods_text type;   /* of a condition */
    ws_pods_text status; /* of a condition: True */
    int64_t changed_ns;  /* of a condition */
    int64_t restarts;
    int64_t running_ns;    /* since when it runs; these three WS_TRACE_UNKNOWN_NS if not told */
    int64_t terminated_ns; /* when it started, if it has ended */
    int64_t before_ns;     /* when it started before it was restarted */
    ws_pods_text waiting;  /* reasons */
    ws_pods_text ended;
    ws_pods_text ended_before;
} ws_pods_part;

/** One object, a pod or an event: what is told of it. */
typedef struct {
    ws_pods_text kind;
    ws_pods_text uid;
    ws_pods_text space;
    ws_pods_text name;
    int64_t created_ns;
    /* of a pod */
    ws_pods_text pod_reason;
    ws_pods_part part;
    int64_t scheduled_ns;
    int64_t ready_ns;
    int64_t started_ns; /* of the container that started last */
    int64_t restarts;
    bool has_lost_start;  /* a container was restarted more than once */
    ws_pods_text ends[8]; /* reasons of containers */
    size_t end_count;
    /* of an event */
    ws_pods_text reason;
    ws_pods_text message;
    int64_t count;
    int64_t series_count;
    int64_t first_ns;
    int64_t event_ns;
    ws_pods_text about_kind;
    ws_pods_text about_uid;
    ws_pods_text about_space;
    ws_pods_text about_name;
} ws_pods_object;

/** An object that tells nothing yet. */
void ws_pods_object_clear(ws_pods_object *object);

/** A value at a path within an object, `status.conditions.type`; a text or a number. */
void ws_pods_object_set(ws_pods_object *object, ws_text path, ws_text value);

/** The end of a map at a path: a condition, the state of a container. */
void ws_pods_object_end_map(ws_pods_object *object, ws_text path);

/** What is kept of a pod. Times are WS_TRACE_UNKNOWN_NS until they are told. */
typedef struct {
    int64_t created_ns;
    int64_t scheduled_ns;
    int64_t pulling_ns;
    int64_t pulled_ns;
    int64_t started_ns;
    int64_t ready_ns;
    int64_t pull_ns; /* that the event tells */
    int32_t restarts;
    bool is_cached;
    bool has_lost_start;
} ws_pod;

typedef struct {
    const ws_file_name *file;
    const ws_trace_pods_options *options;
    ws_trace_pods_report *report;
    ws_arena *arena; /* of the summary */
    ws_arena *scratch;
    ws_diag *diag;
    ws_trace_names names; /* of pods */
    ws_pod *pods;         /* by the number of the name */
    size_t capacity;
    ws_trace_names reasons;
    int64_t *reason_counts;
    size_t reason_capacity;
    int64_t failed_scheduling;
} ws_pods_reading;

/** Takes an object. False when memory is exhausted (told). */
WS_NODISCARD bool ws_pods_reading_take(ws_pods_reading *reading, const ws_pods_object *object,
                                       int64_t line, int64_t column);

/** Reads every object of a file. */
WS_NODISCARD bool ws_pods_read(ws_pods_reading *reading);

/** Counts a finding at a place of the file. */
void ws_pods_reading_note(ws_pods_reading *reading, ws_trace_pods_finding finding, int64_t line,
                          int64_t column);

#endif
