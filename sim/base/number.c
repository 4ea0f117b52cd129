/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Numbers from text and back. Every parser checks the whole text against one grammar first, so that
 * strtod never sees what it would take and we do not: blanks, hexadecimal, "inf", "nan", or a
 * number that ends before the text does.
 */
#include "ws/number.h"

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

/* The digits before and behind the point as one integer; at most 18 of them. */
static int64_t number_short_mantissa(const ws_number_parts *parts)
{
    int64_t mantissa = 0;

    WS_ASSERT(parts->whole.length + parts->fraction.length <= 18);

    for (size_t i = 0; i < parts->whole.length; i++) {
        mantissa = mantissa * 10 + (parts->whole.start[i] - '0');
    }
    for (size_t i = 0; i < parts->fraction.length; i++) {
        mantissa = mantissa * 10 + (parts->fraction.start[i] - '0');
    }
    return mantissa;
}

/*
 * A mantissa of at most 15 digits and a power of ten of at most 22 are doubles without error, so
 * that one multiplication or division rounds once, as strtod does. Source: W. D. Clinger, "How to
 * Read Floating Point Numbers Accurately", PLDI 1990. False: not such a number.
 */
static bool number_read_short(const ws_number_parts *parts, double *value)
{
    static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                    1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                    1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    const int64_t power_max = (int64_t)WS_COUNT_OF(powers) - 1;
    int64_t power = parts->exponent - (int64_t)parts->fraction.length;

    if (parts->whole.length + parts->fraction.length > 15 || power < -power_max ||
        power > power_max) {
        return false;
    }
    double mantissa = (double)number_short_mantissa(parts);
    double magnitude = power < 0 ? mantissa / powers[-power] : mantissa * powers[power];

    *value = parts->is_negative && magnitude > 0 ? -magnitude : magnitude;
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
    if (number_read_short(&parts, value)) {
        return true;
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

/* The digits shifted by the exponent and the scale, where that cuts nothing off and stays within 18
 * digits. False: it does not. */
static bool number_shift_short(const ws_number_parts *parts, int scale, uint64_t *magnitude)
{
    size_t count = parts->whole.length + parts->fraction.length;
    int64_t zeros = parts->exponent + scale - (int64_t)parts->fraction.length;

    if (count > 18 || zeros < 0 || zeros > 18 - (int64_t)count) {
        return false;
    }
    uint64_t value = (uint64_t)number_short_mantissa(parts);

    for (; zeros > 0; zeros--) {
        value *= 10;
    }
    *magnitude = value;
    return true;
}

/* The digits shifted by the exponent and the scale; a place below 0 is behind the new point. */
static number_scaled number_shift(const ws_number_parts *parts, int scale)
{
    number_scaled scaled = {0};
    size_t count = parts->whole.length + parts->fraction.length;
    int64_t place = (int64_t)parts->whole.length + parts->exponent + scale;

    if (number_shift_short(parts, scale, &scaled.magnitude)) {
        return scaled;
    }
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

/* The digits of a magnitude and a NUL; their number. */
static size_t number_print_magnitude(uint64_t magnitude, char *out)
{
    char digits[WS_NUMBER_TEXT_BYTES];
    size_t first = sizeof digits;

    do {
        digits[--first] = (char)('0' + magnitude % 10);
        magnitude /= 10;
    } while (magnitude > 0);
    memcpy(out, digits + first, sizeof digits - first);
    out[sizeof digits - first] = '\0';
    return sizeof digits - first;
}

size_t ws_print_i64(int64_t value, char out[WS_NUMBER_TEXT_BYTES])
{
    WS_ASSERT(out != NULL);

    if (value >= 0) {
        return number_print_magnitude((uint64_t)value, out);
    }
    out[0] = '-';
    return 1 + number_print_magnitude(-(uint64_t)value, out + 1);
}

size_t ws_print_u64(uint64_t value, char out[WS_NUMBER_TEXT_BYTES])
{
    WS_ASSERT(out != NULL);

    return number_print_magnitude(value, out);
}

bool ws_number_locale_is_c(void)
{
    char text[8] = "";

    (void)snprintf(text, sizeof text, "%.1f", 0.5);
    return strcmp(text, "0.5") == 0;
}
