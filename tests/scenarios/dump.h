/* SPDX-License-Identifier: GPL-3.0-or-later */
/** What a scenario was loaded as, in words: two that were loaded as the same have the same text. */
#ifndef WS_TESTS_DUMP_H
#define WS_TESTS_DUMP_H

#include "ws/load.h"

/** Every field of the scenario, of the arms (but for the parameters of policies) and of the
 * comparison; numbers in hexadecimal notation, so that equal texts are equal numbers. */
const char *ws_dump(const ws_loaded *loaded, ws_arena *arena);

#endif
