/* SPDX-License-Identifier: GPL-3.0-or-later */
/** One run: scenario + arm + random world -> records. */
#ifndef WS_RUN_H
#define WS_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ws/arena.h"
#include "ws/diag.h"
#include "ws/event_record.h"
#include "ws/record.h"
#include "ws/scenario.h"

/** What runs, to be looked at during a call. */
typedef struct {
    const ws_kernel *kernel;
    const ws_fleet *fleet;
    const ws_ledger *ledger;
    const ws_jobs *jobs;
    const ws_control *control;
} ws_run_parts;

typedef enum {
    WS_NEWS_NODE_READY,
    WS_NEWS_NODE_LOST,
    WS_NEWS_NODE_DRAINING,
    WS_NEWS_NODE_RELEASED,
    WS_NEWS_NODE_REQUEST_FAILED,
    WS_NEWS_JOB_SUBMITTED,
    WS_NEWS_JOB_NEEDS_GPUS,
    WS_NEWS_JOB_STARTED,
    WS_NEWS_JOB_STAGE_DONE,
    WS_NEWS_JOB_DONE,
    WS_NEWS_NODE_REQUESTED,
    WS_NEWS_JOB_PLACED,
    WS_NEWS_JOB_RESIZED,
    WS_NEWS_JOB_TRANSFERRED,
    WS_NEWS_JOB_REPACED,
    WS_NEWS_JOB_FED,
    WS_NEWS_JOB_LOST_NODE /* for each job that held GPUs of a lost node, after that news */
} ws_news_kind;

/** News of the fleet or of the jobs, as their listeners hear it (ws/fleet.h, ws/jobs.h). */
typedef struct {
    ws_time at;
    ws_news_kind kind;
    size_t index; /* node over all pools, or job */
    int32_t from; /* of JOB_RESIZED: replicas before */
} ws_news;

/** Somebody who watches a run from outside and changes nothing. Each function may be NULL. */
typedef struct {
    void *context;
    void (*heard)(void *context, const ws_run_parts *parts,
                  const ws_news *news);                           /* after control has heard */
    void (*event_done)(void *context, const ws_run_parts *parts); /* after every event */
} ws_run_watch;

typedef struct {
    uint64_t replication;
    uint64_t events_max;       /* 0: 10^10 */
    ws_duration timeline_step; /* 0: no timeline and no extremes */
    bool with_jobs;            /* job records */
    bool with_events;          /* events, at most WS_EVENTS_MAX */
    bool check;                /* every invariant after every event; slow */
    void (*decided)(void *context, const ws_decision *decision); /* may be NULL */
    void *decided_context;
    const ws_run_watch *watch; /* NULL: nobody watches */
} ws_run_options;

typedef struct {
    ws_run_record run;
    ws_job_record *jobs;
    size_t job_count;
    ws_timeline_record *timeline; /* steps in order, pools within a step */
    size_t timeline_count;
    ws_extremes_record *extremes; /* steps in order */
    size_t extremes_count;
    ws_event_list events;
} ws_run_result;

/**
 * Runs an arm in the world of a replication, from time 0 to the horizon.
 *
 * @param keep     arena of the result; texts point into the scenario
 * @param scratch  arena of everything else; reset by the caller afterwards
 * @return         false with WS9023 (too many events), WS9030 (out of memory), or a bug (the ledger
 * does not balance: seed, replication and event number in the message)
 */
WS_NODISCARD bool ws_run(ws_run_result *result, const ws_arm *arm, const ws_run_options *options,
                         ws_arena *keep, ws_arena *scratch, ws_diag *diag);

#endif
