/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Step models as scenarios write them: `step: {NAME: VALUE}`. Each kind reads its value once, for a
 * job or a stage, and makes the step of each stage that uses it.
 */
#ifndef WS_SCENARIOS_BUILD_STEP_H
#define WS_SCENARIOS_BUILD_STEP_H

#include "build.h"

typedef struct ws_build_step_kind {
    const ws_step_type *type; /* its name is the key */
    const char *shape;        /* for messages: `{curve: {REPLICAS: RATE, ...}}` */
    /** Sets model->parameters and model->unit from model->value. */
    bool (*read)(ws_build *context, ws_build_model *model);
    /** Sets spec->step by model->parameters and spec->batch, which a stage states in samples. */
    bool (*apply)(ws_build *context, const ws_build_model *model, const ws_file_stage *stage,
                  ws_stage_spec *spec);
    /** Whether the job's sizes suit it; NULL: all do. */
    bool (*check)(ws_build *context, const ws_build_model *model, const ws_job_template *template,
                  const ws_file_stage *stage, const ws_stage_spec *spec);
} ws_build_step_kind;

extern const ws_build_step_kind ws_build_step_pollux;
extern const ws_build_step_kind ws_build_step_profile;
extern const ws_build_step_kind ws_build_step_transformer;

/** A stage whose model needs a batch must state one; false with a diagnostic when it does not. */
WS_NODISCARD bool ws_build_need_batch(ws_build *context, const ws_build_model *model,
                                      const ws_file_stage *stage, const ws_stage_spec *spec);

#endif
