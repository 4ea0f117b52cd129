/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is behind an arbiter's pass: who is too large, who could grow, what fits. */
#include "control_private.h"

/* ---- what an arbiter may ask ---- */

size_t ws_arbitration_next_waiting(const ws_arbitration *arbitration, size_t from)
{
    WS_ASSERT(arbitration != NULL);
    return ws_index_set_next(&arbitration->control->waiting, from);
}

size_t ws_arbitration_next_hungry(const ws_arbitration *arbitration, size_t from)
{
    WS_ASSERT(arbitration != NULL);
    return ws_index_set_next(&arbitration->control->hungry, from);
}

int32_t ws_arbitration_wanted(const ws_arbitration *arbitration, size_t job)
{
    WS_ASSERT(job < ws_jobs_count(arbitration->control->jobs));

    const ws_jobs *jobs = arbitration->control->jobs;
    const ws_job_spec *spec = ws_jobs_spec(jobs, job);
    size_t stage = ws_jobs_stage(jobs, job);
    int32_t size = ws_job_legal_at_most(spec, stage, ws_jobs_wanted(jobs, job));

    return size > 0 ? size : ws_arbitration_least(arbitration, job);
}

int32_t ws_arbitration_least(const ws_arbitration *arbitration, size_t job)
{
    WS_ASSERT(job < ws_jobs_count(arbitration->control->jobs));

    const ws_jobs *jobs = arbitration->control->jobs;
    const ws_job_spec *spec = ws_jobs_spec(jobs, job);

    return ws_job_legal_at_least(spec, ws_jobs_stage(jobs, job), 1);
}

int32_t ws_arbitration_possible(const ws_arbitration *arbitration, size_t job)
{
    WS_ASSERT(job < ws_jobs_count(arbitration->control->jobs));

    const ws_control *control = arbitration->control;
    const ws_job_spec *spec = ws_jobs_spec(control->jobs, job);
    int32_t wanted = ws_arbitration_wanted(arbitration, job);
    int32_t held = ws_jobs_replicas(control->jobs, job);
    ws_gang gang = {.replicas = wanted - held,
                    .gpus_per_replica = spec->kind->gpus_per_replica,
                    .pools = spec->kind->pools};

    if (gang.replicas <= 0) {
        return 0;
    }
    int32_t size = held + ws_fleet_fit(control->fleet, &gang);
    if (size < wanted) {
        size = spec->kind->elasticity->may_start_smaller
                   ? ws_job_legal_at_most(spec, ws_jobs_stage(control->jobs, job), size)
                   : 0;
    }
    return size > held ? size : 0;
}

/** A restart now would throw away all that was done since the last one: nothing of it is durable
 * yet. */
static bool arbitration_would_lose_all(const ws_control *control, size_t job)
{
    const ws_job_kind *kind = ws_jobs_spec(control->jobs, job)->kind;

    return kind->has_checkpoint && !kind->checkpoint.before_resize &&
           ws_jobs_saved_at(control->jobs, job).ns <= ws_jobs_last_resize(control->jobs, job).ns;
}

bool ws_arbitration_may_grow_in_part(ws_arbitration *arbitration, size_t job)
{
    WS_ASSERT(job < ws_jobs_count(arbitration->control->jobs));

    const ws_control *control = arbitration->control;
    ws_time now = ws_kernel_now(control->kernel);
    ws_time last = ws_jobs_last_resize(control->jobs, job);
    ws_time allowed = ws_time_add(last, control->options.regrow);

    if (allowed.ns <= now.ns) {
        return !arbitration_would_lose_all(control,
                                           job); /* when a write is durable, we hear of it */
    }
    arbitration->retry = ws_time_min(arbitration->retry, allowed);
    return false;
}

bool ws_arbitration_grant(ws_arbitration *arbitration, size_t job, int32_t replicas)
{
    WS_ASSERT(job < ws_jobs_count(arbitration->control->jobs));
    WS_ASSERT(replicas >= 1);

    ws_control *control = arbitration->control;
    bool waits = ws_jobs_state(control->jobs, job) == WS_JOB_WAITING;
    bool granted = waits ? ws_jobs_start(control->jobs, job, replicas)
                         : ws_jobs_resize(control->jobs, job, replicas);

    ws_control_refresh(control, job);
    return granted;
}

void ws_arbitration_grow(ws_arbitration *arbitration, size_t job)
{
    WS_ASSERT(job < ws_jobs_count(arbitration->control->jobs));

    int32_t wanted = ws_arbitration_wanted(arbitration, job);
    int32_t possible = ws_arbitration_possible(arbitration, job);

    if (possible == wanted || (possible > 0 && ws_arbitration_may_grow_in_part(arbitration, job))) {
        (void)ws_arbitration_grant(arbitration, job, possible);
    }
}

/* ---- preemption ---- */

size_t ws_arbitration_priorities(const ws_arbitration *arbitration, const int32_t **descending)
{
    WS_ASSERT(descending != NULL);
    *descending = arbitration->control->priorities;
    return arbitration->control->priority_count;
}

int32_t ws_arbitration_priority(const ws_arbitration *arbitration, size_t job)
{
    WS_ASSERT(job < ws_jobs_count(arbitration->control->jobs));
    return ws_jobs_spec(arbitration->control->jobs, job)->kind->priority;
}

/** GPUs that a running job of lower priority would leave to another one; 0: it is not to be
 * preempted for that one. */
static int64_t arbitration_yield(const ws_control *control, size_t victim, size_t job)
{
    const ws_job_kind *kind = ws_jobs_spec(control->jobs, job)->kind;
    ws_job_state state = ws_jobs_state(control->jobs, victim);
    bool runs = state == WS_JOB_STARTING || state == WS_JOB_RUNNING || state == WS_JOB_WRITING;

    if (!runs || ws_jobs_spec(control->jobs, victim)->kind->priority >= kind->priority) {
        return 0;
    }
    return ws_fleet_held_staying(control->fleet, ws_jobs_owner(control->jobs, victim), kind->pools);
}

/** GPUs of pools that a job accepts which are free, or held by jobs that it may preempt. */
static int64_t arbitration_room_gpus(const ws_control *control, size_t job)
{
    const ws_job_kind *kind = ws_jobs_spec(control->jobs, job)->kind;
    int64_t gpus = 0;

    for (size_t pool = 0; pool < ws_fleet_pool_count(control->fleet); pool++) {
        if (((kind->pools >> pool) & 1) != 0) {
            gpus += ws_fleet_pool_counts(control->fleet, pool).gpus_free;
        }
    }
    for (size_t i = 0; i < control->active_count; i++) {
        gpus += arbitration_yield(control, control->active[i], job);
    }
    return gpus;
}

/** The job to preempt next for another one: lowest priority, latest submission. */
static size_t arbitration_victim(const ws_control *control, size_t job)
{
    int32_t lowest = ws_jobs_spec(control->jobs, job)->kind->priority;
    size_t victim = WS_INDEX_NONE;

    for (size_t i = control->active_count; i-- > 0;) {
        size_t other = control->active[i];
        int32_t priority = ws_jobs_spec(control->jobs, other)->kind->priority;
        if (priority < lowest && arbitration_yield(control, other, job) > 0) {
            lowest = priority;
            victim = other;
        }
    }
    return victim;
}

bool ws_arbitration_make_room(ws_arbitration *arbitration, size_t job, int32_t replicas)
{
    WS_ASSERT(job < ws_jobs_count(arbitration->control->jobs));
    WS_ASSERT(replicas >= 1);

    ws_control *control = arbitration->control;
    const ws_job_kind *kind = ws_jobs_spec(control->jobs, job)->kind;
    ws_gang gang = {
        .replicas = replicas, .gpus_per_replica = kind->gpus_per_replica, .pools = kind->pools};
    bool preempted = false;

    if (arbitration_room_gpus(control, job) < (int64_t)replicas * kind->gpus_per_replica) {
        return false;
    }
    while (ws_fleet_fit(control->fleet, &gang) < replicas) {
        size_t victim = arbitration_victim(control, job);
        if (victim == WS_INDEX_NONE) {
            break;
        }
        preempted = ws_jobs_preempt(control->jobs, victim);
        ws_control_refresh(control, victim);
    }
    return preempted;
}

/* ---- shrinking ---- */

/** Replicas of a job that stand on nodes that are to go. */
static int32_t arbitration_draining(const ws_control *control, size_t job)
{
    int32_t gpus_per_replica = ws_jobs_spec(control->jobs, job)->kind->gpus_per_replica;
    int64_t gpus = ws_fleet_held_draining(control->fleet, ws_jobs_owner(control->jobs, job));
    return (int32_t)((gpus + gpus_per_replica - 1) / gpus_per_replica);
}

int32_t ws_control_limit(const ws_control *control, size_t job)
{
    WS_ASSERT(job < ws_jobs_count(control->jobs));

    ws_arbitration arbitration = {.control = (ws_control *)control};
    const ws_job_spec *spec = ws_jobs_spec(control->jobs, job);
    ws_job_state state = ws_jobs_state(control->jobs, job);
    bool has_world = state == WS_JOB_STARTING || state == WS_JOB_RUNNING || state == WS_JOB_WRITING;
    size_t stage = ws_jobs_stage(control->jobs, job);
    int32_t held = ws_jobs_replicas_next(control->jobs, job);

    if (!has_world || spec->kind->elasticity->resize == WS_RESIZE_REFUSED ||
        ws_jobs_is_resizing(control->jobs, job)) {
        return held;
    }
    int32_t limit = ws_arbitration_wanted(&arbitration, job);
    int32_t off_drain =
        control->options.leave_draining ? held - arbitration_draining(control, job) : held;
    if (off_drain < held && off_drain < limit) {
        int32_t size = ws_job_legal_at_most(spec, stage, off_drain);
        limit = size > 0 ? size : limit; /* it cannot leave: the nodes wait for it */
    }
    return limit < held ? limit : held;
}

static void arbitration_review(ws_control *control, size_t job)
{
    int32_t limit = ws_control_limit(control, job);

    (void)ws_index_set_remove(&control->review, job);
    if (limit < ws_jobs_replicas_next(control->jobs, job) &&
        ws_jobs_resize(control->jobs, job, limit)) {
        ws_control_refresh(control, job);
    }
}

/* ---- the pass ---- */

static void arbitration_again(void *context, uint64_t unused)
{
    (void)unused;
    ws_control_settle(context);
}

void ws_control_pass(ws_control *control)
{
    WS_ASSERT(control != NULL);

    ws_arbitration arbitration = {.control = control, .retry = WS_TIME_NEVER};
    ws_event event = {.action = arbitration_again, .context = control, .phase = WS_PHASE_NEWS};
    size_t job = ws_index_set_next(&control->review, 0);

    while (job != WS_INDEX_NONE) {
        arbitration_review(control, job);
        job = ws_index_set_next(&control->review, job + 1);
    }
    control->options.arbiter->pass(&arbitration);
    (void)ws_kernel_cancel(control->kernel, control->regrow);
    control->regrow = ws_kernel_at(control->kernel, arbitration.retry, &event);
}
