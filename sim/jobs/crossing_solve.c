/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shares of a component: the fair ones, and the fixed point of shares and step times. */
#include <math.h>

#include "crossing_private.h"
#include "ws/assert.h"

#define SOLVE_TOLERANCE 1e-9

/** Adds a member to the problem as so many flows of its demand. */
static void solve_add(ws_crossing *crossing, ws_max_min_problem *problem, uint32_t member,
                      double flows, uint32_t *path_end)
{
    const ws_crossing_job *job = &crossing->jobs[crossing->queue[member]];
    ws_max_min_class *class = &crossing->classes[problem->class_count];

    *class = (ws_max_min_class){
        .path_first = *path_end, .weight = 1, .cap = job->demand, .flows = flows};
    for (uint32_t at = job->first; at != WS_CROSSING_NOTHING; at = crossing->records[at].job_next) {
        uint32_t local = crossing->links[crossing->records[at].link].local;
        if (local != WS_CROSSING_NOTHING) {
            crossing->paths[(*path_end)++] = local;
        }
    }
    class->path_count = *path_end - class->path_first;
    crossing->class_members[problem->class_count++] = member;
}

/** A problem over the links of the component, without classes. */
static ws_max_min_problem solve_open(ws_crossing *crossing)
{
    for (uint32_t i = 0; i < crossing->local_count; i++) {
        crossing->capacities[i] = crossing->links[crossing->local_links[i]].capacity;
    }
    return (ws_max_min_problem){.capacities = crossing->capacities,
                                .link_count = crossing->local_count,
                                .classes = crossing->classes,
                                .links = crossing->paths};
}

/** The share of its demand that a class has; 1, exactly, at its cap. */
static double solve_share(const ws_max_min_class *class)
{
    return class->rate < class->cap * (1 - 1e-12) ? class->rate / class->cap : 1;
}

/** All at once, each as one flow. */
static void solve_collide(ws_crossing *crossing)
{
    ws_max_min_problem problem = solve_open(crossing);
    uint32_t path_end = 0;

    for (uint32_t i = 0; i < crossing->member_count; i++) {
        solve_add(crossing, &problem, i, 1, &path_end);
    }
    ws_max_min_solve(crossing->solver, &problem);
    for (uint32_t i = 0; i < crossing->member_count; i++) {
        crossing->collide[i] = solve_share(&crossing->classes[i]);
    }
}

/** What a member has while it communicates, and the others do as much of the time as they do. */
static double solve_among(ws_crossing *crossing, uint32_t member)
{
    ws_max_min_problem problem = solve_open(crossing);
    uint32_t path_end = 0;
    uint32_t own = 0;

    for (uint32_t i = 0; i < crossing->member_count; i++) {
        if (i == member) {
            own = problem.class_count;
            solve_add(crossing, &problem, i, 1, &path_end);
        } else if (crossing->wires[i] > 0) {
            solve_add(crossing, &problem, i, crossing->wires[i], &path_end);
        }
    }
    ws_max_min_solve(crossing->solver, &problem);
    return solve_share(&crossing->classes[own]);
}

/** One round from the shares of `duty`; the largest change, relative to the share. */
static double solve_round(ws_crossing *crossing)
{
    const ws_crossing_above *above = &crossing->options.above;
    double change = 0;

    for (uint32_t i = 0; i < crossing->member_count; i++) {
        ws_crossing_load load = above->load(above->context, crossing->queue[i], crossing->duty[i]);
        WS_ASSERT(load.wire >= 0);
        WS_ASSERT(load.wire <= 1);
        crossing->wires[i] = load.wire;
    }
    for (uint32_t i = 0; i < crossing->member_count; i++) {
        crossing->next[i] = solve_among(crossing, i);
        change = fmax(change, fabs(crossing->next[i] - crossing->duty[i]) / crossing->next[i]);
    }
    for (uint32_t i = 0; i < crossing->member_count; i++) {
        crossing->duty[i] = crossing->next[i];
    }
    return change;
}

bool ws_crossing_solve(ws_crossing *crossing)
{
    for (uint32_t i = 0; i < crossing->member_count; i++) {
        crossing->duty[i] = 1;
        crossing->collide[i] = 1;
    }
    if (crossing->local_count == 0) {
        WS_ASSERT(crossing->member_count == 1);
        return true;
    }
    solve_collide(crossing);
    for (int round = 0; round < WS_CROSSING_ROUNDS_MAX; round++) {
        if (solve_round(crossing) <= SOLVE_TOLERANCE) {
            return true;
        }
    }
    return false;
}
