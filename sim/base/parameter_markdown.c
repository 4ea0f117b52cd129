/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Parameter tables as pages of the manual: one Markdown table with a line for each key, those of
 * tables below with dotted keys.
 *
 * Tables may hold themselves through lists (a controller in a controller). A chain of the tables
 * around the present one stops that: a table that is in the chain is not entered again.
 */
#include "buffer.h"
#include "parameter_reader.h"

typedef struct markdown_chain {
    const struct markdown_chain *outer;
    const ws_parameter_table *table;
    ws_text prefix; /* of its keys: "cluster.pools[]." */
} markdown_chain;

static bool markdown_chain_has(const markdown_chain *chain, const ws_parameter_table *table)
{
    for (; chain != NULL; chain = chain->outer) {
        if (chain->table == table) {
            return true;
        }
    }
    return false;
}

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

static void markdown_add_code(ws_buffer *page, const char *code)
{
    WS_ASSERT(code != NULL);
    ws_buffer_add_string(page, "`");
    markdown_add_cell(page, ws_text_of(code));
    ws_buffer_add_string(page, "`");
}

/* "a time (`30m`), more than 0s" or "`a`, `b`". */
static void markdown_add_takes(ws_buffer *page, const ws_parameter *row)
{
    const ws_parameter_facts *facts = ws_parameter_facts_of(row->kind);
    ws_text range = ws_parameter_range(row, page->arena);

    WS_ASSERT(facts->takes != NULL);
    if (row->kind == WS_PARAMETER_CHOICE) {
        size_t count = ws_parameter_choice_count(row);

        ws_buffer_add(page, ws_parameter_join(row->choices, count, "`", page->arena));
        return;
    }
    ws_buffer_add_string(page, facts->takes);
    if (row->map_offset != 0) {
        ws_buffer_add_string(page, ", or a map");
    }
    if (row->file_kind != NULL) {
        ws_buffer_add_string(page, ", or the path of a file that holds it");
    }
    if (facts->example != NULL) {
        ws_buffer_add_string(page, " (");
        markdown_add_code(page, facts->example);
        ws_buffer_add_string(page, ")");
    }
    if (range.length > 0) {
        ws_buffer_add_string(page, ", ");
        markdown_add_cell(page, range);
    }
}

static void markdown_add_default(ws_buffer *page, const ws_parameter *row)
{
    if (row->required) {
        ws_buffer_add_string(page, "required");
    } else if (row->default_text != NULL) {
        markdown_add_code(page, row->default_text);
    } else {
        ws_buffer_add_string(page, "none");
    }
}

static void markdown_add_row(ws_buffer *page, ws_text prefix, const ws_parameter *row)
{
    WS_ASSERT(row->name != NULL);
    ws_buffer_add_string(page, "| `");
    ws_buffer_add(page, prefix);
    ws_buffer_add_string(page, row->name);
    ws_buffer_add_string(page, "` | ");
    markdown_add_takes(page, row);
    ws_buffer_add_string(page, " | ");
    markdown_add_default(page, row);
    ws_buffer_add_string(page, " | ");
    markdown_add_cell(page, ws_text_of(row->help));
    ws_buffer_add_string(page, " |\n");
}

static void markdown_add_table(ws_buffer *page, const markdown_chain *chain)
{
    for (size_t i = 0; i < chain->table->count; i++) {
        const ws_parameter *row = &chain->table->rows[i];
        const char *step = row->kind == WS_PARAMETER_MAP_LIST ? "[]." : ".";
        markdown_chain inner = {.outer = chain, .table = row->table};

        if (row->name == NULL) {
            continue;
        }
        markdown_add_row(page, chain->prefix, row);
        if (row->table == NULL || markdown_chain_has(chain, row->table)) {
            continue;
        }
        inner.prefix =
            ws_arena_format(page->arena, "%.*s%s%s", WS_TEXT_ARGS(chain->prefix), row->name, step);
        markdown_add_table(page, &inner);
    }
}

ws_text ws_parameters_print_markdown(const ws_parameter_table *table, ws_arena *arena)
{
    markdown_chain chain = {.table = table};
    ws_buffer page;

    WS_ASSERT(table != NULL);
    ws_buffer_init(&page, arena);
    ws_buffer_add_string(&page, "| key | takes | default | meaning |\n"
                                "| --- | --- | --- | --- |\n");
    markdown_add_table(&page, &chain);
    return ws_buffer_text(&page);
}
