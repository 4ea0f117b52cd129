/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What may stand where. Keys are told apart by a 64-bit hash: two
 * different keys of one object with the same hash are reported as one that appears twice, which
 * does not happen by chance.
 */
#include "json_token.h"

#include "ws/assert.h"

bool ws_json_reader_open(ws_json_reader *json, const ws_file_name *file,
                         const ws_input_limits *limits, ws_arena *arena, ws_diag *diag)
{
    WS_ASSERT(json != NULL);
    WS_ASSERT(file != NULL);
    WS_ASSERT(arena != NULL);
    WS_ASSERT(diag != NULL);

    *json = (ws_json_reader){.shown = file->shown,
                             .at_name = file->at,
                             .diag = diag,
                             .errors_before = diag->error_count,
                             .here = {.line = 1, .column = 1}};
    json->keys =
        ws_arena_alloc(arena, uint64_t, (size_t)WS_JSON_READER_DEPTH_MAX * WS_JSON_READER_KEYS_MAX);
    json->text_bytes = ws_arena_alloc(arena, char, WS_JSON_READER_TEXT_MAX);
    if (json->keys == NULL || json->text_bytes == NULL) {
        return ws_diag_error(diag, 9020, ws_span_none, "not enough memory to read a trace");
    }
    return ws_input_open(&json->input, file, limits, diag);
}

bool ws_json_reader_close(ws_json_reader *json)
{
    bool is_read = false;

    WS_ASSERT(json != NULL);
    WS_ASSERT(json->input != NULL);

    is_read = ws_input_close(json->input);
    json->input = NULL;
    return is_read && !json->failed;
}

ws_span ws_json_reader_span(const ws_json_reader *json)
{
    WS_ASSERT(json != NULL);

    return ws_json_span(json, json->place);
}

bool ws_json_reader_refuse(ws_json_reader *json, const char *expected)
{
    WS_ASSERT(json != NULL);
    WS_ASSERT(expected != NULL);

    json->failed = true;
    return ws_diag_error(json->diag, 1607, ws_json_reader_span(json), "expected %s", expected);
}

static bool json_open_level(ws_json_reader *json, bool is_object)
{
    if (json->depth == WS_JSON_READER_DEPTH_MAX) {
        return ws_json_fail(json, 9002, json->place, "lists and maps are nested beyond 64 levels");
    }
    json->levels[json->depth++] =
        (ws_json_level){.is_object = is_object, .is_empty = true, .opened = json->place};
    json->event = is_object ? WS_JSON_OBJECT : WS_JSON_LIST;
    ws_json_pass(json);
    return true;
}

/* What stands where a value or a key should. */
static bool json_fail_byte(ws_json_reader *json, int byte, const char *message)
{
    if (byte == WS_JSON_NO_BYTE) {
        return ws_json_fail_cut(json);
    }
    if (byte == '/' || byte == '#') {
        return ws_json_fail(json, 1601, json->here, "JSON has no comments");
    }
    if (byte == 0) {
        return ws_json_fail(json, 1601, json->here, "a NUL byte: this is no text file");
    }
    return ws_json_fail(json, 1601, json->here, message);
}

static bool json_read_value(ws_json_reader *json, int byte)
{
    json->needs_value = false;
    if (byte == '{' || byte == '[') {
        return json_open_level(json, byte == '{');
    }
    if (byte == '"') {
        json->event = WS_JSON_STRING;
        return ws_json_take_text(json);
    }
    if (byte == '-' || (byte >= '0' && byte <= '9')) {
        return ws_json_take_number(json);
    }
    if ((byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z')) {
        return ws_json_take_word(json);
    }
    return json_fail_byte(json, byte, "expected a value");
}

/* Remembers a key of the current level; fails when it is there already. */
static bool json_note_key(ws_json_reader *json)
{
    ws_json_level *level = &json->levels[json->depth - 1];
    uint64_t *keys = json->keys + (size_t)(json->depth - 1) * WS_JSON_READER_KEYS_MAX;
    uint64_t hash = ws_text_hash(json->text);

    for (int32_t i = 0; i < level->keys; i++) {
        if (keys[i] == hash) {
            json->failed = true;
            json->event = WS_JSON_END;
            return ws_diag_error(json->diag, 1605, ws_json_span(json, json->place),
                                 "key `%.*s` appears twice",
                                 WS_TEXT_ARGS(ws_text_beginning(json->text, 60)));
        }
    }
    if (level->keys == WS_JSON_READER_KEYS_MAX) {
        return ws_json_fail(json, 9004, json->place, "a map has more than 1,024 keys");
    }
    keys[level->keys++] = hash;
    return true;
}

static bool json_read_key(ws_json_reader *json, int byte)
{
    if (byte != '"') {
        return json_fail_byte(json, byte, "expected a key in double quotes");
    }
    json->event = WS_JSON_KEY;
    if (!ws_json_take_text(json) || !json_note_key(json)) {
        return false;
    }
    byte = ws_json_peek_behind_blanks(json);
    if (byte != ':') {
        return json_fail_byte(json, byte, "expected a `:` behind the key");
    }
    ws_json_pass(json);
    json->needs_value = true;
    return true;
}

/* Within a list or an object, not behind a key. */
static bool json_read_member(ws_json_reader *json, int byte)
{
    ws_json_level *level = &json->levels[json->depth - 1];
    int close = level->is_object ? '}' : ']';

    if (byte == close) {
        json->event = level->is_object ? WS_JSON_OBJECT_END : WS_JSON_LIST_END;
        json->depth--;
        ws_json_pass(json);
        return true;
    }
    if (!level->is_empty) {
        if (byte != ',') {
            return json_fail_byte(json, byte,
                                  level->is_object ? "expected `,` or `}`" : "expected `,` or `]`");
        }
        ws_json_pass(json);
        byte = ws_json_peek_behind_blanks(json);
        json->place = json->here;
        if (byte == close) {
            return ws_json_fail(json, 1601, json->here,
                                "a comma stands before the closing bracket");
        }
    }
    level->is_empty = false;
    return level->is_object ? json_read_key(json, byte) : json_read_value(json, byte);
}

bool ws_json_reader_next(ws_json_reader *json)
{
    int byte = 0;
    bool is_read = false;

    WS_ASSERT(json != NULL);
    WS_ASSERT(json->input != NULL);

    if (json->failed) {
        return false;
    }
    byte = ws_json_peek_behind_blanks(json);
    json->place = json->here;
    json->text = (ws_text){.start = NULL};
    if (json->depth == 0 && json->has_begun && !(json->is_sequence && byte != WS_JSON_NO_BYTE)) {
        json->event = WS_JSON_END;
        return byte == WS_JSON_NO_BYTE ? false
                                       : ws_json_fail(json, 1606, json->here,
                                                      "text stands behind the value of the file");
    }
    json->has_begun = true;
    is_read = json->depth == 0 || json->needs_value ? json_read_value(json, byte)
                                                    : json_read_member(json, byte);
    return is_read && !json->failed;
}

bool ws_json_reader_skip(ws_json_reader *json)
{
    int32_t depth = 0;

    WS_ASSERT(json != NULL);
    if (json->event == WS_JSON_KEY && !ws_json_reader_next(json)) {
        return false;
    }
    if (json->event != WS_JSON_OBJECT && json->event != WS_JSON_LIST) {
        return !json->failed;
    }
    depth = json->depth - 1;
    while (json->depth > depth) {
        if (!ws_json_reader_next(json)) {
            return false;
        }
    }
    return true;
}
