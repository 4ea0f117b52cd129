/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SHA-256 as FIPS 180-4 states it, section 6.2. */
#include "ws/sha256.h"

#include <string.h>

#include "ws/assert.h"

#define SHA256_BLOCK_BYTES 64
#define SHA256_LENGTH_AT 56 /* the last eight bytes of the last block hold the length in bits */

/* Section 4.2.2: the fractional parts of the cube roots of the first 64 primes. */
static const uint32_t sha256_constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static uint32_t sha256_rotate(uint32_t word, unsigned bits)
{
    return word >> bits | word << (32 - bits);
}

/* The message schedule of one block. */
static void sha256_schedule(const uint8_t *block, uint32_t words[64])
{
    for (size_t i = 0; i < 16; i++) {
        words[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 |
                   (uint32_t)block[4 * i + 2] << 8 | (uint32_t)block[4 * i + 3];
    }
    for (size_t i = 16; i < 64; i++) {
        uint32_t early = words[i - 15];
        uint32_t late = words[i - 2];

        words[i] = words[i - 16] + words[i - 7] +
                   (sha256_rotate(early, 7) ^ sha256_rotate(early, 18) ^ early >> 3) +
                   (sha256_rotate(late, 17) ^ sha256_rotate(late, 19) ^ late >> 10);
    }
}

static void sha256_mix_block(ws_sha256 *hash, const uint8_t *block)
{
    uint32_t words[64];
    uint32_t v[8]; /* a..h of the standard */

    sha256_schedule(block, words);
    memcpy(v, hash->state, sizeof v);
    for (size_t i = 0; i < 64; i++) {
        uint32_t choice = (v[4] & v[5]) ^ (~v[4] & v[6]);
        uint32_t majority = (v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]);
        uint32_t first =
            v[7] + choice + sha256_constants[i] + words[i] +
            (sha256_rotate(v[4], 6) ^ sha256_rotate(v[4], 11) ^ sha256_rotate(v[4], 25));
        uint32_t second =
            majority + (sha256_rotate(v[0], 2) ^ sha256_rotate(v[0], 13) ^ sha256_rotate(v[0], 22));

        memmove(v + 1, v, 7 * sizeof v[0]);
        v[4] += first;
        v[0] = first + second;
    }
    for (size_t i = 0; i < 8; i++) {
        hash->state[i] += v[i];
    }
}

void ws_sha256_init(ws_sha256 *hash)
{
    WS_ASSERT(hash != NULL);

    /* Section 5.3.3: the fractional parts of the square roots of the first eight primes. */
    *hash = (ws_sha256){.state = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f,
                                  0x9b05688c, 0x1f83d9ab, 0x5be0cd19}};
}

void ws_sha256_update(ws_sha256 *hash, const void *bytes, size_t count)
{
    const uint8_t *from = bytes;

    WS_ASSERT(hash->filled < SHA256_BLOCK_BYTES);
    WS_ASSERT(bytes != NULL || count == 0);

    hash->total_bytes += count;
    while (count > 0) {
        size_t room = SHA256_BLOCK_BYTES - hash->filled;
        size_t taken = count < room ? count : room;

        memcpy(hash->block + hash->filled, from, taken);
        hash->filled += taken;
        from += taken;
        count -= taken;
        if (hash->filled == SHA256_BLOCK_BYTES) {
            sha256_mix_block(hash, hash->block);
            hash->filled = 0;
        }
    }
}

/* Section 5.1.1: a one bit, zeros, the length of the message in bits. */
static void sha256_pad(ws_sha256 *hash)
{
    uint64_t bits = hash->total_bytes * 8;
    uint8_t tail[SHA256_BLOCK_BYTES + 8] = {0x80};
    size_t zeros = (SHA256_BLOCK_BYTES + SHA256_LENGTH_AT - 1 - hash->filled) % SHA256_BLOCK_BYTES;

    for (size_t i = 0; i < 8; i++) {
        tail[1 + zeros + i] = (uint8_t)(bits >> (56 - 8 * i));
    }
    ws_sha256_update(hash, tail, 1 + zeros + 8);
    WS_ASSERT(hash->filled == 0);
}

void ws_sha256_print(const ws_sha256 *hash, char out[WS_SHA256_TEXT_BYTES])
{
    const char digits[] = "0123456789abcdef";
    ws_sha256 copy = *hash;

    WS_ASSERT(out != NULL);

    sha256_pad(&copy);
    for (size_t i = 0; i < 64; i++) {
        out[i] = digits[copy.state[i / 8] >> (28 - 4 * (i % 8)) & 0xF];
    }
    out[64] = '\0';
}
