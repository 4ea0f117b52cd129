/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of what may be found in recorded series. */
#include <assert.h>

#include "ws/trace_series.h"

static const ws_trace_finding_row finding_rows[] = {
    [WS_SERIES_HISTOGRAM] = {.name = "histogram",
                             .kind = WS_TRACE_LEFT_OUT,
                             .severity = WS_SEVERITY_NOTE,
                             .code = 6175,
                             .text = "are native histograms and are left out",
                             .text_one = "is a native histogram and is left out",
                             .help = "ask for a number: `histogram_quantile(0.99, ...)`"},
    [WS_SERIES_REPEATED] =
        {.name = "repeated",
         .kind = WS_TRACE_LEFT_OUT,
         .severity = WS_SEVERITY_WARNING,
         .code = 6176,
         .text = "have the time of an earlier sample of their series and are left out",
         .text_one = "has the time of an earlier sample of its series and is left out"},
    [WS_SERIES_BAD_LINE] = {.name = "bad_line",
                            .kind = WS_TRACE_REJECTED,
                            .severity = WS_SEVERITY_WARNING,
                            .code = 6170,
                            .text = "are not written as a sample: name{label=\"value\"} value time",
                            .text_one =
                                "is not written as a sample: name{label=\"value\"} value time"},
    [WS_SERIES_BAD_TIME] = {.name = "bad_time",
                            .kind = WS_TRACE_REJECTED,
                            .severity = WS_SEVERITY_WARNING,
                            .code = 6171,
                            .text = "have no usable time",
                            .text_one = "has no usable time"},
    [WS_SERIES_BAD_VALUE] = {.name = "bad_value",
                             .kind = WS_TRACE_REJECTED,
                             .severity = WS_SEVERITY_WARNING,
                             .code = 6172,
                             .text = "have a value that is no number",
                             .text_one = "has a value that is no number"},
    [WS_SERIES_INFINITE] = {.name = "infinite",
                            .kind = WS_TRACE_REJECTED,
                            .severity = WS_SEVERITY_WARNING,
                            .code = 6174,
                            .text = "have an infinite value",
                            .text_one = "has an infinite value",
                            .help = "a division by 0 in the query gives it"},
    [WS_SERIES_BLANK] = {.name = "blank",
                         .kind = WS_TRACE_LEFT_OUT,
                         .severity = WS_SEVERITY_NOTE,
                         .code = 6173,
                         .text = "are blank (NaN, or a number by which DCGM says that it has none) "
                                 "and are left out",
                         .text_one = "is blank (NaN, or a number by which DCGM says that it has "
                                     "none) and is left out"},
    [WS_SERIES_NO_TIME] = {.name = "no_time",
                           .kind = WS_TRACE_NOTED,
                           .severity = WS_SEVERITY_NOTE,
                           .code = 6178,
                           .text = "have no time and tell of one moment only",
                           .text_one = "has no time and tells of one moment only"},
    [WS_SERIES_UNSORTED] = {.name = "unsorted",
                            .kind = WS_TRACE_NOTED,
                            .text = "are earlier than the one before them",
                            .text_one = "is earlier than the one before it"},
    [WS_SERIES_OVER_SCALE] = {.name = "over_scale",
                              .kind = WS_TRACE_NOTED,
                              .severity = WS_SEVERITY_WARNING,
                              .code = 6179,
                              .text = "lie outside of the scale of their metric and are kept",
                              .text_one = "lies outside of the scale of its metric and is kept"},
};

static_assert(WS_COUNT_OF(finding_rows) == WS_SERIES_FINDING_COUNT, "one row for each finding");

const ws_trace_finding_row *ws_trace_series_finding_at(ws_trace_series_finding finding)
{
    WS_ASSERT(finding < WS_SERIES_FINDING_COUNT);

    return &finding_rows[finding];
}
