/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Numbers from text and back, exactly and without the locale.
 *
 * Parsers take the whole text: no leading or trailing blank, no NaN, no infinity, no hexadecimal,
 * no `1_000`. On false
 * `*value` is untouched. Output of a double is the shortest of %.15g, %.16g and %.17g that reads
 * back equal.
 */
#ifndef WS_NUMBER_H
#define WS_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

#include "ws/assert.h"
#include "ws/text.h"

/** Bytes that the longest printed double or 64-bit integer needs, the NUL included. */
#define WS_NUMBER_TEXT_BYTES 32

/** The longest text that ws_parse_f64() takes, bytes. */
#define WS_NUMBER_INPUT_BYTES_MAX 1000

/** Optional sign, decimal digits, nothing else. */
WS_NODISCARD bool ws_parse_i64(ws_text text, int64_t *value);

/** The same without a sign, but for a plus and for -0. */
WS_NODISCARD bool ws_parse_u64(ws_text text, uint64_t *value);

/** Optional sign, digits with an optional point, optional decimal exponent; finite. `.5` and `5.`
 * are accepted, -0 reads as 0, and what is too small for a double reads as the nearest double,
 * perhaps 0. */
WS_NODISCARD bool ws_parse_f64(ws_text text, double *value);

/**
 * A decimal number times 10^scale as an integer, exactly: ws_parse_scaled("2.99", 9, &v) gives
 * 2990000000. False when the text is no plain decimal number (an exponent is allowed), needs more
 * digits than the scale has (unless `inexact` is given: then it is rounded half to even and
 * *inexact set), or does not fit.
 */
WS_NODISCARD bool ws_parse_scaled(ws_text text, int scale, int64_t *value, bool *inexact);

/** Shortest text that reads back equal, NUL-terminated; returns the length. -0 prints as 0. Finite
 * values only. */
size_t ws_print_f64(double value, char out[WS_NUMBER_TEXT_BYTES]);

/** Decimal digits, NUL-terminated; returns the length. */
size_t ws_print_i64(int64_t value, char out[WS_NUMBER_TEXT_BYTES]);

/** Decimal digits, NUL-terminated; returns the length. */
size_t ws_print_u64(uint64_t value, char out[WS_NUMBER_TEXT_BYTES]);

/** True when the C library's decimal point is "."; asserted once by every main(). */
bool ws_number_locale_is_c(void);

#endif
