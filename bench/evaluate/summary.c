/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * summary.json: everything of a comparison in numbers. Field order is fixed; numbers print in the
 * shortest form that reads back equal; what is missing is null. Nothing of this machine is in it:
 * the scenario is named without its folder, the command line is left to run-info.json.
 */
#include "summary.h"

#include <math.h>
#include <stdio.h>

#include "ws/report_files.h"
#include "ws/sha256.h"

/* ---- records ---- */

static void summary_write_cell(ws_writer *json, const ws_column *column, const void *record)
{
    WS_ASSERT(column->kind != WS_COLUMN_OUTCOME);

    const char *field = (const char *)record + column->offset;

    if (column->kind == WS_COLUMN_TEXT) {
        ws_json_text(json, column->name, *(const ws_text *)(const void *)field);
        return;
    }
    if (column->kind == WS_COLUMN_BOOL) {
        ws_json_bool(json, column->name, *(const bool *)(const void *)field);
        return;
    }
    ws_json_f64(json, column->name, ws_column_value(column, record));
}

void ws_summary_write_record(ws_writer *json, const ws_columns *columns, const void *record)
{
    WS_ASSERT(columns->count > 0);
    WS_ASSERT(record != NULL);

    ws_json_begin_object(json, NULL);
    for (size_t i = 0; i < columns->count; i++) {
        summary_write_cell(json, &columns->columns[i], record);
    }
    ws_json_end_object(json);
}

/* ---- where it comes from ---- */

static ws_text summary_file_name(ws_text path)
{
    size_t from = path.length;

    while (from > 0 && path.start[from - 1] != '/') {
        from--;
    }
    return ws_text_slice(path, from, path.length);
}

static void summary_write_generator(ws_writer *json, const ws_report_context *context)
{
    WS_ASSERT(context->version != NULL);

    ws_json_begin_object(json, "generator");
    ws_json_text(json, "name", WS_TEXT("worldsize"));
    ws_json_text(json, "version", ws_text_of(context->version));
    ws_json_text(json, "rng", WS_TEXT("philox4x64-10"));
    ws_json_text(json, "streams", WS_TEXT("v1"));
    ws_json_end_object(json);
}

static void summary_write_input(ws_writer *json, const ws_input_file *input)
{
    bool is_scenario = ws_text_is(input->role, "scenario");

    ws_json_begin_object(json, NULL);
    ws_json_text(json, "path", is_scenario ? summary_file_name(input->path) : input->path);
    ws_json_text(json, "sha256", ws_text_of(input->sha256));
    ws_json_i64(json, "bytes", input->bytes);
    ws_json_text(json, "role", input->role);
    ws_json_end_object(json);
}

static void summary_write_texts(ws_writer *json, const char *key, const ws_text *texts,
                                size_t count)
{
    ws_json_begin_list(json, key);
    for (size_t i = 0; i < count; i++) {
        ws_json_text(json, NULL, texts[i]);
    }
    ws_json_end_list(json);
}

static void summary_write_provenance(ws_writer *json, const ws_loaded *loaded, ws_text resolved)
{
    WS_ASSERT(resolved.start != NULL);

    char sum[WS_SHA256_TEXT_BYTES];
    ws_sha256 hash;

    ws_sha256_init(&hash);
    ws_sha256_update(&hash, resolved.start, resolved.length);
    ws_sha256_print(&hash, sum);
    ws_json_begin_object(json, "provenance");
    ws_json_text(json, "resolved_sha256", ws_text_of(sum));
    summary_write_texts(json, "overrides", loaded->overrides_text, loaded->overrides_count);
    ws_json_begin_list(json, "inputs");
    for (size_t i = 0; i < loaded->input_count; i++) {
        summary_write_input(json, &loaded->inputs[i]);
    }
    ws_json_end_list(json);
    ws_json_end_object(json);
}

static void summary_write_scenario(ws_writer *json, const ws_loaded *loaded)
{
    const ws_scenario *scenario = &loaded->scenario;

    ws_json_begin_object(json, "scenario");
    ws_json_text(json, "name", scenario->name);
    ws_json_u64(json, "seed", scenario->seed);
    ws_json_i64(json, "replications", scenario->replications);
    ws_json_f64(json, "horizon_s", ws_time_s(scenario->horizon));
    ws_json_f64(json, "warmup_s", ws_duration_s(scenario->warmup));
    ws_json_text(json, "currency", WS_TEXT("USD"));
    ws_json_end_object(json);
}

static void summary_write_units(ws_writer *json)
{
    ws_json_begin_object(json, "units");
    for (size_t i = 0; ws_comparable_names[i] != NULL; i++) {
        ws_text name = ws_text_of(ws_comparable_names[i]);
        const ws_column *column = ws_columns_find(&ws_run_columns, name);
        /* `gpu_h` is told below: the object of that name holds all accounts. */
        if (!ws_text_is(name, "gpu_h")) {
            ws_json_text(json, column->name, ws_text_of(column->unit));
        }
    }
    ws_json_text(json, "gpu_h", WS_TEXT("GPU*h, mean over replications"));
    ws_json_text(json, "counts", WS_TEXT("1, mean over replications"));
    ws_json_end_object(json);
}

/* ---- arms ---- */

static void summary_write_values(ws_writer *json, const double *values, size_t count)
{
    bool before = json->compact;

    ws_json_begin_list(json, "values");
    json->compact = true; /* a list of numbers stays on its line */
    for (size_t i = 0; i < count; i++) {
        ws_json_f64(json, NULL, values[i]);
    }
    ws_json_end_list(json);
    json->compact = before;
}

static double summary_if(bool known, double value)
{
    return known ? value : (double)NAN;
}

static void summary_write_metric(ws_writer *json, const ws_metric_values *metric,
                                 size_t replications)
{
    WS_ASSERT(metric->summary.n <= replications);

    const ws_summary *summary = &metric->summary;

    ws_json_begin_object(json, metric->column->name);
    ws_json_f64(json, "mean", summary_if(summary->n > 0, summary->mean));
    ws_json_f64(json, "sd", summary_if(summary->n > 1, summary->sd));
    ws_json_i64(json, "n", (int64_t)summary->n);
    ws_json_f64(json, "ci_low", summary_if(summary->has_interval, summary->low));
    ws_json_f64(json, "ci_high", summary_if(summary->has_interval, summary->high));
    summary_write_values(json, metric->values, replications);
    ws_json_end_object(json);
}

/* Adds up what the done runs of an arm booked; failed arms have no statistics, so no means either.
 */
static ws_accounts summary_accounts(const ws_evaluation_arm *arm, size_t replications)
{
    WS_ASSERT(arm->runs_done <= replications);

    ws_accounts sum = {.account = {{.gpu_ns = 0}}};

    for (size_t i = 0; i < replications; i++) {
        if (arm->runs[i].state == WS_RUN_DONE) {
            sum = ws_accounts_add(sum, arm->runs[i].result.run.accounts);
        }
    }
    return sum;
}

static double summary_mean_h(const ws_evaluation_arm *arm, ws_gpu_time sum)
{
    bool has_mean = arm->runs_done > 0 && !arm->failed;
    return summary_if(has_mean, ws_gpu_time_h(sum) / (double)arm->runs_done);
}

static void summary_write_gpu_h(ws_writer *json, const ws_evaluation_arm *arm, size_t replications)
{
    WS_ASSERT(arm->runs != NULL);

    ws_accounts sum = summary_accounts(arm, replications);

    ws_json_begin_object(json, "gpu_h");
    ws_json_f64(json, "paid", summary_mean_h(arm, ws_accounts_sum(&sum)));
    for (size_t i = 0; i < WS_ACCOUNT_COUNT; i++) {
        ws_json_f64(json, ws_account_names[i], summary_mean_h(arm, sum.account[i]));
    }
    ws_json_end_object(json);
}

static bool summary_is_count(const ws_column *column)
{
    return column->kind == WS_COLUMN_I64 && ws_text_is(ws_text_of(column->unit), "1");
}

static double summary_mean(const ws_evaluation_arm *arm, const ws_column *column,
                           size_t replications)
{
    WS_ASSERT(summary_is_count(column));

    double sum = 0;

    for (size_t i = 0; i < replications; i++) {
        if (arm->runs[i].state == WS_RUN_DONE) {
            sum += ws_column_value(column, &arm->runs[i].result.run);
        }
    }
    return summary_if(arm->runs_done > 0 && !arm->failed, sum / (double)arm->runs_done);
}

static void summary_write_counts(ws_writer *json, const ws_evaluation_arm *arm, size_t replications)
{
    ws_json_begin_object(json, "counts");
    for (size_t i = 0; i < ws_run_columns.count; i++) {
        const ws_column *column = &ws_run_columns.columns[i];
        if (summary_is_count(column)) {
            ws_json_f64(json, column->name, summary_mean(arm, column, replications));
        }
    }
    ws_json_end_object(json);
}

static bool summary_is_deployable(const ws_arm *arm)
{
    for (size_t i = 0; i < arm->controller_count; i++) {
        if (!arm->controllers[i].type->deployable) {
            return false;
        }
    }
    return true;
}

static void summary_write_arm(ws_writer *json, const ws_evaluation *evaluation, size_t index)
{
    WS_ASSERT(index < evaluation->arm_count);

    const ws_evaluation_arm *arm = &evaluation->arms[index];

    ws_json_begin_object(json, NULL);
    ws_json_text(json, "name", arm->arm->name);
    ws_json_text(json, "type", arm->arm->type);
    ws_json_bool(json, "deployable", summary_is_deployable(arm->arm));
    ws_json_bool(json, "baseline", index == evaluation->loaded->baseline);
    ws_json_bool(json, "failed", arm->failed);
    ws_json_i64(json, "replications_done", (int64_t)arm->runs_done);
    ws_json_begin_object(json, "metrics");
    for (size_t i = 0; i < evaluation->metric_count; i++) {
        summary_write_metric(json, &arm->metrics[i], evaluation->replications);
    }
    ws_json_end_object(json);
    summary_write_gpu_h(json, arm, evaluation->replications);
    summary_write_counts(json, arm, evaluation->replications);
    ws_json_end_object(json);
}

/* ---- what is said about them ---- */

static void summary_write_comparisons(ws_writer *json, const ws_evaluation *evaluation)
{
    ws_json_begin_list(json, "comparisons");
    for (size_t i = 0; i < evaluation->comparison_count; i++) {
        ws_summary_write_record(json, &ws_comparison_columns, &evaluation->comparisons[i]);
    }
    ws_json_end_list(json);
}

static void summary_write_thresholds(ws_writer *json, const ws_evaluation *evaluation)
{
    ws_json_begin_list(json, "thresholds");
    for (size_t i = 0; i < evaluation->threshold_count; i++) {
        const ws_threshold_result *result = &evaluation->thresholds[i];
        ws_json_begin_object(json, NULL);
        ws_json_text(json, "policy", result->threshold.policy);
        ws_json_text(json, "metric", result->threshold.metric);
        ws_json_f64(json, "max_change", result->threshold.max_change);
        ws_json_f64(json, "observed", result->observed);
        ws_json_bool(json, "pass", result->passed);
        ws_json_end_object(json);
    }
    ws_json_end_list(json);
}

static void summary_write_warnings(ws_writer *json, const ws_diag *diag)
{
    ws_json_begin_list(json, "warnings");
    for (size_t i = 0; i < diag->count; i++) {
        const ws_diagnostic *entry = &diag->entries[i];
        char code[16];
        if (entry->severity == WS_SEVERITY_NOTE) {
            continue;
        }
        (void)snprintf(code, sizeof code, "WS%04d", entry->code);
        ws_json_begin_object(json, NULL);
        ws_json_text(json, "code", ws_text_of(code));
        ws_json_text(json, "severity",
                     entry->severity == WS_SEVERITY_WARNING ? WS_TEXT("warning")
                                                            : WS_TEXT("error"));
        ws_json_text(json, "message", entry->message);
        ws_json_end_object(json);
    }
    ws_json_end_list(json);
}

bool ws_report_write_summary(const ws_evaluation *evaluation, const ws_report_context *context,
                             ws_writer *json, ws_arena *arena)
{
    WS_ASSERT(evaluation->arm_count >= 1);
    WS_ASSERT(context->diag != NULL);

    const ws_loaded *loaded = evaluation->loaded;
    ws_text resolved = ws_report_resolved(evaluation, arena);

    if (resolved.start == NULL) {
        return false;
    }
    ws_json_begin_object(json, NULL);
    ws_json_text(json, "schema", WS_TEXT(WS_SUMMARY_SCHEMA));
    summary_write_generator(json, context);
    summary_write_provenance(json, loaded, resolved);
    summary_write_scenario(json, loaded);
    ws_json_bool(json, "complete", evaluation->complete);
    ws_json_text(json, "baseline", loaded->arms[loaded->baseline].name);
    ws_json_f64(json, "confidence", loaded->confidence);
    summary_write_units(json);
    ws_json_begin_list(json, "policies");
    for (size_t i = 0; i < evaluation->arm_count; i++) {
        summary_write_arm(json, evaluation, i);
    }
    ws_json_end_list(json);
    summary_write_comparisons(json, evaluation);
    summary_write_thresholds(json, evaluation);
    summary_write_texts(json, "assumptions", loaded->assumptions, loaded->assumption_count);
    summary_write_warnings(json, context->diag);
    ws_json_end_object(json);
    return true;
}
