/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The streams: answers on standard output through a writer, everything else on standard error. */
#ifndef WS_CLI_OUTPUT_H
#define WS_CLI_OUTPUT_H

#include "terminal.h"
#include "ws/diag.h"
#include "ws/writer.h"

/** A writer to standard output; ends with ws_output_finish(). */
void ws_output_begin(ws_writer *writer);

/**
 * Flushes. Returns `status`, or WS_STATUS_PIPE when the reader went away (silently), or
 * WS_STATUS_FAILED after a message.
 */
int ws_output_finish(ws_writer *writer, int status);

/** printf to standard error; its own failure is nobody's business. */
void ws_output_error(const char *format, ...) WS_PRINTF(1, 2);

/** A foreign text as it may be shown: hidden characters escaped, cut after 200 bytes. */
ws_text ws_output_shown(ws_text text, ws_arena *arena);

/**
 * Prints diagnostics to standard error, those from index `from` on: at most WS_DIAG_SHOWN_MAX, then
 * how many more, then a line of counts.
 *
 * @param quiet  errors alone
 */
void ws_output_diagnostics(const ws_diag *diag, size_t from, const ws_terminal *terminal,
                           bool quiet, ws_arena *arena);

/** WS_STATUS_BUG when a diagnostic is one of a bug, else `status`. */
int ws_output_status(const ws_diag *diag, int status);

#endif
