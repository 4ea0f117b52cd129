/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The words of a Pareto chart. Every text lives in `arena`; NULL start when it is exhausted. */
#ifndef WS_PLOTS_PARETO_PRINT_H
#define WS_PLOTS_PARETO_PRINT_H

#include "pareto_set.h"

/** The small print below the chart. */
ws_text ws_pareto_print(const ws_chart_data *data, const ws_pareto_members *members,
                        ws_arena *arena);

/** What a pointer at rest on an arm shows: "hpa: cost 24,310 USD, throughput 412,000 tokens/s". */
ws_text ws_pareto_arm_title(const ws_chart_data *data, const ws_chart_arm *arm, ws_arena *arena);

/** All arms in numbers, joined by "; ". */
ws_text ws_pareto_describe(const ws_chart_data *data, ws_arena *arena);

#endif
