/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Simulated time. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>

#include "ws/time.h"

Test(time, seconds_round_to_the_nearest_nanosecond)
{
    cr_assert(eq(i64, ws_duration_of_s(0).ns, 0));
    cr_assert(eq(i64, ws_duration_of_s(1).ns, 1000000000));
    cr_assert(eq(i64, ws_duration_of_s(0.1).ns, 100000000));
    cr_assert(eq(i64, ws_duration_of_s(1.5e-9).ns, 2));
    cr_assert(eq(i64, ws_duration_of_s(0.4e-9).ns, 0));
    cr_assert(eq(i64, ws_duration_of_s(604800).ns, INT64_C(604800000000000)));
}

/* 2^23 + 2^-29 s: the product with 1e9 has no double, the parts have: 8388608 s and 1.86 ns. */
Test(time, long_spans_keep_their_nanoseconds)
{
    double seconds = 8388608.0 + ldexp(1, -29);

    cr_assert(eq(i64, ws_duration_of_s(seconds).ns, INT64_C(8388608000000002)));
}

Test(time, what_is_no_span_is_clipped)
{
    cr_assert(eq(i64, ws_duration_of_s(-1).ns, 0));
    cr_assert(eq(i64, ws_duration_of_s(-(double)INFINITY).ns, 0));
    cr_assert(eq(i64, ws_duration_of_s((double)INFINITY).ns, INT64_MAX));
    cr_assert(eq(i64, ws_duration_of_s((double)NAN).ns, INT64_MAX));
    cr_assert(eq(i64, ws_duration_of_s(1e300).ns, INT64_MAX));
    cr_assert(eq(i64, ws_duration_of_s(9223372037.0).ns, INT64_MAX));
    cr_assert(eq(i64, ws_duration_of_s(9223372036.0).ns, INT64_C(9223372036000000000)));
}

Test(time, sums_stop_at_never)
{
    ws_time late = {.ns = INT64_MAX - 5};

    cr_assert(eq(i64, ws_time_add(late, (ws_duration){.ns = 5}).ns, INT64_MAX));
    cr_assert(eq(i64, ws_time_add(late, (ws_duration){.ns = 6}).ns, INT64_MAX));
    cr_assert(eq(i64, ws_time_add(WS_TIME_NEVER, (ws_duration){.ns = 0}).ns, INT64_MAX));
}

/* 36525 d x 86400 s */
Test(time, two_longest_horizons_fit)
{
    cr_assert(eq(i64, WS_HORIZON_MAX_NS, INT64_C(3155760000000000000)));
    cr_assert(lt(i64, WS_HORIZON_MAX_NS, INT64_MAX / 2));
}
