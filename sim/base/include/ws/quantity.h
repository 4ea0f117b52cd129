/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Quantities with units, parsed exactly (`2.5h`, `14GiB`, `400Gb/s`, `$2.99/h`, `12%`, `6.74B`) and
 * printed back.
 *
 * A bare number where a unit is due is an error, and every error says what to write instead. The
 * rules and the texts are those of the scenario file (docs/scenario.md): lower-case `b` is bits,
 * upper-case `B` bytes; kB is 1000, KiB 1024; a month is 730 h; M alone is never a minute.
 */
#ifndef WS_QUANTITY_H
#define WS_QUANTITY_H

#include <stdbool.h>
#include <stdint.h>

#include "ws/arena.h"
#include "ws/text.h"
#include "ws/time.h"
#include "ws/total.h"

typedef enum {
    WS_QUANTITY_DURATION,  /* int64 ns: ns us ms s m|min h d w, sums such as 1h30m */
    WS_QUANTITY_BYTES,     /* int64 bytes: B kB MB GB TB PB KiB MiB GiB TiB PiB */
    WS_QUANTITY_BANDWIDTH, /* double bytes/s: b/s kb/s ... Tb/s (Gbps), B/s kB/s ... TB/s, KiB/s ...
                            */
    WS_QUANTITY_PRICE,     /* int64 nano-currency an hour: $2.99/h, $9000/d, 2.75EUR/h, also /s /min
                              /month */
    WS_QUANTITY_MONEY,     /* int64 nano-currency: $20000, 12.5EUR */
    WS_QUANTITY_FRACTION,  /* double 0..1: 0.12 or 12% */
    WS_QUANTITY_PERCENT,   /* double, as a fraction, 0% upward without an upper end: 200% is 2 */
    WS_QUANTITY_COUNT,     /* int64 >= 0: 256, 0.5M, 40k, 6B, 2T */
    WS_QUANTITY_RATE,      /* double 1/s: 6/h, 0.5/s, 100/d, 120/min */
    WS_QUANTITY_NUMBER,    /* double, no unit */
    WS_QUANTITY_INTEGER,   /* int64, no unit */
    WS_QUANTITY_WORK,     /* double, a count with a noun: `0.5M samples`, `60B tokens`, `20k steps`;
                             .unit says which */
    WS_QUANTITY_PER_WORK, /* double seconds each: `310ms/sample` */
    WS_QUANTITY_WORK_RATE,   /* double work/s: `640/s`, `640 samples/s`, `1.2k samples/s` */
    WS_QUANTITY_VOLUME_PRICE /* double currency units per GiB and month: $0.10/GiB/month, also GB TB
                                TiB */
} ws_quantity_kind;

typedef enum { WS_WORK_NONE, WS_WORK_SAMPLES, WS_WORK_TOKENS, WS_WORK_STEPS } ws_work_unit;

typedef struct {
    int64_t integer; /* of the kinds that say int64 above */
    double real;     /* of the kinds that say double above */
    ws_work_unit unit;
    char currency[4]; /* of prices and money: "USD" for $, else the three letters written; empty:
                         not said */
} ws_quantity;

/** What is wrong with a text, in the words of docs/scenario.md; all texts end with the arena. */
typedef struct {
    int code;        /* 3101 unit missing, 3102 unknown unit, 3103 ambiguous case, 3104 price, 3105
                        fraction, 3106 not a number, 3107 out of range, 3108 below the smallest step, 3109
                        negative */
    ws_text message; /* "`NAME` is a time and needs a unit": NAME is replaced by the key's name */
    ws_text label;   /* under the caret */
    ws_text help;    /* empty: none */
    ws_text note;    /* empty: none */
} ws_quantity_fault;

/**
 * Reads a whole text as a quantity of a kind.
 *
 * @param name    the key's name, for messages
 * @param arena   where the texts of `fault` go; they end with it
 * @return        false and `*fault` filled when the text is no such quantity; `*value` is untouched
 * then
 */
WS_NODISCARD bool ws_quantity_parse(ws_text text, ws_quantity_kind kind, ws_text name,
                                    ws_quantity *value, ws_quantity_fault *fault, ws_arena *arena);

/** Bytes that the longest printed quantity needs, the NUL included. */
#define WS_QUANTITY_TEXT_BYTES 64

/** The shortest spelling that reads back to the same value: 7d, 1h30m, 14GiB, 50GB/s, $2.99/h, 12%.
 * Returns the length. */
size_t ws_quantity_print(ws_quantity value, ws_quantity_kind kind,
                         char out[WS_QUANTITY_TEXT_BYTES]);

/** For people, three significant digits: "46 min", "5.10 h", "2 d 03:12". Not for files. Returns
 * the length. */
size_t ws_duration_print_human(ws_duration d, char out[WS_QUANTITY_TEXT_BYTES]);

/** "a time", "a size in bytes", ...: for messages. */
const char *ws_quantity_kind_name(ws_quantity_kind kind);

#endif
