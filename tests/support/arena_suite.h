/* SPDX-License-Identifier: GPL-3.0-or-later */
/** For a file of tests that all begin with an empty arena and end by giving it back. */
#ifndef WS_TEST_ARENA_SUITE_H
#define WS_TEST_ARENA_SUITE_H

#include <stddef.h>

#include <criterion/criterion.h>

#include "ws/arena.h"
#include "ws/diag.h"

#define WS_TEST_ARENA_BYTES ((size_t)1 << 28)

static ws_arena arena;
static ws_diag diag; /* its texts lie in the arena */

static void ws_test_open_arena(void)
{
    ws_arena_init(&arena, &ws_allocator_default, WS_TEST_ARENA_BYTES);
    ws_diag_init(&diag, &arena);
}

static void ws_test_close_arena(void)
{
    ws_arena_reset(&arena);
}

#define WS_TEST_ARENA_SUITE(suite)                                                                 \
    TestSuite(suite, .init = ws_test_open_arena, .fini = ws_test_close_arena)

#endif
