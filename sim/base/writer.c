/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bytes to a file, a descriptor or memory: counted, hashed, and the first failure kept. */
#include "ws/writer.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "ws/errno_text.h"

/* Longer output of one ws_write_format() goes through the heap. */
#define WRITER_FORMAT_BYTES 512

static void writer_init(ws_writer *writer, ws_text shown)
{
    WS_ASSERT(writer != NULL);

    memset(writer, 0, sizeof *writer);
    writer->fd = -1;
    writer->name = shown;
    ws_sha256_init(&writer->hash);
}

void ws_writer_init_memory(ws_writer *writer, ws_arena *arena)
{
    WS_ASSERT(arena != NULL);

    writer_init(writer, WS_TEXT("memory"));
    writer->arena = arena;
}

void ws_writer_init_fd(ws_writer *writer, int fd, ws_text shown)
{
    WS_ASSERT(fd >= 0);

    writer_init(writer, shown);
    writer->fd = fd;
}

bool ws_writer_open(ws_writer *writer, const char *path, ws_text shown, ws_diag *diag)
{
    int fd = -1;

    WS_ASSERT(path != NULL);
    WS_ASSERT(diag != NULL);

    do {
        fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    } while (fd < 0 && errno == EINTR);
    if (fd < 0) {
        return ws_diag_error(diag, 8001, ws_span_none, "cannot create `%.*s`: %s",
                             WS_TEXT_ARGS(shown), ws_errno_text(errno));
    }
    ws_writer_init_fd(writer, fd, shown);
    writer->owns_fd = true;
    return true;
}

/* Waits until a descriptor that somebody set to non-blocking takes bytes again. */
static bool writer_wait(int fd)
{
    struct pollfd ready = {.fd = fd, .events = POLLOUT};

    return poll(&ready, 1, -1) >= 0 || errno == EINTR;
}

/* All bytes to the descriptor, in as many pieces as the system wants. */
static void writer_send(ws_writer *writer, const char *bytes, size_t count)
{
    WS_ASSERT(writer->fd >= 0);

    while (count > 0 && writer->error == 0) {
        ssize_t sent = write(writer->fd, bytes, count > SSIZE_MAX ? SSIZE_MAX : count);

        if (sent >= 0) {
            bytes += sent;
            count -= (size_t)sent;
        } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
            writer->error = writer_wait(writer->fd) ? 0 : errno;
        } else if (errno != EINTR) {
            writer->error = errno;
        }
    }
}

static void writer_flush(ws_writer *writer)
{
    writer_send(writer, writer->small, writer->length);
    writer->length = 0;
}

static void writer_keep_in_memory(ws_writer *writer, const void *bytes, size_t count)
{
    char *grown = NULL;

    if (count > PTRDIFF_MAX - writer->length) {
        writer->error = ENOMEM;
        return;
    }
    grown = ws_arena_grow(writer->arena, writer->buffer, writer->length, writer->length + count,
                          &writer->capacity, 1);
    if (grown == NULL) {
        writer->error = ENOMEM;
        return;
    }
    memcpy(grown + writer->length, bytes, count);
    writer->buffer = grown;
    writer->length += count;
}

static void writer_keep_in_buffer(ws_writer *writer, const void *bytes, size_t count)
{
    if (count > sizeof writer->small - writer->length) {
        writer_flush(writer);
    }
    if (count > sizeof writer->small) {
        writer_send(writer, bytes, count);
        return;
    }
    memcpy(writer->small + writer->length, bytes, count);
    writer->length += count;
}

void ws_write_bytes(ws_writer *writer, const void *bytes, size_t count)
{
    WS_ASSERT(writer != NULL);
    WS_ASSERT(bytes != NULL || count == 0);
    WS_ASSERT(writer->arena != NULL || writer->fd >= 0); /* not after ws_writer_finish() */

    if (writer->error != 0 || count == 0) {
        return;
    }
    ws_sha256_update(&writer->hash, bytes, count);
    writer->total_bytes += (int64_t)count;
    if (writer->arena != NULL) {
        writer_keep_in_memory(writer, bytes, count);
    } else {
        writer_keep_in_buffer(writer, bytes, count);
    }
}

void ws_write_text(ws_writer *writer, ws_text text)
{
    ws_write_bytes(writer, text.start, text.length);
}

void ws_write_string(ws_writer *writer, const char *string)
{
    WS_ASSERT(string != NULL);

    ws_write_bytes(writer, string, strlen(string));
}

void ws_write_format(ws_writer *writer, const char *format, ...)
{
    char small[WRITER_FORMAT_BYTES];
    char *text = small;
    va_list arguments;
    int length = 0;

    WS_ASSERT(format != NULL);

    va_start(arguments, format);
    length = vsnprintf(small, sizeof small, format, arguments);
    va_end(arguments);
    if (length >= WRITER_FORMAT_BYTES) {
        text = ws_allocator_default.allocate(NULL, (size_t)length + 1);
    }
    if (length < 0 || text == NULL) {
        writer->error = writer->error != 0 ? writer->error : ENOMEM;
        return;
    }
    if (text != small) {
        va_start(arguments, format);
        (void)vsnprintf(text, (size_t)length + 1, format, arguments);
        va_end(arguments);
    }
    ws_write_bytes(writer, text, (size_t)length);
    if (text != small) {
        ws_allocator_default.release(NULL, text, (size_t)length + 1);
    }
}

/* Makes an opened file durable and closes it; the descriptor is gone afterwards in any case. */
static void writer_close(ws_writer *writer)
{
    int synced = 0;

    do {
        synced = fsync(writer->fd);
    } while (synced < 0 && errno == EINTR);
    if (synced < 0 && errno != EINVAL && writer->error == 0) {
        writer->error = errno; /* EINVAL: a file system that cannot sync */
    }
    /* An interrupted close() has closed on Linux: to try again could close somebody else's file. */
    if (close(writer->fd) < 0 && errno != EINTR && writer->error == 0) {
        writer->error = errno;
    }
}

bool ws_writer_finish(ws_writer *writer, ws_diag *diag)
{
    WS_ASSERT(writer != NULL);
    WS_ASSERT(diag != NULL);
    WS_ASSERT(writer->error != 0 || writer->depth == 0);
    WS_ASSERT(writer->error != 0 || !writer->row_started);

    if (writer->fd >= 0) {
        writer_flush(writer);
    }
    if (writer->owns_fd) {
        writer_close(writer);
        writer->owns_fd = false;
    }
    writer->fd = -1;
    if (writer->error != 0) {
        return ws_diag_error(diag, 8002, ws_span_none, "cannot write `%.*s`: %s",
                             WS_TEXT_ARGS(writer->name), ws_errno_text(writer->error));
    }
    return true;
}

ws_text ws_writer_text(const ws_writer *writer)
{
    WS_ASSERT(writer->arena != NULL);

    if (writer->error != 0) {
        return (ws_text){.start = NULL, .length = 0};
    }
    return writer->length == 0 ? WS_TEXT("")
                               : (ws_text){.start = writer->buffer, .length = writer->length};
}
