/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Documents: making, finding, changing. Entries are arrays in the order of the file, searched one
 * by one: maps of scenarios are small, and readers of large ones use ws_document_append().
 */
#include "ws/document.h"

#include <string.h>

ws_document *ws_document_new_scalar(ws_arena *arena, ws_text scalar, ws_text origin)
{
    ws_document *document = ws_arena_alloc(arena, ws_document, 1);

    if (document == NULL) {
        return NULL;
    }
    document->kind = WS_DOCUMENT_SCALAR;
    document->scalar = ws_arena_copy_text(arena, scalar);
    if (document->scalar.start == NULL) {
        return NULL;
    }
    if (origin.length > 0) {
        document->origin = ws_arena_copy_text(arena, origin);
        return document->origin.start == NULL ? NULL : document;
    }
    return document;
}

static ws_document *document_new(ws_arena *arena, ws_document_kind kind)
{
    ws_document *document = ws_arena_alloc(arena, ws_document, 1);

    if (document != NULL) {
        document->kind = kind;
    }
    return document;
}

ws_document *ws_document_new_list(ws_arena *arena)
{
    return document_new(arena, WS_DOCUMENT_LIST);
}

ws_document *ws_document_new_map(ws_arena *arena)
{
    return document_new(arena, WS_DOCUMENT_MAP);
}

ws_document *ws_document_copy(ws_arena *arena, const ws_document *document)
{
    ws_document *copy = ws_arena_alloc(arena, ws_document, 1);

    WS_ASSERT(document != NULL);

    if (copy == NULL) {
        return NULL;
    }
    *copy = *document;
    copy->entries = NULL;
    copy->capacity = document->count;
    if (document->count == 0) {
        return copy;
    }
    copy->entries = ws_arena_alloc(arena, ws_document_entry, document->count);
    for (size_t i = 0; copy->entries != NULL && i < document->count; i++) {
        copy->entries[i] = document->entries[i];
        copy->entries[i].value = ws_document_copy(arena, document->entries[i].value);
        if (copy->entries[i].value == NULL) {
            return NULL;
        }
    }
    return copy->entries == NULL ? NULL : copy;
}

/* Index of a key, or map->count. */
static size_t document_index(const ws_document *map, ws_text key)
{
    WS_ASSERT(map->kind == WS_DOCUMENT_MAP);

    for (size_t i = 0; i < map->count; i++) {
        if (ws_text_equals(map->entries[i].key, key)) {
            return i;
        }
    }
    return map->count;
}

const ws_document_entry *ws_document_find_entry(const ws_document *map, const char *key)
{
    size_t index = 0;

    WS_ASSERT(key != NULL);

    if (map == NULL || map->kind != WS_DOCUMENT_MAP) {
        return NULL;
    }
    index = document_index(map, ws_text_of(key));
    return index == map->count ? NULL : &map->entries[index];
}

ws_document *ws_document_find(const ws_document *map, const char *key)
{
    const ws_document_entry *entry = ws_document_find_entry(map, key);

    return entry == NULL ? NULL : entry->value;
}

bool ws_document_append(ws_document *parent, ws_document_entry entry, ws_arena *arena)
{
    ws_document_entry *grown = NULL;

    WS_ASSERT(parent != NULL);
    WS_ASSERT(parent->kind == WS_DOCUMENT_LIST || parent->kind == WS_DOCUMENT_MAP);
    WS_ASSERT(parent->kind == WS_DOCUMENT_MAP || entry.key.length == 0);
    WS_ASSERT(entry.value != NULL);

    grown = ws_arena_grow(arena, parent->entries, parent->count, parent->count + 1,
                          &parent->capacity, sizeof *grown);
    if (grown == NULL) {
        return false;
    }
    parent->entries = grown;
    parent->entries[parent->count] = entry;
    parent->count++;
    return true;
}

bool ws_document_put(ws_document *parent, ws_text key, ws_document *value, ws_arena *arena)
{
    ws_document_entry entry = {.key_at = ws_span_none, .value = value};

    WS_ASSERT(parent != NULL);
    WS_ASSERT(value != NULL);

    if (parent->kind == WS_DOCUMENT_MAP) {
        size_t index = document_index(parent, key);

        if (index < parent->count) {
            parent->entries[index].value = value;
            return true;
        }
        entry.key = ws_arena_copy_text(arena, key);
        if (entry.key.start == NULL) {
            return false;
        }
    }
    return ws_document_append(parent, entry, arena);
}

bool ws_document_remove(ws_document *map, ws_text key)
{
    size_t index = 0;

    WS_ASSERT(map != NULL);

    if (map->kind != WS_DOCUMENT_MAP) {
        return false;
    }
    index = document_index(map, key);
    if (index == map->count) {
        return false;
    }
    map->count--;
    memmove(&map->entries[index], &map->entries[index + 1],
            (map->count - index) * sizeof *map->entries);
    return true;
}

ws_text ws_document_alias_note(const ws_document *document, ws_arena *arena)
{
    WS_ASSERT(document != NULL);

    if (document->alias.length == 0) {
        return (ws_text){.start = NULL, .length = 0};
    }
    return ws_arena_format(arena, "used at line %d through *%.*s", document->alias_at.line,
                           WS_TEXT_ARGS(document->alias));
}

bool ws_document_bool(const ws_document *document, bool *value)
{
    WS_ASSERT(value != NULL);

    if (document == NULL || document->kind != WS_DOCUMENT_SCALAR || document->quoted) {
        return false;
    }
    if (ws_text_is(document->scalar, "true")) {
        *value = true;
        return true;
    }
    if (ws_text_is(document->scalar, "false")) {
        *value = false;
        return true;
    }
    return false;
}
