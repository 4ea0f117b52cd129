/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The last sample that is known, whatever the horizon: what an autoscaler without a forecast goes
 * by. */
#include <math.h>

#include "forecast.h"

static bool last_value_predict(const void *state, const ws_forecast_setup *setup,
                               const ws_series *series, int32_t steps, double *value)
{
    (void)state;
    (void)setup;
    WS_ASSERT(steps >= 1);

    for (size_t back = 1; back <= series->count; back++) {
        double sample = ws_series_back(series, back);
        if (isfinite(sample)) {
            *value = sample;
            return true;
        }
    }
    return false;
}

const ws_forecaster ws_forecaster_last_value = {
    .name = "last-value",
    .summary = "what was seen last",
    .is_baseline = true,
    .predict = last_value_predict,
};
