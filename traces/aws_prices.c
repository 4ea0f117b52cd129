/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Spot prices as AWS tells them: the JSON of `aws ec2 describe-spot-price-history`.
 *
 * A list of changes, the newest first: `SpotPrice` (a text, dollars an hour of the whole instance)
 * holds from its `Timestamp` until the next one of the same instance type, zone and product. Those
 * and whatever else is a text are the labels of a series `SpotPrice`. Source: AWS CLI Command
 * Reference, ec2 describe-spot-price-history.
 */
#include <string.h>

#include "clock.h"
#include "json_reader.h"
#include "reading.h"
#include "series_reading.h"

#define AWS_VALUE_BYTES 64

typedef struct {
    char bytes[AWS_VALUE_BYTES];
    size_t length; /* 0: none, or too long */
} aws_value;

typedef struct {
    ws_json_reader json;
    ws_trace_series_reading *reading;
    ws_series_room room; /* of the labels */
    ws_series_labels labels;
    aws_value price;
    aws_value time;
} aws_reader;

static bool aws_sniff(ws_text head)
{
    ws_text trimmed = ws_text_trimmed(head);

    return trimmed.length > 0 && trimmed.start[0] == '{' &&
           ws_trace_head_holds(trimmed, "\"SpotPriceHistory\"");
}

static void aws_keep(aws_value *value, const ws_json_reader *json)
{
    bool is_value = json->event == WS_JSON_STRING || json->event == WS_JSON_NUMBER;

    value->length = 0;
    if (is_value && json->text.length <= sizeof value->bytes) {
        memcpy(value->bytes, json->text.start, json->text.length);
        value->length = json->text.length;
    }
}

/* A member of a change; the current event is its key. */
static bool aws_read_member(aws_reader *reader)
{
    ws_json_reader *json = &reader->json;
    bool is_price = ws_text_is(json->text, "SpotPrice");
    bool is_time = ws_text_is(json->text, "Timestamp");
    ws_text name = ws_series_room_keep(&reader->room, json->text, false);

    if (!ws_json_reader_next(json)) {
        return false;
    }
    if (is_price || is_time) {
        aws_keep(is_price ? &reader->price : &reader->time, json);
    } else if (json->event == WS_JSON_STRING) {
        ws_text value = ws_series_room_keep(&reader->room, json->text, true);

        if (name.start == NULL || value.start == NULL ||
            !ws_series_labels_add(&reader->labels, name, value)) {
            return ws_json_reader_refuse(json, "at most 64 labels and 64 KiB of them");
        }
    }
    return ws_json_reader_skip(json);
}

static ws_text aws_text(const aws_value *value)
{
    return (ws_text){.start = value->bytes, .length = value->length};
}

static bool aws_take(aws_reader *reader, const ws_series_place *place)
{
    int64_t at_ns = 0;
    int64_t offset_ns = 0;

    reader->reading->report->samples_read++;
    if (!ws_clock_parse_zoned(aws_text(&reader->time), &at_ns, &offset_ns) || at_ns < 0) {
        (void)ws_series_reading_fault(reader->reading, WS_SERIES_BAD_TIME, place);
        return true;
    }
    const ws_trace_series_id *series = ws_series_reading_name(reader->reading, &reader->labels);

    return series != NULL &&
           ws_series_reading_take(reader->reading, series, at_ns, aws_text(&reader->price), place);
}

/* One change; the current event is its brace. */
static bool aws_read_change(aws_reader *reader)
{
    ws_json_reader *json = &reader->json;
    ws_series_place place = {.line = json->place.line, .column = json->place.column};

    if (json->event != WS_JSON_OBJECT) {
        return ws_json_reader_refuse(json, "a change of a price: `{`");
    }
    reader->room.length = 0;
    reader->labels = (ws_series_labels){.metric = WS_TEXT("SpotPrice")};
    reader->price.length = 0;
    reader->time.length = 0;
    while (ws_json_reader_next(json) && json->event == WS_JSON_KEY) {
        if (!aws_read_member(reader)) {
            return false;
        }
    }
    return !json->failed && aws_take(reader, &place);
}

static bool aws_read_history(aws_reader *reader)
{
    ws_json_reader *json = &reader->json;

    if (!ws_json_reader_next(json)) {
        return false;
    }
    if (json->event != WS_JSON_LIST) {
        return ws_json_reader_refuse(json, "a list of prices: `[`");
    }
    while (ws_json_reader_next(json) && json->event != WS_JSON_LIST_END) {
        if (!aws_read_change(reader)) {
            return false;
        }
    }
    return !json->failed;
}

static bool aws_read_all(aws_reader *reader)
{
    ws_json_reader *json = &reader->json;

    if (!ws_json_reader_next(json)) {
        return false;
    }
    if (json->event != WS_JSON_OBJECT) {
        return ws_json_reader_refuse(json, "an object with a `SpotPriceHistory`: `{`");
    }
    while (ws_json_reader_next(json) && json->event == WS_JSON_KEY) {
        bool is_read = ws_text_is(json->text, "SpotPriceHistory") ? aws_read_history(reader)
                                                                  : ws_json_reader_skip(json);
        if (!is_read) {
            return false;
        }
    }
    return !json->failed && !ws_json_reader_next(json) && !json->failed;
}

static bool aws_read(ws_trace_series_reading *reading)
{
    aws_reader *reader = ws_arena_alloc(reading->arena, aws_reader, 1);
    char *bytes = ws_arena_alloc(reading->arena, char, WS_SERIES_NAME_BYTES);

    if (reader == NULL || bytes == NULL) {
        return ws_diag_error(reading->diag, 9020, ws_span_none, "not enough memory to read");
    }
    reader->reading = reading;
    reader->room.bytes = bytes;
    if (!ws_json_reader_open(&reader->json, reading->file, &reading->options->limits,
                             reading->arena, reading->diag)) {
        return false;
    }
    bool is_read = aws_read_all(reader);

    return ws_json_reader_close(&reader->json) && is_read;
}

const ws_trace_series_type ws_trace_aws_prices = {
    .name = "aws-spot-prices",
    .summary = "JSON of `aws ec2 describe-spot-price-history`: changes of prices",
    .holds = true,
    .sniff = aws_sniff,
    .read = aws_read,
};
