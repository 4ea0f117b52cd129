/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Collectives that were measured: for an operation and a placement the times of some sizes, or the
 * three numbers of a + c sqrt(bytes) + bytes/B that were fitted to them.
 *
 * A call of another number of ranks or nodes takes the nearest placement that was measured; the
 * time of its smallest size is scaled as the start-up times of rings are from there to here, the
 * rest as their transfer: a busbw of two nodes must not be carried to four. Such a call is
 * "extrapolated"; so are sizes below the smallest, which take its time, and up to 4 times above the
 * largest, which go on at its bandwidth.
 */
#ifndef WS_COLLECTIVE_MEASURED_H
#define WS_COLLECTIVE_MEASURED_H

#include "ws/collective.h"

typedef struct {
    double bytes; /* > 0 */
    double seconds;
} ws_collective_point;

typedef struct {
    ws_collective_operation operation;
    int32_t ranks;                     /* >= 2 */
    int32_t nodes;                     /* 1..ranks */
    const ws_collective_point *points; /* ascending in bytes, never falling in seconds */
    size_t point_count;                /* >= 1; of ws_collective_measured */
    /* Of ws_collective_square_root: a, c, B and the sizes that were fitted. The square root is that
     * of the pieces of a pipeline, see ws_links_pipelined_s(). */
    double latency_s;
    double root_s_per_sqrt_byte;
    double bytes_per_s;
    double bytes_min;
    double bytes_max;
} ws_measured_collective;

typedef struct {
    const ws_measured_collective *items;
    size_t count; /* 0: all calls are as rings take them, and beyond coverage */
} ws_measured_collectives;

#endif
