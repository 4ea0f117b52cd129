/* SPDX-License-Identifier: GPL-3.0-or-later */
/** What a pool of nodes is, as a scenario states it: plain data, filled by the loader. */
#ifndef WS_POOL_H
#define WS_POOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ws/distribution.h"
#include "ws/machine.h"
#include "ws/text.h"
#include "ws/time.h"
#include "ws/total.h"

#define WS_POOLS_MAX 64       /* pools of one scenario */
#define WS_NODE_GPUS_MAX 1024 /* GPUs of one node */
#define WS_FLEET_GPUS_MAX INT64_C(10000000)

/** Price an hour of all nodes of all pools together, nano: a billion an hour. Over the longest
 * horizon it fits into 128 bits. */
#define WS_FLEET_PRICE_MAX INT64_C(1000000000000000000)

/** A node's cold start: request (not paid), then boot, image pull and join (paid). All in seconds.
 */
typedef struct {
    ws_distribution request; /* until the provider says yes */
    ws_distribution boot;
    ws_distribution image_pull; /* unless image_bytes > 0 */
    double image_bytes; /* > 0: the image is pulled from the registry, with all who pull then */
    bool keeps_image;   /* a slot that had a node before needs `cached` instead */
    ws_duration cached;
    ws_distribution join;    /* until the scheduler can place work on it */
    double fail_probability; /* a request ends in "no capacity" with it; drawn once a request */
    ws_duration retry;       /* from "no capacity" to the next request */
} ws_node_start;

/** A disk that each node has for itself. A job has of it, and of its bandwidth, the share that it
 * has of the node's GPUs. All zero: none. */
typedef struct {
    double bytes;
    double read_bytes_per_s;
    double write_bytes_per_s;
} ws_local_disk;

/** When nodes fail, and how long they are away. */
typedef struct {
    bool present; /* failures are drawn */
    ws_distribution
        time_to_failure;    /* of one node while it is ready, s; drawn anew after each repair */
    ws_distribution repair; /* from the failure to ready again, s */
    bool billed_in_repair;  /* else the lease ends with the failure and a new one begins with the
                               repair */
    ws_duration crash_detection; /* until the job on the node notices a crash; used by the jobs */
    ws_duration hang_detection;  /* until it notices a hang: the collective's time-out */
    double hang_probability;     /* of a failure being a hang */
} ws_node_failures;

/**
 * A time in which a slot of a pool has no machine that works, as it was recorded. It is in absolute
 * time, whoever has a node there, and the same in every run.
 *
 * An outage (closed = lost) is of the machine: a ready node breaks and is ready again at its end,
 * in the same slot, without a cold start; one that is asked for or starts is given up. A reclaim is
 * of a node that somebody else gets: from its notice on (`closed`) the node drains, at `lost` it is
 * taken, and the slot can be asked for again at its end. Meanwhile no node is asked for in the
 * slot; the pool takes others where it has them, and asks for the rest when a machine is back.
 */
typedef struct {
    ws_time closed; /* >= 0; at 0: the slot begins without a node, or with a broken one */
    ws_time lost;   /* >= closed */
    ws_time back;   /* >= lost; WS_TIME_NEVER: not within what is known */
    int32_t slot;
    bool is_reclaim;
} ws_absence;

/** From a moment on a node costs something else. */
typedef struct {
    ws_time at; /* > 0 */
    ws_price node_price;
} ws_price_step;

typedef struct {
    ws_text name;
    ws_text gpu_type;
    const ws_gpu_model *gpu_model; /* what is known of the type; NULL: nothing */
    double gpu_memory_bytes;       /* of one GPU; 0: not known */
    int32_t gpus_per_node;         /* 1..WS_NODE_GPUS_MAX */
    int32_t nodes_initial;         /* ready at time 0, leases begin there */
    int32_t nodes_min;
    int32_t nodes_max;                /* slots */
    ws_price node_price;              /* of a whole node, from time 0 on */
    const ws_price_step *price_steps; /* by time, strictly; a lease pays the price of the moment */
    size_t price_step_count;
    ws_duration billing_increment; /* > 0; billed time of a lease is rounded up to it */
    ws_duration billing_minimum;   /* >= 0 */
    ws_node_start start;
    ws_local_disk disk;
    ws_node_failures failures;
    /** By `closed`. Those of one slot and kind follow each other: each is closed when the one
     * before is back, or later. */
    const ws_absence *absences;
    size_t absence_count;
    ws_duration reclaim_detection; /* until the job on a node notices that it was reclaimed */
} ws_pool_spec;

/** The most that a node of a pool costs at any time. */
ws_price ws_pool_highest_price(const ws_pool_spec *spec);

#endif
