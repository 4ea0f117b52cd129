/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Parameter tables as lines for people: one for each key, those of tables below with dotted keys.
 *
 * Tables may hold themselves through lists (a controller in a controller). A chain of the tables
 * around the present one stops that: a table that is in the chain is not entered again.
 */
#include "buffer.h"
#include "parameter_reader.h"

typedef struct describe_chain {
    const struct describe_chain *outer;
    const ws_parameter_table *table;
    ws_text prefix; /* of its keys: "cluster.pools[]." */
} describe_chain;

typedef struct {
    ws_parameter_line *lines;
    size_t count;
    size_t capacity;
    ws_arena *arena;
    bool is_exhausted;
} describe_list;

static bool describe_chain_has(const describe_chain *chain, const ws_parameter_table *table)
{
    for (; chain != NULL; chain = chain->outer) {
        if (chain->table == table) {
            return true;
        }
    }
    return false;
}

/* "a time (`30m`), more than 0s" or "`a`, `b`". */
static ws_text describe_takes(const ws_parameter *row, ws_arena *arena)
{
    const ws_parameter_facts *facts = ws_parameter_facts_of(row->kind);
    ws_buffer text;

    WS_ASSERT(facts->takes != NULL);
    if (row->kind == WS_PARAMETER_CHOICE) {
        return ws_parameter_join(row->choices, ws_parameter_choice_count(row), "`", arena);
    }
    ws_buffer_init(&text, arena);
    ws_buffer_add_string(&text, facts->takes);
    if (row->map_offset != 0) {
        ws_buffer_add_string(&text, ", or a map");
    }
    if (row->file_kind != NULL) {
        ws_buffer_add_string(&text, ", or the path of a file that holds it");
    }
    if (facts->example != NULL) {
        ws_buffer_add_string(&text, " (`");
        ws_buffer_add_string(&text, facts->example);
        ws_buffer_add_string(&text, "`)");
    }
    ws_text range = ws_parameter_range(row, arena);
    if (range.length > 0) {
        ws_buffer_add_string(&text, ", ");
        ws_buffer_add(&text, range);
    }
    return ws_buffer_text(&text);
}

static void describe_add(describe_list *list, ws_text prefix, const ws_parameter *row)
{
    WS_ASSERT(row->name != NULL);

    ws_parameter_line line = {
        .key = ws_arena_format(list->arena, "%.*s%s", WS_TEXT_ARGS(prefix), row->name),
        .takes = describe_takes(row, list->arena),
        .default_text = row->default_text,
        .required = row->required,
        .help = row->help,
    };
    ws_parameter_line *grown = ws_arena_grow(list->arena, list->lines, list->count, list->count + 1,
                                             &list->capacity, sizeof *grown);

    if (grown == NULL || line.key.start == NULL || line.takes.start == NULL) {
        list->is_exhausted = true;
        return;
    }
    list->lines = grown;
    list->lines[list->count++] = line;
}

static void describe_table(describe_list *list, const describe_chain *chain)
{
    for (size_t i = 0; i < chain->table->count && !list->is_exhausted; i++) {
        const ws_parameter *row = &chain->table->rows[i];
        const char *step = row->kind == WS_PARAMETER_MAP_LIST ? "[]." : ".";
        describe_chain inner = {.outer = chain, .table = row->table};

        if (row->name == NULL) {
            continue;
        }
        describe_add(list, chain->prefix, row);
        if (row->table == NULL || describe_chain_has(chain, row->table)) {
            continue;
        }
        inner.prefix =
            ws_arena_format(list->arena, "%.*s%s%s", WS_TEXT_ARGS(chain->prefix), row->name, step);
        describe_table(list, &inner);
    }
}

const ws_parameter_line *ws_parameters_describe(const ws_parameter_table *table, size_t *count,
                                                ws_arena *arena)
{
    describe_chain chain = {.table = table};
    describe_list list = {.arena = arena};

    WS_ASSERT(table != NULL);
    WS_ASSERT(count != NULL);
    list.lines = ws_arena_grow(arena, NULL, 0, 1, &list.capacity, sizeof *list.lines);
    list.is_exhausted = list.lines == NULL;
    describe_table(&list, &chain);
    *count = list.count;
    return list.is_exhausted ? NULL : list.lines;
}
