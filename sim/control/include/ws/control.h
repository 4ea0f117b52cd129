/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Control: monitoring, controllers and arbitration of one run.
 *
 * News of the fleet and of the jobs comes in through ws_control_listen_*(); demand and capacity go
 * to the arbiter in the settle phase; controllers are asked in the decide phase, on their period
 * and on what they subscribe to, and what they planned takes effect in the apply phase, all
 * controllers having seen the same state.
 *
 * Monitoring shows what a query would: the value at the newest scrape that is at least `delay` old,
 * averaged over `window`. Histories of bounded length stand behind it, so that a scrape costs
 * nothing until somebody looks.
 */
#ifndef WS_CONTROL_H
#define WS_CONTROL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ws/arbiter.h"
#include "ws/arena.h"
#include "ws/fleet.h"
#include "ws/jobs.h"
#include "ws/kernel.h"
#include "ws/policy.h"

typedef struct {
    ws_duration scrape; /* > 0 */
    ws_duration window; /* that averages run over, > 0 */
    ws_duration delay;  /* from a scrape until a query can see it */
} ws_monitoring_spec;

typedef struct {
    const ws_policy_type *type;
    const void *parameters;
    ws_target target;
} ws_controller_spec;

#define WS_CONTROLLERS_MAX 16
#define WS_REASON_BYTES 256

/** One answer of a policy that changed something or was clamped. */
typedef struct {
    ws_time at;
    size_t controller;
    uint32_t wakes;
    bool is_pool;
    size_t index; /* pool, or job */
    int64_t from; /* wanted before */
    int64_t asked;
    int32_t to;     /* wanted after */
    bool clamped;   /* `asked` was not legal */
    ws_text reason; /* valid during the call */
} ws_decision;

typedef struct {
    void *context;
    void (*decided)(void *context, const ws_decision *decision);       /* may be NULL */
    void (*explained)(void *context, size_t controller, ws_text step); /* NULL: no explanations */
} ws_control_listener;

typedef struct {
    const ws_controller_spec *controllers;
    size_t controller_count;
    ws_monitoring_spec monitoring;
    bool has_objective; /* handed on to policies */
    ws_text objective_job;
    ws_price value_of_time;
    ws_duration deadline;
    const ws_arbiter_type *arbiter;
    ws_duration regrow;
    bool leave_draining; /* elastic jobs leave nodes that are to go, as far as their sizes allow;
                            else the nodes wait for them */
    uint64_t seed;
    uint64_t replication;
} ws_control_options;

typedef struct {
    int64_t evaluations; /* times that a policy was asked */
    int64_t scale_ups;   /* changes of a wanted number, up and down */
    int64_t scale_downs;
    int64_t clamps;
    int64_t refusals; /* negative answers, unknown jobs */
} ws_control_counts;

typedef struct ws_control ws_control;

/** NULL when the arena is exhausted. All that is named must outlive it. Sets the listeners of the
 * fleet and of the jobs. */
ws_control *ws_control_new(ws_arena *arena, ws_kernel *kernel, ws_fleet *fleet, ws_jobs *jobs,
                           const ws_control_options *options);

/** Most events pending at once. */
size_t ws_control_event_capacity(size_t controller_count);

/** Sets who hears of decisions; copied. To be called before the first event. */
void ws_control_listen(ws_control *control, const ws_control_listener *listener);

/** Listeners that run above control's own, for recording; copied. Called after control has heard.
 */
void ws_control_listen_fleet(ws_control *control, const ws_fleet_listener *listener);
void ws_control_listen_jobs(ws_control *control, const ws_jobs_listener *listener);

/** Wakes every policy at time 0 and starts the periods; once, before the first event. */
void ws_control_begin(ws_control *control);

/** GPUs that waiting jobs ask for and that running ones lack, and those plus what is held; over all
 * jobs. */
int64_t ws_control_pending_gpus(const ws_control *control);
int64_t ws_control_requested_gpus(const ws_control *control);

/** The former, of jobs that accept a pool. */
int64_t ws_control_pool_pending_gpus(const ws_control *control, size_t pool);

/** What was decided, clamped and refused so far. */
ws_control_counts ws_control_totals(const ws_control *control);

/** Active jobs now, waiting ones included; and those that wait. */
size_t ws_control_active_count(const ws_control *control);
size_t ws_control_waiting_count(const ws_control *control);

#endif
