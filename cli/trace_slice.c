/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A window of a trace. */
#include "trace_make.h"

static int trace_slice_main(const ws_invocation *invocation)
{
    ws_trace_make make = {.command = "trace slice",
                          .form = ws_trace_export_find(WS_TEXT("worldsize")),
                          .has_window = true};

    return ws_trace_make_run(&make, invocation);
}

const ws_command ws_command_trace_slice = {
    .name = "trace slice",
    .bit = WS_FOR_TRACE_SLICE,
    .operands = "FILE",
    .operands_min = 1,
    .operands_max = 1,
    .summary = "a window of a trace, as a worldsize table",
    .about =
        "Writes the jobs that arrive in a window; time 0 moves to its beginning. What runs past\n"
        "its end is kept whole. Jobs that arrived earlier and still ran are left out and "
        "counted.\n",
    .examples =
        "  worldsize trace slice jobs.csv --from 2026-01-12 --to 2026-01-19 -o week.csv\n"
        "  worldsize trace slice jobs.csv --from 2d --to 3d --keep-remainders -o day3.csv\n",
    .main = trace_slice_main,
};
