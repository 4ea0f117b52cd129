/* SPDX-License-Identifier: GPL-3.0-or-later */
/** A job of the Philly log as the file has it: the file's words, times of its wall clock. */
#ifndef WS_TRACES_PHILLY_JSON_READ_H
#define WS_TRACES_PHILLY_JSON_READ_H

#include "json_reader.h"
#include "ws/trace.h"

#define WS_PHILLY_TEXT_BYTES 1024
#define WS_PHILLY_BAD_NS (WS_TRACE_UNKNOWN_NS + 1) /* a text that is no date */

typedef struct {
    char bytes[WS_PHILLY_TEXT_BYTES];
    size_t length;
    bool is_too_long;
} ws_philly_text;

typedef struct {
    int64_t start_ns; /* on the wall clock, or unknown, or bad */
    int64_t end_ns;
    int64_t gpus;
    int64_t machines;
} ws_philly_attempt;

/* One job as the file has it. */
typedef struct {
    ws_philly_text id;
    ws_philly_text user;
    ws_philly_text vc;
    ws_philly_text status;
    int64_t submitted_ns;        /* as an attempt's times */
    ws_philly_attempt *attempts; /* room for WS_TRACE_ATTEMPTS_MAX */
    int64_t attempt_count;
    int64_t line;
    ws_span at;
} ws_philly_job;

/**
 * Reads a whole job, whose brace is the current event. What is of another kind than expected counts
 * as absent.
 *
 * @param job  its attempts have room for WS_TRACE_ATTEMPTS_MAX; more are counted and not kept
 * @return     false with an error: no object, or JSON that cannot be read
 */
WS_NODISCARD bool ws_philly_job_read(ws_json_reader *json, ws_philly_job *job);

#endif
