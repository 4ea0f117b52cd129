/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Manifests of the autoscaler as they lie on the disk: found, read in each version, matched with
 * the jobs of the scenario, and followed in a run.
 *
 * The job `train` does 100 + 400 / 9 x (n - 1) samples a second with n replicas: 72.2 for each of
 * 2, 63.0 of 3, 58.3 of 4, 50 of 10. `other` has one replica, which does 10.
 */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "scenarios/edited.h"
#include "support/support.h"
#include "ws/run.h"

static ws_edited edited;

static const char scenario[] =
    "schema: worldsize.scenario/v1\n"
    "name: manifest\n"
    "horizon: 30m\n"
    "cluster:\n"
    "  pools:\n"
    "    - {name: p, gpu: {type: T, per_node: 1}, nodes: {initial: 11, max: 11}, "
    "price: {per_gpu: $1/h}}\n"
    "monitoring: {scrape: 15s, window: 15s, delay: 0s}\n"
    "workload:\n"
    "  jobs:\n"
    "    - name: train\n"
    "      labels: {app: worker, team: a}\n"
    "      replicas: {initial: 2, min: 2, max: 10}\n"
    "      elasticity: restart\n"
    "      step: {curve: {1: 100/s, 10: 500/s}}\n"
    "      stages: [{name: main, work: 10M samples}]\n"
    "      checkpoint: {every: 1h, write: 0s, read: 0s, before_resize: true}\n"
    "    - name: other\n"
    "      labels: {app: worker, team: b}\n"
    "      replicas: 1\n"
    "      step: {curve: {1: 10/s}}\n"
    "      stages: [{name: main, work: 10M samples}]\n"
    "policies:\n"
    "  - {name: a, type: hpa, target: {job: train}, %s}\n";

#define MAPPED "manifest: hpa.yaml, metrics: {speed: {from: throughput}}"

#define HEAD(version)                                                                              \
    "apiVersion: autoscaling/" version "\n"                                                        \
    "kind: HorizontalPodAutoscaler\n"                                                              \
    "metadata: {name: worker}\n"                                                                   \
    "spec:\n"                                                                                      \
    "  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: worker}\n"                    \
    "  minReplicas: 2\n"                                                                           \
    "  maxReplicas: 10\n"

/* The External metric `speed` of series that a selector picks, 55 for each replica. */
#define SPEED(version, selector)                                                                   \
    HEAD(version)                                                                                  \
    "  metrics:\n"                                                                                 \
    "    - type: External\n"                                                                       \
    "      external:\n"                                                                            \
    "        metric: {name: speed, selector: " selector "}\n"                                      \
    "        target: {type: AverageValue, averageValue: \"55\"}\n"

#define TEAM_A "{matchLabels: {team: a}}"

static void write_file(const char *name, const char *content)
{
    char path[1200];

    (void)snprintf(path, sizeof path, "%s/%s", edited.folder, name);
    FILE *file = fopen(path, "w");
    cr_assert(file != NULL, "%s", path);
    cr_assert(fputs(content, file) >= 0);
    cr_assert(eq(int, fclose(file), 0));
}

static void set_up(void)
{
    ws_edited_init(&edited, "load-manifest");
}

static void tear_down(void)
{
    ws_edited_fini(&edited);
}

TestSuite(load_manifest, .init = set_up, .fini = tear_down);

static bool load(const char *keys)
{
    return ws_edited_load(&edited, ws_arena_format(&edited.arena, scenario, keys), NULL);
}

static bool load_manifest(const char *manifest)
{
    write_file("hpa.yaml", manifest);
    return load(MAPPED);
}

/* The only diagnostic is this one; returns it. */
static const ws_diagnostic *check_told(ws_severity severity, int code, const char *message)
{
    cr_assert(eq(sz, edited.diag.count, 1), "%s", ws_edited_printed(&edited));
    const ws_diagnostic *told = &edited.diag.entries[0];
    cr_expect(eq(int, told->severity, severity), "%s", ws_edited_printed(&edited));
    cr_expect(eq(int, told->code, code), "%s", ws_edited_printed(&edited));
    cr_expect_str_eq(told->message.start, message, "%s", ws_edited_printed(&edited));
    return told;
}

/* ---- runs ---- */

typedef struct {
    char text[1000];
    size_t length;
} decision_log;

static void keep_decision(void *context, const ws_decision *decision)
{
    decision_log *log = context;

    log->length +=
        (size_t)snprintf(log->text + log->length, sizeof log->text - log->length,
                         "%" PRId64 " s, %" PRId32 ": %.*s\n", decision->at.ns / WS_NS_PER_S,
                         decision->to, WS_TEXT_ARGS(decision->reason));
}

/* What the arm decides in half an hour, a line each. */
static void check_run(const char *expected)
{
    ws_arena scratch;
    ws_run_result result;
    decision_log log = {.text = ""};

    ws_arena_init(&scratch, &ws_allocator_default, (size_t)1 << 28);
    cr_assert(
        ws_run(&result, &edited.loaded.arms[0],
               &(ws_run_options){.check = true, .decided = keep_decision, .decided_context = &log},
               &edited.arena, &scratch, &edited.diag));
    cr_expect_str_eq(log.text, expected, "%s", log.text);
    ws_arena_reset(&scratch);
}

/*
 * Both replicas step from 0 on. A series is rounded up to thousandths: at 15 s 2 x 72.223 over 55
 * is 2.63, so 3 replicas, which step at once. At 30 s 3 x 62.963 over 55 is 3.43. At 45 s 4
 * x 58.334 over 4 x 55 is 1.06, within a tenth.
 */
#define COURSE                                                                                     \
    "15 s, 3: speed is 144.446 in 2 series against a target of 55 a replica: wants 3\n"            \
    "30 s, 4: speed is 188.889 in 3 series against a target of 55 a replica: wants 4\n"

/* ---- versions ---- */

static const char v1[] =
    "apiVersion: autoscaling/v1\n"
    "kind: HorizontalPodAutoscaler\n"
    "metadata:\n"
    "  name: worker\n"
    "  annotations:\n"
    "    autoscaling.alpha.kubernetes.io/metrics: '[{\"type\": \"External\", \"external\": "
    "{\"metricName\": \"speed\", \"metricSelector\": {\"matchLabels\": {\"team\": \"a\"}}, "
    "\"targetAverageValue\": \"55\"}}]'\n"
    "spec:\n"
    "  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: worker}\n"
    "  minReplicas: 2\n"
    "  maxReplicas: 10\n";

static const char v2beta1[] = HEAD("v2beta1") "  metrics:\n"
                                              "    - type: External\n"
                                              "      external:\n"
                                              "        metricName: speed\n"
                                              "        metricSelector: " TEAM_A "\n"
                                              "        targetAverageValue: 55\n";

Test(load_manifest, every_version_decides_alike)
{
    static const struct {
        const char *manifest;
        const char *warning; /* NULL: none */
    } versions[] = {
        {v1, NULL},
        {v2beta1, "clusters of today do not take `autoscaling/v2beta1`"},
        {SPEED("v2beta2", TEAM_A), "clusters of today do not take `autoscaling/v2beta2`"},
        {SPEED("v2", TEAM_A), NULL},
    };

    for (size_t i = 0; i < WS_COUNT_OF(versions); i++) {
        cr_assert(load_manifest(versions[i].manifest), "%s", ws_edited_printed(&edited));
        if (versions[i].warning != NULL) {
            (void)check_told(WS_SEVERITY_WARNING, 5101, versions[i].warning);
        } else {
            cr_expect(eq(sz, edited.diag.count, 0), "%s", ws_edited_printed(&edited));
        }
        cr_assert(eq(sz, edited.loaded.input_count, 2));
        cr_expect(ws_text_is(edited.loaded.inputs[1].path, "hpa.yaml"));
        check_run(COURSE);
    }
}

/* One value for each pod, of their own; its average is compared. */
Test(load_manifest, a_pods_metric)
{
    cr_assert(load_manifest(HEAD("v2") "  metrics:\n"
                                       "    - type: Pods\n"
                                       "      pods:\n"
                                       "        metric: {name: speed}\n"
                                       "        target: {type: AverageValue, averageValue: 55}\n"),
              "%s", ws_edited_printed(&edited));
    cr_expect(eq(sz, edited.diag.count, 0), "%s", ws_edited_printed(&edited));
    check_run("15 s, 3: speed is 72.223 a replica against a target of 55: wants 3\n"
              "30 s, 4: speed is 62.963 a replica against a target of 55: wants 4\n");
}

/* An Object has one value: 72.223 over 60 is 1.204 of the two that serve, 62.963 over 60 within a
 * tenth. */
Test(load_manifest, an_object_metric)
{
    static const char manifest[] =
        HEAD("v2") "  metrics:\n"
                   "    - type: Object\n"
                   "      object:\n"
                   "        describedObject: {apiVersion: v1, kind: Service, name: train}\n"
                   "        metric: {name: speed, selector: " TEAM_A "}\n"
                   "        target: {type: Value, value: 60}\n";

    write_file("hpa.yaml", manifest);
    cr_assert(load("manifest: hpa.yaml, metrics: {speed: {from: throughput, series: average}}"),
              "%s", ws_edited_printed(&edited));
    cr_expect(eq(sz, edited.diag.count, 0), "%s", ws_edited_printed(&edited));
    check_run("15 s, 3: speed is 72.223 against a target of 60: wants 3\n");
    cr_expect_not(load(MAPPED));
    (void)check_told(WS_SEVERITY_ERROR, 5302,
                     "an Object metric is one value, and `throughput` has one for each replica");
}

/*
 * v1 by cpu, at 95 % of the request whatever the size, is 2.375, 3.5625, 4.75, 5.9375, 7.125 and
 * 9.5 of 80 %. A replica counts once it has been ready for a whole window, which is at the scrape
 * after it has joined.
 */
Test(load_manifest, cpu_runs_away_if_it_does_not_fall)
{
    ws_edit edit = {.find = "      stages: [{name: main, work: 10M samples}]\n"
                            "      checkpoint",
                    .replace = "      usage: {cpu: 95%}\n"
                               "      stages: [{name: main, work: 10M samples}]\n"
                               "      checkpoint"};

    write_file("hpa.yaml", HEAD("v1") "  targetCPUUtilizationPercentage: 80\n");
    ws_text text = ws_edited_apply(
        &edited, ws_arena_format(&edited.arena, scenario, "manifest: hpa.yaml"), &edit, 1);
    cr_assert(ws_edited_load(&edited, text, NULL), "%s", ws_edited_printed(&edited));
    (void)check_told(WS_SEVERITY_WARNING, 5303,
                     "`cpu` is above its target at every size: the autoscaler runs to 10 replicas");
    check_run("15 s, 3: cpu is 95% against a target of 80%: wants 3\n"
              "30 s, 4: cpu is 95% against a target of 80%: wants 4\n"
              "45 s, 5: cpu is 95% against a target of 80%: wants 5\n"
              "60 s, 6: cpu is 95% against a target of 80%: wants 6\n"
              "75 s, 8: cpu is 95% against a target of 80%: wants 8\n"
              "90 s, 10: cpu is 95% against a target of 80%: wants 10\n");
}

/* ---- selectors ---- */

Test(load_manifest, selectors_pick_by_labels)
{
    static const char *const selectors[] = {
        "{matchLabels: {app: worker, team: a}}",
        "{matchExpressions: [{key: team, operator: In, values: [a, c]}]}",
        "{matchExpressions: [{key: team, operator: NotIn, values: [b]}]}",
        "{matchLabels: {team: a}, matchExpressions: [{key: app, operator: Exists}]}",
    };

    for (size_t i = 0; i < WS_COUNT_OF(selectors); i++) {
        char manifest[1000];

        (void)snprintf(manifest, sizeof manifest, SPEED("v2", "%s"), selectors[i]);
        cr_assert(load_manifest(manifest), "%s", ws_edited_printed(&edited));
        cr_expect(eq(sz, edited.diag.count, 0), "%s", ws_edited_printed(&edited));
        check_run(COURSE);
    }
}

/* The 10 samples a second of `other` make `train` larger: 4 x 58.334 + 10 over 4 x 55 is 1.106, and
 * 5 x 55.556 + 10 over 5 x 55 is 1.046. */
Test(load_manifest, a_selector_that_picks_other_jobs_too)
{
    cr_assert(load_manifest(SPEED("v2", "{matchLabels: {app: worker}}")), "%s",
              ws_edited_printed(&edited));
    const ws_diagnostic *told =
        check_told(WS_SEVERITY_WARNING, 5305,
                   "this metric picks the series of job `other` besides the target's");
    cr_expect(eq(int, told->at.line, 11)); /* of the manifest */
    cr_expect(ws_text_ends_with(told->at.source->name, WS_TEXT("hpa.yaml")));
    cr_expect(ws_text_is(told->help,
                         "labels are `app: worker` of job `train`, `team: a` of job `train`, "
                         "`app: worker` of job `other`, `team: b` of job `other`"));
    check_run("15 s, 3: speed is 154.446 in 3 series against a target of 55 a replica: wants 3\n"
              "30 s, 4: speed is 198.889 in 4 series against a target of 55 a replica: wants 4\n"
              "45 s, 5: speed is 243.336 in 5 series against a target of 55 a replica: wants 5\n");
}

/* 10 over 55 is 1, below the minimum that is there. */
Test(load_manifest, a_selector_that_picks_another_job_alone)
{
    cr_assert(load_manifest(SPEED("v2", "{matchLabels: {team: b}}")), "%s",
              ws_edited_printed(&edited));
    (void)check_told(WS_SEVERITY_WARNING, 5305,
                     "this metric picks the series of job `other`, and not the target's");
    check_run("");
}

Test(load_manifest, no_selector_among_several_jobs)
{
    cr_assert(load_manifest(SPEED("v2", "null")), "%s", ws_edited_printed(&edited));
    (void)check_told(WS_SEVERITY_WARNING, 5306, "this metric sums the series of all 2 jobs");
}

Test(load_manifest, a_selector_that_picks_nothing)
{
    static const ws_edit edits[] = {
        {"      labels: {app: worker, team: a}\n", ""},
        {"      labels: {app: worker, team: b}\n", ""},
    };

    cr_expect_not(load_manifest(SPEED("v2", "{matchLabels: {team: c}}")));
    (void)check_told(WS_SEVERITY_ERROR, 5304, "the selector of this metric picks no job's series");
    cr_expect_not(load_manifest(
        HEAD("v2") "  metrics:\n"
                   "    - type: Pods\n"
                   "      pods:\n"
                   "        metric: {name: speed, selector: {matchLabels: {team: b}}}\n"
                   "        target: {type: AverageValue, averageValue: 55}\n"));
    (void)check_told(WS_SEVERITY_ERROR, 5304,
                     "the selector of this metric picks none of the target's pods");

    write_file("hpa.yaml", SPEED("v2", TEAM_A));
    ws_text text = ws_edited_apply(&edited, ws_arena_format(&edited.arena, scenario, MAPPED), edits,
                                   WS_COUNT_OF(edits));
    cr_expect_not(ws_edited_load(&edited, text, NULL));
    const ws_diagnostic *told =
        check_told(WS_SEVERITY_ERROR, 5304, "the selector of this metric picks no job's series");
    cr_expect(ws_text_is(told->help, "no job has labels: add `labels: {team: a}` to the job"));
}

/* ---- metrics ---- */

Test(load_manifest, a_metric_that_is_nothing_here)
{
    write_file("hpa.yaml", SPEED("v2", TEAM_A));
    cr_expect_not(load("manifest: hpa.yaml"));
    const ws_diagnostic *told =
        check_told(WS_SEVERITY_ERROR, 5301,
                   "HPA metric `speed` is not mapped to anything worldsize simulates");
    cr_expect(eq(int, told->at.line, 11));
    cr_assert(load("manifest: hpa.yaml, metrics: {speed: {from: requested_gpus}}"));
    (void)check_told(WS_SEVERITY_WARNING, 5307, "the selector of `requested_gpus` is passed over");
}

/* 50 to 72.2 for each replica never reach 200: from 4 replicas it falls to 2 when the 4 that are
 * found have been remembered for 300 s. 4 x 58.334 over 200 is 1.17. */
Test(load_manifest, a_target_that_is_never_met)
{
    static const ws_edit edits[] = {
        {"initial: 2, min: 2", "initial: 4, min: 2"},
    };
    char manifest[1000];

    (void)snprintf(manifest, sizeof manifest, "%s", SPEED("v2", TEAM_A));
    (void)memcpy(strstr(manifest, "\"55\""), " 200", 4);
    write_file("hpa.yaml", manifest);
    ws_text text = ws_edited_apply(&edited, ws_arena_format(&edited.arena, scenario, MAPPED), edits,
                                   WS_COUNT_OF(edits));
    cr_assert(ws_edited_load(&edited, text, NULL), "%s", ws_edited_printed(&edited));
    const ws_diagnostic *told =
        check_told(WS_SEVERITY_WARNING, 5303,
                   "`speed` is below its target at every size: the autoscaler falls to 2 replicas");
    cr_expect(eq(int, told->also.line, 12)); /* of the manifest: the target */
    check_run(
        "315 s, 2: speed is 233.336 in 4 series against a target of 200 a replica: wants 2\n");
}

/* ---- files ---- */

Test(load_manifest, one_of_several_in_a_file)
{
    char two[2000];

    (void)snprintf(two, sizeof two, "kind: Deployment\n---\n%s---\n%s", SPEED("v2", TEAM_A),
                   HEAD("v2"));
    memcpy(strstr(strstr(two, "name: worker}\nspec") + 1, "name: worker}\nspec"), "name: second",
           12);
    write_file("all.yaml", two);
    cr_expect_not(load("manifest: all.yaml, metrics: {speed: {from: throughput}}"));
    const ws_diagnostic *told =
        check_told(WS_SEVERITY_ERROR, 5103, "`all.yaml` holds 2 of kind HorizontalPodAutoscaler");
    cr_expect(ws_text_is(told->help, "name one: `manifest: all.yaml#worker`"));
    cr_expect(ws_text_is(told->notes[0], "it holds `worker`, `second`"));
    cr_expect_not(load("manifest: all.yaml#third"));
    (void)check_told(WS_SEVERITY_ERROR, 5103,
                     "`all.yaml` holds no HorizontalPodAutoscaler named `third`");
    cr_assert(load("manifest: all.yaml#worker, metrics: {speed: {from: throughput}}"), "%s",
              ws_edited_printed(&edited));
    check_run(COURSE);
}

Test(load_manifest, files_without_one)
{
    write_file("other.yaml", "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: worker}\n");
    cr_expect_not(load("manifest: other.yaml"));
    (void)check_told(WS_SEVERITY_ERROR, 5102, "a Deployment is no HorizontalPodAutoscaler");
    write_file("none.yaml", "kind: Deployment\n---\nkind: Service\n");
    cr_expect_not(load("manifest: none.yaml"));
    (void)check_told(WS_SEVERITY_ERROR, 5102, "`none.yaml` holds no HorizontalPodAutoscaler");
    cr_expect_not(load("manifest: missing.yaml"));
    cr_expect(eq(sz, edited.diag.count, 1), "%s", ws_edited_printed(&edited));
    cr_expect_not(load("manifest: ../hpa.yaml"));
    cr_expect(eq(sz, edited.diag.count, 1), "%s", ws_edited_printed(&edited));
}

/* An override reaches into the file that the scenario names. */
Test(load_manifest, another_value_without_another_file)
{
    ws_override override = {.text = WS_TEXT("policies[a].manifest.spec.maxReplicas=3"),
                            .label = WS_TEXT("<--set #1>")};

    write_file("hpa.yaml", SPEED("v2", TEAM_A));
    cr_assert(ws_edited_load(&edited, ws_arena_format(&edited.arena, scenario, MAPPED),
                             &(ws_load_options){.overrides = &override, .override_count = 1}),
              "%s", ws_edited_printed(&edited));
    check_run("15 s, 3: speed is 144.446 in 2 series against a target of 55 a replica: wants 3\n");
}
