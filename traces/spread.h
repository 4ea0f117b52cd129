/* SPDX-License-Identifier: GPL-3.0-or-later */
/** How values are spread: quantiles of what was collected. */
#ifndef WS_TRACES_SPREAD_H
#define WS_TRACES_SPREAD_H

#include "ws/trace_summary.h"

/** The spread of `n` values without NaN, which are sorted in place; all NAN of none. `mean` is the
 * caller's, who may know it exactly. */
ws_trace_spread ws_trace_spread_of(double *values, size_t n, double mean);

#endif
