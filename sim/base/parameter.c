/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Walks a map and its tables side by side: unknown keys first, then each row in the order of its
 * table.
 *
 * Unknown keys come first because they excuse missing ones: who wrote `polices` did not forget
 * `policies`. Each row then reads what the map holds, or puts its default into the map and reads
 * that, so that a default takes the same way as a value of the file and the resolved document is
 * what was read. A lookup is a linear search; with maps of at most 10 000 keys and tables of some
 * 40 rows that stays below a million comparisons.
 */
#include "ws/parameter.h"

#include "parameter_reader.h"

static bool parameter_is_from_default(const ws_document *value)
{
    return ws_text_is(value->origin, "default");
}

static size_t parameter_keys_find(const ws_parameter_keys *keys, ws_text name)
{
    WS_ASSERT(keys->names != NULL);
    for (size_t i = 0; i < keys->count; i++) {
        if (keys->names[i] != NULL && ws_text_is(name, keys->names[i])) {
            return i;
        }
    }
    return keys->count;
}

static void parameter_keys_add_table(ws_parameter_keys *keys, const ws_parameter_table *table)
{
    for (size_t i = 0; i < table->count; i++) {
        const char *name = table->rows[i].name;
        bool is_new = name != NULL && parameter_keys_find(keys, ws_text_of(name)) == keys->count;

        WS_ASSERT(name != NULL || table->rows[i].kind == WS_PARAMETER_SELF);
        keys->names[keys->count] = is_new ? name : NULL;
        keys->count++;
    }
}

static bool parameter_keys_init(ws_parameter_keys *keys, const ws_parameter_binding *bindings,
                                size_t count, ws_arena *arena)
{
    size_t rows = 0;

    WS_ASSERT(count >= 1);
    for (size_t i = 0; i < count; i++) {
        rows += bindings[i].table->count;
    }
    keys->count = 0;
    keys->names = ws_arena_alloc(arena, const char *, rows + 1);
    keys->suggested = ws_arena_alloc(arena, bool, rows + 1);
    if (keys->names == NULL || keys->suggested == NULL) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        parameter_keys_add_table(keys, bindings[i].table);
    }
    return true;
}

static bool parameter_table_has(const ws_parameter_table *table, ws_text name)
{
    for (size_t i = 0; i < table->count; i++) {
        if (table->rows[i].name != NULL && ws_text_is(name, table->rows[i].name)) {
            return true;
        }
    }
    return false;
}

static const char *parameter_find_below_table(const ws_parameter_table *table, ws_text name)
{
    for (size_t i = 0; i < table->count; i++) {
        const ws_parameter *row = &table->rows[i];
        bool is_map = row->kind == WS_PARAMETER_MAP || row->kind == WS_PARAMETER_OPTIONAL_MAP;

        if (is_map && parameter_table_has(row->table, name)) {
            return row->name;
        }
    }
    return NULL;
}

/* The key of the map below that knows the name, or NULL: the author was one level too high. */
static const char *parameter_find_below(const ws_parameter_binding *bindings, size_t count,
                                        ws_text name)
{
    const char *key = NULL;

    for (size_t i = 0; i < count && key == NULL; i++) {
        key = parameter_find_below_table(bindings[i].table, name);
    }
    return key;
}

static const char *parameter_suggest(ws_parameter_keys *keys, ws_text wrong)
{
    int nearest = ws_text_nearest(wrong, keys->names, keys->count);

    WS_ASSERT(nearest < (int)keys->count);
    if (nearest < 0) {
        return NULL;
    }
    keys->suggested[nearest] = true;
    return keys->names[nearest];
}

static bool parameter_check_keys(const ws_parameter_place *place,
                                 const ws_parameter_binding *bindings, size_t count,
                                 ws_parameter_keys *keys)
{
    bool is_good = true;

    for (size_t i = 0; i < place->map->count; i++) {
        const ws_document_entry *entry = &place->map->entries[i];
        const char *below = NULL;
        const char *nearest = NULL;

        if (ws_text_starts_with(entry->key, WS_TEXT("x-")) ||
            parameter_keys_find(keys, entry->key) < keys->count) {
            continue;
        }
        below = parameter_find_below(bindings, count, entry->key);
        nearest = below == NULL ? parameter_suggest(keys, entry->key) : NULL;
        is_good = ws_parameter_fault_unknown(place, entry, keys, nearest, below);
    }
    return is_good;
}

static bool parameter_read_value(const ws_parameter_place *place, const ws_parameter *row,
                                 const ws_document_entry *entry, void *field)
{
    ws_parameter_slot slot = {.place = place,
                              .row = row,
                              .kind = row->kind,
                              .value = entry->value,
                              .key_at = entry->key_at};

    WS_ASSERT(entry != NULL);
    WS_ASSERT(entry->value != NULL);
    return ws_parameter_facts_of(row->kind)->read(&slot, field);
}

static bool parameter_put_default(const ws_parameter_place *place, const ws_parameter *row)
{
    ws_arena *arena = place->reader->arena;
    ws_document *value = ws_parameter_default_document(row->default_text, arena);

    WS_ASSERT(row->default_text != NULL);
    WS_ASSERT(ws_document_find(place->map, row->name) == NULL);
    if (value == NULL || !ws_document_put(place->map, ws_text_of(row->name), value, arena)) {
        return ws_parameter_fault_memory(place->reader);
    }
    return true;
}

static bool parameter_read_absent(const ws_parameter_place *place, const ws_parameter *row,
                                  void *field, bool is_excused)
{
    if (row->required && !is_excused && !place->reader->defaults_only) {
        return ws_parameter_fault_missing(place, row);
    }
    if (row->kind == WS_PARAMETER_MAP) {
        return is_excused || ws_parameter_default_map(place, row, field);
    }
    if (row->default_text == NULL) {
        return true;
    }
    return parameter_put_default(place, row) &&
           parameter_read_value(place, row, ws_document_find_entry(place->map, row->name), field);
}

static bool parameter_read_row(const ws_parameter_place *place, const ws_parameter *row,
                               void *object, const ws_parameter_keys *keys)
{
    void *field = (char *)object + row->offset;
    const ws_document_entry *entry = NULL;

    if (row->kind == WS_PARAMETER_SELF) {
        *(const ws_document **)field = place->map;
        return true;
    }
    WS_ASSERT(row->name != NULL);
    WS_ASSERT(!row->required || row->default_text == NULL);
    entry = ws_document_find_entry(place->map, row->name);
    if (entry == NULL) {
        size_t index = parameter_keys_find(keys, ws_text_of(row->name));

        return parameter_read_absent(place, row, field, keys->suggested[index]);
    }
    if (row->present_offset != 0) {
        *(bool *)((char *)object + row->present_offset) = !parameter_is_from_default(entry->value);
    }
    return parameter_read_value(place, row, entry, field);
}

bool ws_parameters_read_place(const ws_parameter_place *place, const ws_parameter_binding *bindings,
                              size_t count)
{
    ws_parameter_keys keys;
    bool is_good = true;

    WS_ASSERT(place->map->kind == WS_DOCUMENT_MAP);
    if (!parameter_keys_init(&keys, bindings, count, place->reader->arena)) {
        return ws_parameter_fault_memory(place->reader);
    }
    is_good = parameter_check_keys(place, bindings, count, &keys);
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < bindings[i].table->count; j++) {
            const ws_parameter *row = &bindings[i].table->rows[j];

            is_good = parameter_read_row(place, row, bindings[i].object, &keys) && is_good;
        }
    }
    return is_good;
}

bool ws_parameters_read(ws_document *map, ws_text where, const ws_parameter_binding *bindings,
                        size_t count, ws_arena *arena, ws_diag *diag)
{
    ws_parameter_reader reader = {.arena = arena, .diag = diag};
    ws_parameter_place place = {.reader = &reader, .map = map, .where = where, .at = map->at};

    WS_ASSERT(count >= 1);
    WS_ASSERT(diag != NULL);
    place.noun = bindings[0].table->noun;
    place.at_noun = place.noun;
    place.alias = map->alias.length > 0 ? map : NULL;
    return ws_parameter_make_map(&place, bindings[0].table->scalar_key) &&
           ws_parameters_read_place(&place, bindings, count);
}

bool ws_parameters_default(const ws_parameter_table *table, void *object, ws_arena *arena)
{
    ws_parameter_binding binding = {.table = table, .object = object};
    ws_document *map = ws_document_new_map(arena);
    ws_diag found;
    ws_parameter_reader reader = {.arena = arena, .diag = &found, .defaults_only = true};
    ws_parameter_place place = {
        .reader = &reader, .map = map, .noun = table->noun, .at_noun = table->noun};

    WS_ASSERT(object != NULL);
    ws_diag_init(&found, arena);
    return map != NULL && ws_parameters_read_place(&place, &binding, 1);
}
