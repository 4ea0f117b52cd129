/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Diagnostics: what is wrong with an input, where, and how to mend it.
 *
 * They are collected, bounded, and printed by the command line alone. A loader goes on after an
 * error and reports all faults of a file, up to WS_DIAG_MAX; what follows from an earlier fault is
 * not reported. Rules: docs/diagnostics.md.
 */
#ifndef WS_DIAG_H
#define WS_DIAG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ws/arena.h"
#include "ws/text.h"

#define WS_DIAG_MAX 200
#define WS_DIAG_SHOWN_MAX 20

typedef enum {
    WS_SEVERITY_NOTE,
    WS_SEVERITY_WARNING,
    WS_SEVERITY_ERROR,
    WS_SEVERITY_BUG /* an internal check failed: exit status 70 */
} ws_severity;

/** A source text, kept whole so that lines can be quoted. Ends with the arena that holds it. */
typedef struct {
    ws_text name;    /* as shown: "scenario.yaml", "<--set #2>" */
    ws_text content; /* may be empty: then no line is quoted */
} ws_source;

/** A piece of one source line. Line 0: the place is the whole file; a NULL source: no place at all.
 */
typedef struct {
    const ws_source *source;
    int32_t line;   /* from 1 */
    int32_t column; /* from 1, in Unicode scalar values, a byte-order mark not counted */
    int32_t length; /* in Unicode scalar values, >= 1; a span over several lines ends with its first
                       line */
    int64_t offset; /* of the first byte in the content */
} ws_span;

typedef struct {
    ws_severity severity;
    int code;        /* 2101 is printed as WS2101; the first digit is the family */
    ws_text message; /* lower case, no full stop, key and value in backticks */
    ws_span at;
    ws_text label; /* under the carets; may be empty */
    ws_span
        also; /* a second place that disagrees, underlined with dashes; also.source NULL: none */
    ws_text also_label;
    ws_text help;     /* text to paste; may be empty */
    ws_text notes[2]; /* reasons; may be empty */
} ws_diagnostic;

typedef struct {
    ws_arena *arena; /* texts of diagnostics are copied here */
    ws_diagnostic *entries;
    size_t count;       /* kept */
    size_t dropped;     /* beyond WS_DIAG_MAX */
    size_t error_count; /* bugs included */
    size_t warning_count;
    size_t capacity;
} ws_diag;

/** An empty collection; texts and entries live in `arena`. */
void ws_diag_init(ws_diag *diag, ws_arena *arena);

/** True when something of severity error or bug was added. */
bool ws_diag_has_errors(const ws_diag *diag);

/** Adds a diagnostic; all its texts are copied. Beyond WS_DIAG_MAX only the counts move. */
void ws_diag_add(ws_diag *diag, const ws_diagnostic *diagnostic);

/** Adds an error with a place and a printf-style message; for the simple cases. Returns false, for
 * `return ws_diag_error(...)`. */
bool ws_diag_error(ws_diag *diag, int code, ws_span at, const char *format, ...) WS_PRINTF(4, 5);
void ws_diag_warning(ws_diag *diag, int code, ws_span at, const char *format, ...) WS_PRINTF(4, 5);

/** True when both say the same of the same place: severity, code, message, line and offset, and the
 * name of the source, which may have been read twice. */
bool ws_diagnostic_equals(const ws_diagnostic *a, const ws_diagnostic *b);

/** Drops what is said again: of equal ones the first stays. O(count^2). */
void ws_diag_drop_repeated(ws_diag *diag);

/** Every warning becomes an error (`--strict`). */
void ws_diag_make_strict(ws_diag *diag);

/** Sorts by file name in order of first appearance, then line, column, and order of adding. */
void ws_diag_sort(ws_diag *diag);

/** No place. */
extern const ws_span ws_span_none;

/** The span of bytes [from, to) of a source: line and column are counted here, O(from). */
ws_span ws_span_of_bytes(const ws_source *source, size_t from, size_t to);

/**
 * Prints one diagnostic as people read it: severity[code]: message, -->, the source line, carets,
 * label, help, notes. Control characters, tabs, invalid UTF-8 and bidirectional marks of the source
 * are shown escaped. Ends with a newline.
 *
 * @param colour   with ANSI colours
 * @return         a text in `arena`; NULL start when exhausted
 */
ws_text ws_diagnostic_print(const ws_diagnostic *diagnostic, bool colour, ws_arena *arena);

#endif
