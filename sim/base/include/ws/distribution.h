/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Distributions, stated by what people read off a dashboard: median and p95, mean and sd, or a
 * plain value.
 *
 * Every draw takes exactly one uniform number and inverts the distribution function (GSL's
 * gsl_cdf_*_Pinv), so that draws are monotone in the uniform and streams stay in step whatever the
 * family. Values are in the unit of the key (mostly seconds) and never negative.
 */
#ifndef WS_DISTRIBUTION_H
#define WS_DISTRIBUTION_H

#include <stdbool.h>
#include <stddef.h>

#include <gsl/gsl_rng.h>

#include "ws/arena.h"
#include "ws/diag.h"
#include "ws/document.h"
#include "ws/time.h"

typedef enum {
    WS_DISTRIBUTION_CONSTANT,    /* a: the value */
    WS_DISTRIBUTION_UNIFORM,     /* a: low, b: high */
    WS_DISTRIBUTION_EXPONENTIAL, /* a: mean */
    WS_DISTRIBUTION_LOGNORMAL,   /* a: mu, b: sigma of the logarithm */
    WS_DISTRIBUTION_WEIBULL,     /* a: scale, b: shape */
    WS_DISTRIBUTION_GAMMA,       /* a: shape, b: scale */
    WS_DISTRIBUTION_EMPIRICAL    /* samples, ascending; quantiles by linear interpolation */
} ws_distribution_family;

typedef struct {
    ws_distribution_family family;
    double a;
    double b;
    const double *samples; /* of EMPIRICAL; ends with the arena it was read into */
    size_t sample_count;
} ws_distribution;

/** The value that is always drawn; finite, not negative. */
ws_distribution ws_distribution_constant(double value);

/** One draw, not negative; consumes one uniform number (a constant consumes one as well). */
double ws_distribution_draw(const ws_distribution *distribution, gsl_rng *rng);

/** One draw of a distribution in seconds, to the nearest nanosecond; the longest duration where
 * that does not fit. */
ws_duration ws_distribution_draw_duration(const ws_distribution *distribution, gsl_rng *rng);

/** Mean and standard deviation of what is drawn, in the unit of the values; infinite where a double
 * does not hold it. */
double ws_distribution_mean(const ws_distribution *distribution);
double ws_distribution_sd(const ws_distribution *distribution);

/** The value that a share `p` of the draws stays below. @param p 0..1; an unbounded family gives
 * infinity at 1 */
double ws_distribution_quantile(const ws_distribution *distribution, double p);

/** What may be known of a distribution, in the unit of its values. */
typedef enum {
    WS_STATISTIC_MEDIAN,
    WS_STATISTIC_MEAN,
    WS_STATISTIC_SD,
    WS_STATISTIC_P90,
    WS_STATISTIC_P95,
    WS_STATISTIC_P99,
    WS_STATISTIC_SCALE /* of a Weibull: its 63.2 % quantile */
} ws_statistic_kind;

typedef struct {
    ws_statistic_kind kind;
    double value; /* finite, > 0 */
} ws_statistic;

/**
 * The lognormal with two known statistics of different kinds, scale excluded. Where a mean and a
 * quantile leave two, it is the less skewed one. False, and `*distribution` untouched, when there
 * is none: quantiles that cross, a mean at or below the median or at or above the quantile, a
 * quantile beyond exp(z^2/2) means.
 *
 * Source: with L = ln of the statistic, median L = mu, mean L = mu + sigma^2/2, quantile L = mu + z
 * sigma, sd L = mu + sigma^2/2 + ln(exp(sigma^2) - 1)/2 (Johnson, Kotz and Balakrishnan, Continuous
 * Univariate Distributions 1, ch. 14).
 */
WS_NODISCARD bool ws_distribution_fit_lognormal(ws_distribution *distribution, ws_statistic first,
                                                ws_statistic second);

/**
 * The Weibull of a shape (> 0) and its mean, median or scale: mean = scale Gamma(1 + 1/shape),
 * median = scale ln(2)^(1/shape). False when its standard deviation is beyond a double (a shape
 * below about 0.012).
 */
WS_NODISCARD bool ws_distribution_fit_weibull(ws_distribution *distribution, double shape,
                                              ws_statistic known);

/** The gamma of a mean and a standard deviation, both finite and > 0: shape = (mean/sd)^2, scale =
 * sd^2/mean. */
ws_distribution ws_distribution_gamma_of(double mean, double sd);

/**
 * Reads a distribution of seconds: a plain duration, or a map with `dist` and what the family
 * takes: constant {value}, uniform {min, max}, exponential {mean | median}, lognormal {two of
 * median, mean, sd, p90, p95, p99}, weibull {shape and one of mean, median, scale}, gamma {mean, sd
 * | shape, mean}, empirical {values: [..]}.
 *
 * Errors WS3201 (quantiles crossed), WS3202 (overspecified), WS3203 (underspecified), WS3204 (out
 * of range), WS2203 (no such family), WS2101 (unknown key), and those of durations.
 *
 * @param name   the key's name, for messages
 */
WS_NODISCARD bool ws_distribution_read(const ws_document *document, ws_text name,
                                       ws_distribution *distribution, ws_arena *arena,
                                       ws_diag *diag);

#endif
