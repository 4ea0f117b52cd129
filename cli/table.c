/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * libsmartcols lays the table out. It is told to take all the room it wants, after the columns that
 * do not fit have been left out here: left to itself it would cut cells. It measures characters by
 * the thread's locale, so that is a UTF-8 one (for characters alone) while it works.
 */
#include "table.h"

#include <libsmartcols.h>
#include <locale.h>
#include <stdlib.h>

#define TABLE_GAP "  "
#define TABLE_WIDTH_MAX 100000

static size_t table_column_width(const ws_table *table, size_t column)
{
    WS_ASSERT(column < table->column_count);

    size_t width = ws_text_characters(ws_text_of(table->columns[column].heading));

    for (size_t row = 0; row < table->row_count; row++) {
        ws_text text = table->cells[row * table->column_count + column].text;
        size_t characters = ws_text_characters(text);
        width = characters > width ? characters : width;
    }
    return width;
}

/* How many columns, counted from the left, are shown. */
static size_t table_shown(const ws_table *table, size_t width)
{
    WS_ASSERT(table->kept <= table->column_count);

    size_t taken = 0;

    for (size_t column = 0; column < table->column_count; column++) {
        taken += table_column_width(table, column) + (column > 0 ? sizeof TABLE_GAP - 1 : 0);
        if (width > 0 && taken > width && column >= table->kept) {
            return column;
        }
    }
    return table->column_count;
}

static const char *table_colour(ws_tone tone)
{
    switch (tone) {
    case WS_TONE_GOOD:
        return "green";
    case WS_TONE_BAD:
        return "red";
    case WS_TONE_FAINT:
        return "darkgray";
    case WS_TONE_PLAIN:
        break;
    }
    return NULL;
}

static bool table_add_row(struct libscols_table *lines, const ws_table_cell *cells, size_t shown,
                          ws_arena *arena)
{
    WS_ASSERT(shown >= 1);

    struct libscols_line *line = scols_table_new_line(lines, NULL);

    if (line == NULL) {
        return false;
    }
    for (size_t i = 0; i < shown; i++) {
        ws_text text = ws_arena_copy_text(arena, cells[i].text);
        const char *colour = table_colour(cells[i].tone);
        if (text.start == NULL || scols_line_set_data(line, i, text.start) != 0) {
            return false;
        }
        if (colour != NULL) {
            (void)scols_cell_set_color(scols_line_get_cell(line, i), colour);
        }
    }
    return true;
}

static bool table_fill(struct libscols_table *lines, const ws_table *table, size_t shown,
                       ws_arena *arena)
{
    for (size_t i = 0; i < shown; i++) {
        const ws_table_column *column = &table->columns[i];
        int flags = column->to_the_right ? SCOLS_FL_RIGHT : 0;
        if (scols_table_new_column(lines, column->heading, 0, flags) == NULL) {
            return false;
        }
    }
    for (size_t row = 0; row < table->row_count; row++) {
        if (!table_add_row(lines, table->cells + row * table->column_count, shown, arena)) {
            return false;
        }
    }
    return true;
}

static void table_set_up(struct libscols_table *lines, bool colour)
{
    (void)scols_table_set_column_separator(lines, TABLE_GAP);
    (void)scols_table_enable_noencoding(lines, 1);
    (void)scols_table_enable_colors(lines, colour ? 1 : 0);
    (void)scols_table_set_termforce(lines, SCOLS_TERMFORCE_ALWAYS);
    (void)scols_table_set_termwidth(lines, TABLE_WIDTH_MAX);
    (void)scols_table_enable_minout(lines, 1);
}

static ws_text table_lay_out(const ws_table *table, size_t shown, bool colour, ws_arena *arena)
{
    WS_ASSERT(shown <= table->column_count);

    struct libscols_table *lines = scols_new_table();
    char *laid_out = NULL;
    ws_text text = {.start = NULL};

    if (lines == NULL) {
        return text;
    }
    table_set_up(lines, colour);
    if (table_fill(lines, table, shown, arena) &&
        scols_print_table_to_string(lines, &laid_out) == 0 && laid_out != NULL) {
        text = ws_arena_format(arena, "%s\n", laid_out);
    }
    free(laid_out);
    scols_unref_table(lines);
    return text;
}

ws_text ws_table_print(const ws_table *table, const ws_terminal *terminal, size_t width,
                       size_t *hidden, ws_arena *arena)
{
    size_t shown = table_shown(table, width);
    locale_t characters = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
    locale_t before = (locale_t)0;

    WS_ASSERT(table->column_count <= WS_TABLE_COLUMNS_MAX);
    WS_ASSERT(table->row_count > 0);
    *hidden = table->column_count - shown;
    if (characters != (locale_t)0) {
        before = uselocale(characters);
    }
    ws_text text = table_lay_out(table, shown, terminal->colour_out, arena);
    if (characters != (locale_t)0) {
        (void)uselocale(before);
        freelocale(characters);
    }
    return text;
}
