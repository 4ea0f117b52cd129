/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Documents: a tree of scalars, lists and maps with the place of every key and value.
 *
 * YAML and JSON files become documents (scenarios/yaml.c), parameter tables bind documents to
 * structures (ws/parameter.h), and a resolved document prints as YAML with the origin of each
 * value. All parts live in one arena. Scalars keep their text: what a scalar means is decided by
 * whoever reads it, with the YAML 1.2 core schema for true, false and null.
 */
#ifndef WS_DOCUMENT_H
#define WS_DOCUMENT_H

#include <stdbool.h>
#include <stddef.h>

#include "ws/arena.h"
#include "ws/diag.h"
#include "ws/text.h"

/** Levels of lists and maps inside each other; readers and ws_document_set() keep to it, so that
 * walks may recurse. */
#define WS_DOCUMENT_DEPTH_MAX 64

typedef enum {
    WS_DOCUMENT_NULL, /* an empty value, `~` or `null`, unquoted */
    WS_DOCUMENT_SCALAR,
    WS_DOCUMENT_LIST,
    WS_DOCUMENT_MAP
} ws_document_kind;

typedef struct ws_document ws_document;

typedef struct {
    ws_text key; /* empty in lists */
    ws_span key_at;
    ws_document *value;
} ws_document_entry;

struct ws_document {
    ws_document_kind kind;
    bool quoted;    /* a scalar in quotes or a block scalar: always a string */
    bool flow;      /* written in flow style, [..] or {..}: printed so again */
    ws_text scalar; /* of scalars, decoded; of null, empty */
    ws_span at;     /* the value: a scalar's text, `- ` excluded; a map's or list's first line */
    ws_text origin; /* where it comes from if not from the file itself: "default", "--set #2"; else
                       empty */
    ws_text alias;  /* name of the anchor if reached through `*name` or a merge key, else empty */
    ws_span alias_at;           /* place of that alias */
    ws_document_entry *entries; /* of lists and maps, in order of the file */
    size_t count;
    size_t capacity;
};

/** New values in an arena, without a place; NULL when it is exhausted. Both texts are copied. */
ws_document *ws_document_new_scalar(ws_arena *arena, ws_text scalar, ws_text origin);
ws_document *ws_document_new_list(ws_arena *arena);
ws_document *ws_document_new_map(ws_arena *arena);

/** A copy of the whole tree. Texts and sources are shared, so the arena of the original must
 * outlive the copy. */
ws_document *ws_document_copy(ws_arena *arena, const ws_document *document);

/** Value of a key in a map, or NULL when it is absent or `map` is no map. */
ws_document *ws_document_find(const ws_document *map, const char *key);

/** The entry with the key, or NULL; for the key's own place. */
const ws_document_entry *ws_document_find_entry(const ws_document *map, const char *key);

/**
 * Adds or replaces a key (list: key empty, always adds). A new key is copied and has no place, a
 * replaced one keeps its own. O(count). False when the arena is exhausted.
 */
WS_NODISCARD bool ws_document_put(ws_document *parent, ws_text key, ws_document *value,
                                  ws_arena *arena);

/** Adds an entry at the end without looking for an equal key: for readers that have looked. The
 * key's text is kept, not copied. */
WS_NODISCARD bool ws_document_append(ws_document *parent, ws_document_entry entry, ws_arena *arena);

/** Removes a key; false when it is absent. */
bool ws_document_remove(ws_document *map, ws_text key);

/**
 * Value at a path: `cluster.pools[h100-od].nodes.min`, `policies[2].type`, `labels["a.b/c"]`. A
 * list entry is named by its `name` or its index from 0: digits alone are an index, a name of
 * digits is put in quotes. In brackets a map's key may hold dots, and in quotes anything. NULL when
 * there is none or the path is malformed. `[*]` is not allowed here.
 */
ws_document *ws_document_at(const ws_document *root, ws_text path);

/** What an override sets. */
typedef struct {
    ws_text path;
    ws_span at; /* place of the path in the source of the override, for diagnostics */
    const ws_document *value;
    ws_text origin; /* as in ws_document; empty: that of the value stays */
} ws_document_edit;

/**
 * Sets the value at a path, for `--set`. All steps but the last must exist; the last may be a new
 * key of a map, or of an empty value, which becomes a map. `[*]` matches all entries of a list;
 * those that lack a later step are passed over. Every match gets a copy of the value, every part of
 * it the origin. An error WS2901 with near names when nothing matches, WS9002 when it would nest
 * too deep.
 */
WS_NODISCARD bool ws_document_set(ws_document *root, const ws_document_edit *edit, ws_arena *arena,
                                  ws_diag *diag);

/** Removes what the path matches, for `--unset`; error WS2901 when nothing does. `at` as in
 * ws_document_edit. */
WS_NODISCARD bool ws_document_unset(ws_document *root, ws_text path, ws_span at, ws_arena *arena,
                                    ws_diag *diag);

/** "used at line 29 through *cloud-boot" for a value that was reached by an alias, for a
 * diagnostic's notes; else an empty text. */
ws_text ws_document_alias_note(const ws_document *document, ws_arena *arena);

/** True for `true`/`false` (unquoted), with `*value` set. */
WS_NODISCARD bool ws_document_bool(const ws_document *document, bool *value);

/**
 * Prints as YAML that reads back as the same document (ws_yaml_read): block style, flow style where
 * it was so written.
 *
 * @param with_origin  a value that does not come from where its parent does gets a comment: its
 * origin (`# default`), or the alias that it was reached by (`# *cloud-boot`); a flow list or map
 * with such a value inside is printed in block style
 * @return             NULL start when the arena is exhausted
 */
ws_text ws_document_print_yaml(const ws_document *document, bool with_origin, ws_arena *arena);

/** Prints as JSON on one line: unquoted numbers, true, false and null as such, all else as strings.
 * NULL start when exhausted. */
ws_text ws_document_print_json(const ws_document *document, ws_arena *arena);

/**
 * Reads JSON that stands inside another text (an annotation, an environment variable): strings are
 * quoted scalars, keys keep their order, of a key that comes twice the last value counts.
 *
 * @param at        place of the text, which every part gets
 * @param document  receives the root, in `arena`; untouched on false
 * @return          false when that is no JSON, nests deeper than WS_DOCUMENT_DEPTH_MAX, holds a NUL
 * or an integer beyond 64 bits, or the arena is exhausted
 */
WS_NODISCARD bool ws_document_read_json(ws_document **document, ws_text text, ws_span at,
                                        ws_arena *arena);

/** The path of `wanted` below `root`, as ws_document_at() reads it, or an empty text. */
ws_text ws_document_path(const ws_document *root, const ws_document *wanted, ws_arena *arena);

#endif
