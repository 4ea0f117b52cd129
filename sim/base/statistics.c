/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Means are taken as the first value plus the mean distance from it: for values that are all equal
 * this is exact, so that a comparison of equal things has an interval of no width instead of one of
 * rounding errors.
 */
#include "ws/statistics.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>

/* "Rare runs decide": what the largest absolute difference may be, in medians. Source:
 * docs/output.md. */
#define STATISTICS_DOMINATED_RATIO 5.0

/* The i-th value of a sample that need not lie in memory: values, differences, log ratios. */
typedef double statistics_value(const double *values, const double *baseline, size_t i);

typedef struct {
    statistics_value *value;
    const double *values;
    const double *baseline;
    size_t n;
} statistics_sample;

static double statistics_plain(const double *values, const double *baseline, size_t i)
{
    (void)baseline;
    return values[i];
}

static double statistics_difference(const double *values, const double *baseline, size_t i)
{
    return values[i] - baseline[i];
}

static double statistics_log_ratio(const double *values, const double *baseline, size_t i)
{
    double ratio = values[i] / baseline[i];

    /* One rounding where it can be had: the same factor gives the same number in every pair. */
    return isnormal(ratio) ? log(ratio) : log(values[i]) - log(baseline[i]);
}

static double statistics_at(const statistics_sample *sample, size_t i)
{
    WS_DEBUG_ASSERT(i < sample->n);

    return sample->value(sample->values, sample->baseline, i);
}

static double statistics_mean(const statistics_sample *sample)
{
    WS_ASSERT(sample->n >= 1);

    double first = statistics_at(sample, 0);
    double sum = 0;
    for (size_t i = 1; i < sample->n; i++) {
        sum += statistics_at(sample, i) - first;
    }
    return first + sum / (double)sample->n;
}

static double statistics_sd(const statistics_sample *sample, double mean)
{
    double sum = 0;

    if (sample->n < 2) {
        return 0;
    }
    for (size_t i = 0; i < sample->n; i++) {
        double distance = statistics_at(sample, i) - mean;
        sum += distance * distance;
    }
    return sqrt(sum / (double)(sample->n - 1));
}

/* Half the width of the Student interval of a mean. */
static double statistics_half_width(double sd, size_t n, double confidence)
{
    WS_ASSERT(n >= 2);

    return ws_student_t(n, confidence) * sd / sqrt((double)n);
}

double ws_student_t(size_t n, double confidence)
{
    WS_ASSERT(n >= 2);
    WS_ASSERT(confidence > 0 && confidence < 1);

    return gsl_cdf_tdist_Qinv((1 - confidence) / 2, (double)(n - 1));
}

ws_summary ws_summary_of(const double *values, size_t n, double confidence)
{
    ws_summary summary = {.n = n};
    statistics_sample sample = {.value = statistics_plain, .values = values, .n = n};

    WS_ASSERT(confidence > 0 && confidence < 1);
    if (n == 0) {
        return summary;
    }
    summary.min = values[0];
    summary.max = values[0];
    for (size_t i = 0; i < n; i++) {
        WS_ASSERT(isfinite(values[i]));
        summary.min = fmin(summary.min, values[i]);
        summary.max = fmax(summary.max, values[i]);
    }
    summary.mean = statistics_mean(&sample);
    summary.sd = statistics_sd(&sample, summary.mean);
    summary.low = summary.mean;
    summary.high = summary.mean;
    summary.has_interval = n >= WS_INTERVAL_MIN;
    if (summary.has_interval) {
        double half = statistics_half_width(summary.sd, n, confidence);
        summary.low -= half;
        summary.high += half;
    }
    return summary;
}

/* Pearson's correlation of the pairs. */
static double paired_correlation(const double *values, const double *baseline, size_t n)
{
    statistics_sample left = {.value = statistics_plain, .values = values, .n = n};
    statistics_sample right = {.value = statistics_plain, .values = baseline, .n = n};
    double left_mean = statistics_mean(&left);
    double right_mean = statistics_mean(&right);
    double left_sd = statistics_sd(&left, left_mean);
    double right_sd = statistics_sd(&right, right_mean);
    double sum = 0;

    if (left_sd <= 0 || right_sd <= 0) {
        return 0;
    }
    for (size_t i = 0; i < n; i++) {
        sum += (values[i] - left_mean) / left_sd * ((baseline[i] - right_mean) / right_sd);
    }
    return fmax(-1, fmin(1, sum / (double)(n - 1)));
}

/*
 * The rank-th smallest absolute difference (from 0), without memory for sorting: non-negative
 * doubles are in the order of their bits, so 64 halvings of the range of bits find it exactly.
 */
static double paired_absolute_of_rank(const double *values, const double *baseline, size_t n,
                                      size_t rank)
{
    uint64_t low = 0;
    double infinity = HUGE_VAL;
    uint64_t high = 0;

    WS_ASSERT(rank < n);
    memcpy(&high, &infinity, sizeof high);
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        double bound = 0;
        size_t at_most = 0;
        memcpy(&bound, &middle, sizeof bound);
        for (size_t i = 0; i < n; i++) {
            at_most += fabs(values[i] - baseline[i]) <= bound;
        }
        if (at_most > rank) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    double found = 0;
    memcpy(&found, &low, sizeof found);
    return found;
}

static bool paired_is_dominated(const double *values, const double *baseline, size_t n)
{
    double lower = paired_absolute_of_rank(values, baseline, n, (n - 1) / 2);
    double upper = paired_absolute_of_rank(values, baseline, n, n / 2);
    double largest = paired_absolute_of_rank(values, baseline, n, n - 1);

    return largest > STATISTICS_DOMINATED_RATIO * (lower + upper) / 2;
}

static bool paired_all_positive(const double *values, const double *baseline, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (values[i] <= 0 || baseline[i] <= 0) {
            return false;
        }
    }
    return n > 0;
}

/* Two-sided p-value of a mean of zero. */
static double paired_p(double mean, double sd, size_t n)
{
    WS_ASSERT(n >= 2);

    if (sd <= 0) {
        return mean < 0 || mean > 0 ? 0 : 1;
    }
    double t = fabs(mean) / (sd / sqrt((double)n));
    return fmin(1, 2 * gsl_cdf_tdist_Q(t, (double)(n - 1)));
}

static void paired_fill_difference(ws_paired *paired, const statistics_sample *sample,
                                   double confidence)
{
    double mean = statistics_mean(sample);
    double sd = statistics_sd(sample, mean);
    double half = paired->has_interval ? statistics_half_width(sd, sample->n, confidence) : 0;

    paired->difference = mean;
    paired->difference_low = mean - half;
    paired->difference_high = mean + half;
    paired->p = paired->has_interval ? paired_p(mean, sd, sample->n) : 1;
}

static void paired_fill_ratio(ws_paired *paired, const statistics_sample *sample, double confidence)
{
    double mean = statistics_mean(sample);
    double sd = statistics_sd(sample, mean);
    double half = paired->has_interval ? statistics_half_width(sd, sample->n, confidence) : 0;

    paired->ratio = exp(mean);
    paired->ratio_low = exp(mean - half);
    paired->ratio_high = exp(mean + half);
    paired->p = paired->has_interval ? paired_p(mean, sd, sample->n) : 1;
}

ws_paired ws_paired_of(const double *values, const double *baseline, size_t n, double confidence)
{
    ws_paired paired = {.n = n, .ratio = 1, .ratio_low = 1, .ratio_high = 1, .p = 1};
    statistics_sample sample = {
        .value = statistics_difference, .values = values, .baseline = baseline, .n = n};

    WS_ASSERT(confidence > 0 && confidence < 1);
    if (n == 0) {
        return paired;
    }
    paired.has_interval = n >= WS_INTERVAL_MIN;
    paired.identical = true;
    for (size_t i = 0; i < n; i++) {
        WS_ASSERT(isfinite(values[i]));
        WS_ASSERT(isfinite(baseline[i]));
        paired.identical =
            paired.identical && !(values[i] < baseline[i] || values[i] > baseline[i]);
    }
    paired_fill_difference(&paired, &sample, confidence);
    paired.has_ratio = paired_all_positive(values, baseline, n);
    if (paired.has_ratio) {
        sample.value = statistics_log_ratio;
        paired_fill_ratio(&paired, &sample, confidence);
    }
    paired.correlation = paired_correlation(values, baseline, n);
    paired.dominated = paired_is_dominated(values, baseline, n);
    return paired;
}

void ws_holm(double *p, size_t *order, size_t n)
{
    double largest = 0;

    if (n == 0) {
        return;
    }
    /* How equal p-values are ordered does not matter: they all get the largest of their products.
     */
    gsl_sort_index(order, p, 1, n);
    for (size_t i = 0; i < n; i++) {
        WS_ASSERT(p[order[i]] >= 0 && p[order[i]] <= 1);
        largest = fmax(largest, (double)(n - i) * p[order[i]]);
        p[order[i]] = fmin(1, largest);
    }
}

double ws_quantile_sorted(const double *ascending, size_t n, double p)
{
    WS_ASSERT(n >= 1);
    WS_ASSERT(p >= 0 && p <= 1);

    double position = p * (double)(n - 1);
    size_t below = (size_t)position;
    if (below + 1 >= n) {
        return ascending[n - 1];
    }
    double step = ascending[below + 1] - ascending[below];
    return ascending[below] + (position - (double)below) * step;
}

double ws_quantile(double *values, size_t n, double p)
{
    WS_ASSERT(n >= 1);
    WS_ASSERT(p >= 0 && p <= 1);

    double position = p * (double)(n - 1);
    size_t below = (size_t)position;
    double low = gsl_stats_select(values, 1, n, below);
    if (below + 1 >= n) {
        return low;
    }
    double high = values[below + 1];
    for (size_t i = below + 2; i < n; i++) {
        high = fmin(high, values[i]); /* what is selected has nothing less behind it */
    }
    return low + (position - (double)below) * (high - low);
}

void ws_sort_doubles(double *values, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        WS_DEBUG_ASSERT(!isnan(values[i]));
    }
    if (n > 1) {
        gsl_sort(values, 1, n);
    }
}

void ws_moments_add(ws_moments *moments, double value)
{
    WS_ASSERT(isfinite(value));

    moments->n++;
    double distance = value - moments->mean;
    moments->mean += distance / (double)moments->n;
    moments->sum_of_squares += distance * (value - moments->mean);
}

double ws_moments_sd(const ws_moments *moments)
{
    return moments->n < 2 ? 0 : sqrt(moments->sum_of_squares / (double)(moments->n - 1));
}
