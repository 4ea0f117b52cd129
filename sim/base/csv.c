/* SPDX-License-Identifier: GPL-3.0-or-later */
/* CSV as RFC 4180 has it, with LF; text that a spreadsheet would run is disarmed. */
#include <math.h>
#include <string.h>

#include "ws/number.h"
#include "ws/writer.h"

#define CSV_REPLACEMENT "\xEF\xBF\xBD" /* U+FFFD */

static void csv_begin_field(ws_writer *writer)
{
    WS_ASSERT(writer != NULL);

    if (writer->row_started) {
        ws_write_bytes(writer, ",", 1);
    }
    writer->row_started = true;
}

static bool csv_needs_quotes(ws_text field)
{
    for (size_t i = 0; i < field.length; i++) {
        if (field.start[i] == ',' || field.start[i] == '"' || field.start[i] == '\n' ||
            field.start[i] == '\r') {
            return true;
        }
    }
    return false;
}

/* Source: OWASP, "CSV Injection". */
static bool csv_looks_like_formula(ws_text field)
{
    return field.length > 0 && field.start[0] != '\0' &&
           memchr("=+-@\t\r", field.start[0], 6) != NULL;
}

/* Length of the run of valid characters from `from` on, up to and with the next quote. */
static size_t csv_run_length(ws_text field, size_t from)
{
    uint32_t scalar = 0;
    size_t end = from;

    while (end < field.length && scalar != '"') {
        size_t bytes = ws_text_decode(field, end, &scalar);

        if (scalar == WS_SCALAR_INVALID) {
            break;
        }
        end += bytes;
    }
    return end - from;
}

/* The text with quotes doubled, in valid UTF-8. */
static void csv_write_characters(ws_writer *writer, ws_text field)
{
    for (size_t i = 0; i < field.length;) {
        size_t bytes = csv_run_length(field, i);

        if (bytes == 0) {
            ws_write_string(writer, CSV_REPLACEMENT);
            i++;
            continue;
        }
        ws_write_bytes(writer, field.start + i, bytes);
        i += bytes;
        if (field.start[i - 1] == '"') {
            ws_write_bytes(writer, "\"", 1);
        }
    }
}

void ws_csv_text(ws_writer *writer, ws_text field)
{
    bool is_quoted = csv_needs_quotes(field);

    csv_begin_field(writer);
    if (is_quoted) {
        ws_write_bytes(writer, "\"", 1);
    }
    if (!writer->csv_raw && csv_looks_like_formula(field)) {
        ws_write_bytes(writer, "'", 1);
    }
    csv_write_characters(writer, field);
    if (is_quoted) {
        ws_write_bytes(writer, "\"", 1);
    }
}

void ws_csv_i64(ws_writer *writer, int64_t value)
{
    char text[WS_NUMBER_TEXT_BYTES];

    csv_begin_field(writer);
    ws_write_bytes(writer, text, ws_print_i64(value, text));
}

void ws_csv_u64(ws_writer *writer, uint64_t value)
{
    char text[WS_NUMBER_TEXT_BYTES];

    csv_begin_field(writer);
    ws_write_bytes(writer, text, ws_print_u64(value, text));
}

void ws_csv_f64(ws_writer *writer, double value)
{
    char text[WS_NUMBER_TEXT_BYTES];

    csv_begin_field(writer);
    if (isfinite(value)) {
        ws_write_bytes(writer, text, ws_print_f64(value, text));
    }
}

void ws_csv_bool(ws_writer *writer, bool value)
{
    csv_begin_field(writer);
    ws_write_string(writer, value ? "true" : "false");
}

void ws_csv_money(ws_writer *writer, ws_money value)
{
    char text[WS_TOTAL_TEXT_BYTES];

    csv_begin_field(writer);
    ws_write_bytes(writer, text, ws_money_print(value, text));
}

void ws_csv_gpu_h(ws_writer *writer, ws_gpu_time value)
{
    char text[WS_TOTAL_TEXT_BYTES];

    csv_begin_field(writer);
    ws_write_bytes(writer, text, ws_gpu_time_print_h(value, text));
}

void ws_csv_empty(ws_writer *writer)
{
    csv_begin_field(writer);
}

void ws_csv_end_row(ws_writer *writer)
{
    WS_ASSERT(writer->row_started);

    ws_write_bytes(writer, "\n", 1);
    writer->row_started = false;
}
