/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The fault trace of InfiniteHBD (StepFun): faults of 400 GPU servers over 348 days of training.
 *
 * A JSON list of events, each with `node_id`, `event_time` (days since the recording began),
 * `event_type` (fault_start, fault_end) and `fault_type`, an object whose `Class` tells what broke.
 * Source: github.com/stepfun-ai/InfiniteHBD-Trace, README.
 */
#include <string.h>

#include "json_reader.h"
#include "outage_reading.h"
#include "reading.h"
#include "ws/number.h"

#define HBD_TEXT_BYTES 256
#define HBD_DAYS_MAX INT64_C(36525000000000) /* a hundred years, in 10^-9 days */
#define HBD_NS_PER_NANODAY 86400

typedef struct {
    char bytes[HBD_TEXT_BYTES];
    size_t length; /* 0: none, or too long */
} hbd_text;

typedef struct {
    ws_json_reader json;
    ws_trace_outage_reading *reading;
    ws_outage_found found;
    hbd_text node;
    hbd_text fault_class;
} hbd_reader;

static bool hbd_sniff(ws_text head)
{
    ws_text trimmed = ws_text_trimmed(head);

    return trimmed.length > 0 && trimmed.start[0] == '[' &&
           ws_trace_head_holds(trimmed, "\"event_type\"") &&
           ws_trace_head_holds(trimmed, "\"node_id\"");
}

/* A text behind a key; other kinds of values count as none. */
static bool hbd_read_text(ws_json_reader *json, hbd_text *text)
{
    if (!ws_json_reader_next(json)) {
        return false;
    }
    text->length = 0;
    if (json->event == WS_JSON_STRING && json->text.length <= sizeof text->bytes) {
        memcpy(text->bytes, json->text.start, json->text.length);
        text->length = json->text.length;
    }
    return ws_json_reader_skip(json);
}

static bool hbd_read_time(hbd_reader *reader)
{
    ws_json_reader *json = &reader->json;
    int64_t nanodays = 0;
    bool inexact = false;

    if (!ws_json_reader_next(json)) {
        return false;
    }
    if (json->event == WS_JSON_NUMBER && ws_parse_scaled(json->text, 9, &nanodays, &inexact) &&
        nanodays >= 0 && nanodays <= HBD_DAYS_MAX) {
        reader->found.at_ns = nanodays * HBD_NS_PER_NANODAY;
    }
    return ws_json_reader_skip(json);
}

static bool hbd_read_type(hbd_reader *reader)
{
    ws_json_reader *json = &reader->json;

    if (!ws_json_reader_next(json)) {
        return false;
    }
    if (json->event == WS_JSON_STRING) {
        reader->found.is_down = ws_text_is(json->text, "fault_start");
        reader->found.has_kind = reader->found.is_down || ws_text_is(json->text, "fault_end");
    }
    return ws_json_reader_skip(json);
}

static bool hbd_read_class(hbd_reader *reader)
{
    ws_json_reader *json = &reader->json;

    if (!ws_json_reader_next(json)) {
        return false;
    }
    if (json->event != WS_JSON_OBJECT) {
        return ws_json_reader_skip(json);
    }
    while (ws_json_reader_next(json) && json->event == WS_JSON_KEY) {
        bool is_read = ws_text_is(json->text, "Class") ? hbd_read_text(json, &reader->fault_class)
                                                       : ws_json_reader_skip(json);
        if (!is_read) {
            return false;
        }
    }
    return !json->failed;
}

static bool hbd_read_member(hbd_reader *reader)
{
    ws_text key = reader->json.text;

    if (ws_text_is(key, "node_id")) {
        return hbd_read_text(&reader->json, &reader->node);
    }
    if (ws_text_is(key, "event_time")) {
        return hbd_read_time(reader);
    }
    if (ws_text_is(key, "event_type")) {
        return hbd_read_type(reader);
    }
    if (ws_text_is(key, "fault_type")) {
        return hbd_read_class(reader);
    }
    return ws_json_reader_skip(&reader->json);
}

/* One event; the current event of JSON is its brace. */
static bool hbd_read_event(hbd_reader *reader)
{
    ws_json_reader *json = &reader->json;

    if (json->event != WS_JSON_OBJECT) {
        return ws_json_reader_refuse(json, "an event: `{`");
    }
    reader->found = (ws_outage_found){
        .at_ns = WS_TRACE_UNKNOWN_NS, .line = json->place.line, .column = json->place.column};
    reader->node.length = 0;
    reader->fault_class.length = 0;
    while (ws_json_reader_next(json) && json->event == WS_JSON_KEY) {
        if (!hbd_read_member(reader)) {
            return false;
        }
    }
    if (json->failed) {
        return false;
    }
    reader->found.node = (ws_text){.start = reader->node.bytes, .length = reader->node.length};
    reader->found.fault_class =
        (ws_text){.start = reader->fault_class.bytes, .length = reader->fault_class.length};
    return ws_outage_reading_take(reader->reading, &reader->found);
}

static bool hbd_read_all(hbd_reader *reader)
{
    ws_json_reader *json = &reader->json;

    if (!ws_json_reader_next(json)) {
        return false;
    }
    if (json->event != WS_JSON_LIST) {
        return ws_json_reader_refuse(json, "a list of events: `[`");
    }
    while (ws_json_reader_next(json) && json->event != WS_JSON_LIST_END) {
        if (!hbd_read_event(reader)) {
            return false;
        }
    }
    return !json->failed && !ws_json_reader_next(json) && !json->failed;
}

static bool hbd_read(ws_trace_outage_reading *reading)
{
    hbd_reader *reader = ws_arena_alloc(reading->scratch, hbd_reader, 1);

    if (reader == NULL) {
        return ws_diag_error(reading->diag, 9020, ws_span_none, "not enough memory to read");
    }
    reader->reading = reading;
    if (!ws_json_reader_open(&reader->json, reading->file, &reading->options->limits,
                             reading->scratch, reading->diag)) {
        return false;
    }
    bool is_read = hbd_read_all(reader);

    return ws_json_reader_close(&reader->json) && is_read;
}

const ws_trace_outage_type ws_trace_infinitehbd = {
    .name = "infinitehbd",
    .summary = "InfiniteHBD fault trace (StepFun, 2024): begins and ends of faults of nodes",
    .sniff = hbd_sniff,
    .read = hbd_read,
};
