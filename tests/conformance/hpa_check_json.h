/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Reading vectors, and noting what differs. */
#ifndef WS_HPA_CHECK_JSON_H
#define WS_HPA_CHECK_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "ws/assert.h"
#include "ws/time.h"

#include "hpa_check.h"
#include "hpa_normalise.h"
#include "hpa_replicas.h"

/** The time at which every vector's ages end; far enough from 0 for an age of 1e9 s. */
#define WS_HPA_CHECK_NOW ((ws_time){.ns = INT64_C(2000000000) * WS_NS_PER_S})

/** Notes a difference. */
void ws_hpa_check_note(ws_hpa_check *check, const char *format, ...) WS_PRINTF(2, 3);

/** Notes a difference of two integers, or of two names (NULL: none). */
void ws_hpa_check_i64(ws_hpa_check *check, const char *what, int64_t expected, int64_t got);
void ws_hpa_check_name(ws_hpa_check *check, const char *what, const char *expected,
                       const char *got);

/** Members of an object; absent and null give the last argument, 0, false or NULL. */
int64_t ws_hpa_json_i64(const json_t *object, const char *key, int64_t otherwise);
double ws_hpa_json_f64(const json_t *object, const char *key, double otherwise);
bool ws_hpa_json_bool(const json_t *object, const char *key);
const char *ws_hpa_json_text(const json_t *object, const char *key);
bool ws_hpa_json_has(const json_t *object, const char *key);
ws_duration ws_hpa_json_span(const json_t *object, const char *key, int64_t otherwise_s);

/** A metric from `type`, `target_type`, `target` and `resource`. */
ws_hpa_metric ws_hpa_json_metric(const json_t *object);

/** A pod's state, without sample and request. */
ws_hpa_pod ws_hpa_json_pod(const json_t *object);

/** The two flags of young pods; the defaults of the controller's tests where absent. */
ws_hpa_readiness ws_hpa_json_readiness(const json_t *object);

#define WS_HPA_CHECK_POLICIES_MAX 16

/** One direction's rules and the policies that they point at. */
typedef struct {
    ws_hpa_rules rules;
    ws_hpa_policy policies[WS_HPA_CHECK_POLICIES_MAX];
} ws_hpa_check_rules;

/** Rules as a manifest gives them, completed as the API server and the controller complete them.
 * NULL or null: the default. */
void ws_hpa_json_rules(ws_hpa_check_rules *filled, const json_t *object, ws_hpa_direction direction,
                       ws_duration downscale_stabilization);

/** Adds [{replicas, age_s}] or [{change, age_s}] to an initialised memory. */
void ws_hpa_json_recommendations(ws_hpa_memory *memory, const json_t *list);
void ws_hpa_json_events(ws_hpa_events *events, const json_t *list);

/** One run of each kind of vector. */
typedef void ws_hpa_check_run(const json_t *vector, ws_hpa_check *check);

ws_hpa_check_run ws_hpa_check_replicas;
ws_hpa_check_run ws_hpa_check_group_pods;
ws_hpa_check_run ws_hpa_check_utilization;
ws_hpa_check_run ws_hpa_check_per_pod_usage;
ws_hpa_check_run ws_hpa_check_pod_request;
ws_hpa_check_run ws_hpa_check_tolerance;
ws_hpa_check_run ws_hpa_check_legacy_clamp;
ws_hpa_check_run ws_hpa_check_legacy_stabilize;
ws_hpa_check_run ws_hpa_check_behavior_stabilize;
ws_hpa_check_run ws_hpa_check_behavior_rate;
ws_hpa_check_run ws_hpa_check_policy_limit;
ws_hpa_check_run ws_hpa_check_store_event;
ws_hpa_check_run ws_hpa_check_reconcile;
ws_hpa_check_run ws_hpa_check_sequence;

#endif
