/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files that a scenario names, by what was read: their digests are in the results. */
#include "build.h"
#include "ws/input.h"

static bool input_is_noted(const ws_build *context, ws_text path)
{
    for (size_t i = 0; i < context->loaded->input_count; i++) {
        if (ws_text_equals(context->loaded->inputs[i].path, path)) {
            return true;
        }
    }
    return false;
}

bool ws_build_note_input(ws_build *context, const ws_file_name *file, ws_text role)
{
    ws_loaded *loaded = context->loaded;
    ws_input_file input = {.path = file->shown, .role = role};
    ws_text content = {.length = 0};
    ws_arena bytes;
    ws_sha256 hash;

    WS_ASSERT(file->path != NULL);
    if (input_is_noted(context, file->shown) || loaded->input_count == WS_INPUT_FILES_MAX) {
        return true;
    }
    ws_arena_init(&bytes, &context->arena->allocator,
                  context->arena->bound_bytes - context->arena->used_bytes);
    bool read =
        ws_input_load(&content, file, &(ws_input_limits){.bytes_max = 0}, &bytes, context->diag);
    if (read) {
        ws_sha256_init(&hash);
        ws_sha256_update(&hash, content.start, content.length);
        ws_sha256_print(&hash, input.sha256);
        input.bytes = (int64_t)content.length;
        loaded->inputs[loaded->input_count++] = input;
    }
    ws_arena_reset(&bytes);
    return read;
}
