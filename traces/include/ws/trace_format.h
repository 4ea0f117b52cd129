/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Every format of a recording, whatever its record: jobs, series of samples, outages of nodes,
 * training steps. */
#ifndef WS_TRACE_FORMAT_H
#define WS_TRACE_FORMAT_H

#include "ws/trace.h"
#include "ws/trace_outage.h"
#include "ws/trace_pods.h"
#include "ws/trace_series.h"
#include "ws/trace_steps.h"

/** One format; the member of its record is set, the others are NULL. */
typedef struct {
    const ws_trace_type *jobs;
    const ws_trace_series_type *series;
    const ws_trace_outage_type *outages;
    const ws_trace_steps_type *steps;
    bool is_pods; /* of pods and events, whose format is the one of its kind */
} ws_trace_format;

/** Names of all formats, those of jobs first, NULL-terminated: for choices and near names. */
extern const char *const ws_trace_format_names[];

/** The format at a place of that list, and its name and summary. */
ws_trace_format ws_trace_format_at(size_t index);
const char *ws_trace_format_name(const ws_trace_format *format);
const char *ws_trace_format_summary(const ws_trace_format *format);

/** The one format that a file's first lines look like. False with an error, as ws_trace_sniff(). */
WS_NODISCARD bool ws_trace_format_sniff(ws_trace_format *format, const ws_file_name *file,
                                        ws_diag *diag);

#endif
