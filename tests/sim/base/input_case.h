/* SPDX-License-Identifier: GPL-3.0-or-later */
/** A file to read: written plain or packed in a scratch folder, read to its end, and what was said.
 */
#ifndef WS_TESTS_INPUT_CASE_H
#define WS_TESTS_INPUT_CASE_H

#include <stdio.h>
#include <stdlib.h>

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <zlib.h>
#include <zstd.h>

#include "support/support.h"
#include "ws/input.h"

typedef struct {
    char folder[4096];
    char path[4200];
    ws_arena arena;
    ws_diag diag;
} fixture;

static inline void fixture_open(fixture *f, const char *name)
{
    f->arena = (ws_arena){.used_bytes = 0};
    ws_arena_init(&f->arena, &ws_allocator_default, (size_t)64 << 20);
    ws_diag_init(&f->diag, &f->arena);
    (void)ws_test_scratch(name, f->folder, sizeof f->folder);
    (void)snprintf(f->path, sizeof f->path, "%s/trace.csv", f->folder);
}

static inline void fixture_close(fixture *f)
{
    char command[4300];

    (void)snprintf(command, sizeof command, "rm -rf '%s'", f->folder);
    cr_assert(eq(int, system(command), 0));
    ws_arena_reset(&f->arena);
}

static inline void write_bytes(const char *path, const char *mode, const void *bytes, size_t length)
{
    FILE *file = fopen(path, mode);

    cr_assert(file != NULL);
    cr_assert(eq(sz, fwrite(bytes, 1, length, file), length));
    cr_assert(eq(int, fclose(file), 0));
}

static inline void write_gzip(const char *path, const char *mode, const void *bytes, size_t length)
{
    gzFile file = gzopen(path, mode);

    cr_assert(file != NULL);
    cr_assert(eq(int, gzwrite(file, bytes, (unsigned)length), (int)length));
    cr_assert(eq(int, gzclose(file), Z_OK));
}

static inline void write_zstd(const char *path, const char *mode, const void *bytes, size_t length)
{
    size_t bound = ZSTD_compressBound(length);
    char *packed = malloc(bound);

    cr_assert(packed != NULL);
    size_t size = ZSTD_compress(packed, bound, bytes, length, 3);
    cr_assert(not(ZSTD_isError(size)));
    write_bytes(path, mode, packed, size);
    free(packed);
}

static inline bool open_path(fixture *f, ws_input **input, const ws_input_limits *limits)
{
    return ws_input_open(input, &(ws_file_name){.path = f->path, .shown = WS_TEXT("trace.csv")},
                         limits, &f->diag);
}

static inline void assert_text(ws_text text, const char *expected)
{
    cr_assert(ws_text_is(text, expected), "`%.*s` is not `%s`", WS_TEXT_ARGS(text), expected);
}

/* Reads all lines; each must be the expected one, and the file must end cleanly behind them. */
static inline void assert_lines(fixture *f, const char *const *expected, size_t count)
{
    ws_input *input = NULL;
    ws_text line = {0};
    int64_t number = 0;

    cr_assert(open_path(f, &input, NULL));
    for (size_t i = 0; i < count; i++) {
        cr_assert(ws_input_read_line(input, &line, &number), "line %zu is missing", i + 1);
        assert_text(line, expected[i]);
        cr_assert(eq(i64, number, (int64_t)i + 1));
    }
    cr_assert(not(ws_input_read_line(input, &line, &number)));
    cr_assert(not(ws_input_read_line(input, &line, &number)));
    cr_assert(ws_input_close(input));
    cr_assert(not(ws_diag_has_errors(&f->diag)));
}

/* Reads to the end, which must be a failure with this code; returns the lines before it. */
static inline size_t assert_fails(fixture *f, const ws_input_limits *limits, int code)
{
    ws_input *input = NULL;
    ws_text line = {0};
    int64_t number = 0;
    size_t count = 0;

    if (open_path(f, &input, limits)) {
        while (ws_input_read_line(input, &line, &number)) {
            count++;
        }
        cr_assert(not(ws_input_close(input)));
    }
    cr_assert(eq(sz, f->diag.error_count, 1));
    cr_assert(eq(sz, f->diag.count, 1));
    cr_assert(eq(int, f->diag.entries[0].code, code));
    return count;
}

#endif
