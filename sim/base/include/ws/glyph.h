/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Glyphs: what of a foreign text may reach a terminal or a report.
 *
 * Text of files is shown character by character. What a terminal would obey or a reader could not
 * see (control characters, line and paragraph separators, bidirectional marks, stray byte-order
 * marks, bytes that are no UTF-8) is shown escaped.
 */
#ifndef WS_GLYPH_H
#define WS_GLYPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ws/text.h"

/** One character as it is shown. */
typedef struct {
    char bytes[12]; /* UTF-8, not terminated: the character itself, or `→` for a tab, `\x1b`,
                       `\u202e` */
    size_t length;  /* bytes, >= 1 */
    size_t columns; /* characters of the shown form, >= 1 */
} ws_glyph;

/**
 * True for characters that are never shown as they are: C0 and C1 controls (tab and newline
 * included), DEL, U+2028, U+2029, the bidirectional marks, embeddings, overrides and isolates,
 * U+FEFF, U+FFFE and U+FFFF. Source: Unicode 15, and Boucher and Anderson, "Trojan Source" (2021),
 * for the bidirectional ones.
 */
bool ws_glyph_is_hidden(uint32_t scalar);

/**
 * The shown form of the character that starts at byte `from`, which must lie within the text.
 *
 * @return  bytes of the text that it stands for, 1..4; an invalid byte is shown alone, as `\xff`
 */
size_t ws_glyph_next(ws_text text, size_t from, ws_glyph *glyph);

#endif
