/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * How the samples of a step are spread over a world: global batch, share of a replica, micro-batch
 * and accumulation.
 *
 * A global batch that stays at every size is divided over the replicas; one that follows the size
 * is a fixed number of samples for each replica. A replica takes its share in micro-batches: the
 * fewest equal ones that fit `micro_batch`, or, where a list is given, ones of the largest listed
 * size that divides the share. Source of the latter: DeepSpeed, deepspeed/elasticity/elasticity.py.
 */
#ifndef WS_BATCH_H
#define WS_BATCH_H

#include <stddef.h>
#include <stdint.h>

typedef struct {
    double global_batch;  /* samples of a step at every size; 0: it follows the size */
    double replica_batch; /* samples of each replica in a step, where global_batch is 0 */
    double micro_batch;   /* most samples that a replica takes at once; 0: all of its share */
    const int32_t *micro_batches; /* ascending, instead of micro_batch; NULL: none */
    size_t micro_batch_count;
} ws_batch;

/** A step of one world. */
typedef struct {
    double samples;       /* of all replicas together */
    double even;          /* samples / replicas */
    double share;         /* of the replica that has the most: a whole number */
    double micro;         /* that it takes at once, mean over its micro-batches */
    double micro_batches; /* that it takes them in, >= 1: gradient accumulation steps */
} ws_batch_split;

/** @param replicas  >= 1 */
ws_batch_split ws_batch_at(const ws_batch *batch, int32_t replicas);

#endif
