/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdio.h>

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "ws/assert.h"

#include "conformance/hpa_check.h"
#include "hpa_replicas.h"
#include "policies/hpa_single_decisions.h"
#include "support/support.h"

#define DAY_NS (24 * WS_NS_PER_H)

static const ws_hpa_readiness readiness = {
    .cpu_initialization_period = {.ns = 300 * WS_NS_PER_S},
    .initial_readiness_delay = {.ns = 30 * WS_NS_PER_S},
};

static const ws_hpa_tolerance closed = {.up = 0.1, .down = 0.1};
static const ws_hpa_tolerance before_1_33 = {.up = 0.1, .down = 0.1, .is_absolute = true};

/* A pod that runs and serves since yesterday. */
static ws_hpa_pod settled_pod(int64_t value)
{
    return (ws_hpa_pod){
        .phase = WS_HPA_POD_RUNNING,
        .ready = WS_HPA_READY_TRUE,
        .has_start = true,
        .start_age = {.ns = DAY_NS},
        .ready_age = {.ns = DAY_NS},
        .has_value = true,
        .value = value,
        .value_window = {.ns = 60 * WS_NS_PER_S},
    };
}

static void print_failure(void *context, const char *name, const ws_hpa_check *check)
{
    (void)context;
    (void)fprintf(stderr, "%s: %s\n", name, check->text);
}

/* The project's own tables of Kubernetes' test cases; `least` is how many the file had when this
 * test was written. */
static void check_file(const char *relative, size_t least)
{
    char path[4096];
    ws_hpa_check_count count = {0};

    if (ws_test_shared(relative, path, sizeof path) == NULL) {
        cr_skip_test("the vectors are absent");
    }
    cr_assert(ws_hpa_check_file(path, print_failure, NULL, &count));
    cr_expect(eq(sz, count.failed, 0));
    cr_expect(ge(sz, count.passed, least));
}

Test(hpa_replicas, agrees_with_the_controllers_proposals)
{
    check_file("vectors/hpa/replicas.json", 88);
}

Test(hpa_replicas, agrees_with_the_controllers_building_blocks)
{
    check_file("vectors/hpa/helpers.json", 28);
}

/* Proposal of a Pods metric when each of `current` settled pods shows `value`. */
static int32_t propose_average(int32_t current, int64_t value, int64_t target,
                               const ws_hpa_tolerance *tolerance)
{
    ws_hpa_metric metric = {
        .source = WS_HPA_PODS, .target_kind = WS_HPA_AVERAGE_VALUE, .target = 1000 * target};
    ws_hpa_scale scale = {.wanted = current, .existing = current};
    ws_hpa_pod pod = settled_pod(1000 * value);
    ws_hpa_tally tally = {0};

    for (int32_t i = 0; i < current; i++) {
        ws_hpa_tally_add_pod(&tally, &metric, &readiness, &pod);
    }
    return ws_hpa_propose(&metric, &tally, &scale, tolerance).replicas;
}

/* Proposal of an External metric of which `current` serving pods are to bring the value to the
 * target. */
static int32_t propose_value(int32_t current, int64_t value, int64_t target,
                             const ws_hpa_tolerance *tolerance)
{
    ws_hpa_metric metric = {
        .source = WS_HPA_EXTERNAL, .target_kind = WS_HPA_VALUE, .target = 1000 * target};
    ws_hpa_scale scale = {.wanted = current, .existing = current};
    ws_hpa_pod pod = settled_pod(0);
    ws_hpa_tally tally = {0};

    for (int32_t i = 0; i < current; i++) {
        ws_hpa_tally_add_pod(&tally, &metric, &readiness, &pod);
    }
    ws_hpa_tally_add_series(&tally, 1000 * value);
    return ws_hpa_propose(&metric, &tally, &scale, tolerance).replicas;
}

Test(hpa_replicas, decides_single_cases_as_documented)
{
    for (size_t i = 0; i < WS_COUNT_OF(hpa_single_decisions); i++) {
        int32_t current = hpa_single_decisions[i].current;
        int32_t metric = hpa_single_decisions[i].metric;
        int32_t target = hpa_single_decisions[i].target;
        int32_t older = hpa_single_decisions[i].replicas_before_1_33;

        cr_expect(eq(i32, propose_average(current, metric, target, &closed),
                     hpa_single_decisions[i].replicas));
        cr_expect(eq(i32, propose_value(current, metric, target, &closed),
                     hpa_single_decisions[i].replicas));
        cr_expect(eq(i32, propose_average(current, metric, target, &before_1_33), older));
        cr_expect(eq(i32, propose_value(current, metric, target, &before_1_33), older));
    }
}

/* Proposal for `current` pods that each use `percent` of their request of cpu, against a target in
 * percent. */
static int32_t propose_utilization(int32_t current, int64_t percent, int64_t target)
{
    ws_hpa_metric metric = {.source = WS_HPA_RESOURCE,
                            .target_kind = WS_HPA_UTILIZATION,
                            .is_cpu = true,
                            .target = target};
    ws_hpa_scale scale = {.wanted = current, .existing = current};
    ws_hpa_pod pod = settled_pod(40 * percent);
    ws_hpa_tally tally = {0};

    pod.has_request = true;
    pod.request = 4000;
    for (int32_t i = 0; i < current; i++) {
        ws_hpa_tally_add_pod(&tally, &metric, &readiness, &pod);
    }
    return ws_hpa_propose(&metric, &tally, &scale, &closed).replicas;
}

/* A metric that does not fall with the size runs away; one that does not rise stops where ceil
 * does: 0.75 * 3 is 2.25. */
Test(hpa_replicas, runs_away_on_a_flat_metric)
{
    static const int32_t rising[] = {4, 5, 6, 8, 10, 12, 15, 18, 22, 27, 32, 32};
    static const int32_t falling[] = {32, 24, 18, 14, 11, 9, 7, 6, 5, 4, 3, 3};

    for (size_t i = 0; i + 1 < WS_COUNT_OF(rising); i++) {
        int32_t replicas = propose_utilization(rising[i], 95, 80);

        cr_expect(eq(i32, replicas > 32 ? 32 : replicas, rising[i + 1]));
        cr_expect(eq(i32, propose_utilization(falling[i], 60, 80), falling[i + 1]));
    }
}

Test(hpa_replicas, saturates_instead_of_overflowing)
{
    ws_hpa_metric average = {
        .source = WS_HPA_PODS, .target_kind = WS_HPA_AVERAGE_VALUE, .target = 1};
    ws_hpa_metric utilization = {
        .source = WS_HPA_RESOURCE, .target_kind = WS_HPA_UTILIZATION, .target = 1};
    ws_hpa_scale scale = {.wanted = 2, .existing = 2};
    ws_hpa_pod pod = settled_pod(INT64_MAX);
    ws_hpa_tally of_values = {0};
    ws_hpa_tally of_shares = {0};
    ws_hpa_proposal proposal;

    pod.has_request = true;
    pod.request = 1;
    for (int i = 0; i < 2; i++) {
        ws_hpa_tally_add_pod(&of_values, &average, &readiness, &pod);
        ws_hpa_tally_add_pod(&of_shares, &utilization, &readiness, &pod);
    }
    proposal = ws_hpa_propose(&average, &of_values, &scale, &closed);
    cr_expect(eq(i32, proposal.replicas, INT32_MAX));
    cr_expect(eq(i64, proposal.usage, INT64_MAX / 2));
    proposal = ws_hpa_propose(&utilization, &of_shares, &scale, &closed);
    cr_expect(eq(i32, proposal.replicas, INT32_MAX));
    cr_expect(eq(i32, proposal.utilization, INT32_MAX));
}

Test(hpa_replicas, refuses_what_it_cannot_divide_by)
{
    ws_hpa_metric metric = {.source = WS_HPA_EXTERNAL, .target_kind = WS_HPA_VALUE, .target = 0};
    ws_hpa_scale scale = {.wanted = 2, .existing = 2};
    ws_hpa_tally tally = {0};
    ws_hpa_proposal proposal;

    ws_hpa_tally_add_series(&tally, 1000);
    proposal = ws_hpa_propose(&metric, &tally, &scale, &closed);
    cr_expect(eq(int, (int)proposal.fault, WS_HPA_BAD_TARGET));
    cr_expect(eq(int, (int)proposal.reason, WS_HPA_FAILED_GET_EXTERNAL_METRIC));

    metric =
        (ws_hpa_metric){.source = WS_HPA_RESOURCE, .target_kind = WS_HPA_UTILIZATION, .target = 50};
    tally = (ws_hpa_tally){0};
    proposal = ws_hpa_propose(&metric, &tally, &scale, &closed);
    cr_expect(eq(int, (int)proposal.fault, WS_HPA_NO_SAMPLE));
    ws_hpa_tally_add_stray(&tally, &metric, 1000);
    proposal = ws_hpa_propose(&metric, &tally, &scale, &closed);
    cr_expect(eq(int, (int)proposal.fault, WS_HPA_NO_POD));
}

/* Quantities: 1.5 is 1500m; finer than a thousandth rounds up; 1.1 * 1000 is 1100.0000000000002 in
 * doubles, and means 1100m. */
Test(hpa_replicas, turns_numbers_into_milli_units)
{
    static const struct {
        double value;
        int64_t milli;
    } cases[] = {
        {0.0, 0},    {1.5, 1500},        {0.0001, 1},         {1.0001, 1001},
        {1.1, 1100}, {0.57, 570},        {-0.5, -500},        {-0.0001, 0},
        {8.0, 8000}, {1e300, INT64_MAX}, {-1e300, INT64_MIN},
    };
    int64_t milli = 7;

    for (size_t i = 0; i < WS_COUNT_OF(cases); i++) {
        cr_expect(ws_hpa_milli(cases[i].value, &milli));
        cr_expect(eq(i64, milli, cases[i].milli));
    }
    milli = 7;
    cr_expect(not(ws_hpa_milli((double)NAN, &milli)));
    cr_expect(not(ws_hpa_milli((double)INFINITY, &milli)));
    cr_expect(eq(i64, milli, 7));
}

static ws_hpa_proposal healthy(int32_t replicas)
{
    return (ws_hpa_proposal){.reason = WS_HPA_VALID_METRIC_FOUND, .replicas = replicas};
}

/* The largest wins; a failed metric holds the size but lets it grow. */
Test(hpa_replicas, combines_metrics)
{
    ws_hpa_metric external = {.source = WS_HPA_EXTERNAL, .target_kind = WS_HPA_VALUE, .target = 1};
    ws_hpa_proposal failed = ws_hpa_propose_nothing(&external, WS_HPA_FETCH_FAILED);
    ws_hpa_proposal three[] = {healthy(4), healthy(6), healthy(6)};
    ws_hpa_proposal mixed[] = {healthy(4), failed};
    ws_hpa_combination all = ws_hpa_combine(three, 3, 8);

    cr_expect(all.is_active);
    cr_expect(eq(i32, all.replicas, 6));
    cr_expect(eq(sz, all.chosen, 1));

    all = ws_hpa_combine(mixed, 2, 4);
    cr_expect(all.is_active);
    cr_expect(eq(i32, all.replicas, 4));
    cr_expect(eq(sz, all.failed_count, 1));

    all = ws_hpa_combine(mixed, 2, 5);
    cr_expect(not(all.is_active));
    cr_expect(eq(sz, all.chosen, 1));
    cr_expect(eq(int, (int)all.reason, WS_HPA_FAILED_GET_EXTERNAL_METRIC));

    all = ws_hpa_combine(&failed, 1, 0);
    cr_expect(not(all.is_active));
}
