/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Forecasts of a series that is sampled at a steady pace, with quantiles.
 *
 * A forecaster is a constant table of functions over a state; forecast_list.c lists them. A
 * ws_forecast runs the one that is preferred beside the baselines, keeps what each of them got
 * wrong at every horizon, and answers with the one to trust: the preferred one, unless a baseline
 * had the smaller mean absolute error over the last season (by more than rounding), or the
 * baselines' best while the preferred one has too little to go by. A quantile is the point forecast
 * and the quantile of that forecaster's own errors at that horizon.
 *
 *     sample -> series (the last seasons) -> each forecaster -> errors by horizon -> choice,
 * quantile
 *
 * A sample that is not finite is missing: nobody learns from it, and the season moves on.
 *
 * Source: Hyndman and Fan, "Sample quantiles in statistical packages" (1996), type 7; Hyndman and
 * Athanasopoulos, "Forecasting: Principles and Practice", chapter 5.
 *
 * To add one: a file forecast_NAME.c that ends in its `const ws_forecaster`, a line below, and one
 * in each array of forecast_list.c.
 */
#ifndef WS_FORECAST_H
#define WS_FORECAST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ws/arena.h"
#include "ws/assert.h"

#include "smoothing.h"

#define WS_FORECAST_SEASONS 4 /* that are kept */
#define WS_FORECAST_STEPS_MAX                                                                      \
    32 /* horizons at which errors are kept; beyond, those of the last one hold */
#define WS_FORECAST_ERRORS_MIN                                                                     \
    ((size_t)10)                     /* known errors that make a forecaster's quantiles usable */
#define WS_FORECAST_ERRORS_MAX 1024  /* kept of a horizon */
#define WS_FORECAST_PERIOD_MAX 10080 /* samples in a season: a week of minutes */

/** The last samples, oldest first, in one piece. Not finite: missing. */
typedef struct {
    double *values; /* room for twice the capacity, so that moving to the front is rare */
    size_t capacity;
    size_t begin;
    size_t count;
} ws_series;

/** What forecasters are told. */
typedef struct {
    int32_t period; /* samples in a season, 2..WS_FORECAST_PERIOD_MAX */
    ws_smoothing_form form;
    ws_smoothing_kind seasonal;   /* ADDITIVE or MULTIPLICATIVE */
    ws_smoothing_weights weights; /* those that are given */
    bool has_alpha;
    bool has_beta;
    bool has_gamma;
    bool has_phi;
    int32_t refit_samples; /* fewest from one fit to the next, >= 1 */
} ws_forecast_setup;

typedef struct {
    const char *name;
    const char *summary;
    bool is_baseline;   /* needs no fit; others fall back to it */
    size_t state_bytes; /* zeroed before init; 0: no state */

    /** Takes what it needs from `arena`. False: exhausted. May be NULL. */
    bool (*init)(void *state, const ws_forecast_setup *setup, ws_arena *arena);
    /** The series has a new last sample. True: it can forecast from now on, and can be rewound. May
     * be NULL. */
    bool (*update)(void *state, const ws_forecast_setup *setup, const ws_series *series);
    /** Back to where it began; the index of the first sample to go on with. May be NULL. */
    size_t (*rewind)(void *state, const ws_forecast_setup *setup, const ws_series *series);
    /** One sample more, without a fit. May be NULL when `rewind` is. */
    void (*advance)(void *state, const ws_forecast_setup *setup, double value);
    /** The forecast `steps` >= 1 samples ahead. False, `*value` untouched: it cannot; else `*value`
     * is finite. */
    bool (*predict)(const void *state, const ws_forecast_setup *setup, const ws_series *series,
                    int32_t steps, double *value);
} ws_forecaster;

extern const ws_forecaster ws_forecaster_holt;
extern const ws_forecaster ws_forecaster_holt_winters;
extern const ws_forecaster ws_forecaster_last_value;
extern const ws_forecaster ws_forecaster_seasonal_naive;

/** Number of forecasters, and each of them, sorted by name. */
size_t ws_forecaster_count(void);
const ws_forecaster *ws_forecaster_at(size_t index);

/** Names in the same order, NULL-terminated: for choices. */
extern const char *const ws_forecaster_names[];

#define WS_FORECASTERS_MAX 8

/** One forecaster that runs, and what it got wrong. */
typedef struct {
    const ws_forecaster *type;
    void *state;
    double *made;   /* [sample % STEPS_MAX][steps - 1]: forecasts that were made at a sample */
    double *errors; /* [steps - 1][error_capacity]: sample less forecast, a ring */
    size_t *error_counts; /* [steps - 1]: ever added */
} ws_forecast_run;

typedef struct {
    ws_forecast_setup setup;
    ws_series series;
    uint64_t sample_count;                    /* ever added */
    ws_forecast_run runs[WS_FORECASTERS_MAX]; /* the preferred one first */
    size_t run_count;
    size_t error_capacity;
    double *scratch; /* error_capacity */
} ws_forecast;

/** How well a forecaster did. */
typedef struct {
    const ws_forecaster *type;
    double mean_error; /* absolute, over the last season at the farthest step */
} ws_forecast_rival;

/** A forecast in numbers. */
typedef struct {
    const ws_forecaster *type;
    int32_t steps;   /* at which the quantile is largest */
    double point;    /* there */
    double quantile; /* there */
    double mean_error;
    size_t error_count;                           /* over which the errors below are means */
    ws_forecast_rival rivals[WS_FORECASTERS_MAX]; /* all that were compared, `type` among them */
    size_t rival_count;
} ws_forecast_answer;

/**
 * An empty forecast.
 *
 * @param setup      copied
 * @param preferred  index in the list
 * @param arena      all memory; it ends with it
 * @return           false when the arena is exhausted
 */
WS_NODISCARD bool ws_forecast_init(ws_forecast *forecast, const ws_forecast_setup *setup,
                                   size_t preferred, ws_arena *arena);

/** Adds the next sample; not finite: missing. O(STEPS_MAX), and now and then a fit. */
void ws_forecast_add(ws_forecast *forecast, double value);

/**
 * The largest quantile over the next 1..steps samples, of the forecaster that is to be trusted at
 * `steps`.
 *
 * @param quantile  0..1; a larger one never gives less
 * @return          false, answer untouched, while nobody can say
 */
bool ws_forecast_most(ws_forecast *forecast, int32_t steps, double quantile,
                      ws_forecast_answer *answer);

/** Adds to a series, and forgets the oldest sample when it is full. */
void ws_series_add(ws_series *series, double value);

/** The sample `back` >= 1 from the end: 1 is the newest. NaN when that is not kept. */
double ws_series_back(const ws_series *series, size_t back);

/** All that is kept. */
ws_smoothing_samples ws_series_samples(const ws_series *series);

#endif
