/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Overlap and stragglers by hand. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "ws/overlap.h"

/* A backward of 3 s; buckets ready at 1, 2, 3 s, each reduced in 1.5 s: they start at 1, 2.5, 4 and
 * end at 5.5, 2.5 s after the backward. */
Test(overlap, buckets_queue_behind_each_other)
{
    ws_bucket buckets[] = {{1, 1}, {1, 2}, {1, 3}};
    double seconds[] = {1.5, 1.5, 1.5};

    cr_expect(epsilon_eq(dbl, ws_overlap_exposed_s(buckets, seconds, 3, 3), 2.5, 1e-12));
    cr_expect(epsilon_eq(dbl, ws_overlap_equal_exposed_s(3, 1.5, 3), 2.5, 1e-12));
}

/* Fast links: buckets of 0.2 s end at 1.2, 2.2 and 3.2 s: only the last one shows. */
Test(overlap, the_last_bucket_cannot_hide)
{
    ws_bucket buckets[] = {{1, 1}, {1, 2}, {1, 3}};
    double seconds[] = {0.2, 0.2, 0.2};

    cr_expect(epsilon_eq(dbl, ws_overlap_exposed_s(buckets, seconds, 3, 3), 0.2, 1e-12));
    cr_expect(epsilon_eq(dbl, ws_overlap_equal_exposed_s(3, 0.2, 3), 0.2, 1e-12));
}

/* Unequal ones: 4 s from 1 s on, then 0.1 s twice, back to back: 5.2 s, 2.2 s beyond 3. */
Test(overlap, a_large_bucket_delays_the_rest)
{
    ws_bucket buckets[] = {{4, 1}, {1, 2}, {1, 3}};
    double seconds[] = {4, 0.1, 0.1};

    cr_expect(epsilon_eq(dbl, ws_overlap_exposed_s(buckets, seconds, 3, 3), 2.2, 1e-12));
}

Test(overlap, nothing_to_reduce_is_nothing_exposed)
{
    cr_expect(eq(dbl, ws_overlap_exposed_s(NULL, NULL, 0, 3), 0));
}

/* Ten units of 2 s, gathered in 3 s each: 3 s before the first, 1 s before each of the nine others;
 * gathered in 1 s: the first alone. */
Test(overlap, units_are_gathered_ahead)
{
    cr_expect(epsilon_eq(dbl, ws_overlap_prefetch_exposed_s(10, 3, 2), 12, 1e-12));
    cr_expect(epsilon_eq(dbl, ws_overlap_prefetch_exposed_s(10, 1, 2), 1, 1e-12));
}

/* The mean of the larger of two standard normal draws is 1/sqrt(pi) = 0.5642; Blom: Phi^-1(1.625 /
 * 2.25) = 0.5895. Of 1000: 3.2414 (H. Harter, Biometrika 48, 1961). */
Test(overlap, slowest_of_many_normal)
{
    cr_expect(eq(dbl, ws_straggler_normal(1), 0));
    cr_expect(epsilon_eq(dbl, ws_straggler_normal(2), 0.5895, 1e-4));
    cr_expect(epsilon_eq(dbl, ws_straggler_normal(1000), 3.2414, 0.02));
}

/* 1 + 1/2 + 1/3 + 1/4 = 25/12; H_1000 = 7.4854708606, H_1001 = H_1000 + 1/1001. */
Test(overlap, slowest_of_many_exponential)
{
    cr_expect(epsilon_eq(dbl, ws_straggler_exponential(4), 25.0 / 12, 1e-12));
    cr_expect(epsilon_eq(dbl, ws_straggler_exponential(1000), 7.4854708606, 1e-9));
    cr_expect(epsilon_eq(dbl, ws_straggler_exponential(1001), 7.4854708606 + 1.0 / 1001, 1e-6));
}
