/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SHA-256 against the examples of NIST: FIPS 180-4 examples and the CAVP long message. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <string.h>

#include "ws/sha256.h"
#include "ws/text.h"

static void expect_sum(ws_text message, const char *digest)
{
    ws_sha256 hash;
    char out[WS_SHA256_TEXT_BYTES];

    ws_sha256_init(&hash);
    ws_sha256_update(&hash, message.start, message.length);
    ws_sha256_print(&hash, out);
    cr_assert(eq(str, out, (char *)digest));
}

Test(sha256, examples_of_nist)
{
    expect_sum(WS_TEXT(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    expect_sum(WS_TEXT("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    expect_sum(WS_TEXT("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
               "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    expect_sum(WS_TEXT("abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmn"
                       "hijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu"),
               "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1");
}

Test(sha256, a_million_letters_in_uneven_pieces)
{
    ws_sha256 hash;
    char letters[997];
    char out[WS_SHA256_TEXT_BYTES];
    size_t left = 1000000;

    memset(letters, 'a', sizeof letters);
    ws_sha256_init(&hash);
    while (left > 0) {
        size_t piece = left < sizeof letters ? left : sizeof letters;

        ws_sha256_update(&hash, letters, piece);
        left -= piece;
    }
    ws_sha256_print(&hash, out);
    cr_assert(
        eq(str, out, (char *)"cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"));
}

/* Padding is longest and shortest around 55, 56, 63 and 64 bytes: pieces must not matter there. */
Test(sha256, pieces_do_not_matter)
{
    char message[200];

    for (size_t i = 0; i < sizeof message; i++) {
        message[i] = (char)i;
    }
    for (size_t length = 0; length <= sizeof message; length++) {
        ws_sha256 whole;
        ws_sha256 parts;
        char a[WS_SHA256_TEXT_BYTES];
        char b[WS_SHA256_TEXT_BYTES];

        ws_sha256_init(&whole);
        ws_sha256_init(&parts);
        ws_sha256_update(&whole, message, length);
        for (size_t i = 0; i < length; i++) {
            ws_sha256_update(&parts, message + i, 1);
        }
        ws_sha256_print(&whole, a);
        ws_sha256_print(&parts, b);
        cr_assert(eq(str, a, b), "%zu bytes", length);
    }
}

Test(sha256, printing_does_not_end_the_sum)
{
    ws_sha256 hash;
    char out[WS_SHA256_TEXT_BYTES];

    ws_sha256_init(&hash);
    ws_sha256_update(&hash, "a", 1);
    ws_sha256_print(&hash, out);
    ws_sha256_update(&hash, "bc", 2);
    ws_sha256_print(&hash, out);
    cr_assert(
        eq(str, out, (char *)"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"));
}
