/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ws/arbiter.h"

/** A waiting job starts where it fits, or takes the place of jobs of lower priority. */
static bool priority_start(ws_arbitration *arbitration, size_t job)
{
    int32_t possible = ws_arbitration_possible(arbitration, job);

    if (possible == 0 &&
        ws_arbitration_make_room(arbitration, job, ws_arbitration_least(arbitration, job))) {
        possible = ws_arbitration_possible(arbitration, job);
    }
    return possible > 0 && ws_arbitration_grant(arbitration, job, possible);
}

/**
 * One class: those that wait, in order, until one does not fit; then those that could grow.
 *
 * @return false: someone was left waiting, and nothing is left for lower classes
 */
static bool priority_class(ws_arbitration *arbitration, int32_t priority)
{
    size_t job = ws_arbitration_next_waiting(arbitration, 0);

    for (; job != WS_INDEX_NONE; job = ws_arbitration_next_waiting(arbitration, job + 1)) {
        if (ws_arbitration_priority(arbitration, job) == priority &&
            !priority_start(arbitration, job)) {
            return false;
        }
    }
    job = ws_arbitration_next_hungry(arbitration, 0);
    for (; job != WS_INDEX_NONE; job = ws_arbitration_next_hungry(arbitration, job + 1)) {
        if (ws_arbitration_priority(arbitration, job) == priority) {
            ws_arbitration_grow(arbitration, job);
        }
    }
    return true;
}

static void priority_pass(ws_arbitration *arbitration)
{
    const int32_t *priorities = NULL;
    size_t count = ws_arbitration_priorities(arbitration, &priorities);
    size_t i = 0;

    while (i < count && priority_class(arbitration, priorities[i])) {
        i++;
    }
}

const ws_arbiter_type ws_arbiter_priority = {
    .name = "priority",
    .summary = "by priority, then in order of submission; preempts running jobs of lower priority",
    .pass = priority_pass,
};
