/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a manifest comes to, and what is wrong with one. Rules: the API's types, defaults and
 * validation (k8s.io/api/autoscaling, pkg/apis/autoscaling, 1.33), worked out by hand.
 */
#include <string.h>

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "policies/manifest_case.h"
#include "ws/assert.h"

/* ---- reading ---- */

static void expect_metric(const ws_hpa_stated_metric *metric, const char *name,
                          const ws_hpa_metric *expected)
{
    cr_expect(ws_text_is(metric->name, name), "%.*s", WS_TEXT_ARGS(metric->name));
    cr_expect(eq(int, (int)metric->metric.source, (int)expected->source), "%s", name);
    cr_expect(eq(int, (int)metric->metric.target_kind, (int)expected->target_kind), "%s", name);
    cr_expect(eq(i64, metric->metric.target, expected->target), "%s", name);
    cr_expect(eq(int, metric->metric.is_cpu, expected->is_cpu), "%s", name);
}

/* Five types in the shape of v2; quantities in milli-units, a share in percent. */
static void expect_all_types(const ws_hpa_parameters *given)
{
    cr_assert(eq(sz, given->stated_count, 5));
    expect_metric(&given->stated[0], "cpu",
                  &(ws_hpa_metric){WS_HPA_RESOURCE, WS_HPA_UTILIZATION, true, 60});
    expect_metric(&given->stated[1], "memory",
                  &(ws_hpa_metric){WS_HPA_CONTAINER_RESOURCE, WS_HPA_AVERAGE_VALUE, false,
                                   INT64_C(8589934592000)});
    expect_metric(&given->stated[2], "throughput",
                  &(ws_hpa_metric){WS_HPA_PODS, WS_HPA_AVERAGE_VALUE, false, 1500});
    expect_metric(&given->stated[3], "backlog",
                  &(ws_hpa_metric){WS_HPA_OBJECT, WS_HPA_VALUE, false, 100000});
    expect_metric(&given->stated[4], "pending_gpus",
                  &(ws_hpa_metric){WS_HPA_EXTERNAL, WS_HPA_AVERAGE_VALUE, false, 8000});
    cr_expect(eq(int, (int)given->stated[0].query.source, WS_QUERY_RESOURCE));
    cr_expect(eq(int, (int)given->stated[1].query.source, WS_QUERY_RESOURCE));
    cr_expect(eq(int, (int)given->stated[2].query.source, WS_QUERY_PODS));
    cr_expect(eq(int, (int)given->stated[3].query.source, WS_QUERY_EXTERNAL));
    cr_expect(eq(int, (int)given->stated[4].query.source, WS_QUERY_EXTERNAL));
}

#define ALL_TYPES                                                                                  \
    ", minReplicas: 2, metrics: [{type: Resource, resource: {name: cpu, target: {type: "           \
    "Utilization, averageUtilization: 60}}}, "                                                     \
    "{type: ContainerResource, containerResource: {name: memory, container: main, target: {type: " \
    "AverageValue, averageValue: 8Gi}}}, "                                                         \
    "{type: Pods, pods: {metric: {name: throughput}, target: {type: AverageValue, averageValue: "  \
    "\"1500m\"}}}, "                                                                               \
    "{type: Object, object: {describedObject: {kind: Service, name: s}, metric: {name: backlog}, " \
    "target: {type: Value, value: 1E2}}}, "                                                        \
    "{type: External, external: {metric: {name: pending_gpus}, target: {type: AverageValue, "      \
    "averageValue: 8}}}]"

Test(hpa_manifest, reads_every_type_of_metric)
{
    ws_policy_bench bench;
    const ws_hpa_parameters *given =
        manifest_open(&bench, WS_TARGET_JOB, MANIFEST("v2", ALL_TYPES));

    expect_all_types(given);
    cr_expect(eq(i64, given->replicas_min, 2));
    cr_expect(eq(i64, given->replicas_max, 10));
    cr_expect(eq(sz, bench.diag.count, 0));
    ws_policy_bench_close(&bench);
}

/* v2beta2 has the shape of v2; that it is gone is told, with the words of the manual. */
Test(hpa_manifest, reads_v2beta2_and_says_that_it_is_gone)
{
    ws_policy_bench bench;

    expect_all_types(manifest_open(&bench, WS_TARGET_JOB, MANIFEST("v2beta2", ALL_TYPES)));
    cr_assert(eq(sz, bench.diag.count, 1));
    cr_expect(eq(int, (int)bench.diag.entries[0].severity, WS_SEVERITY_WARNING));
    cr_expect(eq(int, bench.diag.entries[0].code, 5101));
    cr_expect(ws_text_is(bench.diag.entries[0].label, "removed in Kubernetes 1.26"));
    cr_expect(ws_text_is(bench.diag.entries[0].help,
                         "`kubectl convert -f hpa.yaml --output-version autoscaling/v2`, or change "
                         "this line: the `spec` used here is the same in v2"));
    cr_expect(eq(i32, bench.diag.entries[0].at.column, 25));
    cr_expect(eq(i32, bench.diag.entries[0].at.length, 19));
    ws_policy_bench_close(&bench);
}

Test(hpa_manifest, reads_the_flat_shape_of_v2beta1)
{
    ws_policy_bench bench;

    expect_all_types(manifest_open(
        &bench, WS_TARGET_JOB,
        MANIFEST(
            "v2beta1",
            ", minReplicas: 2, metrics: [{type: Resource, resource: {name: cpu, "
            "targetAverageUtilization: 60}}, "
            "{type: ContainerResource, containerResource: {name: memory, container: main, "
            "targetAverageValue: 8Gi}}, "
            "{type: Pods, pods: {metricName: throughput, targetAverageValue: 1500m}}, "
            "{type: Object, object: {target: {kind: Service, name: s}, metricName: backlog, "
            "targetValue: 100}}, "
            "{type: External, external: {metricName: pending_gpus, targetAverageValue: 8}}]")));
    cr_assert(eq(sz, bench.diag.count, 1));
    cr_expect(eq(int, bench.diag.entries[0].code, 5101));
    cr_expect(ws_text_is(bench.diag.entries[0].label, "removed in Kubernetes 1.25"));
    ws_policy_bench_close(&bench);
}

/* In flat shape an average of an Object goes first; in v2 the type of its target says which counts.
 */
Test(hpa_manifest, chooses_between_the_targets_of_an_object)
{
#define OBJECT_OF(target)                                                                          \
    MANIFEST("v2", ", metrics: [{type: Object, object: {describedObject: {kind: Service, name: "   \
                   "s}, metric: {name: backlog}, target: {" target "}}}]")
    ws_policy_bench bench;
    const ws_hpa_parameters *given = manifest_open(
        &bench, WS_TARGET_JOB, OBJECT_OF("type: AverageValue, value: 7, averageValue: 5"));

    cr_expect(eq(int, (int)given->stated[0].metric.target_kind, WS_HPA_AVERAGE_VALUE));
    cr_expect(eq(i64, given->stated[0].metric.target, 5000));
    ws_policy_bench_close(&bench);
    given =
        manifest_open(&bench, WS_TARGET_JOB, OBJECT_OF("type: Value, value: 7, averageValue: 5"));
    cr_expect(eq(int, (int)given->stated[0].metric.target_kind, WS_HPA_VALUE));
    cr_expect(eq(i64, given->stated[0].metric.target, 7000));
    ws_policy_bench_close(&bench);
    given =
        manifest_open(&bench, WS_TARGET_JOB,
                      MANIFEST("v2beta1", ", metrics: [{type: Object, object: {target: {kind: "
                                          "Service, name: s}, metricName: backlog, targetValue: "
                                          "7, averageValue: 5}}]"));
    cr_expect(eq(int, (int)given->stated[0].metric.target_kind, WS_HPA_AVERAGE_VALUE));
    ws_policy_bench_close(&bench);
    /* The API takes it, the controller never reads it. */
    manifest_expect(OBJECT_OF("type: «Utilization», value: 7"), WS_SEVERITY_WARNING, 5205,
                    "the controller never reads this Object: its target has no value of type "
                    "`Utilization`");
}

/* Of all other types an average goes first, whatever the type of the target says. */
Test(hpa_manifest, does_not_look_at_the_type_of_other_targets)
{
    ws_policy_bench bench;
    const ws_hpa_parameters *given =
        manifest_open(&bench, WS_TARGET_JOB,
                      MANIFEST("v2", EXTERNAL_OF("backlog", "type: Value, averageValue: 5")));

    cr_expect(eq(int, (int)given->stated[0].metric.target_kind, WS_HPA_AVERAGE_VALUE));
    ws_policy_bench_close(&bench);
}

/* Without metrics: cpu at 80 percent; without minReplicas: 1; without a behaviour: none. */
Test(hpa_manifest, completes_as_the_api_server_does)
{
    ws_policy_bench bench;
    ws_hpa_settings settings;
    const ws_hpa_parameters *given = manifest_open(&bench, WS_TARGET_JOB, MANIFEST("v2", ""));

    cr_assert(ws_hpa_settings_of(given, &bench.arena, &settings));
    cr_assert(eq(sz, given->stated_count, 1));
    expect_metric(&given->stated[0], "cpu",
                  &(ws_hpa_metric){WS_HPA_RESOURCE, WS_HPA_UTILIZATION, true, 80});
    cr_expect(eq(i32, settings.replicas_min, 1));
    cr_expect(not(settings.has_behaviour));
    ws_policy_bench_close(&bench);
    given = manifest_open(&bench, WS_TARGET_JOB, MANIFEST("v2", ", behavior: {}, metrics: ~"));
    cr_assert(ws_hpa_settings_of(given, &bench.arena, &settings));
    cr_expect(settings.has_behaviour);
    cr_expect(eq(i32, settings.up.policies[0].value, 4));
    cr_expect(eq(i64, settings.down.window.ns, 300 * WS_NS_PER_S));
    ws_policy_bench_close(&bench);
}

Test(hpa_manifest, reads_a_behaviour)
{
    ws_policy_bench bench;
    ws_hpa_settings settings;
    ws_hpa_tolerance tolerance;
    const ws_hpa_parameters *given = manifest_open(
        &bench, WS_TARGET_JOB,
        MANIFEST_AND(
            "v2",
            ", behavior: {scaleUp: {tolerance: 50m}, scaleDown: "
            "{stabilizationWindowSeconds: 600, selectPolicy: Min, tolerance: 0.2, policies: "
            "[{type: Pods, value: 2, periodSeconds: 60}, {type: Percent, value: 10, "
            "periodSeconds: 1800}]}}",
            "sync_period: 30s, downscale_stabilization: 1m"));

    cr_assert(ws_hpa_settings_of(given, &bench.arena, &settings));
    tolerance = ws_hpa_tolerance_of(given);
    cr_expect(eq(i64, settings.up.window.ns, 0));
    cr_expect(eq(sz, settings.up.policy_count, 2));
    cr_expect(eq(i64, settings.down.window.ns, 600 * WS_NS_PER_S));
    cr_expect(eq(int, (int)settings.down.select, WS_HPA_SELECT_MIN));
    cr_assert(eq(sz, settings.down.policy_count, 2));
    cr_expect(eq(int, (int)settings.down.policies[0].kind, WS_HPA_POLICY_PODS));
    cr_expect(eq(i32, settings.down.policies[0].value, 2));
    cr_expect(eq(i64, settings.down.policies[0].period.ns, 60 * WS_NS_PER_S));
    cr_expect(eq(int, (int)settings.down.policies[1].kind, WS_HPA_POLICY_PERCENT));
    cr_expect(eq(i64, settings.down.policies[1].period.ns, 1800 * WS_NS_PER_S));
    cr_expect(eq(dbl, tolerance.up, 0.05));
    cr_expect(eq(dbl, tolerance.down, 0.2));
    cr_expect(eq(i64, bench.type->period(given).ns, 30 * WS_NS_PER_S));
    ws_policy_bench_close(&bench);
}

Test(hpa_manifest, honours_a_disabled_direction)
{
    ws_policy_bench bench;
    ws_hpa_settings settings;
    const ws_hpa_parameters *given = manifest_open(
        &bench, WS_TARGET_JOB, MANIFEST("v2", ", behavior: {scaleDown: {selectPolicy: Disabled}}"));

    cr_assert(ws_hpa_settings_of(given, &bench.arena, &settings));
    cr_expect(eq(int, (int)settings.down.select, WS_HPA_SELECT_DISABLED));
    ws_policy_bench_close(&bench);
}

/* v1 has cpu alone; of its own fields it knows no other. */
Test(hpa_manifest, reads_the_one_target_of_v1)
{
    ws_policy_bench bench;
    const ws_hpa_parameters *given = manifest_open(
        &bench, WS_TARGET_JOB, MANIFEST("v1", ", targetCPUUtilizationPercentage: 55"));

    cr_assert(eq(sz, given->stated_count, 1));
    expect_metric(&given->stated[0], "cpu",
                  &(ws_hpa_metric){WS_HPA_RESOURCE, WS_HPA_UTILIZATION, true, 55});
    cr_expect(eq(sz, bench.diag.count, 0));
    ws_policy_bench_close(&bench);
    manifest_expect(MANIFEST("v1", ", «metrics»: []"), WS_SEVERITY_WARNING, 5105,
                    "unknown field `metrics` in the `spec` of autoscaling/v1");
}

Test(hpa_manifest, reads_selectors)
{
    ws_policy_bench bench;
    const ws_hpa_parameters *given = manifest_open(
        &bench, WS_TARGET_JOB,
        MANIFEST("v2", ", metrics: [{type: External, external: {metric: {name: gpu_util, selector: "
                       "{matchLabels: {app: worker, tier: \"\"}, matchExpressions: [{key: queue, "
                       "operator: NotIn, values: [a, b]}, {key: gpu, operator: Exists}, {key: old, "
                       "operator: DoesNotExist}]}}, target: {type: AverageValue, averageValue: "
                       "200}}}]"));
    const ws_selector *selector = &given->stated[0].query.selector;

    cr_assert(eq(sz, selector->count, 5));
    cr_expect(ws_text_is(selector->requirements[0].key, "app"));
    cr_expect(eq(int, (int)selector->requirements[0].relation, WS_SELECT_IN));
    cr_assert(eq(sz, selector->requirements[0].value_count, 1));
    cr_expect(ws_text_is(selector->requirements[0].values[0], "worker"));
    cr_expect(eq(sz, selector->requirements[1].values[0].length, 0));
    cr_expect(eq(int, (int)selector->requirements[2].relation, WS_SELECT_NOT_IN));
    cr_assert(eq(sz, selector->requirements[2].value_count, 2));
    cr_expect(ws_text_is(selector->requirements[2].values[1], "b"));
    cr_expect(eq(int, (int)selector->requirements[3].relation, WS_SELECT_EXISTS));
    cr_expect(eq(int, (int)selector->requirements[4].relation, WS_SELECT_ABSENT));
    ws_policy_bench_close(&bench);
}

/* ---- what is wrong ---- */

#define OBJECT "describedObject: {kind: Service, name: s}"

/* One fault each, and the place of what is at fault. */
static const struct {
    const char *text;
    int code;
    const char *message;
} refused[] = {
    /* versions, kinds, templates */
    {"{manifest: {apiVersion: «autoscaling/v3», kind: HorizontalPodAutoscaler}}", 5101,
     "`autoscaling/v3` is no version of a HorizontalPodAutoscaler"},
    {"{manifest: «{kind: HorizontalPodAutoscaler}»}", 5101, "the manifest has no `apiVersion`"},
    {"{manifest: {apiVersion: apps/v1, kind: «Deployment»}}", 5102,
     "a Deployment is no HorizontalPodAutoscaler"},
    {"{manifest: «{apiVersion: apps/v1}»}", 5102, "the manifest has no `kind`"},
    {"{manifest: {apiVersion: v1, kind: «List», items: []}}", 5103,
     "a List holds several manifests"},
    {"{manifest: «[]»}", 2201, "`manifest` is a HorizontalPodAutoscaler, or the path of one"},
    {"{manifest: «hpa.yaml»}", 2201, "`manifest` is a HorizontalPodAutoscaler, or the path of one"},
    {MANIFEST("v2", ", minReplicas: «\"{{ .Values.min }}\"»"), 5104,
     "this looks like a Helm template"},
    /* name and target */
    {"{manifest: {apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, metadata: {name: "
     "«Worker_1»}, spec: {" MANIFEST_REF ", maxReplicas: 1}}}",
     5212,
     "`metadata.name` is lower-case letters, digits, `-` and `.`, with a letter or digit at both "
     "ends"},
    {"{manifest: «{apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, spec: "
     "{" MANIFEST_REF ", maxReplicas: 1}}»}",
     5212, "`metadata.name` is missing"},
    {"{manifest: «{" MANIFEST_OF("v2") "}»}", 5210, "the manifest has no `spec`"},
    {"{manifest: {" MANIFEST_OF("v2") ", spec: «{maxReplicas: 1}»}}", 5210,
     "`scaleTargetRef` is missing"},
    {"{manifest: {" MANIFEST_OF("v2") ", spec: {scaleTargetRef: {kind: X, name: «a/b»}, "
                                      "maxReplicas: 1}}}",
     5210, "`scaleTargetRef.name` is not `.` or `..`, and holds no `/` and no `%`"},
    {"{manifest: {" MANIFEST_OF("v2") ", spec: {scaleTargetRef: «{name: a}», maxReplicas: 1}}}",
     5210, "`scaleTargetRef.kind` is missing"},
    /* sizes */
    {"{manifest: {" MANIFEST_OF("v2") ", spec: «{" MANIFEST_REF "}»}}", 5201,
     "`maxReplicas` is missing"},
    {"{manifest: {" MANIFEST_OF("v2") ", spec: {" MANIFEST_REF ", maxReplicas: «0»}}}", 5201,
     "`maxReplicas` is at least 1"},
    {"{manifest: {" MANIFEST_OF("v2") ", spec: {" MANIFEST_REF ", maxReplicas: «2147483648»}}}",
     5201, "`maxReplicas` is at most 2147483647"},
    {MANIFEST("v2", ", minReplicas: «-1»"), 5201, "`minReplicas` is at least 0"},
    {MANIFEST("v2", ", minReplicas: «11»"), 5202, "`minReplicas` is above `maxReplicas`"},
    {MANIFEST("v2", ", minReplicas: «\"2\"»"), 2201, "`minReplicas` is a whole number"},
    {MANIFEST("v2", ", minReplicas: «1.5»"), 2201, "`minReplicas` is a whole number"},
    {MANIFEST("v2", ", minReplicas: «0»"), 5208,
     "`minReplicas: 0` needs an Object or External metric"},
    {MANIFEST("v1", ", targetCPUUtilizationPercentage: «0»"), 5205,
     "`targetCPUUtilizationPercentage` is at least 1"},
    /* types and blocks */
    {MANIFEST("v2", ", metrics: [«{external: {}}»]"), 5204, "a metric has no `type`"},
    {MANIFEST("v2", ", metrics: [{type: «external»}]"), 5204, "`external` is no type of metric"},
    {MANIFEST("v2", ", metrics: [{type: «Pods»}]"), 5204, "a metric of type `Pods` needs `pods`"},
    {MANIFEST("v2", ", metrics: [{type: Pods, external: «{metric: {name: a}}»}]"), 5204,
     "a metric of type `Pods` has `pods`, and not `external`"},
    {MANIFEST("v2", ", metrics: [«7»]"), 2201, "a metric is a map"},
    {MANIFEST("v2", ", metrics: «{}»"), 2201, "`metrics` is a list"},
    /* names */
    {MANIFEST("v2", EXTERNAL_OF("«a%b»", "type: Value, value: 1")), 5211,
     "`name` is not `.` or `..`, and holds no `/` and no `%`"},
    {MANIFEST("v2", ", metrics: [{type: External, external: {metric: «{}», target: {type: Value, "
                    "value: 1}}}]"),
     5211, "`name` of a metric is missing"},
    {MANIFEST("v2", ", metrics: [{type: External, external: «{target: {type: Value, value: 1}}»}]"),
     5211, "`external` has no `metric`"},
    {MANIFEST("v2", EXTERNAL_OF("«80»", "type: Value, value: 1")), 2201, "`name` is a text"},
    {MANIFEST("v2",
              ", metrics: [{type: ContainerResource, containerResource: {name: cpu, container: "
              "«Main», target: {type: Utilization, averageUtilization: 1}}}]"),
     5211,
     "`container` is at most 63 lower-case letters, digits and `-`, with a letter or digit at both "
     "ends"},
    {MANIFEST("v2", ", metrics: [{type: Object, object: «{metric: {name: backlog}, target: {type: "
                    "Value, value: 1}}»}]"),
     5210, "`object` has no `describedObject`"},
    /* targets */
    {MANIFEST("v2", ", metrics: [{type: External, external: «{metric: {name: backlog}}»}]"), 5205,
     "`external` has no `target`"},
    {MANIFEST("v2", EXTERNAL_OF("backlog", "type: «value», value: 1")), 5205,
     "`type` of a target is Utilization, Value or AverageValue"},
    {MANIFEST("v2", EXTERNAL_OF("backlog", "type: Value, value: «\"0\"»")), 5205,
     "`value` is above 0"},
    {MANIFEST("v2", EXTERNAL_OF("backlog", "type: Value, value: «-5»")), 5205,
     "`value` is above 0"},
    {MANIFEST("v2", EXTERNAL_OF("backlog", "type: Value, value: «1e3m»")), 3106,
     "`value` is no quantity as Kubernetes writes them"},
    {MANIFEST("v2", ", metrics: [{type: External, external: {metric: {name: backlog}, target: "
                    "«{type: Value, value: 1, averageValue: 1}»}}]"),
     5205, "a metric of type `External` has exactly one of `value` and `averageValue`"},
    {MANIFEST("v2",
              ", metrics: [{type: Pods, pods: {metric: {name: throughput}, target: «{type: Value, "
              "value: 1}»}}]"),
     5205, "a metric of type `Pods` has `averageValue`"},
    {MANIFEST("v2",
              ", metrics: [{type: Object, object: {" OBJECT ", metric: {name: backlog}, target: "
              "«{type: Value}»}}]"),
     5205, "a metric of type `Object` has one of `value` and `averageValue`"},
    {MANIFEST(
         "v2",
         ", metrics: [{type: Resource, resource: {name: cpu, target: «{type: Utilization}»}}]"),
     5205,
     "a metric of type `Resource` has exactly one of `averageUtilization` and `averageValue`"},
    {MANIFEST("v2",
              ", metrics: [{type: Resource, resource: {name: cpu, target: {type: Utilization, "
              "averageUtilization: «0»}}}]"),
     5205, "`averageUtilization` is at least 1, in percent"},
    {MANIFEST("v2beta1", ", metrics: [{type: External, external: «{metricName: backlog}»}]"), 5205,
     "a metric of type `External` has exactly one of `targetValue` and `targetAverageValue`"},
    {MANIFEST("v2beta1", ", metrics: [{type: Pods, pods: «{metricName: throughput}»}]"), 5205,
     "a metric of type `Pods` has `targetAverageValue`"},
    /* selectors */
    {MANIFEST("v2", ", metrics: [{type: External, external: {metric: {name: gpu_util, selector: "
                    "{matchExpressions: [{key: a, operator: «in», values: [b]}]}}, target: {type: "
                    "Value, value: 1}}}]"),
     5213, "`operator` is In, NotIn, Exists or DoesNotExist"},
    {MANIFEST("v2", ", metrics: [{type: External, external: {metric: {name: gpu_util, selector: "
                    "{matchExpressions: [«{key: a, operator: In}»]}}, target: {type: Value, value: "
                    "1}}}]"),
     5213, "`In` goes with `values`"},
    {MANIFEST("v2",
              ", metrics: [{type: External, external: {metric: {name: gpu_util, selector: "
              "{matchExpressions: [{key: a, operator: Exists, values: «[b]»}]}}, target: {type: "
              "Value, value: 1}}}]"),
     5213, "`Exists` goes without `values`"},
    {MANIFEST("v2", ", metrics: [{type: External, external: {metric: {name: gpu_util, selector: "
                    "{matchLabels: {app: «1»}}}, target: {type: Value, value: 1}}}]"),
     2201, "`app` is a text"},
    /* behaviour */
    {MANIFEST("v2", ", behavior: {scaleDown: {stabilizationWindowSeconds: «7200»}}"), 5203,
     "`stabilizationWindowSeconds` is at most 3600"},
    {MANIFEST("v2", ", behavior: {scaleDown: {stabilizationWindowSeconds: «3601»}}"), 5203,
     "`stabilizationWindowSeconds` is at most 3600"},
    {MANIFEST("v2", ", behavior: {scaleUp: {stabilizationWindowSeconds: «-1»}}"), 5203,
     "`stabilizationWindowSeconds` is at least 0"},
    {MANIFEST("v2", ", behavior: {scaleUp: {selectPolicy: «max»}}"), 5206,
     "`selectPolicy` is Max, Min or Disabled"},
    {MANIFEST("v2", ", behavior: {scaleUp: {policies: «[]»}}"), 5206,
     "`policies` needs at least one; leave it out for the defaults"},
    {MANIFEST("v2",
              ", behavior: {scaleUp: {policies: [{type: «pods», value: 1, periodSeconds: 1}]}}"),
     5206, "`type` of a scaling policy is Pods or Percent"},
    {MANIFEST("v2",
              ", behavior: {scaleUp: {policies: [{type: Pods, value: «0», periodSeconds: 1}]}}"),
     5206, "`value` of a scaling policy is at least 1"},
    {MANIFEST("v2",
              ", behavior: {scaleUp: {policies: [{type: Pods, value: 1, periodSeconds: «0»}]}}"),
     5207, "`periodSeconds` is at least 1"},
    {MANIFEST("v2",
              ", behavior: {scaleUp: {policies: [{type: Pods, value: 1, periodSeconds: «1801»}]}}"),
     5207, "`periodSeconds` is at most 1800"},
    {MANIFEST("v2", ", behavior: {scaleUp: {tolerance: «-0.0001»}}"), 5214,
     "`tolerance` is at least 0"},
    {MANIFEST("v2", ", behavior: «[]»"), 2201, "`behavior` is a map"},
};

Test(hpa_manifest, refuses_what_the_api_server_refuses)
{
    for (size_t i = 0; i < WS_COUNT_OF(refused); i++) {
        manifest_expect(refused[i].text, WS_SEVERITY_ERROR, refused[i].code, refused[i].message);
    }
}

/* The very ends of the ranges are allowed. */
Test(hpa_manifest, takes_the_ends_of_its_ranges)
{
    static const char *const texts[] = {
        MANIFEST("v2", ", behavior: {scaleUp: {stabilizationWindowSeconds: 3600}, scaleDown: "
                       "{stabilizationWindowSeconds: 0}}"),
        MANIFEST("v2",
                 ", behavior: {scaleUp: {tolerance: 0, policies: [{type: Percent, value: "
                 "2147483647, periodSeconds: 1}, {type: Pods, value: 1, periodSeconds: 1800}]}}"),
        MANIFEST("v2", ", minReplicas: 10"),
        "{manifest: {" MANIFEST_OF("v2") ", spec: {" MANIFEST_REF ", maxReplicas: 2147483647}}}",
    };

    for (size_t i = 0; i < WS_COUNT_OF(texts); i++) {
        ws_policy_bench bench;

        (void)manifest_open(&bench, WS_TARGET_JOB, texts[i]);
        cr_expect(eq(sz, bench.diag.count, 0), "%s", texts[i]);
        ws_policy_bench_begin(&bench, 0, 8);
        ws_policy_bench_close(&bench);
    }
}

/* Zero replicas with a metric that exists without them: allowed behind a gate. */
Test(hpa_manifest, warns_of_zero_replicas)
{
    manifest_expect(
        MANIFEST("v2", ", minReplicas: «0»" EXTERNAL_OF("backlog", "type: Value, value: 1")),
        WS_SEVERITY_WARNING, 5208, "`minReplicas: 0` needs the feature gate HPAScaleToZero");
}

/* What kubectl adds, and annotations of any kind, are no fault. */
Test(hpa_manifest, passes_over_what_is_not_the_autoscalers)
{
    ws_policy_bench bench;

    (void)manifest_open(&bench, WS_TARGET_JOB,
                        "{manifest: {apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, "
                        "metadata: {name: a.b-c, namespace: ml, uid: 7, labels: {a: \"{{ x }}\"}, "
                        "annotations: {note: \"{{ y }}\"}}, spec: {" MANIFEST_REF ", maxReplicas: "
                        "3}, status: {currentReplicas: 2}}}");
    cr_expect(eq(sz, bench.diag.count, 0));
    ws_policy_bench_close(&bench);
}

Test(hpa_manifest, tells_unknown_fields)
{
    manifest_expect(MANIFEST("v2", ", «minreplicas»: 2"), WS_SEVERITY_WARNING, 5105,
                    "unknown field `minreplicas` in the `spec` of autoscaling/v2");
    manifest_expect(MANIFEST("v2", EXTERNAL_OF("backlog", "type: Value, value: 1, «valu»: 2")),
                    WS_SEVERITY_WARNING, 5105, "unknown field `valu` in `target`");
    manifest_expect(MANIFEST("v2", ", behavior: {«scaleup»: {}}"), WS_SEVERITY_WARNING, 5105,
                    "unknown field `scaleup` in `behavior`");
}

/* Ten metrics are more than there is room for. */
Test(hpa_manifest, has_a_bound_on_metrics)
{
#define ONE "{type: External, external: {metric: {name: backlog}, target: {type: Value, value: 1}}}"
    manifest_expect(MANIFEST("v2", ", metrics: «[" ONE "," ONE "," ONE "," ONE "," ONE "," ONE
                                   "," ONE "," ONE "," ONE "]»"),
                    WS_SEVERITY_ERROR, 5209, "a manifest has at most 8 metrics here, found 9");
}

/* ---- either a manifest or parameters ---- */

Test(hpa_manifest, contradicts_parameters_that_say_the_same)
{
    manifest_expect(MANIFEST_AND("v2", "", "«min»: 2"), WS_SEVERITY_ERROR, 5107,
                    "`min` stands beside a `manifest`, which says it already");
    manifest_expect(MANIFEST_AND("v2", "", "«max»: 2"), WS_SEVERITY_ERROR, 5107,
                    "`max` stands beside a `manifest`, which says it already");
    manifest_expect(MANIFEST_AND("v2", "", "«scale_up»: {}"), WS_SEVERITY_ERROR, 5107,
                    "`scale_up` stands beside a `manifest`, which says it already");
    manifest_expect(MANIFEST_AND("v2", "", "«metrics»: [{external: backlog, value: 1}]"),
                    WS_SEVERITY_ERROR, 5107,
                    "`metrics` stands beside a `manifest`, which says it already");
}

Test(hpa_manifest, leaves_the_flags_of_the_controller_to_parameters)
{
    ws_policy_bench bench;
    const ws_hpa_parameters *given =
        manifest_open(&bench, WS_TARGET_JOB,
                      MANIFEST_AND("v2", "",
                                   "tolerance: 20%, sync_period: 10s, initial_readiness_delay: 1s, "
                                   "cpu_initialization_period: 1s, tolerance_test: absolute"));

    cr_expect(eq(dbl, ws_hpa_tolerance_of(given).up, 0.2));
    cr_expect(ws_hpa_tolerance_of(given).is_absolute);
    ws_policy_bench_close(&bench);
}

Test(hpa_manifest, is_missed_where_there_are_no_parameters)
{
    manifest_expect("«{max: 4}»", WS_SEVERITY_ERROR, 2102,
                    "a policy of type `hpa` needs `metrics` or a `manifest`");
    manifest_expect("«{metrics: [{external: backlog, value: 1}]}»", WS_SEVERITY_ERROR, 2102,
                    "a policy of type `hpa` has no `max`");
    manifest_expect("{max: 4, metrics: «{a: gpu_util}»}", WS_SEVERITY_ERROR, 2201,
                    "`metrics` is a map, but there is no `manifest` to go with it");
}
