/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Numbers from text and back. Every parser checks the whole text against one grammar first, so that
 * strtod never sees what it would take and we do not: blanks, hexadecimal, "inf", "nan", or a
 * number that ends before the text does.
 */
#include "ws/number.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NUMBER_EXPONENT_MAX INT64_C(1000000000000000)

/* A number taken apart: sign, mantissa digits before and after the point, decimal exponent. */
typedef struct {
    bool is_negative;
    ws_text whole;    /* digits before the point */
    ws_text fraction; /* digits after it */
    int64_t exponent; /* clipped to NUMBER_EXPONENT_MAX, which is as good as infinite */
} number_parts;

static bool number_is_digit(char byte)
{
    return byte >= '0' && byte <= '9';
}

/* Removes the sign at the start. */
static bool number_take_sign(ws_text *text)
{
    bool is_negative = text->length > 0 && text->start[0] == '-';

    if (is_negative || (text->length > 0 && text->start[0] == '+')) {
        *text = ws_text_slice(*text, 1, text->length);
    }
    return is_negative;
}

/* Removes the digits at the start and returns them. */
static ws_text number_take_digits(ws_text *text)
{
    ws_text digits = *text;
    size_t count = 0;

    while (count < text->length && number_is_digit(text->start[count])) {
        count++;
    }
    digits.length = count;
    *text = ws_text_slice(*text, count, text->length);
    return digits;
}

/* The exponent behind an `e`; false when `text` is no whole exponent. */
static bool number_read_exponent(ws_text text, int64_t *exponent)
{
    bool is_negative = number_take_sign(&text);
    ws_text digits = number_take_digits(&text);
    int64_t value = 0;

    if (digits.length == 0 || text.length > 0) {
        return false;
    }
    for (size_t i = 0; i < digits.length && value < NUMBER_EXPONENT_MAX; i++) {
        value = value * 10 + (digits.start[i] - '0');
    }
    value = value > NUMBER_EXPONENT_MAX ? NUMBER_EXPONENT_MAX : value;
    *exponent = is_negative ? -value : value;
    return true;
}

static bool number_take_apart(ws_text text, number_parts *parts)
{
    *parts = (number_parts){.is_negative = number_take_sign(&text)};
    parts->whole = number_take_digits(&text);
    if (text.length > 0 && text.start[0] == '.') {
        text = ws_text_slice(text, 1, text.length);
        parts->fraction = number_take_digits(&text);
    }
    if (parts->whole.length + parts->fraction.length == 0) {
        return false;
    }
    if (text.length > 0 && (text.start[0] == 'e' || text.start[0] == 'E')) {
        return number_read_exponent(ws_text_slice(text, 1, text.length), &parts->exponent);
    }
    return text.length == 0;
}

/* Digits alone as a magnitude of at most `largest`. */
static bool number_read_magnitude(ws_text digits, uint64_t largest, uint64_t *magnitude)
{
    ws_text rest = digits;
    uint64_t value = 0;

    if (digits.length == 0 || number_take_digits(&rest).length != digits.length) {
        return false;
    }
    for (size_t i = 0; i < digits.length; i++) {
        uint64_t digit = (uint64_t)(digits.start[i] - '0');

        if (__builtin_mul_overflow(value, UINT64_C(10), &value) ||
            __builtin_add_overflow(value, digit, &value) || value > largest) {
            return false;
        }
    }
    *magnitude = value;
    return true;
}

/* The largest magnitude that a signed integer of this sign has. */
static uint64_t number_i64_limit(bool is_negative)
{
    return (uint64_t)INT64_MAX + (is_negative ? 1 : 0);
}

static int64_t number_i64_of(uint64_t magnitude, bool is_negative)
{
    WS_ASSERT(magnitude <= number_i64_limit(is_negative));

    if (is_negative && magnitude > (uint64_t)INT64_MAX) {
        return INT64_MIN;
    }
    return is_negative ? -(int64_t)magnitude : (int64_t)magnitude;
}

bool ws_parse_i64(ws_text text, int64_t *value)
{
    bool is_negative = number_take_sign(&text);
    uint64_t magnitude = 0;

    WS_ASSERT(value != NULL);

    if (!number_read_magnitude(text, number_i64_limit(is_negative), &magnitude)) {
        return false;
    }
    *value = number_i64_of(magnitude, is_negative);
    return true;
}

bool ws_parse_u64(ws_text text, uint64_t *value)
{
    bool is_negative = number_take_sign(&text);
    uint64_t magnitude = 0;

    WS_ASSERT(value != NULL);

    if (!number_read_magnitude(text, is_negative ? 0 : UINT64_MAX, &magnitude)) {
        return false;
    }
    *value = magnitude;
    return true;
}

bool ws_parse_f64(ws_text text, double *value)
{
    char copy[WS_NUMBER_INPUT_BYTES_MAX + 1];
    number_parts parts;
    double parsed = 0;

    WS_ASSERT(value != NULL);

    if (text.length > WS_NUMBER_INPUT_BYTES_MAX || !number_take_apart(text, &parts)) {
        return false;
    }
    memcpy(copy, text.start, text.length);
    copy[text.length] = '\0';
    parsed = strtod(copy, NULL);
    if (!isfinite(parsed)) {
        return false;
    }
    *value = parsed == 0 ? 0 : parsed; /* minus zero reads as zero */
    return true;
}

static char number_digit_at(const number_parts *parts, size_t index)
{
    WS_ASSERT(index < parts->whole.length + parts->fraction.length);

    return index < parts->whole.length ? parts->whole.start[index]
                                       : parts->fraction.start[index - parts->whole.length];
}

/* What a scaled number leaves behind: the integer and what was cut off. */
typedef struct {
    uint64_t magnitude;
    int half;      /* first digit cut off */
    bool has_more; /* a digit behind it is not 0 */
    bool is_too_large;
} number_scaled;

static void number_append_digit(number_scaled *scaled, int digit)
{
    scaled->is_too_large =
        scaled->is_too_large ||
        __builtin_mul_overflow(scaled->magnitude, UINT64_C(10), &scaled->magnitude) ||
        __builtin_add_overflow(scaled->magnitude, (uint64_t)digit, &scaled->magnitude);
}

/* The digits shifted by the exponent and the scale; a place below 0 is behind the new point. */
static number_scaled number_shift(const number_parts *parts, int scale)
{
    number_scaled scaled = {0};
    size_t count = parts->whole.length + parts->fraction.length;
    int64_t place = (int64_t)parts->whole.length + parts->exponent + scale;

    for (size_t i = 0; i < count; i++) {
        int digit = number_digit_at(parts, i) - '0';

        place--;
        if (place >= 0) {
            number_append_digit(&scaled, digit);
        } else if (place == -1) {
            scaled.half = digit;
        } else {
            scaled.has_more = scaled.has_more || digit != 0;
        }
    }
    while (place > 0 && scaled.magnitude != 0 && !scaled.is_too_large) {
        number_append_digit(&scaled, 0);
        place--;
    }
    return scaled;
}

bool ws_parse_scaled(ws_text text, int scale, int64_t *value, bool *inexact)
{
    number_parts parts;
    number_scaled scaled;
    bool is_cut = false;

    WS_ASSERT(value != NULL);
    WS_ASSERT(scale >= 0);

    if (!number_take_apart(text, &parts)) {
        return false;
    }
    scaled = number_shift(&parts, scale);
    is_cut = scaled.half != 0 || scaled.has_more;
    if (is_cut && inexact == NULL) {
        return false;
    }
    if (scaled.half > 5 || (scaled.half == 5 && (scaled.has_more || (scaled.magnitude & 1) != 0))) {
        scaled.is_too_large =
            __builtin_add_overflow(scaled.magnitude, UINT64_C(1), &scaled.magnitude) ||
            scaled.is_too_large;
    }
    if (scaled.is_too_large || scaled.magnitude > number_i64_limit(parts.is_negative)) {
        return false;
    }
    *value = number_i64_of(scaled.magnitude, parts.is_negative);
    if (inexact != NULL) {
        *inexact = is_cut;
    }
    return true;
}

size_t ws_print_f64(double value, char out[WS_NUMBER_TEXT_BYTES])
{
    int length = 0;

    WS_ASSERT(isfinite(value));

    if (value == 0) {
        value = 0; /* minus zero is no number that anybody wants to read */
    }
    for (int digits = 15; digits <= 17; digits++) {
        length = snprintf(out, WS_NUMBER_TEXT_BYTES, "%.*g", digits, value);
        WS_ASSERT(length > 0 && length < WS_NUMBER_TEXT_BYTES);
        if (strtod(out, NULL) == value) {
            break;
        }
    }
    return (size_t)length;
}

size_t ws_print_i64(int64_t value, char out[WS_NUMBER_TEXT_BYTES])
{
    int length = snprintf(out, WS_NUMBER_TEXT_BYTES, "%" PRId64, value);

    WS_ASSERT(length > 0 && length < WS_NUMBER_TEXT_BYTES);

    return (size_t)length;
}

size_t ws_print_u64(uint64_t value, char out[WS_NUMBER_TEXT_BYTES])
{
    int length = snprintf(out, WS_NUMBER_TEXT_BYTES, "%" PRIu64, value);

    WS_ASSERT(length > 0 && length < WS_NUMBER_TEXT_BYTES);

    return (size_t)length;
}

bool ws_number_locale_is_c(void)
{
    char text[8] = "";

    (void)snprintf(text, sizeof text, "%.1f", 0.5);
    return strcmp(text, "0.5") == 0;
}
