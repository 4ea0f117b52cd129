/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The recursions, and R's start values. */
#include "smoothing.h"

#include <math.h>

/* ---- the recursion ---- */

static double smoothing_damped_trend(const ws_smoothing_shape *shape, double phi, double trend)
{
    switch (shape->trend) {
    case WS_SMOOTHING_NONE:
        break;
    case WS_SMOOTHING_ADDITIVE:
        return phi * trend;
    case WS_SMOOTHING_MULTIPLICATIVE:
        return phi == 1 ? trend : pow(trend, phi);
    }
    return 0;
}

static double smoothing_with_trend(const ws_smoothing_shape *shape, double level, double trend)
{
    return shape->trend == WS_SMOOTHING_MULTIPLICATIVE ? level * trend : level + trend;
}

static double smoothing_with_season(const ws_smoothing_shape *shape, double level, double season)
{
    return shape->seasonal == WS_SMOOTHING_MULTIPLICATIVE ? level * season : level + season;
}

static double smoothing_less_season(const ws_smoothing_shape *shape, double value, double season)
{
    return shape->seasonal == WS_SMOOTHING_MULTIPLICATIVE ? value / season : value - season;
}

static double smoothing_mix(double weight, double fresh, double old)
{
    return weight * fresh + (1 - weight) * old;
}

/** A sample that can be learned from: known, and nothing is divided by what is not positive. */
static bool smoothing_is_usable(const ws_smoothing_shape *shape, double value, double level,
                                double season)
{
    if (shape->seasonal == WS_SMOOTHING_MULTIPLICATIVE && !(season > 0 && level > 0)) {
        return false;
    }
    if (shape->trend == WS_SMOOTHING_MULTIPLICATIVE && !(level > 0)) {
        return false;
    }
    return isfinite(value);
}

static double smoothing_neutral_season(const ws_smoothing_shape *shape)
{
    return shape->seasonal == WS_SMOOTHING_MULTIPLICATIVE ? 1 : 0;
}

double ws_smoothing_step(const ws_smoothing_shape *shape, const ws_smoothing_weights *weights,
                         ws_smoothing_state *state, double value)
{
    bool is_seasonal = shape->seasonal != WS_SMOOTHING_NONE;
    double season = is_seasonal ? state->season[state->position] : smoothing_neutral_season(shape);
    double trend = smoothing_damped_trend(shape, weights->phi, state->trend);
    double base = smoothing_with_trend(shape, state->level, trend);
    double level = base;
    double error = 0;

    WS_ASSERT(state->position >= 0 && state->position < shape->period);

    if (smoothing_is_usable(shape, value, base, season)) {
        error = value - smoothing_with_season(shape, base, season);
        level = smoothing_mix(weights->alpha, smoothing_less_season(shape, value, season), base);
        double slope = shape->trend == WS_SMOOTHING_MULTIPLICATIVE ? level / state->level
                                                                   : level - state->level;
        trend = smoothing_mix(weights->beta, slope, trend);
        double against = shape->form == WS_SMOOTHING_R ? level : base;
        season =
            smoothing_mix(weights->gamma, smoothing_less_season(shape, value, against), season);
    }
    state->level = level;
    state->trend = shape->trend == WS_SMOOTHING_NONE ? 0 : trend;
    if (is_seasonal) {
        state->season[state->position] = season;
    }
    state->position = state->position + 1 == shape->period ? 0 : state->position + 1;
    return error;
}

double ws_smoothing_run(const ws_smoothing_shape *shape, const ws_smoothing_weights *weights,
                        ws_smoothing_state *state, ws_smoothing_samples samples)
{
    WS_ASSERT(shape->period >= 1);
    WS_ASSERT(state != NULL);

    double sum = 0;

    for (size_t i = 0; i < samples.count; i++) {
        double error = ws_smoothing_step(shape, weights, state, samples.values[i]);
        sum += error * error;
    }
    return isfinite(sum) && isfinite(state->level) ? sum : HUGE_VAL;
}

double ws_smoothing_forecast(const ws_smoothing_shape *shape, const ws_smoothing_weights *weights,
                             const ws_smoothing_state *state, int32_t steps)
{
    double trend = state->trend;
    double level = state->level;

    WS_ASSERT(steps >= 1);

    if (shape->trend == WS_SMOOTHING_ADDITIVE && weights->phi == 1) {
        level += steps * trend;
    } else if (shape->trend != WS_SMOOTHING_NONE) {
        for (int32_t i = 0; i < steps; i++) {
            trend = smoothing_damped_trend(shape, weights->phi, trend);
            level = smoothing_with_trend(shape, level, trend);
        }
    }
    if (shape->seasonal == WS_SMOOTHING_NONE) {
        return level;
    }
    int64_t position = ((int64_t)state->position + steps - 1) % shape->period;
    return smoothing_with_season(shape, level, state->season[position]);
}

/* ---- start values ---- */

size_t ws_smoothing_start_count(const ws_smoothing_shape *shape)
{
    if (shape->seasonal != WS_SMOOTHING_NONE) {
        return 2 * (size_t)shape->period;
    }
    return shape->trend == WS_SMOOTHING_NONE ? 1 : 2;
}

/** A sample, or what lies between its nearest known neighbours; both exist in the window or it is
 * NaN. */
static double smoothing_known(ws_smoothing_samples window, size_t index)
{
    size_t before = index;
    size_t after = index;

    WS_ASSERT(index < window.count);
    while (before > 0 && !isfinite(window.values[before])) {
        before--;
    }
    while (after + 1 < window.count && !isfinite(window.values[after])) {
        after++;
    }
    double left = window.values[before];
    double right = window.values[after];
    if (!isfinite(left)) {
        return isfinite(right) ? right : (double)NAN;
    }
    if (!isfinite(right) || before == after) {
        return left;
    }
    return left + (right - left) * (double)(index - before) / (double)(after - before);
}

/** Sums of what the moving average over two seasons shows. */
typedef struct {
    size_t count;     /* values that the average has */
    double sum;       /* of them */
    double moment;    /* of them, about the middle */
    bool is_positive; /* each of them */
} smoothing_average;

/** Takes in the average `at` the centre of a season, and adds what the sample there is beside it to
 * its position. */
static void smoothing_average_add(const ws_smoothing_shape *shape, smoothing_average *average,
                                  double value, double beside, double *figure)
{
    size_t whole = (size_t)shape->period + (size_t)(shape->period % 2);
    double middle = ((double)whole - 1) / 2;

    average->moment += ((double)average->count - middle) * value;
    average->sum += value;
    average->count++;
    average->is_positive = average->is_positive && value > 0;
    *figure += smoothing_less_season(shape, beside, value);
}

/** The centred moving average of order m over the window of two seasons: m values of it, m + 1 if m
 * is odd.
 */
static smoothing_average smoothing_average_of(const ws_smoothing_shape *shape,
                                              ws_smoothing_samples window, double *figure)
{
    size_t period = (size_t)shape->period;
    size_t half = period / 2;
    bool is_even = period % 2 == 0;
    smoothing_average average = {.is_positive = true};
    double inner = 0; /* the sum of a season's samples, without the half one at its end */

    for (size_t i = 0; i < period; i++) {
        inner += smoothing_known(window, i);
    }
    for (size_t centre = half; centre + half < window.count; centre++) {
        double first = smoothing_known(window, centre - half);
        double last = is_even ? smoothing_known(window, centre + half) : 0;
        double total = is_even ? inner - first / 2 + last / 2 : inner;
        smoothing_average_add(shape, &average, total / (double)period,
                              smoothing_known(window, centre), &figure[centre % period]);
        size_t next = is_even ? centre + half : centre + half + 1;
        inner += (next < window.count ? smoothing_known(window, next) : 0) - first;
    }
    return average;
}

/** Centres the seasonal terms: they sum to 0, or have the mean 1. False when they cannot. */
static bool smoothing_centre(const ws_smoothing_shape *shape, double *figure)
{
    double mean = 0;

    for (int32_t i = 0; i < shape->period; i++) {
        mean += figure[i];
    }
    mean /= shape->period;
    if (!isfinite(mean) || (shape->seasonal == WS_SMOOTHING_MULTIPLICATIVE && !(mean > 0))) {
        return false;
    }
    for (int32_t i = 0; i < shape->period; i++) {
        figure[i] = smoothing_less_season(shape, figure[i], mean);
    }
    return true;
}

static size_t smoothing_start_seasonal(const ws_smoothing_shape *shape, ws_smoothing_samples window,
                                       ws_smoothing_state *state)
{
    size_t period = (size_t)shape->period;

    for (size_t i = 0; i < period; i++) {
        state->season[i] = 0;
    }
    smoothing_average average = smoothing_average_of(shape, window, state->season);
    double count = (double)average.count;
    WS_ASSERT(average.count >= period);
    if (period % 2 == 1) {
        state->season[period / 2] /= 2; /* the one position that the average meets twice */
    }
    if ((shape->seasonal == WS_SMOOTHING_MULTIPLICATIVE && !average.is_positive) ||
        !smoothing_centre(shape, state->season)) {
        return 0;
    }
    state->trend = average.moment / (count * (count * count - 1) / 12);
    state->level = average.sum / count - state->trend * (count + 1) / 2;
    state->position = 0;
    if (shape->trend == WS_SMOOTHING_NONE) {
        state->trend = 0;
    }
    return isfinite(state->level) && isfinite(state->trend) ? period : 0;
}

size_t ws_smoothing_start(const ws_smoothing_shape *shape, ws_smoothing_samples samples,
                          ws_smoothing_state *state)
{
    size_t needed = ws_smoothing_start_count(shape);
    ws_smoothing_samples window = {.values = samples.values, .count = needed};

    WS_ASSERT((shape->seasonal == WS_SMOOTHING_NONE) == (shape->period == 1));
    WS_ASSERT(shape->seasonal == WS_SMOOTHING_NONE || state->season != NULL);

    if (samples.count < needed) {
        return 0;
    }
    if (shape->seasonal != WS_SMOOTHING_NONE) {
        return smoothing_start_seasonal(shape, window, state);
    }
    double first = smoothing_known(window, 0);
    state->level = smoothing_known(window, needed - 1);
    state->trend = 0;
    state->position = 0;
    if (shape->trend == WS_SMOOTHING_ADDITIVE) {
        state->trend = state->level - first;
    } else if (shape->trend == WS_SMOOTHING_MULTIPLICATIVE) {
        state->trend = state->level / first;
    }
    return isfinite(state->level) && isfinite(state->trend) ? needed : 0;
}
