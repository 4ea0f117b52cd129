/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Seconds as a double to whole nanoseconds: the fraction is taken apart first, so that long spans
 * lose nothing. */
#include "ws/time.h"

#include <math.h>

#include "ws/assert.h"

ws_duration ws_duration_of_s(double seconds)
{
    double whole = 0;
    int64_t ns = 0;

    if (isnan(seconds) || seconds >= 9.3e9) {
        return (ws_duration){.ns = INT64_MAX};
    }
    if (seconds <= 0) {
        return (ws_duration){.ns = 0};
    }
    whole = floor(seconds);
    WS_ASSERT(whole >= 0);
    if (__builtin_mul_overflow((int64_t)whole, WS_NS_PER_S, &ns) ||
        __builtin_add_overflow(ns, (int64_t)llround((seconds - whole) * 1e9), &ns)) {
        ns = INT64_MAX;
    }
    return (ws_duration){.ns = ns};
}
