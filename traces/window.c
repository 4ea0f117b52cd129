/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Cutting a window out of a trace. The trace is sorted, so the window's arrivals are one stretch;
 * what arrived earlier has to be looked at one by one, since an old job may still run.
 */
#include <string.h>

#include "reading.h"

/* The earliest start of a window, before the origin: shifted times still fit into 64 bits. */
#define WINDOW_BEFORE_MAX_NS (INT64_C(50) * 365 * WS_NS_PER_D)

typedef enum {
    WINDOW_INSIDE,
    WINDOW_ENDED,   /* before the window */
    WINDOW_RUNNING, /* arrived earlier, work left */
    WINDOW_LATER
} window_place;

static window_place window_place_of(const ws_trace_job *job, const ws_trace_window *window)
{
    if (job->arrival_ns >= window->to_ns) {
        return WINDOW_LATER;
    }
    if (job->arrival_ns >= window->from_ns) {
        return WINDOW_INSIDE;
    }
    return ws_trace_job_end_ns(job) > window->from_ns ? WINDOW_RUNNING : WINDOW_ENDED;
}

/* The part of the known runs that lies at or after `from`. */
static int64_t window_remaining_ns(const ws_trace_job *job, int64_t from_ns)
{
    int64_t remaining_ns = 0;

    if (job->attempt_count == 0) {
        return job->arrival_ns + job->duration_ns - from_ns;
    }
    for (int32_t i = 0; i < job->attempt_count; i++) {
        const ws_trace_attempt *attempt = &job->attempts[i];

        if (attempt->end_ns != WS_TRACE_UNKNOWN_NS && attempt->end_ns > from_ns) {
            remaining_ns +=
                attempt->end_ns - (attempt->start_ns > from_ns ? attempt->start_ns : from_ns);
        }
    }
    return remaining_ns;
}

static ws_trace_job window_remainder(const ws_trace_job *job, int64_t from_ns)
{
    ws_trace_job rest = *job;

    rest.arrival_ns = 0;
    rest.duration_ns = window_remaining_ns(job, from_ns);
    rest.queue_ns = WS_TRACE_UNKNOWN_NS;
    rest.attempt_count = 0;
    rest.attempts = NULL;
    return rest;
}

/* The job with its times counted from `from`. False when the arena is exhausted. */
static bool window_shift(ws_trace_job *job, int64_t from_ns, ws_arena *arena)
{
    ws_trace_attempt *attempts = NULL;
    size_t count = (size_t)job->attempt_count;

    if (count > 0) {
        attempts = ws_arena_alloc(arena, ws_trace_attempt, count);
        if (attempts == NULL) {
            return false;
        }
        memcpy(attempts, job->attempts, count * sizeof *attempts);
    }
    ws_trace_job_shift(job, attempts, -from_ns);
    return true;
}

static size_t window_kept_count(const ws_trace *trace, const ws_trace_window *window)
{
    size_t kept = 0;

    for (size_t i = 0; i < trace->count; i++) {
        window_place place = window_place_of(&trace->jobs[i], window);

        kept += place == WINDOW_INSIDE || (place == WINDOW_RUNNING && window->keep_remainders);
    }
    return kept;
}

static void window_count(ws_trace_report *report, window_place place, const ws_trace_job *job,
                         const ws_trace_window *window)
{
    switch (place) {
    case WINDOW_INSIDE:
        if (ws_trace_job_end_ns(job) > window->to_ns) {
            (void)ws_trace_report_count(report, WS_TRACE_RUNS_PAST_WINDOW, 0);
        }
        return;
    case WINDOW_ENDED:
        (void)ws_trace_report_count(report, WS_TRACE_BEFORE_WINDOW, 0);
        break;
    case WINDOW_RUNNING:
        if (window->keep_remainders) {
            (void)ws_trace_report_count(report, WS_TRACE_REMAINDER, 0);
            return;
        }
        (void)ws_trace_report_count(report, WS_TRACE_RUNNING_AT_START, 0);
        break;
    case WINDOW_LATER:
        (void)ws_trace_report_count(report, WS_TRACE_AFTER_WINDOW, 0);
        break;
    }
    report->jobs_kept--;
}

/* Fills `jobs`, which has room for all that is kept. False when the arena is exhausted. */
static bool window_copy(ws_trace_job *jobs, const ws_trace *trace, const ws_trace_window *window,
                        ws_arena *arena)
{
    size_t to = 0;

    for (size_t i = 0; i < trace->count; i++) {
        const ws_trace_job *job = &trace->jobs[i];
        window_place place = window_place_of(job, window);

        if (place == WINDOW_RUNNING && window->keep_remainders) {
            jobs[to++] = window_remainder(job, window->from_ns);
        }
        if (place != WINDOW_INSIDE) {
            continue;
        }
        jobs[to] = *job;
        if (!window_shift(&jobs[to++], window->from_ns, arena)) {
            return false;
        }
    }
    return true;
}

bool ws_trace_cut(ws_trace *cut, const ws_trace *trace, const ws_trace_window *wanted,
                  ws_trace_report *report, ws_arena *arena, ws_diag *diag)
{
    ws_trace result = {.count = 0};
    size_t kept = 0;
    ws_trace_window bounded = {.from_ns = 0};
    const ws_trace_window *window = &bounded;

    WS_ASSERT(cut != NULL);
    WS_ASSERT(trace != NULL);
    WS_ASSERT(wanted != NULL);
    WS_ASSERT(wanted->from_ns < wanted->to_ns);
    WS_ASSERT(report != NULL);

    bounded = *wanted;
    if (bounded.from_ns < -WINDOW_BEFORE_MAX_NS) {
        bounded.from_ns = -WINDOW_BEFORE_MAX_NS;
    }
    kept = window_kept_count(trace, window);
    result = (ws_trace){.clock = trace->clock, .zone = trace->zone, .count = kept};
    if (__builtin_add_overflow(trace->origin_ns, window->from_ns, &result.origin_ns)) {
        result.origin_ns = INT64_MAX;
    }
    result.jobs = ws_arena_alloc(arena, ws_trace_job, kept > 0 ? kept : 1);
    if (result.jobs == NULL || !window_copy(result.jobs, trace, window, arena)) {
        return ws_diag_error(diag, 9020, ws_span_none, "not enough memory for a window of a trace");
    }
    for (size_t i = 0; i < trace->count; i++) {
        const ws_trace_job *job = &trace->jobs[i];

        window_count(report, window_place_of(job, window), job, window);
    }
    *cut = result;
    return true;
}
