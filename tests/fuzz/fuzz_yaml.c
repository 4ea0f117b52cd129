/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * YAML: whatever the bytes, reading ends with a document or an error; a document printed reads back
 * as the same; its paths lead where they say; a diagnostic shows nothing that a terminal would
 * obey.
 */
#include <stddef.h>
#include <stdint.h>

#include "check_diag.h"
#include "ws/assert.h"
#include "ws/yaml.h"

#define FUZZ_ARENA_BYTES ((size_t)64 << 20)

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

/* Prints and reads back. A print that is larger than a file may be, or than the arena, is left
 * alone. */
static void fuzz_round_trip(const ws_document *document, bool with_origin, ws_arena *arena)
{
    ws_text printed = ws_document_print_yaml(document, with_origin, arena);
    ws_source source = {.name = WS_TEXT("printed"), .content = printed};
    ws_document *again = NULL;
    ws_diag diag;

    if (printed.start == NULL || printed.length > WS_YAML_BYTES_MAX) {
        return;
    }
    ws_diag_init(&diag, arena);
    if (!ws_yaml_read(&again, &source, "document", arena, &diag)) {
        WS_ASSERT(diag.count == 0 || diag.entries[0].code == 9007);
        return;
    }
    ws_text before = ws_document_print_json(document, arena);
    ws_text after = ws_document_print_json(again, arena);
    ws_text twice = ws_document_print_yaml(again, false, arena);

    WS_ASSERT(after.start == NULL || ws_text_equals(before, after));
    WS_ASSERT(with_origin || twice.start == NULL || ws_text_equals(printed, twice));
}

/* Along the first and the last entries, all the way down. */
static void fuzz_paths(const ws_document *root, bool last, ws_arena *arena)
{
    const ws_document *document = root;

    while (document->count > 0) {
        document = document->entries[last ? document->count - 1 : 0].value;
        ws_text path = ws_document_path(root, document, arena);

        WS_ASSERT(path.length == 0 || ws_document_at(root, path) == document);
    }
}

/* Every place lies in the text, on the line that it names. */
static void fuzz_check_places(const ws_document *document, const ws_source *source)
{
    WS_ASSERT(document->at.source == source);
    WS_ASSERT(document->at.line >= 1);
    WS_ASSERT(document->at.column >= 1);
    WS_ASSERT(document->at.length >= 1);
    WS_ASSERT(document->at.offset >= 0);
    WS_ASSERT((size_t)document->at.offset <= source->content.length);
    for (size_t i = 0; i < document->count; i++) {
        fuzz_check_places(document->entries[i].value, source);
    }
}

static void fuzz_one(const ws_source *source, ws_arena *arena)
{
    ws_document *document = NULL;
    ws_diag diag;
    bool good = false;

    ws_diag_init(&diag, arena);
    good = ws_yaml_read(&document, source, "document", arena, &diag);
    ws_check_diag(&diag, good, arena);
    if (good) {
        ws_span at = document->at;
        ws_span slow = ws_span_of_bytes(source, (size_t)at.offset, (size_t)at.offset);

        WS_ASSERT(slow.line == at.line);
        WS_ASSERT(slow.column == at.column);
        fuzz_check_places(document, source);
        fuzz_round_trip(document, false, arena);
        fuzz_round_trip(document, true, arena);
        fuzz_paths(document, false, arena);
        fuzz_paths(document, true, arena);
    }
}

static void fuzz_others(const ws_source *source, ws_arena *arena)
{
    ws_document *document = NULL;
    ws_diag diag;
    size_t from = ws_text_find_byte(source->content, '=');
    bool good = false;

    ws_diag_init(&diag, arena);
    good = ws_yaml_read_stream(&document, source, "document", arena, &diag);
    ws_check_diag(&diag, good, arena);
    ws_diag_init(&diag, arena);
    good = ws_yaml_read_value(&document, source, from, source->content.length, arena, &diag);
    ws_check_diag(&diag, good, arena);
    if (good) { /* what stands before the sign is taken for a path into the value itself */
        ws_document_edit edit = {.path = ws_text_slice(source->content, 0, from),
                                 .at = ws_span_of_bytes(source, 0, from),
                                 .value = document,
                                 .origin = WS_TEXT("o")};
        ws_document *value = ws_document_copy(arena, document);

        good = value == NULL || ws_document_set(value, &edit, arena, &diag);
        ws_check_diag(&diag, good, arena);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    ws_source source = {.name = WS_TEXT("fuzz"), .content = {(const char *)bytes, count}};
    ws_arena arena;

    ws_arena_init(&arena, &ws_allocator_default, FUZZ_ARENA_BYTES);
    fuzz_one(&source, &arena);
    fuzz_others(&source, &arena);
    ws_arena_reset(&arena);
    return 0;
}
