/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "trace_rejects.h"

#include <unistd.h>

#include "file_out.h"
#include "output.h"

#define TRACE_REJECTS_BYTES ((size_t)1 << 34)

bool ws_trace_rejects_init(ws_trace_rejects *rejects, const char *path, bool only_if_any,
                           const ws_invocation *invocation, ws_trace_options *options,
                           ws_diag *diag)
{
    *rejects = (ws_trace_rejects){
        .path = path, .only_if_any = only_if_any, .force = invocation->settings->force};
    ws_arena_init(&rejects->arena, &ws_allocator_default, TRACE_REJECTS_BYTES);
    if (path == NULL) {
        return true;
    }
    rejects->shown = ws_output_shown(ws_text_of(path), invocation->arena);
    ws_writer_init_memory(&rejects->writer, &rejects->arena);
    ws_trace_rejects_begin(&rejects->writer);
    options->rejects = &rejects->writer;
    return ws_file_out_check(path, rejects->shown, rejects->force, diag);
}

bool ws_trace_rejects_write(ws_trace_rejects *rejects, int64_t rejected, ws_text *written,
                            ws_arena *arena, ws_diag *diag)
{
    ws_file_out out;

    *written = WS_TEXT("");
    if (rejects->path == NULL) {
        return true;
    }
    if (rejected == 0 && rejects->only_if_any) {
        if (rejects->force) {
            (void)unlink(rejects->path);
        }
        return true;
    }
    if (!ws_writer_finish(&rejects->writer, diag) ||
        !ws_file_out_begin(&out, rejects->path, rejects->shown, rejects->force, arena, diag)) {
        return false;
    }
    ws_write_text(&out.writer, ws_writer_text(&rejects->writer));
    *written = rejects->shown;
    return ws_file_out_end(&out, diag);
}

void ws_trace_rejects_fini(ws_trace_rejects *rejects)
{
    ws_arena_reset(&rejects->arena);
}
