/* SPDX-License-Identifier: GPL-3.0-or-later */
/** What the streams can show: colour, characters, width. The only file that asks the environment
 * about it. */
#ifndef WS_CLI_TERMINAL_H
#define WS_CLI_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum { WS_COLOUR_AUTO, WS_COLOUR_ALWAYS, WS_COLOUR_NEVER } ws_colour_mode;

typedef struct {
    bool colour_out; /* on standard output */
    bool colour_err;
    bool moves_err; /* standard error is a terminal that can go back to the start of the line */
    bool utf8;      /* the locale can show more than ASCII */
    size_t width;   /* columns of standard output, >= 1 */
} ws_terminal;

/**
 * Looks at the streams and the environment.
 *
 * Colour: `mode` beats NO_COLOR (if it is not empty), which beats CLICOLOR_FORCE (if it is not
 * empty and not 0), which beats the question whether the stream is a terminal with a TERM other
 * than dumb. Characters: LC_ALL, LC_CTYPE, LANG, the first that is not empty, as text: no locale is
 * ever set. Width: COLUMNS, else what the terminal says, else 80.
 */
ws_terminal ws_terminal_open(ws_colour_mode mode);

#endif
