/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a policy sees: made from the fleet, the jobs and the monitor when it looks. */
#include "control_private.h"

ws_time ws_view_now(const ws_view *view)
{
    WS_ASSERT(view != NULL);
    return ws_kernel_now(view->control->kernel);
}

uint32_t ws_view_wakes(const ws_view *view)
{
    WS_ASSERT(view != NULL);
    return view->wakes;
}

size_t ws_view_pool_count(const ws_view *view)
{
    WS_ASSERT(view != NULL);
    return ws_fleet_pool_count(view->control->fleet);
}

ws_view_pool ws_view_pool_at(const ws_view *view, size_t index)
{
    WS_ASSERT(index < ws_view_pool_count(view));

    const ws_pool_spec *spec = ws_fleet_pool(view->control->fleet, index);
    ws_pool_counts counts = ws_fleet_pool_counts(view->control->fleet, index);

    return (ws_view_pool){
        .name = spec->name,
        .gpu_type = spec->gpu_type,
        .gpus_per_node = spec->gpus_per_node,
        .nodes_min = spec->nodes_min,
        .nodes_max = spec->nodes_max,
        .nodes_wanted = counts.wanted,
        .nodes_requested = counts.requested,
        .nodes_starting = counts.starting,
        .nodes_ready = counts.ready,
        .nodes_broken = counts.broken,
        .nodes_draining = counts.draining,
        .gpus_free = counts.gpus_free,
        .gpus_held = counts.gpus_held,
        .node_price = ws_fleet_node_price(view->control->fleet, index),
        .observed_start_s = ws_fleet_observed_start_s(view->control->fleet, index),
    };
}

size_t ws_view_job_count(const ws_view *view)
{
    WS_ASSERT(view != NULL);
    return view->control->active_count;
}

static ws_view_job_state view_state(ws_job_state state)
{
    switch (state) {
    case WS_JOB_FUTURE:
    case WS_JOB_WAITING:
        return WS_VIEW_WAITING;
    case WS_JOB_STARTING:
    case WS_JOB_DETECTING:
        return WS_VIEW_STARTING;
    case WS_JOB_RUNNING:
    case WS_JOB_WRITING:
        return WS_VIEW_RUNNING;
    case WS_JOB_DONE:
        break;
    }
    return WS_VIEW_DONE;
}

ws_view_job ws_view_job_at(const ws_view *view, size_t index)
{
    const ws_jobs *jobs = view->control->jobs;
    WS_ASSERT(index < view->control->active_count);
    size_t job = view->control->active[index];
    const ws_job_spec *spec = ws_jobs_spec(jobs, job);
    size_t stage = ws_jobs_stage(jobs, job);
    ws_time last = ws_jobs_last_resize(jobs, job);

    return (ws_view_job){
        .id = job,
        .name = spec->kind->name,
        .state = view_state(ws_jobs_state(jobs, job)),
        .elastic = spec->kind->elasticity->resize != WS_RESIZE_REFUSED,
        .submitted = spec->submit,
        .priority = spec->kind->priority,
        .gpus_per_replica = spec->kind->gpus_per_replica,
        .replicas_wanted = ws_jobs_wanted(jobs, job),
        .replicas_existing = ws_jobs_replicas(jobs, job),
        .replicas_min = ws_job_replicas_min(spec, stage),
        .replicas_max = ws_job_replicas_max(spec, stage),
        .stage = (int32_t)stage,
        .stage_count = (int32_t)spec->stage_count,
        .stage_done_ratio = ws_jobs_stage_done(jobs, job) / spec->stages[stage].work,
        .rate = ws_jobs_rate(jobs, job),
        .restarts = (int32_t)ws_jobs_history(jobs, job).restarts,
        .last_resize_age = last.ns == WS_TIME_NEVER.ns ? (ws_duration){.ns = 0}
                                                       : ws_time_since(ws_view_now(view), last),
    };
}

/* ---- the target ---- */

/** Sum over the active jobs of a target. */
static int64_t view_sum_jobs(const ws_view *view, int32_t (*of)(const ws_jobs *, size_t))
{
    int64_t sum = 0;

    for (size_t i = 0; i < view->control->active_count; i++) {
        size_t job = view->control->active[i];
        if (ws_control_is_target(view->control, view->controller, job)) {
            sum += of(view->control->jobs, job);
        }
    }
    return sum;
}

int32_t ws_view_replicas_wanted(const ws_view *view)
{
    WS_ASSERT(view != NULL);

    const ws_target *target = &view->controller->spec.target;

    if (target->kind == WS_TARGET_POOL) {
        return ws_fleet_pool_counts(view->control->fleet, target->pool).wanted;
    }
    return (int32_t)view_sum_jobs(view, ws_jobs_wanted);
}

int32_t ws_view_replicas_existing(const ws_view *view)
{
    WS_ASSERT(view != NULL);

    const ws_target *target = &view->controller->spec.target;

    if (target->kind == WS_TARGET_POOL) {
        ws_pool_counts counts = ws_fleet_pool_counts(view->control->fleet, target->pool);
        return counts.requested + counts.starting + counts.ready + counts.broken - counts.draining;
    }
    return (int32_t)view_sum_jobs(view, ws_jobs_wanted); /* pending pods exist too */
}

bool ws_view_target_exists(const ws_view *view)
{
    WS_ASSERT(view != NULL);
    return view->controller->spec.target.kind == WS_TARGET_POOL ||
           view_sum_jobs(view, ws_jobs_wanted) > 0;
}

/* ---- samples ---- */

/** A cluster's gauge: of the target's pool, or of everything. */
static size_t view_gauge_index(const ws_view *view)
{
    const ws_target *target = &view->controller->spec.target;
    return target->kind == WS_TARGET_POOL ? target->pool
                                          : ws_fleet_pool_count(view->control->fleet);
}

static const monitor_gauge *view_gauges(const ws_monitor *monitor, ws_metric_id metric)
{
    if (metric == WS_METRIC_PENDING_GPUS) {
        return monitor->pending;
    }
    return metric == WS_METRIC_REQUESTED_GPUS ? monitor->requested : monitor->backlog;
}

static size_t view_cluster_sample(const ws_view *view, ws_metric_id metric, ws_time scrape)
{
    const monitor_gauge *gauges = view_gauges(&view->control->monitor, metric);
    int64_t value = ws_monitor_gauge_at(&gauges[view_gauge_index(view)], scrape);

    view->samples[0] = (ws_sample){
        .value = (double)value, .age = ws_time_since(ws_view_now(view), scrape), .replica = -1};
    return 1;
}

/** Appends the series of one job's replicas; returns the new count. */
static size_t view_job_samples(const ws_view *view, size_t job, ws_metric_id metric, ws_time scrape,
                               size_t count)
{
    const ws_control *control = view->control;
    ws_sample sample = {.age = ws_time_since(ws_view_now(view), scrape),
                        .job = ws_jobs_spec(control->jobs, job)->kind->name};
    monitor_job_value shown;

    ws_monitor_job_value(&control->monitor, control->jobs, job, metric, scrape, &shown);
    for (size_t c = 0; c < shown.count; c++) {
        const monitor_cohort *cohort = &shown.cohorts[c];
        sample.value = cohort->value;
        sample.window = cohort->window;
        for (int32_t i = 0; i < cohort->count && count < view->sample_capacity; i++) {
            sample.replica = cohort->first + i;
            view->samples[count++] = sample;
        }
    }
    return count;
}

/** Whether a query shows a job's series. */
static bool view_is_asked(const ws_query *query, const ws_job_kind *kind)
{
    return (query->job.length == 0 || ws_text_equals(query->job, kind->name)) &&
           ws_selector_matches(&query->selector, &kind->labels);
}

/** The mean of what was collected, in the place of it. */
static size_t view_average(const ws_view *view, size_t count)
{
    double sum = 0;

    if (count == 0) {
        return 0;
    }
    for (size_t i = 0; i < count; i++) {
        sum += view->samples[i].value;
    }
    view->samples[0].value = sum / (double)count;
    view->samples[0].job = (ws_text){.length = 0};
    view->samples[0].replica = -1;
    return 1;
}

const ws_sample *ws_view_samples(const ws_view *view, size_t query, size_t *count)
{
    const ws_control *control = view->control;
    WS_ASSERT(query < view->controller->subscriptions.count);
    const ws_query *asked = &view->controller->subscriptions.queries[query];
    ws_metric_id metric = view->controller->metrics[query];
    ws_time scrape = {.ns = 0};

    *count = 0;
    if (!ws_monitor_scrape_time(&control->monitor, ws_view_now(view), &scrape)) {
        return NULL;
    }
    if (ws_metrics[metric].scope == WS_METRIC_CLUSTER) {
        *count = view_cluster_sample(view, metric, scrape);
        return view->samples;
    }
    for (size_t i = 0; i < control->active_count; i++) {
        size_t job = control->active[i];
        if (view_is_asked(asked, ws_jobs_spec(control->jobs, job)->kind)) {
            *count = view_job_samples(view, job, metric, scrape, *count);
        }
    }
    if (asked->average) {
        *count = view_average(view, *count);
    }
    return *count > 0 ? view->samples : NULL;
}

/* ---- pods ---- */

static size_t view_node_pods(const ws_view *view, size_t pool)
{
    const ws_fleet *fleet = view->control->fleet;
    size_t count = 0;
    int32_t first = 0;

    for (size_t p = 0; p < pool; p++) {
        first += ws_fleet_pool(fleet, p)->nodes_max;
    }
    for (int32_t slot = 0; slot < ws_fleet_pool(fleet, pool)->nodes_max; slot++) {
        ws_node_id node = {.index = first + slot};
        ws_node_state state = ws_fleet_node_state(fleet, node);
        if (state == WS_NODE_ABSENT || count == view->pod_capacity) {
            continue;
        }
        ws_duration age = ws_time_since(ws_view_now(view), ws_fleet_node_since(fleet, node));
        bool joined = state == WS_NODE_READY || state == WS_NODE_BROKEN;
        view->pods[count++] = (ws_pod){
            .phase = joined ? WS_POD_RUNNING : WS_POD_PENDING,
            .ready = state == WS_NODE_READY,
            .deleted = ws_fleet_node_is_draining(fleet, node),
            .has_started = joined,
            .started_age = age,
            .ready_age = age,
        };
    }
    return count;
}

/** What a query asks of the pods of one job. */
typedef struct {
    size_t job;
    ws_duration age; /* since the scrape */
    double request;  /* of each pod, pending ones too; 0: none */
    monitor_job_value
        shown; /* nothing when there is no scrape or the query does not pick the job */
} view_job_query;

/** Gives a job's pods that have been there since the scrape its samples. */
static void view_add_pod_samples(const view_job_query *query, ws_pod *pods, int32_t placed)
{
    int32_t staying = query->shown.staying < placed ? query->shown.staying : placed;

    for (size_t c = 0; c < query->shown.count; c++) {
        const monitor_cohort *cohort = &query->shown.cohorts[c];
        for (int32_t i = cohort->first; i < cohort->first + cohort->count && i < staying; i++) {
            pods[i].has_sample = true;
            pods[i].value = cohort->value;
            pods[i].sample_age = query->age;
            pods[i].sample_window = cohort->window;
        }
    }
}

/** Appends the pods of one job: those that are placed, then those that are wanted. */
static size_t view_job_pods(const ws_view *view, const view_job_query *query, size_t count)
{
    const ws_jobs *jobs = view->control->jobs;
    ws_job_state state = ws_jobs_state(jobs, query->job);
    bool steps = state == WS_JOB_RUNNING || state == WS_JOB_WRITING;
    int32_t placed = ws_jobs_replicas(jobs, query->job);
    int32_t wanted = ws_jobs_wanted(jobs, query->job);
    int32_t joined = ws_jobs_joined(jobs, query->job);
    int64_t room = (int64_t)(view->pod_capacity - count);
    int64_t most = placed > wanted ? placed : wanted;
    ws_time now = ws_view_now(view);
    ws_pod *pods = view->pods + count;

    most = most < room ? most : room;
    placed = placed < most ? placed : (int32_t)most;
    for (int32_t i = 0; i < most; i++) {
        pods[i] = (ws_pod){.phase = WS_POD_PENDING, .request = query->request};
        if (i < placed) {
            bool is_ready = steps && i < joined;
            pods[i].phase = is_ready ? WS_POD_RUNNING : WS_POD_STARTING;
            pods[i].ready = is_ready;
            pods[i].deleted = i >= wanted;
            pods[i].has_started = true;
            pods[i].started_age = ws_time_since(now, ws_jobs_last_resize(jobs, query->job));
            pods[i].ready_age = ws_time_since(now, ws_jobs_ready_since(jobs, query->job));
        }
    }
    view_add_pod_samples(query, pods, placed);
    return count + (size_t)most;
}

/** What query `query` of the controller asks of a job. */
static view_job_query view_query_job(const ws_view *view, size_t query, size_t job)
{
    const ws_control *control = view->control;
    const ws_query *asked = &view->controller->subscriptions.queries[query];
    const ws_metric *metric = &ws_metrics[view->controller->metrics[query]];
    view_job_query made = {.job = job, .request = metric->scope == WS_METRIC_RESOURCE ? 100 : 0};
    ws_time scrape;

    if (metric->scope != WS_METRIC_CLUSTER &&
        view_is_asked(asked, ws_jobs_spec(control->jobs, job)->kind) &&
        ws_monitor_scrape_time(&control->monitor, ws_view_now(view), &scrape)) {
        made.age = ws_time_since(ws_view_now(view), scrape);
        ws_monitor_job_value(&control->monitor, control->jobs, job,
                             view->controller->metrics[query], scrape, &made.shown);
    }
    return made;
}

const ws_pod *ws_view_pods(const ws_view *view, size_t query, size_t *count)
{
    const ws_control *control = view->control;
    const ws_target *target = &view->controller->spec.target;
    WS_ASSERT(query < view->controller->subscriptions.count);

    *count = 0;
    if (target->kind == WS_TARGET_POOL) {
        *count = view_node_pods(view, target->pool);
        return view->pods;
    }
    for (size_t i = 0; i < control->active_count; i++) {
        size_t job = control->active[i];
        if (ws_control_is_target(control, view->controller, job)) {
            view_job_query asked = view_query_job(view, query, job);
            *count = view_job_pods(view, &asked, *count);
        }
    }
    return *count > 0 ? view->pods : NULL;
}
