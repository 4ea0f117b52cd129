/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "policies/policy_bench.h"

static ws_view view_at_start(void)
{
    return (ws_view){.wakes = WS_WAKE_START, .target_exists = true, .wanted = 4, .existing = 4};
}

Test(fixed, sets_a_pool_once)
{
    ws_policy_bench bench;
    ws_view view = view_at_start();
    ws_plan plan;

    cr_assert(ws_policy_bench_open(&bench, "fixed", WS_TARGET_POOL, "{nodes: 8}"));
    ws_policy_bench_begin(&bench, 0, 16);
    plan = ws_policy_bench_ask(&bench, &view);
    cr_expect(eq(sz, plan.set_count, 1));
    cr_expect(eq(i64, plan.target, 8));
    cr_expect(eq(str, plan.reason, "fixed at 8 nodes"));

    view.wakes = WS_WAKE_JOB_ARRIVED;
    plan = ws_policy_bench_ask(&bench, &view);
    cr_expect(eq(sz, plan.set_count, 0));
    ws_policy_bench_close(&bench);
}

Test(fixed, sets_jobs_when_they_arrive)
{
    ws_policy_bench bench;
    ws_view view = view_at_start();
    ws_plan plan;

    cr_assert(ws_policy_bench_open(&bench, "fixed", WS_TARGET_JOBS, "{replicas: 3}"));
    ws_policy_bench_begin(&bench, 0, 0);
    view.target_exists = false;
    plan = ws_policy_bench_ask(&bench, &view);
    cr_expect(eq(sz, plan.set_count, 0));

    view.target_exists = true;
    view.wakes = WS_WAKE_JOB_ARRIVED;
    plan = ws_policy_bench_ask(&bench, &view);
    cr_expect(eq(i64, plan.target, 3));
    cr_expect(eq(str, plan.reason, "fixed at 3 replicas"));
    ws_policy_bench_close(&bench);
}

/* 0 is a size; nothing is not. */
Test(fixed, keeps_the_size_when_none_is_given)
{
    ws_policy_bench bench;
    ws_view view = view_at_start();
    ws_plan plan;

    cr_assert(ws_policy_bench_open(&bench, "fixed", WS_TARGET_POOL, "{}"));
    ws_policy_bench_begin(&bench, 0, 16);
    plan = ws_policy_bench_ask(&bench, &view);
    cr_expect(eq(sz, plan.set_count, 0));
    ws_policy_bench_close(&bench);

    cr_assert(ws_policy_bench_open(&bench, "fixed", WS_TARGET_POOL, "{nodes: 0}"));
    ws_policy_bench_begin(&bench, 0, 16);
    plan = ws_policy_bench_ask(&bench, &view);
    cr_expect(plan.has_target);
    cr_expect(eq(i64, plan.target, 0));
    ws_policy_bench_close(&bench);
}

Test(fixed, refuses_the_other_targets_word)
{
    ws_policy_bench bench;

    cr_expect(not(ws_policy_bench_open(&bench, "fixed", WS_TARGET_POOL, "{replicas: 8}")));
    cr_expect(eq(str, (char *)ws_policy_bench_complaint(&bench),
                 "error[WS4401]: `replicas` does not go with a pool: write `nodes`\n"
                 " --> scenario.yaml:1:12\n"
                 "  |\n"
                 "1 | {replicas: 8}\n"
                 "  |            ^\n"));
    ws_policy_bench_close(&bench);

    cr_expect(not(ws_policy_bench_open(&bench, "fixed", WS_TARGET_JOB, "{nodes: 8}")));
    cr_expect(eq(int, bench.diag.entries[0].code, 4401));
    ws_policy_bench_close(&bench);

    cr_expect(not(ws_policy_bench_open(&bench, "fixed", WS_TARGET_POOL, "{nodes: -1}")));
    ws_policy_bench_close(&bench);
}
