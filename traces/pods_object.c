/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The fields of pods and events that matter here, by their paths. Lists add nothing to a path. */
#include <stddef.h>
#include <string.h>

#include "clock.h"
#include "pods_reading.h"
#include "ws/number.h"

#define OBJECT_COUNT_MAX INT64_C(1000000000) /* of repetitions and restarts; more is no count */

typedef enum { OBJECT_TEXT, OBJECT_TIME, OBJECT_COUNT } object_kind;

typedef struct {
    const char *path;
    object_kind kind;
    size_t offset;
} object_field;

#define AT(field) offsetof(ws_pods_object, field)
#define CONTAINER "status.containerStatuses."

/* What two versions of the API name differently stands in both. */
static const object_field object_fields[] = {
    {"kind", OBJECT_TEXT, AT(kind)},
    {"metadata.uid", OBJECT_TEXT, AT(uid)},
    {"metadata.namespace", OBJECT_TEXT, AT(space)},
    {"metadata.name", OBJECT_TEXT, AT(name)},
    {"metadata.creationTimestamp", OBJECT_TIME, AT(created_ns)},
    {"status.reason", OBJECT_TEXT, AT(pod_reason)},
    {"status.conditions.type", OBJECT_TEXT, AT(part.type)},
    {"status.conditions.status", OBJECT_TEXT, AT(part.status)},
    {"status.conditions.lastTransitionTime", OBJECT_TIME, AT(part.changed_ns)},
    {CONTAINER "restartCount", OBJECT_COUNT, AT(part.restarts)},
    {CONTAINER "state.running.startedAt", OBJECT_TIME, AT(part.running_ns)},
    {CONTAINER "state.terminated.startedAt", OBJECT_TIME, AT(part.terminated_ns)},
    {CONTAINER "lastState.terminated.startedAt", OBJECT_TIME, AT(part.before_ns)},
    {CONTAINER "state.waiting.reason", OBJECT_TEXT, AT(part.waiting)},
    {CONTAINER "state.terminated.reason", OBJECT_TEXT, AT(part.ended)},
    {CONTAINER "lastState.terminated.reason", OBJECT_TEXT, AT(part.ended_before)},
    {"reason", OBJECT_TEXT, AT(reason)},
    {"message", OBJECT_TEXT, AT(message)},
    {"note", OBJECT_TEXT, AT(message)},
    {"count", OBJECT_COUNT, AT(count)},
    {"deprecatedCount", OBJECT_COUNT, AT(count)},
    {"series.count", OBJECT_COUNT, AT(series_count)},
    {"firstTimestamp", OBJECT_TIME, AT(first_ns)},
    {"deprecatedFirstTimestamp", OBJECT_TIME, AT(first_ns)},
    {"eventTime", OBJECT_TIME, AT(event_ns)},
    {"involvedObject.kind", OBJECT_TEXT, AT(about_kind)},
    {"involvedObject.uid", OBJECT_TEXT, AT(about_uid)},
    {"involvedObject.namespace", OBJECT_TEXT, AT(about_space)},
    {"involvedObject.name", OBJECT_TEXT, AT(about_name)},
    {"regarding.kind", OBJECT_TEXT, AT(about_kind)},
    {"regarding.uid", OBJECT_TEXT, AT(about_uid)},
    {"regarding.namespace", OBJECT_TEXT, AT(about_space)},
    {"regarding.name", OBJECT_TEXT, AT(about_name)},
};

static void object_clear_part(ws_pods_part *part)
{
    part->type.length = 0;
    part->status.length = 0;
    part->changed_ns = WS_TRACE_UNKNOWN_NS;
    part->restarts = 0;
    part->running_ns = WS_TRACE_UNKNOWN_NS;
    part->terminated_ns = WS_TRACE_UNKNOWN_NS;
    part->before_ns = WS_TRACE_UNKNOWN_NS;
    part->waiting.length = 0;
    part->ended.length = 0;
    part->ended_before.length = 0;
}

void ws_pods_object_clear(ws_pods_object *object)
{
    WS_ASSERT(object != NULL);

    memset(object, 0, sizeof *object);
    object->created_ns = WS_TRACE_UNKNOWN_NS;
    object->scheduled_ns = WS_TRACE_UNKNOWN_NS;
    object->ready_ns = WS_TRACE_UNKNOWN_NS;
    object->started_ns = WS_TRACE_UNKNOWN_NS;
    object->first_ns = WS_TRACE_UNKNOWN_NS;
    object->event_ns = WS_TRACE_UNKNOWN_NS;
    object_clear_part(&object->part);
}

static void object_set_text(ws_pods_text *text, ws_text value)
{
    ws_text kept = ws_text_beginning(value, sizeof text->bytes);

    if (kept.length > 0) {
        memcpy(text->bytes, kept.start, kept.length);
    }
    text->length = kept.length;
}

static void object_set_time(int64_t *at_ns, ws_text value)
{
    int64_t read_ns = 0;
    int64_t offset_ns = 0;

    if (ws_clock_parse_zoned(value, &read_ns, &offset_ns) && read_ns >= 0) {
        *at_ns = read_ns;
    }
}

static void object_set_count(int64_t *count, ws_text value)
{
    int64_t read = 0;

    if (ws_parse_i64(value, &read) && read >= 0 && read <= OBJECT_COUNT_MAX) {
        *count = read;
    }
}

void ws_pods_object_set(ws_pods_object *object, ws_text path, ws_text value)
{
    WS_ASSERT(object != NULL);

    for (size_t i = 0; i < WS_COUNT_OF(object_fields); i++) {
        const object_field *field = &object_fields[i];
        void *at = (char *)object + field->offset;

        if (!ws_text_is(path, field->path)) {
            continue;
        }
        switch (field->kind) {
        case OBJECT_TEXT:
            object_set_text(at, value);
            return;
        case OBJECT_TIME:
            object_set_time(at, value);
            return;
        case OBJECT_COUNT:
            object_set_count(at, value);
            return;
        }
    }
}

/* A condition that holds: since when. One that does not hold tells when it ended. */
static void object_take_condition(ws_pods_object *object)
{
    const ws_pods_part *part = &object->part;
    ws_text type = {.start = part->type.bytes, .length = part->type.length};

    if (!ws_text_is((ws_text){.start = part->status.bytes, .length = part->status.length},
                    "True")) {
        return;
    }
    if (ws_text_is(type, "PodScheduled")) {
        object->scheduled_ns = part->changed_ns;
    } else if (ws_text_is(type, "Ready")) {
        object->ready_ns = part->changed_ns;
    }
}

static void object_add_end(ws_pods_object *object, const ws_pods_text *reason)
{
    if (reason->length > 0 && object->end_count < WS_COUNT_OF(object->ends)) {
        object->ends[object->end_count++] = *reason;
    }
}

/* When a container started first: of one that was restarted once, the start before; of one that was
 * restarted more often nobody knows. */
static void object_take_container(ws_pods_object *object)
{
    const ws_pods_part *part = &object->part;
    int64_t now_ns =
        part->running_ns != WS_TRACE_UNKNOWN_NS ? part->running_ns : part->terminated_ns;
    int64_t started_ns = part->restarts == 0   ? now_ns
                         : part->restarts == 1 ? part->before_ns
                                               : WS_TRACE_UNKNOWN_NS;

    object->restarts += part->restarts;
    object->has_lost_start =
        object->has_lost_start || (part->restarts > 0 && started_ns == WS_TRACE_UNKNOWN_NS);
    if (started_ns != WS_TRACE_UNKNOWN_NS && started_ns > object->started_ns) {
        object->started_ns = started_ns;
    }
    object_add_end(object, &part->waiting);
    object_add_end(object, &part->ended);
    object_add_end(object, &part->ended_before);
}

void ws_pods_object_end_map(ws_pods_object *object, ws_text path)
{
    WS_ASSERT(object != NULL);

    if (ws_text_is(path, "status.conditions")) {
        object_take_condition(object);
    } else if (ws_text_is(path, "status.containerStatuses")) {
        object_take_container(object);
    } else {
        return;
    }
    object_clear_part(&object->part);
}
