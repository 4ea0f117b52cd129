/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Arbitration: who may start and who may grow when jobs compete for GPUs.
 *
 * An arbiter is a constant table with a pass that is made whenever capacity or demand has changed.
 * Gangs are placed whole. Jobs that must shrink (their wanted size fell, their stage allows less,
 * their nodes drain) have done so before the pass.
 *
 * To add one: a file in sim/control/ that ends in its type, and a line in the list in arbiter.c.
 */
#ifndef WS_ARBITER_H
#define WS_ARBITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ws/index_set.h"
#include "ws/text.h"

typedef struct ws_arbitration ws_arbitration;

/** The next job at or after `from`, in order of submission, that waits for GPUs; WS_INDEX_NONE:
 * none. */
size_t ws_arbitration_next_waiting(const ws_arbitration *arbitration, size_t from);

/** The next one that runs below its wanted size and could grow. */
size_t ws_arbitration_next_hungry(const ws_arbitration *arbitration, size_t from);

/** Wanted size of a job, legal in its stage; the smallest legal one. */
int32_t ws_arbitration_wanted(const ws_arbitration *arbitration, size_t job);
int32_t ws_arbitration_least(const ws_arbitration *arbitration, size_t job);

/** The largest legal size up to the wanted one that the job could have now, counting what it holds;
 * 0: none. */
int32_t ws_arbitration_possible(const ws_arbitration *arbitration, size_t job);

/**
 * True when a running job may take a part of what it wants: it has been at its size for `regrow`,
 * and something of what it has done there is durable (growth by restart would lose all of it
 * otherwise, and a job that is grown again and again would never advance).
 */
bool ws_arbitration_may_grow_in_part(ws_arbitration *arbitration, size_t job);

/** The common way to grow: to all that the job wants, or now and then to a part of it, since each
 * growth costs a restart. */
void ws_arbitration_grow(ws_arbitration *arbitration, size_t job);

/** Starts or grows a job. False when it did not fit after all. */
bool ws_arbitration_grant(ws_arbitration *arbitration, size_t job, int32_t replicas);

/** Priorities of the run's jobs, highest first, each once; and that of a job. */
size_t ws_arbitration_priorities(const ws_arbitration *arbitration, const int32_t **descending);
int32_t ws_arbitration_priority(const ws_arbitration *arbitration, size_t job);

/**
 * Preempts running jobs of lower priority until a waiting job could start at `replicas`: lowest
 * priority first, latest submission first. Whether there is room enough is counted in GPUs on nodes
 * of the pools that it accepts, so that scattered GPUs may disappoint.
 *
 * @return  false, and nothing done, when even all of them would not make room
 */
bool ws_arbitration_make_room(ws_arbitration *arbitration, size_t job, int32_t replicas);

typedef struct {
    const char *name;
    const char *summary;
    void (*pass)(ws_arbitration *arbitration);
} ws_arbiter_type;

/** Strictly in order of submission: a waiting job that does not fit blocks all later ones that
 * wait. No preemption. */
extern const ws_arbiter_type ws_arbiter_fifo;

/** By priority, then in order of submission; takes GPUs from running jobs of lower priority. */
extern const ws_arbiter_type ws_arbiter_priority;

/** NULL-terminated names, and the types in the same order. */
extern const char *const ws_arbiter_names[];
const ws_arbiter_type *ws_arbiter_at(size_t index);

#endif
