/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Making, finding, changing documents, their paths, and overrides. The document of the tests is
 * written out below, by hand. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdarg.h>
#include <string.h>

#include "support/arena_suite.h"
#include "ws/diag.h"
#include "ws/document.h"

WS_TEST_ARENA_SUITE(document);

static ws_document *scalar(const char *text)
{
    return ws_document_new_scalar(&arena, ws_text_of(text), WS_TEXT(""));
}

/* A map of key and value pairs, ended by NULL. */
static ws_document *map(const char *key, ...)
{
    ws_document *document = ws_document_new_map(&arena);
    va_list arguments;

    va_start(arguments, key);
    for (; key != NULL; key = va_arg(arguments, const char *)) {
        ws_document *value = va_arg(arguments, ws_document *);

        cr_assert(ws_document_put(document, ws_text_of(key), value, &arena));
    }
    va_end(arguments);
    return document;
}

/* A list of values, ended by NULL. */
static ws_document *list(ws_document *value, ...)
{
    ws_document *document = ws_document_new_list(&arena);
    va_list arguments;

    va_start(arguments, value);
    for (; value != NULL; value = va_arg(arguments, ws_document *)) {
        cr_assert(ws_document_put(document, WS_TEXT(""), value, &arena));
    }
    va_end(arguments);
    return document;
}

/*
 * horizon: 7d
 * labels: {a.b/c: x, "it's \"q\"": z}
 * pools: [{name: od, nodes: {min: 4}}, {name: "2", nodes: {min: 5}}, {name: od, nodes: {min: 6}},
 * {name: a.b}] metrics: [cost, jct] outputs:
 */
static ws_document *sample(void)
{
    ws_document *nothing = ws_arena_alloc(&arena, ws_document, 1);
    ws_document *pools =
        list(map("name", scalar("od"), "nodes", map("min", scalar("4"), NULL), NULL),
             map("name", scalar("2"), "nodes", map("min", scalar("5"), NULL), NULL),
             map("name", scalar("od"), "nodes", map("min", scalar("6"), NULL), NULL),
             map("name", scalar("a.b"), NULL), NULL);

    return map("horizon", scalar("7d"), "labels",
               map("a.b/c", scalar("x"), "it's \"q\"", scalar("z"), NULL), "pools", pools,
               "metrics", list(scalar("cost"), scalar("jct"), NULL), "outputs", nothing, NULL);
}

static const char *value_at(const ws_document *root, const char *path)
{
    const ws_document *found = ws_document_at(root, ws_text_of(path));

    return found == NULL                       ? "none"
           : found->kind == WS_DOCUMENT_SCALAR ? found->scalar.start
                                               : "other";
}

/* ---- finding and changing ---- */

Test(document, finds_keys_of_maps_alone)
{
    const ws_document *root = sample();

    cr_assert(eq(str, (char *)ws_document_find(root, "horizon")->scalar.start, "7d"));
    cr_assert(eq(ptr, ws_document_find(root, "horizo"), NULL));
    cr_assert(eq(ptr, ws_document_find(ws_document_find(root, "metrics"), "cost"), NULL));
    cr_assert(eq(ptr, ws_document_find(NULL, "a"), NULL));
    cr_assert(ws_text_is(ws_document_find_entry(root, "labels")->key, "labels"));
}

/* A key with an inner NUL is not the key up to the NUL. */
Test(document, compares_keys_by_length)
{
    ws_document *root = ws_document_new_map(&arena);

    cr_assert(ws_document_put(root, WS_TEXT("a\0b"), scalar("1"), &arena));
    cr_assert(eq(ptr, ws_document_find(root, "a"), NULL));
}

Test(document, put_replaces_and_keeps_the_place_of_the_key)
{
    ws_document *root = map("a", scalar("1"), "b", scalar("2"), NULL);

    root->entries[0].key_at.line = 7;
    cr_assert(ws_document_put(root, WS_TEXT("a"), scalar("3"), &arena));
    cr_assert(eq(sz, root->count, 2));
    cr_assert(eq(str, (char *)value_at(root, "a"), "3"));
    cr_assert(eq(int, root->entries[0].key_at.line, 7));
}

Test(document, put_copies_new_keys_and_scalars_their_texts)
{
    char key[] = "key";
    char text[] = "text";
    ws_document *root = ws_document_new_map(&arena);
    ws_document *value = ws_document_new_scalar(&arena, ws_text_of(text), ws_text_of(text));

    cr_assert(ws_document_put(root, ws_text_of(key), value, &arena));
    memset(key, '?', 3);
    memset(text, '?', 4);
    cr_assert(eq(str, (char *)value_at(root, "key"), "text"));
    cr_assert(ws_text_is(value->origin, "text"));
}

Test(document, remove_closes_the_gap)
{
    ws_document *root = map("a", scalar("1"), "b", scalar("2"), "c", scalar("3"), NULL);

    cr_assert(ws_document_remove(root, WS_TEXT("b")));
    cr_assert_not(ws_document_remove(root, WS_TEXT("b")));
    cr_assert(eq(sz, root->count, 2));
    cr_assert(ws_text_is(root->entries[1].key, "c"));
    cr_assert(ws_document_remove(root, WS_TEXT("a")));
    cr_assert(ws_document_remove(root, WS_TEXT("c")));
    cr_assert(eq(sz, root->count, 0));
    cr_assert_not(ws_document_remove(scalar("x"), WS_TEXT("x")));
}

Test(document, a_copy_is_independent)
{
    ws_document *root = sample();
    ws_document *copy = ws_document_copy(&arena, root);

    ws_document_at(root, WS_TEXT("pools[0].nodes"))->entries[0].value = scalar("9");
    cr_assert(ws_document_remove(root, WS_TEXT("horizon")));
    cr_assert(eq(str, (char *)value_at(copy, "pools[0].nodes.min"), "4"));
    cr_assert(eq(str, (char *)value_at(copy, "horizon"), "7d"));
}

Test(document, booleans_are_two_plain_words)
{
    bool value = false;
    ws_document *quoted = scalar("true");

    quoted->quoted = true;
    cr_assert(ws_document_bool(scalar("true"), &value));
    cr_assert(value);
    cr_assert(ws_document_bool(scalar("false"), &value));
    cr_assert_not(value);
    cr_assert_not(ws_document_bool(quoted, &value));
    cr_assert_not(ws_document_bool(scalar("yes"), &value));
    cr_assert_not(ws_document_bool(scalar("True"), &value));
    cr_assert_not(ws_document_bool(map(NULL), &value));
}

/* The text is that of the reference on scenarios, section 6. */
Test(document, says_how_an_alias_was_used)
{
    ws_document *value = scalar("5s");

    cr_assert(eq(sz, ws_document_alias_note(value, &arena).length, 0));
    value->alias = WS_TEXT("cloud-boot");
    value->alias_at.line = 29;
    cr_assert(
        ws_text_is(ws_document_alias_note(value, &arena), "used at line 29 through *cloud-boot"));
}

Test(document, without_memory_nothing_is_made)
{
    ws_arena none;

    ws_arena_init(&none, &ws_allocator_default, 0);
    cr_assert(eq(ptr, ws_document_new_scalar(&none, WS_TEXT("a"), WS_TEXT("")), NULL));
    cr_assert(eq(ptr, ws_document_new_map(&none), NULL));
    cr_assert(eq(ptr, ws_document_copy(&none, scalar("a")), NULL));
    cr_assert_not(ws_document_put(ws_document_new_map(&arena), WS_TEXT("a"), scalar("a"), &none));
}

/* ---- paths ---- */

Test(document, follows_paths)
{
    const ws_document *root = sample();

    cr_assert(eq(str, (char *)value_at(root, "horizon"), "7d"));
    cr_assert(eq(str, (char *)value_at(root, "pools[od].nodes.min"), "4"));
    cr_assert(eq(str, (char *)value_at(root, "pools[2].nodes.min"), "6"));
    cr_assert(eq(str, (char *)value_at(root, "pools[\"2\"].nodes.min"), "5"));
    cr_assert(eq(str, (char *)value_at(root, "pools['2'].nodes.min"), "5"));
    cr_assert(eq(str, (char *)value_at(root, "pools[a.b].name"), "a.b"));
    cr_assert(eq(str, (char *)value_at(root, "metrics[1]"), "jct"));
    cr_assert(eq(str, (char *)value_at(root, "labels[\"a.b/c\"]"), "x"));
    cr_assert(eq(str, (char *)value_at(root, "labels[a.b/c]"), "x"));
    cr_assert(eq(str, (char *)value_at(root, "[horizon]"), "7d"));
}

Test(document, a_path_that_leads_nowhere)
{
    static const char *const paths[] = {
        "",
        "horizo",
        "horizon.x",
        "pools.od",
        "pools[3].x",
        "pools[4]",
        "pools[-1]",
        "pools[*]",
        "metrics[cost]",
        "pools[99999999999999999999]",
        ".",
        ".horizon",
        "horizon.",
        "pools..od",
        "pools[",
        "pools[]",
        "pools[0",
        "pools[0]x",
        "pools[0].",
        "pools]",
        "pools[\"od]",
        "pools[0]]",
        "labels[\"\"]",
    };
    const ws_document *root = sample();

    for (size_t i = 0; i < WS_COUNT_OF(paths); i++) {
        cr_expect(eq(ptr, ws_document_at(root, ws_text_of(paths[i])), NULL), "%s", paths[i]);
    }
}

static const char *path_of(const ws_document *root, const ws_document *wanted)
{
    ws_text path = ws_document_path(root, wanted, &arena);

    return path.start == NULL ? "none" : path.start;
}

Test(document, writes_the_path_of_a_value)
{
    const ws_document *root = sample();
    const ws_document *pools = ws_document_find(root, "pools");
    const ws_document *labels = ws_document_find(root, "labels");

    cr_assert(eq(str, (char *)path_of(root, root), ""));
    cr_assert(eq(str, (char *)path_of(root, pools), "pools"));
    cr_assert(eq(str, (char *)path_of(root, ws_document_find(pools->entries[0].value, "name")),
                 "pools[od].name"));
    /* a name of digits, the second of a name, and a name with a dot are given by index */
    cr_assert(eq(str, (char *)path_of(root, pools->entries[1].value), "pools[1]"));
    cr_assert(eq(str, (char *)path_of(root, pools->entries[2].value), "pools[2]"));
    cr_assert(eq(str, (char *)path_of(root, pools->entries[3].value), "pools[3]"));
    cr_assert(eq(str, (char *)path_of(root, labels->entries[0].value), "labels[\"a.b/c\"]"));
    /* both kinds of quotes: there is no path */
    cr_assert(eq(str, (char *)path_of(root, labels->entries[1].value), "none"));
    cr_assert(eq(str, (char *)path_of(root, scalar("stranger")), "none"));
}

/* ---- overrides ---- */

static ws_source flag;

/* Applies `path=value` of a flag; the value is a scalar. */
static bool set(ws_document *root, const char *text)
{
    ws_text whole = ws_text_of(text);
    size_t equals = ws_text_find_byte(whole, '=');
    ws_document *value =
        ws_document_new_scalar(&arena, ws_text_slice(whole, equals + 1, whole.length), WS_TEXT(""));

    flag = (ws_source){.name = WS_TEXT("<--set #1>"), .content = whole};
    ws_document_edit edit = {.path = ws_text_slice(whole, 0, equals),
                             .at = ws_span_of_bytes(&flag, 0, equals),
                             .value = value,
                             .origin = WS_TEXT("--set #1")};
    return ws_document_set(root, &edit, &arena, &diag);
}

/* Sets a value of any kind. */
static bool set_value(ws_document *root, const char *path, const ws_document *value,
                      const char *origin)
{
    ws_document_edit edit = {
        .path = ws_text_of(path), .value = value, .origin = ws_text_of(origin)};

    return ws_document_set(root, &edit, &arena, &diag);
}

static bool unset(ws_document *root, const char *path)
{
    flag = (ws_source){.name = WS_TEXT("<--unset #1>"), .content = ws_text_of(path)};
    return ws_document_unset(root, flag.content, ws_span_of_bytes(&flag, 0, flag.content.length),
                             &arena, &diag);
}

Test(document, set_changes_a_value_and_marks_its_origin)
{
    ws_document *root = sample();

    cr_assert(set(root, "pools[od].nodes.min=8"));
    cr_assert(eq(str, (char *)value_at(root, "pools[od].nodes.min"), "8"));
    cr_assert(ws_text_is(ws_document_at(root, WS_TEXT("pools[od].nodes.min"))->origin, "--set #1"));
    cr_assert(eq(str, (char *)value_at(root, "pools[2].nodes.min"), "6"));
}

Test(document, set_adds_a_last_key_with_its_place)
{
    ws_document *root = sample();

    cr_assert(set(root, "pools[od].nodes.max=9"));
    cr_assert(eq(str, (char *)value_at(root, "pools[od].nodes.max"), "9"));
    ws_span at =
        ws_document_find_entry(ws_document_at(root, WS_TEXT("pools[od].nodes")), "max")->key_at;
    cr_assert(eq(int, at.column, 17)); /* "pools[od].nodes." is 16 characters */
    cr_assert(eq(int, at.length, 3));
    cr_assert(set(root, "outputs.dir=r"));
    cr_assert(eq(str, (char *)value_at(root, "outputs.dir"), "r"));
}

Test(document, set_matches_all_entries)
{
    ws_document *root = sample();

    cr_assert(
        set(root, "pools[*].nodes.min=1")); /* the last pool has no nodes and is passed over */
    cr_assert(eq(str, (char *)value_at(root, "pools[0].nodes.min"), "1"));
    cr_assert(eq(str, (char *)value_at(root, "pools[1].nodes.min"), "1"));
    cr_assert(eq(str, (char *)value_at(root, "pools[2].nodes.min"), "1"));
    cr_assert(eq(str, (char *)value_at(root, "pools[3].nodes.min"), "none"));
    cr_assert(set(root, "metrics[*]=m"));
    cr_assert(eq(str, (char *)value_at(root, "metrics[0]"), "m"));
    cr_assert(eq(str, (char *)value_at(root, "metrics[1]"), "m"));
    cr_assert(ne(ptr, ws_document_at(root, WS_TEXT("metrics[0]")),
                 ws_document_at(root, WS_TEXT("metrics[1]"))));
}

Test(document, set_gives_every_part_the_origin)
{
    ws_document *root = sample();
    ws_document *value = map("a", list(scalar("1"), NULL), NULL);

    cr_assert(set_value(root, "horizon", value, "--set #2"));
    cr_assert(ws_text_is(ws_document_at(root, WS_TEXT("horizon.a[0]"))->origin, "--set #2"));
    cr_assert(eq(sz, value->origin.length, 0));
}

Test(document, unset_removes)
{
    ws_document *root = sample();

    cr_assert(unset(root, "pools[od].nodes"));
    cr_assert(eq(str, (char *)value_at(root, "pools[0].nodes"), "none"));
    cr_assert(unset(root, "metrics[0]"));
    cr_assert(eq(str, (char *)value_at(root, "metrics[0]"), "jct"));
    cr_assert(unset(root, "pools[*]"));
    cr_assert(eq(sz, ws_document_find(root, "pools")->count, 0));
    cr_assert_not(unset(root, "pools[*]"));
}

static void check_refused(const char *text, int column, const char *message, const char *help)
{
    ws_document *root = sample();

    ws_diag_init(&diag, &arena);
    cr_assert_not(set(root, text));
    cr_assert(eq(sz, diag.count, 1));
    cr_expect(eq(int, diag.entries[0].code, 2901));
    cr_expect(eq(int, diag.entries[0].at.column, column));
    cr_expect(ws_text_is(diag.entries[0].message, message), "%s", diag.entries[0].message.start);
    cr_expect(ws_text_is(diag.entries[0].help, help), "%s", diag.entries[0].help.start);
}

Test(document, set_tells_where_a_path_goes_astray)
{
    check_refused("pool[od].nodes=1", 1, "the file has no key `pool`", "did you mean `pools`?");
    check_refused("pools[od].node.min=1", 11, "`pools[od]` has no key `node`",
                  "did you mean `nodes`?");
    check_refused("pools[xx].nodes=1", 6, "`pools` has no entry `xx`",
                  "there are `od`, `2`, `od`, `a.b`");
    check_refused("pools[999]=1", 6, "`pools` has 4 entries and no entry 999",
                  "entries are counted from 0");
    check_refused("pools.od=1", 7, "`pools` is a list and has no key `od`",
                  "name an entry, `[name]` or `[index]`, or all, `[*]`");
    check_refused("horizon.x=1", 9, "`horizon` is a scalar and has no key `x`", "");
    check_refused("horizon[*]=1", 8, "`horizon` is a scalar and `[*]` matches nothing in it", "");
    check_refused("labels[0]=1", 7, "`labels` has no key `0`", "there are `a.b/c`, `it's \"q\"`");
}

Test(document, set_refuses_what_is_no_path)
{
    static const struct {
        const char *text;
        int column;
    } cases[] = {{"a..b=1", 3},   {"=x", 1},   {"pools[0]x=1", 9},
                 {"pools[=1", 6}, {"a.=1", 2}, {"[]=1", 1}};

    for (size_t i = 0; i < WS_COUNT_OF(cases); i++) {
        ws_diag_init(&diag, &arena);
        cr_expect_not(set(sample(), cases[i].text));
        cr_assert(eq(sz, diag.count, 1));
        cr_expect(eq(int, diag.entries[0].code, 2901));
        cr_expect(eq(int, diag.entries[0].at.column, cases[i].column), "%s", cases[i].text);
    }
}

/* 64 levels are allowed: 63 lists in the value, in the map of the root. */
Test(document, set_keeps_to_the_depth_of_documents)
{
    ws_document *value = list(NULL);
    ws_document *root = sample();

    for (int i = 1; i < WS_DOCUMENT_DEPTH_MAX - 1; i++) {
        value = list(value, NULL);
    }
    cr_assert(set_value(root, "x", value, "o"));
    cr_assert_not(set_value(root, "x", list(value, NULL), "o"));
    cr_assert(eq(int, diag.entries[0].code, 9002));
    cr_assert_not(set_value(root, "outputs.x", value, "o"));
}
