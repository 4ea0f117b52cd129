/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A text that grows in an arena: see buffer.h. */
#include "buffer.h"

#include <string.h>

#include "ws/assert.h"
#include "ws/glyph.h"
#include "ws/number.h"

void ws_buffer_init(ws_buffer *buffer, ws_arena *arena)
{
    WS_ASSERT(buffer != NULL);
    WS_ASSERT(arena != NULL);

    *buffer = (ws_buffer){.arena = arena};
}

/* Room for `more` bytes and a NUL. */
static bool buffer_reserve(ws_buffer *buffer, size_t more)
{
    size_t needed = 0;
    void *grown = NULL;

    if (buffer->failed || __builtin_add_overflow(buffer->length + 1, more, &needed)) {
        buffer->failed = true;
        return false;
    }
    grown =
        ws_arena_grow(buffer->arena, buffer->bytes, buffer->length, needed, &buffer->capacity, 1);
    buffer->failed = grown == NULL;
    buffer->bytes = grown == NULL ? buffer->bytes : grown;
    return !buffer->failed;
}

void ws_buffer_add(ws_buffer *buffer, ws_text text)
{
    WS_ASSERT(text.start != NULL || text.length == 0);

    if (text.length > 0 && buffer_reserve(buffer, text.length)) {
        memcpy(buffer->bytes + buffer->length, text.start, text.length);
        buffer->length += text.length;
    }
}

void ws_buffer_add_string(ws_buffer *buffer, const char *string)
{
    WS_ASSERT(string != NULL);

    ws_buffer_add(buffer, ws_text_of(string));
}

void ws_buffer_add_integer(ws_buffer *buffer, int64_t value)
{
    char digits[WS_NUMBER_TEXT_BYTES];
    size_t length = ws_print_i64(value, digits);

    ws_buffer_add(buffer, (ws_text){.start = digits, .length = length});
}

void ws_buffer_repeat(ws_buffer *buffer, char byte, size_t count)
{
    if (count > 0 && buffer_reserve(buffer, count)) {
        memset(buffer->bytes + buffer->length, byte, count);
        buffer->length += count;
    }
}

void ws_buffer_add_shown(ws_buffer *buffer, ws_text text)
{
    ws_glyph glyph;

    for (size_t i = 0; i < text.length;) {
        i += ws_glyph_next(text, i, &glyph);
        ws_buffer_add(buffer, (ws_text){.start = glyph.bytes, .length = glyph.length});
    }
}

ws_text ws_buffer_text(ws_buffer *buffer)
{
    if (!buffer_reserve(buffer, 0)) {
        return (ws_text){.start = NULL, .length = 0};
    }
    buffer->bytes[buffer->length] = '\0';
    return (ws_text){.start = buffer->bytes, .length = buffer->length};
}
