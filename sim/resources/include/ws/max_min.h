/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Weighted max-min fair rates of flows that cross links, each flow with a cap of its own.
 *
 * Rates are max-min fair when none can be raised without lowering one that is smaller for its
 * weight. Equivalent, and checked by ws_max_min_is_fair(): no link carries more than its capacity,
 * and each flow is at its cap, or crosses a link that is full on which nobody has a higher rate for
 * its weight.
 *
 * Progressive filling: a level rises, every flow has weight x level, until a cap is met or a link
 * is full; the flows that this concerns keep their rates, the level rises on. Here the next thing
 * to happen is the first of a heap of links and caps: O((links + crossings) log (links + classes)).
 * Source: D. Bertsekas, R. Gallager, Data Networks, 2nd ed., 1992, section 6.5.2.
 *
 * Flows of the same path, weight and cap are one class and have the same rate. Sums run in the
 * order of the arrays, so that the same arrays give the same bits.
 */
#ifndef WS_MAX_MIN_H
#define WS_MAX_MIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ws/arena.h"

/** Flows of the same path, weight and cap. The path is `links[path_first .. path_first + path_count
 * - 1]` of the problem, without repetition; it may be empty where the cap is finite. */
typedef struct {
    uint32_t path_first;
    uint32_t path_count;
    double weight; /* > 0; of one flow */
    double cap;    /* > 0, bytes/s of one flow; INFINITY: none */
    double flows;  /* > 0; mostly a number of flows */
    double rate;   /* out: bytes/s of one flow */
} ws_max_min_class;

/** Borrowed arrays. */
typedef struct {
    const double *capacities; /* of the links, > 0, bytes/s */
    uint32_t link_count;
    ws_max_min_class *classes;
    uint32_t class_count;
    const uint32_t *links; /* the paths */
} ws_max_min_problem;

/** What solving needs, kept between solutions; ends with its arena. */
typedef struct ws_max_min_solver ws_max_min_solver;

/** For problems of up to so many links, classes, and crossings (lengths of all paths together).
 * NULL when the arena is exhausted. */
ws_max_min_solver *ws_max_min_solver_new(ws_arena *arena, uint32_t links, uint32_t classes,
                                         uint32_t crossings);

/** Sets the rates of all classes; each is > 0. */
void ws_max_min_solve(ws_max_min_solver *solver, const ws_max_min_problem *problem);

/** Whether the rates are feasible and max-min fair to a relative 1e-9. O(links + crossings), plus
 * the classes of full links; the solver lends its memory. */
bool ws_max_min_is_fair(ws_max_min_solver *solver, const ws_max_min_problem *problem);

#endif
