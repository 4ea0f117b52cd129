/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The logs of AcmeTrace (Shanghai AI Laboratory, 2023): trace_seren.csv and trace_kalos.csv.
 *
 * Each date carries its offset from UTC. Seren's `duration` is end - start; Kalos' is end -
 * submission, so that it holds the queueing too. Kalos is told by its columns fail_time and
 * stop_time. Of jobs that ended the dates count.
 * Source: github.com/InternLM/AcmeTrace.
 */
#include "dated.h"
#include "list.h"

enum {
    ACME_JOB,
    ACME_GPUS,
    ACME_TYPE,
    ACME_STATE,
    ACME_SUBMIT,
    ACME_START,
    ACME_END,
    ACME_DURATION,
    ACME_USER,
    ACME_NODES,
    ACME_FAIL,
    ACME_STOP,
    ACME_QUEUE,
    ACME_CPUS,
    ACME_MEMORY,
    ACME_SHARED,
    ACME_GPU_TIME
};

static const ws_trace_column acme_columns[] = {
    [ACME_JOB] = {"job_id", "", true, "name of the job"},
    [ACME_GPUS] = {"gpu_num", "1", true, "GPUs; 0: a job without"},
    [ACME_TYPE] = {"type", "", true, "Pretrain, SFT, MLLM, Eval, Debug, Other"},
    [ACME_STATE] = {"state", "", true, "how it ended"},
    [ACME_SUBMIT] = {"submit_time", "", true, "submission, with its offset from UTC"},
    [ACME_START] = {"start_time", "", true, "start"},
    [ACME_END] = {"end_time", "", true, "end"},
    [ACME_DURATION] = {"duration", "s", false, "end - start, on Kalos end - submission; checked"},
    [ACME_USER] = {"user", "", false, "who submitted it"},
    [ACME_NODES] = {"node_num", "1", false, "nodes"},
    [ACME_FAIL] = {"fail_time", "", false, "of Kalos; not used"},
    [ACME_STOP] = {"stop_time", "", false, "of Kalos; not used"},
    [ACME_QUEUE] = {"queue", "s", false, "start - submission; not used"},
    [ACME_CPUS] = {"cpu_num", "1", false, "not used"},
    [ACME_MEMORY] = {"mem_per_pod_GB", "GB", false, "not used"},
    [ACME_SHARED] = {"shared_mem_per_pod", "GB", false, "not used"},
    [ACME_GPU_TIME] = {"gpu_time", "GPU*s", false, "duration x GPUs; not used"},
};

typedef struct {
    ws_dated dated;
    ws_trace_runs runs;
} acme_reader;

static bool acme_sniff(ws_text head)
{
    static const char *const names[] = {"job_id",      "gpu_num",    "type",    "state",
                                        "submit_time", "start_time", "end_time"};

    return ws_table_header_has(head, ',', names, WS_COUNT_OF(names));
}

static bool acme_read_row(ws_table *table, void *context, ws_trace_job *job)
{
    acme_reader *reader = context;
    ws_dated_run run;

    reader->dated.is_from_submit = ws_table_has(table, ACME_FAIL) || ws_table_has(table, ACME_STOP);
    if (!ws_table_id(table, ACME_JOB, &job->id) ||
        !ws_table_gpus(table, ACME_GPUS, &job->gpus, &job->gpus_frac) ||
        !ws_table_count(table, ACME_NODES, WS_TRACE_BAD_NODES, WS_TRACE_NODES_MAX, &job->nodes) ||
        !ws_dated_read(&reader->dated, table, &run)) {
        return false;
    }
    job->arrival_ns = run.submit_ns;
    job->outcome = run.outcome;
    job->user = ws_table_text(table, ACME_USER);
    job->kind = ws_table_text(table, ACME_TYPE);
    if (run.start_ns == WS_TRACE_UNKNOWN_NS) {
        return ws_table_fault(table, WS_TRACE_NO_RUN, ACME_START, "%s", "");
    }
    return ws_table_take_run(table, &reader->runs, run.start_ns, run.end_ns, job);
}

static bool acme_read(ws_trace_reading *reading)
{
    acme_reader reader = {.dated = {.submit = ACME_SUBMIT,
                                    .start = ACME_START,
                                    .end = ACME_END,
                                    .state = ACME_STATE,
                                    .duration = ACME_DURATION,
                                    .is_zoned = true}};

    WS_ASSERT(reading != NULL);
    reading->about =
        (ws_trace_about){.clock = WS_TRACE_CLOCK_UTC, .zone = WS_TEXT("UTC"), .names_jobs = true};
    return ws_trace_runs_init(&reader.runs, reading) &&
           ws_table_read_jobs(reading, acme_columns, WS_COUNT_OF(acme_columns), NULL, acme_read_row,
                              &reader);
}

const ws_trace_type ws_trace_acme = {
    .name = "acme",
    .summary = "AcmeTrace (Shanghai AI Laboratory, 2023): Seren and Kalos",
    .columns = acme_columns,
    .column_count = WS_COUNT_OF(acme_columns),
    .sniff = acme_sniff,
    .read = acme_read,
};
