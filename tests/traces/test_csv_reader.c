/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "../../traces/csv_reader.h"
#include "trace_case.h"

typedef struct {
    trace_case c;
    ws_csv_reader csv;
} csv_case;

static void csv_case_open(csv_case *t, const char *name, const char *bytes, size_t length)
{
    const ws_input_limits limits = {.bytes_max = 0};
    FILE *file = NULL;

    trace_case_begin(&t->c, name);
    file = fopen(t->c.path, "wb");
    cr_assert(file != NULL);
    cr_assert(fwrite(bytes, 1, length, file) == length);
    cr_assert(fclose(file) == 0);
    const ws_file_name named = {.path = t->c.path, .shown = WS_TEXT("t.csv")};
    cr_assert(ws_csv_reader_open(&t->csv, &named, &limits, &t->c.arena, &t->c.diag));
}

#define OPEN(t, name, literal) csv_case_open((t), (name), (literal), sizeof(literal) - 1)

static void csv_case_close(csv_case *t, bool expected)
{
    cr_assert(eq(int, ws_csv_reader_close(&t->csv), expected));
    trace_case_end(&t->c);
}

/* The next record, its fields shown as <a><b>. */
static const char *csv_case_next(csv_case *t, char *out, size_t out_bytes)
{
    size_t to = 0;

    if (!ws_csv_reader_next(&t->csv)) {
        return "end";
    }
    for (size_t i = 0; i < t->csv.field_count; i++) {
        ws_text text = t->csv.fields[i].text;

        to += (size_t)snprintf(out + to, out_bytes - to, "<%.*s>", WS_TEXT_ARGS(text));
    }
    return out;
}

#define NEXT(t, expected)                                                                          \
    do {                                                                                           \
        char shown[512];                                                                           \
        cr_assert_str_eq(csv_case_next((t), shown, sizeof shown), (expected));                     \
    } while (0)

Test(csv_reader, plain_fields)
{
    csv_case t;

    OPEN(&t, "csv-plain", "a,b,c\n1,,3\n,,\nlast");
    NEXT(&t, "<a><b><c>");
    NEXT(&t, "<1><><3>");
    cr_assert(eq(i64, t.csv.line, 2));
    NEXT(&t, "<><><>");
    NEXT(&t, "<last>");
    NEXT(&t, "end");
    csv_case_close(&t, true);
}

/* RFC 4180, section 2, rules 5 to 7. */
Test(csv_reader, quoted_fields)
{
    csv_case t;

    OPEN(&t, "csv-quoted",
         "\"aaa\",\"b\r\nbb\",\"ccc\"\r\n"
         "\"a\"\"b\",\"\",\"\"\"\"\r\n"
         "x\"y,\"1,5\",z\r\n");
    NEXT(&t, "<aaa><b\nbb><ccc>");
    cr_assert(eq(i64, t.csv.line, 1));
    cr_assert(eq(i64, ws_csv_reader_field_line(&t.csv, 1), 1));
    cr_assert(eq(i64, ws_csv_reader_field_line(&t.csv, 2), 2));
    NEXT(&t, "<a\"b><><\">");
    cr_assert(eq(i64, t.csv.line, 3));
    NEXT(&t, "<x\"y><1,5><z>");
    NEXT(&t, "end");
    csv_case_close(&t, true);
}

Test(csv_reader, line_ends_marks_and_blank_lines)
{
    csv_case t;

    OPEN(&t, "csv-ends",
         "\xEF\xBB\xBF"
         "a,b\r\n\r\n  \n1,2\r3,4\n\n");
    NEXT(&t, "<a><b>");
    NEXT(&t, "<1><2>");
    cr_assert(eq(i64, t.csv.line, 4));
    NEXT(&t, "<3><4>");
    cr_assert(eq(i64, t.csv.line, 5));
    NEXT(&t, "end");
    csv_case_close(&t, true);
}

Test(csv_reader, empty_file)
{
    csv_case t;

    OPEN(&t, "csv-empty", "");
    NEXT(&t, "end");
    csv_case_close(&t, true);
}

/* The error is where the quote opened, not at the end of the file. */
Test(csv_reader, unclosed_quote)
{
    csv_case t;

    OPEN(&t, "csv-unclosed", "a,b\n1,2\n3,\"four\n5,6\n7,8\n");
    NEXT(&t, "<a><b>");
    NEXT(&t, "<1><2>");
    NEXT(&t, "end");
    cr_assert_str_eq(trace_case_message(&t.c, 6102), "this quote is never closed");
    cr_assert(eq(int, trace_case_line(&t.c, 6102), 3));
    cr_assert(eq(int, trace_case_column(&t.c, 6102), 3));
    NEXT(&t, "end");
    csv_case_close(&t, false);
}

/* A quote opened within a record that began on an earlier line. */
Test(csv_reader, unclosed_quote_on_a_later_line)
{
    csv_case t;

    OPEN(&t, "csv-unclosed-later", "\"a\nb\",\"c\nd\n");
    NEXT(&t, "end");
    cr_assert(eq(int, trace_case_line(&t.c, 6102), 2));
    cr_assert(eq(int, trace_case_column(&t.c, 6102), 4));
    csv_case_close(&t, false);
}

Test(csv_reader, text_behind_a_closing_quote)
{
    csv_case t;

    OPEN(&t, "csv-behind", "\"a\"b,c\n1,2\n");
    cr_assert(ws_csv_reader_next(&t.csv));
    cr_assert(t.csv.has_bad_quotes);
    cr_assert(eq(sz, t.csv.field_count, 2));
    cr_assert(ws_csv_reader_next(&t.csv));
    cr_assert(not(t.csv.has_bad_quotes));
    csv_case_close(&t, true);
}

Test(csv_reader, nul_byte)
{
    csv_case t;

    OPEN(&t, "csv-nul", "a,b\n1,\0002\n");
    NEXT(&t, "<a><b>");
    NEXT(&t, "end");
    cr_assert(eq(int, trace_case_line(&t.c, 9010), 2));
    cr_assert(eq(int, trace_case_column(&t.c, 9010), 3));
    csv_case_close(&t, false);
}

/* Columns count characters, not bytes: two of these letters take two bytes each. */
Test(csv_reader, places_count_characters)
{
    csv_case t;

    OPEN(&t, "csv-places", "\xC3\xA9\xC3\xA8,x\n");
    NEXT(&t, "<\xC3\xA9\xC3\xA8><x>");
    ws_span span = ws_csv_reader_span(&t.csv, 1);
    cr_assert(eq(i32, span.column, 4));
    cr_assert(eq(i32, span.length, 1));
    span = ws_csv_reader_span(&t.csv, 0);
    cr_assert(eq(i32, span.column, 1));
    cr_assert(eq(i32, span.length, 2));
    csv_case_close(&t, true);
}

/* Repeats `unit` up to at least `bytes`. */
static char *csv_case_long(const char *head, const char *unit, size_t bytes, size_t *length)
{
    size_t unit_bytes = strlen(unit);
    char *text = malloc(bytes + strlen(head) + unit_bytes + 1);

    cr_assert(text != NULL);
    strcpy(text, head);
    *length = strlen(head);
    while (*length < bytes) {
        memcpy(text + *length, unit, unit_bytes);
        *length += unit_bytes;
    }
    return text;
}

static void csv_case_limit(const char *head, const char *unit, size_t bytes, int code)
{
    csv_case t;
    size_t length = 0;
    char *text = csv_case_long(head, unit, bytes, &length);

    csv_case_open(&t, "csv-limit", text, length);
    while (ws_csv_reader_next(&t.csv)) {
    }
    csv_case_close(&t, code == 0);
    if (code != 0) {
        cr_assert(eq(sz, t.c.diag.error_count, 1));
    }
    free(text);
}

Test(csv_reader, limits)
{
    /* a line of 2 MiB; a quoted record of 2 MiB in short lines; a field of 64 KiB and a byte; 1,025
     * fields */
    csv_case_limit("a,", "b,c", (size_t)2 << 20, 9010);
    csv_case_limit("\"", "x\n", (size_t)2 << 20, 6102);
    csv_case_limit("", "x", (64 << 10) + 1, 9010);
    csv_case_limit("", "x", 64 << 10, 0);
    csv_case_limit("", ",", 1024, 9010);
    csv_case_limit("", ",", 1023, 0);
}
