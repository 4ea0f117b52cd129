/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is in a trace of any format. */
#include "command.h"
#include "output.h"
#include "status.h"
#include "trace_answer.h"

#define TRACE_INFO_BYTES ((size_t)1 << 36)

typedef struct {
    const ws_invocation *invocation;
    ws_arena arena; /* of the summary */
    ws_file_name file;
    ws_trace_options options;
    ws_trace_summary summary;
    ws_trace_report report;
    ws_diag diag;
} trace_info;

static bool trace_info_read(trace_info *task)
{
    const ws_settings *settings = task->invocation->settings;
    int32_t format = ws_settings_choice(settings->format, -1);

    task->options = (ws_trace_options){
        .strict = settings->strict,
        .ceil_gpus = settings->ceil_gpus,
        .time_unit = (ws_trace_time_unit)ws_settings_choice(settings->time_unit, WS_TRACE_UNIT_S),
    };
    task->options.type =
        format >= 0 ? ws_trace_type_at((size_t)format) : ws_trace_sniff(&task->file, &task->diag);
    bool is_read = task->options.type != NULL &&
                   ws_trace_summarise(&task->summary, &task->file, &task->options, &task->report,
                                      &task->arena, &task->diag);
    ws_diag_sort(&task->diag);
    return is_read;
}

static int trace_info_answer(trace_info *task)
{
    const ws_settings *settings = task->invocation->settings;
    ws_arena *arena = task->invocation->arena;
    ws_trace_answer answer = {.file = task->file.shown,
                              .type = task->options.type,
                              .summary = &task->summary,
                              .report = &task->report,
                              .diag = &task->diag,
                              .terminal = task->invocation->terminal};
    ws_writer out;

    ws_output_begin(&out);
    if (settings->json) {
        ws_trace_answer_write_json(&answer, &out);
    } else {
        ws_output_diagnostics(&task->diag, 0, answer.terminal, settings->quiet, arena);
        ws_trace_answer_write_text(&answer, &out, arena);
    }
    return ws_output_finish(&out, WS_STATUS_YES);
}

static int trace_info_main(const ws_invocation *invocation)
{
    WS_ASSERT(invocation->settings->operands.count == 1);

    const char *path = invocation->settings->operands.items[0];
    trace_info *task = ws_arena_alloc(invocation->arena, trace_info, 1);
    int status = WS_STATUS_NOT_STARTED;

    if (task == NULL) {
        ws_output_error("worldsize: out of memory\n");
        return WS_STATUS_FAILED;
    }
    task->invocation = invocation;
    task->file = (ws_file_name){.path = path,
                                .shown = ws_output_shown(ws_text_of(path), invocation->arena),
                                .at = ws_span_none};
    ws_arena_init(&task->arena, &ws_allocator_default, TRACE_INFO_BYTES);
    ws_diag_init(&task->diag, invocation->arena);
    if (trace_info_read(task)) {
        status = trace_info_answer(task);
    } else {
        ws_output_diagnostics(&task->diag, 0, invocation->terminal, invocation->settings->quiet,
                              invocation->arena);
    }
    ws_arena_reset(&task->arena);
    return status;
}

static void trace_info_write_formats(ws_writer *out)
{
    ws_write_string(out, "\nFormats:\n");
    for (size_t i = 0; i < ws_trace_type_count(); i++) {
        const ws_trace_type *type = ws_trace_type_at(i);
        ws_write_format(out, "  %-16s %s\n", type->name, type->summary);
    }
}

const ws_command ws_command_trace_info = {
    .name = "trace info",
    .bit = WS_FOR_TRACE_INFO,
    .operands = "FILE",
    .operands_min = 1,
    .operands_max = 1,
    .summary = "what is in a recorded trace: jobs, sizes, run times, load",
    .about = "Reads a trace of any format and says what is in it: which rows became jobs and which "
             "did not,\n"
             "sizes, run times, waits, arrivals by hour and weekday, outcomes, and how many GPUs "
             "ran at a time.\n",
    .examples = "  worldsize trace info jobs.csv\n"
                "  worldsize trace info --format philly-csv --json jobs.csv.gz | jq .duration_s\n",
    .write_more = trace_info_write_formats,
    .main = trace_info_main,
};
