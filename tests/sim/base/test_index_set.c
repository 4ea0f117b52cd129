/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "support/support.h"
#include "ws/index_set.h"

static ws_index_set index_set_new(ws_arena *arena, size_t size)
{
    ws_index_set set;

    ws_arena_init(arena, &ws_allocator_default, 1 << 24);
    cr_assert(ws_index_set_init(&set, arena, size));
    return set;
}

Test(index_set, walks_in_ascending_order)
{
    ws_arena arena;
    ws_index_set set = index_set_new(&arena, 100000);

    cr_expect(ws_index_set_next(&set, 0) == WS_INDEX_NONE);
    cr_expect(ws_index_set_insert(&set, 99999));
    cr_expect(ws_index_set_insert(&set, 0));
    cr_expect(ws_index_set_insert(&set, 64));
    cr_expect(not(ws_index_set_insert(&set, 64)));
    cr_expect(eq(sz, set.count, 3));
    cr_expect(eq(sz, ws_index_set_next(&set, 0), 0));
    cr_expect(eq(sz, ws_index_set_next(&set, 1), 64));
    cr_expect(eq(sz, ws_index_set_next(&set, 65), 99999));
    cr_expect(ws_index_set_next(&set, 100000) == WS_INDEX_NONE);
    cr_expect(ws_index_set_remove(&set, 64));
    cr_expect(not(ws_index_set_remove(&set, 64)));
    cr_expect(eq(sz, ws_index_set_next(&set, 1), 99999));
    ws_arena_reset(&arena);
}

Test(index_set, walks_in_descending_order)
{
    ws_arena arena;
    ws_index_set set = index_set_new(&arena, 100000);

    cr_expect(ws_index_set_previous(&set, 99999) == WS_INDEX_NONE);
    cr_expect(ws_index_set_insert(&set, 99999));
    cr_expect(ws_index_set_insert(&set, 0));
    cr_expect(ws_index_set_insert(&set, 64));
    cr_expect(eq(sz, ws_index_set_previous(&set, 200000), 99999));
    cr_expect(eq(sz, ws_index_set_previous(&set, 99998), 64));
    cr_expect(eq(sz, ws_index_set_previous(&set, 64), 64));
    cr_expect(eq(sz, ws_index_set_previous(&set, 63), 0));
    cr_expect(ws_index_set_remove(&set, 0));
    cr_expect(ws_index_set_previous(&set, 63) == WS_INDEX_NONE);
    ws_arena_reset(&arena);
}

Test(index_set, agrees_with_an_array_of_flags)
{
    ws_arena arena;
    ws_index_set set = index_set_new(&arena, 5000);
    bool flags[5000] = {false};
    uint64_t state = 7;

    for (int step = 0; step < 200000; step++) {
        state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        size_t member = (size_t)((state >> 33) % 5000);
        bool insert = ((state >> 20) & 3) == 0; /* mostly sparse: removals outnumber insertions */
        if (insert) {
            cr_assert(ws_index_set_insert(&set, member) == !flags[member]);
        } else {
            cr_assert(ws_index_set_remove(&set, member) == flags[member]);
        }
        flags[member] = insert;
        if (step % 100 == 0) {
            size_t found = ws_index_set_next(&set, member);
            size_t expected = member;
            while (expected < 5000 && !flags[expected]) {
                expected++;
            }
            cr_assert(found == (expected < 5000 ? expected : WS_INDEX_NONE));

            size_t before = member;
            while (before != WS_INDEX_NONE && !flags[before]) {
                before--; /* 0 - 1 is WS_INDEX_NONE */
            }
            cr_assert(ws_index_set_previous(&set, member) == before);
        }
    }
    ws_arena_reset(&arena);
}
