/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The pods of Alibaba's cluster-trace-gpu-v2023 (openb): openb_pod_list_*.csv.
 *
 * Times are whole seconds from a zero of the trace's own. A pod asks for num_gpu GPUs, or for
 * gpu_milli thousandths of one. `Running` is the last phase that was seen, not an end: the pod was
 * deleted at deletion_time, nobody knows whether it was done; one that was there until the trace's
 * last second still ran. `Pending` pods were deleted without ever being scheduled. The first 16
 * pods arrive a hundred days before the others: replay a window. Source:
 * github.com/alibaba/clusterdata, cluster-trace-gpu-v2023.
 */
#include "list.h"
#include "table.h"

#define OPENB_END_NS (INT64_C(12902960) * WS_NS_PER_S) /* the latest deletion of the trace */

enum {
    OPENB_NAME,
    OPENB_NUM_GPU,
    OPENB_GPU_MILLI,
    OPENB_PHASE,
    OPENB_CREATION,
    OPENB_DELETION,
    OPENB_SCHEDULED,
    OPENB_SPEC,
    OPENB_QOS,
    OPENB_CPU,
    OPENB_MEMORY
};

static const ws_trace_column openb_columns[] = {
    [OPENB_NAME] = {"name", "", true, "name of the pod"},
    [OPENB_NUM_GPU] = {"num_gpu", "1", true, "GPUs; 0: a pod without"},
    [OPENB_GPU_MILLI] = {"gpu_milli", "1/1000", true, "thousandths of each GPU"},
    [OPENB_PHASE] = {"pod_phase", "", true, "last phase seen"},
    [OPENB_CREATION] = {"creation_time", "s", true, "submission"},
    [OPENB_DELETION] = {"deletion_time", "s", true, "end"},
    [OPENB_SCHEDULED] = {"scheduled_time", "s", true, "start; empty: never"},
    [OPENB_SPEC] = {"gpu_spec", "", false, "models that will do, joined by `|`; empty: any"},
    [OPENB_QOS] = {"qos", "", false, "quality of service"},
    [OPENB_CPU] = {"cpu_milli", "1/1000", false, "not used"},
    [OPENB_MEMORY] = {"memory_mib", "MiB", false, "not used"},
};

static bool openb_sniff(ws_text head)
{
    static const char *const names[] = {"name", "num_gpu", "gpu_milli", "pod_phase",
                                        "creation_time"};

    return ws_table_header_has(head, ',', names, WS_COUNT_OF(names));
}

static bool openb_read_gpus(ws_table *table, ws_trace_job *job)
{
    int32_t count = 0;
    int32_t milli = 0;

    if (!ws_table_count(table, OPENB_NUM_GPU, WS_TRACE_BAD_GPUS, WS_TRACE_GPUS_MAX, &count) ||
        !ws_table_count(table, OPENB_GPU_MILLI, WS_TRACE_BAD_GPUS, 1000, &milli)) {
        return false;
    }
    return ws_table_take_gpus(table, count == 0 ? OPENB_NUM_GPU : OPENB_GPU_MILLI,
                              (double)count * milli / 1000, &job->gpus, &job->gpus_frac);
}

static bool openb_read_phase(ws_table *table, ws_trace_job *job, int64_t end_ns)
{
    static const struct {
        const char *phase;
        ws_trace_outcome outcome;
    } phases[] = {{"Succeeded", WS_TRACE_OUTCOME_COMPLETED},
                  {"Failed", WS_TRACE_OUTCOME_FAILED},
                  {"Pending", WS_TRACE_OUTCOME_PENDING},
                  {"Running", WS_TRACE_OUTCOME_UNKNOWN},
                  {"Unknown", WS_TRACE_OUTCOME_UNKNOWN}};

    for (size_t i = 0; i < WS_COUNT_OF(phases); i++) {
        if (ws_text_is(ws_table_text(table, OPENB_PHASE), phases[i].phase)) {
            bool is_open = phases[i].outcome == WS_TRACE_OUTCOME_UNKNOWN && end_ns == OPENB_END_NS;

            job->outcome = is_open ? WS_TRACE_OUTCOME_RUNNING : phases[i].outcome;
            return true;
        }
    }
    return ws_table_fault(table, WS_TRACE_BAD_OUTCOME, OPENB_PHASE, "no phase of a pod");
}

/* Start and end; either may be unknown. */
static bool openb_read_times(ws_table *table, int64_t *start_ns, int64_t *end_ns)
{
    *start_ns = *end_ns = WS_TRACE_UNKNOWN_NS;
    if (!ws_table_is_void(table, OPENB_SCHEDULED) &&
        !ws_table_seconds(table, OPENB_SCHEDULED, WS_TRACE_BAD_DURATION, start_ns)) {
        return false;
    }
    if (!ws_table_is_void(table, OPENB_DELETION) &&
        !ws_table_seconds(table, OPENB_DELETION, WS_TRACE_BAD_DURATION, end_ns)) {
        return false;
    }
    if (*start_ns != WS_TRACE_UNKNOWN_NS && *end_ns != WS_TRACE_UNKNOWN_NS && *end_ns < *start_ns) {
        return ws_table_fault(table, WS_TRACE_ENDS_BEFORE_START, OPENB_DELETION, "%s", "");
    }
    return true;
}

static bool openb_read_row(ws_table *table, void *context, ws_trace_job *job)
{
    int64_t start_ns = 0;
    int64_t end_ns = 0;

    if (!ws_table_id(table, OPENB_NAME, &job->id) ||
        !ws_table_seconds(table, OPENB_CREATION, WS_TRACE_BAD_TIME, &job->arrival_ns) ||
        !openb_read_gpus(table, job) || !openb_read_times(table, &start_ns, &end_ns) ||
        !openb_read_phase(table, job, end_ns)) {
        return false;
    }
    job->gpu_type = ws_table_text(table, OPENB_SPEC);
    job->kind = ws_table_text(table, OPENB_QOS);
    if (start_ns == WS_TRACE_UNKNOWN_NS) {
        return ws_table_fault(table, WS_TRACE_NO_RUN, OPENB_SCHEDULED, "%s", "");
    }
    return ws_table_take_run(table, context, start_ns, end_ns, job);
}

static bool openb_read(ws_trace_reading *reading)
{
    ws_trace_runs runs;

    WS_ASSERT(reading != NULL);
    reading->about = (ws_trace_about){.clock = WS_TRACE_CLOCK_OWN, .names_jobs = true};
    return ws_trace_runs_init(&runs, reading) &&
           ws_table_read_jobs(reading, openb_columns, WS_COUNT_OF(openb_columns), NULL,
                              openb_read_row, &runs);
}

const ws_trace_type ws_trace_openb = {
    .name = "openb",
    .summary = "Alibaba cluster-trace-gpu-v2023: the pods; shares of GPUs",
    .columns = openb_columns,
    .column_count = WS_COUNT_OF(openb_columns),
    .sniff = openb_sniff,
    .read = openb_read,
};
