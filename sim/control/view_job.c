/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is known of a job beforehand: its stages, its rates at other sizes, what a restart costs. */
#include "control_private.h"

static size_t view_job_id(const ws_view *view, size_t index)
{
    WS_ASSERT(index < view->control->active_count);
    return view->control->active[index];
}

ws_view_stage ws_view_job_stage_at(const ws_view *view, size_t index, int32_t stage)
{
    const ws_jobs *jobs = view->control->jobs;
    size_t job = view_job_id(view, index);
    const ws_job_spec *spec = ws_jobs_spec(jobs, job);
    size_t now = ws_jobs_stage(jobs, job);
    WS_ASSERT(stage >= 0 && (size_t)stage < spec->stage_count);
    size_t at = (size_t)stage;
    double work = spec->stages[at].work;

    return (ws_view_stage){
        .work = work,
        .done = at == now ? ws_jobs_stage_done(jobs, job) : (at < now ? work : 0),
        .replicas_min = ws_job_replicas_min(spec, at),
        .replicas_max = ws_job_replicas_max(spec, at),
    };
}

double ws_view_job_rate_at(const ws_view *view, size_t index, int32_t stage, int32_t replicas)
{
    WS_ASSERT(stage >= 0);
    WS_ASSERT(replicas >= 1);
    return ws_jobs_pace_at(view->control->jobs, view_job_id(view, index), (size_t)stage, replicas)
        .work_per_s;
}

int32_t ws_view_job_legal_at_most(const ws_view *view, size_t index, int32_t stage, int32_t at_most)
{
    const ws_job_spec *spec = ws_jobs_spec(view->control->jobs, view_job_id(view, index));

    WS_ASSERT(stage >= 0);
    return ws_job_legal_at_most(spec, (size_t)stage, at_most);
}

double ws_view_job_restart_s(const ws_view *view, size_t index)
{
    WS_ASSERT(index < ws_view_job_count(view));
    return ws_jobs_start_mean_s(view->control->jobs, view_job_id(view, index), true);
}

ws_duration ws_view_job_unsaved_age(const ws_view *view, size_t index)
{
    WS_ASSERT(index < ws_view_job_count(view));

    const ws_jobs *jobs = view->control->jobs;
    size_t job = view_job_id(view, index);
    const ws_job_kind *kind = ws_jobs_spec(jobs, job)->kind;

    if (kind->has_checkpoint && kind->checkpoint.before_resize) {
        return (ws_duration){.ns = 0};
    }
    return ws_time_since(ws_view_now(view), ws_jobs_saved_at(jobs, job));
}

bool ws_view_job_accepts(const ws_view *view, size_t index, size_t pool)
{
    WS_ASSERT(index < ws_view_job_count(view));
    WS_ASSERT(pool < ws_view_pool_count(view));

    const ws_job_kind *kind = ws_jobs_spec(view->control->jobs, view_job_id(view, index))->kind;
    return ((kind->pools >> pool) & 1) != 0;
}

ws_price ws_view_job_gpu_price(const ws_view *view, size_t index)
{
    WS_ASSERT(index < ws_view_job_count(view));

    const ws_fleet *fleet = view->control->fleet;
    ws_price cheapest = {.nano_per_h = INT64_MAX};

    for (size_t pool = 0; pool < ws_fleet_pool_count(fleet); pool++) {
        const ws_pool_spec *spec = ws_fleet_pool(fleet, pool);
        int64_t price = ws_fleet_node_price(fleet, pool).nano_per_h / spec->gpus_per_node;
        if (ws_view_job_accepts(view, index, pool) && price < cheapest.nano_per_h) {
            cheapest.nano_per_h = price;
        }
    }
    return cheapest;
}
