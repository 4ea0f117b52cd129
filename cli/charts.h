/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Charts of an evaluation, as files of its results folder. */
#ifndef WS_CLI_CHARTS_H
#define WS_CLI_CHARTS_H

#include "ws/evaluate.h"
#include "ws/results.h"

/** Writes charts/pareto.svg: cost against throughput or time. False with a diagnostic. */
WS_NODISCARD bool ws_charts_write(const ws_evaluation *evaluation, ws_results *results,
                                  ws_arena *arena, ws_diag *diag);

/** Names of the files, one blank apart. */
extern const char ws_charts_file_names[];

#endif
