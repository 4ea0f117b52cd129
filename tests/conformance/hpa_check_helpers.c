/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One metric's proposal, and the building blocks of it. */
#include <string.h>

#include "ws/assert.h"

#include "hpa_check_json.h"
#include "hpa_request.h"

#define CONTAINERS_MAX 16

static ws_hpa_tolerance helper_tolerance(const json_t *vector)
{
    const json_t *both = json_object_get(vector, "tolerances");

    return (ws_hpa_tolerance){
        .up = ws_hpa_json_f64(both, "up", 0.1),
        .down = ws_hpa_json_f64(both, "down", 0.1),
    };
}

static ws_hpa_pod helper_pod(const json_t *object)
{
    ws_hpa_pod pod = ws_hpa_json_pod(object);

    pod.has_value = ws_hpa_json_has(object, "metric_value");
    pod.value = ws_hpa_json_i64(object, "metric_value", 0);
    pod.value_window = ws_hpa_json_span(object, "metric_window_s", 60);
    pod.value_age = ws_hpa_json_span(object, "metric_age_s", 0);
    pod.has_request = ws_hpa_json_has(object, "request_milli");
    pod.request = ws_hpa_json_i64(object, "request_milli", 0);
    return pod;
}

static ws_hpa_tally helper_tally(const json_t *vector, const ws_hpa_metric *metric)
{
    const json_t *pods = json_object_get(vector, "pods");
    const json_t *strays = json_object_get(vector, "extra_metric_values");
    const json_t *values = json_object_get(vector, "metric_values");
    ws_hpa_readiness readiness = ws_hpa_json_readiness(vector);
    ws_hpa_tally tally = {0};

    for (size_t i = 0; i < json_array_size(pods); i++) {
        ws_hpa_pod pod = helper_pod(json_array_get(pods, i));

        ws_hpa_tally_add_pod(&tally, metric, &readiness, &pod);
    }
    for (size_t i = 0; i < json_array_size(strays); i++) {
        ws_hpa_tally_add_stray(&tally, metric, json_integer_value(json_array_get(strays, i)));
    }
    for (size_t i = 0; i < json_array_size(values); i++) {
        ws_hpa_tally_add_series(&tally, json_integer_value(json_array_get(values, i)));
    }
    if (ws_hpa_json_has(vector, "metric_total")) {
        ws_hpa_tally_add_series(&tally, ws_hpa_json_i64(vector, "metric_total", 0));
    }
    return tally;
}

void ws_hpa_check_replicas(const json_t *vector, ws_hpa_check *check)
{
    const json_t *expected = json_object_get(vector, "expected");
    ws_hpa_metric metric = ws_hpa_json_metric(json_object_get(vector, "metric"));
    ws_hpa_tally tally = helper_tally(vector, &metric);
    ws_hpa_tolerance tolerance = helper_tolerance(vector);
    int64_t wanted = ws_hpa_json_i64(vector, "current_replicas", 0);
    ws_hpa_scale scale = {
        .wanted = (int32_t)wanted,
        .existing = (int32_t)ws_hpa_json_i64(vector, "status_replicas", wanted),
    };
    ws_hpa_proposal proposal = ws_hpa_propose(&metric, &tally, &scale, &tolerance);

    ws_hpa_check_i64(check, "error", ws_hpa_json_bool(expected, "error"),
                     proposal.fault != WS_HPA_NO_FAULT);
    ws_hpa_check_i64(check, "replicas", ws_hpa_json_i64(expected, "replicas", 0),
                     proposal.replicas);
    ws_hpa_check_i64(check, "utilization", ws_hpa_json_i64(expected, "utilization", 0),
                     proposal.utilization);
    ws_hpa_check_i64(check, "usage_milli", ws_hpa_json_i64(expected, "usage_milli", 0),
                     proposal.usage);
}

/* Whether a list of indexes names this one. */
static bool helper_lists(const json_t *list, size_t index)
{
    for (size_t i = 0; i < json_array_size(list); i++) {
        if (json_integer_value(json_array_get(list, i)) == (json_int_t)index) {
            return true;
        }
    }
    return false;
}

void ws_hpa_check_group_pods(const json_t *vector, ws_hpa_check *check)
{
    static const char *const names[] = {
        [WS_HPA_GROUP_IGNORED] = "ignored",
        [WS_HPA_GROUP_UNREADY] = "unready",
        [WS_HPA_GROUP_MISSING] = "missing",
    };
    const json_t *pods = json_object_get(vector, "pods");
    const json_t *expected = json_object_get(vector, "expected");
    ws_hpa_readiness readiness = ws_hpa_json_readiness(vector);
    ws_hpa_metric metric = ws_hpa_json_metric(vector);
    int64_t counted = 0;

    metric.source = WS_HPA_RESOURCE;
    for (size_t i = 0; i < json_array_size(pods); i++) {
        ws_hpa_pod pod = helper_pod(json_array_get(pods, i));
        ws_hpa_group group = ws_hpa_group_of(&metric, &readiness, &pod);

        counted += group == WS_HPA_GROUP_COUNTED ? 1 : 0;
        for (size_t j = 0; j < WS_COUNT_OF(names); j++) {
            ws_hpa_check_i64(check, names[j], helper_lists(json_object_get(expected, names[j]), i),
                             group == j);
        }
    }
    ws_hpa_check_i64(check, "ready_count", ws_hpa_json_i64(expected, "ready_count", 0), counted);
}

/* The request listed under a key, or NULL. */
static const json_t *helper_request(const json_t *requests, const char *key)
{
    for (size_t i = 0; i < json_array_size(requests) && key != NULL; i++) {
        const json_t *entry = json_array_get(requests, i);
        const char *other = ws_hpa_json_text(entry, "key");

        if (other != NULL && strcmp(other, key) == 0) {
            return entry;
        }
    }
    return NULL;
}

/* With requests the ratio is one of utilisation; the same form without them is one of plain values.
 */
void ws_hpa_check_utilization(const json_t *vector, ws_hpa_check *check)
{
    const json_t *samples = json_object_get(vector, "metrics");
    const json_t *requests = json_object_get(vector, "requests");
    const json_t *expected = json_object_get(vector, "expected");
    ws_hpa_metric metric = {
        .source = requests == NULL ? WS_HPA_PODS : WS_HPA_RESOURCE,
        .target_kind = requests == NULL ? WS_HPA_AVERAGE_VALUE : WS_HPA_UTILIZATION,
        .target = ws_hpa_json_i64(vector, "target", 0),
    };
    ws_hpa_sums sums = {0};
    double ratio = 0;
    int32_t utilization = 0;
    int64_t usage = 0;
    bool found = false;

    for (size_t i = 0; i < json_array_size(samples); i++) {
        const json_t *sample = json_array_get(samples, i);
        const json_t *entry = helper_request(requests, ws_hpa_json_text(sample, "key"));
        int64_t request = ws_hpa_json_i64(entry, "request_milli", 0);

        ws_hpa_sums_add(&sums, metric.target_kind, ws_hpa_json_i64(sample, "value", 0),
                        entry == NULL ? NULL : &request);
    }
    found = ws_hpa_sums_ratio(&sums, &metric, &ratio, &utilization, &usage);
    ws_hpa_check_i64(check, "error", ws_hpa_json_bool(expected, "error"), !found);
    ws_hpa_check_i64(check, "utilization", ws_hpa_json_i64(expected, "utilization", 0),
                     utilization);
    ws_hpa_check_i64(check, "usage_milli", ws_hpa_json_i64(expected, "usage_milli", 0), usage);
    if (found && ws_hpa_json_f64(expected, "ratio", 0) != ratio) {
        ws_hpa_check_note(check, "ratio: expected %.17g, got %.17g",
                          ws_hpa_json_f64(expected, "ratio", 0), ratio);
    }
}

void ws_hpa_check_per_pod_usage(const json_t *vector, ws_hpa_check *check)
{
    const json_t *expected = json_object_get(vector, "expected");
    int64_t total = ws_hpa_json_i64(vector, "total", 0);
    int32_t existing = (int32_t)ws_hpa_json_i64(vector, "status_replicas", 0);

    ws_hpa_check_i64(check, "usage_milli", ws_hpa_json_i64(expected, "usage_milli", 0),
                     ws_hpa_usage_each(total, existing));
}

void ws_hpa_check_pod_request(const json_t *vector, ws_hpa_check *check)
{
    const json_t *expected = json_object_get(vector, "expected");
    const json_t *list = json_object_get(vector, "containers");
    ws_hpa_container containers[CONTAINERS_MAX] = {0};
    ws_hpa_pod_spec pod = {.containers = containers, .container_count = json_array_size(list)};
    int64_t request = 0;
    bool found = false;

    WS_ASSERT(pod.container_count <= CONTAINERS_MAX);
    for (size_t i = 0; i < pod.container_count; i++) {
        const json_t *entry = json_array_get(list, i);

        containers[i] = (ws_hpa_container){
            .name = ws_text_of(ws_hpa_json_text(entry, "name")),
            .is_init = ws_hpa_json_bool(entry, "init"),
            .is_restartable = ws_hpa_json_bool(entry, "restartable"),
            .has_request = ws_hpa_json_has(entry, "request_milli"),
            .request = ws_hpa_json_i64(entry, "request_milli", 0),
        };
    }
    pod.has_request = ws_hpa_json_bool(vector, "pod_level_resources") &&
                      ws_hpa_json_has(vector, "pod_request_milli");
    pod.request = ws_hpa_json_i64(vector, "pod_request_milli", 0);
    found = ws_hpa_pod_request(&pod, ws_text_of(ws_hpa_json_text(vector, "container")), &request);
    ws_hpa_check_i64(check, "error", ws_hpa_json_bool(expected, "error"), !found);
    ws_hpa_check_i64(check, "request_milli", ws_hpa_json_i64(expected, "request_milli", 0),
                     request);
}

void ws_hpa_check_tolerance(const json_t *vector, ws_hpa_check *check)
{
    const json_t *expected = json_object_get(vector, "expected");
    ws_hpa_tolerance tolerance = helper_tolerance(vector);
    double ratio =
        ws_hpa_json_f64(vector, "ratio_num", 0) / ws_hpa_json_f64(vector, "ratio_den", 1);

    ws_hpa_check_i64(check, "within", ws_hpa_json_bool(expected, "within"),
                     ws_hpa_is_within(&tolerance, ratio));
}
