/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Demand in a scenario: what series mean, which are picked, and what is said of them. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <string.h>

#include "scenarios/edited.h"

static ws_edited edited;

/* Two pods, a sample a minute for 6 minutes but for one hole of both at minutes 3 and 4; a third
 * one of another namespace; the replicas; and a rate without a unit that anybody knows. */
static const char series[] = "# TYPE DCGM_FI_DEV_GPU_UTIL gauge\n"
                             "DCGM_FI_DEV_GPU_UTIL{namespace=\"ml\",pod=\"a\"} 50 1700000000\n"
                             "DCGM_FI_DEV_GPU_UTIL{namespace=\"ml\",pod=\"a\"} 50 1700000060\n"
                             "DCGM_FI_DEV_GPU_UTIL{namespace=\"ml\",pod=\"a\"} 50 1700000120\n"
                             "DCGM_FI_DEV_GPU_UTIL{namespace=\"ml\",pod=\"a\"} 100 1700000300\n"
                             "DCGM_FI_DEV_GPU_UTIL{namespace=\"ml\",pod=\"b\"} 100 1700000000\n"
                             "DCGM_FI_DEV_GPU_UTIL{namespace=\"ml\",pod=\"b\"} 70 1700000060\n"
                             "DCGM_FI_DEV_GPU_UTIL{namespace=\"ml\",pod=\"b\"} 70 1700000120\n"
                             "DCGM_FI_DEV_GPU_UTIL{namespace=\"ml\",pod=\"b\"} 100 1700000300\n"
                             "DCGM_FI_DEV_GPU_UTIL{namespace=\"web\",pod=\"c\"} 10 1700000000\n"
                             "DCGM_FI_DEV_GPU_UTIL{namespace=\"web\",pod=\"c\"} 10 1700000060\n"
                             "# TYPE kube_deployment_status_replicas gauge\n"
                             "kube_deployment_status_replicas{deployment=\"x\"} 4 1700000000\n"
                             "kube_deployment_status_replicas{deployment=\"x\"} 4 1700000060\n"
                             "kube_deployment_status_replicas{deployment=\"x\"} 8 1700000120\n"
                             "# TYPE requests gauge\n"
                             "requests 12 1700000000\n"
                             "requests 24 1700000060\n"
                             "# EOF\n";

static void set_up(void)
{
    char path[1200];
    FILE *file = NULL;

    ws_edited_init(&edited, "load-demand");
    (void)snprintf(path, sizeof path, "%s/series.om", edited.folder);
    file = fopen(path, "w");
    cr_assert(file != NULL);
    cr_assert(fputs(series, file) >= 0);
    cr_assert(eq(int, fclose(file), 0));
}

static void tear_down(void)
{
    ws_edited_fini(&edited);
}

TestSuite(load_demand, .init = set_up, .fini = tear_down);

/* The week with a demand beside its jobs; `keys` are those of the demand. */
static bool load_demand(const char *keys)
{
    char replace[1000];

    (void)snprintf(replace, sizeof replace,
                   "workload:\n  demand: {file: series.om, replicas: {initial: 2, max: 8}, %s}\n",
                   keys);
    return ws_edited_load_one(&edited, "workload:\n", replace);
}

static const ws_demand *loaded(const char *keys)
{
    cr_assert(load_demand(keys), "%s", ws_edited_printed(&edited));

    const ws_workload *workload = &edited.loaded.scenario.workload;
    const ws_job_template *last = &workload->templates[workload->template_count - 1];
    cr_assert(ws_text_is(last->kind.name, "demand"));
    cr_assert(last->kind.has_demand);
    cr_assert(eq(sz, last->stage_count, 1));
    return last->stages[0].spec.demand;
}

static void check_refused(const char *keys, int code, const char *message)
{
    cr_expect_not(load_demand(keys), "%s", keys);
    cr_assert(eq(sz, edited.diag.count, 1), "%s", ws_edited_printed(&edited));
    cr_expect(eq(int, edited.diag.entries[0].code, code), "%s", ws_edited_printed(&edited));
    cr_expect_str_eq(edited.diag.entries[0].message.start, message, "%s",
                     ws_edited_printed(&edited));
}

static bool is_assumed(const char *part)
{
    for (size_t i = 0; i < edited.loaded.assumption_count; i++) {
        if (strstr(edited.loaded.assumptions[i].start, part) != NULL) {
            return true;
        }
    }
    return false;
}

/* The pods of one namespace: 1.5 and 1.2 busy, a hole of two minutes, 2 busy. */
Test(load_demand, a_utilisation_of_some_pods)
{
    const ws_demand *demand = loaded("metric: DCGM_FI_DEV_GPU_UTIL, select: {namespace: ml}");

    cr_assert(eq(sz, demand->count, 4));
    cr_expect(eq(dbl, demand->steps[0].rate, 1.5));
    cr_expect(eq(dbl, demand->steps[1].rate, 1.2));
    cr_expect_not(demand->steps[2].is_known);
    cr_expect(eq(i64, demand->steps[2].begin.ns, 180 * WS_NS_PER_S));
    cr_expect(eq(dbl, demand->steps[3].rate, 2));
    cr_expect(is_assumed("2 series over 6.00 min, 1.475 busy replicas on average, 2 at most"));
    cr_expect(is_assumed("1 hole of 2.00 min in all, 33.3 % of the time: nothing arrives there"));
    cr_expect(is_assumed("for 16.7 % of the time the recorded workers were busy all the time"));
    const ws_diagnostic *holes = ws_edited_found(&edited, 4342);
    cr_assert(holes != NULL, "%s", ws_edited_printed(&edited));
    cr_expect_str_eq(holes->message.start,
                     "the recording has 1 hole of 2.00 min in all, 33.3 % of the time");
    cr_expect(ws_edited_found(&edited, 4343) != NULL, "%s", ws_edited_printed(&edited));
}

/* Held, the 1.2 go on, and it is told. */
Test(load_demand, holes_may_be_held)
{
    const ws_demand *demand =
        loaded("metric: DCGM_FI_DEV_GPU_UTIL, select: {namespace: ml}, holes: hold");

    cr_assert(eq(sz, demand->count, 3));
    cr_expect(eq(dbl, demand->total, 1.5 * 60 + 1.2 * 240 + 2 * 60));
    cr_expect(is_assumed("33.3 % of the time: demand is taken to go on as it was"));
}

/* 10 % of the 4 replicas that a series of its own tells. */
Test(load_demand, recorded_replicas)
{
    const ws_demand *demand =
        loaded("metric: DCGM_FI_DEV_GPU_UTIL, select: {namespace: web}, recorded_replicas: {file: "
               "series.om, metric: kube_deployment_status_replicas}");

    cr_assert(eq(sz, demand->count, 1));
    cr_expect(eq(dbl, demand->steps[0].rate, 0.4));
    demand =
        loaded("metric: DCGM_FI_DEV_GPU_UTIL, select: {namespace: web}, recorded_replicas: 30");
    cr_expect(eq(dbl, demand->steps[0].rate, 3));
}

Test(load_demand, a_rate)
{
    const ws_demand *demand = loaded("metric: requests, per_replica: 6, recorded_replicas: 4");

    cr_expect(eq(dbl, demand->steps[1].rate, 24));
    cr_expect(eq(dbl, demand->total, 12 * 60 + 24 * 60));
    cr_expect(is_assumed("1 series over 2.00 min, 18 samples a second on average, 24 at most"));
    cr_expect(is_assumed("for 50 % of the time the recorded workers"));
}

/* The clock of the recording is Unix time: 1700000000 is 2023-11-14T22:13:20Z. */
Test(load_demand, a_window)
{
    const ws_demand *demand = loaded("metric: requests, per_replica: 6, from: "
                                     "2023-11-14T22:14:00Z, to: 2023-11-14T22:15:00Z");

    cr_expect(eq(i64, demand->end.ns, 60 * WS_NS_PER_S));
    cr_expect(eq(dbl, demand->total, 12 * 20 + 24 * 40));
}

Test(load_demand, what_is_refused)
{
    check_refused("select: {namespace: ml}, metric: x", 4340, "no series of the file is picked");
    check_refused("metric: DCGM_FI_DEV_GPU_UTIL, select: {namespace: m}", 4340,
                  "no series of the file is picked");
    check_refused("holes: skip", 2102, "the file holds several metrics");
    check_refused("metric: requests", 2102, "nothing says what the values of `requests` mean");
    check_refused("metric: requests, per_replica: 6, full: 100", 2302,
                  "`full` is of a utilisation, `per_replica` of a rate");
    check_refused("metric: requests, per_replica: 6, recorded_replicas: {format: auto}", 2302,
                  "`recorded_replicas` is a number, or the `file` of a series");
    check_refused("metric: requests, per_replica: 6, recorded_replicas: {file: series.om, metric: "
                  "DCGM_FI_DEV_GPU_UTIL}",
                  4340, "3 series are picked, and one says how many replicas there were");
    check_refused("metric: requests, per_replica: 6, from: 2023-11-15", 4201,
                  "no demand was recorded in this window: nothing would arrive");
    check_refused("metric: requests, full: 1e9, select: [a]", 2201, "`select` is a map of labels");
    check_refused("metric: requests, per_replica: 6, format: csv", 2203,
                  "`csv` is not a format of series");
}

/* Work arrives at the demand, and at no other job. */
Test(load_demand, arrivals_are_of_demand)
{
    static const ws_edit edits[] = {
        {"workload:\n", "workload:\n  demand: {file: series.om, metric: requests, per_replica: 6, "
                        "replicas: {initial: 2, max: 8}}\n"},
        {"policies:\n", "policies:\n  - {name: pods, type: hpa, target: {job: demand}, metrics: "
                        "[{pods: arrivals, average_value: 4}], min: 1, max: 8}\n"},
    };
    ws_text text = ws_edited_apply(&edited, ws_edited_quickstart(&edited), edits, 2);

    cr_expect(ws_edited_load(&edited, text, NULL), "%s", ws_edited_printed(&edited));
    cr_expect_not(ws_edited_load_one(
        &edited, "policies:\n",
        "policies:\n  - {name: pods, type: hpa, target: {job: pretrain}, metrics: "
        "[{pods: arrivals, average_value: 4}], min: 2, max: 8}\n"));
    cr_expect(ws_edited_found(&edited, 5308) != NULL, "%s", ws_edited_printed(&edited));
}
