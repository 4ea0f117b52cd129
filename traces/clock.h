/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Dates as numbers and back, in the proleptic Gregorian calendar, without the machine's time zone.
 */
#ifndef WS_TRACES_CLOCK_H
#define WS_TRACES_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "ws/assert.h"
#include "ws/text.h"
#include "ws/time.h"

/** The end of the year 2100: what ws_clock_parse() gives lies below, and a hundred years more still
 * fit into 64 bits. */
#define WS_CLOCK_NS_MAX (INT64_C(47847) * WS_NS_PER_D)

/** Days from 1970-01-01 to a date; any year. The month must be 1..12; a day beyond the month's end
 * runs on. */
int64_t ws_clock_days_of_date(int64_t year, int month, int day);

/** The inverse. */
void ws_clock_date_of_days(int64_t days, int64_t *year, int *month, int *day);

/** 28..31; the month must be 1..12. */
int ws_clock_days_in_month(int64_t year, int month);

/**
 * `YYYY-MM-DD HH:MM:SS`, a `T` or a blank between date and time, up to nine decimals of the second,
 * no zone, as ns since 1970-01-01T00:00:00 of the same clock.
 *
 * @return  false for anything else: other lengths, months beyond 12, 30 February, 24:00, second 60,
 * years outside 1970..2100
 */
WS_NODISCARD bool ws_clock_parse(ws_text text, int64_t *unix_ns);

#endif
