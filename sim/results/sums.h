/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * SHA256SUMS and SHA256SUMS-local: the files of a folder with their digests, in the format of
 * `sha256sum`, sorted by name.
 *
 * A line is 64 lower-case hexadecimal digits, two blanks, the name, LF. Names are a file or a file
 * in a sub-folder, of printable bytes without `\`, so that no line needs an escape and no name
 * leads out of the folder.
 */
#ifndef WS_RESULTS_SUMS_H
#define WS_RESULTS_SUMS_H

#include <stdbool.h>
#include <stddef.h>

#include "ws/arena.h"
#include "ws/results.h"
#include "ws/sha256.h"
#include "ws/text.h"
#include "ws/writer.h"

#define WS_SUMS_NAME "SHA256SUMS"
#define WS_LOCAL_SUMS_NAME "SHA256SUMS-local"

typedef struct {
    ws_text name; /* terminated */
    char digest[WS_SHA256_TEXT_BYTES];
} ws_sum;

typedef struct {
    ws_sum files[WS_RESULT_FILES_MAX]; /* sorted by the bytes of the name, each name once */
    size_t count;
} ws_sums;

/** True for a name that a results folder may hold: see the head of this file. SHA256SUMS itself is
 * one. */
bool ws_sums_is_name(ws_text name);

/** The sub-folder of a name, without the slash; empty: none. */
ws_text ws_sums_folder_of(ws_text name);

/** Index of a name, or count. */
size_t ws_sums_find(const ws_sums *sums, ws_text name);

/**
 * Adds a file where it belongs. False when there are WS_RESULT_FILES_MAX or the name is there
 * already.
 *
 * @param name    a name as above, terminated; must outlive the sums
 * @param hash    of the file's bytes
 */
WS_NODISCARD bool ws_sums_add(ws_sums *sums, ws_text name, const ws_sha256 *hash);

/** Adds all files of another list. False, and the list is then of no use, when one is in both or
 * there are too many. */
WS_NODISCARD bool ws_sums_merge(ws_sums *sums, const ws_sums *other);

/** All lines. */
void ws_sums_write(const ws_sums *sums, ws_writer *writer);

/**
 * Reads the text of a SHA256SUMS that ws_sums_write() could have written. False, sums undefined, on
 * anything else or when the arena is exhausted.
 */
WS_NODISCARD bool ws_sums_parse(ws_sums *sums, ws_text content, ws_arena *arena);

/** Hashes from a descriptor to its end. False with errno set when it cannot be read. */
WS_NODISCARD bool ws_sums_hash(int fd, ws_sha256 *hash);

#endif
