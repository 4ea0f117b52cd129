/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From what was collected to the summary: quantiles, shares, lists, the course. */
#include <math.h>
#include <string.h>

#include <gsl/gsl_heapsort.h>

#include "spread.h"
#include "summary_state.h"
#include "ws/statistics.h"

#define DERIVE_TENTH 10
#define DERIVE_HOURS_OF_A_DAY 24.0

static double derive_ratio(double part, double whole)
{
    return whole > 0 ? part / whole : (double)NAN;
}

/* ---- spreads ---- */

/* @param sum  exact, in nanoseconds */
static ws_trace_spread derive_spread(double *values, size_t n, ws_i128 sum_ns)
{
    return ws_trace_spread_of(values, n, n > 0 ? (double)sum_ns / 1e9 / (double)n : 0);
}

/* The value of a rank from 0, of sizes with their numbers of jobs, smallest first. */
static double derive_size_at(const ws_trace_groups *sizes, int64_t rank)
{
    size_t i = 0;

    while (rank >= sizes->items[i].jobs) {
        rank -= sizes->items[i++].jobs;
        WS_ASSERT(i < sizes->count);
    }
    return (double)sizes->items[i].gpus;
}

static double derive_size_quantile(const ws_trace_groups *sizes, int64_t jobs, double p)
{
    double position = p * (double)(jobs - 1);
    int64_t rank = (int64_t)floor(position);
    double low = derive_size_at(sizes, rank);
    double high = rank + 1 < jobs ? derive_size_at(sizes, rank + 1) : low;

    return low + (position - (double)rank) * (high - low);
}

static void derive_sizes_spread(ws_trace_summary *summary)
{
    const ws_trace_groups *sizes = &summary->sizes;
    int64_t jobs = summary->jobs;
    ws_i128 gpus = 0;
    int64_t powers = 0;

    summary->gpus = ws_trace_spread_of(NULL, 0, 0);
    summary->power_of_two_fraction = (double)NAN;
    if (jobs == 0) {
        return;
    }
    for (size_t i = 0; i < sizes->count; i++) {
        int64_t size = sizes->items[i].gpus;
        gpus += (ws_i128)size * sizes->items[i].jobs;
        powers += (size & (size - 1)) == 0 ? sizes->items[i].jobs : 0;
    }
    summary->power_of_two_fraction = (double)powers / (double)jobs;
    summary->gpus = (ws_trace_spread){
        .n = jobs,
        .mean = (double)gpus / (double)jobs,
        .p10 = derive_size_quantile(sizes, jobs, 0.10),
        .p25 = derive_size_quantile(sizes, jobs, 0.25),
        .p50 = derive_size_quantile(sizes, jobs, 0.50),
        .p75 = derive_size_quantile(sizes, jobs, 0.75),
        .p90 = derive_size_quantile(sizes, jobs, 0.90),
        .p95 = derive_size_quantile(sizes, jobs, 0.95),
        .p99 = derive_size_quantile(sizes, jobs, 0.99),
        .max = (double)sizes->items[sizes->count - 1].gpus,
    };
}

/* ---- groups ---- */

static void derive_shares(const ws_trace_summary *summary, ws_trace_group *group)
{
    group->jobs_fraction = derive_ratio((double)group->jobs, (double)summary->jobs);
    group->work_fraction = derive_ratio((double)group->work.gpu_ns, (double)summary->work.gpu_ns);
}

/* The first entries of a tally as groups; their names are copied. */
static bool derive_groups(const ws_trace_summary *summary, const ws_trace_tally *tally, size_t most,
                          ws_trace_groups *groups, ws_arena *arena)
{
    size_t count = tally->keys.count < most ? tally->keys.count : most;

    *groups = (ws_trace_groups){.items = ws_arena_alloc(arena, ws_trace_group, count + 1),
                                .distinct = (int64_t)tally->keys.count};
    if (groups->items == NULL) {
        return false;
    }
    for (; groups->count < count; groups->count++) {
        const ws_trace_tally_entry *entry = &tally->entries[groups->count];
        ws_trace_group *group = &groups->items[groups->count];
        *group = (ws_trace_group){.name = ws_arena_copy_text(arena, entry->key),
                                  .jobs = entry->jobs,
                                  .work = entry->work};
        if (group->name.start == NULL) {
            return false;
        }
        derive_shares(summary, group);
    }
    return true;
}

static bool derive_named(const ws_trace_summary *summary, ws_trace_tally *tally,
                         ws_trace_groups *groups, ws_arena *arena)
{
    ws_trace_tally_sort(tally);
    return derive_groups(summary, tally, WS_TRACE_GROUPS_MAX, groups, arena);
}

static int derive_compare_sizes(const void *left, const void *right)
{
    const ws_trace_group *a = left;
    const ws_trace_group *b = right;

    return (a->gpus > b->gpus) - (a->gpus < b->gpus);
}

static bool derive_sizes(ws_trace_summary *summary, const ws_trace_tally *tally, ws_arena *arena)
{
    ws_trace_groups *sizes = &summary->sizes;

    if (!derive_groups(summary, tally, tally->keys.count, sizes, arena)) {
        return false;
    }
    for (size_t i = 0; i < sizes->count; i++) {
        int32_t gpus = 0;
        memcpy(&gpus, sizes->items[i].name.start, sizeof gpus);
        sizes->items[i].gpus = gpus;
        sizes->items[i].name = (ws_text){.length = 0};
    }
    if (sizes->count > 1) {
        gsl_heapsort(sizes->items, sizes->count, sizeof *sizes->items, derive_compare_sizes);
    }
    return true;
}

/* ---- the rest ---- */

static void derive_arrivals(ws_trace_summary *summary)
{
    double span_h =
        (double)(summary->last_arrival_ns - summary->first_arrival_ns) / (double)WS_NS_PER_H;
    int64_t most = 0;

    for (size_t i = 0; i < WS_COUNT_OF(summary->by_hour); i++) {
        most = summary->by_hour[i] > most ? summary->by_hour[i] : most;
    }
    summary->arrivals_per_h = derive_ratio((double)summary->jobs, span_h);
    summary->hour_peak_to_mean =
        derive_ratio((double)most * DERIVE_HOURS_OF_A_DAY, (double)summary->jobs);
    if (summary->clock == WS_TRACE_CLOCK_OWN) {
        memset(summary->by_weekday, 0, sizeof summary->by_weekday);
    }
}

/* Share of all GPU-hours in the tenth of the jobs with most. Sorts the values. */
static double derive_top_tenth(double *gpu_h, size_t n)
{
    size_t tenth = (n + DERIVE_TENTH - 1) / DERIVE_TENTH;
    double all = 0;
    double top = 0;

    ws_sort_doubles(gpu_h, n);
    for (size_t i = 0; i < n; i++) {
        all += gpu_h[i];
        top += i >= n - tenth ? gpu_h[i] : 0;
    }
    return derive_ratio(top, all);
}

/* Of values in ascending order, if there are any. */
static void derive_quantiles(double quantiles[WS_TRACE_QUANTILES], const double *sorted, size_t n)
{
    for (size_t i = 0; i < WS_TRACE_QUANTILES && n > 0; i++) {
        quantiles[i] = ws_quantile_sorted(sorted, n, (double)i / (WS_TRACE_QUANTILES - 1));
    }
}

static bool derive_spreads(ws_trace_summary_state *state, ws_trace_summary *summary)
{
    size_t run = state->durations.count;
    size_t waited = state->waits.count;
    double *durations = ws_trace_pile_gather(&state->durations, &state->scratch);
    double *works = ws_trace_pile_gather(&state->works, &state->scratch);
    double *waits = ws_trace_pile_gather(&state->waits, &state->scratch);

    if (durations == NULL || works == NULL || waits == NULL) {
        return false;
    }
    summary->duration_s = derive_spread(durations, run, state->duration_ns);
    summary->wait_s = derive_spread(waits, waited, state->wait_ns);
    derive_quantiles(summary->duration_quantiles_s, durations, run);
    derive_quantiles(summary->wait_quantiles_s, waits, waited);
    summary->top_tenth_fraction = derive_top_tenth(works, run);
    return true;
}

static bool derive_course(ws_trace_summary_state *state, ws_trace_summary *summary)
{
    ws_trace_runs runs = {.count = state->starts.count,
                          .from_ns = summary->first_arrival_ns,
                          .end_ns = state->end_ns};

    runs.starts = ws_trace_pile_gather(&state->starts, &state->scratch);
    runs.ends = ws_trace_pile_gather(&state->ends, &state->scratch);
    if (runs.starts == NULL || runs.ends == NULL) {
        return false;
    }
    return ws_trace_course_of(summary, &runs, state->arena);
}

bool ws_trace_summary_derive(ws_trace_summary_state *state, ws_trace_clock clock, ws_text zone,
                             ws_trace_summary *summary)
{
    ws_trace_summary derived = state->found;
    ws_arena *arena = state->arena;

    WS_ASSERT(!state->is_exhausted);
    derived.clock = clock;
    derived.zone = ws_arena_copy_text(arena, zone);
    derived.end_ns =
        state->end_ns > derived.last_arrival_ns ? state->end_ns : derived.last_arrival_ns;
    derived.users = (int64_t)state->users.keys.count;
    derive_arrivals(&derived);
    for (size_t i = 0; i < WS_TRACE_OUTCOME_COUNT; i++) {
        derive_shares(&derived, &derived.outcomes[i]);
    }
    if (derived.zone.start == NULL || !derive_sizes(&derived, &state->sizes, arena) ||
        !derive_named(&derived, &state->queues, &derived.queues, arena) ||
        !derive_named(&derived, &state->gpu_types, &derived.gpu_types, arena) ||
        !derive_named(&derived, &state->kinds, &derived.kinds, arena)) {
        return false;
    }
    derive_sizes_spread(&derived);
    if (!derive_spreads(state, &derived) || !derive_course(state, &derived)) {
        return false;
    }
    *summary = derived;
    return true;
}
