/* SPDX-License-Identifier: GPL-3.0-or-later */
/** What is recorded: everything that runs. */
#ifndef WS_RUN_SUBJECT_H
#define WS_RUN_SUBJECT_H

#include "ws/control.h"
#include "ws/run.h"

/** Borrowed. */
typedef struct {
    const ws_arm *arm;
    const ws_run_options *options;
    ws_kernel *kernel;
    ws_fleet *fleet;
    ws_jobs *jobs;
    ws_control *control;
    size_t main_job;   /* index of the main job, or WS_INDEX_NONE */
    size_t demand_job; /* likewise, of the job with demand */
} recorder_subject;

#endif
