/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The traces of Shockwave's simulator: Gavel's ten fields with two more, the mode in which the
 * batch changes (static, accordion, gns) and the run time.
 *
 * The run time is the authors' own, alone on the job's GPUs. Times are seconds from the trace's
 * start. Source: github.com/uw-mad-dash/shockwave, scheduler/traces/.
 */
#include "list.h"
#include "tabbed.h"
#include "table.h"

enum {
    SHOCKWAVE_KIND,
    SHOCKWAVE_COMMAND,
    SHOCKWAVE_DIRECTORY,
    SHOCKWAVE_STEPS_ARG,
    SHOCKWAVE_NEEDS_DATA,
    SHOCKWAVE_STEPS,
    SHOCKWAVE_GPUS,
    SHOCKWAVE_MODE,
    SHOCKWAVE_PRIORITY,
    SHOCKWAVE_SLO,
    SHOCKWAVE_DURATION,
    SHOCKWAVE_ARRIVAL,
    SHOCKWAVE_FIELDS
};

static const ws_trace_column shockwave_columns[SHOCKWAVE_FIELDS] = {
    [SHOCKWAVE_KIND] = {"job_type", "", true, "model and batch"},
    [SHOCKWAVE_COMMAND] = {"command", "", true, "not used"},
    [SHOCKWAVE_DIRECTORY] = {"working_directory", "", true, "not used"},
    [SHOCKWAVE_STEPS_ARG] = {"num_steps_arg", "", true, "not used"},
    [SHOCKWAVE_NEEDS_DATA] = {"needs_data_dir", "", true, "not used"},
    [SHOCKWAVE_STEPS] = {"total_steps", "1", true, "not used"},
    [SHOCKWAVE_GPUS] = {"scale_factor", "1", true, "GPUs"},
    [SHOCKWAVE_MODE] = {"mode", "", true, "how its batch changes; not used"},
    [SHOCKWAVE_PRIORITY] = {"priority_weight", "1", true, "not used"},
    [SHOCKWAVE_SLO] = {"SLO", "s", true, "not used"},
    [SHOCKWAVE_DURATION] = {"duration", "s", true, "run time"},
    [SHOCKWAVE_ARRIVAL] = {"arrival_time", "s", true, "submission"},
};

static bool shockwave_sniff(ws_text head)
{
    static const size_t numbers[] = {SHOCKWAVE_STEPS, SHOCKWAVE_GPUS, SHOCKWAVE_DURATION,
                                     SHOCKWAVE_ARRIVAL};

    return ws_tabbed_head_has(head, SHOCKWAVE_FIELDS, numbers, WS_COUNT_OF(numbers));
}

static bool shockwave_read_row(ws_table *table, void *context, ws_trace_job *job)
{
    (void)context;
    job->id = ws_table_row_id(table);
    job->kind = ws_table_text(table, SHOCKWAVE_KIND);
    return ws_table_seconds(table, SHOCKWAVE_ARRIVAL, WS_TRACE_BAD_TIME, &job->arrival_ns) &&
           ws_table_gpus(table, SHOCKWAVE_GPUS, &job->gpus, &job->gpus_frac) &&
           ws_table_duration(table, SHOCKWAVE_DURATION, &job->duration_ns);
}

static bool shockwave_read(ws_trace_reading *reading)
{
    WS_ASSERT(reading != NULL);

    reading->about = (ws_trace_about){.clock = WS_TRACE_CLOCK_OWN};
    return ws_table_read_jobs(reading, shockwave_columns, SHOCKWAVE_FIELDS, &ws_tabbed_form,
                              shockwave_read_row, NULL);
}

const ws_trace_type ws_trace_shockwave = {
    .name = "shockwave",
    .summary = "Shockwave's simulator, twelve fields",
    .sniff = shockwave_sniff,
    .read = shockwave_read,
};
