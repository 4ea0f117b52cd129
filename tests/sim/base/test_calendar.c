/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "ws/calendar.h"

/* Days by hand and from H. Hinnant's page: 1970-01-01 is 0, 2000-03-01 is 11017, 0000-03-01 is
 * -719468. */
Test(calendar, days_of_dates)
{
    cr_assert(eq(i64, ws_calendar_days(1970, 1, 1), 0));
    cr_assert(eq(i64, ws_calendar_days(1970, 12, 31), 364));
    cr_assert(eq(i64, ws_calendar_days(1969, 12, 31), -1));
    cr_assert(eq(i64, ws_calendar_days(2000, 3, 1), 11017));
    cr_assert(eq(i64, ws_calendar_days(0, 3, 1), -719468));
    cr_assert(eq(i64, ws_calendar_days(-400, 3, 1), -719468 - 146097));
    cr_assert(eq(i64, ws_calendar_days(2101, 1, 1), 47847));
}

Test(calendar, months)
{
    cr_assert(eq(int, ws_calendar_month_days(2000, 2), 29));
    cr_assert(eq(int, ws_calendar_month_days(1900, 2), 28));
    cr_assert(eq(int, ws_calendar_month_days(2016, 2), 29));
    cr_assert(eq(int, ws_calendar_month_days(2017, 2), 28));
    cr_assert(eq(int, ws_calendar_month_days(2017, 12), 31));
    cr_assert(eq(int, ws_calendar_month_days(2017, 4), 30));
}

/* Every day of 800 years goes there and back, and the next day is one more. */
Test(calendar, dates_round_trip)
{
    for (int64_t day = -146097; day < 146097; day++) {
        int64_t year = 0;
        int month = 0;
        int of_month = 0;

        ws_calendar_date(day, &year, &month, &of_month);
        cr_assert(ws_calendar_days(year, month, of_month) == day);
        cr_assert(of_month >= 1 && of_month <= ws_calendar_month_days(year, month));
    }
}
