/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is done with the bytes of a text before libyaml sees them, and places.
 *
 * libyaml counts characters. Offsets in bytes come from a table with the offset of every
 * SCAN_STRIDE-th character. After the check for hidden characters the only line breaks left are LF,
 * CRLF and CR, so that libyaml's lines and ours agree.
 */
#include <inttypes.h>

#include "ws/glyph.h"

#include "yaml_reader.h"

#define SCAN_STRIDE ((size_t)64)

ws_span ws_yaml_bytes(const ws_yaml_reader *reader, size_t from, size_t to)
{
    WS_ASSERT(from <= to);
    return ws_span_of_bytes(reader->source, from, to);
}

/* ---- bytes ---- */

static bool scan_is_break(char byte)
{
    return byte == '\n' || byte == '\r';
}

/* UTF-16 and UTF-32, by their mark or by the zero bytes of two ASCII characters. */
static const char *scan_other_encoding(ws_text text)
{
    bool zero[4] = {false};

    for (size_t i = 0; i < 4 && i < text.length; i++) {
        zero[i] = text.start[i] == '\0';
    }
    if (ws_text_starts_with(text, WS_TEXT("\xFF\xFE\0\0")) ||
        ws_text_starts_with(text, WS_TEXT("\0\0\xFE\xFF")) || (zero[1] && zero[2]) ||
        (zero[0] && zero[1] && zero[2])) {
        return "UTF-32";
    }
    if (ws_text_starts_with(text, WS_TEXT("\xFF\xFE")) ||
        ws_text_starts_with(text, WS_TEXT("\xFE\xFF")) || (zero[1] && zero[3]) ||
        (zero[0] && zero[2])) {
        return "UTF-16";
    }
    return NULL;
}

static bool scan_refuse_encoding(const ws_yaml_reader *reader, const char *encoding)
{
    ws_diagnostic diagnostic = {
        .severity = WS_SEVERITY_ERROR,
        .code = 1306,
        .message = ws_arena_format(reader->arena, "the file is %s, not UTF-8", encoding),
        .at = {.source = reader->source},
        .help = WS_TEXT("save it as UTF-8"),
    };

    ws_diag_add(reader->diag, &diagnostic);
    return false;
}

static bool scan_refuse_byte(const ws_yaml_reader *reader, size_t at)
{
    ws_diagnostic diagnostic = {
        .severity = WS_SEVERITY_ERROR,
        .code = 1306,
        .message = ws_arena_format(reader->arena, "invalid UTF-8 at byte offset %zu", at),
        .at = ws_yaml_bytes(reader, at, at + 1),
        .label = ws_arena_format(reader->arena, "byte 0x%02x",
                                 (unsigned)(unsigned char)reader->source->content.start[at]),
        .help = WS_TEXT("save the file as UTF-8"),
    };

    ws_diag_add(reader->diag, &diagnostic);
    return false;
}

static bool scan_refuse_hidden(const ws_yaml_reader *reader, size_t at, size_t length,
                               uint32_t scalar)
{
    ws_diagnostic diagnostic = {
        .severity = WS_SEVERITY_ERROR,
        .code = 1305,
        .message = ws_arena_format(reader->arena,
                                   "the hidden character U+%04" PRIX32 " is not allowed", scalar),
        .at = ws_yaml_bytes(reader, at, at + length),
        .label = WS_TEXT("shown escaped"),
        .notes = {WS_TEXT("control characters and marks of direction can make a file read "
                          "otherwise than it works")},
    };

    ws_diag_add(reader->diag, &diagnostic);
    return false;
}

/* Decodes all characters: refuses what is invalid or hidden, and notes where they are. */
static bool scan_characters(ws_yaml_reader *reader)
{
    size_t characters = 0;
    uint32_t scalar = 0;

    for (size_t i = 0; i < reader->text.length; characters++) {
        char byte = reader->text.start[i];
        bool is_ascii = byte >= ' ' && byte <= '~'; /* most of a file, and never at fault */
        size_t length = is_ascii ? 1 : ws_text_decode(reader->text, i, &scalar);

        if (!is_ascii && scalar == WS_SCALAR_INVALID) {
            return scan_refuse_byte(reader, reader->base + i);
        }
        if (!is_ascii && ws_glyph_is_hidden(scalar) && byte != '\t' && !scan_is_break(byte)) {
            return scan_refuse_hidden(reader, reader->base + i, length, scalar);
        }
        if (characters % SCAN_STRIDE == 0) {
            reader->checkpoints[characters / SCAN_STRIDE] = (uint32_t)i;
        }
        i += length;
    }
    if (characters % SCAN_STRIDE == 0) {
        reader->checkpoints[characters / SCAN_STRIDE] = (uint32_t)reader->text.length;
    }
    return true;
}

/* Where the text begins: lines and characters of the content before it. */
static void scan_base(ws_yaml_reader *reader)
{
    ws_text content = reader->source->content;
    ws_span start = ws_span_of_bytes(reader->source, reader->base, reader->base);

    WS_ASSERT(reader->base <= content.length);

    reader->base_line = start.line - 1;
    reader->base_column = start.column - 1;
}

bool ws_yaml_scan(ws_yaml_reader *reader)
{
    WS_ASSERT(reader->diag != NULL);

    const char *encoding = scan_other_encoding(reader->text);
    size_t next = 0;

    if (reader->text.length > WS_YAML_BYTES_MAX) {
        return ws_diag_error(reader->diag, 9001, (ws_span){.source = reader->source},
                             "the file has %zu bytes; a YAML file may have %zu",
                             reader->text.length, WS_YAML_BYTES_MAX);
    }
    if (encoding != NULL) {
        return scan_refuse_encoding(reader, encoding);
    }
    if (reader->base == 0 && ws_text_starts_with(reader->text, WS_TEXT("\xEF\xBB\xBF"))) {
        reader->text = ws_text_slice(reader->text, 3, reader->text.length);
        reader->base = 3;
    }
    scan_base(reader);
    reader->keys.seed = ws_text_hash(reader->text);
    reader->checkpoints =
        ws_arena_alloc(reader->arena, uint32_t, reader->text.length / SCAN_STRIDE + 1);
    if (reader->checkpoints == NULL) {
        return ws_yaml_report_memory(reader);
    }
    if (!scan_characters(reader) || !ws_yaml_next_document(reader, reader->base, &next)) {
        return false;
    }
    reader->empty = next == reader->base + reader->text.length;
    return true;
}

/* ---- directives and what lies between documents ---- */

static bool scan_is_blank(char byte)
{
    return byte == ' ' || byte == '\t' || scan_is_break(byte);
}

static size_t scan_line_end(ws_text content, size_t at)
{
    while (at < content.length && !scan_is_break(content.start[at])) {
        at++;
    }
    return at;
}

/* libyaml's cost is quadratic in directives, so that none but the version reaches it. */
static bool scan_directive(const ws_yaml_reader *reader, size_t from, size_t to)
{
    ws_text line = ws_text_trimmed(ws_text_slice(reader->source->content, from, to));
    ws_diagnostic diagnostic = {.severity = WS_SEVERITY_ERROR, .code = 1307};

    if (ws_text_is(line, "%YAML 1.1") || ws_text_is(line, "%YAML 1.2")) {
        return true;
    }
    diagnostic.message = WS_TEXT("tags are not used here");
    diagnostic.label = WS_TEXT("this directive declares one");
    if (!ws_text_starts_with(line, WS_TEXT("%TAG"))) {
        diagnostic.message = WS_TEXT("directives are not used here");
        diagnostic.label = WS_TEXT("only `%YAML 1.1` and `%YAML 1.2` are known");
    }
    diagnostic.at = ws_yaml_bytes(reader, from, from + line.length);
    diagnostic.help = WS_TEXT("remove this line");
    ws_diag_add(reader->diag, &diagnostic);
    return false;
}

bool ws_yaml_next_document(const ws_yaml_reader *reader, size_t offset, size_t *next)
{
    ws_text content = ws_text_slice(reader->source->content, 0, reader->base + reader->text.length);
    size_t at = offset;

    WS_ASSERT(offset >= reader->base);
    WS_ASSERT(offset <= content.length);

    for (;;) {
        while (at < content.length && scan_is_blank(content.start[at])) {
            at++;
        }
        *next = at;
        if (at == content.length) {
            return true;
        }

        bool starts_line = at == reader->base || scan_is_break(content.start[at - 1]);
        ws_text rest = ws_text_slice(content, at, at + 4);
        bool ends_document = starts_line && ws_text_starts_with(rest, WS_TEXT("...")) &&
                             (rest.length == 3 || scan_is_blank(rest.start[3]));
        size_t end = scan_line_end(content, at);

        if (content.start[at] == '%' && starts_line && !scan_directive(reader, at, end)) {
            return false;
        }
        if (ends_document) {
            at += 3;
        } else if (content.start[at] == '#' || (content.start[at] == '%' && starts_line)) {
            at = end;
        } else {
            return true;
        }
    }
}

/* ---- places ---- */

/* Offset in `text` of a character. */
static size_t scan_offset(const ws_yaml_reader *reader, size_t character)
{
    size_t at = 0;
    uint32_t scalar = 0;

    WS_ASSERT(character / SCAN_STRIDE <= reader->text.length / SCAN_STRIDE);

    at = reader->checkpoints[character / SCAN_STRIDE];
    for (size_t i = character % SCAN_STRIDE; i > 0 && at < reader->text.length; i--) {
        at += ws_text_decode(reader->text, at, &scalar);
    }
    return at;
}

size_t ws_yaml_offset(const ws_yaml_reader *reader, const yaml_mark_t *mark)
{
    WS_ASSERT(mark != NULL);
    return reader->base + scan_offset(reader, mark->index);
}

ws_span ws_yaml_span(const ws_yaml_reader *reader, const yaml_mark_t *from, const yaml_mark_t *to)
{
    size_t start = scan_offset(reader, from->index);
    size_t end = start;
    ws_span span = {
        .source = reader->source,
        .line = reader->base_line + (int32_t)from->line + 1,
        .column = (int32_t)from->column + 1 + (from->line == 0 ? reader->base_column : 0),
        .length = (int32_t)(to->index - from->index),
        .offset = (int64_t)(reader->base + start),
    };

    WS_ASSERT(from->index <= to->index);

    if (from->line != to->line) {
        end = scan_line_end(reader->text, start);
        while (end > start && scan_is_blank(reader->text.start[end - 1])) {
            end--;
        }
        span.length = (int32_t)ws_text_characters(ws_text_slice(reader->text, start, end));
    }
    span.length = span.length < 1 ? 1 : span.length;
    return span;
}

/* Moves a mark, and the offset that belongs to it, over one character or line break. */
static void scan_step(ws_text text, yaml_mark_t *mark, size_t *at)
{
    uint32_t scalar = 0;
    bool is_crlf = text.start[*at] == '\r' && *at + 1 < text.length && text.start[*at + 1] == '\n';

    if (scan_is_break(text.start[*at])) {
        mark->line++;
        mark->column = 0;
        mark->index += is_crlf ? 2 : 1;
        *at += is_crlf ? 2 : 1;
        return;
    }
    mark->index++;
    mark->column++;
    *at += ws_text_decode(text, *at, &scalar);
}

static bool scan_ends_property(char first, char byte)
{
    bool is_word = (byte >= '0' && byte <= '9') || (byte >= 'A' && byte <= 'Z') ||
                   (byte >= 'a' && byte <= 'z') || byte == '_' || byte == '-';

    return first == '&' ? !is_word : scan_is_blank(byte);
}

/* Over blanks, breaks and comments. */
static void scan_skip_space(ws_text text, yaml_mark_t *mark, size_t *at)
{
    bool comment = false;

    while (*at < text.length) {
        char byte = text.start[*at];

        comment = (comment && !scan_is_break(byte)) || byte == '#';
        if (!comment && !scan_is_blank(byte)) {
            return;
        }
        scan_step(text, mark, at);
    }
}

void ws_yaml_skip_properties(const ws_yaml_reader *reader, yaml_mark_t *mark)
{
    WS_ASSERT(mark != NULL);

    ws_text text = reader->text;
    size_t at = scan_offset(reader, mark->index);

    while (at < text.length && (text.start[at] == '&' || text.start[at] == '!')) {
        char first = text.start[at];

        do {
            scan_step(text, mark, &at);
        } while (at < text.length && !scan_ends_property(first, text.start[at]));
        scan_skip_space(text, mark, &at);
    }
}
