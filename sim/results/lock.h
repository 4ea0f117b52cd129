/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The lock of a place: see place.h for what it promises. */
#ifndef WS_RESULTS_LOCK_H
#define WS_RESULTS_LOCK_H

#include <stdbool.h>

#include "place.h"

/** Takes the lock and writes the number of this process into it. False with WS8102 or WS8001. */
WS_NODISCARD bool ws_lock_take(ws_place *place);

/** Removes the lock file and lets the lock go; nothing when it is not held. */
void ws_lock_release(ws_place *place);

#endif
