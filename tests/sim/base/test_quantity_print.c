/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Printed quantities: short, and the same value when they are read again. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <string.h>

#include "support/arena_suite.h"
#include "support/support.h"
#include "ws/assert.h"
#include "ws/quantity.h"

WS_TEST_ARENA_SUITE(quantity_print);

static void expect_print(ws_quantity value, ws_quantity_kind kind, const char *printed)
{
    char out[WS_QUANTITY_TEXT_BYTES];

    cr_assert(eq(sz, ws_quantity_print(value, kind, out), strlen(out)));
    cr_assert(eq(str, out, (char *)printed));
}

static void expect_integer(int64_t value, ws_quantity_kind kind, const char *printed)
{
    expect_print((ws_quantity){.integer = value}, kind, printed);
}

static void expect_real(double value, ws_quantity_kind kind, const char *printed)
{
    expect_print((ws_quantity){.real = value}, kind, printed);
}

Test(quantity_print, durations_are_sums)
{
    expect_integer(0, WS_QUANTITY_DURATION, "0s");
    expect_integer(1, WS_QUANTITY_DURATION, "1ns");
    expect_integer(1500, WS_QUANTITY_DURATION, "1.5us");
    expect_integer(20000000, WS_QUANTITY_DURATION, "20ms");
    expect_integer(1500000000, WS_QUANTITY_DURATION, "1.5s");
    expect_integer(INT64_C(5400000000000), WS_QUANTITY_DURATION, "1h30m");
    expect_integer(INT64_C(604800000000000), WS_QUANTITY_DURATION, "7d");
    expect_integer(INT64_C(90061500000000), WS_QUANTITY_DURATION, "1d1h1m1.5s");
    expect_integer(INT64_MAX, WS_QUANTITY_DURATION, "106751d23h47m16.854775807s");
}

Test(quantity_print, whole_kinds)
{
    expect_integer(INT64_C(15032385536), WS_QUANTITY_BYTES, "14GiB");
    expect_integer(INT64_C(80000000000), WS_QUANTITY_BYTES, "80GB");
    expect_integer(1536, WS_QUANTITY_BYTES, "1536B");
    expect_integer(0, WS_QUANTITY_BYTES, "0B");
    expect_integer(INT64_C(1610612736), WS_QUANTITY_BYTES, "1.5GiB");
    expect_integer(INT64_C(6740000000), WS_QUANTITY_COUNT, "6.74B");
    expect_integer(256, WS_QUANTITY_COUNT, "256");
    expect_integer(500000, WS_QUANTITY_COUNT, "500k");
    expect_integer(INT64_MIN, WS_QUANTITY_INTEGER, "-9223372036854775808");
    expect_integer(2990000000, WS_QUANTITY_PRICE, "$2.99/h");
    expect_integer(0, WS_QUANTITY_PRICE, "$0/h");
    expect_integer(1, WS_QUANTITY_MONEY, "$0.000000001");
    expect_integer(INT64_C(20000000000000), WS_QUANTITY_MONEY, "$20000");
    expect_print((ws_quantity){.integer = 2750000000, .currency = "EUR"}, WS_QUANTITY_PRICE,
                 "2.75EUR/h");
}

Test(quantity_print, real_kinds)
{
    expect_real(5e10, WS_QUANTITY_BANDWIDTH, "50GB/s");
    expect_real(0, WS_QUANTITY_BANDWIDTH, "0B/s");
    expect_real(0.12, WS_QUANTITY_FRACTION, "12%");
    expect_real(1, WS_QUANTITY_FRACTION, "1");
    expect_real(0.005, WS_QUANTITY_FRACTION, "0.5%");
    expect_real(2, WS_QUANTITY_PERCENT, "200%");
    expect_real(0, WS_QUANTITY_PERCENT, "0%");
    expect_real(6.0 / 3600.0, WS_QUANTITY_RATE, "6/h");
    expect_real(0.5, WS_QUANTITY_RATE, "0.5/s");
    expect_real(-2.5, WS_QUANTITY_NUMBER, "-2.5");
    expect_print((ws_quantity){.real = 6e10, .unit = WS_WORK_TOKENS}, WS_QUANTITY_WORK,
                 "60B tokens");
    expect_print((ws_quantity){.real = 0.31, .unit = WS_WORK_SAMPLES}, WS_QUANTITY_PER_WORK,
                 "310ms/sample");
    expect_print((ws_quantity){.real = 1200, .unit = WS_WORK_SAMPLES}, WS_QUANTITY_WORK_RATE,
                 "1.2k samples/s");
    expect_real(640, WS_QUANTITY_WORK_RATE, "640/s");
    expect_real(0.1, WS_QUANTITY_VOLUME_PRICE, "$0.1/GiB/month");
}

static uint64_t next(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static void expect_round_trip(ws_quantity value, ws_quantity_kind kind)
{
    char out[WS_QUANTITY_TEXT_BYTES];
    ws_quantity back = {.integer = -42};
    ws_quantity_fault fault;
    size_t length = ws_quantity_print(value, kind, out);

    cr_assert(
        ws_quantity_parse((ws_text){out, length}, kind, WS_TEXT("key"), &back, &fault, &arena),
        "kind %d: %s", (int)kind, out);
    cr_assert(back.integer == value.integer, "kind %d: %s", (int)kind, out);
    cr_assert(back.real == value.real, "kind %d: %s", (int)kind, out);
    cr_assert(back.unit == value.unit, "kind %d: %s", (int)kind, out);
}

/* All sizes are equally likely: a random number of bits, then random bits. */
Test(quantity_print, whole_values_read_back)
{
    const ws_quantity_kind kinds[] = {WS_QUANTITY_DURATION, WS_QUANTITY_BYTES, WS_QUANTITY_PRICE,
                                      WS_QUANTITY_MONEY,    WS_QUANTITY_COUNT, WS_QUANTITY_INTEGER};
    uint64_t state = 88172645463325252u;
    int64_t rounds = ws_test_scaled(20000, 1000);

    for (int64_t i = 0; i < rounds; i++) {
        ws_quantity_kind kind = kinds[(size_t)i % WS_COUNT_OF(kinds)];
        unsigned shift = 1 + (unsigned)(next(&state) % 63);
        int64_t value = (int64_t)(next(&state) >> shift);

        /* Round numbers take the other paths: many zeros in the tail. */
        for (int zeros = (int)(next(&state) % 12); zeros > 0 && value < INT64_MAX / 10; zeros--) {
            value *= 10;
        }
        value = kind == WS_QUANTITY_INTEGER && i % 2 == 0 ? -value : value;
        expect_round_trip((ws_quantity){.integer = value}, kind);
    }
}

/* A random double between 0 and the largest of its kind, on a logarithmic scale. */
static double random_real(uint64_t *state, double largest)
{
    double mantissa = (double)(next(state) >> 11) / 9007199254740992.0;
    int exponent = (int)(next(state) % 120) - 60;
    double value = ldexp(0.5 + mantissa / 2, exponent);

    if (next(state) % 3 == 0) {
        value = (double)(next(state) % 100000) / 1000; /* what people write */
    }
    return value > largest ? largest / value : value;
}

Test(quantity_print, real_values_read_back)
{
    const struct {
        ws_quantity_kind kind;
        double largest;
        bool has_unit;
    } kinds[] = {
        {WS_QUANTITY_BANDWIDTH, 1e18, false},   {WS_QUANTITY_FRACTION, 1, false},
        {WS_QUANTITY_PERCENT, 1e6, false},      {WS_QUANTITY_RATE, 1e9, false},
        {WS_QUANTITY_NUMBER, 1e300, false},     {WS_QUANTITY_WORK, 1e18, true},
        {WS_QUANTITY_PER_WORK, 8e9, true},      {WS_QUANTITY_WORK_RATE, 1e18, true},
        {WS_QUANTITY_VOLUME_PRICE, 1e9, false},
    };
    uint64_t state = 362436069362436069u;
    int64_t rounds = ws_test_scaled(20000, 1000);

    for (int64_t i = 0; i < rounds; i++) {
        size_t k = (size_t)i % WS_COUNT_OF(kinds);
        ws_quantity value = {.real = random_real(&state, kinds[k].largest)};

        if (kinds[k].has_unit) {
            value.unit = (ws_work_unit)(1 + next(&state) % 3);
        }
        expect_round_trip(value, kinds[k].kind);
    }
}

/* Whatever is accepted must print, and read back as itself; whatever is refused must say why. */
Test(quantity_print, random_texts_are_refused_or_read_back)
{
    const char alphabet[] = "0123456789.eE+-%$/ kKMGTPBbismhdwnu,_:\x1b\xC2\xB5";
    const char *const pieces[] = {"samples", "tok",  "month", "GiB", "Gb/s", "EUR",
                                  "PT",      "days", "1e30",  "min", "/h",   "/sample"};
    uint64_t state = 521288629546311291u;
    int64_t rounds = ws_test_scaled(60000, 5000);

    for (int64_t i = 0; i < rounds; i++) {
        char text[64] = "";
        size_t length = 0;
        ws_quantity_kind kind = (ws_quantity_kind)(i % (WS_QUANTITY_VOLUME_PRICE + 1));
        ws_quantity value;
        ws_quantity_fault fault = {.code = 0};

        for (uint64_t parts = next(&state) % 7; parts > 0; parts--) {
            if (next(&state) % 4 == 0) {
                const char *piece = pieces[next(&state) % WS_COUNT_OF(pieces)];

                memcpy(text + length, piece, strlen(piece));
                length += strlen(piece);
            } else {
                text[length] = alphabet[next(&state) % (sizeof alphabet - 1)];
                length++;
            }
        }
        if (ws_quantity_parse((ws_text){text, length}, kind, WS_TEXT("key"), &value, &fault,
                              &arena)) {
            expect_round_trip(value, kind);
        } else {
            cr_assert(fault.code >= 3101 && fault.code <= 3109, "%s", text);
            cr_assert(fault.message.start != NULL && fault.label.start != NULL, "%s", text);
        }
        ws_arena_reset(&arena);
    }
}

static void expect_human(int64_t ns, const char *printed)
{
    char out[WS_QUANTITY_TEXT_BYTES];

    cr_assert(eq(sz, ws_duration_print_human((ws_duration){ns}, out), strlen(printed)));
    cr_assert(eq(str, out, (char *)printed));
}

/* "46 min", "5.10 h" and "2 d 03:12" are of reference/ux/cli.md. */
Test(quantity_print, durations_for_people)
{
    expect_human(0, "0 s");
    expect_human(420, "420 ns");
    expect_human(1500, "1.50 us");
    expect_human(20000000, "20.0 ms");
    expect_human(999600000, "1.00 s");
    expect_human(INT64_C(95000000000), "95.0 s");
    expect_human(INT64_C(276000000000), "4.60 min");
    expect_human(46 * WS_NS_PER_MIN, "46 min");
    expect_human(306 * WS_NS_PER_MIN, "5.10 h");
    expect_human(2 * WS_NS_PER_D + 192 * WS_NS_PER_MIN, "2 d 03:12");
    expect_human(2 * WS_NS_PER_D - 1, "2 d 00:00");
    expect_human(-46 * WS_NS_PER_MIN, "-46 min");
    expect_human(INT64_MAX, "106751 d 23:47");
    expect_human(INT64_MIN, "-106751 d 23:47");
}
