/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The throughput model of Pollux, with the time of a step split into the ledger's shares. */
#include "ws/step_pollux.h"

#include <math.h>

double ws_pollux_grad_s(const ws_pollux_theta *theta, double local_batch)
{
    WS_ASSERT(local_batch > 0);
    return theta->alpha_c + theta->beta_c * local_batch;
}

double ws_pollux_sync_s(const ws_pollux_theta *theta, int32_t nodes, int32_t replicas)
{
    double more = replicas > 2 ? replicas - 2 : 0;

    WS_ASSERT(nodes >= 1);
    WS_ASSERT(replicas >= 1);
    if (replicas == 1) {
        return 0;
    }
    return nodes == 1 ? theta->alpha_r + theta->beta_r * more
                      : theta->alpha_n + theta->beta_n * more;
}

/* The longer of the two is taken out of the root, so that no power overflows. */
double ws_pollux_overlap_s(double grad_s, double sync_s, double gamma)
{
    double longer = fmax(grad_s, sync_s);
    double shorter = fmin(grad_s, sync_s);

    WS_ASSERT(longer > 0);
    WS_ASSERT(gamma >= 1);
    if (!(shorter > 0)) {
        return longer;
    }
    return longer * pow(1 + pow(shorter / longer, gamma), 1 / gamma);
}

double ws_pollux_step_s(const ws_pollux_theta *theta, int32_t nodes, int32_t replicas,
                        double local_batch)
{
    WS_ASSERT(nodes >= 1);
    WS_ASSERT(replicas >= nodes);
    WS_ASSERT(local_batch > 0);
    return ws_pollux_overlap_s(ws_pollux_grad_s(theta, local_batch),
                               ws_pollux_sync_s(theta, nodes, replicas), theta->gamma);
}

/* Seconds of a step of all micro-batches. */
typedef struct {
    ws_batch_split split;
    double exposed_s; /* what the synchronisation adds to the last micro-batch's compute */
    double uneven_s;  /* that the others wait for the replica with the most samples */
    double step_s;
    double wire_s; /* of the synchronisation, where it goes between nodes */
} pollux_step;

/* Between nodes it takes longer by what contention leaves of their links. */
static pollux_step pollux_step_of(const ws_pollux *pollux, const ws_world *world)
{
    ws_batch_split split = ws_batch_at(&pollux->batch, world->replicas);
    double grad_s = ws_pollux_grad_s(&pollux->theta, split.micro) / world->speed;
    double share = world->nodes > 1 ? world->fabric_share : 1;
    double sync_s = ws_pollux_sync_s(&pollux->theta, world->nodes, world->replicas) / share;
    double last_s = ws_pollux_overlap_s(grad_s, sync_s, pollux->theta.gamma);

    return (pollux_step){.split = split,
                         .exposed_s = last_s - grad_s,
                         .uneven_s =
                             pollux->theta.beta_c * (split.share - split.even) / world->speed,
                         .step_s = (split.micro_batches - 1) * grad_s + last_s,
                         .wire_s = world->nodes > 1 ? sync_s : 0};
}

/**
 * The replica with the most samples sets the pace; the others wait for it as stragglers do. What
 * the synchronisation adds to the last micro-batch's compute is exposed communication. A GPU of
 * another speed computes faster or slower and communicates alike; ws_step_pace() multiplies by the
 * speed, which is in the compute already.
 */
static ws_pace pollux_pace(const void *parameters, const ws_world *world)
{
    pollux_step step = pollux_step_of(parameters, world);

    return (ws_pace){.work_per_s = step.split.samples / step.step_s / world->speed,
                     .communication = step.exposed_s / step.step_s,
                     .straggle = step.uneven_s / step.step_s,
                     .wire = fmin(step.wire_s / step.step_s, 1)};
}

static void pollux_explain(const void *parameters, const ws_world *world,
                           ws_explanation *explanation)
{
    pollux_step step = pollux_step_of(parameters, world);

    ws_explanation_set(explanation, WS_TERM_COMPUTE, step.step_s - step.exposed_s - step.uneven_s);
    ws_explanation_set(explanation, WS_TERM_DATA, step.exposed_s);
    ws_explanation_set(explanation, WS_TERM_STRAGGLE, step.uneven_s);
    explanation->period_s = step.step_s;
    explanation->is_step = true;
    explanation->samples = step.split.samples;
    explanation->micro_batch = step.split.micro;
    explanation->micro_batches = step.split.micro_batches;
    explanation->unsplit = "Pollux's model is fitted to whole steps: the optimizer and waits for "
                           "input are in compute.";
}

static void pollux_valid_range(const void *parameters, int32_t *low, int32_t *high)
{
    (void)parameters;
    *low = 0;
    *high = 0;
}

const ws_step_type ws_step_pollux = {
    .name = "pollux",
    .summary = "the seven-parameter throughput model of Pollux, fitted to step times",
    .pace = pollux_pace,
    .valid_range = pollux_valid_range,
    .explain = pollux_explain,
};
