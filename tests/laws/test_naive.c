/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The simulator against the naive one (naive.h), on random small scenarios: the same events at the
 * same seconds, the same accounts to the GPU-nanosecond, the same cost to the nano-dollar.
 *
 * Events of one instant are compared as a set: what the order of the phases says shows in what
 * happens, the order of two transitions within a phase means nothing.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "laws/naive.h"
#include "laws/naive_draw.h"
#include "support/support.h"
#include "ws/run.h"

TestSuite(naive);

#define SCENARIOS_FULL 1000
#define SCENARIOS_LEAST 100

/* A scenario in the simulator's own words, and what it did. */
typedef struct {
    const naive_scenario *naive;
    ws_pool_spec pools[NAIVE_POOLS];
    char names[NAIVE_POOLS + NAIVE_JOBS][16];
    double speed[NAIVE_JOBS][NAIVE_POOLS];
    ws_curve_point points[NAIVE_JOBS][NAIVE_SIZES - 1];
    ws_curve curves[NAIVE_JOBS];
    int32_t lists[NAIVE_JOBS][NAIVE_SIZES];
    ws_stage_spec stages[NAIVE_JOBS][NAIVE_STAGES];
    ws_job_kind kinds[NAIVE_JOBS];
    ws_job_spec jobs[NAIVE_JOBS];
    ws_controller_spec controller;
    ws_scenario scenario;
    ws_arm arm;
    naive_event events[NAIVE_EVENTS];
    int32_t event_count;
} real_world;

/* ---- from naive to real ---- */

static ws_duration real_duration(int64_t seconds)
{
    return (ws_duration){.ns = seconds * WS_NS_PER_S};
}

static ws_distribution real_constant(int32_t seconds)
{
    return ws_distribution_constant(seconds);
}

static ws_text real_name(real_world *world, int32_t index, char kind)
{
    char *name = world->names[index];

    (void)snprintf(name, sizeof world->names[0], "%c%" PRId32, kind, index);
    return ws_text_of(name);
}

static void real_make_pool(real_world *world, int32_t index)
{
    const naive_pool_spec *naive = &world->naive->pools[index];

    world->pools[index] = (ws_pool_spec){
        .name = real_name(world, index, 'p'),
        .gpu_type = WS_TEXT("GPU"),
        .gpus_per_node = naive->gpus,
        .nodes_initial = naive->initial,
        .nodes_min = naive->min,
        .nodes_max = naive->max,
        .node_price = {.nano_per_h = naive->price_per_s * 3600},
        .billing_increment = real_duration(naive->increment),
        .billing_minimum = real_duration(naive->minimum),
        .start = {.request = real_constant(naive->request),
                  .boot = real_constant(naive->start / 2),
                  .image_pull = real_constant(naive->start - naive->start / 2),
                  .join = real_constant(0),
                  .fail_probability = naive->has_no_capacity ? 1 : 0,
                  .retry = real_duration(naive->retry)},
        .failures = {.present = naive->fails_every > 0,
                     .time_to_failure = real_constant(naive->fails_every),
                     .repair = real_constant(naive->repair),
                     .billed_in_repair = naive->billed_in_repair,
                     .crash_detection = real_duration(world->naive->detection)},
    };
}

static void real_make_kind(real_world *world, int32_t index)
{
    static const ws_elasticity_type *const modes[] = {&ws_elasticity_rigid, &ws_elasticity_moldable,
                                                      &ws_elasticity_restart};
    const naive_job_spec *naive = &world->naive->jobs[index];
    ws_job_kind *kind = &world->kinds[index];
    ws_text name = real_name(world, NAIVE_POOLS + index, 'j');
    ws_distribution none = real_constant(0);
    int32_t half = naive->start / 2;

    *kind = (ws_job_kind){
        .name = name,
        .entity = ws_text_hash(name),
        .gpus_per_replica = naive->gpus_per_replica,
        .pool_speed = world->speed[index],
        .priority = naive->priority,
        .elasticity = modes[naive->mode],
        .has_checkpoint = naive->has_checkpoint,
        .checkpoint = {.every = real_duration(naive->every),
                       .write = real_duration(naive->write),
                       .read = real_duration(naive->read),
                       .before_resize = naive->before_resize},
        .start = {.container = real_constant(half),
                  .framework = none,
                  .rendezvous = none,
                  .init = real_constant(naive->start - half),
                  .load = real_constant(naive->load),
                  .warm_up = none},
    };
    for (int32_t pool = 0; pool < world->naive->pool_count; pool++) {
        world->speed[index][pool] = naive->speed[pool];
        kind->pools |= naive->speed[pool] > 0 ? UINT64_C(1) << pool : 0;
    }
}

static void real_make_job(real_world *world, int32_t index)
{
    const naive_job_spec *naive = &world->naive->jobs[index];
    ws_job_spec *job = &world->jobs[index];

    real_make_kind(world, index);
    for (int32_t size = 1; size < NAIVE_SIZES; size++) {
        world->points[index][size - 1] = (ws_curve_point){.size = size, .rate = naive->rate[size]};
    }
    world->curves[index] = ws_curve_of(world->points[index], NAIVE_SIZES - 1, 1, false);
    for (int32_t i = 0; i < naive->stage_count; i++) {
        world->stages[index][i] = (ws_stage_spec){.name = WS_TEXT("stage"),
                                                  .work = (double)naive->stages[i].work,
                                                  .step = {&ws_step_curve, &world->curves[index]},
                                                  .replicas_min = naive->stages[i].min,
                                                  .replicas_max = naive->stages[i].max};
    }
    *job = (ws_job_spec){.kind = &world->kinds[index],
                         .name = world->kinds[index].name,
                         .submit = {.ns = naive->submit * WS_NS_PER_S},
                         .replicas_initial = naive->initial,
                         .replicas_min = naive->min,
                         .replicas_max = naive->max,
                         .replicas_step = naive->step,
                         .stages = world->stages[index],
                         .stage_count = (size_t)naive->stage_count,
                         .deadline = WS_TIME_NEVER};
    for (int32_t size = 1; size < NAIVE_SIZES; size++) {
        if ((naive->list >> size & 1) != 0) {
            job->legal = world->lists[index];
            world->lists[index][job->legal_count++] = size;
        }
    }
}

/* ---- orders, as a policy ---- */

static void orders_decide(void *state, const void *parameters, const ws_view *view, ws_plan *plan)
{
    const naive_scenario *naive = parameters;

    (void)state;
    for (int32_t i = 0; i < naive->order_count; i++) {
        const naive_order *order = &naive->orders[i];
        ws_time at = {.ns = order->at * WS_NS_PER_S};

        if (at.ns > ws_view_now(view).ns) {
            ws_plan_call_back(plan, at);
            return;
        }
        if (at.ns == ws_view_now(view).ns && order->is_pool) {
            ws_plan_set_nodes(plan, (size_t)order->index, order->number);
        } else if (at.ns == ws_view_now(view).ns) {
            ws_plan_set_replicas(plan, (size_t)order->index, order->number);
        }
    }
}

static const ws_parameter_table orders_table = {.noun = "orders", .bytes = sizeof(naive_scenario)};

static const ws_policy_type orders_policy = {
    .name = "orders",
    .summary = "wants what the scenario lists",
    .parameters = &orders_table,
    .wakes = WS_WAKE_START,
    .target_kinds = 7,
    .decide = orders_decide,
};

static void real_make(real_world *world, const naive_scenario *naive)
{
    memset(world, 0, sizeof *world);
    world->naive = naive;
    for (int32_t i = 0; i < naive->pool_count; i++) {
        real_make_pool(world, i);
    }
    for (int32_t i = 0; i < naive->job_count; i++) {
        real_make_job(world, i);
    }
    world->controller = (ws_controller_spec){
        .type = &orders_policy, .parameters = naive, .target = {.kind = WS_TARGET_JOBS}};
    world->scenario = (ws_scenario){
        .name = WS_TEXT("naive"),
        .seed = 1,
        .replications = 1,
        .horizon = {.ns = naive->horizon * WS_NS_PER_S},
        .pools = world->pools,
        .pool_count = (size_t)naive->pool_count,
        .spread = naive->spread,
        .arbiter = naive->by_priority ? &ws_arbiter_priority : &ws_arbiter_fifo,
        .regrow = real_duration(naive->regrow),
        .leave_draining = naive->leave_draining,
        .monitoring = {.scrape = {.ns = WS_NS_PER_S}, .window = {.ns = WS_NS_PER_S}},
        .workload = {.recorded = world->jobs, .recorded_count = (size_t)naive->job_count},
    };
    world->arm = (ws_arm){.name = WS_TEXT("orders"),
                          .type = WS_TEXT("orders"),
                          .scenario = &world->scenario,
                          .controllers = &world->controller,
                          .controller_count = 1};
}

/* ---- the log of the real one ---- */

static void real_log(real_world *world, ws_time at, naive_event event)
{
    WS_ASSERT(world->event_count < NAIVE_EVENTS);
    WS_ASSERT(at.ns % WS_NS_PER_S == 0);
    event.at = (int32_t)(at.ns / WS_NS_PER_S);
    world->events[world->event_count++] = event;
}

static void real_heard(void *context, const ws_run_parts *parts, const ws_news *news)
{
    naive_event event = {.kind = (int32_t)news->kind, .index = (int32_t)news->index};

    if (news->kind == WS_NEWS_JOB_STARTED || news->kind == WS_NEWS_JOB_PLACED) {
        event.number = ws_jobs_replicas(parts->jobs, news->index);
    } else if (news->kind == WS_NEWS_JOB_RESIZED) {
        event.number = NAIVE_SIZES * news->from + ws_jobs_replicas_next(parts->jobs, news->index);
    } else if (news->kind == WS_NEWS_JOB_STAGE_DONE) {
        event.number = (int32_t)ws_jobs_stage(parts->jobs, news->index);
    }
    real_log(context, news->at, event);
}

static void real_decided(void *context, const ws_decision *decision)
{
    real_log(context, decision->at,
             (naive_event){.kind = decision->is_pool ? NAIVE_DECIDED_POOL : NAIVE_DECIDED_JOB,
                           .index = (int32_t)decision->index,
                           .number = decision->to});
}

static bool real_run(real_world *world, ws_arena *keep, ws_run_result *result)
{
    ws_run_watch watch = {.context = world, .heard = real_heard};
    ws_run_options options = {.with_jobs = true,
                              .check = true,
                              .timeline_step = {.ns = world->scenario.horizon.ns},
                              .decided = real_decided,
                              .decided_context = world,
                              .watch = &watch};
    ws_arena scratch;
    ws_diag diag;

    ws_arena_init(&scratch, &ws_allocator_default, (size_t)1 << 28);
    ws_diag_init(&diag, keep);
    bool ran = ws_run(result, &world->arm, &options, keep, &scratch, &diag);
    ws_arena_reset(&scratch);
    return ran;
}

/* ---- comparing ---- */

static int64_t event_key(const naive_event *event)
{
    return (((int64_t)event->at * 128 + event->kind) * 64 + event->index) * 128 + event->number;
}

/* Insertion sort: they are nearly in order. */
static void sort_events(naive_event *events, int32_t count)
{
    for (int32_t i = 1; i < count; i++) {
        naive_event moved = events[i];
        int32_t at = i;

        while (at > 0 && event_key(&events[at - 1]) > event_key(&moved)) {
            events[at] = events[at - 1];
            at--;
        }
        events[at] = moved;
    }
}

static void print_event(const char *who, const naive_event *events, int32_t count, int32_t at)
{
    if (at < count) {
        (void)fprintf(stderr,
                      "  %s %" PRId32 ": at %" PRId32 " kind %" PRId32 " of %" PRId32 ": %" PRId32
                      "\n",
                      who, at, events[at].at, events[at].kind, events[at].index, events[at].number);
    }
}

/* The index of the first difference, or -1. */
static int32_t first_difference(const real_world *world, const naive_outcome *outcome)
{
    int32_t count = world->event_count;

    for (int32_t i = 0; i < count && i < outcome->event_count; i++) {
        if (event_key(&world->events[i]) != event_key(&outcome->events[i])) {
            return i;
        }
    }
    if (count == outcome->event_count) {
        return -1;
    }
    return count < outcome->event_count ? count : outcome->event_count;
}

static void expect_events(uint64_t seed, real_world *world, naive_outcome *outcome)
{
    sort_events(world->events, world->event_count);
    sort_events(outcome->events, outcome->event_count);
    int32_t at = first_difference(world, outcome);
    for (int32_t i = at < 8 ? 0 : at - 8; at >= 0 && i < at + 4; i++) {
        print_event("real ", world->events, world->event_count, i);
        print_event("naive", outcome->events, outcome->event_count, i);
    }
    cr_assert(at < 0, "seed %" PRIu64 ": event %" PRId32 " differs", seed, at);
}

static void expect_accounts(uint64_t seed, const char *whose, const ws_accounts *real,
                            const naive_accounts *naive)
{
    for (int32_t i = 0; i < WS_ACCOUNT_COUNT; i++) {
        cr_assert(real->account[i].gpu_ns == naive->account[i],
                  "seed %" PRIu64 ": %s of %s: %.3f GPU-s, naive %.3f", seed, ws_account_names[i],
                  whose, (double)real->account[i].gpu_ns / 1e9, (double)naive->account[i] / 1e9);
    }
}

static void expect_number(uint64_t seed, const char *what, double real, double naive)
{
    cr_assert(real == naive, "seed %" PRIu64 ": %s is %.17g, naive %.17g", seed, what, real, naive);
}

static double time_or_nan(int32_t seconds)
{
    return seconds == NAIVE_NEVER ? -1 : seconds;
}

static double nan_as_minus_one(double value)
{
    return value == value ? value : -1;
}

static void expect_job(uint64_t seed, const ws_job_record *real, const naive_job_outcome *naive,
                       int32_t gpus)
{
    expect_accounts(seed, real->name.start, &real->accounts, &naive->accounts);
    expect_number(seed, "first start", nan_as_minus_one(real->first_start_s),
                  time_or_nan(naive->first_start));
    expect_number(seed, "end", nan_as_minus_one(real->end_s), time_or_nan(naive->end));
    expect_number(seed, "resizes", (double)real->resizes, naive->resizes);
    expect_number(seed, "restarts", (double)real->restarts, naive->restarts);
    expect_number(seed, "failures", (double)real->failures, naive->failures);
    expect_number(seed, "preemptions", (double)real->preemptions, naive->preemptions);
    expect_number(seed, "checkpoints", (double)real->checkpoints, naive->checkpoints);
    expect_number(seed, "work", real->work, (double)naive->work);
    expect_number(seed, "work lost", real->work_lost, (double)naive->work_lost);
    expect_number(seed, "peak", (double)real->gpus_peak, (double)naive->peak * gpus);
}

/* One row of the timeline spans the run: its means x the horizon are sums of whole seconds. */
static void expect_gauges(uint64_t seed, const ws_timeline_record *real, const naive_gauges *naive,
                          double horizon)
{
    expect_number(seed, "nodes wanted", real->nodes_wanted, (double)naive->wanted / horizon);
    expect_number(seed, "requested", real->nodes_requested, (double)naive->requested / horizon);
    expect_number(seed, "starting", real->nodes_starting, (double)naive->starting / horizon);
    expect_number(seed, "ready", real->nodes_ready, (double)naive->ready / horizon);
    expect_number(seed, "draining", real->nodes_draining, (double)naive->draining / horizon);
    expect_number(seed, "broken", real->nodes_broken, (double)naive->broken / horizon);
    expect_number(seed, "GPUs paid", real->gpus_paid, (double)naive->paid / horizon);
    expect_number(seed, "GPUs busy", real->gpus_busy, (double)naive->busy / horizon);
    expect_number(seed, "GPUs waiting", real->gpus_waiting, (double)naive->waiting / horizon);
}

static void expect_totals(uint64_t seed, const ws_run_result *real, const naive_outcome *naive,
                          double horizon)
{
    const ws_run_record *run = &real->run;

    expect_accounts(seed, "all", &run->accounts, &naive->accounts);
    cr_assert(run->cost.nano == naive->cost, "seed %" PRIu64 ": cost", seed);
    cr_assert(run->unbilled.gpu_ns == (ws_i128)naive->unbilled * WS_NS_PER_S,
              "seed %" PRIu64 ": unbilled", seed);
    for (size_t pool = 0; pool < real->timeline_count; pool++) {
        expect_gauges(seed, &real->timeline[pool], &naive->gauges[pool], horizon);
    }
    expect_number(seed, "jobs waiting", real->timeline[0].jobs_waiting,
                  (double)naive->jobs_waiting / horizon);
    expect_number(seed, "jobs running", real->timeline[0].jobs_running,
                  (double)naive->jobs_running / horizon);
}

/* True when the scenario was on the grid, and so was compared. */
static bool compare(uint64_t seed, real_world *world, naive_scenario *naive, naive_outcome *outcome)
{
    ws_run_result result;
    ws_arena keep;

    naive_draw(seed, naive);
    naive_run(naive, outcome);
    if (outcome->off_grid) {
        return false;
    }
    real_make(world, naive);
    ws_arena_init(&keep, &ws_allocator_default, (size_t)1 << 28);
    cr_assert(real_run(world, &keep, &result), "seed %" PRIu64 " does not run", seed);
    expect_events(seed, world, outcome);
    for (size_t job = 0; job < result.job_count; job++) {
        expect_job(seed, &result.jobs[job], &outcome->jobs[job], naive->jobs[job].gpus_per_replica);
    }
    expect_totals(seed, &result, outcome, naive->horizon);
    ws_arena_reset(&keep);
    return true;
}

Test(naive, agrees_event_for_event)
{
    int64_t scenarios = ws_test_scaled(SCENARIOS_FULL, SCENARIOS_LEAST);
    ws_arena arena;
    int64_t compared = 0;
    int64_t events = 0;

    ws_arena_init(&arena, &ws_allocator_default, (size_t)1 << 24);
    real_world *world = ws_arena_alloc(&arena, real_world, 1);
    naive_scenario *naive = ws_arena_alloc(&arena, naive_scenario, 1);
    naive_outcome *outcome = ws_arena_alloc(&arena, naive_outcome, 1);

    cr_assert(world != NULL && naive != NULL && outcome != NULL);
    for (int64_t seed = 1; seed <= scenarios; seed++) {
        compared += compare((uint64_t)seed, world, naive, outcome) ? 1 : 0;
        events += outcome->off_grid ? 0 : outcome->event_count;
    }
    ws_arena_reset(&arena);
    /* Else the test says little: most scenarios are on the grid, and things happen in them. */
    cr_expect(compared * 10 > scenarios * 7, "only %" PRId64 " of %" PRId64, compared, scenarios);
    cr_expect(events > 30 * compared, "only %" PRId64 " events", events);
}
