/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * The parts of the YAML reader and the state that they share.
 *
 * yaml_scan.c looks at the bytes before libyaml does and turns its marks into spans; yaml.c takes
 * events and builds the tree (yaml_build.c), with a placeholder for each alias; yaml_fault.c
 * reports what is wrong with it; yaml_expand.c replaces the placeholders; yaml_problem.c says what
 * a syntax error means; yaml_keys.c finds keys and anchors by hash.
 */
#ifndef WS_SCENARIOS_YAML_READER_H
#define WS_SCENARIOS_YAML_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <yaml.h>

#include "ws/yaml.h"

/* One key of one map, or the name of one anchor. */
typedef struct {
    ws_text key;
    uint64_t hash;
    uint32_t owner; /* number of the map or of the document; 0: the slot is free */
    uint32_t index; /* of the map's entry, or of the anchor */
} ws_yaml_slot;

/** A hash table with open addressing over all maps of a text; half empty at least. */
typedef struct {
    ws_yaml_slot *slots;
    size_t capacity; /* a power of two, or 0 */
    size_t count;
    uint64_t
        seed; /* from the text itself, so that keys that collide cannot be computed apart from it */
} ws_yaml_keys;

/** The slot of a key, or NULL. */
ws_yaml_slot *ws_yaml_keys_find(const ws_yaml_keys *keys, uint32_t owner, ws_text key);

/** Adds a key that is not there; its text is kept. False when the arena is exhausted. */
WS_NODISCARD bool ws_yaml_keys_add(ws_yaml_keys *keys, uint32_t owner, ws_text key, uint32_t index,
                                   ws_arena *arena);

typedef struct {
    ws_text name; /* with a NUL behind it */
    ws_document *target;
    ws_span at;
    size_t nodes;  /* of the target, aliases expanded; 0: the target is still open */
    size_t height; /* levels of lists and maps in the target; 0: a scalar */
} ws_yaml_anchor;

/** What is left to do when all events are in, in the order of the text. */
typedef struct {
    ws_document *parent;
    size_t index;              /* of the placeholder, or of the entry `<<` */
    const ws_document *target; /* of an alias; NULL: merge the entry into the parent */
    ws_text alias;
    ws_span at;
    uint32_t owner; /* of the parent's keys */
} ws_yaml_task;

/* A list or map that is open. */
typedef struct {
    ws_document *node;
    ws_text key; /* of a map: the key that waits for its value */
    ws_span key_at;
    bool has_key;
    bool merge;         /* the key is a merge key */
    size_t merge_index; /* of the entry `<<`, or SIZE_MAX */
    uint32_t owner;
    size_t anchor; /* index, or SIZE_MAX */
    size_t nodes_before;
    size_t height;
} ws_yaml_frame;

typedef enum { WS_YAML_ONE, WS_YAML_STREAM, WS_YAML_VALUE } ws_yaml_mode;

typedef struct {
    const ws_source *source;
    const char *noun;
    ws_yaml_mode mode;
    ws_arena *arena;
    ws_diag *diag;

    ws_text text;          /* what libyaml reads */
    size_t base;           /* its offset in the content */
    int32_t base_line;     /* lines before it */
    int32_t base_column;   /* characters before it in its first line */
    bool empty;            /* nothing but blanks and comments */
    uint32_t *checkpoints; /* offsets in `text` of characters, see yaml_scan.c */

    yaml_parser_t parser;
    ws_document *root;     /* of the document being read */
    ws_document *stream;   /* the list of roots, in stream mode */
    ws_yaml_frame *frames; /* the open lists and maps, outermost first */
    size_t depth;
    size_t frame_capacity;
    ws_yaml_keys keys;
    uint32_t owners;   /* numbers given to maps and documents */
    uint32_t document; /* number of this document: owner of its anchors */
    ws_yaml_anchor *anchors;
    size_t anchor_count;
    size_t anchor_capacity;
    ws_yaml_task *tasks;
    size_t task_count;
    size_t task_capacity;
    size_t nodes;
} ws_yaml_reader;

/** Checks the bytes and prepares positions. False with an error. */
WS_NODISCARD bool ws_yaml_scan(ws_yaml_reader *reader);

/** Offset in the content of libyaml's mark. */
size_t ws_yaml_offset(const ws_yaml_reader *reader, const yaml_mark_t *mark);

/** The span between two marks, ended with the first line (trailing blanks left out). */
ws_span ws_yaml_span(const ws_yaml_reader *reader, const yaml_mark_t *from, const yaml_mark_t *to);

/** A span of the content's bytes, by the slow way; for errors. */
ws_span ws_yaml_bytes(const ws_yaml_reader *reader, size_t from, size_t to);

/** Moves the mark of a node from its anchor and tag to the node itself. */
void ws_yaml_skip_properties(const ws_yaml_reader *reader, yaml_mark_t *mark);

/**
 * Looks from an offset of the content, the start of a line or what follows a document, for the next
 * thing that is neither blank, nor a comment, nor `...`. A directive there is an error.
 */
WS_NODISCARD bool ws_yaml_next_document(const ws_yaml_reader *reader, size_t offset, size_t *next);

/** Reports why libyaml stopped. Returns false. */
bool ws_yaml_report_problem(const ws_yaml_reader *reader);

/** Reports a key that is a list or a map, which an unrendered template looks like. Returns false.
 */
bool ws_yaml_report_key(const ws_yaml_reader *reader, ws_span at);

/** Reports exhausted memory. Returns false. */
bool ws_yaml_report_memory(const ws_yaml_reader *reader);

/** What the events of lists and maps have in common. */
typedef struct {
    ws_document_kind kind;
    bool flow;
    const yaml_char_t *anchor;
    const yaml_char_t *tag;
} ws_yaml_start;

/* Takes one event into the tree. False when the reading must end: then an error was added. */
WS_NODISCARD bool ws_yaml_take_alias(ws_yaml_reader *reader, const yaml_event_t *event);
WS_NODISCARD bool ws_yaml_take_scalar(ws_yaml_reader *reader, const yaml_event_t *event);
WS_NODISCARD bool ws_yaml_take_start(ws_yaml_reader *reader, const yaml_event_t *event,
                                     const ws_yaml_start *start);
WS_NODISCARD bool ws_yaml_take_end(ws_yaml_reader *reader, const yaml_event_t *event);

/* Errors: those that return a value return false, the others let the reading go on. */
bool ws_yaml_refuse_limit(const ws_yaml_reader *reader, int code, ws_span at, ws_text message);
void ws_yaml_refuse_tag(const ws_yaml_reader *reader, const yaml_event_t *event);
void ws_yaml_refuse_unknown_alias(const ws_yaml_reader *reader, ws_text name, ws_span at);
void ws_yaml_refuse_open_alias(const ws_yaml_reader *reader, const ws_yaml_anchor *anchor,
                               ws_span at);
void ws_yaml_refuse_duplicate(const ws_yaml_reader *reader, ws_text key, ws_span at, ws_span first);

/** One error for the first hidden character of a key or a scalar; a scalar may hold tabs and line
 * breaks, a key may not. */
void ws_yaml_check_hidden(const ws_yaml_reader *reader, ws_text text, ws_span at, bool is_key);

/** Builds what aliases and merge keys stand for. False with an error. */
WS_NODISCARD bool ws_yaml_expand(ws_yaml_reader *reader);

#endif
