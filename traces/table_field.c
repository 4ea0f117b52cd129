/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fields of a table as times, spans and counts. Text that does not fit says what was found there;
 * only the start of it, since a field may be 64 KiB.
 */
#include <math.h>

#include "clock.h"
#include "table.h"
#include "ws/number.h"

#define TABLE_SHOWN_BYTES 40
#define TABLE_S_PER_YEAR 31556952 /* of 365.2425 days */

/* The start of a text, for a label. */
static ws_text table_shown(ws_text text)
{
    return ws_text_slice(text, 0, TABLE_SHOWN_BYTES);
}

static int table_decimals(ws_trace_time_unit unit)
{
    switch (unit) {
    case WS_TRACE_UNIT_S:
        return 9;
    case WS_TRACE_UNIT_MS:
        return 6;
    case WS_TRACE_UNIT_US:
        return 3;
    }
    return 9;
}

/* Stops: every row of the file would be wrong in the same way. */
static bool table_stop_at_epoch(ws_table *table, size_t column, double seconds, const char *unit,
                                const char *option)
{
    ws_arena *arena = table->csv.diag->arena;
    ws_diagnostic diagnostic = {.severity = WS_SEVERITY_ERROR, .code = 6103};

    table->must_stop = true;
    diagnostic.message = ws_arena_format(arena, "`%s` looks like %s (as seconds, year %.0f)",
                                         table->columns[column].name, unit,
                                         1970 + floor(seconds / TABLE_S_PER_YEAR));
    diagnostic.at = ws_csv_reader_span(&table->csv, (size_t)table->field_of[column]);
    diagnostic.help = ws_arena_format(arena, "add `time_unit: %s`", option);
    ws_diag_add(table->csv.diag, &diagnostic);
    return false;
}

/* False: the time is one of milliseconds or microseconds, and none of them was asked for. */
static bool table_check_epoch(ws_table *table, size_t column, double seconds)
{
    if (table->reading->options->time_unit != WS_TRACE_UNIT_S) {
        return true;
    }
    /* 10^12 ms is September 2001, 10^12 s is the year 33,658; 10^13 ms is the year 2286. */
    if (seconds >= 1e12 && seconds < 1e13) {
        return table_stop_at_epoch(table, column, seconds, "milliseconds", "ms");
    }
    if (seconds >= 1e15 && seconds < 1e16) {
        return table_stop_at_epoch(table, column, seconds, "microseconds", "us");
    }
    return true;
}

bool ws_table_check_epoch(ws_table *table, size_t column)
{
    double seconds = 0;

    WS_ASSERT(table != NULL);
    return !ws_parse_f64(ws_table_text(table, column), &seconds) ||
           table_check_epoch(table, column, seconds);
}

/* What is wrong with a time that could not be taken; `below_0` is the finding for a negative one.
 */
static bool table_refuse_seconds(ws_table *table, size_t column, ws_trace_finding finding,
                                 ws_trace_finding below_0)
{
    ws_text text = ws_table_text(table, column);
    double real = 0;

    if (!ws_parse_f64(text, &real)) {
        return ws_table_fault(table, finding, column, "`%.*s` is no number",
                              WS_TEXT_ARGS(table_shown(text)));
    }
    if (real < 0) {
        return ws_table_fault(table, below_0, column, "below 0");
    }
    return table_check_epoch(table, column, real) &&
           ws_table_fault(table, finding, column, "beyond 100 years");
}

/* Below 0 by less than what counts. */
static bool table_is_below_0(ws_text text)
{
    double real = 0;

    return text.start[0] == '-' && ws_parse_f64(text, &real) && real < 0;
}

/* As ws_table_seconds(), with a finding of its own for what is below 0. What would be an epoch in
 * milliseconds is far beyond the horizon. */
static bool table_read_seconds(ws_table *table, size_t column, ws_trace_finding finding,
                               ws_trace_finding below_0, int64_t *ns)
{
    ws_text text = ws_table_text(table, column);
    int decimals = table_decimals(table->reading->options->time_unit);
    bool is_inexact = false;
    int64_t value = 0;

    if (!ws_parse_scaled(text, decimals, &value, &is_inexact) || value > WS_HORIZON_MAX_NS ||
        table_is_below_0(text)) {
        return table_refuse_seconds(table, column, finding, below_0);
    }
    *ns = value;
    return true;
}

bool ws_table_seconds(ws_table *table, size_t column, ws_trace_finding finding, int64_t *ns)
{
    WS_ASSERT(ns != NULL);
    return table_read_seconds(table, column, finding, finding, ns);
}

bool ws_table_is_void(const ws_table *table, size_t column)
{
    static const char *const spellings[] = {"",    "None", "none", "NULL",    "null",         "NaN",
                                            "nan", "N/A",  "NA",   "Unknown", "None assigned"};
    ws_text text = ws_table_text(table, column);

    for (size_t i = 0; i < WS_COUNT_OF(spellings); i++) {
        if (ws_text_is(text, spellings[i])) {
            return true;
        }
    }
    return false;
}

bool ws_table_date(ws_table *table, size_t column, ws_trace_finding finding, int64_t *ns)
{
    WS_ASSERT(ns != NULL);
    if (ws_clock_parse(ws_table_text(table, column), ns)) {
        return true;
    }
    return ws_table_check_epoch(table, column) &&
           ws_table_fault(table, finding, column, "no date such as 2017-10-09 07:01:55");
}

bool ws_table_duration(ws_table *table, size_t column, int64_t *ns)
{
    int64_t value = 0;

    WS_ASSERT(ns != NULL);
    if (!table_read_seconds(table, column, WS_TRACE_BAD_DURATION, WS_TRACE_ENDS_BEFORE_START,
                            &value)) {
        return false;
    }
    if (value == 0) {
        return ws_table_fault(table, WS_TRACE_NO_RUN, column, "no run time");
    }
    *ns = value;
    return true;
}

/* A share of a GPU, or an amount such as 1.5. */
static bool table_gpus_share(ws_table *table, size_t column, double asked, int32_t *gpus,
                             double *gpus_frac)
{
    if (!table->reading->options->ceil_gpus) {
        return ws_table_fault(table, WS_TRACE_FRACTIONAL_GPUS, column, "%.6g GPUs", asked);
    }
    (void)ws_table_fault(table, WS_TRACE_CEILED_GPUS, column, "%.6g GPUs", asked);
    *gpus = (int32_t)ceil(asked);
    *gpus_frac = asked;
    return true;
}

bool ws_table_take_gpus(ws_table *table, size_t column, double asked, int32_t *gpus,
                        double *gpus_frac)
{
    WS_ASSERT(gpus != NULL);
    WS_ASSERT(gpus_frac != NULL);
    if (!(asked >= 0) || asked > WS_TRACE_GPUS_MAX) {
        return ws_table_fault(table, WS_TRACE_BAD_GPUS, column, "outside of 0..%d",
                              WS_TRACE_GPUS_MAX);
    }
    if (!(asked > 0)) {
        return ws_table_fault(table, WS_TRACE_NO_GPU, column, "%s", "");
    }
    if (floor(asked) < asked) {
        return table_gpus_share(table, column, asked, gpus, gpus_frac);
    }
    *gpus = (int32_t)asked;
    *gpus_frac = 0;
    return true;
}

bool ws_table_gpus(ws_table *table, size_t column, int32_t *gpus, double *gpus_frac)
{
    ws_text text = ws_table_text(table, column);
    double asked = 0;

    WS_ASSERT(gpus != NULL);
    WS_ASSERT(gpus_frac != NULL);
    if (!ws_parse_f64(text, &asked)) {
        return ws_table_fault(table, WS_TRACE_BAD_GPUS, column, "`%.*s` is no number of GPUs",
                              WS_TEXT_ARGS(table_shown(text)));
    }
    return ws_table_take_gpus(table, column, asked, gpus, gpus_frac);
}

bool ws_table_count(ws_table *table, size_t column, ws_trace_finding finding, int32_t max,
                    int32_t *count)
{
    ws_text text = ws_table_text(table, column);
    int64_t value = 0;

    WS_ASSERT(count != NULL);
    if (text.length == 0) {
        *count = 0;
        return true;
    }
    if (!ws_parse_i64(text, &value) || value < 0 || value > max) {
        return ws_table_fault(table, finding, column, "expected 0..%d", max);
    }
    *count = (int32_t)value;
    return true;
}
