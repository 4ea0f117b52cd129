/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Scenarios small enough to be worked out by hand, built without a file. */
#ifndef WS_TESTS_SMALL_WORLD_H
#define WS_TESTS_SMALL_WORLD_H

#include "ws/run.h"

/** One pool, one job with one stage, one controller; every part may be changed before the run. */
typedef struct {
    ws_pool_spec pool;
    double speed;
    ws_curve_point point; /* one replica does `rate` work/s; more replicas do in proportion */
    ws_amdahl amdahl;
    ws_stage_template stage;
    ws_job_template job;
    ws_controller_spec controller;
    ws_scenario scenario;
    ws_arm arm;
    ws_run_options options;
} small_world;

/**
 * A pool of nodes with one GPU each at $3.6/h, that start at once and never fail; a job of `work`
 * seconds of one replica that scales linearly and begins at time 0; no policy; a horizon of 1000 s.
 */
void small_world_init(small_world *world, int32_t nodes, double work);

/** A policy that wants `replicas` at a time; its parameters. */
typedef struct {
    ws_time at;
    int64_t replicas;
} small_order;

extern const ws_policy_type small_policy; /* parameters: small_order */

/** Lets the controller give an order to the job (or to the pool when `to_pool`). */
void small_world_order(small_world *world, const small_order *order, bool to_pool);

/** Runs with every invariant checked after every event, asserts success. The result lives in
 * `keep`. */
ws_run_result small_world_run(small_world *world, ws_arena *keep);

#endif
