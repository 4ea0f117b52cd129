/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The keys of demand: recorded series as work that arrives over time. */
#include "file.h"
#include "ws/elasticity.h"

#define ROW(structure, field) .name = #field, .offset = offsetof(structure, field)
#define SELF(structure)                                                                            \
    {                                                                                              \
        .kind = WS_PARAMETER_SELF, .offset = offsetof(structure, self)                             \
    }

#define FILE_HELP "recorded series, relative to this file"
#define FORMAT_HELP "format of the series; `auto`: found by its content"
#define METRIC_HELP "its name; default: the only one that the file holds"
#define SELECT_HELP "labels that a series must have: {namespace: ml}"

static const ws_parameter recorded_replicas_rows[] = {
    SELF(ws_file_recorded_replicas),
    {ROW(ws_file_recorded_replicas, count), .kind = WS_PARAMETER_NUMBER, .min = "0",
     .above_min = true, .max = "1000000", .help = "at all times"},
    {.name = "file",
     .offset = offsetof(ws_file_recorded_replicas, series.file),
     .kind = WS_PARAMETER_PATH,
     .help = FILE_HELP},
    {.name = "format",
     .offset = offsetof(ws_file_recorded_replicas, series.format),
     .kind = WS_PARAMETER_TEXT,
     .default_text = "auto",
     .help = FORMAT_HELP},
    {.name = "metric",
     .offset = offsetof(ws_file_recorded_replicas, series.metric),
     .kind = WS_PARAMETER_TEXT,
     .help = METRIC_HELP},
    {.name = "select",
     .offset = offsetof(ws_file_recorded_replicas, series.select),
     .kind = WS_PARAMETER_DOCUMENT,
     .help = SELECT_HELP},
};
static const ws_parameter_table recorded_replicas_table = {
    .noun = "recorded replicas",
    .rows = recorded_replicas_rows,
    .count = WS_COUNT_OF(recorded_replicas_rows),
    .bytes = sizeof(ws_file_recorded_replicas),
    .scalar_key = "count"};

static const ws_parameter demand_elasticity_rows[] = {
    SELF(ws_file_elasticity),
    {ROW(ws_file_elasticity, mode), .kind = WS_PARAMETER_CHOICE, .choices = ws_elasticity_names,
     .choice_noun = "an elasticity mode",
     .choices_help = "write `mode: restart`: every worker stops, and all start at the new size",
     .default_text = "restart", .help = "what happens when the size is to change"},
};
static const ws_parameter_table demand_elasticity_table = {.noun = "elasticity",
                                                           .rows = demand_elasticity_rows,
                                                           .count =
                                                               WS_COUNT_OF(demand_elasticity_rows),
                                                           .bytes = sizeof(ws_file_elasticity),
                                                           .scalar_key = "mode"};

static const char *const hole_choices[] = {"skip", "hold", NULL};

static const ws_parameter demand_rows[] = {
    SELF(ws_file_demand),
    {ROW(ws_file_demand, name), .kind = WS_PARAMETER_NAME, .default_text = "demand",
     .help = "name of the job that has the demand"},
    {.name = "file",
     .offset = offsetof(ws_file_demand, series.file),
     .kind = WS_PARAMETER_PATH,
     .required = true,
     .help = FILE_HELP},
    {.name = "format",
     .offset = offsetof(ws_file_demand, series.format),
     .kind = WS_PARAMETER_TEXT,
     .default_text = "auto",
     .help = FORMAT_HELP},
    {.name = "metric",
     .offset = offsetof(ws_file_demand, series.metric),
     .kind = WS_PARAMETER_TEXT,
     .help = METRIC_HELP},
    {.name = "select",
     .offset = offsetof(ws_file_demand, series.select),
     .kind = WS_PARAMETER_DOCUMENT,
     .help = SELECT_HELP},
    {ROW(ws_file_demand, full), .kind = WS_PARAMETER_NUMBER, .min = "0", .above_min = true,
     .help = "of a utilisation: its value where a GPU is busy all the time; default: known of "
             "exporters' metrics"},
    {ROW(ws_file_demand, per_replica), .kind = WS_PARAMETER_NUMBER, .min = "0", .above_min = true,
     .help = "of a rate, samples a second: what one replica does; the series are rates then"},
    {ROW(ws_file_demand, recorded_replicas), .kind = WS_PARAMETER_OPTIONAL_MAP,
     .table = &recorded_replicas_table,
     .help = "how many there were: a number, or series; default: each series is a GPU"},
    {ROW(ws_file_demand, holes), .kind = WS_PARAMETER_CHOICE, .choices = hole_choices,
     .choice_noun = "a way to take holes", .default_text = "skip",
     .help = "where nothing was recorded: nothing is known, or demand goes on as it was"},
    {ROW(ws_file_demand, from), .kind = WS_PARAMETER_TIMESTAMP,
     .help = "time 0 of the scenario, on the recording's clock; default: the first sample"},
    {ROW(ws_file_demand, to), .kind = WS_PARAMETER_TIMESTAMP,
     .help = "end of the demand; default: that of the recording"},
    {.name = "labels",
     .offset = offsetof(ws_file_demand, job.labels),
     .kind = WS_PARAMETER_DOCUMENT,
     .help = "of its pods and of their series: {app: server}"},
    {.name = "priority",
     .offset = offsetof(ws_file_demand, job.priority),
     .kind = WS_PARAMETER_INTEGER,
     .default_text = "0",
     .min = "-1000000",
     .max = "1000000",
     .help = "higher goes first, where the arbiter looks at it"},
    {.name = "gpus",
     .offset = offsetof(ws_file_demand, job.gpus),
     .kind = WS_PARAMETER_MAP,
     .table = &ws_file_job_gpus_table,
     .help = "what a replica needs"},
    {.name = "replicas",
     .offset = offsetof(ws_file_demand, job.replicas),
     .kind = WS_PARAMETER_MAP,
     .table = &ws_file_demand_replicas_table,
     .required = true,
     .help = "how many"},
    {.name = "elasticity",
     .offset = offsetof(ws_file_demand, job.elasticity),
     .kind = WS_PARAMETER_MAP,
     .table = &demand_elasticity_table,
     .help = "whether and how the number changes"},
    {.name = "speedup",
     .offset = offsetof(ws_file_demand, job.speedup),
     .kind = WS_PARAMETER_DOCUMENT,
     .help = "of more replicas, relative to one: linear, {amdahl: 95%}, or {curve: {400%: 350%, "
             "...}}; default: linear"},
    {.name = "worker_start",
     .offset = offsetof(ws_file_demand, job.worker_start),
     .kind = WS_PARAMETER_MAP,
     .table = &ws_file_worker_start_table,
     .help = "from placed to the first work"},
    {.name = "usage",
     .offset = offsetof(ws_file_demand, job.usage),
     .kind = WS_PARAMETER_MAP,
     .table = &ws_file_usage_table,
     .help = "what monitoring shows of processor and memory"},
};
const ws_parameter_table ws_file_demand_table = {.noun = "demand",
                                                 .rows = demand_rows,
                                                 .count = WS_COUNT_OF(demand_rows),
                                                 .bytes = sizeof(ws_file_demand)};
