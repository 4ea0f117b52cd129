/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "write_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "ws/assert.h"

void ws_fuzz_write_file(char path[static WS_FUZZ_PATH_BYTES], const void *bytes, size_t count)
{
    (void)snprintf(path, WS_FUZZ_PATH_BYTES, "/dev/shm/ws-fuzz-XXXXXX");
    int fd = mkstemp(path);

    WS_ASSERT(fd >= 0);
    for (size_t done = 0; done < count;) {
        ssize_t written = write(fd, (const char *)bytes + done, count - done);

        WS_ASSERT(written > 0);
        done += (size_t)written;
    }
    (void)close(fd);
}
