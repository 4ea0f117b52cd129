/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a policy writes down: collected here, clamped and applied by the controller. */
#include <stdarg.h>
#include <stdio.h>

#include "control_private.h"

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
    plan->pool_nodes[pool] = nodes;
}

void ws_plan_set_replicas(ws_plan *plan, size_t job_id, int64_t replicas)
{
    if (replicas < 0 || job_id >= ws_jobs_count(plan->control->jobs)) {
        plan->control->counts.refusals++;
        return;
    }
    for (size_t i = 0; i < plan->job_count; i++) {
        if (plan->jobs[i].job == job_id) {
            plan->jobs[i].replicas = replicas;
            return;
        }
    }
    plan->jobs[plan->job_count++] = (plan_job){.job = job_id, .replicas = replicas};
}

void ws_plan_set_target(ws_plan *plan, int64_t replicas)
{
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
    plan->call_back = when;
}

void ws_plan_reason(ws_plan *plan, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    (void)vsnprintf(plan->reason, sizeof plan->reason, format, arguments);
    va_end(arguments);
}

void ws_plan_explain(ws_plan *plan, const char *format, ...)
{
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
