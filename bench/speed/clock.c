/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "clock.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "ws/assert.h"

_Noreturn void ws_assert_failed(const char *fact, const char *file, int line)
{
    (void)fprintf(stderr, "%s:%d: assertion failed: %s\n", file, line, fact);
    exit(70);
}

double ws_speed_clock_s(void)
{
    struct timespec now;
    int status = clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);

    WS_ASSERT(status == 0);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}
