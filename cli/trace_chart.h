/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The picture of a trace: run times, sizes, outcomes, arrivals, and how many GPUs ran. */
#ifndef WS_CLI_TRACE_CHART_H
#define WS_CLI_TRACE_CHART_H

#include "command.h"
#include "ws/trace_summary.h"

/** True when the flag of a chart is not given, or names a file that ends in .svg or .png; false
 * after a message. */
WS_NODISCARD bool ws_trace_chart_is_possible(const ws_invocation *invocation, const char *command);

/** Draws a trace's summary into the flag's file, if there is one. False with an error: WS8001,
 * WS8002, WS8104, no memory. */
WS_NODISCARD bool ws_trace_chart_write(const ws_trace_summary *summary, ws_text file,
                                       const ws_invocation *invocation, ws_arena *arena,
                                       ws_diag *diag);

#endif
