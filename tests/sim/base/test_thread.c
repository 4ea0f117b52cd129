/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <signal.h>
#include <stdint.h>

#include "ws/thread.h"

#define STACK_BYTES ((size_t)1 << 20)
#define TOUCHED_BYTES ((size_t)3 << 18) /* three quarters of it */

typedef struct {
    size_t touched; /* bytes of its stack that hold what was written there */
    sigset_t blocked;
} thread_case;

static void *use_stack(void *context)
{
    thread_case *c = context;
    volatile unsigned char bytes[TOUCHED_BYTES];

    for (size_t i = 0; i < sizeof bytes; i++) {
        bytes[i] = 1;
    }
    for (size_t i = 0; i < sizeof bytes; i++) {
        c->touched += bytes[i];
    }
    (void)pthread_sigmask(SIG_SETMASK, NULL, &c->blocked);
    return NULL;
}

Test(thread, has_the_stack_that_was_asked_for_and_hears_no_signal)
{
    thread_case c = {.touched = 0};
    sigset_t own;
    pthread_t thread;

    cr_assert(ws_thread_start(&thread, STACK_BYTES, use_stack, &c));
    cr_assert(eq(int, pthread_join(thread, NULL), 0));
    cr_assert(eq(sz, c.touched, TOUCHED_BYTES));
    cr_assert(eq(int, sigismember(&c.blocked, SIGINT), 1));
    cr_assert(eq(int, sigismember(&c.blocked, SIGTERM), 1));

    (void)pthread_sigmask(SIG_SETMASK, NULL, &own); /* the caller's mask is as it was */
    cr_assert(eq(int, sigismember(&own, SIGINT), 0));
}

Test(thread, is_refused_when_its_stack_fits_no_address_space)
{
    thread_case c = {.touched = 0};
    pthread_t thread;

    cr_assert(not(ws_thread_start(&thread, SIZE_MAX / 4 + 1, use_stack, &c)));
    cr_assert(eq(sz, c.touched, 0));
}
