/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The metrics that monitoring offers: what each counts, in which unit, and over what. */
#ifndef WS_METRIC_H
#define WS_METRIC_H

#include <stddef.h>

#include "ws/job.h"
#include "ws/text.h"

typedef enum {
    WS_METRIC_CLUSTER, /* one series; a controller of a pool sees the jobs that accept this pool */
    WS_METRIC_JOB, /* one series for each replica of each job with GPUs, averaged over the window */
    WS_METRIC_RESOURCE /* likewise, with a request beside it */
} ws_metric_scope;

typedef enum {
    WS_METRIC_PENDING_GPUS,
    WS_METRIC_REQUESTED_GPUS,
    WS_METRIC_BACKLOG,
    WS_METRIC_GPU_UTIL,
    WS_METRIC_SM_ACTIVE,
    WS_METRIC_THROUGHPUT,
    WS_METRIC_ARRIVALS, /* of jobs with demand alone */
    WS_METRIC_CPU,
    WS_METRIC_MEMORY,
    WS_METRIC_COUNT
} ws_metric_id;

typedef struct {
    const char *name;
    const char *unit;
    const char *help;
    ws_metric_scope scope;
} ws_metric;

extern const ws_metric ws_metrics[WS_METRIC_COUNT];

/** Names in the order of ws_metric_id, NULL-terminated. */
extern const char *const ws_metric_names[];

/** WS_METRIC_COUNT when there is none of that name. */
ws_metric_id ws_metric_find(ws_text name);

/** What a replica did in a window. */
typedef struct {
    double busy;     /* share of it with a kernel resident, 0..1 */
    double compute;  /* share in compute, 0..busy */
    double rate;     /* work a second */
    double arrivals; /* its part of the work a second that arrived at the job */
} ws_metric_doings;

/**
 * A metric of a job from what each of its replicas did in a window.
 *
 * gpu_util counts the time with any kernel resident, NCCL's spinning included; sm_active counts
 * compute in full and the rest of that time by the share of the SMs that a resident collective
 * keeps busy. Source: NVIDIA DCGM, field identifiers 203 and 1002.
 *
 * @param metric   of scope JOB or RESOURCE
 */
double ws_metric_of_job(ws_metric_id metric, const ws_usage *usage, const ws_metric_doings *doings);

#endif
