/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What was recorded of machines: which slot is gone when, worked out by hand, and whole runs
 * through it. Faults are in days (0.05 d = 4320 s, 0.125 d = 10800 s), the market's machines in ms.
 */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenarios/edited.h"
#include "support/support.h"
#include "ws/run.h"

static ws_edited edited;

#define FAULT(node, days, what)                                                                    \
    "{\"node_id\": \"" node "\", \"event_time\": " days ", \"event_type\": \"fault_" what "\"}"

/* b is down from 4320 s to 10800 s, a twice: from 43200 s to 51840 s, and from 86400 s on. */
static const char faults[] =
    "[" FAULT("b", "0.05", "start") "," FAULT("b", "0.125", "end") "," FAULT(
        "a", "0.5", "start") "," FAULT("a", "0.6", "end") "," FAULT("a", "1", "start") "]";

/* Four machines at 0; b and d go after an hour, e comes after two. */
static const char market[] = "0,add,a\n0,add,b\n0,add,c\n0,add,d\n"
                             "3600000,remove,b\n3600000,remove,d\n7200000,add,e\n";

static void write_file(const char *name, const char *content)
{
    char path[1200];
    FILE *file = NULL;

    (void)snprintf(path, sizeof path, "%s/%s", edited.folder, name);
    file = fopen(path, "w");
    cr_assert(file != NULL, "%s", path);
    cr_assert(fputs(content, file) >= 0);
    cr_assert(eq(int, fclose(file), 0));
}

static void set_up(void)
{
    ws_edited_init(&edited, "recorded");
    write_file("faults.json", faults);
    write_file("market.csv", market);
}

static void tear_down(void)
{
    ws_edited_fini(&edited);
}

TestSuite(recorded, .init = set_up, .fini = tear_down);

/* A pool at $0.001 a second for each of its nodes of one GPU, whose nodes start at once, and a job.
 */
static bool load(const char *horizon, const char *nodes, const char *pool, const char *job)
{
    ws_text text = ws_arena_format(
        &edited.arena,
        "schema: worldsize.scenario/v1\n"
        "name: recorded\n"
        "horizon: %s\n"
        "monitoring: {scrape: 1h, window: 1h}\n"
        "scheduling: {drain: leave}\n"
        "cluster:\n"
        "  pools:\n"
        "    - name: p\n"
        "      gpu: {type: T, per_node: 1}\n"
        "      nodes: {%s}\n"
        "      price: {per_gpu: $3.6/h, minimum: 0s}\n"
        "      cold_start: {request: 0s, boot: 0s, image_pull: 0s}\n"
        "      %s\n"
        "workload: {jobs: [{name: j, step: {curve: {1: 1/s, 2: 2/s, 4: 4/s}}, %s}]}\n"
        "policies: [{name: fixed, type: fixed, target: {pool: p}, nodes: 1}]\n",
        horizon, nodes, pool, job);
    return ws_edited_load(&edited, text, NULL);
}

#define ONE_JOB "replicas: {initial: 1}, elasticity: rigid, stages: [{name: s, work: 1M samples}]"

static void check_pool(const char *nodes, const char *pool)
{
    cr_assert(load("3d", nodes, pool, ONE_JOB), "%s", ws_edited_printed(&edited));
}

static void check_told(int code, const char *message)
{
    const ws_diagnostic *found = ws_edited_found(&edited, code);

    cr_assert(ne(ptr, (void *)found, NULL), "%d: %s", code, ws_edited_printed(&edited));
    cr_expect_str_eq(found->message.start, message);
}

static void check_refused(const char *pool, int code, const char *message)
{
    cr_expect_not(load("3d", "initial: 2, max: 2", pool, ONE_JOB), "%s", pool);
    cr_expect(eq(sz, edited.diag.error_count, 1), "%s", ws_edited_printed(&edited));
    check_told(code, message);
}

/* "slot closed-lost-back; " in seconds; "-" is never. */
static const char *absences(void)
{
    static char text[2000];
    const ws_pool_spec *pool = &edited.loaded.scenario.pools[0];
    size_t length = 0;

    text[0] = '\0';
    for (size_t i = 0; i < pool->absence_count; i++) {
        const ws_absence *absence = &pool->absences[i];
        length += (size_t)snprintf(text + length, sizeof text - length, "%d %.3f-%.3f-",
                                   (int)absence->slot, (double)absence->closed.ns / 1e9,
                                   (double)absence->lost.ns / 1e9);
        length += (size_t)snprintf(
            text + length, sizeof text - length, "%.3f%s; ",
            absence->back.ns == WS_TIME_NEVER.ns ? -1.0 : (double)absence->back.ns / 1e9,
            absence->is_reclaim ? " taken" : "");
    }
    return text;
}

static bool is_assumed(const char *part)
{
    for (size_t i = 0; i < edited.loaded.assumption_count; i++) {
        if (strstr(edited.loaded.assumptions[i].start, part) != NULL) {
            return true;
        }
    }
    return false;
}

/* ---- outages ---- */

/* Nodes in the order in which the file names them: b is slot 0. */
Test(recorded, outages_in_order)
{
    check_pool("initial: 2, max: 2", "failures: {recorded: {file: faults.json}}");
    cr_expect_str_eq(absences(), "0 4320.000-4320.000-10800.000; 1 43200.000-43200.000-51840.000; "
                                 "1 86400.000-86400.000--1.000; ");
    cr_expect_not(edited.loaded.scenario.pools[0].failures.present);
    cr_expect(eq(i64, edited.loaded.scenario.pools[0].failures.crash_detection.ns, 20000000000));
    cr_expect(is_assumed("pool p fails as recorded in faults.json: 3 outages on 2 of 2 nodes"));
    cr_expect(is_assumed("every replication meets the same ones"));
    cr_assert(eq(sz, edited.loaded.input_count, 2));
    cr_expect(ws_text_is(edited.loaded.inputs[1].role, "outages"));
    check_told(4324, "the recording ends after 1d of the run: from then on pool `p` has no "
                     "failure");
}

/* Time 0 within b's outage; a's first begins 35640 s later. The open one begins after `to`. */
Test(recorded, a_window_of_outages)
{
    check_pool("initial: 2, max: 2",
               "failures: {recorded: {file: faults.json, from: 2h6m, to: 1d}}");
    cr_expect_str_eq(absences(), "0 0.000-0.000-3240.000; 1 35640.000-35640.000-44280.000; ");
}

/* Half a day, again and again, for 36 h: b after 4320, 47520 and 90720 s. From 6 h to 13 h a's
 * first outage is cut at the end of each copy: 21600 s to 25200 s, of 25200 s. */
Test(recorded, outages_again_and_again)
{
    const char *again = "failures: {recorded: {file: faults.json, to: 12h, repeat: true}}";

    cr_assert(load("36h", "initial: 2, max: 2", again, ONE_JOB), "%s", ws_edited_printed(&edited));
    cr_expect_str_eq(absences(), "0 4320.000-4320.000-10800.000; 0 47520.000-47520.000-54000.000; "
                                 "0 90720.000-90720.000-97200.000; ");
    cr_expect(eq(ptr, (void *)ws_edited_found(&edited, 4324), NULL));
    cr_assert(load("13h", "initial: 2, max: 2",
                   "failures: {recorded: {file: faults.json, from: 6h, to: 13h, repeat: true}}",
                   ONE_JOB));
    cr_expect_str_eq(absences(),
                     "1 21600.000-21600.000-25200.000; 1 46800.000-46800.000-50400.000; ");
}

/* One slot for two recorded nodes, and four slots for two. */
Test(recorded, more_nodes_than_slots_and_fewer)
{
    check_pool("initial: 1, max: 1", "failures: {recorded: {file: faults.json}}");
    cr_expect_str_eq(absences(), "0 4320.000-4320.000-10800.000; ");
    check_told(4322, "1 of 2 recorded nodes have no place in pool `p`: 2 outages are left out");
    check_pool("initial: 1, max: 4", "failures: {recorded: {file: faults.json}}");
    check_told(4323, "pool `p` has 4 nodes, the recording 2: the others never fail");
    check_pool("initial: 1, max: 4", "failures: {recorded: {file: faults.json, nodes: 4}}");
    cr_expect(eq(ptr, (void *)ws_edited_found(&edited, 4323), NULL));
}

/* All recorded nodes are drawn when there are as many slots; of 10^5 nodes two are hardly among
 * four. */
Test(recorded, nodes_that_are_drawn)
{
    check_pool("initial: 2, max: 2", "failures: {recorded: {file: faults.json, assign: drawn}}");
    cr_expect(eq(sz, edited.loaded.scenario.pools[0].absence_count, 3));
    check_pool("initial: 1, max: 4",
               "failures: {recorded: {file: faults.json, assign: drawn, nodes: 100000}}");
    cr_expect(eq(sz, edited.loaded.scenario.pools[0].absence_count, 0));
    cr_expect(eq(ptr, (void *)ws_edited_found(&edited, 4322), NULL));
    cr_expect(is_assumed("its nodes are drawn from 100000 recorded ones, of which 2 had a fault"));
}

Test(recorded, outages_that_are_refused)
{
    check_refused("failures: {recorded: {file: market.csv}}", 4321,
                  "`market.csv` tells when nodes of a spot market came and went, not when nodes "
                  "failed");
    check_refused("failures: {recorded: {file: faults.json}, node_mtbf: 30d}", 2302,
                  "`failures` has both `recorded` and `node_mtbf`");
    check_refused("failures: {recorded: {file: faults.json}, repair: 1h}", 2302,
                  "`failures` has both `recorded` and `repair`");
    check_refused("failures: {billed: true}", 2102, "nothing says when nodes fail");
    check_refused("failures: {recorded: {file: faults.json, nodes: 1}}", 4325,
                  "`nodes` is 1, but the recording names 2");
    check_refused("failures: {recorded: {file: faults.json, from: 1d}}", 4201,
                  "nothing of the recording lies between `from` and its end");
    check_refused("failures: {recorded: {file: faults.json, format: philly}}", 2203,
                  "`philly` is not a format of recorded outages");
    check_refused("failures: {recorded: {file: ../faults.json}}", 7103,
                  "`file` leaves the directory of the scenario");
}

/* ---- availability ---- */

/* The notice is two minutes before; the machine that comes takes the lowest slot that is free. */
Test(recorded, a_market_with_as_many_slots)
{
    check_pool("initial: 4, max: 4", "spot: {recorded: {file: market.csv}}");
    cr_expect_str_eq(absences(),
                     "1 3480.000-3600.000-7200.000 taken; 3 3480.000-3600.000--1.000 taken; ");
    cr_expect(is_assumed("pool p has the nodes that the market had in market.csv, at most 4"));
    check_told(4327, "the recording ends after 2h of the run: from then on pool `p` keeps what "
                     "the market had");
    cr_expect(ws_text_is(edited.loaded.inputs[1].role, "availability"));
}

/* With two slots c and d wait for one; c takes that of b. With six, two have no machine at first; e
 * takes slot 1 again. */
Test(recorded, a_market_with_fewer_and_with_more_slots)
{
    check_pool("initial: 2, max: 2", "spot: {recorded: {file: market.csv}}");
    cr_expect_str_eq(absences(), "1 3480.000-3600.000-3600.000 taken; ");
    check_pool("initial: 6, max: 6", "spot: {recorded: {file: market.csv}, notice: 0s}");
    cr_expect_str_eq(absences(), "4 0.000-0.000--1.000 taken; 5 0.000-0.000--1.000 taken; "
                                 "1 3600.000-3600.000-7200.000 taken; "
                                 "3 3600.000-3600.000--1.000 taken; ");
    check_told(4326, "pool `p` begins with 4 of its 6 nodes: the market has no more");
}

/* From 90 min on a and c are there, and take the lowest slots; e comes after 30 min. */
Test(recorded, a_window_of_a_market)
{
    check_pool("initial: 2, max: 3", "spot: {recorded: {file: market.csv, from: 90m}}");
    cr_expect_str_eq(absences(), "2 0.000-0.000-1800.000 taken; ");
    check_refused("spot: {recorded: {file: market.csv, from: 3h}}", 4201,
                  "the recording ends before `from`");
    check_refused("spot: {recorded: {file: faults.json}}", 4321,
                  "`faults.json` tells when nodes failed, not when a spot market had them");
}

/* A machine that goes 60 s after it came, with 120 s of notice, was never there. */
Test(recorded, a_machine_that_goes_within_its_notice)
{
    write_file("short.csv", "0,add,a\n1000000,add,b\n1060000,remove,b\n2000000,add,c\n");
    check_pool("initial: 1, max: 2", "spot: {recorded: {file: short.csv}}");
    cr_expect_str_eq(absences(), "1 0.000-0.000-2000.000 taken; ");
    cr_expect(is_assumed("1 nodes that the market took back within their notice are left out"));
}

/* ---- runs ---- */

static ws_run_result run(ws_arena *scratch)
{
    ws_run_result result;

    ws_arena_init(scratch, &ws_allocator_default, (size_t)1 << 28);
    cr_assert(ws_run(&result, &edited.loaded.arms[0],
                     &(ws_run_options){.with_jobs = true, .with_events = true, .check = true},
                     &edited.arena, scratch, &edited.diag));
    return result;
}

static double gpu_s(const ws_run_result *result, ws_account account)
{
    return (double)result->run.accounts.account[account].gpu_ns / 1e9;
}

/*
 * Two nodes, a rigid job of both, 36000 s of work, written every 30 min. Slot 0 is down from 4320 s
 * to 10800 s: 2 x 720 s since the write at 3600 s are lost; node 1 waits 20 s for the detection,
 * then 6460 s for its neighbour. Both read for 60 s from 10800 s on; the other 32400 s of work end
 * at 43260 s, and both are idle for 6740 s. Node 0 is not paid for 6480 s.
 */
Test(recorded, a_rigid_job_through_an_outage)
{
    ws_arena scratch;

    cr_assert(load("50000s", "initial: 2, min: 2, max: 2",
                   "failures: {recorded: {file: faults.json, to: 12h}}",
                   "replicas: {initial: 2}, elasticity: rigid, stages: [{name: s, work: 72k "
                   "samples}], checkpoint: {every: 30m, write: 0s, read: 1m}"),
              "%s", ws_edited_printed(&edited));
    ws_run_result result = run(&scratch);

    cr_expect(eq(i64, result.run.failures, 1));
    cr_expect(eq(dbl, result.jobs[0].end_s, 43260));
    cr_expect(eq(dbl, gpu_s(&result, WS_ACCOUNT_USEFUL), 72000));
    cr_expect(eq(dbl, gpu_s(&result, WS_ACCOUNT_LOST), 1440));
    cr_expect(eq(dbl, gpu_s(&result, WS_ACCOUNT_RECOVERY), 20 + 2 * 60));
    cr_expect(eq(dbl, gpu_s(&result, WS_ACCOUNT_IDLE), 6460 + 2 * 6740));
    cr_expect(eq(dbl, (double)result.run.unbilled.gpu_ns / 1e9, 6480));
    cr_expect(result.run.cost.nano == (ws_i128)93520 * 1000000); /* 50000 + 43520 s */
    ws_arena_reset(&scratch);
}

/*
 * Four nodes, a job of four that can shrink. At the notice, 3480 s, it writes for 25 s and leaves
 * two nodes, which are released; two read for 17 s and go on at 3522 s: nothing is lost. To 7000 s:
 * 4 x 3480 + 2 x 3478 s of work, 4 x 25 s of writing, 2 x 17 s of the resize.
 */
Test(recorded, an_elastic_job_leaves_at_the_notice)
{
    ws_arena scratch;

    cr_assert(
        load("7000s", "initial: 4, min: 4, max: 4", "spot: {recorded: {file: market.csv}}",
             "replicas: {initial: 4, min: 1, max: 4}, elasticity: restart, stages: [{name: s, "
             "work: 1M samples}], checkpoint: {every: 10h, write: 25s, read: 17s, "
             "before_resize: true}"),
        "%s", ws_edited_printed(&edited));
    ws_run_result result = run(&scratch);

    cr_expect(eq(i64, result.run.reclaims, 0));
    cr_expect(eq(i64, result.run.failures, 0));
    cr_expect(eq(dbl, gpu_s(&result, WS_ACCOUNT_USEFUL), 4 * 3480 + 2 * 3478));
    cr_expect(eq(dbl, gpu_s(&result, WS_ACCOUNT_CHECKPOINT), 4 * 25));
    cr_expect(eq(dbl, gpu_s(&result, WS_ACCOUNT_RESIZE), 2 * 17));
    cr_expect(eq(dbl, gpu_s(&result, WS_ACCOUNT_LOST), 0));
    cr_expect(eq(dbl, gpu_s(&result, WS_ACCOUNT_IDLE), 0));
    cr_expect(result.run.cost.nano == (ws_i128)(4 * 3505 + 2 * 3495) * 1000000);
    ws_arena_reset(&scratch);
}

/*
 * The same without a checkpoint, and rigid: it stays until nodes 1 and 3 are taken at 3600 s, and
 * loses all of 4 x 3600 s; two nodes wait for the detection of 20 s, which is recovery, and are
 * idle from then on, for they are too few. The two that were taken are not paid any more.
 */
Test(recorded, a_rigid_job_stays_until_it_is_taken)
{
    ws_arena scratch;

    cr_assert(load("7000s", "initial: 4, min: 4, max: 4", "spot: {recorded: {file: market.csv}}",
                   "replicas: {initial: 4}, elasticity: rigid, stages: [{name: s, work: 1M "
                   "samples}]"),
              "%s", ws_edited_printed(&edited));
    ws_run_result result = run(&scratch);

    cr_expect(eq(i64, result.run.reclaims, 2));
    cr_expect(eq(dbl, gpu_s(&result, WS_ACCOUNT_USEFUL), 0));
    cr_expect(eq(dbl, gpu_s(&result, WS_ACCOUNT_LOST), 4 * 3600));
    cr_expect(eq(dbl, gpu_s(&result, WS_ACCOUNT_RECOVERY), 2 * 20));
    cr_expect(eq(dbl, gpu_s(&result, WS_ACCOUNT_IDLE), 2 * 3380));
    cr_expect(result.run.cost.nano == (ws_i128)(4 * 3600 + 2 * 3400) * 1000000);
    ws_arena_reset(&scratch);
}

/*
 * The public trace of 416 faults on 174 nodes. Its nodes are down for 2074.033 node-days of its
 * 348.9798 days, 3.4156 % of their time, by a sum over its events that was made outside of this
 * program; two faults lie within others, so that there are 414 outages.
 */
Test(recorded, a_published_trace_of_faults)
{
    char path[4200];
    ws_arena scratch;

    if (ws_test_shared("data/infinitehbd/fault_trace.nodes_a.json", path, sizeof path) == NULL) {
        cr_skip_test("the recording is not there");
    }
    ws_text trace = ws_test_load(path);
    write_file("trace.json", trace.start);
    free((void *)trace.start);
    cr_assert(load("30151854720ms", "initial: 174, max: 174, min: 174",
                   "failures: {recorded: {file: trace.json, nodes: 174}}", ONE_JOB),
              "%s", ws_edited_printed(&edited));
    ws_run_result result = run(&scratch);
    double down_days = (double)result.run.unbilled.gpu_ns / 86400e9;

    cr_expect(eq(i64, result.run.failures, 414));
    cr_expect(epsilon_eq(dbl, down_days, 2074.033, 1e-9), "%.9f", down_days);
    cr_expect(epsilon_eq(dbl, down_days / (174 * 348.9798), 0.034156, 1e-6));
    ws_arena_reset(&scratch);
}

/*
 * A public trace of a spot market: within the first 11 hours 163 machines were taken, and up to 32
 * were there, 24.392424242 on average, by a sum over its lines that was made outside of this
 * program. A pool with 40 slots that wants all there is has them, if nodes start at once and go
 * without notice.
 */
Test(recorded, a_published_trace_of_a_market)
{
    char path[4200];
    ws_arena scratch;

    if (ws_test_shared("data/bamboo/p3-trace.csv", path, sizeof path) == NULL) {
        cr_skip_test("the recording is not there");
    }
    ws_text trace = ws_test_load(path);
    write_file("p3.csv", trace.start);
    free((void *)trace.start);
    cr_assert(load("11h", "initial: 40, min: 40, max: 40",
                   "spot: {recorded: {file: p3.csv}, notice: 0s}", ONE_JOB),
              "%s", ws_edited_printed(&edited));
    ws_run_result result = run(&scratch);

    cr_expect(eq(dbl, result.run.gpus_peak, 32));
    cr_expect(eq(i64, result.run.failures, 0));
    cr_expect(eq(i64, result.run.reclaims, 163));
    cr_expect(epsilon_eq(dbl, result.run.gpus_mean, 24.392424242, 1e-6), "%.9f",
              result.run.gpus_mean);
    ws_arena_reset(&scratch);
}
