/* SPDX-License-Identifier: GPL-3.0-or-later */
/** What `trace info` is asked, and how it answers, whatever the record. */
#ifndef WS_CLI_TRACE_REQUEST_H
#define WS_CLI_TRACE_REQUEST_H

#include "command.h"
#include "ws/trace_format.h"

typedef struct {
    const ws_invocation *invocation;
    ws_arena arena; /* of what is read */
    ws_file_name file;
    ws_trace_format format;
    ws_diag diag;
} ws_trace_request;

/** Prints what was said while reading, then the answer. The exit status. */
int ws_trace_request_answer(ws_trace_request *request, const void *context,
                            void (*write)(const ws_trace_request *request, const void *context,
                                          ws_writer *out));

/** Prints why there is no answer. The exit status. */
int ws_trace_request_refuse(ws_trace_request *request);

/** Reads series and answers. The exit status. */
int ws_trace_series_info(ws_trace_request *request);

/** Reads outages and answers. The exit status. */
int ws_trace_outage_info(ws_trace_request *request);

/** Reads training steps and answers. The exit status. */
int ws_trace_steps_info(ws_trace_request *request);

/** Reads pods and events and answers. The exit status. */
int ws_trace_pods_info(ws_trace_request *request);

#endif
