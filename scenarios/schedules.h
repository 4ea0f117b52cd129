/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Schedules of published training runs: what `stages: {preset: NAME}` stands for. */
#ifndef WS_SCENARIOS_SCHEDULES_H
#define WS_SCENARIOS_SCHEDULES_H

#include <stddef.h>
#include <stdint.h>

#include "ws/quantity.h"

/** One stage, or one of the pair that alternates in every round of `rounds`. */
typedef struct {
    const char *name;
    double work;
    ws_work_unit unit;
    int64_t global_batch; /* samples of a step; 0: batch_tokens */
    int64_t batch_tokens; /* tokens of a step; 0: global_batch */
    int64_t sequence;     /* tokens of a sample */
    double step_time;     /* of what the model says for a sample; 0: as it says */
} ws_schedule_stage;

typedef struct {
    const char *name;
    const char *summary;
    const char *source; /* and what it leaves open */
    const ws_schedule_stage *stages;
    size_t count;
    size_t rounds; /* the last `alternating` stages are repeated so often; 1: once */
    size_t alternating;
} ws_schedule;

size_t ws_schedule_count(void);

/** By index; sorted by name. */
const ws_schedule *ws_schedule_at(size_t index);

#endif
