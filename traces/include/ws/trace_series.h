/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Recorded series: samples of metrics over time, as monitoring systems export them.
 *
 * A series is told by its metric's name and its labels. A reader streams: it hands over one sample
 * at a time and keeps the names of the series alone. Where nothing was recorded there is a hole,
 * never a zero: a gap between two samples that is longer than some steps (the median gap of the
 * series). Values stay in the unit of the source; ws_trace_metric says which that is.
 */
#ifndef WS_TRACE_SERIES_H
#define WS_TRACE_SERIES_H

#include "ws/trace.h"
#include "ws/trace_summary.h"

#define WS_TRACE_SERIES_MAX 1000000
#define WS_TRACE_LABELS_MAX 64

/** A gap of more than so many steps is a hole, unless the options say otherwise: one sample that is
 * missing makes a gap of two. */
#define WS_TRACE_HOLE_STEPS 1.5

/* ---- metrics ---- */

/** What is known of a metric by its name. */
typedef struct {
    const char *name;
    const char *unit; /* "%", "ratio", "W", ...; "" when nothing is known */
    double full;      /* the value of all of it: 100 of "%", 1 of "ratio"; 0: it is no share */
} ws_trace_metric;

/**
 * The metric of a name, in any case of letters, of the exporters that users meet: NVIDIA's DCGM
 * exporter (its fields, and the names that some renamed them to), nvidia_gpu_exporter, the older
 * GPU exporters, and cAdvisor's accelerator metrics. Never NULL: of an unknown name nothing is
 * known.
 */
const ws_trace_metric *ws_trace_metric_find(ws_text name);

/**
 * True for a value that says that there is none: NaN (Prometheus's stale marker too), and of DCGM's
 * metrics the numbers that mean blank, not found, not supported and not permitted.
 * Source: NVIDIA DCGM, dcgm_structs.h (DCGM_INT32_BLANK, DCGM_INT64_BLANK, DCGM_FP64_BLANK).
 *
 * @param name  of the metric; empty: a function took the name, so it may be DCGM's
 */
bool ws_trace_value_is_blank(ws_text name, double value);

/* ---- the record ---- */

typedef struct {
    int64_t at_ns; /* Unix time, 0 to 4 * 10^18; WS_TRACE_UNKNOWN_NS: the source tells none */
    double value;  /* finite; from a reader also NAN: blank */
} ws_trace_sample;

/** Which series a sample belongs to. Lives as long as the reading. */
typedef struct {
    size_t index;   /* from 0, in the order in which the series appear */
    ws_text name;   /* of the metric; empty where a function took it away */
    ws_text labels; /* `{a="b",c="d"}`, by name of the label; empty without labels */
    const ws_trace_metric *metric;
} ws_trace_series_id;

typedef struct {
    ws_text name;
    ws_text labels;
    const ws_trace_metric *metric;
    ws_trace_sample *samples; /* by time, strictly; those without a time stand before them */
    size_t count;
    size_t untimed;    /* samples without a time */
    int64_t blanks;    /* that were read and are not among the samples */
    int64_t step_ns;   /* median gap; 0: fewer than two samples with a time */
    int64_t holes;     /* gaps that are holes */
    int64_t hole_ns;   /* their length, less a step each: how long a sample was missing */
    double hole_steps; /* what a hole is */
} ws_trace_series;

typedef struct {
    ws_trace_series *items; /* in the order in which they appear */
    size_t count;
} ws_trace_series_set;

/**
 * The value at a moment: of the last sample at or before it, while that is fresh. A sample is fresh
 * until the next one, before a hole and at the end for one step. O(log n).
 *
 * @return  false when nothing is known there: before the first sample, in a hole, behind the end;
 * `*value` is untouched then
 */
WS_NODISCARD bool ws_trace_series_at(const ws_trace_series *series, int64_t at_ns, double *value);

/* ---- what was found ---- */

typedef enum {
    WS_SERIES_HISTOGRAM,  /* left out: a native histogram has no one value */
    WS_SERIES_REPEATED,   /* left out: the time of an earlier sample of its series */
    WS_SERIES_BAD_LINE,   /* rejected: no sample at all */
    WS_SERIES_BAD_TIME,   /* rejected */
    WS_SERIES_BAD_VALUE,  /* rejected */
    WS_SERIES_INFINITE,   /* rejected */
    WS_SERIES_BLANK,      /* left out: says that there is no value */
    WS_SERIES_NO_TIME,    /* kept */
    WS_SERIES_UNSORTED,   /* kept */
    WS_SERIES_OVER_SCALE, /* kept: more than all of it, or less than nothing */
    WS_SERIES_FINDING_COUNT
} ws_trace_series_finding;

const ws_trace_finding_row *ws_trace_series_finding_at(ws_trace_series_finding finding);

typedef struct {
    int64_t samples_read; /* kept + left out + rejected */
    int64_t samples_kept;
    ws_trace_count found[WS_SERIES_FINDING_COUNT];
} ws_trace_series_report;

/* ---- formats ---- */

typedef struct ws_trace_series_type ws_trace_series_type;
typedef struct ws_trace_series_reading ws_trace_series_reading; /* traces/series_reading.h */

typedef struct {
    const ws_trace_series_type *type; /* NULL: found by content */
    bool strict;                      /* a sample that cannot be used is an error */
    double hole_steps;                /* > 1; 0: WS_TRACE_HOLE_STEPS */
    ws_input_limits limits;
} ws_trace_series_options;

/** A format. Every function may be called from any thread; a type holds no state. */
struct ws_trace_series_type {
    const char *name;
    const char *summary; /* one line */
    bool holds;          /* tells changes: a value holds until the next one, and no gap is a hole */
    /** True when the first lines of a file look like this format. */
    bool (*sniff)(ws_text head);
    /** Reads everything. False with an error in the reading's diagnostics. */
    bool (*read)(ws_trace_series_reading *reading);
};

size_t ws_trace_series_type_count(void);
const ws_trace_series_type *ws_trace_series_type_at(size_t index);

/** NULL when there is no such format, or none looks like that. */
const ws_trace_series_type *ws_trace_series_type_find(ws_text name);
const ws_trace_series_type *ws_trace_series_sniff_head(ws_text head);

/** Where samples go, in the order of the file; blank ones too, their value NAN. False stops the
 * reading, which then fails; the sink has said why. */
typedef struct {
    void *context;
    bool (*take)(void *context, const ws_trace_series_id *series, const ws_trace_sample *sample,
                 int64_t line);
} ws_trace_series_sink;

/**
 * Reads a file, handing its samples to `sink`. Memory grows with the number of series, not of
 * samples.
 *
 * @param report  added to; zeroed by the caller
 * @return        false with an error: an unreadable file, an unknown format (WS6107), times in
 * another unit (WS6103), an answer of Prometheus that is an error (WS6180) or no series (WS6181),
 * more than WS_TRACE_SERIES_MAX series (WS9020), any rejected sample when strict
 */
WS_NODISCARD bool ws_trace_series_read(const ws_file_name *file,
                                       const ws_trace_series_options *options,
                                       ws_trace_series_sink sink, ws_trace_series_report *report,
                                       ws_diag *diag);

/**
 * Reads a file into memory.
 *
 * @param arena  holds the set; peak memory is about six times that of the samples
 * @return       as above; `*set` is untouched on false
 */
WS_NODISCARD bool ws_trace_series_load(ws_trace_series_set *set, const ws_file_name *file,
                                       const ws_trace_series_options *options,
                                       ws_trace_series_report *report, ws_arena *arena,
                                       ws_diag *diag);

/* ---- in numbers ---- */

/** All series of a metric. */
typedef struct {
    ws_text name;
    const ws_trace_metric *metric;
    int64_t series;
    int64_t blanks;
    int64_t holes;
    int64_t hole_ns;
    int64_t step_ns; /* median of the series' steps; 0: none has one */
    double min;      /* NAN without a sample */
    ws_trace_spread values;
} ws_trace_metric_summary;

typedef struct {
    int64_t samples;
    int64_t blanks;
    int64_t holes;
    int64_t hole_ns;
    int64_t timed;    /* samples with a time; the next two are 0 without one */
    int64_t first_ns; /* Unix time */
    int64_t last_ns;
    ws_trace_metric_summary *metrics; /* in the order in which they appear */
    size_t metric_count;
} ws_trace_series_summary;

/** Sums a set up. False when memory is exhausted. */
WS_NODISCARD bool ws_trace_series_summarise(ws_trace_series_summary *summary,
                                            const ws_trace_series_set *set, ws_arena *arena);

#endif
