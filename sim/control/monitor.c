/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "monitor.h"

#include <string.h>

/** Rings for the readings of all jobs. */
static bool monitor_init_jobs(ws_monitor *monitor, ws_arena *arena, const ws_jobs *jobs)
{
    size_t count = ws_jobs_count(jobs);

    monitor->jobs = ws_arena_alloc(arena, monitor_job, count + 1);
    for (size_t job = 0; monitor->jobs != NULL && job < count; job++) {
        bool has_demand = ws_jobs_spec(jobs, job)->kind->has_demand;
        size_t capacity = has_demand ? MONITOR_DEMAND_RING : MONITOR_JOB_RING;
        monitor_job_reading *readings = ws_arena_alloc(arena, monitor_job_reading, capacity);
        if (readings == NULL) {
            return false;
        }
        monitor->jobs[job] = (monitor_job){.readings = readings, .capacity = capacity};
    }
    return monitor->jobs != NULL;
}

bool ws_monitor_init(ws_monitor *monitor, ws_arena *arena, const ws_monitoring_spec *spec,
                     size_t pool_count, const ws_jobs *jobs)
{
    WS_ASSERT(spec->scrape.ns > 0);
    WS_ASSERT(spec->window.ns > 0);
    *monitor = (ws_monitor){
        .spec = *spec,
        .pending = ws_arena_alloc(arena, monitor_gauge, pool_count + 1),
        .requested = ws_arena_alloc(arena, monitor_gauge, pool_count + 1),
        .backlog = ws_arena_alloc(arena, monitor_gauge, pool_count + 1),
    };
    return monitor->pending != NULL && monitor->requested != NULL && monitor->backlog != NULL &&
           (jobs == NULL || monitor_init_jobs(monitor, arena, jobs));
}

/* ---- gauges ---- */

void ws_monitor_gauge_set(monitor_gauge *gauge, ws_time now, int64_t value)
{
    WS_ASSERT(gauge != NULL);

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
    WS_ASSERT(gauge != NULL);

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
                                 .arrived = ws_jobs_arrived(jobs, job),
                                 .joined = ws_jobs_joined(jobs, job)};
}

void ws_monitor_job_reading(ws_monitor *monitor, const ws_jobs *jobs, size_t job)
{
    WS_ASSERT(job < ws_jobs_count(jobs));
    if (monitor->jobs == NULL) {
        return;
    }
    monitor_job *history = &monitor->jobs[job];
    history->readings[history->count % history->capacity] = monitor_read_job(jobs, job);
    history->count++;
}

bool ws_monitor_scrape_time(const ws_monitor *monitor, ws_time now, ws_time *scrape)
{
    WS_ASSERT(scrape != NULL);

    int64_t visible = now.ns - monitor->spec.delay.ns;

    if (visible < 0) {
        return false;
    }
    scrape->ns = visible - visible % monitor->spec.scrape.ns;
    return true;
}

/* A walk through a job's readings, from now back into the past. */
typedef struct {
    const monitor_job *history;
    size_t kept;               /* readings in the ring */
    size_t back;               /* of `earlier`, from 1; beyond `kept`: there is none */
    monitor_job_reading later; /* end of the span in which the walk stands */
} monitor_walk;

static monitor_walk monitor_walk_of(const monitor_job *history, monitor_job_reading now)
{
    return (monitor_walk){
        .history = history,
        .kept = history->count < history->capacity ? history->count : history->capacity,
        .back = 1,
        .later = now,
    };
}

/** Begin of the span in which the walk stands; NULL: it is not remembered. */
static const monitor_job_reading *monitor_walk_earlier(const monitor_walk *walk)
{
    if (walk->back > walk->kept) {
        return NULL;
    }
    return &walk->history->readings[(walk->history->count - walk->back) % walk->history->capacity];
}

static void monitor_walk_on(monitor_walk *walk)
{
    const monitor_job_reading *earlier = monitor_walk_earlier(walk);

    WS_ASSERT(earlier != NULL);
    walk->later = *earlier;
    walk->back++;
}

static double monitor_between(double earlier, double later, double part)
{
    return earlier + part * (later - earlier);
}

/** The reading at a time within the span in which the walk stands: cumulative readings are linear
 * between changes. */
static monitor_job_reading monitor_walk_at(const monitor_walk *walk, ws_time at)
{
    const monitor_job_reading *earlier = monitor_walk_earlier(walk);
    const monitor_job_reading *later = &walk->later;

    WS_ASSERT(earlier != NULL && earlier->at.ns <= at.ns && at.ns <= later->at.ns);
    double span = (double)(later->at.ns - earlier->at.ns);
    double part = span > 0 ? (double)(at.ns - earlier->at.ns) / span : 0;
    return (monitor_job_reading){
        .at = at,
        .busy_s = monitor_between(earlier->busy_s, later->busy_s, part),
        .compute_s = monitor_between(earlier->compute_s, later->compute_s, part),
        .work = monitor_between(earlier->work, later->work, part),
        .arrived = monitor_between(earlier->arrived, later->arrived, part),
        .joined = later->joined,
    };
}

/** What is needed to turn two readings into a value. */
typedef struct {
    ws_metric_id metric;
    const ws_usage *usage;
    monitor_job_reading high; /* at the scrape */
} monitor_question;

/** Puts replicas `first` .. `end - 1`, whose series begins at `low`, before the cohorts that are
 * there. */
static void monitor_put_cohort(const monitor_question *question, const monitor_job_reading *low,
                               int32_t first, int32_t end, monitor_job_value *value)
{
    const monitor_job_reading *high = &question->high;
    ws_duration window = ws_time_since(high->at, low->at);
    double window_s = ws_duration_s(window);

    if (window.ns <= 0) {
        return; /* no sample yet */
    }
    memmove(value->cohorts + 1, value->cohorts, value->count * sizeof *value->cohorts);
    value->count++;
    value->cohorts[0] = (monitor_cohort){
        .first = first,
        .count = end - first,
        .value = ws_metric_of_job(
            question->metric, question->usage,
            &(ws_metric_doings){.busy = (high->busy_s - low->busy_s) / window_s,
                                .compute = (high->compute_s - low->compute_s) / window_s,
                                .rate = (high->work - low->work) / window_s / high->joined,
                                .arrivals =
                                    (high->arrived - low->arrived) / window_s / high->joined}),
        .window = window,
    };
}

/** Who is there at the scrape and was not before a change joined at that change; the rest has been
 * there since `begin` at least. */
static void monitor_find_cohorts(const monitor_question *question, monitor_walk *walk,
                                 ws_time begin, monitor_job_value *value)
{
    int32_t left = question->high.joined;

    while (left > 0) {
        const monitor_job_reading *earlier = monitor_walk_earlier(walk);
        if (earlier == NULL || earlier->at.ns <= begin.ns) {
            monitor_job_reading low = earlier == NULL ? walk->later : monitor_walk_at(walk, begin);
            monitor_put_cohort(question, &low, 0, left, value);
            return;
        }
        if (earlier->joined < left && value->count + 1 < MONITOR_COHORTS_MAX) {
            monitor_put_cohort(question, earlier, earlier->joined, left, value);
            left = earlier->joined;
        }
        monitor_walk_on(walk);
    }
}

/** Nothing is shown of what nobody recorded, and arrivals of jobs with demand alone. */
static bool monitor_has_samples(const ws_jobs *jobs, size_t job, ws_metric_id metric,
                                ws_time scrape, ws_time *known)
{
    bool has_demand = ws_jobs_spec(jobs, job)->kind->has_demand;

    return (metric != WS_METRIC_ARRIVALS || has_demand) &&
           ws_jobs_known_since(jobs, job, scrape, known);
}

void ws_monitor_job_value(const ws_monitor *monitor, const ws_jobs *jobs, size_t job,
                          ws_metric_id metric, ws_time scrape, monitor_job_value *value)
{
    monitor_walk walk = monitor_walk_of(&monitor->jobs[job], monitor_read_job(jobs, job));
    monitor_question question = {.metric = metric, .usage = &ws_jobs_spec(jobs, job)->kind->usage};
    ws_time begin = {.ns = scrape.ns - monitor->spec.window.ns};
    ws_time known = {.ns = 0};

    WS_ASSERT(monitor->jobs != NULL);
    *value = (monitor_job_value){.staying = walk.later.joined};
    while (monitor_walk_earlier(&walk) != NULL && monitor_walk_earlier(&walk)->at.ns > scrape.ns) {
        monitor_walk_on(&walk);
        value->staying = walk.later.joined < value->staying ? walk.later.joined : value->staying;
    }
    if (monitor_walk_earlier(&walk) == NULL) {
        value->staying = 0; /* the scrape was before anything that is remembered */
        return;
    }
    if (monitor_has_samples(jobs, job, metric, scrape, &known)) {
        question.high = monitor_walk_at(&walk, scrape);
        monitor_find_cohorts(&question, &walk, ws_time_max(begin, known), value);
    }
}
