/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Drawing is inverting: one uniform number in, its quantile out. A rejection method would be faster
 * for some families, but takes a varying count of numbers, so that a longer job would shift every
 * later draw of its stream.
 */
#include "ws/distribution.h"

#include <math.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sf_gamma.h>

#include "ws/assert.h"
#include "ws/statistics.h"

/* Shapes between which gsl_cdf_gamma_Pinv converges for every p; outside it gives up or diverges
 * (GSL 2.7.1). */
#define DISTRIBUTION_GAMMA_SHAPE_MIN 0.3
#define DISTRIBUTION_GAMMA_SHAPE_MAX 1e4

ws_distribution ws_distribution_constant(double value)
{
    WS_ASSERT(isfinite(value));
    WS_ASSERT(value >= 0);

    return (ws_distribution){.family = WS_DISTRIBUTION_CONSTANT, .a = value};
}

static bool gamma_is_below(double log_x, double shape, double p)
{
    double x = exp(log_x);

    /* The tail that is the smaller number, so that it keeps its digits. */
    return p < 0.5 ? gsl_cdf_gamma_P(x, shape, 1) < p : gsl_cdf_gamma_Q(x, shape, 1) > 1 - p;
}

/* Quantile of a gamma with scale 1 by halving the logarithm: small shapes reach down to the
 * smallest doubles. */
static double gamma_quantile_by_halving(double shape, double p)
{
    double low = -745; /* exp(-745) is the smallest double */
    double high = log(fmax(1, shape));

    while (high < 709 && gamma_is_below(high, shape, p)) {
        high += 1;
    }
    for (;;) {
        double middle = low + (high - low) / 2;
        if (middle <= low || middle >= high) {
            return exp(high);
        }
        if (gamma_is_below(middle, shape, p)) {
            low = middle;
        } else {
            high = middle;
        }
    }
}

static double gamma_quantile(double shape, double scale, double p)
{
    WS_ASSERT(shape > 0);
    WS_ASSERT(scale > 0);

    if (p <= 0) {
        return 0;
    }
    if (p >= 1) {
        return HUGE_VAL;
    }
    if (shape >= DISTRIBUTION_GAMMA_SHAPE_MIN && shape <= DISTRIBUTION_GAMMA_SHAPE_MAX) {
        double x = gsl_cdf_gamma_Pinv(p, shape, scale);
        if (isfinite(x)) {
            return x;
        }
    }
    return scale * gamma_quantile_by_halving(shape, p);
}

double ws_distribution_quantile(const ws_distribution *distribution, double p)
{
    double a = distribution->a;
    double b = distribution->b;

    WS_ASSERT(p >= 0 && p <= 1);
    WS_ASSERT(distribution->family <= WS_DISTRIBUTION_EMPIRICAL);
    switch (distribution->family) {
    case WS_DISTRIBUTION_CONSTANT:
        return a;
    case WS_DISTRIBUTION_UNIFORM:
        return a + p * (b - a);
    case WS_DISTRIBUTION_EXPONENTIAL:
        return gsl_cdf_exponential_Pinv(p, a);
    case WS_DISTRIBUTION_LOGNORMAL:
        return gsl_cdf_lognormal_Pinv(p, a, b);
    case WS_DISTRIBUTION_WEIBULL:
        return gsl_cdf_weibull_Pinv(p, a, b);
    case WS_DISTRIBUTION_GAMMA:
        return gamma_quantile(a, b, p);
    case WS_DISTRIBUTION_EMPIRICAL:
        return ws_quantile_sorted(distribution->samples, distribution->sample_count, p);
    }
    return 0; /* no family is left */
}

double ws_distribution_draw(const ws_distribution *distribution, gsl_rng *rng)
{
    double uniform = gsl_rng_uniform(rng);

    /* GSL's uniform may be 0. Drawing again would take a second number. */
    double value = ws_distribution_quantile(distribution, uniform > 0 ? uniform : 0x1p-54);
    WS_ASSERT(value >= 0);
    return value;
}

ws_duration ws_distribution_draw_duration(const ws_distribution *distribution, gsl_rng *rng)
{
    return ws_duration_of_s(ws_distribution_draw(distribution, rng));
}

/* Between two neighbouring samples the draws are uniform, and each gap is equally likely. */
static double empirical_mean(const double *samples, size_t count)
{
    double sum = 0;

    WS_ASSERT(count >= 1);
    if (count == 1) {
        return samples[0];
    }
    for (size_t i = 0; i + 1 < count; i++) {
        sum += (samples[i] + samples[i + 1]) / 2;
    }
    return sum / (double)(count - 1);
}

static double empirical_sd(const double *samples, size_t count)
{
    double mean = empirical_mean(samples, count);
    double sum = 0;

    if (count == 1) {
        return 0;
    }
    for (size_t i = 0; i + 1 < count; i++) {
        double a = samples[i] - mean;
        double b = samples[i + 1] - mean;
        sum += (a * a + a * b + b * b) / 3;
    }
    return sqrt(sum / (double)(count - 1));
}

double ws_distribution_mean(const ws_distribution *distribution)
{
    double a = distribution->a;
    double b = distribution->b;

    WS_ASSERT(distribution->family <= WS_DISTRIBUTION_EMPIRICAL);
    switch (distribution->family) {
    case WS_DISTRIBUTION_CONSTANT:
    case WS_DISTRIBUTION_EXPONENTIAL:
        return a;
    case WS_DISTRIBUTION_UNIFORM:
        return a + (b - a) / 2;
    case WS_DISTRIBUTION_LOGNORMAL:
        return exp(a + b * b / 2);
    case WS_DISTRIBUTION_WEIBULL:
        return a * exp(gsl_sf_lngamma(1 + 1 / b));
    case WS_DISTRIBUTION_GAMMA:
        return a * b;
    case WS_DISTRIBUTION_EMPIRICAL:
        return empirical_mean(distribution->samples, distribution->sample_count);
    }
    return 0; /* no family is left */
}

double ws_distribution_sd(const ws_distribution *distribution)
{
    double a = distribution->a;
    double b = distribution->b;

    WS_ASSERT(distribution->family <= WS_DISTRIBUTION_EMPIRICAL);
    switch (distribution->family) {
    case WS_DISTRIBUTION_CONSTANT:
        return 0;
    case WS_DISTRIBUTION_EXPONENTIAL:
        return a;
    case WS_DISTRIBUTION_UNIFORM:
        return (b - a) / sqrt(12);
    case WS_DISTRIBUTION_LOGNORMAL:
        return exp(a + b * b / 2) * sqrt(expm1(b * b));
    case WS_DISTRIBUTION_WEIBULL: {
        /* Gamma(1 + 2/b) - Gamma(1 + 1/b)^2, without the cancellation that large shapes bring. */
        double log_mean = gsl_sf_lngamma(1 + 1 / b);
        double excess = fmax(0, expm1(gsl_sf_lngamma(1 + 2 / b) - 2 * log_mean));
        return a * exp(log_mean) * sqrt(excess);
    }
    case WS_DISTRIBUTION_GAMMA:
        return sqrt(a) * b;
    case WS_DISTRIBUTION_EMPIRICAL:
        return empirical_sd(distribution->samples, distribution->sample_count);
    }
    return 0; /* no family is left */
}
