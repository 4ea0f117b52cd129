/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `--set` and `--unset`: what they reach, what they become, and that faults point into the flag. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <string.h>

#include "scenarios/edited.h"

static ws_edited edited;

static void set_up(void)
{
    ws_edited_init(&edited, "load-override");
}

static void tear_down(void)
{
    ws_edited_fini(&edited);
}

TestSuite(load_override, .init = set_up, .fini = tear_down);

static bool set(const char *flag)
{
    return ws_edited_load_set(&edited, &flag, 1);
}

static const ws_document *resolved(const char *path)
{
    return ws_document_at(edited.loaded.resolved, ws_text_of(path));
}

static void check_set(const char *flag, const char *path, const char *value)
{
    cr_assert(set(flag), "%s", ws_edited_printed(&edited));
    const ws_document *at = resolved(path);

    cr_assert(ne(ptr, (void *)at, NULL), "%s", path);
    cr_expect(ws_text_is(at->scalar, value), "%s", flag);
    cr_expect(ws_text_is(at->origin, "--set #1"), "%s", flag);
}

Test(load_override, values_by_key_name_and_index)
{
    check_set("replications=50", "replications", "50");
    cr_expect(eq(i64, edited.loaded.scenario.replications, 50));
    check_set("policies[hpa-on-pending].max=20", "policies[1].max", "20");
    check_set("policies[2].max=20", "policies[hpa-on-requested].max", "20");
    check_set("workload.jobs[pretrain].stages[main].work=1M samples",
              "workload.jobs[0].stages[1].work", "1M samples");
    check_set("description=a=b", "description", "a=b");
}

Test(load_override, all_entries_of_a_list)
{
    check_set("workload.jobs[*].checkpoint.every=5m", "workload.jobs[pretrain].checkpoint.every",
              "5m");
    for (size_t i = 0; i < 2; i++) {
        cr_expect(eq(i64, edited.loaded.scenario.workload.templates[i].kind.checkpoint.every.ns,
                     300 * WS_NS_PER_S));
    }
}

Test(load_override, maps_and_lists_in_flow_style)
{
    cr_assert(set("workload.jobs[finetune].replicas={initial: 2, min: 1, max: 4}") == false);
    cr_expect(eq(int, edited.diag.entries[0].code, 4203)); /* it is rigid */
    cr_assert(set("compare.metrics=[cost_usd]"), "%s", ws_edited_printed(&edited));
    cr_expect(eq(sz, edited.loaded.metric_count, 1));
    cr_assert(set("scheduling={arbiter: fifo, drain: leave}"), "%s", ws_edited_printed(&edited));
    cr_expect(edited.loaded.scenario.leave_draining);
    cr_expect(eq(i64, edited.loaded.scenario.regrow.ns, 600 * WS_NS_PER_S)); /* the default again */
}

/* The file has no `outputs`, no thresholds, and the pool no second price. */
Test(load_override, keys_that_the_file_leaves_out)
{
    check_set("outputs.record=all", "outputs.record", "all");
    cr_expect(edited.loaded.record_all);
    check_set("workload.jobs[finetune].usage.cpu=80%", "workload.jobs[finetune].usage.cpu", "80%");
    cr_assert(set("network.intra_node.bandwidth=450GB/s") == false);
    cr_expect(eq(int, edited.diag.entries[0].code, 2102)); /* of the other link */
    cr_expect(eq(sz, edited.diag.count, 1));
}

Test(load_override, later_ones_win_and_all_are_listed)
{
    static const char *const flags[] = {"replications=50", "replications=30", "seed=7"};

    cr_assert(ws_edited_load_set(&edited, flags, 3));
    cr_expect(eq(i64, edited.loaded.scenario.replications, 30));
    cr_assert(eq(sz, edited.loaded.overrides_count, 3));
    cr_expect(ws_text_is(edited.loaded.overrides_text[1], "replications=30 (--set #2)"));
}

Test(load_override, unset_takes_a_key_away)
{
    ws_override override = {.is_unset = true,
                            .text = WS_TEXT("cluster.pools[h100].failures"),
                            .label = WS_TEXT("<--unset #1>")};
    ws_load_options options = {.overrides = &override, .override_count = 1};

    cr_assert(ws_edited_load(&edited, ws_edited_quickstart(&edited), &options));
    cr_expect_not(edited.loaded.scenario.pools[0].failures.present);
    override.text = WS_TEXT("cluster.pools[h100].failure");
    cr_expect_not(ws_edited_load(&edited, ws_edited_quickstart(&edited), &options));
    cr_expect(eq(int, edited.diag.entries[0].code, 2901));
    override.text = WS_TEXT("");
    cr_expect_not(ws_edited_load(&edited, ws_edited_quickstart(&edited), &options));
    cr_expect(eq(int, edited.diag.entries[0].code, 2902));
}

/* A file that is not mentioned twice: keys of the map are named as they are, without a guess. */
static void check_fault(const char *flag, const char *printed)
{
    cr_expect_not(set(flag), "%s", flag);
    cr_expect_str_eq(ws_edited_printed(&edited), printed, "%s:\n%s", flag,
                     ws_edited_printed(&edited));
}

Test(load_override, a_path_that_leads_nowhere_names_what_is_near)
{
    check_fault("workload.jobs[fine-tune].replicas=2",
                "error[WS2901]: `workload.jobs` has no entry `fine-tune`\n"
                " --> <--set #1>:1:14\n"
                "  |\n"
                "1 | workload.jobs[fine-tune].replicas=2\n"
                "  |              ^^^^^^^^^^^ matches nothing\n"
                "  |\n"
                "  = help: did you mean `finetune`?\n");
}

Test(load_override, a_wrong_value_points_into_the_flag)
{
    check_fault("horizon=7days", "error[WS3102]: `days` is not a time unit\n"
                                 " --> <--set #1>:1:9\n"
                                 "  |\n"
                                 "1 | horizon=7days\n"
                                 "  |         ^^^^^ unknown unit\n"
                                 "  |\n"
                                 "  = help: write `7d`\n"
                                 "  = note: time units are ns, us, ms, s, m (or min), h, d, w\n");
    check_fault("polices=1", "error[WS2101]: unknown key `polices` in a scenario\n"
                             " --> <--set #1>:1:1\n"
                             "  |\n"
                             "1 | polices=1\n"
                             "  | ^^^^^^^ not a key here\n"
                             "  |\n"
                             "  = help: did you mean `policies`?\n");
}

Test(load_override, flags_that_are_no_path_and_value)
{
    static const struct {
        const char *flag;
        int code;
    } flags[] = {
        {"", 2902},
        {"replications", 2902},
        {"=5", 2902},
        {"a..b=1", 2901},
        {"a[999]=1", 2901},
        {"policies[-1].max=1", 2901},
        {"policies[9].max=1", 2901},
        {"policies[*=1", 2902},
        {"seed=# 7", 2902},
        {"seed=[1", 1101},
        {"x-a=[&a [1, 1], *b]", 1303},
        {"cluster.pools=- a", 2902},
    };

    for (size_t i = 0; i < WS_COUNT_OF(flags); i++) {
        cr_expect_not(set(flags[i].flag), "%s", flags[i].flag);
        cr_expect(eq(int, edited.diag.entries[0].code, flags[i].code), "%s:\n%s", flags[i].flag,
                  ws_edited_printed(&edited));
    }
}

/* The budget of a flag is that of a file: 9 x 9 aliases are refused, and quickly. */
Test(load_override, an_alias_bomb_in_a_flag)
{
    cr_expect_not(set("x-a=[&a [1,1,1,1,1,1,1,1,1,1], &b [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a], "
                      "&c [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b], &d [*c,*c,*c,*c,*c,*c,*c,*c,*c,*c], "
                      "&e [*d,*d,*d,*d,*d,*d,*d,*d,*d,*d]]"));
    cr_expect(eq(int, edited.diag.entries[0].code, 1301));
}

/* All flags are looked at, and the file's own faults are told with them only when the flags are
 * sound. */
Test(load_override, all_flags_with_faults_are_told)
{
    static const char *const flags[] = {"=5", "seed=8", "nothing.at.all=1"};

    cr_expect_not(ws_edited_load_set(&edited, flags, 3));
    cr_expect(eq(sz, edited.diag.count, 2));
    cr_expect(eq(int, edited.diag.entries[0].code, 2902));
    cr_expect(eq(int, edited.diag.entries[1].code, 2901));
}
