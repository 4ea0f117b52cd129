/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The jobs of Alibaba's cluster-trace-v2026-spot-gpu: job_info_df.csv.
 *
 * Times are seconds from a zero of the trace's own. A job has worker_num workers of gpu_request
 * GPUs each; job_type is HP (high priority) or Spot. Neither starts nor ends nor evictions are
 * recorded. Source: github.com/alibaba/clusterdata, cluster-trace-v2026-spot-gpu.
 */
#include "list.h"
#include "table.h"

enum {
    SPOT_JOB,
    SPOT_GPUS,
    SPOT_WORKERS,
    SPOT_SUBMIT,
    SPOT_DURATION,
    SPOT_TYPE,
    SPOT_MODEL,
    SPOT_ORGANIZATION,
    SPOT_CPU
};

static const ws_trace_column spot_columns[] = {
    [SPOT_JOB] = {"job_name", "", true, "name of the job"},
    [SPOT_GPUS] = {"gpu_request", "1", true, "GPUs of a worker"},
    [SPOT_WORKERS] = {"worker_num", "1", true, "workers"},
    [SPOT_SUBMIT] = {"submit_time", "s", true, "submission"},
    [SPOT_DURATION] = {"duration", "s", true, "run time"},
    [SPOT_TYPE] = {"job_type", "", true, "HP or Spot"},
    [SPOT_MODEL] = {"gpu_model", "", false, "GPU model"},
    [SPOT_ORGANIZATION] = {"organization", "", false, "who owns it"},
    [SPOT_CPU] = {"cpu_request", "1", false, "not used"},
};

static bool spot_sniff(ws_text head)
{
    static const char *const names[] = {"job_name", "gpu_request", "worker_num", "submit_time",
                                        "duration"};

    return ws_table_header_has(head, ',', names, WS_COUNT_OF(names));
}

static bool spot_read_gpus(ws_table *table, ws_trace_job *job)
{
    ws_text text = ws_table_text(table, SPOT_GPUS);
    double each = 0;
    int32_t workers = 0;

    if (!ws_table_count(table, SPOT_WORKERS, WS_TRACE_BAD_GPUS, WS_TRACE_GPUS_MAX, &workers)) {
        return false;
    }
    if (!ws_parse_f64(text, &each)) {
        return ws_table_fault(table, WS_TRACE_BAD_GPUS, SPOT_GPUS, "no number of GPUs");
    }
    return ws_table_take_gpus(table, SPOT_GPUS, each * workers, &job->gpus, &job->gpus_frac);
}

static bool spot_read_row(ws_table *table, void *context, ws_trace_job *job)
{
    (void)context;
    if (!ws_table_id(table, SPOT_JOB, &job->id) ||
        !ws_table_seconds(table, SPOT_SUBMIT, WS_TRACE_BAD_TIME, &job->arrival_ns) ||
        !spot_read_gpus(table, job) ||
        !ws_table_duration(table, SPOT_DURATION, &job->duration_ns)) {
        return false;
    }
    job->kind = ws_table_text(table, SPOT_TYPE);
    job->gpu_type = ws_table_text(table, SPOT_MODEL);
    job->queue = ws_table_text(table, SPOT_ORGANIZATION);
    return true;
}

static bool spot_read(ws_trace_reading *reading)
{
    WS_ASSERT(reading != NULL);

    reading->about = (ws_trace_about){.clock = WS_TRACE_CLOCK_OWN, .names_jobs = true};
    return ws_table_read_jobs(reading, spot_columns, WS_COUNT_OF(spot_columns), NULL, spot_read_row,
                              NULL);
}

const ws_trace_type ws_trace_spot_v2026 = {
    .name = "spot-v2026",
    .summary = "Alibaba cluster-trace-v2026-spot-gpu: high-priority and spot jobs",
    .columns = spot_columns,
    .column_count = WS_COUNT_OF(spot_columns),
    .sniff = spot_sniff,
    .read = spot_read,
};
