/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Values change at events alone, so that each is integrated, and counts as an extreme, for the time
 * until the next event. What changes back within one instant lasts no time and leaves no trace.
 */
#include "gauges.h"

#include <math.h>

#include "ws/index_set.h"

#include "outcome.h"

/* ---- reading ---- */

static int64_t gauges_main_gpus(const recorder_subject *subject)
{
    if (subject->main_job == WS_INDEX_NONE) {
        return 0;
    }
    return ws_fleet_held(subject->fleet, ws_jobs_owner(subject->jobs, subject->main_job));
}

static void gauges_read_pool(const ws_gauges *gauges, size_t pool, int64_t now[GAUGE_COUNT])
{
    const recorder_subject *subject = &gauges->subject;
    ws_pool_counts counts = ws_fleet_pool_counts(subject->fleet, pool);
    int64_t gpus_per_node = ws_fleet_pool(subject->fleet, pool)->gpus_per_node;
    int64_t waiting = (int64_t)ws_control_waiting_count(subject->control);

    now[GAUGE_WANTED] = counts.wanted;
    now[GAUGE_REQUESTED] = counts.requested;
    now[GAUGE_STARTING] = counts.starting;
    now[GAUGE_READY] = counts.ready;
    now[GAUGE_DRAINING] = counts.draining;
    now[GAUGE_BROKEN] = counts.broken;
    now[GAUGE_GPUS_PAID] = counts.gpus_paid;
    now[GAUGE_GPUS_READY] = counts.ready * gpus_per_node;
    now[GAUGE_GPUS_BUSY] = counts.gpus_held;
    now[GAUGE_GPUS_WAITING] = ws_control_pool_pending_gpus(subject->control, pool);
    now[GAUGE_JOBS_RUNNING] = (int64_t)ws_control_active_count(subject->control) - waiting;
    now[GAUGE_JOBS_WAITING] = waiting;
    now[GAUGE_MAIN_GPUS] = gauges_main_gpus(subject);
}

static void gauges_read(ws_gauges *gauges)
{
    int64_t *peak = gauges->peak_now;

    peak[PEAK_PAID] = 0;
    peak[PEAK_READY] = 0;
    peak[PEAK_BUSY] = 0;
    for (size_t pool = 0; pool < ws_fleet_pool_count(gauges->subject.fleet); pool++) {
        int64_t *now = gauges->pools[pool].now;
        gauges_read_pool(gauges, pool, now);
        peak[PEAK_PAID] += now[GAUGE_GPUS_PAID];
        peak[PEAK_READY] += now[GAUGE_GPUS_READY];
        peak[PEAK_BUSY] += now[GAUGE_GPUS_BUSY];
    }
    /* Not a sum over pools: a job that accepts several waits in each of them. */
    peak[PEAK_WAITING] = ws_control_pending_gpus(gauges->subject.control);
    peak[PEAK_WANTED] = peak[PEAK_BUSY] + peak[PEAK_WAITING];
    peak[PEAK_MAIN] = gauges_main_gpus(&gauges->subject);
}

/* ---- over time ---- */

static void gauges_take_peaks(ws_gauges *gauges)
{
    bool is_first = gauges->integrated.ns == gauges->step_begin.ns;

    for (size_t i = 0; i < PEAK_COUNT; i++) {
        int64_t now = gauges->peak_now[i];
        ws_gauge_range *range = &gauges->peaks[i];
        range->low = is_first || now < range->low ? now : range->low;
        range->high = is_first || now > range->high ? now : range->high;
    }
}

/** The values of now have held since the last call. */
static void gauges_integrate(ws_gauges *gauges)
{
    ws_time now = ws_kernel_now(gauges->subject.kernel);
    double span_s = ws_duration_s(ws_time_since(now, gauges->integrated));

    if (span_s <= 0) {
        return;
    }
    gauges_take_peaks(gauges);
    gauges->integrated = now;
    for (size_t pool = 0; pool < ws_fleet_pool_count(gauges->subject.fleet); pool++) {
        for (size_t gauge = 0; gauge < GAUGE_COUNT; gauge++) {
            gauges->pools[pool].integral[gauge] += span_s * (double)gauges->pools[pool].now[gauge];
        }
    }
}

void ws_gauges_observe(ws_gauges *gauges)
{
    WS_ASSERT(gauges->subject.kernel != NULL);
    if (gauges->timeline_capacity > 0) {
        gauges_integrate(gauges);
        gauges_read(gauges);
    }
}

/* ---- steps ---- */

/** Index of the main job's stage; NAN when there is no such job now. */
static double gauges_main_stage(const recorder_subject *subject)
{
    if (subject->main_job == WS_INDEX_NONE) {
        return (double)NAN;
    }
    ws_job_state state = ws_jobs_state(subject->jobs, subject->main_job);
    if (state == WS_JOB_FUTURE || state == WS_JOB_DONE) {
        return (double)NAN;
    }
    return (double)ws_jobs_stage(subject->jobs, subject->main_job);
}

static void gauges_write_pool(ws_gauges *gauges, size_t pool, double step_s,
                              const ws_timeline_record *demand)
{
    const recorder_subject *subject = &gauges->subject;
    double *integral = gauges->pools[pool].integral;

    WS_ASSERT(gauges->timeline_count < gauges->timeline_capacity);
    gauges->timeline[gauges->timeline_count++] = (ws_timeline_record){
        .policy = subject->arm->name,
        .replication = (int64_t)subject->options->replication,
        .t_s = ws_time_s(gauges->step_begin),
        .pool = ws_fleet_pool(subject->fleet, pool)->name,
        .nodes_wanted = integral[GAUGE_WANTED] / step_s,
        .nodes_requested = integral[GAUGE_REQUESTED] / step_s,
        .nodes_starting = integral[GAUGE_STARTING] / step_s,
        .nodes_ready = integral[GAUGE_READY] / step_s,
        .nodes_draining = integral[GAUGE_DRAINING] / step_s,
        .nodes_broken = integral[GAUGE_BROKEN] / step_s,
        .gpus_paid = integral[GAUGE_GPUS_PAID] / step_s,
        .gpus_ready = integral[GAUGE_GPUS_READY] / step_s,
        .gpus_busy = integral[GAUGE_GPUS_BUSY] / step_s,
        .gpus_waiting = integral[GAUGE_GPUS_WAITING] / step_s,
        .jobs_running = integral[GAUGE_JOBS_RUNNING] / step_s,
        .jobs_waiting = integral[GAUGE_JOBS_WAITING] / step_s,
        .main_gpus = integral[GAUGE_MAIN_GPUS] / step_s,
        .cost_usd_cum = ws_money_units(ws_fleet_cost(subject->fleet, pool)),
        .main_stage = gauges_main_stage(subject),
        .demand_per_s = demand->demand_per_s,
        .served_per_s = demand->served_per_s,
        .capacity_per_s = demand->capacity_per_s,
        .backlog = demand->backlog,
        .lag_s = demand->lag_s,
    };
    for (size_t gauge = 0; gauge < GAUGE_COUNT; gauge++) {
        integral[gauge] = 0;
    }
}

static void gauges_write_extremes(ws_gauges *gauges)
{
    const recorder_subject *subject = &gauges->subject;

    gauges->extremes[gauges->extremes_count++] = (ws_extremes_record){
        .policy = subject->arm->name,
        .replication = (int64_t)subject->options->replication,
        .t_s = ws_time_s(gauges->step_begin),
        .gpus_paid = gauges->peaks[PEAK_PAID],
        .gpus_ready = gauges->peaks[PEAK_READY],
        .gpus_busy = gauges->peaks[PEAK_BUSY],
        .gpus_waiting = gauges->peaks[PEAK_WAITING],
        .gpus_wanted = gauges->peaks[PEAK_WANTED],
        .main_gpus = gauges->peaks[PEAK_MAIN],
    };
}

/** Ends the step that is open, if it has any length. */
static void gauges_end_step(ws_gauges *gauges)
{
    ws_time now = ws_kernel_now(gauges->subject.kernel);
    double step_s = ws_duration_s(ws_time_since(now, gauges->step_begin));

    ws_timeline_record demand = {.t_s = 0};

    gauges_integrate(gauges);
    if (step_s <= 0) {
        return;
    }
    ws_outcome_fill_step(&gauges->subject, step_s, &gauges->queue, &demand);
    for (size_t pool = 0; pool < ws_fleet_pool_count(gauges->subject.fleet); pool++) {
        gauges_write_pool(gauges, pool, step_s, &demand);
    }
    gauges_write_extremes(gauges);
    gauges->step_begin = now;
}

static void gauges_step(void *context, uint64_t unused)
{
    ws_gauges *gauges = context;
    ws_event event = {.action = gauges_step, .context = gauges, .phase = WS_PHASE_RECORD};

    (void)unused;
    gauges_end_step(gauges);
    (void)ws_kernel_after(gauges->subject.kernel, gauges->subject.options->timeline_step, &event);
}

/* ---- begin and end ---- */

bool ws_gauges_init(ws_gauges *gauges, const recorder_subject *subject, ws_arena *keep,
                    ws_arena *scratch)
{
    WS_ASSERT(subject->arm != NULL);
    WS_ASSERT(subject->options != NULL);

    size_t pool_count = ws_fleet_pool_count(subject->fleet);
    int64_t step_ns = subject->options->timeline_step.ns;

    *gauges = (ws_gauges){.subject = *subject};
    if (step_ns == 0) {
        return true;
    }
    size_t steps = (size_t)(subject->arm->scenario->horizon.ns / step_ns) + 2;
    gauges->pools = ws_arena_alloc(scratch, gauges_pool, pool_count + 1);
    gauges->timeline_capacity = steps * pool_count;
    gauges->timeline = ws_arena_alloc(keep, ws_timeline_record, gauges->timeline_capacity);
    gauges->extremes = ws_arena_alloc(keep, ws_extremes_record, steps);
    return gauges->pools != NULL && gauges->timeline != NULL && gauges->extremes != NULL;
}

void ws_gauges_begin(ws_gauges *gauges)
{
    WS_ASSERT(gauges->subject.kernel != NULL);

    ws_event step = {.action = gauges_step, .context = gauges, .phase = WS_PHASE_RECORD};

    if (gauges->timeline_capacity > 0) {
        (void)ws_kernel_after(gauges->subject.kernel, gauges->subject.options->timeline_step,
                              &step);
        ws_gauges_observe(gauges);
    }
}

void ws_gauges_finish(ws_gauges *gauges, ws_run_result *result)
{
    WS_ASSERT(result != NULL);
    if (gauges->timeline_capacity > 0) {
        gauges_end_step(gauges);
    }
    result->timeline = gauges->timeline;
    result->timeline_count = gauges->timeline_count;
    result->extremes = gauges->extremes;
    result->extremes_count = gauges->extremes_count;
}
