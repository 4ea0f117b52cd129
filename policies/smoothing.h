/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Exponential smoothing: simple, Holt, damped Holt, Holt-Winters.
 *
 * With level l, trend b, seasonal term s of m positions, damping phi and weights a, B, g, a sample
 * y moves the state (additive trend and season) by
 *
 *     p  = l + phi b
 *     l' = a (y - s) + (1 - a) p
 *     b' = B (l' - l) + (1 - B) phi b
 *     s' = g (y - l') + (1 - g) s      form R
 *     s' = g (y - p)  + (1 - g) s      form FPP
 *
 * The two forms are not interchangeable: the same weights give different forecasts. A
 * multiplicative season takes ratios for differences; a multiplicative trend takes p = l b^phi.
 *
 * A sample that is missing (not finite) moves the state as its own forecast would: time passes,
 * nothing is learned. So does one that a multiplicative model cannot divide by.
 *
 * Source: R, stats::HoltWinters (C_HoltWinters, decompose); Hyndman and Athanasopoulos,
 * "Forecasting: Principles and Practice", chapter 8; statsmodels 0.13.5, ExponentialSmoothing.
 */
#ifndef WS_SMOOTHING_H
#define WS_SMOOTHING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ws/assert.h"

typedef enum {
    WS_SMOOTHING_NONE,
    WS_SMOOTHING_ADDITIVE,
    WS_SMOOTHING_MULTIPLICATIVE
} ws_smoothing_kind;

typedef enum {
    WS_SMOOTHING_FPP, /* the season learns against the level before the sample */
    WS_SMOOTHING_R    /* against the level after it */
} ws_smoothing_form;

/** What a model is made of. */
typedef struct {
    ws_smoothing_kind trend;
    ws_smoothing_kind seasonal;
    ws_smoothing_form form;
    int32_t period; /* samples in a season, >= 2; 1 without a season */
} ws_smoothing_shape;

typedef struct {
    double alpha; /* of the level, 0..1 */
    double beta;  /* of the trend, 0..1 */
    double gamma; /* of the season, 0..1 */
    double phi;   /* damping of the trend, 0..1; 1: none */
} ws_smoothing_weights;

/** Where a model stands. The seasonal terms are the caller's; `season[position]` is the next
 * sample's. */
typedef struct {
    double level;
    double trend;
    double *season; /* `period` terms; NULL without a season */
    int32_t position;
} ws_smoothing_state;

/** Samples in order of time; not finite: missing. */
typedef struct {
    const double *values;
    size_t count;
} ws_smoothing_samples;

/** Samples that ws_smoothing_start() needs: two seasons, or 1 or 2 without one. */
size_t ws_smoothing_start_count(const ws_smoothing_shape *shape);

/**
 * Start values exactly as R's stats::HoltWinters takes them (start.periods = 2).
 *
 * With a season: a centred moving average of order m over two seasons, the means of what is left at
 * each position (centred), and a straight line through the average. Without: the first sample; with
 * a trend: the second one and its difference from the first. Missing samples are interpolated here.
 * O(m), no allocation: samples are looked at again and again through a window of m.
 *
 * @param state  its `season` is filled
 * @return       index of the first sample to take in; 0, state spoilt, when there are too few
 * samples, or none in the window, or a multiplicative model meets what is not positive
 */
size_t ws_smoothing_start(const ws_smoothing_shape *shape, ws_smoothing_samples samples,
                          ws_smoothing_state *state);

/** Takes in a sample. Returns it less its one-step forecast, 0 for a missing one. O(1). */
double ws_smoothing_step(const ws_smoothing_shape *shape, const ws_smoothing_weights *weights,
                         ws_smoothing_state *state, double value);

/**
 * Takes in samples one after another.
 *
 * @return  the sum of squared one-step errors; infinity when the model runs away
 */
double ws_smoothing_run(const ws_smoothing_shape *shape, const ws_smoothing_weights *weights,
                        ws_smoothing_state *state, ws_smoothing_samples samples);

/** The forecast `steps` >= 1 samples ahead, also beyond a season. O(steps) with a damped trend. */
double ws_smoothing_forecast(const ws_smoothing_shape *shape, const ws_smoothing_weights *weights,
                             const ws_smoothing_state *state, int32_t steps);

/** What a fit may choose, and from where it begins. */
typedef struct {
    const ws_smoothing_shape *shape;
    ws_smoothing_state start;     /* its seasonal terms are not changed */
    ws_smoothing_samples samples; /* to take in from there */
    double *scratch;              /* `period` doubles; NULL without a season */
    bool keeps_alpha;             /* the weight as given */
    bool keeps_beta;
    bool keeps_gamma;
    bool keeps_phi;
    int32_t restarts; /* simplexes besides the one that begins at the weights as given */
    double reach;     /* first size of a simplex, in logits; 1 where nothing is known */
    double tolerance; /* its last one */
    double gain;      /* share by which the sum has to fall again and again; 0: it need not */
} ws_smoothing_fit;

/**
 * Weights of the least sum of squared one-step errors: the simplex method of Nelder and Mead
 * (GSL's nmsimplex2) over logits, so that weights stay within 0..1, phi within 0.8..0.98, and gamma
 * within 0..1 - alpha in the form FPP. A search ends with a small simplex, or when the sum has not
 * fallen by `gain` for five iterations a weight: where it is least at an end of a weight's range, a
 * simplex would follow it out there without end.
 *
 * GSL takes some hundred bytes from the machine for the time of the call. Where there are none, the
 * weights stay as they are.
 *
 * @param weights  in: where to begin, and those that are kept; out: the best found, never worse
 * @return         their sum of squared errors
 */
double ws_smoothing_fit_weights(const ws_smoothing_fit *fit, ws_smoothing_weights *weights);

#endif
