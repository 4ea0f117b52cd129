/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The gauges of a run over time: means over steps for each pool, extremes over steps for all pools
 * together. */
#ifndef WS_GAUGES_H
#define WS_GAUGES_H

#include "subject.h"

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

/** Gauges over all pools whose lowest and highest values are kept. */
enum { PEAK_PAID, PEAK_READY, PEAK_BUSY, PEAK_WAITING, PEAK_WANTED, PEAK_MAIN, PEAK_COUNT };

typedef struct {
    int64_t now[GAUGE_COUNT];
    double integral[GAUGE_COUNT]; /* over the step, gauge x s */
} gauges_pool;

typedef struct {
    recorder_subject subject;
    gauges_pool *pools;
    int64_t peak_now[PEAK_COUNT];
    ws_gauge_range
        peaks[PEAK_COUNT]; /* over the step; means nothing before some of it has passed */
    ws_time integrated;    /* up to here */
    ws_time step_begin;
    ws_demand_queue queue; /* of the job with demand, there */
    ws_timeline_record *timeline;
    size_t timeline_count;
    size_t timeline_capacity; /* 0: nothing is kept */
    ws_extremes_record *extremes;
    size_t extremes_count;
} ws_gauges;

/** Nothing is kept when the options state no step. False when an arena is exhausted. @param keep of
 * the records */
WS_NODISCARD bool ws_gauges_init(ws_gauges *gauges, const recorder_subject *subject, ws_arena *keep,
                                 ws_arena *scratch);

/** Most events pending at once. */
#define GAUGES_EVENT_CAPACITY 1

/** Schedules the steps; once, before the first event. */
void ws_gauges_begin(ws_gauges *gauges);

/** To be called after every event: brings everything up to now. */
void ws_gauges_observe(ws_gauges *gauges);

/** Ends the step that is open and hands over the records. */
void ws_gauges_finish(ws_gauges *gauges, ws_run_result *result);

#endif
