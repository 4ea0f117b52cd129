/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What units there are and what they are worth; the one place that knows. Names are exact: the case
 * of a letter carries meaning.
 */
#include "quantity_units.h"

#include "ws/assert.h"

#define KIBI (INT64_C(1) << 10)
#define MEBI (INT64_C(1) << 20)
#define GIBI (INT64_C(1) << 30)
#define TEBI (INT64_C(1) << 40)
#define PEBI (INT64_C(1) << 50)

/* clang-format off */
static const ws_unit units_time[] = {
    {"ns", 0, 1, 1},     {"us", 3, 1, 1},      {"ms", 6, 1, 1},     {"s", 9, 1, 1},      {"m", 9, 60, 1},
    {"min", 9, 60, 1},   {"h", 9, 3600, 1},    {"d", 9, 86400, 1},  {"w", 9, 604800, 1},
};

static const ws_unit units_bytes[] = {
    {"B", 0, 1, 1},      {"kB", 3, 1, 1},      {"MB", 6, 1, 1},     {"GB", 9, 1, 1},     {"TB", 12, 1, 1},
    {"PB", 15, 1, 1},    {"KiB", 0, KIBI, 1},  {"MiB", 0, MEBI, 1}, {"GiB", 0, GIBI, 1}, {"TiB", 0, TEBI, 1},
    {"PiB", 0, PEBI, 1},
};

/* In the order in which printing tries them; only units of bytes are printed. */
static const ws_unit units_bandwidth[] = {
    {"B/s", 0, 1, 1},    {"kB/s", 3, 1, 1},    {"MB/s", 6, 1, 1},   {"GB/s", 9, 1, 1},   {"TB/s", 12, 1, 1},
    {"KiB/s", 0, KIBI, 1}, {"MiB/s", 0, MEBI, 1}, {"GiB/s", 0, GIBI, 1}, {"TiB/s", 0, TEBI, 1},
    {"b/s", 0, 1, 8},    {"kb/s", 3, 1, 8},    {"Mb/s", 6, 1, 8},   {"Gb/s", 9, 1, 8},   {"Tb/s", 12, 1, 8},
    {"bps", 0, 1, 8},    {"kbps", 3, 1, 8},    {"Mbps", 6, 1, 8},   {"Gbps", 9, 1, 8},   {"Tbps", 12, 1, 8},
};

static const ws_unit units_count[] = {
    {"", 0, 1, 1},       {"k", 3, 1, 1},       {"M", 6, 1, 1},      {"B", 9, 1, 1},      {"T", 12, 1, 1},
};

static const ws_unit units_rate[] = {
    {"s", 0, 1, 1},      {"min", 0, 1, 60},    {"m", 0, 1, 60},     {"h", 0, 1, 3600},   {"d", 0, 1, 86400},
    {"w", 0, 1, 604800},
};

/* A month is 730 h, as clouds bill it. */
static const ws_unit units_price[] = {
    {"s", 0, 3600, 1},   {"min", 0, 60, 1},    {"m", 0, 60, 1},     {"h", 0, 1, 1},      {"d", 0, 1, 24},
    {"w", 0, 1, 168},    {"month", 0, 1, 730},
};

static const ws_unit units_percent[] = {
    {"", 0, 1, 1},       {"%", -2, 1, 1},
};

static const ws_unit_alias aliases_time[] = {
    {"nsec", "ns"},      {"nanosecond", "ns"}, {"nanoseconds", "ns"}, {"usec", "us"},    {"microsecond", "us"},
    {"microseconds", "us"}, {"\xC2\xB5s", "us"}, {"\xCE\xBCs", "us"}, {"msec", "ms"},    {"millisecond", "ms"},
    {"milliseconds", "ms"}, {"sec", "s"},      {"secs", "s"},       {"second", "s"},     {"seconds", "s"},
    {"mins", "m"},       {"minute", "m"},      {"minutes", "m"},    {"hr", "h"},         {"hrs", "h"},
    {"hour", "h"},       {"hours", "h"},       {"day", "d"},        {"days", "d"},       {"wk", "w"},
    {"week", "w"},       {"weeks", "w"},       {"mo", "month"},     {"months", "month"}, {"M", "m"},
    {"MS", "ms"},        {"S", "s"},           {"H", "h"},          {"D", "d"},          {"W", "w"},
    {"Sec", "s"},        {"Min", "m"},         {"Mins", "m"},       {"Hour", "h"},       {"Hours", "h"},
    {"Day", "d"},        {"Days", "d"},        {"MIN", "m"},        {"Seconds", "s"},    {"Minutes", "m"},
};

static const ws_unit_alias aliases_bytes[] = {
    {"byte", "B"},       {"bytes", "B"},       {"Byte", "B"},       {"Bytes", "B"},      {"KB", "kB"},
    {"K", "kB"},         {"k", "kB"},          {"M", "MB"},         {"G", "GB"},         {"T", "TB"},
    {"P", "PB"},         {"Ki", "KiB"},        {"Mi", "MiB"},       {"Gi", "GiB"},       {"Ti", "TiB"},
    {"Pi", "PiB"},       {"kiB", "KiB"},       {"KIB", "KiB"},      {"MIB", "MiB"},      {"GIB", "GiB"},
    {"TIB", "TiB"},      {"PIB", "PiB"},       {"kib", "KiB"},      {"mib", "MiB"},      {"gib", "GiB"},
    {"tib", "TiB"},      {"pib", "PiB"},       {"kilobytes", "kB"}, {"megabytes", "MB"}, {"gigabytes", "GB"},
    {"terabytes", "TB"}, {"petabytes", "PB"},  {"kibibytes", "KiB"}, {"mebibytes", "MiB"}, {"gibibytes", "GiB"},
    {"tebibytes", "TiB"},
};

static const ws_unit_alias aliases_bandwidth[] = {
    {"Bps", "B/s"},      {"kBps", "kB/s"},     {"MBps", "MB/s"},    {"GBps", "GB/s"},    {"TBps", "TB/s"},
    {"bit/s", "b/s"},    {"kbit/s", "kb/s"},   {"Mbit/s", "Mb/s"},  {"Gbit/s", "Gb/s"},  {"Tbit/s", "Tb/s"},
    {"KiBps", "KiB/s"},  {"MiBps", "MiB/s"},   {"GiBps", "GiB/s"},  {"TiBps", "TiB/s"},  {"KB/s", "kB/s"},
    {"kib/s", "KiB/s"},  {"mib/s", "MiB/s"},   {"gib/s", "GiB/s"},  {"tib/s", "TiB/s"},  {"Gi/s", "GiB/s"},
    {"GB/sec", "GB/s"},  {"Gb/sec", "Gb/s"},   {"MB/sec", "MB/s"},  {"Mb/sec", "Mb/s"},  {"b", "b/s"},
    {"kb", "kb/s"},      {"Mb", "Mb/s"},       {"Gb", "Gb/s"},      {"Tb", "Tb/s"},      {"B", "B/s"},
    {"kB", "kB/s"},      {"MB", "MB/s"},       {"GB", "GB/s"},      {"TB", "TB/s"},      {"KiB", "KiB/s"},
    {"MiB", "MiB/s"},    {"GiB", "GiB/s"},     {"TiB", "TiB/s"},    {"Gbit", "Gb/s"},    {"Mbit", "Mb/s"},
};

static const ws_unit_alias aliases_count[] = {
    {"K", "k"},          {"m", "M"},           {"b", "B"},          {"t", "T"},          {"G", "B"},          {"g", "B"},
    {"thousand", "k"},   {"million", "M"},     {"billion", "B"},    {"trillion", "T"},   {"bn", "B"},
};

static const ws_unit_alias aliases_percent[] = {
    {"percent", "%"},    {"pct", "%"},
};
/* clang-format on */

const ws_unit_list ws_units_time = {units_time, WS_COUNT_OF(units_time)};
const ws_unit_list ws_units_bytes = {units_bytes, WS_COUNT_OF(units_bytes)};
const ws_unit_list ws_units_bandwidth = {units_bandwidth, WS_COUNT_OF(units_bandwidth)};
const ws_unit_list ws_units_count = {units_count, WS_COUNT_OF(units_count)};
const ws_unit_list ws_units_rate = {units_rate, WS_COUNT_OF(units_rate)};
const ws_unit_list ws_units_price = {units_price, WS_COUNT_OF(units_price)};
const ws_unit_list ws_units_percent = {units_percent, WS_COUNT_OF(units_percent)};

#define TIMES_NOTE "time units are ns, us, ms, s, m (or min), h, d, w"
#define COUNTS_NOTE "counts take k (10^3), M (10^6), B (10^9) or T (10^12)"

static const ws_quantity_words words_of_kind[] = {
    [WS_QUANTITY_DURATION] = {.name = "a time",
                              .unit = "time",
                              .units = TIMES_NOTE,
                              .example = "30s",
                              .largest = "106751d",
                              .step = " of nanoseconds"},
    [WS_QUANTITY_BYTES] = {.name = "a size in bytes",
                           .unit = "size",
                           .units =
                               "size units are B, kB, MB, GB, TB, PB and KiB, MiB, GiB, TiB, PiB",
                           .example = "80GiB",
                           .largest = "8191PiB",
                           .step = " of bytes"},
    [WS_QUANTITY_BANDWIDTH] = {.name = "a bandwidth",
                               .unit = "bandwidth",
                               .units = "bandwidth units are b/s, kb/s, Mb/s, Gb/s, Tb/s (bits), "
                                        "B/s, kB/s, MB/s, GB/s, TB/s and KiB/s to TiB/s (bytes)",
                               .example = "400Gb/s",
                               .largest = "1000000TB/s",
                               .real_max = 1e18},
    [WS_QUANTITY_PRICE] = {.name = "a price",
                           .unit = "time",
                           .units = "a price is per s, m (or min), h, d, w or month (730 h)",
                           .example = "$2.99/h",
                           .largest = "$9223372036/h",
                           .step = " of billionths of a currency unit an hour"},
    [WS_QUANTITY_MONEY] = {.name = "an amount of money",
                           .unit = "currency",
                           .units = "money is `$20000`, or `20000EUR` with another currency's code",
                           .example = "$20000",
                           .largest = "$9223372036",
                           .step = " of billionths of a currency unit"},
    [WS_QUANTITY_FRACTION] = {.name = "a fraction between 0 and 1",
                              .unit = "fraction",
                              .example = "12%",
                              .largest = "1",
                              .real_max = 1},
    [WS_QUANTITY_PERCENT] = {.name = "a percentage",
                             .unit = "percentage",
                             .example = "50%",
                             .largest = "100000000%",
                             .real_max = 1e6},
    [WS_QUANTITY_COUNT] = {.name = "a count",
                           .unit = "count",
                           .units = COUNTS_NOTE,
                           .example = "256",
                           .largest = "9223372T",
                           .step = ""},
    [WS_QUANTITY_RATE] = {.name = "a rate",
                          .unit = "time",
                          .units = "a rate is per s, m (or min), h, d or w",
                          .example = "6/h",
                          .largest = "1000000000/s",
                          .real_max = 1e9},
    [WS_QUANTITY_NUMBER] = {.name = "a number", .unit = "number", .example = "0.5"},
    [WS_QUANTITY_INTEGER] = {.name = "a whole number",
                             .unit = "number",
                             .example = "8",
                             .largest = "9223372036854775807",
                             .step = ""},
    [WS_QUANTITY_WORK] = {.name = "an amount of work",
                          .unit = "work",
                          .units = "work is in samples, tokens or steps; " COUNTS_NOTE,
                          .example = "60B tokens",
                          .largest = "1000000T",
                          .real_max = 1e18},
    [WS_QUANTITY_PER_WORK] = {.name = "a time for each piece of work",
                              .unit = "time",
                              .units = TIMES_NOTE "; work is in samples, tokens or steps",
                              .example = "310ms/sample",
                              .largest = "100000d/sample",
                              .real_max = 8.64e9},
    [WS_QUANTITY_WORK_RATE] = {.name = "a rate of work",
                               .unit = "work",
                               .units = "work is in samples, tokens or steps, per s, m (or min), "
                                        "h, d or w",
                               .example = "640 samples/s",
                               .largest = "1000000T/s",
                               .real_max = 1e18},
    [WS_QUANTITY_VOLUME_PRICE] = {.name = "a price of storage",
                                  .unit = "size",
                                  .units = "a price of storage is per GB, GiB, TB or TiB and month",
                                  .example = "$0.10/GiB/month",
                                  .largest = "$1000000000/GiB/month",
                                  .real_max = 1e9},
};

const ws_quantity_words *ws_quantity_words_of(ws_quantity_kind kind)
{
    WS_ASSERT((size_t)kind < WS_COUNT_OF(words_of_kind));

    return &words_of_kind[kind];
}

const char *ws_quantity_kind_name(ws_quantity_kind kind)
{
    return ws_quantity_words_of(kind)->name;
}

const ws_unit *ws_unit_find(ws_unit_list list, ws_text name)
{
    WS_ASSERT(list.units != NULL);

    for (size_t i = 0; i < list.count; i++) {
        if (ws_text_is(name, list.units[i].name)) {
            return &list.units[i];
        }
    }
    return NULL;
}

typedef struct {
    const char *plural;
    const char *singular;
    const char *brief; /* NULL: none */
} work_noun;

static const work_noun work_nouns[] = {
    [WS_WORK_NONE] = {"", "", NULL},
    [WS_WORK_SAMPLES] = {"samples", "sample", NULL},
    [WS_WORK_TOKENS] = {"tokens", "token", "tok"},
    [WS_WORK_STEPS] = {"steps", "step", NULL},
};

ws_work_unit ws_work_unit_find(ws_text noun)
{
    for (size_t i = WS_WORK_SAMPLES; i < WS_COUNT_OF(work_nouns); i++) {
        if (ws_text_is(noun, work_nouns[i].plural) || ws_text_is(noun, work_nouns[i].singular) ||
            (work_nouns[i].brief != NULL && ws_text_is(noun, work_nouns[i].brief))) {
            return (ws_work_unit)i;
        }
    }
    return WS_WORK_NONE;
}

const char *ws_work_unit_name(ws_work_unit unit)
{
    WS_ASSERT((size_t)unit < WS_COUNT_OF(work_nouns));

    return work_nouns[unit].plural;
}

ws_unit_alias_list ws_unit_aliases_of(ws_quantity_kind kind)
{
    ws_unit_alias_list none = {NULL, 0};

    switch (kind) {
    case WS_QUANTITY_DURATION:
    case WS_QUANTITY_PRICE:
    case WS_QUANTITY_RATE:
    case WS_QUANTITY_PER_WORK:
        return (ws_unit_alias_list){aliases_time, WS_COUNT_OF(aliases_time)};
    case WS_QUANTITY_BYTES:
    case WS_QUANTITY_VOLUME_PRICE:
        return (ws_unit_alias_list){aliases_bytes, WS_COUNT_OF(aliases_bytes)};
    case WS_QUANTITY_BANDWIDTH:
        return (ws_unit_alias_list){aliases_bandwidth, WS_COUNT_OF(aliases_bandwidth)};
    case WS_QUANTITY_COUNT:
    case WS_QUANTITY_WORK:
    case WS_QUANTITY_WORK_RATE:
        return (ws_unit_alias_list){aliases_count, WS_COUNT_OF(aliases_count)};
    case WS_QUANTITY_FRACTION:
    case WS_QUANTITY_PERCENT:
        return (ws_unit_alias_list){aliases_percent, WS_COUNT_OF(aliases_percent)};
    case WS_QUANTITY_MONEY:
    case WS_QUANTITY_NUMBER:
    case WS_QUANTITY_INTEGER:
        return none;
    }
    return none;
}
