/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What scenarios load as: the values of a week's scenario, worked out by hand from its text;
 * defaults, anchors, the resolved document, faults all at once.
 */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <string.h>

#include "file.h"
#include "scenarios/dump.h"
#include "scenarios/edited.h"
#include "support/support.h"
#include "ws/policies.h"
#include "ws/yaml.h"

static ws_edited edited;

static void set_up(void)
{
    ws_edited_init(&edited, "load");
}

static void tear_down(void)
{
    ws_edited_fini(&edited);
}

TestSuite(load, .init = set_up, .fini = tear_down);

static void check_loaded(bool good)
{
    cr_assert(good, "%s", ws_edited_printed(&edited));
}

static ws_text edit(const ws_edit *edits, size_t count)
{
    return ws_edited_apply(&edited, ws_edited_quickstart(&edited), edits, count);
}

/* ---- values ---- */

Test(load, the_scenarios_of_the_tree_load_without_a_word)
{
    static const char *const files[] = {"scenarios/quickstart.yaml", "tests/scenarios/week.yaml"};
    char path[1000];

    for (size_t i = 0; i < WS_COUNT_OF(files); i++) {
        ws_diag_init(&edited.diag, &edited.arena);
        (void)snprintf(path, sizeof path, "%s/%s", ws_test_source_folder(), files[i]);
        check_loaded(ws_scenario_load(&edited.loaded, &(ws_load_options){.path = path},
                                      &edited.arena, &edited.diag));
        cr_expect_str_eq(ws_edited_printed(&edited), "", "%s", files[i]);
        cr_expect(eq(sz, edited.loaded.input_count, 1));
        cr_expect(ws_text_is(edited.loaded.inputs[0].path, path));
    }
}

static void check_near(double value, double expected)
{
    cr_expect(ieee_ulp_eq(dbl, value, expected, 64), "%.17g", value);
}

Test(load, the_pool_of_the_week)
{
    check_loaded(ws_edited_load(&edited, ws_edited_quickstart(&edited), NULL));
    const ws_pool_spec *pool = &edited.loaded.scenario.pools[0];

    cr_assert(eq(sz, edited.loaded.scenario.pool_count, 1));
    cr_expect(ws_text_is(pool->name, "h100"));
    cr_expect(eq(int, pool->gpus_per_node, 8));
    cr_expect(eq(int, pool->nodes_initial, 12));
    cr_expect(eq(int, pool->nodes_min, 4));
    cr_expect(eq(int, pool->nodes_max, 24));
    cr_expect(eq(i64, pool->node_price.nano_per_h, 23920000000)); /* 8 x $2.99 */
    cr_expect(eq(i64, pool->billing_increment.ns, WS_NS_PER_S));
    cr_expect(eq(i64, pool->billing_minimum.ns, 60 * WS_NS_PER_S));
    check_near(ws_distribution_quantile(&pool->start.boot, 0.5), 95);
    check_near(ws_distribution_quantile(&pool->start.boot, 0.95), 240);
    check_near(ws_distribution_mean(&pool->start.request), 5);
    check_near(pool->start.fail_probability, 0.01);
    check_near(ws_distribution_mean(&pool->failures.time_to_failure), 30 * 86400.0);
    cr_expect(eq(i64, pool->failures.hang_detection.ns, 600 * WS_NS_PER_S));
    cr_expect(eq(i64, pool->start.retry.ns, 60 * WS_NS_PER_S)); /* the default */
}

Test(load, the_jobs_of_the_week)
{
    check_loaded(ws_edited_load(&edited, ws_edited_quickstart(&edited), NULL));
    const ws_workload *workload = &edited.loaded.scenario.workload;
    const ws_job_template *pretrain = &workload->templates[0];
    const ws_job_template *finetune = &workload->templates[1];
    ws_pace pace = ws_step_pace(&pretrain->stages[1].spec.step, &(ws_world){.replicas = 6,
                                                                            .gpus_per_replica = 8,
                                                                            .nodes = 1,
                                                                            .leaves = 1,
                                                                            .pods = 1,
                                                                            .fabric_share = 1,
                                                                            .speed = 1});

    cr_assert(eq(sz, workload->template_count, 2));
    cr_expect(pretrain->kind.main_job);
    cr_expect_not(finetune->kind.main_job);
    cr_expect(eq(int, pretrain->replicas_initial, 8));
    cr_expect(eq(int, pretrain->replicas_min, 2));
    cr_expect(eq(int, pretrain->replicas_max, 16));
    cr_expect(eq(int, pretrain->replicas_step, 1));
    cr_expect(eq(sz, pretrain->stage_count, 4));
    check_near(pretrain->stages[1].spec.work, 150e6);
    cr_expect(eq(int, pretrain->stages[0].spec.replicas_max, 4));
    check_near(pace.work_per_s, (231.0 + 442.0) / 2); /* half-way from 4 to 8 replicas */
    /* 94 GiB are 100,931,731,456 bytes: 25.232932864 s at 4 GB/s, 16.821955243 s at 6 GB/s; 20 ms
     */
    cr_expect(eq(i64, pretrain->kind.checkpoint.write.ns, 25252932864));
    cr_expect(eq(i64, pretrain->kind.checkpoint.read.ns, 16841955243));
    cr_expect(eq(int, (int)finetune->arrivals.kind, WS_ARRIVALS_POISSON));
    check_near(finetune->arrivals.rate_per_s, 4.0 / 3600);
    check_near(finetune->arrivals.daily_ratio, 6);
    cr_expect(eq(i64, finetune->arrivals.count, 1000000)); /* the default */
    cr_expect(finetune->stages[0].is_drawn);
    check_near(ws_distribution_quantile(&finetune->stages[0].work, 0.5), 2400);
}

Test(load, what_is_around_the_week)
{
    check_loaded(ws_edited_load(&edited, ws_edited_quickstart(&edited), NULL));
    const ws_loaded *loaded = &edited.loaded;

    cr_assert(eq(sz, loaded->arm_count, 3));
    cr_expect(ws_text_is(loaded->arms[1].name, "hpa-on-pending"));
    cr_expect(ws_text_is(loaded->arms[1].type, "hpa"));
    cr_expect(eq(ptr, (void *)loaded->arms[1].scenario, (void *)&loaded->scenario));
    cr_expect(eq(sz, loaded->baseline, 0));
    cr_expect(eq(sz, loaded->metric_count, 5));
    check_near(loaded->confidence, 0.95);
    cr_expect(ws_text_is(loaded->output_folder, "results/quickstart"));
    cr_expect(ws_text_is(loaded->currency, "USD"));
    /* a thousandth of a week is 604.8 s: ten whole minutes */
    cr_expect(eq(i64, loaded->timeline_step.ns, 600 * WS_NS_PER_S));
    cr_expect(eq(i64, loaded->scenario.horizon.ns, INT64_C(604800) * WS_NS_PER_S));
    cr_expect(eq(i64, loaded->scenario.day_offset_s, 0));
    cr_expect(eq(i64, loaded->scenario.regrow.ns, 1200 * WS_NS_PER_S));
}

Test(load, a_start_within_a_day_moves_the_pattern)
{
    check_loaded(ws_edited_load_one(&edited, "2026-01-05T00:00:00Z", "2026-01-05T06:30:00+02:00"));
    cr_expect(eq(i64, edited.loaded.scenario.day_offset_s, 4 * 3600 + 30 * 60));
}

/* ---- tables ---- */

/* Every default of a table, and of the tables below, is a value that could be written. */
static void check_defaults(const ws_parameter_table *table, int depth)
{
    void *object = ws_arena_alloc_bytes(&edited.arena, 1, table->bytes);

    cr_expect(ws_parameters_default(table, object, &edited.arena), "%s", table->noun);
    for (size_t i = 0; i < table->count && depth < 8; i++) {
        const ws_parameter *row = &table->rows[i];

        cr_expect(row->kind == WS_PARAMETER_SELF || row->help != NULL, "%s", row->name);
        if (row->table != NULL && row->table != table) {
            check_defaults(row->table, depth + 1);
        }
    }
}

Test(load, every_default_can_be_read)
{
    static const ws_parameter_table *const tables[] = {
        &ws_file_scenario_table,   &ws_file_arm_table,         &ws_file_group_table,
        &ws_file_controller_table, &ws_file_submit_table,      &ws_file_profile_table,
        &ws_file_pollux_table,     &ws_file_transformer_table,
    };

    for (size_t i = 0; i < WS_COUNT_OF(tables); i++) {
        check_defaults(tables[i], 0);
    }
    for (size_t i = 0; i < ws_policy_count(); i++) {
        check_defaults(ws_policy_at(i)->parameters, 0);
    }
}

/* ---- the document ---- */

Test(load, keys_that_begin_with_x_are_passed_over)
{
    static const ws_edit edits[] = {
        {"seed: 42 ", "x-note: {any: [thing]}\nseed: 42 "},
        {"    - name: h100\n", "    - name: h100\n      x-owner: somebody\n"},
        {"    nodes: 12\n", "    nodes: 12\n    x-why: a guess\n"},
    };

    check_loaded(ws_edited_load(&edited, edit(edits, WS_COUNT_OF(edits)), NULL));
    cr_expect(eq(sz, edited.diag.count, 0));
}

Test(load, anchors_and_merge_keys_are_what_they_stand_for)
{
    static const ws_edit edits[] = {
        {"cluster:\n", "x-store: &store {bandwidth: 4GB/s, latency: 20ms}\ncluster:\n"},
        {"write: {bandwidth: 4GB/s, latency: 20ms}", "write: *store"},
        {"read: {bandwidth: 6GB/s, latency: 20ms}",
         "read:\n      <<: *store\n      bandwidth: 6GB/s"},
    };

    check_loaded(ws_edited_load(&edited, ws_edited_quickstart(&edited), NULL));
    const char *plain = ws_dump(&edited.loaded, &edited.arena);
    check_loaded(ws_edited_load(&edited, edit(edits, WS_COUNT_OF(edits)), NULL));
    cr_expect_str_eq(ws_dump(&edited.loaded, &edited.arena), plain);
}

/* Printed with the origin of each value, read back, loaded again: the same in all parts, and
 * nothing is a default any more. */
static void check_round_trip(ws_text text)
{
    check_loaded(ws_edited_load(&edited, text, NULL));
    const char *first = ws_dump(&edited.loaded, &edited.arena);
    ws_text printed = ws_document_print_yaml(edited.loaded.resolved, true, &edited.arena);
    ws_text plain = ws_document_print_json(edited.loaded.resolved, &edited.arena);

    check_loaded(ws_edited_load(&edited, printed, NULL));
    cr_expect_str_eq(ws_dump(&edited.loaded, &edited.arena), first);
    ws_text again = ws_document_print_json(edited.loaded.resolved, &edited.arena);
    cr_expect_str_eq(again.start, plain.start);
    cr_expect_null(strstr(ws_document_print_yaml(edited.loaded.resolved, true, &edited.arena).start,
                          "# default"));
}

Test(load, the_resolved_document_loads_as_the_same)
{
    static const ws_edit edits[] = {
        {"replicas: {initial: 8, min: 2, max: 16}", "replicas: {initial: 8, sizes: [2, 4, 8, 16]}"},
        {"monitoring: {scrape: 15s, window: 1m, delay: 5s}\n", ""},
        {"    nodes: 12\n", "    nodes: 12\n    set:\n      cluster.pools[h100].nodes.max: 20\n"},
        {"      checkpoint: {every: 10m, size: 94GiB}", "      checkpoint: {every: 10m, write: 5s, "
                                                        "read: 6s}"},
    };

    check_round_trip(ws_edited_quickstart(&edited));
    check_round_trip(edit(edits, WS_COUNT_OF(edits)));
}

Test(load, defaults_are_in_the_resolved_document)
{
    check_loaded(
        ws_edited_load_one(&edited, "monitoring: {scrape: 15s, window: 1m, delay: 5s}\n", ""));
    const ws_document *scrape =
        ws_document_at(edited.loaded.resolved, WS_TEXT("monitoring.scrape"));

    cr_assert(ne(ptr, (void *)scrape, NULL));
    cr_expect(ws_text_is(scrape->scalar, "15s"));
    cr_expect(ws_text_is(scrape->origin, "default"));
}

/* ---- faults ---- */

static void check_codes(const int *codes, size_t count)
{
    const char *printed = ws_edited_printed(&edited);

    cr_expect(eq(sz, edited.diag.count, count), "%s", printed);
    for (size_t i = 0; i < count && i < edited.diag.count; i++) {
        cr_expect(eq(int, edited.diag.entries[i].code, codes[i]), "%s", printed);
    }
}

/* Sorted by place. A key that is misspelt in a policy is told although the cluster has faults. */
Test(load, all_faults_of_keys_and_values_are_told_at_once)
{
    static const ws_edit edits[] = {
        {"horizon: 7d", "horizon: 7days"},
        {"per_gpu: $2.99/h", "per_gpu: 2.99"},
        {"mode: restart", "mode: elastic"},
        {"    nodes: 12\n", "    nods: 12\n"},
        {"{external: pending_gpus,", "{external: pending,"},
    };
    static const int codes[] = {3102, 3104, 2203, 2101, 5301};

    cr_expect_not(ws_edited_load(&edited, edit(edits, WS_COUNT_OF(edits)), NULL));
    check_codes(codes, WS_COUNT_OF(codes));
}

Test(load, all_contradictions_are_told_at_once)
{
    static const ws_edit edits[] = {
        {"horizon: 7d", "warmup: 8d\nhorizon: 7d"},
        {"initial: 12, min: 4", "initial: 2, min: 4"},
        {"initial: 8, min: 2, max: 16", "initial: 1, min: 2, max: 16"},
        {"work: 4M samples", "work: 4M"},
        {"{name: sft, duration: {dist: lognormal, median: 40m, p95: 3h}}", "{name: sft}"},
        {"target: {pool: h100}\n    nodes: 12", "target: {pool: a100}\n    nodes: 12"},
        {"baseline: fixed-12-nodes", "baseline: fixed-13-nodes"},
        {"cost_usd,", "cost_eur,"},
    };
    static const int codes[] = {4201, 4202, 4203, 2302, 4101, 4101, 2203};

    cr_expect_not(ws_edited_load(&edited, edit(edits, WS_COUNT_OF(edits)), NULL));
    /* The stages of a job whose sizes are wrong are not looked at: what they allow depends on them.
     */
    check_codes(codes, WS_COUNT_OF(codes));
}

Test(load, a_fault_of_what_four_stages_share_is_told_once)
{
    static const int codes[] = {3107};

    cr_expect_not(ws_edited_load_one(&edited, "4: 231/s", "4: 0/s"));
    check_codes(codes, 1);
}

Test(load, names_are_used_once)
{
    static const ws_edit edits[] = {
        {"- name: finetune", "- name: pretrain"},
        {"{name: anneal,", "{name: main,"},
        {"[goodput_fraction, cost_usd,", "[goodput_fraction, cost_usd, cost_usd,"},
    };
    static const int codes[] = {4102, 4102, 4102};

    cr_expect_not(ws_edited_load(&edited, edit(edits, WS_COUNT_OF(edits)), NULL));
    check_codes(codes, WS_COUNT_OF(codes));
    cr_expect(ws_text_is(edited.diag.entries[0].message, "two stages are named `main`"));
    cr_expect(ws_text_is(edited.diag.entries[1].message, "two jobs are named `pretrain`"));
    cr_expect(ws_text_is(edited.diag.entries[2].message, "two metrics are named `cost_usd`"));
}

Test(load, a_file_that_is_no_scenario)
{
    static const struct {
        const char *text;
        int code;
    } files[] = {
        {"", 2002},
        {"a list: [1]\n", 2102},
        {"- 1\n", 2201},
        {"schema: worldsize.calibration/v1\n", 2001},
        {"schema: [worldsize.scenario/v1]\n", 2001},
        {"schema: worldsize.scenario/v1\n", 2102},
    };

    for (size_t i = 0; i < WS_COUNT_OF(files); i++) {
        cr_expect_not(ws_edited_load(&edited, ws_text_of(files[i].text), NULL));
        cr_expect(eq(int, edited.diag.entries[0].code, files[i].code), "%s", files[i].text);
    }
}

Test(load, a_file_that_is_not_there)
{
    ws_diag_init(&edited.diag, &edited.arena);
    cr_expect_not(ws_scenario_load(&edited.loaded,
                                   &(ws_load_options){.path = "/nowhere/at/all.yaml"},
                                   &edited.arena, &edited.diag));
    cr_expect(eq(int, edited.diag.entries[0].code, 6001));
}

/* ---- the arms that are asked for ---- */

Test(load, only_the_arms_that_are_named_and_the_baseline)
{
    ws_text names[] = {WS_TEXT("hpa-on-requested")};
    ws_load_options options = {.policies = names, .policy_count = 1};

    check_loaded(ws_edited_load(&edited, ws_edited_quickstart(&edited), &options));
    cr_assert(eq(sz, edited.loaded.arm_count, 2));
    cr_expect(ws_text_is(edited.loaded.arms[0].name, "fixed-12-nodes"));
    cr_expect(ws_text_is(edited.loaded.arms[1].name, "hpa-on-requested"));
    cr_expect(eq(sz, edited.loaded.baseline, 0));
    names[0] = WS_TEXT("hpa-on-request");
    cr_expect_not(ws_edited_load(&edited, ws_edited_quickstart(&edited), &options));
    cr_expect(eq(int, edited.diag.entries[0].code, 4101));
    cr_expect(ws_text_is(edited.diag.entries[0].help,
                         "policy names are `fixed-12-nodes`, `hpa-on-pending`, "
                         "`hpa-on-requested`; did you mean `hpa-on-requested`?"));
}
