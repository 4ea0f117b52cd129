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

static ws_pace profile_pace(const void *parameters, const ws_world *world)
{
    const ws_profile *profile = parameters;
    ws_group group = ws_world_group(world, world->replicas, world->gpus_per_replica);
    double share = profile->bytes / world->gpus_per_replica;  /* each GPU reduces its own with its
                                                                  peers in the other replicas */
    double samples = profile->global_batch / world->replicas; /* of one replica */
    double micro = fmin(profile->micro_batch > 0 ? profile->micro_batch : samples, samples);
    double sample_s = profile->compute_s_per_sample / world->speed;
    double allreduce_s = ws_collective_s(profile->network, WS_ALL_REDUCE, share, &group);
    double compute_s =
        ceil(samples - 1e-9) * sample_s; /* the replica with one sample more sets the pace */
    double even_s = samples * sample_s;
    double exposed_s =
        allreduce_s > 0 ? profile_exposed_s(profile, allreduce_s, micro * sample_s) : 0;
    double step_s = (compute_s + exposed_s) / (1 - profile->stall);

    /* ws_step_pace() multiplies by the speed, which is in the compute already. */
    return (ws_pace){.work_per_s = profile->global_batch / step_s / world->speed,
                     .communication = exposed_s / step_s,
                     .input_stall = profile->stall,
                     .straggle = (compute_s - even_s) / step_s};
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
};
