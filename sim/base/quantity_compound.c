/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads the quantities that are made of several: money for a time, work of a sort, work for a time,
 * a time for each piece of work.
 */
#include <string.h>

#include "ws/assert.h"

#include "quantity_readers.h"

static bool read_is_capital(char byte)
{
    return byte >= 'A' && byte <= 'Z';
}

/* `$2.99` or `2.75EUR`, taken off the text. */
static bool read_take_money(ws_text *text, ws_quantity_reading *reading)
{
    ws_text rest = *text;

    if (ws_text_starts_with(rest, WS_TEXT("$"))) {
        reading->has_currency = true;
        memcpy(reading->value.currency, "USD", 4);
        rest = ws_text_slice(rest, 1, rest.length);
    }
    if (!ws_reading_take_number(&rest, reading)) {
        return false;
    }
    if (!reading->has_currency && rest.length >= 3 && read_is_capital(rest.start[0]) &&
        read_is_capital(rest.start[1]) && read_is_capital(rest.start[2])) {
        reading->has_currency = true;
        memcpy(reading->value.currency, rest.start, 3);
        rest = ws_text_slice(rest, 3, rest.length);
    }
    reading->unit = rest;
    *text = rest;
    return true;
}

bool ws_reading_of_money(ws_text text, ws_quantity_reading *reading)
{
    const ws_unit whole = {"", 0, 1, 1};

    if (!read_take_money(&text, reading)) {
        return false;
    }
    if (text.length > 0) {
        return ws_reading_fails(reading, 3102);
    }
    if (!reading->has_currency) {
        return ws_reading_fails(reading, 3104);
    }
    return ws_reading_set_integer(reading, &whole, 9, &reading->value.integer);
}

bool ws_reading_of_price(ws_text text, ws_quantity_reading *reading)
{
    const ws_unit *unit = NULL;
    bool has_time = false;

    if (!read_take_money(&text, reading)) {
        return false;
    }
    has_time = ws_text_starts_with(text, WS_TEXT("/"));
    if (text.length == 0 || (has_time && !reading->has_currency)) {
        return ws_reading_fails(reading, 3104);
    }
    if (has_time) {
        reading->unit = ws_text_slice(text, 1, text.length);
        unit = ws_unit_find(ws_units_price, reading->unit);
    }
    if (unit == NULL) {
        return ws_reading_fails(reading, 3102);
    }
    return ws_reading_set_integer(reading, unit, 9, &reading->value.integer);
}

bool ws_reading_of_volume_price(ws_text text, ws_quantity_reading *reading)
{
    const ws_unit *unit = NULL;
    ws_unit per_gib = {"", 0, INT64_C(1) << 30, 1};
    size_t slash = 0;

    if (!read_take_money(&text, reading)) {
        return false;
    }
    if (text.length == 0 || !reading->has_currency) {
        return ws_reading_fails(reading, 3104);
    }
    slash = ws_text_find_byte(ws_text_slice(text, 1, text.length), '/') + 1;
    unit = ws_unit_find(ws_units_bytes, ws_text_slice(text, 1, slash));
    reading->unit = ws_text_slice(text, 1, text.length);
    if (text.start[0] != '/' || unit == NULL ||
        !ws_text_is(ws_text_slice(text, slash, text.length), "/month")) {
        return ws_reading_fails(reading, 3102);
    }
    per_gib.divisor = unit->factor;
    for (int i = 0; i < unit->power; i++) {
        per_gib.divisor *= 10;
    }
    return ws_reading_set_real(reading, &per_gib,
                               ws_quantity_words_of(WS_QUANTITY_VOLUME_PRICE)->real_max);
}

bool ws_reading_of_rate(ws_text text, ws_quantity_reading *reading)
{
    const ws_unit *unit = NULL;

    if (!ws_reading_take_number(&text, reading)) {
        return false;
    }
    if (text.length == 0) {
        return ws_reading_fails(reading, 3101);
    }
    if (text.start[0] == '/') {
        reading->unit = ws_text_slice(text, 1, text.length);
        unit = ws_unit_find(ws_units_rate, reading->unit);
    }
    if (unit == NULL) {
        return ws_reading_fails(reading, 3102);
    }
    return ws_reading_set_real(reading, unit, ws_quantity_words_of(WS_QUANTITY_RATE)->real_max);
}

static bool read_is_blank(char byte)
{
    return byte == ' ' || byte == '\t';
}

static ws_text read_without_blanks(ws_text text)
{
    size_t from = 0;

    while (from < text.length && read_is_blank(text.start[from])) {
        from++;
    }
    return ws_text_slice(text, from, text.length);
}

/* Suffix and noun of work (`M samples`, `Btok`, `k`, nothing); NULL when they are none. */
static const ws_unit *read_work_unit(ws_text text, ws_work_unit *noun)
{
    for (size_t i = ws_units_count.count; i > 0; i--) {
        const ws_unit *suffix = &ws_units_count.units[i - 1];
        ws_text rest = text;

        if (!ws_text_starts_with(text, ws_text_of(suffix->name))) {
            continue;
        }
        rest =
            read_without_blanks(ws_text_slice(text, ws_text_of(suffix->name).length, text.length));
        *noun = ws_work_unit_find(rest);
        if (rest.length == 0 || *noun != WS_WORK_NONE) {
            return suffix;
        }
    }
    return NULL;
}

bool ws_reading_of_work(ws_text text, ws_quantity_reading *reading)
{
    const ws_unit *unit = NULL;

    if (!ws_reading_take_number(&text, reading)) {
        return false;
    }
    unit = read_work_unit(text, &reading->value.unit);
    if (unit == NULL) {
        reading->unit = ws_text_trimmed(text);
        return ws_reading_fails(reading, 3102);
    }
    return ws_reading_set_real(reading, unit, ws_quantity_words_of(WS_QUANTITY_WORK)->real_max);
}

bool ws_reading_of_per_work(ws_text text, ws_quantity_reading *reading)
{
    const ws_unit *unit = NULL;
    ws_unit seconds = {"", 0, 1, 1};
    size_t slash = 0;

    if (!ws_reading_take_number(&text, reading)) {
        return false;
    }
    slash = ws_text_find_byte(text, '/');
    if (slash == text.length) {
        bool is_time = text.length == 0 || ws_unit_find(ws_units_time, text) != NULL;

        return ws_reading_fails(reading, is_time ? 3101 : 3102);
    }
    unit = ws_unit_find(ws_units_time, ws_text_slice(text, 0, slash));
    reading->value.unit = ws_work_unit_find(ws_text_slice(text, slash + 1, text.length));
    if (unit == NULL || reading->value.unit == WS_WORK_NONE) {
        return ws_reading_fails(reading, 3102);
    }
    seconds = *unit;
    seconds.power -= 9; /* the table is in nanoseconds */
    return ws_reading_set_real(reading, &seconds,
                               ws_quantity_words_of(WS_QUANTITY_PER_WORK)->real_max);
}

bool ws_reading_of_work_rate(ws_text text, ws_quantity_reading *reading)
{
    const ws_unit *suffix = NULL;
    const ws_unit *period = NULL;
    ws_unit unit = {"", 0, 1, 1};
    size_t slash = 0;

    if (!ws_reading_take_number(&text, reading)) {
        return false;
    }
    slash = ws_text_find_byte(text, '/');
    if (slash == text.length) {
        bool is_work = read_work_unit(text, &reading->value.unit) != NULL;

        return ws_reading_fails(reading, is_work ? 3101 : 3102);
    }
    suffix = read_work_unit(ws_text_slice(text, 0, slash), &reading->value.unit);
    period = ws_unit_find(ws_units_rate, ws_text_slice(text, slash + 1, text.length));
    if (suffix == NULL || period == NULL) {
        reading->unit = ws_text_trimmed(text);
        return ws_reading_fails(reading, 3102);
    }
    unit.power = suffix->power;
    unit.divisor = period->divisor;
    return ws_reading_set_real(reading, &unit,
                               ws_quantity_words_of(WS_QUANTITY_WORK_RATE)->real_max);
}
