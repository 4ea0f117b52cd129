/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The search moves a point of up to seven coordinates: logarithms of the times that are free, and
 * gamma itself. */
#include "ws/fit_pollux.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_multimin.h>
#include <math.h>

#define FIT_PARAMETERS 7
#define FIT_GAMMA 6 /* its index */
#define FIT_ITERATIONS 4000
#define FIT_ROUNDS 40
#define FIT_SIMPLEX 0.5   /* first edge: a factor of 1.6, or half a gamma */
#define FIT_SIZE_END 1e-6 /* mean distance of the corners when a round ends */
#define FIT_GAIN 1e-8     /* a round that gains less is the last */

enum { ALPHA_C, BETA_C, ALPHA_N, BETA_N, ALPHA_R, BETA_R };

typedef struct {
    const ws_pollux_sample *samples;
    size_t count;
    double value[FIT_PARAMETERS]; /* of those that are not free */
    bool is_free[FIT_PARAMETERS];
    size_t free_count;
    size_t evaluations;
} fit_problem;

/* ---- what is minimised ---- */

static ws_pollux_theta fit_theta(const double value[FIT_PARAMETERS])
{
    return (ws_pollux_theta){.alpha_c = value[ALPHA_C],
                             .beta_c = value[BETA_C],
                             .alpha_n = value[ALPHA_N],
                             .beta_n = value[BETA_N],
                             .alpha_r = value[ALPHA_R],
                             .beta_r = value[BETA_R],
                             .gamma = value[FIT_GAMMA]};
}

ws_pollux_error ws_pollux_error_on(const ws_pollux_theta *theta, const ws_pollux_sample *samples,
                                   size_t count)
{
    double grad = 0;
    double step = 0;

    WS_ASSERT(count >= 1);
    for (size_t i = 0; i < count; i++) {
        const ws_pollux_sample *sample = &samples[i];
        double grad_s = ws_pollux_grad_s(theta, sample->local_batch);
        double sync_s = ws_pollux_sync_s(theta, sample->nodes, sample->replicas);
        double grad_off = log(grad_s / sample->grad_s);
        double step_off = log(ws_pollux_overlap_s(grad_s, sync_s, theta->gamma) / sample->step_s);

        grad += grad_off * grad_off;
        step += step_off * step_off;
    }
    return (ws_pollux_error){.grad = sqrt(grad / (double)count),
                             .step = sqrt(step / (double)count)};
}

static double fit_objective(const fit_problem *problem, const ws_pollux_theta *theta)
{
    ws_pollux_error error = ws_pollux_error_on(theta, problem->samples, problem->count);
    double beta_n = theta->beta_n / theta->alpha_n;
    double beta_r = theta->beta_r / theta->alpha_r;

    return error.grad + error.step + 1e-3 * (theta->gamma - 1) * (theta->gamma - 1) +
           1e-2 * (beta_n * beta_n + beta_r * beta_r);
}

/** The parameters at a point, and by how much the point is outside of their bounds. */
static double fit_unpack(const fit_problem *problem, const gsl_vector *point,
                         double value[FIT_PARAMETERS])
{
    static const double floor_log = -18.420680743952367; /* ln 1e-8 */
    double outside = 0;
    size_t next = 0;

    for (size_t i = 0; i < FIT_PARAMETERS; i++) {
        value[i] = problem->value[i];
        if (!problem->is_free[i]) {
            continue;
        }
        double at = gsl_vector_get(point, next++);
        double least = i == FIT_GAMMA ? 1 : floor_log;
        double most = i == FIT_GAMMA ? WS_POLLUX_GAMMA_MAX : 100;
        double inside = fmin(fmax(at, least), most);
        outside += fabs(at - inside);
        value[i] = i == FIT_GAMMA ? inside : exp(inside);
    }
    return outside;
}

/** The objective, and a slope back to what is allowed. */
static double fit_function(const gsl_vector *point, void *context)
{
    fit_problem *problem = context;
    double value[FIT_PARAMETERS];
    double outside = fit_unpack(problem, point, value);
    ws_pollux_theta theta = fit_theta(value);

    problem->evaluations++;
    return fit_objective(problem, &theta) + outside;
}

/* ---- what the samples can say ---- */

typedef struct {
    bool many_batches;
    bool many_nodes; /* a world of several replicas on several nodes */
    bool one_node;   /* a world of several replicas on one */
    bool above_two;  /* a world of more than two replicas */
    double mean_grad_s;
} fit_seen;

static fit_seen fit_look(const ws_pollux_sample *samples, size_t count)
{
    fit_seen seen = {.many_batches = false};

    for (size_t i = 0; i < count; i++) {
        const ws_pollux_sample *sample = &samples[i];
        double other = sample->local_batch - samples[0].local_batch;

        seen.many_batches = seen.many_batches || other < 0 || other > 0;
        seen.many_nodes = seen.many_nodes || (sample->nodes > 1 && sample->replicas > 1);
        seen.one_node = seen.one_node || (sample->nodes == 1 && sample->replicas > 1);
        seen.above_two = seen.above_two || sample->replicas > 2;
        seen.mean_grad_s += sample->grad_s / (double)count;
    }
    return seen;
}

static void fit_fix(fit_problem *problem, size_t parameter, double value)
{
    if (problem->is_free[parameter]) {
        problem->free_count--;
    }
    problem->is_free[parameter] = false;
    problem->value[parameter] = value;
}

static void fit_begin(fit_problem *problem, const fit_seen *seen)
{
    static const double start[FIT_PARAMETERS] = {0.1, 0.01, 0.1, 0.01, 0.1, 0.01, 1.001};

    problem->free_count = FIT_PARAMETERS;
    for (size_t i = 0; i < FIT_PARAMETERS; i++) {
        problem->value[i] = start[i];
        problem->is_free[i] = true;
    }
    if (!seen->many_batches) {
        fit_fix(problem, ALPHA_C, seen->mean_grad_s / 2);
    }
    if (!seen->many_nodes) {
        fit_fix(problem, ALPHA_N, WS_FIT_POLLUX_FLOOR);
        fit_fix(problem, BETA_N, WS_FIT_POLLUX_FLOOR);
    }
    if (!seen->one_node) {
        fit_fix(problem, ALPHA_R, WS_FIT_POLLUX_FLOOR);
        fit_fix(problem, BETA_R, WS_FIT_POLLUX_FLOOR);
    }
    if (!seen->above_two) {
        fit_fix(problem, BETA_N, WS_FIT_POLLUX_FLOOR);
        fit_fix(problem, BETA_R, WS_FIT_POLLUX_FLOOR);
    }
}

/* ---- the search ---- */

typedef struct {
    gsl_multimin_fminimizer *minimizer;
    gsl_vector *point;
    gsl_vector *step;
} fit_search;

static void fit_close(fit_search *search)
{
    if (search->minimizer != NULL) {
        gsl_multimin_fminimizer_free(search->minimizer);
    }
    gsl_vector_free(search->point);
    gsl_vector_free(search->step);
}

static bool fit_open(fit_search *search, size_t dimensions)
{
    search->minimizer =
        gsl_multimin_fminimizer_alloc(gsl_multimin_fminimizer_nmsimplex2, dimensions);
    search->point = gsl_vector_alloc(dimensions);
    search->step = gsl_vector_alloc(dimensions);
    return search->minimizer != NULL && search->point != NULL && search->step != NULL;
}

/** One simplex, from search->point to where it has shrunk; returns the least value. */
static double fit_round(fit_search *search, gsl_multimin_function *function)
{
    gsl_vector_set_all(search->step, FIT_SIMPLEX);
    if (gsl_multimin_fminimizer_set(search->minimizer, function, search->point, search->step) !=
        GSL_SUCCESS) {
        return (double)INFINITY;
    }
    for (int i = 0; i < FIT_ITERATIONS; i++) {
        if (gsl_multimin_fminimizer_iterate(search->minimizer) != GSL_SUCCESS ||
            gsl_multimin_fminimizer_size(search->minimizer) < FIT_SIZE_END) {
            break;
        }
    }
    gsl_vector_memcpy(search->point, gsl_multimin_fminimizer_x(search->minimizer));
    return gsl_multimin_fminimizer_minimum(search->minimizer);
}

static void fit_run(fit_search *search, fit_problem *problem)
{
    gsl_multimin_function function = {
        .f = fit_function, .n = problem->free_count, .params = problem};
    double best = (double)INFINITY;
    size_t next = 0;

    for (size_t i = 0; i < FIT_PARAMETERS; i++) {
        double at = problem->value[i];
        if (problem->is_free[i]) {
            gsl_vector_set(search->point, next++, i == FIT_GAMMA ? at : log(at));
        }
    }
    for (int round = 0; round < FIT_ROUNDS; round++) {
        double here = fit_round(search, &function);
        if (!(here < best - FIT_GAIN)) {
            break;
        }
        best = here;
    }
    (void)fit_unpack(problem, search->point, problem->value);
}

static bool fit_check(const ws_pollux_sample *samples, size_t count, ws_diag *diag)
{
    for (size_t i = 0; i < count; i++) {
        const ws_pollux_sample *sample = &samples[i];

        if (sample->nodes < 1 || sample->replicas < sample->nodes || !(sample->local_batch > 0) ||
            !(sample->grad_s > 0) || !(sample->step_s >= sample->grad_s) ||
            !isfinite(sample->step_s)) {
            return ws_diag_error(diag, 6160, ws_span_none,
                                 "measurement %zu of %zu cannot be fitted: a step takes longer "
                                 "than 0 s, and its compute no longer than it",
                                 i + 1, count);
        }
    }
    return true;
}

bool ws_pollux_fit_to(ws_pollux_fit *fit, const ws_pollux_sample *samples, size_t count,
                      ws_diag *diag)
{
    fit_problem problem = {.samples = samples, .count = count};
    fit_search search = {.minimizer = NULL};

    WS_ASSERT(count >= 1);
    if (!fit_check(samples, count, diag)) {
        return false;
    }
    fit_seen seen = fit_look(samples, count);
    fit_begin(&problem, &seen);
    if (!fit_open(&search, problem.free_count)) {
        fit_close(&search);
        return ws_diag_error(diag, 9007, ws_span_none, "out of memory while fitting");
    }
    fit_run(&search, &problem);
    fit_close(&search);
    ws_pollux_theta theta = fit_theta(problem.value);
    if (!seen.many_nodes) {
        theta.alpha_n = fmax(theta.alpha_n, 1.1 * theta.alpha_r);
        theta.beta_n = fmax(theta.beta_n, 1.1 * theta.beta_r);
    }
    *fit = (ws_pollux_fit){.theta = theta,
                           .error = ws_pollux_error_on(&theta, samples, count),
                           .objective = fit_objective(&problem, &theta),
                           .evaluations = problem.evaluations};
    return true;
}
