/* SPDX-License-Identifier: GPL-3.0-or-later */
/* 128-bit totals: exact sums, one rounding, and text that reads back. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <signal.h>
#include <string.h>

#include "ws/assert.h"
#include "ws/total.h"

static void expect_i128(ws_i128 value, const char *digits)
{
    char text[WS_TOTAL_TEXT_BYTES];

    cr_assert(eq(sz, ws_i128_print(value, text), strlen(digits)));
    cr_assert(eq(str, text, (char *)digits));
}

static void expect_money(ws_i128 nano, const char *printed)
{
    char text[WS_TOTAL_TEXT_BYTES];

    cr_assert(eq(sz, ws_money_print((ws_money){nano}, text), strlen(printed)));
    cr_assert(eq(str, text, (char *)printed));
}

/* 16384 x 36525 d x 86400 s x 1e9 = 16384 x 3155760000000000000, by hand. */
Test(total, largest_cluster_for_a_hundred_years)
{
    ws_gpu_time booked = ws_gpu_time_of(16384, (ws_duration){WS_HORIZON_MAX_NS});
    char text[WS_TOTAL_TEXT_BYTES];

    expect_i128(booked.gpu_ns, "51703971840000000000000");
    /* 16384 x 36525 x 24 */
    cr_assert(eq(dbl, ws_gpu_time_h(booked), 14362214400.0));
    ws_gpu_time_print_h(booked, text);
    cr_assert(eq(str, text, (char *)"14362214400"));
}

/* The same hour booked a thousand million times in pieces of 1 ns more or less loses nothing. */
Test(total, sums_of_pieces_are_exact)
{
    ws_gpu_time sum = {0};
    int64_t pieces = 1000003;

    for (int64_t i = 0; i < pieces; i++) {
        sum = ws_gpu_time_add(sum, ws_gpu_time_of(16384, (ws_duration){WS_NS_PER_H + i % 3 - 1}));
    }
    /* i % 3 - 1 sums to 0 over each three, and 1000003 = 3 x 333334 + 1 leaves -1. */
    sum = ws_gpu_time_sub(sum, ws_gpu_time_of(16384, (ws_duration){-1}));
    cr_assert(eq(dbl, ws_gpu_time_h(sum), 16384.0 * 1000003.0));
    sum = ws_gpu_time_sub(sum, ws_gpu_time_of(16384 * pieces, (ws_duration){WS_NS_PER_H}));
    expect_i128(sum.gpu_ns, "0");
}

/* 730 GiB for a month of 730 h at $0.10 a GiB and month: $0.10 an hour. 94 GiB: 9.4 / 730 =
 * 0.012876712(3). 8 EiB - 1 byte at 0.000000001: 8589934592 x 1e-9 / 730 = 0.011767033(7). */
Test(total, a_volume_has_a_price_an_hour)
{
    static const struct {
        int64_t bytes;
        int64_t nano;
        int64_t an_hour;
    } rows[] = {{INT64_C(730) << 30, 100000000, 100000000},
                {INT64_C(94) << 30, 100000000, 12876712},
                {INT64_MAX, 1, 11767034},
                {1, 100000000, 0},
                {0, 100000000, 0}};
    ws_price price = {.nano_per_h = 7};

    for (size_t i = 0; i < WS_COUNT_OF(rows); i++) {
        cr_expect(ws_price_of_volume(rows[i].bytes, (ws_volume_price){rows[i].nano}, &price));
        cr_expect(eq(i64, price.nano_per_h, rows[i].an_hour));
    }
    price.nano_per_h = 7;
    cr_expect_not(
        ws_price_of_volume(INT64_MAX, (ws_volume_price){INT64_C(1000000000000000000)}, &price));
    cr_expect(eq(i64, price.nano_per_h, 7));
}

/* 64 GPUs x 168 h x $2.99/h = $32148.48 (the fixed fleet of reference/ux/cli.md). */
Test(total, a_fixed_fleet_costs_its_product)
{
    ws_price per_gpu = {2990000000};
    ws_cost_integral cost = {0};

    for (int gpu = 0; gpu < 64; gpu++) {
        for (int hour = 0; hour < 168; hour++) {
            cost = ws_cost_integral_add(cost,
                                        ws_cost_integral_of(per_gpu, (ws_duration){WS_NS_PER_H}));
        }
    }
    expect_i128(ws_money_of_cost(cost).nano, "32148480000000");
    expect_money(ws_money_of_cost(cost).nano, "32148.48");
    cr_assert(eq(dbl, ws_money_units(ws_money_of_cost(cost)), 32148.48));
}

/* $1/h for 1 ns is 1/3600 nano-dollar; 1800 ns are exactly half a nano-dollar, which rounds away
 * from zero. */
Test(total, cost_rounds_once_half_away_from_zero)
{
    ws_price dollar = {1000000000};

    expect_i128(ws_money_of_cost(ws_cost_integral_of(dollar, (ws_duration){1799})).nano, "0");
    expect_i128(ws_money_of_cost(ws_cost_integral_of(dollar, (ws_duration){1800})).nano, "1");
    expect_i128(ws_money_of_cost(ws_cost_integral_of(dollar, (ws_duration){5399})).nano, "1");
    expect_i128(ws_money_of_cost(ws_cost_integral_of(dollar, (ws_duration){5400})).nano, "2");
    expect_i128(ws_money_of_cost(ws_cost_integral_of(dollar, (ws_duration){-1799})).nano, "0");
    expect_i128(ws_money_of_cost(ws_cost_integral_of(dollar, (ws_duration){-1800})).nano, "-1");
}

Test(total, largest_price_for_the_longest_span_fits)
{
    ws_cost_integral cost = ws_cost_integral_of((ws_price){INT64_MAX}, (ws_duration){INT64_MAX});

    /* (2^63 - 1)^2 = 2^126 - 2^64 + 1 */
    expect_i128(cost.nano_ns_per_h, "85070591730234615847396907784232501249");
}

Test(total, overflow_is_a_bug, .signal = SIGABRT)
{
    ws_i128 half = (ws_i128)1 << 126;

    (void)ws_gpu_time_add((ws_gpu_time){half}, (ws_gpu_time){half});
}

Test(total, share_is_exact_beyond_the_digits_of_a_double)
{
    ws_gpu_time whole = {(ws_i128)1 << 100};

    expect_i128(ws_gpu_time_share(whole, 0.5).gpu_ns, "633825300114114700748351602688"); /* 2^99 */
    expect_i128(ws_gpu_time_share(whole, ldexp(1, -70)).gpu_ns, "1073741824");           /* 2^30 */
    expect_i128(ws_gpu_time_share(whole, 1).gpu_ns, "1267650600228229401496703205376");
    expect_i128(ws_gpu_time_share(whole, 0).gpu_ns, "0");
    /* The double 0.1 is 3602879701896397 / 2^55, so this is 3602879701896397 x 2^45. */
    expect_i128(ws_gpu_time_share(whole, 0.1).gpu_ns, "126765060022822947186544738304");
}

Test(total, share_rounds_to_the_nearest)
{
    cr_assert(eq(int, (int)ws_gpu_time_share((ws_gpu_time){10}, 0.25).gpu_ns, 3)); /* 2.5 */
    cr_assert(eq(int, (int)ws_gpu_time_share((ws_gpu_time){10}, 0.24).gpu_ns, 2));
    cr_assert(eq(int, (int)ws_gpu_time_share((ws_gpu_time){1}, 0.5).gpu_ns, 1));
    cr_assert(eq(int, (int)ws_gpu_time_share((ws_gpu_time){1000}, 1e-300).gpu_ns, 0));
    cr_assert(eq(int, (int)ws_gpu_time_share((ws_gpu_time){1000}, 5e-324).gpu_ns, 0));
    cr_assert(eq(int, (int)ws_gpu_time_share((ws_gpu_time){7}, ldexp(1, -4)).gpu_ns, 0)); /* .44 */
    cr_assert(eq(int, (int)ws_gpu_time_share((ws_gpu_time){9}, ldexp(1, -4)).gpu_ns, 1)); /* .56 */
}

Test(total, integers_print_their_digits)
{
    ws_i128 largest = ((ws_i128)INT64_MAX << 64) + UINT64_MAX;

    expect_i128(0, "0");
    expect_i128(-1, "-1");
    expect_i128(largest, "170141183460469231731687303715884105727");
    expect_i128(-largest - 1, "-170141183460469231731687303715884105728");
}

Test(total, integers_read_whole_or_not_at_all)
{
    const char *const wrong[] = {"",
                                 "-",
                                 "+",
                                 "1 ",
                                 " 1",
                                 "1.0",
                                 "0x1",
                                 "1e3",
                                 "--1",
                                 "1_0",
                                 "170141183460469231731687303715884105728",
                                 "999999999999999999999999999999999999999999"};
    ws_i128 value = 42;

    for (size_t i = 0; i < WS_COUNT_OF(wrong); i++) {
        cr_assert_not(ws_i128_parse(ws_text_of(wrong[i]), &value), "%s", wrong[i]);
    }
    cr_assert_not(ws_i128_parse(WS_TEXT("1\0"), &value));
    cr_assert(eq(int, (int)value, 42));
    cr_assert(ws_i128_parse(WS_TEXT("-170141183460469231731687303715884105727"), &value));
    expect_i128(value, "-170141183460469231731687303715884105727");
    cr_assert(ws_i128_parse(WS_TEXT("+7"), &value));
    cr_assert(eq(int, (int)value, 7));
}

Test(total, money_prints_two_to_nine_decimals)
{
    expect_money(0, "0.00");
    expect_money(1, "0.000000001");
    expect_money(-1, "-0.000000001");
    expect_money(1234500000000, "1234.50");
    expect_money(1234567000000, "1234.567");
    expect_money(-2990000000, "-2.99");
    expect_money(10000000000, "10.00");
}

Test(total, money_reads_back)
{
    ws_money m = {5};

    cr_assert(ws_money_parse(WS_TEXT("32148.48"), &m));
    expect_i128(m.nano, "32148480000000");
    cr_assert(ws_money_parse(WS_TEXT("-0.000000001"), &m));
    expect_i128(m.nano, "-1");
    cr_assert(ws_money_parse(WS_TEXT("7"), &m));
    expect_i128(m.nano, "7000000000");
    cr_assert_not(ws_money_parse(WS_TEXT("0.0000000001"), &m)); /* a tenth of a nano */
    cr_assert_not(ws_money_parse(WS_TEXT("1."), &m));
    cr_assert_not(ws_money_parse(WS_TEXT(".5"), &m));
    cr_assert_not(ws_money_parse(WS_TEXT("1.2.3"), &m));
    cr_assert_not(ws_money_parse(WS_TEXT("$1"), &m));
    cr_assert_not(ws_money_parse(WS_TEXT("170141183460469231731687303716.00"), &m));
    expect_i128(m.nano, "7000000000");
}

/* 1 h = 3.6e12 GPU-ns. */
Test(total, gpu_hours_print_exactly)
{
    char text[WS_TOTAL_TEXT_BYTES];

    ws_gpu_time_print_h((ws_gpu_time){3600000000000}, text);
    cr_assert(eq(str, text, (char *)"1"));
    ws_gpu_time_print_h((ws_gpu_time){900000000000}, text);
    cr_assert(eq(str, text, (char *)"0.25"));
    ws_gpu_time_print_h((ws_gpu_time){1}, text); /* 2.777...e-13 h */
    cr_assert(eq(str, text, (char *)"0.0000000000003"));
    ws_gpu_time_print_h((ws_gpu_time){-9}, text); /* 2.5e-12 h */
    cr_assert(eq(str, text, (char *)"-0.0000000000025"));
}

Test(total, gpu_hours_read_back_to_the_nanosecond)
{
    uint64_t state = 88172645463325252u;

    for (int i = 0; i < 20000; i++) {
        char text[WS_TOTAL_TEXT_BYTES];
        ws_gpu_time t = {0};
        ws_gpu_time back = {0};
        size_t length = 0;

        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        t.gpu_ns = (ws_i128)(int64_t)state * (i % 2 == 0 ? 1 : 10000019);
        length = ws_gpu_time_print_h(t, text);
        cr_assert(ws_gpu_time_parse_h((ws_text){text, length}, &back), "%s", text);
        cr_assert(back.gpu_ns == t.gpu_ns, "%s", text);
    }
}

/* The quotient, not the sum of two roundings: 10^17 / 3.6e12 h. */
Test(total, hours_as_double_are_the_nearest)
{
    cr_assert(eq(dbl, ws_gpu_time_h((ws_gpu_time){(ws_i128)100000000000000000}), 250000.0 / 9.0));
    cr_assert(eq(dbl, ws_gpu_time_h((ws_gpu_time){1}), 1 / 3.6e12));
    cr_assert(eq(dbl, ws_gpu_time_h((ws_gpu_time){-1800000000000}), -0.5));
    cr_assert(eq(dbl, ws_money_units((ws_money){1}), 1e-9));
    cr_assert(eq(dbl, ws_money_units((ws_money){0}), 0));
}
