/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Parameter tables: one constant table says what a map may hold, and drives reading, defaults,
 * errors, the resolved document and the manual.
 *
 * A table describes a C structure: each row names a key, its kind, where in the structure it goes,
 * its default and its range. The scenario file, every policy type and every trace option is
 * described by such tables. Reading reports all faults of a map (unknown keys with near names,
 * missing keys, wrong kinds, units, ranges), fills the structure, and puts each default into the
 * document with the origin "default", so that the document is the resolved one afterwards.
 *
 * Keys that begin with `x-` are passed over everywhere.
 *
 * Errors: WS2101 unknown key, WS2102 missing key, WS2201 wrong kind of value, WS2203 wrong choice,
 * WS2204 not true or false, WS2205 not a name, WS1305 control character in a text, WS3101..WS3109
 * those of quantities, WS3107 outside the row's range, WS3110 not a point in time, WS3111 two
 * currencies, WS32xx those of distributions, WS9007 out of memory.
 */
#ifndef WS_PARAMETER_H
#define WS_PARAMETER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ws/arena.h"
#include "ws/diag.h"
#include "ws/document.h"

typedef enum {
    /* kind, and the type of the field at `offset` */
    WS_PARAMETER_BOOL,         /* bool */
    WS_PARAMETER_INTEGER,      /* int64_t, no unit */
    WS_PARAMETER_COUNT,        /* int64_t >= 0, with k M B T */
    WS_PARAMETER_NUMBER,       /* double, no unit */
    WS_PARAMETER_FRACTION,     /* double, 0..1 or 12% */
    WS_PARAMETER_PERCENT,      /* double >= 0, 200% is 2 */
    WS_PARAMETER_DURATION,     /* ws_duration */
    WS_PARAMETER_BYTES,        /* int64_t bytes */
    WS_PARAMETER_BANDWIDTH,    /* double bytes/s */
    WS_PARAMETER_PRICE,        /* ws_price */
    WS_PARAMETER_VOLUME_PRICE, /* double currency units per GiB and month */
    WS_PARAMETER_MONEY,        /* ws_money */
    WS_PARAMETER_RATE,         /* double 1/s */
    WS_PARAMETER_WORK,         /* ws_work: amount and unit */
    WS_PARAMETER_WORK_RATE,    /* double work/s */
    WS_PARAMETER_PER_WORK,     /* double seconds each: 310ms/sample */
    WS_PARAMETER_NAME,         /* ws_text of [a-z0-9-]{1,63} */
    WS_PARAMETER_TEXT,         /* ws_text, any string without control characters */
    WS_PARAMETER_PATH,      /* ws_text, a path as written; resolving it is the reader's business */
    WS_PARAMETER_TIMESTAMP, /* ws_timestamp: 2026-01-05T00:00:00Z, 2017-10-06T00:00, 2017-10-06 */
    WS_PARAMETER_CHOICE,    /* int32_t index into `choices` */
    WS_PARAMETER_DISTRIBUTION, /* ws_distribution of seconds: a duration or {dist: .., median: ..,
                                  p95: ..} */
    WS_PARAMETER_MAP,          /* a structure in place, described by `table` */
    WS_PARAMETER_OPTIONAL_MAP, /* pointer to such a structure in the arena, NULL when absent */
    WS_PARAMETER_MAP_LIST,     /* ws_list of such structures */
    WS_PARAMETER_NAME_LIST,    /* ws_list of ws_text; a single name is a list of one */
    WS_PARAMETER_TEXT_LIST,    /* ws_list of ws_text; a single text is a list of one */
    WS_PARAMETER_INTEGER_LIST, /* ws_list of int64_t; the range holds for each; a single number is a
                                  list of one */
    WS_PARAMETER_NUMBER_LIST,  /* ws_list of double; likewise */
    WS_PARAMETER_DOCUMENT,     /* const ws_document *, as it is, NULL when absent */
    WS_PARAMETER_SELF          /* no key: const ws_document * of the map that is being read */
} ws_parameter_kind;

typedef struct {
    void *items; /* in the arena */
    size_t count;
} ws_list;

typedef struct {
    double amount;
    int32_t unit; /* ws_work_unit */
} ws_work;

typedef struct {
    bool given;     /* false: the key is absent and has no default */
    int64_t unix_s; /* seconds since 1970-01-01T00:00:00Z; a time without zone is taken as UTC */
    bool has_zone;
} ws_timestamp;

typedef struct ws_parameter_table ws_parameter_table;

typedef struct {
    const char *name; /* the key; NULL for WS_PARAMETER_SELF */
    ws_parameter_kind kind;
    size_t offset;            /* of the field in the structure */
    const char *default_text; /* as one would write it; NULL: none, the field stays zero when the
                                 key is absent */
    bool required;            /* an error WS2102 when absent */
    const char *min;          /* as one would write it; NULL: none */
    const char *max;          /* likewise */
    bool above_min;           /* the minimum itself is not allowed */
    int limit_code;   /* of a value above `max`, where that is a bound of the program: 9020, ...; 0:
                         WS3107 */
    const char *help; /* one sentence for the manual; unit and range are added from the row */
    const char *const *choices; /* of CHOICE: names, NULL-terminated */
    const char *choices_help; /* text of `help:` after a wrong choice; NULL: the list of choices */
    const char *choice_noun;  /* "an elasticity mode", for "`x` is not an elasticity mode" */
    const ws_parameter_table *table; /* of MAP, OPTIONAL_MAP, MAP_LIST */
    size_t present_offset; /* of a bool that says whether the file gave the key; 0: none */
    size_t map_offset;     /* of MAP_LIST: a map in the list's place goes here as it is (const
                              ws_document *); 0: it is an error. Of DISTRIBUTION: a map with a key of
                              `table` is read by it, and a pointer to the structure goes here */
    const char
        *file_kind; /* of DOCUMENT: a plain text names a file that holds the document, and whoever
                       loads puts that in its place before reading: FILE, or FILE#NAME where it
                       holds several; of these, those whose `kind` is this */
} ws_parameter;

struct ws_parameter_table {
    const char *noun; /* what the map is, for messages: "a scenario", "policy", "pool" */
    const ws_parameter *rows;
    size_t count;
    size_t bytes;           /* of the structure */
    const char *scalar_key; /* a plain scalar stands for a map with this one key; NULL: a scalar is
                               an error */
};

/** One table and the structure that it fills; several may read one map side by side (a policy's own
 * keys beside the arm's). */
typedef struct {
    const ws_parameter_table *table;
    void *object; /* zeroed by the caller, table->bytes bytes */
} ws_parameter_binding;

/**
 * Reads a map into structures.
 *
 * All faults of the map are reported, and none that follows from another: what is below a value of
 * a wrong kind is not looked at, and a required key is not missed when an unknown key was probably
 * meant to be it. A key is known if any of the tables knows it. Names are checked for uniqueness by
 * the caller where they must be unique.
 *
 * Defaults are put into `map` with the origin "default", in the order of the rows and behind the
 * keys that are there; a MAP that is absent is made and filled (and put in unless it stays empty),
 * an OPTIONAL_MAP stays absent. Reading a map again, with the same or other tables, finds the
 * defaults there and still counts them as not given by the file (`present_offset`). A scalar that
 * stands for a map (`scalar_key`) becomes that map.
 *
 * @param map       a map, or an empty value (read as an empty map); anything else is an error
 * WS2201
 * @param where     the map's path for messages ("cluster.pools[0].nodes"); empty: the first table's
 * noun is used
 * @param bindings  `count` >= 1 tables and their structures; a map below belongs to one of them
 * alone
 * @param arena     lists, optional structures and defaults end with it; texts point into the
 * document
 * @return          false when at least one error was added; the structures are then partly filled
 * and must not be used
 */
WS_NODISCARD bool ws_parameters_read(ws_document *map, ws_text where,
                                     const ws_parameter_binding *bindings, size_t count,
                                     ws_arena *arena, ws_diag *diag);

/**
 * Fills a structure with the table's defaults alone, for tests and callers without a file; required
 * keys stay zero.
 *
 * @param object   zeroed by the caller, table->bytes bytes
 * @return         false when the arena is exhausted, or when a default of the table is not valid (a
 * bug of the table: its test calls this function)
 */
WS_NODISCARD bool ws_parameters_default(const ws_parameter_table *table, void *object,
                                        ws_arena *arena);

/** The currency of a document: the first that is written, and where. */
typedef struct {
    char name[4]; /* "USD", "EUR"; empty: no amount was seen yet */
    ws_span at;
} ws_currency;

/**
 * Holds all prices and amounts of money of a map, which was read before, to one currency: an error
 * WS3111 for each in another one than the first. Amounts of zero have none. Maps with tables of
 * their own (WS_PARAMETER_DOCUMENT) are checked by further calls.
 *
 * @param currency  zeroed before the first call; shared by all maps that must agree
 * @return          false when an error was added
 */
WS_NODISCARD bool ws_parameters_check_currency(const ws_document *map,
                                               const ws_parameter_table *table,
                                               ws_currency *currency, ws_arena *arena,
                                               ws_diag *diag);

/** What the manual says of one key. */
typedef struct {
    ws_text key;              /* dotted: `nodes.min`, `pools[].name` */
    ws_text takes;            /* "a time (`30m`), more than 0s": names and examples in backticks */
    const char *default_text; /* as one would write it; NULL: none */
    bool required;
    const char *help; /* one sentence */
} ws_parameter_line;

/**
 * All keys of a table, in the order of the rows. Tables below follow their row with dotted keys;
 * one that holds itself is described once.
 *
 * @param count  receives how many there are; may be 0
 * @return       an array in `arena`; NULL when exhausted
 */
const ws_parameter_line *ws_parameters_describe(const ws_parameter_table *table, size_t *count,
                                                ws_arena *arena);

/**
 * The table as a Markdown table for the manual: key, what it takes, default, meaning, a row for
 * each line of ws_parameters_describe().
 *
 * @return   a text in `arena` that ends with a newline; NULL start when exhausted
 */
ws_text ws_parameters_print_markdown(const ws_parameter_table *table, ws_arena *arena);

/**
 * Reads a point in time: RFC 3339 (2026-01-05T00:00:00Z, +02:00, a fraction of a second is cut
 * off), the same without zone (taken as UTC) or without seconds, or a date alone (midnight).
 * Proleptic Gregorian calendar, years 0000 to 9999; the second 60 is read only at 23:59:60 UTC, as
 * the first second of the next day.
 *
 * Source: RFC 3339, section 5.6; Hinnant, "chrono-compatible low-level date algorithms",
 * days_from_civil.
 *
 * @return   false when the text is anything else; `*timestamp` is untouched then
 */
WS_NODISCARD bool ws_timestamp_parse(ws_text text, ws_timestamp *timestamp);

#endif
