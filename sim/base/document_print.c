/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Documents as YAML that reads back as the same document.
 *
 * Block style, but what was written in flow style stays so, unless a value inside needs a comment
 * of its own. A scalar stays plain only if it is safe in both styles; else it is double-quoted. A
 * comment says where a value comes from when its parent's does not say it already: `# default`, `#
 * --set #1`, `# *anchor`.
 */
#include "buffer.h"
#include "ws/document.h"
#include "ws/glyph.h"

/* libyaml takes up to 1024 characters before the colon for a key. */
#define PRINT_KEY_BYTES_MAX 1000

typedef struct {
    ws_buffer out;
    bool with_origin;
} yaml_printer;

/* ---- scalars ---- */

static bool yaml_is_among(char byte, const char *bytes)
{
    for (const char *one = bytes; *one != '\0'; one++) {
        if (*one == byte) {
            return true;
        }
    }
    return false;
}

static bool yaml_starts_plain(ws_text text)
{
    if (text.length == 0 || yaml_is_among(text.start[0], "&*!|>'\"%@`#=:")) {
        return false;
    }
    if (text.start[0] == '-' && (text.length == 1 || text.start[1] == ' ')) {
        return false;
    }
    return !ws_text_starts_with(text, WS_TEXT("---")) && !ws_text_starts_with(text, WS_TEXT("..."));
}

/* True when the text may stand without quotes in block and flow style, and reads back as a string.
 */
static bool yaml_is_plain(ws_text text)
{
    char before = ' ';

    if (!yaml_starts_plain(text) || ws_text_is(text, "~") || ws_text_is(text, "null") ||
        ws_text_is(text, "<<")) {
        return false;
    }
    for (size_t i = 0; i < text.length;) {
        char byte = text.start[i];
        uint32_t scalar = 0;
        size_t length = ws_text_decode(text, i, &scalar);
        char after = i + length < text.length ? text.start[i + length] : ' ';

        if (scalar == WS_SCALAR_INVALID || ws_glyph_is_hidden(scalar) ||
            yaml_is_among(byte, ",[]{}?") || (byte == ':' && after == ' ') ||
            (byte == '#' && before == ' ') || (byte == ' ' && (i == 0 || i + 1 == text.length))) {
            return false;
        }
        before = byte;
        i += length;
    }
    return true;
}

static const char yaml_digits[] = "0123456789abcdef";

/* `\x1b`, `\u202e`. A byte that is no UTF-8 becomes U+FFFD, the replacement character. */
static void yaml_add_escape(ws_buffer *out, uint32_t scalar)
{
    uint32_t value = scalar == WS_SCALAR_INVALID ? 0xFFFD : scalar;
    size_t digits = value <= 0xFF ? 2 : 4;
    char escape[6] = {'\\', value <= 0xFF ? 'x' : 'u'};

    WS_ASSERT(value <= 0xFFFF);

    for (size_t i = 0; i < digits; i++) {
        escape[2 + i] = yaml_digits[value >> 4 * (digits - 1 - i) & 0xFu];
    }
    ws_buffer_add(out, (ws_text){.start = escape, .length = 2 + digits});
}

static const char *yaml_short_escape(uint32_t scalar)
{
    switch (scalar) {
    case '"':
        return "\\\"";
    case '\\':
        return "\\\\";
    case '\n':
        return "\\n";
    case '\t':
        return "\\t";
    case '\r':
        return "\\r";
    default:
        return NULL;
    }
}

static void yaml_add_quoted(ws_buffer *out, ws_text text)
{
    ws_buffer_add_string(out, "\"");
    for (size_t i = 0; i < text.length;) {
        uint32_t scalar = 0;
        size_t length = ws_text_decode(text, i, &scalar);
        const char *escape = yaml_short_escape(scalar);

        if (escape != NULL) {
            ws_buffer_add_string(out, escape);
        } else if (scalar == WS_SCALAR_INVALID || ws_glyph_is_hidden(scalar)) {
            yaml_add_escape(out, scalar);
        } else {
            ws_buffer_add(out, ws_text_slice(text, i, i + length));
        }
        i += length;
    }
    ws_buffer_add_string(out, "\"");
}

static void yaml_add_text(ws_buffer *out, ws_text text, bool quoted)
{
    if (quoted || !yaml_is_plain(text)) {
        yaml_add_quoted(out, text);
    } else {
        ws_buffer_add(out, text);
    }
}

/*
 * The key and its colon. A long key takes the explicit form, `? key` and `: value`; in block style
 * (`indent` is no SIZE_MAX) on two lines.
 */
static void yaml_add_key(ws_buffer *out, ws_text key, size_t indent)
{
    /* Escapes make six characters of one at most, a pair of bytes among them. */
    bool is_long = key.length > PRINT_KEY_BYTES_MAX / 6;

    ws_buffer_add_string(out, is_long ? "? " : "");
    yaml_add_text(out, key, false);
    if (is_long && indent == SIZE_MAX) {
        ws_buffer_add_string(out, " ");
    } else if (is_long) {
        ws_buffer_add_string(out, "\n");
        ws_buffer_repeat(out, ' ', indent);
    }
    ws_buffer_add_string(out, ":");
}

/* ---- comments ---- */

/* Where a value comes from, if its parent comes from elsewhere; empty: nothing to say. */
static ws_text yaml_origin(const ws_document *document, const ws_document *parent,
                           const char **mark)
{
    bool same_origin = parent != NULL && ws_text_equals(parent->origin, document->origin);
    bool same_alias = parent != NULL && ws_text_equals(parent->alias, document->alias);

    *mark = "";
    if (document->origin.length > 0) {
        return same_origin ? (ws_text){.start = NULL, .length = 0} : document->origin;
    }
    *mark = "*";
    return same_alias ? (ws_text){.start = NULL, .length = 0} : document->alias;
}

static bool yaml_has_comment(const yaml_printer *print, const ws_document *document,
                             const ws_document *parent)
{
    const char *mark = "";

    return print->with_origin && yaml_origin(document, parent, &mark).length > 0;
}

static void yaml_add_comment(yaml_printer *print, const ws_document *document,
                             const ws_document *parent)
{
    const char *mark = "";

    if (yaml_has_comment(print, document, parent)) {
        ws_text origin = yaml_origin(document, parent, &mark);

        ws_buffer_add_string(&print->out, "  # ");
        ws_buffer_add_string(&print->out, mark);
        ws_buffer_add_shown(&print->out, origin);
    }
    ws_buffer_add_string(&print->out, "\n");
}

/* True when something below needs a comment, which only block style has room for. */
static bool yaml_has_comment_below(const yaml_printer *print, const ws_document *document)
{
    for (size_t i = 0; print->with_origin && i < document->count; i++) {
        const ws_document *value = document->entries[i].value;

        if (yaml_has_comment(print, value, document) || yaml_has_comment_below(print, value)) {
            return true;
        }
    }
    return false;
}

/* ---- values ---- */

static bool yaml_is_block(const yaml_printer *print, const ws_document *document)
{
    bool is_container = document->kind == WS_DOCUMENT_LIST || document->kind == WS_DOCUMENT_MAP;

    return is_container && document->count > 0 &&
           (!document->flow || yaml_has_comment_below(print, document));
}

/* A scalar, or a list or map in flow style. */
static void yaml_add_flow(ws_buffer *out, const ws_document *document)
{
    bool is_map = document->kind == WS_DOCUMENT_MAP;

    if (document->kind == WS_DOCUMENT_NULL) {
        ws_buffer_add_string(out, "null");
        return;
    }
    if (document->kind == WS_DOCUMENT_SCALAR) {
        yaml_add_text(out, document->scalar, document->quoted);
        return;
    }
    ws_buffer_add_string(out, is_map ? "{" : "[");
    for (size_t i = 0; i < document->count; i++) {
        ws_buffer_add_string(out, i > 0 ? ", " : "");
        if (is_map) {
            yaml_add_key(out, document->entries[i].key, SIZE_MAX);
            ws_buffer_add_string(out, " ");
        }
        yaml_add_flow(out, document->entries[i].value);
    }
    ws_buffer_add_string(out, is_map ? "}" : "]");
}

static void yaml_add_entries(yaml_printer *print, const ws_document *document, size_t indent,
                             bool inline_first);

/* What follows `key:` or `-`, to the end of its lines. */
static void yaml_add_value(yaml_printer *print, const ws_document *parent, const ws_document *value,
                           size_t indent)
{
    bool in_list = parent->kind == WS_DOCUMENT_LIST;

    if (!yaml_is_block(print, value)) {
        ws_buffer_add_string(&print->out, " ");
        yaml_add_flow(&print->out, value);
        yaml_add_comment(print, value, parent);
    } else if (in_list && !yaml_has_comment(print, value, parent)) {
        ws_buffer_add_string(&print->out, " ");
        yaml_add_entries(print, value, indent + 2, true);
    } else {
        yaml_add_comment(print, value, parent);
        yaml_add_entries(print, value, indent + 2, false);
    }
}

/* The entries of a list or map in block style; the first may stand behind the `-` of a list around
 * it. */
static void yaml_add_entries(yaml_printer *print, const ws_document *document, size_t indent,
                             bool inline_first)
{
    for (size_t i = 0; i < document->count; i++) {
        const ws_document_entry *entry = &document->entries[i];

        if (i > 0 || !inline_first) {
            ws_buffer_repeat(&print->out, ' ', indent);
        }
        if (document->kind == WS_DOCUMENT_MAP) {
            yaml_add_key(&print->out, entry->key, indent);
        } else {
            ws_buffer_add_string(&print->out, "-");
        }
        yaml_add_value(print, document, entry->value, indent);
    }
}

ws_text ws_document_print_yaml(const ws_document *document, bool with_origin, ws_arena *arena)
{
    yaml_printer print = {.with_origin = with_origin};

    WS_ASSERT(document != NULL);

    ws_buffer_init(&print.out, arena);
    if (yaml_is_block(&print, document)) {
        yaml_add_entries(&print, document, 0, false);
    } else {
        yaml_add_flow(&print.out, document);
        ws_buffer_add_string(&print.out, "\n");
    }
    return ws_buffer_text(&print.out);
}
