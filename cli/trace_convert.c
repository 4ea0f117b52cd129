/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A trace in another form, for other programs. */
#include "output.h"
#include "status.h"
#include "trace_make.h"

static int trace_convert_main(const ws_invocation *invocation)
{
    int32_t form = ws_settings_choice(invocation->settings->form, -1);
    ws_trace_make make = {.command = "trace convert"};

    if (form < 0) {
        ws_output_error("worldsize trace convert: missing `--to FORM`\n"
                        "`worldsize trace convert --help` lists the forms\n");
        return WS_STATUS_NOT_STARTED;
    }
    make.form = ws_trace_export_at((size_t)form);
    return ws_trace_make_run(&make, invocation);
}

static void trace_convert_write_forms(ws_writer *out)
{
    ws_write_string(out, "\nForms:\n");
    for (size_t i = 0; i < ws_trace_export_count(); i++) {
        const ws_trace_export *form = ws_trace_export_at(i);
        ws_write_format(out, "  %-10s %s\n", form->name, form->summary);
    }
}

const ws_command ws_command_trace_convert = {
    .name = "trace convert",
    .bit = WS_FOR_TRACE_CONVERT,
    .operands = "FILE",
    .operands_min = 1,
    .operands_max = 1,
    .summary = "a trace in another form: worldsize, swf, batsim",
    .about =
        "Reads a trace of any format and writes it in another one. Says what of it that one has\n"
        "no place for.\n",
    .examples = "  worldsize trace convert jobs.csv --to swf -o jobs.swf\n"
                "  worldsize trace convert jobs.csv --to batsim -o workload.json\n",
    .write_more = trace_convert_write_forms,
    .main = trace_convert_main,
};
