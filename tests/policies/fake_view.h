/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * A view and a plan without a simulator behind them: a policy is shown what a test wrote down, and
 * the test reads what the policy planned. Defines every function of ws/policy.h, so that those of
 * the simulator stay out of the program.
 */
#ifndef WS_TESTS_FAKE_VIEW_H
#define WS_TESTS_FAKE_VIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ws/policy.h"

/** What one query shows. */
typedef struct {
    const ws_pod *pods;
    size_t pod_count;
    const ws_sample *samples;
    size_t sample_count;
} ws_fake_query;

struct ws_view {
    ws_time now;
    uint32_t wakes;
    const ws_view_pool *pools;
    size_t pool_count;
    const ws_view_job *jobs;
    size_t job_count;
    bool target_exists;
    int32_t wanted;
    int32_t existing;
    ws_fake_query queries[WS_QUERIES_MAX];
};

/** Begin with zeros. */
struct ws_plan {
    size_t set_count; /* calls that set a size, of any kind */
    bool has_target;
    int64_t target;
    int64_t smallest; /* size that was set */
    bool has_call_back;
    ws_time call_back;
    char reason[256];
    char explanation[4096]; /* one step a line */
    size_t explanation_length;
};

#endif
