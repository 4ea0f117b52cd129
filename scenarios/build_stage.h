/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Parts of a stage: which batch its steps have, what their samples are worth, when it pauses, and
 * how rates in one unit become work in another.
 */
#ifndef WS_SCENARIOS_BUILD_STAGE_H
#define WS_SCENARIOS_BUILD_STAGE_H

#include "build.h"

/** "samples", "tokens", "steps", or "work". */
const char *ws_build_unit_word(ws_work_unit unit);

/** The batch of a stage, as far as it is stated; sets spec->batch. */
WS_NODISCARD bool ws_build_stage_batch(ws_build *context, const ws_job_template *template,
                                       const ws_file_stage *stage, ws_stage_spec *spec);

/**
 * Base batch and rule of the learning rate. The noise scale comes later (ws_build_noise_scales()):
 * a job's goes over all of its stages.
 */
WS_NODISCARD bool ws_build_stage_efficiency(ws_build *context, const ws_file_efficiency *file,
                                            const ws_file_stage *stage, ws_stage_spec *spec);

/** Makes rates of the model's unit work of the stage; batch and base batch must be filled in. */
WS_NODISCARD bool ws_build_stage_unit(ws_build *context, const ws_file_stage *stage,
                                      const ws_build_model *model, ws_stage_spec *spec);

/** Evaluations and writes by steps. */
WS_NODISCARD bool ws_build_stage_pauses(ws_build *context, const ws_file_job *job,
                                        const ws_file_stage *stage, ws_stage_spec *spec);

/** What a unit of work reads of the job's training data; unit and batch must be filled in. */
WS_NODISCARD bool ws_build_stage_reads(ws_build *context, const ws_file_job *job,
                                       const ws_file_stage *stage, ws_stage_spec *spec);

/** Samples in a unit of work of a stage; 0: nothing says how many. */
double ws_build_unit_samples(const ws_file_stage *stage, const ws_stage_spec *spec,
                             ws_work_unit unit);

/** Noise scales of all stages: their own, or their part of the job's. */
WS_NODISCARD bool ws_build_noise_scales(ws_build *context, const ws_file_job *file,
                                        const ws_file_stage *files, ws_stage_template *stages,
                                        size_t count);

/** Most stages of a preset. */
#define WS_PRESET_STAGES_MAX 64

/** The stages of `stages: {preset: ...}`, as if they were written; NULL with a diagnostic. */
const ws_file_stage *ws_build_schedule(ws_build *context, const ws_document *document,
                                       size_t *count);

#endif
