/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <string.h>

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "ws/arena.h"
#include "ws/assert.h"

#include "conformance/hpa_check.h"
#include "hpa_normalise.h"
#include "support/support.h"

#define ROOM 64

static const ws_hpa_policy pods_4_in_15_s = {WS_HPA_POLICY_PODS, 4, {15 * WS_NS_PER_S}};

/* What the API server puts in where a behaviour leaves the policies out. */
static const ws_hpa_policy default_up[] = {
    {WS_HPA_POLICY_PODS, 4, {15 * WS_NS_PER_S}},
    {WS_HPA_POLICY_PERCENT, 100, {15 * WS_NS_PER_S}},
};
static const ws_hpa_policy default_down[] = {
    {WS_HPA_POLICY_PERCENT, 100, {15 * WS_NS_PER_S}},
};

static ws_hpa_memory new_memory(ws_arena *arena, size_t room)
{
    ws_hpa_memory memory;

    ws_arena_init(arena, &ws_allocator_default, (size_t)1 << 20);
    cr_assert(ws_hpa_memory_init(&memory, room, room, arena));
    return memory;
}

static ws_hpa_settings new_settings(int32_t least, int32_t most)
{
    return (ws_hpa_settings){
        .replicas_min = least,
        .replicas_max = most,
        .up = {.policies = default_up, .policy_count = 2},
        .down = {.window = {300 * WS_NS_PER_S}, .policies = default_down, .policy_count = 1},
        .downscale_stabilization = {.ns = 300 * WS_NS_PER_S},
        .scale_up_factor = 2.0,
        .scale_up_minimum = 4.0,
        .scales_from_zero = true,
        .has_outside_metric = true,
    };
}

/* One run at `at_s` in which the metrics propose `raw`; the target takes what is asked for. */
static ws_hpa_outcome run(ws_hpa_memory *memory, const ws_hpa_settings *settings, int32_t wanted,
                          int32_t raw, int64_t at_s)
{
    ws_hpa_proposal proposal = {.reason = WS_HPA_VALID_METRIC_FOUND, .replicas = raw};
    ws_hpa_situation situation = {
        .exists = true,
        .wanted = wanted,
        .proposals = &proposal,
        .proposal_count = 1,
        .now = {.ns = at_s * WS_NS_PER_S},
    };
    ws_hpa_outcome outcome = ws_hpa_reconcile(memory, settings, &situation);

    if (outcome.is_rescale) {
        ws_hpa_rescaled(memory, settings, &outcome, outcome.replicas, situation.now);
    }
    return outcome;
}

static void print_failure(void *context, const char *name, const ws_hpa_check *check)
{
    (void)context;
    (void)fprintf(stderr, "%s: %s\n", name, check->text);
}

/* The project's own tables of Kubernetes' test cases. */
Test(hpa_normalise, agrees_with_the_controllers_runs)
{
    char path[4096];
    ws_hpa_check_count count = {0};

    if (ws_test_shared("vectors/hpa/controller.json", path, sizeof path) == NULL) {
        cr_skip_test("the vectors are absent");
    }
    cr_assert(ws_hpa_check_file(path, print_failure, NULL, &count));
    cr_expect(eq(sz, count.failed, 0));
    cr_expect(ge(sz, count.passed, 156));
}

/* Follows `sizes` from run to run, `step_s` apart, while the metrics propose `raw`. */
static void expect_path(const ws_hpa_settings *settings, const int32_t *sizes, size_t count,
                        int32_t raw, int64_t step_s)
{
    ws_arena arena;
    ws_hpa_memory memory = new_memory(&arena, ROOM);

    for (size_t i = 0; i + 1 < count; i++) {
        ws_hpa_outcome outcome = run(&memory, settings, sizes[i], raw, (int64_t)i * step_s);

        cr_expect(eq(i32, outcome.replicas, sizes[i + 1]));
    }
    ws_arena_reset(&arena);
}

/* The larger of 4 pods and 100 % every 15 s: 64 is reached 60 s after the first step. */
Test(hpa_normalise, scales_up_by_the_default_behaviour)
{
    static const int32_t from_1[] = {1, 5, 10, 20, 40, 64, 64};
    static const int32_t from_3[] = {3, 7, 14, 28, 56, 112, 200, 200};
    ws_hpa_settings settings = new_settings(1, 1000);

    settings.has_behaviour = true;
    expect_path(&settings, from_1, WS_COUNT_OF(from_1), 64, 15);
    expect_path(&settings, from_3, WS_COUNT_OF(from_3), 200, 15);
}

/* The documentation's example, the larger of 4 pods and 10 % a minute, from 80 down to 10 in 14
 * minutes. */
Test(hpa_normalise, scales_down_as_in_the_documentations_example)
{
    static const ws_hpa_policy policies[] = {
        {WS_HPA_POLICY_PODS, 4, {60 * WS_NS_PER_S}},
        {WS_HPA_POLICY_PERCENT, 10, {60 * WS_NS_PER_S}},
    };
    static const int32_t path[] = {80, 72, 64, 57, 51, 45, 40, 36, 32, 28, 24, 20, 16, 12, 10, 10};
    ws_hpa_settings settings = new_settings(1, 100);

    settings.has_behaviour = true;
    settings.down = (ws_hpa_rules){.policies = policies, .policy_count = 2};
    expect_path(&settings, path, WS_COUNT_OF(path), 10, 60);
}

/* Without a behaviour the pace is twice the size, at least 4; 12 is 10 and 2 more than the last but
 * one allows. */
Test(hpa_normalise, doubles_without_a_behaviour)
{
    static const int32_t path[] = {1, 4, 8, 16, 32, 50, 50};
    ws_hpa_settings settings = new_settings(1, 50);

    expect_path(&settings, path, WS_COUNT_OF(path), 70, 15);
}

/* The size found at the start counts as a recommendation: 300 s with a behaviour (20 runs), one run
 * more without. */
Test(hpa_normalise, holds_the_size_it_found_for_a_window)
{
    for (int with = 0; with < 2; with++) {
        ws_hpa_settings settings = new_settings(1, 50);
        ws_arena arena;
        ws_hpa_memory memory = new_memory(&arena, ROOM);
        int32_t wanted = 10;
        int64_t first_down_s = -1;

        settings.has_behaviour = with == 1;
        for (int64_t at_s = 0; at_s <= 600 && first_down_s < 0; at_s += 15) {
            wanted = run(&memory, &settings, wanted, 2, at_s).replicas;
            first_down_s = wanted < 10 ? at_s : -1;
        }
        cr_expect(eq(i64, first_down_s, with == 1 ? 300 : 315));
        cr_expect(eq(i32, wanted, 2));
        ws_arena_reset(&arena);
    }
}

/* Room for a window is room enough: no run ever finds the list full. */
Test(hpa_normalise, needs_no_more_room_than_it_asks_for)
{
    ws_duration window = {.ns = 300 * WS_NS_PER_S};
    ws_duration period = {.ns = 15 * WS_NS_PER_S};
    ws_hpa_settings settings = new_settings(1, 50);
    size_t room = ws_hpa_room(window, period);
    ws_arena arena;
    ws_hpa_memory memory = new_memory(&arena, room);

    for (int64_t at_s = 0; at_s < 3600; at_s += 15) {
        (void)run(&memory, &settings, 10, 10, at_s);
        cr_expect(lt(sz, memory.recommendation_count, room));
    }
    cr_expect(eq(sz, memory.recommendation_count, 22));
    ws_arena_reset(&arena);
}

/* A list that is full all the same loses its oldest entry. */
Test(hpa_normalise, forgets_the_oldest_when_there_is_no_room)
{
    ws_duration window = {.ns = 300 * WS_NS_PER_S};
    ws_arena arena;
    ws_hpa_memory memory = new_memory(&arena, 2);
    ws_hpa_rules rules = {.policies = &pods_4_in_15_s, .policy_count = 1};
    ws_hpa_size size;

    (void)ws_hpa_stabilise_down(&memory, window, 9, (ws_time){1});
    (void)ws_hpa_stabilise_down(&memory, window, 5, (ws_time){2});
    (void)ws_hpa_stabilise_down(&memory, window, 4, (ws_time){3});
    size = ws_hpa_stabilise_down(&memory, window, 3, (ws_time){4});
    cr_expect(eq(i32, size.replicas, 5));
    cr_expect(eq(sz, memory.recommendation_count, 2));
    for (int32_t i = 1; i <= 3; i++) {
        ws_hpa_events_add(&memory.ups, &rules, i, (ws_time){i});
    }
    cr_expect(eq(sz, memory.ups.count, 2));
    cr_expect(eq(i64, ws_hpa_events_sum(&memory.ups, window, (ws_time){4}), 5));
    ws_arena_reset(&arena);
}

/* Out of range the size jumps, whatever the behaviour says, and the jump counts as an event. */
Test(hpa_normalise, jumps_into_the_range)
{
    ws_hpa_settings settings = new_settings(4, 8);
    ws_arena arena;
    ws_hpa_memory memory = new_memory(&arena, ROOM);
    ws_hpa_outcome outcome;

    settings.has_behaviour = true;
    settings.down.select = WS_HPA_SELECT_DISABLED;
    cr_expect(not(ws_hpa_reads_metrics(&memory, &settings, 20)));
    outcome = run(&memory, &settings, 20, 20, 0);
    cr_expect(eq(i32, outcome.replicas, 8));
    cr_expect(eq(int, (int)outcome.rescale, WS_HPA_RESCALE_ABOVE_MAX));
    cr_expect(eq(int, (int)outcome.limited, WS_HPA_REASON_NONE));
    cr_expect(eq(sz, memory.downs.count, 1));
    cr_expect(eq(i32, memory.downs.items[0].change, 12));
    outcome = run(&memory, &settings, 1, 1, 15);
    cr_expect(eq(i32, outcome.replicas, 4));
    cr_expect(eq(int, (int)outcome.rescale, WS_HPA_RESCALE_BELOW_MIN));
    cr_expect(ws_hpa_reads_metrics(&memory, &settings, 4));
    cr_expect(ws_hpa_reads_metrics(&memory, &settings, 8));
    ws_arena_reset(&arena);
}

/* Where pace and range end at the same size, the range is what is told; both beyond it and with a
 * behaviour. */
Test(hpa_normalise, names_the_range_where_pace_and_range_agree)
{
    ws_hpa_settings settings = new_settings(0, 8);
    ws_arena arena;
    ws_hpa_memory memory = new_memory(&arena, ROOM);
    ws_hpa_size size = ws_hpa_clamp(&settings, 4, 20);
    ws_hpa_limit limit;

    cr_expect(eq(i32, size.replicas, 8));
    cr_expect(eq(int, (int)size.reason, WS_HPA_TOO_MANY_REPLICAS));
    settings.has_behaviour = true;
    size = ws_hpa_pace(&memory, &settings, 4, 20, (ws_time){0}, &limit);
    cr_expect(eq(i32, size.replicas, 8));
    cr_expect(eq(int, (int)size.reason, WS_HPA_TOO_MANY_REPLICAS));
    /* 100 % downward allows 0, which is the minimum. */
    size = ws_hpa_pace(&memory, &settings, 4, -3, (ws_time){0}, &limit);
    cr_expect(eq(i32, size.replicas, 0));
    cr_expect(eq(int, (int)size.reason, WS_HPA_TOO_FEW_REPLICAS));
    ws_arena_reset(&arena);
}

/* Zero switches it off, except when it went there itself and can see a reason to come back. */
Test(hpa_normalise, comes_back_only_from_its_own_zero)
{
    ws_hpa_settings settings = new_settings(0, 8);
    ws_arena arena;
    ws_hpa_memory memory = new_memory(&arena, ROOM);
    ws_hpa_outcome outcome = run(&memory, &settings, 0, 3, 0);

    cr_expect(not(outcome.is_rescale));
    cr_expect(eq(int, (int)outcome.active, WS_HPA_SCALING_DISABLED));
    settings.downscale_stabilization.ns = 0;
    outcome = run(&memory, &settings, 2, 0, 15);
    cr_expect(eq(i32, outcome.replicas, 0));
    cr_expect(eq(int, (int)memory.scaled_to_zero, WS_HPA_SCALED_TO_ZERO));
    outcome = run(&memory, &settings, 0, 3, 30);
    cr_expect(eq(i32, outcome.replicas, 3));
    cr_expect(eq(int, (int)memory.scaled_to_zero, WS_HPA_NOT_SCALED_TO_ZERO));
    ws_arena_reset(&arena);
}

Test(hpa_normalise, does_nothing_without_a_target)
{
    ws_hpa_settings settings = new_settings(1, 8);
    ws_arena arena;
    ws_hpa_memory memory = new_memory(&arena, ROOM);
    ws_hpa_situation situation = {.exists = false};
    ws_hpa_outcome outcome = ws_hpa_reconcile(&memory, &settings, &situation);

    cr_expect(not(outcome.is_rescale));
    cr_expect(outcome.is_failed);
    cr_expect(eq(int, (int)outcome.able, WS_HPA_FAILED_GET_SCALE));
    cr_expect(not(memory.has_begun));
    ws_arena_reset(&arena);
}

/* A change that the target refused is no event, and one that it took in part counts by that part.
 */
Test(hpa_normalise, remembers_what_the_target_took)
{
    ws_hpa_settings settings = new_settings(1, 100);
    ws_arena arena;
    ws_hpa_memory memory = new_memory(&arena, ROOM);
    ws_hpa_outcome outcome = {.wanted = 8, .replicas = 12, .is_rescale = true};

    settings.has_behaviour = true;
    ws_hpa_rescaled(&memory, &settings, &outcome, 10, (ws_time){0});
    cr_expect(eq(sz, memory.ups.count, 1));
    cr_expect(eq(i32, memory.ups.items[0].change, 2));
    ws_hpa_rescaled(&memory, &settings, &outcome, 8, (ws_time){0});
    cr_expect(eq(sz, memory.ups.count, 1));
    ws_hpa_rescale_failed(&outcome);
    cr_expect(eq(i32, outcome.replicas, 8));
    cr_expect(eq(int, (int)outcome.able, WS_HPA_FAILED_UPDATE_SCALE));
    ws_arena_reset(&arena);
}

Test(hpa_normalise, says_when_there_is_no_memory)
{
    ws_arena small;
    ws_hpa_memory memory = {0};

    ws_arena_init(&small, &ws_allocator_default, 4096);
    cr_expect(not(ws_hpa_memory_init(&memory, 1000, 1000, &small)));
    cr_expect(eq(ptr, memory.recommendations, NULL));
    ws_arena_reset(&small);
}

/* Spellings of the API. */
Test(hpa_normalise, names_reasons_as_the_api_does)
{
    cr_expect(
        eq(str, (char *)ws_hpa_reason_name(WS_HPA_SCALE_DOWN_STABILIZED), "ScaleDownStabilized"));
    cr_expect(
        eq(str, (char *)ws_hpa_reason_condition(WS_HPA_DESIRED_WITHIN_RANGE), "ScalingLimited"));
    cr_expect(not(ws_hpa_reason_is_true(WS_HPA_DESIRED_WITHIN_RANGE)));
    cr_expect(eq(str, (char *)ws_hpa_reason_name(WS_HPA_REASON_NONE), ""));
}
