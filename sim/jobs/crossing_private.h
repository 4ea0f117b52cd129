/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the two files of the crossing share: who crosses what is in crossing.c, the rates that
 * follow from it in crossing_solve.c. */
#ifndef WS_CROSSING_PRIVATE_H
#define WS_CROSSING_PRIVATE_H

#include "crossing.h"
#include "ws/index_set.h"

#define WS_CROSSING_NOTHING UINT32_MAX

/* A job on a link: in the list of the job, and in that of the link. */
typedef struct {
    uint32_t link;
    uint32_t job;
    uint32_t job_next; /* of a free record: the next free one */
    uint32_t link_next;
    uint32_t link_previous;
} ws_crossing_record;

typedef struct {
    double demand; /* 0: it does not communicate */
    ws_crossing_outcome outcome;
    uint32_t first; /* records */
    uint32_t count;
} ws_crossing_job;

typedef struct {
    double capacity;
    uint32_t first; /* records, the newest first */
    uint32_t local; /* in the problem at hand; NOTHING: not in it */
} ws_crossing_link;

struct ws_crossing {
    ws_kernel *kernel;
    ws_crossing_options options;
    ws_crossing_link *links;
    ws_crossing_job *jobs;
    ws_crossing_record *records;
    uint32_t record_count; /* records from here on were never used */
    uint32_t record_free;
    uint32_t path_count;  /* records in use */
    ws_index_set touched; /* jobs */
    ws_event_handle settling;

    /* The component at hand. */
    ws_index_set members; /* jobs */
    uint32_t *queue;      /* jobs whose links are to be looked at; then those of the component,
                             ascending */
    uint32_t member_count;
    uint32_t *local_links;
    uint32_t local_count;
    double *capacities;
    uint32_t *paths; /* of the members, local */
    ws_max_min_class *classes;
    uint32_t *class_members; /* of the problem at hand */
    ws_max_min_solver *solver;
    double *collide; /* shares, by member */
    double *duty;
    double *next;
    double *wires;
};

/* Whether its demands together are more than its capacity. */
bool ws_crossing_can_be_full(const ws_crossing *crossing, uint32_t link);

/* The jobs that are connected with this one, in `queue`; their links in `local_links`. */
void ws_crossing_gather(ws_crossing *crossing, uint32_t job);

/* Forgets the component. */
void ws_crossing_dismiss(ws_crossing *crossing);

/* Shares of the component at hand; whether the fixed point was found. */
bool ws_crossing_solve(ws_crossing *crossing);

#endif
