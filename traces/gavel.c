/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The traces of Gavel's simulator: fields separated by tabs, no header line, ten fields or, under
 * msr/, seven. The sixth of ten is total_steps and the tenth the arrival; of seven they are the
 * fifth and the sixth.
 *
 * A trace states steps, not run times: how fast a job trains on which GPU is in the throughputs
 * that come with it (ws/trace.h, WS_TRACE_WITH_THROUGHPUTS), so a job's duration is its steps over
 * its speed, alone on its GPUs, all of the type that the options name (v100 if they do not). Times
 * are seconds from the trace's start. Source: github.com/stanford-futuredata/gavel, scheduler/.
 */
#include <math.h>

#include "list.h"
#include "tabbed.h"
#include "table.h"
#include "throughputs.h"

#define GAVEL_FIELDS 10
#define GAVEL_MSR_FIELDS 7

enum {
    GAVEL_KIND,
    GAVEL_COMMAND,
    GAVEL_DIRECTORY,
    GAVEL_STEPS_ARG,
    GAVEL_NEEDS_DATA,
    GAVEL_STEPS,
    GAVEL_GPUS,
    GAVEL_PRIORITY,
    GAVEL_SLO,
    GAVEL_ARRIVAL
};

static const ws_trace_column gavel_columns[GAVEL_FIELDS] = {
    [GAVEL_KIND] = {"job_type", "", true, "model and batch"},
    [GAVEL_COMMAND] = {"command", "", true, "not used"},
    [GAVEL_DIRECTORY] = {"working_directory", "", false, "not used"},
    [GAVEL_STEPS_ARG] = {"num_steps_arg", "", true, "not used"},
    [GAVEL_NEEDS_DATA] = {"needs_data_dir", "", true, "not used"},
    [GAVEL_STEPS] = {"total_steps", "1", true, "steps to train"},
    [GAVEL_GPUS] = {"scale_factor", "1", true, "GPUs"},
    [GAVEL_PRIORITY] = {"priority_weight", "1", false, "not used"},
    [GAVEL_SLO] = {"SLO", "s", false, "not used"},
    [GAVEL_ARRIVAL] = {"arrival_time", "s", true, "submission"},
};

/* Where the columns stand among seven. */
static const int32_t gavel_msr_fields[GAVEL_FIELDS] = {0, 1, -1, 2, 3, 4, 6, -1, -1, 5};

typedef struct {
    ws_throughputs throughputs;
    ws_text gpu_type;
} gavel_reader;

static bool gavel_sniff(ws_text head)
{
    static const size_t ten[] = {GAVEL_STEPS, GAVEL_GPUS, GAVEL_ARRIVAL};
    static const size_t seven[] = {4, 5, 6};

    return ws_tabbed_head_has(head, GAVEL_FIELDS, ten, WS_COUNT_OF(ten)) ||
           ws_tabbed_head_has(head, GAVEL_MSR_FIELDS, seven, WS_COUNT_OF(seven));
}

static bool gavel_read_duration(ws_table *table, const gavel_reader *reader, ws_trace_job *job)
{
    double steps = 0;
    double speed = 0;
    double ns = 0;

    if (!ws_parse_f64(ws_table_text(table, GAVEL_STEPS), &steps) || steps < 0) {
        return ws_table_fault(table, WS_TRACE_BAD_DURATION, GAVEL_STEPS, "no number of steps");
    }
    if (!(steps > 0)) {
        return ws_table_fault(table, WS_TRACE_NO_RUN, GAVEL_STEPS, "no steps");
    }
    speed = ws_throughputs_find(&reader->throughputs, job->kind, job->gpus);
    if (!(speed > 0)) {
        return ws_table_fault(table, WS_TRACE_NO_THROUGHPUT, GAVEL_KIND, "on %d of `%.*s`",
                              (int)job->gpus, WS_TEXT_ARGS(reader->gpu_type));
    }
    ns = round(steps / speed * 1e9);
    if (!(ns >= 1 && ns <= (double)WS_HORIZON_MAX_NS)) {
        return ws_table_fault(table, WS_TRACE_BAD_DURATION, GAVEL_STEPS, "%.6g s", ns / 1e9);
    }
    job->duration_ns = (int64_t)ns;
    return true;
}

static bool gavel_read_row(ws_table *table, gavel_reader *reader, ws_trace_job *job)
{
    job->id = ws_table_row_id(table);
    job->kind = ws_table_text(table, GAVEL_KIND);
    job->gpu_type = reader->gpu_type;
    return ws_table_seconds(table, GAVEL_ARRIVAL, WS_TRACE_BAD_TIME, &job->arrival_ns) &&
           ws_table_gpus(table, GAVEL_GPUS, &job->gpus, &job->gpus_frac) &&
           gavel_read_duration(table, reader, job);
}

static bool gavel_read_rows(ws_trace_reading *reading, gavel_reader *reader)
{
    ws_table table;
    bool is_taken = true;

    if (!ws_table_open_as(&table, reading, gavel_columns, GAVEL_FIELDS, &ws_tabbed_form)) {
        return false;
    }
    if (table.csv.field_count == GAVEL_MSR_FIELDS) {
        table.header_fields = GAVEL_MSR_FIELDS;
        for (size_t i = 0; i < GAVEL_FIELDS; i++) {
            table.field_of[i] = gavel_msr_fields[i];
        }
    }
    while (is_taken && ws_table_next(&table)) {
        ws_trace_job job = {.duration_ns = WS_TRACE_UNKNOWN_NS, .queue_ns = WS_TRACE_UNKNOWN_NS};

        if (gavel_read_row(&table, reader, &job)) {
            is_taken = ws_trace_reading_take(reading, &job, ws_table_line(&table));
        }
    }
    return ws_table_close(&table) && is_taken;
}

static bool gavel_read(ws_trace_reading *reading)
{
    const ws_file_name *throughputs = &reading->options->with[WS_TRACE_WITH_THROUGHPUTS];
    gavel_reader reader = {.gpu_type = reading->options->gpu_type};

    WS_ASSERT(reading != NULL);
    reading->about = (ws_trace_about){.clock = WS_TRACE_CLOCK_OWN};
    if (reader.gpu_type.length == 0) {
        reader.gpu_type = WS_TEXT("v100");
    }
    if (throughputs->path == NULL) {
        ws_diagnostic diagnostic = {
            .severity = WS_SEVERITY_ERROR,
            .code = 6145,
            .at = reading->file->at,
            .message = WS_TEXT("a trace of Gavel needs throughputs: it states steps, no run times"),
            .help = WS_TEXT("name the JSON file of steps per second as `throughputs`")};

        ws_diag_add(reading->diag, &diagnostic);
        return false;
    }
    return ws_throughputs_read(&reader.throughputs, reading, throughputs, reader.gpu_type) &&
           gavel_read_rows(reading, &reader);
}

const ws_trace_type ws_trace_gavel = {
    .name = "gavel",
    .summary = "Gavel's simulator, ten or seven fields; run times come from its throughputs",
    .sniff = gavel_sniff,
    .read = gavel_read,
};
