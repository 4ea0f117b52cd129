/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "throughputs.h"

#include <stdio.h>

#include "json_reader.h"
#include "ws/number.h"

#define THROUGHPUTS_KEY_BYTES 256

static bool throughputs_out_of_memory(const ws_trace_reading *reading)
{
    return ws_diag_error(reading->diag, 9020, ws_span_none, "not enough memory for throughputs");
}

/* The value behind "null": a speed. */
static bool throughputs_add(ws_throughputs *throughputs, ws_trace_reading *reading,
                            ws_json_reader *json, ws_text key)
{
    ws_throughput *entries = NULL;
    double steps_per_s = 0;

    if (!ws_json_reader_next(json)) {
        return false;
    }
    if (json->event != WS_JSON_NUMBER || !ws_parse_f64(json->text, &steps_per_s) ||
        steps_per_s < 0) {
        return ws_json_reader_refuse(json, "steps per second: a number, 0 or more");
    }
    entries = throughputs->entries;
    if (throughputs->count == throughputs->capacity) {
        entries = ws_arena_grow(reading->arena, entries, throughputs->count, throughputs->count + 1,
                                &throughputs->capacity, sizeof *entries);
    }
    if (entries == NULL) {
        return throughputs_out_of_memory(reading);
    }
    throughputs->entries = entries;
    throughputs->entries[throughputs->count++] =
        (ws_throughput){.key = key, .steps_per_s = steps_per_s};
    return true;
}

/* The speeds of one type of job; the current event is its key. */
static bool throughputs_read_job(ws_throughputs *throughputs, ws_trace_reading *reading,
                                 ws_json_reader *json)
{
    ws_text key = ws_arena_copy_text(reading->arena, json->text);

    if (key.start == NULL) {
        return throughputs_out_of_memory(reading);
    }
    if (!ws_json_reader_next(json)) {
        return false;
    }
    if (json->event != WS_JSON_OBJECT) {
        return ws_json_reader_refuse(json, "the speeds of a job: `{`");
    }
    while (ws_json_reader_next(json) && json->event == WS_JSON_KEY) {
        bool is_read = ws_text_is(json->text, "null")
                           ? throughputs_add(throughputs, reading, json, key)
                           : ws_json_reader_skip(json);

        if (!is_read) {
            return false;
        }
    }
    return json->event == WS_JSON_OBJECT_END;
}

/* All jobs of one type of GPU; the current event is the key of the type. */
static bool throughputs_read_gpu(ws_throughputs *throughputs, ws_trace_reading *reading,
                                 ws_json_reader *json)
{
    if (!ws_json_reader_next(json)) {
        return false;
    }
    if (json->event != WS_JSON_OBJECT) {
        return ws_json_reader_refuse(json, "the jobs of a type of GPU: `{`");
    }
    while (ws_json_reader_next(json) && json->event == WS_JSON_KEY) {
        if (!throughputs_read_job(throughputs, reading, json)) {
            return false;
        }
    }
    return json->event == WS_JSON_OBJECT_END;
}

/* The file, up to its end. `*types` names all types of GPU. */
static bool throughputs_read_all(ws_throughputs *throughputs, ws_trace_reading *reading,
                                 ws_json_reader *json, ws_text gpu_type, ws_text *types)
{
    if (!ws_json_reader_next(json)) {
        return false;
    }
    if (json->event != WS_JSON_OBJECT) {
        return ws_json_reader_refuse(json, "types of GPUs: `{`");
    }
    while (ws_json_reader_next(json) && json->event == WS_JSON_KEY) {
        bool is_wanted = ws_text_equals(json->text, gpu_type);

        *types = ws_arena_format(
            reading->arena, "%.*s%s`%.*s`", WS_TEXT_ARGS(ws_text_beginning(*types, 500)),
            types->length > 0 ? ", " : "", WS_TEXT_ARGS(ws_text_beginning(json->text, 60)));
        if (!(is_wanted ? throughputs_read_gpu(throughputs, reading, json)
                        : ws_json_reader_skip(json))) {
            return false;
        }
    }
    return json->event == WS_JSON_OBJECT_END && !ws_json_reader_next(json) && !json->failed;
}

bool ws_throughputs_read(ws_throughputs *throughputs, ws_trace_reading *reading,
                         const ws_file_name *file, ws_text gpu_type)
{
    ws_json_reader *json = ws_arena_alloc(reading->arena, ws_json_reader, 1);
    ws_text types = WS_TEXT("");
    bool is_read = false;
    bool is_closed = false;

    WS_ASSERT(throughputs != NULL);
    if (json == NULL) {
        return throughputs_out_of_memory(reading);
    }
    if (!ws_json_reader_open(json, file, &reading->options->limits, reading->arena,
                             reading->diag)) {
        return false;
    }
    is_read = throughputs_read_all(throughputs, reading, json, gpu_type, &types);
    is_closed = ws_json_reader_close(json);
    if (!is_read || !is_closed) {
        return false;
    }
    if (throughputs->count == 0) {
        return ws_diag_error(
            reading->diag, 6145, file->at, "`%.*s` holds no speeds on `%.*s`: it has %.*s",
            WS_TEXT_ARGS(file->shown), WS_TEXT_ARGS(gpu_type), WS_TEXT_ARGS(types));
    }
    return true;
}

double ws_throughputs_find(const ws_throughputs *throughputs, ws_text kind, int32_t gpus)
{
    char key[THROUGHPUTS_KEY_BYTES];
    int length = 0;

    WS_ASSERT(throughputs != NULL);
    if (kind.length > sizeof key - 32) {
        return 0;
    }
    length = snprintf(key, sizeof key, "('%.*s', %d)", WS_TEXT_ARGS(kind), (int)gpus);
    WS_ASSERT(length > 0 && (size_t)length < sizeof key);
    for (size_t i = 0; i < throughputs->count; i++) {
        if (ws_text_is(throughputs->entries[i].key, key)) {
            return throughputs->entries[i].steps_per_s;
        }
    }
    return 0;
}
