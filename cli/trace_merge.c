/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Several traces as one. */
#include "trace_make.h"

static int trace_merge_main(const ws_invocation *invocation)
{
    ws_trace_make make = {.command = "trace merge",
                          .form = ws_trace_export_find(WS_TEXT("worldsize"))};

    return ws_trace_make_run(&make, invocation);
}

const ws_command ws_command_trace_merge = {
    .name = "trace merge",
    .bit = WS_FOR_TRACE_MERGE,
    .operands = "FILE FILE...",
    .operands_min = 2,
    .operands_max = WS_SETTINGS_LIST_MAX,
    .summary = "several traces as one worldsize table",
    .about =
        "Puts traces together, sorted by arrival, and time 0 at the earliest origin. Their clocks\n"
        "must be of one kind, wall clocks of one zone; clocks without a date are laid zero on "
        "zero.\n"
        "An id that an earlier file has gets `#2`, `#3`, ... behind it.\n",
    .examples = "  worldsize trace merge earth.csv venus.csv -o both.csv\n",
    .main = trace_merge_main,
};
