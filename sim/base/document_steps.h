/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The steps of a document's path, for the files of this folder: `a.b`, `[name]`, `[2]`, `["a.b"]`,
 * `[*]`. */
#ifndef WS_BASE_DOCUMENT_STEPS_H
#define WS_BASE_DOCUMENT_STEPS_H

#include <stdbool.h>
#include <stddef.h>

#include "ws/document.h"
#include "ws/text.h"

typedef enum {
    WS_STEP_KEY,   /* of a map */
    WS_STEP_NAME,  /* in brackets: a key of a map, or the `name` of a list's entry */
    WS_STEP_INDEX, /* in brackets, digits alone: a list's entry, from 0 */
    WS_STEP_ALL    /* `[*]`: every entry of a list */
} ws_step_kind;

typedef struct {
    ws_step_kind kind;
    ws_text text; /* the key, name, or digits */
    size_t from;  /* place in the path, brackets included, the dot before it not */
    size_t to;    /* where the next step begins, or the path's length */
} ws_step;

/**
 * Reads the step of a path that begins at `from`, which must be less than its length.
 *
 * @return  false when the path is malformed there; step->from and step->to then mark the fault
 */
WS_NODISCARD bool ws_step_read(ws_text path, size_t from, ws_step *step);

/** Index of the entry that a step other than WS_STEP_ALL names, or document->count (0 for what is
 * no list or map). */
size_t ws_step_find(const ws_document *document, const ws_step *step);

/** The `name` of a list's entry, or an empty text. */
ws_text ws_step_name(const ws_document *entry);

#endif
