/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Durations for people: three digits where three digits tell something, and never for files. */
#include <inttypes.h>
#include <stdio.h>

#include "ws/assert.h"
#include "ws/quantity.h"

typedef struct {
    const char *name;
    double ns;    /* of one */
    double below; /* amounts that would round to this or more belong to the next unit */
} human_unit;

/* Seconds go on to two minutes, since 95 s says more than 1.58 min. */
static const human_unit human_units[] = {
    {"ns", 1, 999.5},  {"us", 1e3, 999.5},  {"ms", 1e6, 999.5},
    {"s", 1e9, 119.5}, {"min", 6e10, 59.5}, {"h", 3.6e12, 23.995},
};

/* Three digits, but no fraction of a long minute and no fraction of a nanosecond. */
static int human_decimals(double amount, const human_unit *unit)
{
    if (unit->ns == 1 || amount >= 99.95 || (unit->ns == 6e10 && amount >= 9.995)) {
        return 0;
    }
    return amount >= 9.995 ? 1 : 2;
}

size_t ws_duration_print_human(ws_duration d, char out[WS_QUANTITY_TEXT_BYTES])
{
    const char *sign = d.ns < 0 ? "-" : "";
    uint64_t ns = d.ns < 0 ? -(uint64_t)d.ns : (uint64_t)d.ns;
    uint64_t minutes = (ns + (uint64_t)WS_NS_PER_MIN / 2) / (uint64_t)WS_NS_PER_MIN;
    int length = 0;

    if (ns == 0) {
        length = snprintf(out, WS_QUANTITY_TEXT_BYTES, "0 s");
        return (size_t)length;
    }
    for (size_t i = 0; i < WS_COUNT_OF(human_units); i++) {
        double amount = (double)ns / human_units[i].ns;

        if (amount < human_units[i].below) {
            length = snprintf(out, WS_QUANTITY_TEXT_BYTES, "%s%.*f %s", sign,
                              human_decimals(amount, &human_units[i]), amount, human_units[i].name);
            WS_ASSERT(length > 0 && length < WS_QUANTITY_TEXT_BYTES);
            return (size_t)length;
        }
    }
    length = snprintf(out, WS_QUANTITY_TEXT_BYTES, "%s%" PRIu64 " d %02d:%02d", sign,
                      minutes / 1440, (int)(minutes / 60 % 24), (int)(minutes % 60));
    WS_ASSERT(length > 0 && length < WS_QUANTITY_TEXT_BYTES);
    return (size_t)length;
}
