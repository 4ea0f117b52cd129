/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How jobs arrive in a recorded trace, as parameters of a doubly stochastic process. */
#include <math.h>
#include <string.h>

#include <gsl/gsl_errno.h>
#include <gsl/gsl_multimin.h>

#include "synth_fit.h"
#include "ws/statistics.h"
#include "ws/time.h"

#define FIT_GAP_BINS 1024
#define FIT_GAP_BINS_PER_UNIT 40.0 /* of ln */
#define FIT_GAP_LEAST 1e-9
#define FIT_GAP_STEPS 400
#define FIT_GAP_ARRIVALS 8 /* fewest of an hour whose gaps count */
#define FIT_GAP_RATIO 9.21 /* chi-squared, two degrees of freedom, 1 % */
/* Batches have a gap before each of them. A few long gaps among many jobs are something else: hours
 * in whose midst jobs begin or cease to come. */
#define FIT_NEAR_MOST 0.9
#define FIT_PROFILE_LEAST 1e-9
#define FIT_CORRELATION_MAX 0.98

typedef struct {
    const ws_trace *trace;
    ws_synth_arrivals *arrivals;
    ws_arena *arena;    /* of the levels */
    int64_t first_hour; /* of the clock */
    size_t hours;
    double *counts;   /* of each hour */
    double *profiles; /* day x week of each hour */
    double *levels;   /* of each hour: what is left */
    double mean;
    double variance;
} fit_hours;

/* ---- counts ---- */

static int64_t fit_clock_ns(const ws_trace *trace, size_t job)
{
    return trace->origin_ns + trace->jobs[job].arrival_ns;
}

static int64_t fit_hour_of(int64_t at_ns)
{
    return at_ns / WS_NS_PER_H - (at_ns % WS_NS_PER_H < 0 ? 1 : 0);
}

static int64_t fit_modulo(int64_t value, int64_t by)
{
    int64_t rest = value % by;

    return rest < 0 ? rest + by : rest;
}

static bool fit_count_hours(fit_hours *fit, ws_arena *scratch)
{
    const ws_trace *trace = fit->trace;
    int64_t last_hour = fit_hour_of(fit_clock_ns(trace, trace->count - 1));
    double square = 0;

    fit->first_hour = fit_hour_of(fit_clock_ns(trace, 0));
    fit->hours = (size_t)(last_hour - fit->first_hour) + 1;
    fit->counts = ws_arena_alloc(scratch, double, fit->hours);
    fit->profiles = ws_arena_alloc(scratch, double, fit->hours);
    fit->levels = ws_arena_alloc(scratch, double, fit->hours);
    if (fit->counts == NULL || fit->profiles == NULL || fit->levels == NULL) {
        return false;
    }
    for (size_t i = 0; i < trace->count; i++) {
        fit->counts[fit_hour_of(fit_clock_ns(trace, i)) - fit->first_hour] += 1;
    }
    fit->mean = (double)trace->count / (double)fit->hours;
    for (size_t i = 0; i < fit->hours; i++) {
        square += (fit->counts[i] - fit->mean) * (fit->counts[i] - fit->mean);
    }
    fit->variance = square / (double)fit->hours;
    return true;
}

/* ---- profiles ---- */

#define FIT_GROUPS_MAX 24

/* Values of groups, taken in one by one. */
typedef struct {
    ws_moments groups[FIT_GROUPS_MAX];
    size_t count;
} fit_groups;

/*
 * Means of groups over the mean of all, drawn towards 1 by w = 1 - noise/spread: `noise` is the
 * variance that the means of groups have by chance, `spread` the one that they have. All 1 where a
 * group has fewer than two values.
 */
static void fit_shrink(const fit_groups *groups, double *profile)
{
    double noise = 0;
    ws_moments means = {.n = 0};

    for (size_t i = 0; i < groups->count; i++) {
        const ws_moments *group = &groups->groups[i];
        double sd = ws_moments_sd(group);

        profile[i] = 1;
        ws_moments_add(&means, group->mean);
        noise +=
            group->n < 2 ? (double)INFINITY : sd * sd / (double)group->n / (double)groups->count;
    }
    double spread = ws_moments_sd(&means) * ws_moments_sd(&means);
    double weight = spread > 0 ? fmax(1 - noise / spread, 0) : 0;

    for (size_t i = 0; i < groups->count && weight > 0; i++) {
        profile[i] = 1 + weight * (groups->groups[i].mean / means.mean - 1);
    }
}

/* Hours by their place in the day. */
static void fit_day(const fit_hours *fit)
{
    fit_groups groups = {.count = 24};

    for (size_t i = 0; i < fit->hours; i++) {
        int64_t hour = fit_modulo(fit->first_hour + (int64_t)i, 24);
        ws_moments_add(&groups.groups[hour], fit->counts[i]);
    }
    fit_shrink(&groups, fit->arrivals->day);
}

/* Whole days by their weekday: hours of one day are no evidence of their own. */
static void fit_week(const fit_hours *fit)
{
    fit_groups groups = {.count = 7};
    size_t begin = (size_t)fit_modulo(-fit->first_hour, 24);

    for (; begin + 24 <= fit->hours; begin += 24) {
        int64_t day = (fit->first_hour + (int64_t)begin) / 24;
        double sum = 0;

        for (size_t i = 0; i < 24; i++) {
            sum += fit->counts[begin + i];
        }
        ws_moments_add(&groups.groups[fit_modulo(day + 3, 7)], sum); /* 1970 began on a Thursday */
    }
    fit_shrink(&groups, fit->arrivals->week);
}

static void fit_profiles(fit_hours *fit)
{
    fit_day(fit);
    if (fit->trace->clock == WS_TRACE_CLOCK_OWN) {
        for (size_t i = 0; i < 7; i++) {
            fit->arrivals->week[i] = 1;
        }
    } else {
        fit_week(fit);
    }
    for (size_t i = 0; i < fit->hours; i++) {
        int64_t hour = fit->first_hour + (int64_t)i;
        int64_t weekday = fit_modulo((hour - fit_modulo(hour, 24)) / 24 + 3, 7);
        double profile = fit->arrivals->day[fit_modulo(hour, 24)] * fit->arrivals->week[weekday];

        fit->profiles[i] = profile;
        fit->levels[i] = profile > FIT_PROFILE_LEAST ? fit->counts[i] / (fit->mean * profile) : 1;
    }
}

/* ---- levels ---- */

/* The squared coefficient of variation that levels must have. */
static double fit_wanted(const fit_hours *fit)
{
    double over = fit->variance - ws_synth_gap_dispersion(fit->arrivals) * fit->mean;
    double square = 0;

    for (size_t i = 0; i < fit->hours; i++) {
        square += fit->profiles[i] * fit->profiles[i] / (double)fit->hours;
    }
    return (over / (fit->mean * fit->mean) + 1) / square - 1;
}

/* Mean and squared coefficient of variation of what is left of each hour. */
static double fit_variation(const double *levels, size_t count, double *mean)
{
    double sum = 0;
    double square = 0;

    for (size_t i = 0; i < count; i++) {
        sum += levels[i];
    }
    *mean = sum / (double)count;
    for (size_t i = 0; i < count; i++) {
        square += (levels[i] / *mean - 1) * (levels[i] / *mean - 1);
    }
    return square / (double)count;
}

/* How far levels are drawn towards 1: sqrt(wanted/found), at most 1 and so that none is negative.
 */
static double fit_draw(const fit_hours *fit, double *mean)
{
    double found = fit_variation(fit->levels, fit->hours, mean);
    double wanted = fit_wanted(fit);

    return found > 0 && wanted > 0 ? fmin(sqrt(wanted / found), 1) : 0;
}

/* The list of levels: those of all hours, or quantiles of them. */
static bool fit_set_levels(fit_hours *fit, ws_arena *scratch)
{
    double mean = 1;
    double draw = fit_draw(fit, &mean);
    size_t count = draw <= 0                          ? 1
                   : fit->hours > WS_SYNTH_LEVELS_MAX ? WS_SYNTH_LEVELS_MAX
                                                      : fit->hours;
    double *sorted = ws_arena_alloc(scratch, double, fit->hours);
    double *levels = ws_arena_alloc(fit->arena, double, count);
    double sum = 0;

    if (sorted == NULL || levels == NULL) {
        return false;
    }
    memcpy(sorted, fit->levels, fit->hours * sizeof *sorted);
    ws_sort_doubles(sorted, fit->hours);
    for (size_t i = 0; i < count; i++) {
        size_t at = (size_t)(((double)i + 0.5) / (double)count * (double)fit->hours);

        levels[i] = 1 + draw * (sorted[at] / mean - 1);
        sum += levels[i];
    }
    for (size_t i = 0; i < count; i++) {
        levels[i] *= (double)count / sum;
    }
    fit->arrivals->levels = levels;
    fit->arrivals->level_count = count;
    return true;
}

/* Counts are independent given their intensities, so that they covary as those do. */
static void fit_set_correlation(const fit_hours *fit)
{
    double mean = 1;
    double draw = fit_draw(fit, &mean);
    double wanted = draw * draw * fit_variation(fit->levels, fit->hours, &mean);
    double covariance = 0;

    for (size_t i = 1; i < fit->hours; i++) {
        covariance += (fit->levels[i - 1] / mean - 1) * (fit->levels[i] / mean - 1);
    }
    covariance /= (double)fit->hours;
    ws_synth_set_correlation(fit->arrivals,
                             wanted > 0 ? fmin(covariance / wanted, FIT_CORRELATION_MAX) : 0);
}

/* ---- gaps ---- */

/* Gaps, binned by their logarithm. */
typedef struct {
    double counts[FIT_GAP_BINS];
    double sums[FIT_GAP_BINS];
    double total;
} fit_gaps;

static void fit_gap_add(fit_gaps *gaps, double gap)
{
    double bin = (log(fmax(gap, FIT_GAP_LEAST)) - log(FIT_GAP_LEAST)) * FIT_GAP_BINS_PER_UNIT;
    size_t index = bin < FIT_GAP_BINS - 1 ? (size_t)bin : FIT_GAP_BINS - 1;

    gaps->counts[index] += 1;
    gaps->sums[index] += gap;
    gaps->total += 1;
}

/*
 * Gaps of hours with enough arrivals, in units of the hour's mean spacing. Across hours the
 * intensity changes at an unknown moment, which would be taken for a long gap.
 */
static void fit_gather_gaps(const fit_hours *fit, fit_gaps *gaps)
{
    for (size_t i = 1; i < fit->trace->count; i++) {
        int64_t from_ns = fit_clock_ns(fit->trace, i - 1);
        int64_t to_ns = fit_clock_ns(fit->trace, i);
        int64_t hour = fit_hour_of(to_ns);
        double count = fit->counts[hour - fit->first_hour];

        if (hour == fit_hour_of(from_ns) && count >= FIT_GAP_ARRIVALS) {
            fit_gap_add(gaps, (double)(to_ns - from_ns) / (double)WS_NS_PER_H * (count + 1));
        }
    }
}

/* From numbers without bounds to a share and a mean of the nearer gaps, both in (0, 1). */
static double fit_logistic(double x)
{
    return 1 / (1 + exp(-x));
}

/* -ln L of two exponentials of mean 1 together. */
static double fit_gap_loss(const gsl_vector *at, void *context)
{
    const fit_gaps *gaps = context;
    double near = fit_logistic(gsl_vector_get(at, 0));
    double near_mean = fit_logistic(gsl_vector_get(at, 1));
    double far_mean = (1 - near * near_mean) / (1 - near);
    double loss = 0;

    for (size_t i = 0; i < FIT_GAP_BINS; i++) {
        if (gaps->counts[i] > 0) {
            double gap = gaps->sums[i] / gaps->counts[i];
            double density = near / near_mean * exp(-gap / near_mean) +
                             (1 - near) / far_mean * exp(-gap / far_mean);

            loss -= gaps->counts[i] * log(fmax(density, 1e-300));
        }
    }
    return loss;
}

static bool fit_minimise(gsl_multimin_fminimizer *minimizer, fit_gaps *gaps, gsl_vector *at,
                         gsl_vector *step)
{
    gsl_multimin_function function = {.f = fit_gap_loss, .n = 2, .params = gaps};

    gsl_vector_set(at, 0, 0);
    gsl_vector_set(at, 1, -1);
    gsl_vector_set_all(step, 1);
    if (gsl_multimin_fminimizer_set(minimizer, &function, at, step) != GSL_SUCCESS) {
        return false;
    }
    for (int i = 0; i < FIT_GAP_STEPS; i++) {
        if (gsl_multimin_fminimizer_iterate(minimizer) != GSL_SUCCESS ||
            gsl_multimin_test_size(gsl_multimin_fminimizer_size(minimizer), 1e-6) == GSL_SUCCESS) {
            break;
        }
    }
    return true;
}

/* Takes two exponentials where they explain the gaps clearly better than one. */
static void fit_choose_gaps(ws_synth_arrivals *arrivals, const fit_gaps *gaps,
                            const gsl_multimin_fminimizer *minimizer)
{
    const gsl_vector *found = gsl_multimin_fminimizer_x(minimizer);
    double near = fit_logistic(gsl_vector_get(found, 0));
    double one = 0; /* -ln L of one exponential of mean 1: the sum of the gaps */

    for (size_t i = 0; i < FIT_GAP_BINS; i++) {
        one += gaps->sums[i];
    }
    if (near <= FIT_NEAR_MOST &&
        2 * (one - gsl_multimin_fminimizer_minimum(minimizer)) > FIT_GAP_RATIO) {
        arrivals->near_fraction = near;
        arrivals->near_mean = fit_logistic(gsl_vector_get(found, 1));
    }
}

static bool fit_set_gaps(const fit_hours *fit, ws_arena *scratch)
{
    fit_gaps *gaps = ws_arena_alloc(scratch, fit_gaps, 1);
    gsl_multimin_fminimizer *minimizer =
        gsl_multimin_fminimizer_alloc(gsl_multimin_fminimizer_nmsimplex2, 2);
    gsl_vector *at = gsl_vector_alloc(2);
    gsl_vector *step = gsl_vector_alloc(2);
    bool sound = gaps != NULL && minimizer != NULL && at != NULL && step != NULL;

    if (sound) {
        fit_gather_gaps(fit, gaps);
        if (fit_minimise(minimizer, gaps, at, step)) {
            fit_choose_gaps(fit->arrivals, gaps, minimizer);
        }
    }
    gsl_vector_free(step);
    gsl_vector_free(at);
    gsl_multimin_fminimizer_free(minimizer);
    return sound;
}

/* ---- all of it ---- */

/* Gaps first, since what they add to the variance of counts is not the levels'. */
static bool fit_all(fit_hours *fit, ws_arena *scratch)
{
    if (!fit_count_hours(fit, scratch)) {
        return false;
    }
    fit->arrivals->rate_per_h = fit->mean;
    fit->arrivals->near_mean = 1;
    fit_profiles(fit);
    if (!fit_set_gaps(fit, scratch) || !fit_set_levels(fit, scratch)) {
        return false;
    }
    fit_set_correlation(fit);
    return true;
}

bool ws_synth_fit_arrivals(ws_synth_arrivals *arrivals, const ws_trace *trace, ws_arena *arena)
{
    ws_arena scratch;
    ws_synth_arrivals made = {.near_mean = 1};
    fit_hours fit = {.trace = trace, .arrivals = &made, .arena = arena};

    WS_ASSERT(trace->count >= 2);
    ws_arena_init(&scratch, &arena->allocator, arena->bound_bytes);
    bool sound = fit_all(&fit, &scratch);
    ws_arena_reset(&scratch);
    if (sound) {
        *arrivals = made;
    }
    return sound;
}
