/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The manual of the scenario file ends with what the code says of its keys. This test fails when that part is
 * out of date; with WS_BLESS=1 in the environment it rewrites it.
 */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/support.h"
#include "ws/load.h"

static const char marker[] = "<!-- From here on the code speaks: WS_BLESS=1 "
                             "build/dev/tests/scenarios_test_manual rewrites it. -->\n";

static const char *manual_path(char *path, size_t path_bytes)
{
    (void)snprintf(path, path_bytes, "%s/docs/scenario.md", ws_test_source_folder());
    return path;
}

static void manual_write(const char *path, ws_text written, ws_text generated)
{
    FILE *file = fopen(path, "wb");

    cr_assert(file != NULL, "%s", path);
    cr_assert(eq(sz, fwrite(written.start, 1, written.length, file), written.length));
    cr_assert(eq(sz, fwrite(generated.start, 1, generated.length, file), generated.length));
    cr_assert(eq(int, fclose(file), 0));
}

Test(manual, the_keys_are_those_of_the_code)
{
    char path[1000];
    ws_arena arena;

    ws_arena_init(&arena, &ws_allocator_default, (size_t)1 << 26);
    ws_text manual = ws_test_load(manual_path(path, sizeof path));
    cr_assert(manual.start != NULL, "%s", path);
    const char *found = strstr(manual.start, marker);
    cr_assert(found != NULL, "docs/scenario.md has no line %s", marker);
    size_t written = (size_t)(found - manual.start) + strlen(marker);
    ws_text generated = ws_scenario_print_keys(&arena);
    cr_assert(generated.start != NULL);

    if (getenv("WS_BLESS") != NULL) {
        manual_write(path, ws_text_slice(manual, 0, written), generated);
    } else {
        cr_expect(ws_text_equals(ws_text_slice(manual, written, manual.length), generated),
                  "docs/scenario.md is out of date; rewrite it with: WS_BLESS=1 "
                  "build/dev/tests/scenarios_test_manual");
    }
    free((void *)manual.start);
    ws_arena_reset(&arena);
}

/* The part that people write stays short enough to be read. */
Test(manual, the_part_that_people_write_is_short)
{
    char path[1000];
    ws_text manual = ws_test_load(manual_path(path, sizeof path));
    size_t lines = 0;

    cr_assert(manual.start != NULL, "%s", path);
    const char *found = strstr(manual.start, marker);
    cr_assert(found != NULL);
    for (const char *c = manual.start; c < found; c++) {
        lines += *c == '\n' ? 1 : 0;
    }
    cr_expect(le(sz, lines, 150));
    free((void *)manual.start);
}
