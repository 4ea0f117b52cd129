/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From a view to a plan: what the autoscaler reads, and how it says what it does. */
#include <math.h>
#include <string.h>

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "hpa_words.h"
#include "policies/policy_bench.h"
#include "ws/assert.h"

#define EXTERNAL "metrics: [{external: pending_gpus, average_value: 8}]"

static ws_view view_of(int32_t wanted, int64_t at_s, const ws_sample *sample)
{
    ws_view view = {.now = {.ns = at_s * WS_NS_PER_S},
                    .wakes = WS_WAKE_PERIOD,
                    .target_exists = true,
                    .wanted = wanted,
                    .existing = wanted};

    view.queries[0].samples = sample;
    view.queries[0].sample_count = sample == NULL ? 0 : 1;
    return view;
}

/* 160 GPUs over 8 a node are 20 nodes; from 4, 4 more or 100 % more are 8 either way, and the first
 * policy is named. */
Test(hpa, says_what_a_policy_allows)
{
    ws_policy_bench bench;
    ws_sample sample = {.value = 160};
    ws_view view = view_of(4, 0, &sample);
    ws_plan plan;

    cr_assert(ws_policy_bench_open(&bench, "hpa", WS_TARGET_POOL,
                                   "{max: 40, scale_up: {}, " EXTERNAL "}"));
    ws_policy_bench_begin(&bench, 0, 40);
    plan = ws_policy_bench_ask(&bench, &view);
    cr_expect(plan.has_target);
    cr_expect(eq(i64, plan.target, 8));
    cr_expect(eq(str, plan.reason,
                 "pending_gpus is 160 against a target of 8 a node: wants 20; the scale-up limit "
                 "of 4 pods in 15 s allows 8"));
    cr_expect(eq(str, plan.explanation,
                 "pending_gpus: 1 series; pods: 0 counted, 0 unready, 0 missing, 0 ignored\n"
                 "pending_gpus: ratio 5, proposes 20\n"
                 "20 proposed, 20 stabilised (ReadyForNewScale), 8 asked for (ScaleUpLimit)\n"));
    ws_policy_bench_close(&bench);
}

/* 40 over 8 wants 5. Without a behaviour nothing is in the way from 4. */
Test(hpa, scales_a_pool_by_an_external_metric)
{
    ws_policy_bench bench;
    ws_sample sample = {.value = 40};
    ws_view view = view_of(4, 0, &sample);
    ws_plan plan;

    cr_assert(ws_policy_bench_open(&bench, "hpa", WS_TARGET_POOL, "{max: 40, " EXTERNAL "}"));
    ws_policy_bench_begin(&bench, 0, 40);
    plan = ws_policy_bench_ask(&bench, &view);
    cr_expect(eq(i64, plan.target, 5));
    cr_expect(eq(str, plan.reason, "pending_gpus is 40 against a target of 8 a node: wants 5"));

    /* 0.5 nodes: 1, but the 4 that the first run found hold for 300 s. */
    sample.value = 4;
    view = view_of(5, 15, &sample);
    plan = ws_policy_bench_ask(&bench, &view);
    cr_expect(not(plan.has_target));
    cr_expect(
        ne(ptr, strstr(plan.explanation, "1 proposed, 5 stabilised (ScaleDownStabilized)"), NULL));
    view = view_of(5, 315, &sample);
    plan = ws_policy_bench_ask(&bench, &view);
    cr_expect(eq(i64, plan.target, 1));
    cr_expect(eq(str, plan.reason, "pending_gpus is 4 against a target of 8 a node: wants 1"));
    ws_policy_bench_close(&bench);
}

Test(hpa, says_what_the_range_allows)
{
    ws_policy_bench bench;
    ws_sample sample = {.value = 400};
    ws_view view = view_of(8, 0, &sample);
    ws_plan plan;

    cr_assert(
        ws_policy_bench_open(&bench, "hpa", WS_TARGET_POOL, "{min: 2, max: 10, " EXTERNAL "}"));
    ws_policy_bench_begin(&bench, 0, 40);
    plan = ws_policy_bench_ask(&bench, &view);
    cr_expect(
        eq(str, plan.reason,
           "pending_gpus is 400 against a target of 8 a node: wants 50; the maximum allows 10"));
    view = view_of(12, 15, NULL);
    plan = ws_policy_bench_ask(&bench, &view);
    cr_expect(eq(i64, plan.target, 10));
    cr_expect(eq(str, plan.reason, "12 is above the maximum of 10"));
    view = view_of(1, 30, NULL);
    plan = ws_policy_bench_ask(&bench, &view);
    cr_expect(eq(str, plan.reason, "1 is below the minimum of 2"));
    view = view_of(2, 45, NULL);
    plan = ws_policy_bench_ask(&bench, &view);
    cr_expect(not(plan.has_target));
    cr_expect(ne(ptr,
                 strstr(plan.explanation, "pending_gpus: no sample (FailedGetExternalMetric)\n"
                                          "stays at 2 (FailedGetExternalMetric)\n"),
                 NULL));
    ws_policy_bench_close(&bench);
}

/* Down 10 % a minute: 40 * 0.9 is 36. A 60 s window that saw 38 stops there. */
Test(hpa, says_what_windows_and_percentages_allow)
{
    ws_policy_bench bench;
    ws_sample sample = {.value = 8 * 44};
    ws_view view = view_of(40, 0, &sample);
    ws_plan plan;

    cr_assert(ws_policy_bench_open(&bench, "hpa", WS_TARGET_POOL,
                                   "{max: 60, tolerance: 0%, scale_up: {stabilization: 1m}, "
                                   "scale_down: {stabilization: 0s, policies: "
                                   "[{percent: 10, period: 1m}]}, " EXTERNAL "}"));
    ws_policy_bench_begin(&bench, 0, 60);
    plan = ws_policy_bench_ask(&bench, &view);
    cr_expect(not(plan.has_target)); /* the first run found 40 */
    sample.value = 8 * 42;
    view = view_of(40, 60, &sample);
    plan = ws_policy_bench_ask(&bench, &view);
    cr_expect(eq(i64, plan.target, 42));
    sample.value = 8 * 50;
    view = view_of(40, 75, &sample);
    plan = ws_policy_bench_ask(&bench, &view);
    cr_expect(eq(str, plan.reason,
                 "pending_gpus is 400 against a target of 8 a node: wants 50; the scale-up window "
                 "of 60 s allows 42"));
    sample.value = 8;
    view = view_of(40, 300, &sample);
    plan = ws_policy_bench_ask(&bench, &view);
    cr_expect(eq(str, plan.reason,
                 "pending_gpus is 8 against a target of 8 a node: wants 1; the scale-down limit of "
                 "10% in 60 s allows 36"));
    ws_policy_bench_close(&bench);
}

/* A pool that begins at zero under an autoscaler that may go there comes up; one that may not is
 * switched off. */
Test(hpa, comes_up_from_an_empty_pool)
{
    ws_policy_bench bench;
    ws_sample sample = {.value = 17};
    ws_view view = view_of(0, 0, &sample);
    ws_plan plan;

    cr_assert(
        ws_policy_bench_open(&bench, "hpa", WS_TARGET_POOL, "{min: 0, max: 32, " EXTERNAL "}"));
    ws_policy_bench_begin(&bench, 0, 32);
    plan = ws_policy_bench_ask(&bench, &view);
    cr_expect(eq(i64, plan.target, 3));
    cr_expect(eq(str, plan.reason, "pending_gpus is 17 against a target of 8 a node: wants 3"));
    ws_policy_bench_close(&bench);

    cr_assert(
        ws_policy_bench_open(&bench, "hpa", WS_TARGET_POOL, "{min: 1, max: 32, " EXTERNAL "}"));
    ws_policy_bench_begin(&bench, 0, 32);
    plan = ws_policy_bench_ask(&bench, &view);
    cr_expect(not(plan.has_target));
    cr_expect(eq(str, plan.explanation, "stays at 0 (ScalingDisabled)\n"));
    ws_policy_bench_close(&bench);
}

static ws_pod running_pod(double value)
{
    return (ws_pod){
        .phase = WS_POD_RUNNING,
        .ready = true,
        .has_started = true,
        .started_age = {.ns = WS_NS_PER_H},
        .ready_age = {.ns = WS_NS_PER_H},
        .has_sample = true,
        .value = value,
        .sample_window = {.ns = WS_NS_PER_MIN},
        .request = 100,
    };
}

/* A job's replicas: 95 % of the request over a target of 80 % wants ceil(95/80 * 4) = 5. */
Test(hpa, scales_a_job_by_its_replicas)
{
    ws_policy_bench bench;
    ws_pod pods[4] = {running_pod(95), running_pod(95), running_pod(95), running_pod(95)};
    ws_view_job jobs[] = {{.name = WS_TEXT("other")}, {.name = WS_TEXT("train")}};
    ws_view view = view_of(4, 0, NULL);
    ws_plan plan;

    view.queries[0].pods = pods;
    view.queries[0].pod_count = 4;
    view.jobs = jobs;
    view.job_count = 2;
    cr_assert(
        ws_policy_bench_open(&bench, "hpa", WS_TARGET_JOB,
                             "{max: 8, metrics: [{resource: cpu, average_utilization: 80}]}"));
    ws_policy_bench_begin(&bench, 0, 0);
    plan = ws_policy_bench_ask(&bench, &view);
    cr_expect(eq(i64, plan.target, 5));
    cr_expect(eq(str, plan.reason, "cpu is 95% against a target of 80%: wants 5"));
    ws_policy_bench_close(&bench);

    cr_assert(ws_policy_bench_open(&bench, "hpa", WS_TARGET_JOB,
                                   "{max: 8, metrics: [{pods: gpu_util, average_value: 80.5}]}"));
    ws_policy_bench_begin(&bench, 0, 0);
    plan = ws_policy_bench_ask(&bench, &view);
    cr_expect(eq(str, plan.reason, "gpu_util is 95 a replica against a target of 80.5: wants 5"));

    /* A job that is done is not there; two of a name are not one thing to scale. */
    jobs[0].name = WS_TEXT("train");
    plan = ws_policy_bench_ask(&bench, &view);
    cr_expect(eq(sz, plan.set_count, 0));
    cr_expect(ne(ptr, strstr(plan.explanation, "several jobs named train"), NULL));
    view.target_exists = false;
    plan = ws_policy_bench_ask(&bench, &view);
    cr_expect(eq(sz, plan.set_count, 0));
    cr_expect(eq(str, plan.explanation, ""));
    ws_policy_bench_close(&bench);
}

/* A starting replica that shows 95 counts as 0 while growing, and a value that is no number is a
 * missing one, 0 as well: over all six the mean is 4 * 95 / 6 = 63.333, below the target of 80
 * where it had been above, so that the size stays. */
Test(hpa, distrusts_what_is_young_or_no_number)
{
    ws_policy_bench bench;
    ws_pod pods[6] = {running_pod(95), running_pod(95), running_pod(95),
                      running_pod(95), running_pod(95), running_pod((double)NAN)};
    ws_view view = view_of(6, 0, NULL);
    ws_plan plan;

    pods[4].phase = WS_POD_STARTING;
    pods[4].ready = false;
    pods[4].started_age.ns = pods[4].ready_age.ns = 10 * WS_NS_PER_S;
    view.queries[0].pods = pods;
    view.queries[0].pod_count = 6;
    cr_assert(ws_policy_bench_open(&bench, "hpa", WS_TARGET_JOB,
                                   "{max: 8, metrics: [{resource: cpu, average_value: 80}]}"));
    ws_policy_bench_begin(&bench, 0, 0);
    plan = ws_policy_bench_ask(&bench, &view);
    cr_expect(not(plan.has_target));
    cr_expect(ne(
        ptr, strstr(plan.explanation, "pods: 4 counted, 1 unready, 1 missing, 0 ignored\n"), NULL));
    cr_expect(ne(ptr, strstr(plan.explanation, "cpu: ratio 0.7917, proposes 6\n"), NULL));
    ws_policy_bench_close(&bench);
}

/* A pool of at most 6 nodes takes 6 of the 8 that the policy allows: 2 count, so that 2 more may
 * follow. */
Test(hpa, counts_only_what_the_pool_took)
{
    ws_policy_bench bench;
    ws_sample sample = {.value = 160};
    ws_view view = view_of(4, 0, &sample);
    ws_plan plan;

    cr_assert(ws_policy_bench_open(
        &bench, "hpa", WS_TARGET_POOL,
        "{max: 40, scale_up: {policies: [{pods: 4, period: 1m}]}, " EXTERNAL "}"));
    ws_policy_bench_begin(&bench, 0, 6);
    plan = ws_policy_bench_ask(&bench, &view);
    cr_expect(eq(i64, plan.target, 8));
    view = view_of(6, 15, &sample);
    plan = ws_policy_bench_ask(&bench, &view);
    cr_expect(eq(i64, plan.target, 8));
    ws_policy_bench_close(&bench);
}

Test(hpa, combines_metrics_and_tells_of_failures)
{
    ws_policy_bench bench;
    ws_sample sample = {.value = 40};
    ws_view view = view_of(4, 0, &sample);
    ws_plan plan;

    cr_assert(
        ws_policy_bench_open(&bench, "hpa", WS_TARGET_POOL,
                             "{max: 40, metrics: [{external: pending_gpus, average_value: 8}, "
                             "{external: requested_gpus, value: 10}]}"));
    ws_policy_bench_begin(&bench, 0, 40);
    plan = ws_policy_bench_ask(&bench, &view);
    cr_expect(
        eq(str, plan.reason,
           "pending_gpus is 40 against a target of 8 a node: wants 5; 1 of 2 metrics failed"));
    ws_policy_bench_close(&bench);
}

Test(hpa_words, print_milli_units_as_decimals)
{
    static const struct {
        int64_t milli;
        const char *text;
    } cases[] = {
        {0, "0"},
        {40000, "40"},
        {1500, "1.5"},
        {1050, "1.05"},
        {-1, "-0.001"},
        {-2500, "-2.5"},
        {INT64_MAX, "9223372036854775.807"},
        {INT64_MIN, "-9223372036854775.808"},
    };

    for (size_t i = 0; i < WS_COUNT_OF(cases); i++) {
        ws_hpa_words words = {.length = 0};

        ws_hpa_words_add_milli(&words, cases[i].milli);
        cr_expect(eq(str, words.text, (char *)cases[i].text));
    }
}

/* Words that do not fit are left out; the line stays terminated. */
Test(hpa_words, stay_within_their_line)
{
    ws_hpa_words words = {.length = 0};

    for (int i = 0; i < 100; i++) {
        ws_hpa_words_add(&words, "%s", "0123456789");
    }
    cr_expect(eq(sz, words.length, sizeof words.text - 1));
    cr_expect(eq(sz, strlen(words.text), words.length));
}
