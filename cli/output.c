/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "output.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "status.h"
#include "ws/glyph.h"

#define OUTPUT_SHOWN_BYTES 200

void ws_output_begin(ws_writer *writer)
{
    WS_ASSERT(writer != NULL);
    ws_writer_init_fd(writer, STDOUT_FILENO, WS_TEXT("standard output"));
}

int ws_output_finish(ws_writer *writer, int status)
{
    WS_ASSERT(writer->arena == NULL);

    ws_arena arena;
    ws_diag diag;

    ws_arena_init(&arena, &ws_allocator_default, (size_t)1 << 20);
    ws_diag_init(&diag, &arena);
    if (!ws_writer_finish(writer, &diag)) {
        status = writer->error == EPIPE ? WS_STATUS_PIPE : WS_STATUS_FAILED;
    }
    if (status == WS_STATUS_FAILED && diag.count > 0) {
        ws_output_error("worldsize: %.*s\n", WS_TEXT_ARGS(diag.entries[0].message));
    }
    ws_arena_reset(&arena);
    return status;
}

void ws_output_error(const char *format, ...)
{
    WS_ASSERT(format != NULL);

    va_list arguments;

    va_start(arguments, format);
    (void)vfprintf(stderr, format, arguments);
    va_end(arguments);
}

ws_text ws_output_shown(ws_text text, ws_arena *arena)
{
    WS_ASSERT(text.start != NULL || text.length == 0);

    char shown[OUTPUT_SHOWN_BYTES + 16];
    size_t length = 0;
    ws_glyph glyph;

    for (size_t at = 0; at < text.length; at += ws_glyph_next(text, at, &glyph)) {
        (void)ws_glyph_next(text, at, &glyph);
        if (length + glyph.length > OUTPUT_SHOWN_BYTES) {
            memcpy(shown + length, "...", 3);
            length += 3;
            break;
        }
        memcpy(shown + length, glyph.bytes, glyph.length);
        length += glyph.length;
    }
    return ws_arena_copy_text(arena, (ws_text){.start = shown, .length = length});
}

/* ---- diagnostics ---- */

static bool output_is_wanted(const ws_diagnostic *entry, bool quiet)
{
    return !quiet || entry->severity == WS_SEVERITY_ERROR || entry->severity == WS_SEVERITY_BUG;
}

static const char *output_plural(size_t count)
{
    return count == 1 ? "" : "s";
}

/* "3 errors, 1 warning": of what was printed or passed over. */
static void output_count(size_t errors, size_t warnings)
{
    if (errors > 0) {
        ws_output_error("%zu error%s", errors, output_plural(errors));
    }
    if (warnings > 0) {
        ws_output_error("%s%zu warning%s", errors > 0 ? ", " : "", warnings,
                        output_plural(warnings));
    }
    if (errors + warnings > 0) {
        ws_output_error("\n");
    }
}

void ws_output_diagnostics(const ws_diag *diag, size_t from, const ws_terminal *terminal,
                           bool quiet, ws_arena *arena)
{
    WS_ASSERT(from <= diag->count);

    size_t shown = 0;
    size_t hidden = from == 0 ? diag->dropped : 0;
    size_t errors = 0;
    size_t warnings = 0;

    for (size_t i = from; i < diag->count; i++) {
        const ws_diagnostic *entry = &diag->entries[i];
        if (!output_is_wanted(entry, quiet)) {
            continue;
        }
        errors += entry->severity >= WS_SEVERITY_ERROR ? 1 : 0;
        warnings += entry->severity == WS_SEVERITY_WARNING ? 1 : 0;
        if (shown == WS_DIAG_SHOWN_MAX) {
            hidden++;
            continue;
        }
        ws_text text = ws_diagnostic_print(entry, terminal->colour_err, arena);
        ws_output_error("%.*s\n", WS_TEXT_ARGS(text));
        shown++;
    }
    if (hidden > 0) {
        ws_output_error("%zu more\n", hidden);
    }
    output_count(errors, warnings);
}

int ws_output_status(const ws_diag *diag, int status)
{
    WS_ASSERT(diag != NULL);
    for (size_t i = 0; i < diag->count; i++) {
        if (diag->entries[i].severity == WS_SEVERITY_BUG) {
            return WS_STATUS_BUG;
        }
    }
    return status;
}
