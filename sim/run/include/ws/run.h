/* SPDX-License-Identifier: GPL-3.0-or-later */
/** One run: scenario + arm + random world -> records. */
#ifndef WS_RUN_H
#define WS_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ws/arena.h"
#include "ws/diag.h"
#include "ws/record.h"
#include "ws/scenario.h"

typedef struct {
    uint64_t replication;
    uint64_t events_max;       /* 0: 10^10 */
    ws_duration timeline_step; /* 0: no timeline */
    bool with_jobs;            /* job records */
    bool check;                /* every invariant after every event; slow */
    void (*decided)(void *context, const ws_decision *decision); /* may be NULL */
    void *decided_context;
} ws_run_options;

typedef struct {
    ws_run_record run;
    ws_job_record *jobs;
    size_t job_count;
    ws_timeline_record *timeline; /* steps in order, pools within a step */
    size_t timeline_count;
} ws_run_result;

/**
 * Runs an arm in the world of a replication, from time 0 to the horizon.
 *
 * @param keep     arena of the result; texts point into the scenario
 * @param scratch  arena of everything else; reset by the caller afterwards
 * @return         false with WS9023 (too many events), WS9030 (out of memory), or a bug (the ledger does not balance: seed,
 *                 replication and event number in the message)
 */
WS_NODISCARD bool ws_run(ws_run_result *result, const ws_arm *arm, const ws_run_options *options, ws_arena *keep,
                         ws_arena *scratch, ws_diag *diag);

#endif
