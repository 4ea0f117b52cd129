/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whole runs of the controller, one and many. */
#include <string.h>

#include "ws/arena.h"
#include "ws/assert.h"

#include "hpa_check_json.h"

#define ENTRIES_MAX 512

/* An autoscaler as a vector describes it. */
typedef struct {
    ws_arena arena;
    ws_hpa_memory memory;
    ws_hpa_settings settings;
    ws_hpa_readiness readiness;
    ws_hpa_tolerance tolerance;
    ws_hpa_check_rules up;
    ws_hpa_check_rules down;
} autoscaler;

/* A behaviour's tolerance counts only while its gate is on. */
static void autoscaler_tolerance(autoscaler *hpa, const json_t *behavior, const json_t *vector,
                                 double flag)
{
    const json_t *gates = json_object_get(vector, "gates");
    const json_t *up = json_object_get(behavior, "scale_up");
    const json_t *down = json_object_get(behavior, "scale_down");

    hpa->tolerance = (ws_hpa_tolerance){.up = flag, .down = flag};
    if (gates == NULL || ws_hpa_json_bool(gates, "configurable_tolerance")) {
        hpa->tolerance.up = ws_hpa_json_f64(up, "tolerance", flag);
        hpa->tolerance.down = ws_hpa_json_f64(down, "tolerance", flag);
    }
}

static void autoscaler_open(autoscaler *hpa, const json_t *vector)
{
    const json_t *controller = json_object_get(vector, "controller");
    const json_t *spec = json_object_get(vector, "spec");
    const json_t *behavior = json_object_get(spec, "behavior");
    ws_duration flag = ws_hpa_json_span(controller, "downscale_stabilization_s", 300);
    bool fits = false;

    *hpa = (autoscaler){0};
    ws_arena_init(&hpa->arena, &ws_allocator_default, (size_t)1 << 20);
    fits = ws_hpa_memory_init(&hpa->memory, ENTRIES_MAX, ENTRIES_MAX, &hpa->arena);
    WS_ASSERT(fits);
    ws_hpa_json_recommendations(&hpa->memory, json_object_get(vector, "recommendations"));
    ws_hpa_json_events(&hpa->memory.ups, json_object_get(vector, "scale_up_events"));
    ws_hpa_json_events(&hpa->memory.downs, json_object_get(vector, "scale_down_events"));
    ws_hpa_json_rules(&hpa->up, json_object_get(behavior, "scale_up"), WS_HPA_UP, flag);
    ws_hpa_json_rules(&hpa->down, json_object_get(behavior, "scale_down"), WS_HPA_DOWN, flag);
    autoscaler_tolerance(hpa, behavior, vector, ws_hpa_json_f64(controller, "tolerance", 0.1));
    hpa->readiness = ws_hpa_json_readiness(controller);
    hpa->settings = (ws_hpa_settings){
        .replicas_min = (int32_t)ws_hpa_json_i64(spec, "min_replicas", 1),
        .replicas_max = (int32_t)ws_hpa_json_i64(spec, "max_replicas", 0),
        .has_behaviour = json_is_object(behavior),
        .up = hpa->up.rules,
        .down = hpa->down.rules,
        .downscale_stabilization = flag,
        .scale_up_factor = ws_hpa_json_f64(controller, "scale_up_limit_factor", 2),
        .scale_up_minimum = ws_hpa_json_f64(controller, "scale_up_limit_minimum", 4),
        .scales_from_zero = ws_hpa_json_bool(json_object_get(vector, "gates"), "scale_to_zero"),
    };
}

static ws_hpa_tally reconcile_tally(const json_t *vector, const json_t *entry,
                                    const ws_hpa_metric *metric, const ws_hpa_readiness *readiness)
{
    const json_t *pods = json_object_get(vector, "pods");
    const json_t *samples = json_object_get(entry, "pods");
    const json_t *strays = json_object_get(entry, "extra_values");
    const json_t *values = json_object_get(entry, "values");
    ws_hpa_tally tally = {0};

    for (size_t i = 0; i < json_array_size(pods); i++) {
        const json_t *sample = json_array_get(samples, i);
        ws_hpa_pod pod = ws_hpa_json_pod(json_array_get(pods, i));

        pod.has_value = ws_hpa_json_has(sample, "value");
        pod.value = ws_hpa_json_i64(sample, "value", 0);
        pod.value_window = ws_hpa_json_span(sample, "window_s", 60);
        pod.value_age = ws_hpa_json_span(sample, "age_s", 0);
        pod.has_request = ws_hpa_json_has(sample, "request_milli");
        pod.request = ws_hpa_json_i64(sample, "request_milli", 0);
        ws_hpa_tally_add_pod(&tally, metric, readiness, &pod);
    }
    for (size_t i = 0; i < json_array_size(strays); i++) {
        ws_hpa_tally_add_stray(&tally, metric, json_integer_value(json_array_get(strays, i)));
    }
    for (size_t i = 0; i < json_array_size(values); i++) {
        ws_hpa_tally_add_series(&tally, json_integer_value(json_array_get(values, i)));
    }
    if (ws_hpa_json_has(entry, "value")) {
        ws_hpa_tally_add_series(&tally, ws_hpa_json_i64(entry, "value", 0));
    }
    return tally;
}

static ws_hpa_proposal reconcile_proposal(const autoscaler *hpa, const json_t *vector,
                                          const json_t *entry)
{
    const char *selector = ws_hpa_json_text(vector, "selector_error");
    ws_hpa_metric metric = ws_hpa_json_metric(entry);
    ws_hpa_scale scale = {
        .wanted = (int32_t)ws_hpa_json_i64(vector, "spec_replicas", 0),
        .existing = (int32_t)ws_hpa_json_i64(vector, "status_replicas", 0),
    };
    ws_hpa_tally tally = reconcile_tally(vector, entry, &metric, &hpa->readiness);

    if (selector != NULL) {
        /* The pods cannot be told: every metric fails, whatever it is. */
        ws_hpa_proposal none = ws_hpa_propose_nothing(&metric, WS_HPA_FETCH_FAILED);

        none.reason = strcmp(selector, "ambiguous") == 0 ? WS_HPA_AMBIGUOUS_SELECTOR
                                                         : WS_HPA_INVALID_SELECTOR;
        return none;
    }
    if (ws_hpa_json_bool(entry, "error")) {
        return ws_hpa_propose_nothing(&metric, WS_HPA_FETCH_FAILED);
    }
    return ws_hpa_propose(&metric, &tally, &scale, &hpa->tolerance);
}

static bool reconcile_lists(const json_t *conditions, ws_hpa_reason reason)
{
    for (size_t i = 0; i < json_array_size(conditions); i++) {
        const json_t *entry = json_array_get(conditions, i);
        const char *type = ws_hpa_json_text(entry, "type");
        const char *status = ws_hpa_json_text(entry, "status");
        const char *name = ws_hpa_json_text(entry, "reason");

        if (type != NULL && status != NULL && name != NULL &&
            strcmp(type, ws_hpa_reason_condition(reason)) == 0 &&
            strcmp(name, ws_hpa_reason_name(reason)) == 0) {
            return (strcmp(status, "True") == 0) == ws_hpa_reason_is_true(reason);
        }
    }
    return false;
}

/* As sets: each condition that is set is expected, and there are as many. */
static void reconcile_check_conditions(const autoscaler *hpa, const ws_hpa_outcome *outcome,
                                       const json_t *expected, ws_hpa_check *check)
{
    const json_t *conditions = json_object_get(expected, "conditions");
    ws_hpa_reason reasons[] = {outcome->able, outcome->active, outcome->limited,
                               hpa->memory.scaled_to_zero};
    int64_t count = 0;

    for (size_t i = 0; i < WS_COUNT_OF(reasons); i++) {
        if (reasons[i] == WS_HPA_REASON_NONE) {
            continue;
        }
        count++;
        if (!reconcile_lists(conditions, reasons[i])) {
            ws_hpa_check_note(check, "condition %s/%s is not expected",
                              ws_hpa_reason_condition(reasons[i]), ws_hpa_reason_name(reasons[i]));
        }
    }
    ws_hpa_check_i64(check, "conditions", (int64_t)json_array_size(conditions), count);
}

static void reconcile_check(const autoscaler *hpa, const ws_hpa_outcome *outcome,
                            const json_t *expected, ws_hpa_check *check)
{
    static const char *const rescales[] = {
        [WS_HPA_RESCALE_NONE] = "none",
        [WS_HPA_RESCALE_ABOVE_TARGET] = "above_target",
        [WS_HPA_RESCALE_BELOW_TARGET] = "below_target",
        [WS_HPA_RESCALE_ABOVE_MAX] = "above_max",
        [WS_HPA_RESCALE_BELOW_MIN] = "below_min",
    };

    ws_hpa_check_i64(check, "desired_replicas",
                     ws_hpa_json_i64(expected, "desired_replicas", INT64_MIN), outcome->replicas);
    ws_hpa_check_i64(check, "rescale", ws_hpa_json_bool(expected, "rescale"), outcome->is_rescale);
    ws_hpa_check_i64(check, "error", ws_hpa_json_bool(expected, "error"), outcome->is_failed);
    if (outcome->is_rescale) {
        ws_hpa_check_name(check, "rescale_reason", ws_hpa_json_text(expected, "rescale_reason"),
                          rescales[outcome->rescale]);
    }
    reconcile_check_conditions(hpa, outcome, expected, check);
}

static void reconcile_initial_conditions(autoscaler *hpa, const json_t *vector)
{
    const json_t *conditions = json_object_get(vector, "initial_conditions");

    if (reconcile_lists(conditions, WS_HPA_SCALED_TO_ZERO)) {
        hpa->memory.scaled_to_zero = WS_HPA_SCALED_TO_ZERO;
    } else if (reconcile_lists(conditions, WS_HPA_NOT_SCALED_TO_ZERO)) {
        hpa->memory.scaled_to_zero = WS_HPA_NOT_SCALED_TO_ZERO;
    }
}

void ws_hpa_check_reconcile(const json_t *vector, ws_hpa_check *check)
{
    const json_t *metrics = json_object_get(json_object_get(vector, "spec"), "metrics");
    ws_hpa_proposal proposals[WS_HPA_METRICS_MAX];
    ws_hpa_situation situation = {
        .exists = !ws_hpa_json_bool(vector, "scale_get_error"),
        .wanted = (int32_t)ws_hpa_json_i64(vector, "spec_replicas", 0),
        .proposals = proposals,
        .proposal_count = json_array_size(metrics),
        .now = WS_HPA_CHECK_NOW,
    };
    autoscaler hpa;
    ws_hpa_outcome outcome = {0};

    WS_ASSERT(situation.proposal_count <= WS_HPA_METRICS_MAX);
    autoscaler_open(&hpa, vector);
    reconcile_initial_conditions(&hpa, vector);
    for (size_t i = 0; i < situation.proposal_count; i++) {
        const json_t *entry = json_array_get(metrics, i);
        ws_hpa_source source = ws_hpa_json_metric(entry).source;

        proposals[i] = reconcile_proposal(&hpa, vector, entry);
        hpa.settings.has_outside_metric =
            hpa.settings.has_outside_metric || source == WS_HPA_OBJECT || source == WS_HPA_EXTERNAL;
    }
    outcome = ws_hpa_reconcile(&hpa.memory, &hpa.settings, &situation);
    if (outcome.is_rescale && ws_hpa_json_bool(vector, "scale_update_error")) {
        ws_hpa_rescale_failed(&outcome);
    } else if (outcome.is_rescale) {
        ws_hpa_rescaled(&hpa.memory, &hpa.settings, &outcome, outcome.replicas, situation.now);
    }
    reconcile_check(&hpa, &outcome, json_object_get(vector, "expected"), check);
    ws_arena_reset(&hpa.arena);
}

static void sequence_check_tick(const ws_hpa_outcome *outcome, const json_t *expected,
                                ws_hpa_check *check)
{
    ws_hpa_check_i64(check, "replicas", ws_hpa_json_i64(expected, "replicas", INT64_MIN),
                     outcome->replicas);
    ws_hpa_check_name(check, "stabilization_reason",
                      ws_hpa_json_text(expected, "stabilization_reason"),
                      ws_hpa_reason_name(outcome->stabilisation));
    ws_hpa_check_name(check, "limit_reason", ws_hpa_json_text(expected, "limit_reason"),
                      ws_hpa_reason_name(outcome->limited));
}

void ws_hpa_check_sequence(const json_t *vector, ws_hpa_check *check)
{
    const json_t *ticks = json_object_get(vector, "ticks");
    const json_t *expected = json_object_get(json_object_get(vector, "expected"), "ticks");
    int32_t wanted = (int32_t)ws_hpa_json_i64(vector, "initial_replicas", 0);
    autoscaler hpa;

    autoscaler_open(&hpa, vector);
    ws_hpa_check_i64(check, "ticks", (int64_t)json_array_size(expected),
                     (int64_t)json_array_size(ticks));
    for (size_t i = 0; i < json_array_size(ticks) && check->length == 0; i++) {
        const json_t *tick = json_array_get(ticks, i);
        ws_hpa_proposal proposal = {.reason = WS_HPA_VALID_METRIC_FOUND,
                                    .replicas = (int32_t)ws_hpa_json_i64(tick, "raw_desired", 0)};
        ws_hpa_situation situation = {
            .exists = true,
            .wanted = wanted,
            .proposals = &proposal,
            .proposal_count = 1,
            .now = {.ns = ws_hpa_json_span(tick, "t_s", 0).ns},
        };
        ws_hpa_outcome outcome = ws_hpa_reconcile(&hpa.memory, &hpa.settings, &situation);

        if (outcome.is_rescale) {
            ws_hpa_rescaled(&hpa.memory, &hpa.settings, &outcome, outcome.replicas, situation.now);
        }
        sequence_check_tick(&outcome, json_array_get(expected, i), check);
        if (check->length > 0) {
            ws_hpa_check_note(check, "at %lld s", (long long)ws_hpa_json_i64(tick, "t_s", 0));
        }
        wanted = outcome.replicas;
    }
    ws_arena_reset(&hpa.arena);
}
