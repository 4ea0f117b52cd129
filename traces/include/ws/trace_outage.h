/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Recorded outages: when which node was not there.
 *
 * Two kinds of source have one record. A log of faults tells when nodes that are there from the
 * start fail and are mended; a log of availability tells when nodes of a spot market come and go.
 * Either way a node is there or not, and how many are there is a series of steps. Faults of a node
 * that overlap are one outage, their union. A fault that lasts no time (the source's clock is
 * coarse) is an outage of no length: it stops a job nevertheless.
 */
#ifndef WS_TRACE_OUTAGE_H
#define WS_TRACE_OUTAGE_H

#include "ws/trace.h"
#include "ws/trace_summary.h"

#define WS_TRACE_EVENTS_MAX INT64_C(100000000)

/* ---- the record ---- */

/** A node was not there. */
typedef struct {
    size_t node;     /* of the record's nodes */
    int64_t down_ns; /* since the source's zero, >= 0 */
    int64_t up_ns;   /* >= down_ns; the end of the recording when `is_open` */
    int32_t faults;  /* that it unites, >= 1; 1 of a node that went */
    bool is_open;    /* it had not ended when the recording did */
} ws_trace_outage;

/** How many nodes are there from a moment on. */
typedef struct {
    int64_t at_ns;
    int64_t nodes;
} ws_trace_capacity_step;

/** Faults of a class. */
typedef struct {
    ws_text name;
    int64_t faults;
} ws_trace_fault_class;

typedef struct {
    bool starts_empty; /* a log of availability: no node is there before its first event */
    ws_text *nodes;    /* names, in the order in which they appear */
    size_t node_count;
    int64_t *came_ns; /* of each node, when it was there first; 0 in a log of faults */
    /** By down_ns, then in the order of the file. Of a log of availability those that follow the
     * removal of a node; that it is not there before it comes is none. */
    ws_trace_outage *outages;
    size_t count;
    /** By time, strictly; the first at the begin of the recording. */
    ws_trace_capacity_step *steps;
    size_t step_count;
    ws_trace_fault_class *classes; /* most faults first; none where the source tells no class */
    size_t class_count;
    int64_t faults;    /* starts of faults, or removals of nodes */
    int64_t additions; /* nodes that came; 0 of a log of faults */
    int64_t begin_ns;  /* of the recording: 0 of a log of faults, else the first event */
    int64_t end_ns;    /* the last event */
} ws_trace_outages;

/* ---- what was found ---- */

typedef enum {
    WS_OUTAGE_BAD_EVENT,   /* rejected: neither a begin nor an end, or of no node */
    WS_OUTAGE_BAD_TIME,    /* rejected */
    WS_OUTAGE_NO_BEGIN,    /* rejected: ends what has not begun */
    WS_OUTAGE_THERE_TWICE, /* rejected: adds a node that is there */
    WS_OUTAGE_UNSORTED,    /* kept */
    WS_OUTAGE_OVERLAP,     /* kept: begins while another fault of its node is open */
    WS_OUTAGE_NO_LENGTH,   /* kept: ends when it begins */
    WS_OUTAGE_OPEN,        /* kept: has no end */
    WS_OUTAGE_FINDING_COUNT
} ws_trace_outage_finding;

const ws_trace_finding_row *ws_trace_outage_finding_at(ws_trace_outage_finding finding);

typedef struct {
    int64_t events_read; /* kept + rejected */
    int64_t events_kept;
    ws_trace_count found[WS_OUTAGE_FINDING_COUNT];
} ws_trace_outage_report;

/* ---- formats ---- */

typedef struct ws_trace_outage_type ws_trace_outage_type;
typedef struct ws_trace_outage_reading ws_trace_outage_reading; /* traces/outage_reading.h */

typedef struct {
    const ws_trace_outage_type *type; /* NULL: found by content */
    bool strict;                      /* an event that cannot be used is an error */
    ws_input_limits limits;
} ws_trace_outage_options;

/** A format. Every function may be called from any thread; a type holds no state. */
struct ws_trace_outage_type {
    const char *name;
    const char *summary; /* one line */
    bool starts_empty;   /* as of the record */
    bool (*sniff)(ws_text head);
    bool (*read)(ws_trace_outage_reading *reading);
};

size_t ws_trace_outage_type_count(void);
const ws_trace_outage_type *ws_trace_outage_type_at(size_t index);

/** NULL when there is no such format, or none looks like that. */
const ws_trace_outage_type *ws_trace_outage_type_find(ws_text name);
const ws_trace_outage_type *ws_trace_outage_sniff_head(ws_text head);

/**
 * Reads a file into memory.
 *
 * @param outages  untouched on false
 * @param report   zeroed by the caller
 * @param arena    holds the record
 * @return         false with an error: an unreadable file, an unknown format (WS6107), too many
 * events (WS9020), any rejected event when strict
 */
WS_NODISCARD bool ws_trace_outages_load(ws_trace_outages *outages, const ws_file_name *file,
                                        const ws_trace_outage_options *options,
                                        ws_trace_outage_report *report, ws_arena *arena,
                                        ws_diag *diag);

/* ---- in numbers ---- */

/** NAN where there is nothing to divide by. Over the recording, and the nodes that it names. */
typedef struct {
    int64_t open;
    int64_t no_length;
    double down_s;       /* of all nodes together */
    double mtbf_s;       /* time in which a node was there, over outages */
    double mttr_s;       /* mean length of the outages that ended */
    double availability; /* share of the nodes' time in which they were there; NAN of a log of
                            availability */
    double nodes_mean;   /* over time */
    int64_t nodes_min;   /* at any time; the next one too */
    int64_t nodes_max;
    ws_trace_spread down; /* length of the outages that ended, s */
} ws_trace_outage_summary;

/** Sums a record up. False when memory is exhausted. */
WS_NODISCARD bool ws_trace_outages_summarise(ws_trace_outage_summary *summary,
                                             const ws_trace_outages *outages, ws_arena *arena);

#endif
