/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Within a stage: between which works the pace is constant, and what happens at their ends. An
 * evaluation comes before a write at the same work, as in Megatron-LM's and Hugging Face's training
 * loops. Both are counted, so that a rollback knows which of them are still to come.
 */
#include <math.h>

#include "jobs_private.h"

/** Work of the next of a series every so much; beyond all work when there is none. */
static double stage_next(double every, int64_t past)
{
    return every > 0 ? (double)(past + 1) * every : (double)INFINITY;
}

bool ws_jobs_evaluation_is_due(const ws_stage_spec *stage, const ws_job_run *run)
{
    return stage_next(stage->evaluation.every, run->evaluations) <= run->done;
}

static bool stage_write_is_due(const ws_stage_spec *stage, const ws_job_run *run)
{
    return stage_next(stage->checkpoint_every, run->writes_due) <= run->done;
}

double ws_jobs_goal(const ws_stage_spec *stage, const ws_job_run *run)
{
    double goal = ws_efficiency_until(&stage->efficiency, run->done, stage->work);

    goal = fmin(goal, stage_next(stage->evaluation.every, run->evaluations));
    return fmin(goal, stage_next(stage->checkpoint_every, run->writes_due));
}

void ws_jobs_goal_reached(ws_jobs *jobs, size_t job)
{
    WS_ASSERT(job < jobs->options.job_count);

    ws_job_run *run = &jobs->runs[job];
    const ws_stage_spec *stage = &jobs->options.jobs[job].stages[run->stage];

    if (run->backlog != NULL) {
        ws_jobs_demand_caught_up(jobs, job);
        return;
    }
    if (run->is_evaluating) {
        run->is_evaluating = false;
        run->evaluations++;
    } else {
        run->done = run->goal; /* whatever the rounding */
    }
    bool evaluates = ws_jobs_evaluation_is_due(stage, run); /* before anything else */
    if (!evaluates && run->done >= stage->work) {
        ws_jobs_stage_completed(jobs, job);
    } else if (!evaluates && (run->write_waits || stage_write_is_due(stage, run))) {
        run->writes_due += run->write_waits ? 0 : 1; /* one that waited was not due by work */
        ws_jobs_write(jobs, job, run->write_waits && ws_jobs_write_is_local(jobs, job));
    } else {
        ws_jobs_step(jobs, job);
    }
}
