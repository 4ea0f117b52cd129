/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Quantities as people write them, and what is said about those that are wrong. The texts of the
 * faults are those of reference/ux/scenario-yaml.md, section 5; H12 to H15 are of reliability.md.
 */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/arena_suite.h"
#include "support/support.h"
#include "ws/assert.h"
#include "ws/quantity.h"

WS_TEST_ARENA_SUITE(quantity);

static ws_quantity value_of(const char *text, ws_quantity_kind kind)
{
    ws_quantity value = {.integer = -1, .real = -1};
    ws_quantity_fault fault = {.code = 0};

    cr_assert(ws_quantity_parse(ws_text_of(text), kind, WS_TEXT("key"), &value, &fault, &arena),
              "%s: %.*s", text, WS_TEXT_ARGS(fault.message));
    return value;
}

static int64_t integer_of(const char *text, ws_quantity_kind kind)
{
    return value_of(text, kind).integer;
}

static double real_of(const char *text, ws_quantity_kind kind)
{
    return value_of(text, kind).real;
}

static ws_quantity_fault fault_of_text(ws_text text, ws_quantity_kind kind, const char *name)
{
    ws_quantity value = {.integer = 42, .real = 42};
    ws_quantity_fault fault = {.code = 0};

    cr_assert_not(ws_quantity_parse(text, kind, ws_text_of(name), &value, &fault, &arena), "%.*s",
                  WS_TEXT_ARGS(text));
    cr_assert(eq(i64, value.integer, 42));
    cr_assert(eq(dbl, value.real, 42));
    cr_assert(gt(sz, fault.message.length, 0));
    cr_assert(gt(sz, fault.label.length, 0));
    return fault;
}

static ws_quantity_fault fault_of(const char *text, ws_quantity_kind kind)
{
    return fault_of_text(ws_text_of(text), kind, "key");
}

static int code_of(const char *text, ws_quantity_kind kind)
{
    return fault_of(text, kind).code;
}

static void expect_help(const char *text, ws_quantity_kind kind, const char *help)
{
    ws_text found = fault_of(text, kind).help;

    cr_assert(ws_text_is(found, help), "%s: %.*s", text, WS_TEXT_ARGS(found));
}

Test(quantity, durations)
{
    cr_assert(eq(i64, integer_of("1ns", WS_QUANTITY_DURATION), 1));
    cr_assert(eq(i64, integer_of("20ms", WS_QUANTITY_DURATION), 20000000));
    cr_assert(eq(i64, integer_of("2.5h", WS_QUANTITY_DURATION), INT64_C(9000000000000)));
    cr_assert(eq(i64, integer_of("1h30m", WS_QUANTITY_DURATION), INT64_C(5400000000000)));
    cr_assert(eq(i64, integer_of("1h30min", WS_QUANTITY_DURATION), INT64_C(5400000000000)));
    cr_assert(eq(i64, integer_of("7d", WS_QUANTITY_DURATION), INT64_C(604800000000000)));
    cr_assert(eq(i64, integer_of("1w", WS_QUANTITY_DURATION), INT64_C(604800000000000)));
    cr_assert(eq(i64, integer_of("0s", WS_QUANTITY_DURATION), 0));
    cr_assert(eq(i64, integer_of("0.1us", WS_QUANTITY_DURATION), 100));
    cr_assert(eq(i64, integer_of("1e3s", WS_QUANTITY_DURATION), INT64_C(1000000000000)));
    /* 2^63 - 1 ns */
    cr_assert(eq(i64, integer_of("9223372036854775807ns", WS_QUANTITY_DURATION), INT64_MAX));
    cr_assert(eq(i64, integer_of("106751d23h47m16.854775807s", WS_QUANTITY_DURATION), INT64_MAX));
}

Test(quantity, sizes)
{
    cr_assert(eq(i64, integer_of("80GiB", WS_QUANTITY_BYTES), INT64_C(85899345920)));
    cr_assert(eq(i64, integer_of("80GB", WS_QUANTITY_BYTES), INT64_C(80000000000)));
    cr_assert(eq(i64, integer_of("0.5kB", WS_QUANTITY_BYTES), 500));
    cr_assert(eq(i64, integer_of("1.5KiB", WS_QUANTITY_BYTES), 1536));
    cr_assert(eq(i64, integer_of("7B", WS_QUANTITY_BYTES), 7));
    cr_assert(eq(i64, integer_of("1PiB", WS_QUANTITY_BYTES), INT64_C(1125899906842624)));
}

Test(quantity, bandwidths)
{
    cr_assert(eq(dbl, real_of("400Gb/s", WS_QUANTITY_BANDWIDTH), 5e10));
    cr_assert(eq(dbl, real_of("400Gbps", WS_QUANTITY_BANDWIDTH), 5e10));
    cr_assert(eq(dbl, real_of("450GB/s", WS_QUANTITY_BANDWIDTH), 4.5e11));
    cr_assert(eq(dbl, real_of("1KiB/s", WS_QUANTITY_BANDWIDTH), 1024));
    cr_assert(eq(dbl, real_of("8b/s", WS_QUANTITY_BANDWIDTH), 1));
    /* 4.35 x 10^9 / 8 has a double; 4.35 has none, so this rounds once or is wrong. */
    cr_assert(eq(dbl, real_of("4.35Gb/s", WS_QUANTITY_BANDWIDTH), 543750000));
}

/* A month is 730 h, so $0.73/month is $0.001/h; $1000/d is $41.6 recurring, cut to a billionth. */
Test(quantity, prices)
{
    cr_assert(eq(i64, integer_of("$2.99/h", WS_QUANTITY_PRICE), 2990000000));
    cr_assert(eq(i64, integer_of("$9000/d", WS_QUANTITY_PRICE), INT64_C(375000000000)));
    cr_assert(eq(i64, integer_of("$1000/d", WS_QUANTITY_PRICE), INT64_C(41666666667)));
    cr_assert(eq(i64, integer_of("$0.73/month", WS_QUANTITY_PRICE), 1000000));
    cr_assert(eq(i64, integer_of("$0.001/s", WS_QUANTITY_PRICE), INT64_C(3600000000)));
    cr_assert(eq(i64, integer_of("$1/min", WS_QUANTITY_PRICE), INT64_C(60000000000)));
    cr_assert(eq(i64, integer_of("$168/w", WS_QUANTITY_PRICE), 1000000000));
    cr_assert(eq(i64, integer_of("$0/h", WS_QUANTITY_PRICE), 0));
    cr_assert(eq(str, value_of("$1/h", WS_QUANTITY_PRICE).currency, (char *)"USD"));
    cr_assert(eq(i64, integer_of("2.75EUR/h", WS_QUANTITY_PRICE), 2750000000));
    cr_assert(eq(str, value_of("2.75EUR/h", WS_QUANTITY_PRICE).currency, (char *)"EUR"));
}

Test(quantity, money_and_storage)
{
    cr_assert(eq(i64, integer_of("$20000", WS_QUANTITY_MONEY), INT64_C(20000000000000)));
    cr_assert(eq(i64, integer_of("12.5EUR", WS_QUANTITY_MONEY), INT64_C(12500000000)));
    cr_assert(eq(dbl, real_of("$0.10/GiB/month", WS_QUANTITY_VOLUME_PRICE), 0.1));
    cr_assert(eq(dbl, real_of("$1024/TiB/month", WS_QUANTITY_VOLUME_PRICE), 1));
    /* 1 GiB is 1.073741824 GB */
    cr_assert(eq(dbl, real_of("$1/GB/month", WS_QUANTITY_VOLUME_PRICE), 1.073741824));
    cr_assert(eq(int, code_of("0.10", WS_QUANTITY_VOLUME_PRICE), 3104));
    cr_assert(eq(int, code_of("$0.10/GiB", WS_QUANTITY_VOLUME_PRICE), 3102));
    cr_assert(eq(int, code_of("$0.10/h", WS_QUANTITY_VOLUME_PRICE), 3102));
}

Test(quantity, fractions_and_percentages)
{
    cr_assert(eq(dbl, real_of("12%", WS_QUANTITY_FRACTION), 0.12));
    cr_assert(eq(dbl, real_of("0.12", WS_QUANTITY_FRACTION), 0.12));
    cr_assert(eq(dbl, real_of("100%", WS_QUANTITY_FRACTION), 1));
    cr_assert(eq(dbl, real_of("0", WS_QUANTITY_FRACTION), 0));
    cr_assert(eq(dbl, real_of("200%", WS_QUANTITY_PERCENT), 2));
    cr_assert(eq(dbl, real_of("0%", WS_QUANTITY_PERCENT), 0));
    cr_assert(eq(int, code_of("100.1%", WS_QUANTITY_FRACTION), 3105));
    cr_assert(eq(int, code_of("1.5", WS_QUANTITY_FRACTION), 3105));
    cr_assert(eq(int, code_of("1e400", WS_QUANTITY_FRACTION), 3105));
    cr_assert(eq(int, code_of("-1%", WS_QUANTITY_FRACTION), 3109));
    expect_help("2", WS_QUANTITY_PERCENT, "write `2%`, or `200%` for 2 times as much");
    expect_help("12percent", WS_QUANTITY_FRACTION, "write `12%`");
}

Test(quantity, counts_and_plain_numbers)
{
    cr_assert(eq(i64, integer_of("256", WS_QUANTITY_COUNT), 256));
    cr_assert(eq(i64, integer_of("6.74B", WS_QUANTITY_COUNT), INT64_C(6740000000)));
    cr_assert(eq(i64, integer_of("0.5M", WS_QUANTITY_COUNT), 500000));
    cr_assert(eq(i64, integer_of("2T", WS_QUANTITY_COUNT), INT64_C(2000000000000)));
    cr_assert(eq(i64, integer_of("-7", WS_QUANTITY_INTEGER), -7));
    cr_assert(eq(dbl, real_of("-2.5e-3", WS_QUANTITY_NUMBER), -0.0025));
    cr_assert(eq(int, code_of("1.5", WS_QUANTITY_COUNT), 3108));
    cr_assert(eq(int, code_of("0.0001k", WS_QUANTITY_COUNT), 3108));
    cr_assert(eq(int, code_of("-1", WS_QUANTITY_COUNT), 3109));
    cr_assert(eq(int, code_of("9223373T", WS_QUANTITY_COUNT), 3107));
    cr_assert(eq(int, code_of("1.5", WS_QUANTITY_INTEGER), 3108));
    cr_assert(eq(int, code_of("9223372036854775808", WS_QUANTITY_INTEGER), 3107));
    cr_assert(eq(int, code_of("1e400", WS_QUANTITY_NUMBER), 3107));
    cr_assert(eq(int, code_of("0.8s", WS_QUANTITY_NUMBER), 3102));
    expect_help("4K", WS_QUANTITY_COUNT, "write `4k`");
    expect_help("1,000,000", WS_QUANTITY_COUNT, "write `1000000`");
}

Test(quantity, rates_and_work)
{
    ws_quantity work = value_of("60B tokens", WS_QUANTITY_WORK);

    cr_assert(eq(dbl, work.real, 6e10));
    cr_assert(eq(int, work.unit, WS_WORK_TOKENS));
    cr_assert(eq(dbl, real_of("1Mtok", WS_QUANTITY_WORK), 1e6));
    cr_assert(eq(int, value_of("1Mtok", WS_QUANTITY_WORK).unit, WS_WORK_TOKENS));
    cr_assert(eq(int, value_of("20k steps", WS_QUANTITY_WORK).unit, WS_WORK_STEPS));
    cr_assert(eq(int, value_of("2B", WS_QUANTITY_WORK).unit, WS_WORK_NONE));
    cr_assert(eq(dbl, real_of("6/h", WS_QUANTITY_RATE), 6.0 / 3600.0));
    cr_assert(eq(dbl, real_of("0.5/s", WS_QUANTITY_RATE), 0.5));
    cr_assert(eq(dbl, real_of("120/min", WS_QUANTITY_RATE), 2));
    cr_assert(eq(dbl, real_of("310ms/sample", WS_QUANTITY_PER_WORK), 0.31));
    cr_assert(eq(int, value_of("2s/step", WS_QUANTITY_PER_WORK).unit, WS_WORK_STEPS));
    cr_assert(eq(dbl, real_of("640/s", WS_QUANTITY_WORK_RATE), 640));
    cr_assert(eq(dbl, real_of("1.2k samples/s", WS_QUANTITY_WORK_RATE), 1200));
    cr_assert(eq(dbl, real_of("120M tokens/min", WS_QUANTITY_WORK_RATE), 2e6));
    cr_assert(eq(int, code_of("3 apples", WS_QUANTITY_WORK), 3102));
    cr_assert(eq(int, code_of("310ms", WS_QUANTITY_PER_WORK), 3101));
    cr_assert(eq(int, code_of("310ms/apple", WS_QUANTITY_PER_WORK), 3102));
    cr_assert(eq(int, code_of("640 samples", WS_QUANTITY_WORK_RATE), 3101));
    cr_assert(eq(int, code_of("6", WS_QUANTITY_RATE), 3101));
    cr_assert(eq(int, code_of("6/month", WS_QUANTITY_RATE), 3102));
    expect_help("310us", WS_QUANTITY_PER_WORK, "write `310us/sample`, or `/token` or `/step`");
    expect_help("6/hour", WS_QUANTITY_RATE, "write `6/h`");
}

/* Bad variants 6, 7, 8, 9 and 11, word for word. */
typedef struct {
    const char *file;
    const char *name;
    const char *text;
    ws_quantity_kind kind;
    int code;
    const char *message;
    const char *label;
    const char *help;
    const char *note;
} known_fault;

static const known_fault known_faults[] = {
    {"06-unit-missing", "horizon", "604800", WS_QUANTITY_DURATION, 3101,
     "`horizon` is a time and needs a unit", "a number without a unit",
     "write `604800s`, or `7d` for the same length", ""},
    {"07-unit-unknown", "horizon", "7days", WS_QUANTITY_DURATION, 3102, "`days` is not a time unit",
     "unknown unit", "write `7d`", "time units are ns, us, ms, s, m (or min), h, d, w"},
    {"08-unit-ambiguous-case", "bandwidth", "400gb/s", WS_QUANTITY_BANDWIDTH, 3103,
     "`gb/s` could mean gigabits or gigabytes per second",
     "the case of the letters carries the meaning",
     "`400Gb/s` is 50 GB/s (bits); `400GB/s` is 3.2 Tb/s (bytes)", ""},
    {"09-price-without-unit", "per_gpu", "2.99", WS_QUANTITY_PRICE, 3104,
     "a price needs a currency and a time, per GPU or per node", "no currency, no time",
     "write `$2.99/h`", ""},
    {"11-percent-as-number", "confidence", "95", WS_QUANTITY_FRACTION, 3105,
     "`confidence` is a fraction between 0 and 1", "95 is more than 1", "write `95%` or `0.95`",
     ""},
};

Test(quantity, faults_say_what_the_manual_says)
{
    for (size_t i = 0; i < WS_COUNT_OF(known_faults); i++) {
        const known_fault *known = &known_faults[i];
        ws_quantity_fault fault = fault_of_text(ws_text_of(known->text), known->kind, known->name);

        cr_assert(eq(int, fault.code, known->code), "%s", known->file);
        cr_assert(ws_text_is(fault.message, known->message), "%s", known->file);
        cr_assert(ws_text_is(fault.label, known->label), "%s", known->file);
        cr_assert(ws_text_is(fault.help, known->help), "%s", known->file);
        cr_assert(ws_text_is(fault.note, known->note), "%s", known->file);
    }
}

static void expect_in_file(const char *content, ws_text part, const char *file)
{
    char needle[256];

    (void)snprintf(needle, sizeof needle, "%.*s\n", WS_TEXT_ARGS(part));
    cr_assert(part.length == 0 || strstr(content, needle) != NULL, "%s: %s", file, needle);
}

Test(quantity, faults_agree_with_the_shared_vectors)
{
    for (size_t i = 0; i < WS_COUNT_OF(known_faults); i++) {
        const known_fault *known = &known_faults[i];
        ws_quantity_fault fault = fault_of_text(ws_text_of(known->text), known->kind, known->name);
        char relative[128];
        char path[1024];
        ws_text content;

        (void)snprintf(relative, sizeof relative, "vectors/scenario/bad/%s.stderr", known->file);
        if (ws_test_shared(relative, path, sizeof path) == NULL) {
            cr_skip_test("no vectors");
        }
        content = ws_test_load(path);
        cr_assert(ne(ptr, (void *)content.start, NULL));
        expect_in_file(content.start, fault.message, known->file);
        expect_in_file(content.start, fault.label, known->file);
        expect_in_file(content.start, fault.help, known->file);
        expect_in_file(content.start, fault.note, known->file);
        free((void *)content.start);
    }
}

/* H12: never infinite, never 0 by rounding, never a sum with a minus in it. */
Test(quantity, hostile_durations)
{
    cr_assert(eq(int, code_of("1e400s", WS_QUANTITY_DURATION), 3107));
    cr_assert(eq(int, code_of("infs", WS_QUANTITY_DURATION), 3106));
    cr_assert(eq(int, code_of("nan", WS_QUANTITY_DURATION), 3106));
    cr_assert(eq(int, code_of("-5s", WS_QUANTITY_DURATION), 3109));
    cr_assert(eq(int, code_of("99999999999d", WS_QUANTITY_DURATION), 3107));
    cr_assert(eq(int, code_of("1h -5m", WS_QUANTITY_DURATION), 3109));
    cr_assert(eq(int, code_of("1h-5m", WS_QUANTITY_DURATION), 3109));
    cr_assert(eq(int, code_of("0.0000000001s", WS_QUANTITY_DURATION), 3108));
    cr_assert(eq(int, code_of("1.5ns", WS_QUANTITY_DURATION), 3108));
    cr_assert(eq(int, code_of("1e-400s", WS_QUANTITY_DURATION), 3108));
    cr_assert(eq(int, code_of("9223372036854775808ns", WS_QUANTITY_DURATION), 3107));
    cr_assert(eq(int, code_of("9223372036854775807ns1ns", WS_QUANTITY_DURATION), 3107));
    cr_assert(eq(int, code_of("", WS_QUANTITY_DURATION), 3106));
    cr_assert(eq(int, code_of(" ", WS_QUANTITY_DURATION), 3106));
    cr_assert(eq(int, code_of("s", WS_QUANTITY_DURATION), 3106));
    cr_assert(eq(int, code_of("0x10s", WS_QUANTITY_DURATION), 3102));
    cr_assert(eq(int, code_of("1e999999999999999999999s", WS_QUANTITY_DURATION), 3107));
    cr_assert(eq(int, fault_of_text(WS_TEXT("5s\0"), WS_QUANTITY_DURATION, "key").code, 3102));
}

/* 2^63 ns are 106751.99 days. */
Test(quantity, too_large_names_the_largest)
{
    cr_assert(ws_text_is(fault_of("99999999999d", WS_QUANTITY_DURATION).message,
                         "`key` is too large: at most `106751d`"));
    cr_assert(eq(i64, integer_of("106751d", WS_QUANTITY_DURATION), 106751 * WS_NS_PER_D));
    cr_assert(eq(int, code_of("106752d", WS_QUANTITY_DURATION), 3107));
    cr_assert(eq(i64, integer_of("8191PiB", WS_QUANTITY_BYTES), INT64_C(8191) << 50));
    cr_assert(eq(int, code_of("8192PiB", WS_QUANTITY_BYTES), 3107));
    cr_assert(
        eq(i64, integer_of("$9223372036/h", WS_QUANTITY_PRICE), INT64_C(9223372036000000000)));
    cr_assert(eq(int, code_of("$9223372037/h", WS_QUANTITY_PRICE), 3107));
    cr_assert(eq(i64, integer_of("9223372T", WS_QUANTITY_COUNT), INT64_C(9223372000000000000)));
    cr_assert(eq(dbl, real_of("1000000TB/s", WS_QUANTITY_BANDWIDTH), 1e18));
    cr_assert(eq(int, code_of("1000001TB/s", WS_QUANTITY_BANDWIDTH), 3107));
}

/* H15 */
Test(quantity, hostile_prices)
{
    cr_assert(eq(int, code_of("$1e308/h", WS_QUANTITY_PRICE), 3107));
    cr_assert(eq(int, code_of("$-1/h", WS_QUANTITY_PRICE), 3109));
    cr_assert(eq(int, code_of("-$1/h", WS_QUANTITY_PRICE), 3109));
    cr_assert(eq(int, code_of("$0.0000000001/h", WS_QUANTITY_PRICE), 3108));
    cr_assert(eq(int, code_of("$0.000000001/month", WS_QUANTITY_PRICE), 3108));
    cr_assert(eq(int, code_of("$/h", WS_QUANTITY_PRICE), 3106));
    cr_assert(eq(int, code_of("$", WS_QUANTITY_PRICE), 3106));
    cr_assert(eq(int, code_of("$$1/h", WS_QUANTITY_PRICE), 3106));
    cr_assert(eq(int, code_of("$1/", WS_QUANTITY_PRICE), 3102));
    cr_assert(eq(int, code_of("$1/y", WS_QUANTITY_PRICE), 3102));
    cr_assert(eq(int, code_of("2.75eur/h", WS_QUANTITY_PRICE), 3102));
    cr_assert(eq(int, code_of("20000", WS_QUANTITY_MONEY), 3104));
    cr_assert(ws_text_is(fault_of("$2.99", WS_QUANTITY_PRICE).label, "no time"));
    cr_assert(ws_text_is(fault_of("2.99/h", WS_QUANTITY_PRICE).label, "no currency"));
    expect_help("2.99/h", WS_QUANTITY_PRICE, "write `$2.99/h`");
    expect_help("$2.99/hour", WS_QUANTITY_PRICE, "write `$2.99/h`");
    expect_help("20000", WS_QUANTITY_MONEY, "write `$20000`");
}

Test(quantity, the_case_of_bandwidths_is_never_guessed)
{
    const char *const unclear[] = {"400gb/s", "400GBPS", "400gbps", "400GB/S", "400Gb/S",
                                   "400gB/s", "1mb/s",   "1KB/S",   "1B/S"};

    for (size_t i = 0; i < WS_COUNT_OF(unclear); i++) {
        cr_assert(eq(int, code_of(unclear[i], WS_QUANTITY_BANDWIDTH), 3103), "%s", unclear[i]);
    }
    expect_help("400GBPS", WS_QUANTITY_BANDWIDTH,
                "`400Gb/s` is 50 GB/s (bits); `400GB/s` is 3.2 Tb/s (bytes)");
    /* 1 Mb/s is 125000 B/s; 1 MB/s is 8000000 b/s */
    expect_help("1mb/s", WS_QUANTITY_BANDWIDTH,
                "`1Mb/s` is 125 kB/s (bits); `1MB/s` is 8 Mb/s (bytes)");
    cr_assert(eq(int, code_of("80gb", WS_QUANTITY_BYTES), 3103));
    cr_assert(eq(int, code_of("80Gb", WS_QUANTITY_BYTES), 3103));
    expect_help("80Gb", WS_QUANTITY_BYTES, "write `80GB` for gigabytes; 80 gigabits are 10 GB");
}

Test(quantity, units_of_other_tools_are_translated)
{
    expect_help("80Gi", WS_QUANTITY_BYTES, "write `80GiB`");
    expect_help("80KB", WS_QUANTITY_BYTES, "write `80kB`");
    expect_help("80GIB", WS_QUANTITY_BYTES, "write `80GiB`");
    expect_help("400Gbit/s", WS_QUANTITY_BANDWIDTH, "write `400Gb/s`");
    expect_help("50GBps", WS_QUANTITY_BANDWIDTH, "write `50GB/s`");
    expect_help("400Gb", WS_QUANTITY_BANDWIDTH, "write `400Gb/s`");
    expect_help("5M", WS_QUANTITY_DURATION, "write `5m`");
    expect_help("1hour30minutes", WS_QUANTITY_DURATION, "write `1h30m`");
    expect_help("5\xC2\xB5s", WS_QUANTITY_DURATION, "write `5us`");
    expect_help("1h 30m", WS_QUANTITY_DURATION, "write `1h30m`");
    expect_help("7 d", WS_QUANTITY_DURATION, "write `7d`");
    expect_help("1,5h", WS_QUANTITY_DURATION, "write `1.5h`");
    expect_help("1_000s", WS_QUANTITY_DURATION, "write `1000s`");
    expect_help("30", WS_QUANTITY_DURATION, "write `30s`");
    expect_help("1h30", WS_QUANTITY_DURATION, "write a unit behind `30`");
    expect_help("xyz", WS_QUANTITY_DURATION, "write a value such as `30s`");
}

Test(quantity, iso_8601_durations_are_translated)
{
    cr_assert(eq(int, code_of("PT30S", WS_QUANTITY_DURATION), 3102));
    cr_assert(ws_text_is(fault_of("PT30S", WS_QUANTITY_DURATION).message,
                         "`PT30S` is an ISO 8601 duration"));
    expect_help("PT30S", WS_QUANTITY_DURATION, "write `30s`");
    expect_help("PT1H30M", WS_QUANTITY_DURATION, "write `1h30m`");
    expect_help("P1DT0.5H", WS_QUANTITY_DURATION, "write `1d0.5h`");
    expect_help("P2W", WS_QUANTITY_DURATION, "write `2w`");
    expect_help("P1M", WS_QUANTITY_DURATION, "use days: months and years differ in length");
    expect_help("P1Y", WS_QUANTITY_DURATION, "use days: months and years differ in length");
    expect_help("PT1", WS_QUANTITY_DURATION, "write times as in `1h30m`");
    expect_help("PTTTT", WS_QUANTITY_DURATION, "write times as in `1h30m`");
}

Test(quantity, months_and_years_are_refused)
{
    cr_assert(eq(int, code_of("3months", WS_QUANTITY_DURATION), 3102));
    expect_help("3months", WS_QUANTITY_DURATION, "use days: `90d`");
    expect_help("1y", WS_QUANTITY_DURATION, "use days: `365d`");
    expect_help("0.5years", WS_QUANTITY_DURATION, "use days: `182d12h`");
    expect_help("1e30years", WS_QUANTITY_DURATION, "use days: months and years differ in length");
}

/* What a file holds must not reach a terminal as it is. */
Test(quantity, messages_hold_no_control_characters)
{
    const ws_text hostile[] = {WS_TEXT("\x1b[31m"),
                               WS_TEXT("5\x1b[2Js"),
                               WS_TEXT("\x80\xFF"),
                               WS_TEXT("5\xE2\x80\xAEs"),
                               WS_TEXT("a\nb"),
                               WS_TEXT("\xC2\x9B"
                                       "31m")};

    for (size_t i = 0; i < WS_COUNT_OF(hostile); i++) {
        ws_quantity_fault fault = fault_of_text(hostile[i], WS_QUANTITY_DURATION, "key");

        for (size_t j = 0; j < fault.message.length;) {
            uint32_t scalar = 0;

            j += ws_text_decode(fault.message, j, &scalar);
            cr_assert(ge(u32, scalar, 0x20), "text %zu", i);
            cr_assert(scalar < 0x7F, "text %zu", i);
        }
    }
}

Test(quantity, long_texts_are_cut_in_messages)
{
    char *text = malloc(70000);
    const ws_quantity_kind kinds[] = {WS_QUANTITY_DURATION, WS_QUANTITY_BANDWIDTH,
                                      WS_QUANTITY_PRICE, WS_QUANTITY_WORK, WS_QUANTITY_FRACTION};

    cr_assert(ne(ptr, text, NULL));
    memset(text, '7', 70000);
    for (size_t i = 0; i < WS_COUNT_OF(kinds); i++) {
        ws_quantity_fault fault = fault_of_text((ws_text){text, 70000}, kinds[i], "key");

        cr_assert(lt(sz, fault.message.length, 300));
        cr_assert(lt(sz, fault.label.length, 300));
        cr_assert(lt(sz, fault.help.length, 300));
    }
    free(text);
}

Test(quantity, an_exhausted_arena_still_refuses)
{
    ws_arena none;
    ws_quantity value = {.integer = 42};
    ws_quantity_fault fault = {.code = 0};
    const char *const wrong[] = {"604800", "7days", "PT30S", "3months", "", "-1s", "1e99s"};

    ws_arena_init(&none, &ws_allocator_default, 0);
    for (size_t i = 0; i < WS_COUNT_OF(wrong); i++) {
        cr_assert_not(ws_quantity_parse(ws_text_of(wrong[i]), WS_QUANTITY_DURATION, WS_TEXT("key"),
                                        &value, &fault, &none));
        cr_assert(ge(int, fault.code, 3101));
    }
    cr_assert(eq(i64, value.integer, 42));
}

Test(quantity, every_kind_has_a_name)
{
    for (int kind = WS_QUANTITY_DURATION; kind <= WS_QUANTITY_VOLUME_PRICE; kind++) {
        cr_assert(gt(sz, strlen(ws_quantity_kind_name((ws_quantity_kind)kind)), 0));
    }
    cr_assert(eq(str, (char *)ws_quantity_kind_name(WS_QUANTITY_DURATION), (char *)"a time"));
    cr_assert(eq(str, (char *)ws_quantity_kind_name(WS_QUANTITY_BYTES), (char *)"a size in bytes"));
}
