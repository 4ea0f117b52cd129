/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What was found while reading, counted by kind and told once for each: a file with a million bad
 * rows gives one diagnostic, at the first of them.
 */
#include <inttypes.h>

#include "reading.h"
#include "ws/number.h"

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
        rejected += ws_trace_finding_at((ws_trace_finding)i)->kind == WS_TRACE_REJECTED
                        ? report->found[i].count
                        : 0;
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
    const ws_trace_finding_row *row = ws_trace_finding_at(finding);
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
        if (report->found[i].count > 0 && ws_trace_finding_at((ws_trace_finding)i)->code != 0) {
            report_tell_one(report, (ws_trace_finding)i, strict, diag);
        }
    }
}
