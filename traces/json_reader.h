/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * JSON (RFC 8259) of any length, one event after the other, in constant memory.
 *
 * The caller pulls: ws_json_reader_next() gives the next bracket, key or value; a list of a million
 * objects is never in memory. Lists and objects may be nested WS_JSON_READER_DEPTH_MAX deep, an
 * object may have WS_JSON_READER_KEYS_MAX keys, a text WS_JSON_READER_TEXT_MAX bytes. A key that
 * appears twice in an object is an error. A file holds one value, or several with `is_sequence`. A
 * UTF-8 byte-order mark at the start is passed over.
 */
#ifndef WS_TRACES_JSON_READER_H
#define WS_TRACES_JSON_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ws/arena.h"
#include "ws/diag.h"
#include "ws/input.h"
#include "ws/text.h"

#define WS_JSON_READER_DEPTH_MAX 64
#define WS_JSON_READER_KEYS_MAX 1024
#define WS_JSON_READER_TEXT_MAX ((size_t)64 << 10)

typedef enum {
    WS_JSON_END, /* of the file, or an error */
    WS_JSON_OBJECT,
    WS_JSON_OBJECT_END,
    WS_JSON_LIST,
    WS_JSON_LIST_END,
    WS_JSON_KEY,
    WS_JSON_STRING,
    WS_JSON_NUMBER,
    WS_JSON_TRUE,
    WS_JSON_FALSE,
    WS_JSON_NULL
} ws_json_event;

typedef struct {
    int64_t line;   /* from 1 */
    int64_t column; /* from 1, in Unicode scalar values */
} ws_json_place;

/** A list or an object that is open. */
typedef struct {
    bool is_object;
    bool is_empty; /* nothing was read inside yet */
    ws_json_place opened;
    int32_t keys; /* so far */
} ws_json_level;

typedef struct {
    ws_input *input;
    ws_text shown;
    ws_span at_name;
    ws_diag *diag;
    size_t errors_before;
    ws_text chunk; /* what is at hand, from byte `at` on */
    size_t at;
    ws_json_place here; /* of the next byte */
    bool was_cr;        /* an LF that follows belongs to it */
    bool has_begun;
    bool needs_value; /* behind a key */
    bool is_sequence; /* set behind open: values may stand one after the other */
    bool failed;
    int32_t depth;
    ws_json_level levels[WS_JSON_READER_DEPTH_MAX];
    uint64_t *keys;   /* hashes of the keys of every level, WS_JSON_READER_KEYS_MAX for each */
    char *text_bytes; /* room for WS_JSON_READER_TEXT_MAX */
    size_t text_length;

    ws_json_event event; /* the current one */
    ws_text text;        /* of a key, a string (its escapes resolved) or a number; until the next */
    ws_json_place place; /* where the event begins */
} ws_json_reader;

/** Opens a file, whose name's texts must outlive the reader. False with a diagnostic; nothing to
 * close then. */
WS_NODISCARD bool ws_json_reader_open(ws_json_reader *json, const ws_file_name *file,
                                      const ws_input_limits *limits, ws_arena *arena,
                                      ws_diag *diag);

/**
 * The next event. False at the end of the file or with an error: WS1601 to WS1606, and beyond a
 * bound WS9002 (depth), WS9004 (keys), WS9005 (a text). Numbers are checked to be finite.
 */
WS_NODISCARD bool ws_json_reader_next(ws_json_reader *json);

/**
 * Passes over the value that the current event begins; behind a key, over its value. The event is
 * the last of the value then. False with an error.
 */
WS_NODISCARD bool ws_json_reader_skip(ws_json_reader *json);

/** Reports at the current event that something else was expected: WS1607, "expected WHAT". Always
 * false, for `return ws_json_reader_refuse(...)`. */
bool ws_json_reader_refuse(ws_json_reader *json, const char *expected);

/** The current event's place, without its line. */
ws_span ws_json_reader_span(const ws_json_reader *json);

/** Closes. False when anything had failed, or the file is empty (WS6100). */
WS_NODISCARD bool ws_json_reader_close(ws_json_reader *json);

#endif
