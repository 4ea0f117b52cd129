/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "input_stream.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "ws/assert.h"
#include "ws/errno_text.h"

#include "shell_word.h"

#define STREAM_RATIO_FREE_BYTES (INT64_C(1) << 20)

ws_text ws_input_print_bytes(ws_arena *arena, int64_t bytes)
{
    static const char *const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
    size_t unit = 0;

    WS_ASSERT(bytes > 0);
    while (bytes % 1024 == 0 && unit + 1 < WS_COUNT_OF(units)) {
        bytes /= 1024;
        unit++;
    }
    return ws_arena_format(arena, "%" PRId64 " %s", bytes, units[unit]);
}

bool ws_input_stream_fail(ws_input_stream *stream, const ws_diagnostic *fault)
{
    ws_diagnostic diagnostic = *fault;

    diagnostic.severity = WS_SEVERITY_ERROR;
    diagnostic.at = stream->at;
    ws_diag_add(stream->diag, &diagnostic);
    stream->failed = true;
    return false;
}

bool ws_input_stream_fail_reading(ws_input_stream *stream, const char *reason)
{
    ws_text message = ws_arena_format(stream->diag->arena, "cannot read `%.*s`: %s",
                                      WS_TEXT_ARGS(stream->shown), reason);
    ws_diagnostic fault = {.code = 6003, .message = message};

    if (stream->raw_bytes > 0) {
        fault.notes[0] = WS_TEXT("the data read so far are not used");
    }
    return ws_input_stream_fail(stream, &fault);
}

/* The command with FILE replaced by the name wherever that is safe. */
static ws_text stream_command(const ws_input_stream *stream, const char *command)
{
    ws_arena *arena = stream->diag->arena;
    ws_text text = ws_arena_format(arena, "run `");

    for (const char *rest = command; text.start != NULL;) {
        const char *gap = strstr(rest, "FILE");
        if (gap == NULL || !ws_shell_word_is_plain(stream->shown)) {
            return ws_arena_format(arena, "%.*s%s` first", WS_TEXT_ARGS(text), rest);
        }
        text = ws_arena_format(arena, "%.*s%.*s%.*s", WS_TEXT_ARGS(text), (int)(gap - rest), rest,
                               WS_TEXT_ARGS(stream->shown));
        rest = gap + strlen("FILE");
    }
    return text;
}

static bool stream_refuse(ws_input_stream *stream, const ws_input_refusal *refusal)
{
    ws_text message =
        ws_arena_format(stream->diag->arena, "`%.*s` %s %s", WS_TEXT_ARGS(stream->shown),
                        stream->codec == NULL ? "is" : "holds", refusal->kind);

    return ws_input_stream_fail(
        stream, &(ws_diagnostic){.code = 6004,
                                 .message = message,
                                 .label = WS_TEXT("only text, gzip and zstd are read"),
                                 .help = stream_command(stream, refusal->command)});
}

/* Fills the raw buffer, which is used up. A pipe may give little at a time; the kind of a file
 * shows only in its head. */
static bool stream_read_raw(ws_input_stream *stream)
{
    WS_ASSERT(!stream->raw_ended);
    WS_ASSERT(stream->raw_next == stream->raw_end);

    stream->raw_next = 0;
    stream->raw_end = 0;
    while (!stream->raw_ended && stream->raw_end < sizeof stream->raw) {
        ssize_t got =
            read(stream->file, stream->raw + stream->raw_end, sizeof stream->raw - stream->raw_end);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got < 0) {
            return ws_input_stream_fail_reading(stream, ws_errno_text(errno));
        }
        stream->raw_ended = got == 0;
        stream->raw_end += (size_t)got;
        stream->raw_bytes += got;
    }
    return true;
}

/* A file that changed under our hands would give a result that nobody can repeat. */
static bool stream_check_unchanged(ws_input_stream *stream)
{
    struct stat now;

    if (stream->is_stdin) {
        return true;
    }
    if (fstat(stream->file, &now) != 0) {
        return ws_input_stream_fail_reading(stream, ws_errno_text(errno));
    }
    if (now.st_size != stream->opened.st_size ||
        now.st_mtim.tv_sec != stream->opened.st_mtim.tv_sec ||
        now.st_mtim.tv_nsec != stream->opened.st_mtim.tv_nsec) {
        return ws_input_stream_fail_reading(stream, "it was changed while it was read");
    }
    return true;
}

static bool stream_check_limits(ws_input_stream *stream)
{
    ws_arena *arena = stream->diag->arena;
    int64_t used = stream->raw_bytes - (int64_t)(stream->raw_end - stream->raw_next);

    if (stream->bytes > stream->limits.bytes_max) {
        ws_text limit = ws_input_print_bytes(arena, stream->limits.bytes_max);
        ws_text message = ws_arena_format(arena, "`%.*s` holds more than %.*s",
                                          WS_TEXT_ARGS(stream->shown), WS_TEXT_ARGS(limit));
        return ws_input_stream_fail(stream, &(ws_diagnostic){.code = 9013, .message = message});
    }
    if (stream->codec != NULL && stream->bytes > STREAM_RATIO_FREE_BYTES &&
        (double)stream->bytes > stream->limits.ratio_max * (double)used) {
        ws_text message = ws_arena_format(arena, "`%.*s` unpacks to more than %g times its size",
                                          WS_TEXT_ARGS(stream->shown), stream->limits.ratio_max);
        return ws_input_stream_fail(
            stream, &(ws_diagnostic){.code = 9012,
                                     .message = message,
                                     .help = WS_TEXT("if you trust it, unpack it first")});
    }
    return true;
}

/* Copies or unpacks raw bytes to `out`; `*produced` 0 means that more raw bytes are needed. */
static bool stream_convert(ws_input_stream *stream, char *out, size_t capacity, size_t *produced)
{
    ws_input_piece piece = {
        .in = stream->raw + stream->raw_next,
        .in_left = stream->raw_end - stream->raw_next,
        .out = (unsigned char *)out,
        .out_left = capacity,
    };
    const char *reason = NULL;

    if (stream->codec == NULL) {
        size_t taken = piece.in_left < capacity ? piece.in_left : capacity;
        memcpy(out, piece.in, taken);
        piece.in_left -= taken;
        piece.out_left -= taken;
    } else {
        reason = stream->codec->unpack(stream->decoder, &piece);
    }
    *produced = capacity - piece.out_left;
    stream->raw_next = stream->raw_end - piece.in_left;
    stream->bytes += (int64_t)*produced;
    return reason == NULL || ws_input_stream_fail_reading(stream, reason);
}

static bool stream_finish(ws_input_stream *stream)
{
    if (stream->codec != NULL && !stream->codec->may_end(stream->decoder)) {
        ws_text reason = ws_arena_format(stream->diag->arena, "its %s data end in the middle",
                                         stream->codec->name);
        return ws_input_stream_fail_reading(stream, reason.start == NULL ? "it is truncated"
                                                                         : reason.start);
    }
    stream->ended = true;
    return stream_check_unchanged(stream);
}

bool ws_input_stream_take(ws_input_stream *stream, char *out, size_t capacity, size_t *produced)
{
    WS_ASSERT(capacity > 0);

    *produced = 0;
    while (!stream->ended) {
        if (!stream_convert(stream, out, capacity, produced)) {
            return false;
        }
        if (*produced > 0) {
            return stream_check_limits(stream);
        }
        WS_ASSERT(stream->raw_next == stream->raw_end);
        if (!(stream->raw_ended ? stream_finish(stream) : stream_read_raw(stream))) {
            return false;
        }
    }
    return true;
}

static const char *stream_kind_of(mode_t mode)
{
    if (S_ISDIR(mode)) {
        return "a directory";
    }
    if (S_ISFIFO(mode)) {
        return "a named pipe";
    }
    if (S_ISSOCK(mode)) {
        return "a socket";
    }
    return "a device";
}

static bool stream_report_kind(const ws_input_stream *stream, mode_t mode)
{
    return ws_diag_error(stream->diag, 6002, stream->at, "`%.*s` is %s, not a regular file",
                         WS_TEXT_ARGS(stream->shown), stream_kind_of(mode));
}

static bool stream_report_open(const ws_input_stream *stream, const char *path, int error)
{
    struct stat named;

    /* A socket cannot even be opened. */
    if (error == ENXIO && stat(path, &named) == 0) {
        return stream_report_kind(stream, named.st_mode);
    }
    bool is_missing = error == ENOENT || error == ENOTDIR;
    return ws_diag_error(stream->diag, is_missing ? 6001 : 6003, stream->at,
                         "cannot read `%.*s`: %s", WS_TEXT_ARGS(stream->shown),
                         is_missing ? "no such file" : ws_errno_text(error));
}

/* Opens without waiting for a pipe's writer, and looks at what was opened, not at a name that may
 * change its meaning. */
static bool stream_open_file(ws_input_stream *stream, const char *path)
{
    stream->is_stdin = stream->limits.allow_stdin && strcmp(path, "-") == 0;
    stream->file = stream->is_stdin ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0)
                                    : open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (stream->file < 0 || fstat(stream->file, &stream->opened) != 0) {
        return stream_report_open(stream, path, errno);
    }
    mode_t mode = stream->opened.st_mode;
    if (stream->is_stdin ? S_ISDIR(mode) : !S_ISREG(mode)) {
        return stream_report_kind(stream, mode);
    }
    return true;
}

/* Tells the packing by the first bytes. */
static bool stream_choose_codec(ws_input_stream *stream)
{
    if (!stream_read_raw(stream)) {
        return false;
    }
    ws_text head = {.start = (const char *)stream->raw, .length = stream->raw_end};
    const ws_input_refusal *refusal = ws_input_refusal_find(head);
    if (refusal != NULL) {
        return stream_refuse(stream, refusal);
    }
    stream->codec = ws_input_codec_find(head);
    if (stream->codec == NULL) {
        return true;
    }
    stream->decoder = stream->codec->open();
    if (stream->decoder == NULL) {
        return ws_input_stream_fail_reading(stream, "there is no memory to unpack it");
    }
    return true;
}

bool ws_input_stream_open(ws_input_stream *stream, const char *path)
{
    WS_ASSERT(path != NULL);
    WS_ASSERT(stream->diag != NULL);
    WS_ASSERT(stream->limits.bytes_max > 0);
    WS_ASSERT(stream->limits.ratio_max > 0);

    stream->file = -1;
    return stream_open_file(stream, path) && stream_choose_codec(stream);
}

bool ws_input_stream_check_inner(ws_input_stream *stream, ws_text head)
{
    const ws_input_refusal *refusal = ws_input_refusal_find(head);

    WS_ASSERT(stream->codec != NULL);
    if (refusal != NULL) {
        return stream_refuse(stream, refusal);
    }
    if (ws_input_codec_find(head) != NULL) {
        ws_text message = ws_arena_format(stream->diag->arena, "`%.*s` is packed twice",
                                          WS_TEXT_ARGS(stream->shown));
        return ws_input_stream_fail(
            stream,
            &(ws_diagnostic){.code = 6004, .message = message, .help = WS_TEXT("unpack it once")});
    }
    return true;
}

void ws_input_stream_close(ws_input_stream *stream)
{
    if (stream->decoder != NULL) {
        stream->codec->close(stream->decoder);
    }
    if (stream->file >= 0) {
        (void)close(stream->file);
    }
    stream->decoder = NULL;
    stream->file = -1;
}
