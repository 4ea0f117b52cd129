/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A record is scanned once from left to right. Almost every record is one line and is scanned where
 * the input left it; when a line ends within quotes it is copied and the next one joined to it, and
 * the scan goes on where it stopped. Fields are offsets until the record is complete, since joining
 * may move the bytes.
 */
#include "csv_reader.h"

#include <string.h>

#include "found.h"

/* Where the scan stands. */
typedef struct {
    size_t at;    /* next byte */
    bool is_open; /* within quotes */
} csv_scan;

bool ws_csv_reader_open(ws_csv_reader *csv, const ws_file_name *file, const ws_input_limits *limits,
                        ws_arena *arena, ws_diag *diag)
{
    ws_csv_reader opened = {.arena = arena, .diag = diag};

    WS_ASSERT(csv != NULL);
    WS_ASSERT(file != NULL);
    WS_ASSERT(arena != NULL);
    WS_ASSERT(diag != NULL);

    opened.shown = file->shown;
    opened.fields = ws_arena_alloc(arena, ws_csv_field, WS_CSV_FIELDS_MAX);
    if (opened.fields == NULL) {
        return ws_diag_error(diag, 9020, ws_span_none, "not enough memory to read a trace");
    }
    if (!ws_input_open(&opened.input, file, limits, diag)) {
        return false;
    }
    *csv = opened;
    return true;
}

bool ws_csv_reader_close(ws_csv_reader *csv)
{
    bool is_read = false;

    WS_ASSERT(csv != NULL);
    WS_ASSERT(csv->input != NULL);

    is_read = ws_input_close(csv->input);
    csv->input = NULL;
    return is_read && !csv->failed;
}

/* The line of the record that holds byte `from`: its number and its bytes. */
static ws_text csv_line_at(const ws_csv_reader *csv, size_t from, int64_t *line, size_t *line_from)
{
    size_t start = 0;

    *line = csv->line;
    for (size_t i = 0; i < from && i < csv->record.length; i++) {
        if (csv->record.start[i] == '\n') {
            start = i + 1;
            (*line)++;
        }
    }
    ws_text rest = ws_text_slice(csv->record, start, csv->record.length);

    *line_from = start;
    return ws_text_slice(rest, 0, ws_text_find_byte(rest, '\n'));
}

/* The place of the bytes [from, to) of the record, cut at the end of their first line. */
static ws_span csv_span(const ws_csv_reader *csv, size_t from, size_t to)
{
    int64_t line = 0;
    size_t line_from = 0;
    ws_text text = csv_line_at(csv, from, &line, &line_from);

    return ws_trace_line_span(csv->shown, text, line, from - line_from, to - line_from,
                              csv->diag->arena);
}

ws_span ws_csv_reader_span(const ws_csv_reader *csv, size_t field)
{
    WS_ASSERT(csv != NULL);

    if (field >= csv->field_count) {
        return csv_span(csv, 0, csv->record.length);
    }
    return csv_span(csv, csv->fields[field].from, csv->fields[field].to);
}

int64_t ws_csv_reader_field_line(const ws_csv_reader *csv, size_t field)
{
    int64_t line = 0;
    size_t line_from = 0;

    WS_ASSERT(csv != NULL);
    WS_ASSERT(field < csv->field_count);
    (void)csv_line_at(csv, csv->fields[field].from, &line, &line_from);
    return line;
}

/* Reports an error at the bytes [from, to) of the record and gives up. */
static bool csv_fail(ws_csv_reader *csv, int code, size_t from, size_t to, const char *message)
{
    csv->failed = true;
    return ws_diag_error(csv->diag, code, csv_span(csv, from, to), "%s", message);
}

static bool csv_check_line(ws_csv_reader *csv, ws_text line)
{
    const char *nul = line.length == 0 ? NULL : memchr(line.start, '\0', line.length);

    if (nul == NULL) {
        return true;
    }
    size_t at = csv->record.length - line.length + (size_t)(nul - line.start);

    return csv_fail(csv, 9010, at, at + 1, "a NUL byte: this is no text file");
}

static bool csv_is_passed_over(const ws_csv_reader *csv, ws_text trimmed)
{
    return trimmed.length == 0 ||
           (csv->dialect.comment != 0 && trimmed.start[0] == csv->dialect.comment);
}

/* The first line of a record; blank lines and comments are passed over. False at the end or after
 * an error. */
static bool csv_first_line(ws_csv_reader *csv)
{
    ws_text line = {.start = NULL};

    do {
        if (!ws_input_read_line(csv->input, &line, &csv->line)) {
            return false;
        }
    } while (csv_is_passed_over(csv, ws_text_trimmed(line)));
    csv->record = line;
    return csv_check_line(csv, line);
}

/* Makes a buffer at least as large as `needed`; what it held is kept. */
static bool csv_reserve(ws_csv_reader *csv, char **buffer, size_t *capacity, size_t needed)
{
    if (needed <= *capacity) {
        return true;
    }
    char *grown = ws_arena_grow(csv->arena, *buffer, *capacity, needed, capacity, 1);

    if (grown == NULL) {
        csv->failed = true;
        return ws_diag_error(csv->diag, 9020, ws_span_none, "not enough memory to read a trace");
    }
    *buffer = grown;
    return true;
}

/* Joins the next line to the record, whose open quote began at `opened`. */
static bool csv_join_line(ws_csv_reader *csv, size_t opened)
{
    size_t length = csv->record.length;
    ws_text line = {.start = NULL};
    int64_t number = 0;

    if (csv->record.start != csv->joined) {
        if (!csv_reserve(csv, &csv->joined, &csv->joined_capacity, length + 1)) {
            return false;
        }
        memcpy(csv->joined, csv->record.start, length);
        csv->record.start = csv->joined;
    }
    if (!ws_input_read_line(csv->input, &line, &number)) {
        return csv_fail(csv, 6102, opened, opened + 1, "this quote is never closed");
    }
    if (length + 1 + line.length > WS_CSV_RECORD_BYTES_MAX) {
        return csv_fail(csv, 6102, opened, opened + 1, "this quote is not closed within 1 MiB");
    }
    if (!csv_reserve(csv, &csv->joined, &csv->joined_capacity, length + 1 + line.length)) {
        return false;
    }
    csv->joined[length] = '\n';
    if (line.length > 0) {
        memcpy(csv->joined + length + 1, line.start, line.length);
    }
    csv->record = (ws_text){.start = csv->joined, .length = length + 1 + line.length};
    return csv_check_line(csv, ws_text_slice(csv->record, length + 1, csv->record.length));
}

/* Moves to the closing quote of an open field. False: the record ends before it. */
static bool csv_scan_quoted(const ws_csv_reader *csv, csv_scan *scan, ws_csv_field *field)
{
    while (scan->at < csv->record.length) {
        if (csv->record.start[scan->at] != '"') {
            scan->at++;
            continue;
        }
        if (scan->at + 1 < csv->record.length && csv->record.start[scan->at + 1] == '"') {
            field->has_doubled = true;
            scan->at += 2;
            continue;
        }
        scan->at++;
        scan->is_open = false;
        return true;
    }
    return false;
}

/* One field, up to its comma or the end. False: it is within quotes and the record must be joined.
 */
static bool csv_scan_field(ws_csv_reader *csv, csv_scan *scan, ws_csv_field *field)
{
    ws_text record = csv->record;

    if (!scan->is_open) {
        *field = (ws_csv_field){.from = scan->at};
        scan->is_open =
            !csv->dialect.is_plain && scan->at < record.length && record.start[scan->at] == '"';
        field->is_quoted = scan->is_open;
        scan->at += scan->is_open ? 1 : 0;
    }
    if (scan->is_open && !csv_scan_quoted(csv, scan, field)) {
        return false;
    }
    size_t rest = ws_text_find_byte(ws_text_slice(record, scan->at, record.length),
                                    csv->dialect.separator == 0 ? ',' : csv->dialect.separator);

    if (field->is_quoted && rest > 0) {
        csv->has_bad_quotes = true;
    }
    scan->at += rest;
    field->to = scan->at;
    return true;
}

/* False with an error: the row holds all the fields that one may have. */
static bool csv_has_room(ws_csv_reader *csv)
{
    return csv->field_count < WS_CSV_FIELDS_MAX ||
           csv_fail(csv, 9010, 0, csv->record.length, "a row has more than 1,024 fields");
}

/* False with an error: the field is longer than one may be. */
static bool csv_is_short(ws_csv_reader *csv, const ws_csv_field *field)
{
    return field->to - field->from <= WS_CSV_FIELD_BYTES_MAX ||
           csv_fail(csv, 9010, field->from, field->from + 1, "a field is longer than 64 KiB");
}

static bool csv_is_blank(char byte)
{
    return byte == ' ' || byte == '\t';
}

/* Fields between runs of blanks, which may also stand before the first and behind the last. */
static bool csv_scan_words(ws_csv_reader *csv)
{
    ws_text record = csv->record;

    for (size_t at = 0;;) {
        while (at < record.length && csv_is_blank(record.start[at])) {
            at++;
        }
        if (at == record.length) {
            return true;
        }
        if (!csv_has_room(csv)) {
            return false;
        }
        ws_csv_field *field = &csv->fields[csv->field_count++];

        size_t from = at;

        while (at < record.length && !csv_is_blank(record.start[at])) {
            at++;
        }
        *field = (ws_csv_field){.from = from, .to = at};
        if (!csv_is_short(csv, field)) {
            return false;
        }
    }
}

/* A whole field, joined with as many lines as its quotes take. */
static bool csv_scan_whole_field(ws_csv_reader *csv, csv_scan *scan, ws_csv_field *field)
{
    while (!csv_scan_field(csv, scan, field)) {
        if (!csv_join_line(csv, field->from)) {
            return false;
        }
    }
    return csv_is_short(csv, field);
}

static bool csv_scan_record(ws_csv_reader *csv)
{
    csv_scan scan = {.at = 0};

    csv->field_count = 0;
    csv->has_bad_quotes = false;
    if (csv->dialect.separator == ' ') {
        return csv_scan_words(csv);
    }
    for (;;) {
        if (!csv_scan_whole_field(csv, &scan, &csv->fields[csv->field_count])) {
            return false;
        }
        csv->field_count++;
        if (scan.at == csv->record.length) {
            return true;
        }
        if (!csv_has_room(csv)) {
            return false;
        }
        scan.at++; /* the comma */
    }
}

/* Copies a field without the second of each pair of quotes. */
static ws_text csv_undouble(ws_csv_reader *csv, ws_text text, size_t *used)
{
    char *to = csv->plain + *used;
    size_t length = 0;

    WS_ASSERT(*used + text.length <= csv->plain_capacity);
    for (size_t i = 0; i < text.length; i++) {
        to[length++] = text.start[i];
        i += text.start[i] == '"' ? 1 : 0;
    }
    *used += length;
    return (ws_text){.start = to, .length = length};
}

/* The texts of the fields, now that the record stays where it is. */
static bool csv_resolve(ws_csv_reader *csv)
{
    size_t used = 0;

    for (size_t i = 0; i < csv->field_count; i++) {
        ws_csv_field *field = &csv->fields[i];

        field->text = ws_text_slice(csv->record, field->from, field->to);
        if (!field->is_quoted || csv->has_bad_quotes) {
            continue;
        }
        field->text = ws_text_slice(csv->record, field->from + 1, field->to - 1);
        if (!field->has_doubled) {
            continue;
        }
        if (!csv_reserve(csv, &csv->plain, &csv->plain_capacity, csv->record.length)) {
            return false;
        }
        field->text = csv_undouble(csv, field->text, &used);
    }
    return true;
}

bool ws_csv_reader_next(ws_csv_reader *csv)
{
    WS_ASSERT(csv != NULL);
    WS_ASSERT(csv->input != NULL);

    if (csv->failed) {
        return false;
    }
    return csv_first_line(csv) && csv_scan_record(csv) && csv_resolve(csv);
}
