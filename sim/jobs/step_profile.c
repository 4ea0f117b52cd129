/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The profile model: what one replica computes, what a step communicates, and how much of that
 * hides behind the compute. */
#include <math.h>

#include "ws/step.h"

/**
 * The last micro-batch's backward hides communication; earlier ones of an accumulation do not
 * communicate (no_sync). The last bucket cannot hide: its gradients exist only when the backward is
 * over.
 */
static double profile_exposed_s(const ws_profile *profile, double allreduce_s, double micro_s)
{
    double last_bucket_s = allreduce_s / profile->buckets;

    return fmax(last_bucket_s, allreduce_s - profile->overlap * micro_s);
}

/* Seconds of a step. */
typedef struct {
    ws_batch_split split;
    double even_s;   /* its compute, were the samples divided evenly */
    double uneven_s; /* what the replica with one sample more adds: it sets the pace */
    double exposed_s;
    double step_s;
    double wire_s; /* of the all-reduce, where it goes between nodes */
} profile_step;

static profile_step profile_step_of(const ws_profile *profile, const ws_world *world)
{
    ws_group group = ws_world_group(world, world->replicas, world->gpus_per_replica);
    ws_batch_split split = ws_batch_at(&profile->batch, world->replicas);
    double share = profile->bytes / world->gpus_per_replica; /* each GPU reduces its own with its
                                                                 peers in the other replicas */
    double sample_s = profile->compute_s_per_sample / world->speed;
    double allreduce_s = ws_collective_s(profile->network, WS_ALL_REDUCE, share, &group);
    double compute_s = split.share * sample_s;
    double exposed_s =
        allreduce_s > 0 ? profile_exposed_s(profile, allreduce_s, split.micro * sample_s) : 0;

    return (profile_step){.split = split,
                          .even_s = split.even * sample_s,
                          .uneven_s = compute_s - split.even * sample_s,
                          .exposed_s = exposed_s,
                          .step_s = (compute_s + exposed_s) / (1 - profile->stall),
                          .wire_s = group.nodes > 1 ? allreduce_s : 0};
}

static ws_pace profile_pace(const void *parameters, const ws_world *world)
{
    const ws_profile *profile = parameters;
    profile_step step = profile_step_of(profile, world);

    /* ws_step_pace() multiplies by the speed, which is in the compute already. */
    return (ws_pace){.work_per_s = step.split.samples / step.step_s / world->speed,
                     .communication = step.exposed_s / step.step_s,
                     .input_stall = profile->stall,
                     .straggle = step.uneven_s / step.step_s,
                     .wire = fmin(step.wire_s / step.step_s, 1)};
}

static void profile_explain(const void *parameters, const ws_world *world,
                            ws_explanation *explanation)
{
    const ws_profile *profile = parameters;
    profile_step step = profile_step_of(profile, world);

    ws_explanation_set(explanation, WS_TERM_COMPUTE, step.even_s);
    ws_explanation_set(explanation, WS_TERM_DATA, step.exposed_s);
    ws_explanation_set(explanation, WS_TERM_STRAGGLE, step.uneven_s);
    ws_explanation_set(explanation, WS_TERM_INPUT, profile->stall * step.step_s);
    explanation->period_s = step.step_s;
    explanation->is_step = true;
    explanation->samples = step.split.samples;
    explanation->micro_batch = step.split.micro;
    explanation->micro_batches = step.split.micro_batches;
    explanation->unsplit = "A profile has one time for a sample: the optimizer, and what GPUs of "
                           "one replica tell each other, are in compute.";
}

static ws_coverage profile_coverage(const void *parameters, const ws_world *world)
{
    const ws_profile *profile = parameters;
    ws_group group = ws_world_group(world, world->replicas, world->gpus_per_replica);

    return ws_collective_coverage(profile->network, WS_ALL_REDUCE,
                                  profile->bytes / world->gpus_per_replica, &group);
}

static void profile_valid_range(const void *parameters, int32_t *low, int32_t *high)
{
    (void)parameters;
    *low = 0;
    *high = 0;
}

const ws_step_type ws_step_profile = {
    .name = "profile",
    .summary = "compute per sample, bytes per step, and an all-reduce over the placement",
    .pace = profile_pace,
    .valid_range = profile_valid_range,
    .coverage = profile_coverage,
    .explain = profile_explain,
};
