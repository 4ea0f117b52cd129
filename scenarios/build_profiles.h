/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Recorded jobs whose run times are not recorded: their applications' measured profiles say how
 * long they run, at any size.
 *
 * The folder of profiles has one folder for each application (the job's kind), with placements.csv,
 * scalability.csv and a validation-BATCH.csv for each batch that jobs are tuned to
 * (ws/trace_profile.h). All of them are confined as other paths are.
 */
#ifndef WS_SCENARIOS_BUILD_PROFILES_H
#define WS_SCENARIOS_BUILD_PROFILES_H

#include "build.h"

/** What the jobs of one trace need; in the scenario's arena. */
typedef struct ws_build_profiles ws_build_profiles;

/**
 * Reads the profiles of all applications and batches of a trace. Every job must state both.
 *
 * @param file  with `profiles`
 * @return      false with diagnostics: one for each file that is missing or has faults
 */
WS_NODISCARD bool ws_build_read_profiles(ws_build *context, const ws_file_trace *file,
                                         const ws_trace *trace, const ws_build_profiles **profiles);

/** Sets work, unit and step of a stage: all of the training of a job of that trace. */
void ws_build_apply_profile(const ws_build_profiles *profiles, const ws_trace_job *job,
                            ws_stage_spec *stage);

/** Says what is taken for granted, and how many of the jobs may grow beyond what was measured. */
void ws_build_assume_profiles(ws_build *context, const ws_file_trace *file, const ws_job_spec *jobs,
                              size_t count);

#endif
