/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ws/index_set.h"

#define WORD_BITS 64u

bool ws_index_set_init(ws_index_set *set, ws_arena *arena, size_t size)
{
    size_t words = size / WORD_BITS + 1;
    size_t summaries = words / WORD_BITS + 1;
    uint64_t *memory = ws_arena_alloc(arena, uint64_t, words + summaries);

    if (memory == NULL) {
        return false;
    }
    *set = (ws_index_set){.words = memory, .summary = memory + words, .size = size};
    return true;
}

bool ws_index_set_has(const ws_index_set *set, size_t member)
{
    WS_ASSERT(member < set->size);
    return ((set->words[member / WORD_BITS] >> (member % WORD_BITS)) & 1u) != 0;
}

bool ws_index_set_insert(ws_index_set *set, size_t member)
{
    size_t word = member / WORD_BITS;

    if (ws_index_set_has(set, member)) {
        return false;
    }
    set->words[word] |= UINT64_C(1) << (member % WORD_BITS);
    set->summary[word / WORD_BITS] |= UINT64_C(1) << (word % WORD_BITS);
    set->count++;
    return true;
}

bool ws_index_set_remove(ws_index_set *set, size_t member)
{
    size_t word = member / WORD_BITS;

    if (!ws_index_set_has(set, member)) {
        return false;
    }
    set->words[word] &= ~(UINT64_C(1) << (member % WORD_BITS));
    if (set->words[word] == 0) {
        set->summary[word / WORD_BITS] &= ~(UINT64_C(1) << (word % WORD_BITS));
    }
    set->count--;
    return true;
}

/** First set bit of an array of words at or after bit `from`, or `limit`. */
static size_t index_set_find(const uint64_t *words, size_t from, size_t limit)
{
    size_t word = from / WORD_BITS;
    uint64_t bits = 0;

    if (from >= limit) {
        return limit;
    }
    bits = words[word] & (UINT64_MAX << (from % WORD_BITS));
    while (bits == 0) {
        word++;
        if (word * WORD_BITS >= limit) {
            return limit;
        }
        bits = words[word];
    }
    return word * WORD_BITS + (size_t)__builtin_ctzll(bits);
}

size_t ws_index_set_next(const ws_index_set *set, size_t from)
{
    size_t words = set->size / WORD_BITS + 1;
    size_t word = from / WORD_BITS;

    if (from >= set->size) {
        return WS_INDEX_NONE;
    }
    uint64_t here = set->words[word] & (UINT64_MAX << (from % WORD_BITS));
    if (here != 0) {
        return word * WORD_BITS + (size_t)__builtin_ctzll(here);
    }
    word = index_set_find(set->summary, word + 1, words);
    if (word >= words) {
        return WS_INDEX_NONE;
    }
    return word * WORD_BITS + (size_t)__builtin_ctzll(set->words[word]);
}

/** Last set bit of an array of words at or before bit `from`, or WS_INDEX_NONE. */
static size_t index_set_find_back(const uint64_t *words, size_t from)
{
    size_t word = from / WORD_BITS;
    uint64_t bits = words[word] & (UINT64_MAX >> (WORD_BITS - 1 - from % WORD_BITS));

    while (bits == 0) {
        if (word == 0) {
            return WS_INDEX_NONE;
        }
        word--;
        bits = words[word];
    }
    return word * WORD_BITS + (WORD_BITS - 1 - (size_t)__builtin_clzll(bits));
}

size_t ws_index_set_previous(const ws_index_set *set, size_t from)
{
    if (set->size == 0) {
        return WS_INDEX_NONE;
    }
    from = from < set->size ? from : set->size - 1;

    size_t word = from / WORD_BITS;
    uint64_t here = set->words[word] & (UINT64_MAX >> (WORD_BITS - 1 - from % WORD_BITS));
    if (here != 0) {
        return word * WORD_BITS + (WORD_BITS - 1 - (size_t)__builtin_clzll(here));
    }
    if (word == 0) {
        return WS_INDEX_NONE;
    }
    word = index_set_find_back(set->summary, word - 1);
    if (word == WS_INDEX_NONE) {
        return WS_INDEX_NONE;
    }
    return word * WORD_BITS + (WORD_BITS - 1 - (size_t)__builtin_clzll(set->words[word]));
}
