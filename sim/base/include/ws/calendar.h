/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Dates of the proleptic Gregorian calendar as days since 1970-01-01, and back. */
#ifndef WS_CALENDAR_H
#define WS_CALENDAR_H

#include <stdint.h>

/**
 * Days from 1970-01-01 to a date; any year, negative ones too.
 *
 * @param month  1..12
 * @param day    from 1; one beyond the month's end runs on
 */
int64_t ws_calendar_days(int64_t year, int month, int day);

/** The inverse: the date of a day. */
void ws_calendar_date(int64_t days, int64_t *year, int *month, int *day);

/** Days of a month, 28..31. @param month  1..12 */
int ws_calendar_month_days(int64_t year, int month);

#endif
