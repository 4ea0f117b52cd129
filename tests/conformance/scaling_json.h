/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Reading a table of published scaling measurements: {schema, machines: {NAME: {...}}, rows:
 * [...]}.
 */
#ifndef WS_SCALING_JSON_H
#define WS_SCALING_JSON_H

#include "ws/scaling.h"

/** NULL when the file is not such a table; `why` says what is wrong. The rows end with the arena.
 */
const ws_scaling_row *ws_scaling_json_read(const char *path, ws_arena *arena, size_t *count,
                                           ws_text *why);

#endif
