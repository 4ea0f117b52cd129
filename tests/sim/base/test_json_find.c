/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Texts out of JSON files: found, absent, and files that are none. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "support/arena_suite.h"
#include "support/support.h"
#include "ws/json_find.h"

#define JSON_BYTES_MAX ((size_t)1 << 20)

WS_TEST_ARENA_SUITE(json_find);

/* A descriptor at the begin of a file that holds `text` and has no name any more. */
static int json_find_file(const char *text, size_t length)
{
    char folder[1024];
    char path[1100];
    int fd = -1;

    cr_assert(ws_test_scratch("json_find", folder, sizeof folder) != NULL);
    (void)snprintf(path, sizeof path, "%s/file", folder);
    fd = open(path, O_RDWR | O_CREAT | O_EXCL, 0600);
    cr_assert(fd >= 0);
    cr_assert(eq(int, unlink(path), 0));
    cr_assert(write(fd, text, length) == (ssize_t)length);
    cr_assert(lseek(fd, 0, SEEK_SET) == 0);
    return fd;
}

static bool json_find(const char *text, ws_json_wanted *wanted, size_t count)
{
    int fd = json_find_file(text, strlen(text));
    bool is_found = ws_json_find_texts(fd, JSON_BYTES_MAX, wanted, count, &arena);

    cr_assert(eq(int, close(fd), 0)); /* it stayed open */
    return is_found;
}

Test(json_find, texts_of_the_top_and_of_an_object)
{
    ws_json_wanted wanted[] = {{.object = "scenario", .key = "name"}, {.key = "schema"}};

    cr_assert(json_find("{\"schema\": \"worldsize.summary/v1\",\n"
                        " \"name\": \"not this\", \"scenario\": {\"seed\": 42,"
                        " \"name\": \"caf\\u00e9 \\\"x\\\"\"}}\n",
                        wanted, 2));
    cr_assert(ws_text_is(wanted[0].value, "caf\xC3\xA9 \"x\""));
    cr_assert(ws_text_is(wanted[1].value, "worldsize.summary/v1"));
    cr_assert(eq(int, wanted[1].value.start[wanted[1].value.length], '\0'));
}

Test(json_find, what_is_no_text_has_no_value)
{
    ws_json_wanted wanted[] = {{.object = "scenario", .key = "name"},
                               {.object = "list", .key = "name"},
                               {.object = "absent", .key = "name"},
                               {.key = "number"},
                               {.key = "empty"}};

    cr_assert(json_find("{\"scenario\": {\"name\": {}}, \"list\": [\"name\"], \"number\": 1,"
                        " \"empty\": \"\"}",
                        wanted, 5));
    for (size_t i = 0; i < 4; i++) {
        cr_assert(wanted[i].value.start == NULL, "%zu", i);
    }
    cr_assert(wanted[4].value.start != NULL);
    cr_assert(eq(sz, wanted[4].value.length, 0));
}

Test(json_find, files_that_are_no_json_object)
{
    static const char *const bad[] = {
        "",
        "{\"schema\": \"a\"",                     /* cut off */
        "{\"schema\": \"a\"} x",                  /* something behind */
        "[\"schema\", \"a\"]",                    /* a list */
        "{\"schema\": \"a\", \"schema\": \"b\"}", /* twice */
        "{\"schema\": \"a\\u0000\"}",             /* an inner NUL */
        "{\"schema\": \"\xFF\"}",                 /* not UTF-8 */
        "\177ELF",
    };

    for (size_t i = 0; i < WS_COUNT_OF(bad); i++) {
        ws_json_wanted wanted = {.key = "schema", .value = WS_TEXT("untouched")};

        cr_assert_not(json_find(bad[i], &wanted, 1), "%zu", i);
        cr_assert(ws_text_is(wanted.value, "untouched"), "%zu", i);
    }
}

Test(json_find, deep_nesting_is_refused_without_a_crash)
{
    enum { DEPTH = 1000000 };
    ws_json_wanted wanted = {.key = "schema"};
    ws_arena large;
    char *text = NULL;

    ws_arena_init(&large, &ws_allocator_default, (size_t)1 << 24);
    text = ws_arena_alloc(&large, char, DEPTH + 1);
    cr_assert(text != NULL);
    memset(text, '[', DEPTH);
    cr_assert_not(json_find(text, &wanted, 1));
    ws_arena_reset(&large);
}

Test(json_find, a_text_beyond_the_bound_is_refused)
{
    static const char text[] = "{\"schema\": \"a\"}";
    ws_json_wanted wanted = {.key = "schema"};
    int fd = json_find_file(text, 15);

    cr_assert_not(ws_json_find_texts(fd, 14, &wanted, 1, &arena));
    cr_assert(lseek(fd, 0, SEEK_SET) == 0);
    cr_assert(ws_json_find_texts(fd, 15, &wanted, 1, &arena));
    cr_assert(ws_text_is(wanted.value, "a"));
    cr_assert(eq(int, close(fd), 0));
}

Test(json_find, a_folder_cannot_be_read)
{
    ws_json_wanted wanted = {.key = "schema"};
    int fd = open(ws_test_build_folder(), O_RDONLY);

    cr_assert(fd >= 0);
    cr_assert_not(ws_json_find_texts(fd, JSON_BYTES_MAX, &wanted, 1, &arena));
    cr_assert(eq(int, close(fd), 0));
}

Test(json_find, an_exhausted_arena_leaves_all_as_it_was)
{
    ws_json_wanted wanted[] = {{.key = "a", .value = WS_TEXT("untouched")}, {.key = "b"}};
    char text[4096] = "{\"a\": \"x\", \"b\": \"";
    ws_arena small;
    int fd = -1;

    memset(text + strlen(text), 'y', 3000);
    memcpy(text + strlen(text), "\"}", 3);
    fd = json_find_file(text, strlen(text));
    ws_arena_init(&small, &ws_allocator_default, 2000);
    cr_assert_not(ws_json_find_texts(fd, JSON_BYTES_MAX, wanted, 2, &small));
    cr_assert(ws_text_is(wanted[0].value, "untouched"));
    cr_assert(eq(int, close(fd), 0));
    ws_arena_reset(&small);
}
