/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "present.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define PRESENT_NUMBER_BYTES 512
#define PRESENT_DECIMALS_MAX 9

typedef enum { PRESENT_PLAIN, PRESENT_PERCENT, PRESENT_MONEY, PRESENT_TIME } present_kind;

typedef struct {
    const char *metric;
    const char *heading;
    const char *words;
    present_kind kind;
} present_row;

static const present_row present_rows[] = {
    {"cost_usd", "COST", "cost", PRESENT_MONEY},
    {"compute_cost_usd", "COMPUTE", "cost of compute", PRESENT_MONEY},
    {"storage_cost_usd", "STORAGE", "cost of storage", PRESENT_MONEY},
    {"objective_usd", "OBJECTIVE", "objective", PRESENT_MONEY},
    {"gpu_h", "GPU-HOURS", "GPU-hours", PRESENT_PLAIN},
    {"lost_gpu_h", "LOST GPU-H", "lost GPU-hours", PRESENT_PLAIN},
    {"idle_gpu_h", "IDLE GPU-H", "idle GPU-hours", PRESENT_PLAIN},
    {"goodput_fraction", "UTILISATION", "utilisation", PRESENT_PERCENT},
    {"effective_training_ratio", "ETTR", "ETTR", PRESENT_PERCENT},
    {"samples_per_s", "SAMPLES/s", "throughput", PRESENT_PLAIN},
    {"main_finish_s", "FINISH", "time to finish", PRESENT_TIME},
    {"makespan_s", "MAKESPAN", "makespan", PRESENT_TIME},
    {"jct_mean_s", "JCT mean", "JCT mean", PRESENT_TIME},
    {"jct_p50_s", "JCT p50", "JCT p50", PRESENT_TIME},
    {"jct_p95_s", "JCT p95", "JCT p95", PRESENT_TIME},
    {"wait_mean_s", "WAIT mean", "wait mean", PRESENT_TIME},
    {"wait_p95_s", "WAIT p95", "wait p95", PRESENT_TIME},
    {"slowdown_p95", "SLOWDOWN p95", "slowdown p95", PRESENT_PLAIN},
    {"deadline_miss_fraction", "MISSED", "missed deadlines", PRESENT_PERCENT},
    {"demand_served_fraction", "SERVED", "demand served", PRESENT_PERCENT},
    {"backlog_max", "BACKLOG max", "backlog max", PRESENT_PLAIN},
    {"backlog_time_fraction", "BEHIND", "time with a backlog", PRESENT_PERCENT},
    {"lag_mean_s", "LAG mean", "lag mean", PRESENT_TIME},
    {"lag_p95_s", "LAG p95", "lag p95", PRESENT_TIME},
    {"lag_p99_s", "LAG p99", "lag p99", PRESENT_TIME},
    {"lag_max_s", "LAG max", "lag max", PRESENT_TIME},
};

typedef struct {
    const char *unit;
    double seconds;
    double below; /* in this unit */
} present_time_unit;

static const present_time_unit present_time_units[] = {
    {"s", 1, 120},
    {"min", 60, 120},
    {"h", 3600, 72},
    {"d", 86400, HUGE_VAL},
};

/* A metric that nobody has named yet goes by its unit. */
static present_kind present_kind_of(const ws_column *column)
{
    ws_text name = ws_text_of(column->name);

    if (strcmp(column->unit, "USD") == 0) {
        return PRESENT_MONEY;
    }
    if (strcmp(column->unit, "s") == 0) {
        return PRESENT_TIME;
    }
    bool is_share =
        ws_text_ends_with(name, WS_TEXT("_fraction")) || ws_text_ends_with(name, WS_TEXT("_ratio"));
    return is_share ? PRESENT_PERCENT : PRESENT_PLAIN;
}

static present_row present_find(const ws_column *column)
{
    for (size_t i = 0; i < WS_COUNT_OF(present_rows); i++) {
        if (strcmp(present_rows[i].metric, column->name) == 0) {
            return present_rows[i];
        }
    }
    return (present_row){.metric = column->name,
                         .heading = column->name,
                         .words = column->name,
                         .kind = present_kind_of(column)};
}

/* Three significant digits, but never a fraction of something above a hundred. */
static int present_decimals(double largest)
{
    int decimals = 0;

    while (decimals < 6 && largest > 0 && largest < 99.95) {
        largest *= 10;
        decimals++;
    }
    return decimals;
}

static void present_set_time(ws_presented *presented, double largest_s)
{
    WS_ASSERT(largest_s >= 0);

    size_t i = 0;

    while (largest_s / present_time_units[i].seconds >= present_time_units[i].below) {
        i++;
    }
    presented->unit = present_time_units[i].unit;
    presented->factor = 1 / present_time_units[i].seconds;
    presented->decimals = present_decimals(largest_s * presented->factor);
    presented->decimals = presented->decimals > 2 ? 2 : presented->decimals;
}

ws_presented ws_present(const ws_column *column, double largest, ws_arena *arena)
{
    WS_ASSERT(column != NULL);
    WS_ASSERT(largest >= 0);

    present_row row = present_find(column);
    ws_presented presented = {
        .words = row.words, .unit = "", .factor = 1, .decimals = present_decimals(largest)};

    switch (row.kind) {
    case PRESENT_PERCENT:
        presented.factor = 100;
        presented.decimals = 1;
        presented.unit = "%";
        break;
    case PRESENT_MONEY:
        presented.unit = "$";
        presented.decimals = largest >= 1000 ? 0 : 2;
        break;
    case PRESENT_TIME:
        present_set_time(&presented, largest);
        break;
    case PRESENT_PLAIN:
        break;
    }
    presented.heading = ws_arena_format(arena, "%s%s%s", row.heading,
                                        presented.unit[0] != '\0' ? " " : "", presented.unit);
    return presented;
}

/* ---- numbers ---- */

static bool present_is_zero(const char *digits)
{
    return digits[strspn(digits, "-0.")] == '\0';
}

/* Puts a comma before every third digit of the whole part. */
static ws_text present_grouped(const char *digits, ws_arena *arena)
{
    char out[PRESENT_NUMBER_BYTES + PRESENT_NUMBER_BYTES / 3];
    size_t whole = strcspn(digits, ".");
    size_t length = 0;

    for (size_t i = 0; digits[i] != '\0'; i++) {
        bool after_digit = i > 0 && digits[i - 1] != '-' && digits[i - 1] != '+';
        if (i < whole && after_digit && (whole - i) % 3 == 0) {
            out[length++] = ',';
        }
        out[length++] = digits[i];
    }
    return ws_arena_copy_text(arena, (ws_text){.start = out, .length = length});
}

ws_text ws_present_number(double value, int decimals, ws_arena *arena)
{
    char digits[PRESENT_NUMBER_BYTES];

    WS_ASSERT(decimals >= 0);
    WS_ASSERT(decimals <= PRESENT_DECIMALS_MAX);
    if (!isfinite(value)) {
        return WS_TEXT("-");
    }
    (void)snprintf(digits, sizeof digits, "%.*f", decimals, value);
    bool is_minus_zero = digits[0] == '-' && present_is_zero(digits);
    return present_grouped(is_minus_zero ? digits + 1 : digits, arena);
}

ws_text ws_present_bars(const double *values, size_t count, bool utf8, ws_arena *arena)
{
    static const char *const blocks[] = {" ",      "\u2581", "\u2582", "\u2583", "\u2584",
                                         "\u2585", "\u2586", "\u2587", "\u2588"};
    static const char *const digits[] = {" ", "0", "1", "2", "3", "4", "5", "6", "7", "8", "9"};
    const char *const *heights = utf8 ? blocks : digits;
    size_t highest = (utf8 ? WS_COUNT_OF(blocks) : WS_COUNT_OF(digits)) - 1;
    double largest = 0;
    ws_text text = WS_TEXT("");

    for (size_t i = 0; i < count; i++) {
        WS_ASSERT(values[i] >= 0);
        largest = values[i] > largest ? values[i] : largest;
    }
    for (size_t i = 0; i < count; i++) {
        double height = values[i] > 0 ? ceil(values[i] / largest * (double)highest) : 0;
        text = ws_arena_format(arena, "%.*s%s", WS_TEXT_ARGS(text), heights[(size_t)height]);
    }
    return text;
}

/* With a sign, and with so many decimals that what is not zero does not look like it. */
static ws_text present_signed(double value, int decimals, ws_arena *arena)
{
    WS_ASSERT(decimals <= PRESENT_DECIMALS_MAX);

    char digits[PRESENT_NUMBER_BYTES];
    int most = decimals + 2;

    if (!isfinite(value)) {
        return WS_TEXT("-");
    }
    for (;;) {
        (void)snprintf(digits, sizeof digits, "%+.*f", decimals, value);
        if (!present_is_zero(digits + 1) || decimals == most || fabs(value) <= 0) {
            break;
        }
        decimals++;
    }
    if (fabs(value) <= 0) {
        return WS_TEXT("0");
    }
    return present_grouped(digits, arena);
}

ws_text ws_present_mean(const ws_presented *presented, double mean, double half, bool utf8,
                        ws_arena *arena)
{
    WS_ASSERT(presented->factor > 0);

    double shown_half = half * presented->factor;
    int decimals = presented->decimals;
    ws_text text = ws_present_number(mean * presented->factor, decimals, arena);
    char digits[PRESENT_NUMBER_BYTES];

    if (!isfinite(mean) || !isfinite(half)) {
        return text;
    }
    (void)snprintf(digits, sizeof digits, "%.*f", decimals, shown_half);
    while (shown_half > 0 && present_is_zero(digits) && decimals < presented->decimals + 2) {
        (void)snprintf(digits, sizeof digits, "%.*f", ++decimals, shown_half);
    }
    if (shown_half <= 0) {
        (void)snprintf(digits, sizeof digits, "0");
    }
    return ws_arena_format(arena, "%.*s %s%.*s", WS_TEXT_ARGS(text), utf8 ? "\u00b1" : "+-",
                           WS_TEXT_ARGS(present_grouped(digits, arena)));
}

/* ---- changes ---- */

static int present_change_decimals(double percent)
{
    return fabs(percent) >= 99.95 ? 0 : 1;
}

ws_text ws_present_change(double ratio, ws_arena *arena)
{
    double percent = (ratio - 1) * 100;

    return ws_arena_format(
        arena, "%.*s %%",
        WS_TEXT_ARGS(present_signed(percent, present_change_decimals(percent), arena)));
}

static ws_text present_interval(ws_text low, ws_text high, const char *unit, ws_arena *arena)
{
    WS_ASSERT(unit != NULL);

    return ws_arena_format(arena, "[%.*s, %.*s]%s%s", WS_TEXT_ARGS(low), WS_TEXT_ARGS(high),
                           unit[0] != '\0' ? " " : "", unit);
}

ws_text ws_present_change_interval(double low, double high, ws_arena *arena)
{
    double low_percent = (low - 1) * 100;
    double high_percent = (high - 1) * 100;

    return present_interval(
        present_signed(low_percent, present_change_decimals(low_percent), arena),
        present_signed(high_percent, present_change_decimals(high_percent), arena), "%", arena);
}

static const char *present_difference_unit(const ws_presented *presented)
{
    return strcmp(presented->unit, "%") == 0 ? "points" : presented->unit;
}

ws_text ws_present_difference(const ws_presented *presented, double difference, ws_arena *arena)
{
    WS_ASSERT(presented->factor > 0);

    ws_text number = present_signed(difference * presented->factor, presented->decimals, arena);
    const char *unit = present_difference_unit(presented);

    return ws_arena_format(arena, "%.*s%s%s", WS_TEXT_ARGS(number), unit[0] != '\0' ? " " : "",
                           unit);
}

ws_text ws_present_difference_interval(const ws_presented *presented, double low, double high,
                                       ws_arena *arena)
{
    return present_interval(present_signed(low * presented->factor, presented->decimals, arena),
                            present_signed(high * presented->factor, presented->decimals, arena),
                            present_difference_unit(presented), arena);
}
