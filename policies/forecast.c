/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs forecasters side by side, keeps their errors, and chooses. */
#include "forecast.h"

#include <math.h>
#include <string.h>

#include "ws/statistics.h"

#define FORECAST_ROUNDING 1e-12 /* of the largest sample of a season */

/* ---- the series ---- */

void ws_series_add(ws_series *series, double value)
{
    WS_ASSERT(series->capacity > 0);

    if (series->begin + series->count == 2 * series->capacity) {
        memmove(series->values, series->values + series->begin + 1,
                (series->count - 1) * sizeof *series->values);
        series->begin = 0;
        series->count--;
    } else if (series->count == series->capacity) {
        series->begin++;
        series->count--;
    }
    series->values[series->begin + series->count] = isfinite(value) ? value : (double)NAN;
    series->count++;
}

double ws_series_back(const ws_series *series, size_t back)
{
    WS_ASSERT(back >= 1);

    return back > series->count ? (double)NAN
                                : series->values[series->begin + series->count - back];
}

ws_smoothing_samples ws_series_samples(const ws_series *series)
{
    WS_ASSERT(series != NULL);
    return (ws_smoothing_samples){.values = series->values + series->begin, .count = series->count};
}

/* ---- creation ---- */

static bool forecast_add_run(ws_forecast *forecast, const ws_forecaster *type, ws_arena *arena)
{
    size_t steps = WS_FORECAST_STEPS_MAX;
    ws_forecast_run run = {
        .type = type,
        .state = ws_arena_alloc_bytes(arena, 1, type->state_bytes + 1),
        .made = ws_arena_alloc(arena, double, steps *steps),
        .errors = ws_arena_alloc(arena, double, steps * forecast->error_capacity),
        .error_counts = ws_arena_alloc(arena, size_t, steps),
    };

    WS_ASSERT(forecast->run_count < WS_FORECASTERS_MAX);
    if (run.state == NULL || run.made == NULL || run.errors == NULL || run.error_counts == NULL) {
        return false;
    }
    for (size_t i = 0; i < steps * steps; i++) {
        run.made[i] = (double)NAN;
    }
    forecast->runs[forecast->run_count++] = run;
    return type->init == NULL || type->init(run.state, &forecast->setup, arena);
}

/** Errors that are kept of a horizon: two seasons of them. */
static size_t forecast_error_capacity(int32_t period)
{
    size_t wanted = 2 * (size_t)period;

    if (wanted > WS_FORECAST_ERRORS_MAX) {
        return WS_FORECAST_ERRORS_MAX;
    }
    return wanted < 2 * WS_FORECAST_ERRORS_MIN ? 2 * WS_FORECAST_ERRORS_MIN : wanted;
}

bool ws_forecast_init(ws_forecast *forecast, const ws_forecast_setup *setup, size_t preferred,
                      ws_arena *arena)
{
    size_t kept = WS_FORECAST_SEASONS * (size_t)setup->period;

    WS_ASSERT(setup->period >= 2 && setup->period <= WS_FORECAST_PERIOD_MAX);
    WS_ASSERT(setup->refit_samples >= 1);
    WS_ASSERT(ws_forecaster_count() <= WS_FORECASTERS_MAX);

    kept = kept < 2 * (size_t)setup->period + 32 ? 2 * (size_t)setup->period + 32 : kept;
    *forecast =
        (ws_forecast){.setup = *setup, .error_capacity = forecast_error_capacity(setup->period)};
    forecast->series.capacity = kept;
    forecast->series.values = ws_arena_alloc(arena, double, 2 * kept);
    forecast->scratch = ws_arena_alloc(arena, double, forecast->error_capacity);
    if (forecast->series.values == NULL || forecast->scratch == NULL ||
        !forecast_add_run(forecast, ws_forecaster_at(preferred), arena)) {
        return false;
    }
    for (size_t i = 0; i < ws_forecaster_count(); i++) {
        bool is_wanted = i != preferred && ws_forecaster_at(i)->is_baseline;
        if (is_wanted && !forecast_add_run(forecast, ws_forecaster_at(i), arena)) {
            return false;
        }
    }
    return true;
}

/* ---- errors ---- */

/** Compares what was forecast for the sample `index` with its value. */
static void forecast_score(const ws_forecast *forecast, ws_forecast_run *run, uint64_t index,
                           double value)
{
    for (size_t steps = 1; steps <= WS_FORECAST_STEPS_MAX && steps <= index; steps++) {
        size_t row = (size_t)((index - steps) % WS_FORECAST_STEPS_MAX);
        double error = value - run->made[row * WS_FORECAST_STEPS_MAX + steps - 1];
        if (isfinite(error)) {
            size_t slot = run->error_counts[steps - 1] % forecast->error_capacity;
            run->errors[(steps - 1) * forecast->error_capacity + slot] = error;
            run->error_counts[steps - 1]++;
        }
    }
}

/** Notes what a forecaster says after the sample `index`. */
static void forecast_note(const ws_forecast *forecast, ws_forecast_run *run,
                          const ws_series *series, uint64_t index)
{
    size_t row = (size_t)(index % WS_FORECAST_STEPS_MAX);

    for (int32_t steps = 1; steps <= WS_FORECAST_STEPS_MAX; steps++) {
        double value = (double)NAN;
        if (!run->type->predict(run->state, &forecast->setup, series, steps, &value)) {
            value = (double)NAN;
        }
        run->made[row * WS_FORECAST_STEPS_MAX + (size_t)steps - 1] = value;
    }
}

/**
 * What a forecaster that has just got its weights would have said of the samples so far: the errors
 * that it begins with. They flatter it, since the weights have seen these samples; those of samples
 * to come push them out.
 */
static void forecast_hindcast(ws_forecast *forecast, ws_forecast_run *run)
{
    ws_series past = forecast->series;
    uint64_t oldest = forecast->sample_count - past.count;
    size_t from = run->type->rewind(run->state, &forecast->setup, &past);
    const double *values = past.values + past.begin;
    size_t count = past.count;

    WS_ASSERT(from <= count);
    memset(run->error_counts, 0, WS_FORECAST_STEPS_MAX * sizeof *run->error_counts);
    for (size_t i = 0; i < (size_t)WS_FORECAST_STEPS_MAX * WS_FORECAST_STEPS_MAX; i++) {
        run->made[i] = (double)NAN;
    }
    for (size_t i = from; i < count; i++) {
        forecast_score(forecast, run, oldest + i, values[i]);
        run->type->advance(run->state, &forecast->setup, values[i]);
        past.count = i + 1;
        forecast_note(forecast, run, &past, oldest + i);
    }
}

void ws_forecast_add(ws_forecast *forecast, double value)
{
    WS_ASSERT(forecast->run_count >= 1);

    uint64_t index = forecast->sample_count++;

    ws_series_add(&forecast->series, value);
    for (size_t i = 0; i < forecast->run_count; i++) {
        ws_forecast_run *run = &forecast->runs[i];
        const ws_forecaster *type = run->type;
        bool begins = false;

        forecast_score(forecast, run, index, value);
        if (type->update != NULL) {
            begins = type->update(run->state, &forecast->setup, &forecast->series);
        }
        if (begins && type->rewind != NULL) {
            forecast_hindcast(forecast, run);
        } else {
            forecast_note(forecast, run, &forecast->series, index);
        }
    }
}

/* ---- the choice ---- */

static size_t forecast_row(int32_t steps)
{
    return (size_t)(steps < WS_FORECAST_STEPS_MAX ? steps : WS_FORECAST_STEPS_MAX) - 1;
}

/** Errors of a horizon that are kept. */
static size_t forecast_error_count(const ws_forecast *forecast, const ws_forecast_run *run,
                                   int32_t steps)
{
    size_t count = run->error_counts[forecast_row(steps)];
    return count < forecast->error_capacity ? count : forecast->error_capacity;
}

/** Mean absolute error of the newest `count` at a horizon. */
static double forecast_mean_error(const ws_forecast *forecast, const ws_forecast_run *run,
                                  int32_t steps, size_t count)
{
    size_t row = forecast_row(steps);
    const double *errors = run->errors + row * forecast->error_capacity;
    double sum = 0;

    WS_ASSERT(count > 0);
    for (size_t back = 1; back <= count; back++) {
        sum += fabs(errors[(run->error_counts[row] - back) % forecast->error_capacity]);
    }
    return sum / (double)count;
}

/** It forecasts, and is known for how well. */
static bool forecast_is_ready(const ws_forecast *forecast, const ws_forecast_run *run,
                              int32_t steps)
{
    double value = 0;

    return forecast_error_count(forecast, run, steps) >= WS_FORECAST_ERRORS_MIN &&
           run->type->predict(run->state, &forecast->setup, &forecast->series, steps, &value);
}

/** Errors over which all that are ready can be compared: the last season's, or fewer. */
static size_t forecast_common_count(const ws_forecast *forecast, int32_t steps)
{
    size_t common = (size_t)forecast->setup.period;

    for (size_t i = 0; i < forecast->run_count; i++) {
        const ws_forecast_run *run = &forecast->runs[i];
        size_t count = forecast_error_count(forecast, run, steps);
        if (forecast_is_ready(forecast, run, steps) && count < common) {
            common = count;
        }
    }
    return common;
}

/** By how much errors must differ to tell one forecaster from another: those of two that are exact
 * are the rounding of their sums. */
static double forecast_rounding(const ws_forecast *forecast)
{
    double largest = 0;

    for (int32_t back = 1; back <= forecast->setup.period; back++) {
        largest = fmax(largest, fabs(ws_series_back(&forecast->series, (size_t)back)));
    }
    return FORECAST_ROUNDING * largest;
}

/** The one to be trusted at a horizon; NULL: none yet. */
static const ws_forecast_run *forecast_choose(const ws_forecast *forecast, int32_t steps,
                                              ws_forecast_answer *answer)
{
    const ws_forecast_run *best = NULL;
    size_t common = forecast_common_count(forecast, steps);
    double rounding = forecast_rounding(forecast);

    for (size_t i = 0; i < forecast->run_count; i++) {
        const ws_forecast_run *run = &forecast->runs[i];
        if (!forecast_is_ready(forecast, run, steps)) {
            continue;
        }
        double mean_error = forecast_mean_error(forecast, run, steps, common);
        answer->rivals[answer->rival_count++] =
            (ws_forecast_rival){.type = run->type, .mean_error = mean_error};
        if (best == NULL || mean_error < answer->mean_error - rounding) {
            best = run;
            answer->mean_error = mean_error;
        }
        if (i == 0 && run->type->is_baseline) {
            break; /* who asks for a baseline gets it */
        }
    }
    answer->error_count = common;
    return best;
}

/* ---- the answer ---- */

/** The quantile of the errors at a horizon. */
static double forecast_error_quantile(const ws_forecast *forecast, const ws_forecast_run *run,
                                      int32_t steps, double quantile)
{
    size_t count = forecast_error_count(forecast, run, steps);
    const double *errors = run->errors + forecast_row(steps) * forecast->error_capacity;

    WS_ASSERT(count > 0);
    memcpy(forecast->scratch, errors, count * sizeof *errors);
    return ws_quantile(forecast->scratch, count, quantile);
}

bool ws_forecast_most(ws_forecast *forecast, int32_t steps, double quantile,
                      ws_forecast_answer *answer)
{
    ws_forecast_answer found = {.steps = 0};
    const ws_forecast_run *run = NULL;

    WS_ASSERT(steps >= 1);
    WS_ASSERT(quantile >= 0 && quantile <= 1);

    run = forecast_choose(forecast, steps, &found);
    for (int32_t step = 1; run != NULL && step <= steps; step++) {
        double point = 0;
        if (!forecast_is_ready(forecast, run, step) ||
            !run->type->predict(run->state, &forecast->setup, &forecast->series, step, &point)) {
            continue;
        }
        double value = point + forecast_error_quantile(forecast, run, step, quantile);
        if (isfinite(value) && (found.steps == 0 || value > found.quantile)) {
            found.steps = step;
            found.point = point;
            found.quantile = value;
        }
    }
    if (run == NULL || found.steps == 0) {
        return false;
    }
    found.type = run->type;
    *answer = found;
    return true;
}
