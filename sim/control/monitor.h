/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Monitoring as a function of history: what the newest scrape that can be seen shows.
 *
 * Gauges of the cluster keep their last changes, jobs their last cumulative readings, both in
 * rings. A reading older than a ring reaches is the oldest that it has; with window and delay of a
 * minute that takes hundreds of changes in that minute, or a job that changes every few seconds.
 *
 * A replica's series begins with the first step of the world that it joined. Replicas that joined
 * together form a cohort: the sizes in a job's readings tell the cohorts, so that a scrape costs no
 * more than the changes within its window, however many replicas there are.
 *
 * In a hole of a job's demand nothing was recorded: the job has no samples, and after the hole its
 * series begin anew.
 */
#ifndef WS_MONITOR_H
#define WS_MONITOR_H

#include "ws/arena.h"
#include "ws/control.h"
#include "ws/jobs.h"
#include "ws/metric.h"

#define MONITOR_GAUGE_RING 1024
#define MONITOR_JOB_RING 32
#define MONITOR_DEMAND_RING 4096 /* of a job whose demand changes, as every few seconds */
#define MONITOR_COHORTS_MAX 33   /* more than join a job within a window that it remembers */

typedef struct {
    ws_time at;
    int64_t value;
} monitor_reading;

typedef struct {
    monitor_reading readings[MONITOR_GAUGE_RING];
    size_t count; /* ever recorded; the newest is at (count - 1) % ring */
} monitor_gauge;

typedef struct {
    ws_time at;
    double busy_s;
    double compute_s;
    double work;
    double arrived; /* of a job with demand */
    int32_t joined; /* ws_jobs_joined() in the span that ends here */
} monitor_job_reading;

typedef struct {
    monitor_job_reading *readings; /* a ring; NULL: none is kept */
    size_t capacity;
    size_t count; /* ever recorded */
} monitor_job;

/* Replicas `first` .. `first + count - 1` of a job, which joined it together, at a scrape. */
typedef struct {
    int32_t first;
    int32_t count;
    double value; /* of each of them */
    ws_duration
        window; /* that it averages over: less than monitoring's while they are young; > 0 */
} monitor_cohort;

/* A job's metric at a scrape. */
typedef struct {
    monitor_cohort cohorts[MONITOR_COHORTS_MAX]; /* by replica; each has a sample */
    size_t count;
    int32_t staying; /* replicas below it have been there from the scrape until now */
} monitor_job_value;

typedef struct {
    ws_monitoring_spec spec;
    monitor_gauge *pending;   /* one for each pool, then one for all */
    monitor_gauge *requested; /* likewise */
    monitor_gauge *backlog;   /* likewise */
    monitor_job *jobs;        /* NULL: nobody asks for a job's series */
} ws_monitor;

/** False when the arena is exhausted. @param jobs  whose histories are kept as well; NULL: none */
WS_NODISCARD bool ws_monitor_init(ws_monitor *monitor, ws_arena *arena,
                                  const ws_monitoring_spec *spec, size_t pool_count,
                                  const ws_jobs *jobs);

/** Records a gauge's new value at `now`. */
void ws_monitor_gauge_set(monitor_gauge *gauge, ws_time now, int64_t value);

/** Value at `at`, or 0 before the first reading. */
int64_t ws_monitor_gauge_at(const monitor_gauge *gauge, ws_time at);

/** Records a job's cumulative readings before something of it changes. Nothing when jobs are not
 * kept. */
void ws_monitor_job_reading(ws_monitor *monitor, const ws_jobs *jobs, size_t job);

/** The newest scrape that can be seen at `now`; false before there is one. */
bool ws_monitor_scrape_time(const ws_monitor *monitor, ws_time now, ws_time *scrape);

/**
 * A job's metric for each of its replicas at `scrape`, averaged over the window that ends there or
 * over the part of it in which the replica was in the running world. Who joined at `scrape` or
 * later has no sample. O(changes of the job since the window began).
 */
void ws_monitor_job_value(const ws_monitor *monitor, const ws_jobs *jobs, size_t job,
                          ws_metric_id metric, ws_time scrape, monitor_job_value *value);

#endif
