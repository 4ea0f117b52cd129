/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "outcome.h"

#include <math.h>

#include "ws/index_set.h"

/** A value that there is none of. */
#define MISSING ((double)NAN)

size_t ws_outcome_find_job(const ws_job_spec *jobs, size_t count)
{
    for (size_t job = 0; job < count; job++) {
        if (jobs[job].kind->has_demand) {
            return job;
        }
    }
    return WS_INDEX_NONE;
}

void ws_outcome_fill_step(const recorder_subject *subject, double step_s, ws_demand_queue *before,
                          ws_timeline_record *record)
{
    ws_demand_queue now = {.arrived = 0};

    WS_ASSERT(step_s > 0);
    if (subject->demand_job == WS_INDEX_NONE ||
        !ws_jobs_demand_queue(subject->jobs, subject->demand_job, &now)) {
        record->demand_per_s = MISSING;
        record->served_per_s = MISSING;
        record->capacity_per_s = MISSING;
        record->backlog = MISSING;
        record->lag_s = MISSING;
        return;
    }
    record->demand_per_s = (now.arrived - before->arrived) / step_s;
    record->served_per_s = (now.served - before->served) / step_s;
    record->capacity_per_s = (now.capacity_s - before->capacity_s) / step_s;
    record->backlog = (now.waiting_s - before->waiting_s) / step_s;
    record->lag_s = now.lag_s;
    *before = now;
}

static double outcome_share(double part, double whole)
{
    return whole > 0 ? part / whole : MISSING;
}

static double outcome_of_counted(const ws_demand_outcome *outcome, double value)
{
    return outcome->counted_s > 0 ? value : MISSING;
}

bool ws_outcome_fill_run(const recorder_subject *subject, ws_run_record *run)
{
    ws_demand_outcome outcome = {
        .arrived = MISSING, .waiting = MISSING, .waiting_max = MISSING, .hole_s = MISSING};
    bool has_all = subject->demand_job == WS_INDEX_NONE ||
                   ws_jobs_demand_outcome(subject->jobs, subject->demand_job, &outcome);

    run->demand = outcome.arrived;
    run->demand_served_fraction =
        outcome_share(outcome.served, outcome.arrived + outcome.waiting_begin);
    run->backlog_end = outcome.waiting;
    run->backlog_max = outcome.waiting_max;
    run->backlog_time_fraction = outcome_share(outcome.behind_s, outcome.counted_s);
    run->lag_mean_s = outcome_of_counted(&outcome, outcome.lag_mean_s);
    run->lag_p95_s = outcome_of_counted(&outcome, outcome.lag_p95_s);
    run->lag_p99_s = outcome_of_counted(&outcome, outcome.lag_p99_s);
    run->lag_max_s = outcome_of_counted(&outcome, outcome.lag_max_s);
    run->demand_hole_s = outcome.hole_s;
    return has_all;
}
