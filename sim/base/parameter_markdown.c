/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parameter tables as pages of the manual: one Markdown table with a line for each key. */
#include "buffer.h"
#include "ws/parameter.h"

/* A bar would end the cell, a line feed the table. */
static void markdown_add_cell(ws_buffer *page, ws_text text)
{
    for (size_t i = 0; i < text.length; i++) {
        if (text.start[i] == '|') {
            ws_buffer_add_string(page, "\\|");
        } else if (text.start[i] == '\n') {
            ws_buffer_add_string(page, " ");
        } else {
            ws_buffer_add(page, ws_text_slice(text, i, i + 1));
        }
    }
}

static void markdown_add_default(ws_buffer *page, const ws_parameter_line *line)
{
    if (line->required) {
        ws_buffer_add_string(page, "required");
    } else if (line->default_text != NULL) {
        ws_buffer_add_string(page, "`");
        markdown_add_cell(page, ws_text_of(line->default_text));
        ws_buffer_add_string(page, "`");
    } else {
        ws_buffer_add_string(page, "none");
    }
}

static void markdown_add_line(ws_buffer *page, const ws_parameter_line *line)
{
    WS_ASSERT(line->key.length > 0);
    ws_buffer_add_string(page, "| `");
    ws_buffer_add(page, line->key);
    ws_buffer_add_string(page, "` | ");
    markdown_add_cell(page, line->takes);
    ws_buffer_add_string(page, " | ");
    markdown_add_default(page, line);
    ws_buffer_add_string(page, " | ");
    markdown_add_cell(page, ws_text_of(line->help));
    ws_buffer_add_string(page, " |\n");
}

ws_text ws_parameters_print_markdown(const ws_parameter_table *table, ws_arena *arena)
{
    size_t count = 0;
    const ws_parameter_line *lines = ws_parameters_describe(table, &count, arena);
    ws_buffer page;

    if (lines == NULL) {
        return (ws_text){.start = NULL};
    }
    ws_buffer_init(&page, arena);
    ws_buffer_add_string(&page, "| key | takes | default | meaning |\n"
                                "| --- | --- | --- | --- |\n");
    for (size_t i = 0; i < count; i++) {
        markdown_add_line(&page, &lines[i]);
    }
    return ws_buffer_text(&page);
}
