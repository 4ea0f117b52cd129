/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Numbers and metrics as people read them. Only for the terminal: files have plain numbers in base
 * units. */
#ifndef WS_CLI_PRESENT_H
#define WS_CLI_PRESENT_H

#include <stdbool.h>

#include "ws/arena.h"
#include "ws/record.h"

/** How one metric is shown in a table: one unit for all policies, so that they can be compared at a
 * glance. */
typedef struct {
    ws_text heading;   /* "COST $", "FINISH h" */
    const char *words; /* "cost", "time to finish" */
    const char *unit;  /* of a difference: "$", "h", "points" */
    double factor;     /* from the column's unit to the one that is shown */
    int decimals;
} ws_presented;

/**
 * @param column   of a metric that policies are compared by
 * @param largest  of the absolute values that will be shown, in the column's unit; decides unit and
 * decimals
 */
ws_presented ws_present(const ws_column *column, double largest, ws_arena *arena);

/** "1,234.5": thousands separated. @param decimals 0..9 */
ws_text ws_present_number(double value, int decimals, ws_arena *arena);

/**
 * A bar of one character for each value, eight heights of the largest one; what is 0 has none.
 * Without UTF-8 a digit, tenths of the largest.
 *
 * @param values  >= 0
 */
ws_text ws_present_bars(const double *values, size_t count, bool utf8, ws_arena *arena);

/** "1,234 ±56", in the unit of the heading. @param half  half the width of the interval; NAN: there
 * is none */
ws_text ws_present_mean(const ws_presented *presented, double mean, double half, bool utf8,
                        ws_arena *arena);

/** "-24.4 %" of a ratio. */
ws_text ws_present_change(double ratio, ws_arena *arena);

/** "[-25.3, -23.5] %". */
ws_text ws_present_change_interval(double low, double high, ws_arena *arena);

/** "+1.25 h" and "[+1.1, +1.4] h": of a difference where there is no ratio. */
ws_text ws_present_difference(const ws_presented *presented, double difference, ws_arena *arena);
ws_text ws_present_difference_interval(const ws_presented *presented, double low, double high,
                                       ws_arena *arena);

#endif
