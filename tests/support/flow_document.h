/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Documents for tests of what lies below the YAML reader: a small part of YAML, read from a source
 * so that spans are real.
 *
 * Flow maps `{a: 1, b: [x, y]}`, flow lists, "quoted" and plain scalars, `~` and nothing for null;
 * of block style, one map whose values are of that kind on their own lines. No escapes, anchors or
 * folded texts. A text beyond that fails an assertion.
 */
#ifndef WS_TESTS_FLOW_DOCUMENT_H
#define WS_TESTS_FLOW_DOCUMENT_H

#include "ws/arena.h"
#include "ws/document.h"

/** The value that begins at byte `from` of the source; it ends with the arena. */
ws_document *ws_test_flow(const ws_source *source, size_t from, ws_arena *arena);

/**
 * The block map whose first key begins at byte `from`: that line and all below it up to the first
 * that is indented less. Lines indented more are passed over, so that a nested block is null.
 */
ws_document *ws_test_block(const ws_source *source, size_t from, ws_arena *arena);

/** A source on the arena over a text that outlives it. */
const ws_source *ws_test_source(const char *name, ws_text content, ws_arena *arena);

/** Byte offset of the first `needle` in the source; asserts that there is one. */
size_t ws_test_offset(const ws_source *source, const char *needle);

#endif
