/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Pages of the manual that end with what the code says of itself. */
#ifndef WS_TESTS_MANUAL_H
#define WS_TESTS_MANUAL_H

#include "ws/text.h"

/**
 * Expects that a page of docs/ holds `generated` behind its marker, the line
 * `<!-- From here on the code speaks: WS_BLESS=1 build/dev/tests/PROGRAM rewrites it. -->`.
 * With WS_BLESS set in the environment that part is rewritten instead.
 *
 * @param page     "docs/scenario.md"
 * @param program  of this test, as the marker names it
 */
void ws_test_manual_is(const char *page, const char *program, ws_text generated);

/** The part of a page that people write, up to its marker: malloc'ed, a NUL behind it; the caller
 * frees .start. */
ws_text ws_test_manual_written(const char *page);

#endif
