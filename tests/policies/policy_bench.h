/* SPDX-License-Identifier: GPL-3.0-or-later */
/** One policy with the parameters of a text, ready to be asked. */
#ifndef WS_TESTS_POLICY_BENCH_H
#define WS_TESTS_POLICY_BENCH_H

#include <stdbool.h>

#include "policies/fake_view.h"
#include "ws/policy.h"

/** All that a test of a policy holds; ends with ws_policy_bench_close(). */
typedef struct {
    ws_arena arena;
    ws_diag diag;
    const ws_source *source;
    const ws_policy_type *type;
    void *parameters;
    void *state;
    ws_target target;
    ws_subscriptions subscriptions;
} ws_policy_bench;

/**
 * Reads and checks parameters in flow style, `{nodes: 8}`, or a key a line.
 *
 * @param text    outlives the bench
 * @return        what the checks say; the diagnostics are in `bench->diag`
 */
bool ws_policy_bench_open(ws_policy_bench *bench, const char *type, ws_target_kind target,
                          const char *text);

/** Prepares the state: a pool of `nodes_min`..`nodes_max` nodes, or a job, whose limits are not
 * told. */
void ws_policy_bench_begin(ws_policy_bench *bench, int32_t nodes_min, int32_t nodes_max);

/** One decision. */
ws_plan ws_policy_bench_ask(ws_policy_bench *bench, const ws_view *view);

/** The first diagnostic as people read it, terminated; an empty text when there is none. */
const char *ws_policy_bench_complaint(ws_policy_bench *bench);

void ws_policy_bench_close(ws_policy_bench *bench);

#endif
