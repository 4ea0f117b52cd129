/* SPDX-License-Identifier: GPL-3.0-or-later */
/** What was found while reading, of any record: counted by kind, told once for each kind. */
#ifndef WS_TRACES_FOUND_H
#define WS_TRACES_FOUND_H

#include "ws/trace.h"

/** Counts one, with its line (0: not known). True when it is the first of its kind: then its place
 * and label are still to be set. */
bool ws_trace_count_add(ws_trace_count *found, int64_t line);

/** Adds the counts of `part` to those of `total`, kind by kind. */
void ws_trace_counts_add(ws_trace_count *total, const ws_trace_count *part, size_t kinds);

/** What counts are of. */
typedef struct {
    const char *unit; /* "rows" */
    int64_t total;    /* how many were read */
    bool strict;      /* what was rejected is an error */
} ws_trace_told;

/** One diagnostic at the first place, "3 of 118,204 rows ...", with the first lines; nothing when
 * nothing was counted or the kind has no code. */
void ws_trace_count_tell(const ws_trace_count *found, const ws_trace_finding_row *row,
                         const ws_trace_told *told, ws_diag *diag);

/** The place of bytes [from, to) of a line of a file; the line is copied into `arena`. */
ws_span ws_trace_line_span(ws_text shown, ws_text line, int64_t number, size_t from, size_t to,
                           ws_arena *arena);

#endif
