/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The window that --from, --to and --keep-remainders name. */
#ifndef WS_CLI_TRACE_WINDOW_H
#define WS_CLI_TRACE_WINDOW_H

#include "command.h"
#include "ws/trace.h"

/**
 * Reads them: dates on the trace's clock, or times since its origin (`36h`). False with an error: a
 * date where the clock has none (WS4201), a text that is neither (WS3106), an end that is not after
 * the beginning (WS4201).
 */
WS_NODISCARD bool ws_trace_window_of_flags(ws_trace_window *window, const ws_invocation *invocation,
                                           const ws_trace *trace, ws_diag *diag);

#endif
