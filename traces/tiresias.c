/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The workloads of Tiresias' simulator: *_job.csv
 * (job_id,num_gpu,submit_time,iterations,model_name, duration,interval) and the older tf_job.csv,
 * which states a start.
 *
 * Times are seconds from a zero of the file's own. interval, the gap to the next job, says nothing
 * that submit_time does not. Source: github.com/SymbioticLab/Tiresias, simulator/.
 */
#include "list.h"
#include "table.h"

enum {
    TIRESIAS_JOB,
    TIRESIAS_GPUS,
    TIRESIAS_SUBMIT,
    TIRESIAS_DURATION,
    TIRESIAS_MODEL,
    TIRESIAS_START,
    TIRESIAS_ITERATIONS,
    TIRESIAS_INTERVAL,
    TIRESIAS_SIZE,
    TIRESIAS_AGGREGATION,
    TIRESIAS_SCALE
};

static const ws_trace_column tiresias_columns[] = {
    [TIRESIAS_JOB] = {"job_id", "", true, "name of the job"},
    [TIRESIAS_GPUS] = {"num_gpu", "1", true, "GPUs of the job"},
    [TIRESIAS_SUBMIT] = {"submit_time", "s", true, "submission"},
    [TIRESIAS_DURATION] = {"duration", "s", true, "run time"},
    [TIRESIAS_MODEL] = {"model_name", "", true, "what it trains"},
    [TIRESIAS_START] = {"start_time", "s", false, "start"},
    [TIRESIAS_ITERATIONS] = {"iterations", "1", false, "not used"},
    [TIRESIAS_INTERVAL] = {"interval", "s", false, "not used"},
    [TIRESIAS_SIZE] = {"model_size", "MB", false, "not used"},
    [TIRESIAS_AGGREGATION] = {"aggr_interval", "s", false, "not used"},
    [TIRESIAS_SCALE] = {"model_scale", "1", false, "not used"},
};

static bool tiresias_sniff(ws_text head)
{
    static const char *const names[] = {"job_id", "num_gpu", "submit_time", "duration",
                                        "model_name"};

    return ws_table_header_has(head, ',', names, WS_COUNT_OF(names));
}

static bool tiresias_read_row(ws_table *table, void *context, ws_trace_job *job)
{
    int64_t start_ns = 0;

    if (!ws_table_id(table, TIRESIAS_JOB, &job->id) ||
        !ws_table_seconds(table, TIRESIAS_SUBMIT, WS_TRACE_BAD_TIME, &job->arrival_ns) ||
        !ws_table_gpus(table, TIRESIAS_GPUS, &job->gpus, &job->gpus_frac) ||
        !ws_table_duration(table, TIRESIAS_DURATION, &job->duration_ns)) {
        return false;
    }
    job->kind = ws_table_text(table, TIRESIAS_MODEL);
    if (ws_table_is_void(table, TIRESIAS_START)) {
        return true;
    }
    return ws_table_seconds(table, TIRESIAS_START, WS_TRACE_BAD_ATTEMPTS, &start_ns) &&
           ws_table_take_run(table, context, start_ns, start_ns + job->duration_ns, job);
}

static bool tiresias_read(ws_trace_reading *reading)
{
    ws_trace_runs runs;

    WS_ASSERT(reading != NULL);
    reading->about = (ws_trace_about){.clock = WS_TRACE_CLOCK_OWN, .names_jobs = true};
    return ws_trace_runs_init(&runs, reading) &&
           ws_table_read_jobs(reading, tiresias_columns, WS_COUNT_OF(tiresias_columns), NULL,
                              tiresias_read_row, &runs);
}

const ws_trace_type ws_trace_tiresias = {
    .name = "tiresias",
    .summary = "workloads of Tiresias' simulator",
    .columns = tiresias_columns,
    .column_count = WS_COUNT_OF(tiresias_columns),
    .sniff = tiresias_sniff,
    .read = tiresias_read,
};
