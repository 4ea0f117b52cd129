/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Names in commands that messages propose. */
#ifndef WS_BASE_SHELL_WORD_H
#define WS_BASE_SHELL_WORD_H

#include <stdbool.h>

#include "ws/text.h"

/**
 * True when a shell takes the text as one plain word and no program as an option: letters, digits
 * and `._/+-`, no `-` in front. A name from a file that is anything else must not stand in a
 * command that somebody will paste.
 */
bool ws_shell_word_is_plain(ws_text word);

#endif
