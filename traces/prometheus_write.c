/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fetched series as Prometheus itself would answer. */
#include <math.h>

#include "seconds.h"
#include "series_reading.h"
#include "ws/number.h"
#include "ws/trace_fetch.h"

/* A text without the escapes that ws_series_labels has, terminated, in `room`. Its length. */
static size_t write_unescaped(ws_text escaped, char *room)
{
    size_t length = 0;

    for (size_t i = 0; i < escaped.length; i++) {
        char byte = escaped.start[i];

        if (byte == '\\' && i + 1 < escaped.length) {
            i++;
            byte = escaped.start[i] == 'n' ? '\n' : escaped.start[i];
        }
        room[length++] = byte;
    }
    room[length] = '\0';
    return length;
}

/* Index of the quote that ends a value. */
static size_t write_find_quote(ws_text text)
{
    size_t at = 0;

    while (at < text.length && text.start[at] != '"') {
        at += text.start[at] == '\\' ? 2 : 1;
    }
    return at < text.length ? at : text.length;
}

/* The `metric` of a series: {a="b",c="d"} as an object. */
static void write_labels(ws_writer *out, const ws_trace_fetched_series *series, char *room)
{
    ws_text rest = ws_text_slice(series->labels, 1, series->labels.length);

    ws_json_begin_object(out, "metric");
    if (series->name.length > 0) {
        ws_json_text(out, "__name__", series->name);
    }
    while (rest.length > 1) {
        size_t equals = ws_text_find_byte(rest, '=');
        ws_text value = ws_text_slice(rest, equals + 2, rest.length);
        size_t quote = write_find_quote(value);
        size_t name_length = write_unescaped(ws_text_slice(rest, 0, equals), room);
        char *unescaped = room + name_length + 1;
        size_t length = write_unescaped(ws_text_slice(value, 0, quote), unescaped);

        ws_json_text(out, room, (ws_text){.start = unescaped, .length = length});
        rest = ws_text_slice(value, quote + 2, value.length); /* behind the quote and `,` or `}` */
    }
    ws_json_end_object(out);
}

/* [1741000000.5,"97.5"] */
static void write_sample(ws_writer *out, const ws_trace_sample *sample)
{
    char value[WS_NUMBER_TEXT_BYTES];
    ws_text text = WS_TEXT("NaN");

    if (!isnan(sample->value)) {
        text = (ws_text){.start = value, .length = ws_print_f64(sample->value, value)};
    }
    ws_json_begin_list(out, NULL);
    ws_trace_json_s(out, NULL, sample->at_ns);
    ws_json_text(out, NULL, text);
    ws_json_end_list(out);
}

bool ws_trace_fetched_write(const ws_trace_fetched *fetched, ws_writer *out, ws_arena *arena)
{
    WS_ASSERT(fetched != NULL);
    WS_ASSERT(out != NULL);

    char *room = ws_arena_alloc(arena, char, WS_SERIES_NAME_BYTES + 2);

    if (room == NULL) {
        return false;
    }
    out->compact = true;
    ws_json_begin_object(out, NULL);
    ws_json_text(out, "status", WS_TEXT("success"));
    ws_json_begin_object(out, "data");
    ws_json_text(out, "resultType", WS_TEXT("matrix"));
    ws_json_begin_list(out, "result");
    for (size_t i = 0; i < fetched->count; i++) {
        const ws_trace_fetched_series *series = &fetched->series[i];

        ws_json_begin_object(out, NULL);
        write_labels(out, series, room);
        ws_json_begin_list(out, "values");
        for (size_t k = 0; k < series->count; k++) {
            write_sample(out, &series->samples[k]);
        }
        ws_json_end_list(out);
        ws_json_end_object(out);
    }
    ws_json_end_list(out);
    ws_json_end_object(out);
    ws_json_end_object(out);
    return true;
}
