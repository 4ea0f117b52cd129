/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Arms: policies, several controllers side by side, and overrides of the scenario for one arm. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <string.h>

#include "scenarios/edited.h"

static ws_edited edited;

static void set_up(void)
{
    ws_edited_init(&edited, "load-arms");
}

static void tear_down(void)
{
    ws_edited_fini(&edited);
}

TestSuite(load_arms, .init = set_up, .fini = tear_down);

/* The week with another first arm. */
static bool load_arm(const char *lines)
{
    ws_edit edit = {.find = "  - name: fixed-12-nodes\n    type: fixed\n    target: {pool: h100}\n"
                            "    nodes: 12\n",
                    .replace = lines};

    return ws_edited_load(&edited,
                          ws_edited_apply(&edited, ws_edited_quickstart(&edited), &edit, 1), NULL);
}

static void check_refused(const char *lines, int code, const char *message)
{
    cr_expect_not(load_arm(lines), "%s", lines);
    cr_assert(eq(sz, edited.diag.count, 1), "%s", ws_edited_printed(&edited));
    cr_expect(eq(int, edited.diag.entries[0].code, code), "%s", ws_edited_printed(&edited));
    cr_expect_str_eq(edited.diag.entries[0].message.start, message, "%s",
                     ws_edited_printed(&edited));
}

#define FIXED "  - name: fixed-12-nodes\n    type: fixed\n    target: {pool: h100}\n    nodes: 12\n"

/* ---- targets ---- */

Test(load_arms, targets_are_looked_up)
{
    cr_assert(load_arm("  - {name: fixed-12-nodes, type: fixed, target: {job: pretrain}, "
                       "replicas: 4}\n"),
              "%s", ws_edited_printed(&edited));
    cr_expect(eq(int, (int)edited.loaded.arms[0].controllers[0].target.kind, WS_TARGET_JOB));
    cr_assert(load_arm("  - {name: fixed-12-nodes, type: fixed, target: {jobs: elastic}}\n"));
    cr_expect(eq(int, (int)edited.loaded.arms[0].controllers[0].target.kind, WS_TARGET_JOBS));
    check_refused("  - {name: fixed-12-nodes, type: fixed, target: {job: pre-train}}\n", 4101,
                  "policy `fixed-12-nodes` targets job `pre-train`, which does not exist");
    cr_expect(ws_text_is(edited.diag.entries[0].help,
                         "jobs are `pretrain`, `finetune`; did you mean `pretrain`?"));
    check_refused("  - {name: fixed-12-nodes, type: fixed, target: {pool: h100, job: pretrain}}\n",
                  2302,
                  "the target of policy `fixed-12-nodes` is exactly one of `pool`, `job`, `jobs`");
}

/* finetune arrives again and again; `count: 1` lets it come once. */
Test(load_arms, what_scales_one_thing_is_given_one_job)
{
    static const char *const types[] = {
        "hpa, max: 24, metrics: [{pods: gpu_util, average_value: 80}]",
        "predictive, metric: backlog, per_replica: 1",
    };
    char lines[300];
    ws_edit edits[] = {
        {.find = "  - name: fixed-12-nodes\n    type: fixed\n    target: {pool: h100}\n"
                 "    nodes: 12\n",
         .replace = lines},
        {.find = "      submit: {dist: poisson, rate: 4/h, daily: {peak: 14h, ratio: 6}}\n",
         .replace = "      submit: {dist: poisson, rate: 4/h}\n      count: 1\n"},
    };

    for (size_t i = 0; i < WS_COUNT_OF(types); i++) {
        (void)snprintf(lines, sizeof lines,
                       "  - {name: fixed-12-nodes, target: {job: finetune}, type: %s}\n", types[i]);
        check_refused(lines, 4115,
                      "policy `fixed-12-nodes` scales one job, and several of `finetune` may run "
                      "at once");
        cr_expect(eq(int, edited.diag.entries[0].also.line, 62)); /* of its `submit` */
        cr_assert(ws_edited_load(&edited,
                                 ws_edited_apply(&edited, ws_edited_quickstart(&edited), edits, 2),
                                 NULL),
                  "%s", ws_edited_printed(&edited));
    }
    cr_expect(load_arm("  - {name: fixed-12-nodes, type: fixed, target: {job: finetune}}\n"));
}

Test(load_arms, metrics_are_of_a_kind_that_the_question_suits)
{
    check_refused("  - {name: fixed-12-nodes, type: hpa, target: {pool: h100}, max: 24,\n"
                  "     metrics: [{pods: gpu_util, average_value: 0.5}]}\n",
                  5302, "metric `gpu_util` has no value for each pod of the target");
    check_refused("  - {name: fixed-12-nodes, type: hpa, target: {job: pretrain}, max: 24,\n"
                  "     metrics: [{resource: gpu_util, average_utilization: 95}]}\n",
                  5302, "`gpu_util` is not a resource that pods request");
}

Test(load_arms, an_entry_that_is_no_policy)
{
    check_refused("  - fixed-12-nodes\n", 2201, "a policy is a map");
    check_refused("  - {name: fixed-12-nodes, type: fixd, target: {pool: h100}}\n", 2203,
                  "`fixd` is not a policy type");
    check_refused("  - {name: fixed-12-nodes, type: fixed, target: {pool: h100}, nods: 12}\n", 2101,
                  "unknown key `nods` in `policies[0]`");
}

/* ---- controllers ---- */

Test(load_arms, controllers_act_side_by_side)
{
    cr_assert(load_arm("  - name: fixed-12-nodes\n"
                       "    controllers:\n"
                       "      - {type: fixed, target: {pool: h100}, nodes: 12}\n"
                       "      - {type: fixed, target: {job: pretrain}, replicas: 8}\n"),
              "%s", ws_edited_printed(&edited));
    cr_expect(eq(sz, edited.loaded.arms[0].controller_count, 2));
    cr_expect(ws_text_is(edited.loaded.arms[0].type, "fixed+fixed"));
    cr_expect(ws_text_is(edited.loaded.arms[0].controllers[1].target.job, "pretrain"));
}

Test(load_arms, two_controllers_on_one_target)
{
    static const char *const targets[][2] = {
        {"{pool: h100}", "{pool: h100}"},
        {"{job: pretrain}", "{job: pretrain}"},
        {"{jobs: elastic}", "{job: pretrain}"}, /* which is one of them */
    };
    char lines[600];

    for (size_t i = 0; i < WS_COUNT_OF(targets); i++) {
        (void)snprintf(lines, sizeof lines,
                       "  - name: fixed-12-nodes\n"
                       "    controllers:\n"
                       "      - {type: fixed, target: %s}\n"
                       "      - {type: fixed, target: %s}\n",
                       targets[i][0], targets[i][1]);
        check_refused(lines, 4106,
                      "two controllers of policy `fixed-12-nodes` scale the same target");
        cr_expect(eq(int, edited.diag.entries[0].at.line - edited.diag.entries[0].also.line, 1));
    }
}

Test(load_arms, controllers_that_are_no_list)
{
    check_refused("  - {name: fixed-12-nodes, controllers: []}\n", 2201,
                  "`controllers` is a list of 1 to 16 policies");
    check_refused("  - {name: fixed-12-nodes, controllers: fixed}\n", 2201,
                  "`controllers` is a list of 1 to 16 policies");
    check_refused("  - {name: fixed-12-nodes, controllers: [1]}\n", 2201, "a policy is a map");
}

/* ---- overrides of one arm ---- */

Test(load_arms, an_arm_has_a_scenario_of_its_own)
{
    cr_assert(load_arm(FIXED "    set:\n"
                             "      workload.jobs[pretrain].checkpoint.every: 5m\n"
                             "      cluster.pools[*].nodes.max: 20\n"),
              "%s", ws_edited_printed(&edited));
    const ws_scenario *own = edited.loaded.arms[0].scenario;
    const ws_scenario *common = &edited.loaded.scenario;

    cr_assert(ne(ptr, (void *)own, (void *)common));
    cr_expect(eq(i64, own->workload.templates[0].kind.checkpoint.every.ns, 300 * WS_NS_PER_S));
    cr_expect(eq(i64, common->workload.templates[0].kind.checkpoint.every.ns, 1800 * WS_NS_PER_S));
    cr_expect(eq(int, own->pools[0].nodes_max, 20));
    cr_expect(eq(int, common->pools[0].nodes_max, 24));
    cr_expect(eq(u64, own->workload.templates[0].kind.entity,
                 common->workload.templates[0].kind.entity)); /* the same streams */
    for (size_t i = 1; i < edited.loaded.arm_count; i++) {
        cr_expect(eq(ptr, (void *)edited.loaded.arms[i].scenario, (void *)common));
    }
}

Test(load_arms, an_arm_may_set_what_the_file_leaves_out)
{
    cr_assert(load_arm(FIXED "    set: {scheduling.drain: leave, outputs: {}}\n") == false);
    cr_assert(load_arm(FIXED "    set: {scheduling.drain: leave}\n"), "%s",
              ws_edited_printed(&edited));
    cr_expect(edited.loaded.arms[0].scenario->leave_draining);
    cr_expect_not(edited.loaded.scenario.leave_draining);
}

Test(load_arms, an_arm_targets_pools_of_its_own_scenario)
{
    cr_assert(load_arm("  - name: fixed-12-nodes\n    type: fixed\n    target: {pool: h100}\n"
                       "    set: {\"cluster.pools[0].name\": a100}\n") == false);
    cr_expect(eq(int, edited.diag.entries[0].code, 4101));
    cr_expect(
        ws_text_is(edited.diag.entries[0].notes[0], "with the `set` of policy `fixed-12-nodes`"));
}

Test(load_arms, what_all_arms_share_cannot_be_set_for_one)
{
    static const char *const paths[] = {"seed",
                                        "replications",
                                        "horizon",
                                        "start",
                                        "warmup",
                                        "policies[1].max",
                                        "\"policies[0].type\"",
                                        "'[\"policies\"][0].nodes'",
                                        "compare.confidence",
                                        "outputs.record",
                                        "objective.deadline"};
    char lines[400];

    for (size_t i = 0; i < WS_COUNT_OF(paths); i++) {
        (void)snprintf(lines, sizeof lines, FIXED "    set:\n      %s: 7\n", paths[i]);
        cr_expect_not(load_arm(lines), "%s", paths[i]);
        cr_assert(eq(sz, edited.diag.count, 1), "%s", ws_edited_printed(&edited));
        cr_expect(eq(int, edited.diag.entries[0].code, 2903), "%s", paths[i]);
    }
}

Test(load_arms, faults_of_an_override)
{
    cr_expect_not(load_arm(FIXED "    set: 7\n"));
    cr_expect(eq(int, edited.diag.entries[0].code, 2201));
    cr_expect_not(load_arm(FIXED "    set:\n      clutser.pools: 7\n"));
    cr_expect(eq(int, edited.diag.entries[0].code, 2901));
    cr_expect_not(load_arm(FIXED "    set:\n      scheduling.regrow: 7\n"));
    cr_assert(eq(sz, edited.diag.count, 1));
    cr_expect(eq(int, edited.diag.entries[0].code, 3101));
    cr_expect(eq(int, edited.diag.entries[0].at.column, 26)); /* of the 7 */
}

/* One pool of 12 nodes gives the warning WS4301; the arms' own scenarios give it as well. */
Test(load_arms, what_is_true_of_the_file_is_told_once)
{
    static const ws_edit edits[] = {
        {"initial: 12, min: 4, max: 24}", "initial: 12, min: 4, max: 12}"},
        {"    nodes: 12\n", "    nodes: 12\n    set: {scheduling.regrow: 5m}\n"},
        {"{external: requested_gpus, average_value: 8}]",
         "{external: requested_gpus, average_value: 8}]\n    set:\n"
         "      cluster.pools[0].nodes.max: 14"},
    };
    ws_text text = ws_edited_apply(&edited, ws_edited_quickstart(&edited), edits, 3);

    cr_assert(ws_edited_load(&edited, text, NULL), "%s", ws_edited_printed(&edited));
    cr_assert(eq(sz, edited.diag.count, 2), "%s", ws_edited_printed(&edited));
    cr_expect(ws_text_is(edited.diag.entries[0].message,
                         "job `pretrain` may ask for 128 GPUs; all pools together reach 96"));
    cr_expect(ws_text_is(edited.diag.entries[1].message,
                         "job `pretrain` may ask for 128 GPUs; all pools together reach 112"));
    cr_expect(
        ws_text_is(edited.diag.entries[1].notes[1], "with the `set` of policy `hpa-on-requested`"));
}

/* ---- the comparison ---- */

Test(load_arms, thresholds_name_arms_and_metrics)
{
    static const char *const confidence = "  confidence: 95%\n";

    cr_assert(ws_edited_load_one(&edited, confidence,
                                 "  confidence: 95%\n  thresholds:\n"
                                 "    - {policy: hpa-on-pending, metric: cost_usd, "
                                 "max_change: 5%}\n"));
    cr_assert(eq(sz, edited.loaded.threshold_count, 1));
    cr_expect(ieee_ulp_eq(dbl, edited.loaded.thresholds[0].max_change, 0.05, 1));
    cr_expect_not(
        ws_edited_load_one(&edited, confidence,
                           "  confidence: 95%\n  thresholds:\n"
                           "    - {policy: hpa-on-pendin, metric: cost_usd, max_change: 5%}\n"
                           "    - {policy: hpa-on-pending, metric: cost, max_change: 5%}\n"));
    cr_assert(eq(sz, edited.diag.count, 2), "%s", ws_edited_printed(&edited));
    cr_expect(eq(int, edited.diag.entries[0].code, 4101));
    cr_expect(eq(int, edited.diag.entries[1].code, 2203));
}
