/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the YAML reader refuses: the texts of vectors/scenario/bad/, the hostile inputs H01 to H10
 * and H21 and the limits of the reference on reliability, and the mistakes that people make. Places
 * are counted by hand.
 */
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
    ws_arena_init(&arena, &ws_allocator_default, (size_t)1 << 30);
    ws_diag_init(&diag, &arena);
}

static void tear_down(void)
{
    ws_arena_reset(&arena);
}

TestSuite(yaml_refused, .init = set_up, .fini = tear_down);
TestSuite(yaml_limits, .init = set_up, .fini = tear_down);

static bool read_bytes(const char *bytes, size_t length)
{
    ws_document *document = NULL;

    ws_diag_init(&diag, &arena);
    source = (ws_source){.name = WS_TEXT("s.yaml"), .content = {bytes, length}};
    bool good = ws_yaml_read(&document, &source, "scenario", &arena, &diag);
    cr_assert(eq(int, good, document != NULL));
    cr_assert(eq(int, good, diag.error_count == 0));
    return good;
}

/* Refused with `code` at line:column of the first diagnostic; line 0: the whole file. */
static void check_bytes(const char *bytes, size_t length, int code, int line, int column)
{
    cr_expect_not(read_bytes(bytes, length), "%.60s", bytes);
    cr_assert(gt(sz, diag.count, 0));
    cr_expect(eq(int, diag.entries[0].code, code), "%.60s", bytes);
    cr_expect(eq(int, diag.entries[0].at.line, line), "%.60s", bytes);
    cr_expect(eq(int, diag.entries[0].at.column, column), "%.60s", bytes);
}

static void check(const char *text, int code, int line, int column)
{
    check_bytes(text, strlen(text), code, line, column);
}

#define CHECK_BYTES(literal, code, line, column)                                                   \
    check_bytes((literal), sizeof(literal) - 1, (code), (line), (column))

static const char *printed(void)
{
    return ws_diagnostic_print(&diag.entries[0], false, &arena).start;
}

static void check_example(const char *stem)
{
    char path[1000];
    char relative[200];
    char name[100];
    ws_document *document = NULL;

    (void)snprintf(relative, sizeof relative, "vectors/scenario/bad/%s.yaml", stem);
    cr_assert(ne(ptr, (void *)ws_test_shared(relative, path, sizeof path), NULL));
    ws_text content = ws_test_load(path);
    (void)strcpy(strrchr(path, '.'), ".stderr");
    ws_text expected = ws_test_load(path);
    (void)snprintf(name, sizeof name, "%s.yaml", stem);
    source = (ws_source){.name = ws_text_of(name), .content = content};
    ws_diag_init(&diag, &arena);
    cr_assert_not(ws_yaml_read(&document, &source, "scenario", &arena, &diag));
    cr_assert(eq(sz, diag.count, 1));
    cr_expect(eq(str, (char *)printed(), (char *)expected.start));
    free((void *)content.start);
    free((void *)expected.start);
}

Test(yaml_refused, the_examples_that_are_faults_of_yaml)
{
    char path[1000];

    if (ws_test_shared("vectors/scenario/bad", path, sizeof path) == NULL) {
        cr_skip_test();
    }
    check_example("03-tab-indent");
    check_example("04-missing-colon");
    check_example("05-duplicate-key");
    check_example("31-alias-expansion");
}

/* The other 29 are well-formed YAML: their faults are found later. */
Test(yaml_refused, no_other_example)
{
    static const char *const stems[] = {"01-unknown-key", "12-yaml11-boolean",
                                        "16-duplicate-policy", "33-one-replication"};
    char path[1000];
    char relative[200];

    for (size_t i = 0; i < WS_COUNT_OF(stems); i++) {
        (void)snprintf(relative, sizeof relative, "vectors/scenario/bad/%s.yaml", stems[i]);
        if (ws_test_shared(relative, path, sizeof path) == NULL) {
            cr_skip_test();
        }
        ws_text content = ws_test_load(path);
        cr_expect(read_bytes(content.start, content.length), "%s", stems[i]);
        free((void *)content.start);
    }
}

/* H01 */
Test(yaml_refused, a_file_without_content)
{
    check("", 2002, 0, 0);
    check("# c\n# d", 2002, 0, 0);
    check("---\n", 2002, 0, 0);
    check("...\n", 2002, 0, 0);
    check("~\n", 2002, 0, 0);
    check("\xEF\xBB\xBF", 2002, 0, 0);
    cr_assert(
        eq(str, (char *)printed(), "error[WS2002]: the file holds no scenario\n --> s.yaml\n"));
}

/* H04 */
Test(yaml_refused, aliases_that_lead_nowhere)
{
    check("a: &a [*a]\n", 1302, 1, 8);
    cr_assert(eq(int, diag.entries[0].also.column, 4));
    check("a: &a {b: {c: *a}}\n", 1302, 1, 15);
    check("a: *b\nb: &b 1\n", 1303, 1, 4);
    check("x: &cloud-boot 1\na: *cloud-bot\nb: *zz\n", 1303, 2, 4);
    cr_assert(ws_text_is(diag.entries[0].help, "did you mean `*cloud-boot`?"));
    cr_assert(eq(sz, diag.count, 2));
    cr_assert(eq(int, diag.entries[1].at.line, 3));
}

/* H06 */
Test(yaml_refused, duplicate_keys)
{
    check("a: 1\nb: 2\n\"a\": 3\n", 1201, 3, 1);
    cr_assert(eq(int, diag.entries[0].also.line, 1));
    check("\xC3\xA9: 1\n\"\\u00e9\": 2\n", 1201, 2, 1);
    check("x: &x {a: 1}\ny: {<<: *x, a: 2, <<: *x}\n", 1201, 2, 19);
    check("a: {b: 1, b: 2}\nc: 1\nc: 2\na: 3\n", 1201, 1, 11);
    cr_assert(eq(sz, diag.count, 3));
    check("a: 1\na: 2\na: 3\n", 1201, 2, 1);
    cr_assert(eq(sz, diag.count, 2));
    check("? x\n: 1\n? x\n: 2\n", 1201, 3, 3);
}

/* H07: nothing raw reaches the terminal. */
Test(yaml_refused, hidden_characters)
{
    check("key: \"a\\0b\"\n", 1305, 1, 6);
    check("\"k\\u202e\": 1\n", 1305, 1, 1);
    check("\"k\\n\": 1\n", 1305, 1, 1);
    CHECK_BYTES("key: a\0b\n", 1305, 1, 7);
    CHECK_BYTES("k\0ey: 1\n", 1305, 1, 2);
    check("a: 1\nk\x1b[31mey: 1\n", 1305, 2, 2);
    cr_assert(eq(ptr, strchr(printed(), '\x1b'), NULL));
    check("k\xE2\x80\xAE"
          "ey: 1\n",
          1305, 1, 2);
    cr_assert(eq(ptr, strstr(printed(), "\xE2\x80\xAE"), NULL));
    check("k\xE2\x80\xA8"
          "ey: 1\n",
          1305, 1, 2);
    check("a: 1 # \xE2\x81\xA6\n", 1305, 1, 8);
    check("a: \xC2\x85", 1305, 1, 4);
    check("a: 1\n\xEF\xBB\xBF"
          "b: 1\n",
          1305, 2, 1);
    cr_assert(read_bytes("a: \"x\\ty\\nz\\r\"\n", 15)); /* text may have these */
}

/* H08: the offset is in bytes. */
Test(yaml_refused, what_is_not_utf_8)
{
    check("\xC3\xA9: \xff\n", 1306, 1, 4);
    cr_assert(ws_text_is(diag.entries[0].message, "invalid UTF-8 at byte offset 4"));
    check("a: \xC0\xAF", 1306, 1, 4);         /* overlong */
    check("a: \xED\xA0\x80", 1306, 1, 4);     /* a surrogate */
    check("a: \xF4\x90\x80\x80", 1306, 1, 4); /* beyond U+10FFFF */
    check("a: \xE2\x82", 1306, 1, 4);         /* cut off */
    check("a: 1\nb: \"\x80\"\n", 1306, 2, 5);
    CHECK_BYTES("\xFF\xFE"
                "a\0:\0",
                1306, 0, 0);
    cr_assert(ws_text_is(diag.entries[0].message, "the file is UTF-16, not UTF-8"));
    cr_assert(ws_text_is(diag.entries[0].help, "save it as UTF-8"));
    CHECK_BYTES("\xFE\xFF\0a\0:", 1306, 0, 0);
    CHECK_BYTES("a\0:\0 \0"
                "1\0",
                1306, 0, 0);
    CHECK_BYTES("\0a\0:\0 \0"
                "1",
                1306, 0, 0);
    CHECK_BYTES("\xFF\xFE\0\0a\0\0\0", 1306, 0, 0);
    cr_assert(ws_text_is(diag.entries[0].message, "the file is UTF-32, not UTF-8"));
    CHECK_BYTES("\0\0\xFE\xFF\0\0\0a", 1306, 0, 0);
    CHECK_BYTES("a\0\0\0:\0\0\0", 1306, 0, 0);
}

/* H09 */
Test(yaml_refused, tags_and_directives)
{
    check("a: !!python/object/apply:os.system ls\n", 1307, 1, 4);
    cr_assert(eq(int, diag.entries[0].at.length, 31));
    check("a: !!binary aaaa\nb: !custom [1]\nc: &x !foo {a: 1}\n", 1307, 1, 4);
    cr_assert(eq(sz, diag.count, 3));
    cr_assert(eq(int, diag.entries[2].at.column, 7));
    check("!t a: 1\n", 1307, 1, 1);
    check("a: !x!y z\n", 1307, 1, 4);
    check("a: !\n", 1307, 1, 4);
    check("a: !<x> b\n", 1307, 1, 4);
    check("%TAG ! tag:x,2000:\n---\na: 1\n", 1307, 1, 1);
    check("# c\n\n%FOO\n---\na: 1\n", 1307, 3, 1);
    check("%YAML 1.3\n---\na: 1\n", 1307, 1, 1);
    check("a: 1\n...\n%TAG ! tag:x,2000:\n", 1307, 3, 1);
    check("a: 1\n%TAG ! tag:x,2000:\n", 1307, 2, 1);
}

/* H10 */
Test(yaml_refused, a_second_document)
{
    check("a: 1\n---\nb: 2\n", 1308, 2, 1);
    check("a: 1\n...\n# c\nb: 2\n", 1308, 4, 1);
    check("---\n---\n", 1308, 2, 1);
    check("--- a\n--- b\n", 1308, 2, 1);
    cr_assert(read_bytes("a: 1\n...\n# c\n...\n\n", 18));
}

Test(yaml_refused, keys_that_are_no_names)
{
    check("? [a]\n: b\n", 1103, 1, 3);
    check("a: &a x\n*a : b\n", 1103, 2, 1);
    check("{{a: b}: c}\n", 5104, 1, 1); /* two braces: rather a template */
    check("{ {a: b}: c}\n", 1103, 1, 3);
}

Test(yaml_refused, merges_of_something_else)
{
    check("a: &a 5\nb: {<<: *a}\n", 1304, 2, 9);
    check("b: {<<: }\n", 1304, 1, 9); /* where the value should begin */
    check("b: {<<: [1]}\n", 1304, 1, 10);
}

Test(yaml_refused, tabs)
{
    check("a:\n\t- b\n", 1102, 2, 1);
    check("a: b\n\tc: d\n", 1102, 2, 1);
    check("a:\n  b: 1\n\t\tc: 2\n", 1102, 3, 1);
    cr_assert(ws_text_is(diag.entries[0].help, "replace each tab by 2 spaces"));
    cr_assert(eq(int, diag.entries[0].at.length, 2));
    check("a:\n  \tb: 1\n", 1102, 2, 3);
    check("{\n\t\"a\": 1\n\t\"b\": 2\n}\n", 1101, 3,
          5); /* in JSON tabs are right, a comma is missing */
}

static void check_colon(const char *text, int line, int column, const char *help)
{
    check(text, 1104, line, column);
    cr_expect(ws_text_is(diag.entries[0].help, help), "%s", diag.entries[0].help.start);
}

Test(yaml_refused, missing_colons)
{
    check_colon("horizon 7d\nwarmup: 6h\n", 1, 1, "write `horizon: 7d`");
    check_colon("a: 1\nhorizon 7d\n", 2, 1, "write `horizon: 7d`");
    check_colon("a: 1\nhorizon\nb: 2\n", 2, 1, "write `horizon:` and a value");
    check_colon("cluster:\n  pools 3\n  # c\n\n  x: 5\n", 2, 3, "write `pools: 3`");
    check_colon("cluster:\n  pools 3\n  x: 5\n", 2, 3, "write `pools: 3`");
    check_colon("a: 1\nhorizon:7d # c\nb: 2\n", 2, 8, "write `horizon: 7d`");
    check("a: b: c\n", 1101, 1, 5);
    check("a: 1\n  b: 2\n", 1101, 2, 4);
}

Test(yaml_refused, templates)
{
    check("a: {{ .Values.x }}\n", 5104, 1, 4);
    check("{{- if .Values.x }}\na: 1\n{{- end }}\n", 5104, 1, 1);
}

Test(yaml_refused, other_faults_of_syntax)
{
    check("a: [1, 2\nb: 3\n", 1101, 2, 2);
    cr_assert(
        ws_text_is(diag.entries[0].message, "not valid YAML: did not find expected ',' or ']'"));
    cr_assert(eq(int, diag.entries[0].also.column, 4));
    check("a: \"x\nb: 3\n", 1101, 1, 4); /* where the quote was opened */
    check("a: @x\n", 1101, 1, 4);
    cr_assert(ws_text_is(diag.entries[0].help, "put a value that begins with `@` in quotes"));
    check("a: *\n", 1101, 1, 5);
    check("a: \"\\q\"\n", 1101, 1, 5);
    check("a: \"\\ud83d\\ude00\"\n", 1101, 1, 7);
    check("- a\nb: 1\n", 1101, 2, 1);
}

/* ---- limits: exactly at the limit is good, one above is not ---- */

/* `before`, `count` times `part`, `after`, in the arena. */
static ws_text repeat(const char *before, const char *part, size_t count, const char *after)
{
    size_t part_bytes = strlen(part);
    size_t before_bytes = strlen(before);
    size_t bytes = before_bytes + count * part_bytes + strlen(after);
    char *text = ws_arena_alloc_bytes(&arena, bytes + 1, 1);

    (void)strcpy(text, before);
    for (size_t i = 0; i < count; i++) {
        memcpy(text + before_bytes + i * part_bytes, part, part_bytes);
    }
    (void)strcpy(text + before_bytes + count * part_bytes, after);
    return (ws_text){.start = text, .length = bytes};
}

static bool reads(ws_text text)
{
    return read_bytes(text.start, text.length);
}

static void check_limit(ws_text text, int code, int line, int column)
{
    check_bytes(text.start, text.length, code, line, column);
}

/* Lines with an anchor each, `a0000: &a0000 1`. */
static ws_text anchors(int count)
{
    char *text = ws_arena_alloc_bytes(&arena, (size_t)count, 40);
    size_t length = 0;

    for (int i = 0; i < count; i++) {
        length += (size_t)snprintf(text + length, 40, "a%05d: &a%05d 1\n", i, i);
    }
    return (ws_text){.start = text, .length = length};
}

/* H21: 4 MiB */
Test(yaml_limits, bytes_of_a_file)
{
    cr_assert(reads(repeat("a: 1\n", "#", WS_YAML_BYTES_MAX - 5, "")));
    check_limit(repeat("a: 1\n", "#", WS_YAML_BYTES_MAX - 4, ""), 9001, 0, 0);
}

/* H03 */
Test(yaml_limits, depth)
{
    cr_assert(reads(repeat(repeat("", "[", 63, "").start, "[", 1, repeat("", "]", 64, "").start)));
    check_limit(repeat("", "[", 65, ""), 9002, 1, 65);
    check_limit(repeat("", "[", 100000, ""), 9002, 1, 65);
    check_limit(repeat("", "{a: ", 50000, ""), 9002, 1, 64 * 4 + 1);
    check_limit(repeat("", "- ", 100000, ""), 9002, 1, 64 * 2 + 1);
    check_limit(repeat("", "? ", 100000, ""), 1103, 1, 3);
}

/* An alias deep down must not nest deeper than what is written out: 40 levels of lists in the 25th
 * level and below. */
Test(yaml_limits, depth_through_aliases)
{
    ws_text deep = repeat("- &a ", "[", 40, repeat("", "]", 40, "\n- ").start);
    ws_text good = repeat(deep.start, "[", 23, repeat("*a", "]", 23, "\n").start);
    ws_text bad = repeat(deep.start, "[", 24, repeat("*a", "]", 24, "\n").start);

    cr_assert(reads(good)); /* 1 + 23 + 40 levels */
    check_limit(bad, 9002, 2, 27);
}

/* H02: nine lists of nine; 9^6 aliases in the sixth. */
Test(yaml_limits, nodes_by_aliases)
{
    char text[1000] = "a: &a [lol,lol,lol,lol,lol,lol,lol,lol,lol]\n";

    for (char name = 'b'; name <= 'i'; name++) {
        char line[80];
        char old = (char)(name - 1);

        (void)snprintf(line, sizeof line, "%c: &%c [*%c,*%c,*%c,*%c,*%c,*%c,*%c,*%c,*%c]\n", name,
                       name, old, old, old, old, old, old, old, old, old);
        (void)strcat(text, line);
    }
    /* Nodes: a 10, b 91, c 820, d 7381, e 66430, with the root 74733; the first *e in f is too
     * many. */
    check(text, 1301, 6, 8);
}

Test(yaml_limits, nodes)
{
    /* The root, a list, and 99998 values are 100000 nodes. */
    cr_assert(reads(repeat("a: [", "a,", 99998, "]")));
    check_limit(repeat("a: [", "a,", 99999, "]"), 1301, 1, 5 + 2 * 99998);
    /* 62 levels more, and a text of 4 MiB behind the limit. */
    check_limit(repeat(repeat("a: ", "[", 62, "").start, "a,", 2000000, ""), 1301, 1,
                66 + 2 * (100000 - 63));
}

/* H05 */
Test(yaml_limits, anchors)
{
    cr_assert(reads(anchors(1000)));
    check_limit(anchors(1001), 9003, 1001, 9);
    check_limit(anchors(40000), 9003, 1001, 9);
}

Test(yaml_limits, keys_of_a_map)
{
    char *text = ws_arena_alloc_bytes(&arena, 10001, 20);
    size_t length = 0;
    size_t at_limit = 0;

    for (int i = 0; i <= 10000; i++) {
        at_limit = length;
        length += (size_t)snprintf(text + length, 20, "k%d: 1\n", i);
    }
    cr_assert(read_bytes(text, at_limit));
    check_bytes(text, length, 9004, 10001, 1);
}

/* Merged keys count as well: 6000 and 6000 in a map. */
Test(yaml_limits, keys_of_a_map_by_merge)
{
    char *text = ws_arena_alloc_bytes(&arena, 12000, 20);
    size_t length = (size_t)sprintf(text, "a: &a\n");

    for (int i = 0; i < 6000; i++) {
        length += (size_t)snprintf(text + length, 20, "  k%d: 1\n", i);
    }
    length += (size_t)sprintf(text + length, "b:\n  <<: *a\n");
    for (int i = 0; i < 6000; i++) {
        length += (size_t)snprintf(text + length, 20, "  m%d: 1\n", i);
    }
    check_bytes(text, length, 9004, 6003, 3);
}

Test(yaml_limits, bytes_of_a_scalar)
{
    cr_assert(reads(repeat("a: \"", "x", 65536, "\"")));
    check_limit(repeat("a: \"", "x", 65537, "\""), 9005, 1, 4);
    cr_assert(reads(repeat("a: ", "x", 65536, "")));
    check_limit(repeat("a: ", "x", 65537, ""), 9005, 1, 4);
    check_limit(repeat("? ", "x", 65537, "\n: 1"), 9005, 1, 3);
}

/* H09: megabytes of escapes in a tag, and of %TAG lines, before and behind the document. */
Test(yaml_limits, tags_and_directives_by_the_megabyte)
{
    check_limit(repeat("a: !<", "%41", 330000, "> 1\n"), 1307, 1, 4);
    check_limit(repeat("", "%TAG !e! tag:e\n", 270000, ""), 1307, 1, 1);
    check_limit(repeat("a: 1\n...\n", "%TAG !e! tag:e\n", 270000, ""), 1307, 3, 1);
    check_limit(repeat("a: 1\n", "%TAG !e! tag:e\n", 270000, ""), 1307, 2, 1);
}

/* Memory: whatever the arena refuses is an error, never a crash. */
Test(yaml_limits, memory)
{
    static const char text[] =
        "a: &a {x: [1, 2, {y: z}]}\nb: *a\nc: {<<: *a, k: 1}\n? long\n: \"v\"\n";
    size_t bound = 0;
    bool good = false;

    for (bound = 0; !good && bound < 200000; bound += 64) {
        ws_arena small;
        ws_document *document = NULL;

        ws_arena_init(&small, &ws_allocator_default, bound);
        ws_diag_init(&diag, &arena);
        source = (ws_source){.name = WS_TEXT("s"), .content = {text, sizeof text - 1}};
        good = ws_yaml_read(&document, &source, "scenario", &small, &diag);
        cr_assert(eq(int, good, diag.error_count == 0));
        cr_assert(good || diag.entries[0].code == 9007);
        ws_arena_reset(&small);
    }
    cr_assert(good);
    cr_assert(gt(sz, bound, 1000));
}
