/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The naive simulator's arbitration: a pass looks at every job, whatever has changed. */
#include <string.h>

#include "naive_world.h"

/* A job that is too large, or on nodes that go, shrinks. */
static bool settle_shrink(naive_world *world, int32_t job)
{
    const naive_job *run = &world->jobs[job];
    int32_t gpus = world->scenario->jobs[job].gpus_per_replica;
    int32_t draining = (naive_fleet_held_draining(world, job) + gpus - 1) / gpus;
    int32_t held = naive_job_next_size(run);
    int32_t limit = naive_job_clamp(world, job, run->wanted);

    if (world->scenario->leave_draining && draining > 0 && held - draining < limit) {
        int32_t size = naive_job_at_most(world, job, held - draining);
        limit = size > 0 ? size : limit;
    }
    return limit < held && naive_job_resize(world, job, limit);
}

/* How many replicas more, up to a number, would fit beside what everybody holds. */
static int32_t settle_fit(naive_world *world, int32_t job, int32_t most)
{
    naive_node nodes[NAIVE_NODES];
    int32_t fit = 0;

    memcpy(nodes, world->nodes, sizeof nodes);
    while (fit < most && naive_fleet_place(world, job)) {
        fit++;
    }
    memcpy(world->nodes, nodes, sizeof nodes); /* that was only to see */
    return fit;
}

/* The largest legal size up to the wanted one that the job could have now; 0: no more than it has.
 */
static int32_t settle_possible(naive_world *world, int32_t job)
{
    const naive_job *run = &world->jobs[job];
    int32_t wanted = naive_job_clamp(world, job, run->wanted);
    int32_t size = run->replicas + settle_fit(world, job, wanted - run->replicas);

    if (size < wanted) {
        bool whole = world->scenario->jobs[job].mode == NAIVE_RIGID;
        size = whole ? 0 : naive_job_at_most(world, job, size);
    }
    return size > run->replicas ? size : 0;
}

static bool settle_may_grow_in_part(const naive_world *world, int32_t job)
{
    const naive_job *run = &world->jobs[job];
    const naive_job_spec *spec = &world->scenario->jobs[job];
    bool loses_all =
        spec->has_checkpoint && !spec->before_resize && run->saved_at <= run->last_resize;

    return world->now - run->last_resize >= world->scenario->regrow && !loses_all;
}

static bool settle_grow(naive_world *world, int32_t job)
{
    const naive_job *run = &world->jobs[job];
    bool runs = run->state == WS_JOB_RUNNING || run->state == WS_JOB_WRITING;

    if (!runs || world->scenario->jobs[job].mode != NAIVE_RESTART || run->next != 0) {
        return false;
    }
    int32_t possible = settle_possible(world, job);
    bool all = possible == naive_job_clamp(world, job, run->wanted);
    return possible > 0 && (all || settle_may_grow_in_part(world, job)) &&
           naive_job_resize(world, job, possible);
}

/* Strictly in order of submission; a job that does not fit blocks those behind it that wait. */
static bool settle_fifo(naive_world *world)
{
    bool changed = false;
    bool blocked = false;

    for (int32_t job = 0; job < world->scenario->job_count; job++) {
        if (world->jobs[job].state != WS_JOB_WAITING) {
            bool grown = settle_grow(world, job);
            changed = changed || grown;
            continue;
        }
        int32_t possible = blocked ? 0 : settle_possible(world, job);
        blocked = blocked || possible == 0;
        changed = (!blocked && naive_job_start(world, job, possible)) || changed;
    }
    return changed;
}

/* The running job to preempt for another one: lowest priority, latest submission; -1: none. */
static int32_t settle_victim(const naive_world *world, int32_t job)
{
    int32_t lowest = world->scenario->jobs[job].priority;
    int32_t victim = -1;

    for (int32_t other = world->scenario->job_count - 1; other >= 0; other--) {
        int32_t priority = world->scenario->jobs[other].priority;
        if (priority < lowest && naive_job_has_world(&world->jobs[other]) &&
            naive_fleet_held_for(world, job, other) > 0) {
            lowest = priority;
            victim = other;
        }
    }
    return victim;
}

/* Preempts until the smallest legal size fits, if it could at all. */
static bool settle_make_room(naive_world *world, int32_t job)
{
    int32_t least = naive_job_clamp(world, job, 1);
    int32_t room = naive_fleet_free_for(world, job);
    bool changed = false;

    for (int32_t other = 0; other < world->scenario->job_count; other++) {
        bool lower = world->scenario->jobs[other].priority < world->scenario->jobs[job].priority;
        if (lower && naive_job_has_world(&world->jobs[other])) {
            room += naive_fleet_held_for(world, job, other);
        }
    }
    while (room >= least * world->scenario->jobs[job].gpus_per_replica &&
           settle_fit(world, job, least) < least && settle_victim(world, job) >= 0) {
        naive_job_preempt(world, settle_victim(world, job));
        changed = true;
    }
    return changed;
}

/* One class: those that wait, in order, until one does not fit, then those that can grow. */
static bool settle_class(naive_world *world, int32_t priority, bool *blocked)
{
    bool changed = false;

    for (int32_t job = 0; job < world->scenario->job_count && !*blocked; job++) {
        if (world->jobs[job].state != WS_JOB_WAITING ||
            world->scenario->jobs[job].priority != priority) {
            continue;
        }
        if (settle_possible(world, job) == 0) {
            bool preempted = settle_make_room(world, job);
            changed = changed || preempted;
        }
        int32_t possible = settle_possible(world, job);
        *blocked = possible == 0;
        changed = (possible > 0 && naive_job_start(world, job, possible)) || changed;
    }
    for (int32_t job = 0; job < world->scenario->job_count && !*blocked; job++) {
        if (world->scenario->jobs[job].priority == priority) {
            bool grown = settle_grow(world, job);
            changed = changed || grown;
        }
    }
    return changed;
}

/* One pass, as is due after each change; here it is made whenever there is time. */
bool naive_settle(naive_world *world)
{
    bool changed = false;
    bool blocked = false;

    for (int32_t job = 0; job < world->scenario->job_count; job++) {
        bool shrunk = settle_shrink(world, job);
        changed = changed || shrunk;
    }
    if (!world->scenario->by_priority) {
        bool passed = settle_fifo(world);
        return changed || passed;
    }
    for (int32_t priority = 2; priority >= 0 && !blocked; priority--) {
        bool passed = settle_class(world, priority, &blocked);
        changed = changed || passed;
    }
    return changed;
}
