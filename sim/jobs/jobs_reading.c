/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Training data that jobs read while they step: a standing flow over the storage, beside the loads
 * and reads of others, that takes no more than the steps need.
 *
 * What they need is what the job would read if nobody else did; its share of that is the share of
 * its pace. A job that waits for data communicates for less of the time, too; the links that it
 * crosses (jobs_crossing.c) count its collectives as if it did not wait for others.
 */
#include <math.h>

#include "jobs_private.h"

void ws_jobs_set_pace(ws_jobs *jobs, size_t job, double done)
{
    ws_job_run *run = &jobs->runs[job];
    const ws_stage_spec *stage = &jobs->options.jobs[job].stages[run->stage];

    run->unshared = ws_stage_pace(stage, &run->world, done);
    run->reads_need = ws_stage_read_bytes_per_s(stage, &run->world, &run->unshared);
    run->fed = run->reads_need > 0 ? run->fed : 1;
    run->pace = ws_pace_waiting(&run->unshared, run->fed);
}

void ws_jobs_stop_reading(ws_jobs *jobs, size_t job)
{
    WS_ASSERT(job < jobs->options.job_count);
    if (jobs->options.channels != NULL) {
        (void)ws_sharing_end(ws_channels_sharing(jobs->options.channels), jobs->runs[job].reads);
    }
}

void ws_jobs_read(ws_jobs *jobs, size_t job)
{
    ws_job_run *run = &jobs->runs[job];

    WS_ASSERT(run->state == WS_JOB_RUNNING);
    const ws_job_data *data = &jobs->options.jobs[job].kind->data;

    ws_jobs_stop_reading(jobs, job);
    if (run->is_evaluating || !(run->reads_need > 0) || !data->is_shared || data->is_local) {
        return;
    }
    WS_ASSERT(jobs->options.channels != NULL);
    ws_channel_user user = {
        .channel = WS_CHANNEL_READ, .nodes = run->world.nodes, .bytes_per_s = run->reads_need};
    run->reads = ws_channels_begin_capped(jobs->options.channels, &user, (double)INFINITY,
                                          &jobs->reads_listener, job);
}

void ws_jobs_reads_changed(void *context, uint64_t argument, double bytes_per_s)
{
    ws_jobs *jobs = context;
    size_t job = (size_t)argument;
    ws_job_run *run = &jobs->runs[job];
    bool is_enough = bytes_per_s >= run->reads_need * (1 - 1e-12);
    double fed = is_enough ? 1 : bytes_per_s / run->reads_need;

    WS_ASSERT(run->state == WS_JOB_RUNNING);
    WS_ASSERT(!run->is_evaluating);
    if (!(fed < run->fed) && !(fed > run->fed)) {
        return;
    }
    ws_jobs_advance(jobs, job);
    run->fed = fed;
    run->pace = ws_pace_waiting(&run->unshared, fed);
    ws_jobs_book_pace(jobs, job);
    ws_jobs_set_end(jobs, job, ws_jobs_goal_time(jobs, job));
    if (jobs->listener.fed != NULL) {
        jobs->listener.fed(jobs->listener.context, job);
    }
}

void ws_jobs_count_reads(ws_job_history *history, const ws_job_run *run, double span_s)
{
    if (!run->is_evaluating) {
        history->data_bytes += run->reads_need * run->fed * span_s;
        history->data_wait_s += run->pace.reading * span_s;
        history->data_wait_alone_s += run->unshared.reading * run->fed * span_s;
    }
}

ws_job_reads ws_jobs_reads(const ws_jobs *jobs, size_t job)
{
    WS_ASSERT(job < jobs->options.job_count);

    const ws_job_run *run = &jobs->runs[job];

    if (!ws_job_run_is_stepping(run) || run->is_evaluating) {
        return (ws_job_reads){.needed = 0};
    }
    return (ws_job_reads){.needed = run->reads_need,
                          .given = run->reads_need * run->fed,
                          .waiting = run->pace.reading};
}
