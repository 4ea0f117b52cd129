/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * What the files of the parameter engine share: where a reader stands, what each kind is, and the
 * faults.
 *
 * parameter.c walks maps and tables, parameter_read.c and parameter_nested.c read one value of a
 * kind, parameter_fault.c says what is wrong, parameter_timestamp.c knows the calendar,
 * parameter_describe.c and parameter_markdown.c print tables for the manual.
 */
#ifndef WS_PARAMETER_READER_H
#define WS_PARAMETER_READER_H

#include "ws/glyph.h"
#include "ws/parameter.h"
#include "ws/quantity.h"

typedef struct {
    ws_arena *arena;
    ws_diag *diag;
    bool defaults_only; /* an absent required key is no fault: there is no file */
} ws_parameter_reader;

/** A map that is being read, and how to speak of it. */
typedef struct {
    const ws_parameter_reader *reader;
    ws_document *map;
    ws_text where;    /* its path; empty at the top */
    const char *noun; /* of its table */
    ws_span at;       /* of the nearest map that a file holds: this one, or that around a default */
    const char *at_noun; /* what lies at `at` */
    const ws_document
        *alias; /* the nearest value around it that was reached through an alias, or NULL */
} ws_parameter_place;

/** A value that is being read for a row. */
typedef struct {
    const ws_parameter_place *place; /* of the map that holds the key */
    const ws_parameter *row;
    ws_parameter_kind kind; /* of the value: the row's, or that of a list's element */
    ws_document *value;
    ws_span key_at;
} ws_parameter_slot;

/** The keys that a map may have: each name once, NULL for a row without a name or one that stands
 * above already. */
typedef struct {
    const char **names;
    bool *suggested; /* an unknown key was probably meant to be this one */
    size_t count;
} ws_parameter_keys;

typedef struct {
    bool (*read)(const ws_parameter_slot *slot, void *field);
    void (*store)(ws_quantity value, void *field); /* of kinds that are quantities, else NULL */
    ws_quantity_kind quantity;                     /* of kinds that are quantities */
    ws_parameter_kind element;                     /* of lists of scalars */
    size_t element_bytes;                          /* of lists of scalars, else 0 */
    const char *takes;                             /* "a time" */
    const char *example;                           /* "30m"; NULL: none helps */
} ws_parameter_facts;

/** What a kind is; constant data. */
const ws_parameter_facts *ws_parameter_facts_of(ws_parameter_kind kind);

/** Reads one map through its tables; see ws_parameters_read(). The place's map is a map. */
WS_NODISCARD bool ws_parameters_read_place(const ws_parameter_place *place,
                                           const ws_parameter_binding *bindings, size_t count);

/** Makes the place's document a map if it is empty or a scalar that stands for one. A fault if it
 * is neither. */
WS_NODISCARD bool ws_parameter_make_map(const ws_parameter_place *place, const char *scalar_key);

/* Readers of the kinds that hold other values: parameter_nested.c. */
bool ws_parameter_read_map(const ws_parameter_slot *slot, void *field);
bool ws_parameter_read_optional_map(const ws_parameter_slot *slot, void *field);
bool ws_parameter_read_map_list(const ws_parameter_slot *slot, void *field);
bool ws_parameter_read_scalar_list(const ws_parameter_slot *slot, void *field);

/** Makes, fills and puts in the map of an absent MAP row. */
WS_NODISCARD bool ws_parameter_default_map(const ws_parameter_place *parent,
                                           const ws_parameter *row, void *field);

/** A default's text as a document: a scalar, or a list of scalars when it is written `[a, b]`. NULL
 * when exhausted. */
ws_document *ws_parameter_default_document(const char *text, ws_arena *arena);

/** ws_timestamp_parse() that says what is wrong, in a few words for a label; `*label` is untouched
 * on true. */
WS_NODISCARD bool ws_timestamp_read(ws_text text, ws_timestamp *timestamp, const char **label);

/** "between 1 and 100", "more than 0s", ...; an empty text for a row without a range. NULL start
 * when exhausted. */
ws_text ws_parameter_range(const ws_parameter *row, ws_arena *arena);

/** "one of static, hpa" for a choice, else what the kind takes: "a time". */
ws_text ws_parameter_takes(const ws_parameter *row, ws_parameter_kind kind, ws_arena *arena);

/** Number of choices of a CHOICE row. */
size_t ws_parameter_choice_count(const ws_parameter *row);

/* Pieces of messages: parameter_fault.c. */

/** The text, or the beginning of a long one. */
ws_text ws_parameter_clip(ws_text text);

/** "pool" of "a pool". */
const char *ws_parameter_bare_noun(const char *noun);

/** The names with `quote` on both sides of each, a comma between; NULL entries are passed over. */
ws_text ws_parameter_join(const char *const *names, size_t count, const char *quote,
                          ws_arena *arena);

/** "a list", "a map", "a single value", "nothing". */
const char *ws_parameter_kind_word(const ws_document *value);

/** Adds an error at the slot's value, with a note where it is used if it was reached through an
 * alias. Returns false. */
bool ws_parameter_fault_add(const ws_parameter_slot *slot, ws_diagnostic *fault);

/* Faults: each adds one diagnostic and returns false, for `return ws_parameter_fault_...(...)`. */

/** @param nearest  the key that was probably meant; @param below  the key whose map knows the
 * unknown one; both may be NULL */
bool ws_parameter_fault_unknown(const ws_parameter_place *place, const ws_document_entry *entry,
                                const ws_parameter_keys *keys, const char *nearest,
                                const char *below);
bool ws_parameter_fault_missing(const ws_parameter_place *place, const ws_parameter *row);
bool ws_parameter_fault_not_a_map(const ws_parameter_place *place);
bool ws_parameter_fault_kind(const ws_parameter_slot *slot);
bool ws_parameter_fault_bool(const ws_parameter_slot *slot);
bool ws_parameter_fault_choice(const ws_parameter_slot *slot);
bool ws_parameter_fault_name(const ws_parameter_slot *slot);
bool ws_parameter_fault_control(const ws_parameter_slot *slot, const ws_glyph *glyph);
bool ws_parameter_fault_timestamp(const ws_parameter_slot *slot, const char *label);
bool ws_parameter_fault_quantity(const ws_parameter_slot *slot, const ws_quantity_fault *fault);

/** A whole number written with an exponent or a point. */
bool ws_parameter_fault_digits(const ws_parameter_slot *slot, ws_quantity value);

/** @param relation  what the value is, "less than"; @param limit  the row's minimum or maximum */
bool ws_parameter_fault_range(const ws_parameter_slot *slot, const char *relation,
                              const char *limit);
bool ws_parameter_fault_memory(const ws_parameter_reader *reader);

/** Hands on what a reader of a part (a distribution) found. */
void ws_parameter_forward(const ws_parameter_slot *slot, const ws_diag *found);

#define WS_PARAMETER_NAME_MAX 63

/** True for 1 to 63 of [a-z0-9-] that name no device on some systems (con, nul, com1, ...). */
bool ws_parameter_name_is_good(ws_text name);

/** What is wrong with a bad name, for a label: "`/` is not allowed". */
ws_text ws_parameter_name_flaw(ws_text name, ws_arena *arena);

/** A good name that looks like a bad one: `Fixed 64` gives `fixed-64`. Not always good: it may be
 * empty or a device. */
ws_text ws_parameter_name_fitted(ws_text name, ws_arena *arena);

#endif
