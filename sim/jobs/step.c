/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The step models: each is a table at the end of its part; a pace is what a table's function makes
 * of a world. */
#include "ws/step.h"

#include <math.h>

ws_pace ws_step_pace(const ws_step *step, const ws_world *world)
{
    WS_ASSERT(world->replicas >= 1);
    WS_ASSERT(world->nodes >= 1);
    WS_ASSERT(world->leaves >= 1);
    WS_ASSERT(world->leaves <= world->nodes);
    WS_ASSERT(world->pods >= 1);
    WS_ASSERT(world->pods <= world->leaves);
    WS_ASSERT(world->fabric_share > 0);
    WS_ASSERT(world->fabric_share <= 1);
    WS_ASSERT(world->speed > 0);

    ws_pace pace = step->type->pace(step->parameters, world);
    pace.work_per_s *= world->speed;
    WS_ASSERT(pace.work_per_s > 0);
    return pace;
}

ws_pace ws_pace_among(const ws_pace *alone, const ws_world *world)
{
    ws_pace pace = *alone;

    if (world->nodes == 1) {
        return pace;
    }
    pace.wire = pace.communication;
    if (world->fabric_share < 1) {
        double communication = pace.communication / world->fabric_share;
        double longer = 1 - pace.communication + communication;
        pace.work_per_s /= longer;
        pace.communication = communication / longer;
        pace.input_stall /= longer;
        pace.straggle /= longer;
        pace.wire = pace.communication;
    }
    return pace;
}

ws_pace ws_pace_waiting(const ws_pace *pace, double ratio)
{
    double waits = 1 - ratio;

    WS_ASSERT(ratio > 0);
    WS_ASSERT(ratio <= 1);
    ws_pace waiting = *pace;
    waiting.work_per_s *= ratio;
    waiting.communication *= ratio;
    waiting.straggle *= ratio;
    waiting.wire *= ratio;
    waiting.input_stall = pace->input_stall * ratio + waits;
    waiting.reading = pace->reading * ratio + waits;
    return waiting;
}

ws_explanation ws_step_explain(const ws_step *step, const ws_world *world)
{
    ws_explanation explanation = {.period_s = 0};

    WS_ASSERT(world->replicas >= 1);
    WS_ASSERT(world->speed > 0);
    step->type->explain(step->parameters, world, &explanation);
    WS_ASSERT(explanation.period_s > 0);
    WS_ASSERT(explanation.known != 0);
    return explanation;
}

/* A second of a model that has rates alone. */
static void step_explain_second(ws_explanation *explanation, const ws_pace *pace,
                                const char *unsplit)
{
    explanation->period_s = 1;
    explanation->unsplit = unsplit;
    ws_explanation_set(explanation, WS_TERM_COMPUTE, 1 - pace->communication);
    ws_explanation_set(explanation, WS_TERM_COMMUNICATION, pace->communication);
}

/* ---- worlds and their groups ---- */

ws_world ws_world_packed(int32_t replicas, int32_t gpus_per_replica, int32_t gpus_per_node,
                         const ws_fabric *fabric)
{
    WS_ASSERT(replicas >= 1);
    WS_ASSERT(gpus_per_replica >= 1);
    WS_ASSERT(gpus_per_node >= 1);

    static const ws_fabric none = {.ecmp_flows = 0};
    int64_t gpus = (int64_t)replicas * gpus_per_replica;
    int32_t nodes = (int32_t)((gpus + gpus_per_node - 1) / gpus_per_node);
    const ws_fabric *above = fabric != NULL ? fabric : &none;

    return (ws_world){.replicas = replicas,
                      .gpus_per_replica = gpus_per_replica,
                      .nodes = nodes,
                      .leaves = ws_tier_switches(&above->leaf, nodes),
                      .pods = ws_tier_switches(&above->pod, nodes),
                      .fabric_share = 1,
                      .speed = 1};
}

/** Switches that hold `span` of the world's nodes, when all of the nodes are below `all`. */
static int32_t group_switches(const ws_world *world, int32_t all, double span, int32_t nodes)
{
    int32_t share = (int32_t)ceil(all * fmin(span / world->nodes, 1) - 1e-9);

    return share < 1 ? 1 : share < nodes ? share : nodes;
}

ws_group ws_world_group(const ws_world *world, int32_t ranks, int32_t stride)
{
    double gpus = (double)world->replicas * world->gpus_per_replica;
    double on_node = fmax(gpus / world->nodes, 1); /* GPUs of a node, on average */
    double span = fmax(ceil((double)ranks * stride / on_node - 1e-9), 1); /* nodes */
    int32_t nodes = (int32_t)fmin(span, ranks); /* further apart than a node: one on each */
    ws_group group = {.ranks = ranks, .nodes = nodes, .fabric_share = world->fabric_share};

    WS_ASSERT(ranks >= 1);
    WS_ASSERT(stride >= 1);
    WS_ASSERT(world->nodes >= 1);
    group.ranks_per_node = (int32_t)ceil((double)ranks / nodes - 1e-9);
    group.groups_per_node = (int32_t)fmin(stride, on_node);
    group.leaves = group_switches(world, world->leaves, span, nodes);
    group.pods = group_switches(world, world->pods, span, group.leaves);
    return group;
}

/* ---- curve ---- */

ws_curve ws_curve_of(const ws_curve_point *points, size_t count, double unit, bool in_gpus)
{
    ws_curve curve = {.points = points, .count = count, .unit = unit, .in_gpus = in_gpus};

    WS_ASSERT(count >= 1);
    WS_ASSERT(unit > 0);
    for (size_t i = 0; i < count; i++) {
        WS_ASSERT(points[i].size > 0);
        WS_ASSERT(points[i].rate > 0);
        WS_ASSERT(i == 0 || points[i].size > points[i - 1].size);
        curve.best_rate_per_size = fmax(curve.best_rate_per_size, points[i].rate / points[i].size);
    }
    return curve;
}

static double curve_rate(const ws_curve *curve, double size)
{
    const ws_curve_point *points = curve->points;
    size_t above = 0;

    while (above < curve->count && points[above].size < size) {
        above++;
    }
    if (above == curve->count) {
        return points[above - 1].rate;
    }
    if (above == 0) {
        return points[0].rate * (size / points[0].size);
    }
    double part = (size - points[above - 1].size) / (points[above].size - points[above - 1].size);
    return points[above - 1].rate + part * (points[above].rate - points[above - 1].rate);
}

static ws_pace curve_pace(const void *parameters, const ws_world *world)
{
    const ws_curve *curve = parameters;
    double gpus = (double)world->replicas * world->gpus_per_replica;
    double size = (curve->in_gpus ? gpus : (double)world->replicas) / curve->unit;
    double rate = curve_rate(curve, size);
    double efficiency = rate / (size * curve->best_rate_per_size);

    ws_pace alone = {.work_per_s = rate, .communication = fmin(fmax(1 - efficiency, 0), 1)};
    return ws_pace_among(&alone, world);
}

static void curve_explain(const void *parameters, const ws_world *world,
                          ws_explanation *explanation)
{
    ws_pace pace = curve_pace(parameters, world);

    step_explain_second(explanation, &pace,
                        "A curve has rates alone: compute, input, stragglers and what a collective "
                        "costs at the best size are one, and all that a size loses against the "
                        "best rate per replica is taken for communication.");
}

static void curve_valid_range(const void *parameters, int32_t *low, int32_t *high)
{
    const ws_curve *curve = parameters;

    if (curve->in_gpus) {
        *low = 0;
        *high = 0;
        return;
    }
    *low = (int32_t)ceil(curve->points[0].size * curve->unit);
    *high = (int32_t)floor(curve->points[curve->count - 1].size * curve->unit);
}

const ws_step_type ws_step_curve = {
    .name = "curve",
    .summary = "measured sizes and rates, with linear interpolation between them",
    .pace = curve_pace,
    .valid_range = curve_valid_range,
    .explain = curve_explain,
};

/* ---- amdahl ---- */

static double amdahl_speed_up(double parallel_fraction, double workers)
{
    return 1 / (1 - parallel_fraction + parallel_fraction / workers);
}

static ws_pace amdahl_pace(const void *parameters, const ws_world *world)
{
    const ws_amdahl *amdahl = parameters;
    double workers = world->replicas;
    double here = amdahl_speed_up(amdahl->parallel_fraction, workers);
    double recorded = amdahl_speed_up(amdahl->parallel_fraction, amdahl->recorded_replicas);

    double efficiency = (here / workers) / (recorded / amdahl->recorded_replicas);

    /* The recording does not say how its time was spent: only what a size loses against the
     * recorded one is booked. */
    ws_pace alone = {.work_per_s = here / recorded, .communication = fmax(1 - efficiency, 0)};
    return ws_pace_among(&alone, world);
}

static void amdahl_explain(const void *parameters, const ws_world *world,
                           ws_explanation *explanation)
{
    ws_pace pace = amdahl_pace(parameters, world);

    step_explain_second(explanation, &pace,
                        "A recorded duration does not say how its time was spent: all that a size "
                        "loses against the recorded one is taken for communication.");
}

static void amdahl_valid_range(const void *parameters, int32_t *low, int32_t *high)
{
    (void)parameters;
    *low = 0;
    *high = 0;
}

const ws_step_type ws_step_amdahl = {
    .name = "amdahl",
    .summary = "the recorded duration at the recorded size, Amdahl's law elsewhere",
    .pace = amdahl_pace,
    .valid_range = amdahl_valid_range,
    .explain = amdahl_explain,
};
