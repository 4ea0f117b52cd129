/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Makespans under exponential failures, against the closed formulas of checkpoint theory, and gang
 * starts against the mean of a maximum.
 *
 * delta: cost of a write, M: mean time between failures, R: restart, tau: work between writes.
 * Sources: J. Young, CACM 17 (1974); J. Daly, FGCS 22 (2006). The numbers are those of the table of
 * values that a correct simulator must reproduce, computed there apart from this program.
 *
 * Method: one run of many jobs, all submitted at 0, one after the other on one node. Exponential
 * failures have no memory, so that the jobs' makespans (from the first placement to the end) are
 * independent and alike, and their mean has the standard error sd / sqrt(jobs). The expectation
 * must lie within four of them, and four must be less than a tenth of it. The seed is fixed.
 *
 * R comes in two ways. As the node's repair it cannot be interrupted; as the worker's start it can,
 * and each job's first start costs it too: M (e^(R/M) - 1) in the mean, since the start is begun
 * anew after each failure. A job has a moment of work beyond its last segment, so that this one
 * ends with a write like the others.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include <gsl/gsl_cdf.h>

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "support/support.h"
#include "worlds/small_world.h"
#include "ws/random.h"
#include "ws/statistics.h"

TestSuite(checkpoint_theory);

#define JOBS_FULL 3000
#define JOBS_LEAST 2000
#define STANDARD_ERRORS 4.0
#define MOMENT_S 1e-3

typedef struct {
    double work_s;
    double interval_s; /* 0: no checkpoint */
    double write_s;
    double between_failures_s;
    double restart_s;
    bool restart_may_fail;
    double expected_s;
} theory_case;

/* ---- many jobs in a row ---- */

typedef struct {
    small_world world;
    ws_stage_spec stage;
    ws_job_spec *jobs;
    size_t job_count;
} theory_run;

static ws_text theory_name(size_t number, ws_arena *arena)
{
    ws_text name = ws_arena_format(arena, "job-%zu", number);

    cr_assert(name.start != NULL);
    return name;
}

/* Makes the world's one job into many recorded ones that differ in nothing but their names. */
static void theory_repeat(theory_run *run, ws_arena *arena)
{
    const ws_job_template *job = &run->world.job;

    run->job_count = (size_t)ws_test_scaled(JOBS_FULL, JOBS_LEAST);
    run->jobs = ws_arena_alloc(arena, ws_job_spec, run->job_count);
    cr_assert(run->jobs != NULL);
    run->stage = run->world.stage.spec;
    for (size_t i = 0; i < run->job_count; i++) {
        run->jobs[i] = (ws_job_spec){.kind = &job->kind,
                                     .name = theory_name(i, arena),
                                     .number = i,
                                     .replicas_initial = job->replicas_initial,
                                     .replicas_min = job->replicas_initial,
                                     .replicas_max = job->replicas_initial,
                                     .replicas_step = 1,
                                     .stages = &run->stage,
                                     .stage_count = 1,
                                     .deadline = WS_TIME_NEVER};
    }
    run->world.scenario.workload =
        (ws_workload){.recorded = run->jobs, .recorded_count = run->job_count};
    run->world.options.check = false;
}

static void theory_make(theory_run *run, const theory_case *what, ws_arena *arena)
{
    small_world *world = &run->world;
    double segments = what->interval_s > 0 ? what->work_s / what->interval_s : 1;

    small_world_init(world, 1, what->work_s + (what->interval_s > 0 ? MOMENT_S : 0));
    world->pool.failures = (ws_node_failures){
        .present = true,
        .time_to_failure = {.family = WS_DISTRIBUTION_EXPONENTIAL, .a = what->between_failures_s},
        .repair = ws_distribution_constant(what->restart_may_fail ? 0 : what->restart_s),
        .billed_in_repair = true};
    if (what->restart_may_fail) {
        world->job.kind.start.container = ws_distribution_constant(what->restart_s);
    }
    if (what->interval_s > 0) {
        world->job.kind.has_checkpoint = true;
        world->job.kind.checkpoint = (ws_checkpoint_spec){
            .every = ws_duration_of_s(what->interval_s), .write = ws_duration_of_s(what->write_s)};
    }
    cr_assert(segments >= 1);
    theory_repeat(run, arena);
    world->scenario.horizon =
        (ws_time){.ns = ws_duration_of_s(2 * what->expected_s * (double)run->job_count).ns};
}

/* Mean makespan and its standard error; failures a job in `failures`. */
static ws_summary theory_simulate(const theory_case *what, double *failures)
{
    theory_run run;
    ws_arena arena;
    ws_arena keep;

    ws_arena_init(&arena, &ws_allocator_default, (size_t)1 << 28);
    theory_make(&run, what, &arena);
    ws_run_result result = small_world_run(&run.world, &keep);
    double *makespans = ws_arena_alloc(&arena, double, run.job_count);

    cr_assert(makespans != NULL);
    cr_assert(eq(sz, result.job_count, run.job_count));
    *failures = 0;
    for (size_t i = 0; i < run.job_count; i++) {
        cr_assert(result.jobs[i].state == WS_JOB_OUTCOME_DONE);
        makespans[i] = result.jobs[i].run_s;
        *failures += (double)result.jobs[i].failures / (double)run.job_count;
    }
    ws_summary summary = ws_summary_of(makespans, run.job_count, 0.95);
    ws_arena_reset(&keep);
    ws_arena_reset(&arena);
    return summary;
}

static void expect_near(const char *what, ws_summary summary, double expected)
{
    double bound = STANDARD_ERRORS * summary.sd / sqrt((double)summary.n);

    cr_expect(bound < expected / 10, "%s: too vague, %g of %g", what, bound, expected);
    cr_expect(fabs(summary.mean - expected) <= bound, "%s: %.6g, expected %.6g within %.3g", what,
              summary.mean, expected, bound);
}

static void check_cases(const theory_case *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char name[96];
        double failures = 0;
        double first_start_s = cases[i].restart_may_fail
                                   ? cases[i].between_failures_s *
                                         expm1(cases[i].restart_s / cases[i].between_failures_s)
                                   : 0;

        (void)snprintf(name, sizeof name, "work %g, every %g, M %g, R %g", cases[i].work_s,
                       cases[i].interval_s, cases[i].between_failures_s, cases[i].restart_s);
        ws_summary summary = theory_simulate(&cases[i], &failures);
        expect_near(name, summary, cases[i].expected_s + first_start_s);
    }
}

/* E[T] = (M + R)(e^(w/M) - 1). */
Test(checkpoint_theory, no_checkpoint)
{
    static const theory_case cases[] = {
        {1, 0, 0, 1, 0, false, 1.71828183},      {2, 0, 0, 1, 0, false, 6.38905610},
        {1, 0, 0, 10, 0.5, false, 1.10429464},   {24, 0, 0, 8, 0.25, false, 157.45567962},
        {100, 0, 0, 50, 1, false, 325.84186105}, {3600, 0, 0, 10800, 300, false, 4391.29791846},
    };

    check_cases(cases, WS_COUNT_OF(cases));
}

/* A job fails e^(w/M) - 1 times: 0.39561243. The variance of that number of trials is m (1 + m). */
Test(checkpoint_theory, failures_without_checkpoint)
{
    static const theory_case what = {3600, 0, 0, 10800, 300, false, 4391.29791846};
    double mean = 0.39561243;
    double failures = 0;
    ws_summary summary = theory_simulate(&what, &failures);
    double bound = STANDARD_ERRORS * sqrt(mean * (1 + mean) / (double)summary.n);

    cr_expect(epsilon_eq(dbl, failures, mean, bound));
}

/* Segments of equal length, each with its write: (work, segments, delta, R, M). With a restart that
 * may fail and with one that may not. */
Test(checkpoint_theory, segments)
{
    static const theory_case cases[] = {
        {86400, 86400.0 / 24, 60, 10800, 120, true, 105726.2492},
        {86400, 86400.0 / 24, 60, 10800, 120, false, 105719.7710},
        {86400, 86400.0 / 48, 60, 10800, 120, true, 98517.6056},
        {86400, 86400.0 / 12, 60, 10800, 120, true, 125620.6623},
        {604800, 604800.0 / 168, 120, 28440, 600, true, 681910.4299},
    };

    check_cases(cases, WS_COUNT_OF(cases));
}

/* T / Ts at Young's interval sqrt(2 delta M), or at the exact optimum, over 20 segments. */
Test(checkpoint_theory, overheads_of_published_intervals)
{
    static const theory_case cases[] = {
        {20 * 657.267069, 657.267069, 60, 3600, 60, true, 20 * 657.267069 * 1.22789142},
        {20 * 1469.693846, 1469.693846, 300, 3600, 300, true, 20 * 1469.693846 * 1.69033250},
        {20 * 4699.275876, 4699.275876, 600, 21600, 600, true, 20 * 4699.275876 * 1.31405086},
        {20 * 509.116882, 509.116882, 20, 6480, 300, true, 20 * 509.116882 * 1.13420588},
        {20 * 114.631933, 114.631933, 0.59, 11136, 180, true, 20 * 114.631933 * 1.02682895},
        /* Llama 3's failures: an efficiency of .944407 and of .857520. */
        {20 * 300.0, 300, 5, 11135.083532, 300, true, 20 * 300 / 0.944407},
        {20 * 1800.0, 1800, 30, 11135.083532, 600, true, 20 * 1800 / 0.857520},
    };

    check_cases(cases, WS_COUNT_OF(cases));
}

/* Makespan of 24 x 2939.4 s of work at an interval; the same work for all. */
static ws_summary theory_at_interval(double interval_s)
{
    double ratio = 3600 * exp(300.0 / 3600) * expm1((interval_s + 300) / 3600) / interval_s;
    theory_case what = {24 * 2939.387691, interval_s, 300, 3600, 300, true, 0};
    double failures = 0;

    what.expected_s = what.work_s * ratio;
    ws_summary summary = theory_simulate(&what, &failures);
    expect_near("interval", summary, what.expected_s + 3600 * expm1(300.0 / 3600));
    return summary;
}

/* Half of Young's interval and twice it cost more: 1.773 and 1.943 to 1.690. */
Test(checkpoint_theory, young_s_interval_is_better_than_half_and_twice_it)
{
    ws_summary young = theory_at_interval(1469.693846);
    ws_summary half = theory_at_interval(1469.693846 / 2);
    ws_summary twice = theory_at_interval(1469.693846 * 2);

    cr_expect(lt(dbl, young.mean, half.mean));
    cr_expect(lt(dbl, young.mean, twice.mean));
}

/* ---- gangs ---- */

/* n max - sum of the draws of one start, in ns; `slowest_ns` is the maximum. Draws of a start: four
 * common phases, then container and framework of each replica (ws/random.h, ws/distribution.h). */
static double gang_wait_ns(ws_text job, int32_t replicas, double *slowest_ns)
{
    double sum_s = 0;
    double slowest_s = 0;
    ws_stream stream;

    ws_stream_open(&stream, (ws_stream_key){.seed = 1,
                                            .purpose = WS_PURPOSE_WORKER_START,
                                            .entity = ws_text_hash(job),
                                            .index = 1});
    for (int32_t phase = 0; phase < 4; phase++) {
        (void)ws_stream_uniform(&stream);
    }
    for (int32_t i = 0; i < replicas; i++) {
        double container = ws_stream_uniform(&stream);
        double own_s = gsl_cdf_exponential_Pinv(container, 1);
        (void)ws_stream_uniform(&stream);
        sum_s += own_s;
        slowest_s = fmax(slowest_s, own_s);
    }
    *slowest_ns = slowest_s * 1e9;
    return (replicas * slowest_s - sum_s) * 1e9;
}

/* Starts a gang of n whose containers take Exp(1) each, many times over. */
static void check_gang(int32_t replicas, double harmonic)
{
    theory_run run;
    ws_arena arena;
    ws_arena keep;

    ws_arena_init(&arena, &ws_allocator_default, (size_t)1 << 28);
    small_world_init(&run.world, replicas, 1);
    run.world.job.replicas_initial = replicas;
    run.world.job.kind.start.container =
        (ws_distribution){.family = WS_DISTRIBUTION_EXPONENTIAL, .a = 1};
    theory_repeat(&run, &arena);
    run.world.scenario.horizon.ns = (int64_t)run.job_count * 100 * WS_NS_PER_S;
    ws_run_result result = small_world_run(&run.world, &keep);
    double *starts_s = ws_arena_alloc(&arena, double, run.job_count);

    cr_assert(starts_s != NULL);
    cr_assert(eq(sz, result.job_count, run.job_count));
    for (size_t i = 0; i < run.job_count; i++) {
        const ws_accounts *accounts = &result.jobs[i].accounts;
        int64_t straggle_ns = (int64_t)accounts->account[WS_ACCOUNT_STRAGGLE].gpu_ns;
        int64_t cold_ns = (int64_t)accounts->account[WS_ACCOUNT_COLD_START].gpu_ns;
        double slowest_ns = 0;
        double wait_ns = gang_wait_ns(run.jobs[i].name, replicas, &slowest_ns);

        /* The start is rounded to a nanosecond, for each of the replicas. */
        cr_assert(fabs((double)straggle_ns - wait_ns) <= replicas, "%zu", i);
        cr_assert(eq(i64, straggle_ns + cold_ns, replicas * (int64_t)llround(slowest_ns)));
        starts_s[i] = slowest_ns / 1e9;
    }
    expect_near("slowest of a gang", ws_summary_of(starts_s, run.job_count, 0.95), harmonic);
    ws_arena_reset(&keep);
    ws_arena_reset(&arena);
}

/* The mean of the slowest of n is the harmonic number H_n. */
Test(checkpoint_theory, gang_of_8)
{
    check_gang(8, 2.71785714);
}

Test(checkpoint_theory, gang_of_64)
{
    check_gang(64, 4.74389090);
}
