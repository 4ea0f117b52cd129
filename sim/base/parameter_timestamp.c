/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Points in time as RFC 3339 writes them, in the proleptic Gregorian calendar.
 *
 * mktime() reads the time zone of the machine and timegm() is no POSIX, so the project has a
 * calendar of its own. A cursor walks the text; the first thing that does not fit names itself in a
 * label.
 */
#include "ws/calendar.h"

#include "parameter_reader.h"

#define TIMESTAMP_S_PER_MIN 60
#define TIMESTAMP_S_PER_H 3600
#define TIMESTAMP_S_PER_D 86400

typedef struct {
    ws_text text;
    size_t at;
    const char *label; /* what is wrong; NULL: nothing so far */
} timestamp_cursor;

typedef struct {
    int year;
    int month;
    int day;
    int hour;
    int minute;
    int second;
    int offset_s; /* of the zone, east positive */
    bool has_zone;
} timestamp_parts;

static const char timestamp_not_a_date[] = "not a date such as 2026-01-05";
static const char timestamp_not_a_time[] = "not a time of day such as 14:30 or 14:30:05";
static const char timestamp_not_a_zone[] = "not a zone: Z, +02:00 or nothing (UTC)";

static bool timestamp_is_digit(char byte)
{
    return byte >= '0' && byte <= '9';
}

static char timestamp_peek(const timestamp_cursor *cursor)
{
    return cursor->at < cursor->text.length ? cursor->text.start[cursor->at] : '\0';
}

static bool timestamp_is_at_end(const timestamp_cursor *cursor)
{
    return cursor->at == cursor->text.length;
}

/* Takes the byte if it comes next. */
static bool timestamp_take(timestamp_cursor *cursor, char byte)
{
    if (timestamp_is_at_end(cursor) || timestamp_peek(cursor) != byte) {
        return false;
    }
    cursor->at++;
    return true;
}

/* Takes exactly `count` digits. */
static bool timestamp_take_digits(timestamp_cursor *cursor, int count, int *value)
{
    int number = 0;

    WS_ASSERT(count <= 4);
    for (int i = 0; i < count; i++) {
        char byte = timestamp_peek(cursor);

        if (!timestamp_is_digit(byte)) {
            return false;
        }
        number = number * 10 + (byte - '0');
        cursor->at++;
    }
    *value = number;
    return true;
}

static bool timestamp_fail(timestamp_cursor *cursor, const char *label)
{
    WS_ASSERT(label != NULL);
    cursor->label = label;
    return false;
}

static bool timestamp_read_date(timestamp_cursor *cursor, timestamp_parts *parts)
{
    bool is_shaped = timestamp_take_digits(cursor, 4, &parts->year) &&
                     timestamp_take(cursor, '-') &&
                     timestamp_take_digits(cursor, 2, &parts->month) &&
                     timestamp_take(cursor, '-') && timestamp_take_digits(cursor, 2, &parts->day);

    if (!is_shaped) {
        return timestamp_fail(cursor, timestamp_not_a_date);
    }
    if (parts->month < 1 || parts->month > 12) {
        return timestamp_fail(cursor, "months are 01 to 12");
    }
    if (parts->day < 1 || parts->day > ws_calendar_month_days(parts->year, parts->month)) {
        return timestamp_fail(cursor, "no such day in that month");
    }
    return true;
}

/* A fraction of a second, which is cut off. */
static bool timestamp_skip_fraction(timestamp_cursor *cursor)
{
    int digit = 0;

    if (!timestamp_take(cursor, '.')) {
        return true;
    }
    if (!timestamp_take_digits(cursor, 1, &digit)) {
        return timestamp_fail(cursor, timestamp_not_a_time);
    }
    while (timestamp_is_digit(timestamp_peek(cursor))) {
        cursor->at++;
    }
    return true;
}

static bool timestamp_read_time(timestamp_cursor *cursor, timestamp_parts *parts)
{
    bool is_shaped = timestamp_take_digits(cursor, 2, &parts->hour) &&
                     timestamp_take(cursor, ':') &&
                     timestamp_take_digits(cursor, 2, &parts->minute);

    if (is_shaped && timestamp_take(cursor, ':')) {
        is_shaped = timestamp_take_digits(cursor, 2, &parts->second);
        is_shaped = is_shaped && timestamp_skip_fraction(cursor);
    }
    if (!is_shaped) {
        return timestamp_fail(cursor, timestamp_not_a_time);
    }
    if (parts->hour > 23 || parts->minute > 59 || parts->second > 60) {
        return timestamp_fail(cursor, "times of day are 00:00:00 to 23:59:59");
    }
    return true;
}

static bool timestamp_read_zone(timestamp_cursor *cursor, timestamp_parts *parts)
{
    int sign = timestamp_peek(cursor) == '-' ? -1 : 1;
    int hours = 0;
    int minutes = 0;
    bool is_shaped = false;

    parts->has_zone = !timestamp_is_at_end(cursor);
    if (!parts->has_zone || timestamp_take(cursor, 'Z') || timestamp_take(cursor, 'z')) {
        return true;
    }
    is_shaped = (timestamp_take(cursor, '+') || timestamp_take(cursor, '-')) &&
                timestamp_take_digits(cursor, 2, &hours) && timestamp_take(cursor, ':') &&
                timestamp_take_digits(cursor, 2, &minutes);
    if (!is_shaped || hours > 23 || minutes > 59) {
        return timestamp_fail(cursor, timestamp_not_a_zone);
    }
    parts->offset_s = sign * (hours * TIMESTAMP_S_PER_H + minutes * TIMESTAMP_S_PER_MIN);
    return true;
}

static bool timestamp_read_parts(timestamp_cursor *cursor, timestamp_parts *parts)
{
    if (!timestamp_read_date(cursor, parts)) {
        return false;
    }
    if (timestamp_is_at_end(cursor)) {
        return true;
    }
    if (!timestamp_take(cursor, 'T') && !timestamp_take(cursor, 't') &&
        !timestamp_take(cursor, ' ')) {
        return timestamp_fail(cursor, timestamp_not_a_date);
    }
    if (!timestamp_read_time(cursor, parts) || !timestamp_read_zone(cursor, parts)) {
        return false;
    }
    return timestamp_is_at_end(cursor) || timestamp_fail(cursor, timestamp_not_a_zone);
}

bool ws_timestamp_read(ws_text text, ws_timestamp *timestamp, const char **label)
{
    WS_ASSERT(timestamp != NULL);
    WS_ASSERT(label != NULL);
    timestamp_cursor cursor = {.text = text};
    timestamp_parts parts = {0};
    int64_t unix_s = 0;

    if (!timestamp_read_parts(&cursor, &parts)) {
        *label = cursor.label;
        return false;
    }
    unix_s = ws_calendar_days(parts.year, parts.month, parts.day) * TIMESTAMP_S_PER_D +
             (int64_t)parts.hour * TIMESTAMP_S_PER_H + (int64_t)parts.minute * TIMESTAMP_S_PER_MIN +
             parts.second - parts.offset_s;
    if (parts.second == 60 && unix_s % TIMESTAMP_S_PER_D != 0) {
        *label = "leap seconds come at 23:59:60 UTC alone";
        return false;
    }
    *timestamp = (ws_timestamp){.given = true, .unix_s = unix_s, .has_zone = parts.has_zone};
    return true;
}

bool ws_timestamp_parse(ws_text text, ws_timestamp *timestamp)
{
    const char *label = NULL;

    WS_ASSERT(timestamp != NULL);
    return ws_timestamp_read(text, timestamp, &label);
}
