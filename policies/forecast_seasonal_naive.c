/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The sample one season before the one that is asked for; where that is missing, the one a season
 * earlier. Source: Hyndman and Athanasopoulos, "Forecasting: Principles and Practice", chapter 5.2.
 */
#include <math.h>

#include "forecast.h"

static bool seasonal_naive_predict(const void *state, const ws_forecast_setup *setup,
                                   const ws_series *series, int32_t steps, double *value)
{
    size_t period = (size_t)setup->period;
    size_t ahead =
        ((size_t)steps - 1) % period; /* steps after the newest, less one, within the season */

    (void)state;
    WS_ASSERT(steps >= 1);

    for (size_t back = period - ahead; back <= series->count; back += period) {
        double sample = ws_series_back(series, back);
        if (isfinite(sample)) {
            *value = sample;
            return true;
        }
    }
    return false;
}

const ws_forecaster ws_forecaster_seasonal_naive = {
    .name = "seasonal-naive",
    .summary = "what was seen a season ago",
    .is_baseline = true,
    .predict = seasonal_naive_predict,
};
