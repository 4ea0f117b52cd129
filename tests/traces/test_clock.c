/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "../../traces/clock.h"
#include "trace_case.h"

static int64_t parsed(const char *text)
{
    int64_t ns = -1;

    return ws_clock_parse(ws_text_of(text), &ns) ? ns : -1;
}

/* 1507534915 is `date -u -d '2017-10-09 07:41:55' +%s`. */
Test(clock, parses_dates)
{
    cr_assert(eq(i64, parsed("1970-01-01 00:00:00"), 0));
    cr_assert(eq(i64, parsed("2017-10-09 07:41:55"), INT64_C(1507534915000000000)));
    cr_assert(eq(i64, parsed("2017-10-09T07:41:55.5"), INT64_C(1507534915500000000)));
    cr_assert(eq(i64, parsed("2017-10-09 07:41:55.000000001"), INT64_C(1507534915000000001)));
    cr_assert(eq(i64, parsed("2016-02-29 23:59:59"), INT64_C(1456790399000000000)));
}

Test(clock, refuses_what_is_no_date)
{
    static const char *const bad[] = {
        "",
        "2017-10-09",
        "2017-10-09 07:41",
        "2017-10-09 07:41:5",
        "2017-10-09 07:41:55 ",
        "2017-10-09 07:41:55Z",
        "2017-10-09 07:41:55.",
        "2017-10-09 07:41:55.1234567890",
        "2017-10-09 07:41:55,5",
        "2017-10-09_07:41:55",
        "2017/10/09 07:41:55",
        "2017-13-09 07:41:55",
        "2017-00-09 07:41:55",
        "2017-10-00 07:41:55",
        "2017-10-32 07:41:55",
        "2017-02-29 07:41:55",
        "2017-10-09 24:00:00",
        "2017-10-09 07:60:00",
        "2017-10-09 07:00:60",
        "1969-12-31 23:59:59",
        "2101-01-01 00:00:00",
        "+017-10-09 07:41:55",
        "2017-1 -09 07:41:55",
    };

    for (size_t i = 0; i < WS_COUNT_OF(bad); i++) {
        cr_assert(eq(i64, parsed(bad[i]), -1), "%s", bad[i]);
    }
}

Test(clock, prints_dates)
{
    ws_trace trace = {.clock = WS_TRACE_CLOCK_UTC, .origin_ns = INT64_C(1507534915500000000)};
    char out[WS_TRACE_DATE_BYTES];

    (void)ws_trace_print_date(&trace, 0, out);
    cr_assert_str_eq(out, "2017-10-09T07:41:55.5Z");
    cr_assert(eq(sz, ws_trace_print_date(&trace, 500000000, out), strlen("2017-10-09T07:41:56Z")));
    cr_assert_str_eq(out, "2017-10-09T07:41:56Z");
    trace.clock = WS_TRACE_CLOCK_WALL;
    trace.origin_ns = -1;
    (void)ws_trace_print_date(&trace, 0, out);
    cr_assert_str_eq(out, "1969-12-31T23:59:59.999999999");
    trace.clock = WS_TRACE_CLOCK_OWN;
    trace.origin_ns = INT64_C(120500000000);
    (void)ws_trace_print_date(&trace, 0, out);
    cr_assert_str_eq(out, "120.5 s");
    (void)ws_trace_print_date(&trace, INT64_MIN, out);
    cr_assert_str_eq(out, "-9223371916.354775808 s");
}

/* The ends of the clock neither overflow nor wrap. */
Test(clock, seconds_of_the_clock_saturate)
{
    ws_trace trace = {.clock = WS_TRACE_CLOCK_UTC, .origin_ns = WS_NS_PER_S};
    char out[WS_TRACE_DATE_BYTES];

    cr_assert(eq(i64, ws_trace_ns_of_clock_s(&trace, 3), 2 * WS_NS_PER_S));
    cr_assert(eq(i64, ws_trace_ns_of_clock_s(&trace, INT64_MAX), INT64_MAX));
    cr_assert(eq(i64, ws_trace_ns_of_clock_s(&trace, INT64_MIN), INT64_MIN));
    cr_assert(eq(i64, ws_trace_ns_of_clock_s(&trace, -9223372036), INT64_MIN));
    (void)ws_trace_print_date(&trace, INT64_MAX, out);
    cr_assert_str_eq(out, "2262-04-11T23:47:16.854775807Z");
}

static void assert_zoned(const char *text, int64_t unix_s, int64_t offset_s)
{
    int64_t unix_ns = 0;
    int64_t offset_ns = 0;

    cr_assert(ws_clock_parse_zoned(ws_text_of(text), &unix_ns, &offset_ns), "%s", text);
    cr_assert(eq(i64, unix_ns, unix_s * WS_NS_PER_S), "%s", text);
    cr_assert(eq(i64, offset_ns, offset_s * WS_NS_PER_S), "%s", text);
}

/* Unix seconds by `date -u -d TEXT +%s`. */
Test(clock, offsets_behind_a_date)
{
    static const char *const bad[] = {"2023-03-01 00:18:22",
                                      "2023-03-01 00:18:22+8",
                                      "2023-03-01 00:18:22+24:00",
                                      "2023-03-01 00:18:22+08:60",
                                      "2023-03-01 00:18:22 +08:00",
                                      "2023-03-01 00:18:22+08-00",
                                      "2023-03-01 00:18:22z",
                                      "2023-03-01+08:00",
                                      "+08:00",
                                      "Z"};
    int64_t unix_ns = 0;
    int64_t offset_ns = 0;

    assert_zoned("2023-03-01 00:18:22+08:00", 1677601102, 28800);
    assert_zoned("2023-05-17T11:00:58Z", 1684321258, 0);
    assert_zoned("2023-05-17 11:00:58+00:00", 1684321258, 0);
    assert_zoned("2023-05-17 04:00:58-0700", 1684321258, -25200);
    assert_zoned("2023-05-17 16:30:58+05:30", 1684321258, 19800);
    assert_zoned("2023-05-17 20:00:58+09", 1684321258, 32400);
    for (size_t i = 0; i < WS_COUNT_OF(bad); i++) {
        cr_assert(not(ws_clock_parse_zoned(ws_text_of(bad[i]), &unix_ns, &offset_ns)), "%s",
                  bad[i]);
    }
}

/*
 * zdump -v -c 2017,2018 America/Los_Angeles gives the changes 2017-03-12 10:00 UT and 2017-11-05
 * 09:00 UT, 2:00 on either clock.
 */
Test(clock, us_pacific_time)
{
    static const struct {
        const char *wall;
        int hours;
        ws_clock_kind kind;
    } cases[] = {
        {"2017-03-12 01:59:59", -8, WS_CLOCK_PLAIN},
        {"2017-03-12 02:00:00", -8, WS_CLOCK_SKIPPED},
        {"2017-03-12 02:59:59", -8, WS_CLOCK_SKIPPED},
        {"2017-03-12 03:00:00", -7, WS_CLOCK_PLAIN},
        {"2017-10-09 07:00:00", -7, WS_CLOCK_PLAIN},
        {"2017-11-05 00:59:59", -7, WS_CLOCK_PLAIN},
        {"2017-11-05 01:00:00", -7, WS_CLOCK_FOLDED},
        {"2017-11-05 01:59:59", -7, WS_CLOCK_FOLDED},
        {"2017-11-05 02:00:00", -8, WS_CLOCK_PLAIN},
        {"2017-12-22 12:00:00", -8, WS_CLOCK_PLAIN},
    };

    for (size_t i = 0; i < WS_COUNT_OF(cases); i++) {
        int64_t wall_ns = 0;
        int64_t offset_ns = 0;

        cr_assert(ws_clock_parse(ws_text_of(cases[i].wall), &wall_ns));
        cr_assert(eq(int, ws_clock_us_pacific(wall_ns, &offset_ns), cases[i].kind), "%s",
                  cases[i].wall);
        cr_assert(eq(i64, offset_ns, cases[i].hours * WS_NS_PER_H), "%s", cases[i].wall);
    }
}
