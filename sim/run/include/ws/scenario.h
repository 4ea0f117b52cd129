/* SPDX-License-Identifier: GPL-3.0-or-later */
/** A scenario as the simulator wants it: plain data, filled by the loader, constant during all
 * runs. */
#ifndef WS_SCENARIO_H
#define WS_SCENARIO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ws/channels.h"
#include "ws/collective.h"
#include "ws/control.h"
#include "ws/job.h"
#include "ws/pool.h"

#define WS_REPLICATIONS_MAX 10000
#define WS_ARMS_MAX 1000

/** When jobs of a template arrive. */
typedef enum {
    WS_ARRIVALS_AT,     /* once, at `at` */
    WS_ARRIVALS_POISSON /* a Poisson process, its rate following the time of day */
} ws_arrivals_kind;

typedef struct {
    ws_arrivals_kind kind;
    ws_time at;
    double rate_per_s;      /* mean over a day */
    ws_duration daily_peak; /* time of day of the highest rate */
    double daily_ratio; /* highest over lowest rate, >= 1; the rate is a cosine of the time of day;
                           1: constant */
    int64_t count;      /* most arrivals */
} ws_arrivals;

/** A stage whose work may be drawn anew for each job. */
typedef struct {
    ws_stage_spec spec; /* spec.work is what is drawn when `is_drawn` is false */
    bool is_drawn;
    ws_distribution work; /* in the unit of the stage; for durations: seconds at the initial size */
} ws_stage_template;

typedef struct {
    ws_job_kind kind;
    ws_arrivals arrivals;
    int32_t replicas_initial;
    int32_t replicas_min;
    int32_t replicas_max;
    int32_t replicas_step;
    const int32_t *legal; /* NULL: by step */
    size_t legal_count;
    ws_batch batch; /* of all stages, by an elastic batch rule; without a batch: none */
    const ws_stage_template *stages;
    size_t stage_count;
    ws_duration deadline; /* from submission; 0: none */
} ws_job_template;

/** Jobs that are stated and jobs that were recorded, side by side. */
typedef struct {
    const ws_job_template *templates;
    size_t template_count;
    const ws_job_spec *recorded; /* the same in every replication, sorted by submit */
    size_t recorded_count;
} ws_workload;

/** What an hour is worth: money is compared with time by it. */
typedef struct {
    bool given;
    ws_text of; /* name of the job; empty: the main job */
    ws_price
        value_of_time;    /* of its completion time, or of its lateness when there is a deadline */
    ws_money unfinished;  /* when it is not done at the horizon */
    ws_duration deadline; /* from submission; 0: none */
} ws_objective;

typedef struct {
    ws_text name;
    uint64_t seed; /* below 2^53 */
    int64_t replications;
    ws_time horizon;      /* > 0 */
    ws_duration warmup;   /* < horizon; simulated, then left out of the statistics */
    int64_t day_offset_s; /* time of day at time 0, s */
    const ws_pool_spec *pools;
    size_t pool_count; /* 1..WS_POOLS_MAX */
    bool spread;       /* placement */
    const ws_arbiter_type *arbiter;
    ws_duration regrow;
    bool leave_draining;
    ws_monitoring_spec monitoring;
    ws_workload workload;
    ws_objective objective;
    const ws_network *network;                  /* NULL: none is stated */
    bool has_transfers;                         /* pulls, checkpoints or loads are flows */
    ws_channel_spec channels[WS_CHANNEL_COUNT]; /* that they go over */
    ws_price storage_price; /* of a storage that is paid for whatever it holds */
} ws_scenario;

/** One entry under `policies:`. */
typedef struct {
    ws_text name;
    ws_text type;                /* types of its controllers, joined by + */
    const ws_scenario *scenario; /* with the arm's own overrides */
    const ws_controller_spec *controllers;
    size_t controller_count;
} ws_arm;

#endif
