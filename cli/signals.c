/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "signals.h"

#include <stddef.h>
#include <time.h>

#include "ws/assert.h"

void ws_signals_prepare(void)
{
    struct sigaction ignore = {.sa_handler = SIG_IGN};

    (void)sigaction(SIGPIPE, &ignore, NULL);
    (void)sigaction(SIGXFSZ, &ignore, NULL);
}

void ws_signals_hold(ws_signals *signals)
{
    WS_ASSERT(signals != NULL);

    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};

    (void)sigemptyset(&signals->held);
    for (size_t i = 0; i < WS_COUNT_OF(numbers); i++) {
        struct sigaction now;
        if (sigaction(numbers[i], NULL, &now) == 0 && now.sa_handler != SIG_IGN) {
            (void)sigaddset(&signals->held, numbers[i]);
        }
    }
    (void)sigprocmask(SIG_BLOCK, &signals->held, &signals->before);
}

int ws_signals_take(const ws_signals *signals)
{
    WS_ASSERT(signals != NULL);

    struct timespec at_once = {.tv_sec = 0};
    int number = sigtimedwait(&signals->held, NULL, &at_once);

    return number > 0 ? number : 0;
}

void ws_signals_release(const ws_signals *signals)
{
    WS_ASSERT(signals != NULL);

    (void)sigprocmask(SIG_SETMASK, &signals->before, NULL);
}
