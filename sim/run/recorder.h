/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Watches a run and makes its records: time-weighted gauges, the state at the end of the warm-up,
 * what came of each job. */
#ifndef WS_RECORDER_H
#define WS_RECORDER_H

#include "ws/control.h"
#include "ws/run.h"

/** Everything that runs; borrowed. */
typedef struct {
    const ws_arm *arm;
    const ws_run_options *options;
    ws_kernel *kernel;
    ws_fleet *fleet;
    ws_jobs *jobs;
    ws_control *control;
    size_t main_job; /* index of the main job, or WS_INDEX_NONE */
} recorder_subject;

/** What is counted up to a moment. */
typedef struct {
    ws_accounts accounts;
    ws_gpu_time unbilled;
    ws_money cost;
    double samples;
    ws_control_counts control;
    ws_fleet_counts fleet;
} recorder_totals;

/** The gauges of one pool, in the order of the timeline's columns. */
enum {
    GAUGE_WANTED,
    GAUGE_REQUESTED,
    GAUGE_STARTING,
    GAUGE_READY,
    GAUGE_DRAINING,
    GAUGE_BROKEN,
    GAUGE_GPUS_PAID,
    GAUGE_GPUS_READY,
    GAUGE_GPUS_BUSY,
    GAUGE_GPUS_WAITING,
    GAUGE_JOBS_RUNNING,
    GAUGE_JOBS_WAITING,
    GAUGE_MAIN_GPUS,
    GAUGE_COUNT
};

typedef struct {
    int64_t now[GAUGE_COUNT];
    double integral[GAUGE_COUNT]; /* over the step, gauge x s */
} recorder_pool;

typedef struct {
    recorder_subject subject;
    recorder_pool *pools;
    ws_time integrated; /* up to here */
    ws_time step_begin;
    int64_t gpus_peak;
    recorder_totals at_warmup;
    ws_timeline_record *timeline;
    size_t timeline_count;
    size_t timeline_capacity;
} ws_recorder;

/** False when an arena is exhausted. @param keep  where the timeline goes */
WS_NODISCARD bool ws_recorder_init(ws_recorder *recorder, const recorder_subject *subject,
                                   ws_arena *keep, ws_arena *scratch);

/** Schedules the warm-up's end, the timeline's steps and the horizon; once, before the first event. */
void ws_recorder_begin(ws_recorder *recorder);

/** Most events pending at once. */
#define RECORDER_EVENT_CAPACITY 3

/** To be called after every event: brings the integrals up to now. */
void ws_recorder_observe(ws_recorder *recorder);

/** Makes the records of a run that has come to its end. False when the arena is exhausted. */
WS_NODISCARD bool ws_recorder_finish(ws_recorder *recorder, ws_run_result *result, bool complete,
                                     ws_arena *keep, ws_arena *scratch);

#endif
