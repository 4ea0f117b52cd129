/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "../../traces/json_reader.h"

#include <stdlib.h>

#include "trace_case.h"

typedef struct {
    trace_case c;
    ws_json_reader json;
} json_case;

static void json_case_open(json_case *t, const char *bytes, size_t length)
{
    FILE *file = NULL;

    trace_case_begin(&t->c, "json");
    file = fopen(t->c.path, "wb");
    cr_assert(file != NULL);
    cr_assert(fwrite(bytes, 1, length, file) == length);
    cr_assert(fclose(file) == 0);
    const ws_file_name named = {.path = t->c.path, .shown = WS_TEXT("t.json")};
    cr_assert(ws_json_reader_open(&t->json, &named, NULL, &t->c.arena, &t->c.diag));
}

/* All events: { } [ ] as they are, keys as k:, texts as "t", numbers, T F N. */
static const char *json_case_events(json_case *t, char *out, size_t out_bytes)
{
    static const char *const shown[] = {
        [WS_JSON_OBJECT] = "{",   [WS_JSON_OBJECT_END] = "}", [WS_JSON_LIST] = "[",
        [WS_JSON_LIST_END] = "]", [WS_JSON_TRUE] = "T",       [WS_JSON_FALSE] = "F",
        [WS_JSON_NULL] = "N"};
    size_t to = 0;

    out[0] = '\0';
    while (ws_json_reader_next(&t->json)) {
        const ws_text text = t->json.text;

        if (t->json.event == WS_JSON_KEY) {
            to += (size_t)snprintf(out + to, out_bytes - to, "%.*s:", WS_TEXT_ARGS(text));
        } else if (t->json.event == WS_JSON_STRING) {
            to += (size_t)snprintf(out + to, out_bytes - to, "'%.*s'", WS_TEXT_ARGS(text));
        } else if (t->json.event == WS_JSON_NUMBER) {
            to += (size_t)snprintf(out + to, out_bytes - to, "%.*s ", WS_TEXT_ARGS(text));
        } else {
            to += (size_t)snprintf(out + to, out_bytes - to, "%s", shown[t->json.event]);
        }
    }
    return out;
}

static void assert_events(const char *text, const char *expected)
{
    char out[512];
    json_case t;

    json_case_open(&t, text, strlen(text));
    cr_assert_str_eq(json_case_events(&t, out, sizeof out), expected);
    cr_assert(ws_json_reader_close(&t.json), "%s", text);
    cr_assert(eq(sz, t.c.diag.count, 0));
    trace_case_end(&t.c);
}

static void assert_fault(const char *bytes, size_t length, int code, const char *message, int line,
                         int column)
{
    json_case t;

    json_case_open(&t, bytes, length);
    while (ws_json_reader_next(&t.json)) {
    }
    cr_assert(not(ws_json_reader_next(&t.json))); /* and it stays at its end */
    cr_assert(not(ws_json_reader_close(&t.json)));
    cr_assert(eq(sz, t.c.diag.count, 1), "%.*s", (int)length, bytes);
    cr_assert_str_eq(trace_case_message(&t.c, code), message);
    cr_assert(eq(int, trace_case_line(&t.c, code), line), "%.*s", (int)length, bytes);
    cr_assert(eq(int, trace_case_column(&t.c, code), column), "%.*s", (int)length, bytes);
    trace_case_end(&t.c);
}

#define FAULT(text, code, message, line, column)                                                   \
    assert_fault((text), sizeof(text) - 1, (code), (message), (line), (column))

Test(json_reader, events)
{
    assert_events("[]", "[]");
    assert_events(" {\t}\r\n", "{}");
    assert_events("{\"a\":1,\"b\":[true,false,null],\"c\":{\"a\":\"x\"}}",
                  "{a:1 b:[TFN]c:{a:'x'}}");
    assert_events("\"one\"", "'one'");
    assert_events("-0.5e+3", "-0.5e+3 ");
    assert_events("\xEF\xBB\xBF[0]", "[0 ]");
    /* the same key in two objects */
    assert_events("[{\"k\":1},{\"k\":2}]", "[{k:1 }{k:2 }]");
}

/* RFC 8259, section 7: the clef is U+1D11E, \uD834\uDD1E. */
Test(json_reader, texts)
{
    assert_events("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "'\"\\/\b\f\n\r\t'");
    assert_events("\"\\u0041\\u00e9\\u20AC\\uD834\\uDD1E\"",
                  "'A\xC3\xA9\xE2\x82\xAC\xF0\x9D\x84\x9E'");
    assert_events("\"\xC3\xA9\"", "'\xC3\xA9'");
    FAULT("[\"\\ud800\"]", 1603, "half of a surrogate pair", 1, 3);
    FAULT("[\"\\ud800\\u0041\"]", 1603, "half of a surrogate pair", 1, 3);
    FAULT("[\"\\udc00\"]", 1603, "half of a surrogate pair", 1, 3);
    FAULT("[\"\\u00g0\"]", 1603, "`\\u` needs four hexadecimal digits", 1, 3);
    FAULT("[\"\\x\"]", 1603, "JSON does not know this escape", 1, 3);
    FAULT("[\"a\\u0000\"]", 1603, "a NUL character", 1, 4);
    FAULT("[\"a\nb\"]", 1603, "a control character in a text: write it as an escape", 1, 4);
    FAULT("[\"a\0b\"]", 1603, "a control character in a text: write it as an escape", 1, 4);
    FAULT("[\"\xC3\"]", 1603, "a text that is no UTF-8", 1, 2);
    FAULT("[\"\xED\xA0\x80\"]", 1603, "a text that is no UTF-8", 1, 2);
}

Test(json_reader, numbers)
{
    assert_events("[0,-0,10.25,1E5,1e-400]", "[0 -0 10.25 1E5 1e-400 ]");
    FAULT("[1e400]", 1604, "this number is malformed or too large", 1, 2);
    FAULT("[1e5.5]", 1604, "this number is malformed or too large", 1, 2);
    FAULT("[01]", 1604, "this is no number of JSON", 1, 2);
    FAULT("[1.]", 1604, "this is no number of JSON", 1, 2);
    FAULT("[-]", 1604, "this is no number of JSON", 1, 2);
    FAULT("[+1]", 1601, "expected a value", 1, 2);
    FAULT("[.5]", 1601, "expected a value", 1, 2);
    FAULT("[\n NaN]", 1601, "`NaN` is no value of JSON", 2, 2);
    FAULT("[-Infinity]", 1604, "this is no number of JSON", 1, 2);
    FAULT("[Infinity]", 1601, "`Infinity` is no value of JSON", 1, 2);
    FAULT("[True]", 1601, "`True` is no value of JSON", 1, 2);
}

/* 400 nines are beyond the largest double, 1.8 * 10^308. */
Test(json_reader, a_number_of_400_digits)
{
    char text[410] = "[";

    memset(text + 1, '9', 400);
    text[401] = ']';
    assert_fault(text, 402, 1604, "this number is malformed or too large", 1, 2);
}

Test(json_reader, structure)
{
    FAULT("[1,]", 1601, "a comma stands before the closing bracket", 1, 4);
    FAULT("{\"a\":1,}", 1601, "a comma stands before the closing bracket", 1, 8);
    FAULT("[1 2]", 1601, "expected `,` or `]`", 1, 4);
    FAULT("{\"a\" 1}", 1601, "expected a `:` behind the key", 1, 6);
    FAULT("{a:1}", 1601, "expected a key in double quotes", 1, 2);
    FAULT("{\"a\":}", 1601, "expected a value", 1, 6);
    FAULT("[1}", 1601, "expected `,` or `]`", 1, 3);
    FAULT("// x\n[]", 1601, "JSON has no comments", 1, 1);
    FAULT("[1, # x\n2]", 1601, "JSON has no comments", 1, 5);
    FAULT("[\0]", 1601, "a NUL byte: this is no text file", 1, 2);
    FAULT("[]\r\n\r\n x", 1606, "text stands behind the value of the file", 3, 2);
    FAULT("{\"a\":1,\n \"\\u0061\":2}", 1605, "key `a` appears twice", 2, 2);
}

/* Told where what is open began. */
Test(json_reader, files_that_end_too_early)
{
    FAULT("", 6100, "`t.json` is empty", 0, 0);
    FAULT(" \n", 6100, "`t.json` is empty", 0, 0);
    FAULT("[1,\n {\"a\":", 1602, "the file ends before this `{` is closed", 2, 2);
    FAULT("[1,\n", 1602, "the file ends before this `[` is closed", 1, 1);
    FAULT("[\n\"ab", 1602, "the file ends before this text is closed", 2, 1);
    FAULT("[\n\"ab\\u00", 1602, "the file ends before this text is closed", 2, 1);
    FAULT("[tru", 1602, "the file ends before this `[` is closed", 1, 1);
}

Test(json_reader, depth)
{
    char text[100001];
    char expected[512];
    char out[512];
    json_case t;

    memset(text, '[', 64);
    memset(text + 64, ']', 64);
    text[128] = '\0';
    memcpy(expected, text, 129);
    json_case_open(&t, text, 128);
    cr_assert_str_eq(json_case_events(&t, out, sizeof out), expected);
    cr_assert(ws_json_reader_close(&t.json));
    trace_case_end(&t.c);

    memset(text, '[', 100000);
    assert_fault(text, 100000, 9002, "lists and maps are nested beyond 64 levels", 1, 65);
}

/* A text of 64 KiB fits, one byte more does not; it crosses the chunks of the input. */
Test(json_reader, long_texts)
{
    const size_t most = WS_JSON_READER_TEXT_MAX;
    char *text = malloc(most + 8);
    json_case t;

    cr_assert(text != NULL);
    memset(text, 'x', most + 8);
    text[0] = '"';
    text[most + 1] = '"';
    json_case_open(&t, text, most + 2);
    cr_assert(ws_json_reader_next(&t.json));
    cr_assert(eq(sz, t.json.text.length, most));
    cr_assert(not(ws_json_reader_next(&t.json)));
    cr_assert(ws_json_reader_close(&t.json));
    trace_case_end(&t.c);

    text[most + 1] = 'x';
    text[most + 2] = '"';
    assert_fault(text, most + 3, 9005, "a text is longer than 64 KiB", 1, 1);
    free(text);
}

Test(json_reader, many_keys)
{
    char text[16000] = "{";
    size_t length = 1;

    for (int i = 0; i <= WS_JSON_READER_KEYS_MAX; i++) {
        length += (size_t)snprintf(text + length, sizeof text - length, "\"k%d\":0%s", i,
                                   i < WS_JSON_READER_KEYS_MAX ? ",\n" : "}");
    }
    assert_fault(text, length, 9004, "a map has more than 1,024 keys", 1025, 1);
}

Test(json_reader, values_are_passed_over)
{
    static const char text[] = "{\"a\":{\"b\":[1,{}]},\"c\":2,\"d\":[[],[]]}";
    json_case t;

    json_case_open(&t, text, sizeof text - 1);
    cr_assert(ws_json_reader_next(&t.json));
    cr_assert(ws_json_reader_next(&t.json)); /* a */
    cr_assert(ws_json_reader_skip(&t.json));
    cr_assert(ws_json_reader_next(&t.json)); /* c */
    cr_assert(ws_text_is(t.json.text, "c"));
    cr_assert(ws_json_reader_skip(&t.json));
    cr_assert(ws_json_reader_next(&t.json)); /* d */
    cr_assert(eq(i64, t.json.place.column, 25));
    cr_assert(ws_json_reader_next(&t.json)); /* [ */
    cr_assert(ws_json_reader_skip(&t.json));
    cr_assert(ws_json_reader_next(&t.json));
    cr_assert(eq(int, t.json.event, WS_JSON_OBJECT_END));
    cr_assert(ws_json_reader_close(&t.json));
    trace_case_end(&t.c);
}

/* Lines of all systems, columns in characters: the é is one. */
Test(json_reader, places)
{
    json_case t;
    static const char text[] = "[\r\n\"\xC3\xA9\", 7,\r8\n,\n9]";
    static const int lines[] = {1, 2, 2, 3, 5, 5};
    static const int columns[] = {1, 1, 6, 1, 1, 2};

    json_case_open(&t, text, sizeof text - 1);
    for (size_t i = 0; i < WS_COUNT_OF(lines); i++) {
        cr_assert(ws_json_reader_next(&t.json));
        cr_assert(eq(i64, t.json.place.line, lines[i]), "event %zu", i);
        cr_assert(eq(i64, t.json.place.column, columns[i]), "event %zu", i);
    }
    cr_assert(ws_json_reader_close(&t.json));
    trace_case_end(&t.c);
}
