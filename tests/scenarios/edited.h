/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The quickstart with places of its text replaced, loaded without a file; for tests of the loader.
 */
#ifndef WS_TESTS_EDITED_H
#define WS_TESTS_EDITED_H

#include "ws/load.h"

/** A text that the scenario holds exactly once, and what takes its place. */
typedef struct {
    const char *find;
    const char *replace;
} ws_edit;

/** An arena, a diag in it, and what was loaded last. */
typedef struct {
    ws_arena arena;
    ws_diag diag;
    ws_loaded loaded;
    char folder[1000]; /* a scratch folder, made by ws_edited_init() */
} ws_edited;

void ws_edited_init(ws_edited *edited, const char *name);
void ws_edited_fini(ws_edited *edited);

/** tests/scenarios/week.yaml: a quickstart that stays as it is while the real one grows; in the
 * arena. */
ws_text ws_edited_quickstart(ws_edited *edited);

/** `text` with the edits applied in turn. Fails the test when a text is not there exactly once. */
ws_text ws_edited_apply(ws_edited *edited, ws_text text, const ws_edit *edits, size_t count);

/** Loads a text as FOLDER/scenario.yaml, shown as that; `options` may be NULL: no overrides, all
 * policies. */
bool ws_edited_load(ws_edited *edited, ws_text text, const ws_load_options *options);

/** Loads the quickstart with one edit. */
bool ws_edited_load_one(ws_edited *edited, const char *find, const char *replace);

/** Loads the quickstart with the texts of `--set` flags. */
bool ws_edited_load_set(ws_edited *edited, const char *const *flags, size_t count);

/** The only diagnostic of a code, or NULL; fails the test when there are several. */
const ws_diagnostic *ws_edited_found(const ws_edited *edited, int code);

/** All diagnostics as they are printed, sorted, one after the other; for messages of failing tests
 * too. */
const char *ws_edited_printed(ws_edited *edited);

#endif
