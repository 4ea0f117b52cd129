/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The manual: the table of keys that `worldsize policy list` and the reference pages print. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "support/arena_suite.h"
#include "ws/parameter.h"

WS_TEST_ARENA_SUITE(parameter_manual);

Test(parameter_manual, prints_what_else_a_value_may_be)
{
    static const ws_parameter rows[] = {
        {.name = "a", .kind = WS_PARAMETER_MAP_LIST, .map_offset = 8, .help = "A."},
        {.name = "b", .kind = WS_PARAMETER_DOCUMENT, .file_kind = "Thing", .help = "B."}};
    ws_parameter_table table = {.noun = "x", .rows = rows, .count = 2};
    ws_text page = ws_parameters_print_markdown(&table, &arena);

    cr_expect(eq(str, (char *)page.start,
                 "| key | takes | default | meaning |\n"
                 "| --- | --- | --- | --- |\n"
                 "| `a` | a list of maps, or a map | none | A. |\n"
                 "| `b` | any value, or the path of a file that holds it | none | B. |\n"));
}

/* A table that holds itself, as an arm holds controllers. */

static const char *const colours[] = {"red", "green", "blue", NULL};

static const ws_parameter limit_rows[] = {
    {.name = "spares",
     .kind = WS_PARAMETER_COUNT,
     .default_text = "2",
     .min = "1",
     .max = "10",
     .help = "Nodes that stand by."},
    {.name = "window",
     .kind = WS_PARAMETER_DURATION,
     .default_text = "1m",
     .min = "0s",
     .above_min = true,
     .help = "Mean over this | that."},
};
static const ws_parameter_table limit_table = {
    .noun = "limits", .rows = limit_rows, .count = WS_COUNT_OF(limit_rows)};

static const ws_parameter_table looped_table;
static const ws_parameter looped_rows[] = {{.name = "controllers",
                                            .kind = WS_PARAMETER_MAP_LIST,
                                            .table = &looped_table,
                                            .help = "Several side by side."},
                                           {.name = "limits",
                                            .kind = WS_PARAMETER_MAP,
                                            .table = &limit_table,
                                            .required = true,
                                            .help = "What holds for all."},
                                           {.name = "hue",
                                            .kind = WS_PARAMETER_CHOICE,
                                            .choices = colours,
                                            .default_text = "red",
                                            .help = "Its colour."},
                                           {.kind = WS_PARAMETER_SELF}};
static const ws_parameter_table looped_table = {
    .noun = "an arm", .rows = looped_rows, .count = WS_COUNT_OF(looped_rows)};

Test(parameter_manual, prints_tables_with_dotted_keys)
{
    ws_text page = ws_parameters_print_markdown(&looped_table, &arena);

    cr_assert(page.start != NULL);
    cr_expect(
        eq(str, (char *)page.start,
           "| key | takes | default | meaning |\n"
           "| --- | --- | --- | --- |\n"
           "| `controllers` | a list of maps | none | Several side by side. |\n"
           "| `limits` | a map | required | What holds for all. |\n"
           "| `limits.spares` | a count (`40k`), between 1 and 10 | `2` | Nodes that stand by. |\n"
           "| `limits.window` | a time (`30m`), more than 0s | `1m` | Mean over this \\| that. |\n"
           "| `hue` | `red`, `green`, `blue` | `red` | Its colour. |\n"));
}

Test(parameter_manual, describes_keys_line_by_line)
{
    size_t count = 0;
    const ws_parameter_line *lines = ws_parameters_describe(&looped_table, &count, &arena);

    cr_assert(lines != NULL);
    cr_assert(eq(sz, count, 5));
    cr_expect(eq(str, (char *)lines[3].key.start, "limits.window"));
    cr_expect(eq(str, (char *)lines[3].takes.start, "a time (`30m`), more than 0s"));
    cr_expect(eq(str, (char *)lines[3].default_text, "1m"));
    cr_expect(eq(str, (char *)lines[3].help, "Mean over this | that."));
    cr_expect_not(lines[3].required);
    cr_expect(lines[1].required);
    cr_expect(lines[1].default_text == NULL);
}

/* With room for any number of bytes there is either the whole list or none. */
Test(parameter_manual, says_when_memory_is_short)
{
    size_t refused = 0;

    for (size_t bound = 0; bound < 8192; bound += 64) {
        ws_arena small;
        size_t count = 0;

        ws_arena_init(&small, &ws_allocator_default, bound);
        const ws_parameter_line *lines = ws_parameters_describe(&looped_table, &count, &small);
        cr_expect(lines == NULL || count == 5);
        cr_expect(lines != NULL ||
                  ws_parameters_print_markdown(&looped_table, &small).start == NULL);
        refused += lines == NULL ? 1 : 0;
        ws_arena_reset(&small);
    }
    cr_expect(gt(sz, refused, 0));
}
