/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>

#include "support/arena_suite.h"
#include "support/support.h"
#include "ws/fit_pollux.h"
#include "ws/trace_profile.h"

#define SAMPLES_MAX 4000

WS_TEST_ARENA_SUITE(fit_pollux);

/* ---- without noise ---- */

/* A measurement of a world that the model describes exactly; its formulas written out once more. */
static ws_pollux_sample sample_of(const ws_pollux_theta *theta, int32_t nodes, int32_t replicas,
                                  double local_batch)
{
    double grad_s = theta->alpha_c + theta->beta_c * local_batch;
    double more = replicas > 2 ? replicas - 2 : 0;
    double sync_s = replicas == 1 ? 0
                    : nodes == 1  ? theta->alpha_r + theta->beta_r * more
                                  : theta->alpha_n + theta->beta_n * more;
    double step_s = pow(pow(grad_s, theta->gamma) + pow(sync_s, theta->gamma), 1 / theta->gamma);

    return (ws_pollux_sample){nodes, replicas, local_batch, grad_s, step_s};
}

/* Without a beta and with gamma 1 the priors are 0, so that the truth has the objective 0. */
Test(fit_pollux, finds_the_truth_where_the_priors_are_silent)
{
    ws_pollux_theta truth = {0.05, 0.002, 0.3, 0, 0.08, 0, 1};
    ws_pollux_sample samples[40];
    ws_pollux_fit fit;
    size_t count = 0;

    for (int32_t replicas = 1; replicas <= 4; replicas++) {
        for (int32_t batch = 16; batch <= 128; batch *= 2) {
            samples[count++] = sample_of(&truth, 1, replicas, batch);
            samples[count++] = sample_of(&truth, 2, 2 * replicas, batch);
        }
    }
    cr_assert(ws_pollux_fit_to(&fit, samples, count, &diag));
    cr_expect(lt(dbl, fit.objective, 1e-4));
    cr_expect(epsilon_eq(dbl, fit.theta.alpha_c, 0.05, 1e-4));
    cr_expect(epsilon_eq(dbl, fit.theta.beta_c, 0.002, 1e-5));
    cr_expect(epsilon_eq(dbl, fit.theta.alpha_n, 0.3, 1e-3));
    cr_expect(epsilon_eq(dbl, fit.theta.alpha_r, 0.08, 1e-3));
    cr_expect(epsilon_eq(dbl, fit.theta.gamma, 1, 1e-3));
}

/* ---- what cannot be known ---- */

/* One local batch of one replica: T_grad is 2 s, so alpha_c is 1 s and beta_c 1/8 s a sample; no
 * synchronisation was seen: at the floor on one node, 1.1 times that on several. */
Test(fit_pollux, sets_what_was_not_seen)
{
    ws_pollux_sample one = {1, 1, 8, 2, 2};
    ws_pollux_fit fit;

    cr_assert(ws_pollux_fit_to(&fit, &one, 1, &diag));
    cr_expect(eq(dbl, fit.theta.alpha_c, 1));
    cr_expect(epsilon_eq(dbl, fit.theta.beta_c, 0.125, 1e-5));
    cr_expect(epsilon_eq(dbl, fit.theta.alpha_r, 1e-8, 1e-15));
    cr_expect(epsilon_eq(dbl, fit.theta.beta_r, 1e-8, 1e-15));
    cr_expect(epsilon_eq(dbl, fit.theta.alpha_n, 1.1e-8, 1e-15));
    cr_expect(epsilon_eq(dbl, fit.theta.beta_n, 1.1e-8, 1e-15));
}

/* Two replicas on one node wait 1 s: several nodes are taken to wait 1.1 s, more replicas no
 * longer. */
Test(fit_pollux, takes_several_nodes_to_be_a_little_slower)
{
    ws_pollux_sample samples[] = {
        {1, 1, 8, 2, 2}, {1, 1, 16, 3, 3}, {1, 2, 8, 2, 3}, {1, 2, 16, 3, 4}};
    ws_pollux_fit fit;

    cr_assert(ws_pollux_fit_to(&fit, samples, 4, &diag));
    cr_expect(epsilon_eq(dbl, fit.theta.alpha_r, 1, 2e-3));
    cr_expect(epsilon_eq(dbl, fit.theta.alpha_n, 1.1 * fit.theta.alpha_r, 1e-12));
    cr_expect(epsilon_eq(dbl, fit.theta.beta_r, 1e-8, 1e-15));
    cr_expect(epsilon_eq(dbl, fit.theta.beta_n, 1.1e-8, 1e-15));
}

Test(fit_pollux, refuses_a_step_shorter_than_its_compute)
{
    ws_pollux_sample bad = {1, 1, 8, 2, 1.9};
    ws_pollux_fit fit;

    cr_expect(not(ws_pollux_fit_to(&fit, &bad, 1, &diag)));
    cr_expect(eq(int, diag.entries[0].code, 6160));
}

/* ---- the error ---- */

/* T_grad 1 s and T_step 1 s against e and 1/e: both are off by 1 in logarithms; with a second
 * sample that fits, by the root of a half. */
Test(fit_pollux, the_error_is_of_logarithms)
{
    ws_pollux_theta theta = {1, 0, 1, 1, 1, 1, 1};
    ws_pollux_sample samples[] = {{1, 1, 1, 2.718281828459045, 0.36787944117144233},
                                  {1, 1, 1, 1, 1}};

    cr_expect(epsilon_eq(dbl, ws_pollux_error_on(&theta, samples, 1).grad, 1, 1e-12));
    cr_expect(epsilon_eq(dbl, ws_pollux_error_on(&theta, samples, 1).step, 1, 1e-12));
    cr_expect(epsilon_eq(dbl, ws_pollux_error_on(&theta, samples, 2).step, sqrt(0.5), 1e-12));
}

/* ---- the measurements of the Pollux artifact ---- */

/* In-sample errors of the steps of a published fit of the same objective to the same measurements
 * (all of them). */
static const struct {
    const char *application;
    double step;
} published[] = {{"bert", .123},     {"cifar10", .107}, {"deepspeech2", .112},
                 {"imagenet", .113}, {"ncf", .148},     {"yolov3", .152}};

static size_t read_samples(const char *application, ws_pollux_sample *samples)
{
    static const char *const files[] = {"placements", "scalability"};
    ws_trace_profile profile = {.count = 0};
    char relative[200];
    char path[4200];

    for (size_t i = 0; i < WS_COUNT_OF(files); i++) {
        (void)snprintf(relative, sizeof relative, "data/pollux/profiles/%s/%s.csv", application,
                       files[i]);
        if (ws_test_shared(relative, path, sizeof path) == NULL) {
            return 0;
        }
        ws_file_name file = {.path = path, .shown = ws_text_of(relative)};
        cr_assert(i == 0 ? ws_trace_profile_read_placements(&profile, &file, &arena, &diag)
                         : ws_trace_profile_read_scalability(&profile, &file, &arena, &diag));
    }
    cr_assert(le(sz, profile.count, SAMPLES_MAX));
    for (size_t i = 0; i < profile.count; i++) {
        const ws_trace_profile_row *row = &profile.rows[i];
        samples[i] = (ws_pollux_sample){row->nodes, row->gpus, row->local_batch,
                                        row->step_s - row->sync_s, row->step_s};
    }
    return profile.count;
}

/* Every second measurement, in the order of the files, is fitted to; the others are predicted. */
static size_t split(const ws_pollux_sample *samples, size_t count, size_t first,
                    ws_pollux_sample *half)
{
    size_t kept = 0;

    for (size_t i = first; i < count; i += 2) {
        half[kept++] = samples[i];
    }
    return kept;
}

static void check_halves(const char *application, double in_sample)
{
    static ws_pollux_sample samples[SAMPLES_MAX];
    static ws_pollux_sample half[SAMPLES_MAX];
    size_t count = read_samples(application, samples);

    if (count == 0) {
        cr_skip_test();
    }
    for (size_t first = 0; first < 2; first++) {
        ws_pollux_fit fit;
        size_t fitted = split(samples, count, first, half);
        cr_assert(ws_pollux_fit_to(&fit, half, fitted, &diag));
        size_t predicted = split(samples, count, 1 - first, half);
        ws_pollux_error error = ws_pollux_error_on(&fit.theta, half, predicted);

        (void)fprintf(stderr, "%-12s %5zu %9zu %.4f %.4f %.4f %.4f %7.4f %zu\n", application,
                      fitted, predicted, fit.error.step, error.step, error.grad, 1.25 * in_sample,
                      fit.theta.gamma, fit.evaluations);
        cr_expect(le(dbl, error.step, 1.25 * in_sample), "%s: %g", application, error.step);
    }
}

Test(fit_pollux, half_of_the_measurements_predict_the_other_half)
{
    (void)fprintf(stderr, "application  fitted predicted: RMSLE of the step in-sample, predicted; "
                          "of T_grad; bound; gamma; evaluations\n");
    for (size_t i = 0; i < WS_COUNT_OF(published); i++) {
        check_halves(published[i].application, published[i].step);
    }
}
