/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The making of runs: failures, interruption, threads, what is recorded; and places in the Pareto
 * set. */
#include "line_world.h"

#include "ws/report_files.h"

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
