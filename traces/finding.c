/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of what may be found in a trace, and the list of rejected rows. */
#include <assert.h>
#include <stdio.h>

#include "reading.h"

/* One row for each finding, in the order of the enumeration. */
static const ws_trace_finding_row finding_rows[] = {
    [WS_TRACE_NO_GPU] = {.name = "no_gpu",
                         .kind = WS_TRACE_LEFT_OUT,
                         .severity = WS_SEVERITY_NOTE,
                         .code = 6122,
                         .text = "ask for no GPU and are left out",
                         .text_one = "asks for no GPU and is left out"},
    [WS_TRACE_NO_RUN] = {.name = "no_run",
                         .kind = WS_TRACE_LEFT_OUT,
                         .severity = WS_SEVERITY_NOTE,
                         .code = 6123,
                         .text = "never ran and are left out",
                         .text_one = "never ran and is left out"},
    [WS_TRACE_NO_KNOWN_RUN] = {.name = "no_known_run",
                               .kind = WS_TRACE_LEFT_OUT,
                               .severity = WS_SEVERITY_NOTE,
                               .code = 6132,
                               .text = "have no run with a known start and end and are left out",
                               .text_one = "has no run with a known start and end and is left out"},
    [WS_TRACE_STEP] = {.name = "step",
                       .kind = WS_TRACE_LEFT_OUT,
                       .severity = WS_SEVERITY_NOTE,
                       .code = 6133,
                       .text = "are steps of a job, not jobs, and are left out",
                       .text_one = "is a step of a job, not a job, and is left out"},
    [WS_TRACE_ORPHAN_ROW] =
        {.name = "orphan_row",
         .kind = WS_TRACE_LEFT_OUT,
         .severity = WS_SEVERITY_NOTE,
         .code = 6147,
         .text = "belong to jobs that the table of jobs does not hold and are left out",
         .text_one = "belongs to a job that the table of jobs does not hold and is left out"},
    [WS_TRACE_MERGED_ROW] = {.name = "merged_row",
                             .kind = WS_TRACE_LEFT_OUT,
                             .severity = WS_SEVERITY_NOTE,
                             .code = 6134,
                             .text =
                                 "tell more of the job of an earlier row and are merged into it",
                             .text_one =
                                 "tells more of the job of an earlier row and is merged into it"},
    [WS_TRACE_RAGGED] = {.name = "ragged",
                         .kind = WS_TRACE_REJECTED,
                         .severity = WS_SEVERITY_WARNING,
                         .code = 6110,
                         .text = "have another number of fields than the header",
                         .text_one = "has another number of fields than the header",
                         .help = "a field that holds a comma must be in double quotes"},
    [WS_TRACE_BAD_QUOTES] = {.name = "bad_quotes",
                             .kind = WS_TRACE_REJECTED,
                             .severity = WS_SEVERITY_WARNING,
                             .code = 6111,
                             .text = "have text behind a closing quote",
                             .text_one = "has text behind a closing quote",
                             .help =
                                 "write a double quote inside of quotes twice: `\"a \"\"b\"\"\"`"},
    [WS_TRACE_BAD_ID] = {.name = "bad_id",
                         .kind = WS_TRACE_REJECTED,
                         .severity = WS_SEVERITY_WARNING,
                         .code = 6112,
                         .text = "have no id",
                         .text_one = "has no id"},
    [WS_TRACE_BAD_TIME] = {.name = "bad_time",
                           .kind = WS_TRACE_REJECTED,
                           .severity = WS_SEVERITY_WARNING,
                           .code = 6113,
                           .text = "have no usable time of arrival",
                           .text_one = "has no usable time of arrival"},
    [WS_TRACE_BAD_DURATION] = {.name = "bad_duration",
                               .kind = WS_TRACE_REJECTED,
                               .severity = WS_SEVERITY_WARNING,
                               .code = 6114,
                               .text = "have no usable run time",
                               .text_one = "has no usable run time"},
    [WS_TRACE_ENDS_BEFORE_START] = {.name = "ends_before_start",
                                    .kind = WS_TRACE_REJECTED,
                                    .severity = WS_SEVERITY_WARNING,
                                    .code = 6104,
                                    .text = "end before they start",
                                    .text_one = "ends before it starts"},
    [WS_TRACE_BAD_GPUS] = {.name = "bad_gpus",
                           .kind = WS_TRACE_REJECTED,
                           .severity = WS_SEVERITY_WARNING,
                           .code = 6115,
                           .text = "have no usable number of GPUs",
                           .text_one = "has no usable number of GPUs"},
    [WS_TRACE_FRACTIONAL_GPUS] = {.name = "fractional_gpus",
                                  .kind = WS_TRACE_REJECTED,
                                  .severity = WS_SEVERITY_ERROR,
                                  .code = 6116,
                                  .text =
                                      "ask for a share of a GPU: fractional GPUs are not modelled",
                                  .text_one =
                                      "asks for a share of a GPU: fractional GPUs are not modelled",
                                  .help = "round shares up to whole GPUs with `ceil_gpus`"},
    [WS_TRACE_BAD_NODES] = {.name = "bad_nodes",
                            .kind = WS_TRACE_REJECTED,
                            .severity = WS_SEVERITY_WARNING,
                            .code = 6117,
                            .text = "have no usable number of nodes",
                            .text_one = "has no usable number of nodes"},
    [WS_TRACE_BAD_OUTCOME] = {.name = "bad_outcome",
                              .kind = WS_TRACE_REJECTED,
                              .severity = WS_SEVERITY_WARNING,
                              .code = 6118,
                              .text = "have an unknown outcome",
                              .text_one = "has an unknown outcome"},
    [WS_TRACE_BAD_ATTEMPTS] = {.name = "bad_attempts",
                               .kind = WS_TRACE_REJECTED,
                               .severity = WS_SEVERITY_WARNING,
                               .code = 6119,
                               .text = "have attempts that do not fit together",
                               .text_one = "has attempts that do not fit together"},
    [WS_TRACE_BAD_KIND] = {.name = "bad_kind",
                           .kind = WS_TRACE_REJECTED,
                           .severity = WS_SEVERITY_WARNING,
                           .code = 6126,
                           .text = "have no usable application",
                           .text_one = "has no usable application",
                           .help = "letters, digits, `-`, `_` and `.`, not a `.` first: it names a "
                                   "folder of profiles"},
    [WS_TRACE_BAD_BATCH] = {.name = "bad_batch",
                            .kind = WS_TRACE_REJECTED,
                            .severity = WS_SEVERITY_WARNING,
                            .code = 6127,
                            .text = "have no usable batch",
                            .text_one = "has no usable batch"},
    [WS_TRACE_NO_TASK] = {.name = "no_task",
                          .kind = WS_TRACE_REJECTED,
                          .severity = WS_SEVERITY_WARNING,
                          .code = 6135,
                          .text = "have no task in the table of tasks",
                          .text_one = "has no task in the table of tasks"},
    [WS_TRACE_NO_THROUGHPUT] = {.name = "no_throughput",
                                .kind = WS_TRACE_REJECTED,
                                .severity = WS_SEVERITY_WARNING,
                                .code = 6136,
                                .text =
                                    "have no throughput, so that nobody knows how long they run",
                                .text_one =
                                    "has no throughput, so that nobody knows how long it runs"},
    [WS_TRACE_DUPLICATE_ROW] = {.name = "duplicate_row",
                                .kind = WS_TRACE_NOTED,
                                .severity = WS_SEVERITY_NOTE,
                                .code = 6121,
                                .text = "repeat an earlier row and are kept: copies cannot be told "
                                        "from twins",
                                .text_one = "repeats an earlier row and is kept: a copy cannot be "
                                            "told from a twin"},
    [WS_TRACE_DUPLICATE_ID] = {.name = "duplicate_id",
                               .kind = WS_TRACE_NOTED,
                               .severity = WS_SEVERITY_WARNING,
                               .code = 6124,
                               .text = "repeat an id of an earlier row",
                               .text_one = "repeats an id of an earlier row"},
    [WS_TRACE_GPU_TIME_DIFFERS] = {.name = "gpu_time_differs",
                                   .kind = WS_TRACE_NOTED,
                                   .severity = WS_SEVERITY_WARNING,
                                   .code = 6108,
                                   .text = "have a GPU-time that is not duration x GPUs; the "
                                           "duration is used",
                                   .text_one = "has a GPU-time that is not duration x GPUs; the "
                                               "duration is used"},
    [WS_TRACE_CEILED_GPUS] = {.name = "ceiled_gpus",
                              .kind = WS_TRACE_NOTED,
                              .severity = WS_SEVERITY_NOTE,
                              .code = 6125,
                              .text = "ask for a share of a GPU, rounded up",
                              .text_one = "asks for a share of a GPU, rounded up"},
    [WS_TRACE_UNSORTED] = {.name = "unsorted",
                           .kind = WS_TRACE_NOTED,
                           .text = "arrive before the row above them",
                           .text_one = "arrives before the row above it"},
    [WS_TRACE_RUN_UNKNOWN] = {.name = "run_unknown",
                              .kind = WS_TRACE_NOTED,
                              .severity = WS_SEVERITY_NOTE,
                              .code = 6137,
                              .text =
                                  "have runs without a start or an end, which count for nothing",
                              .text_one =
                                  "has runs without a start or an end, which count for nothing"},
    [WS_TRACE_RUNS_CUT] = {.name = "runs_cut",
                           .kind = WS_TRACE_NOTED,
                           .severity = WS_SEVERITY_WARNING,
                           .code = 6138,
                           .text = "have runs that overlap, each cut to where the next begins",
                           .text_one = "has runs that overlap, each cut to where the next begins"},
    [WS_TRACE_EARLY_START] = {.name = "early_start",
                              .kind = WS_TRACE_NOTED,
                              .severity = WS_SEVERITY_WARNING,
                              .code = 6139,
                              .text =
                                  "start before they arrive and are taken to arrive at their start",
                              .text_one =
                                  "starts before it arrives and is taken to arrive at its start"},
    [WS_TRACE_DURATION_DIFFERS] =
        {.name = "duration_differs",
         .kind = WS_TRACE_NOTED,
         .severity = WS_SEVERITY_WARNING,
         .code = 6140,
         .text = "state a run time that is not end - start; the dates are used",
         .text_one = "states a run time that is not end - start; the dates are used"},
    [WS_TRACE_CLOCK_FOLD] = {.name = "clock_fold",
                             .kind = WS_TRACE_NOTED,
                             .severity = WS_SEVERITY_WARNING,
                             .code = 6141,
                             .text = "have a time in the hour that the end of summer time repeats; "
                                     "its first passing is taken",
                             .text_one = "has a time in the hour that the end of summer time "
                                         "repeats; its first passing is taken"},
    [WS_TRACE_CLOCK_CHANGED] = {.name = "clock_changed",
                                .kind = WS_TRACE_NOTED,
                                .severity = WS_SEVERITY_WARNING,
                                .code = 6146,
                                .text = "have dates that are an hour off their run time: the clock "
                                        "was changed, the run time is used",
                                .text_one = "has dates that are an hour off its run time: the "
                                            "clock was changed, the run time is used"},
    [WS_TRACE_CLOCK_GAP] = {.name = "clock_gap",
                            .kind = WS_TRACE_NOTED,
                            .severity = WS_SEVERITY_WARNING,
                            .code = 6142,
                            .text = "have a time in the hour that the begin of summer time skips",
                            .text_one =
                                "has a time in the hour that the begin of summer time skips"},
    [WS_TRACE_MIXED_OFFSETS] =
        {.name = "mixed_offsets",
         .kind = WS_TRACE_NOTED,
         .severity = WS_SEVERITY_WARNING,
         .code = 6143,
         .text = "have another offset from UTC than the first row; each is converted",
         .text_one = "has another offset from UTC than the first row; each is converted"},
    [WS_TRACE_GANG_STOPPED] =
        {.name = "gang_stopped",
         .kind = WS_TRACE_NOTED,
         .severity = WS_SEVERITY_NOTE,
         .code = 6144,
         .text = "hold instances that were stopped when another one of the job failed",
         .text_one = "holds instances that were stopped when another one of the job failed"},
    [WS_TRACE_BEFORE_WINDOW] = {.name = "before_window",
                                .kind = WS_TRACE_CUT,
                                .text = "ended before the window",
                                .text_one = "ended before the window"},
    [WS_TRACE_AFTER_WINDOW] = {.name = "after_window",
                               .kind = WS_TRACE_CUT,
                               .text = "arrive after the window",
                               .text_one = "arrives after the window"},
    [WS_TRACE_RUNNING_AT_START] = {.name = "running_at_start",
                                   .kind = WS_TRACE_CUT,
                                   .text =
                                       "arrived before the window, had not ended when it began, "
                                       "and are left out",
                                   .text_one = "arrived before the window, had not ended when it "
                                               "began, and is left out"},
    [WS_TRACE_REMAINDER] = {.name = "remainder",
                            .kind = WS_TRACE_NOTED,
                            .text =
                                "arrived before the window and are kept with the remaining work",
                            .text_one =
                                "arrived before the window and is kept with the remaining work"},
    [WS_TRACE_RUNS_PAST_WINDOW] = {.name = "runs_past_window",
                                   .kind = WS_TRACE_NOTED,
                                   .text = "run past the end of the window and are kept whole",
                                   .text_one = "runs past the end of the window and is kept whole"},
};

static_assert(WS_COUNT_OF(finding_rows) == WS_TRACE_FINDING_COUNT, "one row for each finding");

const ws_trace_finding_row *ws_trace_finding_at(ws_trace_finding finding)
{
    WS_ASSERT(finding < WS_TRACE_FINDING_COUNT);

    return &finding_rows[finding];
}

bool ws_trace_reading_lists(const ws_trace_reading *reading, ws_trace_finding finding)
{
    WS_ASSERT(reading != NULL);

    return reading->options->rejects != NULL &&
           ws_trace_finding_at(finding)->kind == WS_TRACE_REJECTED;
}

void ws_trace_rejects_begin(ws_writer *writer)
{
    static const char *const names[] = {"file", "line", "code", "reason", "detail", "row"};

    WS_ASSERT(writer != NULL);
    for (size_t i = 0; i < WS_COUNT_OF(names); i++) {
        ws_csv_text(writer, ws_text_of(names[i]));
    }
    ws_csv_end_row(writer);
}

void ws_trace_reading_list(ws_trace_reading *reading, const ws_trace_rejected *rejected)
{
    const ws_trace_finding_row *row = ws_trace_finding_at(rejected->finding);
    ws_writer *writer = reading->options->rejects;
    char code[16];

    WS_ASSERT(ws_trace_reading_lists(reading, rejected->finding));
    (void)snprintf(code, sizeof code, "WS%04d", row->code);
    ws_csv_text(writer, rejected->file);
    ws_csv_i64(writer, rejected->line);
    ws_csv_text(writer, ws_text_of(code));
    ws_csv_text(writer, ws_text_of(row->name));
    ws_csv_text(writer, rejected->detail);
    ws_csv_text(writer, rejected->row);
    ws_csv_end_row(writer);
}
