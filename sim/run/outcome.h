/* SPDX-License-Identifier: GPL-3.0-or-later */
/** What is recorded of the job with demand: its course over time, and what came of it. */
#ifndef WS_RUN_OUTCOME_H
#define WS_RUN_OUTCOME_H

#include "subject.h"

/** Index of the first job with demand; WS_INDEX_NONE: there is none. */
size_t ws_outcome_find_job(const ws_job_spec *jobs, size_t count);

/**
 * Fills in a step of the timeline: means over the step, and the lag at its end; NAN without demand.
 *
 * @param before  the queue at the begin of the step; becomes that of now
 */
void ws_outcome_fill_step(const recorder_subject *subject, double step_s, ws_demand_queue *before,
                          ws_timeline_record *record);

/** Fills in what came of demand; NAN without any. False when the arena of the run is exhausted. */
WS_NODISCARD bool ws_outcome_fill_run(const recorder_subject *subject, ws_run_record *run);

#endif
