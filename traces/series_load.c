/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Series in memory: samples are collected as they come, told apart by series, sorted by time where
 * they are not, and holes are found.
 */
#include <math.h>

#include "found.h"
#include "pile.h"
#include "series_reading.h"
#include "ws/statistics.h"
#include "ws/trace_keys.h"

typedef struct {
    ws_trace_sample sample;
    int64_t line;
    size_t series;
} load_item;

typedef struct {
    ws_trace_series_reading reading;
    ws_trace_series_set set;
    size_t capacity;
    ws_trace_pile pile;
    ws_arena *arena;
    int64_t *last_ns; /* of each series, of the sample that came last; capacity as of the set */
    size_t last_capacity;
    bool is_exhausted;
} load_state;

/* ---- collecting ---- */

/* A place for one more series. */
static bool load_add_series(load_state *state)
{
    ws_trace_series_set *set = &state->set;

    if (set->count == state->capacity) {
        void *items = ws_arena_grow(state->arena, set->items, set->count, set->count + 1,
                                    &state->capacity, sizeof *set->items);
        void *last = ws_arena_grow(state->arena, state->last_ns, set->count, set->count + 1,
                                   &state->last_capacity, sizeof *state->last_ns);
        set->items = items != NULL ? items : set->items;
        state->last_ns = last != NULL ? last : state->last_ns;
        if (items == NULL || last == NULL) {
            return false;
        }
    }
    state->last_ns[set->count] = WS_TRACE_UNKNOWN_NS;
    set->items[set->count++] = (ws_trace_series){.count = 0};
    return true;
}

/* The series of a name; those before it that had no sample yet get their place too, without a name.
 * NULL when memory is exhausted. */
static ws_trace_series *load_series(load_state *state, const ws_trace_series_id *id)
{
    while (state->set.count <= id->index) {
        if (!load_add_series(state)) {
            return NULL;
        }
    }
    ws_trace_series *series = &state->set.items[id->index];

    if (series->metric == NULL) {
        series->metric = id->metric;
        series->name = ws_arena_copy_text(state->arena, id->name);
        series->labels = ws_arena_copy_text(state->arena, id->labels);
    }
    return series->name.start != NULL && series->labels.start != NULL ? series : NULL;
}

/* The sink. */
static bool load_take(void *context, const ws_trace_series_id *id, const ws_trace_sample *sample,
                      int64_t line)
{
    load_state *state = context;
    load_item item = {.sample = *sample, .line = line, .series = id->index};

    ws_trace_series *series = load_series(state, id);

    if (series == NULL) {
        state->is_exhausted = true;
        return false;
    }
    if (isnan(sample->value)) {
        series->blanks++;
        return true;
    }
    if (sample->at_ns < state->last_ns[id->index]) {
        (void)ws_trace_count_add(&state->reading.report->found[WS_SERIES_UNSORTED], line);
    }
    state->last_ns[id->index] = sample->at_ns;
    series->count++;
    series->untimed += sample->at_ns == WS_TRACE_UNKNOWN_NS ? 1 : 0;
    state->is_exhausted = !ws_trace_pile_add(&state->pile, &item);
    return !state->is_exhausted;
}

/* ---- one series ---- */

/* What sorting needs, with room for the longest series. */
typedef struct {
    ws_trace_key *keys;
    ws_trace_key *spare;
    double *gaps;
} load_room;

/* The items of a series by time, the first of equal times alone. */
static void load_fill(load_state *state, ws_trace_series *series, const load_item *const *items,
                      const load_room *room)
{
    ws_trace_series_report *report = state->reading.report;
    size_t count = series->count;

    for (size_t i = 0; i < count; i++) {
        room->keys[i] = (ws_trace_key){.key = items[i]->sample.at_ns, .item = items[i]};
    }
    ws_trace_keys_sort(room->keys, room->spare, count);
    series->count = 0;
    for (size_t i = 0; i < count; i++) {
        const load_item *item = room->keys[i].item;
        if (i > series->untimed && room->keys[i].key == room->keys[i - 1].key) {
            ws_series_place place = {.line = item->line, .column = 1};
            (void)ws_series_reading_fault(&state->reading, WS_SERIES_REPEATED, &place);
            report->samples_kept--;
        } else {
            series->samples[series->count++] = item->sample;
        }
    }
}

static void load_find_holes(ws_trace_series *series, double hole_steps, double *gaps)
{
    size_t count = 0;

    series->hole_steps = hole_steps;
    for (size_t i = series->untimed + 1; i < series->count; i++) {
        gaps[count++] = (double)(series->samples[i].at_ns - series->samples[i - 1].at_ns);
    }
    if (count == 0) {
        return;
    }
    ws_sort_doubles(gaps, count);
    series->step_ns = (int64_t)ws_quantile_sorted(gaps, count, 0.5);
    for (size_t i = series->untimed + 1; i < series->count; i++) {
        int64_t gap_ns = series->samples[i].at_ns - series->samples[i - 1].at_ns;
        if ((double)gap_ns > hole_steps * (double)series->step_ns) {
            series->holes++;
            series->hole_ns += gap_ns - series->step_ns;
        }
    }
}

/* ---- all of them ---- */

static bool load_room_for(load_room *room, const ws_trace_series_set *set, ws_arena *scratch)
{
    size_t most = 1;

    for (size_t i = 0; i < set->count; i++) {
        most = set->items[i].count > most ? set->items[i].count : most;
    }
    room->keys = ws_arena_alloc(scratch, ws_trace_key, most);
    room->spare = ws_arena_alloc(scratch, ws_trace_key, most);
    room->gaps = ws_arena_alloc(scratch, double, most);
    return room->keys != NULL && room->spare != NULL && room->gaps != NULL;
}

/* The collected items, series by series, each in the order in which they came. NULL when memory is
 * exhausted. */
static const load_item **load_part(load_state *state, ws_arena *scratch)
{
    size_t count = state->pile.count;
    const load_item *items = ws_trace_pile_gather(&state->pile, scratch);
    const load_item **parted = ws_arena_alloc(scratch, const load_item *, count + 1);
    size_t *next = ws_arena_alloc(scratch, size_t, state->set.count + 1);

    if (items == NULL || parted == NULL || next == NULL) {
        return NULL;
    }
    for (size_t i = 1; i < state->set.count; i++) {
        next[i] = next[i - 1] + state->set.items[i - 1].count;
    }
    for (size_t i = 0; i < count; i++) {
        parted[next[items[i].series]++] = &items[i];
    }
    return parted;
}

/* Series of which no sample could be used. */
static void load_drop_nameless(ws_trace_series_set *set)
{
    size_t kept = 0;

    for (size_t i = 0; i < set->count; i++) {
        if (set->items[i].metric != NULL) {
            set->items[kept++] = set->items[i];
        }
    }
    set->count = kept;
}

static bool load_finish(load_state *state, ws_arena *scratch)
{
    const ws_trace_series_options *options = state->reading.options;
    double hole_steps = options->hole_steps > 0 ? options->hole_steps : WS_TRACE_HOLE_STEPS;
    bool holds = state->reading.type->holds;
    const load_item **items = load_part(state, scratch);
    load_room room;

    if (items == NULL || !load_room_for(&room, &state->set, scratch)) {
        return false;
    }
    for (size_t i = 0; i < state->set.count; i++) {
        ws_trace_series *series = &state->set.items[i];
        size_t count = series->count;
        series->samples = ws_arena_alloc(state->arena, ws_trace_sample, count + 1);
        if (series->samples == NULL) {
            return false;
        }
        load_fill(state, series, items, &room);
        load_find_holes(series, holds ? (double)INFINITY : hole_steps, room.gaps);
        items += count;
    }
    load_drop_nameless(&state->set);
    return true;
}

static bool load_all(load_state *state)
{
    ws_arena scratch;

    ws_arena_init(&scratch, &state->arena->allocator, state->arena->bound_bytes);
    ws_trace_pile_init(&state->pile, sizeof(load_item), state->arena);
    bool is_read = ws_series_read_untold(&state->reading);

    if (is_read && !load_finish(state, &scratch)) {
        state->is_exhausted = true;
    }
    ws_trace_pile_fini(&state->pile);
    ws_arena_reset(&scratch);
    if (state->is_exhausted) {
        is_read = ws_diag_error(state->reading.diag, 9020, state->reading.file->at,
                                "`%.*s` holds more samples than memory allows",
                                WS_TEXT_ARGS(state->reading.file->shown));
    }
    return ws_series_read_tell(&state->reading, is_read);
}

bool ws_trace_series_load(ws_trace_series_set *set, const ws_file_name *file,
                          const ws_trace_series_options *options, ws_trace_series_report *report,
                          ws_arena *arena, ws_diag *diag)
{
    ws_trace_series_report found = {.samples_read = 0};
    load_state state = {
        .reading = {.file = file, .options = options, .report = &found, .diag = diag},
        .arena = arena};

    WS_ASSERT(set != NULL);
    WS_ASSERT(file != NULL);
    WS_ASSERT(options != NULL);
    WS_ASSERT(options->hole_steps <= 0 || options->hole_steps > 1);
    WS_ASSERT(report != NULL);
    WS_ASSERT(arena != NULL);
    WS_ASSERT(diag != NULL);

    state.reading.sink = (ws_trace_series_sink){.context = &state, .take = load_take};
    bool is_loaded = load_all(&state);

    report->samples_read += found.samples_read;
    report->samples_kept += found.samples_kept;
    ws_trace_counts_add(report->found, found.found, WS_SERIES_FINDING_COUNT);
    if (is_loaded) {
        *set = state.set;
    }
    return is_loaded;
}

/* ---- asking ---- */

bool ws_trace_series_at(const ws_trace_series *series, int64_t at_ns, double *value)
{
    size_t low = 0;
    size_t high = 0;

    WS_ASSERT(series != NULL);
    WS_ASSERT(value != NULL);

    low = series->untimed;
    high = series->count;
    while (low < high) { /* the first sample behind the moment */
        size_t middle = low + (high - low) / 2;
        if (series->samples[middle].at_ns <= at_ns) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if (low == series->untimed) {
        return false;
    }
    int64_t before_ns = series->samples[low - 1].at_ns;
    bool is_last = low == series->count;
    bool is_hole = !is_last && (double)(series->samples[low].at_ns - before_ns) >
                                   series->hole_steps * (double)series->step_ns;

    if ((is_last || is_hole) && at_ns - before_ns >= series->step_ns && at_ns > before_ns) {
        return false;
    }
    *value = series->samples[low - 1].value;
    return true;
}
