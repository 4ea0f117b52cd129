/* SPDX-License-Identifier: GPL-3.0-or-later */
/* News in, gauges and sets kept up to date, passes asked for. Controllers are in controller.c,
 * passes in arbitration.c. */
#include "ws/control.h"

#include <string.h>

#include "control_private.h"

/* ---- gauges and sets ---- */

static void control_set_member(ws_index_set *set, size_t job, bool member)
{
    if (member) {
        (void)ws_index_set_insert(set, job);
    } else {
        (void)ws_index_set_remove(set, job);
    }
}

static control_demand control_demand_change(control_demand to, control_demand from)
{
    return (control_demand){.pending_gpus = to.pending_gpus - from.pending_gpus,
                            .requested_gpus = to.requested_gpus - from.requested_gpus,
                            .backlog = to.backlog - from.backlog};
}

static void control_demand_add(control_demand *sum, control_demand change)
{
    sum->pending_gpus += change.pending_gpus;
    sum->requested_gpus += change.requested_gpus;
    sum->backlog += change.backlog;
}

/** A pool is asked for what is held on it and for what waits for it, wherever that goes in the end.
 */
static int64_t control_pool_requested(const ws_control *control, size_t pool)
{
    return control->demand[pool].pending_gpus +
           ws_fleet_pool_counts(control->fleet, pool).gpus_held;
}

static void control_record_gauges(ws_control *control)
{
    ws_time now = ws_kernel_now(control->kernel);
    size_t pool_count = ws_fleet_pool_count(control->fleet);

    for (size_t i = 0; i <= pool_count; i++) {
        const control_demand *demand = &control->demand[i == pool_count ? WS_POOLS_MAX : i];
        int64_t requested =
            i == pool_count ? demand->requested_gpus : control_pool_requested(control, i);
        ws_monitor_gauge_set(&control->monitor.pending[i], now, demand->pending_gpus);
        ws_monitor_gauge_set(&control->monitor.requested[i], now, requested);
        ws_monitor_gauge_set(&control->monitor.backlog[i], now, demand->backlog);
    }
}

/** Brings the gauges of all pools that the job accepts, and the cluster's, up to date. */
static void control_set_demand(ws_control *control, size_t job, control_demand demand)
{
    uint64_t pools = ws_jobs_spec(control->jobs, job)->kind->pools;
    control_demand change = control_demand_change(demand, control->job_demand[job]);

    for (size_t pool = 0; pool < ws_fleet_pool_count(control->fleet); pool++) {
        if (((pools >> pool) & 1) != 0) {
            control_demand_add(&control->demand[pool], change);
        }
    }
    control_demand_add(&control->demand[WS_POOLS_MAX], change);
    control->job_demand[job] = demand;
    control_record_gauges(control);
}

/** GPUs of replicas that a job wants now, legal in its stage. */
static int32_t control_wanted(const ws_control *control, size_t job)
{
    ws_arbitration arbitration = {.control = (ws_control *)control};
    return ws_arbitration_wanted(&arbitration, job);
}

void ws_control_refresh(ws_control *control, size_t job)
{
    WS_ASSERT(job < ws_jobs_count(control->jobs));

    const ws_job_kind *kind = ws_jobs_spec(control->jobs, job)->kind;
    ws_job_state state = ws_jobs_state(control->jobs, job);
    bool active = state != WS_JOB_FUTURE && state != WS_JOB_DONE;
    bool steps = state == WS_JOB_RUNNING || state == WS_JOB_WRITING;
    bool can_grow = kind->elasticity->resize != WS_RESIZE_REFUSED;
    bool stays = steps || state == WS_JOB_STARTING;
    bool resizes = ws_jobs_is_resizing(control->jobs, job);
    int64_t wanted = active ? control_wanted(control, job) : 0;
    int64_t lacking = wanted - ws_jobs_replicas_next(control->jobs, job);
    control_demand demand = {.requested_gpus = wanted * kind->gpus_per_replica,
                             .backlog = state == WS_JOB_WAITING ? 1 : 0};

    /* What runs and cannot grow has all that it will get. */
    if (active && lacking > 0 && (can_grow || !stays)) {
        demand.pending_gpus = lacking * kind->gpus_per_replica;
    }
    control_set_member(&control->waiting, job, state == WS_JOB_WAITING);
    control_set_member(&control->hungry, job, steps && can_grow && lacking > 0 && !resizes);
    if (ws_control_limit(control, job) < ws_jobs_replicas_next(control->jobs, job)) {
        (void)ws_index_set_insert(&control->review, job);
        ws_control_settle(control);
    }
    control_set_demand(control, job, demand);
}

/* ---- settling ---- */

static void control_settle_event(void *context, uint64_t unused)
{
    (void)unused;
    ws_control_pass(context);
}

void ws_control_settle(ws_control *control)
{
    WS_ASSERT(control != NULL);

    ws_event event = {.action = control_settle_event, .context = control, .phase = WS_PHASE_SETTLE};

    if (!ws_kernel_is_pending(control->kernel, control->settle)) {
        control->settle = ws_kernel_at(control->kernel, ws_kernel_now(control->kernel), &event);
    }
}

/* ---- active jobs ---- */

static void control_forget(ws_control *control, size_t job)
{
    size_t low = 0;
    size_t high = control->active_count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (control->active[middle] < job) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    WS_ASSERT(low < control->active_count);
    WS_ASSERT(control->active[low] == job);
    memmove(control->active + low, control->active + low + 1,
            (control->active_count - low - 1) * sizeof *control->active);
    control->active_count--;
}

/* ---- creation ---- */

static bool control_asks_job_series(const ws_controller_spec *spec)
{
    ws_subscriptions subscriptions = {.count = 0};

    if (spec->type->subscribe != NULL) {
        spec->type->subscribe(spec->parameters, &subscriptions);
    }
    for (size_t i = 0; i < subscriptions.count; i++) {
        ws_metric_id metric = ws_metric_find(subscriptions.queries[i].metric);
        if (metric != WS_METRIC_COUNT && ws_metrics[metric].scope != WS_METRIC_CLUSTER) {
            return true;
        }
    }
    return false;
}

/** True when some controller asks for series of jobs. */
static bool control_needs_job_series(const ws_control_options *options)
{
    for (size_t i = 0; i < options->controller_count; i++) {
        if (control_asks_job_series(&options->controllers[i])) {
            return true;
        }
    }
    return false;
}

/** The priorities of all jobs, highest first, each once. There are few. */
static bool control_list_priorities(ws_control *control, ws_arena *arena)
{
    size_t job_count = ws_jobs_count(control->jobs);
    int32_t *list = ws_arena_alloc(arena, int32_t, job_count + 1);
    size_t count = 0;

    if (list == NULL) {
        return false;
    }
    for (size_t job = 0; job < job_count; job++) {
        int32_t priority = ws_jobs_spec(control->jobs, job)->kind->priority;
        size_t at = 0;
        while (at < count && list[at] > priority) {
            at++;
        }
        if (at == count || list[at] != priority) {
            memmove(list + at + 1, list + at, (count - at) * sizeof *list);
            list[at] = priority;
            count++;
        }
    }
    control->priorities = list;
    control->priority_count = count;
    return true;
}

static bool control_reserve(ws_control *control, ws_arena *arena)
{
    size_t job_count = ws_jobs_count(control->jobs);
    size_t pool_count = ws_fleet_pool_count(control->fleet);
    bool with_jobs = control_needs_job_series(&control->options);

    control->active = ws_arena_alloc(arena, size_t, job_count + 1);
    control->job_demand = ws_arena_alloc(arena, control_demand, job_count + 1);
    return control->active != NULL && control->job_demand != NULL &&
           control_list_priorities(control, arena) &&
           ws_index_set_init(&control->waiting, arena, job_count) &&
           ws_index_set_init(&control->hungry, arena, job_count) &&
           ws_index_set_init(&control->review, arena, job_count) &&
           ws_monitor_init(&control->monitor, arena, &control->options.monitoring, pool_count,
                           with_jobs ? control->jobs : NULL) &&
           ws_control_init_controllers(control, arena);
}

ws_control *ws_control_new(ws_arena *arena, ws_kernel *kernel, ws_fleet *fleet, ws_jobs *jobs,
                           const ws_control_options *options)
{
    ws_control *control = ws_arena_alloc(arena, ws_control, 1);

    if (control == NULL) {
        return NULL;
    }
    WS_ASSERT(options->controller_count <= WS_CONTROLLERS_MAX);
    *control = (ws_control){.kernel = kernel, .fleet = fleet, .jobs = jobs, .options = *options};
    if (!control_reserve(control, arena)) {
        return NULL;
    }
    ws_control_hear(control);
    return control;
}

size_t ws_control_event_capacity(size_t controller_count)
{
    return 2 + 2 * controller_count; /* settle, regrow; decide and apply of each controller */
}

void ws_control_listen(ws_control *control, const ws_control_listener *listener)
{
    WS_ASSERT(listener != NULL);
    control->listener = *listener;
}

void ws_control_listen_fleet(ws_control *control, const ws_fleet_listener *listener)
{
    WS_ASSERT(listener != NULL);
    control->above_fleet = *listener;
}

void ws_control_listen_jobs(ws_control *control, const ws_jobs_listener *listener)
{
    WS_ASSERT(listener != NULL);
    control->above_jobs = *listener;
}

int64_t ws_control_pending_gpus(const ws_control *control)
{
    WS_ASSERT(control != NULL);
    return control->demand[WS_POOLS_MAX].pending_gpus;
}

int64_t ws_control_requested_gpus(const ws_control *control)
{
    WS_ASSERT(control != NULL);
    return control->demand[WS_POOLS_MAX].requested_gpus;
}

int64_t ws_control_pool_pending_gpus(const ws_control *control, size_t pool)
{
    WS_ASSERT(pool < ws_fleet_pool_count(control->fleet));
    return control->demand[pool].pending_gpus;
}

ws_control_counts ws_control_totals(const ws_control *control)
{
    WS_ASSERT(control != NULL);
    return control->counts;
}

size_t ws_control_active_count(const ws_control *control)
{
    WS_ASSERT(control != NULL);
    return control->active_count;
}

size_t ws_control_waiting_count(const ws_control *control)
{
    WS_ASSERT(control != NULL);
    return control->waiting.count;
}

/* ---- news of jobs ---- */

static void control_submitted(void *context, size_t job)
{
    ws_control *control = context;

    control->active[control->active_count++] = job;
    ws_control_refresh(control, job);
    ws_control_settle(control);
    ws_control_wake(control, WS_WAKE_JOB_ARRIVED);
    if (control->above_jobs.submitted != NULL) {
        control->above_jobs.submitted(control->above_jobs.context, job);
    }
}

static void control_needs_gpus(void *context, size_t job)
{
    ws_control *control = context;

    ws_control_refresh(control, job);
    ws_control_settle(control);
    if (control->above_jobs.needs_gpus != NULL) {
        control->above_jobs.needs_gpus(control->above_jobs.context, job);
    }
}

static void control_placed(void *context, size_t job)
{
    const ws_control *control = context;

    if (control->above_jobs.placed != NULL) {
        control->above_jobs.placed(control->above_jobs.context, job);
    }
}

static void control_resized(void *context, size_t job, int32_t from)
{
    const ws_control *control = context;

    if (control->above_jobs.resized != NULL) {
        control->above_jobs.resized(control->above_jobs.context, job, from);
    }
}

static void control_transferred(void *context, size_t job)
{
    const ws_control *control = context;

    if (control->above_jobs.transferred != NULL) {
        control->above_jobs.transferred(control->above_jobs.context, job);
    }
}

static void control_repaced(void *context, size_t job)
{
    const ws_control *control = context;

    if (control->above_jobs.repaced != NULL) {
        control->above_jobs.repaced(control->above_jobs.context, job);
    }
}

static void control_fed(void *context, size_t job)
{
    const ws_control *control = context;

    if (control->above_jobs.fed != NULL) {
        control->above_jobs.fed(control->above_jobs.context, job);
    }
}

/** A job steps: what it was too busy for can be looked at now. */
static void control_started(void *context, size_t job)
{
    ws_control *control = context;

    (void)ws_index_set_insert(&control->review, job);
    ws_control_refresh(control, job);
    ws_control_settle(control);
    ws_control_wake(control, WS_WAKE_JOB_STARTED);
    if (control->above_jobs.started != NULL) {
        control->above_jobs.started(control->above_jobs.context, job);
    }
}

static void control_stage_done(void *context, size_t job)
{
    ws_control *control = context;

    (void)ws_index_set_insert(&control->review, job);
    ws_control_refresh(control, job);
    ws_control_settle(control);
    ws_control_wake(control, WS_WAKE_STAGE_DONE);
    if (control->above_jobs.stage_done != NULL) {
        control->above_jobs.stage_done(control->above_jobs.context, job);
    }
}

/** A resize that waited for the write has given GPUs back, and what was asked meanwhile was
 * refused; or a growth was put off until something is durable. */
static void control_saved(void *context, size_t job)
{
    ws_control *control = context;
    bool restarts = ws_jobs_state(control->jobs, job) == WS_JOB_STARTING;

    ws_control_refresh(control, job);
    if (restarts) {
        (void)ws_index_set_insert(&control->review, job);
    }
    if (restarts || ws_index_set_has(&control->hungry, job)) {
        ws_control_settle(control);
    }
    if (control->above_jobs.saved != NULL) {
        control->above_jobs.saved(control->above_jobs.context, job);
    }
}

static void control_done(void *context, size_t job)
{
    ws_control *control = context;

    control_forget(control, job);
    ws_control_refresh(control, job);
    ws_control_settle(control);
    ws_control_wake(control, WS_WAKE_JOB_DONE);
    if (control->above_jobs.done != NULL) {
        control->above_jobs.done(control->above_jobs.context, job);
    }
}

static void control_changed(void *context, size_t job)
{
    ws_control *control = context;

    ws_monitor_job_reading(&control->monitor, control->jobs, job);
    if (control->above_jobs.changed != NULL) {
        control->above_jobs.changed(control->above_jobs.context, job);
    }
}

/* ---- news of nodes ---- */

/** Whoever holds GPUs of a node that is to go should leave it if it can: all who are active are
 * looked at. */
static void control_review_draining(ws_control *control)
{
    for (size_t i = 0; control->options.leave_draining && i < control->active_count; i++) {
        size_t owner = ws_jobs_owner(control->jobs, control->active[i]);
        if (ws_fleet_held_draining(control->fleet, owner) > 0) {
            (void)ws_index_set_insert(&control->review, control->active[i]);
        }
    }
    ws_control_settle(control);
}

/** One node more that stays may be what a job needs to leave the others. */
static void control_node_ready(void *context, ws_node_id node)
{
    ws_control *control = context;

    control_review_draining(control);
    ws_control_wake(control, WS_WAKE_NODE_READY);
    if (control->above_fleet.node_ready != NULL) {
        control->above_fleet.node_ready(control->above_fleet.context, node);
    }
}

static void control_node_lost(void *context, ws_node_id node, const size_t *holders, size_t count)
{
    ws_control *control = context;
    size_t first = ws_fleet_first_job_owner(control->fleet);

    for (size_t i = 0; i < count; i++) {
        ws_jobs_node_lost(control->jobs, holders[i] - first, node);
        ws_control_refresh(control, holders[i] - first);
    }
    ws_control_wake(control, WS_WAKE_NODE_LOST);
    if (control->above_fleet.node_lost != NULL) {
        control->above_fleet.node_lost(control->above_fleet.context, node, holders, count);
    }
}

static void control_node_draining(void *context, ws_node_id node)
{
    ws_control *control = context;

    control_review_draining(control);
    if (control->above_fleet.node_draining != NULL) {
        control->above_fleet.node_draining(control->above_fleet.context, node);
    }
}

static void control_node_requested(void *context, ws_node_id node)
{
    const ws_control *control = context;

    if (control->above_fleet.node_requested != NULL) {
        control->above_fleet.node_requested(control->above_fleet.context, node);
    }
}

static void control_node_released(void *context, ws_node_id node)
{
    ws_control *control = context;

    if (control->above_fleet.node_released != NULL) {
        control->above_fleet.node_released(control->above_fleet.context, node);
    }
}

static void control_node_request_failed(void *context, ws_node_id node)
{
    ws_control *control = context;

    if (control->above_fleet.node_request_failed != NULL) {
        control->above_fleet.node_request_failed(control->above_fleet.context, node);
    }
}

void ws_control_hear(ws_control *control)
{
    WS_ASSERT(control != NULL);
    ws_fleet_listen(control->fleet, &(ws_fleet_listener){
                                        .context = control,
                                        .node_requested = control_node_requested,
                                        .node_ready = control_node_ready,
                                        .node_lost = control_node_lost,
                                        .node_draining = control_node_draining,
                                        .node_released = control_node_released,
                                        .node_request_failed = control_node_request_failed,
                                    });
    ws_jobs_listen(control->jobs, &(ws_jobs_listener){
                                      .context = control,
                                      .submitted = control_submitted,
                                      .needs_gpus = control_needs_gpus,
                                      .placed = control_placed,
                                      .resized = control_resized,
                                      .transferred = control_transferred,
                                      .repaced = control_repaced,
                                      .fed = control_fed,
                                      .started = control_started,
                                      .stage_done = control_stage_done,
                                      .saved = control_saved,
                                      .done = control_done,
                                      .changed = control_changed,
                                  });
}
