/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Every arm against every other: there are at most WS_CHART_ARMS_MAX.
 */
#include "pareto_set.h"

#include <math.h>

bool ws_pareto_is_drawn(const ws_chart_arm *arm)
{
    WS_ASSERT(arm != NULL);

    return isfinite(arm->x.mean) && isfinite(arm->y.mean);
}

/* Positive when `a` is better than `b`. */
static int pareto_compare(const ws_chart_axis *axis, double a, double b)
{
    int order = (a > b) - (a < b);

    return axis->higher_is_better ? order : -order;
}

static bool pareto_beats(const ws_chart_data *data, const ws_chart_arm *a, const ws_chart_arm *b)
{
    int x = pareto_compare(&data->x, a->x.mean, b->x.mean);
    int y = pareto_compare(&data->y, a->y.mean, b->y.mean);

    return x >= 0 && y >= 0 && (x > 0 || y > 0);
}

static bool pareto_is_candidate(const ws_chart_arm *arm)
{
    return ws_pareto_is_drawn(arm) && !arm->is_bound;
}

static bool pareto_is_member(const ws_chart_data *data, size_t index)
{
    const ws_chart_arm *arm = &data->arms[index];

    if (!pareto_is_candidate(arm)) {
        return false;
    }
    for (size_t i = 0; i < data->arm_count; i++) {
        if (pareto_is_candidate(&data->arms[i]) && pareto_beats(data, &data->arms[i], arm)) {
            return false;
        }
    }
    return true;
}

bool ws_pareto_has_interval(ws_chart_estimate estimate)
{
    return isfinite(estimate.low) && isfinite(estimate.high);
}

/* Moves the last member to its place: ascending in x, equal ones in the order of the arms. */
static void pareto_sink(const ws_chart_data *data, ws_pareto_members *members)
{
    size_t *arms = members->arms;

    for (size_t i = members->count - 1; i > 0; i--) {
        size_t moving = arms[i];

        if (data->arms[arms[i - 1]].x.mean <= data->arms[moving].x.mean) {
            return;
        }
        arms[i] = arms[i - 1];
        arms[i - 1] = moving;
    }
}

ws_pareto_members ws_pareto_set(const ws_chart_data *data)
{
    ws_pareto_members members = {.count = 0};

    WS_ASSERT(data != NULL);
    WS_ASSERT(data->arm_count <= WS_CHART_ARMS_MAX);

    for (size_t i = 0; i < data->arm_count; i++) {
        if (pareto_is_member(data, i)) {
            members.arms[members.count++] = i;
            pareto_sink(data, &members);
        }
    }
    return members;
}
