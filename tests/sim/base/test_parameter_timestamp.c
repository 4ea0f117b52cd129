/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Points in time. The seconds are those of GNU date (`date -u -d TEXT +%s`) and, for the year 0, of
 * ISO 8601's proleptic calendar. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>

#include "ws/parameter.h"

typedef struct {
    const char *text;
    int64_t unix_s;
    bool has_zone;
} known;

static const known times[] = {
    {"1970-01-01T00:00:00Z", 0, true},
    {"1970-01-01", 0, false},
    {"1969-12-31T23:59:59Z", -1, true},
    {"2026-01-05T00:00:00Z", 1767571200, true},
    {"2026-01-05t00:00:00z", 1767571200, true},
    {"2026-01-05 00:00:00", 1767571200, false},
    {"2026-01-05T00:00", 1767571200, false},
    {"2026-01-05T02:00+02:00", 1767571200, true},
    {"2026-01-04T18:30:00-05:30", 1767571200, true},
    {"2026-01-05T00:00:00-00:00", 1767571200, true},
    {"2017-10-06", 1507248000, false},
    {"2000-02-29", 951782400, false},
    {"2100-03-01T00:00:00Z", 4107542400, true},
    /* the examples of RFC 3339, section 5.8 */
    {"1985-04-12T23:20:50.52Z", 482196050, true},
    {"1996-12-19T16:39:57-08:00", 851042397, true},
    {"1990-12-31T23:59:60Z", 662688000, true},
    {"1990-12-31T15:59:60-08:00", 662688000, true},
    {"1937-01-01T12:00:27.87+00:20", -1041337173, true},
    {"9999-12-31T23:59:59Z", 253402300799, true},
    {"0000-01-01T00:00:00Z", -62167219200, true},
    {"0001-01-01", -62135596800, false},
};

Test(parameter_timestamp, reads_points_in_time)
{
    for (size_t i = 0; i < WS_COUNT_OF(times); i++) {
        ws_timestamp timestamp = {.given = false};

        cr_assert(ws_timestamp_parse(ws_text_of(times[i].text), &timestamp), "%s", times[i].text);
        cr_expect(eq(i64, timestamp.unix_s, times[i].unix_s), "%s", times[i].text);
        cr_expect(eq(int, timestamp.has_zone, times[i].has_zone), "%s", times[i].text);
        cr_expect(timestamp.given);
    }
}

Test(parameter_timestamp, refuses_what_is_none)
{
    static const char *const bad[] = {
        "",
        "2017",
        "2017-10",
        "2017-02-29",
        "1900-02-29",
        "2100-02-29",
        "2026-04-31",
        "2026-13-01",
        "2026-00-10",
        "2026-01-00",
        "2026-01-32",
        "2026-1-5",
        "26-01-05",
        "+2026-01-05",
        "-001-01-05",
        "12026-01-05",
        "05/01/2026",
        "2026-01-05T",
        "2026-01-05Z",
        "2026-01-05T24:00",
        "2026-01-05T12",
        "2026-01-05T12:60",
        "2026-01-05T12:30:61",
        "2026-01-05T12:30:60Z",
        "2026-01-05T12:30:",
        "2026-01-05T12:30:5",
        "2026-01-05T12:30:05.",
        "2026-01-05T12:30:05.Z",
        "2026-01-05T12:30:05ZZ",
        "2026-01-05T12:30:05+2:00",
        "2026-01-05T12:30:05+0200",
        "2026-01-05T12:30:05+24:00",
        "2026-01-05T12:30:05+02:60",
        "2026-01-05T12:30:05 UTC",
        " 2026-01-05",
        "2026-01-05 ",
        "2026-01-05T12:30:05Z ",
        "now",
    };

    for (size_t i = 0; i < WS_COUNT_OF(bad); i++) {
        ws_timestamp timestamp = {.unix_s = 42};

        cr_expect(not(ws_timestamp_parse(ws_text_of(bad[i]), &timestamp)), "%s", bad[i]);
        cr_expect(eq(i64, timestamp.unix_s, 42), "%s", bad[i]);
        cr_expect(not(timestamp.given));
    }
    cr_expect(not(ws_timestamp_parse((ws_text){.start = "2026-01-05\0Z", .length = 12},
                                     &(ws_timestamp){.unix_s = 0})));
}

/* Every day of four centuries follows the one before it: 146097 days, 97 of them leap days. */
Test(parameter_timestamp, counts_every_day_of_an_era)
{
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    int64_t expected = 951868800; /* 2000-03-01 */
    int64_t count = 0;
    char text[64];

    for (int year = 2000; year <= 2400; year++) {
        bool is_leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;

        for (int month = year == 2000 ? 3 : 1; month <= (year == 2400 ? 2 : 12); month++) {
            int last = days[month - 1] + (month == 2 && is_leap ? 1 : 0);

            for (int day = 1; day <= last; day++) {
                ws_timestamp timestamp = {.given = false};

                (void)snprintf(text, sizeof text, "%04d-%02d-%02d", year, month, day);
                cr_assert(ws_timestamp_parse(ws_text_of(text), &timestamp));
                cr_assert(eq(i64, timestamp.unix_s, expected + count * 86400));
                count++;
            }
        }
    }
    cr_expect(eq(i64, count, 146097));
}
