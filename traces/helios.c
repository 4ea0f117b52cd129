/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The logs of SenseTime's Helios clusters (2020): cluster_log.csv of Earth, Saturn, Uranus, Venus.
 *
 * Dates are a wall clock without a zone; the clusters stand in China, which has one zone and no
 * summer time. More than half of the jobs have no GPU. A requeued job appears once, with its last
 * run. Ids repeat from cluster to cluster: each file is a trace of its own.
 * Source: github.com/S-Lab-System-Group/HeliosData.
 */
#include "dated.h"
#include "list.h"

enum {
    HELIOS_JOB,
    HELIOS_VC,
    HELIOS_GPUS,
    HELIOS_STATE,
    HELIOS_SUBMIT,
    HELIOS_START,
    HELIOS_END,
    HELIOS_DURATION,
    HELIOS_USER,
    HELIOS_NODES,
    HELIOS_QUEUE,
    HELIOS_CPUS
};

static const ws_trace_column helios_columns[] = {
    [HELIOS_JOB] = {"job_id", "", true, "Slurm's id"},
    [HELIOS_VC] = {"vc", "", true, "virtual cluster"},
    [HELIOS_GPUS] = {"gpu_num", "1", true, "GPUs; 0: a job without"},
    [HELIOS_STATE] = {"state", "", true, "how it ended"},
    [HELIOS_SUBMIT] = {"submit_time", "", true, "submission, a wall clock of China"},
    [HELIOS_START] = {"start_time", "", true, "start"},
    [HELIOS_END] = {"end_time", "", true, "end"},
    [HELIOS_DURATION] = {"duration", "s", false, "end - start; checked"},
    [HELIOS_USER] = {"user", "", false, "who submitted it"},
    [HELIOS_NODES] = {"node_num", "1", false, "nodes"},
    [HELIOS_QUEUE] = {"queue", "s", false, "start - submission; not used"},
    [HELIOS_CPUS] = {"cpu_num", "1", false, "not used"},
};

typedef struct {
    ws_dated dated;
    ws_trace_runs runs;
} helios_reader;

static bool helios_sniff(ws_text head)
{
    static const char *const names[] = {"job_id",      "vc",         "gpu_num", "state",
                                        "submit_time", "start_time", "end_time"};

    return ws_table_header_has(head, ',', names, WS_COUNT_OF(names));
}

static bool helios_read_row(ws_table *table, void *context, ws_trace_job *job)
{
    helios_reader *reader = context;
    ws_dated_run run;

    if (!ws_table_id(table, HELIOS_JOB, &job->id) ||
        !ws_table_gpus(table, HELIOS_GPUS, &job->gpus, &job->gpus_frac) ||
        !ws_table_count(table, HELIOS_NODES, WS_TRACE_BAD_NODES, WS_TRACE_NODES_MAX, &job->nodes) ||
        !ws_dated_read(&reader->dated, table, &run)) {
        return false;
    }
    job->arrival_ns = run.submit_ns;
    job->outcome = run.outcome;
    job->user = ws_table_text(table, HELIOS_USER);
    job->queue = ws_table_text(table, HELIOS_VC);
    if (run.start_ns == WS_TRACE_UNKNOWN_NS) {
        return ws_table_fault(table, WS_TRACE_NO_RUN, HELIOS_START, "%s", "");
    }
    return ws_table_take_run(table, &reader->runs, run.start_ns, run.end_ns, job);
}

static bool helios_read(ws_trace_reading *reading)
{
    helios_reader reader = {.dated = {.submit = HELIOS_SUBMIT,
                                      .start = HELIOS_START,
                                      .end = HELIOS_END,
                                      .state = HELIOS_STATE,
                                      .duration = HELIOS_DURATION}};

    WS_ASSERT(reading != NULL);
    reading->about = (ws_trace_about){
        .clock = WS_TRACE_CLOCK_WALL, .zone = WS_TEXT("Asia/Shanghai"), .names_jobs = true};
    return ws_trace_runs_init(&reader.runs, reading) &&
           ws_table_read_jobs(reading, helios_columns, WS_COUNT_OF(helios_columns), NULL,
                              helios_read_row, &reader);
}

const ws_trace_type ws_trace_helios = {
    .name = "helios",
    .summary = "Helios (SenseTime, 2020): the log of one cluster",
    .columns = helios_columns,
    .column_count = WS_COUNT_OF(helios_columns),
    .sniff = helios_sniff,
    .read = helios_read,
};
