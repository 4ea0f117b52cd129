/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Watches a run and makes its records: time-weighted gauges, the state at the end of the warm-up,
 * what came of each job. */
#ifndef WS_RECORDER_H
#define WS_RECORDER_H

#include "gauges.h"

/** What is counted up to a moment. */
typedef struct {
    ws_accounts accounts;
    ws_gpu_time unbilled;
    ws_money compute_cost;
    ws_money storage_cost;
    double samples;
    ws_control_counts control;
    ws_fleet_counts fleet;
} recorder_totals;

typedef struct {
    recorder_subject subject;
    ws_gauges gauges;
    int64_t gpus_peak;
    recorder_totals at_warmup;
} ws_recorder;

/** False when an arena is exhausted. @param keep  where the timeline and the extremes go */
WS_NODISCARD bool ws_recorder_init(ws_recorder *recorder, const recorder_subject *subject,
                                   ws_arena *keep, ws_arena *scratch);

/** Schedules the warm-up's end, the timeline's steps and the horizon; once, before the first event.
 */
void ws_recorder_begin(ws_recorder *recorder);

/** Most events pending at once. */
#define RECORDER_EVENT_CAPACITY (2 + GAUGES_EVENT_CAPACITY)

/** To be called after every event. */
void ws_recorder_observe(ws_recorder *recorder);

/** Makes the records of a run that has come to its end. False when the arena is exhausted. */
WS_NODISCARD bool ws_recorder_finish(ws_recorder *recorder, ws_run_result *result, bool complete,
                                     ws_arena *keep, ws_arena *scratch);

#endif
