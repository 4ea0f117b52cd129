/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ws/metric.h"

#include <assert.h>

#include "ws/assert.h"

const ws_metric ws_metrics[WS_METRIC_COUNT] = {
    [WS_METRIC_PENDING_GPUS] = {.name = "pending_gpus",
                                .unit = "GPUs",
                                .help = "GPUs of replicas that are wanted and not placed",
                                .scope = WS_METRIC_CLUSTER},
    [WS_METRIC_REQUESTED_GPUS] =
        {.name = "requested_gpus",
         .unit = "GPUs",
         .help = "GPUs of all wanted replicas; of a pool, what is held on it and what waits for it",
         .scope = WS_METRIC_CLUSTER},
    [WS_METRIC_BACKLOG] = {.name = "backlog",
                           .unit = "jobs",
                           .help = "jobs that wait for GPUs",
                           .scope = WS_METRIC_CLUSTER},
    [WS_METRIC_GPU_UTIL] = {.name = "gpu_util",
                            .unit = "percent",
                            .help =
                                "share of time with any kernel resident, NCCL's spinning included",
                            .scope = WS_METRIC_JOB},
    [WS_METRIC_SM_ACTIVE] = {.name = "sm_active",
                             .unit = "percent",
                             .help = "share of the SMs' time in compute, and in NCCL's own kernels",
                             .scope = WS_METRIC_JOB},
    [WS_METRIC_THROUGHPUT] = {.name = "throughput",
                              .unit = "work/s",
                              .help = "the job's work per second, divided by its replicas",
                              .scope = WS_METRIC_JOB},
    [WS_METRIC_ARRIVALS] = {.name = "arrivals",
                            .unit = "work/s",
                            .help = "work that arrives at a job with demand each second, done or "
                                    "not, divided by its replicas",
                            .scope = WS_METRIC_JOB},
    [WS_METRIC_CPU] = {.name = "cpu",
                       .unit = "percent of the request",
                       .help = "processor use of a replica, from the job's usage profile",
                       .scope = WS_METRIC_RESOURCE},
    [WS_METRIC_MEMORY] = {.name = "memory",
                          .unit = "percent of the request",
                          .help = "memory use of a replica, from the job's usage profile",
                          .scope = WS_METRIC_RESOURCE},
};

const char *const ws_metric_names[] = {
    "pending_gpus", "requested_gpus", "backlog", "gpu_util", "sm_active",
    "throughput",   "arrivals",       "cpu",     "memory",   NULL,
};

static_assert(WS_COUNT_OF(ws_metric_names) == WS_METRIC_COUNT + 1, "a name for each, then NULL");

ws_metric_id ws_metric_find(ws_text name)
{
    size_t index = 0;

    while (index < WS_METRIC_COUNT && !ws_text_is(name, ws_metrics[index].name)) {
        index++;
    }
    return (ws_metric_id)index;
}

double ws_metric_of_job(ws_metric_id metric, const ws_usage *usage, const ws_metric_doings *doings)
{
    switch (metric) {
    case WS_METRIC_GPU_UTIL:
        return 100 * doings->busy;
    case WS_METRIC_SM_ACTIVE:
        return 100 * (doings->compute + (doings->busy - doings->compute) * usage->nccl_sm);
    case WS_METRIC_THROUGHPUT:
        return doings->rate;
    case WS_METRIC_ARRIVALS:
        return doings->arrivals;
    case WS_METRIC_CPU:
        return 100 * doings->busy * usage->cpu;
    case WS_METRIC_MEMORY:
        return 100 * usage->memory;
    case WS_METRIC_PENDING_GPUS:
    case WS_METRIC_REQUESTED_GPUS:
    case WS_METRIC_BACKLOG:
    case WS_METRIC_COUNT:
        break;
    }
    WS_ASSERT(false && "not a metric of a job");
    return 0;
}
