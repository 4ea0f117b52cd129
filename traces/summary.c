/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Collecting: what can be counted is counted at once; run times, waits, GPU-time and the starts and
 * ends of runs are kept until the end, for quantiles and peaks.
 */
#include <string.h>

#include "summary_state.h"

/* ---- one job ---- */

static int64_t summary_floor_mod(int64_t value, int64_t divisor)
{
    int64_t rest = value % divisor;

    return rest < 0 ? rest + divisor : rest;
}

/* 1970-01-01 was a Thursday, the fourth day from Monday on. */
static void summary_take_arrival(ws_trace_summary *found, int64_t arrival_ns)
{
    int64_t in_day_ns = summary_floor_mod(arrival_ns, WS_NS_PER_D);
    int64_t in_week_ns = summary_floor_mod(arrival_ns + 3 * WS_NS_PER_D, 7 * WS_NS_PER_D);

    if (found->jobs == 0 || arrival_ns < found->first_arrival_ns) {
        found->first_arrival_ns = arrival_ns;
    }
    if (found->jobs == 0 || arrival_ns > found->last_arrival_ns) {
        found->last_arrival_ns = arrival_ns;
    }
    found->by_hour[in_day_ns / WS_NS_PER_H]++;
    found->by_weekday[in_week_ns / WS_NS_PER_D]++;
}

/* A run; one that ends where it starts is nothing. */
static bool summary_take_run(ws_trace_summary_state *state, int64_t start_ns, int64_t end_ns,
                             int32_t gpus)
{
    ws_trace_edge start = {.at_ns = start_ns, .gpus = gpus};
    ws_trace_edge end = {.at_ns = end_ns, .gpus = gpus};

    if (end_ns <= start_ns) {
        return true;
    }
    state->end_ns = end_ns > state->end_ns ? end_ns : state->end_ns;
    return ws_trace_pile_add(&state->starts, &start) && ws_trace_pile_add(&state->ends, &end);
}

static bool summary_take_runs(ws_trace_summary_state *state, const ws_trace_job *job)
{
    bool sound = true;

    if (job->attempt_count == 0) {
        return summary_take_run(state, job->arrival_ns, job->arrival_ns + job->duration_ns,
                                job->gpus);
    }
    for (int32_t i = 0; i < job->attempt_count && sound; i++) {
        const ws_trace_attempt *attempt = &job->attempts[i];
        sound = attempt->end_ns == WS_TRACE_UNKNOWN_NS ||
                summary_take_run(state, attempt->start_ns, attempt->end_ns, attempt->gpus);
    }
    return sound;
}

/* A run time and what follows from it; false when memory is exhausted. */
static bool summary_take_work(ws_trace_summary_state *state, const ws_trace_job *job,
                              ws_gpu_time work)
{
    double duration_s = (double)job->duration_ns / 1e9;
    double gpu_h = ws_gpu_time_h(work);

    if (job->duration_ns == WS_TRACE_UNKNOWN_NS) {
        return true;
    }
    state->duration_ns += job->duration_ns;
    return ws_trace_pile_add(&state->durations, &duration_s) &&
           ws_trace_pile_add(&state->works, &gpu_h) && summary_take_runs(state, job);
}

static bool summary_take_wait(ws_trace_summary_state *state, const ws_trace_job *job)
{
    double wait_s = (double)job->queue_ns / 1e9;

    if (job->queue_ns == WS_TRACE_UNKNOWN_NS) {
        return true;
    }
    state->found.starts_known++;
    state->wait_ns += job->queue_ns;
    return ws_trace_pile_add(&state->waits, &wait_s);
}

/* A name that the source does not tell is no group. */
static bool summary_take_name(ws_trace_tally *tally, ws_text name, ws_gpu_time work)
{
    return name.length == 0 || ws_trace_tally_add(tally, name, work);
}

static bool summary_take_groups(ws_trace_summary_state *state, const ws_trace_job *job,
                                ws_gpu_time work)
{
    ws_trace_group *outcome = &state->found.outcomes[job->outcome];
    ws_text gpus = {.start = (const char *)&job->gpus, .length = sizeof job->gpus};

    outcome->jobs++;
    outcome->work = ws_gpu_time_add(outcome->work, work);
    return ws_trace_tally_add(&state->sizes, gpus, work) &&
           summary_take_name(&state->users, job->user, work) &&
           summary_take_name(&state->queues, job->queue, work) &&
           summary_take_name(&state->gpu_types, job->gpu_type, work) &&
           summary_take_name(&state->kinds, job->kind, work);
}

static bool summary_take(ws_trace_summary_state *state, const ws_trace_job *job)
{
    ws_gpu_time work = ws_trace_job_work(job);

    summary_take_arrival(&state->found, job->arrival_ns);
    state->found.jobs++;
    state->found.work = ws_gpu_time_add(state->found.work, work);
    state->is_exhausted = !summary_take_groups(state, job, work) ||
                          !summary_take_work(state, job, work) || !summary_take_wait(state, job);
    return !state->is_exhausted;
}

/* The sink. */
static bool summary_take_read(void *context, const ws_trace_job *job, int64_t line)
{
    (void)line;
    return summary_take(context, job);
}

/* ---- all of them ---- */

static void summary_begin(ws_trace_summary_state *state, ws_arena *arena)
{
    *state = (ws_trace_summary_state){.arena = arena, .end_ns = INT64_MIN};
    ws_arena_init(&state->scratch, &arena->allocator, arena->bound_bytes);
    ws_trace_pile_init(&state->durations, sizeof(double), arena);
    ws_trace_pile_init(&state->works, sizeof(double), arena);
    ws_trace_pile_init(&state->waits, sizeof(double), arena);
    ws_trace_pile_init(&state->starts, sizeof(ws_trace_edge), arena);
    ws_trace_pile_init(&state->ends, sizeof(ws_trace_edge), arena);
    ws_trace_tally_init(&state->sizes, &state->scratch);
    ws_trace_tally_init(&state->users, &state->scratch);
    ws_trace_tally_init(&state->queues, &state->scratch);
    ws_trace_tally_init(&state->gpu_types, &state->scratch);
    ws_trace_tally_init(&state->kinds, &state->scratch);
}

static void summary_end(ws_trace_summary_state *state)
{
    ws_trace_pile_fini(&state->durations);
    ws_trace_pile_fini(&state->works);
    ws_trace_pile_fini(&state->waits);
    ws_trace_pile_fini(&state->starts);
    ws_trace_pile_fini(&state->ends);
    ws_arena_reset(&state->scratch);
}

bool ws_trace_summarise(ws_trace_summary *summary, const ws_file_name *file,
                        const ws_trace_options *options, ws_trace_report *report, ws_arena *arena,
                        ws_diag *diag)
{
    ws_trace_summary_state state;
    ws_trace_about about = {.clock = WS_TRACE_CLOCK_OWN};

    WS_ASSERT(summary != NULL);
    WS_ASSERT(arena != NULL);
    summary_begin(&state, arena);
    bool is_read =
        ws_trace_read(file, options, (ws_trace_sink){.context = &state, .take = summary_take_read},
                      &about, report, diag);
    bool is_whole = is_read && ws_trace_summary_derive(&state, about.clock, about.zone, summary);
    if (state.is_exhausted || (is_read && !is_whole)) {
        (void)ws_diag_error(diag, 9020, file->at, "`%.*s` holds more jobs than memory allows",
                            WS_TEXT_ARGS(file->shown));
    }
    summary_end(&state);
    return is_whole;
}

bool ws_trace_summarise_jobs(ws_trace_summary *summary, const ws_trace *trace, ws_arena *arena)
{
    ws_trace_summary_state state;

    WS_ASSERT(summary != NULL);
    WS_ASSERT(trace != NULL);
    summary_begin(&state, arena);
    ws_trace_attempt *attempts =
        ws_arena_alloc(&state.scratch, ws_trace_attempt, WS_TRACE_ATTEMPTS_MAX);
    bool is_whole = attempts != NULL;
    for (size_t i = 0; i < trace->count && is_whole; i++) {
        ws_trace_job job = trace->jobs[i];
        if (job.attempt_count > 0) {
            memcpy(attempts, job.attempts, (size_t)job.attempt_count * sizeof *attempts);
        }
        ws_trace_job_shift(&job, attempts, trace->origin_ns);
        is_whole = summary_take(&state, &job);
    }
    is_whole = is_whole && ws_trace_summary_derive(&state, trace->clock, trace->zone, summary);
    summary_end(&state);
    return is_whole;
}
