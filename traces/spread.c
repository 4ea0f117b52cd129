/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "spread.h"

#include <math.h>

#include "ws/statistics.h"

ws_trace_spread ws_trace_spread_of(double *values, size_t n, double mean)
{
    WS_ASSERT(values != NULL || n == 0);
    if (n == 0) {
        return (ws_trace_spread){
            .mean = (double)NAN,
            .p10 = (double)NAN,
            .p25 = (double)NAN,
            .p50 = (double)NAN,
            .p75 = (double)NAN,
            .p90 = (double)NAN,
            .p95 = (double)NAN,
            .p99 = (double)NAN,
            .max = (double)NAN,
        };
    }
    ws_sort_doubles(values, n);
    return (ws_trace_spread){
        .n = (int64_t)n,
        .mean = mean,
        .p10 = ws_quantile_sorted(values, n, 0.10),
        .p25 = ws_quantile_sorted(values, n, 0.25),
        .p50 = ws_quantile_sorted(values, n, 0.50),
        .p75 = ws_quantile_sorted(values, n, 0.75),
        .p90 = ws_quantile_sorted(values, n, 0.90),
        .p95 = ws_quantile_sorted(values, n, 0.95),
        .p99 = ws_quantile_sorted(values, n, 0.99),
        .max = values[n - 1],
    };
}
