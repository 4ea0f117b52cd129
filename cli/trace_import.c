/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Traces of any format as one table of the program's own. */
#include "trace_make.h"

static int trace_import_main(const ws_invocation *invocation)
{
    ws_trace_make make = {.command = "trace import",
                          .form = ws_trace_export_find(WS_TEXT("worldsize")),
                          .lists_rejects = true};

    return ws_trace_make_run(&make, invocation);
}

const ws_command ws_command_trace_import = {
    .name = "trace import",
    .bit = WS_FOR_TRACE_IMPORT,
    .operands = "FILE...",
    .operands_min = 1,
    .operands_max = WS_SETTINGS_LIST_MAX,
    .summary = "recorded traces of any format as one worldsize table",
    .about =
        "Reads traces of any format and writes one table of jobs that holds all that was "
        "recorded:\n"
        "CSV whose columns have their units in their names, sorted by arrival. Says which rows "
        "were\n"
        "kept, merged, repaired and left out, and why; rows that cannot be used are listed in\n"
        "OUT.rejects. The traces are held in memory: about 400 bytes for each job.\n",
    .examples = "  worldsize trace import sacct.txt --format sacct -o jobs.csv\n"
                "  worldsize trace import pai_job_table.csv --with tasks=pai_task_table.csv \\\n"
                "      --ceil-gpus -o pai.csv\n",
    .main = trace_import_main,
};
