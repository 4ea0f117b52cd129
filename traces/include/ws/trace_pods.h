/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Recorded pods: how long each phase of their cold start took, and what went wrong.
 *
 * Kubernetes tells of a pod twice: its object has when it was created, scheduled, started and
 * ready; its events have when images were pulled, how often it could not be scheduled, and why
 * containers ended. Either or both may be in a file; what is told of one pod is put together by its
 * uid. Of a pod its name and nine numbers are kept, less than 200 bytes.
 */
#ifndef WS_TRACE_PODS_H
#define WS_TRACE_PODS_H

#include "ws/trace.h"
#include "ws/trace_summary.h"

#define WS_TRACE_PODS_MAX 100000000

/* ---- what was found ---- */

typedef enum {
    WS_PODS_NO_NAME,   /* rejected: a pod or an event without a name, or of no pod */
    WS_PODS_BAD_TIME,  /* rejected: an event without a usable time, a pod that was never created */
    WS_PODS_OTHER,     /* left out: neither a pod nor an event, or an event of something else */
    WS_PODS_BACKWARDS, /* kept: a phase would end before it began, and is left out */
    WS_PODS_RESTARTED, /* kept: its first start is not told any more */
    WS_PODS_FINDING_COUNT
} ws_trace_pods_finding;

const ws_trace_finding_row *ws_trace_pods_finding_at(ws_trace_pods_finding finding);

typedef struct {
    int64_t objects_read; /* kept + left out + rejected */
    int64_t objects_kept;
    ws_trace_count found[WS_PODS_FINDING_COUNT];
} ws_trace_pods_report;

/* ---- in numbers ---- */

typedef enum {
    WS_POD_WAIT,  /* created to scheduled: the queue, and the node if one had to come */
    WS_POD_PULL,  /* of the image, where it was pulled */
    WS_POD_START, /* scheduled to the start of its containers, the pull included */
    WS_POD_READY, /* start to ready: loading, warming up, as far as a probe tells */
    WS_POD_TOTAL, /* created to ready */
    WS_POD_PHASE_COUNT
} ws_trace_pod_phase;

/** "wait", "pull", ...: for files and tables. */
const char *ws_trace_pod_phase_name(ws_trace_pod_phase phase);

typedef struct {
    ws_text name;  /* FailedScheduling, OOMKilled, Evicted, ... */
    int64_t count; /* of events with all their repetitions, of ends of containers, of pods */
} ws_trace_pod_reason;

typedef struct {
    int64_t pods;
    int64_t restarts; /* of containers */
    int64_t cached;   /* pods whose image was there already */
    int64_t failed_scheduling;
    ws_trace_spread phases[WS_POD_PHASE_COUNT]; /* s, over the pods of which both ends are told */
    ws_trace_pod_reason *reasons; /* most first; of equal ones the first in the file */
    size_t reason_count;
} ws_trace_pods_summary;

/* ---- reading ---- */

typedef struct {
    bool strict; /* an object that cannot be used is an error */
    ws_input_limits limits;
} ws_trace_pods_options;

/** True when the first lines of a file look like what kubectl prints, as YAML too. */
bool ws_trace_pods_sniff_head(ws_text head);

/** The name and the summary of the one format, `kubernetes`. */
extern const char ws_trace_pods_format_name[];
extern const char ws_trace_pods_format_summary[];

/**
 * Reads pods and events, as JSON: a list of any length (`kubectl get pods,events -o json`), or
 * objects one after the other (`--watch`, one object a line).
 *
 * Source: Kubernetes API reference, Pod v1 core, Event v1 core, Event v1 events.k8s.io.
 *
 * @param summary  untouched on false
 * @param report   zeroed by the caller
 * @param arena    holds the summary
 * @return         false with an error: an unreadable file, YAML (WS6434), too many pods (WS9020),
 * any rejected object when strict
 */
WS_NODISCARD bool ws_trace_pods_summarise(ws_trace_pods_summary *summary, const ws_file_name *file,
                                          const ws_trace_pods_options *options,
                                          ws_trace_pods_report *report, ws_arena *arena,
                                          ws_diag *diag);

#endif
