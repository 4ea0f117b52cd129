/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Limits on what is read: each takes exactly what it says, and tells when there is more. */
#include "ws/input.h"

#include <stdlib.h>
#include <string.h>

#include "input_case.h"

/* 16 MiB of short lines of one letter pack about 1000 : 1; a higher limit lets the same file
 * through. */
Test(input_limits, bombs_stop_at_the_ratio)
{
    enum { length = 16 << 20 };
    fixture f;
    char *bytes = malloc(length);
    ws_input_limits generous = {.ratio_max = 1e6};
    ws_text content = {0};

    cr_assert(bytes != NULL);
    memset(bytes, '\n', length);
    fixture_open(&f, "input-bomb");
    for (int round = 0; round < 2; round++) {
        ws_diag_init(&f.diag, &f.arena);
        if (round == 0) {
            write_gzip(f.path, "wb9", bytes, length);
        } else {
            write_zstd(f.path, "wb", bytes, length);
        }
        size_t lines = assert_fails(&f, NULL, 9012);
        cr_assert(lt(sz, lines, 2 << 20));
        assert_text(f.diag.entries[0].message,
                    "`trace.csv` unpacks to more than 200 times its size");
        ws_diag_init(&f.diag, &f.arena);
        ws_arena_reset(&f.arena);
        cr_assert(ws_input_load(&content,
                                &(ws_file_name){.path = f.path, .shown = WS_TEXT("trace.csv")},
                                &generous, &f.arena, &f.diag));
        cr_assert(eq(sz, content.length, length));
    }
    free(bytes);
    fixture_close(&f);
}

Test(input_limits, the_first_mebibyte_may_be_dense)
{
    fixture f;
    char *bytes = calloc(1 << 20, 1);
    ws_text content = {0};

    cr_assert(bytes != NULL);
    fixture_open(&f, "input-dense");
    write_gzip(f.path, "wb9", bytes, 1 << 20);
    cr_assert(ws_input_load(&content, &(ws_file_name){.path = f.path, .shown = WS_TEXT("x")}, NULL,
                            &f.arena, &f.diag));
    cr_assert(eq(sz, content.length, 1 << 20));
    free(bytes);
    fixture_close(&f);
}

Test(input_limits, size_limit_is_exact)
{
    ws_input_limits five = {.bytes_max = 5};
    ws_input_limits four = {.bytes_max = 4};
    fixture f;
    ws_text content = {0};

    fixture_open(&f, "input-size");
    write_bytes(f.path, "wb", "a\nb\nc", 5);
    cr_assert(ws_input_load(&content, &(ws_file_name){.path = f.path, .shown = WS_TEXT("x")}, &five,
                            &f.arena, &f.diag));
    assert_text(content, "a\nb\nc");
    (void)assert_fails(&f, &four, 9013);
    assert_text(f.diag.entries[0].message, "`trace.csv` holds more than 4 bytes");
    fixture_close(&f);
}

/* The limit is on the line without its end: 100000 bytes are taken, 100001 are not, whatever ends
 * them. */
Test(input_limits, line_limit_is_exact)
{
    enum { limit = 100000 };
    ws_input_limits limits = {.line_bytes_max = limit};
    fixture f;
    ws_input *input = NULL;
    ws_text line = {0};
    int64_t number = 0;
    char *bytes = malloc(limit + 8);

    cr_assert(bytes != NULL);
    memset(bytes, 'x', limit + 8);
    fixture_open(&f, "input-line");
    bytes[0] = '\n';
    bytes[limit + 1] = '\r';
    bytes[limit + 2] = '\n';
    write_bytes(f.path, "wb", bytes, limit + 3);
    cr_assert(open_path(&f, &input, &limits));
    cr_assert(ws_input_read_line(input, &line, &number));
    cr_assert(ws_input_read_line(input, &line, &number));
    cr_assert(eq(sz, line.length, limit));
    cr_assert(not(ws_input_read_line(input, &line, &number)));
    cr_assert(ws_input_close(input));

    bytes[limit + 1] = 'x';
    write_bytes(f.path, "wb", bytes, limit + 3);
    cr_assert(eq(sz, assert_fails(&f, &limits, 9010), 1));
    assert_text(f.diag.entries[0].message, "line 2 of `trace.csv` is longer than 100000 bytes");
    free(bytes);
    fixture_close(&f);
}

Test(input_limits, default_line_limit_is_one_mebibyte)
{
    fixture f;
    char *bytes = malloc((1 << 20) + 1);

    cr_assert(bytes != NULL);
    memset(bytes, 'x', (1 << 20) + 1);
    fixture_open(&f, "input-default");
    write_bytes(f.path, "wb", bytes, (1 << 20) + 1);
    cr_assert(eq(sz, assert_fails(&f, NULL, 9010), 0));
    assert_text(f.diag.entries[0].message, "line 1 of `trace.csv` is longer than 1 MiB");
    free(bytes);
    fixture_close(&f);
}
