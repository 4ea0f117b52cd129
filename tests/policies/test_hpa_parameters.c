/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What may be written, and what Kubernetes would not take. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "hpa_parameters.h"
#include "policies/policy_bench.h"
#include "ws/assert.h"

#define EXTERNAL "metrics: [{external: pending_gpus, average_value: 8}]"

/* Defaults: those of the manifest's API and of the controller's flags. */
Test(hpa_parameters, completes_what_is_left_out)
{
    ws_policy_bench bench;
    const ws_hpa_parameters *given = NULL;
    ws_hpa_settings settings;
    ws_hpa_tolerance tolerance;

    cr_assert(ws_policy_bench_open(&bench, "hpa", WS_TARGET_POOL, "{max: 4, " EXTERNAL "}"));
    given = bench.parameters;
    cr_assert(ws_hpa_settings_of(given, &bench.arena, &settings));
    tolerance = ws_hpa_tolerance_of(given);
    cr_expect(eq(i32, settings.replicas_min, 1));
    cr_expect(eq(i32, settings.replicas_max, 4));
    cr_expect(not(settings.has_behaviour));
    cr_expect(settings.has_outside_metric);
    cr_expect(eq(i64, settings.downscale_stabilization.ns, 300 * WS_NS_PER_S));
    cr_expect(eq(dbl, settings.scale_up_factor, 2.0));
    cr_expect(eq(dbl, settings.scale_up_minimum, 4.0));
    cr_expect(eq(i64, bench.type->period(given).ns, 15 * WS_NS_PER_S));
    cr_expect(eq(i64, given->initial_readiness_delay.ns, 30 * WS_NS_PER_S));
    cr_expect(eq(i64, given->cpu_initialization_period.ns, 300 * WS_NS_PER_S));
    cr_expect(eq(dbl, tolerance.up, 0.1));
    cr_expect(eq(dbl, tolerance.down, 0.1));
    cr_expect(not(tolerance.is_absolute));
    ws_policy_bench_close(&bench);
}

/* One direction makes a behaviour of both; what it leaves out is the API server's and the
 * controller's. */
Test(hpa_parameters, completes_a_behaviour)
{
    ws_policy_bench bench;
    const ws_hpa_parameters *given = NULL;
    ws_hpa_settings settings;
    ws_hpa_tolerance tolerance;

    cr_assert(ws_policy_bench_open(
        &bench, "hpa", WS_TARGET_POOL,
        "{max: 4, downscale_stabilization: 2m, tolerance_test: absolute, scale_down: {select: min, "
        "tolerance: 5%, policies: [{pods: 2, period: 1m}, {percent: 10, period: 30s}]}, " EXTERNAL
        "}"));
    given = bench.parameters;
    cr_assert(ws_hpa_settings_of(given, &bench.arena, &settings));
    tolerance = ws_hpa_tolerance_of(given);
    cr_expect(settings.has_behaviour);
    cr_expect(eq(i64, settings.up.window.ns, 0));
    cr_expect(eq(int, (int)settings.up.select, WS_HPA_SELECT_MAX));
    cr_assert(eq(sz, settings.up.policy_count, 2));
    cr_expect(eq(int, (int)settings.up.policies[0].kind, WS_HPA_POLICY_PODS));
    cr_expect(eq(i32, settings.up.policies[0].value, 4));
    cr_expect(eq(i64, settings.up.policies[1].period.ns, 15 * WS_NS_PER_S));
    cr_expect(eq(i64, settings.down.window.ns, 120 * WS_NS_PER_S));
    cr_expect(eq(int, (int)settings.down.select, WS_HPA_SELECT_MIN));
    cr_assert(eq(sz, settings.down.policy_count, 2));
    cr_expect(eq(i32, settings.down.policies[0].value, 2));
    cr_expect(eq(int, (int)settings.down.policies[1].kind, WS_HPA_POLICY_PERCENT));
    cr_expect(eq(i64, settings.down.policies[1].period.ns, 30 * WS_NS_PER_S));
    cr_expect(eq(dbl, tolerance.up, 0.1));
    cr_expect(eq(dbl, tolerance.down, 0.05));
    cr_expect(tolerance.is_absolute);
    ws_policy_bench_close(&bench);
}

Test(hpa_parameters, turns_metrics_into_queries_and_targets)
{
    ws_policy_bench bench;
    const ws_hpa_parameters *given = NULL;
    ws_hpa_metric metric;

    cr_assert(ws_policy_bench_open(&bench, "hpa", WS_TARGET_JOB,
                                   "{max: 4, metrics: [{external: throughput, job: train, value: "
                                   "2.5}, {pods: gpu_util, average_value: 80}, "
                                   "{resource: cpu, average_utilization: 60}]}"));
    given = bench.parameters;
    bench.type->subscribe(given, &bench.subscriptions);
    cr_assert(eq(sz, bench.subscriptions.count, 3));
    cr_expect(eq(int, (int)bench.subscriptions.queries[0].source, WS_QUERY_EXTERNAL));
    cr_expect(ws_text_is(bench.subscriptions.queries[0].job, "train"));
    cr_expect(eq(i32, bench.subscriptions.queries[0].at.column, 31));
    cr_expect(eq(int, (int)bench.subscriptions.queries[1].source, WS_QUERY_PODS));
    cr_expect(ws_text_is(bench.subscriptions.queries[1].metric, "gpu_util"));
    cr_expect(eq(int, (int)bench.subscriptions.queries[2].source, WS_QUERY_RESOURCE));
    metric = given->stated[0].metric;
    cr_expect(eq(int, (int)metric.target_kind, WS_HPA_VALUE));
    cr_expect(eq(i64, metric.target, 2500));
    metric = given->stated[1].metric;
    cr_expect(eq(int, (int)metric.target_kind, WS_HPA_AVERAGE_VALUE));
    cr_expect(eq(i64, metric.target, 80000));
    metric = given->stated[2].metric;
    cr_expect(eq(int, (int)metric.target_kind, WS_HPA_UTILIZATION));
    cr_expect(eq(i64, metric.target, 60));
    cr_expect(metric.is_cpu);
    ws_policy_bench_close(&bench);
}

/* In the words of the manifest's diagnostics, with our keys. */
Test(hpa_parameters, points_at_what_the_api_server_would_reject)
{
    ws_policy_bench bench;

    cr_expect(not(ws_policy_bench_open(&bench, "hpa", WS_TARGET_POOL,
                                       "{max: 4, scale_down: {stabilization: 2h}, " EXTERNAL "}")));
    cr_expect(eq(sz, bench.diag.count, 1));
    cr_expect(eq(
        str, (char *)ws_policy_bench_complaint(&bench),
        "error[WS5203]: `stabilization` is at most 3600s\n"
        " --> scenario.yaml:1:38\n"
        "  |\n"
        "1 | {max: 4, scale_down: {stabilization: 2h}, " EXTERNAL "}\n"
        "  |                                      ^^ the API server would reject this\n"
        "  |\n"
        "  = note: worldsize applies the same limits as Kubernetes, so that what you simulate can "
        "be deployed\n"));
    ws_policy_bench_close(&bench);
}

Test(hpa_parameters, points_at_both_ends_of_an_empty_range)
{
    ws_policy_bench bench;

    cr_expect(
        not(ws_policy_bench_open(&bench, "hpa", WS_TARGET_POOL, "min: 40\nmax: 32\n" EXTERNAL)));
    cr_expect(eq(sz, bench.diag.count, 1));
    cr_expect(eq(str, (char *)ws_policy_bench_complaint(&bench),
                 "error[WS5202]: `min` is above `max`\n"
                 " --> scenario.yaml:1:6\n"
                 "  |\n"
                 "1 | min: 40\n"
                 "  |      ^^ 40\n"
                 "2 | max: 32\n"
                 "  |      -- 32\n"));
    ws_policy_bench_close(&bench);
}

/* One fault each, its code, and the column of the value that is at fault. */
Test(hpa_parameters, refuses_what_kubernetes_refuses)
{
    static const struct {
        const char *text;
        int code;
        int32_t column;
    } cases[] = {
        {"{min: -1, max: 4, " EXTERNAL "}", 5201, 7},
        {"{max: 0, " EXTERNAL "}", 5201, 7},
        {"{max: 2147483648, " EXTERNAL "}", 5201, 7},
        {"{max: 4, scale_up: {stabilization: 1.5s}, " EXTERNAL "}", 5203, 36},
        {"{max: 4, scale_up: {stabilization: 3601s}, " EXTERNAL "}", 5203, 36},
        {"{max: 4, metrics: [{average_value: 8}]}", 5204, 20},
        {"{max: 4, metrics: [{external: a, pods: b, average_value: 8}]}", 5204, 20},
        {"{max: 4, metrics: [{pods: gpu_util, job: train, average_value: 8}]}", 5204, 42},
        {"{max: 4, metrics: [{external: pending_gpus}]}", 5205, 20},
        {"{max: 4, metrics: [{external: pending_gpus, value: 1, average_value: 1}]}", 5205, 20},
        {"{max: 4, metrics: [{external: pending_gpus, average_utilization: 1}]}", 5205, 20},
        {"{max: 4, metrics: [{pods: gpu_util, value: 1}]}", 5205, 20},
        {"{max: 4, metrics: [{pods: gpu_util, value: 1, average_value: 1}]}", 5205, 20},
        {"{max: 4, metrics: [{resource: cpu}]}", 5205, 20},
        {"{max: 4, metrics: [{external: pending_gpus, value: 0}]}", 5205, 52},
        {"{max: 4, metrics: [{external: pending_gpus, average_value: -1}]}", 5205, 60},
        {"{max: 4, metrics: [{resource: cpu, average_utilization: 0}]}", 5205, 57},
        {"{max: 4, scale_up: {policies: []}, " EXTERNAL "}", 5206, 31},
        {"{max: 4, scale_up: {policies: [{period: 1m}]}, " EXTERNAL "}", 5206, 32},
        {"{max: 4, scale_up: {policies: [{pods: 1, percent: 1, period: 1m}]}, " EXTERNAL "}", 5206,
         32},
        {"{max: 4, scale_up: {policies: [{pods: 0, period: 1m}]}, " EXTERNAL "}", 5206, 39},
        {"{max: 4, scale_up: {policies: [{percent: 2147483648, period: 1m}]}, " EXTERNAL "}", 5206,
         42},
        {"{max: 4, scale_up: {policies: [{pods: 1, period: 0s}]}, " EXTERNAL "}", 5207, 50},
        {"{max: 4, scale_up: {policies: [{pods: 1, period: 31m}]}, " EXTERNAL "}", 5207, 50},
        {"{min: 0, max: 4, metrics: [{resource: cpu, average_utilization: 50}]}", 5208, 7},
        {"{max: 4, metrics: []}", 5209, 19},
    };

    for (size_t i = 0; i < WS_COUNT_OF(cases); i++) {
        ws_policy_bench bench;

        cr_expect(not(ws_policy_bench_open(&bench, "hpa", WS_TARGET_JOB, cases[i].text)), "%s",
                  cases[i].text);
        cr_assert(eq(sz, bench.diag.count, 1), "%s", cases[i].text);
        cr_expect(eq(int, bench.diag.entries[0].code, cases[i].code), "%s", cases[i].text);
        cr_expect(eq(i32, bench.diag.entries[0].at.column, cases[i].column), "%s", cases[i].text);
        ws_policy_bench_close(&bench);
    }
}

/* The very ends of the ranges are allowed. */
Test(hpa_parameters, takes_the_ends_of_its_ranges)
{
    static const char *const texts[] = {
        "{min: 0, max: 2147483647, " EXTERNAL "}",
        "{min: 4, max: 4, " EXTERNAL "}",
        "{max: 4, scale_up: {stabilization: 0s}, scale_down: {stabilization: 1h}, " EXTERNAL "}",
        "{max: 4, scale_up: {policies: [{pods: 1, period: 1s}, {percent: 1, period: "
        "30m}]}, " EXTERNAL "}",
        "{max: 4, tolerance: 0%, scale_up: {tolerance: 250%}, " EXTERNAL "}",
        "{max: 4, sync_period: 1s, downscale_stabilization: 0s, " EXTERNAL "}",
        "{max: 4, scale_up: {}, " EXTERNAL "}",
    };

    for (size_t i = 0; i < WS_COUNT_OF(texts); i++) {
        ws_policy_bench bench;

        cr_expect(ws_policy_bench_open(&bench, "hpa", WS_TARGET_POOL, texts[i]), "%s", texts[i]);
        ws_policy_bench_begin(&bench, 0, 8);
        ws_policy_bench_close(&bench);
    }
}
