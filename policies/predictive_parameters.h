/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Keys of the predictive policy. */
#ifndef WS_PREDICTIVE_PARAMETERS_H
#define WS_PREDICTIVE_PARAMETERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ws/parameter.h"
#include "ws/policy.h"
#include "ws/time.h"

typedef enum { WS_PREDICTIVE_REACTIVE, WS_PREDICTIVE_FORECAST } ws_predictive_scale_in;

typedef struct {
    const ws_document *self;
    ws_text metric;
    double per_replica; /* of the metric, what one node or replica serves */
    bool has_per_replica;
    ws_duration step;
    ws_duration season;
    int32_t model;    /* index in the list of forecasters */
    int32_t form;     /* ws_smoothing_form */
    int32_t seasonal; /* 0: additive, 1: multiplicative */
    double alpha;
    double beta;
    double gamma;
    double phi;
    bool has_alpha;
    bool has_beta;
    bool has_gamma;
    bool has_phi;
    double quantile;
    ws_duration cold_start;
    int64_t size_min;
    int64_t size_max;
    bool has_min;
    bool has_max;
    int32_t scale_in; /* ws_predictive_scale_in */
    ws_duration release_after;
    ws_duration period;
} ws_predictive_parameters;

extern const ws_parameter_table ws_predictive_parameter_table;

/** What keys must agree on, with each other and with the target. A ws_policy_type's `check`. */
bool ws_predictive_parameters_check(const void *parameters, const ws_target *target,
                                    ws_arena *arena, ws_diag *diag);

/** Sizes that a window of `release_after` can hold when it is asked every `period`. */
size_t ws_predictive_window(const ws_predictive_parameters *parameters);

#endif
