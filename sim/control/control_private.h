/* SPDX-License-Identifier: GPL-3.0-or-later */
/** What the files of control share. */
#ifndef WS_CONTROL_PRIVATE_H
#define WS_CONTROL_PRIVATE_H

#include "monitor.h"
#include "ws/control.h"
#include "ws/index_set.h"

/** Most pods or series that one query shows; beyond it the rest is left out. */
#define WS_PODS_MAX 1000000

/** Most reasons that one plan keeps: as many as it can have sizes, but no more than these. */
#define WS_PLAN_REASONS_MAX 4096

typedef struct {
    size_t job;
    int64_t replicas;
    size_t reason; /* reasons that had been given when it was set */
} plan_job;

typedef struct {
    int64_t nodes; /* -1: keep */
    size_t reason; /* likewise */
} plan_pool;

typedef struct {
    char text[WS_REASON_BYTES];
} plan_reason;

struct ws_plan {
    struct ws_control *control;
    size_t controller;
    plan_pool pools[WS_POOLS_MAX];
    plan_job *jobs; /* bounded by the number of jobs */
    size_t job_count;
    plan_reason *reasons; /* in the order in which they were given */
    size_t reason_capacity;
    size_t reason_count; /* given; those beyond the capacity are not kept */
    ws_time call_back;   /* WS_TIME_NEVER: none */
};

typedef struct {
    ws_controller_spec spec;
    void *state;
    ws_subscriptions subscriptions;
    ws_metric_id metrics[WS_QUERIES_MAX];
    ws_duration period; /* 0: none */
    uint32_t pending_wakes;
    ws_event_handle decide; /* asked at once, or by call-back */
    ws_time asked;          /* last; WS_TIME_NEVER: not yet */
    ws_event_handle apply;
    ws_plan plan;
} control_controller;

struct ws_view {
    struct ws_control *control;
    const control_controller *controller;
    uint32_t wakes;
    ws_pod *pods; /* storage, valid until the decision ends */
    size_t pod_capacity;
    ws_sample *samples;
    size_t sample_capacity;
};

/** What a job, or many, want. */
typedef struct {
    int64_t pending_gpus;
    int64_t requested_gpus;
    int64_t backlog; /* jobs that wait */
} control_demand;

struct ws_arbitration {
    struct ws_control *control;
    ws_time retry; /* when a job may next grow in part; WS_TIME_NEVER: nobody waits for that */
};

struct ws_control {
    ws_kernel *kernel;
    ws_fleet *fleet;
    ws_jobs *jobs;
    ws_control_options options;
    ws_control_listener listener;
    ws_fleet_listener above_fleet;
    ws_jobs_listener above_jobs;
    ws_monitor monitor;

    control_controller *controllers;
    size_t *active; /* ids of active jobs, ascending */
    size_t active_count;
    ws_index_set waiting;                    /* jobs without GPUs */
    ws_index_set hungry;                     /* jobs that run below what they want */
    ws_index_set review;                     /* jobs to be looked at: too large, or draining */
    control_demand *job_demand;              /* what each job adds to the gauges */
    control_demand demand[WS_POOLS_MAX + 1]; /* of jobs that accept a pool; the last: of all */
    const int32_t *priorities;               /* of all jobs, descending, each once */
    size_t priority_count;
    ws_event_handle settle;
    ws_event_handle regrow;
    ws_view view;
    ws_control_counts counts;
};

/** Brings gauges and sets up to date with a job. */
void ws_control_refresh(ws_control *control, size_t job);

/** Asks for a pass of the arbiter at this instant. */
void ws_control_settle(ws_control *control);

/** Shrinks what is too large, then lets the arbiter hand out what is free. */
void ws_control_pass(ws_control *control);

/** Size that a job must come down to; the size that it has or will have when there is no need. */
int32_t ws_control_limit(const ws_control *control, size_t job);

/** Wakes the policies that subscribe to any of `wakes`, at this instant. */
void ws_control_wake(ws_control *control, uint32_t wakes);

/** Prepares a plan for so many pools and jobs. False when the arena is exhausted. */
WS_NODISCARD bool ws_plan_init(ws_plan *plan, size_t pool_count, size_t job_count, ws_arena *arena);

/** Empties a plan: everything keeps its size. */
void ws_plan_clear(ws_plan *plan, size_t pool_count);

/** The reason of a size that was set when `given` reasons had been given. */
ws_text ws_plan_reason_of(const ws_plan *plan, size_t given);

/** Prepares the controllers. False when the arena is exhausted. */
WS_NODISCARD bool ws_control_init_controllers(ws_control *control, ws_arena *arena);

/** Takes hold of the news of fleet and jobs. */
void ws_control_hear(ws_control *control);

/** True when the job's kind is the controller's target (or any elastic job). */
bool ws_control_is_target(const ws_control *control, const control_controller *controller,
                          size_t job);

#endif
