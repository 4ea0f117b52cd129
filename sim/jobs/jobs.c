/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The jobs' state machine: arrivals, states, progress, ends, and what can be asked of a job. How a
 * world starts is in jobs_start.c; checkpoints, losses and resizes are in jobs_change.c.
 */
#include "ws/jobs.h"

#include <math.h>

#include "jobs_private.h"

ws_jobs *ws_jobs_new(ws_arena *arena, ws_kernel *kernel, ws_fleet *fleet,
                     const ws_jobs_options *options)
{
    ws_jobs *jobs = ws_arena_alloc(arena, ws_jobs, 1);
    ws_job_run *runs = ws_arena_alloc(arena, ws_job_run, options->job_count + 1);

    if (jobs == NULL || runs == NULL) {
        return NULL;
    }
    *jobs = (ws_jobs){
        .kernel = kernel,
        .fleet = fleet,
        .ledger = ws_fleet_ledger(fleet),
        .options = *options,
        .runs = runs,
    };
    jobs->flow_listener = (ws_flow_listener){.context = jobs, .finished = ws_jobs_transferred};
    jobs->reads_listener = (ws_flow_listener){.context = jobs, .changed = ws_jobs_reads_changed};
    for (size_t i = 0; i < options->job_count; i++) {
        WS_ASSERT(options->jobs[i].stage_count >= 1);
        WS_ASSERT(i == 0 || options->jobs[i - 1].submit.ns <= options->jobs[i].submit.ns);
        runs[i].wanted = options->jobs[i].replicas_initial;
        runs[i].entity = ws_text_hash(options->jobs[i].name);
        runs[i].last_resize = WS_TIME_NEVER;
        runs[i].held_since = WS_TIME_NEVER;
        runs[i].history.first_start = WS_TIME_NEVER;
        runs[i].history.end = WS_TIME_NEVER;
        runs[i].history.step_ratio = 1;
        runs[i].history.step_duty = 1;
        runs[i].history.step_collide = 1;
        runs[i].history.differ_at = WS_TIME_NEVER;
        runs[i].step_ratio = 1;
        runs[i].fed = 1;
    }
    return ws_jobs_links_init(jobs, arena) && ws_jobs_demands_init(jobs, arena) ? jobs : NULL;
}

size_t ws_jobs_event_capacity(size_t job_count)
{
    return 2 * job_count + 2; /* a timer, and a write or the next step of demand each, the next
                                 arrival, and the consequences of what others load the links with */
}

void ws_jobs_listen(ws_jobs *jobs, const ws_jobs_listener *listener)
{
    WS_ASSERT(listener != NULL);
    jobs->listener = *listener;
}

/* ---- time and state ---- */

/** Adds training time and what it was worth; an evaluation is none. */
static void jobs_weigh(ws_job_history *history, const ws_job_run *run, double span_s)
{
    if (!run->is_evaluating) {
        history->trained_s += span_s;
        history->effective_s += run->pace.efficiency * span_s;
    }
}

void ws_jobs_advance(ws_jobs *jobs, size_t job)
{
    WS_ASSERT(job < jobs->options.job_count);

    ws_job_run *run = &jobs->runs[job];
    ws_time now = ws_kernel_now(jobs->kernel);
    ws_duration span = ws_time_since(now, run->at);

    if (jobs->listener.changed != NULL) {
        jobs->listener.changed(jobs->listener.context, job);
    }
    if (ws_job_run_is_stepping(run)) {
        double done = run->pace.work_per_s * ws_duration_s(span);
        run->done += done;
        run->work += ws_pace_processed(&run->pace) * ws_duration_s(span);
        run->busy_s += ws_pace_busy(&run->pace) * ws_duration_s(span);
        run->compute_s += ws_pace_compute(&run->pace) * ws_duration_s(span);
        run->history.productive.ns += span.ns;
        jobs_weigh(&run->history, run, ws_duration_s(span));
        ws_jobs_count_reads(&run->history, run, ws_duration_s(span));
    }
    run->at = now;
    if (run->backlog != NULL) {
        ws_jobs_demand_advance(jobs, job);
    }
}

static void jobs_timer(void *context, uint64_t job);

/** A world that writes is as ready as one that steps. */
static bool jobs_is_ready(ws_job_state state)
{
    return state == WS_JOB_RUNNING || state == WS_JOB_WRITING;
}

void ws_jobs_set_end(ws_jobs *jobs, size_t job, ws_time end)
{
    WS_ASSERT(job < jobs->options.job_count);

    ws_event event = {
        .action = jobs_timer, .context = jobs, .argument = job, .phase = WS_PHASE_ENDS};

    (void)ws_kernel_cancel(jobs->kernel, jobs->runs[job].timer);
    jobs->runs[job].timer = ws_kernel_at(jobs->kernel, end, &event);
}

void ws_jobs_enter(ws_jobs *jobs, size_t job, ws_job_state state, ws_time end)
{
    ws_job_run *run = &jobs->runs[job];

    WS_ASSERT(run->at.ns == ws_kernel_now(jobs->kernel).ns); /* advanced */
    ws_jobs_abandon_transfer(jobs, job);
    if (state != WS_JOB_RUNNING) {
        (void)ws_kernel_cancel(jobs->kernel, run->checkpoint);
        run->is_evaluating = false;
        run->write_waits = false;
        ws_jobs_uncross(jobs, job);
        ws_jobs_stop_reading(jobs, job);
    }
    if (jobs_is_ready(run->state) != jobs_is_ready(state)) {
        run->ready_since = run->at;
    }
    run->state = state;
    run->since = run->at;
    ws_jobs_set_end(jobs, job, end);
}

/** When the goal will be reached at the pace of now; at least a nanosecond ahead unless nothing is
 * left. */
ws_time ws_jobs_goal_time(const ws_jobs *jobs, size_t job)
{
    const ws_job_run *run = &jobs->runs[job];
    double left = run->goal - run->done;
    double left_s = left > 0 ? left / run->pace.work_per_s : 0;

    if (left_s >= ws_duration_s((ws_duration){.ns = WS_HORIZON_MAX_NS})) {
        return WS_TIME_NEVER;
    }
    return ws_time_add(run->at, (ws_duration){.ns = (int64_t)ceil(left_s * 1e9 - 0.5)});
}

static double jobs_speed(const ws_jobs *jobs, size_t job)
{
    const ws_job_kind *kind = jobs->options.jobs[job].kind;
    uint64_t pools = ws_fleet_pools_of(jobs->fleet, ws_jobs_owner(jobs, job));
    double slowest = 0;

    for (size_t pool = 0; pool < ws_fleet_pool_count(jobs->fleet); pool++) {
        if (((pools >> pool) & 1) != 0 && (slowest <= 0 || kind->pool_speed[pool] < slowest)) {
            slowest = kind->pool_speed[pool];
        }
    }
    WS_ASSERT(slowest > 0);
    return slowest;
}

/** Pace of a job from now on, and until when. An evaluation that is under way goes on: it computes,
 * and trains nothing. */
static ws_time jobs_pace_or_evaluate(ws_jobs *jobs, size_t job)
{
    ws_job_run *run = &jobs->runs[job];
    const ws_stage_spec *stage = &jobs->options.jobs[job].stages[run->stage];

    if (run->backlog != NULL) {
        return ws_jobs_demand_pace(jobs, job);
    }
    if (!ws_jobs_evaluation_is_due(stage, run)) {
        ws_jobs_set_pace(jobs, job, run->done);
        run->goal = ws_jobs_goal(stage, run);
        return ws_jobs_goal_time(jobs, job);
    }
    if (!run->is_evaluating) {
        run->evaluation_end = ws_time_add(run->at, stage->evaluation.time);
    }
    run->is_evaluating = true;
    run->pace = (ws_pace){.efficiency = 1};
    return run->evaluation_end;
}

void ws_jobs_book_pace(ws_jobs *jobs, size_t job)
{
    WS_ASSERT(job < jobs->options.job_count);

    const ws_job_run *run = &jobs->runs[job];

    ws_ledger_set_activity(jobs->ledger, ws_jobs_owner(jobs, job),
                           (ws_activity){.main = WS_ACCOUNT_USEFUL,
                                         .pending = run->backlog == NULL,
                                         .communication = run->pace.communication,
                                         .input_stall = run->pace.input_stall,
                                         .straggle = run->pace.straggle},
                           run->at);
}

static ws_world jobs_world(ws_jobs *jobs, size_t job)
{
    ws_span_of_nodes span = ws_fleet_span(jobs->fleet, ws_jobs_owner(jobs, job));

    return (ws_world){.replicas = jobs->runs[job].replicas,
                      .gpus_per_replica = jobs->options.jobs[job].kind->gpus_per_replica,
                      .nodes = span.nodes,
                      .leaves = span.leaves,
                      .pods = span.pods,
                      .fabric_share = 1,
                      .speed = jobs_speed(jobs, job),
                      .read_bytes_per_s = ws_job_read_bytes_per_s(
                          jobs->options.jobs[job].kind, span.nodes,
                          ws_jobs_disks_bytes_per_s(jobs, job, jobs->runs[job].replicas, false))};
}

void ws_jobs_step(ws_jobs *jobs, size_t job)
{
    WS_ASSERT(job < jobs->options.job_count);

    ws_job_run *run = &jobs->runs[job];
    const ws_job_spec *spec = &jobs->options.jobs[job];
    const ws_checkpoint_spec *checkpoint = &spec->kind->checkpoint;
    bool was_running = run->state == WS_JOB_RUNNING;

    run->world = jobs_world(jobs, job);
    run->world.fabric_share = ws_jobs_fabric_share(jobs, job);
    ws_time end = jobs_pace_or_evaluate(jobs, job);
    ws_jobs_book_pace(jobs, job);
    ws_jobs_enter(jobs, job, WS_JOB_RUNNING, end);
    ws_jobs_cross(jobs, job);
    ws_jobs_read(jobs, job);
    ws_duration next_write = ws_jobs_next_write(jobs, job);
    bool has_timer = checkpoint->every.ns > 0 || checkpoint->local_every.ns > 0;
    if (spec->kind->has_checkpoint && has_timer && !was_running) {
        ws_event event = {.action = ws_jobs_checkpoint_due,
                          .context = jobs,
                          .argument = job,
                          .phase = WS_PHASE_ARRIVALS};
        run->checkpoint = ws_kernel_after(jobs->kernel, next_write, &event);
    }
}

static void jobs_finish(ws_jobs *jobs, size_t job)
{
    ws_job_run *run = &jobs->runs[job];
    size_t owner = ws_jobs_owner(jobs, job);

    ws_ledger_settle(jobs->ledger, owner, run->at);
    ws_jobs_keep(jobs, job, 0);
    run->history.end = run->at;
    run->history.held.ns += run->at.ns - run->held_since.ns;
    run->held_since = WS_TIME_NEVER;
    run->replicas = 0;
    run->joined = 0;
    ws_jobs_enter(jobs, job, WS_JOB_DONE, WS_TIME_NEVER);
    ws_fleet_take_all(jobs->fleet, owner);
    if (jobs->listener.done != NULL) {
        jobs->listener.done(jobs->listener.context, job);
    }
}

void ws_jobs_stage_completed(ws_jobs *jobs, size_t job)
{
    WS_ASSERT(job < jobs->options.job_count);

    ws_job_run *run = &jobs->runs[job];
    const ws_job_spec *spec = &jobs->options.jobs[job];

    run->done = spec->stages[run->stage].work; /* its end, whatever the rounding */
    if (run->stage + 1 == spec->stage_count) {
        jobs_finish(jobs, job);
        return;
    }
    run->stage++;
    run->done = 0;
    run->evaluations = 0;
    run->writes_due = 0;
    if (spec->kind->has_checkpoint) {
        ws_jobs_write(jobs, job,
                      false); /* a stage ends with a checkpoint: nothing falls back behind it */
    } else {
        ws_jobs_step(jobs, job);
    }
    if (jobs->listener.stage_done != NULL) {
        jobs->listener.stage_done(jobs->listener.context, job);
    }
}

/** The event that ends a state. */
static void jobs_timer(void *context, uint64_t job)
{
    ws_jobs *jobs = context;

    ws_jobs_advance(jobs, (size_t)job);
    switch (jobs->runs[job].state) {
    case WS_JOB_STARTING:
        ws_jobs_launched(jobs, (size_t)job);
        break;
    case WS_JOB_RUNNING:
        ws_jobs_goal_reached(jobs, (size_t)job);
        break;
    case WS_JOB_WRITING:
        ws_jobs_written(jobs, (size_t)job);
        break;
    case WS_JOB_DETECTING:
        ws_jobs_detected(jobs, (size_t)job);
        break;
    case WS_JOB_FUTURE:
    case WS_JOB_WAITING:
    case WS_JOB_DONE:
        WS_ASSERT(false && "a state without an end has ended");
        break;
    }
}

/* ---- arrivals ---- */

static void jobs_schedule_arrival(ws_jobs *jobs);

static void jobs_arrive(void *context, uint64_t job)
{
    ws_jobs *jobs = context;
    ws_job_run *run = &jobs->runs[job];

    WS_ASSERT(run->state == WS_JOB_FUTURE);
    WS_ASSERT(job == jobs->submitted_count);
    run->at = ws_kernel_now(jobs->kernel);
    run->saved_at = run->at;
    run->durable_at = run->at;
    ws_jobs_enter(jobs, (size_t)job, WS_JOB_WAITING, WS_TIME_NEVER);
    jobs->submitted_count++;
    jobs_schedule_arrival(jobs);
    if (run->backlog != NULL) {
        ws_jobs_demand_advance(jobs, (size_t)job);
        ws_jobs_demand_follow(jobs, (size_t)job);
    }
    if (jobs->listener.submitted != NULL) {
        jobs->listener.submitted(jobs->listener.context, (size_t)job);
    }
}

static void jobs_schedule_arrival(ws_jobs *jobs)
{
    if (jobs->submitted_count == jobs->options.job_count) {
        return;
    }
    ws_event event = {.action = jobs_arrive,
                      .context = jobs,
                      .argument = jobs->submitted_count,
                      .phase = WS_PHASE_ARRIVALS};
    (void)ws_kernel_at(jobs->kernel, jobs->options.jobs[jobs->submitted_count].submit, &event);
}

void ws_jobs_begin(ws_jobs *jobs)
{
    WS_ASSERT(jobs->submitted_count == 0);
    jobs_schedule_arrival(jobs);
}

/* ---- what can be asked ---- */

void ws_jobs_want(ws_jobs *jobs, size_t job, int32_t replicas)
{
    WS_ASSERT(replicas >= 1);
    jobs->runs[job].wanted = replicas;
}

ws_time ws_jobs_now(const ws_jobs *jobs)
{
    WS_ASSERT(jobs != NULL);
    return ws_kernel_now(jobs->kernel);
}

size_t ws_jobs_count(const ws_jobs *jobs)
{
    WS_ASSERT(jobs != NULL);
    return jobs->options.job_count;
}

size_t ws_jobs_submitted_count(const ws_jobs *jobs)
{
    WS_ASSERT(jobs != NULL);
    return jobs->submitted_count;
}

const ws_job_spec *ws_jobs_spec(const ws_jobs *jobs, size_t job)
{
    WS_ASSERT(job < jobs->options.job_count);
    return &jobs->options.jobs[job];
}

ws_job_state ws_jobs_state(const ws_jobs *jobs, size_t job)
{
    WS_ASSERT(job < jobs->options.job_count);
    return jobs->runs[job].state;
}

int32_t ws_jobs_wanted(const ws_jobs *jobs, size_t job)
{
    WS_ASSERT(job < jobs->options.job_count);
    return jobs->runs[job].wanted;
}

int32_t ws_jobs_replicas(const ws_jobs *jobs, size_t job)
{
    WS_ASSERT(job < jobs->options.job_count);
    return jobs->runs[job].replicas;
}

int32_t ws_jobs_replicas_next(const ws_jobs *jobs, size_t job)
{
    WS_ASSERT(job < jobs->options.job_count);

    const ws_job_run *run = &jobs->runs[job];
    return run->next != 0 ? run->next : run->replicas;
}

int32_t ws_jobs_joined(const ws_jobs *jobs, size_t job)
{
    WS_ASSERT(job < jobs->options.job_count);
    return jobs->runs[job].joined;
}

bool ws_jobs_is_resizing(const ws_jobs *jobs, size_t job)
{
    WS_ASSERT(job < jobs->options.job_count);
    return jobs->runs[job].next != 0;
}

size_t ws_jobs_stage(const ws_jobs *jobs, size_t job)
{
    WS_ASSERT(job < jobs->options.job_count);
    return jobs->runs[job].stage;
}

/** Seconds in which the job has stepped since its progress was last integrated. */
static double jobs_open_s(const ws_jobs *jobs, size_t job)
{
    const ws_job_run *run = &jobs->runs[job];
    ws_time now = ws_kernel_now(jobs->kernel);
    return ws_job_run_is_stepping(run) ? ws_duration_s(ws_time_since(now, run->at)) : 0;
}

double ws_jobs_stage_done(const ws_jobs *jobs, size_t job)
{
    WS_ASSERT(job < jobs->options.job_count);

    const ws_job_run *run = &jobs->runs[job];
    double done = run->done + run->pace.work_per_s * jobs_open_s(jobs, job);
    return fmin(done, jobs->options.jobs[job].stages[run->stage].work);
}

double ws_jobs_rate(const ws_jobs *jobs, size_t job)
{
    WS_ASSERT(job < jobs->options.job_count);

    const ws_job_run *run = &jobs->runs[job];
    return ws_job_run_is_stepping(run) ? run->pace.work_per_s : 0;
}

ws_time ws_jobs_state_since(const ws_jobs *jobs, size_t job)
{
    WS_ASSERT(job < jobs->options.job_count);
    return jobs->runs[job].since;
}

ws_time ws_jobs_ready_since(const ws_jobs *jobs, size_t job)
{
    WS_ASSERT(job < jobs->options.job_count);
    return jobs->runs[job].ready_since;
}

ws_time ws_jobs_last_resize(const ws_jobs *jobs, size_t job)
{
    WS_ASSERT(job < jobs->options.job_count);
    return jobs->runs[job].last_resize;
}

ws_time ws_jobs_saved_at(const ws_jobs *jobs, size_t job)
{
    WS_ASSERT(job < jobs->options.job_count);

    const ws_job_run *run = &jobs->runs[job];
    return run->backlog != NULL ? ws_kernel_now(jobs->kernel) : run->saved_at;
}

size_t ws_jobs_owner(const ws_jobs *jobs, size_t job)
{
    WS_ASSERT(job < jobs->options.job_count);
    return ws_fleet_first_job_owner(jobs->fleet) + job;
}

double ws_jobs_busy_s(const ws_jobs *jobs, size_t job)
{
    WS_ASSERT(job < jobs->options.job_count);

    const ws_job_run *run = &jobs->runs[job];
    return run->busy_s + ws_pace_busy(&run->pace) * jobs_open_s(jobs, job);
}

double ws_jobs_compute_s(const ws_jobs *jobs, size_t job)
{
    WS_ASSERT(job < jobs->options.job_count);

    const ws_job_run *run = &jobs->runs[job];
    return run->compute_s + ws_pace_compute(&run->pace) * jobs_open_s(jobs, job);
}

double ws_jobs_work(const ws_jobs *jobs, size_t job)
{
    WS_ASSERT(job < jobs->options.job_count);

    const ws_job_run *run = &jobs->runs[job];
    return run->work + ws_pace_processed(&run->pace) * jobs_open_s(jobs, job);
}

ws_job_history ws_jobs_history(const ws_jobs *jobs, size_t job)
{
    WS_ASSERT(job < jobs->options.job_count);

    const ws_job_run *run = &jobs->runs[job];
    ws_job_history history = run->history;
    ws_time now = ws_kernel_now(jobs->kernel);

    for (size_t i = 0; i < run->stage; i++) {
        history.work_done += jobs->options.jobs[job].stages[i].work;
    }
    history.work_done += ws_jobs_stage_done(jobs, job);
    if (ws_job_run_is_stepping(run)) {
        history.productive.ns += now.ns - run->at.ns;
        jobs_weigh(&history, run, ws_duration_s(ws_time_since(now, run->at)));
        ws_jobs_count_reads(&history, run, ws_duration_s(ws_time_since(now, run->at)));
    }
    if (run->held_since.ns != WS_TIME_NEVER.ns) {
        history.held.ns += now.ns - run->held_since.ns;
    }
    return history;
}

static bool jobs_is_consistent(const ws_jobs *jobs, size_t job)
{
    const ws_job_run *run = &jobs->runs[job];
    int64_t held = ws_fleet_held(jobs->fleet, ws_jobs_owner(jobs, job));
    int64_t placed = (int64_t)run->replicas * jobs->options.jobs[job].kind->gpus_per_replica;

    switch (run->state) {
    case WS_JOB_FUTURE:
    case WS_JOB_WAITING:
    case WS_JOB_DONE:
        return held == 0 && run->replicas == 0 && run->joined == 0 && run->next == 0;
    case WS_JOB_STARTING:
        return held == placed && placed > 0 && run->joined <= run->replicas && run->next == 0;
    case WS_JOB_RUNNING:
        return held == placed && placed > 0 && run->joined == run->replicas && run->next == 0;
    case WS_JOB_WRITING:
        return held == placed && placed > 0 && run->joined > 0 && run->joined <= run->replicas;
    case WS_JOB_DETECTING:
        return held < placed || run->replicas == 0;
    }
    return false;
}

bool ws_jobs_are_consistent(const ws_jobs *jobs)
{
    WS_ASSERT(jobs != NULL);
    for (size_t job = 0; job < jobs->submitted_count; job++) {
        const ws_job_run *run = &jobs->runs[job];
        const ws_job_spec *spec = &jobs->options.jobs[job];
        if (!jobs_is_consistent(jobs, job) || run->stage >= spec->stage_count || run->done < 0 ||
            run->saved_stage > run->stage) {
            return false;
        }
    }
    return true;
}

ws_pace ws_jobs_pace_at(const ws_jobs *jobs, size_t job, size_t stage, int32_t replicas)
{
    const ws_job_spec *spec = &jobs->options.jobs[job];
    size_t pool = 0;

    WS_ASSERT(stage < spec->stage_count);
    while (((spec->kind->pools >> pool) & 1) == 0) {
        pool++;
    }
    ws_world world = ws_job_world_packed(spec->kind, pool, ws_fleet_pool(jobs->fleet, pool),
                                         ws_fleet_fabric(jobs->fleet), replicas);
    double done = stage == jobs->runs[job].stage ? ws_jobs_stage_done(jobs, job) : 0;
    return ws_stage_pace(&spec->stages[stage], &world, done);
}
