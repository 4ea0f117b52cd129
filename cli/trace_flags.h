/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The flags with which every command of the family `trace` reads. */
#ifndef WS_CLI_TRACE_FLAGS_H
#define WS_CLI_TRACE_FLAGS_H

#include "command.h"
#include "ws/trace.h"

/** The options that the flags make, less the format and the list of rejected rows. False after a
 * message on standard error. */
WS_NODISCARD bool ws_trace_flags_options(ws_trace_options *options, const ws_invocation *invocation,
                                         const char *command);

/** The format that the flags name, or the one that the file looks like; NULL with an error. */
const ws_trace_type *ws_trace_flags_type(const ws_settings *settings, const ws_file_name *file,
                                         ws_diag *diag);

/** A file named on the command line. */
ws_file_name ws_trace_flags_file(const char *path, ws_arena *arena);

#endif
