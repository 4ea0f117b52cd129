/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Names of series, each kept once; times and values of samples; what is handed on and what is
 * counted.
 */
#include "series_reading.h"

#include <math.h>
#include <string.h>

#include "found.h"
#include "ws/number.h"

#define SERIES_TIME_MAX_NS INT64_C(4000000000000000000)

/* ---- names ---- */

ws_text ws_series_room_keep(ws_series_room *room, ws_text text, bool escaped)
{
    WS_ASSERT(room != NULL);

    ws_text kept = {.start = room->bytes + room->length};

    for (size_t i = 0; i < text.length; i++) {
        char byte = text.start[i];
        bool is_special = escaped && (byte == '"' || byte == '\\' || byte == '\n');

        if (room->length + 2 > WS_SERIES_NAME_BYTES) {
            return (ws_text){.start = NULL};
        }
        if (is_special) {
            room->bytes[room->length++] = '\\';
        }
        room->bytes[room->length++] = is_special && byte == '\n' ? 'n' : byte;
    }
    kept.length = (size_t)(room->bytes + room->length - kept.start);
    return kept;
}

bool ws_series_labels_add(ws_series_labels *labels, ws_text name, ws_text value)
{
    size_t at = labels->count;

    if (value.length == 0) {
        return true;
    }
    if (ws_text_is(name, "__name__")) {
        bool is_new = labels->metric.length == 0;
        labels->metric = value;
        return is_new;
    }
    while (at > 0 && ws_text_compare(name, labels->items[at - 1].name) < 0) {
        at--;
    }
    if (labels->count == WS_TRACE_LABELS_MAX ||
        (at > 0 && ws_text_equals(name, labels->items[at - 1].name))) {
        return false;
    }
    memmove(&labels->items[at + 1], &labels->items[at],
            (labels->count - at) * sizeof *labels->items);
    labels->items[at] = (ws_series_label){.name = name, .value = value};
    labels->count++;
    return true;
}

/* The text of a name, in a buffer; longer than its room when it does not fit. */
typedef struct {
    char *bytes;
    size_t length;
} series_key;

static void series_key_add(series_key *key, ws_text text)
{
    if (text.length <= WS_SERIES_NAME_BYTES && key->length + text.length <= WS_SERIES_NAME_BYTES) {
        memcpy(key->bytes + key->length, text.start, text.length);
        key->length += text.length;
    } else {
        key->length = WS_SERIES_NAME_BYTES + 1;
    }
}

static ws_text series_write_key(const ws_series_labels *labels, char *bytes)
{
    series_key key = {.bytes = bytes};

    if (labels->metric.length > 0) {
        series_key_add(&key, labels->metric);
    }
    for (size_t i = 0; i < labels->count; i++) {
        series_key_add(&key, i == 0 ? WS_TEXT("{") : WS_TEXT(","));
        series_key_add(&key, labels->items[i].name);
        series_key_add(&key, WS_TEXT("=\""));
        series_key_add(&key, labels->items[i].value);
        series_key_add(&key, WS_TEXT("\""));
    }
    if (labels->count > 0) {
        series_key_add(&key, WS_TEXT("}"));
    }
    return (ws_text){.start = bytes, .length = key.length};
}

static const ws_trace_series_id *series_exhausted(const ws_trace_series_reading *reading)
{
    (void)ws_diag_error(reading->diag, 9020, reading->file->at,
                        "`%.*s` holds more series than memory allows",
                        WS_TEXT_ARGS(reading->file->shown));
    return NULL;
}

/* A series that appears first: the last of the names. */
static const ws_trace_series_id *series_add(ws_trace_series_reading *reading, size_t index,
                                            size_t name_length)
{
    ws_trace_series_id *id = ws_arena_alloc(reading->arena, ws_trace_series_id, 1);
    ws_text kept = reading->names.items[index];

    if (id == NULL || index >= WS_TRACE_SERIES_MAX) {
        return series_exhausted(reading);
    }
    if (index >= reading->capacity) {
        /* NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers */
        size_t bytes = sizeof *reading->ids;
        void *ids = ws_arena_grow(reading->arena, reading->ids, index, index + 1,
                                  &reading->capacity, bytes);
        if (ids == NULL) {
            return series_exhausted(reading);
        }
        reading->ids = ids;
    }
    *id = (ws_trace_series_id){.index = index,
                               .name = ws_text_slice(kept, 0, name_length),
                               .labels = ws_text_slice(kept, name_length, kept.length)};
    id->metric = ws_trace_metric_find(id->name);
    reading->ids[index] = id;
    return id;
}

const ws_trace_series_id *ws_series_reading_name(ws_trace_series_reading *reading,
                                                 const ws_series_labels *labels)
{
    WS_ASSERT(reading != NULL);
    WS_ASSERT(labels != NULL);

    ws_text key = series_write_key(labels, reading->key);

    if (key.length > WS_SERIES_NAME_BYTES) {
        (void)ws_diag_error(reading->diag, 9005, reading->file->at,
                            "the name of a series in `%.*s` is longer than 64 KiB",
                            WS_TEXT_ARGS(reading->file->shown));
        return NULL;
    }
    size_t before = reading->names.count;
    size_t index = 0;

    if (!ws_trace_names_index(&reading->names, key, &index)) {
        return series_exhausted(reading);
    }
    return index < before ? reading->ids[index] : series_add(reading, index, labels->metric.length);
}

/* ---- findings ---- */

ws_span ws_series_reading_span(const ws_trace_series_reading *reading, const ws_series_place *place)
{
    ws_span span = ws_trace_line_span(reading->file->shown, place->text, place->line, place->from,
                                      place->to, reading->diag->arena);

    if (place->text.length == 0) {
        span.column = place->column > INT32_MAX ? INT32_MAX : (int32_t)place->column;
    }
    return span;
}

bool ws_series_reading_fault(ws_trace_series_reading *reading, ws_trace_series_finding finding,
                             const ws_series_place *place)
{
    ws_trace_count *found = &reading->report->found[finding];

    if (ws_trace_count_add(found, place->line)) {
        found->first = ws_series_reading_span(reading, place);
    }
    return false;
}

/* ---- samples ---- */

static bool series_parse_value(ws_text text, double *value)
{
    static const struct {
        const char *text;
        double value;
    } words[] = {{"NaN", (double)NAN},      {"nan", (double)NAN},        {"+Inf", (double)INFINITY},
                 {"Inf", (double)INFINITY}, {"-Inf", -(double)INFINITY}, {"+inf", (double)INFINITY},
                 {"inf", (double)INFINITY}, {"-inf", -(double)INFINITY}};

    for (size_t i = 0; i < WS_COUNT_OF(words); i++) {
        if (ws_text_is(text, words[i].text)) {
            *value = words[i].value;
            return true;
        }
    }
    return ws_parse_f64(text, value);
}

bool ws_series_reading_take(ws_trace_series_reading *reading, const ws_trace_series_id *series,
                            int64_t at_ns, ws_text value, const ws_series_place *place)
{
    ws_trace_sample sample = {.at_ns = at_ns};
    double full = series->metric->full;

    if (!series_parse_value(value, &sample.value)) {
        (void)ws_series_reading_fault(reading, WS_SERIES_BAD_VALUE, place);
        return true;
    }
    if (ws_trace_value_is_blank(series->name, sample.value)) {
        (void)ws_series_reading_fault(reading, WS_SERIES_BLANK, place);
        sample.value = (double)NAN;
        return reading->sink.take(reading->sink.context, series, &sample, place->line);
    }
    if (isinf(sample.value)) {
        (void)ws_series_reading_fault(reading, WS_SERIES_INFINITE, place);
        return true;
    }
    if (full > 0 && (sample.value < 0 || sample.value > full)) {
        (void)ws_series_reading_fault(reading, WS_SERIES_OVER_SCALE, place);
    }
    if (at_ns == WS_TRACE_UNKNOWN_NS) {
        (void)ws_series_reading_fault(reading, WS_SERIES_NO_TIME, place);
    }
    reading->report->samples_kept++;
    return reading->sink.take(reading->sink.context, series, &sample, place->line);
}

ws_series_time ws_series_reading_time(ws_trace_series_reading *reading, ws_text text,
                                      ws_series_clock clock, const ws_series_place *place,
                                      int64_t *at_ns)
{
    WS_ASSERT(at_ns != NULL);

    bool is_seconds = clock == WS_SERIES_SECONDS;
    bool inexact = false;
    int64_t read_ns = 0;
    double read = 0;

    /* 10^11 s lie in the year 5138, 10^11 ms in 1973: no recording is so late, or so early */
    if (ws_parse_f64(text, &read) && read > 0 && (read < 1e11) != is_seconds) {
        (void)ws_diag_error(reading->diag, 6103, ws_series_reading_span(reading, place),
                            is_seconds ? "times of `%.*s` look like milliseconds, not seconds"
                                       : "times of `%.*s` look like seconds, not milliseconds",
                            WS_TEXT_ARGS(reading->file->shown));
        return WS_SERIES_TIME_STOP;
    }
    if (!ws_parse_scaled(text, is_seconds ? 9 : 6, &read_ns, &inexact) || read_ns < 0 ||
        read_ns > SERIES_TIME_MAX_NS) {
        (void)ws_series_reading_fault(reading, WS_SERIES_BAD_TIME, place);
        return WS_SERIES_TIME_BAD;
    }
    *at_ns = read_ns;
    return WS_SERIES_TIME;
}
