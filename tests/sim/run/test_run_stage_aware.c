/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The stage-aware policy on runs worked out by hand. A GPU costs $3.6/h = $0.001/s, an hour of the
 * job is worth $7.2 = $0.002/s. The curve does 1, 1.8, 2.8, 3.6 work/s on 1, 2, 4, 8 replicas, so
 * 1000 of work cost n = 1: 1000 s x 0.003 = 3.000     n = 4: 357.1 s x 0.006 = 2.143 n = 2: 555.6 s
 * x 0.004 = 2.222    n = 8: 277.8 s x 0.010 = 2.778 and between them 2.174 at 3 and 2.333 at 5: 4
 * is best.
 */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <inttypes.h>
#include <stdio.h>

#include "support/flow_document.h"
#include "worlds/small_world.h"
#include "ws/policies.h"

static const ws_curve_point points[] = {{1, 1}, {2, 1.8}, {4, 2.8}, {8, 3.6}};

typedef struct {
    small_world world;
    ws_arena arena;
    ws_curve curve;
    ws_stage_template stages[2];
} staged_world;

static void staged_init(staged_world *staged)
{
    small_world *world = &staged->world;
    const ws_policy_type *type = ws_policy_find(WS_TEXT("stage-aware"));

    ws_arena_init(&staged->arena, &ws_allocator_default, (size_t)1 << 24);
    cr_assert(type != NULL);
    void *parameters = ws_arena_alloc_bytes(&staged->arena, 1, type->parameters->bytes);
    cr_assert(ws_parameters_default(type->parameters, parameters, &staged->arena));
    small_world_init(world, 8, 1000);
    staged->curve = ws_curve_of(points, 4, 1, false);
    world->stage.spec.step = (ws_step){.type = &ws_step_curve, .parameters = &staged->curve};
    world->scenario.objective = (ws_objective){
        .given = true, .of = WS_TEXT("job"), .value_of_time = {.nano_per_h = 7200000000}};
    world->controller = (ws_controller_spec){
        .type = type, .parameters = parameters, .target = {.kind = WS_TARGET_JOBS}};
    world->arm.controllers = &world->controller;
    world->arm.controller_count = 1;
}

Test(stage_aware, starts_at_the_cheapest_size)
{
    staged_world staged;
    ws_arena keep;

    staged_init(&staged);
    ws_run_result result = small_world_run(&staged.world, &keep);

    cr_expect(eq(i64, result.jobs[0].gpus_peak, 4));
    cr_expect(epsilon_eq(dbl, result.jobs[0].end_s, 1000 / 2.8, 1e-8));
    /* A fleet of 8 GPUs for 1000 s at $0.001, and 357.142857 s at $0.002. */
    cr_expect(epsilon_eq(dbl, result.run.objective_usd, 8 + 1000 / 2.8 * 0.002, 1e-9));
    ws_arena_reset(&keep);
    ws_arena_reset(&staged.arena);
}

/* Two stages, the first limited to 2 replicas: 100 / 1.8 = 55.556 s. */
static double staged_end_s(double restart_s)
{
    staged_world staged;
    ws_arena keep;

    staged_init(&staged);
    staged.stages[0] = staged.world.stage;
    staged.stages[0].spec.work = 100;
    staged.stages[0].spec.replicas_max = 2;
    staged.stages[1] = staged.world.stage;
    staged.world.job.stages = staged.stages;
    staged.world.job.stage_count = 2;
    staged.world.job.replicas_initial = 2; /* where it begins, before anybody is asked */
    staged.world.job.kind.has_checkpoint = true;
    staged.world.job.kind.checkpoint = (ws_checkpoint_spec){.every = {.ns = 10000 * WS_NS_PER_S},
                                                            .read = ws_duration_of_s(restart_s)};
    double end_s = small_world_run(&staged.world, &keep).jobs[0].end_s;
    ws_arena_reset(&keep);
    ws_arena_reset(&staged.arena);
    return end_s;
}

/* Going from 2 to 4 saves 2.222 - 2.143 = $0.0794. A restart of 2 s costs 2 x 0.006 = $0.012: it
 * pays. */
Test(stage_aware, grows_at_a_boundary_when_it_pays)
{
    cr_expect(epsilon_eq(dbl, staged_end_s(2), 100 / 1.8 + 2 + 1000 / 2.8, 1e-6));
}

/* One of 20 s costs $0.12: it does not, and the job stays at 2. */
Test(stage_aware, stays_when_it_does_not_pay)
{
    cr_expect(epsilon_eq(dbl, staged_end_s(20), 100 / 1.8 + 1000 / 1.8, 1e-6));
}

/* Without an objective an hour is worth nothing: the fewest GPU-hours are best, which is one
 * replica. */
Test(stage_aware, saves_gpus_when_time_is_worth_nothing)
{
    staged_world staged;
    ws_arena keep;

    staged_init(&staged);
    staged.world.scenario.objective.given = false;
    staged.world.job.replicas_initial = 4;
    staged.world.scenario.horizon.ns = 2000 * WS_NS_PER_S;
    ws_run_result result = small_world_run(&staged.world, &keep);

    cr_expect(eq(i64, result.jobs[0].resizes, 1)); /* at once, from the 4 that it begins with */
    cr_expect(epsilon_eq(dbl, result.jobs[0].end_s, 1000, 1e-8));
    ws_arena_reset(&keep);
    ws_arena_reset(&staged.arena);
}

/* ---- nodes that follow ---- */

typedef struct {
    char text[1000];
    size_t length;
} decision_log;

static void keep_reason(void *context, const ws_decision *decision)
{
    decision_log *log = context;

    log->length +=
        (size_t)snprintf(log->text + log->length, sizeof log->text - log->length,
                         "%.1f %s %" PRId64 " to %d: %.*s\n", (double)decision->at.ns / WS_NS_PER_S,
                         decision->is_pool ? "nodes" : "replicas", decision->from, decision->to,
                         WS_TEXT_ARGS(decision->reason));
}

static void staged_follow(staged_world *staged)
{
    const ws_policy_type *type = staged->world.controller.type;
    void *parameters = ws_arena_alloc_bytes(&staged->arena, 1, type->parameters->bytes);
    const ws_source *source =
        ws_test_source("policy", ws_text_of("{nodes: follow}"), &staged->arena);
    ws_parameter_binding binding = {.table = type->parameters, .object = parameters};
    ws_diag diag;

    ws_diag_init(&diag, &staged->arena);
    cr_assert(ws_parameters_read(ws_test_flow(source, 0, &staged->arena), WS_TEXT("policy"),
                                 &binding, 1, &staged->arena, &diag));
    staged->world.controller.parameters = parameters;
}

/*
 * A first stage of 2 replicas is over after 100 / 1.8 = 55.6 s, within the 1.5 x 180 s for which
 * nodes are asked ahead where none has started yet: 2 more GPUs for the second stage, whose 4
 * replicas begin after a restart of 2 s and need 1000 / 2.8 = 357.1 s, until 414.7. From then on
 * the pool is too large, and is given back at the first minute that is 10 min later.
 */
Test(stage_aware, says_why_for_nodes_and_for_replicas)
{
    staged_world staged;
    ws_arena keep;
    decision_log log = {.length = 0};

    staged_init(&staged);
    staged_follow(&staged);
    staged.stages[0] = staged.world.stage;
    staged.stages[0].spec.work = 100;
    staged.stages[0].spec.replicas_max = 2;
    staged.stages[1] = staged.world.stage;
    staged.world.job.stages = staged.stages;
    staged.world.job.stage_count = 2;
    staged.world.job.replicas_initial = 2;
    staged.world.job.kind.has_checkpoint = true;
    staged.world.job.kind.checkpoint =
        (ws_checkpoint_spec){.every = {.ns = 10000 * WS_NS_PER_S}, .read = {.ns = 2 * WS_NS_PER_S}};
    staged.world.pool.nodes_initial = 2;
    staged.world.scenario.horizon.ns = 2000 * WS_NS_PER_S;
    staged.world.options.decided = keep_reason;
    staged.world.options.decided_context = &log;
    (void)small_world_run(&staged.world, &keep);
    cr_expect_str_eq(
        log.text,
        "0.0 nodes 2 to 4: jobs want 2 GPUs in all, and soon 2 more for another "
        "stage: 4 nodes of pool\n"
        "55.6 replicas 2 to 4: stage 2 of 2 of job costs least at 4 replicas, which do "
        "2.8 of its work a second; 2 do 1.8\n"
        "1020.0 nodes 4 to 0: jobs want 0 GPUs in all: 0 nodes of pool, which has "
        "been too large for 10 min\n",
        "%s", log.text);
    ws_arena_reset(&keep);
    ws_arena_reset(&staged.arena);
}
