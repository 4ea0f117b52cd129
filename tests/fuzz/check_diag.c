/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "check_diag.h"

#include "ws/assert.h"
#include "ws/glyph.h"

static void check_shown(ws_text text)
{
    uint32_t scalar = 0;

    for (size_t i = 0; i < text.length;) {
        i += ws_text_decode(text, i, &scalar);
        WS_ASSERT(scalar != WS_SCALAR_INVALID);
        WS_ASSERT(scalar == '\n' || !ws_glyph_is_hidden(scalar));
    }
}

static void check_place(const ws_span *at)
{
    WS_ASSERT(at->source == NULL || at->line == 0 ||
              (size_t)at->offset <= at->source->content.length);
}

void ws_check_diag(const ws_diag *diag, bool good, ws_arena *arena)
{
    WS_ASSERT(good == (diag->error_count == 0));
    for (size_t i = 0; i < diag->count; i++) {
        check_place(&diag->entries[i].at);
        check_place(&diag->entries[i].also);
        check_shown(ws_diagnostic_print(&diag->entries[i], false, arena));
    }
}
