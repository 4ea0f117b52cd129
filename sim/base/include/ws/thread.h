/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Threads with a stack of a stated size, whatever the limit of the process's own stack is. */
#ifndef WS_THREAD_H
#define WS_THREAD_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#include "ws/assert.h"

/**
 * Starts a thread with all signals blocked, so that the calling thread alone is interrupted.
 *
 * @param thread       out: to be joined by the caller
 * @param stack_bytes  of its stack, at least 64 KiB; memory is taken as it is touched
 * @param argument     passed to `work`; must outlive the thread
 * @return             false when the system refuses (memory, number of processes): nothing runs
 */
WS_NODISCARD bool ws_thread_start(pthread_t *thread, size_t stack_bytes, void *(*work)(void *),
                                  void *argument);

#endif
