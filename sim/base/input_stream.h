/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * The lower half of an input: a file that was opened safely, unpacked piece by piece, within its
 * limits.
 *
 * The first fault is reported, and from then on nothing more is given out: half a trace is not a
 * trace.
 */
#ifndef WS_BASE_INPUT_STREAM_H
#define WS_BASE_INPUT_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include "ws/arena.h"
#include "ws/diag.h"
#include "ws/input.h"
#include "ws/text.h"

#include "input_codec.h"

/** Bytes that are read from the file at once. */
#define WS_INPUT_CHUNK_BYTES ((size_t)64 * 1024)

typedef struct {
    ws_text shown;
    ws_span at;
    ws_diag *diag;
    ws_input_limits limits; /* without zeros */
    bool failed;

    int file;
    bool is_stdin;
    struct stat opened; /* the file as it was then */

    const ws_input_codec *codec; /* NULL: plain */
    void *decoder;

    unsigned char raw[WS_INPUT_CHUNK_BYTES]; /* [raw_next, raw_end) is not unpacked yet */
    size_t raw_next;
    size_t raw_end;
    bool raw_ended;
    int64_t raw_bytes; /* read from the file */

    bool ended;
    int64_t bytes; /* unpacked so far */
} ws_input_stream;

/** A limit as people read it: "16 GiB", "1000 bytes". */
ws_text ws_input_print_bytes(ws_arena *arena, int64_t bytes);

/**
 * Opens a file and tells its packing. `stream` has shown, at, diag and limits set, the rest zero.
 * False with a diagnostic; close it then as well.
 */
WS_NODISCARD bool ws_input_stream_open(ws_input_stream *stream, const char *path);

/** Unpacks between 1 and `capacity` bytes; 0 bytes are the end. False with a diagnostic. */
WS_NODISCARD bool ws_input_stream_take(ws_input_stream *stream, char *out, size_t capacity,
                                       size_t *produced);

/** Refuses what a packed file must not hold: another packing or a container. `head` are its first
 * unpacked bytes. */
WS_NODISCARD bool ws_input_stream_check_inner(ws_input_stream *stream, ws_text head);

/** Adds an error at the file's place and ends the stream. Always false, for `return
 * ws_input_stream_fail(...)`. */
bool ws_input_stream_fail(ws_input_stream *stream, const ws_diagnostic *fault);

/** Likewise for WS6003, "cannot read `NAME`: REASON". */
bool ws_input_stream_fail_reading(ws_input_stream *stream, const char *reason);

void ws_input_stream_close(ws_input_stream *stream);

#endif
