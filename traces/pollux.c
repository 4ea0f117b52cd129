/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A workload of the Pollux artifact (OSDI'21): name,time,application,num_replicas,batch_size; Sia's
 * files have the same columns, with fractions of seconds.
 *
 * Times are seconds from a zero of the file's own, which is kept: the first job need not arrive at
 * it. A row says which application runs on how many GPUs with which global batch, the choice that
 * its user tuned; it does not say for how long. That is in the application's profile
 * (ws/trace_profile.h), so a job's duration is unknown here and its batch takes its place.
 * Source: github.com/petuum/adaptdl, branch osdi21-artifact, simulator/workloads/.
 */
#include "list.h"
#include "table.h"

#define POLLUX_KIND_BYTES_MAX 100

enum { POLLUX_NAME, POLLUX_TIME, POLLUX_APPLICATION, POLLUX_REPLICAS, POLLUX_BATCH };

static const ws_trace_column pollux_columns[] = {
    [POLLUX_NAME] = {"name", "", true, "name of the job"},
    [POLLUX_TIME] = {"time", "s", true, "submission, from the file's own zero"},
    [POLLUX_APPLICATION] = {"application", "", true, "which profile it runs by"},
    [POLLUX_REPLICAS] = {"num_replicas", "1", true, "GPUs that it was tuned to"},
    [POLLUX_BATCH] = {"batch_size", "1", true, "global batch that it was tuned to, samples"},
};

static bool pollux_sniff(ws_text head)
{
    static const char *const names[] = {"name", "time", "application", "num_replicas",
                                        "batch_size"};

    return ws_table_header_has(head, ',', names, WS_COUNT_OF(names));
}

static bool pollux_is_name_byte(char byte)
{
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
           (byte >= '0' && byte <= '9') || byte == '-' || byte == '_' || byte == '.';
}

/* An application names a folder of profiles: nothing that leads out of it. */
static bool pollux_read_application(ws_table *table, ws_text *kind)
{
    ws_text text = ws_table_text(table, POLLUX_APPLICATION);

    if (text.length == 0 || text.length > POLLUX_KIND_BYTES_MAX || text.start[0] == '.') {
        return ws_table_fault(table, WS_TRACE_BAD_KIND, POLLUX_APPLICATION,
                              "expected a name of 1 to %d characters", POLLUX_KIND_BYTES_MAX);
    }
    for (size_t i = 0; i < text.length; i++) {
        if (!pollux_is_name_byte(text.start[i])) {
            return ws_table_fault(table, WS_TRACE_BAD_KIND, POLLUX_APPLICATION, "no plain name");
        }
    }
    *kind = text;
    return true;
}

static bool pollux_read_batch(ws_table *table, ws_trace_job *job)
{
    if (!ws_table_count(table, POLLUX_BATCH, WS_TRACE_BAD_BATCH, WS_TRACE_BATCH_MAX,
                        &job->batch_samples)) {
        return false;
    }
    if (job->batch_samples < job->gpus) {
        return ws_table_fault(table, WS_TRACE_BAD_BATCH, POLLUX_BATCH, "fewer samples than GPUs");
    }
    return true;
}

static bool pollux_read_row(ws_table *table, void *context, ws_trace_job *job)
{
    (void)context;
    return ws_table_id(table, POLLUX_NAME, &job->id) &&
           ws_table_seconds(table, POLLUX_TIME, WS_TRACE_BAD_TIME, &job->arrival_ns) &&
           pollux_read_application(table, &job->kind) &&
           ws_table_gpus(table, POLLUX_REPLICAS, &job->gpus, &job->gpus_frac) &&
           pollux_read_batch(table, job);
}

static bool pollux_read(ws_trace_reading *reading)
{
    WS_ASSERT(reading != NULL);

    reading->about =
        (ws_trace_about){.clock = WS_TRACE_CLOCK_OWN, .names_jobs = true, .has_origin = true};
    return ws_table_read_jobs(reading, pollux_columns, WS_COUNT_OF(pollux_columns), NULL,
                              pollux_read_row, NULL);
}

const ws_trace_type ws_trace_pollux = {
    .name = "pollux",
    .summary = "workloads of the Pollux artifact; run times come from `profiles`",
    .columns = pollux_columns,
    .column_count = WS_COUNT_OF(pollux_columns),
    .sniff = pollux_sniff,
    .read = pollux_read,
};

/* By its content a file of Sia is one of Pollux. */
static bool pollux_is_never_sia(ws_text head)
{
    (void)head;
    return false;
}

const ws_trace_type ws_trace_sia = {
    .name = "sia",
    .summary = "workloads of Sia, the same columns as `pollux`; run times come from `profiles`",
    .columns = pollux_columns,
    .column_count = WS_COUNT_OF(pollux_columns),
    .sniff = pollux_is_never_sia,
    .read = pollux_read,
};
