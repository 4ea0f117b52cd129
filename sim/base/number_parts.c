/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The one grammar of decimal numbers, and products of decimal numbers with units that lose nothing.
 */
#include "number_parts.h"

#include <stdio.h>

#include "ws/number.h"

__extension__ typedef unsigned __int128 number_u128;

#define NUMBER_U128_MAX (~(number_u128)0)

static bool number_is_digit(char byte)
{
    return byte >= '0' && byte <= '9';
}

bool ws_number_take_sign(ws_text *text)
{
    bool is_negative = text->length > 0 && text->start[0] == '-';

    if (is_negative || (text->length > 0 && text->start[0] == '+')) {
        *text = ws_text_slice(*text, 1, text->length);
    }
    return is_negative;
}

ws_text ws_number_take_digits(ws_text *text)
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
    bool is_negative = ws_number_take_sign(&text);
    ws_text digits = ws_number_take_digits(&text);
    int64_t value = 0;

    if (digits.length == 0 || text.length > 0) {
        return false;
    }
    for (size_t i = 0; i < digits.length && value < WS_NUMBER_EXPONENT_MAX; i++) {
        value = value * 10 + (digits.start[i] - '0');
    }
    value = value > WS_NUMBER_EXPONENT_MAX ? WS_NUMBER_EXPONENT_MAX : value;
    *exponent = is_negative ? -value : value;
    return true;
}

/* The digits from `at` on. */
static ws_text number_digits_at(ws_text text, size_t at)
{
    size_t end = at;

    while (end < text.length && number_is_digit(text.start[end])) {
        end++;
    }
    return (ws_text){.start = text.start + at, .length = end - at};
}

bool ws_number_take_apart(ws_text text, ws_number_parts *parts)
{
    size_t at = 0;

    WS_ASSERT(parts != NULL);

    if (text.length == 0) {
        return false;
    }
    *parts = (ws_number_parts){.is_negative = text.start[0] == '-'};
    at += text.start[0] == '-' || text.start[0] == '+' ? 1 : 0;
    parts->whole = number_digits_at(text, at);
    at += parts->whole.length;
    if (at < text.length && text.start[at] == '.') {
        parts->fraction = number_digits_at(text, at + 1);
        at += 1 + parts->fraction.length;
    }
    if (parts->whole.length + parts->fraction.length == 0) {
        return false;
    }
    if (at < text.length && (text.start[at] == 'e' || text.start[at] == 'E')) {
        return number_read_exponent(ws_text_slice(text, at + 1, text.length), &parts->exponent);
    }
    return at == text.length;
}

int ws_number_digit(const ws_number_parts *parts, size_t index)
{
    WS_ASSERT(index < parts->whole.length + parts->fraction.length);

    if (index < parts->whole.length) {
        return parts->whole.start[index] - '0';
    }
    return parts->fraction.start[index - parts->whole.length] - '0';
}

size_t ws_number_length(ws_text text)
{
    ws_text rest = text;
    size_t digits = ws_number_take_digits(&rest).length;
    size_t length = 0;

    if (rest.length > 0 && rest.start[0] == '.') {
        rest = ws_text_slice(rest, 1, rest.length);
        digits += ws_number_take_digits(&rest).length;
    }
    if (digits == 0) {
        return 0;
    }
    length = text.length - rest.length;
    /* An exponent counts only with its digits: the E of 2.75EUR is no exponent. */
    if (rest.length > 0 && (rest.start[0] == 'e' || rest.start[0] == 'E')) {
        rest = ws_text_slice(rest, 1, rest.length);
        (void)ws_number_take_sign(&rest);
        if (ws_number_take_digits(&rest).length > 0) {
            length = text.length - rest.length;
        }
    }
    return length;
}

uint64_t ws_number_magnitude_max(bool is_negative)
{
    return (uint64_t)INT64_MAX + (is_negative ? 1 : 0);
}

int64_t ws_number_signed(uint64_t magnitude, bool is_negative)
{
    WS_ASSERT(magnitude <= ws_number_magnitude_max(is_negative));

    if (is_negative && magnitude > (uint64_t)INT64_MAX) {
        return INT64_MIN;
    }
    return is_negative ? -(int64_t)magnitude : (int64_t)magnitude;
}

/* value x 10^power, or false when it does not fit. */
static bool number_raise(number_u128 *value, int64_t power)
{
    if (*value == 0) {
        return true;
    }
    for (int64_t i = 0; i < power; i++) {
        if (*value > NUMBER_U128_MAX / 10) {
            return false;
        }
        *value *= 10;
    }
    return true;
}

/* Mantissa x 10^exponent, with as many digits as leave room for a factor. */
typedef struct {
    number_u128 mantissa;
    int64_t exponent;
    bool is_cut; /* digits other than 0 had no room */
} number_decimal;

static number_decimal number_gather(const ws_number_parts *parts, int64_t factor)
{
    number_decimal decimal = {.exponent = parts->exponent - (int64_t)parts->fraction.length};
    number_u128 room = (NUMBER_U128_MAX / (uint64_t)factor - 9) / 10;
    size_t count = parts->whole.length + parts->fraction.length;
    size_t end = count;

    while (end > 0 && ws_number_digit(parts, end - 1) == 0) {
        end--;
    }
    decimal.exponent += (int64_t)(count - end);
    for (size_t i = 0; i < end; i++) {
        if (decimal.is_cut || decimal.mantissa > room) {
            decimal.is_cut = true;
            decimal.exponent++;
        } else {
            decimal.mantissa = decimal.mantissa * 10u + (unsigned)ws_number_digit(parts, i);
        }
    }
    return decimal;
}

ws_product ws_number_multiply(const ws_number_parts *parts, int64_t factor, int64_t divisor,
                              int64_t *value)
{
    number_decimal decimal;
    number_u128 product = 0;
    number_u128 places = 1;
    number_u128 quotient = 0;
    number_u128 rest = 0;

    WS_ASSERT(factor > 0 && factor <= INT64_C(1) << 60);
    WS_ASSERT(divisor > 0 && divisor <= 1000000);

    decimal = number_gather(parts, factor);
    product = decimal.mantissa * (uint64_t)factor;
    if (!number_raise(&product, decimal.exponent)) {
        return WS_PRODUCT_TOO_LARGE;
    }
    if (!number_raise(&places, -decimal.exponent) || places > NUMBER_U128_MAX / (uint64_t)divisor) {
        return product == 0 ? WS_PRODUCT_EXACT : WS_PRODUCT_TOO_FINE;
    }
    quotient = product / (places * (uint64_t)divisor);
    rest = product % (places * (uint64_t)divisor);
    if (quotient > ws_number_magnitude_max(parts->is_negative)) {
        return WS_PRODUCT_TOO_LARGE;
    }
    if (decimal.is_cut || (divisor == 1 && rest != 0)) {
        return WS_PRODUCT_TOO_FINE;
    }
    quotient += rest >= places * (uint64_t)divisor - rest ? 1 : 0;
    if (quotient > ws_number_magnitude_max(parts->is_negative)) {
        return WS_PRODUCT_TOO_LARGE;
    }
    *value = ws_number_signed((uint64_t)quotient, parts->is_negative);
    return rest == 0 ? WS_PRODUCT_EXACT : WS_PRODUCT_ROUNDED;
}

bool ws_number_shifted(ws_text number, int power, double *value)
{
    char text[WS_NUMBER_INPUT_BYTES_MAX + 32];
    ws_number_parts parts;
    int length = 0;

    WS_ASSERT(power >= -30 && power <= 30);

    if (number.length > WS_NUMBER_INPUT_BYTES_MAX - 32 || !ws_number_take_apart(number, &parts)) {
        return false;
    }
    length = snprintf(text, sizeof text, "%s%.*s.%.*se%lld", parts.is_negative ? "-" : "",
                      WS_TEXT_ARGS(parts.whole), WS_TEXT_ARGS(parts.fraction),
                      (long long)(parts.exponent + power));
    WS_ASSERT(length > 0 && (size_t)length < sizeof text);
    return ws_parse_f64((ws_text){.start = text, .length = (size_t)length}, value);
}
