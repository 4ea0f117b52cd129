/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Documents as JSON, on one line. Numbers keep their digits; only what JSON does not know is put
 * right: a plus sign, leading zeros, a point without digits on one side.
 */
#include "buffer.h"
#include "ws/document.h"
#include "ws/glyph.h"

static const char json_digits[] = "0123456789abcdef";

/* The parts of a decimal number of YAML's core schema. */
typedef struct {
    bool negative;
    ws_text whole;    /* without leading zeros; may be empty */
    ws_text fraction; /* may be empty */
    ws_text exponent; /* sign and digits; empty: none */
} json_number;

static size_t json_digits_end(ws_text text, size_t from)
{
    while (from < text.length && text.start[from] >= '0' && text.start[from] <= '9') {
        from++;
    }
    return from;
}

static bool json_is_at(ws_text text, size_t at, const char *bytes)
{
    for (const char *byte = bytes; at < text.length && *byte != '\0'; byte++) {
        if (text.start[at] == *byte) {
            return true;
        }
    }
    return false;
}

/* False unless the whole text is a number. */
static bool json_number_parse(ws_text text, json_number *number)
{
    size_t at = json_is_at(text, 0, "+-") ? 1 : 0;
    size_t end = json_digits_end(text, at);

    *number = (json_number){.negative = json_is_at(text, 0, "-")};
    number->whole = ws_text_slice(text, at, end);
    if (json_is_at(text, end, ".")) {
        at = end + 1;
        end = json_digits_end(text, at);
        number->fraction = ws_text_slice(text, at, end);
    }
    if (number->whole.length + number->fraction.length == 0) {
        return false;
    }
    if (json_is_at(text, end, "eE")) {
        at = end + 1;
        end = json_digits_end(text, at + (json_is_at(text, at, "+-") ? 1 : 0));
        number->exponent = ws_text_slice(text, at, end);
        if (end == at || text.start[end - 1] < '0' || text.start[end - 1] > '9') {
            return false;
        }
    }
    while (number->whole.length > 0 && number->whole.start[0] == '0') {
        number->whole = ws_text_slice(number->whole, 1, number->whole.length);
    }
    return end == text.length;
}

static void json_add_number(ws_buffer *out, const json_number *number)
{
    if (number->negative) {
        ws_buffer_add_string(out, "-");
    }
    ws_buffer_add(out, number->whole.length > 0 ? number->whole : WS_TEXT("0"));
    if (number->fraction.length > 0) {
        ws_buffer_add_string(out, ".");
        ws_buffer_add(out, number->fraction);
    }
    if (number->exponent.length > 0) {
        ws_buffer_add_string(out, "e");
        ws_buffer_add(out, number->exponent);
    }
}

static void json_add_escape(ws_buffer *out, uint32_t scalar)
{
    char escape[6] = {'\\', 'u'};

    WS_ASSERT(scalar <= 0xFFFF);

    for (size_t i = 0; i < 4; i++) {
        escape[2 + i] = json_digits[scalar >> 4 * (3 - i) & 0xFu];
    }
    ws_buffer_add(out, (ws_text){.start = escape, .length = sizeof escape});
}

/* A byte that is no UTF-8 becomes U+FFFD, the replacement character. `bytes` are those of the
 * scalar. */
static void json_add_character(ws_buffer *out, uint32_t scalar, ws_text bytes)
{
    if (scalar == WS_SCALAR_INVALID) {
        json_add_escape(out, 0xFFFD);
        return;
    }
    if (scalar == '\n') {
        ws_buffer_add_string(out, "\\n");
        return;
    }
    if (ws_glyph_is_hidden(scalar)) {
        json_add_escape(out, scalar);
        return;
    }
    if (scalar == '"' || scalar == '\\') {
        ws_buffer_add_string(out, "\\");
    }
    ws_buffer_add(out, bytes);
}

static void json_add_string(ws_buffer *out, ws_text text)
{
    uint32_t scalar = 0;

    ws_buffer_add_string(out, "\"");
    for (size_t i = 0; i < text.length;) {
        size_t length = ws_text_decode(text, i, &scalar);

        json_add_character(out, scalar, ws_text_slice(text, i, i + length));
        i += length;
    }
    ws_buffer_add_string(out, "\"");
}

static void json_add_scalar(ws_buffer *out, const ws_document *document)
{
    bool truth = false;
    json_number number;

    if (ws_document_bool(document, &truth)) {
        ws_buffer_add_string(out, truth ? "true" : "false");
    } else if (!document->quoted && json_number_parse(document->scalar, &number)) {
        json_add_number(out, &number);
    } else {
        json_add_string(out, document->scalar);
    }
}

static void json_add(ws_buffer *out, const ws_document *document)
{
    bool is_map = document->kind == WS_DOCUMENT_MAP;

    if (document->kind == WS_DOCUMENT_NULL) {
        ws_buffer_add_string(out, "null");
        return;
    }
    if (document->kind == WS_DOCUMENT_SCALAR) {
        json_add_scalar(out, document);
        return;
    }
    ws_buffer_add_string(out, is_map ? "{" : "[");
    for (size_t i = 0; i < document->count; i++) {
        ws_buffer_add_string(out, i > 0 ? ", " : "");
        if (is_map) {
            json_add_string(out, document->entries[i].key);
            ws_buffer_add_string(out, ": ");
        }
        json_add(out, document->entries[i].value);
    }
    ws_buffer_add_string(out, is_map ? "}" : "]");
}

ws_text ws_document_print_json(const ws_document *document, ws_arena *arena)
{
    ws_buffer out;

    WS_ASSERT(document != NULL);

    ws_buffer_init(&out, arena);
    json_add(&out, document);
    return ws_buffer_text(&out);
}
