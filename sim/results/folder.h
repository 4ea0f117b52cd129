/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * What a results folder asks of the file system: listing, opening without following links, syncing,
 * removing.
 *
 * Functions that return -1 or false have set errno.
 */
#ifndef WS_RESULTS_FOLDER_H
#define WS_RESULTS_FOLDER_H

#include <stdbool.h>

#include "ws/arena.h"
#include "ws/text.h"

/** Opens a folder for the functions below; -1 when it is none, or is a symbolic link. */
int ws_folder_open(const char *path);

/** Opens the sub-folder of an open folder; -1 as above. */
int ws_folder_open_within(int folder, const char *name);

/**
 * Opens a regular file for reading, in the folder or in one sub-folder of it ("charts/pareto.svg").
 * -1 with EINVAL when it is something else; neither the sub-folder nor the file may be a symbolic
 * link.
 */
int ws_folder_open_file(int folder, const char *name);

/** Called for each entry but `.` and `..`; false ends the listing. */
typedef bool (*ws_folder_visit)(void *context, const char *name);

/** Lists an open folder in the file system's order. False when reading fails or a visit returns
 * false (errno is 0 then). */
bool ws_folder_each(int folder, ws_folder_visit visit, void *context);

/** Makes the entries of a folder durable. File systems that cannot sync a folder count as synced.
 */
bool ws_folder_sync(const char *path);

/** Removes the named file or file in a sub-folder; one that is absent counts as removed. */
bool ws_folder_unlink(int folder, const char *name);

/** Removes a folder with all files in it and in its sub-folders, which must hold no folders. True
 * when it is gone. */
bool ws_folder_remove(const char *path);

#endif
