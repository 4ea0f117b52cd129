/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hpa_check.h"

#include <string.h>

#include "ws/assert.h"

#include "hpa_check_json.h"

static const struct {
    const char *kind;
    ws_hpa_check_run *run;
} check_kinds[] = {
    {"group_pods", ws_hpa_check_group_pods},
    {"resource_utilization", ws_hpa_check_utilization},
    {"metric_usage", ws_hpa_check_utilization},
    {"per_pod_usage", ws_hpa_check_per_pod_usage},
    {"pod_request", ws_hpa_check_pod_request},
    {"tolerance", ws_hpa_check_tolerance},
    {"legacy_clamp", ws_hpa_check_legacy_clamp},
    {"legacy_stabilize", ws_hpa_check_legacy_stabilize},
    {"behavior_stabilize", ws_hpa_check_behavior_stabilize},
    {"behavior_rate", ws_hpa_check_behavior_rate},
    {"policy_limit", ws_hpa_check_policy_limit},
    {"store_event", ws_hpa_check_store_event},
    {"reconcile", ws_hpa_check_reconcile},
    {"sequence", ws_hpa_check_sequence},
};

static ws_hpa_check_run *check_find(const json_t *vector)
{
    const char *kind = ws_hpa_json_text(vector, "kind");

    if (kind == NULL) {
        return json_is_object(json_object_get(vector, "metric")) ? ws_hpa_check_replicas : NULL;
    }
    for (size_t i = 0; i < WS_COUNT_OF(check_kinds); i++) {
        if (strcmp(kind, check_kinds[i].kind) == 0) {
            return check_kinds[i].run;
        }
    }
    return NULL;
}

bool ws_hpa_check_vector(const json_t *vector, ws_hpa_check *check)
{
    ws_hpa_check_run *run = check_find(vector);

    *check = (ws_hpa_check){0};
    if (run == NULL) {
        ws_hpa_check_note(check, "this kind of vector is not known");
    } else if (!json_is_object(json_object_get(vector, "expected"))) {
        ws_hpa_check_note(check, "`expected` is missing");
    } else {
        run(vector, check);
    }
    return check->length == 0;
}

bool ws_hpa_check_file(const char *path, ws_hpa_check_tell *tell, void *context,
                       ws_hpa_check_count *count)
{
    json_t *vectors = json_load_file(path, JSON_REJECT_DUPLICATES, NULL);

    if (!json_is_array(vectors)) {
        json_decref(vectors);
        return false;
    }
    *count = (ws_hpa_check_count){0};
    for (size_t i = 0; i < json_array_size(vectors); i++) {
        const json_t *vector = json_array_get(vectors, i);
        const char *name = ws_hpa_json_text(vector, "name");
        ws_hpa_check check;

        if (ws_hpa_check_vector(vector, &check)) {
            count->passed++;
            continue;
        }
        count->failed++;
        if (tell != NULL) {
            tell(context, name == NULL ? "(no name)" : name, &check);
        }
    }
    json_decref(vectors);
    return true;
}
