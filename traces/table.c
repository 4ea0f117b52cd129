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

static const char *table_separator_name(char separator)
{
    switch (separator) {
    case ';':
        return "semicolons";
    case '\t':
        return "tabs";
    case '|':
        return "vertical bars";
    case ' ':
        return "blanks";
    default:
        return "commas";
    }
}

/* The separator that a header of one field holds, or 0. */
static char table_guess_separator(ws_text only, char own)
{
    static const char others[] = "|\t;,";
    char guess = 0;

    for (size_t i = 0; i < sizeof others - 1; i++) {
        if (others[i] != own && ws_text_find_byte(only, others[i]) < only.length) {
            guess = others[i];
        }
    }
    return guess;
}

/* A header of one field that holds another separator: says so and returns true. */
static bool table_tell_separator(ws_table *table)
{
    ws_csv_reader *csv = &table->csv;
    ws_text only = csv->fields[0].text;
    bool is_comment = only.length > 0 && only.start[0] == '#';
    char own = csv->dialect.separator == 0 ? ',' : csv->dialect.separator;
    char guess = table_guess_separator(only, own);
    ws_diagnostic diagnostic = {.severity = WS_SEVERITY_ERROR, .code = 6106};

    if (!is_comment && (csv->field_count != 1 || guess == 0)) {
        return false;
    }
    diagnostic.at = ws_csv_reader_span(csv, 0);
    if (is_comment) {
        diagnostic.message = WS_TEXT("a comment stands where the header line should be");
        diagnostic.help = WS_TEXT("delete the lines that begin with `#`");
    } else {
        diagnostic.message =
            ws_arena_format(csv->diag->arena, "the columns are separated by %s, not by %s",
                            table_separator_name(guess), table_separator_name(own));
        diagnostic.help =
            ws_arena_format(csv->diag->arena, "write the file with %s between its fields",
                            table_separator_name(own));
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
        is_known = is_known || ws_text_trimmed(csv->fields[i - 1].text).length == 0;
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

/* True when the first line names a column, or nearly. */
static bool table_names(const ws_table *table, const char *name)
{
    for (size_t i = 0; i < table->csv.field_count; i++) {
        ws_text field = ws_text_trimmed(table->csv.fields[i].text);

        if (table_name_equals(field, name) || ws_text_nearest(field, &name, 1) == 0) {
            return true;
        }
    }
    return false;
}

/* True when the first line names one of the needed columns, or nearly. */
static bool table_names_any(const ws_table *table)
{
    for (size_t column = 0; column < table->column_count; column++) {
        if (table->columns[column].required && table_names(table, table->columns[column].name)) {
            return true;
        }
    }
    return false;
}

static bool table_tell_no_header(const ws_table *table)
{
    ws_arena *arena = table->csv.diag->arena;
    ws_diagnostic diagnostic = {.severity = WS_SEVERITY_ERROR,
                                .code = 6101,
                                .message =
                                    WS_TEXT("the first line names none of the columns: there is no "
                                            "header line, or this is another format"),
                                .at = ws_csv_reader_span(&table->csv, table->csv.field_count)};

    diagnostic.notes[0] = ws_arena_format(arena, "needed are %.*s",
                                          WS_TEXT_ARGS(table_list_columns(table, true, arena)));
    ws_diag_add(table->csv.diag, &diagnostic);
    return false;
}

static bool table_read_header(ws_table *table)
{
    bool is_complete = true;

    if (table_tell_separator(table)) {
        return false;
    }
    if (!table_names_any(table)) {
        return table_tell_no_header(table);
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

/* Columns by their place; the first record is a row. */
static void table_number_columns(ws_table *table)
{
    for (size_t column = 0; column < table->column_count; column++) {
        table->field_of[column] = (int32_t)column;
    }
    table->header_fields = table->column_count;
    table->is_numbered = true;
    table->is_first_pending = true;
}

static bool table_begin(ws_table *table, bool has_no_header)
{
    if (has_no_header && (table->csv.field_count == 0 ||
                          !table_name_equals(table->csv.fields[0].text, table->columns[0].name))) {
        table_number_columns(table);
        return true;
    }
    return table_read_header(table);
}

bool ws_table_open(ws_table *table, ws_trace_reading *reading, const ws_trace_column *columns,
                   size_t count)
{
    WS_ASSERT(columns != NULL || count == 0);
    return ws_table_open_as(table, reading, columns, count, NULL);
}

bool ws_table_open_as(ws_table *table, ws_trace_reading *reading, const ws_trace_column *columns,
                      size_t count, const ws_table_form *form)
{
    const ws_table_form usual = {.has_no_header = false};

    WS_ASSERT(table != NULL);
    WS_ASSERT(reading != NULL);
    WS_ASSERT(count <= WS_TABLE_COLUMNS_MAX);

    form = form == NULL ? &usual : form;
    *table = (ws_table){.reading = reading, .columns = columns, .column_count = count};
    table->file = form->file == NULL ? reading->file : form->file;
    if (!ws_csv_reader_open(&table->csv, table->file, &reading->options->limits, reading->arena,
                            reading->diag)) {
        return false;
    }
    table->csv.dialect = form->dialect;
    if (!ws_csv_reader_next(&table->csv)) {
        if (ws_csv_reader_close(&table->csv)) {
            (void)ws_diag_error(reading->diag, 6100, table->file->at, "`%.*s` is empty",
                                WS_TEXT_ARGS(table->file->shown));
        }
        return false;
    }
    if (!table_begin(table, form->has_no_header)) {
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

    while (!table->must_stop && (table->is_first_pending || ws_csv_reader_next(&table->csv))) {
        size_t fields = table->csv.field_count;

        table->is_first_pending = false;
        table->rows++;
        table->reading->report->rows_read++;
        if (table->csv.has_bad_quotes) {
            (void)ws_table_fault(table, WS_TRACE_BAD_QUOTES, table->column_count, "%s", "");
        } else if (fields != table->header_fields) {
            (void)ws_table_fault(table, WS_TRACE_RAGGED, table->column_count, "%zu fields, %s %zu",
                                 fields, table->is_numbered ? "expected are" : "the header has",
                                 table->header_fields);
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
    ws_text shown = {.start = text};
    va_list arguments;
    int length = 0;

    WS_ASSERT(table != NULL);

    bool is_first = ws_trace_report_count(table->reading->report, finding, table->csv.line);

    if (!is_first && !ws_trace_reading_lists(table->reading, finding)) {
        return false;
    }
    va_start(arguments, label);
    length = vsnprintf(text, sizeof text, label, arguments);
    va_end(arguments);
    length = length < 0 ? 0 : length;
    shown.length = length >= (int)sizeof text ? sizeof text - 1 : (size_t)length;
    if (is_first) {
        table_set_place(table, finding, column, shown);
    }
    if (ws_trace_reading_lists(table->reading, finding)) {
        ws_trace_reading_list(table->reading, &(ws_trace_rejected){.file = table->file->shown,
                                                                   .line = table->csv.line,
                                                                   .finding = finding,
                                                                   .detail = shown,
                                                                   .row = table->csv.record});
    }
    return false;
}

void ws_table_note(ws_table *table, ws_trace_finding finding)
{
    (void)ws_table_fault(table, finding, table->column_count, "%s", "");
}

/* Whether one of the names of a header, in quotes or not, is `wanted`. */
static bool table_header_has(ws_text header, char separator, const char *wanted)
{
    while (header.length > 0) {
        size_t end = ws_text_find_byte(header, separator);
        ws_text name = ws_text_trimmed(ws_text_slice(header, 0, end));

        if (name.length >= 2 && name.start[0] == '"') {
            name = ws_text_slice(name, 1, name.length - 1);
        }
        if (table_name_equals(name, wanted)) {
            return true;
        }
        header = ws_text_slice(header, end + 1, header.length);
    }
    return false;
}

bool ws_table_header_has(ws_text head, char separator, const char *const *names, size_t count)
{
    ws_text header = ws_text_slice(head, 0, ws_text_find_byte(head, '\n'));
    size_t found = 0;

    WS_ASSERT(names != NULL);
    for (size_t i = 0; i < count; i++) {
        found += table_header_has(header, separator, names[i]) ? 1 : 0;
    }
    return found == count;
}
