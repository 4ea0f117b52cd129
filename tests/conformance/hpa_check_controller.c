/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The controller's steps one by one: clamps, stabilisation, limits of the pace, events. */
#include <string.h>

#include "ws/arena.h"
#include "ws/assert.h"

#include "hpa_check_json.h"

#define ENTRIES_MAX 512

static void controller_begin(ws_arena *arena, ws_hpa_memory *memory, const json_t *vector)
{
    bool fits = false;

    ws_arena_init(arena, &ws_allocator_default, (size_t)1 << 20);
    fits = ws_hpa_memory_init(memory, ENTRIES_MAX, ENTRIES_MAX, arena);
    WS_ASSERT(fits);
    ws_hpa_json_recommendations(memory, json_object_get(vector, "recommendations"));
    ws_hpa_json_events(&memory->ups, json_object_get(vector, "scale_up_events"));
    ws_hpa_json_events(&memory->downs, json_object_get(vector, "scale_down_events"));
}

static void controller_check_size(const json_t *vector, const ws_hpa_size *size,
                                  ws_hpa_check *check)
{
    const json_t *expected = json_object_get(vector, "expected");

    ws_hpa_check_i64(check, "replicas", ws_hpa_json_i64(expected, "replicas", INT64_MIN),
                     size->replicas);
    if (ws_hpa_json_has(expected, "reason")) {
        ws_hpa_check_name(check, "reason", ws_hpa_json_text(expected, "reason"),
                          ws_hpa_reason_name(size->reason));
    }
}

static void controller_check_list(const json_t *vector, const ws_hpa_memory *memory,
                                  ws_hpa_check *check)
{
    const json_t *after =
        json_object_get(json_object_get(vector, "expected"), "recommendations_after");

    if (after == NULL) {
        return;
    }
    ws_hpa_check_i64(check, "recommendations", (int64_t)json_array_size(after),
                     (int64_t)memory->recommendation_count);
    for (size_t i = 0; i < memory->recommendation_count && i < json_array_size(after); i++) {
        ws_hpa_check_i64(check, "recommendation", json_integer_value(json_array_get(after, i)),
                         memory->recommendations[i].replicas);
    }
}

static int32_t controller_replicas(const json_t *vector, const char *key)
{
    return (int32_t)ws_hpa_json_i64(vector, key, 0);
}

void ws_hpa_check_legacy_clamp(const json_t *vector, ws_hpa_check *check)
{
    ws_hpa_settings settings = {
        .replicas_min = controller_replicas(vector, "min_replicas"),
        .replicas_max = controller_replicas(vector, "max_replicas"),
        .scale_up_factor = ws_hpa_json_f64(vector, "scale_up_limit_factor", 2),
        .scale_up_minimum = ws_hpa_json_f64(vector, "scale_up_limit_minimum", 4),
    };
    ws_hpa_size size = ws_hpa_clamp(&settings, controller_replicas(vector, "current_replicas"),
                                    controller_replicas(vector, "desired_replicas"));

    controller_check_size(vector, &size, check);
}

void ws_hpa_check_legacy_stabilize(const json_t *vector, ws_hpa_check *check)
{
    ws_arena arena;
    ws_hpa_memory memory;
    ws_hpa_size size = {0};

    controller_begin(&arena, &memory, vector);
    size = ws_hpa_stabilise_down(&memory, ws_hpa_json_span(vector, "window_s", 0),
                                 controller_replicas(vector, "desired_replicas"), WS_HPA_CHECK_NOW);
    controller_check_size(vector, &size, check);
    controller_check_list(vector, &memory, check);
    ws_arena_reset(&arena);
}

void ws_hpa_check_behavior_stabilize(const json_t *vector, ws_hpa_check *check)
{
    ws_hpa_settings settings = {.up.window = ws_hpa_json_span(vector, "up_window_s", 0),
                                .down.window = ws_hpa_json_span(vector, "down_window_s", 0)};
    ws_arena arena;
    ws_hpa_memory memory;
    ws_hpa_size size = {0};

    controller_begin(&arena, &memory, vector);
    size = ws_hpa_stabilise(&memory, &settings, controller_replicas(vector, "current_replicas"),
                            controller_replicas(vector, "desired_replicas"), WS_HPA_CHECK_NOW);
    controller_check_size(vector, &size, check);
    controller_check_list(vector, &memory, check);
    ws_arena_reset(&arena);
}

void ws_hpa_check_behavior_rate(const json_t *vector, ws_hpa_check *check)
{
    ws_duration flag = {.ns = 300 * WS_NS_PER_S};
    ws_hpa_check_rules up;
    ws_hpa_check_rules down;
    ws_hpa_settings settings = {.has_behaviour = true};
    ws_hpa_limit limit = {0};
    ws_arena arena;
    ws_hpa_memory memory;
    ws_hpa_size size = {0};

    controller_begin(&arena, &memory, vector);
    ws_hpa_json_rules(&up, json_object_get(vector, "scale_up"), WS_HPA_UP, flag);
    ws_hpa_json_rules(&down, json_object_get(vector, "scale_down"), WS_HPA_DOWN, flag);
    settings.up = up.rules;
    settings.down = down.rules;
    settings.replicas_min = controller_replicas(vector, "min_replicas");
    settings.replicas_max = controller_replicas(vector, "max_replicas");
    size = ws_hpa_pace(&memory, &settings, controller_replicas(vector, "current_replicas"),
                       controller_replicas(vector, "desired_replicas"), WS_HPA_CHECK_NOW, &limit);
    controller_check_size(vector, &size, check);
    ws_arena_reset(&arena);
}

void ws_hpa_check_policy_limit(const json_t *vector, ws_hpa_check *check)
{
    const json_t *expected = json_object_get(vector, "expected");
    const char *direction = ws_hpa_json_text(vector, "direction");
    ws_hpa_direction way =
        direction != NULL && strcmp(direction, "up") == 0 ? WS_HPA_UP : WS_HPA_DOWN;
    ws_hpa_check_rules rules;
    ws_hpa_limit limit = {0};
    ws_arena arena;
    ws_hpa_memory memory;

    controller_begin(&arena, &memory, vector);
    ws_hpa_json_rules(&rules, json_object_get(vector, "rules"), way, (ws_duration){0});
    limit = ws_hpa_policy_limit(&memory, &rules.rules, way,
                                controller_replicas(vector, "current_replicas"), WS_HPA_CHECK_NOW);
    ws_hpa_check_i64(check, "limit", ws_hpa_json_i64(expected, "limit", INT64_MIN), limit.replicas);
    ws_arena_reset(&arena);
}

static void controller_check_events(const json_t *after, const ws_hpa_events *events,
                                    ws_hpa_check *check)
{
    ws_hpa_check_i64(check, "events", (int64_t)json_array_size(after), (int64_t)events->count);
    for (size_t i = 0; i < events->count && i < json_array_size(after); i++) {
        const json_t *entry = json_array_get(after, i);

        ws_hpa_check_i64(check, "change", ws_hpa_json_i64(entry, "change", 0),
                         events->items[i].change);
        ws_hpa_check_i64(check, "outdated", ws_hpa_json_bool(entry, "outdated"),
                         events->items[i].is_outdated);
    }
}

/* As the controller's own tests do, each vector is checked for both directions, through the step
 * that follows a rescale. */
void ws_hpa_check_store_event(const json_t *vector, ws_hpa_check *check)
{
    const json_t *expected = json_object_get(vector, "expected");
    int32_t change = controller_replicas(vector, "replica_change");
    ws_duration period = ws_hpa_json_span(vector, "count_period_s", 0);

    for (int way = 0; way < 2; way++) {
        bool is_up = way == 0;
        ws_hpa_settings settings = {.has_behaviour = ws_hpa_json_has(vector, "rules")};
        int32_t wanted = is_up ? 10 : 10 + change;
        int32_t replicas = is_up ? 10 + change : 10;
        ws_hpa_outcome outcome = {.wanted = wanted, .replicas = replicas, .is_rescale = true};
        ws_hpa_check_rules rules;
        ws_arena arena;
        ws_hpa_memory memory;
        ws_hpa_events *events = is_up ? &memory.ups : &memory.downs;

        controller_begin(&arena, &memory, vector);
        ws_hpa_json_events(events, json_object_get(vector, "events"));
        ws_hpa_json_rules(&rules, json_object_get(vector, "rules"), WS_HPA_UP, period);
        settings.up = rules.rules;
        settings.down = rules.rules;
        ws_hpa_check_i64(check, "change_in_period_before",
                         ws_hpa_json_i64(expected, "change_in_period_before", 0),
                         ws_hpa_events_sum(events, period, WS_HPA_CHECK_NOW));
        ws_hpa_rescaled(&memory, &settings, &outcome, replicas, WS_HPA_CHECK_NOW);
        controller_check_events(json_object_get(expected, "events_after"), events, check);
        ws_arena_reset(&arena);
    }
}
