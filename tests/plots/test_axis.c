/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "../../plots/axis.h"
#include "chart_case.h"

/* All ticks of an axis, printed, joined by blanks. */
static void assert_ticks(double low, double high, int wanted, const char *expected)
{
    ws_axis axis = ws_axis_of_range(low, high, wanted);
    char all[1024] = "";

    for (int i = 0; i < axis.ticks; i++) {
        char text[WS_AXIS_TEXT_BYTES];

        cr_assert(eq(sz, ws_axis_print(&axis, i, text), strlen(text)));
        strcat(all, i > 0 ? " " : "");
        strcat(all, text);
    }
    cr_assert_str_eq(all, expected);
    cr_assert(le(dbl, ws_axis_low(&axis), low));
    cr_assert(ge(dbl, ws_axis_high(&axis), high));
}

Test(axis, ticks_are_1_2_or_5_times_a_power_of_ten)
{
    assert_ticks(0, 10, 5, "0 2 4 6 8 10");
    assert_ticks(0, 9.5, 5, "0 2 4 6 8 10");
    assert_ticks(0, 100, 10, "0 10 20 30 40 50 60 70 80 90 100");
    assert_ticks(0.1, 0.9, 4, "0 0.2 0.4 0.6 0.8 1.0");
    assert_ticks(-3, 7, 5, "-4 -2 0 2 4 6 8");
    assert_ticks(0, 4321, 4, "0 2,000 4,000 6,000");
    assert_ticks(-0.00031, 0.00012, 4, "-0.0004 -0.0002 0 0.0002");
}

Test(axis, large_numbers_take_a_prefix_where_it_shortens)
{
    assert_ticks(0, 32149, 8, "0 5k 10k 15k 20k 25k 30k 35k");
    assert_ticks(380000, 461000, 6, "380k 400k 420k 440k 460k 480k");
    assert_ticks(0, 2.4e6, 5, "0 0.5M 1.0M 1.5M 2.0M 2.5M");
    assert_ticks(0, 7e12, 4, "0 2T 4T 6T 8T");
    /* a small window far from 0 would need many decimals with a prefix: whole numbers instead */
    assert_ticks(1000001, 1000004, 3, "1,000,001 1,000,002 1,000,003 1,000,004");
    assert_ticks(0, 3e20, 3, "0 1e+20 2e+20 3e+20");
}

Test(axis, a_range_without_extent_is_widened)
{
    assert_ticks(400000, 400000, 4, "380k 390k 400k 410k 420k");
    assert_ticks(0, 0, 2, "-0.5 0 0.5");
    assert_ticks(-8, -8, 2, "-8.5 -8.0 -7.5");
}

/* Ends that overflow, or vanish, still give an axis with finite ends. */
Test(axis, extreme_ranges)
{
    static const double ends[][2] = {{-1e308, 1e308},  {0, 1e300},        {0, 5e-324},
                                     {1e-300, 1e-299}, {-1e-310, 1e-310}, {1e17, 1e17 + 32}};

    for (size_t i = 0; i < WS_COUNT_OF(ends); i++) {
        ws_axis axis = ws_axis_of_range(ends[i][0], ends[i][1], 6);
        char text[WS_AXIS_TEXT_BYTES];

        cr_assert(axis.ticks >= 2 && axis.ticks < 20, "case %zu: %d", i, axis.ticks);
        cr_assert(isfinite(ws_axis_low(&axis)) && isfinite(ws_axis_high(&axis)));
        cr_assert(ws_axis_low(&axis) < ws_axis_high(&axis));
        cr_assert(isfinite(ws_axis_ratio(&axis, ends[i][1])));
        for (int tick = 0; tick < axis.ticks; tick++) {
            cr_assert(lt(sz, ws_axis_print(&axis, tick, text), WS_AXIS_TEXT_BYTES));
        }
    }
}

Test(axis, ratio)
{
    ws_axis axis = ws_axis_of_range(0, 10, 5);

    cr_assert(ieee_ulp_eq(dbl, ws_axis_ratio(&axis, 0), 0, 1));
    cr_assert(ieee_ulp_eq(dbl, ws_axis_ratio(&axis, 2.5), 0.25, 1));
    cr_assert(ieee_ulp_eq(dbl, ws_axis_ratio(&axis, 10), 1, 1));
}

static void assert_value(double value, const char *expected)
{
    char text[WS_AXIS_TEXT_BYTES];

    cr_assert(eq(sz, ws_axis_print_value(value, text), strlen(expected)));
    cr_assert_str_eq(text, expected);
}

Test(axis, values_have_four_digits)
{
    assert_value(0, "0");
    assert_value(-0.0, "0");
    assert_value(24309.9, "24,310");
    assert_value(412000, "412,000");
    assert_value(1234567890, "1,234,567,890");
    assert_value(-24309.9, "-24,310");
    assert_value(0.75621, "0.7562");
    assert_value(95, "95");
    assert_value(99.9, "99.9");
    assert_value(5.4, "5.4");
    assert_value(999.96, "1,000");
    assert_value(0.00123456, "0.001235");
    assert_value(1.2e-9, "1.2e-09");
    assert_value(1e15, "1e+15");
    assert_value((double)NAN, "nan");
}
