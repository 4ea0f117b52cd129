/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The job, stage and pool that a question about steps is about. */
#ifndef WS_CLI_STEP_SUBJECT_H
#define WS_CLI_STEP_SUBJECT_H

#include "step_study.h"

typedef struct {
    ws_job_spec job; /* recorded, or of a template with its stages */
    const ws_job_kind *kind;
    size_t stage;
    const ws_pool_spec *pool;
    size_t pool_index;
    double gpu_price_per_h; /* a node's by its GPUs */
    size_t pools_accepted;
    int64_t gpus_max;        /* of all nodes that the accepted pools may have */
    const ws_fabric *fabric; /* may be NULL */
} ws_step_subject;

/** False after a message on standard error. */
WS_NODISCARD bool ws_step_subject_find(ws_step_subject *subject, const ws_loaded *loaded,
                                       const ws_step_question *question, ws_arena *arena);

const ws_stage_spec *ws_step_subject_stage(const ws_step_subject *subject);

/** That many replicas on packed nodes of the pool, alone. */
ws_world ws_step_subject_world(const ws_step_subject *subject, int32_t replicas);

#endif
