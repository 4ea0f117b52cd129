/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Whole courses of an autoscaler, decision after decision: a cluster that takes every size at once,
 * and whose pods all run and show what the test says. Each course is worked out from the documented
 * rule, desired = ceil(current x metric / target) outside of the tolerance, and its limits.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "policies/hpa_single_decisions.h"
#include "policies/policy_bench.h"
#include "ws/assert.h"

enum { PODS_MAX = 256, SYNC_S = 15 };

/* What monitoring shows at a size. */
typedef struct {
    double each;     /* of each pod and each series */
    bool is_average; /* one series of it; else one for each pod */
} shown;

typedef shown (*show)(int32_t size);

static ws_plan decide(ws_policy_bench *bench, int32_t size, int64_t at_s, shown now)
{
    ws_pod pods[PODS_MAX];
    ws_sample samples[PODS_MAX];
    ws_view_job job = {.name = WS_TEXT("train")};
    ws_view view = {.now = {.ns = at_s * WS_NS_PER_S},
                    .wakes = WS_WAKE_PERIOD,
                    .jobs = &job,
                    .job_count = 1,
                    .target_exists = true,
                    .wanted = size,
                    .existing = size};

    WS_ASSERT(size <= PODS_MAX);
    for (int32_t i = 0; i < size; i++) {
        samples[i] = (ws_sample){.value = now.each};
        pods[i] = (ws_pod){.phase = WS_POD_RUNNING,
                           .ready = true,
                           .has_started = true,
                           .started_age = {.ns = WS_NS_PER_H},
                           .ready_age = {.ns = WS_NS_PER_H},
                           .has_sample = true,
                           .value = now.each,
                           .sample_window = {.ns = WS_NS_PER_S},
                           .request = 100};
    }
    view.queries[0] = (ws_fake_query){.pods = pods,
                                      .pod_count = (size_t)size,
                                      .samples = samples,
                                      .sample_count = now.is_average ? 1 : (size_t)size};
    return ws_policy_bench_ask(bench, &view);
}

/* Every size that the target has in `seconds` of decisions every 15 s, "4 5 6", in `course`. */
static void follow(const char *parameters, int32_t size, int64_t seconds, show at, char course[400])
{
    ws_policy_bench bench;
    size_t length = 0;

    cr_assert(ws_policy_bench_open(&bench, "hpa", WS_TARGET_JOB, parameters), "%s",
              ws_policy_bench_complaint(&bench));
    ws_policy_bench_begin(&bench, 0, 0);
    length = (size_t)snprintf(course, 400, "%" PRId32, size);
    for (int64_t now_s = 0; now_s <= seconds; now_s += SYNC_S) {
        ws_plan plan = decide(&bench, size, now_s, at(size));

        if (plan.has_target) {
            cr_expect(ne(i64, plan.target, size));
            cr_expect(gt(sz, strlen(plan.reason), 0));
            size = (int32_t)plan.target;
            length += (size_t)snprintf(course + length, 400 - length, " %" PRId32, size);
        }
    }
    ws_policy_bench_close(&bench);
}

static void check_course(const char *parameters, int32_t size, int64_t seconds, show at,
                         const char *expected)
{
    char course[400];

    follow(parameters, size, seconds, at, course);
    cr_expect_str_eq(course, expected, "%s: %s", parameters, course);
}

/* ---- single decisions ---- */

/* Without a window downward the first decision counts; all of these are within a step of the
 * default pace. */
#define AT_ONCE "max: 100, scale_down: {stabilization: 0s}"

static int32_t decide_once(const char *test, int32_t size, double metric, int target)
{
    ws_policy_bench bench;
    char parameters[200];

    (void)snprintf(parameters, sizeof parameters,
                   "{" AT_ONCE ", tolerance_test: %s, metrics: [{pods: gpu_util, average_value: "
                   "%d}]}",
                   test, target);
    cr_assert(ws_policy_bench_open(&bench, "hpa", WS_TARGET_JOB, parameters), "%s",
              ws_policy_bench_complaint(&bench));
    ws_policy_bench_begin(&bench, 0, 0);
    ws_plan plan = decide(&bench, size, 0, (shown){.each = metric});
    ws_policy_bench_close(&bench);
    return plan.has_target ? (int32_t)plan.target : size;
}

Test(hpa_trajectories, single_decisions)
{
    for (size_t i = 0; i < WS_COUNT_OF(hpa_single_decisions); i++) {
        int32_t size = hpa_single_decisions[i].current;
        int32_t metric = hpa_single_decisions[i].metric;
        int32_t target = hpa_single_decisions[i].target;

        cr_expect(
            eq(i32, decide_once("closed", size, metric, target), hpa_single_decisions[i].replicas));
        cr_expect(eq(i32, decide_once("absolute", size, metric, target),
                     hpa_single_decisions[i].replicas_before_1_33));
    }
}

/* ---- a metric that does not follow the size ---- */

static shown show_95(int32_t size)
{
    (void)size;
    return (shown){.each = 95};
}

static shown show_60(int32_t size)
{
    (void)size;
    return (shown){.each = 60};
}

/* 27 x 95 / 80 is 32.06, and 32 are the most. Downward 3 x 60 / 80 = 2.25 is 3. The first decision
 * of the course downward only remembers the 32 that it finds. */
Test(hpa_trajectories, a_flat_metric_runs_to_an_end)
{
    check_course("{min: 1, max: 32, metrics: [{pods: gpu_util, average_value: 80}]}", 4, 600,
                 show_95, "4 5 6 8 10 12 15 18 22 27 32");
    check_course("{min: 1, max: 32, downscale_stabilization: 0s, "
                 "metrics: [{resource: cpu, average_utilization: 80}]}",
                 32, 600, show_60, "32 24 18 14 11 9 7 6 5 4 3");
}

/* ---- the pace ---- */

/* A sum of so many over 1 for each replica wants as many replicas. */
static shown show_sum_64(int32_t size)
{
    (void)size;
    return (shown){.each = 64, .is_average = true};
}

static shown show_sum_200(int32_t size)
{
    (void)size;
    return (shown){.each = 200, .is_average = true};
}

static shown show_sum_10(int32_t size)
{
    (void)size;
    return (shown){.each = 10, .is_average = true};
}

#define FOR_EACH_ONE "metrics: [{external: requested_gpus, average_value: 1}]"

/* By default the larger of 4 pods and 100 % in 15 s; five decisions are a minute. */
Test(hpa_trajectories, the_default_pace_upward)
{
    check_course("{max: 100, scale_up: {}, " FOR_EACH_ONE "}", 1, 60, show_sum_64,
                 "1 5 10 20 40 64");
    check_course("{max: 250, scale_up: {}, " FOR_EACH_ONE "}", 3, 75, show_sum_200,
                 "3 7 14 28 56 112 200");
}

/* The example of the documentation: the larger of 4 pods and 10 % in a minute, in fourteen steps
 * from 80 to 10. 72 x 0.9 is 64.8, cut to 64. */
Test(hpa_trajectories, the_documented_pace_downward)
{
    static const char parameters[] =
        "{max: 100, scale_down: {stabilization: 0s, policies: [{pods: 4, period: 1m}, {percent: "
        "10, period: 1m}]}, " FOR_EACH_ONE "}";

    check_course(parameters, 80, 13 * 60, show_sum_10,
                 "80 72 64 57 51 45 40 36 32 28 24 20 16 12 10");
    check_course(parameters, 80, 13 * 60 - 15, show_sum_10,
                 "80 72 64 57 51 45 40 36 32 28 24 20 16 12"); /* the last step is at 13 min */
}

/* ---- what the adapter returns ---- */

static shown show_one_average(int32_t size)
{
    (void)size;
    return (shown){.each = 95, .is_average = true};
}

/* Of a job whose all-reduce takes a growing share of its time. */
static shown show_sm_active(int32_t size)
{
    static const double at[] = {0, 94.7, 92.04, 89.28, 86.72, 84.32, 82.08, 80, 78, 76, 74.38};

    WS_ASSERT((size_t)size < WS_COUNT_OF(at));
    return (shown){.each = at[size]};
}

#define GPU_UTIL "{min: 2, max: 10, metrics: [{external: gpu_util, average_value: 80}]}"

/*
 * One metric and one target, External and AverageValue. A series for each of n replicas sums to 95
 * n: 2.375, 3.5625, 4.75, 5.9375, 7.125, 9.5 and 11.875 of 80. One average is 1.1875 of 80 whatever
 * the size, and the size that is found at 0 s is remembered for 300 s, that second included. What
 * falls with the size rests where it is within a tenth: 3 x 89.28 / 80 = 3.348, 1.116 of 3; 4 x
 * 86.72 / 80 = 4.336, 1.084 of 4.
 */
Test(hpa_trajectories, external_sums_what_the_adapter_returns)
{
    check_course(GPU_UTIL, 2, 3600, show_95, "2 3 4 5 6 8 10");
    check_course(GPU_UTIL, 2, 3600, show_one_average, "2");
    check_course(GPU_UTIL, 10, 300, show_one_average, "10");
    check_course(GPU_UTIL, 10, 315, show_one_average, "10 2");
    check_course(GPU_UTIL, 2, 3600, show_sm_active, "2 3 4");
    check_course(GPU_UTIL, 10, 3600, show_sm_active, "10");
}
