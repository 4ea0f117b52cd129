/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Jobs whose work arrives while they run. Such a job has one stage and no checkpoint: what is
 * served is served, so that a resize or a failure costs time, in which the backlog grows, and no
 * work. Its workers are busy with what there is to do and wait for the rest of the time, as for
 * input. Each step of the demand is an event, and so is the moment from which nothing waits;
 * between them all rates are constant.
 */
#include <math.h>

#include "jobs_private.h"

static const ws_demand *demand_of(const ws_jobs *jobs, size_t job)
{
    return jobs->options.jobs[job].stages[0].demand;
}

bool ws_jobs_demands_init(ws_jobs *jobs, ws_arena *arena)
{
    for (size_t job = 0; job < jobs->options.job_count; job++) {
        const ws_job_spec *spec = &jobs->options.jobs[job];
        ws_backlog *backlog = NULL;

        if (demand_of(jobs, job) == NULL) {
            continue;
        }
        WS_ASSERT(spec->stage_count == 1);
        WS_ASSERT(!spec->kind->has_checkpoint);
        backlog = ws_arena_alloc(arena, ws_backlog, 1);
        if (backlog == NULL) {
            return false;
        }
        *backlog = ws_backlog_of(demand_of(jobs, job), jobs->options.measured_from, arena);
        jobs->runs[job].backlog = backlog;
    }
    return true;
}

/** Work a second that the workers can do now. */
static double demand_capacity(const ws_job_run *run)
{
    return ws_job_run_is_stepping(run) ? run->capacity : 0;
}

void ws_jobs_demand_advance(ws_jobs *jobs, size_t job)
{
    ws_job_run *run = &jobs->runs[job];

    ws_backlog_advance(run->backlog, run->at, demand_capacity(run));
    run->done = ws_demand_arrived(demand_of(jobs, job), run->at) - run->backlog->waiting;
}

double ws_jobs_demand_busy(const ws_job_run *run, const ws_pace *full)
{
    WS_ASSERT(run->backlog != NULL);
    WS_ASSERT(full->work_per_s > 0);
    return ws_backlog_rate(run->backlog, full->work_per_s) / full->work_per_s;
}

ws_time ws_jobs_demand_pace(ws_jobs *jobs, size_t job)
{
    ws_job_run *run = &jobs->runs[job];

    ws_jobs_set_pace(jobs, job, 0);
    ws_pace full = run->pace;
    double busy = ws_jobs_demand_busy(run, &full);

    WS_ASSERT(run->at.ns == run->backlog->now.ns);
    run->capacity = full.work_per_s;
    run->goal = jobs->options.jobs[job].stages[0].work;
    run->pace = (ws_pace){.work_per_s = busy * full.work_per_s,
                          .communication = busy * full.communication,
                          .input_stall = 1 - busy * (1 - full.input_stall),
                          .straggle = busy * full.straggle,
                          .reading = busy * full.reading,
                          .wire = busy * full.wire,
                          .efficiency = full.efficiency};
    return ws_backlog_is_over(run->backlog) ? run->at
                                            : ws_backlog_empty_at(run->backlog, run->capacity);
}

/* ---- events ---- */

static void demand_changes(void *context, uint64_t job)
{
    ws_jobs *jobs = context;
    ws_job_run *run = &jobs->runs[job];

    if (run->state == WS_JOB_DONE) {
        return;
    }
    ws_jobs_advance(jobs, (size_t)job);
    if (run->state == WS_JOB_RUNNING) {
        ws_jobs_step(jobs, (size_t)job);
    }
    ws_jobs_demand_follow(jobs, (size_t)job);
}

void ws_jobs_demand_follow(ws_jobs *jobs, size_t job)
{
    WS_ASSERT(jobs->runs[job].backlog != NULL);

    ws_time next = ws_backlog_next_step(jobs->runs[job].backlog);
    ws_event event = {
        .action = demand_changes, .context = jobs, .argument = job, .phase = WS_PHASE_ARRIVALS};

    if (next.ns != WS_TIME_NEVER.ns) {
        (void)ws_kernel_at(jobs->kernel, next, &event);
    }
}

void ws_jobs_demand_caught_up(ws_jobs *jobs, size_t job)
{
    WS_ASSERT(jobs->runs[job].state == WS_JOB_RUNNING);
    if (ws_backlog_is_over(jobs->runs[job].backlog)) {
        ws_jobs_stage_completed(jobs, job);
    } else {
        ws_jobs_step(jobs, job);
    }
}

/* ---- what can be asked ---- */

bool ws_jobs_demand_queue(const ws_jobs *jobs, size_t job, ws_demand_queue *queue)
{
    WS_ASSERT(job < jobs->options.job_count);

    const ws_job_run *run = &jobs->runs[job];

    if (run->backlog == NULL) {
        return false;
    }
    *queue = ws_backlog_at(run->backlog, ws_kernel_now(jobs->kernel), demand_capacity(run));
    return true;
}

bool ws_jobs_demand_outcome(const ws_jobs *jobs, size_t job, ws_demand_outcome *outcome)
{
    WS_ASSERT(job < jobs->options.job_count);

    const ws_job_run *run = &jobs->runs[job];

    WS_ASSERT(run->backlog != NULL);
    return ws_backlog_finish(run->backlog, ws_kernel_now(jobs->kernel), demand_capacity(run),
                             outcome);
}

double ws_jobs_arrived(const ws_jobs *jobs, size_t job)
{
    WS_ASSERT(job < jobs->options.job_count);

    const ws_demand *demand = demand_of(jobs, job);
    return demand == NULL ? 0 : ws_demand_arrived(demand, ws_kernel_now(jobs->kernel));
}

bool ws_jobs_known_since(const ws_jobs *jobs, size_t job, ws_time at, ws_time *since)
{
    WS_ASSERT(job < jobs->options.job_count);

    const ws_demand *demand = demand_of(jobs, job);

    if (demand == NULL) {
        *since = (ws_time){.ns = 0};
        return true;
    }
    return ws_demand_known_since(demand, at, since);
}
