/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `behavior`: once it is there both directions are, and what one leaves out is filled in field by
 * field (hpa_parameters.c). */
#include "hpa_manifest.h"

#include "ws/assert.h"

#define WINDOW_MAX_S 3600
#define PERIOD_MAX_S 1800

static const char *const behaviour_fields[] = {"scaleUp", "scaleDown", NULL};
static const char *const rules_fields[] = {"stabilizationWindowSeconds", "selectPolicy", "policies",
                                           NULL};
static const char *const rules_fields_v2[] = {"stabilizationWindowSeconds", "selectPolicy",
                                              "policies", "tolerance", NULL};
static const char *const policy_fields[] = {"type", "value", "periodSeconds", NULL};

/* In the order of ws_hpa_select. */
static const char *const select_words[] = {"Max", "Min", "Disabled"};

static void behaviour_read_window(ws_hpa_reader *reader, const ws_document *map,
                                  ws_hpa_direction_parameters *direction)
{
    static const char key[] = "stabilizationWindowSeconds";
    int32_t seconds = 0;

    if (!ws_hpa_read_integer(reader, map, key, WS_HPA_CODE_WINDOW, &seconds)) {
        return;
    }
    if (seconds > WINDOW_MAX_S) {
        ws_hpa_refuse(reader, WS_HPA_CODE_WINDOW, ws_hpa_place(reader, map, key),
                      WS_TEXT("`stabilizationWindowSeconds` is at most 3600"));
    } else if (seconds < 0) {
        ws_hpa_refuse(reader, WS_HPA_CODE_WINDOW, ws_hpa_place(reader, map, key),
                      WS_TEXT("`stabilizationWindowSeconds` is at least 0"));
    }
    direction->has_stabilization = true;
    direction->stabilization.ns = seconds * WS_NS_PER_S;
}

static void behaviour_read_select(ws_hpa_reader *reader, const ws_document *map,
                                  ws_hpa_direction_parameters *direction)
{
    ws_text name = ws_hpa_read_text(reader, map, "selectPolicy");

    if (name.length == 0) {
        return;
    }
    for (size_t i = 0; i < WS_COUNT_OF(select_words); i++) {
        if (ws_text_is(name, select_words[i])) {
            direction->select = (int32_t)i;
            return;
        }
    }
    ws_hpa_refuse(reader, WS_HPA_CODE_POLICIES, ws_hpa_place(reader, map, "selectPolicy"),
                  WS_TEXT("`selectPolicy` is Max, Min or Disabled"));
}

static void behaviour_read_tolerance(ws_hpa_reader *reader, const ws_document *map,
                                     ws_hpa_direction_parameters *direction)
{
    ws_hpa_quantity tolerance = {.milli = 0};

    if (reader->version == WS_HPA_V2BETA2 ||
        !ws_hpa_read_quantity(reader, map, "tolerance", &tolerance)) {
        return;
    }
    if (tolerance.value < 0.0) {
        ws_hpa_refuse(reader, WS_HPA_CODE_TOLERANCE, ws_hpa_place(reader, map, "tolerance"),
                      WS_TEXT("`tolerance` is at least 0"));
    }
    direction->has_tolerance = true;
    direction->tolerance = tolerance.value;
}

static void behaviour_read_period(ws_hpa_reader *reader, const ws_document *map,
                                  ws_hpa_policy_parameters *policy)
{
    int32_t seconds = 0;
    bool has_period =
        ws_hpa_read_integer(reader, map, "periodSeconds", WS_HPA_CODE_PERIOD, &seconds);

    if (!has_period && ws_hpa_find(reader, map, "periodSeconds") != NULL) {
        return; /* which was told */
    }
    if (seconds < 1 || seconds > PERIOD_MAX_S) {
        ws_hpa_refuse(reader, WS_HPA_CODE_PERIOD, ws_hpa_place(reader, map, "periodSeconds"),
                      seconds < 1 ? WS_TEXT("`periodSeconds` is at least 1")
                                  : WS_TEXT("`periodSeconds` is at most 1800"));
    }
    policy->period.ns = seconds * WS_NS_PER_S;
}

static void behaviour_read_policy(ws_hpa_reader *reader, const ws_document *map,
                                  ws_hpa_policy_parameters *policy)
{
    ws_text type = ws_hpa_read_text(reader, map, "type");
    int32_t value = 0;
    bool has_value = ws_hpa_read_integer(reader, map, "value", WS_HPA_CODE_POLICIES, &value);

    ws_hpa_check_fields(reader, map, &(ws_hpa_fields){"a scaling policy", policy_fields});
    policy->self = map;
    policy->has_pods = ws_text_is(type, "Pods");
    policy->has_percent = ws_text_is(type, "Percent");
    policy->pods = value;
    policy->percent = value;
    if (policy->has_pods == policy->has_percent) {
        ws_hpa_refuse(reader, WS_HPA_CODE_POLICIES, ws_hpa_place(reader, map, "type"),
                      WS_TEXT("`type` of a scaling policy is Pods or Percent"));
    }
    if (value < 1 && (has_value || ws_hpa_find(reader, map, "value") == NULL)) {
        ws_hpa_refuse(reader, WS_HPA_CODE_POLICIES, ws_hpa_place(reader, map, "value"),
                      WS_TEXT("`value` of a scaling policy is at least 1"));
    }
    behaviour_read_period(reader, map, policy);
}

static void behaviour_read_policies(ws_hpa_reader *reader, const ws_document *map,
                                    ws_hpa_direction_parameters *direction)
{
    const ws_document *list = ws_hpa_read_list(reader, map, "policies");
    ws_hpa_policy_parameters *policies = NULL;

    if (list == NULL) {
        return;
    }
    policies = ws_arena_alloc(reader->arena, ws_hpa_policy_parameters, list->count + 1);
    if (policies == NULL) {
        reader->is_good =
            ws_diag_error(reader->diag, 9007, ws_span_none, "out of memory while loading");
        return;
    }
    if (list->count == 0) {
        ws_hpa_refuse(reader, WS_HPA_CODE_POLICIES, list->at,
                      WS_TEXT("`policies` needs at least one; leave it out for the defaults"));
    }
    for (size_t i = 0; i < list->count; i++) {
        const ws_document *entry = ws_hpa_read_entry(reader, list, i, "a scaling policy");

        if (entry != NULL) {
            behaviour_read_policy(reader, entry, &policies[i]);
        }
    }
    direction->has_policies = true;
    direction->policies = (ws_list){.items = policies, .count = list->count};
}

static ws_hpa_direction_parameters *
behaviour_read_direction(ws_hpa_reader *reader, const ws_document *behaviour, const char *key)
{
    const ws_document *map = ws_hpa_read_map(reader, behaviour, key);
    ws_hpa_direction_parameters *direction =
        ws_arena_alloc(reader->arena, ws_hpa_direction_parameters, 1);
    bool has_tolerance = reader->version == WS_HPA_V2;

    if (direction == NULL) {
        reader->is_good =
            ws_diag_error(reader->diag, 9007, ws_span_none, "out of memory while loading");
        return NULL;
    }
    if (map == NULL) {
        return direction;
    }
    direction->self = map;
    ws_hpa_check_fields(reader, map,
                        &(ws_hpa_fields){key, has_tolerance ? rules_fields_v2 : rules_fields});
    behaviour_read_window(reader, map, direction);
    behaviour_read_select(reader, map, direction);
    behaviour_read_tolerance(reader, map, direction);
    behaviour_read_policies(reader, map, direction);
    return direction;
}

void ws_hpa_manifest_behaviour(ws_hpa_reader *reader, const ws_document *behaviour,
                               ws_hpa_parameters *parameters)
{
    WS_ASSERT(behaviour != NULL);
    WS_ASSERT(parameters != NULL);

    ws_hpa_check_fields(reader, behaviour, &(ws_hpa_fields){"`behavior`", behaviour_fields});
    parameters->scale_up = behaviour_read_direction(reader, behaviour, "scaleUp");
    parameters->scale_down = behaviour_read_direction(reader, behaviour, "scaleDown");
}
