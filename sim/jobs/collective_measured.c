/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measured curves, interpolated in the logarithms of size and time, and fitted ones. */
#include "ws/collective_measured.h"

#include <math.h>

#include "ws/assert.h"

#define MEASURED_BEYOND 4 /* times the largest size: the farthest that is extrapolated */

/* ---- which one ---- */

/** How far a placement is from another: factors of ranks, and of nodes. */
static double measured_distance(const ws_measured_collective *item, const ws_group *group)
{
    return fabs(log((double)item->ranks / group->ranks)) +
           fabs(log((double)item->nodes / group->nodes));
}

static bool measured_is_at(const ws_measured_collective *item, const ws_group *group)
{
    return item->ranks == group->ranks && item->nodes == group->nodes;
}

/** The nearest placement of an operation, the first of equals; NULL: it was not measured. */
static const ws_measured_collective *measured_nearest(const ws_network *network,
                                                      ws_collective_operation operation,
                                                      const ws_group *group)
{
    const ws_measured_collectives *all = network->collective_parameters;
    const ws_measured_collective *nearest = NULL;

    for (size_t i = 0; all != NULL && i < all->count; i++) {
        const ws_measured_collective *item = &all->items[i];

        if (item->operation == operation &&
            (nearest == NULL ||
             measured_distance(item, group) < measured_distance(nearest, group))) {
            nearest = item;
        }
    }
    return nearest;
}

/* ---- the curve of one ---- */

static double measured_between(const ws_collective_point *low, const ws_collective_point *high,
                               double bytes)
{
    double part = log(bytes / low->bytes) / log(high->bytes / low->bytes);

    return low->seconds * exp(part * log(high->seconds / low->seconds));
}

/** Above the largest size: the time that is left at its bandwidth. */
static double measured_curve_s(const ws_measured_collective *item, double bytes)
{
    const ws_collective_point *points = item->points;
    const ws_collective_point *last = &points[item->point_count - 1];
    size_t above = 0;

    WS_ASSERT(item->point_count >= 1);
    while (above < item->point_count && points[above].bytes < bytes) {
        above++;
    }
    if (above == item->point_count) {
        return last->seconds * (bytes / last->bytes);
    }
    if (above == 0 || !(points[above].bytes > bytes)) {
        return points[above].seconds;
    }
    return measured_between(&points[above - 1], &points[above], bytes);
}

static double measured_root_s(const ws_measured_collective *item, double bytes)
{
    double size = fmax(bytes, item->bytes_min);

    return item->latency_s + item->root_s_per_sqrt_byte * sqrt(size) + size / item->bytes_per_s;
}

/* ---- a call ---- */

/** What rings take, with the network's links. */
static double measured_ring_s(const ws_network *network, ws_collective_operation operation,
                              double bytes, const ws_group *group)
{
    ws_network rings = *network;

    rings.collectives = NULL;
    return ws_collective_s(&rings, operation, bytes, group);
}

/** The group that was measured, on as many leaves as its nodes were: one. */
static ws_group measured_group(const ws_measured_collective *item)
{
    return (ws_group){.ranks = item->ranks,
                      .nodes = item->nodes,
                      .ranks_per_node = (item->ranks - 1) / item->nodes + 1,
                      .leaves = 1,
                      .pods = 1,
                      .groups_per_node = 1,
                      .fabric_share = 1};
}

static double measured_largest(const ws_network *network, const ws_measured_collective *item)
{
    return network->collectives == &ws_collective_measured
               ? item->points[item->point_count - 1].bytes
               : item->bytes_max;
}

static double measured_smallest(const ws_network *network, const ws_measured_collective *item)
{
    return network->collectives == &ws_collective_measured ? item->points[0].bytes
                                                           : item->bytes_min;
}

static double measured_at_s(const ws_network *network, const ws_measured_collective *item,
                            double bytes)
{
    return network->collectives == &ws_collective_measured ? measured_curve_s(item, bytes)
                                                           : measured_root_s(item, bytes);
}

static double measured_ratio(double here_s, double there_s)
{
    return there_s > 0 ? here_s / there_s : 1;
}

/**
 * The measured group was alone: what leaves, neighbours and contention do to rings, they do to it.
 * The time of the smallest size goes with the start-up times of rings, the rest with their rate, so
 * that more bytes never take less time.
 */
static double measured_s(const ws_network *network, ws_collective_operation operation, double bytes,
                         const ws_group *group)
{
    const ws_measured_collective *item = measured_nearest(network, operation, group);

    if (item == NULL) {
        return measured_ring_s(network, operation, bytes, group);
    }
    ws_group there = measured_group(item);
    double here_0_s = measured_ring_s(network, operation, 0, group);
    double there_0_s = measured_ring_s(network, operation, 0, &there);
    double large = measured_largest(network, item);
    double here_s = measured_ring_s(network, operation, large, group) - here_0_s;
    double there_s = measured_ring_s(network, operation, large, &there) - there_0_s;
    double smallest_s = measured_at_s(network, item, 0);
    return smallest_s * measured_ratio(here_0_s, there_0_s) +
           (measured_at_s(network, item, bytes) - smallest_s) * measured_ratio(here_s, there_s);
}

static ws_coverage measured_coverage(const ws_network *network, ws_collective_operation operation,
                                     double bytes, const ws_group *group)
{
    const ws_measured_collective *item = measured_nearest(network, operation, group);

    if (item == NULL) {
        return WS_BEYOND;
    }
    double low = measured_smallest(network, item);
    double high = measured_largest(network, item);
    if (bytes > MEASURED_BEYOND * high) {
        return WS_BEYOND;
    }
    return bytes < low || bytes > high || !measured_is_at(item, group) ? WS_EXTRAPOLATED
                                                                       : WS_COVERED;
}

/* ---- the types ---- */

static double measured_all_reduce(const ws_network *network, double bytes, const ws_group *group)
{
    return measured_s(network, WS_ALL_REDUCE, bytes, group);
}

static double measured_reduce_scatter(const ws_network *network, double bytes,
                                      const ws_group *group)
{
    return measured_s(network, WS_REDUCE_SCATTER, bytes, group);
}

static double measured_all_gather(const ws_network *network, double bytes, const ws_group *group)
{
    return measured_s(network, WS_ALL_GATHER, bytes, group);
}

static double measured_broadcast(const ws_network *network, double bytes, const ws_group *group)
{
    return measured_s(network, WS_BROADCAST, bytes, group);
}

static double measured_all_to_all(const ws_network *network, double bytes, const ws_group *group)
{
    return measured_s(network, WS_ALL_TO_ALL, bytes, group);
}

static double measured_send_recv(const ws_network *network, double bytes, const ws_group *group)
{
    return measured_s(network, WS_SEND_RECV, bytes, group);
}

#define MEASURED_SECONDS                                                                           \
    {                                                                                              \
        [WS_ALL_REDUCE] = measured_all_reduce, [WS_REDUCE_SCATTER] = measured_reduce_scatter,      \
        [WS_ALL_GATHER] = measured_all_gather, [WS_BROADCAST] = measured_broadcast,                \
        [WS_ALL_TO_ALL] = measured_all_to_all, [WS_SEND_RECV] = measured_send_recv                 \
    }

const ws_collective_type ws_collective_measured = {
    .name = "measured",
    .summary = "times that were measured by size, interpolated in their logarithms",
    .seconds = MEASURED_SECONDS,
    .coverage = measured_coverage,
};

const ws_collective_type ws_collective_square_root = {
    .name = "square-root",
    .summary = "a + c sqrt(bytes) + bytes/B, fitted to measurements",
    .seconds = MEASURED_SECONDS,
    .coverage = measured_coverage,
};
