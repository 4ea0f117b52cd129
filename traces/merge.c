/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Several traces as one: laid one behind the other, ids parted, times moved to one origin, sorted.
 */
#include <string.h>

#include "ids.h"
#include "reading.h"
#include "ws/trace_keys.h"

typedef struct {
    const ws_trace *traces;
    const ws_file_name *files;
    size_t count;
    size_t first; /* of those that have jobs, whose clock counts; `count` when there is none */
    size_t job_count;
    int64_t origin_ns;
    ws_arena *arena;
    ws_diag *diag;
} merge_state;

static const char *merge_clock_words(ws_trace_clock clock)
{
    switch (clock) {
    case WS_TRACE_CLOCK_WALL:
        return "a wall clock";
    case WS_TRACE_CLOCK_UTC:
        return "UTC";
    case WS_TRACE_CLOCK_OWN:
        break;
    }
    return "a clock of its own";
}

/* One clock for all: those that differ cannot be put in order. */
static bool merge_check_clock(const merge_state *state, size_t i)
{
    const ws_trace *first = &state->traces[state->first];
    const ws_trace *other = &state->traces[i];
    const ws_file_name *file = &state->files[i];
    ws_diagnostic diagnostic = {.severity = WS_SEVERITY_ERROR, .code = 6148, .at = file->at};

    if (other->clock == first->clock && ws_text_equals(other->zone, first->zone)) {
        return true;
    }
    bool is_zone = other->clock == first->clock;
    diagnostic.message = ws_arena_format(
        state->diag->arena, "`%.*s` is on %s%s%.*s, `%.*s` on %s%s%.*s", WS_TEXT_ARGS(file->shown),
        merge_clock_words(other->clock), is_zone ? " of zone " : "",
        is_zone ? (int)other->zone.length : 0, other->zone.start,
        WS_TEXT_ARGS(state->files[state->first].shown), merge_clock_words(first->clock),
        is_zone ? " of zone " : "", is_zone ? (int)first->zone.length : 0, first->zone.start);
    diagnostic.help =
        WS_TEXT("bring them to one clock: in a worldsize table `origin_s` and `zone` say which");
    ws_diag_add(state->diag, &diagnostic);
    return false;
}

static bool merge_tell_exhausted(const merge_state *state)
{
    return ws_diag_error(state->diag, 9020, ws_span_none,
                         "the traces together hold more jobs than memory allows");
}

/* The clocks, the number of jobs and the earliest origin. */
static bool merge_survey(merge_state *state)
{
    state->first = state->count;
    for (size_t i = 0; i < state->count; i++) {
        const ws_trace *trace = &state->traces[i];

        if (trace->count == 0) {
            continue; /* its clock says nothing */
        }
        if (state->first == state->count) {
            state->first = i;
            state->origin_ns = trace->origin_ns;
        }
        if (!merge_check_clock(state, i)) {
            return false;
        }
        if (trace->origin_ns < state->origin_ns) {
            state->origin_ns = trace->origin_ns;
        }
        state->job_count += trace->count;
    }
    return state->job_count <= (size_t)WS_TRACE_JOBS_MAX || merge_tell_exhausted(state);
}

/* A job counted from the common origin. False when memory is exhausted. */
static bool merge_move(ws_trace_job *job, int64_t by_ns, ws_arena *arena)
{
    size_t count = (size_t)job->attempt_count;
    ws_trace_attempt *attempts = NULL;

    if (by_ns == 0) {
        return true;
    }
    if (count > 0) {
        attempts = ws_arena_alloc(arena, ws_trace_attempt, count);
        if (attempts == NULL) {
            return false;
        }
        memcpy(attempts, job->attempts, count * sizeof *attempts);
    }
    ws_trace_job_shift(job, attempts, by_ns);
    return true;
}

/* The jobs of one trace, on the clock of all. False when memory is exhausted. */
static bool merge_lay_one(const merge_state *state, const ws_trace *trace, ws_trace_job *jobs)
{
    int64_t by_ns = trace->origin_ns - state->origin_ns;

    for (size_t i = 0; i < trace->count; i++) {
        jobs[i] = trace->jobs[i];
        if (!merge_move(&jobs[i], by_ns, state->arena)) {
            return false;
        }
    }
    return true;
}

/* All jobs, trace behind trace. */
static bool merge_lay(const merge_state *state, ws_trace_job *jobs)
{
    size_t to = 0;

    for (size_t i = 0; i < state->count; i++) {
        if (!merge_lay_one(state, &state->traces[i], jobs + to)) {
            return false;
        }
        to += state->traces[i].count;
    }
    return true;
}

/* `jobs` by arrival into `sorted`. False when memory is exhausted. */
static bool merge_sort(const merge_state *state, const ws_trace_job *jobs, ws_trace_job *sorted,
                       ws_arena *scratch)
{
    size_t count = state->job_count;
    ws_trace_key *keys = ws_arena_alloc(scratch, ws_trace_key, count + 1);
    ws_trace_key *spare = ws_arena_alloc(scratch, ws_trace_key, count + 1);

    if (keys == NULL || spare == NULL) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        keys[i] = (ws_trace_key){.key = jobs[i].arrival_ns, .item = &jobs[i]};
    }
    ws_trace_keys_sort(keys, spare, count);
    for (size_t i = 0; i < count; i++) {
        sorted[i] = *(const ws_trace_job *)keys[i].item;
    }
    return true;
}

static bool merge_build(const merge_state *state, ws_trace_job *sorted, int64_t *renamed,
                        ws_arena *scratch)
{
    ws_trace_job *jobs = ws_arena_alloc(scratch, ws_trace_job, state->job_count + 1);

    if (sorted == NULL || jobs == NULL || !merge_lay(state, jobs)) {
        return false;
    }
    *renamed = ws_trace_ids_part(jobs, state->job_count, state->arena);
    return *renamed >= 0 && merge_sort(state, jobs, sorted, scratch);
}

bool ws_trace_merge(ws_trace *merged, const ws_trace_parts *parts, int64_t *renamed,
                    ws_arena *arena, ws_diag *diag)
{
    WS_ASSERT(merged != NULL && renamed != NULL);
    WS_ASSERT(parts->count >= 1);

    merge_state state = {.traces = parts->traces,
                         .files = parts->files,
                         .count = parts->count,
                         .arena = arena,
                         .diag = diag};
    ws_arena scratch;

    if (!merge_survey(&state)) {
        return false;
    }
    const ws_trace *first = &parts->traces[state.first < parts->count ? state.first : 0];
    ws_trace result = {.clock = first->clock,
                       .zone = first->zone,
                       .origin_ns = state.origin_ns,
                       .count = state.job_count};

    result.jobs = ws_arena_alloc(arena, ws_trace_job, state.job_count + 1);
    ws_arena_init(&scratch, &arena->allocator, arena->bound_bytes);
    bool is_built = merge_build(&state, result.jobs, renamed, &scratch);

    ws_arena_reset(&scratch);
    if (!is_built) {
        return merge_tell_exhausted(&state);
    }
    *merged = result;
    return true;
}
