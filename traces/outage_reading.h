/* SPDX-License-Identifier: GPL-3.0-or-later */
/** What a reader of recorded outages is given, and how it hands over events and findings. */
#ifndef WS_TRACES_OUTAGE_READING_H
#define WS_TRACES_OUTAGE_READING_H

#include "names.h"
#include "pile.h"
#include "ws/trace_outage.h"

typedef struct {
    int64_t at_ns;
    int64_t line;
    size_t node;
    bool is_down;
} ws_outage_event;

struct ws_trace_outage_reading {
    const ws_file_name *file;
    const ws_trace_outage_options *options;
    ws_trace_outage_report *report;
    ws_arena *arena; /* of the record */
    ws_arena *scratch;
    ws_diag *diag;
    ws_trace_names nodes;
    ws_trace_names classes;
    ws_trace_pile class_of; /* size_t of each fault that tells one */
    ws_trace_pile events;   /* ws_outage_event, as they come */
    int64_t last_ns;
};

/** An event as the file has it. */
typedef struct {
    int64_t at_ns; /* WS_TRACE_UNKNOWN_NS: cannot be used */
    bool has_kind; /* it is a begin or an end */
    bool is_down;
    ws_text node;        /* empty: none */
    ws_text fault_class; /* empty: none */
    int64_t line;
    int64_t column;
    ws_text row; /* of a table; else empty */
} ws_outage_found;

/** Counts an event and keeps it, or counts why not. False when memory is exhausted (told). */
WS_NODISCARD bool ws_outage_reading_take(ws_trace_outage_reading *reading,
                                         const ws_outage_found *found);

/** Counts a finding about events that are sorted already. */
void ws_outage_reading_note(ws_trace_outage_reading *reading, ws_trace_outage_finding finding,
                            const ws_outage_event *event);

extern const ws_trace_outage_type ws_trace_bamboo;
extern const ws_trace_outage_type ws_trace_infinitehbd;

#endif
