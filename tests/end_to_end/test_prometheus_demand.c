/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A Prometheus answer with the utilisation of five GPUs, replayed as demand by
 * prometheus-demand.yaml. Each series has a sample every 57 s from 1662858720 on, 240 of them:
 * 13680 s with the step of the last. All that arrives is the sum of the samples as they are written
 * in the file, in per cent, times 57 s.
 */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/support.h"
#include "ws/load.h"
#include "ws/run.h"

enum { FIXED, HPA, PREDICTIVE, ARMS };

typedef struct {
    ws_arena arena;
    ws_diag diag;
    ws_loaded loaded;
    double percent; /* sum of the samples */
    size_t samples;
} replay;

/* The samples as the file has them: `[1662858720.0,"17.2"]`. */
static void replay_sum(replay *self, const char *path)
{
    ws_text text = ws_test_load(path);

    cr_assert(text.start != NULL, "%s", path);
    for (const char *at = strstr(text.start, ",\""); at != NULL; at = strstr(at + 1, ",\"")) {
        char *end = NULL;
        double value = strtod(at + 2, &end);
        if (end != at + 2 && strncmp(end, "\"]", 2) == 0) {
            self->percent += value;
            self->samples++;
        }
    }
    free((void *)text.start);
}

/* False when the data are absent. */
static bool replay_load(replay *self)
{
    char shared[2000];
    char path[4200];

    if (ws_test_shared("data/prometheus/query_range.gpu_util.matrix.json", shared, sizeof shared) ==
        NULL) {
        return false;
    }
    memset(self, 0, sizeof *self);
    ws_arena_init(&self->arena, &ws_allocator_default, (size_t)1 << 29);
    ws_diag_init(&self->diag, &self->arena);
    replay_sum(self, shared);
    ws_override file = {.text = ws_arena_format(&self->arena, "workload.demand.file=%s", shared),
                        .label = WS_TEXT("<file>")};
    *strstr(shared, "/data/prometheus") = '\0';
    const char *root = shared;
    (void)snprintf(path, sizeof path, "%s/tests/end_to_end/prometheus-demand.yaml",
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

static ws_run_record replay_run(replay *self, size_t arm)
{
    ws_run_result result;

    cr_assert(ws_run(&result, &self->loaded.arms[arm], &(ws_run_options){.check = true},
                     &self->arena, &self->arena, &self->diag));
    return result.run;
}

Test(prometheus_demand, what_was_recorded_arrives)
{
    replay self;

    if (!replay_load(&self)) {
        cr_skip_test();
    }
    const ws_demand *demand = self.loaded.scenario.workload.templates[0].stages[0].spec.demand;

    cr_expect(eq(sz, self.samples, 5 * 240));
    cr_expect(eq(i64, demand->end.ns, 240 * 57 * WS_NS_PER_S));
    cr_expect(epsilon_eq(dbl, demand->total, self.percent / 100 * 57, 1e-6));
    ws_arena_reset(&self.arena);
}

/* Who has more GPUs than the recording kept busy serves all of it; fewer GPUs cost less and let
 * work wait. The ledger balances after every event, or the run would fail. */
Test(prometheus_demand, under_three_policies)
{
    replay self;

    if (!replay_load(&self)) {
        cr_skip_test();
    }
    ws_run_record fixed = replay_run(&self, FIXED);
    ws_run_record hpa = replay_run(&self, HPA);
    ws_run_record predictive = replay_run(&self, PREDICTIVE);
    const ws_run_record *all[] = {&fixed, &hpa, &predictive};

    for (size_t i = 0; i < ARMS; i++) {
        cr_expect(eq(dbl, all[i]->demand_served_fraction, 1)); /* by the horizon */
        cr_expect(eq(dbl, all[i]->backlog_end, 0));
        cr_expect(le(dbl, all[i]->lag_p95_s, all[i]->lag_p99_s));
        cr_expect(le(dbl, all[i]->lag_p99_s, all[i]->lag_max_s));
        /* A GPU does as much work in each arm: all of it once. */
        cr_expect(epsilon_eq(dbl, ws_gpu_time_h(all[i]->accounts.account[WS_ACCOUNT_USEFUL]),
                             all[i]->demand / 3600, 1e-3));
    }
    cr_expect(eq(dbl, fixed.lag_max_s, 0)); /* never more than five are busy */
    cr_expect(lt(dbl, ws_money_units(hpa.cost), 0.6 * ws_money_units(fixed.cost)));
    cr_expect(lt(dbl, ws_money_units(predictive.cost), 0.9 * ws_money_units(fixed.cost)));
    cr_expect(gt(dbl, hpa.lag_max_s, 0));
    cr_expect(gt(i64, hpa.resizes, 0));
    cr_expect(gt(i64, predictive.resizes, 0));
    ws_arena_reset(&self.arena);
}
