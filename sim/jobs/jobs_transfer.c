/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checkpoints and loads whose sizes are stated: flows over the storage, which take as long as who
 * else uses it lets them. */
#include <math.h>

#include "jobs_private.h"

void ws_jobs_transfer(ws_jobs *jobs, size_t job, ws_channel channel, double bytes,
                      double bytes_per_s)
{
    ws_job_run *run = &jobs->runs[job];
    int32_t nodes = ws_fleet_nodes_of(jobs->fleet, ws_jobs_owner(jobs, job));

    WS_ASSERT(run->state == WS_JOB_WRITING || run->state == WS_JOB_STARTING);
    WS_ASSERT(jobs->options.channels != NULL);
    run->flow_begin = ws_kernel_now(jobs->kernel);
    double alone_s = fmax(ws_channels_alone_s(jobs->options.channels, channel, nodes, bytes),
                          bytes / bytes_per_s);
    ws_channel_user user = {.channel = channel, .nodes = nodes, .bytes_per_s = bytes_per_s};
    run->transfer = (ws_job_transfer){.channel = channel, .alone = ws_duration_of_s(alone_s)};
    run->flow =
        ws_channels_begin_capped(jobs->options.channels, &user, bytes, &jobs->flow_listener, job);
    ws_jobs_set_end(jobs, job, WS_TIME_NEVER);
}

void ws_jobs_abandon_transfer(ws_jobs *jobs, size_t job)
{
    WS_ASSERT(job < jobs->options.job_count);
    if (jobs->options.channels != NULL) {
        (void)ws_sharing_end(ws_channels_sharing(jobs->options.channels), jobs->runs[job].flow);
    }
}

void ws_jobs_transferred(void *context, uint64_t argument)
{
    ws_jobs *jobs = context;
    ws_job_run *run = &jobs->runs[argument];
    ws_time now = ws_kernel_now(jobs->kernel);
    ws_duration latency = ws_channels_latency(jobs->options.channels, run->transfer.channel);
    ws_time end = ws_time_add(now, latency);

    run->transfer.took = ws_time_since(now, run->flow_begin);
    run->history.transfer.ns += run->transfer.took.ns;
    run->history.transfer_alone.ns += run->transfer.alone.ns;
    if (run->state == WS_JOB_STARTING) {
        end = ws_time_add(end, run->after_load);
    }
    ws_jobs_set_end(jobs, (size_t)argument, end);
    if (jobs->listener.transferred != NULL) {
        jobs->listener.transferred(jobs->listener.context, (size_t)argument);
    }
}

ws_job_transfer ws_jobs_last_transfer(const ws_jobs *jobs, size_t job)
{
    WS_ASSERT(job < jobs->options.job_count);
    return jobs->runs[job].transfer;
}
