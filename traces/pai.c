/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Alibaba PAI, cluster-trace-gpu-v2020: pai_job_table.csv, together with its tasks (which know the
 * GPUs) and, if wanted, its instances (which know when each began). None has a header line.
 *
 * Times are seconds of a shifted clock: read as Unix time in UTC+8 they give the true hour and
 * weekday, never the date, so they are kept as a clock of its own. A job arrives at its start_time;
 * it runs from the first to the last moment that any of its tasks or instances is known to. An
 * instance that is `Interrupted` was stopped after another one of its job had failed.
 * Source: github.com/alibaba/clusterdata, cluster-trace-gpu-v2020.
 */
#include <math.h>

#include "list.h"
#include "pai_tables.h"

#define PAI_NAME_DIGITS 24

enum { PAI_JOB, PAI_INST_ID, PAI_USER, PAI_STATUS, PAI_START, PAI_END };

static const ws_trace_column pai_columns[] = {
    [PAI_JOB] = {"job_name", "", true, "name of the job"},
    [PAI_INST_ID] = {"inst_id", "", true, "not used"},
    [PAI_USER] = {"user", "", true, "who submitted it"},
    [PAI_STATUS] = {"status", "", true, "Terminated, Failed, Running, Waiting"},
    [PAI_START] = {"start_time", "s", true, "submission"},
    [PAI_END] = {"end_time", "s", true, "end"},
};

typedef struct {
    ws_pai_entries entries;
    ws_trace_runs runs;
} pai_reader;

static size_t pai_count_fields(ws_text line)
{
    size_t fields = 1;

    for (size_t i = 0; i < line.length; i++) {
        fields += line.start[i] == ',' ? 1 : 0;
    }
    return fields;
}

/* A name of 24 hexadecimal digits, and as many fields as a table of jobs, instances or tasks. */
static bool pai_sniff(ws_text head)
{
    static const char *const names[] = {"job_name", "inst_id", "user", "status", "start_time"};
    ws_text line = ws_text_slice(head, 0, ws_text_find_byte(head, '\n'));
    size_t fields = pai_count_fields(line);
    size_t digits = 0;

    while (digits < line.length && ((line.start[digits] >= '0' && line.start[digits] <= '9') ||
                                    (line.start[digits] >= 'a' && line.start[digits] <= 'f'))) {
        digits++;
    }
    return ws_table_header_has(head, ',', names, WS_COUNT_OF(names)) ||
           (digits == PAI_NAME_DIGITS && ws_text_find_byte(line, ',') == digits &&
            (fields == WS_COUNT_OF(pai_columns) || fields == 9 || fields == 10));
}

static bool pai_read_status(ws_table *table, ws_trace_job *job)
{
    static const struct {
        const char *status;
        ws_trace_outcome outcome;
    } statuses[] = {
        {"", WS_TRACE_OUTCOME_UNKNOWN},        {"Terminated", WS_TRACE_OUTCOME_COMPLETED},
        {"Failed", WS_TRACE_OUTCOME_FAILED},   {"Interrupted", WS_TRACE_OUTCOME_FAILED},
        {"Running", WS_TRACE_OUTCOME_RUNNING}, {"Waiting", WS_TRACE_OUTCOME_PENDING}};

    for (size_t i = 0; i < WS_COUNT_OF(statuses); i++) {
        if (ws_text_is(ws_table_text(table, PAI_STATUS), statuses[i].status)) {
            job->outcome = statuses[i].outcome;
            return true;
        }
    }
    return ws_table_fault(table, WS_TRACE_BAD_OUTCOME, PAI_STATUS,
                          "none of Terminated, Failed, Running, Waiting, Interrupted");
}

/* GPUs of all tasks; shares are rounded up for each instance. */
static bool pai_take_gpus(ws_table *table, const ws_pai_entry *entry, ws_trace_job *job)
{
    if (!entry->has_share) {
        return ws_table_take_gpus(table, PAI_JOB, entry->gpus_whole, &job->gpus, &job->gpus_frac);
    }
    if (!table->reading->options->ceil_gpus) {
        return ws_table_fault(table, WS_TRACE_FRACTIONAL_GPUS, PAI_JOB, "%.6g GPUs", entry->gpus);
    }
    if (!ws_table_take_gpus(table, PAI_JOB, entry->gpus_whole, &job->gpus, &job->gpus_frac)) {
        return false;
    }
    (void)ws_table_fault(table, WS_TRACE_CEILED_GPUS, PAI_JOB, "%.6g GPUs", entry->gpus);
    job->gpus_frac = fmin(entry->gpus, job->gpus);
    return true;
}

/* The run between the first and the last known moment; the job's own end where no task has one. */
static bool pai_take_run(ws_table *table, pai_reader *reader, const ws_pai_entry *entry,
                         ws_trace_job *job)
{
    int64_t end_ns = entry->end_ns;

    if (entry->start_ns == WS_TRACE_UNKNOWN_NS) {
        return ws_table_fault(table, WS_TRACE_NO_RUN, PAI_JOB, "no task of it started");
    }
    if (end_ns == WS_TRACE_UNKNOWN_NS && !ws_table_is_void(table, PAI_END) &&
        !ws_table_seconds(table, PAI_END, WS_TRACE_BAD_DURATION, &end_ns)) {
        return false;
    }
    if (end_ns != WS_TRACE_UNKNOWN_NS && end_ns < entry->start_ns) {
        return ws_table_fault(table, WS_TRACE_ENDS_BEFORE_START, PAI_JOB, "%s", "");
    }
    if (!ws_table_take_run(table, &reader->runs, entry->start_ns, end_ns, job)) {
        return false;
    }
    if (entry->has_interrupted) {
        ws_table_note(table, WS_TRACE_GANG_STOPPED);
    }
    return true;
}

static bool pai_read_row(ws_table *table, void *context, ws_trace_job *job)
{
    pai_reader *reader = context;
    ws_pai_entry *entry = NULL;

    if (!ws_table_id(table, PAI_JOB, &job->id)) {
        return false;
    }
    entry = ws_pai_find(&reader->entries, job->id);
    if (entry != NULL && !entry->is_taken) {
        entry->is_taken = true;
        for (int64_t i = 0; i < entry->rows; i++) {
            (void)ws_trace_report_count(table->reading->report, WS_TRACE_MERGED_ROW, 0);
        }
    }
    if (!ws_table_seconds(table, PAI_START, WS_TRACE_BAD_TIME, &job->arrival_ns) ||
        !pai_read_status(table, job)) {
        return false;
    }
    if (entry == NULL || !entry->has_task) {
        return ws_table_fault(table, WS_TRACE_NO_TASK, PAI_JOB, "%s", "");
    }
    job->user = ws_table_text(table, PAI_USER);
    job->gpu_type = entry->gpu_type;
    return pai_take_gpus(table, entry, job) && pai_take_run(table, reader, entry, job);
}

/* Rows whose job the table of jobs does not hold. */
static void pai_count_orphans(const pai_reader *reader, ws_trace_reading *reading)
{
    for (size_t i = 0; i < reader->entries.count; i++) {
        const ws_pai_entry *entry = &reader->entries.entries[i];

        for (int64_t row = 0; !entry->is_taken && row < entry->rows; row++) {
            (void)ws_trace_report_count(reading->report, WS_TRACE_ORPHAN_ROW, 0);
        }
    }
}

/* Another table of the same trace in the place of the jobs. */
static bool pai_is_other_table(ws_trace_reading *reading, bool *is_other)
{
    const ws_table_form form = {.has_no_header = true};
    ws_table table;

    *is_other = false;
    if (!ws_table_open_as(&table, reading, pai_columns, WS_COUNT_OF(pai_columns), &form)) {
        return false;
    }
    if (table.csv.field_count == 9 || table.csv.field_count == 10) {
        *is_other = true;
        (void)ws_diag_error(reading->diag, 6145, ws_csv_reader_span(&table.csv, 10),
                            "this is PAI's table of %s, not of jobs",
                            table.csv.field_count == 10 ? "tasks" : "instances");
    }
    return ws_table_close(&table);
}

static bool pai_tell_no_tasks(const ws_trace_reading *reading)
{
    ws_diagnostic diagnostic = {.severity = WS_SEVERITY_ERROR,
                                .code = 6145,
                                .at = reading->file->at,
                                .message = WS_TEXT("a trace of PAI needs its table of tasks: jobs "
                                                   "state no GPUs"),
                                .help = WS_TEXT("name pai_task_table.csv as `tasks`")};

    ws_diag_add(reading->diag, &diagnostic);
    return false;
}

static bool pai_read(ws_trace_reading *reading)
{
    const ws_file_name *with = reading->options->with;
    const ws_table_form form = {.has_no_header = true};
    pai_reader reader = {.entries = {.arena = reading->arena}};
    bool is_other = false;

    WS_ASSERT(reading != NULL);
    reading->about = (ws_trace_about){.clock = WS_TRACE_CLOCK_OWN, .names_jobs = true};
    if (!pai_is_other_table(reading, &is_other) || is_other) {
        return false;
    }
    if (with[WS_TRACE_WITH_TASKS].path == NULL) {
        return pai_tell_no_tasks(reading);
    }
    if (!ws_trace_runs_init(&reader.runs, reading) ||
        !ws_pai_read_tasks(&reader.entries, reading, &with[WS_TRACE_WITH_TASKS])) {
        return false;
    }
    if (with[WS_TRACE_WITH_INSTANCES].path != NULL &&
        !ws_pai_read_instances(&reader.entries, reading, &with[WS_TRACE_WITH_INSTANCES])) {
        return false;
    }
    if (!ws_table_read_jobs(reading, pai_columns, WS_COUNT_OF(pai_columns), &form, pai_read_row,
                            &reader)) {
        return false;
    }
    pai_count_orphans(&reader, reading);
    return true;
}

const ws_trace_type ws_trace_pai = {
    .name = "pai",
    .summary = "Alibaba PAI, cluster-trace-gpu-v2020: its jobs, with its tasks and instances",
    .sniff = pai_sniff,
    .read = pai_read,
};
