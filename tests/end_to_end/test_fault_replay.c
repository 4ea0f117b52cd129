/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Recorded faults of nodes, replayed by fault-replay.yaml: 66 nodes drawn from the 280 that the
 * file stands for, from day 60 of the recording on.
 *
 * Of its days 60 to 90 the file has 19.083 nodes down on average (the union of each node's faults,
 * summed by nodes_down.py), 6.815 % of 280. The share of a node is between 0 and 1, so
 * that its variance is at most p (1 - p), and the mean of 66 drawn without replacement strays by at
 * most sqrt(0.0635 / 66 x 214 / 279) = 2.7 % as its standard deviation.
 */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/support.h"
#include "ws/load.h"
#include "ws/run.h"

#define DOWN_FRACTION 0.06815
#define DOWN_STRAY (3 * 0.0272)

enum { RESERVE, SHRINK, FREQUENT, ARMS };

typedef struct {
    ws_arena arena;
    ws_diag diag;
    ws_loaded loaded;
} replay;

/* False when the data are absent. */
static bool replay_load(replay *self)
{
    char shared[2000];
    char path[4200];

    if (ws_test_shared("data/infinitehbd/fault_trace.nodes_a.json", shared, sizeof shared) ==
        NULL) {
        return false;
    }
    ws_arena_init(&self->arena, &ws_allocator_default, (size_t)1 << 29);
    ws_diag_init(&self->diag, &self->arena);
    ws_override file = {.text = ws_arena_format(
                            &self->arena, "cluster.pools[fleet].failures.recorded.file=%s", shared),
                        .label = WS_TEXT("<file>")};
    *strstr(shared, "/data/infinitehbd") = '\0';
    const char *root = shared;
    (void)snprintf(path, sizeof path, "%s/tests/end_to_end/fault-replay.yaml",
                   ws_test_source_folder());
    ws_load_options options = {.path = path,
                               .overrides = &file,
                               .override_count = 1,
                               .roots = {.roots = &root, .count = 1}};
    bool loaded = ws_scenario_load(&self->loaded, &options, &self->arena, &self->diag);
    cr_assert(loaded, "%s",
              self->diag.count > 0
                  ? ws_diagnostic_print(&self->diag.entries[0], false, &self->arena).start
                  : "");
    cr_assert(eq(sz, self->loaded.arm_count, ARMS));
    return true;
}

/* The ledger is checked on the way, or the run would fail. */
static ws_run_record replay_run(replay *self, size_t arm, uint64_t replication)
{
    ws_run_result result;
    const ws_run_options options = {.replication = replication, .check = true};

    cr_assert(ws_run(&result, &self->loaded.arms[arm], &options, &self->arena, &self->arena,
                     &self->diag));
    return result.run;
}

Test(fault_replay, the_same_machines_are_down_in_every_world)
{
    replay self;

    if (!replay_load(&self)) {
        cr_skip_test("the recording is absent");
    }
    ws_run_record reserve = replay_run(&self, RESERVE, 0);
    ws_run_record again = replay_run(&self, RESERVE, 1);
    ws_run_record frequent = replay_run(&self, FREQUENT, 0);
    double paid = ws_gpu_time_h(reserve.paid) / (66 * 8 * 30 * 24);

    cr_expect(lt(dbl, fabs(1 - DOWN_FRACTION - paid), DOWN_STRAY), "%.4f", paid);
    cr_expect(gt(i64, reserve.failures, 0));
    cr_expect(eq(i64, again.failures, reserve.failures));
    cr_expect(eq(i64, frequent.failures, reserve.failures));
    cr_expect(again.paid.gpu_ns == reserve.paid.gpu_ns);
    cr_expect(frequent.paid.gpu_ns == reserve.paid.gpu_ns);
    /* What is lost of a failure is half of an interval on average, what a write costs is not. */
    cr_expect(lt(dbl, ws_gpu_time_h(frequent.accounts.account[WS_ACCOUNT_LOST]),
                 ws_gpu_time_h(reserve.accounts.account[WS_ACCOUNT_LOST])));
    cr_expect(gt(dbl, ws_gpu_time_h(frequent.accounts.account[WS_ACCOUNT_CHECKPOINT]),
                 ws_gpu_time_h(reserve.accounts.account[WS_ACCOUNT_CHECKPOINT])));
    ws_arena_reset(&self.arena);
}

/* Four of 60 nodes are down on average, and a job of exactly 60 waits for the last of them. */
Test(fault_replay, a_job_that_shrinks_does_not_wait)
{
    replay self;

    if (!replay_load(&self)) {
        cr_skip_test("the recording is absent");
    }
    ws_run_record reserve = replay_run(&self, RESERVE, 0);
    ws_run_record shrink = replay_run(&self, SHRINK, 0);

    cr_expect(lt(dbl, ws_money_units(shrink.cost), ws_money_units(reserve.cost)));
    cr_expect(gt(dbl, shrink.goodput_fraction, reserve.goodput_fraction));
    cr_expect(gt(i64, shrink.resizes, 0));
    cr_expect(eq(i64, reserve.resizes, 0));
    ws_arena_reset(&self.arena);
}
