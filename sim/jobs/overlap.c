/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ws/overlap.h"

#include <math.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_math.h>

#include "ws/assert.h"

double ws_overlap_exposed_s(const ws_bucket *buckets, const double *seconds, size_t count,
                            double backward_s)
{
    double end_s = 0;

    for (size_t i = 0; i < count; i++) {
        WS_ASSERT(buckets[i].ready_s >= 0);
        WS_ASSERT(seconds[i] >= 0);
        end_s = fmax(buckets[i].ready_s, end_s) + seconds[i];
    }
    return fmax(end_s - backward_s, 0);
}

double ws_overlap_equal_exposed_s(double count, double each_s, double backward_s)
{
    WS_ASSERT(count >= 1);
    return fmax(each_s, count * each_s - (count - 1) / count * backward_s);
}

double ws_overlap_prefetch_exposed_s(double units, double gather_s, double compute_s)
{
    WS_ASSERT(units >= 1);
    return gather_s + (units - 1) * fmax(gather_s - compute_s, 0);
}

double ws_straggler_normal(double n)
{
    WS_ASSERT(n >= 1);
    return n > 1 ? gsl_cdf_ugaussian_Pinv((n - 0.375) / (n + 0.25)) : 0;
}

/* The sum itself up to a thousand; beyond it ln n + Euler's constant + 1/(2n) is exact to 1e-7. */
double ws_straggler_exponential(int64_t n)
{
    double sum = 0;

    WS_ASSERT(n >= 1);
    if (n > 1000) {
        return log((double)n) + M_EULER + 0.5 / (double)n;
    }
    for (int64_t i = n; i >= 1; i--) {
        sum += 1.0 / (double)i;
    }
    return sum;
}
