/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Demand: work that arrives at a job over time, whoever is there to do it. What is not done at once
 * waits, and the oldest is done first.
 *
 * A course of demand is made of steps of constant rate, so that work arrives continuously (a fluid
 * queue: Newell, Applications of Queueing Theory, 1971). In a hole nothing is known: no work
 * arrives there as far as anybody can tell, and that time counts for nothing.
 */
#ifndef WS_DEMAND_H
#define WS_DEMAND_H

#include <stdbool.h>
#include <stddef.h>

#include "ws/time.h"

#define WS_DEMAND_STEPS_MAX 10000000

typedef struct {
    ws_time begin;  /* on the scenario's clock */
    double rate;    /* work a second, finite, >= 0; 0 in a hole */
    bool is_known;  /* false: a hole */
    double arrived; /* work of all steps before it */
    ws_time
        known_since; /* begin of the first step of those without a hole up to it; its own, in one
                      */
} ws_demand_step;

typedef struct {
    const ws_demand_step *steps; /* by time, strictly; the first begins at 0 */
    size_t count;                /* >= 1 */
    ws_time end;                 /* of the last step; from here on nothing arrives */
    double total;                /* work of all steps */
} ws_demand;

/**
 * Fills in what follows from the steps before each.
 *
 * @param steps  borrowed; must be valid but for `arrived` and `known_since`
 * @param end    after the begin of the last step
 */
ws_demand ws_demand_of(ws_demand_step *steps, size_t count, ws_time end);

/** Index of the step that a time is in; `count` from the end on. O(log count). */
size_t ws_demand_find(const ws_demand *demand, ws_time at);

/** Work that arrived before a time, >= 0. O(log count). */
double ws_demand_arrived(const ws_demand *demand, ws_time at);

/**
 * Since when the demand has been known without a hole, at a time; after the end it is known that
 * nothing arrives. O(log count).
 *
 * @return  false in a hole; `*since` is untouched then
 */
bool ws_demand_known_since(const ws_demand *demand, ws_time at, ws_time *since);

/** A job's queue at a moment. Sums are since time 0. */
typedef struct {
    double arrived;    /* work */
    double served;     /* work; arrived - waiting */
    double waiting;    /* work, >= 0 */
    double lag_s;      /* age of the oldest work that waits; 0: none waits */
    double waiting_s;  /* work x s: the integral of `waiting` */
    double capacity_s; /* work that the workers could have done while they stepped */
} ws_demand_queue;

/**
 * What came of a job's demand since the end of the warm-up. Time counts while demand is known or
 * work waits: not in a hole, nor after the end, when all is done. Of the lag at each counted
 * moment are the mean, the quantiles (the smallest lag that is not passed for that share of the
 * time) and the maximum, exact but for rounding.
 */
typedef struct {
    double arrived; /* work */
    double served;
    double waiting_begin; /* at the end of the warm-up */
    double waiting;       /* at the end */
    double waiting_max;
    double counted_s;
    double behind_s; /* counted time in which work waited */
    double hole_s;   /* time that did not count because of holes */
    double lag_mean_s;
    double lag_p95_s;
    double lag_p99_s;
    double lag_max_s;
} ws_demand_outcome;

#endif
