/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Each replica's series begins with the first step of the world that it joined. In all worlds here
 * a start takes 10 s and a replica that steps is busy all the time; scrapes are every 5 s over 20
 * s.
 */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "monitor.h"
#include "sim/control/control_world.h"

TestSuite(monitor_cohorts);

static const ws_parameter_table no_parameters = {.noun = "test"};

static ws_duration every_5_s(const void *parameters)
{
    (void)parameters;
    return control_world_s(5);
}

static void note_as_text(control_world *world, const char *shown)
{
    control_world_note(world, "%s", shown[0] == '\0' ? "nothing" : shown);
}

/* ---- series ---- */

static void ask_for_util(const void *parameters, ws_subscriptions *subscriptions)
{
    (void)parameters;
    (void)ws_subscribe(subscriptions,
                       &(ws_query){.source = WS_QUERY_EXTERNAL, .metric = WS_TEXT("gpu_util")});
}

/* "50 50 100/3": values by replica, and the window, s, where it is less than monitoring's. */
static void note_series(void *state, const void *parameters, const ws_view *view, ws_plan *plan)
{
    const control_world *world = parameters;
    char shown[128] = "";
    size_t length = 0;
    size_t count = 0;
    const ws_sample *samples = ws_view_samples(view, 0, &count);

    (void)state;
    (void)plan;
    for (size_t i = 0; i < count; i++) {
        cr_expect(eq(i32, samples[i].replica, (int32_t)i));
        length += (size_t)snprintf(shown + length, sizeof shown - length, "%s%.6g",
                                   i == 0 ? "" : " ", samples[i].value);
        if (samples[i].window.ns < world->options.monitoring.window.ns) {
            length += (size_t)snprintf(shown + length, sizeof shown - length, "/%.6g",
                                       ws_duration_s(samples[i].window));
        }
    }
    note_as_text((control_world *)parameters, shown);
}

static const ws_policy_type series_watcher = {.name = "series",
                                              .parameters = &no_parameters,
                                              .subscribe = ask_for_util,
                                              .period = every_5_s,
                                              .decide = note_series};

/* ---- pods ---- */

static void ask_for_cpu(const void *parameters, ws_subscriptions *subscriptions)
{
    (void)parameters;
    (void)ws_subscribe(subscriptions,
                       &(ws_query){.source = WS_QUERY_RESOURCE, .metric = WS_TEXT("cpu")});
}

/* "R50 S- P-": running, starting and pending pods with their samples; each has its request. */
static void note_pods(void *state, const void *parameters, const ws_view *view, ws_plan *plan)
{
    static const char phases[] = {
        [WS_POD_PENDING] = 'P', [WS_POD_STARTING] = 'S', [WS_POD_RUNNING] = 'R'};
    char shown[128] = "";
    size_t length = 0;
    size_t count = 0;
    const ws_pod *pods = ws_view_pods(view, 0, &count);

    (void)state;
    (void)plan;
    for (size_t i = 0; i < count; i++) {
        cr_expect(eq(dbl, pods[i].request, 100));
        cr_expect(eq(int, pods[i].ready, pods[i].phase == WS_POD_RUNNING));
        length += (size_t)snprintf(shown + length, sizeof shown - length, "%s%c", i == 0 ? "" : " ",
                                   phases[pods[i].phase]);
        length += pods[i].has_sample ? (size_t)snprintf(shown + length, sizeof shown - length,
                                                        "%.6g", pods[i].value)
                                     : (size_t)snprintf(shown + length, sizeof shown - length, "-");
    }
    note_as_text((control_world *)parameters, shown);
}

static const ws_policy_type pod_watcher = {.name = "pods",
                                           .parameters = &no_parameters,
                                           .subscribe = ask_for_cpu,
                                           .period = every_5_s,
                                           .decide = note_pods};

/* ---- worlds ---- */

/* A job of 2 replicas that begins at 0 on a pool of so many nodes. */
static void world_init(control_world *world, int32_t nodes, const ws_policy_type *watcher)
{
    control_world_init(world, nodes);
    (void)control_world_add(world, "a", 0, 2, 1e6);
    world->kinds[0].start.init = ws_distribution_constant(10);
    world->kinds[0].usage.cpu = 1;
    world->options.monitoring.scrape = control_world_s(5);
    world->options.monitoring.window = control_world_s(20);
    control_world_control(world, watcher, (ws_target){.kind = WS_TARGET_JOB, .job = WS_TEXT("a")});
}

static void resize_at(control_world *world, int64_t seconds, int32_t replicas)
{
    control_world_run_to(world, seconds);
    ws_jobs_want(world->jobs, 0, replicas);
    cr_assert(ws_jobs_resize(world->jobs, 0, replicas));
}

/*
 * Two replicas step from 10 on; at 10 itself there is nothing yet to average. They stop at 32 and
 * step as three from 42 on. At 35 the window 15..35 has 17 s of stepping, 85 %; at 40 12 s. At 45
 * that of the first two, 25..45, has 7 + 3 s, half of it; the third has 3 s, all of them in steps.
 * At 50: 2 + 8 s. At 55: 13 s. At 60: 18 s. At 65 all have been stepping for the whole window.
 */
Test(monitor_cohorts, a_newcomer_has_a_window_of_its_own)
{
    control_world world;

    world_init(&world, 4, &series_watcher);
    control_world_open(&world);
    resize_at(&world, 32, 3);
    control_world_run_to(&world, 66);
    cr_expect(eq(str, world.log,
                 "0 nothing; 5 nothing; 10 a at 2; 10 nothing; 15 100/5 100/5; "
                 "20 100/10 100/10; 25 100/15 100/15; 30 100 100; 35 85 85; 40 60 60; "
                 "42 a at 3; 45 50 50 100/3; 50 50 50 100/8; 55 65 65 100/13; "
                 "60 90 90 100/18; 65 100 100 100; "));
    control_world_close(&world);
}

/*
 * Three replicas step from 10 on, shrink to one at 22, which steps from 32 on, and grow to three
 * again at 36, stepping from 46 on: the second and the third are not those of before. Of the first
 * one's series 12 of 15 s are steps at 25; of its window then 12 of 20 s at 30, 7 + 3 at 35, 2 + 4
 * at 40, 4 at 45, 4 + 4 at 50.
 */
Test(monitor_cohorts, who_comes_back_is_new)
{
    control_world world;

    world_init(&world, 4, &series_watcher);
    world.specs[0].replicas_initial = 3;
    control_world_open(&world);
    resize_at(&world, 22, 1);
    resize_at(&world, 36, 3);
    control_world_run_to(&world, 51);
    cr_expect(eq(str, world.log,
                 "0 nothing; 5 nothing; 10 a at 3; 10 nothing; 15 100/5 100/5 100/5; "
                 "20 100/10 100/10 100/10; 25 80/15; 30 60; 32 a at 1; 35 50; 40 30; 45 20; "
                 "46 a at 3; 50 40 100/4 100/4; "));
    control_world_close(&world);
}

/*
 * Starts of 4 s: one replica steps from 4 on, stops at 18 for a second one until 22, at 24 for a
 * third one until 28. At 20 14 of the first one's 16 s are steps; at 25 13 + 2 of 20 s, and 2 of
 * the second one's 3 s; at 30 8 + 2 + 2 of 20 s, 2 + 2 of 8 s, 2 of 2 s.
 */
Test(monitor_cohorts, each_growth_is_a_cohort)
{
    control_world world;

    world_init(&world, 4, &series_watcher);
    world.specs[0].replicas_initial = 1;
    world.kinds[0].start.init = ws_distribution_constant(4);
    control_world_open(&world);
    resize_at(&world, 18, 2); /* steps from 22 */
    resize_at(&world, 24, 3); /* steps from 28 */
    control_world_run_to(&world, 31);
    cr_expect(eq(str, world.log,
                 "0 nothing; 4 a at 1; 5 100/1; 10 100/6; 15 100/11; 20 87.5/16; 22 a at 2; "
                 "25 75 66.6667/3; 28 a at 3; 30 60 50/8 100/2; "));
    control_world_close(&world);
}

/* A job that loses its GPUs and gets them back at once is made of new replicas: from 32 until 42
 * there is no series. */
Test(monitor_cohorts, a_preempted_job_begins_anew)
{
    control_world world;

    world_init(&world, 2, &series_watcher);
    control_world_open(&world);
    control_world_run_to(&world, 32);
    cr_assert(ws_jobs_preempt(world.jobs, 0));
    control_world_run_to(&world, 46);
    cr_expect(eq(str, world.log,
                 "0 nothing; 5 nothing; 10 a at 2; 10 nothing; 15 100/5 100/5; "
                 "20 100/10 100/10; 25 100/15 100/15; 30 100 100; 35 nothing; 40 nothing; "
                 "42 a at 2; 45 100/3 100/3; "));
    control_world_close(&world);
}

/*
 * The third replica is wanted from 12 on and pending until a node comes at 22; it starts with the
 * others until 32 and has a sample from 35 on. At 25 the 15 s of the first two have 12 in steps; at
 * 30 10..30 has 12 s, at 35 7 + 3.
 */
Test(monitor_cohorts, pods_have_requests_before_they_have_samples)
{
    control_world world;

    world_init(&world, 2, &pod_watcher);
    control_world_open(&world);
    control_world_run_to(&world, 12);
    ws_jobs_want(world.jobs, 0, 3);
    control_world_run_to(&world, 22);
    cr_assert(eq(i32, ws_fleet_want(world.fleet, 0, 3), 3));
    resize_at(&world, 22, 3);
    control_world_run_to(&world, 36);
    cr_expect(eq(str, world.log,
                 "0 S- S-; 5 S- S-; 10 a at 2; 10 R- R-; 15 R100 R100 P-; 20 R100 R100 P-; "
                 "25 S80 S80 S-; 30 S60 S60 S-; 32 a at 3; 35 R50 R50 R100; "));
    control_world_close(&world);
}

/* Scrapes are seen 5 s late. At 35 the last one is of 30, of pods that are no more since 32: those
 * that replace them have no sample yet. At 50 they have that of 45. */
Test(monitor_cohorts, a_sample_is_of_the_pod_that_it_was_taken_of)
{
    control_world world;

    world_init(&world, 2, &pod_watcher);
    world.options.monitoring.delay = control_world_s(5);
    control_world_open(&world);
    control_world_run_to(&world, 32);
    cr_assert(ws_jobs_preempt(world.jobs, 0));
    control_world_run_to(&world, 51);
    cr_expect(eq(str, world.log,
                 "0 S- S-; 5 S- S-; 10 a at 2; 10 R- R-; 15 R- R-; 20 R100 R100; 25 R100 R100; "
                 "30 R100 R100; 35 S- S-; 40 S- S-; 42 a at 2; 45 R- R-; 50 R100 R100; "));
    control_world_close(&world);
}

/*
 * A job that writes for a second after each second of steps changes 120 times in a window of 2 min,
 * and the last 32 changes are kept: at 210 those of 179 and later. Steps began at 10 and do so
 * every 2 s: of these 31 s those from 180, 182, ... 208 on are steps, 15 of them.
 */
Test(monitor_cohorts, a_job_that_changes_often_has_a_shorter_window)
{
    static const char *const last = "210 48.3871/31 48.3871/31; ";
    control_world world;

    world_init(&world, 2, &series_watcher);
    control_world_checkpoint(&world, 0, 1, 1, false);
    world.options.monitoring.window = control_world_s(120);
    control_world_open(&world);
    control_world_run_to(&world, 211);
    cr_assert(gt(sz, strlen(world.log), strlen(last)));
    cr_expect(eq(str, world.log + strlen(world.log) - strlen(last), (char *)last));
    control_world_close(&world);
}
