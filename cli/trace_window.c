/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "trace_window.h"

#include "output.h"
#include "ws/parameter.h"
#include "ws/quantity.h"

/* A point in time as ns since the trace's origin. */
static bool trace_window_point(const char *flag, const char *given, const ws_trace *trace,
                               int64_t *at_ns, ws_diag *diag)
{
    ws_text text = ws_text_of(given);
    ws_text shown = ws_output_shown(text, diag->arena);
    ws_timestamp date = {.given = false};
    ws_quantity_fault fault;
    ws_quantity span;

    if (ws_timestamp_parse(text, &date)) {
        if (trace->clock == WS_TRACE_CLOCK_OWN) {
            return ws_diag_error(diag, 4201, ws_span_none,
                                 "`--%s %.*s` is a date, but the trace's clock has none: write a "
                                 "time since its origin, as 36h",
                                 flag, WS_TEXT_ARGS(shown));
        }
        *at_ns = ws_trace_ns_of_clock_s(trace, date.unix_s);
        return true;
    }
    if (!ws_quantity_parse(text, WS_QUANTITY_DURATION, ws_text_of(flag), &span, &fault,
                           diag->arena)) {
        return ws_diag_error(diag, 3106, ws_span_none,
                             "`--%s` is a date, as 2026-01-05T00:00:00Z, or a time since the "
                             "trace's origin, as 36h, not `%.*s`",
                             flag, WS_TEXT_ARGS(shown));
    }
    *at_ns = span.integer;
    return true;
}

bool ws_trace_window_of_flags(ws_trace_window *window, const ws_invocation *invocation,
                              const ws_trace *trace, ws_diag *diag)
{
    const ws_settings *settings = invocation->settings;

    *window = (ws_trace_window){.to_ns = INT64_MAX, .keep_remainders = settings->keep_remainders};
    if (settings->from != NULL &&
        !trace_window_point("from", settings->from, trace, &window->from_ns, diag)) {
        return false;
    }
    if (settings->to != NULL &&
        !trace_window_point("to", settings->to, trace, &window->to_ns, diag)) {
        return false;
    }
    return window->from_ns < window->to_ns ||
           ws_diag_error(diag, 4201, ws_span_none,
                         "`--to` is not after `--from`: nothing would be left");
}
