/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What Slurm's sacct prints with -P (fields separated by `|`) and a header line.
 *
 * With -D a job that was requeued has a line for each of its runs, one under the other: these are
 * merged into one job with its attempts. Lines of steps (`7001.batch`) are left out; an element of
 * an array (`7004_1`) is a job of its own, and so is a component of a heterogeneous job (`7051+0`).
 * GPUs are those of AllocTRES, of ReqTRES where nothing was allocated: `gres/gpu=8`, or the sum of
 * `gres/gpu:TYPE=8` where only types stand. Dates are the cluster's wall clock, whose zone the
 * program cannot know. Source: sacct(1).
 */
#include "dated.h"
#include "list.h"

enum {
    SACCT_JOB,
    SACCT_STATE,
    SACCT_SUBMIT,
    SACCT_START,
    SACCT_END,
    SACCT_ALLOC,
    SACCT_REQUEST,
    SACCT_ELAPSED,
    SACCT_USER,
    SACCT_PARTITION,
    SACCT_NODES
};

static const ws_trace_column sacct_columns[] = {
    [SACCT_JOB] = {"JobID", "", true, "id; with a dot: a step"},
    [SACCT_STATE] = {"State", "", true, "how it ended"},
    [SACCT_SUBMIT] = {"Submit", "", true, "submission, a wall clock"},
    [SACCT_START] = {"Start", "", true, "start"},
    [SACCT_END] = {"End", "", true, "end"},
    [SACCT_ALLOC] = {"AllocTRES", "", true, "what it had: gres/gpu=8"},
    [SACCT_REQUEST] = {"ReqTRES", "", false, "what it asked for"},
    [SACCT_ELAPSED] = {"ElapsedRaw", "s", false, "run time; checked"},
    [SACCT_USER] = {"User", "", false, "who submitted it"},
    [SACCT_PARTITION] = {"Partition", "", false, "partition"},
    [SACCT_NODES] = {"NNodes", "1", false, "nodes"},
};

/* A job whose lines are being read. */
typedef struct {
    ws_dated dated;
    ws_trace_runs runs;
    ws_table_kept first; /* its first line, which holds its texts */
    ws_trace_job job;
    int64_t latest_ns; /* start of the run that `job.outcome` is of */
    bool is_open;
} sacct_reader;

static bool sacct_sniff(ws_text head)
{
    static const char *const names[] = {"JobID", "State", "Submit", "Start", "End"};

    return ws_table_header_has(head, '|', names, WS_COUNT_OF(names));
}

/* GPUs that a list of trackable resources names, and their type when it names one. */
typedef struct {
    int64_t untyped; /* -1: none stated */
    int64_t typed;
    ws_text type;
    bool is_bad;
} sacct_gpus;

static void sacct_add_resource(sacct_gpus *gpus, ws_text entry)
{
    const ws_text prefix = WS_TEXT("gres/gpu");
    size_t equals = ws_text_find_byte(entry, '=');
    ws_text name = ws_text_slice(entry, 0, equals);
    int64_t count = 0;

    if (!ws_text_starts_with(name, prefix) ||
        (name.length > prefix.length && name.start[prefix.length] != ':')) {
        return;
    }
    if (!ws_parse_i64(ws_text_slice(entry, equals + 1, entry.length), &count) || count < 0 ||
        count > WS_TRACE_GPUS_MAX) {
        gpus->is_bad = true;
    } else if (name.length == prefix.length) {
        gpus->untyped = count;
    } else {
        gpus->typed += count;
        gpus->type = ws_text_slice(name, prefix.length + 1, name.length);
    }
}

static bool sacct_read_gpus(ws_table *table, int32_t *count, ws_text *type)
{
    size_t column = ws_table_text(table, SACCT_ALLOC).length > 0 ? SACCT_ALLOC : SACCT_REQUEST;
    sacct_gpus gpus = {.untyped = -1};
    double share = 0;

    for (ws_text rest = ws_table_text(table, column); rest.length > 0;) {
        size_t end = ws_text_find_byte(rest, ',');

        sacct_add_resource(&gpus, ws_text_slice(rest, 0, end));
        rest = ws_text_slice(rest, end + 1, rest.length);
    }
    if (gpus.is_bad) {
        return ws_table_fault(table, WS_TRACE_BAD_GPUS, column, "no number of GPUs");
    }
    *type = gpus.type;
    return ws_table_take_gpus(
        table, column, (double)(gpus.untyped >= 0 ? gpus.untyped : gpus.typed), count, &share);
}

/* What one line says of the job that is open. */
static bool sacct_add_line(ws_table *table, sacct_reader *reader, const ws_dated_run *run,
                           int32_t gpus)
{
    const ws_trace_attempt attempt = {
        .start_ns = run->start_ns, .end_ns = run->end_ns, .gpus = gpus, .outcome = run->outcome};
    int64_t at_ns = run->start_ns;

    if (at_ns == WS_TRACE_UNKNOWN_NS) {
        at_ns = run->outcome == WS_TRACE_OUTCOME_PENDING ? INT64_MAX : run->submit_ns;
    } else if (!ws_trace_runs_add(&reader->runs, &attempt)) {
        return ws_table_fault(table, WS_TRACE_BAD_ATTEMPTS, SACCT_JOB, "more than %d runs",
                              WS_TRACE_ATTEMPTS_MAX);
    }
    if (run->submit_ns < reader->job.arrival_ns) {
        reader->job.arrival_ns = run->submit_ns;
    }
    if (at_ns >= reader->latest_ns) {
        reader->latest_ns = at_ns;
        reader->job.outcome = run->outcome;
    }
    return true;
}

/* Begins a job with its first line. */
static bool sacct_begin(ws_table *table, sacct_reader *reader, const ws_dated_run *run,
                        int32_t gpus, ws_text gpu_type)
{
    ws_trace_job *job = &reader->job;

    ws_trace_runs_clear(&reader->runs);
    if (!ws_table_keep(table, &reader->first)) {
        return false;
    }
    *job = (ws_trace_job){.duration_ns = WS_TRACE_UNKNOWN_NS,
                          .queue_ns = WS_TRACE_UNKNOWN_NS,
                          .arrival_ns = run->submit_ns,
                          .gpus = gpus};
    if (!ws_table_count(table, SACCT_NODES, WS_TRACE_BAD_NODES, WS_TRACE_NODES_MAX, &job->nodes)) {
        return false;
    }
    job->id = ws_table_kept_text(table, &reader->first, ws_table_text(table, SACCT_JOB));
    job->user = ws_table_kept_text(table, &reader->first, ws_table_text(table, SACCT_USER));
    job->queue = ws_table_kept_text(table, &reader->first, ws_table_text(table, SACCT_PARTITION));
    job->gpu_type = ws_table_kept_text(table, &reader->first, gpu_type);
    reader->latest_ns = INT64_MIN;
    return sacct_add_line(table, reader, run, gpus);
}

/* Ends the job that is open. False when the sink stopped. */
static bool sacct_end(ws_table *table, sacct_reader *reader)
{
    ws_trace_job *job = &reader->job;
    bool is_job = false;

    if (!reader->is_open) {
        return true;
    }
    reader->is_open = false;
    ws_table_swap(table, &reader->first);
    if (job->outcome == WS_TRACE_OUTCOME_PENDING && reader->runs.count > 0) {
        job->outcome = WS_TRACE_OUTCOME_RUNNING; /* waits to go on */
    }
    is_job = ws_table_take_runs(table, &reader->runs, job);
    ws_table_swap(table, &reader->first);
    return !is_job || ws_trace_reading_take(table->reading, job, reader->first.line);
}

/* One line: of a step, of the job that is open, or the first of another job. False when the sink
 * stopped. */
static bool sacct_read_line(ws_table *table, sacct_reader *reader)
{
    ws_text id = {.start = NULL};
    ws_text gpu_type = {.start = NULL};
    ws_dated_run run;
    int32_t gpus = 0;

    if (!ws_table_id(table, SACCT_JOB, &id)) {
        return true;
    }
    if (ws_text_find_byte(id, '.') < id.length) {
        ws_table_note(table, WS_TRACE_STEP);
        return true;
    }
    bool is_more = reader->is_open && ws_text_equals(id, reader->job.id);

    if (!is_more && !sacct_end(table, reader)) {
        return false;
    }
    if (!sacct_read_gpus(table, &gpus, &gpu_type) || !ws_dated_read(&reader->dated, table, &run)) {
        return true;
    }
    if (!is_more) {
        reader->is_open = sacct_begin(table, reader, &run, gpus, gpu_type);
    } else if (sacct_add_line(table, reader, &run, gpus)) {
        ws_table_note(table, WS_TRACE_MERGED_ROW);
    }
    return true;
}

static bool sacct_read(ws_trace_reading *reading)
{
    const ws_table_form form = {.dialect = {.separator = '|', .is_plain = true}};
    sacct_reader reader = {.dated = {.submit = SACCT_SUBMIT,
                                     .start = SACCT_START,
                                     .end = SACCT_END,
                                     .state = SACCT_STATE,
                                     .duration = SACCT_ELAPSED}};
    ws_table table;
    bool is_taken = true;

    WS_ASSERT(reading != NULL);
    reading->about = (ws_trace_about){
        .clock = WS_TRACE_CLOCK_WALL, .zone = WS_TEXT("unknown"), .names_jobs = true};
    if (!ws_trace_runs_init(&reader.runs, reading) ||
        !ws_table_open_as(&table, reading, sacct_columns, WS_COUNT_OF(sacct_columns), &form)) {
        return false;
    }
    while (is_taken && ws_table_next(&table)) {
        is_taken = sacct_read_line(&table, &reader);
    }
    is_taken = is_taken && sacct_end(&table, &reader);
    return ws_table_close(&table) && is_taken;
}

const ws_trace_type ws_trace_sacct = {
    .name = "sacct",
    .summary = "Slurm's accounting: sacct -P, with -D for every run of a requeued job",
    .sniff = sacct_sniff,
    .read = sacct_read,
};
