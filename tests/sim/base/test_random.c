/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Expectations: the value that C++26 requires of std::philox4x64, the known-answer vectors that
 * Random123 ships (kat_vectors), and the moments of the uniform distribution with bounds of four
 * standard errors. */
#include "ws/random.h"

#include <inttypes.h>
#include <math.h>

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "ws/assert.h"

static ws_stream_key key_of(uint64_t seed)
{
    return (ws_stream_key){.seed = seed, .purpose = WS_PURPOSE_TEST};
}

Test(random, ten_thousandth_value_is_the_one_of_cxx26)
{
    ws_stream stream;
    uint64_t value = 0;

    ws_stream_open(&stream, key_of(20111115));
    for (int i = 0; i < 10000; i++) {
        value = gsl_rng_get(&stream.rng);
    }
    cr_assert(eq(u64, value, UINT64_C(3409172418970261260)));
}

Test(random, gsl_seeding_is_the_same_generator)
{
    gsl_rng *rng = gsl_rng_alloc(&ws_random_philox);
    uint64_t value = 0;

    gsl_rng_set(rng, 20111115);
    for (int i = 0; i < 10000; i++) {
        value = gsl_rng_get(rng);
    }
    gsl_rng_free(rng);
    cr_assert(eq(u64, value, UINT64_C(3409172418970261260)));
}

Test(random, known_answers_of_random123)
{
    static const struct {
        uint64_t counter[4];
        uint64_t key[2];
        uint64_t block[4];
    } vectors[] = {
        {{0},
         {0},
         {0x16554d9eca36314c, 0xdb20fe9d672d0fdc, 0xd7e772cee186176b, 0x7e68b68aec7ba23b}},
        {{UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX},
         {UINT64_MAX, UINT64_MAX},
         {0x87b092c3013fe90b, 0x438c3c67be8d0224, 0x9cc7d7c69cd777b6, 0xa09caebf594f0ba0}},
        {{0x243f6a8885a308d3, 0x13198a2e03707344, 0xa4093822299f31d0, 0x082efa98ec4e6c89},
         {0x452821e638d01377, 0xbe5466cf34e90c6c},
         {0xa528f45403e61d95, 0x38c72dbd566e9788, 0xa5a1610e72fd18b5, 0x57bd43b5e52b7fe6}},
    };

    for (size_t v = 0; v < WS_COUNT_OF(vectors); v++) {
        ws_stream stream;
        ws_stream_open(&stream, key_of(0));
        for (size_t i = 0; i < 4; i++) {
            stream.state.counter[i] = vectors[v].counter[i];
        }
        stream.state.key[0] = vectors[v].key[0];
        stream.state.key[1] = vectors[v].key[1];
        for (size_t i = 0; i < 4; i++) {
            uint64_t word = gsl_rng_get(&stream.rng);
            cr_assert(eq(u64, word, vectors[v].block[i]), "vector %zu word %zu", v, i);
        }
    }
}

/* Key {seed, entity}, counter {block, index, purpose, replication}, as the header says. */
Test(random, each_number_of_the_key_has_its_word)
{
    ws_stream stream;

    ws_stream_open(&stream, (ws_stream_key){.seed = 11,
                                            .replication = 12,
                                            .purpose = WS_PURPOSE_NODE_FAILURE,
                                            .entity = 13,
                                            .index = 14});
    cr_assert(eq(u64, stream.state.key[0], 11));
    cr_assert(eq(u64, stream.state.key[1], 13));
    cr_assert(eq(u64, stream.state.counter[0], 0));
    cr_assert(eq(u64, stream.state.counter[1], 14));
    cr_assert(eq(u64, stream.state.counter[2], 4));
    cr_assert(eq(u64, stream.state.counter[3], 12));
}

Test(random, streams_do_not_see_each_other)
{
    uint64_t alone[100];
    ws_stream stream;
    ws_stream other;

    ws_stream_open(&stream, key_of(42));
    for (size_t i = 0; i < 100; i++) {
        alone[i] = gsl_rng_get(&stream.rng);
    }
    ws_stream_open(&stream, key_of(42));
    ws_stream_open(&other, (ws_stream_key){.seed = 42, .index = 1});
    for (size_t i = 0; i < 100; i++) {
        for (size_t k = 0; k < i % 7; k++) {
            cr_assert(gsl_rng_get(&other.rng) != alone[i]);
        }
        uint64_t word = gsl_rng_get(&stream.rng);
        cr_assert(eq(u64, word, alone[i]));
    }
}

Test(random, uniform_stays_inside_at_both_ends)
{
    ws_stream stream;

    ws_stream_open(&stream, key_of(1));
    stream.state.block[0] = 0;
    stream.state.block[1] = UINT64_MAX;
    stream.state.block[2] = 0;
    stream.state.block[3] = UINT64_MAX;
    stream.state.used = 0;
    double low = ws_stream_uniform(&stream);
    double high = ws_stream_uniform(&stream);
    cr_assert(eq(dbl, low, 0x1p-53));
    cr_assert(eq(dbl, high, 1 - 0x1p-53));
    /* GSL's own convention: 0 is possible, 1 is not. */
    low = gsl_rng_uniform(&stream.rng);
    high = gsl_rng_uniform(&stream.rng);
    cr_assert(eq(dbl, low, 0));
    cr_assert(eq(dbl, high, 1 - 0x1p-53));
}

Test(random, uniform_has_the_moments_and_the_shape)
{
    enum { draws = 100000, cells = 100 };
    int counts[cells] = {0};
    double sum = 0;
    double squares = 0;
    double chi_square = 0;
    ws_stream stream;

    ws_stream_open(&stream, key_of(7));
    for (int i = 0; i < draws; i++) {
        double u = ws_stream_uniform(&stream);
        sum += u;
        squares += (u - 0.5) * (u - 0.5);
        counts[(int)(u * cells)]++;
    }
    for (int i = 0; i < cells; i++) {
        chi_square += pow(counts[i] - draws / cells, 2) / (draws / cells);
    }
    /* U(0, 1): mean 1/2 with sd sqrt(1/12); (u - 1/2)^2 has mean 1/12 and variance 1/80 - 1/144 =
     * 1/180. */
    cr_assert(lt(dbl, fabs(sum / draws - 0.5), 4 * sqrt(1.0 / 12 / draws)));
    cr_assert(lt(dbl, fabs(squares / draws - 1.0 / 12), 4 * sqrt(1.0 / 180 / draws)));
    /* Chi-square with 99 degrees of freedom: mean 99, variance 198. */
    cr_assert(lt(dbl, fabs(chi_square - 99), 4 * sqrt(198)));
}

/* Neighbouring numbers of each part of the key give streams that do not correlate: sd of r is
 * 1/sqrt(n). */
Test(random, neighbouring_streams_do_not_correlate)
{
    enum { draws = 20000 };
    static const ws_stream_key keys[] = {
        {.seed = 6},   {.replication = 1}, {.purpose = WS_PURPOSE_ARRIVALS},
        {.entity = 1}, {.index = 1},
    };

    for (size_t k = 0; k < WS_COUNT_OF(keys); k++) {
        ws_stream first;
        ws_stream second;
        ws_stream_key key = keys[k];
        double sum = 0;
        key.seed += key.seed == 0 ? 5 : 0;
        ws_stream_open(&first, key_of(5));
        ws_stream_open(&second, key);
        for (int i = 0; i < draws; i++) {
            double a = ws_stream_uniform(&first);
            double b = ws_stream_uniform(&second);
            sum += (a - 0.5) * (b - 0.5) * 12;
        }
        cr_assert(lt(dbl, fabs(sum / draws), 4 / sqrt(draws)), "key %zu", k);
    }
}
