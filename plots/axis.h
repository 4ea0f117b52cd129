/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * A linear axis with ticks at round numbers: 1, 2 or 5 times a power of ten apart.
 */
#ifndef WS_PLOTS_AXIS_H
#define WS_PLOTS_AXIS_H

#include <stdbool.h>
#include <stddef.h>

#define WS_AXIS_TEXT_BYTES 48

typedef struct {
    double first_step; /* the first tick lies at first_step x step; a whole number */
    double step;
    int ticks;      /* at least 2 */
    double divisor; /* of printed values: 1, 1e3, 1e6, ... */
    char suffix[2]; /* "", "k", "M", ... */
    int decimals;   /* of printed values; -1: as short as reads back */
} ws_axis;

/**
 * An axis from a tick at or below `low` to one at or above `high`, with about `wanted` steps. Equal
 * ends give a small axis around them. Ends beyond +-1e290 are cut there.
 *
 * @param low, high  finite, low <= high
 */
ws_axis ws_axis_of_range(double low, double high, int wanted);

/** An axis from 0 to the first multiple of `step` at or above `high`; both are positive. */
ws_axis ws_axis_of_steps(double high, double step);

double ws_axis_low(const ws_axis *axis);
double ws_axis_high(const ws_axis *axis);
double ws_axis_tick(const ws_axis *axis, int index);

/** Where a value lies between the ends, 0..1 within them. */
double ws_axis_ratio(const ws_axis *axis, double value);

/** The tick's number as people read it: "20k", "0.25", "1,500". Returns the length. */
size_t ws_axis_print(const ws_axis *axis, int index, char out[WS_AXIS_TEXT_BYTES]);

/** Any value with four significant digits, whole thousands grouped: "24,310", "0.7562", "1.2e-09".
 * Returns the length. */
size_t ws_axis_print_value(double value, char out[WS_AXIS_TEXT_BYTES]);

/** Likewise with so many decimals, 0..6; beyond +-1e15 as above. */
size_t ws_axis_print_fixed(double value, int decimals, char out[WS_AXIS_TEXT_BYTES]);

/** Likewise with `digits` significant digits, 1..4, and without trailing zeros. */
size_t ws_axis_print_short(double value, int digits, char out[WS_AXIS_TEXT_BYTES]);

#endif
