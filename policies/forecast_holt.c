/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Holt's level and trend, damped, with weights that suit a series nothing is known of: it follows
 * what it sees, and does not carry a slope far.
 */
#include <math.h>

#include "forecast.h"

typedef struct {
    bool has_begun;
    ws_smoothing_state at;
} holt_state;

static const ws_smoothing_shape holt_shape = {
    .trend = WS_SMOOTHING_ADDITIVE, .seasonal = WS_SMOOTHING_NONE, .period = 1};

static const ws_smoothing_weights holt_weights = {.alpha = 0.8, .beta = 0.2, .phi = 0.9};

static bool holt_update(void *state, const ws_forecast_setup *setup, const ws_series *series)
{
    holt_state *holt = state;
    ws_smoothing_samples newest = ws_series_samples(series);

    (void)setup;
    WS_ASSERT(series->count > 0);

    if (holt->has_begun) {
        (void)ws_smoothing_step(&holt_shape, &holt_weights, &holt->at, ws_series_back(series, 1));
        return false;
    }
    if (newest.count > 2) {
        newest.values += newest.count - 2;
        newest.count = 2;
    }
    holt->has_begun = ws_smoothing_start(&holt_shape, newest, &holt->at) > 0;
    return false;
}

static bool holt_predict(const void *state, const ws_forecast_setup *setup, const ws_series *series,
                         int32_t steps, double *value)
{
    const holt_state *holt = state;
    double forecast = 0;

    (void)setup;
    (void)series;
    if (!holt->has_begun) {
        return false;
    }
    forecast = ws_smoothing_forecast(&holt_shape, &holt_weights, &holt->at, steps);
    if (!isfinite(forecast)) {
        return false;
    }
    *value = forecast;
    return true;
}

const ws_forecaster ws_forecaster_holt = {
    .name = "holt",
    .summary = "a level and a damped trend, without a season",
    .is_baseline = true,
    .state_bytes = sizeof(holt_state),
    .update = holt_update,
    .predict = holt_predict,
};
