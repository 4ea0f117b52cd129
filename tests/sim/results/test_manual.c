/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The manual of the output files: the columns and events of the dictionaries. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <string.h>

#include "support/arena_suite.h"
#include "support/manual.h"
#include "ws/event_record.h"

WS_TEST_ARENA_SUITE(output_manual);

Test(output_manual, the_columns_are_those_of_the_code)
{
    ws_test_manual_is("docs/output.md", "sim_results_test_manual",
                      ws_output_print_markdown(&arena));
}

/* A column of each kind; a bar in a text does not end its cell. */
Test(output_manual, a_row_for_each_column)
{
    static const ws_column columns[] = {
        {.name = "policy", .kind = WS_COLUMN_TEXT, .unit = "", .help = "this | that"},
        {.name = "jobs", .kind = WS_COLUMN_I64, .unit = "1", .help = "how many"},
        {.name = "seed", .kind = WS_COLUMN_U64, .unit = "", .help = "of all"},
        {.name = "wait_s", .kind = WS_COLUMN_F64, .unit = "s", .help = "how long"},
        {.name = "complete", .kind = WS_COLUMN_BOOL, .unit = "", .help = "whether"},
        {.name = "cost_usd", .kind = WS_COLUMN_MONEY, .unit = "USD", .help = "how much"},
        {.name = "gpu_h", .kind = WS_COLUMN_GPU_H, .unit = "GPU*h", .help = "of what"},
        {.name = "state", .kind = WS_COLUMN_OUTCOME, .unit = "", .help = "how it went"},
    };
    ws_columns table = {.file = "x.csv", .columns = columns, .count = WS_COUNT_OF(columns)};
    ws_text page = ws_columns_print_markdown(&table, &arena);

    cr_expect(ws_text_is(page, "| column | value | unit | meaning |\n"
                               "| --- | --- | --- | --- |\n"
                               "| `policy` | text | | this \\| that |\n"
                               "| `jobs` | whole number | 1 | how many |\n"
                               "| `seed` | whole number | | of all |\n"
                               "| `wait_s` | number | s | how long |\n"
                               "| `complete` | `true` or `false` | | whether |\n"
                               "| `cost_usd` | exact number | USD | how much |\n"
                               "| `gpu_h` | exact number | GPU*h | of what |\n"
                               "| `state` | `done` or `censored` | | how it went |\n"),
              "%.*s", WS_TEXT_ARGS(page));
}

static bool manual_has(ws_text page, const char *line)
{
    const char *text = ws_arena_copy_text(&arena, page).start;

    return strstr(text, line) != NULL;
}

/* Both kinds of `scale` have a line of their own, but are named once beside a field. */
Test(output_manual, a_row_for_each_kind_of_event_and_each_field)
{
    ws_text page = ws_events_print_markdown(&arena);

    cr_expect(manual_has(page, "| type | when |\n| --- | --- |\n"
                               "| `job_submit` | a job arrives and waits for `gpus` |\n"));
    cr_expect(manual_has(page, "| `truncated` | there were more events than are kept |\n\n"));
    cr_expect(manual_has(page, "| `asked` | whole number | 1 | what the policy asked for | `scale` "
                               "|\n"));
    cr_expect(manual_has(
        page, "| `reason` | text | | why, in words | `job_stop`, `job_slowed`, `node_drain`, "
              "`node_fail`, `scale` |\n"));
}

/* In any memory there is the whole page or none. */
Test(output_manual, says_when_memory_is_short)
{
    size_t whole = ws_output_print_markdown(&arena).length;
    size_t refused = 0;

    for (size_t bound = 0; bound < (size_t)1 << 18; bound += 4096) {
        ws_arena small;
        ws_arena_init(&small, &ws_allocator_default, bound);
        ws_text page = ws_output_print_markdown(&small);
        cr_expect(page.start == NULL || page.length == whole);
        refused += page.start == NULL ? 1 : 0;
        ws_arena_reset(&small);
    }
    cr_expect(gt(sz, refused, 0));
}
