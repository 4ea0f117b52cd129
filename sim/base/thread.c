/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ws/thread.h"

#include <signal.h>

#define THREAD_STACK_BYTES_MIN ((size_t)64 << 10)

bool ws_thread_start(pthread_t *thread, size_t stack_bytes, void *(*work)(void *), void *argument)
{
    pthread_attr_t attributes;
    sigset_t all;
    sigset_t before;

    WS_ASSERT(thread != NULL);
    WS_ASSERT(stack_bytes >= THREAD_STACK_BYTES_MIN);
    WS_ASSERT(work != NULL);

    if (pthread_attr_init(&attributes) != 0) {
        return false;
    }
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    bool started = pthread_attr_setstacksize(&attributes, stack_bytes) == 0 &&
                   pthread_create(thread, &attributes, work, argument) == 0;
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    (void)pthread_attr_destroy(&attributes);
    return started;
}
