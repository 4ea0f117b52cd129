/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "support/flow_document.h"

#include <string.h>

#include "ws/assert.h"

typedef struct {
    const ws_source *source;
    size_t at;
    ws_arena *arena;
} flow_reader;

static char flow_peek(const flow_reader *reader)
{
    return reader->at < reader->source->content.length ? reader->source->content.start[reader->at]
                                                       : '\0';
}

static void flow_skip_blanks(flow_reader *reader)
{
    while (flow_peek(reader) == ' ') {
        reader->at++;
    }
}

static bool flow_take(flow_reader *reader, char byte)
{
    flow_skip_blanks(reader);
    if (flow_peek(reader) != byte) {
        return false;
    }
    reader->at++;
    return true;
}

static ws_text flow_slice(const flow_reader *reader, size_t from)
{
    return ws_text_slice(reader->source->content, from, reader->at);
}

static bool flow_is_end_of_scalar(const flow_reader *reader)
{
    const char *bytes = reader->source->content.start;
    char byte = flow_peek(reader);

    return byte == '\0' || strchr(",]}\n", byte) != NULL ||
           (byte == '#' && reader->at > 0 && bytes[reader->at - 1] == ' ');
}

static void flow_read_quoted(flow_reader *reader, ws_document *scalar)
{
    size_t from = reader->at;

    reader->at++;
    while (flow_peek(reader) != '"') {
        WS_ASSERT(flow_peek(reader) != '\0');
        reader->at++;
    }
    reader->at++;
    scalar->quoted = true;
    scalar->scalar = ws_text_slice(reader->source->content, from + 1, reader->at - 1);
    scalar->at = ws_span_of_bytes(reader->source, from, reader->at);
}

static void flow_read_plain(flow_reader *reader, ws_document *scalar)
{
    size_t from = reader->at;

    while (!flow_is_end_of_scalar(reader)) {
        reader->at++;
    }
    scalar->scalar = ws_text_trimmed(flow_slice(reader, from));
    if (scalar->scalar.length == 0 || ws_text_is(scalar->scalar, "~")) {
        scalar->kind = WS_DOCUMENT_NULL;
        scalar->scalar = (ws_text){.start = NULL};
        return;
    }
    scalar->at = ws_span_of_bytes(reader->source, from, from + scalar->scalar.length);
}

static ws_document *flow_read_scalar(flow_reader *reader)
{
    ws_document *scalar = ws_arena_alloc(reader->arena, ws_document, 1);

    WS_ASSERT(scalar != NULL);
    scalar->kind = WS_DOCUMENT_SCALAR;
    if (flow_peek(reader) == '"') {
        flow_read_quoted(reader, scalar);
    } else {
        flow_read_plain(reader, scalar);
    }
    return scalar;
}

static ws_document_entry flow_read_key(flow_reader *reader)
{
    size_t from = 0;
    ws_document_entry entry = {.value = NULL};

    flow_skip_blanks(reader);
    from = reader->at;
    while (flow_peek(reader) != ':') {
        WS_ASSERT(flow_peek(reader) != '\0');
        reader->at++;
    }
    entry.key = flow_slice(reader, from);
    entry.key_at = ws_span_of_bytes(reader->source, from, reader->at);
    reader->at++;
    flow_skip_blanks(reader);
    return entry;
}

static void flow_append(flow_reader *reader, ws_document *parent, ws_document_entry entry)
{
    bool is_appended = ws_document_append(parent, entry, reader->arena);

    WS_ASSERT(is_appended);
}

static ws_document *flow_read(flow_reader *reader);

static ws_document *flow_read_collection(flow_reader *reader, char end)
{
    size_t from = reader->at;
    ws_document *collection =
        end == '}' ? ws_document_new_map(reader->arena) : ws_document_new_list(reader->arena);

    WS_ASSERT(collection != NULL);
    reader->at++;
    while (!flow_take(reader, end)) {
        ws_document_entry entry = {.value = NULL};

        if (end == '}') {
            entry = flow_read_key(reader);
        }
        entry.value = flow_read(reader);
        flow_append(reader, collection, entry);
        WS_ASSERT(flow_take(reader, ',') || flow_peek(reader) == end);
    }
    collection->flow = true;
    collection->at = ws_span_of_bytes(reader->source, from, reader->at);
    return collection;
}

static ws_document *flow_read(flow_reader *reader)
{
    flow_skip_blanks(reader);
    if (flow_peek(reader) == '{') {
        return flow_read_collection(reader, '}');
    }
    if (flow_peek(reader) == '[') {
        return flow_read_collection(reader, ']');
    }
    return flow_read_scalar(reader);
}

ws_document *ws_test_flow(const ws_source *source, size_t from, ws_arena *arena)
{
    flow_reader reader = {.source = source, .at = from, .arena = arena};

    WS_ASSERT(from < source->content.length);
    return flow_read(&reader);
}

static void flow_skip_line(flow_reader *reader)
{
    while (flow_peek(reader) != '\n' && flow_peek(reader) != '\0') {
        reader->at++;
    }
    reader->at += flow_peek(reader) == '\n' ? 1 : 0;
}

/* Goes to the next line that is not empty and not a comment; its indentation, or -1 at the end. */
static int flow_next_line(flow_reader *reader)
{
    while (reader->at < reader->source->content.length) {
        size_t from = reader->at;

        flow_skip_blanks(reader);
        if (flow_peek(reader) != '\n' && flow_peek(reader) != '#') {
            return (int)(reader->at - from);
        }
        flow_skip_line(reader);
    }
    return -1;
}

static int flow_column(const flow_reader *reader)
{
    size_t start = reader->at;

    while (start > 0 && reader->source->content.start[start - 1] != '\n') {
        start--;
    }
    return (int)(reader->at - start);
}

ws_document *ws_test_block(const ws_source *source, size_t from, ws_arena *arena)
{
    flow_reader reader = {.source = source, .at = from, .arena = arena};
    ws_document *map = ws_document_new_map(arena);
    int indentation = flow_column(&reader);
    int here = indentation;
    size_t line_end =
        from +
        ws_text_find_byte(ws_text_slice(source->content, from, source->content.length), '\n');

    WS_ASSERT(map != NULL);
    map->at = ws_span_of_bytes(source, from, line_end);
    while (here >= indentation) {
        if (here == indentation) {
            ws_document_entry entry = flow_read_key(&reader);

            entry.value = flow_read(&reader);
            flow_append(&reader, map, entry);
        }
        flow_skip_line(&reader);
        here = flow_next_line(&reader);
    }
    return map;
}

const ws_source *ws_test_source(const char *name, ws_text content, ws_arena *arena)
{
    ws_source *source = ws_arena_alloc(arena, ws_source, 1);

    WS_ASSERT(source != NULL);
    *source = (ws_source){.name = ws_text_of(name), .content = content};
    return source;
}

size_t ws_test_offset(const ws_source *source, const char *needle)
{
    ws_text wanted = ws_text_of(needle);
    size_t at = 0;

    while (
        at < source->content.length &&
        !ws_text_starts_with(ws_text_slice(source->content, at, source->content.length), wanted)) {
        at++;
    }
    WS_ASSERT(at < source->content.length);
    return at;
}
