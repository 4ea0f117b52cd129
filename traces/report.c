/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What was found while reading, counted by kind and told once for each: a file with a million bad
 * rows gives one diagnostic, at the first of them.
 */
#include <assert.h>
#include <inttypes.h>

#include "reading.h"
#include "ws/number.h"

/* One row for each finding, in the order of the enumeration. */
static const ws_trace_finding_row report_findings[] = {
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
                              .text_one = "has an unknown outcome",
                              .help = "one of `completed`, `cancelled`, `failed`, `timeout`, "
                                      "`node_fail`, `preempted`, `running`, `pending`, or empty"},
    [WS_TRACE_BAD_ATTEMPTS] = {.name = "bad_attempts",
                               .kind = WS_TRACE_REJECTED,
                               .severity = WS_SEVERITY_WARNING,
                               .code = 6119,
                               .text = "have attempts that do not fit together",
                               .text_one = "has attempts that do not fit together",
                               .help = "START..END:OUTCOME in seconds, in order, joined by `;`"},
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

static_assert(WS_COUNT_OF(report_findings) == WS_TRACE_FINDING_COUNT, "one row for each finding");

const ws_trace_finding_row *ws_trace_finding_at(ws_trace_finding finding)
{
    WS_ASSERT(finding < WS_TRACE_FINDING_COUNT);

    return &report_findings[finding];
}

bool ws_trace_report_count(ws_trace_report *report, ws_trace_finding finding, int64_t line)
{
    ws_trace_count *found = NULL;

    WS_ASSERT(report != NULL);
    WS_ASSERT(finding < WS_TRACE_FINDING_COUNT);

    found = &report->found[finding];
    if (found->count < WS_TRACE_FIRST_LINES) {
        found->lines[found->count] = line;
    }
    found->count++;
    return found->count == 1;
}

int64_t ws_trace_report_rejected(const ws_trace_report *report)
{
    int64_t rejected = 0;

    WS_ASSERT(report != NULL);
    for (size_t i = 0; i < WS_TRACE_FINDING_COUNT; i++) {
        rejected += report_findings[i].kind == WS_TRACE_REJECTED ? report->found[i].count : 0;
    }
    return rejected;
}

#define REPORT_NUMBER_BYTES 40

/* Digits in groups of three, as people read counts: 118,204. Returns `out`. */
static const char *report_print_grouped(int64_t value, char out[REPORT_NUMBER_BYTES])
{
    char digits[WS_NUMBER_TEXT_BYTES];
    size_t length = ws_print_i64(value, digits);
    size_t to = 0;

    WS_ASSERT(value >= 0);
    for (size_t i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0) {
            out[to++] = ',';
        }
        out[to++] = digits[i];
    }
    out[to] = '\0';
    return out;
}

/* "lines 12, 40, 77 and 9 more"; empty for a single row, which the place already names. */
static ws_text report_lines(const ws_trace_count *found, ws_arena *arena)
{
    const int64_t *lines = found->lines;

    if (found->count < 2 || lines[0] == 0) {
        return (ws_text){.start = NULL};
    }
    if (found->count == 2) {
        return ws_arena_format(arena, "lines %" PRId64 " and %" PRId64, lines[0], lines[1]);
    }
    if (found->count == 3) {
        return ws_arena_format(arena, "lines %" PRId64 ", %" PRId64 " and %" PRId64, lines[0],
                               lines[1], lines[2]);
    }
    return ws_arena_format(arena,
                           "lines %" PRId64 ", %" PRId64 ", %" PRId64 " and %" PRId64 " more",
                           lines[0], lines[1], lines[2], found->count - WS_TRACE_FIRST_LINES);
}

static void report_tell_one(const ws_trace_report *report, ws_trace_finding finding, bool strict,
                            ws_diag *diag)
{
    const ws_trace_finding_row *row = &report_findings[finding];
    const ws_trace_count *found = &report->found[finding];
    bool is_error = strict && row->kind == WS_TRACE_REJECTED;
    char count[REPORT_NUMBER_BYTES];
    char rows[REPORT_NUMBER_BYTES];
    ws_diagnostic diagnostic = {
        .severity = is_error ? WS_SEVERITY_ERROR : row->severity,
        .code = row->code,
        .at = found->first,
        .label = found->label,
        .help = ws_text_of(row->help),
    };

    diagnostic.message =
        ws_arena_format(diag->arena, "%s of %s rows %s", report_print_grouped(found->count, count),
                        report_print_grouped(report->rows_read, rows),
                        found->count == 1 ? row->text_one : row->text);
    diagnostic.notes[0] = report_lines(found, diag->arena);
    ws_diag_add(diag, &diagnostic);
}

void ws_trace_report_tell(const ws_trace_report *report, bool strict, ws_diag *diag)
{
    WS_ASSERT(report != NULL);
    WS_ASSERT(diag != NULL);

    for (size_t i = 0; i < WS_TRACE_FINDING_COUNT; i++) {
        if (report->found[i].count > 0 && report_findings[i].code != 0) {
            report_tell_one(report, (ws_trace_finding)i, strict, diag);
        }
    }
}
