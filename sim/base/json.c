/* SPDX-License-Identifier: GPL-3.0-or-later */
/* JSON as RFC 8259 has it. That each key and each bracket is in its place is a contract of the
 * caller, and checked. */
#include <math.h>
#include <string.h>

#include "ws/number.h"
#include "ws/writer.h"

#define JSON_REPLACEMENT "\xEF\xBF\xBD" /* U+FFFD */

static void json_break_line(ws_writer *writer)
{
    if (writer->compact) {
        return;
    }
    ws_write_bytes(writer, "\n", 1);
    for (int i = 0; i < writer->depth; i++) {
        ws_write_bytes(writer, " ", 1);
    }
}

/* One character, escaped where section 7 of the RFC asks for it. */
static void json_write_character(ws_writer *writer, uint32_t scalar, ws_text bytes)
{
    const char controls[] = "\b\f\n\r\t";
    const char letters[] = "bfnrt";
    const char *found = NULL;

    if (scalar == WS_SCALAR_INVALID) {
        ws_write_string(writer, JSON_REPLACEMENT);
    } else if (scalar == '"' || scalar == '\\') {
        ws_write_bytes(writer, "\\", 1);
        ws_write_text(writer, bytes);
    } else if (scalar >= 0x20) {
        ws_write_text(writer, bytes);
    } else {
        found = memchr(controls, (int)scalar, sizeof controls - 1);
        if (found != NULL) {
            ws_write_format(writer, "\\%c", letters[found - controls]);
        } else {
            ws_write_format(writer, "\\u%04x", (unsigned)scalar);
        }
    }
}

/* Length of the run of characters at `from` that stand for themselves, so that most text goes out
 * in one piece. */
static size_t json_plain_length(ws_text text, size_t from)
{
    size_t end = from;

    while (end < text.length && text.start[end] >= 0x20 && text.start[end] <= 0x7E &&
           text.start[end] != '"' && text.start[end] != '\\') {
        end++;
    }
    return end - from;
}

static void json_write_string(ws_writer *writer, ws_text text)
{
    WS_ASSERT(text.start != NULL || text.length == 0);

    ws_write_bytes(writer, "\"", 1);
    for (size_t i = 0; i < text.length;) {
        uint32_t scalar = 0;
        size_t bytes = json_plain_length(text, i);

        if (bytes > 0) {
            ws_write_bytes(writer, text.start + i, bytes);
        } else {
            bytes = ws_text_decode(text, i, &scalar);
            json_write_character(writer, scalar, ws_text_slice(text, i, i + bytes));
        }
        i += bytes;
    }
    ws_write_bytes(writer, "\"", 1);
}

/* Comma, line and key before a value. */
static void json_begin_value(ws_writer *writer, const char *key)
{
    int parent = writer->depth - 1;

    WS_ASSERT(writer->depth >= 0);

    if (parent < 0) {
        WS_ASSERT(key == NULL);
        return;
    }
    WS_ASSERT((key != NULL) == writer->is_object[parent]);
    if (writer->has_members[parent]) {
        ws_write_bytes(writer, ",", 1);
    }
    writer->has_members[parent] = true;
    json_break_line(writer);
    if (key != NULL) {
        json_write_string(writer, ws_text_of(key));
        ws_write_string(writer, writer->compact ? ":" : ": ");
    }
}

static void json_end_value(ws_writer *writer)
{
    if (writer->depth == 0) {
        ws_write_bytes(writer, "\n", 1);
    }
}

static void json_begin_group(ws_writer *writer, const char *key, bool is_object)
{
    WS_ASSERT(writer->depth < WS_JSON_DEPTH_MAX);

    json_begin_value(writer, key);
    ws_write_bytes(writer, is_object ? "{" : "[", 1);
    writer->has_members[writer->depth] = false;
    writer->is_object[writer->depth] = is_object;
    writer->depth++;
}

static void json_end_group(ws_writer *writer, bool is_object)
{
    WS_ASSERT(writer->depth > 0);

    writer->depth--;
    WS_ASSERT(writer->is_object[writer->depth] == is_object);
    if (writer->has_members[writer->depth]) {
        json_break_line(writer);
    }
    ws_write_bytes(writer, is_object ? "}" : "]", 1);
    json_end_value(writer);
}

void ws_json_begin_object(ws_writer *writer, const char *key)
{
    json_begin_group(writer, key, true);
}

void ws_json_end_object(ws_writer *writer)
{
    json_end_group(writer, true);
}

void ws_json_begin_list(ws_writer *writer, const char *key)
{
    json_begin_group(writer, key, false);
}

void ws_json_end_list(ws_writer *writer)
{
    json_end_group(writer, false);
}

void ws_json_text(ws_writer *writer, const char *key, ws_text value)
{
    json_begin_value(writer, key);
    json_write_string(writer, value);
    json_end_value(writer);
}

/* A value that needs no escape. */
static void json_write_plain(ws_writer *writer, const char *key, ws_text value)
{
    WS_ASSERT(value.length > 0);

    json_begin_value(writer, key);
    ws_write_text(writer, value);
    json_end_value(writer);
}

void ws_json_i64(ws_writer *writer, const char *key, int64_t value)
{
    char text[WS_NUMBER_TEXT_BYTES];
    size_t length = ws_print_i64(value, text);

    json_write_plain(writer, key, (ws_text){.start = text, .length = length});
}

void ws_json_u64(ws_writer *writer, const char *key, uint64_t value)
{
    char text[WS_NUMBER_TEXT_BYTES];
    size_t length = ws_print_u64(value, text);

    json_write_plain(writer, key, (ws_text){.start = text, .length = length});
}

void ws_json_f64(ws_writer *writer, const char *key, double value)
{
    char text[WS_NUMBER_TEXT_BYTES];

    if (!isfinite(value)) {
        ws_json_null(writer, key);
        return;
    }
    json_write_plain(writer, key, (ws_text){.start = text, .length = ws_print_f64(value, text)});
}

void ws_json_bool(ws_writer *writer, const char *key, bool value)
{
    json_write_plain(writer, key, value ? WS_TEXT("true") : WS_TEXT("false"));
}

void ws_json_null(ws_writer *writer, const char *key)
{
    json_write_plain(writer, key, WS_TEXT("null"));
}

void ws_json_money(ws_writer *writer, const char *key, ws_money value)
{
    char text[WS_TOTAL_TEXT_BYTES];
    size_t length = ws_money_print(value, text);

    json_write_plain(writer, key, (ws_text){.start = text, .length = length});
}

void ws_json_gpu_h(ws_writer *writer, const char *key, ws_gpu_time value)
{
    char text[WS_TOTAL_TEXT_BYTES];
    size_t length = ws_gpu_time_print_h(value, text);

    json_write_plain(writer, key, (ws_text){.start = text, .length = length});
}
