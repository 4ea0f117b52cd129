/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Collecting and ordering of diagnostics, places of bytes, and the shown form of foreign text. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <string.h>

#include "ws/diag.h"
#include "ws/glyph.h"

static ws_arena arena;

static void arena_open(void)
{
    ws_arena_init(&arena, &ws_allocator_default, (size_t)1 << 24);
}

static void arena_close(void)
{
    ws_arena_reset(&arena);
}

TestSuite(diag, .init = arena_open, .fini = arena_close);
TestSuite(span, .init = arena_open, .fini = arena_close);
TestSuite(glyph);

Test(diag, starts_empty)
{
    ws_diag diag;

    ws_diag_init(&diag, &arena);
    cr_assert_not(ws_diag_has_errors(&diag));
    cr_assert(eq(sz, diag.count, 0));
}

Test(diag, counts_by_severity)
{
    ws_diag diag;
    ws_diagnostic bug = {.severity = WS_SEVERITY_BUG, .code = 9999, .message = WS_TEXT("b")};
    ws_diagnostic note = {.severity = WS_SEVERITY_NOTE, .message = WS_TEXT("n")};

    ws_diag_init(&diag, &arena);
    ws_diag_add(&diag, &note);
    cr_assert_not(ws_diag_has_errors(&diag));
    ws_diag_warning(&diag, 4301, ws_span_none, "job `%s`", "a");
    cr_assert_not(ws_diag_has_errors(&diag));
    ws_diag_add(&diag, &bug);
    cr_assert(ws_diag_has_errors(&diag));
    cr_assert_not(ws_diag_error(&diag, 2101, ws_span_none, "unknown key `%s`", "x"));
    cr_assert(eq(sz, diag.error_count, 2));
    cr_assert(eq(sz, diag.warning_count, 1));
    cr_assert(eq(sz, diag.count, 4));
    cr_assert(ws_text_is(diag.entries[3].message, "unknown key `x`"));
    cr_assert(eq(int, diag.entries[3].code, 2101));
}

Test(diag, copies_all_texts)
{
    ws_diag diag;
    char words[] = "m l a h 0 1";
    ws_diagnostic entry = {
        .severity = WS_SEVERITY_ERROR,
        .message = {words, 1},
        .label = {words + 2, 1},
        .also_label = {words + 4, 1},
        .help = {words + 6, 1},
        .notes = {{words + 8, 1}, {words + 10, 1}},
    };

    ws_diag_init(&diag, &arena);
    ws_diag_add(&diag, &entry);
    memset(words, '?', sizeof words);
    cr_assert(ws_text_is(diag.entries[0].message, "m"));
    cr_assert(ws_text_is(diag.entries[0].label, "l"));
    cr_assert(ws_text_is(diag.entries[0].also_label, "a"));
    cr_assert(ws_text_is(diag.entries[0].help, "h"));
    cr_assert(ws_text_is(diag.entries[0].notes[0], "0"));
    cr_assert(ws_text_is(diag.entries[0].notes[1], "1"));
}

Test(diag, beyond_its_bound_only_the_counts_move)
{
    ws_diag diag;

    ws_diag_init(&diag, &arena);
    for (int i = 0; i < WS_DIAG_MAX + 7; i++) {
        (void)ws_diag_error(&diag, 1000 + i, ws_span_none, "number %d", i);
    }
    cr_assert(eq(sz, diag.count, 200));
    cr_assert(eq(sz, diag.dropped, 7));
    cr_assert(eq(sz, diag.error_count, 207));
    cr_assert(ws_text_is(diag.entries[199].message, "number 199"));
}

Test(diag, without_memory_an_error_still_counts)
{
    ws_arena none;
    ws_diag diag;
    ws_diagnostic entry = {.severity = WS_SEVERITY_ERROR, .message = WS_TEXT("m")};

    ws_arena_init(&none, &ws_allocator_default, 0);
    ws_diag_init(&diag, &none);
    (void)ws_diag_error(&diag, 1101, ws_span_none, "lost");
    ws_diag_add(&diag, &entry);
    cr_assert(ws_diag_has_errors(&diag));
    cr_assert(eq(sz, diag.error_count, 2));
    cr_assert(eq(sz, diag.count, 0));
    cr_assert(eq(sz, diag.dropped, 2));
    ws_arena_reset(&none);
}

Test(diag, strict_turns_warnings_into_errors)
{
    ws_diag diag;

    ws_diag_init(&diag, &arena);
    ws_diag_warning(&diag, 4302, ws_span_none, "one replication");
    ws_diag_make_strict(&diag);
    cr_assert(ws_diag_has_errors(&diag));
    cr_assert(eq(sz, diag.error_count, 1));
    cr_assert(eq(sz, diag.warning_count, 0));
    cr_assert(eq(int, diag.entries[0].severity, WS_SEVERITY_ERROR));
}

/* Files in order of first appearance, equal names are one file; then line, column, order of adding.
 */
Test(diag, sorts_by_place)
{
    static const ws_source b = {.name = {"b.yaml", 6}};
    static const ws_source a = {.name = {"a.yaml", 6}};
    static const ws_source b_again = {.name = {"b.yaml", 6}};
    ws_diag diag;
    char order[8] = "";

    ws_diag_init(&diag, &arena);
    (void)ws_diag_error(&diag, 1, (ws_span){.source = &b, .line = 9, .column = 1}, "4");
    (void)ws_diag_error(&diag, 1, (ws_span){.source = &a, .line = 1, .column = 1}, "5");
    (void)ws_diag_error(&diag, 1, (ws_span){.source = &b_again, .line = 2, .column = 8}, "2");
    (void)ws_diag_error(&diag, 1, (ws_span){.source = &b, .line = 2, .column = 8}, "3");
    (void)ws_diag_error(&diag, 1, (ws_span){.source = &b, .line = 2, .column = 7}, "1");
    (void)ws_diag_error(&diag, 1, ws_span_none, "6");
    ws_diag_sort(&diag);
    for (size_t i = 0; i < diag.count; i++) {
        order[i] = diag.entries[i].message.start[0];
    }
    cr_assert(eq(str, order, "123456"));
}

static ws_span span_at(const char *content, size_t from, size_t to)
{
    static ws_source source;

    source = (ws_source){.name = WS_TEXT("t"), .content = ws_text_of(content)};
    return ws_span_of_bytes(&source, from, to);
}

Test(span, counts_characters_not_bytes)
{
    /* "é" is two bytes, U+1F600 four: the key begins at byte 9, character 6. */
    ws_span span = span_at("a: \n\xC3\xA9 \xF0\x9F\x98\x80: key", 13, 16);

    cr_assert(eq(int, span.line, 2));
    cr_assert(eq(int, span.column, 6));
    cr_assert(eq(int, span.length, 3));
    cr_assert(eq(int, (int)span.offset, 13));
}

Test(span, byte_order_mark_takes_no_column)
{
    ws_span span = span_at("\xEF\xBB\xBFkey: 1", 3, 6);

    cr_assert(eq(int, span.line, 1));
    cr_assert(eq(int, span.column, 1));
    cr_assert(eq(int, span.length, 3));
}

Test(span, line_breaks_are_lf_crlf_and_cr)
{
    cr_assert(eq(int, span_at("a\nb", 2, 3).line, 2));
    cr_assert(eq(int, span_at("a\r\nb", 3, 4).line, 2));
    cr_assert(eq(int, span_at("a\r\nb", 3, 4).column, 1));
    cr_assert(eq(int, span_at("a\rb", 2, 3).line, 2));
    cr_assert(eq(int, span_at("a\n\n\r\n\rb", 6, 7).line, 5));
}

Test(span, ends_with_its_first_line)
{
    cr_assert(eq(int, span_at("ab\ncd", 0, 5).length, 2));
    cr_assert(eq(int, span_at("ab\r\ncd", 0, 6).length, 2));
}

Test(span, is_never_empty)
{
    cr_assert(eq(int, span_at("ab", 2, 2).length, 1));
    cr_assert(eq(int, span_at("ab", 2, 2).column, 3));
    cr_assert(eq(int, span_at("", 0, 0).line, 1));
}

static void glyph_check(const char *bytes, size_t length, const char *shown, size_t columns)
{
    ws_text text = {.start = bytes, .length = length};
    ws_glyph glyph;

    cr_assert(eq(sz, ws_glyph_next(text, 0, &glyph), length));
    cr_assert(eq(sz, glyph.columns, columns));
    cr_assert(ws_text_is((ws_text){.start = glyph.bytes, .length = glyph.length}, shown));
}

Test(glyph, shows_what_a_terminal_would_obey)
{
    glyph_check("a", 1, "a", 1);
    glyph_check("\t", 1, "\xE2\x86\x92", 1);
    glyph_check("\x1b", 1, "\\x1b", 4);
    glyph_check("\0", 1, "\\x00", 4);
    glyph_check("\x7f", 1, "\\x7f", 4);
    glyph_check("\xff", 1, "\\xff", 4);
    glyph_check("\xC2\x85", 2, "\\x85", 4);       /* NEL */
    glyph_check("\xE2\x80\xAE", 3, "\\u202e", 6); /* right-to-left override */
    glyph_check("\xE2\x80\xA8", 3, "\\u2028", 6); /* line separator */
    glyph_check("\xEF\xBB\xBF", 3, "\\ufeff", 6);
    glyph_check("\xC3\xA9", 2, "\xC3\xA9", 1);
    glyph_check("\xF0\x9F\x98\x80", 4, "\xF0\x9F\x98\x80", 1);
}

Test(glyph, hides_no_ordinary_letter)
{
    cr_assert_not(ws_glyph_is_hidden(' '));
    cr_assert_not(ws_glyph_is_hidden('~'));
    cr_assert_not(ws_glyph_is_hidden(0xA0));
    cr_assert_not(ws_glyph_is_hidden(0x627));  /* an Arabic letter */
    cr_assert_not(ws_glyph_is_hidden(0x200D)); /* joins emoji */
    cr_assert_not(ws_glyph_is_hidden(0x10FFFF));
    cr_assert(ws_glyph_is_hidden(0x2066));
    cr_assert(ws_glyph_is_hidden(0x2069));
    cr_assert_not(ws_glyph_is_hidden(0x206A));
}
