/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The loop over libyaml's events, and documents as a whole.
 *
 * Faults of meaning (duplicate keys, hidden characters, tags, aliases) are collected; a bound or a
 * fault of syntax ends the reading.
 */
#include "ws/yaml.h"

#include "yaml_reader.h"

static bool yaml_refuse_second(const ws_yaml_reader *reader, size_t offset)
{
    ws_diagnostic diagnostic = {
        .severity = WS_SEVERITY_ERROR,
        .code = 1308,
        .message = WS_TEXT("the file holds more than one document"),
        .at = ws_yaml_bytes(reader, offset, offset + 1),
        .label = WS_TEXT("the second one begins here"),
        .help = WS_TEXT("keep one document in a file"),
    };

    if (ws_text_starts_with(ws_text_slice(reader->source->content, offset, SIZE_MAX),
                            WS_TEXT("---"))) {
        diagnostic.at.length = 3;
    }
    ws_diag_add(reader->diag, &diagnostic);
    return false;
}

/* Looks behind the document before libyaml does: at directives, and at what must not be there. */
static bool yaml_take_document_end(ws_yaml_reader *reader, const yaml_event_t *event, bool *more)
{
    size_t end = reader->base + reader->text.length;
    size_t next = 0;
    ws_document_entry entry = {.value = reader->root};

    WS_ASSERT(reader->depth == 0);

    if (!ws_yaml_next_document(reader, ws_yaml_offset(reader, &event->end_mark), &next)) {
        return false;
    }
    *more = reader->mode == WS_YAML_STREAM;
    if (!*more && next < end) {
        return yaml_refuse_second(reader, next);
    }
    if (*more && reader->root->kind != WS_DOCUMENT_NULL) {
        return ws_document_append(reader->stream, entry, reader->arena) ||
               ws_yaml_report_memory(reader);
    }
    return true;
}

static bool yaml_take(ws_yaml_reader *reader, const yaml_event_t *event, bool *more)
{
    switch (event->type) {
    case YAML_NO_EVENT:
    case YAML_STREAM_END_EVENT:
        *more = false;
        return true;
    case YAML_STREAM_START_EVENT:
        return true;
    case YAML_DOCUMENT_START_EVENT:
        reader->owners++;
        reader->document = reader->owners;
        return true;
    case YAML_DOCUMENT_END_EVENT:
        return yaml_take_document_end(reader, event, more);
    case YAML_ALIAS_EVENT:
        return ws_yaml_take_alias(reader, event);
    case YAML_SCALAR_EVENT:
        return ws_yaml_take_scalar(reader, event);
    case YAML_SEQUENCE_START_EVENT:
        return ws_yaml_take_start(
            reader, event,
            &(ws_yaml_start){.kind = WS_DOCUMENT_LIST,
                             .flow = event->data.sequence_start.style == YAML_FLOW_SEQUENCE_STYLE,
                             .anchor = event->data.sequence_start.anchor,
                             .tag = event->data.sequence_start.tag});
    case YAML_MAPPING_START_EVENT:
        return ws_yaml_take_start(
            reader, event,
            &(ws_yaml_start){.kind = WS_DOCUMENT_MAP,
                             .flow = event->data.mapping_start.style == YAML_FLOW_MAPPING_STYLE,
                             .anchor = event->data.mapping_start.anchor,
                             .tag = event->data.mapping_start.tag});
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
        return ws_yaml_take_end(reader, event);
    }
    return false;
}

static bool yaml_run(ws_yaml_reader *reader)
{
    bool more = true;
    bool good = true;

    while (more && good) {
        yaml_event_t event;

        if (!yaml_parser_parse(&reader->parser, &event)) {
            return ws_yaml_report_problem(reader);
        }
        good = yaml_take(reader, &event, &more);
        yaml_event_delete(&event);
    }
    return good;
}

static bool yaml_refuse_empty(const ws_yaml_reader *reader)
{
    return ws_diag_error(reader->diag, 2002, (ws_span){.source = reader->source},
                         "the file holds no %s", reader->noun);
}

/* The value of an override must show where it ends: no block style, and no comment in place of a
 * value. */
static bool yaml_check_value(ws_yaml_reader *reader)
{
    ws_text text = ws_text_trimmed(reader->text);
    const ws_document *root = reader->root;
    bool is_comment =
        root != NULL && root->kind == WS_DOCUMENT_NULL && ws_text_starts_with(text, WS_TEXT("#"));
    bool is_block = root != NULL &&
                    (root->kind == WS_DOCUMENT_LIST || root->kind == WS_DOCUMENT_MAP) &&
                    !root->flow;
    ws_diagnostic diagnostic = {.severity = WS_SEVERITY_ERROR, .code = 2902};

    if (!is_comment && !is_block) {
        return true;
    }
    diagnostic.at = ws_yaml_bytes(reader, reader->base, reader->base + reader->text.length);
    diagnostic.message = is_comment
                             ? WS_TEXT("the value of an override reads as a comment")
                             : WS_TEXT("the value of an override is a scalar, `[..]` or `{..}`");
    diagnostic.help =
        is_comment ? WS_TEXT("put it in quotes") : WS_TEXT("put it in braces, brackets or quotes");
    ws_diag_add(reader->diag, &diagnostic);
    return false;
}

/* Parses, expands, and hands the result over. */
static bool yaml_finish(ws_yaml_reader *reader, ws_document **document)
{
    size_t errors = reader->diag->error_count;
    ws_document *result = NULL;

    if (!yaml_run(reader) || reader->diag->error_count > errors) {
        return false;
    }
    if (reader->mode == WS_YAML_VALUE && reader->root == NULL) {
        reader->root = ws_arena_alloc(reader->arena, ws_document, 1);
        if (reader->root == NULL) {
            return ws_yaml_report_memory(reader);
        }
        reader->root->at = ws_yaml_bytes(reader, reader->base, reader->base + reader->text.length);
    }
    result = reader->mode == WS_YAML_STREAM ? reader->stream : reader->root;
    if (reader->mode == WS_YAML_VALUE && !yaml_check_value(reader)) {
        return false;
    }
    if (result == NULL || (reader->mode == WS_YAML_ONE && result->kind == WS_DOCUMENT_NULL) ||
        (reader->mode == WS_YAML_STREAM && result->count == 0)) {
        return yaml_refuse_empty(reader);
    }
    if (!ws_yaml_expand(reader)) {
        return false;
    }
    *document = result;
    return true;
}

static bool yaml_read(ws_yaml_reader *reader, ws_document **document)
{
    bool good = false;

    WS_ASSERT(document != NULL);
    WS_ASSERT(reader->arena != NULL);
    WS_ASSERT(reader->diag != NULL);

    if (!ws_yaml_scan(reader)) {
        return false;
    }
    if (reader->empty && reader->mode != WS_YAML_VALUE) {
        return yaml_refuse_empty(reader);
    }
    if (reader->mode == WS_YAML_STREAM) {
        reader->stream = ws_document_new_list(reader->arena);
        if (reader->stream == NULL) {
            return ws_yaml_report_memory(reader);
        }
        reader->stream->at = (ws_span){.source = reader->source};
    }
    if (!yaml_parser_initialize(&reader->parser)) {
        return ws_yaml_report_memory(reader);
    }
    yaml_parser_set_encoding(&reader->parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(
        &reader->parser,
        (const unsigned char *)(reader->text.length == 0 ? "" : reader->text.start),
        reader->text.length);
    good = yaml_finish(reader, document);
    yaml_parser_delete(&reader->parser);
    return good;
}

bool ws_yaml_read(ws_document **document, const ws_source *source, const char *noun,
                  ws_arena *arena, ws_diag *diag)
{
    WS_ASSERT(document != NULL);
    WS_ASSERT(source != NULL);

    ws_yaml_reader reader = {.source = source,
                             .noun = noun,
                             .mode = WS_YAML_ONE,
                             .arena = arena,
                             .diag = diag,
                             .text = source->content};

    return yaml_read(&reader, document);
}

bool ws_yaml_read_stream(ws_document **documents, const ws_source *source, const char *noun,
                         ws_arena *arena, ws_diag *diag)
{
    WS_ASSERT(documents != NULL);
    WS_ASSERT(source != NULL);

    ws_yaml_reader reader = {.source = source,
                             .noun = noun,
                             .mode = WS_YAML_STREAM,
                             .arena = arena,
                             .diag = diag,
                             .text = source->content};

    return yaml_read(&reader, documents);
}

bool ws_yaml_read_value(ws_document **document, const ws_source *source, size_t from, size_t to,
                        ws_arena *arena, ws_diag *diag)
{
    ws_yaml_reader reader = {.source = source,
                             .noun = "value",
                             .mode = WS_YAML_VALUE,
                             .arena = arena,
                             .diag = diag,
                             .base = from};

    WS_ASSERT(from <= to);
    WS_ASSERT(to <= source->content.length);

    reader.text = ws_text_slice(source->content, from, to);
    return yaml_read(&reader, document);
}
