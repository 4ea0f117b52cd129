/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Expectations: tables of the t distribution, Gosset's sleep data (1908) with R's printed t.test,
 * worked examples by hand. */
#include "ws/statistics.h"

#include <math.h>

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

static void assert_near(double value, double expected, double tolerance)
{
    cr_assert(le(dbl, fabs(value - expected), tolerance), "%.17g is not %.17g", value, expected);
}

/* Extra hours of sleep of ten patients under two drugs. Source: Student, Biometrika 6 (1908). */
static const double sleep_first[] = {0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0};
static const double sleep_second[] = {1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4};

Test(statistics, student_quantiles_are_those_of_the_tables)
{
    assert_near(ws_student_t(2, 0.95), 12.706, 0.0005);
    assert_near(ws_student_t(5, 0.95), 2.776, 0.0005);
    assert_near(ws_student_t(10, 0.95), 2.262, 0.0005);
    assert_near(ws_student_t(20, 0.95), 2.093, 0.0005);
    assert_near(ws_student_t(20, 0.90), 1.729, 0.0005);
    assert_near(ws_student_t(10, 0.99), 3.250, 0.0005);
    assert_near(ws_student_t(1000001, 0.95), 1.960, 0.0005);
}

/* Bonferroni's t at n = 20 for 3, 6, 10 and 15 comparisons at 95 %. */
Test(statistics, student_quantiles_for_several_comparisons)
{
    assert_near(ws_student_t(20, 1 - 0.05 / 3), 2.63, 0.005);
    assert_near(ws_student_t(20, 1 - 0.05 / 6), 2.94, 0.005);
    assert_near(ws_student_t(20, 1 - 0.05 / 10), 3.17, 0.005);
    assert_near(ws_student_t(20, 1 - 0.05 / 15), 3.35, 0.005);
}

Test(statistics, summary_of_the_sleep_differences)
{
    double differences[10];

    for (size_t i = 0; i < 10; i++) {
        differences[i] = sleep_second[i] - sleep_first[i];
    }
    ws_summary summary = ws_summary_of(differences, 10, 0.95);
    cr_assert(eq(sz, summary.n, 10));
    assert_near(summary.mean, 1.58, 1e-12);
    assert_near(summary.sd, 1.229995, 5e-7);
    assert_near(summary.min, 0, 1e-12);
    assert_near(summary.max, 4.6, 1e-12);
    cr_assert(summary.has_interval);
    assert_near(summary.low, 0.7001142, 5e-8);
    assert_near(summary.high, 2.4598858, 5e-8);
}

Test(statistics, summary_of_few_values)
{
    static const double values[] = {3, 5, 4, 8};

    ws_summary none = ws_summary_of(values, 0, 0.95);
    cr_assert(eq(sz, none.n, 0));
    cr_assert(not(none.has_interval));
    ws_summary one = ws_summary_of(values, 1, 0.95);
    cr_assert(eq(dbl, one.mean, 3));
    cr_assert(eq(dbl, one.sd, 0));
    cr_assert(not(one.has_interval));
    ws_summary four = ws_summary_of(values, 4, 0.95);
    cr_assert(eq(dbl, four.mean, 5));
    assert_near(four.sd, sqrt(14.0 / 3), 1e-15); /* 4 + 0 + 1 + 9 */
    cr_assert(not(four.has_interval));
}

Test(statistics, equal_values_have_an_interval_of_no_width)
{
    static const double values[] = {0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1};

    ws_summary summary = ws_summary_of(values, 7, 0.95);
    cr_assert(summary.has_interval);
    cr_assert(eq(dbl, summary.mean, 0.1));
    cr_assert(eq(dbl, summary.low, 0.1));
    cr_assert(eq(dbl, summary.high, 0.1));
}

/* R: t = 4.0621, df = 9, p-value = 0.002833, 95 percent confidence interval 0.7001142 2.4598858;
 * cor 0.7951702. */
Test(statistics, paired_comparison_of_the_sleep_data)
{
    ws_paired paired = ws_paired_of(sleep_second, sleep_first, 10, 0.95);

    cr_assert(paired.has_interval);
    cr_assert(not(paired.has_ratio)); /* some patients slept less */
    cr_assert(not(paired.identical));
    assert_near(paired.difference, 1.58, 1e-12);
    assert_near(paired.difference_low, 0.7001142, 5e-8);
    assert_near(paired.difference_high, 2.4598858, 5e-8);
    assert_near(paired.p, 0.002833, 5e-7);
    assert_near(paired.correlation, 0.7951702, 5e-8);
    /* Absolute differences: median of 1.3 and 1.3, largest 4.6. */
    cr_assert(not(paired.dominated));
}

/*
 * Ratios 1, 2, 4, 8, 16: base-2 logarithms have mean 2 and sd sqrt(2.5), so the standard error is
 * sqrt(0.5) and t is sqrt(8). With t(0.975, 4) = 2.776445 the half width is 1.963243, and
 * 2^1.963243 = 3.899375. For 4 degrees of freedom P(|T| <= t) = 3/4 u (1 - u^2/12 ) with u = t /
 * sqrt(1 + t^2/4) = sqrt(8/3): p = 1 - 0.952579 = 0.047421.
 */
Test(statistics, paired_ratio_by_hand)
{
    static const double values[] = {1, 4, 12, 8, 80};
    static const double baseline[] = {1, 2, 3, 1, 5};

    ws_paired paired = ws_paired_of(values, baseline, 5, 0.95);
    cr_assert(paired.has_ratio);
    assert_near(paired.ratio, 4, 1e-14);
    assert_near(paired.ratio_low, 4 / 3.899375, 5e-6);
    assert_near(paired.ratio_high, 4 * 3.899375, 5e-5);
    assert_near(paired.p, 0.047421, 1e-6);
}

Test(statistics, same_values_are_identical)
{
    static const double values[] = {0.1, 0.7, 1e9, 3.3, 2.2};

    ws_paired paired = ws_paired_of(values, values, 5, 0.95);
    cr_assert(paired.identical);
    cr_assert(eq(dbl, paired.difference, 0));
    cr_assert(eq(dbl, paired.difference_low, 0));
    cr_assert(eq(dbl, paired.difference_high, 0));
    cr_assert(eq(dbl, paired.ratio, 1));
    cr_assert(eq(dbl, paired.ratio_low, 1));
    cr_assert(eq(dbl, paired.ratio_high, 1));
    cr_assert(eq(dbl, paired.p, 1));
    cr_assert(not(paired.dominated));
    assert_near(paired.correlation, 1, 1e-12);
}

Test(statistics, two_percent_everywhere_is_exactly_two_percent)
{
    static const double baseline[] = {100, 200, 50, 400, 150, 300};
    static const double values[] = {102, 204, 51, 408, 153, 306};

    ws_paired paired = ws_paired_of(values, baseline, 6, 0.95);
    cr_assert(paired.has_ratio);
    assert_near(paired.ratio, 1.02, 3e-16);
    cr_assert(eq(dbl, paired.ratio_low, paired.ratio));
    cr_assert(eq(dbl, paired.ratio_high, paired.ratio));
    cr_assert(eq(dbl, paired.p, 0));
    cr_assert(not(paired.identical));
    assert_near(paired.difference, 4, 1e-12); /* 2 + 4 + 1 + 8 + 3 + 6 over 6 */
}

Test(statistics, few_pairs_have_no_interval_and_claim_nothing)
{
    static const double values[] = {2, 4, 6, 8};
    static const double baseline[] = {1, 2, 3, 4};

    ws_paired four = ws_paired_of(values, baseline, 4, 0.95);
    cr_assert(not(four.has_interval));
    assert_near(four.ratio, 2, 1e-15);
    assert_near(four.difference, 2.5, 1e-15);
    cr_assert(eq(dbl, four.p, 1));
    ws_paired none = ws_paired_of(values, baseline, 0, 0.95);
    cr_assert(not(none.has_interval));
    cr_assert(not(none.has_ratio));
    cr_assert(eq(dbl, none.p, 1));
    cr_assert(not(none.identical));
}

Test(statistics, correlation_is_zero_when_a_side_does_not_vary)
{
    static const double values[] = {1, 2, 3, 4, 5};
    static const double constant[] = {0.1, 0.1, 0.1, 0.1, 0.1};
    static const double falling[] = {10, 8, 6, 4, 2};

    cr_assert(eq(dbl, ws_paired_of(values, constant, 5, 0.95).correlation, 0));
    cr_assert(eq(dbl, ws_paired_of(constant, values, 5, 0.95).correlation, 0));
    assert_near(ws_paired_of(values, falling, 5, 0.95).correlation, -1, 1e-15);
}

/* Above five medians, not at five; a median of zero with one difference is as rare as it gets. */
Test(statistics, rare_runs_that_decide_are_flagged)
{
    static const double baseline[] = {0, 0, 0, 0, 0, 0};
    static const double at_five[] = {1, -1, 1, 1, 1, -5};
    static const double above[] = {1, -1, 1, 1, 1, -5.5};
    static const double single[] = {0, 0, 0, 2, 0, 0};

    cr_assert(not(ws_paired_of(at_five, baseline, 6, 0.95).dominated));
    cr_assert(ws_paired_of(above, baseline, 6, 0.95).dominated);
    cr_assert(ws_paired_of(single, baseline, 6, 0.95).dominated);
}

/* Ratios whose quotient overflows or vanishes still have a logarithm. */
Test(statistics, extreme_ratios_stay_finite)
{
    static const double small[] = {1e-300, 1e-300, 1e-300, 1e-300, 1e-300};
    static const double large[] = {1e300, 1e300, 1e300, 1e300, 1e300};

    ws_paired paired = ws_paired_of(small, large, 5, 0.95);
    cr_assert(paired.has_ratio);
    cr_assert(eq(dbl, paired.ratio, 0)); /* 1e-600 is below the smallest double */
    cr_assert(eq(dbl, paired.p, 0));
}

/* Sorted: 0.005 x 4 = 0.02, 0.01 x 3 = 0.03, 0.03 x 2 = 0.06, 0.04 x 1 = 0.04, raised to 0.06. */
Test(statistics, holm_by_hand)
{
    double p[] = {0.01, 0.04, 0.03, 0.005};
    size_t order[4];

    ws_holm(p, order, 4);
    assert_near(p[0], 0.03, 1e-15);
    assert_near(p[1], 0.06, 1e-15);
    assert_near(p[2], 0.06, 1e-15);
    assert_near(p[3], 0.02, 1e-15);
}

Test(statistics, holm_at_the_edges)
{
    double high[] = {0.5, 1, 0.9};
    double tied[] = {0.02, 0.02};
    double one[] = {0.03};
    size_t order[3];

    ws_holm(high, order, 3);
    cr_assert(eq(dbl, high[0], 1));
    cr_assert(eq(dbl, high[1], 1));
    cr_assert(eq(dbl, high[2], 1));
    ws_holm(tied, order, 2);
    cr_assert(eq(dbl, tied[0], 0.04));
    cr_assert(eq(dbl, tied[1], 0.04));
    ws_holm(one, order, 1);
    cr_assert(eq(dbl, one[0], 0.03));
    ws_holm(one, order, 0);
    cr_assert(eq(dbl, one[0], 0.03));
}

/* R: quantile(1:10, c(0, .25, .5, .9, 1)) is 1, 3.25, 5.5, 9.1, 10. */
Test(statistics, quantile_type_seven)
{
    static const double values[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};

    cr_assert(eq(dbl, ws_quantile_sorted(values, 10, 0), 1));
    assert_near(ws_quantile_sorted(values, 10, 0.25), 3.25, 1e-15);
    assert_near(ws_quantile_sorted(values, 10, 0.5), 5.5, 1e-15);
    assert_near(ws_quantile_sorted(values, 10, 0.9), 9.1, 1e-14);
    cr_assert(eq(dbl, ws_quantile_sorted(values, 10, 1), 10));
    cr_assert(eq(dbl, ws_quantile_sorted(values, 1, 0.3), 1));
}

/* The same of values in no order: 10 7 1 4 9 2 8 3 6 5, and of some that are alike. */
Test(statistics, quantile_of_values_in_no_order)
{
    static const double shares[] = {0, 0.25, 0.5, 0.9, 1};
    static const double expected[] = {1, 3.25, 5.5, 9.1, 10};

    for (size_t i = 0; i < 5; i++) {
        double values[] = {10, 7, 1, 4, 9, 2, 8, 3, 6, 5};
        assert_near(ws_quantile(values, 10, shares[i]), expected[i], 1e-14);
    }
    double alike[] = {2, 2, 1, 2};
    cr_assert(eq(dbl, ws_quantile(alike, 4, 0.5), 2));
    cr_assert(eq(dbl, ws_quantile(alike, 4, 0), 1));
    cr_assert(eq(dbl, ws_quantile(alike, 1, 0.3), alike[0]));
}

Test(statistics, sort_orders_by_value)
{
    double values[] = {3, -1, 2.5, HUGE_VAL, 3, -HUGE_VAL, 0};
    static const double expected[] = {-HUGE_VAL, -1, 0, 2.5, 3, 3, HUGE_VAL};

    ws_sort_doubles(values, 7);
    for (size_t i = 0; i < 7; i++) {
        cr_assert(eq(dbl, values[i], expected[i]));
    }
    ws_sort_doubles(values, 0);
    cr_assert(lt(dbl, values[0], -1e308));
}

/* 2 4 4 4 5 5 7 9: mean 5, squares of the distances sum to 32. A large offset must not eat the
 * variance. */
Test(statistics, moments_of_a_stream)
{
    static const double values[] = {2, 4, 4, 4, 5, 5, 7, 9};
    ws_moments moments = {0};
    ws_moments shifted = {0};

    cr_assert(eq(dbl, ws_moments_sd(&moments), 0));
    for (size_t i = 0; i < 8; i++) {
        ws_moments_add(&moments, values[i]);
        ws_moments_add(&shifted, values[i] + 1e9);
    }
    cr_assert(eq(sz, moments.n, 8));
    assert_near(moments.mean, 5, 1e-15);
    assert_near(ws_moments_sd(&moments), sqrt(32.0 / 7), 1e-15);
    assert_near(ws_moments_sd(&shifted), sqrt(32.0 / 7), 1e-6);
}
