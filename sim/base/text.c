/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Borrowed text: comparison, slicing, hashing and UTF-8. */
#include "ws/text.h"

#include <string.h>

#include "ws/assert.h"

ws_text ws_text_of(const char *string)
{
    return (ws_text){.start = string, .length = string == NULL ? 0 : strlen(string)};
}

bool ws_text_equals(ws_text a, ws_text b)
{
    WS_ASSERT(a.start != NULL || a.length == 0);
    WS_ASSERT(b.start != NULL || b.length == 0);

    return a.length == b.length && (a.length == 0 || memcmp(a.start, b.start, a.length) == 0);
}

bool ws_text_is(ws_text a, const char *b)
{
    return ws_text_equals(a, ws_text_of(b));
}

int ws_text_compare(ws_text a, ws_text b)
{
    size_t common = a.length < b.length ? a.length : b.length;
    int order = common == 0 ? 0 : memcmp(a.start, b.start, common);

    return order != 0 ? order : (a.length > b.length) - (a.length < b.length);
}

bool ws_text_starts_with(ws_text text, ws_text prefix)
{
    return text.length >= prefix.length &&
           ws_text_equals(ws_text_slice(text, 0, prefix.length), prefix);
}

bool ws_text_ends_with(ws_text text, ws_text suffix)
{
    return text.length >= suffix.length &&
           ws_text_equals(ws_text_slice(text, text.length - suffix.length, text.length), suffix);
}

static bool text_is_blank(char byte)
{
    return byte == ' ' || byte == '\t' || byte == '\r' || byte == '\n';
}

ws_text ws_text_trimmed(ws_text text)
{
    size_t from = 0;
    size_t to = text.length;

    while (from < to && text_is_blank(text.start[from])) {
        from++;
    }
    while (to > from && text_is_blank(text.start[to - 1])) {
        to--;
    }
    return ws_text_slice(text, from, to);
}

ws_text ws_text_beginning(ws_text text, size_t bytes_max)
{
    size_t end = bytes_max;

    if (text.length <= bytes_max) {
        return text;
    }
    /* Bytes 10xxxxxx go on with a character, of which there are at most three. */
    while (end > 0 && bytes_max - end < 4 && ((unsigned char)text.start[end] & 0xc0) == 0x80) {
        end--;
    }
    return ws_text_slice(text, 0, end);
}

size_t ws_text_find_byte(ws_text text, char byte)
{
    const char *found = text.length == 0 ? NULL : memchr(text.start, byte, text.length);

    return found == NULL ? text.length : (size_t)(found - text.start);
}

uint64_t ws_text_hash(ws_text text)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325); /* the offset basis of FNV-1a */

    for (size_t i = 0; i < text.length; i++) {
        hash ^= (unsigned char)text.start[i];
        hash *= UINT64_C(0x100000001b3); /* the FNV prime; wraps by design */
    }
    return hash;
}

/* Length that a leading byte announces, or 0, and its share of the scalar value. */
static size_t text_utf8_length(unsigned char lead, uint32_t *bits)
{
    if (lead < 0x80) {
        *bits = lead;
        return 1;
    }
    if (lead >= 0xC2 && lead < 0xE0) {
        *bits = lead & 0x1Fu;
        return 2;
    }
    if (lead >= 0xE0 && lead < 0xF0) {
        *bits = lead & 0x0Fu;
        return 3;
    }
    if (lead >= 0xF0 && lead < 0xF5) {
        *bits = lead & 0x07u;
        return 4;
    }
    return 0;
}

/* Not overlong, no surrogate, within Unicode. */
static bool text_is_scalar(uint32_t value, size_t length)
{
    if (length == 3 && value < 0x800) {
        return false;
    }
    if (length == 4 && (value < 0x10000 || value > 0x10FFFF)) {
        return false;
    }
    return value < 0xD800 || value > 0xDFFF;
}

size_t ws_text_decode(ws_text text, size_t from, uint32_t *scalar)
{
    uint32_t value = 0;
    size_t length = 0;

    WS_ASSERT(from < text.length);
    WS_ASSERT(scalar != NULL);

    *scalar = WS_SCALAR_INVALID;
    length = text_utf8_length((unsigned char)text.start[from], &value);
    if (length == 0 || length > text.length - from) {
        return 1;
    }
    for (size_t i = 1; i < length; i++) {
        unsigned char byte = (unsigned char)text.start[from + i];

        if ((byte & 0xC0u) != 0x80) {
            return 1;
        }
        value = value << 6 | (byte & 0x3Fu);
    }
    if (!text_is_scalar(value, length)) {
        return 1;
    }
    *scalar = value;
    return length;
}

size_t ws_text_characters(ws_text text)
{
    size_t count = 0;
    uint32_t scalar = 0;

    for (size_t i = 0; i < text.length; i += ws_text_decode(text, i, &scalar)) {
        count++;
    }
    return count;
}
