/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Law: what is printed as YAML reads back as the same document. Random documents from a fixed seed,
 * made of the pieces that YAML gives a meaning to; and the scenarios of the shared folder. "The
 * same" is: the same JSON, and the same YAML when printed again.
 */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/support.h"
#include "ws/random.h"
#include "ws/yaml.h"

static const char *const pieces[] = {
    "a",
    "b",
    "Z",
    "0",
    "7",
    "1.5",
    " ",
    ": ",
    ":",
    "#",
    " #",
    "-",
    "- ",
    ",",
    "[",
    "]",
    "{",
    "}",
    "?",
    "? ",
    "*",
    "&",
    "!",
    "|",
    ">",
    "'",
    "\"",
    "\\",
    "%",
    "@",
    "`",
    "~",
    "<<",
    "=",
    "\n",
    "\t",
    "\r",
    "---",
    "...",
    "null",
    "true",
    "\xC3\xA9",
    "\xF0\x9F\x98\x80",
    "$",
    "/",
    "_",
    ".",
    "+",
};

typedef struct {
    ws_arena *arena;
    ws_stream stream;
    size_t left; /* values that may still be made */
} maker;

static size_t maker_below(maker *make, size_t bound)
{
    double u = ws_stream_uniform(&make->stream);

    return (size_t)(u * (double)bound);
}

static ws_text maker_text(maker *make, bool is_key)
{
    char text[200];
    size_t length = 0;
    size_t count = maker_below(make, 6);

    for (size_t i = 0; i < count; i++) {
        const char *piece = pieces[maker_below(make, WS_COUNT_OF(pieces))];

        if (is_key && (*piece == '\n' || *piece == '\t' || *piece == '\r')) {
            continue; /* the reader refuses them in keys */
        }
        memcpy(text + length, piece, strlen(piece));
        length += strlen(piece);
    }
    return ws_arena_copy_text(make->arena, (ws_text){.start = text, .length = length});
}

static ws_document *maker_value(maker *make, size_t depth)
{
    size_t kind = maker_below(make, depth > 6 ? 4 : 8);
    ws_document *document = ws_arena_alloc(make->arena, ws_document, 1);
    size_t count = maker_below(make, 5);

    if (kind == 0) {
        return document;
    }
    document->kind = kind < 4 ? WS_DOCUMENT_SCALAR : kind < 6 ? WS_DOCUMENT_LIST : WS_DOCUMENT_MAP;
    if (document->kind == WS_DOCUMENT_SCALAR) {
        document->scalar = maker_text(make, false);
        document->quoted = kind == 2 || document->scalar.length == 0;
        return document;
    }
    document->flow = maker_below(make, 3) == 0;
    for (size_t i = 0; i < count && make->left > 0; i++) {
        ws_text key = document->kind == WS_DOCUMENT_MAP ? maker_text(make, true) : WS_TEXT("");

        make->left--;
        cr_assert(ws_document_put(document, key, maker_value(make, depth + 1), make->arena));
    }
    return document;
}

/* Some values get an origin, which shows as a comment and in nothing else. */
static void maker_add_origins(maker *make, ws_document *document)
{
    static const char *const origins[] = {"", "", "default", "--set #1", "x: *y # z"};

    document->origin = ws_text_of(origins[maker_below(make, WS_COUNT_OF(origins))]);
    for (size_t i = 0; i < document->count; i++) {
        maker_add_origins(make, document->entries[i].value);
    }
}

static ws_document *read_back(ws_text printed, ws_arena *arena)
{
    ws_source *source = ws_arena_alloc(arena, ws_source, 1);
    ws_document *document = NULL;
    ws_diag diag;

    *source = (ws_source){.name = WS_TEXT("printed"), .content = printed};
    ws_diag_init(&diag, arena);
    bool good = ws_yaml_read(&document, source, "document", arena, &diag);
    cr_assert(good, "%s%s", printed.start,
              good ? "" : ws_diagnostic_print(&diag.entries[0], false, arena).start);
    return document;
}

static void check_round_trip(const ws_document *document, ws_arena *arena)
{
    ws_text plain = ws_document_print_yaml(document, false, arena);
    ws_text commented = ws_document_print_yaml(document, true, arena);
    const char *json = ws_document_print_json(document, arena).start;
    const ws_document *again = read_back(plain, arena);

    cr_assert(eq(str, (char *)ws_document_print_json(again, arena).start, (char *)json));
    cr_assert(
        eq(str, (char *)ws_document_print_yaml(again, false, arena).start, (char *)plain.start));
    again = read_back(commented, arena);
    cr_assert(eq(str, (char *)ws_document_print_json(again, arena).start, (char *)json));
}

Test(yaml_print, random_documents_read_back)
{
    int64_t rounds = ws_test_scaled(3000, 100);

    for (int64_t i = 0; i < rounds; i++) {
        ws_arena arena;
        maker make = {.arena = &arena, .left = 60};

        ws_arena_init(&arena, &ws_allocator_default, (size_t)1 << 26);
        ws_stream_open(&make.stream, (ws_stream_key){.seed = 7, .index = (uint64_t)i});
        ws_document *document = maker_value(&make, 0);
        if (document->kind != WS_DOCUMENT_NULL) { /* an empty file */
            maker_add_origins(&make, document);
            check_round_trip(document, &arena);
        }
        ws_arena_reset(&arena);
    }
}

static void check_file(const char *relative)
{
    char path[1000];
    ws_arena arena;

    if (ws_test_shared(relative, path, sizeof path) == NULL) {
        cr_skip_test();
    }
    ws_arena_init(&arena, &ws_allocator_default, (size_t)1 << 26);
    ws_text content = ws_test_load(path);
    check_round_trip(read_back(content, &arena), &arena);
    ws_arena_reset(&arena);
    free((void *)content.start);
}

Test(yaml_print, scenarios_read_back)
{
    check_file("scenario-example.yaml");
    check_file("vectors/scenario/scenario.yaml");
    check_file("vectors/scenario/bad/23-both-jobs-and-trace.yaml");
}
