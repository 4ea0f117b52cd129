/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Numbers: whatever the bytes, parsing ends, and what was read and printed reads back equal.
 */
#include <math.h>
#include <stddef.h>
#include <stdint.h>

#include "ws/assert.h"
#include "ws/number.h"
#include "ws/text.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

static void fuzz_f64(ws_text text)
{
    char printed[WS_NUMBER_TEXT_BYTES];
    double value = 0;
    double again = 0;

    if (!ws_parse_f64(text, &value)) {
        return;
    }
    WS_ASSERT(isfinite(value));
    size_t length = ws_print_f64(value, printed);
    bool is_read = ws_parse_f64((ws_text){.start = printed, .length = length}, &again);

    WS_ASSERT(is_read);
    WS_ASSERT(!(again < value) && !(again > value));
}

static void fuzz_i64(ws_text text)
{
    char printed[WS_NUMBER_TEXT_BYTES];
    int64_t value = 0;
    int64_t again = 0;

    if (!ws_parse_i64(text, &value)) {
        return;
    }
    size_t length = ws_print_i64(value, printed);
    bool is_read = ws_parse_i64((ws_text){.start = printed, .length = length}, &again);

    WS_ASSERT(is_read);
    WS_ASSERT(again == value);
}

/* An integer is also a decimal number, and scale 0 leaves it as it is. */
static void fuzz_scaled(ws_text text)
{
    int64_t exact = 0;
    int64_t scaled = 0;
    int64_t rounded = 0;
    bool is_inexact = false;

    if (ws_parse_scaled(text, 9, &scaled, NULL)) {
        bool is_read = ws_parse_scaled(text, 9, &rounded, &is_inexact);

        WS_ASSERT(is_read);
        WS_ASSERT(!is_inexact);
        WS_ASSERT(rounded == scaled);
    }
    if (ws_parse_i64(text, &exact)) {
        bool is_read = ws_parse_scaled(text, 0, &scaled, NULL);

        WS_ASSERT(is_read);
        WS_ASSERT(scaled == exact);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    ws_text text = {.start = (const char *)bytes, .length = count};

    fuzz_f64(text);
    fuzz_i64(text);
    fuzz_scaled(text);
    return 0;
}
