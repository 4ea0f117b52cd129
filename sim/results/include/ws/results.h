/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * The results folder: written beside its place, renamed when whole.
 *
 * A folder that is there already is replaced when it is ours, of the same scenario name, and its sums still match; anything else needs
 * `force`. The old folder is never half gone: the new one takes its place by rename. SHA256SUMS covers every file but itself and
 * run-info.json, the only one that may differ between equal runs.
 */
#ifndef WS_RESULTS_H
#define WS_RESULTS_H

#include <stdbool.h>
#include <stddef.h>

#include "ws/arena.h"
#include "ws/diag.h"
#include "ws/text.h"
#include "ws/writer.h"

#define WS_RESULT_FILES_MAX 256

typedef struct ws_results ws_results;

/**
 * Begins a results folder.
 *
 * @param path      of the folder as it will be; its parents are made
 * @param scenario  name, for the check of an old folder's summary.json
 * @param force     replace a folder that holds a worldsize summary.json even if it was changed or is of another scenario; a folder
 *                  that holds none is never replaced
 * @return          false with WS8101 (folder is something else, or was changed: which file), WS8102 (another process writes it,
 *                  lock file beside it), WS8001 (cannot create); nothing is left behind then
 */
WS_NODISCARD bool ws_results_begin(ws_results **results, const char *path, ws_text scenario, bool force, ws_arena *arena,
                                   ws_diag *diag);

/**
 * Opens a file of the folder ("summary.csv", "charts/pareto.svg") for writing; one at a time. False with a diagnostic.
 *
 * @param writer    initialised here; hand it back with ws_results_close_file()
 * @param summed    listed in SHA256SUMS
 */
WS_NODISCARD bool ws_results_open_file(ws_results *results, const char *name, bool summed, ws_writer *writer);
WS_NODISCARD bool ws_results_close_file(ws_results *results, ws_writer *writer);

/** Path of a file that something else writes (cairo), and its registration once it is there. */
ws_text ws_results_path(ws_results *results, const char *name, ws_arena *arena);
WS_NODISCARD bool ws_results_add_file(ws_results *results, const char *name, bool summed);

/** Writes SHA256SUMS, syncs and renames into place. False with a diagnostic; the old folder is untouched then. */
WS_NODISCARD bool ws_results_commit(ws_results *results);

/** Removes what was begun; after a commit it does nothing. */
void ws_results_abandon(ws_results *results);

#endif
