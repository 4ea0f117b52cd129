/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * The results folder: written beside its place, renamed when whole.
 *
 * A folder that is there already is replaced when it is ours, of the same scenario name, and its
 * sums still match; anything else needs `force`. SHA256SUMS covers every file that is the same for
 * equal runs on every machine. SHA256SUMS-local covers those whose bytes hang on the machine (a
 * picture in its fonts); run-info.json, which differs each time, is in neither. A lock beside the
 * folder keeps other writers out from begin to commit.
 *
 * There are never parts of a folder in the place. An old folder is moved aside and the new one
 * takes its place, two renames: a process killed between the two leaves the place empty for the
 * next ws_results_begin(), which puts the old folder back first. Files that are in neither list
 * are never deleted: with `force` they are kept in `NAME.old-PID-N` beside the folder, with a
 * warning WS8103.
 *
 * Source of the scheme: Git's lockfile.h, and SQLite's "Atomic Commit In SQLite" for what to sync
 * in which order.
 */
#ifndef WS_RESULTS_H
#define WS_RESULTS_H

#include <stdbool.h>
#include <stddef.h>

#include "ws/arena.h"
#include "ws/diag.h"
#include "ws/text.h"
#include "ws/writer.h"

/** Most files of each of the two lists. */
#define WS_RESULT_FILES_MAX 256

typedef struct ws_results ws_results;

/**
 * Begins a results folder.
 *
 * @param path      of the folder as it will be, relative to a working directory that stays; its
 * parents are made
 * @param scenario  name, for the check of an old folder's summary.json (schema
 * worldsize.summary/v1, scenario.name); copied
 * @param force     replace a folder that holds a worldsize summary.json even if it was changed or
 * is of another scenario; a folder that holds none is never replaced, unless it is empty
 * @param arena     holds the results and all that they need; must outlive them, as must `diag`,
 * which takes the faults of all calls
 * @return          false with WS8101 (folder is something else, or was changed: which file), WS8102
 * (another process writes it, lock file beside it), WS8001 (cannot create), WS9007; nothing is left
 * behind then
 */
WS_NODISCARD bool ws_results_begin(ws_results **results, const char *path, ws_text scenario,
                                   bool force, ws_arena *arena, ws_diag *diag);

/**
 * Opens a file of the folder ("summary.csv", "charts/pareto.svg") for writing; one at a time. False
 * with WS8001 or WS9007; after that, as after any failure below, a commit is refused.
 *
 * @param name      of a file or of a file in a sub-folder, without control characters and `\`; not
 * SHA256SUMS or SHA256SUMS-local, and each only once
 * @param summed    listed in SHA256SUMS; else in SHA256SUMS-local, but for run-info.json, which is
 * never summed
 * @param writer    initialised here; hand it back with ws_results_close_file() in any case
 */
WS_NODISCARD bool ws_results_open_file(ws_results *results, const char *name, bool summed,
                                       ws_writer *writer);

/** Finishes the writer and makes the file durable. False with WS8002, or WS8003 beyond
 * WS_RESULT_FILES_MAX files. */
WS_NODISCARD bool ws_results_close_file(ws_results *results, ws_writer *writer);

/**
 * Path of a file that something else writes (cairo), in `arena`, terminated; its sub-folder is
 * made. NULL start with WS8001 or WS9007.
 */
ws_text ws_results_path(ws_results *results, const char *name, ws_arena *arena);

/** Registers such a file once it is there: reads it for its sum and makes it durable. False with
 * WS8001 or WS8003. */
WS_NODISCARD bool ws_results_add_file(ws_results *results, const char *name, bool summed);

/**
 * Writes SHA256SUMS, and SHA256SUMS-local if it has a line, syncs, checks once more what is in the
 * place, and renames into it. False with a diagnostic, also when a file had failed before; the old
 * folder is untouched then, and the new one is there until ws_results_abandon().
 */
WS_NODISCARD bool ws_results_commit(ws_results *results);

/** Removes what was begun, lock and parents included; after a commit it does nothing. */
void ws_results_abandon(ws_results *results);

#endif
