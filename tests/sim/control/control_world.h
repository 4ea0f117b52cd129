/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Control over a real fleet and real jobs, with policies that tests script. Two pools of nodes with
 * one GPU that start at once; up to CONTROL_WORLD_JOBS jobs of one unit of work a second for each
 * replica.
 */
#ifndef WS_TESTS_CONTROL_WORLD_H
#define WS_TESTS_CONTROL_WORLD_H

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "ws/control.h"

enum { CONTROL_WORLD_JOBS = 4, CONTROL_WORLD_LOG_BYTES = 4096 };

typedef struct {
    ws_arena arena;
    ws_kernel *kernel;
    ws_fleet *fleet;
    ws_jobs *jobs;
    ws_control *control;
    ws_pool_spec pools[2];
    double speed[2];
    ws_amdahl amdahl;
    ws_stage_spec stages[CONTROL_WORLD_JOBS][2];
    ws_job_kind kinds[CONTROL_WORLD_JOBS];
    ws_job_spec specs[CONTROL_WORLD_JOBS];
    size_t job_count;
    ws_controller_spec controllers[2];
    ws_control_options options;
    char log[CONTROL_WORLD_LOG_BYTES];
} control_world;

static inline ws_duration control_world_s(int64_t seconds)
{
    return (ws_duration){.ns = seconds * WS_NS_PER_S};
}

static inline ws_pool_spec control_world_pool(const char *name, int32_t initial, int32_t max)
{
    ws_distribution zero = ws_distribution_constant(0);

    return (ws_pool_spec){.name = ws_text_of(name),
                          .gpu_type = WS_TEXT("GPU"),
                          .gpus_per_node = 1,
                          .nodes_initial = initial,
                          .nodes_max = max,
                          .billing_increment = {.ns = 1},
                          .start = {.retry = {.ns = WS_NS_PER_S}},
                          .failures = {.time_to_failure = zero, .repair = zero}};
}

/* A world of `initial` nodes in the first pool, which may have 16, and none in the second. */
static inline void control_world_init(control_world *world, int32_t initial)
{
    memset(world, 0, sizeof *world);
    world->pools[0] = control_world_pool("first", initial, 16);
    world->pools[1] = control_world_pool("second", 0, 16);
    world->speed[0] = 1;
    world->speed[1] = 1;
    world->amdahl = (ws_amdahl){.parallel_fraction = 1, .recorded_replicas = 1};
    world->options = (ws_control_options){
        .controllers = world->controllers,
        .monitoring = {.scrape = {.ns = WS_NS_PER_S}, .window = {.ns = WS_NS_PER_S}},
        .arbiter = &ws_arbiter_fifo,
        .regrow = {.ns = 100 * WS_NS_PER_S},
        .seed = 1};
}

/* Adds a job that wants `replicas` of 1..16; returns its specification, which may be changed. */
static inline ws_job_spec *control_world_add(control_world *world, const char *name,
                                             int64_t submit_s, int32_t replicas, double work)
{
    size_t job = world->job_count++;

    WS_ASSERT(job < CONTROL_WORLD_JOBS);
    for (size_t stage = 0; stage < 2; stage++) {
        world->stages[job][stage] = (ws_stage_spec){.name = WS_TEXT("stage"),
                                                    .work = work,
                                                    .step = {&ws_step_amdahl, &world->amdahl},
                                                    .replicas_min = 1,
                                                    .replicas_max = 16};
    }
    world->kinds[job] = (ws_job_kind){.name = ws_text_of(name),
                                      .gpus_per_replica = 1,
                                      .pool_speed = world->speed,
                                      .pools = 3,
                                      .elasticity = &ws_elasticity_restart};
    world->specs[job] = (ws_job_spec){.kind = &world->kinds[job],
                                      .name = ws_text_of(name),
                                      .submit = {.ns = submit_s * WS_NS_PER_S},
                                      .replicas_initial = replicas,
                                      .replicas_min = 1,
                                      .replicas_max = 16,
                                      .replicas_step = 1,
                                      .stages = world->stages[job],
                                      .stage_count = 1,
                                      .deadline = WS_TIME_NEVER};
    return &world->specs[job];
}

static inline void control_world_make_rigid(control_world *world, size_t job)
{
    world->kinds[job].elasticity = &ws_elasticity_rigid;
    world->specs[job].replicas_min = world->specs[job].replicas_initial;
    world->specs[job].replicas_max = world->specs[job].replicas_initial;
}

static inline void control_world_checkpoint(control_world *world, size_t job, int64_t every_s,
                                            int64_t write_s, bool before_resize)
{
    world->kinds[job].has_checkpoint = true;
    world->kinds[job].checkpoint = (ws_checkpoint_spec){.every = control_world_s(every_s),
                                                        .write = control_world_s(write_s),
                                                        .before_resize = before_resize};
}

/* Adds a policy; its parameters are the world. */
static inline void control_world_control(control_world *world, const ws_policy_type *type,
                                         ws_target target)
{
    WS_ASSERT(world->options.controller_count < 2);
    world->controllers[world->options.controller_count++] =
        (ws_controller_spec){.type = type, .parameters = world, .target = target};
}

/* Appends "12 what; " to the log. */
static inline void control_world_note(control_world *world, const char *format, ...)
    WS_PRINTF(2, 3);

static inline void control_world_note(control_world *world, const char *format, ...)
{
    size_t length = strlen(world->log);
    char what[128];
    va_list arguments;

    va_start(arguments, format);
    (void)vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    (void)snprintf(world->log + length, sizeof world->log - length, "%" PRId64 " %s; ",
                   ws_kernel_now(world->kernel).ns / WS_NS_PER_S, what);
}

static inline void control_world_started(void *context, size_t job)
{
    control_world *world = context;

    control_world_note(world, "%.*s at %" PRId32, WS_TEXT_ARGS(world->specs[job].name),
                       ws_jobs_replicas(world->jobs, job));
}

static inline void control_world_done(void *context, size_t job)
{
    control_world *world = context;

    control_world_note(world, "%.*s done", WS_TEXT_ARGS(world->specs[job].name));
}

static inline void control_world_released(void *context, ws_node_id node)
{
    control_world_note(context, "node %" PRId32 " gone", node.index);
}

static inline void control_world_open(control_world *world)
{
    size_t events = ws_fleet_event_capacity(world->pools, 2) +
                    ws_jobs_event_capacity(world->job_count) +
                    ws_control_event_capacity(world->options.controller_count) + 2;

    ws_arena_init(&world->arena, &ws_allocator_default, (size_t)1 << 26);
    world->kernel = ws_kernel_new(&world->arena, events);
    WS_ASSERT(world->kernel != NULL);
    world->fleet = ws_fleet_new(&world->arena, world->kernel,
                                &(ws_fleet_options){.pools = world->pools,
                                                    .pool_count = 2,
                                                    .job_owner_count = world->job_count});
    WS_ASSERT(world->fleet != NULL);
    world->jobs =
        ws_jobs_new(&world->arena, world->kernel, world->fleet,
                    &(ws_jobs_options){.jobs = world->specs, .job_count = world->job_count});
    WS_ASSERT(world->jobs != NULL);
    world->control =
        ws_control_new(&world->arena, world->kernel, world->fleet, world->jobs, &world->options);
    WS_ASSERT(world->control != NULL);
    ws_control_listen_jobs(world->control, &(ws_jobs_listener){.context = world,
                                                               .started = control_world_started,
                                                               .done = control_world_done});
    ws_control_listen_fleet(
        world->control,
        &(ws_fleet_listener){.context = world, .node_released = control_world_released});
    ws_fleet_begin(world->fleet);
    ws_jobs_begin(world->jobs);
    ws_control_begin(world->control);
}

static inline void control_world_close(control_world *world)
{
    ws_arena_reset(&world->arena);
}

static inline void control_world_pass(void *context, uint64_t argument)
{
    (void)context;
    (void)argument;
}

/* All events up to a second; the clock stands there afterwards. A world that does not get there
 * within a million events is going round in circles. */
static inline void control_world_run_to(control_world *world, int64_t seconds)
{
    ws_time when = {.ns = seconds * WS_NS_PER_S};

    (void)ws_kernel_at(world->kernel, when,
                       &(ws_event){.action = control_world_pass, .phase = WS_PHASE_RECORD});
    ws_kernel_outcome outcome =
        ws_kernel_run(world->kernel, when, ws_kernel_event_count(world->kernel) + 1000000);
    WS_ASSERT(outcome != WS_KERNEL_LIMIT);
    WS_ASSERT(ws_jobs_are_consistent(world->jobs));
    WS_ASSERT(ws_fleet_is_balanced(world->fleet));
}

#endif
