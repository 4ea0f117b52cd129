/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The header line and the rows of a table. Names are compared without regard to case: exports
 * differ in it, and no two columns of a format differ in nothing else.
 */
#include "table.h"

#include <stdarg.h>
#include <stdio.h>

#define TABLE_LABEL_BYTES 160

static char table_lower(char byte)
{
    return byte >= 'A' && byte <= 'Z' ? (char)(byte - 'A' + 'a') : byte;
}

static bool table_name_equals(ws_text text, const char *name)
{
    ws_text trimmed = ws_text_trimmed(text);
    size_t i = 0;

    for (; i < trimmed.length && name[i] != '\0'; i++) {
        if (table_lower(trimmed.start[i]) != table_lower(name[i])) {
            return false;
        }
    }
    return i == trimmed.length && name[i] == '\0';
}

/* Names separated by commas, in backticks. */
static ws_text table_list_columns(const ws_table *table, bool required, ws_arena *arena)
{
    ws_text list = WS_TEXT("");

    for (size_t i = 0; i < table->column_count; i++) {
        if (table->columns[i].required == required) {
            list = ws_arena_format(arena, "%.*s%s`%s`", WS_TEXT_ARGS(list),
                                   list.length > 0 ? ", " : "", table->columns[i].name);
        }
    }
    return list;
}

/* A header of one field that holds another separator: says so and returns true. */
static bool table_tell_separator(ws_table *table)
{
    ws_csv_reader *csv = &table->csv;
    ws_text only = csv->fields[0].text;
    const char *guess = NULL;
    ws_diagnostic diagnostic = {.severity = WS_SEVERITY_ERROR, .code = 6106};

    if (csv->field_count != 1) {
        return false;
    }
    guess = ws_text_find_byte(only, ';') < only.length ? "semicolons" : guess;
    guess = ws_text_find_byte(only, '\t') < only.length ? "tabs" : guess;
    guess = ws_text_find_byte(only, '|') < only.length ? "vertical bars" : guess;
    guess = only.length > 0 && only.start[0] == '#' ? "#" : guess;
    if (guess == NULL) {
        return false;
    }
    diagnostic.at = ws_csv_reader_span(csv, 0);
    if (guess[0] == '#') {
        diagnostic.message = WS_TEXT("a comment stands where the header line should be");
        diagnostic.help = WS_TEXT("delete the lines that begin with `#`");
    } else {
        diagnostic.message = ws_arena_format(
            csv->diag->arena, "the columns are separated by %s, not by commas", guess);
        diagnostic.help = WS_TEXT("write the file with commas between its fields");
    }
    ws_diag_add(csv->diag, &diagnostic);
    return true;
}

/* The field of the header that a missing column was probably meant to be, or -1. */
static int table_near_field(const ws_table *table, const char *name)
{
    const ws_csv_reader *csv = &table->csv;

    for (size_t i = 0; i < csv->field_count; i++) {
        bool is_known = false;

        for (size_t column = 0; column < table->column_count; column++) {
            is_known =
                is_known || table_name_equals(csv->fields[i].text, table->columns[column].name);
        }
        if (!is_known && ws_text_nearest(ws_text_trimmed(csv->fields[i].text), &name, 1) == 0) {
            return (int)i;
        }
    }
    return -1;
}

static bool table_tell_missing(const ws_table *table, const char *name)
{
    const ws_csv_reader *csv = &table->csv;
    int near = table_near_field(table, name);
    ws_diagnostic diagnostic = {.severity = WS_SEVERITY_ERROR, .code = 6101};

    diagnostic.message = ws_arena_format(csv->diag->arena, "column `%s` is missing", name);
    diagnostic.at = ws_csv_reader_span(csv, near >= 0 ? (size_t)near : csv->field_count);
    if (near >= 0) {
        diagnostic.label = ws_arena_format(csv->diag->arena, "did you mean `%s`?", name);
    }
    diagnostic.notes[0] =
        ws_arena_format(csv->diag->arena, "needed are %.*s",
                        WS_TEXT_ARGS(table_list_columns(table, true, csv->diag->arena)));
    ws_diag_add(csv->diag, &diagnostic);
    return false;
}

static bool table_tell_double(const ws_table *table, size_t column, size_t first, size_t second)
{
    const ws_csv_reader *csv = &table->csv;
    ws_diagnostic diagnostic = {.severity = WS_SEVERITY_ERROR, .code = 6105};

    diagnostic.message =
        ws_arena_format(csv->diag->arena, "column `%s` appears twice", table->columns[column].name);
    diagnostic.at = ws_csv_reader_span(csv, second);
    diagnostic.also = ws_csv_reader_span(csv, first);
    diagnostic.also_label = WS_TEXT("first here");
    ws_diag_add(csv->diag, &diagnostic);
    return false;
}

/* One note for all columns that the format does not know. */
static void table_tell_extra(const ws_table *table)
{
    const ws_csv_reader *csv = &table->csv;
    size_t extra = 0;
    size_t first = 0;
    ws_diagnostic diagnostic = {.severity = WS_SEVERITY_NOTE, .code = 6120};

    for (size_t i = csv->field_count; i > 0; i--) {
        bool is_known = false;

        for (size_t column = 0; column < table->column_count; column++) {
            is_known = is_known || table->field_of[column] == (int32_t)(i - 1);
        }
        first = is_known ? first : i - 1;
        extra += is_known ? 0 : 1;
    }
    if (extra == 0) {
        return;
    }
    diagnostic.message = ws_arena_format(csv->diag->arena, "%zu unknown %s ignored", extra,
                                         extra == 1 ? "column is" : "columns are");
    diagnostic.at = ws_csv_reader_span(csv, first);
    diagnostic.label = extra == 1 ? WS_TEXT("") : WS_TEXT("the first of them");
    ws_diag_add(csv->diag, &diagnostic);
}

/* Finds one column in the header. */
static bool table_find_column(ws_table *table, size_t column)
{
    const ws_csv_reader *csv = &table->csv;

    table->field_of[column] = -1;
    for (size_t i = 0; i < csv->field_count; i++) {
        if (!table_name_equals(csv->fields[i].text, table->columns[column].name)) {
            continue;
        }
        if (table->field_of[column] >= 0) {
            return table_tell_double(table, column, (size_t)table->field_of[column], i);
        }
        table->field_of[column] = (int32_t)i;
    }
    if (table->field_of[column] < 0 && table->columns[column].required) {
        return table_tell_missing(table, table->columns[column].name);
    }
    return true;
}

static bool table_read_header(ws_table *table)
{
    bool is_complete = true;

    if (table_tell_separator(table)) {
        return false;
    }
    for (size_t column = 0; column < table->column_count; column++) {
        is_complete = table_find_column(table, column) && is_complete;
    }
    if (is_complete) {
        table_tell_extra(table);
    }
    table->header_fields = table->csv.field_count;
    return is_complete;
}

bool ws_table_open(ws_table *table, ws_trace_reading *reading, const ws_trace_column *columns,
                   size_t count)
{
    const ws_file_name *file = NULL;

    WS_ASSERT(table != NULL);
    WS_ASSERT(reading != NULL);
    WS_ASSERT(count <= WS_TABLE_COLUMNS_MAX);

    file = reading->file;
    *table = (ws_table){.reading = reading, .columns = columns, .column_count = count};
    if (!ws_csv_reader_open(&table->csv, file, &reading->options->limits, reading->arena,
                            reading->diag)) {
        return false;
    }
    if (!ws_csv_reader_next(&table->csv)) {
        if (ws_csv_reader_close(&table->csv)) {
            (void)ws_diag_error(reading->diag, 6100, file->at, "`%.*s` is empty",
                                WS_TEXT_ARGS(file->shown));
        }
        return false;
    }
    if (!table_read_header(table)) {
        bool is_closed = ws_csv_reader_close(&table->csv);

        (void)is_closed; /* it has failed already */
        return false;
    }
    return true;
}

bool ws_table_close(ws_table *table)
{
    WS_ASSERT(table != NULL);

    bool is_read = ws_csv_reader_close(&table->csv);

    return is_read && !table->must_stop;
}

bool ws_table_next(ws_table *table)
{
    WS_ASSERT(table != NULL);

    while (!table->must_stop && ws_csv_reader_next(&table->csv)) {
        size_t fields = table->csv.field_count;

        table->rows++;
        table->reading->report->rows_read++;
        if (table->csv.has_bad_quotes) {
            (void)ws_table_fault(table, WS_TRACE_BAD_QUOTES, table->column_count, "%s", "");
        } else if (fields != table->header_fields) {
            (void)ws_table_fault(table, WS_TRACE_RAGGED, table->column_count,
                                 "%zu fields, the header has %zu", fields, table->header_fields);
        } else {
            return true;
        }
    }
    return false;
}

int64_t ws_table_line(const ws_table *table)
{
    WS_ASSERT(table != NULL);

    return table->csv.line;
}

int64_t ws_table_row(const ws_table *table)
{
    WS_ASSERT(table != NULL);

    return table->rows;
}

bool ws_table_has(const ws_table *table, size_t column)
{
    WS_ASSERT(table != NULL);
    WS_ASSERT(column < table->column_count);

    return table->field_of[column] >= 0;
}

ws_text ws_table_text(const ws_table *table, size_t column)
{
    if (!ws_table_has(table, column)) {
        return (ws_text){.start = NULL};
    }
    return ws_text_trimmed(table->csv.fields[table->field_of[column]].text);
}

/* Place and label of the first finding of a kind. A column beyond the table means the whole row. */
static void table_set_place(ws_table *table, ws_trace_finding finding, size_t column, ws_text label)
{
    ws_trace_count *found = &table->reading->report->found[finding];
    size_t field = table->csv.field_count;

    if (column < table->column_count && table->field_of[column] >= 0) {
        field = (size_t)table->field_of[column];
    }
    found->first = ws_csv_reader_span(&table->csv, field);
    found->label = ws_arena_copy_text(table->csv.diag->arena, label);
}

bool ws_table_fault(ws_table *table, ws_trace_finding finding, size_t column, const char *label,
                    ...)
{
    char text[TABLE_LABEL_BYTES];
    va_list arguments;
    int length = 0;

    WS_ASSERT(table != NULL);
    if (!ws_trace_report_count(table->reading->report, finding, table->csv.line)) {
        return false;
    }
    va_start(arguments, label);
    length = vsnprintf(text, sizeof text, label, arguments);
    va_end(arguments);
    length = length < 0 ? 0 : length;
    length = length >= (int)sizeof text ? (int)sizeof text - 1 : length;
    table_set_place(table, finding, column, (ws_text){.start = text, .length = (size_t)length});
    return false;
}

void ws_table_note(ws_table *table, ws_trace_finding finding)
{
    (void)ws_table_fault(table, finding, table->column_count, "%s", "");
}

bool ws_table_header_has(ws_text head, const char *const *names, size_t count)
{
    ws_text header = ws_text_slice(head, 0, ws_text_find_byte(head, '\n'));
    size_t found = 0;

    WS_ASSERT(names != NULL);
    for (size_t i = 0; i < count; i++) {
        ws_text rest = header;
        bool has = false;

        while (!has && rest.length > 0) {
            size_t comma = ws_text_find_byte(rest, ',');
            ws_text name = ws_text_trimmed(ws_text_slice(rest, 0, comma));

            if (name.length >= 2 && name.start[0] == '"') {
                name = ws_text_slice(name, 1, name.length - 1);
            }
            has = table_name_equals(name, names[i]);
            rest = ws_text_slice(rest, comma + 1, rest.length);
        }
        found += has ? 1 : 0;
    }
    return found == count;
}
