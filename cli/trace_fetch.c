/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Series from a monitoring system into a file: the only command that opens a socket. */
#include <inttypes.h>
#include <time.h>
#include <unistd.h>

#include "diagnostics_json.h"
#include "file_out.h"
#include "output.h"
#include "status.h"
#include "trace_fetch_flags.h"
#include "trace_text.h"

#define FETCH_BYTES ((size_t)1 << 36)

typedef struct {
    const ws_invocation *invocation;
    ws_trace_fetch fetch;
    ws_trace_fetched fetched;
    ws_signals signals;
    int signal;    /* that came while it fetched; 0: none */
    ws_text shown; /* the file that is written */
    int64_t bytes;
    char sha256[WS_SHA256_TEXT_BYTES];
    ws_arena arena;
    ws_diag diag;
} trace_fetch;

/* ---- the answer ---- */

static void fetch_write_json(const trace_fetch *task, ws_writer *json)
{
    const ws_trace_series_report *report = &task->fetched.report;

    ws_json_begin_object(json, NULL);
    ws_json_text(json, "schema", WS_TEXT("worldsize.trace-fetch/v1"));
    ws_json_text(json, "file", task->shown);
    ws_json_text(json, "format", WS_TEXT("prometheus-json"));
    ws_json_i64(json, "bytes", task->bytes);
    ws_json_text(json, "sha256", ws_text_of(task->sha256));
    ws_json_text(json, "url", task->fetch.url);
    ws_json_text(json, "query", task->fetch.query);
    ws_json_f64(json, "start_s", (double)task->fetch.start_ns / 1e9);
    ws_json_f64(json, "end_s", (double)task->fetch.end_ns / 1e9);
    ws_json_f64(json, "step_s", (double)task->fetch.step_ns / 1e9);
    ws_json_i64(json, "answers", task->fetched.answers);
    ws_json_i64(json, "series", (int64_t)task->fetched.count);
    ws_json_i64(json, "samples", task->fetched.samples);
    ws_json_i64(json, "repeated", task->fetched.repeated);
    ws_json_begin_list(json, "found");
    for (size_t i = 0; i < WS_SERIES_FINDING_COUNT; i++) {
        ws_trace_json_finding(json, ws_trace_series_finding_at((ws_trace_series_finding)i),
                              &report->found[i], "samples");
    }
    ws_json_end_list(json);
    ws_json_begin_list(json, "diagnostics");
    ws_diagnostics_write_json(json, &task->diag);
    ws_json_end_list(json);
    ws_json_end_object(json);
}

static void fetch_write_text(const trace_fetch *task, ws_writer *out)
{
    const ws_trace_answer answer = {.file = task->shown, .terminal = task->invocation->terminal};
    const ws_trace_text text = {.answer = &answer, .out = out, .arena = task->invocation->arena};

    ws_write_format(out, "%.*s   prometheus-json\n\n", WS_TEXT_ARGS(task->shown));
    ws_trace_text_line(&text, "series",
                       ws_text_of(ws_trace_text_count(&text, (int64_t)task->fetched.count)));
    ws_trace_text_line(&text, "samples",
                       ws_text_of(ws_trace_text_count(&text, task->fetched.samples)));
    for (size_t i = 0; i < WS_SERIES_FINDING_COUNT; i++) {
        ws_trace_text_write_finding(&text, ws_trace_series_finding_at((ws_trace_series_finding)i),
                                    &task->fetched.report.found[i]);
    }
    ws_trace_text_line(&text, "fetched",
                       ws_arena_format(text.arena, "in %" PRId64 " answer%s from %.*s",
                                       task->fetched.answers, task->fetched.answers == 1 ? "" : "s",
                                       WS_TEXT_ARGS(task->fetch.url)));
    ws_trace_text_line(&text, "written to", task->shown);
    ws_trace_text_line(&text, "  sha256", ws_text_of(task->sha256));
}

static int fetch_answer(trace_fetch *task)
{
    bool is_json = task->invocation->settings->json;
    ws_writer out;

    ws_diag_sort(&task->diag);
    ws_output_begin(&out);
    if (is_json) {
        fetch_write_json(task, &out);
    } else {
        ws_output_diagnostics(&task->diag, 0, task->invocation->terminal,
                              task->invocation->settings->quiet, task->invocation->arena);
        fetch_write_text(task, &out);
    }
    return ws_output_finish(&out, WS_STATUS_YES);
}

static int fetch_refuse(trace_fetch *task, int status)
{
    ws_diag_sort(&task->diag);
    ws_output_diagnostics(&task->diag, 0, task->invocation->terminal,
                          task->invocation->settings->quiet, task->invocation->arena);
    return status;
}

/* ---- fetching ---- */

static bool fetch_is_stopped(void *context)
{
    trace_fetch *task = context;

    task->signal = ws_signals_take(&task->signals);
    return task->signal != 0;
}

/* Signals are held back meanwhile, so that no answer's file stays behind. */
static bool fetch_run(trace_fetch *task)
{
    ws_signals_hold(&task->signals);
    bool is_fetched =
        ws_trace_fetch_prometheus(&task->fetched, &task->fetch, &task->arena, &task->diag);

    ws_signals_release(&task->signals);
    return is_fetched;
}

static bool fetch_write(trace_fetch *task)
{
    const ws_settings *settings = task->invocation->settings;
    ws_file_out out;

    if (!ws_file_out_begin(&out, settings->out, task->shown, settings->force,
                           task->invocation->arena, &task->diag)) {
        return false;
    }
    bool is_written = ws_trace_fetched_write(&task->fetched, &out.writer, &task->arena);

    task->bytes = out.writer.total_bytes;
    ws_sha256_print(&out.writer.hash, task->sha256);
    return ws_file_out_end(&out, &task->diag) && is_written;
}

static int fetch_start(trace_fetch *task)
{
    const ws_settings *settings = task->invocation->settings;
    ws_arena *arena = task->invocation->arena;
    ws_text answer = ws_arena_format(arena, "%s.%ld.answer", settings->out, (long)getpid());

    task->fetch.answer_path = answer.start;
    task->fetch.is_stopped = fetch_is_stopped;
    task->fetch.context = task;
    if (answer.start == NULL ||
        !ws_trace_fetch_of_flags(&task->fetch, settings, (int64_t)time(NULL), arena, &task->diag) ||
        !ws_file_out_check(settings->out, task->shown, settings->force, &task->diag)) {
        return fetch_refuse(task, WS_STATUS_NOT_STARTED);
    }
    bool is_there = fetch_run(task) && fetch_write(task);

    if (task->signal != 0) {
        return WS_STATUS_SIGNAL + task->signal;
    }
    if (!is_there) {
        return fetch_refuse(task, WS_STATUS_FAILED);
    }
    return fetch_answer(task);
}

/* The first flag that is needed and missing; NULL: none. */
static const char *fetch_missing(const ws_settings *settings)
{
    const struct {
        const char *value;
        const char *flag;
    } needed[] = {{settings->url, "--url URL"},
                  {settings->query, "--query QUERY"},
                  {settings->start, "--start TIME"},
                  {settings->step, "--step TIME"},
                  {settings->out, "--out FILE"}};

    for (size_t i = 0; i < WS_COUNT_OF(needed); i++) {
        if (needed[i].value == NULL) {
            return needed[i].flag;
        }
    }
    return NULL;
}

static int trace_fetch_main(const ws_invocation *invocation)
{
    const ws_settings *settings = invocation->settings;
    const char *source = settings->operands.items[0];
    const char *missing = fetch_missing(settings);
    trace_fetch *task = ws_arena_alloc(invocation->arena, trace_fetch, 1);

    if (!ws_text_is(ws_text_of(source), "prometheus")) {
        ws_text shown = ws_output_shown(ws_text_of(source), invocation->arena);
        ws_output_error("worldsize trace fetch: fetches from `prometheus`, not from `%.*s`\n",
                        WS_TEXT_ARGS(shown));
        return WS_STATUS_NOT_STARTED;
    }
    if (missing != NULL) {
        ws_output_error("worldsize trace fetch: missing `%s`\n"
                        "`worldsize trace fetch --help` lists the flags\n",
                        missing);
        return WS_STATUS_NOT_STARTED;
    }
    if (task == NULL) {
        ws_output_error("worldsize: out of memory\n");
        return WS_STATUS_FAILED;
    }
    task->invocation = invocation;
    task->shown = ws_output_shown(ws_text_of(settings->out), invocation->arena);
    ws_diag_init(&task->diag, invocation->arena);
    ws_arena_init(&task->arena, &ws_allocator_default, FETCH_BYTES);
    int status = fetch_start(task);

    ws_arena_reset(&task->arena);
    return status;
}

const ws_command ws_command_trace_fetch = {
    .name = "trace fetch",
    .bit = WS_FOR_TRACE_FETCH,
    .operands = "prometheus",
    .operands_min = 1,
    .operands_max = 1,
    .summary = "series from a Prometheus server into a file",
    .about =
        "Asks a Prometheus server, or what speaks its HTTP API (Thanos, Mimir, VictoriaMetrics), "
        "for the\n"
        "series of a query over a range of time, and writes them as one answer of query_range, "
        "which\n"
        "`trace info` reads. Long ranges are asked for in pieces of 10,000 "
        "points. This is\n"
        "the one command that opens a socket. Certificates are always checked; redirects are not "
        "followed.\n"
        "A token comes from a file or the variable " WS_TRACE_FETCH_TOKEN_VARIABLE ".\n",
    .examples = "  worldsize trace fetch prometheus --url http://localhost:9090 --start now-7d "
                "--step 60s \\\n"
                "      --query 'avg(nvidia_gpu_utilization{job=\"kubernetes-pods\"}) by (pod)' -o "
                "gpus.json\n"
                "  worldsize trace info gpus.json\n",
    .main = trace_fetch_main,
};
