/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * All ids are counted first, so that no new one takes an id that a later job bears; then each id
 * remembers whether it was given out, and the number to try next.
 */
#include "ids.h"

#include <inttypes.h>

#include "names.h"

typedef struct {
    ws_arena *arena;
    ws_arena scratch;
    ws_trace_names ids;
    int64_t *next; /* of each id: 0: it was not given out; else the number to try */
} ids_state;

static bool ids_count(ids_state *state, const ws_trace_job *jobs, size_t count)
{
    size_t index = 0;

    ws_trace_names_init(&state->ids, &state->scratch);
    for (size_t i = 0; i < count; i++) {
        if (!ws_trace_names_index(&state->ids, jobs[i].id, &index)) {
            return false;
        }
    }
    state->next = ws_arena_alloc(&state->scratch, int64_t, state->ids.count + 1);
    return state->next != NULL;
}

/* An id of its own, made from one that is taken. New ones end in a number that grows with each, so
 * they need not be counted themselves. NULL start when memory is exhausted. */
static ws_text ids_make(ids_state *state, ws_text id, int64_t *next)
{
    ws_text made = {.start = NULL};

    do {
        made = ws_arena_format(state->arena, "%.*s#%" PRId64, WS_TEXT_ARGS(id), (*next)++);
    } while (made.start != NULL && ws_trace_names_find(&state->ids, made) != 0);
    return made;
}

static int64_t ids_give(ids_state *state, ws_trace_job *jobs, size_t count)
{
    int64_t renamed = 0;

    for (size_t i = 0; i < count; i++) {
        size_t number = ws_trace_names_find(&state->ids, jobs[i].id);
        int64_t *next = &state->next[number];

        WS_ASSERT(number > 0);
        if (*next == 0) {
            *next = 2;
            continue;
        }
        jobs[i].id = ids_make(state, jobs[i].id, next);
        if (jobs[i].id.start == NULL) {
            return -1;
        }
        renamed++;
    }
    return renamed;
}

int64_t ws_trace_ids_part(ws_trace_job *jobs, size_t count, ws_arena *arena)
{
    ids_state state = {.arena = arena};
    int64_t renamed = -1;

    WS_ASSERT(jobs != NULL || count == 0);
    WS_ASSERT(arena != NULL);
    ws_arena_init(&state.scratch, &arena->allocator, arena->bound_bytes);
    if (ids_count(&state, jobs, count)) {
        renamed = ids_give(&state, jobs, count);
    }
    ws_arena_reset(&state.scratch);
    return renamed;
}
