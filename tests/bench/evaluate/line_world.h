/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Comparisons that can be worked out by hand: fleets whose size is a simple function of the
 * replication, without any job. A node costs $3.6/h and the horizon is 1000 s, so that a node costs
 * exactly $1 in a run.
 */
#ifndef WS_TESTS_LINE_WORLD_H
#define WS_TESTS_LINE_WORLD_H

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include <string.h>

#include "worlds/small_world.h"
#include "ws/evaluate.h"

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

static inline bool line_init(void *state, const void *parameters, const ws_policy_site *site,
                             ws_arena *arena)
{
    line_state *self = state;

    (void)parameters;
    (void)arena;
    self->replication = site->replication;
    return true;
}

static inline void line_decide(void *state, const void *parameters, const ws_view *view,
                               ws_plan *plan)
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

static inline void world_init(world *self, int64_t replications)
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

static inline void world_add_arm(world *self, ws_text name, int64_t base, int64_t slope)
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

static inline bool world_try(world *self, size_t threads)
{
    self->loaded.scenario = self->small.scenario;
    ws_evaluation_options options = {.threads = threads, .check = true};

    return ws_evaluation_init(&self->evaluation, &self->loaded, &options, &self->arena,
                              &self->diag);
}

static inline void world_evaluate(world *self)
{
    bool made = world_try(self, 2);
    cr_assert(made);
}

static inline void world_fini(world *self)
{
    ws_evaluation_fini(&self->evaluation);
    ws_arena_reset(&self->arena);
}

static inline const ws_comparison_record *world_comparison(const world *self, size_t index)
{
    cr_assert(index < self->evaluation.comparison_count);
    return &self->evaluation.comparisons[index];
}

static inline void expect_verdict(const ws_comparison_record *record, const char *verdict)
{
    cr_expect(ws_text_is(record->verdict, verdict), "verdict is %.*s, not %s",
              WS_TEXT_ARGS(record->verdict), verdict);
}

#endif
