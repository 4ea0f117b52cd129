/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checkpoints, failures and planned changes of a world. */
#include <math.h>

#include "jobs_private.h"
#include "ws/random.h"

/* ---- checkpoints ---- */

/** What the GPUs do during a write: the world stands still, and workers that join it afterwards are
 * starting. */
static void change_write_activity(ws_jobs *jobs, size_t job)
{
    const ws_job_run *run = &jobs->runs[job];
    ws_activity activity = {.main = WS_ACCOUNT_CHECKPOINT,
                            .pending = true,
                            .cold_start = 1 - (double)run->joined / run->replicas};

    WS_ASSERT(run->next <= run->replicas); /* growing takes its GPUs before the write */
    ws_ledger_set_activity(jobs->ledger, ws_jobs_owner(jobs, job), activity, run->at);
}

void ws_jobs_write(ws_jobs *jobs, size_t job, bool is_local)
{
    WS_ASSERT(job < jobs->options.job_count);

    ws_job_run *run = &jobs->runs[job];
    const ws_checkpoint_spec *checkpoint = &jobs->options.jobs[job].kind->checkpoint;

    change_write_activity(jobs, job);
    run->is_local_write = is_local;
    if (is_local) {
        ws_jobs_write_local(jobs, job);
    } else if (checkpoint->write_bytes > 0) {
        ws_jobs_enter(jobs, job, WS_JOB_WRITING, WS_TIME_NEVER);
        ws_jobs_transfer(jobs, job, WS_CHANNEL_WRITE, checkpoint->write_bytes, (double)INFINITY);
    } else {
        ws_jobs_enter(jobs, job, WS_JOB_WRITING, ws_time_add(run->at, checkpoint->write));
    }
}

static ws_cost_integral change_kept_cost(const ws_jobs *jobs, size_t job)
{
    const ws_job_run *run = &jobs->runs[job];
    ws_price price = jobs->options.jobs[job].kind->checkpoint.keep_price;
    ws_duration span = ws_time_since(ws_kernel_now(jobs->kernel), run->kept_at);

    price.nano_per_h *= run->kept;
    return ws_cost_integral_add(run->kept_cost, ws_cost_integral_of(price, span));
}

void ws_jobs_keep(ws_jobs *jobs, size_t job, int32_t kept)
{
    WS_ASSERT(job < jobs->options.job_count);

    ws_job_run *run = &jobs->runs[job];

    run->kept_cost = change_kept_cost(jobs, job);
    run->kept_at = ws_kernel_now(jobs->kernel);
    run->kept = kept;
}

ws_money ws_jobs_storage_cost(const ws_jobs *jobs, size_t job)
{
    WS_ASSERT(job < jobs->options.job_count);
    return ws_money_of_cost(change_kept_cost(jobs, job));
}

void ws_jobs_checkpoint_due(void *context, uint64_t job)
{
    ws_jobs *jobs = context;

    ws_jobs_advance(jobs, (size_t)job);
    WS_ASSERT(jobs->runs[job].state == WS_JOB_RUNNING);
    if (jobs->runs[job].is_evaluating) {
        jobs->runs[job].write_waits = true; /* until the evaluation is over */
        return;
    }
    ws_jobs_write(jobs, (size_t)job, ws_jobs_write_is_local(jobs, (size_t)job));
}

static void change_written_durably(ws_jobs *jobs, size_t job)
{
    ws_job_run *run = &jobs->runs[job];
    int32_t keep = jobs->options.jobs[job].kind->checkpoint.keep;
    int32_t most = keep > 0 ? keep : 1;

    run->saved_stage = run->stage;
    run->saved_done = run->done;
    run->saved_evaluations = run->evaluations;
    run->saved_writes_due = run->writes_due;
    run->saved_at = run->at;
    run->durable_at = run->at;
    run->has_saved = true;
    run->has_local = false; /* it is not the newest any more */
    run->saved_productive = run->history.productive;
    run->paced_since = run->history.productive;
    run->history.checkpoints++;
    ws_jobs_keep(jobs, job, run->kept < most ? run->kept + 1 : most);
    ws_ledger_settle(jobs->ledger, ws_jobs_owner(jobs, job), run->at);
}

void ws_jobs_written(ws_jobs *jobs, size_t job)
{
    WS_ASSERT(job < jobs->options.job_count);

    ws_job_run *run = &jobs->runs[job];
    bool shrinks = run->next != 0 && run->next < run->replicas;

    if (!run->is_local_write) {
        change_written_durably(jobs, job);
    } else if (shrinks) { /* some of its nodes may go: it cannot stay there */
        ws_jobs_write(jobs, job, false);
        return;
    } else {
        ws_jobs_written_local(jobs, job);
    }
    if (run->next != 0) {
        ws_jobs_restart_at(jobs, job, run->next);
    } else {
        ws_jobs_step(jobs, job);
    }
    if (jobs->listener.saved != NULL) {
        jobs->listener.saved(jobs->listener.context, job);
    }
}

/** Sets the work back to a point. */
static void change_go_back(ws_jobs *jobs, size_t job, const ws_job_point *point)
{
    ws_job_run *run = &jobs->runs[job];
    const ws_job_spec *spec = &jobs->options.jobs[job];

    for (size_t stage = point->stage; stage < run->stage; stage++) {
        run->history.work_lost += spec->stages[stage].work;
    }
    run->history.work_lost += run->done - point->done;
    run->history.lost.ns += run->history.productive.ns - point->productive.ns;
    run->stage = point->stage;
    run->done = point->done;
    run->evaluations = point->evaluations;
    run->writes_due = point->writes_due;
}

void ws_jobs_roll_back(ws_jobs *jobs, size_t job, bool loses_disks)
{
    WS_ASSERT(job < jobs->options.job_count);

    ws_job_run *run = &jobs->runs[job];
    size_t owner = ws_jobs_owner(jobs, job);

    if (run->backlog != NULL) {
        run->has_local = run->has_local && !loses_disks;
        return; /* what is served is served */
    }
    if (run->has_local && !loses_disks) {
        int64_t lost_ns = run->history.productive.ns - run->local.productive.ns;
        (void)ws_ledger_roll_back(jobs->ledger, owner, run->at);
        change_go_back(jobs, job, &run->local);
        run->local.productive.ns += lost_ns;
        run->saved_productive.ns += lost_ns; /* is lost once */
        return;
    }
    (void)ws_ledger_roll_back_all(jobs->ledger, owner, run->at);
    change_go_back(jobs, job,
                   &(ws_job_point){.stage = run->saved_stage,
                                   .done = run->saved_done,
                                   .evaluations = run->saved_evaluations,
                                   .writes_due = run->saved_writes_due,
                                   .productive = run->saved_productive});
    run->saved_productive = run->history.productive;
    if (run->has_local) {
        run->has_local = false;
        run->saved_at = run->durable_at;
        run->history.disk_losses++;
    }
}

/* ---- failures ---- */

/** Time from the fault until everyone has stopped: a crash is seen at once, a hang by the
 * collective's time-out. */
static ws_duration change_draw_detection(const ws_jobs *jobs, size_t job, ws_node_id node)
{
    const ws_job_run *run = &jobs->runs[job];
    size_t pool = ws_fleet_node_pool(jobs->fleet, node);
    const ws_node_failures *failures = &ws_fleet_pool(jobs->fleet, pool)->failures;
    ws_stream stream;

    if (ws_fleet_node_loss(jobs->fleet, node) == WS_LOSS_RECLAIM) {
        return ws_fleet_pool(jobs->fleet, pool)->reclaim_detection;
    }
    ws_stream_open(&stream, (ws_stream_key){.seed = jobs->options.seed,
                                            .replication = jobs->options.replication,
                                            .purpose = WS_PURPOSE_DETECTION,
                                            .entity = run->entity,
                                            .index = (uint64_t)run->history.failures});
    double u = ws_stream_uniform(&stream);
    return u < failures->hang_probability ? failures->hang_detection : failures->crash_detection;
}

void ws_jobs_node_lost(ws_jobs *jobs, size_t job, ws_node_id node)
{
    ws_job_run *run = &jobs->runs[job];

    ws_jobs_advance(jobs, job);
    run->history.failures++;
    switch (run->state) {
    case WS_JOB_DETECTING:
        return;
    case WS_JOB_STARTING:
        ws_jobs_abandon_launch(jobs, job);
        ws_jobs_lose_disks(jobs, job);
        break;
    case WS_JOB_RUNNING:
    case WS_JOB_WRITING:
        ws_jobs_roll_back(jobs, job, true);
        break;
    case WS_JOB_FUTURE:
    case WS_JOB_WAITING:
    case WS_JOB_DONE:
        WS_ASSERT(false && "a job without GPUs has lost a node");
        return;
    }
    run->next = 0;
    ws_ledger_set_activity(jobs->ledger, ws_jobs_owner(jobs, job),
                           (ws_activity){.main = WS_ACCOUNT_RECOVERY}, run->at);
    ws_duration detection = change_draw_detection(jobs, job, node);
    ws_jobs_enter(jobs, job, WS_JOB_DETECTING, ws_time_add(run->at, detection));
}

/** Gives back all GPUs and waits for others. */
static void change_wait(ws_jobs *jobs, size_t job)
{
    ws_job_run *run = &jobs->runs[job];

    run->history.held.ns += run->at.ns - run->held_since.ns;
    run->held_since = WS_TIME_NEVER;
    run->replicas = 0;
    run->joined = 0;
    run->next = 0;
    run->staged = 0;
    ws_jobs_enter(jobs, job, WS_JOB_WAITING, WS_TIME_NEVER);
    ws_fleet_take_all(jobs->fleet, ws_jobs_owner(jobs, job));
    if (jobs->listener.needs_gpus != NULL) {
        jobs->listener.needs_gpus(jobs->listener.context, job);
    }
}

void ws_jobs_detected(ws_jobs *jobs, size_t job)
{
    WS_ASSERT(job < jobs->options.job_count);
    change_wait(jobs, job);
}

bool ws_jobs_preempt(ws_jobs *jobs, size_t job)
{
    WS_ASSERT(job < jobs->options.job_count);

    ws_job_run *run = &jobs->runs[job];

    switch (run->state) {
    case WS_JOB_STARTING:
        ws_jobs_advance(jobs, job);
        ws_jobs_abandon_launch(jobs, job);
        ws_jobs_lose_disks(jobs, job);
        break;
    case WS_JOB_RUNNING:
    case WS_JOB_WRITING:
        ws_jobs_advance(jobs, job);
        ws_jobs_roll_back(jobs, job, true);
        break;
    case WS_JOB_FUTURE:
    case WS_JOB_WAITING:
    case WS_JOB_DETECTING:
    case WS_JOB_DONE:
        return false;
    }
    run->history.preemptions++;
    run->was_preempted = true;
    change_wait(jobs, job);
    return true;
}

/* ---- planned changes ---- */

/** Gives back what a smaller world does not need, and starts the world. */
static void change_relaunch(ws_jobs *jobs, size_t job, int32_t replicas, ws_start_kind kind)
{
    ws_job_run *run = &jobs->runs[job];
    int32_t survivors = run->joined < replicas ? run->joined : replicas;

    if (replicas < run->replicas) {
        ws_fleet_take(jobs->fleet, ws_jobs_owner(jobs, job),
                      jobs->options.jobs[job].kind->gpus_per_replica, run->replicas - replicas);
    }
    run->replicas = replicas;
    run->next = 0;
    run->history.restarts++;
    ws_jobs_launch(jobs, job, kind, kind == WS_START_RESIZE ? survivors : 0);
}

void ws_jobs_restart_at(ws_jobs *jobs, size_t job, int32_t replicas)
{
    WS_ASSERT(job < jobs->options.job_count);
    WS_ASSERT(replicas >= 1);

    const ws_job_run *run = &jobs->runs[job];
    bool has_stepped = run->history.productive.ns > 0 || run->has_saved;

    change_relaunch(jobs, job, replicas, has_stepped ? WS_START_RESIZE : WS_START_COLD);
}

static ws_gang change_growth(const ws_jobs *jobs, size_t job, int32_t replicas)
{
    const ws_job_kind *kind = jobs->options.jobs[job].kind;

    return (ws_gang){.replicas = replicas - jobs->runs[job].replicas,
                     .gpus_per_replica = kind->gpus_per_replica,
                     .pools = kind->pools};
}

static bool change_fits(const ws_jobs *jobs, size_t job, int32_t replicas)
{
    ws_gang gang = change_growth(jobs, job, replicas);

    return gang.replicas <= 0 || ws_fleet_fit(jobs->fleet, &gang) == gang.replicas;
}

/** Takes the GPUs that a larger world needs, which fit. */
static void change_grow(ws_jobs *jobs, size_t job, int32_t replicas)
{
    ws_gang gang = change_growth(jobs, job, replicas);

    if (gang.replicas > 0) {
        bool granted = ws_fleet_grant(jobs->fleet, ws_jobs_owner(jobs, job), &gang);
        WS_ASSERT(granted);
        jobs->runs[job].replicas = replicas;
    }
}

/** Stops a world that is stepping or writing. */
static void change_stop(ws_jobs *jobs, size_t job, int32_t replicas)
{
    ws_job_run *run = &jobs->runs[job];
    const ws_job_kind *kind = jobs->options.jobs[job].kind;
    bool writes_first = kind->has_checkpoint && kind->checkpoint.before_resize;
    bool shrinks = replicas < run->replicas; /* its nodes may go, and their disks with them */

    run->history.resizes++;
    if (run->state == WS_JOB_WRITING) {
        run->next = replicas; /* the write that is under way will do */
        change_write_activity(jobs, job);
        return;
    }
    if (writes_first) {
        run->next = replicas;
        ws_jobs_write(jobs, job, kind->checkpoint.local_every.ns > 0 && !shrinks);
        return;
    }
    ws_jobs_roll_back(jobs, job, shrinks);
    ws_jobs_restart_at(jobs, job, replicas);
}

bool ws_jobs_resize(ws_jobs *jobs, size_t job, int32_t replicas)
{
    ws_job_run *run = &jobs->runs[job];
    const ws_job_kind *kind = jobs->options.jobs[job].kind;

    WS_ASSERT(replicas >= 1);
    if (kind->elasticity->resize == WS_RESIZE_REFUSED || run->next != 0 ||
        replicas == run->replicas || !change_fits(jobs, job, replicas)) {
        return false;
    }
    switch (run->state) {
    case WS_JOB_STARTING:
    case WS_JOB_RUNNING:
    case WS_JOB_WRITING:
        break;
    case WS_JOB_FUTURE:
    case WS_JOB_WAITING:
    case WS_JOB_DETECTING:
    case WS_JOB_DONE:
        return false;
    }
    ws_jobs_advance(jobs, job);
    int32_t before = run->replicas;
    if (run->state == WS_JOB_STARTING) {
        ws_jobs_abandon_launch(jobs, job);
        if (replicas < before) {
            ws_jobs_lose_disks(jobs, job);
        }
        change_grow(jobs, job, replicas);
        change_relaunch(jobs, job, replicas, run->start_kind); /* for the reason that it had */
    } else {
        WS_ASSERT(run->joined == run->replicas);
        change_grow(jobs, job, replicas);
        change_stop(jobs, job, replicas);
    }
    if (jobs->listener.resized != NULL) {
        jobs->listener.resized(jobs->listener.context, job, before);
    }
    return true;
}
