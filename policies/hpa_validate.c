/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The limits that the API server sets on an autoscaler, in our keys. The table has checked that
 * each key is known and of its kind; what is checked here is what keys must agree on, and ranges
 * whose fault should be told in Kubernetes' terms.
 */
#include "hpa_parameters.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>

#include "ws/assert.h"

#include "hpa_reader.h"

#define WINDOW_MAX_S 3600
#define PERIOD_MAX_S 1800

/* What every check needs; `is_good` falls with the first error. */
typedef struct {
    ws_arena *arena;
    ws_diag *diag;
    bool is_good;
} validation;

/* Place of a key's value, or of the whole map when the key is absent. */
static ws_span validate_at(const ws_document *map, const char *key)
{
    const ws_document *value = map == NULL ? NULL : ws_document_find(map, key);

    if (value != NULL) {
        return value->at;
    }
    return map == NULL ? ws_span_none : map->at;
}

/* An error that the API server would raise as well. */
static void validate_refuse(validation *check, int code, ws_span at, ws_text message)
{
    ws_diagnostic diagnostic = {
        .severity = WS_SEVERITY_ERROR,
        .code = code,
        .message = message,
        .at = at,
        .label = WS_TEXT("the API server would reject this"),
        .notes = {WS_TEXT(
            "worldsize applies the same limits as Kubernetes, so that what you simulate "
            "can be deployed")},
    };

    WS_ASSERT(check != NULL);

    check->is_good = false;
    ws_diag_add(check->diag, &diagnostic);
}

static void validate_min_above_max(validation *check, const ws_hpa_parameters *parameters)
{
    ws_diagnostic diagnostic = {
        .severity = WS_SEVERITY_ERROR,
        .code = WS_HPA_CODE_MIN_ABOVE_MAX,
        .message = WS_TEXT("`min` is above `max`"),
        .at = validate_at(parameters->self, "min"),
        .label = ws_arena_format(check->arena, "%" PRId64, parameters->replicas_min),
        .also = validate_at(parameters->self, "max"),
        .also_label = ws_arena_format(check->arena, "%" PRId64, parameters->replicas_max),
    };

    WS_ASSERT(parameters->replicas_min > parameters->replicas_max);

    check->is_good = false;
    ws_diag_add(check->diag, &diagnostic);
}

static void validate_sizes(validation *check, const ws_hpa_parameters *parameters)
{
    WS_ASSERT(parameters != NULL);

    if (parameters->replicas_min < 0) {
        validate_refuse(check, WS_HPA_CODE_SIZE, validate_at(parameters->self, "min"),
                        WS_TEXT("`min` is at least 0"));
    }
    if (parameters->replicas_max < 1) {
        validate_refuse(check, WS_HPA_CODE_SIZE, validate_at(parameters->self, "max"),
                        WS_TEXT("`max` is at least 1"));
    } else if (parameters->replicas_max > INT32_MAX) {
        validate_refuse(check, WS_HPA_CODE_SIZE, validate_at(parameters->self, "max"),
                        WS_TEXT("`max` is at most 2147483647"));
    } else if (parameters->replicas_min > parameters->replicas_max) {
        validate_min_above_max(check, parameters);
    }
}

/* A duration that the API has as an integer of seconds. */
typedef struct {
    int code;
    const char *key;
    int64_t least_s;
    int64_t most_s;
} seconds_rule;

static const seconds_rule window_rule = {WS_HPA_CODE_WINDOW, "stabilization", 0, WINDOW_MAX_S};
static const seconds_rule period_rule = {WS_HPA_CODE_PERIOD, "period", 1, PERIOD_MAX_S};

static void validate_seconds(validation *check, const ws_document *map, ws_duration given,
                             const seconds_rule *rule)
{
    ws_span at = validate_at(map, rule->key);
    ws_text message = {.start = NULL};

    WS_ASSERT(rule->least_s <= rule->most_s);

    if (given.ns > rule->most_s * WS_NS_PER_S) {
        message =
            ws_arena_format(check->arena, "`%s` is at most %" PRId64 "s", rule->key, rule->most_s);
    } else if (given.ns < rule->least_s * WS_NS_PER_S) {
        message = ws_arena_format(check->arena, "`%s` is at least %" PRId64 "s", rule->key,
                                  rule->least_s);
    } else if (given.ns % WS_NS_PER_S != 0) {
        message = ws_arena_format(check->arena, "`%s` is a whole number of seconds", rule->key);
    } else {
        return;
    }
    validate_refuse(check, rule->code, at, message);
}

static void validate_policy(validation *check, const ws_hpa_policy_parameters *policy)
{
    const char *key = policy->has_pods ? "pods" : "percent";
    int64_t value = policy->has_pods ? policy->pods : policy->percent;

    if (policy->has_pods == policy->has_percent) {
        validate_refuse(
            check, WS_HPA_CODE_POLICIES, policy->self == NULL ? ws_span_none : policy->self->at,
            policy->has_pods ? WS_TEXT("a scaling policy has either `pods` or `percent`, not both")
                             : WS_TEXT("a scaling policy needs `pods` or `percent`"));
    } else if (value < 1 || value > INT32_MAX) {
        validate_refuse(check, WS_HPA_CODE_POLICIES, validate_at(policy->self, key),
                        ws_arena_format(check->arena, "`%s` is %s", key,
                                        value < 1 ? "at least 1" : "at most 2147483647"));
    }
    validate_seconds(check, policy->self, policy->period, &period_rule);
}

static void validate_direction(validation *check, const ws_hpa_direction_parameters *direction)
{
    if (direction == NULL) {
        return;
    }
    if (direction->has_stabilization) {
        validate_seconds(check, direction->self, direction->stabilization, &window_rule);
    }
    if (direction->has_policies && direction->policies.count == 0) {
        validate_refuse(check, WS_HPA_CODE_POLICIES, validate_at(direction->self, "policies"),
                        WS_TEXT("`policies` needs at least one; leave it out for the defaults"));
    }
    for (size_t i = 0; i < direction->policies.count; i++) {
        const ws_hpa_policy_parameters *policies = direction->policies.items;

        validate_policy(check, &policies[i]);
    }
}

/* False when the metric has no source, or several: then nothing else of it can be judged. */
static bool validate_source(validation *check, const ws_hpa_metric_parameters *metric)
{
    int sources = (metric->external.length > 0 ? 1 : 0) + (metric->pods.length > 0 ? 1 : 0) +
                  (metric->resource.length > 0 ? 1 : 0);
    ws_span at = metric->self == NULL ? ws_span_none : metric->self->at;

    if (sources != 1) {
        validate_refuse(check, WS_HPA_CODE_SOURCE, at,
                        WS_TEXT("a metric has exactly one of `external`, `pods` and `resource`"));
        return false;
    }
    if (metric->job.length > 0 && metric->external.length == 0) {
        validate_refuse(
            check, WS_HPA_CODE_SOURCE, validate_at(metric->self, "job"),
            WS_TEXT("`job` goes with `external` only: the others are the target's own"));
    }
    return true;
}

static void validate_target(validation *check, const ws_hpa_metric_parameters *metric)
{
    bool takes_value = metric->external.length > 0;
    bool takes_utilization = metric->resource.length > 0;
    int targets = (metric->has_average_value ? 1 : 0) + (takes_value && metric->has_value ? 1 : 0) +
                  (takes_utilization && metric->has_average_utilization ? 1 : 0);
    bool is_stray = (!takes_value && metric->has_value) ||
                    (!takes_utilization && metric->has_average_utilization);
    ws_text wanted = WS_TEXT("a `pods` metric has `average_value` and no other target");

    WS_ASSERT(!takes_value || !takes_utilization);

    if (takes_value) {
        wanted = WS_TEXT("an `external` metric has exactly one of `average_value` and `value`");
    } else if (takes_utilization) {
        wanted = WS_TEXT(
            "a `resource` metric has exactly one of `average_utilization` and `average_value`");
    }
    if (targets != 1 || is_stray) {
        validate_refuse(check, WS_HPA_CODE_TARGET,
                        metric->self == NULL ? ws_span_none : metric->self->at, wanted);
    }
}

static void validate_target_values(validation *check, const ws_hpa_metric_parameters *metric)
{
    WS_ASSERT(metric != NULL);

    if (metric->has_average_value && !(metric->average_value > 0.0)) {
        validate_refuse(check, WS_HPA_CODE_TARGET, validate_at(metric->self, "average_value"),
                        WS_TEXT("`average_value` is above 0"));
    }
    if (metric->has_value && !(metric->value > 0.0)) {
        validate_refuse(check, WS_HPA_CODE_TARGET, validate_at(metric->self, "value"),
                        WS_TEXT("`value` is above 0"));
    }
    if (metric->has_average_utilization &&
        (metric->average_utilization < 1 || metric->average_utilization > INT32_MAX)) {
        validate_refuse(check, WS_HPA_CODE_TARGET, validate_at(metric->self, "average_utilization"),
                        WS_TEXT("`average_utilization` is at least 1, in percent"));
    }
}

static void validate_metrics(validation *check, const ws_hpa_parameters *parameters)
{
    const ws_hpa_metric_parameters *metrics = parameters->metrics.items;
    bool has_external = false;

    if (parameters->metrics.count < 1 || parameters->metrics.count > WS_HPA_METRICS_MAX) {
        check->is_good = ws_diag_error(check->diag, WS_HPA_CODE_METRIC_COUNT,
                                       validate_at(parameters->self, "metrics"),
                                       "`metrics` has 1 to %d entries, found %zu",
                                       WS_HPA_METRICS_MAX, parameters->metrics.count);
    }
    for (size_t i = 0; i < parameters->metrics.count; i++) {
        has_external = has_external || metrics[i].external.length > 0;
        if (validate_source(check, &metrics[i])) {
            validate_target(check, &metrics[i]);
            validate_target_values(check, &metrics[i]);
        }
    }
    if (parameters->replicas_min == 0 && !has_external) {
        validate_refuse(
            check, WS_HPA_CODE_ZERO, validate_at(parameters->self, "min"),
            WS_TEXT("`min: 0` needs an `external` metric: no replica, no metric of a replica"));
    }
}

bool ws_hpa_parameters_validate(const ws_hpa_parameters *parameters, ws_arena *arena, ws_diag *diag)
{
    validation check = {.arena = arena, .diag = diag, .is_good = true};

    WS_ASSERT(parameters != NULL);

    validate_sizes(&check, parameters);
    validate_metrics(&check, parameters);
    validate_direction(&check, parameters->scale_up);
    validate_direction(&check, parameters->scale_down);
    return check.is_good;
}
