/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Decimal numbers taken apart, for the parsers of numbers and of quantities. Private to base. */
#ifndef WS_BASE_NUMBER_PARTS_H
#define WS_BASE_NUMBER_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ws/assert.h"
#include "ws/text.h"

/** Exponents are clipped to this, which is as good as infinite. */
#define WS_NUMBER_EXPONENT_MAX INT64_C(1000000000000000)

/** Sign, mantissa digits before and after the point, decimal exponent. */
typedef struct {
    bool is_negative;
    ws_text whole;
    ws_text fraction;
    int64_t exponent;
} ws_number_parts;

/** Removes a sign at the start; true when it was a minus. */
bool ws_number_take_sign(ws_text *text);

/** Removes the digits at the start and returns them. */
ws_text ws_number_take_digits(ws_text *text);

/** True when the whole text is a decimal number: sign, digits with a point, exponent, all but the
 * digits optional. */
WS_NODISCARD bool ws_number_take_apart(ws_text text, ws_number_parts *parts);

/** Digit `index` of the mantissa, 0..9, from the most significant. */
int ws_number_digit(const ws_number_parts *parts, size_t index);

/** Bytes of the longest unsigned decimal number at the start of a text, 0 when there is none. */
size_t ws_number_length(ws_text text);

/** The integer of this sign and magnitude, which must fit. */
int64_t ws_number_signed(uint64_t magnitude, bool is_negative);

/** The largest magnitude that a 64-bit integer of this sign has. */
uint64_t ws_number_magnitude_max(bool is_negative);

typedef enum {
    WS_PRODUCT_EXACT,
    WS_PRODUCT_ROUNDED,  /* the divisor left something over; rounded half away from zero */
    WS_PRODUCT_TOO_FINE, /* the decimal places left something over */
    WS_PRODUCT_TOO_LARGE
} ws_product;

/**
 * number x factor / divisor as an integer.
 *
 * @param parts    of a number; at most about 20 of its digits can count, more are too fine
 * @param factor   1 .. 2^60, units of the result
 * @param divisor  1 .. 10^6
 * @param value    set when the answer is EXACT or ROUNDED
 */
ws_product ws_number_multiply(const ws_number_parts *parts, int64_t factor, int64_t divisor,
                              int64_t *value);

/**
 * number x 10^power, rounded once. False when it is no number or not finite.
 *
 * @param power  -30 .. 30
 */
WS_NODISCARD bool ws_number_shifted(ws_text number, int power, double *value);

#endif
