/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The program's own table, written: see worldsize_csv.c for what stands in it. */
#include <errno.h>
#include <stdio.h>

#include "list.h"
#include "seconds.h"
#include "worldsize_csv.h"
#include "ws/number.h"

const ws_trace_column ws_own_columns[] = {
    [OWN_ID] = {"id", "", true, "name of the job"},
    [OWN_ARRIVAL] = {"arrival_s", "s", true, "submission, since the row's origin"},
    [OWN_GPUS] = {"gpus", "1", true, "GPUs of the whole job"},
    [OWN_NODES] = {"nodes", "1", false, "nodes of the job; empty: not recorded"},
    [OWN_DURATION] = {"duration_s", "s", true, "sum of its runs"},
    [OWN_OUTCOME] = {"outcome", "", false,
                     "completed, cancelled, failed, timeout, node_fail, preempted, running or "
                     "pending; empty: not recorded"},
    [OWN_USER] = {"user", "", false, "who submitted it"},
    [OWN_QUEUE] = {"queue", "", false, "queue, partition or virtual cluster"},
    [OWN_START] = {"start_s", "s", false, "first run, since the row's origin; empty: not recorded"},
    [OWN_GPU_TYPE] = {"gpu_type", "", false, "GPU model asked for"},
    [OWN_KIND] = {"kind", "", false, "application or type of job"},
    [OWN_GPUS_FRAC] = {"gpus_frac", "1", false, "share asked for, where `gpus` was rounded up"},
    [OWN_ATTEMPTS] = {"attempts", "", false,
                      "runs as START..END:OUTCOME, joined by `;`; empty: one run from start_s on"},
    [OWN_ORIGIN] = {"origin_s", "s", false,
                    "where arrival_s = 0 lies on the clock; Unix time for a zone"},
    [OWN_ZONE] = {"zone", "", false, "UTC, a zone of a wall clock, or empty: a clock of its own"},
    [OWN_BATCH] = {"batch_samples", "1", false,
                   "global batch; a row that states it may leave duration_s empty"},
};

size_t ws_own_guard_length(ws_text text)
{
    size_t quotes = 0;

    while (quotes < text.length && text.start[quotes] == '\'') {
        quotes++;
    }
    if (quotes == text.length) {
        return 0;
    }
    switch (text.start[quotes]) {
    case '=':
    case '+':
    case '-':
    case '@':
    case '\t':
    case '\r':
        return quotes;
    default:
        return 0;
    }
}

/* A composed text; nothing composed means that memory is exhausted, which must not be an empty
 * field. */
static void own_write_composed(ws_writer *writer, ws_text text)
{
    if (text.start == NULL && writer->error == 0) {
        writer->error = ENOMEM;
    }
    ws_csv_text(writer, text);
}

/* Text that begins like a guarded one gets one more guard, so that reading takes off the right one.
 */
static void own_write_text(ws_writer *writer, ws_text text, ws_arena *scratch)
{
    if (ws_own_guard_length(text) > 0) {
        own_write_composed(writer, ws_arena_format(scratch, "'%.*s", WS_TEXT_ARGS(text)));
    } else {
        ws_csv_text(writer, text);
    }
}

/* True when start_s and duration_s tell all that the attempts tell. */
static bool own_is_single_run(const ws_trace_job *job)
{
    const ws_trace_attempt *only = job->attempts;

    return job->attempt_count == 0 ||
           (job->attempt_count == 1 && only->end_ns == only->start_ns + job->duration_ns &&
            only->gpus == job->gpus && only->outcome == job->outcome);
}

#define OWN_ATTEMPT_BYTES (2 * WS_TOTAL_TEXT_BYTES + 32)

/* NULL start when the scratch is exhausted. */
static ws_text own_print_attempts(const ws_trace_job *job, ws_arena *scratch)
{
    size_t room = (size_t)job->attempt_count * OWN_ATTEMPT_BYTES;
    char *all = ws_arena_alloc(scratch, char, room);
    size_t length = 0;

    for (int32_t i = 0; i < job->attempt_count && all != NULL; i++) {
        const ws_trace_attempt *attempt = &job->attempts[i];
        char start[WS_TOTAL_TEXT_BYTES];
        char end[WS_TOTAL_TEXT_BYTES];

        ws_trace_print_s(attempt->start_ns, start);
        ws_trace_print_s(attempt->end_ns, end);
        length += (size_t)snprintf(all + length, room - length, "%s%s..%s:%s", i > 0 ? ";" : "",
                                   start, end, ws_trace_outcome_name(attempt->outcome));
        if (attempt->gpus != job->gpus) {
            length += (size_t)snprintf(all + length, room - length, ":%d", (int)attempt->gpus);
        }
    }
    return (ws_text){.start = all, .length = length};
}

static void own_write_runs(ws_writer *writer, const ws_trace_job *job, ws_arena *scratch)
{
    if (own_is_single_run(job)) {
        ws_csv_empty(writer);
    } else {
        own_write_composed(writer, own_print_attempts(job, scratch));
    }
}

/* A number of which 0 means that it is not recorded. */
static void own_write_count(ws_writer *writer, int32_t count)
{
    if (count > 0) {
        ws_csv_i64(writer, count);
    } else {
        ws_csv_empty(writer);
    }
}

static void own_write_job(ws_writer *writer, const ws_trace *trace, const ws_trace_job *job,
                          ws_arena *scratch)
{
    own_write_text(writer, job->id, scratch);
    ws_trace_write_s(writer, job->arrival_ns);
    ws_csv_i64(writer, job->gpus);
    own_write_count(writer, job->nodes);
    if (job->duration_ns == WS_TRACE_UNKNOWN_NS) {
        ws_csv_empty(writer);
    } else {
        ws_trace_write_s(writer, job->duration_ns);
    }
    ws_csv_text(writer, ws_text_of(ws_trace_outcome_name(job->outcome)));
    own_write_text(writer, job->user, scratch);
    own_write_text(writer, job->queue, scratch);
    if (job->queue_ns == WS_TRACE_UNKNOWN_NS) {
        ws_csv_empty(writer);
    } else {
        ws_trace_write_s(writer, job->arrival_ns + job->queue_ns);
    }
    own_write_text(writer, job->gpu_type, scratch);
    own_write_text(writer, job->kind, scratch);
    if (job->gpus_frac > 0) {
        ws_csv_f64(writer, job->gpus_frac);
    } else {
        ws_csv_empty(writer);
    }
    own_write_runs(writer, job, scratch);
    ws_trace_write_s(writer, trace->origin_ns);
    own_write_text(writer, trace->zone, scratch);
}

static bool own_has_batches(const ws_trace *trace)
{
    for (size_t i = 0; i < trace->count; i++) {
        if (trace->jobs[i].batch_samples > 0) {
            return true;
        }
    }
    return false;
}

static void own_write_header(ws_writer *writer, size_t columns)
{
    for (size_t i = 0; i < columns; i++) {
        ws_csv_text(writer, ws_text_of(ws_own_columns[i].name));
    }
    ws_csv_end_row(writer);
}

static void own_write(const ws_trace *trace, ws_writer *writer, ws_arena *scratch)
{
    WS_ASSERT(trace != NULL);
    WS_ASSERT(writer != NULL);
    WS_ASSERT(scratch != NULL);

    bool with_batches = own_has_batches(trace);

    own_write_header(writer, with_batches ? OWN_COLUMN_COUNT : (size_t)OWN_BATCH);
    for (size_t i = 0; i < trace->count; i++) {
        own_write_job(writer, trace, &trace->jobs[i], scratch);
        if (with_batches) {
            own_write_count(writer, trace->jobs[i].batch_samples);
        }
        ws_csv_end_row(writer);
    }
}

static void own_begin(const ws_trace *about, ws_writer *writer)
{
    WS_ASSERT(about != NULL);
    own_write_header(writer, OWN_BATCH);
}

static void own_add(const ws_trace *about, const ws_trace_job *job, ws_writer *writer,
                    ws_arena *scratch)
{
    WS_ASSERT(job->batch_samples == 0);
    own_write_job(writer, about, job, scratch);
    ws_csv_end_row(writer);
}

const ws_trace_export ws_trace_export_worldsize = {
    .name = "worldsize",
    .summary = "the program's own table: CSV that holds all of a job",
    .write = own_write,
    .begin = own_begin,
    .add = own_add,
};
