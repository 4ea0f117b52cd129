/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The manual of the scenario file: its keys, and the examples that people wrote into it. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/manual.h"
#include "support/support.h"
#include "ws/load.h"

static const char page[] = "docs/scenario.md";

Test(manual, the_keys_are_those_of_the_code)
{
    ws_arena arena;

    ws_arena_init(&arena, &ws_allocator_default, (size_t)1 << 26);
    ws_test_manual_is(page, "scenarios_test_manual", ws_scenario_print_keys(&arena));
    ws_arena_reset(&arena);
}

/* What stands between two texts of the manual; in the arena. */
static ws_text manual_between(const char *from, const char *to, ws_arena *arena)
{
    ws_text manual = ws_test_manual_written(page);
    const char *start = strstr(manual.start, from);

    cr_assert(start != NULL, "%s", from);
    start += strlen(from);
    const char *end = strstr(start, to);
    cr_assert(end != NULL, "%s", to);
    ws_text between =
        ws_arena_copy_text(arena, (ws_text){.start = start, .length = (size_t)(end - start)});
    free((void *)manual.start);
    return between;
}

static void manual_check(const ws_load_options *options, ws_arena *arena)
{
    ws_loaded loaded;
    ws_diag diag;

    ws_diag_init(&diag, arena);
    bool good = ws_scenario_load(&loaded, options, arena, &diag);
    cr_expect(good, "%s", options->path);
    for (size_t i = 0; i < diag.count; i++) {
        cr_expect(diag.count == 0, "%s", ws_diagnostic_print(&diag.entries[i], false, arena).start);
    }
}

Test(manual, its_example_loads_without_a_word)
{
    ws_arena arena;

    ws_arena_init(&arena, &ws_allocator_default, (size_t)1 << 26);
    ws_text example = manual_between("\n```yaml\n", "\n```\n", &arena);
    manual_check(&(ws_load_options){.path = "small.yaml", .content = example}, &arena);
    ws_arena_reset(&arena);
}

/* A flag as a shell would take it: without quotes, up to two blanks. */
static ws_text manual_flag(ws_text line)
{
    size_t end = 0;

    while (end < line.length &&
           !ws_text_starts_with(ws_text_slice(line, end, line.length), WS_TEXT("  "))) {
        end++;
    }
    line = ws_text_slice(line, 0, end);
    return ws_text_starts_with(line, WS_TEXT("'")) ? ws_text_slice(line, 1, line.length - 1) : line;
}

/* Its overrides are those of the quickstart. */
Test(manual, its_overrides_reach_what_they_say)
{
    char path[1000];
    ws_arena arena;
    size_t count = 0;

    ws_arena_init(&arena, &ws_allocator_default, (size_t)1 << 28);
    (void)snprintf(path, sizeof path, "%s/scenarios/quickstart.yaml", ws_test_source_folder());
    ws_text lines = manual_between("\n    --set ", "\n\n", &arena);
    while (lines.length > 0) {
        size_t end = ws_text_find_byte(lines, '\n');
        ws_override flag = {.text = manual_flag(ws_text_slice(lines, 0, end)),
                            .label = WS_TEXT("<--set #1>")};

        manual_check(&(ws_load_options){.path = path, .overrides = &flag, .override_count = 1},
                     &arena);
        lines = ws_text_slice(lines, end + strlen("\n    --set "), lines.length);
        count++;
    }
    cr_expect(eq(sz, count, 5));
    ws_arena_reset(&arena);
}

/* The part that people write stays short enough to be read. */
Test(manual, the_part_that_people_write_is_short)
{
    ws_text manual = ws_test_manual_written(page);
    size_t lines = 0;

    for (size_t i = 0; i < manual.length; i++) {
        lines += manual.start[i] == '\n' ? 1 : 0;
    }
    cr_expect(le(sz, lines, 150));
    free((void *)manual.start);
}
