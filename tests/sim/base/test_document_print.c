/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Documents as YAML and JSON: texts written by hand from YAML 1.2.2 and RFC 8259. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>

#include "support/arena_suite.h"
#include "ws/document.h"

WS_TEST_ARENA_SUITE(document_print);

static ws_document *scalar(const char *text, const char *origin)
{
    return ws_document_new_scalar(&arena, ws_text_of(text), ws_text_of(origin));
}

static ws_document *put(ws_document *parent, const char *key, ws_document *value)
{
    cr_assert(ws_document_put(parent, ws_text_of(key), value, &arena));
    return value;
}

static const char *yaml(const ws_document *document)
{
    return ws_document_print_yaml(document, true, &arena).start;
}

static const char *json(const ws_document *document)
{
    return ws_document_print_json(document, &arena).start;
}

Test(document_print, block_style)
{
    ws_document *root = ws_document_new_map(&arena);
    ws_document *pools = put(root, "pools", ws_document_new_list(&arena));
    ws_document *pool = put(pools, "", ws_document_new_map(&arena));
    ws_document *rows = put(root, "rows", ws_document_new_list(&arena));
    ws_document *row = put(rows, "", ws_document_new_list(&arena));

    (void)put(pool, "name", scalar("od", ""));
    (void)put(put(pool, "nodes", ws_document_new_map(&arena)), "min", scalar("4", ""));
    (void)put(row, "", scalar("1", ""));
    (void)put(row, "", scalar("-2", ""));
    (void)put(rows, "", ws_document_new_list(&arena));
    (void)put(root, "none", ws_arena_alloc(&arena, ws_document, 1));
    (void)put(root, "empty", ws_document_new_map(&arena));
    cr_assert(eq(str, (char *)yaml(root),
                 "pools:\n"
                 "  - name: od\n"
                 "    nodes:\n"
                 "      min: 4\n"
                 "rows:\n"
                 "  - - 1\n"
                 "    - -2\n"
                 "  - []\n"
                 "none: null\n"
                 "empty: {}\n"));
    cr_assert(eq(str, (char *)json(root),
                 "{\"pools\": [{\"name\": \"od\", \"nodes\": {\"min\": 4}}], "
                 "\"rows\": [[1, -2], []], \"none\": null, \"empty\": {}}"));
}

Test(document_print, flow_style_is_kept)
{
    ws_document *root = ws_document_new_map(&arena);
    ws_document *nodes = put(root, "nodes", ws_document_new_map(&arena));
    ws_document *list = put(nodes, "of", ws_document_new_list(&arena));

    nodes->flow = true;
    (void)put(list, "", scalar("a", ""));
    (void)put(list, "", scalar("b", ""));
    (void)put(nodes, "min", scalar("4", ""));
    cr_assert(eq(str, (char *)yaml(root), "nodes: {of: [a, b], min: 4}\n"));
}

Test(document_print, origins_are_comments)
{
    ws_document *root = ws_document_new_map(&arena);
    ws_document *nodes = put(root, "nodes", ws_document_new_map(&arena));
    ws_document *cold = NULL;

    nodes->flow = true; /* but its new value needs room for a comment */
    (void)put(nodes, "min", scalar("4", ""));
    (void)put(nodes, "spares", scalar("0", "default"));
    cold = put(root, "cold_start", ws_document_new_map(&arena));
    cold->origin = WS_TEXT("default");
    (void)put(cold, "request", scalar("5s", "default"));
    (void)put(cold, "boot", scalar("9s", "--set #1"));
    cold = put(put(root, "list", ws_document_new_list(&arena)), "", ws_document_new_map(&arena));
    cold->origin = WS_TEXT("evil\n- x: 1");
    (void)put(cold, "a", scalar("1", "evil\n- x: 1"));
    cr_assert(eq(str, (char *)yaml(root),
                 "nodes:\n"
                 "  min: 4\n"
                 "  spares: 0  # default\n"
                 "cold_start:  # default\n"
                 "  request: 5s\n"
                 "  boot: 9s  # --set #1\n"
                 "list:\n"
                 "  -  # evil\\x0a- x: 1\n"
                 "    a: 1\n"));
    cr_assert(eq(str, (char *)ws_document_print_yaml(nodes, false, &arena).start,
                 "{min: 4, spares: 0}\n"));
}

Test(document_print, aliases_are_comments)
{
    ws_document *root = ws_document_new_map(&arena);
    ws_document *boot = put(root, "boot", ws_document_new_map(&arena));

    boot->flow = true;
    boot->alias = WS_TEXT("cloud");
    put(boot, "a", scalar("1", ""))->alias = WS_TEXT("cloud");
    cr_assert(eq(str, (char *)yaml(root), "boot: {a: 1}  # *cloud\n"));
}

static void check_scalar(const char *text, const char *as_yaml)
{
    ws_document *list = ws_document_new_list(&arena);
    char expected[200];

    (void)put(list, "", scalar(text, ""));
    (void)snprintf(expected, sizeof expected, "- %s\n", as_yaml);
    cr_expect(eq(str, (char *)yaml(list), expected));
}

Test(document_print, strings_that_need_quotes_get_them)
{
    check_scalar("plain text", "plain text");
    check_scalar("$2.99/h", "$2.99/h");
    check_scalar("2026-01-05T00:00:00Z", "2026-01-05T00:00:00Z");
    check_scalar("-5", "-5");
    check_scalar("true", "true"); /* unquoted, so it is the boolean */
    check_scalar("a#b", "a#b");
    check_scalar("it's", "it's");
    check_scalar("\xC3\xA9", "\xC3\xA9");
    check_scalar("", "\"\"");
    check_scalar("null", "\"null\"");
    check_scalar("~", "\"~\"");
    check_scalar("<<", "\"<<\"");
    check_scalar(" a", "\" a\"");
    check_scalar("a ", "\"a \"");
    check_scalar("a: b", "\"a: b\"");
    check_scalar("a:", "\"a:\"");
    check_scalar("a #b", "\"a #b\"");
    check_scalar("[a", "\"[a\"");
    check_scalar("a, b", "\"a, b\"");
    check_scalar("a}", "\"a}\"");
    check_scalar("- a", "\"- a\"");
    check_scalar("-", "\"-\"");
    check_scalar("---", "\"---\"");
    check_scalar("...", "\"...\"");
    check_scalar("*a", "\"*a\"");
    check_scalar("&a", "\"&a\"");
    check_scalar("!a", "\"!a\"");
    check_scalar("%a", "\"%a\"");
    check_scalar("@a", "\"@a\"");
    check_scalar("`a", "\"`a\"");
    check_scalar("#a", "\"#a\"");
    check_scalar("|", "\"|\"");
    check_scalar("\"a\\", "\"\\\"a\\\\\"");
    check_scalar("a\nb\tc\r", "\"a\\nb\\tc\\r\"");
    check_scalar("\x1b", "\"\\x1b\"");
    check_scalar("\xE2\x80\xAE", "\"\\u202e\"");
    check_scalar("\xff", "\"\\ufffd\"");
}

Test(document_print, a_quoted_scalar_stays_quoted)
{
    ws_document *value = scalar("8", "");

    value->quoted = true;
    cr_assert(eq(str, (char *)yaml(value), "\"8\"\n"));
    cr_assert(eq(str, (char *)json(value), "\"8\""));
}

/* libyaml does not take a key of more than 1024 characters before its colon. */
Test(document_print, a_long_key_is_explicit)
{
    char key[2001];
    ws_document *root = ws_document_new_map(&arena);
    const char *printed = NULL;

    for (size_t i = 0; i < 2000; i++) {
        key[i] = 'k';
    }
    key[2000] = '\0';
    (void)put(put(root, "a", ws_document_new_map(&arena)), key, scalar("1", ""));
    printed = yaml(root);
    cr_assert(eq(sz, ws_text_of(printed).length, 3 + 2 + 2 + 2000 + 1 + 2 + 4));
    cr_assert(ws_text_starts_with(ws_text_of(printed), WS_TEXT("a:\n  ? kkk")));
    cr_assert(ws_text_ends_with(ws_text_of(printed), WS_TEXT("kkk\n  : 1\n")));
}

static void check_json(const char *text, const char *expected)
{
    cr_expect(eq(str, (char *)json(scalar(text, "")), (char *)expected));
}

Test(document_print, json_numbers_keep_their_digits)
{
    check_json("42", "42");
    check_json("-0.50", "-0.50");
    check_json("1e3", "1e3");
    check_json("1.5E-7", "1.5e-7");
    check_json("123456789012345678901234567890", "123456789012345678901234567890");
    check_json("+5", "5");
    check_json(".5", "0.5");
    check_json("5.", "5");
    check_json("007", "7");
    check_json("000", "0");
    check_json("-.5e+3", "-0.5e+3");
}

Test(document_print, json_all_else_is_a_string)
{
    check_json("7d", "\"7d\"");
    check_json(".", "\".\"");
    check_json("1e", "\"1e\"");
    check_json("1e+", "\"1e+\"");
    check_json("-", "\"-\"");
    check_json("1 ", "\"1 \"");
    check_json("0x10", "\"0x10\"");
    check_json("1_000", "\"1_000\"");
    check_json("nan", "\"nan\"");
    check_json("yes", "\"yes\"");
    check_json("true", "true");
    check_json("a\"\\\n\x1b\xE2\x80\xA8\xff", "\"a\\\"\\\\\\n\\u001b\\u2028\\ufffd\"");
}

Test(document_print, without_memory_there_is_no_text)
{
    ws_arena none;
    ws_document *root = scalar("a", "");

    ws_arena_init(&none, &ws_allocator_default, 0);
    cr_assert(eq(ptr, (void *)ws_document_print_yaml(root, true, &none).start, NULL));
    cr_assert(eq(ptr, (void *)ws_document_print_json(root, &none).start, NULL));
    cr_assert(eq(ptr, (void *)ws_document_path(root, root, &none).start, NULL));
}
