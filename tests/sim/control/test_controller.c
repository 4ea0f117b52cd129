/* SPDX-License-Identifier: GPL-3.0-or-later */
/* When policies are asked, and what becomes of their plans. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "sim/control/control_world.h"

TestSuite(controller);

static const ws_parameter_table no_parameters = {.noun = "test"};

/* Policies read their world, which is constant to them, and note when they are asked. */
static control_world *world_of(const void *parameters)
{
    return (control_world *)parameters;
}

static void note_wakes(const void *parameters, const ws_view *view, const char *who)
{
    static const char *const names[] = {"period",   "call-back",  "arrived",   "started", "stage",
                                        "job done", "node ready", "node lost", "start"};
    char text[128] = "";

    for (size_t bit = 0; bit < WS_COUNT_OF(names); bit++) {
        if ((ws_view_wakes(view) >> bit & 1) != 0) {
            size_t length = strlen(text);
            (void)snprintf(text + length, sizeof text - length, " %s", names[bit]);
        }
    }
    control_world_note(world_of(parameters), "%s:%s", who, text);
}

static ws_duration every_15_s(const void *parameters)
{
    (void)parameters;
    return control_world_s(15);
}

/* ---- when ---- */

static void listen_only(void *state, const void *parameters, const ws_view *view, ws_plan *plan)
{
    (void)state;
    (void)plan;
    note_wakes(parameters, view, "p");
}

static const ws_policy_type listener = {.name = "listener",
                                        .parameters = &no_parameters,
                                        .wakes = WS_WAKE_START | WS_WAKE_JOB_ARRIVED |
                                                 WS_WAKE_JOB_STARTED | WS_WAKE_JOB_DONE,
                                        .period = every_15_s,
                                        .decide = listen_only};

/* Asked at 0, every 15 s, and when something happens that it subscribes to; each time it is told
 * why, and what happens at one instant is one question. The start takes 5 s. */
Test(controller, asks_on_the_period_and_on_news)
{
    control_world world;

    control_world_init(&world, 2);
    (void)control_world_add(&world, "a", 20, 2, 10);
    world.kinds[0].start.init = ws_distribution_constant(5);
    control_world_control(&world, &listener, (ws_target){.kind = WS_TARGET_JOBS});
    control_world_open(&world);
    control_world_run_to(&world, 46);
    cr_expect(eq(str, world.log,
                 "0 p: period start; 15 p: period; 20 p: arrived; 25 a at 2; 25 p: started; "
                 "30 a done; 30 p: period job done; 45 p: period; "));
    cr_expect(eq(i64, ws_control_totals(world.control).evaluations, 6));
    cr_expect(eq(i64, ws_control_totals(world.control).scale_ups, 0));
    control_world_close(&world);
}

static void call_back(void *state, const void *parameters, const ws_view *view, ws_plan *plan)
{
    int64_t now_s = ws_view_now(view).ns / WS_NS_PER_S;

    (void)state;
    note_wakes(parameters, view, "p");
    if (now_s == 0) {
        ws_plan_call_back(plan, (ws_time){.ns = 7 * WS_NS_PER_S});
    } else if (now_s == 7) {
        ws_plan_call_back(plan, (ws_time){.ns = 3 * WS_NS_PER_S}); /* gone by */
    } else if (now_s == 9) {
        ws_plan_call_back(plan, (ws_time){.ns = 12 * WS_NS_PER_S});
    }
}

static const ws_policy_type caller = {.name = "caller",
                                      .parameters = &no_parameters,
                                      .wakes = WS_WAKE_START | WS_WAKE_JOB_ARRIVED,
                                      .decide = call_back};

/* An arrival at 5 does not make it forget the call-back at 7; one in the past is none. */
Test(controller, calls_back_once)
{
    control_world world;

    control_world_init(&world, 1);
    (void)control_world_add(&world, "a", 5, 1, 100);
    (void)control_world_add(&world, "b", 9, 1, 100);
    control_world_control(&world, &caller, (ws_target){.kind = WS_TARGET_JOBS});
    control_world_open(&world);
    control_world_run_to(&world, 50);
    cr_expect(eq(str, world.log,
                 "0 p: start; 5 a at 1; 5 p: arrived; 7 p: call-back; 9 p: arrived; "
                 "12 p: call-back; "));
    control_world_close(&world);
}

/* ---- clamping ---- */

typedef struct {
    control_world world;
    ws_decision decisions[16];
    size_t count;
} clamp_log;

static void keep_decision(void *context, const ws_decision *decision)
{
    clamp_log *log = context;

    WS_ASSERT(log->count < WS_COUNT_OF(log->decisions));
    log->decisions[log->count++] = *decision;
}

/* The job is the first; it may have 2, 4, 6 or 8. The pool may have 1 to 16. */
static void ask_too_much(void *state, const void *parameters, const ws_view *view, ws_plan *plan)
{
    (void)state;
    (void)parameters;
    (void)view;
    ws_plan_set_nodes(plan, 0, 3);
    ws_plan_set_nodes(plan, 0, 1000000000000); /* the last word counts */
    ws_plan_set_nodes(plan, 1, -1);
    ws_plan_set_replicas(plan, 0, 7);
    ws_plan_set_replicas(plan, 1, 0);
    ws_plan_set_replicas(plan, 2, 5); /* not submitted */
    ws_plan_set_replicas(plan, 3, 5); /* not there at all */
    ws_plan_set_replicas(plan, 0, -5);
    ws_plan_reason(plan, "much");
}

static const ws_policy_type asker = {
    .name = "asker", .parameters = &no_parameters, .wakes = WS_WAKE_START, .decide = ask_too_much};

Test(controller, clamps_what_is_asked_and_refuses_nonsense)
{
    clamp_log log = {.count = 0};
    control_world *world = &log.world;
    ws_job_spec *job = NULL;

    control_world_init(world, 4);
    world->pools[0].nodes_min = 1;
    job = control_world_add(world, "a", 0, 4, 1000);
    job->replicas_min = 2;
    job->replicas_max = 8;
    job->replicas_step = 2;
    (void)control_world_add(world, "b", 0, 4, 1000);
    (void)control_world_add(world, "late", 100, 4, 1000);
    control_world_control(world, &asker, (ws_target){.kind = WS_TARGET_JOBS});
    control_world_open(world);
    ws_control_listen(world->control,
                      &(ws_control_listener){.context = &log, .decided = keep_decision});
    control_world_run_to(world, 0);
    cr_assert(eq(sz, log.count, 3));
    cr_expect(log.decisions[0].is_pool);
    cr_expect(eq(i64, log.decisions[0].asked, 1000000000000));
    cr_expect(eq(i64, log.decisions[0].from, 4));
    cr_expect(eq(i32, log.decisions[0].to, 16));
    cr_expect(log.decisions[0].clamped);
    cr_expect(eq(i32, log.decisions[1].to, 6)); /* 7 is not legal */
    cr_expect(log.decisions[1].clamped);
    cr_expect(eq(i32, log.decisions[2].to, 1)); /* not less than the least */
    cr_expect(eq(i32, ws_jobs_wanted(world->jobs, 2), 4));
    ws_control_counts counts = ws_control_totals(world->control);
    cr_expect(eq(i64, counts.clamps, 3));
    cr_expect(eq(i64, counts.refusals, 4)); /* two negative, one unknown, one not submitted */
    cr_expect(eq(i64, counts.scale_ups, 2));
    cr_expect(eq(i64, counts.scale_downs, 1));
    control_world_close(world);
}

/* ---- reasons ---- */

/* A size that is set before any reason has the first one; a size that is set again has that of the
 * last time. */
static void give_reasons(void *state, const void *parameters, const ws_view *view, ws_plan *plan)
{
    (void)state;
    (void)parameters;
    (void)view;
    ws_plan_set_nodes(plan, 0, 5);
    ws_plan_set_replicas(plan, 0, 7);
    ws_plan_reason(plan, "nodes for %d", 5);
    ws_plan_set_replicas(plan, 1, 6);
    ws_plan_reason(plan, "a is to be small");
    ws_plan_set_replicas(plan, 0, 1);
    ws_plan_set_nodes(plan, 1, 2);
}

static void give_none(void *state, const void *parameters, const ws_view *view, ws_plan *plan)
{
    (void)state;
    (void)parameters;
    (void)view;
    ws_plan_set_replicas(plan, 0, 3);
}

/* One of 256 bytes and more, for each of 4 sizes, and one that no size needs. */
static void give_many(void *state, const void *parameters, const ws_view *view, ws_plan *plan)
{
    (void)state;
    (void)parameters;
    (void)view;
    for (int i = 0; i < 4; i++) {
        ws_plan_reason(plan, "%d%0300d", i, 0);
        if (i < 2) {
            ws_plan_set_nodes(plan, (size_t)i, 3);
        } else {
            ws_plan_set_replicas(plan, (size_t)i - 2, 3);
        }
    }
    ws_plan_reason(plan, "and another one");
    ws_plan_set_replicas(plan, 1, 2);
}

/* Notes the reasons of a policy's decisions at 0, of pools first, then of jobs a and b. */
static void note_reasons(void *context, const ws_decision *decision)
{
    control_world *world = context;

    control_world_note(world, "%s %zu: %.*s", decision->is_pool ? "pool" : "job", decision->index,
                       decision->reason.length > 20 ? 20 : (int)decision->reason.length,
                       decision->reason.start);
    cr_expect(lt(sz, decision->reason.length, WS_REASON_BYTES));
}

static void check_reasons(void (*decide)(void *, const void *, const ws_view *, ws_plan *),
                          const char *expected)
{
    static const char *const before = "0 a at 4; 0 b at 4; ";
    ws_policy_type type = {
        .name = "reasons", .parameters = &no_parameters, .wakes = WS_WAKE_START, .decide = decide};
    control_world world;

    control_world_init(&world, 8);
    (void)control_world_add(&world, "a", 0, 4, 1000);
    (void)control_world_add(&world, "b", 0, 4, 1000);
    control_world_control(&world, &type, (ws_target){.kind = WS_TARGET_JOBS});
    control_world_open(&world);
    ws_control_listen(world.control,
                      &(ws_control_listener){.context = &world, .decided = note_reasons});
    control_world_run_to(&world, 0);
    cr_assert(gt(sz, strlen(world.log), strlen(before) + strlen(expected)));
    world.log[strlen(before) + strlen(expected)] = '\0'; /* what comes of it is not the question */
    cr_expect(eq(str, world.log + strlen(before), (char *)expected));
    control_world_close(&world);
}

Test(controller, each_size_has_its_reason)
{
    check_reasons(give_reasons, "0 pool 0: nodes for 5; 0 pool 1: a is to be small; "
                                "0 job 0: a is to be small; 0 job 1: nodes for 5; ");
    check_reasons(give_none, "0 job 0: no reason was given; ");
}

/* Two pools and two jobs can have 4 sizes, and so many reasons are kept, cut to their length. */
Test(controller, keeps_as_many_reasons_as_there_are_sizes)
{
    check_reasons(give_many, "0 pool 0: 00000000000000000000; 0 pool 1: 10000000000000000000; "
                             "0 job 0: 20000000000000000000; 0 job 1: more reasons were gi; ");
}

static void ask_for_the_same(void *state, const void *parameters, const ws_view *view,
                             ws_plan *plan)
{
    (void)state;
    (void)parameters;
    (void)view;
    ws_plan_set_nodes(plan, 0, 4);
    ws_plan_set_target(plan, 3);
}

static const ws_policy_type repeater = {.name = "repeater",
                                        .parameters = &no_parameters,
                                        .wakes = WS_WAKE_START,
                                        .period = every_15_s,
                                        .decide = ask_for_the_same};

/* What is so already is counted as an evaluation, and that is all. */
Test(controller, counts_evaluations_that_change_nothing)
{
    clamp_log log = {.count = 0};
    control_world *world = &log.world;

    control_world_init(world, 4);
    (void)control_world_add(world, "a", 0, 3, 1000);
    control_world_control(world, &repeater, (ws_target){.kind = WS_TARGET_JOBS});
    control_world_open(world);
    ws_control_listen(world->control,
                      &(ws_control_listener){.context = &log, .decided = keep_decision});
    control_world_run_to(world, 60);
    cr_expect(eq(sz, log.count, 0));
    cr_expect(eq(i64, ws_control_totals(world->control).evaluations, 5));
    cr_expect(eq(str, world->log, "0 a at 3; "));
    control_world_close(world);
}

/* A target is one kind of job, or all elastic ones. */
Test(controller, a_target_is_a_kind_or_all_that_are_elastic)
{
    control_world world;

    control_world_init(&world, 16);
    (void)control_world_add(&world, "a", 0, 1, 1000);
    (void)control_world_add(&world, "b", 0, 1, 1000);
    (void)control_world_add(&world, "rigid", 0, 2, 1000);
    control_world_make_rigid(&world, 2);
    control_world_control(&world, &repeater, (ws_target){.kind = WS_TARGET_JOBS});
    control_world_open(&world);
    control_world_run_to(&world, 1);
    cr_expect(eq(i32, ws_jobs_wanted(world.jobs, 0), 3));
    cr_expect(eq(i32, ws_jobs_wanted(world.jobs, 1), 3));
    cr_expect(eq(i32, ws_jobs_wanted(world.jobs, 2), 2));
    control_world_close(&world);

    control_world_init(&world, 16);
    (void)control_world_add(&world, "a", 0, 1, 1000);
    (void)control_world_add(&world, "b", 0, 1, 1000);
    control_world_control(&world, &repeater,
                          (ws_target){.kind = WS_TARGET_JOB, .job = WS_TEXT("b")});
    control_world_open(&world);
    control_world_run_to(&world, 1);
    cr_expect(eq(i32, ws_jobs_wanted(world.jobs, 0), 1));
    cr_expect(eq(i32, ws_jobs_wanted(world.jobs, 1), 3));
    control_world_close(&world);
}

/* ---- two at once ---- */

/* The first wants a node back that drains, which makes it ready at once. */
static void take_back(void *state, const void *parameters, const ws_view *view, ws_plan *plan)
{
    (void)state;
    note_wakes(parameters, view, "one");
    if (ws_view_now(view).ns == 15 * WS_NS_PER_S) {
        ws_plan_set_nodes(plan, 0, 2);
    }
}

/* The second sees what the first saw, asks on the period alone, and hears of ready nodes. */
static void see_and_ask(void *state, const void *parameters, const ws_view *view, ws_plan *plan)
{
    (void)state;
    note_wakes(parameters, view, "two");
    control_world_note(world_of(parameters), "wanted %" PRId32 " and %" PRId32,
                       ws_view_pool_at(view, 0).nodes_wanted,
                       ws_view_pool_at(view, 1).nodes_wanted);
    if ((ws_view_wakes(view) & WS_WAKE_PERIOD) != 0 && ws_view_now(view).ns > 0) {
        ws_plan_set_nodes(plan, 1, 3);
    }
}

static const ws_policy_type first_of_two = {
    .name = "one", .parameters = &no_parameters, .period = every_15_s, .decide = take_back};

static const ws_policy_type second_of_two = {.name = "two",
                                             .parameters = &no_parameters,
                                             .wakes = WS_WAKE_NODE_READY,
                                             .period = every_15_s,
                                             .decide = see_and_ask};

/* At 15 both are asked with the same state before them. The first one's plan makes a node ready,
 * which wakes the second: its own plan of that instant comes into effect all the same, and before
 * it is asked again, once, and not on the period. Its 3 nodes become ready one by one at 15. */
Test(controller, two_see_the_same_and_no_plan_is_overtaken)
{
    control_world world;

    control_world_init(&world, 2);
    (void)control_world_add(&world, "a", 0, 2, 1000);
    control_world_make_rigid(&world, 0);
    world.pools[1].start.request = ws_distribution_constant(5);
    control_world_control(&world, &first_of_two, (ws_target){.kind = WS_TARGET_POOL, .pool = 0});
    control_world_control(&world, &second_of_two, (ws_target){.kind = WS_TARGET_POOL, .pool = 1});
    control_world_open(&world);
    control_world_run_to(&world, 3);
    (void)ws_fleet_want(world.fleet, 0, 1); /* the job's second node drains */
    control_world_run_to(&world, 16);
    cr_expect(eq(str, world.log,
                 "0 a at 2; 0 one: period; 0 two: period; 0 wanted 2 and 0; "
                 "15 one: period; 15 two: period; 15 wanted 1 and 0; "
                 "15 two: node ready; 15 wanted 2 and 3; "));
    control_world_close(&world);
}
