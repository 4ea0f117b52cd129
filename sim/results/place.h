/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * The place of a results folder: its path in parts, the parents that were made for it, and its
 * lock.
 *
 * Beside the folder NAME lie, only while it is written or after a crash: `.NAME.lock`,
 * `.NAME.tmp-PID-N` (the new one) and
 * `.NAME.old-PID-N` (the one that is replaced).
 */
#ifndef WS_RESULTS_PLACE_H
#define WS_RESULTS_PLACE_H

#include <stdbool.h>
#include <stddef.h>

#include "ws/arena.h"
#include "ws/diag.h"
#include "ws/text.h"

typedef struct {
    ws_text path;      /* without slashes at the end, terminated */
    ws_text name;      /* its last component */
    ws_text parent;    /* terminated, "." when the path has none */
    ws_text before;    /* all of the path before the name: "results/", or empty */
    size_t made_bytes; /* of `before`: the length of the first parent that was made here; 0: none */
    int lock_fd;       /* -1: not locked */
    ws_text lock;      /* path of the lock file, terminated */
    ws_arena *arena;
    ws_diag *diag;
} ws_place;

/** Takes a path apart. False with WS8101 when it names no folder that could be renamed ("", "/",
 * "."), or WS9007. */
WS_NODISCARD bool ws_place_init(ws_place *place, const char *path, ws_arena *arena, ws_diag *diag);

/**
 * Makes the parents that are absent and takes the lock. False with WS8001 or WS8102 when another
 * process has it; what was made is removed then.
 *
 * The lock is a file with the number of the process and an flock() on it. The flock() decides: it
 * goes with the process, so that a file that a killed process left is taken over. On file systems
 * without flock() who creates the file has the lock.
 */
WS_NODISCARD bool ws_place_enter(ws_place *place);

/** Removes the lock, and those parents that were made and are empty. */
void ws_place_leave(ws_place *place);

/** Path of `.NAME` + suffix beside the folder, terminated; NULL start with WS9007 when the arena is
 * exhausted. */
ws_text ws_place_beside(const ws_place *place, ws_text suffix);

/** Adds an error with a help text, which may be empty. Returns false. */
bool ws_place_refuse(const ws_place *place, int code, ws_text message, ws_text help);

/** WS8001 "cannot VERB `path`: the system's words". Returns false. */
bool ws_place_fail(const ws_place *place, const char *verb, ws_text path, int error);

/** WS9007. Returns false. */
bool ws_place_exhausted(const ws_place *place);

#endif
