/* SPDX-License-Identifier: GPL-3.0-or-later */
/** From runs to statistics: values of metrics, comparisons with the baseline, verdicts, thresholds.
 */
#ifndef WS_EVALUATE_COMPARE_H
#define WS_EVALUATE_COMPARE_H

#include "ws/evaluate.h"

/** Values and summaries of one arm whose runs are in place. False when the arena is exhausted. */
WS_NODISCARD bool ws_compare_summarise(ws_evaluation_arm *arm, size_t replications,
                                       double confidence, ws_arena *arena);

/** Comparisons and thresholds of an evaluation whose arms are summarised. False when the arena is
 * exhausted. */
WS_NODISCARD bool ws_compare_arms(ws_evaluation *evaluation, ws_arena *arena, ws_diag *diag);

/** Warns where the two ways of sharing links differ by more than 5 % in the time of a step
 * (WS8204), and where `duty` came to no answer (WS8205). */
void ws_compare_paces(const ws_evaluation *evaluation, ws_diag *diag);

#endif
