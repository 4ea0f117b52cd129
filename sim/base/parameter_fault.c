/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is wrong with a map or a value, in the words of docs/diagnostics.md.
 *
 * Each function builds one diagnostic and returns false. Pieces of the input are clipped before
 * they go into a message; what is not printable is escaped where diagnostics are printed. A value
 * reached through an alias gets a note that says where it is used, since its place is that of the
 * anchor.
 */
#include <string.h>

#include "buffer.h"
#include "parameter_reader.h"

#define FAULT_SHOWN_BYTES_MAX 80 /* of a piece of the input in a message */
#define FAULT_KEYS_SHOWN_MAX 8

ws_text ws_parameter_clip(ws_text text)
{
    return ws_text_beginning(text, FAULT_SHOWN_BYTES_MAX);
}

const char *ws_parameter_bare_noun(const char *noun)
{
    static const char *const articles[] = {"a ", "an ", "the "};

    WS_ASSERT(noun != NULL);
    for (size_t i = 0; i < WS_COUNT_OF(articles); i++) {
        if (strncmp(noun, articles[i], strlen(articles[i])) == 0) {
            return noun + strlen(articles[i]);
        }
    }
    return noun;
}

ws_text ws_parameter_join(const char *const *names, size_t count, const char *quote,
                          ws_arena *arena)
{
    ws_buffer joined;
    const char *comma = "";

    WS_ASSERT(names != NULL);
    WS_ASSERT(quote != NULL);
    ws_buffer_init(&joined, arena);
    for (size_t i = 0; i < count; i++) {
        if (names[i] != NULL) {
            ws_buffer_add_string(&joined, comma);
            ws_buffer_add_string(&joined, quote);
            ws_buffer_add_string(&joined, names[i]);
            ws_buffer_add_string(&joined, quote);
            comma = ", ";
        }
    }
    return ws_buffer_text(&joined);
}

/* A fault whose notes are full loses the last: where it is used matters more. */
static void fault_note_alias(ws_diagnostic *fault, const ws_document *alias, ws_arena *arena)
{
    size_t index = fault->notes[0].length > 0 ? 1 : 0;
    ws_text note = {0};

    if (alias == NULL) {
        return;
    }
    note = ws_document_alias_note(alias, arena);
    if (!ws_text_equals(fault->notes[0], note)) { /* the reader of a part may have said so */
        fault->notes[index] = note;
    }
}

static bool fault_add(const ws_parameter_reader *reader, const ws_document *alias,
                      ws_diagnostic *fault)
{
    WS_ASSERT(fault->code > 0);
    fault->severity = WS_SEVERITY_ERROR;
    fault_note_alias(fault, alias, reader->arena);
    ws_diag_add(reader->diag, fault);
    return false;
}

static ws_span fault_slot_at(const ws_parameter_slot *slot)
{
    bool has_place = slot->value->at.source != NULL && slot->value->kind != WS_DOCUMENT_NULL;

    WS_ASSERT(slot->value != NULL);
    return has_place ? slot->value->at : slot->key_at;
}

static const ws_document *fault_slot_alias(const ws_parameter_slot *slot)
{
    return slot->value->alias.length > 0 ? slot->value : slot->place->alias;
}

bool ws_parameter_fault_add(const ws_parameter_slot *slot, ws_diagnostic *fault)
{
    fault->at = fault_slot_at(slot);
    return fault_add(slot->place->reader, fault_slot_alias(slot), fault);
}

void ws_parameter_forward(const ws_parameter_slot *slot, const ws_diag *found)
{
    const ws_parameter_reader *reader = slot->place->reader;

    WS_ASSERT(found != reader->diag);
    for (size_t i = 0; i < found->count; i++) {
        ws_diagnostic fault = found->entries[i];

        if (fault.at.source == NULL) {
            fault.at = fault_slot_at(slot);
        }
        fault_note_alias(&fault, fault_slot_alias(slot), reader->arena);
        ws_diag_add(reader->diag, &fault);
    }
    if (found->count == 0 && ws_diag_has_errors(found)) {
        (void)ws_parameter_fault_memory(reader);
    }
}

bool ws_parameter_fault_memory(const ws_parameter_reader *reader)
{
    ws_diagnostic fault = {.code = 9007,
                           .message = WS_TEXT("reading this takes more memory than allowed"),
                           .at = ws_span_none};

    return fault_add(reader, NULL, &fault);
}

static size_t fault_count_keys(const ws_parameter_keys *keys)
{
    size_t count = 0;

    for (size_t i = 0; i < keys->count; i++) {
        count += keys->names[i] != NULL ? 1 : 0;
    }
    return count;
}

/* "`nodes`" of "cluster.pools[0].nodes"; "this pool" for an entry of a list and at the top. */
static ws_text fault_map_name(const ws_parameter_place *place, ws_arena *arena)
{
    ws_text key = place->where;

    WS_ASSERT(place->noun != NULL);
    if (key.length == 0 || ws_text_ends_with(key, WS_TEXT("]"))) {
        return ws_arena_format(arena, "this %s", ws_parameter_bare_noun(place->noun));
    }
    while (ws_text_find_byte(key, '.') < key.length) {
        key = ws_text_slice(key, ws_text_find_byte(key, '.') + 1, key.length);
    }
    return ws_arena_format(arena, "`%.*s`", WS_TEXT_ARGS(key));
}

static ws_text fault_keys_note(const ws_parameter_place *place, const ws_parameter_keys *keys)
{
    ws_arena *arena = place->reader->arena;
    ws_text name = fault_map_name(place, arena);
    ws_text list = ws_parameter_join(keys->names, keys->count, "`", arena);

    if (fault_count_keys(keys) == 1) {
        return ws_arena_format(arena, "the only key of %.*s is %.*s", WS_TEXT_ARGS(name),
                               WS_TEXT_ARGS(list));
    }
    return ws_arena_format(arena, "keys of %.*s are %.*s", WS_TEXT_ARGS(name), WS_TEXT_ARGS(list));
}

static ws_text fault_unknown_help(ws_text key, const char *nearest, const char *below,
                                  ws_arena *arena)
{
    if (below != NULL) {
        return ws_arena_format(arena, "`%.*s` belongs under `%s`", WS_TEXT_ARGS(key), below);
    }
    if (nearest != NULL) {
        return ws_arena_format(arena, "did you mean `%s`?", nearest);
    }
    return (ws_text){0};
}

bool ws_parameter_fault_unknown(const ws_parameter_place *place, const ws_document_entry *entry,
                                const ws_parameter_keys *keys, const char *nearest,
                                const char *below)
{
    ws_arena *arena = place->reader->arena;
    ws_text key = ws_parameter_clip(entry->key);
    size_t known = fault_count_keys(keys);
    bool is_nested = place->where.length > 0;
    ws_diagnostic fault = {.code = 2101, .at = entry->key_at, .label = WS_TEXT("not a key here")};

    WS_ASSERT(entry->value != NULL);
    if (is_nested) {
        fault.message = ws_arena_format(arena, "unknown key `%.*s` in `%.*s`", WS_TEXT_ARGS(key),
                                        WS_TEXT_ARGS(place->where));
    } else {
        fault.message =
            ws_arena_format(arena, "unknown key `%.*s` in %s", WS_TEXT_ARGS(key), place->noun);
    }
    fault.help = fault_unknown_help(key, nearest, below, arena);
    if (known > 0 && known <= FAULT_KEYS_SHOWN_MAX && (is_nested || fault.help.length == 0)) {
        fault.notes[0] = fault_keys_note(place, keys);
    }
    return fault_add(place->reader, place->alias, &fault);
}

/* "policy `fixed-64`", "`cluster.pools[0].nodes`" or "a scenario". */
static ws_text fault_who(const ws_parameter_place *place, ws_arena *arena)
{
    const ws_document *name = ws_document_find(place->map, "name");

    WS_ASSERT(place->map->kind == WS_DOCUMENT_MAP);
    if (name != NULL && name->kind == WS_DOCUMENT_SCALAR && name->scalar.length > 0) {
        return ws_arena_format(arena, "%s `%.*s`", ws_parameter_bare_noun(place->noun),
                               WS_TEXT_ARGS(ws_parameter_clip(name->scalar)));
    }
    if (place->where.length > 0) {
        return ws_arena_format(arena, "`%.*s`", WS_TEXT_ARGS(place->where));
    }
    return ws_text_of(place->noun);
}

static ws_text fault_table_keys(const ws_parameter_table *table, ws_arena *arena)
{
    const char *names[FAULT_KEYS_SHOWN_MAX] = {NULL};

    WS_ASSERT(table->count <= WS_COUNT_OF(names));
    for (size_t i = 0; i < table->count; i++) {
        names[i] = table->rows[i].name;
    }
    return ws_parameter_join(names, table->count, "`", arena);
}

size_t ws_parameter_choice_count(const ws_parameter *row)
{
    size_t count = 0;

    WS_ASSERT(row->choices != NULL);
    while (row->choices[count] != NULL) {
        count++;
    }
    return count;
}

ws_text ws_parameter_takes(const ws_parameter *row, ws_parameter_kind kind, ws_arena *arena)
{
    const ws_parameter_facts *facts = ws_parameter_facts_of(kind);
    ws_text choices = {0};

    if (kind != WS_PARAMETER_CHOICE) {
        return ws_text_of(facts->takes);
    }
    choices = ws_parameter_join(row->choices, ws_parameter_choice_count(row), "", arena);
    return ws_arena_format(arena, "one of %.*s", WS_TEXT_ARGS(choices));
}

static ws_text fault_missing_help(const ws_parameter *row, ws_arena *arena)
{
    const char *example = ws_parameter_facts_of(row->kind)->example;
    ws_text takes = ws_parameter_takes(row, row->kind, arena);
    bool is_map = row->kind == WS_PARAMETER_MAP || row->kind == WS_PARAMETER_OPTIONAL_MAP;

    if (is_map && row->table->count <= FAULT_KEYS_SHOWN_MAX) {
        ws_text keys = fault_table_keys(row->table, arena);

        return ws_arena_format(arena, "add `%s:`, a map of %.*s", row->name, WS_TEXT_ARGS(keys));
    }
    if (example != NULL) {
        return ws_arena_format(arena, "add `%s:`, %.*s such as `%s`", row->name,
                               WS_TEXT_ARGS(takes), example);
    }
    return ws_arena_format(arena, "add `%s:`, %.*s", row->name, WS_TEXT_ARGS(takes));
}

bool ws_parameter_fault_missing(const ws_parameter_place *place, const ws_parameter *row)
{
    ws_arena *arena = place->reader->arena;
    ws_text who = fault_who(place, arena);
    ws_diagnostic fault = {.code = 2102, .at = place->at};

    WS_ASSERT(row->required);
    fault.message = ws_arena_format(arena, "%.*s has no `%s`", WS_TEXT_ARGS(who), row->name);
    fault.label = ws_arena_format(arena, "this %s", ws_parameter_bare_noun(place->at_noun));
    fault.help = fault_missing_help(row, arena);
    return fault_add(place->reader, place->alias, &fault);
}

const char *ws_parameter_kind_word(const ws_document *value)
{
    static const char *const words[] = {[WS_DOCUMENT_NULL] = "nothing",
                                        [WS_DOCUMENT_SCALAR] = "a single value",
                                        [WS_DOCUMENT_LIST] = "a list",
                                        [WS_DOCUMENT_MAP] = "a map"};

    WS_ASSERT((size_t)value->kind < WS_COUNT_OF(words));
    return words[value->kind];
}

bool ws_parameter_fault_not_a_map(const ws_parameter_place *place)
{
    ws_arena *arena = place->reader->arena;
    const char *word = ws_parameter_kind_word(place->map);
    ws_diagnostic fault = {.code = 2201, .at = place->at, .label = ws_text_of(word)};

    WS_ASSERT(place->map->kind != WS_DOCUMENT_MAP);
    if (place->where.length > 0) {
        fault.message =
            ws_arena_format(arena, "`%.*s` takes a map, not %s", WS_TEXT_ARGS(place->where), word);
    } else {
        fault.message = ws_arena_format(arena, "%s is a map, not %s", place->noun, word);
    }
    return fault_add(place->reader, place->alias, &fault);
}
