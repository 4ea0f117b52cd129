/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Sticky writers of text, CSV and JSON: write first, check once.
 *
 * After the first failure a writer does nothing more; ws_writer_finish() tells. A writer counts and
 * hashes its bytes as they pass, so that SHA256SUMS needs no second reading. Numbers print in the
 * shortest form that reads back equal, never NaN or infinity (CSV: empty; JSON: null).
 */
#ifndef WS_WRITER_H
#define WS_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ws/arena.h"
#include "ws/diag.h"
#include "ws/sha256.h"
#include "ws/text.h"
#include "ws/total.h"

#define WS_JSON_DEPTH_MAX 64

typedef struct {
    int fd;              /* -1: into memory, or finished */
    bool owns_fd;        /* opened here, so closed here */
    int error;           /* errno of the first failure, 0: none */
    ws_arena *arena;     /* of memory writers, else NULL */
    char *buffer;        /* of memory writers */
    size_t length;       /* bytes in `buffer` or, not yet written, in `small` */
    size_t capacity;     /* of `buffer` */
    int64_t total_bytes; /* taken so far */
    ws_sha256 hash;      /* of all bytes taken so far */
    ws_text name;        /* for the message */
    bool row_started;    /* CSV: a field was written in this row */
    bool csv_raw;        /* CSV: no ' before text that a spreadsheet would take for a formula */
    bool compact;        /* JSON on one line */
    int depth;           /* JSON nesting */
    bool has_members[WS_JSON_DEPTH_MAX];
    bool is_object[WS_JSON_DEPTH_MAX]; /* else a list */
    char small[4096];                  /* the file writer's buffer */
} ws_writer;

/** Writes into memory that ends with the arena. */
void ws_writer_init_memory(ws_writer *writer, ws_arena *arena);

/**
 * Creates a file (O_EXCL, mode 0666 less umask).
 *
 * @param shown  the name for messages; must outlive the writer
 * @return       false with a diagnostic WS8001; nothing to finish then
 */
WS_NODISCARD bool ws_writer_open(ws_writer *writer, const char *path, ws_text shown, ws_diag *diag);

/** Writes to a descriptor that the caller owns (standard output); `shown` must outlive the writer.
 */
void ws_writer_init_fd(ws_writer *writer, int fd, ws_text shown);

/* After a failure these do nothing. Interrupted and short writes are continued, a descriptor that
 * is not ready is waited for. */

/** Appends bytes. */
void ws_write_bytes(ws_writer *writer, const void *bytes, size_t count);

/** Appends a text as it is, without escapes. */
void ws_write_text(ws_writer *writer, ws_text text);

/** Appends a terminated string as it is. */
void ws_write_string(ws_writer *writer, const char *string);

/** printf. Numbers of results go through ws_csv_* and ws_json_*, which read back equal. */
void ws_write_format(ws_writer *writer, const char *format, ...) WS_PRINTF(2, 3);

/**
 * Flushes, and for an opened file fsyncs and closes. False with WS8002 after any failure ("no space
 * left on device"); the number of the system's error is in writer->error. A file that failed is
 * closed but not removed. Called once.
 */
WS_NODISCARD bool ws_writer_finish(ws_writer *writer, ws_diag *diag);

/** What a memory writer holds so far, valid until the next write; NULL start after a failure. */
ws_text ws_writer_text(const ws_writer *writer);

/*
 * CSV: RFC 4180 with LF. Text that begins with = + - @ TAB or CR gets a leading ' (see
 * docs/output.md), numbers never do. Bytes that are no UTF-8 become U+FFFD. Each call writes one
 * field with its comma; the row ends with ws_csv_end_row().
 */

/** A text, quoted when it must be and disarmed when a spreadsheet would run it. */
void ws_csv_text(ws_writer *writer, ws_text field);

/** A whole number. */
void ws_csv_i64(ws_writer *writer, int64_t value);

/** A whole number >= 0. */
void ws_csv_u64(ws_writer *writer, uint64_t value);

/** A number in the shortest form that reads back equal; an empty field for NaN and infinity. */
void ws_csv_f64(ws_writer *writer, double value);

/** true or false. */
void ws_csv_bool(ws_writer *writer, bool value);

/** Exact, in currency units. */
void ws_csv_money(ws_writer *writer, ws_money value);

/** GPU-hours, exact to the GPU-nanosecond. */
void ws_csv_gpu_h(ws_writer *writer, ws_gpu_time value);

/** A missing value. */
void ws_csv_empty(ws_writer *writer);

/** Ends a row of at least one field. */
void ws_csv_end_row(ws_writer *writer);

/*
 * JSON (RFC 8259): members of objects take a key, elements of lists and the top value take NULL.
 * Indented by one blank a level, or on one line when `compact` is set. A newline follows the top
 * value, so that compact values one after another are JSON lines. Bytes that are no UTF-8 become
 * U+FFFD.
 */

/** Opens an object; WS_JSON_DEPTH_MAX levels at most, more is a bug. */
void ws_json_begin_object(ws_writer *writer, const char *key);

/** Closes the object opened last. */
void ws_json_end_object(ws_writer *writer);

/** Opens a list; WS_JSON_DEPTH_MAX levels at most, more is a bug. */
void ws_json_begin_list(ws_writer *writer, const char *key);

/** Closes the list opened last. */
void ws_json_end_list(ws_writer *writer);

/** A string. */
void ws_json_text(ws_writer *writer, const char *key, ws_text value);

/** A whole number. Beyond 2^53 some readers lose digits. */
void ws_json_i64(ws_writer *writer, const char *key, int64_t value);

/** A whole number >= 0. */
void ws_json_u64(ws_writer *writer, const char *key, uint64_t value);

/** A number in the shortest form that reads back equal; null for NaN and infinity. */
void ws_json_f64(ws_writer *writer, const char *key, double value);

/** true or false. */
void ws_json_bool(ws_writer *writer, const char *key, bool value);

/** A missing value. */
void ws_json_null(ws_writer *writer, const char *key);

/** Exact, in currency units. */
void ws_json_money(ws_writer *writer, const char *key, ws_money value); /* exact decimal number */

/** GPU-hours, exact to the GPU-nanosecond. */
void ws_json_gpu_h(ws_writer *writer, const char *key, ws_gpu_time value);

#endif
