/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Headers and shapes of files that people really have. */
#include "trace_case.h"

static void load(trace_case *c, const char *text)
{
    trace_case_begin(c, "table");
    trace_case_load(c, "worldsize", text);
}

Test(table, columns_by_name_in_any_order_and_case)
{
    trace_case c;

    load(&c, "Duration_S,GPUS, id ,extra,arrival_s,more\n10,4,a,?,7,!\n");
    cr_assert(c.is_loaded);
    cr_assert(eq(sz, c.trace.count, 1));
    cr_assert(eq(i64, c.trace.jobs[0].duration_ns, 10 * WS_NS_PER_S));
    cr_assert(eq(i32, c.trace.jobs[0].gpus, 4));
    cr_assert(ws_text_is(c.trace.jobs[0].id, "a"));
    cr_assert_str_eq(trace_case_message(&c, 6120), "2 unknown columns are ignored");
    cr_assert(eq(int, trace_case_column(&c, 6120), 22));
    cr_assert(eq(sz, c.diag.warning_count + c.diag.error_count, 0));
    trace_case_end(&c);
}

Test(table, doubled_columns)
{
    trace_case c;

    load(&c, "id,arrival_s,gpus,duration_s,GPUs\n");
    cr_assert(not(c.is_loaded));
    cr_assert_str_eq(trace_case_message(&c, 6105), "column `gpus` appears twice");
    cr_assert(eq(int, trace_case_column(&c, 6105), 30));
    cr_assert(eq(i32, trace_case_find(&c, 6105)->also.column, 14));
    trace_case_end(&c);
}

Test(table, missing_columns_name_the_near_one)
{
    trace_case c;

    load(&c, "id,arival_s,duration_s,gpus\n");
    cr_assert(not(c.is_loaded));
    cr_assert_str_eq(trace_case_message(&c, 6101), "column `arrival_s` is missing");
    cr_assert(eq(int, trace_case_column(&c, 6101), 4));
    cr_assert(ws_text_is(trace_case_find(&c, 6101)->label, "did you mean `arrival_s`?"));
    cr_assert(ws_text_is(trace_case_find(&c, 6101)->notes[0],
                         "needed are `id`, `arrival_s`, `gpus`, `duration_s`"));
    trace_case_end(&c);
}

Test(table, other_separators_are_guessed)
{
    static const char *const texts[] = {
        "id;arrival_s;gpus;duration_s\na;0;1;10\n", "id\tarrival_s\tgpus\tduration_s\n",
        "id|arrival_s|gpus|duration_s\n", "# made by hand\nid,arrival_s,gpus,duration_s\n"};
    static const char *const messages[] = {
        "the columns are separated by semicolons, not by commas",
        "the columns are separated by tabs, not by commas",
        "the columns are separated by vertical bars, not by commas",
        "a comment stands where the header line should be"};

    for (size_t i = 0; i < WS_COUNT_OF(texts); i++) {
        trace_case c;

        load(&c, texts[i]);
        cr_assert(not(c.is_loaded));
        cr_assert(eq(sz, c.diag.count, 1));
        cr_assert_str_eq(trace_case_message(&c, 6106), messages[i]);
        trace_case_end(&c);
    }
}

Test(table, line_ends_and_marks)
{
    static const char *const texts[] = {
        "id,arrival_s,gpus,duration_s\na,0,1,10\nb,1,1,10\n",
        "id,arrival_s,gpus,duration_s\na,0,1,10\nb,1,1,10",
        "id,arrival_s,gpus,duration_s\r\na,0,1,10\r\nb,1,1,10\r\n",
        "id,arrival_s,gpus,duration_s\ra,0,1,10\rb,1,1,10\r",
        "\xEF\xBB\xBFid,arrival_s,gpus,duration_s\na,0,1,10\nb,1,1,10\n",
        "\n\nid,arrival_s,gpus,duration_s\n\na,0,1,10\n\t\nb,1,1,10\n\n\n",
        "\"id\",\"arrival_s\",\"gpus\",\"duration_s\"\n\"a\",\"0\",\"1\",\"10\"\nb , 1 , 1 , 10\n",
    };

    for (size_t i = 0; i < WS_COUNT_OF(texts); i++) {
        trace_case c;

        load(&c, texts[i]);
        cr_assert(c.is_loaded, "case %zu", i);
        cr_assert(eq(sz, c.diag.count, 0), "case %zu", i);
        cr_assert(eq(sz, c.trace.count, 2));
        cr_assert(ws_text_is(c.trace.jobs[1].id, "b"));
        cr_assert(eq(i64, c.trace.jobs[1].arrival_ns, WS_NS_PER_S));
        trace_case_end(&c);
    }
}

Test(table, ragged_rows)
{
    trace_case c;

    load(&c, "id,arrival_s,gpus,duration_s\na,0,1\nb,0,1,10,\nc,0,1,10\n# a comment\nd\n");
    cr_assert(c.is_loaded);
    cr_assert(eq(sz, c.trace.count, 1));
    cr_assert_str_eq(trace_case_message(&c, 6110),
                     "4 of 5 rows have another number of fields than the header");
    cr_assert(eq(int, trace_case_line(&c, 6110), 2));
    cr_assert(ws_text_is(trace_case_find(&c, 6110)->label, "3 fields, the header has 4"));
    cr_assert(ws_text_is(trace_case_find(&c, 6110)->notes[0], "lines 2, 3, 5 and 1 more"));
    trace_case_end(&c);
}

/* Whatever comes before an unclosed quote, the trace is refused, and the quote is what is shown. */
Test(table, unclosed_quote)
{
    trace_case c;

    load(&c, "id,arrival_s,gpus,duration_s\na,0,1,10\n\"b,0,1,10\nc,0,1,10\n");
    cr_assert(not(c.is_loaded));
    cr_assert(eq(int, trace_case_line(&c, 6102), 3));
    cr_assert(eq(sz, c.diag.error_count, 1));
    cr_assert(eq(sz, c.trace.count, 0));
    trace_case_end(&c);
}

Test(table, a_file_that_is_not_there)
{
    trace_case c;

    trace_case_begin(&c, "table-absent");
    trace_case_load_path(&c, NULL, "/no/such/file.csv");
    cr_assert(not(c.is_loaded));
    cr_assert(trace_case_find(&c, 6001) != NULL);
    cr_assert(eq(sz, c.diag.count, 1));
    trace_case_load_path(&c, "worldsize", "/no/such/file.csv");
    cr_assert(not(c.is_loaded));
    trace_case_end(&c);
}

/* The whole text of one diagnostic, as people see it; the arrow is indented by the width of the
 * line number. */
Test(table, a_diagnostic_as_printed)
{
    trace_case c;

    load(&c, "id,arrival_s,gpus,duration_s\na,0,1,10\nb,0,1,None\nc,0,1,10\n");
    cr_assert(c.is_loaded);
    cr_assert(eq(sz, c.diag.count, 1));
    ws_text text = ws_diagnostic_print(&c.diag.entries[0], false, &c.arena);
    cr_assert_str_eq(text.start, "warning[WS6114]: 1 of 3 rows has no usable run time\n"
                                 " --> t.csv:3:7\n"
                                 "  |\n"
                                 "3 | b,0,1,None\n"
                                 "  |       ^^^^ `None` is no number\n");
    trace_case_end(&c);
}
