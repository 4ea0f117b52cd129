/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Controllers: when a policy is asked, and how its plan is clamped, applied and reported. */
#include "control_private.h"

bool ws_control_is_target(const ws_control *control, const control_controller *controller,
                          size_t job)
{
    WS_ASSERT(controller != NULL);
    WS_ASSERT(job < ws_jobs_count(control->jobs));

    const ws_job_kind *kind = ws_jobs_spec(control->jobs, job)->kind;

    switch (controller->spec.target.kind) {
    case WS_TARGET_POOL:
        return false;
    case WS_TARGET_JOB:
        return ws_text_equals(kind->name, controller->spec.target.job);
    case WS_TARGET_JOBS:
        return kind->elasticity->resize != WS_RESIZE_REFUSED;
    }
    return false;
}

/* ---- scheduling ---- */

static void controller_decide(void *context, uint64_t index);

/** Schedules the next time that the controller is asked: its period, its call-back, whichever is
 * first. */
static void controller_schedule(ws_control *control, control_controller *controller, ws_time when)
{
    ws_event event = {.action = controller_decide,
                      .context = control,
                      .argument = (uint64_t)(controller - control->controllers),
                      .phase = WS_PHASE_DECIDE};

    if (!ws_kernel_move(control->kernel, controller->decide, when)) {
        controller->decide = ws_kernel_at(control->kernel, when, &event);
    }
}

/* ---- applying ---- */

/** @param given  reasons that the plan had when the size was set */
static void controller_report(ws_control *control, const control_controller *controller,
                              size_t given, ws_decision decision)
{
    control->counts.clamps += decision.clamped ? 1 : 0;
    control->counts.scale_ups += decision.to > decision.from ? 1 : 0;
    control->counts.scale_downs += decision.to < decision.from ? 1 : 0;
    if (control->listener.decided == NULL || (decision.to == decision.from && !decision.clamped)) {
        return;
    }
    decision.at = ws_kernel_now(control->kernel);
    decision.controller = (size_t)(controller - control->controllers);
    decision.reason = ws_plan_reason_of(&controller->plan, given);
    control->listener.decided(control->listener.context, &decision);
}

static void controller_apply_pool(ws_control *control, const control_controller *controller,
                                  size_t pool, plan_pool planned)
{
    const ws_pool_spec *spec = ws_fleet_pool(control->fleet, pool);
    int32_t before = ws_fleet_pool_counts(control->fleet, pool).wanted;
    int32_t bounded = planned.nodes > spec->nodes_max ? spec->nodes_max : (int32_t)planned.nodes;
    int32_t after = bounded < spec->nodes_min ? spec->nodes_min : bounded;

    /* Told before the news of what it brings about. */
    controller_report(control, controller, planned.reason,
                      (ws_decision){.is_pool = true,
                                    .index = pool,
                                    .from = before,
                                    .asked = planned.nodes,
                                    .to = after,
                                    .clamped = after != planned.nodes});
    int32_t reached = ws_fleet_want(control->fleet, pool, after);
    WS_ASSERT(reached == after);
}

/** A legal size for what was asked: the largest one not above it, or the smallest there is. */
static int32_t controller_clamp_job(const ws_control *control, size_t job, int64_t asked)
{
    const ws_job_spec *spec = ws_jobs_spec(control->jobs, job);
    size_t stage = ws_jobs_stage(control->jobs, job);
    int32_t bounded = asked > WS_REPLICAS_MAX ? WS_REPLICAS_MAX : (int32_t)asked;
    int32_t size = ws_job_legal_at_most(spec, stage, bounded);

    return size > 0 ? size : ws_job_legal_at_least(spec, stage, 1);
}

static void controller_apply_job(ws_control *control, const control_controller *controller,
                                 plan_job asked)
{
    ws_job_state state = ws_jobs_state(control->jobs, asked.job);
    int32_t before = ws_jobs_wanted(control->jobs, asked.job);
    int32_t after = controller_clamp_job(control, asked.job, asked.replicas);

    if (state == WS_JOB_FUTURE || state == WS_JOB_DONE || after == 0) {
        control->counts.refusals++;
        return;
    }
    ws_jobs_want(control->jobs, asked.job, after);
    (void)ws_index_set_insert(&control->review, asked.job);
    ws_control_refresh(control, asked.job);
    ws_control_settle(control);
    controller_report(control, controller, asked.reason,
                      (ws_decision){.index = asked.job,
                                    .from = before,
                                    .asked = asked.replicas,
                                    .to = after,
                                    .clamped = after != asked.replicas});
}

static void controller_apply(void *context, uint64_t index)
{
    ws_control *control = context;
    control_controller *controller = &control->controllers[index];

    for (size_t pool = 0; pool < ws_fleet_pool_count(control->fleet); pool++) {
        if (controller->plan.pools[pool].nodes >= 0) {
            controller_apply_pool(control, controller, pool, controller->plan.pools[pool]);
        }
    }
    for (size_t i = 0; i < controller->plan.job_count; i++) {
        controller_apply_job(control, controller, controller->plan.jobs[i]);
    }
    if (controller->pending_wakes != 0) {
        controller_schedule(control, controller, ws_kernel_now(control->kernel));
    }
}

/* ---- asking ---- */

/** True when the plan names anything that is not so already: evaluations that change nothing are
 * only counted. */
static bool controller_plan_changes(const ws_control *control, const control_controller *controller)
{
    const ws_plan *plan = &controller->plan;

    for (size_t pool = 0; pool < ws_fleet_pool_count(control->fleet); pool++) {
        int64_t nodes = plan->pools[pool].nodes;
        if (nodes >= 0 && nodes != ws_fleet_pool_counts(control->fleet, pool).wanted) {
            return true;
        }
    }
    for (size_t i = 0; i < plan->job_count; i++) {
        if (plan->jobs[i].replicas != ws_jobs_wanted(control->jobs, plan->jobs[i].job)) {
            return true;
        }
    }
    return false;
}

/** The next multiple of the period after now. */
static ws_time controller_next_period(const ws_control *control,
                                      const control_controller *controller)
{
    ws_time now = ws_kernel_now(control->kernel);

    if (controller->period.ns == 0) {
        return WS_TIME_NEVER;
    }
    int64_t rest = now.ns % controller->period.ns;
    return ws_time_add(now, (ws_duration){.ns = controller->period.ns - rest});
}

static uint32_t controller_take_wakes(const ws_control *control, control_controller *controller)
{
    ws_time now = ws_kernel_now(control->kernel);
    uint32_t wakes = controller->pending_wakes;

    if (controller->period.ns != 0 && now.ns % controller->period.ns == 0 &&
        controller->asked.ns != now.ns) {
        wakes |= WS_WAKE_PERIOD;
    }
    if (controller->plan.call_back.ns == now.ns) {
        wakes |= WS_WAKE_CALLBACK;
    }
    controller->pending_wakes = 0;
    controller->asked = now;
    return wakes;
}

static void controller_decide(void *context, uint64_t index)
{
    ws_control *control = context;
    control_controller *controller = &control->controllers[index];
    ws_event apply = {
        .action = controller_apply, .context = control, .argument = index, .phase = WS_PHASE_APPLY};
    uint32_t wakes = controller_take_wakes(control, controller);
    ws_time now = ws_kernel_now(control->kernel);
    ws_time call_back = controller->plan.call_back;

    ws_plan_clear(&controller->plan, ws_fleet_pool_count(control->fleet));
    control->view.control = control;
    control->view.controller = controller;
    control->view.wakes = wakes;
    control->counts.evaluations++;
    controller->spec.type->decide(controller->state, controller->spec.parameters, &control->view,
                                  &controller->plan);
    if (controller->plan.call_back.ns <= now.ns) {
        controller->plan.call_back = WS_TIME_NEVER; /* it must lie ahead */
    }
    if (controller->plan.call_back.ns == WS_TIME_NEVER.ns && call_back.ns > now.ns) {
        controller->plan.call_back = call_back; /* woken early by something else */
    }
    if (controller_plan_changes(control, controller)) {
        controller->apply = ws_kernel_at(control->kernel, now, &apply);
    }
    controller_schedule(
        control, controller,
        ws_time_min(controller_next_period(control, controller), controller->plan.call_back));
}

/* Wakes a controller for those reasons of `wakes` that its policy asked for. A plan is not
 * overtaken: while one waits to take effect, the policy is asked when it has. */
static void controller_wake(ws_control *control, control_controller *controller, uint32_t wakes)
{
    controller->pending_wakes |= wakes & controller->spec.type->wakes;
    if (!ws_kernel_is_pending(control->kernel, controller->apply)) {
        controller_schedule(control, controller, ws_kernel_now(control->kernel));
    }
}

void ws_control_wake(ws_control *control, uint32_t wakes)
{
    WS_ASSERT(control != NULL);
    for (size_t i = 0; i < control->options.controller_count; i++) {
        control_controller *controller = &control->controllers[i];

        if ((controller->spec.type->wakes & wakes) != 0) {
            controller_wake(control, controller, wakes);
        }
    }
}

/* ---- creation ---- */

static ws_policy_site controller_site(const ws_control *control, const ws_controller_spec *spec)
{
    ws_policy_site site = {.target = spec->target,
                           .has_objective = control->options.has_objective,
                           .objective_job = control->options.objective_job,
                           .value_of_time = control->options.value_of_time,
                           .deadline = control->options.deadline,
                           .seed = control->options.seed,
                           .replication = control->options.replication};

    if (spec->target.kind == WS_TARGET_POOL) {
        const ws_pool_spec *pool = ws_fleet_pool(control->fleet, spec->target.pool);
        site.price_per_node_h = pool->node_price;
        site.replicas_min = pool->nodes_min;
        site.replicas_max = pool->nodes_max;
    }
    return site;
}

static bool controller_init(ws_control *control, size_t index, ws_arena *arena)
{
    control_controller *controller = &control->controllers[index];
    const ws_controller_spec *spec = &control->options.controllers[index];
    const ws_policy_type *type = spec->type;
    ws_policy_site site = controller_site(control, spec);

    controller->spec = *spec;
    controller->state = ws_arena_alloc_bytes(arena, 1, type->state_bytes + 1);
    controller->plan.control = control;
    controller->plan.controller = index;
    controller->asked = WS_TIME_NEVER;
    if (controller->state == NULL ||
        !ws_plan_init(&controller->plan, ws_fleet_pool_count(control->fleet),
                      ws_jobs_count(control->jobs), arena)) {
        return false;
    }
    if (type->subscribe != NULL) {
        type->subscribe(spec->parameters, &controller->subscriptions);
    }
    for (size_t i = 0; i < controller->subscriptions.count; i++) {
        controller->metrics[i] = ws_metric_find(controller->subscriptions.queries[i].metric);
        WS_ASSERT(controller->metrics[i] != WS_METRIC_COUNT); /* the loader has checked */
    }
    controller->period =
        type->period != NULL ? type->period(spec->parameters) : (ws_duration){.ns = 0};
    return type->init == NULL || type->init(controller->state, spec->parameters, &site, arena);
}

/** Most pods that a target can have: nodes of the largest pool, or replicas of all jobs that may be
 * active. */
static size_t controller_pod_capacity(const ws_control *control)
{
    int64_t most = 0;

    for (size_t pool = 0; pool < ws_fleet_pool_count(control->fleet); pool++) {
        const ws_pool_spec *spec = ws_fleet_pool(control->fleet, pool);
        most += spec->nodes_max;
    }
    for (size_t job = 0; job < ws_jobs_count(control->jobs); job++) {
        most += ws_jobs_spec(control->jobs, job)->replicas_max;
        if (most > WS_PODS_MAX) {
            return WS_PODS_MAX;
        }
    }
    return (size_t)most;
}

bool ws_control_init_controllers(ws_control *control, ws_arena *arena)
{
    size_t count = control->options.controller_count;
    bool looks = false;

    control->controllers = ws_arena_alloc(arena, control_controller, count + 1);
    if (control->controllers == NULL) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        if (!controller_init(control, i, arena)) {
            return false;
        }
        looks = looks || control->controllers[i].subscriptions.count > 0;
    }
    if (looks) {
        control->view.pod_capacity = controller_pod_capacity(control);
        control->view.sample_capacity = control->view.pod_capacity + 1;
        control->view.pods = ws_arena_alloc(arena, ws_pod, control->view.pod_capacity + 1);
        control->view.samples = ws_arena_alloc(arena, ws_sample, control->view.sample_capacity);
    }
    return !looks || (control->view.pods != NULL && control->view.samples != NULL);
}

void ws_control_begin(ws_control *control)
{
    WS_ASSERT(control != NULL);

    ws_time start = ws_kernel_now(control->kernel);

    for (size_t i = 0; i < control->options.controller_count; i++) {
        control_controller *controller = &control->controllers[i];
        controller->pending_wakes |= controller->spec.type->wakes & WS_WAKE_START;
        if (controller->pending_wakes != 0 || controller->period.ns != 0) {
            controller_schedule(control, controller, start);
        }
    }
}
