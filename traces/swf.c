/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The Standard Workload Format of the Parallel Workloads Archive, version 2.2: 18 numbers a line,
 * comments behind `;`, -1 for what is not known.
 *
 * Processors are cores in most logs: `cores_per_gpu` divides them, rounding up when shares are.
 * Lines of one job that stand together are merged: a line with status 0, 1 or 5 sums the job up,
 * those with 2, 3 and 4 are its parts between checkpoints, whose wait counts from the end of the
 * part before (the first one's from the submission). Times count from a zero of the log's own.
 * Source: www.cs.huji.ac.il/labs/parallel/workload/swf.html; Feitelson, Tsafrir, Krakov,
 * "Experience with using the Parallel Workloads Archive" (2014).
 */
#include <math.h>

#include "clock.h"
#include "list.h"
#include "table.h"

#define SWF_FIELDS 18

enum {
    SWF_JOB,
    SWF_SUBMIT,
    SWF_WAIT,
    SWF_RUN,
    SWF_ALLOCATED,
    SWF_REQUESTED = 7,
    SWF_STATUS = 10,
    SWF_USER,
    SWF_GROUP,
    SWF_EXECUTABLE,
    SWF_QUEUE,
    SWF_PARTITION
};

static const ws_trace_column swf_columns[SWF_FIELDS] = {
    {"job_number", "1", true, "number of the job"},
    {"submit_time", "s", true, "submission"},
    {"wait_time", "s", true, "from the submission to the start"},
    {"run_time", "s", true, "run time"},
    {"allocated_processors", "1", true, "processors that it had"},
    {"average_cpu_time", "s", true, "not used"},
    {"used_memory", "kB", true, "not used"},
    {"requested_processors", "1", true, "processors asked for, where those it had are not known"},
    {"requested_time", "s", true, "not used"},
    {"requested_memory", "kB", true, "not used"},
    {"status", "1", true,
     "0 failed, 1 completed, 2 to be continued, 3 last part, completed, 4 last part, failed, 5 "
     "cancelled"},
    {"user", "1", true, "number of the user"},
    {"group", "1", true, "not used"},
    {"executable", "1", true, "number of the program"},
    {"queue", "1", true, "number of the queue"},
    {"partition", "1", true, "not used"},
    {"preceding_job", "1", true, "not used"},
    {"think_time", "s", true, "not used"},
};

/* A job whose lines are being read. */
typedef struct {
    ws_trace_runs runs;
    ws_table_kept first; /* its first line, which holds its texts */
    ws_trace_job job;
    bool is_open;
    bool has_summary; /* a line with status 0, 1 or 5 */
    int64_t summary_run_ns;
    int64_t summary_start_ns;
    int64_t part_end_ns; /* of the part before */
    int64_t origin_ns;
} swf_reader;

static bool swf_is_number(ws_text word)
{
    double value = 0;

    return ws_parse_f64(word, &value);
}

/* The first line that is no comment has 18 numbers. */
static bool swf_sniff(ws_text head)
{
    ws_text line = {.start = NULL};

    do {
        size_t end = ws_text_find_byte(head, '\n');

        line = ws_text_trimmed(ws_text_slice(head, 0, end));
        head = ws_text_slice(head, end + 1, head.length);
    } while (head.length > 0 && (line.length == 0 || line.start[0] == ';'));
    size_t words = 0;

    while (line.length > 0) {
        size_t end = 0;

        while (end < line.length && line.start[end] != ' ' && line.start[end] != '\t') {
            end++;
        }
        if (!swf_is_number(ws_text_slice(line, 0, end))) {
            return false;
        }
        words++;
        line = ws_text_trimmed(ws_text_slice(line, end, line.length));
    }
    return words == SWF_FIELDS;
}

/* A time or span >= 0; -1 and whatever is below 0 is unknown. */
static bool swf_read_s(ws_table *table, size_t column, ws_trace_finding finding, int64_t *ns)
{
    ws_text text = ws_table_text(table, column);
    double value = 0;

    *ns = WS_TRACE_UNKNOWN_NS;
    if (ws_text_starts_with(text, WS_TEXT("-")) && ws_parse_f64(text, &value) && value < 0) {
        return true;
    }
    return ws_table_seconds(table, column, finding, ns);
}

static bool swf_read_gpus(ws_table *table, ws_trace_job *job)
{
    int32_t cores = table->reading->options->cores_per_gpu;
    double processors = 0;
    size_t column = SWF_ALLOCATED;

    WS_ASSERT(cores >= 0);
    if (!ws_parse_f64(ws_table_text(table, column), &processors)) {
        return ws_table_fault(table, WS_TRACE_BAD_GPUS, column, "no number of processors");
    }
    if (processors <= 0) {
        column = SWF_REQUESTED;
        if (!ws_parse_f64(ws_table_text(table, column), &processors)) {
            return ws_table_fault(table, WS_TRACE_BAD_GPUS, column, "no number of processors");
        }
    }
    if (processors < 0) {
        return ws_table_fault(table, WS_TRACE_BAD_GPUS, column, "how many is not known");
    }
    return ws_table_take_gpus(table, column, processors / (cores > 0 ? cores : 1), &job->gpus,
                              &job->gpus_frac);
}

/* A word of the first line: its number, or nothing for -1. */
static ws_text swf_name(const ws_table *table, const swf_reader *reader, size_t column)
{
    ws_text text = ws_table_text(table, column);

    if (ws_text_starts_with(text, WS_TEXT("-"))) {
        return (ws_text){.start = NULL};
    }
    return ws_table_kept_text(table, &reader->first, text);
}

static bool swf_read_status(ws_table *table, int64_t *status)
{
    double value = 0;

    if (!ws_parse_f64(ws_table_text(table, SWF_STATUS), &value) || !(value >= -1 && value <= 5) ||
        floor(value) < value) {
        return ws_table_fault(table, WS_TRACE_BAD_OUTCOME, SWF_STATUS, "expected -1..5");
    }
    *status = (int64_t)value;
    return true;
}

static ws_trace_outcome swf_outcome(int64_t status)
{
    static const ws_trace_outcome outcomes[] = {
        WS_TRACE_OUTCOME_FAILED,    WS_TRACE_OUTCOME_COMPLETED, WS_TRACE_OUTCOME_PREEMPTED,
        WS_TRACE_OUTCOME_COMPLETED, WS_TRACE_OUTCOME_FAILED,    WS_TRACE_OUTCOME_CANCELLED};

    return status < 0 ? WS_TRACE_OUTCOME_UNKNOWN : outcomes[status];
}

/* The part that a line with status 2, 3 or 4 tells of. */
static bool swf_add_part(ws_table *table, swf_reader *reader, int64_t wait_ns, int64_t run_ns,
                         int64_t status)
{
    ws_trace_attempt part = {.start_ns = WS_TRACE_UNKNOWN_NS,
                             .end_ns = WS_TRACE_UNKNOWN_NS,
                             .gpus = reader->job.gpus,
                             .outcome = swf_outcome(status)};

    if (wait_ns != WS_TRACE_UNKNOWN_NS && reader->part_end_ns != WS_TRACE_UNKNOWN_NS) {
        part.start_ns = reader->part_end_ns + wait_ns;
        part.end_ns = run_ns == WS_TRACE_UNKNOWN_NS ? WS_TRACE_UNKNOWN_NS : part.start_ns + run_ns;
    }
    reader->part_end_ns = part.end_ns;
    if (!ws_trace_runs_add(&reader->runs, &part)) {
        return ws_table_fault(table, WS_TRACE_BAD_ATTEMPTS, SWF_JOB, "more than %d parts",
                              WS_TRACE_ATTEMPTS_MAX);
    }
    reader->job.outcome = reader->has_summary ? reader->job.outcome : part.outcome;
    return true;
}

/* What one line says of the job that is open. */
static bool swf_add_line(ws_table *table, swf_reader *reader)
{
    int64_t wait_ns = 0;
    int64_t run_ns = 0;
    int64_t status = 0;

    if (!swf_read_s(table, SWF_WAIT, WS_TRACE_BAD_DURATION, &wait_ns) ||
        !swf_read_s(table, SWF_RUN, WS_TRACE_BAD_DURATION, &run_ns) ||
        !swf_read_status(table, &status)) {
        return false;
    }
    if (status >= 2 && status <= 4) {
        return swf_add_part(table, reader, wait_ns, run_ns, status);
    }
    reader->has_summary = true;
    reader->summary_run_ns = run_ns;
    reader->summary_start_ns =
        wait_ns == WS_TRACE_UNKNOWN_NS ? WS_TRACE_UNKNOWN_NS : reader->job.arrival_ns + wait_ns;
    reader->job.outcome = swf_outcome(status);
    return true;
}

/* Begins a job with its first line. False when that cannot be used. */
static bool swf_begin(ws_table *table, swf_reader *reader)
{
    ws_trace_job *job = &reader->job;

    ws_trace_runs_clear(&reader->runs);
    *job = (ws_trace_job){.duration_ns = WS_TRACE_UNKNOWN_NS, .queue_ns = WS_TRACE_UNKNOWN_NS};
    reader->has_summary = false;
    if (!ws_table_keep(table, &reader->first)) {
        return false;
    }
    job->id = swf_name(table, reader, SWF_JOB);
    if (job->id.length == 0) {
        return ws_table_fault(table, WS_TRACE_BAD_ID, SWF_JOB, "%s", "");
    }
    if (!ws_table_seconds(table, SWF_SUBMIT, WS_TRACE_BAD_TIME, &job->arrival_ns) ||
        !swf_read_gpus(table, job)) {
        return false;
    }
    job->arrival_ns += reader->origin_ns;
    job->user = swf_name(table, reader, SWF_USER);
    job->kind = swf_name(table, reader, SWF_EXECUTABLE);
    job->queue = swf_name(table, reader, SWF_QUEUE);
    reader->part_end_ns = job->arrival_ns;
    return swf_add_line(table, reader);
}

/* A summary alone: a run from the end of its wait on, or of its length where the wait is unknown.
 */
static bool swf_take_summary(ws_table *table, swf_reader *reader)
{
    ws_trace_job *job = &reader->job;

    if (reader->summary_run_ns == WS_TRACE_UNKNOWN_NS || reader->summary_run_ns == 0) {
        return ws_table_fault(table, WS_TRACE_NO_RUN, SWF_RUN, "%s", "");
    }
    if (reader->summary_start_ns == WS_TRACE_UNKNOWN_NS) {
        job->duration_ns = reader->summary_run_ns;
        return true;
    }
    return ws_table_take_run(table, &reader->runs, reader->summary_start_ns,
                             reader->summary_start_ns + reader->summary_run_ns, job);
}

static bool swf_take_job(ws_table *table, swf_reader *reader)
{
    bool has_parts = reader->runs.count > 0 || reader->runs.has_unknown;

    if (has_parts && (!reader->has_summary || !reader->runs.has_unknown)) {
        return ws_table_take_runs(table, &reader->runs, &reader->job);
    }
    return swf_take_summary(table, reader);
}

/* Ends the job that is open. False when the sink stopped. */
static bool swf_end(ws_table *table, swf_reader *reader)
{
    bool is_job = false;

    if (!reader->is_open) {
        return true;
    }
    reader->is_open = false;
    ws_table_swap(table, &reader->first);
    is_job = swf_take_job(table, reader);
    ws_table_swap(table, &reader->first);
    return !is_job || ws_trace_reading_take(table->reading, &reader->job, reader->first.line);
}

/* One line: of the job that is open, or the first of another one. False when the sink stopped. */
static bool swf_read_line(ws_table *table, swf_reader *reader)
{
    if (!reader->is_open || !ws_text_equals(ws_table_text(table, SWF_JOB), reader->job.id)) {
        if (!swf_end(table, reader)) {
            return false;
        }
        reader->is_open = swf_begin(table, reader);
    } else if (swf_add_line(table, reader)) {
        ws_table_note(table, WS_TRACE_MERGED_ROW);
    }
    return true;
}

static bool swf_read_rows(ws_table *table, swf_reader *reader)
{
    while (ws_table_next(table)) {
        if (!swf_read_line(table, reader)) {
            return false;
        }
    }
    return swf_end(table, reader);
}

/* When the log began, from its header: `; UnixStartTime: 1059...`. False with an error. */
static bool swf_read_origin(ws_trace_reading *reading, int64_t *origin_ns)
{
    const ws_text key = WS_TEXT("UnixStartTime:");
    ws_input *input = NULL;
    ws_text line = {.start = NULL};
    int64_t number = 0;
    int64_t unix_s = 0;

    if (!ws_input_open(&input, reading->file, &reading->options->limits, reading->diag)) {
        return false;
    }
    while (ws_input_read_line(input, &line, &number)) {
        line = ws_text_trimmed(line);
        if (line.length > 0 && line.start[0] != ';') {
            break;
        }
        line = ws_text_trimmed(ws_text_slice(line, 1, line.length));
        if (ws_text_starts_with(line, key) &&
            ws_parse_i64(ws_text_trimmed(ws_text_slice(line, key.length, line.length)), &unix_s) &&
            unix_s > 0 && unix_s < WS_CLOCK_NS_MAX / WS_NS_PER_S) {
            *origin_ns = unix_s * WS_NS_PER_S;
        }
    }
    return ws_input_close(input);
}

static bool swf_read(ws_trace_reading *reading)
{
    const ws_table_form form = {.dialect = {.separator = ' ', .comment = ';', .is_plain = true},
                                .has_no_header = true};
    swf_reader reader = {.is_open = false};
    ws_table table;
    bool is_taken = false;

    WS_ASSERT(reading != NULL);
    reading->about = (ws_trace_about){.clock = WS_TRACE_CLOCK_OWN, .names_jobs = true};
    if (!ws_trace_runs_init(&reader.runs, reading) ||
        !swf_read_origin(reading, &reader.origin_ns) ||
        !ws_table_open_as(&table, reading, swf_columns, WS_COUNT_OF(swf_columns), &form)) {
        return false;
    }
    if (reader.origin_ns > 0) {
        reading->about.clock = WS_TRACE_CLOCK_UTC;
        reading->about.zone = WS_TEXT("UTC");
    }
    is_taken = swf_read_rows(&table, &reader);
    return ws_table_close(&table) && is_taken;
}

const ws_trace_type ws_trace_swf = {
    .name = "swf",
    .summary = "Standard Workload Format of the Parallel Workloads Archive; processors as GPUs",
    .sniff = swf_sniff,
    .read = swf_read,
};
