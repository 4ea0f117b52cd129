/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * A file that is there whole or not at all: written beside its place, then renamed. Signals are
 * held back meanwhile, so that no half of it stays behind.
 */
#ifndef WS_CLI_FILE_OUT_H
#define WS_CLI_FILE_OUT_H

#include "signals.h"
#include "ws/diag.h"
#include "ws/writer.h"

typedef struct {
    ws_writer writer;
    const char *path;
    ws_text shown; /* the path, as messages show it */
    ws_text aside; /* where it is written */
    bool force;    /* a file that exists is replaced */
    ws_signals signals;
} ws_file_out;

/** Refuses a path that cannot be written to: a file that exists without `force`, anything but a
 * regular file always. False with WS8104. */
WS_NODISCARD bool ws_file_out_check(const char *path, ws_text shown, bool force, ws_diag *diag);

/** Begins a file; then its `writer` may be used, and it ends with ws_file_out_end(). False with
 * WS8001 or WS8104. */
WS_NODISCARD bool ws_file_out_begin(ws_file_out *out, const char *path, ws_text shown, bool force,
                                    ws_arena *arena, ws_diag *diag);

/** Brings the file to its place. False with WS8002, or WS8104 when a file has come to be there;
 * then nothing stays. */
WS_NODISCARD bool ws_file_out_end(ws_file_out *out, ws_diag *diag);

#endif
