/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bytes are taken one by one from the chunk at hand. */
#include "json_token.h"

#include <string.h>

#include "ws/assert.h"
#include "ws/number.h"

/* --- places and faults ----------------------------------------------------------------------- */

ws_span ws_json_span(const ws_json_reader *json, ws_json_place place)
{
    ws_source *source = ws_arena_alloc(json->diag->arena, ws_source, 1);

    if (source == NULL) {
        return ws_span_none;
    }
    source->name = json->shown;
    return (ws_span){.source = source,
                     .line = place.line > INT32_MAX ? INT32_MAX : (int32_t)place.line,
                     .column = place.column > INT32_MAX ? INT32_MAX : (int32_t)place.column,
                     .length = 1};
}

bool ws_json_fail(ws_json_reader *json, int code, ws_json_place place, const char *message)
{
    bool is_told = json->failed; /* by the input */

    json->failed = true;
    json->event = WS_JSON_END;
    return is_told ? false
                   : ws_diag_error(json->diag, code, ws_json_span(json, place), "%s", message);
}

/* The file ends too early: told where what is open began. */
bool ws_json_fail_cut(ws_json_reader *json)
{
    const ws_json_level *level = json->depth > 0 ? &json->levels[json->depth - 1] : NULL;

    if (level == NULL) {
        bool is_told = json->failed;

        json->failed = true;
        return is_told ? false
                       : ws_diag_error(json->diag, 6100, json->at_name, "`%.*s` is empty",
                                       WS_TEXT_ARGS(json->shown));
    }
    return ws_json_fail(json, 1602, level->opened,
                        level->is_object ? "the file ends before this `{` is closed"
                                         : "the file ends before this `[` is closed");
}

/* --- bytes ----------------------------------------------------------------------------------- */

/* The next byte, or WS_JSON_NO_BYTE at the end. */
int ws_json_peek(ws_json_reader *json)
{
    if (json->at == json->chunk.length) {
        json->at = 0;
        if (!ws_input_read_chunk(json->input, &json->chunk)) {
            json->chunk.length = 0;
            json->failed = json->failed || json->diag->error_count > json->errors_before;
            return WS_JSON_NO_BYTE;
        }
    }
    return (unsigned char)json->chunk.start[json->at];
}

/* Moves behind the byte that was peeked. */
void ws_json_pass(ws_json_reader *json)
{
    unsigned char byte = (unsigned char)json->chunk.start[json->at++];

    if (byte == '\r' || (byte == '\n' && !json->was_cr)) {
        json->here.line++;
        json->here.column = 1;
    } else if (byte != '\n' && (byte & 0xC0) != 0x80) {
        json->here.column++;
    }
    json->was_cr = byte == '\r';
}

int ws_json_peek_behind_blanks(ws_json_reader *json)
{
    int byte = ws_json_peek(json);

    while (byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r') {
        ws_json_pass(json);
        byte = ws_json_peek(json);
    }
    return byte;
}

/* Appends to the text of the current event. */
static bool json_add_byte(ws_json_reader *json, int byte)
{
    if (json->text_length == WS_JSON_READER_TEXT_MAX) {
        return ws_json_fail(json, 9005, json->place, "a text is longer than 64 KiB");
    }
    json->text_bytes[json->text_length++] = (char)byte;
    return true;
}

static bool json_add_scalar(ws_json_reader *json, uint32_t scalar)
{
    if (scalar < 0x80) {
        return json_add_byte(json, (int)scalar);
    }
    if (scalar < 0x800) {
        return json_add_byte(json, (int)(0xC0 | scalar >> 6)) &&
               json_add_byte(json, (int)(0x80 | (scalar & 0x3F)));
    }
    if (scalar < 0x10000) {
        return json_add_byte(json, (int)(0xE0 | scalar >> 12)) &&
               json_add_byte(json, (int)(0x80 | (scalar >> 6 & 0x3F))) &&
               json_add_byte(json, (int)(0x80 | (scalar & 0x3F)));
    }
    return json_add_byte(json, (int)(0xF0 | scalar >> 18)) &&
           json_add_byte(json, (int)(0x80 | (scalar >> 12 & 0x3F))) &&
           json_add_byte(json, (int)(0x80 | (scalar >> 6 & 0x3F))) &&
           json_add_byte(json, (int)(0x80 | (scalar & 0x3F)));
}

/* --- texts ----------------------------------------------------------------------------------- */

static bool json_fail_text(ws_json_reader *json, ws_json_place place, const char *message)
{
    if (ws_json_peek(json) == WS_JSON_NO_BYTE) {
        return ws_json_fail(json, 1602, json->place, "the file ends before this text is closed");
    }
    return ws_json_fail(json, 1603, place, message);
}

/* Four hexadecimal digits. */
static bool json_read_hex(ws_json_reader *json, ws_json_place at, uint32_t *value)
{
    uint32_t sum = 0;

    for (int i = 0; i < 4; i++) {
        int byte = ws_json_peek(json);
        int digit = byte >= '0' && byte <= '9'   ? byte - '0'
                    : byte >= 'a' && byte <= 'f' ? byte - 'a' + 10
                    : byte >= 'A' && byte <= 'F' ? byte - 'A' + 10
                                                 : -1;

        if (digit < 0) {
            return json_fail_text(json, at, "`\\u` needs four hexadecimal digits");
        }
        sum = sum << 4 | (uint32_t)digit;
        ws_json_pass(json);
    }
    *value = sum;
    return true;
}

/* The second half of a surrogate pair, as an escape of its own. */
static bool json_read_low_surrogate(ws_json_reader *json, ws_json_place at, uint32_t *scalar)
{
    static const char message[] = "half of a surrogate pair";
    uint32_t low = 0;

    for (const char *expected = "\\u"; *expected != '\0'; expected++) {
        if (ws_json_peek(json) != *expected) {
            return json_fail_text(json, at, message);
        }
        ws_json_pass(json);
    }
    if (!json_read_hex(json, at, &low)) {
        return false;
    }
    if (low < 0xDC00 || low > 0xDFFF) {
        return json_fail_text(json, at, message);
    }
    *scalar = 0x10000 + ((*scalar - 0xD800) << 10) + (low - 0xDC00);
    return true;
}

static bool json_read_unicode(ws_json_reader *json, ws_json_place at)
{
    uint32_t scalar = 0;

    if (!json_read_hex(json, at, &scalar)) {
        return false;
    }
    if (scalar >= 0xDC00 && scalar <= 0xDFFF) {
        return json_fail_text(json, at, "half of a surrogate pair");
    }
    if (scalar >= 0xD800 && scalar <= 0xDBFF && !json_read_low_surrogate(json, at, &scalar)) {
        return false;
    }
    if (scalar == 0) {
        return json_fail_text(json, at, "a NUL character");
    }
    return json_add_scalar(json, scalar);
}

/* Behind a backslash at `at`. */
static bool json_read_escape(ws_json_reader *json, ws_json_place at)
{
    static const char letters[] = "\"\\/bfnrt";
    static const char meanings[] = "\"\\/\b\f\n\r\t";
    int byte = ws_json_peek(json);
    const char *found = byte > 0 ? memchr(letters, byte, sizeof letters - 1) : NULL;

    if (found != NULL) {
        ws_json_pass(json);
        return json_add_byte(json, meanings[found - letters]);
    }
    if (byte != 'u') {
        return json_fail_text(json, at, "JSON does not know this escape");
    }
    ws_json_pass(json);
    return json_read_unicode(json, at);
}

static bool json_text_is_utf8(ws_text text)
{
    uint32_t scalar = 0;

    for (size_t i = 0; i < text.length;) {
        i += (unsigned char)text.start[i] < 0x80 ? 1 : ws_text_decode(text, i, &scalar);
        if (scalar == WS_SCALAR_INVALID) {
            return false;
        }
    }
    return true;
}

/* A text; its opening quote is the next byte. */
bool ws_json_take_text(ws_json_reader *json)
{
    json->text_length = 0;
    ws_json_pass(json);
    for (;;) {
        ws_json_place at = json->here;
        int byte = ws_json_peek(json);
        bool is_added = true;

        if (byte == '"') {
            break;
        }
        if (byte < 0x20) { /* the end of the file too */
            return json_fail_text(json, at, "a control character in a text: write it as an escape");
        }
        ws_json_pass(json);
        is_added = byte == '\\' ? json_read_escape(json, at) : json_add_byte(json, byte);
        if (!is_added) {
            return false;
        }
    }
    ws_json_pass(json);
    json->text = (ws_text){.start = json->text_bytes, .length = json->text_length};
    return json_text_is_utf8(json->text) ||
           ws_json_fail(json, 1603, json->place, "a text that is no UTF-8");
}

/* --- values ---------------------------------------------------------------------------------- */

/* Digits with an optional fraction and exponent, no zero in front of others. */
static bool json_is_number(ws_text text)
{
    size_t at = text.length > 0 && text.start[0] == '-' ? 1 : 0;

    if (at == text.length || text.start[at] < '0' || text.start[at] > '9') {
        return false;
    }
    if (text.start[at] == '0' && at + 1 < text.length && text.start[at + 1] >= '0' &&
        text.start[at + 1] <= '9') {
        return false;
    }
    for (; at < text.length; at++) {
        bool has_digit =
            at + 1 < text.length && text.start[at + 1] >= '0' && text.start[at + 1] <= '9';

        if (text.start[at] == '.' && !has_digit) {
            return false;
        }
    }
    return text.start[text.length - 1] != '.';
}

bool ws_json_take_number(ws_json_reader *json)
{
    double value = 0;
    int byte = ws_json_peek(json);

    json->text_length = 0;
    while ((byte >= '0' && byte <= '9') || byte == '-' || byte == '+' || byte == '.' ||
           byte == 'e' || byte == 'E') {
        if (!json_add_byte(json, byte)) {
            return false;
        }
        ws_json_pass(json);
        byte = ws_json_peek(json);
    }
    json->text = (ws_text){.start = json->text_bytes, .length = json->text_length};
    json->event = WS_JSON_NUMBER;
    if (!json_is_number(json->text)) {
        return ws_json_fail(json, 1604, json->place, "this is no number of JSON");
    }
    if (!ws_parse_f64(json->text, &value)) {
        return ws_json_fail(json, 1604, json->place, "this number is malformed or too large");
    }
    return true;
}

/* true, false, null. */
bool ws_json_take_word(ws_json_reader *json)
{
    static const struct {
        const char *word;
        ws_json_event event;
    } words[] = {{"true", WS_JSON_TRUE}, {"false", WS_JSON_FALSE}, {"null", WS_JSON_NULL}};
    int byte = ws_json_peek(json);

    json->text_length = 0;
    while (((byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z')) &&
           json->text_length < sizeof "Infinity") {
        json->text_bytes[json->text_length++] = (char)byte;
        ws_json_pass(json);
        byte = ws_json_peek(json);
    }
    json->text = (ws_text){.start = json->text_bytes, .length = json->text_length};
    for (size_t i = 0; i < WS_COUNT_OF(words); i++) {
        if (ws_text_is(json->text, words[i].word)) {
            json->event = words[i].event;
            return true;
        }
    }
    if (byte == WS_JSON_NO_BYTE) {
        return ws_json_fail_cut(json);
    }
    json->failed = true;
    json->event = WS_JSON_END;
    return ws_diag_error(json->diag, 1601, ws_json_span(json, json->place),
                         "`%.*s` is no value of JSON", WS_TEXT_ARGS(json->text));
}
