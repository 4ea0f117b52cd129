/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Samples demand at a steady pace, forecasts it as far ahead as a node takes to come, and has as
 * many nodes as the chosen quantile of the forecast, or the demand now if that is more, will use:
 *
 *     lead  = cold start that the pool has shown + one step
 *     nodes = ceil((max(demand now, largest quantile within the lead) - what others serve) / GPUs
 * of a node - 1e-9)
 *
 * It grows at once. It shrinks to the most that it has wanted within `release_after`, as an
 * autoscaler with a stabilisation window does: a forecast may only add, unless `scale_in` says that
 * it may also take away; then it shrinks at once to what the forecast sees up to `release_after`
 * beyond the lead. A demand that is not known takes nothing away.
 *
 * Keys and checks are in predictive_parameters.c, forecasts in forecast.c.
 */
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "ws/assert.h"
#include "ws/policy.h"
#include "ws/quantity.h"

#include "forecast.h"
#include "list.h"
#include "predictive_parameters.h"

#define PREDICTIVE_REFIT_S 3600  /* weights are fitted at most this often, */
#define PREDICTIVE_REFIT_PARTS 8 /* and at most so often a season */
#define PREDICTIVE_SLACK 1e-9    /* of a node: a quotient that is whole but for rounding is whole */

/** A forecast that was made, and for what; it holds until the next sample. */
typedef struct {
    bool is_known;
    ws_forecast_answer answer;
    uint64_t sample_count;
    int32_t steps;
} predictive_outlook;

/** A size that was wanted, and when. */
typedef struct {
    ws_time at;
    int64_t size;
} predictive_want;

typedef struct {
    ws_target target;
    int64_t size_min;
    int64_t size_max;
    ws_forecast forecast;
    int64_t next_sample; /* number of the step that has no sample yet */
    predictive_outlook near;
    predictive_outlook far;
    predictive_want *wants; /* a ring */
    size_t want_capacity;
    size_t want_count; /* ever added */
    int64_t asked;     /* size that was asked for last; -1: none */
    int32_t got;       /* what the target made of it; -1: not seen yet */
} predictive_state;

/** What one decision goes by. */
typedef struct {
    double now;  /* demand; NaN: not known */
    double unit; /* demand that one node or replica serves */
    double lead_s;
    const ws_forecast_answer *near; /* NULL: none */
    int64_t need;                   /* nodes or replicas; -1: nothing is known */
    int32_t wanted;
} predictive_reading;

static void predictive_subscribe(const void *parameters, ws_subscriptions *subscriptions)
{
    const ws_predictive_parameters *given = parameters;
    const ws_document *metric =
        given->self == NULL ? NULL : ws_document_find(given->self, "metric");
    ws_query query = {.source = WS_QUERY_EXTERNAL,
                      .metric = given->metric,
                      .at = metric == NULL ? ws_span_none : metric->at};
    size_t index = ws_subscribe(subscriptions, &query);

    WS_ASSERT(index == 0);
}

static ws_duration predictive_period(const void *parameters)
{
    const ws_predictive_parameters *given = parameters;

    WS_ASSERT(given->period.ns > 0);

    return given->period;
}

static ws_forecast_setup predictive_setup(const ws_predictive_parameters *given)
{
    int64_t seldom = given->season.ns / PREDICTIVE_REFIT_PARTS;
    int64_t hour = PREDICTIVE_REFIT_S * WS_NS_PER_S;
    int64_t refit = (seldom > hour ? seldom : hour) / given->step.ns;

    return (ws_forecast_setup){
        .period = (int32_t)(given->season.ns / given->step.ns),
        .form = (ws_smoothing_form)given->form,
        .seasonal = given->seasonal == 0 ? WS_SMOOTHING_ADDITIVE : WS_SMOOTHING_MULTIPLICATIVE,
        .weights = {.alpha = given->alpha,
                    .beta = given->beta,
                    .gamma = given->gamma,
                    .phi = given->phi},
        .has_alpha = given->has_alpha,
        .has_beta = given->has_beta,
        .has_gamma = given->has_gamma,
        .has_phi = given->has_phi,
        .refit_samples = (int32_t)(refit < 1 ? 1 : refit),
    };
}

static bool predictive_init(void *state, const void *parameters, const ws_policy_site *site,
                            ws_arena *arena)
{
    predictive_state *predictive = state;
    const ws_predictive_parameters *given = parameters;
    ws_forecast_setup setup = predictive_setup(given);
    int64_t site_max = site->replicas_max > 0 ? site->replicas_max : INT32_MAX;

    WS_ASSERT(given->step.ns > 0);

    predictive->target = site->target;
    predictive->size_min = given->has_min ? given->size_min : site->replicas_min;
    predictive->size_max = given->has_max ? given->size_max : site_max;
    predictive->asked = -1;
    predictive->want_capacity = ws_predictive_window(given);
    predictive->wants = ws_arena_alloc(arena, predictive_want, predictive->want_capacity);
    return predictive->wants != NULL &&
           ws_forecast_init(&predictive->forecast, &setup, (size_t)given->model, arena);
}

/* ---- demand ---- */

/** A sample of the target that is no older than a step. */
static bool predictive_counts(const predictive_state *state, const ws_predictive_parameters *given,
                              const ws_sample *sample)
{
    bool is_other = state->target.kind == WS_TARGET_JOB && sample->job.length > 0 &&
                    !ws_text_equals(sample->job, state->target.job);

    return !is_other && isfinite(sample->value) && sample->age.ns <= given->step.ns;
}

/** Demand now: the sum of the series; NaN when there is none. */
static double predictive_demand(const predictive_state *state,
                                const ws_predictive_parameters *given, const ws_view *view)
{
    size_t count = 0;
    const ws_sample *samples = ws_view_samples(view, 0, &count);
    double sum = 0;
    bool is_known = false;

    for (size_t i = 0; i < count; i++) {
        if (predictive_counts(state, given, &samples[i])) {
            sum += samples[i].value;
            is_known = true;
        }
    }
    return is_known && isfinite(sum) ? fmax(sum, 0) : (double)NAN;
}

/** One sample a step: the first demand that is known within it. */
static void predictive_sample(predictive_state *state, const ws_predictive_parameters *given,
                              const ws_view *view, double demand)
{
    int64_t step = ws_view_now(view).ns / given->step.ns;

    while (state->next_sample < step) {
        ws_forecast_add(&state->forecast, (double)NAN);
        state->next_sample++;
    }
    if (state->next_sample == step && isfinite(demand)) {
        ws_forecast_add(&state->forecast, demand);
        state->next_sample++;
    }
}

/** Demand that one node or replica serves; 0: it cannot be said. */
static double predictive_unit(const predictive_state *state, const ws_predictive_parameters *given,
                              const ws_view *view)
{
    if (given->has_per_replica) {
        return given->per_replica;
    }
    WS_ASSERT(state->target.kind == WS_TARGET_POOL);
    return state->target.pool < ws_view_pool_count(view)
               ? ws_view_pool_at(view, state->target.pool).gpus_per_node
               : 0;
}

/* ---- the forecast ---- */

/** From asking to having, s: what the pool has shown; for a job the slowest of all pools. */
static double predictive_start_s(const predictive_state *state,
                                 const ws_predictive_parameters *given, const ws_view *view)
{
    double longest_s = 0;

    for (size_t pool = 0; pool < ws_view_pool_count(view); pool++) {
        if (state->target.kind != WS_TARGET_POOL || pool == state->target.pool) {
            longest_s = fmax(longest_s, ws_view_pool_at(view, pool).observed_start_s);
        }
    }
    return longest_s > 0 ? longest_s : ws_duration_s(given->cold_start);
}

/** Steps that reach as far; at most a season, beyond which there is nothing new. */
static int32_t predictive_steps(const predictive_state *state,
                                const ws_predictive_parameters *given, double ahead_s)
{
    double steps = ceil(ahead_s / ws_duration_s(given->step) - PREDICTIVE_SLACK);
    int32_t most = state->forecast.setup.period;

    if (!(steps >= 1)) {
        return 1;
    }
    return steps < most ? (int32_t)steps : most;
}

/** The forecast as far as `steps`, made anew when there is a new sample. NULL: none. */
static const ws_forecast_answer *predictive_look(predictive_state *state,
                                                 const ws_predictive_parameters *given,
                                                 predictive_outlook *outlook, int32_t steps)
{
    if (outlook->sample_count != state->forecast.sample_count || outlook->steps != steps) {
        outlook->sample_count = state->forecast.sample_count;
        outlook->steps = steps;
        outlook->is_known =
            ws_forecast_most(&state->forecast, steps, given->quantile, &outlook->answer);
    }
    return outlook->is_known ? &outlook->answer : NULL;
}

/* ---- sizes ---- */

/** Nodes or replicas for a demand, within the limits. */
static int64_t predictive_size(const predictive_state *state, const predictive_reading *reading,
                               double demand)
{
    double size = ceil(demand / reading->unit - PREDICTIVE_SLACK);
    int64_t whole = 0;

    WS_ASSERT(reading->unit > 0);

    if (size >= (double)INT32_MAX) {
        whole = INT32_MAX;
    } else if (size > 0) {
        whole = (int64_t)size;
    }
    whole = whole > state->size_max ? state->size_max : whole;
    return whole < state->size_min ? state->size_min : whole;
}

/** The size for the demand now and the forecast; -1 when neither is known. */
static int64_t predictive_need(const predictive_state *state, const predictive_reading *reading)
{
    int64_t wanted = reading->wanted;
    int64_t need = -1;

    if (isfinite(reading->now)) {
        need = predictive_size(state, reading, reading->now);
    }
    if (reading->near != NULL) {
        int64_t ahead = predictive_size(state, reading, reading->near->quantile);
        need = ahead > need ? ahead : need;
    }
    /* What is not seen may be needed. */
    return !isfinite(reading->now) && need >= 0 && need < wanted ? wanted : need;
}

static void predictive_remember(predictive_state *state, ws_time at, int64_t size)
{
    state->wants[state->want_count % state->want_capacity] =
        (predictive_want){.at = at, .size = size};
    state->want_count++;
}

/** The most that was wanted within `release_after`. */
static int64_t predictive_most_wanted(const predictive_state *state,
                                      const ws_predictive_parameters *given, ws_time now)
{
    size_t kept =
        state->want_count < state->want_capacity ? state->want_count : state->want_capacity;
    int64_t most = 0;

    for (size_t back = 1; back <= kept; back++) {
        const predictive_want *want =
            &state->wants[(state->want_count - back) % state->want_capacity];
        if (ws_time_since(now, want->at).ns > given->release_after.ns) {
            break;
        }
        most = want->size > most ? want->size : most;
    }
    return most;
}

/* ---- words ---- */

static void predictive_explain(const ws_predictive_parameters *given,
                               const predictive_reading *reading, ws_plan *plan)
{
    const ws_forecast_answer *near = reading->near;

    if (isfinite(reading->now)) {
        ws_plan_explain(plan, "%.*s is %.6g now", WS_TEXT_ARGS(given->metric), reading->now);
    } else {
        ws_plan_explain(plan, "%.*s has no sample", WS_TEXT_ARGS(given->metric));
    }
    if (near == NULL) {
        ws_plan_explain(plan, "too few samples for a forecast");
        return;
    }
    ws_plan_explain(
        plan, "%s: within %.4g s at most %.6g in %" PRId32 " steps, %.6g at the %.4g%% quantile",
        near->type->name, reading->lead_s, near->point, near->steps, near->quantile,
        100 * given->quantile);
    for (size_t i = 0; i < near->rival_count; i++) {
        ws_plan_explain(plan, "%s: mean error %.4g over %zu samples", near->rivals[i].type->name,
                        near->rivals[i].mean_error, near->error_count);
    }
}

static const char *predictive_noun(const predictive_state *state)
{
    return state->target.kind == WS_TARGET_POOL ? "nodes" : "replicas";
}

static void predictive_reason_now(const predictive_state *state,
                                  const ws_predictive_parameters *given,
                                  const predictive_reading *reading, ws_plan *plan)
{
    ws_plan_reason(plan, "%.*s %.6g now: %" PRId64 " %s", WS_TEXT_ARGS(given->metric), reading->now,
                   reading->need, predictive_noun(state));
}

static void predictive_reason_grow(const predictive_state *state,
                                   const ws_predictive_parameters *given,
                                   const predictive_reading *reading, ws_plan *plan)
{
    const ws_forecast_answer *near = reading->near;
    char ahead[WS_QUANTITY_TEXT_BYTES];
    char now[32] = "unknown";

    WS_ASSERT(near != NULL || isfinite(reading->now));

    if (near == NULL || near->quantile <= reading->now) {
        predictive_reason_now(state, given, reading, plan);
        return;
    }
    if (isfinite(reading->now)) {
        (void)snprintf(now, sizeof now, "%.6g", reading->now);
    }
    (void)ws_duration_print_human((ws_duration){.ns = near->steps * given->step.ns}, ahead);
    ws_plan_reason(plan, "%.*s %s now, %.6g in %s (%s, %.4g%% below %.6g): %" PRId64 " %s",
                   WS_TEXT_ARGS(given->metric), now, near->point, ahead, near->type->name,
                   100 * given->quantile, near->quantile, reading->need, predictive_noun(state));
}

static void predictive_reason_shrink(const predictive_state *state,
                                     const ws_predictive_parameters *given,
                                     const predictive_reading *reading, int64_t size, ws_plan *plan)
{
    const ws_forecast_answer *far = &state->far.answer;
    char span[WS_QUANTITY_TEXT_BYTES];

    if (given->scale_in == WS_PREDICTIVE_FORECAST && state->far.is_known) {
        (void)ws_duration_print_human((ws_duration){.ns = state->far.steps * given->step.ns}, span);
        ws_plan_reason(plan,
                       "%.*s %.6g now, for %s at most %.6g (%s, %.4g%% below that): %" PRId64 " %s",
                       WS_TEXT_ARGS(given->metric), reading->now, span, far->quantile,
                       far->type->name, 100 * given->quantile, size, predictive_noun(state));
        return;
    }
    (void)ws_duration_print_human(given->release_after, span);
    ws_plan_reason(plan, "%.*s %.6g now: %" PRId64 " %s have been enough for %s",
                   WS_TEXT_ARGS(given->metric), reading->now, size, predictive_noun(state), span);
}

/* ---- the decision ---- */

/** The size to shrink to; `wanted` or more: none. */
static int64_t predictive_smaller(predictive_state *state, const ws_predictive_parameters *given,
                                  const ws_view *view, const predictive_reading *reading)
{
    double ahead_s = reading->lead_s + ws_duration_s(given->release_after);
    const ws_forecast_answer *far = NULL;

    if (given->scale_in == WS_PREDICTIVE_FORECAST) {
        far = predictive_look(state, given, &state->far, predictive_steps(state, given, ahead_s));
    }
    if (far == NULL) {
        return predictive_most_wanted(state, given, ws_view_now(view));
    }
    int64_t ahead = predictive_size(state, reading, far->quantile);
    return ahead > reading->need ? ahead : reading->need;
}

/** Asks for a size, unless that was asked for and the target did not take it. */
static void predictive_ask(predictive_state *state, int64_t size, ws_plan *plan)
{
    state->asked = size;
    state->got = -1;
    ws_plan_set_target(plan, size);
}

static bool predictive_was_refused(predictive_state *state, int64_t size, int32_t wanted)
{
    if (state->asked >= 0 && state->got < 0) {
        state->got = wanted;
    }
    return size == state->asked && wanted == state->got;
}

static void predictive_set(predictive_state *state, const ws_predictive_parameters *given,
                           const ws_view *view, const predictive_reading *reading, ws_plan *plan)
{
    int64_t size = reading->need;

    if (size < reading->wanted) {
        size = predictive_smaller(state, given, view, reading);
    }
    if (predictive_was_refused(state, size, reading->wanted)) {
        return;
    }
    if (size > reading->wanted && size == reading->need) {
        predictive_reason_grow(state, given, reading, plan);
        predictive_ask(state, size, plan);
    } else if (size < reading->wanted) {
        predictive_reason_shrink(state, given, reading, size, plan);
        predictive_ask(state, size, plan);
    }
}

/** Jobs of the target's name that are active: one thing is scaled, and several arrivals are
 * several. */
static bool predictive_is_one(const predictive_state *state, const ws_view *view)
{
    size_t count = 0;

    if (state->target.kind == WS_TARGET_POOL) {
        return true;
    }
    for (size_t i = 0; i < ws_view_job_count(view) && count < 2; i++) {
        count += ws_text_equals(ws_view_job_at(view, i).name, state->target.job) ? 1 : 0;
    }
    return count < 2;
}

static void predictive_decide(void *state, const void *parameters, const ws_view *view,
                              ws_plan *plan)
{
    predictive_state *predictive = state;
    const ws_predictive_parameters *given = parameters;
    predictive_reading reading = {.now = predictive_demand(predictive, given, view),
                                  .unit = predictive_unit(predictive, given, view),
                                  .wanted = ws_view_replicas_wanted(view)};

    predictive_sample(predictive, given, view, reading.now);
    if (!ws_view_target_exists(view) || !(reading.unit > 0)) {
        return;
    }
    if (!predictive_is_one(predictive, view)) {
        ws_plan_explain(plan, "several jobs named %.*s are active, and one is scaled",
                        WS_TEXT_ARGS(predictive->target.job));
        return;
    }
    if (predictive->want_count == 0) {
        predictive_remember(predictive, ws_view_now(view), reading.wanted);
    }
    reading.lead_s = predictive_start_s(predictive, given, view) + ws_duration_s(given->step);
    reading.near = predictive_look(predictive, given, &predictive->near,
                                   predictive_steps(predictive, given, reading.lead_s));
    reading.need = predictive_need(predictive, &reading);
    predictive_explain(given, &reading, plan);
    if (reading.need >= 0) {
        predictive_remember(predictive, ws_view_now(view), reading.need);
        predictive_set(predictive, given, view, &reading, plan);
    }
}

const ws_policy_type ws_policy_predictive = {
    .name = "predictive",
    .summary =
        "forecasts demand and acts ahead by the cold start that it has seen, on a chosen quantile",
    .parameters = &ws_predictive_parameter_table,
    .state_bytes = sizeof(predictive_state),
    .deployable = true,
    .target_kinds = 1u << WS_TARGET_POOL | 1u << WS_TARGET_JOB,
    .scales_one = true,
    .check = ws_predictive_parameters_check,
    .subscribe = predictive_subscribe,
    .period = predictive_period,
    .init = predictive_init,
    .decide = predictive_decide,
};
