/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Borrowed text: comparison, slices, hashes, UTF-8, near names. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <string.h>

#include "ws/assert.h"
#include "ws/text.h"

Test(text, of_null_is_empty)
{
    ws_text text = ws_text_of(NULL);

    cr_assert(eq(sz, text.length, 0));
    cr_assert(ws_text_equals(text, WS_TEXT("")));
}

Test(text, equals_compares_bytes_behind_a_nul)
{
    cr_assert(ws_text_equals(WS_TEXT("a\0b"), WS_TEXT("a\0b")));
    cr_assert_not(ws_text_equals(WS_TEXT("a\0b"), WS_TEXT("a\0c")));
    cr_assert_not(ws_text_is(WS_TEXT("a\0b"), "a"));
    cr_assert(ws_text_is(WS_TEXT("seed"), "seed"));
}

Test(text, compare_is_a_total_order_of_unsigned_bytes)
{
    cr_assert(lt(int, ws_text_compare(WS_TEXT("a"), WS_TEXT("b")), 0));
    cr_assert(gt(int, ws_text_compare(WS_TEXT("ab"), WS_TEXT("a")), 0));
    cr_assert(eq(int, ws_text_compare(WS_TEXT("ab"), WS_TEXT("ab")), 0));
    cr_assert(lt(int, ws_text_compare(WS_TEXT(""), WS_TEXT("a")), 0));
    cr_assert(gt(int, ws_text_compare(WS_TEXT("\xC3"), WS_TEXT("z")), 0)); /* 0xC3 > 'z' */
}

Test(text, starts_and_ends)
{
    cr_assert(ws_text_starts_with(WS_TEXT("x-boot"), WS_TEXT("x-")));
    cr_assert_not(ws_text_starts_with(WS_TEXT("x"), WS_TEXT("x-")));
    cr_assert(ws_text_starts_with(WS_TEXT("x"), WS_TEXT("")));
    cr_assert(ws_text_ends_with(WS_TEXT("trace.csv.gz"), WS_TEXT(".gz")));
    cr_assert_not(ws_text_ends_with(WS_TEXT("gz"), WS_TEXT(".gz")));
}

Test(text, trimmed_takes_off_blanks_on_both_sides)
{
    cr_assert(ws_text_is(ws_text_trimmed(WS_TEXT(" \t a b \r\n")), "a b"));
    cr_assert(eq(sz, ws_text_trimmed(WS_TEXT(" \t\r\n")).length, 0));
    cr_assert(eq(sz, ws_text_trimmed(WS_TEXT("")).length, 0));
}

Test(text, slice_is_clipped)
{
    ws_text text = WS_TEXT("horizon");

    cr_assert(ws_text_is(ws_text_slice(text, 0, 4), "hori"));
    cr_assert(ws_text_is(ws_text_slice(text, 4, 99), "zon"));
    cr_assert(eq(sz, ws_text_slice(text, 99, 100).length, 0));
    cr_assert(eq(sz, ws_text_slice(text, 5, 2).length, 0));
    cr_assert(eq(sz, ws_text_slice(ws_text_of(NULL), 0, 3).length, 0));
}

Test(text, find_byte_gives_the_length_when_absent)
{
    cr_assert(eq(sz, ws_text_find_byte(WS_TEXT("key: value"), ':'), 3));
    cr_assert(eq(sz, ws_text_find_byte(WS_TEXT("key"), ':'), 3));
    cr_assert(eq(sz, ws_text_find_byte(ws_text_of(NULL), ':'), 0));
}

/* Vectors: draft-eastlake-fnv, appendix C, FNV-1a of 64 bits. */
Test(text, hash_is_fnv_1a)
{
    cr_assert(eq(u64, ws_text_hash(WS_TEXT("")), UINT64_C(0xcbf29ce484222325)));
    cr_assert(eq(u64, ws_text_hash(WS_TEXT("a")), UINT64_C(0xaf63dc4c8601ec8c)));
    cr_assert(eq(u64, ws_text_hash(WS_TEXT("foobar")), UINT64_C(0x85944171f73967e8)));
}

Test(text, decode_reads_each_length)
{
    uint32_t scalar = 0;

    cr_assert(eq(sz, ws_text_decode(WS_TEXT("A"), 0, &scalar), 1));
    cr_assert(eq(u32, scalar, 0x41));
    cr_assert(eq(sz, ws_text_decode(WS_TEXT("\xC3\xA9"), 0, &scalar), 2));
    cr_assert(eq(u32, scalar, 0xE9)); /* e with acute */
    cr_assert(eq(sz, ws_text_decode(WS_TEXT("x\xE2\x82\xAC"), 1, &scalar), 3));
    cr_assert(eq(u32, scalar, 0x20AC)); /* euro sign */
    cr_assert(eq(sz, ws_text_decode(WS_TEXT("\xF0\x9F\x98\x80"), 0, &scalar), 4));
    cr_assert(eq(u32, scalar, 0x1F600)); /* grinning face */
    cr_assert(eq(sz, ws_text_decode(WS_TEXT("\xF4\x8F\xBF\xBF"), 0, &scalar), 4));
    cr_assert(eq(u32, scalar, 0x10FFFF)); /* the last of Unicode */
}

/* RFC 3629, section 3 and 10: overlong forms, surrogates, beyond Unicode, cut short, stray bytes.
 */
Test(text, decode_refuses_what_is_no_utf_8)
{
    const ws_text wrong[] = {WS_TEXT("\x80"),
                             WS_TEXT("\xC0\x80"),
                             WS_TEXT("\xC1\xBF"),
                             WS_TEXT("\xE0\x80\x80"),
                             WS_TEXT("\xE0\x9F\xBF"),
                             WS_TEXT("\xED\xA0\x80"),
                             WS_TEXT("\xED\xBF\xBF"),
                             WS_TEXT("\xF0\x8F\xBF\xBF"),
                             WS_TEXT("\xF4\x90\x80\x80"),
                             WS_TEXT("\xF5\x80\x80\x80"),
                             WS_TEXT("\xFF"),
                             WS_TEXT("\xE2\x82"),
                             WS_TEXT("\xC3(")};

    for (size_t i = 0; i < WS_COUNT_OF(wrong); i++) {
        uint32_t scalar = 0;

        cr_assert(eq(sz, ws_text_decode(wrong[i], 0, &scalar), 1), "text %zu", i);
        cr_assert(eq(u32, scalar, WS_SCALAR_INVALID), "text %zu", i);
    }
}

Test(text, characters_counts_scalar_values)
{
    cr_assert(eq(sz, ws_text_characters(WS_TEXT("")), 0));
    cr_assert(eq(sz, ws_text_characters(WS_TEXT("gpu")), 3));
    cr_assert(eq(sz, ws_text_characters(WS_TEXT("\xC2\xB5s")), 2));
    cr_assert(eq(sz, ws_text_characters(WS_TEXT("\xFF\xFE")), 2)); /* each invalid byte is one */
}

static int nearest(const char *wrong, const char *a, const char *b, const char *c)
{
    const char *const names[] = {a, b, c};

    return ws_text_nearest(ws_text_of(wrong), names, WS_COUNT_OF(names));
}

/* The four names of reference/ux/scenario-yaml.md, section 5, numbers 1, 2, 15 and 28. */
Test(text, nearest_finds_the_names_of_the_manual)
{
    cr_assert(eq(int, nearest("polices", "outputs", "policies", "compare"), 1));
    cr_assert(eq(int, nearest("min_nodes", "initial", "min", "max"), 1));
    cr_assert(eq(int, nearest("h100-ondemand", "h100-spot", "h100-od", NULL), 1));
    cr_assert(eq(int,
                 nearest("calibration/h100-ib40.json", "calibration/h100-ib400.json",
                         "calibration/a100-ib200.json", NULL),
                 0));
}

Test(text, nearest_takes_other_spelling_habits)
{
    cr_assert(eq(int, nearest("perNode", "per_gpu", "per_node", NULL), 1));
    cr_assert(eq(int, nearest("per-node", "per_gpu", "per_node", NULL), 1));
    cr_assert(eq(int, nearest("HORIZON", "warmup", "horizon", "seed"), 1));
    cr_assert(eq(int, nearest("maxreplicas", "maxReplicas", "minReplicas", NULL), 0));
}

Test(text, nearest_counts_a_swap_as_one_slip)
{
    cr_assert(eq(int, nearest("sede", "mode", "seed", NULL), 1)); /* swap: 1; mode: 2 changes */
    cr_assert(eq(int, nearest("dits", "dist", "file", NULL), 0));
}

Test(text, nearest_is_silent_when_two_are_equally_near)
{
    cr_assert(eq(int, nearest("p96", "p90", "p95", "p99"), -1));
    cr_assert(eq(int, nearest("mix", "min", "max", NULL), -1));
}

Test(text, nearest_is_silent_about_the_far_and_the_tiny)
{
    cr_assert(eq(int, nearest("elastic", "rigid", "moldable", NULL), -1));
    cr_assert(eq(int, nearest("x", "p", "q", NULL), -1));
    cr_assert(eq(int, nearest("", "a", "b", NULL), -1));
    cr_assert(eq(int, ws_text_nearest(WS_TEXT("seed"), NULL, 0), -1));
}

Test(text, nearest_does_not_look_at_hostile_lengths)
{
    char wrong[70000];
    const char *const names[] = {"seed", NULL};

    memset(wrong, 's', sizeof wrong);
    cr_assert(eq(int, ws_text_nearest((ws_text){wrong, sizeof wrong}, names, 2), -1));
    cr_assert(eq(int, ws_text_nearest(WS_TEXT("\0\xFF\0"), names, 2), -1));
}
