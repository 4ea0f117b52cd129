/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Unpacking of input streams: one constant table of functions for each packing.
 *
 * A codec turns packed bytes into plain ones piece by piece; it neither reads files nor reports.
 * Files that only lead to a refusal (zip, xz, Parquet, ...) are recognised here too, by their first
 * bytes.
 */
#ifndef WS_BASE_INPUT_CODEC_H
#define WS_BASE_INPUT_CODEC_H

#include <stdbool.h>
#include <stddef.h>

#include "ws/text.h"

/** Bytes of a file's start that are looked at to tell its kind. */
#define WS_INPUT_HEAD_BYTES 4096

/** One call's work: both cursors are moved on by what was used. */
typedef struct {
    const unsigned char *in;
    size_t in_left;
    unsigned char *out;
    size_t out_left;
} ws_input_piece;

typedef struct {
    const char *name; /* "gzip", for messages */

    /** A decoder at the start of a stream; NULL without memory. */
    void *(*open)(void);

    /**
     * Unpacks until the output is full or the input used up; with no input it gives what it still
     * holds. NULL, or what is wrong with the stream in words.
     */
    const char *(*unpack)(void *decoder, ws_input_piece *piece);

    /** True between members, where a stream may end. */
    bool (*may_end)(const void *decoder);

    void (*close)(void *decoder);
} ws_input_codec;

/** A kind of file that is not read, and what to do about it. */
typedef struct {
    const char *kind;    /* "a Parquet file" */
    const char *command; /* FILE stands for the file's name */
} ws_input_refusal;

/** The codec for a file that starts with `head`, or NULL for plain text. */
const ws_input_codec *ws_input_codec_find(ws_text head);

/** The reason why a file that starts with `head` (WS_INPUT_HEAD_BYTES, or all of it) is not read,
 * or NULL. */
const ws_input_refusal *ws_input_refusal_find(ws_text head);

#endif
