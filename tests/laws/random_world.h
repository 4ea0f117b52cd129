/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Random scenarios with everything in them: several pools and GPU types, random durations of all
 * families, Poisson arrivals beside recorded jobs, failures, recorded outages and reclaims, prices
 * that change, requests that fail, links and a storage that are shared, and some policy.
 */
#ifndef WS_TESTS_RANDOM_WORLD_H
#define WS_TESTS_RANDOM_WORLD_H

#include "ws/run.h"

enum {
    RANDOM_POOLS = 3,
    RANDOM_TEMPLATES = 3,
    RANDOM_RECORDED = 8,
    RANDOM_STAGES = 3,
    RANDOM_KINDS = RANDOM_TEMPLATES + 1,
    RANDOM_POINTS = 4,
    RANDOM_SAMPLES = 5,
    RANDOM_ABSENCES = 48, /* of a pool */
    RANDOM_PRICES = 12
};

typedef struct {
    ws_pool_spec pools[RANDOM_POOLS];
    ws_absence absences[RANDOM_POOLS][RANDOM_ABSENCES];
    ws_price_step prices[RANDOM_POOLS][RANDOM_PRICES];
    double speeds[RANDOM_KINDS][RANDOM_POOLS];
    double samples[RANDOM_SAMPLES]; /* of recorded durations, s */
    double times_to_failure[RANDOM_SAMPLES];
    ws_curve_point points[RANDOM_KINDS][RANDOM_POINTS];
    ws_curve curves[RANDOM_KINDS];
    ws_amdahl amdahls[RANDOM_KINDS];
    ws_stage_template stages[RANDOM_KINDS][RANDOM_STAGES];
    ws_job_template templates[RANDOM_KINDS]; /* the last is that of the recorded jobs */
    ws_stage_spec recorded_stage;
    ws_job_spec recorded[RANDOM_RECORDED];
    ws_controller_spec controllers[2];
    ws_network network;
    ws_scenario scenario;
    ws_arm arm;
} random_world;

/** Draws a world; a function of the seed. Parameters of policies go to the arena. Must not move. */
void random_world_draw(random_world *world, uint64_t seed, ws_arena *arena);

/** Gives each job a storage of its own: nobody waits for the transfers of others. */
void random_world_part_storage(random_world *world);

#endif
