/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the files of the sharing share.
 *
 * A crossing is a class on a link: records of a fixed pool, each in two lists, of its class (the
 * path, in its order) and of its link. Links know their classes, so what is connected is found by
 * walking from the links that something has happened on.
 *
 * A flow's tag is what its class will have served to each of its flows when it is through. Rates
 * change, tags do not: the first to finish is the lowest tag.
 */
#ifndef WS_SHARING_PRIVATE_H
#define WS_SHARING_PRIVATE_H

#include "ws/max_min.h"
#include "ws/sharing.h"

#define WS_NOTHING UINT32_MAX

/* In a heap by tag (flow_heap.c), or in its class's list of standing loads (child and previous are
 * unused there). */
typedef struct {
    double tag;
    uint64_t sequence; /* of equal tags the older first */
    uint32_t class_index;
    uint32_t child;    /* first of them */
    uint32_t next;     /* sibling; of a free record: the next free one */
    uint32_t previous; /* sibling, or the parent of a first child */
    uint32_t generation;
    bool is_flowing;
    bool is_standing;
    const ws_flow_listener *listener;
    uint64_t argument;
} ws_flow_record;

typedef struct {
    double weight;
    double cap;
    double rate;   /* of each flow, since `at` */
    double served; /* bytes to each flow, at `at` */
    ws_time at;
    ws_event_handle event; /* the first flow is through */
    uint32_t flows;
    uint32_t path_count;
    uint32_t crossing_first;
    uint32_t heap_root;
    uint32_t standing_first;
    uint32_t bucket_next;  /* of a free class: the next free one */
    uint32_t member;       /* in what is being solved */
    bool is_member;        /* while something is solved */
    bool has_another_head; /* since its event was set */
    bool has_newcomer;     /* a standing load that was told nothing yet */
} ws_flow_class;

typedef struct {
    uint32_t class_index;
    uint32_t link;
    uint32_t class_next; /* of a free record: the next free one */
    uint32_t link_next;
    uint32_t link_previous;
} ws_flow_crossing;

typedef struct {
    double capacity;
    double load;    /* since `at` */
    double carried; /* up to `at` */
    ws_time at;
    uint32_t crossing_first;
    uint32_t member; /* in what is being solved */
    bool is_member;  /* while something is solved */
    bool is_touched; /* since rates were solved last */
} ws_flow_link;

/* What is solved: the links and classes that are connected with those that were touched. */
typedef struct {
    uint32_t *links;
    uint32_t link_count;
    uint32_t *classes;
    uint32_t class_count;
    double *capacities;
    ws_max_min_class *problem;
    uint32_t *paths;
    ws_max_min_solver *solver;
} ws_flow_component;

struct ws_sharing {
    ws_kernel *kernel;
    ws_sharing_options options;
    ws_flow_record *flows;
    ws_flow_class *classes;
    ws_flow_crossing *crossings;
    ws_flow_link *links;
    uint32_t *buckets; /* of classes, by hash of path, weight and cap */
    uint32_t bucket_mask;
    uint32_t flow_free;
    uint32_t class_free;
    uint32_t crossing_free;
    uint32_t flow_count;
    uint64_t sequence;
    uint32_t *touched; /* links */
    uint32_t touched_count;
    ws_event_handle settling;
    ws_flow *news; /* standing loads to be told */
    ws_flow_component component;
    ws_sharing_work work;
};

/* --- flow_heap.c: a pairing heap over flow records --- */

/* Puts a flow in; returns the new root. `root` may be WS_NOTHING. */
uint32_t ws_flow_heap_insert(ws_flow_record *flows, uint32_t root, uint32_t flow);

/* Takes a flow out, the root or another; returns the new root or WS_NOTHING. */
uint32_t ws_flow_heap_remove(ws_flow_record *flows, uint32_t root, uint32_t flow);

/* --- sharing_solve.c --- */

/* Storage of what is solved. False when the arena is exhausted. */
WS_NODISCARD bool ws_sharing_solve_init(ws_sharing *sharing, ws_arena *arena);

/* Notes that something has happened on the links of a class; what is connected with them will be
 * solved in this instant. */
void ws_sharing_touch(ws_sharing *sharing, uint32_t class_index);

/* Brings what a class has served up to now. */
void ws_sharing_advance(const ws_sharing *sharing, ws_flow_class *class);

/* Sets the event of a class to when its first flow will be through. */
void ws_sharing_schedule(ws_sharing *sharing, uint32_t class_index);

/* --- sharing.c --- */

/* The event of a class. */
void ws_sharing_on_finish(void *context, uint64_t class_index);

#endif
