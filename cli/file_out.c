/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "file_out.h"

#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ws/errno_text.h"

static bool file_out_refuse(ws_text shown, bool is_file, ws_diag *diag)
{
    ws_diagnostic diagnostic = {.severity = WS_SEVERITY_ERROR, .code = 8104, .at = ws_span_none};

    diagnostic.message =
        ws_arena_format(diag->arena, is_file ? "`%.*s` exists" : "`%.*s` exists and is no file",
                        WS_TEXT_ARGS(shown));
    diagnostic.help = is_file ? WS_TEXT("--force replaces it") : WS_TEXT("");
    ws_diag_add(diag, &diagnostic);
    return false;
}

bool ws_file_out_check(const char *path, ws_text shown, bool force, ws_diag *diag)
{
    struct stat found;

    WS_ASSERT(path != NULL);
    if (lstat(path, &found) < 0) {
        return true; /* what else is wrong shows when it is created */
    }
    return (force && S_ISREG(found.st_mode)) ||
           file_out_refuse(shown, S_ISREG(found.st_mode), diag);
}

bool ws_file_out_begin(ws_file_out *out, const char *path, ws_text shown, bool force,
                       ws_arena *arena, ws_diag *diag)
{
    *out = (ws_file_out){.path = path, .shown = shown, .force = force};
    if (!ws_file_out_check(path, shown, force, diag)) {
        return false;
    }
    out->aside = ws_arena_format(arena, "%s.%ld.part", path, (long)getpid());
    if (out->aside.start == NULL) {
        return ws_diag_error(diag, 8001, ws_span_none, "cannot create `%.*s`: out of memory",
                             WS_TEXT_ARGS(shown));
    }
    ws_signals_hold(&out->signals);
    if (!ws_writer_open(&out->writer, out->aside.start, shown, diag)) {
        ws_signals_release(&out->signals);
        return false;
    }
    return true;
}

/* Without `force` by a link, which fails where a file has come to be meanwhile; by a look and a
 * rename where links are not to be had. */
static bool file_out_place(const ws_file_out *out, ws_diag *diag)
{
    const char *aside = out->aside.start;

    if (!out->force && link(aside, out->path) == 0) {
        (void)unlink(aside);
        return true;
    }
    if (!ws_file_out_check(out->path, out->shown, out->force, diag)) {
        return false;
    }
    return rename(aside, out->path) == 0 ||
           ws_diag_error(diag, 8002, ws_span_none, "cannot write `%.*s`: %s",
                         WS_TEXT_ARGS(out->shown), ws_errno_text(errno));
}

bool ws_file_out_end(ws_file_out *out, ws_diag *diag)
{
    bool is_there = ws_writer_finish(&out->writer, diag) && file_out_place(out, diag);

    if (!is_there) {
        (void)unlink(out->aside.start);
    }
    ws_signals_release(&out->signals);
    return is_there;
}
