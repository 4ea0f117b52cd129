/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Input streams: files read line by line or whole, gzip and zstd unpacked on the way, with limits
 * on everything.
 *
 * A file is opened without following links out of its folder being checked here: see ws/path.h for
 * confinement. Only regular files are read (no FIFO, no device), except `-` where the caller allows
 * standard input.
 */
#ifndef WS_INPUT_H
#define WS_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ws/arena.h"
#include "ws/diag.h"
#include "ws/text.h"

typedef struct {
    int64_t bytes_max;      /* unpacked; 0: 16 GiB; more is an error WS9013 */
    int64_t line_bytes_max; /* 0: 1 MiB; a longer line is an error WS9010 */
    double ratio_max;       /* unpacked over packed after the first 1 MiB; 0: 200; error WS9012 */
    bool allow_stdin;       /* the path `-` is standard input */
} ws_input_limits;

/** A file as whoever asks for it names it. */
typedef struct {
    const char *path; /* as the operating system takes it, terminated */
    ws_text shown;    /* as messages show it; must outlive what reads the file */
    ws_span at;       /* where the name stands; ws_span_none for the command line */
} ws_file_name;

typedef struct ws_input ws_input;

/**
 * Opens a file. gzip (all members) and zstd (all frames) are recognised by their magic numbers;
 * zip, xz, bzip2, Parquet, xlsx and other containers are refused with the command that converts
 * them (WS6004), inside gzip and zstd too. Memory is bounded by the longest line and the window of
 * the packing (at most 128 MiB for zstd, 32 KiB for gzip).
 *
 * @param name    WS6001 (no such file), WS6002 (not a regular file) and WS6003 (read error) point
 * at it; not kept, but its texts are
 * @param limits  NULL: all defaults
 * @param diag    takes what is wrong, then and while reading; must outlive the input
 * @return        false with a diagnostic; nothing to close then
 */
WS_NODISCARD bool ws_input_open(ws_input **input, const ws_file_name *name,
                                const ws_input_limits *limits, ws_diag *diag);

/**
 * The next line, without its LF, CRLF or lone CR, and without a UTF-8 byte-order mark on the first.
 * It is valid until the next call and may hold NUL bytes. The last line needs no line end; an empty
 * file has no line.
 *
 * @param line_number  of this line, from 1
 * @return  false at the end or on an error; ws_input_close() tells which
 */
WS_NODISCARD bool ws_input_read_line(ws_input *input, ws_text *line, int64_t *line_number);

/**
 * The next bytes, as many as are at hand, at least one, for readers whose records are no lines; a
 * UTF-8 byte-order mark at the start is passed over. Valid until the next call. Do not mix with
 * ws_input_read_line().
 *
 * @return  false at the end or on an error; ws_input_close() tells which
 */
WS_NODISCARD bool ws_input_read_chunk(ws_input *input, ws_text *chunk);

/** Bytes of unpacked input so far: those taken from the stream, which is somewhat ahead of the
 * lines. */
int64_t ws_input_bytes(const ws_input *input);

/** Closes. False when reading had failed (limit, truncated or damaged stream): the diagnostic is in
 * the `diag` of open. */
WS_NODISCARD bool ws_input_close(ws_input *input);

/** A whole file into the arena, byte for byte, with a NUL behind it; line_bytes_max does not
 * matter. False with a diagnostic. */
WS_NODISCARD bool ws_input_load(ws_text *content, const ws_file_name *name,
                                const ws_input_limits *limits, ws_arena *arena, ws_diag *diag);

#endif
