/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A quantity is digits x 10^ten x 2^two. The digits are kept as an integer, and what is cut off is
 * remembered as "more", so that rounding up is exact.
 */
#include "hpa_quantity.h"

#include <float.h>
#include <math.h>
#include <stddef.h>

#include "ws/number.h"
#include "ws/total.h"

#define MILLI_TEN 3
#define TEN_MAX 1000 /* no number of 64 KiB of digits within it stays below int64 */

typedef struct {
    bool negative;
    uint64_t digits;
    bool more; /* cut off behind the digits, and not 0 */
    int32_t ten;
    int32_t two;
} quantity_parts;

typedef struct {
    const char *text;
    int32_t ten;
    int32_t two;
} quantity_suffix;

static const quantity_suffix suffixes[] = {
    {"", 0, 0},    {"n", -9, 0},  {"u", -6, 0},  {"m", -3, 0},  {"k", 3, 0},   {"M", 6, 0},
    {"G", 9, 0},   {"T", 12, 0},  {"P", 15, 0},  {"E", 18, 0},  {"Ki", 0, 10}, {"Mi", 0, 20},
    {"Gi", 0, 30}, {"Ti", 0, 40}, {"Pi", 0, 50}, {"Ei", 0, 60},
};

static void quantity_add_digit(quantity_parts *parts, unsigned digit, bool is_fraction)
{
    WS_ASSERT(digit < 10);
    if (parts->digits <= (UINT64_MAX - 9) / 10) {
        parts->digits = parts->digits * 10 + digit;
        parts->ten -= is_fraction ? 1 : 0;
    } else {
        parts->more = parts->more || digit != 0;
        parts->ten += is_fraction ? 0 : 1;
    }
}

/* Sign, digits and point; returns their length, 0 when there is no digit. */
static size_t quantity_number(ws_text text, quantity_parts *parts)
{
    size_t at = 0;
    size_t count = 0;
    bool is_fraction = false;

    if (text.length > 0 && (text.start[0] == '-' || text.start[0] == '+')) {
        parts->negative = text.start[0] == '-';
        at = 1;
    }
    for (; at < text.length; at++) {
        char c = text.start[at];

        if (c >= '0' && c <= '9') {
            quantity_add_digit(parts, (unsigned)(c - '0'), is_fraction);
            count++;
        } else if (c == '.' && !is_fraction) {
            is_fraction = true;
        } else {
            break;
        }
    }
    return count > 0 ? at : 0;
}

static bool quantity_exponent(ws_text rest, quantity_parts *parts)
{
    int64_t exponent = 0;

    if (rest.length < 2 || (rest.start[0] != 'e' && rest.start[0] != 'E') ||
        !ws_parse_i64(ws_text_slice(rest, 1, rest.length), &exponent)) {
        return false;
    }
    exponent = exponent > TEN_MAX ? TEN_MAX : exponent;
    exponent = exponent < -TEN_MAX ? -TEN_MAX : exponent;
    parts->ten += (int32_t)exponent;
    return true;
}

static bool quantity_scale(ws_text rest, quantity_parts *parts)
{
    for (size_t i = 0; i < WS_COUNT_OF(suffixes); i++) {
        if (ws_text_is(rest, suffixes[i].text)) {
            parts->ten += suffixes[i].ten;
            parts->two = suffixes[i].two;
            return true;
        }
    }
    return quantity_exponent(rest, parts);
}

/* |quantity| in milli-units: rounded up, or down for a negative one, which is up too. */
static int64_t quantity_milli(const quantity_parts *parts)
{
    ws_i128 whole = (ws_i128)parts->digits << parts->two; /* below 2^124 */
    int32_t ten = parts->ten + MILLI_TEN;
    bool more = parts->more;

    WS_ASSERT(parts->two <= 60);
    for (; ten > 0 && whole > 0 && whole <= INT64_MAX; ten--) {
        whole *= 10;
    }
    for (; ten < 0 && whole > 0; ten++) {
        more = more || whole % 10 != 0;
        whole /= 10;
    }
    whole += more && !parts->negative ? 1 : 0;
    return whole > INT64_MAX ? INT64_MAX : (int64_t)whole;
}

/* The nearest double, the largest one beyond. Powers of two are exact, and a number with its power
 * of ten is read as a whole. */
static double quantity_value(const quantity_parts *parts)
{
    char text[2 * WS_NUMBER_TEXT_BYTES];
    size_t length = ws_print_u64(parts->digits, text);
    double value = DBL_MAX;

    text[length] = 'e';
    length += 1 + ws_print_i64(parts->ten, text + length + 1);
    if (ws_parse_f64((ws_text){.start = text, .length = length}, &value)) {
        value = ldexp(value, parts->two);
        value = isfinite(value) ? value : DBL_MAX;
    }
    return parts->negative ? -value : value;
}

bool ws_hpa_quantity_parse(ws_text text, ws_hpa_quantity *quantity)
{
    quantity_parts parts = {.digits = 0};
    size_t length = quantity_number(text, &parts);
    int64_t milli = 0;

    WS_ASSERT(quantity != NULL);
    if (length == 0 || !quantity_scale(ws_text_slice(text, length, text.length), &parts)) {
        return false;
    }
    milli = quantity_milli(&parts);
    quantity->milli = parts.negative ? -milli : milli;
    quantity->value = quantity_value(&parts);
    return true;
}
