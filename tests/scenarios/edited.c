/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/edited.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/support.h"

#define EDITED_ARENA_BYTES ((size_t)1 << 28)

void ws_edited_init(ws_edited *edited, const char *name)
{
    memset(edited, 0, sizeof *edited);
    ws_arena_init(&edited->arena, &ws_allocator_default, EDITED_ARENA_BYTES);
    ws_diag_init(&edited->diag, &edited->arena);
    (void)ws_test_scratch(name, edited->folder, sizeof edited->folder);
}

void ws_edited_fini(ws_edited *edited)
{
    ws_arena_reset(&edited->arena);
}

ws_text ws_edited_quickstart(ws_edited *edited)
{
    char path[1000];

    (void)snprintf(path, sizeof path, "%s/tests/scenarios/week.yaml", ws_test_source_folder());
    ws_text file = ws_test_load(path);
    cr_assert_not_null(file.start, "%s", path);
    ws_text copy = ws_arena_copy_text(&edited->arena, file);
    free((void *)file.start);
    return copy;
}

ws_text ws_edited_apply(ws_edited *edited, ws_text text, const ws_edit *edits, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const char *found = strstr(text.start, edits[i].find);

        cr_assert_not_null(found, "not there: %s", edits[i].find);
        cr_assert_null(strstr(found + 1, edits[i].find), "not there once: %s", edits[i].find);
        const char *rest = found + strlen(edits[i].find);
        text = ws_arena_format(&edited->arena, "%.*s%s%s", (int)(found - text.start), text.start,
                               edits[i].replace, rest);
        cr_assert_not_null(text.start);
    }
    return text;
}

bool ws_edited_load(ws_edited *edited, ws_text text, const ws_load_options *options)
{
    ws_load_options given = options != NULL ? *options : (ws_load_options){.override_count = 0};
    ws_text path = ws_arena_format(&edited->arena, "%s/scenario.yaml", edited->folder);

    given.path = path.start;
    given.content = text;
    ws_diag_init(&edited->diag, &edited->arena);
    memset(&edited->loaded, 0, sizeof edited->loaded);
    bool good = ws_scenario_load(&edited->loaded, &given, &edited->arena, &edited->diag);
    cr_assert_eq(good, edited->diag.error_count == 0, "%s", ws_edited_printed(edited));
    return good;
}

bool ws_edited_load_one(ws_edited *edited, const char *find, const char *replace)
{
    ws_edit edit = {.find = find, .replace = replace};

    return ws_edited_load(edited, ws_edited_apply(edited, ws_edited_quickstart(edited), &edit, 1),
                          NULL);
}

bool ws_edited_load_set(ws_edited *edited, const char *const *flags, size_t count)
{
    ws_override *overrides = ws_arena_alloc(&edited->arena, ws_override, count + 1);

    for (size_t i = 0; i < count; i++) {
        overrides[i] = (ws_override){
            .text = ws_text_of(flags[i]),
            .label = ws_arena_format(&edited->arena, "<--set #%zu>", i + 1),
        };
    }
    return ws_edited_load(edited, ws_edited_quickstart(edited),
                          &(ws_load_options){.overrides = overrides, .override_count = count});
}

const ws_diagnostic *ws_edited_found(const ws_edited *edited, int code)
{
    const ws_diagnostic *found = NULL;

    for (size_t i = 0; i < edited->diag.count; i++) {
        if (edited->diag.entries[i].code == code) {
            cr_assert_null(found, "WS%d comes more than once", code);
            found = &edited->diag.entries[i];
        }
    }
    return found;
}

const char *ws_edited_printed(ws_edited *edited)
{
    ws_text all = WS_TEXT("");

    ws_diag_sort(&edited->diag);
    for (size_t i = 0; i < edited->diag.count; i++) {
        ws_text one = ws_diagnostic_print(&edited->diag.entries[i], false, &edited->arena);

        all = ws_arena_format(&edited->arena, "%.*s%.*s", WS_TEXT_ARGS(all), WS_TEXT_ARGS(one));
    }
    return all.start;
}
