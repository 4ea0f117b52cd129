/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Simulated time: signed 64-bit nanoseconds since the start of the scenario, in types of their own
 * (292 years).
 */
#ifndef WS_TIME_H
#define WS_TIME_H

#include <stdbool.h>
#include <stdint.h>

typedef struct {
    int64_t ns;
} ws_time; /* a point on the simulated clock */

typedef struct {
    int64_t ns;
} ws_duration; /* a distance between two points */

#define WS_NS_PER_S INT64_C(1000000000)
#define WS_NS_PER_MIN (60 * WS_NS_PER_S)
#define WS_NS_PER_H (3600 * WS_NS_PER_S)
#define WS_NS_PER_D (24 * WS_NS_PER_H)

/** Later than every event: "never". */
#define WS_TIME_NEVER ((ws_time){.ns = INT64_MAX})

/** The longest horizon, 100 years of 365.25 days; sums of two such times do not overflow. */
#define WS_HORIZON_MAX_NS (INT64_C(36525) * WS_NS_PER_D)

/** t + d, or never when that is beyond the clock. */
static inline ws_time ws_time_add(ws_time t, ws_duration d)
{
    ws_time sum = WS_TIME_NEVER;

    if (__builtin_add_overflow(t.ns, d.ns, &sum.ns)) {
        sum = WS_TIME_NEVER;
    }
    return sum;
}

/** later - earlier; negative the other way round. */
static inline ws_duration ws_time_since(ws_time later, ws_time earlier)
{
    return (ws_duration){.ns = later.ns - earlier.ns};
}

/** True when `a` comes strictly before `b`. */
static inline bool ws_time_is_before(ws_time a, ws_time b)
{
    return a.ns < b.ns;
}

/** The earlier of two. */
static inline ws_time ws_time_min(ws_time a, ws_time b)
{
    return a.ns < b.ns ? a : b;
}

/** The later of two. */
static inline ws_time ws_time_max(ws_time a, ws_time b)
{
    return a.ns > b.ns ? a : b;
}

/** Seconds, rounded to the nearest double; exact to the nanosecond up to 104 days. */
static inline double ws_duration_s(ws_duration d)
{
    return (double)d.ns / 1e9;
}

/** Seconds since the start, rounded likewise. */
static inline double ws_time_s(ws_time t)
{
    return (double)t.ns / 1e9;
}

/** Seconds to the nearest nanosecond; below 0 gives 0, beyond the clock (or NaN) the longest
 * duration. */
ws_duration ws_duration_of_s(double seconds);

#endif
