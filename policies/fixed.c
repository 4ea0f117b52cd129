/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A constant size: what a cluster without an autoscaler has, and the arm that others are measured
 * against. */
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ws/assert.h"
#include "ws/policy.h"

#include "list.h"

#define CODE_WRONG_SIZE 4401

typedef struct {
    const ws_document *self;
    int64_t nodes;
    int64_t replicas;
    bool has_nodes;
    bool has_replicas;
} fixed_parameters;

typedef struct {
    ws_target_kind target;
} fixed_state;

static const ws_parameter fixed_rows[] = {
    {.kind = WS_PARAMETER_SELF, .offset = offsetof(fixed_parameters, self)},
    {.name = "nodes",
     .kind = WS_PARAMETER_COUNT,
     .offset = offsetof(fixed_parameters, nodes),
     .present_offset = offsetof(fixed_parameters, has_nodes),
     .help = "of a pool; without it the pool keeps the size that it begins with"},
    {.name = "replicas",
     .kind = WS_PARAMETER_COUNT,
     .offset = offsetof(fixed_parameters, replicas),
     .present_offset = offsetof(fixed_parameters, has_replicas),
     .help = "of a job, or of each job; without it every job keeps the size that it asks for"},
};

static const ws_parameter_table fixed_table = {
    .noun = "fixed",
    .rows = fixed_rows,
    .count = WS_COUNT_OF(fixed_rows),
    .bytes = sizeof(fixed_parameters),
};

static bool fixed_check(const void *parameters, const ws_target *target, ws_arena *arena,
                        ws_diag *diag)
{
    const fixed_parameters *given = parameters;
    bool is_pool = target->kind == WS_TARGET_POOL;
    const char *wrong = is_pool ? "replicas" : "nodes";
    const char *right = is_pool ? "nodes" : "replicas";
    const ws_document *value = NULL;

    (void)arena;
    WS_ASSERT(given != NULL);

    if (!(is_pool ? given->has_replicas : given->has_nodes)) {
        return true;
    }
    value = given->self == NULL ? NULL : ws_document_find(given->self, wrong);
    return ws_diag_error(diag, CODE_WRONG_SIZE, value == NULL ? ws_span_none : value->at,
                         "`%s` does not go with a %s: write `%s`", wrong, is_pool ? "pool" : "job",
                         right);
}

static bool fixed_init(void *state, const void *parameters, const ws_policy_site *site,
                       ws_arena *arena)
{
    fixed_state *fixed = state;

    (void)parameters;
    (void)arena;
    WS_ASSERT(site != NULL);

    fixed->target = site->target.kind;
    return true;
}

static void fixed_decide(void *state, const void *parameters, const ws_view *view, ws_plan *plan)
{
    const fixed_state *fixed = state;
    const fixed_parameters *given = parameters;
    bool is_pool = fixed->target == WS_TARGET_POOL;
    int64_t size = is_pool ? given->nodes : given->replicas;

    WS_ASSERT(view != NULL);

    /* A pool is set once; jobs arrive later, and every one of them is set when it does. */
    if (!(is_pool ? given->has_nodes : given->has_replicas) || !ws_view_target_exists(view) ||
        (is_pool && (ws_view_wakes(view) & WS_WAKE_START) == 0)) {
        return;
    }
    ws_plan_reason(plan, "fixed at %" PRId64 " %s", size, is_pool ? "nodes" : "replicas");
    ws_plan_set_target(plan, size);
}

const ws_policy_type ws_policy_fixed = {
    .name = "fixed",
    .summary = "keeps one size, whatever happens",
    .parameters = &fixed_table,
    .state_bytes = sizeof(fixed_state),
    .deployable = true,
    .wakes = WS_WAKE_START | WS_WAKE_JOB_ARRIVED,
    .target_kinds = 1u << WS_TARGET_POOL | 1u << WS_TARGET_JOB | 1u << WS_TARGET_JOBS,
    .check = fixed_check,
    .init = fixed_init,
    .decide = fixed_decide,
};
