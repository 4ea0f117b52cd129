/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every function behind a key reads that key's value, whatever it is. */
#include "philly_json_read.h"

#include <string.h>

#include "clock.h"
#include "ws/assert.h"

/* The value behind a key as a text; anything else is none. */
static bool philly_read_text(ws_json_reader *json, ws_philly_text *text)
{
    if (!ws_json_reader_next(json)) {
        return false;
    }
    ws_text value = ws_text_trimmed(json->text);

    text->length = 0;
    if (json->event != WS_JSON_STRING) {
        return ws_json_reader_skip(json);
    }
    text->is_too_long = value.length > WS_PHILLY_TEXT_BYTES;
    if (value.length > 0 && !text->is_too_long) {
        memcpy(text->bytes, value.start, value.length);
        text->length = value.length;
    }
    return true;
}

/* The value behind a key as a time of the wall clock. */
static bool philly_read_time(ws_json_reader *json, int64_t *wall_ns)
{
    if (!ws_json_reader_next(json)) {
        return false;
    }
    ws_text value = json->text;

    *wall_ns = WS_TRACE_UNKNOWN_NS;
    if (json->event != WS_JSON_STRING) {
        return ws_json_reader_skip(json);
    }
    if (value.length > 0 && !ws_text_is(value, "None") && !ws_clock_parse(value, wall_ns)) {
        *wall_ns = WS_PHILLY_BAD_NS;
    }
    return true;
}

/* How many elements the list behind a key has; 0 of anything else. */
static bool philly_count_list(ws_json_reader *json, int64_t *count)
{
    if (!ws_json_reader_next(json)) {
        return false;
    }
    if (json->event != WS_JSON_LIST) {
        return ws_json_reader_skip(json);
    }
    while (ws_json_reader_next(json) && json->event != WS_JSON_LIST_END) {
        (*count)++;
        if (!ws_json_reader_skip(json)) {
            return false;
        }
    }
    return !json->failed;
}

/* One machine of an attempt: {ip, gpus}. */
static bool philly_read_machine(ws_json_reader *json, ws_philly_attempt *attempt)
{
    int64_t gpus = 0;

    if (json->event != WS_JSON_OBJECT) {
        return ws_json_reader_skip(json);
    }
    while (ws_json_reader_next(json) && json->event == WS_JSON_KEY) {
        bool is_read = ws_text_is(json->text, "gpus") ? philly_count_list(json, &gpus)
                                                      : ws_json_reader_skip(json);

        if (!is_read) {
            return false;
        }
    }
    attempt->gpus += gpus;
    attempt->machines += gpus > 0 ? 1 : 0;
    return !json->failed;
}

/* The list of machines behind a key. */
static bool philly_read_machines(ws_json_reader *json, ws_philly_attempt *attempt)
{
    if (!ws_json_reader_next(json)) {
        return false;
    }
    if (json->event != WS_JSON_LIST) {
        return ws_json_reader_skip(json);
    }
    while (ws_json_reader_next(json) && json->event != WS_JSON_LIST_END) {
        if (!philly_read_machine(json, attempt)) {
            return false;
        }
    }
    return !json->failed;
}

static bool philly_read_attempt(ws_json_reader *json, ws_philly_attempt *attempt)
{
    *attempt = (ws_philly_attempt){.start_ns = WS_TRACE_UNKNOWN_NS, .end_ns = WS_TRACE_UNKNOWN_NS};
    if (json->event != WS_JSON_OBJECT) {
        return ws_json_reader_skip(json);
    }
    while (ws_json_reader_next(json) && json->event == WS_JSON_KEY) {
        bool is_read = false;

        if (ws_text_is(json->text, "start_time")) {
            is_read = philly_read_time(json, &attempt->start_ns);
        } else if (ws_text_is(json->text, "end_time")) {
            is_read = philly_read_time(json, &attempt->end_ns);
        } else if (ws_text_is(json->text, "detail")) {
            is_read = philly_read_machines(json, attempt);
        } else {
            is_read = ws_json_reader_skip(json);
        }
        if (!is_read) {
            return false;
        }
    }
    return !json->failed;
}

static bool philly_read_attempts(ws_json_reader *json, ws_philly_job *job)
{
    ws_philly_attempt passed;

    if (!ws_json_reader_next(json)) {
        return false;
    }
    if (json->event != WS_JSON_LIST) {
        return ws_json_reader_skip(json);
    }
    while (ws_json_reader_next(json) && json->event != WS_JSON_LIST_END) {
        bool has_room = job->attempt_count < WS_TRACE_ATTEMPTS_MAX;

        if (!philly_read_attempt(json, has_room ? &job->attempts[job->attempt_count] : &passed)) {
            return false;
        }
        job->attempt_count++;
    }
    return !json->failed;
}

/* The value behind one key of a job. */
static bool philly_read_member(ws_json_reader *json, ws_philly_job *job)
{
    ws_text key = json->text;

    if (ws_text_is(key, "jobid")) {
        return philly_read_text(json, &job->id);
    }
    if (ws_text_is(key, "user")) {
        return philly_read_text(json, &job->user);
    }
    if (ws_text_is(key, "vc")) {
        return philly_read_text(json, &job->vc);
    }
    if (ws_text_is(key, "status")) {
        return philly_read_text(json, &job->status);
    }
    if (ws_text_is(key, "submitted_time")) {
        return philly_read_time(json, &job->submitted_ns);
    }
    if (ws_text_is(key, "attempts")) {
        return philly_read_attempts(json, job);
    }
    return ws_json_reader_skip(json);
}

/* A whole job; the current event is its brace. */
bool ws_philly_job_read(ws_json_reader *json, ws_philly_job *job)
{
    WS_ASSERT(job != NULL);
    if (json->event != WS_JSON_OBJECT) {
        return ws_json_reader_refuse(json, "a job: `{`");
    }
    job->line = json->place.line;
    job->at = ws_json_reader_span(json);
    job->id.length = job->user.length = job->vc.length = job->status.length = 0;
    job->id.is_too_long = false;
    job->submitted_ns = WS_TRACE_UNKNOWN_NS;
    job->attempt_count = 0;
    while (ws_json_reader_next(json) && json->event == WS_JSON_KEY) {
        if (!philly_read_member(json, job)) {
            return false;
        }
    }
    return !json->failed;
}
