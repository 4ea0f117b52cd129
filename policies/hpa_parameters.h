/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The parameters of `hpa` as a scenario gives them, their limits, and the settings that they come
 * to. */
#ifndef WS_HPA_PARAMETERS_H
#define WS_HPA_PARAMETERS_H

#include <stdbool.h>
#include <stdint.h>

#include "ws/arena.h"
#include "ws/diag.h"
#include "ws/document.h"
#include "ws/parameter.h"
#include "ws/policy.h"
#include "ws/text.h"
#include "ws/time.h"

#include "hpa_normalise.h"
#include "hpa_replicas.h"

/** One of `metrics`. Exactly one of `external`, `pods` and `resource` is given, and one target. */
typedef struct {
    const ws_document *self;
    ws_text external;
    ws_text pods;
    ws_text resource;
    ws_text job; /* of external */
    double average_value;
    double value;
    int64_t average_utilization; /* percent */
    bool has_average_value;
    bool has_value;
    bool has_average_utilization;
} ws_hpa_metric_parameters;

/** One of `policies`. Exactly one of `pods` and `percent` is given. */
typedef struct {
    const ws_document *self;
    int64_t pods;
    int64_t percent;
    ws_duration period;
    bool has_pods;
    bool has_percent;
} ws_hpa_policy_parameters;

/** `scale_up` or `scale_down`. */
typedef struct {
    const ws_document *self;
    ws_duration stabilization;
    int32_t select;   /* ws_hpa_select */
    ws_list policies; /* of ws_hpa_policy_parameters */
    double tolerance;
    bool has_stabilization;
    bool has_policies;
    bool has_tolerance;
} ws_hpa_direction_parameters;

/** A metric as the autoscaler uses it, whoever has said it. */
typedef struct {
    ws_text name; /* as it is written */
    ws_hpa_metric metric;
    ws_query query;         /* what it is in the simulation, and where it is named */
    ws_span mapped_at;      /* where a mapping says what it is; no place: nowhere */
    const char *target_key; /* `average_value`, `averageValue`, ... */
    ws_span target_at;      /* its value */
} ws_hpa_stated_metric;

typedef struct {
    const ws_document *self;
    const ws_document *manifest; /* NULL: the parameters say it all */
    const ws_document *mapping;  /* what the manifest's metrics are here; NULL: nothing is said */
    ws_list metrics;             /* of ws_hpa_metric_parameters; empty with a manifest */
    int64_t replicas_min;
    int64_t replicas_max;
    bool has_min;
    bool has_max;
    double tolerance;
    int32_t tolerance_test; /* 0: closed interval, 1: absolute */
    ws_duration sync_period;
    ws_duration downscale_stabilization;
    ws_duration initial_readiness_delay;
    ws_duration cpu_initialization_period;
    ws_hpa_direction_parameters *scale_up; /* NULL: not given */
    ws_hpa_direction_parameters *scale_down;
    ws_hpa_stated_metric *stated; /* by ws_hpa_parameters_complete() */
    size_t stated_count;
} ws_hpa_parameters;

extern const ws_parameter_table ws_hpa_parameter_table;

/**
 * Puts in what a manifest says, or checks what the parameters say, and states the metrics.
 *
 * Errors: WS2102 neither a manifest nor metrics and `max`, WS5107 both; of a manifest those of
 * ws_hpa_manifest_read(), of parameters those of ws_hpa_parameters_validate().
 *
 * @return  false when an error was added
 */
bool ws_hpa_parameters_complete(void *parameters, ws_arena *arena, ws_diag *diag);

/**
 * Checks of parameters what Kubernetes' API server checks of an autoscaler.
 *
 * Errors: WS5201 size out of range, WS5202 minimum above maximum, WS5203 window, WS5204 source of a
 * metric, WS5205 target of a metric, WS5206 policies, WS5207 period of a policy, WS5208 zero
 * replicas without an external metric, WS5209 number of metrics.
 *
 * @return  false when an error was added
 */
bool ws_hpa_parameters_validate(const ws_hpa_parameters *parameters, ws_arena *arena,
                                ws_diag *diag);

/** Tolerances of completed parameters: a direction's own goes before the common one. */
ws_hpa_tolerance ws_hpa_tolerance_of(const ws_hpa_parameters *parameters);

/** Settings of completed parameters; policies live in `arena`. False when it is exhausted. */
WS_NODISCARD bool ws_hpa_settings_of(const ws_hpa_parameters *parameters, ws_arena *arena,
                                     ws_hpa_settings *settings);

/** Memory with room for what can count at once under `settings`. False when the arena is exhausted.
 */
WS_NODISCARD bool ws_hpa_memory_of(const ws_hpa_parameters *parameters,
                                   const ws_hpa_settings *settings, ws_arena *arena,
                                   ws_hpa_memory *memory);

#endif
