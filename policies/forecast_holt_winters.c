/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Holt-Winters over the seasons that are kept. It begins with R's start values, at two seasons when
 * all its weights are given; else they are fitted, first at two seasons and ten samples, then as
 * often as the setup allows, each time over all that is kept. A fit begins at the weights of the
 * last one.
 */
#include <math.h>
#include <string.h>

#include "forecast.h"

#define HOLT_WINTERS_EXTRA_SAMPLES 10 /* beyond two seasons: fewer leave nothing to fit to */
#define HOLT_WINTERS_FIRST_RESTARTS 3
#define HOLT_WINTERS_REACH 0.25 /* of later fits: weights move little */
#define HOLT_WINTERS_TOLERANCE 2e-2
/* Weights that fit better by less than this forecast no better. */
#define HOLT_WINTERS_GAIN 1e-3

typedef struct {
    ws_smoothing_shape shape;
    ws_smoothing_weights weights;
    ws_smoothing_state at;
    double *start_season; /* of a fit: start values */
    double *scratch;      /* of a fit: one run */
    int32_t since_fit;    /* samples */
    bool is_fitted;       /* all weights are given, or were fitted once */
    bool has_begun;
} holt_winters_state;

static bool holt_winters_init(void *state, const ws_forecast_setup *setup, ws_arena *arena)
{
    holt_winters_state *model = state;
    size_t period = (size_t)setup->period;

    WS_ASSERT(setup->seasonal != WS_SMOOTHING_NONE);

    *model = (holt_winters_state){
        .shape = {.trend = WS_SMOOTHING_ADDITIVE,
                  .seasonal = setup->seasonal,
                  .form = setup->form,
                  .period = setup->period},
        .weights = {.alpha = setup->has_alpha ? setup->weights.alpha : 0.3,
                    .beta = setup->has_beta ? setup->weights.beta : 0.1,
                    .gamma = setup->has_gamma ? setup->weights.gamma : 0.1,
                    .phi = setup->has_phi ? setup->weights.phi : 0.9},
        .start_season = ws_arena_alloc(arena, double, period),
        .scratch = ws_arena_alloc(arena, double, period),
    };
    model->at.season = ws_arena_alloc(arena, double, period);
    return model->at.season != NULL && model->start_season != NULL && model->scratch != NULL;
}

/** Whether all weights are the user's. */
static bool holt_winters_is_given(const ws_forecast_setup *setup)
{
    return setup->has_alpha && setup->has_beta && setup->has_gamma && setup->has_phi;
}

/** Fits the weights to all that is kept, from R's start values on. False: the samples allow none.
 */
static bool holt_winters_fit(holt_winters_state *model, const ws_forecast_setup *setup,
                             const ws_series *series)
{
    ws_smoothing_samples all = ws_series_samples(series);
    ws_smoothing_state start = {.season = model->start_season};
    size_t from = ws_smoothing_start(&model->shape, all, &start);
    ws_smoothing_fit fit = {
        .shape = &model->shape,
        .start = start,
        .samples = {.values = all.values + from, .count = all.count - from},
        .scratch = model->scratch,
        .keeps_alpha = setup->has_alpha,
        .keeps_beta = setup->has_beta,
        .keeps_gamma = setup->has_gamma,
        .keeps_phi = setup->has_phi,
        .restarts = model->is_fitted ? 0 : HOLT_WINTERS_FIRST_RESTARTS,
        .reach = model->is_fitted ? HOLT_WINTERS_REACH : 1,
        .tolerance = HOLT_WINTERS_TOLERANCE,
        .gain = HOLT_WINTERS_GAIN,
    };

    if (from == 0) {
        return false;
    }
    (void)ws_smoothing_fit_weights(&fit, &model->weights);
    model->is_fitted = true;
    model->since_fit = 0;
    return true;
}

static size_t holt_winters_rewind(void *state, const ws_forecast_setup *setup,
                                  const ws_series *series)
{
    holt_winters_state *model = state;
    size_t from = ws_smoothing_start(&model->shape, ws_series_samples(series), &model->at);

    (void)setup;
    WS_ASSERT(from > 0);

    return from;
}

static void holt_winters_advance(void *state, const ws_forecast_setup *setup, double value)
{
    holt_winters_state *model = state;

    (void)setup;
    (void)ws_smoothing_step(&model->shape, &model->weights, &model->at, value);
}

/** Whether it is time for start values, or for weights. */
static bool holt_winters_is_due(const holt_winters_state *model, const ws_forecast_setup *setup,
                                const ws_series *series)
{
    size_t least = 2 * (size_t)setup->period;

    if (holt_winters_is_given(setup)) {
        return !model->has_begun && series->count >= least;
    }
    return series->count >= least + HOLT_WINTERS_EXTRA_SAMPLES &&
           (!model->has_begun || model->since_fit >= setup->refit_samples);
}

static bool holt_winters_update(void *state, const ws_forecast_setup *setup,
                                const ws_series *series)
{
    holt_winters_state *model = state;
    bool begins = false;

    if (model->has_begun) {
        holt_winters_advance(model, setup, ws_series_back(series, 1));
    }
    model->since_fit++;
    if (!holt_winters_is_due(model, setup, series) || !holt_winters_fit(model, setup, series)) {
        return false;
    }
    begins = !model->has_begun;
    model->has_begun = true;
    if (!begins) {
        ws_smoothing_samples rest = ws_series_samples(series);
        size_t from = holt_winters_rewind(model, setup, series);
        rest.values += from;
        rest.count -= from;
        (void)ws_smoothing_run(&model->shape, &model->weights, &model->at, rest);
    }
    return begins;
}

static bool holt_winters_predict(const void *state, const ws_forecast_setup *setup,
                                 const ws_series *series, int32_t steps, double *value)
{
    const holt_winters_state *model = state;
    double forecast = 0;

    (void)setup;
    (void)series;
    if (!model->has_begun) {
        return false;
    }
    forecast = ws_smoothing_forecast(&model->shape, &model->weights, &model->at, steps);
    if (!isfinite(forecast)) {
        return false;
    }
    *value = forecast;
    return true;
}

const ws_forecaster ws_forecaster_holt_winters = {
    .name = "holt-winters",
    .summary = "a level, a trend and a season, with weights that are fitted now and then",
    .state_bytes = sizeof(holt_winters_state),
    .init = holt_winters_init,
    .update = holt_winters_update,
    .rewind = holt_winters_rewind,
    .advance = holt_winters_advance,
    .predict = holt_winters_predict,
};
