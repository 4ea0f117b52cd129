/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * An evaluation as files: summary.json, summary.csv, comparisons.csv, jobs.csv, timeline.csv,
 * extremes.csv, events.jsonl, resolved.yaml, run-info.json.
 *
 * jobs.csv, timeline.csv, extremes.csv and events.jsonl hold replication 0 of every arm, or all
 * with `outputs: {record: all}`. Everything but run-info.json is the same for equal inputs, seed
 * and version, whoever runs it where; so no path of this machine, time, thread or command line is
 * in it.
 */
#ifndef WS_REPORT_FILES_H
#define WS_REPORT_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ws/arena.h"
#include "ws/diag.h"
#include "ws/evaluate.h"
#include "ws/results.h"
#include "ws/writer.h"

#define WS_SUMMARY_SCHEMA "worldsize.summary/v1"
#define WS_RUN_INFO_SCHEMA "worldsize.run-info/v1"

/** What may differ between equal runs; the command line's business to find out. */
typedef struct {
    const char *const *command; /* argv */
    size_t command_count;
    const char *scenario_path;  /* as it was given */
    const char *working_folder; /* absolute */
    const char *host;
    const char *commit; /* that the program was built from, or "unknown" */
    const char *compiler;
    const char *date; /* of the start, RFC 3339 in UTC */
    int64_t threads;
    double wall_s;
    int64_t peak_memory_bytes;
} ws_run_info;

typedef struct {
    const char *version; /* of the program */
    const ws_diag *diag; /* whose warnings the summary repeats */
    const ws_run_info *info;
} ws_report_context;

/** The document summary.json. @param json  a fresh writer; the caller finishes it */
WS_NODISCARD bool ws_report_write_summary(const ws_evaluation *evaluation,
                                          const ws_report_context *context, ws_writer *json,
                                          ws_arena *arena);

/** The text of resolved.yaml: the scenario as it was run, the origin of each value in a comment.
 * NULL start: arena exhausted. */
ws_text ws_report_resolved(const ws_evaluation *evaluation, ws_arena *arena);

/**
 * Writes all the files into a results folder that has been begun; charts and the commit are left to
 * the caller.
 *
 * @return  false with a diagnostic; the folder is then to be abandoned
 */
WS_NODISCARD bool ws_report_write_files(const ws_evaluation *evaluation,
                                        const ws_report_context *context, ws_results *results,
                                        ws_arena *arena, ws_diag *diag);

/** Names of the files that are written, in their order; NULL past the last. */
const char *ws_report_file_name(size_t index);

#endif
