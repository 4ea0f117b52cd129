/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Means, paired differences, verdicts and thresholds, each with its numbers by hand. */
#include "line_world.h"

#include <math.h>

/* ---- means ---- */

/*
 * 1 + r nodes in replication r: $1..$5. Mean 3, standard deviation sqrt(10 / 4), and the 97.5 %
 * point of Student's t with 4 degrees is 2.7764 (Abramowitz and Stegun, table 26.10), so that the
 * half-width is 2.7764 * 1.58114 / 2.23607 = 1.96319.
 */
Test(evaluate, means_and_intervals_by_hand)
{
    world self;

    world_init(&self, 5);
    world_add_arm(&self, WS_TEXT("one"), 1, 1);
    world_evaluate(&self);
    const ws_metric_values *cost = ws_evaluation_metric(&self.evaluation, 0, WS_TEXT("cost_usd"));

    cr_assert(cost != NULL);
    cr_expect(eq(sz, cost->summary.n, 5));
    for (size_t i = 0; i < 5; i++) {
        cr_expect(eq(dbl, cost->values[i], 1.0 + (double)i));
    }
    cr_expect(eq(dbl, cost->summary.mean, 3));
    cr_expect(epsilon_eq(dbl, cost->summary.sd, 1.5811388, 1e-6));
    cr_expect(epsilon_eq(dbl, cost->summary.high - 3, 1.96319, 1e-4));
    cr_expect(epsilon_eq(dbl, 3 - cost->summary.low, 1.96319, 1e-4));
    cr_expect(eq(sz, self.evaluation.comparison_count, 0));
    cr_expect(self.evaluation.complete);
    cr_expect(self.evaluation.passed);
    cr_expect(not(self.evaluation.failed));
    cr_expect(eq(sz, self.evaluation.runs_done, 5));
    world_fini(&self);
}

/* ---- paired differences ---- */

/* Twice the fleet in every replication: the ratio is 2 without any width, though costs vary
 * five-fold. */
Test(evaluate, a_constant_ratio_has_no_width)
{
    world self;

    world_init(&self, 5);
    world_add_arm(&self, WS_TEXT("base"), 1, 1);
    world_add_arm(&self, WS_TEXT("double"), 2, 2);
    world_add_arm(&self, WS_TEXT("again"), 1, 1);
    world_evaluate(&self);
    const ws_comparison_record *twice = world_comparison(&self, 0);
    const ws_comparison_record *same = world_comparison(&self, 1);

    cr_expect(eq(i64, twice->n_pairs, 5));
    cr_expect(eq(dbl, twice->mean, 6));
    cr_expect(eq(dbl, twice->baseline_mean, 3));
    cr_expect(eq(dbl, twice->diff_mean, 3));
    cr_expect(ieee_ulp_eq(dbl, twice->ratio, 2, 4));
    cr_expect(ieee_ulp_eq(dbl, twice->ratio_ci_low, 2, 4));
    cr_expect(ieee_ulp_eq(dbl, twice->ratio_ci_high, 2, 4));
    cr_expect(eq(dbl, twice->p, 0));
    cr_expect(twice->resolved);
    expect_verdict(twice, "worse");
    /* The same policy under another name: exactly nothing. */
    cr_expect(same->identical);
    cr_expect(not(same->resolved));
    cr_expect(eq(dbl, same->diff_mean, 0));
    cr_expect(eq(dbl, same->diff_ci_low, 0));
    cr_expect(eq(dbl, same->diff_ci_high, 0));
    cr_expect(eq(dbl, same->ratio, 1));
    cr_expect(eq(dbl, same->p, 1));
    expect_verdict(same, "identical");
    world_fini(&self);
}

/*
 * 6 nodes against 1 + r, r = 0..4: differences 5, 4, 3, 2, 1. Their mean is 3, their standard
 * deviation 1.58114. With two arms against the baseline each interval is at 97.5 %: t with 4
 * degrees at 98.75 % is 3.4954, half-width 3.4954 * 1.58114 / 2.23607 = 2.47161. (The quantile was
 * taken from R 4.2, qt(0.9875, 4) = 3.495406.)
 */
Test(evaluate, intervals_of_differences_are_adjusted)
{
    world self;

    world_init(&self, 5);
    world_add_arm(&self, WS_TEXT("base"), 1, 1);
    world_add_arm(&self, WS_TEXT("six"), 6, 0);
    world_add_arm(&self, WS_TEXT("again"), 1, 1);
    world_evaluate(&self);
    const ws_comparison_record *six = world_comparison(&self, 0);

    cr_expect(eq(i64, six->comparisons, 2));
    cr_expect(eq(dbl, six->diff_mean, 3));
    cr_expect(epsilon_eq(dbl, six->diff_ci_high, 5.47161, 1e-4));
    cr_expect(epsilon_eq(dbl, six->diff_ci_low, 0.52839, 1e-4));
    cr_expect(eq(dbl, six->confidence, 0.95));
    /* The arm's own mean does not vary: its interval has no width. */
    cr_expect(eq(dbl, six->ci_low, 6));
    cr_expect(eq(dbl, six->ci_high, 6));
    cr_expect(eq(dbl, six->correlation, 0));
    world_fini(&self);
}

/* Fewer nodes are better, for what they cost. The baseline need not be the first arm. */
Test(evaluate, lower_cost_is_better)
{
    world self;

    world_init(&self, 5);
    world_add_arm(&self, WS_TEXT("small"), 1, 0);
    world_add_arm(&self, WS_TEXT("large"), 3, 0);
    self.loaded.baseline = 1;
    world_evaluate(&self);

    expect_verdict(world_comparison(&self, 0), "better");
    cr_expect(ws_text_is(world_comparison(&self, 0)->policy, "small"));
    cr_expect(ws_text_is(world_comparison(&self, 0)->baseline, "large"));
    world_fini(&self);
}

/* 2 + r against 5 - r over five replications: differences -3, -1, 1, 3, 5; t = 1 / (3.16228
 * / 2.23607) = 0.7071, far from shown. */
Test(evaluate, noise_is_no_difference)
{
    world self;

    world_init(&self, 5);
    world_add_arm(&self, WS_TEXT("falls"), 5, -1);
    world_add_arm(&self, WS_TEXT("rises"), 2, 1);
    world_evaluate(&self);
    const ws_comparison_record *record = world_comparison(&self, 0);

    cr_expect(eq(dbl, record->diff_mean, 1));
    cr_expect(not(record->resolved));
    cr_expect(ieee_ulp_eq(dbl, record->correlation, -1, 64));
    expect_verdict(record, "no difference shown");
    world_fini(&self);
}

/* Below five replications there are means, but no intervals and no verdict; equal is equal even so.
 */
Test(evaluate, few_replications_give_no_verdict)
{
    world self;

    world_init(&self, 4);
    world_add_arm(&self, WS_TEXT("base"), 1, 0);
    world_add_arm(&self, WS_TEXT("more"), 2, 0);
    world_add_arm(&self, WS_TEXT("again"), 1, 0);
    world_evaluate(&self);
    const ws_comparison_record *more = world_comparison(&self, 0);

    expect_verdict(more, "too few replications");
    cr_expect(ieee_ulp_eq(dbl, more->ratio, 2, 4));
    cr_expect(isnan(more->ratio_ci_low));
    cr_expect(isnan(more->diff_ci_high));
    cr_expect(isnan(more->ci_low));
    cr_expect(not(more->resolved));
    expect_verdict(world_comparison(&self, 1), "identical");
    world_fini(&self);
}

/* Without a job there is no completion time: no value, null in files, and a warning that says so.
 */
Test(evaluate, a_metric_without_values)
{
    world self;

    world_init(&self, 5);
    world_add_arm(&self, WS_TEXT("base"), 1, 0);
    world_add_arm(&self, WS_TEXT("more"), 2, 0);
    self.metrics[0] = WS_TEXT("jct_p95_s");
    world_evaluate(&self);
    const ws_comparison_record *record = world_comparison(&self, 0);

    expect_verdict(record, "no value");
    cr_expect(eq(i64, record->n_pairs, 0));
    cr_expect(isnan(record->mean));
    cr_expect(isnan(record->diff_mean));
    cr_expect(isnan(record->correlation));
    cr_expect(eq(dbl, record->p, 1));
    cr_expect(eq(sz, self.diag.warning_count, 2));
    cr_expect(eq(i32, self.diag.entries[0].code, 8202));
    world_fini(&self);
}

/*
 * A job of 100 s that waits for a node. The arm `late` has r nodes in replication r: none in the
 * first, where the job never ends. Pairs are the other four; both finish in 100 s there.
 */
Test(evaluate, pairs_with_a_missing_value_are_left_out)
{
    world self;

    world_init(&self, 5);
    self.small.scenario.workload = (ws_workload){.templates = &self.small.job, .template_count = 1};
    self.small.job.replicas_max = 1;
    world_add_arm(&self, WS_TEXT("base"), 1, 0);
    world_add_arm(&self, WS_TEXT("late"), 0, 1);
    self.metrics[0] = WS_TEXT("main_finish_s");
    world_evaluate(&self);
    const ws_metric_values *late =
        ws_evaluation_metric(&self.evaluation, 1, WS_TEXT("main_finish_s"));
    const ws_comparison_record *record = world_comparison(&self, 0);

    cr_expect(eq(sz, late->summary.n, 4));
    cr_expect(isnan(late->values[0]));
    cr_expect(eq(dbl, late->values[1], 100));
    cr_expect(eq(i64, record->n_pairs, 4));
    cr_expect(eq(dbl, record->diff_mean, 0));
    expect_verdict(record, "identical");
    cr_expect(eq(sz, self.diag.warning_count, 1));
    cr_expect(ws_text_is(self.diag.entries[0].message,
                         "policy `late` has no `main_finish_s` in 1 of 5 replications"));
    world_fini(&self);
}

/* One replication of ten makes the whole difference: 101 nodes more in the first, 1 more in the
 * others (over 5 times the median). */
Test(evaluate, rare_runs_are_pointed_at)
{
    world self;

    world_init(&self, 10);
    world_add_arm(&self, WS_TEXT("base"), 1, 0);
    world_add_arm(&self, WS_TEXT("spike"), 2, 0);
    world_add_arm(&self, WS_TEXT("slope"), 2, 1);
    self.lines[1].first = 100;
    world_evaluate(&self);

    /* Differences of `slope` are 1..10, the largest less than twice the median. */
    cr_assert(eq(sz, self.diag.warning_count, 1));
    cr_expect(eq(i32, self.diag.entries[0].code, 8201));
    cr_expect(ws_text_is(self.diag.entries[0].message,
                         "few of the replications make the difference of `spike` from `base` in "
                         "`cost_usd`"));
    world_fini(&self);
}

/* ---- thresholds ---- */

/* 6 against 3 on the mean of ratios: 6 / (1 + r) has the logarithmic mean 6 / 120^(1/5) = 2.3034;
 * the change is 1.3034. */
Test(evaluate, thresholds)
{
    world self;

    world_init(&self, 5);
    world_add_arm(&self, WS_TEXT("base"), 1, 1);
    world_add_arm(&self, WS_TEXT("six"), 6, 0);
    self.thresholds[0] = (ws_threshold){WS_TEXT("six"), WS_TEXT("cost_usd"), 1.31};
    self.thresholds[1] = (ws_threshold){WS_TEXT("six"), WS_TEXT("cost_usd"), 1.30};
    self.loaded.threshold_count = 2;
    world_evaluate(&self);

    cr_assert(eq(sz, self.evaluation.threshold_count, 2));
    cr_expect(epsilon_eq(dbl, self.evaluation.thresholds[0].observed, 1.3030, 1e-3));
    cr_expect(self.evaluation.thresholds[0].passed);
    cr_expect(not(self.evaluation.thresholds[1].passed));
    cr_expect(not(self.evaluation.passed));
    world_fini(&self);
}

/* A value that does not exist passes no limit; the baseline changes by nothing. */
Test(evaluate, thresholds_on_the_edge)
{
    world self;

    world_init(&self, 5);
    world_add_arm(&self, WS_TEXT("base"), 1, 1);
    self.thresholds[0] = (ws_threshold){WS_TEXT("base"), WS_TEXT("cost_usd"), 0};
    self.thresholds[1] = (ws_threshold){WS_TEXT("base"), WS_TEXT("jct_p95_s"), 10};
    self.loaded.threshold_count = 2;
    world_evaluate(&self);

    cr_expect(eq(dbl, self.evaluation.thresholds[0].observed, 0));
    cr_expect(self.evaluation.thresholds[0].passed);
    cr_expect(isnan(self.evaluation.thresholds[1].observed));
    cr_expect(not(self.evaluation.thresholds[1].passed));
    world_fini(&self);
}
