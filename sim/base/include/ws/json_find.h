/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Finding single texts in a JSON file that this program wrote, or says it did. JSON of users is
 * read as YAML (ws/yaml.h). */
#ifndef WS_JSON_FIND_H
#define WS_JSON_FIND_H

#include <stdbool.h>
#include <stddef.h>

#include "ws/arena.h"
#include "ws/text.h"

typedef struct {
    const char *object; /* key, in the top object, of the object that holds the text; NULL: the top
                           one itself */
    const char *key;
    ws_text value; /* in the arena, terminated; NULL start: absent, or something else than a text */
} ws_json_wanted;

/**
 * Reads a JSON value from a descriptor to its end and sets the `value` of each of the wanted texts.
 *
 * @param fd         at the begin of the text; stays open
 * @param bytes_max  of the text; the tree takes several times as much memory while it is looked at
 * @return           false, values untouched, when that is no JSON object, holds a key twice in one
 * object, cannot be read, is larger than bytes_max, or the arena is exhausted
 */
WS_NODISCARD bool ws_json_find_texts(int fd, size_t bytes_max, ws_json_wanted *wanted, size_t count,
                                     ws_arena *arena);

#endif
