/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is in a recording of any format. */
#include "output.h"
#include "status.h"
#include "trace_answer.h"
#include "trace_chart.h"
#include "trace_flags.h"
#include "trace_rejects.h"
#include "trace_request.h"

#define TRACE_INFO_BYTES ((size_t)1 << 36)

typedef struct {
    ws_trace_request request;
    ws_trace_options options;
    ws_trace_summary summary;
    ws_trace_report report;
    ws_trace_rejects rejects;
} trace_info;

static bool trace_info_choose(ws_trace_request *request)
{
    int32_t choice = ws_settings_choice(request->invocation->settings->format, -1);

    if (choice < 0) {
        return ws_trace_format_sniff(&request->format, &request->file, &request->diag);
    }
    request->format = ws_trace_format_at((size_t)choice);
    return true;
}

static bool trace_info_read_jobs(trace_info *task)
{
    ws_trace_request *request = &task->request;
    ws_text written = WS_TEXT("");

    task->options.type = request->format.jobs;
    return ws_trace_summarise(&task->summary, &request->file, &task->options, &task->report,
                              &request->arena, &request->diag) &&
           ws_trace_rejects_write(&task->rejects, ws_trace_report_rejected(&task->report), &written,
                                  request->invocation->arena, &request->diag) &&
           ws_trace_chart_write(&task->summary, request->file.shown, request->invocation,
                                &request->arena, &request->diag);
}

static void trace_info_write_jobs(const ws_trace_request *request, const void *context,
                                  ws_writer *out)
{
    const trace_info *task = context;
    ws_trace_answer answer = {.file = request->file.shown,
                              .type = request->format.jobs,
                              .summary = &task->summary,
                              .report = &task->report,
                              .diag = &request->diag,
                              .terminal = request->invocation->terminal};

    if (request->invocation->settings->json) {
        ws_trace_answer_write_json(&answer, out);
    } else {
        ws_trace_answer_write_text(&answer, out, request->invocation->arena);
    }
}

int ws_trace_request_answer(ws_trace_request *request, const void *context,
                            void (*write)(const ws_trace_request *request, const void *context,
                                          ws_writer *out))
{
    const ws_invocation *invocation = request->invocation;
    ws_writer out;

    ws_diag_sort(&request->diag);
    ws_output_begin(&out);
    if (!invocation->settings->json) {
        ws_output_diagnostics(&request->diag, 0, invocation->terminal, invocation->settings->quiet,
                              invocation->arena);
    }
    write(request, context, &out);
    return ws_output_finish(&out, WS_STATUS_YES);
}

int ws_trace_request_refuse(ws_trace_request *request)
{
    const ws_invocation *invocation = request->invocation;

    ws_diag_sort(&request->diag);
    ws_output_diagnostics(&request->diag, 0, invocation->terminal, invocation->settings->quiet,
                          invocation->arena);
    return WS_STATUS_NOT_STARTED;
}

/* Of jobs, and the list of those that are none. */
static int trace_info_run_jobs(trace_info *task)
{
    ws_trace_request *request = &task->request;
    const char *rejects = request->invocation->settings->rejects;
    bool is_read = ws_trace_rejects_init(&task->rejects, rejects, false, request->invocation,
                                         &task->options, &request->diag) &&
                   trace_info_read_jobs(task);

    ws_trace_rejects_fini(&task->rejects);
    return is_read ? ws_trace_request_answer(request, task, trace_info_write_jobs)
                   : ws_trace_request_refuse(request);
}

static int trace_info_run(trace_info *task)
{
    ws_trace_request *request = &task->request;

    if (!trace_info_choose(request)) {
        return ws_trace_request_refuse(request);
    }
    if (request->invocation->settings->chart != NULL && request->format.jobs == NULL) {
        ws_output_error(
            "worldsize trace info: `--chart` draws traces of jobs, which this is not\n");
        return WS_STATUS_NOT_STARTED;
    }
    if (request->format.series != NULL) {
        return ws_trace_series_info(request);
    }
    if (request->format.outages != NULL) {
        return ws_trace_outage_info(request);
    }
    if (request->format.steps != NULL) {
        return ws_trace_steps_info(request);
    }
    if (request->format.is_pods) {
        return ws_trace_pods_info(request);
    }
    return trace_info_run_jobs(task);
}

static int trace_info_main(const ws_invocation *invocation)
{
    WS_ASSERT(invocation->settings->operands.count == 1);

    trace_info *task = ws_arena_alloc(invocation->arena, trace_info, 1);

    if (task == NULL) {
        ws_output_error("worldsize: out of memory\n");
        return WS_STATUS_FAILED;
    }
    ws_trace_request *request = &task->request;

    request->invocation = invocation;
    request->file = ws_trace_flags_file(invocation->settings->operands.items[0], invocation->arena);
    ws_diag_init(&request->diag, invocation->arena);
    if (!ws_trace_flags_options(&task->options, invocation, "trace info") ||
        !ws_trace_chart_is_possible(invocation, "trace info")) {
        return WS_STATUS_NOT_STARTED;
    }
    ws_arena_init(&request->arena, &ws_allocator_default, TRACE_INFO_BYTES);
    int status = trace_info_run(task);

    ws_arena_reset(&request->arena);
    return status;
}

static void trace_info_write_formats(ws_writer *out)
{
    ws_write_string(out, "\nFormats:\n");
    for (size_t i = 0; ws_trace_format_names[i] != NULL; i++) {
        ws_trace_format format = ws_trace_format_at(i);
        ws_write_format(out, "  %-16s %s\n", ws_trace_format_name(&format),
                        ws_trace_format_summary(&format));
    }
}

const ws_command ws_command_trace_info = {
    .name = "trace info",
    .bit = WS_FOR_TRACE_INFO,
    .operands = "FILE",
    .operands_min = 1,
    .operands_max = 1,
    .summary = "what is in a recorded trace: jobs, sizes, run times, load",
    .about = "Reads a recording of any format and says what is in it. Of jobs: which rows became "
             "jobs and which did\n"
             "not, sizes, run times, waits, arrivals by hour and weekday, outcomes, and how many "
             "GPUs ran at a time.\n"
             "Of series of a monitoring system: metrics and their units, steps, holes, how values "
             "are spread.\n"
             "Of outages of nodes: faults or reclaims, time between and to mend, nodes over "
             "time.\n"
             "Of logs of training: time of a step, throughput, restarts and lost steps, pauses.\n"
             "Of pods and events of Kubernetes: the phases of cold starts, restarts, why.\n",
    .examples = "  worldsize trace info jobs.csv\n"
                "  worldsize trace info jobs.csv --chart jobs.svg\n"
                "  worldsize trace info --format philly-csv --json jobs.csv.gz | jq .duration_s\n",
    .write_more = trace_info_write_formats,
    .main = trace_info_main,
};
