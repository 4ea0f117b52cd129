/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Statistics of replications: means with Student intervals, paired comparisons, Holm's adjustment.
 *
 * The unit of replication is the run. Below WS_INTERVAL_MIN values no interval is given (n is then
 * all there is to say).
 */
#ifndef WS_STATISTICS_H
#define WS_STATISTICS_H

#include <stdbool.h>
#include <stddef.h>

#include "ws/assert.h"

/** Fewest values for which an interval is shown. Source: docs/output.md. */
#define WS_INTERVAL_MIN 5

typedef struct {
    size_t n;
    double mean;
    double sd; /* n - 1 in the denominator; 0 for n < 2 */
    double min;
    double max;
    bool has_interval;
    double low; /* of the two-sided Student interval */
    double high;
} ws_summary;

typedef struct {
    size_t n;
    double difference; /* mean of value - baseline */
    double difference_low;
    double difference_high;
    bool has_ratio; /* every value and baseline is positive */
    double ratio;   /* exp(mean log ratio); its interval from t on the log ratios */
    double ratio_low;
    double ratio_high;
    double correlation; /* of the pairs; 0 when either side does not vary */
    double p; /* two-sided p-value of "no difference", of the ratio where there is one; 1 when
                 identical and where there is no interval */
    bool has_interval;
    bool identical; /* every difference is exactly 0 */
    bool dominated; /* max / median of the absolute differences is above 5: rare runs decide */
} ws_paired;

/**
 * Mean, spread and interval of the values; all zero for n = 0. Sums run in index order.
 *
 * @param values      finite
 * @param confidence  0.95 for 95 %; above 0 and below 1
 */
ws_summary ws_summary_of(const double *values, size_t n, double confidence);

/**
 * Compares values with a baseline, pair by pair (same replication, common random numbers). n may be
 * 0.
 *
 * Differences get a Student interval on the pairs; ratios one on the logarithms of the pairs'
 * ratios, back-transformed, so that a change by the same factor in every replication has an
 * interval of no width. O(n), no allocation.
 *
 * @param values      finite; values[i] and baseline[i] are of the same replication
 * @param confidence  0.95 for 95 %; above 0 and below 1
 */
ws_paired ws_paired_of(const double *values, const double *baseline, size_t n, double confidence);

/**
 * Holm's step-down adjustment for n comparisons. Source: S. Holm, "A simple sequentially rejective
 * multiple test procedure", Scandinavian Journal of Statistics 6 (1979).
 *
 * @param p      in: p-values, 0..1; out: adjusted ones, in the same order, at most 1
 * @param order  storage for n indices
 */
void ws_holm(double *p, size_t *order, size_t n);

/** Two-sided Student quantile: t with `n - 1` degrees so that P(|T| <= t) = confidence. @param n >=
 * 2 */
double ws_student_t(size_t n, double confidence);

/** Quantile by linear interpolation (type 7 of Hyndman and Fan 1996) of values in ascending order;
 * n >= 1, p in 0..1. */
double ws_quantile_sorted(const double *ascending, size_t n, double p);

/** The same of values in any order, which it moves; no NaN. O(n) on average, where sorting takes
 * O(n log n). */
double ws_quantile(double *values, size_t n, double p);

/** Sorts doubles ascending; no NaN. A total order by value; heap sort, no allocation. */
void ws_sort_doubles(double *values, size_t n);

/** Streaming mean and variance (Welford 1962). Zero-initialise. */
typedef struct {
    size_t n;
    double mean;
    double sum_of_squares;
} ws_moments;

/** Takes in one finite value. */
void ws_moments_add(ws_moments *moments, double value);

/** The standard deviation so far, n - 1 in the denominator; 0 for n < 2. */
double ws_moments_sd(const ws_moments *moments);

#endif
