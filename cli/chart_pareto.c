/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cost against what training is for, as data of the Pareto chart. */
#include <math.h>

#include "chart_data.h"
#include "present.h"

/* In fewer of the bootstrap draws a member of the Pareto set is shown as uncertain. */
#define PARETO_CERTAIN 0.95

/* What training is for, in order of preference: the first that the scenario compares by, else the
 * first that has values. */
static const char *const pareto_speeds[] = {"samples_per_s", "main_finish_s", "makespan_s",
                                            "jct_p95_s", "jct_mean_s"};

static bool pareto_has_values(const ws_evaluation *evaluation, ws_text metric)
{
    WS_ASSERT(evaluation->arm_count >= 1);

    for (size_t arm = 0; arm < evaluation->arm_count; arm++) {
        if (ws_evaluation_metric(evaluation, arm, metric)->summary.n > 0) {
            return true;
        }
    }
    return false;
}

static bool pareto_is_compared(const ws_loaded *loaded, ws_text metric)
{
    for (size_t i = 0; i < loaded->metric_count; i++) {
        if (ws_text_equals(loaded->metrics[i], metric)) {
            return true;
        }
    }
    return false;
}

/* The first that has values; the empty text when there is none. */
static ws_text pareto_first_speed(const ws_evaluation *evaluation, bool must_be_compared)
{
    for (size_t i = 0; i < WS_COUNT_OF(pareto_speeds); i++) {
        ws_text metric = ws_text_of(pareto_speeds[i]);
        bool fits = !must_be_compared || pareto_is_compared(evaluation->loaded, metric);
        if (fits && pareto_has_values(evaluation, metric)) {
            return metric;
        }
    }
    return (ws_text){.length = 0};
}

static ws_text pareto_choose_speed(const ws_evaluation *evaluation)
{
    ws_text metric = pareto_first_speed(evaluation, true);

    if (metric.length == 0) {
        metric = pareto_first_speed(evaluation, false);
    }
    return metric.length > 0 ? metric : ws_text_of(pareto_speeds[0]);
}

/* ---- estimates, in the unit that is shown ---- */

static ws_chart_estimate pareto_estimate(const ws_summary *summary, double factor)
{
    WS_ASSERT(factor > 0);

    double low = summary->has_interval ? summary->low * factor : (double)NAN;
    double high = summary->has_interval ? summary->high * factor : (double)NAN;

    return (ws_chart_estimate){
        .mean = summary->n > 0 ? summary->mean * factor : (double)NAN, .low = low, .high = high};
}

static double *pareto_values(const ws_metric_values *values, size_t count, double factor,
                             ws_arena *arena)
{
    double *scaled = ws_arena_alloc(arena, double, count);

    for (size_t i = 0; scaled != NULL && i < count; i++) {
        scaled[i] = values->values[i] * factor;
    }
    return scaled;
}

typedef struct {
    ws_text metric;
    ws_presented presented;
} pareto_axis;

static pareto_axis pareto_axis_of(const ws_evaluation *evaluation, ws_text metric, ws_arena *arena)
{
    double largest = 0;

    for (size_t arm = 0; arm < evaluation->arm_count; arm++) {
        largest = fmax(largest, fabs(ws_evaluation_metric(evaluation, arm, metric)->summary.mean));
    }
    const ws_column *column = ws_evaluation_metric(evaluation, 0, metric)->column;
    return (pareto_axis){.metric = metric, .presented = ws_present(column, largest, arena)};
}

static ws_chart_arm pareto_arm(const ws_evaluation *evaluation, size_t arm, const pareto_axis *x,
                               const pareto_axis *y, ws_arena *arena)
{
    WS_ASSERT(arm < evaluation->arm_count);

    const ws_metric_values *x_values = ws_evaluation_metric(evaluation, arm, x->metric);
    const ws_metric_values *y_values = ws_evaluation_metric(evaluation, arm, y->metric);
    size_t count = evaluation->replications;

    return (ws_chart_arm){
        .name = evaluation->arms[arm].arm->name,
        .x = pareto_estimate(&x_values->summary, x->presented.factor),
        .y = pareto_estimate(&y_values->summary, y->presented.factor),
        .x_values = pareto_values(x_values, count, x->presented.factor, arena),
        .y_values = pareto_values(y_values, count, y->presented.factor, arena),
        .value_count = count,
        .is_baseline = arm == evaluation->loaded->baseline,
    };
}

static ws_chart_axis pareto_frame_axis(const ws_evaluation *evaluation, const pareto_axis *axis)
{
    WS_ASSERT(axis->metric.length > 0);

    const ws_column *column = ws_evaluation_metric(evaluation, 0, axis->metric)->column;
    const char *unit = axis->presented.unit[0] == '\0' ? column->unit : axis->presented.unit;

    return (ws_chart_axis){.label = ws_text_of(axis->presented.words),
                           .unit = ws_text_of(unit),
                           .higher_is_better = column->better == WS_BETTER_HIGHER};
}

/* Marks the arms whose place in the Pareto set hangs on which worlds were drawn. */
static bool pareto_mark_uncertain(const ws_evaluation *evaluation, const pareto_axis *x,
                                  const pareto_axis *y, ws_chart_arm *arms, ws_arena *arena)
{
    double *shares = ws_arena_alloc(arena, double, evaluation->arm_count);

    if (shares == NULL || !ws_evaluation_pareto(evaluation, x->metric, y->metric, shares, arena)) {
        return false;
    }
    for (size_t i = 0; i < evaluation->arm_count; i++) {
        arms[i].is_uncertain = shares[i] < PARETO_CERTAIN;
    }
    return true;
}

/* The arms that are drawn; NULL when the arena is exhausted. */
static ws_chart_arm *pareto_arms(const ws_evaluation *evaluation, const pareto_axis *x,
                                 const pareto_axis *y, ws_arena *arena)
{
    ws_chart_arm *arms = ws_arena_alloc(arena, ws_chart_arm, evaluation->arm_count);

    for (size_t i = 0; arms != NULL && i < evaluation->arm_count; i++) {
        arms[i] = pareto_arm(evaluation, i, x, y, arena);
    }
    if (arms != NULL && evaluation->arm_count <= WS_CHART_ARMS_MAX &&
        !pareto_mark_uncertain(evaluation, x, y, arms, arena)) {
        return NULL;
    }
    return arms;
}

bool ws_chart_data_pareto(ws_chart_data *data, const ws_evaluation *evaluation, ws_arena *arena)
{
    WS_ASSERT(evaluation->arm_count >= 1);

    pareto_axis x = pareto_axis_of(evaluation, WS_TEXT("cost_usd"), arena);
    pareto_axis y = pareto_axis_of(evaluation, pareto_choose_speed(evaluation), arena);
    bool all = evaluation->arm_count <= WS_CHART_ARMS_MAX;
    ws_chart_arm *arms = pareto_arms(evaluation, &x, &y, arena);

    if (arms == NULL) {
        return false;
    }
    *data = (ws_chart_data){
        .source = WS_TEXT("summary.csv"),
        .note = all ? WS_TEXT("") : WS_TEXT("More policies than are drawn."),
        .replications = (int)evaluation->replications,
        .confidence = evaluation->loaded->confidence,
        .interval = WS_TEXT("Student's t over replications"),
        .x = pareto_frame_axis(evaluation, &x),
        .y = pareto_frame_axis(evaluation, &y),
        .arms = arms,
        .arm_count = all ? evaluation->arm_count : WS_CHART_ARMS_MAX,
    };
    return true;
}
