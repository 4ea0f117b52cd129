/* SPDX-License-Identifier: GPL-3.0-or-later */
/** A table for people: columns that fit the terminal, those that do not left out from the right. */
#ifndef WS_CLI_TABLE_H
#define WS_CLI_TABLE_H

#include "terminal.h"
#include "ws/arena.h"
#include "ws/text.h"

#define WS_TABLE_COLUMNS_MAX 64

typedef enum { WS_TONE_PLAIN, WS_TONE_GOOD, WS_TONE_BAD, WS_TONE_FAINT } ws_tone;

typedef struct {
    const char *heading;
    bool to_the_right;
} ws_table_column;

typedef struct {
    ws_text text; /* characters of one column's width each */
    ws_tone tone;
} ws_table_cell;

typedef struct {
    const ws_table_column *columns;
    size_t column_count;
    size_t kept;                /* columns on the left that are never left out */
    const ws_table_cell *cells; /* row after row */
    size_t row_count;
} ws_table;

/**
 * The table as lines, each with its newline. No cell is ever cut.
 *
 * @param width   columns of the terminal; 0: no limit
 * @param hidden  receives how many columns were left out
 * @return        NULL start when memory is exhausted
 */
ws_text ws_table_print(const ws_table *table, const ws_terminal *terminal, size_t width,
                       size_t *hidden, ws_arena *arena);

#endif
