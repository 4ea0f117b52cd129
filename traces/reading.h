/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * What a reader of a trace format is given, and how it hands over jobs and findings.
 */
#ifndef WS_TRACES_READING_H
#define WS_TRACES_READING_H

#include "ws/trace.h"

struct ws_trace_reading {
    const ws_file_name *file;
    const ws_trace_options *options;
    ws_trace_sink sink;
    ws_trace_about about; /* the reader sets it before it returns */
    ws_trace_report *report;
    ws_arena *arena; /* ends with the reading */
    ws_diag *diag;
    int64_t jobs_taken;
    int64_t last_arrival_ns;
};

/**
 * Hands a job to the sink and counts it; notes a row that is earlier than the one before.
 *
 * @param line  of the file, for the report
 * @return      false when the sink stopped or the file has more than WS_TRACE_JOBS_MAX jobs: the
 * reader returns false at once
 */
WS_NODISCARD bool ws_trace_reading_take(ws_trace_reading *reading, const ws_trace_job *job,
                                        int64_t line);

/**
 * Moves all times of a job by `by_ns`.
 *
 * @param attempts  the job's own attempts, moved in place; NULL when it has none
 */
void ws_trace_job_shift(ws_trace_job *job, ws_trace_attempt *attempts, int64_t by_ns);

/** True when a text stands somewhere in the head of a file. For sniffing. */
bool ws_trace_head_holds(ws_text head, const char *needle);

/**
 * The first lines of a file, joined by LF, some KiB at most, in the diagnostics' arena; the last
 * one may be cut. For sniffing. False with an error: the file cannot be read (WS6001..6004), or is
 * empty (WS6100).
 */
WS_NODISCARD bool ws_trace_read_head(ws_text *text, const ws_file_name *file, ws_diag *diag);

/** A row that is not among the jobs, for the list of those. */
typedef struct {
    ws_text file; /* as shown */
    int64_t line;
    ws_trace_finding finding;
    ws_text detail; /* may be empty */
    ws_text row;    /* as in the file, or what names it */
} ws_trace_rejected;

/** True when rows of this finding go to the options' list of rejected rows. */
bool ws_trace_reading_lists(const ws_trace_reading *reading, ws_trace_finding finding);

/** Writes one into it. */
void ws_trace_reading_list(ws_trace_reading *reading, const ws_trace_rejected *rejected);

/** Counts a finding. True when it is the first of its kind: then its place and label are still to
 * be set in the report. */
bool ws_trace_report_count(ws_trace_report *report, ws_trace_finding finding, int64_t line);

/** Adds the counts of one file to those of several. */
void ws_trace_report_add(ws_trace_report *total, const ws_trace_report *part);

/** Reads a file with the format of its options, without telling the findings. `reading->arena` is
 * set here. */
WS_NODISCARD bool ws_trace_read_untold(ws_trace_reading *reading);

/** Tells what was found in a file that was read (or not). False when it was not, or when what was
 * found is an error. */
WS_NODISCARD bool ws_trace_read_tell(const ws_file_name *file, const ws_trace_report *found,
                                     const ws_trace_options *options, bool is_read, ws_diag *diag);

/** One diagnostic for each finding with a code, at its first row, with its count. */
void ws_trace_report_tell(const ws_trace_report *report, bool strict, ws_diag *diag);

#endif
