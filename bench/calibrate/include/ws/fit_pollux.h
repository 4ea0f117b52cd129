/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * The seven parameters of the `pollux` step model, fitted to measured step times.
 *
 * What is minimised over the n measurements is
 *
 *     RMSLE(T_grad) + RMSLE(T_step) + 1e-3 (gamma - 1)^2
 *         + 1e-2 ((beta_n / alpha_n)^2 + (beta_r / alpha_r)^2)
 *
 * with RMSLE the root of the mean squared difference of logarithms; T_grad is measured as the step
 * less its synchronisation. The last three terms prefer what hides nothing and what does not grow
 * with the replicas, where the measurements do not say otherwise. What they cannot say at all is
 * set, so that sizes never seen look good and are tried:
 *
 * - one local batch alone: alpha_c is half of the mean T_grad;
 * - no world of several nodes: alpha_n and beta_n are at least 1.1 times alpha_r and beta_r;
 * - no world of several replicas on one node: alpha_r and beta_r are at the floor, 1e-8 s;
 * - no world of more than two replicas: beta_n and beta_r are at the floor.
 *
 * Source of objective, priors and start: adaptdl/goodput.py of the artifact of Qiao et al., Pollux,
 * OSDI 2021 (github.com/petuum/adaptdl, branch osdi21-artifact). It follows a gradient; here the
 * simplex method of Nelder and Mead (GSL's nmsimplex2) searches the logarithms of the times, and
 * starts anew from its best point until that gains nothing.
 */
#ifndef WS_FIT_POLLUX_H
#define WS_FIT_POLLUX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ws/diag.h"
#include "ws/step_pollux.h"

/** The smallest time that the fit gives a parameter, s. */
#define WS_FIT_POLLUX_FLOOR 1e-8

/** One measured step. */
typedef struct {
    int32_t nodes;      /* >= 1 */
    int32_t replicas;   /* >= nodes */
    double local_batch; /* samples of a replica, > 0 */
    double grad_s;      /* T_grad, > 0: the step less what it synchronises */
    double step_s;      /* T_step, >= grad_s */
} ws_pollux_sample;

/** How far a model is from measurements: roots of mean squared differences of logarithms. */
typedef struct {
    double grad; /* of T_grad */
    double step; /* of T_step */
} ws_pollux_error;

typedef struct {
    ws_pollux_theta theta;
    ws_pollux_error error; /* on the samples that it was fitted to */
    double objective;
    size_t evaluations; /* of the objective */
} ws_pollux_fit;

/**
 * Fits to `count` >= 1 samples. Deterministic. O(count x evaluations), some ten thousand of them.
 *
 * @return  false with WS6160 when a sample is not as stated above, or with WS9007 when memory is
 * exhausted; `*fit` is untouched then
 */
WS_NODISCARD bool ws_pollux_fit_to(ws_pollux_fit *fit, const ws_pollux_sample *samples,
                                   size_t count, ws_diag *diag);

/** Error of a model on `count` >= 1 samples. */
ws_pollux_error ws_pollux_error_on(const ws_pollux_theta *theta, const ws_pollux_sample *samples,
                                   size_t count);

#endif
