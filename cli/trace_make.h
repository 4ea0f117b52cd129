/* SPDX-License-Identifier: GPL-3.0-or-later */
/** What the commands that write a trace have in common: read, merge, cut, write, answer. */
#ifndef WS_CLI_TRACE_MAKE_H
#define WS_CLI_TRACE_MAKE_H

#include "command.h"
#include "ws/trace.h"

typedef struct {
    const char *command; /* for messages */
    const ws_trace_export *form;
    bool has_window;    /* from the flags */
    bool lists_rejects; /* in OUT.rejects, if nothing else is said */
} ws_trace_make;

/**
 * Reads the operands, puts them together when there are several, and writes the flags' file, which
 * is there whole or not at all.
 *
 * @return  the exit status
 */
int ws_trace_make_run(const ws_trace_make *make, const ws_invocation *invocation);

#endif
