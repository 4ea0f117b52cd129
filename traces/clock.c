/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "clock.h"

#include <inttypes.h>
#include <stdio.h>

#include "ws/calendar.h"
#include "ws/number.h"
#include "ws/trace.h"

#define CLOCK_YEAR_MIN 1970
#define CLOCK_YEAR_MAX 2100 /* a job of a hundred years still ends within 64-bit nanoseconds */

/* Exactly `count` digits at `from`. */
static bool clock_digits(ws_text text, size_t from, size_t count, int *value)
{
    int number = 0;

    for (size_t i = from; i < from + count; i++) {
        char byte = text.start[i];

        if (byte < '0' || byte > '9') {
            return false;
        }
        number = number * 10 + (byte - '0');
    }
    *value = number;
    return true;
}

/* `.5` behind the seconds, in ns; nothing there is 0. */
static bool clock_fraction(ws_text text, int64_t *ns)
{
    int64_t scale = WS_NS_PER_S;
    int64_t sum = 0;

    if (text.length == 0) {
        *ns = 0;
        return true;
    }
    if (text.length < 2 || text.length > 10 || text.start[0] != '.') {
        return false;
    }
    for (size_t i = 1; i < text.length; i++) {
        if (text.start[i] < '0' || text.start[i] > '9') {
            return false;
        }
        scale /= 10;
        sum += (text.start[i] - '0') * scale;
    }
    *ns = sum;
    return true;
}

typedef struct {
    int year;
    int month;
    int day;
    int hour;
    int minute;
    int second;
} clock_parts;

static bool clock_parts_read(ws_text text, clock_parts *parts)
{
    const char *at = text.start;

    return at[4] == '-' && at[7] == '-' && (at[10] == ' ' || at[10] == 'T') && at[13] == ':' &&
           at[16] == ':' && clock_digits(text, 0, 4, &parts->year) &&
           clock_digits(text, 5, 2, &parts->month) && clock_digits(text, 8, 2, &parts->day) &&
           clock_digits(text, 11, 2, &parts->hour) && clock_digits(text, 14, 2, &parts->minute) &&
           clock_digits(text, 17, 2, &parts->second);
}

static bool clock_parts_are_valid(const clock_parts *parts)
{
    return parts->year >= CLOCK_YEAR_MIN && parts->year <= CLOCK_YEAR_MAX && parts->month >= 1 &&
           parts->month <= 12 && parts->day >= 1 &&
           parts->day <= ws_calendar_month_days(parts->year, parts->month) && parts->hour <= 23 &&
           parts->minute <= 59 && parts->second <= 59;
}

bool ws_clock_parse(ws_text text, int64_t *unix_ns)
{
    clock_parts parts = {.year = 0};
    int64_t fraction_ns = 0;
    int64_t seconds = 0;

    WS_ASSERT(unix_ns != NULL);
    if (text.length < 19 || !clock_parts_read(text, &parts) || !clock_parts_are_valid(&parts) ||
        !clock_fraction(ws_text_slice(text, 19, text.length), &fraction_ns)) {
        return false;
    }
    seconds = ws_calendar_days(parts.year, parts.month, parts.day) * INT64_C(86400) +
              INT64_C(3600) * parts.hour + INT64_C(60) * parts.minute + parts.second;
    *unix_ns = seconds * WS_NS_PER_S + fraction_ns;
    return true;
}

/* +HH:MM, -HHMM, +HH or Z, in ns. */
static bool clock_offset(ws_text text, int64_t *offset_ns)
{
    int hours = 0;
    int minutes = 0;
    size_t minutes_at = text.length == 6 ? 4 : 3;
    bool is_good = false;

    if (ws_text_is(text, "Z")) {
        *offset_ns = 0;
        return true;
    }
    is_good =
        (text.length == 3 || text.length == 5 || (text.length == 6 && text.start[3] == ':')) &&
        (text.start[0] == '+' || text.start[0] == '-') && clock_digits(text, 1, 2, &hours) &&
        (text.length == 3 || clock_digits(text, minutes_at, 2, &minutes));
    if (!is_good || hours > 23 || minutes > 59) {
        return false;
    }
    *offset_ns = (text.start[0] == '-' ? -1 : 1) * (hours * WS_NS_PER_H + minutes * WS_NS_PER_MIN);
    return true;
}

bool ws_clock_parse_zoned(ws_text text, int64_t *unix_ns, int64_t *offset_ns)
{
    size_t at = 19;
    int64_t wall_ns = 0;
    int64_t behind_ns = 0;

    WS_ASSERT(unix_ns != NULL && offset_ns != NULL);
    while (at < text.length && text.start[at] != '+' && text.start[at] != '-' &&
           text.start[at] != 'Z') {
        at++;
    }
    if (!ws_clock_parse(ws_text_slice(text, 0, at), &wall_ns) ||
        !clock_offset(ws_text_slice(text, at, text.length), &behind_ns)) {
        return false;
    }
    *unix_ns = wall_ns - behind_ns;
    *offset_ns = behind_ns;
    return true;
}

/* Day of the `nth` Sunday of a month. 1970-01-01 was a Thursday. */
static int64_t clock_sunday(int64_t year, int month, int nth)
{
    int64_t first = ws_calendar_days(year, month, 1);
    int64_t weekday = (first + 4) % 7; /* 0: Sunday */

    WS_ASSERT(first >= 0);
    return first + (7 - weekday) % 7 + INT64_C(7) * (nth - 1);
}

ws_clock_kind ws_clock_us_pacific(int64_t wall_ns, int64_t *offset_ns)
{
    int64_t year = 0;
    int month = 0;
    int day = 0;

    WS_ASSERT(wall_ns >= 0);
    WS_ASSERT(offset_ns != NULL);
    ws_calendar_date(wall_ns / WS_NS_PER_D, &year, &month, &day);
    if (month != 3 && month != 11) {
        *offset_ns = (month > 3 && month < 11 ? -7 : -8) * WS_NS_PER_H;
        return WS_CLOCK_PLAIN;
    }
    int64_t spring_ns = clock_sunday(year, 3, 2) * WS_NS_PER_D + 2 * WS_NS_PER_H;
    int64_t autumn_ns = clock_sunday(year, 11, 1) * WS_NS_PER_D + 2 * WS_NS_PER_H;
    bool is_skipped = wall_ns >= spring_ns && wall_ns < spring_ns + WS_NS_PER_H;
    bool is_folded = wall_ns >= autumn_ns - WS_NS_PER_H && wall_ns < autumn_ns;
    bool is_summer = wall_ns >= spring_ns && wall_ns < autumn_ns && !is_skipped;

    *offset_ns = (is_summer ? -7 : -8) * WS_NS_PER_H;
    if (is_skipped) {
        return WS_CLOCK_SKIPPED;
    }
    return is_folded ? WS_CLOCK_FOLDED : WS_CLOCK_PLAIN;
}

/* A fraction of a second without trailing zeros, ".5", or nothing. */
static size_t clock_print_fraction(int64_t ns, char *out, size_t out_bytes)
{
    int length = 0;

    if (ns == 0) {
        return 0;
    }
    length = snprintf(out, out_bytes, ".%09" PRId64, ns);
    while (out[length - 1] == '0') {
        length--;
    }
    out[length] = '\0';
    return (size_t)length;
}

static size_t clock_print_calendar(int64_t clock_ns, char out[WS_TRACE_DATE_BYTES])
{
    int64_t fraction_ns = (clock_ns % WS_NS_PER_S + WS_NS_PER_S) % WS_NS_PER_S;
    int64_t seconds = clock_ns / WS_NS_PER_S - (clock_ns % WS_NS_PER_S < 0 ? 1 : 0);
    int64_t second_of_day = (seconds % 86400 + 86400) % 86400;
    int64_t year = 0;
    int month = 0;
    int day = 0;
    int length = 0;

    ws_calendar_date((seconds - second_of_day) / 86400, &year, &month, &day);
    length = snprintf(out, WS_TRACE_DATE_BYTES, "%04d-%02d-%02dT%02d:%02d:%02d", (int)year, month,
                      day, (int)(second_of_day / 3600), (int)(second_of_day / 60 % 60),
                      (int)(second_of_day % 60));
    return (size_t)length +
           clock_print_fraction(fraction_ns, out + length, WS_TRACE_DATE_BYTES - (size_t)length);
}

static size_t clock_print_own(int64_t clock_ns, char out[WS_TRACE_DATE_BYTES])
{
    bool is_negative = clock_ns < 0;
    uint64_t magnitude = is_negative ? -(uint64_t)clock_ns : (uint64_t)clock_ns;
    int length = snprintf(out, WS_TRACE_DATE_BYTES, "%s%" PRIu64, is_negative ? "-" : "",
                          magnitude / (uint64_t)WS_NS_PER_S);
    size_t end = (size_t)length;

    end += clock_print_fraction((int64_t)(magnitude % (uint64_t)WS_NS_PER_S), out + end,
                                WS_TRACE_DATE_BYTES - end);
    return end + (size_t)snprintf(out + end, WS_TRACE_DATE_BYTES - end, " s");
}

static int64_t clock_add_saturated(int64_t a, int64_t b)
{
    int64_t sum = 0;

    if (__builtin_add_overflow(a, b, &sum)) {
        return b < 0 ? INT64_MIN : INT64_MAX;
    }
    return sum;
}

size_t ws_trace_print_date(const ws_trace *trace, int64_t at_ns, char out[WS_TRACE_DATE_BYTES])
{
    size_t length = 0;

    WS_ASSERT(trace != NULL);

    int64_t clock_ns = clock_add_saturated(trace->origin_ns, at_ns);

    switch (trace->clock) {
    case WS_TRACE_CLOCK_OWN:
        return clock_print_own(clock_ns, out);
    case WS_TRACE_CLOCK_WALL:
        return clock_print_calendar(clock_ns, out);
    case WS_TRACE_CLOCK_UTC:
        length = clock_print_calendar(clock_ns, out);
        out[length] = 'Z';
        out[length + 1] = '\0';
        return length + 1;
    }
    return 0;
}

int64_t ws_trace_ns_of_clock_s(const ws_trace *trace, int64_t clock_s)
{
    int64_t clock_ns = 0;
    int64_t since_ns = 0;

    WS_ASSERT(trace != NULL);
    if (__builtin_mul_overflow(clock_s, WS_NS_PER_S, &clock_ns)) {
        return clock_s < 0 ? INT64_MIN : INT64_MAX;
    }
    if (__builtin_sub_overflow(clock_ns, trace->origin_ns, &since_ns)) {
        return clock_ns < 0 ? INT64_MIN : INT64_MAX;
    }
    return since_ns;
}
