/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The common record: what its fields promise, and what follows from them.
 */
#include <assert.h>

#include "reading.h"

static const char *const record_outcome_names[] = {
    [WS_TRACE_OUTCOME_UNKNOWN] = "",
    [WS_TRACE_OUTCOME_COMPLETED] = "completed",
    [WS_TRACE_OUTCOME_CANCELLED] = "cancelled",
    [WS_TRACE_OUTCOME_FAILED] = "failed",
    [WS_TRACE_OUTCOME_TIMEOUT] = "timeout",
    [WS_TRACE_OUTCOME_NODE_FAIL] = "node_fail",
    [WS_TRACE_OUTCOME_PREEMPTED] = "preempted",
    [WS_TRACE_OUTCOME_RUNNING] = "running",
    [WS_TRACE_OUTCOME_PENDING] = "pending",
};

static_assert(WS_COUNT_OF(record_outcome_names) == WS_TRACE_OUTCOME_COUNT,
              "one name for each outcome");

const char *ws_trace_outcome_name(ws_trace_outcome outcome)
{
    WS_ASSERT(outcome < WS_TRACE_OUTCOME_COUNT);

    return record_outcome_names[outcome];
}

bool ws_trace_outcome_find(ws_text name, ws_trace_outcome *outcome)
{
    WS_ASSERT(outcome != NULL);

    for (size_t i = 0; i < WS_TRACE_OUTCOME_COUNT; i++) {
        if (ws_text_is(name, record_outcome_names[i])) {
            *outcome = (ws_trace_outcome)i;
            return true;
        }
    }
    return false;
}

bool ws_trace_outcome_is_whole(ws_trace_outcome outcome)
{
    WS_ASSERT(outcome < WS_TRACE_OUTCOME_COUNT);

    return outcome == WS_TRACE_OUTCOME_COMPLETED;
}

ws_gpu_time ws_trace_job_work(const ws_trace_job *job)
{
    ws_gpu_time work = {.gpu_ns = 0};

    WS_ASSERT(job != NULL);
    if (job->duration_ns == WS_TRACE_UNKNOWN_NS) {
        return work;
    }
    if (job->attempt_count == 0) {
        return ws_gpu_time_of(job->gpus, (ws_duration){.ns = job->duration_ns});
    }
    for (int32_t i = 0; i < job->attempt_count; i++) {
        const ws_trace_attempt *attempt = &job->attempts[i];

        if (attempt->end_ns != WS_TRACE_UNKNOWN_NS) {
            ws_duration run = {.ns = attempt->end_ns - attempt->start_ns};

            work = ws_gpu_time_add(work, ws_gpu_time_of(attempt->gpus, run));
        }
    }
    return work;
}

int64_t ws_trace_job_end_ns(const ws_trace_job *job)
{
    int64_t end_ns = WS_TRACE_UNKNOWN_NS;

    WS_ASSERT(job != NULL);
    if (job->duration_ns == WS_TRACE_UNKNOWN_NS) {
        return WS_TRACE_UNKNOWN_NS;
    }
    for (int32_t i = 0; i < job->attempt_count; i++) {
        if (job->attempts[i].end_ns > end_ns) {
            end_ns = job->attempts[i].end_ns;
        }
    }
    return end_ns == WS_TRACE_UNKNOWN_NS ? job->arrival_ns + job->duration_ns : end_ns;
}

static bool record_attempt_is_valid(const ws_trace_attempt *attempt, int64_t not_before_ns)
{
    return attempt->start_ns >= not_before_ns && attempt->gpus >= 1 &&
           attempt->gpus <= WS_TRACE_GPUS_MAX && attempt->outcome < WS_TRACE_OUTCOME_COUNT &&
           (attempt->end_ns == WS_TRACE_UNKNOWN_NS || attempt->end_ns >= attempt->start_ns);
}

/* One after the other, from the arrival on, and their sum the job's duration. */
static bool record_attempts_are_valid(const ws_trace_job *job)
{
    int64_t not_before_ns = job->arrival_ns;
    int64_t sum_ns = 0;

    if (job->attempt_count == 0) {
        return job->queue_ns == WS_TRACE_UNKNOWN_NS;
    }
    for (int32_t i = 0; i < job->attempt_count; i++) {
        const ws_trace_attempt *attempt = &job->attempts[i];

        if (!record_attempt_is_valid(attempt, not_before_ns)) {
            return false;
        }
        not_before_ns = attempt->start_ns;
        if (attempt->end_ns != WS_TRACE_UNKNOWN_NS) {
            sum_ns += attempt->end_ns - attempt->start_ns; /* runs do not overlap: no overflow */
            not_before_ns = attempt->end_ns;
        }
    }
    return sum_ns == job->duration_ns &&
           job->queue_ns == job->attempts[0].start_ns - job->arrival_ns;
}

/* A duration, or a batch in its place. */
static bool record_duration_is_valid(const ws_trace_job *job)
{
    if (job->batch_samples != 0 &&
        (job->batch_samples < job->gpus || job->batch_samples > WS_TRACE_BATCH_MAX)) {
        return false;
    }
    if (job->duration_ns == WS_TRACE_UNKNOWN_NS) {
        return job->batch_samples > 0 && job->attempt_count == 0;
    }
    return job->duration_ns > 0 && job->duration_ns <= WS_HORIZON_MAX_NS;
}

bool ws_trace_job_is_valid(const ws_trace_job *job)
{
    WS_ASSERT(job != NULL);

    if (job->id.length == 0 || !record_duration_is_valid(job)) {
        return false;
    }
    if (job->gpus < 1 || job->gpus > WS_TRACE_GPUS_MAX || job->nodes < 0 ||
        job->nodes > WS_TRACE_NODES_MAX) {
        return false;
    }
    if (!(job->gpus_frac >= 0) || job->gpus_frac > job->gpus) {
        return false;
    }
    if (job->outcome >= WS_TRACE_OUTCOME_COUNT || job->attempt_count < 0 ||
        job->attempt_count > WS_TRACE_ATTEMPTS_MAX) {
        return false;
    }
    return record_attempts_are_valid(job);
}

void ws_trace_job_shift(ws_trace_job *job, ws_trace_attempt *attempts, int64_t by_ns)
{
    WS_ASSERT(job != NULL);
    WS_ASSERT(job->attempt_count == 0 || attempts != NULL);

    job->arrival_ns += by_ns;
    job->attempts = attempts;
    for (int32_t i = 0; i < job->attempt_count; i++) {
        attempts[i].start_ns += by_ns;
        attempts[i].end_ns += attempts[i].end_ns == WS_TRACE_UNKNOWN_NS ? 0 : by_ns;
    }
}

static bool record_attempts_equal(const ws_trace_job *a, const ws_trace_job *b)
{
    if (a->attempt_count != b->attempt_count) {
        return false;
    }
    for (int32_t i = 0; i < a->attempt_count; i++) {
        const ws_trace_attempt *x = &a->attempts[i];
        const ws_trace_attempt *y = &b->attempts[i];

        if (x->start_ns != y->start_ns || x->end_ns != y->end_ns || x->gpus != y->gpus ||
            x->outcome != y->outcome) {
            return false;
        }
    }
    return true;
}

bool ws_trace_job_equals(const ws_trace_job *a, const ws_trace_job *b, bool with_id)
{
    WS_ASSERT(a != NULL);
    WS_ASSERT(b != NULL);

    if (with_id && !ws_text_equals(a->id, b->id)) {
        return false;
    }
    if (a->arrival_ns != b->arrival_ns || a->duration_ns != b->duration_ns ||
        a->queue_ns != b->queue_ns || a->gpus != b->gpus || a->nodes != b->nodes ||
        a->batch_samples != b->batch_samples) {
        return false;
    }
    if (a->gpus_frac < b->gpus_frac || a->gpus_frac > b->gpus_frac || a->outcome != b->outcome) {
        return false;
    }
    return record_attempts_equal(a, b) && ws_text_equals(a->user, b->user) &&
           ws_text_equals(a->queue, b->queue) && ws_text_equals(a->gpu_type, b->gpu_type) &&
           ws_text_equals(a->kind, b->kind);
}
