/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads quantities. A reading says what it is or which rule it breaks; the words for people are
 * made elsewhere, so that suggestions can be tried here without cost.
 */
#include <math.h>
#include <string.h>

#include "ws/assert.h"
#include "ws/number.h"

#include "number_parts.h"
#include "quantity_readers.h"

/* Sets the code of a failed reading; false, for `return ws_reading_fails(...)`. */
bool ws_reading_fails(ws_quantity_reading *reading, int code)
{
    reading->code = code;
    return false;
}

static bool read_is_digit(char byte)
{
    return byte >= '0' && byte <= '9';
}

/* Takes an unsigned number off the start of the text. */
bool ws_reading_take_number(ws_text *text, ws_quantity_reading *reading)
{
    bool is_negative = text->length > 0 && text->start[0] == '-';
    ws_text unsigned_text = is_negative ? ws_text_slice(*text, 1, text->length) : *text;
    size_t length = ws_number_length(unsigned_text);

    if (is_negative && (length > 0 || ws_text_starts_with(unsigned_text, WS_TEXT("$")))) {
        return ws_reading_fails(reading, 3109);
    }
    if (length == 0 || is_negative) {
        return ws_reading_fails(reading, 3106);
    }
    reading->number = ws_text_slice(*text, 0, length);
    reading->unit = ws_text_slice(*text, length, text->length);
    *text = reading->unit;
    return true;
}

/* number x unit, whole, into *value. */
bool ws_reading_set_integer(ws_quantity_reading *reading, const ws_unit *unit, int power,
                            int64_t *value)
{
    ws_number_parts parts;
    int64_t factor = unit->factor;
    ws_product product = WS_PRODUCT_EXACT;
    bool is_zero = false;

    if (!ws_number_take_apart(reading->number, &parts)) {
        return ws_reading_fails(reading, 3106);
    }
    for (int i = 0; i < unit->power + power; i++) {
        factor *= 10;
    }
    product = ws_number_multiply(&parts, factor, unit->divisor, value);
    is_zero = (product == WS_PRODUCT_ROUNDED && *value == 0);
    if (product == WS_PRODUCT_TOO_LARGE) {
        return ws_reading_fails(reading, 3107);
    }
    if (product == WS_PRODUCT_TOO_FINE || is_zero) {
        return ws_reading_fails(reading, 3108);
    }
    return true;
}

/* True when every digit of a number is 0. */
static bool read_is_zero(ws_text number)
{
    ws_number_parts parts;

    if (!ws_number_take_apart(number, &parts)) {
        return false;
    }
    for (size_t i = 0; i < parts.whole.length + parts.fraction.length; i++) {
        if (ws_number_digit(&parts, i) != 0) {
            return false;
        }
    }
    return true;
}

/* number x unit as a double: the powers of ten in the text, so that 4.35Gb/s rounds only once. */
bool ws_reading_set_real(ws_quantity_reading *reading, const ws_unit *unit, double largest)
{
    double value = 0;

    if (!ws_number_shifted(reading->number, unit->power, &value)) {
        return ws_reading_fails(reading, 3107);
    }
    value = value * (double)unit->factor / (double)unit->divisor;
    if (!isfinite(value) || (largest > 0 && value > largest)) {
        return ws_reading_fails(reading, 3107);
    }
    if (value == 0 && !read_is_zero(reading->number)) {
        return ws_reading_fails(reading, 3108);
    }
    reading->value.real = value;
    return true;
}

/* A unit's text up to the next term of a sum. */
static size_t read_term_unit_length(ws_text text)
{
    size_t length = 0;

    while (length < text.length && !read_is_digit(text.start[length]) &&
           text.start[length] != '.' && text.start[length] != '-') {
        length++;
    }
    return length;
}

/* One term of a duration, taken off the text and added to the sum. */
static bool read_term(ws_text *text, ws_quantity_reading *reading)
{
    const ws_unit *unit = NULL;
    int64_t term_ns = 0;
    size_t length = 0;

    if (!ws_reading_take_number(text, reading)) {
        return false;
    }
    length = read_term_unit_length(*text);
    reading->unit = ws_text_slice(*text, 0, length);
    *text = ws_text_slice(*text, length, text->length);
    if (length == 0) {
        return ws_reading_fails(reading, text->length == 0 ? 3101 : 3106);
    }
    if (ws_text_find_byte(reading->unit, ' ') < length) {
        bool is_negative = text->length > 0 && text->start[0] == '-';

        return ws_reading_fails(reading, is_negative ? 3109 : 3106);
    }
    unit = ws_unit_find(ws_units_time, reading->unit);
    if (unit == NULL) {
        return ws_reading_fails(reading, 3102);
    }
    if (!ws_reading_set_integer(reading, unit, 0, &term_ns)) {
        return false;
    }
    if (__builtin_add_overflow(reading->value.integer, term_ns, &reading->value.integer)) {
        return ws_reading_fails(reading, 3107);
    }
    return true;
}

static bool read_duration(ws_text text, ws_quantity_reading *reading)
{
    if (ws_quantity_is_iso8601(text)) {
        reading->unit = text;
        return ws_reading_fails(reading, 3102);
    }
    while (text.length > 0) {
        if (!read_term(&text, reading)) {
            return false;
        }
    }
    return true;
}

static char read_lower(char byte)
{
    return byte >= 'A' && byte <= 'Z' ? (char)(byte - 'A' + 'a') : byte;
}

/* Bits or bytes? True for gb, gb/s, GBPS: a prefix, a `b` whose case is not to be trusted, perhaps
 * a time. */
static bool read_is_ambiguous(ws_text unit, ws_quantity_kind kind)
{
    char lower[8];
    ws_text rest = {.start = lower, .length = unit.length};

    if (unit.length == 0 || unit.length > sizeof lower) {
        return false;
    }
    for (size_t i = 0; i < unit.length; i++) {
        lower[i] = read_lower(unit.start[i]);
    }
    if (kind == WS_QUANTITY_BYTES && unit.start[unit.length - 1] == 'B') {
        return false;
    }
    if (memchr("kmgtp", lower[0], 5) != NULL) {
        rest = ws_text_slice(rest, 1, rest.length);
    }
    if (kind == WS_QUANTITY_BYTES) {
        return ws_text_is(rest, "b");
    }
    return ws_text_is(rest, "b/s") || ws_text_is(rest, "bps");
}

/* A spelling of other tools whose meaning is clear: GBps, but not gbps. */
static bool read_is_alias(ws_text unit, ws_quantity_kind kind)
{
    ws_unit_alias_list list = ws_unit_aliases_of(kind);

    for (size_t i = 0; i < list.count; i++) {
        if (ws_text_is(unit, list.aliases[i].wrong)) {
            return true;
        }
    }
    return false;
}

/* A number and one unit of a list; the unit is found in reading->unit. */
static const ws_unit *read_one_unit(ws_quantity_reading *reading, ws_unit_list list,
                                    ws_quantity_kind kind)
{
    const ws_unit *unit = ws_unit_find(list, reading->unit);

    if (unit == NULL && reading->unit.length == 0) {
        (void)ws_reading_fails(reading, 3101);
    } else if (unit == NULL) {
        bool is_ambiguous = (kind == WS_QUANTITY_BYTES || kind == WS_QUANTITY_BANDWIDTH) &&
                            !read_is_alias(reading->unit, kind) &&
                            read_is_ambiguous(reading->unit, kind);

        (void)ws_reading_fails(reading, is_ambiguous ? 3103 : 3102);
    }
    return unit;
}

static bool read_whole(ws_text text, ws_unit_list list, ws_quantity_kind kind,
                       ws_quantity_reading *reading)
{
    const ws_unit *unit = NULL;

    if (!ws_reading_take_number(&text, reading)) {
        return false;
    }
    unit = read_one_unit(reading, list, kind);
    return unit != NULL && ws_reading_set_integer(reading, unit, 0, &reading->value.integer);
}

static bool read_bandwidth(ws_text text, ws_quantity_reading *reading)
{
    const ws_unit *unit = NULL;

    if (!ws_reading_take_number(&text, reading)) {
        return false;
    }
    unit = read_one_unit(reading, ws_units_bandwidth, WS_QUANTITY_BANDWIDTH);
    return unit != NULL &&
           ws_reading_set_real(reading, unit,
                               ws_quantity_words_of(WS_QUANTITY_BANDWIDTH)->real_max);
}

static bool read_fraction(ws_text text, ws_quantity_kind kind, ws_quantity_reading *reading)
{
    const ws_unit *unit = NULL;

    if (!ws_reading_take_number(&text, reading)) {
        return false;
    }
    unit = ws_unit_find(ws_units_percent, reading->unit);
    if (unit == NULL) {
        return ws_reading_fails(reading, 3102);
    }
    /* A fraction has its own words for what is beyond 1; so has a percentage without its sign. */
    if (!ws_reading_set_real(reading, unit, ws_quantity_words_of(kind)->real_max)) {
        return kind == WS_QUANTITY_FRACTION && reading->code == 3107
                   ? ws_reading_fails(reading, 3105)
                   : false;
    }
    if (reading->unit.length == 0 && reading->value.real > 1) {
        return ws_reading_fails(reading, 3105);
    }
    return true;
}

/* The kinds without a unit, which may be negative. */
static bool read_plain(ws_text text, ws_quantity_kind kind, ws_quantity_reading *reading)
{
    const ws_unit *one = &ws_units_count.units[0];
    bool is_negative = ws_number_take_sign(&text);

    if (!ws_reading_take_number(&text, reading)) {
        return ws_reading_fails(reading, 3106);
    }
    if (text.length > 0) {
        return ws_reading_fails(reading, 3102);
    }
    if (kind == WS_QUANTITY_NUMBER) {
        if (!ws_reading_set_real(reading, one, 0)) {
            return false;
        }
        reading->value.real =
            is_negative && reading->value.real != 0 ? -reading->value.real : reading->value.real;
        return true;
    }
    if (!ws_reading_set_integer(reading, one, 0, &reading->value.integer)) {
        return false;
    }
    reading->value.integer = is_negative ? -reading->value.integer : reading->value.integer;
    return true;
}

static bool read_kind(ws_text text, ws_quantity_kind kind, ws_quantity_reading *reading)
{
    switch (kind) {
    case WS_QUANTITY_DURATION:
        return read_duration(text, reading);
    case WS_QUANTITY_BYTES:
        return read_whole(text, ws_units_bytes, kind, reading);
    case WS_QUANTITY_BANDWIDTH:
        return read_bandwidth(text, reading);
    case WS_QUANTITY_PRICE:
        return ws_reading_of_price(text, reading);
    case WS_QUANTITY_MONEY:
        return ws_reading_of_money(text, reading);
    case WS_QUANTITY_FRACTION:
    case WS_QUANTITY_PERCENT:
        return read_fraction(text, kind, reading);
    case WS_QUANTITY_COUNT:
        return read_whole(text, ws_units_count, kind, reading);
    case WS_QUANTITY_RATE:
        return ws_reading_of_rate(text, reading);
    case WS_QUANTITY_NUMBER:
    case WS_QUANTITY_INTEGER:
        return read_plain(text, kind, reading);
    case WS_QUANTITY_WORK:
        return ws_reading_of_work(text, reading);
    case WS_QUANTITY_PER_WORK:
        return ws_reading_of_per_work(text, reading);
    case WS_QUANTITY_WORK_RATE:
        return ws_reading_of_work_rate(text, reading);
    case WS_QUANTITY_VOLUME_PRICE:
        return ws_reading_of_volume_price(text, reading);
    }
    return false;
}

ws_quantity_reading ws_quantity_read(ws_text text, ws_quantity_kind kind)
{
    ws_quantity_reading reading = {.code = 0};

    if (text.length == 0) {
        reading.code = 3106;
        return reading;
    }
    if (!read_kind(text, kind, &reading)) {
        WS_ASSERT(reading.code != 0);
    }
    return reading;
}

bool ws_quantity_parse(ws_text text, ws_quantity_kind kind, ws_text name, ws_quantity *value,
                       ws_quantity_fault *fault, ws_arena *arena)
{
    ws_quantity_reading reading = ws_quantity_read(text, kind);

    WS_ASSERT(value != NULL);
    WS_ASSERT(fault != NULL);
    WS_ASSERT(arena != NULL);

    if (reading.code != 0) {
        *fault = ws_quantity_explain(&reading, text, kind, name, arena);
        return false;
    }
    *value = reading.value;
    return true;
}
