/* SPDX-License-Identifier: GPL-3.0-or-later */
/** What holds for the diagnostics of any reader. */
#ifndef WS_TESTS_CHECK_DIAG_H
#define WS_TESTS_CHECK_DIAG_H

#include "ws/diag.h"

/** There is an error exactly when reading failed, places lie within their sources, and nothing that
 * is printed would be obeyed by a terminal. */
void ws_check_diag(const ws_diag *diag, bool good, ws_arena *arena);

#endif
