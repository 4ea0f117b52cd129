/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * A text that grows in an arena, for the printers of this folder: write first, check once.
 *
 * After the arena is exhausted a buffer does nothing more and ws_buffer_text() gives a text with
 * NULL start.
 */
#ifndef WS_BASE_BUFFER_H
#define WS_BASE_BUFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ws/arena.h"
#include "ws/text.h"

typedef struct {
    ws_arena *arena;
    char *bytes;
    size_t length;
    size_t capacity;
    bool failed;
} ws_buffer;

/** An empty buffer; its bytes end with the arena. */
void ws_buffer_init(ws_buffer *buffer, ws_arena *arena);

void ws_buffer_add(ws_buffer *buffer, ws_text text);
void ws_buffer_add_string(ws_buffer *buffer, const char *string);
void ws_buffer_add_integer(ws_buffer *buffer, int64_t value);

/** The same byte `count` times. */
void ws_buffer_repeat(ws_buffer *buffer, char byte, size_t count);

/** A foreign text, each character in its shown form (ws/glyph.h). */
void ws_buffer_add_shown(ws_buffer *buffer, ws_text text);

/** What was written, a NUL behind it; valid until the next write. NULL start when the arena was
 * exhausted. */
ws_text ws_buffer_text(ws_buffer *buffer);

#endif
