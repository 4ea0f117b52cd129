/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * The queue before a job with demand: a fluid that arrives in steps and is served first in, first
 * out.
 *
 * Between two calls the capacity is constant. The state is how much waits, and how much of the
 * oldest step's work is among it, so that neither is a difference of large numbers. While work
 * waits its lag is linear in time until that step's work is through: such a span is a piece, and
 * all statistics of the lag are taken from the pieces, without sampling.
 */
#ifndef WS_BACKLOG_H
#define WS_BACKLOG_H

#include "ws/arena.h"
#include "ws/demand.h"

/** A span in which work waits and the lag is linear. */
typedef struct {
    double span_s; /* > 0 */
    double lag_begin_s;
    double lag_end_s;
} ws_backlog_piece;

typedef struct {
    const ws_demand *demand;
    ws_time measured_from;
    ws_time now;
    size_t step;       /* of the demand, at `now`; its count from the end on */
    double waiting;    /* work, >= 0 */
    size_t oldest;     /* step in which the oldest waiting work arrived; means nothing without */
    double left;       /* of that step's work, where that is not the step of now */
    double waiting_s;  /* integral since time 0 */
    double capacity_s; /* likewise, of what could have been done */

    double begin_arrived; /* at `measured_from` */
    double begin_waiting;
    double waiting_max; /* since then, as the following */
    double idle_s;      /* known demand, and nothing waited */
    double hole_s;
    ws_arena *arena; /* of the pieces */
    ws_backlog_piece *pieces;
    size_t piece_count;
    size_t piece_capacity;
    bool is_exhausted; /* the arena was: pieces are missing */
} ws_backlog;

/** An empty queue at time 0. @param arena  takes the pieces as they come */
ws_backlog ws_backlog_of(const ws_demand *demand, ws_time measured_from, ws_arena *arena);

/**
 * Goes on to a time, not before that of the queue.
 *
 * @param capacity  work a second that the workers can do meanwhile, >= 0
 */
void ws_backlog_advance(ws_backlog *backlog, ws_time to, double capacity);

/** Work a second that is done from now on with a capacity: all of it while work waits, else what
 * arrives. */
double ws_backlog_rate(const ws_backlog *backlog, double capacity);

/** When nothing will wait any more if nothing changes, at least a nanosecond ahead; WS_TIME_NEVER:
 * nothing waits, or it does not become less. */
ws_time ws_backlog_empty_at(const ws_backlog *backlog, double capacity);

/** When demand changes next; WS_TIME_NEVER: it has ended. */
ws_time ws_backlog_next_step(const ws_backlog *backlog);

/** True when demand has ended and nothing waits. */
bool ws_backlog_is_over(const ws_backlog *backlog);

/** What the queue is at a time, not before its own, when the capacity stays. Commits nothing. */
ws_demand_queue ws_backlog_at(const ws_backlog *backlog, ws_time at, double capacity);

/** What came of it up to a time. Commits nothing. False when the arena is exhausted. */
WS_NODISCARD bool ws_backlog_finish(const ws_backlog *backlog, ws_time at, double capacity,
                                    ws_demand_outcome *outcome);

#endif
