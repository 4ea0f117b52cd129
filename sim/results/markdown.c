/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The dictionaries as Markdown tables, for docs/output.md. */
#include "ws/assert.h"
#include "ws/event_record.h"

static const char *markdown_value(ws_column_kind kind)
{
    switch (kind) {
    case WS_COLUMN_TEXT:
        return "text";
    case WS_COLUMN_I64:
    case WS_COLUMN_U64:
        return "whole number";
    case WS_COLUMN_F64:
        return "number";
    case WS_COLUMN_BOOL:
        return "`true` or `false`";
    case WS_COLUMN_MONEY:
    case WS_COLUMN_GPU_H:
        return "exact number";
    case WS_COLUMN_OUTCOME:
        return "`done` or `censored`";
    }
    return "";
}

/* A bar would end the cell. */
static void markdown_cell(ws_writer *page, const char *text)
{
    for (const char *at = text; *at != '\0'; at++) {
        if (*at == '|') {
            ws_write_string(page, "\\");
        }
        ws_write_bytes(page, at, 1);
    }
}

/* "`name` | number | GPU | " */
static void markdown_column(ws_writer *page, const ws_column *column)
{
    WS_ASSERT(column->name != NULL);
    WS_ASSERT(column->help != NULL);

    ws_write_format(page, "| `%s` | %s | ", column->name, markdown_value(column->kind));
    markdown_cell(page, column->unit);
    ws_write_string(page, column->unit[0] != '\0' ? " | " : "| ");
    markdown_cell(page, column->help);
}

static void markdown_columns(ws_writer *page, const ws_columns *columns)
{
    WS_ASSERT(columns->count > 0);

    ws_write_string(page, "| column | value | unit | meaning |\n| --- | --- | --- | --- |\n");
    for (size_t i = 0; i < columns->count; i++) {
        markdown_column(page, &columns->columns[i]);
        ws_write_string(page, " |\n");
    }
}

ws_text ws_columns_print_markdown(const ws_columns *columns, ws_arena *arena)
{
    ws_writer page;

    WS_ASSERT(columns != NULL);
    ws_writer_init_memory(&page, arena);
    markdown_columns(&page, columns);
    return ws_writer_text(&page);
}

/* The kinds that have a field, by name; both kinds of `scale` are one. */
static void markdown_kinds(ws_writer *page, uint32_t kinds)
{
    const char *before = "";
    ws_text last = WS_TEXT("");

    for (size_t kind = 0; kind < WS_EVENT_KIND_COUNT; kind++) {
        ws_text name = ws_text_of(ws_event_kinds[kind].name);
        if ((kinds >> kind & 1) != 0 && !ws_text_equals(name, last)) {
            ws_write_format(page, "%s`%.*s`", before, WS_TEXT_ARGS(name));
            before = ", ";
            last = name;
        }
    }
}

static void markdown_events(ws_writer *page)
{
    ws_write_string(page, "| type | when |\n| --- | --- |\n");
    for (size_t kind = 0; kind < WS_EVENT_KIND_COUNT; kind++) {
        ws_write_format(page, "| `%s` | ", ws_event_kinds[kind].name);
        markdown_cell(page, ws_event_kinds[kind].help);
        ws_write_string(page, " |\n");
    }
    ws_write_string(page, "\n| field | value | unit | meaning | of |\n"
                          "| --- | --- | --- | --- | --- |\n");
    for (size_t i = 0; i < ws_event_field_count; i++) {
        markdown_column(page, &ws_event_fields[i].column);
        ws_write_string(page, " | ");
        markdown_kinds(page, ws_event_fields[i].kinds);
        ws_write_string(page, " |\n");
    }
}

ws_text ws_events_print_markdown(ws_arena *arena)
{
    ws_writer page;

    ws_writer_init_memory(&page, arena);
    markdown_events(&page);
    return ws_writer_text(&page);
}

/* ---- all of them ---- */

static const ws_columns *const markdown_tables[] = {
    &ws_run_columns,      &ws_comparison_columns, &ws_job_columns,
    &ws_timeline_columns, &ws_extremes_columns,
};

ws_text ws_output_print_markdown(ws_arena *arena)
{
    ws_writer page;

    ws_writer_init_memory(&page, arena);
    for (size_t i = 0; i < WS_COUNT_OF(markdown_tables); i++) {
        ws_write_format(&page, "## %s\n\n%s.\n\n", markdown_tables[i]->file,
                        markdown_tables[i]->rows);
        markdown_columns(&page, markdown_tables[i]);
        ws_write_string(&page, "\n");
    }
    ws_write_string(&page, "## events.jsonl\n\nOne line for each event, in order of `t_ns` and "
                           "`seq`; of recorded replications.\n\n");
    markdown_events(&page);
    return ws_writer_text(&page);
}
