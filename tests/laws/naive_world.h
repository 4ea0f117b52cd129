/* SPDX-License-Identifier: GPL-3.0-or-later */
/** What the two halves of the naive simulator share: its state. */
#ifndef WS_TESTS_NAIVE_WORLD_H
#define WS_TESTS_NAIVE_WORLD_H

#include "naive.h"

typedef struct {
    ws_node_state state;
    int32_t pool;
    int32_t slot;
    int32_t until; /* end of a request, a start or a repair; the failure of a ready node */
    bool is_retry; /* of `until`: the next request is sent then */
    bool draining;
    bool leased;
    int32_t lease_begin;
    int32_t held[NAIVE_JOBS]; /* GPUs */
} naive_node;

typedef enum { NAIVE_COLD, NAIVE_RESIZE, NAIVE_RECOVERY } naive_start_kind;

typedef struct {
    ws_job_state state;
    int32_t timer; /* end of a start, a write or a detection */
    int32_t write_at;
    int32_t wanted;
    int32_t replicas;
    int32_t survivors;
    int32_t next; /* 0: no resize waits for a write */
    naive_start_kind start;
    int32_t last_resize;
    int32_t stage;
    int64_t done;
    int32_t saved_stage;
    int64_t saved_done;
    int32_t saved_at;
    bool has_saved;
    bool has_stepped;
    bool was_preempted;
    naive_accounts pending;
} naive_job;

typedef struct {
    const naive_scenario *scenario;
    naive_outcome *outcome;
    int32_t now;
    naive_node nodes[NAIVE_NODES];
    int32_t node_count;
    int32_t wanted[NAIVE_POOLS];
    naive_job jobs[NAIVE_JOBS];
    int32_t orders_done;
} naive_world;

void naive_log(naive_world *world, int32_t kind, int32_t index, int32_t number);

/* --- naive_fleet.c --- */

void naive_fleet_begin(naive_world *world);

/** One due transition of a node in a phase; false: none is due. */
bool naive_fleet_ends(naive_world *world);
bool naive_fleet_losses(naive_world *world);
bool naive_fleet_arrivals(naive_world *world);

/** Asks for a number of nodes; returns what it was clamped to. */
int32_t naive_fleet_want(naive_world *world, int32_t pool, int32_t nodes);

/** Places one more replica of a job; false: it does not fit. */
bool naive_fleet_place(naive_world *world, int32_t job);
void naive_fleet_take(naive_world *world, int32_t job, int32_t replicas);
void naive_fleet_take_all(naive_world *world, int32_t job);

int32_t naive_fleet_held(const naive_world *world, int32_t job);

/** GPUs that a job could have: free in pools that it accepts, and what another one would give back
 * there. */
int32_t naive_fleet_free_for(const naive_world *world, int32_t job);
int32_t naive_fleet_held_for(const naive_world *world, int32_t job, int32_t other);

int32_t naive_fleet_held_draining(const naive_world *world, int32_t job);

/** Speed of the slowest pool that the job lies on. */
int32_t naive_fleet_speed(const naive_world *world, int32_t job);

/** Books one second of nodes; closes the leases that are open at the end. */
void naive_fleet_second(naive_world *world);
void naive_fleet_end(naive_world *world);

/* --- naive.c --- */

/** The largest legal size up to a number, or 0; that, or the smallest legal size. */
int32_t naive_job_at_most(const naive_world *world, int32_t job, int32_t size);
int32_t naive_job_clamp(const naive_world *world, int32_t job, int32_t size);

/** Starting, running or writing. */
bool naive_job_has_world(const naive_job *run);

/** Its size when the resize that is under way is done. */
int32_t naive_job_next_size(const naive_job *run);

/** Starts a waiting job at a size that fits. True. */
bool naive_job_start(naive_world *world, int32_t job, int32_t replicas);

/** Changes a size if the mode and the moment allow; false: nothing was done. */
bool naive_job_resize(naive_world *world, int32_t job, int32_t replicas);
void naive_job_preempt(naive_world *world, int32_t job);
void naive_job_lost_node(naive_world *world, int32_t job);

/* --- naive_settle.c --- */

/** One pass, as is due after each change; here it is made whenever there is time. False: nothing
 * changed. */
bool naive_settle(naive_world *world);

#endif
