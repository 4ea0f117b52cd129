/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recorded series in numbers: all, and metric by metric. Series are put together by the hash of
 * their metric's name, so that a file with a million metrics is no slower than one with a few. */
#include <math.h>

#include "spread.h"
#include "ws/statistics.h"
#include "ws/trace_keys.h"
#include "ws/trace_series.h"

typedef struct {
    ws_trace_series_summary *summary;
    ws_trace_key *keys; /* of the series, by metric; those of a metric as they appear */
    ws_trace_key *spare;
    double *values; /* room for every sample */
    double *steps;  /* room for every series */
    ws_trace_metric_summary *unordered;
    size_t count;
} summary_state;

static void summary_add(ws_trace_series_summary *summary, const ws_trace_series *series)
{
    size_t timed = series->count - series->untimed;

    summary->samples += (int64_t)series->count;
    summary->blanks += series->blanks;
    summary->holes += series->holes;
    summary->hole_ns += series->hole_ns;
    if (timed == 0) {
        return;
    }
    int64_t first_ns = series->samples[series->untimed].at_ns;
    int64_t last_ns = series->samples[series->count - 1].at_ns;

    if (summary->timed == 0 || first_ns < summary->first_ns) {
        summary->first_ns = first_ns;
    }
    if (summary->timed == 0 || last_ns > summary->last_ns) {
        summary->last_ns = last_ns;
    }
    summary->timed += (int64_t)timed;
}

/* The metric of `count` series. */
static ws_trace_metric_summary summary_of(summary_state *state, const ws_trace_key *keys,
                                          size_t count)
{
    const ws_trace_series *first = keys[0].item;
    ws_trace_metric_summary metric = {
        .name = first->name, .metric = first->metric, .series = (int64_t)count};
    size_t values = 0;
    size_t steps = 0;
    double sum = 0;

    for (size_t i = 0; i < count; i++) {
        const ws_trace_series *series = keys[i].item;
        metric.blanks += series->blanks;
        metric.holes += series->holes;
        metric.hole_ns += series->hole_ns;
        for (size_t k = 0; k < series->count; k++) {
            state->values[values++] = series->samples[k].value;
            sum += series->samples[k].value;
        }
        if (series->step_ns > 0) {
            state->steps[steps++] = (double)series->step_ns;
        }
    }
    metric.values =
        ws_trace_spread_of(state->values, values, values > 0 ? sum / (double)values : 0);
    metric.min = values > 0 ? state->values[0] : (double)NAN;
    if (steps > 0) {
        ws_sort_doubles(state->steps, steps);
        metric.step_ns = (int64_t)ws_quantile_sorted(state->steps, steps, 0.5);
    }
    return metric;
}

/* Metrics in the order of their first series. */
static void summary_order(summary_state *state)
{
    ws_trace_series_summary *summary = state->summary;

    ws_trace_keys_sort(state->keys, state->spare, state->count);
    for (size_t i = 0; i < state->count; i++) {
        const ws_trace_metric_summary *metric = state->keys[i].item;
        summary->metrics[summary->metric_count++] = *metric;
    }
}

static void summary_metrics(summary_state *state, const ws_trace_series_set *set)
{
    for (size_t i = 0; i < set->count; i++) {
        state->keys[i] = (ws_trace_key){.key = (int64_t)ws_text_hash(set->items[i].name),
                                        .item = &set->items[i]};
    }
    ws_trace_keys_sort(state->keys, state->spare, set->count);
    for (size_t from = 0, to = 0; from < set->count; from = to) {
        const ws_trace_series *first = state->keys[from].item;
        to = from + 1;
        while (to < set->count && state->keys[to].key == state->keys[from].key) {
            to++;
        }
        state->unordered[state->count] = summary_of(state, &state->keys[from], to - from);
        /* keys that were read make room for those of the metrics */
        state->keys[state->count] =
            (ws_trace_key){.key = first - set->items, .item = &state->unordered[state->count]};
        state->count++;
    }
    summary_order(state);
}

bool ws_trace_series_summarise(ws_trace_series_summary *summary, const ws_trace_series_set *set,
                               ws_arena *arena)
{
    summary_state state = {.summary = summary};
    ws_arena scratch;

    WS_ASSERT(summary != NULL);
    WS_ASSERT(set != NULL);
    WS_ASSERT(arena != NULL);

    *summary = (ws_trace_series_summary){
        .metrics = ws_arena_alloc(arena, ws_trace_metric_summary, set->count + 1)};
    for (size_t i = 0; i < set->count; i++) {
        summary_add(summary, &set->items[i]);
    }
    ws_arena_init(&scratch, &arena->allocator, arena->bound_bytes);
    state.keys = ws_arena_alloc(&scratch, ws_trace_key, set->count + 1);
    state.spare = ws_arena_alloc(&scratch, ws_trace_key, set->count + 1);
    state.values = ws_arena_alloc(&scratch, double, (size_t)summary->samples + 1);
    state.steps = ws_arena_alloc(&scratch, double, set->count + 1);
    state.unordered = ws_arena_alloc(&scratch, ws_trace_metric_summary, set->count + 1);
    bool has_room = summary->metrics != NULL && state.keys != NULL && state.spare != NULL &&
                    state.values != NULL && state.steps != NULL && state.unordered != NULL;

    if (has_room) {
        summary_metrics(&state, set);
    }
    ws_arena_reset(&scratch);
    return has_room;
}
