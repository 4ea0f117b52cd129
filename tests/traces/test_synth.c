/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Synthetic jobs against what the formulas say of them; tolerances are four standard errors. */
#include <math.h>

#include "trace_case.h"
#include "ws/time.h"
#include "ws/trace_synth.h"

static const ws_synth_size one_gpu[] = {{.gpus = 1, .weight = 1}};
static const double flat_levels[] = {1};

/* A log-normal distribution of median 100 s and sigma 1. */
static const ws_synth_point hundred_s[] = {{.z = 0, .log_s = 4.605170185988092},
                                           {.z = 1, .log_s = 5.605170185988092}};

typedef struct {
    ws_arena arena;
    ws_synth_class class;
    ws_synth synth;
    ws_trace_shape shape;
} synth_case;

/* Jobs of one GPU that come by chance, `rate` an hour. */
static void synth_begin(synth_case *c, double rate)
{
    memset(c, 0, sizeof *c);
    ws_arena_init(&c->arena, &ws_allocator_default, (size_t)64 << 20);
    c->class = (ws_synth_class){
        .weight = 1,
        .sizes = one_gpu,
        .size_count = 1,
        .durations = {.points = hundred_s, .count = 2, .least_s = 1, .most_s = 1e9}};
    c->class.outcomes[0][WS_TRACE_OUTCOME_COMPLETED] = 1;
    c->class.outcomes[1][WS_TRACE_OUTCOME_FAILED] = 1;
    c->synth = (ws_synth){.clock = WS_TRACE_CLOCK_UTC,
                          .zone = WS_TEXT("UTC"),
                          .classes = &c->class,
                          .class_count = 1,
                          .restarts = {.gpus_per_node = 8, .gap_mean_s = 300}};
    c->synth.arrivals = (ws_synth_arrivals){
        .rate_per_h = rate, .levels = flat_levels, .level_count = 1, .near_mean = 1};
    for (size_t i = 0; i < 24; i++) {
        c->synth.arrivals.day[i] = 1;
    }
    for (size_t i = 0; i < 7; i++) {
        c->synth.arrivals.week[i] = 1;
    }
}

/* All jobs of so many hours, in the shape. */
static void synth_draw(synth_case *c, int64_t hours)
{
    ws_synth_state *state = ws_synth_open(&c->synth, 7, &c->arena);
    ws_trace_job job;

    cr_assert(state != NULL);
    ws_trace_shape_init(&c->shape);
    while (ws_synth_next(state, hours * WS_NS_PER_H, &job)) {
        ws_trace_shape_add(&c->shape, &job, c->synth.origin_ns);
    }
}

/* ---- arrivals ---- */

/* n hours of a Poisson process: the count has variance n m, the ratio of variance to mean one of
 * about 2/n. */
Test(synth, without_levels_jobs_come_by_chance)
{
    int64_t hours = ws_test_scaled(4000, 500);
    synth_case c;

    synth_begin(&c, 20);
    synth_draw(&c, hours);
    ws_shape_counts counts = ws_trace_shape_counts(&c.shape);

    cr_assert(eq(i64, counts.hours, hours));
    cr_assert(epsilon_eq(dbl, counts.mean, 20, 4 * sqrt(20 / (double)hours)));
    cr_assert(epsilon_eq(dbl, counts.dispersion, 1, 4 * sqrt(2 / (double)hours)));
    cr_assert(epsilon_eq(dbl, counts.correlation, 0, 4 / sqrt((double)hours)));
    ws_arena_reset(&c.arena);
}

/*
 * Twelve hours at 0.5 and twelve at 1.5: E[p^2] = 1.25. With gaps of two exponentials, half of them
 * of mean 0.5, the others have (1 - 0.25)/0.5 = 1.5 and k = 2 (0.5 x 0.25 + 0.5 x 2.25) - 1 = 1.5.
 * Levels of 0 and 2 have c = 1: the ratio is 1.5 + 10 (1.25 x 2 - 1) = 16.5.
 */
Test(synth, dispersion_by_hand)
{
    static const double levels[] = {0, 2};
    synth_case c;

    synth_begin(&c, 10);
    ws_synth_arrivals *arrivals = &c.synth.arrivals;
    for (size_t i = 0; i < 24; i++) {
        arrivals->day[i] = i < 12 ? 0.5 : 1.5;
    }
    arrivals->near_fraction = 0.5;
    arrivals->near_mean = 0.5;
    arrivals->levels = levels;
    arrivals->level_count = 2;
    cr_expect(epsilon_eq(dbl, ws_synth_profile_square(arrivals), 1.25, 1e-12));
    cr_expect(epsilon_eq(dbl, ws_synth_gap_dispersion(arrivals), 1.5, 1e-12));
    cr_expect(epsilon_eq(dbl, ws_synth_dispersion(arrivals), 16.5, 1e-12));
    ws_arena_reset(&c.arena);
}

/*
 * A ratio of 25 at 20 an hour: c = 24/20 = 1.2. A block has all its levels, so that only the counts
 * are of chance: Var(N^2) = 4 m^3 + 6 m^2 + m, with E[m^2] = 400 x 2.2 and E[m^3] = 8000 x 2.2^3
 * for log-normal levels: sqrt(346,000/672) = 22.7 on the mean square, over the mean 1.1 on the
 * ratio.
 */
Test(synth, levels_have_the_wanted_dispersion)
{
    synth_case c;

    synth_begin(&c, 20);
    cr_assert(ws_synth_set_dispersion(&c.synth.arrivals, 25, 672, &c.arena));
    cr_assert(epsilon_eq(dbl, ws_synth_dispersion(&c.synth.arrivals), 25, 1e-6));
    synth_draw(&c, 672);
    cr_assert(epsilon_eq(dbl, ws_trace_shape_counts(&c.shape).dispersion, 25, 4.5));
    cr_assert(ws_synth_set_dispersion(&c.synth.arrivals, 0.5, 672, &c.arena));
    cr_assert(eq(sz, c.synth.arrivals.level_count, 1));
    /* One busy hour of 672: c = 671, a ratio of 13,421. */
    cr_assert(not(ws_synth_set_dispersion(&c.synth.arrivals, 13500, 672, &c.arena)));
    ws_arena_reset(&c.arena);
}

/* Two levels are the sign of a Gaussian variable: their correlation is 2/pi asin r (Sheppard), so
 * that 1/3 asks for r = sin(pi/6) = 1/2. */
Test(synth, correlation_of_two_levels)
{
    static const double levels[] = {0, 2};
    synth_case c;

    synth_begin(&c, 10);
    c.synth.arrivals.levels = levels;
    c.synth.arrivals.level_count = 2;
    ws_synth_set_correlation(&c.synth.arrivals, 1.0 / 3);
    cr_assert(epsilon_eq(dbl, c.synth.arrivals.persistence, 0.5, 1e-6));
    ws_synth_set_correlation(&c.synth.arrivals, 0);
    cr_assert(eq(dbl, c.synth.arrivals.persistence, 0));
    ws_arena_reset(&c.arena);
}

/* Counts covary as their intensities: correlation 0.5 of levels is 0.5 x (V - 1)/V of counts with
 * a ratio of V = 16. Blocks of 336 levels, 40 of them: about 1/sqrt(13,440), and some more for the
 * heavy tail. */
Test(synth, neighbouring_hours_are_alike)
{
    int64_t blocks = ws_test_scaled(40, 10);
    synth_case c;

    synth_begin(&c, 10);
    cr_assert(ws_synth_set_dispersion(&c.synth.arrivals, 16, 336, &c.arena));
    ws_synth_set_correlation(&c.synth.arrivals, 0.5);
    synth_draw(&c, 336 * blocks);
    cr_assert(epsilon_eq(dbl, ws_trace_shape_counts(&c.shape).correlation, 0.5 * 15 / 16,
                         8 / sqrt(336.0 * (double)blocks)));
    ws_arena_reset(&c.arena);
}

/* ---- jobs ---- */

/* Of a log-normal of median 100 s: at z = 1.2816 (its 90 %) 100 exp(1.2816) = 360.2 s; the mean is
 * 100 exp(1/2) = 164.9 s, and the longest tenth holds 1 - Phi(1.2816 - 1) = 0.3891 of it. */
Test(synth, run_times)
{
    ws_synth_durations durations = {.points = hundred_s, .count = 2, .least_s = 50, .most_s = 1e9};
    double mean = 0;
    double longest = 0;

    cr_expect(epsilon_eq(dbl, ws_synth_durations_at(&durations, 1.2815515655446004), 360.2, 0.1));
    cr_expect(eq(dbl, ws_synth_durations_at(&durations, -8), 50));
    durations.least_s = 1;
    ws_synth_durations_mean(&durations, &mean, &longest);
    cr_expect(epsilon_eq(dbl, mean, 164.9, 0.5));
    cr_expect(epsilon_eq(dbl, longest, 0.3891, 0.002));
}

/* The standard error of a share p is sqrt(p (1 - p)/n): half of the jobs last no longer than 100.5
 * s, which is z = 0.005 or 0.502; the longest tenth fails. */
Test(synth, shares_of_run_times_and_outcomes)
{
    int64_t n = ws_test_scaled(20000, 2000);
    int64_t below = 0;
    int64_t failed = 0;
    synth_case c;
    ws_trace_job job;

    synth_begin(&c, 1000);
    ws_synth_state *state = ws_synth_open(&c.synth, 11, &c.arena);
    for (int64_t i = 0; i < n; i++) {
        cr_assert(ws_synth_next(state, INT64_MAX, &job));
        cr_assert(ws_trace_job_is_valid(&job));
        below += job.duration_ns <= 100 * WS_NS_PER_S ? 1 : 0;
        failed += job.outcome == WS_TRACE_OUTCOME_FAILED ? 1 : 0;
    }
    cr_assert(epsilon_eq(dbl, (double)below / (double)n, 0.502, 2 / sqrt((double)n)));
    cr_assert(epsilon_eq(dbl, (double)failed / (double)n, 0.1, 1.2 / sqrt((double)n)));
    ws_arena_reset(&c.arena);
}

/*
 * Ten days on two nodes that are lost 0.1 times a day each: 2 interruptions on average, of
 * Poisson's law, so variance 2; exp(-2) = 13.5 % of the jobs have none. Gaps of 300 s, as rounded
 * to whole seconds of at least 1.
 */
Test(synth, restart_chains)
{
    static const ws_synth_size two_nodes[] = {{.gpus = 16, .weight = 1}};
    static const ws_synth_point ten_days[] = {{.z = 0, .log_s = 13.669328047786193}};
    int64_t n = ws_test_scaled(4000, 1000);
    int64_t interruptions = 0;
    int64_t whole = 0;
    double gaps_s = 0;
    synth_case c;
    ws_trace_job job;

    synth_begin(&c, 1000);
    c.class.sizes = two_nodes;
    c.class.durations.points = ten_days;
    c.class.durations.count = 1;
    c.synth.restarts.per_node_day = 0.1;
    ws_synth_state *state = ws_synth_open(&c.synth, 5, &c.arena);
    for (int64_t i = 0; i < n; i++) {
        cr_assert(ws_synth_next(state, INT64_MAX, &job));
        cr_assert(ws_trace_job_is_valid(&job));
        cr_assert(eq(i64, job.duration_ns, 864000 * WS_NS_PER_S));
        whole += job.attempt_count == 0 ? 1 : 0;
        for (int32_t k = 1; k < job.attempt_count; k++) {
            interruptions++;
            gaps_s += (double)(job.attempts[k].start_ns - job.attempts[k - 1].end_ns) / 1e9;
        }
    }
    cr_assert(epsilon_eq(dbl, (double)interruptions / (double)n, 2, 4 * sqrt(2 / (double)n)));
    cr_assert(epsilon_eq(dbl, (double)whole / (double)n, 0.1353, 4 * 0.342 / sqrt((double)n)));
    cr_assert(epsilon_eq(dbl, gaps_s / (double)interruptions, 300,
                         4 * 300 / sqrt((double)interruptions)));
    ws_arena_reset(&c.arena);
}

/*
 * Three users at 1, 1/2, 1/3: the first has 6/11 of the jobs. Half of the jobs repeat the one
 * before; of the others sum p^2 = (36 + 9 + 4)/121 = 0.405 are of the same user by chance: 0.7025.
 * Repeats are runs of mean length 2, which triples the variance of a share at most.
 */
Test(synth, users_and_their_repeats)
{
    int64_t n = ws_test_scaled(20000, 2000);
    int64_t first = 0;
    int64_t same = 0;
    char before[32] = "";
    synth_case c;
    ws_trace_job job;

    synth_begin(&c, 1000);
    c.synth.user_count = 3;
    c.synth.user_exponent = 1;
    c.synth.repeat_fraction = 0.5;
    ws_synth_state *state = ws_synth_open(&c.synth, 3, &c.arena);
    for (int64_t i = 0; i < n; i++) {
        cr_assert(ws_synth_next(state, INT64_MAX, &job));
        first += ws_text_is(job.user, "user-1") ? 1 : 0;
        same += ws_text_is(job.user, before) ? 1 : 0;
        (void)snprintf(before, sizeof before, "%.*s", WS_TEXT_ARGS(job.user));
    }
    cr_assert(epsilon_eq(dbl, (double)first / (double)n, 6.0 / 11, 4 * sqrt(0.75 / (double)n)));
    cr_assert(epsilon_eq(dbl, (double)same / (double)n, 0.7025, 4 * sqrt(0.63 / (double)n)));
    ws_arena_reset(&c.arena);
}

/* A job is drawn from (seed, number): how often jobs come moves nothing else. */
Test(synth, a_job_hangs_on_its_number)
{
    synth_case rare;
    synth_case dense;
    ws_trace_job a;
    ws_trace_job b;

    synth_begin(&rare, 1);
    synth_begin(&dense, 500);
    ws_synth_state *slow = ws_synth_open(&rare.synth, 9, &rare.arena);
    ws_synth_state *fast = ws_synth_open(&dense.synth, 9, &dense.arena);
    for (int i = 0; i < 200; i++) {
        cr_assert(ws_synth_next(slow, INT64_MAX, &a) && ws_synth_next(fast, INT64_MAX, &b));
        cr_assert(eq(i64, a.duration_ns, b.duration_ns));
        cr_assert(a.arrival_ns >= b.arrival_ns);
    }
    ws_arena_reset(&rare.arena);
    ws_arena_reset(&dense.arena);
}

/* Weights 3 (1 or 4 GPUs alike) and 1 (8 GPUs), without what is larger than 2: 1.5 and nothing. */
Test(synth, a_limit_keeps_proportions)
{
    static const ws_synth_size small[] = {{1, 0.5}, {4, 0.5}};
    static const ws_synth_size large[] = {{8, 1}};
    const ws_synth_class classes[] = {{.weight = 3, .sizes = small, .size_count = 2},
                                      {.weight = 1, .sizes = large, .size_count = 1}};
    synth_case c;

    synth_begin(&c, 1);
    c.synth.classes = classes;
    c.synth.class_count = 2;
    cr_assert(not(ws_synth_limit_gpus(&c.synth, 0, &c.arena)));
    cr_assert(eq(sz, c.synth.class_count, 2));
    cr_assert(ws_synth_limit_gpus(&c.synth, 2, &c.arena));
    cr_assert(eq(sz, c.synth.class_count, 1));
    cr_assert(eq(dbl, c.synth.classes[0].weight, 1.5));
    cr_assert(eq(sz, c.synth.classes[0].size_count, 1));
    ws_arena_reset(&c.arena);
}

/* ---- mixes ---- */

/* GPU time that a mix asks for: the classes with a size (0: any) and kind (NULL: any), in %. */
static double mix_work(const ws_synth *synth, int32_t gpus, const char *kind)
{
    double all = 0;
    double found = 0;

    for (size_t i = 0; i < synth->class_count; i++) {
        const ws_synth_class *class = &synth->classes[i];
        double mean = 0;
        double longest = 0;
        double sum = 0;

        ws_synth_durations_mean(&class->durations, &mean, &longest);
        for (size_t k = 0; k < class->size_count; k++) {
            sum += class->sizes[k].weight;
        }
        for (size_t k = 0; k < class->size_count; k++) {
            double work =
                class->weight * mean * class->sizes[k].gpus * class->sizes[k].weight / sum;
            bool is_meant = (gpus == 0 || class->sizes[k].gpus == gpus) &&
                            (kind == NULL || ws_text_is(class->kind, kind));

            all += work;
            found += is_meant ? work : 0;
        }
    }
    return 100 * found / all;
}

static ws_synth mix_of(const char *name, ws_arena *arena)
{
    size_t index = 0;
    ws_synth synth;

    while (strcmp(ws_synth_mix_names[index], name) != 0) {
        index++;
    }
    cr_assert(ws_synth_mix(&synth, index, arena));
    return synth;
}

/* The published shares of GPU time, of which the run times and sizes were made; those by size are
 * found step by step, to 1 % of each. */
Test(synth, mixes_use_the_published_gpu_time)
{
    ws_arena arena;

    ws_arena_init(&arena, &ws_allocator_default, (size_t)64 << 20);
    ws_synth philly = mix_of("philly", &arena);
    cr_expect(epsilon_eq(dbl, mix_work(&philly, 1, NULL), 16.4, 0.3));
    cr_expect(epsilon_eq(dbl, mix_work(&philly, 8, NULL), 49.8, 0.5));
    ws_synth helios = mix_of("helios", &arena);
    cr_expect(epsilon_eq(dbl, mix_work(&helios, 1, NULL), 5.4, 0.3));
    cr_expect(epsilon_eq(dbl, mix_work(&helios, 32, NULL), 25.1, 0.5));
    ws_synth acme = mix_of("acme", &arena);
    cr_expect(epsilon_eq(dbl, mix_work(&acme, 0, "Pretrain"), 69.5, 0.1));
    cr_expect(epsilon_eq(dbl, mix_work(&acme, 0, "SFT"), 6.4, 0.1));
    cr_expect(epsilon_eq(dbl, mix_work(&acme, 0, "Eval"), 6.2, 0.1));
    ws_arena_reset(&arena);
}

/* Published: of Philly's jobs 60.4 % complete, of Seren's 66.4 % of the GPU time is cancelled; 99.9
 * % of the jobs are told, the rest is rounding. The mean of Seren's sizes is 5.7. */
Test(synth, mixes_have_the_published_outcomes)
{
    ws_arena arena;

    ws_arena_init(&arena, &ws_allocator_default, (size_t)64 << 20);
    ws_synth philly = mix_of("philly", &arena);
    const ws_synth_class *class = &philly.classes[0];
    cr_expect(epsilon_eq(dbl,
                         0.9 * class->outcomes[0][WS_TRACE_OUTCOME_COMPLETED] +
                             0.1 * class->outcomes[1][WS_TRACE_OUTCOME_COMPLETED],
                         0.604, 1e-9));
    cr_expect(class->outcomes[1][WS_TRACE_OUTCOME_CANCELLED] >
              3 * class->outcomes[0][WS_TRACE_OUTCOME_CANCELLED]);
    for (size_t i = 0; ws_synth_mix_names[i] != NULL; i++) {
        ws_synth mix;
        cr_assert(ws_synth_mix(&mix, i, &arena));
        cr_expect(gt(dbl, ws_synth_dispersion(&mix.arrivals), 100));
        cr_expect(mix.source.length > 0 && ws_synth_mix_summary(i)[0] != '\0');
    }
    ws_arena_reset(&arena);
}
