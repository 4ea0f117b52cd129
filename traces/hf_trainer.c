/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * trainer_state.json of Hugging Face's Trainer: `log_history`, a list of entries, each with `step`:
 *
 *   {"epoch": 0.32, "learning_rate": 7.9e-06, "loss": 1.387, "step": 50}
 *   {"eval_loss": 1.386, "eval_runtime": 92.0138, ..., "step": 50}
 *   {"train_runtime": 4021.5, "train_samples_per_second": 12.4, "train_steps_per_second": 0.78,
 * ...}
 *
 * No entry has a date: evaluations tell how long they took, and the last entry the whole run.
 * Source: huggingface/transformers, trainer_callback.py (TrainerState), trainer_utils.py
 * (speed_metrics).
 */
#include <math.h>

#include "json_reader.h"
#include "reading.h"
#include "steps_reading.h"
#include "ws/number.h"

#define HF_S_MAX 1e9

typedef struct {
    ws_json_reader json;
    ws_trace_steps_reading *reading;
    bool has_history;
    /* of one entry; NAN: not told */
    double step;
    double loss;
    bool has_loss;
    double evaluation_s;
    double run_s;
    double samples_per_s;
    double steps_per_s;
} hf_reader;

static bool hf_sniff(ws_text head)
{
    ws_text trimmed = ws_text_trimmed(head);

    return trimmed.length > 0 && trimmed.start[0] == '{' &&
           ws_trace_head_holds(trimmed, "\"log_history\"");
}

/* A number behind a key; other kinds of values count as none. */
static bool hf_read_number(hf_reader *reader, double *number)
{
    ws_json_reader *json = &reader->json;

    if (!ws_json_reader_next(json)) {
        return false;
    }
    if (json->event == WS_JSON_NUMBER && !ws_parse_f64(json->text, number)) {
        *number = (double)NAN;
    }
    return ws_json_reader_skip(json);
}

static bool hf_read_loss(hf_reader *reader)
{
    reader->has_loss = true;
    return hf_read_number(reader, &reader->loss);
}

static bool hf_read_member(hf_reader *reader)
{
    const struct {
        const char *key;
        double *number;
    } members[] = {{"step", &reader->step},
                   {"eval_runtime", &reader->evaluation_s},
                   {"train_runtime", &reader->run_s},
                   {"train_samples_per_second", &reader->samples_per_s},
                   {"train_steps_per_second", &reader->steps_per_s}};

    if (ws_text_is(reader->json.text, "loss")) {
        return hf_read_loss(reader);
    }
    for (size_t i = 0; i < WS_COUNT_OF(members); i++) {
        if (ws_text_is(reader->json.text, members[i].key)) {
            return hf_read_number(reader, members[i].number);
        }
    }
    return ws_json_reader_skip(&reader->json);
}

static bool hf_is_span(double seconds)
{
    return seconds >= 0 && seconds <= HF_S_MAX;
}

/* What an entry tells; one of its own has the speed of the whole run. */
static bool hf_take(hf_reader *reader, int64_t line)
{
    ws_trace_steps_reading *reading = reader->reading;
    ws_step_report told = ws_step_report_none(line);
    bool is_summary = hf_is_span(reader->run_s);

    if (hf_is_span(reader->evaluation_s) &&
        !ws_steps_reading_add(reading, &reading->evaluation_s, reader->evaluation_s)) {
        return false;
    }
    if (is_summary) {
        reading->found.run_s = reader->run_s;
        reading->found.stated += reader->steps_per_s > 0 ? 1 : 0;
    }
    if (is_summary && reader->steps_per_s > 0 && hf_is_span(1 / reader->steps_per_s) &&
        !ws_steps_reading_add(reading, &reading->step_s, 1 / reader->steps_per_s)) {
        return false;
    }
    if (is_summary &&
        !ws_steps_reading_add(reading, &reading->samples_per_s, reader->samples_per_s)) {
        return false;
    }
    if (!reader->has_loss) {
        return true;
    }
    if (!(reader->step >= 0 && reader->step < 1e10)) {
        ws_steps_reading_reject(reading, WS_STEPS_BAD_NUMBER, WS_TEXT(""), line);
        return true;
    }
    told.step = (int64_t)reader->step;
    told.has_loss = true;
    told.loss = reader->loss;
    return ws_steps_reading_take(reading, &told);
}

/* One entry; the current event is its brace. */
static bool hf_read_entry(hf_reader *reader)
{
    ws_json_reader *json = &reader->json;
    int64_t line = json->place.line;

    if (json->event != WS_JSON_OBJECT) {
        return ws_json_reader_refuse(json, "an entry of the history: `{`");
    }
    reader->step = reader->loss = (double)NAN;
    reader->has_loss = false;
    reader->evaluation_s = reader->run_s = (double)NAN;
    reader->samples_per_s = reader->steps_per_s = (double)NAN;
    while (ws_json_reader_next(json) && json->event == WS_JSON_KEY) {
        if (!hf_read_member(reader)) {
            return false;
        }
    }
    return !json->failed && hf_take(reader, line);
}

static bool hf_read_history(hf_reader *reader)
{
    ws_json_reader *json = &reader->json;

    if (!ws_json_reader_next(json)) {
        return false;
    }
    if (json->event != WS_JSON_LIST) {
        return ws_json_reader_refuse(json, "the history: `[`");
    }
    reader->has_history = true;
    while (ws_json_reader_next(json) && json->event != WS_JSON_LIST_END) {
        if (!hf_read_entry(reader)) {
            return false;
        }
    }
    return !json->failed;
}

static bool hf_read_all(hf_reader *reader)
{
    ws_json_reader *json = &reader->json;
    double wanted = 0;

    if (!ws_json_reader_next(json)) {
        return false;
    }
    if (json->event != WS_JSON_OBJECT) {
        return ws_json_reader_refuse(json, "the state of a trainer: `{`");
    }
    while (ws_json_reader_next(json) && json->event == WS_JSON_KEY) {
        bool is_read = ws_text_is(json->text, "log_history") ? hf_read_history(reader)
                       : ws_text_is(json->text, "max_steps") ? hf_read_number(reader, &wanted)
                                                             : ws_json_reader_skip(json);
        if (!is_read) {
            return false;
        }
    }
    if (json->failed || ws_json_reader_next(json) || json->failed) {
        return false;
    }
    reader->reading->found.steps_wanted = wanted > 0 && wanted < 1e10 ? (int64_t)wanted : 0;
    return reader->has_history ||
           ws_diag_error(reader->reading->diag, 6425, reader->reading->file->at,
                         "`%.*s` holds no `log_history`",
                         WS_TEXT_ARGS(reader->reading->file->shown));
}

static bool hf_read(ws_trace_steps_reading *reading)
{
    hf_reader *reader = ws_arena_alloc(reading->arena, hf_reader, 1);

    if (reader == NULL) {
        return ws_diag_error(reading->diag, 9020, ws_span_none, "not enough memory to read");
    }
    reader->reading = reading;
    if (!ws_json_reader_open(&reader->json, reading->file, &reading->options->limits,
                             reading->arena, reading->diag)) {
        return false;
    }
    bool is_read = hf_read_all(reader);

    return ws_json_reader_close(&reader->json) && is_read;
}

const ws_trace_steps_type ws_trace_hf_trainer = {
    .name = "hf-trainer",
    .summary = "trainer_state.json of Hugging Face's Trainer: losses, evaluations, the run's speed",
    .sniff = hf_sniff,
    .read = hf_read,
};
