/* SPDX-License-Identifier: GPL-3.0-or-later */
/* There are few runs in a job and mostly they are in order, so they are sorted by insertion. */
#include "runs.h"

bool ws_trace_runs_init(ws_trace_runs *runs, ws_trace_reading *reading)
{
    WS_ASSERT(runs != NULL);
    WS_ASSERT(reading != NULL);

    *runs = (ws_trace_runs){
        .attempts = ws_arena_alloc(reading->arena, ws_trace_attempt, WS_TRACE_ATTEMPTS_MAX)};
    if (runs->attempts == NULL) {
        return ws_diag_error(reading->diag, 9020, ws_span_none, "not enough memory for a trace");
    }
    return true;
}

void ws_trace_runs_clear(ws_trace_runs *runs)
{
    WS_ASSERT(runs != NULL);

    *runs = (ws_trace_runs){.attempts = runs->attempts};
}

bool ws_trace_runs_add(ws_trace_runs *runs, const ws_trace_attempt *run)
{
    int32_t at = 0;

    WS_ASSERT(runs != NULL);
    WS_ASSERT(run != NULL);
    WS_ASSERT(run->gpus >= 1);

    runs->has_unknown = runs->has_unknown || run->start_ns == WS_TRACE_UNKNOWN_NS ||
                        run->end_ns == WS_TRACE_UNKNOWN_NS;
    if (run->start_ns == WS_TRACE_UNKNOWN_NS) {
        return true;
    }
    WS_ASSERT(run->end_ns == WS_TRACE_UNKNOWN_NS || run->end_ns >= run->start_ns);
    if (runs->count == WS_TRACE_ATTEMPTS_MAX) {
        return false;
    }
    for (at = runs->count; at > 0 && runs->attempts[at - 1].start_ns > run->start_ns; at--) {
        runs->attempts[at] = runs->attempts[at - 1];
    }
    runs->attempts[at] = *run;
    runs->count++;
    return true;
}

/* Each run ends before the next begins. Returns the sum of the known ones. */
static int64_t runs_cut(ws_trace_runs *runs)
{
    int64_t sum_ns = 0;

    for (int32_t i = 0; i < runs->count; i++) {
        ws_trace_attempt *run = &runs->attempts[i];

        if (run->end_ns == WS_TRACE_UNKNOWN_NS) {
            continue;
        }
        if (i + 1 < runs->count && run->end_ns > runs->attempts[i + 1].start_ns) {
            run->end_ns = runs->attempts[i + 1].start_ns;
            runs->was_cut = true;
        }
        sum_ns += run->end_ns - run->start_ns;
    }
    return sum_ns;
}

static bool runs_have_end(const ws_trace_runs *runs)
{
    for (int32_t i = 0; i < runs->count; i++) {
        if (runs->attempts[i].end_ns != WS_TRACE_UNKNOWN_NS) {
            return true;
        }
    }
    return false;
}

bool ws_trace_runs_finish(ws_trace_runs *runs, ws_trace_job *job, ws_trace_finding *why)
{
    WS_ASSERT(runs != NULL);
    WS_ASSERT(job != NULL);
    WS_ASSERT(why != NULL);

    if (!runs_have_end(runs)) {
        *why = runs->has_unknown ? WS_TRACE_NO_KNOWN_RUN : WS_TRACE_NO_RUN;
        return false;
    }
    job->duration_ns = runs_cut(runs);
    if (job->duration_ns == 0) {
        *why = WS_TRACE_NO_RUN;
        return false;
    }
    if (job->duration_ns > WS_HORIZON_MAX_NS) {
        *why = WS_TRACE_BAD_DURATION;
        return false;
    }
    if (runs->attempts[0].start_ns < job->arrival_ns) {
        job->arrival_ns = runs->attempts[0].start_ns;
        runs->was_early = true;
    }
    job->queue_ns = runs->attempts[0].start_ns - job->arrival_ns;
    job->attempt_count = runs->count;
    job->attempts = runs->attempts;
    return true;
}

size_t ws_trace_runs_findings(const ws_trace_runs *runs, ws_trace_finding findings[3])
{
    size_t count = 0;

    WS_ASSERT(runs != NULL);
    if (runs->has_unknown) {
        findings[count++] = WS_TRACE_RUN_UNKNOWN;
    }
    if (runs->was_cut) {
        findings[count++] = WS_TRACE_RUNS_CUT;
    }
    if (runs->was_early) {
        findings[count++] = WS_TRACE_EARLY_START;
    }
    return count;
}
