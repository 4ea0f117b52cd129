/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What was found while reading, counted by kind and told once for each: a file with a million bad
 * rows gives one diagnostic, at the first of them.
 */
#include "found.h"
#include "reading.h"

bool ws_trace_report_count(ws_trace_report *report, ws_trace_finding finding, int64_t line)
{
    WS_ASSERT(report != NULL);
    WS_ASSERT(finding < WS_TRACE_FINDING_COUNT);

    return ws_trace_count_add(&report->found[finding], line);
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

void ws_trace_report_tell(const ws_trace_report *report, bool strict, ws_diag *diag)
{
    WS_ASSERT(report != NULL);
    WS_ASSERT(diag != NULL);

    const ws_trace_told told = {.unit = "rows", .total = report->rows_read, .strict = strict};

    for (size_t i = 0; i < WS_TRACE_FINDING_COUNT; i++) {
        ws_trace_count_tell(&report->found[i], ws_trace_finding_at((ws_trace_finding)i), &told,
                            diag);
    }
}
