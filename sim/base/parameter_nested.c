/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Values that hold other values: maps, lists of maps, lists of scalars, and the documents of
 * defaults.
 *
 * A nested map is read by the same walk as the top one. The recursion is as deep as the document,
 * which its reader bounds (64 levels), or as deep as structures lie in one another.
 */
#include "parameter_reader.h"

static bool nested_is_in_file(const ws_document *map)
{
    return map->at.source != NULL && map->at.line > 0;
}

static ws_text nested_where(const ws_parameter_place *parent, const char *key, int64_t index)
{
    ws_arena *arena = parent->reader->arena;
    const char *dot = parent->where.length > 0 ? "." : "";

    WS_ASSERT(key != NULL);
    if (index < 0) {
        return ws_arena_format(arena, "%.*s%s%s", WS_TEXT_ARGS(parent->where), dot, key);
    }
    return ws_arena_format(arena, "%.*s%s%s[%lld]", WS_TEXT_ARGS(parent->where), dot, key,
                           (long long)index);
}

/* The place of a map below the slot's key; index -1: it is the key's own value, else an entry of
 * the key's list. */
static ws_parameter_place nested_place(const ws_parameter_slot *slot, ws_document *map,
                                       int64_t index)
{
    const ws_parameter_place *parent = slot->place;
    ws_parameter_place place = {.reader = parent->reader,
                                .map = map,
                                .where = nested_where(parent, slot->row->name, index),
                                .noun = slot->row->table->noun,
                                .at = parent->at,
                                .at_noun = parent->at_noun,
                                .alias = parent->alias};
    bool is_empty = map->kind == WS_DOCUMENT_NULL;

    WS_ASSERT(slot->row->table != NULL);
    if (slot->value->alias.length > 0) {
        place.alias = slot->value;
    }
    if (map->alias.length > 0) {
        place.alias = map;
    }
    if (nested_is_in_file(map) && !(is_empty && index < 0)) {
        place.at = map->at;
        place.at_noun = place.noun;
    } else if (is_empty && slot->key_at.source != NULL) {
        place.at = slot->key_at;
        place.at_noun = place.noun;
    }
    return place;
}

/* `30m` where a map is due becomes `{every: 30m}`. */
static bool nested_wrap_scalar(ws_document *document, const char *key, ws_arena *arena)
{
    ws_document *scalar = ws_arena_alloc(arena, ws_document, 1);
    ws_document map = {.kind = WS_DOCUMENT_MAP,
                       .flow = true,
                       .at = document->at,
                       .origin = document->origin,
                       .alias = document->alias,
                       .alias_at = document->alias_at};

    WS_ASSERT(document->kind == WS_DOCUMENT_SCALAR);
    if (scalar == NULL) {
        return false;
    }
    *scalar = *document;
    if (!ws_document_put(&map, ws_text_of(key), scalar, arena)) {
        return false;
    }
    map.entries[0].key_at = document->at;
    *document = map;
    return true;
}

bool ws_parameter_make_map(const ws_parameter_place *place, const char *scalar_key)
{
    ws_document *document = place->map;

    if (document->kind == WS_DOCUMENT_SCALAR && scalar_key != NULL) {
        return nested_wrap_scalar(document, scalar_key, place->reader->arena) ||
               ws_parameter_fault_memory(place->reader);
    }
    if (document->kind == WS_DOCUMENT_NULL) {
        document->kind = WS_DOCUMENT_MAP;
    }
    return document->kind == WS_DOCUMENT_MAP || ws_parameter_fault_not_a_map(place);
}

static bool nested_read(const ws_parameter_slot *slot, ws_document *map, int64_t index,
                        void *object)
{
    const ws_parameter_table *table = slot->row->table;
    ws_parameter_binding binding = {.table = table, .object = object};
    ws_parameter_place place = nested_place(slot, map, index);

    WS_ASSERT(table != NULL);
    if (place.where.start == NULL) {
        return ws_parameter_fault_memory(place.reader);
    }
    return ws_parameter_make_map(&place, table->scalar_key) &&
           ws_parameters_read_place(&place, &binding, 1);
}

bool ws_parameter_read_map(const ws_parameter_slot *slot, void *field)
{
    return nested_read(slot, slot->value, -1, field);
}

bool ws_parameter_read_optional_map(const ws_parameter_slot *slot, void *field)
{
    void *object = ws_arena_alloc_bytes(slot->place->reader->arena, 1, slot->row->table->bytes);

    WS_ASSERT(slot->row->table->bytes > 0);
    if (object == NULL) {
        return ws_parameter_fault_memory(slot->place->reader);
    }
    *(void **)field = object;
    return nested_read(slot, slot->value, -1, object);
}

/* A map where a list is due, of a row that takes it. */
static bool nested_takes_map(const ws_parameter_slot *slot, void *field)
{
    char *object = (char *)field - slot->row->offset;

    if (slot->row->map_offset == 0 || slot->value->kind != WS_DOCUMENT_MAP) {
        return false;
    }
    *(const ws_document **)(void *)(object + slot->row->map_offset) = slot->value;
    return true;
}

/* What is read into the items of a list. */
typedef struct {
    const ws_document_entry *entries;
    size_t count;
    size_t bytes; /* of an item */
    bool (*read)(const ws_parameter_slot *slot, ws_document *value, int64_t index, void *item);
} nested_list;

/* Fills a ws_list: all of it, so that every fault is told. */
static bool nested_fill(const ws_parameter_slot *slot, const nested_list *given, ws_list *list)
{
    bool is_good = true;

    WS_ASSERT(given->bytes > 0);
    list->items = ws_arena_alloc_bytes(slot->place->reader->arena,
                                       given->count > 0 ? given->count : 1, given->bytes);
    if (list->items == NULL) {
        return ws_parameter_fault_memory(slot->place->reader);
    }
    list->count = given->count;
    for (size_t i = 0; i < given->count; i++) {
        void *item = (char *)list->items + i * given->bytes;

        is_good = given->read(slot, given->entries[i].value, (int64_t)i, item) && is_good;
    }
    return is_good;
}

bool ws_parameter_read_map_list(const ws_parameter_slot *slot, void *field)
{
    if (nested_takes_map(slot, field)) {
        return true;
    }
    if (slot->value->kind != WS_DOCUMENT_LIST) {
        return ws_parameter_fault_kind(slot);
    }
    nested_list list = {.entries = slot->value->entries,
                        .count = slot->value->count,
                        .bytes = slot->row->table->bytes,
                        .read = nested_read};
    return nested_fill(slot, &list, field);
}

static bool nested_read_element(const ws_parameter_slot *slot, ws_document *value, int64_t index,
                                void *field)
{
    ws_parameter_slot element = *slot;

    (void)index;
    element.kind = ws_parameter_facts_of(slot->kind)->element;
    element.value = value;
    if (value->kind != WS_DOCUMENT_SCALAR) {
        return ws_parameter_fault_kind(&element);
    }
    return ws_parameter_facts_of(element.kind)->read(&element, field);
}

bool ws_parameter_read_scalar_list(const ws_parameter_slot *slot, void *field)
{
    ws_document_entry single = {.value = slot->value};
    bool is_list = slot->value->kind == WS_DOCUMENT_LIST;

    if (!is_list && slot->value->kind != WS_DOCUMENT_SCALAR) {
        return ws_parameter_fault_kind(slot);
    }
    nested_list list = {.entries = is_list ? slot->value->entries : &single,
                        .count = is_list ? slot->value->count : 1,
                        .bytes = ws_parameter_facts_of(slot->kind)->element_bytes,
                        .read = nested_read_element};
    return nested_fill(slot, &list, field);
}

bool ws_parameter_default_map(const ws_parameter_place *parent, const ws_parameter *row,
                              void *field)
{
    ws_arena *arena = parent->reader->arena;
    ws_document *map = ws_document_new_map(arena);
    ws_parameter_slot slot = {.place = parent, .row = row, .kind = row->kind, .value = map};

    WS_ASSERT(row->kind == WS_PARAMETER_MAP);
    if (map == NULL) {
        return ws_parameter_fault_memory(parent->reader);
    }
    map->origin = WS_TEXT("default");
    if (!nested_read(&slot, map, -1, field)) {
        return false;
    }
    if (map->count == 0) {
        return true; /* a map without defaults would be noise in the resolved document */
    }
    return ws_document_put(parent->map, ws_text_of(row->name), map, arena) ||
           ws_parameter_fault_memory(parent->reader);
}

static bool nested_put_default_entries(ws_document *list, ws_text entries, ws_arena *arena)
{
    while (entries.length > 0) {
        size_t comma = ws_text_find_byte(entries, ',');
        ws_text entry = ws_text_trimmed(ws_text_slice(entries, 0, comma));
        ws_document *scalar = ws_document_new_scalar(arena, entry, WS_TEXT("default"));

        if (scalar == NULL || !ws_document_put(list, (ws_text){0}, scalar, arena)) {
            return false;
        }
        entries = ws_text_slice(entries, comma + 1, entries.length);
    }
    return true;
}

ws_document *ws_parameter_default_document(const char *text, ws_arena *arena)
{
    ws_text whole = ws_text_of(text);
    ws_document *list = NULL;

    WS_ASSERT(text != NULL);
    if (!ws_text_starts_with(whole, WS_TEXT("[")) || !ws_text_ends_with(whole, WS_TEXT("]"))) {
        return ws_document_new_scalar(arena, whole, WS_TEXT("default"));
    }
    list = ws_document_new_list(arena);
    if (list == NULL) {
        return NULL;
    }
    list->origin = WS_TEXT("default");
    list->flow = true;
    return nested_put_default_entries(list, ws_text_slice(whole, 1, whole.length - 1), arena)
               ? list
               : NULL;
}
