/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a policy writes down: collected here, clamped and applied by the controller. */
#include <stdarg.h>
#include <stdio.h>

#include "control_private.h"

bool ws_plan_init(ws_plan *plan, size_t pool_count, size_t job_count, ws_arena *arena)
{
    size_t sizes = pool_count + job_count;

    plan->jobs = ws_arena_alloc(arena, plan_job, job_count + 1);
    plan->reason_capacity = sizes < WS_PLAN_REASONS_MAX ? sizes : WS_PLAN_REASONS_MAX;
    plan->reasons = ws_arena_alloc(arena, plan_reason, plan->reason_capacity + 1);
    plan->call_back = WS_TIME_NEVER;
    return plan->jobs != NULL && plan->reasons != NULL;
}

void ws_plan_clear(ws_plan *plan, size_t pool_count)
{
    WS_ASSERT(pool_count <= WS_POOLS_MAX);
    for (size_t pool = 0; pool < pool_count; pool++) {
        plan->pools[pool].nodes = -1;
    }
    plan->job_count = 0;
    plan->reason_count = 0;
    plan->call_back = WS_TIME_NEVER;
}

ws_text ws_plan_reason_of(const ws_plan *plan, size_t given)
{
    size_t index = given > 0 ? given - 1 : 0; /* set before any: the first that came after */

    if (index >= plan->reason_count) {
        return WS_TEXT("no reason was given");
    }
    if (index >= plan->reason_capacity) {
        return WS_TEXT("more reasons were given than are kept");
    }
    return ws_text_of(plan->reasons[index].text);
}

size_t ws_subscribe(ws_subscriptions *subscriptions, const ws_query *query)
{
    WS_ASSERT(subscriptions->count < WS_QUERIES_MAX);
    subscriptions->queries[subscriptions->count] = *query;
    return subscriptions->count++;
}

void ws_plan_set_nodes(ws_plan *plan, size_t pool, int64_t nodes)
{
    WS_ASSERT(pool < ws_fleet_pool_count(plan->control->fleet));
    if (nodes < 0) {
        plan->control->counts.refusals++;
        return;
    }
    plan->pools[pool] = (plan_pool){.nodes = nodes, .reason = plan->reason_count};
}

void ws_plan_set_replicas(ws_plan *plan, size_t job_id, int64_t replicas)
{
    WS_ASSERT(plan != NULL);
    if (replicas < 0 || job_id >= ws_jobs_count(plan->control->jobs)) {
        plan->control->counts.refusals++;
        return;
    }
    for (size_t i = 0; i < plan->job_count; i++) {
        if (plan->jobs[i].job == job_id) {
            plan->jobs[i].replicas = replicas;
            plan->jobs[i].reason = plan->reason_count;
            return;
        }
    }
    plan->jobs[plan->job_count++] =
        (plan_job){.job = job_id, .replicas = replicas, .reason = plan->reason_count};
}

void ws_plan_set_target(ws_plan *plan, int64_t replicas)
{
    WS_ASSERT(plan != NULL);

    ws_control *control = plan->control;
    const control_controller *controller = &control->controllers[plan->controller];

    if (controller->spec.target.kind == WS_TARGET_POOL) {
        ws_plan_set_nodes(plan, controller->spec.target.pool, replicas);
        return;
    }
    for (size_t i = 0; i < control->active_count; i++) {
        if (ws_control_is_target(control, controller, control->active[i])) {
            ws_plan_set_replicas(plan, control->active[i], replicas);
        }
    }
}

void ws_plan_call_back(ws_plan *plan, ws_time when)
{
    WS_ASSERT(plan != NULL);
    plan->call_back = when;
}

void ws_plan_reason(ws_plan *plan, const char *format, ...)
{
    WS_ASSERT(plan != NULL);
    WS_ASSERT(format != NULL);

    va_list arguments;

    if (plan->reason_count < plan->reason_capacity) {
        plan_reason *reason = &plan->reasons[plan->reason_count];

        va_start(arguments, format);
        (void)vsnprintf(reason->text, sizeof reason->text, format, arguments);
        va_end(arguments);
    }
    plan->reason_count++;
}

void ws_plan_explain(ws_plan *plan, const char *format, ...)
{
    WS_ASSERT(plan != NULL);
    WS_ASSERT(format != NULL);

    const ws_control_listener *listener = &plan->control->listener;
    char step[WS_REASON_BYTES];
    va_list arguments;

    if (listener->explained == NULL) {
        return;
    }
    va_start(arguments, format);
    (void)vsnprintf(step, sizeof step, format, arguments);
    va_end(arguments);
    listener->explained(listener->context, plan->controller, ws_text_of(step));
}
