/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Totals as decimal text and back: no double on the way. */
#include <string.h>

#include "ws/assert.h"
#include "ws/total.h"

#include "number_parts.h"

__extension__ typedef unsigned __int128 total_u128;

#define TOTAL_MAX ((ws_i128)(~(total_u128)0 >> 1))

#define TOTAL_MONEY_DECIMALS 9
#define TOTAL_MONEY_DECIMALS_MIN 2

/* An hour is 3.6e12 ns. With thirteen decimals a step is 0.36 ns, so that every nanosecond reads
 * back as itself. */
#define TOTAL_HOUR_DECIMALS 13

/* The digits of `magnitude`, at least `digits_min`, most significant first; returns how many. */
static size_t total_print_digits(total_u128 magnitude, size_t digits_min,
                                 char out[WS_TOTAL_TEXT_BYTES])
{
    char reversed[WS_TOTAL_TEXT_BYTES];
    size_t count = 0;

    WS_ASSERT(digits_min < WS_TOTAL_TEXT_BYTES);

    while (magnitude != 0 || count < digits_min) {
        reversed[count] = (char)('0' + (int)(magnitude % 10));
        magnitude /= 10;
        count++;
    }
    for (size_t i = 0; i < count; i++) {
        out[i] = reversed[count - 1 - i];
    }
    out[count] = '\0';
    return count;
}

static total_u128 total_text_magnitude(ws_i128 value)
{
    return value < 0 ? -(total_u128)value : (total_u128)value;
}

size_t ws_i128_print(ws_i128 value, char out[WS_TOTAL_TEXT_BYTES])
{
    size_t sign = value < 0 ? 1 : 0;
    char digits[WS_TOTAL_TEXT_BYTES];
    size_t count = total_print_digits(total_text_magnitude(value), 1, digits);

    WS_ASSERT(sign + count < WS_TOTAL_TEXT_BYTES);

    out[0] = '-';
    memcpy(out + sign, digits, count + 1);
    return sign + count;
}

/* Digits alone, appended to *magnitude, up to the largest positive total. */
static bool total_append_digits(ws_text digits, total_u128 *magnitude)
{
    total_u128 value = *magnitude;

    for (size_t i = 0; i < digits.length; i++) {
        total_u128 digit = (total_u128)(unsigned char)digits.start[i] - '0';

        if (digit > 9 || value > ((total_u128)TOTAL_MAX - digit) / 10) {
            return false;
        }
        value = value * 10 + digit;
    }
    *magnitude = value;
    return true;
}

bool ws_i128_parse(ws_text text, ws_i128 *value)
{
    bool is_negative = ws_number_take_sign(&text);
    total_u128 magnitude = 0;

    WS_ASSERT(value != NULL);

    if (text.length == 0 || !total_append_digits(text, &magnitude)) {
        return false;
    }
    *value = is_negative ? -(ws_i128)magnitude : (ws_i128)magnitude;
    return true;
}

/* How the digits of a fixed-point number are shown. */
typedef struct {
    size_t decimals;     /* behind the point */
    size_t decimals_min; /* of which so many stay even when they are 0 */
} total_layout;

/* value / 10^decimals. */
static size_t total_print_fixed(ws_i128 value, total_layout layout, char out[WS_TOTAL_TEXT_BYTES])
{
    char digits[WS_TOTAL_TEXT_BYTES];
    size_t count = total_print_digits(total_text_magnitude(value), layout.decimals + 1, digits);
    size_t whole = count - layout.decimals;
    size_t kept = layout.decimals;
    size_t length = 0;

    WS_ASSERT(count + 2 < WS_TOTAL_TEXT_BYTES);

    while (kept > layout.decimals_min && digits[whole + kept - 1] == '0') {
        kept--;
    }
    if (value < 0) {
        out[length++] = '-';
    }
    memcpy(out + length, digits, whole);
    length += whole;
    if (kept > 0) {
        out[length++] = '.';
        memcpy(out + length, digits + whole, kept);
        length += kept;
    }
    out[length] = '\0';
    return length;
}

/* A decimal number with at most `decimals` digits behind the point, times 10^decimals. */
static bool total_parse_fixed(ws_text text, size_t decimals, ws_i128 *value)
{
    bool is_negative = ws_number_take_sign(&text);
    size_t point = ws_text_find_byte(text, '.');
    ws_text whole = ws_text_slice(text, 0, point);
    ws_text fraction = ws_text_slice(text, point + 1, text.length);
    total_u128 magnitude = 0;

    if (whole.length == 0 || fraction.length > decimals ||
        (fraction.length == 0 && point < text.length)) {
        return false;
    }
    if (!total_append_digits(whole, &magnitude) || !total_append_digits(fraction, &magnitude)) {
        return false;
    }
    for (size_t i = fraction.length; i < decimals; i++) {
        if (!total_append_digits(WS_TEXT("0"), &magnitude)) {
            return false;
        }
    }
    *value = is_negative ? -(ws_i128)magnitude : (ws_i128)magnitude;
    return true;
}

size_t ws_money_print(ws_money m, char out[WS_TOTAL_TEXT_BYTES])
{
    return total_print_fixed(
        m.nano,
        (total_layout){.decimals = TOTAL_MONEY_DECIMALS, .decimals_min = TOTAL_MONEY_DECIMALS_MIN},
        out);
}

bool ws_money_parse(ws_text text, ws_money *value)
{
    WS_ASSERT(value != NULL);

    return total_parse_fixed(text, TOTAL_MONEY_DECIMALS, &value->nano);
}

size_t ws_gpu_time_print_h(ws_gpu_time t, char out[WS_TOTAL_TEXT_BYTES])
{
    /* ns x 10^13 / 3.6e12 = ns x 25 / 9; the whole hours' worth of nines apart, so that nothing
     * overflows early */
    ws_i128 nines = t.gpu_ns / 9;
    ws_i128 rest = (t.gpu_ns % 9 * 50 + (t.gpu_ns < 0 ? -9 : 9)) / 18;

    WS_ASSERT(nines <= TOTAL_MAX / 25 - 1);
    WS_ASSERT(nines >= -(TOTAL_MAX / 25 - 1));

    return total_print_fixed(
        nines * 25 + rest, (total_layout){.decimals = TOTAL_HOUR_DECIMALS, .decimals_min = 0}, out);
}

bool ws_gpu_time_parse_h(ws_text text, ws_gpu_time *value)
{
    ws_i128 steps = 0;

    WS_ASSERT(value != NULL);

    if (!total_parse_fixed(text, TOTAL_HOUR_DECIMALS, &steps)) {
        return false;
    }
    /* steps x 9 / 25, to the nearest */
    value->gpu_ns = steps / 25 * 9 + (steps % 25 * 18 + (steps < 0 ? -25 : 25)) / 50;
    return true;
}
