/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "../../traces/names.h"

#include <stdio.h>

#include "../../traces/tally.h"
#include "trace_case.h"

/* As many names as make the table of slots grow several times. */
#define NAMES_MANY 1000

static ws_text name_of(char buffer[16], size_t i)
{
    (void)snprintf(buffer, 16, "user-%zu", i);
    return ws_text_of(buffer);
}

Test(names, are_numbered_in_the_order_in_which_they_come)
{
    ws_arena arena = {0};
    ws_trace_names names;
    char buffer[16];
    size_t index = 0;

    ws_arena_init(&arena, &ws_allocator_default, (size_t)1 << 20);
    ws_trace_names_init(&names, &arena);
    cr_expect(eq(sz, ws_trace_names_find(&names, WS_TEXT("user-0")), 0), "none has come");
    for (size_t round = 0; round < 2; round++) {
        for (size_t i = 0; i < NAMES_MANY; i++) {
            cr_assert(ws_trace_names_index(&names, name_of(buffer, i), &index));
            cr_assert(eq(sz, index, i));
        }
    }
    cr_expect(eq(sz, names.count, NAMES_MANY));
    for (size_t i = 0; i < NAMES_MANY; i++) {
        cr_assert(eq(sz, ws_trace_names_find(&names, name_of(buffer, i)), i + 1));
    }
    cr_expect(eq(sz, ws_trace_names_find(&names, WS_TEXT("user-1000")), 0));
    cr_expect(eq(sz, ws_trace_names_find(&names, WS_TEXT("")), 0));
    ws_arena_reset(&arena);
}

/* 3 jobs of 10 and 1 of 40 by two users; then one of two jobs without work, and one of one. */
Test(tally, is_sorted_by_work_then_jobs_then_name)
{
    ws_arena arena = {0};
    ws_trace_tally tally;
    const struct {
        ws_text key;
        int64_t work;
    } jobs[] = {{WS_TEXT("a"), 10}, {WS_TEXT("b"), 40}, {WS_TEXT("a"), 10}, {WS_TEXT("z"), 0},
                {WS_TEXT("y"), 0},  {WS_TEXT("a"), 10}, {WS_TEXT("z"), 0},  {WS_TEXT("x"), 0}};
    const char *const order[] = {"b", "a", "z", "x", "y"};

    ws_arena_init(&arena, &ws_allocator_default, (size_t)1 << 20);
    ws_trace_tally_init(&tally, &arena);
    for (size_t i = 0; i < WS_COUNT_OF(jobs); i++) {
        cr_assert(ws_trace_tally_add(&tally, jobs[i].key, (ws_gpu_time){.gpu_ns = jobs[i].work}));
    }
    ws_trace_tally_sort(&tally);
    cr_assert(eq(sz, tally.keys.count, WS_COUNT_OF(order)));
    for (size_t i = 0; i < WS_COUNT_OF(order); i++) {
        cr_expect(ws_text_equals(tally.entries[i].key, ws_text_of(order[i])), "place %zu", i);
    }
    cr_expect(eq(i64, tally.entries[1].jobs, 3));
    cr_expect(tally.entries[1].work.gpu_ns == 30);
    ws_arena_reset(&arena);
}
