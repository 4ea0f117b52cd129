/* SPDX-License-Identifier: GPL-3.0-or-later */
/** From the records of an evaluation to what charts draw from. Everything lives in `arena`; false
 * when it is exhausted. */
#ifndef WS_CLI_CHART_DATA_H
#define WS_CLI_CHART_DATA_H

#include "ws/chart.h"
#include "ws/evaluate.h"

/** Cost against throughput or time: all arms. */
WS_NODISCARD bool ws_chart_data_pareto(ws_chart_data *data, const ws_evaluation *evaluation,
                                       ws_arena *arena);

/** What an arm did in replication 0. `*has_course` is false when that run was not made or kept no
 * time series. */
WS_NODISCARD bool ws_chart_data_course(ws_chart_course *course, bool *has_course,
                                       const ws_evaluation *evaluation, size_t arm,
                                       ws_arena *arena);

/** Where the GPU-hours of an arm went, over its replications. */
ws_chart_accounts ws_chart_data_accounts(const ws_evaluation *evaluation, size_t arm);

#endif
