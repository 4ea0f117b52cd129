/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Comparisons that can be worked out by hand: fleets whose size is a simple function of the
 * replication, without any job. A node costs $3.6/h and the horizon is 1000 s, so that a node costs
 * exactly $1 in a run.
 */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include <math.h>
#include <string.h>

#include "worlds/small_world.h"
#include "ws/evaluate.h"
#include "ws/report_files.h"

#define WORLD_ARMS_MAX 4
#define WORLD_METRICS_MAX 4
#define NODES_MAX 200

/* ---- a policy: nodes = base + slope * replication ---- */

typedef struct {
    int64_t base;
    int64_t slope;
    int64_t first;     /* more in replication 0 */
    ws_duration again; /* asked anew after this time; 0: never */
} line_parameters;

typedef struct {
    uint64_t replication;
} line_state;

static bool line_init(void *state, const void *parameters, const ws_policy_site *site,
                      ws_arena *arena)
{
    line_state *self = state;

    (void)parameters;
    (void)arena;
    self->replication = site->replication;
    return true;
}

static void line_decide(void *state, const void *parameters, const ws_view *view, ws_plan *plan)
{
    const line_state *self = state;
    const line_parameters *line = parameters;

    int64_t nodes = line->base + line->slope * (int64_t)self->replication;
    ws_plan_set_target(plan, nodes + (self->replication == 0 ? line->first : 0));
    if (line->again.ns > 0) {
        ws_plan_call_back(plan, ws_time_add(ws_view_now(view), line->again));
    }
}

static const ws_parameter_table line_table = {.noun = "line", .bytes = sizeof(line_parameters)};

static const ws_policy_type line_policy = {
    .name = "line",
    .summary = "as many nodes as a line over the replications says",
    .parameters = &line_table,
    .state_bytes = sizeof(line_state),
    .deployable = true,
    .wakes = WS_WAKE_START,
    .target_kinds = 7,
    .init = line_init,
    .decide = line_decide,
};

/* ---- a scenario of such arms ---- */

typedef struct {
    small_world small;
    line_parameters lines[WORLD_ARMS_MAX];
    ws_controller_spec controllers[WORLD_ARMS_MAX];
    ws_arm arms[WORLD_ARMS_MAX];
    ws_text metrics[WORLD_METRICS_MAX];
    ws_threshold thresholds[2];
    ws_loaded loaded;
    ws_arena arena;
    ws_diag diag;
    ws_evaluation evaluation;
} world;

static void world_init(world *self, int64_t replications)
{
    memset(self, 0, sizeof *self);
    small_world_init(&self->small, NODES_MAX, 100);
    self->small.pool.nodes_initial = 0;
    self->small.scenario.workload = (ws_workload){.template_count = 0};
    self->small.scenario.replications = replications;
    self->metrics[0] = WS_TEXT("cost_usd");
    ws_arena_init(&self->arena, &ws_allocator_default, (size_t)1 << 28);
    ws_diag_init(&self->diag, &self->arena);
    self->loaded = (ws_loaded){.arms = self->arms,
                               .metrics = self->metrics,
                               .metric_count = 1,
                               .confidence = 0.95,
                               .thresholds = self->thresholds,
                               .timeline_step = {.ns = 100 * WS_NS_PER_S},
                               .resolved = ws_document_new_map(&self->arena)};
}

static void world_add_arm(world *self, ws_text name, int64_t base, int64_t slope)
{
    size_t i = self->loaded.arm_count++;

    self->lines[i] = (line_parameters){.base = base, .slope = slope};
    self->controllers[i] = (ws_controller_spec){
        .type = &line_policy, .parameters = &self->lines[i], .target = {.kind = WS_TARGET_POOL}};
    self->arms[i] = (ws_arm){.name = name,
                             .type = WS_TEXT("line"),
                             .scenario = &self->small.scenario,
                             .controllers = &self->controllers[i],
                             .controller_count = 1};
}

static bool world_try(world *self, size_t threads)
{
    self->loaded.scenario = self->small.scenario;
    ws_evaluation_options options = {.threads = threads, .check = true};

    return ws_evaluation_init(&self->evaluation, &self->loaded, &options, &self->arena,
                              &self->diag);
}

static void world_evaluate(world *self)
{
    bool made = world_try(self, 2);
    cr_assert(made);
}

static void world_fini(world *self)
{
    ws_evaluation_fini(&self->evaluation);
    ws_arena_reset(&self->arena);
}

static const ws_comparison_record *world_comparison(const world *self, size_t index)
{
    cr_assert(index < self->evaluation.comparison_count);
    return &self->evaluation.comparisons[index];
}

static void expect_verdict(const ws_comparison_record *record, const char *verdict)
{
    cr_expect(ws_text_is(record->verdict, verdict), "verdict is %.*s, not %s",
              WS_TEXT_ARGS(record->verdict), verdict);
}

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
    cr_expect(eq(i32, self.diag.entries[0].code, 4311));
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
    cr_expect(eq(i32, self.diag.entries[0].code, 4310));
    cr_expect(ws_text_is(self.diag.entries[0].message,
                         "the difference of `spike` from `base` in `cost_usd` is made by few of "
                         "the replications"));
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

/* ---- failure and interruption ---- */

/* An arm that asks to be woken every 100 ms for 1000 s has 10,000 events; the limit is 1000. The
 * other arm is not touched. */
Test(evaluate, a_failing_arm_fails_alone)
{
    world self;

    world_init(&self, 5);
    world_add_arm(&self, WS_TEXT("base"), 1, 1);
    world_add_arm(&self, WS_TEXT("restless"), 1, 1);
    self.lines[1].again = (ws_duration){.ns = WS_NS_PER_S / 10};
    self.loaded.scenario = self.small.scenario;
    ws_evaluation_options options = {.threads = 3, .events_max = 1000};
    bool made =
        ws_evaluation_init(&self.evaluation, &self.loaded, &options, &self.arena, &self.diag);

    cr_assert(made);
    cr_expect(self.evaluation.failed);
    cr_expect(not(self.evaluation.complete));
    cr_expect(not(self.evaluation.arms[0].failed));
    cr_expect(eq(sz, self.evaluation.arms[0].runs_done, 5));
    cr_expect(self.evaluation.arms[1].failed);
    cr_expect(eq(sz, self.evaluation.arms[1].runs_done, 0));
    cr_expect(eq(sz, self.evaluation.runs_done, 5));
    /* The first failure is told, and only that, however many threads had more. */
    cr_expect(eq(sz, self.diag.error_count, 1));
    cr_expect(eq(i32, self.diag.entries[0].code, 9023));
    expect_verdict(world_comparison(&self, 0), "no value");
    world_fini(&self);
}

typedef struct {
    int64_t last_done;
    int64_t total;
    int64_t stop_at;
    bool fell;
} watcher;

static bool watcher_look(void *context, int64_t done, int64_t total)
{
    watcher *self = context;

    self->fell = self->fell || done < self->last_done;
    self->last_done = done;
    self->total = total;
    return done < self->stop_at;
}

Test(evaluate, progress_is_told)
{
    world self;
    watcher seen = {.stop_at = INT64_MAX};

    world_init(&self, 7);
    world_add_arm(&self, WS_TEXT("base"), 1, 1);
    world_add_arm(&self, WS_TEXT("more"), 2, 1);
    self.loaded.scenario = self.small.scenario;
    ws_evaluation_options options = {.threads = 2, .watch = watcher_look, .watch_context = &seen};
    bool made =
        ws_evaluation_init(&self.evaluation, &self.loaded, &options, &self.arena, &self.diag);

    cr_assert(made);
    cr_expect(eq(i64, seen.last_done, 14));
    cr_expect(eq(i64, seen.total, 14));
    cr_expect(not(seen.fell));
    cr_expect(not(self.evaluation.stopped));
    world_fini(&self);
}

/* Stopped before anything has ended: at most the runs that were under way are there, and what is
 * there is sound. */
Test(evaluate, stopping_leaves_what_is_done)
{
    world self;
    watcher seen = {.stop_at = 0};

    world_init(&self, 2000);
    world_add_arm(&self, WS_TEXT("base"), 1, 0);
    world_add_arm(&self, WS_TEXT("more"), 2, 0);
    self.loaded.scenario = self.small.scenario;
    ws_evaluation_options options = {.threads = 2, .watch = watcher_look, .watch_context = &seen};
    bool made =
        ws_evaluation_init(&self.evaluation, &self.loaded, &options, &self.arena, &self.diag);

    cr_assert(made);
    cr_expect(self.evaluation.stopped);
    cr_expect(not(self.evaluation.complete));
    cr_expect(self.evaluation.runs_done < 4000);
    const ws_metric_values *cost = ws_evaluation_metric(&self.evaluation, 0, WS_TEXT("cost_usd"));
    cr_expect(eq(sz, cost->summary.n, self.evaluation.arms[0].runs_done));
    world_fini(&self);
}

/* ---- the Pareto set ---- */

/*
 * Of a single metric taken twice: `small` costs less in every replication, so it beats `large` in
 * every draw. `swings` costs $1..$9, against $5 of `even`: with 5 replications its mean over a draw
 * is above and below 5 about equally often, and equal (both are members then) in some.
 */
Test(evaluate, pareto_members)
{
    world self;
    double shares[2];
    ws_text cost = WS_TEXT("cost_usd");

    world_init(&self, 5);
    world_add_arm(&self, WS_TEXT("small"), 1, 1);
    world_add_arm(&self, WS_TEXT("large"), 2, 1);
    world_evaluate(&self);
    bool made = ws_evaluation_pareto(&self.evaluation, cost, cost, shares, &self.arena);
    cr_assert(made);
    cr_expect(epsilon_eq(dbl, shares[0], 1, 1e-9));
    cr_expect(eq(dbl, shares[1], 0));
    world_fini(&self);

    world_init(&self, 5);
    world_add_arm(&self, WS_TEXT("swings"), 1, 2);
    world_add_arm(&self, WS_TEXT("even"), 5, 0);
    world_evaluate(&self);
    made = ws_evaluation_pareto(&self.evaluation, cost, cost, shares, &self.arena);
    cr_assert(made);
    cr_expect(shares[0] > 0.4 && shares[0] < 0.7);
    cr_expect(shares[1] > 0.4 && shares[1] < 0.7);
    cr_expect(shares[0] + shares[1] > 1);
    world_fini(&self);
}

/* ---- threads ---- */

static ws_text world_summary(world *self)
{
    ws_writer *json = ws_arena_alloc(&self->arena, ws_writer, 1);
    ws_report_context context = {.version = "1.2.3", .diag = &self->diag};

    ws_writer_init_memory(json, &self->arena);
    bool written = ws_report_write_summary(&self->evaluation, &context, json, &self->arena);
    cr_assert(written);
    for (size_t arm = 0; arm < self->evaluation.arm_count; arm++) {
        for (size_t i = 0; i < self->evaluation.replications; i++) {
            const ws_run_result *result = &self->evaluation.arms[arm].runs[i].result;
            ws_columns_write(&ws_run_columns, &result->run, json);
            ws_event_list_write(&result->events, json);
        }
    }
    return ws_writer_text(json);
}

static void world_init_noisy(world *self)
{
    world_init(self, 9);
    self->small.pool.failures = (ws_node_failures){
        .present = true,
        .time_to_failure = {.family = WS_DISTRIBUTION_EXPONENTIAL, .a = 50},
        .repair = ws_distribution_constant(20),
    };
    world_add_arm(self, WS_TEXT("base"), 3, 1);
    world_add_arm(self, WS_TEXT("more"), 5, 2);
    world_add_arm(self, WS_TEXT("most"), 9, 1);
}

/* The bytes of the summary, of every run and of its events are the same for all. */
Test(evaluate, same_bytes_for_every_number_of_threads)
{
    static const size_t threads[] = {1, 2, 7};
    world selves[3];
    ws_text texts[3];

    for (size_t i = 0; i < 3; i++) {
        world_init_noisy(&selves[i]);
        selves[i].loaded.record_all = true;
        bool made = world_try(&selves[i], threads[i]);
        cr_assert(made);
        texts[i] = world_summary(&selves[i]);
        cr_assert(texts[i].length > 10000);
    }
    cr_expect(ws_text_equals(texts[0], texts[1]));
    cr_expect(ws_text_equals(texts[0], texts[2]));
    for (size_t i = 0; i < 3; i++) {
        world_fini(&selves[i]);
    }
}

/* Timelines and jobs are of replication 0 unless all are wanted: ten steps of 100 s. */
Test(evaluate, records_are_of_the_first_replication)
{
    world self;

    world_init(&self, 3);
    world_add_arm(&self, WS_TEXT("base"), 1, 1);
    world_evaluate(&self);
    cr_expect(eq(sz, self.evaluation.arms[0].runs[0].result.timeline_count, 10));
    cr_expect(eq(sz, self.evaluation.arms[0].runs[0].result.extremes_count, 10));
    cr_expect(gt(i64, self.evaluation.arms[0].runs[0].result.events.count, 0));
    cr_expect(eq(sz, self.evaluation.arms[0].runs[1].result.timeline_count, 0));
    cr_expect(eq(sz, self.evaluation.arms[0].runs[1].result.extremes_count, 0));
    cr_expect(eq(i64, self.evaluation.arms[0].runs[1].result.events.count, 0));
    world_fini(&self);

    world_init(&self, 3);
    world_add_arm(&self, WS_TEXT("base"), 1, 1);
    self.loaded.record_all = true;
    world_evaluate(&self);
    cr_expect(eq(sz, self.evaluation.arms[0].runs[2].result.timeline_count, 10));
    cr_expect(gt(i64, self.evaluation.arms[0].runs[2].result.events.count, 0));
    world_fini(&self);
}
