/* SPDX-License-Identifier: GPL-3.0-or-later */
/* CSV: RFC 4180 with LF, and text that spreadsheets would run. Case numbers: reliability.md, H31.
 */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>

#include "support/arena_suite.h"
#include "ws/writer.h"

WS_TEST_ARENA_SUITE(csv);

static void expect_field(ws_text field, const char *written)
{
    ws_writer writer;
    ws_text text;

    ws_writer_init_memory(&writer, &arena);
    ws_csv_text(&writer, field);
    text = ws_writer_text(&writer);
    cr_assert(ws_text_is(text, written), "got %.*s", WS_TEXT_ARGS(text));
}

Test(csv, a_row_of_each_kind)
{
    ws_writer writer;

    ws_writer_init_memory(&writer, &arena);
    ws_csv_text(&writer, WS_TEXT("policy"));
    ws_csv_i64(&writer, -5);
    ws_csv_u64(&writer, UINT64_MAX);
    ws_csv_f64(&writer, 0.1);
    ws_csv_bool(&writer, true);
    ws_csv_bool(&writer, false);
    ws_csv_money(&writer, (ws_money){32148480000000});
    ws_csv_gpu_h(&writer, (ws_gpu_time){5400000000000});
    ws_csv_empty(&writer);
    ws_csv_end_row(&writer);
    ws_csv_empty(&writer);
    ws_csv_text(&writer, WS_TEXT("b"));
    ws_csv_end_row(&writer);
    cr_assert(ws_text_is(ws_writer_text(&writer),
                         "policy,-5,18446744073709551615,0.1,true,false,32148.48,1.5,\n,b\n"));
}

Test(csv, no_number_is_an_empty_field)
{
    ws_writer writer;

    ws_writer_init_memory(&writer, &arena);
    ws_csv_f64(&writer, (double)NAN);
    ws_csv_f64(&writer, (double)INFINITY);
    ws_csv_f64(&writer, -0.0);
    ws_csv_end_row(&writer);
    cr_assert(ws_text_is(ws_writer_text(&writer), ",,0\n"));
}

/* RFC 4180, section 2, rules 5 to 7. */
Test(csv, separators_and_quotes_are_quoted)
{
    expect_field(WS_TEXT("plain text"), "plain text");
    expect_field(WS_TEXT("a,b"), "\"a,b\"");
    expect_field(WS_TEXT("say \"hi\""), "\"say \"\"hi\"\"\"");
    expect_field(WS_TEXT("two\nlines"), "\"two\nlines\"");
    expect_field(WS_TEXT("a\rb"), "\"a\rb\"");
    expect_field(WS_TEXT("\""), "\"\"\"\"");
    expect_field(WS_TEXT(""), "");
}

Test(csv, text_that_would_run_is_disarmed)
{
    expect_field(WS_TEXT("=cmd|'/c calc'!A1"), "'=cmd|'/c calc'!A1");
    expect_field(WS_TEXT("+1"), "'+1");
    expect_field(WS_TEXT("-1"), "'-1");
    expect_field(WS_TEXT("@x"), "'@x");
    expect_field(WS_TEXT("\tx"), "'\tx");
    expect_field(WS_TEXT("\rx"), "\"'\rx\"");
    expect_field(WS_TEXT("=A1,\"B\""), "\"'=A1,\"\"B\"\"\"");
    expect_field(WS_TEXT("a=b"), "a=b");
    expect_field(WS_TEXT("'x"), "'x");
}

Test(csv, raw_text_is_left_alone)
{
    ws_writer writer;

    ws_writer_init_memory(&writer, &arena);
    writer.csv_raw = true;
    ws_csv_text(&writer, WS_TEXT("=1+1"));
    cr_assert(ws_text_is(ws_writer_text(&writer), "=1+1"));
}

Test(csv, what_is_no_utf_8_is_replaced)
{
    expect_field(WS_TEXT("a\xFF\"b"), "\"a\xEF\xBF\xBD\"\"b\"");
    expect_field(WS_TEXT("\xC3\xA9"), "\xC3\xA9");
    expect_field(WS_TEXT("\xE2\x82"), "\xEF\xBF\xBD\xEF\xBF\xBD");
}
