/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * A second simulator, as plain as can be: the oracle for test_naive.c.
 *
 * It goes forward one second at a time, looks at everything in each, keeps no queue, no sets and no
 * sums that could go stale, and calculates in integers. It is written from what the public headers
 * say (ws/fleet.h, ws/jobs.h, ws/arbiter.h, ws/control.h, ws/account.h, ws/kernel.h for the order
 * within an instant), not from the code that it judges, and shares none of it.
 *
 * Its world is smaller: durations are constants and whole seconds, nodes fail by the clock, plans
 * come at stated times. A completion that does not fall on a whole second sets `off_grid`, and the
 * outcome says nothing.
 */
#ifndef WS_TESTS_NAIVE_H
#define WS_TESTS_NAIVE_H

#include <stdbool.h>
#include <stdint.h>

#include "ws/account.h"
#include "ws/run.h"

enum {
    NAIVE_POOLS = 3,
    NAIVE_NODES = 16, /* of all pools together */
    NAIVE_JOBS = 8,
    NAIVE_STAGES = 3,
    NAIVE_SIZES = 8, /* replicas are 1..7 */
    NAIVE_ORDERS = 8,
    NAIVE_EVENTS = 8192,
    NAIVE_NEVER = 1 << 29,
    NAIVE_DECIDED_POOL = 100, /* kinds of events beside those of ws_news_kind */
    NAIVE_DECIDED_JOB = 101
};

typedef struct {
    int32_t gpus; /* of a node */
    int32_t initial;
    int32_t min;
    int32_t max;
    int32_t request; /* s */
    int32_t start;   /* boot, pull and join together, s */
    int32_t retry;   /* s */
    bool has_no_capacity;
    int32_t fails_every; /* s of being ready; 0: never */
    int32_t repair;      /* s */
    bool billed_in_repair;
    int32_t increment; /* s */
    int32_t minimum;   /* s */
    int64_t price_per_s;
} naive_pool_spec;

typedef struct {
    int64_t work;
    int32_t min;
    int32_t max;
} naive_stage_spec;

typedef enum { NAIVE_RIGID, NAIVE_MOLDABLE, NAIVE_RESTART } naive_mode;

typedef struct {
    int32_t submit; /* s; jobs are sorted by it */
    int32_t gpus_per_replica;
    int32_t speed[NAIVE_POOLS]; /* 0: not accepted */
    naive_mode mode;
    int32_t priority;
    int32_t initial;
    int32_t min;
    int32_t max;
    int32_t step;
    uint32_t list;             /* bit n: n is legal; 0: by step */
    int32_t rate[NAIVE_SIZES]; /* work a second, by replicas */
    int32_t best;              /* the highest rate per replica */
    bool has_checkpoint;
    int32_t every; /* s */
    int32_t write;
    int32_t read;
    bool before_resize;
    int32_t start; /* container to warm-up without the load, s */
    int32_t load;
    naive_stage_spec stages[NAIVE_STAGES];
    int32_t stage_count;
} naive_job_spec;

typedef struct {
    int32_t at;
    bool is_pool;
    int32_t index;
    int32_t number;
} naive_order;

typedef struct {
    naive_pool_spec pools[NAIVE_POOLS];
    int32_t pool_count;
    naive_job_spec jobs[NAIVE_JOBS];
    int32_t job_count;
    naive_order orders[NAIVE_ORDERS]; /* ascending, at different times */
    int32_t order_count;
    int32_t horizon;
    int32_t regrow;
    int32_t detection;
    bool leave_draining;
    bool spread;
    bool by_priority; /* the arbiter; else fifo */
} naive_scenario;

typedef struct {
    int32_t at;
    int32_t kind;   /* ws_news_kind, or one of the above */
    int32_t index;  /* node, job or pool */
    int32_t number; /* replicas (before x 8 + after a resize), stage, or what is wanted now */
} naive_event;

typedef struct {
    int64_t account[WS_ACCOUNT_COUNT]; /* GPU-ns */
} naive_accounts;

typedef struct {
    naive_accounts accounts;
    int32_t first_start; /* NAIVE_NEVER */
    int32_t end;
    int32_t resizes;
    int32_t restarts;
    int32_t failures;
    int32_t preemptions;
    int32_t checkpoints;
    int64_t work; /* done and kept */
    int64_t work_lost;
    int32_t peak; /* replicas */
} naive_job_outcome;

/** Seconds x what was so, summed over the run. */
typedef struct {
    int64_t wanted;
    int64_t requested;
    int64_t starting;
    int64_t ready;
    int64_t draining;
    int64_t broken;
    int64_t paid;
    int64_t busy;
    int64_t waiting;
} naive_gauges;

typedef struct {
    bool off_grid;
    naive_event events[NAIVE_EVENTS];
    int32_t event_count;
    naive_job_outcome jobs[NAIVE_JOBS];
    naive_accounts accounts;
    int64_t unbilled; /* GPU-s */
    int64_t cost;     /* nano */
    naive_gauges gauges[NAIVE_POOLS];
    int64_t jobs_waiting;
    int64_t jobs_running;
} naive_outcome;

/** Runs a scenario from 0 to its horizon. */
void naive_run(const naive_scenario *scenario, naive_outcome *outcome);

#endif
