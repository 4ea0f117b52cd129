/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "laws/random_world.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/flow_document.h"
#include "ws/parameter.h"
#include "ws/policies.h"
#include "ws/random.h"

/* ---- numbers ---- */

static int32_t draw_from(ws_stream *stream, int32_t low, int32_t high)
{
    WS_ASSERT(low <= high);
    return low + (int32_t)gsl_rng_uniform_int(&stream->rng, (unsigned long)(high - low + 1));
}

static bool draw_chance(ws_stream *stream, int32_t percent)
{
    return draw_from(stream, 0, 99) < percent;
}

/* Between low and high, each order of magnitude alike. */
static double draw_log(ws_stream *stream, double low, double high)
{
    double u = ws_stream_uniform(stream);
    return low * exp(u * log(high / low));
}

static ws_duration draw_duration(ws_stream *stream, double low_s, double high_s)
{
    return ws_duration_of_s(draw_log(stream, low_s, high_s));
}

/* Some family, of mean about `typical`. */
static ws_distribution draw_distribution(random_world *world, ws_stream *stream, double typical)
{
    ws_distribution drawn = {.family = (ws_distribution_family)draw_from(
                                 stream, WS_DISTRIBUTION_CONSTANT, WS_DISTRIBUTION_EMPIRICAL)};

    switch (drawn.family) {
    case WS_DISTRIBUTION_CONSTANT:
    case WS_DISTRIBUTION_EXPONENTIAL:
        drawn.a = typical;
        break;
    case WS_DISTRIBUTION_UNIFORM:
        drawn.b = 2 * typical;
        break;
    case WS_DISTRIBUTION_LOGNORMAL:
        drawn.a = log(typical);
        drawn.b = 0.6;
        break;
    case WS_DISTRIBUTION_WEIBULL:
        drawn.a = typical;
        drawn.b = 0.8;
        break;
    case WS_DISTRIBUTION_GAMMA:
        drawn.a = 2;
        drawn.b = typical / 2;
        break;
    case WS_DISTRIBUTION_EMPIRICAL:
        drawn.samples = world->samples;
        drawn.sample_count = RANDOM_SAMPLES;
        break;
    }
    return drawn;
}

static ws_distribution draw_phase(random_world *world, ws_stream *stream)
{
    double typical = draw_log(stream, 0.1, 60);
    return draw_chance(stream, 25) ? ws_distribution_constant(0)
                                   : draw_distribution(world, stream, typical);
}

/* ---- pools ---- */

static void draw_failures(random_world *world, ws_stream *stream, ws_node_failures *failures)
{
    double between_s = draw_log(stream, 500, 10000);
    ws_distribution recorded = {.family = WS_DISTRIBUTION_EMPIRICAL,
                                .samples = world->times_to_failure,
                                .sample_count = RANDOM_SAMPLES};
    ws_distribution drawn = draw_distribution(world, stream, between_s);

    *failures = (ws_node_failures){.present = draw_chance(stream, 60),
                                   .time_to_failure =
                                       drawn.family == WS_DISTRIBUTION_EMPIRICAL ? recorded : drawn,
                                   .repair = draw_phase(world, stream),
                                   .billed_in_repair = draw_chance(stream, 50),
                                   .crash_detection = draw_duration(stream, 0.1, 60),
                                   .hang_detection = draw_duration(stream, 60, 600),
                                   .hang_probability = draw_chance(stream, 50) ? 0.3 : 0};
}

static void draw_pool(random_world *world, ws_stream *stream, size_t index)
{
    static const char *const names[] = {"alpha", "beta", "gamma"};
    static const char *const types[] = {"H100", "A100"};
    ws_pool_spec *pool = &world->pools[index];

    *pool = (ws_pool_spec){.name = ws_text_of(names[index]),
                           .gpu_type = ws_text_of(types[draw_from(stream, 0, 1)]),
                           .gpus_per_node = draw_from(stream, 1, 8),
                           .nodes_max = draw_from(stream, 1, 8),
                           .billing_increment = draw_duration(stream, 1, 3600),
                           .billing_minimum = draw_duration(stream, 1, 3600)};
    pool->nodes_initial = draw_from(stream, 0, pool->nodes_max);
    pool->nodes_min = draw_from(stream, 0, pool->nodes_max);
    pool->node_price.nano_per_h = (int64_t)draw_log(stream, 1, 1e11);
    pool->start = (ws_node_start){.request = draw_phase(world, stream),
                                  .boot = draw_phase(world, stream),
                                  .image_pull = draw_phase(world, stream),
                                  .join = draw_phase(world, stream),
                                  .fail_probability = draw_chance(stream, 30) ? 0.5 : 0,
                                  .retry = draw_duration(stream, 1, 600)};
    draw_failures(world, stream, &pool->failures);
}

/* Outages or reclaims of one slot, one after the other, also at the start and without an end. */
static void draw_absences_of(ws_pool_spec *pool, ws_stream *stream, ws_absence *absences,
                             int32_t slot, bool is_reclaim)
{
    ws_time at = {.ns = draw_chance(stream, 20) ? 0 : draw_duration(stream, 10, 5000).ns};

    for (int32_t left = draw_from(stream, 0, 3); left > 0; left--) {
        bool has_notice = is_reclaim && at.ns > 0 && draw_chance(stream, 70);
        ws_time lost = has_notice ? ws_time_add(at, draw_duration(stream, 1, 300)) : at;
        ws_time back = draw_chance(stream, 10)
                           ? WS_TIME_NEVER
                           : ws_time_add(lost, draw_duration(stream, 0.001, 3000));

        absences[pool->absence_count++] = (ws_absence){
            .closed = at, .lost = lost, .back = back, .slot = slot, .is_reclaim = is_reclaim};
        if (back.ns == WS_TIME_NEVER.ns) {
            return;
        }
        at = draw_chance(stream, 20) ? back : ws_time_add(back, draw_duration(stream, 10, 5000));
    }
}

static int absences_by_time(const void *left, const void *right)
{
    const ws_absence *a = left;
    const ws_absence *b = right;

    if (a->closed.ns != b->closed.ns) {
        return a->closed.ns < b->closed.ns ? -1 : 1;
    }
    if (a->slot != b->slot) {
        return a->slot - b->slot;
    }
    return a->is_reclaim != b->is_reclaim ? a->is_reclaim - b->is_reclaim
                                          : (a->back.ns > b->back.ns) - (a->back.ns < b->back.ns);
}

static void draw_absences(random_world *world, ws_stream *stream, size_t index)
{
    ws_pool_spec *pool = &world->pools[index];
    bool has_outages = draw_chance(stream, 40);
    bool has_reclaims = draw_chance(stream, 40);

    pool->reclaim_detection = draw_duration(stream, 0.1, 60);
    pool->absences = world->absences[index];
    for (int32_t slot = 0; slot < pool->nodes_max; slot++) {
        if (has_outages) {
            draw_absences_of(pool, stream, world->absences[index], slot, false);
        }
        if (has_reclaims) {
            draw_absences_of(pool, stream, world->absences[index], slot, true);
        }
    }
    WS_ASSERT(pool->absence_count <= RANDOM_ABSENCES);
    qsort(world->absences[index], pool->absence_count, sizeof(ws_absence), absences_by_time);
}

static void draw_prices(random_world *world, ws_stream *stream, size_t index)
{
    ws_pool_spec *pool = &world->pools[index];
    ws_time at = {.ns = 0};

    pool->price_steps = world->prices[index];
    pool->price_step_count = draw_chance(stream, 40) ? (size_t)draw_from(stream, 1, 12) : 0;
    for (size_t i = 0; i < pool->price_step_count; i++) {
        at = ws_time_add(at, draw_duration(stream, 1, 3000));
        world->prices[index][i] =
            (ws_price_step){.at = at,
                            .node_price.nano_per_h =
                                draw_chance(stream, 10) ? 0 : (int64_t)draw_log(stream, 1, 1e11)};
    }
}

/* ---- jobs ---- */

static void draw_step(random_world *world, ws_stream *stream, size_t kind)
{
    double size = draw_log(stream, 1, 3);
    double rate = draw_log(stream, 0.5, 2);

    for (size_t i = 0; i < RANDOM_POINTS; i++) {
        world->points[kind][i] = (ws_curve_point){.size = size, .rate = rate};
        size += draw_log(stream, 0.5, 4);
        rate += draw_log(stream, 0.01, 2);
    }
    world->curves[kind] = ws_curve_of(world->points[kind], RANDOM_POINTS, 1, false);
    world->amdahls[kind] = (ws_amdahl){.parallel_fraction = 1 - draw_log(stream, 0.001, 1),
                                       .recorded_replicas = draw_from(stream, 1, 4)};
}

static void draw_stage(random_world *world, ws_stream *stream, size_t kind, size_t index)
{
    bool curve = draw_chance(stream, 50);
    const void *parameters =
        curve ? (const void *)&world->curves[kind] : (const void *)&world->amdahls[kind];

    world->stages[kind][index] =
        (ws_stage_template){.spec = {.name = WS_TEXT("stage"),
                                     .work = draw_log(stream, 10, 1000),
                                     .unit = WS_WORK_SAMPLES,
                                     .step = {curve ? &ws_step_curve : &ws_step_amdahl, parameters},
                                     .replicas_min = 1,
                                     .replicas_max = draw_from(stream, 4, 8)},
                            .is_drawn = draw_chance(stream, 50),
                            .work = draw_distribution(world, stream, 300)};
}

static void draw_kind(random_world *world, ws_stream *stream, size_t index)
{
    static const char *const names[] = {"red", "green", "blue", "recorded"};
    static const ws_elasticity_type *const modes[] = {
        &ws_elasticity_restart, &ws_elasticity_restart, &ws_elasticity_moldable,
        &ws_elasticity_rigid};
    size_t sure = (size_t)draw_from(stream, 0, (int32_t)world->scenario.pool_count - 1);
    ws_job_kind *kind = &world->templates[index].kind;

    *kind =
        (ws_job_kind){.name = ws_text_of(names[index]),
                      .entity = ws_text_hash(ws_text_of(names[index])),
                      .priority = draw_from(stream, 0, 2),
                      .gpus_per_replica = draw_from(stream, 1, world->pools[sure].gpus_per_node),
                      .pool_speed = world->speeds[index],
                      .elasticity = modes[draw_from(stream, 0, 3)],
                      .has_checkpoint = draw_chance(stream, 60)};
    for (size_t pool = 0; pool < world->scenario.pool_count; pool++) {
        bool accepted = pool == sure || draw_chance(stream, 50);
        world->speeds[index][pool] = accepted ? draw_log(stream, 0.5, 2) : 0;
        kind->pools |= accepted ? UINT64_C(1) << pool : 0;
    }
    kind->checkpoint = (ws_checkpoint_spec){.every = draw_duration(stream, 10, 1000),
                                            .write = draw_duration(stream, 0.1, 60),
                                            .read = draw_duration(stream, 0.1, 60),
                                            .before_resize = draw_chance(stream, 50)};
    kind->start = (ws_worker_start){.container = draw_phase(world, stream),
                                    .framework = draw_phase(world, stream),
                                    .rendezvous = draw_phase(world, stream),
                                    .init = draw_phase(world, stream),
                                    .load = draw_phase(world, stream),
                                    .warm_up = draw_phase(world, stream)};
}

/* Sizes are 1..max; a rigid job has one. */
static void draw_template(random_world *world, ws_stream *stream, size_t index)
{
    ws_job_template *job = &world->templates[index];
    bool poisson = draw_chance(stream, 70);

    draw_kind(world, stream, index);
    draw_step(world, stream, index);
    job->stage_count = (size_t)draw_from(stream, 1, RANDOM_STAGES);
    job->stages = world->stages[index];
    for (size_t i = 0; i < job->stage_count; i++) {
        draw_stage(world, stream, index, i);
    }
    job->arrivals = (ws_arrivals){.kind = poisson ? WS_ARRIVALS_POISSON : WS_ARRIVALS_AT,
                                  .at = {.ns = draw_duration(stream, 1, 3600).ns},
                                  .rate_per_s = 1 / draw_log(stream, 200, 2000),
                                  .daily_peak = draw_duration(stream, 1, 86000),
                                  .daily_ratio = draw_log(stream, 1, 5),
                                  .count = draw_from(stream, 1, 20)};
    job->replicas_initial = draw_from(stream, 1, 4);
    job->replicas_min = 1;
    job->replicas_max = draw_from(stream, 4, 8);
    job->replicas_step = 1;
    if (job->kind.elasticity == &ws_elasticity_rigid) {
        job->replicas_min = job->replicas_initial;
        job->replicas_max = job->replicas_initial;
    }
    job->deadline = draw_chance(stream, 30) ? draw_duration(stream, 60, 6000) : (ws_duration){0};
}

/* What a cluster's log would hold: jobs of one kind, sorted by submission. */
static void draw_recorded(random_world *world, ws_stream *stream)
{
    static const char *const names[RANDOM_RECORDED] = {"r0", "r1", "r2", "r3",
                                                       "r4", "r5", "r6", "r7"};
    const ws_job_template *job = &world->templates[RANDOM_TEMPLATES];
    ws_time submit = {.ns = 0};

    draw_template(world, stream, RANDOM_TEMPLATES);
    world->recorded_stage = world->stages[RANDOM_TEMPLATES][0].spec;
    for (size_t i = 0; i < RANDOM_RECORDED; i++) {
        submit = ws_time_add(submit, draw_duration(stream, 0.001, 1000));
        world->recorded[i] = (ws_job_spec){.kind = &job->kind,
                                           .name = ws_text_of(names[i]),
                                           .number = i,
                                           .submit = submit,
                                           .replicas_initial = job->replicas_initial,
                                           .replicas_min = job->replicas_min,
                                           .replicas_max = job->replicas_max,
                                           .replicas_step = 1,
                                           .stages = &world->recorded_stage,
                                           .stage_count = 1,
                                           .deadline = WS_TIME_NEVER};
    }
}

/* ---- policies ---- */

/* Any number for anything, sensible or not. */
static void random_decide(void *state, const void *parameters, const ws_view *view, ws_plan *plan)
{
    ws_stream *stream = state;

    (void)parameters;
    if (draw_chance(stream, 50)) {
        size_t pool = (size_t)draw_from(stream, 0, (int32_t)ws_view_pool_count(view) - 1);
        ws_plan_set_nodes(plan, pool, draw_from(stream, -1, 9));
    }
    for (int32_t i = draw_from(stream, 0, 3); i > 0 && ws_view_job_count(view) > 0; i--) {
        size_t index = (size_t)draw_from(stream, 0, (int32_t)ws_view_job_count(view) - 1);
        ws_plan_set_replicas(plan, ws_view_job_at(view, index).id, draw_from(stream, -1, 9));
    }
    if (draw_chance(stream, 30)) {
        ws_plan_set_replicas(plan, (size_t)draw_from(stream, 0, 50), draw_from(stream, 0, 9));
    }
    if (draw_chance(stream, 30)) {
        ws_plan_call_back(
            plan, ws_time_add(ws_view_now(view), ws_duration_of_s(draw_from(stream, -9, 99))));
    }
    ws_plan_reason(plan, "at random");
}

static bool random_init(void *state, const void *parameters, const ws_policy_site *site,
                        ws_arena *arena)
{
    (void)parameters;
    (void)arena;
    ws_stream_open(state, (ws_stream_key){.seed = site->seed,
                                          .replication = site->replication,
                                          .purpose = WS_PURPOSE_POLICY,
                                          .entity = ws_text_hash(WS_TEXT("random"))});
    return true;
}

static ws_duration random_period(const void *parameters)
{
    (void)parameters;
    return (ws_duration){.ns = 97 * WS_NS_PER_S};
}

static const ws_parameter_table random_table = {.noun = "random"};

static const ws_policy_type random_policy = {
    .name = "random",
    .summary = "orders at random",
    .parameters = &random_table,
    .state_bytes = sizeof(ws_stream),
    .wakes = WS_WAKE_START | WS_WAKE_JOB_ARRIVED | WS_WAKE_JOB_STARTED | WS_WAKE_JOB_DONE |
             WS_WAKE_NODE_READY | WS_WAKE_NODE_LOST | WS_WAKE_STAGE_DONE,
    .target_kinds = 7,
    .period = random_period,
    .init = random_init,
    .decide = random_decide,
};

static ws_controller_spec real_controller(const char *type, ws_target target, const char *text,
                                          ws_arena *arena)
{
    const ws_policy_type *policy = ws_policy_find(ws_text_of(type));
    const ws_source *source = ws_test_source("policy", ws_text_of(text), arena);
    void *parameters = NULL;
    ws_diag diag;

    WS_ASSERT(policy != NULL);
    ws_diag_init(&diag, arena);
    parameters = ws_arena_alloc_bytes(arena, 1, policy->parameters->bytes + 1);
    WS_ASSERT(parameters != NULL);
    ws_parameter_binding binding = {.table = policy->parameters, .object = parameters};
    bool read = ws_parameters_read(ws_test_flow(source, 0, arena), WS_TEXT("policy"), &binding, 1,
                                   arena, &diag);
    WS_ASSERT(read);
    WS_ASSERT(policy->complete == NULL || policy->complete(parameters, arena, &diag));
    WS_ASSERT(policy->check == NULL || policy->check(parameters, &target, arena, &diag));
    return (ws_controller_spec){.type = policy, .parameters = parameters, .target = target};
}

static void draw_controllers(random_world *world, ws_stream *stream, ws_arena *arena)
{
    ws_target pool = {.kind = WS_TARGET_POOL};
    ws_target jobs = {.kind = WS_TARGET_JOBS};
    ws_target job = {.kind = WS_TARGET_JOB, .job = world->templates[0].kind.name};
    ws_controller_spec *to = world->controllers;

    world->arm.controllers = to;
    world->arm.controller_count = 1;
    switch (draw_from(stream, 0, 5)) {
    case 0:
        to[0] = real_controller("fixed", pool, "{nodes: 3}", arena);
        to[1] = real_controller("fixed", jobs, "{replicas: 2}", arena);
        world->arm.controller_count = 2;
        break;
    case 1:
        to[0] = real_controller(
            "hpa", pool,
            "{min: 1, max: 8, metrics: [{external: requested_gpus, average_value: 4}]}", arena);
        to[1] = real_controller(
            "hpa", job, "{max: 8, metrics: [{resource: cpu, average_utilization: 50}]}", arena);
        world->arm.controller_count = 2;
        break;
    case 2:
        to[0] = real_controller(
            "hpa", pool, "{max: 8, metrics: [{external: pending_gpus, average_value: 4}]}", arena);
        to[1] = (ws_controller_spec){.type = &random_policy, .target = jobs};
        world->arm.controller_count = 2;
        break;
    default:
        to[0] = (ws_controller_spec){.type = &random_policy, .target = jobs};
        break;
    }
}

/* ---- links ---- */

/* Leaves, and mostly pods, whose ways up are too narrow; NICs that jobs on a node may share. Curves
 * and Amdahl's law state how long they communicate. In a third of the worlds there is no network.
 */
static void draw_network(random_world *world, ws_stream *stream)
{
    static const ws_network_sharing sharings[] = {WS_NETWORK_SHARING_DUTY,
                                                  WS_NETWORK_SHARING_COLLIDE};
    ws_network *network = &world->network;

    if (draw_chance(stream, 33)) {
        return;
    }
    *network = (ws_network){.intra_node = {.latency_s = 1e-6, .bytes_per_s = 300e9},
                            .inter_node = {.latency_s = 1e-6, .bytes_per_s = 50e9},
                            .inter_per_gpu = draw_chance(stream, 50),
                            .nics = draw_from(stream, 0, 4),
                            .sharing = sharings[draw_from(stream, 0, 1)]};
    network->fabric.leaf =
        (ws_tier){.nodes = draw_from(stream, 0, 3), .oversubscription = draw_log(stream, 1, 8)};
    if (network->fabric.leaf.nodes > 0) {
        network->fabric.pod =
            (ws_tier){.nodes = network->fabric.leaf.nodes * draw_from(stream, 0, 2),
                      .oversubscription = draw_log(stream, 1, 8)};
    }
    world->scenario.network = network;
}

/* ---- storage ---- */

/* Checkpoints, loads and training data of some jobs are flows over a storage that is too slow for
 * all of them; in half of the worlds. */
static void draw_storage(random_world *world, ws_stream *stream)
{
    if (draw_chance(stream, 50)) {
        return;
    }
    world->scenario.has_transfers = true;
    world->scenario.storage_price.nano_per_h =
        draw_chance(stream, 30) ? (int64_t)draw_log(stream, 1, 1e11) : 0;
    for (size_t i = 0; i < WS_CHANNEL_COUNT; i++) {
        world->scenario.channels[i] =
            (ws_channel_spec){.bytes_per_s = draw_log(stream, 1e9, 1e11),
                              .node_bytes_per_s = draw_chance(stream, 50) ? 5e9 : 0,
                              .latency = draw_duration(stream, 0.001, 1)};
    }
    for (size_t i = 0; i < RANDOM_POOLS; i++) {
        double bandwidth = draw_log(stream, 1e9, 1e11);
        world->pools[i].disk = (ws_local_disk){
            .bytes = 1e15, .read_bytes_per_s = 2 * bandwidth, .write_bytes_per_s = bandwidth};
    }
    for (size_t kind = 0; kind < RANDOM_KINDS; kind++) {
        ws_job_kind *drawn = &world->templates[kind].kind;
        double bytes = draw_log(stream, 1e9, 1e12);
        drawn->checkpoint.write_bytes = draw_chance(stream, 50) ? bytes : 0;
        drawn->checkpoint.read_bytes = drawn->checkpoint.write_bytes;
        drawn->start.load_bytes = draw_chance(stream, 30) ? bytes : 0;
        drawn->checkpoint.keep = draw_from(stream, 1, 3);
        drawn->checkpoint.local_every =
            draw_chance(stream, 50) ? draw_duration(stream, 5, 300) : (ws_duration){0};
        drawn->checkpoint.local_bytes = bytes;
        drawn->checkpoint.keep_price.nano_per_h = (int64_t)draw_log(stream, 1, 1e10);
        drawn->data = (ws_job_data){.storage = world->scenario.channels[WS_CHANNEL_READ],
                                    .is_shared = draw_chance(stream, 80),
                                    .is_local = draw_chance(stream, 30),
                                    .bytes = draw_log(stream, 1e9, 1e13)};
        for (size_t i = 0; i < RANDOM_STAGES; i++) {
            world->stages[kind][i].spec.read_bytes =
                draw_chance(stream, 70) ? draw_log(stream, 1e8, 2e10) : 0;
        }
    }
    world->recorded_stage.read_bytes = world->stages[RANDOM_TEMPLATES][0].spec.read_bytes;
}

void random_world_draw(random_world *world, uint64_t seed, ws_arena *arena)
{
    ws_stream stream;

    memset(world, 0, sizeof *world);
    ws_stream_open(&stream, (ws_stream_key){.seed = seed, .purpose = WS_PURPOSE_TEST, .index = 1});
    for (size_t i = 0; i < RANDOM_SAMPLES; i++) {
        world->samples[i] = (i == 0 ? 1 : world->samples[i - 1]) * draw_log(&stream, 1, 3);
        world->times_to_failure[i] = 1000 * world->samples[i];
    }
    world->scenario =
        (ws_scenario){.name = WS_TEXT("random"),
                      .seed = seed,
                      .replications = 2,
                      .horizon = {.ns = draw_duration(&stream, 1800, 10000).ns},
                      .day_offset_s = draw_from(&stream, 0, 86399),
                      .pools = world->pools,
                      .pool_count = (size_t)draw_from(&stream, 1, RANDOM_POOLS),
                      .spread = draw_chance(&stream, 30),
                      .arbiter = draw_chance(&stream, 50) ? &ws_arbiter_fifo : &ws_arbiter_priority,
                      .regrow = draw_duration(&stream, 1, 3000),
                      .leave_draining = draw_chance(&stream, 50),
                      .monitoring = {.scrape = {.ns = 15 * WS_NS_PER_S},
                                     .window = {.ns = 60 * WS_NS_PER_S},
                                     .delay = {.ns = 5 * WS_NS_PER_S}},
                      .workload = {.templates = world->templates,
                                   .template_count = RANDOM_TEMPLATES,
                                   .recorded = world->recorded,
                                   .recorded_count = RANDOM_RECORDED}};
    world->scenario.warmup.ns = draw_chance(&stream, 30) ? world->scenario.horizon.ns / 3 : 0;
    for (size_t i = 0; i < world->scenario.pool_count; i++) {
        draw_pool(world, &stream, i);
    }
    for (size_t i = 0; i < RANDOM_TEMPLATES; i++) {
        draw_template(world, &stream, i);
    }
    draw_recorded(world, &stream);
    world->arm =
        (ws_arm){.name = WS_TEXT("arm"), .type = WS_TEXT("random"), .scenario = &world->scenario};
    draw_controllers(world, &stream, arena);
    draw_network(world, &stream);
    draw_storage(world, &stream);
    for (size_t i = 0; i < world->scenario.pool_count; i++) {
        draw_absences(world, &stream, i);
        draw_prices(world, &stream, i);
    }
}

void random_world_part_storage(random_world *world)
{
    world->scenario.has_transfers = false;
    for (size_t i = 0; i < RANDOM_KINDS; i++) {
        ws_job_kind *kind = &world->templates[i].kind;
        kind->checkpoint.write_bytes = 0;
        kind->checkpoint.read_bytes = 0;
        kind->start.load_bytes = 0;
        kind->data.is_shared = false;
    }
}
