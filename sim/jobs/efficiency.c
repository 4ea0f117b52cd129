/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ws/efficiency.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>

#include "ws/assert.h"

const char *const ws_learning_rate_names[] = {"kept", "linear", "sqrt", "adascale", NULL};

static_assert(WS_COUNT_OF(ws_learning_rate_names) == WS_LEARNING_RATE_ADASCALE + 2,
              "a name for each rule, then NULL");

/** The number of points up to `done`; 0 only without points. */
static size_t efficiency_reached(const ws_efficiency *efficiency, double done)
{
    size_t low = 0;
    size_t high = efficiency->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (efficiency->points[middle].from <= done) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static double efficiency_noise_scale(const ws_efficiency *efficiency, double done)
{
    size_t reached = efficiency_reached(efficiency, done);

    WS_ASSERT(reached >= 1);
    return efficiency->points[reached - 1].noise_scale;
}

double ws_efficiency_at(const ws_efficiency *efficiency, double done, double batch)
{
    WS_ASSERT(batch > 0);
    if (efficiency->count == 0) {
        return 1;
    }
    double noise_scale = efficiency_noise_scale(efficiency, done);
    return (noise_scale + efficiency->base_batch) / (noise_scale + batch);
}

double ws_efficiency_until(const ws_efficiency *efficiency, double done, double end)
{
    size_t reached = efficiency_reached(efficiency, done);

    return reached < efficiency->count ? fmin(efficiency->points[reached].from, end) : end;
}

double ws_adascale_gain(double noise_scale, double base_batch, double scale)
{
    double variance = noise_scale / base_batch;

    WS_ASSERT(scale > 0);
    return (variance + 1) / (variance / scale + 1);
}

double ws_learning_rate_factor(ws_learning_rate_rule rule, const ws_efficiency *efficiency,
                               double done, double batch)
{
    double scale = batch / efficiency->base_batch;

    switch (rule) {
    case WS_LEARNING_RATE_KEPT:
        return 1;
    case WS_LEARNING_RATE_LINEAR:
        return scale;
    case WS_LEARNING_RATE_SQRT:
        return sqrt(scale);
    case WS_LEARNING_RATE_ADASCALE:
        return efficiency->count == 0 ? 1
                                      : ws_adascale_gain(efficiency_noise_scale(efficiency, done),
                                                         efficiency->base_batch, scale);
    }
    WS_ASSERT(false && "not a rule");
    return 1;
}
