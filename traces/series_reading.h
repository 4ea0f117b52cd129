/* SPDX-License-Identifier: GPL-3.0-or-later */
/** What a reader of recorded series is given, and how it hands over samples and findings. */
#ifndef WS_TRACES_SERIES_READING_H
#define WS_TRACES_SERIES_READING_H

#include "names.h"
#include "ws/trace_series.h"

#define WS_SERIES_NAME_BYTES ((size_t)64 << 10) /* of a series, its labels included */

struct ws_trace_series_reading {
    const ws_file_name *file;
    const ws_trace_series_options *options;
    ws_trace_series_sink sink;
    ws_trace_series_report *report;
    ws_arena *arena; /* ends with the reading */
    ws_diag *diag;
    ws_trace_names names;     /* of the series, each with its labels */
    ws_trace_series_id **ids; /* by the number of the name */
    size_t capacity;
    char *key;                        /* room for WS_SERIES_NAME_BYTES */
    const ws_trace_series_type *type; /* that reads; NULL before it was found */
};

typedef struct {
    ws_text name;
    ws_text value; /* escaped as text formats have it: `\\`, `\"`, `\n` */
} ws_series_label;

/** Where a reader keeps the parts of a name until it is whole. */
typedef struct {
    char *bytes; /* room for WS_SERIES_NAME_BYTES */
    size_t length;
} ws_series_room;

/** A copy of a text in the room; `escaped` as text formats write values of labels. NULL start when
 * there is no room. */
ws_text ws_series_room_keep(ws_series_room *room, ws_text text, bool escaped);

/** The name of a series in parts. All zero before the first label. */
typedef struct {
    ws_text metric;
    size_t count;
    ws_series_label items[WS_TRACE_LABELS_MAX]; /* by name */
} ws_series_labels;

/** Adds a label in its place; `__name__` is the metric's name. False when there are too many, or it
 * is there already. An empty value is as no label at all. */
WS_NODISCARD bool ws_series_labels_add(ws_series_labels *labels, ws_text name, ws_text value);

/** The series of a name, the same for all orders of its labels. NULL with an error: WS9020, or
 * WS9005 beyond WS_SERIES_NAME_BYTES. */
const ws_trace_series_id *ws_series_reading_name(ws_trace_series_reading *reading,
                                                 const ws_series_labels *labels);

/** Where something stands in the file, reckoned only for the first of its kind. */
typedef struct {
    int64_t line;
    ws_text text; /* the line; empty: `column` alone is known */
    size_t from;
    size_t to;
    int64_t column; /* without the text */
} ws_series_place;

/** Counts a finding. False, for `return ws_series_reading_fault(...)`. */
bool ws_series_reading_fault(ws_trace_series_reading *reading, ws_trace_series_finding finding,
                             const ws_series_place *place);

/** The place of a sample as a span. */
ws_span ws_series_reading_span(const ws_trace_series_reading *reading,
                               const ws_series_place *place);

/**
 * Reads a value and hands the sample over, or counts why not.
 *
 * @param at_ns  may be unknown
 * @param value  as text: a number, NaN, +Inf, -Inf
 * @return       false when the reading must stop
 */
WS_NODISCARD bool ws_series_reading_take(ws_trace_series_reading *reading,
                                         const ws_trace_series_id *series, int64_t at_ns,
                                         ws_text value, const ws_series_place *place);

/** How a format writes times. */
typedef enum { WS_SERIES_SECONDS, WS_SERIES_MILLISECONDS } ws_series_clock;

typedef enum {
    WS_SERIES_TIME,
    WS_SERIES_TIME_BAD,  /* counted */
    WS_SERIES_TIME_STOP, /* in the other unit: WS6103 was told */
} ws_series_time;

/** A time of the file as Unix time in ns. */
ws_series_time ws_series_reading_time(ws_trace_series_reading *reading, ws_text text,
                                      ws_series_clock clock, const ws_series_place *place,
                                      int64_t *at_ns);

/** Reads a file without telling the findings. */
WS_NODISCARD bool ws_series_read_untold(ws_trace_series_reading *reading);

/** Tells them. False when the file was not read, or what was found is an error. */
WS_NODISCARD bool ws_series_read_tell(const ws_trace_series_reading *reading, bool is_read);

extern const ws_trace_series_type ws_trace_aws_prices;
extern const ws_trace_series_type ws_trace_openmetrics;
extern const ws_trace_series_type ws_trace_prometheus_json;
extern const ws_trace_series_type ws_trace_prometheus_text;
extern const ws_trace_series_type ws_trace_promtool_dump;
extern const ws_trace_series_type ws_trace_series_csv;

#endif
