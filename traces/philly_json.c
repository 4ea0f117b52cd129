/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The job log of the Philly cluster (Microsoft, 2017): one JSON list of jobs, each with its
 * attempts.
 *
 * Times are the wall clock of US/Pacific. A job's arrival is kept as it is written; its other times
 * count on from there without the jump of the clock, so that queueing and run times are true across
 * the end of summer time. A time in the hour that passes twice is taken as the first passing unless
 * that would be before what precedes it, and counted. A start or an end may be the text "None",
 * anywhere in the list: such a run is kept as far as it is known and counts for no work. GPUs are
 * those of the first attempt that names any. The scheduler retried what failed, so attempts before
 * the last are failed ones. Keys that are not known are passed over: copies of the log carry more.
 * Source: github.com/msr-fiddle/philly-traces, README and analysis notebook.
 */
#include <stdarg.h>
#include <stdio.h>

#include "clock.h"
#include "list.h"
#include "philly_json_read.h"
#include "runs.h"

#define PHILLY_LABEL_BYTES 120

typedef struct {
    ws_json_reader json;
    ws_trace_reading *reading;
    ws_trace_runs runs;
    ws_philly_job job;
} philly_reader;

static bool philly_sniff(ws_text head)
{
    static const char *const keys[] = {"\"jobid\"", "\"attempts\"", "\"submitted_time\""};
    ws_text trimmed = ws_text_trimmed(head);

    if (trimmed.length == 0 || trimmed.start[0] != '[') {
        return false;
    }
    for (size_t i = 0; i < WS_COUNT_OF(keys); i++) {
        if (ws_trace_head_holds(trimmed, keys[i])) {
            return true;
        }
    }
    return false;
}

/* --- from the file's job to the record ------------------------------------------------------- */

/* Counts a finding about the job at hand; false, for `return philly_fault(...)`. */
static bool philly_fault(philly_reader *reader, ws_trace_finding finding, const char *label, ...)
    WS_PRINTF(3, 4);

static bool philly_fault(philly_reader *reader, ws_trace_finding finding, const char *label, ...)
{
    ws_trace_reading *reading = reader->reading;
    const ws_philly_job *job = &reader->job;
    char text[PHILLY_LABEL_BYTES];
    va_list arguments;

    va_start(arguments, label);
    (void)vsnprintf(text, sizeof text, label, arguments);
    va_end(arguments);
    if (ws_trace_report_count(reading->report, finding, job->line)) {
        reading->report->found[finding].first = job->at;
        reading->report->found[finding].label =
            ws_arena_copy_text(reading->diag->arena, ws_text_of(text));
    }
    if (ws_trace_reading_lists(reading, finding)) {
        ws_trace_reading_list(reading, &(ws_trace_rejected){.file = reading->file->shown,
                                                            .line = job->line,
                                                            .finding = finding,
                                                            .detail = ws_text_of(text),
                                                            .row = {.start = job->id.bytes,
                                                                    .length = job->id.length}});
    }
    return false;
}

static ws_text philly_text_of(const ws_philly_text *text)
{
    return (ws_text){.start = text->bytes, .length = text->length};
}

/* A time on the wall clock as it would be without its jumps since `submitted`: not before
 * `not_before` when it may be either of two. */
typedef struct {
    int64_t submitted_offset_ns;
    int64_t not_before_ns;
    bool has_fold;
    bool has_gap;
} philly_clock;

static int64_t philly_pin(philly_clock *clock, int64_t wall_ns)
{
    int64_t offset_ns = 0;
    ws_clock_kind kind = ws_clock_us_pacific(wall_ns, &offset_ns);
    int64_t at_ns = wall_ns - offset_ns + clock->submitted_offset_ns;

    clock->has_fold = clock->has_fold || kind == WS_CLOCK_FOLDED;
    clock->has_gap = clock->has_gap || kind == WS_CLOCK_SKIPPED;
    if (kind == WS_CLOCK_FOLDED && at_ns < clock->not_before_ns) {
        at_ns += WS_NS_PER_H;
    }
    return at_ns;
}

/* One attempt, its times made comparable. False when it cannot be used. */
static bool philly_add_run(philly_reader *reader, philly_clock *clock, int64_t index, int32_t gpus)
{
    const ws_philly_attempt *attempt = &reader->job.attempts[index];
    ws_trace_attempt run = {.start_ns = WS_TRACE_UNKNOWN_NS, .end_ns = WS_TRACE_UNKNOWN_NS};

    run.gpus = attempt->gpus > 0 ? (int32_t)attempt->gpus : gpus;
    if (attempt->start_ns == WS_PHILLY_BAD_NS || attempt->end_ns == WS_PHILLY_BAD_NS) {
        return philly_fault(reader, WS_TRACE_BAD_ATTEMPTS,
                            "attempt %d has no date such as 2017-10-09 07:01:55", (int)index + 1);
    }
    if (attempt->start_ns != WS_TRACE_UNKNOWN_NS) {
        run.start_ns = philly_pin(clock, attempt->start_ns);
        clock->not_before_ns = run.start_ns;
    }
    if (attempt->end_ns != WS_TRACE_UNKNOWN_NS) {
        run.end_ns = philly_pin(clock, attempt->end_ns);
    }
    if (run.start_ns != WS_TRACE_UNKNOWN_NS && run.end_ns != WS_TRACE_UNKNOWN_NS) {
        if (run.end_ns < run.start_ns) {
            return philly_fault(reader, WS_TRACE_ENDS_BEFORE_START, "attempt %d", (int)index + 1);
        }
        clock->not_before_ns = run.end_ns;
    }
    run.outcome =
        run.end_ns == WS_TRACE_UNKNOWN_NS ? WS_TRACE_OUTCOME_UNKNOWN : WS_TRACE_OUTCOME_FAILED;
    return ws_trace_runs_add(&reader->runs, &run) ||
           philly_fault(reader, WS_TRACE_BAD_ATTEMPTS, "more than %d attempts",
                        WS_TRACE_ATTEMPTS_MAX);
}

/* GPUs and machines of the first attempt that names any. */
static bool philly_take_gpus(philly_reader *reader, ws_trace_job *job)
{
    for (int64_t i = 0; i < reader->job.attempt_count; i++) {
        const ws_philly_attempt *attempt = &reader->job.attempts[i];

        if (attempt->gpus > WS_TRACE_GPUS_MAX || attempt->machines > WS_TRACE_NODES_MAX) {
            return philly_fault(reader, WS_TRACE_BAD_GPUS, "more than %d GPUs", WS_TRACE_GPUS_MAX);
        }
        if (job->gpus == 0 && attempt->gpus > 0) {
            job->gpus = (int32_t)attempt->gpus;
            job->nodes = (int32_t)attempt->machines;
        }
    }
    if (job->gpus == 0) {
        return philly_fault(reader, WS_TRACE_NO_GPU, "%s", "");
    }
    return true;
}

static bool philly_take_status(philly_reader *reader, ws_trace_job *job)
{
    static const struct {
        const char *status;
        ws_trace_outcome outcome;
    } statuses[] = {{"", WS_TRACE_OUTCOME_UNKNOWN},
                    {"Pass", WS_TRACE_OUTCOME_COMPLETED},
                    {"Killed", WS_TRACE_OUTCOME_CANCELLED},
                    {"Failed", WS_TRACE_OUTCOME_FAILED}};

    for (size_t i = 0; i < WS_COUNT_OF(statuses); i++) {
        if (ws_text_is(philly_text_of(&reader->job.status), statuses[i].status)) {
            job->outcome = statuses[i].outcome;
            return true;
        }
    }
    return philly_fault(reader, WS_TRACE_BAD_OUTCOME, "`status` is none of Pass, Killed, Failed");
}

static bool philly_take_head(philly_reader *reader, ws_trace_job *job)
{
    const ws_philly_job *read = &reader->job;

    job->id = philly_text_of(&read->id);
    job->user = philly_text_of(&read->user);
    job->queue = philly_text_of(&read->vc);
    if (job->id.length == 0) {
        return philly_fault(reader, WS_TRACE_BAD_ID, "%s",
                            read->id.is_too_long ? "`jobid` is longer than 1,024 bytes" : "");
    }
    if (read->submitted_ns == WS_TRACE_UNKNOWN_NS || read->submitted_ns == WS_PHILLY_BAD_NS) {
        return philly_fault(reader, WS_TRACE_BAD_TIME,
                            "`submitted_time` is no date such as 2017-10-09 07:01:55");
    }
    if (read->attempt_count == 0) {
        return philly_fault(reader, WS_TRACE_NO_RUN, "%s", "");
    }
    if (read->attempt_count > WS_TRACE_ATTEMPTS_MAX) {
        return philly_fault(reader, WS_TRACE_BAD_ATTEMPTS, "more than %d attempts",
                            WS_TRACE_ATTEMPTS_MAX);
    }
    return philly_take_status(reader, job) && philly_take_gpus(reader, job);
}

static bool philly_take_runs(philly_reader *reader, ws_trace_job *job)
{
    philly_clock clock = {.not_before_ns = reader->job.submitted_ns};
    ws_trace_finding why = WS_TRACE_NO_RUN;
    ws_trace_finding found[3];

    if (ws_clock_us_pacific(reader->job.submitted_ns, &clock.submitted_offset_ns) ==
        WS_CLOCK_FOLDED) {
        clock.has_fold = true;
    }
    job->arrival_ns = reader->job.submitted_ns;
    ws_trace_runs_clear(&reader->runs);
    for (int64_t i = 0; i < reader->job.attempt_count; i++) {
        if (!philly_add_run(reader, &clock, i, job->gpus)) {
            return false;
        }
    }
    if (!ws_trace_runs_finish(&reader->runs, job, &why)) {
        return philly_fault(reader, why, "%s", "");
    }
    reader->runs.attempts[reader->runs.count - 1].outcome = job->outcome;
    for (size_t i = 0, count = ws_trace_runs_findings(&reader->runs, found); i < count; i++) {
        (void)philly_fault(reader, found[i], "%s", "");
    }
    if (clock.has_fold) {
        (void)philly_fault(reader, WS_TRACE_CLOCK_FOLD, "%s", "");
    }
    if (clock.has_gap) {
        (void)philly_fault(reader, WS_TRACE_CLOCK_GAP, "%s", "");
    }
    return true;
}

/* --- the file -------------------------------------------------------------------------------- */

static bool philly_read_all(philly_reader *reader)
{
    ws_json_reader *json = &reader->json;

    if (!ws_json_reader_next(json)) {
        return false;
    }
    if (json->event != WS_JSON_LIST) {
        return ws_json_reader_refuse(json, "a list of jobs: `[`");
    }
    while (ws_json_reader_next(json) && json->event != WS_JSON_LIST_END) {
        ws_trace_job job = {.gpus = 0};

        if (!ws_philly_job_read(json, &reader->job)) {
            return false;
        }
        reader->reading->report->rows_read++;
        if (philly_take_head(reader, &job) && philly_take_runs(reader, &job) &&
            !ws_trace_reading_take(reader->reading, &job, reader->job.line)) {
            return false;
        }
    }
    return !json->failed && !ws_json_reader_next(json) && !json->failed;
}

static bool philly_read(ws_trace_reading *reading)
{
    philly_reader *reader = ws_arena_alloc(reading->arena, philly_reader, 1);
    bool is_read = false;

    WS_ASSERT(reading != NULL);
    reading->about = (ws_trace_about){
        .clock = WS_TRACE_CLOCK_WALL, .zone = WS_TEXT("US/Pacific"), .names_jobs = true};
    if (reader != NULL) {
        reader->reading = reading;
        reader->job.attempts =
            ws_arena_alloc(reading->arena, ws_philly_attempt, WS_TRACE_ATTEMPTS_MAX);
    }
    if (reader == NULL || reader->job.attempts == NULL) {
        return ws_diag_error(reading->diag, 9020, ws_span_none, "not enough memory for a trace");
    }
    if (!ws_trace_runs_init(&reader->runs, reading) ||
        !ws_json_reader_open(&reader->json, reading->file, &reading->options->limits,
                             reading->arena, reading->diag)) {
        return false;
    }
    is_read = philly_read_all(reader);
    return ws_json_reader_close(&reader->json) && is_read;
}

const ws_trace_type ws_trace_philly_json = {
    .name = "philly-json",
    .summary = "Philly (Microsoft, 2017) as published: cluster_job_log, with its attempts",
    .sniff = philly_sniff,
    .read = philly_read,
};
