/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What an answer says of jobs that share links, on records made by hand. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "../../../bench/evaluate/compare.h"
#include "support/support.h"

#define RUNS 3

typedef struct {
    ws_arena arena;
    ws_diag diag;
    ws_arm arm;
    ws_evaluation_run runs[RUNS];
    ws_evaluation_arm arms[1];
    ws_evaluation evaluation;
} paces;

static ws_evaluation_run run_of(int64_t replication, double duty, double collide, int64_t unsettled)
{
    return (ws_evaluation_run){.state = WS_RUN_DONE,
                               .result.run = {.replication = replication,
                                              .pace_duty_ratio = duty,
                                              .pace_collide_ratio = collide,
                                              .pace_differ_job = WS_TEXT("pre-train"),
                                              .pace_differ_at_s = 120,
                                              .pace_unsettled = unsettled}};
}

static void open_paces(paces *self)
{
    ws_arena_init(&self->arena, &ws_allocator_default, (size_t)1 << 20);
    ws_diag_init(&self->diag, &self->arena);
    self->arm = (ws_arm){.name = WS_TEXT("steady")};
    self->arms[0] = (ws_evaluation_arm){.arm = &self->arm, .runs = self->runs, .runs_done = RUNS};
    self->evaluation = (ws_evaluation){.replications = RUNS, .arm_count = 1, .arms = self->arms};
}

static void expect_message(const paces *self, size_t entry, int code, const char *message)
{
    cr_assert(lt(sz, entry, self->diag.count));
    cr_expect(eq(i32, self->diag.entries[entry].code, code));
    cr_expect(self->diag.entries[entry].severity == WS_SEVERITY_WARNING);
    cr_expect_str_eq(self->diag.entries[entry].message.start, message);
}

/* 3 / 2.5 is 1.2 and the most; 1.05 itself is no more than 5 %. */
Test(paces, the_run_in_which_the_two_ways_differ_most_is_named)
{
    paces self;

    open_paces(&self);
    self.runs[0] = run_of(0, 2, 2.2, 0);
    self.runs[1] = run_of(1, 2.5, 3, 0);
    self.runs[2] = run_of(2, 1, 1.05, 0);
    ws_compare_paces(&self.evaluation, &self.diag);
    cr_expect(eq(sz, self.diag.count, 1));
    expect_message(&self, 0, 8204,
                   "policy `steady`: a step takes 2.50 times as long as alone by `sharing: duty`, "
                   "3.00 times by `collide` (job `pre-train` at 120 s, replication 1)");
    ws_arena_reset(&self.arena);
}

Test(paces, within_five_per_cent_nothing_is_said)
{
    paces self;

    open_paces(&self);
    for (int64_t i = 0; i < RUNS; i++) {
        self.runs[i] = run_of(i, 1, 1.05, 0);
    }
    ws_compare_paces(&self.evaluation, &self.diag);
    cr_expect(eq(sz, self.diag.count, 0));
    ws_arena_reset(&self.arena);
}

/* A run that failed has no record; an arm that failed is told elsewhere. */
Test(paces, shares_without_a_fixed_point_are_counted_over_the_runs)
{
    paces self;

    open_paces(&self);
    self.runs[0] = run_of(0, 1, 1, 2);
    self.runs[1] = run_of(1, 1, 1, 3);
    self.runs[2] = run_of(2, 1, 9, 9);
    self.runs[2].state = WS_RUN_FAILED;
    ws_compare_paces(&self.evaluation, &self.diag);
    cr_expect(eq(sz, self.diag.count, 1));
    expect_message(&self, 0, 8205,
                   "policy `steady`: 5 times a job's share of the links and its steps came to no "
                   "fixed point");
    self.arms[0].failed = true;
    ws_compare_paces(&self.evaluation, &self.diag);
    cr_expect(eq(sz, self.diag.count, 1));
    ws_arena_reset(&self.arena);
}
