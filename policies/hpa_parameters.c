/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Keys, defaults, and what they come to once they are complete. A direction that is given makes a
 * behaviour, and then both directions are completed field by field as the API server and the
 * controller complete them.
 */
#include "hpa_parameters.h"

#include <stddef.h>

#include "ws/assert.h"

/* The controller's limit on a scale-up without a behaviour: constants of it, not flags. */
#define SCALE_UP_FACTOR 2.0
#define SCALE_UP_MINIMUM 4.0

static const char *const select_names[] = {"max", "min", "disabled", NULL};
static const char *const tolerance_test_names[] = {"closed", "absolute", NULL};

static const ws_parameter metric_rows[] = {
    {.kind = WS_PARAMETER_SELF, .offset = offsetof(ws_hpa_metric_parameters, self)},
    {.name = "external",
     .kind = WS_PARAMETER_TEXT,
     .offset = offsetof(ws_hpa_metric_parameters, external),
     .help = "a metric of the cluster or of jobs, summed over its series"},
    {.name = "pods",
     .kind = WS_PARAMETER_TEXT,
     .offset = offsetof(ws_hpa_metric_parameters, pods),
     .help = "a metric that each replica of the target shows"},
    {.name = "resource",
     .kind = WS_PARAMETER_TEXT,
     .offset = offsetof(ws_hpa_metric_parameters, resource),
     .help = "a resource that each replica of the target requests: cpu or memory"},
    {.name = "job",
     .kind = WS_PARAMETER_NAME,
     .offset = offsetof(ws_hpa_metric_parameters, job),
     .help = "of `external`: only the series of this job"},
    {.name = "average_value",
     .kind = WS_PARAMETER_NUMBER,
     .offset = offsetof(ws_hpa_metric_parameters, average_value),
     .present_offset = offsetof(ws_hpa_metric_parameters, has_average_value),
     .help = "what one replica should have of the metric"},
    {.name = "value",
     .kind = WS_PARAMETER_NUMBER,
     .offset = offsetof(ws_hpa_metric_parameters, value),
     .present_offset = offsetof(ws_hpa_metric_parameters, has_value),
     .help = "of `external`: what the sum should be, whatever the size"},
    {.name = "average_utilization",
     .kind = WS_PARAMETER_INTEGER,
     .offset = offsetof(ws_hpa_metric_parameters, average_utilization),
     .present_offset = offsetof(ws_hpa_metric_parameters, has_average_utilization),
     .help = "of `resource`: percent of its request that a replica should use"},
};

static const ws_parameter_table metric_table = {
    .noun = "metric",
    .rows = metric_rows,
    .count = WS_COUNT_OF(metric_rows),
    .bytes = sizeof(ws_hpa_metric_parameters),
};

static const ws_parameter policy_rows[] = {
    {.kind = WS_PARAMETER_SELF, .offset = offsetof(ws_hpa_policy_parameters, self)},
    {.name = "pods",
     .kind = WS_PARAMETER_INTEGER,
     .offset = offsetof(ws_hpa_policy_parameters, pods),
     .present_offset = offsetof(ws_hpa_policy_parameters, has_pods),
     .help = "replicas that may be added, or removed, in a period"},
    {.name = "percent",
     .kind = WS_PARAMETER_INTEGER,
     .offset = offsetof(ws_hpa_policy_parameters, percent),
     .present_offset = offsetof(ws_hpa_policy_parameters, has_percent),
     .help = "the same as a percentage of the size at the period's start"},
    {.name = "period",
     .kind = WS_PARAMETER_DURATION,
     .offset = offsetof(ws_hpa_policy_parameters, period),
     .required = true,
     .help = "whole seconds, at most 1800"},
};

static const ws_parameter_table policy_table = {
    .noun = "scaling policy",
    .rows = policy_rows,
    .count = WS_COUNT_OF(policy_rows),
    .bytes = sizeof(ws_hpa_policy_parameters),
};

static const ws_parameter direction_rows[] = {
    {.kind = WS_PARAMETER_SELF, .offset = offsetof(ws_hpa_direction_parameters, self)},
    {.name = "stabilization",
     .kind = WS_PARAMETER_DURATION,
     .offset = offsetof(ws_hpa_direction_parameters, stabilization),
     .present_offset = offsetof(ws_hpa_direction_parameters, has_stabilization),
     .help = "window of past recommendations that a change must agree with, whole seconds, at most "
             "3600; "
             "without it none upward and `downscale_stabilization` downward"},
    {.name = "select",
     .kind = WS_PARAMETER_CHOICE,
     .offset = offsetof(ws_hpa_direction_parameters, select),
     .default_text = "max",
     .choices = select_names,
     .choice_noun = "a selection of scaling policies",
     .help = "the policy that counts: the one that allows the larger or the smaller change, or no "
             "change at all"},
    {.name = "policies",
     .kind = WS_PARAMETER_MAP_LIST,
     .offset = offsetof(ws_hpa_direction_parameters, policies),
     .present_offset = offsetof(ws_hpa_direction_parameters, has_policies),
     .table = &policy_table,
     .help = "limits of the pace; without them 4 pods or 100 percent in 15s upward, 100 percent in "
             "15s downward"},
    {.name = "tolerance",
     .kind = WS_PARAMETER_PERCENT,
     .offset = offsetof(ws_hpa_direction_parameters, tolerance),
     .present_offset = offsetof(ws_hpa_direction_parameters, has_tolerance),
     .help = "this direction's own tolerance"},
};

static const ws_parameter_table direction_table = {
    .noun = "scaling behaviour",
    .rows = direction_rows,
    .count = WS_COUNT_OF(direction_rows),
    .bytes = sizeof(ws_hpa_direction_parameters),
};

static const ws_parameter hpa_rows[] = {
    {.kind = WS_PARAMETER_SELF, .offset = offsetof(ws_hpa_parameters, self)},
    {.name = "manifest",
     .kind = WS_PARAMETER_DOCUMENT,
     .offset = offsetof(ws_hpa_parameters, manifest),
     .file_kind = "HorizontalPodAutoscaler",
     .help = "a HorizontalPodAutoscaler as it is deployed, or the path of one (FILE, or FILE#NAME "
             "where the file holds several); instead of `min`, `max`, the list of `metrics`, "
             "`scale_up` and `scale_down`"},
    {.name = "metrics",
     .kind = WS_PARAMETER_MAP_LIST,
     .offset = offsetof(ws_hpa_parameters, metrics),
     .map_offset = offsetof(ws_hpa_parameters, mapping),
     .table = &metric_table,
     .help =
         "1 to 8; the largest size that one of them proposes counts; with a manifest a map that "
         "says what its metrics are here, {NAME: {from: METRIC, series: per_replica}}, `series` "
         "being `per_replica` (one value each) or `average` (one over all)"},
    {.name = "min",
     .kind = WS_PARAMETER_INTEGER,
     .offset = offsetof(ws_hpa_parameters, replicas_min),
     .present_offset = offsetof(ws_hpa_parameters, has_min),
     .help = "smallest size, 1 if not given; 0 only with an external metric"},
    {.name = "max",
     .kind = WS_PARAMETER_INTEGER,
     .offset = offsetof(ws_hpa_parameters, replicas_max),
     .present_offset = offsetof(ws_hpa_parameters, has_max),
     .help = "largest size; required without a manifest"},
    {.name = "tolerance",
     .kind = WS_PARAMETER_PERCENT,
     .offset = offsetof(ws_hpa_parameters, tolerance),
     .default_text = "10%",
     .help = "how far a metric may be from its target without a change"},
    {.name = "tolerance_test",
     .kind = WS_PARAMETER_CHOICE,
     .offset = offsetof(ws_hpa_parameters, tolerance_test),
     .default_text = "closed",
     .choices = tolerance_test_names,
     .choice_noun = "a test of the tolerance",
     .help =
         "`closed` as from Kubernetes 1.33 on, `absolute` as before; they differ at exactly 1.1"},
    {.name = "sync_period",
     .kind = WS_PARAMETER_DURATION,
     .offset = offsetof(ws_hpa_parameters, sync_period),
     .default_text = "15s",
     .min = "1s",
     .max = "1h",
     .help = "time between two decisions; a flag of the controller, as are the next three"},
    {.name = "downscale_stabilization",
     .kind = WS_PARAMETER_DURATION,
     .offset = offsetof(ws_hpa_parameters, downscale_stabilization),
     .default_text = "5m",
     .max = "24h",
     .help = "time for which the largest recommendation holds, where `scale_down` says nothing"},
    {.name = "initial_readiness_delay",
     .kind = WS_PARAMETER_DURATION,
     .offset = offsetof(ws_hpa_parameters, initial_readiness_delay),
     .default_text = "30s",
     .help = "time after its start in which a pod that loses readiness was never ready"},
    {.name = "cpu_initialization_period",
     .kind = WS_PARAMETER_DURATION,
     .offset = offsetof(ws_hpa_parameters, cpu_initialization_period),
     .default_text = "5m",
     .help = "time after its start in which a pod's cpu counts only once it is ready for a whole "
             "window"},
    {.name = "scale_up",
     .kind = WS_PARAMETER_OPTIONAL_MAP,
     .offset = offsetof(ws_hpa_parameters, scale_up),
     .table = &direction_table,
     .help = "behaviour upward; giving either one makes both, completed by Kubernetes' defaults"},
    {.name = "scale_down",
     .kind = WS_PARAMETER_OPTIONAL_MAP,
     .offset = offsetof(ws_hpa_parameters, scale_down),
     .table = &direction_table,
     .help = "behaviour downward"},
};

const ws_parameter_table ws_hpa_parameter_table = {
    .noun = "hpa",
    .rows = hpa_rows,
    .count = WS_COUNT_OF(hpa_rows),
    .bytes = sizeof(ws_hpa_parameters),
};

/* What the API server puts in where a behaviour leaves the policies out. */
static const ws_hpa_policy default_up[] = {
    {.kind = WS_HPA_POLICY_PODS, .value = 4, .period = {.ns = 15 * WS_NS_PER_S}},
    {.kind = WS_HPA_POLICY_PERCENT, .value = 100, .period = {.ns = 15 * WS_NS_PER_S}},
};
static const ws_hpa_policy default_down[] = {
    {.kind = WS_HPA_POLICY_PERCENT, .value = 100, .period = {.ns = 15 * WS_NS_PER_S}},
};

ws_hpa_tolerance ws_hpa_tolerance_of(const ws_hpa_parameters *parameters)
{
    const ws_hpa_direction_parameters *up = parameters->scale_up;
    const ws_hpa_direction_parameters *down = parameters->scale_down;

    WS_ASSERT(parameters->tolerance >= 0.0);

    return (ws_hpa_tolerance){
        .up = up != NULL && up->has_tolerance ? up->tolerance : parameters->tolerance,
        .down = down != NULL && down->has_tolerance ? down->tolerance : parameters->tolerance,
        .is_absolute = parameters->tolerance_test == 1,
    };
}

/* The policies of a list, in `arena`; NULL when it is exhausted. */
static const ws_hpa_policy *hpa_policies_of(const ws_list *given, ws_arena *arena)
{
    const ws_hpa_policy_parameters *items = given->items;
    ws_hpa_policy *policies = ws_arena_alloc(arena, ws_hpa_policy, given->count);

    for (size_t i = 0; i < given->count && policies != NULL; i++) {
        WS_ASSERT(items[i].has_pods != items[i].has_percent);
        policies[i] = (ws_hpa_policy){
            .kind = items[i].has_pods ? WS_HPA_POLICY_PODS : WS_HPA_POLICY_PERCENT,
            .value = (int32_t)(items[i].has_pods ? items[i].pods : items[i].percent),
            .period = items[i].period,
        };
    }
    return policies;
}

/* Completes `rules`, which hold the defaults, with what is given. */
static bool hpa_rules_of(const ws_hpa_direction_parameters *given, ws_arena *arena,
                         ws_hpa_rules *rules)
{
    WS_ASSERT(rules->policy_count > 0);

    if (given == NULL) {
        return true;
    }
    if (given->has_stabilization) {
        rules->window = given->stabilization;
    }
    rules->select = (ws_hpa_select)given->select;
    if (given->has_policies) {
        rules->policies = hpa_policies_of(&given->policies, arena);
        rules->policy_count = given->policies.count;
    }
    return rules->policies != NULL;
}

bool ws_hpa_settings_of(const ws_hpa_parameters *parameters, ws_arena *arena,
                        ws_hpa_settings *settings)
{
    ws_hpa_settings made = {
        .replicas_min = (int32_t)parameters->replicas_min,
        .replicas_max = (int32_t)parameters->replicas_max,
        .has_behaviour = parameters->scale_up != NULL || parameters->scale_down != NULL,
        .up = {.policies = default_up, .policy_count = WS_COUNT_OF(default_up)},
        .down = {.window = parameters->downscale_stabilization,
                 .policies = default_down,
                 .policy_count = WS_COUNT_OF(default_down)},
        .downscale_stabilization = parameters->downscale_stabilization,
        .scale_up_factor = SCALE_UP_FACTOR,
        .scale_up_minimum = SCALE_UP_MINIMUM,
        .scales_from_zero = true,
    };

    WS_ASSERT(parameters->replicas_max <= INT32_MAX);
    WS_ASSERT(parameters->replicas_min <= parameters->replicas_max);

    for (size_t i = 0; i < parameters->stated_count; i++) {
        made.has_outside_metric =
            made.has_outside_metric || parameters->stated[i].query.source == WS_QUERY_EXTERNAL;
    }
    if (!hpa_rules_of(parameters->scale_up, arena, &made.up) ||
        !hpa_rules_of(parameters->scale_down, arena, &made.down)) {
        return false;
    }
    *settings = made;
    return true;
}

static ws_duration hpa_longest_period(const ws_hpa_rules *rules, ws_duration longest)
{
    for (size_t i = 0; i < rules->policy_count; i++) {
        longest = rules->policies[i].period.ns > longest.ns ? rules->policies[i].period : longest;
    }
    return longest;
}

bool ws_hpa_memory_of(const ws_hpa_parameters *parameters, const ws_hpa_settings *settings,
                      ws_arena *arena, ws_hpa_memory *memory)
{
    ws_duration window = settings->downscale_stabilization;
    ws_duration period = hpa_longest_period(&settings->up, (ws_duration){.ns = 0});

    WS_ASSERT(parameters->sync_period.ns > 0);

    period = hpa_longest_period(&settings->down, period);
    if (settings->has_behaviour) {
        window = settings->up.window.ns > settings->down.window.ns ? settings->up.window
                                                                   : settings->down.window;
    }
    return ws_hpa_memory_init(memory, ws_hpa_room(window, parameters->sync_period),
                              ws_hpa_room(period, parameters->sync_period), arena);
}
