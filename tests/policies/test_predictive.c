/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The predictive policy on a day whose demand is a triangle: 40 GPUs at midnight, one more every
 * ten minutes up to 112 at noon, and back. Nodes have 8 GPUs, so the tenth node is needed above 72
 * GPUs, from 05:20 on.
 */
#include <math.h>
#include <string.h>

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <gsl/gsl_errno.h>

#include "policies/policy_bench.h"
#include "ws/assert.h"

#define MINUTES_A_DAY 1440

/* A pool that gives what it is asked for, and a demand. */
typedef struct {
    ws_policy_bench bench;
    ws_view_pool pool;
    ws_view view;
    ws_sample sample;
    ws_plan plan; /* of the last minute */
} world;

static double triangle(int minute)
{
    int at = minute % MINUTES_A_DAY;
    int rising = at <= MINUTES_A_DAY / 2 ? at : MINUTES_A_DAY - at;

    return 40 + rising / 10.0;
}

static void begin(world *made, const char *parameters)
{
    (void)gsl_set_error_handler_off();
    *made = (world){.pool = {.gpus_per_node = 8, .nodes_max = 20},
                    .view = {.target_exists = true, .wanted = 6}};
    cr_assert(ws_policy_bench_open(&made->bench, "predictive", WS_TARGET_POOL, parameters), "%s",
              ws_policy_bench_complaint(&made->bench));
    ws_policy_bench_begin(&made->bench, 0, 20);
    cr_assert(eq(sz, made->bench.subscriptions.count, 1));
}

/* One minute with a demand; NaN: nobody shows it. */
static void pass(world *made, int minute, double demand)
{
    made->view.now.ns = minute * WS_NS_PER_MIN;
    made->view.wakes = WS_WAKE_PERIOD;
    made->view.pools = &made->pool;
    made->view.pool_count = 1;
    made->sample = (ws_sample){.value = demand, .replica = -1};
    made->view.queries[0].samples = &made->sample;
    made->view.queries[0].sample_count = isnan(demand) ? 0 : 1;
    made->plan = ws_policy_bench_ask(&made->bench, &made->view);
    if (made->plan.has_target) {
        cr_assert(ge(i64, made->plan.target, 0));
        cr_assert(le(i64, made->plan.target, 20));
        made->view.wanted = (int32_t)made->plan.target;
        made->view.existing = made->view.wanted;
    }
}

/* Two days of triangles, up to the third midnight. */
static int pass_two_days(world *made)
{
    int minute = 0;

    while (minute < 2 * MINUTES_A_DAY) {
        pass(made, minute, triangle(minute));
        minute++;
    }
    return minute;
}

/* The minute of the third day at which the pool first has at least that many nodes. */
static int minute_of(world *made, int from, int32_t nodes)
{
    int minute = from;

    while (made->view.wanted < nodes && minute < 3 * MINUTES_A_DAY) {
        pass(made, minute, triangle(minute));
        minute++;
    }
    return minute - 1 - 2 * MINUTES_A_DAY;
}

/* ---- ahead of a wave ---- */

/* A cold start of 4 min and a step of 10 min are 2 steps: at 05:10 the forecast for 05:30 is 73. A
 * policy without one would ask at 05:21. */
Test(predictive, asks_ahead_of_a_daily_wave)
{
    world made;

    begin(&made, "{step: 10m}");
    made.pool.observed_start_s = 240;
    int from = pass_two_days(&made);
    cr_expect(eq(int, minute_of(&made, from, 10), 5 * 60 + 10));
    cr_expect(ne(ptr, strstr(made.plan.reason, "requested_gpus 71 now, 73 in 20 min ("), NULL),
              "%s", made.plan.reason);
    cr_expect(ne(ptr, strstr(made.plan.reason, ", 90% below 73): 10 nodes"), NULL), "%s",
              made.plan.reason);
    cr_expect(ne(ptr, strstr(made.plan.explanation, "within 840 s at most 73 in 2 steps"), NULL),
              "%s", made.plan.explanation);
    cr_expect(ne(ptr, strstr(made.plan.explanation, "holt-winters: mean error"), NULL));
    cr_expect(ne(ptr,
                 strstr(made.plan.explanation, "seasonal-naive: mean error 0 over 144 samples"),
                 NULL),
              "%s", made.plan.explanation);
    ws_policy_bench_close(&made.bench);
}

/* 25 min and a step are 35 min, 4 steps: 73 is seen at 04:50. Unknown, 3 min are assumed: 2 steps.
 */
Test(predictive, looks_as_far_ahead_as_nodes_were_seen_to_take)
{
    world made;

    begin(&made, "{step: 10m}");
    made.pool.observed_start_s = 1500;
    int from = pass_two_days(&made);
    cr_expect(eq(int, minute_of(&made, from, 10), 4 * 60 + 50));
    ws_policy_bench_close(&made.bench);

    begin(&made, "{step: 10m}");
    from = pass_two_days(&made);
    cr_expect(eq(int, minute_of(&made, from, 10), 5 * 60 + 10));
    ws_policy_bench_close(&made.bench);

    begin(&made, "{step: 10m, cold_start: 45m, model: seasonal-naive}");
    from = pass_two_days(&made);
    cr_expect(eq(int, minute_of(&made, from, 10), 4 * 60 + 30)); /* 55 min, 6 steps */
    ws_policy_bench_close(&made.bench);
}

/* ---- scaling in ---- */

/* 14 nodes from noon on; 104 GPUs, 13 nodes, at 13:20. */
static int minute_of_release(world *made)
{
    int minute = pass_two_days(made);

    while (minute < 2 * MINUTES_A_DAY + 12 * 60 + 30) {
        pass(made, minute, triangle(minute));
        minute++;
    }
    cr_assert(eq(int, made->view.wanted, 14));
    while (made->view.wanted == 14) {
        pass(made, minute, triangle(minute));
        minute++;
    }
    cr_expect(eq(int, made->view.wanted, 13));
    return minute - 1 - 2 * MINUTES_A_DAY;
}

Test(predictive, releases_what_was_too_much_for_a_while)
{
    world made;

    begin(&made, "{step: 10m}");
    cr_expect(eq(int, minute_of_release(&made), 13 * 60 + 30));
    cr_expect(
        eq(str, made.plan.reason, "requested_gpus 103 now: 13 nodes have been enough for 10 min"));
    ws_policy_bench_close(&made.bench);
    begin(&made, "{step: 10m, release_after: 0s}");
    cr_expect(eq(int, minute_of_release(&made), 13 * 60 + 20));
    ws_policy_bench_close(&made.bench);
}

/* The forecast says at once that it stays so: 3 steps reach 10 min beyond the lead, and the next
 * sample is the largest. */
Test(predictive, releases_by_forecast_when_it_may)
{
    world made;

    begin(&made, "{step: 10m, scale_in: forecast}");
    cr_expect(eq(int, minute_of_release(&made), 13 * 60 + 20));
    cr_expect(
        ne(ptr, strstr(made.plan.reason, "requested_gpus 104 now, for 30 min at most 103 ("), NULL),
        "%s", made.plan.reason);
    ws_policy_bench_close(&made.bench);
}

/* The first decision finds 6 nodes, and nobody knows since when. */
Test(predictive, holds_what_it_finds_for_a_while)
{
    world made;
    int minute = 0;

    begin(&made, "{step: 10m}");
    while (made.view.wanted == 6) {
        pass(&made, minute, 8);
        minute++;
    }
    cr_expect(eq(int, minute - 1, 11)); /* what was found at 0 is more than 10 min old */
    cr_expect(eq(int, made.view.wanted, 1));
    ws_policy_bench_close(&made.bench);
}

/* On the third night demand stays at 100 GPUs, where the forecast sees half of that: it takes
 * nothing away, however it may scale in. */
static void expect_guard(const char *parameters)
{
    world made;

    begin(&made, parameters);
    int from = pass_two_days(&made);
    for (int minute = from; minute < from + 180; minute++) {
        pass(&made, minute, 100);
        cr_expect(ge(int, made.view.wanted, 13));
    }
    ws_policy_bench_close(&made.bench);
}

Test(predictive, never_goes_below_the_demand_now)
{
    expect_guard("{step: 10m}");
    expect_guard("{step: 10m, scale_in: forecast}");
    expect_guard("{step: 10m, scale_in: forecast, model: seasonal-naive, quantile: 0%}");
}

/* ---- samples that are missing, and numbers that are none ---- */

/* Nobody shows demand from the second midnight on: nodes are added by forecast alone, and none is
 * taken. */
Test(predictive, adds_by_forecast_while_demand_is_unknown)
{
    world made;

    begin(&made, "{step: 10m, model: seasonal-naive}");
    int from = pass_two_days(&made);
    int32_t before = made.view.wanted;
    for (int minute = from; minute < from + 6 * 60; minute++) {
        pass(&made, minute, (double)NAN);
        cr_expect(ge(int, made.view.wanted, before));
        before = made.view.wanted;
    }
    /* The last forecast is that for 06:10: 77 GPUs, for which 10 nodes do. */
    cr_expect(eq(int, made.view.wanted, 10));
    ws_policy_bench_close(&made.bench);

    begin(&made, "{step: 10m}");
    pass(&made, 0, (double)NAN);
    cr_expect(not(made.plan.has_target));
    cr_expect(eq(str, made.plan.explanation,
                 "requested_gpus has no sample\ntoo few samples for a forecast\n"));
    ws_policy_bench_close(&made.bench);
}

/* A sample older than a step says nothing of now. */
Test(predictive, takes_a_stale_sample_for_none)
{
    world made;

    begin(&made, "{step: 10m}");
    made.sample = (ws_sample){.value = 80, .age = {.ns = 11 * WS_NS_PER_MIN}};
    made.view.pools = &made.pool;
    made.view.pool_count = 1;
    made.view.queries[0] = (ws_fake_query){.samples = &made.sample, .sample_count = 1};
    made.plan = ws_policy_bench_ask(&made.bench, &made.view);
    cr_expect(not(made.plan.has_target));
    made.sample.age.ns = 10 * WS_NS_PER_MIN;
    made.plan = ws_policy_bench_ask(&made.bench, &made.view);
    cr_expect(eq(i64, made.plan.target, 10));
    cr_expect(eq(str, made.plan.reason, "requested_gpus 80 now: 10 nodes"));
    ws_policy_bench_close(&made.bench);
}

static double hostile(int minute)
{
    switch (minute / 3 % 7) {
    case 1:
        return (double)NAN;
    case 2:
        return (double)INFINITY;
    case 3:
        return -50;
    case 4:
        return 1e300;
    case 5:
        return -(double)INFINITY;
    default:
        return minute % 90;
    }
}

Test(predictive, always_asks_for_a_size_within_the_limits)
{
    const char *const parameters[] = {
        "{step: 1m, season: 30m}",
        "{step: 1m, season: 30m, seasonal: multiplicative, form: r}",
        "{step: 1m, season: 30m, model: seasonal-naive, scale_in: forecast}",
        "{step: 1m, season: 30m, alpha: 1, beta: 1, gamma: 0, phi: 1}",
    };

    for (size_t i = 0; i < WS_COUNT_OF(parameters); i++) {
        world made;
        begin(&made, parameters[i]);
        for (int minute = 0; minute < 400; minute++) {
            pass(&made, minute, hostile(minute)); /* asserts the limits */
        }
        ws_policy_bench_close(&made.bench);
    }
}

/* ---- quantiles ---- */

/* A higher quantile never has fewer nodes: worlds side by side, each minute. */
Test(predictive, has_more_nodes_at_a_higher_quantile)
{
    const char *const parameters[] = {"{step: 10m, quantile: 10%, release_after: 0s}",
                                      "{step: 10m, quantile: 50%, release_after: 0s}",
                                      "{step: 10m, quantile: 75%, release_after: 0s}",
                                      "{step: 10m, quantile: 90%, release_after: 0s}",
                                      "{step: 10m, quantile: 99%, release_after: 0s}"};
    world worlds[WS_COUNT_OF(parameters)];
    uint32_t noise = 3;
    bool differed = false;

    for (size_t i = 0; i < WS_COUNT_OF(parameters); i++) {
        begin(&worlds[i], parameters[i]);
    }
    for (int minute = 0; minute < 3 * MINUTES_A_DAY; minute++) {
        noise = noise * 1664525u + 1013904223u;
        double demand = triangle(minute) + 30.0 * (noise >> 8) / 16777216.0;
        for (size_t i = 0; i < WS_COUNT_OF(parameters); i++) {
            pass(&worlds[i], minute, demand);
            cr_expect(i == 0 || worlds[i].view.wanted >= worlds[i - 1].view.wanted, "minute %d",
                      minute);
        }
        differed = differed || worlds[0].view.wanted < worlds[4].view.wanted;
    }
    cr_expect(differed);
    for (size_t i = 0; i < WS_COUNT_OF(parameters); i++) {
        ws_policy_bench_close(&worlds[i].bench);
    }
}

/* ---- limits and targets ---- */

Test(predictive, keeps_to_its_limits)
{
    world made;

    begin(&made, "{min: 4, max: 9}");
    pass(&made, 0, 800);
    cr_expect(eq(i64, made.plan.target, 9));
    for (int minute = 1; minute < 30; minute++) {
        pass(&made, minute, 0);
    }
    cr_expect(eq(int, made.view.wanted, 4));
    ws_policy_bench_close(&made.bench);
}

/* 10 nodes do for 80 GPUs and for what is 80 but for rounding; the next GPU takes one more. */
Test(predictive, rounds_up)
{
    const struct {
        double demand;
        int64_t nodes;
    } cases[] = {{80, 10}, {80.000000001, 10}, {80.1, 11}, {73, 10}};

    for (size_t i = 0; i < WS_COUNT_OF(cases); i++) {
        world made;
        begin(&made, "{}");
        pass(&made, 0, cases[i].demand);
        cr_expect(eq(i64, made.plan.target, cases[i].nodes));
        ws_policy_bench_close(&made.bench);
    }
}

/* What the target did not take is not asked for again and again; another size is. */
Test(predictive, does_not_repeat_what_was_refused)
{
    world made;

    begin(&made, "{}");
    pass(&made, 0, 80);
    cr_expect(eq(i64, made.plan.target, 10));
    made.view.wanted = 8;
    pass(&made, 1, 80);
    cr_expect(not(made.plan.has_target));
    pass(&made, 2, 88);
    cr_expect(eq(i64, made.plan.target, 11));
    ws_policy_bench_close(&made.bench);
}

/* A job's load: its own series and those of nobody in particular, 100 over 30 a replica; not
 * another job's. */
Test(predictive, scales_a_job_by_its_load)
{
    world made;
    const ws_sample samples[] = {{.value = 60, .job = WS_TEXT("train")},
                                 {.value = 40},
                                 {.value = 500, .job = WS_TEXT("other")}};
    const ws_view_job jobs[] = {{.name = WS_TEXT("train")}, {.name = WS_TEXT("train")}};

    made = (world){.view = {.target_exists = true, .wanted = 2, .jobs = jobs, .job_count = 1}};
    cr_assert(ws_policy_bench_open(&made.bench, "predictive", WS_TARGET_JOB,
                                   "{metric: throughput, per_replica: 30}"));
    ws_policy_bench_begin(&made.bench, 0, 0);
    made.view.queries[0] = (ws_fake_query){.samples = samples, .sample_count = 3};
    made.plan = ws_policy_bench_ask(&made.bench, &made.view);
    cr_expect(eq(i64, made.plan.target, 4));
    cr_expect(eq(str, made.plan.reason, "throughput 100 now: 4 replicas"));
    made.view.job_count = 2;
    made.plan = ws_policy_bench_ask(&made.bench, &made.view);
    cr_expect(not(made.plan.has_target));
    cr_expect(
        eq(str, made.plan.explanation, "several jobs named train are active, and one is scaled\n"));
    ws_policy_bench_close(&made.bench);
}

/* ---- what is wrong with parameters ---- */

static void expect_fault(ws_target_kind target, const char *text, int code, const char *message)
{
    ws_policy_bench bench;

    cr_expect(not(ws_policy_bench_open(&bench, "predictive", target, text)), "%s", text);
    cr_assert(ge(sz, bench.diag.count, 1), "%s", text);
    cr_expect(eq(int, bench.diag.entries[0].code, code), "%s", text);
    cr_expect(ws_text_is(bench.diag.entries[0].message, message), "%s: %.*s", text,
              WS_TEXT_ARGS(bench.diag.entries[0].message));
    cr_expect(bench.diag.entries[0].at.source != NULL, "%s: no place", text);
    ws_policy_bench_close(&bench);
}

Test(predictive, says_what_does_not_agree)
{
    expect_fault(WS_TARGET_POOL, "{season: 24h, step: 7m}", 4411,
                 "`season` is not a whole number of steps");
    expect_fault(WS_TARGET_POOL, "{season: 10m, step: 10m}", 4412,
                 "`season` is shorter than 2 steps");
    expect_fault(WS_TARGET_POOL, "{season: 7d, step: 1s, period: 1s}", 4412,
                 "`season` is longer than 10080 steps");
    expect_fault(WS_TARGET_POOL, "{period: 15m, step: 10m}", 4413,
                 "`period` is longer than `step`");
    expect_fault(WS_TARGET_POOL, "{min: 5, max: 4}", 4414, "`min` is above `max`");
    expect_fault(WS_TARGET_POOL, "{model: seasonal-naive, beta: 0.1}", 4415,
                 "`beta` does not go with `model: seasonal-naive`");
    expect_fault(WS_TARGET_POOL, "{metric: backlog}", 4416,
                 "how much `backlog` one node serves is not said");
    expect_fault(WS_TARGET_JOB, "{metric: backlog}", 4416,
                 "how much `backlog` one replica serves is not said");
    expect_fault(WS_TARGET_JOB, "{per_replica: 8}", 4417,
                 "`requested_gpus` of a job is what the policy itself asks for");
    expect_fault(WS_TARGET_POOL, "{release_after: 30d, period: 1m}", 4419,
                 "`release_after` is more than 10000 periods");
    expect_fault(WS_TARGET_POOL, "{quantile: 120%}", 3105,
                 "`quantile` is a fraction between 0 and 1");
    expect_fault(WS_TARGET_POOL, "{per_replica: 0}", 3107, "`per_replica` is more than 0");
}

/* Only with both weights given; a warning stops nobody. */
Test(predictive, warns_of_a_season_that_overshoots)
{
    ws_policy_bench bench;

    cr_expect(ws_policy_bench_open(&bench, "predictive", WS_TARGET_POOL,
                                   "{form: fpp, alpha: 0.5, gamma: 0.6}"));
    cr_expect(eq(sz, bench.diag.count, 1));
    cr_expect(eq(int, bench.diag.entries[0].code, 4418));
    cr_expect(eq(int, bench.diag.entries[0].severity, WS_SEVERITY_WARNING));
    ws_policy_bench_close(&bench);
    cr_expect(ws_policy_bench_open(&bench, "predictive", WS_TARGET_POOL,
                                   "{form: r, alpha: 0.5, gamma: 0.6}"));
    cr_expect(eq(sz, bench.diag.count, 0));
    ws_policy_bench_close(&bench);
}

Test(predictive, shows_where_a_season_does_not_fit)
{
    ws_policy_bench bench;

    cr_expect(
        not(ws_policy_bench_open(&bench, "predictive", WS_TARGET_POOL, "{season: 24h, step: 7m}")));
    cr_expect(eq(str, (char *)ws_policy_bench_complaint(&bench),
                 "error[WS4411]: `season` is not a whole number of steps\n"
                 " --> scenario.yaml:1:10\n"
                 "  |\n"
                 "1 | {season: 24h, step: 7m}\n"
                 "  |          ^^^ 23h55m is 205 steps\n"
                 "  |                     -- a step\n"));
    ws_policy_bench_close(&bench);
}
