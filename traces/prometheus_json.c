/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Answers of Prometheus's query_range (a matrix) and query (a vector), also of Thanos, Mimir and
 * VictoriaMetrics, which speak the same.
 *
 * A time is a number of Unix seconds, a value a text ("NaN", "+Inf", "1e+06"). Where data is stale
 * a series has no sample. Keys may stand in any order, but the labels of a series (`metric`) before
 * its samples, as Prometheus writes them. Source: Prometheus documentation, "HTTP API".
 */
#include "json_reader.h"
#include "reading.h"
#include "series_reading.h"

#define PROMETHEUS_ERROR_BYTES 500

typedef struct {
    ws_json_reader json;
    ws_trace_series_reading *reading;
    const ws_trace_series_id *series; /* at hand; NULL: its labels were not read */
    ws_series_room room;              /* of its labels */
    ws_span at;                       /* of `status` or `error` */
    ws_text error_type;
    ws_text error;
    bool is_error;
    bool has_data;
} prometheus_reader;

static bool prometheus_sniff(ws_text head)
{
    static const char *const keys[] = {"\"resultType\"", "\"errorType\"", "\"result\""};
    ws_text trimmed = ws_text_trimmed(head);

    if (trimmed.length == 0 || trimmed.start[0] != '{') {
        return false;
    }
    for (size_t i = 0; i < WS_COUNT_OF(keys); i++) {
        if (ws_trace_head_holds(trimmed, keys[i])) {
            return true;
        }
    }
    return false;
}

/* ---- one series ---- */

static bool prometheus_read_labels(prometheus_reader *reader)
{
    ws_json_reader *json = &reader->json;
    ws_series_labels labels = {.count = 0};

    if (!ws_json_reader_next(json)) {
        return false;
    }
    if (json->event != WS_JSON_OBJECT) {
        return ws_json_reader_refuse(json, "the labels of a series: `{`");
    }
    reader->room.length = 0;
    while (ws_json_reader_next(json) && json->event == WS_JSON_KEY) {
        ws_text name = ws_series_room_keep(&reader->room, json->text, false);

        if (!ws_json_reader_next(json)) {
            return false;
        }
        if (json->event != WS_JSON_STRING) {
            return ws_json_reader_refuse(json, "the value of a label, a text");
        }
        ws_text value = ws_series_room_keep(&reader->room, json->text, true);

        if (name.start == NULL || value.start == NULL ||
            !ws_series_labels_add(&labels, name, value)) {
            return ws_json_reader_refuse(json, "at most 64 labels and 64 KiB of them");
        }
    }
    if (json->failed) {
        return false;
    }
    reader->series = ws_series_reading_name(reader->reading, &labels);
    return reader->series != NULL;
}

/* The value of a sample, whose time was read as `time`. */
static bool prometheus_take(prometheus_reader *reader, ws_series_time time, int64_t at_ns,
                            const ws_series_place *place)
{
    const ws_json_reader *json = &reader->json;
    bool is_value = json->event == WS_JSON_STRING || json->event == WS_JSON_NUMBER;

    if (time == WS_SERIES_TIME_BAD) {
        return true;
    }
    return ws_series_reading_take(reader->reading, reader->series, at_ns,
                                  is_value ? json->text : WS_TEXT("no number"), place);
}

/* [time, "value"]; the current event is its bracket. */
static bool prometheus_read_sample(prometheus_reader *reader)
{
    ws_json_reader *json = &reader->json;
    ws_series_place place = {.line = json->place.line, .column = json->place.column};
    int64_t at_ns = WS_TRACE_UNKNOWN_NS;

    if (json->event != WS_JSON_LIST) {
        return ws_json_reader_refuse(json, "a sample: [time, \"value\"]");
    }
    if (reader->series == NULL) {
        return ws_json_reader_refuse(json, "`metric` before the samples");
    }
    reader->reading->report->samples_read++;
    if (!ws_json_reader_next(json)) {
        return false;
    }
    ws_series_time time = ws_series_reading_time(
        reader->reading, json->event == WS_JSON_NUMBER ? json->text : WS_TEXT("no number"),
        WS_SERIES_SECONDS, &place, &at_ns);

    if (time == WS_SERIES_TIME_STOP) {
        return false;
    }
    if (json->event == WS_JSON_LIST_END || !ws_json_reader_skip(json)) {
        return ws_json_reader_refuse(json, "a time");
    }
    if (!ws_json_reader_next(json)) {
        return false;
    }
    if (json->event == WS_JSON_LIST_END || json->event == WS_JSON_LIST ||
        json->event == WS_JSON_OBJECT) {
        return ws_json_reader_refuse(json, "a value");
    }
    if (!prometheus_take(reader, time, at_ns, &place) || !ws_json_reader_next(json)) {
        return false;
    }
    return json->event == WS_JSON_LIST_END ||
           ws_json_reader_refuse(json, "the end of a sample: `]`");
}

static bool prometheus_read_samples(prometheus_reader *reader)
{
    ws_json_reader *json = &reader->json;

    if (!ws_json_reader_next(json)) {
        return false;
    }
    if (json->event != WS_JSON_LIST) {
        return ws_json_reader_refuse(json, "the samples of a series: `[`");
    }
    while (ws_json_reader_next(json) && json->event != WS_JSON_LIST_END) {
        if (!prometheus_read_sample(reader)) {
            return false;
        }
    }
    return !json->failed;
}

/* A list of histograms counts as one: what is in it is passed over. */
static bool prometheus_skip_histogram(prometheus_reader *reader)
{
    ws_json_reader *json = &reader->json;
    ws_series_place place = {.line = json->place.line, .column = json->place.column};

    reader->reading->report->samples_read++;
    (void)ws_series_reading_fault(reader->reading, WS_SERIES_HISTOGRAM, &place);
    return ws_json_reader_skip(json);
}

/* The value behind one key of a series. */
static bool prometheus_read_member(prometheus_reader *reader)
{
    ws_json_reader *json = &reader->json;

    if (ws_text_is(json->text, "metric")) {
        return prometheus_read_labels(reader);
    }
    if (ws_text_is(json->text, "values")) {
        return prometheus_read_samples(reader);
    }
    if (ws_text_is(json->text, "value")) {
        return ws_json_reader_next(json) && prometheus_read_sample(reader);
    }
    if (ws_text_is(json->text, "histogram") || ws_text_is(json->text, "histograms")) {
        return prometheus_skip_histogram(reader);
    }
    return ws_json_reader_skip(json);
}

static bool prometheus_read_series(prometheus_reader *reader)
{
    ws_json_reader *json = &reader->json;

    reader->series = NULL;
    while (ws_json_reader_next(json) && json->event == WS_JSON_KEY) {
        if (!prometheus_read_member(reader)) {
            return false;
        }
    }
    return !json->failed;
}

/* ---- the answer ---- */

static bool prometheus_refuse_type(prometheus_reader *reader, const char *type)
{
    ws_json_reader *json = &reader->json;
    ws_diagnostic diagnostic = {.severity = WS_SEVERITY_ERROR,
                                .code = 6181,
                                .at = ws_json_reader_span(json),
                                .help = WS_TEXT("ask for series: a query without `scalar()`, over "
                                                "/api/v1/query_range")};

    diagnostic.message = ws_arena_format(reader->reading->diag->arena,
                                         "the answer is a %s, which belongs to no series", type);
    ws_diag_add(reader->reading->diag, &diagnostic);
    json->failed = true;
    return false;
}

static bool prometheus_read_result(prometheus_reader *reader)
{
    ws_json_reader *json = &reader->json;

    if (!ws_json_reader_next(json)) {
        return false;
    }
    if (json->event != WS_JSON_LIST) {
        return ws_json_reader_refuse(json, "a list of series: `[`");
    }
    while (ws_json_reader_next(json) && json->event != WS_JSON_LIST_END) {
        if (json->event == WS_JSON_NUMBER) {
            return prometheus_refuse_type(reader, "single value");
        }
        if (json->event != WS_JSON_OBJECT) {
            return ws_json_reader_refuse(json, "a series: `{`");
        }
        if (!prometheus_read_series(reader)) {
            return false;
        }
    }
    return !json->failed;
}

static bool prometheus_read_type(prometheus_reader *reader)
{
    ws_json_reader *json = &reader->json;

    if (!ws_json_reader_next(json)) {
        return false;
    }
    if (json->event == WS_JSON_STRING && ws_text_is(json->text, "scalar")) {
        return prometheus_refuse_type(reader, "scalar");
    }
    if (json->event == WS_JSON_STRING && ws_text_is(json->text, "string")) {
        return prometheus_refuse_type(reader, "string");
    }
    return ws_json_reader_skip(json);
}

static bool prometheus_read_data(prometheus_reader *reader)
{
    ws_json_reader *json = &reader->json;

    if (!ws_json_reader_next(json)) {
        return false;
    }
    if (json->event == WS_JSON_NULL) {
        return true;
    }
    if (json->event != WS_JSON_OBJECT) {
        return ws_json_reader_refuse(json, "the data of an answer: `{`");
    }
    reader->has_data = true;
    while (ws_json_reader_next(json) && json->event == WS_JSON_KEY) {
        bool is_read = ws_text_is(json->text, "result")       ? prometheus_read_result(reader)
                       : ws_text_is(json->text, "resultType") ? prometheus_read_type(reader)
                                                              : ws_json_reader_skip(json);
        if (!is_read) {
            return false;
        }
    }
    return !json->failed;
}

/* `warnings` and `infos`: said by the server, passed on. */
static bool prometheus_read_notes(prometheus_reader *reader)
{
    ws_json_reader *json = &reader->json;

    if (!ws_json_reader_next(json)) {
        return false;
    }
    if (json->event != WS_JSON_LIST) {
        return ws_json_reader_skip(json);
    }
    while (ws_json_reader_next(json) && json->event != WS_JSON_LIST_END) {
        if (json->event == WS_JSON_STRING) {
            ws_text said = ws_text_beginning(json->text, PROMETHEUS_ERROR_BYTES);
            ws_diag_warning(reader->reading->diag, 6182, ws_json_reader_span(json),
                            "Prometheus says: %.*s", WS_TEXT_ARGS(said));
        }
        if (!ws_json_reader_skip(json)) {
            return false;
        }
    }
    return !json->failed;
}

/* A text behind a key; empty when it is none. */
static bool prometheus_read_text(prometheus_reader *reader, ws_text *text)
{
    ws_json_reader *json = &reader->json;

    if (!ws_json_reader_next(json)) {
        return false;
    }
    if (json->event == WS_JSON_STRING) {
        *text = ws_arena_copy_text(reader->reading->arena,
                                   ws_text_beginning(json->text, PROMETHEUS_ERROR_BYTES));
        reader->at = ws_json_reader_span(json);
    }
    return ws_json_reader_skip(json);
}

static bool prometheus_read_status(prometheus_reader *reader)
{
    ws_text status = {.start = NULL};

    if (!prometheus_read_text(reader, &status)) {
        return false;
    }
    reader->is_error = reader->is_error || ws_text_is(status, "error");
    return true;
}

static bool prometheus_read_key(prometheus_reader *reader)
{
    ws_text key = reader->json.text;

    if (ws_text_is(key, "status")) {
        return prometheus_read_status(reader);
    }
    if (ws_text_is(key, "data")) {
        return prometheus_read_data(reader);
    }
    if (ws_text_is(key, "errorType")) {
        return prometheus_read_text(reader, &reader->error_type);
    }
    if (ws_text_is(key, "error")) {
        return prometheus_read_text(reader, &reader->error);
    }
    if (ws_text_is(key, "warnings") || ws_text_is(key, "infos")) {
        return prometheus_read_notes(reader);
    }
    return ws_json_reader_skip(&reader->json);
}

static bool prometheus_tell_error(const prometheus_reader *reader)
{
    ws_text type = reader->error_type.length > 0 ? reader->error_type : WS_TEXT("error");
    ws_text error = reader->error.length > 0 ? reader->error : WS_TEXT("no reason is given");

    return ws_diag_error(reader->reading->diag, 6180, reader->at,
                         "Prometheus could not answer the query: %.*s: %.*s", WS_TEXT_ARGS(type),
                         WS_TEXT_ARGS(error));
}

static bool prometheus_read_all(prometheus_reader *reader)
{
    ws_json_reader *json = &reader->json;

    if (!ws_json_reader_next(json)) {
        return false;
    }
    if (json->event != WS_JSON_OBJECT) {
        return ws_json_reader_refuse(json, "an answer of Prometheus: `{`");
    }
    while (ws_json_reader_next(json) && json->event == WS_JSON_KEY) {
        if (!prometheus_read_key(reader)) {
            return false;
        }
    }
    if (json->failed || ws_json_reader_next(json) || json->failed) {
        return false;
    }
    if (reader->is_error || reader->error.length > 0) {
        return prometheus_tell_error(reader);
    }
    return reader->has_data ||
           ws_diag_error(reader->reading->diag, 6181, reader->reading->file->at,
                         "`%.*s` holds no `data`", WS_TEXT_ARGS(reader->reading->file->shown));
}

static bool prometheus_read(ws_trace_series_reading *reading)
{
    prometheus_reader *reader = ws_arena_alloc(reading->arena, prometheus_reader, 1);
    char *bytes = ws_arena_alloc(reading->arena, char, WS_SERIES_NAME_BYTES);
    bool is_read = false;

    if (reader == NULL || bytes == NULL) {
        return ws_diag_error(reading->diag, 9020, ws_span_none, "not enough memory to read");
    }
    *reader = (prometheus_reader){.reading = reading, .room.bytes = bytes};
    if (!ws_json_reader_open(&reader->json, reading->file, &reading->options->limits,
                             reading->arena, reading->diag)) {
        return false;
    }
    is_read = prometheus_read_all(reader);
    return ws_json_reader_close(&reader->json) && is_read;
}

const ws_trace_series_type ws_trace_prometheus_json = {
    .name = "prometheus-json",
    .summary = "answers of Prometheus to query_range or query: /api/v1 (JSON)",
    .sniff = prometheus_sniff,
    .read = prometheus_read,
};
