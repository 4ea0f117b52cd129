/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Philox4x64-10 as a gsl_rng_type.
 *
 * A block of four words is a function of (key, counter) alone, so a stream has no history to skip
 * or to store: opening one costs nothing, and the first draw computes the first block. Random123's
 * own GSL macro is not used: it truncates the key to 32 bits and carries between counter words,
 * which here hold other streams' numbers.
 */
#include "ws/random.h"

#include <assert.h>

#include <Random123/philox.h>

#include "ws/assert.h"

#define RANDOM_WORDS 4u

static_assert(sizeof(unsigned long) == sizeof(uint64_t), "gsl_rng hands out unsigned long");

static void random_fill(ws_philox_state *state)
{
    philox4x64_ctr_t counter;
    philox4x64_key_t key;

    for (size_t i = 0; i < RANDOM_WORDS; i++) {
        counter.v[i] = state->counter[i];
    }
    key.v[0] = state->key[0];
    key.v[1] = state->key[1];
    philox4x64_ctr_t block = philox4x64_R(10, counter, key);
    for (size_t i = 0; i < RANDOM_WORDS; i++) {
        state->block[i] = block.v[i];
    }
    state->counter[0]++;
    state->used = 0;
}

static uint64_t random_next(ws_philox_state *state)
{
    WS_ASSERT(state->used <= RANDOM_WORDS);

    if (state->used == RANDOM_WORDS) {
        random_fill(state);
    }
    uint64_t word = state->block[state->used];
    state->used++;
    return word;
}

static void random_set(void *memory, unsigned long seed)
{
    ws_philox_state *state = memory;

    *state = (ws_philox_state){.key = {seed, 0}, .used = RANDOM_WORDS};
}

static unsigned long random_get(void *memory)
{
    return random_next(memory);
}

static double random_get_double(void *memory)
{
    return (double)(random_next(memory) >> 11) * 0x1p-53;
}

const gsl_rng_type ws_random_philox = {
    .name = "philox4x64-10",
    .max = UINT64_MAX,
    .min = 0,
    .size = sizeof(ws_philox_state),
    .set = random_set,
    .get = random_get,
    .get_double = random_get_double,
};

void ws_stream_open(ws_stream *stream, ws_stream_key key)
{
    WS_ASSERT(stream != NULL);

    stream->rng = (gsl_rng){.type = &ws_random_philox, .state = &stream->state};
    stream->state = (ws_philox_state){
        .key = {key.seed, key.entity},
        .counter = {0, key.index, (uint64_t)key.purpose, key.replication},
        .used = RANDOM_WORDS,
    };
}

double ws_stream_uniform(ws_stream *stream)
{
    WS_ASSERT(stream->rng.state ==
              &stream->state); /* a copied stream would draw from the original */

    /* 52 bits and a half: 53 bits and a half would round up to 1 at the upper end. */
    return ((double)(random_next(&stream->state) >> 12) + 0.5) * 0x1p-52;
}
