/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Checked 128-bit totals. The compilers' overflow test of a 128-bit product needs a library
 * function that not every one brings, so products here are either of two 64-bit factors, which
 * always fit, or tested by hand.
 */
#include "ws/total.h"

#include <math.h>

#include "ws/assert.h"

__extension__ typedef unsigned __int128 total_u128;

#define TOTAL_NANO INT64_C(1000000000)

static ws_i128 total_add(ws_i128 a, ws_i128 b)
{
    ws_i128 sum = 0;
    bool overflows = __builtin_add_overflow(a, b, &sum);

    WS_ASSERT(!overflows);

    return sum;
}

static ws_i128 total_sub(ws_i128 a, ws_i128 b)
{
    ws_i128 difference = 0;
    bool overflows = __builtin_sub_overflow(a, b, &difference);

    WS_ASSERT(!overflows);

    return difference;
}

static total_u128 total_magnitude(ws_i128 value)
{
    return value < 0 ? -(total_u128)value : (total_u128)value;
}

/* value / divisor, half away from zero. */
static ws_i128 total_divide(ws_i128 value, int64_t divisor)
{
    ws_i128 quotient = value / divisor;
    ws_i128 rest = value % divisor;

    WS_ASSERT(divisor > 0);

    if (2 * rest >= divisor) {
        quotient++;
    } else if (2 * rest <= -divisor) {
        quotient--;
    }
    return quotient;
}

/*
 * The double nearest to value / divisor. The numerator is shifted so that the quotient has more
 * bits than a double; what the division leaves over sets the last of them, and the one conversion
 * rounds.
 */
static double total_ratio(ws_i128 value, int64_t divisor)
{
    total_u128 magnitude = total_magnitude(value);
    total_u128 quotient = 0;
    double ratio = 0;
    int shift = 0;

    WS_ASSERT(divisor > 0);

    if (magnitude == 0) {
        return 0;
    }
    while (magnitude >> 110 == 0) {
        magnitude <<= 1;
        shift++;
    }
    quotient = magnitude / (uint64_t)divisor;
    if (magnitude % (uint64_t)divisor != 0) {
        quotient |= 1;
    }
    ratio = ldexp((double)quotient, -shift);
    return value < 0 ? -ratio : ratio;
}

ws_gpu_time ws_gpu_time_of(int64_t gpus, ws_duration span)
{
    return (ws_gpu_time){.gpu_ns = (ws_i128)gpus * span.ns};
}

ws_gpu_time ws_gpu_time_add(ws_gpu_time a, ws_gpu_time b)
{
    return (ws_gpu_time){.gpu_ns = total_add(a.gpu_ns, b.gpu_ns)};
}

ws_gpu_time ws_gpu_time_sub(ws_gpu_time a, ws_gpu_time b)
{
    return (ws_gpu_time){.gpu_ns = total_sub(a.gpu_ns, b.gpu_ns)};
}

/* value * mantissa / 2^shift to the nearest, by a product of 192 bits: the mantissa has at most 53.
 */
static total_u128 total_scale(total_u128 value, uint64_t mantissa, int shift)
{
    total_u128 low = (total_u128)(uint64_t)value * mantissa;
    total_u128 high = (total_u128)(uint64_t)(value >> 64) * mantissa + (low >> 64);
    uint64_t rest = (uint64_t)low;

    WS_ASSERT(shift > 0);

    if (shift < 64) {
        return (high << (64 - shift)) + (rest >> shift) + (rest >> (shift - 1) & 1);
    }
    if (shift == 64) {
        return high + (rest >> 63);
    }
    if (shift > 64 + 127) {
        return 0;
    }
    return (high >> (shift - 64)) + (high >> (shift - 65) & 1);
}

ws_gpu_time ws_gpu_time_share(ws_gpu_time whole, double ratio)
{
    int exponent = 0;
    double fraction = 0;
    ws_gpu_time part = {.gpu_ns = 0};

    WS_ASSERT(whole.gpu_ns >= 0);
    WS_ASSERT(ratio >= 0);
    WS_ASSERT(ratio <= 1);

    /* ratio = mantissa x 2^(exponent - 53), exactly */
    fraction = frexp(ratio, &exponent);
    part.gpu_ns = (ws_i128)total_scale((total_u128)whole.gpu_ns, (uint64_t)ldexp(fraction, 53),
                                       53 - exponent);
    WS_ASSERT(part.gpu_ns <= whole.gpu_ns);
    return part;
}

double ws_gpu_time_h(ws_gpu_time t)
{
    return total_ratio(t.gpu_ns, WS_NS_PER_H);
}

ws_money ws_money_add(ws_money a, ws_money b)
{
    return (ws_money){.nano = total_add(a.nano, b.nano)};
}

ws_money ws_money_sub(ws_money a, ws_money b)
{
    return (ws_money){.nano = total_sub(a.nano, b.nano)};
}

double ws_money_units(ws_money m)
{
    return total_ratio(m.nano, TOTAL_NANO);
}

bool ws_price_of_volume(int64_t bytes, ws_volume_price price, ws_price *an_hour)
{
    static const ws_i128 gib_months = ((ws_i128)1 << 30) * 730; /* bytes x hours */
    static const ws_i128 most = (ws_i128)1000000000 * 1000000000;

    WS_ASSERT(bytes >= 0);
    WS_ASSERT(price.nano_per_gib_month >= 0);
    ws_i128 nano = ((ws_i128)bytes * price.nano_per_gib_month + gib_months / 2) / gib_months;
    if (nano > most) {
        return false;
    }
    an_hour->nano_per_h = (int64_t)nano;
    return true;
}

ws_cost_integral ws_cost_integral_of(ws_price price, ws_duration span)
{
    return (ws_cost_integral){.nano_ns_per_h = (ws_i128)price.nano_per_h * span.ns};
}

ws_cost_integral ws_cost_integral_add(ws_cost_integral a, ws_cost_integral b)
{
    return (ws_cost_integral){.nano_ns_per_h = total_add(a.nano_ns_per_h, b.nano_ns_per_h)};
}

ws_money ws_money_of_cost(ws_cost_integral cost)
{
    return (ws_money){.nano = total_divide(cost.nano_ns_per_h, WS_NS_PER_H)};
}
