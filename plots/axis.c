/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Ticks are whole multiples of the step, so that each is the product of two exact numbers and not a
 * sum that drifts. Prefixes (k, M, G, T, P) are used where they make the numbers short.
 */
#include "axis.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ws/assert.h"
#include "ws/number.h"

#define AXIS_VALUE_MAX 1e290
#define AXIS_PREFIX_FROM 1e4 /* below it numbers are short enough */
#define AXIS_DECIMALS_MAX 9

/* 1, 2 or 5 times a power of ten, at least `raw`. */
static double axis_round_step(double raw)
{
    double power = pow(10, floor(log10(raw)));
    double ratio = raw / power;

    WS_ASSERT(raw > 0);
    if (ratio <= 1.0000001) {
        return power;
    }
    if (ratio <= 2.0000001) {
        return 2 * power;
    }
    return ratio <= 5.0000001 ? 5 * power : 10 * power;
}

/* Decimals that show a step exactly: 0.25 is no step, so the leading digit suffices. */
static int axis_decimals(double step)
{
    double places = -floor(log10(step) + 1e-9);

    return places > 0 ? (int)fmin(places, 400) : 0;
}

static void axis_choose_prefix(ws_axis *axis)
{
    static const char prefixes[] = {'k', 'M', 'G', 'T', 'P'};
    double largest = fmax(fabs(ws_axis_low(axis)), fabs(ws_axis_high(axis)));

    axis->divisor = 1;
    axis->decimals = axis_decimals(axis->step);
    if (largest >= 1e18 || axis->decimals > AXIS_DECIMALS_MAX) {
        axis->decimals = -1;
        return;
    }
    for (size_t i = 0; i < sizeof prefixes && largest >= AXIS_PREFIX_FROM; i++) {
        double divisor = pow(1000, (double)(i + 1));

        if (largest < divisor || axis_decimals(axis->step / divisor) > 2) {
            return;
        }
        axis->divisor = divisor;
        axis->suffix[0] = prefixes[i];
        axis->decimals = axis_decimals(axis->step / divisor);
    }
}

/* Widens a range without extent. */
static void axis_widen(double *low, double *high)
{
    double size = fmax(fabs(*low), fabs(*high));
    double extent = *high - *low;

    if (size < 1e-280) {
        *low -= 0.5;
        *high += 0.5;
    } else if (extent < 1e-9 * size) {
        *low -= 0.05 * size;
        *high += 0.05 * size;
    }
}

ws_axis ws_axis_of_range(double low, double high, int wanted)
{
    ws_axis axis = {.divisor = 1};
    double last = 0;

    WS_ASSERT(isfinite(low) && isfinite(high));
    WS_ASSERT(low <= high);
    WS_ASSERT(wanted >= 1);

    low = fmax(-AXIS_VALUE_MAX, fmin(AXIS_VALUE_MAX, low));
    high = fmax(-AXIS_VALUE_MAX, fmin(AXIS_VALUE_MAX, high));
    axis_widen(&low, &high);
    axis.step = axis_round_step((high - low) / wanted);
    axis.first_step = floor(low / axis.step + 1e-6);
    last = ceil(high / axis.step - 1e-6);
    axis.ticks = (int)(last - axis.first_step) + 1;
    axis.ticks = axis.ticks < 2 ? 2 : axis.ticks;
    axis_choose_prefix(&axis);
    return axis;
}

ws_axis ws_axis_of_steps(double high, double step)
{
    ws_axis axis = {.step = step, .ticks = (int)ceil(high / step - 1e-6) + 1};

    WS_ASSERT(high > 0);
    WS_ASSERT(step > 0);
    WS_ASSERT(high / step < 1e6);
    axis_choose_prefix(&axis);
    return axis;
}

double ws_axis_low(const ws_axis *axis)
{
    WS_ASSERT(axis != NULL);

    return axis->first_step * axis->step;
}

double ws_axis_high(const ws_axis *axis)
{
    WS_ASSERT(axis->ticks >= 2);
    return ws_axis_tick(axis, axis->ticks - 1);
}

double ws_axis_tick(const ws_axis *axis, int index)
{
    WS_ASSERT(axis != NULL);
    WS_ASSERT(index >= 0);

    return (axis->first_step + index) * axis->step;
}

double ws_axis_ratio(const ws_axis *axis, double value)
{
    WS_ASSERT(axis->ticks >= 2);
    WS_ASSERT(axis->step > 0);

    double low = ws_axis_low(axis);

    return (value - low) / (ws_axis_high(axis) - low);
}

/* A number with commas between its thousands. */
static size_t axis_print_grouped(double value, int decimals, char out[WS_AXIS_TEXT_BYTES])
{
    char plain[WS_AXIS_TEXT_BYTES];
    int length = snprintf(plain, sizeof plain, "%.*f", decimals, value);
    size_t whole = strcspn(plain, ".");
    size_t from = plain[0] == '-' ? 1 : 0;
    size_t to = 0;

    WS_ASSERT(length > 0 && length + length / 3 < WS_AXIS_TEXT_BYTES);
    for (size_t i = 0; i < (size_t)length; i++) {
        if (i > from && i < whole && (whole - i) % 3 == 0) {
            out[to++] = ',';
        }
        out[to++] = plain[i];
    }
    out[to] = '\0';
    return to;
}

size_t ws_axis_print(const ws_axis *axis, int index, char out[WS_AXIS_TEXT_BYTES])
{
    WS_ASSERT(index >= 0);
    WS_ASSERT(index < axis->ticks);

    double value = ws_axis_tick(axis, index);
    size_t length = 0;

    if (axis->decimals < 0) {
        return (size_t)snprintf(out, WS_AXIS_TEXT_BYTES, "%.6g", value);
    }
    if (!(fabs(value) > 0)) {
        return (size_t)snprintf(out, WS_AXIS_TEXT_BYTES, "0"); /* no prefix, no decimals, no sign */
    }
    length = axis_print_grouped(value / axis->divisor, axis->decimals, out);
    return length + (size_t)snprintf(out + length, WS_AXIS_TEXT_BYTES - length, "%s", axis->suffix);
}

size_t ws_axis_print_value(double value, char out[WS_AXIS_TEXT_BYTES])
{
    return ws_axis_print_short(value, 4, out);
}

size_t ws_axis_print_short(double value, int digits, char out[WS_AXIS_TEXT_BYTES])
{
    double size = fabs(value);
    int decimals = 0;
    size_t length = 0;

    WS_ASSERT(digits >= 1 && digits <= 4);
    if (isnan(value)) {
        return (size_t)snprintf(out, WS_AXIS_TEXT_BYTES, "nan");
    }
    if (!(size > 0)) {
        return (size_t)snprintf(out, WS_AXIS_TEXT_BYTES, "0");
    }
    if (isinf(value) || size >= 1e15 || size < 1e-4) {
        return (size_t)snprintf(out, WS_AXIS_TEXT_BYTES, "%.*g", digits, value);
    }
    decimals = digits - 1 - (int)floor(log10(size));
    decimals = decimals > 0 && size < 999.95 ? decimals : 0;
    length = axis_print_grouped(value, decimals, out);
    while (decimals > 0 && (out[length - 1] == '0' || out[length - 1] == '.')) {
        decimals = out[length - 1] == '.' ? 0 : decimals;
        out[--length] = '\0';
    }
    return length;
}

size_t ws_axis_print_fixed(double value, int decimals, char out[WS_AXIS_TEXT_BYTES])
{
    WS_ASSERT(decimals >= 0 && decimals <= 6);

    if (!isfinite(value) || fabs(value) >= 1e15) {
        return ws_axis_print_value(value, out);
    }
    return axis_print_grouped(value, decimals, out);
}
