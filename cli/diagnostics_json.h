/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Diagnostics for machines. */
#ifndef WS_CLI_DIAGNOSTICS_JSON_H
#define WS_CLI_DIAGNOSTICS_JSON_H

#include "ws/diag.h"
#include "ws/writer.h"

/**
 * Writes each diagnostic as an object into the list that is open: {severity, code, message, file,
 * line, column, end_line, end_column, byte_offset, label, help[], notes[], related[]}. What has no
 * place has null for it.
 */
void ws_diagnostics_write_json(ws_writer *json, const ws_diag *diag);

#endif
