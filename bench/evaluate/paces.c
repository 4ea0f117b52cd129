/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What an answer has to say of jobs that share links: where the two ways to share them differ, and
 * where one of them came to no answer. */
#include "compare.h"

#define PACES_DIFFER 1.05 /* `collide` over `duty` */

static void paces_warn(ws_diag *diag, int code, ws_text message, const char *help)
{
    WS_ASSERT(help != NULL);

    ws_diag_add(diag, &(ws_diagnostic){.severity = WS_SEVERITY_WARNING,
                                       .code = code,
                                       .message = message,
                                       .help = ws_text_of(help)});
}

/* The run in which the two differ most, the first of equals; NULL: they do not. */
static const ws_run_record *paces_find(const ws_evaluation *evaluation,
                                       const ws_evaluation_arm *arm)
{
    const ws_run_record *most = NULL;
    double ratio = PACES_DIFFER;

    for (size_t i = 0; i < evaluation->replications; i++) {
        const ws_run_record *run = &arm->runs[i].result.run;
        if (arm->runs[i].state == WS_RUN_DONE &&
            run->pace_collide_ratio / run->pace_duty_ratio > ratio) {
            ratio = run->pace_collide_ratio / run->pace_duty_ratio;
            most = run;
        }
    }
    return most;
}

static void paces_warn_differ(const ws_evaluation_arm *arm, const ws_run_record *run, ws_diag *diag)
{
    paces_warn(diag, 8204,
               ws_arena_format(diag->arena,
                               "policy `%.*s`: a step takes %.2f times as long as alone by "
                               "`sharing: duty`, %.2f times by `collide` (job `%.*s` at %.0f s, "
                               "replication %lld)",
                               WS_TEXT_ARGS(arm->arm->name), run->pace_duty_ratio,
                               run->pace_collide_ratio, WS_TEXT_ARGS(run->pace_differ_job),
                               run->pace_differ_at_s, (long long)run->replication),
               "run both: an arm with `set: {network.sharing: collide}` shows the other bound");
}

static void paces_warn_unsettled(const ws_evaluation *evaluation, const ws_evaluation_arm *arm,
                                 ws_diag *diag)
{
    int64_t unsettled = 0;

    for (size_t i = 0; i < evaluation->replications; i++) {
        unsettled += arm->runs[i].state == WS_RUN_DONE ? arm->runs[i].result.run.pace_unsettled : 0;
    }
    if (unsettled > 0) {
        paces_warn(diag, 8205,
                   ws_arena_format(diag->arena,
                                   "policy `%.*s`: %lld times a job's share of the links and its "
                                   "steps came to no fixed point",
                                   WS_TEXT_ARGS(arm->arm->name), (long long)unsettled),
                   "`network.sharing: collide` always has an answer");
    }
}

void ws_compare_paces(const ws_evaluation *evaluation, ws_diag *diag)
{
    WS_ASSERT(evaluation->arm_count >= 1);

    for (size_t i = 0; i < evaluation->arm_count; i++) {
        const ws_evaluation_arm *arm = &evaluation->arms[i];
        const ws_run_record *run = arm->failed ? NULL : paces_find(evaluation, arm);

        if (run != NULL) {
            paces_warn_differ(arm, run, diag);
        }
        if (!arm->failed) {
            paces_warn_unsettled(evaluation, arm, diag);
        }
    }
}
