/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "steps_line.h"

#include <math.h>
#include <string.h>

#include "clock.h"
#include "ws/number.h"

#define LINE_DATE_BYTES 160  /* of the line, in which its date begins */
#define LINE_NUMBER_BYTES 64 /* of a number, with its commas */
#define LINE_COUNT_DIGITS 10 /* sums of WS_TRACE_REPORTS_MAX such numbers fit into 64 bits */

static bool line_is_digit(char byte)
{
    return byte >= '0' && byte <= '9';
}

static bool line_is_letter(char byte)
{
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');
}

/* Index behind an escape sequence that begins at `at`. */
static size_t line_behind_escape(ws_text line, size_t at)
{
    at++;
    if (at >= line.length || line.start[at] != '[') {
        return at;
    }
    at++;
    while (at < line.length && !line_is_letter(line.start[at])) {
        at++;
    }
    return at < line.length ? at + 1 : at;
}

ws_text ws_steps_plain(ws_text line, char *room)
{
    size_t to = 0;

    WS_ASSERT(line.length <= WS_STEPS_LINE_BYTES);
    if (ws_text_find_byte(line, '\x1B') == line.length) {
        return line;
    }
    for (size_t i = 0; i < line.length;) {
        if (line.start[i] == '\x1B') {
            i = line_behind_escape(line, i);
        } else {
            room[to++] = line.start[i++];
        }
    }
    return (ws_text){.start = room, .length = to};
}

static ws_text line_without_blanks(ws_text text)
{
    size_t at = 0;

    while (at < text.length && (text.start[at] == ' ' || text.start[at] == '\t')) {
        at++;
    }
    return ws_text_slice(text, at, text.length);
}

/* `[rank3]:`, `[default3]:`: letters and digits in brackets. */
static ws_text line_bracketed(ws_text line, int64_t *rank)
{
    size_t at = 1;
    int64_t number = 0;
    ws_text rest = {.start = NULL};

    while (at < line.length && line_is_letter(line.start[at])) {
        at++;
    }
    if (at > 1 && ws_steps_count(ws_text_slice(line, at, line.length), &number, &rest) &&
        line_is_digit(line.start[at]) && ws_text_starts_with(rest, WS_TEXT("]:"))) {
        *rank = number;
        return ws_text_slice(rest, 2, rest.length);
    }
    return line;
}

ws_text ws_steps_unlabelled(ws_text line, int64_t *rank)
{
    ws_text text = line_without_blanks(line);
    ws_text rest = {.start = NULL};
    int64_t number = 0;

    WS_ASSERT(rank != NULL);
    if (ws_text_starts_with(text, WS_TEXT("stdout: "))) {
        return ws_text_slice(text, 8, text.length);
    }
    if (text.length > 0 && text.start[0] == '[') {
        return line_bracketed(text, rank);
    }
    if (ws_steps_count(text, &number, &rest) && ws_text_starts_with(rest, WS_TEXT(": "))) {
        *rank = number;
        return ws_text_slice(rest, 2, rest.length);
    }
    return text;
}

/* `,985` or `.985` behind the seconds, as ns. */
static int64_t line_milliseconds(ws_text text)
{
    bool has = text.length >= 4 && (text.start[0] == ',' || text.start[0] == '.');

    for (size_t i = 1; has && i < 4; i++) {
        has = line_is_digit(text.start[i]);
    }
    return has ? ((text.start[1] - '0') * 100 + (text.start[2] - '0') * 10 + text.start[3] - '0') *
                     INT64_C(1000000)
               : 0;
}

bool ws_steps_date(ws_text line, int64_t *at_ns)
{
    const size_t bytes = 19; /* YYYY-MM-DD HH:MM:SS */

    WS_ASSERT(at_ns != NULL);
    for (size_t i = 0; i + bytes <= line.length && i < LINE_DATE_BYTES; i++) {
        if (line.start[i + 4] == '-' && ws_clock_parse(ws_text_slice(line, i, i + bytes), at_ns)) {
            *at_ns += line_milliseconds(ws_text_slice(line, i + bytes, line.length));
            return true;
        }
    }
    return false;
}

bool ws_steps_behind(ws_text line, const char *word, ws_text *rest)
{
    size_t length = strlen(word);

    WS_ASSERT(length > 0);
    for (size_t i = 0; i + length <= line.length; i++) {
        const char *next = memchr(line.start + i, word[0], line.length - i);

        if (next == NULL) {
            return false;
        }
        i = (size_t)(next - line.start);
        if (i + length <= line.length && memcmp(next, word, length) == 0) {
            *rest = ws_text_slice(line, i + length, line.length);
            return true;
        }
    }
    return false;
}

static bool line_is_of_number(char byte)
{
    return line_is_digit(byte) || byte == '.' || byte == '-' || byte == '+' || byte == 'e' ||
           byte == 'E';
}

/* A comma within digits in groups of three. */
static bool line_is_group(ws_text text, size_t at)
{
    if (at == 0 || at + 3 >= text.length || text.start[at] != ',') {
        return false;
    }
    for (size_t i = at + 1; i <= at + 3; i++) {
        if (!line_is_digit(text.start[i])) {
            return false;
        }
    }
    return at + 4 >= text.length || !line_is_digit(text.start[at + 4]);
}

static bool line_is_nan(ws_text text)
{
    static const char *const words[] = {"nan", "NaN", "inf", "-inf", "Inf", "-nan"};

    for (size_t i = 0; i < WS_COUNT_OF(words); i++) {
        if (ws_text_starts_with(text, ws_text_of(words[i]))) {
            return true;
        }
    }
    return false;
}

bool ws_steps_number(ws_text text, double *value)
{
    char digits[LINE_NUMBER_BYTES];
    ws_text from = line_without_blanks(text);
    size_t length = 0;

    WS_ASSERT(value != NULL);
    if (line_is_nan(from)) {
        *value = (double)NAN;
        return true;
    }
    for (size_t i = 0; i < from.length && length < sizeof digits; i++) {
        if (line_is_of_number(from.start[i])) {
            digits[length++] = from.start[i];
        } else if (!line_is_group(from, i)) {
            break;
        }
    }
    return ws_parse_f64((ws_text){.start = digits, .length = length}, value);
}

bool ws_steps_count(ws_text text, int64_t *value, ws_text *rest)
{
    ws_text from = line_without_blanks(text);
    size_t length = 0;

    while (length < from.length && line_is_digit(from.start[length])) {
        length++;
    }
    if (length == 0 || length > LINE_COUNT_DIGITS ||
        !ws_parse_i64(ws_text_slice(from, 0, length), value)) {
        return false;
    }
    if (rest != NULL) {
        *rest = ws_text_slice(from, length, from.length);
    }
    return true;
}

bool ws_steps_number_behind(ws_text line, const char *word, double *value)
{
    ws_text rest = {.start = NULL};

    return ws_steps_behind(line, word, &rest) && ws_steps_number(rest, value);
}

bool ws_steps_count_behind(ws_text line, const char *word, int64_t *value)
{
    ws_text rest = {.start = NULL};

    return ws_steps_behind(line, word, &rest) && ws_steps_count(rest, value, NULL);
}
