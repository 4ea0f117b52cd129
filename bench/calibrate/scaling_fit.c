/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Least squares of log step times. Unknowns are logarithms, so that all of them stay above 0. */
#include <math.h>
#include <string.h>

#include <gsl/gsl_multifit_nlinear.h>

#include "ws/scaling.h"

#include "scaling_borrow.h"

/* What a step time is taken to be known to. */
#define FIT_ERROR 0.05

/* Beyond so many of these errors a row counts less and less: a wrong row, or one of a case that the
 * model does not know, does not move the others. */
#define FIT_TAIL 2.0

/** Prior knowledge of a logarithm. */
typedef struct {
    double mean;
    double deviation;
} fit_prior;

static const fit_prior fit_efficiency = {-0.51, 0.4};  /* 0.6, times or over 1.5 */
static const fit_prior fit_bandwidth = {-0.223, 0.25}; /* 0.8 */
static const fit_prior fit_latency = {0, 0.7};         /* 1, times or over 2 */

typedef struct {
    const ws_scaling_table *table;
    size_t left_out;
    size_t unknowns;
    size_t used; /* cases */
    bool is_robust;
} fit_problem;

static bool fit_uses(const fit_problem *problem, const ws_scaling_case *item)
{
    return item->left_out == NULL && item->group_index != problem->left_out;
}

static void fit_unpack(const ws_scaling_table *table, const gsl_vector *x, ws_scaling_fit *fit)
{
    size_t at = 0;

    for (size_t i = 0; i < table->class_count; i++) {
        fit->efficiency[i] = exp(gsl_vector_get(x, at++));
    }
    for (size_t i = 0; i < table->machine_count; i++) {
        fit->bandwidth[i] = exp(gsl_vector_get(x, at++));
        fit->latency[i] = exp(gsl_vector_get(x, at++));
    }
}

ws_step_breakdown ws_scaling_predict(const ws_scaling_case *item, const ws_scaling_fit *fit)
{
    WS_ASSERT(fit != NULL);

    const ws_scaling_row *row = item->row;
    double bandwidth = fit->bandwidth[item->machine_index];
    double latency = fit->latency[item->machine_index];
    ws_network network = {
        .intra_node = {.latency_s = WS_SCALING_INTRA_LATENCY_S * latency,
                       .bytes_per_s = row->intra_bytes_per_s * WS_SCALING_INTRA_SHARE},
        .inter_node = {.latency_s = WS_SCALING_INTER_LATENCY_S * latency,
                       .bytes_per_s = row->inter_bytes_per_s * bandwidth},
        .inter_per_gpu = true,
    };
    ws_transformer transformer = item->transformer;

    transformer.network = &network;
    transformer.software.products = fit->efficiency[item->class_index];
    return ws_transformer_break_down(&transformer, &item->world);
}

/* Square root of Cauchy's loss, with the sign of the error. */
static double fit_damped(double error)
{
    double scaled = error / FIT_TAIL;

    return copysign(FIT_TAIL * sqrt(log1p(scaled * scaled)), error);
}

static void fit_add_prior(gsl_vector *f, size_t *at, double value, const fit_prior *prior)
{
    gsl_vector_set(f, (*at)++, (value - prior->mean) / prior->deviation);
}

static int fit_residuals(const gsl_vector *x, void *context, gsl_vector *f)
{
    const fit_problem *problem = context;
    const ws_scaling_table *table = problem->table;
    ws_scaling_fit fit;
    size_t at = 0;
    size_t unknown = 0;

    fit_unpack(table, x, &fit);
    for (size_t i = 0; i < table->count; i++) {
        const ws_scaling_case *item = &table->cases[i];
        if (fit_uses(problem, item)) {
            double predicted_s = ws_scaling_predict(item, &fit).step_s;
            double error = log(predicted_s / item->measured_s) / FIT_ERROR;
            gsl_vector_set(f, at++, problem->is_robust ? fit_damped(error) : error);
        }
    }
    for (size_t i = 0; i < table->class_count; i++) {
        fit_add_prior(f, &at, gsl_vector_get(x, unknown++), &fit_efficiency);
    }
    for (size_t i = 0; i < table->machine_count; i++) {
        fit_add_prior(f, &at, gsl_vector_get(x, unknown++), &fit_bandwidth);
        fit_add_prior(f, &at, gsl_vector_get(x, unknown++), &fit_latency);
    }
    return GSL_SUCCESS;
}

static void fit_start(const ws_scaling_table *table, gsl_vector *x)
{
    size_t at = 0;

    for (size_t i = 0; i < table->class_count; i++) {
        gsl_vector_set(x, at++, fit_efficiency.mean);
    }
    for (size_t i = 0; i < table->machine_count; i++) {
        gsl_vector_set(x, at++, fit_bandwidth.mean);
        gsl_vector_set(x, at++, fit_latency.mean);
    }
}

static bool fit_solve(fit_problem *problem, gsl_vector *x)
{
    size_t equations = problem->used + problem->unknowns;
    gsl_multifit_nlinear_parameters parameters = gsl_multifit_nlinear_default_parameters();
    gsl_multifit_nlinear_workspace *work = NULL;
    gsl_multifit_nlinear_fdf system = {
        .f = fit_residuals, .n = equations, .p = problem->unknowns, .params = problem};
    int info = 0;

    parameters.solver = gsl_multifit_nlinear_solver_cholesky;
    work = gsl_multifit_nlinear_alloc(gsl_multifit_nlinear_trust, &parameters, equations,
                                      problem->unknowns);
    if (work == NULL) {
        return false;
    }
    bool solved = gsl_multifit_nlinear_init(x, &system, work) == GSL_SUCCESS;
    if (solved) {
        int status = gsl_multifit_nlinear_driver(100, 1e-8, 1e-8, 0, NULL, NULL, &info, work);
        solved = status == GSL_SUCCESS || status == GSL_ENOPROG || status == GSL_EMAXITER;
        (void)gsl_vector_memcpy(x, gsl_multifit_nlinear_position(work));
    }
    gsl_multifit_nlinear_free(work);
    return solved;
}

static void fit_finish(const fit_problem *problem, const gsl_vector *x, ws_scaling_fit *fit)
{
    const ws_scaling_table *table = problem->table;
    bool seen[WS_SCALING_CLASSES_MAX] = {false};
    double squares = 0;

    fit_unpack(table, x, fit);
    for (size_t i = 0; i < table->count; i++) {
        const ws_scaling_case *item = &table->cases[i];
        if (fit_uses(problem, item)) {
            double error = log(ws_scaling_predict(item, fit).step_s / item->measured_s);
            squares += error * error;
            seen[item->class_index] = true;
        }
    }
    fit->residual = problem->used > 0 ? sqrt(squares / (double)problem->used) : 0;
    for (size_t i = 0; i < table->class_count; i++) {
        fit->is_borrowed[i] = !seen[i];
    }
    ws_scaling_borrow(table->classes, table->class_count, fit);
}

bool ws_scaling_fit_without(const ws_scaling_table *table, size_t left_out, ws_scaling_fit *fit)
{
    WS_ASSERT(fit != NULL);

    fit_problem problem = {.table = table,
                           .left_out = left_out,
                           .unknowns = table->class_count + 2 * table->machine_count};

    (void)memset(fit, 0, sizeof(*fit));
    for (size_t i = 0; i < table->count; i++) {
        problem.used += fit_uses(&problem, &table->cases[i]);
    }
    if (problem.unknowns == 0) {
        return false;
    }
    gsl_vector *x = gsl_vector_alloc(problem.unknowns);
    if (x == NULL) {
        return false;
    }
    fit_start(table, x);
    bool solved = fit_solve(&problem, x);
    problem.is_robust = true;
    solved = solved && fit_solve(&problem, x);
    if (solved) {
        fit_finish(&problem, x, fit);
    }
    gsl_vector_free(x);
    return solved;
}
