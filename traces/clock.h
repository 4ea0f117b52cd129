/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Times of day and dates as traces write them, without the machine's time zone. */
#ifndef WS_TRACES_CLOCK_H
#define WS_TRACES_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "ws/assert.h"
#include "ws/text.h"
#include "ws/time.h"

/** The end of the year 2100: what ws_clock_parse() gives lies below, and a hundred years more still
 * fit into 64 bits. */
#define WS_CLOCK_NS_MAX (INT64_C(47847) * WS_NS_PER_D)

/**
 * `YYYY-MM-DD HH:MM:SS`, a `T` or a blank between date and time, up to nine decimals of the second,
 * no zone, as ns since 1970-01-01T00:00:00 of the same clock.
 *
 * @return  false for anything else: other lengths, months beyond 12, 30 February, 24:00, second 60,
 * years outside 1970..2100
 */
WS_NODISCARD bool ws_clock_parse(ws_text text, int64_t *unix_ns);

/** Likewise with an offset behind it (`Z`, `+08:00`, `-0700`, below a day): Unix time, and the
 * offset of the clock that was written. */
WS_NODISCARD bool ws_clock_parse_zoned(ws_text text, int64_t *unix_ns, int64_t *offset_ns);

/** What the change to or from summer time makes of a time on a wall clock. */
typedef enum {
    WS_CLOCK_PLAIN,
    WS_CLOCK_FOLDED, /* passes twice */
    WS_CLOCK_SKIPPED /* never passes */
} ws_clock_kind;

/**
 * The offset from UTC of US Pacific time at a time on its wall clock: -7 h from the second Sunday
 * of March, 2:00, to the first Sunday of November, 2:00, else -8 h. Of an hour that passes twice
 * the first passing counts; one that never passes is taken with -8 h.
 *
 * Source: Energy Policy Act of 2005, section 110 (15 U.S.C. 260a), in force since 2007; earlier
 * years are reckoned by the same rule.
 */
ws_clock_kind ws_clock_us_pacific(int64_t wall_ns, int64_t *offset_ns);

#endif
