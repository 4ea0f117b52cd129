/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Arenas: zeroed, aligned, bounded, and told apart from a machine that has no more memory. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "ws/arena.h"

/* Counts, and fails from a given call on. */
typedef struct {
    int calls_left;
    int live;
    size_t bytes;
} counting;

static void *counting_allocate(void *context, size_t bytes)
{
    counting *counts = context;

    if (counts->calls_left == 0) {
        return NULL;
    }
    counts->calls_left--;
    counts->live++;
    counts->bytes += bytes;
    return malloc(bytes);
}

static void counting_release(void *context, void *memory, size_t bytes)
{
    counting *counts = context;

    counts->live--;
    counts->bytes -= bytes;
    free(memory);
}

static ws_allocator counting_allocator(counting *counts)
{
    return (ws_allocator){counts, counting_allocate, counting_release};
}

Test(arena, memory_is_zeroed_and_aligned)
{
    ws_arena arena;

    ws_arena_init(&arena, &ws_allocator_default, 1 << 20);
    for (size_t bytes = 1; bytes < 200; bytes += 7) {
        unsigned char *memory = ws_arena_alloc(&arena, unsigned char, bytes);

        cr_assert(memory != NULL);
        cr_assert(eq(sz, (uintptr_t)memory % _Alignof(max_align_t), 0));
        for (size_t i = 0; i < bytes; i++) {
            cr_assert(eq(int, memory[i], 0));
        }
        memset(memory, 0xAB, bytes); /* what comes next must still be zero */
    }
    ws_arena_reset(&arena);
}

Test(arena, zero_objects_are_a_place)
{
    ws_arena arena;

    ws_arena_init(&arena, &ws_allocator_default, 1 << 16);
    cr_assert(ws_arena_alloc_bytes(&arena, 0, sizeof(int)) != NULL);
    ws_arena_reset(&arena);
}

Test(arena, overflow_of_the_product_is_exhaustion)
{
    ws_arena arena;

    ws_arena_init(&arena, &ws_allocator_default, SIZE_MAX / 2);
    cr_assert(ws_arena_alloc_bytes(&arena, SIZE_MAX / 2, 3) == NULL);
    cr_assert(ws_arena_alloc_bytes(&arena, SIZE_MAX, 1) == NULL);
    cr_assert(ws_arena_alloc_bytes(&arena, PTRDIFF_MAX, 1) == NULL);
    cr_assert(eq(sz, arena.used_bytes, 0));
}

Test(arena, the_bound_holds)
{
    counting counts = {.calls_left = 1000};
    ws_allocator allocator = counting_allocator(&counts);
    ws_arena arena;
    size_t given = 0;

    ws_arena_init(&arena, &allocator, 100000);
    while (ws_arena_alloc_bytes(&arena, 1, 1000) != NULL) {
        given += 1000;
    }
    cr_assert(le(sz, counts.bytes, 100000));
    cr_assert(ge(sz, given, 90000)); /* the bound is used, less headers and rounding */
    cr_assert(eq(sz, arena.used_bytes, counts.bytes));
    ws_arena_reset(&arena);
    cr_assert(eq(int, counts.live, 0));
    cr_assert(eq(sz, counts.bytes, 0));
    cr_assert(ws_arena_alloc_bytes(&arena, 1, 1000) != NULL); /* and again */
    ws_arena_reset(&arena);
}

Test(arena, a_block_larger_than_usual_fits)
{
    ws_arena arena;
    char *large = NULL;

    ws_arena_init(&arena, &ws_allocator_default, (size_t)1 << 24);
    cr_assert(ws_arena_alloc_bytes(&arena, 10, 1) != NULL);
    large = ws_arena_alloc(&arena, char, 5000000);
    cr_assert(large != NULL);
    large[4999999] = 'x';
    ws_arena_reset(&arena);
}

Test(arena, every_failing_allocation_gives_null_and_leaks_nothing)
{
    for (int n = 0; n < 4; n++) {
        counting counts = {.calls_left = n};
        ws_allocator allocator = counting_allocator(&counts);
        ws_arena arena;
        int given = 0;

        ws_arena_init(&arena, &allocator, (size_t)1 << 30);
        while (given < 100 && ws_arena_alloc(&arena, char, 100000) != NULL) {
            given++;
        }
        cr_assert(ge(int, given, n));
        cr_assert(lt(int, given, 100));
        cr_assert(eq(int, counts.live, n));
        ws_arena_reset(&arena);
        cr_assert(eq(int, counts.live, 0));
    }
}

Test(arena, copy_text_ends_with_a_nul)
{
    ws_arena arena;
    ws_text copy;

    ws_arena_init(&arena, &ws_allocator_default, 1 << 16);
    copy = ws_arena_copy_text(&arena, WS_TEXT("a\0b"));
    cr_assert(ws_text_equals(copy, WS_TEXT("a\0b")));
    cr_assert(eq(int, copy.start[3], '\0'));
    copy = ws_arena_copy_text(&arena, ws_text_of(NULL));
    cr_assert(copy.start != NULL);
    cr_assert(eq(int, copy.start[0], '\0'));
    ws_arena_reset(&arena);
}

Test(arena, format_is_printf)
{
    ws_arena arena;
    ws_text text;

    ws_arena_init(&arena, &ws_allocator_default, 1 << 16);
    text = ws_arena_format(&arena, "%s-%03d", "node", 7);
    cr_assert(ws_text_is(text, "node-007"));
    cr_assert(eq(int, text.start[text.length], '\0'));
    text = ws_arena_format(&arena, "%5000d", 1);
    cr_assert(eq(sz, text.length, 5000));
    ws_arena_reset(&arena);
}

Test(arena, texts_of_an_exhausted_arena_have_no_start)
{
    ws_arena arena;

    ws_arena_init(&arena, &ws_allocator_default, 0);
    cr_assert(ws_arena_copy_text(&arena, WS_TEXT("x")).start == NULL);
    cr_assert(ws_arena_format(&arena, "%d", 1).start == NULL);
    cr_assert(eq(sz, arena.used_bytes, 0));
}

Test(arena, grow_keeps_what_was_there)
{
    ws_arena arena;
    size_t capacity = 0;
    int64_t *numbers = NULL;

    ws_arena_init(&arena, &ws_allocator_default, 1 << 22);
    for (size_t i = 0; i < 10000; i++) {
        numbers = ws_arena_grow(&arena, numbers, i, i + 1, &capacity, sizeof *numbers);
        cr_assert(numbers != NULL);
        cr_assert(ge(sz, capacity, i + 1));
        numbers[i] = (int64_t)(i * i);
    }
    for (size_t i = 0; i < 10000; i++) {
        cr_assert(eq(i64, numbers[i], (int64_t)(i * i)));
    }
    ws_arena_reset(&arena);
}

Test(arena, grow_of_an_exhausted_arena_leaves_the_old)
{
    ws_arena arena;
    size_t capacity = 0;
    int *numbers = NULL;

    ws_arena_init(&arena, &ws_allocator_default, 4096);
    numbers = ws_arena_grow(&arena, NULL, 0, 4, &capacity, sizeof *numbers);
    cr_assert(numbers != NULL);
    numbers[3] = 17;
    cr_assert(ws_arena_grow(&arena, numbers, 4, 100000, &capacity, sizeof *numbers) == NULL);
    cr_assert(lt(sz, capacity, 100000));
    cr_assert(eq(int, numbers[3], 17));
    cr_assert(ws_arena_grow(&arena, numbers, 4, SIZE_MAX, &capacity, sizeof *numbers) == NULL);
    ws_arena_reset(&arena);
}
