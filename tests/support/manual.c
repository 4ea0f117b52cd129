/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "support/manual.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/support.h"

static const char manual_marker[] = "<!-- From here on the code speaks: ";

static const char *manual_path(const char *page, char *path, size_t path_bytes)
{
    (void)snprintf(path, path_bytes, "%s/%s", ws_test_source_folder(), page);
    return path;
}

/* The page, and where its marker begins. */
static ws_text manual_load(const char *page, size_t *marker)
{
    char path[1000];
    ws_text text = ws_test_load(manual_path(page, path, sizeof path));

    cr_assert(text.start != NULL, "%s", path);
    const char *found = strstr(text.start, manual_marker);
    cr_assert(found != NULL, "%s has no line %s", page, manual_marker);
    *marker = (size_t)(found - text.start);
    return text;
}

static void manual_write(const char *path, ws_text written, ws_text generated)
{
    FILE *file = fopen(path, "wb");

    cr_assert(file != NULL, "%s", path);
    cr_assert(eq(sz, fwrite(written.start, 1, written.length, file), written.length));
    cr_assert(eq(sz, fwrite(generated.start, 1, generated.length, file), generated.length));
    cr_assert(eq(int, fclose(file), 0));
}

void ws_test_manual_is(const char *page, const char *program, ws_text generated)
{
    char path[1000];
    char line[500];
    size_t marker = 0;
    ws_text text = manual_load(page, &marker);

    (void)snprintf(line, sizeof line, "%sWS_BLESS=1 build/dev/tests/%s rewrites it. -->\n",
                   manual_marker, program);
    size_t from = marker + strlen(line);
    cr_assert(ws_text_starts_with(ws_text_slice(text, marker, text.length), ws_text_of(line)),
              "%s has no line %s", page, line);
    cr_assert(generated.start != NULL);
    if (getenv("WS_BLESS") != NULL) {
        manual_write(manual_path(page, path, sizeof path), ws_text_slice(text, 0, from), generated);
    } else {
        cr_expect(ws_text_equals(ws_text_slice(text, from, text.length), generated),
                  "%s is out of date; rewrite it with: WS_BLESS=1 build/dev/tests/%s", page,
                  program);
    }
    free((void *)text.start);
}

ws_text ws_test_manual_written(const char *page)
{
    size_t marker = 0;
    ws_text text = manual_load(page, &marker);

    ((char *)text.start)[marker] = '\0';
    return ws_text_slice(text, 0, marker);
}
