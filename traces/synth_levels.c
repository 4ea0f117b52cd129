/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How bursty arrivals are: from levels to the dispersion of hourly counts and to their correlation
 * from hour to hour, and back.
 */
#include <math.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_roots.h>

#include "ws/trace_synth.h"

#define LEVELS_WEEK_H 168
#define LEVELS_SIGMA_MAX 50.0
#define LEVELS_ROOT_STEPS 100
#define LEVELS_HERMITE 100 /* terms of the expansion */
#define LEVELS_PERSISTENCE_MAX 0.999

double ws_synth_profile_square(const ws_synth_arrivals *arrivals)
{
    double sum = 0;

    for (size_t i = 0; i < LEVELS_WEEK_H; i++) {
        double profile = arrivals->week[i / 24] * arrivals->day[i % 24];

        sum += profile * profile;
    }
    return sum / LEVELS_WEEK_H;
}

double ws_synth_gap_dispersion(const ws_synth_arrivals *arrivals)
{
    double near = arrivals->near_fraction;
    double near_mean = arrivals->near_mean;
    double far_mean = (1 - near * near_mean) / (1 - near);

    if (near <= 0) {
        return 1;
    }
    return 2 * (near * near_mean * near_mean + (1 - near) * far_mean * far_mean) - 1;
}

/* Squared coefficient of variation of values of mean 1. */
static double levels_variation(const double *levels, size_t count)
{
    double sum = 0;

    for (size_t i = 0; i < count; i++) {
        sum += (levels[i] - 1) * (levels[i] - 1);
    }
    return sum / (double)count;
}

double ws_synth_dispersion(const ws_synth_arrivals *arrivals)
{
    double variation = levels_variation(arrivals->levels, arrivals->level_count);

    return ws_synth_gap_dispersion(arrivals) +
           arrivals->rate_per_h * (ws_synth_profile_square(arrivals) * (1 + variation) - 1);
}

/* Finds where a rising function passes 0. */
static double levels_root(double (*f)(double, void *), void *context, double low, double high)
{
    gsl_function function = {.function = f, .params = context};
    gsl_root_fsolver *solver = gsl_root_fsolver_alloc(gsl_root_fsolver_brent);
    double root = low;

    if (solver == NULL || gsl_root_fsolver_set(solver, &function, low, high) != GSL_SUCCESS) {
        gsl_root_fsolver_free(solver);
        return f(low, context) >= 0 ? low : high;
    }
    for (int i = 0; i < LEVELS_ROOT_STEPS; i++) {
        (void)gsl_root_fsolver_iterate(solver);
        root = gsl_root_fsolver_root(solver);
        if (gsl_root_test_interval(gsl_root_fsolver_x_lower(solver),
                                   gsl_root_fsolver_x_upper(solver), 0, 1e-12) == GSL_SUCCESS) {
            break;
        }
    }
    gsl_root_fsolver_free(solver);
    return root;
}

/* ---- dispersion ---- */

typedef struct {
    double *levels;
    size_t count;
    double wanted;
} levels_search;

/* Log-normal levels at the middles of equal cells, scaled to mean 1. */
static void levels_fill(double *levels, size_t count, double sigma)
{
    double sum = 0;

    for (size_t i = 0; i < count; i++) {
        levels[i] = exp(sigma * gsl_cdf_ugaussian_Pinv(((double)i + 0.5) / (double)count));
        sum += levels[i];
    }
    for (size_t i = 0; i < count; i++) {
        levels[i] *= (double)count / sum;
    }
}

static double levels_excess(double sigma, void *context)
{
    const levels_search *search = context;

    levels_fill(search->levels, search->count, sigma);
    return levels_variation(search->levels, search->count) - search->wanted;
}

bool ws_synth_set_dispersion(ws_synth_arrivals *arrivals, double dispersion, size_t count,
                             ws_arena *arena)
{
    double over = (dispersion - ws_synth_gap_dispersion(arrivals)) / arrivals->rate_per_h;
    double wanted = (over + 1) / ws_synth_profile_square(arrivals) - 1;
    levels_search search = {.count = wanted > 0 ? count : 1, .wanted = wanted};

    WS_ASSERT(count >= 1);
    WS_ASSERT(count <= WS_SYNTH_LEVELS_MAX);
    search.levels = ws_arena_alloc(arena, double, search.count);
    if (search.levels == NULL || (wanted > 0 && levels_excess(LEVELS_SIGMA_MAX, &search) <= 0)) {
        return false;
    }
    levels_fill(search.levels, search.count,
                wanted > 0 ? levels_root(levels_excess, &search, 0, LEVELS_SIGMA_MAX) : 0);
    arrivals->levels = search.levels;
    arrivals->level_count = search.count;
    return true;
}

/* ---- correlation ---- */

/*
 * Levels as a function of a normal variable are a step function Q. With Q = sum of c_k h_k over
 * the normalised Hermite polynomials, two such variables of correlation r have Cov = sum over k >=
 * 1 of c_k^2 r^k (Mehler). For a step function the coefficients are closed: the integral of h_k phi
 * over [a, b] is (h_{k-1}(a) phi(a) - h_{k-1}(b) phi(b)) / sqrt(k).
 */
typedef struct {
    double parts[LEVELS_HERMITE]; /* c_k^2 over the variance, k = 1, 2, ... */
    double wanted;
} levels_expansion;

/* Adds what the step at `z` from one level to the next does to each coefficient. */
static void levels_add_step(double z, double rise, double *coefficients)
{
    double density = gsl_ran_ugaussian_pdf(z);
    double before = 0;
    double now = 1; /* h_0 */

    for (int k = 1; k <= LEVELS_HERMITE; k++) {
        double next = (z * now - sqrt(k - 1) * before) / sqrt(k);

        coefficients[k - 1] += rise * now * density / sqrt(k);
        before = now;
        now = next;
    }
}

static void levels_expand(levels_expansion *expansion, const ws_synth_arrivals *arrivals)
{
    double coefficients[LEVELS_HERMITE] = {0};
    double variance = levels_variation(arrivals->levels, arrivals->level_count);
    size_t count = arrivals->level_count;

    for (size_t i = 1; i < count; i++) {
        double rise = arrivals->levels[i] - arrivals->levels[i - 1];

        if (rise > 0) {
            levels_add_step(gsl_cdf_ugaussian_Pinv((double)i / (double)count), rise, coefficients);
        }
    }
    for (int k = 0; k < LEVELS_HERMITE; k++) {
        expansion->parts[k] = coefficients[k] * coefficients[k] / variance;
    }
}

static double levels_correlation_excess(double persistence, void *context)
{
    const levels_expansion *expansion = context;
    double power = 1;
    double sum = 0;

    for (int k = 0; k < LEVELS_HERMITE; k++) {
        power *= persistence;
        sum += expansion->parts[k] * power;
    }
    return sum - expansion->wanted;
}

void ws_synth_set_correlation(ws_synth_arrivals *arrivals, double correlation)
{
    levels_expansion expansion = {.wanted = correlation};

    arrivals->persistence = 0;
    if (arrivals->level_count < 2 || !(correlation > 0) ||
        levels_variation(arrivals->levels, arrivals->level_count) <= 0) {
        return;
    }
    levels_expand(&expansion, arrivals);
    arrivals->persistence =
        levels_root(levels_correlation_excess, &expansion, 0, LEVELS_PERSISTENCE_MAX);
}
