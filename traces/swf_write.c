/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The Standard Workload Format, written: see swf.c for its fields.
 *
 * All fields are whole numbers: times are rounded to seconds (a run never to 0), names are
 * numbered in the order in which they come unless all of a column are numbers already. A job of
 * several runs is a line that sums it up and a line for each part. Processors are GPUs, partitions
 * GPU types. `UnixStartTime` is there only for UTC: a wall clock of another zone is told in a note.
 */
#include <errno.h>
#include <inttypes.h>

#include "clock.h"
#include "list.h"
#include "names.h"
#include "ws/number.h"

#define SWF_NUMBER_DIGITS_MAX 18

enum { SWF_NAME_ID, SWF_NAME_USER, SWF_NAME_KIND, SWF_NAME_QUEUE, SWF_NAME_GPU_TYPE };
enum { SWF_NAME_COUNT = SWF_NAME_GPU_TYPE + 1 };

/* A column whose texts become numbers. */
typedef struct {
    ws_trace_names names;
    bool are_numbers; /* all of them: they stay as they are */
} swf_column;

typedef struct {
    const ws_trace *trace;
    ws_writer *writer;
    swf_column columns[SWF_NAME_COUNT];
    int64_t lines;
    int64_t unix_s; /* 0: none is told */
    int64_t add_ns; /* to times since the trace's origin */
} swf_writer;

/* Rounded to the nearest, halves up. */
static int64_t swf_round_s(int64_t ns)
{
    return (ns + WS_NS_PER_S / 2) / WS_NS_PER_S;
}

static bool swf_is_whole_number(ws_text text)
{
    bool has_zero = text.length > 1 && text.start[0] == '0';

    if (text.length == 0 || text.length > SWF_NUMBER_DIGITS_MAX || has_zero) {
        return false;
    }
    for (size_t i = 0; i < text.length; i++) {
        if (text.start[i] < '0' || text.start[i] > '9') {
            return false;
        }
    }
    return true;
}

/* ---- what is written, before it is ---- */

static ws_text swf_text(const ws_trace_job *job, size_t column)
{
    const ws_text texts[SWF_NAME_COUNT] = {[SWF_NAME_ID] = job->id,
                                           [SWF_NAME_USER] = job->user,
                                           [SWF_NAME_KIND] = job->kind,
                                           [SWF_NAME_QUEUE] = job->queue,
                                           [SWF_NAME_GPU_TYPE] = job->gpu_type};

    return texts[column];
}

/* Runs with a known end: the others have no line. */
static int32_t swf_part_count(const ws_trace_job *job)
{
    int32_t parts = 0;

    for (int32_t i = 0; i < job->attempt_count; i++) {
        parts += job->attempts[i].end_ns != WS_TRACE_UNKNOWN_NS ? 1 : 0;
    }
    return parts;
}

static bool swf_count_names(swf_writer *task, size_t i)
{
    const ws_trace *trace = task->trace;
    swf_column *column = &task->columns[i];
    size_t index = 0;

    column->are_numbers = true;
    for (size_t j = 0; j < trace->count; j++) {
        ws_text text = swf_text(&trace->jobs[j], i);

        if (text.length == 0) {
            continue;
        }
        column->are_numbers = column->are_numbers && swf_is_whole_number(text);
        if (!ws_trace_names_index(&column->names, text, &index)) {
            return false;
        }
    }
    return true;
}

/* The clock of the file's times. */
static void swf_choose_clock(swf_writer *task)
{
    const ws_trace *trace = task->trace;
    size_t count = trace->count;
    int64_t last_ns = count > 0 ? trace->jobs[count - 1].arrival_ns : 0;

    if (trace->clock == WS_TRACE_CLOCK_UTC && trace->origin_ns >= WS_NS_PER_S &&
        trace->origin_ns < WS_CLOCK_NS_MAX) {
        task->unix_s = trace->origin_ns / WS_NS_PER_S;
        task->add_ns = trace->origin_ns % WS_NS_PER_S;
    } else if (trace->clock == WS_TRACE_CLOCK_OWN && trace->origin_ns >= 0 &&
               trace->origin_ns <= WS_HORIZON_MAX_NS - last_ns) {
        task->add_ns = trace->origin_ns;
    }
}

static bool swf_prepare(swf_writer *task, ws_arena *scratch)
{
    swf_column *ids = &task->columns[SWF_NAME_ID];

    for (size_t i = 0; i < SWF_NAME_COUNT; i++) {
        ws_trace_names_init(&task->columns[i].names, scratch);
        if (!swf_count_names(task, i)) {
            return false;
        }
    }
    /* A number that two jobs bear would join them. */
    ids->are_numbers = ids->are_numbers && ids->names.count == task->trace->count;
    for (size_t i = 0; i < task->trace->count; i++) {
        int32_t parts = swf_part_count(&task->trace->jobs[i]);

        task->lines += parts > 1 ? 1 + parts : 1;
    }
    swf_choose_clock(task);
    return true;
}

/* ---- the header ---- */

/* A name on one line: control characters become blanks. */
static void swf_write_name(ws_writer *writer, ws_text name)
{
    for (size_t i = 0; i < name.length; i++) {
        bool is_control = (unsigned char)name.start[i] < ' ';

        ws_write_bytes(writer, is_control ? " " : &name.start[i], 1);
    }
    ws_write_string(writer, "\n");
}

static void swf_write_names(const swf_writer *task, size_t i, const char *label)
{
    const swf_column *column = &task->columns[i];

    for (size_t j = 0; !column->are_numbers && j < column->names.count; j++) {
        ws_write_format(task->writer, "; %s %zu ", label, j + 1);
        swf_write_name(task->writer, column->names.items[j]);
    }
}

static void swf_write_header(const swf_writer *task)
{
    const ws_trace *trace = task->trace;
    char date[WS_TRACE_DATE_BYTES];

    ws_write_format(task->writer, "; Version: 2.2\n; MaxJobs: %zu\n; MaxRecords: %" PRId64 "\n",
                    trace->count, task->lines);
    if (task->unix_s > 0) {
        ws_write_format(task->writer, "; UnixStartTime: %" PRId64 "\n; TimeZoneString: UTC\n",
                        task->unix_s);
    } else if (trace->clock != WS_TRACE_CLOCK_OWN) {
        (void)ws_trace_print_date(trace, 0, date);
        ws_write_format(task->writer, "; Note: time 0 is %s, zone ", date);
        swf_write_name(task->writer, trace->zone);
    }
    ws_write_string(task->writer, "; Note: processors are GPUs\n");
    swf_write_names(task, SWF_NAME_QUEUE, "Queue:");
    swf_write_names(task, SWF_NAME_GPU_TYPE, "Partition:");
    swf_write_names(task, SWF_NAME_USER, "Note: user");
    swf_write_names(task, SWF_NAME_KIND, "Note: executable");
}

/* ---- the lines ---- */

static int swf_status(ws_trace_outcome outcome)
{
    switch (outcome) {
    case WS_TRACE_OUTCOME_COMPLETED:
        return 1;
    case WS_TRACE_OUTCOME_CANCELLED:
        return 5;
    case WS_TRACE_OUTCOME_FAILED:
    case WS_TRACE_OUTCOME_TIMEOUT:
    case WS_TRACE_OUTCOME_NODE_FAIL:
        return 0;
    case WS_TRACE_OUTCOME_PREEMPTED:
    case WS_TRACE_OUTCOME_RUNNING:
    case WS_TRACE_OUTCOME_PENDING:
    case WS_TRACE_OUTCOME_UNKNOWN:
    case WS_TRACE_OUTCOME_COUNT:
        break;
    }
    return -1;
}

static void swf_write_word(const swf_writer *task, size_t job, size_t i)
{
    const swf_column *column = &task->columns[i];
    ws_text text = swf_text(&task->trace->jobs[job], i);

    if (text.length == 0) {
        ws_write_string(task->writer, "-1 ");
    } else if (column->are_numbers) {
        ws_write_format(task->writer, "%.*s ", WS_TEXT_ARGS(text));
    } else if (i == SWF_NAME_ID) {
        ws_write_format(task->writer, "%zu ", job + 1);
    } else {
        ws_write_format(task->writer, "%zu ", ws_trace_names_find(&column->names, text));
    }
}

/* One line; spans in seconds, -1: unknown. */
static void swf_write_line(const swf_writer *task, size_t i, int64_t wait_s, int64_t run_s,
                           int status)
{
    const ws_trace_job *job = &task->trace->jobs[i];

    swf_write_word(task, i, SWF_NAME_ID);
    ws_write_format(
        task->writer, "%" PRId64 " %" PRId64 " %" PRId64 " %" PRId32 " -1 -1 %" PRId32 " -1 -1 %d ",
        swf_round_s(job->arrival_ns + task->add_ns), wait_s, run_s, job->gpus, job->gpus, status);
    swf_write_word(task, i, SWF_NAME_USER);
    ws_write_string(task->writer, "-1 ");
    swf_write_word(task, i, SWF_NAME_KIND);
    swf_write_word(task, i, SWF_NAME_QUEUE);
    swf_write_word(task, i, SWF_NAME_GPU_TYPE);
    ws_write_string(task->writer, "-1 -1\n");
}

/* The parts; ends are rounded, not lengths, so that parts stay one behind the other. */
static void swf_write_parts(const swf_writer *task, size_t i)
{
    const ws_trace_job *job = &task->trace->jobs[i];
    int64_t end_s = swf_round_s(job->arrival_ns + task->add_ns);
    int32_t left = swf_part_count(job);

    for (int32_t j = 0; j < job->attempt_count; j++) {
        const ws_trace_attempt *part = &job->attempts[j];

        if (part->end_ns == WS_TRACE_UNKNOWN_NS) {
            continue;
        }
        int64_t start_s = swf_round_s(part->start_ns + task->add_ns);
        int64_t part_end_s = swf_round_s(part->end_ns + task->add_ns);
        int last = part->outcome == WS_TRACE_OUTCOME_COMPLETED ? 3 : 4;

        left--;
        swf_write_line(task, i, start_s - end_s, part_end_s - start_s, left > 0 ? 2 : last);
        end_s = part_end_s;
    }
}

static void swf_write_job(const swf_writer *task, size_t i)
{
    const ws_trace_job *job = &task->trace->jobs[i];
    int64_t submit_s = swf_round_s(job->arrival_ns + task->add_ns);
    int64_t wait_s = -1;
    int64_t run_s = -1;

    if (job->queue_ns != WS_TRACE_UNKNOWN_NS) {
        wait_s = swf_round_s(job->arrival_ns + job->queue_ns + task->add_ns) - submit_s;
    }
    if (job->duration_ns != WS_TRACE_UNKNOWN_NS) {
        run_s = swf_round_s(job->duration_ns);
        run_s = run_s > 0 ? run_s : 1;
    }
    swf_write_line(task, i, wait_s, run_s, swf_status(job->outcome));
    if (swf_part_count(job) > 1) {
        swf_write_parts(task, i);
    }
}

static void swf_write(const ws_trace *trace, ws_writer *writer, ws_arena *scratch)
{
    swf_writer task = {.trace = trace, .writer = writer};

    WS_ASSERT(trace != NULL && writer != NULL && scratch != NULL);
    if (!swf_prepare(&task, scratch)) {
        writer->error = writer->error == 0 ? ENOMEM : writer->error;
        return;
    }
    swf_write_header(&task);
    for (size_t i = 0; i < trace->count; i++) {
        swf_write_job(&task, i);
    }
}

const ws_trace_export ws_trace_export_swf = {
    .name = "swf",
    .summary = "Standard Workload Format of the Parallel Workloads Archive: GPUs as processors",
    .not_held =
        "times are rounded to seconds (a run never to 0); ids, users, queues, kinds and GPU types "
        "are numbered, unless all are numbers; shares of GPUs, nodes, batches and the zone of "
        "a wall clock have no place there; timeouts and failed nodes count as failed, jobs "
        "preempted, running or pending as unknown; of several runs, those without an end, and "
        "other sizes than the job's, are not told",
    .write = swf_write,
};
