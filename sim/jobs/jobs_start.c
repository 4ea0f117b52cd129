/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The worker's cold start. Each replica's container and framework take their own time and the gang
 * waits for the slowest; then come the common phases. The draws are a function of the job and the
 * number of the start, so they can be drawn again when the start is over, to book how long each
 * replica has waited for the rest.
 */
#include <math.h>

#include "jobs_private.h"
#include "ws/random.h"

typedef struct {
    double gang_s;    /* until the slowest replica is up */
    double common_s;  /* from there to the first step, or to the load where that is a flow */
    double warm_up_s; /* after a load that is a flow */
    double waited_s;  /* summed over replicas: up, and waiting for the slowest, within the first
                         `limit_s` */
} start_times;

static bool start_is_uniform(const ws_worker_start *start)
{
    return start->container.family == WS_DISTRIBUTION_CONSTANT &&
           start->framework.family == WS_DISTRIBUTION_CONSTANT;
}

/** Time of one replica until it is up. */
static double start_draw_replica_s(const ws_worker_start *start, gsl_rng *rng)
{
    double container_s = ws_distribution_draw(&start->container, rng);
    double framework_s = ws_distribution_draw(&start->framework, rng);
    return container_s + framework_s;
}

/** Bytes that the start loads as a flow; 0: the load takes its time by the clock. */
static double start_load_bytes(const ws_jobs *jobs, size_t job)
{
    const ws_job_kind *kind = jobs->options.jobs[job].kind;

    if (jobs->runs[job].has_local) {
        return 0;
    }
    return jobs->runs[job].has_saved ? kind->checkpoint.read_bytes : kind->start.load_bytes;
}

static void start_draw_common(const ws_jobs *jobs, size_t job, gsl_rng *rng, start_times *times)
{
    const ws_job_kind *kind = jobs->options.jobs[job].kind;
    const ws_worker_start *start = &kind->start;
    bool from_checkpoint = jobs->runs[job].has_saved;
    double rendezvous_s = ws_distribution_draw(&start->rendezvous, rng);
    double init_s = ws_distribution_draw(&start->init, rng);
    double load_s = ws_distribution_draw(&start->load, rng);
    double warm_up_s = ws_distribution_draw(&start->warm_up, rng);

    if (from_checkpoint) {
        load_s = ws_duration_s(kind->checkpoint.read);
    }
    if (jobs->runs[job].has_local) {
        load_s = ws_duration_s(jobs->runs[job].local_read);
    }
    if (start_load_bytes(jobs, job) > 0) {
        times->common_s = rendezvous_s + init_s;
        times->warm_up_s = warm_up_s;
    } else {
        times->common_s = rendezvous_s + init_s + load_s + warm_up_s;
    }
}

/** Draws the start that is under way; `limit_s` cuts the waiting that is summed. */
static start_times start_draw(const ws_jobs *jobs, size_t job, double limit_s)
{
    const ws_job_run *run = &jobs->runs[job];
    const ws_worker_start *start = &jobs->options.jobs[job].kind->start;
    int32_t drawn = start_is_uniform(start) ? 1 : run->replicas;
    start_times times = {.gang_s = 0};
    double sum_s = 0;
    ws_stream stream;

    ws_stream_open(&stream, (ws_stream_key){.seed = jobs->options.seed,
                                            .replication = jobs->options.replication,
                                            .purpose = WS_PURPOSE_WORKER_START,
                                            .entity = run->entity,
                                            .index = run->starts});
    start_draw_common(jobs, job, &stream.rng, &times);
    for (int32_t i = 0; i < drawn; i++) {
        double replica_s = start_draw_replica_s(start, &stream.rng);
        times.gang_s = fmax(times.gang_s, replica_s);
        sum_s += fmin(replica_s, limit_s);
    }
    times.waited_s = fmax(drawn * fmin(times.gang_s, limit_s) - sum_s, 0);
    return times;
}

/** What the job's GPUs do while it starts. */
static ws_activity start_activity(const ws_job_run *run)
{
    ws_activity activity = {.main = WS_ACCOUNT_COLD_START};

    switch (run->start_kind) {
    case WS_START_COLD:
        break;
    case WS_START_RECOVERY:
        activity.main = WS_ACCOUNT_RECOVERY;
        break;
    case WS_START_RESIZE:
        activity.main = WS_ACCOUNT_RESIZE;
        activity.cold_start = 1 - (double)run->joined / run->replicas;
        break;
    }
    return activity;
}

/** Training data that is copied to the nodes' disks after a load, as a flow or by the clock;
 * seconds of the latter. */
static double start_copy(ws_jobs *jobs, size_t job, int32_t survivors)
{
    ws_job_run *run = &jobs->runs[job];
    const ws_job_kind *kind = jobs->options.jobs[job].kind;
    double bytes = ws_jobs_copy_bytes(jobs, job, survivors);

    run->load_bytes = start_load_bytes(jobs, job);
    run->load_bytes_per_s = (double)INFINITY;
    if (!(bytes > 0)) {
        return 0;
    }
    double disks = ws_jobs_disks_bytes_per_s(jobs, job, run->replicas, true);
    if (!kind->data.is_shared) {
        double storage = kind->data.storage.bytes_per_s;
        return bytes / fmin(storage, disks);
    }
    run->load_bytes += bytes;
    run->load_bytes_per_s = disks;
    return 0;
}

void ws_jobs_launch(ws_jobs *jobs, size_t job, ws_start_kind kind, int32_t survivors)
{
    ws_job_run *run = &jobs->runs[job];

    WS_ASSERT(run->replicas >= 1);
    WS_ASSERT(survivors >= 0 && survivors <= run->replicas);
    run->start_kind = kind;
    run->joined = survivors;
    run->starts++;
    run->last_resize = run->at;
    if (run->replicas > run->history.replicas_peak) {
        run->history.replicas_peak = run->replicas;
    }
    start_times times = start_draw(jobs, job, (double)INFINITY);
    ws_ledger_set_activity(jobs->ledger, ws_jobs_owner(jobs, job), start_activity(run), run->at);
    double copy_s = start_copy(jobs, job, survivors);
    ws_duration duration = ws_duration_of_s(times.gang_s + times.common_s + copy_s);
    ws_jobs_enter(jobs, job, WS_JOB_STARTING, ws_time_add(run->at, duration));
    run->after_load = ws_duration_of_s(times.warm_up_s);
}

/** Books what the start has taken out of cold start by waiting for the slowest replica. */
static void start_book_waiting(ws_jobs *jobs, size_t job)
{
    ws_job_run *run = &jobs->runs[job];
    const ws_job_kind *kind = jobs->options.jobs[job].kind;

    if (run->start_kind != WS_START_COLD || start_is_uniform(&kind->start)) {
        return;
    }
    start_times times = start_draw(jobs, job, ws_duration_s(ws_time_since(run->at, run->since)));
    ws_duration waited = ws_duration_of_s(times.waited_s);
    ws_gpu_time straggle = ws_gpu_time_of(kind->gpus_per_replica, waited);
    ws_ledger_book_straggle(jobs->ledger, ws_jobs_owner(jobs, job), straggle, run->at);
}

void ws_jobs_abandon_launch(ws_jobs *jobs, size_t job)
{
    WS_ASSERT(jobs->runs[job].state == WS_JOB_STARTING);
    start_book_waiting(jobs, job);
}

void ws_jobs_launched(ws_jobs *jobs, size_t job)
{
    WS_ASSERT(job < jobs->options.job_count);

    ws_job_run *run = &jobs->runs[job];

    if (run->load_bytes > 0) { /* all are up; now they read */
        double bytes = run->load_bytes;
        run->load_bytes = 0;
        ws_jobs_transfer(jobs, job, WS_CHANNEL_READ, bytes, run->load_bytes_per_s);
        return;
    }
    start_book_waiting(jobs, job);
    run->joined = run->replicas;
    run->staged = run->replicas;
    run->paced_since = run->history.productive;
    ws_jobs_step(jobs, job);
    if (jobs->listener.started != NULL) {
        jobs->listener.started(jobs->listener.context, job);
    }
}

bool ws_jobs_start(ws_jobs *jobs, size_t job, int32_t replicas)
{
    ws_job_run *run = &jobs->runs[job];
    const ws_job_kind *kind = jobs->options.jobs[job].kind;
    ws_gang gang = {
        .replicas = replicas, .gpus_per_replica = kind->gpus_per_replica, .pools = kind->pools};

    WS_ASSERT(run->state == WS_JOB_WAITING);
    WS_ASSERT(replicas >= 1);
    ws_jobs_advance(jobs, job);
    if (!ws_fleet_grant(jobs->fleet, ws_jobs_owner(jobs, job), &gang)) {
        return false;
    }
    run->replicas = replicas;
    run->held_since = run->at;
    if (run->history.first_start.ns == WS_TIME_NEVER.ns) {
        run->history.first_start = run->at;
        ws_jobs_launch(jobs, job, WS_START_COLD, 0);
    } else {
        run->history.restarts++;
        ws_jobs_launch(jobs, job, run->was_preempted ? WS_START_COLD : WS_START_RECOVERY, 0);
        run->was_preempted = false;
    }
    if (jobs->listener.placed != NULL) {
        jobs->listener.placed(jobs->listener.context, job);
    }
    return true;
}

double ws_jobs_start_mean_s(const ws_jobs *jobs, size_t job, bool again)
{
    WS_ASSERT(job < jobs->options.job_count);

    const ws_job_kind *kind = jobs->options.jobs[job].kind;
    const ws_worker_start *start = &kind->start;
    double load_s = again && kind->has_checkpoint ? ws_duration_s(kind->checkpoint.read)
                                                  : ws_distribution_mean(&start->load);

    if (!again && kind->data.is_local) { /* later ones copy what is new */
        load_s += kind->data.bytes / kind->data.storage.bytes_per_s;
    }

    return ws_distribution_mean(&start->container) + ws_distribution_mean(&start->framework) +
           ws_distribution_mean(&start->rendezvous) + ws_distribution_mean(&start->init) + load_s +
           ws_distribution_mean(&start->warm_up);
}
