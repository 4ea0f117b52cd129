/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ws/report_files.h"

/* What the writing of one folder shares. */
typedef struct {
    const ws_evaluation *evaluation;
    const ws_report_context *context;
    ws_results *results;
    ws_arena *arena;
    ws_diag *diag;
} report_task;

typedef bool report_content(const report_task *task, ws_writer *writer);

static bool report_memory(const report_task *task)
{
    WS_ASSERT(task->diag != NULL);

    return ws_diag_error(task->diag, 9030, ws_span_none, "out of memory while writing results");
}

/* ---- documents ---- */

ws_text ws_report_resolved(const ws_evaluation *evaluation, ws_arena *arena)
{
    WS_ASSERT(evaluation->loaded->resolved != NULL);

    ws_text yaml = ws_document_print_yaml(evaluation->loaded->resolved, true, arena);

    if (yaml.start == NULL) {
        return yaml;
    }
    return ws_arena_format(arena,
                           "# The scenario as it was run, with everything that it left out. A "
                           "comment tells where a value comes from\n"
                           "# that is not in the scenario's file.\n%.*s",
                           WS_TEXT_ARGS(yaml));
}

static bool report_resolved(const report_task *task, ws_writer *writer)
{
    ws_text resolved = ws_report_resolved(task->evaluation, task->arena);

    if (resolved.start == NULL) {
        return report_memory(task);
    }
    ws_write_text(writer, resolved);
    return true;
}

static bool report_summary(const report_task *task, ws_writer *writer)
{
    return ws_report_write_summary(task->evaluation, task->context, writer, task->arena) ||
           report_memory(task);
}

static void report_write_string(ws_writer *json, const char *key, const char *value)
{
    if (value == NULL) {
        ws_json_null(json, key);
    } else {
        ws_json_text(json, key, ws_text_of(value));
    }
}

static bool report_run_info(const report_task *task, ws_writer *json)
{
    WS_ASSERT(task->context->info != NULL);

    const ws_run_info *info = task->context->info;

    ws_json_begin_object(json, NULL);
    ws_json_text(json, "schema", WS_TEXT(WS_RUN_INFO_SCHEMA));
    ws_json_begin_list(json, "command");
    for (size_t i = 0; i < info->command_count; i++) {
        ws_json_text(json, NULL, ws_text_of(info->command[i]));
    }
    ws_json_end_list(json);
    report_write_string(json, "scenario_path", info->scenario_path);
    report_write_string(json, "working_folder", info->working_folder);
    report_write_string(json, "host", info->host);
    report_write_string(json, "version", task->context->version);
    report_write_string(json, "commit", info->commit);
    report_write_string(json, "compiler", info->compiler);
    report_write_string(json, "started", info->date);
    ws_json_i64(json, "threads", info->threads);
    ws_json_f64(json, "wall_s", info->wall_s);
    ws_json_i64(json, "peak_memory_bytes", info->peak_memory_bytes);
    ws_json_end_object(json);
    return true;
}

/* ---- tables ---- */

/* Rows of one run. */
typedef void report_rows(const ws_run_result *result, ws_writer *csv);

static void report_arm(const ws_evaluation_arm *arm, size_t replications, report_rows *rows,
                       ws_writer *csv)
{
    WS_ASSERT(arm->runs != NULL);

    for (size_t i = 0; i < replications; i++) {
        if (arm->runs[i].state == WS_RUN_DONE) {
            rows(&arm->runs[i].result, csv);
        }
    }
}

/* Rows of all runs, in the order of arms and replications. */
static void report_each_run(const report_task *task, report_rows *rows, ws_writer *writer)
{
    const ws_evaluation *evaluation = task->evaluation;

    for (size_t arm = 0; arm < evaluation->arm_count; arm++) {
        report_arm(&evaluation->arms[arm], evaluation->replications, rows, writer);
    }
}

static bool report_table(const report_task *task, const ws_columns *columns, report_rows *rows,
                         ws_writer *csv)
{
    WS_ASSERT(columns->count > 0);
    ws_columns_write_header(columns, csv);
    report_each_run(task, rows, csv);
    return true;
}

static void report_run_row(const ws_run_result *result, ws_writer *csv)
{
    ws_columns_write(&ws_run_columns, &result->run, csv);
}

/* Runs that were not recorded have no rows here and in the next ones. */
static void report_job_rows(const ws_run_result *result, ws_writer *csv)
{
    WS_ASSERT(result->jobs != NULL || result->job_count == 0);

    for (size_t i = 0; i < result->job_count; i++) {
        ws_columns_write(&ws_job_columns, &result->jobs[i], csv);
    }
}

static void report_timeline_rows(const ws_run_result *result, ws_writer *csv)
{
    WS_ASSERT(result->timeline != NULL || result->timeline_count == 0);

    for (size_t i = 0; i < result->timeline_count; i++) {
        ws_columns_write(&ws_timeline_columns, &result->timeline[i], csv);
    }
}

static void report_extremes_rows(const ws_run_result *result, ws_writer *csv)
{
    WS_ASSERT(result->extremes != NULL || result->extremes_count == 0);

    for (size_t i = 0; i < result->extremes_count; i++) {
        ws_columns_write(&ws_extremes_columns, &result->extremes[i], csv);
    }
}

static void report_event_lines(const ws_run_result *result, ws_writer *lines)
{
    ws_event_list_write(&result->events, lines);
}

static bool report_runs(const report_task *task, ws_writer *csv)
{
    return report_table(task, &ws_run_columns, report_run_row, csv);
}

static bool report_jobs(const report_task *task, ws_writer *csv)
{
    return report_table(task, &ws_job_columns, report_job_rows, csv);
}

static bool report_timeline(const report_task *task, ws_writer *csv)
{
    return report_table(task, &ws_timeline_columns, report_timeline_rows, csv);
}

static bool report_extremes(const report_task *task, ws_writer *csv)
{
    return report_table(task, &ws_extremes_columns, report_extremes_rows, csv);
}

static bool report_events(const report_task *task, ws_writer *lines)
{
    report_each_run(task, report_event_lines, lines);
    return true;
}

static bool report_comparisons(const report_task *task, ws_writer *csv)
{
    const ws_evaluation *evaluation = task->evaluation;

    ws_columns_write_header(&ws_comparison_columns, csv);
    for (size_t i = 0; i < evaluation->comparison_count; i++) {
        ws_columns_write(&ws_comparison_columns, &evaluation->comparisons[i], csv);
    }
    return true;
}

/* ---- the folder ---- */

typedef struct {
    const char *name;
    bool is_summed;
    report_content *content;
} report_file;

static const report_file report_all_files[] = {
    {.name = "summary.json", .is_summed = true, .content = report_summary},
    {.name = "summary.csv", .is_summed = true, .content = report_runs},
    {.name = "comparisons.csv", .is_summed = true, .content = report_comparisons},
    {.name = "jobs.csv", .is_summed = true, .content = report_jobs},
    {.name = "timeline.csv", .is_summed = true, .content = report_timeline},
    {.name = "extremes.csv", .is_summed = true, .content = report_extremes},
    {.name = "events.jsonl", .is_summed = true, .content = report_events},
    {.name = "resolved.yaml", .is_summed = true, .content = report_resolved},
    {.name = "run-info.json", .is_summed = false, .content = report_run_info},
};

const char *ws_report_file_name(size_t index)
{
    return index < WS_COUNT_OF(report_all_files) ? report_all_files[index].name : NULL;
}

static bool report_write_file(const report_task *task, const report_file *file)
{
    WS_ASSERT(file->content != NULL);

    ws_writer writer;

    if (!ws_results_open_file(task->results, file->name, file->is_summed, &writer)) {
        return false;
    }
    if (!file->content(task, &writer)) {
        return false; /* abandoning the folder closes what is open */
    }
    return ws_results_close_file(task->results, &writer);
}

bool ws_report_write_files(const ws_evaluation *evaluation, const ws_report_context *context,
                           ws_results *results, ws_arena *arena, ws_diag *diag)
{
    report_task task = {.evaluation = evaluation,
                        .context = context,
                        .results = results,
                        .arena = arena,
                        .diag = diag};

    WS_ASSERT(context->version != NULL);
    WS_ASSERT(context->info != NULL);
    for (size_t i = 0; i < WS_COUNT_OF(report_all_files); i++) {
        if (!report_write_file(&task, &report_all_files[i])) {
            return false;
        }
    }
    return true;
}
