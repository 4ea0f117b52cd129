/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables at given widths, written out by hand. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "table.h"

static const ws_table_column columns[] = {{.heading = "POLICY"},
                                          {.heading = "COST $", .to_the_right = true},
                                          {.heading = "ETTR %", .to_the_right = true}};

static const ws_table_cell cells[] = {
    {.text = {.start = "fixed", .length = 5}},
    {.text = {.start = "32,148 \u00b1290", .length = 12}},
    {.text = {.start = "96.1", .length = 4}},
    {.text = {.start = "hpa-on-pending", .length = 14}},
    {.text = {.start = "9", .length = 1}, .tone = WS_TONE_GOOD},
    {.text = {.start = "", .length = 0}},
};

static const ws_table table = {
    .columns = columns, .column_count = 3, .kept = 1, .cells = cells, .row_count = 2};

static void expect_table(size_t width, bool colour, size_t hidden_wanted, const char *wanted)
{
    ws_arena arena;
    ws_terminal terminal = {.colour_out = colour, .utf8 = true, .width = 80};
    size_t hidden = 0;

    ws_arena_init(&arena, &ws_allocator_default, (size_t)1 << 20);
    ws_text text = ws_table_print(&table, &terminal, width, &hidden, &arena);
    cr_expect(ws_text_is(text, wanted), "got:\n%.*s", WS_TEXT_ARGS(text));
    cr_expect(eq(sz, hidden, hidden_wanted));
    ws_arena_reset(&arena);
}

/* 14 + 2 + 11 + 2 + 6 = 35 columns. The plus-minus sign is one column wide, though two bytes. */
Test(table, fits)
{
    const char *whole = "POLICY               COST $  ETTR %\n"
                        "fixed           32,148 \u00b1290    96.1\n"
                        "hpa-on-pending            9\n";
    expect_table(0, false, 0, whole);
    expect_table(35, false, 0, whole);
}

Test(table, leaves_columns_out_from_the_right)
{
    expect_table(34, false, 1,
                 "POLICY               COST $\n"
                 "fixed           32,148 \u00b1290\n"
                 "hpa-on-pending            9\n");
    expect_table(26, false, 2, "POLICY\nfixed\nhpa-on-pending\n");
}

/* Narrower than the names: they are whole even so. */
Test(table, never_cuts_what_is_kept)
{
    expect_table(1, false, 2, "POLICY\nfixed\nhpa-on-pending\n");
}

/* A cell is coloured in its whole width. */
Test(table, colours)
{
    expect_table(34, true, 1,
                 "POLICY               COST $\n"
                 "fixed           32,148 \u00b1290\n"
                 "hpa-on-pending  \033[32m          9\033[0m\n");
}
