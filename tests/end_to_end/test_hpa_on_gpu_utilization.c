/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * scenarios/hpa-on-gpu-utilization.yaml, explained by hand.
 *
 * A replica of 8 GPUs computes 22.5 ms a sample and reduces 13.5 GB a step in 8 rings of 1.6875 GB
 * each, which share a node's 100 Gb/s = 12.5 GB/s: 1.5625 GB/s each. With n replicas a step of 2520
 * samples takes 56.7 s / n of compute and 2 (n-1)/n x 1.08 s + 2 (n-1) x 5 us of communication,
 * none of which hides, and 5 % of the whole is a wait for input. So each GPU has a kernel resident
 * for 95 % of the time, and of these a share s is communication, in which 15 % of the SMs are
 * active: sm_active is 95 (1 - 0.85 s).
 *
 *     n  compute s     ring s          s  sm_active   n x 95 / 80   n x sm_active / 80
 *     2   28.35      1.08001   0.0366976   92.03667         2.375             2.301
 *     3   18.9       1.44002   0.0707974   89.28311         3.5625            3.348
 *     4   14.175     1.62003   0.1025658   86.71781         4.75              4.336
 *     5   11.34      1.72804   0.1322341   84.32210         5.9375            5.270
 *     6    9.45      1.80005   0.1600037   82.07970         7.125             6.156
 *     8    7.0875    1.89007   0.2105325   77.99950         9.5               7.800
 *    10    5.67      1.94409   0.2553280   74.38227        11.875             9.298
 *
 * Rounded up, the last but one column is the next size: 2, 3, 4, 5, 6, 8, 10, where 12 is beyond
 * the maximum. Of the last column 2 goes to 3 and 3, by 3.348 / 3 = 1.116, to 4; 4.336 / 4 = 1.084
 * is within a tenth, and so is 9.298 / 10 = 0.930, so that a job that begins at 10 stays there. One
 * average is 95 / 80 = 1.1875, which is 2.
 *
 * Nothing less is proposed for long: while the job starts again its series are low, and what was
 * proposed before holds for 300 s. While nodes are awaited the sum is over the replicas that step
 * and the tolerance over those that are wanted: 190 / 240 = 0.79 proposes 3; 285 / 320 = 0.89
 * proposes 4; 380 / 400, 475 / 480, 760 / 800 are within a tenth; 570 / 640 = 0.89 proposes 8.
 */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "support/support.h"
#include "ws/load.h"
#include "ws/run.h"

enum { PER_REPLICA, ONE_AVERAGE, SM_ACTIVE, ARMS };

static ws_arena arena;
static ws_diag diag;
static ws_loaded loaded;

static void load(const ws_override *overrides, size_t count)
{
    char path[4200];

    (void)snprintf(path, sizeof path, "%s/scenarios/hpa-on-gpu-utilization.yaml",
                   ws_test_source_folder());
    ws_diag_init(&diag, &arena);
    cr_assert(ws_scenario_load(
        &loaded, &(ws_load_options){.path = path, .overrides = overrides, .override_count = count},
        &arena, &diag));
    cr_assert(eq(sz, loaded.arm_count, ARMS));
}

/* The same with a job that begins at 10 replicas, on nodes that are there. */
static void load_at_ten(void)
{
    ws_override overrides[] = {
        {.text = WS_TEXT("workload.jobs[0].replicas.initial=10"), .label = WS_TEXT("<--set #1>")},
        {.text = WS_TEXT("cluster.pools[0].nodes.initial=10"), .label = WS_TEXT("<--set #2>")},
    };

    load(overrides, WS_COUNT_OF(overrides));
}

static void set_up(void)
{
    ws_arena_init(&arena, &ws_allocator_default, (size_t)1 << 30);
    load(NULL, 0);
}

static void tear_down(void)
{
    ws_arena_reset(&arena);
}

TestSuite(hpa_on_gpu_utilization, .init = set_up, .fini = tear_down);

/* ---- what monitoring shows at a size ---- */

static double shown_at(const char *metric, int32_t replicas)
{
    const ws_outlook *outlook = loaded.arms[0].controllers[1].target.outlook;
    ws_query query = {.source = WS_QUERY_EXTERNAL, .metric = ws_text_of(metric)};
    double least = 0;
    double most = 0;

    cr_assert(outlook->metric_at(outlook->context, &query, replicas, &least, &most));
    cr_expect(eq(dbl, least, most));
    return least;
}

Test(hpa_on_gpu_utilization, metrics_are_what_the_formula_says)
{
    static const struct {
        int32_t replicas;
        double sm_active;
    } sizes[] = {
        {2, 92.03667}, {3, 89.28311}, {4, 86.71781},  {5, 84.32210},
        {6, 82.07970}, {8, 77.99950}, {10, 74.38227},
    };

    for (size_t i = 0; i < WS_COUNT_OF(sizes); i++) {
        int32_t replicas = sizes[i].replicas;

        cr_expect(epsilon_eq(dbl, shown_at("gpu_util", replicas), 95, 1e-9));
        cr_expect(epsilon_eq(dbl, shown_at("sm_active", replicas), sizes[i].sm_active, 1e-5));
    }
}

/* A version that clusters no longer serve, and two arms that never meet the target. */
Test(hpa_on_gpu_utilization, loading_it_says_what_will_happen)
{
    static const char *const messages[] = {
        "clusters of today do not take `autoscaling/v2beta2`",
        "`gpu_utilization` is above its target at every size: the autoscaler runs to 10 replicas",
        "`gpu_utilization` never asks for more than 2 replicas",
    };

    ws_diag_sort(&diag);
    cr_assert(eq(sz, diag.count, WS_COUNT_OF(messages)));
    for (size_t i = 0; i < diag.count; i++) {
        cr_expect(eq(int, diag.entries[i].severity, WS_SEVERITY_WARNING));
        cr_expect_str_eq(diag.entries[i].message.start, messages[i]);
    }
    cr_expect(eq(sz, loaded.input_count, 2)); /* the scenario and the manifest */
}

/* ---- what the autoscaler does ---- */

typedef struct {
    const ws_event_record *event;
    ws_time began; /* first step of the world that it is about */
} decision;

enum { DECISIONS_MAX = 20 };

/* The decisions about an arm's job in one random world; all of the arm have reasons. */
static size_t run(size_t arm, uint64_t replication, decision decisions[DECISIONS_MAX])
{
    ws_arena scratch;
    ws_run_result result;
    ws_time began = {.ns = 0};
    size_t count = 0;

    ws_arena_init(&scratch, &ws_allocator_default, (size_t)1 << 30);
    cr_assert(ws_run(&result, &loaded.arms[arm],
                     &(ws_run_options){.replication = replication, .with_events = true}, &arena,
                     &scratch, &diag));
    ws_arena_reset(&scratch);
    for (const ws_event_block *block = result.events.first; block != NULL; block = block->next) {
        for (size_t i = 0; i < block->count; i++) {
            const ws_event_record *event = &block->records[i];
            bool is_scale = event->kind == WS_EVENT_SCALE_JOB || event->kind == WS_EVENT_SCALE_POOL;

            cr_expect(not(is_scale && event->reason.length == 0));
            began = event->kind == WS_EVENT_JOB_RUN ? event->at : began;
            if (event->kind == WS_EVENT_SCALE_JOB) {
                cr_assert(lt(sz, count, DECISIONS_MAX));
                decisions[count++] = (decision){.event = event, .began = began};
            }
        }
    }
    return count;
}

/* The sizes that an arm's job is given, "3 4", are the same in all random worlds: when nodes and
 * workers are there differs, and what the metric shows then does not. */
static void check_course(size_t arm, const char *expected)
{
    for (int64_t i = 0; i < loaded.scenario.replications; i++) {
        decision decisions[DECISIONS_MAX];
        char sizes[200] = "";
        size_t count = run(arm, (uint64_t)i, decisions);

        for (size_t k = 0; k < count; k++) {
            size_t length = strlen(sizes);
            (void)snprintf(sizes + length, sizeof sizes - length, "%s%" PRId64, k == 0 ? "" : " ",
                           decisions[k].event->to);
        }
        cr_expect_str_eq(sizes, expected, "replication %" PRId64 ": %s", i, sizes);
    }
}

Test(hpa_on_gpu_utilization, one_value_for_each_replica_runs_away)
{
    check_course(PER_REPLICA, "3 4 5 6 8 10");
}

Test(hpa_on_gpu_utilization, one_average_asks_for_two)
{
    check_course(ONE_AVERAGE, "");
}

Test(hpa_on_gpu_utilization, sm_active_settles)
{
    check_course(SM_ACTIVE, "3 4");
}

/* With sm_active a tenth of tolerance holds 10 as well; with one value each 12 are wanted, and the
 * maximum is 10. One average falls to 2 in one step. */
Test(hpa_on_gpu_utilization, from_ten_replicas)
{
    load_at_ten();
    check_course(PER_REPLICA, "");
    check_course(ONE_AVERAGE, "2");
    check_course(SM_ACTIVE, "");
}

/* ---- when, and why ---- */

/*
 * Scrapes are every 15 s and seen 5 s later, so that a decision, also every 15 s, sees that of 15 s
 * before. The first scrape that shows a whole second of the new world is the first one a second
 * after its first step; the decision is 15 s after that.
 */
Test(hpa_on_gpu_utilization, each_decision_follows_the_first_full_scrape)
{
    static const char *const reasons[] = {
        "gpu_utilization is 190 in 2 series against a target of 80 a replica: wants 3",
        "gpu_utilization is 285 in 3 series against a target of 80 a replica: wants 4",
        "gpu_utilization is 380 in 4 series against a target of 80 a replica: wants 5",
        "gpu_utilization is 475 in 5 series against a target of 80 a replica: wants 6",
        "gpu_utilization is 570 in 6 series against a target of 80 a replica: wants 8",
        "gpu_utilization is 760 in 8 series against a target of 80 a replica: wants 10",
    };
    int64_t scrape = 15 * WS_NS_PER_S;
    decision decisions[DECISIONS_MAX];
    size_t count = run(PER_REPLICA, 0, decisions);

    cr_assert(eq(sz, count, WS_COUNT_OF(reasons)));
    for (size_t i = 0; i < count; i++) {
        int64_t full = decisions[i].began.ns + WS_NS_PER_S;
        int64_t seen = (full + scrape - 1) / scrape * scrape;

        cr_expect(eq(i64, decisions[i].event->at.ns, seen + scrape));
        cr_expect_str_eq(decisions[i].event->reason.start, reasons[i]);
    }
}

/* The size that the first run finds, 10 at 0 s, is remembered for 300 s, that second included: the
 * next decision, at 315 s, is the first that may fall below it. */
Test(hpa_on_gpu_utilization, falls_when_the_window_is_over)
{
    decision decisions[DECISIONS_MAX];

    load_at_ten();
    cr_assert(eq(sz, run(ONE_AVERAGE, 0, decisions), 1));
    cr_expect(eq(i64, decisions[0].event->at.ns, 315 * WS_NS_PER_S));
    cr_expect(eq(i64, decisions[0].event->from, 10));
    cr_expect_str_eq(decisions[0].event->reason.start,
                     "gpu_utilization is 95 against a target of 80 a replica: wants 2");
}
