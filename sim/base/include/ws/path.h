/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Confined paths: a path inside a file reaches only the folder of that file, unless more is
 * allowed.
 */
#ifndef WS_PATH_H
#define WS_PATH_H

#include <stdbool.h>
#include <stddef.h>

#include "ws/arena.h"
#include "ws/diag.h"
#include "ws/text.h"

typedef struct {
    const char *const *roots; /* folders allowed besides (--allow-root), terminated strings */
    size_t count;
} ws_path_roots;

/** A path as it is written in a file. */
typedef struct {
    ws_text path;
    ws_text folder;             /* an existing folder, that of the file */
    ws_text key;                /* the key that names the file, for the message */
    ws_span at;                 /* the place of the path in its file */
    const ws_path_roots *roots; /* NULL: none */
} ws_path_request;

/** The folder of a file's path, "." when it has none; in the arena. */
ws_text ws_path_folder(ws_text path, ws_arena *arena);

/**
 * Resolves the path (relative to `folder`) following links, and checks that it stays below `folder`
 * or an allowed root. Absolute paths, `..` out of the folder, links out of it and URLs are errors
 * WS7103 with the flag that allows them; a missing file is WS6001 with the near name in that
 * folder, one that cannot be reached WS6003. What leads outside is refused whether it exists or
 * not. Whether it is a regular file is for ws_input_open() to say.
 *
 * @param resolved  absolute, without links, terminated; in the arena
 */
WS_NODISCARD bool ws_path_resolve(ws_text *resolved, const ws_path_request *request,
                                  ws_arena *arena, ws_diag *diag);

#endif
