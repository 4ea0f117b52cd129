/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Jobs' collectives as standing loads on the links that they cross, and the share of its own rate
 * that each job has left among the others.
 *
 * A job loads each link of its path with its demand, the rate that it has alone, while it
 * communicates: `wire` of each step. What is left is max-min fair (ws/max_min.h), in one of two
 * ways:
 *
 * - `collide`: as if all communicated always, the fair share: a lower bound of what a job gets.
 * - `duty`: a job that communicates meets another one only in the share of time in which that one
 *   does. For job i the others count as `wire` flows of their demand, i itself as one. A slower job
 *   communicates for longer, so that shares and step times are solved together: repeated from the
 *   exclusive rates until no share changes by more than 1e-9 of itself.
 *
 * Steps of synchronised jobs may interleave, or collide: the fair share bounds the rate from below,
 * the exclusive one from above. Source: S. Rajasekaran, M. Ghobadi, A. Akella, "CASSINI:
 * Network-Aware Job Scheduling in Machine Learning Clusters", NSDI 2024, which measures both.
 *
 * Begins and ends of one instant take effect together, in the phase of consequences: only what is
 * connected with them over links that can be full is solved again. Sums run in ascending order of
 * the jobs, so that shares depend on who crosses what, not on the order in which they came.
 *
 * Costs: a link that cannot be full connects nobody. Of a component of n jobs `collide` solves one
 * network, `duty` n of them in each of some ten to a hundred rounds.
 */
#ifndef WS_CROSSING_H
#define WS_CROSSING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ws/kernel.h"
#include "ws/max_min.h"

/** Rounds after which a fixed point counts as not found; shares are then those of the last. */
#define WS_CROSSING_ROUNDS_MAX 1000

/** What a job does at a share of its rate. */
typedef struct {
    double step; /* time of a step, > 0, in any unit that is the job's own */
    double wire; /* 0..1: share of that in which it communicates over the links, hidden or not */
} ws_crossing_load;

/** What became of a job's share. */
typedef struct {
    double share;        /* 0 < s <= 1, as it counts */
    double step;         /* time of a step over that alone, >= 1 */
    double step_collide; /* likewise, as `collide` has it */
    double step_duty;    /* and `duty` */
    bool is_settled;     /* the fixed point of `duty` was found */
} ws_crossing_outcome;

/** The layer above. `load` is asked from within a settlement and must change nothing; `settled`
 * may not begin or end anything of the crossing. */
typedef struct {
    void *context;
    ws_crossing_load (*load)(void *context, size_t job, double share);
    /** A job's share is another, or one of the outcomes is. */
    void (*settled)(void *context, size_t job, const ws_crossing_outcome *outcome);
} ws_crossing_above;

typedef struct {
    const double *capacities; /* of the links, > 0, bytes/s; copied */
    uint32_t link_count;
    uint32_t job_count;
    uint32_t crossing_capacity; /* most lengths of paths together */
    bool is_duty;               /* the shares are those of `duty`, else of `collide` */
    ws_crossing_above above;
} ws_crossing_options;

typedef struct ws_crossing ws_crossing;

/** NULL when the arena is exhausted. The kernel must outlive it. It has one event pending at most.
 */
ws_crossing *ws_crossing_new(ws_arena *arena, ws_kernel *kernel,
                             const ws_crossing_options *options);

/**
 * A job communicates from now on, over other links or in other steps than before if it did already.
 * Until the consequences its share is that before, or 1.
 *
 * @param path    links, each once; without any nothing is shared
 * @param demand  > 0, bytes/s on each of them; no link has less capacity
 */
void ws_crossing_begin(ws_crossing *crossing, size_t job, const uint32_t *path, uint32_t count,
                       double demand);

/** A job no longer communicates; nothing when it did not. */
void ws_crossing_end(ws_crossing *crossing, size_t job);

/** Its share now; 1 for a job that does not communicate. */
double ws_crossing_share(const ws_crossing *crossing, size_t job);

/** Jobs that share a link that can be full with this one, and it. For tests. */
size_t ws_crossing_component_size(ws_crossing *crossing, size_t job);

/** Whether all records fit together, and every share is what solving anew gives. A bug if not.
 * For tests and checked builds. */
bool ws_crossing_is_balanced(ws_crossing *crossing);

#endif
