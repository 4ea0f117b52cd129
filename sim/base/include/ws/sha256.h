/* SPDX-License-Identifier: GPL-3.0-or-later */
/** SHA-256 (FIPS 180-4), for the sums of a results folder. */
#ifndef WS_SHA256_H
#define WS_SHA256_H

#include <stddef.h>
#include <stdint.h>

#define WS_SHA256_TEXT_BYTES 65

typedef struct {
    uint32_t state[8];
    uint64_t total_bytes;
    uint8_t block[64];
    size_t filled;
} ws_sha256;

/** The state of the empty message. */
void ws_sha256_init(ws_sha256 *hash);

/** Appends `count` bytes to the message; pieces of any size give the same digest as the whole. */
void ws_sha256_update(ws_sha256 *hash, const void *bytes, size_t count);

/** The digest so far as 64 lower-case hexadecimal digits and a NUL; the state is not changed. */
void ws_sha256_print(const ws_sha256 *hash, char out[WS_SHA256_TEXT_BYTES]);

#endif
