/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Forecasters side by side: who is trusted, what a quantile comes to, and what holds for any
 * series. */
#include <math.h>
#include <string.h>

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <gsl/gsl_errno.h>

#include "forecast.h"
#include "policies/air_passengers.h"
#include "policy_check.h"
#include "support/support.h"

#define PERIOD 12

typedef struct {
    ws_arena arena;
    ws_forecast forecast;
} bench;

static size_t index_of(const char *name)
{
    for (size_t i = 0; i < ws_forecaster_count(); i++) {
        if (strcmp(ws_forecaster_at(i)->name, name) == 0) {
            return i;
        }
    }
    cr_fatal("no forecaster %s", name);
    return 0;
}

static ws_forecast_setup setup_of(int32_t period)
{
    return (ws_forecast_setup){
        .period = period, .seasonal = WS_SMOOTHING_ADDITIVE, .refit_samples = 6};
}

static void begin(bench *made, const char *name, const ws_forecast_setup *setup)
{
    (void)gsl_set_error_handler_off();
    ws_arena_init(&made->arena, &ws_allocator_default, (size_t)1 << 26);
    cr_assert(ws_forecast_init(&made->forecast, setup, index_of(name), &made->arena));
}

static void end(bench *made)
{
    ws_arena_reset(&made->arena);
}

static ws_forecast_answer ask(bench *made, int32_t steps, double quantile)
{
    ws_forecast_answer answer = {.steps = -1};

    cr_assert(ws_forecast_most(&made->forecast, steps, quantile, &answer));
    return answer;
}

static bool near(double expected, double got, double tolerance)
{
    return fabs(got - expected) <= tolerance;
}

/* Noise without a library: a congruential generator, 0..1. Source: Numerical Recipes, chapter 7.1.
 */
static double noise(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return (double)*state / 4294967296.0;
}

/* ---- the list ---- */

Test(forecast, is_listed)
{
    for (size_t i = 0; i < ws_forecaster_count(); i++) {
        const ws_forecaster *type = ws_forecaster_at(i);

        cr_expect(eq(str, (char *)ws_forecaster_names[i], (char *)type->name));
        cr_expect(i == 0 || strcmp(ws_forecaster_at(i - 1)->name, type->name) < 0);
        cr_expect(gt(sz, strlen(type->summary), 10));
        cr_assert(type->predict != NULL);
        cr_expect(type->rewind == NULL || type->advance != NULL, "%s", type->name);
    }
    cr_expect(eq(ptr, (void *)ws_forecaster_names[ws_forecaster_count()], NULL));
}

/* ---- vectors of others ---- */

static void fail_on_difference(void *context, const char *id, ws_policy_check_end how,
                               const ws_policy_check *check)
{
    (void)context;
    cr_expect(how != WS_POLICY_CHECK_FAILED, "%s: %s", id, check->text);
}

Test(forecast, agrees_with_the_vectors)
{
    char path[512];
    ws_policy_check_sums sums;
    const char *file = ws_test_shared("vectors/policies/vectors.json", path, sizeof path);

    if (file == NULL) {
        cr_skip_test();
    }
    (void)gsl_set_error_handler_off();
    cr_assert(ws_policy_check_file(file, fail_on_difference, NULL, &sums));
    cr_expect(ge(sz, sums.counts[WS_POLICY_CHECK_PASSED], 8));
}

/* ---- the series ---- */

/* Room for three: 1 2 3 4 5 6 7 leaves 5 6 7, in one piece. */
Test(forecast, keeps_the_newest_samples)
{
    double room[6];
    ws_series series = {.values = room, .capacity = 3};

    for (int i = 1; i <= 7; i++) {
        ws_series_add(&series, i);
    }
    cr_expect(eq(sz, series.count, 3));
    cr_expect(eq(dbl, ws_series_samples(&series).values[0], 5));
    cr_expect(eq(dbl, ws_series_samples(&series).values[2], 7));
    cr_expect(eq(dbl, ws_series_back(&series, 1), 7));
    cr_expect(eq(dbl, ws_series_back(&series, 3), 5));
    cr_expect(isnan(ws_series_back(&series, 4)));
    ws_series_add(&series, (double)INFINITY);
    cr_expect(isnan(ws_series_back(&series, 1)));
}

/* ---- single forecasters ---- */

/* After 1 2 3 (season 3): 1, 2, 3, 1 again. With a gap where the 2 was, the 2 of a season earlier.
 */
Test(forecast, repeats_the_season_naively)
{
    double room[16];
    ws_series series = {.values = room, .capacity = 8};
    ws_forecast_setup setup = setup_of(3);
    const ws_forecaster *naive = &ws_forecaster_seasonal_naive;
    const double samples[] = {1, 2, 3, 10, (double)NAN, 30};
    double value = -1;

    ws_series_add(&series, 1);
    ws_series_add(&series, 2);
    cr_expect(not(naive->predict(NULL, &setup, &series, 1, &value)));
    cr_expect(eq(dbl, value, -1));
    series.count = 0;
    for (size_t i = 0; i < 6; i++) {
        ws_series_add(&series, samples[i]);
    }
    const double expected[] = {10, 2, 30, 10, 2, 30};
    for (int32_t steps = 1; steps <= 6; steps++) {
        cr_assert(naive->predict(NULL, &setup, &series, steps, &value));
        cr_expect(eq(dbl, value, expected[steps - 1]));
    }
}

/* ---- the choice ---- */

/* Nothing is said before ten errors at the horizon: at two steps the tenth is known after the 12th
 * sample. */
Test(forecast, says_nothing_before_it_knows_its_errors)
{
    bench made;
    ws_forecast_setup setup = setup_of(PERIOD);
    ws_forecast_answer answer = {.steps = -1};

    begin(&made, "last-value", &setup);
    for (int i = 0; i < 11; i++) {
        ws_forecast_add(&made.forecast, 5);
        cr_expect(not(ws_forecast_most(&made.forecast, 2, 0.9, &answer)));
    }
    cr_expect(eq(int, answer.steps, -1));
    ws_forecast_add(&made.forecast, 5);
    cr_expect(ws_forecast_most(&made.forecast, 2, 0.9, &answer));
    cr_expect(eq(dbl, answer.quantile, 5));
    end(&made);
}

/* A constant series is forecast exactly, by each of them, at each quantile. */
Test(forecast, is_exact_on_a_constant)
{
    for (size_t i = 0; i < ws_forecaster_count(); i++) {
        bench made;
        ws_forecast_setup setup = setup_of(PERIOD);

        begin(&made, ws_forecaster_at(i)->name, &setup);
        for (int k = 0; k < 60; k++) {
            ws_forecast_add(&made.forecast, 7);
        }
        for (int32_t steps = 1; steps <= 40; steps += 13) {
            cr_expect(near(7, ask(&made, steps, 0).quantile, 1e-9));
            cr_expect(near(7, ask(&made, steps, 0.95).quantile, 1e-9));
        }
        cr_expect(
            eq(str, (char *)ask(&made, 1, 0.5).type->name, (char *)ws_forecaster_at(i)->name));
        end(&made);
    }
}

/* A pure season is known after one season (naive), two (Holt-Winters): exact at every horizon,
 * beyond a season too. The largest of 0 1 4 9 .. 25 .. 1 is 36. */
static double wave(int sample)
{
    int at = sample % PERIOD;
    int from_end = at < PERIOD / 2 ? at : PERIOD - at;

    return from_end * from_end;
}

static void expect_exact_wave(const char *name, int64_t weight)
{
    bench made;
    ws_forecast_setup setup = setup_of(PERIOD);

    setup.has_gamma = weight > 0;
    setup.weights.gamma = (double)weight;
    begin(&made, name, &setup);
    int next = 0;
    while (next < 5 * PERIOD + 3) {
        ws_forecast_add(&made.forecast, wave(next++));
    }
    for (int32_t steps = 1; steps <= 30; steps++) {
        double most = 0;
        for (int k = 0; k < steps; k++) {
            most = fmax(most, wave(next + k));
        }
        ws_forecast_answer answer = ask(&made, steps, 0.9);
        cr_expect(near(most, answer.quantile, 1e-6), "%s, %d steps: %g", name, steps,
                  answer.quantile);
        cr_expect(near(wave(next + answer.steps - 1), answer.point, 1e-6));
    }
    end(&made);
}

Test(forecast, is_exact_on_a_pure_season)
{
    expect_exact_wave("seasonal-naive", 0);
    expect_exact_wave("holt-winters", 0);
    expect_exact_wave("holt-winters", 1);
}

/* Samples 0 1 2 ..: the last value is wrong by `steps` each time, so 50 + 2 is expected two steps
 * ahead, at every quantile, from the errors alone. */
Test(forecast, corrects_by_its_own_errors)
{
    bench made;
    ws_forecast_setup setup = setup_of(PERIOD);

    begin(&made, "last-value", &setup);
    for (int i = 0; i <= 50; i++) {
        ws_forecast_add(&made.forecast, i);
    }
    ws_forecast_answer answer = ask(&made, 2, 0.25);
    cr_expect(eq(int, answer.steps, 2));
    cr_expect(eq(dbl, answer.point, 50));
    cr_expect(eq(dbl, answer.quantile, 52));
    cr_expect(eq(dbl, answer.mean_error, 2));
    cr_expect(eq(sz, answer.error_count, PERIOD));
    end(&made);
}

/* Type 7 by hand: after 0 and then 1 2 .. 11 steps up, errors 1..11 of one step; the 0.9 quantile
 * lies at 0.9 x 10 = 9 places after the first: 10. The sample is 66. */
Test(forecast, takes_type_7_quantiles)
{
    bench made;
    ws_forecast_setup setup = setup_of(PERIOD);
    double sample = 0;

    begin(&made, "last-value", &setup);
    ws_forecast_add(&made.forecast, sample);
    for (int i = 1; i <= 11; i++) {
        sample += i;
        ws_forecast_add(&made.forecast, sample);
    }
    cr_expect(eq(dbl, ask(&made, 1, 0.9).quantile, 66 + 10));
    cr_expect(eq(dbl, ask(&made, 1, 0.95).quantile, 66 + 10.5));
    cr_expect(eq(dbl, ask(&made, 1, 0).quantile, 66 + 1));
    cr_expect(eq(dbl, ask(&made, 1, 1).quantile, 66 + 11));
    end(&made);
}

/* A season that never comes back is Holt-Winters' loss: the last value was nearer over the last
 * season. */
Test(forecast, falls_back_when_it_is_beaten)
{
    bench made;
    ws_forecast_setup setup = setup_of(PERIOD);
    int next = 0;

    begin(&made, "holt-winters", &setup);
    while (next < 4 * PERIOD) {
        ws_forecast_add(&made.forecast, wave(next) + 0.5 * next);
        next++;
    }
    cr_expect(eq(str, (char *)ask(&made, 2, 0.9).type->name, "holt-winters"));
    for (int i = 0; i < PERIOD; i++) {
        ws_forecast_add(&made.forecast, 20);
    }
    ws_forecast_answer answer = ask(&made, 2, 0.9);
    cr_expect(eq(str, (char *)answer.type->name, "last-value"));
    cr_expect(eq(sz, answer.rival_count, 4));
    end(&made);
}

/* Who asks for a baseline gets it, beaten or not; and another one while it has no season to go by.
 */
Test(forecast, gives_the_baseline_that_is_asked_for)
{
    bench made;
    ws_forecast_setup setup = setup_of(PERIOD);

    begin(&made, "seasonal-naive", &setup);
    for (int i = 0; i < PERIOD + 6; i++) {
        ws_forecast_add(&made.forecast, i);
    }
    cr_expect(ne(str, (char *)ask(&made, 1, 0.9).type->name, "seasonal-naive"));
    for (int i = PERIOD + 6; i < 3 * PERIOD; i++) {
        ws_forecast_add(&made.forecast, i);
    }
    cr_expect(eq(str, (char *)ask(&made, 1, 0.9).type->name, "seasonal-naive"));
    cr_expect(eq(dbl, ask(&made, 1, 0.9).point, 2 * PERIOD));
    end(&made);
}

/* ---- what holds for any series ---- */

static void add_noisy_waves(bench *made, double scale, int count)
{
    uint32_t state = 1;

    for (int i = 0; i < count; i++) {
        double jitter = noise(&state);
        bool is_missing = i % 17 == 5;
        double sample = scale * (20 + wave(i) + 4 * jitter);
        ws_forecast_add(&made->forecast, is_missing ? (double)NAN : sample);
    }
}

Test(forecast, scales_with_the_series)
{
    for (size_t i = 0; i < ws_forecaster_count(); i++) {
        bench one;
        bench ten;
        ws_forecast_setup setup = setup_of(PERIOD);

        begin(&one, ws_forecaster_at(i)->name, &setup);
        begin(&ten, ws_forecaster_at(i)->name, &setup);
        add_noisy_waves(&one, 1, 100);
        add_noisy_waves(&ten, 10, 100);
        double expected = 10 * ask(&one, 3, 0.9).quantile;
        cr_expect(near(expected, ask(&ten, 3, 0.9).quantile, 1e-6 * expected));
        end(&one);
        end(&ten);
    }
}

Test(forecast, grows_with_the_quantile_and_the_horizon)
{
    bench made;
    ws_forecast_setup setup = setup_of(PERIOD);

    begin(&made, "holt-winters", &setup);
    add_noisy_waves(&made, 1, 100);
    for (int32_t steps = 1; steps <= 40; steps++) {
        double before = -(double)INFINITY;
        for (int percent = 0; percent <= 100; percent += 5) {
            double value = ask(&made, steps, percent / 100.0).quantile;
            cr_expect(ge(dbl, value, before));
            before = value;
        }
    }
    end(&made);
}

/* A 90 % quantile of independent noise is above nine samples in ten: 400 of them, two standard
 * deviations of that share are 3 %. The quantile of few errors is itself uncertain, which twice as
 * much allows for. */
Test(forecast, covers_as_often_as_it_says)
{
    bench made;
    ws_forecast_setup setup = setup_of(48);
    uint32_t state = 7;
    int covered = 0;

    begin(&made, "last-value", &setup);
    for (int i = 0; i < 500; i++) {
        double sample = noise(&state);
        ws_forecast_answer answer;
        bool is_known = ws_forecast_most(&made.forecast, 1, 0.9, &answer);
        covered += i >= 100 && is_known && sample <= answer.quantile ? 1 : 0;
        ws_forecast_add(&made.forecast, sample);
    }
    cr_expect(ge(int, covered, 336));
    cr_expect(le(int, covered, 384));
    end(&made);
}

/* NaN, infinities, zeros, huge and negative samples, long gaps: whatever is answered is a number.
 */
static double hostile(int index)
{
    switch (index % 11) {
    case 3:
        return (double)NAN;
    case 5:
        return (double)INFINITY;
    case 7:
        return index % 2 == 0 ? 1e300 : -1e300;
    case 9:
        return -(double)INFINITY;
    default:
        return index > 60 && index < 130 ? (double)NAN : index % 3;
    }
}

Test(forecast, answers_with_numbers)
{
    for (size_t i = 0; i < ws_forecaster_count(); i++) {
        for (int seasonal = WS_SMOOTHING_ADDITIVE; seasonal <= WS_SMOOTHING_MULTIPLICATIVE;
             seasonal++) {
            bench made;
            ws_forecast_setup setup = setup_of(5);
            setup.seasonal = (ws_smoothing_kind)seasonal;
            begin(&made, ws_forecaster_at(i)->name, &setup);
            for (int k = 0; k < 300; k++) {
                ws_forecast_answer answer;
                ws_forecast_add(&made.forecast, hostile(k));
                if (ws_forecast_most(&made.forecast, 1 + k % 40, 0.9, &answer)) {
                    cr_expect(isfinite(answer.quantile));
                    cr_expect(isfinite(answer.point));
                }
            }
            end(&made);
        }
    }
}

/* All it takes comes from the arena at the start, and an arena that gives out is told. */
Test(forecast, says_when_there_is_no_memory)
{
    ws_forecast forecast;
    ws_forecast_setup setup = setup_of(PERIOD);
    ws_arena arena;
    size_t bound = 0;
    bool is_ready = false;

    while (!is_ready && bound < (size_t)1 << 24) {
        ws_arena_init(&arena, &ws_allocator_default, bound);
        is_ready = ws_forecast_init(&forecast, &setup, index_of("holt-winters"), &arena);
        ws_arena_reset(&arena);
        bound += (size_t)1 << 14;
    }
    cr_expect(is_ready);
    cr_expect(gt(sz, bound, (size_t)1 << 14));
}
