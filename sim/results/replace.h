/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Putting a new folder into the place of an old one, and putting right what a killed process left.
 *
 * POSIX has no exchange of two folders, so that it takes two renames: the old one goes to
 * `.NAME.old-PID-N`, the new one takes the place. A process killed between the two leaves the place
 * empty and both folders whole; the next writer, who has the lock, moves the old one back before it
 * does anything else. At no moment are there parts of a folder in the place.
 */
#ifndef WS_RESULTS_REPLACE_H
#define WS_RESULTS_REPLACE_H

#include <stdbool.h>

#include "ws/text.h"

#include "old_folder.h"
#include "place.h"

/** Makes an empty folder `.NAME.tmp-PID-N`. False with WS8001. */
WS_NODISCARD bool ws_replace_begin(const ws_place *place, ws_text *temporary);

/**
 * Removes temporary folders that dead writers left, and settles their unfinished replacements. What
 * cannot be removed is left; what is not ours is kept under a name that shows, with a warning
 * WS8103. The lock must be held.
 */
void ws_replace_recover(const ws_place *place);

/**
 * Renames the temporary folder into the place and removes what was there. False with WS8001; the
 * place is as it was then.
 *
 * @param kind  what ws_old_folder_check() has found there
 */
WS_NODISCARD bool ws_replace_commit(const ws_place *place, ws_text temporary, ws_old_folder kind);

#endif
