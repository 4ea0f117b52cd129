/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Charts of an evaluation, as files of its results folder. */
#ifndef WS_CLI_CHARTS_H
#define WS_CLI_CHARTS_H

#include "ws/evaluate.h"
#include "ws/results.h"

/**
 * Writes charts/pareto, and charts/timeline-ARM and charts/waterfall-ARM for each of the first
 * WS_CHART_ARMS_MAX arms that have runs, as SVG (in SHA256SUMS) and as PNG (in SHA256SUMS-local,
 * since letters hang on the machine's fonts). False with a diagnostic.
 */
WS_NODISCARD bool ws_charts_write(const ws_evaluation *evaluation, ws_results *results,
                                  ws_arena *arena, ws_diag *diag);

/** Names of the files, for people, one blank apart. */
extern const char ws_charts_file_names[];

#endif
