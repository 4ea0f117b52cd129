/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "monitor.h"

bool ws_monitor_init(ws_monitor *monitor, ws_arena *arena, const ws_monitoring_spec *spec,
                     size_t pool_count, size_t job_count, bool with_jobs)
{
    WS_ASSERT(spec->scrape.ns > 0);
    WS_ASSERT(spec->window.ns > 0);
    *monitor = (ws_monitor){
        .spec = *spec,
        .pending = ws_arena_alloc(arena, monitor_gauge, pool_count + 1),
        .requested = ws_arena_alloc(arena, monitor_gauge, pool_count + 1),
        .backlog = ws_arena_alloc(arena, monitor_gauge, pool_count + 1),
        .jobs = with_jobs ? ws_arena_alloc(arena, monitor_job, job_count + 1) : NULL,
    };
    return monitor->pending != NULL && monitor->requested != NULL && monitor->backlog != NULL &&
           (!with_jobs || monitor->jobs != NULL);
}

/* ---- gauges ---- */

void ws_monitor_gauge_set(monitor_gauge *gauge, ws_time now, int64_t value)
{
    monitor_reading *newest = &gauge->readings[(gauge->count - 1) % MONITOR_GAUGE_RING];

    if (gauge->count > 0 && newest->value == value) {
        return;
    }
    if (gauge->count > 0 && newest->at.ns == now.ns) {
        newest->value = value;
        return;
    }
    gauge->readings[gauge->count % MONITOR_GAUGE_RING] =
        (monitor_reading){.at = now, .value = value};
    gauge->count++;
}

int64_t ws_monitor_gauge_at(const monitor_gauge *gauge, ws_time at)
{
    size_t kept = gauge->count < MONITOR_GAUGE_RING ? gauge->count : MONITOR_GAUGE_RING;
    int64_t value = 0;

    for (size_t back = 1; back <= kept; back++) {
        const monitor_reading *reading =
            &gauge->readings[(gauge->count - back) % MONITOR_GAUGE_RING];
        value = reading->value;
        if (reading->at.ns <= at.ns) {
            return value;
        }
    }
    return gauge->count > MONITOR_GAUGE_RING ? value : 0;
}

/* ---- jobs ---- */

static monitor_job_reading monitor_read_job(const ws_jobs *jobs, size_t job)
{
    return (monitor_job_reading){.at = ws_jobs_now(jobs),
                                 .busy_s = ws_jobs_busy_s(jobs, job),
                                 .compute_s = ws_jobs_compute_s(jobs, job),
                                 .work = ws_jobs_work(jobs, job),
                                 .replicas = ws_jobs_replicas(jobs, job)};
}

void ws_monitor_job_reading(ws_monitor *monitor, const ws_jobs *jobs, size_t job)
{
    if (monitor->jobs == NULL) {
        return;
    }
    monitor_job *history = &monitor->jobs[job];
    history->readings[history->count % MONITOR_JOB_RING] = monitor_read_job(jobs, job);
    history->count++;
}

static double monitor_between(double earlier, double later, double part)
{
    return earlier + part * (later - earlier);
}

/** The reading at `at`, interpolated between the recorded ones: cumulative readings are linear
 * between changes. */
static monitor_job_reading monitor_job_at(const monitor_job *history, monitor_job_reading later,
                                          ws_time at)
{
    size_t kept = history->count < MONITOR_JOB_RING ? history->count : MONITOR_JOB_RING;

    for (size_t back = 1; back <= kept; back++) {
        monitor_job_reading earlier = history->readings[(history->count - back) % MONITOR_JOB_RING];
        if (earlier.at.ns <= at.ns) {
            double span = (double)(later.at.ns - earlier.at.ns);
            double part = span > 0 ? (double)(at.ns - earlier.at.ns) / span : 0;
            return (monitor_job_reading){
                .at = at,
                .busy_s = monitor_between(earlier.busy_s, later.busy_s, part),
                .compute_s = monitor_between(earlier.compute_s, later.compute_s, part),
                .work = monitor_between(earlier.work, later.work, part),
                .replicas = later.replicas, /* a reading has the replicas of the span before it */
            };
        }
        later = earlier;
    }
    later.at = at;
    later.replicas = 0;
    return later;
}

bool ws_monitor_scrape_time(const ws_monitor *monitor, ws_time now, ws_time *scrape)
{
    int64_t visible = now.ns - monitor->spec.delay.ns;

    if (visible < 0) {
        return false;
    }
    scrape->ns = visible - visible % monitor->spec.scrape.ns;
    return true;
}

bool ws_monitor_job_value(const ws_monitor *monitor, const ws_jobs *jobs, size_t job,
                          ws_metric_id metric, ws_time scrape, monitor_job_value *value)
{
    const monitor_job *history = &monitor->jobs[job];
    const ws_usage *usage = &ws_jobs_spec(jobs, job)->kind->usage;
    ws_time begin = {.ns = scrape.ns - monitor->spec.window.ns};
    double window_s = ws_duration_s(monitor->spec.window);

    WS_ASSERT(monitor->jobs != NULL);
    monitor_job_reading now = monitor_read_job(jobs, job);
    monitor_job_reading high = monitor_job_at(history, now, scrape);
    monitor_job_reading low = monitor_job_at(history, now, begin);
    if (high.replicas == 0) {
        return false;
    }
    value->replicas = high.replicas;
    value->value = ws_metric_of_job(metric, usage, (high.busy_s - low.busy_s) / window_s,
                                    (high.compute_s - low.compute_s) / window_s,
                                    (high.work - low.work) / window_s / high.replicas);
    return true;
}
