/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A workload of Batsim (JSON): a job waits for `res` machines and holds them for the `delay` of its
 * profile. One GPU is one machine. A walltime stands where the job was ended by its limit, which
 * was its run time then; elsewhere the recording does not tell it.
 *
 * Source: Batsim's documentation, "Workload" (batsim.readthedocs.io/en/latest/input-workload.html).
 */
#include <errno.h>
#include <stdio.h>

#include "ids.h"
#include "list.h"
#include "seconds.h"
#include "ws/number.h"
#include "ws/trace_keys.h"

#define BATSIM_PROFILE_BYTES (WS_TOTAL_TEXT_BYTES + 16)

/* The profile of a run time: jobs of equal ones share it. */
static void batsim_name_profile(int64_t duration_ns, char out[BATSIM_PROFILE_BYTES])
{
    char seconds[WS_TOTAL_TEXT_BYTES];

    ws_trace_print_s(duration_ns, seconds);
    (void)snprintf(out, BATSIM_PROFILE_BYTES, "delay_%s", seconds);
}

static bool batsim_holds(const ws_trace_job *job)
{
    return job->duration_ns != WS_TRACE_UNKNOWN_NS;
}

static void batsim_write_job(ws_writer *json, const ws_trace_job *job)
{
    bool before = json->compact;
    char profile[BATSIM_PROFILE_BYTES];

    batsim_name_profile(job->duration_ns, profile);
    ws_json_begin_object(json, NULL);
    json->compact = true;
    ws_json_text(json, "id", job->id);
    ws_trace_json_s(json, "subtime", job->arrival_ns);
    if (job->outcome == WS_TRACE_OUTCOME_TIMEOUT) {
        ws_trace_json_s(json, "walltime", job->duration_ns);
    }
    ws_json_i64(json, "res", job->gpus);
    ws_json_text(json, "profile", ws_text_of(profile));
    ws_json_end_object(json);
    json->compact = before;
}

static void batsim_write_profile(ws_writer *json, int64_t duration_ns)
{
    bool before = json->compact;
    char profile[BATSIM_PROFILE_BYTES];

    batsim_name_profile(duration_ns, profile);
    ws_json_begin_object(json, profile);
    json->compact = true;
    ws_json_text(json, "type", WS_TEXT("delay"));
    ws_trace_json_s(json, "delay", duration_ns);
    ws_json_end_object(json);
    json->compact = before;
}

/* Each run time once, the shortest first. */
static bool batsim_write_profiles(ws_writer *json, const ws_trace *trace, ws_arena *scratch)
{
    ws_trace_key *keys = ws_arena_alloc(scratch, ws_trace_key, trace->count + 1);
    ws_trace_key *spare = ws_arena_alloc(scratch, ws_trace_key, trace->count + 1);
    size_t count = 0;

    if (keys == NULL || spare == NULL) {
        return false;
    }
    for (size_t i = 0; i < trace->count; i++) {
        if (batsim_holds(&trace->jobs[i])) {
            keys[count++] = (ws_trace_key){.key = trace->jobs[i].duration_ns};
        }
    }
    ws_trace_keys_sort(keys, spare, count);
    ws_json_begin_object(json, "profiles");
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || keys[i].key != keys[i - 1].key) {
            batsim_write_profile(json, keys[i].key);
        }
    }
    ws_json_end_object(json);
    return true;
}

/* The jobs, each with an id of its own; NULL when memory is exhausted. */
static const ws_trace_job *batsim_part(const ws_trace *trace, ws_arena *scratch)
{
    ws_trace_job *jobs = ws_arena_alloc(scratch, ws_trace_job, trace->count + 1);

    for (size_t i = 0; jobs != NULL && i < trace->count; i++) {
        jobs[i] = trace->jobs[i];
    }
    return jobs != NULL && ws_trace_ids_part(jobs, trace->count, scratch) >= 0 ? jobs : NULL;
}

static void batsim_write(const ws_trace *trace, ws_writer *json, ws_arena *scratch)
{
    const ws_trace_job *jobs = batsim_part(trace, scratch);
    char date[WS_TRACE_DATE_BYTES];
    int32_t largest = 1;

    for (size_t i = 0; i < trace->count; i++) {
        largest = trace->jobs[i].gpus > largest ? trace->jobs[i].gpus : largest;
    }
    (void)ws_trace_print_date(trace, 0, date);
    ws_json_begin_object(json, NULL);
    ws_json_text(json, "description",
                 ws_arena_format(scratch, "subtime 0 is %s%s%.*s; a machine is a GPU", date,
                                 trace->zone.length > 0 ? ", " : "", WS_TEXT_ARGS(trace->zone)));
    ws_json_i64(json, "nb_res", largest);
    ws_json_begin_list(json, "jobs");
    for (size_t i = 0; jobs != NULL && i < trace->count; i++) {
        if (batsim_holds(&jobs[i])) {
            batsim_write_job(json, &jobs[i]);
        }
    }
    ws_json_end_list(json);
    if ((jobs == NULL || !batsim_write_profiles(json, trace, scratch)) && json->error == 0) {
        json->error = ENOMEM;
    }
    ws_json_end_object(json);
}

const ws_trace_export ws_trace_export_batsim = {
    .name = "batsim",
    .summary = "workload of Batsim (JSON): a job holds its GPUs for the delay of its profile",
    .not_held =
        "starts, attempts, outcomes other than a timeout, shares of GPUs, nodes, users, queues, "
        "GPU types, kinds and batches have no place there; jobs without a run time are left "
        "out; `nb_res` is the largest job, since the trace does not tell the machine",
    .write = batsim_write,
};
