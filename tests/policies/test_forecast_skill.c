/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How good the forecasters are, in numbers: the root of the mean square of their errors on a season
 * with noise, against a second implementation that is written down as the books have it, and
 * against what the noise alone allows.
 *
 * The series is a level, a season of 24 samples (a triangle from -12 to 12) and noise of variance
 * 1:
 *
 *   - nobody can forecast better than the noise: an error of 1;
 *   - a season ago differs by two noises: an error of sqrt 2, at every horizon within a season;
 *   - the last value differs by two noises and by the change of the season: the triangle moves by 2
 *     a sample, so sqrt (2 + 4) one step ahead.
 */
#include <math.h>
#include <string.h>

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <gsl/gsl_errno.h>

#include "forecast.h"

enum { PERIOD = 24, SEASONS = 200, SAMPLES = PERIOD * SEASONS, FIRST = 3 * PERIOD };

static double samples[SAMPLES];

/* ---- the series ---- */

/* A congruential generator, 0..1. Source: Numerical Recipes, chapter 7.1. */
static double uniform(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return (double)*state / 4294967296.0;
}

/* Twelve of them, less 6: mean 0, variance 12 x 1/12 (Irwin and Hall). */
static double noise(uint32_t *state)
{
    double sum = -6;

    for (int i = 0; i < 12; i++) {
        sum += uniform(state);
    }
    return sum;
}

static void make_series(void)
{
    uint32_t state = 2024;

    for (int i = 0; i < SAMPLES; i++) {
        int hour = i % PERIOD;
        double season = hour < PERIOD / 2 ? 2.0 * hour - 12 : 36 - 2.0 * hour;
        samples[i] = 100 + season + noise(&state);
    }
}

/* ---- the second implementation ---- */

typedef struct {
    double level;
    double trend;
    double season[PERIOD]; /* of sample i: season[i % PERIOD] */
} naive;

static const ws_smoothing_weights weights = {.alpha = 0.1, .beta = 0.01, .gamma = 0.1, .phi = 1};

/*
 * R's start: the mean of a season around each sample of the two first ones, half of each end, is
 * the trend of the middle season; what is left of the samples there is the season, centred; a
 * straight line by least squares through that trend gives level and slope at its first place less
 * one.
 */
static void naive_start(naive *model)
{
    double middle[PERIOD];
    double mean_season = 0;
    double sum_x = 0;
    double sum_y = 0;
    double sum_xx = 0;
    double sum_xy = 0;

    for (int k = 0; k < PERIOD; k++) {
        int at = PERIOD / 2 + k;
        double around = (samples[at - PERIOD / 2] + samples[at + PERIOD / 2]) / 2;
        for (int i = at - PERIOD / 2 + 1; i < at + PERIOD / 2; i++) {
            around += samples[i];
        }
        middle[k] = around / PERIOD;
        model->season[at % PERIOD] = samples[at] - middle[k];
        mean_season += model->season[at % PERIOD] / PERIOD;
    }
    for (int k = 0; k < PERIOD; k++) {
        double x = k + 1;
        model->season[k] -= mean_season;
        sum_x += x;
        sum_y += middle[k];
        sum_xx += x * x;
        sum_xy += x * middle[k];
    }
    model->trend = (PERIOD * sum_xy - sum_x * sum_y) / (PERIOD * sum_xx - sum_x * sum_x);
    model->level = (sum_y - model->trend * sum_x) / PERIOD;
}

static void naive_step(naive *model, int i, ws_smoothing_form form)
{
    double before = model->level + model->trend;
    double old = model->season[i % PERIOD];
    double level = weights.alpha * (samples[i] - old) + (1 - weights.alpha) * before;

    model->trend = weights.beta * (level - model->level) + (1 - weights.beta) * model->trend;
    model->level = level;
    model->season[i % PERIOD] =
        weights.gamma * (samples[i] - (form == WS_SMOOTHING_R ? level : before)) +
        (1 - weights.gamma) * old;
}

/* Errors `steps` ahead, of forecasts made from sample FIRST on; it begins at the second season. */
static double naive_rms(int steps, ws_smoothing_form form)
{
    naive model;
    double squares = 0;
    int count = 0;

    naive_start(&model);
    for (int i = PERIOD; i + steps < SAMPLES; i++) {
        naive_step(&model, i, form);
        if (i >= FIRST) {
            double forecast =
                model.level + steps * model.trend + model.season[(i + steps) % PERIOD];
            squares += (samples[i + steps] - forecast) * (samples[i + steps] - forecast);
            count++;
        }
    }
    return sqrt(squares / count);
}

/* ---- the forecasters ---- */

typedef struct {
    const char *name;
    double squares;
    int count;
} tally;

static double rms_of(const tally *tallies, const char *name)
{
    for (size_t i = 0; i < WS_FORECASTERS_MAX; i++) {
        if (tallies[i].name != NULL && strcmp(tallies[i].name, name) == 0) {
            return sqrt(tallies[i].squares / tallies[i].count);
        }
    }
    cr_fatal("%s did not run", name);
    return 0;
}

/* Runs all that stand beside a preferred one over the series. */
static void run(const char *preferred, const ws_forecast_setup *setup, int steps, tally *tallies)
{
    static ws_forecast forecast;
    ws_arena arena;
    size_t index = 0;

    (void)gsl_set_error_handler_off();
    memset(tallies, 0, WS_FORECASTERS_MAX * sizeof *tallies);
    ws_arena_init(&arena, &ws_allocator_default, (size_t)1 << 26);
    while (strcmp(ws_forecaster_at(index)->name, preferred) != 0) {
        index++;
    }
    memset(&forecast, 0, sizeof forecast);
    cr_assert(ws_forecast_init(&forecast, setup, index, &arena));
    for (int i = 0; i + steps < SAMPLES; i++) {
        ws_forecast_add(&forecast, samples[i]);
        for (size_t k = 0; k < forecast.run_count && i >= FIRST; k++) {
            const ws_forecast_run *one = &forecast.runs[k];
            double value = 0;
            tallies[k].name = one->type->name;
            cr_assert(
                one->type->predict(one->state, &forecast.setup, &forecast.series, steps, &value));
            tallies[k].squares += (samples[i + steps] - value) * (samples[i + steps] - value);
            tallies[k].count++;
        }
    }
    ws_arena_reset(&arena);
}

static ws_forecast_setup given_weights(ws_smoothing_form form)
{
    return (ws_forecast_setup){.period = PERIOD,
                               .form = form,
                               .seasonal = WS_SMOOTHING_ADDITIVE,
                               .weights = weights,
                               .has_alpha = true,
                               .has_beta = true,
                               .has_gamma = true,
                               .has_phi = true,
                               .refit_samples = PERIOD};
}

/* Of 4,700 errors the mean square is within some 2 % of its expectation (its deviation is sqrt (2 /
 * 4700) of it); its root within half of that. */
Test(forecast_skill, of_the_baselines_is_what_noise_and_season_allow)
{
    ws_forecast_setup setup = given_weights(WS_SMOOTHING_FPP);
    tally tallies[WS_FORECASTERS_MAX];

    make_series();
    run("holt-winters", &setup, 1, tallies);
    cr_expect(epsilon_eq(dbl, rms_of(tallies, "seasonal-naive"), sqrt(2), 0.04));
    cr_expect(epsilon_eq(dbl, rms_of(tallies, "last-value"), sqrt(6), 0.06));
    run("holt-winters", &setup, 6, tallies);
    cr_expect(epsilon_eq(dbl, rms_of(tallies, "seasonal-naive"), sqrt(2), 0.04));
}

/* With the same weights both implementations make the same errors, and smaller ones than the
 * baselines. */
Test(forecast_skill, of_holt_winters_is_that_of_a_second_implementation)
{
    static const int steps[] = {1, 6, 30};
    tally tallies[WS_FORECASTERS_MAX];

    make_series();
    for (int form = WS_SMOOTHING_FPP; form <= WS_SMOOTHING_R; form++) {
        ws_forecast_setup setup = given_weights((ws_smoothing_form)form);
        for (size_t i = 0; i < WS_COUNT_OF(steps); i++) {
            run("holt-winters", &setup, steps[i], tallies);
            double got = rms_of(tallies, "holt-winters");
            double expected = naive_rms(steps[i], (ws_smoothing_form)form);
            cr_expect(epsilon_eq(dbl, got, expected, 1e-9), "form %d, %d steps: %.12g, %.12g", form,
                      steps[i], got, expected);
            cr_expect(got > 1);
            cr_expect(got < 0.85 * rms_of(tallies, "seasonal-naive"), "%g", got);
            cr_expect(got < 0.5 * rms_of(tallies, "last-value"), "%g", got);
        }
    }
}

/* Weights that are fitted to the last four seasons do nearly as well as good ones that are given.
 */
Test(forecast_skill, of_fitted_weights)
{
    ws_forecast_setup setup = {
        .period = PERIOD, .seasonal = WS_SMOOTHING_ADDITIVE, .refit_samples = PERIOD};
    tally tallies[WS_FORECASTERS_MAX];

    make_series();
    run("holt-winters", &setup, 1, tallies);
    double fitted = rms_of(tallies, "holt-winters");
    cr_expect(fitted < 0.95 * rms_of(tallies, "seasonal-naive"), "%g", fitted);
    cr_expect(fitted < 0.6 * rms_of(tallies, "last-value"), "%g", fitted);
    cr_expect(fitted > 1);
}
