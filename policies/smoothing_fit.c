/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Weights by the simplex method. The sum of squares is flat near its least, so that the size of the
 * simplex ends an exact search, not the value. A search that begins at one place may end in a
 * valley of its own: others begin where the level learns fast, and where the season does.
 */
#include "smoothing.h"

#include <float.h>
#include <math.h>

#include <gsl/gsl_errno.h>
#include <gsl/gsl_multimin.h>

#define FIT_FREE_MAX 4
#define FIT_ITERATIONS_MAX 1000
#define FIT_PATIENCE 5 /* iterations a free weight without a gain */
#define FIT_EDGE 1e-6  /* a weight that begins at 0 or 1 begins this far inside */
#define FIT_PHI_LOW                                                                                \
    0.8 /* Source: Hyndman and Athanasopoulos, chapter 8.2: damping below is too strong, */
#define FIT_PHI_HIGH 0.98 /* and above cannot be told from none */

/** Where searches begin; the first is that of R's HoltWinters. */
static const ws_smoothing_weights fit_beginnings[] = {
    {.alpha = 0.3, .beta = 0.1, .gamma = 0.1, .phi = 0.9},
    {.alpha = 0.8, .beta = 0.05, .gamma = 0.15, .phi = 0.9},
    {.alpha = 0.1, .beta = 0.02, .gamma = 0.8, .phi = 0.95},
};

/** One of the weights that may be chosen, as a place in the search's vector. */
typedef struct {
    const ws_smoothing_fit *fit;
    ws_smoothing_weights given;
    size_t free_count;
} fit_search;

static double fit_logit(double share)
{
    double inside = fmin(fmax(share, FIT_EDGE), 1 - FIT_EDGE);
    return log(inside / (1 - inside));
}

static double fit_share(double logit)
{
    return 1 / (1 + exp(-logit));
}

/** Most that gamma may be. */
static double fit_gamma_most(const ws_smoothing_fit *fit, double alpha)
{
    return fit->shape->form == WS_SMOOTHING_FPP ? 1 - alpha : 1;
}

static bool fit_has_trend(const ws_smoothing_fit *fit)
{
    return fit->shape->trend != WS_SMOOTHING_NONE;
}

static bool fit_has_season(const ws_smoothing_fit *fit)
{
    return fit->shape->seasonal != WS_SMOOTHING_NONE;
}

static ws_smoothing_weights fit_weights(const fit_search *search, const gsl_vector *place)
{
    const ws_smoothing_fit *fit = search->fit;
    ws_smoothing_weights weights = search->given;
    size_t next = 0;

    if (!fit->keeps_alpha) {
        weights.alpha = fit_share(gsl_vector_get(place, next++));
    }
    if (!fit->keeps_beta && fit_has_trend(fit)) {
        weights.beta = fit_share(gsl_vector_get(place, next++));
    }
    if (!fit->keeps_gamma && fit_has_season(fit)) {
        weights.gamma =
            fit_gamma_most(fit, weights.alpha) * fit_share(gsl_vector_get(place, next++));
    }
    if (!fit->keeps_phi && fit_has_trend(fit)) {
        double share = fit_share(gsl_vector_get(place, next++));
        weights.phi = FIT_PHI_LOW + (FIT_PHI_HIGH - FIT_PHI_LOW) * share;
    }
    WS_ASSERT(next == search->free_count);
    return weights;
}

static void fit_set_place(const fit_search *search, ws_smoothing_weights from, gsl_vector *place)
{
    const ws_smoothing_fit *fit = search->fit;
    double alpha = fit->keeps_alpha ? search->given.alpha : from.alpha;
    double gamma_most = fit_gamma_most(fit, alpha);
    size_t next = 0;

    if (!fit->keeps_alpha) {
        gsl_vector_set(place, next++, fit_logit(from.alpha));
    }
    if (!fit->keeps_beta && fit_has_trend(fit)) {
        gsl_vector_set(place, next++, fit_logit(from.beta));
    }
    if (!fit->keeps_gamma && fit_has_season(fit)) {
        double share = gamma_most > 0 ? from.gamma / gamma_most : 0;
        gsl_vector_set(place, next++, fit_logit(share));
    }
    if (!fit->keeps_phi && fit_has_trend(fit)) {
        double share = (from.phi - FIT_PHI_LOW) / (FIT_PHI_HIGH - FIT_PHI_LOW);
        gsl_vector_set(place, next++, fit_logit(share));
    }
    WS_ASSERT(next == search->free_count);
}

static double fit_sum_of_squares(const ws_smoothing_fit *fit, const ws_smoothing_weights *weights)
{
    ws_smoothing_state state = fit->start;

    if (fit_has_season(fit)) {
        state.season = fit->scratch;
        for (int32_t i = 0; i < fit->shape->period; i++) {
            state.season[i] = fit->start.season[i];
        }
    }
    return fmin(ws_smoothing_run(fit->shape, weights, &state, fit->samples), DBL_MAX);
}

static double fit_objective(const gsl_vector *place, void *context)
{
    const fit_search *search = context;
    ws_smoothing_weights weights = fit_weights(search, place);

    return fit_sum_of_squares(search->fit, &weights);
}

/** The last sum that was less than the one before it by the wanted share, and iterations since. */
typedef struct {
    double least;
    size_t idle_count;
} fit_progress;

/** Whether the sum has stopped falling. */
static bool fit_is_idle(const fit_search *search, double sum, fit_progress *progress)
{
    if (sum < progress->least * (1 - search->fit->gain)) {
        *progress = (fit_progress){.least = sum};
        return false;
    }
    progress->idle_count++;
    return search->fit->gain > 0 && progress->idle_count >= FIT_PATIENCE * search->free_count;
}

/** One simplex from `place` on, which is moved to the best that it finds. False: GSL gave up. */
static bool fit_descend(const fit_search *search, gsl_multimin_fminimizer *simplex,
                        gsl_vector *place, gsl_vector *step)
{
    gsl_multimin_function objective = {
        .f = fit_objective, .n = search->free_count, .params = (void *)search};

    gsl_vector_set_all(step, search->fit->reach);
    if (gsl_multimin_fminimizer_set(simplex, &objective, place, step) != GSL_SUCCESS) {
        return false;
    }
    fit_progress progress = {.least = DBL_MAX}; /* GSL has none before its first iteration */
    for (int i = 0; i < FIT_ITERATIONS_MAX; i++) {
        if (gsl_multimin_fminimizer_iterate(simplex) != GSL_SUCCESS) {
            break;
        }
        if (gsl_multimin_fminimizer_size(simplex) < search->fit->tolerance ||
            fit_is_idle(search, gsl_multimin_fminimizer_minimum(simplex), &progress)) {
            break;
        }
    }
    return gsl_vector_memcpy(place, gsl_multimin_fminimizer_x(simplex)) == GSL_SUCCESS;
}

/** What GSL holds for a search. */
typedef struct {
    gsl_multimin_fminimizer *simplex;
    gsl_vector *place;
    gsl_vector *step;
} fit_memory;

static bool fit_memory_open(fit_memory *memory, size_t dimension)
{
    memory->simplex = gsl_multimin_fminimizer_alloc(gsl_multimin_fminimizer_nmsimplex2, dimension);
    memory->place = gsl_vector_alloc(dimension);
    memory->step = gsl_vector_alloc(dimension);
    return memory->simplex != NULL && memory->place != NULL && memory->step != NULL;
}

static void fit_memory_close(fit_memory *memory)
{
    gsl_multimin_fminimizer_free(memory->simplex);
    gsl_vector_free(memory->place);
    gsl_vector_free(memory->step);
}

static size_t fit_count_free(const ws_smoothing_fit *fit)
{
    return (size_t)!fit->keeps_alpha + (size_t)(!fit->keeps_beta && fit_has_trend(fit)) +
           (size_t)(!fit->keeps_gamma && fit_has_season(fit)) +
           (size_t)(!fit->keeps_phi && fit_has_trend(fit));
}

double ws_smoothing_fit_weights(const ws_smoothing_fit *fit, ws_smoothing_weights *weights)
{
    fit_search search = {.fit = fit, .given = *weights, .free_count = fit_count_free(fit)};
    double least = fit_sum_of_squares(fit, weights);
    fit_memory memory = {.simplex = NULL};

    WS_ASSERT(fit->shape->seasonal == WS_SMOOTHING_NONE || fit->scratch != NULL);
    WS_ASSERT(fit->restarts >= 0 && (size_t)fit->restarts <= WS_COUNT_OF(fit_beginnings));
    WS_ASSERT(fit->tolerance > 0);
    WS_ASSERT(search.free_count <= FIT_FREE_MAX);

    bool is_open = search.free_count > 0 && fit_memory_open(&memory, search.free_count);
    for (int32_t i = 0; is_open && i <= fit->restarts; i++) {
        fit_set_place(&search, i == 0 ? search.given : fit_beginnings[i - 1], memory.place);
        if (!fit_descend(&search, memory.simplex, memory.place, memory.step)) {
            continue;
        }
        ws_smoothing_weights found = fit_weights(&search, memory.place);
        double sum = fit_sum_of_squares(fit, &found);
        if (sum < least) {
            least = sum;
            *weights = found;
        }
    }
    fit_memory_close(&memory);
    return least;
}
