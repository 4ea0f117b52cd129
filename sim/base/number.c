/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Numbers from text and back. Every parser checks the whole text against one grammar first, so that
 * strtod never sees what it would take and we do not: blanks, hexadecimal, "inf", "nan", or a
 * number that ends before the text does.
 */
#include "ws/number.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "number_parts.h"

/* Digits alone as a magnitude of at most `largest`. */
static bool number_read_magnitude(ws_text digits, uint64_t largest, uint64_t *magnitude)
{
    ws_text rest = digits;
    uint64_t value = 0;

    if (digits.length == 0 || ws_number_take_digits(&rest).length != digits.length) {
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

bool ws_parse_i64(ws_text text, int64_t *value)
{
    bool is_negative = ws_number_take_sign(&text);
    uint64_t magnitude = 0;

    WS_ASSERT(value != NULL);

    if (!number_read_magnitude(text, ws_number_magnitude_max(is_negative), &magnitude)) {
        return false;
    }
    *value = ws_number_signed(magnitude, is_negative);
    return true;
}

bool ws_parse_u64(ws_text text, uint64_t *value)
{
    bool is_negative = ws_number_take_sign(&text);
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
    ws_number_parts parts;
    double parsed = 0;

    WS_ASSERT(value != NULL);

    if (text.length > WS_NUMBER_INPUT_BYTES_MAX || !ws_number_take_apart(text, &parts)) {
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
static number_scaled number_shift(const ws_number_parts *parts, int scale)
{
    number_scaled scaled = {0};
    size_t count = parts->whole.length + parts->fraction.length;
    int64_t place = (int64_t)parts->whole.length + parts->exponent + scale;

    for (size_t i = 0; i < count; i++) {
        int digit = ws_number_digit(parts, i);

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
    ws_number_parts parts;
    number_scaled scaled;
    bool is_cut = false;

    WS_ASSERT(value != NULL);
    WS_ASSERT(scale >= 0);

    if (!ws_number_take_apart(text, &parts)) {
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
    if (scaled.is_too_large || scaled.magnitude > ws_number_magnitude_max(parts.is_negative)) {
        return false;
    }
    *value = ws_number_signed(scaled.magnitude, parts.is_negative);
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
