/* SPDX-License-Identifier: GPL-3.0-or-later */
/** What every test may use: the shared folder, the scale of big loops, scratch folders. */
#ifndef WS_TESTS_SUPPORT_H
#define WS_TESTS_SUPPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ws/text.h"

/**
 * Path of a file in the shared folder (variable WS_SHARED, default ../shared beside the source
 * tree), or NULL when it is absent; then a line "SKIPPED: ... is absent" went to stderr and the
 * test should call cr_skip_test().
 */
const char *ws_test_shared(const char *relative, char *path, size_t path_bytes);

/** `full` scaled by the variable WS_TEST_SCALE (default 1, e.g. 0.1), at least `least`. */
int64_t ws_test_scaled(int64_t full, int64_t least);

/** The source tree and the build tree of this build. */
const char *ws_test_source_folder(void);
const char *ws_test_build_folder(void);

/** Creates an empty scratch folder below the build tree and returns its path. */
const char *ws_test_scratch(const char *name, char *path, size_t path_bytes);

/** A whole file in malloc'ed memory with a NUL behind it; NULL start when it cannot be read. The
 * caller frees .start. */
ws_text ws_test_load(const char *path);

#endif
