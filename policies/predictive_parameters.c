/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table, and what its keys must agree on. */
#include "predictive_parameters.h"

#include <inttypes.h>

#include "ws/assert.h"
#include "ws/quantity.h"

#include "forecast.h"

#define WINDOW_MAX 10000 /* decisions that are remembered */

#define CODE_SEASON_STEPS 4411
#define CODE_SEASON_LENGTH 4412
#define CODE_PERIOD 4413
#define CODE_MIN_ABOVE_MAX 4414
#define CODE_OTHER_MODEL 4415
#define CODE_PER_REPLICA 4416
#define CODE_CIRCULAR 4417
#define CODE_GAMMA 4418
#define CODE_WINDOW 4419

static const char *const form_choices[] = {"fpp", "r", NULL};
static const char *const seasonal_choices[] = {"additive", "multiplicative", NULL};
static const char *const scale_in_choices[] = {"reactive", "forecast", NULL};

static const ws_parameter predictive_rows[] = {
    {.kind = WS_PARAMETER_SELF, .offset = offsetof(ws_predictive_parameters, self)},
    {.name = "metric",
     .kind = WS_PARAMETER_TEXT,
     .offset = offsetof(ws_predictive_parameters, metric),
     .default_text = "requested_gpus",
     .help = "the demand that is forecast, summed over its series"},
    {.name = "per_replica",
     .kind = WS_PARAMETER_NUMBER,
     .offset = offsetof(ws_predictive_parameters, per_replica),
     .present_offset = offsetof(ws_predictive_parameters, has_per_replica),
     .min = "0",
     .above_min = true,
     .help =
         "how much of the metric one node, or one replica of a job, serves; of a metric in GPUs, a "
         "node serves as many as it has"},
    {.name = "step",
     .kind = WS_PARAMETER_DURATION,
     .offset = offsetof(ws_predictive_parameters, step),
     .default_text = "5m",
     .min = "1s",
     .help = "from one sample of the metric to the next"},
    {.name = "season",
     .kind = WS_PARAMETER_DURATION,
     .offset = offsetof(ws_predictive_parameters, season),
     .default_text = "24h",
     .help = "after which demand repeats itself: whole steps"},
    {.name = "model",
     .kind = WS_PARAMETER_CHOICE,
     .offset = offsetof(ws_predictive_parameters, model),
     .choices = ws_forecaster_names,
     .choice_noun = "a model",
     .default_text = "holt-winters",
     .help =
         "`holt-winters` gives way to the best of the others where that had the smaller error over "
         "the last season, and while there is too little history; the others need no fit"},
    {.name = "form",
     .kind = WS_PARAMETER_CHOICE,
     .offset = offsetof(ws_predictive_parameters, form),
     .choices = form_choices,
     .choice_noun = "a form of Holt-Winters",
     .default_text = "fpp",
     .help = "how the season learns: `fpp` as in Forecasting: Principles and Practice and "
             "statsmodels, `r` as in R's HoltWinters"},
    {.name = "seasonal",
     .kind = WS_PARAMETER_CHOICE,
     .offset = offsetof(ws_predictive_parameters, seasonal),
     .choices = seasonal_choices,
     .choice_noun = "a kind of season",
     .default_text = "additive",
     .help = "a season adds to the level or multiplies it; `multiplicative` needs demand that is "
             "never 0"},
    {.name = "alpha",
     .kind = WS_PARAMETER_FRACTION,
     .offset = offsetof(ws_predictive_parameters, alpha),
     .present_offset = offsetof(ws_predictive_parameters, has_alpha),
     .help = "weight of the newest sample in the level; without it, it is fitted"},
    {.name = "beta",
     .kind = WS_PARAMETER_FRACTION,
     .offset = offsetof(ws_predictive_parameters, beta),
     .present_offset = offsetof(ws_predictive_parameters, has_beta),
     .help = "weight of the newest slope in the trend; without it, it is fitted"},
    {.name = "gamma",
     .kind = WS_PARAMETER_FRACTION,
     .offset = offsetof(ws_predictive_parameters, gamma),
     .present_offset = offsetof(ws_predictive_parameters, has_gamma),
     .help = "weight of the newest season in the seasonal terms; without it, it is fitted"},
    {.name = "phi",
     .kind = WS_PARAMETER_FRACTION,
     .offset = offsetof(ws_predictive_parameters, phi),
     .present_offset = offsetof(ws_predictive_parameters, has_phi),
     .help = "damping of the trend, 1: none; without it, it is fitted"},
    {.name = "quantile",
     .kind = WS_PARAMETER_FRACTION,
     .offset = offsetof(ws_predictive_parameters, quantile),
     .default_text = "90%",
     .help = "demand is expected to stay below the forecast this often; where a missing GPU costs "
             "p and a "
             "spare one c, p / (p + c)"},
    {.name = "cold_start",
     .kind = WS_PARAMETER_DURATION,
     .offset = offsetof(ws_predictive_parameters, cold_start),
     .default_text = "3m",
     .help = "taken for a node's start until one was seen; it looks ahead by that and one step"},
    {.name = "min",
     .kind = WS_PARAMETER_COUNT,
     .offset = offsetof(ws_predictive_parameters, size_min),
     .present_offset = offsetof(ws_predictive_parameters, has_min),
     .help = "nodes or replicas; without it, what the target allows"},
    {.name = "max",
     .kind = WS_PARAMETER_COUNT,
     .offset = offsetof(ws_predictive_parameters, size_max),
     .present_offset = offsetof(ws_predictive_parameters, has_max),
     .help = "likewise"},
    {.name = "scale_in",
     .kind = WS_PARAMETER_CHOICE,
     .offset = offsetof(ws_predictive_parameters, scale_in),
     .choices = scale_in_choices,
     .choice_noun = "a way to scale in",
     .default_text = "reactive",
     .help = "`reactive`: when the target has been too large for `release_after`; `forecast`: as "
             "soon as "
             "it is forecast to be too large for that long"},
    {.name = "release_after",
     .kind = WS_PARAMETER_DURATION,
     .offset = offsetof(ws_predictive_parameters, release_after),
     .default_text = "10m",
     .min = "0s",
     .help = "how long it must be too large"},
    {.name = "period",
     .kind = WS_PARAMETER_DURATION,
     .offset = offsetof(ws_predictive_parameters, period),
     .default_text = "1m",
     .min = "1s",
     .help = "from one decision to the next; at most a step"},
};

const ws_parameter_table ws_predictive_parameter_table = {
    .noun = "predictive",
    .rows = predictive_rows,
    .count = WS_COUNT_OF(predictive_rows),
    .bytes = sizeof(ws_predictive_parameters),
};

size_t ws_predictive_window(const ws_predictive_parameters *parameters)
{
    WS_ASSERT(parameters->period.ns > 0);

    return (size_t)(parameters->release_after.ns / parameters->period.ns) + 2;
}

/* ---- checks ---- */

/* What every check needs; `is_good` falls with the first error. */
typedef struct {
    const ws_predictive_parameters *given;
    ws_arena *arena;
    ws_diag *diag;
    bool is_good;
} predictive_check;

/* Place of a value that is written down; else no place. */
static ws_span predictive_written(const ws_document *map, const char *key)
{
    const ws_document *value = map == NULL ? NULL : ws_document_find(map, key);

    return value == NULL ? ws_span_none : value->at;
}

/* Place of a key's value, or of the whole map when the key is not written down. */
static ws_span predictive_at(const ws_document *map, const char *key)
{
    ws_span at = predictive_written(map, key);

    return at.source != NULL || map == NULL ? at : map->at;
}

static void predictive_refuse(predictive_check *check, ws_diagnostic diagnostic, const char *key)
{
    diagnostic.severity = WS_SEVERITY_ERROR;
    diagnostic.at = predictive_at(check->given->self, key);
    check->is_good = false;
    ws_diag_add(check->diag, &diagnostic);
}

static ws_text predictive_duration(const predictive_check *check, int64_t ns)
{
    char text[WS_QUANTITY_TEXT_BYTES];

    (void)ws_quantity_print((ws_quantity){.integer = ns}, WS_QUANTITY_DURATION, text);
    return ws_arena_copy_text(check->arena, ws_text_of(text));
}

static void predictive_check_season(predictive_check *check)
{
    int64_t season = check->given->season.ns;
    int64_t step = check->given->step.ns;
    int64_t steps = season / step;

    WS_ASSERT(step > 0);

    if (steps < 2 || steps > WS_FORECAST_PERIOD_MAX) {
        predictive_refuse(
            check,
            (ws_diagnostic){
                .code = CODE_SEASON_LENGTH,
                .message = steps < 2
                               ? WS_TEXT("`season` is shorter than 2 steps")
                               : ws_arena_format(check->arena, "`season` is longer than %d steps",
                                                 WS_FORECAST_PERIOD_MAX),
                .label = steps < 2 ? WS_TEXT("too short") : WS_TEXT("too long"),
                .also = predictive_written(check->given->self, "step"),
                .also_label = WS_TEXT("a step"),
                .help = WS_TEXT("`season` is when demand repeats itself, such as 24h or 7d")},
            "season");
    } else if (season % step != 0) {
        predictive_refuse(
            check,
            (ws_diagnostic){.code = CODE_SEASON_STEPS,
                            .message = WS_TEXT("`season` is not a whole number of steps"),
                            .label = ws_arena_format(
                                check->arena, "%.*s is %" PRId64 " steps",
                                WS_TEXT_ARGS(predictive_duration(check, steps * step)), steps),
                            .also = predictive_written(check->given->self, "step"),
                            .also_label = WS_TEXT("a step")},
            "season");
    }
}

static void predictive_check_period(predictive_check *check)
{
    const ws_predictive_parameters *given = check->given;

    WS_ASSERT(given->period.ns > 0);

    if (given->period.ns > given->step.ns) {
        predictive_refuse(check,
                          (ws_diagnostic){.code = CODE_PERIOD,
                                          .message = WS_TEXT("`period` is longer than `step`"),
                                          .label = WS_TEXT("samples would be missed"),
                                          .also = predictive_written(given->self, "step"),
                                          .also_label = WS_TEXT("a step")},
                          "period");
    }
    if (given->release_after.ns / given->period.ns > WINDOW_MAX) {
        predictive_refuse(
            check,
            (ws_diagnostic){.code = CODE_WINDOW,
                            .message = ws_arena_format(check->arena,
                                                       "`release_after` is more than %d periods",
                                                       WINDOW_MAX),
                            .label = WS_TEXT("too long"),
                            .help = WS_TEXT("make `period` longer")},
            "release_after");
    }
}

static void predictive_check_sizes(predictive_check *check)
{
    const ws_predictive_parameters *given = check->given;

    if (!given->has_min || !given->has_max || given->size_min <= given->size_max) {
        return;
    }
    predictive_refuse(
        check,
        (ws_diagnostic){.code = CODE_MIN_ABOVE_MAX,
                        .message = WS_TEXT("`min` is above `max`"),
                        .label = ws_arena_format(check->arena, "%" PRId64, given->size_min),
                        .also = predictive_at(given->self, "max"),
                        .also_label = ws_arena_format(check->arena, "%" PRId64, given->size_max)},
        "min");
}

/* Weights that only one model has. */
static void predictive_check_model(predictive_check *check)
{
    const ws_predictive_parameters *given = check->given;
    const struct {
        const char *key;
        bool is_given;
    } keys[] = {{"alpha", given->has_alpha},
                {"beta", given->has_beta},
                {"gamma", given->has_gamma},
                {"phi", given->has_phi}};
    const ws_forecaster *model = ws_forecaster_at((size_t)given->model);

    for (size_t i = 0; i < WS_COUNT_OF(keys); i++) {
        if (keys[i].is_given && model->is_baseline) {
            predictive_refuse(
                check,
                (ws_diagnostic){.code = CODE_OTHER_MODEL,
                                .message = ws_arena_format(check->arena,
                                                           "`%s` does not go with `model: %s`",
                                                           keys[i].key, model->name),
                                .help = WS_TEXT("leave it out, or write `model: holt-winters`")},
                keys[i].key);
        }
    }
    if (!model->is_baseline && given->form == WS_SMOOTHING_FPP && given->has_alpha &&
        given->has_gamma && given->gamma > 1 - given->alpha) {
        ws_diag_warning(
            check->diag, CODE_GAMMA, predictive_at(given->self, "gamma"),
            "`gamma` is above 1 - `alpha`: in the form `fpp` the season then overshoots");
    }
}

/* Demand must not be what the target itself asks for, and its unit must be known. */
static void predictive_check_metric(predictive_check *check, const ws_target *target)
{
    const ws_predictive_parameters *given = check->given;
    bool is_gpus =
        ws_text_is(given->metric, "requested_gpus") || ws_text_is(given->metric, "pending_gpus");

    if (is_gpus && target->kind != WS_TARGET_POOL) {
        predictive_refuse(
            check,
            (ws_diagnostic){
                .code = CODE_CIRCULAR,
                .message = ws_arena_format(check->arena,
                                           "`%.*s` of a job is what the policy itself asks for",
                                           WS_TEXT_ARGS(given->metric)),
                .label = WS_TEXT("not a demand"),
                .help =
                    WS_TEXT("target a pool, or name a metric of the job's load with `metric` and "
                            "`per_replica`")},
            "metric");
    } else if (!is_gpus && !given->has_per_replica) {
        predictive_refuse(
            check,
            (ws_diagnostic){.code = CODE_PER_REPLICA,
                            .message = ws_arena_format(
                                check->arena, "how much `%.*s` one %s serves is not said",
                                WS_TEXT_ARGS(given->metric),
                                target->kind == WS_TARGET_POOL ? "node" : "replica"),
                            .help = WS_TEXT("add `per_replica`")},
            "metric");
    }
}

bool ws_predictive_parameters_check(const void *parameters, const ws_target *target,
                                    ws_arena *arena, ws_diag *diag)
{
    predictive_check check = {.given = parameters, .arena = arena, .diag = diag, .is_good = true};

    WS_ASSERT(target != NULL);

    predictive_check_season(&check);
    predictive_check_period(&check);
    predictive_check_sizes(&check);
    predictive_check_model(&check);
    predictive_check_metric(&check, target);
    return check.is_good;
}
