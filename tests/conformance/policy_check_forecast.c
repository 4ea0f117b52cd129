/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Vectors of exponential smoothing, baselines and quantiles. */
#include <math.h>
#include <string.h>

#include "ws/statistics.h"

#include "forecast.h"
#include "policy_check.h"
#include "smoothing.h"

#define FORECAST_SAMPLES_MAX 256
#define FORECAST_PERIOD_MAX 24
#define FORECAST_STEPS 12

/** A model and the series that it runs over. */
typedef struct {
    ws_smoothing_shape shape;
    ws_smoothing_weights weights;
    ws_smoothing_state state;
    double season[FORECAST_PERIOD_MAX];
    double samples[FORECAST_SAMPLES_MAX];
    size_t count;
} forecast_case;

static ws_smoothing_samples forecast_from(const forecast_case *model, size_t from)
{
    WS_ASSERT(from <= model->count);

    return (ws_smoothing_samples){.values = model->samples + from, .count = model->count - from};
}

static void forecast_read(const ws_policy_check *check, ws_smoothing_shape shape,
                          forecast_case *model)
{
    *model = (forecast_case){
        .shape = shape,
        .weights = {.alpha = ws_policy_check_number(check->input, "alpha", 0),
                    .beta = ws_policy_check_number(check->input, "beta", 0),
                    .gamma = ws_policy_check_number(check->input, "gamma", 0),
                    .phi = ws_policy_check_number(check->input, "phi", 1)},
    };
    model->count = ws_policy_check_series(check, model->samples, FORECAST_SAMPLES_MAX);
    model->state.season = shape.seasonal == WS_SMOOTHING_NONE ? NULL : model->season;
}

static void forecast_ahead(const forecast_case *model, double out[FORECAST_STEPS])
{
    for (int32_t steps = 1; steps <= FORECAST_STEPS; steps++) {
        out[steps - 1] =
            ws_smoothing_forecast(&model->shape, &model->weights, &model->state, steps);
    }
}

/* ---- Holt-Winters ---- */

static const ws_smoothing_shape forecast_hw_shape = {.trend = WS_SMOOTHING_ADDITIVE,
                                                     .seasonal = WS_SMOOTHING_ADDITIVE,
                                                     .form = WS_SMOOTHING_R,
                                                     .period = 12};

static void forecast_check_hw(ws_policy_check *check)
{
    forecast_case model;
    double ahead[FORECAST_STEPS];
    double season[FORECAST_PERIOD_MAX];

    forecast_read(check, forecast_hw_shape, &model);
    size_t from = ws_smoothing_start(&model.shape, forecast_from(&model, 0), &model.state);
    if (from != 12) {
        ws_policy_check_note(check, "begins at sample %zu", from);
        return;
    }
    ws_policy_check_f64(check, "l0", model.state.level);
    ws_policy_check_f64(check, "b0", model.state.trend);
    ws_policy_check_list(check, "s0", model.season, 12);
    ws_policy_check_f64(
        check, "sse",
        ws_smoothing_run(&model.shape, &model.weights, &model.state, forecast_from(&model, from)));
    ws_policy_check_f64(check, "level", model.state.level);
    ws_policy_check_f64(check, "trend", model.state.trend);
    for (int32_t i = 0; i < 12; i++) {
        season[i] = model.season[(model.state.position + i) % 12];
    }
    ws_policy_check_list(check, "season", season, 12);
    forecast_ahead(&model, ahead);
    ws_policy_check_list(check, "forecast_1_12", ahead, FORECAST_STEPS);
}

/* From given start values; the key of the forecasts says how many there are. */
static void forecast_check_damped(ws_policy_check *check, ws_smoothing_form form,
                                  const char *forecasts)
{
    forecast_case model;
    ws_smoothing_shape shape = forecast_hw_shape;
    double ahead[FORECAST_STEPS];

    shape.form = form;
    forecast_read(check, shape, &model);
    model.state.level = ws_policy_check_number(check->input, "l0", 0);
    model.state.trend = ws_policy_check_number(check->input, "b0", 0);
    (void)ws_policy_check_numbers(json_object_get(check->input, "s0"), model.season,
                                  FORECAST_PERIOD_MAX);
    ws_policy_check_f64(
        check, "sse",
        ws_smoothing_run(&model.shape, &model.weights, &model.state, forecast_from(&model, 12)));
    ws_policy_check_f64(check, "level", model.state.level);
    ws_policy_check_f64(check, "trend", model.state.trend);
    forecast_ahead(&model, ahead);
    ws_policy_check_list(check, forecasts, ahead, FORECAST_STEPS);
}

static void forecast_check_damped_fpp(ws_policy_check *check)
{
    forecast_check_damped(check, WS_SMOOTHING_FPP, "forecast_1_12");
}

static void forecast_check_damped_r(ws_policy_check *check)
{
    forecast_check_damped(check, WS_SMOOTHING_R, "forecast_1_3");
}

/* ---- without a season ---- */

static void forecast_check_ses(ws_policy_check *check)
{
    forecast_case model;
    ws_smoothing_shape shape = {.trend = WS_SMOOTHING_NONE, .period = 1};

    forecast_read(check, shape, &model);
    size_t from = ws_smoothing_start(&model.shape, forecast_from(&model, 0), &model.state);
    ws_policy_check_near(check, "l0", ws_policy_check_number(check->input, "l0", 0),
                         model.state.level);
    ws_smoothing_state start = model.state;
    ws_smoothing_fit fit = {.shape = &model.shape,
                            .start = start,
                            .samples = forecast_from(&model, from),
                            .restarts = 1,
                            .reach = 1,
                            .tolerance = 1e-8};
    model.weights.alpha = 0.3;
    ws_policy_check_f64(check, "sse", ws_smoothing_fit_weights(&fit, &model.weights));
    ws_policy_check_f64(check, "alpha_opt", model.weights.alpha);
    (void)ws_smoothing_run(&model.shape, &model.weights, &model.state, fit.samples);
    ws_policy_check_f64(check, "level", model.state.level);
    model.state = start;
    model.weights.alpha = 0.25;
    ws_policy_check_f64(check, "sse_at_alpha_0_25",
                        ws_smoothing_run(&model.shape, &model.weights, &model.state, fit.samples));
    ws_policy_check_f64(check, "level_at_alpha_0_25", model.state.level);
}

static void forecast_check_holt(ws_policy_check *check)
{
    forecast_case model;
    ws_smoothing_shape shape = {.trend = WS_SMOOTHING_ADDITIVE, .period = 1};
    double ahead[FORECAST_STEPS];

    forecast_read(check, shape, &model);
    size_t from = ws_smoothing_start(&model.shape, forecast_from(&model, 0), &model.state);
    ws_policy_check_f64(
        check, "sse",
        ws_smoothing_run(&model.shape, &model.weights, &model.state, forecast_from(&model, from)));
    ws_policy_check_f64(check, "level", model.state.level);
    ws_policy_check_f64(check, "trend", model.state.trend);
    forecast_ahead(&model, ahead);
    ws_policy_check_list(check, "forecast_1_3", ahead, FORECAST_STEPS);
}

/* ---- predictive-horizontal-pod-autoscaler ---- */

static ws_smoothing_kind forecast_kind(const json_t *object, const char *key)
{
    const char *name = json_string_value(json_object_get(object, key));

    return name != NULL && strcmp(name, "mul") == 0 ? WS_SMOOTHING_MULTIPLICATIVE
                                                    : WS_SMOOTHING_ADDITIVE;
}

static double forecast_phpa(const json_t *given)
{
    forecast_case model = {
        .shape = {.trend = forecast_kind(given, "trend"),
                  .seasonal = forecast_kind(given, "seasonal"),
                  .form = WS_SMOOTHING_FPP,
                  .period = (int32_t)ws_policy_check_number(given, "period", 0)},
        .weights = {.alpha = ws_policy_check_number(given, "alpha", 0),
                    .beta = ws_policy_check_number(given, "beta", 0),
                    .gamma = ws_policy_check_number(given, "gamma", 0),
                    .phi = 1},
        .state = {.level = ws_policy_check_number(given, "init_level", 0),
                  .trend = ws_policy_check_number(given, "init_trend", 0)},
    };

    model.state.season = model.season;
    (void)ws_policy_check_numbers(json_object_get(given, "init_season"), model.season,
                                  FORECAST_PERIOD_MAX);
    model.count = ws_policy_check_numbers(json_object_get(given, "series"), model.samples,
                                          FORECAST_SAMPLES_MAX);
    (void)ws_smoothing_run(&model.shape, &model.weights, &model.state, forecast_from(&model, 0));
    return ws_smoothing_forecast(&model.shape, &model.weights, &model.state, 1);
}

static void forecast_check_phpa(ws_policy_check *check)
{
    const json_t *given = json_object_get(check->input, "cases");
    const json_t *expected = json_object_get(check->expected, "cases");

    check->compared++;
    if (json_array_size(given) == 0 || json_array_size(given) != json_array_size(expected)) {
        ws_policy_check_note(check, "no cases");
    }
    for (size_t i = 0; i < json_array_size(given); i++) {
        const json_t *wanted = json_array_get(expected, i);
        double raw = forecast_phpa(json_array_get(given, i));
        double replicas = ceil(raw - 1e-9);
        ws_policy_check_near(check, "raw_forecast",
                             ws_policy_check_number(wanted, "raw_forecast", (double)NAN), raw);
        ws_policy_check_near(check, "ceil", ws_policy_check_number(wanted, "ceil", (double)NAN),
                             replicas);
        ws_policy_check_near(
            check, "project_expected_replicas",
            ws_policy_check_number(wanted, "project_expected_replicas", (double)NAN), replicas);
    }
}

/* ---- seasonal naive ---- */

/** A training part of a series, and what it forecasts. */
typedef struct {
    double samples[FORECAST_SAMPLES_MAX];
    size_t count;
    size_t train;
    double residuals[FORECAST_SAMPLES_MAX]; /* of the training part */
    size_t residual_count;
    double ahead[FORECAST_STEPS];
} forecast_naive;

/** What the forecaster says `steps` after the first `count` samples. */
static double forecast_naive_at(const forecast_naive *naive, size_t count, int32_t steps)
{
    ws_forecast_setup setup = {.period = 12};
    ws_series series = {
        .values = (double *)naive->samples, .capacity = FORECAST_SAMPLES_MAX, .count = count};
    double value = (double)NAN;

    (void)ws_forecaster_seasonal_naive.predict(NULL, &setup, &series, steps, &value);
    return value;
}

static void forecast_naive_read(const ws_policy_check *check, forecast_naive *naive)
{
    *naive = (forecast_naive){.train = (size_t)ws_policy_check_number(check->input, "train", 132)};
    naive->count = ws_policy_check_series(check, naive->samples, FORECAST_SAMPLES_MAX);
    WS_ASSERT(naive->train + FORECAST_STEPS <= naive->count);
    for (size_t i = 12; i < naive->train; i++) {
        naive->residuals[naive->residual_count++] =
            naive->samples[i] - forecast_naive_at(naive, i, 1);
    }
    for (int32_t steps = 1; steps <= FORECAST_STEPS; steps++) {
        naive->ahead[steps - 1] = forecast_naive_at(naive, naive->train, steps);
    }
}

static void forecast_check_naive(ws_policy_check *check)
{
    forecast_naive naive;
    double absolute = 0;
    double square = 0;
    double percent = 0;
    double scale = 0;

    forecast_naive_read(check, &naive);
    for (size_t i = 0; i < FORECAST_STEPS; i++) {
        double actual = naive.samples[naive.train + i];
        double error = actual - naive.ahead[i];
        absolute += fabs(error) / FORECAST_STEPS;
        square += error * error / FORECAST_STEPS;
        percent += 100 * fabs(error / actual) / FORECAST_STEPS;
    }
    for (size_t i = 0; i < naive.residual_count; i++) {
        scale += fabs(naive.residuals[i]) / (double)naive.residual_count;
    }
    ws_policy_check_f64(check, "mae", absolute);
    ws_policy_check_f64(check, "rmse", sqrt(square));
    ws_policy_check_f64(check, "mape_percent", percent);
    ws_policy_check_f64(check, "mase", absolute / scale);
    ws_policy_check_f64(check, "drift_per_step",
                        (naive.samples[naive.train - 1] - naive.samples[0]) /
                            (double)(naive.train - 1));
}

static void forecast_check_quantile(ws_policy_check *check)
{
    forecast_naive naive;
    double p = ws_policy_check_number(check->input, "p", 0);
    double covered = 0;
    double pinball = 0;

    forecast_naive_read(check, &naive);
    ws_sort_doubles(naive.residuals, naive.residual_count);
    double above = ws_quantile_sorted(naive.residuals, naive.residual_count, p);
    for (size_t i = 0; i < FORECAST_STEPS; i++) {
        double error = naive.samples[naive.train + i] - (naive.ahead[i] + above);
        covered += error <= 0 ? 1 : 0;
        pinball += fmax(p * error, (p - 1) * error);
    }
    ws_policy_check_f64(check, "resid_q50",
                        ws_quantile_sorted(naive.residuals, naive.residual_count, 0.5));
    ws_policy_check_f64(check, "resid_q95", above);
    ws_policy_check_f64(check, "coverage_1960", covered / FORECAST_STEPS);
    ws_policy_check_f64(check, "forecast_133", naive.ahead[0] + above);
    ws_policy_check_f64(check, "mean_pinball", pinball / FORECAST_STEPS);
    ws_policy_check_f64(check, "newsvendor_level_p9_c1", 9.0 / (9.0 + 1.0));
}

/* ---- the table ---- */

static const struct {
    const char *id;
    ws_policy_check_run *run;
} forecast_checks[] = {
    {"hw_add_airpassengers", forecast_check_hw},
    {"hw_damped_add_R_form", forecast_check_damped_r},
    {"hw_damped_add_airpassengers", forecast_check_damped_fpp},
    {"holt_airpassengers", forecast_check_holt},
    {"phpa_holt_winters", forecast_check_phpa},
    {"quantile_scale_p95", forecast_check_quantile},
    {"seasonal_naive_airpassengers", forecast_check_naive},
    {"ses_nile", forecast_check_ses},
};

ws_policy_check_run *ws_policy_check_find_forecast(const char *id)
{
    for (size_t i = 0; i < WS_COUNT_OF(forecast_checks); i++) {
        if (strcmp(id, forecast_checks[i].id) == 0) {
            return forecast_checks[i].run;
        }
    }
    return NULL;
}
