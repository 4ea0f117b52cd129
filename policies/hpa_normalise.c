/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Both lists are short and kept in no order: an entry that no longer counts is overwritten by the
 * next one, so a list holds at most what counted at once. Every decision scans them, O(entries).
 */
#include "hpa_normalise.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ws/assert.h"

static int32_t hpa_min(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

static int32_t hpa_max(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

static int32_t hpa_saturated(double replicas)
{
    if (replicas >= (double)INT32_MAX) {
        return INT32_MAX;
    }
    return replicas <= (double)INT32_MIN ? INT32_MIN : (int32_t)replicas;
}

static int64_t hpa_age_ns(ws_time at, ws_time now)
{
    WS_ASSERT(at.ns <= now.ns);

    return ws_time_since(now, at).ns;
}

size_t ws_hpa_room(ws_duration window, ws_duration period)
{
    WS_ASSERT(period.ns > 0);
    WS_ASSERT(window.ns >= 0);

    /* Both ends of the window, the size that the first run found, and one for a run out of turn. */
    return (size_t)(window.ns / period.ns) + 4;
}

bool ws_hpa_memory_init(ws_hpa_memory *memory, size_t recommendations, size_t events,
                        ws_arena *arena)
{
    ws_hpa_memory empty = {.recommendation_capacity = recommendations,
                           .ups.capacity = events,
                           .downs.capacity = events};

    WS_ASSERT(memory != NULL);
    WS_ASSERT(recommendations >= 1);

    empty.recommendations = ws_arena_alloc(arena, ws_hpa_recommendation, recommendations);
    empty.ups.items = ws_arena_alloc(arena, ws_hpa_event, events);
    empty.downs.items = ws_arena_alloc(arena, ws_hpa_event, events);
    if (empty.recommendations == NULL || empty.ups.items == NULL || empty.downs.items == NULL) {
        return false;
    }
    *memory = empty;
    return true;
}

static size_t hpa_oldest_recommendation(const ws_hpa_memory *memory)
{
    size_t oldest = 0;

    WS_ASSERT(memory->recommendation_count > 0);

    for (size_t i = 1; i < memory->recommendation_count; i++) {
        if (memory->recommendations[i].at.ns < memory->recommendations[oldest].at.ns) {
            oldest = i;
        }
    }
    return oldest;
}

/* Writes the next recommendation over the one at `old`; `old` is the count when every one still
 * counts. */
static void hpa_recommend(ws_hpa_memory *memory, size_t old, int32_t replicas, ws_time now)
{
    WS_ASSERT(memory->recommendation_count <= memory->recommendation_capacity);

    if (old == memory->recommendation_capacity) {
        old = hpa_oldest_recommendation(memory);
    }
    if (old == memory->recommendation_count) {
        memory->recommendation_count++;
    }
    memory->recommendations[old] = (ws_hpa_recommendation){.replicas = replicas, .at = now};
}

ws_hpa_size ws_hpa_clamp(const ws_hpa_settings *settings, int32_t wanted, int32_t stabilised)
{
    int32_t pace =
        hpa_saturated(fmax(settings->scale_up_factor * (double)wanted, settings->scale_up_minimum));
    int32_t allowed = hpa_min(settings->replicas_max, pace);

    WS_ASSERT(settings->scale_up_factor > 0.0);

    if (stabilised < settings->replicas_min) {
        return (ws_hpa_size){settings->replicas_min, WS_HPA_TOO_FEW_REPLICAS};
    }
    if (stabilised > allowed) {
        return (ws_hpa_size){allowed, settings->replicas_max > pace ? WS_HPA_SCALE_UP_LIMIT
                                                                    : WS_HPA_TOO_MANY_REPLICAS};
    }
    return (ws_hpa_size){stabilised, WS_HPA_DESIRED_WITHIN_RANGE};
}

ws_hpa_size ws_hpa_stabilise_down(ws_hpa_memory *memory, ws_duration window, int32_t raw,
                                  ws_time now)
{
    size_t old = memory->recommendation_count;
    int32_t largest = raw;

    WS_ASSERT(memory->recommendations != NULL);

    for (size_t i = 0; i < memory->recommendation_count; i++) {
        const ws_hpa_recommendation *past = &memory->recommendations[i];

        if (hpa_age_ns(past->at, now) > window.ns) {
            old = i;
        } else {
            largest = hpa_max(largest, past->replicas);
        }
    }
    hpa_recommend(memory, old, raw, now);
    return (ws_hpa_size){largest, largest == raw ? WS_HPA_READY_FOR_NEW_SCALE
                                                 : WS_HPA_SCALE_DOWN_STABILIZED};
}

ws_hpa_size ws_hpa_stabilise(ws_hpa_memory *memory, const ws_hpa_settings *settings, int32_t wanted,
                             int32_t raw, ws_time now)
{
    size_t old = memory->recommendation_count;
    ws_hpa_size size = {.replicas = wanted, .reason = WS_HPA_READY_FOR_NEW_SCALE};
    int32_t up = raw;
    int32_t down = raw;

    WS_ASSERT(memory->recommendations != NULL);

    for (size_t i = 0; i < memory->recommendation_count; i++) {
        const ws_hpa_recommendation *past = &memory->recommendations[i];
        int64_t age_ns = hpa_age_ns(past->at, now);

        up = age_ns < settings->up.window.ns ? hpa_min(up, past->replicas) : up;
        down = age_ns < settings->down.window.ns ? hpa_max(down, past->replicas) : down;
        if (age_ns > settings->up.window.ns && age_ns > settings->down.window.ns) {
            old = i;
        }
    }
    hpa_recommend(memory, old, raw, now);
    size.replicas = hpa_min(hpa_max(size.replicas, up), down);
    if (size.replicas != raw) {
        size.reason = raw >= wanted ? WS_HPA_SCALE_UP_STABILIZED : WS_HPA_SCALE_DOWN_STABILIZED;
    }
    return size;
}

int64_t ws_hpa_events_sum(const ws_hpa_events *events, ws_duration period, ws_time now)
{
    int64_t sum = 0;

    WS_ASSERT(events != NULL);

    for (size_t i = 0; i < events->count; i++) {
        sum += hpa_age_ns(events->items[i].at, now) < period.ns ? events->items[i].change : 0;
    }
    return sum;
}

static size_t hpa_oldest_event(const ws_hpa_events *events)
{
    size_t oldest = 0;

    WS_ASSERT(events->count > 0);

    for (size_t i = 1; i < events->count; i++) {
        oldest = events->items[i].at.ns < events->items[oldest].at.ns ? i : oldest;
    }
    return oldest;
}

/* How long an event of one direction matters. */
static ws_duration hpa_longest_period(const ws_hpa_rules *rules)
{
    ws_duration longest = {.ns = 0};

    WS_ASSERT(rules->policies != NULL || rules->policy_count == 0);

    for (size_t i = 0; i < rules->policy_count; i++) {
        longest = rules->policies[i].period.ns > longest.ns ? rules->policies[i].period : longest;
    }
    return longest;
}

void ws_hpa_events_add(ws_hpa_events *events, const ws_hpa_rules *rules, int32_t change,
                       ws_time now)
{
    ws_duration longest = hpa_longest_period(rules);
    size_t old = events->count;

    WS_ASSERT(change >= 0);
    WS_ASSERT(events->count <= events->capacity);

    for (size_t i = 0; i < events->count; i++) {
        if (hpa_age_ns(events->items[i].at, now) > longest.ns) {
            events->items[i].is_outdated = true;
            old = i;
        }
    }
    if (old == events->capacity) {
        old = hpa_oldest_event(events);
    }
    if (old == events->count) {
        events->count++;
    }
    events->items[old] = (ws_hpa_event){.change = change, .at = now};
}

/* The products are written as the controller writes them: 100 * (1 + 10/100.0) is
 * 110.00000000000001, and its ceil 111. */
static int32_t hpa_policy_allows(const ws_hpa_policy *policy, ws_hpa_direction direction,
                                 int64_t start)
{
    double share = (double)policy->value / 100.0;
    int64_t step = direction == WS_HPA_UP ? policy->value : -(int64_t)policy->value;

    switch (policy->kind) {
    case WS_HPA_POLICY_PODS:
        return hpa_saturated((double)(start + step));
    case WS_HPA_POLICY_PERCENT:
        break;
    }
    return direction == WS_HPA_UP ? hpa_saturated(ceil((double)start * (1.0 + share)))
                                  : hpa_saturated((double)start * (1.0 - share));
}

ws_hpa_limit ws_hpa_policy_limit(const ws_hpa_memory *memory, const ws_hpa_rules *rules,
                                 ws_hpa_direction direction, int32_t wanted, ws_time now)
{
    ws_hpa_limit limit = {.replicas = wanted, .policy = rules->policy_count};
    bool takes_largest = (rules->select == WS_HPA_SELECT_MAX) == (direction == WS_HPA_UP);

    WS_ASSERT(memory != NULL);
    WS_ASSERT(rules->policies != NULL || rules->policy_count == 0);

    if (rules->select == WS_HPA_SELECT_DISABLED) {
        return limit;
    }
    for (size_t i = 0; i < rules->policy_count; i++) {
        const ws_hpa_policy *policy = &rules->policies[i];
        int64_t start = wanted - ws_hpa_events_sum(&memory->ups, policy->period, now) +
                        ws_hpa_events_sum(&memory->downs, policy->period, now);
        int32_t allowed = hpa_policy_allows(policy, direction, start);

        if (i == 0 || (takes_largest ? allowed > limit.replicas : allowed < limit.replicas)) {
            limit = (ws_hpa_limit){.replicas = allowed, .policy = i};
        }
    }
    return limit;
}

static ws_hpa_size hpa_pace_up(const ws_hpa_settings *settings, int32_t stabilised, int32_t limit)
{
    bool is_pace = settings->replicas_max > limit;
    int32_t allowed = is_pace ? limit : settings->replicas_max;

    if (stabilised <= allowed) {
        return (ws_hpa_size){stabilised, WS_HPA_DESIRED_WITHIN_RANGE};
    }
    return (ws_hpa_size){allowed, is_pace ? WS_HPA_SCALE_UP_LIMIT : WS_HPA_TOO_MANY_REPLICAS};
}

static ws_hpa_size hpa_pace_down(const ws_hpa_settings *settings, int32_t stabilised, int32_t limit)
{
    bool is_pace = settings->replicas_min < limit;
    int32_t allowed = is_pace ? limit : settings->replicas_min;

    if (stabilised >= allowed) {
        return (ws_hpa_size){stabilised, WS_HPA_DESIRED_WITHIN_RANGE};
    }
    return (ws_hpa_size){allowed, is_pace ? WS_HPA_SCALE_DOWN_LIMIT : WS_HPA_TOO_FEW_REPLICAS};
}

ws_hpa_size ws_hpa_pace(const ws_hpa_memory *memory, const ws_hpa_settings *settings,
                        int32_t wanted, int32_t stabilised, ws_time now, ws_hpa_limit *limit)
{
    WS_ASSERT(settings->has_behaviour);
    WS_ASSERT(limit != NULL);

    *limit = (ws_hpa_limit){.replicas = wanted};
    if (stabilised > wanted) {
        *limit = ws_hpa_policy_limit(memory, &settings->up, WS_HPA_UP, wanted, now);
        limit->replicas = hpa_max(limit->replicas, wanted);
        return hpa_pace_up(settings, stabilised, limit->replicas);
    }
    if (stabilised < wanted) {
        *limit = ws_hpa_policy_limit(memory, &settings->down, WS_HPA_DOWN, wanted, now);
        limit->replicas = hpa_min(limit->replicas, wanted);
        return hpa_pace_down(settings, stabilised, limit->replicas);
    }
    return (ws_hpa_size){stabilised, WS_HPA_DESIRED_WITHIN_RANGE};
}

/* Zero replicas mean "switched off", unless the autoscaler itself scaled to zero and can see a
 * reason to come back. */
static bool hpa_is_disabled(const ws_hpa_memory *memory, const ws_hpa_settings *settings,
                            int32_t wanted)
{
    if (wanted != 0) {
        return false;
    }
    return !settings->scales_from_zero || memory->scaled_to_zero != WS_HPA_SCALED_TO_ZERO ||
           (settings->replicas_min == 0 && !settings->has_outside_metric);
}

bool ws_hpa_reads_metrics(const ws_hpa_memory *memory, const ws_hpa_settings *settings,
                          int32_t wanted)
{
    WS_ASSERT(wanted >= 0);

    if (wanted == 0) {
        return !hpa_is_disabled(memory, settings, wanted);
    }
    return wanted >= settings->replicas_min && wanted <= settings->replicas_max;
}

static void hpa_normalise(ws_hpa_memory *memory, const ws_hpa_settings *settings, ws_time now,
                          ws_hpa_outcome *outcome)
{
    ws_hpa_size stable = {0};
    ws_hpa_size size = {0};
    ws_hpa_limit limit = {0};

    WS_ASSERT(outcome->is_normalised);

    if (settings->has_behaviour) {
        stable = ws_hpa_stabilise(memory, settings, outcome->wanted, outcome->raw, now);
        size = ws_hpa_pace(memory, settings, outcome->wanted, stable.replicas, now, &limit);
    } else {
        stable =
            ws_hpa_stabilise_down(memory, settings->downscale_stabilization, outcome->raw, now);
        size = ws_hpa_clamp(settings, outcome->wanted, stable.replicas);
        limit.replicas = size.replicas;
    }
    outcome->stabilised = stable.replicas;
    outcome->stabilisation = stable.reason;
    outcome->able = stable.reason;
    outcome->limited = size.reason;
    outcome->limit = limit.replicas;
    outcome->policy = limit.policy;
    outcome->replicas = size.replicas;
    if (outcome->wanted == 0 && settings->replicas_min != 0) {
        outcome->replicas = hpa_max(outcome->replicas, settings->replicas_min);
    }
}

/* With a size in range: what the metrics say. */
static void hpa_follow_metrics(ws_hpa_memory *memory, const ws_hpa_settings *settings,
                               const ws_hpa_situation *situation, ws_hpa_outcome *outcome)
{
    ws_hpa_combination all =
        ws_hpa_combine(situation->proposals, situation->proposal_count, situation->wanted);

    outcome->active = all.reason;
    outcome->chosen_metric = all.chosen;
    outcome->is_failed = all.failed_count > 0;
    if (!all.is_active) {
        return;
    }
    outcome->is_normalised = true;
    outcome->raw = all.replicas;
    hpa_normalise(memory, settings, situation->now, outcome);
    if (all.replicas > situation->wanted) {
        outcome->rescale = WS_HPA_RESCALE_ABOVE_TARGET;
    } else if (all.replicas < situation->wanted) {
        outcome->rescale = WS_HPA_RESCALE_BELOW_TARGET;
    }
}

ws_hpa_outcome ws_hpa_reconcile(ws_hpa_memory *memory, const ws_hpa_settings *settings,
                                const ws_hpa_situation *situation)
{
    int32_t wanted = situation->wanted;
    ws_hpa_outcome outcome = {.wanted = wanted, .replicas = wanted};

    WS_ASSERT(settings->replicas_min >= 0);
    WS_ASSERT(settings->replicas_min <= settings->replicas_max);

    if (!situation->exists) {
        outcome.able = WS_HPA_FAILED_GET_SCALE;
        outcome.is_failed = true;
        return outcome;
    }
    outcome.able = WS_HPA_SUCCEEDED_GET_SCALE;
    if (!memory->has_begun) {
        memory->has_begun = true;
        hpa_recommend(memory, memory->recommendation_count, wanted, situation->now);
    }
    if (hpa_is_disabled(memory, settings, wanted)) {
        outcome.active = WS_HPA_SCALING_DISABLED;
        if (!settings->scales_from_zero) {
            memory->scaled_to_zero = WS_HPA_REASON_NONE;
        }
    } else if (wanted > settings->replicas_max) {
        outcome.replicas = settings->replicas_max;
        outcome.rescale = WS_HPA_RESCALE_ABOVE_MAX;
    } else if (wanted < settings->replicas_min && wanted != 0) {
        outcome.replicas = settings->replicas_min;
        outcome.rescale = WS_HPA_RESCALE_BELOW_MIN;
    } else {
        hpa_follow_metrics(memory, settings, situation, &outcome);
    }
    outcome.is_rescale = outcome.replicas != wanted;
    return outcome;
}

void ws_hpa_rescaled(ws_hpa_memory *memory, const ws_hpa_settings *settings,
                     ws_hpa_outcome *outcome, int32_t applied, ws_time now)
{
    bool is_zero = outcome->wanted > 0 && outcome->replicas == 0 && settings->replicas_min == 0 &&
                   settings->has_outside_metric;

    WS_ASSERT(outcome->is_rescale);

    outcome->able = WS_HPA_SUCCEEDED_RESCALE;
    memory->scaled_to_zero = is_zero ? WS_HPA_SCALED_TO_ZERO : WS_HPA_NOT_SCALED_TO_ZERO;
    if (!settings->scales_from_zero) {
        memory->scaled_to_zero = WS_HPA_REASON_NONE;
    }
    if (!settings->has_behaviour) {
        return;
    }
    if (applied > outcome->wanted) {
        ws_hpa_events_add(&memory->ups, &settings->up, applied - outcome->wanted, now);
    } else if (applied < outcome->wanted) {
        ws_hpa_events_add(&memory->downs, &settings->down, outcome->wanted - applied, now);
    }
}

void ws_hpa_rescale_failed(ws_hpa_outcome *outcome)
{
    WS_ASSERT(outcome->is_rescale);

    outcome->able = WS_HPA_FAILED_UPDATE_SCALE;
    outcome->replicas = outcome->wanted;
    outcome->is_rescale = false;
    outcome->is_failed = true;
}
