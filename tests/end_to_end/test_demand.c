/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * demand.yaml by hand. A worker does 10 samples a second; 30 arrive until 600 s, 60 from there to
 * 1800 s. All workers start at once, and monitoring shows each 15 s what was in them.
 *
 * fixed, 5 workers: 50 a second are done, 10 more wait each second from 600 on: 12,000 at the end.
 * What is done at 600 + t arrived at 600 + 50 t / 60: a lag of t / 6, up to 200 s, of which the
 * mean over 1800 s is (1200^2 / 12) / 1800 = 66.67 s. It is at most x for 600 + 6 x seconds: 95 %
 * of 1800 are 1710 s, x = 185.
 *
 * hpa, a utilisation of 60: 5 workers are busy 30 / 50 = 60 % of the time. At 615 they were busy
 * all the time since 600: 5 x 100 / 60 = 8.3, 9 workers. 150 wait by then, with a lag of 15 / 6
 * = 2.5 s; 90 a second are done and 30 fewer wait, until 620. So in the window of 630 the 9 were
 * busy 5 s all the time and 10 s for 60 / 90 of it, 77.8 %: 9 x 77.8 / 60 = 11.67, 12 workers, busy
 * 60 / 120 = 50 % from there on: 12 x 50 / 60 = 10. The 12 of 630 hold for 300 s, both ends
 * counted; at 945 it is 10, and 60 % again. The lag is a triangle of 20 s by 2.5 s: 25 s^2 / 1800
 * s.
 *
 * predictive, by arrivals and 6 a second for each worker: 60 in the window of 615 are 10 workers,
 * which are busy 60 % of the time, once the 150 are done after 150 / (100 - 60) = 3.75 s.
 */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <string.h>

#include "support/support.h"
#include "ws/load.h"
#include "ws/run.h"

enum { FIXED, HPA, PREDICTIVE, ARMS };

static ws_arena arena;
static ws_diag diag;
static ws_loaded loaded;

static void set_up(void)
{
    char path[4200];

    (void)snprintf(path, sizeof path, "%s/tests/end_to_end/demand.yaml", ws_test_source_folder());
    ws_arena_init(&arena, &ws_allocator_default, (size_t)1 << 28);
    ws_diag_init(&diag, &arena);
    cr_assert(ws_scenario_load(&loaded, &(ws_load_options){.path = path}, &arena, &diag));
    cr_assert(eq(sz, loaded.arm_count, ARMS));
}

static void tear_down(void)
{
    ws_arena_reset(&arena);
}

TestSuite(demand, .init = set_up, .fini = tear_down);

static ws_run_result run_of(size_t arm)
{
    ws_run_result result;
    ws_run_options options = {
        .timeline_step = {.ns = 60 * WS_NS_PER_S}, .with_events = true, .check = true};

    cr_assert(ws_run(&result, &loaded.arms[arm], &options, &arena, &arena, &diag));
    return result;
}

/* "615: 5 to 9; 630: 9 to 12; " */
static const char *resizes(const ws_run_result *result, char *text, size_t bytes)
{
    size_t length = 0;

    text[0] = '\0';
    for (const ws_event_block *block = result->events.first; block != NULL; block = block->next) {
        for (size_t i = 0; i < block->count; i++) {
            const ws_event_record *record = &block->records[i];
            if (record->kind == WS_EVENT_JOB_RESIZE && length < bytes) {
                length +=
                    (size_t)snprintf(text + length, bytes - length, "%g: %d to %d; ",
                                     ws_time_s(record->at), (int)record->from, (int)record->to);
            }
        }
    }
    return text;
}

static double account_h(const ws_run_result *result, ws_account account)
{
    return ws_gpu_time_h(result->run.accounts.account[account]);
}

Test(demand, a_fixed_size_falls_behind)
{
    ws_run_result result = run_of(FIXED);
    const ws_run_record *run = &result.run;

    cr_expect(eq(dbl, run->demand, 30 * 600 + 60 * 1200));
    cr_expect(epsilon_eq(dbl, run->backlog_end, 12000, 1e-6));
    cr_expect(epsilon_eq(dbl, run->backlog_max, 12000, 1e-6));
    cr_expect(epsilon_eq(dbl, run->demand_served_fraction, 78.0 / 90, 1e-12));
    cr_expect(epsilon_eq(dbl, run->backlog_time_fraction, 2.0 / 3, 1e-12));
    cr_expect(epsilon_eq(dbl, run->lag_max_s, 200, 1e-9));
    cr_expect(epsilon_eq(dbl, run->lag_mean_s, 200.0 / 3, 1e-9));
    cr_expect(epsilon_eq(dbl, run->lag_p95_s, 185, 1e-9));
    cr_expect(epsilon_eq(dbl, run->lag_p99_s, 197, 1e-9));
    cr_expect(eq(dbl, run->demand_hole_s, 0));
    /* 60 % of 5 x 600 s, all of 5 x 1200 s */
    cr_expect(epsilon_eq(dbl, account_h(&result, WS_ACCOUNT_USEFUL), 7800.0 / 3600, 1e-9));
    cr_expect(epsilon_eq(dbl, account_h(&result, WS_ACCOUNT_INPUT_STALL), 1200.0 / 3600, 1e-9));
    /* minute 20: 60 arrive, 50 are done, and 10 x (600 .. 660) wait */
    const ws_timeline_record *minute = &result.timeline[20];
    cr_expect(eq(dbl, minute->t_s, 1200));
    cr_expect(epsilon_eq(dbl, minute->demand_per_s, 60, 1e-9));
    cr_expect(epsilon_eq(dbl, minute->served_per_s, 50, 1e-9));
    cr_expect(epsilon_eq(dbl, minute->capacity_per_s, 50, 1e-9));
    cr_expect(epsilon_eq(dbl, minute->backlog, 6300, 1e-6));
    cr_expect(epsilon_eq(dbl, minute->lag_s, 110, 1e-9));
}

Test(demand, an_autoscaler_on_utilisation)
{
    ws_run_result result = run_of(HPA);
    char text[300];

    cr_expect(eq(str, (char *)resizes(&result, text, sizeof text),
                 "615: 5 to 9; 630: 9 to 12; 945: 12 to 10; "));
    cr_expect(epsilon_eq(dbl, result.run.backlog_max, 150, 1e-9));
    cr_expect(eq(dbl, result.run.backlog_end, 0));
    cr_expect(epsilon_eq(dbl, result.run.lag_max_s, 2.5, 1e-12));
    cr_expect(epsilon_eq(dbl, result.run.lag_mean_s, 25.0 / 1800, 1e-12));
    cr_expect(epsilon_eq(dbl, result.run.backlog_time_fraction, 20.0 / 1800, 1e-12));
    /* Every sample is done once: 9000 s of a worker. */
    cr_expect(epsilon_eq(dbl, account_h(&result, WS_ACCOUNT_USEFUL), 2.5, 1e-9));
    /* 5 workers for 615 s, 9 for 15 s, 12 for 315 s, 10 for 855 s hold 15540 s. */
    cr_expect(
        epsilon_eq(dbl, account_h(&result, WS_ACCOUNT_INPUT_STALL), (15540 - 9000) / 3600.0, 1e-9));
}

Test(demand, a_forecast_of_arrivals)
{
    ws_run_result result = run_of(PREDICTIVE);
    char text[300];

    cr_expect(eq(str, (char *)resizes(&result, text, sizeof text), "615: 5 to 10; "));
    cr_expect(epsilon_eq(dbl, result.run.lag_max_s, 2.5, 1e-12));
    cr_expect(epsilon_eq(dbl, result.run.backlog_time_fraction, 18.75 / 1800, 1e-12));
    cr_expect(eq(dbl, result.run.demand_served_fraction, 1));
}
