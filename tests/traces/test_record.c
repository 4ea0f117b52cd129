/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "trace_case.h"

#define S WS_NS_PER_S

static ws_trace_job plain_job(void)
{
    return (ws_trace_job){.id = WS_TEXT("j"),
                          .arrival_ns = 5 * S,
                          .duration_ns = 100 * S,
                          .queue_ns = WS_TRACE_UNKNOWN_NS,
                          .gpus = 8};
}

Test(record, outcomes_have_names)
{
    for (int i = 0; i < WS_TRACE_OUTCOME_COUNT; i++) {
        ws_trace_outcome outcome = WS_TRACE_OUTCOME_COUNT;

        cr_assert(ws_trace_outcome_find(ws_text_of(ws_trace_outcome_name((ws_trace_outcome)i)),
                                        &outcome));
        cr_assert(eq(int, outcome, i));
    }
    ws_trace_outcome untouched = WS_TRACE_OUTCOME_FAILED;
    cr_assert(not(ws_trace_outcome_find(WS_TEXT("Failed"), &untouched)));
    cr_assert(not(ws_trace_outcome_find(WS_TEXT("failed\0"), &untouched)));
    cr_assert(eq(int, untouched, WS_TRACE_OUTCOME_FAILED));
}

/* The run time of what its user killed, what failed or still runs is only a lower bound (reference
 * of trace formats, rule 5). */
Test(record, only_completed_jobs_are_whole)
{
    for (int i = 0; i < WS_TRACE_OUTCOME_COUNT; i++) {
        cr_assert(eq(int, ws_trace_outcome_is_whole((ws_trace_outcome)i),
                     i == WS_TRACE_OUTCOME_COMPLETED));
    }
}

Test(record, work_of_a_duration)
{
    ws_trace_job job = plain_job();

    /* 100 s x 8 GPUs; the end is 5 s + 100 s */
    cr_assert(ws_trace_job_work(&job).gpu_ns == (ws_i128)800 * S);
    cr_assert(eq(i64, ws_trace_job_end_ns(&job), 105 * S));
    cr_assert(ws_trace_job_is_valid(&job));

    /* the largest job: 100 years x 10^7 GPUs = 3.15576e25 GPU-ns */
    job.duration_ns = WS_HORIZON_MAX_NS;
    job.gpus = WS_TRACE_GPUS_MAX;
    cr_assert(ws_trace_job_work(&job).gpu_ns == (ws_i128)WS_HORIZON_MAX_NS * 10000000);
    cr_assert(ws_trace_job_is_valid(&job));
}

static bool is_valid_with(void (*spoil)(ws_trace_job *job))
{
    ws_trace_job job = plain_job();

    spoil(&job);
    return ws_trace_job_is_valid(&job);
}

static void spoil_nothing(ws_trace_job *job)
{
    (void)job;
}
static void spoil_id(ws_trace_job *job)
{
    job->id.length = 0;
}
static void spoil_duration(ws_trace_job *job)
{
    job->duration_ns = 0;
}
static void spoil_duration_max(ws_trace_job *job)
{
    job->duration_ns = WS_HORIZON_MAX_NS + 1;
}
static void spoil_gpus(ws_trace_job *job)
{
    job->gpus = 0;
}
static void spoil_gpus_max(ws_trace_job *job)
{
    job->gpus = WS_TRACE_GPUS_MAX + 1;
}
static void spoil_nodes(ws_trace_job *job)
{
    job->nodes = -1;
}
static void spoil_frac(ws_trace_job *job)
{
    job->gpus_frac = 8.5;
}
static void spoil_frac_nan(ws_trace_job *job)
{
    job->gpus_frac = 0.0 / (job->duration_ns > 0 ? 0.0 : 1.0);
}
static void spoil_queue(ws_trace_job *job)
{
    job->queue_ns = 0;
}
static void spoil_attempts(ws_trace_job *job)
{
    job->attempt_count = -1;
}

Test(record, promises_of_the_fields)
{
    cr_assert(is_valid_with(spoil_nothing));
    cr_assert(not(is_valid_with(spoil_id)));
    cr_assert(not(is_valid_with(spoil_duration)));
    cr_assert(not(is_valid_with(spoil_duration_max)));
    cr_assert(not(is_valid_with(spoil_gpus)));
    cr_assert(not(is_valid_with(spoil_gpus_max)));
    cr_assert(not(is_valid_with(spoil_nodes)));
    cr_assert(not(is_valid_with(spoil_frac)));
    cr_assert(not(is_valid_with(spoil_frac_nan)));
    cr_assert(not(is_valid_with(spoil_queue)));
    cr_assert(not(is_valid_with(spoil_attempts)));
}

/* Two runs of 40 s and 60 s; the job arrived at 5 s and waited 3 s. */
static bool attempts_are_valid(ws_trace_attempt first, ws_trace_attempt second, int64_t queue_ns)
{
    const ws_trace_attempt attempts[] = {first, second};
    ws_trace_job job = plain_job();

    job.queue_ns = queue_ns;
    job.attempt_count = 2;
    job.attempts = attempts;
    return ws_trace_job_is_valid(&job);
}

Test(record, promises_of_the_attempts)
{
    const ws_trace_attempt first = {.start_ns = 8 * S, .end_ns = 48 * S, .gpus = 8};
    const ws_trace_attempt second = {.start_ns = 48 * S, .end_ns = 108 * S, .gpus = 4};
    ws_trace_attempt other = second;

    cr_assert(attempts_are_valid(first, second, 3 * S));
    cr_assert(not(attempts_are_valid(first, second, 4 * S)));
    cr_assert(not(attempts_are_valid(second, first, 43 * S)));
    other.start_ns--; /* overlaps the first by 1 ns */
    other.end_ns--;
    cr_assert(not(attempts_are_valid(first, other, 3 * S)));
    other = second;
    other.end_ns--; /* the sum is short by 1 ns */
    cr_assert(not(attempts_are_valid(first, other, 3 * S)));
    other = second;
    other.gpus = 0;
    cr_assert(not(attempts_are_valid(first, other, 3 * S)));
    other = first;
    other.start_ns = 4 * S; /* before the arrival */
    cr_assert(not(attempts_are_valid(other, second, -S)));
}

Test(record, equality_looks_at_every_field)
{
    ws_trace_job a = plain_job();
    ws_trace_job b = plain_job();

    cr_assert(ws_trace_job_equals(&a, &b, true));
    b.id = WS_TEXT("k");
    cr_assert(not(ws_trace_job_equals(&a, &b, true)));
    cr_assert(ws_trace_job_equals(&a, &b, false));
    b.user = WS_TEXT("ann");
    cr_assert(not(ws_trace_job_equals(&a, &b, false)));
    b = a;
    b.kind = WS_TEXT("SFT");
    cr_assert(not(ws_trace_job_equals(&a, &b, false)));
    b = a;
    b.gpus_frac = 7.5;
    cr_assert(not(ws_trace_job_equals(&a, &b, false)));
    b = a;
    b.outcome = WS_TRACE_OUTCOME_FAILED;
    cr_assert(not(ws_trace_job_equals(&a, &b, false)));
}
