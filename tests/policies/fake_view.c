/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "policies/fake_view.h"

#include <stdarg.h>
#include <stdio.h>

#include "ws/assert.h"

ws_time ws_view_now(const ws_view *view)
{
    return view->now;
}

uint32_t ws_view_wakes(const ws_view *view)
{
    return view->wakes;
}

size_t ws_view_pool_count(const ws_view *view)
{
    return view->pool_count;
}

ws_view_pool ws_view_pool_at(const ws_view *view, size_t index)
{
    WS_ASSERT(index < view->pool_count);
    return view->pools[index];
}

size_t ws_view_job_count(const ws_view *view)
{
    return view->job_count;
}

ws_view_job ws_view_job_at(const ws_view *view, size_t index)
{
    WS_ASSERT(index < view->job_count);
    return view->jobs[index];
}

int32_t ws_view_replicas_wanted(const ws_view *view)
{
    return view->wanted;
}

int32_t ws_view_replicas_existing(const ws_view *view)
{
    return view->existing;
}

bool ws_view_target_exists(const ws_view *view)
{
    return view->target_exists;
}

const ws_pod *ws_view_pods(const ws_view *view, size_t query, size_t *count)
{
    WS_ASSERT(query < WS_QUERIES_MAX);
    *count = view->queries[query].pod_count;
    return view->queries[query].pods;
}

const ws_sample *ws_view_samples(const ws_view *view, size_t query, size_t *count)
{
    WS_ASSERT(query < WS_QUERIES_MAX);
    *count = view->queries[query].sample_count;
    return view->queries[query].samples;
}

static void plan_note(ws_plan *plan, int64_t size)
{
    plan->smallest = plan->set_count == 0 || size < plan->smallest ? size : plan->smallest;
    plan->set_count++;
}

void ws_plan_set_nodes(ws_plan *plan, size_t pool, int64_t nodes)
{
    (void)pool;
    plan_note(plan, nodes);
}

void ws_plan_set_replicas(ws_plan *plan, size_t job_id, int64_t replicas)
{
    (void)job_id;
    plan_note(plan, replicas);
}

void ws_plan_set_target(ws_plan *plan, int64_t replicas)
{
    plan->has_target = true;
    plan->target = replicas;
    plan_note(plan, replicas);
}

void ws_plan_call_back(ws_plan *plan, ws_time when)
{
    plan->has_call_back = true;
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
    size_t room = sizeof plan->explanation - plan->explanation_length;
    va_list arguments;
    int added = 0;

    va_start(arguments, format);
    added = vsnprintf(plan->explanation + plan->explanation_length, room, format, arguments);
    va_end(arguments);
    WS_ASSERT(added >= 0);
    WS_ASSERT((size_t)added + 1 < room);
    plan->explanation_length += (size_t)added;
    plan->explanation[plan->explanation_length] = '\n';
    plan->explanation_length++;
    plan->explanation[plan->explanation_length] = '\0';
}

size_t ws_subscribe(ws_subscriptions *subscriptions, const ws_query *query)
{
    size_t index = subscriptions->count;

    WS_ASSERT(index < WS_QUERIES_MAX);
    subscriptions->queries[index] = *query;
    subscriptions->count++;
    return index;
}
