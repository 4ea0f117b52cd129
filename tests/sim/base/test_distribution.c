/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Expectations: published values (named at each test), closed forms worked by hand, and moments
 * within four standard errors. */
#include "ws/distribution.h"

#include <math.h>

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <gsl/gsl_errno.h>

#include "ws/assert.h"
#include "ws/random.h"

static void turn_handler_off(void)
{
    (void)gsl_set_error_handler_off();
}

TestSuite(distribution, .init = turn_handler_off);

static void assert_near(double value, double expected, double tolerance)
{
    cr_assert(le(dbl, fabs(value - expected), tolerance), "%.17g is not %.17g", value, expected);
}

static ws_distribution fit(ws_statistic_kind first, double first_value, ws_statistic_kind second,
                           double second_value)
{
    ws_distribution fitted = {0};

    cr_assert(ws_distribution_fit_lognormal(&fitted, (ws_statistic){first, first_value},
                                            (ws_statistic){second, second_value}));
    return fitted;
}

static bool fits(ws_statistic_kind first, double first_value, ws_statistic_kind second,
                 double second_value)
{
    ws_distribution fitted = {0};

    return ws_distribution_fit_lognormal(&fitted, (ws_statistic){first, first_value},
                                         (ws_statistic){second, second_value});
}

/* Elastic training reference, validation table: median 120 s, sigma 0.5. */
static const struct {
    ws_statistic_kind kind;
    double value;
} known_lognormal[] = {
    {WS_STATISTIC_MEDIAN, 120},     {WS_STATISTIC_MEAN, 135.977814},
    {WS_STATISTIC_SD, 72.468064}, /* 135.977814 x sqrt(exp(0.25) - 1) = 135.977814 x 0.532940350 */
    {WS_STATISTIC_P95, 273.121993}, {WS_STATISTIC_P99, 384.008881},
};

Test(distribution, lognormal_from_any_two_statistics)
{
    for (size_t i = 0; i < WS_COUNT_OF(known_lognormal); i++) {
        for (size_t k = 0; k < WS_COUNT_OF(known_lognormal); k++) {
            if (i == k) {
                continue;
            }
            ws_distribution fitted = fit(known_lognormal[i].kind, known_lognormal[i].value,
                                         known_lognormal[k].kind, known_lognormal[k].value);
            cr_assert(eq(int, (int)fitted.family, WS_DISTRIBUTION_LOGNORMAL));
            assert_near(fitted.a, log(120), 2e-7);
            assert_near(fitted.b, 0.5, 2e-7);
        }
    }
}

Test(distribution, lognormal_statistics_are_the_published_ones)
{
    ws_distribution lognormal = {.family = WS_DISTRIBUTION_LOGNORMAL, .a = log(120), .b = 0.5};

    assert_near(ws_distribution_mean(&lognormal), 135.977814, 5e-7);
    assert_near(ws_distribution_quantile(&lognormal, 0.95), 273.121993, 5e-7);
    assert_near(ws_distribution_quantile(&lognormal, 0.99), 384.008881, 5e-7);
    assert_near(ws_distribution_quantile(&lognormal, 0.5), 120, 1e-12);
    cr_assert(eq(dbl, ws_distribution_quantile(&lognormal, 0), 0));
    cr_assert(eq(dbl, ws_distribution_quantile(&lognormal, 1), HUGE_VAL));
}

/* The scenario reference: "`median: 95s, p95: 240s` alone already gives sd 68.1 s (mean 111.3 s)".
 */
Test(distribution, lognormal_of_median_and_p95)
{
    ws_distribution fitted = fit(WS_STATISTIC_MEDIAN, 95, WS_STATISTIC_P95, 240);

    assert_near(ws_distribution_mean(&fitted), 111.3, 0.05);
    assert_near(ws_distribution_sd(&fitted), 68.1, 0.05);
    assert_near(ws_distribution_quantile(&fitted, 0.95), 240, 1e-9);
}

/* p90 of the normal is 1.2815515655: exp(1.2815515655) = 3.60222. */
Test(distribution, lognormal_of_p90)
{
    ws_distribution fitted = fit(WS_STATISTIC_P90, 3.6022244793, WS_STATISTIC_MEDIAN, 1);

    assert_near(fitted.a, 0, 1e-9);
    assert_near(fitted.b, 1, 1e-9);
}

Test(distribution, lognormal_of_very_small_spread_keeps_its_digits)
{
    assert_near(fit(WS_STATISTIC_MEAN, 1e4, WS_STATISTIC_SD, 1e-6).b, 1e-10, 1e-16);
    assert_near(fit(WS_STATISTIC_MEDIAN, 1e4, WS_STATISTIC_SD, 1e-6).b, 1e-10, 1e-16);
    assert_near(fit(WS_STATISTIC_P99, 1e4, WS_STATISTIC_SD, 1e-6).b, 1e-10, 1e-16);
}

Test(distribution, lognormals_that_do_not_exist)
{
    cr_assert(not(fits(WS_STATISTIC_MEDIAN, 95, WS_STATISTIC_P95, 24)));
    cr_assert(not(fits(WS_STATISTIC_MEDIAN, 95, WS_STATISTIC_P95, 95)));
    cr_assert(not(fits(WS_STATISTIC_P99, 95, WS_STATISTIC_P90, 96)));
    cr_assert(not(fits(WS_STATISTIC_MEDIAN, 95, WS_STATISTIC_MEAN, 94)));
    cr_assert(not(fits(WS_STATISTIC_MEAN, 95, WS_STATISTIC_P95, 94)));
    /* exp(1.6448536^2 / 2) = 3.8683 is the farthest that p95 can lie above the mean. */
    cr_assert(not(fits(WS_STATISTIC_MEAN, 100, WS_STATISTIC_P95, 386.9)));
    cr_assert(fits(WS_STATISTIC_MEAN, 100, WS_STATISTIC_P95, 386.8));
}

/* Validation table: Weibull k = 0.7, mean 1: scale 0.78999955, variance 2.13868563, P(X > 1) =
 * 0.30746309. */
Test(distribution, weibull_is_the_published_one)
{
    ws_distribution weibull = {0};

    cr_assert(ws_distribution_fit_weibull(&weibull, 0.7, (ws_statistic){WS_STATISTIC_MEAN, 1}));
    assert_near(weibull.a, 0.78999955, 5e-9);
    assert_near(weibull.b, 0.7, 0);
    assert_near(ws_distribution_mean(&weibull), 1, 1e-12);
    assert_near(pow(ws_distribution_sd(&weibull), 2), 2.13868563, 5e-9);
    assert_near(ws_distribution_quantile(&weibull, 1 - 0.30746309), 1, 5e-8);
}

/* Shape 2: median = scale sqrt(ln 2); shape 1 is the exponential, whose sd is its mean. */
Test(distribution, weibull_of_median_and_scale)
{
    ws_distribution weibull = {0};

    cr_assert(ws_distribution_fit_weibull(&weibull, 2, (ws_statistic){WS_STATISTIC_MEDIAN, 10}));
    assert_near(weibull.a, 10 / 0.8325546111576977, 1e-12);
    assert_near(ws_distribution_quantile(&weibull, 0.5), 10, 1e-12);
    cr_assert(ws_distribution_fit_weibull(&weibull, 1, (ws_statistic){WS_STATISTIC_SCALE, 3}));
    assert_near(ws_distribution_mean(&weibull), 3, 1e-12);
    assert_near(ws_distribution_sd(&weibull), 3, 1e-12);
    cr_assert(
        not(ws_distribution_fit_weibull(&weibull, 0.005, (ws_statistic){WS_STATISTIC_MEAN, 1})));
    assert_near(weibull.a, 3, 0); /* untouched */
}

/* For a shape of 10 000 the standard deviation is pi / sqrt(6) / shape of the scale, to 1e-4. */
Test(distribution, weibull_of_large_shape_keeps_its_spread)
{
    ws_distribution weibull = {.family = WS_DISTRIBUTION_WEIBULL, .a = 1, .b = 1e4};

    assert_near(ws_distribution_sd(&weibull), 1.2825498e-4, 3e-8);
}

/*
 * Erlang-2 has its median at 1.67834699 (1 - (1 + x) exp(-x) = 1/2). Chi-square tables: 18.307 at
 * 95 % with 10 degrees of freedom, 6.635 at 99 % with 1; a chi-square is a gamma of shape n/2 and
 * scale 2.
 */
Test(distribution, gamma_quantiles_are_those_of_the_tables)
{
    ws_distribution erlang = ws_distribution_gamma_of(2, sqrt(2));
    ws_distribution chi_ten = {.family = WS_DISTRIBUTION_GAMMA, .a = 5, .b = 2};
    ws_distribution chi_one = {.family = WS_DISTRIBUTION_GAMMA, .a = 0.5, .b = 2};

    assert_near(erlang.a, 2, 1e-14);
    assert_near(erlang.b, 1, 1e-14);
    assert_near(ws_distribution_quantile(&erlang, 0.5), 1.67834699, 5e-9);
    assert_near(ws_distribution_quantile(&chi_ten, 0.95), 18.307, 5e-4);
    assert_near(ws_distribution_quantile(&chi_one, 0.99), 6.635, 5e-4);
    assert_near(ws_distribution_mean(&chi_ten), 10, 0);
    assert_near(ws_distribution_sd(&chi_ten), sqrt(20), 1e-14);
    cr_assert(eq(dbl, ws_distribution_quantile(&erlang, 0), 0));
    cr_assert(eq(dbl, ws_distribution_quantile(&erlang, 1), HUGE_VAL));
}

/*
 * Where GSL's own inversion gives up. Small shapes: P(x) = x^a / Gamma(a + 1) for small x. Large
 * ones: the cube root of Wilson and Hilferty (1931), x = a (1 - 1/(9a) + z / (3 sqrt(a)))^3.
 */
Test(distribution, gamma_quantiles_of_extreme_shapes)
{
    ws_distribution small = {.family = WS_DISTRIBUTION_GAMMA, .a = 0.1, .b = 3};
    ws_distribution tiny = {.family = WS_DISTRIBUTION_GAMMA, .a = 0.001, .b = 1};
    ws_distribution large = ws_distribution_gamma_of(1000, 1);

    double expected = 3 * pow(0.01 * 0.9513507698668732, 10);
    assert_near(ws_distribution_quantile(&small, 0.01) / expected, 1, 1e-9);
    assert_near(ws_distribution_quantile(&tiny, 1e-9), 0, 1e-300);
    assert_near(ws_distribution_quantile(&large, 0.99), 1002.327818, 1e-5);
    assert_near(ws_distribution_quantile(&large, 0.01), 997.675123, 1e-5);
}

Test(distribution, gamma_draws_grow_with_the_uniform_across_both_inversions)
{
    static const double shapes[] = {0.001, 0.1, 0.299, 0.3, 0.5, 1, 30, 1e4, 1.1e4, 1e6};

    for (size_t s = 0; s < WS_COUNT_OF(shapes); s++) {
        ws_distribution gamma = {.family = WS_DISTRIBUTION_GAMMA, .a = shapes[s], .b = 1};
        double last = 0;
        for (int i = 1; i < 200; i++) {
            double x = ws_distribution_quantile(&gamma, i / 200.0);
            cr_assert(isfinite(x));
            cr_assert(ge(dbl, x, last), "shape %g p %g", shapes[s], i / 200.0);
            last = x;
        }
    }
}

Test(distribution, simple_families)
{
    ws_distribution constant = ws_distribution_constant(7.5);
    ws_distribution uniform = {.family = WS_DISTRIBUTION_UNIFORM, .a = 10, .b = 16};
    ws_distribution exponential = {.family = WS_DISTRIBUTION_EXPONENTIAL, .a = 100};

    assert_near(ws_distribution_mean(&constant), 7.5, 0);
    assert_near(ws_distribution_sd(&constant), 0, 0);
    assert_near(ws_distribution_quantile(&constant, 1), 7.5, 0);
    assert_near(ws_distribution_mean(&uniform), 13, 0);
    assert_near(ws_distribution_sd(&uniform), sqrt(3), 1e-15);
    assert_near(ws_distribution_quantile(&uniform, 0.25), 11.5, 0);
    assert_near(ws_distribution_quantile(&uniform, 1), 16, 0);
    assert_near(ws_distribution_quantile(&exponential, 0.5), 69.314718, 5e-7);
    assert_near(ws_distribution_sd(&exponential), 100, 0);
    cr_assert(eq(dbl, ws_distribution_quantile(&exponential, 1), HUGE_VAL));
}

/* 1, 2, 4: draws are uniform on (1, 2) and on (2, 4) with one half each: mean 2.25, E[x^2] = (7/3 +
 * 28/3) / 2 = 35/6. */
Test(distribution, empirical_interpolates)
{
    static const double samples[] = {1, 2, 4};
    ws_distribution empirical = {
        .family = WS_DISTRIBUTION_EMPIRICAL, .samples = samples, .sample_count = 3};
    ws_distribution single = {
        .family = WS_DISTRIBUTION_EMPIRICAL, .samples = samples, .sample_count = 1};

    assert_near(ws_distribution_quantile(&empirical, 0), 1, 0);
    assert_near(ws_distribution_quantile(&empirical, 0.75), 3, 0);
    assert_near(ws_distribution_quantile(&empirical, 1), 4, 0);
    assert_near(ws_distribution_mean(&empirical), 2.25, 1e-15);
    assert_near(ws_distribution_sd(&empirical), sqrt(35.0 / 6 - 2.25 * 2.25), 1e-15);
    assert_near(ws_distribution_mean(&single), 1, 0);
    assert_near(ws_distribution_sd(&single), 0, 0);
}

static const double drawn_samples[] = {1, 2, 4};

static const ws_distribution drawn[] = {
    {.family = WS_DISTRIBUTION_CONSTANT, .a = 3},
    {.family = WS_DISTRIBUTION_UNIFORM, .a = 0, .b = 2},
    {.family = WS_DISTRIBUTION_EXPONENTIAL, .a = 5},
    {.family = WS_DISTRIBUTION_LOGNORMAL, .a = 1, .b = 0.5},
    {.family = WS_DISTRIBUTION_WEIBULL, .a = 2, .b = 1.5},
    {.family = WS_DISTRIBUTION_GAMMA, .a = 2, .b = 3},
    {.family = WS_DISTRIBUTION_GAMMA, .a = 0.2, .b = 3},
    {.family = WS_DISTRIBUTION_EMPIRICAL, .samples = drawn_samples, .sample_count = 3},
};

Test(distribution, every_draw_takes_one_number)
{
    for (size_t d = 0; d < WS_COUNT_OF(drawn); d++) {
        ws_stream stream;
        ws_stream other;
        ws_stream_open(&stream, (ws_stream_key){.seed = 1});
        ws_stream_open(&other, (ws_stream_key){.seed = 1});
        for (int i = 0; i < 9; i++) {
            (void)ws_distribution_draw(&drawn[d], &stream.rng);
            (void)gsl_rng_get(&other.rng);
        }
        uint64_t tenth = gsl_rng_get(&stream.rng);
        uint64_t expected = gsl_rng_get(&other.rng);
        cr_assert(eq(u64, tenth, expected), "distribution %zu", d);
    }
}

/* Means by hand: 3, 1, 5, exp(1.125), 2 Gamma(5/3) = 2 x 0.9027452930, 6, 0.6, 2.25. */
Test(distribution, draws_have_the_mean)
{
    static const double means[] = {3, 1, 5, 3.0802168489, 1.8054905859, 6, 0.6, 2.25};
    enum { draws = 20000 };

    for (size_t d = 0; d < WS_COUNT_OF(drawn); d++) {
        ws_stream stream;
        double sum = 0;
        double squares = 0;
        ws_stream_open(&stream, (ws_stream_key){.seed = 2, .index = d});
        for (int i = 0; i < draws; i++) {
            double x = ws_distribution_draw(&drawn[d], &stream.rng);
            sum += x;
            squares += (x - means[d]) * (x - means[d]);
        }
        double standard_error = sqrt(squares / draws / draws);
        cr_assert(le(dbl, fabs(sum / draws - means[d]), 4 * standard_error), "distribution %zu", d);
        assert_near(ws_distribution_mean(&drawn[d]), means[d], 1e-9);
    }
}

/* GSL's uniform may be 0; what is drawn stays a number, and a quantile at 1 never comes up. */
Test(distribution, draws_at_the_ends_of_the_uniform)
{
    for (size_t d = 0; d < WS_COUNT_OF(drawn); d++) {
        ws_stream stream;
        ws_stream_open(&stream, (ws_stream_key){.seed = 1});
        stream.state.block[0] = 0;
        stream.state.block[1] = UINT64_MAX;
        stream.state.used = 0;
        double low = ws_distribution_draw(&drawn[d], &stream.rng);
        double high = ws_distribution_draw(&drawn[d], &stream.rng);
        cr_assert(ge(dbl, low, 0));
        cr_assert(isfinite(high));
        cr_assert(ge(dbl, high, low));
    }
}

Test(distribution, draws_of_durations_are_nanoseconds)
{
    ws_stream stream;
    ws_distribution constant = ws_distribution_constant(1.5);
    ws_distribution absurd = {.family = WS_DISTRIBUTION_LOGNORMAL, .a = 700, .b = 1};

    ws_stream_open(&stream, (ws_stream_key){.seed = 1});
    cr_assert(eq(i64, ws_distribution_draw_duration(&constant, &stream.rng).ns, 1500000000));
    cr_assert(eq(i64, ws_distribution_draw_duration(&absurd, &stream.rng).ns, INT64_MAX));
}
