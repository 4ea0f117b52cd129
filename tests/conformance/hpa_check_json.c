/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hpa_check_json.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "ws/assert.h"

void ws_hpa_check_note(ws_hpa_check *check, const char *format, ...)
{
    va_list arguments;
    size_t room = sizeof check->text - check->length;
    int added = 0;

    if (check->length > 0 && room > 3) {
        memcpy(check->text + check->length, "; ", 3);
        check->length += 2;
        room -= 2;
    }
    va_start(arguments, format);
    added = vsnprintf(check->text + check->length, room, format, arguments);
    va_end(arguments);
    WS_ASSERT(added >= 0);
    check->length += (size_t)added < room ? (size_t)added : room - 1;
}

void ws_hpa_check_i64(ws_hpa_check *check, const char *what, int64_t expected, int64_t got)
{
    if (expected != got) {
        ws_hpa_check_note(check, "%s: expected %lld, got %lld", what, (long long)expected,
                          (long long)got);
    }
}

void ws_hpa_check_name(ws_hpa_check *check, const char *what, const char *expected, const char *got)
{
    const char *wanted = expected == NULL ? "" : expected;
    const char *found = got == NULL ? "" : got;

    if (strcmp(wanted, found) != 0) {
        ws_hpa_check_note(check, "%s: expected '%s', got '%s'", what, wanted, found);
    }
}

bool ws_hpa_json_has(const json_t *object, const char *key)
{
    const json_t *member = json_object_get(object, key);

    return member != NULL && !json_is_null(member);
}

int64_t ws_hpa_json_i64(const json_t *object, const char *key, int64_t otherwise)
{
    return ws_hpa_json_has(object, key) ? json_integer_value(json_object_get(object, key))
                                        : otherwise;
}

double ws_hpa_json_f64(const json_t *object, const char *key, double otherwise)
{
    return ws_hpa_json_has(object, key) ? json_number_value(json_object_get(object, key))
                                        : otherwise;
}

bool ws_hpa_json_bool(const json_t *object, const char *key)
{
    return json_is_true(json_object_get(object, key));
}

const char *ws_hpa_json_text(const json_t *object, const char *key)
{
    return json_string_value(json_object_get(object, key));
}

ws_duration ws_hpa_json_span(const json_t *object, const char *key, int64_t otherwise_s)
{
    return (ws_duration){.ns = ws_hpa_json_i64(object, key, otherwise_s) * WS_NS_PER_S};
}

/* Index of a name in a list, or `otherwise`. */
static int json_index(const char *name, const char *const *names, size_t count, int otherwise)
{
    for (size_t i = 0; i < count && name != NULL; i++) {
        if (strcmp(name, names[i]) == 0) {
            return (int)i;
        }
    }
    return otherwise;
}

ws_hpa_metric ws_hpa_json_metric(const json_t *object)
{
    static const char *const sources[] = {
        [WS_HPA_RESOURCE] = "Resource", [WS_HPA_CONTAINER_RESOURCE] = "ContainerResource",
        [WS_HPA_PODS] = "Pods",         [WS_HPA_OBJECT] = "Object",
        [WS_HPA_EXTERNAL] = "External",
    };
    static const char *const kinds[] = {
        [WS_HPA_UTILIZATION] = "Utilization",
        [WS_HPA_AVERAGE_VALUE] = "AverageValue",
        [WS_HPA_VALUE] = "Value",
    };
    const char *resource = ws_hpa_json_text(object, "resource");

    return (ws_hpa_metric){
        .source = (ws_hpa_source)json_index(ws_hpa_json_text(object, "type"), sources,
                                            WS_COUNT_OF(sources), WS_HPA_UNKNOWN_SOURCE),
        .target_kind = (ws_hpa_target_kind)json_index(ws_hpa_json_text(object, "target_type"),
                                                      kinds, WS_COUNT_OF(kinds), WS_HPA_VALUE),
        .is_cpu = resource != NULL && strcmp(resource, "cpu") == 0,
        .target = ws_hpa_json_i64(object, "target", 0),
    };
}

ws_hpa_pod ws_hpa_json_pod(const json_t *object)
{
    static const char *const phases[] = {
        [WS_HPA_POD_PENDING] = "Pending",
        [WS_HPA_POD_RUNNING] = "Running",
        [WS_HPA_POD_SUCCEEDED] = "Succeeded",
        [WS_HPA_POD_FAILED] = "Failed",
    };
    ws_hpa_pod pod = {
        .phase = (ws_hpa_phase)json_index(ws_hpa_json_text(object, "phase"), phases,
                                          WS_COUNT_OF(phases), WS_HPA_POD_RUNNING),
        .ready = WS_HPA_READY_ABSENT,
        .deleted = ws_hpa_json_bool(object, "deleted"),
        .has_start = ws_hpa_json_has(object, "start_age_s"),
        .start_age = ws_hpa_json_span(object, "start_age_s", 0),
        .ready_age = ws_hpa_json_span(object, "ready_transition_age_s", 0),
    };

    if (ws_hpa_json_has(object, "ready")) {
        pod.ready = ws_hpa_json_bool(object, "ready") ? WS_HPA_READY_TRUE : WS_HPA_READY_FALSE;
    }
    return pod;
}

ws_hpa_readiness ws_hpa_json_readiness(const json_t *object)
{
    return (ws_hpa_readiness){
        .cpu_initialization_period = ws_hpa_json_span(object, "cpu_initialization_period_s", 120),
        .initial_readiness_delay = ws_hpa_json_span(object, "initial_readiness_delay_s", 10),
    };
}

static void json_default_policies(ws_hpa_check_rules *filled, ws_hpa_direction direction)
{
    ws_duration period = {.ns = 15 * WS_NS_PER_S};

    if (direction == WS_HPA_UP) {
        filled->policies[0] = (ws_hpa_policy){WS_HPA_POLICY_PODS, 4, period};
        filled->policies[1] = (ws_hpa_policy){WS_HPA_POLICY_PERCENT, 100, period};
        filled->rules.policy_count = 2;
    } else {
        filled->policies[0] = (ws_hpa_policy){WS_HPA_POLICY_PERCENT, 100, period};
        filled->rules.policy_count = 1;
    }
}

void ws_hpa_json_rules(ws_hpa_check_rules *filled, const json_t *object, ws_hpa_direction direction,
                       ws_duration downscale_stabilization)
{
    static const char *const selections[] = {
        [WS_HPA_SELECT_MAX] = "Max",
        [WS_HPA_SELECT_MIN] = "Min",
        [WS_HPA_SELECT_DISABLED] = "Disabled",
    };
    const json_t *policies = json_object_get(object, "policies");
    int64_t window_s = direction == WS_HPA_UP ? 0 : downscale_stabilization.ns / WS_NS_PER_S;

    *filled = (ws_hpa_check_rules){0};
    filled->rules.window = ws_hpa_json_span(object, "stabilization_window_s", window_s);
    filled->rules.select =
        (ws_hpa_select)json_index(ws_hpa_json_text(object, "select_policy"), selections,
                                  WS_COUNT_OF(selections), WS_HPA_SELECT_MAX);
    filled->rules.policies = filled->policies;
    if (!json_is_array(policies)) {
        json_default_policies(filled, direction);
        return;
    }
    filled->rules.policy_count = json_array_size(policies);
    WS_ASSERT(filled->rules.policy_count <= WS_HPA_CHECK_POLICIES_MAX);
    for (size_t i = 0; i < filled->rules.policy_count; i++) {
        const json_t *policy = json_array_get(policies, i);
        const char *type = ws_hpa_json_text(policy, "type");
        bool is_pods = type != NULL && strcmp(type, "Pods") == 0;

        filled->policies[i] = (ws_hpa_policy){
            .kind = is_pods ? WS_HPA_POLICY_PODS : WS_HPA_POLICY_PERCENT,
            .value = (int32_t)ws_hpa_json_i64(policy, "value", 0),
            .period = ws_hpa_json_span(policy, "period_s", 0),
        };
    }
}

static ws_time json_at(const json_t *entry)
{
    return (ws_time){.ns = WS_HPA_CHECK_NOW.ns - ws_hpa_json_span(entry, "age_s", 0).ns};
}

void ws_hpa_json_recommendations(ws_hpa_memory *memory, const json_t *list)
{
    memory->has_begun = json_is_array(list);
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *entry = json_array_get(list, i);

        WS_ASSERT(memory->recommendation_count < memory->recommendation_capacity);
        memory->recommendations[memory->recommendation_count] = (ws_hpa_recommendation){
            .replicas = (int32_t)ws_hpa_json_i64(entry, "replicas", 0), .at = json_at(entry)};
        memory->recommendation_count++;
    }
}

void ws_hpa_json_events(ws_hpa_events *events, const json_t *list)
{
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *entry = json_array_get(list, i);

        WS_ASSERT(events->count < events->capacity);
        events->items[events->count] = (ws_hpa_event){
            .change = (int32_t)ws_hpa_json_i64(entry, "change", 0), .at = json_at(entry)};
        events->count++;
    }
}
