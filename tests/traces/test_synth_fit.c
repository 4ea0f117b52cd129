/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shapes of traces by hand, and parameters fitted to traces whose parameters are known. */
#include <math.h>

#include "trace_case.h"
#include "ws/time.h"
#include "ws/trace_synth.h"

#define HEADER "id,arrival_s,gpus,duration_s,outcome,user,queue,start_s,attempts,zone\n"

/* ---- shapes ---- */

static void shape_of(ws_trace_shape *shape, const int64_t *arrivals_s, const int32_t *gpus,
                     size_t count)
{
    ws_trace_shape_init(shape);
    for (size_t i = 0; i < count; i++) {
        ws_trace_job job = {.id = WS_TEXT("a"),
                            .arrival_ns = arrivals_s[i] * WS_NS_PER_S,
                            .duration_ns = 60 * WS_NS_PER_S,
                            .gpus = gpus[i]};

        ws_trace_shape_add(shape, &job, 0);
    }
}

/* Two jobs at 0h, none at 1h, one at 2h, one at 3h: mean 1, squares of the differences 1, 1, 0, 0:
 * variance 0.5. Neighbours: 1 x -1, -1 x 0, 0 x 0: -1 over four hours and 0.5. */
Test(shape, hourly_counts_by_hand)
{
    static const int64_t arrivals_s[] = {10, 20, 7200, 10800};
    static const int32_t gpus[] = {1, 1, 1, 1};
    ws_trace_shape shape;

    shape_of(&shape, arrivals_s, gpus, 4);
    ws_shape_counts counts = ws_trace_shape_counts(&shape);
    cr_expect(eq(i64, counts.hours, 4));
    cr_expect(eq(dbl, counts.mean, 1));
    cr_expect(epsilon_eq(dbl, counts.dispersion, 0.5, 1e-12));
    cr_expect(epsilon_eq(dbl, counts.correlation, -0.5, 1e-12));
}

/*
 * Sizes 1 1 2 4 and 1 2 2 4: a quarter of the jobs moves from 1 to 2. Distance 1/4, and 1/4 (ln 3 -
 * ln 2) = 0.101 in ln(1 + x), to the 1 % of a bin. By GPU time (all run as long) shares up to 1 GPU
 * are 2/8 and 1/9: 5/36. Hours: 0 0 1 1 and 0 1 1 1: a quarter comes at another one.
 */
Test(shape, distances_by_hand)
{
    static const int64_t arrivals_a[] = {0, 1000, 4000, 4001};
    static const int64_t arrivals_b[] = {0, 4000, 4001, 4002};
    static const int32_t gpus_a[] = {1, 1, 2, 4};
    static const int32_t gpus_b[] = {1, 2, 2, 4};
    ws_trace_shape a;
    ws_trace_shape b;

    shape_of(&a, arrivals_a, gpus_a, 4);
    shape_of(&b, arrivals_b, gpus_b, 4);
    ws_shape_distances distances = ws_trace_shape_compare(&a, &b);
    cr_expect(epsilon_eq(dbl, distances.sizes.ks, 0.25, 1e-12));
    cr_expect(epsilon_eq(dbl, distances.sizes.wasserstein, 0.101, 0.0026));
    cr_expect(epsilon_eq(dbl, distances.work.ks, 5.0 / 36, 1e-12));
    cr_expect(epsilon_eq(dbl, distances.day, 0.25, 1e-12));
    cr_expect(eq(dbl, distances.durations.ks, 0));
    /* Gaps 1000 3000 1 and 4000 1 1: up to 1 a third and two thirds. */
    cr_expect(epsilon_eq(dbl, distances.gaps.ks, 1.0 / 3, 1e-12));
}

/* ---- what cannot be imitated ---- */

static void refuse(trace_case *c, const char *text, int code)
{
    ws_synth synth;

    trace_case_begin(c, "synth-refuse");
    trace_case_load(c, "worldsize", text);
    cr_assert(c->is_loaded);
    cr_assert(not(ws_synth_fit(&synth, &c->trace, WS_TEXT("t.csv"), &c->arena, &c->diag)));
    cr_assert(trace_case_find(c, code) != NULL, "%s", trace_case_message(c, code));
}

Test(synth_fit, too_few_jobs)
{
    trace_case c;

    refuse(&c, HEADER, 6150);
    trace_case_end(&c);
    refuse(&c, HEADER "a,0,1,60,,,,,,\n", 6150);
    cr_assert_str_eq(trace_case_message(&c, 6150),
                     "`t.csv` holds 1 job of known run time: at least 10 are needed to draw others "
                     "like them");
    trace_case_end(&c);
    refuse(&c, HEADER "a,0,1,60,,,,,,\nb,60,1,60,,,,,,\n", 6150);
    trace_case_end(&c);
}

Test(synth_fit, one_moment)
{
    trace_case c;

    refuse(&c,
           HEADER "a,5,1,60,,,,,,\nb,5,1,60,,,,,,\nc,5,1,60,,,,,,\nd,5,1,60,,,,,,\n"
                  "e,5,1,60,,,,,,\nf,5,1,60,,,,,,\ng,5,1,60,,,,,,\nh,5,1,60,,,,,,\n"
                  "i,5,1,60,,,,,,\nj,5,1,60,,,,,,\n",
           6151);
    trace_case_end(&c);
}

/* ---- what is found again ---- */

typedef struct {
    ws_arena arena;
    ws_diag diag;
    ws_trace trace;
    ws_synth fitted;
} fit_case;

/* Draws a trace into memory, as it would be loaded. */
static void fit_draw(fit_case *c, const ws_synth *synth, size_t count)
{
    ws_synth_state *state = ws_synth_open(synth, 21, &c->arena);

    c->trace = (ws_trace){.clock = synth->clock, .zone = synth->zone};
    c->trace.jobs = ws_arena_alloc(&c->arena, ws_trace_job, count);
    c->trace.origin_ns = synth->origin_ns;
    cr_assert(state != NULL && c->trace.jobs != NULL);
    for (size_t i = 0; i < count; i++) {
        ws_trace_job *job = &c->trace.jobs[c->trace.count++];
        size_t bytes = 0;

        cr_assert(ws_synth_next(state, INT64_MAX, job));
        job->id = ws_arena_copy_text(&c->arena, job->id);
        job->user = ws_arena_copy_text(&c->arena, job->user);
        bytes = (size_t)job->attempt_count * sizeof *job->attempts;
        if (bytes > 0) {
            void *copy = ws_arena_alloc_bytes(&c->arena, 1, bytes);
            cr_assert(copy != NULL);
            memcpy(copy, job->attempts, bytes);
            job->attempts = copy;
        }
    }
}

static void fit_begin(fit_case *c)
{
    memset(c, 0, sizeof *c);
    ws_arena_init(&c->arena, &ws_allocator_default, (size_t)256 << 20);
    ws_diag_init(&c->diag, &c->arena);
}

/*
 * 6,000 jobs of 4 GPUs, log-normal of mu ln 3600 and sigma 0.8, by 20 users at r^-1.2, half of them
 * repeats without likeness, on nodes that are lost once in two days. Standard errors: sigma 0.8 /
 * sqrt(2 n) = 0.007; mu 0.8/sqrt(n) = 0.010; the exponent 1/sqrt(n/3 Var ln r) with Var ln r about
 * 0.8 and a third of n for the repeats, 0.025; the rate 1/sqrt(events). A node runs about 3600
 * exp(0.32) s a job: 344 node-days, 172 events, 7.6 %. The log-normal is taken with 95 %.
 */
Test(synth_fit, known_parameters_are_found)
{
    static const ws_synth_size four[] = {{.gpus = 4, .weight = 1}};
    static const ws_synth_point points[] = {{0, 8.188689124444202}, {1, 8.988689124444202}};
    static const double levels[] = {1};
    ws_synth_class class = {.weight = 1, .sizes = four, .size_count = 1};
    ws_synth synth = {.clock = WS_TRACE_CLOCK_UTC, .classes = &class, .class_count = 1};
    fit_case c;

    fit_begin(&c);
    class.durations =
        (ws_synth_durations){.points = points, .count = 2, .least_s = 1, .most_s = 1e9};
    class.outcomes[0][WS_TRACE_OUTCOME_COMPLETED] = 1;
    class.outcomes[1][WS_TRACE_OUTCOME_CANCELLED] = 1;
    synth.zone = WS_TEXT("UTC");
    synth.arrivals =
        (ws_synth_arrivals){.rate_per_h = 30, .levels = levels, .level_count = 1, .near_mean = 1};
    for (size_t i = 0; i < 24; i++) {
        synth.arrivals.day[i] = i < 12 ? 0.5 : 1.5;
    }
    for (size_t i = 0; i < 7; i++) {
        synth.arrivals.week[i] = 1;
    }
    synth.user_count = 20;
    synth.user_exponent = 1.2;
    synth.repeat_fraction = 0.5;
    synth.restarts =
        (ws_synth_restarts){.per_node_day = 0.5, .gpus_per_node = 8, .gap_mean_s = 600};
    fit_draw(&c, &synth, 6000);
    cr_assert(ws_synth_fit(&c.fitted, &c.trace, WS_TEXT("t.csv"), &c.arena, &c.diag));

    const ws_synth *found = &c.fitted;
    const ws_synth_class *all = &found->classes[0];
    cr_expect(eq(sz, found->class_count, 1));
    cr_expect(eq(sz, all->durations.count, 2));
    cr_expect(epsilon_eq(dbl, all->durations.points[0].log_s, 8.1887, 0.041));
    cr_expect(epsilon_eq(dbl, all->durations.points[1].log_s - all->durations.points[0].log_s, 0.8,
                         0.03));
    /* The longest tenth is that of the sample, not of the law: 600 jobs more or less sqrt(6000 x
       0.09) = 23, of which one side has the outcome of the other. */
    cr_expect(lt(dbl, all->outcomes[0][WS_TRACE_OUTCOME_CANCELLED], 93));
    cr_expect(lt(dbl, all->outcomes[1][WS_TRACE_OUTCOME_COMPLETED], 93));
    cr_expect(gt(dbl, all->outcomes[1][WS_TRACE_OUTCOME_CANCELLED], 500));
    cr_expect(eq(i32, found->user_count, 20));
    cr_expect(epsilon_eq(dbl, found->user_exponent, 1.2, 0.1));
    cr_expect(epsilon_eq(dbl, found->repeat_fraction, 0.5, 0.04));
    cr_expect(lt(dbl, found->repeat_likeness, 0.1));
    cr_expect(epsilon_eq(dbl, found->restarts.per_node_day, 0.5, 0.5 * 4 * 0.076));
    cr_expect(epsilon_eq(dbl, found->restarts.gap_mean_s, 600, 4 * 600 * 0.076));
    /* 200 hours at 30: 2.4 % on the rate (four errors); an hour of the day has nine values, so that
       its mean is known to 1/sqrt(9 x 15) = 9 %. */
    cr_expect(epsilon_eq(dbl, found->arrivals.rate_per_h, 30, 1.6));
    cr_expect(epsilon_eq(dbl, found->arrivals.day[3], 0.5, 0.2));
    cr_expect(epsilon_eq(dbl, found->arrivals.day[20], 1.5, 0.3));
    cr_expect(eq(dbl, found->arrivals.near_fraction, 0));
    ws_arena_reset(&c.arena);
}

/* ---- a recorded one ---- */

/* Draws as long as the sample, from three seeds each. The most that an hour brings, 571 jobs, has a
 * standard deviation of 24, so that its square, half of the variance, has one of 8 %. */
static void imitate(const char *type, const char *relative)
{
    static const uint64_t seeds[] = {1, 2, 3};
    trace_case c;
    ws_synth synth;
    ws_trace_shape recorded;
    ws_trace_shape drawn;
    ws_trace_job job;

    trace_case_begin(&c, "synth-imitate");
    if (!trace_case_load_shared(&c, type, relative)) {
        trace_case_end(&c);
        cr_skip_test("no shared data");
    }
    cr_assert(c.is_loaded);
    cr_assert(ws_synth_fit(&synth, &c.trace, WS_TEXT("philly"), &c.arena, &c.diag));
    ws_trace_shape_init(&recorded);
    for (size_t i = 0; i < c.trace.count; i++) {
        ws_trace_shape_add(&recorded, &c.trace.jobs[i], c.trace.origin_ns);
    }
    ws_shape_counts wanted = ws_trace_shape_counts(&recorded);

    cr_expect(epsilon_eq(dbl, ws_synth_dispersion(&synth.arrivals), wanted.dispersion,
                         0.01 * wanted.dispersion));
    for (size_t i = 0; i < WS_COUNT_OF(seeds); i++) {
        ws_synth_state *state = ws_synth_open(&synth, seeds[i], &c.arena);

        ws_trace_shape_init(&drawn);
        while (ws_synth_next(state, wanted.hours * WS_NS_PER_H, &job)) {
            ws_trace_shape_add(&drawn, &job, synth.origin_ns);
        }
        ws_shape_counts counts = ws_trace_shape_counts(&drawn);
        ws_shape_distances distances = ws_trace_shape_compare(&drawn, &recorded);
        cr_expect(epsilon_eq(dbl, counts.dispersion, wanted.dispersion, 0.2 * wanted.dispersion));
        cr_expect(lt(dbl, distances.durations.ks, 0.1));
        cr_expect(lt(dbl, distances.sizes.ks, 0.05));
        cr_expect(lt(dbl, distances.gaps.ks, 0.2));
    }
    trace_case_end(&c);
}

Test(synth_fit, the_rows_of_philly)
{
    imitate("philly-csv", "data/philly/philly_pollux.head3000.csv");
}

Test(synth_fit, the_jobs_of_philly)
{
    imitate("philly-json", "data/philly/cluster_job_log.reconstructed400.json");
}
