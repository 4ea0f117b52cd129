/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers from text and back. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/support.h"
#include "ws/assert.h"
#include "ws/number.h"
#include "ws/random.h"

Test(number, i64_reads_its_whole_range)
{
    int64_t value = 0;

    cr_assert(ws_parse_i64(WS_TEXT("0"), &value));
    cr_assert(eq(i64, value, 0));
    cr_assert(ws_parse_i64(WS_TEXT("9223372036854775807"), &value));
    cr_assert(eq(i64, value, INT64_MAX));
    cr_assert(ws_parse_i64(WS_TEXT("-9223372036854775808"), &value));
    cr_assert(eq(i64, value, INT64_MIN));
    cr_assert(ws_parse_i64(WS_TEXT("+007"), &value));
    cr_assert(eq(i64, value, 7));
}

Test(number, i64_refuses_the_rest_and_keeps_the_value)
{
    const char *const wrong[] = {"",
                                 "-",
                                 "+",
                                 "--1",
                                 "1 ",
                                 " 1",
                                 "8x",
                                 "0x10",
                                 "1e3",
                                 "1.0",
                                 "1_000",
                                 "1,0",
                                 "nan",
                                 "inf",
                                 "9223372036854775808",
                                 "-9223372036854775809",
                                 "99999999999999999999999999"};
    int64_t value = 42;

    for (size_t i = 0; i < WS_COUNT_OF(wrong); i++) {
        cr_assert_not(ws_parse_i64(ws_text_of(wrong[i]), &value), "%s", wrong[i]);
    }
    cr_assert_not(ws_parse_i64(WS_TEXT("1\0"), &value));
    cr_assert_not(ws_parse_i64(ws_text_of(NULL), &value));
    cr_assert(eq(i64, value, 42));
}

Test(number, u64_reads_its_whole_range)
{
    uint64_t value = 0;

    cr_assert(ws_parse_u64(WS_TEXT("18446744073709551615"), &value));
    cr_assert(eq(u64, value, UINT64_MAX));
    cr_assert_not(ws_parse_u64(WS_TEXT("18446744073709551616"), &value));
    cr_assert_not(ws_parse_u64(WS_TEXT("-1"), &value));
    cr_assert(eq(u64, value, UINT64_MAX));
    cr_assert(ws_parse_u64(WS_TEXT("-0"), &value));
    cr_assert(eq(u64, value, 0));
}

Test(number, f64_reads_every_form)
{
    double value = 0;

    cr_assert(ws_parse_f64(WS_TEXT("2.5"), &value));
    cr_assert(eq(dbl, value, 2.5));
    cr_assert(ws_parse_f64(WS_TEXT(".5"), &value));
    cr_assert(eq(dbl, value, 0.5));
    cr_assert(ws_parse_f64(WS_TEXT("5."), &value));
    cr_assert(eq(dbl, value, 5));
    cr_assert(ws_parse_f64(WS_TEXT("-1.25E+2"), &value));
    cr_assert(eq(dbl, value, -125));
    cr_assert(ws_parse_f64(WS_TEXT("1e-400"), &value)); /* too small to tell from 0 */
    cr_assert(eq(dbl, value, 0));
    cr_assert(ws_parse_f64(WS_TEXT("1.7976931348623157e308"), &value));
    cr_assert(eq(dbl, value, DBL_MAX));
    cr_assert(ws_parse_f64(WS_TEXT("-0"), &value));
    cr_assert_not(signbit(value));
}

Test(number, f64_refuses_what_strtod_takes)
{
    const char *const wrong[] = {"",      " 1",       "1 ",    "nan",  "NaN(1)", "inf",
                                 "-inf",  "infinity", "0x1p3", "0x10", "1e",     "1e+",
                                 "e5",    ".",        "+",     "-.",   "1.2.3",  "1,5",
                                 "1e400", "-1e400",   "1f",    "1_0",  "1e5.0"};
    double value = 42;

    for (size_t i = 0; i < WS_COUNT_OF(wrong); i++) {
        cr_assert_not(ws_parse_f64(ws_text_of(wrong[i]), &value), "%s", wrong[i]);
    }
    cr_assert_not(ws_parse_f64(WS_TEXT("1\0"), &value));
    cr_assert(eq(dbl, value, 42));
}

Test(number, f64_has_a_longest_text)
{
    char digits[WS_NUMBER_INPUT_BYTES_MAX + 1];
    double value = 42;

    memset(digits, '1', sizeof digits);
    digits[1] = '.';
    cr_assert(ws_parse_f64((ws_text){digits, WS_NUMBER_INPUT_BYTES_MAX}, &value));
    cr_assert(eq(dbl, value, 10.0 / 9.0)); /* 1.111... */
    cr_assert_not(ws_parse_f64((ws_text){digits, sizeof digits}, &value));
    memset(digits, '9', sizeof digits);
    cr_assert_not(ws_parse_f64((ws_text){digits, 400}, &value)); /* 400 nines are no double */
}

/* The text must not be terminated for strtod to stop at its end. */
Test(number, f64_stops_at_the_end_of_the_text)
{
    double value = 0;

    cr_assert(ws_parse_f64((ws_text){"12345", 2}, &value));
    cr_assert(eq(dbl, value, 12));
}

/* Short numbers are read by one multiplication or division, the others by strtod: the same bits on
 * either side of 15 digits and of 10^22, and the same integers on either side of 18 digits. */
Test(number, short_numbers_are_what_the_c_library_makes_of_them)
{
    int64_t rounds = ws_test_scaled(200000, 20000);
    ws_stream stream;
    char text[64];

    ws_stream_open(&stream, (ws_stream_key){.seed = 11, .purpose = WS_PURPOSE_JOB});
    for (int64_t round = 0; round < rounds; round++) {
        double digits_drawn = ws_stream_uniform(&stream);
        double mantissa_drawn = ws_stream_uniform(&stream);
        double point_drawn = ws_stream_uniform(&stream);
        double exponent_drawn = ws_stream_uniform(&stream);
        int digits = 1 + (int)(digits_drawn * 17);
        int point = (int)(point_drawn * digits);
        int exponent = (int)(exponent_drawn * 61) - 30;
        int64_t mantissa = (int64_t)(mantissa_drawn * pow(10, digits));
        double value = 1;

        (void)snprintf(text, sizeof text, "%s%0*" PRId64 "%.*s%.*se%d", round % 2 == 0 ? "" : "-",
                       digits - point, mantissa, point > 0 ? 1 : 0, ".", point, "12345678901234567",
                       exponent);
        cr_assert(ws_parse_f64(ws_text_of(text), &value), "%s", text);
        double expected = strtod(text, NULL);

        cr_assert(memcmp(&value, &expected, sizeof value) == 0 || (expected == 0 && value == 0),
                  "%s: %.17g, not %.17g", text, value, expected);
    }
}

Test(number, scaled_is_the_same_beyond_eighteen_digits)
{
    static const struct {
        const char *text;
        int scale;
        int64_t value;
    } cases[] = {
        {"999999999.999999999", 9, INT64_C(999999999999999999)}, /* 18 digits */
        {"1000000000.000000001", 9, INT64_C(1000000000000000001)},
        {"9", 18, INT64_C(9000000000000000000)}, /* 19 with its zeros */
        {"0.000000000000000009", 18, 9},
        {"123e-2", 2, 123},
        {"-1.5e1", 1, -150},
        {"000000000000000000000001.5", 1, 15},
    };

    for (size_t i = 0; i < WS_COUNT_OF(cases); i++) {
        int64_t value = 0;

        cr_assert(ws_parse_scaled(ws_text_of(cases[i].text), cases[i].scale, &value, NULL), "%s",
                  cases[i].text);
        cr_expect(eq(i64, value, cases[i].value), "%s", cases[i].text);
    }
}

Test(number, scaled_is_exact)
{
    int64_t value = 0;

    cr_assert(ws_parse_scaled(WS_TEXT("2.99"), 9, &value, NULL));
    cr_assert(eq(i64, value, 2990000000));
    cr_assert(ws_parse_scaled(WS_TEXT("0.1"), 1, &value, NULL));
    cr_assert(eq(i64, value, 1));
    cr_assert(ws_parse_scaled(WS_TEXT("-1.5e3"), 0, &value, NULL));
    cr_assert(eq(i64, value, -1500));
    cr_assert(ws_parse_scaled(WS_TEXT("1200e-2"), 0, &value, NULL));
    cr_assert(eq(i64, value, 12));
    cr_assert(ws_parse_scaled(WS_TEXT("9.223372036854775807"), 18, &value, NULL));
    cr_assert(eq(i64, value, INT64_MAX));
    cr_assert(ws_parse_scaled(WS_TEXT("-9.223372036854775808"), 18, &value, NULL));
    cr_assert(eq(i64, value, INT64_MIN));
    cr_assert(ws_parse_scaled(WS_TEXT("0e99999999999999999999"), 9, &value, NULL));
    cr_assert(eq(i64, value, 0));
    cr_assert(ws_parse_scaled(WS_TEXT("0.0000e-5"), 0, &value, NULL));
    cr_assert(eq(i64, value, 0));
    cr_assert(ws_parse_scaled(WS_TEXT("000000000000000000000000000012"), 0, &value, NULL));
    cr_assert(eq(i64, value, 12));
}

Test(number, scaled_refuses_too_fine_and_too_large)
{
    const char *const wrong[] = {"1.5",
                                 "0.1",
                                 "1e-1",
                                 "9223372036854775808",
                                 "1e19",
                                 "1e400",
                                 "1e99999999999999999999",
                                 "1e-99999999999999999999",
                                 "",
                                 "x",
                                 "nan"};
    int64_t value = 42;

    for (size_t i = 0; i < WS_COUNT_OF(wrong); i++) {
        cr_assert_not(ws_parse_scaled(ws_text_of(wrong[i]), 0, &value, NULL), "%s", wrong[i]);
    }
    cr_assert(eq(i64, value, 42));
}

static int64_t rounded(const char *text, bool expect_inexact)
{
    int64_t value = 42;
    bool inexact = false;

    cr_assert(ws_parse_scaled(ws_text_of(text), 0, &value, &inexact), "%s", text);
    cr_assert(eq(int, inexact, expect_inexact), "%s", text);
    return value;
}

Test(number, scaled_rounds_half_to_even_when_asked)
{
    cr_assert(eq(i64, rounded("2.5", true), 2));
    cr_assert(eq(i64, rounded("3.5", true), 4));
    cr_assert(eq(i64, rounded("2.50000000000000000000000001", true), 3));
    cr_assert(eq(i64, rounded("-2.5", true), -2));
    cr_assert(eq(i64, rounded("2.4999999999999999999999", true), 2));
    cr_assert(eq(i64, rounded("2.51", true), 3));
    cr_assert(eq(i64, rounded("0.5", true), 0));
    cr_assert(eq(i64, rounded("0.05e1", true), 0));
    cr_assert(eq(i64, rounded("5e-2", true), 0)); /* 0.05: the first place cut off is a 0 */
    cr_assert(eq(i64, rounded("7.000", false), 7));
    cr_assert(eq(i64, rounded("1e-4000", true), 0));
}

Test(number, scaled_rounding_does_not_pass_the_end)
{
    int64_t value = 42;
    bool inexact = false;

    cr_assert_not(ws_parse_scaled(WS_TEXT("9223372036854775807.5"), 0, &value, &inexact));
    cr_assert_not(ws_parse_scaled(WS_TEXT("18446744073709551615.5"), 0, &value, &inexact));
    cr_assert(eq(i64, value, 42));
    cr_assert(ws_parse_scaled(WS_TEXT("9223372036854775806.5"), 0, &value, &inexact));
    cr_assert(eq(i64, value, INT64_MAX - 1));
}

static void expect_f64(double value, const char *text)
{
    char out[WS_NUMBER_TEXT_BYTES];

    cr_assert(eq(sz, ws_print_f64(value, out), strlen(text)));
    cr_assert(eq(str, out, (char *)text));
}

/* The shortest of %.15g, %.16g and %.17g; 0.1 + 0.2 needs 17, 5e-324 is the smallest denormal. */
Test(number, f64_prints_the_shortest)
{
    expect_f64(0, "0");
    expect_f64(-0.0, "0");
    expect_f64(0.1, "0.1");
    expect_f64(0.1 + 0.2, "0.30000000000000004");
    expect_f64(1.0 / 3.0, "0.3333333333333333");
    expect_f64(-2.5, "-2.5");
    expect_f64(1e20, "1e+20");
    expect_f64(123456789012345.0, "123456789012345");
    expect_f64(5e-324, "4.94065645841247e-324");
    expect_f64(DBL_MAX, "1.7976931348623157e+308");
}

Test(number, f64_reads_back_equal)
{
    uint64_t state = 88172645463325252u;

    for (int i = 0; i < 100000; i++) {
        char out[WS_NUMBER_TEXT_BYTES];
        double value = 0;
        double back = 0;
        size_t length = 0;

        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        memcpy(&value, &state, sizeof value);
        if (!isfinite(value)) {
            continue;
        }
        length = ws_print_f64(value, out);
        cr_assert(ws_parse_f64((ws_text){out, length}, &back), "%s", out);
        cr_assert(back == value, "%s", out);
    }
}

Test(number, integers_print_their_digits)
{
    char out[WS_NUMBER_TEXT_BYTES];

    cr_assert(eq(sz, ws_print_i64(INT64_MIN, out), 20));
    cr_assert(eq(str, out, (char *)"-9223372036854775808"));
    cr_assert(eq(sz, ws_print_i64(0, out), 1));
    cr_assert(eq(str, out, (char *)"0"));
    cr_assert(eq(sz, ws_print_u64(UINT64_MAX, out), 20));
    cr_assert(eq(str, out, (char *)"18446744073709551615"));
}

Test(number, the_decimal_point_is_a_point)
{
    cr_assert(ws_number_locale_is_c());
}
