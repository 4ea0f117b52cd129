/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What monitoring shows, against numbers worked out by hand. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "monitor.h"
#include "sim/control/control_world.h"

TestSuite(monitor);

static ws_time at_s(int64_t seconds)
{
    return (ws_time){.ns = seconds * WS_NS_PER_S};
}

/* ---- gauges ---- */

/* Changes at 10, 20 and twice at 30: the last value of an instant counts, before the first it is 0.
 */
Test(monitor, a_gauge_keeps_its_value_until_it_changes)
{
    monitor_gauge gauge = {.count = 0};

    cr_expect(eq(i64, ws_monitor_gauge_at(&gauge, at_s(5)), 0));
    ws_monitor_gauge_set(&gauge, at_s(10), 4);
    ws_monitor_gauge_set(&gauge, at_s(20), 9);
    ws_monitor_gauge_set(&gauge, at_s(30), 1);
    ws_monitor_gauge_set(&gauge, at_s(30), 7);
    cr_expect(eq(i64, ws_monitor_gauge_at(&gauge, at_s(9)), 0));
    cr_expect(eq(i64, ws_monitor_gauge_at(&gauge, at_s(10)), 4));
    cr_expect(eq(i64, ws_monitor_gauge_at(&gauge, at_s(29)), 4 + 5));
    cr_expect(eq(i64, ws_monitor_gauge_at(&gauge, at_s(30)), 7));
    cr_expect(eq(i64, ws_monitor_gauge_at(&gauge, at_s(3000)), 7));
}

/* A full ring reaches back to its oldest reading; what was before is taken to be that. */
Test(monitor, a_gauge_forgets_what_is_long_past)
{
    monitor_gauge gauge = {.count = 0};

    for (int64_t i = 1; i <= MONITOR_GAUGE_RING; i++) {
        ws_monitor_gauge_set(&gauge, at_s(i), i);
    }
    cr_expect(eq(i64, ws_monitor_gauge_at(&gauge, at_s(0)), 0)); /* nothing is forgotten yet */
    ws_monitor_gauge_set(&gauge, at_s(MONITOR_GAUGE_RING + 1), 5000);
    cr_expect(eq(i64, ws_monitor_gauge_at(&gauge, at_s(2)), 2));
    cr_expect(eq(i64, ws_monitor_gauge_at(&gauge, at_s(1)), 2));
    cr_expect(eq(i64, ws_monitor_gauge_at(&gauge, at_s(MONITOR_GAUGE_RING)), MONITOR_GAUGE_RING));
    cr_expect(eq(i64, ws_monitor_gauge_at(&gauge, at_s(9999)), 5000));
}

/* ---- scrapes ---- */

/* Scraped every 15 s, seen 20 s later: at 34 s the newest is that of 0, from 35 on that of 15. */
Test(monitor, a_scrape_is_seen_after_its_delay)
{
    ws_monitor monitor = {.spec = {.scrape = {.ns = 15 * WS_NS_PER_S},
                                   .window = {.ns = 60 * WS_NS_PER_S},
                                   .delay = {.ns = 20 * WS_NS_PER_S}}};
    ws_time scrape = {.ns = -1};

    cr_expect(not(ws_monitor_scrape_time(&monitor, at_s(19), &scrape)));
    cr_expect(eq(i64, scrape.ns, -1));
    cr_assert(ws_monitor_scrape_time(&monitor, at_s(20), &scrape));
    cr_expect(eq(i64, scrape.ns, 0));
    cr_assert(ws_monitor_scrape_time(&monitor, at_s(34), &scrape));
    cr_expect(eq(i64, scrape.ns, 0));
    cr_assert(ws_monitor_scrape_time(&monitor, at_s(35), &scrape));
    cr_expect(eq(i64, scrape.ns, 15 * WS_NS_PER_S));
}

/* ---- jobs ---- */

static const ws_parameter_table no_parameters = {.noun = "test"};

static void subscribe_to_util(const void *parameters, ws_subscriptions *subscriptions)
{
    (void)parameters;
    (void)ws_subscribe(subscriptions,
                       &(ws_query){.source = WS_QUERY_EXTERNAL, .metric = WS_TEXT("gpu_util")});
    (void)ws_subscribe(subscriptions,
                       &(ws_query){.source = WS_QUERY_EXTERNAL, .metric = WS_TEXT("throughput")});
    (void)ws_subscribe(subscriptions,
                       &(ws_query){.source = WS_QUERY_EXTERNAL, .metric = WS_TEXT("pending_gpus")});
}

static ws_duration every_10_s(const void *parameters)
{
    (void)parameters;
    return control_world_s(10);
}

static void note_samples(void *state, const void *parameters, const ws_view *view, ws_plan *plan)
{
    control_world *world = (control_world *)parameters;
    size_t counts[3];
    const ws_sample *util = ws_view_samples(view, 0, &counts[0]);
    double util_value = counts[0] > 0 ? util[0].value : -1;
    const ws_sample *rate = ws_view_samples(view, 1, &counts[1]);
    double rate_value = counts[1] > 0 ? rate[0].value : -1;
    const ws_sample *pending = ws_view_samples(view, 2, &counts[2]);

    (void)state;
    (void)plan;
    cr_assert(eq(sz, counts[2], 1));
    control_world_note(world, "%zu of %g %% at %g/s, %g pending", counts[0], util_value, rate_value,
                       pending[0].value);
}

static const ws_policy_type watcher = {.name = "watcher",
                                       .parameters = &no_parameters,
                                       .subscribe = subscribe_to_util,
                                       .period = every_10_s,
                                       .decide = note_samples};

/* Scrapes every 10 s over 20 s, no delay. The job is submitted at 5, waits for its second node
 * until 10 (2 pending), starts until 25, steps at 2 a second until 45, writes until 50, steps on.
 *
 * Until 25 no replica is in a running world: no series. At 30 both have one of 5 s, in which they
 * stepped: 100 %, 10 of work in 5 s, 1 a second for each of 2. At 40 of 15 s, likewise. At 50 of 20
 * s, of which 15 stepped. At 60: 5 + 10 of 20 s. At 70: all of it. */
Test(monitor, averages_what_a_job_did_over_the_window)
{
    control_world world;

    control_world_init(&world, 1);
    (void)control_world_add(&world, "a", 5, 2, 1000);
    control_world_make_rigid(&world, 0);
    control_world_checkpoint(&world, 0, 20, 5, false);
    world.kinds[0].checkpoint.every = control_world_s(20);
    world.kinds[0].start.init = ws_distribution_constant(15);
    world.options.monitoring.scrape = control_world_s(10);
    world.options.monitoring.window = control_world_s(20);
    control_world_control(&world, &watcher, (ws_target){.kind = WS_TARGET_POOL, .pool = 0});
    control_world_open(&world);
    control_world_run_to(&world, 10);
    (void)ws_fleet_want(world.fleet, 0, 2);
    control_world_run_to(&world, 72);
    cr_expect(eq(str, world.log,
                 "0 0 of -1 % at -1/s, 0 pending; "
                 "10 0 of -1 % at -1/s, 2 pending; "
                 "20 0 of -1 % at -1/s, 0 pending; "
                 "25 a at 2; "
                 "30 2 of 100 % at 1/s, 0 pending; "
                 "40 2 of 100 % at 1/s, 0 pending; "
                 "50 2 of 75 % at 0.75/s, 0 pending; "
                 "60 2 of 75 % at 0.75/s, 0 pending; "
                 "70 2 of 100 % at 1/s, 0 pending; "));
    control_world_close(&world);
}

/*
 * Two replicas, 1 of work a second until 20, a hole until 45, 2 a second until 100. They are busy
 * half of the time until 20. In the hole nothing was recorded, and nothing is shown, not even of
 * what was before. From 45 on the series begin anew: at 50 they have 5 s, all of them busy.
 */
Test(monitor, nothing_is_shown_in_a_hole)
{
    control_world world;
    ws_demand_step steps[] = {{.rate = 1, .is_known = true},
                              {.begin = at_s(20), .is_known = false},
                              {.begin = at_s(45), .rate = 2, .is_known = true}};
    ws_demand demand = ws_demand_of(steps, 3, at_s(100));

    control_world_init(&world, 2);
    (void)control_world_add(&world, "a", 0, 2, demand.total);
    world.stages[0][0].demand = &demand;
    world.kinds[0].has_demand = true;
    world.options.monitoring.scrape = control_world_s(10);
    world.options.monitoring.window = control_world_s(20);
    control_world_control(&world, &watcher, (ws_target){.kind = WS_TARGET_POOL, .pool = 0});
    control_world_open(&world);
    control_world_run_to(&world, 72);
    cr_expect(eq(str, world.log,
                 "0 a at 2; 0 0 of -1 % at -1/s, 0 pending; "
                 "10 2 of 50 % at 0.5/s, 0 pending; "
                 "20 0 of -1 % at -1/s, 0 pending; "
                 "30 0 of -1 % at -1/s, 0 pending; "
                 "40 0 of -1 % at -1/s, 0 pending; "
                 "50 2 of 100 % at 1/s, 0 pending; "
                 "60 2 of 100 % at 1/s, 0 pending; "
                 "70 2 of 100 % at 1/s, 0 pending; "));
    control_world_close(&world);
}
