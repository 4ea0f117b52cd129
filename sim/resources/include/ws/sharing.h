/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Flows that share links: a checkpoint that is written to a storage, an image that is pulled from a
 * registry, a collective that stands on an uplink.
 *
 * A link is a capacity in bytes/s; who it belongs to is the caller's business. A flow crosses some
 * links and has a weight, a cap of its own and a number of bytes, or no end (a standing load). At
 * every moment the rates are weighted max-min fair (ws/max_min.h) and piecewise constant.
 *
 * Arrivals, ends and finishes of one instant take effect together, in the phase of consequences of
 * that instant: only what is connected with them over links with flows is solved again, and only
 * where a rate or the first to finish changed is an event moved. Until then rates are those before;
 * no time passes meanwhile.
 *
 * Flows of the same path, weight and cap are one class: they have one rate, and the bytes that
 * their class has served to each of them since it came to be say when a flow is through. So 10^5
 * alike flows cost as much as one but for a heap; what costs is the number of different classes
 * that are connected.
 *
 * Time is rounded to the nearest nanosecond: a finish may be up to half of one early or late, and
 * sets the flow to its end. All storage is reserved by ws_sharing_new().
 */
#ifndef WS_SHARING_H
#define WS_SHARING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ws/arena.h"
#include "ws/kernel.h"

/** A flow under way; stale once it has finished or was ended, and then safe to use. All zero: none.
 */
typedef struct {
    uint32_t index; /* slot + 1 */
    uint32_t generation;
} ws_flow;

/** Who hears of a flow; `argument` is the flow's. Called when the sharing is whole: they may begin
 * and end flows. Each function may be NULL. */
typedef struct {
    void *context;
    void (*finished)(void *context, uint64_t argument); /* all bytes are there; phase of ends */
    /** A flow without end has begun, or its rate may be another; phase of consequences. */
    void (*changed)(void *context, uint64_t argument, double bytes_per_s);
} ws_flow_listener;

typedef struct {
    const uint32_t *path; /* links, each once; may be empty where the cap is finite; copied */
    uint32_t path_count;
    double weight;                    /* > 0 */
    double cap_bytes_per_s;           /* > 0; INFINITY: none */
    double bytes;                     /* >= 0; INFINITY: a standing load */
    const ws_flow_listener *listener; /* outlives the flow; NULL: nobody */
    uint64_t argument;
} ws_flow_spec;

typedef struct {
    const double *capacities; /* of the links, > 0, bytes/s; copied */
    uint32_t link_count;
    uint32_t flow_capacity;     /* most flows at once; one more is a bug of the caller */
    uint32_t crossing_capacity; /* most lengths of paths of different classes together; likewise */
} ws_sharing_options;

typedef struct ws_sharing ws_sharing;

/** NULL when the arena is exhausted. The kernel must outlive it. */
ws_sharing *ws_sharing_new(ws_arena *arena, ws_kernel *kernel, const ws_sharing_options *options);

/** Most events that it has pending at once, for the kernel's capacity. */
size_t ws_sharing_event_capacity(uint32_t flow_capacity);

/** Begins a flow now. */
ws_flow ws_sharing_begin(ws_sharing *sharing, const ws_flow_spec *spec);

/** Ends a flow before it is through; nobody is told. False, and nothing done, when it is stale. */
bool ws_sharing_end(ws_sharing *sharing, ws_flow flow);

/** True while the flow is under way. */
bool ws_sharing_is_flowing(const ws_sharing *sharing, ws_flow flow);

/** Its rate now, bytes/s; 0 when stale, or begun in this instant. */
double ws_sharing_rate(const ws_sharing *sharing, ws_flow flow);

/** Bytes that it has yet to move; 0 when stale, INFINITY for a standing load. */
double ws_sharing_left_bytes(const ws_sharing *sharing, ws_flow flow);

/** Flows under way. */
size_t ws_sharing_flow_count(const ws_sharing *sharing);

/** Links, from 0, as handed over at the start. */
uint32_t ws_sharing_link_count(const ws_sharing *sharing);

/** Sum of the rates on a link now, bytes/s. */
double ws_sharing_load(const ws_sharing *sharing, uint32_t link);

/** Bytes that a link has carried up to now. */
double ws_sharing_carried_bytes(const ws_sharing *sharing, uint32_t link);

/** How often rates were solved, and over how many classes together: what sharing costs. */
typedef struct {
    uint64_t solutions;
    uint64_t classes_solved;
    uint64_t events_moved;
} ws_sharing_work;

/** How much solving has taken so far: for measuring. */
ws_sharing_work ws_sharing_work_done(const ws_sharing *sharing);

/** Whether everything that is kept equals what the flows sum to, and the rates are max-min fair. A
 * bug if not. O(flows + links + crossings), for tests and checked builds. */
bool ws_sharing_is_balanced(ws_sharing *sharing);

#endif
