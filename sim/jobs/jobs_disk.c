/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a job has on the disks of its nodes: checkpoints between the durable ones, and its training
 * data. It is there for as long as the job holds the nodes, as a volume of Kubernetes that ends
 * with its pod, or the scratch space of a batch job.
 *
 * A checkpoint is spread over all nodes, so that it is gone with the first of them. Training data
 * is cut into a part for each replica: a replica that is new copies its part, one that stays copies
 * what its part grows by.
 */
#include <math.h>

#include "jobs_private.h"

double ws_jobs_disks_bytes_per_s(const ws_jobs *jobs, size_t job, int32_t replicas, bool writes)
{
    uint64_t pools = ws_fleet_pools_of(jobs->fleet, ws_jobs_owner(jobs, job));
    double gpus = (double)replicas * jobs->options.jobs[job].kind->gpus_per_replica;
    double slowest = (double)INFINITY; /* of a GPU's part */

    for (size_t i = 0; i < ws_fleet_pool_count(jobs->fleet); i++) {
        const ws_pool_spec *pool = ws_fleet_pool(jobs->fleet, i);
        double bandwidth = writes ? pool->disk.write_bytes_per_s : pool->disk.read_bytes_per_s;
        if (((pools >> i) & 1) != 0) {
            slowest = fmin(slowest, bandwidth / pool->gpus_per_node);
        }
    }
    WS_ASSERT(slowest < (double)INFINITY);
    return gpus * slowest;
}

/* ---- training data ---- */

double ws_jobs_copy_bytes(const ws_jobs *jobs, size_t job, int32_t survivors)
{
    const ws_job_run *run = &jobs->runs[job];
    const ws_job_data *data = &jobs->options.jobs[job].kind->data;
    int32_t there = survivors < run->staged ? survivors : run->staged;
    int32_t parts = run->replicas > run->staged ? run->replicas : run->staged;

    WS_ASSERT(run->replicas >= 1);
    WS_ASSERT(survivors <= run->replicas);
    return data->is_local ? data->bytes * (1 - (double)there / parts) : 0;
}

/* ---- checkpoints ---- */

bool ws_jobs_write_is_local(const ws_jobs *jobs, size_t job)
{
    const ws_job_run *run = &jobs->runs[job];
    const ws_checkpoint_spec *checkpoint = &jobs->options.jobs[job].kind->checkpoint;
    int64_t ran_ns = run->history.productive.ns - run->paced_since.ns;

    return checkpoint->local_every.ns > 0 &&
           (checkpoint->every.ns == 0 || ran_ns < checkpoint->every.ns);
}

ws_duration ws_jobs_next_write(const ws_jobs *jobs, size_t job)
{
    WS_ASSERT(job < jobs->options.job_count);

    const ws_job_run *run = &jobs->runs[job];
    const ws_checkpoint_spec *checkpoint = &jobs->options.jobs[job].kind->checkpoint;
    int64_t left_ns = checkpoint->every.ns - (run->history.productive.ns - run->paced_since.ns);

    if (checkpoint->local_every.ns == 0) {
        return checkpoint->every;
    }
    if (checkpoint->every.ns == 0 || left_ns > checkpoint->local_every.ns) {
        return checkpoint->local_every;
    }
    return (ws_duration){.ns = left_ns > 0 ? left_ns : 0};
}

void ws_jobs_write_local(ws_jobs *jobs, size_t job)
{
    ws_job_run *run = &jobs->runs[job];
    double bytes = jobs->options.jobs[job].kind->checkpoint.local_bytes;
    double write_s = bytes / ws_jobs_disks_bytes_per_s(jobs, job, run->joined, true);
    double read_s = bytes / ws_jobs_disks_bytes_per_s(jobs, job, run->joined, false);

    run->local_read = ws_duration_of_s(read_s);
    ws_jobs_enter(jobs, job, WS_JOB_WRITING, ws_time_add(run->at, ws_duration_of_s(write_s)));
}

void ws_jobs_written_local(ws_jobs *jobs, size_t job)
{
    WS_ASSERT(job < jobs->options.job_count);

    ws_job_run *run = &jobs->runs[job];

    run->local = (ws_job_point){.stage = run->stage,
                                .done = run->done,
                                .evaluations = run->evaluations,
                                .writes_due = run->writes_due,
                                .productive = run->history.productive};
    run->has_local = true;
    run->saved_at = run->at;
    run->history.local_checkpoints++;
    ws_ledger_secure(jobs->ledger, ws_jobs_owner(jobs, job), run->at);
}

void ws_jobs_lose_disks(ws_jobs *jobs, size_t job)
{
    WS_ASSERT(job < jobs->options.job_count);
    if (jobs->runs[job].has_local) {
        ws_jobs_roll_back(jobs, job, true);
    }
}
