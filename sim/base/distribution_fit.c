/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From what people know to a family's parameters. All pairs of a lognormal have a closed form but
 * the standard deviation with a quantile, whose equation falls in sigma throughout, so that halving
 * an interval finds its only root.
 */
#include <float.h>
#include <math.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sf_gamma.h>

#include "ws/assert.h"
#include "ws/distribution.h"

static bool statistic_is_quantile(ws_statistic_kind kind)
{
    return kind == WS_STATISTIC_MEDIAN || kind == WS_STATISTIC_P90 || kind == WS_STATISTIC_P95 ||
           kind == WS_STATISTIC_P99;
}

/* The standard normal quantile of a statistic that is a quantile. */
static double statistic_z(ws_statistic_kind kind)
{
    WS_ASSERT(statistic_is_quantile(kind));

    switch (kind) {
    case WS_STATISTIC_P90:
        return gsl_cdf_ugaussian_Pinv(0.90);
    case WS_STATISTIC_P95:
        return gsl_cdf_ugaussian_Pinv(0.95);
    case WS_STATISTIC_P99:
        return gsl_cdf_ugaussian_Pinv(0.99);
    case WS_STATISTIC_MEDIAN:
    case WS_STATISTIC_MEAN:
    case WS_STATISTIC_SD:
    case WS_STATISTIC_SCALE:
        break;
    }
    return 0; /* the median */
}

/* ln(statistic) - mu of a lognormal. */
static double lognormal_log_offset(ws_statistic_kind kind, double sigma)
{
    double square = sigma * sigma;

    if (statistic_is_quantile(kind)) {
        return statistic_z(kind) * sigma;
    }
    if (kind == WS_STATISTIC_MEAN) {
        return square / 2;
    }
    WS_ASSERT(kind == WS_STATISTIC_SD);
    /* ln(expm1(x)) = x + ln(1 - exp(-x)), which does not overflow. */
    return square + log(-expm1(-square)) / 2;
}

/* Sigma of mean and quantile, ratio = quantile / mean: sigma^2/2 - z sigma + ln(ratio) = 0, the
 * smaller root; NaN or negative if none. */
static double lognormal_sigma_of_mean(double z, double ratio)
{
    double root = sqrt(z * z - 2 * log(ratio));

    return 2 * log(ratio) / (z + root);
}

/* Sigma of sd and quantile, ratio = quantile / sd; negative beyond what doubles tell apart. */
static double lognormal_sigma_of_sd(ws_statistic_kind quantile, double ratio)
{
    double low = 1e-12;
    double high = 64;
    double target = log(ratio);

    if (target > lognormal_log_offset(quantile, low) - lognormal_log_offset(WS_STATISTIC_SD, low) ||
        target <
            lognormal_log_offset(quantile, high) - lognormal_log_offset(WS_STATISTIC_SD, high)) {
        return -1; /* no sigma */
    }
    for (;;) {
        double middle = low + (high - low) / 2;
        if (middle <= low || middle >= high) {
            return middle;
        }
        double offset =
            lognormal_log_offset(quantile, middle) - lognormal_log_offset(WS_STATISTIC_SD, middle);
        if (offset > target) {
            low = middle;
        } else {
            high = middle;
        }
    }
}

/* Sigma of two statistics in the order of their enumeration; not a positive number when there is
 * none. */
static double lognormal_sigma(ws_statistic first, ws_statistic second)
{
    double ratio = second.value / first.value;

    if (statistic_is_quantile(first.kind) && statistic_is_quantile(second.kind)) {
        return log(ratio) / (statistic_z(second.kind) - statistic_z(first.kind));
    }
    if (first.kind == WS_STATISTIC_MEDIAN && second.kind == WS_STATISTIC_MEAN) {
        return sqrt(2 * log(ratio));
    }
    if (first.kind == WS_STATISTIC_MEDIAN) {
        /* v = exp(sigma^2) solves v (v - 1) = ratio^2; this is ln of its positive root, exact for
         * small ratios too. */
        return sqrt(log1p(2 * ratio * ratio / (1 + hypot(1, 2 * ratio))));
    }
    if (first.kind == WS_STATISTIC_MEAN && second.kind == WS_STATISTIC_SD) {
        return sqrt(log1p(ratio * ratio));
    }
    if (first.kind == WS_STATISTIC_MEAN) {
        return lognormal_sigma_of_mean(statistic_z(second.kind), ratio);
    }
    return lognormal_sigma_of_sd(second.kind, ratio);
}

bool ws_distribution_fit_lognormal(ws_distribution *distribution, ws_statistic first,
                                   ws_statistic second)
{
    WS_ASSERT(first.kind != second.kind);
    WS_ASSERT(first.kind != WS_STATISTIC_SCALE && second.kind != WS_STATISTIC_SCALE);
    WS_ASSERT(first.value > 0 && first.value <= DBL_MAX);
    WS_ASSERT(second.value > 0 && second.value <= DBL_MAX);

    double sigma =
        first.kind < second.kind ? lognormal_sigma(first, second) : lognormal_sigma(second, first);
    if (!isfinite(sigma) || sigma <= 0) {
        return false;
    }
    *distribution = (ws_distribution){
        .family = WS_DISTRIBUTION_LOGNORMAL,
        .a = log(first.value) - lognormal_log_offset(first.kind, sigma),
        .b = sigma,
    };
    return true;
}

bool ws_distribution_fit_weibull(ws_distribution *distribution, double shape, ws_statistic known)
{
    WS_ASSERT(shape > 0 && shape <= DBL_MAX);
    WS_ASSERT(known.value > 0 && known.value <= DBL_MAX);

    double log_ratio = 0; /* of the known statistic over the scale */
    if (known.kind == WS_STATISTIC_MEAN) {
        log_ratio = gsl_sf_lngamma(1 + 1 / shape);
    } else if (known.kind == WS_STATISTIC_MEDIAN) {
        log_ratio = log(log(2)) / shape;
    } else {
        WS_ASSERT(known.kind == WS_STATISTIC_SCALE);
    }
    ws_distribution fitted = {
        .family = WS_DISTRIBUTION_WEIBULL, .a = known.value * exp(-log_ratio), .b = shape};
    if (!(fitted.a > 0) || !isfinite(fitted.a) || !isfinite(ws_distribution_sd(&fitted))) {
        return false;
    }
    *distribution = fitted;
    return true;
}

ws_distribution ws_distribution_gamma_of(double mean, double sd)
{
    WS_ASSERT(mean > 0 && mean <= DBL_MAX);
    WS_ASSERT(sd > 0 && sd <= DBL_MAX);

    return (ws_distribution){
        .family = WS_DISTRIBUTION_GAMMA, .a = mean / sd * (mean / sd), .b = sd * (sd / mean)};
}
