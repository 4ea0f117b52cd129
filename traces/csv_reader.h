/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Records of comma-separated values (RFC 4180), one at a time, each field with its place in the
 * file.
 *
 * A dialect may have another separator, comments, or no quotes. Quoted fields may hold commas,
 * doubled quotes and line breaks (a break reads as LF, whatever it was in the file). Blank lines
 * between records are passed over. Outside of quotes a double quote is an ordinary character.
 */
#ifndef WS_TRACES_CSV_READER_H
#define WS_TRACES_CSV_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ws/arena.h"
#include "ws/diag.h"
#include "ws/input.h"
#include "ws/text.h"

#define WS_CSV_FIELDS_MAX 1024
#define WS_CSV_FIELD_BYTES_MAX ((size_t)64 << 10)
#define WS_CSV_RECORD_BYTES_MAX ((size_t)1 << 20)

typedef struct {
    ws_text text; /* without its quotes; valid until the next record */
    size_t from;  /* first byte in the record, the opening quote included */
    size_t to;    /* one past the last, the closing quote included */
    bool is_quoted;
    bool has_doubled; /* quotes inside, written twice */
} ws_csv_field;

/** What is not as in RFC 4180. All zero: nothing. */
typedef struct {
    char separator; /* between fields; 0: a comma; a blank: runs of blanks and tabs */
    char comment;   /* lines that begin with it are passed over; 0: there are none */
    bool is_plain;  /* double quotes are ordinary characters, so that a record is one line */
} ws_csv_dialect;

typedef struct {
    ws_csv_dialect dialect; /* may be set once the reader is open */
    ws_input *input;
    ws_text shown;
    ws_arena *arena; /* the buffers below */
    ws_diag *diag;
    int64_t line;   /* where the record begins, from 1 */
    ws_text record; /* as in the file, its lines joined by LF */
    ws_csv_field *fields;
    size_t field_count;
    bool has_bad_quotes; /* text stands behind a closing quote */
    bool failed;
    char *joined; /* a record of several lines */
    size_t joined_capacity;
    char *plain; /* fields without doubled quotes */
    size_t plain_capacity;
} ws_csv_reader;

/** Opens a file, whose name's texts must outlive the reader. False with a diagnostic; nothing to
 * close then. */
WS_NODISCARD bool ws_csv_reader_open(ws_csv_reader *csv, const ws_file_name *file,
                                     const ws_input_limits *limits, ws_arena *arena, ws_diag *diag);

/**
 * The next record. False at the end, or with an error: a quote that is never closed (WS6102, at the
 * line where it opened), a NUL byte, or a field or record beyond its limit (WS9010).
 */
WS_NODISCARD bool ws_csv_reader_next(ws_csv_reader *csv);

/** Closes. False when anything had failed. */
WS_NODISCARD bool ws_csv_reader_close(ws_csv_reader *csv);

/** Line of a field's first byte, from 1. */
int64_t ws_csv_reader_field_line(const ws_csv_reader *csv, size_t field);

/** The place of a field, or of the record's first line when there is no such field. The line is
 * copied into the diagnostics' arena. */
ws_span ws_csv_reader_span(const ws_csv_reader *csv, size_t field);

#endif
