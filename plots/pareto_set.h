/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Which arms no other arm beats in both metrics, on the means. */
#ifndef WS_PLOTS_PARETO_SET_H
#define WS_PLOTS_PARETO_SET_H

#include "ws/chart.h"

/** True when the arm has a mean in both metrics. */
bool ws_pareto_is_drawn(const ws_chart_arm *arm);

/** True when both ends of an interval are there. */
bool ws_pareto_has_interval(ws_chart_estimate estimate);

/** Indices of arms, ascending in x, equal ones in the order of the arms. */
typedef struct {
    size_t arms[WS_CHART_ARMS_MAX];
    size_t count;
} ws_pareto_members;

/**
 * The Pareto set on the means. An arm is a member unless another is at least as good in both
 * metrics and better in one; equal arms are both members. Bounds and arms without a mean are passed
 * over.
 */
ws_pareto_members ws_pareto_set(const ws_chart_data *data);

#endif
