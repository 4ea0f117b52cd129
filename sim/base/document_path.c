/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Paths of documents: reading their steps, following them, and writing the path of a value.
 *
 * Digits alone in brackets are an index, anything else is a name, so that each path means one
 * thing; a name of digits is written in quotes.
 */
#include "buffer.h"
#include "document_steps.h"
#include "ws/number.h"

/* Two levels more than a reader lets through: the document may have been set at its deepest place.
 */
#define PATH_TRAIL_MAX (2 * WS_DOCUMENT_DEPTH_MAX + 2)

static bool path_is_special(char byte)
{
    return byte == '.' || byte == '[' || byte == ']' || byte == '"' || byte == '\'';
}

static size_t path_word_end(ws_text path, size_t from)
{
    while (from < path.length && !path_is_special(path.start[from])) {
        from++;
    }
    return from;
}

static bool path_is_digits(ws_text text)
{
    for (size_t i = 0; i < text.length; i++) {
        if (text.start[i] < '0' || text.start[i] > '9') {
            return false;
        }
    }
    return text.length > 0;
}

/* Behind a step stands the end, a bracket, or a dot with another step behind it. */
static bool path_end_step(ws_text path, size_t end, ws_step *step)
{
    step->to = end;
    if (end == path.length || path.start[end] == '[') {
        return true;
    }
    if (path.start[end] == '.' && end + 1 < path.length) {
        step->to = end + 1;
        return true;
    }
    step->from = end;
    step->to = end + 1;
    return false;
}

/* What stands in brackets; `from` is behind the opening one. */
static bool path_read_bracket(ws_text path, size_t from, ws_step *step)
{
    char quote = from < path.length ? path.start[from] : '\0';
    bool quoted = quote == '"' || quote == '\'';
    size_t end = 0;

    if (quoted) {
        ws_text rest = ws_text_slice(path, from + 1, path.length);

        step->text = ws_text_slice(rest, 0, ws_text_find_byte(rest, quote));
        end = from + step->text.length + 2;
    } else {
        end = path_word_end(path, from);
        while (end < path.length && path.start[end] == '.') { /* a name may hold dots */
            end = path_word_end(path, end + 1);
        }
        step->text = ws_text_slice(path, from, end);
    }
    if (end >= path.length || path.start[end] != ']' || (!quoted && step->text.length == 0)) {
        step->to = path.length;
        return false;
    }
    step->kind = WS_STEP_NAME;
    if (!quoted && path_is_digits(step->text)) {
        step->kind = WS_STEP_INDEX;
    } else if (!quoted && ws_text_is(step->text, "*")) {
        step->kind = WS_STEP_ALL;
    }
    return path_end_step(path, end + 1, step);
}

bool ws_step_read(ws_text path, size_t from, ws_step *step)
{
    size_t end = 0;

    WS_ASSERT(step != NULL);
    WS_ASSERT(from < path.length);

    *step = (ws_step){.kind = WS_STEP_KEY, .from = from, .to = from + 1};
    if (path.start[from] == '[') {
        return path_read_bracket(path, from + 1, step);
    }
    end = path_word_end(path, from);
    step->text = ws_text_slice(path, from, end);
    return step->text.length > 0 && path_end_step(path, end, step);
}

ws_text ws_step_name(const ws_document *entry)
{
    const ws_document *name = ws_document_find(entry, "name");

    if (name == NULL || name->kind != WS_DOCUMENT_SCALAR) {
        return (ws_text){.start = NULL, .length = 0};
    }
    return name->scalar;
}

static size_t path_find_name(const ws_document *list, ws_text name)
{
    for (size_t i = 0; i < list->count; i++) {
        if (name.length > 0 && ws_text_equals(ws_step_name(list->entries[i].value), name)) {
            return i;
        }
    }
    return list->count;
}

static size_t path_find_key(const ws_document *map, ws_text key)
{
    for (size_t i = 0; i < map->count; i++) {
        if (ws_text_equals(map->entries[i].key, key)) {
            return i;
        }
    }
    return map->count;
}

size_t ws_step_find(const ws_document *document, const ws_step *step)
{
    uint64_t index = 0;

    WS_ASSERT(step->kind != WS_STEP_ALL);

    if (document->kind == WS_DOCUMENT_MAP) {
        return path_find_key(document, step->text);
    }
    if (document->kind != WS_DOCUMENT_LIST || step->kind == WS_STEP_KEY) {
        return document->count;
    }
    if (step->kind == WS_STEP_NAME) {
        return path_find_name(document, step->text);
    }
    return ws_parse_u64(step->text, &index) && index < document->count ? (size_t)index
                                                                       : document->count;
}

ws_document *ws_document_at(const ws_document *root, ws_text path)
{
    const ws_document *document = root;
    ws_document *found = NULL;

    WS_ASSERT(root != NULL);

    for (size_t at = 0; at < path.length;) {
        ws_step step;
        size_t index = 0;

        if (!ws_step_read(path, at, &step) || step.kind == WS_STEP_ALL) {
            return NULL;
        }
        index = ws_step_find(document, &step);
        if (index == document->count) {
            return NULL;
        }
        found = document->entries[index].value;
        document = found;
        at = step.to;
    }
    return found;
}

/* ---- the path of a value ---- */

/* Indices of entries on the way to `wanted`; the number of steps, or SIZE_MAX when it is not there.
 */
static size_t path_search(const ws_document *document, const ws_document *wanted,
                          size_t trail[PATH_TRAIL_MAX], size_t depth)
{
    if (document == wanted) {
        return depth;
    }
    if (depth == PATH_TRAIL_MAX) {
        return SIZE_MAX;
    }
    for (size_t i = 0; i < document->count; i++) {
        size_t steps = 0;

        trail[depth] = i;
        steps = path_search(document->entries[i].value, wanted, trail, depth + 1);
        if (steps != SIZE_MAX) {
            return steps;
        }
    }
    return SIZE_MAX;
}

/* False when the text holds both kinds of quotes and so cannot be written. */
static bool path_add_quoted(ws_buffer *out, ws_text text)
{
    bool has_double = ws_text_find_byte(text, '"') < text.length;
    bool has_single = ws_text_find_byte(text, '\'') < text.length;

    ws_buffer_add_string(out, has_double ? "['" : "[\"");
    ws_buffer_add(out, text);
    ws_buffer_add_string(out, has_double ? "']" : "\"]");
    return !has_double || !has_single;
}

static bool path_add_key(ws_buffer *out, ws_text key)
{
    if (key.length == 0 || path_word_end(key, 0) < key.length) {
        return path_add_quoted(out, key);
    }
    ws_buffer_add_string(out, out->length > 0 ? "." : "");
    ws_buffer_add(out, key);
    return true;
}

/* An entry's name when it is the first of that name, else its index. */
static bool path_add_entry(ws_buffer *out, const ws_document *list, size_t index)
{
    ws_text name = ws_step_name(list->entries[index].value);
    bool is_word =
        name.length > 0 && path_word_end(name, 0) == name.length && !ws_text_is(name, "*");

    if (is_word && !path_is_digits(name) && path_find_name(list, name) == index) {
        ws_buffer_add_string(out, "[");
        ws_buffer_add(out, name);
    } else {
        ws_buffer_add_string(out, "[");
        ws_buffer_add_integer(out, (int64_t)index);
    }
    ws_buffer_add_string(out, "]");
    return true;
}

ws_text ws_document_path(const ws_document *root, const ws_document *wanted, ws_arena *arena)
{
    size_t trail[PATH_TRAIL_MAX];
    ws_buffer out;
    size_t steps = 0;
    const ws_document *document = root;

    WS_ASSERT(root != NULL);
    WS_ASSERT(wanted != NULL);

    ws_buffer_init(&out, arena);
    steps = path_search(root, wanted, trail, 0);
    for (size_t i = 0; steps != SIZE_MAX && i < steps; i++) {
        const ws_document_entry *entry = &document->entries[trail[i]];
        bool written = document->kind == WS_DOCUMENT_MAP ? path_add_key(&out, entry->key)
                                                         : path_add_entry(&out, document, trail[i]);

        if (!written) {
            return (ws_text){.start = NULL, .length = 0};
        }
        document = entry->value;
    }
    return steps == SIZE_MAX ? (ws_text){.start = NULL, .length = 0} : ws_buffer_text(&out);
}
