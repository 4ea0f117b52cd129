/* SPDX-License-Identifier: GPL-3.0-or-later */
/** What a command that writes a trace did, and its answer for people and for machines. */
#ifndef WS_CLI_TRACE_MADE_H
#define WS_CLI_TRACE_MADE_H

#include "terminal.h"
#include "ws/trace.h"

/** One file that was read. */
typedef struct {
    ws_file_name file;
    const ws_trace_type *type;
    int64_t bytes; /* as it lies there, packed or not */
    char sha256[WS_SHA256_TEXT_BYTES];
} ws_trace_source;

typedef struct {
    const ws_trace_source *sources;
    size_t source_count;
    const ws_trace_report *report; /* of all of them, and of the window */
    const ws_trace *trace;         /* as it was written */
    bool is_merged;
    int64_t renamed; /* jobs that got another id, as they were merged */
    const ws_trace_export *form;
    ws_text file; /* as it may be shown */
    int64_t bytes;
    char sha256[WS_SHA256_TEXT_BYTES];
    ws_text rejects; /* the file with the rejected rows; empty: none was written */
    const ws_diag *diag;
    const ws_terminal *terminal;
} ws_trace_made;

/** A word and its meaning a line. */
void ws_trace_made_write_text(const ws_trace_made *made, ws_writer *out, ws_arena *arena);

/** One document: schema worldsize.trace-file/v1, described in docs/output.md. */
void ws_trace_made_write_json(const ws_trace_made *made, ws_writer *json);

#endif
