/* SPDX-License-Identifier: GPL-3.0-or-later */
/* JSON as it is written: layout, escapes (RFC 8259, section 7), numbers. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <signal.h>

#include "support/arena_suite.h"
#include "ws/writer.h"

WS_TEST_ARENA_SUITE(json);

static void expect_text(ws_text value, const char *written)
{
    ws_writer writer;
    ws_text text;

    ws_writer_init_memory(&writer, &arena);
    ws_json_text(&writer, NULL, value);
    text = ws_writer_text(&writer);
    cr_assert(ws_text_is(text, written), "got %.*s", WS_TEXT_ARGS(text));
}

static void json_write_sample(ws_writer *writer)
{
    ws_json_begin_object(writer, NULL);
    ws_json_text(writer, "name", WS_TEXT("a"));
    ws_json_begin_list(writer, "runs");
    ws_json_i64(writer, NULL, -1);
    ws_json_begin_object(writer, NULL);
    ws_json_bool(writer, "ok", true);
    ws_json_end_object(writer);
    ws_json_end_list(writer);
    ws_json_begin_object(writer, "none");
    ws_json_end_object(writer);
    ws_json_begin_list(writer, "empty");
    ws_json_end_list(writer);
    ws_json_null(writer, "x");
    ws_json_end_object(writer);
}

Test(json, one_blank_a_level)
{
    ws_writer writer;

    ws_writer_init_memory(&writer, &arena);
    json_write_sample(&writer);
    cr_assert(ws_text_is(ws_writer_text(&writer), "{\n"
                                                  " \"name\": \"a\",\n"
                                                  " \"runs\": [\n"
                                                  "  -1,\n"
                                                  "  {\n"
                                                  "   \"ok\": true\n"
                                                  "  }\n"
                                                  " ],\n"
                                                  " \"none\": {},\n"
                                                  " \"empty\": [],\n"
                                                  " \"x\": null\n"
                                                  "}\n"));
}

Test(json, compact_is_one_line_each)
{
    ws_writer writer;

    ws_writer_init_memory(&writer, &arena);
    writer.compact = true;
    json_write_sample(&writer);
    ws_json_u64(&writer, NULL, UINT64_MAX);
    cr_assert(ws_text_is(ws_writer_text(&writer),
                         "{\"name\":\"a\",\"runs\":[-1,{\"ok\":true}],\"none\":{},\"empty\":[],"
                         "\"x\":null}\n18446744073709551615\n"));
}

Test(json, text_is_escaped_where_it_must_be)
{
    expect_text(WS_TEXT(""), "\"\"\n");
    expect_text(WS_TEXT("a\"b\\c/d"), "\"a\\\"b\\\\c/d\"\n");
    expect_text(WS_TEXT("\b\f\n\r\t"), "\"\\b\\f\\n\\r\\t\"\n");
    expect_text(WS_TEXT("\0\x01\x1b\x1f"), "\"\\u0000\\u0001\\u001b\\u001f\"\n");
    expect_text(WS_TEXT("</script>"), "\"</script>\"\n");
    expect_text(WS_TEXT("\x7f"), "\"\x7f\"\n");
}

Test(json, unicode_stays_and_the_rest_is_replaced)
{
    expect_text(WS_TEXT("\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80"),
                "\"\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80\"\n");
    expect_text(WS_TEXT("a\xFF"
                        "b"),
                "\"a\xEF\xBF\xBD"
                "b\"\n");
    /* A surrogate in UTF-8 is three bytes that mean nothing. */
    expect_text(WS_TEXT("\xED\xA0\x80"), "\"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\"\n");
    expect_text(WS_TEXT("\xC0\x80"), "\"\xEF\xBF\xBD\xEF\xBF\xBD\"\n");
}

Test(json, keys_are_escaped_like_texts)
{
    ws_writer writer;

    ws_writer_init_memory(&writer, &arena);
    writer.compact = true;
    ws_json_begin_object(&writer, NULL);
    ws_json_null(&writer, "a\"\n");
    ws_json_end_object(&writer);
    cr_assert(ws_text_is(ws_writer_text(&writer), "{\"a\\\"\\n\":null}\n"));
}

Test(json, numbers_are_numbers_or_null)
{
    ws_writer writer;

    ws_writer_init_memory(&writer, &arena);
    writer.compact = true;
    ws_json_begin_list(&writer, NULL);
    ws_json_f64(&writer, NULL, 0.1);
    ws_json_f64(&writer, NULL, 1e300);
    ws_json_f64(&writer, NULL, -0.0);
    ws_json_f64(&writer, NULL, (double)NAN);
    ws_json_f64(&writer, NULL, -(double)INFINITY);
    ws_json_i64(&writer, NULL, INT64_MIN);
    ws_json_money(&writer, NULL, (ws_money){-1});
    ws_json_gpu_h(&writer, NULL, (ws_gpu_time){900000000000});
    ws_json_end_list(&writer);
    cr_assert(ws_text_is(ws_writer_text(&writer), "[0.1,1e+300,0,null,null,-9223372036854775808,"
                                                  "-0.000000001,0.25]\n"));
}

Test(json, depth_is_bounded_by_contract)
{
    ws_writer writer;

    ws_writer_init_memory(&writer, &arena);
    writer.compact = true;
    for (int i = 0; i < WS_JSON_DEPTH_MAX; i++) {
        ws_json_begin_list(&writer, NULL);
    }
    for (int i = 0; i < WS_JSON_DEPTH_MAX; i++) {
        ws_json_end_list(&writer);
    }
    cr_assert(eq(sz, ws_writer_text(&writer).length, 2 * WS_JSON_DEPTH_MAX + 1));
}

Test(json, a_member_without_a_key_is_a_bug, .signal = SIGABRT)
{
    ws_writer writer;

    ws_writer_init_memory(&writer, &arena);
    ws_json_begin_object(&writer, NULL);
    ws_json_null(&writer, NULL);
}

Test(json, a_wrong_bracket_is_a_bug, .signal = SIGABRT)
{
    ws_writer writer;

    ws_writer_init_memory(&writer, &arena);
    ws_json_begin_object(&writer, NULL);
    ws_json_end_list(&writer);
}
