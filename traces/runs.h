/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * The runs of one job as a source tells them, in any order and with gaps in what is known, made
 * into the attempts of the record.
 */
#ifndef WS_TRACES_RUNS_H
#define WS_TRACES_RUNS_H

#include "reading.h"

typedef struct {
    ws_trace_attempt *attempts; /* room for WS_TRACE_ATTEMPTS_MAX */
    int32_t count;
    bool has_unknown; /* a run had no start or no end */
    bool was_cut;     /* runs overlapped */
    bool was_early;   /* the first began before the arrival */
} ws_trace_runs;

/** Room for the runs of one job after the other. False with WS9020 when memory is exhausted. */
WS_NODISCARD bool ws_trace_runs_init(ws_trace_runs *runs, ws_trace_reading *reading);

/** Forgets all runs, for the next job. */
void ws_trace_runs_clear(ws_trace_runs *runs);

/**
 * Adds a run. Its start or its end may be WS_TRACE_UNKNOWN_NS: without a start it only counts as
 * unknown; without an end it is kept and counts for nothing. An end before the start is a caller's
 * business.
 *
 * @return  false when there are WS_TRACE_ATTEMPTS_MAX already
 */
WS_NODISCARD bool ws_trace_runs_add(ws_trace_runs *runs, const ws_trace_attempt *run);

/**
 * Sorts the runs, cuts what overlaps, and sets the job's attempts, duration and queueing. A job
 * that starts before it arrives is taken to arrive at its start.
 *
 * @param job  with its id, arrival and GPUs
 * @param why  why there is no such job: WS_TRACE_NO_RUN (no run, or none longer than nothing),
 * WS_TRACE_NO_KNOWN_RUN, WS_TRACE_BAD_DURATION (beyond 100 years)
 * @return     false when there is none
 */
WS_NODISCARD bool ws_trace_runs_finish(ws_trace_runs *runs, ws_trace_job *job,
                                       ws_trace_finding *why);

/** What is worth a note about the runs: WS_TRACE_RUN_UNKNOWN, ... Returns how many. */
size_t ws_trace_runs_findings(const ws_trace_runs *runs, ws_trace_finding findings[3]);

#endif
