/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Exponential smoothing against published results, and by what must hold for any series. */
#include <math.h>

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <gsl/gsl_errno.h>

#include "policies/air_passengers.h"
#include "smoothing.h"

#define PERIOD 12

/* A model on storage of its own. */
typedef struct {
    ws_smoothing_shape shape;
    ws_smoothing_weights weights;
    ws_smoothing_state state;
    double season[PERIOD];
    double scratch[PERIOD];
} model;

static void begin(model *made, ws_smoothing_kind seasonal, ws_smoothing_form form)
{
    *made = (model){.shape = {.trend = WS_SMOOTHING_ADDITIVE,
                              .seasonal = seasonal,
                              .form = form,
                              .period = PERIOD},
                    .weights = {.alpha = 0.3, .beta = 0.1, .gamma = 0.1, .phi = 1}};
    made->state.season = made->season;
}

static double run_from_start(model *made, const double *values, size_t count)
{
    ws_smoothing_samples all = {.values = values, .count = count};
    size_t from = ws_smoothing_start(&made->shape, all, &made->state);

    cr_assert(eq(sz, from, (size_t)made->shape.period));
    return ws_smoothing_run(&made->shape, &made->weights, &made->state,
                            (ws_smoothing_samples){.values = values + from, .count = count - from});
}

static double forecast(const model *made, int32_t steps)
{
    return ws_smoothing_forecast(&made->shape, &made->weights, &made->state, steps);
}

static bool near(double expected, double got, double rtol)
{
    return fabs(got - expected) <= 1e-9 + rtol * fabs(expected);
}

/* R 4, HoltWinters(AirPassengers), as printed: a = 477.827781, b = 3.127627, s1 = -27.457685, s12 =
 * -45.827781, SSE 21860.18, with weights printed to seven digits. */
Test(smoothing, is_rs_additive_holt_winters)
{
    model made;

    begin(&made, WS_SMOOTHING_ADDITIVE, WS_SMOOTHING_R);
    made.weights =
        (ws_smoothing_weights){.alpha = 0.2479595, .beta = 0.03453373, .gamma = 1, .phi = 1};
    double sum = run_from_start(&made, ws_test_air, WS_TEST_AIR_COUNT);
    cr_expect(near(21860.18, sum, 1e-6));
    cr_expect(near(477.827781, made.state.level, 1e-6));
    cr_expect(near(3.127627, made.state.trend, 1e-6));
    cr_expect(near(-27.457685, made.season[0], 1e-6));
    cr_expect(near(-45.827781, made.season[11], 1e-6));
    /* The forecast for a month of the second year: two seasons back in the terms, 13 trends ahead.
     */
    cr_expect(near(477.827781 + 13 * 3.127627 - 27.457685, forecast(&made, 13), 1e-6));
    cr_expect(near(477.827781 + 24 * 3.127627 - 45.827781, forecast(&made, 24), 1e-6));
}

/* R 4, HoltWinters(AirPassengers, seasonal = "mult"): a = 469.323223, b = 3.021539, s1 = 0.946461,
 * s12 = 0.920988, SSE 16570.78. */
Test(smoothing, is_rs_multiplicative_holt_winters)
{
    model made;

    begin(&made, WS_SMOOTHING_MULTIPLICATIVE, WS_SMOOTHING_R);
    made.weights = (ws_smoothing_weights){
        .alpha = 0.2755925, .beta = 0.03269295, .gamma = 0.8707292, .phi = 1};
    double sum = run_from_start(&made, ws_test_air, WS_TEST_AIR_COUNT);
    cr_expect(near(16570.78, sum, 1e-6));
    cr_expect(near(469.323223, made.state.level, 1e-6));
    cr_expect(near(3.021539, made.state.trend, 1e-6));
    cr_expect(near(0.946461, made.season[0], 1e-6));
    cr_expect(near(0.920988, made.season[11], 1e-6));
    cr_expect(near((469.323223 + 3.021539) * 0.946461, forecast(&made, 1), 1e-6));
}

/* The optimum is flat, so sums of squares are compared, not weights. */
static double fitted(ws_smoothing_kind seasonal, ws_smoothing_form form, double gain)
{
    model made;

    begin(&made, seasonal, form);
    size_t from = ws_smoothing_start(
        &made.shape, (ws_smoothing_samples){.values = ws_test_air, .count = WS_TEST_AIR_COUNT},
        &made.state);
    ws_smoothing_fit fit = {
        .shape = &made.shape,
        .start = made.state,
        .samples = {.values = ws_test_air + from, .count = WS_TEST_AIR_COUNT - from},
        .scratch = made.scratch,
        .keeps_phi = true,
        .restarts = 3,
        .reach = 1,
        .tolerance = 1e-3,
        .gain = gain};
    double sum = ws_smoothing_fit_weights(&fit, &made.weights);
    cr_expect(ge(dbl, made.weights.alpha, 0));
    cr_expect(le(dbl, made.weights.alpha, 1));
    cr_expect(ge(dbl, made.weights.gamma, 0));
    cr_expect(le(dbl, made.weights.gamma, form == WS_SMOOTHING_FPP ? 1 - made.weights.alpha : 1.0));
    cr_expect(eq(dbl, made.weights.phi, 1)); /* was kept */
    return sum;
}

Test(smoothing, finds_the_published_optima)
{
    (void)gsl_set_error_handler_off();
    cr_expect(near(21860.18, fitted(WS_SMOOTHING_ADDITIVE, WS_SMOOTHING_R, 0), 1e-5));
    cr_expect(near(16570.78, fitted(WS_SMOOTHING_MULTIPLICATIVE, WS_SMOOTHING_R, 0), 1e-5));
    /* Without damping the additive forms are one model, with another gamma: s' = (1 - g) s + g (y -
     * l') and y - l' = (1 - a) (y - p) + a s. */
    cr_expect(near(21860.18, fitted(WS_SMOOTHING_ADDITIVE, WS_SMOOTHING_FPP, 0), 1e-5));
}

/* A search that ends when a thousandth is no longer gained is within a hundredth of the published
 * sums. One that nothing is enough for ends after a few iterations, short of them. */
Test(smoothing, ends_a_search_that_gains_little)
{
    (void)gsl_set_error_handler_off();
    cr_expect(near(21860.18, fitted(WS_SMOOTHING_ADDITIVE, WS_SMOOTHING_R, 1e-3), 0.01));
    cr_expect(near(16570.78, fitted(WS_SMOOTHING_MULTIPLICATIVE, WS_SMOOTHING_R, 1e-3), 0.01));
    cr_expect(gt(dbl, fitted(WS_SMOOTHING_ADDITIVE, WS_SMOOTHING_R, 1), 21860.18 * 1.001));
}

/* A fit never ends above where it began. */
Test(smoothing, never_fits_worse)
{
    model made;

    begin(&made, WS_SMOOTHING_ADDITIVE, WS_SMOOTHING_R);
    made.weights =
        (ws_smoothing_weights){.alpha = 0.2479595, .beta = 0.03453373, .gamma = 1, .phi = 1};
    ws_smoothing_samples all = {.values = ws_test_air, .count = WS_TEST_AIR_COUNT};
    size_t from = ws_smoothing_start(&made.shape, all, &made.state);
    ws_smoothing_fit fit = {.shape = &made.shape,
                            .start = made.state,
                            .samples = {.values = all.values + from, .count = all.count - from},
                            .scratch = made.scratch,
                            .keeps_phi = true,
                            .reach = 1,
                            .tolerance = 0.5}; /* gives up at once */
    cr_expect(le(dbl, ws_smoothing_fit_weights(&fit, &made.weights), 21860.19));
    cr_expect(near(124.316919192, fit.start.level, 1e-9)); /* and leaves the start values alone */
    cr_expect(near(-14.8194444444, made.season[0], 1e-9));
}

/* Odd seasons: 1 2 3 twice has the average 2 everywhere, so the terms are -1 0 1 and there is no
 * trend. With 0.5 more a sample the average is 2.5 in the middle of the first season and rises by
 * 0.5: the line through 2.5, 3, 3.5, 4 at 1..4 begins at 2. */
Test(smoothing, starts_with_an_odd_season)
{
    const double flat[] = {1, 2, 3, 1, 2, 3};
    const double rising[] = {1, 2.5, 4, 2.5, 4, 5.5};
    double season[3];
    ws_smoothing_state state = {.season = season};
    ws_smoothing_shape shape = {
        .trend = WS_SMOOTHING_ADDITIVE, .seasonal = WS_SMOOTHING_ADDITIVE, .period = 3};

    cr_expect(eq(sz, ws_smoothing_start(&shape, (ws_smoothing_samples){flat, 6}, &state), 3));
    cr_expect(near(2, state.level, 1e-12));
    cr_expect(near(0, state.trend, 1e-12));
    cr_expect(near(-1, season[0], 1e-12));
    cr_expect(near(0, season[1], 1e-12));
    cr_expect(near(1, season[2], 1e-12));
    cr_expect(eq(sz, ws_smoothing_start(&shape, (ws_smoothing_samples){rising, 6}, &state), 3));
    cr_expect(near(2, state.level, 1e-12));
    cr_expect(near(0.5, state.trend, 1e-12));
    cr_expect(near(-1, season[0], 1e-12));
    cr_expect(near(1, season[2], 1e-12));
}

/* Even: 1 3 1 3 has 2 at the two places of the average. A missing sample lies between its
 * neighbours: 1 _ 1 3 is 1 1 1 3, whose averages over two, with half weights, are 1 and 1.5. */
Test(smoothing, starts_with_an_even_season_and_a_gap)
{
    const double flat[] = {1, 3, 1, 3};
    const double gap[] = {1, (double)NAN, 1, 3};
    double season[2];
    ws_smoothing_state state = {.season = season};
    ws_smoothing_shape shape = {
        .trend = WS_SMOOTHING_ADDITIVE, .seasonal = WS_SMOOTHING_ADDITIVE, .period = 2};

    cr_expect(eq(sz, ws_smoothing_start(&shape, (ws_smoothing_samples){flat, 4}, &state), 2));
    cr_expect(near(2, state.level, 1e-12));
    cr_expect(near(-1, season[0], 1e-12));
    cr_expect(near(1, season[1], 1e-12));
    cr_expect(eq(sz, ws_smoothing_start(&shape, (ws_smoothing_samples){gap, 4}, &state), 2));
    cr_expect(near(0.5, state.trend, 1e-12));
    cr_expect(near(0.5, state.level, 1e-12));
}

Test(smoothing, does_not_start_from_nothing)
{
    const double nothing[] = {(double)NAN, (double)NAN, (double)NAN, (double)NAN};
    const double zeros[] = {0, 0, 0, 0};
    double season[2];
    ws_smoothing_state state = {.season = season};
    ws_smoothing_shape shape = {
        .trend = WS_SMOOTHING_ADDITIVE, .seasonal = WS_SMOOTHING_ADDITIVE, .period = 2};

    cr_expect(eq(sz, ws_smoothing_start(&shape, (ws_smoothing_samples){nothing, 4}, &state), 0));
    cr_expect(eq(sz, ws_smoothing_start(&shape, (ws_smoothing_samples){zeros, 3}, &state), 0));
    cr_expect(eq(sz, ws_smoothing_start(&shape, (ws_smoothing_samples){zeros, 4}, &state), 2));
    shape.seasonal = WS_SMOOTHING_MULTIPLICATIVE;
    cr_expect(eq(sz, ws_smoothing_start(&shape, (ws_smoothing_samples){zeros, 4}, &state), 0));
}

/* Holt: l = 2, b = 1 from 1 2. A missing sample: l = 2 + 1. Then 5: error 5 - 4, l = 4.5, b = 0.5
 * x 1.5 + 0.5 x 1. Damped by 0.5, two steps ahead: 4.5 + (0.5 + 0.25) b. */
Test(smoothing, passes_over_a_missing_sample)
{
    const double values[] = {1, 2};
    ws_smoothing_state state = {.level = 0};
    ws_smoothing_shape shape = {.trend = WS_SMOOTHING_ADDITIVE, .period = 1};
    ws_smoothing_weights weights = {.alpha = 0.5, .beta = 0.5, .phi = 1};

    cr_expect(eq(sz, ws_smoothing_start(&shape, (ws_smoothing_samples){values, 2}, &state), 2));
    cr_expect(eq(dbl, ws_smoothing_step(&shape, &weights, &state, (double)NAN), 0));
    cr_expect(eq(dbl, state.level, 3));
    cr_expect(eq(dbl, ws_smoothing_step(&shape, &weights, &state, (double)INFINITY), 0));
    state.level = 3;
    cr_expect(eq(dbl, ws_smoothing_step(&shape, &weights, &state, 5), 1));
    cr_expect(eq(dbl, state.level, 4.5));
    cr_expect(eq(dbl, state.trend, 1.25));
    weights.phi = 0.5;
    cr_expect(eq(dbl, ws_smoothing_forecast(&shape, &weights, &state, 2), 4.5 + 0.75 * 1.25));
}

/* A missing sample moves the season on: of 1 3 1 3 the sample after a gap is the one two later. */
Test(smoothing, keeps_the_season_over_a_gap)
{
    const double values[] = {1, 3, 1, 3};
    double season[2];
    ws_smoothing_state state = {.season = season};
    ws_smoothing_shape shape = {
        .trend = WS_SMOOTHING_ADDITIVE, .seasonal = WS_SMOOTHING_ADDITIVE, .period = 2};
    ws_smoothing_weights weights = {.alpha = 0.5, .beta = 0.1, .gamma = 0.5, .phi = 1};

    cr_assert(eq(sz, ws_smoothing_start(&shape, (ws_smoothing_samples){values, 4}, &state), 2));
    cr_expect(near(1, ws_smoothing_forecast(&shape, &weights, &state, 1), 1e-12));
    (void)ws_smoothing_step(&shape, &weights, &state, (double)NAN);
    cr_expect(near(3, ws_smoothing_forecast(&shape, &weights, &state, 1), 1e-12));
    cr_expect(near(3, ws_smoothing_forecast(&shape, &weights, &state, 1001), 1e-12));
}

/* Multiplicative models meet zeros: nothing is divided by, and nothing becomes NaN. */
Test(smoothing, divides_by_nothing_that_is_not_positive)
{
    double season[2] = {1, 1};
    ws_smoothing_state state = {.level = 1, .trend = 1, .season = season};
    ws_smoothing_shape shape = {
        .trend = WS_SMOOTHING_MULTIPLICATIVE, .seasonal = WS_SMOOTHING_MULTIPLICATIVE, .period = 2};
    ws_smoothing_weights weights = {.alpha = 1, .beta = 1, .gamma = 1, .phi = 0.9};
    const double values[] = {0, 5, -3, 0, 0, 7, 1e300, 0, 2};

    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        (void)ws_smoothing_step(&shape, &weights, &state, values[i]);
        cr_expect(isfinite(state.level));
        cr_expect(isfinite(state.trend));
        cr_expect(isfinite(season[0]));
        cr_expect(isfinite(season[1]));
    }
}

/* Ten times the series is ten times the forecast; so are the start values. */
Test(smoothing, scales_with_the_series)
{
    double tenfold[WS_TEST_AIR_COUNT];

    for (size_t i = 0; i < WS_TEST_AIR_COUNT; i++) {
        tenfold[i] = 10 * ws_test_air[i];
    }
    for (int form = WS_SMOOTHING_FPP; form <= WS_SMOOTHING_R; form++) {
        for (int seasonal = WS_SMOOTHING_ADDITIVE; seasonal <= WS_SMOOTHING_MULTIPLICATIVE;
             seasonal++) {
            model one;
            model ten;
            begin(&one, (ws_smoothing_kind)seasonal, (ws_smoothing_form)form);
            begin(&ten, (ws_smoothing_kind)seasonal, (ws_smoothing_form)form);
            double sum = run_from_start(&one, ws_test_air, WS_TEST_AIR_COUNT);
            cr_expect(near(100 * sum, run_from_start(&ten, tenfold, WS_TEST_AIR_COUNT), 1e-9));
            cr_expect(near(10 * forecast(&one, 7), forecast(&ten, 7), 1e-9));
        }
    }
}
