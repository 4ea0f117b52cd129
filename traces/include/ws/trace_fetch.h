/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Series fetched from the HTTP API of a monitoring system: the one thing here that opens a socket.
 *
 * A range of time is asked for in pieces of at most WS_TRACE_FETCH_POINTS points, since Prometheus
 * refuses more than 11,000 for a series. Each answer is a file for a moment, which the reader of
 * that format reads, with its limits and its findings; samples of a series are put together in the
 * order of time.
 */
#ifndef WS_TRACE_FETCH_H
#define WS_TRACE_FETCH_H

#include "ws/trace_series.h"
#include "ws/writer.h"

#define WS_TRACE_FETCH_POINTS 10000
#define WS_TRACE_FETCH_BYTES_MAX (INT64_C(1) << 30) /* unless one says otherwise */
#define WS_TRACE_FETCH_TIMEOUT_S 150                /* Prometheus itself gives up after 120 s */

typedef struct {
    ws_text url; /* of the server, http:// or https://; may have a path, before /api/v1 */
    ws_text query;
    int64_t start_ns;        /* Unix time, of the first point; these three are whole milliseconds */
    int64_t end_ns;          /* >= start_ns; there is a point at it if the steps meet it */
    int64_t step_ns;         /* > 0 */
    ws_text token;           /* of `Authorization: Bearer`; empty: none is sent */
    ws_text ca_file;         /* certificates that are trusted, PEM; empty: the system's */
    int64_t timeout_s;       /* for each answer */
    int64_t bytes_max;       /* of all answers together, unpacked */
    const char *answer_path; /* a file that is made for each answer, and removed */
    /** Asked while waiting: true ends the fetching, without an error. May be NULL. */
    bool (*is_stopped)(void *context);
    void *context;
} ws_trace_fetch;

/** A series as it was fetched. */
typedef struct {
    ws_text name;             /* of the metric; may be empty */
    ws_text labels;           /* as of ws_trace_series_id */
    ws_trace_sample *samples; /* by time, strictly; a value may be NAN */
    size_t count;
    size_t capacity;
} ws_trace_fetched_series;

typedef struct {
    ws_trace_fetched_series *series; /* in the order in which they came */
    size_t count;
    int64_t samples;
    int64_t answers;
    int64_t repeated; /* samples at or before the last one of their series, left out */
    ws_trace_series_report report;
} ws_trace_fetched;

/** False when the program was built without a library that speaks HTTP. */
bool ws_trace_fetch_is_built_in(void);

/**
 * What is wrong with the address of a server: another scheme than http and https, no host, a
 * password in it (whoever lists the processes would see it), a query or a fragment. NULL: nothing.
 */
const char *ws_trace_fetch_url_fault(ws_text url);

/**
 * Fetches series from a Prometheus, or from what speaks its HTTP API (query_range).
 *
 * @param fetched  untouched on false
 * @param arena    holds the series
 * @return         false with an error, WS6400 to WS6407, or one of reading prometheus-json; false
 * without one when it was stopped
 */
WS_NODISCARD bool ws_trace_fetch_prometheus(ws_trace_fetched *fetched, const ws_trace_fetch *fetch,
                                            ws_arena *arena, ws_diag *diag);

/** Writes what was fetched as an answer of query_range (format `prometheus-json`), on one line.
 * False when memory is exhausted. */
WS_NODISCARD bool ws_trace_fetched_write(const ws_trace_fetched *fetched, ws_writer *out,
                                         ws_arena *arena);

#endif
