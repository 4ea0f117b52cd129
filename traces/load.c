/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A trace in memory. While the file is read its jobs collect in chunks of a scratch arena; when
 * their number is known they move, in order of arrival, into one array of the caller's arena.
 */
#include <string.h>

#include "reading.h"
#include "ws/trace_keys.h"

#define LOAD_CHUNK_JOBS 1024
#define LOAD_NAMES 4096 /* slots for texts that repeat: users, queues */

typedef struct load_chunk load_chunk;

typedef struct {
    ws_trace_job job;
    ws_trace_attempt *attempts; /* those of the job */
    int64_t line;
} load_entry;

struct load_chunk {
    load_chunk *next;
    size_t count;
    load_entry entries[LOAD_CHUNK_JOBS];
};

typedef struct {
    ws_arena *arena;  /* of the trace */
    ws_arena scratch; /* ends with the loading */
    load_chunk *first;
    load_chunk *last;
    size_t count;
    ws_text *names; /* by hash; on a collision the newer one stays, which costs memory and nothing
                       else */
    ws_trace_key *keys; /* by arrival; their items are the entries */
    ws_trace_key *spare;
    bool is_exhausted;
} load_state;

/* A text that lives as long as the trace; equal ones mostly share their bytes. */
static ws_text load_name(load_state *state, ws_text text)
{
    ws_text *slot = &state->names[ws_text_hash(text) % LOAD_NAMES];

    if (text.length == 0) {
        return (ws_text){.start = NULL};
    }
    if (!ws_text_equals(*slot, text)) {
        *slot = ws_arena_copy_text(state->arena, text);
        state->is_exhausted = state->is_exhausted || slot->start == NULL;
    }
    return *slot;
}

static ws_trace_attempt *load_attempts(load_state *state, const ws_trace_job *job)
{
    ws_trace_attempt *copy = NULL;
    size_t count = (size_t)job->attempt_count;

    if (count == 0) {
        return NULL;
    }
    copy = ws_arena_alloc(state->arena, ws_trace_attempt, count);
    if (copy == NULL) {
        state->is_exhausted = true;
        return NULL;
    }
    memcpy(copy, job->attempts, count * sizeof *copy);
    return copy;
}

/* A free entry; NULL when the scratch is exhausted. */
static load_entry *load_new_entry(load_state *state)
{
    if (state->last == NULL || state->last->count == LOAD_CHUNK_JOBS) {
        load_chunk *chunk = ws_arena_alloc(&state->scratch, load_chunk, 1);

        if (chunk == NULL) {
            return NULL;
        }
        if (state->last == NULL) {
            state->first = chunk;
        } else {
            state->last->next = chunk;
        }
        state->last = chunk;
    }
    return &state->last->entries[state->last->count];
}

/* The sink. */
static bool load_take(void *context, const ws_trace_job *job, int64_t line)
{
    load_state *state = context;
    load_entry *entry = load_new_entry(state);

    if (entry == NULL) {
        state->is_exhausted = true;
        return false;
    }
    *entry = (load_entry){.job = *job, .line = line};
    entry->job.id = ws_arena_copy_text(state->arena, job->id);
    entry->job.user = load_name(state, job->user);
    entry->job.queue = load_name(state, job->queue);
    entry->job.gpu_type = load_name(state, job->gpu_type);
    entry->job.kind = load_name(state, job->kind);
    entry->attempts = load_attempts(state, job);
    if (entry->job.id.start == NULL || state->is_exhausted) {
        state->is_exhausted = true;
        return false;
    }
    state->last->count++;
    state->count++;
    return true;
}

/* Two arrays of keys; false when the scratch is exhausted. */
static bool load_make_keys(load_state *state)
{
    size_t room = state->count > 0 ? state->count : 1;

    state->keys = ws_arena_alloc(&state->scratch, ws_trace_key, room);
    state->spare = ws_arena_alloc(&state->scratch, ws_trace_key, room);
    return state->keys != NULL && state->spare != NULL;
}

static void load_mix(uint64_t *hash, uint64_t value)
{
    *hash = (*hash ^ value) * UINT64_C(0x9E3779B97F4A7C15);
    *hash ^= *hash >> 29;
}

/* A number that equal jobs share, their ids left out. Shares of GPUs and attempts are compared, not
 * mixed. */
static int64_t load_key_of_row(const load_entry *entry)
{
    const ws_trace_job *job = &entry->job;
    uint64_t hash = ws_text_hash(job->user);

    load_mix(&hash, ws_text_hash(job->queue));
    load_mix(&hash, (uint64_t)job->arrival_ns);
    load_mix(&hash, (uint64_t)job->duration_ns);
    load_mix(&hash, (uint64_t)job->queue_ns);
    load_mix(&hash, (uint64_t)job->gpus);
    load_mix(&hash, (uint64_t)job->outcome);
    return (int64_t)hash;
}

static int64_t load_key_of_id(const load_entry *entry)
{
    return (int64_t)ws_text_hash(entry->job.id);
}

static int64_t load_key_of_arrival(const load_entry *entry)
{
    return entry->job.arrival_ns;
}

/* Sorts the keys of all entries, beginning from the order of the file. */
static void load_sort(load_state *state, int64_t (*key_of)(const load_entry *))
{
    size_t to = 0;

    for (const load_chunk *chunk = state->first; chunk != NULL; chunk = chunk->next) {
        for (size_t i = 0; i < chunk->count; i++) {
            const load_entry *entry = &chunk->entries[i];

            state->keys[to++] = (ws_trace_key){.key = key_of(entry), .item = entry};
        }
    }
    WS_ASSERT(to == state->count);
    ws_trace_keys_sort(state->keys, state->spare, state->count);
}

static bool load_rows_equal(const load_entry *a, const load_entry *b)
{
    return ws_trace_job_equals(&a->job, &b->job, false);
}

static bool load_ids_equal(const load_entry *a, const load_entry *b)
{
    return ws_text_equals(a->job.id, b->job.id);
}

/* Where a finding of a row stands that is not at hand any more: a line without its text. */
static ws_span load_line_span(const ws_file_name *file, int64_t line, ws_arena *arena)
{
    ws_source *source = ws_arena_alloc(arena, ws_source, 1);

    if (source == NULL || line < 1 || line > INT32_MAX) {
        return ws_span_none;
    }
    source->name = file->shown;
    return (ws_span){.source = source, .line = (int32_t)line, .column = 1, .length = 1};
}

/* Counts the sorted entries that equal the one before them. */
static void load_count_equal(load_state *state, const ws_trace_reading *reading,
                             ws_trace_finding finding,
                             bool (*equal)(const load_entry *, const load_entry *))
{
    ws_trace_count *found = &reading->report->found[finding];
    int64_t first = INT64_MAX;

    for (size_t i = 1; i < state->count; i++) {
        const load_entry *entry = state->keys[i].item;

        if (state->keys[i].key != state->keys[i - 1].key ||
            !equal(entry, state->keys[i - 1].item)) {
            continue;
        }
        (void)ws_trace_report_count(reading->report, finding, 0); /* not in the file's order */
        first = entry->line < first ? entry->line : first;
    }
    if (found->count > 0) {
        found->lines[0] = found->count == 1 ? first : 0;
        found->first = load_line_span(reading->file, first, reading->diag->arena);
    }
}

/* The jobs into one array, their times counted from the origin. False when the arena is exhausted.
 */
static bool load_build(ws_trace *trace, load_state *state, const ws_trace_about *about)
{
    ws_trace built = {.clock = about->clock, .zone = about->zone, .count = state->count};

    load_sort(state, load_key_of_arrival);
    built.jobs = ws_arena_alloc(state->arena, ws_trace_job, state->count > 0 ? state->count : 1);
    built.zone = ws_arena_copy_text(state->arena, about->zone);
    if (built.jobs == NULL || built.zone.start == NULL) {
        return false;
    }
    built.origin_ns = about->origin_ns;
    if (!about->has_origin && state->count > 0) {
        built.origin_ns = state->keys[0].key;
    }
    for (size_t i = 0; i < state->count; i++) {
        const load_entry *entry = state->keys[i].item;

        built.jobs[i] = entry->job;
        ws_trace_job_shift(&built.jobs[i], entry->attempts, -built.origin_ns);
        WS_ASSERT(built.jobs[i].arrival_ns >= 0);
    }
    *trace = built;
    return true;
}

static void load_find_duplicates(load_state *state, const ws_trace_reading *reading)
{
    if (reading->about.names_jobs) {
        load_sort(state, load_key_of_id);
        load_count_equal(state, reading, WS_TRACE_DUPLICATE_ID, load_ids_equal);
    } else {
        load_sort(state, load_key_of_row);
        load_count_equal(state, reading, WS_TRACE_DUPLICATE_ROW, load_rows_equal);
    }
}

static bool load_tell_exhausted(const ws_file_name *file, ws_diag *diag)
{
    return ws_diag_error(diag, 9020, file->at, "`%.*s` holds more jobs than memory allows",
                         WS_TEXT_ARGS(file->shown));
}

/* Reads, finds duplicates, tells, and builds the trace last, so that a fault leaves it untouched.
 */
static bool load_run(ws_trace *trace, load_state *state, ws_trace_reading *reading)
{
    bool is_read = ws_trace_read_untold(reading);

    if (state->is_exhausted || (is_read && !load_make_keys(state))) {
        return load_tell_exhausted(reading->file, reading->diag);
    }
    if (is_read) {
        load_find_duplicates(state, reading);
    }
    if (!ws_trace_read_tell(reading->file, reading->report, reading->options, is_read,
                            reading->diag)) {
        return false;
    }
    return load_build(trace, state, &reading->about) ||
           load_tell_exhausted(reading->file, reading->diag);
}

bool ws_trace_load(ws_trace *trace, const ws_file_name *file, const ws_trace_options *options,
                   ws_trace_report *report, ws_arena *arena, ws_diag *diag)
{
    load_state state = {.arena = arena};
    ws_trace_report found = {.rows_read = 0};
    ws_trace_reading reading = {
        .file = file,
        .options = options,
        .sink = {.context = &state, .take = load_take},
        .report = &found,
        .diag = diag,
    };
    bool is_loaded = false;

    WS_ASSERT(trace != NULL && file != NULL && options != NULL);
    WS_ASSERT(report != NULL && arena != NULL && diag != NULL);

    ws_arena_init(&state.scratch, &arena->allocator, arena->bound_bytes);
    state.names = ws_arena_alloc(&state.scratch, ws_text, LOAD_NAMES);
    is_loaded =
        state.names != NULL ? load_run(trace, &state, &reading) : load_tell_exhausted(file, diag);
    ws_arena_reset(&state.scratch);
    ws_trace_report_add(report, &found);
    return is_loaded;
}
