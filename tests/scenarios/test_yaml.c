/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading YAML and JSON: values, places, aliases and merges. Expected trees are written as JSON by
 * hand; places are counted by hand. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/support.h"
#include "ws/yaml.h"

static ws_arena arena;
static ws_diag diag;
static ws_source source;

static void set_up(void)
{
    ws_arena_init(&arena, &ws_allocator_default, (size_t)1 << 28);
    ws_diag_init(&diag, &arena);
}

static void tear_down(void)
{
    ws_arena_reset(&arena);
}

TestSuite(yaml, .init = set_up, .fini = tear_down);

static ws_document *read_text(const char *text)
{
    ws_document *document = NULL;

    source = (ws_source){.name = WS_TEXT("s.yaml"), .content = ws_text_of(text)};
    bool good = ws_yaml_read(&document, &source, "scenario", &arena, &diag);
    if (!good && diag.count > 0) {
        cr_log_error("%s", ws_diagnostic_print(&diag.entries[0], false, &arena).start);
    }
    cr_assert(good);
    return document;
}

static void check_tree(const char *text, const char *json)
{
    cr_expect(eq(str, (char *)ws_document_print_json(read_text(text), &arena).start, (char *)json));
}

/* "line:column+length" of a span. */
static const char *place(ws_span span)
{
    cr_assert(eq(ptr, (void *)span.source, &source));
    return ws_arena_format(&arena, "%d:%d+%d", span.line, span.column, span.length).start;
}

static const char *place_at(const ws_document *root, const char *path)
{
    return place(ws_document_at(root, ws_text_of(path))->at);
}

/* ---- values ---- */

Test(yaml, styles)
{
    check_tree("a: 1\nb: [x, 'y', \"z\\n\"]\nc: {d: , e: ~}\nf:\n- 1\n- - 2\n",
               "{\"a\": 1, \"b\": [\"x\", \"y\", \"z\\n\"], \"c\": {\"d\": null, \"e\": null}, "
               "\"f\": [1, [2]]}");
    check_tree("a: |\n  x\n  y\nb: >-\n  x\n  y\n\nc: plain\n  text\n",
               "{\"a\": \"x\\ny\\n\", \"b\": \"x y\", \"c\": \"plain text\"}");
    check_tree("# comment\n---\na: 1 # another\n...\n", "{\"a\": 1}");
    check_tree("%YAML 1.2\n---\na: 1\n", "{\"a\": 1}");
    check_tree("just text", "\"just text\"");
    check_tree("[]", "[]");
}

/* YAML 1.2's core schema, and the file's text is kept: nothing of YAML 1.1's booleans, octals and
 * base 60. */
Test(yaml, scalars_keep_their_text)
{
    static const char text[] =
        "[no, yes, 1:30, 0777, 1_000, 6.74e9, NULL, Null, null, 'null', true, 'true']";
    const ws_document *root = read_text(text);

    cr_assert(ws_text_is(root->entries[0].value->scalar, "no"));
    cr_assert(ws_text_is(root->entries[2].value->scalar, "1:30"));
    cr_assert(ws_text_is(root->entries[3].value->scalar, "0777"));
    cr_assert(ws_text_is(root->entries[4].value->scalar, "1_000"));
    cr_assert(ws_text_is(root->entries[5].value->scalar, "6.74e9"));
    cr_assert(eq(int, root->entries[6].value->kind, WS_DOCUMENT_SCALAR));
    cr_assert(eq(int, root->entries[7].value->kind, WS_DOCUMENT_SCALAR));
    cr_assert(eq(int, root->entries[8].value->kind, WS_DOCUMENT_NULL));
    cr_assert(eq(sz, root->entries[8].value->scalar.length, 0));
    cr_assert(eq(int, root->entries[9].value->kind, WS_DOCUMENT_SCALAR));
    cr_assert_not(root->entries[10].value->quoted);
    cr_assert(root->entries[11].value->quoted);
}

Test(yaml, json_files)
{
    check_tree("{\n\t\"a\":1,\"b\":[true,null,\"x\\/\\u00e9\"],\n\t\"c\":{}\n}\n",
               "{\"a\": 1, \"b\": [true, null, \"x/\xC3\xA9\"], \"c\": {}}");
}

Test(yaml, flow_style_is_noted)
{
    const ws_document *root = read_text("a: {b: 1}\nc:\n  d: [1]\n");

    cr_assert_not(root->flow);
    cr_assert(ws_document_find(root, "a")->flow);
    cr_assert_not(ws_document_find(root, "c")->flow);
    cr_assert(ws_document_at(root, WS_TEXT("c.d"))->flow);
}

Test(yaml, the_example_scenario)
{
    char path[1000];
    ws_document *root = NULL;

    if (ws_test_shared("scenario-example.yaml", path, sizeof path) == NULL) {
        cr_skip_test();
    }
    ws_text content = ws_test_load(path);
    source = (ws_source){.name = WS_TEXT("scenario-example.yaml"), .content = content};
    cr_assert(ws_yaml_read(&root, &source, "scenario", &arena, &diag));
    /* The anchor's place is kept: line 20 is `fail_probability: 1%`, used on line 29. */
    const ws_document *used =
        ws_document_at(root, WS_TEXT("cluster.pools[h100-od].cold_start.fail_probability"));
    cr_assert(ws_text_is(used->scalar, "1%"));
    cr_assert(ws_text_is(used->alias, "cloud-boot"));
    cr_assert(eq(int, used->at.line, 20));
    cr_assert(eq(int, used->alias_at.line, 29));
    /* merged, and overridden */
    used = ws_document_at(root, WS_TEXT("cluster.pools[h100-spot].cold_start.fail_probability"));
    cr_assert(ws_text_is(used->scalar, "12%"));
    cr_assert(eq(sz, used->alias.length, 0));
    free((void *)content.start);
}

/* ---- places ---- */

Test(yaml, places_of_scalars)
{
    const ws_document *root = read_text("key: plain  # c\n"
                                        "quoted: 'it''s' \n"
                                        "double: \"a\\u00e9\"\n"
                                        "long: one\n"
                                        "  two\n"
                                        "block: |2-  # c\n"
                                        "    x\n"
                                        "none:\n"
                                        "list:\n"
                                        "  - a\n"
                                        "  -   bb\n"
                                        "anchored: &x   value\n"
                                        "below: &y # c\n"
                                        "  value\n");

    cr_expect(eq(str, (char *)place_at(root, "key"), "1:6+5"));
    cr_expect(eq(str, (char *)place_at(root, "quoted"), "2:9+7")); /* with its quotes */
    cr_expect(eq(str, (char *)place_at(root, "double"), "3:9+9"));
    cr_expect(eq(str, (char *)place_at(root, "long"), "4:7+3"));  /* its first line */
    cr_expect(eq(str, (char *)place_at(root, "block"), "6:8+3")); /* `|2-` */
    cr_expect(eq(str, (char *)place_at(root, "none"), "8:6+1"));  /* behind the colon */
    cr_expect(eq(str, (char *)place_at(root, "list[0]"), "10:5+1"));
    cr_expect(eq(str, (char *)place_at(root, "list[1]"), "11:7+2"));
    cr_expect(eq(str, (char *)place_at(root, "anchored"), "12:16+5"));
    cr_expect(eq(str, (char *)place_at(root, "below"), "14:3+5"));
    cr_expect(eq(str, (char *)place(ws_document_find_entry(root, "quoted")->key_at), "2:1+6"));
}

/* Offsets in bytes, columns in characters: é has two bytes, U+1F600 four. */
Test(yaml, places_count_characters)
{
    const ws_document *root =
        read_text("\xC3\xA9\xF0\x9F\x98\x80: {a: \xC3\xA9\xC3\xA9, bad: x}\n");
    const ws_document *value = ws_document_at(root, WS_TEXT("\xC3\xA9\xF0\x9F\x98\x80.bad"));

    cr_assert(eq(str, (char *)place(value->at), "1:18+1"));
    cr_assert(eq(int, (int)value->at.offset, 23));
    cr_assert(eq(str, (char *)place_at(root, "\xC3\xA9\xF0\x9F\x98\x80.a"), "1:9+2"));
    cr_assert(eq(str, (char *)place(root->entries[0].key_at), "1:1+2"));
}

/* Places far into a file of long characters, where offsets come from the table of checkpoints. */
Test(yaml, places_far_into_a_file)
{
    char text[8000] = "";
    char expected[40];
    const ws_document *root = NULL;

    for (int i = 0; i < 500; i++) {
        (void)strcat(text, i % 2 == 0 ? "- \xF0\x9F\x98\x80\n" : "- \xC3\xA9y\n");
    }
    root = read_text(text);
    for (int i = 0; i < 500; i++) {
        ws_span at = root->entries[i].value->at;

        (void)snprintf(expected, sizeof expected, "%d:3+%d", i + 1, i % 2 == 0 ? 1 : 2);
        cr_assert(eq(str, (char *)place(at), expected));
        cr_assert(eq(int, (int)at.offset, 2 + i / 2 * 13 + (i % 2) * 7));
    }
}

Test(yaml, a_byte_order_mark_and_crlf_move_nothing)
{
    const ws_document *root = read_text("\xEF\xBB\xBFkey: 1\r\nnext: |\r\n  x\r\nlast: 2\r\n");

    cr_assert(eq(str, (char *)place(root->entries[0].key_at), "1:1+3"));
    cr_assert(eq(str, (char *)place_at(root, "key"), "1:6+1"));
    cr_assert(eq(int, (int)ws_document_at(root, WS_TEXT("key"))->at.offset, 8));
    cr_assert(eq(str, (char *)place_at(root, "last"), "4:7+1"));
    cr_assert(ws_text_is(ws_document_find(root, "next")->scalar, "x\n"));
}

/* The first line of a list or map, without a comment behind it. bad/13 underlines `name: fixed-64`
 * so. */
Test(yaml, places_of_lists_and_maps)
{
    const ws_document *root = read_text("policies:\n"
                                        "  - name: fixed-64   # c\n"
                                        "    type: x\n"
                                        "  - {name: [a, b], c: d} # c\n"
                                        "  - {name: a,\n"
                                        "     b: c}\n"
                                        "  - &x\n"
                                        "    k: v w\n");

    cr_expect(eq(str, (char *)place_at(root, "policies[0]"), "2:5+14"));
    cr_expect(eq(str, (char *)place_at(root, "policies[1]"), "4:5+20"));
    cr_expect(eq(str, (char *)place_at(root, "policies[1].name"), "4:12+6"));
    cr_expect(eq(str, (char *)place_at(root, "policies[2]"), "5:5+8"));
    cr_expect(eq(str, (char *)place_at(root, "policies[3]"), "8:5+6"));
    cr_expect(eq(str, (char *)place_at(root, "policies"), "2:3+16"));
}

/* ---- aliases and merge keys ---- */

Test(yaml, aliases_are_copies)
{
    ws_document *root = read_text("a: &a {x: [1, 2]}\nb: *a\nc: [*a]\n");

    cr_assert(eq(str, (char *)ws_document_print_json(root, &arena).start,
                 "{\"a\": {\"x\": [1, 2]}, \"b\": {\"x\": [1, 2]}, \"c\": [{\"x\": [1, 2]}]}"));
    cr_assert(ne(ptr, ws_document_find(root, "a"), ws_document_find(root, "b")));
    cr_assert(ne(ptr, ws_document_at(root, WS_TEXT("a.x")), ws_document_at(root, WS_TEXT("b.x"))));
    const ws_document *used = ws_document_at(root, WS_TEXT("c[0].x[1]"));
    cr_assert(ws_text_is(used->alias, "a"));
    cr_assert(eq(str, (char *)place(used->at), "1:15+1"));
    cr_assert(eq(str, (char *)place(used->alias_at), "3:5+2"));
    cr_assert(eq(sz, ws_document_at(root, WS_TEXT("a.x"))->alias.length, 0));
}

Test(yaml, an_alias_of_an_alias_tells_of_the_outer_one)
{
    ws_document *root = read_text("a: &a 1\nb: &b [*a]\nc: *b\n");

    cr_assert(ws_text_is(ws_document_at(root, WS_TEXT("b[0]"))->alias, "a"));
    cr_assert(ws_text_is(ws_document_at(root, WS_TEXT("c[0]"))->alias, "b"));
    cr_assert(eq(int, ws_document_at(root, WS_TEXT("c[0]"))->alias_at.line, 3));
}

Test(yaml, an_anchor_may_be_given_again)
{
    check_tree("a: &x 1\nb: *x\nc: &x 2\nd: *x\n", "{\"a\": 1, \"b\": 1, \"c\": 2, \"d\": 2}");
    check_tree("&k key: 1\nb: *k\n", "{\"key\": 1, \"b\": \"key\"}");
}

/* Own keys win wherever they stand; among merged maps the first. Merged keys take the place of
 * `<<`. */
Test(yaml, merge_keys)
{
    check_tree("a: &a {x: 1, y: 2}\nb: {<<: *a, y: 3}\nc: {y: 3, <<: *a, z: 4}\n",
               "{\"a\": {\"x\": 1, \"y\": 2}, \"b\": {\"x\": 1, \"y\": 3}, \"c\": {\"y\": 3, "
               "\"x\": 1, \"z\": 4}}");
    check_tree(
        "a: &a {x: 1}\nb: &b {x: 2, y: 2}\nc: {<<: [*a, *b, {z: 3}]}\n",
        "{\"a\": {\"x\": 1}, \"b\": {\"x\": 2, \"y\": 2}, \"c\": {\"x\": 1, \"y\": 2, \"z\": 3}}");
    check_tree(
        "a: &a {<<: {x: 1}, y: 2}\nb: {<<: *a}\nc: *a\n",
        "{\"a\": {\"x\": 1, \"y\": 2}, \"b\": {\"x\": 1, \"y\": 2}, \"c\": {\"x\": 1, \"y\": 2}}");
    check_tree("a: {\"<<\": 1}\n", "{\"a\": {\"<<\": 1}}");
    check_tree("a: {<<: {}}\n", "{\"a\": {}}");
}

Test(yaml, merged_values_carry_the_alias)
{
    ws_document *root = read_text("a: &a {x: 1}\nb:\n  <<: *a\n  y: 2\n");

    cr_assert(ws_text_is(ws_document_at(root, WS_TEXT("b.x"))->alias, "a"));
    cr_assert(eq(str, (char *)place(ws_document_at(root, WS_TEXT("b.x"))->alias_at), "3:7+2"));
    cr_assert(eq(str, (char *)place_at(root, "b.x"), "1:11+1"));
    cr_assert(eq(sz, ws_document_at(root, WS_TEXT("b.y"))->alias.length, 0));
}

/* ---- other readers ---- */

Test(yaml, a_stream_is_a_list_of_documents)
{
    ws_document *stream = NULL;

    source = (ws_source){.name = WS_TEXT("s"),
                         .content =
                             WS_TEXT("# c\n---\na: &x 1\n---\n# none\n---\nb: 2\n...\n---\n[3]\n")};
    cr_assert(ws_yaml_read_stream(&stream, &source, "manifest", &arena, &diag));
    cr_assert(eq(str, (char *)ws_document_print_json(stream, &arena).start,
                 "[{\"a\": 1}, {\"b\": 2}, [3]]"));
    cr_assert(eq(int, stream->entries[1].value->at.line, 7));
}

/* An anchor belongs to its document. */
Test(yaml, a_stream_keeps_anchors_apart)
{
    ws_document *stream = NULL;

    source = (ws_source){.name = WS_TEXT("s"), .content = WS_TEXT("a: &x 1\n---\nb: *x\n")};
    cr_assert_not(ws_yaml_read_stream(&stream, &source, "manifest", &arena, &diag));
    cr_assert(eq(int, diag.entries[0].code, 1303));
}

static const ws_document *read_value(const char *flag, int code)
{
    ws_document *value = NULL;
    ws_text text = ws_text_of(flag);
    size_t from = ws_text_find_byte(text, '=') + 1;

    ws_diag_init(&diag, &arena);
    source = (ws_source){.name = WS_TEXT("<--set #2>"), .content = text};
    bool good = ws_yaml_read_value(&value, &source, from, text.length, &arena, &diag);
    cr_expect(eq(int, good, code == 0), "%s", flag);
    cr_expect(good || diag.entries[0].code == code, "%s", flag);
    return value;
}

/* The place is in the flag's text: `<--set #2>:1:14`, as the reference on scenarios has it. */
Test(yaml, the_value_of_a_flag)
{
    const ws_document *value = read_value("replications=50", 0);

    cr_assert(ws_text_is(value->scalar, "50"));
    cr_assert(eq(str, (char *)place(value->at), "1:14+2"));
    cr_assert(eq(int, (int)value->at.offset, 13));
    value = read_value("\xC3\xA9[x].e={mode: rigid, gpus: [4]}", 0);
    cr_assert(eq(str, (char *)place(ws_document_find(value, "mode")->at), "1:15+5"));
    cr_assert(eq(int, (int)ws_document_find(value, "mode")->at.offset, 15));
    cr_assert(eq(int, read_value("a=", 0)->kind, WS_DOCUMENT_NULL));
    cr_assert(eq(int, read_value("a=~", 0)->kind, WS_DOCUMENT_NULL));
    cr_assert(ws_text_is(read_value("a=b=c", 0)->scalar, "b=c"));
    cr_assert(ws_text_is(read_value("a='x: y'", 0)->scalar, "x: y"));
}

Test(yaml, the_value_of_a_flag_is_no_block)
{
    (void)read_value("a=b: c", 2902);
    (void)read_value("a=- c", 2902);
    (void)read_value("a=# c", 2902);
    (void)read_value("a=[1", 1101);
    (void)read_value("a=*x", 1303);
    (void)read_value("a=1\n--- 2", 1308);
    (void)read_value("a=%x", 1307);
    cr_assert(eq(int, diag.entries[0].at.column, 3));
}
