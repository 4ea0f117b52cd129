/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Days are counted in eras of 400 years that begin on 1 March, so that the leap day is the last of
 * its year. Source: H. Hinnant, "chrono-Compatible Low-Level Date Algorithms", days_from_civil and
 * civil_from_days (public domain).
 */
#include "ws/calendar.h"

#include <stdbool.h>
#include <stddef.h>

#include "ws/assert.h"

#define CALENDAR_ERA_DAYS 146097
#define CALENDAR_EPOCH_DAYS 719468 /* from 0000-03-01 to 1970-01-01 */

int64_t ws_calendar_days(int64_t year, int month, int day)
{
    int64_t shifted = month <= 2 ? year - 1 : year;
    int64_t era = (shifted >= 0 ? shifted : shifted - 399) / 400;
    int64_t year_of_era = shifted - era * 400;
    int64_t day_of_year = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;
    int64_t day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;

    WS_ASSERT(month >= 1 && month <= 12);
    return era * CALENDAR_ERA_DAYS + day_of_era - CALENDAR_EPOCH_DAYS;
}

void ws_calendar_date(int64_t days, int64_t *year, int *month, int *day)
{
    int64_t shifted = days + CALENDAR_EPOCH_DAYS;
    int64_t era = (shifted >= 0 ? shifted : shifted - (CALENDAR_ERA_DAYS - 1)) / CALENDAR_ERA_DAYS;
    int64_t day_of_era = shifted - era * CALENDAR_ERA_DAYS;
    int64_t year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36524 -
                           day_of_era / (CALENDAR_ERA_DAYS - 1)) /
                          365;
    int64_t day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    int64_t month_index = (5 * day_of_year + 2) / 153;

    WS_ASSERT(year != NULL && month != NULL && day != NULL);
    *day = (int)(day_of_year - (153 * month_index + 2) / 5 + 1);
    *month = (int)(month_index < 10 ? month_index + 3 : month_index - 9);
    *year = year_of_era + era * 400 + (*month <= 2 ? 1 : 0);
}

int ws_calendar_month_days(int64_t year, int month)
{
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    bool is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);

    WS_ASSERT(month >= 1 && month <= 12);
    return days[month - 1] + (month == 2 && is_leap ? 1 : 0);
}
