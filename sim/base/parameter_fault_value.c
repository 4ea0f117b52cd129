/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is wrong with one value: each function builds one diagnostic at the value and returns false.
 */
#include <string.h>

#include "parameter_reader.h"

static ws_arena *fault_arena(const ws_parameter_slot *slot)
{
    WS_ASSERT(slot->place != NULL);
    return slot->place->reader->arena;
}

static ws_text fault_shown(const ws_parameter_slot *slot)
{
    WS_ASSERT(slot->value->kind == WS_DOCUMENT_SCALAR);
    return ws_parameter_clip(slot->value->scalar);
}

static bool fault_is_map_in_place_of_list(const ws_parameter_slot *slot)
{
    return slot->kind == WS_PARAMETER_MAP_LIST && slot->value->kind == WS_DOCUMENT_MAP;
}

static bool fault_add_empty(const ws_parameter_slot *slot)
{
    ws_arena *arena = fault_arena(slot);
    const char *example = ws_parameter_facts_of(slot->kind)->example;
    ws_diagnostic fault = {.code = 2201, .label = WS_TEXT("nothing is here")};

    WS_ASSERT(slot->row->name != NULL);
    fault.message = ws_arena_format(arena, "`%s` has no value", slot->row->name);
    fault.help = WS_TEXT("give it a value, or take the key away");
    if (example != NULL) {
        fault.help = ws_arena_format(arena, "write `%s: %s`, or take the key away", slot->row->name,
                                     example);
    }
    return ws_parameter_fault_add(slot, &fault);
}

bool ws_parameter_fault_kind(const ws_parameter_slot *slot)
{
    ws_arena *arena = fault_arena(slot);
    const char *example = ws_parameter_facts_of(slot->kind)->example;
    const char *word = ws_parameter_kind_word(slot->value);
    ws_text takes = ws_parameter_takes(slot->row, slot->kind, arena);
    bool is_empty = slot->value->kind == WS_DOCUMENT_SCALAR && slot->value->scalar.length == 0;
    ws_diagnostic fault = {.code = 2201, .label = ws_text_of(word)};

    WS_ASSERT(slot->row->name != NULL);
    if (slot->value->kind == WS_DOCUMENT_NULL || is_empty) {
        return fault_add_empty(slot);
    }
    fault.message = ws_arena_format(arena, "`%s` takes %.*s, not %s", slot->row->name,
                                    WS_TEXT_ARGS(takes), word);
    if (fault_is_map_in_place_of_list(slot)) {
        fault.help = WS_TEXT("begin each entry with `- `");
    } else if (example != NULL) {
        fault.help = ws_arena_format(arena, "write `%s: %s`", slot->row->name, example);
    }
    return ws_parameter_fault_add(slot, &fault);
}

static bool fault_is_word(ws_text text, const char *lower_case)
{
    size_t length = strlen(lower_case);

    if (text.length != length) {
        return false;
    }
    for (size_t i = 0; i < length; i++) {
        char byte = text.start[i];

        if (byte >= 'A' && byte <= 'Z') {
            byte = (char)(byte - 'A' + 'a');
        }
        if (byte != lower_case[i]) {
            return false;
        }
    }
    return true;
}

/* What other programs and YAML 1.1 read as a boolean, or NULL. */
static const char *fault_meant_bool(ws_text text)
{
    static const char *const words[][2] = {
        {"true", "true"},   {"yes", "true"}, {"on", "true"},   {"y", "true"},  {"1", "true"},
        {"false", "false"}, {"no", "false"}, {"off", "false"}, {"n", "false"}, {"0", "false"}};

    for (size_t i = 0; i < WS_COUNT_OF(words); i++) {
        if (fault_is_word(text, words[i][0])) {
            return words[i][1];
        }
    }
    return NULL;
}

static ws_text fault_bool_label(const ws_parameter_slot *slot)
{
    ws_arena *arena = fault_arena(slot);
    ws_text shown = fault_shown(slot);

    if (slot->value->quoted) {
        return WS_TEXT("what stands in quotes is a string");
    }
    if (ws_text_is(shown, "1") || ws_text_is(shown, "0")) {
        return ws_arena_format(arena, "`%.*s` is a number", WS_TEXT_ARGS(shown));
    }
    if (fault_is_word(shown, "true") || fault_is_word(shown, "false")) {
        return WS_TEXT("only lower case is read");
    }
    return ws_arena_format(arena, "`%.*s` is a string in YAML 1.2", WS_TEXT_ARGS(shown));
}

bool ws_parameter_fault_bool(const ws_parameter_slot *slot)
{
    ws_arena *arena = fault_arena(slot);
    const char *meant = fault_meant_bool(slot->value->scalar);
    ws_diagnostic fault = {.code = 2204, .label = fault_bool_label(slot)};

    WS_ASSERT(slot->kind == WS_PARAMETER_BOOL);
    fault.message = ws_arena_format(arena, "`%s` is true or false", slot->row->name);
    fault.help = WS_TEXT("write `true` or `false`");
    if (meant != NULL) {
        fault.help = ws_arena_format(arena, "write `%s`", meant);
    }
    return ws_parameter_fault_add(slot, &fault);
}

/* "an elasticity mode": what the row says, else made of its key. */
static ws_text fault_choice_noun(const ws_parameter *row, ws_arena *arena)
{
    bool is_vowel = strchr("aeiou", row->name[0]) != NULL;

    if (row->choice_noun != NULL) {
        return ws_text_of(row->choice_noun);
    }
    return ws_arena_format(arena, "%s %s", is_vowel ? "an" : "a", row->name);
}

static ws_text fault_last_word(ws_text words)
{
    while (ws_text_find_byte(words, ' ') < words.length) {
        words = ws_text_slice(words, ws_text_find_byte(words, ' ') + 1, words.length);
    }
    return words;
}

static ws_text fault_choice_list(const ws_parameter *row, ws_arena *arena)
{
    size_t count = ws_parameter_choice_count(row);

    if (row->choices_help != NULL) {
        return ws_text_of(row->choices_help);
    }
    return ws_arena_format(arena, "one of %.*s",
                           WS_TEXT_ARGS(ws_parameter_join(row->choices, count, "`", arena)));
}

bool ws_parameter_fault_choice(const ws_parameter_slot *slot)
{
    ws_arena *arena = fault_arena(slot);
    const ws_parameter *row = slot->row;
    ws_text shown = fault_shown(slot);
    ws_text noun = fault_choice_noun(row, arena);
    ws_diagnostic fault = {.code = 2203};
    int nearest = ws_text_nearest(shown, row->choices, ws_parameter_choice_count(row));

    WS_ASSERT(slot->kind == WS_PARAMETER_CHOICE);
    fault.message =
        ws_arena_format(arena, "`%.*s` is not %.*s", WS_TEXT_ARGS(shown), WS_TEXT_ARGS(noun));
    fault.label = ws_arena_format(arena, "unknown %.*s", WS_TEXT_ARGS(fault_last_word(noun)));
    fault.help = fault_choice_list(row, arena);
    fault.notes[0] = WS_TEXT("see `worldsize explain WS2203`");
    if (nearest >= 0) {
        fault.notes[1] = fault.notes[0];
        fault.notes[0] = fault.help;
        fault.help = ws_arena_format(arena, "did you mean `%s`?", row->choices[nearest]);
    }
    return ws_parameter_fault_add(slot, &fault);
}

bool ws_parameter_fault_name(const ws_parameter_slot *slot)
{
    ws_arena *arena = fault_arena(slot);
    ws_text fitting = ws_parameter_name_fitted(slot->value->scalar, arena);
    ws_diagnostic fault = {
        .code = 2205,
        .label = ws_parameter_name_flaw(slot->value->scalar, arena),
        .notes = {WS_TEXT("names become parts of file names, labels and table keys")}};

    WS_ASSERT(slot->kind == WS_PARAMETER_NAME);
    fault.message = ws_arena_format(arena, "`%s` is a name of 1 to %d letters a-z, digits and `-`",
                                    slot->row->name, WS_PARAMETER_NAME_MAX);
    if (ws_parameter_name_is_good(fitting)) {
        fault.help = ws_arena_format(arena, "write `%.*s`", WS_TEXT_ARGS(fitting));
    }
    return ws_parameter_fault_add(slot, &fault);
}

bool ws_parameter_fault_control(const ws_parameter_slot *slot, const ws_glyph *glyph)
{
    ws_arena *arena = fault_arena(slot);
    ws_diagnostic fault = {.code = 1305};

    WS_ASSERT(glyph->length >= 1);
    fault.message =
        ws_arena_format(arena, "`%s` holds a character that cannot be shown", slot->row->name);
    fault.label = ws_arena_format(arena, "`%.*s` is in it", (int)glyph->length, glyph->bytes);
    return ws_parameter_fault_add(slot, &fault);
}

bool ws_parameter_fault_timestamp(const ws_parameter_slot *slot, const char *label)
{
    ws_diagnostic fault = {.code = 3110,
                           .label = ws_text_of(label),
                           .help = WS_TEXT("write it like `2026-01-05T00:00:00Z`")};

    WS_ASSERT(label != NULL);
    fault.message = ws_arena_format(fault_arena(slot), "`%s` is a date and time", slot->row->name);
    return ws_parameter_fault_add(slot, &fault);
}

ws_text ws_parameter_range(const ws_parameter *row, ws_arena *arena)
{
    WS_ASSERT(!row->above_min || row->min != NULL);
    if (row->min == NULL) {
        return row->max == NULL ? (ws_text){0} : ws_arena_format(arena, "at most %s", row->max);
    }
    if (row->max == NULL) {
        return ws_arena_format(arena, row->above_min ? "more than %s" : "at least %s", row->min);
    }
    if (row->above_min) {
        return ws_arena_format(arena, "more than %s and at most %s", row->min, row->max);
    }
    return ws_arena_format(arena, "between %s and %s", row->min, row->max);
}

/* "`seed` is between 0 and 9007199254740991"; empty for a row without a range. */
static ws_text fault_range_sentence(const ws_parameter_slot *slot)
{
    ws_arena *arena = fault_arena(slot);
    ws_text range = ws_parameter_range(slot->row, arena);

    if (range.length == 0) {
        return range;
    }
    return ws_arena_format(arena, "`%s` is %.*s", slot->row->name, WS_TEXT_ARGS(range));
}

/* Plain numbers are told the range with every fault, quantities when it is not their unit that is
 * wrong (3101 to 3105). */
static bool fault_is_about_size(const ws_parameter_slot *slot, int code)
{
    return code >= 3106 || slot->kind == WS_PARAMETER_INTEGER || slot->kind == WS_PARAMETER_COUNT ||
           slot->kind == WS_PARAMETER_NUMBER;
}

bool ws_parameter_fault_quantity(const ws_parameter_slot *slot, const ws_quantity_fault *fault)
{
    ws_text range = fault_range_sentence(slot);
    ws_diagnostic found = {.code = fault->code,
                           .message = fault->message,
                           .label = fault->label,
                           .help = fault->help,
                           .notes = {fault->note}};

    WS_ASSERT(fault->code >= 3101);
    if (fault->code == 3107 && slot->row->max != NULL) {
        found.message = range; /* in place of the range of the kind */
    } else if (fault_is_about_size(slot, fault->code)) {
        found.notes[fault->note.length > 0 ? 1 : 0] = range;
    }
    return ws_parameter_fault_add(slot, &found);
}

bool ws_parameter_fault_digits(const ws_parameter_slot *slot, ws_quantity value)
{
    ws_arena *arena = fault_arena(slot);
    ws_text shown = fault_shown(slot);
    char digits[WS_QUANTITY_TEXT_BYTES];
    ws_quantity_fault fault = {.code = 3106, .label = WS_TEXT("not digits alone")};

    WS_ASSERT(slot->kind == WS_PARAMETER_INTEGER);
    (void)ws_quantity_print(value, WS_QUANTITY_INTEGER, digits);
    fault.message =
        ws_arena_format(arena, "`%s` is a whole number, but `%.*s` is not written as one",
                        slot->row->name, WS_TEXT_ARGS(shown));
    fault.help = ws_arena_format(arena, "write `%s`", digits);
    return ws_parameter_fault_quantity(slot, &fault);
}

bool ws_parameter_fault_range(const ws_parameter_slot *slot, const char *relation,
                              const char *limit)
{
    bool is_scalar = slot->value->kind == WS_DOCUMENT_SCALAR;
    ws_text what = is_scalar ? fault_shown(slot) : WS_TEXT("its mean");
    bool is_bound = slot->row->limit_code != 0 && limit == slot->row->max;
    ws_diagnostic fault = {.code = is_bound ? slot->row->limit_code : 3107,
                           .message = fault_range_sentence(slot)};

    WS_ASSERT(limit != NULL);
    WS_ASSERT(fault.message.length > 0 || fault.message.start == NULL);
    fault.label =
        ws_arena_format(fault_arena(slot), "%.*s is %s %s", WS_TEXT_ARGS(what), relation, limit);
    return ws_parameter_fault_add(slot, &fault);
}
