/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The list of rejected rows: kept in memory while a trace is read, written once that has ended
 * well. */
#ifndef WS_CLI_TRACE_REJECTS_H
#define WS_CLI_TRACE_REJECTS_H

#include "command.h"
#include "ws/trace.h"

typedef struct {
    ws_arena arena;
    ws_writer writer;
    const char *path; /* NULL: no list is wanted */
    ws_text shown;
    bool only_if_any; /* no file for an empty list */
    bool force;
} ws_trace_rejects;

/** Begins a list for `path` (NULL: none), and has the options write into it. False when there is a
 * file already. It ends with ws_trace_rejects_fini(). */
WS_NODISCARD bool ws_trace_rejects_init(ws_trace_rejects *rejects, const char *path,
                                        bool only_if_any, const ws_invocation *invocation,
                                        ws_trace_options *options, ws_diag *diag);

/**
 * Writes the list. Where it is empty and not wanted then, a list that an earlier run left is
 * removed (which `--force` allowed).
 *
 * @param rejected  how many rows it holds
 * @param written   receives the file as shown; empty when none was written
 * @return          false with an error
 */
WS_NODISCARD bool ws_trace_rejects_write(ws_trace_rejects *rejects, int64_t rejected,
                                         ws_text *written, ws_arena *arena, ws_diag *diag);

/** Returns its memory. */
void ws_trace_rejects_fini(ws_trace_rejects *rejects);

#endif
