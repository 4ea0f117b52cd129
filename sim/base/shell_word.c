/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A list of what is allowed, not of what is not: shells differ in what they expand. */
#include "shell_word.h"

#include <string.h>

#include "ws/assert.h"

bool ws_shell_word_is_plain(ws_text word)
{
    WS_ASSERT(word.start != NULL || word.length == 0);

    for (size_t i = 0; i < word.length; i++) {
        char c = word.start[i];
        bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                        (c >= '0' && c <= '9') || (c != '\0' && strchr("._/+-", c) != NULL);
        if (!is_plain) {
            return false;
        }
    }
    return word.length > 0 && word.start[0] != '-';
}
