/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A kernel, a fleet of two pools and jobs, with the test in the place of control. Pool 0 is `weak`:
 * its nodes may fail by the clock. Pool 1 is `sure`. Nodes have one GPU and start at once. Jobs do
 * one unit of work a second for each replica. A job that needs GPUs again gets one replica at once
 * when the test says so.
 */
#ifndef WS_TESTS_JOBS_WORLD_H
#define WS_TESTS_JOBS_WORLD_H

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "ws/jobs.h"

#define JOBS_WORLD_NEWS_BYTES 4096

typedef struct {
    ws_arena arena;
    ws_kernel *kernel;
    ws_fleet *fleet;
    ws_jobs *jobs;
    bool has_channels; /* `channels` are there */
    ws_channel_spec specs[WS_CHANNEL_COUNT];
    ws_channels *channels;
    ws_pool_spec pools[2];
    double speed[2];
    ws_amdahl amdahl;
    ws_stage_spec stages[2];
    ws_job_kind kind;
    ws_job_spec job;
    bool restart_with_one;
    int32_t changes;                  /* calls of `changed` */
    char news[JOBS_WORLD_NEWS_BYTES]; /* "14 saved; 14 started; " */
} jobs_world;

static inline ws_distribution jobs_world_s(double seconds)
{
    return ws_distribution_constant(seconds);
}

static inline ws_duration jobs_world_duration(int64_t seconds)
{
    return (ws_duration){.ns = seconds * WS_NS_PER_S};
}

static inline ws_pool_spec jobs_world_pool(const char *name, int32_t nodes)
{
    ws_distribution zero = jobs_world_s(0);

    return (ws_pool_spec){.name = ws_text_of(name),
                          .gpu_type = WS_TEXT("GPU"),
                          .gpus_per_node = 1,
                          .nodes_initial = nodes,
                          .nodes_max = nodes,
                          .billing_increment = {.ns = 1},
                          .start = {.retry = {.ns = WS_NS_PER_S}}, /* the rest takes no time */
                          .failures = {.time_to_failure = zero, .repair = zero}};
}

/* A job of `work` that is submitted at 0; all of it may be changed before the world is opened. */
static inline void jobs_world_init(jobs_world *world, int32_t weak, int32_t sure, double work)
{
    memset(world, 0, sizeof *world);
    world->pools[0] = jobs_world_pool("weak", weak);
    world->pools[1] = jobs_world_pool("sure", sure);
    world->speed[0] = 1;
    world->speed[1] = 1;
    world->amdahl = (ws_amdahl){.parallel_fraction = 1, .recorded_replicas = 1};
    world->stages[0] = (ws_stage_spec){.name = WS_TEXT("first"),
                                       .work = work,
                                       .step = {&ws_step_amdahl, &world->amdahl},
                                       .replicas_min = 1,
                                       .replicas_max = 64};
    world->stages[1] = world->stages[0];
    world->kind = (ws_job_kind){.name = WS_TEXT("job"),
                                .gpus_per_replica = 1,
                                .pool_speed = world->speed,
                                .pools = 3,
                                .elasticity = &ws_elasticity_restart}; /* starts at once */
    world->job = (ws_job_spec){.kind = &world->kind,
                               .name = WS_TEXT("job"),
                               .replicas_initial = 1,
                               .replicas_min = 1,
                               .replicas_max = 64,
                               .replicas_step = 1,
                               .stages = world->stages,
                               .stage_count = 1,
                               .deadline = WS_TIME_NEVER};
}

/* Weak nodes fail after so many seconds and are ready again at once. */
static inline void jobs_world_let_fail(jobs_world *world, double seconds, int64_t detection_s)
{
    world->pools[0].failures =
        (ws_node_failures){.present = true,
                           .time_to_failure = jobs_world_s(seconds),
                           .repair = jobs_world_s(0),
                           .billed_in_repair = true,
                           .crash_detection = jobs_world_duration(detection_s)};
}

static inline void jobs_world_note(jobs_world *world, const char *what)
{
    size_t length = strlen(world->news);

    (void)snprintf(world->news + length, sizeof world->news - length, "%" PRId64 " %s; ",
                   ws_kernel_now(world->kernel).ns / WS_NS_PER_S, what);
}

static inline void jobs_world_submitted(void *context, size_t job)
{
    (void)job;
    jobs_world_note(context, "submitted");
}

static inline void jobs_world_needs_gpus(void *context, size_t job)
{
    jobs_world *world = context;

    jobs_world_note(world, "needs GPUs");
    if (world->restart_with_one) {
        bool started = ws_jobs_start(world->jobs, job, 1);
        WS_ASSERT(started);
    }
}

static inline void jobs_world_started(void *context, size_t job)
{
    (void)job;
    jobs_world_note(context, "started");
}

static inline void jobs_world_stage_done(void *context, size_t job)
{
    (void)job;
    jobs_world_note(context, "stage done");
}

static inline void jobs_world_saved(void *context, size_t job)
{
    (void)job;
    jobs_world_note(context, "saved");
}

static inline void jobs_world_done(void *context, size_t job)
{
    (void)job;
    jobs_world_note(context, "done");
}

static inline void jobs_world_changed(void *context, size_t job)
{
    jobs_world *world = context;

    (void)job;
    world->changes++;
}

static inline void jobs_world_lost(void *context, ws_node_id node, const size_t *holders,
                                   size_t count)
{
    jobs_world *world = context;

    jobs_world_note(world, "node lost");
    for (size_t i = 0; i < count; i++) {
        ws_jobs_node_lost(world->jobs, holders[i] - ws_fleet_first_job_owner(world->fleet), node);
    }
}

static inline void jobs_world_open(jobs_world *world)
{
    ws_jobs_listener listener = {.context = world,
                                 .submitted = jobs_world_submitted,
                                 .needs_gpus = jobs_world_needs_gpus,
                                 .started = jobs_world_started,
                                 .stage_done = jobs_world_stage_done,
                                 .saved = jobs_world_saved,
                                 .done = jobs_world_done,
                                 .changed = jobs_world_changed};

    ws_arena_init(&world->arena, &ws_allocator_default, (size_t)1 << 26);
    world->kernel = ws_kernel_new(&world->arena, ws_fleet_event_capacity(world->pools, 2) +
                                                     ws_jobs_event_capacity(1) + 1 +
                                                     ws_sharing_event_capacity(8));
    WS_ASSERT(world->kernel != NULL);
    if (world->has_channels) {
        world->channels = ws_channels_new(&world->arena, world->kernel, world->specs, 8);
        WS_ASSERT(world->channels != NULL);
    }
    world->fleet =
        ws_fleet_new(&world->arena, world->kernel,
                     &(ws_fleet_options){
                         .pools = world->pools, .pool_count = 2, .job_owner_count = 1, .seed = 1});
    WS_ASSERT(world->fleet != NULL);
    world->jobs = ws_jobs_new(
        &world->arena, world->kernel, world->fleet,
        &(ws_jobs_options){
            .jobs = &world->job, .job_count = 1, .seed = 1, .channels = world->channels});
    WS_ASSERT(world->jobs != NULL);
    ws_fleet_listen(world->fleet,
                    &(ws_fleet_listener){.context = world, .node_lost = jobs_world_lost});
    ws_jobs_listen(world->jobs, &listener);
    ws_fleet_begin(world->fleet);
    ws_jobs_begin(world->jobs);
}

static inline void jobs_world_close(jobs_world *world)
{
    ws_arena_reset(&world->arena);
}

static inline void jobs_world_pass(void *context, uint64_t argument)
{
    (void)context;
    (void)argument;
}

/* All events up to a second; the clock stands there afterwards. */
static inline void jobs_world_run_to(jobs_world *world, int64_t seconds)
{
    ws_time when = {.ns = seconds * WS_NS_PER_S};

    (void)ws_kernel_at(world->kernel, when,
                       &(ws_event){.action = jobs_world_pass, .phase = WS_PHASE_RECORD});
    (void)ws_kernel_run(world->kernel, when, UINT64_MAX);
    WS_ASSERT(ws_jobs_are_consistent(world->jobs));
    WS_ASSERT(ws_fleet_is_balanced(world->fleet));
}

/* GPU-seconds of an account of the job, by now. */
static inline double jobs_world_account(const jobs_world *world, ws_account account)
{
    ws_accounts accounts = ws_ledger_accounts(
        ws_fleet_ledger(world->fleet), ws_jobs_owner(world->jobs, 0), ws_kernel_now(world->kernel));

    return (double)accounts.account[account].gpu_ns / 1e9;
}

#endif
