/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * kubectl's JSON: a list of objects, an object alone, or objects one after the other, each perhaps
 * within what a watch tells ({"type": "ADDED", "object": {...}}). A list of the API itself names
 * the kind of its items once: `PodList`.
 */
#include <string.h>

#include "json_reader.h"
#include "pods_reading.h"
#include "reading.h"

#define READ_PATH_BYTES 256

const char ws_trace_pods_format_name[] = "kubernetes";
const char ws_trace_pods_format_summary[] =
    "pods and events of Kubernetes: kubectl get pods,events -o json";

typedef struct {
    ws_json_reader json;
    ws_pods_reading *reading;
    ws_pods_object whole; /* the value of the file, which may be a list */
    ws_pods_object item;
    bool has_items;
    char path[READ_PATH_BYTES];
    size_t before[WS_JSON_READER_DEPTH_MAX + 1]; /* length of the path outside of a map's keys */
    size_t here[WS_JSON_READER_DEPTH_MAX + 1];   /* the key that is at hand included */
} pods_reader;

static bool read_is_yaml(ws_text head)
{
    return ws_text_starts_with(head, WS_TEXT("apiVersion: ")) ||
           ws_text_starts_with(head, WS_TEXT("- apiVersion: ")) ||
           ws_text_starts_with(head, WS_TEXT("kind: "));
}

bool ws_trace_pods_sniff_head(ws_text head)
{
    ws_text trimmed = ws_text_trimmed(head);

    if (trimmed.length == 0 || trimmed.start[0] != '{') {
        return read_is_yaml(trimmed);
    }
    return ws_trace_head_holds(trimmed, "\"apiVersion\"") &&
           (ws_trace_head_holds(trimmed, "\"items\"") ||
            ws_trace_head_holds(trimmed, "\"metadata\""));
}

/* ---- one object ---- */

static ws_text read_path(const pods_reader *reader, int32_t depth)
{
    return (ws_text){.start = reader->path, .length = reader->here[depth]};
}

/* A key goes behind the path of its map. One that is too long makes a path that nobody asks for. */
static void read_set_key(pods_reader *reader, ws_text key)
{
    int32_t depth = reader->json.depth;
    size_t length = reader->before[depth];
    size_t dot = length > 0 ? 1 : 0;

    if (length + dot + key.length > sizeof reader->path) {
        reader->here[depth] = length;
        return;
    }
    if (dot == 1) {
        reader->path[length] = '.';
    }
    memcpy(reader->path + length + dot, key.start, key.length);
    reader->here[depth] = length + dot + key.length;
}

/* The current event within an object whose brace is at depth `base`. */
static void read_take(pods_reader *reader, ws_pods_object *object)
{
    ws_json_reader *json = &reader->json;

    switch (json->event) {
    case WS_JSON_KEY:
        read_set_key(reader, json->text);
        return;
    case WS_JSON_OBJECT:
    case WS_JSON_LIST:
        reader->before[json->depth] = reader->here[json->depth - 1];
        reader->here[json->depth] = reader->here[json->depth - 1];
        return;
    case WS_JSON_OBJECT_END:
        ws_pods_object_end_map(object, read_path(reader, json->depth));
        return;
    case WS_JSON_STRING:
    case WS_JSON_NUMBER:
        ws_pods_object_set(object, read_path(reader, json->depth), json->text);
        return;
    case WS_JSON_LIST_END:
    case WS_JSON_TRUE:
    case WS_JSON_FALSE:
    case WS_JSON_NULL:
    case WS_JSON_END:
        return;
    }
}

static bool read_items(pods_reader *reader);
static bool read_inner(pods_reader *reader);

/* What a list or a watch holds is read as objects of its own; the current event is a key. */
static bool read_is_wrapper(const pods_reader *reader, const ws_pods_object *object, int32_t base)
{
    ws_text key = reader->json.text;

    return object == &reader->whole && reader->json.depth == base &&
           (ws_text_is(key, "items") || ws_text_is(key, "object"));
}

/* The current event, and what it begins if that is read apart. */
static bool read_within(pods_reader *reader, ws_pods_object *object, int32_t base)
{
    if (reader->json.event != WS_JSON_KEY || !read_is_wrapper(reader, object, base)) {
        read_take(reader, object);
        return true;
    }
    return ws_text_is(reader->json.text, "items") ? read_items(reader) : read_inner(reader);
}

/* An object, whose brace is the current event. */
static bool read_object(pods_reader *reader, ws_pods_object *object)
{
    ws_json_reader *json = &reader->json;
    int32_t base = json->depth;

    ws_pods_object_clear(object);
    reader->before[base] = 0;
    reader->here[base] = 0;
    while (ws_json_reader_next(json)) {
        if (json->event == WS_JSON_OBJECT_END && json->depth < base) {
            return true;
        }
        if (!read_within(reader, object, base)) {
            return false;
        }
    }
    return false;
}

/* An object within another one; the current event is its brace. */
static bool read_item(pods_reader *reader)
{
    ws_json_reader *json = &reader->json;
    int64_t line = json->place.line;
    int64_t column = json->place.column;
    ws_text list_kind = {.start = reader->whole.kind.bytes, .length = reader->whole.kind.length};

    if (json->event != WS_JSON_OBJECT) {
        return ws_json_reader_refuse(json, "an object: `{`");
    }
    if (!read_object(reader, &reader->item)) {
        return false;
    }
    if (reader->item.kind.length == 0 && ws_text_ends_with(list_kind, WS_TEXT("List"))) {
        reader->item.kind = reader->whole.kind;
        reader->item.kind.length -= 4;
    }
    return ws_pods_reading_take(reader->reading, &reader->item, line, column);
}

static bool read_items(pods_reader *reader)
{
    ws_json_reader *json = &reader->json;

    reader->has_items = true;
    if (!ws_json_reader_next(json)) {
        return false;
    }
    if (json->event == WS_JSON_NULL) {
        return true;
    }
    if (json->event != WS_JSON_LIST) {
        return ws_json_reader_refuse(json, "a list of objects: `[`");
    }
    while (ws_json_reader_next(json) && json->event != WS_JSON_LIST_END) {
        if (!read_item(reader)) {
            return false;
        }
    }
    return !json->failed;
}

static bool read_inner(pods_reader *reader)
{
    reader->has_items = true;
    return ws_json_reader_next(&reader->json) && read_item(reader);
}

/* ---- all of them ---- */

/* One value of the file. */
static bool read_whole(pods_reader *reader)
{
    ws_json_reader *json = &reader->json;
    int64_t line = json->place.line;
    int64_t column = json->place.column;

    if (json->event != WS_JSON_OBJECT) {
        return ws_json_reader_refuse(json, "pods or events: `{`");
    }
    reader->has_items = false;
    return read_object(reader, &reader->whole) &&
           (reader->has_items ||
            ws_pods_reading_take(reader->reading, &reader->whole, line, column));
}

static bool read_refuse_yaml(const ws_pods_reading *reading)
{
    ws_diagnostic diagnostic = {.severity = WS_SEVERITY_ERROR,
                                .code = 6434,
                                .at = reading->file->at,
                                .help = WS_TEXT("kubectl get pods,events -o json")};

    diagnostic.message = ws_arena_format(reading->diag->arena, "`%.*s` is YAML, not JSON",
                                         WS_TEXT_ARGS(reading->file->shown));
    ws_diag_add(reading->diag, &diagnostic);
    return false;
}

bool ws_pods_read(ws_pods_reading *reading)
{
    pods_reader *reader = ws_arena_alloc(reading->scratch, pods_reader, 1);
    ws_text head = {.start = NULL};
    bool is_read = true;

    if (reader == NULL) {
        return ws_diag_error(reading->diag, 9020, ws_span_none, "not enough memory to read");
    }
    if (!ws_trace_read_head(&head, reading->file, reading->diag)) {
        return false;
    }
    if (read_is_yaml(ws_text_trimmed(head))) {
        return read_refuse_yaml(reading);
    }
    reader->reading = reading;
    if (!ws_json_reader_open(&reader->json, reading->file, &reading->options->limits,
                             reading->scratch, reading->diag)) {
        return false;
    }
    reader->json.is_sequence = true;
    while (is_read && ws_json_reader_next(&reader->json)) {
        is_read = read_whole(reader);
    }
    return ws_json_reader_close(&reader->json) && is_read;
}
