/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Prints quantities: several spellings are tried, each is read back, and the shortest that is the
 * same value wins. The last resort of every kind is exact by construction.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ws/assert.h"
#include "ws/number.h"

#include "quantity_units.h"

typedef struct {
    char text[WS_QUANTITY_TEXT_BYTES];
    size_t length; /* 0: nothing yet */
} print_spelling;

/* Keeps a spelling when it is shorter than the best, or as short and `wins_ties`. */
static void print_offer(print_spelling *best, const char *number, const char *before,
                        const char *after, bool wins_ties)
{
    char text[WS_QUANTITY_TEXT_BYTES];
    int length = snprintf(text, sizeof text, "%s%s%s", before, number, after);

    WS_ASSERT(length > 0);

    if ((size_t)length >= sizeof text) {
        return;
    }
    if (best->length == 0 || (size_t)length < best->length + (wins_ties ? 1 : 0)) {
        memcpy(best->text, text, (size_t)length + 1);
        best->length = (size_t)length;
    }
}

/* value / 10^decimals without trailing zeros. */
static void print_decimal(uint64_t whole, uint64_t fraction, int decimals,
                          char out[WS_QUANTITY_TEXT_BYTES])
{
    int length =
        snprintf(out, WS_QUANTITY_TEXT_BYTES, "%" PRIu64 ".%0*" PRIu64, whole, decimals, fraction);

    WS_ASSERT(length > 0 && length < WS_QUANTITY_TEXT_BYTES);

    while (out[length - 1] == '0') {
        length--;
    }
    length -= out[length - 1] == '.' ? 1 : 0;
    out[length] = '\0';
}

static int64_t print_unit_size(const ws_unit *unit)
{
    int64_t size = unit->factor;

    for (int i = 0; i < unit->power; i++) {
        size *= 10;
    }
    return size;
}

/* value in a unit, when it is one unit or more and nine decimals hold it exactly. */
static void print_offer_whole(print_spelling *best, uint64_t value, const ws_unit *unit)
{
    __extension__ typedef unsigned __int128 print_u128;
    char number[WS_QUANTITY_TEXT_BYTES];
    uint64_t size = (uint64_t)print_unit_size(unit);
    print_u128 scaled = (print_u128)(value % size) * 1000000000u;

    if (scaled % size == 0 && (value >= size || size == 1)) {
        print_decimal(value / size, (uint64_t)(scaled / size), 9, number);
        print_offer(best, number, "", unit->name, true);
    }
}

static print_spelling print_whole(int64_t value, ws_unit_list units)
{
    print_spelling best = {.length = 0};

    WS_ASSERT(value >= 0);

    for (size_t i = 0; i < units.count; i++) {
        print_offer_whole(&best, (uint64_t)value, &units.units[i]);
    }
    return best;
}

/* Days, hours and minutes apart, then seconds with decimals; weeks are read, never written. */
static print_spelling print_duration(int64_t ns)
{
    static const ws_unit large[] = {{"d", 9, 86400, 1}, {"h", 9, 3600, 1}, {"m", 9, 60, 1}};
    char number[WS_QUANTITY_TEXT_BYTES];
    print_spelling sum = {.length = 0};
    uint64_t rest = (uint64_t)ns;

    WS_ASSERT(ns >= 0);

    if (ns == 0) {
        print_offer(&sum, "0", "", "s", true);
        return sum;
    }
    if (ns < WS_NS_PER_S) {
        return print_whole(ns, (ws_unit_list){ws_units_time.units, 3});
    }
    for (size_t i = 0; i < WS_COUNT_OF(large); i++) {
        uint64_t size = (uint64_t)print_unit_size(&large[i]);

        if (rest >= size) {
            sum.length += (size_t)snprintf(sum.text + sum.length, sizeof sum.text - sum.length,
                                           "%" PRIu64 "%s", rest / size, large[i].name);
            rest %= size;
        }
    }
    if (rest > 0) {
        print_decimal(rest / 1000000000u, rest % 1000000000u, 9, number);
        sum.length +=
            (size_t)snprintf(sum.text + sum.length, sizeof sum.text - sum.length, "%ss", number);
    }
    WS_ASSERT(sum.length < sizeof sum.text);
    return sum;
}

/* Decimal digits of value x 10^-power with an exponent: exact, since only the exponent moves. */
static void print_shifted(double value, int power, char out[WS_NUMBER_TEXT_BYTES])
{
    char digits[WS_NUMBER_TEXT_BYTES];
    char *exponent = NULL;
    int64_t number = 0;
    int length = snprintf(digits, sizeof digits, "%.16e", value);

    WS_ASSERT(length > 0 && (size_t)length < sizeof digits);

    exponent = strchr(digits, 'e');
    WS_ASSERT(exponent != NULL);
    if (!ws_parse_i64(ws_text_of(exponent + 1), &number)) {
        number = 0;
    }
    length = snprintf(out, WS_NUMBER_TEXT_BYTES, "%.*se%" PRId64, (int)(exponent - digits), digits,
                      number - power);
    WS_ASSERT(length > 0 && length < WS_NUMBER_TEXT_BYTES);
}

/* How a real kind is spelled: number, suffix of a unit, and what follows it. */
typedef struct {
    ws_quantity_kind kind;
    const char *before; /* "$" */
    const char *middle; /* between number and unit: "/" of a rate */
    const char *after;  /* " samples/s" */
    bool takes_small;   /* amounts below 1 of any unit; else only of the kind's own */
} print_style;

/* The fewest digits of an amount, from 15 on, that read back as the value. */
static void print_offer_real(print_spelling *best, double value, const ws_unit *unit,
                             const print_style *style)
{
    char number[WS_NUMBER_TEXT_BYTES];
    char after[WS_QUANTITY_TEXT_BYTES];
    char text[WS_QUANTITY_TEXT_BYTES];
    double amount = value / pow(10, unit->power) / (double)unit->factor * (double)unit->divisor;
    int length = snprintf(after, sizeof after, "%s%s%s", style->middle, unit->name, style->after);

    bool is_small = fabs(amount) < 1;
    bool is_base = unit->power == 0 && unit->factor == 1 && unit->divisor == 1;

    WS_ASSERT(length >= 0 && (size_t)length < sizeof after);

    if (is_small && !is_base && !style->takes_small) {
        return;
    }
    for (int digits = 15; digits <= 17 && isfinite(amount); digits++) {
        ws_quantity_reading reading;

        (void)snprintf(number, sizeof number, "%.*g", digits, amount == 0 ? 0 : amount);
        length = snprintf(text, sizeof text, "%s%s%s", style->before, number, after);
        WS_ASSERT(length > 0 && (size_t)length < sizeof text);
        reading = ws_quantity_read(ws_text_of(text), style->kind);
        if (reading.code == 0 && reading.value.real == value) {
            print_offer(best, number, style->before, after, !is_small);
            return;
        }
    }
}

static print_spelling print_real(double value, ws_unit_list units, const print_style *style)
{
    print_spelling best = {.length = 0};

    WS_ASSERT(isfinite(value));

    for (size_t i = 0; i < units.count; i++) {
        print_offer_real(&best, value, &units.units[i], style);
    }
    return best;
}

/* 12% or 0.12. Beyond 1 the sign is needed, so there the digits move by two places. */
static print_spelling print_percent(double value, ws_quantity_kind kind)
{
    print_style style = {
        .kind = kind, .before = "", .middle = "", .after = "", .takes_small = true};
    ws_unit_list percent_first = {&ws_units_percent.units[1], 1};
    ws_unit_list bare = {&ws_units_percent.units[0], 1};
    print_spelling best = print_real(value, percent_first, &style);
    print_spelling plain = {.length = 0};
    char number[WS_NUMBER_TEXT_BYTES];

    if (kind == WS_QUANTITY_FRACTION || best.length == 0) {
        plain = print_real(value, bare, &style);
    }
    if (plain.length > 0 && (best.length == 0 || plain.length < best.length)) {
        return plain;
    }
    if (best.length == 0) {
        print_shifted(value, -2, number);
        print_offer(&best, number, "", "%", false);
    }
    return best;
}

static print_spelling print_money(const ws_quantity *value, const char *after)
{
    print_spelling best = {.length = 0};
    char number[WS_QUANTITY_TEXT_BYTES];
    char tail[WS_QUANTITY_TEXT_BYTES];
    bool is_dollar = value->currency[0] == '\0' || strcmp(value->currency, "USD") == 0;

    WS_ASSERT(value->integer >= 0);

    print_decimal((uint64_t)value->integer / 1000000000u, (uint64_t)value->integer % 1000000000u, 9,
                  number);
    (void)snprintf(tail, sizeof tail, "%s%s", is_dollar ? "" : value->currency, after);
    print_offer(&best, number, is_dollar ? "$" : "", tail, true);
    return best;
}

static print_spelling print_volume_price(const ws_quantity *value)
{
    static const ws_unit gib = {"/GiB/month", 0, 1, 1};
    bool is_dollar = value->currency[0] == '\0' || strcmp(value->currency, "USD") == 0;
    print_style style = {.kind = WS_QUANTITY_VOLUME_PRICE,
                         .before = is_dollar ? "$" : "",
                         .middle = is_dollar ? "" : value->currency,
                         .after = ""};

    return print_real(value->real, (ws_unit_list){&gib, 1}, &style);
}

static print_spelling print_per_work(const ws_quantity *value)
{
    char after[WS_QUANTITY_TEXT_BYTES] = "/";
    /* In seconds, so that the last resort needs no conversion. */
    static const ws_unit units[] = {{"ns", -9, 1, 1},  {"us", -6, 1, 1}, {"ms", -3, 1, 1},
                                    {"s", 0, 1, 1},    {"m", 0, 60, 1},  {"h", 0, 3600, 1},
                                    {"d", 0, 86400, 1}};
    print_style style = {.kind = WS_QUANTITY_PER_WORK, .before = "", .middle = ""};
    size_t length = strlen(ws_work_unit_name(value->unit));

    WS_ASSERT(length > 1 && length + 1 < sizeof after);

    memcpy(after + 1, ws_work_unit_name(value->unit), length - 1); /* in the singular */
    after[length] = '\0';
    style.after = after;
    return print_real(value->real, (ws_unit_list){units, WS_COUNT_OF(units)}, &style);
}

static print_spelling print_work(const ws_quantity *value, ws_quantity_kind kind)
{
    char after[WS_QUANTITY_TEXT_BYTES];
    const char *noun = ws_work_unit_name(value->unit);
    print_style style = {.kind = kind, .before = "", .middle = "", .after = after};

    (void)snprintf(after, sizeof after, "%s%s%s", noun[0] == '\0' ? "" : " ", noun,
                   kind == WS_QUANTITY_WORK_RATE ? "/s" : "");
    return print_real(value->real, ws_units_count, &style);
}

/* The kinds whose value is a double and whose units come from one table. */
static print_spelling print_plain_real(double value, ws_quantity_kind kind)
{
    print_style style = {.kind = kind, .before = "", .middle = "", .after = ""};
    static const ws_unit rates[] = {
        {"s", 0, 1, 1}, {"min", 0, 1, 60}, {"h", 0, 1, 3600}, {"d", 0, 1, 86400}};
    ws_unit_list bytes_only = {ws_units_bandwidth.units, 9};
    ws_unit_list one = {ws_units_count.units, 1};

    if (kind == WS_QUANTITY_BANDWIDTH) {
        return print_real(value, bytes_only, &style);
    }
    if (kind == WS_QUANTITY_RATE) {
        style.middle = "/";
        return print_real(value, (ws_unit_list){rates, WS_COUNT_OF(rates)}, &style);
    }
    return print_real(value, one, &style);
}

static print_spelling print_spell(const ws_quantity *value, ws_quantity_kind kind)
{
    print_spelling spelling = {.length = 0};

    switch (kind) {
    case WS_QUANTITY_DURATION:
        return print_duration(value->integer);
    case WS_QUANTITY_BYTES:
        return print_whole(value->integer, ws_units_bytes);
    case WS_QUANTITY_COUNT:
        return print_whole(value->integer, ws_units_count);
    case WS_QUANTITY_PRICE:
        return print_money(value, "/h");
    case WS_QUANTITY_MONEY:
        return print_money(value, "");
    case WS_QUANTITY_FRACTION:
    case WS_QUANTITY_PERCENT:
        return print_percent(value->real, kind);
    case WS_QUANTITY_BANDWIDTH:
    case WS_QUANTITY_RATE:
    case WS_QUANTITY_NUMBER:
        return print_plain_real(value->real, kind);
    case WS_QUANTITY_INTEGER:
        spelling.length =
            (size_t)snprintf(spelling.text, sizeof spelling.text, "%" PRId64, value->integer);
        return spelling;
    case WS_QUANTITY_WORK:
    case WS_QUANTITY_WORK_RATE:
        return print_work(value, kind);
    case WS_QUANTITY_PER_WORK:
        return print_per_work(value);
    case WS_QUANTITY_VOLUME_PRICE:
        return print_volume_price(value);
    }
    return spelling;
}

size_t ws_quantity_print(ws_quantity value, ws_quantity_kind kind, char out[WS_QUANTITY_TEXT_BYTES])
{
    print_spelling spelling = print_spell(&value, kind);

    WS_ASSERT(spelling.length > 0);
    WS_ASSERT(spelling.length < WS_QUANTITY_TEXT_BYTES);

    memcpy(out, spelling.text, spelling.length + 1);
    return spelling.length;
}
