/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The tables of units, and what reading a quantity found. Private to base. */
#ifndef WS_BASE_QUANTITY_UNITS_H
#define WS_BASE_QUANTITY_UNITS_H

#include "ws/quantity.h"

/** A unit is worth 10^power x factor / divisor of the kind's own unit. */
typedef struct {
    const char *name;
    int power;
    int64_t factor;
    int64_t divisor;
} ws_unit;

typedef struct {
    const ws_unit *units;
    size_t count;
} ws_unit_list;

/** Another spelling, and the right one. */
typedef struct {
    const char *wrong;
    const char *right;
} ws_unit_alias;

typedef struct {
    const ws_unit_alias *aliases;
    size_t count;
} ws_unit_alias_list;

/** What messages say about a kind. */
typedef struct {
    const char *name;    /* "a time" */
    const char *unit;    /* "time": `days` is not a time unit */
    const char *units;   /* "time units are ns, us, ..."; NULL: none to list */
    const char *example; /* "30s" */
    const char *largest; /* of whole-number kinds and bounded ones; NULL: any finite number */
    const char *step; /* " of nanoseconds": is not a whole number of...; NULL: no smallest step */
    double real_max;  /* of kinds that are doubles; 0: any finite number */
} ws_quantity_words;

const ws_quantity_words *ws_quantity_words_of(ws_quantity_kind kind);

extern const ws_unit_list ws_units_time;      /* in ns */
extern const ws_unit_list ws_units_bytes;     /* in bytes; also of volume prices */
extern const ws_unit_list ws_units_bandwidth; /* in bytes/s */
extern const ws_unit_list ws_units_count;     /* the first is the empty suffix */
extern const ws_unit_list ws_units_rate;      /* 1/s: 6/h is 6 of the unit "h" */
extern const ws_unit_list ws_units_price;     /* currency/h */
extern const ws_unit_list ws_units_percent;   /* the first is the empty suffix */

/** The unit of that name, or NULL. */
const ws_unit *ws_unit_find(ws_unit_list list, ws_text name);

/** samples, tokens or steps, in the singular or plural; WS_WORK_NONE for anything else. */
ws_work_unit ws_work_unit_find(ws_text noun);

/** "samples", "tokens", "steps" or "". */
const char *ws_work_unit_name(ws_work_unit unit);

/** Spellings that people bring from elsewhere, for a kind. */
ws_unit_alias_list ws_unit_aliases_of(ws_quantity_kind kind);

/** What reading found: a value, or a code of ws_quantity_fault and the part that is at fault. */
typedef struct {
    ws_quantity value;
    int code;       /* 0: read */
    ws_text number; /* the last number met */
    ws_text unit;   /* what stands behind it */
    bool has_currency;
} ws_quantity_reading;

/** Reads without making any text. */
ws_quantity_reading ws_quantity_read(ws_text text, ws_quantity_kind kind);

/** Says what is wrong with a text that ws_quantity_read() gave a code to. */
ws_quantity_fault ws_quantity_explain(const ws_quantity_reading *reading, ws_text text,
                                      ws_quantity_kind kind, ws_text name, ws_arena *arena);

/** Bytes of the longest suggestion, the NUL included. */
#define WS_QUANTITY_SUGGESTION_BYTES 128

/**
 * A spelling of the same quantity that is right: blanks and separators removed, units of other
 * tools replaced. The empty text when none is found; otherwise it lies in `out` and reads as a
 * quantity of the kind.
 */
ws_text ws_quantity_suggest(ws_text text, ws_quantity_kind kind,
                            char out[WS_QUANTITY_SUGGESTION_BYTES]);

/** True when a text looks like an ISO 8601 duration (PT30S). */
bool ws_quantity_is_iso8601(ws_text text);

/**
 * Translates an ISO 8601 duration into our spelling; the empty text when it has months or years or
 * is malformed.
 */
ws_text ws_quantity_of_iso8601(ws_text text, char out[WS_QUANTITY_SUGGESTION_BYTES]);

#endif
