/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The list, sorted by name. A new forecaster is a line here, one in `ws_forecaster_names`, and one
 * in forecast.h. */
#include <assert.h>
#include <stddef.h>

#include "ws/assert.h"

#include "forecast.h"

static const ws_forecaster *const forecasters[] = {
    &ws_forecaster_holt,
    &ws_forecaster_holt_winters,
    &ws_forecaster_last_value,
    &ws_forecaster_seasonal_naive,
};

const char *const ws_forecaster_names[] = {
    "holt", "holt-winters", "last-value", "seasonal-naive", NULL,
};

static_assert(WS_COUNT_OF(ws_forecaster_names) == WS_COUNT_OF(forecasters) + 1,
              "one name for each forecaster, and NULL");
static_assert(WS_COUNT_OF(forecasters) <= WS_FORECASTERS_MAX, "all of them may run side by side");

size_t ws_forecaster_count(void)
{
    return WS_COUNT_OF(forecasters);
}

const ws_forecaster *ws_forecaster_at(size_t index)
{
    WS_ASSERT(index < WS_COUNT_OF(forecasters));

    return forecasters[index];
}
