/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Files of fuzzed bytes, for readers that take a path. */
#ifndef WS_TESTS_WRITE_FILE_H
#define WS_TESTS_WRITE_FILE_H

#include <stddef.h>

#define WS_FUZZ_PATH_BYTES 40

/** Writes `count` bytes into a new file in a folder of memory, and its path into `path`; the caller
 * unlinks it. */
void ws_fuzz_write_file(char path[static WS_FUZZ_PATH_BYTES], const void *bytes, size_t count);

#endif
