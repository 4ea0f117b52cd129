/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What of a foreign text may reach a terminal: see ws/glyph.h. */
#include "ws/glyph.h"

#include <string.h>

#include "ws/assert.h"

static const char glyph_digits[] = "0123456789abcdef";
static const char glyph_tab[] = "\xE2\x86\x92"; /* U+2192, an arrow to the right */

bool ws_glyph_is_hidden(uint32_t scalar)
{
    if (scalar < 0x20 || (scalar >= 0x7F && scalar <= 0x9F)) {
        return true;
    }
    if (scalar < 0x061C) {
        return false;
    }
    return scalar == 0x061C || scalar == 0x200E || scalar == 0x200F || scalar == 0x2028 ||
           scalar == 0x2029 || (scalar >= 0x202A && scalar <= 0x202E) ||
           (scalar >= 0x2066 && scalar <= 0x2069) || scalar == 0xFEFF || scalar == 0xFFFE ||
           scalar == 0xFFFF;
}

/* `\x1b` with two digits, `\u202e` with four. */
static void glyph_escape(ws_glyph *glyph, char letter, uint32_t value, size_t digits)
{
    WS_ASSERT(digits + 2 <= sizeof glyph->bytes);

    glyph->bytes[0] = '\\';
    glyph->bytes[1] = letter;
    for (size_t i = 0; i < digits; i++) {
        glyph->bytes[2 + i] = glyph_digits[value >> 4 * (digits - 1 - i) & 0xFu];
    }
    glyph->length = 2 + digits;
    glyph->columns = 2 + digits;
}

size_t ws_glyph_next(ws_text text, size_t from, ws_glyph *glyph)
{
    uint32_t scalar = 0;
    size_t length = 0;

    WS_ASSERT(glyph != NULL);
    WS_ASSERT(from < text.length);

    length = ws_text_decode(text, from, &scalar);
    if (scalar == WS_SCALAR_INVALID) {
        glyph_escape(glyph, 'x', (unsigned char)text.start[from], 2);
        return length;
    }
    if (scalar == '\t') {
        memcpy(glyph->bytes, glyph_tab, sizeof glyph_tab - 1);
        glyph->length = sizeof glyph_tab - 1;
        glyph->columns = 1;
        return length;
    }
    if (ws_glyph_is_hidden(scalar)) {
        bool is_short = scalar <= 0xFF;

        glyph_escape(glyph, is_short ? 'x' : 'u', scalar, is_short ? 2 : 4);
        return length;
    }
    memcpy(glyph->bytes, text.start + from, length);
    glyph->length = length;
    glyph->columns = 1;
    return length;
}
