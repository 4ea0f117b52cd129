/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Phrases for the errors that opening, reading and resolving files can give. */
#include "system_error.h"

#include <errno.h>
#include <stddef.h>

#include "ws/assert.h"

typedef struct {
    int error;
    const char *text;
} system_error_phrase;

static const system_error_phrase system_error_phrases[] = {
    {ENOENT, "no such file"},
    {ENOTDIR, "no such file"},
    {EACCES, "permission denied"},
    {EPERM, "not permitted"},
    {EIO, "input/output error"},
    {EISDIR, "is a directory"},
    {ELOOP, "too many symbolic links"},
    {ENAMETOOLONG, "the name is too long"},
    {EMFILE, "too many open files"},
    {ENFILE, "too many open files on this machine"},
    {ENOMEM, "out of memory"},
    {ENXIO, "no such device"},
    {ENODEV, "no such device"},
    {EBUSY, "busy"},
    {EAGAIN, "no data yet"},
    {EOVERFLOW, "the file is too large"},
    {ESTALE, "the file has gone from its server"},
    {ENOSPC, "no space left"},
    {EROFS, "read-only file system"},
    {EDQUOT, "the quota is used up"},
    {EEXIST, "exists already"},
    {EPIPE, "broken pipe"},
};

const char *ws_system_error_text(int error)
{
    WS_ASSERT(error != 0);

    for (size_t i = 0; i < WS_COUNT_OF(system_error_phrases); i++) {
        if (system_error_phrases[i].error == error) {
            return system_error_phrases[i].text;
        }
    }
    return "the operating system refused";
}
