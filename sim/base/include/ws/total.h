/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * 128-bit totals: GPU-time in GPU-nanoseconds and money in nano-dollars, exact.
 *
 * 10^7 GPUs for 100 years are 3.2e25 GPU-ns; the largest total is 1.7e38. All arithmetic is
 * checked: an overflow is a bug, since every input has a bound. Prices are 64-bit nano-dollars an
 * hour.
 */
#ifndef WS_TOTAL_H
#define WS_TOTAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ws/text.h"
#include "ws/time.h"

__extension__ typedef __int128 ws_i128;

typedef struct {
    ws_i128 gpu_ns;
} ws_gpu_time;

typedef struct {
    ws_i128 nano; /* 1e-9 of the scenario's currency */
} ws_money;

typedef struct {
    int64_t nano_per_h; /* nano-dollars an hour, of whatever the name of the field says */
} ws_price;

typedef struct {
    int64_t nano_per_gib_month; /* >= 0; a GiB is 2^30 bytes, a month 730 h */
} ws_volume_price;

/** Price x time before rounding: nano-dollars x ns / h. Divided once, by ws_money_of_cost(). */
typedef struct {
    ws_i128 nano_ns_per_h;
} ws_cost_integral;

/** Bytes that the longest printed total needs, the NUL included. */
#define WS_TOTAL_TEXT_BYTES 64

/** GPUs x time; always fits. */
ws_gpu_time ws_gpu_time_of(int64_t gpus, ws_duration span);

/** Sum and difference; an overflow is a bug and asserted. */
ws_gpu_time ws_gpu_time_add(ws_gpu_time a, ws_gpu_time b);
ws_gpu_time ws_gpu_time_sub(ws_gpu_time a, ws_gpu_time b);

/** `part` of `whole` by a ratio in 0..1, rounded to the nearest GPU-ns and within 0..whole. */
ws_gpu_time ws_gpu_time_share(ws_gpu_time whole, double ratio);

/** GPU-hours, rounded to the nearest double. */
double ws_gpu_time_h(ws_gpu_time t);

/** Sum and difference; an overflow is a bug and asserted. */
ws_money ws_money_add(ws_money a, ws_money b);
ws_money ws_money_sub(ws_money a, ws_money b);

/** Whole currency units, rounded to the nearest double. */
double ws_money_units(ws_money m);

/** What it costs an hour to keep so many bytes (>= 0), rounded once, half up, to the nano-dollar.
 * False, and nothing done, when that is more than a billion an hour. */
bool ws_price_of_volume(int64_t bytes, ws_volume_price price, ws_price *an_hour);

/** Price x time, exact; always fits. For several GPUs multiply the price first, or add as often. */
ws_cost_integral ws_cost_integral_of(ws_price price, ws_duration span);

/** Sum; an overflow is a bug and asserted. */
ws_cost_integral ws_cost_integral_add(ws_cost_integral a, ws_cost_integral b);

/** Rounds once, half away from zero, to the nano-dollar. */
ws_money ws_money_of_cost(ws_cost_integral cost);

/** Decimal digits of a 128-bit integer, NUL-terminated; returns the length. */
size_t ws_i128_print(ws_i128 value, char out[WS_TOTAL_TEXT_BYTES]);

/** Whole text, optional sign and digits only. False on anything else or beyond 2^127 - 1 either
 * way; `*value` untouched then. */
bool ws_i128_parse(ws_text text, ws_i128 *value);

/** Money with up to nine decimals and no trailing zeros beyond two: "1234.50", "0.000000001".
 * Exact. */
size_t ws_money_print(ws_money m, char out[WS_TOTAL_TEXT_BYTES]);

/** GPU-hours printed with up to thirteen decimals (steps of 0.36 GPU-ns): reads back to the same
 * GPU-ns. No trailing zeros. */
size_t ws_gpu_time_print_h(ws_gpu_time t, char out[WS_TOTAL_TEXT_BYTES]);

/** Reads what the printers above write: a plain decimal number, no exponent. False, `*value`
 * untouched, on anything else. */
bool ws_money_parse(ws_text text, ws_money *value);
bool ws_gpu_time_parse_h(ws_text text, ws_gpu_time *value);

#endif
