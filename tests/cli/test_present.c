/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What people read. Expectations were written by hand. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include <math.h>

#include "present.h"

#define EXPECT_TEXT(text, wanted)                                                                  \
    do {                                                                                           \
        ws_text got_ = (text);                                                                     \
        cr_expect(ws_text_is(got_, wanted), "`%.*s`, not `%s`", WS_TEXT_ARGS(got_), wanted);       \
    } while (0)

static ws_arena fresh_arena(void)
{
    ws_arena arena;

    ws_arena_init(&arena, &ws_allocator_default, (size_t)1 << 20);
    return arena;
}

static ws_presented presented(const char *metric, double largest, ws_arena *arena)
{
    const ws_column *column = ws_columns_find(&ws_run_columns, ws_text_of(metric));

    cr_assert(column != NULL);
    return ws_present(column, largest, arena);
}

Test(present, thousands)
{
    ws_arena arena = fresh_arena();

    EXPECT_TEXT(ws_present_number(0, 0, &arena), "0");
    EXPECT_TEXT(ws_present_number(999, 0, &arena), "999");
    EXPECT_TEXT(ws_present_number(1000, 0, &arena), "1,000");
    EXPECT_TEXT(ws_present_number(-1000, 0, &arena), "-1,000");
    EXPECT_TEXT(ws_present_number(-100, 0, &arena), "-100");
    EXPECT_TEXT(ws_present_number(1234567.891, 2, &arena), "1,234,567.89");
    EXPECT_TEXT(ws_present_number(999999.5, 0, &arena), "1,000,000");
    EXPECT_TEXT(ws_present_number(-0.0, 1, &arena), "0.0");
    EXPECT_TEXT(ws_present_number(-0.01, 1, &arena), "0.0");
    EXPECT_TEXT(ws_present_number((double)NAN, 1, &arena), "-");
    EXPECT_TEXT(ws_present_number(HUGE_VAL, 1, &arena), "-");
    cr_expect(ws_present_number(1e300, 9, &arena).length > 300);
    ws_arena_reset(&arena);
}

Test(present, money)
{
    ws_arena arena = fresh_arena();
    ws_presented large = presented("cost_usd", 32148, &arena);
    ws_presented small = presented("cost_usd", 57.2, &arena);

    EXPECT_TEXT(large.heading, "COST $");
    EXPECT_TEXT(ws_present_mean(&large, 32148.48, 290.4, true, &arena), "32,148 \u00b1290");
    EXPECT_TEXT(ws_present_mean(&large, 24310, (double)NAN, true, &arena), "24,310");
    EXPECT_TEXT(ws_present_mean(&small, 57.2, 0.375, false, &arena), "57.20 +-0.38");
    ws_arena_reset(&arena);
}

/* One unit for all policies: the one that suits the slowest. */
Test(present, times)
{
    ws_arena arena = fresh_arena();

    EXPECT_TEXT(presented("main_finish_s", 90, &arena).heading, "FINISH s");
    EXPECT_TEXT(presented("main_finish_s", 120, &arena).heading, "FINISH min");
    EXPECT_TEXT(presented("jct_p95_s", 3600.0 * 15, &arena).heading, "JCT p95 h");
    EXPECT_TEXT(presented("jct_p95_s", 3600.0 * 72, &arena).heading, "JCT p95 d");
    ws_presented hours = presented("jct_p95_s", 18360, &arena);
    EXPECT_TEXT(ws_present_mean(&hours, 18360, 360, true, &arena), "5.10 \u00b10.10");
    ws_presented days = presented("main_finish_s", 86400 * 4.41, &arena);
    EXPECT_TEXT(ws_present_mean(&days, 86400 * 4.41, 2592, true, &arena), "4.41 \u00b10.03");
    ws_presented nothing = presented("main_finish_s", 0, &arena);
    EXPECT_TEXT(ws_present_mean(&nothing, 0, 0, true, &arena), "0 \u00b10");
    ws_arena_reset(&arena);
}

Test(present, percent_and_plain)
{
    ws_arena arena = fresh_arena();
    ws_presented share = presented("goodput_fraction", 0.736, &arena);
    ws_presented rate = presented("samples_per_s", 417.6, &arena);

    EXPECT_TEXT(share.heading, "UTILISATION %");
    EXPECT_TEXT(ws_present_mean(&share, 0.736, 0.0031, true, &arena), "73.6 \u00b10.3");
    /* An interval that is narrow is not shown as none. */
    EXPECT_TEXT(ws_present_mean(&share, 0.736, 0.0002, true, &arena), "73.6 \u00b10.02");
    EXPECT_TEXT(ws_present_mean(&share, 0.736, 0, true, &arena), "73.6 \u00b10");
    EXPECT_TEXT(rate.heading, "SAMPLES/s");
    EXPECT_TEXT(ws_present_mean(&rate, 417.6, 2.2, true, &arena), "418 \u00b12");
    ws_presented slowdown = presented("slowdown_p95", 3.14159, &arena);
    EXPECT_TEXT(ws_present_mean(&slowdown, 3.14159, (double)NAN, true, &arena), "3.14");
    ws_arena_reset(&arena);
}

Test(present, changes)
{
    ws_arena arena = fresh_arena();
    ws_presented share = presented("deadline_miss_fraction", 0.2, &arena);

    EXPECT_TEXT(ws_present_change(0.756, &arena), "-24.4 %");
    EXPECT_TEXT(ws_present_change(1, &arena), "0 %");
    EXPECT_TEXT(ws_present_change(1.0002, &arena), "+0.02 %");
    EXPECT_TEXT(ws_present_change(21, &arena), "+2,000 %");
    EXPECT_TEXT(ws_present_change((double)NAN, &arena), "- %");
    EXPECT_TEXT(ws_present_change_interval(0.747, 0.765, &arena), "[-25.3, -23.5] %");
    EXPECT_TEXT(ws_present_difference(&share, 0.031, &arena), "+3.1 points");
    EXPECT_TEXT(ws_present_difference_interval(&share, -0.01, 0.072, &arena),
                "[-1.0, +7.2] points");
    ws_arena_reset(&arena);
}

/* Of 8, 1 is an eighth and 4 a half; in tenths, rounded up, 2 and 5 of 10, which are written 1 and
 * 4. */
Test(present, bars)
{
    static const double values[] = {0, 1, 4, 8};
    static const double none[] = {0, 0};
    ws_arena arena = fresh_arena();

    EXPECT_TEXT(ws_present_bars(values, 4, true, &arena), " \u2581\u2584\u2588");
    EXPECT_TEXT(ws_present_bars(values, 4, false, &arena), " 149");
    EXPECT_TEXT(ws_present_bars(none, 2, true, &arena), "  ");
    EXPECT_TEXT(ws_present_bars(none, 0, true, &arena), "");
    ws_arena_reset(&arena);
}
