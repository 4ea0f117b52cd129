/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * A piece of text that somebody else owns: start and length, not terminated, may hold any byte.
 *
 * Text from files is never compared with strcmp: a scalar may hold an inner NUL.
 */
#ifndef WS_TEXT_H
#define WS_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ws/assert.h"

typedef struct {
    const char *start; /* may be NULL only when length is 0 */
    size_t length;     /* bytes */
} ws_text;

/** A text over a string literal. */
#define WS_TEXT(literal) ((ws_text){.start = (literal), .length = sizeof(literal) - 1})

/** The arguments of a "%.*s" conversion. */
#define WS_TEXT_ARGS(text) (int)(text).length, (text).start

/** A text over a terminated string, which must outlive it. NULL gives the empty text. */
ws_text ws_text_of(const char *string);

/** True when both hold the same bytes. */
bool ws_text_equals(ws_text a, ws_text b);

/** True when `a` holds the bytes of the terminated string `b`. */
bool ws_text_is(ws_text a, const char *b);

/** Byte-wise order: negative, zero or positive. A total order, independent of the locale. */
int ws_text_compare(ws_text a, ws_text b);

/** True when the first bytes of `text` are those of `prefix`; the empty prefix begins every text.
 */
bool ws_text_starts_with(ws_text text, ws_text prefix);

/** True when the last bytes of `text` are those of `suffix`; the empty suffix ends every text. */
bool ws_text_ends_with(ws_text text, ws_text suffix);

/** The text without leading and trailing blanks, tabs, carriage returns and newlines. */
ws_text ws_text_trimmed(ws_text text);

/** The bytes from `from` (clipped) up to, not including, `to` (clipped). */
static inline ws_text ws_text_slice(ws_text text, size_t from, size_t to)
{
    WS_ASSERT(text.start != NULL || text.length == 0);

    to = to > text.length ? text.length : to;
    from = from > to ? to : from;
    return (ws_text){.start = from == 0 ? text.start : text.start + from, .length = to - from};
}

/** The text, or as many of its first characters as `bytes_max` bytes hold when it is longer (bytes
 * that are no UTF-8 are cut anywhere). */
ws_text ws_text_beginning(ws_text text, size_t bytes_max);

/** Index of the first `byte`, or text.length. */
size_t ws_text_find_byte(ws_text text, char byte);

/** 64-bit FNV-1a of the bytes; the key of named random streams, so it never changes. Source: RFC
 * draft fnv-17. */
uint64_t ws_text_hash(ws_text text);

/** No Unicode scalar value: what ws_text_decode() says of an invalid byte. */
#define WS_SCALAR_INVALID UINT32_MAX

/**
 * The character of UTF-8 text that starts at byte `from`, which must lie within the text.
 *
 * @param scalar  receives its Unicode scalar value, or WS_SCALAR_INVALID for a byte that starts no
 * valid character (overlong forms, surrogates and values beyond U+10FFFF are invalid; RFC 3629)
 * @return        its length, 1..4 bytes; 1 for an invalid byte
 */
size_t ws_text_decode(ws_text text, size_t from, uint32_t *scalar);

/** Number of Unicode scalar values in UTF-8 text; an invalid byte counts as one. */
size_t ws_text_characters(ws_text text);

/**
 * Index of the one name that `wrong` was probably meant to be, or -1: equal but for case, `_`, `-`
 * and camel case, or clearly nearest with a Damerau-Levenshtein distance of at most max(1, length /
 * 3), or the one with letters left out or added
 * (`min_nodes` for `min`). Case never counts. -1 also when two names are equally near: list the
 * names then.
 *
 * @param wrong   no longer than 64 bytes, else -1
 * @param names   terminated strings, may hold NULL entries, which are passed over
 */
int ws_text_nearest(ws_text wrong, const char *const *names, size_t count);

#endif
