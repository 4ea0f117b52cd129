/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "worlds/small_world.h"

#include <criterion/criterion.h>

#include <stdio.h>
#include <string.h>

static void small_decide(void *state, const void *parameters, const ws_view *view, ws_plan *plan)
{
    const small_order *order = parameters;
    ws_time now = ws_view_now(view);

    (void)state;
    if (now.ns < order->at.ns) {
        ws_plan_call_back(plan, order->at);
    } else if (now.ns == order->at.ns) {
        ws_plan_reason(plan, "as ordered");
        ws_plan_set_target(plan, order->replicas);
    }
}

static const ws_parameter_table small_table = {.noun = "order", .bytes = sizeof(small_order)};

const ws_policy_type small_policy = {
    .name = "order",
    .summary = "wants a number of replicas at a time",
    .parameters = &small_table,
    .wakes = WS_WAKE_START,
    .target_kinds = 7,
    .decide = small_decide,
};

void small_world_init(small_world *world, int32_t nodes, double work)
{
    ws_distribution zero = ws_distribution_constant(0);

    memset(world, 0, sizeof *world);
    world->pool = (ws_pool_spec){.name = WS_TEXT("pool"),
                                 .gpu_type = WS_TEXT("GPU"),
                                 .gpus_per_node = 1,
                                 .nodes_initial = nodes,
                                 .nodes_max = nodes,
                                 .node_price = {.nano_per_h = INT64_C(3600000000)},
                                 .billing_increment = {.ns = 1},
                                 .start = {.retry = {.ns = WS_NS_PER_MIN}},
                                 .failures = {.time_to_failure = zero, .repair = zero}};
    world->speed = 1;
    world->amdahl = (ws_amdahl){.parallel_fraction = 1, .recorded_replicas = 1};
    world->stage.spec = (ws_stage_spec){.name = WS_TEXT("stage"),
                                        .work = work,
                                        .step = {&ws_step_amdahl, &world->amdahl},
                                        .replicas_min = 1,
                                        .replicas_max = WS_REPLICAS_MAX};
    world->job = (ws_job_template){
        .kind = {.name = WS_TEXT("job"),
                 .entity = ws_text_hash(WS_TEXT("job")),
                 .gpus_per_replica = 1,
                 .pool_speed = &world->speed,
                 .pools = 1,
                 .elasticity = &ws_elasticity_restart,
                 .main_job = true},
        .arrivals = {.kind = WS_ARRIVALS_AT, .count = 1, .daily_ratio = 1},
        .replicas_initial = 1,
        .replicas_min = 1,
        .replicas_max = nodes,
        .replicas_step = 1,
        .stages = &world->stage,
        .stage_count = 1,
    };
    world->scenario = (ws_scenario){
        .name = WS_TEXT("small"),
        .seed = 1,
        .replications = 1,
        .horizon = {.ns = 1000 * WS_NS_PER_S},
        .pools = &world->pool,
        .pool_count = 1,
        .arbiter = &ws_arbiter_fifo,
        .regrow = {.ns = 10 * WS_NS_PER_MIN},
        .monitoring = {.scrape = {.ns = WS_NS_PER_S}, .window = {.ns = WS_NS_PER_S}},
        .workload = {.templates = &world->job, .template_count = 1},
    };
    world->arm =
        (ws_arm){.name = WS_TEXT("arm"), .type = WS_TEXT("none"), .scenario = &world->scenario};
    world->options = (ws_run_options){.with_jobs = true, .check = true};
}

void small_world_order(small_world *world, const small_order *order, bool to_pool)
{
    world->controller = (ws_controller_spec){
        .type = &small_policy,
        .parameters = order,
        .target = {.kind = to_pool ? WS_TARGET_POOL : WS_TARGET_JOB, .job = WS_TEXT("job")}};
    world->arm.controllers = &world->controller;
    world->arm.controller_count = 1;
}

ws_run_result small_world_run(small_world *world, ws_arena *keep)
{
    ws_arena scratch;
    ws_run_result result;
    ws_diag diag;

    ws_arena_init(keep, &ws_allocator_default, (size_t)1 << 28);
    ws_arena_init(&scratch, &ws_allocator_default, (size_t)1 << 28);
    ws_diag_init(&diag, keep);
    bool ran = ws_run(&result, &world->arm, &world->options, keep, &scratch, &diag);
    if (!ran) {
        ws_text text = ws_diagnostic_print(&diag.entries[0], false, keep);
        cr_assert(ran, "%.*s", WS_TEXT_ARGS(text));
    }
    ws_arena_reset(&scratch);
    return result;
}
