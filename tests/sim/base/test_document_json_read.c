/* SPDX-License-Identifier: GPL-3.0-or-later */
/* JSON as a document: texts written by hand from RFC 8259, printed back as JSON to be compared. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <string.h>

#include "ws/document.h"

static ws_arena arena;
static const ws_source source = {.name = {.start = "f", .length = 1}};
static const ws_span at = {.source = &source, .line = 7, .column = 3, .length = 1};

static void set_up(void)
{
    ws_arena_init(&arena, &ws_allocator_default, (size_t)1 << 24);
}

static void tear_down(void)
{
    ws_arena_reset(&arena);
}

TestSuite(document_json_read, .init = set_up, .fini = tear_down);

static ws_document *read(const char *text)
{
    ws_document *document = NULL;

    return ws_document_read_json(&document, ws_text_of(text), at, &arena) ? document : NULL;
}

Test(document_json_read, keeps_order_kinds_and_digits)
{
    ws_document *document =
        read(" {\"b\": [1, 0.05, -12, \"1\"], \"a\": {\"x\": null, \"y\": true}, \"c\": {}} ");

    cr_assert(document != NULL);
    cr_expect(eq(str, (char *)ws_document_print_json(document, &arena).start,
                 "{\"b\": [1, 0.05, -12, \"1\"], \"a\": {\"x\": null, \"y\": true}, \"c\": {}}"));
}

Test(document_json_read, gives_every_part_the_place_of_the_text)
{
    ws_document *document = read("{\"a\": [1]}");

    cr_assert(document != NULL);
    cr_expect(eq(i32, document->at.line, 7));
    cr_expect(eq(i32, document->entries[0].key_at.line, 7));
    cr_expect(eq(i32, document->entries[0].value->entries[0].value->at.column, 3));
}

Test(document_json_read, takes_the_last_of_equal_keys)
{
    ws_document *document = read("{\"a\": 1, \"a\": 2}");

    cr_assert(document != NULL);
    cr_assert(eq(sz, document->count, 1));
    cr_expect(ws_text_is(document->entries[0].value->scalar, "2"));
}

Test(document_json_read, says_no_to_what_is_no_json)
{
    static const char *const texts[] = {
        "", "{", "[1,]", "{a: 1}", "1 2", "\"a\\u0000\"", "1e999", "99999999999999999999"};
    ws_document *document = NULL;

    for (size_t i = 0; i < WS_COUNT_OF(texts); i++) {
        cr_expect(eq(ptr, read(texts[i]), NULL), "%s", texts[i]);
    }
    cr_expect(not(ws_document_read_json(&document, (ws_text){.length = 0}, at, &arena)));
    cr_expect(eq(ptr, document, NULL));
}

/* 64 levels of lists hold a scalar on the 65th; one more is too many. */
Test(document_json_read, is_bounded_in_depth)
{
    char text[200];

    for (int depth = WS_DOCUMENT_DEPTH_MAX; depth <= WS_DOCUMENT_DEPTH_MAX + 1; depth++) {
        memset(text, '[', (size_t)depth);
        text[depth] = '1';
        memset(text + depth + 1, ']', (size_t)depth);
        text[2 * depth + 1] = '\0';
        cr_expect(eq(int, read(text) != NULL, depth == WS_DOCUMENT_DEPTH_MAX), "%d", depth);
    }
}

Test(document_json_read, says_no_when_there_is_no_memory)
{
    ws_arena none;
    ws_document *document = NULL;

    ws_arena_init(&none, &ws_allocator_default, 0);
    cr_expect(not(ws_document_read_json(&document, WS_TEXT("[1]"), at, &none)));
    cr_expect(eq(ptr, document, NULL));
}
