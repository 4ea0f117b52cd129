/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files are written here with zlib and libzstd themselves; expectations are the text that went in.
 */
#include "ws/input.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "input_case.h"
#include "ws/assert.h"

static const char *const abc[] = {"a", "b", "c"};

Test(input, line_ends_of_all_systems)
{
    static const char *const contents[] = {
        "a\nb\nc\n", "a\r\nb\r\nc\r\n", "a\rb\rc\r",
        "a\nb\r\nc", "a\rb\nc\r\n",     "\xEF\xBB\xBF\x61\nb\nc",
    };
    fixture f;

    fixture_open(&f, "input-ends");
    for (size_t i = 0; i < WS_COUNT_OF(contents); i++) {
        write_bytes(f.path, "wb", contents[i], strlen(contents[i]));
        assert_lines(&f, abc, 3);
    }
    fixture_close(&f);
}

Test(input, empty_lines_are_lines_and_an_empty_file_has_none)
{
    static const char *const empty_lines[] = {"", "", "x", ""};
    fixture f;

    fixture_open(&f, "input-empty");
    write_bytes(f.path, "wb", "\n\r\nx\r\r", 6);
    assert_lines(&f, empty_lines, 4);
    write_bytes(f.path, "wb", "", 0);
    assert_lines(&f, NULL, 0);
    write_bytes(f.path, "wb", "\xEF\xBB\xBF", 3);
    assert_lines(&f, NULL, 0);
    fixture_close(&f);
}

Test(input, nul_bytes_and_a_later_mark_stay_in_the_line)
{
    fixture f;
    ws_input *input = NULL;
    ws_text line = {0};
    int64_t number = 0;

    fixture_open(&f, "input-nul");
    write_bytes(f.path, "wb", "a\0b\n\xEF\xBB\xBFx\n", 9);
    cr_assert(open_path(&f, &input, NULL));
    cr_assert(ws_input_read_line(input, &line, &number));
    cr_assert(eq(sz, line.length, 3));
    cr_assert(eq(int, memcmp(line.start, "a\0b", 3), 0));
    cr_assert(ws_input_read_line(input, &line, &number));
    assert_text(line, "\xEF\xBB\xBFx");
    cr_assert(ws_input_close(input));
    fixture_close(&f);
}

/* Lines of 0..999 bytes, so that ends fall on every place of the 64 KiB chunks; CR and LF on either
 * side of one. */
static size_t write_numbered(char *bytes, size_t lines)
{
    size_t length = 0;

    for (size_t i = 0; i < lines; i++) {
        memset(bytes + length, (int)('a' + i % 26), i % 1000);
        length += i % 1000;
        bytes[length] = '\r';
        bytes[length + 1] = '\n';
        length += 2;
    }
    return length;
}

static void assert_numbered(fixture *f, size_t lines, size_t length)
{
    ws_input *input = NULL;
    ws_text line = {0};
    int64_t number = 0;
    size_t count = 0;

    cr_assert(open_path(f, &input, NULL));
    while (ws_input_read_line(input, &line, &number)) {
        cr_assert(eq(sz, line.length, count % 1000));
        for (size_t i = 0; i < line.length; i++) {
            cr_assert(line.start[i] == (char)('a' + count % 26));
        }
        count++;
    }
    cr_assert(eq(sz, count, lines));
    cr_assert(eq(i64, ws_input_bytes(input), (int64_t)length));
    cr_assert(ws_input_close(input));
}

Test(input, lines_across_chunks_in_all_packings)
{
    enum { lines = 3000 };
    fixture f;
    char *bytes = malloc(lines * 1002);

    cr_assert(bytes != NULL);
    size_t length = write_numbered(bytes, lines);
    fixture_open(&f, "input-chunks");
    write_bytes(f.path, "wb", bytes, length);
    assert_numbered(&f, lines, length);
    write_gzip(f.path, "wb6", bytes, length);
    assert_numbered(&f, lines, length);
    write_zstd(f.path, "wb", bytes, length);
    assert_numbered(&f, lines, length);
    fixture_close(&f);
    free(bytes);
}

Test(input, all_members_and_frames_are_read)
{
    fixture f;

    fixture_open(&f, "input-members");
    write_gzip(f.path, "wb", "a\nb", 3);
    write_gzip(f.path, "ab", "", 0);
    write_gzip(f.path, "ab", "\nc\n", 3);
    assert_lines(&f, abc, 3);
    write_zstd(f.path, "wb", "a\nb", 3);
    write_zstd(f.path, "ab", "", 0);
    write_zstd(f.path, "ab", "\nc\n", 3);
    assert_lines(&f, abc, 3);
    /* A skippable frame of four bytes in front (RFC 8878, section 3.1.2). */
    write_bytes(f.path, "wb", "\x5a\x2a\x4d\x18\x04\0\0\0note", 12);
    write_zstd(f.path, "ab", "a\nb\nc", 5);
    assert_lines(&f, abc, 3);
    fixture_close(&f);
}

/* Every proper prefix is an error, with the reason that it ends early and a note that nothing of it
 * counts. */
Test(input, truncated_streams_are_errors)
{
    static void (*const writers[])(const char *, const char *, const void *, size_t) = {write_gzip,
                                                                                        write_zstd};
    static const char text[] = "first line\nsecond line\nthird line\n";
    fixture f;

    fixture_open(&f, "input-truncated");
    for (size_t w = 0; w < WS_COUNT_OF(writers); w++) {
        writers[w](f.path, "wb", text, sizeof text - 1);
        ws_text whole = ws_test_load(f.path);
        for (size_t length = 4; length < whole.length; length++) {
            ws_diag_init(&f.diag, &f.arena);
            write_bytes(f.path, "wb", whole.start, length);
            (void)assert_fails(&f, NULL, 6003);
            assert_text(f.diag.entries[0].message,
                        w == 0 ? "cannot read `trace.csv`: its gzip data end in the middle"
                               : "cannot read `trace.csv`: its zstd data end in the middle");
            assert_text(f.diag.entries[0].notes[0], "the data read so far are not used");
        }
        free((void *)whole.start);
    }
    fixture_close(&f);
}

Test(input, damaged_streams_are_errors)
{
    fixture f;

    fixture_open(&f, "input-damaged");
    write_gzip(f.path, "wb", "a\nb\nc\n", 6);
    ws_text whole = ws_test_load(f.path);
    char *bytes = (char *)whole.start;
    bytes[whole.length - 6] ^=
        1; /* the checksum, CRC-32 of RFC 1952, lies 8..5 bytes before the end */
    write_bytes(f.path, "wb", bytes, whole.length);
    free(bytes);
    (void)assert_fails(&f, NULL, 6003);
    assert_text(f.diag.entries[0].message, "cannot read `trace.csv`: its gzip data are damaged");

    ws_diag_init(&f.diag, &f.arena);
    write_bytes(f.path, "wb", "\x28\xb5\x2f\xfd garbage that is no zstd frame", 34);
    (void)assert_fails(&f, NULL, 6003);
    fixture_close(&f);
}

Test(input, garbage_behind_the_last_member_is_an_error)
{
    fixture f;

    fixture_open(&f, "input-garbage");
    write_gzip(f.path, "wb", "a\nb\nc\n", 6);
    write_bytes(f.path, "ab", "garbage", 7);
    (void)assert_fails(&f, NULL, 6003);
    assert_text(f.diag.entries[0].message,
                "cannot read `trace.csv`: something follows the end of its gzip data");
    ws_diag_init(&f.diag, &f.arena);
    write_zstd(f.path, "wb", "a\nb\nc\n", 6);
    write_bytes(f.path, "ab", "garbage", 7);
    (void)assert_fails(&f, NULL, 6003);
    assert_text(f.diag.entries[0].message,
                "cannot read `trace.csv`: something follows the end of its zstd data");
    fixture_close(&f);
}

Test(input, containers_are_refused_with_a_command)
{
    static const struct {
        const char *bytes;
        size_t length;
        const char *message;
        const char *help;
    } cases[] = {
        {"PK\3\4\x14\0\0\0a.csv", 13, "`trace.csv` is a zip archive",
         "run `unzip trace.csv` first"},
        {"PK\3\4\x14\0\0\0[Content_Types].xml", 27, "`trace.csv` is an Excel workbook",
         "run `libreoffice --headless --convert-to csv trace.csv` first"},
        {"\xfd"
         "7zXZ\0\0\4",
         8, "`trace.csv` is an xz file", "run `unxz --keep trace.csv` first"},
        {"BZh91AY&SY..", 12, "`trace.csv` is a bzip2 file", "run `bunzip2 --keep trace.csv` first"},
        {"PAR1\x15\x04\x15", 7, "`trace.csv` is a Parquet file",
         "run `duckdb -c \"COPY (FROM 'trace.csv') TO 'trace.csv.csv' (HEADER)\"` first"},
    };
    fixture f;

    fixture_open(&f, "input-refused");
    for (size_t i = 0; i < WS_COUNT_OF(cases); i++) {
        ws_diag_init(&f.diag, &f.arena);
        write_bytes(f.path, "wb", cases[i].bytes, cases[i].length);
        (void)assert_fails(&f, NULL, 6004);
        assert_text(f.diag.entries[0].message, cases[i].message);
        assert_text(f.diag.entries[0].help, cases[i].help);
    }
    fixture_close(&f);
}

Test(input, containers_inside_packed_files_are_refused_too)
{
    fixture f;

    fixture_open(&f, "input-inner");
    write_gzip(f.path, "wb", "PK\3\4....", 8);
    (void)assert_fails(&f, NULL, 6004);
    assert_text(f.diag.entries[0].message, "`trace.csv` holds a zip archive");
    ws_diag_init(&f.diag, &f.arena);
    write_zstd(f.path, "wb", "\x1f\x8b\x08\0\0\0\0\0", 8);
    (void)assert_fails(&f, NULL, 6004);
    assert_text(f.diag.entries[0].message, "`trace.csv` is packed twice");
    fixture_close(&f);
}

/* Tables whose first column happens to be called so are text. */
Test(input, words_that_look_like_magic_are_text)
{
    static const char *const lines[] = {"PAR1,BZh9", "PK,7z"};
    fixture f;

    fixture_open(&f, "input-words");
    write_bytes(f.path, "wb", "PAR1,BZh9\nPK,7z\n", 16);
    assert_lines(&f, lines, 2);
    fixture_close(&f);
}

/* A name that a shell would take apart is not pasted into the command. */
Test(input, hostile_names_stay_out_of_commands)
{
    fixture f;
    ws_input *input = NULL;

    fixture_open(&f, "input-hostile");
    write_bytes(f.path, "wb", "PK\3\4....", 8);
    cr_assert(not(ws_input_open(&input,
                                &(ws_file_name){.path = f.path, .shown = WS_TEXT("$(reboot).zip")},
                                NULL, &f.diag)));
    assert_text(f.diag.entries[0].help, "run `unzip FILE` first");
    fixture_close(&f);
}

Test(input, missing_files)
{
    fixture f;
    ws_input *input = NULL;
    ws_source source = {.name = WS_TEXT("s.yaml"), .content = WS_TEXT("trace: trace.csv\n")};
    ws_span at = {.source = &source, .line = 1, .column = 8, .length = 9};

    fixture_open(&f, "input-missing");
    cr_assert(not(ws_input_open(
        &input, &(ws_file_name){.path = f.path, .shown = WS_TEXT("trace.csv"), .at = at}, NULL,
        &f.diag)));
    cr_assert(eq(int, f.diag.entries[0].code, 6001));
    cr_assert(eq(int, f.diag.entries[0].at.column, 8));
    assert_text(f.diag.entries[0].message, "cannot read `trace.csv`: no such file");
    fixture_close(&f);
}

Test(input, only_regular_files_are_read)
{
    fixture f;
    ws_input *input = NULL;
    ws_text content = {0};
    struct sockaddr_un address = {.sun_family = AF_UNIX};

    fixture_open(&f, "input-kinds");
    cr_assert(not(ws_input_open(&input, &(ws_file_name){.path = f.folder, .shown = WS_TEXT("x")},
                                NULL, &f.diag)));
    assert_text(f.diag.entries[0].message, "`x` is a directory, not a regular file");
    cr_assert(not(ws_input_open(&input, &(ws_file_name){.path = "/dev/zero", .shown = WS_TEXT("x")},
                                NULL, &f.diag)));
    assert_text(f.diag.entries[1].message, "`x` is a device, not a regular file");
    cr_assert(eq(int, mkfifo(f.path, 0600), 0));
    cr_assert(not(ws_input_load(&content, &(ws_file_name){.path = f.path, .shown = WS_TEXT("x")},
                                NULL, &f.arena, &f.diag)));
    assert_text(f.diag.entries[2].message, "`x` is a named pipe, not a regular file");
    cr_assert(eq(int, chdir(f.folder), 0)); /* socket names are short */
    strcpy(address.sun_path, "socket");
    int listener = socket(AF_UNIX, SOCK_STREAM, 0);
    cr_assert(eq(int, bind(listener, (const struct sockaddr *)&address, sizeof address), 0));
    cr_assert(not(ws_input_open(&input, &(ws_file_name){.path = "socket", .shown = WS_TEXT("x")},
                                NULL, &f.diag)));
    assert_text(f.diag.entries[3].message, "`x` is a socket, not a regular file");
    (void)close(listener);
    for (size_t i = 0; i < 4; i++) {
        cr_assert(eq(int, f.diag.entries[i].code, 6002));
    }
    fixture_close(&f);
}

Test(input, dash_is_standard_input_only_where_allowed)
{
    ws_input_limits limits = {.allow_stdin = true};
    fixture f;
    ws_input *input = NULL;
    ws_text line = {0};
    int64_t number = 0;
    int ends[2];

    fixture_open(&f, "input-stdin");
    cr_assert(eq(int, pipe(ends), 0));
    cr_assert(eq(int, (int)write(ends[1], "a\nb\nc\n", 6), 6));
    (void)close(ends[1]);
    cr_assert(eq(int, dup2(ends[0], STDIN_FILENO), STDIN_FILENO));
    cr_assert(ws_input_open(&input, &(ws_file_name){.path = "-", .shown = WS_TEXT("-")}, &limits,
                            &f.diag));
    for (size_t i = 0; i < 3; i++) {
        cr_assert(ws_input_read_line(input, &line, &number));
        assert_text(line, abc[i]);
    }
    cr_assert(not(ws_input_read_line(input, &line, &number)));
    cr_assert(ws_input_close(input));
    cr_assert(not(
        ws_input_open(&input, &(ws_file_name){.path = "-", .shown = WS_TEXT("-")}, NULL, &f.diag)));
    cr_assert(eq(int, f.diag.entries[0].code, 6001));
    fixture_close(&f);
}

Test(input, a_file_that_changes_while_it_is_read_is_an_error)
{
    fixture f;
    ws_input *input = NULL;
    ws_text line = {0};
    int64_t number = 0;
    char *bytes = malloc(1 << 20);

    cr_assert(bytes != NULL);
    memset(bytes, '\n', 1 << 20);
    fixture_open(&f, "input-changed");
    write_bytes(f.path, "wb", bytes, 1 << 20);
    cr_assert(open_path(&f, &input, NULL));
    cr_assert(ws_input_read_line(input, &line, &number));
    cr_assert(eq(int, truncate(f.path, 1 << 19), 0));
    while (ws_input_read_line(input, &line, &number)) {
    }
    cr_assert(not(ws_input_close(input)));
    cr_assert(eq(int, f.diag.entries[0].code, 6003));
    assert_text(f.diag.entries[0].message,
                "cannot read `trace.csv`: it was changed while it was read");
    free(bytes);
    fixture_close(&f);
}

Test(input, load_keeps_every_byte)
{
    fixture f;
    ws_text content = {0};

    fixture_open(&f, "input-load");
    write_gzip(f.path, "wb",
               "\xEF\xBB\xBF"
               "a\r\n\0b",
               8);
    cr_assert(ws_input_load(&content, &(ws_file_name){.path = f.path, .shown = WS_TEXT("x")}, NULL,
                            &f.arena, &f.diag));
    cr_assert(eq(sz, content.length, 8));
    cr_assert(eq(int,
                 memcmp(content.start,
                        "\xEF\xBB\xBF"
                        "a\r\n\0b",
                        9),
                 0));
    write_bytes(f.path, "wb", "", 0);
    cr_assert(ws_input_load(&content, &(ws_file_name){.path = f.path, .shown = WS_TEXT("x")}, NULL,
                            &f.arena, &f.diag));
    cr_assert(eq(sz, content.length, 0));
    fixture_close(&f);
}

Test(input, load_into_a_full_arena_is_a_diagnosis)
{
    fixture f;
    ws_arena small = {.used_bytes = 0};
    ws_text content = WS_TEXT("untouched");
    char bytes[20000];

    memset(bytes, 'x', sizeof bytes);
    fixture_open(&f, "input-full");
    ws_arena_init(&small, &ws_allocator_default, 10000);
    write_bytes(f.path, "wb", bytes, sizeof bytes);
    cr_assert(not(ws_input_load(&content, &(ws_file_name){.path = f.path, .shown = WS_TEXT("x")},
                                NULL, &small, &f.diag)));
    cr_assert(eq(int, f.diag.entries[0].code, 6003));
    assert_text(content, "untouched");
    ws_arena_reset(&small);
    fixture_close(&f);
}

/* Chunks joined are the file, less the mark at its start. */
Test(input, chunks_are_the_bytes)
{
    fixture f;
    ws_input *input = NULL;
    ws_text chunk = {0};
    char joined[16];
    size_t length = 0;

    fixture_open(&f, "input-chunks");
    write_bytes(f.path, "wb", "\xEF\xBB\xBF[1,\r\n2]\0", 11);
    const ws_file_name name = {.path = f.path, .shown = WS_TEXT("f")};
    cr_assert(ws_input_open(&input, &name, NULL, &f.diag));
    while (ws_input_read_chunk(input, &chunk)) {
        cr_assert(chunk.length > 0 && length + chunk.length <= sizeof joined);
        memcpy(joined + length, chunk.start, chunk.length);
        length += chunk.length;
    }
    cr_assert(eq(sz, length, 8));
    cr_assert(memcmp(joined, "[1,\r\n2]\0", 8) == 0);
    cr_assert(not(ws_input_read_chunk(input, &chunk)));
    cr_assert(ws_input_close(input));
    fixture_close(&f);
}
