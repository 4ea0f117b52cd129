/* SPDX-License-Identifier: GPL-3.0-or-later */
/** What `trace fetch` is told by its flags and the environment. */
#ifndef WS_CLI_TRACE_FETCH_FLAGS_H
#define WS_CLI_TRACE_FETCH_FLAGS_H

#include "command.h"
#include "ws/trace_fetch.h"

/** The variable that holds a token, if no flag names a file with one. */
#define WS_TRACE_FETCH_TOKEN_VARIABLE "WORLDSIZE_BEARER_TOKEN"

/**
 * The request that the flags make, less where answers lie and what stops them.
 *
 * @param now_s  Unix time, for `now`
 * @return       false with an error in `diag`
 */
WS_NODISCARD bool ws_trace_fetch_of_flags(ws_trace_fetch *fetch, const ws_settings *settings,
                                          int64_t now_s, ws_arena *arena, ws_diag *diag);

#endif
