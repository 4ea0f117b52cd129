/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "paragraph.h"

#include "ws/assert.h"

#define PARAGRAPH_WIDTH_LEAST 40
#define PARAGRAPH_WIDTH_MOST 100

size_t ws_paragraph_width(const ws_terminal *terminal)
{
    WS_ASSERT(terminal != NULL);

    size_t width = terminal->width;

    width = width > PARAGRAPH_WIDTH_MOST ? PARAGRAPH_WIDTH_MOST : width;
    return width < PARAGRAPH_WIDTH_LEAST ? PARAGRAPH_WIDTH_LEAST : width;
}

void ws_paragraph_write(ws_writer *out, ws_text text, ws_paragraph shape)
{
    size_t column = shape.column;
    bool starts = true; /* no blank is due before the next word */

    WS_ASSERT(shape.width > 0);
    while (text.length > 0) {
        size_t end = ws_text_find_byte(text, ' ');
        ws_text word = ws_text_slice(text, 0, end);
        size_t characters = ws_text_characters(word);
        if (!starts && column + 1 + characters > shape.width) {
            ws_write_format(out, "\n%*s", (int)shape.indent, "");
            column = shape.indent;
            starts = true;
        }
        ws_write_string(out, starts ? "" : " ");
        ws_write_text(out, word);
        column += characters + (starts ? 0 : 1);
        starts = false;
        text = ws_text_slice(text, end + 1, text.length);
    }
    ws_write_string(out, "\n");
}
