/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The words are those of POSIX, "Error Numbers", shortened. */
#include "ws/errno_text.h"

#include <errno.h>
#include <stddef.h>

#include "ws/assert.h"

typedef struct {
    int error;
    const char *text;
} errno_entry;

static const errno_entry errno_entries[] = {
    {EACCES, "permission denied"},
    {EPERM, "operation not permitted"},
    {ENOENT, "no such file or directory"},
    {ENOTDIR, "not a directory"},
    {EISDIR, "is a directory"},
    {EEXIST, "file exists"},
    {ENOTEMPTY, "folder not empty"},
    {EBUSY, "in use"},
    {EXDEV, "on another file system"},
    {ELOOP, "is a symbolic link, or too many of them"},
    {ENAMETOOLONG, "name too long"},
    {EMFILE, "too many open files"},
    {ENFILE, "too many open files in the system"},
    {ENOMEM, "out of memory"},
    {ENOSPC, "no space left on device"},
    {EDQUOT, "disk quota exceeded"},
    {EFBIG, "file too large"},
    {EROFS, "read-only file system"},
    {EIO, "input/output error"},
    {EPIPE, "broken pipe"},
    {EBADF, "not open"},
    {ENXIO, "no such device or address"},
    {ENODEV, "no such device"},
    {EAGAIN, "not ready"},
    {EOVERFLOW, "file too large for this system"},
    {ESTALE, "gone from its server"},
};

const char *ws_errno_text(int error)
{
    WS_ASSERT(error != 0);

    for (size_t i = 0; i < WS_COUNT_OF(errno_entries); i++) {
        if (errno_entries[i].error == error) {
            return errno_entries[i].text;
        }
    }
    return "system error";
}
