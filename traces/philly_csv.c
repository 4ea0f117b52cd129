/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The table that people pass around of the Philly cluster (Microsoft, 2017), from the Pollux
 * artifact: timestamp,duration,num_gpus,gpu_time,cluster.
 *
 * Times are the wall clock of US/Pacific without a zone, not in order; the hour that occurs twice
 * on 2017-11-05 is not told apart. There is no id (rows are numbered from 1), no start, and no
 * outcome. Equal rows are kept: without an id a copy cannot be told from a twin. gpu_time is
 * duration x num_gpus in every row of the original; where it is not, the duration counts and the
 * row is noted. Source: github.com/petuum/adaptdl, branch osdi21-artifact,
 * simulator/traces/philly.csv.
 */
#include <math.h>

#include "clock.h"
#include "list.h"
#include "table.h"
#include "ws/number.h"

enum { PHILLY_TIMESTAMP, PHILLY_DURATION, PHILLY_NUM_GPUS, PHILLY_GPU_TIME, PHILLY_CLUSTER };

static const ws_trace_column philly_columns[] = {
    [PHILLY_TIMESTAMP] = {"timestamp", "", true, "submission, wall clock of US/Pacific"},
    [PHILLY_DURATION] = {"duration", "s", true, "run time"},
    [PHILLY_NUM_GPUS] = {"num_gpus", "1", true, "GPUs of the job"},
    [PHILLY_GPU_TIME] = {"gpu_time", "GPU*s", false, "duration x num_gpus; checked, not used"},
    [PHILLY_CLUSTER] = {"cluster", "", false, "virtual cluster"},
};

static bool philly_sniff(ws_text head)
{
    static const char *const names[] = {"timestamp", "duration", "num_gpus"};

    return ws_table_header_has(head, ',', names, WS_COUNT_OF(names));
}

static bool philly_read_arrival(ws_table *table, int64_t *arrival_ns)
{
    int64_t offset_ns = 0;

    if (!ws_table_date(table, PHILLY_TIMESTAMP, WS_TRACE_BAD_TIME, arrival_ns)) {
        return false;
    }
    if (ws_clock_us_pacific(*arrival_ns, &offset_ns) == WS_CLOCK_FOLDED) {
        ws_table_note(table, WS_TRACE_CLOCK_FOLD);
    }
    return true;
}

/* Within a millionth: the file's numbers are decimal text. */
static void philly_check_gpu_time(ws_table *table, const ws_trace_job *job)
{
    double expected = (double)job->duration_ns / 1e9 * job->gpus;
    double stated = 0;

    if (!ws_table_has(table, PHILLY_GPU_TIME) || job->gpus_frac > 0) {
        return;
    }
    if (!ws_parse_f64(ws_table_text(table, PHILLY_GPU_TIME), &stated) ||
        !(fabs(stated - expected) <= 1e-6 * expected)) {
        (void)ws_table_fault(table, WS_TRACE_GPU_TIME_DIFFERS, PHILLY_GPU_TIME,
                             "duration x num_gpus is %.10g", expected);
    }
}

static bool philly_read_row(ws_table *table, void *context, ws_trace_job *job)
{
    (void)context;
    job->id = ws_table_row_id(table);
    if (!philly_read_arrival(table, &job->arrival_ns) ||
        !ws_table_gpus(table, PHILLY_NUM_GPUS, &job->gpus, &job->gpus_frac) ||
        !ws_table_duration(table, PHILLY_DURATION, &job->duration_ns)) {
        return false;
    }
    job->queue = ws_table_text(table, PHILLY_CLUSTER);
    philly_check_gpu_time(table, job);
    return true;
}

static bool philly_read(ws_trace_reading *reading)
{
    WS_ASSERT(reading != NULL);

    reading->about = (ws_trace_about){.clock = WS_TRACE_CLOCK_WALL, .zone = WS_TEXT("US/Pacific")};
    return ws_table_read_jobs(reading, philly_columns, WS_COUNT_OF(philly_columns), NULL,
                              philly_read_row, NULL);
}

const ws_trace_type ws_trace_philly_csv = {
    .name = "philly-csv",
    .summary = "Philly (Microsoft, 2017) as the Pollux artifact's table",
    .columns = philly_columns,
    .column_count = WS_COUNT_OF(philly_columns),
    .sniff = philly_sniff,
    .read = philly_read,
};
