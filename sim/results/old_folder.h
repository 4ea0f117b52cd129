/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * What stands in the place of a results folder before it: whether it may be replaced, and its
 * removal.
 *
 * Nothing that this program did not write is ever removed: only the files that SHA256SUMS and
 * SHA256SUMS-local list, those two, run-info.json, and the sub-folders of listed files once they
 * are empty.
 */
#ifndef WS_RESULTS_OLD_FOLDER_H
#define WS_RESULTS_OLD_FOLDER_H

#include <stdbool.h>

#include "ws/text.h"

#include "place.h"

#define WS_SUMMARY_NAME "summary.json"
#define WS_RUN_INFO_NAME "run-info.json"
#define WS_SUMMARY_SCHEMA "worldsize.summary/v1"

typedef enum {
    WS_OLD_FOLDER_NONE,  /* nothing is there */
    WS_OLD_FOLDER_EMPTY, /* a rename may go over it */
    WS_OLD_FOLDER_RESULTS
} ws_old_folder;

/**
 * Looks at what is in the place. False with WS8101 when it must not be replaced: it is no folder,
 * holds something else than results of worldsize, or, without `force`, results of another scenario
 * or files that do not match SHA256SUMS.
 *
 * @param kind  set on true
 */
WS_NODISCARD bool ws_old_folder_check(ws_old_folder *kind, const ws_place *place, ws_text scenario,
                                      bool force);

/**
 * Removes a folder that was moved aside. summary.json goes first and SHA256SUMS last, so that an
 * interrupted removal can be taken up again and is not taken for results. True when the folder is
 * gone, false when foreign files keep it.
 */
WS_NODISCARD bool ws_old_folder_remove(const char *path, ws_arena *arena);

/** True when a folder that was moved aside is still whole, that is, its removal has not begun. */
bool ws_old_folder_is_kept(const char *path);

#endif
