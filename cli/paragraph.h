/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Running text for people: words in lines that fit the terminal. */
#ifndef WS_CLI_PARAGRAPH_H
#define WS_CLI_PARAGRAPH_H

#include "terminal.h"
#include "ws/text.h"
#include "ws/writer.h"

typedef struct {
    size_t width;  /* columns of a line */
    size_t column; /* where the writer stands: columns that the first line has already */
    size_t indent; /* blanks before each line after the first */
} ws_paragraph;

/** The columns of a line of running text: those of the terminal, 40 at least and 100 at most. */
size_t ws_paragraph_width(const ws_terminal *terminal);

/** Writes the words of a text and ends the line. A word that is longer than a line stands on a line
 * of its own. */
void ws_paragraph_write(ws_writer *out, ws_text text, ws_paragraph shape);

#endif
