/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include "ws/evaluate.h"
#include "ws/random.h"

/* The means of one draw, with the sign turned so that less is better. */
typedef struct {
    double x;
    double y;
} pareto_point;

typedef struct {
    const ws_evaluation *evaluation;
    ws_text x;
    ws_text y;
    size_t *drawn; /* replications, with repetition */
    pareto_point *points;
    ws_stream stream;
} pareto_draws;

static double pareto_mean(const pareto_draws *draws, size_t arm, ws_text metric)
{
    const ws_metric_values *values = ws_evaluation_metric(draws->evaluation, arm, metric);
    double sum = 0;
    size_t n = 0;

    WS_ASSERT(values != NULL);
    for (size_t i = 0; i < draws->evaluation->replications; i++) {
        double value = values->values[draws->drawn[i]];
        if (!isnan(value)) {
            sum += value;
            n++;
        }
    }
    double mean = n > 0 ? sum / (double)n : (double)NAN;
    return values->column->better == WS_BETTER_HIGHER ? -mean : mean;
}

static void pareto_draw(pareto_draws *draws)
{
    size_t replications = draws->evaluation->replications;

    for (size_t i = 0; i < replications; i++) {
        size_t index = (size_t)(ws_stream_uniform(&draws->stream) * (double)replications);
        draws->drawn[i] = index < replications ? index : replications - 1;
    }
    for (size_t arm = 0; arm < draws->evaluation->arm_count; arm++) {
        draws->points[arm].x = pareto_mean(draws, arm, draws->x);
        draws->points[arm].y = pareto_mean(draws, arm, draws->y);
    }
}

/* False too when a value of either is missing. */
static bool pareto_beats(pareto_point a, pareto_point b)
{
    return a.x <= b.x && a.y <= b.y && (a.x < b.x || a.y < b.y);
}

static bool pareto_is_member(const pareto_draws *draws, size_t arm)
{
    pareto_point own = draws->points[arm];

    if (isnan(own.x) || isnan(own.y)) {
        return false;
    }
    for (size_t i = 0; i < draws->evaluation->arm_count; i++) {
        if (pareto_beats(draws->points[i], own)) {
            return false;
        }
    }
    return true;
}

bool ws_evaluation_pareto(const ws_evaluation *evaluation, ws_text x, ws_text y, double *shares,
                          ws_arena *arena)
{
    WS_ASSERT(shares != NULL);

    pareto_draws draws = {.evaluation = evaluation,
                          .x = x,
                          .y = y,
                          .drawn = ws_arena_alloc(arena, size_t, evaluation->replications),
                          .points = ws_arena_alloc(arena, pareto_point, evaluation->arm_count)};

    if (draws.drawn == NULL || draws.points == NULL) {
        return false;
    }
    ws_stream_open(&draws.stream, (ws_stream_key){.seed = evaluation->loaded->scenario.seed,
                                                  .purpose = WS_PURPOSE_RESAMPLE});
    for (size_t arm = 0; arm < evaluation->arm_count; arm++) {
        shares[arm] = 0;
    }
    for (size_t draw = 0; draw < WS_PARETO_DRAWS; draw++) {
        pareto_draw(&draws);
        for (size_t arm = 0; arm < evaluation->arm_count; arm++) {
            shares[arm] += pareto_is_member(&draws, arm) ? 1.0 / WS_PARETO_DRAWS : 0;
        }
    }
    return true;
}
