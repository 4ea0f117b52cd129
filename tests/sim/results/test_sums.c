/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SHA256SUMS: written as sha256sum writes it, and read without trust. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/support.h"

#include "sums.h"

/* FIPS 180-4: the example "abc", and the digest of no bytes at all. */
#define ABC "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
#define EMPTY "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

static ws_arena arena;
static ws_diag diag;
static ws_sums sums;

static void sums_open_arena(void)
{
    ws_arena_init(&arena, &ws_allocator_default, (size_t)1 << 22);
    ws_diag_init(&diag, &arena);
    sums.count = 0;
}

static void sums_close_arena(void)
{
    ws_arena_reset(&arena);
}

TestSuite(sums, .init = sums_open_arena, .fini = sums_close_arena);

static bool sums_add(const char *name, const char *content)
{
    ws_sha256 hash;

    ws_sha256_init(&hash);
    ws_sha256_update(&hash, content, strlen(content));
    return ws_sums_add(&sums, ws_text_of(name), &hash);
}

static ws_text sums_written(void)
{
    ws_writer writer;

    ws_writer_init_memory(&writer, &arena);
    ws_sums_write(&sums, &writer);
    cr_assert(ws_writer_finish(&writer, &diag));
    return ws_writer_text(&writer);
}

Test(sums, lines_are_sorted_by_bytes)
{
    cr_assert(sums_add("b.csv", "abc"));
    cr_assert(sums_add("charts/a.svg", ""));
    cr_assert(sums_add("B.csv", ""));
    cr_assert(sums_add("charts.svg", "abc")); /* '.' is before '/' */
    cr_assert(sums_add("\xC3\xA9", ""));
    cr_assert(ws_text_is(sums_written(),
                         EMPTY "  B.csv\n" ABC "  b.csv\n" ABC "  charts.svg\n" EMPTY
                               "  charts/a.svg\n" EMPTY "  \xC3\xA9\n"));
    cr_assert(eq(sz, ws_sums_find(&sums, WS_TEXT("charts.svg")), 2));
    cr_assert(eq(sz, ws_sums_find(&sums, WS_TEXT("charts")), 5));
    cr_assert(eq(sz, ws_sums_find(&sums, WS_TEXT("")), 5));
}

Test(sums, what_was_written_reads_back)
{
    ws_text text;
    ws_sums read;

    cr_assert(sums_add("x", "abc"));
    cr_assert(sums_add("charts/a b.svg", ""));
    text = sums_written();
    cr_assert(ws_sums_parse(&read, text, &arena));
    cr_assert(eq(sz, read.count, 2));
    cr_assert(ws_text_is(read.files[0].name, "charts/a b.svg"));
    cr_assert(eq(str, read.files[0].digest, (char *)EMPTY));
    cr_assert(eq(str, read.files[1].digest, (char *)ABC));
    cr_assert(ws_sums_parse(&read, WS_TEXT(""), &arena));
    cr_assert(eq(sz, read.count, 0));
}

Test(sums, a_name_is_there_once_and_the_number_is_bounded)
{
    char names[WS_RESULT_FILES_MAX + 1][8];

    for (int i = 0; i <= WS_RESULT_FILES_MAX; i++) {
        (void)snprintf(names[i], sizeof names[i], "%d", i);
        cr_assert(eq(int, sums_add(names[i], ""), i < WS_RESULT_FILES_MAX), "%d", i);
        if (i == 7) {
            cr_assert_not(sums_add("7", "abc"));
        }
    }
    cr_assert(eq(sz, sums.count, 256));
    cr_assert(eq(str, sums.files[ws_sums_find(&sums, WS_TEXT("7"))].digest, (char *)EMPTY));
}

Test(sums, names_stay_within_the_folder)
{
    static const char *const good[] = {"a", "a b.csv", "charts/a.svg", "..a", "SHA256SUMS", ".x/y"};
    static const char *const bad[] = {"",     "/",     "/a",   "a/",   "a//b",  ".",
                                      "..",   "../a",  "a/..", "./a",  "a/b/c", "a\nb",
                                      "a\\b", "a\x7F", "\x1B", "a/\tb"};
    char longest[2 * 256 + 2];

    for (size_t i = 0; i < WS_COUNT_OF(good); i++) {
        cr_assert(ws_sums_is_name(ws_text_of(good[i])), "%s", good[i]);
    }
    for (size_t i = 0; i < WS_COUNT_OF(bad); i++) {
        cr_assert_not(ws_sums_is_name(ws_text_of(bad[i])), "%s", bad[i]);
    }
    memset(longest, 'a', sizeof longest);
    longest[255] = '/';
    cr_assert(ws_sums_is_name((ws_text){.start = longest, .length = 511}));
    cr_assert_not(ws_sums_is_name((ws_text){.start = longest, .length = 512}));
    cr_assert_not(ws_sums_is_name(WS_TEXT("a\0b")));
}

Test(sums, other_texts_are_refused)
{
    static const char *const bad[] = {
        "x",
        "\n",
        ABC,
        ABC "\n",
        ABC "  \n",
        ABC "  a", /* no end of line */
        ABC "  a\r\n",
        ABC " a\n",
        ABC " *a\n", /* of sha256sum --binary */
        ABC "  a\n\n",
        ABC "  b\n" ABC "  a\n", /* not sorted */
        ABC "  a\n" ABC "  a\n",
        ABC "  ../a\n",
        ABC "  /etc/passwd\n",
        "\\" ABC "  a\n", /* an escaped name */
        "BA7816BF8F01CFEA414140DE5DAE2223B00361A396177A9CB410FF61F20015AD  a\n",
        "ga7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  a\n",
        "SHA256 (a) = " ABC "\n",
    };
    ws_sums read;

    for (size_t i = 0; i < WS_COUNT_OF(bad); i++) {
        cr_assert_not(ws_sums_parse(&read, ws_text_of(bad[i]), &arena), "%zu", i);
    }
}

Test(sums, more_files_than_there_can_be_are_refused)
{
    ws_text text = WS_TEXT("");
    ws_sums read;

    for (int i = 0; i < 257; i++) {
        text = ws_arena_format(&arena, "%.*s" ABC "  %03d\n", WS_TEXT_ARGS(text), i);
        cr_assert(eq(int, ws_sums_parse(&read, text, &arena), i < 256), "%d", i);
        cr_assert(text.length == (size_t)(i + 1) * 70);
        if (i % 16 == 0) { /* the texts before are not needed any more */
            char *copy = malloc(text.length + 1);

            cr_assert(copy != NULL);
            memcpy(copy, text.start, text.length + 1);
            ws_arena_reset(&arena);
            text = ws_arena_copy_text(&arena, (ws_text){.start = copy, .length = text.length});
            free(copy);
        }
    }
}

Test(sums, digests_of_files)
{
    char folder[1024];
    char path[1100];
    ws_sha256 hash;
    char digest[WS_SHA256_TEXT_BYTES];
    int fd = -1;

    cr_assert(ws_test_scratch("sums", folder, sizeof folder) != NULL);
    (void)snprintf(path, sizeof path, "%s/file", folder);
    fd = open(path, O_RDWR | O_CREAT | O_EXCL, 0600);
    cr_assert(fd >= 0);
    cr_assert(write(fd, "abc", 3) == 3);
    cr_assert(lseek(fd, 0, SEEK_SET) == 0);
    cr_assert(ws_sums_hash(fd, &hash));
    ws_sha256_print(&hash, digest);
    cr_assert(eq(str, digest, (char *)ABC));
    cr_assert(eq(int, close(fd), 0));
    fd = open(folder, O_RDONLY);
    cr_assert(fd >= 0);
    cr_assert_not(ws_sums_hash(fd, &hash));
    cr_assert(eq(int, errno, EISDIR));
    cr_assert(eq(int, close(fd), 0));
}
